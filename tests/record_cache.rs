//! The record cache: a record is never shown from the cache once it has changed.

use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::support::*;

stories![no_read_is_older_than_an_acknowledged_write, every_change_of_a_record_shows_at_once];

/// One client changes a contact while others read it, alone and in lists.
fn no_read_is_older_than_an_acknowledged_write(world: &World) {
    world.set(&["--rate-limit", "1000000"]);
    let key = world.key("crm");
    let id =
        text(&key.post("/contacts", json!({"first_name": "Ada", "years_experience": 0})).created()["id"]).to_owned();
    let path = format!("/contacts/{id}");
    let (acknowledged, over) = (AtomicU64::new(0), AtomicBool::new(false));
    let years = |record: &Value| record["years_experience"].as_u64().unwrap_or_else(|| panic!("{record}"));
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..3)
            .map(|number| {
                let (key, path, acknowledged, over) = (&key, &path, &acknowledged, &over);
                scope.spawn(move || {
                    let (mut last, mut reads) = (0, 0);
                    while !over.load(Ordering::SeqCst) {
                        let least = acknowledged.load(Ordering::SeqCst).max(last);
                        let seen = match number {
                            // After a list has shown a version, a single read never shows an older one.
                            0 if reads % 2 == 0 => years(&key.get("/contacts").page().rows[0]),
                            _ => years(&key.get(path).ok()),
                        };
                        assert!(seen >= least, "read {seen} after {least}");
                        (last, reads) = (seen, reads + 1);
                    }
                    reads
                })
            })
            .collect();
        for number in 1..=80 {
            key.put(&path, json!({"years_experience": number})).ok();
            acknowledged.store(number, Ordering::SeqCst);
            // Long enough that some reads fall between two changes.
            std::thread::sleep(Duration::from_millis(if number % 2 == 0 { 8 } else { 0 }));
        }
        over.store(true, Ordering::SeqCst);
        for reader in readers {
            assert!(reader.join().expect("it read nothing older") > 20, "there were too few reads");
        }
    });
}

fn every_change_of_a_record_shows_at_once(world: &World) {
    let key = world.key("full_access");
    let company = text(&key.post("/companies", json!({"name": "Acme"})).created()["id"]).to_owned();
    let person = json!({"first_name": "Ada", "email": "ada@example.com", "tags": ["first"], "company_id": company});
    let id = text(&key.post("/contacts", person).created()["id"]).to_owned();
    let (path, of_company) = (format!("/contacts/{id}"), format!("/companies/{company}"));
    // Read twice, so that the second read may come from the cache.
    let read = |path: &str| {
        key.get(path).ok();
        key.get(path).ok()
    };
    read(&of_company);
    assert_eq!(read(&path)["tags"], json!(["first"]));

    let tag = text(&key.get("/tags").page().rows[0]["id"]).to_owned();
    key.put(&format!("/tags/{tag}"), json!({"name": "second"})).ok();
    assert_eq!(read(&path)["tags"], json!(["second"]));

    key.post("/contacts/bulk", json!({"items": [{"op": "update", "id": id, "data": {"title": "CTO"}}]})).ok();
    assert_eq!(read(&path)["title"], json!("CTO"));

    let contacts = read(&of_company)["contacts_count"].clone();
    let other =
        text(&key.post("/contacts", json!({"first_name": "Bob", "company_id": company})).created()["id"]).to_owned();
    assert_ne!(read(&of_company)["contacts_count"], contacts, "the count includes the new contact");

    read(&format!("/contacts/{other}"));
    key.post("/contacts/merge", json!({"into": id, "from": [other]})).ok();
    assert_eq!(read(&format!("/contacts/{other}"))["id"], json!(id), "the old id gives the survivor");

    key.delete(&path).ok();
    assert_ne!(read(&path)["archived_at"], json!(null));

    // A write of another process shows within a second.
    let file = world.file("people.csv");
    std::fs::write(&file, "first_name,email,title\nAda,ada@example.com,CEO\n").expect("the file can be written");
    let path_of_file = file.to_str().expect("a UTF-8 path");
    world.cli(["import", path_of_file, "--collection", "contacts", "--match-on", "email"]).ok();
    within_a_second("the import", || (read(&path)["title"] == json!("CEO")).then_some(()));
}
