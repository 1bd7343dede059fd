//! `relata backup` and `relata restore`: a backup works in another installation, and a broken backup is refused.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::dashboard;
use crate::support::outside::contact;
use crate::support::*;

stories![
    a_backup_serves_the_same_keys_elsewhere,
    a_restore_replaces_the_live_data,
    a_restore_gives_nobody_access_that_was_taken_away,
    the_statements_of_the_guide_end_access_and_send_nothing_again,
    a_restore_brings_no_member_or_account_back,
    a_restore_brings_a_removed_workspace_back_on_request_alone,
    a_restore_keeps_opt_outs_and_private_mailboxes,
    a_killed_restore_leaves_no_copy,
    a_restored_sequence_says_why_it_is_paused,
    a_restore_over_another_installation_is_refused,
    a_broken_backup_is_refused,
];

/// Backs up into a file; on PostgreSQL checks that the error names the tool to use instead.
#[track_caller]
fn back_up(world: &World, file: &Path) -> bool {
    let path = file.display().to_string();
    let backup = world.cli(["backup", &path]);
    if !world.database_is_shared() {
        backup.ok();
        return true;
    }
    assert!(backup.refused().contains("pg_dump"), "the error does not name the tool: {backup}");
    let restore = world.cli(["restore", &path]);
    assert!(restore.refused().contains("pg_restore"), "the error does not name the tool: {restore}");
    assert!(!file.exists(), "a refused command left a file");
    false
}

fn a_backup_serves_the_same_keys_elsewhere(world: &World) {
    let file = world.file("backup");
    world.set(&["--rate-limit", "1000000"]);
    let key = world.key("crm");
    let before: Vec<Value> = (0..50)
        .map(|number| key.post("/contacts", json!({"first_name": format!("Ada {number}"), "tags": ["VIP"]})).created())
        .collect();
    let finished = AtomicBool::new(false);
    let backed_up = std::thread::scope(|scope| {
        let writers = scope.spawn(|| {
            at_once(4, |_| {
                while !finished.load(Ordering::SeqCst) {
                    key.post("/contacts", json!({"first_name": "Meanwhile", "tags": ["Busy"]})).created();
                }
            })
        });
        eventually("writes", PATIENCE, || (key.get("/contacts").page().total() > 60).then_some(()));
        let backed_up = back_up(world, &file);
        finished.store(true, Ordering::SeqCst);
        writers.join().unwrap_or_else(|_| panic!("a writer failed"));
        backed_up
    });
    if !backed_up {
        return;
    }
    // A backup over an existing file replaces it or is refused, but never leaves a broken one.
    let path = file.display().to_string();
    let again = world.cli(["backup", &path]);
    assert!(again.code == Some(0) || again.err.contains("exists"), "{again}");

    let elsewhere = world.file("elsewhere");
    let options = ["--data".to_owned(), elsewhere.display().to_string()];
    let mut restore = relata();
    restore.args(["restore", &path]).args(&options);
    let restored = Ran::of(restore);
    // No database is there that knows which keys were revoked since.
    assert!(restored.ok().contains("Workspaces, members, accounts and API keys are those of the backup"), "{restored}");
    let server = Server::start(free_port(), &options, &world.file("elsewhere.log"));
    let there = key.at(&server.origin());
    for contact in &before {
        assert_eq!(there.get(&format!("/contacts/{}", text(&contact["id"]))).ok(), *contact);
    }
    let page = there.list("/contacts", &[("limit", "1")]).page();
    let busy = there.list("/contacts", &[("tags", "cs.{Busy}")]).page().total();
    assert_eq!(page.total(), 50 + busy, "a contact without its tag: the backup is not one snapshot");
    there.post("/contacts", json!({"first_name": "Ada"})).created();
}

fn a_restore_replaces_the_live_data(world: &World) {
    let file = world.file("backup");
    let key = world.key("crm");
    let kept = key.post("/contacts", json!({"first_name": "Kept"})).created();
    if !back_up(world, &file) {
        return;
    }
    key.put(&format!("/contacts/{}", text(&kept["id"])), json!({"title": "Changed since"})).ok();
    key.post("/contacts", json!({"first_name": "Lost"})).created();
    let since = world.key("crm");
    since.get("/contacts").page();

    world.cli(["restore", &file.display().to_string()]).ok();
    within_a_second("the restored contacts", || (key.get("/contacts").page().rows == [kept.clone()]).then_some(()));
    within_a_second("the end of a key made since", || (since.get("/contacts").status == 401).then_some(()));
    key.post("/contacts", json!({"first_name": "Ada"})).created();
    world.restart();
    assert_eq!(key.get("/contacts").page().total(), 2);
    world.check_integrity();
}

fn a_restore_gives_nobody_access_that_was_taken_away(world: &World) {
    let (file, owner) = (world.file("backup"), dashboard::owner(world));
    let (kept, revoked) = (world.key("crm"), world.key("crm"));
    let invitation = json!({"email": "bea@example.com", "role": "member"});
    owner.inside("POST", "/invitations").json(&invitation).send().created();
    let invited = || owner.inside("GET", "/invitations").send();
    invited().ok();
    if !back_up(world, &file) {
        return;
    }
    let keys = world.cli(["keys", "list"]).ok().to_owned();
    let last = keys.lines().last().and_then(|line| line.split_whitespace().next()).expect("a key");
    world.cli(["keys", "revoke", last]).ok();
    within_a_second("the end of the key", || (revoked.get("/contacts").status == 401).then_some(()));

    let restored = world.cli(["restore", &file.display().to_string()]);
    let said = restored.ok();
    assert!(said.contains("Revoked again: 1 API key.") && said.contains("has to sign in again"), "{restored}");
    within_a_second("the end of the session", || (invited().status == 401).then_some(()));
    assert_eq!((kept.get("/contacts").status, revoked.get("/contacts").status), (200, 401));
    let stranger = world.stranger();
    let entered = dashboard::sign_in(&stranger, "ada@example.com", dashboard::PASSWORD);
    entered.ok();
    let owner = stranger.signed_in(&entered);
    assert_eq!(owner.inside("GET", "/invitations").send().page().rows, [] as [Value; 0]);
}

/// What an operator runs after `pg_restore`.
fn the_statements_of_the_guide_end_access_and_send_nothing_again(world: &World) {
    let guide = include_str!("../docs/guides/back-up-and-restore.md");
    let (_, from) = guide.split_once("<<'SQL'\n").expect("statements");
    let (statements, _) = from.split_once("SQL\n").expect("their end");
    let (outside, owner, key) = (Outside::new(""), dashboard::owner(world), world.key("full_access"));
    let link = dashboard::token(world.cli(["members", "reset-password", "--email", "ada@example.com"]).ok());
    let guest = || world.stranger().inside("GET", &format!("/invitation?token={link}")).send();
    guest().ok();
    owner.inside("POST", "/invitations").json(&json!({"email": "bea@example.com", "role": "member"})).send().created();
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    world.stop();
    world.start_by("exec \"$@\" --no-runner");
    let mail = json!({"contact_id": ada, "channel": "email", "subject": "Hi", "content": "Hello."});
    let message = format!("/messages/{}", text(&key.post("/messages", mail).created()["id"]));
    world.stop();
    world.change(statements);
    world.start();

    assert_eq!(owner.inside("GET", "/invitations").send().status, 401);
    guest().invalid("token");
    let stranger = world.stranger();
    let entered = dashboard::sign_in(&stranger, "ada@example.com", dashboard::PASSWORD);
    entered.ok();
    let invitations = stranger.signed_in(&entered).inside("GET", "/invitations").send();
    assert_eq!(invitations.page().rows, [] as [Value; 0]);
    let outcome = || Some(key.get(&message).ok()).filter(|message| message["status"] != "queued");
    let message = eventually("the message", PATIENCE, outcome);
    assert!(text(&message["error"]).starts_with("outcome_unknown: "), "{message}");
}

fn a_restore_brings_no_member_or_account_back(world: &World) {
    let (file, outside, owner) = (world.file("backup"), Outside::new(""), dashboard::owner(world));
    let key = world.key("full_access");
    dashboard::member(world, "bea@example.com", "admin");
    dashboard::member(world, "cy@example.com", "member");
    let of_bea = outside.mailbox(world, "bea@example.com", &["--owner", "bea@example.com"]);
    let removed = outside.mailbox(world, "ann@example.com", &[]);
    let kept = outside.mailbox(world, "ada@example.com", &[]);
    let members = || world.cli(["members", "list"]).ok().to_owned();
    if !back_up(world, &file) {
        return;
    }
    let listed = owner.inside("GET", "/members").send().page();
    let bea = listed.rows.iter().find(|one| one["email"] == "bea@example.com").expect("a member");
    owner.inside("DELETE", &format!("/members/{}", text(&bea["user_id"]))).send().ok();
    owner.inside("DELETE", &format!("/accounts/{removed}")).send().ok();
    assert!(!members().contains("bea@example.com"));

    let restored = world.cli(["restore", &file.display().to_string()]);
    let said = restored.ok();
    assert!(said.contains("Removed again: bea@example.com from the workspace"), "{restored}");
    assert!(said.contains("Disconnected again: ") && said.contains("ann@example.com"), "{restored}");
    assert!(!members().contains("bea@example.com") && members().contains("cy@example.com"), "{}", members());
    let status = |account: &str| key.get(&format!("/connected-accounts/{account}")).ok()["status"].clone();
    assert_eq!([status(&of_bea), status(&removed), status(&kept)], ["disconnected", "disconnected", "connected"]);
}

fn a_restore_brings_a_removed_workspace_back_on_request_alone(world: &World) {
    let (file, kept, other) = (world.file("backup"), world.key("crm"), world.workspace("other"));
    let removed = other.key("crm");
    removed.post("/contacts", json!({"first_name": "Zebedee"})).created();
    if !back_up(world, &file) {
        return;
    }
    let path = file.display().to_string();
    let owner = dashboard::entered(world, "owner@other.example.com");
    owner.inside("DELETE", "/workspace").json(&json!({"name": "other"})).send().ok();
    let is_gone = || (removed.get("/contacts").status == 401).then_some(());
    const LEFT: &str = "SELECT CAST(count(*) AS text) FROM contacts WHERE first_name = 'Zebedee'";
    let is_erased = || (world.count(LEFT) == 0).then_some(());
    eventually("the erasure", PATIENCE, is_erased);

    let restored = world.cli(["restore", &path]);
    assert!(restored.ok().contains("Removed again: the workspace other (other)"), "{restored}");
    within_a_second("the end of the key", is_gone);
    assert!(!world.cli(["workspace", "list"]).ok().contains("other"));
    assert_eq!(kept.get("/contacts").status, 200);
    eventually("the erasure after the restore", PATIENCE, is_erased);

    let restored = world.cli(["restore", &path, "--removed-workspaces"]);
    let said = restored.ok();
    assert!(
        said.contains("Brought back: the workspace other (other)") && !said.contains("Removed again"),
        "{restored}"
    );
    // Its keys may have been revoked before it was removed.
    assert!(said.contains("Its API keys are revoked (1)"), "{restored}");
    let made = eventually("a key of the workspace", PATIENCE, || {
        let made = world.cli(["keys", "create", "--workspace", "other", "--name", "new", "--bundle", "crm"]);
        (made.code == Some(0)).then(|| made.ok().trim().to_owned())
    });
    let new = world.holder(&made);
    within_a_second("the workspace", || (new.get("/contacts").status == 200).then_some(()));
    assert_eq!((new.get("/contacts").page().total(), removed.get("/contacts").status), (1, 401));
}

fn a_restore_keeps_opt_outs_and_private_mailboxes(world: &World) {
    let (file, outside, key) = (world.file("backup"), Outside::new(""), world.key("full_access"));
    dashboard::owner(world);
    dashboard::member(world, "bea@example.com", "member");
    let account = outside.mailbox(world, "ann@example.com", &["--owner", "bea@example.com"]);
    let suppressions = || world.cli(["suppressions", "list"]).ok().to_owned();
    world.cli(["suppressions", "add", "early@example.com"]).ok();
    if !back_up(world, &file) {
        return;
    }
    for what in ["optout@example.com", "never.example.com"] {
        world.cli(["suppressions", "add", what]).ok();
    }
    world.cli(["accounts", "set", &account, "--visibility", "owner", "--no-test"]).ok();
    let before = suppressions();

    let restored = world.cli(["restore", &file.display().to_string()]);
    let said = restored.ok();
    assert!(said.contains("Private again: ") && said.contains("ann@example.com"), "{restored}");
    assert!(said.contains(": 2 addresses and domains."), "{restored}");
    assert_eq!(suppressions().lines().count(), before.lines().count());
    for what in ["early@example.com", "optout@example.com", "never.example.com"] {
        assert!(suppressions().contains(what), "{}", suppressions());
    }
    let visibility = "SELECT CAST(count(*) AS text) FROM connected_accounts WHERE visibility = 'owner'";
    assert_eq!(world.count(visibility), 1);
    world.restart();
    key.get("/me").ok();
}

/// It may contain people who are erased later.
fn a_killed_restore_leaves_no_copy(world: &World) {
    let file = world.file("backup");
    if !back_up(world, &file) {
        return;
    }
    let copies = || files(&world.data()).into_iter().filter(|path| path.display().to_string().contains("restore.part"));
    let mut restore = relata();
    restore.args(["restore", &file.display().to_string()]).args(world.options());
    let mut running = restore.spawn().expect("a restore");
    // It may be over before it is killed.
    eventually("a copy", PATIENCE, || {
        (copies().next().is_some() || running.try_wait().expect("a state").is_some()).then_some(())
    });
    running.kill().and_then(|()| running.wait()).expect("the end of the restore");
    world.stop();
    for ending in ["", "-wal", "-shm"] {
        fs::write(world.data().join(format!("restore.part{ending}")), "a copy").expect("a file");
    }
    world.start();
    assert_eq!(copies().collect::<Vec<_>>(), Vec::<std::path::PathBuf>::new());
}

fn a_restored_sequence_says_why_it_is_paused(world: &World) {
    let (key, file) = (world.key("full_access"), world.file("backup"));
    let steps = json!([{"type": "task", "name": "Call"}]);
    let sequence = key.post("/sequences", json!({"name": "Calls", "steps": steps})).created();
    let path = format!("/sequences/{}", text(&sequence["id"]));
    key.post(&format!("{path}/start"), json!({})).ok();
    if !back_up(world, &file) {
        return;
    }
    let restored = world.cli(["restore", &file.display().to_string()]);
    assert!(restored.ok().contains("Paused sequences: 1."), "{restored}");
    let shown = key.get(&path).ok();
    assert_eq!(shown["status"], "paused");
    assert!(text(&shown["paused_reason"]).contains("a backup was restored"), "{shown}");
}

fn a_restore_over_another_installation_is_refused(world: &World) {
    let (file, other) = (world.file("backup"), world.untouched());
    if !back_up(world, &file) {
        return;
    }
    other.start();
    let key = other.key("crm");
    key.post("/contacts", json!({"first_name": "Ada"})).created();
    let path = file.display().to_string();
    for is_running in [true, false] {
        if !is_running {
            other.stop();
        }
        let refused = other.cli(["restore", &path]);
        assert!(refused.refused().contains("another installation"), "{refused}");
    }
    other.start();
    assert_eq!(key.get("/contacts").page().total(), 1);
}

fn a_broken_backup_is_refused(world: &World) {
    let key = world.key("crm");
    let contact = key.post("/contacts", json!({"first_name": "Ada"})).created();
    let file = world.file("backup");
    let path = file.display().to_string();
    if !back_up(world, &file) {
        return;
    }
    let whole = fs::read(&file).unwrap_or_else(|error| panic!("cannot read the backup: {error}"));

    // Damage in the heads of all pages but the first.
    let mut flipped = whole.clone();
    flipped.chunks_mut(4096).skip(1).for_each(|page| page[..8].iter_mut().for_each(|byte| *byte ^= 0xff));
    // The hash detects a single changed bit anywhere.
    let mut worn = whole.clone();
    worn[whole.len() / 2] ^= 1;
    for broken in [&b""[..], b"not a backup", &whole[..whole.len() / 2], &flipped, &worn] {
        fs::write(&file, broken).unwrap_or_else(|error| panic!("cannot write: {error}"));
        world.cli(["restore", &path]).refused();
        assert_eq!(
            key.get("/contacts").page().rows,
            std::slice::from_ref(&contact),
            "a refused restore changed something"
        );
    }
    world.cli(["restore", "/no/such/file"]).refused();
    world.cli(["backup", "/no/such/folder/file"]).refused();
}
