//! The protocol between the server and a child process that reads mails, over the child's standard input and output.
//!
//! The child first reports how it is confined. Then each request is one mail, and each answer is a head in JSON
//! followed by the raw bytes of the attachments. Neither side trusts the other's lengths: all are checked against
//! limits.

use std::io::{Error, ErrorKind, Read, Result, Write};

use serde::{Deserialize, Serialize};

use super::{Address, Kind, Mail};

/// Maximum bytes of a mail that a child accepts.
pub const REQUEST: usize = 32 << 20;
/// Maximum bytes of the head of an answer.
pub const HEAD: usize = 16 << 20;
/// Maximum number of attachments of an answer, and maximum bytes of them together.
pub const FILES: usize = 100;
pub const CONTENT: usize = 64 << 20;
/// Maximum bytes of the text, and of the HTML; longer HTML is left out, since a truncated part may be unsafe.
const TEXT: usize = 400_000;
const HTML: usize = 800_000;
/// Maximum bytes of any other text, and maximum values of a list.
const WORD: usize = 4000;
const LIST: usize = 100;

/// The measures that protect the system from the child.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    pub no_new_privs: bool,
    pub seccomp: bool,
    pub landlock: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Whole,
    Headers,
}

/// The head of an answer: the mail without its attachments' bytes.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Answer {
    pub mail: Mail,
    /// The length of each attachment.
    pub sizes: Vec<usize>,
    /// The child exits after this answer.
    pub last: bool,
}

/// The first bytes of a request; the mail follows.
pub fn request_head(what: What, mail: &[u8]) -> [u8; 5] {
    let length = (mail.len() as u32).to_le_bytes();
    [u8::from(what == What::Headers), length[0], length[1], length[2], length[3]]
}

/// The next mail to read; `None` at the end of the input.
pub fn take_request(input: &mut impl Read) -> Result<Option<(What, Vec<u8>)>> {
    let mut what = [0];
    if input.read(&mut what)? == 0 {
        return Ok(None);
    }
    let length = take_length(input, REQUEST)?;
    let mut mail = vec![0; length];
    input.read_exact(&mut mail)?;
    Ok(Some((if what[0] == 0 { What::Whole } else { What::Headers }, mail)))
}

pub fn give_confinement(output: &mut impl Write, confinement: Confinement) -> Result<()> {
    let head = serde_json::to_vec(&confinement)?;
    output.write_all(&(head.len() as u32).to_le_bytes())?;
    output.write_all(&head)?;
    output.flush()
}

/// Writes a mail as an answer, within the limits.
pub fn give_answer(output: &mut impl Write, mut mail: Mail, last: bool) -> Result<()> {
    bound(&mut mail);
    let contents: Vec<Vec<u8>> = mail.attachments.iter_mut().map(|one| std::mem::take(&mut one.content)).collect();
    let sizes = contents.iter().map(Vec::len).collect();
    let head = serde_json::to_vec(&Answer { mail, sizes, last })?;
    output.write_all(&(head.len() as u32).to_le_bytes())?;
    output.write_all(&head)?;
    for content in contents {
        output.write_all(&content)?;
    }
    output.flush()
}

/// Checks the length of a head before it is read.
pub fn head_length(length: [u8; 4]) -> Result<usize> {
    bounded(u32::from_le_bytes(length) as usize, HEAD)
}

/// Parses and checks the head of an answer, so that the attachments can be read by their sizes.
pub fn answer(head: &[u8]) -> Result<Answer> {
    let mut answer: Answer = serde_json::from_slice(head)?;
    let total = answer.sizes.iter().try_fold(0_usize, |sum, size| sum.checked_add(*size));
    if answer.sizes.len() != answer.mail.attachments.len() || total.is_none_or(|total| total > CONTENT) {
        return Err(Error::new(ErrorKind::InvalidData, "the attachments do not match their sizes"));
    }
    // An attacker may control the child.
    bound(&mut answer.mail);
    answer.sizes.truncate(answer.mail.attachments.len());
    Ok(answer)
}

fn take_length(input: &mut impl Read, most: usize) -> Result<usize> {
    let mut length = [0; 4];
    input.read_exact(&mut length)?;
    bounded(u32::from_le_bytes(length) as usize, most)
}

fn bounded(length: usize, most: usize) -> Result<usize> {
    let too_long = || Error::new(ErrorKind::InvalidData, format!("{length} bytes are more than {most}"));
    if length <= most { Ok(length) } else { Err(too_long()) }
}

/// Truncates values that are longer than the limits.
fn bound(mail: &mut Mail) {
    cut(&mut mail.text, TEXT);
    mail.html = mail.html.take().filter(|html| html.len() <= HTML);
    // The closest ancestors are the last references.
    let far = mail.references.len().saturating_sub(LIST);
    mail.references.drain(..far);
    words(&mut mail.references);
    words(&mut mail.in_reply_to);
    for list in [&mut mail.to, &mut mail.cc] {
        list.truncate(LIST);
        list.iter_mut().for_each(address);
    }
    mail.from.iter_mut().chain(&mut mail.reply_to).for_each(address);
    cut(&mut mail.subject, WORD);
    mail.message_id.iter_mut().for_each(|id| cut(id, WORD));
    match &mut mail.kind {
        Kind::Bounce(bounce) => {
            words(&mut bounce.recipients);
            let texts = [&mut bounce.original_message_id, &mut bounce.status, &mut bounce.diagnostic];
            texts.into_iter().flatten().for_each(|text| cut(text, WORD));
        }
        Kind::Complaint(complaint) => {
            words(&mut complaint.recipients);
            let texts = [&mut complaint.original_message_id, &mut complaint.feedback];
            texts.into_iter().flatten().for_each(|text| cut(text, WORD));
        }
        Kind::Notice { recipients, original_message_id, .. } => {
            words(recipients);
            original_message_id.iter_mut().for_each(|id| cut(id, WORD));
        }
        Kind::Human | Kind::AutoReply { .. } | Kind::OutOfOffice { .. } => {}
    }
    attachments(mail);
    mail.omitted.iter_mut().for_each(|why| cut(why, WORD));
}

fn attachments(mail: &mut Mail) {
    let (count, mut room) = (mail.attachments.len(), CONTENT);
    mail.attachments.truncate(FILES);
    mail.attachments.retain(|one| {
        let fits = one.content.len() <= room;
        room -= if fits { one.content.len() } else { 0 };
        fits
    });
    for one in &mut mail.attachments {
        cut(&mut one.filename, WORD);
        cut(&mut one.content_type, WORD);
        one.content_id.iter_mut().for_each(|id| cut(id, WORD));
    }
    let missing = count - mail.attachments.len();
    if missing > 0 && mail.omitted.is_none() {
        mail.omitted = Some(format!(
            "{missing} of its attachments are not stored; at most {FILES} files and {} MB are",
            CONTENT / 1_000_000
        ));
    }
}

fn words(list: &mut Vec<String>) {
    list.truncate(LIST);
    list.iter_mut().for_each(|word| cut(word, WORD));
}

fn address(address: &mut Address) {
    cut(&mut address.address, WORD);
    address.name.iter_mut().for_each(|name| cut(name, WORD));
}

fn cut(text: &mut String, most: usize) {
    text.truncate(text.floor_char_boundary(most));
}

#[cfg(test)]
mod tests {
    use super::super::Attachment;
    use super::*;

    #[test]
    fn an_answer_comes_back_as_it_was_given() {
        let content = vec![7; 3];
        let attachment = Attachment {
            filename: "a".into(),
            content_type: "b/c".into(),
            content_id: Some("d@e".into()),
            content: content.clone(),
        };
        let mail = Mail { text: "hello".into(), attachments: vec![attachment], ..Mail::default() };
        let mut sent = Vec::new();
        give_answer(&mut sent, mail, true).unwrap();
        let length = head_length([sent[0], sent[1], sent[2], sent[3]]).unwrap();
        let answer = answer(&sent[4..4 + length]).unwrap();
        assert_eq!((answer.mail.text.as_str(), &answer.sizes[..], answer.last), ("hello", &[3][..], true));
        assert_eq!(&sent[4 + length..], &content);
    }

    #[test]
    fn what_is_too_long_is_cut_and_said() {
        let attachment = Attachment { filename: "é".repeat(5000), content: vec![1], ..Attachment::default() };
        let mut mail = Mail {
            text: "ü".repeat(TEXT),
            html: Some("x".repeat(HTML + 1)),
            references: (0..1000).map(|n| n.to_string()).collect(),
            attachments: vec![attachment; 150],
            ..Mail::default()
        };
        bound(&mut mail);
        assert_eq!((mail.text.len(), mail.html.is_none(), mail.attachments.len()), (TEXT, true, FILES));
        assert_eq!((mail.references.len(), mail.references[LIST - 1].as_str()), (LIST, "999"));
        assert!(mail.omitted.unwrap().starts_with("50 of its attachments"));
    }

    #[test]
    fn a_child_that_lies_about_lengths_is_not_believed() {
        assert!(head_length([255; 4]).is_err());
        assert!(answer(b"nonsense").is_err());
        let lie = |sizes: Vec<usize>, count: usize| {
            let mail = Mail { attachments: vec![Attachment::default(); count], ..Mail::default() };
            answer(&serde_json::to_vec(&Answer { mail, sizes, last: false }).unwrap())
        };
        assert!(lie(vec![usize::MAX, 2], 2).is_err());
        assert!(lie(vec![1], 2).is_err());
        assert!(lie(vec![1, 2], 2).is_ok());
    }
}
