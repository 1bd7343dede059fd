//! The preview of an import: the server's proposal for the columns of a file, and that an import with this proposal
//! does what it says.

use serde_json::{Map, Value, json};

use crate::imports::{counts, import, options, send};
use crate::support::*;

stories![
    a_preview_shows_columns_samples_and_rows,
    every_encoding_is_previewed,
    every_separator_is_detected,
    quoted_line_breaks_stay_in_their_cell,
    lines_of_json_are_previewed,
    names_in_other_languages_are_known,
    labels_of_custom_fields_are_known,
    opt_outs_are_recognised_in_every_spelling,
    the_same_file_gives_the_same_contacts_with_and_without_the_proposal,
    the_preview_names_what_an_import_would_refuse,
    read_only_members_are_not_offered,
    odd_files_are_previewed,
    files_that_are_not_tables_are_refused_with_the_reason,
    broken_files_break_no_preview,
    long_files_are_estimated,
    a_preview_stores_nothing,
    a_preview_needs_the_scopes_of_an_import,
    a_command_shows_the_preview,
];

#[track_caller]
fn ask(key: &Client, wanted: &Value, filename: &str, content: &[u8]) -> Answer {
    key.request("POST", "/imports/preview").form(&[options(wanted), Part::file(filename, content)]).send()
}

#[track_caller]
fn preview(key: &Client, wanted: &Value, filename: &str, content: impl AsRef<[u8]>) -> Value {
    ask(key, wanted, filename, content.as_ref()).ok()
}

fn contacts() -> Value {
    json!({"collection": "contacts"})
}

/// The proposal as a mapping.
fn proposed(preview: &Value) -> Map<String, Value> {
    let columns = preview["columns"].as_array().expect("there are columns");
    columns.iter().map(|column| (text(&column["name"]), column["member"].clone())).collect()
}

fn problems(preview: &Value) -> Vec<String> {
    member(&preview["problems"], "field")
}

fn latin(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(c).expect("it is in Latin-1")).collect()
}

fn utf16(mark: &[u8], text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    [mark, &text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>()].concat()
}

fn a_preview_shows_columns_samples_and_rows(world: &World) {
    let key = world.key("crm");
    let file = "First Name,E-mail,Shoe size,\nAda,ada@example.com,38,\nBob,,38,\nCleo,c@example.com,,\nDan,,40,\n\
        Eve,,41,\nFay,,42,\n";
    let mut shown = preview(&key, &contacts(), "people.csv", file);
    let members = strings(&shown["members"].take());
    for known in ["first_name", "email", "emails", "do_not_contact", "tags", "id", "archived_at"] {
        assert!(members.iter().any(|name| name == known), "{known}: {members:?}");
    }
    let expected = json!({
        "format": "csv",
        "encoding": "utf-8",
        "separator": ",",
        "columns": [
            {"name": "First Name", "member": "first_name", "samples": ["Ada", "Bob", "Cleo"]},
            {"name": "E-mail", "member": "email", "samples": ["ada@example.com", "c@example.com"]},
            {"name": "Shoe size", "member": null, "samples": ["38", "40", "41"]},
            {"name": "", "member": null, "samples": []},
        ],
        "ignored_columns": ["Shoe size"],
        "members": null,
        "rows": [
            ["Ada", "ada@example.com", "38", ""],
            ["Bob", "", "38", ""],
            ["Cleo", "c@example.com", "", ""],
            ["Dan", "", "40", ""],
            ["Eve", "", "41", ""],
        ],
        "total": 6,
        "total_is_estimate": false,
        "problems": [],
    });
    assert_eq!(shown, expected);
    let strict = json!({"collection": "contacts", "strict": true});
    let reason = "the column Shoe size stands for no member of contacts; map it to one, or to null";
    let shown = preview(&key, &strict, "people.csv", file);
    assert_eq!(shown["problems"], json!([{"field": "options.mapping.Shoe size", "reason": reason}]));
    // A given mapping overrides the proposal.
    let wanted = json!({"collection": "contacts", "mapping": {"First Name": "last_name", "Shoe size": null}});
    let shown = preview(&key, &wanted, "people.csv", file);
    let expected = json!({"First Name": "last_name", "E-mail": "email", "Shoe size": null, "": null});
    assert_eq!((Value::from(proposed(&shown)), problems(&shown)), (expected, vec![]));
    // The same columns mean something else in the other collection.
    let shown = preview(&key, &json!({"collection": "companies"}), "firms.csv", "Company,Employees\nAcme,7\n");
    assert_eq!(Value::from(proposed(&shown)), json!({"Company": "name", "Employees": "employee_count"}));
}

fn every_encoding_is_previewed(world: &World) {
    let key = world.key("crm");
    let file = "Prénom;Nom;Größe\nÉmile;Zola;1,70\n";
    for (encoding, content) in [
        ("utf-8", file.as_bytes().to_vec()),
        ("utf-8", [b"\xef\xbb\xbf", file.as_bytes()].concat()),
        ("utf-16le", utf16(b"\xff\xfe", file, u16::to_le_bytes)),
        ("utf-16be", utf16(b"\xfe\xff", file, u16::to_be_bytes)),
        ("windows-1252", latin(file)),
    ] {
        let shown = preview(&key, &contacts(), "people.csv", &content);
        assert_eq!((&shown["encoding"], &shown["separator"]), (&json!(encoding), &json!(";")), "{shown}");
        let mapping = json!({"Prénom": "first_name", "Nom": "last_name", "Größe": null});
        assert_eq!(Value::from(proposed(&shown)), mapping, "{encoding}");
        assert_eq!(shown["rows"], json!([["Émile", "Zola", "1,70"]]), "{encoding}");
        // The import knows the columns by the same names.
        let done = import(&key, json!({"collection": "contacts", "mapping": mapping}), "people.csv", &content);
        assert_eq!((counts(&done), &done["mapping"]), ([1, 1, 0, 0, 0], &mapping), "{encoding}");
    }
    let rows = key.get("/contacts").page().rows;
    assert_eq!(rows.len(), 5);
    for row in rows {
        assert_eq!((&row["first_name"], &row["last_name"]), (&json!("Émile"), &json!("Zola")));
    }
    // One byte at the very end that is not UTF-8 decides the encoding of the whole file, and an import reads the header
    // the same way.
    let rows: String = (0..10_000).map(|n| format!("P{n},xxxxxxxxxx\n")).collect();
    let late = [format!("Prénom,Summary\n{rows}").as_bytes(), b"\xc9mile,\n"].concat();
    let mapping = json!({"PrÃ©nom": "first_name"});
    let wanted = json!({"collection": "contacts", "mapping": mapping, "dry_run": true});
    let shown = preview(&key, &wanted, "people.csv", &late);
    assert_eq!((&shown["encoding"], problems(&shown)), (&json!("windows-1252"), vec![]));
    assert_eq!(proposed(&shown)["PrÃ©nom"], "first_name");
    send(&key, &wanted, "people.csv", &late).is(202);
}

fn every_separator_is_detected(world: &World) {
    let key = world.key("crm");
    for separator in [",", ";", "\t"] {
        let file = format!("first_name{separator}title\nAda{separator}Countess\n");
        let shown = preview(&key, &contacts(), "people.txt", file);
        assert_eq!((&shown["separator"], &shown["rows"]), (&json!(separator), &json!([["Ada", "Countess"]])));
    }
}

fn quoted_line_breaks_stay_in_their_cell(world: &World) {
    let key = world.key("crm");
    let file = "\"First\nname\",summary\n\"Ada \"\"Countess\"\"\",\"one\r\ntwo, three\"\n\nBob\nEve,x,y,,\n";
    let shown = preview(&key, &contacts(), "people.csv", file);
    assert_eq!(Value::from(proposed(&shown)), json!({"First\nname": "first_name", "summary": "summary"}));
    assert_eq!(shown["rows"], json!([["Ada \"Countess\"", "one\r\ntwo, three"], ["Bob"], ["Eve", "x"]]));
    assert_eq!((&shown["total"], &shown["total_is_estimate"]), (&json!(3), &json!(false)));
}

fn lines_of_json_are_previewed(world: &World) {
    let key = world.key("crm");
    let file = "{\"first_name\":\"Ada\",\"emails\":[{\"email\":\"ada@example.com\"}]}\n\n[1]\n{\"first_name\":\n\
        {\"Vorname\":\"Bob\",\"Nachname\":\"B\",\"Unsubscribed\":true,\"shoe_size\":7,\"first_name\":\"Robert\"}\n";
    let shown = preview(&key, &contacts(), "people.ndjson", file);
    assert_eq!((&shown["format"], &shown["separator"], &shown["total"]), (&json!("ndjson"), &json!(null), &json!(4)));
    // Another column is the first name already.
    let mapping = json!({
        "first_name": "first_name", "emails": "emails", "Vorname": null, "Nachname": "last_name",
        "Unsubscribed": "do_not_contact", "shoe_size": null,
    });
    assert_eq!((Value::from(proposed(&shown)), problems(&shown)), (mapping.clone(), vec![]));
    let rows = shown["rows"].as_array().expect("there are rows");
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0][0], "Ada");
    let done = import(&key, json!({"collection": "contacts", "mapping": mapping}), "people.ndjson", file);
    assert_eq!(counts(&done), [4, 2, 0, 0, 2]);
    let bob = key.list("/contacts", &[("last_name", "eq.B")]).page().rows.remove(0);
    assert_eq!((&bob["first_name"], &bob["do_not_contact"]), (&json!("Robert"), &json!(true)));
    let shown = preview(&key, &contacts(), "people.json", "[\n1,\n2\n]\n");
    assert_eq!(problems(&shown), ["file"]);
}

fn names_in_other_languages_are_known(world: &World) {
    let key = world.key("crm");
    let file = "Vorname;NACHNAME;Tel;Address;E‑Mail\nAda;Lovelace;+44 20;London;ada@example.com\n";
    assert_eq!(counts(&import(&key, contacts(), "people.csv", file)), [1, 1, 0, 0, 0]);
    let file = "Prénom;Nom;Tél.\nAda;Lovelace;+44 20\n";
    assert_eq!(counts(&import(&key, contacts(), "people.csv", latin(file))), [1, 1, 0, 0, 0]);
    for row in key.get("/contacts").page().rows {
        assert_eq!((&row["first_name"], &row["last_name"]), (&json!("Ada"), &json!("Lovelace")));
        assert_eq!(member(&row["phones"], "phone"), ["+44 20"]);
    }
    let file = "Account;Website domain;Tel\nAcme;acme.example.com;+1\n";
    let done = import(&key, json!({"collection": "companies"}), "firms.csv", file);
    assert_eq!(counts(&done), [1, 1, 0, 0, 0]);
    let acme = key.get("/companies").page().rows.remove(0);
    assert_eq!((&acme["name"], &acme["domain"]), (&json!("Acme"), &json!("acme.example.com")));
}

fn labels_of_custom_fields_are_known(world: &World) {
    let key = world.key("crm");
    for (name, label) in [("notice", "Notice period"), ("firm", "Company")] {
        let field = ["fields", "create", "--entity", "contact", "--key", name, "--type", "text", "--label", label];
        world.run(&field).ok();
    }
    let shown = preview(&key, &contacts(), "people.csv", "First name,Notice Period,Firm,Company\nAda,now,X,Y\n");
    // A name with a general meaning keeps it, even if a custom field has the same label.
    let mapping = json!({
        "First name": "first_name", "Notice Period": "custom_data.notice", "Firm": "custom_data.firm",
        "Company": "current_company",
    });
    assert_eq!(Value::from(proposed(&shown)), mapping);
}

fn opt_outs_are_recognised_in_every_spelling(world: &World) {
    let key = world.key("crm");
    let spellings = [
        "Unsubscribed",
        "UNSUBSCRIBE",
        "Opt-out",
        "opted_out",
        "Email Opt Out",
        "Do Not Contact",
        "do_not_contact",
        "Do not email",
    ];
    for (n, spelling) in spellings.iter().enumerate() {
        let file =
            format!("first_name,{spelling},email\nOut {n},yes,out{n}@example.com\nIn {n},no,in{n}@example.com\n");
        let shown = preview(&key, &contacts(), "people.csv", &file);
        assert_eq!(shown["columns"][1]["member"], "do_not_contact", "{spelling}");
        let wanted = json!({"collection": "contacts", "mapping": proposed(&shown)});
        for wanted in [wanted, contacts()] {
            assert_eq!(counts(&import(&key, wanted, "people.csv", &file)), [2, 2, 0, 0, 0], "{spelling}");
        }
        for (name, is_out) in [("Out", true), ("In", false)] {
            let rows = key.list("/contacts", &[("first_name", &format!("eq.{name} {n}"))]).page().rows;
            assert_eq!(rows.len(), 2);
            assert!(rows.iter().all(|row| row["do_not_contact"] == is_out), "{spelling}: {rows:?}");
        }
    }
    // A column with the opposite meaning is not mapped to it.
    let shown = preview(&key, &contacts(), "people.csv", "first_name,Subscribed,Opt-in\nAda,yes,yes\n");
    assert_eq!(shown["columns"][1]["member"], Value::Null);
    assert_eq!(shown["columns"][2]["member"], Value::Null);
}

fn the_same_file_gives_the_same_contacts_with_and_without_the_proposal(world: &World) {
    let file = latin(
        "Prénom;Nom;E-Mail;Unsubscribed;Tags;Pointure;Tel\n\
         Zoé;Müller;zoe@example.com;yes;VIP; Zoé & Cie;+33 1\nÉmile;;emile@example.com;no;;;\n",
    );
    // An unknown column: both leave it out.
    let unknown = json!({});
    let contacts_of = |place: &str, with_proposal: bool| {
        let key = world.workspace(place).key("crm");
        let shown = preview(&key, &contacts(), "people.csv", &file);
        assert_eq!((problems(&shown), &shown["ignored_columns"]), (vec![], &json!(["Pointure"])));
        let mapping = if with_proposal { proposed(&shown).into() } else { unknown.clone() };
        let done = import(&key, json!({"collection": "contacts", "mapping": mapping}), "people.csv", &file);
        assert_eq!(counts(&done), [2, 2, 0, 0, 0], "{done}");
        let mut rows = key.list("/contacts", &[("sort", "first_name")]).page().rows;
        for row in &mut rows {
            let row = row.as_object_mut().expect("a contact");
            row.retain(|name, _| !["id", "created_at", "updated_at"].contains(&name.as_str()));
        }
        rows
    };
    let rows = contacts_of("without", false);
    assert_eq!(rows, contacts_of("proposed", true));
    assert_eq!(rows.iter().map(|row| row["do_not_contact"] == true).collect::<Vec<_>>(), [true, false]);
    assert_eq!(rows[0]["last_name"], "Müller");
}

fn the_preview_names_what_an_import_would_refuse(world: &World) {
    let key = world.key("crm");
    for (mapping, file) in [
        (json!({}), "First Name,Shoe size,Hat size\nAda,38,7\n"),
        (json!({}), "Email,E-mail\na@example.com,b@example.com\n"),
        (json!({"Vorname": "forename", "x": 7}), "Vorname,x\nAda,1\n"),
        (json!({"Nobody": "last_name"}), "Vorname\nAda\n"),
        (json!({"Vorname": "last_name"}), "Vorname,Nachname\nAda,L\n"),
        (json!({}), "first_name,email\nAda,not an address\n"),
    ] {
        let wanted = json!({"collection": "contacts", "strict": true, "mapping": mapping});
        let shown = preview(&key, &wanted, "people.csv", file);
        let answer = send(&key, &wanted, "people.csv", file.as_bytes());
        let refused = match answer.status {
            202 => json!([]),
            _ => {
                answer.error(400, "validation_error");
                serde_json::from_slice::<Value>(&answer.body).expect("an answer is JSON")["error"]["details"].take()
            }
        };
        assert_eq!(shown["problems"], refused, "{file}");
    }
    // The form itself is checked like that of an import.
    for (wanted, field) in [
        (json!({}), "options.collection"),
        (json!({"collection": "contacts", "format": "xlsx"}), "options.format"),
        (json!({"collection": "contacts", "match_on": "shoe_size"}), "options.match_on"),
        (json!({"collection": "contacts", "mapping": []}), "options.mapping"),
    ] {
        ask(&key, &wanted, "people.csv", b"first_name\nAda\n").error(400, "validation_error").at(field);
    }
    key.request("POST", "/imports/preview").form(&[options(&contacts())]).send().invalid("file");
    // Many wrong names and a long header do not make a longer answer.
    let header: Vec<String> = (0..900).map(|n| format!("{n} {}", "x".repeat(200))).collect();
    let wrong: Map<String, Value> = (0..5000).map(|n| (format!("w{n}"), json!(1))).collect();
    let wanted = json!({"collection": "contacts", "mapping": wrong});
    let answer = ask(&key, &wanted, "people.csv", format!("{}\n", header.join(",")).as_bytes());
    answer.is(200);
    assert!(answer.body.len() < 4_000_000, "{} bytes", answer.body.len());
}

/// An export contains columns that an import does not store.
fn read_only_members_are_not_offered(world: &World) {
    let key = world.key("crm");
    key.post("/contacts", json!({"first_name": "Ada", "email": "ada@example.com"})).created();
    let export = key.get("/exports/contacts?format=csv");
    let shown = preview(&key, &contacts(), "contacts.csv", &export.body);
    assert_eq!(problems(&shown), Vec::<String>::new());
    assert_eq!(proposed(&shown)["created_at"], "created_at");
    let members = strings(&shown["members"]);
    for (name, offered) in [("created_at", false), ("updated_at", false), ("last_contacted_at", true), ("tags", true)] {
        assert_eq!(members.iter().any(|member| member == name), offered, "{name}");
    }
}

fn odd_files_are_previewed(world: &World) {
    let key = world.key("crm");
    let shown = preview(&key, &contacts(), "people.csv", "first_name,email\n");
    assert_eq!((&shown["rows"], &shown["total"], problems(&shown)), (&json!([]), &json!(0), vec![]));
    let shown = preview(&key, &contacts(), "people.csv", "first_name");
    assert_eq!((&shown["rows"], &shown["total"]), (&json!([]), &json!(0)));

    let header: Vec<String> = (0..300).map(|n| format!("Column {n}")).collect();
    let wide = format!("{}\n{}\n", header.join(","), vec!["x"; 300].join(","));
    let strict = json!({"collection": "contacts", "strict": true});
    let shown = preview(&key, &strict, "people.csv", &wide);
    assert_eq!(shown["columns"].as_array().map(Vec::len), Some(300));
    assert_eq!((problems(&shown).len(), shown["ignored_columns"].as_array().map(Vec::len)), (300, Some(300)));
    let mapping: Map<String, Value> = proposed(&shown);
    let wanted = json!({"collection": "contacts", "strict": true, "mapping": mapping});
    assert_eq!(problems(&preview(&key, &wanted, "people.csv", &wide)), Vec::<String>::new());

    // A megabyte in one cell, and rows after it.
    let long = "é".repeat(500_000);
    let file = format!("first_name,summary\nAda,\"{long}\"\nBob,short\n");
    let shown = preview(&key, &contacts(), "people.csv", &file);
    assert_eq!(shown["rows"], json!([["Ada", format!("{}…", "é".repeat(200))], ["Bob", "short"]]));
    assert_eq!((&shown["total"], &shown["total_is_estimate"]), (&json!(2), &json!(false)));
    // The search for a missing closing quote ends there.
    let mut open = b"first_name,summary\nAda,\"".to_vec();
    open.resize(9 * 1024 * 1024, b'x');
    let shown = preview(&key, &contacts(), "people.csv", &open);
    assert_eq!((&shown["rows"], &shown["total"]), (&json!([]), &json!(null)));
    // Only separators.
    let commas = ",".repeat(3 * 1024 * 1024);
    let shown = preview(&key, &contacts(), "people.csv", format!("first_name\nAda{commas}\n"));
    assert_eq!(shown["columns"].as_array().map(Vec::len), Some(1));
}

fn files_that_are_not_tables_are_refused_with_the_reason(world: &World) {
    let key = world.key("crm");
    let mut dice = Dice::new(seed());
    let noise: Vec<u8> = (0..40_000).map(|_| dice.below(256) as u8).collect();
    let picture = [b"\x89PNG\r\n\x1a\n".as_slice(), &noise].concat();
    let spreadsheet = [b"PK\x03\x04\x14\x00\x06\x00\x08\x00".as_slice(), &noise].concat();
    let many: String = (0..1001).map(|n| format!("c{n},")).collect();
    let files: [(&[u8], &str); 10] = [
        (b"", "empty"),
        (b"\n\n", "header row"),
        (b"\xef\xbb\xbf", "header row"),
        (&noise, "not a text file"),
        (&picture, "not a text file"),
        (&spreadsheet, "not a text file"),
        (b"\x00\x01\x02\x03", "not a text file"),
        (&[b"\xff\xfe".as_slice(), &noise].concat(), "not a text file"),
        (many.as_bytes(), "more than 1000 columns"),
        (&b"x".repeat(300 * 1024), "too long"),
    ];
    for (content, reason) in files {
        for name in ["people.csv", "people.ndjson"] {
            if name.ends_with("ndjson") && !reason.contains("text") && !content.is_empty() {
                continue;
            }
            ask(&key, &contacts(), name, content).invalid("file").says(reason);
            send(&key, &contacts(), name, content).invalid("file").says(reason);
        }
    }
    assert_eq!(key.get("/imports").page().total(), 0);
}

fn broken_files_break_no_preview(world: &World) {
    let key = world.key("crm");
    world.set(&["--rate-limit", "1000000"]);
    let mut dice = Dice::new(seed());
    let good = "first_name,email,skills\r\n\"Ada\",a@example.com,\"x;\\;y\"\r\n'=1,b@example.com,\r\n";
    for round in 0..share(100, 5_000) {
        let mut bytes = if round % 3 == 0 { utf16(b"\xff\xfe", good, u16::to_le_bytes) } else { good.into() };
        for _ in 0..1 + dice.below(6) {
            let at = dice.below(bytes.len());
            match dice.below(4) {
                0 => bytes[at] = dice.below(256) as u8,
                1 => bytes.truncate(at.max(1)),
                2 => bytes.insert(at, *dice.pick(b"\",;\n\r\0\\'\xff\xc3\t={")),
                _ if bytes.len() > 1 => drop(bytes.remove(at)),
                _ => {}
            }
        }
        let name = if round % 4 == 0 { "people.ndjson" } else { "people.csv" };
        let answer = ask(&key, &contacts(), name, &bytes);
        match answer.status {
            200 => drop(answer.ok()),
            400 => drop(answer.invalid("file")),
            _ => panic!("{answer}"),
        }
    }
}

fn long_files_are_estimated(world: &World) {
    let key = world.key("crm");
    let rows: String = (0..50_000).map(|n| format!("Person {n};p{n}@example.com\r\n")).collect();
    let file = format!("first_name;email\r\n{rows}");
    for content in [file.as_bytes().to_vec(), utf16(b"\xff\xfe", &file, u16::to_le_bytes)] {
        let shown = preview(&key, &contacts(), "people.csv", content);
        let total = shown["total"].as_i64().expect("a number");
        assert_eq!(shown["total_is_estimate"], true);
        assert!((40_000..65_000).contains(&total), "{total}");
    }
}

fn a_preview_stores_nothing(world: &World) {
    let key = world.key("crm");
    let file = "first_name,tags\nAda,New\n";
    let again = key.request("POST", "/imports/preview").header("Idempotency-Key", "one");
    again.form(&[options(&contacts()), Part::file("people.csv", file.as_bytes())]).send().ok();
    preview(&key, &contacts(), "people.csv", latin("Prénom\nZoé\n"));
    assert_eq!(key.get("/imports").page().total(), 0);
    assert_eq!(key.get("/contacts").page().total(), 0);
    assert_eq!(key.get("/tags").page().total(), 0);
    // The folder is created with the first stored file.
    assert!(!world.data().join("files").exists());
    for table in ["jobs WHERE kind LIKE 'import%'", "idempotency", "imports"] {
        let sql = format!("SELECT CAST(count(*) AS text) FROM {table}");
        assert_eq!(world.count(&sql), 0, "{table}");
    }
}

fn a_preview_needs_the_scopes_of_an_import(world: &World) {
    let file = b"first_name\nAda\n";
    ask(&world.key("contacts:read"), &contacts(), "x.csv", file)
        .error(403, "insufficient_scope")
        .says("contacts:write");
    let writer = world.key("contacts:write");
    ask(&writer, &contacts(), "x.csv", file).ok();
    ask(&writer, &json!({"collection": "companies"}), "x.csv", b"name\nA\n")
        .error(403, "insufficient_scope")
        .says("companies:write");
    ask(&world.key("companies:write"), &json!({"collection": "companies"}), "x.csv", b"name\nA\n").ok();
    writer.get("/imports/preview").error(405, "method_not_allowed");
    let form = ("Content-Type", "multipart/form-data; boundary=edge");
    let length = ((2_u64 << 30) + (64 << 10) + 1).to_string();
    let wire = Wire::open(&writer, "POST", "/imports/preview", &[form, ("Content-Length", &length)]);
    wire.answer().error(413, "payload_too_large");
}

fn a_command_shows_the_preview(world: &World) {
    let key = world.key("crm");
    let file = world.file("people.csv");
    std::fs::write(&file, latin("Prénom;Nom;Unsubscribed\nZoé;Müller;yes\n")).expect("the file can be written");
    let path = file.to_str().expect("a path").to_owned();
    let run = |more: &[&str]| world.run(&[&["import", &path, "--collection", "contacts", "--preview"], more].concat());
    let shown = run(&[]);
    let expected =
        "column\tmember\tsamples\nPrénom\tfirst_name\tZoé\nNom\tlast_name\tMüller\nUnsubscribed\tdo_not_contact\tyes";
    assert_eq!(shown.ok(), expected);
    assert!(run(&["--mapping", "Nom="]).ok().contains("Nom\t-\tMüller"));
    std::fs::write(&file, "first_name,Shoe size\nAda,38\n").expect("the file can be written");
    let refused = run(&["--strict"]);
    assert_eq!(refused.code, Some(2), "{refused}");
    assert!(refused.out.contains("Shoe size\t-\t38") && refused.err.contains("Shoe size"), "{refused}");
    assert_eq!(run(&["--dry-run"]).code, Some(2));
    assert_eq!((key.get("/contacts").page().total(), key.get("/imports").page().total()), (0, 0));
}
