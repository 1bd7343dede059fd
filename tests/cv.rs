//! CVs: one document per contact, uploaded as a form, typed by its bytes, downloaded unchanged.

use serde_json::{Value, json};

use crate::dashboard::owner;
use crate::support::*;

stories![
    a_cv_is_uploaded_shown_downloaded_and_deleted,
    the_dashboard_gets_null_without_a_cv,
    a_second_cv_replaces_the_first_completely,
    the_bytes_decide_the_type,
    only_documents_are_accepted,
    the_form_must_have_exactly_one_file,
    the_largest_cv_is_ten_mebibytes,
    a_file_is_called_by_its_own_name,
    a_cv_does_not_change_its_contact,
    each_upload_is_on_the_contacts_timeline,
    a_missing_cv_is_not_found,
    uploads_at_once_leave_one_cv,
    an_upload_that_was_cut_off_leaves_nothing,
];

const PDF: &[u8] = b"%PDF-1.4\nnot much of one\n%%EOF";

#[track_caller]
pub(crate) fn contact(key: &Client) -> String {
    text(&key.post("/contacts", json!({"first_name": "Ada"})).created()["id"])
}

fn cv(contact: &str) -> String {
    format!("/contacts/{contact}/cv")
}

/// The number of stored files.
pub(crate) fn stored(world: &World) -> usize {
    let folder = world.data().join("files");
    if folder.exists() { files(&folder).len() } else { 0 }
}

#[track_caller]
pub(crate) fn eventually_stored(world: &World, count: usize) {
    eventually("what nobody refers to is removed", PATIENCE, || (stored(world) == count).then_some(()));
}

fn the_dashboard_gets_null_without_a_cv(world: &World) {
    let ada = owner(world);
    let id = contact(&ada);
    let reported = || ada.inside("GET", &cv(&id)).send().ok();
    assert_eq!(reported(), Value::Null);
    let uploaded = ada.upload(&cv(&id), "Ada.pdf", PDF).created();
    assert_eq!(reported(), uploaded);
    ada.inside("GET", &cv("01890000-0000-7000-8000-000000000000")).send().not_found();
}

fn a_cv_is_uploaded_shown_downloaded_and_deleted(world: &World) {
    let key = world.key("crm");
    let id = contact(&key);
    let answer = key.upload(&cv(&id), "Ada Lovelace.pdf", PDF);
    let uploaded = answer.created();
    assert_eq!(answer.header("Location"), format!("/api/v1/contacts/{id}/cv"));
    let expected = json!({
        "contact_id": id,
        "url": format!("{}/api/v1/contacts/{id}/cv/file", world.origin()),
        "filename": "Ada Lovelace.pdf",
        "content_type": "application/pdf",
        "size": PDF.len(),
        "updated_at": uploaded["updated_at"],
    });
    assert_eq!(uploaded, expected);
    assert_eq!(key.get(&cv(&id)).ok(), uploaded);

    let url = text(&uploaded["url"]);
    let file = key.visit(url.strip_prefix(&world.origin()).expect("the server's own address")).send();
    assert_eq!((file.status, file.body.as_slice()), (200, PDF));
    assert_eq!(file.header("Content-Type"), "application/pdf");
    assert_eq!(file.number("Content-Length"), PDF.len() as i64);
    let disposition = "attachment; filename=\"Ada Lovelace.pdf\"; filename*=UTF-8''Ada%20Lovelace.pdf";
    assert_eq!(file.header("Content-Disposition"), disposition);
    assert!(file.header("Cache-Control").contains("private"), "{file}");
    let head = key.request("HEAD", &format!("{}/file", cv(&id))).send();
    assert_eq!((head.status, head.number("Content-Length")), (200, PDF.len() as i64));

    world.stranger().visit(&format!("/api/v1/contacts/{id}/cv/file")).send().error(401, "invalid_api_key");
    assert_eq!(stored(world), 1);
    assert_eq!(key.delete(&cv(&id)).ok(), json!({"deleted": true}));
    key.get(&cv(&id)).not_found();
    key.get(&format!("{}/file", cv(&id))).not_found();
    key.delete(&cv(&id)).not_found();
    eventually_stored(world, 0);
    assert_eq!(key.upload(&cv(&id), "again.pdf", PDF).created()["filename"], "again.pdf");
}

fn a_second_cv_replaces_the_first_completely(world: &World) {
    let key = world.key("crm");
    let id = contact(&key);
    let first = key.upload(&cv(&id), "first.pdf", PDF).created();
    let second = key.upload(&cv(&id), "second.txt", b"Ada Lovelace, analyst").ok();
    assert_eq!((&second["filename"], &second["content_type"]), (&json!("second.txt"), &json!("text/plain")));
    assert!(text(&second["updated_at"]) > text(&first["updated_at"]));
    assert_eq!(key.get(&format!("{}/file", cv(&id))).body, b"Ada Lovelace, analyst");
    eventually_stored(world, 1);
    assert_eq!(key.get(&format!("{}/file", cv(&id))).body, b"Ada Lovelace, analyst");
}

fn the_bytes_decide_the_type(world: &World) {
    let key = world.key("crm");
    let id = contact(&key);
    key.upload(&cv(&id), "first", PDF).created();
    for (content, expected) in [
        (&b"{\\rtf1\\ansi Ada}"[..], "application/rtf"),
        (b"Ada", "text/plain"),
        ("Резюме".as_bytes(), "text/plain"),
        (PDF, "application/pdf"),
    ] {
        assert_eq!(key.upload(&cv(&id), "cv.exe", content).ok()["content_type"], expected);
    }
}

fn only_documents_are_accepted(world: &World) {
    let key = world.key("crm");
    let id = contact(&key);
    for content in [
        &b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..],
        b"PK\x03\x04 an archive of something",
        b"\x7fELF\x02\x01\x01\0\0\0",
        b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 a spreadsheet",
        b"\0\0\0\0",
    ] {
        key.upload(&cv(&id), "cv.pdf", content).invalid("file").says("PDF, DOC, DOCX, ODT, RTF, TXT");
    }
    key.get(&cv(&id)).not_found();
    assert_eq!(stored(world), 0);
}

fn the_form_must_have_exactly_one_file(world: &World) {
    let key = world.key("crm");
    let id = contact(&key);
    let send = |parts: &[Part]| key.request("POST", &cv(&id)).form(parts).send();
    send(&[]).error(400, "validation_error");
    send(&[Part::named("document", "cv.pdf", PDF)]).invalid("document").says("file");
    send(&[Part::file("a.pdf", PDF), Part::file("b.pdf", PDF)]).invalid("file").says("once");
    send(&[Part::file("a.pdf", PDF), Part::named("note", "", b"hello")]).invalid("note");
    send(&[Part::file("a.pdf", b"")]).invalid("file").says("empty");
    send(&[Part::file("", PDF)]).invalid("filename");
    key.request("POST", &cv(&id)).send().invalid("file").says("multipart/form-data");
    key.post(&cv(&id), json!({"file": "x"})).error(415, "unsupported_media_type").says("multipart/form-data");
    key.request("POST", &cv(&id))
        .body(PDF)
        .header("Content-Type", "application/pdf")
        .send()
        .error(415, "unsupported_media_type");
    key.request("POST", &cv(&id)).body(PDF).header("Content-Type", "multipart/form-data").send().invalid("body");
    key.get(&cv(&id)).not_found();
}

fn the_largest_cv_is_ten_mebibytes(world: &World) {
    let key = world.key("crm");
    let id = contact(&key);
    let most = 10 * 1024 * 1024;
    let mut content = PDF.to_vec();
    content.resize(most, b' ');
    assert_eq!(key.upload(&cv(&id), "largest.pdf", &content).created()["size"], most);
    assert_eq!(key.get(&format!("{}/file", cv(&id))).body.len(), most);
    content.push(b' ');
    key.upload(&cv(&id), "larger.pdf", &content).invalid("file").says("10 MiB (10,485,760 bytes)");
    content.resize(most + 70 * 1024, b' ');
    let far = key.upload(&cv(&id), "far.pdf", &content).error(413, "payload_too_large");
    far.says("larger than 10 MiB (10,485,760 bytes)");
    content.resize(3 * most, b' ');
    key.upload(&cv(&id), "farther.pdf", &content).error(413, "payload_too_large");
    assert_eq!(key.get(&cv(&id)).ok()["filename"], "largest.pdf");
}

fn a_file_is_called_by_its_own_name(world: &World) {
    let key = world.key("crm");
    let id = contact(&key);
    key.upload(&cv(&id), "x.pdf", PDF).created();
    let longest = "é".repeat(251) + ".pdf";
    for (given, expected) in [
        ("Résumé 履歴書.pdf", "Résumé 履歴書.pdf"),
        ("/etc/passwd", "passwd"),
        ("..\\..\\cv.pdf", "cv.pdf"),
        ("C:\\Users\\Ada\\cv.pdf", "cv.pdf"),
        ("  cv.pdf ", "cv.pdf"),
        (&longest, &longest),
    ] {
        assert_eq!(key.upload(&cv(&id), given, PDF).ok()["filename"], expected);
    }
    for wrong in ["..", ".", "/", "cv/", &("é".repeat(252) + ".pdf")] {
        key.upload(&cv(&id), wrong, PDF).invalid("filename");
    }
    let head = b"Content-Disposition: form-data; name=\"file\"; filename*=UTF-8''a%0Ab.pdf";
    let part = Part { head: head.to_vec(), content: PDF.to_vec() };
    key.request("POST", &cv(&id)).form(&[part]).send().invalid("filename").says("control");
    let head =
        b"Content-Disposition: form-data; name=\"file\"; filename*=UTF-8''%D0%A0%D0%B5%D0%B7%D1%8E%D0%BC%D0%B5.pdf";
    let part = Part { head: head.to_vec(), content: PDF.to_vec() };
    assert_eq!(key.request("POST", &cv(&id)).form(&[part]).send().ok()["filename"], "Резюме.pdf");
    let file = key.get(&format!("{}/file", cv(&id)));
    assert!(file.header("Content-Disposition").contains("filename*=UTF-8''%D0%A0"), "{file}");
}

fn a_cv_does_not_change_its_contact(world: &World) {
    let key = world.key("crm");
    let before = key.post("/contacts", json!({"first_name": "Ada"})).created();
    let id = text(&before["id"]);
    key.upload(&cv(&id), "cv.txt", b"Ada").created();
    key.upload(&cv(&id), "cv.txt", b"Lovelace").ok();
    key.delete(&cv(&id)).ok();
    assert_eq!(key.get(&format!("/contacts/{id}")).ok(), before);
}

fn each_upload_is_on_the_contacts_timeline(world: &World) {
    let key = world.key("crm");
    let id = contact(&key);
    let reported =
        |kind: &str| world.count(&format!("SELECT CAST(count(*) AS text) FROM events WHERE type = '{kind}'"));
    key.upload(&cv(&id), "a.txt", b"Ada").created();
    key.upload(&cv(&id), "b.txt", b"Ada").ok();
    key.upload(&cv(&id), "c.png", b"\x89PNG\r\n\x1a\n\0").invalid("file");
    key.delete(&cv(&id)).ok();
    for kind in ["contact.cv_uploaded", "contact.cv_replaced", "contact.cv_deleted"] {
        assert_eq!(reported(kind), 1, "{kind}");
    }
}

fn a_missing_cv_is_not_found(world: &World) {
    let (key, theirs) = (world.key("crm"), world.workspace("theirs").key("crm"));
    let foreign = contact(&theirs);
    theirs.upload(&cv(&foreign), "cv.txt", b"Ada").created();
    for id in [nobody().as_str(), "1", &foreign] {
        key.upload(&cv(id), "cv.txt", b"Ada").not_found();
        key.get(&cv(id)).not_found();
        key.get(&format!("{}/file", cv(id))).not_found();
        key.delete(&cv(id)).not_found();
        key.upload(&cv(id), "cv.png", b"\x89PNG\r\n\x1a\n\0").error(400, "validation_error");
    }
    assert_eq!(theirs.get(&cv(&foreign)).ok()["filename"], "cv.txt");
    assert_eq!(stored(world), 1);
}

fn uploads_at_once_leave_one_cv(world: &World) {
    let key = world.key("crm");
    let id = contact(&key);
    let answers = at_once(8, |number| {
        let content = format!("CV number {number}");
        let answer = key.upload(&cv(&id), &format!("{number}.txt"), content.as_bytes());
        (answer.status, content)
    });
    assert_eq!(answers.iter().filter(|(status, _)| *status == 201).count(), 1);
    assert_eq!(answers.iter().filter(|(status, _)| *status == 200).count(), 7);
    eventually_stored(world, 1);
    let kept = key.get(&format!("{}/file", cv(&id))).text();
    assert_eq!(kept, format!("CV number {}", text(&key.get(&cv(&id)).ok()["filename"]).trim_end_matches(".txt")));
}

/// A crash after the bytes were stored and before the row was written: the job that was recorded first removes them.
fn an_upload_that_was_cut_off_leaves_nothing(world: &World) {
    let key = world.key("crm");
    let id = contact(&key);
    key.upload(&cv(&id), "cv.txt", b"Ada").created();
    world.stop();
    // The state after the first step: a name, a job that will remove it, and bytes without a row.
    let kept = files(&world.data().join("files")).remove(0);
    let folder = kept.parent().expect("a file is in a folder");
    let orphan = "0123456789abcdef0123456789abcdef";
    std::fs::write(folder.join(orphan), b"left behind").expect("a file can be written");
    let below = folder.strip_prefix(world.data().join("files")).expect("it is below the files' folder").join(orphan);
    world.change(&format!(
        "INSERT INTO jobs (workspace_id, id, kind, payload, run_at, lease_until, attempts, created_at) \
         SELECT workspace_id, contact_id, 'drop_file', '{}', 1, 0, 0, 1 FROM cvs",
        below.display()
    ));
    // A job for a file that is in use, which must stay.
    world.change(
        "INSERT INTO jobs (workspace_id, id, kind, payload, run_at, lease_until, attempts, created_at) \
         SELECT h.workspace_id, h.workspace_id, 'drop_file', c.blob, 1, 0, 0, 1 FROM cvs c \
         JOIN heads h ON h.workspace_id = c.workspace_id",
    );
    world.start();
    eventually("the jobs are done", PATIENCE, || {
        (world.count("SELECT CAST(count(*) AS text) FROM jobs") == 0).then_some(())
    });
    assert_eq!(stored(world), 1);
    assert_eq!(key.get(&format!("{}/file", cv(&id))).body, b"Ada");
}
