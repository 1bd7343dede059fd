//! Projects: positions to fill, with owners, clients and candidates.

use serde_json::{Value, json};

use crate::imports;
use crate::support::*;

stories![
    a_project_has_its_stages_and_its_owner,
    every_member_of_a_project_can_be_given_and_changed,
    a_project_can_be_read_changed_and_sent_back,
    invalid_projects_are_refused,
    owners_are_members_and_their_projects_are_found,
    a_list_shows_projects_without_their_pipelines,
    projects_are_filtered_and_sorted,
    projects_are_searched,
    projects_are_followed,
    a_company_has_projects,
    projects_have_notes,
    projects_have_files,
    a_project_is_on_its_own_and_its_companys_timeline,
    a_project_of_another_workspace_is_hidden,
    merged_companies_have_the_projects_of_both,
    a_company_with_a_project_stays_when_its_import_is_undone,
];

const SCOPES: &str =
    "projects:read,projects:write,companies:read,companies:write,companies:delete,notes:read,notes:write";

#[track_caller]
fn project(key: &Client, body: Value) -> Value {
    key.post("/projects", body).created()
}

fn path(project: &Value) -> String {
    format!("/projects/{}", text(&project["id"]))
}

#[track_caller]
fn names(key: &Client, parameters: &[(&str, &str)]) -> Vec<String> {
    key.list("/projects", parameters).page().column("name")
}

fn a_project_has_its_stages_and_its_owner(world: &World) {
    let key = world.key(SCOPES);
    let me = key.get("/me").ok()["user"].clone();
    let answer = key.post("/projects", json!({"name": " Head of Data "}));
    let made = answer.created();
    assert_eq!(answer.header("Location"), format!("/api/v1{}", path(&made)));
    assert_eq!(made["name"], "Head of Data");
    assert_eq!((&made["status"], &made["entries_count"]), (&json!("active"), &json!(0)));
    for empty in
        ["client_name", "client_company_id", "client_company", "location", "description", "default_sequence_id"]
    {
        assert_eq!(made[empty], Value::Null, "{empty}");
    }
    assert_eq!(made["template_id"], key.get("/project-templates").page().rows[0]["id"]);
    assert_eq!(made["owner_ids"], json!([me["user_id"]]));
    let owner = json!({"user_id": me["user_id"], "first_name": me["first_name"], "last_name": me["last_name"], "email": me["email"]});
    assert_eq!(made["owners"], json!([owner]));
    assert_eq!(made["created_at"], made["updated_at"]);
    let stages = &made["pipeline"]["stages"];
    let categories = ["sourced", "contacted", "replied", "interview", "offer", "hired", "rejected"];
    assert_eq!(member(stages, "system_category"), categories);
    for (position, stage) in stages.as_array().expect("a list").iter().enumerate() {
        assert_eq!((&stage["position"], &stage["entries_count"]), (&json!(position), &json!(0)));
    }
    assert_eq!(key.get(&path(&made)).ok(), made);
}

fn every_member_of_a_project_can_be_given_and_changed(world: &World) {
    let key = world.key(SCOPES);
    let acme = key.post("/companies", json!({"name": "Acme"})).created();
    let made = project(
        &key,
        json!({"name": "CTO", "status": "active", "client_name": "Acme Holding", "client_company_id": acme["id"],
            "location": "Lyon", "description": "Builds the team.", "owner_ids": []}),
    );
    assert_eq!(made["client_company"], json!({"id": acme["id"], "name": "Acme"}));
    assert_eq!((&made["client_name"], &made["location"]), (&json!("Acme Holding"), &json!("Lyon")));
    assert_eq!((&made["owner_ids"], &made["owners"]), (&json!([]), &json!([])));
    key.put(&format!("/companies/{}", text(&acme["id"])), json!({"name": "Acme SA"})).ok();
    assert_eq!(
        key.get(&path(&made)).ok()["client_company"]["name"],
        "Acme SA",
        "the current name of the company is shown"
    );

    let archived = key.patch(&path(&made), json!({"status": "archived"})).ok();
    assert_eq!((&archived["status"], &archived["name"]), (&json!("archived"), &json!("CTO")));
    assert!(text(&archived["updated_at"]) > text(&made["updated_at"]));
    let cleared = key.put(&path(&made), json!({"status": "active", "client_company_id": null, "location": null, "description": "", "client_name": null})).ok();
    for empty in ["client_name", "client_company_id", "client_company", "location", "description"] {
        assert_eq!(cleared[empty], Value::Null, "{empty}");
    }
    let events = world.events();
    assert_eq!(key.put(&path(&made), json!({"status": "active", "name": "CTO"})).ok(), cleared, "nothing has changed");
    assert_eq!(world.events(), events);
}

fn a_project_can_be_read_changed_and_sent_back(world: &World) {
    let key = world.key(SCOPES);
    let acme = key.post("/companies", json!({"name": "Acme"})).created();
    let mut made = project(&key, json!({"name": "CTO", "client_company_id": acme["id"]}));
    made["name"] = "Chief Technology Officer".into();
    let mut sent = key.put(&path(&made), made.clone()).ok();
    assert!(text(&sent["updated_at"]) > text(&made["updated_at"]));
    sent["updated_at"] = made["updated_at"].clone();
    assert_eq!(sent, made);
    let list_item = key.get("/projects").page().rows.remove(0);
    key.put(&path(&made), list_item).ok();
    // A read record can be sent as a new one, too.
    let again = key.post("/projects", made.clone()).created();
    assert_ne!(again["id"], made["id"]);
    assert_eq!(again["client_company"], made["client_company"]);
}

fn invalid_projects_are_refused(world: &World) {
    let key = world.key(SCOPES);
    let made = project(
        &key,
        json!({"name": "x".repeat(100), "client_name": "x".repeat(255), "description": "x".repeat(10_000)}),
    );
    let ada = nobody();
    for (body, field, why) in [
        (json!({}), "name", "required"),
        (json!({"name": ""}), "name", "empty"),
        (json!({"name": null}), "name", "null"),
        (json!({"name": "x".repeat(101)}), "name", "100"),
        (json!({"name": "CTO", "status": "done"}), "status", "active, archived"),
        (json!({"name": "CTO", "client_name": "x".repeat(256)}), "client_name", "255"),
        (json!({"name": "CTO", "location": "x".repeat(256)}), "location", "255"),
        (json!({"name": "CTO", "description": "x".repeat(10_001)}), "description", "10000"),
        (json!({"name": "CTO", "client_company_id": "acme"}), "client_company_id", "uuid"),
        (json!({"name": "CTO", "client_company_id": ada}), "client_company_id", "no company"),
        (json!({"name": "CTO", "template_id": ada}), "template_id", "no template"),
        (json!({"name": "CTO", "owner_ids": [ada]}), "owner_ids.0", "no member has this id"),
        (json!({"name": "CTO", "owner_ids": ["me"]}), "owner_ids.0", "uuid"),
        (json!({"name": "CTO", "owner_ids": null}), "owner_ids", "null"),
        (json!({"name": "CTO", "owner_ids": "me"}), "owner_ids", "array"),
        (json!({"name": "CTO", "client_compny_id": null}), "client_compny_id", "client_company_id"),
        (json!({"name": "CTO", "stages": []}), "stages", "not a member"),
    ] {
        key.post("/projects", body.clone()).invalid(field).says(why);
        if body.get("name").is_some_and(|name| *name == "CTO") && field != "template_id" {
            key.put(&path(&made), body).invalid(field).says(why);
        }
    }
    let many: Vec<String> = (0..51).map(|_| nobody()).collect();
    key.post("/projects", json!({"name": "CTO", "owner_ids": many})).invalid("owner_ids").says("50");
    key.put(&path(&made), json!({"template_id": nobody()})).invalid("template_id").says("keeps the stages");
    key.put(&path(&made), json!({"template_id": null})).invalid("template_id");
    let both =
        key.post("/projects", json!({"name": "CTO", "client_company_id": ada, "template_id": ada, "owner_ids": [ada]}));
    assert_eq!(both.error(400, "validation_error").details().len(), 3, "all problems at once");
    assert_eq!(key.get("/projects").page().rows.len(), 1);
    assert_eq!(key.get(&path(&made)).ok(), made);
    key.delete(&path(&made)).error(405, "method_not_allowed");
}

fn owners_are_members_and_their_projects_are_found(world: &World) {
    let key = world.key(SCOPES);
    let ann = world.cli(["members", "add", "--email", "ann@example.com", "--name", "Ann Lee"]).ok().to_owned();
    let me = text(&key.get("/me").ok()["user"]["user_id"]);
    project(&key, json!({"name": "Mine"}));
    let hers = project(&key, json!({"name": "Hers", "owner_ids": [ann, ann]}));
    assert_eq!(
        hers["owners"],
        json!([{"user_id": ann, "first_name": "Ann", "last_name": "Lee", "email": "ann@example.com"}])
    );
    let ours = project(&key, json!({"name": "Ours", "owner_ids": [me, ann]}));
    assert_eq!(member(&ours["owners"], "user_id"), [me.clone(), ann.clone()], "in their order");
    project(&key, json!({"name": "Nobody's", "owner_ids": []}));
    let by = |filter: &str| names(&key, &[("owner_id", filter), ("sort", "name")]);
    assert_eq!(by(&ann), ["Hers", "Ours"]);
    assert_eq!(by(&format!("in.({ann},{me})")), ["Hers", "Mine", "Ours"]);
    assert_eq!(by("is.null"), ["Nobody's"]);
    assert_eq!(by(&format!("not.eq.{ann}")), ["Mine", "Nobody's"]);
    key.put(&path(&ours), json!({"owner_ids": [me]})).ok();
    assert_eq!(by(&ann), ["Hers"]);
    key.list("/projects", &[("owner_id", "ann")]).invalid("owner_id").says("uuid");
    key.list("/projects", &[("owner_ids", &ann)]).invalid("owner_ids").says("owner_id");
}

fn a_list_shows_projects_without_their_pipelines(world: &World) {
    let key = world.key(SCOPES);
    let mut made = project(&key, json!({"name": "CTO"}));
    made.as_object_mut().expect("an object").remove("pipeline");
    let page = key.get("/projects").page();
    assert_eq!(page.rows, [made]);
    assert_eq!(page.meta, json!({"total": 1, "limit": 50, "offset": 0, "has_more": false}));
}

fn projects_are_filtered_and_sorted(world: &World) {
    let key = world.key(SCOPES);
    let acme = text(&key.post("/companies", json!({"name": "Acme"})).created()["id"]);
    project(&key, json!({"name": "b Alpha", "location": "Lyon", "client_name": "Acme", "client_company_id": acme}));
    project(&key, json!({"name": "A Beta", "status": "archived", "location": "Łódź"}));
    let third = project(&key, json!({"name": "c Gamma", "client_name": "ACME"}));
    for (parameters, expected) in [
        (&[][..], &["c Gamma", "A Beta", "b Alpha"][..]),
        (&[("sort", "name")], &["A Beta", "b Alpha", "c Gamma"]),
        (&[("sort", "-name")], &["c Gamma", "b Alpha", "A Beta"]),
        (&[("sort", "status,name")], &["b Alpha", "c Gamma", "A Beta"]),
        (&[("sort", "-status")], &["A Beta", "c Gamma", "b Alpha"]),
        (&[("sort", "created_at")], &["b Alpha", "A Beta", "c Gamma"]),
        (&[("sort", "-updated_at")], &["c Gamma", "A Beta", "b Alpha"]),
        (&[("status", "active")], &["c Gamma", "b Alpha"]),
        (&[("status", "eq.archived")], &["A Beta"]),
        (&[("name", "ilike.%alp%")], &["b Alpha"]),
        (&[("name", "eq.A Beta")], &["A Beta"]),
        (&[("client_name", "Acme")], &["b Alpha"]),
        (&[("client_name", "ilike.acme"), ("sort", "name")], &["b Alpha", "c Gamma"]),
        (&[("location", "like.%ó%")], &["A Beta"]),
        (&[("location", "is.null")], &["c Gamma"]),
        (&[("client_company_id", &acme)], &["b Alpha"]),
        (&[("client_company_id", "is.null"), ("status", "active")], &["c Gamma"]),
        (&[("or", "(status.eq.archived,name.eq.c Gamma)"), ("sort", "name")], &["A Beta", "c Gamma"]),
        (&[("created_at", "gt.2999-01-01")], &[]),
    ] {
        let page = key.list("/projects", parameters).page();
        assert_eq!(page.column("name"), expected, "{parameters:?}");
        assert_eq!(page.total(), expected.len() as u64, "{parameters:?}");
    }
    let second = key.list("/projects", &[("sort", "status"), ("limit", "1"), ("cursor", "")]).page();
    let rest = key.list("/projects", &[("sort", "status"), ("cursor", &second.next().expect("more"))]).page();
    assert_eq!(rest.column("name"), ["c Gamma", "A Beta"]);
    key.put(&path(&third), json!({"status": "archived"})).ok();
    assert_eq!(key.list("/projects", &[("status", "archived")]).page().total(), 2);
    for (name, value) in [
        ("status", "done"),
        ("description", "x"),
        ("entries_count", "1"),
        ("template_id", &acme),
        ("client_company", "x"),
    ] {
        key.list("/projects", &[(name, value)]).invalid(name);
    }
    key.list("/projects", &[("sort", "location")]).invalid("sort").says("created_at");
}

fn projects_are_searched(world: &World) {
    let key = world.key(SCOPES);
    let made = project(
        &key,
        json!({"name": "Head of Data", "client_name": "Café Métropole", "description": "Reports to the board."}),
    );
    project(&key, json!({"name": "Account Manager"}));
    for words in ["data", "metropole head", "BOARD", "he"] {
        assert_eq!(names(&key, &[("search", words)]), ["Head of Data"], "{words}");
    }
    assert_eq!(names(&key, &[("search", "data manager")]), [""; 0]);
    key.put(&path(&made), json!({"name": "Chief of Staff"})).ok();
    within_a_second("the new name in the index", || {
        let found = names(&key, &[("search", "staff"), ("status", "active")]);
        (found == ["Chief of Staff"] && names(&key, &[("search", "data")]).is_empty()).then_some(())
    });
}

fn projects_are_followed(world: &World) {
    let key = world.key(SCOPES);
    let [one, two, three] = ["One", "Two", "Three"].map(|name| project(&key, json!({"name": name})));
    let (first, last) = (text(&one["updated_at"]), text(&three["updated_at"]));
    assert_eq!(names(&key, &[("updated_after", &first)]), ["Two", "Three"]);
    assert_eq!(names(&key, &[("updated_after", &first), ("updated_before", &text(&two["updated_at"]))]), ["Two"]);
    assert_eq!(names(&key, &[("updated_before", &last), ("sort", "name")]), ["One", "Three", "Two"]);
    key.put(&path(&one), json!({"location": "Lyon"})).ok();
    assert_eq!(names(&key, &[("updated_after", &last)]), ["One"]);
    key.post(&format!("{}/notes", path(&two)), json!({"content": "Called."})).created();
    assert_eq!(names(&key, &[("updated_after", &last)]), ["One"], "a note changes `updated_at`");
    key.list("/projects", &[("updated_before", "2026-01-01")]).invalid("updated_before").says("RFC 3339");
}

fn a_company_has_projects(world: &World) {
    let key = world.key(SCOPES);
    let acme = key.post("/companies", json!({"name": "Acme"})).created();
    for (name, status) in [("CTO", "active"), ("CFO", "archived")] {
        project(&key, json!({"name": name, "status": status, "client_company_id": acme["id"]}));
    }
    project(&key, json!({"name": "Other"}));
    let of_acme = format!("/companies/{}/projects", text(&acme["id"]));
    assert_eq!(key.get(&of_acme).page().column("name"), ["CFO", "CTO"]);
    assert_eq!(key.list(&of_acme, &[("status", "active")]).page().column("name"), ["CTO"]);
    key.get(&format!("/companies/{}/projects", nobody())).not_found();
    world.key("companies:read").get(&of_acme).error(403, "insufficient_scope").says("projects:read");
}

fn projects_have_notes(world: &World) {
    let key = world.key(SCOPES);
    let made = project(&key, json!({"name": "CTO"}));
    let notes = format!("{}/notes", path(&made));
    let note = key.post(&notes, json!({"content": "Budget is fixed.", "is_pinned": true})).created();
    assert_eq!((&note["project_id"], &note["contact_id"]), (&made["id"], &Value::Null));
    key.post(&notes, json!({"content": "Called."})).created();
    assert_eq!(key.get(&notes).page().column("content"), ["Budget is fixed.", "Called."]);
    key.get(&format!("/projects/{}/notes", nobody())).not_found();
    world.key("projects:read").get(&notes).error(403, "insufficient_scope").says("notes:read");
}

fn projects_have_files(world: &World) {
    let key = world.key(SCOPES);
    let made = project(&key, json!({"name": "CTO"}));
    let files = format!("{}/files", path(&made));
    let file = key.upload(&files, "brief.txt", b"We look for a CTO.").created();
    assert_eq!((&file["filename"], &file["size"]), (&json!("brief.txt"), &json!(18)));
    let as_json =
        key.post(&files, json!({"filename": "a.txt", "content_type": "text/plain", "file_base64": "QWRh"})).created();
    assert_eq!(key.get(&files).page().ids(), [text(&as_json["id"]), text(&file["id"])], "the newest first");
    let one = format!("{files}/{}", text(&file["id"]));
    assert_eq!(key.get(&one).ok(), file);
    assert!(text(&file["url"]).ends_with(&format!("{one}/content")), "{file}");
    assert_eq!(key.get(&format!("{one}/content")).is(200).text(), "We look for a CTO.");
    let other = project(&key, json!({"name": "CFO"}));
    key.get(&format!("{}/files/{}", path(&other), text(&file["id"]))).not_found();
    assert_eq!(key.delete(&one).ok(), json!({"deleted": true}));
    key.get(&one).not_found();
    assert_eq!(key.get(&path(&made)).ok()["updated_at"], made["updated_at"]);
    assert_eq!(
        key.get(&format!("{}/timeline", path(&made))).page().column("type")[..2],
        ["project.file_deleted", "project.file_added"]
    );
    world.key("projects:read").delete(&one).error(403, "insufficient_scope").says("projects:write");
}

fn a_project_is_on_its_own_and_its_companys_timeline(world: &World) {
    let key = world.key(SCOPES);
    let acme = key.post("/companies", json!({"name": "Acme"})).created();
    let made = project(&key, json!({"name": "CTO", "client_company_id": acme["id"]}));
    key.post(&format!("{}/notes", path(&made)), json!({"content": "Called."})).created();
    key.put(&path(&made), json!({"status": "archived"})).ok();
    let timeline = key.get(&format!("{}/timeline", path(&made))).page();
    assert_eq!(timeline.column("type"), ["project.updated", "note.created", "project.created"]);
    assert_eq!(timeline.rows[0]["changes"], json!({"status": ["active", "archived"]}));
    assert_eq!(
        timeline.rows[1]["changes"]["project_id"],
        json!([null, made["id"]]),
        "the event of a note names its record"
    );
    let of_company = format!("/companies/{}/timeline", text(&acme["id"]));
    assert_eq!(key.get(&of_company).page().column("type"), ["project.updated", "project.created", "company.created"]);
    assert_eq!(key.get(&format!("{of_company}?types=project.updated")).page().rows.len(), 1);
    assert_eq!(world.key("companies:read").get(&of_company).page().column("type"), ["company.created"]);
    world
        .key("pipeline:read")
        .get(&format!("{}/timeline", path(&made)))
        .error(403, "insufficient_scope")
        .says("projects:read");
    key.get(&format!("/projects/{}/timeline", nobody())).not_found();
}

fn a_project_of_another_workspace_is_hidden(world: &World) {
    let (ours, theirs) = (world.key(SCOPES), world.workspace("theirs").key(SCOPES));
    let their_company = theirs.post("/companies", json!({"name": "Acme"})).created();
    let made = project(&theirs, json!({"name": "CTO"}));
    ours.get(&path(&made)).not_found();
    ours.put(&path(&made), json!({"name": "Mine"})).not_found();
    assert_eq!(ours.get("/projects").page().total(), 0);
    ours.post("/projects", json!({"name": "CTO", "client_company_id": their_company["id"]}))
        .invalid("client_company_id");
    let template = theirs.get("/project-templates").page().rows.remove(0);
    ours.post("/projects", json!({"name": "CTO", "template_id": template["id"]})).invalid("template_id");
    ours.post("/projects", json!({"name": "CTO", "owner_ids": made["owner_ids"]})).invalid("owner_ids.0");
}

fn merged_companies_have_the_projects_of_both(world: &World) {
    let key = world.key(SCOPES);
    let [acme, other] = ["Acme", "ACME"].map(|name| key.post("/companies", json!({"name": name})).created());
    project(&key, json!({"name": "CTO", "client_company_id": acme["id"]}));
    let moved = project(&key, json!({"name": "CFO", "client_company_id": other["id"]}));
    let body = json!({"into": acme["id"], "from": [other["id"]]});
    let merge = key.post("/companies/merge", body).ok();
    assert_eq!(merge["moved"]["projects"], 1);
    let of = |company: &Value| key.get(&format!("/companies/{}/projects", text(&company["id"]))).page().column("name");
    assert_eq!(of(&acme), ["CFO", "CTO"]);
    assert_eq!(of(&other), ["CFO", "CTO"], "the old id still works");
    let now = key.get(&path(&moved)).ok();
    assert_eq!(now["client_company"], json!({"id": acme["id"], "name": "Acme"}));
    assert!(text(&now["updated_at"]) > text(&moved["updated_at"]));
    let under_old_id = project(&key, json!({"name": "COO", "client_company_id": other["id"]}));
    assert_eq!(under_old_id["client_company_id"], acme["id"]);
    key.post(&format!("/companies/merge/{}/undo", text(&merge["id"])), json!({})).ok();
    assert_eq!((of(&acme), of(&other)), (vec!["COO".to_owned(), "CTO".to_owned()], vec!["CFO".to_owned()]));
}

fn a_company_with_a_project_stays_when_its_import_is_undone(world: &World) {
    let key = world.key("full_access");
    let import = imports::import(&key, json!({"collection": "companies"}), "companies.csv", "name\nAcme\nGlobex\n");
    let acme = key.list("/companies", &[("name", "Acme")]).page().rows.remove(0);
    project(&key, json!({"name": "CTO", "client_company_id": acme["id"]}));
    key.post(&format!("/imports/{}/undo", text(&import["id"])), json!({})).is(202);
    let undone = imports::ended(&key, &import);
    assert_eq!((&undone["removed"], &undone["kept"]), (&json!(1), &json!(1)));
    assert_eq!(key.get("/companies").page().column("name"), ["Acme"]);
}
