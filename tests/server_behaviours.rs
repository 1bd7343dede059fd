//! What mail servers answer, and what must happen then: a table of behaviours, played by the sandbox and, as far as it can
//! be told to, by a real Postfix. A refused address is suppressed; a refused mail is offered three times; a delay is waited
//! for; a refusal of the account holds its mails until it ends. Nothing arrives twice.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::outside::contact;
use crate::support::*;

stories![the_sandbox_answers, a_real_server_answers, the_connection_breaks];

/// What must happen with the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// It fails at once, and nobody writes to the address again.
    AddressIsRefused,
    /// It is offered three times, then it fails. The address is good.
    MailIsRefused,
    /// It waits, and others are sent. When the server accepts it, it is sent.
    Waits,
    /// All mails of the account wait. When the server accepts them, they are sent.
    AccountWaits,
}

use Expected::{AccountWaits, AddressIsRefused, MailIsRefused, Waits};

/// The answer to the name of a recipient.
const TO_RECIPIENTS: &[(&str, Expected)] = &[
    ("550 5.1.1 user unknown", AddressIsRefused),
    ("550 5.1.10 recipient not found", AddressIsRefused),
    ("550 5.1.2 bad destination system", AddressIsRefused),
    ("553 5.1.3 bad address syntax", AddressIsRefused),
    ("550 5.1.6 mailbox has moved", AddressIsRefused),
    ("550 no such user here", AddressIsRefused),
    ("550 unrouteable address", AddressIsRefused),
    ("551 user not local", AddressIsRefused),
    ("553 sorry", AddressIsRefused),
    ("550 5.2.1 the account is disabled", AddressIsRefused),
    ("550 5.4.1 recipient address rejected", AddressIsRefused),
    ("550 5.7.1 blocked by policy", MailIsRefused),
    ("450 4.2.0 greylisted", Waits),
    ("451 4.3.0 internal error", Waits),
    ("451 4.7.1 please try again later", Waits),
    ("452 4.2.2 mailbox over quota", Waits),
    ("552 5.2.2 mailbox full", Waits),
    ("450 4.1.1 address verification in progress", Waits),
    ("450 4.2.1 receiving mail at a rate that is too high", Waits),
    ("452 4.5.3 too many recipients", Waits),
    ("421 4.7.0 closing connection", AccountWaits),
    ("451 4.7.500 rate limit exceeded", AccountWaits),
    ("550 5.4.5 daily sending limit exceeded", AccountWaits),
    ("550 5.1.90 you have reached your daily limit", AccountWaits),
    ("550 5.1.8 bad sender domain", AccountWaits),
    ("550 5.7.1 relaying denied", AccountWaits),
    ("553 5.7.1 sender address rejected", AccountWaits),
    ("550 5.7.26 unauthenticated mail", AccountWaits),
    ("550 5.7.708 traffic not accepted", AccountWaits),
    ("530 5.7.57 not authenticated", AccountWaits),
    ("554 client host is listed at a blocklist", AccountWaits),
];

/// The answer to the mail.
const TO_MAILS: &[(&str, Expected)] = &[
    ("554 5.7.1 rejected as spam", MailIsRefused),
    ("550 5.7.1 message rejected", MailIsRefused),
    ("552 5.3.4 message too big", MailIsRefused),
    ("552 5.2.3 message too large", MailIsRefused),
    ("550 5.6.0 unacceptable content", MailIsRefused),
    ("554 transaction failed", MailIsRefused),
    ("451 4.3.0 internal error", Waits),
    ("452 4.3.1 insufficient system storage", Waits),
    ("421 4.7.28 unusual rate", AccountWaits),
    ("550 5.4.5 daily limit exceeded", AccountWaits),
    ("550 5.7.60 no permission to send as this sender", AccountWaits),
    ("554 5.2.0 submissionquotaexceeded", AccountWaits),
];

/// Postfix adds 5.7.1, a policy, to an answer without a status code, and turns 5.1.8 in an answer to a recipient into 5.1.2.
const BY_POSTFIX: &[(&str, Expected)] = &[
    ("551 user not local", MailIsRefused),
    ("553 sorry", MailIsRefused),
    ("550 5.1.8 bad sender domain", AddressIsRefused),
];

/// One answer: the message that gets it, and what must happen with it.
pub(crate) struct Case {
    pub answer: &'static str,
    pub address: String,
    pub subject: String,
    pub expected: Expected,
    pub account: String,
    pub message: String,
}

/// A mail server that refuses what the tables say until it is calmed.
struct MailServer<'a> {
    domain: String,
    /// Answers that it changes, and what must happen then.
    changed: &'a [(&'a str, Expected)],
    connect: &'a dyn Fn(&str) -> String,
    received: &'a dyn Fn(&str) -> usize,
    calm: &'a dyn Fn(),
}

fn the_sandbox_answers(world: &World) {
    let mut script = String::new();
    let cases = TO_RECIPIENTS.iter().map(|case| (case, true)).chain(TO_MAILS.iter().map(|case| (case, false)));
    for ((answer, _), is_to_recipient) in cases {
        let (code, text) = answer.split_once(' ').expect("a code and a text");
        let which = match is_to_recipient {
            true => format!("match = \"{}@*\"", local_part("say", answer)),
            false => format!("subject = \"say {answer}\""),
        };
        script += &format!("[[rules]]\naction = \"reject\"\n{which}\ncode = {code}\ntext = \"{text}\"\n");
    }
    let outside = Outside::new(&script);
    let server = MailServer {
        domain: "example.com".into(),
        changed: &[],
        connect: &|address| outside.mailbox(world, address, &[]),
        received: &|address| outside.to(address).len(),
        calm: &|| outside.play(""),
    };
    endure(world, &server);
    assert!(outside.sandbox.duplicates().is_empty(), "twice: {:?}", outside.sandbox.duplicates());
}

fn a_real_server_answers(world: &World) {
    let domain = own_domain(world, "answers");
    let server = MailServer {
        connect: &|address| add_account(world, address, &mailserver::url("smtp", address)),
        changed: BY_POSTFIX,
        received: &|address| mailserver::mails_to(address).len(),
        calm: &|| mailserver::calm(&domain),
        domain: domain.clone(),
    };
    endure(world, &server);
}

/// Mailboxes outlive a test, so each test uses a domain of its own.
pub(crate) fn own_domain(world: &World, name: &str) -> String {
    let engine = if world.database_is_shared() { "shared" } else { "embedded" };
    format!("{engine}-{name}-{}.example.com", std::process::id())
}

/// Connects an account that sends by this server and has its mailbox on the real one; returns its id.
#[track_caller]
pub(crate) fn add_account(world: &World, address: &str, smtp: &str) -> String {
    let imap = mailserver::url("imap", address);
    let add = ["accounts", "add", "--provider", "email", "--name", "Ann", "--address", address];
    world.run(&[&add[..], &["--smtp", smtp, "--imap", &imap]].concat()).ok().to_owned()
}

/// The name of a mailbox that is refused with this answer, or whose mails are.
fn local_part(what: &str, answer: &str) -> String {
    format!("{what}-{}", answer.replace('.', "_").replace(' ', "-"))
}

/// Sends one message for each answer, checks what happens, calms the server, and checks what happens then.
fn endure(world: &World, server: &MailServer) {
    world.set(&["--rate-limit", "1000000000"]);
    let key = world.key("full_access");
    let shared = (server.connect)(&format!("ann@{}", server.domain));
    let to_recipients =
        TO_RECIPIENTS.iter().map(|(answer, expected)| (*answer, *expected, local_part("say", answer), "Hi".into()));
    let to_mails = TO_MAILS
        .iter()
        .map(|(answer, expected)| (*answer, *expected, local_part("mail", answer), format!("say {answer}")));
    let cases: Vec<Case> = to_recipients
        .chain(to_mails)
        .enumerate()
        .map(|(number, (answer, expected, name, subject))| {
            let changed = server.changed.iter().find(|(changed, _)| *changed == answer);
            let expected = changed.map_or(expected, |(_, expected)| *expected);
            let account = match expected {
                AccountWaits => (server.connect)(&format!("ann{number}@{}", server.domain)),
                _ => shared.clone(),
            };
            let address = format!("{name}@{}", server.domain);
            let message = send(&key, &account, &address, &subject, "Hello.");
            Case { answer, address, subject, expected, account, message }
        })
        .collect();

    let mut left: Vec<&Case> = cases.iter().collect();
    eventually("the right end of every message", PATIENCE, || {
        left.retain(|case| !has_happened(world, &key, case));
        skip_first_waits(world);
        left.is_empty().then_some(())
    });
    let suppressed = key.list("/suppressions", &[("limit", "100")]).page().column("address");
    for case in &cases {
        let Case { answer, subject, expected, .. } = case;
        let is_suppressed = suppressed.contains(&case.address);
        assert_eq!(is_suppressed, *expected == AddressIsRefused, "{answer} ({subject}): suppressed");
        assert_eq!((server.received)(&case.address), 0, "{answer} ({subject}): sent");
        if case.account == shared {
            let account = key.get(&format!("/connected-accounts/{}", case.account)).ok();
            assert_eq!(account["status"], "connected", "{answer} ({subject}): {account}");
        }
    }

    (server.calm)();
    let are_sent = |case: &&Case| matches!(case.expected, Waits | AccountWaits);
    let mut waiting: Vec<&Case> = cases.iter().filter(are_sent).collect();
    eventually("the messages that wait", PATIENCE, || {
        skip_waits(world);
        waiting.retain(|case| message(&key, case)["status"] != "sent");
        waiting.is_empty().then_some(())
    });
    for case in &cases {
        let expected = usize::from(are_sent(&case));
        let seen = || (server.received)(&case.address);
        eventually("the mail", PATIENCE, || (seen() >= expected).then_some(()));
        assert_eq!(seen(), expected, "{} ({})", case.answer, case.subject);
        eventually("the account", PATIENCE, || (status(&key, &case.account) == "connected").then_some(()));
    }
}

/// Sends a message by an account; returns its id.
pub(crate) fn send(key: &Client, account: &str, address: &str, subject: &str, content: &str) -> String {
    let person = contact(key, "P", address);
    let body = json!({
        "contact_id": person, "channel": "email", "account_id": account, "subject": subject, "content": content
    });
    text(&key.post("/messages", body).created()["id"])
}

pub(crate) fn message(key: &Client, case: &Case) -> Value {
    key.get(&format!("/messages/{}", case.message)).ok()
}

pub(crate) fn status(key: &Client, account: &str) -> String {
    text(&key.get(&format!("/connected-accounts/{account}")).ok()["status"])
}

/// Lets every wait of accounts and messages end now.
pub(crate) fn skip_waits(world: &World) {
    world.change("UPDATE account_states SET free_at = 0");
    world.change("UPDATE sends SET due_at = 0 WHERE state = 'queued'");
}

/// The same for messages that were tried once or twice. Each has ten attempts, and needs some when the server is calm.
pub(crate) fn skip_first_waits(world: &World) {
    world.change("UPDATE account_states SET free_at = 0");
    world.change("UPDATE sends SET due_at = 0 WHERE state = 'queued' AND attempts < 3");
}

/// Whether the message of a case has come to its end, or waits in the right way.
pub(crate) fn has_happened(world: &World, key: &Client, case: &Case) -> bool {
    let Case { answer, address, subject, expected, .. } = case;
    let seen = message(key, case);
    assert_ne!(seen["status"], "sent", "{answer} ({subject})");
    match expected {
        AddressIsRefused | MailIsRefused => {
            if seen["status"] != "failed" {
                return false;
            }
            let code = answer.split(' ').next().unwrap_or_default();
            assert!(text(&seen["error"]).contains(code), "{answer} ({subject}): {seen}");
            true
        }
        Waits => {
            assert_eq!(seen["status"], "queued", "{answer} ({subject}): {seen}");
            world.count(&format!(
                "SELECT CAST(max(attempts) AS text) FROM sends JOIN messages ON messages.id = sends.message_id \
                 WHERE address = '{address}'"
            )) >= 2
        }
        AccountWaits => {
            assert_eq!(seen["status"], "queued", "{answer} ({subject}): {seen}");
            world.count(&format!(
                "SELECT CAST(max(failures) AS text) FROM account_states s JOIN sends ON sends.account_id = s.account_id \
                 JOIN messages ON messages.id = sends.message_id WHERE address = '{address}'"
            )) >= 2
        }
    }
}

/// The connection breaks at each point of a mail: what is not handed over is sent later, and what was handed over is never
/// sent again.
fn the_connection_breaks(world: &World) {
    let points = ["greeting", "login", "mail", "data", "dot", "answer"];
    let rule = |action: &str, at: &str| {
        format!("[[rules]]\naction = \"{action}\"\nmatch = \"*{action}-{at}@example.com\"\ntimes = 1\nat = \"{at}\"\n")
    };
    let script: String = points
        .iter()
        .flat_map(|at| [rule("disconnect", at), format!("{}after = 0.3\n", rule("delay", at))])
        .chain(["[[rules]]\naction = \"wrong_password\"\nmatch = \"*wrong@example.com\"\ntimes = 1\n".to_owned()])
        .collect();
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    world.set(&["--rate-limit", "1000000000"]);
    let names: Vec<String> = points
        .iter()
        .flat_map(|at| [format!("disconnect-{at}"), format!("delay-{at}")])
        .chain(["wrong".to_owned()])
        .collect();
    let accounts: BTreeMap<&str, String> = names
        .iter()
        .map(|name| (name.as_str(), outside.mailbox(world, &format!("from-{name}@example.com"), &[])))
        .collect();
    outside.play(&script);
    let messages: BTreeMap<&str, String> = accounts
        .iter()
        .map(|(name, account)| (*name, send(&key, account, &format!("to-{name}@example.com"), "Hi", "Hello.")))
        .collect();
    for (name, message) in &messages {
        let address = format!("to-{name}@example.com");
        let ended = eventually(&format!("the end of {name}"), PATIENCE, || {
            skip_waits(world);
            let seen = key.get(&format!("/messages/{message}")).ok();
            (seen["status"] != "queued").then_some(seen)
        });
        // Nobody knows whether the server kept a mail that it did not confirm, unless the Sent folder shows it.
        let (status, arrived) = if *name == "disconnect-dot" { ("failed", 0) } else { ("sent", 1) };
        let ended = eventually(&format!("{status} for {name}, now {ended}"), PATIENCE, || {
            Some(key.get(&format!("/messages/{message}")).ok()).filter(|seen| seen["status"] == status)
        });
        assert!(status == "sent" || text(&ended["error"]).starts_with("outcome_unknown:"), "{name}: {ended}");
        assert_eq!(outside.to(&address).len(), arrived, "{name}");
        eventually(&format!("the account of {name}"), PATIENCE, || {
            skip_waits(world);
            (self::status(&key, &accounts[name]) == "connected").then_some(())
        });
    }
    assert!(outside.sandbox.duplicates().is_empty(), "twice: {:?}", outside.sandbox.duplicates());
}
