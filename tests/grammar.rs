//! The list grammar, compared three times: SQLite, PostgreSQL and a model that tests each record.
//!
//! The same random people are on both engines. For every random query both engines must return the same rows in the
//! same order, the same total and the same `has_more`, and the model, which uses no database, must agree. A failure
//! prints its seed and its query; `RELATA_SEED=n bin/test grammar` repeats it.

mod model;
mod people;
mod questions;
mod words;

use std::fmt::Write;

use serde_json::{Value, json};

use crate::support::*;
use model::Shape;
use questions::{Paging, Query};

/// One engine with the people on it: a client, and the records as the service shows them.
struct Side {
    engine: Engine,
    key: Client,
    rows: Vec<Value>,
    // Dropped last: the server that the client uses.
    _world: World,
}

impl Side {
    fn new(engine: Engine) -> Side {
        let world = World::new(engine);
        world.set(&["--rate-limit", "1000000000"]);
        for (key, kind, values) in [
            ("nick", "text", None),
            ("score", "number", None),
            ("remote", "boolean", None),
            ("since", "date", None),
            ("level", "select", Some(model::LEVELS.join(","))),
            ("perks", "multi_select", Some(model::PERKS.join(","))),
        ] {
            let mut define = vec!["fields", "create", "--entity", "contact", "--key", key, "--type", kind];
            values.iter().for_each(|values| define.extend(["--options", values]));
            world.run(&define).ok();
        }
        let key = world.key("crm");
        Side { engine, key, rows: Vec::new(), _world: world }
    }

    /// Reads a whole collection by cursor, in the order of creation.
    fn read(&mut self, path: &str) {
        self.rows.clear();
        let mut cursor = Some(String::new());
        while let Some(place) = cursor {
            let page = self.key.list(path, &[("limit", "100"), ("sort", "created_at"), ("cursor", &place)]).page();
            cursor = page.next();
            self.rows.extend(page.rows.into_iter().map(people::spread));
        }
    }
}

/// Creates the same people on both engines; with one client their ids have the same order on both.
fn sides(people: &[Value], clients: usize) -> [Side; 2] {
    let mut sides = [Side::new(Engine::Sqlite), Side::new(Engine::Postgres)];
    std::thread::scope(|scope| {
        for side in &mut sides {
            scope.spawn(|| {
                // A tag keeps its first spelling, so the tags are created before the people.
                for name in people::TAGS {
                    let answer = side.key.post("/tags", json!({"name": name}));
                    assert!([201, 400].contains(&answer.status), "{answer}");
                }
                at_once(clients, |client| {
                    for person in people.iter().skip(client).step_by(clients) {
                        people::create(&side.key, person);
                    }
                });
                side.read("/contacts");
            });
        }
    });
    let known = |side: &Side| {
        let mut known: Vec<Value> = side.rows.iter().map(people::lasting).collect();
        known.sort_by_key(|row| text(&row["summary"]));
        known
    };
    assert_eq!(sides[0].rows.len(), people.len(), "some people are missing");
    assert_eq!(known(&sides[0]), known(&sides[1]), "the engines keep different records of the same people");
    sides
}

#[test]
fn a_few_hundred_people() {
    let seed = seed();
    let mut dice = Dice::new(seed);
    let people: Vec<Value> = (0..300).map(|number| people::someone(&mut dice, number)).collect();
    let sides = sides(&people, 1);
    let look = |at: usize, field: &str| sides.each_ref().map(|side| side.rows[at][field].clone());
    let mut queries = questions::every(&mut dice, &model::CONTACTS, people.len(), &look);
    let more = share(600, 50_000) - queries.len();
    queries.extend((0..more).map(|_| questions::random(&mut dice, &model::CONTACTS, people.len(), &look)));
    for (number, query) in queries.iter().enumerate() {
        let which = format!("question {number} of seed {seed}");
        let answers = sides.each_ref().map(|side| ask(side, "/contacts", &model::CONTACTS, "summary", query, &which));
        assert_eq!(answers[0], answers[1], "SQLite and PostgreSQL differ in {which}: {query}");
    }
}

/// More than a thousand rows match many of these queries, so lists are read along an index instead of being sorted.
#[test]
fn a_few_thousand_people() {
    let seed = seed();
    let mut dice = Dice::new(seed ^ 0x5eed);
    let people: Vec<Value> = (0..share(1_400, 2_500)).map(|number| people::one_of_many(&mut dice, number)).collect();
    let sides = sides(&people, 8);
    let look = |at: usize, field: &str| sides.each_ref().map(|side| side.rows[at][field].clone());
    for round in 0..share(1, 20) {
        let mut queries = questions::every(&mut dice, &model::CONTACTS, people.len(), &look);
        queries.extend((0..60).map(|_| questions::random(&mut dice, &model::CONTACTS, people.len(), &look)));
        for (number, query) in queries.iter().enumerate() {
            for side in &sides {
                let which = format!("question {number} of round {round} of seed {seed}");
                ask(side, "/contacts", &model::CONTACTS, "summary", query, &which);
            }
        }
    }
}

/// Lists follow changes of the records: edits, archiving, tags attached, renamed and deleted. These queries do not use
/// `updated_at`, because a deleted tag is removed in the background, which changes it.
#[test]
fn lists_follow_changes() {
    let seed = seed();
    let mut dice = Dice::new(seed ^ 0xc4a6e);
    let people: Vec<Value> = (0..60).map(|number| people::someone(&mut dice, number)).collect();
    let mut sides = sides(&people, 1);
    for round in 0..share(40, 2_000) {
        let change = people::change(&mut dice, people.len());
        for side in &mut sides {
            people::undergo(&side.key, &side.rows, &change);
            side.read("/contacts");
        }
        for _ in 0..4 {
            let query = questions::random(&mut dice, &model::CHANGING, people.len(), &|at, field| {
                sides.each_ref().map(|side| side.rows[at][field].clone())
            });
            let which = format!("round {round} of seed {seed}, after {change:?}");
            let answers =
                sides.each_ref().map(|side| ask(side, "/contacts", &model::CHANGING, "summary", &query, &which));
            assert_eq!(answers[0], answers[1], "SQLite and PostgreSQL differ in {which}: {query}");
        }
    }
}

/// Tags have other fields than contacts, and a unique name in place of an index by name.
#[test]
fn tags() {
    let seed = seed();
    let mut dice = Dice::new(seed ^ 0x7a65);
    let names: Vec<Value> = (0..150).map(|number| people::tag(&mut dice, number)).collect();
    let mut sides = [Side::new(Engine::Sqlite), Side::new(Engine::Postgres)];
    for side in &mut sides {
        for tag in &names {
            side.key.post("/tags", tag.clone()).created();
        }
        side.read("/tags");
    }
    for number in 0..share(150, 10_000) {
        let query = questions::random(&mut dice, &model::TAGS, names.len(), &|at, field| {
            sides.each_ref().map(|side| side.rows[at][field].clone())
        });
        let which = format!("question {number} of seed {seed}, about tags");
        let answers = sides.each_ref().map(|side| ask(side, "/tags", &model::TAGS, "name", &query, &which));
        assert_eq!(answers[0], answers[1], "SQLite and PostgreSQL differ in {which}: {query}");
    }
}

/// The parts of an answer that both engines must agree on.
#[derive(Debug, PartialEq)]
struct Answered {
    keys: Vec<String>,
    total: Option<u64>,
    has_more: bool,
}

/// Sends a query to one engine, and compares the answer with the model.
fn ask(side: &Side, path: &str, shape: &Shape, key: &str, query: &Query, which: &str) -> Answered {
    let (at, engine) = match side.engine {
        Engine::Sqlite => (0, "SQLite"),
        Engine::Postgres => (1, "PostgreSQL"),
    };
    let parameters = query.parameters(at);
    let mut reported = format!("{engine} in {which}:");
    for (name, value) in &parameters {
        // Writing to a string cannot fail.
        let _ = write!(reported, "\n  {name}={value}");
    }
    let mut expected: Vec<&Value> = side.rows.iter().filter(|row| query.holds(shape, row, at)).collect();
    expected.sort_by(|one, other| model::order(shape, one, other, &query.sort));
    let expected: Vec<String> = expected.iter().map(|row| text(&row[key])).collect();
    let list = |more: &[(&str, &str)]| {
        let own = parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        side.key.list(path, &own.chain(more.iter().copied()).collect::<Vec<_>>())
    };
    let limit = query.limit;
    match query.paging {
        Paging::Offset { offset, count } => {
            let offset_text = offset.to_string();
            let mut more = vec![("offset", offset_text.as_str())];
            if !count {
                more.push(("count", "none"));
            }
            let page = list(&more).page();
            let wanted: Vec<String> = expected.iter().skip(offset).take(limit).cloned().collect();
            let differs =
                |row: &&Value| page.column(key).contains(&text(&row[key])) != wanted.contains(&text(&row[key]));
            let differing =
                || side.rows.iter().filter(differs).take(3).map(Value::to_string).collect::<Vec<_>>().join("\n");
            assert_eq!(page.column(key), wanted, "the rows of {reported}\nDiffering:\n{}", differing());
            let total = if count { json!(expected.len()) } else { Value::Null };
            let has_more = offset.saturating_add(limit) < expected.len();
            let meta = json!({"total": total, "limit": limit, "offset": offset, "has_more": has_more});
            assert_eq!(page.meta, meta, "the meta of {reported}");
            Answered { keys: wanted, total: count.then_some(expected.len() as u64), has_more }
        }
        Paging::Cursor { pages } => {
            let (mut seen, mut cursor, mut walked) = (Vec::new(), Some(String::new()), 0);
            while let Some(place) = cursor.take().filter(|_| walked < pages) {
                let page = list(&[("cursor", &place)]).page();
                walked += 1;
                seen.extend(page.column(key));
                cursor = page.next();
                let has_more = walked * limit < expected.len();
                let meta = json!({"limit": limit, "has_more": has_more, "next_cursor": cursor});
                assert_eq!(page.meta, meta, "the meta of page {walked} of {reported}");
                assert_eq!(cursor.is_some(), has_more, "the cursor of page {walked} of {reported}");
            }
            let wanted: Vec<String> = expected.iter().take(walked * limit).cloned().collect();
            assert_eq!(seen, wanted, "all pages of {reported}");
            Answered { keys: wanted, total: None, has_more: cursor.is_some() }
        }
    }
}

/// Cases that random queries meet too rarely.
mod plain {
    use super::*;

    stories![
        an_address_finds_a_contact_once,
        prefix_patterns_include_the_last_code_point,
        a_filter_on_many_values_is_answered_in_time,
        new_contacts_are_found_while_texts_are_indexed
    ];

    fn an_address_finds_a_contact_once(world: &World) {
        let key = world.key("crm");
        let emails = json!([{"email": "ada1@example.com"}, {"email": "ADA2@example.com"}]);
        let phones = json!([{"phone": "555 0100"}, {"phone": "555 0101"}]);
        key.post("/contacts", json!({"first_name": "Ada", "emails": emails, "phones": phones})).created();
        for (field, pattern) in [("email", "like.ada%"), ("email", "ilike.Ada_@%"), ("phone", "like.5550%")] {
            let page = key.list("/contacts", &[(field, pattern)]).page();
            assert_eq!((page.rows.len(), page.total()), (1, 1), "{field}={pattern}");
        }
    }

    /// More than a thousand contacts have one value, some the other: looked up by key on both engines, whatever the
    /// planner estimates.
    fn a_filter_on_many_values_is_answered_in_time(world: &World) {
        world.set(&["--rate-limit", "1000000"]);
        let key = world.key("crm");
        at_once(8, |client| {
            for number in 0..150 {
                let (some, other) = (format!("Some {}", number % 5), format!("Own {client} {number}"));
                key.post("/contacts", json!({"first_name": "Ada", "tags": ["All", some, other]})).created();
            }
        });
        let thirty: Vec<String> = (0..30).map(|number| format!("Item {number}")).collect();
        key.post("/contacts", json!({"first_name": "Grace", "tags": thirty, "skills": thirty})).created();
        for (condition, total) in [
            ("cs.{all}".to_owned(), 1200),
            ("cs.{all,some 3}".to_owned(), 240),
            ("cs.{all,some 3,own 2 3}".to_owned(), 1),
            ("cs.{all,some 3,some 4}".to_owned(), 0),
            (format!("cs.{{{}}}", thirty.join(",")), 1),
            (format!("cs.{{{},all}}", thirty.join(",")), 0),
        ] {
            // A statement that takes too long is cancelled and gives no page.
            assert_eq!(key.list("/contacts", &[("tags", &condition)]).page().total(), total, "{condition}");
        }
    }

    /// Texts are indexed after the writes, in commits that other writers share.
    fn new_contacts_are_found_while_texts_are_indexed(world: &World) {
        world.set(&["--rate-limit", "1000000"]);
        let key = world.key("crm");
        at_once(16, |client| {
            for number in 0..100 {
                key.post("/contacts", json!({"first_name": "Ada", "title": format!("Needle {client:02} {number}")}))
                    .created();
            }
        });
        let found = || {
            let total =
                |hand: usize| key.list("/contacts", &[("title", &format!("like.%eedle {hand:02} %"))]).page().total();
            (0..16).map(total).collect::<Vec<u64>>()
        };
        assert_eq!(found(), [100; 16], "while some texts are still to be written");
        eventually("all texts written", PATIENCE, || {
            (world.count("SELECT CAST(count(*) AS text) FROM texts") >= 1600).then_some(())
        });
        assert_eq!(found(), [100; 16], "when all texts are written");
    }

    fn prefix_patterns_include_the_last_code_point(world: &World) {
        let key = world.key("crm");
        let name = "a\u{10ffff}b";
        let email = format!("{name}@example.com");
        key.post("/contacts", json!({"first_name": name, "email": email})).created();
        for (field, pattern) in [("first_name", "ilike.a%"), ("first_name", "ilike.a\u{10ffff}%"), ("email", "like.a%")]
        {
            assert_eq!(key.list("/contacts", &[(field, pattern)]).page().total(), 1, "{field}={pattern}");
        }
    }
}
