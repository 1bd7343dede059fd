//! Mailboxes: every address has one as soon as somebody asks for it.

use std::collections::{BTreeMap, HashMap};

use bytes::Bytes;

/// The folders of a mailbox, with what marks them.
pub const FOLDERS: &[(&str, &str)] = &[
    ("INBOX", ""),
    ("Archive", "\\Archive"),
    ("Drafts", "\\Drafts"),
    ("Junk", "\\Junk"),
    ("Sent", "\\Sent"),
    ("Trash", "\\Trash"),
];

#[derive(Clone, Debug)]
pub struct Stored {
    pub uid: u32,
    pub flags: Vec<String>,
    /// Milliseconds since 1970.
    pub received: i64,
    pub content: Bytes,
}

#[derive(Clone, Debug)]
pub struct Folder {
    pub validity: u32,
    pub next: u32,
    pub mails: Vec<Stored>,
}

impl Folder {
    fn new(validity: u32) -> Folder {
        Folder { validity, next: 1, mails: Vec::new() }
    }

    pub fn put(&mut self, content: Bytes, flags: Vec<String>, received: i64) -> u32 {
        let uid = self.next;
        self.next += 1;
        self.mails.push(Stored { uid, flags, received, content });
        uid
    }

    /// All UIDs mean something else from now on.
    pub fn renumber(&mut self) {
        self.validity += 1;
        self.next = 1;
        for mail in &mut self.mails {
            mail.uid = self.next;
            self.next += 1;
        }
    }
}

#[derive(Default)]
pub struct Mailboxes(HashMap<String, BTreeMap<String, Folder>>);

impl Mailboxes {
    pub fn of(&mut self, address: &str) -> &mut BTreeMap<String, Folder> {
        self.0
            .entry(address.to_lowercase())
            .or_insert_with(|| FOLDERS.iter().map(|(name, _)| ((*name).to_owned(), Folder::new(1))).collect())
    }

    /// INBOX by any case, others by their names.
    pub fn folder(&mut self, address: &str, name: &str) -> Option<&mut Folder> {
        let name = if name.eq_ignore_ascii_case("INBOX") { "INBOX" } else { name };
        self.of(address).get_mut(name)
    }
}
