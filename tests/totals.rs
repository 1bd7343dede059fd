//! Cached totals follow every change that affects their filter.

use serde_json::{Value, json};

use crm::outreach::contact_search::ContactSearch;
use crm::sourcing::contacts::CandidateSearch;
use resource::Resource;

use crate::enrollments::{complete, enrolled, started, task};
use crate::support::*;

stories![every_total_follows_changes_that_affect_its_filter, a_total_in_a_write_is_not_shared];

/// A list request with a total, by query or by body.
struct Question {
    path: &'static str,
    of: String,
    body: Option<Value>,
}

impl Question {
    fn list(path: &'static str, query: &str) -> Question {
        Question { path, of: query.to_owned(), body: None }
    }

    /// The total on a page of one row, and the number of rows.
    #[track_caller]
    fn ask(&self, key: &Client) -> (u64, u64) {
        let Some(body) = &self.body else {
            let few = key.get(&format!("{}?limit=1&{}", self.path, self.of)).page();
            let all = key.get(&format!("{}?limit=100&{}", self.path, self.of)).page();
            return (few.total(), all.rows.len() as u64);
        };
        let sized = |member: &str, size: u64| {
            let mut body = body.clone();
            body[member] = json!(size);
            body
        };
        if self.path == "/contacts/search" {
            let few = key.post(self.path, sized("limit", 1)).page();
            return (few.total(), key.post(self.path, sized("limit", 100)).page().rows.len() as u64);
        }
        let few = key.post(self.path, sized("page_size", 1)).ok();
        let all = key.post(self.path, sized("page_size", 100)).ok();
        let rows = all["profiles"].as_array().map_or(0, Vec::len);
        (few["total_count"].as_u64().unwrap_or_else(|| panic!("{few}")), rows as u64)
    }
}

/// Repeats all requests after every change: a stale cached total differs from the rows.
struct Asked<'a> {
    key: &'a Client,
    questions: Vec<Question>,
    seen: Vec<Vec<u64>>,
}

impl Asked<'_> {
    #[track_caller]
    fn after(&mut self, change: &str) {
        for (question, seen) in self.questions.iter().zip(&mut self.seen) {
            let (total, rows) = question.ask(self.key);
            let Question { path, of, body } = question;
            assert_eq!(total, rows, "after {change}: {path} {of} {body:?}");
            seen.push(total);
        }
    }
}

fn every_total_follows_changes_that_affect_its_filter(world: &World) {
    world.set(&["--rate-limit", "1000000"]);
    world
        .cli(["fields", "create", "--entity", "contact", "--key", "level", "--type", "select", "--options", "a,b"])
        .ok();
    let key = &world.key("full_access");
    let company = key.post("/companies", json!({"name": "Acme", "tags": ["hot"]})).created();
    let person = |number: usize| {
        let body = json!({
            "first_name": "Ada", "last_name": "Martin", "title": "Engineer", "current_company": "Acme", "location": "Berlin",
            "contact_type": "candidate", "skills": ["rust"], "tags": ["hot"], "company_id": company["id"],
            "emails": [{"email": format!("ada{number}@example.com")}], "custom_data": {"level": "a"},
        });
        key.post("/contacts", body).created()
    };
    let people: Vec<Value> = (0..6).map(person).collect();
    let project = key.post("/projects", json!({"name": "Engineers"})).created();
    let stages = project["pipeline"]["stages"].as_array().expect("stages").clone();
    let (first, second) = (&stages[0], &stages[1]);
    let entries = format!("/projects/{}/entries", text(&project["id"]));
    let step = json!([{"type": "task", "name": "Call"}]);
    let sequence = started(key, step);
    let add = |person: &Value| key.post(&entries, json!({"contact_id": person["id"]})).created();
    let mut candidates: Vec<Value> = people[..3].iter().map(add).collect();
    let mut members: Vec<Value> = people[..3].iter().map(|person| enrolled(key, &sequence, person)).collect();
    let long_ago = "2001-01-01T00:00:00Z";
    let soon = "2101-01-01T00:00:00Z";

    let by_search: &[(&str, Value)] = &[
        ("query", json!("martin")),
        ("name", json!("ada")),
        ("title", json!("engineer")),
        ("company", json!("acme")),
        ("location", json!("berlin")),
        ("contact_types", json!(["candidate"])),
        ("tags", json!(["hot"])),
        ("created_after", json!(long_ago)),
        ("created_before", json!(soon)),
        ("last_contacted_after", json!(long_ago)),
        ("last_contacted_before", json!(soon)),
        ("project_id", project["id"].clone()),
        ("sequence_id", sequence["id"].clone()),
    ];
    let by_candidate: &[(&str, Value)] = &[
        ("job_titles", json!(["engineer"])),
        ("companies", json!(["acme"])),
        ("locations", json!(["berlin"])),
        ("keywords", json!(["martin"])),
        ("skills", json!(["rust"])),
        ("first_name", json!("ada")),
        ("last_name", json!("martin")),
        ("full_name", json!("ada martin")),
        ("contact_types", json!(["candidate"])),
        ("tags", json!(["hot"])),
        ("project_ids", json!([project["id"]])),
        ("sequence_ids", json!([sequence["id"]])),
        ("stage_ids", json!([first["id"]])),
        ("stage_categories", json!([first["system_category"]])),
        ("created_after", json!(long_ago)),
        ("created_before", json!(soon)),
    ];
    // Every filter is tested: a new one must be added here.
    let asked = |table: &[(&str, Value)]| table.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>();
    let filters = |fields: &[resource::Field], others: &[&str]| {
        let names = fields.iter().map(|field| field.name.to_owned());
        names.filter(|name| !others.contains(&name.as_str())).collect::<Vec<_>>()
    };
    assert_eq!(asked(by_search), filters(ContactSearch::FIELDS, &["sort_by", "sort_direction", "limit", "offset"]));
    assert_eq!(asked(by_candidate), filters(CandidateSearch::FIELDS, &["project_id", "page", "page_size"]));
    let mut questions = Vec::new();
    for (path, table) in [("/contacts/search", by_search), ("/sourcing/contacts/search", by_candidate)] {
        for (name, value) in table {
            questions.push(Question { path, of: String::new(), body: Some(json!({ *name: value })) });
        }
    }
    let both = json!({"project_id": project["id"], "sequence_id": sequence["id"], "tags": ["hot"]});
    questions.push(Question { path: "/contacts/search", of: String::new(), body: Some(both) });
    let company_id = text(&company["id"]);
    for query in [
        format!("company_id=eq.{company_id}"),
        format!("company_id=eq.{company_id}&tags=cs.{{hot}}&contact_type=candidate"),
        "tags=cs.{hot}".to_owned(),
        "tags=is.null".to_owned(),
        "search=hot".to_owned(),
        "custom_data.level=eq.a".to_owned(),
        "email=ilike.ada*".to_owned(),
        "or=(title.eq.Engineer,location.eq.Berlin)".to_owned(),
    ] {
        questions.push(Question::list("/contacts", &query));
    }
    for (path, query) in [
        ("/companies", "tags=cs.{hot}&name=ilike.a*"),
        ("/tasks", "status=todo&priority=medium"),
        ("/tasks", "title=ilike.call*"),
        ("/tags", "name=ilike.h*"),
        ("/projects", "name=ilike.e*"),
        ("/sequences", "name=ilike.o*"),
    ] {
        questions.push(Question::list(path, query));
    }
    let enrollments: &'static str = format!("/sequences/{}/enrollments", text(&sequence["id"])).leak();
    questions.push(Question::list(enrollments, "status=active"));
    let of_project: &'static str = entries.clone().leak();
    questions.push(Question::list(of_project, &format!("stage_id=eq.{}", text(&first["id"]))));
    let seen = questions.iter().map(|_| Vec::new()).collect();
    let mut asked = Asked { key, questions, seen };

    asked.after("nothing");
    candidates.push(add(&people[3]));
    asked.after("one more in the project");
    key.put(&format!("{entries}/{}", text(&candidates[0]["id"])), json!({"stage_id": second["id"]})).ok();
    asked.after("one moves to the next stage");
    key.delete(&format!("{entries}/{}", text(&candidates[1]["id"]))).ok();
    asked.after("one leaves the project");
    members.push(enrolled(key, &sequence, &people[3]));
    asked.after("one more in the sequence");
    complete(key, &task(key, &people[0]), "done");
    asked.after("a step is done");
    key.post(&format!("/contacts/{}/tags", text(&people[1]["id"])), json!({"name": "cold"})).created();
    key.delete(&format!("/contacts/{}/tags?name=hot", text(&people[1]["id"]))).ok();
    asked.after("a tag comes and goes");
    let tag = key.get("/tags?name=hot").page().rows[0].clone();
    key.put(&format!("/tags/{}", text(&tag["id"])), json!({"name": "warm"})).ok();
    asked.after("a tag is renamed");
    key.put(&format!("/tags/{}", text(&tag["id"])), json!({"name": "hot"})).ok();
    asked.after("a tag has its name again");
    let merged = key.post("/contacts/merge", json!({"into": people[0]["id"], "from": [people[3]["id"]]})).ok();
    asked.after("two contacts are merged");
    key.post(&format!("/contacts/merge/{}/undo", text(&merged["id"])), json!({})).ok();
    asked.after("the merge is undone");
    let other = key.post("/companies", json!({"name": "Acme Holding", "tags": ["hot"]})).created();
    key.post("/companies/merge", json!({"into": other["id"], "from": [company["id"]]})).ok();
    asked.after("the company is merged");
    key.put(&format!("/contacts/{}", text(&people[4]["id"])), json!({"title": "CEO", "location": "Rome"})).ok();
    asked.after("a contact changes");
    key.delete(&format!("/contacts/{}", text(&people[2]["id"]))).ok();
    asked.after("a contact is archived");
    key.delete(&format!("/tags/{}", text(&tag["id"]))).ok();
    asked.after("a tag is deleted");
    // Filters whose total never changed were not tested.
    for name in ["project_id", "sequence_id", "project_ids", "sequence_ids", "stage_ids", "stage_categories", "tags"] {
        for (question, seen) in asked.questions.iter().zip(&asked.seen) {
            let about = question.body.as_ref().is_some_and(|body| body.get(name).is_some());
            assert!(!about || seen.iter().any(|total| *total != seen[0]), "{name}: {seen:?}");
        }
    }
}

/// A bulk request that creates records is a write; a total counted inside it is not shared.
fn a_total_in_a_write_is_not_shared(world: &World) {
    let key = world.key("crm");
    let make =
        |number: usize| json!({"op": "create", "data": {"first_name": "Ada", "location": format!("Room {number}")}});
    let items: Vec<Value> = (0..20).map(make).collect();
    key.post("/contacts/bulk", json!({ "items": items })).ok();
    assert_eq!(key.get("/contacts?first_name=Ada&limit=1").page().total(), 20);
    // The second item fails, so the first is rolled back with it.
    let failing = json!({"atomic": true, "items": [make(21), {"op": "create", "data": {"first_name": 7}}]});
    assert_ne!(key.post("/contacts/bulk", failing).status, 500);
    assert_eq!(key.get("/contacts?first_name=Ada&limit=1").page().total(), 20);
    key.post("/contacts/bulk", json!({"items": [make(22), make(23)]})).ok();
    assert_eq!(key.get("/contacts?first_name=Ada&limit=1").page().total(), 22);
}
