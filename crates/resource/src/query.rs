//! A list request: the query string, checked against the table of fields.

use crate::changes::nearest;
use crate::filter::{Grammar, short};
use crate::{About, Cond, Error, Field, Op, Problem, Sync, Test, Time, invalid};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use store::Value;
use uuid::Uuid;

pub struct Query {
    pub conds: Vec<Cond>,
    pub sort: Vec<(&'static Field, bool)>,
    pub limit: i64,
    pub paging: Paging,
    /// False with `count=none`.
    pub count: bool,
    /// Stops counting at this number.
    pub count_to: Option<i64>,
}

pub enum Paging {
    Offset(i64),
    /// The page after this row; `None` is the first page.
    Cursor(Option<Cursor>),
}

/// The last row of a page: its sort values and its id.
#[derive(Clone, Debug, PartialEq)]
pub struct Cursor {
    pub values: Vec<Value>,
    pub id: Uuid,
}

const SORTS: usize = 5;

impl Query {
    /// `custom` are the custom fields of the workspace, if the collection supports them.
    pub fn parse(
        about: &About,
        fields: &'static [Field],
        custom: &[&'static Field],
        pairs: &[(String, String)],
    ) -> Result<Query, Error> {
        let mut reader = Reader { about, fields, custom, grammar: Grammar::new(fields, custom), problems: Vec::new() };
        reader.read(pairs)
    }

    /// Whether the query mentions custom fields.
    pub fn names_custom(pairs: &[(String, String)]) -> bool {
        pairs.iter().any(|(name, text)| name.contains("custom_data") || text.contains("custom_data"))
    }
}

struct Reader<'a> {
    about: &'a About,
    fields: &'static [Field],
    custom: &'a [&'static Field],
    grammar: Grammar<'a>,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn read(&mut self, pairs: &[(String, String)]) -> Result<Query, Error> {
        let (mut limit, mut offset, mut cursor, mut sort, mut count) = (None, None, None, None, None);
        let (mut conds, mut since) = (Vec::new(), false);
        for (name, text) in pairs {
            let slot = match name.as_str() {
                "limit" => Some(&mut limit),
                "offset" => Some(&mut offset),
                "cursor" => Some(&mut cursor),
                "sort" => Some(&mut sort),
                "count" => Some(&mut count),
                _ => None,
            };
            if let Some(slot) = slot {
                if slot.replace(text.as_str()).is_some() {
                    self.problem(name, "is given twice");
                }
                continue;
            }
            since |= name == "updated_after";
            match self.condition(name, text) {
                Ok(cond) => conds.extend(cond),
                Err(Error::Invalid(mut found)) => self.problems.append(&mut found),
                Err(other) => return Err(other),
            }
        }
        let limit = self.number("limit", limit, 50, 1, 100, "must be from 1 to 100");
        // Generated clients send the default.
        if offset.is_some_and(|offset| offset != "0") && cursor.is_some() {
            self.problem("offset", "can't be combined with cursor");
        }
        let offset = self.number("offset", offset, 0, 0, i64::MAX, "must be a whole number, at least 0");
        if count.is_some_and(|count| count != "none" && count != "exact") {
            self.problem("count", "takes exact or none");
        }
        let sort = match sort {
            Some(text) => self.sort(text),
            // A client that follows changes gets them in their order.
            None if since => self.sort("updated_at"),
            None => self.sort(self.about.default_sort),
        };
        let paging = match cursor {
            None => Paging::Offset(offset),
            Some("") => Paging::Cursor(None),
            Some(text) => match Cursor::read(text, &sort) {
                Some(cursor) => Paging::Cursor(Some(cursor)),
                None => {
                    self.problem("cursor", "is not a cursor of this list in this order");
                    Paging::Cursor(None)
                }
            },
        };
        if self.problems.is_empty() {
            Ok(Query { conds, sort, limit, paging, count: count != Some("none"), count_to: None })
        } else {
            Err(Error::Invalid(std::mem::take(&mut self.problems)))
        }
    }

    fn condition(&mut self, name: &str, text: &str) -> Result<Option<Cond>, Error> {
        if matches!(name, "or" | "and" | "not.or" | "not.and") {
            return self.grammar.group(name, text).map(Some);
        }
        let bound = match (name, self.about.sync, self.about.created_bounds) {
            ("updated_after", Sync::From, _) => Some(("updated_at", Op::Gte)),
            ("updated_after", Sync::Window, _) => Some(("updated_at", Op::Gt)),
            ("updated_before", Sync::Window, _) => Some(("updated_at", Op::Lte)),
            ("created_after", _, true) => Some(("created_at", Op::Gte)),
            ("created_before", _, true) => Some(("created_at", Op::Lt)),
            _ => None,
        };
        if let Some((field, op)) = bound {
            let strict = name.starts_with("updated");
            let time = if strict { Time::parse_strict(text) } else { Time::parse(text) };
            let form = if strict { "must be an RFC 3339 time" } else { "must be an RFC 3339 time or a date" };
            let time = time.ok_or_else(|| invalid(name, form))?;
            let field = self.fields.iter().find(|f| f.name == field);
            return Ok(field.map(|field| Cond::Test(Test { field, op, values: vec![time.0.into()] })));
        }
        if name == "search" && self.about.searches(self.fields) {
            return Ok(crate::search(name, text)?.map(Cond::Find));
        }
        match self.grammar.field(name) {
            Some(field) => self.grammar.parameter(field, name, text),
            None => Err(self.unknown(name)),
        }
    }

    fn unknown(&self, name: &str) -> Error {
        let mut taken: Vec<&str> = vec!["limit", "offset", "cursor", "sort", "count", "fields", "or", "and"];
        if self.about.sync != Sync::None {
            taken.push("updated_after");
        }
        if self.about.sync == Sync::Window {
            taken.push("updated_before");
        }
        if self.about.created_bounds {
            taken.extend(["created_after", "created_before"]);
        }
        if self.about.searches(self.fields) {
            taken.push("search");
        }
        taken.extend(self.grammar.names());
        let hint = match name {
            "page" => " (pages are chosen by offset or cursor)".to_owned(),
            "per_page" | "page_size" | "size" => " (the size of a page is limit)".to_owned(),
            "order" | "order_by" | "sort_by" => " (the order is sort, such as sort=-created_at)".to_owned(),
            _ => nearest(name, &taken).map_or(String::new(), |near| format!(" (did you mean {near}?)")),
        };
        invalid(short(name), format!("is not a parameter of this list{hint}; it takes {}", taken.join(", ")))
    }

    fn sort(&mut self, text: &str) -> Vec<(&'static Field, bool)> {
        let mut sort = Vec::new();
        for word in text.split(',').take(SORTS + 1) {
            let (name, descending) = word.strip_prefix('-').map_or((word, false), |name| (name, true));
            // A list may sort by creation by default even if clients can't request that order.
            let fields = || self.fields.iter().chain(self.custom.iter().copied());
            match fields()
                .find(|f| f.name == name && (f.sort || text == self.about.default_sort || text == "updated_at"))
            {
                Some(field) => sort.push((field, descending)),
                None => {
                    let names: Vec<&str> = fields().filter(|f| f.sort).map(|f| f.name).collect();
                    let is_known = |word: &&str| names.contains(word);
                    let hint = match name
                        .split_once([':', ' ', '.', '+'])
                        .map(|(field, order)| (field, order.to_ascii_lowercase()))
                    {
                        Some((field, order)) if order == "desc" && is_known(&field) => format!(" (write -{field})"),
                        Some((field, order)) if order == "asc" && is_known(&field) => format!(" (write {field})"),
                        _ => String::new(),
                    };
                    self.problem("sort", format!("can't sort by {}{hint}; it takes {}", short(name), names.join(", ")));
                }
            }
        }
        if text.split(',').nth(SORTS).is_some() {
            self.problem("sort", format!("takes at most {SORTS} fields"));
        }
        sort
    }

    fn number(&mut self, name: &str, text: Option<&str>, default: i64, least: i64, most: i64, form: &str) -> i64 {
        let Some(text) = text else { return default };
        match text.parse::<i64>() {
            Ok(n) if (least..=most).contains(&n) && text.bytes().all(|b| b.is_ascii_digit()) => n,
            _ => {
                self.problem(name, form);
                default
            }
        }
    }

    fn problem(&mut self, field: &str, reason: impl Into<String>) {
        self.problems.push(Problem { field: field.into(), reason: reason.into() });
    }
}

impl Cursor {
    pub fn write(&self, sort: &[(&'static Field, bool)]) -> String {
        let values: Vec<serde_json::Value> = self
            .values
            .iter()
            .map(|value| match value {
                Value::Text(text) => text.as_str().into(),
                Value::Int(n) => (*n).into(),
                Value::Bool(b) => (*b).into(),
                _ => serde_json::Value::Null,
            })
            .collect();
        let parts = serde_json::json!([order(sort), values, self.id.simple().to_string()]);
        BASE64_URL_SAFE_NO_PAD.encode(parts.to_string())
    }

    fn read(text: &str, sort: &[(&'static Field, bool)]) -> Option<Cursor> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        let (written, values, id): (String, Vec<serde_json::Value>, String) = serde_json::from_slice(&bytes).ok()?;
        if written != order(sort) || values.len() != sort.len() {
            return None;
        }
        let value = |(json, (field, _)): (serde_json::Value, &(&'static Field, bool))| match (json, field.kind) {
            (serde_json::Value::Null, _) => field.nullable.then_some(Value::Null),
            (serde_json::Value::String(text), _) if field.custom.is_some() && !text.contains('\0') => Some(text.into()),
            (serde_json::Value::String(text), crate::Kind::Text | crate::Kind::Date) if !text.contains('\0') => {
                Some(text.into())
            }
            // A choice is written as its position.
            (serde_json::Value::Number(n), crate::Kind::Choice(words)) => {
                n.as_i64().filter(|place| (0..words.len() as i64).contains(place)).map(Value::Int)
            }
            (serde_json::Value::Number(n), crate::Kind::Int | crate::Kind::Amount | crate::Kind::Time) => {
                n.as_i64().map(Value::Int)
            }
            (serde_json::Value::Bool(b), crate::Kind::Bool) => Some(b.into()),
            _ => None,
        };
        let values = values.into_iter().zip(sort).map(value).collect::<Option<_>>()?;
        Some(Cursor { values, id: Uuid::try_parse(&id).ok()? })
    }
}

/// `-updated_at,first_name`. A cursor is valid only for the order that it was made for.
fn order(sort: &[(&'static Field, bool)]) -> String {
    let words: Vec<String> =
        sort.iter().map(|(f, desc)| format!("{}{}", if *desc { "-" } else { "" }, f.name)).collect();
    words.join(",")
}
