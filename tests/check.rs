//! `relata check`: finds data that does not agree with the records, and repairs it.

use serde_json::json;

use crate::support::*;

stories![faults_are_found_and_repaired, a_running_merge_is_not_a_fault, tags_that_are_being_merged_are_not_a_fault];

fn faults_are_found_and_repaired(world: &World) {
    let key = world.key("full_access");
    let acme = key.post("/companies", json!({"name": "Acme"})).created();
    let ada = key
        .post(
            "/contacts",
            json!({"first_name": "Ada", "email": "ada@example.com", "company_id": acme["id"], "tags": ["VIP"]}),
        )
        .created();
    let ben = key.post("/contacts", json!({"first_name": "Ben"})).created();
    let deal = key.post("/deals", json!({"title": "Deal", "amount": 10, "contact_ids": [ada["id"]]})).created();
    world.workspace("beta").key("crm").post("/contacts", json!({"first_name": "Cyd"})).created();
    assert_eq!(world.run(&["check"]).ok(), "Checked 2 workspaces: 0 faults, 0 repaired.");

    // As a bug or a broken disk would leave it.
    let stored = |id: &serde_json::Value| match world.database_is_shared() {
        true => format!("'{}'", text(id)),
        false => format!("x'{}'", text(id).replace('-', "")),
    };
    let (gone, merged) = (stored(&json!(nobody())), deal["id"].clone());
    let harm = [
        "DELETE FROM terms WHERE field = 'contact.email'".to_owned(),
        format!("UPDATE contacts SET company_id = {gone} WHERE id = {}", stored(&ben["id"])),
        format!("UPDATE contacts SET archived_at = 1 WHERE id = {}", stored(&ben["id"])),
        "UPDATE counters SET n = n + 5 WHERE collection = 'companies' AND field = ''".to_owned(),
        "UPDATE record_counts SET n = 7 WHERE name = 'contacts'".to_owned(),
        "UPDATE deal_sums SET amount = '3'".to_owned(),
        format!("DELETE FROM deal_contacts WHERE deal_id = {}", stored(&deal["id"])),
        "UPDATE workspaces SET storage_used = 9".to_owned(),
        format!(
            "INSERT INTO merged_ids (workspace_id, old_id, new_id) SELECT workspace_id, {}, {gone} FROM contacts WHERE id = {}",
            stored(&merged),
            stored(&ben["id"])
        ),
    ];
    for sql in &harm {
        world.change(sql);
    }
    let found = world.run(&["check"]);
    assert_eq!(found.code, Some(1), "{found}");
    assert!(found.err.contains("relata check --repair"), "{found}");
    let checks: Vec<&str> =
        found.out.lines().filter_map(|line| line.strip_prefix("fault\t")?.split('\t').nth(1)).collect();
    for check in ["term", "reference", "state", "counter", "count", "sum", "link", "storage"] {
        assert!(checks.contains(&check), "{check} is not among {found}");
    }
    assert!(found.out.contains(&text(&ben["id"])), "{found}");
    let again = world.run(&["check"]);
    assert_eq!(again.out, found.out, "a check without --repair changed something");

    let repaired = world.run(&["check", "--repair"]);
    assert!(repaired.ok().lines().any(|line| line.starts_with("repaired\t")), "{repaired}");
    let redirect = format!("redirect dropped: {}", text(&merged));
    let written =
        ["company_id emptied", "archived_at emptied", "link added", "term added", "storage set: 0 bytes", &redirect];
    for what in written {
        assert!(repaired.out.lines().any(|line| line.ends_with(what)), "{what} is not reported: {repaired}");
    }
    assert_eq!(world.run(&["check"]).ok(), "Checked 2 workspaces: 0 faults, 0 repaired.");
    assert_eq!(key.list("/contacts", &[("email", "ada@example.com")]).page().ids(), [text(&ada["id"])]);
    let ben = key.get(&format!("/contacts/{}", text(&ben["id"]))).ok();
    assert_eq!((&ben["company_id"], &ben["archived_at"]), (&json!(null), &json!(null)));
    assert_eq!(key.get(&format!("/companies/{}", text(&acme["id"]))).ok()["contacts_count"], 1);
    assert_eq!(world.run(&["check", "--workspace", "beta"]).ok(), "Checked 1 workspace: 0 faults, 0 repaired.");
    world.run(&["check", "--workspace", "nowhere"]).refused();
}

fn a_running_merge_is_not_a_fault(world: &World) {
    let key = world.key("full_access");
    let [a, b] = ["A", "B"].map(|name| key.post("/companies", json!({"name": name})).created());
    for _ in 0..4 {
        let items: Vec<_> =
            (0..100).map(|_| json!({"op": "create", "data": {"first_name": "P", "company_id": b["id"]}})).collect();
        key.post("/contacts/bulk", json!({"items": items})).ok();
    }
    key.post("/companies/merge", json!({"into": a["id"], "from": [b["id"]]})).ok();
    // The check passes at any progress of the job.
    world.run(&["check"]).ok();
    assert_eq!(key.get(&format!("/companies/{}", text(&a["id"]))).ok()["contacts_count"], 400, "counted at once");
}

fn tags_that_are_being_merged_are_not_a_fault(world: &World) {
    let key = world.key("full_access");
    let [vip, other] = ["VIP", "Other"].map(|name| text(&key.post("/tags", json!({"name": name})).created()["id"]));
    for _ in 0..4 {
        let items: Vec<_> =
            (0..100).map(|_| json!({"op": "create", "data": {"first_name": "P", "tags": ["Other"]}})).collect();
        key.post("/contacts/bulk", json!({"items": items})).ok();
    }
    key.post("/tags/merge", json!({"into": vip, "from": [other]})).ok();
    // At any progress of the job: a repair must not remove the tag from records that the job has not reached yet.
    world.run(&["check", "--repair"]).ok();
    let wearers = || key.list("/contacts", &[("tags", "cs.{VIP}")]).page().total();
    eventually("the merge", std::time::Duration::from_secs(60), || {
        (world.count("SELECT CAST(count(*) AS text) FROM jobs WHERE kind = 'tag.merge'") == 0).then_some(())
    });
    assert_eq!(wearers(), 400);
}
