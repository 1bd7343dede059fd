//! The largest bodies that an operation accepts, and larger ones.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Index, Range};

use serde_json::{Map, Value, json};

use crate::support::*;

/// A kind of text that may take long to process.
#[derive(Clone, Copy, Debug)]
pub(super) enum Flavour {
    /// Many different words.
    Words,
    /// Letters without a space: as many different trigrams as possible.
    Letters,
    /// Three bytes each, and each a word.
    Ideographs,
    /// Letters that grow when their case is folded, with long runs of combining marks.
    Marks,
    /// Nested elements.
    Html,
    /// Expressions of a template.
    Template,
    /// Characters with a meaning in patterns.
    Pattern,
    /// Almost only space.
    Space,
}

impl Flavour {
    pub(super) const ALL: &[Flavour] = &[
        Flavour::Words,
        Flavour::Letters,
        Flavour::Ideographs,
        Flavour::Marks,
        Flavour::Html,
        Flavour::Template,
        Flavour::Pattern,
        Flavour::Space,
    ];
}

/// A new text with this many characters.
pub(super) fn fill(flavour: Flavour, length: usize) -> String {
    thread_local!(static SEED: Cell<u64> = const { Cell::new(0) });
    let mut dice = Dice::new(SEED.replace(SEED.get() + 1));
    let letter = |dice: &mut Dice| char::from(b'a' + dice.below(26) as u8);
    let (mut text, mut count) = (String::new(), 0);
    let mut push = |text: &mut String, piece: &str| {
        text.push_str(piece);
        count += piece.chars().count();
        count
    };
    loop {
        let piece = match flavour {
            Flavour::Words => (0..2 + dice.below(5)).map(|_| letter(&mut dice)).chain([' ']).collect(),
            Flavour::Letters => letter(&mut dice).to_string(),
            Flavour::Ideographs => char::from_u32(0x4e00 + dice.below(20_000) as u32).into_iter().collect(),
            Flavour::Marks if dice.one_in(200) => "ﬃİßǅ".to_owned(),
            Flavour::Marks => char::from_u32(0x300 + dice.below(0x40) as u32).into_iter().collect(),
            Flavour::Html => "<ul><li>".to_owned(),
            Flavour::Template => "{{ first_name }} ".to_owned(),
            Flavour::Pattern => (*dice.pick(&["%", "_", "\\", "(a+)+$", "*", "[^", "'", "\""])).to_owned(),
            Flavour::Space if dice.one_in(500) => letter(&mut dice).to_string(),
            Flavour::Space => (*dice.pick(&[" ", "\u{3000}", "\u{a0}"])).to_owned(),
        };
        if push(&mut text, &piece) >= length.min(UNBOUNDED) {
            break;
        }
    }
    // A longer text repeats its beginning, since it is slow to make.
    if length > UNBOUNDED {
        text = text.repeat(length / UNBOUNDED + 1);
    }
    if let Some((end, _)) = text.char_indices().nth(length) {
        text.truncate(end);
    }
    match flavour {
        // Spaces at the ends would be trimmed.
        Flavour::Space if length > 2 => format!("a{}b", text.chars().take(length - 2).collect::<String>()),
        // A cut expression would be invalid.
        Flavour::Template => {
            let whole = text.rfind("}}").map_or(0, |end| end + 2);
            format!("{}{}", &text[..whole], "x".repeat(length - text[..whole].chars().count()))
        }
        _ => text,
    }
}

/// The length of a text without a documented limit.
const UNBOUNDED: usize = 60_000;
/// The length of a list without a documented limit: if there is one, the error says so.
const UNCOUNTED: usize = 1000;

/// Records that bodies can refer to, by member.
#[derive(Clone, Default)]
pub(super) struct Names {
    known: BTreeMap<&'static str, Vec<String>>,
    /// Members of bodies for which there is no record.
    missing: RefCell<BTreeSet<String>>,
}

impl Names {
    pub(super) fn insert(&mut self, member: &'static str, ids: Vec<String>) {
        self.known.insert(member, ids);
    }

    pub(super) fn remove(&mut self, member: &str) {
        self.known.remove(member);
    }

    /// The records for a member with one id or with many.
    fn of(&self, member: &str) -> Option<&[String]> {
        let ids = self.known.get(member).or_else(|| self.known.get(member.trim_end_matches('s')));
        if ids.is_none() {
            self.missing.borrow_mut().insert(member.to_owned());
        }
        ids.map(Vec::as_slice)
    }

    /// The members for which there was no record.
    pub(super) fn missing(&self) -> BTreeSet<String> {
        self.missing.take()
    }
}

impl Index<&str> for Names {
    type Output = Vec<String>;

    fn index(&self, member: &str) -> &Vec<String> {
        &self.known[member]
    }
}

/// The largest value that a schema allows, for a member of this name.
pub(super) fn largest(schema: &Value, name: &str, flavour: Flavour, names: &Names) -> Option<Value> {
    if schema["readOnly"] == true {
        return None;
    }
    if let Some(words) = schema["enum"].as_array() {
        return words.iter().find(|word| !word.is_null()).cloned();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.first().cloned().unwrap_or_default(),
        kind => kind.clone(),
    };
    Some(match kind.as_str()? {
        "object" if name == "custom_data" => custom_data(flavour),
        "object" if name == "custom_variables" => {
            (1..=10).map(|n| (format!("custom_variable_{n}"), json!(fill(flavour, 1000)))).collect::<Map<_, _>>().into()
        }
        "object" if name == "state" || name == "content_template" => json!({"text": fill(flavour, 15_000)}),
        "object" => {
            let members = schema["properties"].as_object().into_iter().flatten();
            let members =
                members.filter_map(|(name, schema)| Some((name.clone(), largest(schema, name, flavour, names)?)));
            members.collect::<Map<_, _>>().into()
        }
        // A step has a text of its own, and no variants then.
        "array" if name == "variants" => return None,
        "array" => {
            let most = schema["maxItems"].as_u64().map_or(UNCOUNTED, |most| most as usize);
            if schema["items"]["format"] == "uuid" {
                return Some(json!(names.of(name)?.iter().take(most).collect::<Vec<_>>()));
            }
            let items: Option<Vec<Value>> = (0..most).map(|_| largest(&schema["items"], "", flavour, names)).collect();
            items?.into()
        }
        "integer" => schema["maximum"].as_i64().unwrap_or(1).min(100).into(),
        // Amounts must be below their maximum.
        "number" => schema["maximum"].as_i64().map_or(1, |most| most - 1).into(),
        "boolean" => (name == "atomic").into(),
        "string" => match schema["format"].as_str() {
            Some("uuid") => names.of(name)?.first()?.as_str().into(),
            Some("idn-email") => email().into(),
            Some("iri") => format!("https://example.com/{}", fill(Flavour::Letters, 450)).into(),
            // No record is archived, and nothing is expired.
            Some("date-time") if name == "archived_at" => return None,
            Some("date-time") => "2099-01-15T10:30:00.000Z".into(),
            Some("date") => "2099-01-15".into(),
            _ if name == "phone" => "+1 555 0100 0100 0100 0100 0100".into(),
            _ => match schema["pattern"].as_str() {
                Some(pattern) if pattern.starts_with("^#") => "#a1b2c3".into(),
                Some(_) => "EUR".into(),
                None => fill(flavour, schema["maxLength"].as_u64().map_or(UNBOUNDED, |most| most as usize)).into(),
            },
        },
        _ => return None,
    })
}

/// An address of maximum length.
pub(super) fn email() -> String {
    let label = |length| fill(Flavour::Letters, length);
    format!("{}@{}.{}.{}.com", label(64), label(60), label(60), label(60))
}

/// The maximum number of custom fields.
pub(super) const CUSTOM_FIELDS: usize = 100;

fn custom_data(flavour: Flavour) -> Value {
    (0..CUSTOM_FIELDS).map(|n| (format!("field_{n}"), json!(fill(flavour, 500)))).collect::<Map<_, _>>().into()
}

/// Makes a refused body smaller or simpler as the error requires; members that still do not fit are left out.
pub(super) fn mend(body: &mut Value, refusal: &Answer, round: usize) {
    for problem in refusal.json["error"]["details"].as_array().into_iter().flatten() {
        let (field, reason) = (text(&problem["field"]), text(&problem["reason"]));
        let path: Vec<&str> = field.split('.').collect();
        mend_at(body, &path, &reason, round);
    }
}

fn mend_at(value: &mut Value, path: &[&str], reason: &str, round: usize) {
    // The last number in the reason is the maximum.
    let most = reason.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse::<usize>().ok()).next_back();
    let Some((name, rest)) = path.split_first() else { return };
    match value {
        Value::Object(members) => {
            let Some(member) = members.get_mut(*name) else { return };
            match member {
                Value::Array(items) if rest.is_empty() && most.is_some_and(|most| most < items.len()) => {
                    items.truncate(most.unwrap_or(0));
                }
                Value::String(long) if rest.is_empty() && round == 0 => match most {
                    Some(most) if most > 1 && long.chars().count() > most => *long = long.chars().take(most).collect(),
                    _ => *long = format!("plain{}", fill(Flavour::Letters, 12)),
                },
                Value::Object(_) | Value::Array(_) if !rest.is_empty() && round < 3 => {
                    mend_at(member, rest, reason, round)
                }
                _ => drop(members.remove(*name)),
            }
        }
        Value::Array(items) => {
            let Some(item) = name.parse::<usize>().ok().and_then(|at| items.get_mut(at)) else { return };
            match item {
                Value::String(long) if rest.is_empty() => *long = fill(Flavour::Letters, 20),
                item if rest.is_empty() => *item = json!({}),
                item => mend_at(item, rest, reason, round),
            }
        }
        _ => {}
    }
}

/// Bodies that are refused, each as large as a body may be: unknown names, lists of wrong or too many values, endless
/// texts.
pub(super) fn excessive(schema: &Value, most: usize) -> Vec<Value> {
    let room = most - 64 * 1024;
    let mut bodies = Vec::new();
    let unknown: Map<String, Value> = (0..room / 24).map(|n| (format!("first_nam{n:08}"), json!(1))).collect();
    bodies.push(Value::Object(unknown));
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        let kind = match &member["type"] {
            Value::Array(kinds) => kinds.first().cloned().unwrap_or_default(),
            kind => kind.clone(),
        };
        match kind.as_str() {
            Some("array") => {
                let objects = member["items"]["type"] == "object";
                let item = |n: usize| match objects {
                    true => json!({ format!("{n:08}"): "" }),
                    false => json!(format!("{n:08}")),
                };
                bodies.push(json!({ name: (0..room / 20).map(item).collect::<Vec<_>>() }));
                bodies.push(json!({ name: vec![0; room / 2] }));
                if objects {
                    let required = |n: usize| {
                        member["items"]["required"]
                            .as_array()
                            .into_iter()
                            .flatten()
                            .map(|name| (text(name), json!(format!("v{n}"))))
                            .collect::<Map<_, _>>()
                    };
                    bodies.push(json!({ name: (0..room / 50).map(required).collect::<Vec<_>>() }));
                }
            }
            Some("object") => {
                let inner: Map<String, Value> = (0..room / 24).map(|n| (format!("field_{n:08}"), json!("x"))).collect();
                bodies.push(json!({ name: inner }));
                let deep = (0..100).fold(json!(fill(Flavour::Letters, 100)), |inner, _| json!({ "a": inner }));
                bodies.push(json!({ name: deep }));
            }
            Some("string") if member["enum"].is_null() => {
                for flavour in [Flavour::Marks, Flavour::Space] {
                    let width = if let Flavour::Marks = flavour { 2 } else { 3 };
                    bodies.push(json!({ name: fill(flavour, room / width / 2) }));
                }
            }
            _ => {}
        }
    }
    bodies
}

/// The maximum number of options of a field.
pub(super) fn options(text: &impl Fn(usize) -> String) -> Vec<Value> {
    let option = |n| json!({"value": format!("{n} {}", text(40)), "label": format!("{n} {}", text(40))});
    (0..200).map(option).collect()
}

/// A sequence with this many conditions of this many values in its steps.
pub(super) fn conditions(steps: usize, count: usize, values: usize) -> Value {
    let filter = format!("in.({})", vec!["a"; values].join(","));
    let step = json!({"type": "task", "body": "x", "entry_conditions": {"title": vec![filter; count]}});
    json!({"name": "Outreach", "steps": vec![step; steps]})
}

/// Sequences with a step whose list is far longer than a step may have.
pub(super) fn long_lists() -> Vec<Value> {
    let id = |n: usize| format!("00000000-0000-4000-8000-{n:012}");
    let step = |member: &str, items: Vec<String>| {
        let mut step = json!({"type": "email", "subject": "Hello", "body": "Hello"});
        step[member] = items.into();
        json!({"name": "Outreach", "steps": [step]})
    };
    vec![
        step("cc", copies(0..50_000)),
        step("bcc", copies(0..50_000)),
        step("attachments", (0..50_000).map(id).collect()),
        step("sender_ids", (0..50_000).map(id).collect()),
    ]
}

/// Different addresses, each of a domain with as many parents as are looked up.
pub(super) fn copies(numbers: Range<usize>) -> Vec<String> {
    numbers.map(|n| format!("copy@a.b.c.d.e.copies{n}.com")).collect()
}

/// The same sequence with as many variants as it may have.
pub(super) fn with_variants(mut body: Value) -> Value {
    for step in body["steps"].as_array_mut().into_iter().flatten().take(10) {
        let variant = json!({"subject": step["subject"].take(), "body": step["body"].take(), "weight": 100});
        step["variants"] = vec![variant; 5].into();
    }
    body
}

/// The first items that an atomic bulk may have together: it limits their bytes and the entries in their lists.
pub(super) fn together(items: &[Value]) -> Vec<Value> {
    let (mut bytes, mut entries) = (400_000, 2000);
    let fits = |item: &&Value| {
        let lists = item["data"].as_object().into_iter().flat_map(|data| data.values());
        let listed: usize = lists.filter_map(Value::as_array).map(Vec::len).sum();
        let length = item.to_string().len();
        let fits = length <= bytes && listed <= entries;
        (bytes, entries) = (bytes.saturating_sub(length), entries.saturating_sub(listed));
        fits
    };
    items.iter().take(100).take_while(fits).cloned().collect()
}
