//! A damaged row of every kind that `relata check` reads: the check names it, reading it is an error with the id of the
//! request and never an empty value, and after a repair everything is as it was.

use serde_json::{Value, json};

use crate::damaged_rows::{Damage, stored};
use crate::dashboard::{member, owner};
use crate::enrichment::{enriched, person};
use crate::erase::{erase, finished, merge};
use crate::imports::import;
use crate::support::*;

stories![
    damaged_records_are_reported,
    damaged_history_is_reported,
    damaged_outreach_is_reported,
    damaged_administration_is_reported,
    members_of_stored_items_are_read_by_their_kind,
];

/// What the value of a column is, which decides how it is damaged.
#[derive(Clone, Copy)]
enum Is {
    Text,
    Time,
}
use Is::{Text, Time};

fn damaged<'a>(world: &'a World, table: &'static str, column: &'static str, is: Is, id: &str) -> Damage<'a> {
    match is {
        Text => Damage::new(world, table, column, id),
        Time => Damage::time(world, table, column, id),
    }
}

/// Damages the value, reads it, checks the database, and repairs the value.
#[track_caller]
fn is_reported<'a>(damage: impl FnOnce() -> Damage<'a>, read: impl Fn() -> Answer) {
    let before = read().ok();
    let damage = damage();
    damage.fails(&read);
    damage.is_found();
    damage.repair();
    let after = eventually("the repaired value", PATIENCE, || Some(read()).filter(|answer| answer.status == 200));
    assert_eq!(after.ok(), before);
}

fn id(record: &Value) -> String {
    text(&record["id"])
}

fn damaged_records_are_reported(world: &World) {
    let key = world.key("full_access");
    let made = |path: &str, body: Value| id(&key.post(path, body).created());
    let tag = made("/tags", json!({"name": "VIP"}));
    let ada = made("/contacts", json!({"first_name": "Ada"}));
    let note = made(&format!("/contacts/{ada}/notes"), json!({"content": "Called."}));
    let project = made("/projects", json!({"name": "Search"}));
    let entry = key.post(&format!("/projects/{project}/entries"), json!({"contact_id": ada})).created();
    let stage = text(&entry["stage_id"]);
    let entry = id(&entry);
    let pipeline = &key.get("/deal-pipelines").ok()[0];
    let (pipeline, deal_stage) = (id(pipeline), id(&pipeline["stages"][0]));
    let first = |path: &str| id(&key.get(path).ok()[0]);
    let (template, reason) = (first("/project-templates"), first("/reasons"));
    let csv = "email,first_name\nben@example.com,Ben\n";
    let import = id(&import(&key, json!({"collection": "contacts"}), "people.csv", csv));
    let pipeline_path = format!("/deal-pipelines/{pipeline}");
    let kinds: [(&'static str, &'static str, Is, &str, &str); 15] = [
        ("tags", "scope", Text, &tag, &format!("/tags/{tag}")),
        ("notes", "created_at", Time, &note, &format!("/notes/{note}")),
        ("project_stages", "system_category", Text, &stage, &format!("/projects/{project}")),
        ("pipeline_entries", "updated_at", Time, &entry, &format!("/pipeline-entries/{entry}")),
        ("deal_pipelines", "updated_at", Time, &pipeline, &pipeline_path),
        ("deal_stages", "updated_at", Time, &deal_stage, &pipeline_path),
        ("project_templates", "stages", Text, &template, "/project-templates"),
        ("reasons", "kind", Text, &reason, "/reasons"),
        ("imports", "status", Text, &import, &format!("/imports/{import}")),
        ("imports", "mapping", Text, &import, &format!("/imports/{import}")),
        ("imports", "ignored_columns", Text, &import, &format!("/imports/{import}")),
        ("contacts", "created_at", Time, &ada, &format!("/contacts/{ada}")),
        ("contacts", "phones", Text, &ada, &format!("/contacts/{ada}")),
        ("projects", "status", Text, &project, &format!("/projects/{project}")),
        ("projects", "updated_at", Time, &project, &format!("/projects/{project}")),
    ];
    for (table, column, is, id, path) in kinds {
        is_reported(|| damaged(world, table, column, is, id), || key.get(path));
    }
}

fn damaged_history_is_reported(world: &World) {
    let key = world.key("full_access");
    let made = |path: &str, body: Value| id(&key.post(path, body).created());
    let (ada, double) =
        (made("/contacts", json!({"first_name": "Ada"})), made("/contacts", json!({"first_name": "Ada"})));
    let deal = made("/deals", json!({"title": "Deal", "contact_ids": [ada, double]}));
    // An event, named by its place.
    let place = world.count("SELECT CAST(max(place) AS text) FROM events");
    let damage = || Damage::at(world, "events", "changes", format!("place = {place}"), place.to_string());
    is_reported(damage, || key.get("/events"));
    // The undo of a merge of two contacts of one deal.
    let merged = merge(&key, &ada, &[&double]);
    let contacts = || key.get(&format!("/deals/{deal}")).ok()["contact_ids"].clone();
    eventually("the merged contacts", PATIENCE, || (contacts() == json!([ada])).then_some(()));
    let row = format!("record = {} AND kept IS NOT NULL", stored(world, &deal));
    let damage = Damage::at(world, "merge_links", "kept", row, deal.clone());
    let undo = || key.post(&format!("/contacts/merge/{merged}/undo"), json!({}));
    damage.fails(undo);
    damage.is_found();
    damage.repair();
    eventually("the undo", PATIENCE, || (undo().status == 200).then_some(()));
    eventually("both contacts", PATIENCE, || (contacts() == json!([ada, double])).then_some(()));
    // An erasure. Only the operator's commands read the list.
    erase(&key, &double);
    finished(world);
    let list = world.file("list");
    let export = || {
        drop(std::fs::remove_file(&list));
        world.run(&["erasures", "export", &list.display().to_string()])
    };
    export().ok();
    let lines = std::fs::read_to_string(&list).expect("the list was written");
    // A line is a checksum and an entry.
    let entry = lines.lines().find_map(|line| line.find('{').map(|at| &line[at..])).expect("an entry");
    let entry: Value = serde_json::from_str(entry).expect("an entry is JSON");
    let damage = Damage::new(world, "erasures", "entry", &id(&entry));
    damage.is_found();
    let refused = export();
    assert!(refused.code != Some(0) && refused.err.contains(&damage.name()), "{refused}");
    damage.repair();
    export().ok();
}

fn damaged_outreach_is_reported(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let provider = outside.finder(world, "first", &[]);
    let ada = outside::contact(&key, "Ada", "ada@example.com");
    let made = |path: &str, body: Value| key.post(path, body).created();
    let text_of = |content: &str| json!({"contact_id": ada, "channel": "email", "subject": "Hi", "content": content});
    let message = made("/messages", text_of("Hello."));
    let (message, conversation) = (id(&message), text(&message["conversation_id"]));
    let draft = id(&made("/message-drafts", json!({"contact_id": ada, "content": "Hello"})));
    let template = id(&made("/message-templates", json!({"name": "Hello", "content": "Hello {{ first_name }}"})));
    let suppression = id(&made("/suppressions", json!({"address": "ben@example.com"})));
    let mail = "From: eve@example.com\nTo: ann@example.com\nSubject: Offer\nMessage-ID: <e@example.com>\n\nx\n";
    outside.deliver("ann@example.com", mail);
    let skipped = format!("/connected-accounts/{account}/unstored");
    let skipped_mail = eventually("the skipped mail", PATIENCE, || key.get(&skipped).page().rows.first().map(id));
    let request = id(&enriched(&key, &person(&key, "Ada", "Martin"), json!({})));
    let path = format!("/messages/{message}");
    eventually("the sent message", PATIENCE, || (key.get(&path).ok()["status"] == "sent").then_some(()));
    let (request_path, conversation_path) =
        (format!("/enrichment/{request}"), format!("/conversations/{conversation}"));
    let kinds: [(&'static str, &'static str, Is, &str, &str); 13] = [
        ("messages", "status", Text, &message, &path),
        ("messages", "attachments", Text, &message, &path),
        ("messages", "cc", Text, &message, &path),
        ("conversations", "status", Text, &conversation, &conversation_path),
        ("conversations", "channel", Text, &conversation, &conversation_path),
        ("message_drafts", "members", Text, &draft, &format!("/message-drafts/{draft}")),
        ("message_templates", "variables", Text, &template, &format!("/message-templates/{template}")),
        ("suppressions", "reason", Text, &suppression, "/suppressions"),
        ("unstored_mails", "created_at", Time, &skipped_mail, &skipped),
        ("enrichment_requests", "status", Text, &request, &request_path),
        ("enrichment_requests", "types", Text, &request, &request_path),
        ("enrichment_requests", "attempts", Text, &request, &request_path),
        ("enrichment_requests", "result", Text, &request, &request_path),
    ];
    for (table, column, is, id, path) in kinds {
        is_reported(|| damaged(world, table, column, is, id), || key.get(path));
    }
    // A provider is read when it is asked: the request waits until it is repaired.
    let damage = Damage::new(world, "enrichment_providers", "finds", &provider);
    damage.is_found();
    let bea = person(&key, "Bea", "Martin");
    let answer = key.post(&format!("/contacts/{bea}/enrich"), json!({}));
    assert_eq!(answer.status, 500, "{answer}");
    damage.is_logged();
    damage.repair();
    eventually("a request", PATIENCE, || {
        (key.post(&format!("/contacts/{bea}/enrich"), json!({})).status == 202).then_some(())
    });
}

fn damaged_administration_is_reported(world: &World) {
    let key = world.key("full_access");
    let ann = owner(world);
    member(world, "bob@example.com", "member");
    let listed = |path: &str| ann.inside("GET", path).send();
    let members = listed("/members").ok();
    let bob = members.as_array().into_iter().flatten().find(|member| member["email"] == "bob@example.com");
    let bob = text(&bob.expect("the member")["user_id"]);
    let invitation = json!({"email": "cyd@example.com", "role": "member"});
    let invited = id(&ann.inside("POST", "/invitations").json(&invitation).send().created());
    let used = id(&key.get("/me").ok()["key"]);
    is_reported(|| Damage::of(world, "members", "role", "user_id", &bob), || listed("/members"));
    is_reported(|| Damage::new(world, "invitations", "role", &invited), || listed("/invitations"));
    is_reported(|| Damage::new(world, "api_keys", "scopes", &used), || listed("/keys"));
    // A job of an unknown kind never runs, so only the check finds it.
    let job = nobody();
    world.change(&format!(
        "INSERT INTO jobs (workspace_id, id, kind, payload, run_at, wait, lease_until, attempts, created_at) \
         SELECT id, {}, 'tag.detach', '{job}', 4102444800000, 0, 0, 0, 0 FROM workspaces",
        stored(world, &job)
    ));
    world.run(&["check"]).ok();
    let damage = Damage::new(world, "jobs", "kind", &job);
    damage.is_found();
    damage.repair();
    let damage = Damage::new(world, "jobs", "payload", &job);
    damage.is_found();
    damage.repair();
    world.change(&format!("DELETE FROM jobs WHERE id = {}", stored(world, &job)));
    world.run(&["check"]).ok();
}

/// Valid JSON with members of other kinds: a rule that reads one reports it instead of continuing with an empty text.
fn members_of_stored_items_are_read_by_their_kind(world: &World) {
    let key = world.key("full_access");
    let ada = json!({"first_name": "Ada", "emails": [{"email": "ada@example.com", "type": "work"}]});
    let ada = id(&key.post("/contacts", ada).created());
    let create = ["fields", "create", "--entity", "contact", "--key", "level", "--type", "select"];
    world.run(&[&create[..], &["--options", "high,low"]].concat()).ok();
    let field = id(&key.get("/contacts/custom-fields").page().rows[0]);
    let template = key.get("/project-templates").ok()[0].clone();
    let ann = owner(world);
    // An address.
    let damage = Damage::member(world, "contacts", "emails", &ada, ("\"email\":\"ada@example.com\"", "\"email\":7"));
    damage.fails(|| key.put(&format!("/contacts/{ada}"), json!({"email": "new@example.com"})));
    damage.is_found();
    damage.repair();
    eventually("the change", PATIENCE, || {
        (key.put(&format!("/contacts/{ada}"), json!({"email": "new@example.com"})).status == 200).then_some(())
    });
    let emails = key.get(&format!("/contacts/{ada}")).ok()["emails"].clone();
    assert_eq!([&emails[0]["email"], &emails[1]["email"]], ["new@example.com", "ada@example.com"]);
    // The value of an option.
    let damage = Damage::member(world, "custom_fields", "options", &field, ("\"value\":\"high\"", "\"value\":7"));
    damage.fails(|| key.get("/contacts/custom-fields"));
    damage.is_found();
    let rename = ["fields", "update", "--entity", "contact", "--key", "level", "--rename-option", "low=lower"];
    let refused = world.run(&rename);
    assert!(refused.code != Some(0) && refused.err.contains(&damage.name()), "{refused}");
    damage.repair();
    world.run(&rename).ok();
    // A stage of a template.
    let (template, stage) = (id(&template), template["stages"][0].clone());
    let name = format!("\"name\":{}", stage["name"]);
    let damage = Damage::member(world, "project_templates", "stages", &template, (&name, "\"name\":7"));
    let change =
        || ann.inside("PUT", &format!("/template-stages/{}", id(&stage))).json(&json!({"color": "#112233"})).send();
    damage.fails(change);
    damage.is_found();
    damage.repair();
    eventually("the change", PATIENCE, || (change().status == 200).then_some(()));
    let template = &key.get("/project-templates").ok()[0];
    assert_eq!([&template["stages"][0]["name"], &template["stages"][0]["color"]], [&stage["name"], &json!("#112233")]);
    // A missing count of a sequence.
    let sequence = id(&key.post("/sequences", json!({"name": "S", "steps": [{"type": "call"}]})).created());
    key.post(&format!("/sequences/{sequence}/start"), json!({})).ok();
    let damage = Damage::member(world, "sequences", "enrollments", &sequence, ("\"active\"", "\"activ\""));
    damage.fails(|| key.post(&format!("/sequences/{sequence}/enroll"), json!({"contact_ids": [ada]})));
    damage.is_found();
    damage.repair();
    let enroll = || key.post(&format!("/sequences/{sequence}/enroll"), json!({"contact_ids": [ada]}));
    eventually("the enrollment", PATIENCE, || (enroll().status == 200).then_some(()));
    assert_eq!(key.get(&format!("/sequences/{sequence}")).ok()["enrollments"]["active"], 1);
    // The id of a step.
    let steps = json!({"steps": [{"type": "email", "subject": "Hi", "body": "Hello"}]});
    let sequence = key.post("/sequences", json!({"name": "T", "steps": steps["steps"]})).created();
    let (sequence, step) = (id(&sequence), id(&sequence["steps"][0]));
    let row = format!("sequence_id = {}", stored(world, &sequence));
    let damage = Damage::member_at(world, "sequence_versions", "steps", row, sequence.clone(), (&step, "nonsense"));
    damage.fails(|| key.put(&format!("/sequences/{sequence}"), steps.clone()));
    damage.is_found();
    damage.repair();
}
