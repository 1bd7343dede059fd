//! Restoring a backup from before an erasure: the list of erasures survives the restore, and repeats what the restored
//! database lacks.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::erase::{erase, finished, merge, person};
use crate::support::*;

stories![
    people_erased_after_a_copy_are_erased_again,
    a_killed_repetition_continues,
    a_restore_repeats_erasures,
    a_new_machine_gets_an_exported_list,
    a_damaged_list_is_an_error,
];

const MARK: &str = "qzagain";
const ENTRIES: &str = "SELECT CAST(count(*) AS text) FROM erasures";

/// The list in the data folder has as many entries as the database.
#[track_caller]
fn listed(world: &World) {
    let entries = world.count(ENTRIES);
    let lines = || fs::read_to_string(list(world)).unwrap_or_default().lines().count() as u64;
    eventually("the list of erasures", PATIENCE, || (lines() == entries + 1).then_some(()));
}

fn list(world: &World) -> std::path::PathBuf {
    world.data().join("erasures.list")
}

fn full(key: &Client, mark: &str) -> String {
    let id = text(&key.post("/contacts", person(mark)).created()["id"]);
    key.post(&format!("/contacts/{id}/notes"), json!({"content": format!("{mark} note")})).created();
    key.upload(&format!("/contacts/{id}/files"), &format!("{mark}.txt"), mark.as_bytes()).created();
    id
}

fn everything(key: &Client, ids: &[&str]) -> Vec<Value> {
    let paths = ids.iter().flat_map(|id| [format!("/contacts/{id}"), format!("/contacts/{id}/notes")]);
    paths.map(|path| serde_json::from_slice(&key.get(&path).body).expect("an answer is JSON")).collect()
}

fn people_erased_after_a_copy_are_erased_again(world: &World) {
    let key = world.key("full_access");
    let ben = full(&key, "qzben");
    let [ada, c, d] = ["a", "c", "d"].map(|name| full(&key, &format!("{MARK}{name}")));
    let allowed = full(&key, &format!("{MARK}allowed"));
    let [merged, other] = ["merged", "other"].map(|name| full(&key, &format!("qz{name}")));
    let undone = merge(&key, &merged, &[&other]);
    let company = json!({"name": MARK, "email": format!("{MARK}@example.com")});
    let company = text(&key.post("/companies", company).created()["id"]);
    key.post("/suppressions", json!({"address": format!("{MARK}c@example.com")})).created();
    world.stop();
    let copy = world.database_copy();
    world.start();
    // The parts of a later merge are separate records in the copy.
    merge(&key, &c, &[&d]);
    let eve = full(&key, &format!("{MARK}eve"));
    for id in [&ada, &c, &eve, &allowed] {
        erase(&key, id);
    }
    key.delete(&format!("/companies/{company}?erase=true")).is(202);
    key.delete(&format!("/erased-addresses?address={MARK}allowed@example.com")).ok();
    // In the copy this person is merged with another one, who was not erased.
    key.post(&format!("/contacts/merge/{undone}/undo"), json!({})).ok();
    finished(world);
    erase(&key, &merged);
    finished(world);
    listed(world);
    assert!(!fs::read_to_string(list(world)).expect("a list").contains(MARK), "the list has personal data");
    world.stop();
    world.replace_database(&copy);
    assert!(world.stores(MARK));
    world.start();
    for id in [&ada, &c, &d, &eve, &allowed] {
        key.get(&format!("/contacts/{id}")).not_found();
    }
    key.get(&format!("/companies/{company}")).not_found();
    let log = world.log();
    assert!(log.contains("Erased again: 5 records,"), "{log}");
    assert!(log.contains(&format!("Not erased again: {merged}.")), "{log}");
    finished(world);
    assert!(!world.stores(MARK));
    // Addresses are refused, also of somebody who was created after the copy; one was allowed again.
    for name in ["a", "c", "d", "eve"] {
        let again = json!({"first_name": "X", "email": format!("{MARK}{name}@example.com")});
        key.post("/contacts", again).error(409, "erased_address");
    }
    let again = json!({"first_name": "X", "email": format!("{MARK}allowed@example.com")});
    key.post("/contacts", again).created();
    // The merged person is erased again as soon as it is separate.
    key.get(&format!("/contacts/{merged}")).ok();
    key.post(&format!("/contacts/merge/{undone}/undo"), json!({})).ok();
    finished(world);
    let before = everything(&key, &[&ben, &other]);
    world.restart();
    key.get(&format!("/contacts/{merged}")).not_found();
    finished(world);
    assert!(!world.stores("qzmerged"));
    assert_eq!(everything(&key, &[&ben, &other]), before);
    // Nothing is left to do.
    let entries = world.count(ENTRIES);
    world.restart();
    assert_eq!(world.count(ENTRIES), entries);
    listed(world);
}

fn a_killed_repetition_continues(world: &World) {
    world.set(&["--rate-limit", "100000000"]);
    let key = world.key("full_access");
    let ids: Vec<String> = (0..40).map(|n| full(&key, &format!("{MARK}{n}"))).collect();
    let ben = full(&key, "qzben");
    let before = everything(&key, &[&ben]);
    world.stop();
    let copy = world.database_copy();
    world.start();
    ids.iter().for_each(|id| erase(&key, id));
    finished(world);
    listed(world);
    world.stop();
    world.replace_database(&copy);
    let mut lives = Lives::new();
    for kill in 0..6 {
        let mut server = world.launch("killed.log");
        lives.live(world.count(ENTRIES), Duration::from_millis(60 + 40 * kill));
        server.kill9();
    }
    world.start();
    assert_eq!(key.get("/contacts").page().ids(), std::slice::from_ref(&ben));
    finished(world);
    assert!(!world.stores(MARK));
    assert_eq!(world.count(ENTRIES), 40);
    listed(world);
    assert_eq!(everything(&key, &[&ben]), before);
}

/// Backs up; false on PostgreSQL, whose own tools do that.
fn backed_up(world: &World, file: &Path) -> bool {
    if !world.database_is_shared() {
        world.cli(["backup", &file.display().to_string()]).ok();
    }
    !world.database_is_shared()
}

fn a_restore_repeats_erasures(world: &World) {
    let (key, file) = (world.key("full_access"), world.file("backup"));
    let (ada, ben) = (full(&key, MARK), full(&key, "qzben"));
    let before = everything(&key, &[&ben]);
    if !backed_up(world, &file) {
        return;
    }
    erase(&key, &ada);
    finished(world);
    let restored = world.cli(["restore", &file.display().to_string()]);
    assert!(restored.ok().contains("Erased again: 1 record,"), "{restored}");
    // The running server never shows the person.
    key.get(&format!("/contacts/{ada}")).not_found();
    eventually("Ben", PATIENCE, || (everything(&key, &[&ben]) == before).then_some(()));
    finished(world);
    eventually("the end of the file's removal", PATIENCE, || (!world.stores(MARK)).then_some(()));
    // A lost database: the list beside it is enough.
    world.stop();
    for path in files(&world.data()).into_iter().filter(|path| path.display().to_string().contains("relata.db")) {
        fs::remove_file(&path).expect("removed");
    }
    let restored = world.cli(["restore", &file.display().to_string()]);
    assert!(restored.ok().contains("Erased again: 1 record,"), "{restored}");
    world.start();
    key.get(&format!("/contacts/{ada}")).not_found();
    finished(world);
}

fn a_new_machine_gets_an_exported_list(world: &World) {
    let key = world.key("full_access");
    let (ada, ben) = (full(&key, MARK), full(&key, "qzben"));
    let before = everything(&key, &[&ben]);
    let (file, export) = (world.file("backup"), world.file("erasures").display().to_string());
    backed_up(world, &file);
    world.stop();
    let copy = world.database_copy();
    world.start();
    erase(&key, &ada);
    finished(world);
    world.cli(["erasures", "export", &export]).ok();
    assert!(world.cli(["erasures", "export", &export]).refused().contains("exists already"));
    world.cli(["erasures", "replay", "/no/such/file"]).refused();
    assert!(world.cli(["erasures", "replay", &export]).ok().contains("has all entries"));
    let address = json!({"first_name": "X", "email": format!("{MARK}@example.com")});
    if world.database_is_shared() {
        world.stop();
        world.replace_database(&copy);
        fs::remove_file(list(world)).expect("removed");
        world.start();
        key.get(&format!("/contacts/{ada}")).ok();
        assert!(world.cli(["erasures", "replay", &export]).ok().contains("Erased again: 1 record,"));
        eventually("Ada is gone", PATIENCE, || (key.get(&format!("/contacts/{ada}")).status == 404).then_some(()));
        finished(world);
        assert!(!world.stores(MARK));
        assert_eq!(everything(&key, &[&ben]), before);
        key.post("/contacts", address).error(409, "erased_address");
        return;
    }
    let other = world.untouched();
    let restored = other.cli(["restore", &file.display().to_string(), "--erasures", &export]);
    assert!(restored.ok().contains("Erased again: 1 record,"), "{restored}");
    other.start();
    let there = key.at(&other.origin());
    there.get(&format!("/contacts/{ada}")).not_found();
    there.post("/contacts", address).error(409, "erased_address");
    assert_eq!(everything(&there, &[&ben]), before);
    finished(&other);
    eventually("the end of the file's removal", PATIENCE, || (!other.stores(MARK)).then_some(()));
    listed(&other);
}

fn a_damaged_list_is_an_error(world: &World) {
    let (key, file) = (world.key("full_access"), world.file("backup"));
    let ids = ["a", "b", "c"].map(|name| full(&key, &format!("{MARK}{name}")));
    let embedded = backed_up(world, &file);
    world.stop();
    let copy = world.database_copy();
    world.start();
    for id in &ids {
        erase(&key, id);
    }
    finished(world);
    listed(world);
    world.stop();
    let mut bytes = fs::read(list(world)).expect("a list");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(list(world), &bytes).expect("written");
    let path = file.display().to_string();
    if embedded {
        let refused = world.cli(["restore", &path]);
        assert!(
            refused.refused().contains("is damaged in line 3") && refused.err.contains("erasures repair"),
            "{refused}"
        );
    }
    let mut server = world.launch("refused.log");
    assert!(!server.wait(PATIENCE).success());
    assert!(server.log().contains("is damaged in line 3"), "{}", server.log());
    assert!(world.cli(["erasures", "repair"]).ok().contains("Kept 2 entries"));
    assert!(world.cli(["erasures", "repair"]).ok().contains("is not damaged"));
    // The database still has the lost entry, and the list gets it back.
    world.start();
    listed(world);
    world.stop();
    world.replace_database(&copy);
    world.start();
    assert_eq!(key.get("/contacts").page().total(), 0);
    finished(world);
    assert!(!world.stores(MARK));
}
