//! Undo after other changes: merged tags, renamed options, merged companies, replaced CVs. And the counts that a merge
//! reports.

use serde_json::{Value, json};

use crate::enrollments::started;
use crate::imports::{self, ended};
use crate::sequences::path;
use crate::support::*;

stories![
    an_undo_follows_merged_tags,
    an_undo_follows_renamed_options,
    an_undo_returns_a_contact_to_its_company,
    undoing_an_import_restores_the_company,
    an_undo_returns_a_cv_that_came_by_a_merge,
    a_dry_run_counts_what_the_merge_counts,
    lists_include_rows_that_a_merge_is_still_moving,
    a_merge_takes_single_custom_values,
    an_undone_merge_does_not_count_as_a_change_for_an_import,
    an_import_is_undone_after_the_merge,
    conditions_that_use_a_field_are_named,
];

fn id(record: &Value) -> String {
    text(&record["id"])
}

#[track_caller]
fn person(key: &Client, mut body: Value) -> Value {
    body["first_name"] = json!("Ada");
    key.post("/contacts", body).created()
}

#[track_caller]
fn company(key: &Client, name: &str) -> Value {
    key.post("/companies", json!({ "name": name })).created()
}

#[track_caller]
fn merge(key: &Client, kind: &str, into: &Value, from: &Value) -> Value {
    key.post(&format!("/{kind}/merge"), json!({"into": into["id"], "from": [from["id"]]})).ok()
}

#[track_caller]
fn undo(key: &Client, kind: &str, merge: &Value) -> Value {
    key.post(&format!("/{kind}/merge/{}/undo", id(merge)), json!({})).ok()
}

#[track_caller]
fn undo_import(key: &Client, import: &Value) -> Value {
    key.post(&format!("/imports/{}/undo", id(import)), json!({})).is(202);
    ended(key, import)
}

#[track_caller]
fn read(key: &Client, kind: &str, record: &Value) -> Value {
    key.get(&format!("/{kind}/{}", id(record))).ok()
}

#[track_caller]
fn no_job_is_left(world: &World, kind: &str) {
    let sql = format!("SELECT CAST(count(*) AS text) FROM jobs WHERE kind = '{kind}'");
    eventually("the job ends", PATIENCE, || (world.count(&sql) == 0).then_some(()));
}

fn field(world: &World, key: &str, kind: &str, options: &str) {
    let mut arguments = vec!["fields", "create", "--entity", "contact", "--key", key, "--type", kind];
    if !options.is_empty() {
        arguments.extend(["--options", options]);
    }
    world.run(&arguments).ok();
}

fn an_undo_follows_merged_tags(world: &World) {
    let key = world.key("full_access");
    let tags = |record: &Value| strings(&read(&key, "contacts", record)["tags"]);
    for is_done in [true, false] {
        let (own, old, mid, stay) = (format!("own{is_done}"), format!("old{is_done}"), format!("mid{is_done}"), "stay");
        let stay = match is_done {
            true => key.post("/tags", json!({ "name": stay })).created(),
            false => key.list("/tags", &[("name", stay)]).page().rows.remove(0),
        };
        let (ada, bea) = (person(&key, json!({"tags": [own]})), person(&key, json!({"tags": [old]})));
        let (cyd, mail) = (format!("cyd{is_done}@example.com"), json!({"collection": "contacts", "match_on": "email"}));
        let cyd = person(&key, json!({"email": cyd, "tags": [own]}));
        let sheet = format!("email,tags\n{},{own};{old}\n", text(&cyd["emails"][0]["email"]));
        let import = imports::import(&key, mail, "x.csv", sheet);
        let merged = merge(&key, "contacts", &ada, &bea);
        let mid = key.post("/tags", json!({ "name": mid })).created();
        let old = key.list("/tags", &[("name", &old)]).page().rows.remove(0);
        for (into, from) in [(&mid, &old), (&stay, &mid)] {
            key.post("/tags/merge", json!({"into": into["id"], "from": [from["id"]]})).ok();
            if is_done {
                no_job_is_left(world, "tag.merge");
            }
        }
        undo(&key, "contacts", &merged);
        assert_eq!((tags(&ada), tags(&bea)), (vec![own.clone()], vec!["stay".to_owned()]), "done: {is_done}");
        assert_eq!(undo_import(&key, &import)["restored"], 1);
        assert_eq!(tags(&cyd), std::slice::from_ref(&own), "done: {is_done}");
        no_job_is_left(world, "tag.merge");
        assert_eq!((tags(&ada), tags(&bea)), (vec![own], vec!["stay".to_owned()]), "done: {is_done}");
    }
}

fn an_undo_follows_renamed_options(world: &World) {
    field(world, "level", "select", "p,q");
    field(world, "perks", "multi_select", "p,q");
    let key = world.key("full_access");
    let data = |record: &Value| read(&key, "contacts", record)["custom_data"].clone();
    for (is_done, from, to) in [(true, "p", "pp"), (false, "pp", "ppp")] {
        let ada = person(&key, json!({}));
        let bea = person(&key, json!({"custom_data": {"level": from, "perks": [from, "q"]}}));
        let mail = format!("cyd{from}@example.com");
        let cyd = person(&key, json!({"email": mail, "custom_data": {"level": from}}));
        let wanted = json!({"collection": "contacts", "match_on": "email"});
        let import = imports::import(&key, wanted, "x.csv", format!("email,custom_data.level\n{mail},q\n"));
        assert_eq!(import["updated"], 1, "{import}");
        let merged = merge(&key, "contacts", &ada, &bea);
        for name in ["level", "perks"] {
            let renamed = format!("{from}={to}");
            world
                .run(&["fields", "update", "--entity", "contact", "--key", name, "--rename-option", renamed.as_str()])
                .ok();
        }
        if is_done {
            no_job_is_left(world, "custom_field.rename_option");
        }
        undo(&key, "contacts", &merged);
        assert_eq!(undo_import(&key, &import)["restored"], 1);
        no_job_is_left(world, "custom_field.rename_option");
        assert_eq!(data(&ada), json!({}), "done: {is_done}");
        assert_eq!(data(&bea), json!({"level": to, "perks": [to, "q"]}), "done: {is_done}");
        assert_eq!(data(&cyd), json!({"level": to}), "done: {is_done}");
    }
    // A later option with the old name is another one.
    world.run(&["fields", "update", "--entity", "contact", "--key", "level", "--options", "p,ppp,q"]).ok();
    let (ada, bea) = (person(&key, json!({})), person(&key, json!({"custom_data": {"level": "p"}})));
    let merged = merge(&key, "contacts", &ada, &bea);
    undo(&key, "contacts", &merged);
    assert_eq!(data(&bea), json!({"level": "p"}));
}

fn an_undo_returns_a_contact_to_its_company(world: &World) {
    let key = world.key("full_access");
    let of = |record: &Value| read(&key, "contacts", record)["company_id"].clone();
    let count = |record: &Value| read(&key, "companies", record)["contacts_count"].clone();
    let [l, m, x] = ["L", "M", "X"].map(|name| company(&key, name));
    let (ada, bea) = (person(&key, json!({})), person(&key, json!({"company_id": l["id"]})));
    let contacts = merge(&key, "contacts", &ada, &bea);
    let companies = merge(&key, "companies", &m, &l);
    undo(&key, "contacts", &contacts);
    assert_eq!((of(&ada), of(&bea)), (Value::Null, m["id"].clone()));
    undo(&key, "companies", &companies);
    assert_eq!((of(&ada), of(&bea)), (Value::Null, l["id"].clone()));
    assert_eq!((count(&l), count(&m)), (json!(1), json!(0)));

    // The survivor's own company and the one that it took from the other are merged into the same.
    let cyd = person(&key, json!({"company_id": x["id"]}));
    let body = json!({"into": bea["id"], "from": [cyd["id"]], "fields": {"company_id": cyd["id"]}});
    let contacts = key.post("/contacts/merge", body).ok();
    assert_eq!(of(&bea), x["id"]);
    let first = merge(&key, "companies", &m, &x);
    let second = merge(&key, "companies", &m, &l);
    assert_eq!(of(&bea), m["id"]);
    undo(&key, "contacts", &contacts);
    assert_eq!((of(&bea), of(&cyd)), (m["id"].clone(), m["id"].clone()));
    undo(&key, "companies", &second);
    assert_eq!((of(&bea), of(&cyd)), (l["id"].clone(), m["id"].clone()));
    undo(&key, "companies", &first);
    assert_eq!((of(&bea), of(&cyd)), (l["id"].clone(), x["id"].clone()));
    assert_eq!((count(&l), count(&m), count(&x)), (json!(1), json!(0), json!(1)));
}

fn undoing_an_import_restores_the_company(world: &World) {
    let key = world.key("full_access");
    let [l, m, x] = ["L", "M", "X"].map(|name| company(&key, name));
    let ada = person(&key, json!({"email": "ada@example.com", "company_id": l["id"]}));
    let wanted = json!({"collection": "contacts", "match_on": "email"});
    let sheet = format!("email,company_id\nada@example.com,{}\n", id(&x));
    let import = imports::import(&key, wanted, "x.csv", sheet);
    assert_eq!(read(&key, "contacts", &ada)["company_id"], x["id"]);
    let merged = merge(&key, "companies", &m, &l);
    assert_eq!(undo_import(&key, &import)["restored"], 1);
    assert_eq!(read(&key, "contacts", &ada)["company_id"], m["id"]);
    undo(&key, "companies", &merged);
    assert_eq!(read(&key, "contacts", &ada)["company_id"], l["id"]);
    assert_eq!(read(&key, "companies", &m)["contacts_count"], 0);
}

fn an_undo_returns_a_cv_that_came_by_a_merge(world: &World) {
    let key = world.key("full_access");
    let (ada, bea) = (person(&key, json!({})), person(&key, json!({})));
    let cv = |record: &Value| format!("/contacts/{}/cv", id(record));
    key.upload(&cv(&bea), "bea.txt", b"Bea was here").created();
    let merged = merge(&key, "contacts", &ada, &bea);
    assert_eq!(key.upload(&cv(&ada), "ada.txt", b"Ada is new").ok()["filename"], "ada.txt");
    assert_eq!(key.upload(&cv(&ada), "ada2.txt", b"Ada is newer").ok()["filename"], "ada2.txt");
    let files = key.get(&format!("/contacts/{}/files", id(&ada))).page();
    assert_eq!(files.column("filename"), ["bea.txt"], "only the CV that came by the merge is kept as a file");
    undo(&key, "contacts", &merged);
    assert_eq!(key.get(&format!("{}/file", cv(&bea))).body, b"Bea was here");
    assert_eq!(key.get(&format!("{}/file", cv(&ada))).body, b"Ada is newer");
    assert_eq!(key.get(&cv(&bea)).ok()["filename"], "bea.txt");
    assert_eq!(key.get(&format!("/contacts/{}/files", id(&ada))).page().total(), 0);
    eventually("what nobody refers to is removed", PATIENCE, || (crate::cv::stored(world) == 2).then_some(()));
    // After the undo it is Ada's own.
    key.upload(&cv(&ada), "ada3.txt", b"Ada is newest").ok();
    assert_eq!(key.get(&format!("/contacts/{}/files", id(&ada))).page().total(), 0);
}

fn a_dry_run_counts_what_the_merge_counts(world: &World) {
    let key = world.key("full_access");
    let [l, m] = ["L", "M"].map(|name| company(&key, name));
    for company in [&l, &l, &m] {
        person(&key, json!({"company_id": company["id"]}));
        key.post("/deals", json!({"title": "Deal", "company_id": company["id"]})).created();
    }
    let mut body = json!({"into": m["id"], "from": [l["id"]], "dry_run": true});
    let shown = key.post("/companies/merge", body.clone()).ok()["record"].clone();
    body["dry_run"] = json!(false);
    let merged = key.post("/companies/merge", body).ok()["record"].clone();
    for record in [&shown, &merged] {
        assert_eq!((&record["contacts_count"], &record["deals_count"]), (&json!(3), &json!(3)));
    }
}

fn lists_include_rows_that_a_merge_is_still_moving(world: &World) {
    let key = world.key("full_access");
    let (ada, bea) = (person(&key, json!({})), person(&key, json!({})));
    let other = company(&key, "Acme");
    const MANY: u64 = 450;
    for _ in 0..MANY / 50 {
        let of = |title: &str| json!({"title": title, "contact_ids": [bea["id"]], "company_id": other["id"]});
        let items: Vec<Value> = (0..50).map(|_| json!({"op": "create", "data": of("Deal")})).collect();
        key.post("/deals/bulk", json!({ "items": items })).ok();
        let items: Vec<Value> =
            (0..50).map(|_| json!({"op": "create", "data": {"title": "Task", "contact_id": bea["id"]}})).collect();
        key.post("/tasks/bulk", json!({ "items": items })).ok();
    }
    let into = company(&key, "Globex");
    merge(&key, "contacts", &ada, &bea);
    merge(&key, "companies", &into, &other);
    let moving = "SELECT CAST(count(*) AS text) FROM jobs WHERE kind = 'merge.move'";
    eventually("the rest has moved", PATIENCE, || {
        // The result is correct at any progress of the jobs.
        let left = world.count(moving);
        let contact = id(&ada);
        for path in ["deals", "tasks"] {
            assert_eq!(key.get(&format!("/contacts/{contact}/{path}")).page().total(), MANY, "{path}, {left} jobs");
        }
        assert_eq!(key.get(&format!("/companies/{}/deals", id(&into))).page().total(), MANY, "{left} jobs");
        (left == 0).then_some(())
    });
}

fn a_merge_takes_single_custom_values(world: &World) {
    field(world, "level", "select", "a,b");
    field(world, "txt", "text", "");
    field(world, "perks", "multi_select", "car,bike,phone");
    let key = world.key("full_access");
    let make = |level: &str, txt: Value, perks: Value| {
        person(&key, json!({"title": level, "custom_data": {"level": level, "txt": txt, "perks": perks}}))
    };
    let ada = make("a", json!("hers"), json!(["car", "bike"]));
    let bea = make("b", Value::Null, json!(["phone", "bike"]));
    let ask =
        |fields: Value| key.post("/contacts/merge", json!({"into": ada["id"], "from": [bea["id"]], "fields": fields}));
    ask(json!({"titel": bea["id"]})).invalid("fields.titel").says("did you mean title?");
    ask(json!({"custom_data.levle": bea["id"]})).invalid("fields.custom_data.levle").says("custom_data.level?");
    ask(json!({"custom_data.level": nobody()})).invalid("fields.custom_data.level").says("one of the merged records");
    let merged = ask(json!({"custom_data.level": bea["id"], "custom_data.txt": bea["id"]})).ok();
    let record = &merged["record"];
    assert_eq!(record["custom_data"], json!({"level": "b", "perks": ["car", "bike", "phone"]}), "{merged}");
    assert_eq!(record["title"], "a");
    // Items of others stay, as in every list.
    key.put(&format!("/contacts/{}", id(&ada)), json!({"custom_data": {"perks": ["bike", "phone"]}})).ok();
    let back = undo(&key, "contacts", &merged);
    assert_eq!(back["custom_data"], json!({"level": "a", "txt": "hers", "perks": ["bike"]}));
    assert_eq!(read(&key, "contacts", &bea)["custom_data"], bea["custom_data"]);
}

fn an_undone_merge_does_not_count_as_a_change_for_an_import(world: &World) {
    let key = world.key("full_access");
    let sheet =
        "first_name,email,tags,title\nAda,ada@example.com,x,Cto\nBea,bea@example.com,y,\nCyd,cyd@example.com,z,\n";
    let import = imports::import(&key, json!({"collection": "contacts"}), "x.csv", sheet);
    let one = |mail: &str| key.list("/contacts", &[("email", mail)]).page().rows.remove(0);
    let (ada, bea, cyd) = (one("ada@example.com"), one("bea@example.com"), one("cyd@example.com"));
    let merged = merge(&key, "contacts", &ada, &bea);
    undo(&key, "contacts", &merged);
    key.put(&format!("/contacts/{}", id(&cyd)), json!({"title": "Changed"})).ok();
    let undone = undo_import(&key, &import);
    assert_eq!((&undone["removed"], &undone["kept"]), (&json!(2), &json!(1)), "{undone}");
    assert_eq!(key.get("/contacts").page().ids(), [id(&cyd)]);
    key.post(&format!("/imports/{}/undo", id(&import)), json!({})).invalid("status");
}

fn an_import_is_undone_after_the_merge(world: &World) {
    let key = world.key("full_access");
    let (ada, bea) = (person(&key, json!({})), person(&key, json!({"email": "bea@example.com", "title": "Old"})));
    let wanted = json!({"collection": "contacts", "match_on": "email"});
    let sheet = "first_name,email,title\nAda,bea@example.com,New\nCyd,cyd@example.com,Cto\nDee,dee@example.com,Cfo\n";
    let import = imports::import(&key, wanted, "x.csv", sheet);
    let cyd = key.list("/contacts", &[("email", "cyd@example.com")]).page().rows.remove(0);
    let merges = [merge(&key, "contacts", &ada, &bea), merge(&key, "contacts", &ada, &cyd)];
    let undone = undo_import(&key, &import);
    assert_eq!((&undone["removed"], &undone["restored"], &undone["kept"]), (&json!(1), &json!(1), &json!(1)));
    let errors = || key.get(&format!("/imports/{}/errors", id(&import))).page().rows;
    let reason = format!("was merged into {}; undo that merge first", id(&ada));
    assert!(errors().iter().all(|error| text(&error["reason"]).contains(&reason)), "{:?}", errors());
    // An undo that is too early gives the same result again.
    let undone = undo_import(&key, &import);
    assert_eq!((&undone["removed"], &undone["restored"], &undone["kept"]), (&json!(1), &json!(1), &json!(1)));
    assert_eq!(errors().len(), 1);
    for merged in merges.iter().rev() {
        undo(&key, "contacts", merged);
    }
    let undone = undo_import(&key, &import);
    assert_eq!((&undone["removed"], &undone["restored"], &undone["kept"]), (&json!(2), &json!(1), &json!(0)));
    assert_eq!(errors(), Vec::<Value>::new());
    assert_eq!(read(&key, "contacts", &bea)["title"], "Old");
    key.get(&format!("/contacts/{}", id(&cyd))).not_found();
    key.post(&format!("/imports/{}/undo", id(&import)), json!({})).invalid("status");
}

fn conditions_that_use_a_field_are_named(world: &World) {
    field(world, "level", "select", "a,b");
    let key = world.key("full_access");
    let conditions = json!({"or": "(custom_data.level.in.(a,x),title.eq.cto)"});
    let made = started(&key, json!([{"type": "task"}, {"type": "task", "entry_conditions": conditions}]));
    let name = text(&made["name"]);
    let delete = ["fields", "delete", "--entity", "contact", "--key", "level"];
    let refused = world.run(&delete);
    for part in [name.as_str(), "steps.1.entry_conditions", "custom_data.level"] {
        assert!(refused.refused().contains(part), "{refused}");
    }
    assert!(!refused.err.contains("offset"), "{refused}");
    let rename = |option: &str| {
        world.run(&["fields", "update", "--entity", "contact", "--key", "level", "--rename-option", option])
    };
    let refused = rename("a=aa");
    for part in [name.as_str(), "steps.1.entry_conditions", "option a"] {
        assert!(refused.refused().contains(part), "{refused}");
    }
    rename("b=bb").ok();
    key.post(&format!("{}/pause", path(&made)), json!({})).ok();
    rename("a=aa").ok();
}
