//! Connections to hosts that members and keys choose: allowed targets, error messages, and stored secrets.

use std::io::{Read, Write};
use std::net::{IpAddr, TcpListener};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::dashboard::{member, owner};
use crate::support::outside::contact;
use crate::support::*;

stories![
    forbidden_targets_are_refused_before_any_connection,
    only_admins_see_the_remote_servers_text,
    a_stored_secret_is_not_sent_to_another_address,
    errors_of_an_account_name_its_field,
    all_errors_of_an_account_are_reported_at_once,
    an_untrusted_certificate_is_explained,
    a_command_refuses_accounts_that_the_server_refuses,
    certificate_files_are_only_accepted_on_the_command_line,
    an_account_of_the_operator_works_wherever_it_is,
    an_account_that_is_not_allowed_any_more_says_how_to_allow_it,
    private_hosts_are_allowed_by_flag_and_file,
    metrics_are_local_or_need_a_token,
];

const FORBIDDEN: &str = include_str!("../crates/connect/src/guard/forbidden_hosts.txt");
/// Starts the server with its defaults, without the networks that tests allow.
const CLOSED: &str = "unset RELATA_ALLOW_PRIVATE_HOSTS; exec \"$@\"";

fn closed(world: &World) {
    world.stop();
    world.start_by(CLOSED);
}

/// A local server that gives every client the same answer and records the requests.
struct Remote {
    port: u16,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Remote {
    /// If `first`, the answer is sent before any request, as mail servers do.
    fn new(first: bool, answer: &str) -> Remote {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (reported, answer) = (heard.clone(), answer.to_owned());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { continue };
                let _ = stream.set_read_timeout(Some(std::time::Duration::from_secs(2)));
                if first {
                    let _ = stream.write_all(answer.as_bytes());
                }
                let mut request = [0; 8192];
                let read = stream.read(&mut request).unwrap_or(0);
                reported.lock().expect("a lock").push(String::from_utf8_lossy(&request[..read]).into_owned());
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        Remote { port, heard }
    }

    fn heard(&self) -> Vec<String> {
        self.heard.lock().expect("a lock").clone()
    }
}

fn http(status: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
}

fn add(by: &Client, body: Value) -> Answer {
    by.inside("POST", "/accounts").json(&body).send()
}

fn change(by: &Client, id: &str, body: Value) -> Answer {
    by.inside("PUT", &format!("/accounts/{id}")).json(&body).send()
}

/// Adds an account of a network with this address, without a test.
#[track_caller]
fn network(by: &Client, url: &str, token: &str) -> String {
    let body = json!({"provider": "network", "name": "Net", "url": url, "token": token, "test": false});
    text(&add(by, body).created()["id"])
}

fn forbidden_targets_are_refused_before_any_connection(world: &World) {
    closed(world);
    owner(world);
    let bob = member(world, "bob@example.com", "member");
    let remote = Remote::new(false, &http("200 OK", "{}"));
    let mail = json!({"provider": "email", "name": "Bob", "address": "bob@example.com",
        "smtp": "smtp://a:b@mail.example.com:587", "imap": "imap://a:b@mail.example.com:993", "test": false});
    let mailbox = text(&add(&bob, mail).created()["id"]);
    let provider = network(&bob, "https://provider.example.com", "t");
    let machine = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let hosts: Vec<&str> = FORBIDDEN
        .lines()
        .filter(|line| !line.starts_with('#'))
        .chain([machine.trim()])
        .filter(|it| !it.is_empty())
        .collect();
    assert!(hosts.len() >= 60);
    let refused = |answer: Answer, field: &str, host: &str| {
        let name = "Relata does not connect to this server: its name must resolve, to public addresses alone";
        let failure = answer.error(400, "validation_error").says(&format!("{field}: Relata does not connect to "));
        let message = failure.message().to_owned();
        // A literal address is named in the error, as written or in its canonical form; the address of a name is not.
        match message.split_once(": it is not a public address") {
            Some((before, after)) => {
                let (field, address) = before.split_once(": Relata does not connect to ").unwrap_or_default();
                assert!(address.parse::<IpAddr>().is_ok(), "{host}: {message}");
                assert_ne!(host, machine.trim(), "{message}");
                (host.to_owned(), format!("{field}: an address{after}"))
            }
            None => {
                // A port that is never allowed is refused without resolving the name.
                let port = message.contains(&format!("to port {}: it must be one of ", remote.port));
                assert!(message.contains(name) || port && host == machine.trim(), "{host}: {message}");
                (host.to_owned(), message)
            }
        }
    };
    let mut said = Vec::new();
    for host in hosts {
        // At a port with a listener, and at one that a public server could have.
        for (port, smtp, imap) in [(443, 587, 993), (remote.port, remote.port, remote.port)] {
            let (url, smtp, imap) = (
                format!("http://{host}:{port}/latest/meta-data"),
                format!("smtp://a:b@{host}:{smtp}?tls=none"),
                format!("imap://a:b@{host}:{imap}?tls=none"),
            );
            let body = json!({"provider": "network", "name": "N", "url": url, "token": "t"});
            said.push(refused(add(&bob, body), "url", host));
            said.push(refused(change(&bob, &provider, json!({"url": url, "token": "t"})), "url", host));
            let body = json!({"provider": "email", "name": "M", "address": "m@example.com", "smtp": smtp});
            said.push(refused(add(&bob, body), "smtp", host));
            said.push(refused(change(&bob, &mailbox, json!({"smtp": smtp})), "smtp", host));
            // The mailbox's outgoing server would be resolved first.
            if host != machine.trim() {
                said.push(refused(change(&bob, &mailbox, json!({"imap": imap})), "imap", host));
            }
        }
    }
    let plain = said.iter().find(|(host, _)| host == "127.0.0.1").map(|(_, message)| message.as_str());
    assert!(plain.is_some_and(|message| message.contains(": an address; ")), "{plain:?}");
    // The message is the same for all addresses, and for all names, of each kind of server.
    said.iter_mut().for_each(|(host, _)| host.clear());
    said.sort();
    said.dedup();
    assert!(said.len() <= 9, "{said:#?}");
    let far = json!({"provider": "email", "name": "M", "address": "m@example.com", "smtp": "smtp://a:b@mail.example.com:22", "test": false});
    add(&bob, far).error(400, "validation_error").at("smtp").says("port 22: it must be one of 25, 465, 587, 2525");
    // The target is refused without a test, too.
    let untested = json!({"provider": "network", "name": "N", "url": "http://127.1", "token": "t", "test": false});
    add(&bob, untested).invalid("url");
    assert_eq!(remote.heard(), Vec::<String>::new());
    assert_eq!(world.key("full_access").get("/connected-accounts").page().total(), 2);
}

fn only_admins_see_the_remote_servers_text(world: &World) {
    let ada = owner(world);
    let bob = member(world, "bob@example.com", "member");
    let web = Remote::new(false, &http("403 Forbidden", "INTERNAL-METADATA AKIAINTERNAL"));
    let mail = Remote::new(true, "550 SSH-2.0-OpenSSH_9.6 secretbanner\r\n");
    let (url, smtp) =
        (format!("http://127.0.0.1:{}", web.port), format!("smtp://a:b@127.0.0.1:{}?tls=none", mail.port));
    let of_network = json!({"provider": "network", "name": "N", "url": url, "token": "t"});
    let of_mail = json!({"provider": "email", "name": "M", "address": "m@example.com", "smtp": smtp});
    for (body, field, words) in [(&of_network, "url", "AKIAINTERNAL"), (&of_mail, "smtp", "secretbanner")] {
        let reported = add(&bob, body.clone()).error(400, "validation_error").at(field).hides(words);
        reported.says("the server refused the sign-in");
        add(&ada, body.clone()).error(400, "validation_error").at(field).says(words);
    }
    // The stored reason hides them, too.
    let key = world.key("full_access");
    for (mut body, field, words) in [(of_network, "url", "AKIAINTERNAL"), (of_mail, "smtp", "secretbanner")] {
        body["test"] = json!(false);
        let id = text(&add(&bob, body).created()["id"]);
        let tested = bob.inside("POST", &format!("/accounts/{id}/test")).send();
        assert!(!tested.text().contains(words), "{tested}");
        let tested = tested.ok();
        assert_eq!(tested["status"], "error");
        assert!(text(&tested["status_reason"]).starts_with(&format!("{field}: the server refused")), "{tested}");
        assert!(tested.get("status_detail").is_none(), "{tested}");
        let shown = ada.inside("GET", &format!("/accounts/{id}")).send().ok();
        assert!(text(&shown["status_detail"]).contains(words), "{shown}");
        for read in [key.get(&format!("/connected-accounts/{id}")), key.get("/connected-accounts"), key.get("/events")]
        {
            assert!(!read.text().contains(words), "{read}");
        }
        assert!(world.cli(["accounts", "list"]).ok().contains(words));
        if field == "url" {
            let search = |by: &Client| by.post("/sourcing/network/search", json!({"account_id": id}));
            search(&key).error(400, "validation_error").at("account_id").hides(words).says("(403)");
            search(&bob).error(400, "validation_error").at("account_id").hides(words);
            search(&ada).error(400, "validation_error").at("account_id").says(words);
        }
    }
}

fn a_stored_secret_is_not_sent_to_another_address(world: &World) {
    let ada = owner(world);
    let mel = member(world, "mel@example.com", "member");
    let (own, attacker) = (Outside::new(""), Remote::new(false, &http("401 Unauthorized", "{}")));
    let account = network(&mel, &own.sandbox.network, &own.sandbox.token);
    let elsewhere = format!("http://127.0.0.1:{}", attacker.port);
    for body in [
        json!({"url": elsewhere}),
        json!({"url": elsewhere, "test": false}),
        json!({"url": elsewhere, "token": ""}),
        json!({"url": format!("{}/other", own.sandbox.network)}),
        json!({"url": own.sandbox.network.replace("http://", "https://")}),
    ] {
        let refused = change(&ada, &account, body.clone());
        refused.error(400, "validation_error").at("token").says("the stored token is not sent to another address");
    }
    assert_eq!(attacker.heard(), Vec::<String>::new());
    // With a new token the new address gets only that one.
    change(&ada, &account, json!({"url": elsewhere, "token": "new-token"})).error(400, "validation_error").at("token");
    let heard = attacker.heard();
    assert!(heard.len() == 1 && heard[0].contains("new-token"), "{heard:?}");
    assert!(heard.iter().all(|request| !request.contains(&own.sandbox.token)), "{heard:?}");
    // Nothing was changed, and the shown record can be sent back.
    let shown = ada.inside("GET", &format!("/accounts/{account}")).send().ok();
    let back = json!({"url": shown["url"], "name": "Renamed"});
    assert_eq!(change(&mel, &account, back).ok()["name"], "Renamed");
    assert_eq!(mel.inside("POST", &format!("/accounts/{account}/test")).send().ok()["status"], "connected");
    // A mail server's password does not move to another address either, and sending back the shown record keeps it.
    let smtp = own.smtp("mel@example.com");
    let body = json!({"provider": "email", "name": "Mel", "address": "mel@example.com", "smtp": smtp});
    let mailbox = add(&mel, body).created();
    let id = text(&mailbox["id"]);
    let moved = change(&mel, &id, json!({"smtp": format!("smtp://127.0.0.1:{}?tls=none", attacker.port)}));
    moved.error(400, "validation_error").at("smtp").says("the user and the password again");
    change(&mel, &id, json!({"smtp": mailbox["smtp"]})).ok();
    let tested = mel.inside("POST", &format!("/accounts/{id}/test")).send().ok();
    assert_eq!(tested["status"], "connected", "{tested}");
    // The command line requires it, too.
    let set = world.cli(["accounts", "set", &account, "--url", &elsewhere]);
    assert!(set.refused().contains("--token: is required with a new url"), "{}", set.refused());
    assert_eq!(attacker.heard().len(), 1);
}

fn errors_of_an_account_name_its_field(world: &World) {
    let ada = owner(world);
    let bob = member(world, "bob@example.com", "member");
    let own = Outside::new("");
    let account = network(&bob, &own.sandbox.network, &own.sandbox.token);
    // An unknown token, one that can't be sent, and none.
    change(&bob, &account, json!({"token": "wrong"})).error(400, "validation_error").at("token");
    change(&bob, &account, json!({"token": "a b"})).error(400, "validation_error").at("token").says("spaces");
    change(&bob, &account, json!({"token": null})).error(400, "validation_error").at("token").says("is required");
    change(&bob, &account, json!({"url": null})).error(400, "validation_error").at("url").says("is required");
    let elsewhere = http("302 Found\r\nLocation: https://provider.example.com/", "");
    let redirecting = Remote::new(false, &elsewhere);
    let url = format!("http://127.0.0.1:{}", redirecting.port);
    let body = json!({"provider": "network", "name": "N", "url": url, "token": "t"});
    let failure = add(&bob, body.clone());
    failure.error(400, "validation_error").at("url").says("redirects to another address").says("(302)");
    add(&ada, body).error(400, "validation_error").at("url").says("redirects to https://provider.example.com/");
    for (field, given, why) in [
        ("smtp", "mail.example.com", "does not begin with smtp://"),
        ("smtp", "mail.example.com:587", "does not begin with smtp://"),
        ("imap", "imap.example.com", "does not begin with imap://"),
        ("url", "provider.example.com", "does not begin with http:// or https://"),
    ] {
        let mut body = match field {
            "url" => json!({"provider": "network", "name": "N", "token": "t"}),
            _ => {
                json!({"provider": "email", "name": "M", "address": "m@example.com", "smtp": "smtp://a:b@mail.example.com"})
            }
        };
        body[field] = json!(given);
        body["test"] = json!(false);
        add(&bob, body).error(400, "validation_error").at(field).says(why).hides("relative URL");
    }
    let (smtp, imap) = (own.smtp("bob@example.com"), own.imap("bob@example.com"));
    let body = json!({"provider": "email", "name": "Bob", "address": "bob@example.com", "smtp": smtp, "imap": imap});
    let mailbox = add(&bob, body).created();
    assert_eq!((&mailbox["receives"], mailbox["imap"].is_string()), (&json!(true), true), "{mailbox}");
    let id = text(&mailbox["id"]);
    change(&bob, &id, json!({"smtp": null})).error(400, "validation_error").at("smtp").says("is required");
    let sends = change(&bob, &id, json!({"imap": null})).ok();
    assert_eq!((&sends["receives"], &sends["imap"], &sends["smtp"]), (&json!(false), &Value::Null, &mailbox["smtp"]));
}

fn all_errors_of_an_account_are_reported_at_once(world: &World) {
    let ada = owner(world);
    let fields = |answer: Answer| {
        let details = answer.error(400, "validation_error").details();
        details.into_iter().map(|(field, _)| field).collect::<Vec<_>>()
    };
    let remote = Remote::new(false, &http("200 OK", "{}"));
    let body =
        json!({"provider": "email", "name": "", "smtp": "smtp://a@mail.example.com", "imap": "foo", "ramp_up": 0});
    assert_eq!(fields(add(&ada, body)), ["name", "ramp_up", "address", "smtp.password", "imap"]);
    let body =
        json!({"provider": "email", "name": "A", "address": "x", "imap": "imap://a@mail.example.com", "url": "u"});
    assert_eq!(fields(add(&ada, body)), ["address", "smtp", "url", "imap.password"]);
    let body = json!({"provider": "network", "name": "A", "smtp": "smtp://a:b@mail.example.com", "url": "foo"});
    assert_eq!(fields(add(&ada, body)), ["smtp", "token"]);
    let url = format!("http://127.0.0.1:{}", remote.port);
    let body = json!({"provider": "emial", "name": "A", "url": url, "token": "t"});
    assert_eq!(fields(add(&ada, body)), ["provider"]);
    // Unreachable servers, each reported at its field.
    let (smtp, imap) = (free_port(), free_port());
    let (smtp, imap) =
        (format!("smtp://a:b@127.0.0.1:{smtp}?tls=none"), format!("imap://a:b@127.0.0.1:{imap}?tls=none"));
    let body = json!({"provider": "email", "name": "A", "address": "a@example.com", "smtp": smtp, "imap": imap});
    let failure = add(&ada, body.clone()).error(400, "validation_error").at("smtp").at("imap");
    failure.says("nothing accepts connections at this host and port").hides("os error");
    let mut untested = body;
    untested["test"] = json!(false);
    let mailbox = text(&add(&ada, untested).created()["id"]);
    let failed = change(&ada, &mailbox, json!({"name": "", "smtp": "smtp://mail.example.com", "imap": "foo"}));
    assert_eq!(fields(failed), ["name", "smtp", "imap"]);
    let tested = ada.inside("POST", &format!("/accounts/{mailbox}/test")).send().ok();
    let reason = text(&tested["status_reason"]);
    assert!(reason.contains("smtp: ") && reason.contains("imap: "), "{reason}");

    let cli = |words: &[&str]| {
        let ran = world.run(&[&["accounts"], words].concat());
        assert_eq!(ran.code, Some(2), "{ran}");
        ran.refused().to_owned()
    };
    let said = cli(&["add", "--provider", "email", "--name", "A", "--smtp", "smtp://a@h", "--imap", "foo"]);
    for part in ["address: is required", "--smtp: has a user and no password", "--imap: does not begin with imap://"] {
        assert!(said.contains(part), "{said}");
    }
    let said = cli(&["add", "--provider", "emial", "--name", "x"]);
    assert!(said.contains("provider: must be one of email, network, chat"), "{said}");
    assert!(!said.contains("--url"), "{said}");
    cli(&["add", "--provider", "emial", "--name", "x", "--url", &url, "--token", "t"]);
    assert_eq!(remote.heard(), Vec::<String>::new());
    let said = cli(&["set", &mailbox, "--imap", "foo", "--daily-limit", "0"]);
    assert!(said.contains("--imap: does not begin with imap://") && said.contains("daily_limit: "), "{said}");
    assert!(!said.contains("again"), "{said}");

    closed(world);
    let at = |smtp: &str| {
        add(&ada, json!({"provider": "email", "name": "A", "address": "a@example.com", "smtp": smtp, "test": false}))
    };
    let far = at("smtp://a:b@8.8.8.8:22").error(400, "validation_error").at("smtp");
    far.says("must be one of 25, 465, 587, 2525").hides("--allow-private-hosts");
    let here = at("smtp://a:b@localhost:587").error(400, "validation_error").at("smtp");
    here.says("its name must resolve, to public addresses alone").hides("127.0.0.1");
}

fn an_untrusted_certificate_is_explained(world: &World) {
    let ada = owner(world);
    let imap = mailserver::url("imaps", "ann@example.com");
    let imap = imap.split("&ca=").next().unwrap_or_default();
    let smtp = mailserver::url("smtp", "ann@example.com");
    let body = json!({"provider": "email", "name": "A", "address": "ann@example.com", "smtp": smtp, "imap": imap});
    let failure = add(&ada, body).error(400, "validation_error").at("imap");
    failure.says("certificate is self-signed").says("ca=FILE").hides("UnknownIssuer");
    let log = eventually("the warning", PATIENCE, || {
        Some(world.log()).filter(|log| log.contains("the test of an account failed"))
    });
    let warning = log.lines().find(|line| line.contains("the test of an account failed")).unwrap_or_default();
    assert!(warning.contains("WARN") && warning.contains("self-signed"), "{warning}");
    assert!(!log.contains("\"ERROR\"") && !log.contains("/registry/") && !log.contains("log.file"), "{log}");
}

fn a_command_refuses_accounts_that_the_server_refuses(world: &World) {
    let ada = owner(world);
    let own = Outside::new("");
    let account = network(&ada, &own.sandbox.network, &own.sandbox.token);
    assert_eq!(world.cli(["accounts", "test", &account]).ok().trim(), "ok");
    closed(world);
    let refused = world.cli(["accounts", "test", &account]);
    assert!(refused.refused().contains("url: Relata does not connect to 127.0.0.1"), "{refused}");
    assert_eq!(ada.inside("GET", &format!("/accounts/{account}")).send().ok()["status"], "error");
    // An address from the command line is the operator's.
    let token = own.sandbox.token.as_str();
    world.cli(["accounts", "set", &account, "--url", &own.sandbox.network, "--token", token]).ok();
    assert_eq!(world.cli(["accounts", "test", &account]).ok().trim(), "ok");
    let tested = ada.inside("POST", &format!("/accounts/{account}/test")).send().ok();
    assert_eq!(tested["status"], "connected", "{tested}");
}

fn certificate_files_are_only_accepted_on_the_command_line(world: &World) {
    let ada = owner(world);
    let outside = Outside::new("");
    let mut said = Vec::new();
    for file in ["/nonexistent", "", "/etc/shadow", "/etc"] {
        for (field, scheme) in [("smtp", "smtp"), ("imap", "imap")] {
            let address = format!("{scheme}://a:b@mail.example.com?tls=tls&ca={file}");
            let mut body = json!({"provider": "email", "name": "A", "address": "a@example.com", "smtp": "smtp://a:b@mail.example.com", "test": false});
            body[field] = json!(address);
            let failure = add(&ada, body).error(400, "validation_error").at(field);
            said.push(
                failure
                    .says("takes ca= on the command line alone")
                    .message()
                    .split_once(": ")
                    .map(|it| it.1.to_owned()),
            );
        }
    }
    said.dedup();
    assert_eq!(said.len(), 1, "{said:?}");
    // On the command line it works, and it stays when the dashboard changes something else.
    let certificate = world.file("certificate.pem");
    let pem = ureq::get(format!("{}/certificate.pem", outside.sandbox.control)).call().expect("a certificate");
    std::fs::write(&certificate, pem.into_body().read_to_string().expect("a text")).expect("a file");
    let smtp = outside.smtp("ann@example.com").replace("tls=none", "tls=starttls");
    let smtp = format!("{smtp}&ca={}", certificate.display()).replace("127.0.0.1", "localhost");
    let words = ["accounts", "add", "--provider", "email", "--name", "Ann", "--address", "ann@example.com", "--smtp"];
    let id = world.run(&[&words[..], &[&smtp]].concat()).ok().to_owned();
    change(&ada, &id, json!({"name": "Anna"})).ok();
    let tested = ada.inside("POST", &format!("/accounts/{id}/test")).send().ok();
    assert_eq!(tested["status"], "connected", "{tested}");
}

fn an_account_of_the_operator_works_wherever_it_is(world: &World) {
    closed(world);
    let (ada, outside, key) = (owner(world), Outside::new(""), world.key("full_access"));
    let id = outside.mailbox(world, "ann@example.com", &[]);
    let send = |name: &str| {
        let address = format!("{name}@example.com");
        let who = contact(&key, name, &address);
        key.post("/messages", json!({"contact_id": who, "channel": "email", "content": "Hello."})).created();
        eventually("the mail", PATIENCE, || outside.to(&address).pop());
    };
    send("ada");
    let synced = || key.get(&format!("/connected-accounts/{id}")).ok()["last_sync_at"].as_str().map(str::to_owned);
    eventually("a check of the mailbox", PATIENCE, synced);
    // A change in the dashboard that keeps the address leaves it the operator's.
    let shown = ada.inside("GET", &format!("/accounts/{id}")).send().ok();
    change(&ada, &id, json!({"name": "Anna", "smtp": shown["smtp"], "imap": shown["imap"]})).ok();
    send("bob");
    // Another address counts as a member's, even on the same machine.
    let other = Outside::new("");
    change(&ada, &id, json!({"smtp": other.smtp("ann@example.com")})).invalid("smtp");
    change(&ada, &id, json!({"imap": other.imap("ann@example.com"), "test": false})).invalid("imap");
    send("cyd");
    let network = outside.provider(world, "network");
    let tested = ada.inside("POST", &format!("/accounts/{network}/test")).send().ok();
    assert_eq!(tested["status"], "connected", "{tested}");
}

fn an_account_that_is_not_allowed_any_more_says_how_to_allow_it(world: &World) {
    let (ada, outside, key) = (owner(world), Outside::new(""), world.key("full_access"));
    let (smtp, imap) = (outside.smtp("ann@example.com"), outside.imap("ann@example.com"));
    let body = json!({"provider": "email", "name": "Ann", "address": "ann@example.com", "smtp": smtp, "imap": imap});
    let id = text(&add(&ada, body).created()["id"]);
    closed(world);
    let shown = || key.get(&format!("/connected-accounts/{id}")).ok();
    let why = eventually("the account's error", PATIENCE, || shown()["status_reason"].as_str().map(str::to_owned));
    assert!(why.contains("--allow-private-hosts"), "{why}");
    let who = contact(&key, "Ada", "ada@example.com");
    let message = key.post("/messages", json!({"contact_id": who, "channel": "email", "content": "Hello."})).created();
    let message = || key.get(&format!("/messages/{}", text(&message["id"]))).ok();
    assert_eq!(message()["status"], "queued");
    world.restart();
    assert_eq!(ada.inside("POST", &format!("/accounts/{id}/test")).send().ok()["status"], "connected");
    eventually("the mail, once it is allowed", PATIENCE, || (message()["status"] == "sent").then_some(()));
    assert_eq!(outside.to("ada@example.com").len(), 1);
}

fn private_hosts_are_allowed_by_flag_and_file(world: &World) {
    let (ada, outside) = (owner(world), Outside::new(""));
    let try_it = || {
        let account = json!({"provider": "network", "name": "N", "url": outside.sandbox.network, "token": "sandbox"});
        add(&ada, account).status
    };
    let file = world.file("relata.toml");
    let start = |line: &str| {
        world.stop();
        world.start_by(&format!("unset RELATA_ALLOW_PRIVATE_HOSTS; exec \"$@\" {line}"));
    };
    for (line, settings, status) in [
        ("--allow-private-hosts 127.0.0.1", "", 201),
        ("--allow-private-hosts all", "", 201),
        ("--allow-private-hosts 10.0.0.0/8", "", 400),
        ("", "allow_private_hosts = [\"10.0.0.0/8\", \"127.0.0.0/8\"]", 201),
        ("--allow-private-hosts ''", "allow_private_hosts = [\"127.0.0.0/8\"]", 400),
    ] {
        std::fs::write(&file, settings).expect("a file");
        start(&format!("{line} --config {}", file.display()));
        assert_eq!(try_it(), status, "{line} {settings}");
    }
    let wrong = world.run(&["serve", "--allow-private-hosts", "10.0.0.0/99"]);
    assert!(wrong.refused().contains("allow_private_hosts: 10.0.0.0/99 is neither"), "{}", wrong.refused());
}

fn metrics_are_local_or_need_a_token(world: &World) {
    let asked = |headers: &[(&str, &str)]| {
        let stranger = world.stranger();
        let request = stranger.visit("/metrics");
        headers.iter().fold(request, |request, (name, value)| request.header(name, value)).send().status
    };
    let far = ("X-Forwarded-For", "203.0.113.9");
    let token = "0123456789abcdef0123456789abcdef";
    let good = format!("Bearer {token}");
    let (good, bad) = (("Authorization", good.as_str()), ("Authorization", "Bearer 0123456789abcdef"));
    assert_eq!(asked(&[]), 200);
    // A proxy forwards the request, but is not configured as trusted.
    assert_eq!(asked(&[far]), 401);
    assert_eq!(asked(&[("X-Forwarded-For", "127.0.0.1")]), 401);
    let others = [("Via", "1.1 proxy"), ("Forwarded", "for=127.0.0.1"), ("X-Real-IP", "127.0.0.1")];
    for header in others {
        assert_eq!(asked(&[header]), 401, "{header:?}");
    }
    assert_eq!(asked(&[far, good]), 401, "there is no token");
    let refused = world.stranger().visit("/metrics").header(far.0, far.1).send();
    refused.error(401, "metrics_token_required").says("--metrics-token-file");
    assert_eq!(refused.header("WWW-Authenticate"), "Bearer");
    let file = world.file("token");
    std::fs::write(&file, format!("{token}\n")).expect("a file");
    world.stop();
    world.start_by(&format!("exec \"$@\" --trusted-proxies 127.0.0.1 --metrics-token-file {}", file.display()));
    assert_eq!(asked(&[]), 200);
    assert_eq!(asked(&[far]), 401);
    assert_eq!(asked(&[far, bad]), 401);
    assert_eq!(asked(&[far, good]), 200);
    assert_eq!(
        asked(&[("X-Forwarded-For", "203.0.113.9, 127.0.0.1")]),
        401,
        "the trusted proxy is skipped in the list"
    );
    // A trusted proxy that does not name the client.
    for header in others {
        assert_eq!(asked(&[header]), 401, "{header:?}");
        assert_eq!(asked(&[header, good]), 200, "{header:?}");
    }
    world.stop();
    world.start_by(&format!("RELATA_METRICS_TOKEN={token} exec \"$@\""));
    assert_eq!(asked(&[far, good]), 200);
    assert_eq!(asked(&[far, bad]), 401);
    world.stop();
    std::fs::write(&file, "short").expect("a file");
    let wrong = world.run(&["serve", "--metrics-token-file", &file.display().to_string()]);
    assert!(wrong.refused().contains("at least 16 characters"), "{}", wrong.refused());
    world.start();
}
