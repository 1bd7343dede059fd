//! The sandbox's IMAP server (RFC 3501 with IDLE, MOVE, UIDPLUS and SPECIAL-USE): as much of it as a mail program needs.

mod command;
mod fetch;

use std::io;
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio_rustls::TlsAcceptor;

use super::mailbox::{FOLDERS, Folder};
use super::script::{Channel, Point, Target};
use super::state::{Fate, Shared};
use crate::transport::Stream;
use command::{Word, contains, words};

/// The longest command, literals included.
const LONGEST: usize = 60 * 1024 * 1024;

struct Talk {
    shared: Arc<Shared>,
    stream: BufReader<Box<dyn Stream>>,
    acceptor: Option<TlsAcceptor>,
    user: Option<String>,
    /// The folder that is open, and the UIDs that the client knows of, by their places.
    open: Option<(String, Vec<u32>)>,
    out: Vec<u8>,
}

fn ended() -> io::Error {
    io::ErrorKind::ConnectionAborted.into()
}

/// How a command ended: OK, NO or BAD, and a few words.
type Answer = (&'static str, String);

fn ok(text: &str) -> Answer {
    ("OK", text.to_owned())
}

fn no(text: &str) -> Answer {
    ("NO", text.to_owned())
}

fn bad(text: &str) -> Answer {
    ("BAD", text.to_owned())
}

pub async fn converse(shared: Arc<Shared>, stream: Box<dyn Stream>, acceptor: TlsAcceptor) -> io::Result<()> {
    let stream = BufReader::with_capacity(64 * 1024, stream);
    let mut talk = Talk { shared, stream, acceptor: Some(acceptor), user: None, open: None, out: Vec::new() };
    talk.meets(Point::Greeting, "").await?;
    talk.tell(&format!("* OK [CAPABILITY {}] sandbox", talk.able()));
    loop {
        talk.flush().await?;
        let Some(line) = talk.command().await? else { return Ok(()) };
        let mut words = words(&line);
        let (tag, verb) = (words.next_text(), words.next_text().to_ascii_uppercase());
        if verb == "STARTTLS" {
            talk = talk.secured(&tag).await?;
            continue;
        }
        let answer = match verb.as_str() {
            "LOGOUT" => {
                talk.tell("* BYE sandbox");
                talk.tell(&format!("{tag} OK LOGOUT"));
                return talk.flush().await;
            }
            "CAPABILITY" => {
                talk.tell(&format!("* CAPABILITY {}", talk.able()));
                ok("CAPABILITY")
            }
            "NOOP" | "CHECK" => ok(&verb),
            "LOGIN" => {
                let user = words.next_text();
                talk.log_in(user).await?
            }
            "AUTHENTICATE" => {
                let (how, initial) = (words.next_text().to_ascii_uppercase(), words.next_text());
                talk.authenticate(&how, &initial).await?
            }
            _ if talk.user.is_none() => no("log in first"),
            "SELECT" | "EXAMINE" => talk.open_folder(&verb, &words.next_text()),
            "LIST" | "LSUB" => talk.list(&verb, &words.next_text(), &words.next_text()),
            "STATUS" => talk.status(&words.next_text()),
            "CREATE" | "DELETE" | "SUBSCRIBE" | "UNSUBSCRIBE" => ok(&verb),
            "APPEND" => talk.append(words.all()),
            _ if talk.open.is_none() => bad("open a folder first"),
            "IDLE" => talk.idle().await?,
            "CLOSE" | "UNSELECT" => {
                talk.open = None;
                ok(&verb)
            }
            "EXPUNGE" => talk.expunge(None),
            "UID" => {
                let verb = words.next_text().to_ascii_uppercase();
                talk.by_uid(&verb, words.all())
            }
            "FETCH" | "STORE" | "SEARCH" | "COPY" | "MOVE" => talk.by_place(&verb, words.all()),
            _ => bad("no such command"),
        };
        if verb != "LOGOUT" {
            talk.news();
        }
        talk.tell(&format!("{tag} {} {}", answer.0, answer.1));
    }
}

impl Talk {
    fn able(&self) -> String {
        let starttls = if self.acceptor.is_some() { "STARTTLS " } else { "" };
        format!("IMAP4rev1 LITERAL+ SASL-IR {starttls}AUTH=PLAIN AUTH=XOAUTH2 IDLE MOVE UIDPLUS SPECIAL-USE")
    }

    fn tell(&mut self, line: &str) {
        self.out.extend(line.bytes());
        self.out.extend(b"\r\n");
    }

    async fn flush(&mut self) -> io::Result<()> {
        let out = std::mem::take(&mut self.out);
        self.stream.get_mut().write_all(&out).await?;
        self.stream.get_mut().flush().await
    }

    /// A whole command with its literals, or nothing if the client has gone.
    async fn command(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut whole = Vec::new();
        loop {
            let left = (LONGEST - whole.len().min(LONGEST)) as u64;
            if (&mut self.stream).take(left).read_until(b'\n', &mut whole).await? == 0 || !whole.ends_with(b"\n") {
                return Ok(None);
            }
            let Some((size, waits)) = command::literal(&whole) else {
                return Ok(Some(whole));
            };
            if whole.len() + size > LONGEST {
                return Ok(None);
            }
            if waits {
                self.tell("+ go on");
                self.flush().await?;
            }
            let start = whole.len();
            whole.resize(start + size, 0);
            self.stream.read_exact(&mut whole[start..]).await?;
        }
    }

    async fn meets(&mut self, point: Point, user: &str) -> io::Result<Option<Answer>> {
        let target = Target { channel: Channel::Email, names: &[user], subject: None };
        match self.shared.meets(point, target).await {
            Fate::Pass | Fate::Lie(_) => Ok(None),
            Fate::Hang => {
                let mut nothing = [0; 512];
                while self.stream.read(&mut nothing).await? > 0 {}
                Err(ended())
            }
            Fate::Drop => Err(ended()),
            Fate::Refuse { text, .. } => Ok(Some(no(&format!("[AUTHENTICATIONFAILED] {text}")))),
        }
    }

    async fn secured(mut self, tag: &str) -> io::Result<Talk> {
        let Some(acceptor) = self.acceptor.take() else {
            self.tell(&format!("{tag} BAD it is secure already"));
            return Ok(self);
        };
        self.tell(&format!("{tag} OK go ahead"));
        self.flush().await?;
        let stream: Box<dyn Stream> = Box::new(acceptor.accept(self.stream.into_inner()).await?);
        Ok(Talk { stream: BufReader::with_capacity(64 * 1024, stream), ..self })
    }

    async fn log_in(&mut self, user: String) -> io::Result<Answer> {
        if user.is_empty() {
            return Ok(bad("LOGIN user password"));
        }
        if let Some(refused) = self.meets(Point::Login, &user).await? {
            return Ok(refused);
        }
        self.user = Some(user);
        Ok(ok("welcome"))
    }

    async fn authenticate(&mut self, how: &str, initial: &str) -> io::Result<Answer> {
        let mut given = initial.to_owned();
        if given.is_empty() {
            self.tell("+ ");
            self.flush().await?;
            given = String::from_utf8_lossy(&self.command().await?.ok_or_else(ended)?).trim().to_owned();
        }
        let given = BASE64_STANDARD.decode(given).unwrap_or_default();
        let given = String::from_utf8_lossy(&given);
        let user = match how {
            "PLAIN" => given.split('\0').nth(1),
            "XOAUTH2" => given.strip_prefix("user=").and_then(|rest| rest.split('\x01').next()),
            _ => return Ok(no("PLAIN or XOAUTH2")),
        };
        self.log_in(user.unwrap_or_default().to_owned()).await
    }

    fn user(&self) -> String {
        self.user.clone().unwrap_or_default()
    }

    fn with_folder<T>(&self, name: &str, look: impl FnOnce(&mut Folder) -> T) -> Option<T> {
        self.shared.state().mailboxes.folder(&self.user(), name).map(look)
    }

    fn open_folder(&mut self, verb: &str, name: &str) -> Answer {
        let found = self.with_folder(name, |folder| {
            (folder.validity, folder.next, folder.mails.iter().map(|mail| mail.uid).collect::<Vec<_>>())
        });
        let Some((validity, next, uids)) = found else {
            self.open = None;
            return no("[NONEXISTENT] there is no such folder");
        };
        self.tell("* FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft)");
        self.tell(&format!("* {} EXISTS", uids.len()));
        self.tell("* 0 RECENT");
        self.tell(&format!("* OK [UIDVALIDITY {validity}] valid"));
        self.tell(&format!("* OK [UIDNEXT {next}] next"));
        self.open = Some((name.to_owned(), uids));
        let how = if verb == "EXAMINE" { "[READ-ONLY]" } else { "[READ-WRITE]" };
        ok(&format!("{how} {verb}"))
    }

    fn list(&mut self, verb: &str, reference: &str, pattern: &str) -> Answer {
        if pattern.is_empty() {
            self.tell(&format!("* {verb} (\\Noselect) \"/\" \"\""));
        }
        let pattern = format!("{reference}{pattern}");
        for (name, mark) in FOLDERS {
            if contains(&pattern, name) {
                let mark = if mark.is_empty() { String::new() } else { format!(" {mark}") };
                self.tell(&format!("* {verb} (\\HasNoChildren{mark}) \"/\" \"{name}\""));
            }
        }
        ok(verb)
    }

    fn status(&mut self, name: &str) -> Answer {
        let found = self.with_folder(name, |folder| {
            let unseen = folder.mails.iter().filter(|mail| !mail.flags.iter().any(|flag| flag == "\\Seen")).count();
            (folder.mails.len(), folder.next, folder.validity, unseen)
        });
        let Some((count, next, validity, unseen)) = found else { return no("[NONEXISTENT] there is no such folder") };
        self.tell(&format!(
            "* STATUS \"{name}\" (MESSAGES {count} UIDNEXT {next} UIDVALIDITY {validity} UNSEEN {unseen} RECENT 0)"
        ));
        ok("STATUS")
    }

    fn append(&mut self, words: Vec<Word>) -> Answer {
        let (Some(Word::Text(name)), Some(Word::Text(content))) = (words.first(), words.last()) else {
            return bad("APPEND folder (flags) {size}");
        };
        let flags = match words.get(1) {
            Some(Word::List(flags)) => flags.iter().map(Word::text).collect(),
            _ => Vec::new(),
        };
        let (name, content) = (String::from_utf8_lossy(name).into_owned(), content.clone());
        let (user, now) = (self.user(), super::clock::now().as_millisecond());
        let put = self.shared.with_mailboxes(|mailboxes| {
            let folder = mailboxes.folder(&user, &name)?;
            Some((folder.validity, folder.put(content.into(), flags, now)))
        });
        match put {
            Some((validity, uid)) => ok(&format!("[APPENDUID {validity} {uid}] APPEND")),
            None => no("[TRYCREATE] there is no such folder"),
        }
    }

    /// Tells what has come to the open folder, gone from it, or become of it.
    fn news(&mut self) {
        let Some((name, known)) = self.open.take() else { return };
        let now: Vec<u32> =
            self.with_folder(&name, |folder| folder.mails.iter().map(|mail| mail.uid).collect()).unwrap_or_default();
        let mut left = known.clone();
        let mut at = 0;
        while at < left.len() {
            if now.binary_search(&left[at]).is_err() {
                left.remove(at);
                self.tell(&format!("* {} EXPUNGE", at + 1));
            } else {
                at += 1;
            }
        }
        if now.len() > left.len() {
            self.tell(&format!("* {} EXISTS", now.len()));
        }
        self.open = Some((name, now));
    }

    async fn idle(&mut self) -> io::Result<Answer> {
        let mut changes = self.shared.changes();
        self.tell("+ idling");
        loop {
            self.news();
            self.flush().await?;
            let mut line = String::new();
            tokio::select! {
                changed = changes.changed() => changed.map_err(|_| ended())?,
                read = self.stream.read_line(&mut line) => {
                    return match (read?, line.trim().eq_ignore_ascii_case("DONE")) {
                        (0, _) => Err(ended()),
                        (_, true) => Ok(ok("IDLE")),
                        (_, false) => Ok(bad("DONE was awaited")),
                    };
                }
            }
        }
    }
}
