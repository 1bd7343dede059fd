//! Erased people leave no byte: many people with ten markers each, of whom a tenth is erased. Afterwards no marker of
//! theirs is in any file of the installation, of PostgreSQL, of the logs or of a restored backup, and all other records
//! are unchanged. 20 people on each engine, 2,000 with `RELATA_LONG=1`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::erase::erase;
use crate::imports;
use crate::support::*;

/// What carries a marker of each person. The marker of a phone number is a number.
const KINDS: [&str; 10] = ["name", "mail", "phone", "profile", "note", "message", "resume", "file", "custom", "import"];
const PHONE: &str = "4930771";
/// Nothing takes longer than this.
fn patience() -> Duration {
    Duration::from_secs(share(90, 1800) as u64)
}

fn marker(kind: &str, number: usize) -> String {
    if kind == "phone" { format!("{PHONE}{number:05}") } else { format!("qz{kind}{number:05}x") }
}

fn mail(number: usize) -> String {
    format!("{}@example.com", marker("mail", number))
}

/// Creates everybody, and returns their ids.
fn fill(world: &World, key: &Client, people: usize) -> Vec<String> {
    let field = ["fields", "create", "--entity", "contact", "--key", "proof", "--label", "Proof", "--type", "text"];
    world.run(&field).ok();
    let mut ids = Vec::new();
    for numbers in (0..people).collect::<Vec<_>>().chunks(500) {
        let item = |number: &usize| {
            let mark = |kind| marker(kind, *number);
            json!({"op": "create", "data": {
                "first_name": "Ada", "last_name": mark("name"), "email": mail(*number), "tags": ["proof"],
                "phone": format!("+{}", mark("phone")), "custom_data": {"proof": mark("custom")},
                "network_profile": format!("https://network.example.com/in/{}", mark("profile")),
            }})
        };
        let items: Vec<Value> = numbers.iter().map(item).collect();
        let answer = key.post("/contacts/bulk", json!({"items": items})).ok();
        let results = answer["results"].as_array().unwrap_or_else(|| panic!("{answer}"));
        assert!(results.iter().all(|result| result["status"] == 201), "{}", results[0]);
        ids.extend(results.iter().map(|result| text(&result["id"])));
    }
    at_once(4, |part| {
        for (number, id) in ids.iter().enumerate().filter(|(number, _)| number % 4 == part) {
            let (path, mark) = (format!("/contacts/{id}"), |kind| marker(kind, number));
            key.post(&format!("{path}/notes"), json!({"content": mark("note")})).created();
            key.upload(&format!("{path}/cv"), "cv.txt", format!("A CV about {}", mark("resume")).as_bytes()).created();
            key.upload(&format!("{path}/files"), &format!("{}.txt", mark("file")), b"content").created();
            let content = format!("Hello, {}", mark("message"));
            let message = json!({"contact_id": id, "channel": "email", "subject": "Hello", "content": content});
            key.post("/messages", message).created();
        }
    });
    let row = |number| format!("{},{}\n", mail(number), marker("import", number));
    let rows: String = (0..people).map(row).collect();
    let options = json!({"collection": "contacts", "match_on": "email"});
    let import = imports::import(key, options, "people.csv", format!("email,title\n{rows}"));
    assert_eq!(import["updated"], people, "{import}");
    ids
}

/// No message or text is under way any more, so that records stay as they are.
fn all_is_sent(world: &World, people: usize) {
    let open = "SELECT CAST((SELECT count(*) FROM sends) + (SELECT count(*) FROM texts_due) + \
         (SELECT count(*) FROM jobs WHERE kind <> 'import.forget') AS text)";
    eventually("everything is done", patience(), || (world.count(open) == 0).then_some(()));
    let sent = world.count("SELECT CAST(count(*) AS text) FROM messages");
    assert_eq!(sent, people as u64);
}

fn erasures_end(world: &World) {
    let jobs = "SELECT CAST(count(*) AS text) FROM jobs WHERE kind IN ('record.erase', 'workspace.scrub', 'drop_file')";
    eventually("the end of the erasures", patience(), || (world.count(jobs) == 0).then_some(()));
}

/// All records of these people.
fn records(key: &Client, ids: &[String]) -> BTreeMap<String, String> {
    let mut records = BTreeMap::new();
    let export = key.get("/exports/contacts?format=ndjson").text();
    for line in export.lines() {
        let contact: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        records.insert(text(&contact["id"]), line.to_owned());
    }
    let parts = at_once(4, |part| {
        let mut mine = Vec::new();
        for (_, id) in ids.iter().enumerate().filter(|(number, _)| number % 4 == part) {
            for path in ["notes", "files", "cv", "timeline"] {
                let path = format!("/contacts/{id}/{path}");
                mine.push((path.clone(), key.get(&path).text()));
            }
            for conversation in key.list("/conversations", &[("contact_id", id)]).page().ids() {
                let path = format!("/conversations/{conversation}/messages");
                mine.push((path.clone(), key.get(&path).text()));
            }
        }
        mine
    });
    records.extend(parts.into_iter().flatten());
    records
}

/// The markers in the files below these folders, and the bytes that were read.
fn markers(folders: &[PathBuf]) -> (BTreeSet<(String, usize)>, usize) {
    let (mut found, mut bytes) = (BTreeSet::new(), 0);
    let paths = folders.iter().flat_map(|path| if path.is_dir() { files(path) } else { vec![path.clone()] });
    for path in paths {
        let content = fs::read(&path).unwrap_or_default();
        bytes += content.len();
        for at in 0..content.len() {
            found.extend(marker_at(&content[at..]));
        }
    }
    (found, bytes)
}

fn marker_at(bytes: &[u8]) -> Option<(String, usize)> {
    let number = |digits: &[u8]| {
        let digits = str::from_utf8(digits.get(..5)?).ok()?;
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
    };
    match bytes.first()? {
        b'4' => Some(("phone".to_owned(), number(bytes.strip_prefix(PHONE.as_bytes())?)?)),
        b'q' | b'Q' if bytes.get(1)?.eq_ignore_ascii_case(&b'z') => {
            let kind = KINDS.into_iter().find(|kind| {
                bytes.get(2..2 + kind.len()).is_some_and(|word| word.eq_ignore_ascii_case(kind.as_bytes()))
            })?;
            Some((kind.to_owned(), number(&bytes[2 + kind.len()..])?))
        }
        _ => None,
    }
}

struct Proof<'a> {
    world: &'a World,
    /// PostgreSQL's folder.
    cluster: Option<&'a Cluster>,
    people: usize,
    scanned: usize,
}

impl Proof<'_> {
    fn is_erased(number: usize) -> bool {
        number % 10 == 3
    }

    /// Empties the files of PostgreSQL as docs/operating.md says, or just waits for what it has in memory.
    fn write_out_files(&self, is_emptied: bool) {
        let Some(cluster) = self.cluster else { return };
        if is_emptied {
            // The planner's statistics contain sample values, so they are made anew before the tables are rewritten.
            self.world.change("ANALYZE");
            self.world.change("VACUUM FULL");
            for _ in 0..2 {
                self.world.change("SELECT pg_switch_wal()");
                cluster.ask("CHECKPOINT");
            }
        }
        cluster.ask("CHECKPOINT");
    }

    fn folders(&self, more: &[&Path]) -> Vec<PathBuf> {
        let mut folders = vec![self.world.data(), self.world.file("server.log")];
        folders.extend(self.cluster.map(|cluster| cluster.tables().parent().expect("a folder").to_owned()));
        folders.extend(more.iter().map(|path| path.to_path_buf()));
        folders
    }

    /// Everybody's markers are there: the scan finds what there is.
    fn all_are_found(&self) {
        self.write_out_files(false);
        let (found, _) = markers(&self.folders(&[]));
        let all = (0..self.people).flat_map(|number| KINDS.map(|kind| (kind.to_owned(), number)));
        let missing: Vec<_> = all.filter(|one| !found.contains(one)).collect();
        assert!(
            missing.is_empty(),
            "the scan does not find {} markers: {:?}",
            missing.len(),
            &missing[..missing.len().min(20)]
        );
    }

    /// No marker of an erased person is found, and all of the others.
    fn none_is_left(&mut self, when: &str, more: &[&Path]) {
        self.write_out_files(true);
        let (found, bytes) = markers(&self.folders(more));
        self.scanned += bytes;
        let left: Vec<_> = found.iter().filter(|(_, number)| Proof::is_erased(*number)).collect();
        assert!(left.is_empty(), "{when}: {} markers are left: {:?}", left.len(), &left[..left.len().min(20)]);
        let kept = (0..self.people).filter(|number| !Proof::is_erased(*number)).count() * KINDS.len();
        assert_eq!(found.len(), kept, "{when}: markers of the other people");
    }
}

fn prove(world: &World, cluster: Option<&Cluster>) {
    let (people, began) = (share(20, 2_000), stopwatch());
    world.set(&["--rate-limit", "100000000"]);
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &["--daily-limit", "100000", "--min-gap-minutes", "0"]);
    let ids = fill(world, &key, people);
    all_is_sent(world, people);
    let filled = began.elapsed();
    let mut proof = Proof { world, cluster, people, scanned: 0 };
    proof.all_are_found();
    let backup = world.file("backup");
    match cluster {
        None => drop(world.cli(["backup", &backup.display().to_string()]).ok()),
        Some(cluster) => cluster.dump("relata", &backup),
    }
    let (gone, kept): (Vec<_>, Vec<_>) = ids.iter().cloned().enumerate().partition(|(at, _)| Proof::is_erased(*at));
    let kept: Vec<String> = kept.into_iter().map(|(_, id)| id).collect();
    let mut before = records(&key, &kept);
    gone.iter().for_each(|(_, id)| drop(before.remove(id)));
    let began = stopwatch();
    gone.iter().for_each(|(_, id)| erase(&key, id));
    erasures_end(world);
    let erasing = began.elapsed();
    assert_eq!(records(&key, &kept), before, "records of others were changed");
    proof.none_is_left("while the server runs", &[]);
    world.kill9();
    proof.none_is_left("after a crash", &[]);
    world.start();
    // The backup is from before the erasures.
    if let Some(cluster) = cluster {
        world.stop();
        cluster.restore("relata", &backup);
    } else {
        let fresh = world.file("fresh");
        world.cli(["backup", &fresh.display().to_string()]).ok();
        proof.none_is_left("in a new backup", &[&fresh]);
        world.stop();
        let restored = world.cli(["restore", &backup.display().to_string()]);
        assert!(restored.ok().contains(&format!("Erased again: {} records", gone.len())), "{restored}");
    }
    world.start();
    erasures_end(world);
    proof.none_is_left("after restoring an older backup", &[]);
    assert_eq!(records(&key, &kept), before, "records of others were changed by the restore");
    println!(
        "{people} people, {} erased, {} markers: none left in {} MB of files, {} answers unchanged; filled in {:.0?}, \
         erased in {:.0?}",
        gone.len(),
        gone.len() * KINDS.len(),
        proof.scanned / 1_000_000,
        before.len(),
        filled,
        erasing
    );
    world.check_agreement();
}

#[test]
fn sqlite_keeps_no_byte_of_erased_people() {
    prove(&World::new(Engine::Sqlite), None);
}

#[test]
fn postgresql_keeps_no_byte_of_erased_people() {
    let cluster = Cluster::new();
    // A recycled segment of the log keeps its old content.
    cluster.ask("ALTER SYSTEM SET wal_recycle = off");
    cluster.ask("SELECT pg_reload_conf()");
    cluster.ask("CREATE DATABASE relata");
    let world = World::at(&cluster.url_of("relata"));
    world.start();
    prove(&world, Some(&cluster));
}
