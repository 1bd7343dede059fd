//! The sandbox's script: an ordered list of rules, each with a pattern and an action. `docs/sandbox.md` is the reference. Every
//! member is checked when the script is read.

use std::time::Duration;

use jiff::civil::Date;
use serde::Deserialize;

use crate::grants::Oauth;

/// The settings and rules of a sandbox.
#[derive(Clone, Debug)]
pub struct Script {
    /// The seed of the network's people.
    pub seed: u64,
    pub people: u32,
    /// The token for network, chat and finders.
    pub token: String,
    /// Whether an accepted mail is also put into its sender's Sent folder.
    pub sent_copies: bool,
    /// Whether the network accepts messages to connected people only.
    pub messages_need_connection: bool,
    pub oauth: Oauth,
    pub rules: Vec<Rule>,
}

impl Default for Script {
    fn default() -> Script {
        Script {
            seed: 1,
            people: 3000,
            token: "sandbox".to_owned(),
            sent_copies: true,
            messages_need_connection: false,
            oauth: Oauth::default(),
            rules: Vec::new(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Rule {
    pattern: String,
    channel: Option<Channel>,
    subject: Option<String>,
    /// How often the rule applies to the same address.
    pub times: Option<u32>,
    /// The percentage of addresses that the rule applies to.
    share: u32,
    pub after: Duration,
    pub action: Action,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    Email,
    Network,
    Chat,
    Enrichment,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// These actions happen while the message is sent.
    Reject {
        code: u16,
        text: String,
    },
    Delay {
        at: Point,
    },
    TimeOut {
        at: Point,
    },
    Disconnect {
        at: Point,
    },
    WrongPassword,
    Error {
        status: u16,
        text: String,
        retry_after: Option<u32>,
    },
    /// A search or question gets a wrong answer.
    WrongAnswer(WrongAnswer),
    /// The result of a finder.
    Find {
        /// One that begins with `?` is not verified.
        emails: Vec<String>,
        phones: Vec<String>,
    },
    /// These actions happen after the message was accepted.
    Reply {
        text: String,
        html: Option<String>,
        copies: u32,
        broken: bool,
        attachment: usize,
        /// The Content-ID of a picture in the mail.
        picture: Option<String>,
    },
    OutOfOffice {
        text: String,
        until: Option<Until>,
    },
    Bounce {
        hard: bool,
        status: String,
        text: String,
    },
    Complaint,
    AcceptInvite,
    DeclineInvite,
    IgnoreInvite,
}

/// The kind of a wrong answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrongAnswer {
    /// Not valid JSON.
    Broken,
    /// JSON of another shape.
    Wrong,
    /// Ten megabytes of text.
    Huge,
    /// An answer that does not end.
    Endless,
    /// There is always a next page, which is the same again.
    Circle,
    /// More records than requested, and an impossible count.
    Greedy,
    /// A finder's address that is not an address.
    NotAnEmail,
    /// A finder's answer about another person.
    WrongPerson,
    /// An error with status 200.
    ErrorInside,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Until {
    Date(Date),
    Days(u32),
}

/// The point of a send at which a rule applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Point {
    /// Before the server's greeting.
    Greeting,
    Login,
    /// When the recipient is named.
    Mail,
    /// When the mail is announced.
    Data,
    /// When the whole mail has arrived. It is not stored.
    Dot,
    /// When the mail is stored, before the answer.
    Answer,
}

/// The subject of a rule's match.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    pub channel: Channel,
    /// Its names: address, profile, telephone number.
    pub names: &'a [&'a str],
    pub subject: Option<&'a str>,
}

/// What is wrong with a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid(pub String);

impl std::fmt::Display for Invalid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Invalid {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    seed: Option<u64>,
    people: Option<u32>,
    token: Option<String>,
    sent_copies: Option<bool>,
    messages_need_connection: Option<bool>,
    #[serde(default)]
    oauth: Oauth,
    #[serde(default)]
    rules: Vec<WrittenRule>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct WrittenRule {
    action: String,
    r#match: Option<String>,
    channel: Option<Channel>,
    subject: Option<String>,
    times: Option<u32>,
    share: Option<u32>,
    after: Option<f64>,
    text: Option<String>,
    html: Option<String>,
    copies: Option<u32>,
    broken: Option<bool>,
    attachment: Option<usize>,
    picture: Option<String>,
    until: Option<String>,
    days: Option<u32>,
    hard: Option<bool>,
    later: Option<bool>,
    code: Option<u16>,
    status: Option<toml::Value>,
    at: Option<Point>,
    retry_after: Option<u32>,
    how: Option<WrongAnswer>,
    emails: Option<Vec<String>>,
    phones: Option<Vec<String>>,
}

/// The most people there can be.
const MOST_PEOPLE: u32 = 100_000;
/// The largest attachment a reply can have.
const LARGEST: usize = 100 * 1024 * 1024;

impl Script {
    /// Reads a script, TOML or JSON.
    pub fn parse(text: &str) -> Result<Script, Invalid> {
        let json = text.trim_start().starts_with('{');
        let written: Written = match json {
            true => serde_json::from_str(text).map_err(|error| Invalid(error.to_string()))?,
            false => toml::from_str(text).map_err(|error| Invalid(error.to_string().trim().to_owned()))?,
        };
        let usual = Script::default();
        let people = written.people.unwrap_or(usual.people);
        if people > MOST_PEOPLE {
            return Err(Invalid(format!("people: is over {MOST_PEOPLE}")));
        }
        let token = written.token.unwrap_or(usual.token);
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Invalid("token: is empty or holds spaces or other letters than ASCII".to_owned()));
        }
        let rules = written
            .rules
            .into_iter()
            .enumerate()
            .map(|(at, rule)| rule.checked().map_err(|reason| Invalid(format!("rules.{at}.{reason}"))));
        Ok(Script {
            seed: written.seed.unwrap_or(usual.seed),
            people,
            token,
            sent_copies: written.sent_copies.unwrap_or(usual.sent_copies),
            messages_need_connection: written.messages_need_connection.unwrap_or(usual.messages_need_connection),
            oauth: written.oauth,
            rules: rules.collect::<Result<_, _>>()?,
        })
    }
}

impl WrittenRule {
    fn checked(mut self) -> Result<Rule, String> {
        let after = self.after.take().unwrap_or(0.0);
        let after = Duration::try_from_secs_f64(after).map_err(|_| "after: is not a number of seconds".to_owned())?;
        let share = self.share.take().unwrap_or(100);
        if !(1..=100).contains(&share) {
            return Err("share: is not between 1 and 100".to_owned());
        }
        if self.times == Some(0) {
            return Err("times: is not 1 or more".to_owned());
        }
        let mut times = self.times.take();
        let (pattern, channel) = (self.r#match.take().unwrap_or_else(|| "*".to_owned()), self.channel.take());
        let subject = self.subject.take();
        let action = self.take_action(&mut times)?;
        if let Some(left) = self.left() {
            return Err(format!("{left}: {} takes no such member", self.action));
        }
        let of = action.channels();
        if channel.is_some_and(|channel| !of.contains(&channel)) {
            return Err(format!("channel: {} is not of this channel", self.action));
        }
        Ok(Rule { pattern, channel, subject, times, share, after, action })
    }

    fn take_action(&mut self, times: &mut Option<u32>) -> Result<Action, String> {
        let text = self.text.take();
        let or = |usual: &str| text.clone().unwrap_or_else(|| usual.to_owned());
        Ok(match self.action.as_str() {
            "reject" => Action::Reject { code: self.take_code(550)?, text: or("5.1.1 No such user") },
            "defer" => {
                times.get_or_insert(1);
                Action::Reject { code: self.take_code(451)?, text: or("4.3.0 Try again later") }
            }
            "bounce" if !self.later.take().unwrap_or(false) => {
                let hard = self.hard.take().unwrap_or(true);
                let usual = if hard { "5.1.1 No such user" } else { "4.2.2 Mailbox full" };
                Action::Reject { code: self.take_code(if hard { 550 } else { 452 })?, text: or(usual) }
            }
            "bounce" => {
                let hard = self.hard.take().unwrap_or(true);
                let usual = if hard { "5.1.1" } else { "4.2.2" };
                let status = match self.status.take() {
                    None => usual.to_owned(),
                    Some(toml::Value::String(status)) if connect::mail::verdict::Status::parse(&status).is_some() => {
                        status
                    }
                    Some(_) => return Err("status: is not such as \"5.1.1\"".to_owned()),
                };
                Action::Bounce { hard, status, text: or(if hard { "User unknown" } else { "Mailbox full" }) }
            }
            "delay" => Action::Delay { at: self.at.take().unwrap_or(Point::Answer) },
            "time_out" => Action::TimeOut { at: self.at.take().unwrap_or(Point::Answer) },
            "disconnect" => Action::Disconnect { at: self.at.take().unwrap_or(Point::Answer) },
            "wrong_password" => Action::WrongPassword,
            "error" => {
                let status = match self.status.take() {
                    None => 500,
                    Some(toml::Value::Integer(status @ 400..=599)) => status as u16,
                    Some(_) => return Err("status: is not a number between 400 and 599".to_owned()),
                };
                let retry_after = self.retry_after.take();
                Action::Error { status, text: or("The script says so"), retry_after }
            }
            "reply" => {
                let (copies, attachment) = (self.copies.take().unwrap_or(1), self.attachment.take().unwrap_or(0));
                if !(1..=100).contains(&copies) {
                    return Err("copies: is not between 1 and 100".to_owned());
                }
                if attachment > LARGEST {
                    return Err(format!("attachment: is over {LARGEST} bytes"));
                }
                let broken = self.broken.take().unwrap_or(false);
                Action::Reply {
                    text: or("Thank you, let us talk."),
                    html: self.html.take(),
                    copies,
                    broken,
                    attachment,
                    picture: self.picture.take(),
                }
            }
            "out_of_office" => {
                let until = match (self.until.take(), self.days.take()) {
                    (None, None) => None,
                    (None, Some(days)) if days <= 3650 => Some(Until::Days(days)),
                    (None, Some(_)) => return Err("days: is over 3650".to_owned()),
                    (Some(date), None) => Some(Until::Date(
                        date.parse().map_err(|_| "until: is not a date such as 2026-12-24".to_owned())?,
                    )),
                    (Some(_), Some(_)) => return Err("days: can't be combined with until".to_owned()),
                };
                Action::OutOfOffice { text: or("I am out of the office."), until }
            }
            "find" => Action::Find {
                emails: self.emails.take().unwrap_or_default(),
                phones: self.phones.take().unwrap_or_default(),
            },
            "lie" => Action::WrongAnswer(self.how.take().unwrap_or(WrongAnswer::Broken)),
            "complaint" => Action::Complaint,
            "accept_invite" => Action::AcceptInvite,
            "decline_invite" => Action::DeclineInvite,
            "ignore_invite" => Action::IgnoreInvite,
            other => return Err(format!("action: {other} is none of {ACTIONS}")),
        })
        .and_then(|action| match (&action, text) {
            (Action::Reject { .. } | Action::Error { .. } | Action::Reply { .. }, _) => Ok(action),
            (Action::OutOfOffice { .. } | Action::Bounce { .. }, _) | (_, None) => Ok(action),
            (_, Some(_)) => Err(format!("text: {} takes no such member", self.action)),
        })
    }

    fn take_code(&mut self, usual: u16) -> Result<u16, String> {
        let code = self.code.take().unwrap_or(usual);
        if (400..600).contains(&code) { Ok(code) } else { Err("code: is not between 400 and 599".to_owned()) }
    }

    /// A member that the action does not use.
    fn left(&self) -> Option<&'static str> {
        [
            ("html", self.html.is_some()),
            ("copies", self.copies.is_some()),
            ("broken", self.broken.is_some()),
            ("attachment", self.attachment.is_some()),
            ("picture", self.picture.is_some()),
            ("until", self.until.is_some()),
            ("days", self.days.is_some()),
            ("hard", self.hard.is_some()),
            ("later", self.later.is_some()),
            ("code", self.code.is_some()),
            ("status", self.status.is_some()),
            ("at", self.at.is_some()),
            ("retry_after", self.retry_after.is_some()),
            ("how", self.how.is_some()),
            ("emails", self.emails.is_some()),
            ("phones", self.phones.is_some()),
        ]
        .into_iter()
        .find_map(|(name, is_left)| is_left.then_some(name))
    }
}

const ACTIONS: &str = "reply, out_of_office, bounce, complaint, reject, defer, delay, time_out, disconnect, wrong_password, error, lie, \
     accept_invite, decline_invite, ignore_invite, find";

impl Action {
    fn channels(&self) -> &'static [Channel] {
        match self {
            Action::Reject { .. } | Action::WrongPassword | Action::Bounce { .. } | Action::Complaint => {
                &[Channel::Email]
            }
            Action::Error { .. } => &[Channel::Network, Channel::Chat, Channel::Enrichment],
            Action::WrongAnswer(_) => &[Channel::Network, Channel::Enrichment],
            Action::Find { .. } => &[Channel::Enrichment],
            Action::Delay { .. } | Action::TimeOut { .. } | Action::Disconnect { .. } => {
                &[Channel::Email, Channel::Network, Channel::Chat, Channel::Enrichment]
            }
            Action::AcceptInvite | Action::DeclineInvite | Action::IgnoreInvite => &[Channel::Network],
            _ => &[Channel::Email, Channel::Network, Channel::Chat],
        }
    }
}

impl Rule {
    /// The point of a send at which the rule applies; `None` if it applies after the send.
    pub fn point(&self) -> Option<Point> {
        match self.action {
            Action::Reject { .. } if self.subject.is_none() => Some(Point::Mail),
            Action::Reject { .. } | Action::Error { .. } | Action::WrongAnswer(_) => Some(Point::Dot),
            Action::WrongPassword => Some(Point::Login),
            Action::Delay { at } | Action::TimeOut { at } | Action::Disconnect { at } => Some(at),
            _ => None,
        }
    }

    pub fn fits(&self, target: Target<'_>) -> bool {
        let channel = self.channel.is_none_or(|channel| channel == target.channel);
        channel
            && self.action.channels().contains(&target.channel)
            && target.names.iter().any(|name| matches_pattern(&self.pattern, name))
            && self
                .subject
                .as_ref()
                .is_none_or(|pattern| target.subject.is_some_and(|subject| matches_pattern(pattern, subject)))
            && (self.share == 100 || target.names.first().is_some_and(|name| bucket(name) < self.share))
    }
}

/// A number below 100, always the same for a name.
fn bucket(name: &str) -> u32 {
    let hash = name
        .to_lowercase()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    ((hash >> 32) % 100) as u32
}

/// Whether the text matches a pattern: `*` is any number of characters, `?` is one, and case is ignored.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) =
        (pattern.to_lowercase().chars().collect(), text.to_lowercase().chars().collect());
    let (mut at, mut seen, mut star) = (0, 0, None);
    while seen < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, seen));
                at += 1;
            }
            Some(letter) if *letter == '?' || *letter == text[seen] => (at, seen) = (at + 1, seen + 1),
            _ => {
                let Some((back, from)) = star else { return false };
                star = Some((back, from + 1));
                (at, seen) = (back + 1, from + 1);
            }
        }
    }
    pattern[at..].iter().all(|letter| *letter == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_runs_and_single_characters() {
        assert!(
            matches_pattern("*@Example.com", "ann@example.COM")
                && matches_pattern("a?n@*", "ann@x")
                && matches_pattern("*", "")
        );
        assert!(
            !matches_pattern("*@example.com", "ann@example.org")
                && !matches_pattern("a?n", "an")
                && matches_pattern("*a*b*", "xxaxxbxx")
        );
    }

    #[test]
    fn an_error_in_a_script_names_its_member() {
        for (text, reason) in [
            ("[[rules]]\naction = \"jump\"", "rules.0.action: jump is none of reply"),
            ("[[rules]]\naction = \"reply\"\ncode = 550", "rules.0.code: reply takes no such member"),
            ("[[rules]]\naction = \"delay\"\ntext = \"x\"", "rules.0.text: delay takes no such member"),
            (
                "[[rules]]\naction = \"reply\"\n[[rules]]\naction = \"reject\"\ncode = 250",
                "rules.1.code: is not between",
            ),
            ("[[rules]]\naction = \"reject\"\nchannel = \"chat\"", "rules.0.channel: reject is not of this channel"),
            ("[[rules]]\naction = \"out_of_office\"\nuntil = \"soon\"", "rules.0.until: is not a date"),
            ("[[rules]]\naction = \"reply\"\nafter = -1", "rules.0.after: is not a number of seconds"),
            ("[[rules]]\naction = \"find\"\nchannel = \"chat\"", "rules.0.channel: find is not of this channel"),
            ("people = 1000000", "people: is over 100000"),
            ("token = \"\"", "token: is empty"),
        ] {
            let error = Script::parse(text).expect_err(text).to_string();
            assert!(error.starts_with(reason), "{error}");
        }
        assert!(Script::parse("nonsense = 1").expect_err("unknown").to_string().contains("unknown field `nonsense`"));
        assert!(Script::parse("{\"rules\": [{\"action\": \"reply\", \"wait\": 1}]}").is_err());
        assert_eq!(Script::parse("").map(|script| script.people), Ok(3000));
    }
}
