//! Classification of mails, tested by a corpus of the formats of real servers and programs. The folder is the expected
//! kind; a name that ends in `.until-DATE` gives the end of an absence.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use connect::mail::{Kind, read};

/// The kind of a mail, as the name of its folder.
fn folder_of(kind: &Kind) -> &'static str {
    match kind {
        Kind::Human => "human",
        Kind::AutoReply { .. } => "auto-reply",
        Kind::OutOfOffice { .. } => "out-of-office",
        Kind::Bounce(bounce) if bounce.hard => "bounce-hard",
        Kind::Bounce(bounce) if bounce.sender_fault => "bounce-sender",
        Kind::Bounce(_) => "bounce-soft",
        Kind::Complaint(_) => "complaint",
        Kind::Notice { delayed: true, .. } => "delay",
        Kind::Notice { delayed: false, .. } => "notice",
    }
}

/// The recipients and the mail that a report is about.
fn about(kind: &Kind) -> Option<(&[String], Option<&str>)> {
    match kind {
        Kind::Bounce(bounce) => Some((&bounce.recipients, bounce.original_message_id.as_deref())),
        Kind::Complaint(complaint) => Some((&complaint.recipients, complaint.original_message_id.as_deref())),
        Kind::Notice { recipients, original_message_id, .. } => Some((recipients, original_message_id.as_deref())),
        _ => None,
    }
}

#[test]
fn mails_are_classified() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail");
    let (mut wrong, mut counts): (Vec<String>, BTreeMap<String, usize>) = Default::default();
    for folder in fs::read_dir(&corpus).expect("the corpus").map(|folder| folder.expect("a folder").path()) {
        let expected = folder.file_name().expect("a name").to_string_lossy().into_owned();
        for file in fs::read_dir(&folder).expect("a folder").map(|file| file.expect("a file").path()) {
            let bytes = fs::read(&file).expect("a mail");
            let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
            *counts.entry(expected.clone()).or_default() += 1;
            let mail = read(&bytes);
            let found = folder_of(&mail.kind);
            if found != expected {
                wrong.push(format!("{expected}/{name} is classified as {found}: {:?}", mail.kind));
                continue;
            }
            if let Some((recipients, id)) = about(&mail.kind) {
                if !recipients.iter().any(|recipient| recipient == "bob@example.com") {
                    wrong.push(format!("{expected}/{name}: recipients are {recipients:?}"));
                }
                let named = String::from_utf8_lossy(&bytes).contains("sent.42@example.com");
                if named && id != Some("sent.42@example.com") {
                    wrong.push(format!("{expected}/{name}: the mail it is about is {id:?}"));
                }
            }
            if let Kind::OutOfOffice { until } = &mail.kind {
                let until = until.map(|date| date.to_string());
                let date = name.split_once(".until-").map(|(_, date)| date.to_owned());
                if until != date {
                    wrong.push(format!("{expected}/{name}: away until {until:?}"));
                }
            }
        }
    }
    let total: usize = counts.values().sum();
    println!("{} of {total} mails are classified correctly: {counts:?}", total - wrong.len());
    assert!(total >= 340, "there are only {total} mails");
    assert!(wrong.is_empty(), "{} of {total} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
