//! Storage: the limit on the size of a workspace's files, counted exactly.

use serde_json::{Value, json};

use crate::dashboard::owner;
use crate::support::*;

stories![
    files_are_counted_exactly_and_refused_beyond_the_limit,
    an_import_over_the_limit_is_refused_before_it_is_sent,
    the_operator_sets_the_limits,
    the_request_log_contains_no_search_words,
];

fn storage(ada: &Client) -> Value {
    ada.inside("GET", "/workspace").send().ok()["storage"].clone()
}

fn files_are_counted_exactly_and_refused_beyond_the_limit(world: &World) {
    let ada = owner(world);
    assert_eq!(storage(&ada), json!({"used": 0, "limit": null}));
    world.set(&["--storage-limit", "10kB"]);
    let made = ada.post("/contacts", json!({"first_name": "Ada"})).created();
    let contact = format!("/contacts/{}", text(&made["id"]));
    let (files, bytes) = (format!("{contact}/files"), vec![b'a'; 3000]);
    let answers = at_once(8, |number| ada.upload(&files, &format!("{number}.txt"), &bytes));
    let stored: Vec<&Answer> = answers.iter().filter(|answer| answer.status == 201).collect();
    assert_eq!(stored.len(), 3, "three fit");
    for refused in answers.iter().filter(|answer| answer.status != 201) {
        refused.error(413, "storage_quota_exceeded").says("--storage-limit");
    }
    assert_eq!(storage(&ada), json!({"used": 9000, "limit": 10_000}));
    let details = ada.upload(&files, "b.txt", &bytes).text();
    assert!(details.contains("\"used\":9000,\"limit\":10000,\"required\":3000"), "{details}");
    // Deletions free space; a CV is counted when it is uploaded, replaced and deleted.
    ada.delete(&format!("{files}/{}", text(&stored[0].created()["id"]))).ok();
    assert_eq!(storage(&ada)["used"], 6000);
    let cv = format!("{contact}/cv");
    ada.upload(&cv, "cv.txt", &vec![b'c'; 4000]).created();
    assert_eq!(storage(&ada)["used"], 10_000);
    ada.upload(&cv, "cv.txt", &vec![b'c'; 4001]).error(413, "storage_quota_exceeded");
    ada.upload(&cv, "cv.txt", &vec![b'c'; 1000]).ok();
    assert_eq!(storage(&ada)["used"], 7000);
    let base64 = json!({"filename": "d.txt", "file_base64": "YQ==".to_owned()});
    ada.post(&files, base64).created();
    ada.delete(&cv).ok();
    assert_eq!(storage(&ada)["used"], 6001);
    // A limit below the current usage does not prevent deletions.
    world.set(&["--storage-limit", "1kB"]);
    ada.upload(&cv, "cv.txt", b"c").error(413, "storage_quota_exceeded");
    ada.delete(&format!("{files}/{}", text(&stored[1].created()["id"]))).ok();
    assert_eq!(storage(&ada), json!({"used": 3001, "limit": 1000}));
}

fn an_import_over_the_limit_is_refused_before_it_is_sent(world: &World) {
    let ada = owner(world);
    let key = world.key("full_access");
    world.set(&["--storage-limit", "100kB"]);
    // Only the head and the beginning of the form are sent.
    let form = ("Content-Type", "multipart/form-data; boundary=x");
    let mut wire = Wire::open(&key, "POST", "/imports", &[form, ("Content-Length", "500000")]);
    wire.send(b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"people.csv\"\r\n\r\nfirst_name\r\n");
    let answer = wire.answer();
    answer.error(413, "storage_quota_exceeded").says("this needs more than the 100000 that are left");
    // A chunked upload is refused as soon as it exceeds the limit.
    let mut wire = Wire::open(&key, "POST", "/imports", &[form, ("Transfer-Encoding", "chunked")]);
    let part = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"people.csv\"\r\n\r\nfirst_name\r\n";
    wire.send(format!("{:x}\r\n{part}\r\n", part.len()).as_bytes());
    let rows = format!("{:x}\r\n{}\r\n", 120_000, "Ada\n".repeat(30_000));
    wire.send(rows.as_bytes());
    let answer = wire.answer();
    answer.error(413, "storage_quota_exceeded").says("this needs more than the 100000 that are left");
    // The file of an import is deleted when the import ends.
    let rows: String = (0..100).map(|number| format!("Ada {number}\n")).collect();
    let wanted = json!({"collection": "contacts"});
    crate::imports::import(&key, wanted, "people.csv", format!("first_name\n{rows}"));
    assert_eq!(key.get("/contacts").page().total(), 100);
    assert_eq!(storage(&ada), json!({"used": 0, "limit": 100_000}));
}

fn the_operator_sets_the_limits(world: &World) {
    let ada = owner(world);
    world.cli(["workspace", "set", "--storage-limit", "much"]).refused();
    world.stop();
    world.start_by("exec \"$@\" --workspace-storage 5MiB");
    assert_eq!(storage(&ada)["limit"], 5 << 20);
    world.set(&["--storage-limit", "7MB"]);
    assert_eq!(storage(&ada)["limit"], 7_000_000);
    world.set(&["--storage-limit", "unlimited"]);
    assert_eq!(storage(&ada)["limit"], Value::Null);
    world.set(&["--storage-limit", "default"]);
    assert_eq!(storage(&ada)["limit"], 5 << 20);
    let listed = world.cli(["workspace", "list"]);
    assert!(listed.ok().ends_with("\t0\t5242880\t-"), "{listed}");
    world.restart();
    assert_eq!(storage(&ada)["limit"], Value::Null);
}

fn the_request_log_contains_no_search_words(world: &World) {
    let ada = owner(world);
    let key = world.key("crm");
    let asked = [("email", "eq.zoe@example.com"), ("search", "Lovelace"), ("limit", "7"), ("sort", "-created_at")];
    let id = key.list("/contacts", &asked).header("X-Request-Id").to_owned();
    key.get("/contacts/zoe@example.com").is(404);
    let logged = eventually("the request log", PATIENCE, || {
        let found = ada.inside("GET", &format!("/requests/{id}")).send();
        (found.status == 200).then(|| found.ok())
    });
    assert_eq!(logged["query"], "email=…&search=…&limit=7&sort=-created_at");
    assert_eq!(logged["path"], "/api/v1/contacts");
    eventually("the other", PATIENCE, || {
        let log = ada.inside("GET", "/requests").send().page();
        log.rows.iter().any(|row| row["path"] == "/api/v1/contacts/…").then_some(())
    });
    assert!(!world.stores("Lovelace") && !world.stores("zoe@example.com"));
}
