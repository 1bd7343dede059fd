//! Mailboxes that can't be opened or read: the account shows why and sends nothing, retries back off, and mails that
//! the server does not deliver are listed.

use serde_json::{Value, json};

use crate::support::fake_imap::{FakeImap, Greeting, Mail};
use crate::support::outside::contact;
use crate::support::*;

stories![
    an_account_whose_mailbox_can_not_be_opened_sends_nothing,
    a_repaired_account_receives_at_once,
    a_connection_that_is_lost_once_changes_nothing,
    mails_that_are_announced_and_never_delivered_are_listed,
    a_server_that_announces_mails_without_end_is_an_error,
    a_mail_that_breaks_the_connection_is_listed,
    a_mailbox_that_is_behind_warns_once,
    two_nodes_store_each_mail_once,
    the_lease_is_renewed_while_a_mail_is_fetched,
    a_server_that_is_killed_while_it_reads_stores_the_mail_once,
    an_endless_search_answer_is_an_error_of_the_account,
    a_mail_with_endless_answers_is_listed,
    a_mail_with_a_deeply_nested_answer_is_listed,
    a_mail_with_unfinished_answers_is_listed,
];

const ADA: &str = "ada@example.com";

/// A mail from Ada.
fn letter(id: &str) -> String {
    format!(
        "From: {ADA}\r\nTo: ann@example.com\r\nSubject: {id}\r\nMessage-ID: <{id}@elsewhere.example>\r\nDate: Mon, 5 Jan 2026 10:00:00 +0000\r\n\r\nHello Ann.\r\n"
    )
}

/// Adds an account that sends through the sandbox and receives from another server; returns its id.
#[track_caller]
fn account(world: &World, outside: &Outside, address: &str, imap: &str) -> String {
    let smtp = outside.smtp(address);
    let add = ["accounts", "add", "--provider", "email", "--name", address, "--address", address, "--no-test"];
    world.run(&[&add[..], &["--smtp", &smtp, "--imap", imap]].concat()).ok().to_owned()
}

fn shown(key: &Client, account: &str) -> Value {
    key.get(&format!("/connected-accounts/{account}")).ok()
}

#[track_caller]
fn becomes(key: &Client, account: &str, status: &str) -> Value {
    eventually(&format!("an account that is {status}"), PATIENCE, || {
        Some(shown(key, account)).filter(|shown| shown["status"] == status)
    })
}

/// Sends a mail to Ada through an account; returns the message's path.
#[track_caller]
fn send(key: &Client, ada: &str, account: &str) -> String {
    let body =
        json!({"contact_id": ada, "channel": "email", "subject": "Hi", "content": "Hello.", "account_id": account});
    format!("/messages/{}", text(&key.post("/messages", body).created()["id"]))
}

#[track_caller]
fn is_sent(key: &Client, message: &str) {
    eventually("the mail", PATIENCE, || (key.get(message).ok()["status"] == "sent").then_some(()));
}

/// The account once its folder has so many mails and all of them are stored or listed.
#[track_caller]
fn counted(key: &Client, account: &str, in_folder: i64) -> Value {
    eventually("a folder with all mails stored or listed", 2 * PATIENCE, || {
        let account = shown(key, account);
        let n = |name: &str| account[name].as_i64().unwrap_or(-1);
        let whole = n("mails_in_folder") == in_folder && n("mails_stored") + n("mails_unstored") == in_folder;
        whole.then_some(account)
    })
}

fn subjects(key: &Client) -> Vec<String> {
    let mut subjects = key.list("/conversations", &[("limit", "100")]).page().column("subject");
    subjects.sort();
    subjects
}

/// Counts the lines of the log about an account that contain this text.
fn log_lines(world: &World, account: &str, text: &str) -> usize {
    world.log().lines().filter(|line| line.contains(account) && line.contains(text)).count()
}

fn an_account_whose_mailbox_can_not_be_opened_sends_nothing(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let ada = contact(&key, "Ada", ADA);
    let fakes: Vec<FakeImap> = (0..4).map(|_| FakeImap::new()).collect();
    fakes[0].with(|state| state.refuses_login = true);
    fakes[1].with(|state| state.greeting = Greeting::Garbage);
    fakes[2].with(|state| state.greeting = Greeting::None);
    let refused = format!("imap://ann:secret@127.0.0.1:{}?tls=none", free_port());
    let urls = [fakes[0].url("none"), fakes[1].url("none"), fakes[2].url("none"), fakes[3].url("tls"), refused];
    let accounts: Vec<String> = urls
        .iter()
        .enumerate()
        .map(|(at, url)| account(world, &outside, &format!("ann{at}@example.com"), url))
        .collect();
    for one in &accounts {
        let shown = becomes(&key, one, "error");
        let reason = text(&shown["status_reason"]);
        assert!(reason.starts_with("imap: "), "{reason}");
        assert!(!reason.contains("127.0.0.1"), "only admins may see the server's text: {reason}");
    }
    let listed = world.cli(["accounts", "list"]).ok().to_owned();
    for one in &accounts {
        let line = listed.lines().find(|line| line.contains(one)).expect("a line");
        assert!(line.contains("\terror\t") && line.contains("imap: "), "{line}");
    }
    assert!(listed.contains("wrong password"), "{listed}");
    let waiting: Vec<String> = accounts.iter().map(|one| send(&key, &ada, one)).collect();
    // When a message of a healthy account has been sent, all other due messages would have been sent too.
    let sound = outside.mailbox(world, "bob@example.com", &[]);
    is_sent(&key, &send(&key, &ada, &sound));
    for message in &waiting {
        assert_eq!(key.get(message).ok()["status"], "queued");
    }
    // The log has a line for each change, not for each attempt.
    eventually("a third attempt", PATIENCE, || (fakes[0].with(|state| state.connections) >= 3).then_some(()));
    for one in &accounts {
        assert_eq!(log_lines(world, one, "can't receive and sends nothing"), 1, "{}", world.log());
    }
    // The account recovers by itself when the mailbox can be opened again.
    fakes[0].with(|state| state.refuses_login = false);
    becomes(&key, &accounts[0], "connected");
    is_sent(&key, &waiting[0]);
    let logged = || log_lines(world, &accounts[0], "receives again");
    eventually("the line in the log", PATIENCE, || (logged() > 0).then_some(()));
    assert_eq!(logged(), 1);
    assert_eq!(shown(&key, &accounts[0])["status_reason"], json!(null));
}

fn a_repaired_account_receives_at_once(world: &World) {
    let (outside, key, fake) = (Outside::new(""), world.key("full_access"), FakeImap::new());
    contact(&key, "Ada", ADA);
    fake.with(|state| {
        state.refuses_login = true;
        state.mails.insert(1, Mail::Delivered(letter("hello")));
    });
    let one = account(world, &outside, "ann@example.com", &fake.url("none"));
    becomes(&key, &one, "error");
    // The state after a day of failures.
    world.change("UPDATE account_states SET sync_failures = 20, sync_at = 4102444800000, free_at = 0");
    fake.with(|state| state.refuses_login = false);
    assert_eq!(world.cli(["accounts", "test", &one]).ok(), "ok");
    assert_eq!(shown(&key, &one)["status"], "connected");
    counted(&key, &one, 1);
    assert_eq!(subjects(&key), ["hello"]);
}

fn a_connection_that_is_lost_once_changes_nothing(world: &World) {
    let (outside, key, fake) = (Outside::new(""), world.key("full_access"), FakeImap::new());
    let ada = contact(&key, "Ada", ADA);
    fake.with(|state| state.greeting = Greeting::None);
    let one = account(world, &outside, "ann@example.com", &fake.url("none"));
    eventually("a first attempt", PATIENCE, || (fake.with(|state| state.connections) > 0).then_some(()));
    fake.with(|state| state.greeting = Greeting::Usual);
    eventually("a check of the mailbox", PATIENCE, || shown(&key, &one)["last_sync_at"].as_str().map(drop));
    is_sent(&key, &send(&key, &ada, &one));
    assert_eq!(shown(&key, &one)["status"], "connected");
    assert_eq!(log_lines(world, &one, "can't receive"), 0);
}

fn mails_that_are_announced_and_never_delivered_are_listed(world: &World) {
    let (outside, key, fake) = (Outside::new(""), world.key("full_access"), FakeImap::new());
    contact(&key, "Ada", ADA);
    fake.with(|state| {
        state.always_news = true;
        state.mails.extend((1..=20).map(|uid| (uid, Mail::LeftOut)));
        state.mails.insert(7, Mail::Delivered(letter("seven")));
    });
    let one = account(world, &outside, "ann@example.com", &fake.url("none"));
    let counts = counted(&key, &one, 20);
    assert_eq!((&counts["mails_stored"], &counts["mails_unstored"]), (&json!(1), &json!(19)));
    assert_eq!(counts["status"], "connected");
    let listed = key.get(&format!("/connected-accounts/{one}/unstored?limit=100")).page().rows;
    assert_eq!(listed.len(), 19);
    assert!(listed.iter().all(|mail| text(&mail["reason"]).contains("does not deliver it")), "{listed:?}");
    let logged = || log_lines(world, &one, "lists mails that it does not deliver");
    eventually("the line in the log", PATIENCE, || (logged() > 0).then_some(()));
    assert_eq!(logged(), 1);
    // The next mail is read, although the server announces news all the time.
    fake.with(|state| state.mails.insert(21, Mail::Delivered(letter("next"))));
    counted(&key, &one, 21);
    assert_eq!(subjects(&key), ["next", "seven"]);
    let rounds = fake.asked("EXAMINE");
    assert!(rounds < 100, "the folder was opened {rounds} times");
}

/// Each search is for 5,000 places.
fn a_server_that_announces_mails_without_end_is_an_error(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    contact(&key, "Ada", ADA);
    for (announced, says) in [(u32::MAX, "more than 5000000 mails"), (4_000_000, "announces more mails than it lists")]
    {
        let fake = FakeImap::new();
        fake.with(|state| {
            state.announces = Some(announced);
            state.mails.insert(1, Mail::Delivered(letter("one")));
        });
        let address = format!("ann{announced}@example.com");
        let one = account(world, &outside, &address, &fake.url("none"));
        becomes(&key, &one, "error");
        eventually("the reason in the log", PATIENCE, || world.log().contains(says).then_some(()));
        let searches = fake.asked("UID SEARCH");
        assert!(searches < 20, "{searches} searches");
    }
}

fn a_mail_that_breaks_the_connection_is_listed(world: &World) {
    let (outside, key, fake) = (Outside::new(""), world.key("full_access"), FakeImap::new());
    contact(&key, "Ada", ADA);
    fake.with(|state| {
        state.mails.extend((1..=5).map(|uid| (uid, Mail::Delivered(letter(&format!("mail{uid}"))))));
        state.mails.insert(3, Mail::Disconnects);
    });
    let one = account(world, &outside, "ann@example.com", &fake.url("none"));
    let counts = counted(&key, &one, 5);
    assert_eq!((&counts["mails_stored"], &counts["mails_unstored"]), (&json!(4), &json!(1)));
    let listed = key.get(&format!("/connected-accounts/{one}/unstored")).page().rows;
    assert_eq!(listed[0]["uid"], 3);
    assert!(text(&listed[0]["reason"]).contains("does not deliver it"), "{listed:?}");
    assert_eq!(subjects(&key), ["mail1", "mail2", "mail4", "mail5"]);
    assert_eq!(shown(&key, &one)["status"], "connected");
}

/// Each answer may be short; all of them together would fill the memory.
fn a_mail_with_endless_answers_is_listed(world: &World) {
    is_listed(world, Mail::Floods);
}

/// The library parses nested answers by recursion, which would use up the stack and end the server.
fn a_mail_with_a_deeply_nested_answer_is_listed(world: &World) {
    is_listed(world, Mail::Nests);
}

fn a_mail_with_unfinished_answers_is_listed(world: &World) {
    is_listed(world, Mail::Unfinished);
}

/// The third of five mails has such an answer: it is listed, and the others are stored.
fn is_listed(world: &World, third: Mail) {
    let (outside, key, fake) = (Outside::new(""), world.key("full_access"), FakeImap::new());
    contact(&key, "Ada", ADA);
    fake.with(|state| {
        state.mails.extend((1..=5).map(|uid| (uid, Mail::Delivered(letter(&format!("mail{uid}"))))));
        state.mails.insert(3, third);
    });
    let one = account(world, &outside, "ann@example.com", &fake.url("none"));
    let before = fake.with(|state| state.connections);
    let counts = counted(&key, &one, 5);
    assert_eq!((&counts["mails_stored"], &counts["mails_unstored"]), (&json!(4), &json!(1)));
    let listed = key.get(&format!("/connected-accounts/{one}/unstored")).page().rows;
    assert_eq!(listed[0]["uid"], 3);
    assert_eq!(subjects(&key), ["mail1", "mail2", "mail4", "mail5"]);
    // The connection was closed each time.
    assert!(fake.with(|state| state.connections) >= before + 2);
}

fn a_mailbox_that_is_behind_warns_once(world: &World) {
    let (outside, key, fake) = (Outside::new(""), world.key("full_access"), FakeImap::new());
    contact(&key, "Ada", ADA);
    // More mails than are given up during the test.
    fake.with(|state| state.mails.extend((1..=50).map(|uid| (uid, Mail::Disconnects))));
    let one = account(world, &outside, "ann@example.com", &fake.url("none"));
    // Mails have been waiting for long, and each attempt to fetch them fails.
    world.change("UPDATE account_states SET waiting_since = 86400000");
    eventually("the warning", PATIENCE, || (log_lines(world, &one, "a mailbox is behind") > 0).then_some(()));
    let before = fake.with(|state| state.connections);
    eventually("two more attempts", PATIENCE, || (fake.with(|state| state.connections) >= before + 2).then_some(()));
    assert_eq!(log_lines(world, &one, "a mailbox is behind"), 1);
    assert!(shown(&key, &one)["behind_since"].is_string());
    fake.with(|state| state.mails.clear());
    eventually("the news", PATIENCE, || (log_lines(world, &one, "is up to date again") > 0).then_some(()));
    assert_eq!(log_lines(world, &one, "is up to date again"), 1);
    assert_eq!(shown(&key, &one)["behind_since"], json!(null));
}

fn two_nodes_store_each_mail_once(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let Some(_second) = world.another_node() else { return };
    contact(&key, "Ada", ADA);
    let one = outside.mailbox(world, "ann@example.com", &[]);
    let count = 60;
    for at in 0..count {
        outside.deliver("ann@example.com", &letter(&format!("mail{at:02}")).replace("\r\n", "\n"));
        // Clear the lease, so that both nodes read the same mails.
        if at % 5 == 0 {
            world.change("UPDATE account_states SET sync_until = 1, sync_at = 0");
        }
    }
    for _ in 0..20 {
        world.change("UPDATE account_states SET sync_until = 1, sync_at = 0");
        pause();
    }
    let counts = counted(&key, &one, count);
    assert_eq!((&counts["mails_stored"], &counts["mails_unstored"]), (&json!(count), &json!(0)));
    let expected: Vec<String> = (0..count).map(|at| format!("mail{at:02}")).collect();
    assert_eq!(subjects(&key), expected, "each is stored once");
    let messages = world.count("SELECT CAST(count(*) AS text) FROM messages WHERE direction = 'inbound'");
    assert_eq!(messages, count as u64);
}

/// A column of the account's state.
fn state(world: &World, column: &str) -> u64 {
    world.count(&format!("SELECT CAST({column} AS text) FROM account_states"))
}

fn the_lease_is_renewed_while_a_mail_is_fetched(world: &World) {
    let (outside, key, fake) = (Outside::new(""), world.key("full_access"), FakeImap::new());
    contact(&key, "Ada", ADA);
    fake.with(|state| {
        state.holds = true;
        state.mails.insert(1, Mail::Delivered(letter("slow")));
    });
    let one = account(world, &outside, "ann@example.com", &fake.url("none"));
    eventually("the record of the mail being read", PATIENCE, || (state(world, "reading_from") == 1).then_some(()));
    let lease = state(world, "sync_until");
    eventually("a renewed lease", PATIENCE, || (state(world, "sync_until") > lease).then_some(()));
    let lease = state(world, "sync_until");
    eventually("a lease that is renewed again", PATIENCE, || (state(world, "sync_until") > lease).then_some(()));
    assert_eq!((state(world, "reading_from"), state(world, "reading_attempt")), (1, 1), "it is still being read");
    assert_eq!(fake.with(|state| state.connections), 1);
    fake.with(|state| state.holds = false);
    counted(&key, &one, 1);
    assert_eq!(subjects(&key), ["slow"]);
    assert_eq!(state(world, "reading_attempt"), 0);
}

fn a_server_that_is_killed_while_it_reads_stores_the_mail_once(world: &World) {
    let (outside, key, fake) = (Outside::new(""), world.key("full_access"), FakeImap::new());
    contact(&key, "Ada", ADA);
    fake.with(|state| {
        state.holds = true;
        state.mails.insert(1, Mail::Delivered(letter("first")));
        state.mails.insert(2, Mail::Delivered(letter("second")));
    });
    let one = account(world, &outside, "ann@example.com", &fake.url("none"));
    for attempt in 1..=2 {
        eventually("the record of the mails being read", PATIENCE, || {
            (state(world, "reading_from") == 1 && state(world, "reading_attempt") == attempt).then_some(())
        });
        world.kill9();
        assert_eq!(state(world, "reading_from"), 1, "the mail in flight is recorded");
        world.start();
        world.change("UPDATE account_states SET sync_until = 1");
    }
    fake.with(|state| {
        state.holds = false;
        state.mails.insert(3, Mail::Delivered(letter("third")));
    });
    let counts = counted(&key, &one, 3);
    assert_eq!((&counts["mails_stored"], &counts["mails_unstored"]), (&json!(3), &json!(0)));
    assert_eq!(subjects(&key), ["first", "second", "third"], "each is stored once");
}

/// The IMAP library parses an answer from its beginning each time more of it arrives.
fn an_endless_search_answer_is_an_error_of_the_account(world: &World) {
    let (outside, key, fake) = (Outside::new(""), world.key("full_access"), FakeImap::new());
    contact(&key, "Ada", ADA);
    fake.with(|state| state.endless_search = true);
    let one = account(world, &outside, "ann@example.com", &fake.url("none"));
    becomes(&key, &one, "error");
    let listed = world.cli(["accounts", "list"]).ok().to_owned();
    assert!(listed.contains("the answer is too long"), "{listed}");
    let logged = || log_lines(world, &one, "the answer is too long");
    eventually("the line in the log", PATIENCE, || (logged() > 0).then_some(()));
    fake.with(|state| {
        state.endless_search = false;
        state.mails.insert(1, Mail::Delivered(letter("hello")));
    });
    assert_eq!(world.cli(["accounts", "test", &one]).ok(), "ok");
    becomes(&key, &one, "connected");
    counted(&key, &one, 1);
    assert_eq!(subjects(&key), ["hello"]);
}
