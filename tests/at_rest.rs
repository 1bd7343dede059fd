//! Data at rest: remains of a removed workspace in the files, permissions of the files, and encrypted backups.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::dashboard::{member, owner};
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
    ada.inside("PUT", "/workspace").json(&json!({"name": MARK})).send().ok();
    assert!(!marked(&world.data()).is_empty());
    ada.inside("DELETE", "/workspace").json(&json!({"name": MARK})).send().ok();
    let jobs = "SELECT CAST(count(*) AS text) FROM jobs WHERE workspace_id IN (SELECT id FROM workspaces WHERE removed_at IS NOT NULL)";
    eventually("the end of erasing", ERASING, || (world.count(jobs) == 0).then_some(()));
    eventually("the line in the log", PATIENCE, || world.log().contains("erased a removed workspace").then_some(()));
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM users WHERE email = 'grace@example.com'"), 1);
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
    cluster.ask("VACUUM FULL");
    cluster.ask("CHECKPOINT");
    assert_eq!(marked(&cluster.tables()), Vec::<String>::new());
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
    for path in files(&world.data()).iter().filter(|path| path.display().to_string().contains("relata.db")) {
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
    for (name, damaged) in
        [("cut", &bytes[..bytes.len() - 1]), ("half", &bytes[..bytes.len() / 2]), ("flipped", &flipped)]
    {
        refused(&write(name, damaged), Some(&right), "is not a complete backup");
    }
    let clear = world.file("clear").display().to_string();
    world.cli(["backup", &clear]).ok();
    refused(&clear, Some(&right), "is not encrypted");
    other.cli(["restore", &backup, "--passphrase-file", &right]).ok();
    other.start();
    assert_eq!(key.at(&other.origin()).list("/contacts", &[("first_name", MARK)]).page().total(), 1);
}
