//! Phrases around quoted mails in the languages of mail programs, in lower case.

/// How the line that says who wrote begins, and a phrase in it. Languages that put the verb first or last are the same to us.
pub(super) const ATTRIBUTIONS: &[(&str, &str)] = &[
    ("on ", " wrote"),
    ("", "> wrote"),
    ("", ") wrote"),
    ("am ", " schrieb"),
    ("von ", " schrieb"),
    ("", "> schrieb"),
    ("le ", " a écrit"),
    ("", "> a écrit"),
    ("el ", " escribió"),
    ("", "> escribió"),
    ("il ", " ha scritto"),
    ("", "> ha scritto"),
    ("op ", " schreef"),
    ("", "> schreef"),
    ("em ", " escreveu"),
    ("a ", " escreveu"),
    ("", "> escreveu"),
    ("den ", " skrev"),
    ("", "> skrev"),
    ("", " kirjoitti"),
    ("", " napisał"),
    ("", "> napsal"),
    ("dne ", " napsal"),
    ("", " пишет"),
    ("", " написал"),
    ("", " yazdı"),
    ("", " tarihinde"),
    ("", "写道"),
    ("", "님이 작성"),
    ("20", "年"),
];

/// What stands between the dashes above the original mail.
pub(super) const DIVIDERS: &[&str] = &[
    "original",
    "original message",
    "original-nachricht",
    "originalnachricht",
    "ursprüngliche nachricht",
    "original mail",
    "original e-mail",
    "message d'origine",
    "message d’origine",
    "message original",
    "mensaje original",
    "messaggio originale",
    "messaggio original",
    "oorspronkelijk bericht",
    "oorspronkelijke bericht",
    "mensagem original",
    "originalmeddelande",
    "ursprungligt meddelande",
    "oprindelig meddelelse",
    "opprinnelig melding",
    "alkuperäinen viesti",
    "wiadomość oryginalna",
    "původní zpráva",
    "исходное сообщение",
    "元のメッセージ",
    "原始邮件",
];

/// Headers that name the sender of a quoted mail.
pub(super) const SENDER_HEADERS: &[&str] =
    &["from", "von", "de", "da", "van", "från", "fra", "od", "lähettäjä", "от", "发件人", "差出人", "보낸 사람"];

/// Headers that name the date, the recipient and the subject of a quoted mail.
#[rustfmt::skip]
pub(super) const OTHER_HEADERS: &[&str] = &[
    "sent", "date", "to", "cc", "subject", // English
    "gesendet", "datum", "an", "betreff", // German
    "envoyé", "à", "objet", // French
    "enviado", "enviado el", "fecha", "para", "asunto", // Spanish
    "inviato", "data", "a", "oggetto", // Italian
    "verzonden", "aan", "onderwerp", // Dutch
    "enviada em", "enviado em", "assunto", // Portuguese
    "skickat", "till", "ämne", "sendt", "til", "emne", // Swedish, Danish, Norwegian
    "wysłano", "do", "temat", "odesláno", "komu", "předmět", // Polish, Czech
    "lähetetty", "vastaanottaja", "aihe", // Finnish
    "отправлено", "дата", "кому", "тема", // Russian
    "发送时间", "收件人", "主题", "送信日時", "宛先", "件名", "날짜", "받는 사람", "제목",
];
