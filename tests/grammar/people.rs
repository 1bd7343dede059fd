//! Random people: names in many scripts, special characters in values, many shared and many missing values.

use serde_json::{Value, json};

use super::model::{LEVELS, PERKS};
use crate::support::*;

/// Words that are related in every way: case, accent, script, prefix, wildcards, and the grammar's own syntax.
pub(super) const WORDS: &[&str] = &[
    "ada",
    "Ada",
    "ADA",
    "adam",
    "Béla",
    "béla",
    "bela",
    "BÉLA",
    "Be\u{301}la",
    "straße",
    "STRASSE",
    "STRAẞE",
    "İpek",
    "ipek",
    "ıpek",
    "Ipek",
    "ΣΊΣΥΦΟΣ",
    "Σίσυφος",
    "σίσυφοσ",
    "ϑήτα",
    "ΘΉΤΑ",
    "Жанна",
    "ЖАННА",
    "жанна",
    "Ёлка",
    "ёлка",
    "Արամ",
    "ԱՐԱՄ",
    "Ნინო",
    "ნინო",
    "ᎠᏂ",
    "ꭰꮒ",
    "𐐀𐐂",
    "𐐨𐐪",
    "田中",
    "田中 花子",
    "김",
    "عمر",
    "רות",
    "สมชาย",
    "अनु",
    "😀",
    "😀😁",
    "50%",
    "a_b",
    "aXb",
    "x\\y",
    "x\\\\y",
    "a,b",
    "(a)",
    "{a}",
    "[a]",
    "a*",
    "a?c",
    "[!a]",
    "say \"hi\"",
    "\"quoted\"",
    "\"",
    "O'Neil",
    "'; DROP TABLE contacts; --",
    "not.eq.x",
    "eq.x",
    "null",
    "true",
    "0",
    "-1",
    "a.b",
    "like.%",
    "a\u{a0}b",
    "a\u{10ffff}b",
    "ſam",
    "sam",
    "µ",
    "Μ",
    "a&b=c",
    "a+b",
    "#",
    "$1",
    "?",
];

const SKILLS: &[&str] =
    &["Rust", "rust", "SQL", "C, C++", "Жук", "жук", "say \"hi\"", "{x}", "a\\b", "日本語", "Straße", "50%"];
pub(super) const TAGS: &[&str] =
    &["VIP", "vip", "Кандидат", "New York, NY", "(x)", "{y}", "\"z\"", "a\\b", "Σ", "ς", "tag 11"];
const HOSTS: &[&str] = &["example.com", "Example.org", "EXAMPLE.net", "exämple.com"];
const LOCALS: &[&str] = &["ada", "Ada", "adam", "zoë", "ZOË", "a_b", "a%b", "x.y", "ж", "Ж"];
const PHONES: &[&str] =
    &["+33 6 12 34 56 78", "0033612345678", "06.12.34.56.78", "(555) 0100", "5550100", "555-0199 x7"];

fn word(dice: &mut Dice) -> String {
    match dice.below(8) {
        0 => format!("{} {}", dice.pick(WORDS), dice.pick(WORDS)),
        1 => (0..1 + dice.below(5)).map(|_| *dice.pick(LETTERS)).collect(),
        _ => (*dice.pick(WORDS)).to_owned(),
    }
}

/// Letters that no name contains, in any order.
const LETTERS: &[char] = &[
    'a',
    'A',
    'é',
    'É',
    'ß',
    'ẞ',
    'ſ',
    's',
    'S',
    'K',
    '\u{212a}',
    'å',
    '\u{212b}',
    'i',
    'I',
    'İ',
    'ı',
    'σ',
    'ς',
    'Σ',
    'ж',
    'Ж',
    'Ꭰ',
    'ꭰ',
    '𐐀',
    '𐐨',
    '日',
    'א',
    '😀',
    '%',
    '_',
    '\\',
    '"',
    '\'',
    ',',
    '(',
    ')',
    '{',
    '}',
    '[',
    ']',
    '^',
    '*',
    '?',
    '!',
    '-',
    '.',
    ':',
    ';',
    '/',
    '&',
    '=',
    '+',
    '#',
    '~',
    '\u{301}',
    '\u{308}',
    '\u{10ffff}',
    '\u{e000}',
    '\u{ffff}',
    'Ǆ',
    'ǅ',
    'ǆ',
];

fn some(dice: &mut Dice, from: &[&str], most: usize) -> Vec<String> {
    (0..dice.below(most + 1)).map(|_| (*dice.pick(from)).to_owned()).collect()
}

/// A person with later changes; `summary` identifies them on both engines.
pub(super) fn someone(dice: &mut Dice, number: usize) -> Value {
    let mut body = json!({"first_name": word(dice), "summary": format!("Person {number:05}")});
    for name in ["last_name", "title", "current_company", "location"] {
        if !dice.one_in(4) {
            body[name] = json!(word(dice));
        }
    }
    if dice.one_in(2) {
        let hosts = ["https://network.example.com", "http://Network.Example.com"];
        body["network_profile"] =
            json!(format!("{}/in/{}", dice.pick(&hosts), dice.pick(&["ada", "Ada", "ж", "a_b", "a%25"])));
    }
    body["tags"] = json!(some(dice, TAGS, 3));
    body["skills"] = json!(some(dice, SKILLS, 4));
    body["languages"] = json!(some(dice, &["en", "EN", "fr", "Ελληνικά", "ΕΛΛΗΝΙΚΆ"], 2));
    if !dice.one_in(3) {
        body["years_experience"] = json!(dice.below(6) * dice.below(17));
    }
    let emails: Vec<Value> = (0..dice.below(4))
        .map(|at| json!({"email": format!("{}{at}@{}", dice.pick(LOCALS), dice.pick(HOSTS))}))
        .collect();
    body["emails"] = json!(emails);
    body["phones"] = json!(some(dice, PHONES, 3).into_iter().map(|phone| json!({"phone": phone})).collect::<Vec<_>>());
    body["global_status"] = json!(dice.pick(&["new", "new", "contacted", "replied", "qualified", "archived"]));
    body["contact_type"] = json!(dice.pick(&["candidate", "candidate", "client", "prospect", "other"]));
    body["do_not_contact"] = json!(dice.one_in(3));
    body["custom_data"] = custom(dice);
    let after = match dice.below(6) {
        0 => json!({"title": word(dice)}),
        1 => json!({"global_status": "archived"}),
        2 => json!({"last_name": null}),
        _ => Value::Null,
    };
    json!({"body": body, "after": after})
}

/// Values of custom fields: some, none, or nearly equal ones.
fn custom(dice: &mut Dice) -> Value {
    let mut data = json!({});
    if dice.one_in(2) {
        data["nick"] = json!(word(dice));
    }
    if !dice.one_in(3) {
        data["score"] = json!(dice.below(12) as i64 - 4);
    }
    if dice.one_in(2) {
        data["remote"] = json!(dice.one_in(2));
    }
    if dice.one_in(2) {
        data["since"] = json!(format!("20{:02}-0{}-1{}", dice.below(30), 1 + dice.below(9), dice.below(9)));
    }
    if dice.one_in(2) {
        data["level"] = json!(dice.pick(LEVELS));
    }
    data["perks"] = json!(some(dice, PERKS, 3));
    data
}

/// A record with its custom values as top-level members, as the model expects them.
pub(super) fn spread(mut row: Value) -> Value {
    for name in ["nick", "score", "remote", "since", "level"] {
        row[format!("custom_data.{name}")] = row["custom_data"][name].clone();
    }
    let perks = row["custom_data"]["perks"].clone();
    row["custom_data.perks"] = if perks.is_null() { json!([]) } else { perks };
    row
}

/// One of thousands with few distinct values, so that each value matches more than a thousand of them.
pub(super) fn one_of_many(dice: &mut Dice, number: usize) -> Value {
    let mut person = someone(dice, number);
    let body = &mut person["body"];
    if !dice.one_in(4) {
        body["first_name"] = json!(dice.pick(&["Ada", "ADA", "ada"]));
        body["location"] = json!(dice.pick(&["Paris", "PARIS", "paris"]));
        body["current_company"] = json!(dice.pick(&["Example Ltd", "EXAMPLE LTD", "Example GmbH"]));
        body["skills"] = json!(["Rust", dice.pick(SKILLS)]);
        body["tags"] = json!([dice.pick(&["VIP", "vip"]), dice.pick(TAGS)]);
        body["emails"] =
            json!([{"email": "team@example.com"}, {"email": format!("team{}@example.com", dice.below(9))}]);
        body["global_status"] = json!(dice.pick(&["new", "new", "new", "archived"]));
        body["custom_data"]["score"] = json!(dice.below(2));
        body["custom_data"]["nick"] = json!(dice.pick(&["Ada", "ada", "Béla"]));
    }
    person["after"] = Value::Null;
    person
}

/// Creates a person on an engine.
pub(super) fn create(key: &Client, person: &Value) {
    let created = key.post("/contacts", person["body"].clone()).created();
    if !person["after"].is_null() {
        key.put(&format!("/contacts/{}", text(&created["id"])), person["after"].clone()).ok();
    }
}

/// The parts of a record that do not depend on when and where it was created.
pub(super) fn lasting(row: &Value) -> Value {
    let mut row = row.clone();
    for name in ["id", "created_at", "updated_at"] {
        row[name] = Value::Null;
    }
    row["archived_at"] = json!(!row["archived_at"].is_null());
    row
}

/// A change of the person with this number, or of a tag.
#[derive(Debug)]
pub(super) enum Change {
    Update(usize, Value),
    Archive(usize),
    Attach(usize, &'static str),
    Detach(usize, &'static str),
    Rename(&'static str, String),
    Delete(&'static str),
}

pub(super) fn change(dice: &mut Dice, people: usize) -> Change {
    let (person, tag) = (dice.below(people), *dice.pick(TAGS));
    match dice.below(9) {
        0 => Change::Update(person, json!({"first_name": word(dice), "title": null})),
        1 => Change::Update(
            person,
            json!({"tags": some(dice, TAGS, 3), "email": format!("{}@example.com", dice.pick(LOCALS))}),
        ),
        2 => Change::Update(person, json!({"archived_at": null, "skills": some(dice, SKILLS, 3)})),
        3 if dice.one_in(2) => Change::Update(person, json!({"custom_data": custom(dice)})),
        3 => Change::Update(
            person,
            json!({"global_status": dice.pick(&["new", "replied", "archived"]), "years_experience": null}),
        ),
        4 => Change::Archive(person),
        5 => Change::Attach(person, tag),
        6 => Change::Detach(person, tag),
        7 => Change::Rename(tag, format!("tag {}", dice.below(30))),
        _ => Change::Delete(tag),
    }
}

/// Applies a change on an engine. Its outcome depends on the stored state, which is the same on both.
pub(super) fn undergo(key: &Client, rows: &[Value], change: &Change) {
    let path = |person: &usize| {
        let summary = format!("Person {person:05}");
        let row = rows.iter().find(|row| row["summary"] == summary.as_str());
        format!("/contacts/{}", text(&row.unwrap_or_else(|| panic!("{summary} is gone"))["id"]))
    };
    let tag = |name: &str| {
        let tags =
            key.list("/tags", &[("limit", "100"), ("name", &format!("ilike.{}", name.replace('\\', "\\\\")))]).page();
        tags.ids().first().cloned()
    };
    match change {
        Change::Update(person, body) => {
            let answer = key.put(&path(person), body.clone());
            // A sixth email is refused.
            assert!([200, 400].contains(&answer.status), "{answer}");
        }
        Change::Archive(person) => {
            key.delete(&path(person)).ok();
        }
        Change::Attach(person, name) => {
            let answer = key.post(&format!("{}/tags", path(person)), json!({"name": name}));
            assert!([200, 201].contains(&answer.status), "{answer}");
        }
        Change::Detach(person, name) => {
            let answer = key.delete(&format!("{}/tags?name={}", path(person), encoded(name)));
            assert!([200, 404].contains(&answer.status), "{answer}");
        }
        Change::Rename(from, to) => {
            if let Some(id) = tag(from) {
                let answer = key.put(&format!("/tags/{id}"), json!({"name": to}));
                assert!([200, 400].contains(&answer.status), "{answer}");
            }
        }
        Change::Delete(name) => {
            if let Some(id) = tag(name) {
                key.delete(&format!("/tags/{id}")).ok();
            }
        }
    }
}

/// A tag with a unique name.
pub(super) fn tag(dice: &mut Dice, number: usize) -> Value {
    let mut tag =
        json!({"name": format!("{} {number}", word(dice)), "scope": dice.pick(&["global", "contact", "deal"])});
    if dice.one_in(2) {
        tag["color"] = json!(dice.pick(&["#aabbcc", "#AABBCC", "#00ff00"]));
    }
    tag
}
