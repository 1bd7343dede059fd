//! The sandbox's SMTP server. It accepts every mail, unless the script says otherwise.

use std::io;
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio_rustls::TlsAcceptor;

use crate::answers;
use crate::script::{Channel, Point, Target};
use crate::state::{Outcome, Received, Shared};
use crate::{clock, oauth};
use connect::transport::Stream;

/// The largest accepted mail.
pub(crate) const LARGEST: usize = 50 * 1024 * 1024;
const LONGEST_LINE: u64 = 16 * 1024;

struct Session {
    shared: Arc<Shared>,
    stream: BufReader<Box<dyn Stream>>,
    /// `None` after STARTTLS.
    acceptor: Option<TlsAcceptor>,
    user: Option<String>,
    from: Option<String>,
    to: Vec<String>,
    /// Buffered answers. They are sent when all pipelined commands have been read.
    out: Vec<u8>,
}

/// Ends the connection without an answer.
fn ended() -> io::Error {
    io::ErrorKind::ConnectionAborted.into()
}

pub(crate) async fn serve_client(
    shared: Arc<Shared>,
    stream: Box<dyn Stream>,
    acceptor: TlsAcceptor,
) -> io::Result<()> {
    let stream = BufReader::with_capacity(64 * 1024, stream);
    let mut session =
        Session { shared, stream, acceptor: Some(acceptor), user: None, from: None, to: Vec::new(), out: Vec::new() };
    session.apply_rule(Point::Greeting, "", None).await?;
    session.reply(220, "sandbox ESMTP");
    while let Some(line) = session.line().await? {
        let (verb, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match verb.to_ascii_uppercase().as_str() {
            "EHLO" => session.reply_ehlo(),
            "HELO" => session.reply(250, "sandbox"),
            "AUTH" => session.log_in(rest).await?,
            "STARTTLS" => session = session.start_tls().await?,
            "MAIL" => session.mail(rest),
            "RCPT" => session.recipient(rest).await?,
            "DATA" => session.data().await?,
            "RSET" => {
                session.reset();
                session.reply(250, "2.0.0 Forgotten");
            }
            "NOOP" | "VRFY" => session.reply(250, "2.0.0 Still here"),
            "QUIT" => {
                session.reply(221, "2.0.0 Goodbye");
                return session.flush().await;
            }
            _ => session.reply(500, "5.5.1 No such command"),
        }
    }
    Ok(())
}

impl Session {
    fn reply(&mut self, code: u16, text: &str) {
        self.out.extend(format!("{code} {text}\r\n").bytes());
    }

    async fn flush(&mut self) -> io::Result<()> {
        if !self.out.is_empty() {
            self.stream.get_mut().write_all(&self.out).await?;
            self.stream.get_mut().flush().await?;
            self.out.clear();
        }
        Ok(())
    }

    /// The next line. Buffered answers are sent before waiting for it.
    async fn line(&mut self) -> io::Result<Option<String>> {
        if self.stream.buffer().is_empty() {
            self.flush().await?;
        }
        let mut line = Vec::new();
        (&mut self.stream).take(LONGEST_LINE).read_until(b'\n', &mut line).await?;
        if line.last() != Some(&b'\n') {
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&line).trim_end().to_owned()))
    }

    /// Applies the script's rule for this point. Hangs or disconnects if the rule says so. Returns false after a refusal, which it
    /// has answered.
    async fn apply_rule(&mut self, point: Point, address: &str, subject: Option<&str>) -> io::Result<bool> {
        let names = [address];
        let target = Target { channel: Channel::Email, names: &names, subject };
        match self.shared.apply_rule(point, target).await {
            Outcome::Pass | Outcome::WrongAnswer(_) => Ok(true),
            Outcome::Hang => {
                self.flush().await?;
                // Hangs until the client disconnects.
                let mut nothing = [0; 512];
                while self.stream.read(&mut nothing).await? > 0 {}
                Err(ended())
            }
            Outcome::Drop => Err(ended()),
            Outcome::Refuse { code, text, .. } => {
                self.reply(code, &text);
                Ok(false)
            }
        }
    }

    fn reply_ehlo(&mut self) {
        let mut lines = vec!["sandbox".to_owned(), "PIPELINING".to_owned(), format!("SIZE {LARGEST}")];
        lines.extend(["8BITMIME", "SMTPUTF8", "ENHANCEDSTATUSCODES"].map(str::to_owned));
        if self.acceptor.is_some() {
            lines.push("STARTTLS".to_owned());
        }
        lines.push("AUTH PLAIN LOGIN XOAUTH2".to_owned());
        let last = lines.len() - 1;
        for (at, line) in lines.iter().enumerate() {
            self.out.extend(format!("250{}{line}\r\n", if at == last { ' ' } else { '-' }).bytes());
        }
        self.reset();
    }

    fn reset(&mut self) {
        self.from = None;
        self.to.clear();
    }

    async fn start_tls(mut self) -> io::Result<Session> {
        let Some(acceptor) = self.acceptor.take() else {
            self.reply(503, "5.5.1 It is secure already");
            return Ok(self);
        };
        self.reply(220, "2.0.0 Go ahead");
        self.flush().await?;
        let stream: Box<dyn Stream> = Box::new(acceptor.accept(self.stream.into_inner()).await?);
        let stream = BufReader::with_capacity(64 * 1024, stream);
        Ok(Session { stream, user: None, from: None, to: Vec::new(), ..self })
    }

    /// The client's decoded response to a challenge.
    async fn challenge(&mut self, prompt: &str) -> io::Result<String> {
        self.reply(334, &BASE64_STANDARD.encode(prompt));
        self.flush().await?;
        let line = self.line().await?.ok_or_else(ended)?;
        Ok(decoded(&line))
    }

    async fn log_in(&mut self, rest: &str) -> io::Result<()> {
        let (how, initial) = rest.split_once(' ').unwrap_or((rest, ""));
        let how = how.to_ascii_uppercase();
        let given = match (how.as_str(), initial) {
            ("LOGIN", "") => self.challenge("Username:").await?,
            ("LOGIN" | "PLAIN" | "XOAUTH2", some) if !some.is_empty() => decoded(some),
            ("PLAIN" | "XOAUTH2", _) => self.challenge("").await?,
            _ => {
                self.reply(504, "5.5.4 PLAIN, LOGIN or XOAUTH2");
                return Ok(());
            }
        };
        let user = match how.as_str() {
            "PLAIN" => given.split('\0').nth(1).unwrap_or_default().to_owned(),
            "XOAUTH2" => {
                let (user, token) = oauth::bearer(&given);
                if !user.is_empty() && !self.shared.admits(&user, &token) {
                    self.challenge(oauth::REFUSAL).await?;
                    self.reply(535, "5.7.8 The access token is not accepted");
                    return Ok(());
                }
                user
            }
            _ => {
                self.challenge("Password:").await?;
                given
            }
        };
        if user.is_empty() {
            self.reply(501, "5.5.2 No user in it");
        } else if self.apply_rule(Point::Login, &user, None).await? {
            self.user = Some(user);
            self.reply(235, "2.7.0 Welcome");
        }
        Ok(())
    }

    fn mail(&mut self, rest: &str) {
        let Some((from, parameters)) = path(rest, "FROM:") else {
            return self.reply(501, "5.5.4 MAIL FROM:<address>");
        };
        let size = parameters
            .split_whitespace()
            .find_map(|word| word.to_ascii_uppercase().strip_prefix("SIZE=")?.parse::<usize>().ok());
        if size.is_some_and(|size| size > LARGEST) {
            return self.reply(552, "5.3.4 The mail is too large");
        }
        self.to.clear();
        self.from = Some(from);
        self.reply(250, "2.1.0 Sender taken");
    }

    async fn recipient(&mut self, rest: &str) -> io::Result<()> {
        if self.from.is_none() {
            self.reply(503, "5.5.1 MAIL first");
            return Ok(());
        }
        match path(rest, "TO:") {
            Some((to, _)) if to.contains('@') => {
                if self.apply_rule(Point::Mail, &to, None).await? {
                    self.to.push(to);
                    self.reply(250, "2.1.5 Recipient taken");
                }
            }
            _ => self.reply(501, "5.1.3 RCPT TO:<address>"),
        }
        Ok(())
    }

    async fn data(&mut self) -> io::Result<()> {
        let (Some(from), Some(first)) = (self.from.clone(), self.to.first().cloned()) else {
            self.reply(503, "5.5.1 RCPT first");
            return Ok(());
        };
        if !self.apply_rule(Point::Data, &first, None).await? {
            return Ok(());
        }
        self.reply(354, "End with a dot on a line of its own");
        self.flush().await?;
        let Some(content) = self.body().await? else {
            self.reset();
            self.reply(552, "5.3.4 The mail is too large");
            return Ok(());
        };
        let info = answers::MailInfo::of(&content);
        if !self.apply_rule(Point::Dot, &first, Some(&info.subject)).await? {
            self.reset();
            return Ok(());
        }
        let to = std::mem::take(&mut self.to);
        let mail = Received {
            at: clock::now(),
            user: self.user.clone(),
            from: from.clone(),
            to: to.clone(),
            message_id: info.message_id.clone(),
            content: content.into(),
        };
        self.shared.accept(mail);
        self.reset();
        for to in &to {
            answers::to_mail(&self.shared, &from, to, &info);
        }
        if self.apply_rule(Point::Answer, &first, Some(&info.subject)).await? {
            self.reply(250, "2.0.0 Taken");
        }
        Ok(())
    }

    /// A mail up to its final dot, which counts only between two CR LF; `None` if the mail is too large.
    async fn body(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut content = Vec::new();
        let mut too_large = false;
        let mut complete = true;
        loop {
            let start = content.len();
            // A line that is longer than the largest mail ends the connection.
            (&mut self.stream).take(2 * LARGEST as u64).read_until(b'\n', &mut content).await?;
            if !content.ends_with(b"\n") {
                return Err(ended());
            }
            let line = &content[start..];
            if complete && line == b".\r\n" {
                content.truncate(start);
                return Ok((!too_large).then_some(content));
            }
            let stuffed = complete && line.starts_with(b"..");
            complete = line.ends_with(b"\r\n");
            if stuffed {
                content.remove(start);
            }
            if content.len() > LARGEST {
                too_large = true;
                content.clear();
            }
        }
    }
}

fn decoded(text: &str) -> String {
    let bytes = BASE64_STANDARD.decode(text.trim()).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The address between the angle brackets, and the parameters after them.
fn path(rest: &str, word: &str) -> Option<(String, String)> {
    let rest = rest.trim();
    let rest =
        rest.get(..word.len()).filter(|start| start.eq_ignore_ascii_case(word)).map(|_| rest[word.len()..].trim())?;
    let (address, parameters) = rest.strip_prefix('<')?.split_once('>')?;
    Some((address.to_owned(), parameters.to_owned()))
}
