//! Search: contacts are found by any part of their values, in any script.

use serde_json::{Value, json};

use crate::support::*;

stories![
    only_searchable_members_are_searched,
    every_word_must_occur_in_any_member,
    accents_and_case_do_not_matter_in_any_script,
    a_short_word_matches_only_beginnings,
    scripts_without_spaces_are_found_inside_a_run,
    phones_are_found_by_their_digits,
    tags_are_found_by_the_names_they_have_now,
    new_values_are_found_at_once_and_old_ones_are_not,
    linked_data_is_found_later,
    search_works_with_filters_sorts_pages_and_counts,
    odd_input_finds_nothing_and_breaks_nothing,
    a_search_has_bounds,
    a_search_by_body_gives_the_same_results,
    every_member_of_a_body_narrows,
    errors_of_a_search_body_name_the_member,
    common_words_are_listed_and_counted,
    companies_are_searched_too,
];

/// The first names of the results, in the order of creation.
#[track_caller]
fn found(key: &Client, search: &str) -> Vec<String> {
    key.list("/contacts", &[("search", search), ("sort", "created_at")]).page().column("first_name")
}

/// Runs the checks now, before the texts are indexed, and again when they are.
fn both_ways(world: &World, key: &Client, look: impl Fn()) {
    look();
    let contacts = key.get("/contacts").page().total();
    eventually("all texts written", PATIENCE, || {
        let behind = "SELECT CAST(count(*) AS text) FROM contacts c WHERE c.updated_at > coalesce((SELECT max(i.stamp) FROM indexed i), 0)";
        let written = world.count("SELECT CAST(count(*) AS text) FROM texts");
        (written == contacts && world.count(behind) == 0).then_some(())
    });
    look();
}

fn only_searchable_members_are_searched(world: &World) {
    let key = world.key("crm");
    let body = json!({
        "first_name": "Wilhelmina", "last_name": "Featherstone", "title": "Cartographer", "current_company": "Globex",
        "email": "minnie@mail.example.com", "phone": "555 0123", "skills": ["Surveying", "Etching"], "tags": ["Alumni"],
        "summary": "Draws maps of imaginary archipelagos.", "location": "Reykjavik", "languages": ["Icelandic"],
        "network_profile": "https://network.example.com/in/wf-4711"
    });
    key.post("/contacts", body).created();
    key.post("/contacts", json!({"first_name": "Somebody", "last_name": "Else"})).created();
    both_ways(world, &key, || {
        for word in [
            "wilhelmina",
            "helm",
            "feather",
            "cartograph",
            "globex",
            "minnie@mail",
            "example.com",
            "5550123",
            "0123",
            "survey",
            "ETCHING",
            "alumni",
            "lumn",
            "archipelagos",
            "imaginary maps",
            "Wilhelmina Featherstone",
            "featherstone wilhelmina",
            "Featherstone, Wilhelmina",
        ] {
            assert_eq!(found(&key, word), ["Wilhelmina"], "{word}");
        }
        for word in ["reykjavik", "icelandic", "4711", "contact", "wilhelminafeatherstone", "globexminnie", "candidate"]
        {
            assert_eq!(found(&key, word), [""; 0], "{word}");
        }
    });
}

fn every_word_must_occur_in_any_member(world: &World) {
    let key = world.key("crm");
    key.post("/contacts", json!({"first_name": "Ada", "title": "Engineer", "skills": ["Rust"]})).created();
    key.post("/contacts", json!({"first_name": "Bob", "title": "Engineer", "skills": ["Java"], "tags": ["Rustic"]}))
        .created();
    key.post("/contacts", json!({"first_name": "Cleo", "title": "Lawyer", "skills": ["Rust"]})).created();
    both_ways(world, &key, || {
        assert_eq!(found(&key, "engineer"), ["Ada", "Bob"]);
        assert_eq!(found(&key, "engineer rust"), ["Ada", "Bob"], "one by a skill, one by a tag");
        assert_eq!(found(&key, "rust engineer java"), ["Bob"]);
        assert_eq!(found(&key, "engineer rustic"), ["Bob"]);
        assert_eq!(found(&key, "rust lawyer java"), [""; 0]);
        assert_eq!(found(&key, "ustic"), ["Bob"]);
    });
}

fn accents_and_case_do_not_matter_in_any_script(world: &World) {
    let key = world.key("crm");
    let names = [
        "Émile",
        "STRAẞE",
        "Łódź",
        "Σίσυφος",
        "Фёдор",
        "محمّد",
        "Արամ",
        "Nguyễn",
        "Zoe\u{308}",
        "İpek",
        "Søren",
        "हिन्दी",
        "한국인",
    ];
    for name in names {
        key.post("/contacts", json!({"first_name": name, "summary": format!("<{name}>")})).created();
    }
    both_ways(world, &key, || {
        for (number, words) in [
            ["emile", "ÉMILE", "mile", "E\u{301}MILE"],
            ["strasse", "Straße", "TRASS", "straẞ"],
            ["lodz", "ŁÓDŹ", "ódz", "Lodź"],
            ["σισυφος", "ΣΊΣΥΦΟΣ", "ίσυφ", "υφοσ"],
            ["федор", "ФЁДОР", "ёдор", "едо"],
            ["محمد", "مُحَمَّد", "حمد", "محمّد"],
            ["արամ", "ԱՐԱՄ", "րամ", "Արա"],
            ["nguyen", "NGUYỄN", "guyễ", "ngu"],
            ["zoe", "ZOË", "Zoë", "<zoe>"],
            ["ipek", "IPEK", "İPEK", "ıpek"],
            ["soren", "SØREN", "øre", "sören"],
            ["हिन्दी", "हिन", "न्दी", "हिन्द"],
            ["한국", "국인", "한국인", "한"],
        ]
        .iter()
        .enumerate()
        {
            for word in words {
                assert_eq!(
                    found(&key, word),
                    [key.list("/contacts", &[("sort", "created_at"), ("offset", &number.to_string()), ("limit", "1")])
                        .page()
                        .column("first_name")[0]
                        .clone()],
                    "{word}"
                );
            }
        }
    });
}

fn a_short_word_matches_only_beginnings(world: &World) {
    let key = world.key("crm");
    for (name, skills) in [("Li", "C++"), ("Oliver", "C#"), ("Anna-Liv", ".NET"), ("O'Lira", "Go"), ("Émile", "C")] {
        key.post("/contacts", json!({"first_name": name, "skills": [skills]})).created();
    }
    both_ways(world, &key, || {
        assert_eq!(found(&key, "li"), ["Li", "Anna-Liv", "O'Lira"], "not inside Oliver");
        assert_eq!(found(&key, "liv"), ["Oliver", "Anna-Liv"], "three letters are found inside, too");
        assert_eq!(found(&key, "é"), ["Émile"]);
        assert_eq!(found(&key, "e"), ["Émile"]);
        assert_eq!(found(&key, "c"), ["Li", "Oliver", "Émile"]);
        assert_eq!(found(&key, "c++"), ["Li"]);
        assert_eq!(found(&key, "c#"), ["Oliver"]);
        assert_eq!(found(&key, ".net"), ["Anna-Liv"]);
        assert_eq!(found(&key, "o l"), ["O'Lira"], "each on its own");
    });
}

fn scripts_without_spaces_are_found_inside_a_run(world: &World) {
    let key = world.key("crm");
    let people = [
        ("太郎", "山田", "東京都庁の部長"),
        ("花子", "田中", "営業マネージャー"),
        ("สมชาย", "ใจดี", "วิศวกรซอฟต์แวร์"),
        ("민수", "김", "개발자"),
    ];
    for (first, last, title) in people {
        key.post("/contacts", json!({"first_name": first, "last_name": last, "title": title})).created();
    }
    both_ways(world, &key, || {
        for (search, names) in [
            ("京都", &["太郎"][..]),
            ("都庁の", &["太郎"]),
            ("長", &["太郎"]),
            ("田", &["太郎", "花子"]),
            ("田中", &["花子"]),
            ("中田", &[]),
            ("山田太郎", &["太郎"]),
            ("太郎山田", &["太郎"]),
            ("山田 太郎", &["太郎"]),
            ("マネ", &["花子"]),
            ("ネージ", &["花子"]),
            ("ชาย", &["สมชาย"]),
            ("กร", &["สมชาย"]),
            ("김민수", &["민수"]),
            ("민수", &["민수"]),
            ("발자", &["민수"]),
        ] {
            assert_eq!(found(&key, search), names, "{search}");
        }
    });
}

fn phones_are_found_by_their_digits(world: &World) {
    let key = world.key("crm");
    key.post("/contacts", json!({"first_name": "Ada", "phone": "+33 6 12 34 56 78"})).created();
    key.post(
        "/contacts",
        json!({"first_name": "Bob", "phone": "06.12.34.99.99", "summary": "Class of 2019, back in 2020."}),
    )
    .created();
    both_ways(world, &key, || {
        assert_eq!(found(&key, "+33 6 12"), ["Ada"]);
        assert_eq!(found(&key, "33612345678"), ["Ada"]);
        assert_eq!(found(&key, "+33-6-12-34"), ["Ada"]);
        assert_eq!(found(&key, "0612"), ["Bob"]);
        assert_eq!(found(&key, "(06) 12 34"), ["Bob"]);
        assert_eq!(found(&key, "6 12 34"), ["Ada", "Bob"]);
        assert_eq!(found(&key, "2019 2020"), ["Bob"], "numbers are words, too");
        assert_eq!(found(&key, "2019 2021"), [""; 0]);
        assert_eq!(found(&key, "ada 6 12 34"), ["Ada"]);
    });
}

fn tags_are_found_by_the_names_they_have_now(world: &World) {
    let key = world.key("crm");
    key.post("/contacts", json!({"first_name": "Ada", "tags": ["Élite Club"]})).created();
    key.post("/contacts", json!({"first_name": "Bob", "tags": ["Plain"], "summary": "No elite."})).created();
    both_ways(world, &key, || {
        assert_eq!(found(&key, "elite"), ["Ada", "Bob"]);
        assert_eq!(found(&key, "lub"), ["Ada"]);
        assert_eq!(found(&key, "cl"), ["Ada"]);
        assert_eq!(found(&key, "club elite ada"), ["Ada"]);
    });
    let elite = key.list("/tags", &[("name", "Élite Club")]).page().rows.remove(0);
    let path = format!("/tags/{}", text(&elite["id"]));
    key.put(&path, json!({"name": "Society"})).ok();
    assert_eq!(found(&key, "club"), [""; 0], "a renamed tag is found by its new name at once");
    assert_eq!(found(&key, "society"), ["Ada"]);
    key.delete(&path).ok();
    assert_eq!(found(&key, "society"), [""; 0], "a deleted one by none");
    key.post("/tags", json!({"name": "Society"})).created();
    assert_eq!(found(&key, "society"), [""; 0], "a new tag of its name is on no contact");
    let ada = key.list("/contacts", &[("search", "ada")]).page().rows.remove(0);
    key.post(&format!("/contacts/{}/tags", text(&ada["id"])), json!({"name": "Society"})).created();
    assert_eq!(found(&key, "society"), ["Ada"]);
}

fn new_values_are_found_at_once_and_old_ones_are_not(world: &World) {
    let key = world.key("crm");
    for number in 0..120 {
        let contact = key
            .post("/contacts", json!({"first_name": "Ada", "summary": format!("Number {number:03} before")}))
            .created();
        let path = format!("/contacts/{}", text(&contact["id"]));
        let total = |search: &str| key.list("/contacts", &[("search", search)]).page().total();
        assert_eq!(total(&format!("{number:03} before")), 1, "after contact {number}");
        if number % 10 == 0 {
            pause();
            key.put(&path, json!({"summary": format!("Number {number:03} after")})).ok();
            assert_eq!((total(&format!("{number:03} before")), total(&format!("{number:03} after"))), (0, 1));
            key.put(&path, json!({"summary": format!("Number {number:03} before")})).ok();
        }
        assert_eq!(total("before"), number + 1, "after contact {number}");
    }
}

/// Linked data changes without its record; the write marks the record's text as outdated.
fn linked_data_is_found_later(world: &World) {
    let key = world.key("crm");
    key.post("/contacts", json!({"first_name": "Ada"})).created();
    both_ways(world, &key, || assert_eq!(found(&key, "ada"), ["Ada"]));
    // As if the text had been different when it was indexed.
    world.stop();
    world.change("UPDATE texts SET text = replace(text, 'ada', 'bob')");
    world.change(
        "INSERT INTO texts_due (workspace_id, collection, record) SELECT workspace_id, collection, record FROM texts",
    );
    world.start();
    eventually("the text is written again", PATIENCE, || {
        (world.count("SELECT CAST(count(*) AS text) FROM texts_due") == 0).then_some(())
    });
    assert_eq!(found(&key, "ada"), ["Ada"]);
    assert_eq!(found(&key, "bob"), [""; 0]);
}

fn search_works_with_filters_sorts_pages_and_counts(world: &World) {
    let key = world.key("crm");
    for number in 0..30 {
        let part = ["zero", "one", "two"][number % 3];
        let kind = if number % 2 == 0 { "client" } else { "prospect" };
        let name = format!("Person {:02}", 29 - number);
        key.post(
            "/contacts",
            json!({"first_name": name, "title": format!("Head of part {part}"), "contact_type": kind}),
        )
        .created();
    }
    both_ways(world, &key, || {
        let base = [("search", "head one"), ("contact_type", "client"), ("sort", "first_name")];
        let page = key.list("/contacts", &[&base[..], &[("limit", "2"), ("offset", "2")]].concat()).page();
        assert_eq!((page.total(), page.has_more()), (5, true));
        assert_eq!(page.column("first_name"), ["Person 13", "Person 19"]);
        let mut names = Vec::new();
        let mut cursor = Some(String::new());
        while let Some(place) = cursor {
            let page = key.list("/contacts", &[&base[..], &[("limit", "2"), ("cursor", &place)]].concat()).page();
            cursor = page.next();
            names.extend(page.column("first_name"));
        }
        assert_eq!(names, ["Person 01", "Person 07", "Person 13", "Person 19", "Person 25"]);
        let none = key.list("/contacts", &[("search", "head"), ("count", "none")]).page();
        assert_eq!(none.meta["total"], Value::Null);
        let either = [("search", "part"), ("or", "(first_name.eq.Person 01,first_name.eq.Person 02)")];
        assert_eq!(key.list("/contacts", &either).page().total(), 2);
        assert_eq!(key.list("/contacts", &[("search", "part"), ("title", "ilike.%part two")]).page().total(), 10);
    });
    key.list("/tags", &[("search", "x")]).invalid("search");
    key.list("/contacts", &[("serch", "x")]).invalid("serch").says("search");
}

fn odd_input_finds_nothing_and_breaks_nothing(world: &World) {
    let key = world.key("crm");
    key.post(
        "/contacts",
        json!({"first_name": "Ada", "summary": "50% of \"x\" y\\z a_b [q] {r} * ? ' OR 1=1; -- AND NOT NEAR(a b)"}),
    )
    .created();
    both_ways(world, &key, || {
        assert_eq!(found(&key, ""), ["Ada"], "an empty search filters nothing");
        assert_eq!(found(&key, " \t "), ["Ada"]);
        for nothing in [
            "%",
            "_",
            "\"",
            "'",
            "--",
            "()",
            "[]",
            "*",
            "?",
            "😀",
            "\u{10ffff}",
            "\\",
            "…",
            "\u{1}\u{2}\u{3}\u{4}",
            "% %",
        ] {
            assert_eq!(found(&key, nothing), [""; 0], "{nothing:?}");
        }
        for something in ["50%", "y\\z", "a_b", "\"x\"", "AND NOT near(a", "1=1", "or*", "[q]", "{r}", "' OR 1=1; --"] {
            assert_eq!(found(&key, something), ["Ada"], "{something:?}");
        }
        for other in ["5_%", "a%b", "y%z", "axb", "ad?", "a\u{2}d", "ada\u{3}", "ada\u{4}A"] {
            let names = found(&key, other);
            assert!(
                names.is_empty() || other.contains(['\u{2}', '\u{3}', '?']) || other.contains('\u{4}'),
                "{other:?}"
            );
        }
    });
}

fn a_search_has_bounds(world: &World) {
    let key = world.key("crm");
    let words = |count: usize| vec!["word"; count].join(" ");
    key.list("/contacts", &[("search", &words(20))]).page();
    key.list("/contacts", &[("search", &words(21))]).invalid("search").says("20");
    key.list("/contacts", &[("search", &"é".repeat(500))]).page();
    key.list("/contacts", &[("search", &"é".repeat(501))]).invalid("search").says("500");
    key.list("/contacts", &[("search", "a\0b")]).invalid("search").says("NUL");
    key.post("/contacts/search", json!({"query": words(21)})).invalid("query").says("20");
}

fn a_search_by_body_gives_the_same_results(world: &World) {
    let key = world.key("crm");
    for name in ["Ada", "Bob", "Adam"] {
        key.post("/contacts", json!({"first_name": name, "title": "Engineer"})).created();
    }
    let answer = key.post("/contacts/search", json!({}));
    assert_eq!(answer.is(200).page().meta, json!({"total": 3, "limit": 50, "offset": 0, "has_more": false}));
    assert_eq!(answer.page().rows, key.get("/contacts").page().rows);
    let body =
        json!({"query": "ada engineer", "sort_by": "first_name", "sort_direction": "desc", "limit": 1, "offset": 1});
    let page = key.post("/contacts/search", body).is(200).page();
    assert_eq!(page.column("first_name"), ["Ada"]);
    assert_eq!(page.meta, json!({"total": 2, "limit": 1, "offset": 1, "has_more": false}));
    world
        .key("contacts:write")
        .post("/contacts/search", json!({}))
        .error(403, "insufficient_scope")
        .says("contacts:read");
    let oldest = key.post("/contacts/search", json!({"sort_direction": "asc"})).is(200).page();
    assert_eq!(oldest.column("first_name"), ["Ada", "Bob", "Adam"]);
}

fn every_member_of_a_body_narrows(world: &World) {
    let key = world.key("crm");
    let people = [
        json!({"first_name": "Zoë", "last_name": "Ångström", "title": "Chief of Staff", "current_company": "Globex", "location": "Zürich", "contact_type": "client", "tags": ["VIP", "Old, \"friend\""]}),
        json!({"first_name": "Zoe", "last_name": "Smith", "title": "Staff Engineer", "current_company": "Zürich Re", "location": "Globe", "contact_type": "prospect", "tags": ["VIP"]}),
        json!({"first_name": "Bob"}),
    ];
    for person in people {
        key.post("/contacts", person).created();
    }
    let names = |body: Value| {
        let mut body = body;
        body["sort_by"] = json!("created_at");
        key.post("/contacts/search", body)
            .is(200)
            .page()
            .rows
            .iter()
            .map(|row| text(&row["first_name"]))
            .collect::<Vec<_>>()
    };
    both_ways(world, &key, || {
        for (body, found) in [
            (json!({"name": "zoe"}), &["Zoë", "Zoe"][..]),
            (json!({"name": "angstrom zoe"}), &["Zoë"]),
            (json!({"name": "staff"}), &[]),
            (json!({"name": "oë"}), &["Zoë", "Zoe"]),
            (json!({"title": "STAFF"}), &["Zoë", "Zoe"]),
            (json!({"title": "chief staff"}), &["Zoë"]),
            (json!({"company": "zurich"}), &["Zoe"]),
            (json!({"location": "zurich"}), &["Zoë"]),
            (json!({"location": "ürich", "company": "glob"}), &["Zoë"]),
            (json!({"contact_types": ["client", "other"]}), &["Zoë"]),
            (json!({"contact_types": []}), &["Zoë", "Zoe", "Bob"]),
            (json!({"tags": ["vip"]}), &["Zoë", "Zoe"]),
            (json!({"tags": ["VIP", "old, \"friend\""]}), &["Zoë"]),
            (json!({"created_after": "2001-01-01", "created_before": "9000-01-01"}), &["Zoë", "Zoe", "Bob"]),
            (json!({"created_after": "9000-01-01"}), &[]),
            (json!({"last_contacted_after": "2001-01-01"}), &[]),
            (json!({"last_contacted_before": "2001-01-01T00:00:00Z"}), &[]),
            (json!({"query": "vip", "name": "zoe", "title": "engineer"}), &["Zoe"]),
            (json!({"query": null, "name": null, "tags": null, "created_after": null}), &["Zoë", "Zoe", "Bob"]),
            (json!({"name": "%"}), &[]),
        ] {
            assert_eq!(names(body.clone()), found, "{body}");
        }
    });
}

fn errors_of_a_search_body_name_the_member(world: &World) {
    let key = world.key("crm");
    let wrong = |body: Value, field: &str| key.post("/contacts/search", body).invalid(field);
    wrong(json!({"nam": "x"}), "nam").says("name");
    wrong(json!({"name": 7}), "name");
    wrong(json!({"contact_types": ["friend"]}), "contact_types").says("candidate");
    wrong(json!({"contact_types": "client"}), "contact_types");
    wrong(json!({"created_after": "yesterday"}), "created_after");
    wrong(json!({"sort_by": "shoe_size"}), "sort_by").says("last_name");
    wrong(json!({"sort_by": "-title"}), "sort_by");
    wrong(json!({"sort_direction": "up"}), "sort_direction").says("asc");
    wrong(json!({"limit": 0}), "limit");
    wrong(json!({"limit": 101}), "limit");
    wrong(json!({"offset": -1}), "offset");
    wrong(json!({"project_id": nobody()}), "project_id");
}

/// More than a thousand records contain the word, so that the list is read in its order.
fn common_words_are_listed_and_counted(world: &World) {
    world.set(&["--rate-limit", "1000000"]);
    let key = world.key("crm");
    at_once(8, |hand| {
        for number in 0..150 {
            let rare = if number == 77 { " needle" } else { "" };
            let summary = format!("Common to all{rare}, number {number:03} of {hand}");
            key.post("/contacts", json!({"first_name": format!("P{hand}{number:03}"), "summary": summary})).created();
        }
    });
    both_ways(world, &key, || {
        let total = |search: &str| key.list("/contacts", &[("search", search), ("limit", "3")]).page().total();
        assert_eq!(total("common"), 1200);
        assert_eq!(total("common all"), 1200);
        assert_eq!(total("common needle"), 8);
        assert_eq!(total("co al"), 1200, "the beginnings of words");
        assert_eq!(total("077 common"), 8);
        let page = key
            .list("/contacts", &[("search", "common"), ("sort", "first_name"), ("limit", "2"), ("offset", "1100")])
            .page();
        assert_eq!(page.column("first_name"), ["P7050", "P7051"]);
    });
    key.post("/contacts", json!({"first_name": "New", "summary": "common"})).created();
    assert_eq!(key.list("/contacts", &[("search", "common")]).page().total(), 1201);
}

fn companies_are_searched_too(world: &World) {
    let key = world.key("crm");
    let globex = json!({
        "name": "Glöbex Énergie", "domain": "globex.example.com", "website": "https://www.globex.example.com/about", "industry": "Utilities",
        "location": "Genève", "description": "Makes reactors.", "phone": "+41 22 555 01 23", "email": "hello@mail.example.com", "tags": ["Nuclear"]
    });
    key.post("/companies", globex).created();
    key.post("/companies", json!({"name": "Initech", "location": "Utilities Park"})).created();
    let names = |parameters: &[(&str, &str)]| key.list("/companies", parameters).page().column("name");
    let look = || {
        for word in [
            "globex energie",
            "globex.example",
            "about",
            "utilities",
            "reactor",
            "+41 22 555",
            "22555",
            "hello@",
            "nuclear",
            "gl",
        ] {
            assert_eq!(names(&[("search", word)]), ["Glöbex Énergie"], "{word}");
        }
        assert_eq!(names(&[("search", "geneve")]), [""; 0], "the location is a filter");
        let by = |body: Value| key.post("/companies/search", body).is(200).page().column("name");
        for body in [
            json!({"query": "energie"}),
            json!({"name": "GLOBEX"}),
            json!({"domain": "globex"}),
            json!({"industry": "util"}),
            json!({"location": "geneve"}),
            json!({"tags": ["nuclear"], "created_after": "2001-01-01", "created_before": "9000-01-01", "sort_by": "name", "limit": 1}),
        ] {
            assert_eq!(by(body.clone()), ["Glöbex Énergie"], "{body}");
        }
        assert_eq!(by(json!({"sort_by": "name", "sort_direction": "desc"})), ["Initech", "Glöbex Énergie"]);
        assert_eq!(by(json!({"name": "utilities"})), [""; 0]);
    };
    look();
    eventually("all texts written", PATIENCE, || {
        (world.count("SELECT CAST(count(*) AS text) FROM texts") == 2).then_some(())
    });
    look();
    key.post("/companies/search", json!({"title": "x"})).invalid("title");
    key.list("/contacts", &[("search", "globex")]).page();
}
