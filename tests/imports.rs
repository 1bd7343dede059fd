//! Imports: a file of people or companies, stored row by row through the same rules as single requests.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::*;

stories![
    a_file_of_contacts_is_imported,
    columns_are_recognised_by_names_of_other_programs,
    a_mapping_assigns_columns_to_members,
    failed_rows_do_not_stop_others,
    rows_use_existing_tags_and_create_new_ones_once,
    a_dry_run_reports_every_row_and_changes_nothing,
    rows_change_the_records_they_match,
    every_encoding_is_read,
    quotes_line_breaks_and_ragged_rows_are_read,
    lines_of_json_are_imported,
    a_row_with_many_problems_lists_the_first,
    companies_are_imported_with_custom_fields,
    invalid_parameters_are_named,
    broken_files_break_nothing,
    an_undo_removes_unchanged_records,
    an_undo_restores_earlier_values,
    an_import_needs_the_scopes_of_its_collection,
    an_import_survives_being_killed,
    an_import_that_can_not_continue_fails_with_a_reason,
    the_file_leaves_nothing_behind,
    a_file_over_two_gibibytes_is_refused_before_it_is_sent,
    commands_import_with_and_without_a_server,
];

/// A part of a form that is not a file.
pub(crate) fn options(options: &Value) -> Part {
    let head = b"Content-Disposition: form-data; name=\"options\"".to_vec();
    Part { head, content: options.to_string().into_bytes() }
}

#[track_caller]
pub(crate) fn send(key: &Client, wanted: &Value, filename: &str, content: &[u8]) -> Answer {
    key.request("POST", "/imports").form(&[options(wanted), Part::file(filename, content)]).send()
}

/// The import when it has ended.
#[track_caller]
pub(crate) fn ended(key: &Client, import: &Value) -> Value {
    let path = format!("/imports/{}", text(&import["id"]));
    eventually("the import ends", Duration::from_secs(300), || {
        let import = key.get(&path).ok();
        let going = ["pending", "processing", "undoing"].contains(&text(&import["status"]).as_str());
        (!going).then_some(import)
    })
}

#[track_caller]
pub(crate) fn import(key: &Client, wanted: Value, filename: &str, content: impl AsRef<[u8]>) -> Value {
    let answer = send(key, &wanted, filename, content.as_ref());
    answer.is(202);
    let import = serde_json::from_slice::<Value>(&answer.body).expect("an answer is JSON")["data"].take();
    assert_eq!(answer.header("Location"), format!("/api/v1/imports/{}", text(&import["id"])));
    assert_eq!(import["status"], "pending");
    ended(key, &import)
}

#[track_caller]
pub(crate) fn counts(import: &Value) -> [i64; 5] {
    ["processed", "created", "updated", "skipped", "failed"]
        .map(|name| import[name].as_i64().expect("the count exists"))
}

#[track_caller]
fn errors(key: &Client, import: &Value) -> Vec<Value> {
    key.get(&format!("/imports/{}/errors?limit=100", text(&import["id"]))).page().rows
}

fn contacts() -> Value {
    json!({"collection": "contacts"})
}

fn a_file_of_contacts_is_imported(world: &World) {
    let key = world.key("crm");
    let file = "first_name,last_name,emails,phones,tags,skills,years_experience,do_not_contact,global_status\r\n\
        Ada,Lovelace,work:ada@example.com; home@example.com,mobile:+33 1 99,VIP; Math,Rust; C\\;C++,7,yes,qualified\r\n\
        Grace,,grace@example.com,,,,,,\r\n";
    let done = import(&key, contacts(), "people.csv", file);
    assert_eq!((&done["status"], counts(&done)), (&json!("completed"), [2, 2, 0, 0, 0]));
    assert_eq!((&done["total"], &done["progress"], &done["format"]), (&json!(2), &json!(100), &json!("csv")));
    assert_eq!(
        (&done["filename"], &done["error"], &done["dry_run"]),
        (&json!("people.csv"), &json!(null), &json!(false))
    );
    let ada = key.list("/contacts", &[("email", "eq.ada@example.com")]).page().rows.remove(0);
    let expected = json!({
        "first_name": "Ada", "last_name": "Lovelace", "tags": ["VIP", "Math"], "skills": ["Rust", "C;C++"],
        "emails": [{"email": "ada@example.com", "type": "work"}, {"email": "home@example.com", "type": "work"}],
        "phones": [{"phone": "+33 1 99", "type": "mobile"}], "years_experience": 7, "do_not_contact": true,
        "global_status": "qualified",
    });
    for (name, value) in expected.as_object().expect("an object") {
        assert_eq!(ada[name], *value, "{name}");
    }
    // The key that sent the file is the actor.
    let timeline = key.get(&format!("/contacts/{}/timeline", text(&ada["id"]))).page().rows;
    assert_eq!((timeline.len(), &timeline[0]["actor"]["kind"]), (1, &json!("key")));
    assert_eq!(key.get("/imports").page().rows, std::slice::from_ref(&done));
    assert_eq!(key.list("/imports", &[("status", "eq.completed")]).page().rows, [done]);
    assert_eq!(key.list("/imports", &[("status", "eq.failed")]).page().total(), 0);
}

fn columns_are_recognised_by_names_of_other_programs(world: &World) {
    let key = world.key("crm");
    let file = "First Name;Surname;E-mail Address;Job Title;Company;Mobile Phone;\n\
        Ada;Lovelace;ada@example.com;Analyst;Babbage;+44 20;1\n";
    let done = import(&key, contacts(), "people.csv", file);
    assert_eq!(counts(&done), [1, 1, 0, 0, 0], "{done}");
    assert_eq!(done["mapping"]["Job Title"], "title");
    let ada = key.get("/contacts").page().rows.remove(0);
    for (name, value) in [("last_name", "Lovelace"), ("title", "Analyst"), ("current_company", "Babbage")] {
        assert_eq!(ada[name], value);
    }
    assert_eq!(member(&ada["phones"], "phone"), ["+44 20"]);
    let strict = json!({"collection": "contacts", "strict": true});
    send(&key, &strict, "x.csv", b"First Name,Shoe size\nAda,38\n").invalid("options.mapping.Shoe size").says("null");
    let twice = json!({"collection": "contacts", "mapping": {"Email": "email", "E-mail": "email"}});
    send(&key, &twice, "x.csv", b"Email,E-mail\na@example.com,b@example.com\n").invalid("options.mapping.E-mail");
}

fn a_mapping_assigns_columns_to_members(world: &World) {
    let key = world.key("crm");
    let file = "Vorname\tShoe size\tKnows\tAlso knows\nAda\t38\tRust\tSQL; Go\n";
    let mapping = json!({"Vorname": "first_name", "Shoe size": null, "Knows": "skills", "Also knows": "skills"});
    let done = import(&key, json!({"collection": "contacts", "mapping": mapping}), "people.txt", file);
    assert_eq!((counts(&done), &done["mapping"]), ([1, 1, 0, 0, 0], &mapping));
    assert_eq!(strings(&key.get("/contacts").page().rows[0]["skills"]), ["Rust", "SQL", "Go"]);
    for (wrong, field) in [
        (json!({"Vorname": "forename"}), "options.mapping.Vorname"),
        (json!({"Vorname": 7}), "options.mapping.Vorname"),
        (json!({"Nachname": "last_name"}), "options.mapping.Nachname"),
    ] {
        let wanted = json!({"collection": "contacts", "mapping": wrong});
        send(&key, &wanted, "people.csv", b"Vorname,Shoe size\nAda,1\n").error(400, "validation_error").at(field);
    }
}

fn failed_rows_do_not_stop_others(world: &World) {
    let key = world.key("crm");
    let mut file = String::from("first_name,email,years_experience,notes_to_self\n");
    for n in 0..1200 {
        match n % 3 {
            0 => file.push_str(&format!("Ada{n},ada{n}@example.com,7,\n")),
            1 => file.push_str(&format!("Bob{n},not an address,7,\n")),
            _ => file.push_str(&format!(",bob{n}@example.com,many,\n")),
        }
    }
    let wanted = json!({"collection": "contacts", "mapping": {"notes_to_self": null}});
    let done = import(&key, wanted, "people.csv", &file);
    assert_eq!((&done["status"], counts(&done)), (&json!("completed"), [1200, 400, 0, 0, 800]));
    let some = errors(&key, &done);
    assert_eq!(some.len(), 100);
    let expected = json!({"row": 2, "column": "email", "reason": "is not an email address", "value": "not an address"});
    assert_eq!(some[0], expected);
    let of_third: Vec<&Value> = some.iter().filter(|error| error["row"] == 3).collect();
    assert_eq!(
        of_third.iter().map(|error| text(&error["column"])).collect::<Vec<_>>(),
        ["first_name", "years_experience"]
    );
    // Page by page, each error once.
    let (mut seen, mut cursor) = (0, String::new());
    loop {
        let path = format!("/imports/{}/errors", text(&done["id"]));
        let query: &[(&str, &str)] =
            if cursor.is_empty() { &[("limit", "99")] } else { &[("limit", "99"), ("cursor", &cursor)] };
        let page = key.list(&path, query).page();
        seen += page.rows.len();
        match page.next() {
            Some(next) => cursor = next,
            None => break,
        }
    }
    assert_eq!(seen, 1200);
    let whole = key.get(&format!("/imports/{}/errors?format=csv", text(&done["id"])));
    assert_eq!(whole.header("Content-Type"), "text/csv; charset=utf-8; header=present");
    assert!(whole.header("Content-Disposition").starts_with("attachment;"), "{}", whole.header("Content-Disposition"));
    assert_eq!(whole.text().lines().count(), 1201);
    assert_eq!(whole.text().lines().nth(1), Some("2,email,is not an email address,not an address"));
    for (query, field) in
        [("format=xml", "format"), ("limit=0", "limit"), ("cursor=x", "cursor"), ("format=csv&limit=3", "limit")]
    {
        key.get(&format!("/imports/{}/errors?{query}", text(&done["id"]))).invalid(field);
    }
}

fn rows_use_existing_tags_and_create_new_ones_once(world: &World) {
    let key = world.key("full_access");
    let vip = key.post("/tags", json!({"name": "VIP"})).created();
    key.post("/tags", json!({"name": "Client", "scope": "company"})).created();
    let file = "first_name,tags\nAda,vip\nBob,New;VIP\nCleo,Client\nDan,new\nEve,NEW;new;vip\nFay,client;Other\n";
    for dry_run in [true, false] {
        let done = import(&key, json!({"collection": "contacts", "dry_run": dry_run}), "people.csv", file);
        assert_eq!(counts(&done), [6, 4, 0, 0, 2]);
        for error in errors(&key, &done) {
            assert_eq!(error["column"], "tags", "{error}");
            assert!(text(&error["reason"]).contains("company"), "{error}");
        }
        let names = key.list("/tags", &[("sort", "name")]).page().column("name");
        assert_eq!(names, if dry_run { vec!["Client", "VIP"] } else { vec!["Client", "New", "VIP"] });
    }
    let people = key.list("/contacts", &[("sort", "first_name")]).page();
    let tags: Vec<&Value> = people.rows.iter().map(|row| &row["tags"]).collect();
    assert_eq!(tags, [&json!(["VIP"]), &json!(["New", "VIP"]), &json!(["New"]), &json!(["New", "VIP"])]);

    // A renamed tag keeps its new name for the next file, too.
    key.put(&format!("/tags/{}", text(&vip["id"])), json!({"name": "Top"})).ok();
    import(&key, contacts(), "more.csv", "first_name,tags\nGus,vip\nHal,top\n");
    assert_eq!(key.list("/contacts", &[("first_name", "Gus")]).page().rows[0]["tags"], json!(["vip"]));
    assert_eq!(key.list("/contacts", &[("first_name", "Hal")]).page().rows[0]["tags"], json!(["Top"]));
    let reported = key.list("/events", &[("limit", "100")]).page().rows;
    let made = |name: &str| {
        let of = |event: &&Value| event["type"] == "contact.created" && event["changes"]["first_name"][1] == name;
        reported.iter().find(of).unwrap_or_else(|| panic!("no event of {name}"))["changes"]["tags"][1].clone()
    };
    assert_eq!((made("Bob"), made("Gus"), made("Hal")), (json!(["New", "VIP"]), json!(["vip"]), json!(["Top"])));
}

fn a_dry_run_reports_every_row_and_changes_nothing(world: &World) {
    let key = world.key("crm");
    key.post("/contacts", json!({"first_name": "Ada", "email": "ada@example.com"})).created();
    let before = (key.get("/contacts").page().rows, key.get("/tags").page().rows);
    let wanted = json!({"collection": "contacts", "match_on": "email", "dry_run": true});
    let file =
        "first_name,email,tags\nAda,ada@example.com,\nAnn,ada@example.com,New\nBob,bob@example.com,New\n,x,New\n";
    let done = import(&key, wanted, "people.csv", file);
    assert_eq!(
        (&done["status"], &done["dry_run"], counts(&done)),
        (&json!("completed"), &json!(true), [4, 1, 1, 1, 1])
    );
    assert_eq!(errors(&key, &done).len(), 2);
    assert_eq!((key.get("/contacts").page().rows, key.get("/tags").page().rows), before);
    key.post(&format!("/imports/{}/undo", text(&done["id"])), json!({})).invalid("dry_run");
}

fn rows_change_the_records_they_match(world: &World) {
    let key = world.key("crm");
    let ada =
        key.post("/contacts", json!({"first_name": "Ada", "title": "Countess", "email": "ada@example.com"})).created();
    for name in ["One", "Two"] {
        key.post("/contacts", json!({"first_name": name, "email": "same@example.com"})).created();
    }
    let by_email = json!({"collection": "contacts", "match_on": "email"});
    // An empty cell keeps the current value; a second row with a new address changes the record of the first.
    let file = "first_name,email,title,location\n,ADA@example.com,,London\nBob,bob@example.com,,\nBob,bob@example.com,Boss,\nX,same@example.com,,\n";
    let done = import(&key, by_email.clone(), "people.csv", file);
    assert_eq!(counts(&done), [4, 1, 2, 0, 1], "{done}");
    assert_eq!(errors(&key, &done)[0]["column"], "email");
    let now = key.get(&format!("/contacts/{}", text(&ada["id"]))).ok();
    assert_eq!(
        (&now["title"], &now["location"], &now["first_name"]),
        (&json!("Countess"), &json!("London"), &json!("Ada"))
    );
    assert_eq!(key.list("/contacts", &[("title", "eq.Boss")]).page().total(), 1);
    let again = import(&key, by_email, "people.csv", "email,location\nada@example.com,London\n");
    assert_eq!(counts(&again), [1, 0, 0, 1, 0]);
    let by_id = json!({"collection": "contacts", "match_on": "id"});
    let file = format!("id,first_name,title\n{},Ada,Analyst\n{},Eve,\n,Zoe,\n", text(&ada["id"]), nobody());
    let done = import(&key, by_id, "people.csv", file);
    assert_eq!(counts(&done), [3, 1, 1, 0, 1]);
    assert_eq!(key.get(&format!("/contacts/{}", text(&ada["id"]))).ok()["title"], "Analyst");
    let firm = key.post("/companies", json!({"name": "Acme", "domain": "acme.example.com"})).created();
    let by_domain = json!({"collection": "companies", "match_on": "domain"});
    let done = import(&key, by_domain, "firms.csv", "name,domain,industry\nAcme,ACME.example.com,Anvils\n");
    assert_eq!(counts(&done), [1, 0, 1, 0, 0]);
    assert_eq!(key.get(&format!("/companies/{}", text(&firm["id"]))).ok()["industry"], "Anvils");
    let by_name = json!({"collection": "companies", "match_on": "name"});
    assert_eq!(counts(&import(&key, by_name, "firms.csv", "name,location\nACME,Here\n")), [1, 0, 1, 0, 0]);
}

fn every_encoding_is_read(world: &World) {
    let key = world.key("crm");
    let file = "first_name;title\nÉmile;Größe\n";
    let wide =
        |mark: &[u8], f: fn(u16) -> [u8; 2]| [mark, &file.encode_utf16().flat_map(f).collect::<Vec<u8>>()].concat();
    let files = [
        file.as_bytes().to_vec(),
        [b"\xef\xbb\xbf", file.as_bytes()].concat(),
        wide(b"\xff\xfe", u16::to_le_bytes),
        wide(b"\xfe\xff", u16::to_be_bytes),
        file.chars().map(|c| c as u8).collect(),
    ];
    for file in &files {
        assert_eq!(counts(&import(&key, contacts(), "people.csv", file)), [1, 1, 0, 0, 0]);
    }
    let rows = key.get("/contacts").page().rows;
    assert_eq!(rows.len(), files.len());
    for row in rows {
        assert_eq!((&row["first_name"], &row["title"]), (&json!("Émile"), &json!("Größe")));
    }
}

fn quotes_line_breaks_and_ragged_rows_are_read(world: &World) {
    let key = world.key("crm");
    let file =
        "first_name,summary,title\n\"Ada \"\"Countess\"\"\",\"one\r\ntwo, three\",Boss\n\nBob\nEve,x,y,,\nZoe,x,y,z\n";
    let done = import(&key, contacts(), "people.csv", file);
    assert_eq!(counts(&done), [4, 3, 0, 0, 1]);
    let error = &errors(&key, &done)[0];
    assert_eq!((&error["row"], &error["column"]), (&json!(4), &json!(null)));
    let ada = key.list("/contacts", &[("title", "eq.Boss")]).page().rows.remove(0);
    assert_eq!((&ada["first_name"], &ada["summary"]), (&json!("Ada \"Countess\""), &json!("one\r\ntwo, three")));
}

fn lines_of_json_are_imported(world: &World) {
    let key = world.key("crm");
    let file = "{\"first_name\":\"Ada\",\"emails\":[{\"email\":\"ada@example.com\",\"type\":\"personal\"}]}\n\n\
        {\"first_name\":\"Bob\",\"shoe_size\":7}\n[1]\n{\"first_name\":\nnull\n{\"nick\":\"Zoe\",\"title\":null}";
    let wanted = json!({"collection": "contacts", "mapping": {"nick": "first_name"}});
    let done = import(&key, wanted, "people.ndjson", file);
    assert_eq!((&done["format"], counts(&done)), (&json!("ndjson"), [6, 2, 0, 0, 4]));
    let rows: Vec<i64> = errors(&key, &done).iter().map(|error| error["row"].as_i64().expect("a row number")).collect();
    assert_eq!(rows, [2, 3, 4, 5]);
    assert_eq!(errors(&key, &done)[0]["column"], "shoe_size");
}

fn a_row_with_many_problems_lists_the_first(world: &World) {
    let key = world.key("crm");
    let members: Vec<String> = (0..5000).map(|n| format!("\"k{n}\":1")).collect();
    let done =
        import(&key, contacts(), "people.ndjson", format!("{{{}}}\n{{\"first_name\":\"Ada\"}}", members.join(",")));
    assert_eq!(counts(&done), [2, 1, 0, 0, 1]);
    let listed = errors(&key, &done);
    assert_eq!(listed.len(), 21);
    assert!(text(&listed[20]["reason"]).contains("more problems"), "{}", listed[20]);
}

fn companies_are_imported_with_custom_fields(world: &World) {
    let key = world.key("crm");
    let field = |key: &str, kind: &str, more: &[&str]| {
        let base = ["fields", "create", "--entity", "company", "--key", key, "--type", kind];
        world.run(&[&base[..], more].concat()).ok();
    };
    field("tier", "select", &["--options", "gold,silver", "--required"]);
    field("areas", "multi_select", &["--options", "north,south"]);
    field("score", "number", &[]);
    field("since", "date", &[]);
    field("listed", "boolean", &[]);
    let file = "name,tier,custom_data.areas,Score,since,listed\nAcme,gold,north; south,-2.5,2020-01-31,no\n\
        Bad,bronze,,x,soon,maybe\nNone,,,,,\n";
    let done = import(&key, json!({"collection": "companies"}), "firms.csv", file);
    assert_eq!(counts(&done), [3, 1, 0, 0, 2]);
    let acme = key.get("/companies").page().rows.remove(0);
    let expected =
        json!({"tier": "gold", "areas": ["north", "south"], "score": -2.5, "since": "2020-01-31", "listed": false});
    assert_eq!(acme["custom_data"], expected);
    let columns: Vec<String> = errors(&key, &done).iter().map(|error| text(&error["column"])).collect();
    assert_eq!(columns, ["tier", "Score", "since", "listed", "tier"]);
}

fn invalid_parameters_are_named(world: &World) {
    let key = world.key("crm");
    let file = b"first_name\nAda\n";
    for (wanted, field) in [
        (json!({}), "options.collection"),
        (json!({"collection": "tags"}), "options.collection"),
        (json!({"collection": "contacts", "format": "xlsx"}), "options.format"),
        (json!({"collection": "contacts", "match_on": "shoe_size"}), "options.match_on"),
        (json!({"collection": "contacts", "match_on": "domain"}), "options.match_on"),
        (json!({"collection": "contacts", "dry_run": "yes"}), "options.dry_run"),
        (json!({"collection": "contacts", "mapping": []}), "options.mapping"),
        (json!({"collection": "contacts", "colour": 1}), "options.colour"),
        (json!([]), "options"),
    ] {
        send(&key, &wanted, "people.csv", file).error(400, "validation_error").at(field);
    }
    key.request("POST", "/imports").form(&[Part::file("people.csv", file)]).send().invalid("options");
    key.request("POST", "/imports").form(&[options(&contacts())]).send().invalid("file");
    send(&key, &contacts(), "people.csv", b"").invalid("file");
    key.post("/imports", json!({})).error(415, "unsupported_media_type");
    assert_eq!(key.get("/imports").page().total(), 0);
    key.get(&format!("/imports/{}", nobody())).not_found();
    key.post(&format!("/imports/{}/undo", nobody()), json!({})).not_found();
}

fn broken_files_break_nothing(world: &World) {
    let key = world.key("crm");
    world.set(&["--rate-limit", "1000000"]);
    let mut dice = Dice::new(seed());
    let good =
        "first_name,email,skills,years_experience\r\n\"Ada\",a@example.com,\"x;\\;y\",7\r\n'=1,b@example.com,,\r\n";
    for round in 0..share(40, 2_000) {
        let mut bytes = good.repeat(1 + dice.below(3)).into_bytes();
        for _ in 0..1 + dice.below(6) {
            let at = dice.below(bytes.len());
            match dice.below(4) {
                0 => bytes[at] = dice.below(256) as u8,
                1 => bytes.truncate(at.max(1)),
                2 => bytes.insert(at, *b"\",;\n\r\0\\'\xff\xc3\t="[..].get(dice.below(12)).expect("one of the bytes")),
                _ => drop(bytes.remove(at)),
            }
            if bytes.is_empty() {
                bytes.push(b'x');
            }
        }
        let name = if round % 4 == 0 { "people.ndjson" } else { "people.csv" };
        let answer = send(&key, &contacts(), name, &bytes);
        match answer.status {
            202 => {
                let import = serde_json::from_slice::<Value>(&answer.body).expect("an answer is JSON")["data"].take();
                let done = ended(&key, &import);
                let [processed, created, _, skipped, failed] = counts(&done);
                assert_eq!(processed, created + skipped + failed, "{done}");
            }
            400 => {}
            _ => panic!("{answer}"),
        }
    }
    // A quote that is never closed ends in an error, not in unlimited memory.
    let mut long = b"first_name,summary\nAda,\"".to_vec();
    long.resize(9 * 1024 * 1024, b'x');
    long.extend_from_slice(b"\nBob,y\n");
    let import = serde_json::from_slice::<Value>(&send(&key, &contacts(), "people.csv", &long).body)
        .expect("an answer is JSON")["data"]
        .take();
    let done = ended(&key, &import);
    assert_eq!(done["status"], "failed", "{done}");
    assert!(text(&done["error"]).contains("quote"), "{done}");
}

fn an_undo_removes_unchanged_records(world: &World) {
    let key = world.key("crm");
    let file: String = (0..700).map(|n| format!("P{n},p{n}@example.com,T\n")).collect();
    let done = import(&key, contacts(), "people.csv", format!("first_name,email,tags\n{file}"));
    assert_eq!(counts(&done)[1], 700);
    let one = |n: usize| key.list("/contacts", &[("email", &format!("eq.p{n}@example.com"))]).page().rows.remove(0);
    let (changed, noted) = (text(&one(3)["id"]), text(&one(600)["id"]));
    key.put(&format!("/contacts/{changed}"), json!({"title": "Boss"})).ok();
    key.post(&format!("/contacts/{noted}/notes"), json!({"content": "Called."})).created();
    let path = format!("/imports/{}/undo", text(&done["id"]));
    world.key("contacts:read,contacts:write").post(&path, json!({})).error(403, "insufficient_scope");
    let undoing = key.request("POST", &path).send();
    undoing.is(202);
    let undone = ended(&key, &done);
    assert_eq!(undone["status"], "undone", "{undone}");
    assert_eq!(["removed", "restored", "kept"].map(|name| undone[name].as_i64().expect("a count")), [698, 0, 2]);
    let mut left = key.get("/contacts").page().ids();
    left.sort();
    let mut expected = vec![changed.clone(), noted.clone()];
    expected.sort();
    assert_eq!(left, expected);
    let reported: Vec<String> = errors(&key, &done).iter().map(|error| text(&error["value"])).collect();
    assert_eq!(reported, [changed, noted]);
    key.post(&path, json!({})).invalid("status").says("undone");
}

fn an_undo_restores_earlier_values(world: &World) {
    let key = world.key("crm");
    let make = |name: &str| {
        let email = format!("{name}@example.com");
        text(
            &key.post("/contacts", json!({"first_name": name, "title": "Old", "tags": ["A"], "email": email}))
                .created()["id"],
        )
    };
    let (ada, bob) = (make("ada"), make("bob"));
    let before = key.get(&format!("/contacts/{ada}")).ok();
    let wanted = json!({"collection": "contacts", "match_on": "email"});
    let file = "email,first_name,title,location,tags\nada@example.com,Ada,New,Rome,B\nbob@example.com,Bob,New,Rome,B\n\
        eve@example.com,Eve,New,,\neve@example.com,Eve,Newer,,\n";
    let done = import(&key, wanted, "people.csv", file);
    assert_eq!(counts(&done), [4, 1, 3, 0, 0]);
    key.put(&format!("/contacts/{bob}"), json!({"title": "Newest"})).ok();
    key.post(&format!("/imports/{}/undo", text(&done["id"])), json!({})).is(202);
    let undone = ended(&key, &done);
    assert_eq!(
        ["removed", "restored", "kept"].map(|name| undone[name].as_i64().expect("a count")),
        [1, 1, 1],
        "{undone}"
    );
    let mut after = key.get(&format!("/contacts/{ada}")).ok();
    after["updated_at"] = before["updated_at"].clone();
    assert_eq!(after, before);
    let bob = key.get(&format!("/contacts/{bob}")).ok();
    assert_eq!((&bob["title"], &bob["location"], &bob["tags"]), (&json!("Newest"), &json!(null), &json!(["A"])));
    assert_eq!(key.get("/contacts").page().total(), 2);
}

fn an_import_needs_the_scopes_of_its_collection(world: &World) {
    let (crm, reader) = (world.key("crm"), world.key("contacts:read"));
    send(&reader, &contacts(), "people.csv", b"first_name\nAda\n")
        .error(403, "insufficient_scope")
        .says("contacts:write");
    let writer = world.key("contacts:read,contacts:write");
    send(&writer, &json!({"collection": "companies"}), "x.csv", b"name\nA\n").error(403, "insufficient_scope");
    let firms = import(&crm, json!({"collection": "companies"}), "x.csv", "name\nAcme\n");
    reader.get(&format!("/imports/{}", text(&firms["id"]))).error(403, "insufficient_scope").says("companies:read");
    assert_eq!(reader.get("/imports").page().total(), 0);
    world.key("tags:read").get("/imports").error(403, "insufficient_scope").says("contacts:read");
    // An import may not do what its key may not do.
    let file = "first_name,global_status\nAda,archived\nBob,new\n";
    let done = import(&writer, contacts(), "people.csv", file);
    assert_eq!(counts(&done), [2, 1, 0, 0, 1]);
    assert!(text(&errors(&writer, &done)[0]["reason"]).contains("contacts:delete"));
    let theirs = world.workspace("theirs").key("crm");
    theirs.get(&format!("/imports/{}", text(&done["id"]))).not_found();
}

fn an_import_survives_being_killed(world: &World) {
    let key = world.key("crm");
    world.set(&["--rate-limit", "1000000"]);
    let rows = 6000;
    let file: String = (0..rows).map(|n| format!("P{n},p{n}@example.com\n")).collect();
    let answer = send(&key, &contacts(), "people.csv", format!("first_name,email\n{file}").as_bytes());
    let import = serde_json::from_slice::<Value>(&answer.is(202).body).expect("an answer is JSON")["data"].take();
    let path = format!("/imports/{}", text(&import["id"]));
    let mut last = 0;
    for _ in 0..4 {
        let done = eventually("some rows are in", PATIENCE, || {
            let now = key.get(&path).ok();
            let processed = now["processed"].as_i64().expect("a count");
            (processed > last || now["status"] == "completed").then_some(now)
        });
        last = done["processed"].as_i64().expect("a count");
        world.kill9();
        world.start();
    }
    let done = ended(&key, &import);
    assert_eq!((&done["status"], counts(&done)), (&json!("completed"), [rows, rows, 0, 0, 0]));
    assert_eq!(key.get("/contacts").page().total(), rows as u64);
    let twice = "SELECT CAST(count(*) AS text) FROM (SELECT key FROM terms WHERE field = 'contact.email' GROUP BY key HAVING count(*) > 1) t";
    assert_eq!(world.count(twice), 0);
}

/// The database refuses one row, as with a broken disk or a foreign trigger.
fn an_import_that_can_not_continue_fails_with_a_reason(world: &World) {
    let key = world.key("crm");
    world.change(if world.database_is_shared() {
        "ALTER TABLE contacts ADD CONSTRAINT boom CHECK (first_name <> 'Boom')"
    } else {
        "CREATE TRIGGER boom BEFORE INSERT ON contacts WHEN NEW.first_name = 'Boom' BEGIN SELECT RAISE(ABORT, 'boom'); END"
    });
    let names = (1..=3000).map(|n| if n == 2900 { "Boom\n".to_owned() } else { format!("Ann {n}\n") });
    let done = import(&key, contacts(), "people.csv", format!("first_name\n{}", names.collect::<String>()));
    assert_eq!(done["status"], "failed", "{done}");
    let [processed, created, ..] = counts(&done);
    assert!(0 < processed && processed < 2900, "{done}");
    assert!(
        text(&done["error"]).contains(&format!("the rows from {} on could not be written", processed + 1)),
        "{done}"
    );
    assert!(!text(&done["error"]).contains("boom"), "internal errors belong in the log only: {done}");
    assert_eq!(key.get("/contacts").page().total(), created.unsigned_abs());
    // The imported rows can be undone.
    key.post(&format!("/imports/{}/undo", text(&done["id"])), json!({})).is(202);
    assert_eq!(ended(&key, &done)["status"], "undone");
    assert_eq!(key.get("/contacts").page().total(), 0);
}

fn the_file_leaves_nothing_behind(world: &World) {
    let key = world.key("crm");
    import(&key, contacts(), "people.csv", "first_name\nAda\n");
    eventually("the file is gone", PATIENCE, || files(&world.data().join("files")).is_empty().then_some(()));
}

fn a_file_over_two_gibibytes_is_refused_before_it_is_sent(world: &World) {
    let key = world.key("crm");
    const MOST: u64 = (2 << 30) + (64 << 10);
    let form = ("Content-Type", "multipart/form-data; boundary=edge");
    let length = (MOST + 1).to_string();
    let wire = Wire::open(&key, "POST", "/imports", &[form, ("Content-Length", &length)]);
    wire.answer().error(413, "payload_too_large").says("2048 MiB (2,147,483,648 bytes)");
    // One byte less is accepted: then the error is in the form.
    let length = MOST.to_string();
    let mut wire = Wire::open(&key, "POST", "/imports", &[form, ("Content-Length", &length)]);
    wire.send(b"--edge\r\nContent-Disposition: form-data; name=\"shoe\"\r\n\r\n9\r\n--edge--\r\n");
    wire.answer().error(400, "validation_error");
    assert_eq!(key.get("/imports").page().total(), 0);
}

fn commands_import_with_and_without_a_server(world: &World) {
    let key = world.key("crm");
    let file = world.file("people.csv");
    std::fs::write(&file, "Vorname,email,x\nAda,ada@example.com,1\nBob,bob@example.com,2\n")
        .expect("the file can be written");
    let path = file.to_str().expect("a UTF-8 path").to_owned();
    let mapped = ["--mapping", "Vorname=first_name,x="];
    let run = |more: &[&str]| world.run(&[&["import", &path, "--collection", "contacts"], more].concat());
    let dry = run(&[&mapped[..], &["--dry-run"]].concat());
    assert!(dry.ok().contains("created 2"), "{dry}");
    assert_eq!(key.get("/contacts").page().total(), 0);
    assert!(run(&mapped).ok().contains("created 2"));
    assert_eq!(key.get("/contacts").page().total(), 2);
    assert_eq!(run(&["--strict"]).code, Some(2));
    assert_eq!(run(&["--format", "xlsx"]).code, Some(2));
    assert_eq!(world.cli(["import", "/nowhere.csv", "--collection", "contacts"]).code, Some(2));
    world.stop();
    let again = run(&[&mapped[..], &["--match-on", "email"]].concat());
    assert!(again.ok().contains("skipped 2"), "{again}");
    std::fs::write(&file, "first_name,email\nEve,nothing\nZoe,zoe@example.com\n").expect("the file can be written");
    let partly = run(&[]);
    assert_eq!(partly.code, Some(1), "{partly}");
    assert!(partly.out.contains("failed 1") && partly.err.contains("is not an email address"), "{partly}");
    world.start();
    assert_eq!(key.get("/contacts").page().total(), 3);
    assert_eq!(key.get("/imports").page().total(), 4);
}
