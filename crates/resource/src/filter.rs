//! The filter grammar: `field=op.value`, `or=(…)`, `and=(…)`, `not.`, lists and quotes.
//!
//! ```text
//! first_name=ilike.ann%            or=(title.eq.CTO,and(title.like.Head%,years_experience.gte.5))
//! tags=cs.{vip,"New York, NY"}     created_at=not.is.null
//! ```

use crate::changes::{is_date, nearest, parse_id};
use crate::custom;
use crate::fold::{digits, fold, like_digits, nfc};
use crate::{Amount, Error, Field, Kind, Need, Time, invalid};
use std::collections::HashSet;
use store::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    Eq,
    Neq,
    Gt,
    Gte,
    Lt,
    Lte,
    Like,
    Ilike,
    In,
    Null,
    NotNull,
    /// Has all of these.
    Cs,
    /// Has any of these.
    Ov,
}

#[derive(Clone, Debug)]
pub enum Cond {
    All(Vec<Cond>),
    Any(Vec<Cond>),
    Not(Box<Cond>),
    Test(Test),
    /// Words to find in the text of the record.
    Find(Need),
}

/// One comparison, with its values in the type of the field.
#[derive(Clone, Debug)]
pub struct Test {
    pub field: &'static Field,
    pub op: Op,
    pub values: Vec<Value>,
}

pub(crate) const CONDITIONS: usize = 100;
const ITEMS: usize = 1000;
const DEPTH: usize = 20;
const PATTERN: usize = 1000;

/// The filterable fields, and the number of conditions read so far.
pub(crate) struct Grammar<'a> {
    fields: &'static [Field],
    custom: &'a [&'static Field],
    conditions: usize,
}

impl<'a> Grammar<'a> {
    pub(crate) fn new(fields: &'static [Field], custom: &'a [&'static Field]) -> Self {
        Grammar { fields, custom, conditions: 0 }
    }

    pub(crate) fn field(&self, name: &str) -> Option<&'static Field> {
        self.all().find(|field| field.filter_name() == Some(name))
    }

    fn all(&self) -> impl Iterator<Item = &'static Field> {
        self.fields.iter().chain(self.custom.iter().copied())
    }

    /// The names of all filters.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.all().filter_map(Field::filter_name).collect()
    }

    /// `name=text` of a query; `None` if the value is `all`, which filters nothing.
    pub(crate) fn parameter(&mut self, field: &'static Field, name: &str, text: &str) -> Result<Option<Cond>, Error> {
        if field.all && matches!(text, "all" | "eq.all") {
            return Ok(None);
        }
        self.test(field, name, text, false).map(Some)
    }

    /// `or=(…)` and `and=(…)`, with or without `not.` before the word.
    pub(crate) fn group(&mut self, name: &str, text: &str) -> Result<Cond, Error> {
        let mut rest = text;
        let cond = self.list(name, &mut rest, name.ends_with("or"), 0)?;
        if !rest.is_empty() {
            return Err(invalid(name, format!("has text after the closing parenthesis: {}", short(rest))));
        }
        Ok(if name.starts_with("not.") { Cond::Not(Box::new(cond)) } else { cond })
    }

    fn list(&mut self, name: &str, rest: &mut &str, any: bool, depth: usize) -> Result<Cond, Error> {
        if depth > DEPTH {
            return Err(invalid(name, format!("nests more than {DEPTH} deep")));
        }
        *rest =
            rest.strip_prefix('(').ok_or_else(|| invalid(name, "must be a list in parentheses: (field.op.value,…)"))?;
        let mut conds = Vec::new();
        loop {
            conds.push(self.member(name, rest, depth)?);
            match rest.chars().next() {
                Some(',') => *rest = &rest[1..],
                Some(')') => {
                    *rest = &rest[1..];
                    return Ok(if any { Cond::Any(conds) } else { Cond::All(conds) });
                }
                Some(_) => return Err(invalid(name, format!("expected , or ) at: {}", short(rest)))),
                None => return Err(invalid(name, "lacks its closing parenthesis")),
            }
        }
    }

    fn member(&mut self, name: &str, rest: &mut &str, depth: usize) -> Result<Cond, Error> {
        for (word, not, any) in
            [("and(", false, false), ("or(", false, true), ("not.and(", true, false), ("not.or(", true, true)]
        {
            if rest.starts_with(word) {
                *rest = &rest[word.len() - 1..];
                let inner = self.list(name, rest, any, depth + 1)?;
                return Ok(if not { Cond::Not(Box::new(inner)) } else { inner });
            }
        }
        // The key of a custom field is part of its name.
        let own = if rest.starts_with("custom_data.") { "custom_data.".len() } else { 0 };
        let Some((dot, _)) = rest[own..].split_once('.').map(|(before, after)| (own + before.len(), after)) else {
            return Err(invalid(name, format!("expected field.op.value at: {}", short(rest))));
        };
        let (field_name, after) = (&rest[..dot], &rest[dot + 1..]);
        let Some(field) = self.field(field_name) else {
            return Err(self.unknown(name, field_name));
        };
        let end = member_end(after).ok_or_else(|| invalid(name, "lacks a closing quote, brace or parenthesis"))?;
        *rest = &after[end..];
        self.test(field, field_name, &after[..end], true)
    }

    fn unknown(&self, name: &str, field: &str) -> Error {
        let names = self.names();
        let near = nearest(field, &names).map_or(String::new(), |near| format!(" (did you mean {near}?)"));
        invalid(name, format!("can't filter by {}{near}; it takes {}", short(field), names.join(", ")))
    }

    fn test(&mut self, field: &'static Field, name: &str, text: &str, nested: bool) -> Result<Cond, Error> {
        self.conditions += 1;
        if self.conditions > CONDITIONS {
            return Err(invalid(name, format!("is condition {}; at most {CONDITIONS} are taken", self.conditions)));
        }
        if text.contains('\0') {
            return Err(invalid(name, "must not hold the character NUL"));
        }
        let (not, rest) = match text.strip_prefix("not.") {
            Some(rest) if operator(rest).is_some() => (true, rest),
            _ => (false, text),
        };
        let (word, value) = operator(rest).unwrap_or(("eq", rest));
        let allowed = operators(field);
        if !allowed.contains(&word) {
            let hint = match field.kind {
                Kind::Texts | Kind::Labels if word == "eq" => format!(" (write cs.{{{}}})", short(value)),
                _ => String::new(),
            };
            let takes = allowed.join(", ");
            return Err(invalid(name, format!("does not take the operator {word}{hint}; it takes {takes}")));
        }
        let unquoted = || unquote(name, value, nested);
        let test = match word {
            "is" => match value {
                "null" => Test { field, op: Op::Null, values: vec![] },
                "not_null" => Test { field, op: Op::NotNull, values: vec![] },
                _ => return Err(invalid(name, "takes is.null or is.not_null")),
            },
            "in" | "cs" | "ov" => {
                let (op, open, close) = match word {
                    "in" => (Op::In, '(', ')'),
                    "cs" => (Op::Cs, '{', '}'),
                    _ => (Op::Ov, '{', '}'),
                };
                let items = items(name, word, value, open, close)?;
                let mut values = items.iter().map(|item| value_of(field, name, item)).collect::<Result<Vec<_>, _>>()?;
                // Duplicates are tested once.
                let mut seen = HashSet::new();
                values.retain(|value| seen.insert(value.clone()));
                Test { field, op, values }
            }
            "like" | "ilike" => {
                let op = if word == "like" { Op::Like } else { Op::Ilike };
                Test { field, op, values: vec![pattern(field, name, &unquoted()?, op)?] }
            }
            _ => {
                let op = match word {
                    "eq" => Op::Eq,
                    "neq" => Op::Neq,
                    "gt" => Op::Gt,
                    "gte" => Op::Gte,
                    "lt" => Op::Lt,
                    _ => Op::Lte,
                };
                Test { field, op, values: vec![value_of(field, name, &unquoted()?)?] }
            }
        };
        Ok(if not { Cond::Not(Box::new(Cond::Test(test))) } else { Cond::Test(test) })
    }
}

const OPERATORS: &[&str] = &["eq", "neq", "gt", "gte", "lt", "lte", "like", "ilike", "in", "is", "cs", "ov"];

/// The operator that a text begins with, and the rest.
fn operator(text: &str) -> Option<(&'static str, &str)> {
    let (word, rest) = text.split_once('.')?;
    OPERATORS.iter().find(|known| **known == word).map(|known| (*known, rest))
}

/// The operators that a field of this kind supports.
pub(crate) fn operators(field: &Field) -> &'static [&'static str] {
    match field.kind {
        Kind::Text | Kind::Items(_) => &["eq", "neq", "gt", "gte", "lt", "lte", "like", "ilike", "in", "is"],
        Kind::Int | Kind::Amount | Kind::Number | Kind::Time | Kind::Date => {
            &["eq", "neq", "gt", "gte", "lt", "lte", "in", "is"]
        }
        Kind::Id | Kind::Ids | Kind::Choice(_) | Kind::Bool => &["eq", "neq", "in", "is"],
        Kind::Texts | Kind::Labels => &["cs", "ov", "is"],
        Kind::Object | Kind::Part(_) => &[],
    }
}

fn value_of(field: &Field, name: &str, text: &str) -> Result<Value, Error> {
    let unfit = |what: String| Err(invalid(name, format!("{} is not {what}", short(text))));
    match field.kind {
        Kind::Text => Ok(nfc(text).into_owned().into()),
        Kind::Texts | Kind::Labels => Ok(fold(&nfc(text.trim())).into()),
        Kind::Items(_) if field.by_digits() => Ok(digits(text).into()),
        Kind::Items(_) => Ok(fold(&nfc(text)).into()),
        Kind::Int => text.parse::<i64>().map_or_else(|_| unfit("a whole number".into()), |n| Ok(n.into())),
        Kind::Time => Time::parse(text).map_or_else(|| unfit(time_form(text)), |t| Ok(t.0.into())),
        Kind::Date if is_date(text) => Ok(text.into()),
        Kind::Date => unfit("a date of the form YYYY-MM-DD".into()),
        Kind::Number => match text.parse::<f64>() {
            Ok(n) if n.is_finite() => Ok(custom::number_key(n).into()),
            _ => unfit("a number".into()),
        },
        Kind::Amount => Amount::bound(text).map_or_else(|reason| Err(invalid(name, reason)), |n| Ok(n.into())),
        Kind::Id | Kind::Ids => {
            parse_id(text).map_or_else(|| unfit("a uuid (an id is needed here, not a name)".into()), |id| Ok(id.into()))
        }
        Kind::Bool => match text {
            "true" => Ok(true.into()),
            "false" => Ok(false.into()),
            _ => unfit("true or false".into()),
        },
        // Records may still have an option that was removed.
        Kind::Choice(words) if words.contains(&text) || field.custom.is_some() => Ok(text.into()),
        Kind::Choice(words) => unfit(format!("one of {}", words.join(", "))),
        Kind::Object | Kind::Part(_) => unfit("filterable".into()),
    }
}

/// The form of a time, with a hint if a `+` was not escaped: a query has a space instead.
pub(crate) fn time_form(text: &str) -> String {
    let is_unescaped = text.contains('T') && Time::parse(&text.replace(' ', "+")).is_some();
    let hint = if is_unescaped { "; write + as %2B" } else { "" };
    format!("an RFC 3339 time or a date{hint}")
}

fn pattern(field: &Field, name: &str, text: &str, op: Op) -> Result<Value, Error> {
    if text.chars().count() > PATTERN {
        return Err(invalid(name, format!("the pattern is longer than {PATTERN} characters")));
    }
    let trailing = text.chars().rev().take_while(|c| *c == '\\').count();
    if trailing % 2 == 1 {
        return Err(invalid(name, "the pattern ends in a lone \\"));
    }
    Ok(match field.kind {
        Kind::Items(_) if field.by_digits() => like_digits(text),
        Kind::Items(_) => fold(&nfc(text)),
        _ if op == Op::Ilike => fold(&nfc(text)),
        _ => nfc(text).into_owned(),
    }
    .into())
}

/// The end of a member of `or=(…)`: the first `,` or `)` outside quotes, braces and parentheses.
fn member_end(text: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '{' => depth += 1,
            ',' | ')' if depth == 0 => return Some(at),
            ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    (depth == 0 && !quoted).then_some(text.len())
}

/// The value without its double quotes, if it has them. An unquoted value inside a list must not contain separators or
/// brackets of the list.
fn unquote(name: &str, text: &str, nested: bool) -> Result<String, Error> {
    if text.len() >= 2 && text.starts_with('"') && text.ends_with('"') {
        let mut chars = text[1..text.len() - 1].chars();
        let mut plain = String::with_capacity(text.len());
        while let Some(c) = chars.next() {
            match c {
                '\\' => plain.extend(chars.next()),
                '"' if !nested => return Ok(text.to_owned()),
                '"' => return Err(invalid(name, "has a quote inside a quoted value; write \\\"")),
                other => plain.push(other),
            }
        }
        return Ok(plain);
    }
    if nested && text.contains(['(', ')', '{', '}', ',']) {
        return Err(invalid(name, "a value that holds , ( ) { } stands in double quotes"));
    }
    Ok(text.to_owned())
}

/// `(a,"b, c")` or `{a,b}` as its items.
fn items(name: &str, word: &str, text: &str, open: char, close: char) -> Result<Vec<String>, Error> {
    let form = || invalid(name, format!("write {word}.{open}a,b{close}"));
    let inner = text.strip_prefix(open).and_then(|text| text.strip_suffix(close)).ok_or_else(form)?;
    let (mut items, mut rest) = (Vec::new(), inner);
    if inner.is_empty() {
        return Err(invalid(name, format!("{word} needs at least one value")));
    }
    loop {
        let end = member_end(rest).ok_or_else(form)?;
        items.push(unquote(name, &rest[..end], true)?);
        if items.len() > ITEMS {
            return Err(invalid(name, format!("takes at most {ITEMS} values in a list")));
        }
        match rest[end..].chars().next() {
            None => return Ok(items),
            Some(',') => rest = &rest[end + 1..],
            Some(_) => return Err(form()),
        }
    }
}

/// The part of the input that a message may repeat.
pub(crate) fn short(text: &str) -> String {
    let mut short: String = text.chars().take(60).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
