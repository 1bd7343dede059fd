//! Out-of-office replies: the phrases that identify them, and the date of return.

use std::sync::LazyLock;

use jiff::ToSpan;
use jiff::civil::{Date, Weekday, date};
use mail_parser::Message;
use regex::Regex;

/// Whether a subject begins like that of an out-of-office reply.
pub(super) fn subject_says_absent(subject: &str) -> bool {
    ABSENT.iter().any(|words| subject.starts_with(words))
}

/// Whether a subject begins like that of an automatic answer; the text decides which kind.
pub(super) fn subject_says_automatic(subject: &str) -> bool {
    AUTOMATIC.iter().any(|words| subject.starts_with(words))
}

pub(super) fn text_says_absent(text: &str) -> bool {
    let text = own(text).to_lowercase();
    AWAY.iter().any(|words| text.contains(words))
}

/// The day of return. The day on which the mail was written supplies a missing year.
pub(super) fn until(message: &Message<'_>, text: &str) -> Option<Date> {
    let written = message.date().and_then(|sent| Date::new(sent.year as i16, sent.month as i8, sent.day as i8).ok());
    let text = format!("{}\n{}", message.subject().unwrap_or_default(), own(text)).to_lowercase();
    let mut found = dates(&text, written);
    for found in &mut found {
        // "Until and including" a day: the contact is back on the next.
        if is_inclusive(&text, found.at) {
            found.date = found.date.checked_add(1.day()).unwrap_or(found.date);
        }
    }
    let announced = found.iter().filter(|found| announced(&text, found.at)).map(|found| found.date).max();
    announced.or_else(|| found.iter().filter(|found| !found.vague).map(|found| found.date).max())
}

/// The text without the quoted original.
fn own(text: &str) -> String {
    let starts = |line: &str| {
        let line = line.trim().to_lowercase();
        line.starts_with("-----original")
            || line.starts_with("________________")
            || line.ends_with(" wrote:")
            || line.ends_with(" schrieb:")
    };
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('>')).take_while(|line| !starts(line));
    lines.collect::<Vec<_>>().join("\n").chars().take(4000).collect()
}

struct Found {
    date: Date,
    /// The position in the text.
    at: usize,
    /// A weekday alone, which only counts after a phrase of return.
    vague: bool,
}

/// Whether the words before a date announce the day of return.
fn announced(text: &str, at: usize) -> bool {
    let before: String = text[..at].chars().rev().take(60).collect::<Vec<_>>().into_iter().rev().collect();
    let clause = before.rsplit(['.', '!', '?', '\n', ';']).next().unwrap_or_default();
    RETURN.iter().any(|words| clause.contains(words))
}

/// Whether the words around a date say that the day itself belongs to the absence.
fn is_inclusive(text: &str, at: usize) -> bool {
    let before: String = text[..at].chars().rev().take(30).collect::<Vec<_>>().into_iter().rev().collect();
    let clause = before.rsplit(['!', '?', '\n', ';', ',']).next().unwrap_or_default();
    let after: String = text[at..].chars().take(40).take_while(|letter| !"!?\n;,".contains(*letter)).collect();
    INCLUSIVE.iter().any(|words| clause.contains(words) || after.contains(words)) || clause.ends_with("through ")
}

const INCLUSIVE: &[&str] = &[
    "including",
    "inclusive",
    "einschließlich",
    "einschliesslich",
    "einschl.",
    "inklusive",
    "inkl.",
    "inclus",
    "compris",
    "t/m",
    "tot en met",
    "incluído",
    "incluido",
    "compreso",
    "incluso",
];

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is written here and tested")
}

static ISO: LazyLock<Regex> = LazyLock::new(|| regex(r"\b(20\d\d)[-/.](\d{1,2})[-/.](\d{1,2})\b"));
static CHINESE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?:(20\d\d)\s*[年년]\s*)?(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일号]"));
static NUMBERS: LazyLock<Regex> = LazyLock::new(|| regex(r"\b(\d{1,2})([./-])\s?(\d{1,2})(?:[./-]\s?(20\d\d|\d\d)?)?"));
static DAY_MONTH: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"\b(\d{1,2})(?:st|nd|rd|th|er|ro|°|º|\.)?\s+(?:of\s+|de\s+|di\s+|d’|d')?(\p{L}{3,})\.?,?(?:\s+(?:de\s+|del\s+)?(20\d\d)\b)?",
    )
});
static MONTH_DAY: LazyLock<Regex> =
    LazyLock::new(|| regex(r"\b(\p{L}{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s+(20\d\d)\b)?"));
static WORDS: LazyLock<Regex> = LazyLock::new(|| regex(r"\p{L}{4,}"));

fn dates(text: &str, written: Option<Date>) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let mut put = |at: usize, year: Option<&str>, month: Option<i8>, day: Option<&str>| {
        let Some(date) = month.and_then(|month| dated(year, month, day?.parse().ok()?, written)) else { return };
        found.push(Found { date, at, vague: false });
    };
    for caught in ISO.captures_iter(text) {
        put(start(&caught), part(&caught, 1), part(&caught, 2).and_then(|month| month.parse().ok()), part(&caught, 3));
    }
    for caught in CHINESE.captures_iter(text) {
        put(start(&caught), part(&caught, 1), part(&caught, 2).and_then(|month| month.parse().ok()), part(&caught, 3));
    }
    for caught in DAY_MONTH.captures_iter(text) {
        put(start(&caught), part(&caught, 3), part(&caught, 2).and_then(month), part(&caught, 1));
    }
    for caught in MONTH_DAY.captures_iter(text) {
        put(start(&caught), part(&caught, 3), part(&caught, 1).and_then(month), part(&caught, 2));
    }
    let iso: Vec<(usize, usize)> = ISO.find_iter(text).map(|found| (found.start(), found.end())).collect();
    for caught in NUMBERS.captures_iter(text) {
        let at = start(&caught);
        if iso.iter().any(|(from, to)| (*from..*to).contains(&at)) {
            continue;
        }
        let (first, mark, second) = (part(&caught, 1), part(&caught, 2), part(&caught, 3));
        let number = |text: Option<&str>| text.and_then(|text| text.parse::<i8>().ok());
        let (Some(one), Some(two)) = (number(first), number(second)) else { continue };
        // 3/14 must have the month first; 3/4 is read day first, as in most of the world.
        match (mark == Some("/") && two > 12, one, two) {
            (true, month, _) => put(at, part(&caught, 4), Some(month), second),
            (false, _, month) => put(at, part(&caught, 4), Some(month), first),
        }
    }
    if let Some(written) = written {
        for word in WORDS.find_iter(text) {
            if let Some(date) = weekday(word.as_str()).and_then(|day| written.nth_weekday(1, day).ok()) {
                found.push(Found { date, at: word.start(), vague: true });
            }
        }
    }
    // A weekday directly before a date adds nothing.
    let exact: Vec<usize> = found.iter().filter(|found| !found.vague).map(|found| found.at).collect();
    found.retain(|found| !found.vague || !exact.iter().any(|at| *at > found.at && *at - found.at < 30));
    found
}

fn start(caught: &regex::Captures<'_>) -> usize {
    caught.get(0).map_or(0, |whole| whole.start())
}

fn part<'a>(caught: &regex::Captures<'a>, number: usize) -> Option<&'a str> {
    caught.get(number).map(|part| part.as_str())
}

/// A day of this year or the next, unless it is long past or far ahead.
fn dated(year: Option<&str>, month: i8, day: i8, written: Option<Date>) -> Option<Date> {
    let found = match year.and_then(|year| year.parse::<i16>().ok()) {
        Some(year) => Date::new(if year < 100 { 2000 + year } else { year }, month, day).ok()?,
        None => {
            let written = written?;
            let this = Date::new(written.year(), month, day).ok()?;
            if this < written.checked_sub(7.days()).ok()? {
                Date::new(written.year() + 1, month, day).ok()?
            } else {
                this
            }
        }
    };
    let written = written.unwrap_or(date(2000, 1, 1).max(found));
    let near = found >= written.checked_sub(1.day()).ok()? && found <= written.checked_add(400.days()).ok()?;
    near.then_some(found)
}

fn month(word: &str) -> Option<i8> {
    let word = word.trim_end_matches('.');
    let at = MONTHS.iter().position(|names| names.contains(&word))?;
    Some(at as i8 + 1)
}

fn weekday(word: &str) -> Option<Weekday> {
    let at = WEEKDAYS.iter().position(|names| names.contains(&word))?;
    Weekday::from_monday_zero_offset(at as i8).ok()
}

const MONTHS: [&[&str]; 12] = [
    &[
        "january",
        "jan",
        "januar",
        "jänner",
        "janvier",
        "janv",
        "enero",
        "ene",
        "gennaio",
        "gen",
        "janeiro",
        "januari",
        "stycznia",
        "января",
        "ocak",
        "ledna",
        "tammikuuta",
    ],
    &[
        "february",
        "feb",
        "februar",
        "février",
        "févr",
        "febrero",
        "febbraio",
        "fevereiro",
        "fev",
        "februari",
        "lutego",
        "февраля",
        "şubat",
        "února",
        "helmikuuta",
    ],
    &[
        "march",
        "mar",
        "märz",
        "mrz",
        "mars",
        "marzo",
        "março",
        "maart",
        "mrt",
        "marts",
        "marca",
        "марта",
        "mart",
        "března",
        "maaliskuuta",
    ],
    &["april", "apr", "avril", "avr", "abril", "abr", "aprile", "kwietnia", "апреля", "nisan", "dubna", "huhtikuuta"],
    &["may", "mai", "mayo", "maggio", "maio", "mei", "maj", "maja", "мая", "mayıs", "května", "toukokuuta"],
    &["june", "jun", "juni", "juin", "junio", "giugno", "junho", "czerwca", "июня", "haziran", "června", "kesäkuuta"],
    &[
        "july",
        "jul",
        "juli",
        "juillet",
        "juil",
        "julio",
        "luglio",
        "julho",
        "lipca",
        "июля",
        "temmuz",
        "července",
        "heinäkuuta",
    ],
    &[
        "august",
        "aug",
        "août",
        "aout",
        "agosto",
        "ago",
        "augustus",
        "augusti",
        "sierpnia",
        "августа",
        "ağustos",
        "srpna",
        "elokuuta",
    ],
    &[
        "september",
        "sep",
        "sept",
        "septembre",
        "septiembre",
        "settembre",
        "setembro",
        "września",
        "сентября",
        "eylül",
        "září",
        "syyskuuta",
    ],
    &[
        "october",
        "oct",
        "oktober",
        "okt",
        "octobre",
        "octubre",
        "ottobre",
        "outubro",
        "października",
        "октября",
        "ekim",
        "října",
        "lokakuuta",
    ],
    &[
        "november",
        "nov",
        "novembre",
        "noviembre",
        "novembro",
        "listopada",
        "ноября",
        "kasım",
        "listopadu",
        "marraskuuta",
    ],
    &[
        "december",
        "dec",
        "dezember",
        "dez",
        "décembre",
        "déc",
        "diciembre",
        "dicembre",
        "dezembro",
        "desember",
        "grudnia",
        "декабря",
        "aralık",
        "prosince",
        "joulukuuta",
    ],
];

const WEEKDAYS: [&[&str]; 7] = [
    &["monday", "montag", "lundi", "lunes", "lunedì", "segunda-feira", "maandag", "måndag", "mandag"],
    &["tuesday", "dienstag", "mardi", "martes", "martedì", "dinsdag", "tisdag", "tirsdag"],
    &["wednesday", "mittwoch", "mercredi", "miércoles", "mercoledì", "woensdag", "onsdag"],
    &["thursday", "donnerstag", "jeudi", "jueves", "giovedì", "donderdag", "torsdag"],
    &["friday", "freitag", "vendredi", "viernes", "venerdì", "vrijdag", "fredag"],
    &["saturday", "samstag", "samedi", "sábado", "sabato", "zaterdag", "lördag"],
    &["sunday", "sonntag", "dimanche", "domingo", "domenica", "zondag", "söndag"],
];

/// Phrases before the day of return.
const RETURN: &[&str] = &[
    "until",
    "till",
    "through",
    "return",
    "back",
    "again on",
    "resume",
    "bis",
    "zurück",
    "wieder",
    "ab dem",
    "ab ",
    "jusqu",
    "retour",
    "à partir",
    "reprend",
    "hasta",
    "vuelv",
    "volver",
    "regres",
    "reincorpor",
    "fino al",
    "rientr",
    "torn",
    "até",
    "volt",
    "retorn",
    "regresso",
    "t/m",
    "tot en met",
    "tot ",
    "terug",
    "vanaf",
    "till och med",
    "tillbaka",
    "åter",
    "tilbage",
    "til og med",
    "tilbake",
    "do dnia",
    "do ",
    "wracam",
    "wrócę",
    "powrót",
    "до ",
    "вернусь",
    "с ",
    "kadar",
    "itibaren",
    "まで",
    "より",
    "至",
    "直到",
    "返回",
    "까지",
    "asti",
    "takaisin",
    "zpět",
    "návrat",
];

const AUTOMATIC: &[&str] = &[
    "automatic reply",
    "auto reply",
    "auto-reply",
    "autoreply",
    "auto response",
    "auto-response",
    "autoresponse",
    "autoresponder",
    "automatic response",
    "automated reply",
    "automated response",
    "auto:",
    "[auto-reply]",
    "[autoreply]",
    "[auto]",
    "automatische antwort",
    "automatische rückantwort",
    "automatische antwoord",
    "automatisch antwoord",
    "réponse automatique",
    "reponse automatique",
    "respuesta automática",
    "respuesta automatica",
    "risposta automatica",
    "resposta automática",
    "resposta automatica",
    "autosvar",
    "automatiskt svar",
    "automatisk svar",
    "automaattinen vastaus",
    "odpowiedź automatyczna",
    "automatyczna odpowiedź",
    "automatická odpověď",
    "automatická odpoveď",
    "automatikus válasz",
    "răspuns automat",
    "автоматический ответ",
    "автоматична відповідь",
    "автоответ",
    "otomatik yanıt",
    "αυτόματη απάντηση",
    "自動応答",
    "自動返信",
    "自动回复",
    "自動回覆",
    "자동 회신",
    "자동응답",
    "רد تلقائي",
    "رد تلقائي",
    "מענה אוטומטי",
    "trả lời tự động",
    "ตอบกลับอัตโนมัติ",
    "thank you for your email",
    "thank you for contacting",
];

const ABSENT: &[&str] = &[
    "out of office",
    "out of the office",
    "out-of-office",
    "ooo:",
    "ooo ",
    "[ooo]",
    "away from my mail",
    "away from the office",
    "i am away",
    "i'm away",
    "on vacation",
    "vacation:",
    "vacation reply",
    "vacation notice",
    "vacation",
    "on leave",
    "on holiday",
    "annual leave",
    "parental leave",
    "maternity leave",
    "abwesenheit",
    "abwesend",
    "ich bin nicht im büro",
    "nicht im büro",
    "urlaub",
    "im urlaub",
    "absence",
    "absent",
    "en congé",
    "en vacances",
    "fuera de la oficina",
    "fuera de oficina",
    "ausente",
    "ausencia",
    "de vacaciones",
    "fuori sede",
    "fuori ufficio",
    "assenza",
    "assente",
    "in ferie",
    "fora do escritório",
    "ausência",
    "de férias",
    "afwezig",
    "niet aanwezig",
    "buiten kantoor",
    "frånvaro",
    "frånvarande",
    "på semester",
    "fravær",
    "ikke til stede",
    "på ferie",
    "poissa",
    "lomalla",
    "poza biurem",
    "nieobecność",
    "urlop",
    "mimo kancelář",
    "nepřítomnost",
    "távollét",
    "вне офиса",
    "в отпуске",
    "отсутствие",
    "ofis dışında",
    "izinde",
    "不在",
    "休暇",
    "外出中",
    "休假",
    "부재중",
    "휴가",
];

const AWAY: &[&str] = &[
    "will return",
    "be back",
    "back on",
    "returning on",
    "out of office",
    "out of the office",
    "out-of-office",
    "away from my desk",
    "away from the office",
    "away from my email",
    "away until",
    "currently away",
    "i am away",
    "i'm away",
    "be away",
    "on vacation",
    "on leave",
    "annual leave",
    "sick leave",
    "parental leave",
    "maternity leave",
    "paternity leave",
    "on holiday",
    "on holidays",
    "not in the office",
    "not be in the office",
    "limited access to",
    "no access to my email",
    "travelling",
    "traveling",
    "back in the office",
    "abwesend",
    "nicht im büro",
    "nicht im haus",
    "im urlaub",
    "außer haus",
    "elternzeit",
    "nicht erreichbar",
    "absent",
    "en congé",
    "en vacances",
    "hors du bureau",
    "de retour",
    "fuera de la oficina",
    "fuera de oficina",
    "de vacaciones",
    "ausente",
    "fuori ufficio",
    "fuori sede",
    "in ferie",
    "assente",
    "fora do escritório",
    "de férias",
    "ausência",
    "afwezig",
    "met vakantie",
    "op vakantie",
    "niet aanwezig",
    "niet op kantoor",
    "på semester",
    "inte på kontoret",
    "frånvarande",
    "ikke på kontoret",
    "på ferie",
    "fraværende",
    "poissa",
    "lomalla",
    "nieobecn",
    "urlopie",
    "poza biurem",
    "dovolen",
    "szabadság",
    "concediu",
    "відпуст",
    "відсутн",
    "отпуск",
    "отсутств",
    "вне офиса",
    "izinde",
    "ofis dışında",
    "άδεια",
    "休暇",
    "不在",
    "休みを",
    "外出",
    "休假",
    "휴가",
    "부재",
];
