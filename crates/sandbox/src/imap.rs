//! The sandbox's IMAP server: the part of RFC 3501, with IDLE, MOVE, UIDPLUS and SPECIAL-USE, that mail programs use.

mod command;
mod fetch;

use std::io;
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio_rustls::TlsAcceptor;

use crate::mailbox::{FOLDERS, Folder};
use crate::oauth;
use crate::script::{Channel, Point, Target};
use crate::state::{Outcome, Shared};
use command::{Word, contains, words};
use connect::transport::Stream;

/// The longest command, literals included.
const LONGEST: usize = 60 * 1024 * 1024;

struct Session {
    shared: Arc<Shared>,
    stream: BufReader<Box<dyn Stream>>,
    acceptor: Option<TlsAcceptor>,
    user: Option<String>,
    /// The selected folder, and the UIDs that the client knows, in the order of their sequence numbers.
    open: Option<(String, Vec<u32>)>,
    out: Vec<u8>,
}

fn ended() -> io::Error {
    io::ErrorKind::ConnectionAborted.into()
}

/// The result of a command: OK, NO or BAD, and a text.
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

pub(crate) async fn serve_client(
    shared: Arc<Shared>,
    stream: Box<dyn Stream>,
    acceptor: TlsAcceptor,
) -> io::Result<()> {
    let stream = BufReader::with_capacity(64 * 1024, stream);
    let mut session = Session { shared, stream, acceptor: Some(acceptor), user: None, open: None, out: Vec::new() };
    session.apply_rule(Point::Greeting, "").await?;
    session.write_line(&format!("* OK [CAPABILITY {}] sandbox", session.capabilities()));
    loop {
        session.flush().await?;
        let Some(line) = session.command().await? else { return Ok(()) };
        let mut words = words(&line);
        let (tag, verb) = (words.next_text(), words.next_text().to_ascii_uppercase());
        if verb == "STARTTLS" {
            session = session.start_tls(&tag).await?;
            continue;
        }
        let answer = match verb.as_str() {
            "LOGOUT" => {
                session.write_line("* BYE sandbox");
                session.write_line(&format!("{tag} OK LOGOUT"));
                return session.flush().await;
            }
            "CAPABILITY" => {
                session.write_line(&format!("* CAPABILITY {}", session.capabilities()));
                ok("CAPABILITY")
            }
            "NOOP" | "CHECK" => ok(&verb),
            "LOGIN" => {
                let user = words.next_text();
                session.log_in(user).await?
            }
            "AUTHENTICATE" => {
                let (how, initial) = (words.next_text().to_ascii_uppercase(), words.next_text());
                session.authenticate(&how, &initial).await?
            }
            _ if session.user.is_none() => no("log in first"),
            "SELECT" | "EXAMINE" => session.open_folder(&verb, &words.next_text()),
            "LIST" | "LSUB" => session.list(&verb, &words.next_text(), &words.next_text()),
            "STATUS" => session.status(&words.next_text()),
            "CREATE" | "DELETE" | "SUBSCRIBE" | "UNSUBSCRIBE" => ok(&verb),
            "APPEND" => session.append(words.all()),
            _ if session.open.is_none() => bad("open a folder first"),
            "IDLE" => session.idle().await?,
            "CLOSE" | "UNSELECT" => {
                session.open = None;
                ok(&verb)
            }
            "EXPUNGE" => session.expunge(None),
            "UID" => {
                let verb = words.next_text().to_ascii_uppercase();
                session.by_uid(&verb, words.all())
            }
            "FETCH" | "STORE" | "SEARCH" | "COPY" | "MOVE" => session.by_place(&verb, words.all()),
            _ => bad("no such command"),
        };
        if verb != "LOGOUT" {
            session.report_changes();
        }
        session.write_line(&format!("{tag} {} {}", answer.0, answer.1));
    }
}

impl Session {
    fn capabilities(&self) -> String {
        let starttls = if self.acceptor.is_some() { "STARTTLS " } else { "" };
        format!("IMAP4rev1 LITERAL+ SASL-IR {starttls}AUTH=PLAIN AUTH=XOAUTH2 IDLE MOVE UIDPLUS SPECIAL-USE")
    }

    fn write_line(&mut self, line: &str) {
        self.out.extend(line.bytes());
        self.out.extend(b"\r\n");
    }

    async fn flush(&mut self) -> io::Result<()> {
        let out = std::mem::take(&mut self.out);
        self.stream.get_mut().write_all(&out).await?;
        self.stream.get_mut().flush().await
    }

    /// A whole command with its literals; `None` if the client has disconnected.
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
                self.write_line("+ go on");
                self.flush().await?;
            }
            let start = whole.len();
            whole.resize(start + size, 0);
            self.stream.read_exact(&mut whole[start..]).await?;
        }
    }

    async fn apply_rule(&mut self, point: Point, user: &str) -> io::Result<Option<Answer>> {
        let target = Target { channel: Channel::Email, names: &[user], subject: None };
        match self.shared.apply_rule(point, target).await {
            Outcome::Pass | Outcome::WrongAnswer(_) => Ok(None),
            Outcome::Hang => {
                let mut nothing = [0; 512];
                while self.stream.read(&mut nothing).await? > 0 {}
                Err(ended())
            }
            Outcome::Drop => Err(ended()),
            Outcome::Refuse { text, .. } => Ok(Some(no(&format!("[AUTHENTICATIONFAILED] {text}")))),
        }
    }

    async fn start_tls(mut self, tag: &str) -> io::Result<Session> {
        let Some(acceptor) = self.acceptor.take() else {
            self.write_line(&format!("{tag} BAD it is secure already"));
            return Ok(self);
        };
        self.write_line(&format!("{tag} OK go ahead"));
        self.flush().await?;
        let stream: Box<dyn Stream> = Box::new(acceptor.accept(self.stream.into_inner()).await?);
        Ok(Session { stream: BufReader::with_capacity(64 * 1024, stream), ..self })
    }

    async fn log_in(&mut self, user: String) -> io::Result<Answer> {
        if user.is_empty() {
            return Ok(bad("LOGIN user password"));
        }
        if let Some(refused) = self.apply_rule(Point::Login, &user).await? {
            return Ok(refused);
        }
        self.user = Some(user);
        Ok(ok("welcome"))
    }

    async fn authenticate(&mut self, how: &str, initial: &str) -> io::Result<Answer> {
        let mut given = initial.to_owned();
        if given.is_empty() {
            self.write_line("+ ");
            self.flush().await?;
            given = String::from_utf8_lossy(&self.command().await?.ok_or_else(ended)?).trim().to_owned();
        }
        let given = BASE64_STANDARD.decode(given).unwrap_or_default();
        let given = String::from_utf8_lossy(&given);
        let user = match how {
            "PLAIN" => given.split('\0').nth(1).unwrap_or_default().to_owned(),
            "XOAUTH2" => {
                let (user, token) = oauth::bearer(&given);
                if !self.shared.admits(&user, &token) {
                    self.write_line(&format!("+ {}", BASE64_STANDARD.encode(oauth::REFUSAL)));
                    self.flush().await?;
                    self.command().await?.ok_or_else(ended)?;
                    return Ok(no("[AUTHENTICATIONFAILED] The access token is not accepted"));
                }
                user
            }
            _ => return Ok(no("PLAIN or XOAUTH2")),
        };
        self.log_in(user).await
    }

    fn user(&self) -> String {
        self.user.clone().unwrap_or_default()
    }

    fn with_folder<T>(&self, name: &str, work: impl FnOnce(&mut Folder) -> T) -> Option<T> {
        self.shared.state().mailboxes.folder(&self.user(), name).map(work)
    }

    fn open_folder(&mut self, verb: &str, name: &str) -> Answer {
        let found = self.with_folder(name, |folder| {
            (folder.validity, folder.next, folder.mails.iter().map(|mail| mail.uid).collect::<Vec<_>>())
        });
        let Some((validity, next, uids)) = found else {
            self.open = None;
            return no("[NONEXISTENT] there is no such folder");
        };
        self.write_line("* FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft)");
        self.write_line(&format!("* {} EXISTS", uids.len()));
        self.write_line("* 0 RECENT");
        self.write_line(&format!("* OK [UIDVALIDITY {validity}] valid"));
        self.write_line(&format!("* OK [UIDNEXT {next}] next"));
        self.open = Some((name.to_owned(), uids));
        let how = if verb == "EXAMINE" { "[READ-ONLY]" } else { "[READ-WRITE]" };
        ok(&format!("{how} {verb}"))
    }

    fn list(&mut self, verb: &str, reference: &str, pattern: &str) -> Answer {
        if pattern.is_empty() {
            self.write_line(&format!("* {verb} (\\Noselect) \"/\" \"\""));
        }
        let pattern = format!("{reference}{pattern}");
        for (name, mark) in FOLDERS {
            if contains(&pattern, name) {
                let mark = if mark.is_empty() { String::new() } else { format!(" {mark}") };
                self.write_line(&format!("* {verb} (\\HasNoChildren{mark}) \"/\" \"{name}\""));
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
        self.write_line(&format!(
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
        let (user, now) = (self.user(), crate::clock::now().as_millisecond());
        let put = self.shared.with_mailboxes(|mailboxes| {
            let folder = mailboxes.folder(&user, &name)?;
            Some((folder.validity, folder.put(content.into(), flags, now)))
        });
        match put {
            Some((validity, uid)) => ok(&format!("[APPENDUID {validity} {uid}] APPEND")),
            None => no("[TRYCREATE] there is no such folder"),
        }
    }

    /// Reports new and removed mails of the selected folder.
    fn report_changes(&mut self) {
        let Some((name, known)) = self.open.take() else { return };
        let now: Vec<u32> =
            self.with_folder(&name, |folder| folder.mails.iter().map(|mail| mail.uid).collect()).unwrap_or_default();
        let mut left = known.clone();
        let mut at = 0;
        while at < left.len() {
            if now.binary_search(&left[at]).is_err() {
                left.remove(at);
                self.write_line(&format!("* {} EXPUNGE", at + 1));
            } else {
                at += 1;
            }
        }
        if now.len() > left.len() {
            self.write_line(&format!("* {} EXISTS", now.len()));
        }
        self.open = Some((name, now));
    }

    async fn idle(&mut self) -> io::Result<Answer> {
        let mut changes = self.shared.changes();
        self.write_line("+ idling");
        loop {
            self.report_changes();
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
