//! Access to the dashboard: set-up, sign-in, sessions, and the pages themselves.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::*;

stories![
    a_new_installation_is_set_up_once,
    a_new_owner_can_start_with_demo_data,
    a_password_opens_a_session,
    wrong_passwords_wait_longer_and_longer,
    the_sign_in_delay_survives_a_kill,
    addresses_of_one_network_share_a_limit,
    the_session_cookie_is_secure_behind_https,
    a_session_works_on_the_api_without_a_rate_limit,
    a_user_can_end_sessions,
    a_session_expires,
    another_site_can_do_nothing,
    changing_a_password_needs_the_old_one,
    a_lost_password_is_replaced_by_a_link,
    a_person_works_in_several_workspaces,
    live_updates_work_with_a_session,
    the_pages_are_served,
];

/// A password that is long enough.
pub(crate) const PASSWORD: &str = "correct horse battery";

/// The token in a link.
pub(crate) fn token(link: &str) -> String {
    link.rsplit_once('#').unwrap_or_else(|| panic!("not a link: {link}")).1.trim().to_owned()
}

/// The set-up form of a new owner.
pub(crate) fn set_up_with(token: &str) -> Value {
    json!({
        "token": token, "email": "ada@example.com", "password": PASSWORD, "first_name": "Ada", "last_name": "Byron",
        "workspace_name": "Engines", "timezone": "Europe/London", "currency": "GBP",
    })
}

/// The owner of the first workspace, signed in.
#[track_caller]
pub(crate) fn owner(world: &World) -> Client {
    let link = world.cli(["members", "reset-password", "--email", "owner@localhost"]);
    let stranger = world.stranger();
    let entered = stranger.inside("POST", "/setup").json(&set_up_with(&token(link.ok()))).send();
    entered.ok();
    stranger.signed_in(&entered)
}

/// A member that the operator added, signed in.
#[track_caller]
pub(crate) fn member(world: &World, email: &str, role: &str) -> Client {
    world.cli(["members", "add", "--email", email, "--role", role]).ok();
    entered(world, email)
}

/// Somebody without a password, signed in with a link of the operator.
#[track_caller]
pub(crate) fn entered(world: &World, email: &str) -> Client {
    let stranger = world.stranger();
    let entered = stranger.inside("POST", "/invitation").json(&accepting(&reset_link(world, email))).send();
    entered.ok();
    stranger.signed_in(&entered)
}

pub(crate) fn reset_link(world: &World, email: &str) -> String {
    world.cli(["members", "reset-password", "--email", email]).ok().to_owned()
}

fn accepting(link: &str) -> Value {
    json!({"token": token(link), "password": PASSWORD, "first_name": "Grace", "last_name": "Hopper"})
}

#[track_caller]
pub(crate) fn sign_in(client: &Client, email: &str, password: &str) -> Answer {
    client.inside("POST", "/sign-in").json(&json!({"email": email, "password": password})).send()
}

fn a_new_installation_is_set_up_once(world: &World) {
    let world = world.untouched();
    world.start();
    // The link is printed after the server has started to answer.
    let printed = |what: &str| {
        eventually(what, PATIENCE, || world.log().lines().find(|line| line.contains(what)).map(str::to_owned))
    };
    let token = token(printed("/setup#").split("  (").next().unwrap_or_default());
    let stranger = world.stranger();
    assert_eq!(stranger.inside("GET", "/state").send().ok()["setup_required"], true);
    assert_eq!(stranger.inside("GET", &format!("/setup?token={token}")).send().ok(), json!({"valid": true}));
    assert_eq!(stranger.inside("GET", "/setup?token=wrong").send().ok(), json!({"valid": false}));
    stranger.inside("GET", "/setup").send().invalid("token");

    // Errors are reported, and the token stays valid.
    let with = |member: &str, value: Value| {
        let mut body = set_up_with(&token);
        body[member] = value;
        stranger.inside("POST", "/setup").json(&body).send()
    };
    with("password", json!("short")).invalid("password").says("at least 12 characters");
    with("email", json!("nobody")).invalid("email");
    with("timezone", json!("Mars/Olympus")).invalid("timezone");
    with("currency", json!("pounds")).invalid("currency");
    with("workspace_name", json!(" ")).invalid("workspace_name");
    with("token", json!("wrong")).invalid("token").says("not valid");
    with("first_nam", json!("Ada")).invalid("first_nam").says("first_name");
    assert_eq!(stranger.inside("GET", "/state").send().ok()["setup_required"], true);
    // A later start prints how to get another link; a member's link can't be used for set-up.
    world.restart();
    printed("members reset-password --email owner@localhost");
    world.cli(["members", "add", "--email", "bob@example.com"]).ok();
    let bobs = reset_link(&world, "bob@example.com");
    assert!(bobs.contains("/invitation#"), "{bobs}");
    with("token", json!(self::token(&bobs))).invalid("token");

    let entered = stranger.inside("POST", "/setup").json(&set_up_with(&token)).send();
    let session = entered.ok();
    assert_eq!(session["role"], "owner");
    assert_eq!(session["user"]["email"], "ada@example.com");
    assert_eq!(session["user"]["first_name"], "Ada");
    assert_eq!(session["workspace"]["name"], "Engines");
    assert_eq!(session["workspace"]["timezone"], "Europe/London");
    assert_eq!(session["workspace"]["currency"], "GBP");
    assert_eq!(session["features"], json!(["records", "outreach", "sourcing"]));
    let cookie = entered.header("Set-Cookie");
    for word in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(word), "{cookie}");
    }
    let ada = stranger.signed_in(&entered);
    assert_eq!(ada.inside("GET", "/session").send().ok(), session);

    assert_eq!(entered.header("Cache-Control"), "no-store");

    // The link can't be used again.
    assert_eq!(stranger.inside("GET", "/state").send().ok()["setup_required"], false);
    assert_eq!(stranger.inside("GET", &format!("/setup?token={token}")).send().ok(), json!({"valid": false}));
    with("email", json!("eve@example.com")).invalid("token");
    assert!(!world.log().contains(PASSWORD) && !world.stores(PASSWORD), "the password is stored or logged");
    assert!(!world.stores(&token), "the token is stored");
    let first = world.cli(["members", "list"]);
    assert!(first.ok().contains("ada@example.com\tAda Byron\towner"), "{first}");
}

fn a_new_owner_can_start_with_demo_data(world: &World) {
    let mut body = set_up_with(&token(&reset_link(world, "owner@localhost")));
    body["demo_data"] = json!(true);
    let stranger = world.stranger();
    let ada = stranger.signed_in(&stranger.inside("POST", "/setup").json(&body).send());
    // On a busy machine this takes minutes.
    eventually("the demonstration", Duration::from_secs(600), || {
        (ada.get("/sequences?limit=1").page().total() > 0).then_some(())
    });
    assert_eq!(ada.get("/contacts?limit=1").page().total(), 2000);
}

fn a_password_opens_a_session(world: &World) {
    owner(world);
    let stranger = world.stranger();
    let session = sign_in(&stranger, " ADA@example.com", PASSWORD);
    assert_eq!(session.ok()["user"]["email"], "ada@example.com");
    stranger.signed_in(&session).inside("GET", "/session").send().ok();
    // An unknown user gets the same answer as a wrong password.
    let wrong = sign_in(&stranger, "ada@example.com", "another horse battery");
    let unknown = sign_in(&stranger, "eve@example.com", PASSWORD);
    assert_eq!(wrong.status, 401);
    assert_eq!(wrong.json["error"]["code"], "invalid_credentials");
    assert_eq!((wrong.status, &wrong.json), (unknown.status, &unknown.json));
    assert!(wrong.find_header("Set-Cookie").is_none());
    stranger.inside("POST", "/sign-in").json(&json!({"email": "ada@example.com"})).send().invalid("password");
    stranger.inside("POST", "/sign-in").body("no JSON").send().invalid("body");
    assert_eq!(stranger.inside("POST", "/sign-in").send().status, 415);
    assert_eq!(stranger.inside("GET", "/sign-in").send().status, 405);
    let nobody = stranger.inside("GET", "/session").send();
    assert_eq!((nobody.status, &nobody.json["error"]["code"]), (401, &json!("not_signed_in")));
    // A member that the operator added has no password yet.
    world.cli(["members", "add", "--email", "new@example.com"]).ok();
    assert_eq!(sign_in(&stranger, "new@example.com", "").status, 400);
    assert_eq!(sign_in(&stranger, "new@example.com", "x").json, wrong.json);
}

fn wrong_passwords_wait_longer_and_longer(world: &World) {
    owner(world);
    let stranger = world.stranger();
    // After five failures even the right password must wait, and the answer says how long. Repeated, in case the
    // machine was slower than the wait.
    let waits = (0..5).find_map(|_| {
        for _ in 0..5 {
            assert_eq!(sign_in(&stranger, "ada@example.com", "wrong wrong").status, 401);
        }
        let waits = sign_in(&stranger, "ada@example.com", PASSWORD);
        (waits.status != 200).then_some(waits)
    });
    let waits = waits.expect("a sign-in that must wait");
    assert_eq!((waits.status, &waits.json["error"]["code"]), (429, &json!("too_many_attempts")));
    let seconds = waits.number("Retry-After");
    assert_eq!(waits.json["error"]["details"]["retry_after"], seconds);
    assert!((1..=2).contains(&seconds), "{waits}");
    // Other users at the same address are not delayed, and neither is this one after the wait.
    assert_eq!(sign_in(&stranger, "eve@example.com", PASSWORD).status, 401);
    eventually("the end of the wait", PATIENCE, || {
        (sign_in(&stranger, "ada@example.com", PASSWORD).status == 200).then_some(())
    });
    // A successful sign-in resets the counter.
    for _ in 0..4 {
        assert_eq!(sign_in(&stranger, "ada@example.com", "wrong wrong").status, 401);
    }
    sign_in(&stranger, "ada@example.com", PASSWORD).ok();
}

fn the_sign_in_delay_survives_a_kill(world: &World) {
    let ada = owner(world);
    let stranger = world.stranger();
    let statuses: Vec<u16> = at_once(12, |_| sign_in(&stranger, "ada@example.com", "wrong wrong").status);
    let tried = statuses.iter().filter(|status| **status == 401).count();
    assert!(tried <= 5, "{tried} of twelve at once were tried: {statuses:?}");
    world.change("UPDATE attempts SET until = until + 60000");
    world.kill9();
    world.start();
    assert_eq!(sign_in(&stranger, "ada@example.com", PASSWORD).status, 429);
    // Existing sessions are not affected.
    ada.inside("GET", "/session").send().ok();
}

fn addresses_of_one_network_share_a_limit(world: &World) {
    owner(world);
    world.stop();
    world.start_by("exec \"$@\" --trusted-proxies 127.0.0.1");
    let stranger = world.stranger();
    let from = |address: &str| {
        let body = json!({"email": "ada@example.com", "password": "wrong wrong"});
        stranger.inside("POST", "/sign-in").header("X-Forwarded-For", address).json(&body).send().status
    };
    for host in 1..=5 {
        assert_eq!(from(&format!("2001:db8:0:7:{host}::{host}")), 401);
    }
    assert_eq!(from("2001:db8:0:7:ffff::1"), 429, "the same network");
    assert_eq!(from("2001:db8:0:8::1"), 401, "the neighbouring network");
    // An IPv4-mapped address counts as its IPv4 address.
    for _ in 1..=5 {
        assert_eq!(from("::ffff:192.0.2.1"), 401);
    }
    assert_eq!((from("192.0.2.1"), from("::ffff:192.0.2.2")), (429, 401));
}

fn the_session_cookie_is_secure_behind_https(world: &World) {
    owner(world);
    let cookie = || {
        let entered = sign_in(&world.stranger(), "ada@example.com", PASSWORD);
        entered.ok();
        entered.header("Set-Cookie").to_owned()
    };
    assert!(!cookie().contains("Secure"), "without https the browser would not return the cookie");
    world.stop();
    world.start_by("exec \"$@\" --public-url https://crm.example.com");
    let cookie = cookie();
    assert!(cookie.contains("; HttpOnly; SameSite=Strict; ") && cookie.ends_with("; Secure"), "{cookie}");
    assert!(cookie.starts_with("__Host-relata_session=") && cookie.contains("; Path=/; "), "{cookie}");
    assert!(!cookie.to_lowercase().contains("domain"), "{cookie}");
}

fn a_session_works_on_the_api_without_a_rate_limit(world: &World) {
    let ada = owner(world);
    let tag = ada.post("/tags", json!({"name": "Mine"})).created();
    assert_eq!(ada.get("/tags").page().rows, [tag]);
    ada.get("/me").ok();
    // Requests of a session do not count against the rate limit.
    world.set(&["--rate-limit", "1"]);
    for _ in 0..3 {
        ada.get("/tags").page();
    }
    // The user is the actor of such changes.
    let events = ada.get("/events").page().rows;
    let made = events.iter().find(|event| event["type"] == "tag.created").unwrap_or_else(|| panic!("{events:?}"));
    assert_eq!(made["actor"]["kind"], "user");
    assert_eq!(made["actor"]["name"], "Ada Byron");
    let user = ada.inside("GET", "/session").send().ok();
    assert_eq!(made["actor"]["id"], user["user"]["user_id"]);
    // An API key takes precedence over the cookie, and a wrong key is not replaced by it.
    let wrong = ada.request("GET", "/tags").header("Authorization", "Bearer relata_wrong").send();
    wrong.error(401, "invalid_api_key");
    ada.request("GET", "/tags").header("Authorization", "Basic YTpi").send().ok();
    let forged = format!("relata_session={}", "a".repeat(30));
    ada.request("GET", "/tags").header("Cookie", &forged).send().error(401, "not_signed_in");
}

fn a_user_can_end_sessions(world: &World) {
    let ada = owner(world);
    let stranger = world.stranger();
    let phone = stranger.signed_in(&sign_in(&stranger, "ada@example.com", PASSWORD));
    let sessions = ada.inside("GET", "/sessions").send().page().rows;
    assert_eq!(sessions.len(), 2);
    let own = sessions.iter().find(|session| session["current"] == true).map(|session| text(&session["id"]));
    let other = sessions.iter().find(|session| session["current"] == false).map(|session| text(&session["id"]));
    let (own, other) = (own.unwrap_or_default(), other.unwrap_or_default());
    let second = world.another_node();
    let elsewhere = second.as_ref().map(|node| phone.at(&node.origin()));
    let works = |client: &Client| client.inside("GET", "/session").send().status == 200;
    assert!(elsewhere.as_ref().is_none_or(works));
    ada.inside("DELETE", &format!("/sessions/{other}")).send().ok();
    within_a_second("it ends on every node", || (!elsewhere.as_ref().is_some_and(works)).then_some(()));
    within_a_second("the session ends", || (phone.inside("GET", "/session").send().status == 401).then_some(()));
    phone.get("/tags").error(401, "not_signed_in");
    ada.inside("DELETE", &format!("/sessions/{other}")).send().not_found();
    // A user can't end the sessions of another.
    let bob = member(world, "bob@example.com", "admin");
    bob.inside("DELETE", &format!("/sessions/{own}")).send().not_found();
    ada.inside("GET", "/session").send().ok();
    let out = ada.inside("POST", "/sign-out").send();
    assert!(out.header("Set-Cookie").contains("Max-Age=0"), "{out}");
    within_a_second("the session ends", || (ada.inside("GET", "/session").send().status == 401).then_some(()));
}

fn a_session_expires(world: &World) {
    let ada = owner(world);
    ada.inside("GET", "/session").send().ok();
    world.change("UPDATE sessions SET expires_at = 1000");
    // The row was changed by another process, so restart the server to clear its cache.
    world.restart();
    ada.inside("GET", "/session").send().error(401, "not_signed_in");
    // A removed member's sessions end.
    let bob = member(world, "bob@example.com", "member");
    world.change("DELETE FROM members WHERE email = 'bob@example.com'");
    world.restart();
    bob.inside("GET", "/session").send().error(401, "not_signed_in");
}

fn another_site_can_do_nothing(world: &World) {
    let ada = owner(world);
    let from = |site: &str| {
        let body = json!({"name": "Forged"});
        ada.request("POST", "/tags").header("Sec-Fetch-Site", site).json(&body).send()
    };
    for site in ["cross-site", "same-site", "none", ""] {
        from(site).error(403, "cross_origin");
    }
    from("same-origin").created();
    let by_origin = |origin: &str| {
        let request = ada.request("DELETE", &format!("/tags/{}", nobody())).without("Sec-Fetch-Site");
        request.header("Origin", origin).send().status
    };
    assert_eq!(by_origin("https://evil.example.com"), 403);
    assert_eq!(by_origin("null"), 403);
    assert_eq!(by_origin(ada.origin()), 404);
    let bare = ada.request("POST", "/tags").without("Sec-Fetch-Site").json(&json!({"name": "Forged"})).send();
    bare.error(403, "cross_origin");
    // Another site can't sign anybody in, either.
    let body = json!({"email": "ada@example.com", "password": PASSWORD});
    let stranger = world.stranger();
    let forged = stranger.inside("POST", "/sign-in").header("Origin", "https://evil.example.com").json(&body);
    assert_eq!(forged.send().status, 403);
    // Reading needs only the cookie.
    ada.request("GET", "/tags").without("Sec-Fetch-Site").send().ok();
}

fn changing_a_password_needs_the_old_one(world: &World) {
    let ada = owner(world);
    let stranger = world.stranger();
    let phone = stranger.signed_in(&sign_in(&stranger, "ada@example.com", PASSWORD));
    let change = |current: &str, new: &str| {
        ada.inside("POST", "/password").json(&json!({"current": current, "new": new})).send()
    };
    change("wrong wrong", "another teapot orbit").invalid("current");
    change(PASSWORD, "short").invalid("new");
    change(PASSWORD, "another teapot orbit").ok();
    ada.inside("GET", "/session").send().ok();
    within_a_second("the others end", || (phone.inside("GET", "/session").send().status == 401).then_some(()));
    assert_eq!(sign_in(&stranger, "ada@example.com", PASSWORD).status, 401);
    sign_in(&stranger, "ada@example.com", "another teapot orbit").ok();
    let renamed = ada.inside("PUT", "/profile").json(&json!({"last_name": "Lovelace"})).send().ok();
    assert_eq!(renamed["user"]["last_name"], "Lovelace");
    assert_eq!(renamed["user"]["first_name"], "Ada");
}

fn a_lost_password_is_replaced_by_a_link(world: &World) {
    let ada = owner(world);
    let stranger = world.stranger();
    world.cli(["members", "reset-password", "--email", "eve@example.com"]).refused();
    let (old, link) = (reset_link(world, "ada@example.com"), reset_link(world, "ada@example.com"));
    assert!(link.contains("/invitation#"), "{link}");
    let ask = |link: &str| stranger.inside("GET", &format!("/invitation?token={}", token(link))).send();
    ask(&old).invalid("token");
    assert_eq!(
        ask(&link).ok(),
        json!({
            "email": "ada@example.com", "workspace_name": "Engines", "first_name": "Ada", "last_name": "Byron",
            "kind": "reset", "signed_in": false,
        })
    );
    // It can't be used for set-up.
    stranger.inside("POST", "/setup").json(&set_up_with(&token(&link))).send().invalid("token");
    let body = json!({"token": token(&link), "password": "a new lantern in the harbour"});
    let entered = stranger.inside("POST", "/invitation").json(&body).send();
    assert_eq!(entered.ok()["user"]["first_name"], "Ada");
    stranger.inside("POST", "/invitation").json(&body).send().invalid("token");
    within_a_second("old sessions end", || (ada.inside("GET", "/session").send().status == 401).then_some(()));
    sign_in(&stranger, "ada@example.com", "a new lantern in the harbour").ok();
    // An unused link expires.
    let late = reset_link(world, "ada@example.com");
    world.change("UPDATE users SET setup_until = 1000");
    ask(&late).invalid("token");
}

fn a_person_works_in_several_workspaces(world: &World) {
    let ada = owner(world);
    world.cli(["workspace", "create", "--name", "Looms", "--slug", "looms", "--owner", "ada@example.com"]).ok();
    let session = ada.inside("GET", "/session").send().ok();
    let workspaces = session["workspaces"].as_array().cloned().unwrap_or_default();
    assert_eq!(member_names(&workspaces), ["Engines", "Looms"]);
    ada.post("/tags", json!({"name": "Engine"})).created();
    let to = json!({"workspace_id": workspaces[1]["id"]});
    assert_eq!(ada.inside("PUT", "/session").json(&to).send().ok()["workspace"]["name"], "Looms");
    // The change takes effect at once on the node that received it.
    assert!(ada.get("/tags").page().rows.is_empty());
    assert_eq!(ada.inside("GET", "/session").send().ok()["workspace"]["name"], "Looms");
    let elsewhere = json!({"workspace_id": nobody()});
    ada.inside("PUT", "/session").json(&elsewhere).send().invalid("workspace_id");
}

fn member_names(list: &[Value]) -> Vec<String> {
    list.iter().map(|item| text(&item["name"])).collect()
}

fn live_updates_work_with_a_session(world: &World) {
    let ada = owner(world);
    let listener = Listener::open(&ada, "/events/stream", None);
    ada.post("/tags", json!({"name": "Live"})).created();
    let frame = listener.event();
    assert_eq!(frame.kind.as_deref(), Some("tag.created"));
    ada.inside("POST", "/sign-out").send().ok();
    eventually("the stream's end", PATIENCE, || listener.has_ended().then_some(()));
}

fn the_pages_are_served(world: &World) {
    let visitor = world.stranger();
    let page = |path: &str| visitor.visit(path).header("Accept", "text/html,application/xhtml+xml").send();
    for path in ["/", "/contacts", "/setup", "/settings/api/keys", "/deals/019"] {
        let page = page(path);
        assert_eq!(page.status, 200, "{page}");
        assert!(page.header("Content-Type").starts_with("text/html"), "{page}");
        assert_eq!(page.header("Cache-Control"), "no-cache");
        let policy = page.header("Content-Security-Policy");
        assert!(policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"), "{page}");
        assert!(!policy.contains("script-src") && !policy.contains("unsafe-eval"), "{page}");
        assert_eq!(page.header("X-Content-Type-Options"), "nosniff");
    }
    // Assets have a hash in their name, are cached for ever and are not sent twice.
    let index = page("/").text();
    let script = index.split('"').find(|part| part.starts_with("/assets/") && part.ends_with(".js"));
    let script = script.unwrap_or_else(|| panic!("no script in {index}"));
    let sent = visitor.visit(script).header("Accept-Encoding", "identity").send();
    assert_eq!(sent.header("Cache-Control"), "public, max-age=31536000, immutable");
    assert!(sent.header("Content-Type").starts_with("text/javascript"), "{script}");
    let again = visitor.visit(script).header("Accept-Encoding", "identity");
    let again = again.header("If-None-Match", sent.header("ETag")).send();
    assert_eq!((again.status, again.body.len()), (304, 0));
    // Programs get JSON errors whatever they accept.
    for path in ["/api/v1/contact", "/dashboard/nothing", "/api/nothing"] {
        assert!([401, 404].contains(&page(path).status), "{path}");
        assert!(page(path).header("Content-Type").starts_with("application/json"), "{path}");
    }
    assert_eq!(page("/assets/nothing.js").status, 404);
    assert_eq!(visitor.visit("/contacts").send().status, 404);
    assert_eq!(visitor.visit("/contacts").method("POST").send().status, 404);
    visitor.visit("/docs/").send().is(200);
}
