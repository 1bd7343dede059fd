//! The check of a sending domain: what it says about each record, and that it always ends.

use std::time::Duration;

use serde_json::{Value, json};

use crate::dashboard::{member, owner};
use crate::support::name_server::NameServer;
use crate::support::*;

stories![
    a_domain_without_records_is_told_what_to_add,
    records_are_judged_one_by_one,
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
    assert_eq!(record("spf"), json!({"name": "example.com", "kind": "TXT", "value": "v=spf1 a:127.0.0.1 ~all"}));
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
