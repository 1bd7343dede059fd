//! Tasks: assignee, due date, and the records that they are about.

use serde_json::{Value, json};

use crate::imports;
use crate::support::*;

stories![
    a_bare_task_has_every_member,
    a_full_task_is_returned_as_sent,
    invalid_members_are_refused_by_name,
    a_change_touches_only_what_is_sent,
    completion_follows_the_status,
    a_task_is_deleted_for_good,
    a_task_can_be_assigned_to_another_member,
    tasks_refer_to_records_of_their_own_workspace,
    a_task_can_be_about_a_project_and_a_deal,
    tasks_are_filtered,
    tasks_are_sorted_by_the_meaning_of_words,
    paging_by_enumerated_fields_is_stable,
    tasks_are_synchronized,
    a_contacts_tasks_are_listed_below_it,
    tasks_are_on_the_timelines_of_their_records,
    a_task_does_not_change_its_record,
    tasks_follow_a_merge_and_its_undo,
    undoing_an_import_keeps_records_with_tasks,
    many_tasks_are_written_in_one_request,
    tasks_have_scopes_of_their_own,
];

#[track_caller]
fn task(key: &Client, body: Value) -> Value {
    key.post("/tasks", body).created()
}

fn path(task: &Value) -> String {
    format!("/tasks/{}", text(&task["id"]))
}

#[track_caller]
fn person(key: &Client, first_name: &str) -> Value {
    key.post("/contacts", json!({"first_name": first_name})).created()
}

#[track_caller]
fn titles(key: &Client, parameters: &[(&str, &str)]) -> String {
    key.list("/tasks", parameters).page().column("title").join(" ")
}

fn a_bare_task_has_every_member(world: &World) {
    let key = world.key("full_access");
    let answer = key.post("/tasks", json!({"title": " Call Ada "}));
    let made = answer.created();
    assert_eq!(answer.header("Location"), format!("/api/v1{}", path(&made)));
    let expected = json!({
        "id": made["id"], "title": "Call Ada", "description": null, "type": "todo", "status": "todo",
        "priority": "medium", "due_date": null, "assigned_to": key.get("/me").ok()["user"]["user_id"],
        "contact_id": null, "company_id": null, "deal_id": null, "project_id": null, "completed_at": null,
        "created_at": made["created_at"], "updated_at": made["created_at"],
    });
    assert_eq!(made, expected);
    assert_eq!(key.get(&path(&made)).ok(), made);
    assert_eq!(key.get("/tasks").page().rows, [made]);
}

fn a_full_task_is_returned_as_sent(world: &World) {
    let key = world.key("full_access");
    let company = key.post("/companies", json!({"name": "Acme"})).created();
    let sent = json!({
        "title": "Interview", "description": "First round.", "type": "interview", "status": "todo", "priority": "high",
        "due_date": "2026-02-28", "assigned_to": null, "contact_id": person(&key, "Ada")["id"],
        "company_id": company["id"],
    });
    let made = task(&key, sent.clone());
    for (member, value) in sent.as_object().into_iter().flatten() {
        assert_eq!(made[member], *value, "{member}");
    }
    let copy = task(&key, made.clone());
    assert_ne!(copy["id"], made["id"], "a record can be sent back whole");
    for kind in
        ["call", "email", "network_connect", "network_message", "chat", "todo", "reminder", "meeting", "interview"]
    {
        assert_eq!(task(&key, json!({"title": "x", "type": kind}))["type"], kind);
    }
    assert_eq!(task(&key, json!({"title": "x".repeat(255), "description": "y".repeat(10_000)}))["status"], "todo");
}

fn invalid_members_are_refused_by_name(world: &World) {
    let key = world.key("full_access");
    for (member, value) in [
        ("title", json!("")),
        ("title", json!("x".repeat(256))),
        ("title", json!(null)),
        ("description", json!("x".repeat(10_001))),
        ("type", json!("lunch")),
        ("type", json!(null)),
        ("status", json!("open")),
        ("priority", json!("urgent")),
        ("due_date", json!("2026-02-29")),
        ("due_date", json!("2026-02-28T10:00:00Z")),
        ("due_date", json!("tomorrow")),
        ("assigned_to", json!(nobody())),
        ("assigned_to", json!("me")),
        ("contact_id", json!(nobody())),
        ("contact_id", json!("Ada")),
        ("company_id", json!(nobody())),
        ("deal_id", json!(nobody())),
        ("project_id", json!(nobody())),
        ("priorty", json!("low")),
    ] {
        let mut body = json!({"title": "Call"});
        body[member] = value;
        key.post("/tasks", body).invalid(member);
    }
    key.post("/tasks", json!({})).invalid("title").says("required");
    key.post("/tasks", json!({"title": "x", "priorty": "low"})).invalid("priorty").says("did you mean priority?");
    let all = json!({"title": "x", "assigned_to": nobody(), "contact_id": nobody(), "company_id": nobody()});
    let reported = key.post("/tasks", all).invalid("assigned_to").at("contact_id").at("company_id").details();
    assert_eq!(reported[0].1, "no member has this id");
    assert_eq!(reported[1].1, "no contact has this id");
    assert_eq!(key.get("/tasks").page().total(), 0);
}

fn a_change_touches_only_what_is_sent(world: &World) {
    let key = world.key("full_access");
    let made = task(&key, json!({"title": "Call", "due_date": "2026-01-15", "priority": "high"}));
    let changed = key.put(&path(&made), json!({"title": "Call back", "due_date": null})).ok();
    assert_eq!(
        (&changed["title"], &changed["due_date"], &changed["priority"]),
        (&json!("Call back"), &json!(null), &json!("high"))
    );
    assert_ne!(changed["updated_at"], made["updated_at"]);
    let events = world.events();
    assert_eq!(key.patch(&path(&made), changed.clone()).ok(), changed, "sent back as it is, nothing changes");
    assert_eq!(world.events(), events);
    key.put(&path(&made), json!({"contact_id": nobody()})).invalid("contact_id");
    key.put(&path(&made), json!({"title": null})).invalid("title");
    key.put(&format!("/tasks/{}", nobody()), json!({"title": "x"})).not_found();
}

fn completion_follows_the_status(world: &World) {
    let key = world.key("full_access");
    let made = task(&key, json!({"title": "Call", "completed_at": "2020-01-01T00:00:00Z"}));
    assert_eq!(made["completed_at"], json!(null), "the member is read-only");
    let done = key.put(&path(&made), json!({"status": "done"})).ok();
    assert_eq!(done["completed_at"], done["updated_at"]);
    let again = key.put(&path(&made), json!({"status": "done", "title": "Called"})).ok();
    assert_eq!(again["completed_at"], done["completed_at"], "the time of completion is kept");
    let skipped = key.put(&path(&made), json!({"status": "skipped"})).ok();
    assert_eq!(skipped["completed_at"], done["completed_at"], "skipping keeps the time of completion");
    let open = key.put(&path(&made), json!({"status": "todo"})).ok();
    assert_eq!(open["completed_at"], json!(null));
    assert!(key.put(&path(&made), json!({"status": "skipped"})).ok()["completed_at"].is_string());
    let born_done = task(&key, json!({"title": "Was called", "status": "done"}));
    assert_eq!(born_done["completed_at"], born_done["created_at"]);
    assert_eq!(key.list("/tasks", &[("completed_at", "is.not_null")]).page().total(), 2);
}

fn a_task_is_deleted_for_good(world: &World) {
    let key = world.key("full_access");
    let made = task(&key, json!({"title": "Call"}));
    assert_eq!(key.delete(&path(&made)).ok(), json!({"deleted": true}));
    key.get(&path(&made)).not_found();
    key.delete(&path(&made)).not_found();
    assert_eq!(key.get("/tasks").page().total(), 0);
}

fn a_task_can_be_assigned_to_another_member(world: &World) {
    let key = world.key("full_access");
    world.cli(["members", "add", "--email", "bob@example.com", "--name", "Bob Ray"]).ok();
    let members = key.get("/workspace/members").page();
    let bob = members.rows.iter().find(|member| member["email"] == "bob@example.com").expect("he is there")["user_id"]
        .clone();
    let mine = task(&key, json!({"title": "mine"}));
    let his = task(&key, json!({"title": "his", "assigned_to": bob}));
    let nobodys = task(&key, json!({"title": "nobodys", "assigned_to": null}));
    assert_eq!(titles(&key, &[("assigned_to", &text(&bob))]), "his");
    assert_eq!(titles(&key, &[("assigned_to", &text(&mine["assigned_to"]))]), "mine");
    assert_eq!(titles(&key, &[("assigned_to", "is.null")]), "nobodys");
    key.put(&path(&nobodys), json!({"assigned_to": bob})).ok();
    key.put(&path(&his), json!({"assigned_to": null})).ok();
    assert_eq!(titles(&key, &[("assigned_to", &text(&bob))]), "nobodys");
}

fn tasks_refer_to_records_of_their_own_workspace(world: &World) {
    let key = world.key("full_access");
    let theirs = world.workspace("theirs").key("full_access");
    let ada = person(&theirs, "Ada");
    key.post("/tasks", json!({"title": "x", "contact_id": ada["id"]})).invalid("contact_id").says("no contact");
    let made = task(&theirs, json!({"title": "x", "contact_id": ada["id"]}));
    key.get(&path(&made)).not_found();
    key.post("/tasks", json!({"title": "x", "assigned_to": made["assigned_to"]})).invalid("assigned_to");
    assert_eq!(key.get("/tasks").page().total(), 0);
}

fn a_task_can_be_about_a_project_and_a_deal(world: &World) {
    let key = world.key("full_access");
    let project = key.post("/projects", json!({"name": "Engineers"})).created();
    let deal = key.post("/deals", json!({"title": "Ten engineers"})).created();
    let made = task(&key, json!({"title": "Call", "project_id": project["id"], "deal_id": deal["id"]}));
    assert_eq!((&made["project_id"], &made["deal_id"]), (&project["id"], &deal["id"]));
    task(&key, json!({"title": "Mail"}));
    for (name, kind, record) in [("project_id", "project", &project), ("deal_id", "deal", &deal)] {
        assert_eq!(titles(&key, &[(name, &text(&record["id"]))]), "Call");
        let reported = key.get(&format!("/{kind}s/{}/timeline?types=task", text(&record["id"]))).page();
        assert_eq!(reported.column("type"), ["task.created"], "{kind}");
        key.post("/tasks", json!({"title": "x", name: nobody()})).invalid(name).says(&format!("no {kind} has this id"));
    }
    let none = key.put(&path(&made), json!({"project_id": null, "deal_id": null})).ok();
    assert_eq!((&none["project_id"], &none["deal_id"]), (&json!(null), &json!(null)));
    assert_eq!(titles(&key, &[("deal_id", &text(&deal["id"]))]), "");
}

fn tasks_are_filtered(world: &World) {
    let key = world.key("full_access");
    let ada = person(&key, "Ada");
    let acme = key.post("/companies", json!({"name": "Acme"})).created();
    for body in [
        json!({"title": "a", "type": "call", "priority": "high", "due_date": "2026-01-10", "contact_id": ada["id"]}),
        json!({"title": "b", "type": "email", "status": "done", "due_date": "2026-01-11", "company_id": acme["id"]}),
        json!({"title": "c", "priority": "low", "status": "skipped", "contact_id": ada["id"], "company_id": acme["id"]}),
        json!({"title": "Write to Ada", "due_date": "2026-02-01"}),
    ] {
        task(&key, body);
    }
    let found = |name: &str, condition: &str| titles(&key, &[(name, condition), ("sort", "created_at")]);
    for (name, condition, expected) in [
        ("title", "eq.a", "a"),
        ("title", "ilike.%TO ADA", "Write to Ada"),
        ("type", "call", "a"),
        ("type", "in.(call,email)", "a b"),
        ("status", "todo", "a Write to Ada"),
        ("status", "neq.todo", "b c"),
        ("priority", "low", "c"),
        ("due_date", "2026-01-11", "b"),
        ("due_date", "lte.2026-01-11", "a b"),
        ("due_date", "gt.2026-01-11", "Write to Ada"),
        ("due_date", "is.null", "c"),
        ("contact_id", &text(&ada["id"]), "a c"),
        ("company_id", &format!("eq.{}", text(&acme["id"])), "b c"),
        ("deal_id", "is.null", "a b c Write to Ada"),
        ("project_id", &nobody(), ""),
        ("completed_at", "is.null", "a Write to Ada"),
        ("completed_at", "gt.2020-01-01", "b c"),
        ("created_at", "gt.2020-01-01", "a b c Write to Ada"),
        ("or", "(title.eq.a,status.eq.done)", "a b"),
    ] {
        assert_eq!(found(name, condition), expected, "{name}={condition}");
    }
    assert_eq!(key.list("/tasks", &[("status", "todo")]).page().total(), 2);
    key.list("/tasks", &[("due_date", "2026-01-32")]).invalid("due_date");
    key.list("/tasks", &[("description", "x")]).invalid("description");
    key.list("/tasks", &[("priority", "gt.low")]).invalid("priority");
    key.list("/tasks", &[("search", "ada")]).invalid("search");
}

/// Tasks with every priority and status, and their titles in the order of creation.
fn all_words(key: &Client) -> Vec<String> {
    let mut titles = Vec::new();
    for (n, (status, priority)) in [
        ("done", "high"),
        ("todo", "low"),
        ("skipped", "medium"),
        ("todo", "high"),
        ("done", "low"),
        ("todo", "medium"),
        ("skipped", "high"),
    ]
    .into_iter()
    .enumerate()
    {
        let title = format!("{n}{}{}", &status[..1], &priority[..1]);
        task(key, json!({"title": title, "status": status, "priority": priority}));
        titles.push(title);
    }
    titles
}

fn tasks_are_sorted_by_the_meaning_of_words(world: &World) {
    let key = world.key("full_access");
    all_words(&key);
    let sorted = |sort: &str| titles(&key, &[("sort", sort)]);
    assert_eq!(sorted("priority"), "1tl 4dl 2sm 5tm 0dh 3th 6sh");
    assert_eq!(sorted("-priority"), "6sh 3th 0dh 5tm 2sm 4dl 1tl");
    assert_eq!(sorted("status"), "1tl 3th 5tm 0dh 4dl 2sm 6sh");
    assert_eq!(sorted("-status"), "6sh 2sm 4dl 0dh 5tm 3th 1tl");
    assert_eq!(sorted("status,-priority"), "3th 5tm 1tl 0dh 4dl 6sh 2sm");
    assert_eq!(titles(&key, &[("sort", "-priority"), ("status", "todo")]), "3th 5tm 1tl");
    assert_eq!(titles(&key, &[("sort", "status"), ("priority", "high")]), "3th 0dh 6sh");
    for (title, due) in [("y", "2026-01-02"), ("x", "2026-01-01"), ("z", "2027-01-01")] {
        task(&key, json!({"title": title, "due_date": due}));
    }
    assert!(sorted("due_date").starts_with("x y z "));
    assert!(sorted("-due_date").starts_with("z y x "), "tasks without a date come last in both directions");
    assert_eq!(titles(&key, &[("sort", "due_date"), ("status", "todo"), ("limit", "4")]), "x y z 1tl");
    key.list("/tasks", &[("sort", "title")]).invalid("sort").says("due_date, created_at, updated_at");
}

fn paging_by_enumerated_fields_is_stable(world: &World) {
    let key = world.key("full_access");
    all_words(&key);
    for sort in ["priority", "-priority", "status", "-status", "status,-priority", "-priority,status"] {
        let whole = key.list("/tasks", &[("sort", sort)]).page().ids();
        let (mut seen, mut cursor) = (Vec::new(), Some(String::new()));
        while let Some(place) = cursor {
            let page = key.list("/tasks", &[("sort", sort), ("limit", "2"), ("cursor", &place)]).page();
            seen.extend(page.ids());
            cursor = page.next();
        }
        assert_eq!(seen, whole, "{sort} by cursor");
        let pages = (0..4).flat_map(|n| {
            key.list("/tasks", &[("sort", sort), ("limit", "2"), ("offset", &(2 * n).to_string())]).page().ids()
        });
        assert_eq!(pages.collect::<Vec<_>>(), whole, "{sort} by offset");
    }
    let place = key.list("/tasks", &[("sort", "status"), ("limit", "2"), ("cursor", "")]).page().next();
    key.list("/tasks", &[("sort", "priority"), ("cursor", &place.expect("there is more"))]).invalid("cursor");
}

fn tasks_are_synchronized(world: &World) {
    let key = world.key("full_access");
    let made: Vec<Value> = ["a", "b", "c"].iter().map(|title| task(&key, json!({"title": title}))).collect();
    key.put(&path(&made[0]), json!({"status": "done"})).ok();
    let after = text(&made[1]["updated_at"]);
    assert_eq!(titles(&key, &[("updated_after", &after)]), "c a", "in the order of change");
    assert_eq!(titles(&key, &[("updated_before", &after)]), "b");
    key.list("/tasks", &[("updated_after", "2026-01-01")]).invalid("updated_after");
}

fn a_contacts_tasks_are_listed_below_it(world: &World) {
    let key = world.key("full_access");
    let (ada, bob) = (person(&key, "Ada"), person(&key, "Bob"));
    for (title, contact, priority) in [("a", &ada, "low"), ("b", &bob, "low"), ("c", &ada, "high")] {
        task(&key, json!({"title": title, "contact_id": contact["id"], "priority": priority}));
    }
    let below = format!("/contacts/{}/tasks", text(&ada["id"]));
    let listed = key.get(&below).page();
    assert_eq!((listed.column("title"), listed.total()), (vec!["c".to_owned(), "a".to_owned()], 2));
    assert_eq!(key.list(&below, &[("priority", "low")]).page().column("title"), ["a"]);
    assert_eq!(key.list(&below, &[("sort", "priority"), ("limit", "1")]).page().column("title"), ["a"]);
    key.get(&format!("/contacts/{}/tasks", nobody())).not_found();
    world.key("contacts:read").get(&below).error(403, "insufficient_scope").says("tasks:read");
}

fn tasks_are_on_the_timelines_of_their_records(world: &World) {
    let key = world.key("full_access");
    let ada = person(&key, "Ada");
    let acme = key.post("/companies", json!({"name": "Acme"})).created();
    let made = task(&key, json!({"title": "Call", "contact_id": ada["id"]}));
    key.put(&path(&made), json!({"status": "done", "company_id": acme["id"], "contact_id": null})).ok();
    key.delete(&path(&made)).ok();
    let types = |on: &str| key.get(&format!("{on}/timeline?types=task")).page().column("type");
    let of_ada = format!("/contacts/{}", text(&ada["id"]));
    assert_eq!(types(&of_ada), ["task.updated", "task.created"]);
    assert_eq!(types(&format!("/companies/{}", text(&acme["id"]))), ["task.deleted", "task.updated"]);
    let reported = key.get(&format!("{of_ada}/timeline?types=task.updated")).page().rows.remove(0);
    assert_eq!(reported["record"], json!({"type": "task", "id": made["id"]}));
    assert_eq!(reported["changes"]["status"], json!(["todo", "done"]));
    assert!(reported["changes"]["completed_at"][1].is_string());
    let blind = world.key("contacts:read").get(&format!("{of_ada}/timeline")).page();
    assert_eq!(blind.column("type"), ["contact.created"], "only kinds that the key may read");
}

fn a_task_does_not_change_its_record(world: &World) {
    let key = world.key("full_access");
    let ada = person(&key, "Ada");
    task(&key, json!({"title": "Call", "contact_id": ada["id"]}));
    assert_eq!(key.get(&format!("/contacts/{}", text(&ada["id"]))).ok(), ada);
}

fn tasks_follow_a_merge_and_its_undo(world: &World) {
    let key = world.key("full_access");
    let (ada, double) = (person(&key, "Ada"), person(&key, "Ada"));
    let (acme, copy) = (
        key.post("/companies", json!({"name": "Acme"})).created(),
        key.post("/companies", json!({"name": "Acme Ltd"})).created(),
    );
    let made = task(&key, json!({"title": "Call", "contact_id": double["id"], "company_id": copy["id"]}));
    let merge = |kind: &str, into: &Value, from: &Value| {
        key.post(&format!("/{kind}/merge"), json!({"into": into["id"], "from": [from["id"]]})).ok()
    };
    let (contacts, companies) = (merge("contacts", &ada, &double), merge("companies", &acme, &copy));
    assert_eq!((&contacts["moved"]["tasks"], &companies["moved"]["tasks"]), (&json!(1), &json!(1)));
    let moved = key.get(&path(&made)).ok();
    assert_eq!((&moved["contact_id"], &moved["company_id"]), (&ada["id"], &acme["id"]));
    assert_ne!(moved["updated_at"], made["updated_at"], "a synchronization must include the task");
    assert_eq!(key.get(&format!("/contacts/{}/tasks", text(&ada["id"]))).page().total(), 1);
    let by_old_id = task(&key, json!({"title": "Mail", "contact_id": double["id"]}));
    assert_eq!(by_old_id["contact_id"], ada["id"], "a merged id means the survivor");
    assert_eq!(titles(&key, &[("contact_id", &text(&double["id"]))]), "Mail Call");

    for (kind, merge) in [("contacts", &contacts), ("companies", &companies)] {
        key.request("POST", &format!("/{kind}/merge/{}/undo", text(&merge["id"]))).send().ok();
    }
    let back = key.get(&path(&made)).ok();
    assert_eq!((&back["contact_id"], &back["company_id"]), (&double["id"], &copy["id"]));
    assert_eq!(key.get(&path(&by_old_id)).ok()["contact_id"], ada["id"], "a link made after the merge stays");
}

fn undoing_an_import_keeps_records_with_tasks(world: &World) {
    let key = world.key("full_access");
    let import = imports::import(&key, json!({"collection": "contacts"}), "people.csv", "first_name\nAda\nBob\n");
    let ada = key.list("/contacts", &[("first_name", "Ada")]).page().rows.remove(0);
    task(&key, json!({"title": "Call", "contact_id": ada["id"]}));
    key.request("POST", &format!("/imports/{}/undo", text(&import["id"]))).send().is(202);
    let undone = imports::ended(&key, &import);
    assert_eq!((&undone["removed"], &undone["kept"]), (&json!(1), &json!(1)), "{undone}");
    assert_eq!(key.get("/contacts").page().column("first_name"), ["Ada"]);
}

fn many_tasks_are_written_in_one_request(world: &World) {
    let key = world.key("full_access");
    let made = task(&key, json!({"title": "Call"}));
    let items = json!([
        {"op": "create", "data": {"title": "Mail", "due_date": "2026-01-15"}},
        {"op": "update", "id": made["id"], "data": {"status": "done"}},
        {"op": "update", "id": nobody(), "data": {"status": "done"}},
        {"op": "create", "data": {"title": "x", "contact_id": nobody()}},
        {"op": "upsert", "data": {"title": "x"}},
    ]);
    let results = key.post("/tasks/bulk", json!({"items": items})).ok()["results"].clone();
    let statuses: Vec<u64> = (0..5).map(|n| results[n]["status"].as_u64().expect("a status")).collect();
    assert_eq!(statuses, [201, 200, 404, 400, 400], "{results}");
    assert_eq!(results[3]["error"]["details"][0]["field"], "contact_id");
    assert!(key.get(&path(&made)).ok()["completed_at"].is_string());
    assert_eq!(titles(&key, &[("sort", "created_at")]), "Call Mail");
    key.post("/tasks/bulk", json!({"items": items, "atomic": true})).invalid("items.3.data.contact_id");
    assert_eq!(key.get("/tasks").page().total(), 2);
}

fn tasks_have_scopes_of_their_own(world: &World) {
    let (reader, writer) = (world.key("tasks:read"), world.key("tasks:write"));
    let made = task(&writer, json!({"title": "Call"}));
    writer.get("/tasks").error(403, "insufficient_scope").says("tasks:read");
    assert_eq!(reader.get(&path(&made)).ok(), made);
    reader.put(&path(&made), json!({"title": "x"})).error(403, "insufficient_scope").says("tasks:write");
    reader.delete(&path(&made)).error(403, "insufficient_scope").says("tasks:write");
}
