//! Random questions about random contacts, answered twice: by the service, and by a model that is too plain to be wrong.
//!
//! The model knows no database: it looks at every row as the interface describes it. Both engines are held to it, and so
//! to each other. A failure names its seed; `RELATA_SEED=n bin/test model` plays that one again.

use std::cmp::Ordering;

use serde_json::{Value, json};

use crate::support::*;

stories![random_questions_are_answered_as_by_the_model];

/// Splitmix64: enough chance for a test, and the same for ever.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.roll() % bound as u64) as usize
    }

    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }
}

/// Words that meet in every way: case, script, accent, prefix, wildcards, quotes, what the grammar itself is made of.
const WORDS: [&str; 22] = [
    "ada",
    "Ada",
    "ADA",
    "adam",
    "Béla",
    "béla",
    "bela",
    "BÉLA",
    "Жанна",
    "жанна",
    "50%",
    "a_b",
    "aXb",
    "x\\y",
    "a,b",
    "(a)",
    "{a}",
    "say \"hi\"",
    "not.eq.x",
    "null",
    "日本",
    "zoë zebra",
];

const STATUSES: [&str; 5] = ["new", "contacted", "replied", "qualified", "archived"];
const KINDS: [&str; 4] = ["candidate", "client", "prospect", "other"];
const TEXTS: [&str; 5] = ["first_name", "last_name", "title", "current_company", "location"];
const LISTS: [&str; 3] = ["tags", "skills", "languages"];
const SORTS: [&str; 8] = [
    "created_at",
    "updated_at",
    "first_name",
    "last_name",
    "title",
    "current_company",
    "years_experience",
    "last_contacted_at",
];

fn random_contact(dice: &mut Dice) -> Value {
    let mut contact = json!({"first_name": dice.pick(&WORDS)});
    for name in &TEXTS[1..] {
        if !dice.one_in(4) {
            contact[*name] = json!(dice.pick(&WORDS));
        }
    }
    for name in LISTS {
        let items: Vec<&str> =
            (0..dice.below(4)).map(|_| dice.pick(&["Rust", "rust", "SQL", "C, C++", "Жук", "жук"])).collect();
        contact[name] = json!(items);
    }
    if !dice.one_in(3) {
        contact["years_experience"] = json!(dice.below(6));
    }
    let hosts = ["example.com", "Example.org", "example.net"];
    let emails: Vec<Value> = (0..dice.below(3))
        .map(|number| json!({"email": format!("{}{number}@{}", dice.pick(&["ada", "Ada", "zoe"]), dice.pick(&hosts))}))
        .collect();
    contact["emails"] = json!(emails);
    contact["global_status"] = json!(dice.pick(&STATUSES));
    contact["contact_type"] = json!(dice.pick(&KINDS));
    contact["do_not_contact"] = json!(dice.one_in(3));
    contact
}

/// A question about a row: a condition on a field, or several joined.
enum Question {
    Field { field: String, negated: bool, operator: &'static str, operands: Vec<String> },
    All { negated: bool, of: Vec<Question> },
    Any { negated: bool, of: Vec<Question> },
}

fn random_question(dice: &mut Dice, rows: &[Value], depth: usize) -> Question {
    if depth > 0 && dice.one_in(3) {
        let of = (0..1 + dice.below(3)).map(|_| random_question(dice, rows, depth - 1)).collect();
        let negated = dice.one_in(4);
        return if dice.one_in(2) { Question::All { negated, of } } else { Question::Any { negated, of } };
    }
    let negated = dice.one_in(4);
    let field =
        |field: &str, operator, operands| Question::Field { field: field.to_owned(), negated, operator, operands };
    let null = |dice: &mut Dice| vec![dice.pick(&["null", "not_null"]).to_owned()];
    match dice.below(7) {
        0 | 1 => {
            let name = dice.pick(&TEXTS);
            let operator = dice.pick(&["eq", "neq", "gt", "gte", "lt", "lte", "in", "like", "ilike", "is"]);
            let operands = match operator {
                "is" => null(dice),
                "in" => (0..1 + dice.below(4)).map(|_| dice.pick(&WORDS).to_owned()).collect(),
                "like" | "ilike" => vec![random_pattern(dice)],
                _ => vec![dice.pick(&WORDS).to_owned()],
            };
            field(name, operator, operands)
        }
        2 => {
            let operator = dice.pick(&["eq", "neq", "gt", "gte", "lt", "lte", "in", "is"]);
            let operands = match operator {
                "is" => null(dice),
                "in" => (0..1 + dice.below(3)).map(|_| dice.below(7).to_string()).collect(),
                _ => vec![dice.below(7).to_string()],
            };
            field("years_experience", operator, operands)
        }
        3 => {
            let (name, values): (&str, &[&str]) = dice.pick(&[
                ("global_status", &STATUSES[..]),
                ("contact_type", &KINDS[..]),
                ("do_not_contact", &["true", "false"][..]),
            ]);
            let operator = dice.pick(&["eq", "neq", "in"]);
            let count = if operator == "in" { 1 + dice.below(3) } else { 1 };
            field(name, operator, (0..count).map(|_| dice.pick(values).to_owned()).collect())
        }
        4 => {
            let operator = dice.pick(&["eq", "neq", "gt", "gte", "lt", "lte"]);
            let name = dice.pick(&["created_at", "updated_at", "archived_at"]);
            field(name, operator, vec![text(&dice.pick(rows)["created_at"])])
        }
        5 => {
            // Without `not`: whether an empty list is null to it is nobody's business.
            let operator = dice.pick(&["cs", "ov", "is"]);
            let operands = match operator {
                "is" => null(dice),
                _ => (0..1 + dice.below(2))
                    .map(|_| dice.pick(&["RUST", "sql", "c, c++", "ЖУК", "go"]).to_owned())
                    .collect(),
            };
            Question::Field { field: dice.pick(&LISTS).to_owned(), negated: false, operator, operands }
        }
        _ => {
            let operator = dice.pick(&["eq", "like", "ilike", "in", "is"]);
            let operands = match operator {
                "is" => null(dice),
                "eq" | "in" => {
                    vec![dice.pick(&["ADA0@example.com", "zoe0@example.org", "ada1@EXAMPLE.net"]).to_owned()]
                }
                _ => vec![dice.pick(&["%@example.com", "ADA%", "%ORG", "zoe_@example.___"]).to_owned()],
            };
            Question::Field { field: "email".to_owned(), negated: false, operator, operands }
        }
    }
}

fn random_pattern(dice: &mut Dice) -> String {
    let pieces = ["%", "_", "a", "A", "é", "Ж", "ж", "\\%", "\\_", "\\\\", "b", "da", "%", "л"];
    (0..1 + dice.below(4)).map(|_| dice.pick(&pieces)).collect()
}

impl Question {
    /// As one entry of a query string.
    fn parameter(&self) -> (String, String) {
        let not = |negated: &bool| if *negated { "not." } else { "" };
        match self {
            Question::Field { field, negated, operator, operands } => {
                (field.clone(), format!("{}{operator}.{}", not(negated), operand(operator, operands)))
            }
            Question::All { negated, of } => (format!("{}and", not(negated)), nested(of)),
            Question::Any { negated, of } => (format!("{}or", not(negated)), nested(of)),
        }
    }

    /// As it stands inside of `or=(…)`.
    fn inside(&self) -> String {
        let (name, rest) = self.parameter();
        match self {
            Question::Field { .. } => format!("{name}.{rest}"),
            _ => format!("{name}{rest}"),
        }
    }

    /// What the model says: yes, no, or neither, as SQL has it.
    fn holds(&self, row: &Value) -> Option<bool> {
        let (negated, answer) = match self {
            Question::Field { field, negated, operator, operands } => {
                (negated, field_holds(row, field, operator, operands))
            }
            Question::All { negated, of } => (negated, all(of.iter().map(|one| one.holds(row)))),
            Question::Any { negated, of } => {
                (negated, all(of.iter().map(|one| one.holds(row).map(|yes| !yes))).map(|none| !none))
            }
        };
        answer.map(|yes| yes != *negated)
    }
}

fn nested(questions: &[Question]) -> String {
    let inner: Vec<String> = questions.iter().map(Question::inside).collect();
    format!("({})", inner.join(","))
}

/// The value of a condition, every item in quotes, where anything may stand.
fn operand(operator: &str, operands: &[String]) -> String {
    let quoted: Vec<String> =
        operands.iter().map(|it| format!("\"{}\"", it.replace('\\', "\\\\").replace('"', "\\\""))).collect();
    match operator {
        "is" => operands.concat(),
        "in" => format!("({})", quoted.join(",")),
        "cs" | "ov" => format!("{{{}}}", quoted.join(",")),
        _ => quoted.concat(),
    }
}

/// And of three values: one no makes a no, else one neither makes a neither.
fn all(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let answers: Vec<Option<bool>> = answers.collect();
    if answers.contains(&Some(false)) {
        return Some(false);
    }
    if answers.contains(&None) { None } else { Some(true) }
}

fn fold(text: &str) -> String {
    text.to_lowercase()
}

fn field_holds(row: &Value, field: &str, operator: &str, operands: &[String]) -> Option<bool> {
    if LISTS.contains(&field) {
        let items: Vec<String> = strings(&row[field]).iter().map(|item| fold(item)).collect();
        return Some(match operator {
            "cs" => operands.iter().all(|wanted| items.contains(&fold(wanted))),
            "ov" => operands.iter().any(|wanted| items.contains(&fold(wanted))),
            _ => items.is_empty() == (operands[0] == "null"),
        });
    }
    if field == "email" {
        let emails: Vec<String> = member(&row["emails"], "email").iter().map(|it| fold(it)).collect();
        return Some(match operator {
            "is" => emails.is_empty() == (operands[0] == "null"),
            "eq" | "in" => operands.iter().any(|wanted| emails.contains(&fold(wanted))),
            _ => emails.iter().any(|email| matches(&fold(&operands[0]), email)),
        });
    }
    let value = &row[field];
    if operator == "is" {
        return Some(value.is_null() == (operands[0] == "null"));
    }
    if value.is_null() {
        return None;
    }
    let is_text = TEXTS.contains(&field);
    let plain = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let order = |other: &String| match (value.as_i64(), other.parse::<i64>()) {
        (Some(number), Ok(other)) => number.cmp(&other),
        _ if is_text => fold(&plain).cmp(&fold(other)),
        _ => plain.cmp(other),
    };
    let first = &operands[0];
    Some(match operator {
        "eq" => plain == *first,
        "neq" => plain != *first,
        "in" => operands.contains(&plain),
        "gt" => order(first) == Ordering::Greater,
        "gte" => order(first) != Ordering::Less,
        "lt" => order(first) == Ordering::Less,
        "lte" => order(first) != Ordering::Greater,
        "like" => matches(first, &plain),
        "ilike" => matches(&fold(first), &fold(&plain)),
        other => panic!("the model does not know {other}"),
    })
}

/// Whether a text is as the pattern says: `%` any run, `_` one character, `\` takes the next as it is.
fn matches(pattern: &str, text: &str) -> bool {
    let mut letters = pattern.chars();
    match letters.next() {
        None => text.is_empty(),
        Some('%') => {
            let rest = letters.as_str();
            matches(rest, text) || text.chars().next().is_some_and(|first| matches(pattern, &text[first.len_utf8()..]))
        }
        Some(letter) => {
            let wanted = if letter == '\\' { letters.next() } else { Some(letter) };
            let mut given = text.chars();
            let first = given.next();
            let fits = if letter == '_' { first.is_some() } else { first.is_some() && first == wanted };
            fits && matches(letters.as_str(), given.as_str())
        }
    }
}

/// The order of two rows under a sort: nulls last both ways, the id in the direction of the last field.
fn sorted(one: &Value, other: &Value, sort: &[(&str, bool)]) -> Ordering {
    for (field, down) in sort {
        let (a, b) = (&one[*field], &other[*field]);
        let order = match (a.is_null(), b.is_null()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) => {
                let order = match (a.as_i64(), b.as_i64()) {
                    (Some(a), Some(b)) => a.cmp(&b),
                    _ => fold(&text(a)).cmp(&fold(&text(b))),
                };
                if *down { order.reverse() } else { order }
            }
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    let order = text(&one["id"]).cmp(&text(&other["id"]));
    if sort.last().is_some_and(|(_, down)| *down) { order.reverse() } else { order }
}

fn random_questions_are_answered_as_by_the_model(world: &World) {
    let long = std::env::var_os("RELATA_LONG").is_some();
    let given = std::env::var("RELATA_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = given.unwrap_or_else(|| u64::from(std::process::id()));
    let mut dice = Dice(seed);
    world.set(&["--rate-limit", "100000000"]);
    let key = world.key("crm");
    for _ in 0..80 {
        let contact = key.post("/contacts", random_contact(&mut dice)).created();
        if dice.one_in(4) {
            key.put(&format!("/contacts/{}", text(&contact["id"])), json!({"title": dice.pick(&WORDS)})).ok();
        }
    }
    let rows = key.list("/contacts", &[("limit", "100")]).page().rows;
    assert_eq!(rows.len(), 80);
    for number in 0..if long { 20_000 } else { 400 } {
        ask(&key, &rows, &mut dice, &format!("question {number} of seed {seed}"));
    }
}

#[track_caller]
fn ask(key: &Client, rows: &[Value], dice: &mut Dice, which: &str) {
    let questions: Vec<Question> = (0..1 + dice.below(3)).map(|_| random_question(dice, rows, 2)).collect();
    let sort: Vec<(&str, bool)> = (0..1 + dice.below(2)).map(|_| (dice.pick(&SORTS), dice.one_in(2))).collect();
    let mut expected: Vec<&Value> =
        rows.iter().filter(|row| all(questions.iter().map(|one| one.holds(row))) == Some(true)).collect();
    expected.sort_by(|one, other| sorted(one, other, &sort));
    let expected: Vec<String> = expected.iter().map(|row| text(&row["id"])).collect();

    let sort: Vec<String> =
        sort.iter().map(|(field, down)| format!("{}{field}", if *down { "-" } else { "" })).collect();
    let mut parameters: Vec<(String, String)> = questions.iter().map(Question::parameter).collect();
    parameters.push(("sort".to_owned(), sort.join(",")));
    let with = |more: &[(&str, &str)]| {
        let own = parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let all: Vec<(&str, &str)> = own.chain(more.iter().copied()).collect();
        key.list("/contacts", &all)
    };

    let (limit, offset) = ((1 + dice.below(100)).to_string(), dice.below(30));
    let answer = with(&[("limit", &limit), ("offset", &offset.to_string())]);
    let page = answer.page();
    let wanted: Vec<String> = expected.iter().skip(offset).take(limit.parse().unwrap_or(1)).cloned().collect();
    if page.total() as usize != expected.len() {
        let whole = with(&[("limit", "100")]).page();
        let given = whole.ids();
        let odd = rows.iter().filter(|row| {
            let id = text(&row["id"]);
            given.contains(&id) != expected.contains(&id)
        });
        let odd: Vec<String> = odd.map(Value::to_string).collect();
        panic!(
            "{which}, {parameters:?}: {} found, {} expected, they differ in\n{}",
            page.total(),
            expected.len(),
            odd.join("\n")
        );
    }
    assert_eq!(page.ids(), wanted, "{which}, {parameters:?}");

    if dice.one_in(5) {
        let (mut seen, mut cursor) = (Vec::new(), Some(String::new()));
        while let Some(place) = cursor {
            let page = with(&[("limit", &limit), ("cursor", &place)]).page();
            seen.extend(page.ids());
            cursor = page.next();
        }
        assert_eq!(seen, expected, "the walk of {which}, {parameters:?}");
    }
}
