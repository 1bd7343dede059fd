//! What a real Postfix does by its own settings, and what must happen then: limits of size, rate and connections,
//! refusals of recipients, senders and clients, greylisting, and a login that it does not accept.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;

use serde_json::json;

use crate::server_behaviours::{
    Case, Expected, add_account, has_happened, message, own_domain, send, skip_first_waits, skip_waits, status,
};
use crate::support::mailserver::{self, Servers};
use crate::support::*;
use Expected::{AccountWaits, AddressIsRefused, MailIsRefused};

stories![
    its_refusals_are_classified,
    a_first_refusal_is_waited_for,
    a_server_that_takes_nothing_is_replaced,
    a_login_that_it_does_not_accept_is_reported,
    its_limits_delay_mails,
];

/// The answer, the service that gives it, the names of the sender and the recipient, and the subject.
const REFUSALS: &[(&str, &str, &str, &str, &str, Expected)] = &[
    ("552 5.3.4 Error: message file too big", "smtp-small", "large", "bob", "Hi", MailIsRefused),
    ("takes no address with other letters than ASCII", "smtp-small", "ann", "jörg", "Hi", MailIsRefused),
    ("User unknown in virtual mailbox table", "smtp", "ann", "unknown", "Hi", AddressIsRefused),
    ("Recipient address rejected: Access denied", "smtp", "ann", "refused", "Hi", MailIsRefused),
    // Words in the address are not those of the server.
    ("Recipient address rejected: Access denied", "smtp", "ann", "refused-sender", "Hi", MailIsRefused),
    ("Recipient address rejected: Access denied", "smtp", "ann", "refused.login.relay", "Hi", MailIsRefused),
    ("550 5.7.1 message content rejected", "smtp", "ann", "carl", "refuse this", MailIsRefused),
    // These answers to the recipient are about the sender: the address is good, and other mails get the same answer.
    ("Sender address rejected: User unknown in virtual mailbox table", "smtp", "gone", "dora", "Hi", AccountWaits),
    ("Sender address rejected: not owned by user", "smtp", "foreign", "emil", "Hi", AccountWaits),
    ("Client host rejected: Access denied", "smtp", "closed", "fred", "Hi", AccountWaits),
    ("Helo command rejected: Host not found", "smtp", "badname", "gabi", "Hi", AccountWaits),
];

fn its_refusals_are_classified(world: &World) {
    world.set(&["--rate-limit", "1000000000"]);
    let (key, domain) = (world.key("full_access"), own_domain(world, "refusals"));
    let mut accounts: Vec<(String, String)> = Vec::new();
    let cases: Vec<Case> = REFUSALS
        .iter()
        .map(|(answer, service, from, to, subject, expected)| {
            let (from, address) = (format!("{from}@{service}.{domain}"), format!("{to}@{domain}"));
            let account = match accounts.iter().find(|(known, _)| *known == from) {
                Some((_, account)) => account.clone(),
                None => {
                    let account = add_account(world, &from, &mailserver::url(service, &from));
                    accounts.push((from.clone(), account.clone()));
                    account
                }
            };
            let content =
                if from.starts_with("large@") { "A line of a long mail.\n".repeat(2_500) } else { "Hi".into() };
            let message = send(&key, &account, &address, subject, &content);
            let subject = (*subject).to_owned();
            Case { answer, address, subject, expected: *expected, account, message }
        })
        .collect();
    let mut left: Vec<&Case> = cases.iter().collect();
    eventually("the right end of every message", PATIENCE, || {
        left.retain(|case| !has_happened(world, &key, case));
        skip_first_waits(world);
        left.is_empty().then_some(())
    });
    let suppressed = key.list("/suppressions", &[("limit", "100")]).page().column("address");
    assert_eq!(suppressed, [format!("unknown@{domain}")]);
    for case in &cases {
        assert!(mailserver::mails_to(&case.address).is_empty(), "{}: sent", case.answer);
        if case.expected != AccountWaits {
            assert_eq!(status(&key, &case.account), "connected", "{}", case.answer);
        }
    }
    // The accounts whose mails were refused send others. After one error this service ends the connection with 421.
    for service in ["smtp", "smtp-small"] {
        let from = format!("ann@{service}.{domain}");
        let account = accounts.iter().find(|(known, _)| *known == from).map(|(_, account)| account.clone());
        let account = account.unwrap_or_else(|| panic!("no account {from}"));
        let refused = send(&key, &account, &format!("unknown@{service}.{domain}"), "Hi", "Hello.");
        let good = format!("good@{service}.{domain}");
        arrives(world, &key, &send(&key, &account, &good, "Hi", "Hello."), &good);
        let ended = eventually("the end of the refused mail", PATIENCE, || {
            skip_waits(world);
            Some(key.get(&format!("/messages/{refused}")).ok()).filter(|seen| seen["status"] == "failed")
        });
        assert!(text(&ended["error"]).contains("550 5.1.1"), "{ended}");
    }
}

/// Waits until a message is sent and in the mailbox, once.
#[track_caller]
fn arrives(world: &World, key: &Client, message: &str, address: &str) {
    eventually(&format!("the mail to {address}"), PATIENCE, || {
        skip_waits(world);
        (key.get(&format!("/messages/{message}")).ok()["status"] == "sent").then_some(())
    });
    let seen = || mailserver::mails_to(address).len();
    eventually("the mail in its mailbox", PATIENCE, || (seen() > 0).then_some(()));
    assert_eq!(seen(), 1, "{address}");
}

/// Greylisting, and a server that checks the address before it accepts it.
fn a_first_refusal_is_waited_for(world: &World) {
    let (key, domain) = (world.key("full_access"), own_domain(world, "first"));
    let ann = format!("ann@{domain}");
    let account = add_account(world, &ann, &mailserver::url("smtp", &ann));
    let addresses = [format!("grey-1@{domain}"), format!("probed@{domain}")];
    let messages = addresses.each_ref().map(|address| send(&key, &account, address, "Hi", "Hello."));
    for (address, message) in addresses.iter().zip(&messages) {
        arrives(world, &key, message, address);
    }
    assert!(Servers::shared().has_greylisted(&addresses[0]));
    assert_eq!(status(&key, &account), "connected");
    assert_eq!(key.get("/suppressions").page().total(), 0);
}

/// The mails of an account wait while its server refuses all of them, and are sent when the account gets another one.
fn a_server_that_takes_nothing_is_replaced(world: &World) {
    let (key, domain) = (world.key("full_access"), own_domain(world, "nothing"));
    let without_login = |url: &str| {
        let (scheme, rest) = url.split_once("://").expect("a URL");
        format!("{scheme}://{}", rest.rsplit_once('@').map_or(rest, |(_, rest)| rest))
    };
    let plain = |url: &str| without_login(url).split('?').next().unwrap_or_default().to_owned() + "?tls=none";
    let servers = [
        ("452 4.3.1 Insufficient system storage", mailserver::url("smtp-full", &format!("full@{domain}")), "full"),
        ("554 5.7.1 Relay access denied", without_login(&mailserver::url("smtp", "x")), "relay"),
        ("530 5.7.0 Must issue a STARTTLS command first", plain(&mailserver::url("smtp-tls", "x")), "tls"),
    ];
    let cases = servers.map(|(answer, smtp, name)| {
        let account = add_account(world, &format!("{name}@{domain}"), &smtp);
        let address = format!("to-{name}@{domain}.elsewhere.example");
        let message = send(&key, &account, &address, "Hi", "Hello.");
        Case { answer, address, subject: "Hi".into(), expected: AccountWaits, account, message }
    });
    for case in &cases {
        eventually(case.answer, PATIENCE, || {
            skip_first_waits(world);
            has_happened(world, &key, case).then_some(())
        });
        assert!(mailserver::mails_to(&case.address).is_empty(), "{}", case.answer);
    }
    for (case, service) in cases.iter().zip(["smtp", "smtp", "smtp-tls"]) {
        let smtp = mailserver::url(service, &format!("somebody@{domain}"));
        world.cli(["accounts", "set", &case.account, "--smtp", &smtp]).ok();
        arrives(world, &key, &case.message, &case.address);
        eventually("the account", PATIENCE, || (status(&key, &case.account) == "connected").then_some(()));
        assert_eq!(message(&key, case)["error"], json!(null), "{}", case.answer);
    }
    assert_eq!(key.get("/suppressions").page().total(), 0);
}

fn a_login_that_it_does_not_accept_is_reported(world: &World) {
    let (key, domain, servers) = (world.key("full_access"), own_domain(world, "login"), Servers::shared());
    let ann = format!("own.ann@{domain}");
    servers.set_user(&ann, "relata", "");
    let url = mailserver::url("smtp", &ann);
    let add = ["accounts", "add", "--provider", "email", "--name", "Ann", "--address", &ann, "--smtp"];
    let add_by = |url: &str| world.run(&[&add[..], &[url]].concat());
    let refused = add_by(&url.replacen(":relata@", ":other@", 1));
    assert!(refused.refused().contains("535 5.7.8") && !refused.refused().contains("other"), "{refused}");
    // Before STARTTLS this service offers no login.
    let plain = mailserver::url("smtp-tls", &ann).split('?').next().unwrap_or_default().to_owned() + "?tls=none";
    let refused = add_by(&plain);
    assert!(refused.refused().contains("takes no login by PLAIN or LOGIN"), "{refused}");
    let account = add_by(&url).ok().to_owned();
    servers.set_user(&ann, "changed", "");
    let address = format!("bob@{domain}");
    let message = send(&key, &account, &address, "Hi", "Hello.");
    eventually("the error", PATIENCE, || (status(&key, &account) == "error").then_some(()));
    assert_eq!(key.get(&format!("/messages/{message}")).ok()["status"], "queued");
    let changed = url.replacen(":relata@", ":changed@", 1);
    world.cli(["accounts", "set", &account, "--smtp", &changed]).ok();
    arrives(world, &key, &message, &address);
    assert_eq!(status(&key, &account), "connected");
}

/// Limits count every client of a service together, and all tests have one address: these are servers of this test.
fn its_limits_delay_mails(world: &World) {
    world.set(&["--rate-limit", "1000000000"]);
    let (key, servers) = (world.key("full_access"), Servers::own());
    let add = |name: &str, service: &str| {
        let address = format!("{name}@example.com");
        let (smtp, imap) = (servers.url(service, &address), servers.url("imap", &address));
        let add = ["accounts", "add", "--provider", "email", "--name", "Ann", "--address", &address, "--no-test"];
        world.run(&[&add[..], &["--smtp", &smtp, "--imap", &imap]].concat()).ok().to_owned()
    };
    let failures = || world.count("SELECT CAST(max(failures) AS text) FROM account_states");
    let arrived = |addresses: &[String]| {
        eventually("the mails", PATIENCE, || {
            skip_waits(world);
            addresses.iter().all(|address| servers.mails_to(address).len() == 1).then_some(())
        });
    };

    // One mail in three seconds: 450 4.7.1 Error: too much mail.
    let account = add("rate", "smtp-rate");
    let mut addresses = Vec::new();
    eventually("a refusal by the limit of mails", PATIENCE, || {
        if failures() > 0 {
            return Some(());
        }
        // Two at once, until a pair of them is fast enough to be refused.
        if addresses.iter().all(|address: &String| servers.mails_to(address).len() == 1) {
            for _ in 0..2 {
                let address = format!("bob{}@example.com", addresses.len());
                send(&key, &account, &address, "Hi", "Hello.");
                addresses.push(address);
            }
        }
        None
    });
    arrived(&addresses);
    eventually("the end of the waits", PATIENCE, || (failures() == 0).then_some(()));

    // One connection at a time: 421 4.7.0 Error: too many connections.
    let url = servers.url("smtp-single", "x");
    let host = url.rsplit_once('@').and_then(|(_, rest)| rest.split('?').next()).expect("a host").to_owned();
    let held = eventually("the only connection", PATIENCE, || {
        let stream = TcpStream::connect(&host).expect("a mail server");
        let mut greeting = String::new();
        let read = BufReader::new(stream.try_clone().expect("a stream")).read_line(&mut greeting);
        (read.is_ok() && greeting.starts_with("220")).then_some(stream)
    });
    let account = add("single", "smtp-single");
    let addresses: Vec<String> = (0..3).map(|number| format!("carl{number}@example.com")).collect();
    for address in &addresses {
        send(&key, &account, address, "Hi", "Hello.");
    }
    eventually("refusals by the limit of connections", PATIENCE, || {
        skip_waits(world);
        (failures() > 1).then_some(())
    });
    assert!(addresses.iter().all(|address| servers.mails_to(address).is_empty()));
    drop(held);
    arrived(&addresses);
    eventually("the account", PATIENCE, || (status(&key, &account) == "connected").then_some(()));
    assert_eq!(key.get("/suppressions").page().total(), 0);
}
