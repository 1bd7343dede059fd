//! Mailboxes. The mailbox of an address is created at its first use.

use std::collections::{BTreeMap, HashMap};

use bytes::Bytes;

/// The folders of a mailbox, with their special-use attributes.
pub(crate) const FOLDERS: &[(&str, &str)] = &[
    ("INBOX", ""),
    ("Archive", "\\Archive"),
    ("Drafts", "\\Drafts"),
    ("Junk", "\\Junk"),
    ("Sent", "\\Sent"),
    ("Trash", "\\Trash"),
];

#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub uid: u32,
    pub flags: Vec<String>,
    /// Milliseconds since 1970.
    pub received: i64,
    pub content: Bytes,
}

#[derive(Clone, Debug)]
pub(crate) struct Folder {
    pub validity: u32,
    pub next: u32,
    pub mails: Vec<Stored>,
}

impl Folder {
    fn new(validity: u32) -> Folder {
        Folder { validity, next: 1, mails: Vec::new() }
    }

    pub(crate) fn put(&mut self, content: Bytes, flags: Vec<String>, received: i64) -> u32 {
        let uid = self.next;
        self.next += 1;
        self.mails.push(Stored { uid, flags, received, content });
        uid
    }

    /// Sets a new UIDVALIDITY and numbers the mails from 1.
    pub(crate) fn renumber(&mut self) {
        self.validity += 1;
        self.next = 1;
        for mail in &mut self.mails {
            mail.uid = self.next;
            self.next += 1;
        }
    }
}

#[derive(Default)]
pub(crate) struct Mailboxes(HashMap<String, BTreeMap<String, Folder>>);

impl Mailboxes {
    pub(crate) fn of(&mut self, address: &str) -> &mut BTreeMap<String, Folder> {
        self.0
            .entry(address.to_lowercase())
            .or_insert_with(|| FOLDERS.iter().map(|(name, _)| ((*name).to_owned(), Folder::new(1))).collect())
    }

    /// INBOX in any case, other folders by their exact names.
    pub(crate) fn folder(&mut self, address: &str, name: &str) -> Option<&mut Folder> {
        let name = if name.eq_ignore_ascii_case("INBOX") { "INBOX" } else { name };
        self.of(address).get_mut(name)
    }
}
