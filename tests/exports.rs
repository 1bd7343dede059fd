//! Exports: all records that match a filter, without a limit, in a format that can be imported again.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::*;

stories![
    an_export_equals_the_list,
    the_list_grammar_filters_and_sorts_it,
    an_export_can_be_imported_unchanged,
    formulas_are_neutralised_and_restored_on_import,
    an_export_is_a_file_to_save,
    invalid_parameters_are_named,
    an_export_stops_when_its_client_disconnects,
    an_interrupted_export_is_not_accepted_as_complete,
    commands_export_with_and_without_a_server,
];

/// Imports a file and waits for the end of the import.
#[track_caller]
fn import(key: &Client, wanted: &Value, filename: &str, content: &[u8]) -> Value {
    let head = b"Content-Disposition: form-data; name=\"options\"".to_vec();
    let options = Part { head, content: wanted.to_string().into_bytes() };
    let answer = key.request("POST", "/imports").form(&[options, Part::file(filename, content)]).send();
    let import = serde_json::from_slice::<Value>(&answer.is(202).body).expect("an answer is JSON")["data"].take();
    let path = format!("/imports/{}", text(&import["id"]));
    eventually("the import ends", Duration::from_secs(300), || {
        let import = key.get(&path).ok();
        (import["status"] == "completed" || import["status"] == "failed").then_some(import)
    })
}

#[track_caller]
fn lines(key: &Client, path: &str) -> Vec<Value> {
    let answer = key.get(path);
    answer.is(200);
    answer.text().lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn an_export_equals_the_list(world: &World) {
    let key = world.key("crm");
    world.set(&["--rate-limit", "1000000"]);
    let rows: String = (0..5300).map(|n| format!("P{n},L{},p{n}@example.com,T{}\n", n % 700, n % 5)).collect();
    let file = format!("first_name,last_name,email,tags\n{rows}");
    let done = import(&key, &json!({"collection": "contacts"}), "people.csv", file.as_bytes());
    assert_eq!(done["created"], 5300, "{done}");
    for sort in ["", "&sort=last_name,-first_name", "&sort=-last_name"] {
        let (mut listed, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = key.get(&format!("/contacts?limit=100&cursor={}{sort}", encoded(&cursor))).page();
            let next = page.next();
            listed.extend(page.rows);
            match next {
                Some(next) => cursor = next,
                None => break,
            }
        }
        assert_eq!(listed.len(), 5300);
        assert_eq!(lines(&key, &format!("/exports/contacts?format=ndjson{sort}")), listed, "{sort}");
    }
    let csv = key.get("/exports/contacts?format=csv").text();
    assert_eq!(csv.lines().count(), 5301);
}

fn the_list_grammar_filters_and_sorts_it(world: &World) {
    let key = world.key("crm");
    world.cli(["fields", "create", "--entity", "contact", "--key", "level", "--type", "number"]).ok();
    for (name, level, tag) in [("Ada", 3, "VIP"), ("Bob", 1, "VIP"), ("Émile", 2, "Other")] {
        key.post("/contacts", json!({"first_name": name, "custom_data": {"level": level}, "tags": [tag]})).created();
    }
    for (query, expected) in [
        ("sort=custom_data.level", vec!["Bob", "Émile", "Ada"]),
        ("custom_data.level=gte.2&sort=first_name", vec!["Ada", "Émile"]),
        ("search=emile", vec!["Émile"]),
        ("tags=cs.{VIP}&sort=-first_name", vec!["Bob", "Ada"]),
        ("first_name=eq.Nobody", vec![]),
    ] {
        let found = lines(&key, &format!("/exports/contacts?format=ndjson&{query}"));
        let names: Vec<String> = found.iter().map(|row| text(&row["first_name"])).collect();
        assert_eq!(names, expected, "{query}");
    }
    let csv = key.get("/exports/contacts?sort=first_name&first_name=eq.Ada").text();
    let (header, row) = csv.trim_end().split_once("\r\n").expect("the header has its line end");
    let at = header.split(',').position(|name| name == "custom_data.level").expect("the column exists");
    assert_eq!(row.split(',').nth(at), Some("3"));
}

/// All lines without the members that are new with each record: its id and times.
fn without_own(csv: &str) -> Vec<Vec<String>> {
    let mut rows = cells(csv);
    let own: Vec<usize> = rows[0]
        .iter()
        .enumerate()
        .filter(|(_, name)| ["id", "created_at", "updated_at"].contains(&name.as_str()))
        .map(|(at, _)| at)
        .collect();
    for row in &mut rows {
        own.iter().rev().for_each(|at| drop(row.remove(*at)));
    }
    rows
}

/// A simple reader of CSV as spreadsheets write it.
fn cells(csv: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut letters = csv.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => cell.extend(letters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            '\r' if !quoted => {}
            _ => cell.push(letter),
        }
    }
    rows
}

fn an_export_can_be_imported_unchanged(world: &World) {
    let (here, there) = (world.key("crm"), world.workspace("there"));
    let fields = |more: &[&str]| {
        for (key, kind, options) in
            [("note", "text", ""), ("level", "number", ""), ("areas", "multi_select", "a,b;c"), ("ok", "boolean", "")]
        {
            let mut command = vec!["fields", "create", "--entity", "contact", "--key", key, "--type", kind];
            if !options.is_empty() {
                command.extend(["--options", options]);
            }
            world.run(&[&command[..], more].concat()).ok();
        }
    };
    fields(&[]);
    fields(&["--workspace", "there"]);
    let odd = [
        "a,b",
        "say \"hi\"",
        "two\nlines",
        "cr\rlf\r\n.",
        "; ;",
        "back\\slash",
        "\\;",
        "'quoted'",
        "''",
        "=1+1",
        "-5",
        "+33",
        "@me",
        "émile 山田 محمد",
        "a;b",
        "1",
    ];
    for (n, text) in odd.iter().enumerate() {
        let body = json!({
            "first_name": format!("P{n}"), "last_name": text, "title": text, "summary": text, "tags": [text, "T"],
            "skills": [text, format!("{text}!")], "languages": [text],
            "emails": [{"email": format!("p{n}@example.com"), "type": "personal"}, {"email": format!("q{n}@example.com"), "type": "work"}],
            "phones": [{"phone": format!("home:+33;{n}\\"), "type": "other"}, {"phone": format!("{n}7"), "type": "mobile"}],
            "custom_data": {"note": text, "level": n as f64 - 2.5, "areas": ["b;c", "a"], "ok": n % 2 == 0},
            "global_status": if n % 4 == 0 { "archived" } else { "replied" }, "do_not_contact": n % 3 == 0, "years_experience": n,
        });
        here.post("/contacts", body).created();
    }
    here.post("/contacts", json!({"first_name": "Bare"})).created();
    for (format, again) in [("csv", "ndjson"), ("ndjson", "csv")] {
        let there = if format == "csv" { there.key("crm") } else { world.workspace("elsewhere").key("crm") };
        if format == "ndjson" {
            fields(&["--workspace", "elsewhere"]);
        }
        let export = here.get(&format!("/exports/contacts?format={format}&sort=first_name"));
        let done = import(&there, &json!({"collection": "contacts", "format": format}), "people", &export.body);
        assert_eq!((&done["created"], &done["failed"]), (&json!(odd.len() + 1), &json!(0)), "{done}");
        let back = there.get(&format!("/exports/contacts?format={format}&sort=first_name"));
        let csv = |key: &Client| key.get("/exports/contacts?sort=first_name").text();
        assert_eq!(without_own(&csv(&there)), without_own(&csv(&here)), "{format}");
        assert_eq!(back.text().len(), export.text().len(), "{again} after {format}");
    }
    // An import into the same workspace changes nothing.
    let export = here.get("/exports/contacts").body;
    let done = import(&here, &json!({"collection": "contacts", "match_on": "id"}), "people.csv", &export);
    assert_eq!((&done["skipped"], &done["failed"]), (&json!(odd.len() + 1), &json!(0)), "{done}");

    let firm = json!({"name": "=Acme, \"Inc\"", "domain": "acme.example.com", "tags": ["Key;account"], "employee_count": 12, "size_range": "11-50"});
    let acme = here.post("/companies", firm).created();
    here.post("/companies", json!({"name": "Gone"})).created();
    here.delete(&format!("/companies/{}", text(&acme["id"]))).ok();
    let there = there.key("crm");
    let export = here.get("/exports/companies?sort=name").text();
    let done = import(&there, &json!({"collection": "companies"}), "firms.csv", export.as_bytes());
    assert_eq!(done["created"], 2, "{done}");
    assert_eq!(without_own(&there.get("/exports/companies?sort=name").text()), without_own(&export));
}

fn formulas_are_neutralised_and_restored_on_import(world: &World) {
    let key = world.key("crm");
    let texts = ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(1)", "'=x", "'t Hooft", "plain"];
    for text in texts {
        key.post("/contacts", json!({"first_name": text, "phone": "+33 1", "skills": [text]})).created();
    }
    let rows = cells(&key.get("/exports/contacts").text());
    for row in &rows {
        for cell in row {
            assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{cell}");
        }
    }
    let name = rows[0].iter().position(|name| name == "first_name").expect("the column exists");
    assert!(
        rows.iter().any(|row| row[name] == "'=cmd|' /C calc'!A0") && rows.iter().any(|row| row[name] == "'t Hooft")
    );
    let export = key.get("/exports/contacts").body;
    let done = import(&key, &json!({"collection": "contacts", "match_on": "id"}), "people.csv", &export);
    assert_eq!(done["skipped"], texts.len(), "{done}");
}

fn an_export_is_a_file_to_save(world: &World) {
    let key = world.key("crm");
    let csv = key.get("/exports/contacts");
    assert_eq!(csv.header("Content-Type"), "text/csv; charset=utf-8; header=present");
    assert!(csv.header("Content-Disposition").starts_with("attachment; filename=\"contacts.csv\""));
    assert_eq!((csv.text().lines().count(), csv.find_header("Content-Length")), (1, None));
    let lines = key.get("/exports/companies?format=ndjson");
    assert_eq!((lines.header("Content-Type"), lines.text().as_str()), ("application/x-ndjson", ""));
    assert_eq!(key.request("HEAD", "/exports/contacts").send().status, 200);
}

fn invalid_parameters_are_named(world: &World) {
    let key = world.key("crm");
    for (query, field) in [
        ("format=xlsx", "format"),
        ("format=csv&format=csv", "format"),
        ("limit=5", "limit"),
        ("offset=5", "offset"),
        ("cursor=", "cursor"),
        ("count=none", "count"),
        ("shoe_size=eq.7", "shoe_size"),
        ("sort=shoe_size", "sort"),
        ("years_experience=eq.many", "years_experience"),
    ] {
        key.get(&format!("/exports/contacts?{query}")).invalid(field);
    }
    key.get("/exports/tags").not_found();
    world.key("companies:read").get("/exports/contacts").error(403, "insufficient_scope").says("contacts:read");
}

fn an_export_stops_when_its_client_disconnects(world: &World) {
    let key = world.key("crm");
    world.set(&["--rate-limit", "1000000"]);
    let rows: String = (0..4000).map(|n| format!("P{n},{}\n", "x".repeat(2000))).collect();
    let done =
        import(&key, &json!({"collection": "contacts"}), "p.csv", format!("first_name,summary\n{rows}").as_bytes());
    assert_eq!(done["created"], 4000);
    for _ in 0..20 {
        let wire = Wire::open(&key, "GET", "/exports/contacts", &[]);
        drop(wire);
    }
    assert_eq!(key.get("/exports/contacts?format=ndjson").text().lines().count(), 4000);
    assert!(!world.log().contains("panicked"), "{}", world.log());
}

fn an_interrupted_export_is_not_accepted_as_complete(world: &World) {
    let key = world.key("crm");
    let last = key.post("/contacts", json!({"first_name": "Last", "tags": ["VIP"]})).created();
    let rows: String = (0..2500).map(|n| format!("P{n}\n")).collect();
    import(&key, &json!({"collection": "contacts"}), "p.csv", format!("first_name\n{rows}").as_bytes());
    assert_eq!(key.get("/exports/contacts?format=ndjson").text().lines().count(), 2501);
    // The oldest comes last, when most of the export has been sent.
    world.change("UPDATE contacts SET tags = 'damaged' WHERE first_name = 'Last'");
    for format in ["ndjson", "csv"] {
        let cut = key.request("GET", &format!("/exports/contacts?format={format}")).try_send();
        assert!(
            cut.is_err(),
            "a client accepts an incomplete {format}: {}",
            cut.is_ok_and(|answer| answer.status == 200)
        );
        let ran = world.cli(["export", "contacts", "--format", format]);
        assert!(ran.code.is_some_and(|code| code != 0) && !ran.err.is_empty(), "{}", ran.err);
    }
    // Other requests are not affected.
    key.list("/contacts", &[("first_name", "P7")]).page();
    key.get(&format!("/contacts/{}", text(&last["id"]))).error(500, "internal_error").hides("damaged");
    let tag = text(&key.get("/tags").page().rows[0]["id"]);
    world.change(&format!("UPDATE contacts SET tags = '[\"{tag}\"]' WHERE first_name = 'Last'"));
}

fn commands_export_with_and_without_a_server(world: &World) {
    let key = world.key("crm");
    for name in ["Ada", "Bob"] {
        key.post("/contacts", json!({"first_name": name})).created();
    }
    let expected = key.get("/exports/contacts?sort=first_name").text();
    let run = |more: &[&str]| world.run(&[&["export", "contacts"], more].concat());
    assert_eq!(run(&["sort=first_name"]).ok(), expected.trim_end());
    world.stop();
    let file = world.file("people.csv");
    assert_eq!(run(&["sort=first_name", "--output", file.to_str().expect("it is there")]).ok(), "");
    assert_eq!(std::fs::read_to_string(&file).expect("the file exists"), expected);
    assert_eq!(run(&["--format", "ndjson", "first_name=eq.Ada"]).ok().lines().count(), 1);
    for wrong in [&["shoe_size=eq.1"][..], &["--format", "xlsx"], &["nonsense"]] {
        let refused = run(wrong);
        assert_eq!(refused.code, Some(2), "{refused}");
        refused.refused();
    }
    assert_eq!(world.cli(["export", "tags"]).code, Some(2));
    world.start();
}
