//! Generated mails made to break parsers. A seed always gives the same mail.

use crate::support::Dice;

/// A mail from this address with hostile content of any kind.
pub(super) fn hostile(seed: u64, from: &str) -> Vec<u8> {
    let mut dice = Dice::new(seed ^ 0x4057_11e0);
    let mut mail = format!("From: {from}\r\nTo: ann@example.com\r\nMessage-ID: <hostile-{seed}@elsewhere.example>\r\n");
    if dice.one_in(4) {
        mail.push_str(&header(&mut dice));
    }
    let mut mail = mail.into_bytes();
    let size = [50, 500, 5_000][dice.below(3)];
    match dice.below(8) {
        0 => mail.extend(messages(1 + dice.below(4 * size)).into_bytes()),
        1 => mail.extend(entity(&mut dice, 1 + size / 10)),
        2 => mail.extend(flat(&mut dice, size)),
        3 => mail.extend(page(&mut dice, size)),
        4 => mail.extend(charset(&mut dice, size)),
        5 => mail.extend(attachments(&mut dice, 1 + size / 20)),
        6 => {
            for _ in 0..1 + dice.below(size) {
                mail.extend(header(&mut dice).into_bytes());
            }
            mail.extend(b"\r\nhi\r\n");
        }
        _ => mail.extend(entity(&mut dice, 3)),
    }
    if dice.one_in(3) {
        mail.truncate(dice.below(mail.len()));
    }
    for _ in 0..if dice.one_in(4) { dice.below(50) } else { 0 } {
        let at = dice.below(mail.len().max(1));
        if let Some(byte) = mail.get_mut(at) {
            *byte = dice.roll() as u8;
        }
    }
    mail
}

/// 640 KB that overflow the stack of a parser that drops nested messages recursively.
pub(super) fn nested_messages(from: &str) -> Vec<u8> {
    let mut mail = format!("From: {from}\r\nTo: me@example.com\r\nSubject: hi\r\n");
    mail.push_str(&"Content-Type: message/rfc822\r\n\r\n".repeat(20_000));
    (mail + "Subject: x\r\n\r\nhi").into_bytes()
}

/// 2 MB of HTML that is 160,000 elements deep and looks flat.
pub(super) fn misnested(from: &str) -> Vec<u8> {
    let head = format!("From: {from}\r\nTo: me@example.com\r\nSubject: hi\r\nContent-Type: text/html\r\n\r\n");
    (head + &"<b><div></b>".repeat(160_000)).into_bytes()
}

fn messages(depth: usize) -> String {
    "Content-Type: message/rfc822\r\n\r\n".repeat(depth) + "Subject: x\r\n\r\nhi"
}

/// Nested multiparts and messages in any mixture, with or without their ends.
fn entity(dice: &mut Dice, depth: usize) -> Vec<u8> {
    let mut mail = Vec::new();
    let mut open: Vec<String> = Vec::new();
    for level in 0..depth {
        if dice.one_in(3) {
            let kind = dice.pick(&["message/rfc822", "message/global", "MESSAGE/RFC822 ; x=y"]);
            let coded = if dice.one_in(6) { "Content-Transfer-Encoding: base64\r\n" } else { "" };
            mail.extend(format!("Content-Type: {kind}\r\n{coded}\r\n").into_bytes());
        } else {
            let kinds = ["mixed", "alternative", "related", "digest", "report", "signed", "x-unknown"];
            let boundary = match dice.below(4) {
                0 => "a".to_owned(),
                1 => format!("b{level}"),
                2 => "-".repeat(1 + dice.below(100)),
                _ => format!("{}{level}", "long".repeat(dice.below(200))),
            };
            let kind = dice.pick(&kinds);
            mail.extend(format!("Content-Type: multipart/{kind}; boundary=\"{boundary}\"\r\n\r\n").into_bytes());
            if dice.one_in(4) {
                mail.extend(format!("--{boundary}\r\n\r\na part\r\n").into_bytes());
            }
            mail.extend(format!("--{boundary}\r\n").into_bytes());
            open.push(boundary);
        }
    }
    mail.extend(page(dice, 20));
    while let Some(boundary) = open.pop() {
        if !dice.one_in(5) {
            mail.extend(format!("\r\n--{boundary}--\r\n").into_bytes());
        }
    }
    mail
}

/// Very many sibling parts.
fn flat(dice: &mut Dice, size: usize) -> Vec<u8> {
    let kind = *dice.pick(&["mixed", "digest", "alternative", "related"]);
    let part = *dice.pick(&[
        "\r\n\r\n",
        "\r\nContent-Type: text/html\r\n\r\n<p>hi\r\n",
        "\r\nContent-Type: image/png; name=x\r\n\r\n\0\r\n",
        "\r\nContent-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\nhi\r\n",
    ]);
    let head = format!("Content-Type: multipart/{kind}; boundary=a\r\n\r\n");
    (head + &format!("--a{part}").repeat(4 * size) + "--a--\r\n").into_bytes()
}

fn page(dice: &mut Dice, size: usize) -> Vec<u8> {
    let piece = *dice.pick(&[
        "<b><div></b>",
        "<ul><li>",
        "<table><tr><td>",
        "<div>",
        "<a href=\"x\"><p></a>",
        "<!--",
        "<svg><math><p>",
        "<font color=red><b><i></font>",
        "&#x1F600;&nbsp;&amp",
        "<blockquote>x",
        "<template><select>",
        "</p>",
        "<\0",
    ]);
    let kind = *dice.pick(&["text/html", "text/html; charset=utf-7", "text/plain; format=flowed", "text/enriched"]);
    let head = format!("Subject: a page\r\nContent-Type: {kind}\r\n\r\n");
    (head + &piece.repeat(size)).into_bytes()
}

/// Bytes that do not match their declared encoding.
fn charset(dice: &mut Dice, size: usize) -> Vec<u8> {
    let names = ["utf-8", "utf-16", "utf-16le", "utf-7", "iso-2022-jp", "iso-2022-kr", "gb18030", "big5", "hz-gb-2312"];
    let more = ["windows-874", "shift_jis", "cp437", "x-nonsense", "", "ibm866", "\"utf-8\\", "us-ascii"];
    let name = if dice.one_in(2) { *dice.pick(&names) } else { *dice.pick(&more) };
    let coding = *dice.pick(&["base64", "quoted-printable", "7bit", "8bit", "binary", "x-uuencode", "base64;;"]);
    let head = format!("Content-Type: text/plain; charset={name}\r\nContent-Transfer-Encoding: {coding}\r\n\r\n");
    let mut mail = head.into_bytes();
    for _ in 0..20 * size {
        mail.push(match dice.below(4) {
            0 => *dice.pick(b"=~{}\x1b$(B+-/\r\n"),
            1 => 0x80 | dice.roll() as u8,
            _ => dice.roll() as u8,
        });
    }
    mail
}

fn attachments(dice: &mut Dice, count: usize) -> Vec<u8> {
    let mut mail = b"Subject: files\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n".to_vec();
    for _ in 0..count {
        let name = match dice.below(6) {
            0 => "../../etc/passwd".to_owned(),
            1 => "x".repeat(dice.below(5000)),
            2 => "=?utf-8?b?AAAA?=\u{202e}gpj.exe".to_owned(),
            3 => "a\";filename=\"b\0".to_owned(),
            4 => String::new(),
            _ => "C:\\con\r\n X-Injected: yes".to_owned(),
        };
        let name = match dice.below(3) {
            0 => format!("filename=\"{name}\""),
            1 => format!("filename*0*=utf-8''{name}; filename*9999999999*=%ff"),
            _ => format!("filename*=utf-8''{}", "%41".repeat(dice.below(500))),
        };
        let content = "QUJD=".repeat(dice.below(200));
        mail.extend(
            format!("--a\r\nContent-Type: application/x-thing\r\nContent-Disposition: attachment; {name}\r\nContent-Transfer-Encoding: base64\r\n\r\n{content}\r\n")
                .into_bytes(),
        );
    }
    mail
}

/// One header: long, folded, broken, or full of encoded words.
fn header(dice: &mut Dice) -> String {
    let name = *dice.pick(&["Subject", "References", "To", "Cc", "Date", "Content-Type", "Received", "X", "", ":"]);
    let many = 1 + dice.below(300);
    let value = match dice.below(9) {
        0 => "=?utf-8?q?=41=00=0d=0a?= ".repeat(many),
        1 => "=?utf-8?b?".repeat(many),
        2 => "x\r\n ".repeat(many),
        3 => "<a@b> ".repeat(many),
        4 => "(".repeat(10 * many),
        5 => "\"a\\\" <x@y>, ".repeat(many),
        6 => "group: ".repeat(many) + ";",
        7 => "a/b; x*0*=utf-7''%41; ".repeat(many),
        _ => "9".repeat(10 * many),
    };
    format!("{name}: {value}\r\n")
}
