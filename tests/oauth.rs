//! Mailboxes that are connected by OAuth: the way through the provider's page, renewed tokens, and what happens when the
//! provider refuses them.

use serde_json::{Value, json};

use crate::dashboard::{member, owner};
use crate::support::outside::contact;
use crate::support::*;

stories![
    a_member_connects_a_mailbox_in_the_browser,
    a_state_works_once_and_only_in_its_session,
    a_code_needs_its_verifier_and_its_client,
    a_code_goes_to_the_provider_of_its_state_alone,
    short_tokens_are_renewed_while_mails_are_sent,
    a_rotated_token_survives_a_kill,
    a_revoked_grant_stops_the_account_until_it_is_reconnected,
    a_revoked_grant_stops_an_idle_account_with_a_current_token,
    a_refused_token_is_renewed_once,
    a_token_server_that_is_out_of_order_is_retried,
    two_nodes_renew_a_token_once,
    the_operator_connects_a_mailbox_with_a_refresh_token,
    tokens_are_neither_shown_nor_stored_in_the_clear,
    tokens_go_to_no_address_of_a_member,
    providers_are_set_up_by_command_and_by_file,
];

/// Sets the sandbox up as a provider with this name.
#[track_caller]
fn set_up(world: &World, outside: &Outside, name: &str, more: &[&str]) -> Ran {
    let base = &outside.sandbox.oauth;
    let (authorization, token) = (format!("{base}/authorize"), format!("{base}/token"));
    let bare = |url: &str| url.replacen("sandbox:sandbox@", "", 1);
    let (smtp, imap) = (bare(&outside.sandbox.smtp), bare(&outside.sandbox.imap));
    let add = ["oauth", "add", "--name", name, "--client-id", "sandbox", "--client-secret", "sandbox"];
    let urls = ["--authorization-url", &authorization, "--token-url", &token, "--smtp", &smtp, "--imap", &imap];
    world.run(&[&add[..], &urls, more].concat())
}

/// The same with an address that says who the user is.
#[track_caller]
fn provider(world: &World, outside: &Outside) {
    let userinfo = format!("{}/userinfo", outside.sandbox.oauth);
    set_up(world, outside, "acme", &["--title", "Acme Mail", "--userinfo-url", &userinfo]).ok();
}

fn start(by: &Client, body: Value) -> Answer {
    by.inside("POST", "/oauth/start").json(&body).send()
}

/// Visits the provider's page as a browser does; gives the code and the state that it returns.
#[track_caller]
fn visit(world: &World, url: &str) -> (String, String) {
    let (_, rest) = url.split_once("://").unwrap_or_else(|| panic!("not a URL: {url}"));
    let (host, path) = rest.split_once('/').unwrap_or_else(|| panic!("no path: {url}"));
    let page = world.stranger().at(&format!("http://{host}")).visit(&format!("/{path}")).try_send();
    let page = page.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(page.status, 302, "{page}");
    let back = url::Url::parse(page.header("Location")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(back.path(), "/oauth/callback");
    let of = |name: &str| {
        let value = back.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned());
        value.unwrap_or_else(|| panic!("no {name} in {back}"))
    };
    (of("code"), of("state"))
}

fn callback(by: &Client, (code, state): &(String, String)) -> Answer {
    by.inside("POST", "/oauth/callback").json(&json!({"code": code, "state": state})).send()
}

/// Connects a mailbox in the browser; gives its id.
#[track_caller]
fn connect(world: &World, by: &Client, body: Value) -> String {
    let page = text(&start(by, body).ok()["url"]);
    text(&callback(by, &visit(world, &page)).created()["id"])
}

/// A body for the operation that begins, for other tests.
pub(crate) fn start_body(world: &World, outside: &Outside, name: &str) -> Value {
    provider(world, outside);
    json!({"provider": "acme", "name": name, "address": "ann@example.com"})
}

/// A body for the operation that connects, for other tests.
pub(crate) fn callback_body(world: &World, outside: &Outside, by: &Client) -> Value {
    provider(world, outside);
    let address = format!("{}@example.com", nobody());
    let page = start(by, json!({"provider": "acme", "name": "N".repeat(100), "address": address})).ok();
    let (code, state) = visit(world, &text(&page["url"]));
    json!({"code": code, "state": state})
}

fn send(key: &Client, contact: &str) -> String {
    let body = json!({"contact_id": contact, "channel": "email", "subject": "Hi", "content": "Hello."});
    text(&key.post("/messages", body).created()["id"])
}

#[track_caller]
fn sent(key: &Client, id: &str) {
    eventually("the mail to be sent", PATIENCE, || {
        (key.get(&format!("/messages/{id}")).ok()["status"] == "sent").then_some(())
    });
}

#[track_caller]
fn status(key: &Client, id: &str, status: &str) -> Value {
    eventually(status, PATIENCE, || {
        Some(key.get(&format!("/connected-accounts/{id}")).ok()).filter(|account| account["status"] == status)
    })
}

fn a_member_connects_a_mailbox_in_the_browser(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    owner(world);
    let bob = member(world, "bob@example.com", "member");
    assert_eq!(bob.inside("GET", "/oauth/providers").send().page().rows, Vec::<Value>::new());
    start(&bob, json!({"provider": "acme"})).invalid("provider").says("relata oauth add");
    provider(world, &outside);
    let listed = bob.inside("GET", "/oauth/providers").send().page().rows;
    assert_eq!(listed, [json!({"name": "acme", "title": "Acme Mail", "needs_address": false})]);
    start(&bob, json!({})).invalid("provider");
    start(&bob, json!({"provider": "acme", "account_id": nobody()})).invalid("account_id");
    start(&bob, json!({"provider": "acme", "address": "nobody"})).invalid("address");

    let page = text(&start(&bob, json!({"provider": "acme"})).ok()["url"]);
    for part in ["code_challenge_method=S256", "response_type=code", "client_id=sandbox", "state="] {
        assert!(page.contains(part), "{page}");
    }
    let connected = callback(&bob, &visit(world, &page)).created();
    assert_eq!((&connected["address"], &connected["status"]), (&json!("ann@example.com"), &json!("connected")));
    assert_eq!((&connected["name"], &connected["oauth_provider"]), (&json!("Grace Hopper"), &json!("acme")));
    let id = text(&connected["id"]);
    // It sends, and it receives the reply.
    let ada = contact(&key, "Ada", "ada@example.com");
    sent(&key, &send(&key, &ada));
    assert_eq!(outside.to("ada@example.com").len(), 1);
    outside.deliver(
        "ann@example.com",
        "From: ada@example.com\nTo: ann@example.com\nSubject: Re: Hi\nMessage-ID: <1@example.com>\n\nYes.\n",
    );
    eventually("the reply", PATIENCE, || {
        (key.get(&format!("/connected-accounts/{id}")).ok()["mails_stored"] == 1).then_some(())
    });
    assert_eq!(bob.inside("POST", &format!("/accounts/{id}/test")).send().ok()["status"], "connected");
    // The same mailbox is not connected twice.
    let page = text(&start(&bob, json!({"provider": "acme"})).ok()["url"]);
    callback(&bob, &visit(world, &page)).invalid("address").says("connected already");
    // A provider that does not say the address: the user gives it.
    set_up(world, &outside, "plain", &[]).ok();
    start(&bob, json!({"provider": "plain"})).invalid("address");
    let other = connect(world, &bob, json!({"provider": "plain", "address": "eve@example.com", "name": "Eve"}));
    assert_eq!(key.get(&format!("/connected-accounts/{other}")).ok()["name"], "Eve");
}

fn a_state_works_once_and_only_in_its_session(world: &World) {
    let outside = Outside::new("");
    let ada = owner(world);
    let bob = member(world, "bob@example.com", "member");
    provider(world, &outside);
    let begin = || visit(world, &text(&start(&ada, json!({"provider": "acme"})).ok()["url"]));
    let (code, state) = begin();
    callback(&ada, &(code.clone(), "wrong".to_owned())).invalid("state");
    callback(&ada, &(code.clone(), "x".repeat(2000))).invalid("state");
    callback(&bob, &(code.clone(), state.clone())).invalid("state").says("not of this session");
    callback(&ada, &(code.clone(), state.clone())).created();
    callback(&ada, &(code, state)).invalid("state").says("used already");
    // A state expires.
    let late = begin();
    world.change("UPDATE oauth_flows SET expires_at = 1");
    callback(&ada, &late).invalid("state").says("10 minutes");
    // A session has a limited number of open pages.
    for _ in 0..25 {
        start(&ada, json!({"provider": "acme"})).ok();
    }
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM oauth_flows"), 20);
}

fn a_code_needs_its_verifier_and_its_client(world: &World) {
    let outside = Outside::new("");
    let ada = owner(world);
    provider(world, &outside);
    let begin = || visit(world, &text(&start(&ada, json!({"provider": "acme"})).ok()["url"]));
    // A code of another flow was made for another verifier.
    let (stolen, own) = (begin(), begin());
    callback(&ada, &(stolen.0, own.1)).invalid("code").says("does not accept the code");
    callback(&ada, &("unknown".to_owned(), begin().1)).invalid("code");
    // The operator has entered a wrong secret.
    let wrong = begin();
    outside.play("[oauth]\nclient_secret = \"another\"\n");
    callback(&ada, &wrong).invalid("code").says("relata oauth").says("invalid_client");
    outside.play("[oauth]\nout_of_order = 503\n");
    callback(&ada, &begin()).invalid("code").says("begin again later");
    // The mail server does not accept the user's token for this mailbox.
    outside.play("");
    let page = text(&start(&ada, json!({"provider": "acme", "address": "eve@example.com"})).ok()["url"]);
    let page = page.replace("login_hint=eve%40example.com", "login_hint=ann%40example.com");
    callback(&ada, &visit(world, &page)).invalid("code").says("eve@example.com can't be opened");
    assert_eq!(world.key("full_access").get("/connected-accounts").page().total(), 0);
}

fn a_code_goes_to_the_provider_of_its_state_alone(world: &World) {
    let outside = Outside::new("");
    let ada = owner(world);
    // Names on both sides of the other one, so that the order does not decide.
    let other = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let token = format!("http://{}/token", other.local_addr().expect("an address"));
    other.set_nonblocking(true).expect("a listener");
    for name in ["aaa", "zzz"] {
        let add = ["oauth", "add", "--name", name, "--client-id", "sandbox", "--client-secret", "sandbox"];
        let urls = ["--authorization-url", "https://login.example.com/", "--token-url", &token];
        let servers = ["--smtp", "smtp://127.0.0.1:9?tls=none", "--imap", "imap://127.0.0.1:9?tls=none"];
        world.run(&[&add[..], &urls, &servers].concat()).ok();
    }
    provider(world, &outside);
    connect(world, &ada, json!({"provider": "acme"}));
    let asked = other.accept().map_err(|error| error.kind());
    assert!(matches!(asked, Err(std::io::ErrorKind::WouldBlock)), "{asked:?}");
}

fn short_tokens_are_renewed_while_mails_are_sent(world: &World) {
    const MAILS: usize = 40;
    let slow = "[oauth]\nlifetime = 2\n[[rules]]\naction = \"delay\"\nat = \"data\"\nafter = 0.5\n";
    let (outside, key) = (Outside::new(slow), world.key("full_access"));
    let ada = owner(world);
    provider(world, &outside);
    connect(world, &ada, json!({"provider": "acme"}));
    let all: Vec<String> =
        (0..MAILS).map(|number| contact(&key, &format!("P{number}"), &format!("p{number}@example.com"))).collect();
    let messages: Vec<String> = all.iter().map(|one| send(&key, one)).collect();
    messages.iter().for_each(|message| sent(&key, message));
    assert_eq!(outside.sandbox.accepted(), MAILS);
    assert!(outside.sandbox.duplicates().is_empty());
    eventually("renewals", PATIENCE, || (outside.sandbox.renewals() >= 2).then_some(()));
    // New sessions sign in with the newest token.
    world.restart();
    sent(&key, &send(&key, &all[0]));
    assert_eq!(outside.sandbox.accepted(), MAILS + 1);
}

fn a_rotated_token_survives_a_kill(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let ada = owner(world);
    provider(world, &outside);
    connect(world, &ada, json!({"provider": "acme"}));
    let to = contact(&key, "Ada", "ada@example.com");
    world.stop();
    // The next sign-in renews the token, and hangs before the token is used.
    outside.play("[[rules]]\naction = \"delay\"\nat = \"greeting\"\nafter = 30\n");
    world.change("UPDATE account_tokens SET expires_at = 1, refresh_at = 1");
    world.start();
    eventually("the renewal", PATIENCE, || (outside.sandbox.renewals() == 1).then_some(()));
    eventually("the stored token", PATIENCE, || {
        (world.count("SELECT CAST(max(version) AS text) FROM account_tokens") == 2).then_some(())
    });
    world.kill9();
    // The sandbox revokes the grant if a replaced refresh token is used.
    outside.play("");
    world.change("UPDATE account_tokens SET expires_at = 1, refresh_at = 1");
    world.start();
    sent(&key, &send(&key, &to));
    assert_eq!(outside.to("ada@example.com").len(), 1);
}

fn a_revoked_grant_stops_the_account_until_it_is_reconnected(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let ada = owner(world);
    provider(world, &outside);
    let id = connect(world, &ada, json!({"provider": "acme"}));
    let to = contact(&key, "Ada", "ada@example.com");
    outside.sandbox.revoke("ann@example.com");
    let message = send(&key, &to);
    let account = status(&key, &id, "error");
    assert!(text(&account["status_reason"]).contains("reconnect the account"), "{account}");
    assert!(!account.to_string().contains("The token was revoked"), "{account}");
    let detail = ada.inside("GET", &format!("/accounts/{id}")).send().ok();
    assert!(text(&detail["status_detail"]).contains("The token was revoked"), "{detail}");
    assert_eq!(key.get(&format!("/messages/{message}")).ok()["status"], "queued");
    // The token server is not asked again and again.
    let asked = outside.sandbox.renewals();
    world.restart();
    pause();
    assert_eq!(outside.sandbox.renewals(), asked);
    // Another member can't reconnect it.
    let bob = member(world, "bob@example.com", "member");
    start(&bob, json!({"provider": "acme", "account_id": id})).invalid("account_id");
    let page = text(&start(&ada, json!({"provider": "acme", "account_id": id})).ok()["url"]);
    assert!(page.contains("login_hint=ann%40example.com"), "{page}");
    let connected = callback(&ada, &visit(world, &page)).ok();
    assert_eq!((&connected["id"], &connected["status"]), (&json!(id), &json!("connected")));
    sent(&key, &message);
    assert_eq!(outside.to("ada@example.com").len(), 1);
    assert_eq!(key.get("/connected-accounts").page().total(), 1);
}

/// Nothing is sent, and the mail servers still accept the access token: only the renewal is refused.
fn a_revoked_grant_stops_an_idle_account_with_a_current_token(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let ada = owner(world);
    provider(world, &outside);
    let id = connect(world, &ada, json!({"provider": "acme"}));
    status(&key, &id, "connected");
    world.stop();
    outside.sandbox.refuse_renewals("ann@example.com");
    world.change("UPDATE account_tokens SET refresh_at = 1");
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM account_tokens WHERE expires_at > 1000000000000"), 1);
    world.start();
    let account = status(&key, &id, "error");
    assert!(text(&account["status_reason"]).contains("reconnect the account"), "{account}");
    assert_eq!(outside.sandbox.renewals(), 1, "it was asked once");
    // Messages wait until the account is connected again.
    let message = send(&key, &contact(&key, "Ada", "ada@example.com"));
    let page = text(&start(&ada, json!({"provider": "acme", "account_id": id})).ok()["url"]);
    callback(&ada, &visit(world, &page)).ok();
    sent(&key, &message);
}

fn a_refused_token_is_renewed_once(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let ada = owner(world);
    provider(world, &outside);
    let id = connect(world, &ada, json!({"provider": "acme"}));
    let to = contact(&key, "Ada", "ada@example.com");
    status(&key, &id, "connected");
    outside.sandbox.expire_tokens("ann@example.com");
    sent(&key, &send(&key, &to));
    assert_eq!(outside.sandbox.renewals(), 1);
    assert_eq!(key.get(&format!("/connected-accounts/{id}")).ok()["status"], "connected");
}

fn a_token_server_that_is_out_of_order_is_retried(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let ada = owner(world);
    provider(world, &outside);
    connect(world, &ada, json!({"provider": "acme"}));
    let to = contact(&key, "Ada", "ada@example.com");
    world.stop();
    outside.play("[oauth]\nout_of_order = 503\n");
    world.change("UPDATE account_tokens SET expires_at = 1, refresh_at = 1");
    world.start();
    let message = send(&key, &to);
    eventually("a failed renewal", PATIENCE, || (outside.sandbox.renewals() > 0).then_some(()));
    assert_eq!(key.get(&format!("/messages/{message}")).ok()["status"], "queued");
    outside.play("");
    sent(&key, &message);
    // Only the worker's attempts, with growing gaps, reached the token server.
    assert!(outside.sandbox.renewals() < 10, "{}", outside.sandbox.renewals());
}

fn two_nodes_renew_a_token_once(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let ada = owner(world);
    provider(world, &outside);
    connect(world, &ada, json!({"provider": "acme"}));
    let to = contact(&key, "Ada", "ada@example.com");
    world.stop();
    outside.play("[oauth]\ndelay = 1.5\n");
    world.change("UPDATE account_tokens SET expires_at = 1, refresh_at = 1");
    world.start();
    let _second = world.another_node();
    let messages: Vec<String> = (0..5).map(|_| send(&key, &to)).collect();
    messages.iter().for_each(|message| sent(&key, message));
    assert_eq!(outside.sandbox.renewals(), 1);
    assert!(outside.sandbox.duplicates().is_empty());
}

fn the_operator_connects_a_mailbox_with_a_refresh_token(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let with_user = |url: &str| format!("{}&auth=xoauth2", url.replacen("sandbox:sandbox@", "ann%40example.com@", 1));
    let (smtp, imap) = (with_user(&outside.sandbox.smtp), with_user(&outside.sandbox.imap));
    let token_url = format!("{}/token", outside.sandbox.oauth);
    let add = |more: &[&str]| {
        let who = ["accounts", "add", "--provider", "email", "--name", "Ann", "--address", "ann@example.com"];
        world.run(&[&who[..], &["--smtp", &smtp, "--imap", &imap], more].concat())
    };
    let oauth = |refresh: &str| {
        let words =
            ["--oauth-token-url", &token_url, "--oauth-client-id", "sandbox", "--oauth-client-secret", "sandbox"];
        let words = words.iter().copied().chain(["--oauth-refresh-token", refresh]);
        words.map(str::to_owned).collect::<Vec<String>>()
    };
    let run = |words: Vec<String>| add(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(add(&[]).refused().contains("--oauth-refresh-token"));
    assert!(run(oauth("unknown")).refused().contains("invalid_grant"));
    let id = run(oauth(&outside.sandbox.permit("ann@example.com"))).ok().to_owned();
    assert_eq!(world.cli(["accounts", "test", &id]).ok(), "ok");
    let to = contact(&key, "Ada", "ada@example.com");
    sent(&key, &send(&key, &to));
    // Revoked, and replaced by the operator.
    outside.sandbox.revoke("ann@example.com");
    assert!(world.cli(["accounts", "test", &id]).refused().contains("reconnect the account"));
    let new = oauth(&outside.sandbox.permit("ann@example.com"));
    let set = ["accounts", "set", &id];
    world.run(&[&set[..], &new.iter().map(String::as_str).collect::<Vec<_>>()].concat()).ok();
    sent(&key, &send(&key, &to));
    status(&key, &id, "connected");
    world.cli(["accounts", "remove", &id]).ok();
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM account_tokens"), 0);
}

fn tokens_are_neither_shown_nor_stored_in_the_clear(world: &World) {
    let (outside, key) =
        (Outside::new("[oauth]\nlifetime = 2\nclient_secret = \"hush-client\"\n"), world.key("full_access"));
    let ada = owner(world);
    let userinfo = format!("{}/userinfo", outside.sandbox.oauth);
    set_up(world, &outside, "acme", &["--userinfo-url", &userinfo, "--scopes", "mail"]).ok();
    let secret = ["oauth", "add", "--name", "acme", "--client-id", "sandbox", "--client-secret", "hush-client"];
    let (authorization, token) =
        (format!("{}/authorize", outside.sandbox.oauth), format!("{}/token", outside.sandbox.oauth));
    let smtp = outside.sandbox.smtp.replacen("sandbox:sandbox@", "", 1);
    let urls =
        ["--authorization-url", &authorization, "--token-url", &token, "--userinfo-url", &userinfo, "--smtp", &smtp];
    world.run(&[&secret[..], &urls].concat()).ok();
    let page = start(&ada, json!({"provider": "acme"}));
    let connected = callback(&ada, &visit(world, &text(&page.ok()["url"])));
    let id = text(&connected.created()["id"]);
    eventually("a renewal", PATIENCE, || (outside.sandbox.renewals() >= 2).then_some(()));
    let detail = ada.inside("GET", &format!("/accounts/{id}")).send();
    let answers = [
        page.text(),
        connected.text(),
        detail.text(),
        key.get(&format!("/connected-accounts/{id}")).text(),
        key.get("/events").text(),
        ada.inside("GET", "/oauth/providers").send().text(),
        world.cli(["accounts", "list"]).ok().to_owned(),
        world.cli(["oauth", "list"]).ok().to_owned(),
        world.cli(["export", "contacts"]).ok().to_owned(),
        world.log(),
    ];
    for answer in answers {
        for secret in ["access-", "refresh-", "hush-client"] {
            assert!(!answer.contains(secret), "{secret}: {answer}");
        }
    }
    for secret in ["\"access-", "\"refresh-", "hush-client"] {
        assert!(!world.stores(secret), "{secret} is stored in the clear");
    }
    assert_eq!(world.cli(["accounts", "rotate-secrets"]).ok(), "3");
    assert_eq!(world.cli(["accounts", "test", &id]).ok(), "ok");
}

fn tokens_go_to_no_address_of_a_member(world: &World) {
    let outside = Outside::new("");
    let ada = owner(world);
    provider(world, &outside);
    let id = connect(world, &ada, json!({"provider": "acme"}));
    let path = format!("/accounts/{id}");
    let elsewhere = json!({"smtp": "smtp://ann%40example.com@127.0.0.1:9?tls=none&auth=xoauth2"});
    ada.inside("PUT", &path).json(&elsewhere).send().invalid("smtp.password").says("takes a token");
    let new = json!({
        "provider": "email", "name": "Eve", "address": "eve@example.com",
        "smtp": "smtp://eve@127.0.0.1:9?tls=none&auth=xoauth2",
    });
    ada.inside("POST", "/accounts").json(&new).send().invalid("smtp.password");
    // Changes of other members keep the tokens; a password replaces them.
    ada.inside("PUT", &path).json(&json!({"name": "Annie", "daily_limit": 5})).send().ok();
    assert_eq!(ada.inside("POST", &format!("{path}/test")).send().ok()["status"], "connected");
    let by_password = json!({"smtp": outside.smtp("ann@example.com"), "imap": outside.imap("ann@example.com")});
    let changed = ada.inside("PUT", &path).json(&by_password).send().ok();
    assert_eq!((&changed["status"], &changed["oauth_provider"]), (&json!("connected"), &json!(null)));
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM account_tokens"), 0);
}

fn providers_are_set_up_by_command_and_by_file(world: &World) {
    let ada = owner(world);
    let names = || member_names(&ada);
    let added = world.cli(["oauth", "add", "--name", "google", "--client-id", "abc", "--client-secret", "hush"]);
    assert_eq!(added.ok(), format!("{}/oauth/callback", world.origin()));
    assert_eq!(names(), ["Google"]);
    let page = text(&start(&ada, json!({"provider": "google"})).ok()["url"]);
    assert!(page.starts_with("https://accounts.google.com/o/oauth2/v2/auth?") && page.contains("access_type=offline"));
    for (wrong, option) in [
        (&["--name", "Big Corp", "--client-id", "x"][..], "--name"),
        (&["--name", "other", "--client-id", "x"], "--token-url"),
        (&["--name", "google", "--client-id", " "], "--client-id"),
        (&["--name", "google", "--client-id", "x", "--tenant", "y"], "--tenant"),
        (&["--name", "google", "--client-id", "x", "--token-url", "ftp://x"], "--token-url"),
        (&["--name", "google", "--client-id", "x", "--smtp", "smtp://ann:pw@mail.example.com"], "--smtp"),
    ] {
        let refused = world.run(&[&["oauth", "add"], wrong].concat());
        assert!(refused.refused().contains(option), "{}", refused.refused());
    }
    // The settings file.
    world.stop();
    let file = world.file("relata.toml");
    std::fs::write(
        &file,
        "[oauth.microsoft]\nclient_id = \"def\"\nclient_secret = \"hush\"\ntenant = \"example.com\"\n",
    )
    .unwrap_or_else(|error| panic!("{error}"));
    world.start_by(&format!("exec \"$@\" --config {}", file.display()));
    assert_eq!(names(), ["Google", "Microsoft"]);
    let page = text(&start(&ada, json!({"provider": "microsoft"})).ok()["url"]);
    assert!(page.starts_with("https://login.microsoftonline.com/example.com/oauth2/v2.0/authorize?"), "{page}");
    let listed = world.cli(["oauth", "list"]).ok().to_owned();
    assert!(
        listed.contains("google\tGoogle\tabc\t") && listed.contains("\tfile") && !listed.contains("hush"),
        "{listed}"
    );
    assert!(world.cli(["oauth", "remove", "microsoft"]).refused().contains("settings file"));
    world.cli(["oauth", "remove", "google"]).ok();
    world.stop();
    world.start();
    assert_eq!(names(), Vec::<String>::new());
}

fn member_names(by: &Client) -> Vec<String> {
    by.inside("GET", "/oauth/providers").send().page().column("title")
}
