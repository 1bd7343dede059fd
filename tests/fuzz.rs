//! A fuzzer that knows the OpenAPI document: random requests for every operation, with valid and invalid members.
//!
//! No request may cause a 5xx, and every answer has the envelope, the code and the schema that the document gives for
//! its status. 2,000 requests on each engine, 200,000 with `RELATA_LONG=1`. A failure prints its seed and its request,
//! and `RELATA_SEED=n bin/test fuzz` repeats them.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::support::document::{Document, Operation};
use crate::support::*;

stories![every_request_is_answered_as_documented];

fn every_request_is_answered_as_documented(world: &World) {
    let seed = seed();
    let mut dice = Dice::new(seed ^ 0xf022);
    world.set(&["--rate-limit", "1000000000"]);
    let key = world.key("full_access");
    let document = document::of(key.origin());
    let operations = document.operations();
    let mut ids: Vec<String> = vec![nobody()];
    let mut statuses: BTreeMap<u16, usize> = BTreeMap::new();
    for number in 0..share(2_000, 200_000) {
        let operation = &operations[dice.below(operations.len())];
        let path = address(&mut dice, document, operation, &ids);
        let mut request = key.request(&operation.method, &path);
        let body = body(&mut dice, document, operation);
        if let Some(body) = &body {
            request = request.body(body.clone());
        }
        if dice.one_in(40) {
            const TYPES: &[&str] = &["text/plain", "application/json; charset=utf-8", "", "x"];
            let kind: &&str = dice.pick(TYPES);
            request = request.header("Content-Type", kind);
        }
        let shown = body.map(|body| String::from_utf8_lossy(&body).into_owned()).unwrap_or_default();
        let what = format!("request {number} of seed {seed}: {} {path} {shown}", operation.method);
        // The harness says what is wrong with an answer; this prints the request.
        let _request = PrintOnPanic(&what);
        let answer = request.send();
        assert!(answer.status < 500, "{what}\n{answer}");
        *statuses.entry(answer.status).or_default() += 1;
        if let Some(id) = answer.json["data"]["id"].as_str() {
            ids.push(id.to_owned());
        }
        if ids.len() > 60 {
            ids.swap_remove(dice.below(30));
        }
    }
    println!("fuzzed: {statuses:?}");
    // A fuzzer whose requests are all refused tests nothing.
    for status in [200, 201, 400, 404] {
        assert!(statuses.contains_key(&status), "nothing was answered {status}: {statuses:?}");
    }
    world.check_integrity();
}

/// Prints the request if its answer fails the test.
struct PrintOnPanic<'a>(&'a str);

impl Drop for PrintOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("{}", self.0);
        }
    }
}

fn address(dice: &mut Dice, document: &Document, operation: &Operation, ids: &[String]) -> String {
    let id = match dice.below(12) {
        0 => encoded(&junk(dice)),
        1 => nobody(),
        2 => ids[dice.below(ids.len())].to_uppercase(),
        _ => ids[dice.below(ids.len())].clone(),
    };
    let mut path = operation.path_with(&id);
    let parameters = operation.description["parameters"].as_array().cloned().unwrap_or_default();
    let parameters = parameters.iter().map(|parameter| document.resolved(parameter).clone());
    let parameters: Vec<Value> = parameters.filter(|parameter| parameter["in"] == "query").collect();
    let mut query = Vec::new();
    for _ in 0..dice.below(4).min(parameters.len()) {
        let parameter = document.resolved(dice.pick(&parameters));
        query.push((text(&parameter["name"]), parameter_value(dice, document, parameter, &parameters)));
    }
    if dice.one_in(15) {
        query.push((junk(dice), junk(dice)));
    }
    for (number, (name, value)) in query.iter().enumerate() {
        path.push(if number == 0 { '?' } else { '&' });
        path.push_str(&format!("{}={}", encoded(name), encoded(value)));
    }
    path
}

fn parameter_value(dice: &mut Dice, document: &Document, parameter: &Value, all: &[Value]) -> String {
    if dice.one_in(6) {
        return junk(dice);
    }
    match parameter["name"].as_str().unwrap_or_default() {
        "or" | "and" | "not.or" | "not.and" => group(dice, all, 3),
        "sort" => {
            let words: Vec<String> = (0..1 + dice.below(3)).map(|_| filterable(dice, all).0).collect();
            words
                .iter()
                .map(|word| if dice.one_in(2) { format!("-{word}") } else { word.clone() })
                .collect::<Vec<_>>()
                .join(",")
        }
        "cursor" => dice.pick(&["", "AAAA", "W10", "bnVsbA"]).to_string(),
        "created_after" | "created_before" | "updated_after" | "updated_before" => random_time(dice),
        _ if parameter["x-operators"].is_array() => condition(dice, &strings(&parameter["x-operators"])),
        _ => {
            let value = valid(dice, document, &parameter["schema"], 0);
            value.as_str().map_or_else(|| value.to_string(), str::to_owned)
        }
    }
}

fn filterable(dice: &mut Dice, all: &[Value]) -> (String, Vec<String>) {
    let filters: Vec<&Value> = all.iter().filter(|parameter| parameter["x-operators"].is_array()).collect();
    match filters.is_empty() {
        true => ("id".to_owned(), vec!["eq".to_owned()]),
        false => {
            let filter = filters[dice.below(filters.len())];
            (text(&filter["name"]), strings(&filter["x-operators"]))
        }
    }
}

/// `or=(…)`, well formed or nearly so.
fn group(dice: &mut Dice, all: &[Value], depth: usize) -> String {
    let mut members = Vec::new();
    for _ in 0..1 + dice.below(3) {
        members.push(if depth > 0 && dice.one_in(3) {
            format!("{}{}", dice.pick(&["and", "or", "not.and", "not.or"]), group(dice, all, depth - 1))
        } else {
            let (name, operators) = filterable(dice, all);
            format!("{name}.{}", condition(dice, &operators))
        });
    }
    let close = if dice.one_in(20) { "" } else { ")" };
    format!("({}{close}", members.join(","))
}

fn condition(dice: &mut Dice, operators: &[String]) -> String {
    let operator = if dice.one_in(10) {
        dice.pick(&["eq", "cs", "like", "gt", "is", "in"]).to_string()
    } else {
        dice.pick(operators).clone()
    };
    let value = match operator.as_str() {
        "is" => dice.pick(&["null", "not_null", "maybe"]).to_string(),
        "in" => format!("({},{})", operand(dice), operand(dice)),
        "cs" | "ov" => format!("{{{},{}}}", operand(dice), operand(dice)),
        _ => operand(dice),
    };
    format!("{}{operator}.{value}", if dice.one_in(4) { "not." } else { "" })
}

fn operand(dice: &mut Dice) -> String {
    match dice.below(8) {
        0 => dice.below(90).to_string(),
        1 => random_time(dice),
        2 => dice.pick(&["true", "false", "new", "archived", "client", "global"]).to_string(),
        3 => format!("\"{}\"", junk(dice).replace('\\', "\\\\").replace('"', "\\\"")),
        4 => format!("{}%", dice.pick(&["a", "ж", "_", "\\_", ""])),
        5 => junk(dice),
        _ => dice.pick(&["Ada", "ada@example.com", "+1 555 0100", "Rust", "日本"]).to_string(),
    }
}

fn random_time(dice: &mut Dice) -> String {
    dice.pick(&[
        "2026-01-15",
        "2026-01-15T10:30:00Z",
        "2026-01-15T10:30:00.123+05:30",
        "9999-12-31T23:59:59Z",
        "2026-02-30",
        "0001-01-01T00:00:00Z",
        "now",
    ])
    .to_string()
}

/// Text that no client would send.
fn junk(dice: &mut Dice) -> String {
    const PIECES: &[&str] = &[
        "",
        "a",
        "Z",
        "é",
        "e\u{301}",
        "\u{0}",
        "\u{7f}",
        "\u{feff}",
        "\u{202e}",
        "😀",
        "\u{10ffff}",
        "日本",
        "'",
        "\"",
        "\\",
        "%",
        "_",
        "(",
        ")",
        "{",
        "}",
        ",",
        ".",
        "..",
        "/",
        "?",
        "#",
        "&",
        "=",
        ";",
        "--",
        "$1",
        "\n",
        "\r\n",
        "\t",
        " ",
        "null",
        "eq.",
        "not.",
        "9",
        "-1",
        "1e308",
        "NaN",
        "🇫🇷",
        "\u{1f468}\u{200d}\u{1f469}",
        "İ",
        "ß",
        "ǆ",
    ];
    match dice.below(20) {
        0 => "x".repeat(dice.below(12_000)),
        1 => "é".repeat(dice.below(300)),
        _ => (0..dice.below(6)).map(|_| *dice.pick(PIECES)).collect(),
    }
}

/// A body for the operation's schema: valid, with one invalid member, or none at all.
fn body(dice: &mut Dice, document: &Document, operation: &Operation) -> Option<Vec<u8>> {
    let schema = &operation.description["requestBody"]["content"]["application/json"]["schema"];
    if !schema.is_object() {
        return dice.one_in(10).then(|| dice.pick(&["{}", "", "null", "{\"a\":1}"]).as_bytes().to_vec());
    }
    if dice.one_in(25) {
        return None;
    }
    let mut body = valid(dice, document, schema, 0);
    for _ in 0..*dice.pick(&[0, 0, 0, 1, 1, 3]) {
        spoil(dice, &mut body);
    }
    let mut bytes = body.to_string().into_bytes();
    if dice.one_in(30) && !bytes.is_empty() {
        let at = dice.below(bytes.len());
        match dice.below(3) {
            0 => bytes.truncate(at),
            1 => bytes[at] = (dice.roll() & 0xff) as u8,
            _ => bytes.insert(at, *dice.pick(b"{}[],:\"\\\x00\xff")),
        }
    }
    Some(bytes)
}

/// A value that a schema allows.
fn valid(dice: &mut Dice, document: &Document, schema: &Value, depth: usize) -> Value {
    let schema = document.resolved(schema);
    for word in ["oneOf", "anyOf", "allOf"] {
        if let Some(some) = schema[word].as_array().filter(|some| !some.is_empty()) {
            let one = dice.pick(some);
            return valid(dice, document, one, depth + 1);
        }
    }
    if let Some(words) = schema["enum"].as_array().filter(|words| !words.is_empty()) {
        return dice.pick(words).clone();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) if !kinds.is_empty() => dice.pick(kinds).clone(),
        other => other.clone(),
    };
    match kind.as_str() {
        Some("object") => {
            let mut object = Map::new();
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            for (name, member) in schema["properties"].as_object().into_iter().flatten() {
                // Two members that are rarely valid: one refers to a record, the other is set by the service.
                let seldom = name == "company_id" || name == "archived_at";
                if required.contains(&json!(name)) || dice.one_in(if seldom { 20 } else { 3 }) {
                    object.insert(name.clone(), valid(dice, document, member, depth + 1));
                }
            }
            Value::Object(object)
        }
        Some("array") if depth < 6 => {
            let count = dice.below(4);
            (0..count).map(|_| valid(dice, document, &schema["items"], depth + 1)).collect()
        }
        Some("array") => json!([]),
        Some("integer") => {
            let least = schema["minimum"].as_i64().unwrap_or(-5);
            let most = schema["maximum"].as_i64().unwrap_or(1_000);
            json!(least + dice.below((most - least + 1) as usize) as i64)
        }
        Some("number") => json!(dice.below(100_000) as f64 / 100.0),
        Some("boolean") => json!(dice.one_in(2)),
        Some("string") => json!(valid_text(dice, schema)),
        _ => Value::Null,
    }
}

fn valid_text(dice: &mut Dice, schema: &Value) -> String {
    match schema["format"].as_str() {
        Some("idn-email" | "email") => format!("{}@example.com", dice.pick(&["ada", "Béla", "x.y+z", "ж"])),
        Some("iri" | "uri") => format!("https://example.com/{}", dice.pick(&["in/ada", "ж", "?a=b#c"])),
        Some("date-time") => "2026-01-15T10:30:00.000Z".to_owned(),
        Some("uuid") => nobody(),
        _ if schema["pattern"].is_string() => "#a1B2c3".to_owned(),
        _ => {
            let most = schema["maxLength"].as_u64().unwrap_or(300) as usize;
            match dice.below(6) {
                0 => "é".repeat(most),
                1 => "😀".repeat(most.min(200)),
                2 => format!("5{}", junk(dice)).replace('\0', "0").chars().take(most).collect(),
                _ => dice.pick(&["Ada", "Lovelace 1", "日本 1", "VIP", "+1 555 0100", "ß 1"]).to_string(),
            }
        }
    }
}

/// Makes one member of a body invalid: another type, too long, unknown, missing, nested.
fn spoil(dice: &mut Dice, body: &mut Value) {
    let odd = match dice.below(12) {
        0 => Value::Null,
        1 => json!(dice.roll()),
        2 => json!(-1.5e300),
        3 => json!(junk(dice)),
        4 => json!([junk(dice), 1, null]),
        5 => json!({ junk(dice): junk(dice) }),
        6 => json!("x".repeat(20_000)),
        7 => (0..300).map(|number| json!(format!("item {number}"))).collect(),
        8 => (0..60).fold(json!(1), |inner, _| json!([inner])),
        9 => json!([{"email": "ada@example.com", "type": "x"}, {"phone": "1", "more": 1}]),
        10 => json!(true),
        _ => json!(""),
    };
    match body {
        Value::Object(object) => {
            let names: Vec<String> = object.keys().cloned().collect();
            if names.is_empty() || dice.one_in(6) {
                object.insert(junk(dice), odd);
            } else {
                let name = dice.pick(&names).clone();
                match dice.below(8) {
                    0 => drop(object.remove(&name)),
                    1 | 2 if object[&name].is_object() || object[&name].is_array() => spoil(dice, &mut object[&name]),
                    _ => drop(object.insert(name, odd)),
                }
            }
        }
        Value::Array(items) if !items.is_empty() && !dice.one_in(4) => {
            let at = dice.below(items.len());
            spoil(dice, &mut items[at]);
        }
        other => *other = odd,
    }
}
