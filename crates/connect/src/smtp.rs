//! Sending mail. A session is opened once and carries many mails. The protocol is implemented here, because no library
//! exposes one boundary: before the final dot of a mail is sent, nothing was delivered; after it, the outcome is
//! unknown until the server answers. `may_commit` is called exactly there.

use std::io;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};

use crate::fault::{Fault, SendError};
use crate::mail::address::ascii_domain;
use crate::mail::verdict::{self, Said, Verdict};
use crate::server::{Auth, Login, Server, Tls, Unopened};
use crate::transport::{Stream, open, secure, within, words};

pub struct Session {
    stream: BufReader<Box<dyn Stream>>,
    server: Server,
    extensions: Extensions,
    open: bool,
}

/// The capabilities that the server announced.
#[derive(Default)]
struct Extensions {
    login: Vec<String>,
    pipelining: bool,
    eight_bit: bool,
    utf8: bool,
    size: Option<usize>,
    starttls: bool,
}

/// What the server answered.
struct Reply {
    code: u16,
    lines: Vec<String>,
}

impl Reply {
    fn text(&self) -> String {
        format!("{} {}", self.code, self.lines.join(" "))
    }

    fn good(&self) -> bool {
        (200..400).contains(&self.code)
    }
}

/// A mail that the server accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The server's answer to the mail.
    pub answer: String,
}

/// Connects, starts TLS, greets, logs in and quits.
pub async fn check(server: &Server) -> Result<(), Fault> {
    let session = Session::connect(server).await?;
    session.quit().await;
    Ok(())
}

/// The longest answer that is read, in bytes of all its lines.
const LONGEST_REPLY: u64 = 64 * 1024;

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
        let (stream, name) = open(server).await?;
        let extensions = Extensions::default();
        let mut session = Session { stream: BufReader::new(stream), server: server.clone(), extensions, open: true };
        let greeting = session.reply("a greeting").await?;
        session.need(&greeting, 220)?;
        session.hello(&name).await?;
        if server.tls == Tls::StartTls {
            session = session.secured(&name).await?;
        }
        if let Some(login) = &server.login {
            session.log_in(login).await?;
        }
        Ok(session)
    }

    /// Whether another mail can be sent over this session, as far as is known.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Checks with NOOP whether the server still answers, after a pause.
    pub async fn keep_alive(&mut self) -> bool {
        self.open && self.command("NOOP").await.is_ok_and(|reply| reply.good())
    }

    /// Sends a mail. It goes to all recipients or, if one is refused, to none. `may_commit` is called immediately
    /// before the final dot; if it returns false the connection is dropped and nothing is sent.
    pub async fn send(
        &mut self,
        from: &str,
        to: &[&str],
        message: &[u8],
        may_commit: &(dyn Fn() -> bool + Send + Sync),
    ) -> Result<Sent, SendError> {
        if !self.open {
            return Err(Fault::Unreached(format!("{}: the connection was closed", self.server)).into());
        }
        self.envelope(from, to, message).await?;
        let ready = self.command("DATA").await?;
        if ready.code != 354 {
            let fault = self.blame(&ready, Said::OfMessage);
            self.reset().await;
            return Err(fault.into());
        }
        let body = stuffed(message);
        let handed = within(self.server.timeouts.body, "the end of a mail", self.write(&body)).await;
        self.lost_if_failed(handed)?;
        if !may_commit() {
            self.drop_connection().await;
            return Err(Fault::Refused.into());
        }
        match within(self.server.timeouts.answer, "an answer to a mail", self.commit()).await {
            Ok(Ok(reply)) if (200..300).contains(&reply.code) => Ok(Sent { answer: reply.text() }),
            // It is no answer to a mail.
            Ok(Ok(reply)) if reply.code < 400 => {
                self.open = false;
                Err(SendError::Unknown(format!("{}: {}", self.server, reply.text())))
            }
            Ok(Ok(reply)) => {
                let fault = self.blame(&reply, Said::OfMessage);
                // Postfix does not end the mail that a policy refuses at its end, and refuses the next one with 503.
                self.reset().await;
                Err(fault.into())
            }
            Ok(Err(error)) => {
                self.open = false;
                Err(SendError::Unknown(format!("{}: {error}", self.server)))
            }
            Err(fault) => {
                self.open = false;
                Err(SendError::Unknown(format!("{}: {fault}", self.server)))
            }
        }
    }

    /// Quits without waiting for long.
    pub async fn quit(mut self) {
        if self.open {
            let _ = tokio::time::timeout(Duration::from_secs(2), self.command("QUIT")).await;
        }
    }

    /// Disconnects in the middle of a mail: without the final dot nothing is sent.
    async fn drop_connection(&mut self) {
        self.open = false;
        let _ = tokio::time::timeout(Duration::from_secs(1), self.stream.get_mut().shutdown()).await;
    }

    async fn commit(&mut self) -> io::Result<Reply> {
        self.write(b".\r\n").await?;
        self.read_reply().await
    }

    async fn envelope(&mut self, from: &str, to: &[&str], message: &[u8]) -> Result<(), Fault> {
        if to.is_empty() {
            return Err(Fault::Recipient("there is no recipient".to_owned()));
        }
        let (from, to) = (ascii_domain(from), to.iter().map(|to| ascii_domain(to)).collect::<Vec<_>>());
        for (at, address) in to.iter().chain([&from]).enumerate() {
            self.addressable(address).map_err(|fault| match fault {
                Fault::Recipient(why) if at > 0 => Fault::Message(why),
                fault => fault,
            })?;
        }
        let (from, to) = (&*from, &to.iter().map(|to| &**to).collect::<Vec<_>>()[..]);
        if let Some(most) = self.extensions.size.filter(|most| *most > 0 && message.len() > *most) {
            return Err(Fault::Message(format!(
                "the mail has {} bytes, and {} takes {most} at most",
                message.len(),
                self.server
            )));
        }
        let mut mail = format!("MAIL FROM:<{from}>");
        if self.extensions.size.is_some() {
            mail.push_str(&format!(" SIZE={}", message.len()));
        }
        if self.extensions.eight_bit && !message.is_ascii() {
            mail.push_str(" BODY=8BITMIME");
        }
        if self.extensions.utf8 && !(from.is_ascii() && to.iter().all(|to| to.is_ascii())) {
            mail.push_str(" SMTPUTF8");
        }
        let mut commands = vec![mail];
        commands.extend(to.iter().map(|to| format!("RCPT TO:<{to}>")));
        let mut refused = None;
        if self.extensions.pipelining {
            let all: String = commands.iter().map(|command| format!("{command}\r\n")).collect();
            let replies =
                within(self.server.timeouts.command, "an answer to MAIL", self.exchange(&all, commands.len()));
            let replies = replies.await;
            for (at, reply) in self.lost_if_failed(replies)?.iter().enumerate() {
                refused = refused.or_else(|| self.unwelcome(at, to, reply));
            }
        } else {
            for (at, command) in commands.iter().enumerate() {
                let reply = self.command(command).await?;
                refused = self.unwelcome(at, to, &reply);
                if refused.is_some() {
                    break;
                }
            }
        }
        let Some(fault) = refused else { return Ok(()) };
        self.reset().await;
        Err(fault)
    }

    /// The fault for an answer to the command of the envelope at this position, if it is a refusal.
    fn unwelcome(&mut self, at: usize, to: &[&str], reply: &Reply) -> Option<Fault> {
        if reply.good() {
            return None;
        }
        let said = if at == 0 { Said::OfSender } else { Said::OfRecipient };
        let fault = self.blame(reply, said);
        Some(match fault {
            // Only the first recipient is the one that the mail is to; an address in copy is at fault in the message.
            Fault::Recipient(text) if at > 1 => Fault::Message(format!("{}: {text}", to[at - 1])),
            fault => fault,
        })
    }

    /// Accepts only text that is valid between angle brackets: anything else could be another command.
    fn addressable(&self, address: &str) -> Result<(), Fault> {
        let plain = address.len() <= 320
            && address.split_once('@').is_some_and(|(local, host)| !local.is_empty() && !host.is_empty())
            && !address.chars().any(|letter| letter.is_control() || letter.is_whitespace() || "<>".contains(letter));
        match plain {
            false => {
                Err(Fault::Recipient(format!("{} is not an address that mail can be sent to", address.escape_debug())))
            }
            true if !address.is_ascii() && !self.extensions.utf8 => Err(Fault::Message(format!(
                "{} takes no address with other letters than ASCII: {address}",
                self.server
            ))),
            true => Ok(()),
        }
    }

    /// Makes the session ready for the next mail, or closes it.
    async fn reset(&mut self) {
        if self.open && !self.command("RSET").await.is_ok_and(|reply| reply.good()) {
            self.open = false;
        }
    }

    async fn hello(&mut self, name: &str) -> Result<(), Fault> {
        let reply = self.command(&format!("EHLO {name}")).await?;
        self.extensions = Extensions::default();
        if reply.code >= 500 && reply.code != 521 && reply.code != 554 {
            let reply = self.command(&format!("HELO {name}")).await?;
            return self.need(&reply, 250);
        }
        self.need(&reply, 250)?;
        for line in &reply.lines[1..] {
            let mut words = line.split([' ', '=']).filter(|word| !word.is_empty()).map(str::to_ascii_uppercase);
            match words.next().as_deref() {
                Some("AUTH") => self.extensions.login.extend(words),
                Some("PIPELINING") => self.extensions.pipelining = true,
                Some("8BITMIME") => self.extensions.eight_bit = true,
                Some("SMTPUTF8") => self.extensions.utf8 = true,
                Some("STARTTLS") => self.extensions.starttls = true,
                Some("SIZE") => self.extensions.size = words.next().and_then(|size| size.parse().ok()).or(Some(0)),
                _ => {}
            }
        }
        Ok(())
    }

    async fn secured(mut self, name: &str) -> Result<Session, Fault> {
        if !self.extensions.starttls {
            return Err(Fault::Sender(format!("{} offers no STARTTLS; try tls=tls", self.server)));
        }
        let reply = self.command("STARTTLS").await?;
        self.need(&reply, 220)?;
        // Unencrypted bytes after the answer to STARTTLS may have been injected by an attacker.
        if !self.stream.buffer().is_empty() {
            return Err(Fault::Unreached(format!("{} talks on in the clear after STARTTLS", self.server)));
        }
        self.stream = BufReader::new(secure(&self.server, self.stream.into_inner()).await?);
        self.hello(name).await?;
        Ok(self)
    }

    async fn log_in(&mut self, login: &Login) -> Result<(), Unopened> {
        let offered = |name: &str| self.extensions.login.iter().any(|offered| offered == name);
        let encoded = |text: &str| BASE64_STANDARD.encode(text);
        let Login { user, secret, by } = login;
        let steps = match by {
            Auth::Xoauth2 if offered("XOAUTH2") => {
                vec![format!("AUTH XOAUTH2 {}", encoded(&format!("user={user}\x01auth=Bearer {secret}\x01\x01")))]
            }
            Auth::Password if offered("PLAIN") => {
                vec![format!("AUTH PLAIN {}", encoded(&format!("\0{user}\0{secret}")))]
            }
            Auth::Password if offered("LOGIN") => vec!["AUTH LOGIN".to_owned(), encoded(user), encoded(secret)],
            _ => {
                let offered = match self.extensions.login.join(", ") {
                    none if none.is_empty() => "none".to_owned(),
                    some => some,
                };
                let wanted = if *by == Auth::Xoauth2 { "XOAUTH2" } else { "PLAIN or LOGIN" };
                let text = format!("{} takes no login by {wanted}; it offers {offered}", self.server);
                return Err(Fault::Sender(text).into());
            }
        };
        let mut reply = Reply { code: 334, lines: Vec::new() };
        for step in &steps {
            if reply.code != 334 {
                break;
            }
            reply = self.command(step).await?;
        }
        // A challenge explains a refused token, and requires an empty answer before the refusal itself.
        if reply.code == 334 && *by == Auth::Xoauth2 {
            reply = self.command("").await?;
        }
        match reply.code {
            235 => Ok(()),
            400..500 => Err(Fault::Throttled(format!("{}: {}", self.server, reply.text())).into()),
            _ => {
                let text = format!("{} refused the login: {}", self.server, reply.text());
                Err(Unopened::Login(Fault::Sender(text)))
            }
        }
    }

    fn need(&mut self, reply: &Reply, code: u16) -> Result<(), Fault> {
        if reply.code == code {
            return Ok(());
        }
        self.open = false;
        Err(match reply.code {
            400..500 => Fault::Throttled(format!("{}: {}", self.server, reply.text())),
            500.. => Fault::Sender(format!("{}: {}", self.server, reply.text())),
            _ => Fault::Unreached(format!("{} is not understood: {}", self.server, reply.text())),
        })
    }

    fn blame(&mut self, reply: &Reply, said: Said) -> Fault {
        if reply.code == 421 {
            self.open = false;
        }
        let text = reply.text();
        match verdict::of_reply(reply.code, &text, said) {
            Verdict::Temporary => Fault::temporary(text),
            Verdict::Recipient => Fault::Recipient(text),
            Verdict::Limit => Fault::Throttled(text),
            Verdict::Sender => Fault::Sender(text),
            Verdict::Message => Fault::Message(text),
        }
    }

    async fn command(&mut self, command: &str) -> Result<Reply, Fault> {
        let what = format!("an answer to {}", command.split(' ').next().unwrap_or_default());
        let line = format!("{command}\r\n");
        let replies = within(self.server.timeouts.command, &what, self.exchange(&line, 1)).await;
        let mut replies = self.lost_if_failed(replies)?;
        replies.pop().ok_or_else(|| Fault::Unreached(format!("{}: no answer", self.server)))
    }

    async fn reply(&mut self, what: &str) -> Result<Reply, Fault> {
        let reply = within(self.server.timeouts.command, what, self.read_reply()).await;
        self.lost_if_failed(reply)
    }

    /// A connection that is lost before the final dot means that nothing was sent.
    fn lost_if_failed<T>(&mut self, result: Result<io::Result<T>, Fault>) -> Result<T, Fault> {
        let server = &self.server;
        let lost = match result {
            Ok(Ok(value)) => return Ok(value),
            Ok(Err(error)) => Fault::Unreached(format!("{server}: {}", words(&error))),
            Err(fault) => Fault::Unreached(format!("{server}: {fault}")),
        };
        self.open = false;
        Err(lost)
    }

    async fn exchange(&mut self, commands: &str, answers: usize) -> io::Result<Vec<Reply>> {
        self.write(commands.as_bytes()).await?;
        let mut replies = Vec::with_capacity(answers);
        for _ in 0..answers {
            replies.push(self.read_reply().await?);
        }
        Ok(replies)
    }

    async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let stream = self.stream.get_mut();
        stream.write_all(bytes).await?;
        stream.flush().await
    }

    async fn read_reply(&mut self) -> io::Result<Reply> {
        let mut lines = Vec::new();
        let mut left = LONGEST_REPLY;
        loop {
            let mut line = Vec::new();
            let read = (&mut self.stream).take(left).read_until(b'\n', &mut line).await?;
            left -= read as u64;
            if line.last() != Some(&b'\n') {
                let why = if left == 0 { "the answer is too long" } else { "the server closed the connection" };
                return Err(io::Error::other(why));
            }
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end();
            let code = line.get(..3).and_then(|code| code.parse().ok()).filter(|code| (200..600).contains(code));
            let (Some(code), last) = (code, line.as_bytes().get(3) != Some(&b'-')) else {
                return Err(io::Error::other(format!(
                    "the server's answer is not understood: {}",
                    line.escape_debug()
                )));
            };
            lines.push(line.get(4..).unwrap_or_default().to_owned());
            if last {
                return Ok(Reply { code, lines });
            }
        }
    }
}

/// The mail as it is transferred: lines end in CR LF, and a leading dot is doubled. The final dot is not included.
fn stuffed(message: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(message.len() + message.len() / 64 + 2);
    let mut at_start = true;
    let mut bytes = message.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\r' | b'\n' => {
                if byte == b'\r' && bytes.peek() == Some(&b'\n') {
                    bytes.next();
                }
                out.extend(b"\r\n");
                at_start = true;
            }
            _ => {
                if at_start && byte == b'.' {
                    out.push(b'.');
                }
                out.push(byte);
                at_start = false;
            }
        }
    }
    if !at_start {
        out.extend(b"\r\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::stuffed;

    #[test]
    fn no_line_of_a_mail_ends_it() {
        assert_eq!(stuffed(b"a\r\n.\r\nb"), b"a\r\n..\r\nb\r\n");
        assert_eq!(stuffed(b".\n.\r.\r\n"), b"..\r\n..\r\n..\r\n");
        assert_eq!(stuffed(b""), b"");
    }
}
