//! Malformed forms: every error is the sender's, and the answer says what is wrong.

use std::collections::BTreeMap;

use crate::cv::{contact, eventually_stored};
use crate::support::*;

stories![every_form_is_answered, odd_forms_are_refused_with_a_reason, an_interrupted_upload_leaves_nothing];

const DISPOSITIONS: &[&[u8]] = &[
    b"Content-Disposition: form-data; name=\"file\"; filename=\"cv.txt\"",
    b"Content-Disposition: form-data; name=\"file\"; filename=\"R\xe9sum\xe9.txt\"",
    b"Content-Disposition: form-data; name=\"\xff\xfe\"",
    b"Content-Disposition: form-data; name=\"file\"",
    b"Content-Disposition: form-data; name=file; filename=cv.txt",
    b"Content-Disposition: form-data; name=\"file\"; filename*=UTF-8''%FF%FE",
    b"Content-Disposition: form-data; name=\"file\"; filename*=latin1''cv",
    b"Content-Disposition: form-data; name=\"file; filename=\"cv.txt",
    b"Content-Disposition: form-data; =; ;;; name",
    b"Content-Disposition: attachment",
    b"Content-Disposition:",
    b"Content-Type: text/plain",
    b"X: y\r\nX: y\r\nX: z",
    b"no colon at all",
    b"",
    b": empty",
    b"Content-Disposition: form-data; name=\"other\"",
    b"Content-Disposition: form-data; name=\"file\"; filename=\"..\"",
    b"Content-Disposition: form-data; name=\"file\"; filename=\"cv.txt\"\r\nContent-Transfer-Encoding: base64",
];

/// A random form, usually malformed.
fn form(dice: &mut Dice, boundary: &str) -> Vec<u8> {
    let mut body = Vec::new();
    if dice.one_in(6) {
        body.extend_from_slice(b"a preamble that nobody reads\r\n");
    }
    for _ in 0..dice.below(4) {
        body.extend_from_slice(format!("--{boundary}\r\n").as_bytes());
        body.extend_from_slice(DISPOSITIONS[if dice.one_in(2) { 0 } else { dice.below(DISPOSITIONS.len()) }]);
        body.extend_from_slice(if dice.one_in(12) { b"\n\n" } else { b"\r\n\r\n" });
        let length = *dice.pick(&[0, 1, 20, 70_000]);
        body.extend((0..length).map(|at| if dice.one_in(500) { dice.roll() as u8 } else { b'a' + (at % 26) as u8 }));
        if dice.one_in(10) {
            body.extend_from_slice(format!("\r\n--{boundary}").as_bytes());
        }
        body.extend_from_slice(b"\r\n");
    }
    if !dice.one_in(6) {
        body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    }
    // Bytes that are cut off, changed or repeated.
    match dice.below(6) {
        0 => body.truncate(dice.below(body.len() + 1)),
        1 if !body.is_empty() => {
            let at = dice.below(body.len());
            body[at] = dice.roll() as u8;
        }
        2 => body.extend_from_within(..body.len() / 2),
        _ => {}
    }
    body
}

fn every_form_is_answered(world: &World) {
    let seed = seed();
    let mut dice = Dice::new(seed ^ 0xf0f0);
    world.set(&["--rate-limit", "1000000000"]);
    let key = world.key("crm");
    let id = contact(&key);
    let long = "x".repeat(300);
    let mut statuses: BTreeMap<u16, usize> = BTreeMap::new();
    for number in 0..share(400, 40_000) {
        const BOUNDARIES: &[&str] = &["b", "----WebKitFormBoundary7MA4YWxkTrZu0gW", "'()+_,-./:=?", "-", "--", "a b"];
        let boundary = if dice.one_in(20) { &long } else { *dice.pick(BOUNDARIES) };
        let body = form(&mut dice, boundary);
        let kind = match dice.below(12) {
            0 => "multipart/form-data".to_owned(),
            1 => "multipart/form-data; boundary=".to_owned(),
            2 => format!("multipart/form-data; boundary=\"{boundary}"),
            3 => format!("multipart/mixed; boundary=\"{boundary}\""),
            _ => format!("multipart/form-data; boundary=\"{boundary}\""),
        };
        let path = format!("/contacts/{id}/{}", dice.pick(&["cv", "files"]));
        let answer = key.request("POST", &path).body(body).header("Content-Type", &kind).send();
        assert!(answer.status < 500, "form {number} of seed {seed}: {answer}");
        *statuses.entry(answer.status).or_default() += 1;
        // A contact has room for a hundred files.
        for file in key.get(&format!("/contacts/{id}/files")).page().ids() {
            key.delete(&format!("/contacts/{id}/files/{file}")).ok();
        }
    }
    println!("forms: {statuses:?}");
    assert!(statuses.contains_key(&201) && statuses.contains_key(&400), "one-sided: {statuses:?}");
    eventually_stored(world, usize::from(key.get(&format!("/contacts/{id}/cv")).status == 200));
}

fn odd_forms_are_refused_with_a_reason(world: &World) {
    let key = world.key("crm");
    let id = contact(&key);
    let path = format!("/contacts/{id}/cv");
    let send = |body: &[u8]| {
        key.request("POST", &path).body(body).header("Content-Type", "multipart/form-data; boundary=b").send()
    };
    send(b"").error(400, "validation_error");
    send(b"--b--").error(400, "validation_error").says("file");
    send(b"no boundary in sight").invalid("body");
    send(b"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\ncut off").invalid("body");
    send(b"--b\r\nContent-Disposition: form-data; name=\"\xff\"\r\n\r\nx\r\n--b--").invalid("body").says("UTF-8");
    send(b"--b\r\n\r\nx\r\n--b--").invalid("body");
    send(b"--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--").invalid("body").says("name");
    let options = "--b\r\nContent-Disposition: form-data; name=\"options\"\r\n\r\n{}\r\n";
    let twice = key.request("POST", "/imports/preview").body(format!("{options}{options}--b--"));
    let twice = twice.header("Content-Type", "multipart/form-data; boundary=b").send();
    twice.invalid("options").says("once");
    let part = "--b\r\nContent-Disposition: form-data; name=\"options\"\r\n\r\n";
    let body = format!("{part}{{\"collection\": \"contacts\", \"collection\": \"companies\"}}\r\n--b--");
    let twice = key.request("POST", "/imports/preview").body(body);
    let twice = twice.header("Content-Type", "multipart/form-data; boundary=b").send();
    twice.invalid("options").says("collection twice");
    // An endless header is not buffered for ever.
    let mut endless = b"--b\r\nContent-Disposition: ".to_vec();
    endless.resize(5 << 20, b'x');
    send(&endless).invalid("body");
    let mut before = vec![b'x'; 5 << 20];
    before.extend_from_slice(b"--b--");
    send(&before).invalid("body");
    let part = "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\ny\r\n".repeat(200);
    send(part.as_bytes()).error(400, "validation_error");
}

fn an_interrupted_upload_leaves_nothing(world: &World) {
    let key = world.key("crm");
    let id = contact(&key);
    let head = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nhalf of it";
    for _ in 0..5 {
        let headers = [("Content-Type", "multipart/form-data; boundary=b"), ("Content-Length", "100000")];
        let mut wire = Wire::open(&key, "POST", &format!("/contacts/{id}/cv"), &headers);
        wire.send(head.as_bytes());
        drop(wire);
    }
    key.get(&format!("/contacts/{id}/cv")).not_found();
    eventually_stored(world, 0);
    // Only the database's own files are left.
    let left: Vec<String> = files(&world.data()).iter().map(|path| path.display().to_string()).collect();
    assert!(
        left.iter().all(|path| {
            path.contains("relata.db") || ["secret", ".lock", "erasures.list"].iter().any(|end| path.ends_with(end))
        }),
        "{left:?}"
    );
}
