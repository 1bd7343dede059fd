//! Sourcing: people from searches are added to projects.

use serde_json::{Value, json};

use crate::support::*;

stories![
    profiles_are_added_to_a_project,
    a_known_contact_gets_only_missing_values,
    a_person_is_matched_by_address_and_then_by_profile_id,
    unknown_members_of_a_profile_are_ignored,
    invalid_profiles_are_refused,
    a_repeated_request_adds_nobody_twice,
    a_merge_keeps_the_match_of_a_profile,
];

pub(crate) fn project(key: &Client, name: &str) -> Value {
    key.post("/projects", json!({ "name": name })).created()
}

pub(crate) fn ada() -> Value {
    json!({
        "profile_id": "p-ada", "first_name": "Ada", "last_name": "Martin", "headline": "Engineer at Aster",
        "location": "Berlin, Germany", "network_url": "https://network.example.com/in/ada", "summary": "Builds engines.",
        "current_job": {"title": "Engineer", "company_name": "Aster"}, "skills": ["Rust", "rust", "Go"],
        "total_years_experience": 9, "emails": ["ada@example.com"], "phones": ["+1 555 0100"],
        "experiences": [], "educations": [], "already_in_project": false, "existing_contact_id": null,
    })
}

#[track_caller]
pub(crate) fn add(key: &Client, project: &Value, profiles: Value) -> Value {
    key.post("/sourcing/add-to-project", json!({ "project_id": project["id"], "profiles": profiles })).ok()
}

fn profiles_are_added_to_a_project(world: &World) {
    let key = world.key("full_access");
    let project = project(&key, "Engineers");
    let added = add(&key, &project, json!([ada(), {"profile_id": 17, "first_name": "Bob"}]));
    assert_eq!((&added["added"], &added["skipped"]), (&json!(2), &json!(0)));
    let id = text(&added["contact_ids"][0]);
    let contact = key.get(&format!("/contacts/{id}")).ok();
    for (member, value) in [
        ("first_name", json!("Ada")),
        ("last_name", json!("Martin")),
        ("title", json!("Engineer")),
        ("current_company", json!("Aster")),
        ("location", json!("Berlin, Germany")),
        ("network_profile", json!("https://network.example.com/in/ada")),
        ("summary", json!("Builds engines.")),
        ("skills", json!(["Rust", "Go"])),
        ("years_experience", json!(9)),
        ("emails", json!([{"email": "ada@example.com", "type": "work"}])),
        ("phones", json!([{"phone": "+1 555 0100", "type": "personal"}])),
        ("contact_type", json!("candidate")),
        ("global_status", json!("new")),
    ] {
        assert_eq!(contact[member], value, "{member}");
    }
    // They are in the first stage, and both timelines show it.
    let entries = key.get(&format!("/projects/{}/entries", text(&project["id"]))).page();
    assert_eq!(entries.total(), 2);
    assert!(entries.rows.iter().all(|entry| entry["stage_id"] == project["pipeline"]["stages"][0]["id"]));
    let reported = key.list(&format!("/contacts/{id}/timeline"), &[]).page();
    let types: Vec<String> = reported.rows.iter().map(|event| text(&event["type"])).collect();
    assert_eq!(types, ["entry.created", "contact.created"]);
    // Adding them again changes nothing, not even with another stage.
    let (events, stage) = (world.events(), &project["pipeline"]["stages"][3]["id"]);
    let body = json!({"project_id": project["id"], "profiles": [ada(), ada()], "stage_id": stage});
    let again = key.post("/sourcing/add-to-project", body).ok();
    assert_eq!(again, json!({"added": 0, "skipped": 2, "contact_ids": [id, id]}));
    assert_eq!(world.events(), events);
    // A new person goes to the given stage.
    let body = json!({"project_id": project["id"], "profiles": [{"first_name": "Cyd"}], "stage_id": stage});
    let cyd = text(&key.post("/sourcing/add-to-project", body).ok()["contact_ids"][0]);
    assert_eq!(&key.get(&format!("/contacts/{cyd}/entries")).page().rows[0]["stage_id"], stage);
}

fn a_known_contact_gets_only_missing_values(world: &World) {
    let key = world.key("full_access");
    let project = project(&key, "Engineers");
    let known = key.post("/contacts", json!({
        "first_name": "A.", "title": "CTO", "network_profile": "https://www.network.example.com/in/Ada/", "skills": ["Go"], "phone": "0100",
    }));
    let known = known.created();
    let added = add(&key, &project, json!([ada()]));
    assert_eq!(added, json!({"added": 1, "skipped": 0, "contact_ids": [known["id"]]}));
    let filled = key.get(&format!("/contacts/{}", text(&known["id"]))).ok();
    for kept in ["first_name", "title", "network_profile", "skills", "phones"] {
        assert_eq!(filled[kept], known[kept], "{kept}");
    }
    assert_eq!((&filled["last_name"], &filled["current_company"]), (&json!("Martin"), &json!("Aster")));
    assert_eq!((&filled["years_experience"], &filled["location"]), (&json!(9), &json!("Berlin, Germany")));
    assert_eq!(filled["emails"][0]["email"], "ada@example.com");
    assert_eq!(key.get("/contacts").page().total(), 1);
    // An archived contact is the same person, and stays archived.
    key.delete(&format!("/contacts/{}", text(&known["id"]))).ok();
    let second = self::project(&key, "More engineers");
    assert_eq!(add(&key, &second, json!([ada()]))["contact_ids"], json!([known["id"]]));
    assert_eq!(key.get(&format!("/contacts/{}", text(&known["id"]))).ok()["global_status"], "archived");
}

fn a_person_is_matched_by_address_and_then_by_profile_id(world: &World) {
    let key = world.key("full_access");
    let (first, second) = (project(&key, "First"), project(&key, "Second"));
    let id = add(&key, &first, json!([ada()]))["contact_ids"][0].clone();
    // Another address, the same profile.
    let moved =
        json!({"profile_id": "p-ada", "first_name": "Ada", "network_url": "https://network.example.com/in/ada-m"});
    assert_eq!(add(&key, &second, json!([moved]))["contact_ids"][0], id);
    // The address is compared first, and the profile belongs to that person from then on.
    let bob =
        key.post("/contacts", json!({"first_name": "Bob", "network_profile": "https://network.example.com/in/bob"}));
    let bob = bob.created()["id"].clone();
    let his = json!({"profile_id": "p-ada", "first_name": "Bob", "network_url": "http://network.example.com/in/bob/?from=list"});
    assert_eq!(add(&key, &second, json!([his]))["contact_ids"][0], bob);
    let without = json!({"profile_id": "p-ada", "first_name": "Bob"});
    assert_eq!(add(&key, &second, json!([without]))["contact_ids"][0], bob);
    // A result that is a contact is matched by its id.
    let own = json!({"profile_id": id, "first_name": "Ada", "network_url": "https://network.example.com/in/bob"});
    assert_eq!(add(&key, &second, json!([own]))["contact_ids"][0], id);
    // Another workspace has no matches.
    let theirs = world.workspace("theirs").key("full_access");
    let project = project(&theirs, "Theirs");
    let added = add(&theirs, &project, json!([ada()]));
    assert_eq!(added["added"], 1);
    assert_ne!(added["contact_ids"][0], id);
}

fn unknown_members_of_a_profile_are_ignored(world: &World) {
    let key = world.key("full_access");
    let project = project(&key, "Engineers");
    world
        .cli([
            "fields",
            "create",
            "--entity",
            "contact",
            "--key",
            "grade",
            "--type",
            "text",
            "--label",
            "Grade",
            "--required",
        ])
        .ok();
    let long = "x".repeat(20_000);
    let strange = json!({
        "first_name": format!(" {long} "), "last_name": 7, "summary": long, "skills": "Rust", "network_url": "not a url",
        "emails": ["ann@example.com", "nonsense", {"email": "ANN@example.com"}, {"email": "b@example.com", "type": "personal"}, 5, "c@example.com",
            "d@example.com", "e@example.com", "f@example.com"],
        "phones": {"a": 1}, "total_years_experience": 900, "current_job": "Engineer", "profile_id": null, "score": {"any": ["thing", null]},
        "location": "Berlin\u{0}", "custom_data": {"nonsense": 1}, "tags": ["X"],
    });
    let id = text(&add(&key, &project, json!([strange]))["contact_ids"][0]);
    let contact = key.get(&format!("/contacts/{id}")).ok();
    assert_eq!(text(&contact["first_name"]).len(), 100);
    assert_eq!(text(&contact["summary"]).len(), 10_000);
    assert_eq!((&contact["last_name"], &contact["network_profile"]), (&json!(null), &json!(null)));
    assert_eq!(
        (&contact["skills"], &contact["tags"], &contact["location"]),
        (&json!([]), &json!([]), &json!("Berlin"))
    );
    let emails: Vec<String> =
        contact["emails"].as_array().expect("a list").iter().map(|it| text(&it["email"])).collect();
    assert_eq!(emails, ["ann@example.com", "b@example.com", "c@example.com", "d@example.com", "e@example.com"]);
    assert_eq!(contact["emails"][1]["type"], "personal");
    // A last name alone is a name, too.
    let id = text(&add(&key, &project, json!([{"last_name": "Cher"}]))["contact_ids"][0]);
    assert_eq!(key.get(&format!("/contacts/{id}")).ok()["first_name"], "Cher");
}

fn invalid_profiles_are_refused(world: &World) {
    let key = world.key("full_access");
    let project = project(&key, "Engineers");
    let tried = |body: Value, says: &str| {
        key.post("/sourcing/add-to-project", body).error(400, "validation_error").says(says);
    };
    let of = |profiles: Value| json!({"project_id": project["id"], "profiles": profiles});
    tried(json!({"profiles": [ada()]}), "project_id: is required");
    tried(json!({"project_id": project["id"]}), "profiles: is required");
    tried(of(json!([])), "profiles: must have 1 to 100 items; there are 0");
    tried(of((0..101).map(|n| json!({"first_name": format!("P{n}")})).collect()), "there are 101");
    tried(of(json!("Ada")), "profiles: must be an array of objects");
    tried(of(json!([ada(), 5])), "profiles.1: must be an object");
    tried(of(json!([ada(), {"profile_id": "p-nobody"}])), "profiles.1.first_name: is required");
    tried(json!({"project_id": nobody(), "profiles": [ada()]}), "project_id: no project has this id");
    tried(
        json!({"project_id": project["id"], "profiles": [ada()], "stage_id": nobody()}),
        "stage_id: is not a stage of this project",
    );
    tried(
        json!({"project_id": project["id"], "profiles": [ada()], "account_id": nobody()}),
        "account_id: no connected account has this id",
    );
    tried(json!({"project_id": project["id"], "profiles": [ada()], "colour": "red"}), "colour: is not a member");
    let theirs = self::project(&world.workspace("theirs").key("full_access"), "Theirs");
    tried(json!({"project_id": theirs["id"], "profiles": [ada()]}), "project_id: no project has this id");
    // None of them had an effect.
    assert_eq!(key.get("/contacts").page().total(), 0);
    // A hundred profiles are accepted, and a body of more than a mebibyte.
    let many: Value = (0..100)
        .map(|n| json!({"profile_id": n, "first_name": format!("P{n}"), "about": "x".repeat(20_000)}))
        .collect();
    assert_eq!(add(&key, &project, many)["added"], 100);
    key.put(&format!("/projects/{}", text(&project["id"])), json!({"status": "archived"})).ok();
    tried(of(json!([ada()])), "project_id: the project is archived");
    let reading = world.key("sourcing:read");
    reading
        .post("/sourcing/add-to-project", of(json!([ada()])))
        .error(403, "insufficient_scope")
        .says("sourcing:write");
}

fn a_repeated_request_adds_nobody_twice(world: &World) {
    let key = world.key("full_access");
    let project = project(&key, "Engineers");
    let body = json!({"project_id": project["id"], "profiles": [{"first_name": "Ada"}]});
    let send = || key.request("POST", "/sourcing/add-to-project").header("Idempotency-Key", "once").json(&body).send();
    let first = send().ok();
    assert_eq!(send().ok(), first);
    assert_eq!(key.get("/contacts").page().total(), 1);
}

fn a_merge_keeps_the_match_of_a_profile(world: &World) {
    let key = world.key("full_access");
    let (first, second) = (project(&key, "First"), project(&key, "Second"));
    let twice = json!([ada(), {"profile_id": "p-2", "first_name": "Ada"}]);
    let ids = add(&key, &first, twice)["contact_ids"].clone();
    let merge = key.post("/contacts/merge", json!({"into": ids[0], "from": [ids[1]]})).ok();
    assert_eq!(merge["moved"]["contact_profiles"], 1);
    let other = json!([{"profile_id": "p-2", "first_name": "Ada"}]);
    assert_eq!(add(&key, &second, other.clone())["contact_ids"], json!([ids[0]]));
    key.request("POST", &format!("/contacts/merge/{}/undo", text(&merge["id"]))).send().ok();
    assert_eq!(add(&key, &second, other)["contact_ids"], json!([ids[1]]));
}
