//! Data at rest: remains of a removed workspace in the files, permissions of the files, and encrypted backups.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

use crate::dashboard::{member, owner};
use crate::enrollments::always;
use crate::support::*;

stories![
    a_removed_workspace_leaves_no_readable_byte,
    files_are_readable_by_their_owner_alone,
    a_backup_opens_with_its_passphrase_alone,
];

const MARK: &str = "qzerasemark";
/// The erasure checks again after a minute for work that was in flight.
const ERASING: Duration = Duration::from_secs(240);

/// Fills two workspaces alternately, so that their rows share pages, with texts that grow over several pages. The texts
/// of the first workspace contain the mark.
fn fill(ours: &Client, theirs: &Client) {
    for number in 0..120 {
        let person = |mark: &str| {
            let (email, name) = (format!("{mark}{number}@example.com"), format!("{mark} {number}"));
            json!({"first_name": name, "email": email, "tags": [mark], "summary": mark.repeat(1 + number % 40)})
        };
        let made = ours.post("/contacts", person(MARK)).created();
        let other = theirs.post("/contacts", person("qzstaying")).created();
        let path = format!("/contacts/{}", text(&made["id"]));
        ours.post(&format!("{path}/notes"), json!({"content": MARK.repeat(300)})).created();
        ours.put(&path, json!({"summary": format!("{MARK} ").repeat(40 + 3 * number), "title": MARK})).ok();
        let longer = json!({"summary": "qzstaying ".repeat(60 + number)});
        theirs.put(&format!("/contacts/{}", text(&other["id"])), longer).ok();
        if number < 5 {
            ours.upload(&format!("{path}/cv"), "cv.txt", format!("{MARK} the text of a CV").as_bytes()).created();
            ours.upload(&format!("{path}/files"), &format!("{MARK}.txt"), MARK.as_bytes()).created();
            let keyed = ours.request("POST", "/contacts").header("Idempotency-Key", &format!("{MARK}-{number}"));
            keyed.json(&person(MARK)).send().created();
            ours.list("/contacts", &[("email", &format!("{MARK}@example.com")), ("search", MARK)]).page();
        }
    }
    eventually("the texts", PATIENCE, || {
        (ours.list("/contacts", &[("search", &format!("{MARK} text"))]).page().total() > 0).then_some(())
    });
}

/// One record of each kind with the mark, and what follows from it: sent and received mails, enrollments, a merge, an
/// import. The mailboxes must stay until the workspace is removed.
fn fill_kinds(world: &World, ours: &Client) -> Outside {
    let outside = Outside::new("people = 10\n");
    let (from, to) = (format!("{MARK}@example.com"), format!("{MARK}-to@example.com"));
    outside.mailbox(world, &from, &["--signature", MARK]);
    outside.finder(world, "finder", &[]);
    let inside = |path: &str, body: serde_json::Value| ours.inside("POST", path).json(&body).send();
    let made = |path: &str, body: serde_json::Value| text(&ours.post(path, body).created()["id"]);
    inside("/custom-fields?object=contacts", json!({"key": MARK, "label": MARK, "type": "text"})).created();
    inside("/views", json!({"name": MARK, "collection": "deals", "state": {"filter": MARK}})).created();
    inside("/invitations", json!({"email": format!("{MARK}-invited@example.com"), "role": "member"})).created();
    let company =
        made("/companies", json!({"name": format!("{MARK} Ltd"), "website": format!("https://{MARK}.example.com")}));
    let person = json!({"first_name": MARK, "email": to, "company_id": company, "custom_data": {MARK: MARK}});
    let person = made("/contacts", person);
    let deal = made("/deals", json!({"title": MARK, "amount": 12.5, "currency": "EUR"}));
    ours.post(&format!("/deals/{deal}/contacts"), json!({"contact_id": person})).created();
    let project = made("/projects", json!({"name": MARK}));
    ours.post(&format!("/projects/{project}/entries"), json!({"contact_id": person, "notes": MARK})).created();
    // People who are found in the network, and one of them in the project.
    let account = outside.provider(world, "network");
    let found = json!({"account_id": account, "boolean_query": MARK, "page_size": 3});
    ours.post("/sourcing/network/search", found).ok();
    let found = ours.post("/sourcing/network/search", json!({"account_id": account, "page_size": 3})).ok();
    let taken = json!({"project_id": project, "profiles": [found["profiles"][0]], "account_id": account});
    ours.post("/sourcing/add-to-project", taken).ok();
    made("/tasks", json!({"title": MARK, "contact_id": person}));
    made("/message-templates", json!({"name": MARK, "content": format!("{MARK} template")}));
    made("/message-drafts", json!({"contact_id": person, "content": format!("{MARK} draft")}));
    ours.post("/suppressions", json!({"address": format!("{MARK}-never@example.com")})).created();
    let twin = made("/contacts", json!({"first_name": format!("{MARK} twin")}));
    ours.post(&format!("/contacts/{twin}/notes"), json!({"content": format!("{MARK} of the twin")})).created();
    ours.post("/contacts/merge", json!({"into": person, "from": [twin]})).ok();
    let erased = made("/contacts", json!({"first_name": MARK, "email": format!("{MARK}-erased@example.com")}));
    ours.delete(&format!("/contacts/{erased}?erase=true")).is(202);
    ours.post(&format!("/contacts/{person}/enrich"), json!({}));
    let rows =
        format!("first_name,email,title\n{MARK} row,{MARK}-row@example.com,{MARK}\nno address,{MARK} is none,x\n");
    crate::imports::import(ours, json!({"collection": "contacts"}), &format!("{MARK}.csv"), rows);
    // A mail with the mark, the answer to it with a file, and a mail of an unknown sender.
    let mail = json!({"contact_id": person, "channel": "email", "subject": MARK, "content": format!("{MARK} mail")});
    let thread = text(&ours.post("/messages", mail).created()["conversation_id"]);
    let reference = eventually("the mail", PATIENCE, || {
        let mails = outside.to(&to);
        let mail = String::from_utf8_lossy(&mails.first()?.content).into_owned();
        mail.lines().find_map(|line| line.strip_prefix("Message-ID: ")).map(|id| id.trim().to_owned())
    });
    outside.deliver(
        &from,
        &format!(
            "From: {to}\nTo: {from}\nSubject: Re: {MARK}\nIn-Reply-To: {reference}\nMessage-ID: <{MARK}@elsewhere.example>\n\
             MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n{MARK} answer\n\
             --b\nContent-Type: text/plain; name={MARK}.txt\nContent-Disposition: attachment; filename={MARK}.txt\n\n{MARK} file\n--b--\n"
        ),
    );
    outside.deliver(
        &from,
        &format!("From: {MARK}-who@example.com\nTo: {from}\nSubject: {MARK}\nMessage-ID: <2@e.example>\n\nHi\n"),
    );
    eventually("the answer", PATIENCE, || {
        let answers = format!("/conversations/{thread}/messages?direction=inbound");
        (!ours.get(&answers).page().rows.is_empty()).then_some(())
    });
    // The words of messages are found by an index of their own.
    eventually("the words of the mail", PATIENCE, || {
        (ours.list("/conversations", &[("search", &format!("{MARK} answer"))]).page().total() > 0).then_some(())
    });
    eventually("the index of messages", PATIENCE, || {
        (world.count("SELECT CAST(count(*) AS text) FROM message_texts") > 0).then_some(())
    });
    // A mailbox that is connected by OAuth, one that is about to be, and a key with a request.
    inside("/oauth/callback", crate::oauth::callback_body(world, &outside, ours)).created();
    inside("/oauth/start", crate::oauth::start_body(world, &outside, MARK)).ok();
    let key = world.key("full_access");
    key.list("/contacts", &[("search", MARK)]).page();
    eventually("the request in its log", PATIENCE, || {
        (world.count("SELECT CAST(count(*) AS text) FROM requests") > 0).then_some(())
    });
    // A sequence that has sent a mail and will send another.
    let step =
        |delay: u32| json!({"type": "email", "subject": MARK, "body": format!("{MARK} step"), "delay_days": delay});
    let sequence = made(
        "/sequences",
        json!({"name": MARK, "mode": "advanced", "schedule_config": always(), "steps": [step(0), step(300)]}),
    );
    ours.post(&format!("/sequences/{sequence}/start"), json!({})).ok();
    let reader = made("/contacts", json!({"first_name": MARK, "email": format!("{MARK}-reader@example.com")}));
    ours.post(&format!("/sequences/{sequence}/enroll"), json!({"contact_ids": [reader]})).ok();
    eventually("the mail of the sequence", PATIENCE, || {
        (!outside.to(&format!("{MARK}-reader@example.com")).is_empty()).then_some(())
    });
    outside
}

/// Tables that the removed workspace has no rows of when it is removed: leases and other states of work in progress, and
/// rows that are written for a moment.
const UNFILLED: &[&str] = &["enrichment_due", "import_changed", "rate_windows", "sends", "texts_due"];

/// The tables whose rows belong to a workspace, with the number of rows of our workspace, or of removed ones.
fn rows(world: &World, removed: bool) -> Vec<(String, u64)> {
    let all: Vec<&str> = store::migrations().iter().map(|migration| migration.text(store::Engine::Sqlite)).collect();
    let whole = all.join("\n");
    let tables = whole.split("CREATE TABLE ").skip(1).filter_map(|rest| {
        let body = rest.split(';').next()?;
        body.contains("workspace_id").then(|| body.split(' ').next().map(str::to_owned))?
    });
    let whose = if removed { "removed_at IS NOT NULL" } else { "slug <> 'theirs'" };
    let count = |table: String| {
        let of = format!("workspace_id IN (SELECT id FROM workspaces WHERE {whose})");
        let count = world.count(&format!("SELECT CAST(count(*) AS text) FROM {table} WHERE {of}"));
        (table, count)
    };
    let rows: Vec<_> = tables.map(count).collect();
    assert!(rows.len() > 50, "there are only {} tables", rows.len());
    rows
}

/// The files that contain the mark.
fn marked(folder: &Path) -> Vec<String> {
    let holds = |path: &Path| {
        let bytes = fs::read(path).unwrap_or_default();
        bytes.windows(MARK.len()).any(|window| window.eq_ignore_ascii_case(MARK.as_bytes()))
    };
    files(folder).iter().filter(|path| holds(path)).map(|path| path.display().to_string()).collect()
}

/// Removes two members while the workspace exists; the second one is also a member of the other workspace.
fn leave(world: &World, ada: &Client) {
    for email in [format!("{MARK}-left@example.com"), "grace@example.com".to_owned()] {
        member(world, &email, "member");
        if email.starts_with("grace") {
            world.cli(["members", "add", "--workspace", "theirs", "--email", &email, "--role", "member"]).ok();
        }
        let members = ada.inside("GET", "/members").send().page().rows;
        let left = members.iter().find(|member| text(&member["email"]) == email);
        let path = format!("/members/{}", text(&left.unwrap_or_else(|| panic!("no {email}"))["user_id"]));
        ada.inside("DELETE", &path).send().ok();
    }
}

fn erase(world: &World) -> Client {
    let ada = owner(world);
    let theirs = world.workspace("theirs").key("full_access");
    leave(world, &ada);
    fill(&ada, &theirs);
    let mailboxes = fill_kinds(world, &ada);
    ada.inside("PUT", "/workspace").json(&json!({"name": MARK})).send().ok();
    assert!(!marked(&world.data()).is_empty());
    let empty = || {
        let empty = rows(world, false).into_iter().filter(|(_, count)| *count == 0).map(|(table, _)| table);
        empty.filter(|table| !UNFILLED.contains(&table.as_str())).collect::<Vec<_>>()
    };
    // Some rows are written a moment later. A failure prints the tables that stay empty.
    eventually("rows in every table", PATIENCE, || {
        let empty = empty();
        println!("empty: {empty:?}");
        empty.is_empty().then_some(())
    });
    ada.inside("DELETE", "/workspace").json(&json!({"name": MARK})).send().ok();
    let jobs = "SELECT CAST(count(*) AS text) FROM jobs WHERE workspace_id IN (SELECT id FROM workspaces WHERE removed_at IS NOT NULL)";
    eventually("the end of erasing", ERASING, || (world.count(jobs) == 0).then_some(()));
    eventually("the line in the log", PATIENCE, || world.log().contains("erased a removed workspace").then_some(()));
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM users WHERE email = 'grace@example.com'"), 1);
    // The row that orders the writes of the workspace has times and numbers alone.
    let left: Vec<_> = rows(world, true).into_iter().filter(|(table, count)| *count > 0 && table != "heads").collect();
    assert!(left.is_empty(), "rows of the removed workspace are left: {left:?}");
    drop(mailboxes);
    theirs
}

fn a_removed_workspace_leaves_no_readable_byte(world: &World) {
    let theirs = erase(world);
    let empty: Vec<String> = Vec::new();
    assert_eq!(marked(&world.data()), empty, "while the server runs");
    assert!(!world.stores(MARK), "the mark is in a row");
    // Only the removed workspace had files, so no folder may have its id.
    let left: Vec<_> = fs::read_dir(world.data().join("files")).expect("a folder").flatten().collect();
    assert!(left.is_empty(), "{left:?}");
    world.check_integrity();
    world.kill9();
    assert_eq!(marked(&world.data()), empty, "after a crash");
    world.start();
    assert_eq!(theirs.list("/contacts", &[("search", "qzstaying")]).page().total(), 120);
    world.stop();
    assert_eq!(marked(&world.data()), empty, "after a clean stop");
}

#[test]
fn postgresql_keeps_nothing_in_its_tables_after_vacuum_full() {
    let cluster = Cluster::new();
    let world = World::at(&cluster.url());
    world.start();
    erase(&world);
    world.stop();
    // Plain VACUUM leaves deleted rows in the pages; docs/operating.md gives the operator's commands.
    cluster.ask("ANALYZE");
    cluster.ask("VACUUM FULL");
    // Tables, indexes, statistics and the write-ahead log, once each of its segments has been overwritten.
    let whole = cluster.tables().parent().expect("a folder").to_owned();
    for _ in 0..files(&whole.join("pg_wal")).len() + 2 {
        cluster.ask("SELECT pg_switch_wal()");
        cluster.ask("CHECKPOINT");
    }
    assert_eq!(marked(&whole), Vec::<String>::new());
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).permissions().mode() & 0o777
}

fn all_private(folder: &Path) {
    for path in files(folder) {
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}

fn files_are_readable_by_their_owner_alone(world: &World) {
    let key = world.key("full_access");
    let made = key.post("/contacts", json!({"first_name": "Ada"})).created();
    let path = format!("/contacts/{}/files", text(&made["id"]));
    let file = key.upload(&path, "a.txt", b"words of a file").created();
    all_private(&world.data());
    // Permissions as an earlier version left them.
    world.stop();
    let was_open = |path: &&PathBuf| path.display().to_string().contains("relata.db") || path.ends_with("secret");
    for path in files(&world.data()).iter().filter(was_open) {
        fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap_or_else(|error| panic!("{error}"));
    }
    fs::set_permissions(world.data(), fs::Permissions::from_mode(0o755)).unwrap_or_else(|error| panic!("{error}"));
    world.start_by("umask 022; exec \"$@\"");
    key.post("/contacts", json!({"first_name": "Ada"})).created();
    all_private(&world.data());
    if world.database_is_shared() {
        return;
    }
    let backup = world.file("backup");
    world.cli(["backup", &backup.display().to_string()]).ok();
    assert_eq!(mode(&backup), 0o600);
    let other = world.untouched();
    other.cli(["restore", &backup.display().to_string()]).ok();
    all_private(&other.data());
    assert_eq!(mode(&other.data()), 0o700);
    assert_eq!(mode(&other.data().join("files")), 0o700);
    other.start();
    let content = format!("{path}/{}/content", text(&file["id"]));
    assert_eq!(key.at(&other.origin()).get(&content).text(), "words of a file");
    all_private(&other.data());
}

fn a_backup_opens_with_its_passphrase_alone(world: &World) {
    let key = world.key("full_access");
    key.post("/contacts", json!({"first_name": MARK})).created();
    let write = |name: &str, content: &[u8]| {
        let path = world.file(name);
        fs::write(&path, content).unwrap_or_else(|error| panic!("{error}"));
        path.display().to_string()
    };
    let right = write("right", b"correct horse battery staple\n");
    let (wrong, empty) = (write("wrong", b"wrong horse\n"), write("empty", b"\n"));
    let backup = world.file("backup.age").display().to_string();
    let made = world.cli(["backup", &backup, "--passphrase-file", &right]);
    if world.database_is_shared() {
        assert!(made.refused().contains("pg_dump"), "{made}");
        return;
    }
    made.ok();
    let bytes = fs::read(&backup).unwrap_or_else(|error| panic!("{error}"));
    assert!(bytes.starts_with(b"age-encryption.org/v1\n-> scrypt "));
    assert!(!bytes.windows(15).any(|window| window == b"SQLite format 3"));
    assert!(!bytes.windows(MARK.len()).any(|window| window == MARK.as_bytes()));
    assert_eq!(mode(Path::new(&backup)), 0o600);
    let unused = world.file("unused").display().to_string();
    for passphrase in [&*empty, "/no/such/file"] {
        world.cli(["backup", &unused, "--passphrase-file", passphrase]).refused();
        assert!(!Path::new(&unused).exists());
    }
    let other = world.untouched();
    let refused = |file: &str, passphrase: Option<&str>, says: &str| {
        let options = passphrase.map_or(vec![], |passphrase| vec!["--passphrase-file", passphrase]);
        let ran = other.run(&[&["restore", file], &options[..]].concat());
        assert!(ran.refused().contains(says), "{ran}");
        assert!(!other.data().join("relata.db").exists() && !other.data().join("restore.part").exists(), "{ran}");
    };
    refused(&backup, Some(&wrong), "does not open with this passphrase");
    refused(&backup, None, "is encrypted");
    refused(&backup, Some(&empty), "is empty");
    refused(&backup, Some("/no/such/file"), "can't be read");
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 1;
    let cut = |length: usize| &bytes[..length];
    for (name, damaged) in [
        ("cut", cut(bytes.len() - 1)),
        ("half", cut(bytes.len() / 2)),
        ("beginning", cut(10)),
        ("nothing", cut(0)),
        ("flipped", &flipped),
    ] {
        refused(&write(name, damaged), Some(&right), "is not a backup of Relata, or not a complete one");
    }
    let clear = world.file("clear").display().to_string();
    world.cli(["backup", &clear]).ok();
    refused(&clear, Some(&right), "is not encrypted");
    other.cli(["restore", &backup, "--passphrase-file", &right]).ok();
    other.start();
    assert_eq!(key.at(&other.origin()).list("/contacts", &[("first_name", MARK)]).page().total(), 1);
}
