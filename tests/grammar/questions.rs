//! Random queries: every operator on every field, nested, quoted and paged in every way of the grammar.

use std::fmt;

use serde_json::Value;

use super::model::{self, Kind, Shape, Truth};
use super::people::WORDS;
use super::words;
use crate::support::Dice;

/// A condition on a field, or several joined. Times differ between the engines, so there are operands for each.
pub(super) enum Question {
    Field {
        field: &'static str,
        negated: bool,
        operator: &'static str,
        operands: [Vec<String>; 2],
        quoting: Quoting,
    },
    All {
        negated: bool,
        of: Vec<Question>,
    },
    Any {
        negated: bool,
        of: Vec<Question>,
    },
    /// `created_after`, `created_before`, `updated_after`.
    Bound {
        name: &'static str,
        times: [String; 2],
    },
    Search(String),
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Quoting {
    Always,
    /// Only where a bare value would have another meaning.
    Needed,
    /// The same, and without `eq.`.
    Bare,
}

pub(super) enum Paging {
    Offset { offset: usize, count: bool },
    Cursor { pages: usize },
}

/// A complete list request.
pub(super) struct Query {
    pub questions: Vec<Question>,
    /// Whether it contains `global_status=all`, which filters nothing.
    everyone: bool,
    pub sort: Vec<(&'static str, bool)>,
    /// Whether the sort is given explicitly: it can be omitted if it is the default.
    sorted: bool,
    pub limit: usize,
    pub paging: Paging,
}

/// Reads a member of the record at a position, on both engines.
type Look<'a> = &'a dyn Fn(usize, &str) -> [Value; 2];

/// Every operator on every field alone: cases that an index or a tally can answer.
pub(super) fn every(dice: &mut Dice, shape: &Shape, rows: usize, look: Look) -> Vec<Query> {
    let mut queries = Vec::new();
    for (field, kind) in shape.fields {
        for operator in operators(*kind) {
            let question = condition(dice, (*field, *kind), operator, rows, look);
            let question = match dice.below(4) {
                0 => Question::All { negated: false, of: vec![question, condition_of_any(dice, shape, rows, look)] },
                _ => question,
            };
            let sorted = dice.one_in(2);
            let sort = if sorted { (*dice.pick(shape.sorts), dice.one_in(2)) } else { ("created_at", true) };
            let paging = Paging::Offset { offset: dice.below(3), count: true };
            let limit = 1 + dice.below(20);
            queries.push(Query { questions: vec![question], everyone: false, sort: vec![sort], sorted, limit, paging });
        }
    }
    if shape.search {
        for _ in 0..40 {
            let sorted = dice.one_in(2);
            let sort = if sorted { (*dice.pick(shape.sorts), dice.one_in(2)) } else { ("created_at", true) };
            let paging = Paging::Offset { offset: dice.below(3), count: true };
            let (questions, limit) = (vec![looked_for(dice, rows, look)], 1 + dice.below(20));
            queries.push(Query { questions, everyone: false, sort: vec![sort], sorted, limit, paging });
        }
    }
    queries
}

pub(super) fn random(dice: &mut Dice, shape: &Shape, rows: usize, look: Look) -> Query {
    let count = *dice.pick(&[0, 1, 1, 1, 2, 2, 3, 4]);
    let questions: Vec<Question> = (0..count).map(|_| question(dice, shape, rows, look, 3, true)).collect();
    let mut sort: Vec<(&'static str, bool)> = Vec::new();
    for _ in 0..*dice.pick(&[0, 1, 1, 1, 2, 2, 3]) {
        sort.push((*dice.pick(shape.sorts), dice.one_in(2)));
    }
    let sorted = !sort.is_empty();
    let follows = questions.iter().any(|one| matches!(one, Question::Bound { name: "updated_after", .. }));
    if !sorted {
        sort.push(if follows { ("updated_at", false) } else { ("created_at", true) });
    }
    let paging = match dice.below(4) {
        0 => Paging::Cursor { pages: 1 + dice.below(12) },
        1 => Paging::Offset { offset: 0, count: true },
        2 => Paging::Offset { offset: dice.below(rows + 10), count: true },
        _ => Paging::Offset { offset: dice.below(rows / 3 + 1), count: !dice.one_in(4) },
    };
    let everyone = shape.fields.iter().any(|(name, _)| *name == "global_status") && dice.one_in(20);
    let limit = *dice.pick(&[1, 2, 7, 23, 50, 99, 100]);
    Query { questions, everyone, sort, sorted, limit, paging }
}

fn question(dice: &mut Dice, shape: &Shape, rows: usize, look: Look, depth: usize, outermost: bool) -> Question {
    if depth > 0 && dice.one_in(4) {
        let of = (0..1 + dice.below(3)).map(|_| question(dice, shape, rows, look, depth - 1, false)).collect();
        let negated = dice.one_in(4);
        return if dice.one_in(2) { Question::All { negated, of } } else { Question::Any { negated, of } };
    }
    if outermost && shape.search && dice.one_in(4) {
        return looked_for(dice, rows, look);
    }
    if outermost && dice.one_in(12) {
        let bounds: &[&str] = match (shape.created_bounds, shape.updated_after) {
            (true, true) => &["created_after", "created_before", "updated_after"],
            (true, false) => &["created_after", "created_before"],
            _ => &[],
        };
        if !bounds.is_empty() {
            let name = bounds[dice.below(bounds.len())];
            let member = if name == "updated_after" { "updated_at" } else { "created_at" };
            let times = look(dice.below(rows), member).map(|time| time.as_str().unwrap_or_default().to_owned());
            return Question::Bound { name, times };
        }
    }
    condition_of_any(dice, shape, rows, look)
}

/// A search for words of the record at some position.
fn looked_for(dice: &mut Dice, rows: usize, look: Look) -> Question {
    let at = dice.below(rows);
    let mut row = serde_json::Map::new();
    for name in ["first_name", "last_name", "title", "current_company", "summary", "emails", "phones", "skills", "tags"]
    {
        let [one, _] = look(at, name);
        row.insert(name.to_owned(), one);
    }
    Question::Search(words::search(dice, &Value::Object(row), WORDS))
}

fn condition_of_any(dice: &mut Dice, shape: &Shape, rows: usize, look: Look) -> Question {
    let (field, kind) = *dice.pick(shape.fields);
    let operator = *dice.pick(operators(kind));
    condition(dice, (field, kind), operator, rows, look)
}

fn operators(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Text | Kind::Email | Kind::Phone => {
            &["eq", "neq", "gt", "gte", "lt", "lte", "like", "ilike", "ilike", "in", "is"]
        }
        Kind::Number | Kind::Time | Kind::Date => &["eq", "neq", "gt", "gte", "lt", "lte", "in", "is"],
        Kind::Choice(_) => &["eq", "eq", "neq", "in", "is"],
        Kind::List => &["cs", "cs", "ov", "is"],
    }
}

fn condition(
    dice: &mut Dice,
    (field, kind): (&'static str, Kind),
    operator: &'static str,
    rows: usize,
    look: Look,
) -> Question {
    let operands = match operator {
        "is" => {
            let word = dice.pick(&["null", "not_null"]).to_string();
            [vec![word.clone()], vec![word]]
        }
        "in" | "cs" | "ov" => {
            let mut operands = [Vec::new(), Vec::new()];
            for _ in 0..*dice.pick(&[1, 1, 2, 4]) {
                let [one, other] = operand(dice, field, kind, rows, look);
                operands[0].push(one);
                operands[1].push(other);
            }
            operands
        }
        "like" | "ilike" => {
            let [value, _] = operand(dice, field, kind, rows, look);
            let pattern = pattern(dice, kind, &value);
            [vec![pattern.clone()], vec![pattern]]
        }
        _ => operand(dice, field, kind, rows, look).map(|one| vec![one]),
    };
    let quoting = *dice.pick(&[Quoting::Always, Quoting::Needed, Quoting::Bare]);
    Question::Field { field, negated: dice.one_in(4), operator, operands, quoting }
}

/// A value of some record, a similar one, or any other.
fn operand(dice: &mut Dice, field: &str, kind: Kind, rows: usize, look: Look) -> [String; 2] {
    let both = |text: String| [text.clone(), text];
    let at = dice.below(rows);
    let value = match kind {
        Kind::Email => look(at, "emails").map(|list| list[0]["email"].clone()),
        Kind::Phone => look(at, "phones").map(|list| list[0]["phone"].clone()),
        Kind::List => look(at, field).map(|list| list[0].clone()),
        _ => look(at, field),
    };
    match kind {
        Kind::Choice(words) => both((*dice.pick(words)).to_owned()),
        Kind::Number => both(match value[0].as_i64() {
            Some(number) if !dice.one_in(3) => (number + dice.below(3) as i64 - 1).to_string(),
            _ => dice.pick(&["0", "5", "-3", "80", "9223372036854775807", "-9223372036854775808"]).to_string(),
        }),
        Kind::Date => both(match value[0].as_str() {
            Some(day) if !dice.one_in(4) => day.to_owned(),
            _ => dice.pick(&["2001-02-03", "2024-02-29", "9999-12-31", "0001-01-01"]).to_string(),
        }),
        Kind::Time => {
            let form = dice.below(4);
            match value.each_ref().map(Value::as_str) {
                [Some(one), Some(other)] if !dice.one_in(6) => [one, other].map(|time| written(time, form)),
                _ => both(
                    dice.pick(&["2001-02-03", "1969-12-31T23:59:59.999Z", "9000-01-01", "0001-01-01T00:00:00Z"])
                        .to_string(),
                ),
            }
        }
        _ => {
            let value = value[0].as_str().map(str::to_owned).filter(|_| !dice.one_in(4));
            let value = value.unwrap_or_else(|| (*dice.pick(WORDS)).to_owned());
            both(match dice.below(6) {
                0 => value.to_uppercase(),
                1 => value.to_lowercase(),
                2 => value.chars().take(2).collect(),
                _ => value,
            })
        }
    }
}

/// The same time in one of several notations.
fn written(time: &str, form: usize) -> String {
    let moment: jiff::Timestamp = time.parse().unwrap_or_else(|error| panic!("{time}: {error}"));
    match form {
        0 => moment.display_with_offset(jiff::tz::offset(2)).to_string(),
        1 => moment.display_with_offset(jiff::tz::offset(-11)).to_string(),
        _ => time.to_owned(),
    }
}

/// A pattern that matches this value, or nearly so.
fn pattern(dice: &mut Dice, kind: Kind, value: &str) -> String {
    if kind == Kind::Phone {
        let digits: String = value.chars().filter(char::is_ascii_digit).collect();
        return match dice.below(4) {
            0 => format!("%{}", digits.get(2..).unwrap_or_default()),
            1 => format!("{}%", digits.get(..4).unwrap_or_default()),
            2 => format!("+{}_%", digits.get(..3).unwrap_or_default()),
            _ => format!("%{}%", digits.get(3..6).unwrap_or_default()),
        };
    }
    let letters: Vec<char> = value.chars().collect();
    let (from, to) = match dice.below(4) {
        0 => (0, dice.below(letters.len() + 1)),
        1 => (dice.below(letters.len() + 1), letters.len()),
        2 => (0, letters.len()),
        _ => (letters.len().min(1), letters.len().saturating_sub(1).max(letters.len().min(1))),
    };
    let mut pattern = String::new();
    if from > 0 || dice.one_in(5) {
        pattern.push('%');
    }
    for letter in &letters[from..to] {
        match dice.below(12) {
            0 => pattern.push('_'),
            1 => pattern.push('%'),
            2 => pattern.extend(['\\', *letter]),
            // A wildcard in the value itself, not always escaped.
            _ if matches!(letter, '%' | '_' | '\\') && !dice.one_in(4) => pattern.extend(['\\', *letter]),
            _ => pattern.push(*letter),
        }
    }
    if to < letters.len() || dice.one_in(5) {
        pattern.push('%');
    }
    let lone = pattern.chars().rev().take_while(|letter| *letter == '\\').count() % 2 == 1;
    if lone {
        pattern.push('\\');
    }
    pattern
}

impl Query {
    /// Whether a record belongs to the result.
    pub(super) fn holds(&self, shape: &Shape, row: &Value, engine: usize) -> bool {
        model::all(self.questions.iter().map(|question| question.holds(shape, row, engine))) == Some(true)
    }

    /// The parameters, without those of paging by offset or cursor.
    pub(super) fn parameters(&self, engine: usize) -> Vec<(String, String)> {
        let mut parameters: Vec<(String, String)> =
            self.questions.iter().map(|one| one.parameter(engine, false)).collect();
        if self.everyone {
            parameters.push(("global_status".to_owned(), "all".to_owned()));
        }
        if self.sorted {
            let words: Vec<String> =
                self.sort.iter().map(|(field, down)| format!("{}{field}", if *down { "-" } else { "" })).collect();
            parameters.push(("sort".to_owned(), words.join(",")));
        }
        parameters.push(("limit".to_owned(), self.limit.to_string()));
        parameters
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let paging = match self.paging {
            Paging::Offset { offset, count } => format!("offset={offset}{}", if count { "" } else { "&count=none" }),
            Paging::Cursor { pages } => format!("by cursor, {pages} pages"),
        };
        write!(f, "{:?} {paging}", self.parameters(0))
    }
}

impl Question {
    fn holds(&self, shape: &Shape, row: &Value, engine: usize) -> Truth {
        let (negated, truth) = match self {
            Question::Field { field, negated, operator, operands, .. } => {
                (negated, model::test(shape.kind(field), field, row, operator, &operands[engine]))
            }
            Question::All { negated, of } => (negated, model::all(of.iter().map(|one| one.holds(shape, row, engine)))),
            Question::Any { negated, of } => (negated, model::any(of.iter().map(|one| one.holds(shape, row, engine)))),
            Question::Search(search) => return Some(words::finds(row, search)),
            Question::Bound { name, times } => {
                let (field, operator) = match *name {
                    "updated_after" => ("updated_at", "gte"),
                    "created_after" => ("created_at", "gte"),
                    _ => ("created_at", "lt"),
                };
                return model::test(Kind::Time, field, row, operator, &times[engine..=engine]);
            }
        };
        truth.map(|yes| yes != *negated)
    }

    /// As an entry of a query string, or as the two halves of a member of `or=(…)`.
    fn parameter(&self, engine: usize, nested: bool) -> (String, String) {
        let not = |negated: &bool| if *negated { "not." } else { "" };
        let inside = |of: &[Question]| {
            let inner: Vec<String> = of.iter().map(|one| one.member(engine)).collect();
            format!("({})", inner.join(","))
        };
        match self {
            Question::Field { field, negated, operator, operands, quoting } => {
                let value = value(operator, &operands[engine], *quoting, nested);
                let plain = *quoting == Quoting::Bare && *operator == "eq" && !*negated && !is_operator(&value);
                let condition = if plain { value } else { format!("{}{operator}.{value}", not(negated)) };
                ((*field).to_owned(), condition)
            }
            Question::All { negated, of } => (format!("{}and", not(negated)), inside(of)),
            Question::Any { negated, of } => (format!("{}or", not(negated)), inside(of)),
            Question::Search(search) => ("search".to_owned(), search.clone()),
            Question::Bound { name, times } => ((*name).to_owned(), times[engine].clone()),
        }
    }

    /// The form inside of `or=(…)`.
    fn member(&self, engine: usize) -> String {
        let (name, rest) = self.parameter(engine, true);
        match self {
            Question::Field { .. } => format!("{name}.{rest}"),
            _ => format!("{name}{rest}"),
        }
    }
}

/// Whether a bare value would be parsed as an operator.
fn is_operator(value: &str) -> bool {
    const WORDS: [&str; 13] = ["not", "eq", "neq", "gt", "gte", "lt", "lte", "like", "ilike", "in", "is", "cs", "ov"];
    value == "all" || WORDS.iter().any(|word| value.strip_prefix(word).is_some_and(|rest| rest.starts_with('.')))
}

fn value(operator: &str, operands: &[String], quoting: Quoting, nested: bool) -> String {
    let quoted = |operand: &String, nested: bool| {
        let needed = if nested {
            operand.contains(['"', ',', '(', ')', '{', '}'])
        } else {
            operand.len() >= 2 && operand.starts_with('"') && operand.ends_with('"')
        };
        if needed || quoting == Quoting::Always {
            format!("\"{}\"", operand.replace('\\', "\\\\").replace('"', "\\\""))
        } else {
            operand.clone()
        }
    };
    let list = || operands.iter().map(|operand| quoted(operand, true)).collect::<Vec<_>>().join(",");
    match operator {
        "is" => operands.concat(),
        "in" => format!("({})", list()),
        "cs" | "ov" => format!("{{{}}}", list()),
        _ => quoted(&operands[0], nested),
    }
}
