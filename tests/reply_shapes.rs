//! Replies in the shapes of common mail programs: 10 programs, 5 languages, 4 encodings. Each ends its sequence, shows what
//! its sender wrote, and keeps the quoted mail apart.

use base64::Engine as _;
use serde_json::{Value, json};

use crate::outreach::started;
use crate::sequences::path;
use crate::support::outside::lines;
use crate::support::*;

stories![replies_of_common_programs_are_read];

/// What people answer, and how their programs introduce the quoted mail.
const LANGUAGES: &[Language] = &[
    Language {
        answer: "Yes, gladly. Tuesday works.",
        attribution: "On Mon, Jan 5, 2026 at 10:00 AM Ann Sender <ann@example.com> wrote:",
        headers: ["From", "Sent", "To", "Subject"],
        divider: "Original Message",
    },
    Language {
        answer: "Gerne, für Dienstag passt es.\n\nSchöne Grüße\nJürgen",
        attribution: "Am Mo., 5. Jan. 2026 um 10:00 Uhr schrieb Ann Sender <ann@example.com>:",
        headers: ["Von", "Gesendet", "An", "Betreff"],
        divider: "Ursprüngliche Nachricht",
    },
    Language {
        answer: "Très volontiers, à mardi !\n\nThérèse",
        attribution: "Le lun. 5 janv. 2026 à 10:00, Ann Sender <ann@example.com> a écrit :",
        headers: ["De", "Envoyé", "À", "Objet"],
        divider: "Message d'origine",
    },
    Language {
        answer: "Sí, con mucho gusto. ¿El martes?",
        attribution: "El lun, 5 ene 2026 a las 10:00, Ann Sender (<ann@example.com>) escribió:",
        headers: ["De", "Enviado el", "Para", "Asunto"],
        divider: "Mensaje original",
    },
    Language {
        answer: "Graag, dinsdag is goed.\n\nMet vriendelijke groet\nRené",
        attribution: "Op ma 5 jan 2026 om 10:00 schreef Ann Sender <ann@example.com>:",
        headers: ["Van", "Verzonden", "Aan", "Onderwerp"],
        divider: "Oorspronkelijk bericht",
    },
];

struct Language {
    answer: &'static str,
    attribution: &'static str,
    headers: [&'static str; 4],
    divider: &'static str,
}

impl Language {
    fn head(&self) -> String {
        let [from, sent, to, subject] = self.headers;
        format!("{from}: Ann Sender <ann@example.com>\n{sent}: Mon, 5 Jan 2026 10:00\n{to}: P\n{subject}: Hi")
    }

    fn html_head(&self) -> String {
        let [from, sent, to, subject] = self.headers;
        format!(
            "<b>{from}:</b> Ann Sender &lt;ann@example.com&gt;<br><b>{sent}:</b> Mon, 5 Jan 2026 10:00<br><b>{to}:</b> P<br><b>{subject}:</b> Hi"
        )
    }

    fn html_answer(&self) -> String {
        self.answer.lines().map(|line| format!("<div>{line}</div>")).collect()
    }

    fn html_attribution(&self) -> String {
        self.attribution.replace('<', "&lt;").replace('>', "&gt;")
    }
}

#[derive(Clone, Copy)]
enum Encoding {
    QuotedUtf8,
    Base64Utf8,
    QuotedLatin1,
    Base64Windows,
}

const ENCODINGS: [Encoding; 4] =
    [Encoding::QuotedUtf8, Encoding::Base64Utf8, Encoding::QuotedLatin1, Encoding::Base64Windows];

impl Encoding {
    /// A MIME part with this text: its headers and its content.
    fn part(self, kind: &str, text: &str) -> String {
        let text = text.replace('\n', "\r\n");
        // The answers have only letters that both charsets encode alike.
        let latin = || text.chars().map(|letter| u8::try_from(u32::from(letter)).expect("a Latin letter")).collect();
        let (charset, bytes): (_, Vec<u8>) = match self {
            Encoding::QuotedUtf8 | Encoding::Base64Utf8 => ("utf-8", text.clone().into_bytes()),
            Encoding::QuotedLatin1 => ("iso-8859-1", latin()),
            Encoding::Base64Windows => ("windows-1252", latin()),
        };
        let (name, content) = match self {
            Encoding::QuotedUtf8 | Encoding::QuotedLatin1 => ("quoted-printable", quoted_printable(&bytes)),
            Encoding::Base64Utf8 | Encoding::Base64Windows => {
                let encoded = base64::engine::general_purpose::STANDARD.encode(&bytes);
                let lines: Vec<&str> =
                    (0..encoded.len()).step_by(76).map(|at| &encoded[at..encoded.len().min(at + 76)]).collect();
                ("base64", lines.join("\r\n"))
            }
        };
        format!("Content-Type: {kind}; charset={charset}\r\nContent-Transfer-Encoding: {name}\r\n\r\n{content}\r\n")
    }
}

/// With soft line breaks, as mail programs write it.
fn quoted_printable(bytes: &[u8]) -> String {
    let (mut out, mut column) = (String::new(), 0);
    for byte in bytes {
        if *byte == b'\n' {
            out.push_str("\r\n");
            column = 0;
            continue;
        }
        let piece = match byte {
            b'\r' => continue,
            b'=' | 0..=31 | 127.. => format!("={byte:02X}"),
            _ => char::from(*byte).to_string(),
        };
        if column + piece.len() > 72 {
            out.push_str("=\r\n");
            column = 0;
        }
        column += piece.len();
        out.push_str(&piece);
    }
    out
}

const QUOTED: &str = "Hello P,\n\nshall we talk?\nAnn";

fn marked() -> String {
    QUOTED.lines().map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n")
}

fn alternative(encoding: Encoding, text: &str, html: &str) -> String {
    let (text, html) = (encoding.part("text/plain", text), encoding.part("text/html", html));
    format!(
        "Content-Type: multipart/alternative; boundary=\"=_b\"\r\n\r\n--=_b\r\n{text}\r\n--=_b\r\n{html}\r\n--=_b--\r\n"
    )
}

/// The programs: a name, and the MIME entity of a reply.
type Program = (&'static str, fn(&Language, Encoding) -> String);

const PROGRAMS: &[Program] = &[
    ("Gmail", |of, encoding| {
        let text = format!("{}\n\n{}\n\n{}\n", of.answer, of.attribution, marked());
        let html = format!(
            "<div dir=\"ltr\">{}</div><br><div class=\"gmail_quote\"><div dir=\"ltr\" class=\"gmail_attr\">{}<br></div><blockquote class=\"gmail_quote\" style=\"margin:0\"><p>Hello P,</p><p>shall we talk?<br>Ann</p></blockquote></div>",
            of.html_answer(),
            of.html_attribution()
        );
        alternative(encoding, &text, &html)
    }),
    ("Outlook", |of, encoding| {
        let text = format!("{}\n\n{}\n\n{QUOTED}\n", of.answer, of.head());
        let html = format!(
            "<html><body><div>{}</div><div style=\"border-top:solid #E1E1E1 1.0pt\"><p>{}</p></div><p>Hello P,</p><p>shall we talk?<br>Ann</p></body></html>",
            of.html_answer(),
            of.html_head()
        );
        alternative(encoding, &text, &html)
    }),
    ("Outlook for phones", |of, encoding| {
        let html = format!(
            "<html><body>{}<div id=\"appendonsend\"></div><hr><div id=\"divRplyFwdMsg\">{}</div><div>Hello P,<br><br>shall we talk?<br>Ann</div></body></html>",
            of.html_answer(),
            of.html_head()
        );
        encoding.part("text/html", &html)
    }),
    ("Outlook with a divider", |of, encoding| {
        encoding.part("text/plain", &format!("{}\n\n-----{}-----\n{}\n\n{QUOTED}\n", of.answer, of.divider, of.head()))
    }),
    ("Apple Mail", |of, encoding| {
        let text = format!("{}\n\n{}\n> \n{}\n", of.answer, of.attribution, marked());
        encoding.part("text/plain; format=flowed; delsp=yes", &text)
    }),
    ("Thunderbird", |of, encoding| {
        encoding.part("text/plain", &format!("{}\n{}\n\n{}\n", of.attribution, marked(), of.answer))
    }),
    ("Yahoo", |of, encoding| {
        let html = format!(
            "<html><body><div>{}</div><div id=\"yahoo_quoted\" class=\"yahoo_quoted\"><div><div>{}</div><div><br></div><div>Hello P,<br><br>shall we talk?<br>Ann</div></div></div></body></html>",
            of.html_answer(),
            of.html_attribution()
        );
        encoding.part("text/html", &html)
    }),
    ("a web mailer", |of, encoding| {
        let [from, sent, to, subject] = of.headers;
        let text = format!(
            "{}\n\n{sent}: Mon, 5 Jan 2026 10:00\n{from}: \"Ann Sender\" <ann@example.com>\n{to}: p@example.net\n{subject}: Hi\n\n{QUOTED}\n",
            of.answer
        );
        encoding.part("text/plain", &text)
    }),
    ("Proton", |of, encoding| {
        let text = format!("{}\n\n------- Original Message -------\n{}\n\n{}\n", of.answer, of.attribution, marked());
        encoding.part("text/plain", &text)
    }),
    ("an iPhone with a picture", |of, encoding| {
        let text = encoding.part("text/plain", &format!("{}\n\n{}\n\n{}\n", of.answer, of.attribution, marked()));
        let picture = "Content-Type: image/png; name=a.png\r\nContent-Disposition: inline; filename=a.png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n";
        format!(
            "Content-Type: multipart/mixed; boundary=\"=_m\"\r\n\r\n--=_m\r\n{text}\r\n--=_m\r\n{picture}\r\n--=_m--\r\n"
        )
    }),
];

fn replies_of_common_programs_are_read(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    world.set(&["--rate-limit", "1000000000"]);
    outside.mailbox(world, "ann@example.com", &[]);
    let steps = json!([
        {"type": "email", "subject": "Hi", "body": "Shall we talk?"},
        {"type": "email", "body": "Again.", "delay_days": 1},
    ]);
    let made = started(&key, steps, json!({}));
    let shapes: Vec<(&Program, &Language, Encoding)> = PROGRAMS
        .iter()
        .flat_map(|program| LANGUAGES.iter().map(move |language| (program, language)))
        .flat_map(|(program, language)| ENCODINGS.map(|encoding| (program, language, encoding)))
        .collect();
    assert_eq!(shapes.len(), 200);
    let address = |number: usize| format!("p{number}@example.net");
    let items: Vec<Value> = (0..shapes.len())
        .map(|number| json!({"op": "create", "data": {"first_name": "P", "email": address(number)}}))
        .collect();
    let mut people: Vec<String> = Vec::new();
    for some in items.chunks(100) {
        let made = key.post("/contacts/bulk", json!({"items": some})).ok();
        people.extend(made["results"].as_array().expect("results").iter().map(|one| text(&one["id"])));
    }
    key.post(&format!("{}/enroll", path(&made)), json!({"contact_ids": people})).ok();
    eventually("all first mails", PATIENCE, || (outside.sandbox.accepted() >= shapes.len()).then_some(()));
    for (number, ((name, reply), language, encoding)) in shapes.iter().enumerate() {
        let sent = lines(&outside.to(&address(number))[0]);
        let answers = sent.lines().find_map(|line| line.strip_prefix("Message-ID: ")).expect("a Message-ID");
        let head = format!(
            "From: P <{from}>\r\nTo: Ann Sender <ann@example.com>\r\nSubject: Re: Hi\r\nMessage-ID: <reply{number}@example.net>\r\nIn-Reply-To: {answers}\r\nX-Mailer: {name}\r\nMIME-Version: 1.0\r\n",
            from = address(number)
        );
        let mail = format!("{head}{}", reply(language, *encoding));
        outside.sandbox.put("ann@example.com", "INBOX", mail.as_bytes()).expect("an inbox");
    }
    let replied = || key.get(&path(&made)).ok()["enrollments"]["replied"].as_u64();
    eventually("every reply", PATIENCE, || (replied() == Some(shapes.len() as u64)).then_some(()));
    let page = |offset: &str| {
        key.list("/messages", &[("direction", "inbound"), ("limit", "100"), ("offset", offset)]).page().rows
    };
    let messages: Vec<Value> = ["0", "100", "200"].iter().flat_map(|offset| page(offset)).collect();
    for (number, ((name, _), language, _)) in shapes.iter().enumerate() {
        let of: Vec<&Value> = messages.iter().filter(|it| it["contact_id"] == json!(people[number])).collect();
        let [message] = of[..] else { panic!("not one reply of {name}: {of:?}") };
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (content, quoted) = (text(&message["content"]), message["quoted"].as_str().unwrap_or_default());
        assert_eq!(words(&content), words(language.answer), "{name}: {message}");
        assert!(words(quoted).contains("shall we talk? "), "{name}: {message}");
        assert!(quoted.contains("ann@example.com"), "{name}: who wrote is a part of the quoted mail: {message}");
    }
    assert_eq!(outside.sandbox.accepted(), shapes.len(), "nobody gets a second mail");
}
