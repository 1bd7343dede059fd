//! Commands for the mails of the selected folder: fetch, search, store, copy, move and expunge.

use jiff::Timestamp;

use super::command::{Set, Word};
use super::{Answer, Session, bad, no, ok};
use crate::mailbox::{Folder, Stored};

impl Session {
    pub(super) fn by_uid(&mut self, verb: &str, words: Vec<Word>) -> Answer {
        self.by(verb, words, true)
    }

    pub(super) fn by_place(&mut self, verb: &str, words: Vec<Word>) -> Answer {
        self.by(verb, words, false)
    }

    fn by(&mut self, verb: &str, words: Vec<Word>, uid: bool) -> Answer {
        let set = words.first().map(Word::text).unwrap_or_default();
        match verb {
            "FETCH" => {
                let items = match words.get(1) {
                    Some(Word::List(items)) => items.iter().map(Word::text).collect(),
                    Some(one) => vec![one.text()],
                    None => return bad("FETCH set (items)"),
                };
                self.fetch(&set, uid, items)
            }
            "SEARCH" => self.search(&words, uid),
            "STORE" => self.store(&set, uid, &words),
            "MOVE" | "COPY" => {
                let to = words.get(1).map(Word::text).unwrap_or_default();
                self.copy_or_move(&set, uid, &to, verb == "MOVE")
            }
            "EXPUNGE" => self.expunge(Some(&set)),
            _ => bad("no such command"),
        }
    }

    /// The mails of a set, with the sequence numbers that the client knows.
    fn chosen(&self, set: &str, uid: bool) -> Vec<(usize, Stored)> {
        let Some((name, known)) = &self.open else { return Vec::new() };
        let last = if uid { known.last().copied().unwrap_or(0) } else { known.len() as u32 };
        let set = Set::of(set, last);
        let chosen = |folder: &mut Folder| {
            let placed = folder.mails.iter().filter_map(|mail| {
                let place = known.binary_search(&mail.uid).ok()? + 1;
                set.holds(if uid { mail.uid } else { place as u32 }).then(|| (place, mail.clone()))
            });
            placed.collect()
        };
        self.with_folder(name, chosen).unwrap_or_default()
    }

    fn fetch(&mut self, set: &str, uid: bool, mut items: Vec<String>) -> Answer {
        if uid && !items.iter().any(|item| item.eq_ignore_ascii_case("UID")) {
            items.insert(0, "UID".to_owned());
        }
        for (place, mail) in self.chosen(set, uid) {
            self.out.extend(format!("* {place} FETCH (").bytes());
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    self.out.push(b' ');
                }
                if !self.item(item, &mail) {
                    return bad(&format!("{item} can't be fetched"));
                }
            }
            self.out.extend(b")\r\n");
        }
        ok("FETCH")
    }

    fn item(&mut self, item: &str, mail: &Stored) -> bool {
        let upper = item.to_ascii_uppercase();
        let text = match upper.as_str() {
            "UID" => format!("UID {}", mail.uid),
            "FLAGS" => format!("FLAGS ({})", mail.flags.join(" ")),
            "RFC822.SIZE" => format!("RFC822.SIZE {}", mail.content.len()),
            "INTERNALDATE" => {
                let date = Timestamp::from_millisecond(mail.received).unwrap_or_default();
                format!("INTERNALDATE \"{}\"", date.strftime("%d-%b-%Y %H:%M:%S +0000"))
            }
            "RFC822" | "RFC822.HEADER" | "RFC822.TEXT" => {
                let section = upper.strip_prefix("RFC822").unwrap_or_default().trim_start_matches('.');
                let bytes = section_of(section, &mail.content);
                self.bytes(&upper, &bytes);
                return true;
            }
            _ => {
                let Some((section, range)) = upper
                    .strip_prefix("BODY.PEEK[")
                    .or(upper.strip_prefix("BODY["))
                    .and_then(|rest| rest.rsplit_once(']'))
                else {
                    return false;
                };
                let bytes = section_of(section, &mail.content);
                let (from, bytes) = match part(range, &bytes) {
                    Some((from, bytes)) => (format!("<{from}>"), bytes),
                    None => (String::new(), bytes.as_slice()),
                };
                self.bytes(&format!("BODY[{section}]{from}"), bytes);
                return true;
            }
        };
        self.out.extend(text.bytes());
        true
    }

    fn bytes(&mut self, name: &str, bytes: &[u8]) {
        self.out.extend(format!("{name} {{{}}}\r\n", bytes.len()).bytes());
        self.out.extend(bytes);
    }

    fn search(&mut self, words: &[Word], uid: bool) -> Answer {
        let mut found = Vec::new();
        for (place, mail) in self.chosen("1:*", false) {
            match fits(words, place as u32, &mail, self.open.as_ref().map_or(&[], |(_, known)| known)) {
                Some(true) => found.push(if uid { mail.uid.to_string() } else { place.to_string() }),
                Some(false) => {}
                None => return bad("this can't be searched for"),
            }
        }
        let found = if found.is_empty() { String::new() } else { format!(" {}", found.join(" ")) };
        self.write_line(&format!("* SEARCH{found}"));
        ok("SEARCH")
    }

    fn store(&mut self, set: &str, uid: bool, words: &[Word]) -> Answer {
        let how = words.get(1).map(Word::text).unwrap_or_default().to_ascii_uppercase();
        let flags: Vec<String> = match words.get(2) {
            Some(Word::List(flags)) => flags.iter().map(Word::text).collect(),
            Some(one) => vec![one.text()],
            None => return bad("STORE set FLAGS (flags)"),
        };
        let chosen = self.chosen(set, uid);
        let (user, name) = (self.user(), self.open.as_ref().map(|(name, _)| name.clone()).unwrap_or_default());
        for (place, mail) in chosen {
            let now = self.shared.with_mailboxes(|mailboxes| {
                let mail = mailboxes.folder(&user, &name)?.mails.iter_mut().find(|stored| stored.uid == mail.uid)?;
                if !how.starts_with('+') && !how.starts_with('-') {
                    mail.flags.clear();
                }
                mail.flags.retain(|flag| !flags.contains(flag));
                if !how.starts_with('-') {
                    mail.flags.extend(flags.iter().cloned());
                }
                Some(mail.flags.join(" "))
            });
            if let Some(now) = now.filter(|_| !how.ends_with(".SILENT")) {
                self.write_line(&format!("* {place} FETCH (UID {} FLAGS ({now}))", mail.uid));
            }
        }
        ok("STORE")
    }

    fn copy_or_move(&mut self, set: &str, uid: bool, to: &str, away: bool) -> Answer {
        let chosen = self.chosen(set, uid);
        let (user, from) = (self.user(), self.open.as_ref().map(|(name, _)| name.clone()).unwrap_or_default());
        let copied = self.shared.with_mailboxes(|mailboxes| {
            let target = mailboxes.folder(&user, to)?;
            for (_, mail) in &chosen {
                target.put(mail.content.clone(), mail.flags.clone(), mail.received);
            }
            if away {
                let gone: Vec<u32> = chosen.iter().map(|(_, mail)| mail.uid).collect();
                mailboxes.folder(&user, &from)?.mails.retain(|mail| !gone.contains(&mail.uid));
            }
            Some(())
        });
        if copied.is_some() { ok("carried") } else { no("[TRYCREATE] there is no such folder") }
    }

    pub(super) fn expunge(&mut self, set: Option<&str>) -> Answer {
        let chosen: Vec<u32> =
            self.chosen(set.unwrap_or("1:*"), set.is_some()).into_iter().map(|(_, mail)| mail.uid).collect();
        let (user, name) = (self.user(), self.open.as_ref().map(|(name, _)| name.clone()).unwrap_or_default());
        self.shared.with_mailboxes(|mailboxes| {
            if let Some(folder) = mailboxes.folder(&user, &name) {
                folder.mails.retain(|mail| {
                    !(chosen.contains(&mail.uid)
                        && mail.flags.iter().any(|flag| flag.eq_ignore_ascii_case("\\Deleted")))
                });
            }
        });
        ok("EXPUNGE")
    }
}

/// The position after the headers.
fn split(content: &[u8]) -> usize {
    let crlf = content.windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4);
    let lf = content.windows(2).position(|two| two == b"\n\n").map(|at| at + 2);
    crlf.into_iter().chain(lf).min().unwrap_or(content.len())
}

fn section_of(section: &str, content: &[u8]) -> Vec<u8> {
    let (headers, body) = content.split_at(split(content));
    match section {
        "" => content.to_vec(),
        "HEADER" => headers.to_vec(),
        "TEXT" => body.to_vec(),
        // HEADER.FIELDS (…): the headers with these names, including continuation lines.
        fields => {
            let names: Vec<&str> = fields.split(['(', ')', ' ']).skip(1).filter(|name| !name.is_empty()).collect();
            let mut out = Vec::new();
            let mut wanted = false;
            for line in String::from_utf8_lossy(headers).split_inclusive('\n') {
                if !line.starts_with([' ', '\t']) {
                    let name = line.split(':').next().unwrap_or_default().trim();
                    wanted = names.iter().any(|one| one.eq_ignore_ascii_case(name));
                }
                if wanted {
                    out.extend(line.bytes());
                }
            }
            out.extend(b"\r\n");
            out
        }
    }
}

/// A part such as `<0.100>` of some bytes.
fn part<'a>(range: &str, bytes: &'a [u8]) -> Option<(usize, &'a [u8])> {
    let (from, most) = range.strip_prefix('<')?.strip_suffix('>')?.split_once('.')?;
    let (from, most): (usize, usize) = (from.parse().ok()?, most.parse().ok()?);
    let start = from.min(bytes.len());
    Some((from, &bytes[start..start.saturating_add(most).min(bytes.len())]))
}

/// Whether a mail matches the search; `None` if the search is not supported.
fn fits(words: &[Word], place: u32, mail: &Stored, known: &[u32]) -> Option<bool> {
    let last = known.last().copied().unwrap_or(0);
    let flagged = |flag: &str| mail.flags.iter().any(|own| own.eq_ignore_ascii_case(flag));
    let mut words = words.iter();
    let mut all = true;
    while let Some(word) = words.next() {
        let word = match word {
            Word::List(inner) => {
                all &= fits(inner, place, mail, known)?;
                continue;
            }
            Word::Text(_) => word.text(),
        };
        all &= match word.to_ascii_uppercase().as_str() {
            "ALL" => true,
            "SEEN" => flagged("\\Seen"),
            "UNSEEN" => !flagged("\\Seen"),
            "DELETED" => flagged("\\Deleted"),
            "UNDELETED" => !flagged("\\Deleted"),
            "CHARSET" => words.next().is_some(),
            "UID" => Set::of(&words.next()?.text(), last).holds(mail.uid),
            "HEADER" => {
                let (name, value) = (words.next()?.text(), words.next()?.text());
                has(mail, &name, &value)
            }
            "SUBJECT" => has(mail, "Subject", &words.next()?.text()),
            "FROM" => has(mail, "From", &words.next()?.text()),
            "TO" => has(mail, "To", &words.next()?.text()),
            "NOT" => {
                let rest: Vec<Word> = words.by_ref().cloned().collect();
                !fits(&rest, place, mail, known)?
            }
            set if set.starts_with(|letter: char| letter.is_ascii_digit() || letter == '*') => {
                Set::of(set, known.len() as u32).holds(place)
            }
            _ => return None,
        };
    }
    Some(all)
}

fn has(mail: &Stored, name: &str, value: &str) -> bool {
    let header = section_of(&format!("HEADER.FIELDS ({name})"), &mail.content);
    String::from_utf8_lossy(&header).to_lowercase().contains(&value.to_lowercase()) && header.len() > 2
}
