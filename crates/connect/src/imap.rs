//! Reading a mailbox: the mails of a folder in bounded pieces, and waiting for new ones. Folders are opened with
//! EXAMINE, never with SELECT, so that reading changes nothing in them.

mod lines;

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use async_imap::error::Error;
use async_imap::extensions::idle::IdleResponse;
use async_imap::types::{NameAttribute, UnsolicitedResponse};
use futures_util::{FutureExt, TryStreamExt};

use crate::fault::Fault;
use crate::server::{Auth, Login, Server, Tls, Unopened};
use crate::transport::{open, secure, words};
use lines::{Lines, Refusal};

pub struct Session {
    /// `None` while it waits in IDLE.
    inner: Option<async_imap::Session<Lines>>,
    server: Server,
    idle: bool,
    /// The number of mails in the open folder.
    count: u32,
    /// Whether the server has announced a change since the folder was opened.
    news: bool,
    refusal: Refusal,
}

/// The state of a folder when it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Folder {
    /// UIDs stay valid as long as this value does not change.
    pub validity: u32,
    /// The UID of the next mail, or a lower bound of it.
    pub next: u32,
    pub count: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    pub uid: u32,
    pub size: u64,
    /// When the server received it, in milliseconds since 1970.
    pub received: Option<i64>,
    pub content: Content,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    Whole(Vec<u8>),
    /// Larger than the limit: only its headers.
    TooLarge {
        headers: Vec<u8>,
    },
}

/// How waiting ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// A mail arrived, or the folder changed.
    News,
    /// Nothing happened within the time limit.
    Quiet,
}

/// Connects, starts TLS, logs in and opens the INBOX.
pub async fn check(server: &Server) -> Result<Folder, Fault> {
    let mut session = Session::connect(server).await?;
    let folder = session.examine("INBOX").await?;
    session.log_out().await;
    Ok(folder)
}

/// Usual names of the folder of sent mails, as IMAP encodes them.
const SENT: &[&str] = &[
    "sent",
    "sent items",
    "sent messages",
    "sent mail",
    "gesendet",
    "gesendete elemente",
    "gesendete objekte",
    "&amk-l&aok-ments envoy&aok-s",
    "messages envoy&aok-s",
    "envoy&aok-s",
    "enviados",
    "elementos enviados",
    "mensajes enviados",
    "itens enviados",
    "inviati",
    "posta inviata",
    "verzonden",
    "verzonden items",
    "wys&amu-ane",
    "skickat",
];

/// How many bytes of mails to request at once, unless a single mail is larger.
const PIECE: u64 = 8 * 1024 * 1024;
/// How many bytes of mails to return at once, unless a single mail is larger.
const TOGETHER: u64 = 32 * 1024 * 1024;
/// How many UIDs to request at once, so that the answer stays short.
const WINDOW: u32 = 5000;
/// How many UIDs to keep in memory.
const MOST_UIDS: usize = 5_000_000;
/// How many bytes to keep of the headers of a mail that is too large.
const HEADERS: u64 = 256 * 1024;

impl Session {
    /// An access token that the server refuses is renewed once.
    pub async fn connect(server: &Server) -> Result<Session, Fault> {
        let bearer = server.with_token(None).await?;
        match Session::open(&bearer).await {
            Err(Unopened::Login(_)) if server.needs_tokens() => {
                Ok(Session::open(&server.with_token(Some(&bearer)).await?).await?)
            }
            opened => Ok(opened?),
        }
    }

    async fn open(server: &Server) -> Result<Session, Unopened> {
        let (stream, _) = open(server).await?;
        let refusal = Refusal::default();
        let mut client = async_imap::Client::new(Lines::new(stream, refusal.clone()));
        greeted(server, &mut client).await?;
        if server.tls == Tls::StartTls {
            let limit = server.timeouts.command;
            within(limit, &format!("{server}: STARTTLS"), client.run_command_and_check_ok("STARTTLS", None))
                .await?
                .map_err(|error| fault(server, error))?;
            let secured = secure(server, client.into_inner().into_inner()).await?;
            client = async_imap::Client::new(Lines::new(secured, refusal.clone()));
        }
        let Some(login) = &server.login else {
            return Err(Fault::Sender(format!("{server}: a mailbox needs a user and a password")).into());
        };
        let inner = within(server.timeouts.command, &format!("{server}: login"), logged_in(client, login)).await?;
        let mut inner = inner.map_err(|error| match error {
            Error::No(text) if temporary(&text) => Fault::temporary(format!("{server}: {}", said(&text))).into(),
            Error::No(text) => Unopened::Login(Fault::Sender(format!("{server} refused the login: {}", said(&text)))),
            error => Unopened::Other(fault(server, error)),
        })?;
        let able = within(server.timeouts.command, &format!("{server}: CAPABILITY"), inner.capabilities())
            .await?
            .map_err(|error| fault(server, error))?;
        Ok(Session {
            inner: Some(inner),
            server: server.clone(),
            idle: able.has_str("IDLE"),
            count: 0,
            news: false,
            refusal,
        })
    }

    /// Opens a folder for reading.
    pub async fn examine(&mut self, folder: &str) -> Result<Folder, Fault> {
        let (server, limit) = (self.server.clone(), self.server.timeouts.command);
        let examined = within(limit, &format!("{server}: EXAMINE"), self.inner()?.examine(folder)).await?;
        let examined = examined.map_err(|error| match error {
            Error::No(text) => Fault::Sender(format!("{server} has no folder {folder}: {}", said(&text))),
            error => fault(&server, error),
        })?;
        let (Some(validity), Some(next)) = (examined.uid_validity, examined.uid_next) else {
            return Err(Fault::Sender(format!("{server} tells no UIDVALIDITY or UIDNEXT of {folder}")));
        };
        // Discard earlier notices; those that follow are news.
        self.inner()?;
        (self.count, self.news) = (examined.exists, false);
        Ok(Folder { validity, next, count: examined.exists })
    }

    /// The UIDs in the open folder, from this one on, in order.
    pub async fn uids(&mut self, from: u32) -> Result<Vec<u32>, Fault> {
        let mut uids = Vec::new();
        if self.count as usize > MOST_UIDS {
            return Err(Fault::Sender(format!("{}: the folder has more than {MOST_UIDS} mails", self.server)));
        }
        // The first mail of the window by its sequence number, and the one after its last. Later mails have larger
        // UIDs: the last window is requested first, and it includes mails that arrived since the folder was opened.
        let (mut first, mut after) = (self.count.saturating_sub(WINDOW) + 1, None);
        loop {
            let last = after.map_or("*".to_owned(), |after: u32| (after - 1).to_string());
            let window = if self.count > WINDOW { format!("{first}:{last} ") } else { String::new() };
            let mut found: Vec<u32> =
                self.search(&format!("{window}UID {}:*", from.max(1))).await?.into_iter().collect();
            // `n:*` always includes the last mail, even if its UID is below n.
            found.retain(|uid| *uid >= from);
            let places = after.map_or(self.count, |after| after - 1).saturating_sub(first) + 1;
            // Below a window that is not full there are only mails before `from`.
            let is_over = (found.len() as u32) < places;
            if from <= 1 && self.count > WINDOW && (found.len() as u32) < places / 2 {
                let reason = "the server announces more mails than it lists";
                return Err(Fault::Unreached(format!("{}: {reason}", self.server)));
            }
            uids.append(&mut found);
            if uids.len() > MOST_UIDS {
                return Err(Fault::Sender(format!("{}: the folder has more than {MOST_UIDS} mails", self.server)));
            }
            if is_over && from > 1 || first <= 1 {
                break;
            }
            (first, after) = (first.saturating_sub(WINDOW).max(1), Some(first));
        }
        uids.sort_unstable();
        // Sequence numbers shift when an earlier mail is deleted.
        uids.dedup();
        Ok(uids)
    }

    /// Fetches mails of the open folder by their UIDs, in ascending order, as many as fit into memory. Returns them, and
    /// how many of the UIDs they are. Deleted mails are left out; of a mail over `limit` bytes only the headers are fetched.
    pub async fn fetch(&mut self, uids: &[u32], limit: u64) -> Result<(Vec<Fetched>, usize), Fault> {
        let (mut found, mut bytes, mut covered) = (Vec::new(), 0, uids.len());
        for (uid, size) in self.sizes(uids).await? {
            bytes += if size <= limit { size } else { HEADERS };
            if bytes > TOGETHER && !found.is_empty() {
                covered = uids.iter().position(|asked| *asked >= uid).unwrap_or(covered);
                break;
            }
            found.push(Fetched { uid, size, received: None, content: Content::TooLarge { headers: Vec::new() } });
        }
        let mut at = 0;
        while at < found.len() {
            let mut end = at + 1;
            let mut bytes = found[at].size.min(limit);
            let whole = found[at].size <= limit;
            while end < found.len() && (found[end].size <= limit) == whole && bytes + found[end].size <= PIECE {
                bytes += found[end].size;
                end += 1;
            }
            self.fill(&mut found[at..end], whole).await?;
            at = end;
        }
        // Mails that were deleted between the two requests, for sizes and for contents.
        found.retain(|mail| !matches!(&mail.content, Content::TooLarge { headers } if headers.is_empty()));
        // The library treats the end of the connection as the end of the answer.
        if found.len() < covered {
            self.is_alive().await?;
        }
        Ok((found, covered))
    }

    /// Waits for a change of the open folder. Mail with a UID from `next` on is reported at once.
    pub async fn wait(&mut self, next: u32, limit: Duration) -> Result<Wake, Fault> {
        if !self.idle {
            return self.poll(next, limit).await;
        }
        self.inner()?;
        if self.news || self.check_for_mail(next).await? == Wake::News {
            return Ok(Wake::News);
        }
        let (server, command) = (self.server.clone(), self.server.timeouts.command);
        let inner = self.inner.take().ok_or_else(|| lost(&server))?;
        let (notices, count) = (inner.unsolicited_responses.clone(), self.count);
        let mut handle = inner.idle();
        within(command, &format!("{server}: IDLE"), handle.init()).await?.map_err(|error| fault(&server, error))?;
        let mut news = self.news || heard(|| notices.try_recv().ok(), count);
        if !news {
            let (waiting, _stop) = handle.wait_with_timeout(limit);
            match tokio::time::timeout(limit, waiting).await {
                Ok(Ok(IdleResponse::NewData(_))) => news = true,
                Ok(Ok(_)) | Err(_) => {}
                Ok(Err(error)) => return Err(fault(&server, error)),
            }
        }
        let inner = within(command, &format!("{server}: DONE"), handle.done()).await?;
        self.inner = Some(inner.map_err(|error| fault(&server, error))?);
        if news { Ok(Wake::News) } else { self.check_for_mail(next).await }
    }

    /// The UID of a mail in the open folder, by its Message-ID.
    pub async fn find(&mut self, message_id: &str) -> Result<Option<u32>, Fault> {
        let id: String =
            message_id.chars().filter(|letter| !letter.is_control() && !"\"\\<>".contains(*letter)).collect();
        Ok(self.search(&format!("HEADER Message-ID \"{id}\"")).await?.into_iter().max())
    }

    /// Closes the open folder, so that the server does not report its changes any more.
    pub async fn close(&mut self) -> Result<(), Fault> {
        let (server, limit) = (self.server.clone(), self.server.timeouts.command);
        within(limit, &format!("{server}: CLOSE"), self.inner()?.close()).await?.map_err(|error| fault(&server, error))
    }

    /// Puts a mail into a folder, as read, with this date in milliseconds. No folder may be open: the library does not
    /// expect reports of changes here. A refusal is `Fault::Message`; after any other fault the session must not be used.
    pub async fn append(&mut self, folder: &str, message: &[u8], date: i64) -> Result<(), Fault> {
        let (server, limit) = (self.server.clone(), self.server.timeouts.body);
        drop(self.refusal.take());
        let date = jiff::Timestamp::from_millisecond(date).unwrap_or_default();
        let date = date.strftime("\"%d-%b-%Y %H:%M:%S +0000\"").to_string();
        let appended = self.inner()?.append(folder, Some("(\\Seen)"), Some(&date), message);
        let appended = within(limit, &format!("{server}: APPEND"), appended).await?;
        appended.map_err(|error| match self.refusal.take() {
            Some(said) => Fault::Message(format!("{server}: {said}")),
            None => fault(&server, error),
        })
    }

    /// The folder of sent mails: the one with that attribute, else one with a usual name.
    pub async fn sent_folder(&mut self) -> Result<Option<String>, Fault> {
        let (server, limit) = (self.server.clone(), self.server.timeouts.command);
        let inner = self.inner()?;
        let named = |name: &async_imap::types::Name| {
            let last = name.name().rsplit(name.delimiter().unwrap_or("/")).next().unwrap_or_default().to_lowercase();
            SENT.contains(&last.as_str())
        };
        let (mut marked, mut usual) = (None, None);
        let listed = async {
            let mut folders = inner.list(Some(""), Some("*")).await?;
            while let Some(folder) = folders.try_next().await? {
                if marked.is_none() && folder.attributes().contains(&NameAttribute::Sent) {
                    marked = Some(folder.name().to_owned());
                } else if usual.is_none() && named(&folder) {
                    usual = Some(folder.name().to_owned());
                }
            }
            Ok(())
        };
        within(limit, &format!("{server}: LIST"), listed).await?.map_err(|error| fault(&server, error))?;
        Ok(marked.or(usual))
    }

    /// Logs out without waiting for long.
    pub async fn log_out(mut self) {
        if let Some(mut inner) = self.inner.take() {
            let _ = tokio::time::timeout(Duration::from_secs(2), inner.logout()).await;
        }
    }

    /// The session, without the notices that came with earlier answers: the library keeps a hundred, whatever their size.
    fn inner(&mut self) -> Result<&mut async_imap::Session<Lines>, Fault> {
        let inner = self.inner.as_mut().ok_or_else(|| lost(&self.server))?;
        self.news |= heard(|| inner.unsolicited_responses.try_recv().ok(), self.count);
        Ok(inner)
    }

    async fn search(&mut self, query: &str) -> Result<std::collections::HashSet<u32>, Fault> {
        let (server, limit) = (self.server.clone(), self.server.timeouts.body);
        drop(self.refusal.take());
        let found = within(limit, &format!("{server}: SEARCH"), self.inner()?.uid_search(query))
            .await?
            .map_err(|error| fault(&server, error))?;
        self.check_refusal()?;
        Ok(found)
    }

    /// The library does not report that the server refused a SEARCH or a FETCH.
    fn check_refusal(&self) -> Result<(), Fault> {
        self.refusal.take().map_or(Ok(()), |said| Err(fault(&self.server, Error::No(said))))
    }

    async fn sizes(&mut self, uids: &[u32]) -> Result<Vec<(u32, u64)>, Fault> {
        let mut sizes = Vec::with_capacity(uids.len());
        for some in uids.chunks(500) {
            let mut known = BTreeMap::new();
            self.ask(&set(some.iter().copied()), "(UID RFC822.SIZE)", |mail| {
                if let (Some(uid), Some(size)) = (mail.uid, mail.size)
                    && some.contains(&uid)
                {
                    known.insert(uid, u64::from(size));
                }
            })
            .await?;
            sizes.extend(known);
        }
        Ok(sizes)
    }

    async fn fill(&mut self, mails: &mut [Fetched], whole: bool) -> Result<(), Fault> {
        let what = match whole {
            true => "(UID INTERNALDATE BODY.PEEK[])".to_owned(),
            false => format!("(UID INTERNALDATE BODY.PEEK[HEADER]<0.{HEADERS}>)"),
        };
        let uids = set(mails.iter().map(|mail| mail.uid));
        self.ask(&uids, &what, |answer| {
            let Some(mail) = mails.iter_mut().find(|mail| Some(mail.uid) == answer.uid) else { return };
            mail.received = answer.internal_date().map(|date| date.timestamp_millis());
            mail.content = match (whole, answer.body(), answer.header()) {
                (true, Some(bytes), _) => Content::Whole(bytes.to_vec()),
                (false, _, Some(headers)) => Content::TooLarge { headers: headers.to_vec() },
                _ => return,
            };
        })
        .await
    }

    /// Takes each answer as it comes: a server may send any number of them.
    async fn ask(
        &mut self,
        uids: &str,
        what: &str,
        mut take: impl FnMut(async_imap::types::Fetch),
    ) -> Result<(), Fault> {
        let (server, limit) = (self.server.clone(), self.server.timeouts.body);
        drop(self.refusal.take());
        let inner = self.inner()?;
        let fetched = async {
            let mut answers = inner.uid_fetch(uids, what).await?;
            while let Some(answer) = answers.try_next().await? {
                take(answer);
            }
            Ok(())
        };
        within(limit, &format!("{server}: FETCH"), fetched).await?.map_err(|error| fault(&server, error))?;
        self.check_refusal()
    }

    async fn is_alive(&mut self) -> Result<(), Fault> {
        let (server, limit) = (self.server.clone(), self.server.timeouts.command);
        within(limit, &format!("{server}: NOOP"), self.inner()?.noop()).await?.map_err(|error| fault(&server, error))
    }

    /// Whether there is mail with a UID from `next` on.
    async fn check_for_mail(&mut self, next: u32) -> Result<Wake, Fault> {
        Ok(if self.uids(next).await?.is_empty() { Wake::Quiet } else { Wake::News })
    }

    /// For servers without IDLE.
    async fn poll(&mut self, next: u32, limit: Duration) -> Result<Wake, Fault> {
        let every = Duration::from_secs(15).min(limit);
        let mut waited = Duration::ZERO;
        while waited < limit {
            if self.check_for_mail(next).await? == Wake::News {
                return Ok(Wake::News);
            }
            tokio::time::sleep(every).await;
            waited += every;
        }
        self.check_for_mail(next).await
    }
}

/// Whether these notices tell of a change to a folder with so many mails.
fn heard(mut next: impl FnMut() -> Option<UnsolicitedResponse>, count: u32) -> bool {
    let mut news = false;
    while let Some(notice) = next() {
        news |= match notice {
            UnsolicitedResponse::Exists(now) => now != count,
            UnsolicitedResponse::Expunge(_) => true,
            _ => false,
        };
    }
    news
}

/// Limits the wait for an answer, and treats a panic of the library as an answer that is not understood.
async fn within<T>(limit: Duration, what: &str, work: impl Future<Output = T>) -> Result<T, Fault> {
    let done = crate::transport::within(limit, what, AssertUnwindSafe(work).catch_unwind()).await?;
    done.map_err(|_| Fault::Unreached(format!("{what}: {NOT_UNDERSTOOD}")))
}

fn set(uids: impl Iterator<Item = u32>) -> String {
    uids.map(|uid| uid.to_string()).collect::<Vec<_>>().join(",")
}

/// The greeting must be read before the first command, or a login would wait for ever.
async fn greeted(server: &Server, client: &mut async_imap::Client<Lines>) -> Result<(), Fault> {
    let greeting = within(server.timeouts.command, &format!("{server}: a greeting"), client.read_response()).await?;
    match greeting {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Err(lost(server)),
        Err(error) => Err(Fault::Unreached(format!("{server}: {}", unread(&error)))),
    }
}

async fn logged_in(client: async_imap::Client<Lines>, login: &Login) -> Result<async_imap::Session<Lines>, Error> {
    let done = match login.by {
        Auth::Password => client.login(&login.user, &login.secret).await,
        Auth::Xoauth2 => client.authenticate("XOAUTH2", Token::of(login)).await,
    };
    done.map_err(|(error, _)| error)
}

/// Sends the token once; a second challenge explains a refusal and requires an empty answer.
struct Token(String);

impl Token {
    fn of(login: &Login) -> Token {
        Token(format!("user={}\x01auth=Bearer {}\x01\x01", login.user, login.secret))
    }
}

impl async_imap::Authenticator for Token {
    type Response = String;

    fn process(&mut self, _challenge: &[u8]) -> String {
        std::mem::take(&mut self.0)
    }
}

fn lost(server: &Server) -> Fault {
    Fault::Unreached(format!("{server}: the connection was closed"))
}

/// Whether a refusal declares itself temporary (RFC 5530).
fn temporary(text: &str) -> bool {
    ["UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG", "temporar", "try again"].iter().any(|word| text.contains(word))
}

/// What the server said, without the form in which the library shows it: `code: None, info: Some("…")`.
fn said(text: &str) -> &str {
    let info = text.split_once("info: Some(\"").and_then(|(_, rest)| rest.rsplit_once("\")"));
    info.map_or(text, |(info, _)| info)
}

const NOT_UNDERSTOOD: &str = "the answer is not understood";

/// The library quotes an answer that it can't parse in full, and the answer may be a mail.
fn unread(error: &std::io::Error) -> String {
    let text = words(error);
    if text.contains("during parsing of") { NOT_UNDERSTOOD.to_owned() } else { text }
}

fn fault(server: &Server, error: Error) -> Fault {
    match error {
        Error::No(text) | Error::Bad(text) if temporary(&text) => {
            Fault::temporary(format!("{server}: {}", said(&text)))
        }
        Error::No(text) | Error::Bad(text) => Fault::Sender(format!("{server}: {}", said(&text))),
        Error::ConnectionLost => lost(server),
        Error::Io(error) => Fault::Unreached(format!("{server}: {}", unread(&error))),
        Error::Parse(_) => Fault::Unreached(format!("{server}: {NOT_UNDERSTOOD}")),
        error => Fault::Unreached(format!("{server}: {}", error.to_string().chars().take(200).collect::<String>())),
    }
}
