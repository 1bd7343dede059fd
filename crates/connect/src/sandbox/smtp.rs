//! The sandbox's SMTP server: takes every mail, unless the script says otherwise.

use std::io;
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio_rustls::TlsAcceptor;

use super::answers;
use super::clock;
use super::script::{Channel, Point, Target};
use super::state::{Fate, Received, Shared};
use crate::transport::Stream;

/// The largest mail that is taken.
pub const LARGEST: usize = 50 * 1024 * 1024;
const LONGEST_LINE: u64 = 16 * 1024;

struct Talk {
    shared: Arc<Shared>,
    stream: BufReader<Box<dyn Stream>>,
    /// Until the client has secured itself.
    acceptor: Option<TlsAcceptor>,
    user: Option<String>,
    from: Option<String>,
    to: Vec<String>,
    /// Answers that wait until the client has no more to say at once.
    out: Vec<u8>,
}

/// Ends the conversation without another word.
fn ended() -> io::Error {
    io::ErrorKind::ConnectionAborted.into()
}

pub async fn converse(shared: Arc<Shared>, stream: Box<dyn Stream>, acceptor: TlsAcceptor) -> io::Result<()> {
    let stream = BufReader::with_capacity(64 * 1024, stream);
    let mut talk =
        Talk { shared, stream, acceptor: Some(acceptor), user: None, from: None, to: Vec::new(), out: Vec::new() };
    talk.meets(Point::Greeting, "", None).await?;
    talk.say(220, "sandbox ESMTP");
    while let Some(line) = talk.line().await? {
        let (verb, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match verb.to_ascii_uppercase().as_str() {
            "EHLO" => talk.hello(),
            "HELO" => talk.say(250, "sandbox"),
            "AUTH" => talk.log_in(rest).await?,
            "STARTTLS" => talk = talk.secured().await?,
            "MAIL" => talk.mail(rest),
            "RCPT" => talk.recipient(rest).await?,
            "DATA" => talk.data().await?,
            "RSET" => {
                talk.forget();
                talk.say(250, "2.0.0 Forgotten");
            }
            "NOOP" | "VRFY" => talk.say(250, "2.0.0 Still here"),
            "QUIT" => {
                talk.say(221, "2.0.0 Goodbye");
                return talk.flush().await;
            }
            _ => talk.say(500, "5.5.1 No such command"),
        }
    }
    Ok(())
}

impl Talk {
    fn say(&mut self, code: u16, text: &str) {
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

    /// The next line; answers go out before it is waited for.
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

    /// What the script has for this moment; hanging and dropping happen here, a refusal is said and told.
    async fn meets(&mut self, point: Point, address: &str, subject: Option<&str>) -> io::Result<bool> {
        let names = [address];
        let target = Target { channel: Channel::Email, names: &names, subject };
        match self.shared.meets(point, target).await {
            Fate::Pass | Fate::Lie(_) => Ok(true),
            Fate::Hang => {
                self.flush().await?;
                // For ever, but not after the client has gone.
                let mut nothing = [0; 512];
                while self.stream.read(&mut nothing).await? > 0 {}
                Err(ended())
            }
            Fate::Drop => Err(ended()),
            Fate::Refuse { code, text, .. } => {
                self.say(code, &text);
                Ok(false)
            }
        }
    }

    fn hello(&mut self) {
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
        self.forget();
    }

    fn forget(&mut self) {
        self.from = None;
        self.to.clear();
    }

    async fn secured(mut self) -> io::Result<Talk> {
        let Some(acceptor) = self.acceptor.take() else {
            self.say(503, "5.5.1 It is secure already");
            return Ok(self);
        };
        self.say(220, "2.0.0 Go ahead");
        self.flush().await?;
        let stream: Box<dyn Stream> = Box::new(acceptor.accept(self.stream.into_inner()).await?);
        let stream = BufReader::with_capacity(64 * 1024, stream);
        Ok(Talk { stream, user: None, from: None, to: Vec::new(), ..self })
    }

    /// What the client says to a challenge, decoded.
    async fn challenge(&mut self, prompt: &str) -> io::Result<String> {
        self.say(334, &BASE64_STANDARD.encode(prompt));
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
                self.say(504, "5.5.4 PLAIN, LOGIN or XOAUTH2");
                return Ok(());
            }
        };
        let user = match how.as_str() {
            "PLAIN" => given.split('\0').nth(1).unwrap_or_default().to_owned(),
            "XOAUTH2" => {
                given.strip_prefix("user=").and_then(|rest| rest.split('\x01').next()).unwrap_or_default().to_owned()
            }
            _ => {
                self.challenge("Password:").await?;
                given
            }
        };
        if user.is_empty() {
            self.say(501, "5.5.2 No user in it");
        } else if self.meets(Point::Login, &user, None).await? {
            self.user = Some(user);
            self.say(235, "2.7.0 Welcome");
        }
        Ok(())
    }

    fn mail(&mut self, rest: &str) {
        let Some((from, parameters)) = path(rest, "FROM:") else {
            return self.say(501, "5.5.4 MAIL FROM:<address>");
        };
        let size = parameters
            .split_whitespace()
            .find_map(|word| word.to_ascii_uppercase().strip_prefix("SIZE=")?.parse::<usize>().ok());
        if size.is_some_and(|size| size > LARGEST) {
            return self.say(552, "5.3.4 The mail is too large");
        }
        self.to.clear();
        self.from = Some(from);
        self.say(250, "2.1.0 Sender taken");
    }

    async fn recipient(&mut self, rest: &str) -> io::Result<()> {
        if self.from.is_none() {
            self.say(503, "5.5.1 MAIL first");
            return Ok(());
        }
        match path(rest, "TO:") {
            Some((to, _)) if to.contains('@') => {
                if self.meets(Point::Mail, &to, None).await? {
                    self.to.push(to);
                    self.say(250, "2.1.5 Recipient taken");
                }
            }
            _ => self.say(501, "5.1.3 RCPT TO:<address>"),
        }
        Ok(())
    }

    async fn data(&mut self) -> io::Result<()> {
        let (Some(from), Some(first)) = (self.from.clone(), self.to.first().cloned()) else {
            self.say(503, "5.5.1 RCPT first");
            return Ok(());
        };
        if !self.meets(Point::Data, &first, None).await? {
            return Ok(());
        }
        self.say(354, "End with a dot on a line of its own");
        self.flush().await?;
        let Some(content) = self.body().await? else {
            self.forget();
            self.say(552, "5.3.4 The mail is too large");
            return Ok(());
        };
        let heard = answers::Heard::of(&content);
        if !self.meets(Point::Dot, &first, Some(&heard.subject)).await? {
            self.forget();
            return Ok(());
        }
        let to = std::mem::take(&mut self.to);
        let mail = Received {
            at: clock::now(),
            user: self.user.clone(),
            from: from.clone(),
            to: to.clone(),
            message_id: heard.message_id.clone(),
            content: content.into(),
        };
        self.shared.keep(mail);
        self.forget();
        for to in &to {
            answers::to_mail(&self.shared, &from, to, &heard);
        }
        if self.meets(Point::Answer, &first, Some(&heard.subject)).await? {
            self.say(250, "2.0.0 Taken");
        }
        Ok(())
    }

    /// A mail up to its final dot, which ends it only on a line that ends as it should; `None` if it is too large.
    async fn body(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut content = Vec::new();
        let mut too_large = false;
        let mut complete = true;
        loop {
            let start = content.len();
            // Longer than any mail, and still the same line: nothing that could be answered.
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

/// What stands between the angle brackets, and what follows them.
fn path(rest: &str, word: &str) -> Option<(String, String)> {
    let rest = rest.trim();
    let rest =
        rest.get(..word.len()).filter(|start| start.eq_ignore_ascii_case(word)).map(|_| rest[word.len()..].trim())?;
    let (address, parameters) = rest.strip_prefix('<')?.split_once('>')?;
    Some((address.to_owned(), parameters.to_owned()))
}
