//! Demo data: realistic people; a seed always gives the same data.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::sandbox::Running;
use crate::support::*;

stories![
    a_demonstration_fills_a_workspace,
    the_same_seed_gives_the_same_data,
    a_workspace_with_records_is_not_changed,
    a_demonstration_has_a_sandbox,
];

fn a_demonstration_fills_a_workspace(world: &World) {
    let key = world.key("crm");
    let reported = world.cli(["demo", "--contacts", "400"]);
    assert!(reported.ok().contains("contacts\t400"), "{reported}");
    let people = key.get("/contacts?limit=100").page();
    assert_eq!((people.total(), key.get("/companies").page().total()), (400, 40));
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM notes"), 100);
    let tasks = |filter: &str| world.key("tasks:read").get(&format!("/tasks?{filter}")).page().total();
    assert_eq!(world.key("sequences:read").get("/sequences?status=draft").page().total(), 2);
    let today = &now().to_string()[..10];
    assert_eq!(tasks(""), 100);
    assert!(tasks(&format!("status=todo&due_date=lt.{today}")) > 0, "some are overdue");
    assert!(tasks(&format!("status=todo&due_date=eq.{today}")) > 0, "some are for today");
    assert!(tasks("status=done&completed_at=is.not_null") > 0, "some are done");
    assert!(key.get("/tags").page().total() > 5);
    let all = world.key("full_access");
    let projects = all.get("/projects").page().rows;
    assert_eq!(projects.len(), 5);
    assert!(projects.iter().all(|project| project["entries_count"] == 12 && !project["client_company"].is_null()));
    let candidates = all.get("/pipeline-entries?limit=100&include=stage").page().rows;
    assert_eq!(candidates.len(), 60);
    let stages: BTreeSet<String> = candidates.iter().map(|candidate| text(&candidate["stage"]["name"])).collect();
    assert!(stages.len() >= 5, "{stages:?}");
    assert!(candidates.iter().any(|candidate| !candidate["rejection_reason_id"].is_null()), "nobody was rejected");
    assert!(candidates.iter().any(|candidate| candidate["rating"] == 5), "nobody is excellent");
    assert!(world.count("SELECT CAST(count(*) AS text) FROM notes WHERE project_id IS NOT NULL") > 0);
    assert_eq!(key.get("/deals").page().total(), 40);
    assert!(key.list("/deals", &[("status", "won")]).page().total() > 2);
    assert!(key.list("/deals", &[("status", "open")]).page().total() > 10);
    assert!(world.count("SELECT CAST(count(*) AS text) FROM notes WHERE deal_id IS NOT NULL") > 5);
    let board = key.get("/deal-pipelines").page().rows.remove(0);
    assert!(board["stages"].as_array().into_iter().flatten().all(|stage| stage["deals_count"] != 0), "{board}");
    assert_eq!(key.get("/contacts/custom-fields").page().rows.len(), 4);
    assert!(key.list("/contacts", &[("custom_data.seniority", "eq.senior")]).page().total() > 10);
    assert!(key.list("/contacts", &[("company_id", "not.is.null")]).page().total() > 200);
    let rows = key.get("/exports/contacts?format=ndjson").text();
    let mut scripts = BTreeSet::new();
    for row in rows.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line is JSON")) {
        for email in member(&row["emails"], "email") {
            assert!(email.ends_with("@example.com"), "{email}");
        }
        scripts.insert(text(&row["first_name"]).chars().next().map_or(0, |letter| letter as u32 >> 8));
    }
    assert!(scripts.len() >= 8, "{scripts:?}");
    assert!(key.list("/contacts", &[("search", "senior")]).page().total() > 10);
}

fn the_same_seed_gives_the_same_data(world: &World) {
    let reported = |workspace: &str, seed: &str| {
        let key = world.workspace(workspace).key("crm");
        world.cli(["demo", "--contacts", "120", "--seed", seed, "--workspace", workspace]).ok();
        let lines = key.get("/exports/contacts?format=ndjson").text();
        let mut rows: Vec<String> = Vec::new();
        for line in lines.lines() {
            let mut row: Value = serde_json::from_str(line).expect("a line is JSON");
            for own in ["id", "company_id", "created_at", "updated_at"] {
                row[own] = Value::Null;
            }
            rows.push(row.to_string());
        }
        rows.sort();
        rows
    };
    let first = reported("one", "7");
    assert_eq!(first, reported("two", "7"));
    assert_ne!(first, reported("three", "8"));
}

fn a_workspace_with_records_is_not_changed(world: &World) {
    let key = world.key("crm");
    key.post("/companies", serde_json::json!({"name": "Acme"})).created();
    let refused = world.cli(["demo", "--contacts", "20"]);
    assert!(refused.refused().contains("--force"), "{refused}");
    assert_eq!(refused.code, Some(1));
    assert_eq!(key.get("/contacts").page().total(), 0);
    world.cli(["demo", "--contacts", "20", "--force"]).ok();
    assert_eq!(key.get("/contacts").page().total(), 20);
}

fn a_demonstration_has_a_sandbox(world: &World) {
    let (key, options) = (world.key("full_access"), world.options());
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let words = [&["demo", "--contacts", "20", "--sandbox"], &options[..]].concat();
    let accounts = |running: &Running| -> Vec<String> {
        running.lines.iter().filter(|line| line.starts_with("account ")).cloned().collect()
    };
    let first = accounts(&Running::by(&words));
    assert_eq!(first.len(), 3, "{first:?}");
    // It can be started again: the accounts are the same, with new addresses.
    let running = Running::by(&words);
    assert_eq!(accounts(&running), first);
    assert_eq!(key.get("/contacts").page().total(), 20, "filled once");
    let connected = key.get("/connected-accounts?sort=name").page();
    assert_eq!(connected.column("name"), ["Demo Chat", "Demo Mailbox", "Demo Network"]);
    assert!(connected.rows.iter().all(|account| account["status"] == "connected"), "{:?}", connected.rows);
    // Its network can be searched.
    let found = key.post("/sourcing/search", json!({"source_type": "network"})).ok();
    assert_eq!(found["profiles"].as_array().map(Vec::len), Some(25));
    let ada = outside::contact(&key, "Ada", "ada@example.com");
    let message =
        key.post("/messages", json!({"contact_id": ada, "channel": "email", "subject": "Hi", "content": "Hello."}));
    let path = format!("/messages/{}", text(&message.created()["id"]));
    eventually("the message", PATIENCE, || (key.get(&path).ok()["status"] == "sent").then_some(()));
    // Enrichment works for its contacts.
    let everybody = key.get("/contacts").page().ids();
    key.post("/enrichment", json!({ "contact_ids": everybody, "types": ["phone"] })).is(202);
    eventually("a telephone number", PATIENCE, || {
        let found = key.list("/enrichment", &[("status", "completed")]).page().rows;
        found.iter().any(|request| request["provider"] == "Demo Index").then_some(())
    });
}
