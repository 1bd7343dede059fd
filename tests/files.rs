//! Files on contacts: uploaded as a form or as JSON, listed, downloaded, deleted.

use std::sync::Mutex;

use serde_json::json;

use crate::cv::{contact, eventually_stored, stored};
use crate::support::*;

stories![
    a_file_is_uploaded_as_a_form,
    a_file_is_uploaded_as_json,
    files_are_listed_newest_first,
    a_deleted_file_leaves_nothing,
    errors_of_an_upload_are_named,
    ten_mebibytes_pass_in_either_form,
    a_file_belongs_to_its_contact,
    any_file_is_downloaded_unchanged_and_never_shown_inline,
    a_contact_has_at_most_a_hundred,
    acknowledged_files_survive_a_kill_and_no_others_stay,
    a_backup_contains_the_files_of_its_snapshot,
];

fn path(contact: &str) -> String {
    format!("/contacts/{contact}/files")
}

fn a_file_is_uploaded_as_a_form(world: &World) {
    let key = world.key("crm");
    let id = contact(&key);
    let head =
        b"Content-Disposition: form-data; name=\"file\"; filename=\"offer.pdf\"\r\nContent-Type: application/pdf";
    let part = Part { head: head.to_vec(), content: b"%PDF-".to_vec() };
    let answer = key.request("POST", &path(&id)).form(&[part]).send();
    let file = answer.created();
    let address = format!("{}/{}", path(&id), text(&file["id"]));
    assert_eq!(answer.header("Location"), format!("/api/v1{address}"));
    let expected = json!({
        "id": file["id"],
        "filename": "offer.pdf",
        "content_type": "application/pdf",
        "size": 5,
        "url": format!("{}/api/v1{address}/content", world.origin()),
        "created_at": file["created_at"],
    });
    assert_eq!(file, expected);
    assert_eq!(key.get(&address).ok(), file);
    let content = key.visit(text(&file["url"]).strip_prefix(&world.origin()).expect("the server's own address")).send();
    assert_eq!((content.status, content.text().as_str()), (200, "%PDF-"));
    assert_eq!(content.header("Content-Type"), "application/pdf");
}

fn a_file_is_uploaded_as_json(world: &World) {
    let key = world.key("crm");
    let id = contact(&key);
    let body = json!({"filename": "note.txt", "content_type": "Text/Plain; charset=utf-8", "file_base64": "QWRhIQ=="});
    let file = key.post(&path(&id), body).created();
    assert_eq!(
        (&file["filename"], &file["content_type"], &file["size"]),
        (&json!("note.txt"), &json!("text/plain"), &json!(4))
    );
    let content = key.get(&format!("{}/{}/content", path(&id), text(&file["id"])));
    assert_eq!(content.text(), "Ada!");
    let bare = key.post(&path(&id), json!({"filename": "note", "file_base64": "QWRhIQ"})).created();
    assert_eq!(bare["content_type"], "application/octet-stream");
}

fn files_are_listed_newest_first(world: &World) {
    let key = world.key("crm");
    let id = contact(&key);
    let none = key.get(&path(&id)).page();
    assert_eq!((none.rows.len(), none.meta), (0, json!({"total": 0, "limit": 0, "offset": 0, "has_more": false})));
    let mut files: Vec<_> = ["a", "b", "c"].map(|name| key.upload(&path(&id), name, b"x").created()).into();
    files.reverse();
    let page = key.get(&path(&id)).page();
    assert_eq!(page.rows, files);
    assert_eq!(page.meta, json!({"total": 3, "limit": 3, "offset": 0, "has_more": false}));
    key.get(&format!("{}?limit=1", path(&id))).invalid("limit");
}

fn a_deleted_file_leaves_nothing(world: &World) {
    let key = world.key("crm");
    let id = contact(&key);
    let (one, two) = (key.upload(&path(&id), "one", b"1").created(), key.upload(&path(&id), "two", b"2").created());
    let address = format!("{}/{}", path(&id), text(&one["id"]));
    assert_eq!(stored(world), 2);
    assert_eq!(key.delete(&address).ok(), json!({"deleted": true}));
    key.get(&address).not_found();
    key.get(&format!("{address}/content")).not_found();
    key.delete(&address).not_found();
    assert_eq!(key.get(&path(&id)).page().rows, [two]);
    eventually_stored(world, 1);
}

fn errors_of_an_upload_are_named(world: &World) {
    let key = world.key("crm");
    let id = contact(&key);
    let good = json!({"filename": "a.txt", "content_type": "text/plain", "file_base64": "QWRh"});
    for (member, wrong) in [
        ("filename", json!(null)),
        ("filename", json!("")),
        ("filename", json!("..")),
        ("filename", json!("a\nb")),
        ("filename", json!("a".repeat(256))),
        ("filename", json!(7)),
        ("content_type", json!("text")),
        ("content_type", json!("text/")),
        ("content_type", json!("text/plain\r\nX: y")),
        ("content_type", json!("a".repeat(100) + "/" + &"b".repeat(100))),
        ("content_type", json!(7)),
        ("file_base64", json!("")),
        ("file_base64", json!("not base64!")),
        ("file_base64", json!("QWRh====")),
        ("file_base64", json!("====")),
        ("file_base64", json!(null)),
        ("file_base64", json!(["QWRh"])),
        ("size", json!(7)),
    ] {
        let mut body = good.clone();
        body[member] = wrong;
        key.post(&path(&id), body).invalid(member);
    }
    key.post(&path(&id), json!({})).invalid("filename").at("file_base64");
    key.request("POST", &path(&id))
        .body("x")
        .header("Content-Type", "text/plain")
        .send()
        .error(415, "unsupported_media_type");
    key.request("POST", &path(&id)).send().error(400, "validation_error");
    assert_eq!(stored(world), 0);
}

fn ten_mebibytes_pass_in_either_form(world: &World) {
    let key = world.key("crm");
    let id = contact(&key);
    let most = 10 * 1024 * 1024;
    assert_eq!(key.upload(&path(&id), "form", &vec![7; most]).created()["size"], most);
    key.upload(&path(&id), "form", &vec![7; most + 1]).invalid("file");
    let base64 = |bytes: usize| "AAAA".repeat(bytes / 3) + ["", "AA", "AAA"][bytes % 3];
    let json = key.post(&path(&id), json!({"filename": "json", "file_base64": base64(most)})).created();
    assert_eq!(json["size"], most);
    key.post(&path(&id), json!({"filename": "json", "file_base64": base64(most + 1)})).invalid("file_base64");
    key.post(&path(&id), json!({"filename": "json", "file_base64": base64(11 * 1024 * 1024)}))
        .error(413, "payload_too_large");
    // Other operations keep their own limit.
    key.post("/contacts", json!({"first_name": "x".repeat(1 << 20)})).error(413, "payload_too_large");
}

fn a_file_belongs_to_its_contact(world: &World) {
    let (key, theirs) = (world.key("crm"), world.workspace("theirs").key("crm"));
    let (mine, another, foreign) = (contact(&key), contact(&key), contact(&theirs));
    let file = text(&key.upload(&path(&mine), "a", b"a").created()["id"]);
    for (who, contact) in [(&key, &another), (&key, &foreign), (&theirs, &mine), (&theirs, &foreign)] {
        who.get(&format!("{}/{file}", path(contact))).not_found();
        who.get(&format!("{}/{file}/content", path(contact))).not_found();
        who.delete(&format!("{}/{file}", path(contact))).not_found();
    }
    key.get(&path(&foreign)).not_found();
    key.upload(&path(&foreign), "a", b"a").not_found();
    key.upload(&path(&nobody()), "a", b"a").not_found();
    for id in [nobody().as_str(), "1", &mine] {
        key.get(&format!("{}/{id}", path(&mine))).not_found();
    }
    assert_eq!(key.get(&path(&mine)).page().ids(), [file]);
}

fn any_file_is_downloaded_unchanged_and_never_shown_inline(world: &World) {
    let key = world.key("crm");
    let id = contact(&key);
    let every: Vec<u8> = (0..=255).collect();
    let body = "<script>alert(1)</script>".as_bytes();
    for (name, content, kind) in [("every.bin", &every[..], "image/png"), ("page.html", body, "text/html")] {
        let head =
            format!("Content-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\nContent-Type: {kind}");
        let part = Part { head: head.into_bytes(), content: content.to_vec() };
        let file = key.request("POST", &path(&id)).form(&[part]).send().created();
        let answer = key.get(&format!("{}/{}/content", path(&id), text(&file["id"])));
        assert_eq!(answer.body, content);
        assert_eq!(answer.header("Content-Type"), kind);
        assert!(answer.header("Content-Disposition").starts_with("attachment;"), "{answer}");
        assert!(answer.header("Content-Security-Policy").contains("sandbox"), "{answer}");
    }
}

fn a_contact_has_at_most_a_hundred(world: &World) {
    let key = world.key("crm");
    let id = contact(&key);
    for number in 0..100 {
        key.upload(&path(&id), &number.to_string(), b"x").created();
    }
    key.upload(&path(&id), "one more", b"x").invalid("file").says("100");
    assert_eq!(key.get(&path(&id)).page().total(), 100);
}

fn acknowledged_files_survive_a_kill_and_no_others_stay(world: &World) {
    let key = world.key("crm");
    let acknowledged = Mutex::new(Vec::new());
    for round in 0..share(3, 50) {
        let contacts: Vec<String> = (0..4).map(|_| contact(&key)).collect();
        let enough = acknowledged.lock().expect("no uploader failed").len() + 10 + round;
        std::thread::scope(|scope| {
            for id in &contacts {
                let (key, acknowledged) = (&key, &acknowledged);
                scope.spawn(move || {
                    for number in 0..100 {
                        let content = format!("{id} {number}").repeat(2_000);
                        let part = Part::file("a.txt", content.as_bytes());
                        let Ok(answer) = key.request("POST", &path(id)).form(&[part]).try_send() else { return };
                        let file = text(&answer.created()["id"]);
                        acknowledged
                            .lock()
                            .expect("no uploader failed")
                            .push((format!("{}/{file}/content", path(id)), content));
                    }
                });
            }
            eventually("some uploads", PATIENCE, || {
                (acknowledged.lock().expect("no uploader failed").len() >= enough).then_some(())
            });
            world.kill9();
        });
        world.start();
        for (path, content) in acknowledged.lock().expect("no uploader failed").iter() {
            assert_eq!(key.get(path).text(), *content);
        }
    }
    // Interrupted uploads are cleaned up after a quarter of an hour, or now.
    world.change("UPDATE jobs SET run_at = 1, lease_until = 0 WHERE kind = 'drop_file'");
    eventually("the jobs are done", PATIENCE, || {
        (world.count("SELECT CAST(count(*) AS text) FROM jobs") == 0).then_some(())
    });
    assert_eq!(stored(world) as u64, world.count("SELECT CAST(count(*) AS text) FROM files"));
    world.check_integrity();
}

fn a_backup_contains_the_files_of_its_snapshot(world: &World) {
    if world.database_is_shared() {
        // PostgreSQL has its own backups.
        return;
    }
    let key = world.key("crm");
    let id = contact(&key);
    let kept = text(&key.upload(&path(&id), "kept.bin", &[0, 159, 146, 150]).created()["id"]);
    key.upload(&format!("/contacts/{id}/cv"), "cv.txt", b"Ada").created();
    let backup = world.file("backup").display().to_string();
    // While other files are uploaded and deleted.
    let busy = contact(&key);
    at_once(2, |who| match who {
        0 => drop(world.cli(["backup", &backup]).ok()),
        _ => (0..30).for_each(|_| {
            let id = text(&key.upload(&path(&busy), "busy", b"busy").created()["id"]);
            key.delete(&format!("{}/{id}", path(&busy))).ok();
        }),
    });
    key.delete(&format!("{}/{kept}", path(&id))).ok();
    key.upload(&format!("/contacts/{id}/cv"), "newer.txt", b"newer").ok();
    eventually_stored(world, 1);
    world.stop();
    world.cli(["restore", &backup]).ok();
    world.start();
    assert_eq!(key.get(&format!("{}/{kept}/content", path(&id))).body, [0, 159, 146, 150]);
    assert_eq!(key.get(&format!("/contacts/{id}/cv/file")).body, b"Ada");
    for file in key.get(&path(&busy)).page().ids() {
        assert_eq!(key.get(&format!("{}/{file}/content", path(&busy))).body, b"busy");
    }
    eventually("only files that the database refers to", PATIENCE, || {
        let known = world.count("SELECT CAST((SELECT count(*) FROM files) + (SELECT count(*) FROM cvs) AS text)");
        (stored(world) as u64 == known).then_some(())
    });
}
