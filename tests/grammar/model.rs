//! The meaning of a query without a database: tested on one record at a time, as the API documents it.

use std::cmp::Ordering;

use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use crate::support::{member, strings, text};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Text,
    Number,
    Time,
    /// A day, `YYYY-MM-DD`.
    Date,
    /// One of these words; booleans are the words `true` and `false`.
    Choice(&'static [&'static str]),
    /// A list of texts, case folded.
    List,
    /// The texts of this member of a list of objects, case folded.
    Email,
    /// The same, compared by digits only.
    Phone,
}

/// The fields and parameters of a collection.
pub(super) struct Shape {
    pub fields: &'static [(&'static str, Kind)],
    pub sorts: &'static [&'static str],
    /// Accepts `created_after` and `created_before`.
    pub created_bounds: bool,
    /// Accepts `updated_after`.
    pub updated_after: bool,
    /// Accepts `search`.
    pub search: bool,
}

const STATUSES: &[&str] = &["new", "contacted", "replied", "qualified", "archived"];
const TYPES: &[&str] = &["candidate", "client", "prospect", "other"];
const BOOLEAN: &[&str] = &["true", "false"];
pub(super) const LEVELS: &[&str] = &["junior", "Senior", "lead (acting)"];
pub(super) const PERKS: &[&str] = &["car", "Bike", "ticket (train)", "ж"];
const SCOPES: &[&str] = &["global", "contact", "company", "deal", "project"];

pub(super) const CONTACTS: Shape = Shape {
    fields: &[
        ("first_name", Kind::Text),
        ("last_name", Kind::Text),
        ("title", Kind::Text),
        ("current_company", Kind::Text),
        ("location", Kind::Text),
        ("network_profile", Kind::Text),
        ("global_status", Kind::Choice(STATUSES)),
        ("contact_type", Kind::Choice(TYPES)),
        ("do_not_contact", Kind::Choice(BOOLEAN)),
        ("years_experience", Kind::Number),
        ("tags", Kind::List),
        ("skills", Kind::List),
        ("languages", Kind::List),
        ("email", Kind::Email),
        ("phone", Kind::Phone),
        ("custom_data.nick", Kind::Text),
        ("custom_data.score", Kind::Number),
        ("custom_data.remote", Kind::Choice(BOOLEAN)),
        ("custom_data.since", Kind::Date),
        ("custom_data.level", Kind::Choice(LEVELS)),
        ("custom_data.perks", Kind::List),
        ("created_at", Kind::Time),
        ("last_contacted_at", Kind::Time),
        ("archived_at", Kind::Time),
        ("updated_at", Kind::Time),
    ],
    sorts: &[
        "created_at",
        "first_name",
        "last_name",
        "title",
        "current_company",
        "years_experience",
        "last_contacted_at",
        "custom_data.nick",
        "custom_data.score",
        "custom_data.since",
        "updated_at",
    ],
    created_bounds: true,
    updated_after: true,
    search: true,
};

/// Contacts without `updated_at`, the last field of each list.
pub(super) const CHANGING: Shape = Shape {
    fields: CONTACTS.fields.split_last().expect("there are fields").1,
    sorts: CONTACTS.sorts.split_last().expect("there are sorts").1,
    created_bounds: true,
    updated_after: false,
    search: true,
};

pub(super) const TAGS: Shape = Shape {
    fields: &[("name", Kind::Text), ("color", Kind::Text), ("scope", Kind::Choice(SCOPES)), ("created_at", Kind::Time)],
    sorts: &["name", "created_at"],
    created_bounds: false,
    updated_after: false,
    search: false,
};

impl Shape {
    pub(super) fn kind(&self, field: &str) -> Kind {
        let found = self.fields.iter().find(|(name, _)| *name == field);
        found.unwrap_or_else(|| panic!("the model has no field {field}")).1
    }
}

/// True, false or unknown: SQL's result for a record without a value.
pub(super) type Truth = Option<bool>;

/// False if any is false, else unknown if any is unknown.
pub(super) fn all(truths: impl Iterator<Item = Truth>) -> Truth {
    let truths: Vec<Truth> = truths.collect();
    if truths.contains(&Some(false)) {
        return Some(false);
    }
    if truths.contains(&None) { None } else { Some(true) }
}

/// True if any is true, else unknown if any is unknown.
pub(super) fn any(truths: impl Iterator<Item = Truth>) -> Truth {
    let truths: Vec<Truth> = truths.collect();
    if truths.contains(&Some(true)) {
        return Some(true);
    }
    if truths.contains(&None) { None } else { Some(false) }
}

/// Whether a record passes one condition.
pub(super) fn test(kind: Kind, field: &str, row: &Value, operator: &str, operands: &[String]) -> Truth {
    match kind {
        Kind::List => {
            let items: Vec<String> = strings(&row[field]).iter().map(|item| fold(item)).collect();
            let has = |wanted: &String| items.contains(&fold(&composed(wanted.trim())));
            Some(match operator {
                "cs" => operands.iter().all(has),
                "ov" => operands.iter().any(has),
                _ => items.is_empty() == (operands[0] == "null"),
            })
        }
        Kind::Email => {
            let emails: Vec<String> = member(&row["emails"], "email").iter().map(|email| fold(email)).collect();
            let wanted: Vec<String> = operands.iter().map(|operand| fold(&composed(operand))).collect();
            Some(one_of(&emails, operator, &wanted))
        }
        Kind::Phone => {
            let phones: Vec<String> = member(&row["phones"], "phone").iter().map(|phone| digits(phone, "")).collect();
            let wanted: Vec<String> = match operator {
                "is" => operands.to_vec(),
                "like" | "ilike" => operands.iter().map(|operand| digits(operand, "%_")).collect(),
                _ => operands.iter().map(|operand| digits(operand, "")).collect(),
            };
            Some(one_of(&phones, operator, &wanted))
        }
        _ if operator == "is" => Some(row[field].is_null() == (operands[0] == "null")),
        _ if row[field].is_null() => None,
        Kind::Text => {
            let value = text(&row[field]);
            let wanted: Vec<String> = operands.iter().map(|operand| composed(operand)).collect();
            Some(match operator {
                "eq" | "in" => wanted.contains(&value),
                "neq" => value != wanted[0],
                "like" => like(&wanted[0], &value),
                "ilike" => like(&fold(&wanted[0]), &fold(&value)),
                _ => compares(operator, fold(&value).cmp(&fold(&wanted[0]))),
            })
        }
        Kind::Choice(_) => {
            let value = row[field].as_str().map_or_else(|| row[field].to_string(), str::to_owned);
            Some(operands.contains(&value) != (operator == "neq"))
        }
        Kind::Number => {
            let value = row[field].as_i64().unwrap_or_else(|| panic!("not a number: {}", row[field]));
            let wanted: Vec<i64> = operands.iter().map(|operand| operand.parse().expect("a number")).collect();
            Some(number(value, operator, &wanted))
        }
        Kind::Date => {
            let value = text(&row[field]);
            Some(match operator {
                "eq" | "in" => operands.contains(&value),
                "neq" => value != operands[0],
                _ => compares(operator, value.cmp(&operands[0])),
            })
        }
        Kind::Time => {
            let wanted: Vec<i64> = operands.iter().map(|operand| milliseconds(operand)).collect();
            Some(number(milliseconds(&text(&row[field])), operator, &wanted))
        }
    }
}

fn number(value: i64, operator: &str, wanted: &[i64]) -> bool {
    match operator {
        "eq" | "in" => wanted.contains(&value),
        "neq" => value != wanted[0],
        _ => compares(operator, value.cmp(&wanted[0])),
    }
}

/// Whether one of a record's addresses matches.
fn one_of(values: &[String], operator: &str, wanted: &[String]) -> bool {
    values.iter().any(|value| match operator {
        "eq" | "in" => wanted.contains(value),
        "neq" => *value != wanted[0],
        "like" | "ilike" => like(&wanted[0], value),
        "is" => wanted[0] == "not_null",
        _ => compares(operator, value.cmp(&wanted[0])),
    }) || (operator == "is" && wanted[0] == "null" && values.is_empty())
}

fn compares(operator: &str, order: Ordering) -> bool {
    match operator {
        "gt" => order == Ordering::Greater,
        "gte" => order != Ordering::Less,
        "lt" => order == Ordering::Less,
        "lte" => order != Ordering::Greater,
        other => panic!("the model does not know {other}"),
    }
}

/// RFC 3339, or a date at midnight UTC.
pub(super) fn milliseconds(time: &str) -> i64 {
    let whole = if time.len() == 10 { format!("{time}T00:00:00Z") } else { time.to_owned() };
    whole.parse::<jiff::Timestamp>().unwrap_or_else(|error| panic!("{time}: {error}")).as_millisecond()
}

fn digits(phone: &str, and: &str) -> String {
    phone.chars().filter(|c| c.is_ascii_digit() || and.contains(*c)).collect()
}

fn composed(text: &str) -> String {
    text.nfc().collect()
}

/// Simple case folding, one character to one.
pub(super) fn fold(text: &str) -> String {
    let folded: String = text.chars().map(fold_letter).collect();
    composed(&folded)
}

/// Lower case, except for the letters with another simple folding: final sigma, long s, the Greek symbols, Cherokee,
/// and the dotted capital I, which has no folding to one letter.
fn fold_letter(letter: char) -> char {
    match letter {
        'ς' => 'σ',
        'ſ' => 's',
        'µ' => 'μ',
        'ϐ' => 'β',
        'ϑ' => 'θ',
        'ϕ' => 'φ',
        'ϖ' => 'π',
        'İ' => 'İ',
        'ꭰ'..='ꮿ' => char::from_u32(letter as u32 - 'ꭰ' as u32 + 'Ꭰ' as u32).unwrap_or(letter),
        'Ꭰ'..='Ᏽ' => letter,
        _ => {
            let mut lower = letter.to_lowercase();
            match (lower.next(), lower.next()) {
                (Some(lower), None) => lower,
                _ => letter,
            }
        }
    }
}

/// Whether a text matches the pattern: `%` any run, `_` one character, `\` makes the next one literal.
fn like(pattern: &str, text: &str) -> bool {
    enum Part {
        Run,
        One,
        Letter(char),
    }
    let (mut parts, mut letters) = (Vec::new(), pattern.chars());
    while let Some(letter) = letters.next() {
        parts.push(match letter {
            '%' => Part::Run,
            '_' => Part::One,
            '\\' => Part::Letter(letters.next().expect("a pattern does not end in a lone \\")),
            other => Part::Letter(other),
        });
    }
    let text: Vec<char> = text.chars().collect();
    // The positions in the text that the parts so far can end at.
    let mut reached = vec![false; text.len() + 1];
    reached[0] = true;
    for part in parts {
        let mut next = vec![false; text.len() + 1];
        for at in 0..=text.len() {
            match part {
                Part::Run => next[at] = reached[at] || at > 0 && next[at - 1],
                Part::One => next[at] = at > 0 && reached[at - 1],
                Part::Letter(letter) => next[at] = at > 0 && reached[at - 1] && text[at - 1] == letter,
            }
        }
        reached = next;
    }
    reached[text.len()]
}

/// The order of two records: nulls last both ways, text with case folded, the id in the direction of the last field.
pub(super) fn order(shape: &Shape, one: &Value, other: &Value, sort: &[(&str, bool)]) -> Ordering {
    for (field, down) in sort {
        let (a, b) = (&one[*field], &other[*field]);
        let order = match (a.is_null(), b.is_null()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) => {
                let order = match shape.kind(field) {
                    Kind::Text => fold(&text(a)).cmp(&fold(&text(b))),
                    Kind::Date => text(a).cmp(&text(b)),
                    Kind::Time => milliseconds(&text(a)).cmp(&milliseconds(&text(b))),
                    _ => a.as_i64().cmp(&b.as_i64()),
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
