//! Removes and changes records that many others refer to. Work on all of them must not be done in one unit.

use std::time::Duration;

use serde_json::{Value, json};

use super::Watch;
use super::bodies::{Flavour, fill};
use crate::dashboard;
use crate::imports;
use crate::support::*;

/// The number of records that refer to the removed one.
fn many() -> usize {
    if is_long() { 5000 } else { 600 }
}

pub(super) fn changes_to_records_with_many_references_are_brief(world: &World) {
    world.set(&["--rate-limit", "1000000000", "--plan", "scale"]);
    let (key, owner) = (world.key("full_access"), dashboard::owner(world));
    let outside = Outside::new("people = 10\n");
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let mut watch = Watch::new(world, &key);
    let inside = |method: &str, path: &str, body: Value| owner.inside(method, path).json(&body).send();

    let field = inside("POST", "/custom-fields?object=contacts", json!({"key": "badge", "type": "text"}));
    let field = text(&field.is(201).json["data"]["id"]);
    let options = json!([{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]);
    let level = json!({"key": "level", "type": "select", "options": options});
    let level = text(&inside("POST", "/custom-fields?object=contacts", level).is(201).json["data"]["id"]);
    dashboard::member(world, "bea@example.com", "member");
    let members = inside("GET", "/members", json!({})).is(200).json["data"].clone();
    let bea = members.as_array().and_then(|all| all.iter().find(|one| one["email"] == "bea@example.com"));
    let bea = text(&bea.expect("a member")["user_id"]);
    let (company, other) = (made(&key, "/companies", "Aster"), made(&key, "/companies", "Birch"));
    let (mut tag, project) = (made(&key, "/tags", "Everybody"), made(&key, "/projects", "Analyst"));
    let pipeline = inside(
        "POST",
        "/deal-pipelines",
        json!({"name": "Upsell", "stages": [{"name": "First"}, {"name": "Second"}, {"name": "Third"}]}),
    );
    let pipeline = pipeline.is(201).json["data"].clone();
    let (pipeline_id, stage) = (text(&pipeline["id"]), text(&pipeline["stages"][0]["id"]));
    let second = text(&pipeline["stages"][1]["id"]);
    let first_pipeline = text(&key.get("/deal-pipelines").page().rows[0]["id"]);

    let contact = |n: usize| {
        json!({
            "first_name": format!("Ada {n}"), "email": format!("ada.{n}@example.com"), "tags": ["Everybody"],
            "company_id": company, "custom_data": {"badge": format!("B {n}"), "level": "b"},
        })
    };
    let contacts = all_made(&key, "/contacts", contact);
    all_made(
        &key,
        "/deals",
        |n| json!({"title": format!("Deal {n}"), "pipeline_id": pipeline_id, "stage_id": stage, "company_id": company, "owner_id": bea}),
    );
    all_made(
        &key,
        "/tasks",
        |n| json!({"title": format!("Task {n}"), "contact_id": contacts[n % contacts.len()], "assigned_to": bea}),
    );
    let entry = |n: usize| json!({"project_id": project, "contact_id": contacts[n]});
    all_made(&key, "/pipeline-entries", entry);
    let step = json!({
        "type": "email", "subject": "Hello", "body": "Hello {{ first_name }}", "delay_days": 365, "sender_ids": [account],
    });
    let sequence = json!({"name": "Hello", "steps": [step], "project_id": project});
    let sequence = text(&key.post("/sequences", sequence).created()["id"]);
    key.post(&format!("/sequences/{sequence}/start"), json!({})).ok();
    for some in contacts.chunks(500) {
        key.post(&format!("/sequences/{sequence}/enroll"), json!({"contact_ids": some})).ok();
    }
    let person = person_with_much(&key, &sequence);
    let (writer, conversation) = person_with_many_messages(&key, &account);
    let merged = made_contact(&key, "Grace");
    let account_path = format!("/accounts/{account}");
    let rows: String = (0..many()).map(|n| format!("ada.{n}@example.com,Augusta {n}\n")).collect();
    let rows = format!("email,last_name\n{rows}");
    let import = json!({"collection": "contacts", "match_on": "email"});

    let mut act = |what: &str, act: &mut dyn FnMut()| {
        let slow = watch.verdict_of_one(act);
        println!("{what}: {}", slow.as_deref().unwrap_or("brief"));
        slow.map(|slow| format!("{what}: {slow}"))
    };
    let path = |collection: &str, id: &str| format!("{collection}/{id}");
    let fine = |answer: Answer| assert!(answer.status < 300, "{answer}");
    let mut undo = String::new();
    let slow: Vec<String> = [
        act("import", &mut || undo = text(&imports::import(&key, import.clone(), "people.csv", &rows)["id"])),
        act("undo of the import", &mut || {
            key.post(&format!("/imports/{undo}/undo"), json!({})).is(202);
            imports::ended(&key, &json!({"id": undo}));
        }),
        act("new schedule", &mut || {
            let schedule = json!({"schedule_config": {"days": ["mon"]}});
            key.put(&path("/sequences", &sequence), schedule).ok();
        }),
        act("read conversation", &mut || fine(key.post(&format!("/conversations/{conversation}/read"), json!({})))),
        act("unread conversation", &mut || fine(key.post(&format!("/conversations/{conversation}/unread"), json!({})))),
        act("archived conversation", &mut || {
            fine(key.put(&path("/conversations", &conversation), json!({"status": "archived"})));
        }),
        act("private mailbox", &mut || {
            fine(inside("PUT", &account_path, json!({"visibility": "owner", "test": false})))
        }),
        act("shared mailbox", &mut || {
            fine(inside("PUT", &account_path, json!({"visibility": "workspace", "test": false})));
        }),
        act("merged person with messages", &mut || {
            fine(key.post("/contacts/merge", json!({"into": merged, "from": [writer]})));
        }),
        act("pause", &mut || fine(key.post(&format!("/sequences/{sequence}/pause"), json!({})))),
        act("changed steps", &mut || {
            let step = json!({"type": "task", "delay_days": 300});
            fine(key.put(&path("/sequences", &sequence), json!({"steps": [step]})));
        }),
        act("people on the changed steps", &mut || {
            let (upgrade, mut body) = (format!("/sequences/{sequence}/enrollments/upgrade"), json!({}));
            loop {
                let moved = key.post(&upgrade, body).ok();
                if moved["next"].is_null() {
                    assert_eq!(moved["remaining"], 0, "{moved}");
                    break;
                }
                body = json!({"after": moved["next"]});
            }
        }),
        act("removed account", &mut || fine(inside("DELETE", &path("/accounts", &account), json!({})))),
        act("archived sequence", &mut || fine(key.delete(&path("/sequences", &sequence)))),
        act("merged tag", &mut || {
            let all = made(&key, "/tags", "All of them");
            fine(key.post("/tags/merge", json!({"into": all, "from": [tag]})));
            tag = all;
        }),
        act("renamed tag", &mut || fine(key.put(&path("/tags", &tag), json!({"name": "All"})))),
        act("removed tag", &mut || fine(key.delete(&path("/tags", &tag)))),
        act("renamed option", &mut || {
            let renamed = json!([{"value": "a", "label": "A"}, {"value": "c", "label": "C", "previous_value": "b"}]);
            fine(inside("PUT", &path("/custom-fields", &level), json!({"options": renamed})));
        }),
        act("removed member", &mut || fine(inside("DELETE", &path("/members", &bea), json!({})))),
        act("do not contact", &mut || {
            fine(key.put(&path("/contacts", &person), json!({"do_not_contact": true})));
        }),
        act("removed field", &mut || {
            fine(inside("DELETE", &path("/custom-fields", &field), json!({})));
        }),
        act("removed stage", &mut || {
            fine(inside("DELETE", &format!("/deal-stages/{stage}?move_to={second}"), json!({})));
        }),
        act("removed pipeline", &mut || {
            fine(inside("DELETE", &format!("/deal-pipelines/{pipeline_id}?move_to={first_pipeline}"), json!({})));
        }),
        act("erased person with messages", &mut || {
            key.delete(&format!("/contacts/{merged}?erase=true")).is(202);
            crate::erase::finished(world);
        }),
        act("erased contact", &mut || {
            key.delete(&format!("/contacts/{person}?erase=true")).is(202);
            crate::erase::finished(world);
        }),
        act("merged company", &mut || {
            fine(key.post("/companies/merge", json!({"into": other, "from": [company]})));
        }),
        act("archived company", &mut || fine(key.delete(&path("/companies", &other)))),
        act("erased company", &mut || {
            key.delete(&format!("/companies/{other}?erase=true")).is(202);
            crate::erase::finished(world);
        }),
        act("archived project", &mut || {
            fine(key.put(&path("/projects", &project), json!({"status": "archived"})));
        }),
        act("removed workspace", &mut || {
            world.workspace("other");
            fine(inside("DELETE", "/workspace", json!({"name": "Engines"})));
            let erased = || world.log().contains("erased a removed workspace").then_some(());
            eventually("the end of erasing", Duration::from_secs(600), erased);
        }),
    ]
    .into_iter()
    .flatten()
    .collect();
    assert!(slow.is_empty(), "{}", slow.join("\n"));
    watch.end();
}

fn made_contact(key: &Client, name: &str) -> String {
    outside::contact(key, name, &format!("{}@example.com", nobody()))
}

/// A contact with a long conversation. Every tenth message is of the maximum length. They wait for their time, so that
/// no mailbox is needed.
fn person_with_many_messages(key: &Client, account: &str) -> (String, String) {
    let person = made_contact(key, "Mary");
    let send_at = (now() + Duration::from_secs(86_400)).to_string();
    let long = fill(Flavour::Words, 100_000);
    let mut conversation = String::new();
    for n in 0..many() {
        let content = if n % 10 == 0 { long.as_str() } else { "Hello" };
        let message = json!({
            "contact_id": person, "channel": "email", "account_id": account, "subject": "Hello", "send_at": send_at,
            "content": content,
        });
        conversation = text(&key.post("/messages", message).created()["conversation_id"]);
    }
    (person, conversation)
}

fn made(key: &Client, path: &str, name: &str) -> String {
    text(&key.post(path, json!({"name": name})).created()["id"])
}

/// Creates many records in bulk requests; returns their ids.
fn all_made(key: &Client, path: &str, body: impl Fn(usize) -> Value) -> Vec<String> {
    let items: Vec<Value> = (0..many()).map(|n| json!({"op": "create", "data": body(n)})).collect();
    let mut ids = Vec::new();
    for some in items.chunks(200) {
        let done = key.post(&format!("{path}/bulk"), json!({"items": some})).ok();
        for result in done["results"].as_array().into_iter().flatten() {
            assert_eq!(result["status"], 201, "{result}");
            ids.push(text(&result["id"]));
        }
    }
    ids
}

/// A contact that was merged from several, is in many projects and sequences, and has many notes, tasks and files.
fn person_with_much(key: &Client, sequence: &str) -> String {
    let ties = if is_long() { 1000 } else { 50 };
    let contact = |n: usize| json!({"first_name": "Eve", "email": format!("eve.{n}@example.com")});
    let mut parts: Vec<String> = (0..21).map(|n| text(&key.post("/contacts", contact(n)).created()["id"])).collect();
    let into = parts.remove(0);
    key.post("/contacts/merge", json!({"into": into, "from": parts})).ok();
    for n in 0..ties {
        let project = made(key, "/projects", &format!("Project {n}"));
        key.post(&format!("/projects/{project}/entries"), json!({"contact_id": into})).created();
    }
    let steps = json!([{"type": "task", "delay_days": 365}]);
    for n in 0..ties / 10 {
        let made = key.post("/sequences", json!({"name": format!("Sequence {n}"), "steps": steps})).created();
        let path = format!("/sequences/{}", text(&made["id"]));
        key.post(&format!("{path}/start"), json!({})).ok();
        key.post(&format!("{path}/enroll"), json!({"contact_ids": [into]})).ok();
    }
    key.post(&format!("/sequences/{sequence}/enroll"), json!({"contact_ids": [into]})).ok();
    all_made(key, "/tasks", |n| json!({"title": format!("Call {n}"), "contact_id": into}));
    for n in 0..ties {
        key.post(&format!("/contacts/{into}/notes"), json!({"content": format!("Note {n}")})).created();
    }
    for n in 0..ties.min(100) {
        key.upload(&format!("/contacts/{into}/files"), &format!("{n}.txt"), b"content").created();
    }
    into
}
