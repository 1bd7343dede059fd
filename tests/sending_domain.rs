//! The check of a sending domain: what it says about each record, and that it always ends.

use std::net::Ipv4Addr;
use std::time::Duration;

use serde_json::{Value, json};

use crate::dashboard::{member, owner};
use crate::support::name_server::NameServer;
use crate::support::*;

stories![
    a_start_warns_of_a_failing_domain,
    a_domain_without_records_is_told_what_to_add,
    records_are_judged_one_by_one,
    an_spf_record_is_compared_with_the_server_of_the_account,
    a_silent_name_server_makes_the_check_unknown,
    only_email_accounts_have_a_domain,
];

/// Starts the server again with this name server.
fn ask(world: &World, names: &NameServer, more: &str) {
    world.stop();
    world.start_by(&format!("export RELATA_DNS_SERVER={}; exec \"$@\" {more}", names.address));
}

fn path(id: &str) -> String {
    format!("/connected-accounts/{id}/domain-check")
}

fn finding(answer: &Value, check: &str) -> Value {
    let all = answer["findings"].as_array().cloned().unwrap_or_default();
    all.into_iter().find(|one| one["check"] == check).unwrap_or_else(|| panic!("no {check}: {answer}"))
}

fn verdicts(answer: &Value) -> Vec<String> {
    let all = answer["findings"].as_array().cloned().unwrap_or_default();
    all.iter().map(|one| text(&one["verdict"])).collect()
}

fn a_domain_without_records_is_told_what_to_add(world: &World) {
    let (outside, names, key) = (Outside::new(""), NameServer::new(), world.key("full_access"));
    let id = outside.mailbox(world, "ann@example.com", &[]);
    ask(world, &names, "");
    let answer = key.get(&path(&id)).ok();
    assert_eq!(answer["domain"], "example.com");
    assert_eq!(verdicts(&answer), ["fail", "unknown", "fail", "fail", "fail"]);
    let record = |check: &str| finding(&answer, check)["record"].clone();
    assert_eq!(record("spf"), json!({"name": "example.com", "kind": "TXT", "value": "v=spf1 ip4:127.0.0.1 ~all"}));
    let policy = json!({
        "name": "_dmarc.example.com", "kind": "TXT", "value": "v=DMARC1; p=none; rua=mailto:postmaster@example.com",
    });
    assert_eq!(record("dmarc"), policy);
    assert_eq!(record("mx")["kind"], "MX");
    assert_eq!(record("dkim")["name"], "default._domainkey.example.com");
    assert!(text(&finding(&answer, "unsubscribe")["reason"]).contains("--public-url"), "{answer}");
    // The command line says the same.
    let checked = world.cli(["accounts", "check-domain", &id, "--dns-server", &names.address]).ok().to_owned();
    assert!(
        checked.contains("spf\tfail\t") && checked.contains("_dmarc.example.com TXT \"v=DMARC1; p=none;"),
        "{checked}"
    );
    assert!(
        world.cli(["accounts", "check-domain", &id, "--dns-server", "nonsense"]).refused().contains("--dns-server")
    );
}

fn records_are_judged_one_by_one(world: &World) {
    let (outside, names, key) = (Outside::new(""), NameServer::new(), world.key("full_access"));
    let id = outside.mailbox(world, "ann@mail.example.com", &[]);
    ask(world, &names, "--public-url https://crm.example.com");
    names.text("mail.example.com", &["unrelated", "v=spf1 mx ~all"]);
    names.text("google._domainkey.mail.example.com", &[&format!("v=DKIM1; k=rsa; p={}", "A".repeat(400))]);
    // The policy of the parent counts.
    names.text("_dmarc.example.com", &["v=DMARC1; p=reject"]);
    names.mail("mail.example.com", 10, "mx.example.com");
    names.host("mx.example.com", Ipv4Addr::LOCALHOST);
    let check = |query: &str| key.get(&format!("{}{query}", path(&id))).ok();
    let good = check("");
    assert_eq!(verdicts(&good), ["pass"; 5], "{good}");
    assert_eq!(finding(&good, "mx")["found"], "10 mx.example.com");
    assert_eq!(finding(&good, "spf")["found"], "v=spf1 mx ~all");
    // A selector by name.
    let dkim = finding(&check("?selector=other"), "dkim");
    assert_eq!(
        (&dkim["verdict"], &dkim["record"]["name"]),
        (&json!("fail"), &json!("other._domainkey.mail.example.com"))
    );
    key.get(&format!("{}?selector=a%20b", path(&id))).invalid("selector");
    key.get(&format!("{}?selector={}", path(&id), "a".repeat(101))).invalid("selector");
    key.get(&format!("{}?colour=red", path(&id))).error(400, "validation_error").says("colour");
    // Each record can be wrong.
    names.text("mail.example.com", &["v=spf1 mx +all"]);
    names.text("google._domainkey.mail.example.com", &["v=DKIM1; p="]);
    names.text("_dmarc.mail.example.com", &["v=DMARC1; p=none"]);
    names.mail("mail.example.com", 0, ".");
    let bad = check("");
    assert_eq!(verdicts(&bad), ["fail", "fail", "warn", "fail", "pass"], "{bad}");
    assert_eq!(finding(&bad, "spf")["record"]["value"], "v=spf1 mx ~all");
    assert!(text(&finding(&bad, "dkim")["reason"]).contains("revoked"), "{bad}");
    assert_eq!(finding(&bad, "dmarc")["record"]["value"], "v=DMARC1; p=quarantine");
    names.text("mail.example.com", &["v=spf1 mx ~all", "v=spf1 a ~all"]);
    assert!(text(&finding(&check(""), "spf")["reason"]).contains("2 SPF records"));
}

fn an_spf_record_is_compared_with_the_server_of_the_account(world: &World) {
    let (outside, names, key) = (Outside::new(""), NameServer::new(), world.key("full_access"));
    let id = outside.mailbox(world, "ann@example.com", &[]);
    let bob = ["accounts", "add", "--provider", "email", "--name", "Bob", "--address", "bob@example.com", "--no-test"];
    let smtp = ["--smtp", "smtp://bob:s3cret@smtp.example.com?tls=tls"];
    let named = world.run(&[&bob[..], &smtp].concat()).ok().to_owned();
    ask(world, &names, "");
    names.host("mail.example.net", Ipv4Addr::LOCALHOST);
    names.mail("example.com", 10, "mail.example.net");
    names.text("one.example.net", &["v=spf1 ip4:192.0.2.1 include:two.example.net -all"]);
    names.text("two.example.net", &["v=spf1 a:mail.example.net -all"]);
    names.text("loop.example.net", &["v=spf1 include:loop.example.net -all"]);
    for (record, verdict, reason) in [
        ("v=spf1 ip4:127.0.0.0/8 ~all", "pass", "it permits 127.0.0.1"),
        ("v=spf1 ip4:192.0.2.0/24 -ALL", "warn", "does not permit 127.0.0.1 (127.0.0.1); add ip4:127.0.0.1"),
        ("v=spf1 mx -all", "pass", "it permits"),
        ("v=spf1 mx:example.net a -all", "warn", "does not permit"),
        ("v=spf1 A:mail.example.net/16 -all", "pass", "it permits"),
        ("v=spf1 include:one.example.net -all", "pass", "it permits"),
        ("v=spf1 redirect=one.example.net", "pass", "it permits"),
        ("v=spf1 ~include:one.example.net ip4:127.0.0.1 -all", "warn", "does not permit"),
        ("v=spf1 -ip4:127.0.0.1 ip4:127.0.0.0/8 ~all", "warn", "does not permit"),
        ("v=spf1 exists:%{i}.example.net ~all", "warn", "not checked whether it permits 127.0.0.1"),
        ("v=spf1 exists:%{i}.example.net ip4:127.0.0.1 ~all", "pass", "it permits"),
        ("v=spf1 include:loop.example.net ~all", "fail", "more than 10 lookups"),
        ("v=spf1 include:nothing.example.net ~all", "fail", "nothing.example.net, which has no SPF record"),
    ] {
        names.text("example.com", &[record]);
        let spf = finding(&key.get(&path(&id)).ok(), "spf");
        assert_eq!(spf["verdict"], verdict, "{record}: {spf}");
        assert!(text(&spf["reason"]).contains(reason), "{record}: {spf}");
    }
    // The addresses of a server with a name are looked up.
    let spf = || finding(&key.get(&path(&named)).ok(), "spf");
    names.text("example.com", &["v=spf1 ip4:192.0.2.7 ~all"]);
    assert!(text(&spf()["reason"]).contains("smtp.example.com has no address"), "{}", spf());
    names.host("smtp.example.com", Ipv4Addr::new(192, 0, 2, 7));
    assert_eq!(spf()["verdict"], "pass");
    names.text("example.com", &["v=spf1 ip4:192.0.2.8 ~all"]);
    assert_eq!(spf()["record"]["value"], "v=spf1 a:smtp.example.com ip4:192.0.2.8 ~all");
}

fn a_silent_name_server_makes_the_check_unknown(world: &World) {
    let (outside, names, key) = (Outside::new(""), NameServer::new(), world.key("full_access"));
    let id = outside.mailbox(world, "ann@example.com", &[]);
    names.silence(true);
    ask(world, &names, "");
    let began = stopwatch();
    let answer = key.get(&path(&id)).ok();
    assert_eq!(verdicts(&answer), ["unknown", "unknown", "unknown", "unknown", "fail"]);
    assert!(began.elapsed() < Duration::from_secs(15), "it took {:?}", began.elapsed());
}

fn only_email_accounts_have_a_domain(world: &World) {
    let (outside, names, key) = (Outside::new(""), NameServer::new(), world.key("full_access"));
    let network = outside.provider(world, "network");
    let id = outside.mailbox(world, "ann@example.com", &[]);
    ask(world, &names, "");
    key.get(&path(&network)).invalid("id").says("not an email account");
    assert!(world.cli(["accounts", "check-domain", &network]).refused().contains("not an email account"));
    key.get(&path(&nobody())).not_found();
    world.key("contacts:read").get(&path(&id)).error(403, "insufficient_scope");
    world.workspace("other").key("full_access").get(&path(&id)).not_found();
    // A signed-in member sees it, too.
    owner(world);
    let bob = member(world, "bob@example.com", "member");
    assert_eq!(bob.get(&path(&id)).ok()["domain"], "example.com");
    world.cli(["accounts", "remove", &id]).ok();
    key.get(&path(&id)).not_found();
}

fn a_start_warns_of_a_failing_domain(world: &World) {
    let (outside, names, key) = (Outside::new(""), NameServer::new(), world.key("full_access"));
    let ann = outside.mailbox(world, "ann@example.com", &[]);
    let bob = outside.mailbox(world, "bob@mail.example.net", &[]);
    ask(world, &names, "--public-url https://crm.example.com");
    let started = |senders: &[&String]| {
        let body = "Hello. {{ unsubscribe_url }}";
        let steps = json!([{"type": "email", "subject": "Hello", "body": body, "sender_ids": senders}]);
        let made = key.post("/sequences", json!({"name": nobody(), "steps": steps})).created();
        let start = format!("/sequences/{}/start", text(&made["id"]));
        let warnings = key.post(&start, json!({})).ok()["warnings"].clone();
        key.post(&start, json!({})).invalid("status");
        warnings
    };
    let warnings = started(&[&ann]);
    assert_eq!(warnings.as_array().map(Vec::len), Some(1), "{warnings}");
    assert_eq!(warnings[0]["code"], "domain_check_failed");
    let message = text(&warnings[0]["message"]);
    assert!(message.contains("example.com") && message.contains("SPF: ") && message.contains("DMARC: "), "{message}");
    assert!(text(&warnings[0]["fix"]).contains("domain-check"), "{warnings}");

    names.text("example.com", &["v=spf1 ip4:127.0.0.1 ~all"]);
    names.text("_dmarc.example.com", &["v=DMARC1; p=quarantine"]);
    names.mail("example.com", 10, "mx.example.com");
    assert_eq!(started(&[&ann]), json!([]));

    // Each domain of the senders is checked. Without an answer nothing is known, and nothing is warned of.
    let warnings = started(&[&ann, &bob]);
    assert_eq!(warnings.as_array().map(Vec::len), Some(1), "{warnings}");
    assert_eq!(warnings[0]["code"], "domain_check_failed");
    assert!(text(&warnings[0]["message"]).contains("from mail.example.net "), "{warnings}");
    names.silence(true);
    assert_eq!(started(&[&bob]), json!([]));
}
