//! Connected accounts: adding them, what the API shows of them, and secrets that it never shows.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::time::Duration;

use serde_json::json;

use crate::support::outside::contact;
use crate::support::*;

stories![
    an_account_is_added_tested_and_shown,
    secrets_are_neither_shown_nor_stored_in_the_clear,
    secrets_can_be_rotated_while_the_server_runs,
    an_account_that_does_not_work_is_not_added,
    a_server_that_hangs_times_out,
    only_current_versions_of_tls_are_offered,
    values_that_do_not_fit_the_provider_are_refused,
    a_removed_account_keeps_its_history,
    a_wrong_password_blocks_the_account_and_keeps_its_messages,
    accounts_need_a_scope_for_messages_or_sourcing,
];

fn an_account_is_added_tested_and_shown(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    world.cli(["members", "add", "--email", "ann@example.com", "--name", "Ann Sender"]).ok();
    let limits = ["--daily-limit", "50", "--min-gap-minutes", "3", "--ramp-up", "10", "--owner", "ann@example.com"];
    let id = outside.mailbox(world, "ann@example.com", &limits);
    let network = outside.provider(world, "network");
    let chat = outside.provider(world, "chat");

    let account = key.get(&format!("/connected-accounts/{id}")).ok();
    assert_eq!(account["name"], "Ann Sender");
    assert_eq!(account["provider"], "email");
    assert_eq!(account["address"], "ann@example.com");
    assert_eq!((&account["status"], &account["status_reason"]), (&json!("connected"), &json!(null)));
    assert_eq!((&account["daily_limit"], &account["min_gap_minutes"]), (&json!(50), &json!(3)));
    assert_eq!((&account["ramp_up"], &account["receives"]), (&json!(10), &json!(true)));
    assert_eq!(account["license_type"], json!(null));
    let api = json!({"classic": "inactive", "sales_navigator": "inactive", "recruiter": "inactive"});
    assert_eq!(account["api_status"], api);
    let members = key.get("/workspace/members").page().rows;
    let ann = members.iter().find(|member| member["email"] == "ann@example.com").expect("Ann is a member");
    assert_eq!(account["owner_id"], ann["user_id"]);

    let of = |id: &str| key.get(&format!("/connected-accounts/{id}")).ok();
    assert_eq!(of(&network)["api_status"]["classic"], "active");
    assert_eq!(of(&network)["address"], json!(null));
    assert_eq!(key.list("/connected-accounts", &[("sort", "created_at")]).page().ids(), [&*id, &*network, &*chat]);
    assert_eq!(key.list("/connected-accounts", &[("provider", "network")]).page().ids(), [&*network]);
    assert_eq!(key.list("/connected-accounts", &[("status", "connected"), ("sort", "name")]).page().total(), 3);
    key.list("/connected-accounts", &[("token", "x")]).error(400, "validation_error").says("token");

    // The server reads the mailbox without being asked.
    eventually("the first check of the mailbox", PATIENCE, || of(&id)["last_sync_at"].as_str().map(drop));
    let listed = world.cli(["accounts", "list"]).ok().to_owned();
    assert!(listed.contains(&id) && listed.contains("ann@example.com\tconnected"), "{listed}");
    assert_eq!(world.cli(["accounts", "test", &id]).ok(), "ok");
    // Other workspaces do not see it.
    assert_eq!(world.workspace("other").key("full_access").get("/connected-accounts").page().total(), 0);
}

fn secrets_are_neither_shown_nor_stored_in_the_clear(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let smtp = outside.smtp("ann@example.com").replace(":sandbox@", ":s3cret-of-ann@");
    let add = ["accounts", "add", "--provider", "email", "--name", "Ann", "--address", "ann@example.com"];
    let id = world.run(&[&add[..], &["--smtp", &smtp]].concat()).ok().to_owned();
    let shown = key.get(&format!("/connected-accounts/{id}"));
    assert!(!shown.text().contains("s3cret-of-ann"));
    assert!(!key.get("/events").text().contains("s3cret-of-ann"));
    assert!(!world.cli(["accounts", "list"]).ok().contains("s3cret-of-ann"));
    assert!(!world.stores("s3cret-of-ann"), "the password is stored unencrypted");
    assert!(!world.log().contains("s3cret-of-ann"));
}

fn secrets_can_be_rotated_while_the_server_runs(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let id = outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    assert_eq!(world.cli(["accounts", "rotate-secrets"]).ok(), "1");
    assert_eq!(world.cli(["accounts", "test", &id]).ok(), "ok");
    key.post("/messages", json!({"contact_id": ada, "channel": "email", "content": "Still here."})).created();
    eventually("the mail", PATIENCE, || outside.to("ada@example.com").pop());
}

fn an_account_that_does_not_work_is_not_added(world: &World) {
    let outside = Outside::new("[[rules]]\naction = \"wrong_password\"\nmatch = \"eve@example.com\"\n");
    let add = |smtp: &str, more: &[&str]| {
        let words =
            ["accounts", "add", "--provider", "email", "--name", "Eve", "--address", "eve@example.com", "--smtp"];
        world.run(&[&words[..], &[smtp], more].concat())
    };
    let refused = add(&outside.smtp("eve@example.com"), &[]);
    assert!(refused.refused().contains("smtp: ") && refused.refused().contains("--no-test"), "{}", refused.refused());
    let unreached = add(&format!("smtp://eve:secret@127.0.0.1:{}?tls=none", free_port()), &[]);
    assert!(unreached.refused().contains("127.0.0.1"), "{}", unreached.refused());
    assert!(!unreached.refused().contains("secret"));
    for wrong in ["http://eve@127.0.0.1", "smtp://eve:x@127.0.0.1:25?tls=maybe", "127.0.0.1:25"] {
        let wrong = add(wrong, &["--no-test"]);
        assert!(wrong.refused().contains("--smtp: "), "{}", wrong.refused());
    }
    assert_eq!(world.cli(["accounts", "list"]).ok(), "");
    let id = add(&outside.smtp("eve@example.com"), &["--no-test"]).ok().to_owned();
    assert!(world.cli(["accounts", "test", &id]).refused().contains("smtp: "));
    let shown = world.key("full_access").get(&format!("/connected-accounts/{id}")).ok();
    assert_eq!(shown["status"], "error");
    assert!(text(&shown["status_reason"]).contains("smtp"), "{shown}");
}

fn a_server_that_hangs_times_out(world: &World) {
    // The server accepts connections and sends nothing.
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let address = listener.local_addr().expect("the listener has an address").to_string();
    let began = stopwatch();
    let smtp = format!("smtp://ann:x@{address}?tls=none");
    let add = ["accounts", "add", "--provider", "email", "--name", "Ann", "--address", "ann@example.com", "--smtp"];
    let refused = world.run(&[&add[..], &[&smtp]].concat());
    assert!(refused.refused().contains(&address), "{}", refused.refused());
    assert!(began.elapsed() < Duration::from_secs(60), "it took {:?}", began.elapsed());
}

/// The extensions of a ClientHello (RFC 8446, section 4.1.2) by number, and its cipher suites.
fn offered(hello: &[u8]) -> (BTreeMap<u16, Vec<u8>>, Vec<u16>) {
    let number = |at: usize| usize::from(hello[at]) << 8 | usize::from(hello[at + 1]);
    assert_eq!((hello[0], hello[5]), (0x16, 1), "not a ClientHello");
    // The header of the record, that of the message, its version and its random value.
    let mut at = 5 + 4 + 2 + 32;
    at += 1 + usize::from(hello[at]);
    let length = number(at);
    let suites = (at + 2..at + 2 + length).step_by(2).map(|at| number(at) as u16).collect();
    at += 2 + length;
    at += 1 + usize::from(hello[at]);
    let (mut extensions, end) = (BTreeMap::new(), at + 2 + number(at));
    at += 2;
    while at < end {
        let length = number(at + 2);
        extensions.insert(number(at) as u16, hello[at + 4..at + 4 + length].to_vec());
        at += 4 + length;
    }
    (extensions, suites)
}

fn only_current_versions_of_tls_are_offered(world: &World) {
    const VERSIONS: u16 = 43;
    // With authenticated encryption and keys that are made for each connection; and the sign that renegotiation is safe.
    const SUITES: [u16; 10] = [0x1301, 0x1302, 0x1303, 0xc02b, 0xc02c, 0xc02f, 0xc030, 0xcca8, 0xcca9, 0x00ff];
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let smtp = format!("smtp://ann:s3cret@{}?tls=tls", listener.local_addr().expect("an address"));
    // It answers with a ServerHello of TLS 1.1, and keeps what it receives.
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut hello = vec![0; 5];
        stream.read_exact(&mut hello).expect("a record");
        let length = usize::from(hello[3]) << 8 | usize::from(hello[4]);
        hello.resize(5 + length, 0);
        stream.read_exact(&mut hello[5..]).expect("a ClientHello");
        let mut answer = vec![0x16, 3, 2, 0, 42, 2, 0, 0, 38, 3, 2];
        answer.extend([7; 32]);
        // No session, TLS_RSA_WITH_AES_128_CBC_SHA, no compression.
        answer.extend([0, 0x00, 0x2f, 0]);
        stream.write_all(&answer).expect("an answer");
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        (hello, rest)
    });
    let add = ["accounts", "add", "--provider", "email", "--name", "Ann", "--address", "ann@example.com", "--smtp"];
    world.run(&[&add[..], &[&smtp]].concat()).refused();
    let (hello, rest) = server.join().expect("a server");
    let (extensions, suites) = offered(&hello);
    let mut versions = extensions[&VERSIONS][1..].chunks(2).map(<[u8]>::to_vec).collect::<Vec<_>>();
    versions.sort();
    assert_eq!(versions, [[3, 3], [3, 4]], "TLS 1.2 and 1.3");
    assert!(suites.len() > 1 && suites.iter().all(|suite| SUITES.contains(suite)), "{suites:04x?}");
    assert!(rest.is_empty() || rest[0] == 0x15, "an alert and nothing else: {rest:?}");
}

fn values_that_do_not_fit_the_provider_are_refused(world: &World) {
    let outside = Outside::new("");
    let smtp = outside.smtp("ann@example.com");
    let wrong = |words: &[&str], says: &str| {
        let ran = world.run(&[&["accounts", "add", "--name", "Ann"], words].concat());
        assert!(ran.refused().contains(says), "{}", ran.refused());
    };
    wrong(&["--provider", "email", "--address", "ann@example.com"], "--smtp: is required");
    wrong(&["--provider", "email", "--smtp", &smtp], "address: is required");
    wrong(&["--provider", "email", "--smtp", &smtp, "--address", "ann"], "address: is not an email address");
    wrong(&["--provider", "network", "--smtp", &smtp], "--smtp: is for email");
    wrong(&["--provider", "network", "--url", &outside.sandbox.network], "--token: is required");
    wrong(
        &["--provider", "pigeon", "--url", "http://127.0.0.1:1", "--token", "x", "--no-test"],
        "provider: must be one of",
    );
    let limit = ["--provider", "email", "--address", "ann@example.com", "--smtp", &smtp, "--daily-limit", "0"];
    wrong(&limit, "daily_limit: must be from 1");
    let owner = ["--provider", "email", "--address", "ann@example.com", "--smtp", &smtp, "--owner", "zoe@example.com"];
    wrong(&owner, "a member with the email zoe@example.com");
    assert!(world.cli(["accounts", "test", &nobody()]).refused().contains("accounts list"));
}

fn a_removed_account_keeps_its_history(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let id = outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let sent = key.post("/messages", json!({"contact_id": ada, "channel": "email", "content": "Hello."})).created();
    eventually("the mail", PATIENCE, || outside.to("ada@example.com").pop());
    world.cli(["accounts", "remove", &id]).ok();
    let account = key.get(&format!("/connected-accounts/{id}")).ok();
    assert_eq!(
        (&account["status"], &account["status_reason"]),
        (&json!("disconnected"), &json!("the account was removed"))
    );
    assert_eq!(world.cli(["accounts", "list"]).ok(), "");
    let conversation = text(&sent["conversation_id"]);
    assert_eq!(key.get(&format!("/conversations/{conversation}/messages")).page().total(), 1);
    let answer = key.post(&format!("/conversations/{conversation}/messages"), json!({"content": "Again."}));
    answer.error(400, "validation_error").says("account_id: the account was removed");
    let answer = key.post("/messages", json!({"contact_id": ada, "channel": "email", "content": "Again."}));
    answer.error(400, "validation_error").says("channel: no account is connected for email");
    assert!(world.cli(["accounts", "remove", &id]).refused().contains("does not exist"));
}

fn a_wrong_password_blocks_the_account_and_keeps_its_messages(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let id = outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    outside.play("[[rules]]\naction = \"wrong_password\"\nmatch = \"ann@example.com\"\n");
    let sent = key.post("/messages", json!({"contact_id": ada, "channel": "email", "content": "Hello."})).created();
    let account = || key.get(&format!("/connected-accounts/{id}")).ok();
    eventually("the account's error", PATIENCE, || (account()["status"] == "error").then_some(()));
    let message = key.get(&format!("/messages/{}", text(&sent["id"]))).ok();
    assert_eq!(
        (&message["status"], &message["error"]),
        (&json!("queued"), &json!(null)),
        "the message is not marked as failed"
    );
    assert_eq!(key.get(&format!("/contacts/{ada}")).ok()["global_status"], "new");
    outside.play("");
    let message = || key.get(&format!("/messages/{}", text(&sent["id"]))).ok();
    eventually("the mail, once the password is right", PATIENCE, || (message()["status"] == "sent").then_some(()));
    assert_eq!(account()["status"], "connected");
    assert_eq!(outside.to("ada@example.com").len(), 1);
}

fn accounts_need_a_scope_for_messages_or_sourcing(world: &World) {
    Outside::new("").provider(world, "chat");
    for scope in ["messages:read", "sourcing:read"] {
        assert_eq!(world.key(scope).get("/connected-accounts").page().total(), 1);
    }
    world.key("contacts:read").get("/connected-accounts").error(403, "insufficient_scope").says("sourcing:read");
    world.set(&["--plan", "starter"]);
    let key = world.key("full_access");
    within_a_second("the plan", || (key.get("/connected-accounts").status == 403).then_some(()));
    key.get("/connected-accounts").error(403, "plan_upgrade_required");
}
