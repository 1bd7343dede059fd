//! Pipeline entries: candidates in projects, from the first stage to the last.

use serde_json::{Value, json};

use crate::imports;
use crate::support::*;

stories![
    a_contact_becomes_a_candidate,
    adding_again_returns_the_same_entry,
    an_entry_moves_between_the_stages_of_its_project,
    an_entry_is_rated_and_noted,
    a_rejection_reason_is_removed_with_the_rejection,
    an_entry_can_be_read_changed_and_sent_back,
    invalid_entries_are_refused,
    an_archived_project_accepts_no_entries,
    an_entry_is_removed,
    an_entry_is_the_same_with_and_without_its_project,
    counts_per_stage_are_kept,
    entries_are_filtered_and_sorted,
    a_stages_name_is_not_an_id,
    entries_of_a_project_are_followed,
    a_contact_has_entries,
    contacts_are_searched_by_project,
    timelines_have_events_of_entries,
    entries_have_scopes_of_their_own,
    entries_of_another_workspace_are_hidden,
    merged_contacts_keep_the_further_entry,
    a_contact_with_an_entry_stays_when_its_import_is_undone,
    many_entries_go_in_one_request,
    a_full_project_is_paged_in_any_order,
];

const SCOPES: &str =
    "projects:read,projects:write,pipeline:read,pipeline:write,contacts:read,contacts:write,contacts:delete";

/// A project, and its stages by category.
struct Board<'a> {
    key: &'a Client,
    id: String,
    stages: Vec<Value>,
}

impl<'a> Board<'a> {
    #[track_caller]
    fn new(key: &'a Client, name: &str) -> Board<'a> {
        let project = key.post("/projects", json!({"name": name})).created();
        let stages = project["pipeline"]["stages"].as_array().expect("a list").clone();
        Board { key, id: text(&project["id"]), stages }
    }

    #[track_caller]
    fn stage(&self, category: &str) -> String {
        let stage = self.stages.iter().find(|stage| stage["system_category"] == category);
        text(&stage.unwrap_or_else(|| panic!("no stage {category}"))["id"])
    }

    fn path(&self) -> String {
        format!("/projects/{}/entries", self.id)
    }

    fn of(&self, entry: &Value) -> String {
        format!("{}/{}", self.path(), text(&entry["id"]))
    }

    #[track_caller]
    fn add(&self, contact: &Value) -> Value {
        self.key.post(&self.path(), json!({"contact_id": contact["id"]})).created()
    }

    #[track_caller]
    fn add_to(&self, contact: &Value, category: &str) -> Value {
        self.key.post(&self.path(), json!({"contact_id": contact["id"], "stage_id": self.stage(category)})).created()
    }

    #[track_caller]
    fn move_to(&self, entry: &Value, category: &str) -> Value {
        self.key.put(&self.of(entry), json!({"stage_id": self.stage(category)})).ok()
    }

    #[track_caller]
    fn project(&self) -> Value {
        self.key.get(&format!("/projects/{}", self.id)).ok()
    }

    /// The number of candidates in each stage, and in total.
    #[track_caller]
    fn counts(&self) -> (Vec<u64>, u64) {
        let project = self.project();
        let stages = project["pipeline"]["stages"].as_array().expect("a list");
        let count = |value: &Value| value["entries_count"].as_u64().expect("a count");
        (stages.iter().map(count).collect(), count(&project))
    }
}

#[track_caller]
fn contact(key: &Client, first_name: &str) -> Value {
    key.post("/contacts", json!({"first_name": first_name})).created()
}

fn alone(entry: &Value) -> String {
    format!("/pipeline-entries/{}", text(&entry["id"]))
}

fn timeline(key: &Client, record: &str) -> Page {
    key.get(&format!("{record}/timeline")).page()
}

fn a_contact_becomes_a_candidate(world: &World) {
    let key = world.key(SCOPES);
    let board = Board::new(&key, "CTO");
    let body = json!({"first_name": "Ada", "last_name": "Martin", "title": "Engineer", "current_company": "Acme",
        "location": "Lyon", "network_profile": "https://network.example.com/in/ada", "email": "ada@example.com"});
    let ada = key.post("/contacts", body).created();
    let answer = key.post(&board.path(), json!({"contact_id": ada["id"]}));
    let entry = answer.created();
    assert_eq!(answer.header("Location"), format!("/api/v1{}", board.of(&entry)));
    assert_eq!((&entry["project_id"], &entry["contact_id"]), (&json!(board.id), &ada["id"]));
    assert_eq!(entry["stage_id"], board.stages[0]["id"]);
    assert_eq!(entry["stage"], json!({"id": board.stages[0]["id"], "name": "Sourced"}));
    let summary =
        ["id", "first_name", "last_name", "title", "current_company", "location", "network_profile", "global_status"];
    let shown = entry["contact"].as_object().expect("a summary");
    assert_eq!(shown.len(), summary.len(), "{shown:?}");
    for name in summary {
        assert_eq!(shown[name], ada[name], "{name}");
    }
    for empty in ["rating", "notes", "rejection_reason_id"] {
        assert_eq!(entry[empty], Value::Null, "{empty}");
    }
    assert_eq!(entry["created_at"], entry["updated_at"]);
    assert!(entry.get("project").is_none() && entry.get("moved_at").is_none(), "{entry}");
    assert_eq!(key.get(&board.of(&entry)).ok(), entry);
    assert_eq!(key.get(&board.path()).page().rows, [entry]);
    let given = json!({"contact_id": contact(&key, "Bob")["id"], "stage_id": board.stage("interview"), "rating": 4, "notes": "Knows us."});
    let bob = key.post(&board.path(), given).created();
    assert_eq!(
        (&bob["stage"]["name"], &bob["rating"], &bob["notes"]),
        (&json!("Interview"), &json!(4), &json!("Knows us."))
    );
}

fn adding_again_returns_the_same_entry(world: &World) {
    let key = world.key(SCOPES);
    let board = Board::new(&key, "CTO");
    let ada = contact(&key, "Ada");
    let entry = board.add(&ada);
    let moved = board.move_to(&entry, "offer");
    let events = world.events();
    let again =
        key.post(&board.path(), json!({"contact_id": ada["id"], "stage_id": board.stage("sourced"), "rating": 1}));
    assert_eq!(again.ok(), moved);
    assert!(again.find_header("Location").is_none());
    assert_eq!((board.counts().1, world.events()), (1, events));
    // In another project the contact is another candidate.
    let other = Board::new(&key, "CFO").add(&ada);
    assert_ne!(other["id"], entry["id"]);
    // Concurrent requests create one entry.
    let bob = contact(&key, "Bob");
    let statuses = at_once(8, |_| key.post(&board.path(), json!({"contact_id": bob["id"]})).status);
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
    assert_eq!(board.counts().1, 2);
}

fn an_entry_moves_between_the_stages_of_its_project(world: &World) {
    let key = world.key(SCOPES);
    let (board, other) = (Board::new(&key, "CTO"), Board::new(&key, "CFO"));
    let entry = board.add(&contact(&key, "Ada"));
    for category in ["hired", "contacted", "rejected", "sourced"] {
        let moved = board.move_to(&entry, category);
        assert_eq!(moved["stage_id"], board.stage(category), "any to any");
    }
    let before = key.get(&board.of(&entry)).ok();
    let refused = key.put(&board.of(&entry), json!({"stage_id": other.stage("offer")}));
    refused.invalid("stage_id").says("not a stage of this project");
    key.put(&alone(&entry), json!({"stage_id": nobody()})).invalid("stage_id");
    key.put(&alone(&entry), json!({"stage_id": "Offer"})).invalid("stage_id").says("uuid");
    key.put(&alone(&entry), json!({"stage_id": null})).invalid("stage_id").says("null");
    assert_eq!(key.get(&board.of(&entry)).ok(), before);
    let events = world.events();
    assert_eq!(board.move_to(&entry, "sourced"), before, "moving to the current stage changes nothing");
    assert_eq!(world.events(), events);
}

fn an_entry_is_rated_and_noted(world: &World) {
    let key = world.key(SCOPES);
    let board = Board::new(&key, "CTO");
    let entry = board.add(&contact(&key, "Ada"));
    for rating in [1, 5] {
        assert_eq!(key.put(&board.of(&entry), json!({"rating": rating})).ok()["rating"], rating);
    }
    let changed = key.patch(&alone(&entry), json!({"notes": "x".repeat(10_000), "rating": null})).ok();
    assert_eq!((&changed["rating"], text(&changed["notes"]).len()), (&Value::Null, 10_000));
    for (body, field) in [
        (json!({"rating": 0}), "rating"),
        (json!({"rating": 6}), "rating"),
        (json!({"rating": 2.5}), "rating"),
        (json!({"rating": "5"}), "rating"),
        (json!({"notes": "x".repeat(10_001)}), "notes"),
    ] {
        key.put(&alone(&entry), body).invalid(field);
    }
    assert_eq!(key.get(&alone(&entry)).ok()["updated_at"], changed["updated_at"]);
}

#[track_caller]
fn reason(key: &Client, kind: &str) -> String {
    text(&key.get(&format!("/reasons?kind={kind}")).page().rows[0]["id"])
}

fn a_rejection_reason_is_removed_with_the_rejection(world: &World) {
    let key = world.key(SCOPES);
    let board = Board::new(&key, "CTO");
    let why = reason(&key, "rejection");
    let entry = board.add(&contact(&key, "Ada"));
    let early = key.put(&board.of(&entry), json!({"rejection_reason_id": why}));
    early.invalid("rejection_reason_id").says("category rejected");
    let rejected =
        key.put(&board.of(&entry), json!({"stage_id": board.stage("rejected"), "rejection_reason_id": why})).ok();
    assert_eq!(rejected["rejection_reason_id"], why);
    // The reason can be removed and set again without a move.
    assert_eq!(key.put(&alone(&entry), json!({"rejection_reason_id": null})).ok()["rejection_reason_id"], Value::Null);
    assert_eq!(key.put(&alone(&entry), json!({"rejection_reason_id": why})).ok()["rejection_reason_id"], why);
    key.put(&alone(&entry), json!({"rating": 2})).ok();
    assert_eq!(key.get(&alone(&entry)).ok()["rejection_reason_id"], why, "a change of something else leaves it");
    // A record that is read, moved and sent back loses the reason.
    let mut read = key.get(&board.of(&entry)).ok();
    read["stage_id"] = board.stage("interview").into();
    let back = key.put(&board.of(&entry), read).ok();
    assert_eq!((&back["stage"]["name"], &back["rejection_reason_id"]), (&json!("Interview"), &Value::Null));
    for wrong in [nobody(), reason(&key, "loss"), reason(&key, "source")] {
        let body = json!({"stage_id": board.stage("rejected"), "rejection_reason_id": wrong});
        key.put(&alone(&entry), body).invalid("rejection_reason_id").says("no reason has this id");
    }
    let bob = json!({"contact_id": contact(&key, "Bob")["id"], "stage_id": board.stage("rejected"), "rejection_reason_id": why});
    assert_eq!(key.post(&board.path(), bob).created()["rejection_reason_id"], why);
    let cyd = json!({"contact_id": contact(&key, "Cyd")["id"], "rejection_reason_id": why});
    key.post(&board.path(), cyd).invalid("rejection_reason_id");
}

fn an_entry_can_be_read_changed_and_sent_back(world: &World) {
    let key = world.key(SCOPES);
    let board = Board::new(&key, "CTO");
    let entry = board.add(&contact(&key, "Ada"));
    for path in [board.of(&entry), alone(&entry)] {
        let mut read = key.get(&path).ok();
        read["notes"] = format!("Sent to {path}").into();
        let mut sent = key.put(&path, read.clone()).ok();
        assert!(text(&sent["updated_at"]) > text(&read["updated_at"]));
        sent["updated_at"] = read["updated_at"].clone();
        assert_eq!(sent, read);
    }
}

fn invalid_entries_are_refused(world: &World) {
    let key = world.key(SCOPES);
    let board = Board::new(&key, "CTO");
    let ada = contact(&key, "Ada");
    for (body, field, why) in [
        (json!({}), "contact_id", "required"),
        (json!({"contact_id": null}), "contact_id", "null"),
        (json!({"contact_id": "ada"}), "contact_id", "uuid"),
        (json!({"contact_id": nobody()}), "contact_id", "no contact"),
        (json!({"contact_id": ada["id"], "stage_id": nobody()}), "stage_id", "not a stage"),
        (json!({"contact_id": ada["id"], "rating": 9}), "rating", "from 1 to 5"),
        (json!({"contact_id": ada["id"], "ratng": 3}), "ratng", "rating"),
        (json!({"contact_id": ada["id"], "moved_at": null}), "moved_at", "not a member"),
    ] {
        key.post(&board.path(), body).invalid(field).says(why);
    }
    let both = key.post(&board.path(), json!({"contact_id": nobody(), "stage_id": nobody()}));
    assert_eq!(both.error(400, "validation_error").details().len(), 2, "all problems at once");
    assert_eq!(board.counts().1, 0);
    key.post(&format!("/projects/{}/entries", nobody()), json!({"contact_id": ada["id"]})).not_found();
    let entry = board.add(&ada);
    let bob = contact(&key, "Bob");
    for other in [text(&bob["id"]), nobody()] {
        key.put(&alone(&entry), json!({"contact_id": other})).invalid("contact_id").says("can't be changed");
    }
    key.put(&alone(&entry), json!({"contact_id": ada["id"]})).ok();
}

fn an_archived_project_accepts_no_entries(world: &World) {
    let key = world.key(SCOPES);
    let board = Board::new(&key, "CTO");
    let (ada, bob) = (contact(&key, "Ada"), contact(&key, "Bob"));
    let entry = board.add(&ada);
    key.put(&format!("/projects/{}", board.id), json!({"status": "archived"})).ok();
    let refused = key.post(&board.path(), json!({"contact_id": bob["id"]}));
    refused.error(400, "validation_error").says("archived");
    assert_eq!(
        key.post(&board.path(), json!({"contact_id": ada["id"]})).ok(),
        entry,
        "an existing candidate is returned"
    );
    board.move_to(&entry, "hired");
    key.put(&format!("/projects/{}", board.id), json!({"status": "active"})).ok();
    board.add(&bob);
}

fn an_entry_is_removed(world: &World) {
    let key = world.key(SCOPES);
    let board = Board::new(&key, "CTO");
    let (ada, bob) = (contact(&key, "Ada"), contact(&key, "Bob"));
    let (first, second) = (board.add(&ada), board.add(&bob));
    assert_eq!(key.delete(&board.of(&first)).ok(), json!({"deleted": true}));
    assert_eq!(key.delete(&alone(&second)).ok(), json!({"deleted": true}));
    for entry in [&first, &second] {
        key.get(&board.of(entry)).not_found();
        key.get(&alone(entry)).not_found();
        key.put(&alone(entry), json!({"rating": 1})).not_found();
        key.delete(&alone(entry)).not_found();
    }
    assert_eq!((board.counts().1, key.get(&board.path()).page().total()), (0, 0));
    let reported = &timeline(&key, &format!("/contacts/{}", text(&ada["id"]))).rows[0];
    assert_eq!((&reported["type"], &reported["record"]["id"]), (&json!("entry.deleted"), &first["id"]));
    assert_eq!(reported["changes"]["project_id"], json!([board.id, null]));
    assert_eq!(reported["changes"]["contact_id"], json!([ada["id"], null]));
    // A removed candidate can be added again, as a new entry.
    assert_ne!(board.add(&ada)["id"], first["id"]);
}

fn an_entry_is_the_same_with_and_without_its_project(world: &World) {
    let key = world.key(SCOPES);
    let (board, other) = (Board::new(&key, "CTO"), Board::new(&key, "CFO"));
    let entry = board.add(&contact(&key, "Ada"));
    let mut whole = key.get(&alone(&entry)).ok();
    assert_eq!(whole["project"], json!({"id": board.id, "name": "CTO", "status": "active"}));
    whole.as_object_mut().expect("an object").remove("project");
    assert_eq!(whole, entry);
    key.get(&other.of(&entry)).not_found();
    key.put(&other.of(&entry), json!({"rating": 1})).not_found();
    key.delete(&other.of(&entry)).not_found();
    key.get(&format!("/projects/{}/entries/{}", nobody(), text(&entry["id"]))).not_found();
}

fn counts_per_stage_are_kept(world: &World) {
    let key = world.key(SCOPES);
    let board = Board::new(&key, "CTO");
    let entries: Vec<Value> = (0..5).map(|number| board.add(&contact(&key, &format!("Ada {number}")))).collect();
    assert_eq!(board.counts(), (vec![5, 0, 0, 0, 0, 0, 0], 5));
    let before = board.project();
    board.move_to(&entries[0], "contacted");
    board.move_to(&entries[1], "contacted");
    board.move_to(&entries[2], "rejected");
    key.delete(&board.of(&entries[3])).ok();
    assert_eq!(board.counts(), (vec![1, 2, 0, 0, 0, 0, 1], 4));
    assert_eq!(board.project()["updated_at"], before["updated_at"], "a count changes `updated_at`");
    assert_eq!(key.get("/projects").page().rows[0]["entries_count"], 4);
    let contacted = board.stage("contacted");
    assert_eq!(key.list(&board.path(), &[("stage_id", &contacted)]).page().total(), 2);
}

fn entries_are_filtered_and_sorted(world: &World) {
    let key = world.key(SCOPES);
    let board = Board::new(&key, "CTO");
    let why = reason(&key, "rejection");
    let people = ["Ada", "Béla", "Cyd", "Dan"].map(|name| contact(&key, name));
    let add = |who: &Value, body: Value| {
        let mut body = body;
        body["contact_id"] = who["id"].clone();
        key.post(&board.path(), body).created()
    };
    add(&people[0], json!({"rating": 3}));
    add(&people[1], json!({"rating": 5, "stage_id": board.stage("interview")}));
    add(&people[2], json!({"stage_id": board.stage("rejected"), "rejection_reason_id": why}));
    let dan = add(&people[3], json!({"rating": 3, "stage_id": board.stage("interview")}));
    Board::new(&key, "CFO").add(&people[0]);
    let (interview, offer, ada) = (board.stage("interview"), board.stage("offer"), text(&people[0]["id"]));
    let among = format!("in.({interview},{})", board.stage("rejected"));
    for (parameters, expected) in [
        (&[][..], &["Dan", "Cyd", "Béla", "Ada"][..]),
        (&[("sort", "created_at")], &["Ada", "Béla", "Cyd", "Dan"]),
        (&[("sort", "rating")], &["Ada", "Dan", "Béla", "Cyd"]),
        (&[("sort", "-rating")], &["Béla", "Dan", "Ada", "Cyd"]),
        (&[("sort", "-rating,created_at")], &["Béla", "Ada", "Dan", "Cyd"]),
        (&[("sort", "-updated_at")], &["Dan", "Cyd", "Béla", "Ada"]),
        (&[("stage_id", &interview)], &["Dan", "Béla"]),
        (&[("stage_id", &interview), ("sort", "-rating")], &["Béla", "Dan"]),
        (&[("stage_id", &among)], &["Dan", "Cyd", "Béla"]),
        (&[("stage_id", &offer)], &[]),
        (&[("rating", "gte.4")], &["Béla"]),
        (&[("rating", "is.null")], &["Cyd"]),
        (&[("rating", "in.(3,5)"), ("stage_id", &interview)], &["Dan", "Béla"]),
        (&[("contact_id", &ada)], &["Ada"]),
        (&[("project_id", &board.id)], &["Dan", "Cyd", "Béla", "Ada"]),
        (&[("project_id", &nobody())], &[]),
        (&[("rejection_reason_id", &why)], &["Cyd"]),
        (&[("rejection_reason_id", "is.not_null")], &["Cyd"]),
        (&[("or", "(rating.eq.5,rating.is.null)")], &["Cyd", "Béla"]),
        (&[("created_at", "gt.2999-01-01")], &[]),
    ] {
        let page = key.list(&board.path(), parameters).page();
        let names: Vec<String> = page.rows.iter().map(|row| text(&row["contact"]["first_name"])).collect();
        assert_eq!(names, expected, "{parameters:?}");
        assert_eq!(page.total(), expected.len() as u64, "{parameters:?}");
    }
    let (mut seen, mut cursor) = (Vec::new(), Some(String::new()));
    while let Some(place) = cursor {
        let page = key.list(&board.path(), &[("sort", "-rating"), ("limit", "1"), ("cursor", &place)]).page();
        cursor = page.next();
        seen.extend(page.rows.iter().map(|row| text(&row["contact"]["first_name"])));
    }
    assert_eq!(seen, ["Béla", "Dan", "Ada", "Cyd"], "page by page");
    assert_eq!(key.list(&board.path(), &[("offset", "3")]).page().rows[0]["contact"]["first_name"], "Ada");
    for (name, value) in
        [("notes", "x"), ("moved_at", "2026-01-01"), ("search", "Ada"), ("rating", "good"), ("first_name", "Ada")]
    {
        key.list(&board.path(), &[(name, value)]).invalid(name);
    }
    key.list(&board.path(), &[("sort", "stage_id")]).invalid("sort").says("rating");
    assert_eq!(text(&dan["contact_id"]), text(&people[3]["id"]));
}

fn a_stages_name_is_not_an_id(world: &World) {
    let key = world.key(SCOPES);
    let board = Board::new(&key, "CTO");
    board.add(&contact(&key, "Ada"));
    key.list(&board.path(), &[("stage_id", "Sourced")]).invalid("stage_id").says("an id is needed here, not a name");
    key.list(&board.path(), &[("stage_id", "in.(Sourced,Offer)")]).invalid("stage_id").says("not a name");
    key.list(&board.path(), &[("stage", "Sourced")]).invalid("stage").says("stage_id");
}

fn entries_of_a_project_are_followed(world: &World) {
    let key = world.key(SCOPES);
    let board = Board::new(&key, "CTO");
    let [one, two, three] = ["Ada", "Bob", "Cyd"].map(|name| board.add(&contact(&key, name)));
    let seen = |parameters: &[(&str, &str)]| key.list(&board.path(), parameters).page().ids();
    let (first, last) = (text(&one["updated_at"]), text(&three["updated_at"]));
    assert_eq!(seen(&[("updated_after", &first)]), [text(&two["id"]), text(&three["id"])]);
    assert_eq!(seen(&[("updated_after", &first), ("updated_before", &text(&two["updated_at"]))]), [text(&two["id"])]);
    board.move_to(&one, "offer");
    assert_eq!(seen(&[("updated_after", &last)]), [text(&one["id"])]);
    // A change of the contact does not change the entry.
    key.put(&format!("/contacts/{}", text(&two["contact_id"])), json!({"title": "CTO"})).ok();
    assert_eq!(seen(&[("updated_after", &last)]), [text(&one["id"])]);
}

fn a_contact_has_entries(world: &World) {
    let key = world.key(SCOPES);
    let (board, other) = (Board::new(&key, "CTO"), Board::new(&key, "CFO"));
    let ada = contact(&key, "Ada");
    board.add(&ada);
    other.add_to(&ada, "offer");
    board.add(&contact(&key, "Bob"));
    let path = format!("/contacts/{}/entries", text(&ada["id"]));
    let page = key.get(&path).page();
    let shown: Vec<(String, String)> =
        page.rows.iter().map(|row| (text(&row["project"]["name"]), text(&row["stage"]["name"]))).collect();
    assert_eq!(shown, [("CFO".to_owned(), "Offer".to_owned()), ("CTO".to_owned(), "Sourced".to_owned())]);
    assert_eq!(page.total(), 2);
    assert_eq!(key.list(&path, &[("project_id", &board.id)]).page().total(), 1);
    key.get(&format!("/contacts/{}/entries", nobody())).not_found();
    world.key("contacts:read").get(&path).error(403, "insufficient_scope").says("pipeline:read");
}

fn contacts_are_searched_by_project(world: &World) {
    let key = world.key(SCOPES);
    let (board, other) = (Board::new(&key, "CTO"), Board::new(&key, "CFO"));
    let people = ["Ada", "Bob", "Cyd"].map(|name| contact(&key, name));
    let entry = board.add(&people[0]);
    board.add(&people[1]);
    other.add(&people[2]);
    let found = |body: Value| key.post("/contacts/search", body).page();
    let page = found(json!({"project_id": board.id, "sort_by": "first_name"}));
    assert_eq!((page.column("first_name"), page.total()), (vec!["Ada".to_owned(), "Bob".to_owned()], 2));
    assert_eq!(found(json!({"project_id": board.id, "query": "bo"})).column("first_name"), ["Bob"]);
    assert_eq!(found(json!({"project_id": other.id})).column("first_name"), ["Cyd"]);
    assert_eq!(found(json!({"project_id": null})).total(), 3);
    key.delete(&board.of(&entry)).ok();
    assert_eq!(found(json!({"project_id": board.id})).column("first_name"), ["Bob"]);
    key.post("/contacts/search", json!({"project_id": nobody()})).invalid("project_id").says("no project");
    key.post("/contacts/search", json!({"project_id": "CTO"})).invalid("project_id").says("uuid");
}

fn timelines_have_events_of_entries(world: &World) {
    let key = world.key(SCOPES);
    let board = Board::new(&key, "CTO");
    let ada = contact(&key, "Ada");
    let entry = board.add(&ada);
    world.change("UPDATE pipeline_entries SET moved_at = moved_at - 90500");
    key.put(&board.of(&entry), json!({"stage_id": board.stage("interview"), "rating": 4})).ok();
    key.put(&board.of(&entry), json!({"rating": 5})).ok();
    let why = reason(&key, "rejection");
    key.put(&board.of(&entry), json!({"stage_id": board.stage("rejected"), "rejection_reason_id": why})).ok();
    board.move_to(&entry, "offer");
    key.delete(&board.of(&entry)).ok();
    let types = ["entry.deleted", "entry.moved", "entry.rejected", "entry.updated", "entry.moved", "entry.created"];
    let of_contact = timeline(&key, &format!("/contacts/{}", text(&ada["id"])));
    assert_eq!(of_contact.column("type")[..6], types);
    let of_project = timeline(&key, &format!("/projects/{}", board.id));
    assert_eq!(of_project.rows[..6], of_contact.rows[..6]);
    assert_eq!(of_project.column("type")[6], "project.created");
    let changes = |at: usize| of_contact.rows[at]["changes"].clone();
    assert_eq!(changes(5)["project_id"], json!([null, board.id]));
    assert_eq!(changes(5)["stage_id"], json!([null, board.stage("sourced")]));
    let moved = json!({"stage_id": [board.stage("sourced"), board.stage("interview")], "rating": [null, 4], "time_in_stage": changes(4)["time_in_stage"]});
    assert_eq!(changes(4), moved);
    let seconds = changes(4)["time_in_stage"][0].as_i64().expect("seconds");
    assert!((90..150).contains(&seconds), "{seconds}");
    assert_eq!(changes(3), json!({"rating": [4, 5]}));
    assert_eq!(changes(2)["rejection_reason_id"], json!([null, why]));
    assert!(changes(2)["time_in_stage"][0].as_i64().expect("seconds") < 60, "it counts from the last move");
    assert_eq!(changes(1)["rejection_reason_id"], json!([why, null]));
    assert_eq!(key.get(&format!("/projects/{}/timeline?types=entry.moved", board.id)).page().rows.len(), 2);
    let narrow = world.key("contacts:read,projects:read");
    assert_eq!(timeline(&narrow, &format!("/projects/{}", board.id)).column("type"), ["project.created"]);
    assert_eq!(timeline(&narrow, &format!("/contacts/{}", text(&ada["id"]))).column("type"), ["contact.created"]);
}

fn entries_have_scopes_of_their_own(world: &World) {
    let key = world.key(SCOPES);
    let board = Board::new(&key, "CTO");
    let entry = board.add(&contact(&key, "Ada"));
    let reader = world.key("pipeline:read");
    assert_eq!(reader.get(&board.of(&entry)).ok(), entry, "the summary comes with the entry");
    reader.put(&alone(&entry), json!({"rating": 1})).error(403, "insufficient_scope").says("pipeline:write");
    let writer = world.key("pipeline:write");
    writer.get(&alone(&entry)).error(403, "insufficient_scope").says("pipeline:read");
    assert_eq!(writer.put(&alone(&entry), json!({"rating": 1})).ok()["rating"], 1);
    world.key("projects:read").get(&board.path()).error(403, "insufficient_scope").says("pipeline:read");
}

fn entries_of_another_workspace_are_hidden(world: &World) {
    let (ours, theirs) = (world.key(SCOPES), world.workspace("theirs").key(SCOPES));
    let (board, their_board) = (Board::new(&ours, "CTO"), Board::new(&theirs, "CTO"));
    let ada = contact(&theirs, "Ada");
    let entry = their_board.add(&ada);
    ours.get(&alone(&entry)).not_found();
    ours.put(&alone(&entry), json!({"rating": 1})).not_found();
    ours.delete(&alone(&entry)).not_found();
    ours.get(&their_board.path()).not_found();
    ours.post(&board.path(), json!({"contact_id": ada["id"]})).invalid("contact_id");
    let mine = board.add(&contact(&ours, "Bob"));
    ours.put(&alone(&mine), json!({"stage_id": their_board.stage("offer")})).invalid("stage_id");
    assert_eq!(theirs.get(&alone(&entry)).ok()["rating"], Value::Null);
}

fn merged_contacts_keep_the_further_entry(world: &World) {
    let key = world.key(SCOPES);
    let boards = ["One", "Two", "Three", "Four"].map(|name| Board::new(&key, name));
    let (ada, twin) = (contact(&key, "Ada"), contact(&key, "Ada"));
    let ahead = boards[0].add_to(&ada, "interview");
    let behind = boards[0].add_to(&twin, "contacted");
    let left = boards[1].add_to(&ada, "sourced");
    let right = boards[1].add_to(&twin, "offer");
    let moved = boards[2].add(&twin);
    let own = boards[3].add(&ada);
    let body = json!({"into": ada["id"], "from": [twin["id"]]});
    let before = key.get("/pipeline-entries").page().rows;

    let mut dry = body.clone();
    dry["dry_run"] = true.into();
    assert_eq!(key.post("/contacts/merge", dry).ok()["moved"]["pipeline_entries"], 3);
    assert_eq!(key.get("/pipeline-entries").page().rows, before);
    let merge = key.post("/contacts/merge", body).ok();
    let entries = key.get(&format!("/contacts/{}/entries", text(&ada["id"]))).page();
    let mut ids = entries.ids();
    ids.sort();
    let mut expected = [&ahead, &right, &moved, &own].map(|entry| text(&entry["id"]));
    expected.sort();
    assert_eq!(ids, expected);
    assert!(entries.rows.iter().all(|entry| entry["contact_id"] == ada["id"]), "{:?}", entries.rows);
    for gone in [&behind, &left] {
        key.get(&alone(gone)).not_found();
    }
    assert_eq!(boards[0].counts(), (vec![0, 0, 0, 1, 0, 0, 0], 1));
    assert_eq!(boards[1].counts(), (vec![0, 0, 0, 0, 1, 0, 0], 1));
    let reported = timeline(&key, &format!("/contacts/{}", text(&ada["id"]))).column("type");
    assert_eq!(reported.iter().filter(|kind| *kind == "entry.deleted").count(), 2, "{reported:?}");
    let found = |board: &Board| key.post("/contacts/search", json!({"project_id": board.id})).page().ids();
    for board in &boards {
        assert_eq!(found(board), [text(&ada["id"])]);
    }
    // The old id refers to the same candidate.
    assert_eq!(key.post(&boards[2].path(), json!({"contact_id": twin["id"]})).ok()["id"], moved["id"]);

    key.post(&format!("/contacts/merge/{}/undo", text(&merge["id"])), json!({})).ok();
    for (entry, contact) in
        [(&ahead, &ada), (&behind, &twin), (&left, &ada), (&right, &twin), (&moved, &twin), (&own, &ada)]
    {
        let back = key.get(&alone(entry)).ok();
        assert_eq!((&back["contact_id"], &back["stage_id"]), (&contact["id"], &entry["stage_id"]));
        assert!(
            entry == &own || entry == &ahead || text(&back["updated_at"]) > text(&entry["updated_at"]),
            "the events must include the change"
        );
    }
    assert_eq!(boards[0].counts(), (vec![0, 1, 0, 1, 0, 0, 0], 2));
    assert_eq!(boards[1].counts(), (vec![1, 0, 0, 0, 1, 0, 0], 2));
    assert_eq!(found(&boards[2]), [text(&twin["id"])]);
    assert_eq!(found(&boards[0]).len(), 2);
    let reported = timeline(&key, &format!("/projects/{}", boards[0].id)).rows.remove(0);
    assert_eq!((&reported["type"], &reported["record"]["id"]), (&json!("entry.restored"), &behind["id"]));
    assert_eq!(reported["changes"]["stage_id"], json!([null, behind["stage_id"]]));
}

fn a_contact_with_an_entry_stays_when_its_import_is_undone(world: &World) {
    let key = world.key("full_access");
    let import = imports::import(&key, json!({"collection": "contacts"}), "people.csv", "first_name\nAda\nBob\n");
    let ada = key.list("/contacts", &[("first_name", "Ada")]).page().rows.remove(0);
    Board::new(&key, "CTO").add(&ada);
    key.post(&format!("/imports/{}/undo", text(&import["id"])), json!({})).is(202);
    let undone = imports::ended(&key, &import);
    assert_eq!((&undone["removed"], &undone["kept"]), (&json!(1), &json!(1)));
    assert_eq!(key.get("/contacts").page().column("first_name"), ["Ada"]);
}

fn many_entries_go_in_one_request(world: &World) {
    let key = world.key(SCOPES);
    let (board, other) = (Board::new(&key, "CTO"), Board::new(&key, "CFO"));
    let people = ["Ada", "Bob", "Cyd"].map(|name| contact(&key, name));
    let entry = board.add(&people[0]);
    let create = |project: &str, contact: &Value| json!({"op": "create", "data": {"project_id": project, "contact_id": contact["id"]}});
    let items = json!([
        create(&board.id, &people[1]),
        create(&board.id, &people[0]),
        create(&other.id, &people[2]),
        {"op": "update", "id": entry["id"], "data": {"stage_id": board.stage("offer")}},
        {"op": "update", "id": entry["id"], "data": {"stage_id": other.stage("offer")}},
        {"op": "create", "data": {"contact_id": people[2]["id"]}},
        create(&nobody(), &people[2]),
        {"op": "upsert", "data": {"project_id": board.id, "contact_id": people[2]["id"]}},
    ]);
    let done = key.post("/pipeline-entries/bulk", json!({"items": items})).ok()["results"].clone();
    let statuses: Vec<u64> = done.as_array().expect("a list").iter().filter_map(|one| one["status"].as_u64()).collect();
    assert_eq!(statuses, [201, 200, 201, 200, 400, 400, 404, 400], "{done}");
    assert_eq!(done[1]["id"], entry["id"]);
    assert_eq!((board.counts().1, other.counts().1), (2, 1));
    assert_eq!(key.get(&alone(&entry)).ok()["stage"]["name"], "Offer");
    world.key("pipeline:read").post("/pipeline-entries/bulk", json!({"items": []})).error(403, "insufficient_scope");
}

/// More than the list code sorts in memory, so that every order uses its index.
fn a_full_project_is_paged_in_any_order(world: &World) {
    const MANY: usize = 1_200;
    let key = world.key(SCOPES);
    let board = Board::new(&key, "CTO");
    let (sourced, offer) = (board.stage("sourced"), board.stage("offer"));
    let mut truth: Vec<Value> = Vec::new();
    for part in 0..MANY / 600 {
        let create = |data: Value| json!({"op": "create", "data": data});
        let people: Vec<Value> = (0..600).map(|n| create(json!({"first_name": format!("Ada {part} {n}")}))).collect();
        let people = key.post("/contacts/bulk", json!({"items": people})).ok();
        let entries: Vec<Value> = member(&people["results"], "id")
            .iter()
            .enumerate()
            .map(|(n, contact)| {
                let stage = if n % 10 == 0 { &offer } else { &sourced };
                let rating = if n % 3 == 0 { Value::Null } else { json!(1 + n % 5) };
                let data = json!({"project_id": board.id, "contact_id": contact, "stage_id": stage, "rating": rating});
                truth.push(data.clone());
                create(data)
            })
            .collect();
        let done = key.post("/pipeline-entries/bulk", json!({"items": entries})).ok();
        assert!(done["results"].as_array().expect("a list").iter().all(|one| one["status"] == 201), "{done}");
    }
    let walk = |parameters: &[(&str, &str)]| {
        let (mut rows, mut cursor) = (Vec::new(), Some(String::new()));
        while let Some(place) = cursor {
            let page = key.list(&board.path(), &[parameters, &[("limit", "100"), ("cursor", &place)]].concat()).page();
            cursor = page.next();
            rows.extend(page.rows);
        }
        rows
    };
    let count = |stage: &str| truth.iter().filter(|data| data["stage_id"] == stage).count();
    for sort in ["created_at", "-updated_at", "rating", "-rating"] {
        assert_eq!(walk(&[("sort", sort)]).len(), MANY, "{sort}");
        for stage in [&sourced, &offer] {
            let rows = walk(&[("sort", sort), ("stage_id", stage)]);
            assert_eq!(rows.len(), count(stage), "{sort}");
            let page = key
                .list(&board.path(), &[("sort", sort), ("stage_id", stage), ("limit", "10"), ("offset", "100")])
                .page();
            assert_eq!((&page.rows[..], page.total()), (&rows[100..110], rows.len() as u64), "{sort}");
            let ratings: Vec<Option<i64>> = rows.iter().map(|row| row["rating"].as_i64()).collect();
            let known: Vec<i64> = ratings.iter().flatten().copied().collect();
            let sorted = match sort {
                "rating" => known.is_sorted(),
                "-rating" => known.is_sorted_by(|one, other| one >= other),
                _ => continue,
            };
            assert!(sorted && ratings[known.len()..].iter().all(Option::is_none), "{sort}");
        }
    }
    assert_eq!(key.get(&board.path()).page().total(), MANY as u64);
    assert_eq!(
        key.list(&board.path(), &[("rating", "gte.4"), ("stage_id", &sourced)]).page().total(),
        truth.iter().filter(|data| data["stage_id"] == sourced && data["rating"].as_i64() >= Some(4)).count() as u64
    );
    let found =
        key.post("/contacts/search", json!({"project_id": board.id, "sort_by": "first_name", "limit": 1})).page();
    assert_eq!((found.total(), found.column("first_name")), (MANY as u64, vec!["Ada 0 0".to_owned()]));
}
