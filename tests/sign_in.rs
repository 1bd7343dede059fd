//! Sign-in under attack: invitations can't take over accounts, passwords are strong, sessions end, and sensitive
//! actions need the password again.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::dashboard::{PASSWORD, member, owner, reset_link, set_up_with, sign_in, token};
use crate::support::{Answer, Client, PATIENCE, World, at_once, eventually, now, text, within_a_second};

stories![
    an_invitation_takes_over_no_account,
    an_inviter_does_not_learn_who_has_an_account,
    an_invited_user_accepts_by_password_or_session,
    invitations_end_with_the_rights_of_their_inviter,
    an_invitation_is_accepted_or_ended_and_never_both,
    a_user_created_meanwhile_gets_no_password,
    a_new_password_is_hard_to_guess,
    a_session_ends_after_thirty_days,
    a_password_does_not_expire,
    browsers_get_security_headers,
    sensitive_actions_need_the_password_again,
    password_guesses_in_a_session_are_throttled,
    a_flood_from_one_address_does_not_keep_others_out,
    keys_have_a_maximum_lifetime,
];

/// A strong password that no other user in these tests has.
const OTHER: &str = "plum teapot orbit";

#[track_caller]
fn invite(by: &Client, email: &str, role: &str) -> String {
    let made = by.inside("POST", "/invitations").json(&json!({"email": email, "role": role})).send().created();
    token(&text(&made["link"]))
}

fn asked(client: &Client, token: &str) -> Answer {
    client.inside("GET", &format!("/invitation?token={token}")).send()
}

fn accept(client: &Client, token: &str, password: &str) -> Answer {
    let body = json!({"token": token, "password": password, "first_name": "Eve", "last_name": "Adams"});
    client.inside("POST", "/invitation").json(&body).send()
}

fn passwords_of(world: &World, email: &str) -> u64 {
    let sql = "SELECT CAST(count(*) AS text) FROM users WHERE password_hash IS NOT NULL AND email";
    world.count(&format!("{sql} = '{email}'"))
}

/// The security review's B3: the owner of another workspace who has no password yet.
fn an_invitation_takes_over_no_account(world: &World) {
    owner(world);
    let admin = member(world, "admin@example.com", "admin");
    world.cli(["workspace", "create", "--name", "Theirs", "--slug", "theirs", "--owner", "bob@example.com"]).ok();
    let (stranger, token) = (world.stranger(), invite(&admin, "bob@example.com", "member"));
    let refused = accept(&stranger, &token, OTHER);
    refused.invalid("password").says("ask the operator of this server for a link");
    assert!(refused.find_header("Set-Cookie").is_none(), "{refused}");
    assert_eq!(passwords_of(world, "bob@example.com"), 0);
    assert_eq!(sign_in(&stranger, "bob@example.com", OTHER).status, 401);
    // The session of the inviter does not help either.
    let by_session = admin.inside("POST", "/invitation").json(&json!({"token": token})).send();
    by_session.invalid("password").says("required");
    // The user's own link sets the password; then the invitation can be accepted with it.
    let link = world.cli(["members", "reset-password", "--email", "bob@example.com", "--workspace", "theirs"]);
    accept(&stranger, &self::token(link.ok()), PASSWORD).ok();
    accept(&stranger, &token, OTHER).invalid("password");
    let session = accept(&stranger, &token, PASSWORD).ok();
    assert_eq!((&session["role"], &session["workspace"]["name"]), (&json!("member"), &json!("Engines")));
    sign_in(&stranger, "bob@example.com", PASSWORD).ok();
}

fn an_inviter_does_not_learn_who_has_an_account(world: &World) {
    let ada = owner(world);
    world.cli(["workspace", "create", "--name", "Theirs", "--slug", "theirs", "--owner", "none@example.com"]).ok();
    world.cli(["members", "add", "--email", "with@example.com", "--workspace", "theirs"]).ok();
    let link = world.cli(["members", "reset-password", "--email", "with@example.com", "--workspace", "theirs"]);
    let stranger = world.stranger();
    accept(&stranger, &token(link.ok()), PASSWORD).ok();
    let people = ["with@example.com", "none@example.com", "unknown@example.com"];
    let tokens = people.map(|email| invite(&ada, email, "member"));
    // Only the address, which the inviter gave, differs.
    let shapes = people.iter().zip(&tokens).map(|(email, token)| {
        let by_all = [&stranger, &ada].map(|client| asked(client, token).text().replace(email, "…"));
        assert_eq!(by_all[0], by_all[1]);
        by_all
    });
    let shapes: Vec<_> = shapes.collect();
    assert!(shapes.iter().all(|shape| *shape == shapes[0]), "{shapes:?}");
    for weak in ["x", "too short", "password1234", "aaaaaaaaaaaaaa"] {
        let answers: Vec<Answer> = tokens.iter().map(|token| accept(&stranger, token, weak)).collect();
        answers[0].invalid("password").says("If you have an account here already, give its password");
        assert!(answers.iter().all(|answer| answer.json == answers[0].json), "{weak}: {}", answers[2]);
    }
    let strong = [0, 1].map(|at: usize| accept(&stranger, &tokens[at], OTHER));
    assert_eq!(strong[0].json, strong[1].json);
    assert_eq!(strong[0].status, 400);
    // The lists of invitations look alike, too.
    let listed = ada.inside("GET", "/invitations").send().page().rows;
    let members = |row: &Value| row.as_object().map(|row| row.keys().cloned().collect::<Vec<_>>());
    assert!(listed.iter().all(|row| members(row) == members(&listed[0])), "{listed:?}");
}

fn an_invited_user_accepts_by_password_or_session(world: &World) {
    let ada = owner(world);
    world.cli(["workspace", "create", "--name", "Theirs", "--slug", "theirs", "--owner", "bob@example.com"]).ok();
    let link = world.cli(["members", "reset-password", "--email", "bob@example.com", "--workspace", "theirs"]);
    let stranger = world.stranger();
    let bob = stranger.signed_in(&accept(&stranger, &token(link.ok()), PASSWORD));
    let token = invite(&ada, "BOB@example.com", "admin");
    assert_eq!(asked(&bob, &token).ok()["signed_in"], true);
    assert_eq!(asked(&ada, &token).ok()["signed_in"], false);
    ada.inside("POST", "/invitation").json(&json!({"token": token})).send().invalid("password");
    // Another site can't make a signed-in user join.
    let body = json!({"token": token});
    let forged = bob.inside("POST", "/invitation").header("Sec-Fetch-Site", "cross-site").json(&body).send();
    forged.error(403, "cross_origin");
    let joined = bob.inside("POST", "/invitation").json(&body).send().ok();
    assert_eq!((&joined["role"], &joined["workspace"]["name"]), (&json!("admin"), &json!("Engines")));
    assert_eq!(joined["user"]["first_name"], "Eve", "the name from the other workspace");
    assert_eq!(bob.inside("GET", "/session").send().ok()["workspace"]["name"], "Engines");
    bob.inside("POST", "/invitation").json(&body).send().invalid("token");
}

fn user_of(person: &Client) -> String {
    text(&person.inside("GET", "/session").send().ok()["user"]["user_id"])
}

/// The security review's m1.
fn invitations_end_with_the_rights_of_their_inviter(world: &World) {
    let ada = owner(world);
    let stranger = world.stranger();
    let removed = member(world, "removed@example.com", "admin");
    let back = invite(&removed, "again@example.com", "admin");
    asked(&stranger, &back).ok();
    ada.inside("DELETE", &format!("/members/{}", user_of(&removed))).send().ok();
    asked(&stranger, &back).invalid("token");
    accept(&stranger, &back, OTHER).invalid("token");
    assert!(ada.inside("GET", "/invitations").send().page().rows.is_empty());
    let ended = |why: &str| {
        let sql = "SELECT CAST(count(*) AS text) FROM events WHERE type = 'invitation.deleted' AND changes";
        world.count(&format!("{sql} LIKE '%{why}%'"))
    };
    assert_eq!(ended("the inviter was removed"), 1);
    // An owner who becomes an admin keeps the invitations that an admin may make.
    let second = member(world, "second@example.com", "owner");
    let owners = invite(&second, "o@example.com", "owner");
    let members = invite(&second, "m@example.com", "member");
    let path = format!("/members/{}", user_of(&second));
    ada.inside("PUT", &path).json(&json!({"role": "admin"})).send().ok();
    asked(&stranger, &owners).invalid("token");
    asked(&stranger, &members).ok();
    assert_eq!(ended("role has changed"), 1);
    ada.inside("PUT", &path).json(&json!({"role": "member"})).send().ok();
    accept(&stranger, &members, OTHER).invalid("token");
    assert_eq!(ended("role has changed"), 2);
    // A leftover invitation is refused when it is accepted.
    ada.inside("PUT", &path).json(&json!({"role": "admin"})).send().ok();
    within_a_second("the role", || (second.inside("GET", "/members").send().status == 200).then_some(()));
    let left = invite(&second, "left@example.com", "member");
    world.change("UPDATE members SET role = 'member' WHERE email = 'second@example.com'");
    accept(&stranger, &left, OTHER).invalid("token");
}

fn an_invitation_is_accepted_or_ended_and_never_both(world: &World) {
    let ada = owner(world);
    let second = world.another_node();
    for round in 0..4 {
        let admin = member(world, &format!("admin{round}@example.com"), "admin");
        let guest = format!("guest{round}@example.com");
        let (token, path) = (invite(&admin, &guest, "admin"), format!("/members/{}", user_of(&admin)));
        let elsewhere = second.as_ref().map_or(world.stranger(), |node| world.stranger().at(&node.origin()));
        let statuses = at_once(2, |which| match which {
            0 => accept(&elsewhere, &token, OTHER).status,
            _ => ada.inside("DELETE", &path).send().status,
        });
        assert_eq!(statuses[1], 200);
        let count = |sql: &str| world.count(&format!("SELECT CAST(count(*) AS text) FROM {sql}"));
        let joined = count(&format!("members WHERE email = '{guest}'"));
        let ended = count(&format!("events WHERE type = 'invitation.deleted' AND changes LIKE '%{guest}%'"));
        let expected = if statuses[0] == 200 { (1, 0) } else { (0, 1) };
        assert!([200, 400].contains(&statuses[0]), "{statuses:?}");
        assert_eq!((joined, ended), expected, "{statuses:?}");
        assert_eq!(count("invitations"), 0);
    }
}

fn a_user_created_meanwhile_gets_no_password(world: &World) {
    let ada = owner(world);
    for round in 0..3 {
        let (email, slug) = (format!("bob{round}@example.com"), format!("theirs{round}"));
        let token = invite(&ada, &email, "member");
        let stranger = world.stranger();
        let accepted = at_once(2, |which| match which {
            0 => accept(&stranger, &token, OTHER).status == 200,
            _ => {
                world.cli(["workspace", "create", "--name", &slug, "--slug", &slug, "--owner", &email]).ok();
                false
            }
        })[0];
        // Either the user was new when the invitation was accepted, or nothing was set.
        assert_eq!(passwords_of(world, &email), u64::from(accepted));
        assert_eq!(world.count(&format!("SELECT CAST(count(*) AS text) FROM users WHERE email = '{email}'")), 1);
    }
}

/// The security review's m4.
fn a_new_password_is_hard_to_guess(world: &World) {
    let stranger = world.stranger();
    let link = reset_link(world, "owner@localhost");
    let weak = [
        ("Xk9#vLq2!pZ", "at least 12 characters"),
        ("123456789012", "too easy to guess"),
        ("aaaaaaaaaaaa", "too easy to guess"),
        ("password1234", "too easy to guess"),
        ("ada@example.com", "too easy to guess"),
        ("AdaByron2026", "too easy to guess"),
        ("Engines Engines", "too easy to guess"),
    ];
    for (password, why) in weak {
        let mut body = set_up_with(&token(&link));
        body["password"] = json!(password);
        stranger.inside("POST", "/setup").json(&body).send().invalid("password").says(why);
    }
    let ada = owner(world);
    let reset = reset_link(world, "ada@example.com");
    let invitation = invite(&ada, "bob@example.com", "member");
    for (password, why) in weak {
        accept(&stranger, &token(&reset), password).invalid("password").says(why);
        let change = json!({"current": PASSWORD, "new": password});
        ada.inside("POST", "/password").json(&change).send().invalid("new").says(why);
    }
    accept(&stranger, &invitation, "bob@example.com").invalid("password").says("too easy to guess");
    // A password of the maximum length, which takes longest to check.
    let long = "aA1!".repeat(50);
    ada.inside("POST", "/password").json(&json!({"current": PASSWORD, "new": long})).send().invalid("new");
    // The current password is not a new one; and a guesser learns nothing more from this error.
    let same =
        |password: &str| ada.inside("POST", "/password").json(&json!({"current": password, "new": password})).send();
    same(PASSWORD).invalid("new").says("is your current password");
    same("not the password at all").invalid("current");
}

fn a_password_does_not_expire(world: &World) {
    owner(world);
    world.change("UPDATE users SET created_at = 1");
    world.restart();
    let entered = sign_in(&world.stranger(), "ada@example.com", PASSWORD).ok();
    assert_eq!(entered["user"]["email"], "ada@example.com", "no other answer asks for a new one: {entered}");
}

fn a_session_ends_after_thirty_days(world: &World) {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let ada = owner(world);
    let entered = sign_in(&world.stranger(), "ada@example.com", PASSWORD);
    assert!(entered.header("Set-Cookie").contains("; Max-Age=2592000"), "{entered}");
    let begun = |days: i64| {
        let earlier = format!("created_at = created_at - {}, last_used_at = last_used_at - 120000", days * DAY);
        world.change(&format!("UPDATE sessions SET {earlier}"));
        world.restart();
    };
    // It is in constant use, and ends all the same.
    begun(29);
    ada.inside("GET", "/session").send().ok();
    let bounded = format!(
        "SELECT CAST(count(*) AS text) FROM sessions WHERE last_used_at > created_at AND expires_at = created_at + {}",
        30 * DAY
    );
    eventually("the use is noted, and the end stays", PATIENCE, || (world.count(&bounded) == 1).then_some(()));
    begun(1);
    ada.inside("GET", "/session").send().error(401, "not_signed_in");
    ada.get("/tags").error(401, "not_signed_in");
}

/// The security review's m8.
fn browsers_get_security_headers(world: &World) {
    owner(world);
    let pages = ["/", "/sign-in", "/docs/", "/settings/members"];
    let page = |path: &str| world.stranger().visit(path).header("Accept", "text/html").send();
    for path in pages {
        let page = page(path);
        assert_eq!(page.header("Cross-Origin-Opener-Policy"), "same-origin");
        assert_eq!(page.header("Cross-Origin-Resource-Policy"), "same-origin");
        assert!(page.header("Permissions-Policy").contains("camera=()"), "{page}");
        assert_eq!(page.header("X-Frame-Options"), "DENY");
        assert_eq!(page.header("Referrer-Policy"), "same-origin");
        assert_eq!(page.header("X-Content-Type-Options"), "nosniff");
        assert!(page.find_header("Strict-Transport-Security").is_none(), "{page}");
    }
    world.stop();
    world.start_by("exec \"$@\" --public-url https://crm.example.com");
    for path in pages.into_iter().chain(["/dashboard/state", "/healthz", "/api/v1/tags"]) {
        assert_eq!(page(path).header("Strict-Transport-Security"), "max-age=31536000", "{path}");
    }
    // The session is read only from the cookie that this host alone can set.
    let stranger = world.stranger();
    let entered = sign_in(&stranger, "ada@example.com", PASSWORD);
    let ada = stranger.signed_in(&entered);
    ada.inside("GET", "/session").send().ok();
    ada.get("/tags").page();
    let cookie = entered.header("Set-Cookie").split(';').next().unwrap_or_default();
    let plain = cookie.trim_start_matches("__Host-").to_owned();
    ada.inside("GET", "/session").header("Cookie", &plain).send().error(401, "not_signed_in");
    let out = ada.inside("POST", "/sign-out").send();
    assert!(out.header("Set-Cookie").starts_with("__Host-relata_session=; "), "{out}");
}

/// As if the password had been given eleven minutes ago.
fn let_time_pass(world: &World) {
    world.change("UPDATE sessions SET authenticated_at = authenticated_at - 660000");
}

fn sensitive_actions_need_the_password_again(world: &World) {
    let ada = owner(world);
    let bob = member(world, "bob@example.com", "member");
    let bobs = format!("/members/{}", user_of(&bob));
    let account = json!({
        "provider": "email", "name": "Ada", "address": "ada@example.com", "smtp": "smtp://127.0.0.1:9?tls=none", "test": false,
    });
    let send = |by: &Client, method: &str, path: &str, body: &Value| by.inside(method, path).json(body).send();
    let added = send(&ada, "POST", "/accounts", &account).created();
    let accounts = format!("/accounts/{}", text(&added["id"]));
    let mut another = account.clone();
    another["address"] = json!("ada.two@example.com");
    let sensitive = [
        ("POST", "/keys", json!({"name": "K", "scopes": ["tags:read"]})),
        ("PUT", bobs.as_str(), json!({"role": "admin"})),
        ("POST", "/invitations", json!({"email": "eve@example.com", "role": "admin"})),
        ("POST", "/accounts", another),
        ("PUT", accounts.as_str(), json!({"name": "Other"})),
        ("DELETE", bobs.as_str(), json!({})),
        ("DELETE", "/workspace", json!({"name": "Engines"})),
        ("POST", "/oauth/start", json!({"provider": "google"})),
    ];
    let flagged = crm::dashboard::all().filter(|operation| operation.reauthenticates).count();
    assert_eq!(flagged, sensitive.len(), "some sensitive operations are not tested here");
    let_time_pass(world);
    let before = world.events();
    for (method, path, body) in &sensitive {
        let refused = send(&ada, method, path, body);
        refused.error(403, "reauthentication_required").says("POST /dashboard/session/reauthenticate");
    }
    assert_eq!(world.events(), before, "a refused action had an effect");
    // A missing role is reported first, and other actions still work.
    send(&bob, "PUT", &bobs, &json!({"role": "admin"})).error(403, "insufficient_role");
    ada.inside("GET", "/keys").send().page();
    ada.post("/tags", json!({"name": "Plain"})).created();
    // A wrong password unlocks nothing; the right one unlocks this session only.
    let again = |by: &Client, password: &str| {
        by.inside("POST", "/session/reauthenticate").json(&json!({"password": password})).send()
    };
    again(&ada, OTHER).invalid("password");
    send(&ada, "POST", "/keys", &sensitive[0].2).error(403, "reauthentication_required");
    let second = world.another_node();
    assert!(again(&ada, PASSWORD).ok()["authenticated_until"].is_string());
    if let Some(node) = &second {
        send(&ada.at(&node.origin()), "POST", "/keys", &sensitive[0].2).created();
    }
    for (method, path, body) in &sensitive[..6] {
        assert!([200, 201].contains(&send(&ada, method, path, body).status), "{method} {path}");
    }
    // Setting a new password counts as giving it, and so does signing in.
    let_time_pass(world);
    ada.inside("POST", "/password").json(&json!({"current": PASSWORD, "new": OTHER})).send().ok();
    send(&ada, "POST", "/keys", &sensitive[0].2).created();
    let_time_pass(world);
    send(&ada, "POST", "/keys", &sensitive[0].2).error(403, "reauthentication_required");
    let stranger = world.stranger();
    let phone = stranger.signed_in(&sign_in(&stranger, "ada@example.com", OTHER));
    send(&phone, "POST", "/keys", &sensitive[0].2).created();
    send(&ada, "POST", "/keys", &sensitive[0].2).error(403, "reauthentication_required");
}

fn password_guesses_in_a_session_are_throttled(world: &World) {
    let ada = owner(world);
    let guess = |password: &str| {
        let body = json!({"password": password});
        ada.inside("POST", "/session/reauthenticate").json(&body).send()
    };
    let waits = (0..30).find_map(|_| Some(guess("wrong wrong")).filter(|answer| answer.status == 429));
    let waits = waits.expect("a request that must wait");
    waits.error(429, "too_many_attempts");
    assert!(waits.number("Retry-After") >= 1, "{waits}");
    world.change("UPDATE attempts SET until = until + 60000");
    guess(PASSWORD).error(429, "too_many_attempts");
    ada.inside("GET", "/session").send().ok();
}

/// The security review's m18.
fn keys_have_a_maximum_lifetime(world: &World) {
    let ada = owner(world);
    let make = |body: Value| ada.inside("POST", "/keys").json(&body).send();
    let old = make(json!({"name": "Old", "scopes": ["tags:read"]})).created();
    assert_eq!(old["exceeds_longest_life"], false);
    let set = |days: Value| ada.inside("PUT", "/workspace").json(&json!({"longest_key_days": days})).send();
    for wrong in [json!(0), json!(-1), json!(3651), json!("x"), json!(1.5)] {
        set(wrong).invalid("longest_key_days");
    }
    assert_eq!(set(json!(90)).ok()["longest_key_days"], 90);
    let bob = member(world, "bob@example.com", "member");
    bob.inside("PUT", "/workspace").json(&json!({"longest_key_days": null})).send().error(403, "insufficient_role");
    assert_eq!(bob.inside("GET", "/workspace").send().ok()["longest_key_days"], 90);
    make(json!({"name": "K", "scopes": ["tags:read"]})).invalid("expires_at").says("at most 90 days");
    make(json!({"name": "K", "scopes": ["tags:read"], "expires_at": null})).invalid("expires_at").says("required");
    let late = json!({"name": "K", "scopes": ["tags:read"], "expires_at": "2100-01-01"});
    make(late.clone()).invalid("expires_at").says("too late");
    // The limit applies to the operator's keys, too.
    let key = ["keys", "create", "--name", "C", "--scopes", "tags:read"];
    world.run(&key).refused();
    world.run(&[&key[..], &["--expires", "2100-01-01"]].concat()).refused();
    let soon = now() + jiff::SignedDuration::from_hours(24 * 89);
    world.run(&[&key[..], &["--expires", &soon.to_string()]].concat()).ok();
    let new = make(json!({"name": "New", "scopes": ["tags:read"], "expires_at": soon.to_string()})).created();
    assert_eq!(new["exceeds_longest_life"], false);
    // Existing keys still work, and are marked.
    world.holder(&text(&old["key"])).get("/tags").page();
    let exceeding = || {
        let rows = ada.inside("GET", "/keys").send().page().rows;
        let rows = rows.into_iter().filter(|key| key["exceeds_longest_life"] == true);
        rows.map(|key| text(&key["name"])).collect::<Vec<_>>()
    };
    assert_eq!(exceeding(), ["Old"]);
    world.set(&["--longest-key-days", "30"]);
    assert_eq!(exceeding(), ["New", "C", "Old"]);
    assert!(world.cli(["workspace", "list"]).ok().ends_with("\t30"));
    world.run(&["workspace", "set", "--longest-key-days", "4000"]).refused();
    world.set(&["--longest-key-days", "0"]);
    assert!(exceeding().is_empty());
    assert_eq!(set(json!(7)).ok()["longest_key_days"], 7);
    assert_eq!(set(Value::Null).ok()["longest_key_days"], Value::Null);
    make(late).created();
}

/// Hashing a password takes time, and requests wait for it in a queue of their address.
/// A flood of one address fills its own queue: the others of it are refused at once, and those of another address take
/// turns with it. In one queue for all, the owner would be last.
fn a_flood_from_one_address_does_not_keep_others_out(world: &World) {
    /// Requests of one address that may wait or run.
    const QUEUE: usize = 10;
    /// One less than the failures of an address that make it wait.
    const FLOOD: usize = 30;
    owner(world);
    world.stop();
    world.start_by("exec \"$@\" --trusted-proxies 127.0.0.1");
    let stranger = world.stranger();
    let enter = |from: &str, email: &str, password: &str| {
        let body = json!({"email": email, "password": password});
        stranger.inside("POST", "/sign-in").header("X-Forwarded-For", from).json(&body).send()
    };
    // How many of the flood are checked before the owner depends on when each request arrives, so it is tried repeatedly.
    let mut passed = Vec::new();
    for round in 0..10 {
        let (refused, checked) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let passed_now = at_once(FLOOD + 1, |number| {
            if number > 0 {
                let (from, email) = (format!("192.0.2.{round}"), format!("eve{round}-{number}@example.com"));
                // A refused request is repeated, so that the queue stays full.
                eventually("a check of the password", PATIENCE, || {
                    let status = enter(&from, &email, "wrong wrong").status;
                    assert!([401, 429].contains(&status), "{status}");
                    let counter = if status == 429 { &refused } else { &checked };
                    counter.fetch_add(1, Ordering::SeqCst);
                    (status == 401).then_some(())
                });
                return None;
            }
            let seen = || (refused.load(Ordering::SeqCst), checked.load(Ordering::SeqCst));
            eventually("a full queue, or the end of the flood", PATIENCE, || {
                (seen().0 > 0 || seen().1 == FLOOD).then_some(())
            });
            let (full, before) = seen();
            enter("192.0.2.200", "ada@example.com", PASSWORD).ok();
            (full > 0).then(|| seen().1 - before)
        });
        passed.extend(passed_now.into_iter().flatten());
        if passed.last().is_some_and(|passed| 2 * passed <= QUEUE) {
            return;
        }
    }
    panic!("the owner waited for most of each flood, or no flood filled its queue: {passed:?}");
}
