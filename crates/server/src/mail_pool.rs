//! Child processes that parse incoming mail, so that a hostile mail can't stop the server. A child parses many mails, sent
//! over a pipe. If it crashes, hangs or sends an invalid answer, only the current mail is affected.

use crate::clock;
use connect::mail::{Attachment, Mail, wire};
use resource::Error;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::Semaphore;

/// Most children at a time; they are started when they are needed.
const CHILDREN: usize = 4;
/// How long one mail may take.
const TIME: Duration = Duration::from_secs(10);
/// How long its headers may take, once the whole mail could not be read.
const HEADERS_TIME: Duration = Duration::from_secs(2);
/// If a timeout fires this much too late, the whole machine was suspended, and the mail is not at fault.
const STALLED: Duration = Duration::from_secs(5);
/// How long a child may take to start.
const START: Duration = Duration::from_secs(30);
/// How long a child without work is kept.
const IDLE: Duration = Duration::from_secs(60);
/// Most bytes of headers that are read of an unreadable mail.
const HEADERS: usize = 256 * 1024;

pub struct MailPool {
    program: PathBuf,
    idle: Mutex<Vec<Reader>>,
    slots: Semaphore,
    /// Whether the missing seccomp was logged.
    warned: AtomicBool,
}

#[derive(Debug)]
pub enum Reading {
    Read(Mail),
    /// The mail crashed its parser or took too long. Contains its headers, if those could be parsed.
    Unreadable(Option<Mail>),
}

impl MailPool {
    pub fn new(program: PathBuf) -> MailPool {
        let (idle, slots) = (Mutex::new(Vec::new()), Semaphore::new(CHILDREN));
        MailPool { program, idle, slots, warned: AtomicBool::new(false) }
    }

    /// Parses a mail in a child. An error means that no child can be started, not that the mail is bad.
    pub async fn read(&self, mail: &[u8]) -> Result<Reading, Error> {
        let closed = |_| Error::Unavailable("the server stops".into());
        let _slot = self.slots.acquire().await.map_err(closed)?;
        if let Some(mail) = self.attempt(wire::What::Whole, mail, TIME).await? {
            return Ok(Reading::Read(mail));
        }
        Ok(Reading::Unreadable(self.attempt(wire::What::Headers, headers(mail), HEADERS_TIME).await?))
    }

    /// Ends the children that had no work for a while.
    pub fn end_idle(&self) {
        let now = clock::instant();
        self.lock().retain(|reader| now - reader.used < IDLE);
    }

    /// Ends all children that have no work, and starts no more.
    pub fn close(&self) {
        self.slots.close();
        self.lock().clear();
    }

    /// `None` if the mail can't be read. A child may crash for lack of memory or because of an earlier mail, so a new child
    /// tries once more in the remaining time.
    async fn attempt(&self, what: wire::What, mail: &[u8], mut time: Duration) -> Result<Option<Mail>, Error> {
        let mut kept = self.lock().pop();
        for _ in 0..2 {
            let mut reader = match kept.take() {
                Some(reader) => reader,
                None => self.start().await?,
            };
            let began = clock::instant();
            let answer = tokio::time::timeout(time, reader.exchange(what, mail)).await;
            let took = clock::instant() - began;
            match answer {
                Ok(Ok((mail, last))) => {
                    if !last && !self.slots.is_closed() {
                        reader.used = clock::instant();
                        self.lock().push(reader);
                    }
                    return Ok(Some(mail));
                }
                Ok(Err(error)) => {
                    tracing::info!(%error, "a mail reader crashed; retrying with a new one");
                    time = time.saturating_sub(took);
                }
                Err(_) if took > time + STALLED => {
                    tracing::info!("a mail reader timed out because the machine was suspended; retrying")
                }
                Err(_) => {
                    tracing::info!("a mail reader took longer than {} s and was killed", time.as_secs());
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }

    async fn start(&self) -> Result<Reader, Error> {
        let failed = |error: std::io::Error| Error::Unavailable(format!("no mail reader can be started: {error}"));
        let started = tokio::time::timeout(START, Reader::start(&self.program)).await;
        let (reader, confinement) =
            started.map_err(|_| failed(std::io::ErrorKind::TimedOut.into()))?.map_err(failed)?;
        if !confinement.seccomp && !self.warned.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                ?confinement,
                "this kernel has no seccomp: mails are read with limits on memory and time alone"
            );
        }
        Ok(reader)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Reader>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One child. It is killed when this is dropped.
struct Reader {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    used: Instant,
    _child: Child,
}

impl Reader {
    /// Starts a child and waits until it is confined.
    async fn start(program: &PathBuf) -> std::io::Result<(Reader, wire::Confinement)> {
        let mut child = Command::new(program)
            .args(["read-mail", "--config", "/dev/null"])
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(std::io::ErrorKind::BrokenPipe.into());
        };
        let output = BufReader::with_capacity(64 * 1024, output);
        let mut reader = Reader { input, output, used: clock::instant(), _child: child };
        let confinement = serde_json::from_slice(&reader.head().await?)?;
        Ok((reader, confinement))
    }

    async fn exchange(&mut self, what: wire::What, mail: &[u8]) -> std::io::Result<(Mail, bool)> {
        // One write for both, so that the child wakes once.
        let request = [&wire::request_head(what, mail)[..], mail].concat();
        self.input.write_all(&request).await?;
        drop(request);
        let wire::Answer { mut mail, sizes, last } = wire::answer(&self.head().await?)?;
        for (Attachment { content, .. }, size) in mail.attachments.iter_mut().zip(sizes) {
            content.resize(size, 0);
            self.output.read_exact(content).await?;
        }
        if !self.output.buffer().is_empty() {
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, "more than one answer"));
        }
        Ok((mail, last))
    }

    async fn head(&mut self) -> std::io::Result<Vec<u8>> {
        let mut length = [0; 4];
        self.output.read_exact(&mut length).await?;
        let mut head = vec![0; wire::head_length(length)?];
        self.output.read_exact(&mut head).await?;
        Ok(head)
    }
}

/// The headers of a mail with the empty line after them, up to the limit.
fn headers(mail: &[u8]) -> &[u8] {
    let mail = &mail[..mail.len().min(HEADERS)];
    let end = (0..mail.len()).find(|at| mail[*at..].starts_with(b"\n\n") || mail[*at..].starts_with(b"\n\r\n"));
    end.map_or(mail, |at| &mail[..(at + 3).min(mail.len())])
}
