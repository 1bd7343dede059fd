//! Composing mails and reading untrusted ones: no injection from one part into another, and no panic.

use connect::mail::{Address, Attachment, Draft, Kind, compose, read};
use untrusted_html::{plain_text as to_text, safe_mail as safe};

fn draft<'a>() -> Draft<'a> {
    Draft {
        message_id: "one@example.com",
        date: 1_797_240_600_000,
        from: Address { name: Some("Ann Sender".to_owned()), address: "ann@example.com".to_owned() },
        to: vec![Address { name: Some("Bob \"The\" Recipient".to_owned()), address: "bob@example.com".to_owned() }],
        subject: "An offer",
        text: "Hello",
        ..Draft::default()
    }
}

fn text_of(mail: &[u8]) -> String {
    String::from_utf8(mail.to_vec()).expect("ASCII")
}

#[test]
fn a_subject_that_looks_encoded_is_read_as_it_was_written() {
    for subject in ["=?utf-8?Q?Hello?=", "About =?iso-8859-1?B?eA==?= and more", "Grüße =?utf-8?Q?x?=", "Is 1=?"] {
        let mail = compose(&Draft { subject, ..draft() }).expect("a mail");
        assert_eq!(read(&mail).subject, subject);
    }
}

#[test]
fn a_mail_is_read_as_it_was_made() {
    let long = "Grüße an alle, 你好, и всем привет. ".repeat(30);
    let content: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let made = Draft {
        subject: "Über das Angebot – 提案 📎, with a subject that is longer than one line of a header may be, and then some",
        text: &long,
        html: Some("<p>Hello <b>Bob</b></p>"),
        cc: vec![Address::new("carol@example.com")],
        reply_to: Some(Address::new("answers@example.com")),
        in_reply_to: Some("zero@example.com"),
        references: vec!["minus.one@example.com", "zero@example.com"],
        unsubscribe: Some("https://crm.example.com/u/abc?x=1&y=2"),
        headers: vec![("X-Note", "näh")],
        attachments: &[Attachment {
            filename: "Lebenslauf für Bob.pdf".to_owned(),
            content_type: "application/pdf".to_owned(),
            content_id: None,
            content: content.clone(),
        }],
        ..draft()
    };
    let bytes = compose(&made).expect("a mail");
    let mail = read(&bytes);
    assert_eq!(mail.message_id.as_deref(), Some("one@example.com"));
    assert_eq!(mail.date, Some(1_797_240_600_000));
    assert_eq!(mail.from, Some(made.from.clone()));
    assert_eq!(mail.to, made.to);
    assert_eq!((mail.cc, mail.reply_to), (made.cc.clone(), made.reply_to.clone()));
    assert_eq!(mail.subject, made.subject);
    assert_eq!(mail.text, long.trim());
    assert_eq!(mail.html.as_deref(), Some("<p>Hello <b>Bob</b></p>"));
    assert_eq!(mail.in_reply_to, ["zero@example.com"]);
    assert_eq!(mail.references, ["minus.one@example.com", "zero@example.com"]);
    assert_eq!(mail.attachments, made.attachments);
    assert_eq!(mail.kind, Kind::Human);
    let text = text_of(&bytes);
    assert!(text.contains("\r\nList-Unsubscribe: <https://crm.example.com/u/abc?x=1&y=2>\r\n"));
    assert!(text.contains("\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"));
    assert!(text.lines().all(|line| line.len() < 998), "a line is too long for SMTP");
}

#[test]
fn no_value_can_inject_a_header() {
    let evil = ["x\r\nBcc: eve@example.com", "x\nBcc: eve@example.com", "x\rBcc: eve@example.com", "x\0y", "x\u{b}y"];
    for value in evil {
        let address = Address { name: Some(value.to_owned()), address: "ann@example.com".to_owned() };
        let attachment = |filename: &str, content_type: &str| {
            [Attachment {
                filename: filename.to_owned(),
                content_type: content_type.to_owned(),
                ..Attachment::default()
            }]
        };
        let (misnamed, mistyped) = (attachment(value, "text/plain"), attachment("x", value));
        let broken: Vec<(&str, Draft<'_>)> = vec![
            ("subject", Draft { subject: value, ..draft() }),
            ("from", Draft { from: address.clone(), ..draft() }),
            ("to", Draft { to: vec![address.clone()], ..draft() }),
            ("cc", Draft { cc: vec![address.clone()], ..draft() }),
            ("reply_to", Draft { reply_to: Some(address.clone()), ..draft() }),
            ("to", Draft { to: vec![Address::new(value)], ..draft() }),
            ("message_id", Draft { message_id: value, ..draft() }),
            ("in_reply_to", Draft { in_reply_to: Some(value), ..draft() }),
            ("references", Draft { references: vec![value], ..draft() }),
            ("unsubscribe", Draft { unsubscribe: Some(value), ..draft() }),
            ("X-Note", Draft { headers: vec![("X-Note", value)], ..draft() }),
            ("headers", Draft { headers: vec![(value, "x")], ..draft() }),
            ("attachments.filename", Draft { attachments: &misnamed, ..draft() }),
            ("attachments.content_type", Draft { attachments: &mistyped, ..draft() }),
        ];
        for (field, broken) in broken {
            let problem = compose(&broken).expect_err(field);
            assert_eq!(problem.field, field, "{problem}");
        }
        // In the body it is plain text.
        let bytes = compose(&Draft { text: value, html: Some(value), ..draft() }).expect("a mail");
        let headers = text_of(&bytes);
        let headers = headers.split("\r\n\r\n").next().expect("headers");
        assert!(!headers.to_lowercase().contains("\nbcc:"), "{headers}");
    }
    for (field, broken) in [
        ("to", Draft { to: Vec::new(), ..draft() }),
        ("from", Draft { from: Address::new("nobody"), ..draft() }),
        ("from", Draft { from: Address::new("a@b, c@d"), ..draft() }),
        ("message_id", Draft { message_id: "", ..draft() }),
        ("message_id", Draft { message_id: "<one@example.com>", ..draft() }),
        ("unsubscribe", Draft { unsubscribe: Some("javascript:alert(1)"), ..draft() }),
        ("unsubscribe", Draft { unsubscribe: Some("https://x/>,<mailto:eve@example.com"), ..draft() }),
    ] {
        assert_eq!(compose(&broken).expect_err(field).field, field);
    }
    let long = "x".repeat(20_000);
    assert_eq!(compose(&Draft { subject: &long, ..draft() }).expect_err("long").field, "subject");
}

#[test]
fn an_encoded_header_stays_one_line() {
    let mail = read(b"From: =?utf-8?q?Bob=0D=0ABcc:_eve@example.com?= <bob@example.com>\r\nSubject: =?utf-8?q?a=0D=0Ab=00c?=\r\n\r\nx");
    assert!(!mail.subject.contains(['\r', '\n', '\0']), "{:?}", mail.subject);
    let name = mail.from.and_then(|from| from.name).unwrap_or_default();
    assert!(!name.contains(['\r', '\n']), "{name:?}");
}

#[test]
fn html_is_made_safe_and_readable() {
    let html = "<p onclick=x>Hi <a href='javascript:alert(1)'>a</a> <a href='https://example.com/'>b</a></p><script>alert(1)</script>\
                <style>p{}</style><img src='https://spy.example.com/pixel.gif'><iframe src='x'></iframe><form><input></form>";
    let shown = safe(html);
    for bad in ["onclick", "javascript", "alert", "<style", " src=", "iframe", "<form", "<input"] {
        assert!(!shown.contains(bad), "{bad}: {shown}");
    }
    assert!(shown.contains("<img data-src=\"https://spy.example.com/pixel.gif\">"), "{shown}");
    assert!(shown.contains("<a href=\"https://example.com/\" rel=\"noopener noreferrer nofollow\">b</a>"), "{shown}");
    assert_eq!(to_text("<p>One</p><p>Two &amp; <b>three</b></p>"), "One\n\nTwo & three");
    let mail = read(b"Subject: x\r\nContent-Type: text/html\r\n\r\n<p>Only <i>this</i></p>");
    assert_eq!((mail.text.as_str(), mail.html.as_deref()), ("Only this", Some("<p>Only <i>this</i></p>")));
    let plain = read(b"Subject: x\r\n\r\na < b");
    assert_eq!((plain.text.as_str(), plain.html), ("a < b", None));
}

/// Pseudo-random numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit.max(1)
    }
}

#[test]
fn broken_mails_are_read_all_the_same() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail");
    let mut dice = Dice(7);
    let mut read_so_far = 0;
    for folder in std::fs::read_dir(corpus).expect("the corpus") {
        for file in std::fs::read_dir(folder.expect("a folder").path()).expect("a folder") {
            let whole = std::fs::read(file.expect("a file").path()).expect("a mail");
            for _ in 0..30 {
                let mut bytes = whole.clone();
                for _ in 0..=dice.below(8) {
                    let at = dice.below(bytes.len());
                    match dice.below(5) {
                        0 => bytes.truncate(at),
                        1 => bytes[at] = dice.below(256) as u8,
                        2 => drop(bytes.splice(at..at, whole[dice.below(whole.len())..].iter().copied())),
                        3 => drop(bytes.drain(at..(at + dice.below(50)).min(bytes.len()))),
                        _ => drop(bytes.splice(at..at, *b"\r\n\r\n")),
                    }
                    if bytes.is_empty() {
                        bytes.push(b'x');
                    }
                }
                let mail = read(&bytes);
                assert!(!mail.text.contains('\0') && !mail.subject.contains('\n'));
                read_so_far += 1;
            }
        }
    }
    assert!(read_so_far > 4000);
}

#[test]
fn deep_and_wide_mails_are_survived() {
    let mut nested = Vec::new();
    for depth in 0..5_000 {
        nested.extend(format!("Content-Type: multipart/mixed; boundary=b{depth}\r\n\r\n--b{depth}\r\n").bytes());
    }
    read(&nested);
    let mut wrapped = Vec::new();
    for _ in 0..2_000 {
        wrapped.extend(b"Subject: x\r\nContent-Type: message/rfc822\r\n\r\n");
    }
    read(&wrapped);
    let mut html = b"Subject: x\r\nContent-Type: text/html\r\n\r\n".to_vec();
    html.extend("<div>".repeat(100_000).bytes());
    html.extend(b"deep");
    let read_html = read(&html);
    assert_eq!((read_html.text.as_str(), read_html.html.as_deref()), ("deep", Some("deep")));
    // Closing tags without opening tags do not reduce the nesting.
    assert_eq!(to_text(&format!("{}x", "<b></i>".repeat(100_000))), "x");
    assert_eq!(to_text(&format!("{}x", "<p><b></p>".repeat(2_000))), "x");
    let mut parts = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n".to_vec();
    for _ in 0..20_000 {
        parts.extend(b"--b\r\nContent-Type: text/plain\r\n\r\nx\r\n");
    }
    assert!(read(&parts).text.len() > 1000);
    for bytes in [&b""[..], b"\0", b"\r\n", b":", b"Subject", b"Subject:", &[0xff; 1000]] {
        read(bytes);
    }
    let mut large = b"Subject: large\r\nMessage-ID: <large@example.com>\r\n\r\n".to_vec();
    large.extend("A line of fifty megabytes of nothing in particular\r\n".repeat(1_000_000).bytes());
    assert_eq!(read(&large).message_id.as_deref(), Some("large@example.com"));
}
