//! Mailboxes on a real Dovecot that misbehave: a quota, a missing Sent folder, lost connections, other passwords, a changed
//! UIDVALIDITY, mails that are deleted while they are fetched, a restart, too many connections.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::server_behaviours::{own_domain, send, status};
use crate::support::imap_relay::ImapRelay;
use crate::support::mailserver::Servers;
use crate::support::outside::contact;
use crate::support::*;

stories![
    a_full_mailbox_takes_no_copies,
    a_sent_folder_is_renamed_and_deleted,
    connections_that_the_server_ends_lose_no_mail,
    a_changed_password_is_reported,
    a_new_uidvalidity_doubles_no_mail,
    mails_that_are_deleted_while_they_are_read_hold_up_nobody,
    a_restart_while_mails_are_read_loses_none,
    too_many_connections_are_waited_for,
];

/// Connects an account by these addresses; returns its id.
#[track_caller]
fn add(world: &World, address: &str, smtp: &str, imap: &str, more: &[&str]) -> String {
    let add = ["accounts", "add", "--provider", "email", "--name", "Ann", "--address", address];
    world.run(&[&add[..], &["--smtp", smtp, "--imap", imap], more].concat()).ok().to_owned()
}

fn shown(key: &Client, account: &str) -> Value {
    key.get(&format!("/connected-accounts/{account}")).ok()
}

#[track_caller]
fn is_sent(key: &Client, message: &str) {
    eventually("a sent message", PATIENCE, || {
        (key.get(&format!("/messages/{message}")).ok()["status"] == "sent").then_some(())
    });
}

/// Lets the wait before each copy end now.
fn skip_waits(world: &World) {
    world.change("UPDATE sends SET due_at = created_at WHERE state = 'filing'");
}

/// Lets the wait before the next attempt to read end now.
fn read_again(world: &World) {
    world.change("UPDATE account_states SET sync_at = 0");
}

#[track_caller]
fn all_filed(world: &World) {
    eventually("all copies", PATIENCE, || {
        skip_waits(world);
        let waiting = world.count("SELECT CAST(count(*) AS text) FROM sends WHERE state = 'filing'");
        (waiting == 0).then_some(())
    });
}

/// Sends mails from somebody to a mailbox of these servers, as another mail server would.
fn deliver(servers: &Servers, from: &str, to: &str, subjects: &[String]) {
    let url = servers.url("smtp", from);
    let host = url.rsplit_once('@').and_then(|(_, rest)| rest.split('?').next()).expect("a host").to_owned();
    let stream = TcpStream::connect(host).expect("a mail server");
    let mut answers = BufReader::new(stream.try_clone().expect("a stream")).lines();
    let mut say = |text: &str| {
        (&stream).write_all(text.as_bytes()).expect("a listening server");
        loop {
            let line = answers.next().expect("an answer").expect("a line");
            if line.as_bytes().get(3) != Some(&b'-') {
                assert!(line.starts_with(['2', '3']), "{line}");
                return;
            }
        }
    };
    say("");
    say("EHLO there.example.com\r\n");
    for subject in subjects {
        say(&format!("MAIL FROM:<{from}>\r\n"));
        say(&format!("RCPT TO:<{to}>\r\n"));
        say("DATA\r\n");
        say(&format!(
            "From: {from}\r\nTo: {to}\r\nSubject: {subject}\r\nMessage-ID: <{subject}.{from}>\r\n\r\nHello.\r\n.\r\n"
        ));
    }
    say("QUIT\r\n");
}

fn numbered(range: std::ops::Range<usize>) -> Vec<String> {
    range.map(|number| format!("mail{number:03}")).collect()
}

/// Waits until each of these mails is stored once, and the account is up to date.
#[track_caller]
fn stored(key: &Client, account: &str, from: &str, subjects: &[String]) {
    let mut seen = Vec::new();
    let contact = key.list("/contacts", &[("email", from)]).page().ids().remove(0);
    let conversations = format!("/contacts/{contact}/conversations?limit=100");
    eventually("every mail", 2 * PATIENCE, || {
        seen = key.get(&conversations).page().column("subject");
        seen.sort();
        (seen.len() >= subjects.len()).then_some(())
    });
    assert_eq!(seen, subjects, "each once");
    eventually("the account", PATIENCE, || (status(key, account) == "connected").then_some(()));
}

fn a_full_mailbox_takes_no_copies(world: &World) {
    let (key, domain, servers) = (world.key("full_access"), own_domain(world, "quota"), Servers::shared());
    let ann = format!("own.ann@{domain}");
    servers.set_user(&ann, "relata", "userdb_quota_rule=*:storage=1B");
    let account = add(world, &ann, &servers.url("smtp", &ann), &servers.url("imap", &ann), &[]);
    is_sent(&key, &send(&key, &account, &format!("bob@{domain}"), "First", "Hello."));
    let told = eventually("the problem", PATIENCE, || {
        skip_waits(world);
        Some(shown(&key, &account)).filter(|shown| shown["filing_problem"].is_string())
    });
    assert!(text(&told["filing_problem"]).contains("refuses the copies"), "{told}");
    assert_eq!((&told["status"], &told["status_reason"]), (&json!("connected"), &json!(null)));
    is_sent(&key, &send(&key, &account, &format!("carl@{domain}"), "Second", "Hello."));
    // It gives up after some refusals.
    all_filed(world);
    assert!(servers.mails_to(&format!("{ann}/.Sent")).is_empty());
    servers.set_user(&ann, "relata", "userdb_quota_rule=*:storage=10M");
    is_sent(&key, &send(&key, &account, &format!("dora@{domain}"), "Third", "Hello."));
    all_filed(world);
    let copies = servers.mails_to(&format!("{ann}/.Sent"));
    assert!(copies.len() == 1 && copies[0].contains("Subject: Third"), "{copies:?}");
    eventually("no problem", PATIENCE, || shown(&key, &account)["filing_problem"].is_null().then_some(()));
}

/// A server that does not create the folder by itself, and does not mark it.
fn a_sent_folder_is_renamed_and_deleted(world: &World) {
    let (key, servers, ann) = (world.key("full_access"), Servers::own(), "ann@example.com");
    servers.change_imap("auto = create\n    special_use = \\Sent\n", "auto = no\n");
    let account = add(world, ann, &servers.url("smtp", ann), &servers.url("imap", ann), &[]);
    let copies = |folder: &str| servers.mails_to(&format!("{ann}/.{folder}")).len();
    is_sent(&key, &send(&key, &account, "bob@example.com", "First", "Hello."));
    let told = eventually("the problem", PATIENCE, || {
        skip_waits(world);
        Some(shown(&key, &account)).filter(|shown| shown["filing_problem"].is_string())
    });
    assert!(text(&told["filing_problem"]).contains("has no Sent folder"), "{told}");
    assert_eq!(told["status"], "connected");
    servers.doveadm(&["mailbox", "create", "-u", ann, "Sent"]);
    // The next attempt waits; a test of the account makes it at once.
    world.cli(["accounts", "test", &account]).ok();
    all_filed(world);
    assert_eq!(copies("Sent"), 1);
    eventually("no problem", PATIENCE, || shown(&key, &account)["filing_problem"].is_null().then_some(()));
    // Another mail program renames it.
    servers.doveadm(&["mailbox", "rename", "-u", ann, "Sent", "Gesendete Elemente"]);
    is_sent(&key, &send(&key, &account, "carl@example.com", "Second", "Hello."));
    all_filed(world);
    assert_eq!((copies("Sent"), copies("Gesendete Elemente")), (0, 2));
    servers.doveadm(&["mailbox", "delete", "-u", ann, "Gesendete Elemente"]);
    is_sent(&key, &send(&key, &account, "dora@example.com", "Third", "Hello."));
    eventually("the problem", PATIENCE, || {
        skip_waits(world);
        let shown = shown(&key, &account);
        shown["filing_problem"].as_str().is_some_and(|problem| problem.contains("has no Sent folder")).then_some(())
    });
    assert_eq!(status(&key, &account), "connected");
}

fn connections_that_the_server_ends_lose_no_mail(world: &World) {
    let (key, domain, servers) = (world.key("full_access"), own_domain(world, "ended"), Servers::shared());
    let (ann, ada) = (format!("ann@{domain}"), format!("ada@{domain}"));
    contact(&key, "Ada", &ada);
    let (idles, fetches) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (counted_idles, counted_fetches, kicked) = (idles.clone(), fetches.clone(), ann.clone());
    let relay = ImapRelay::new(&servers.url("imap", &ann), move |command| {
        counted_idles.fetch_add(usize::from(command == "IDLE"), Ordering::SeqCst);
        // The server ends the connection before the first contents of mails.
        if command.contains("BODY") && counted_fetches.fetch_add(1, Ordering::SeqCst) == 0 {
            Servers::shared().kick(&kicked);
        }
        true
    });
    let account = add(world, &ann, &servers.url("smtp", &ann), &relay.url(), &[]);
    for round in 0..3 {
        let before = idles.load(Ordering::SeqCst);
        eventually("a wait for mail", PATIENCE, || {
            read_again(world);
            (idles.load(Ordering::SeqCst) > before || round == 0 && before > 0).then_some(())
        });
        servers.kick(&ann);
    }
    let mails = numbered(0..12);
    deliver(&servers, &ada, &ann, &mails);
    eventually("a second request for the mails", PATIENCE, || {
        read_again(world);
        (fetches.load(Ordering::SeqCst) > 1).then_some(())
    });
    stored(&key, &account, &ada, &mails);
    let counts = shown(&key, &account);
    assert_eq!((&counts["mails_stored"], &counts["mails_unstored"]), (&json!(12), &json!(0)), "{counts}");
}

fn a_changed_password_is_reported(world: &World) {
    let (key, domain, servers) = (world.key("full_access"), own_domain(world, "password"), Servers::shared());
    let (ann, ada) = (format!("own.ann@{domain}"), format!("ada@{domain}"));
    contact(&key, "Ada", &ada);
    servers.set_user(&ann, "relata", "");
    let url = servers.url("imap", &ann);
    let account = add(world, &ann, &servers.url("smtp", &format!("bob@{domain}")), &url, &[]);
    servers.set_user(&ann, "changed", "");
    let told = eventually("the error", PATIENCE, || {
        // The open connection stays valid.
        servers.kick(&ann);
        read_again(world);
        Some(shown(&key, &account)).filter(|shown| shown["status"] == "error")
    });
    assert!(text(&told["status_reason"]).starts_with("imap: "), "{told}");
    let listed = world.cli(["accounts", "list"]).ok().to_owned();
    assert!(listed.contains("Authentication failed") && !listed.contains("changed"), "{listed}");
    let waiting = send(&key, &account, &format!("carl@{domain}"), "Hi", "Hello.");
    let mails = numbered(0..2);
    deliver(&servers, &ada, &ann, &mails);
    assert_eq!(key.get(&format!("/messages/{waiting}")).ok()["status"], "queued");
    world.cli(["accounts", "set", &account, "--imap", &url.replacen(":relata@", ":changed@", 1)]).ok();
    stored(&key, &account, &ada, &mails);
    is_sent(&key, &waiting);
}

fn a_new_uidvalidity_doubles_no_mail(world: &World) {
    let (key, domain, servers) = (world.key("full_access"), own_domain(world, "validity"), Servers::shared());
    let (ann, ada) = (format!("ann@{domain}"), format!("ada@{domain}"));
    contact(&key, "Ada", &ada);
    let account = add(world, &ann, &servers.url("smtp", &ann), &servers.url("imap", &ann), &[]);
    for (round, validity) in ["7000", "7001", "7002"].into_iter().enumerate() {
        deliver(&servers, &ada, &ann, &numbered(4 * round..4 * round + 4));
        stored(&key, &account, &ada, &numbered(0..4 * round + 4));
        servers.doveadm(&["mailbox", "update", "-u", &ann, "--uid-validity", validity, "INBOX"]);
        read_again(world);
    }
    deliver(&servers, &ada, &ann, &numbered(12..13));
    stored(&key, &account, &ada, &numbered(0..13));
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM messages WHERE direction = 'inbound'"), 13);
}

fn mails_that_are_deleted_while_they_are_read_hold_up_nobody(world: &World) {
    let (key, domain, servers) = (world.key("full_access"), own_domain(world, "deleted"), Servers::shared());
    let (ann, ada) = (format!("ann@{domain}"), format!("ada@{domain}"));
    contact(&key, "Ada", &ada);
    let (sizes, contents, owner) = (AtomicUsize::new(0), AtomicUsize::new(0), ann.clone());
    // One mail is deleted between the search and the request for sizes, one between that and the request for contents.
    let relay = ImapRelay::new(&servers.url("imap", &ann), move |command| {
        let expunge = |subject: &str| {
            let query = ["expunge", "-u", &owner, "mailbox", "INBOX", "header", "Subject", subject];
            Servers::shared().doveadm(&query);
        };
        if command.contains("RFC822.SIZE") && sizes.fetch_add(1, Ordering::SeqCst) == 0 {
            expunge("mail001");
        }
        if command.contains("BODY") && contents.fetch_add(1, Ordering::SeqCst) == 0 {
            expunge("mail003");
        }
        true
    });
    deliver(&servers, &ada, &ann, &numbered(0..6));
    eventually("all mails in the mailbox", PATIENCE, || (servers.mails_to(&ann).len() == 6).then_some(()));
    let account = add(world, &ann, &servers.url("smtp", &ann), &relay.url(), &[]);
    let left: Vec<String> = [0, 2, 4, 5].map(|number| format!("mail{number:03}")).into();
    stored(&key, &account, &ada, &left);
    let counts = eventually("counts without the deleted mails", PATIENCE, || {
        Some(shown(&key, &account)).filter(|shown| shown["mails_in_folder"] == 4)
    });
    assert_eq!((&counts["mails_stored"], &counts["mails_unstored"]), (&json!(4), &json!(0)), "{counts}");
}

fn a_restart_while_mails_are_read_loses_none(world: &World) {
    let (key, servers, ann, ada) =
        (world.key("full_access"), Arc::new(Servers::own()), "ann@example.com", "ada@example.com");
    contact(&key, "Ada", ada);
    let mails = numbered(0..40);
    deliver(&servers, ada, ann, &mails);
    eventually("all mails in the mailbox", PATIENCE, || (servers.mails_to(ann).len() == mails.len()).then_some(()));
    // The relay outlives the test, the servers must not.
    let (fetches, restarted) = (AtomicUsize::new(0), Arc::downgrade(&servers));
    let relay = ImapRelay::new(&servers.url("imap", ann), move |command| {
        if command.contains("BODY") && fetches.fetch_add(1, Ordering::SeqCst) == 1 {
            restarted.upgrade().expect("running servers").restart_imap();
        }
        true
    });
    let account = add(world, ann, &servers.url("smtp", ann), &relay.url(), &[]);
    stored(&key, &account, ada, &mails);
    let counts = eventually("counts of all mails", PATIENCE, || {
        Some(shown(&key, &account)).filter(|shown| shown["mails_stored"] == mails.len())
    });
    assert_eq!(counts["mails_unstored"], 0, "{counts}");
}

fn too_many_connections_are_waited_for(world: &World) {
    let (key, servers, ann, ada) = (world.key("full_access"), Servers::own(), "ann@example.com", "ada@example.com");
    contact(&key, "Ada", ada);
    servers.change_imap("mail_max_userip_connections = 200", "mail_max_userip_connections = 3");
    // A mail program of the user has all connections. Relata needs two: to wait for mail, and to test the account or to file.
    let url = servers.url("imap", ann);
    let host = url.rsplit_once('@').and_then(|(_, rest)| rest.split('?').next()).expect("a host").to_owned();
    let log_in = || {
        let stream = TcpStream::connect(&host).expect("a mail server");
        let mut answers = BufReader::new(stream.try_clone().expect("a stream")).lines();
        (&stream).write_all(format!("a LOGIN {ann} relata\r\n").as_bytes()).expect("a listening server");
        let login = answers.find_map(|line| line.ok().filter(|line| line.starts_with("a "))).expect("an answer");
        assert!(login.starts_with("a OK"), "{login}");
        stream
    };
    let held: Vec<TcpStream> = (0..3).map(|_| log_in()).collect();
    let account = add(world, ann, &servers.url("smtp", ann), &url, &["--no-test"]);
    let mails = numbered(0..3);
    deliver(&servers, ada, ann, &mails);
    let told = eventually("the error", PATIENCE, || {
        read_again(world);
        Some(shown(&key, &account)).filter(|shown| shown["status"] == "error")
    });
    assert!(text(&told["status_reason"]).contains("try again later"), "the password is right: {told}");
    let listed = world.cli(["accounts", "list"]).ok().to_owned();
    assert!(listed.contains("Maximum number of connections"), "{listed}");
    drop(held);
    eventually("the account", PATIENCE, || {
        read_again(world);
        (status(&key, &account) == "connected").then_some(())
    });
    stored(&key, &account, ada, &mails);
}
