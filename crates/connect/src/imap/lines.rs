//! A filter between an IMAP server and the library, which parses an answer from its beginning each time more of it
//! arrives. The filter passes on whole lines only and limits the length of an answer, so that parsing takes time in
//! proportion to it. It also limits all answers to one command, because a server may send them without end, and the
//! parentheses of an answer, because the library parses nested ones by recursion. Each answer must be whole for the library,
//! too: otherwise it would wait for more and parse all later lines again and again.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use async_imap::imap_proto::Response;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::transport::Stream;

/// The limit of an answer without its literals, which contain the mails. The answers to our commands need a quarter of
/// it.
pub(super) const LONGEST_ANSWER: usize = 256 * 1024;
/// The answers to our commands have one literal each.
const MOST_LITERALS: usize = 100;
/// The limit of all literals of an answer: somewhat more than the largest mail that is fetched whole. A server may say that
/// a mail is small, and then send something large.
const LARGEST_LITERALS: u64 = 40 * 1024 * 1024;
/// The limit of opening parentheses in an answer without its literals. The answers to our commands need three; a folder's
/// name may contain some.
const MOST_PARENTHESES: usize = 200;
/// The limit of all answers to a command without their literals: the news of a folder in which 100,000 mails were deleted
/// need a quarter of it.
const LONGEST_ANSWERS: usize = 8 * 1024 * 1024;
/// The limit of the literals of all answers to a command.
const LARGEST_MAILS: u64 = LARGEST_LITERALS + super::PIECE;

#[derive(Debug)]
pub(super) struct Lines {
    stream: Box<dyn Stream>,
    /// Received bytes: whole lines, those from `given` on not yet passed to the library, and the beginning of the next.
    held: Vec<u8>,
    given: usize,
    /// How many bytes of `held` are whole lines and literals.
    whole: usize,
    /// The remaining bytes of a literal.
    literal: u64,
    /// The length of the current answer.
    length: usize,
    parentheses: usize,
    /// The current answer with empty literals.
    skeleton: Vec<u8>,
    literals: usize,
    /// The bytes of its literals.
    literal_bytes: u64,
    /// The same of all answers since the last command.
    answered: usize,
    answered_literals: u64,
    is_ended: bool,
    refusal: Refusal,
}

/// The last command that the server refused with NO or BAD. The library takes a refused SEARCH or FETCH for one that found
/// nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Refusal(Arc<Mutex<Option<String>>>);

impl Refusal {
    /// The server's words, once.
    pub(super) fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn note(&self, line: &[u8]) {
        let line = String::from_utf8_lossy(line);
        let mut words = line.trim_end().splitn(3, ' ');
        let (tag, status) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        if !["*", "+"].contains(&tag) && ["NO", "BAD"].contains(&status.to_ascii_uppercase().as_str()) {
            let said = words.next().unwrap_or_default().to_owned();
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(said);
        }
    }
}

impl Lines {
    pub(super) fn new(stream: Box<dyn Stream>, refusal: Refusal) -> Lines {
        Lines {
            stream,
            held: Vec::new(),
            given: 0,
            whole: 0,
            literal: 0,
            length: 0,
            parentheses: 0,
            skeleton: Vec::new(),
            literals: 0,
            literal_bytes: 0,
            answered: 0,
            answered_literals: 0,
            is_ended: false,
            refusal,
        }
    }

    pub(super) fn into_inner(self) -> Box<dyn Stream> {
        self.stream
    }

    /// Finds the whole lines in `held`, of which the last `fresh` bytes are new.
    fn scan(&mut self, fresh: usize) -> io::Result<()> {
        let mut at = self.held.len() - fresh;
        while at < self.held.len() {
            if self.literal > 0 {
                let some = (self.held.len() - at).min(usize::try_from(self.literal).unwrap_or(usize::MAX));
                self.literal -= some as u64;
                at += some;
                self.whole = at;
                continue;
            }
            let rest = &self.held[at..];
            let Some(end) = rest.iter().position(|byte| *byte == b'\n') else {
                self.length += rest.len();
                break;
            };
            self.length += end + 1;
            self.answered += end + 1;
            at += end + 1;
            let line = &self.held[self.whole..at];
            if self.literals == 0 {
                self.refusal.note(line);
            }
            self.parentheses += line.iter().filter(|byte| **byte == b'(').count();
            if self.parentheses > MOST_PARENTHESES {
                return Err(refused("the answer has too many parentheses"));
            }
            match literal(line).filter(|_| self.literals > 0 || takes_literals(line)) {
                Some(size) => {
                    self.skeleton.extend(without_size(line));
                    (self.literal, self.literals) = (size, self.literals + 1);
                    self.literal_bytes = self.literal_bytes.saturating_add(size);
                    self.answered_literals = self.answered_literals.saturating_add(size);
                    let is_large = self.literal_bytes > LARGEST_LITERALS || self.answered_literals > LARGEST_MAILS;
                    if self.literals > MOST_LITERALS || is_large {
                        return Err(too_long());
                    }
                }
                None if self.length > LONGEST_ANSWER => return Err(too_long()),
                None => {
                    self.skeleton.extend(line);
                    check(&self.skeleton)?;
                    self.skeleton.clear();
                    (self.length, self.parentheses) = (0, 0);
                    (self.literals, self.literal_bytes) = (0, 0);
                }
            }
            self.whole = at;
        }
        if self.length > LONGEST_ANSWER || self.answered > LONGEST_ANSWERS { Err(too_long()) } else { Ok(()) }
    }
}

fn too_long() -> io::Error {
    refused("the answer is too long")
}

/// Refuses an answer that the library does not understand, or that is unfinished for it.
fn check(skeleton: &[u8]) -> io::Result<()> {
    match Response::parse(skeleton) {
        Ok(([], _)) => Ok(()),
        _ => Err(refused("the answer is not understood")),
    }
}

/// The line with the size 0 for the literal that its end announces.
fn without_size(line: &[u8]) -> Vec<u8> {
    let (start, end) = line.split_at(line.iter().rposition(|byte| *byte == b'{').map_or(line.len(), |at| at + 1));
    let digits = end.iter().take_while(|byte| byte.is_ascii_digit()).count();
    [start, b"0", &end[digits..]].concat()
}

fn refused(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

/// Whether an answer that begins so may contain literals: a FETCH or a LIST. The text of others may look like one.
fn takes_literals(line: &[u8]) -> bool {
    let rest = line.strip_prefix(b"* ").unwrap_or_default();
    rest.first().is_some_and(u8::is_ascii_digit)
        || rest.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"LIST "))
}

/// The size of the literal that the end of a line announces: `{5}` or `{5+}`.
fn literal(line: &[u8]) -> Option<u64> {
    let line = line.strip_suffix(b"\n")?;
    let inner = line.strip_suffix(b"\r").unwrap_or(line).strip_suffix(b"}")?;
    let digits = &inner[inner.iter().rposition(|byte| *byte == b'{')? + 1..];
    let digits = digits.strip_suffix(b"+").unwrap_or(digits);
    std::str::from_utf8(digits).ok()?.parse().ok()
}

impl AsyncRead for Lines {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        loop {
            // An incomplete last line is passed on too: the library reports the error.
            let end = if this.is_ended { this.held.len() } else { this.whole };
            if this.given < end {
                let some = (end - this.given).min(buf.remaining());
                buf.put_slice(&this.held[this.given..this.given + some]);
                this.given += some;
                if this.given == end {
                    this.held.drain(..end);
                    (this.given, this.whole) = (0, 0);
                }
                return Poll::Ready(Ok(()));
            }
            if this.is_ended {
                return Poll::Ready(Ok(()));
            }
            let mut piece = [0; 8 * 1024];
            let mut piece = ReadBuf::new(&mut piece);
            ready!(Pin::new(&mut this.stream).poll_read(cx, &mut piece))?;
            let fresh = piece.filled();
            this.is_ended = fresh.is_empty();
            this.held.extend_from_slice(fresh);
            this.scan(fresh.len())?;
        }
    }
}

impl AsyncWrite for Lines {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        (self.answered, self.answered_literals) = (0, 0);
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[tokio::test]
    async fn each_command_may_have_as_many_answers() {
        let (here, mut there) = tokio::io::duplex(4096);
        let answers = b"* 1 FETCH (UID 1)\r\n".repeat(LONGEST_ANSWERS / 2 / 19);
        let length = answers.len();
        let sending = async move {
            for _ in 0..3 {
                there.read_exact(&mut [0; 6]).await.expect("a command");
                there.write_all(&answers).await.expect("a client");
            }
        };
        let asking = async move {
            let (mut lines, mut got) = (Lines::new(Box::new(here), Refusal::default()), vec![0; length]);
            for _ in 0..3 {
                lines.write_all(b"A NOOP").await.expect("a server");
                lines.read_exact(&mut got).await.expect("the answers");
            }
        };
        futures_util::future::join(sending, asking).await;
    }

    /// Sends pieces one at a time; returns the bytes of each read, and the error that ended reading.
    async fn received(pieces: Vec<Vec<u8>>) -> (Vec<Vec<u8>>, Option<String>) {
        let (here, mut there) = tokio::io::duplex(64);
        let sending = async move {
            for piece in pieces {
                if there.write_all(&piece).await.is_err() {
                    return;
                }
            }
        };
        let receiving = async move {
            let (mut lines, mut got) = (Lines::new(Box::new(here), Refusal::default()), Vec::new());
            let mut buf = vec![0; 4096];
            loop {
                match lines.read(&mut buf).await {
                    Ok(0) => return (got, None),
                    Ok(some) => got.push(buf[..some].to_vec()),
                    Err(error) => return (got, Some(error.to_string())),
                }
            }
        };
        futures_util::future::join(sending, receiving).await.1
    }

    #[tokio::test]
    async fn the_library_receives_whole_lines() {
        let drip = b"* SEARCH 1 2 3\r\n* OK x\r\n".chunks(1).map(<[u8]>::to_vec).collect();
        let (got, error) = received(drip).await;
        assert_eq!((got.concat(), error), (b"* SEARCH 1 2 3\r\n* OK x\r\n".to_vec(), None));
        assert!(got.iter().all(|piece| piece.ends_with(b"\r\n")), "{got:?}");
        // A literal may contain anything, and is passed on as it arrives.
        let mail = b"* 1 FETCH (UID 7 BODY[] {9}\r\na\nb{5}\r\nx)\r\nA1 OK\r\n";
        let (got, error) = received(vec![mail.to_vec()]).await;
        assert_eq!((got.concat(), error), (mail.to_vec(), None));
        // The library reports a connection that ends in the middle of a line.
        let (got, error) = received(vec![b"* OK x\r\n* OK".to_vec()]).await;
        assert_eq!((got.concat(), error), (b"* OK x\r\n* OK".to_vec(), None));
    }

    #[tokio::test]
    async fn an_answer_with_many_parentheses_is_refused() {
        let error = Some("the answer has too many parentheses".to_owned());
        let deep = format!("* 1 FETCH (UID 1 BODYSTRUCTURE {}{})\r\n", "(".repeat(2000), ")".repeat(2000));
        assert_eq!(received(vec![deep.into_bytes()]).await, (vec![], error.clone()));
        // Nested in the second part of each, so that no two opening ones are neighbours, with others in quotes.
        let parts = "(\"text\" \"plain\" NIL NIL \")\" \"7bit\" 1 1)(".repeat(2000);
        let deep = format!("* 1 FETCH (UID 1 BODYSTRUCTURE ({parts}\r\n");
        assert_eq!(received(vec![deep.into_bytes()]).await, (vec![], error.clone()));
        // Divided by literals.
        let mut deep = vec![b"* 1 FETCH (BODYSTRUCTURE ".to_vec()];
        deep.extend((0..90).map(|_| b"((((\"a\" {1}\r\nx".to_vec()));
        let (got, refused) = received(deep).await;
        assert!(got.concat().len() < 1000 && refused == error, "{refused:?}");
        // A mail may contain as many as it likes, and so may many answers together.
        let mail = format!("* 1 FETCH (UID 7 BODY[] {{5000}}\r\n{})\r\n", "(".repeat(5000)).into_bytes();
        let (got, error) = received(vec![mail.clone()]).await;
        assert!(got.concat() == mail && error.is_none(), "{error:?}");
        let many = b"* 1 FETCH (FLAGS (\\Seen))\r\n".repeat(1000);
        let (got, error) = received(vec![many.clone()]).await;
        assert!(got.concat() == many && error.is_none(), "{error:?}");
    }

    #[tokio::test]
    async fn an_answer_that_the_library_would_wait_for_is_refused() {
        for unfinished in ["FLAGS (x", "BODYSTRUCTURE (\"TEXT\" \"PLAIN\" x", "BODY[] {1}\r\na FLAGS (x"] {
            let line = format!("* 1 FETCH (UID 1 {unfinished}\r\n").into_bytes();
            assert_eq!(
                received(vec![line; 1000]).await.1.as_deref(),
                Some("the answer is not understood"),
                "{unfinished}"
            );
        }
        let literal = b"* LIST () \"/\" {4}\r\nSent\r\n* LIST () \"/\" {0}\r\n\r\n".to_vec();
        let (got, error) = received(vec![literal.clone()]).await;
        assert_eq!((got.concat(), error), (literal, None));
    }

    #[tokio::test]
    async fn an_answer_that_is_too_long_is_refused() {
        let endless = (0..LONGEST_ANSWER / 8).map(|_| b" 1234567890".to_vec()).collect();
        assert_eq!(received(endless).await, (vec![], Some("the answer is too long".into())));
        let mut literals = vec![b"* 1 FETCH (".to_vec()];
        literals.extend((0..1000).map(|_| b"{1}\r\nx".to_vec()));
        assert_eq!(received(literals).await.1.as_deref(), Some("the answer is too long"));
        let large = format!("* 1 FETCH (UID 7 BODY[] {{{}}}\r\n", LARGEST_LITERALS + 1).into_bytes();
        assert_eq!(received(vec![large]).await, (vec![], Some("the answer is too long".into())));
        // Text that only looks like a literal is not one.
        let mut hidden = vec![b"* OK x {999999999}\r\n* SEARCH".to_vec()];
        hidden.extend((0..LONGEST_ANSWER / 8).map(|_| b" 1234567890".to_vec()));
        assert_eq!(received(hidden).await.1.as_deref(), Some("the answer is too long"));
        // Many short answers are allowed.
        let many = (0..LONGEST_ANSWER / 8).map(|_| b"* 1 EXISTS\r\n".to_vec()).collect();
        let (got, error) = received(many).await;
        assert_eq!((got.concat().len(), error), (LONGEST_ANSWER / 8 * 12, None));
        // An endless number of short answers is not, nor are many mails.
        let endless = (0..LONGEST_ANSWERS / 1200).map(|_| b"* 1 FETCH (UID 1)\r\n".repeat(100)).collect();
        assert_eq!(received(endless).await.1.as_deref(), Some("the answer is too long"));
        let mail = [&b"* 1 FETCH (UID 7 BODY[] {1000000}\r\n"[..], &[b'a'; 1_000_000], b")\r\n"].concat();
        assert_eq!(received(vec![mail; 60]).await.1.as_deref(), Some("the answer is too long"));
        // A mail may be longer than the limit of an answer.
        let mut mail = format!("* 1 FETCH (UID 7 BODY[] {{{}}}\r\n", 2 * LONGEST_ANSWER).into_bytes();
        mail.extend(vec![b'a'; 2 * LONGEST_ANSWER]);
        mail.extend(b")\r\n");
        let (got, error) = received(vec![mail.clone()]).await;
        assert!(got.concat() == mail && error.is_none(), "{error:?}");
    }
}
