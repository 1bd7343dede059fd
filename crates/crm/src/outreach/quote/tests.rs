use super::Reply;

const MARKED: &str = "> Hello Ada,\n>\n> shall we talk?\n> Ann";
const PLAIN: &str = "Hello Ada,\n\nshall we talk?\nAnn";

/// Lines that introduce a quotation, in the languages and ways of common mail programs.
const ATTRIBUTIONS: &[&str] = &[
    "On Mon, Jan 5, 2026 at 10:00 AM Ann Sender <ann@example.com> wrote:",
    "On Mon, Jan 5, 2026 at 10:00 AM Ann Sender <ann@example.com>\nwrote:",
    "On 5 Jan 2026, at 10:00, Ann Sender <ann@example.com> wrote:",
    "On 05/01/2026 10:00, Ann Sender wrote:",
    "On Monday, January 5, 2026 at 10:00:00 AM GMT+1, Ann Sender\n<ann@example.com> wrote:",
    "On Mon, 5 Jan 2026 10:00:00 +0100\nAnn Sender <ann@example.com> wrote:",
    "Ann Sender <ann@example.com> wrote:",
    "Ann Sender (ann@example.com) wrote:",
    "Am 05.01.26 um 10:00 schrieb Ann Sender:",
    "Am Mo., 5. Jan. 2026 um 10:00 Uhr schrieb Ann Sender <\nann@example.com>:",
    "Am 05.01.2026 um 10:00 schrieb Ann Sender <ann@example.com>:",
    "Le lun. 5 janv. 2026 à 10:00, Ann Sender <ann@example.com> a écrit :",
    "Le 05/01/2026 à 10:00, Ann Sender a écrit\u{a0}:",
    "El lun, 5 ene 2026 a las 10:00, Ann Sender (<ann@example.com>) escribió:",
    "Il giorno lun 5 gen 2026 alle ore 10:00 Ann Sender <ann@example.com>\nha scritto:",
    "Op ma 5 jan 2026 om 10:00 schreef Ann Sender <ann@example.com>:",
    "Em seg., 5 de jan. de 2026 às 10:00, Ann Sender <ann@example.com>\nescreveu:",
    "Den mån 5 jan. 2026 kl 10:00 skrev Ann Sender <ann@example.com>:",
    "ma 5. tammik. 2026 klo 10.00 Ann Sender (ann@example.com) kirjoitti:",
    "pon., 5 sty 2026 o 10:00 Ann Sender <ann@example.com> napisał(a):",
    "po 5. 1. 2026 v 10:00 odesílatel Ann Sender <ann@example.com> napsal:",
    "пн, 5 янв. 2026 г. в 10:00, Ann Sender <ann@example.com> написал(а):",
    "5 Oca 2026 Pzt 10:00 tarihinde Ann Sender <ann@example.com> şunu yazdı:",
    "Ann Sender <ann@example.com> 于2026年1月5日周一 10:00写道：",
    "2026年1月5日(月) 10:00 Ann Sender <ann@example.com>:",
    "2026년 1월 5일 (월) 10:00, Ann Sender <ann@example.com>님이 작성:",
];

/// Headers and dividers above the original mail.
const HEADS: &[&str] = &[
    "-----Original Message-----\nFrom: Ann Sender <ann@example.com>\nSent: Monday, January 5, 2026 10:00 AM\nTo: Ada\nSubject: Hi",
    "-------- Original message --------\nFrom: Ann Sender <ann@example.com>\nDate: 05/01/2026 10:00 (GMT+01:00)\nTo: ada@example.net\nSubject: Hi",
    "------- Original Message -------\nOn Monday, January 5th, 2026 at 10:00 AM, Ann Sender <ann@example.com> wrote:",
    "________________________________\nFrom: Ann Sender <ann@example.com>\nSent: Monday, January 5, 2026 10:00:00 AM\nTo: Ada <ada@example.net>\nSubject: Hi",
    "From: Ann Sender <ann@example.com>\nDate: Monday, 5 January 2026 at 10:00\nTo: Ada <ada@example.net>\nSubject: Hi",
    "*From:* Ann Sender <ann@example.com>\n*Sent:* Monday, January 5, 2026 10:00 AM\n*To:* Ada\n*Subject:* Hi",
    "Von: Ann Sender <ann@example.com>\nGesendet: Montag, 5. Januar 2026 10:00\nAn: Ada\nBetreff: Hi",
    "Gesendet: Montag, 05. Januar 2026 um 10:00 Uhr\nVon: \"Ann Sender\" <ann@example.com>\nAn: ada@example.net\nBetreff: Hi",
    "-----Ursprüngliche Nachricht-----\nVon: Ann Sender\nGesendet: Montag, 5. Januar 2026 10:00\nAn: Ada\nBetreff: Hi",
    "De : Ann Sender <ann@example.com>\nEnvoyé : lundi 5 janvier 2026 10:00\nÀ : Ada\nObjet : Hi",
    "-----Message d'origine-----\nDe : Ann Sender\nEnvoyé : lundi 5 janvier 2026 10:00\nÀ : Ada\nObjet : Hi",
    "De: Ann Sender <ann@example.com>\nEnviado el: lunes, 5 de enero de 2026 10:00\nPara: Ada\nAsunto: Hi",
    "Da: Ann Sender <ann@example.com>\nInviato: lunedì 5 gennaio 2026 10:00\nA: Ada\nOggetto: Hi",
    "Van: Ann Sender <ann@example.com>\nVerzonden: maandag 5 januari 2026 10:00\nAan: Ada\nOnderwerp: Hi",
    "De: Ann Sender <ann@example.com>\nEnviada em: segunda-feira, 5 de janeiro de 2026 10:00\nPara: Ada\nAssunto: Hi",
    "Från: Ann Sender <ann@example.com>\nSkickat: den 5 januari 2026 10:00\nTill: Ada\nÄmne: Hi",
    "---- On Mon, 05 Jan 2026 10:00:00 +0100 Ann Sender <ann@example.com> wrote ----",
];

/// What people write above.
const ANSWERS: &[&str] = &[
    "Yes, gladly.",
    "Hello Ann,\n\non Monday I wrote:\nnot now. From: now on I am busy.\n\nBest\nAda",
    "Sure - 5 pm?\n\n-- \nAda Example\nExample Ltd",
    "Ja, gerne am Dienstag.\n\nVon meinem iPhone gesendet",
];

fn splits(text: &str, own: &str) {
    let reply = Reply::of(text);
    assert_eq!(reply.own, own, "{text}");
    assert!(
        reply.quoted.is_some_and(|quoted| quoted.contains("shall we talk?") && quoted.trim_end().ends_with("Ann")),
        "{text}"
    );
}

#[test]
fn replies_of_common_programs_are_separated_from_what_they_quote() {
    let mut shapes = 0;
    for answer in ANSWERS {
        for attribution in ATTRIBUTIONS {
            splits(&format!("{answer}\n\n{attribution}\n\n{MARKED}\n"), answer);
            // Some programs do not mark the quoted lines.
            splits(&format!("{answer}\n\n{attribution}\n\n{PLAIN}\n"), answer);
            // There may be no empty line.
            splits(&format!("{answer}\n{attribution}\n{MARKED}\n"), answer);
            shapes += 3;
        }
        for head in HEADS {
            splits(&format!("{answer}\n\n{head}\n\n{PLAIN}\n"), answer);
            splits(&format!("{answer}\n\n{head}\n\n{MARKED}"), answer);
            shapes += 2;
        }
        splits(&format!("{answer}\n\n{MARKED}\n"), answer);
        splits(&format!("{answer}\n\nAnn:\n{MARKED}\n"), answer);
    }
    assert!(shapes >= 200, "{shapes}");
}

#[test]
fn an_answer_below_the_quoted_mail_is_found() {
    let reply = Reply::of("Ann Sender <ann@example.com> wrote:\n> Hello Ada,\n> shall we talk?\n\nYes, gladly.\nAda\n");
    assert_eq!(reply.own, "Yes, gladly.\nAda\n");
    assert_eq!(reply.quoted, Some("Ann Sender <ann@example.com> wrote:\n> Hello Ada,\n> shall we talk?"));
}

#[test]
fn other_texts_stay_whole() {
    for text in [
        "",
        "Yes, gladly.",
        // Answers between the quoted lines.
        "Ann wrote:\n> Shall we talk?\nYes.\n> When?\nOn Tuesday.",
        "Hello,\n\n> Shall we talk?\n\nYes.\n\n> When?\n\nOn Tuesday.",
        // Nothing of their own.
        "> Hello Ada,\n> shall we talk?",
        "On 5 Jan 2026, Ann Sender wrote:\n> Hello Ada",
        // Sentences that only look like it.
        "Here is what I need:\n- a desk\n- a chair",
        "On Monday she wrote: come at once.\nWhat now?",
        "From: where I stand, it looks good.\nTo: me that is enough.",
        "Terms\n-----\nNone.",
    ] {
        assert_eq!(Reply::of(text), Reply { own: text, quoted: None }, "{text}");
    }
}

#[test]
fn long_and_odd_texts_cost_little() {
    for text in ["> ".repeat(200_000), "a:\n".repeat(200_000), "\n".repeat(500_000), "on \n".repeat(200_000)] {
        let reply = Reply::of(&text);
        assert!(reply.own.len() <= text.len());
    }
}
