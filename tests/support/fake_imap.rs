//! An IMAP server that misbehaves as a test asks, and records the commands.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The greeting of new connections.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Greeting {
    #[default]
    Usual,
    /// A line that is not IMAP.
    Garbage,
    /// The connection is closed.
    None,
}

/// The answer to a FETCH of a mail.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mail {
    Delivered(String),
    /// The answer leaves the mail out.
    LeftOut,
    /// The connection is closed instead of an answer.
    Disconnects,
    /// The answer is many megabytes of short answers about this mail, without its content.
    Floods,
    /// The answer has parentheses in parentheses, which a recursive parser pays for with its stack.
    Nests,
    /// Many answers that end before their last parenthesis: a parser that waits for it reads all of them again and again.
    Unfinished,
}

#[derive(Default)]
pub(crate) struct State {
    pub greeting: Greeting,
    pub refuses_login: bool,
    /// Answers this command with NO.
    pub refuses: Option<&'static str>,
    pub mails: BTreeMap<u32, Mail>,
    /// Announces so many mails, whatever it has.
    pub announces: Option<u32>,
    /// Announces news in every IDLE.
    pub always_news: bool,
    /// Answers a SEARCH with an endless line.
    pub endless_search: bool,
    /// Delays the contents of mails until it is false.
    pub holds: bool,
    /// The mails that were put into the Sent folder.
    pub sent: Vec<String>,
    /// Closes the connection after a mail was put there, without an answer.
    pub disconnects_after_append: bool,
    pub connections: usize,
    /// The commands without their tags.
    pub commands: Vec<String>,
}

pub(crate) struct FakeImap {
    pub port: u16,
    shared: Arc<(Mutex<State>, Condvar)>,
}

impl FakeImap {
    pub(crate) fn new() -> FakeImap {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let shared = Arc::new((Mutex::new(State::default()), Condvar::new()));
        let fake = FakeImap { port, shared: shared.clone() };
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = shared.clone();
                // The session ends when the client disconnects.
                std::thread::spawn(move || drop(converse(&shared, stream)));
            }
        });
        fake
    }

    /// Its URL for an account.
    pub(crate) fn url(&self, tls: &str) -> String {
        format!("imap://ann:secret@127.0.0.1:{}?tls={tls}", self.port)
    }

    /// Changes its behaviour, or reads the recorded commands.
    pub(crate) fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        let done = act(&mut lock(&self.shared));
        self.shared.1.notify_all();
        done
    }

    /// How many commands began with this verb.
    pub(crate) fn asked(&self, verb: &str) -> usize {
        self.with(|state| state.commands.iter().filter(|command| command.starts_with(verb)).count())
    }
}

fn lock(shared: &(Mutex<State>, Condvar)) -> MutexGuard<'_, State> {
    shared.0.lock().unwrap_or_else(PoisonError::into_inner)
}

fn converse(shared: &(Mutex<State>, Condvar), mut stream: TcpStream) -> std::io::Result<()> {
    let greeting = {
        let mut state = lock(shared);
        state.connections += 1;
        state.greeting
    };
    match greeting {
        Greeting::Usual => stream.write_all(b"* OK ready\r\n")?,
        Greeting::Garbage => stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")?,
        Greeting::None => return Ok(()),
    }
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    while let Some(line) = lines.next().transpose()? {
        let (tag, command) = line.split_once(' ').unwrap_or((&line, ""));
        let mut words = command.split(' ');
        let verb = match words.next().unwrap_or_default().to_ascii_uppercase().as_str() {
            "UID" => format!("UID {}", words.next().unwrap_or_default().to_ascii_uppercase()),
            verb => verb.to_owned(),
        };
        let rest: Vec<&str> = words.collect();
        lock(shared).commands.push(if verb == "LOGIN" { verb.clone() } else { command.to_owned() });
        let mut answer: Vec<u8> = Vec::new();
        match verb.as_str() {
            "LOGIN" if lock(shared).refuses_login => {
                stream.write_all(format!("{tag} NO [AUTHENTICATIONFAILED] wrong password\r\n").as_bytes())?;
                continue;
            }
            verb if lock(shared).refuses == Some(verb) => {
                stream.write_all(format!("{tag} NO [UNAVAILABLE] not now\r\n").as_bytes())?;
                continue;
            }
            "CAPABILITY" => answer.extend(b"* CAPABILITY IMAP4rev1 IDLE\r\n"),
            "EXAMINE" => {
                let state = lock(shared);
                let next = state.mails.keys().last().map_or(1, |uid| uid + 1);
                let count = state.announces.unwrap_or(state.mails.len() as u32);
                answer.extend(
                    format!("* {count} EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT {next}] x\r\n").bytes(),
                );
            }
            "LIST" => answer.extend(b"* LIST (\\HasNoChildren \\Sent) \"/\" \"Sent\"\r\n"),
            "APPEND" => {
                let size = rest.last().map(|size| size.trim_matches(['{', '}'])).and_then(|size| size.parse().ok());
                stream.write_all(b"+ go on\r\n")?;
                let mut mail = String::new();
                while mail.len() < size.unwrap_or(0) {
                    mail += &(lines.next().transpose()?.unwrap_or_default() + "\r\n");
                }
                // The line that ends the command.
                if mail.len() == size.unwrap_or(0) {
                    lines.next().transpose()?;
                }
                let mut state = lock(shared);
                state.sent.push(mail);
                if state.disconnects_after_append {
                    return Ok(());
                }
            }
            "UID SEARCH" if rest.first() == Some(&"HEADER") => {
                let id = rest.last().map_or("", |id| id.trim_matches('"'));
                let found = lock(shared).sent.iter().position(|mail| mail.contains(id));
                answer
                    .extend(format!("* SEARCH {}\r\n", found.map_or(String::new(), |at| (at + 1).to_string())).bytes());
            }
            "UID SEARCH" => {
                if lock(shared).endless_search {
                    stream.write_all(b"* SEARCH")?;
                    // Until the client disconnects, but limited.
                    for _ in 0..20_000 {
                        stream.write_all(" 1234567".repeat(1000).as_bytes())?;
                    }
                    return Ok(());
                }
                // By sequence numbers, by UIDs, or by both.
                let range = |text: &str, last: u32| {
                    let (first, end) = text.split_once(':').unwrap_or((text, text));
                    first.parse::<u32>().unwrap_or(1)..=end.parse::<u32>().unwrap_or(last)
                };
                let uids = rest.iter().skip_while(|word| **word != "UID").nth(1).copied().unwrap_or("1:*");
                let places = rest.first().copied().filter(|word| *word != "UID").unwrap_or("1:*");
                let (uids, places) = (range(uids, u32::MAX), range(places, u32::MAX));
                let is_asked = |(place, uid): (usize, &u32)| {
                    (uids.contains(uid) && places.contains(&(place as u32 + 1))).then(|| uid.to_string())
                };
                let found: Vec<String> = lock(shared).mails.keys().enumerate().filter_map(is_asked).collect();
                answer.extend(format!("* SEARCH {}\r\n", found.join(" ")).bytes());
            }
            "UID FETCH" => match fetched(shared, &rest) {
                Some(fetched) => answer = fetched,
                None => return Ok(()),
            },
            "IDLE" => {
                stream.write_all(b"+ idling\r\n")?;
                let state = lock(shared);
                let news = state.always_news.then(|| format!("* {} EXISTS\r\n", state.mails.len()));
                drop(state);
                stream.write_all(news.unwrap_or_default().as_bytes())?;
                // It ends with DONE.
                lines.next().transpose()?;
            }
            _ => {}
        }
        answer.extend(format!("{tag} OK {verb}\r\n").bytes());
        stream.write_all(&answer)?;
    }
    Ok(())
}

/// The answer to a FETCH; `None` if the connection ends instead.
fn fetched(shared: &(Mutex<State>, Condvar), rest: &[&str]) -> Option<Vec<u8>> {
    let contents = rest.iter().any(|word| word.contains("BODY"));
    let mut state = lock(shared);
    while contents && state.holds {
        state = shared.1.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
    let mut answer = Vec::new();
    for uid in rest.first().into_iter().flat_map(|set| set.split(',')).filter_map(|uid| uid.parse::<u32>().ok()) {
        let place = state.mails.keys().position(|known| *known == uid).map_or(0, |at| at + 1);
        match state.mails.get(&uid) {
            Some(Mail::Disconnects) => return None,
            Some(Mail::Floods) => {
                answer.extend(format!("* {place} FETCH (UID {uid} RFC822.SIZE 10)\r\n").repeat(350_000).bytes());
            }
            Some(Mail::Unfinished) => {
                answer.extend(format!("* {place} FETCH (UID {uid} FLAGS (x\r\n").repeat(100_000).bytes());
            }
            Some(Mail::Nests) => {
                let nested = ["(".repeat(100_000), ")".repeat(100_000)].concat();
                answer.extend(format!("* {place} FETCH (UID {uid} BODYSTRUCTURE {nested})\r\n").bytes());
            }
            Some(Mail::Delivered(mail)) if contents => {
                let head = format!(
                    "* {place} FETCH (UID {uid} INTERNALDATE \"05-Jan-2026 10:00:00 +0000\" BODY[] {{{}}}\r\n",
                    mail.len()
                );
                answer.extend([head.as_bytes(), mail.as_bytes(), b")\r\n"].concat());
            }
            Some(Mail::Delivered(mail)) => {
                answer.extend(format!("* {place} FETCH (UID {uid} RFC822.SIZE {})\r\n", mail.len()).bytes());
            }
            Some(Mail::LeftOut) | None => {}
        }
    }
    Some(answer)
}
