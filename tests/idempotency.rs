//! `Idempotency-Key`: a repeated request is not carried out again.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::*;

stories![
    a_request_sent_again_gets_the_first_answer,
    every_post_that_writes_accepts_an_idempotency_key,
    a_key_that_was_used_for_something_else_is_refused,
    only_successful_requests_are_stored,
    keys_belong_to_the_owner,
    an_invalid_idempotency_key_is_refused,
    other_operations_ignore_the_key,
    concurrent_requests_with_one_key_write_once,
    concurrent_requests_over_two_nodes_write_once,
    an_upload_is_compared_by_its_file,
    an_answer_survives_a_kill,
    a_key_expires_after_a_day,
    a_running_request_is_a_conflict,
    a_bulk_is_not_done_twice,
    a_replay_does_not_check_preconditions_again,
];

#[track_caller]
fn send(client: &Client, path: &str, body: &Value, key: &str) -> Answer {
    client.request("POST", path).json(body).header("Idempotency-Key", key).send()
}

fn replayed(answer: &Answer) -> bool {
    answer.find_header("Idempotent-Replayed").inspect(|value| assert_eq!(*value, "true")).is_some()
}

/// The second answer equals the first one.
#[track_caller]
fn same(first: &Answer, second: &Answer) {
    assert!(!replayed(first) && replayed(second), "{first}\n{second}");
    assert_eq!((first.status, first.text()), (second.status, second.text()));
    for header in ["Location", "ETag", "Content-Type"] {
        assert_eq!(first.find_header(header), second.find_header(header), "{header}");
    }
}

fn contacts(client: &Client) -> u64 {
    client.get("/contacts").page().total()
}

fn a_request_sent_again_gets_the_first_answer(world: &World) {
    let client = world.key("crm");
    let body = json!({"first_name": "Ada", "tags": ["VIP"]});
    let first = send(&client, "/contacts", &body, "one");
    let ada = first.created();
    same(&first, &send(&client, "/contacts", &body, "one"));
    // Even if the record has changed since.
    let path = format!("/contacts/{}", text(&ada["id"]));
    client.put(&path, json!({"title": "CTO"})).ok();
    same(&first, &send(&client, "/contacts", &body, "one"));
    // The same body in another notation is still the same.
    let spaced = "{ \"first_name\" : \"Ada\",\n\"tags\":[\"VIP\"] }";
    same(&first, &client.request("POST", "/contacts").body(spaced).header("Idempotency-Key", "one").send());
    assert_eq!((contacts(&client), world.count("SELECT CAST(count(*) AS text) FROM idempotency")), (1, 1));
    // Another key, or none, makes another request.
    send(&client, "/contacts", &body, "two").created();
    client.post("/contacts", body.clone()).created();
    assert_eq!(contacts(&client), 3);
}

fn every_post_that_writes_accepts_an_idempotency_key(world: &World) {
    let client = world.key("crm");
    let ada = client.post("/contacts", json!({"first_name": "Ada"})).created();
    let ben = client.post("/contacts", json!({"first_name": "Ben"})).created();
    let path = format!("/contacts/{}", text(&ada["id"]));
    for (name, path, body) in [
        ("company", "/companies".to_owned(), json!({"name": "Initech"})),
        ("tag", "/tags".to_owned(), json!({"name": "Blue"})),
        ("attach", format!("{path}/tags"), json!({"name": "Blue"})),
        ("note", format!("{path}/notes"), json!({"content": "Called."})),
        ("file", format!("{path}/files"), json!({"filename": "a.txt", "file_base64": "QWRh"})),
        ("merge", "/contacts/merge".to_owned(), json!({"into": ada["id"], "from": [ben["id"]]})),
    ] {
        let first = send(&client, &path, &body, name);
        assert!(first.status < 300, "{first}");
        let events = world.events();
        same(&first, &send(&client, &path, &body, name));
        assert_eq!(world.events(), events, "{name}");
    }
    // Also for operations that continue in the background (202).
    let import = |key: &str| {
        let file = Part::file("people.csv", b"first_name\nCleo\n");
        let options = Part {
            head: b"Content-Disposition: form-data; name=\"options\"".to_vec(),
            content: json!({"collection": "contacts"}).to_string().into_bytes(),
        };
        client.request("POST", "/imports").form(&[file, options]).header("Idempotency-Key", key).send()
    };
    let first = import("import");
    same(first.is(202), &import("import"));
    assert_eq!(client.get("/imports").page().total(), 1);
    // The document declares the header for every such operation.
    let document = document::of(&world.origin());
    for operation in document.operations() {
        let parameters = operation.description["parameters"].as_array().cloned().unwrap_or_default();
        let takes = parameters.iter().any(|one| document.resolved(one)["name"] == "Idempotency-Key");
        // A change may bring an erased address back, which is a conflict too.
        let writes_addresses = ["PUT", "PATCH"].contains(&operation.method.as_str())
            && ["/contacts/{id}", "/companies/{id}"].contains(&operation.path.as_str());
        let conflicts = operation.description["responses"].get("409").is_some();
        // A search in a network counts there, and one that costs credits is charged once.
        let paid = ["/sourcing/network/search", "/sourcing/advanced/profiles/search"];
        let asks = ["/search", "/preview"].iter().any(|end| operation.path.ends_with(end));
        let reads = asks && !paid.contains(&operation.path.as_str());
        assert_eq!(takes, operation.method == "POST" && !reads, "{operation}");
        assert_eq!(conflicts, takes || writes_addresses, "{operation}");
    }
}

fn a_key_that_was_used_for_something_else_is_refused(world: &World) {
    let client = world.key("crm");
    let ada = send(&client, "/contacts", &json!({"first_name": "Ada"}), "k").created();
    let conflict = |answer: Answer| drop(answer.error(409, "idempotency_conflict").says("another request"));
    conflict(send(&client, "/contacts", &json!({"first_name": "Ben"}), "k"));
    conflict(send(&client, "/companies", &json!({"name": "Initech"}), "k"));
    conflict(send(&client, &format!("/contacts/{}/notes", text(&ada["id"])), &json!({"content": "x"}), "k"));
    assert_eq!((contacts(&client), client.get("/companies").page().total()), (1, 0));
    // The original request still gets its answer.
    assert!(replayed(&send(&client, "/contacts", &json!({"first_name": "Ada"}), "k")));
}

fn only_successful_requests_are_stored(world: &World) {
    let client = world.key("crm");
    for wrong in [json!({"first_name": ""}), json!({"first_name": "Ada", "company_id": nobody()}), json!({})] {
        send(&client, "/contacts", &wrong, "k").error(400, "validation_error");
    }
    send(&world.key("tags:read"), "/contacts", &json!({"first_name": "Ada"}), "k").error(403, "insufficient_scope");
    send(&client, &format!("/contacts/{}/notes", nobody()), &json!({"content": "x"}), "k").not_found();
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM idempotency"), 0);
    // A corrected body may use the key again.
    assert!(!replayed(&send(&client, "/contacts", &json!({"first_name": "Ada"}), "k")));
}

fn keys_belong_to_the_owner(world: &World) {
    world.cli(["members", "add", "--email", "ben@example.com", "--name", "Ben"]).ok();
    let (one, two) = (world.key("crm"), world.key("crm"));
    let ben = world.key_with("crm", &["--owner", "ben@example.com"]);
    let theirs = world.workspace("theirs").key("crm");
    let body = json!({"first_name": "Ada"});
    let first = send(&one, "/contacts", &body, "k");
    first.created();
    same(&first, &send(&two, "/contacts", &body, "k"));
    assert!(!replayed(&send(&ben, "/contacts", &body, "k")));
    assert!(!replayed(&send(&theirs, "/contacts", &json!({"first_name": "Zoë"}), "k")));
    assert_eq!((contacts(&one), contacts(&theirs)), (2, 1));
    // A stored answer does not bypass a missing scope.
    send(&world.key("contacts:read"), "/contacts", &body, "k").error(403, "insufficient_scope");
}

fn an_invalid_idempotency_key_is_refused(world: &World) {
    let client = world.key("crm");
    let body = json!({"first_name": "Ada"});
    for odd in ["", " ", "a b", "é", &"k".repeat(256), "tab\there"] {
        send(&client, "/contacts", &body, odd).invalid("Idempotency-Key").says("1 to 255 visible");
    }
    assert_eq!(contacts(&client), 0);
    for fine in ["!", &"k".repeat(255), "550e8400-e29b-41d4-a716-446655440000", "\"quoted\""] {
        send(&client, "/contacts", &body, fine).created();
        assert!(replayed(&send(&client, "/contacts", &body, fine)));
    }
}

fn other_operations_ignore_the_key(world: &World) {
    let client = world.key("crm");
    let ada = send(&client, "/contacts", &json!({"first_name": "Ada"}), "k").created();
    let path = format!("/contacts/{}", text(&ada["id"]));
    let with_key = |method: &str, path: &str, body: Value| {
        let request = client.request(method, path);
        let request = if body.is_null() { request } else { request.json(&body) };
        let answer = request.header("Idempotency-Key", "k").send();
        assert!(!replayed(&answer), "{answer}");
        answer
    };
    assert_eq!(with_key("PUT", &path, json!({"title": "CTO"})).ok()["title"], "CTO");
    assert_eq!(with_key("PUT", &path, json!({"title": "CEO"})).ok()["title"], "CEO");
    with_key("GET", &path, Value::Null).ok();
    with_key("POST", "/contacts/search", json!({})).page();
    with_key("DELETE", &path, Value::Null).ok();
}

fn concurrent_requests_with_one_key_write_once(world: &World) {
    let client = world.key("crm");
    for round in 0..5 {
        let (body, key) = (json!({"first_name": format!("Ada {round}")}), format!("k{round}"));
        let answers = at_once(12, |_| send(&client, "/contacts", &body, &key));
        assert_eq!(answers.iter().filter(|answer| !replayed(answer)).count(), 1);
        assert!(answers.iter().all(|answer| answer.created() == answers[0].created()));
        assert_eq!(contacts(&client), round + 1);
    }
}

fn concurrent_requests_over_two_nodes_write_once(world: &World) {
    let client = world.key("crm");
    let node = world.another_node();
    // If there can only be one node, both clients use it.
    let elsewhere = node.as_ref().map_or(client.clone(), |node| client.at(&node.origin()));
    let ada = client.post("/contacts", json!({"first_name": "Ada"})).created();
    let files = format!("/contacts/{}/files", text(&ada["id"]));
    for round in 0..10 {
        let (body, key) = (json!({"filename": "a.txt", "file_base64": "QWRh"}), format!("f{round}"));
        let (name, created) = (json!({"first_name": format!("Ben {round}")}), format!("c{round}"));
        let answers = at_once(8, |number| {
            let client = if number % 2 == 0 { &client } else { &elsewhere };
            if number < 4 { send(client, "/contacts", &name, &created) } else { send(client, &files, &body, &key) }
        });
        for part in [&answers[..4], &answers[4..]] {
            assert_eq!(part.iter().filter(|answer| !replayed(answer)).count(), 1);
            assert!(part.iter().all(|answer| answer.created()["id"] == part[0].created()["id"]));
        }
    }
    assert_eq!((contacts(&client), client.get(&files).page().total()), (11, 10));
}

fn an_upload_is_compared_by_its_file(world: &World) {
    let client = world.key("crm");
    let ada = client.post("/contacts", json!({"first_name": "Ada"})).created();
    let path = format!("/contacts/{}/cv", text(&ada["id"]));
    let upload = |name: &str, content: &[u8], boundary: &str| {
        let body = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n{}\r\n--{boundary}--\r\n",
            String::from_utf8_lossy(content)
        );
        client
            .request("POST", &path)
            .body(body)
            .header("Content-Type", &format!("multipart/form-data; boundary={boundary}"))
            .header("Idempotency-Key", "cv")
            .send()
    };
    let first = upload("cv.txt", b"Ada, programmer", "one");
    first.created();
    // A client that sends the form again uses another boundary.
    same(&first, &upload("cv.txt", b"Ada, programmer", "two"));
    upload("cv.txt", b"Ada, mathematician", "one").error(409, "idempotency_conflict");
    upload("other.txt", b"Ada, programmer", "one").error(409, "idempotency_conflict");
    assert_eq!(client.get(&format!("{path}/file")).text(), "Ada, programmer");
    assert_eq!(files(&world.data().join("files")).len(), 1, "the repeated upload is stored once");
}

fn an_answer_survives_a_kill(world: &World) {
    let client = world.key("crm");
    let body = json!({"first_name": "Ada"});
    let first = send(&client, "/contacts", &body, "k");
    first.created();
    world.kill9();
    world.start();
    same(&first, &send(&client, "/contacts", &body, "k"));
    world.restart();
    same(&first, &send(&client, "/contacts", &body, "k"));
    assert_eq!(contacts(&client), 1);
}

fn a_key_expires_after_a_day(world: &World) {
    let client = world.key("crm");
    let kept = || world.count("SELECT CAST(count(*) AS text) FROM idempotency");
    let body = json!({"first_name": "Ada"});
    send(&client, "/contacts", &body, "k").created();
    world.change("UPDATE idempotency SET created_at = created_at - 86390000");
    assert!(replayed(&send(&client, "/contacts", &body, "k")), "not yet");
    world.change("UPDATE idempotency SET created_at = created_at - 20000");
    assert!(!replayed(&send(&client, "/contacts", &json!({"first_name": "Ben"}), "k")), "the key has expired");
    assert_eq!((contacts(&client), kept()), (2, 1));
    // Expired keys are deleted in the background.
    world.change("UPDATE idempotency SET created_at = created_at - 86410000");
    send(&client, "/contacts", &body, "young").created();
    world.restart();
    eventually("the deletion of expired keys", PATIENCE, || (kept() == 1).then_some(()));
    assert!(replayed(&send(&client, "/contacts", &body, "young")));
}

fn a_running_request_is_a_conflict(world: &World) {
    let client = world.key("crm");
    let body = json!({"first_name": "Ada"});
    // Caches the key and the workspace, so that only the write itself waits.
    client.post("/tags", json!({"name": "Blue"})).created();
    let (first, second) = std::thread::scope(|scope| {
        // The second request was answered while the first was still waiting.
        let (mut both, second) = world.hold(|| {
            let began = stopwatch();
            let both = vec![(); 2].into_iter().map(|()| scope.spawn(|| send(&client, "/contacts", &body, "k")));
            let both: Vec<_> = both.collect();
            let ended = || both.iter().position(|one| one.is_finished());
            let second = eventually("an answer to one of them", PATIENCE, ended);
            assert!(began.elapsed() >= Duration::from_secs(5), "it waited {:?}", began.elapsed());
            (both, second)
        });
        let second = both.swap_remove(second).join().expect("an answer");
        (both.remove(0).join().expect("an answer"), second)
    });
    second.error(409, "idempotency_conflict").says("still running");
    first.created();
    same(&first, &send(&client, "/contacts", &body, "k"));
    assert_eq!(contacts(&client), 1);
}

fn a_bulk_is_not_done_twice(world: &World) {
    let client = world.key("crm");
    let item = |number: usize| match number {
        7 => json!({"op": "create", "data": {"first_name": ""}}),
        _ => json!({"op": "create", "data": {"first_name": format!("Ada {number}")}}),
    };
    let body = json!({"items": (0..120).map(item).collect::<Vec<_>>()});
    let first = send(&client, "/contacts/bulk", &body, "many");
    let results = first.ok()["results"].clone();
    assert_eq!((results.as_array().map(Vec::len), &results[7]["status"]), (Some(120), &json!(400)));
    same(&first, &send(&client, "/contacts/bulk", &body, "many"));
    assert_eq!(contacts(&client), 119);
    send(&client, "/contacts/bulk", &json!({"items": [item(0)]}), "many").error(409, "idempotency_conflict");
    // An interrupted bulk request continues: completed items are known one by one.
    world.change("DELETE FROM idempotency WHERE key = 'many'");
    let again = send(&client, "/contacts/bulk", &body, "many");
    assert_eq!((again.ok()["results"].clone(), contacts(&client)), (results, 119));
    // Two concurrent requests share the work.
    let both = at_once(2, |_| send(&client, "/contacts/bulk", &body, "both").ok());
    assert_eq!((&both[0], contacts(&client)), (&both[1], 238));
    // An atomic request is one write.
    let whole = json!({"atomic": true, "items": [item(0), item(1)]});
    let first = send(&client, "/contacts/bulk", &whole, "atomic");
    first.ok();
    same(&first, &send(&client, "/contacts/bulk", &whole, "atomic"));
    assert_eq!(contacts(&client), 240);
}

fn a_replay_does_not_check_preconditions_again(world: &World) {
    let client = world.key("crm");
    let ada = client.post("/contacts", json!({"first_name": "Ada"}));
    let path = format!("/contacts/{}/tags", text(&ada.created()["id"]));
    let attach = || {
        let request = client.request("POST", &path).json(&json!({"name": "VIP"}));
        request.header("If-Match", ada.header("ETag")).header("Idempotency-Key", "k").send()
    };
    let first = attach();
    first.created();
    same(&first, &attach());
}
