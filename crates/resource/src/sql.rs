//! The text of a statement. It is written left to right with its parameters, so that `$1…$n` are in the order of their
//! first use.

use crate::{Cond, Field, Format, Test, fold, profile_key};
use store::Value;
use uuid::Uuid;

pub(crate) struct Sql {
    pub text: String,
    pub params: Vec<Value>,
    /// The SQL of the conditions, once it was written.
    pub conds: Option<String>,
    /// SQL that keeps the planner from combining the subqueries of conditions, so that each is evaluated per record.
    pub apart: &'static str,
}

impl Sql {
    pub(crate) fn new(text: &str) -> Self {
        Sql { text: text.to_owned(), params: Vec::new(), conds: None, apart: "" }
    }
    pub(crate) fn push(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }
    pub(crate) fn bind(&mut self, value: impl Into<Value>) -> &mut Self {
        self.params.push(value.into());
        let n = self.params.len();
        self.push(&format!("${n}"))
    }
    /// Ends an expression whose value must be `()`.
    pub(crate) fn end(&mut self) {}
    pub(crate) fn bind_all(&mut self, values: &[Value]) -> &mut Self {
        for (index, value) in values.iter().enumerate() {
            self.push(if index == 0 { "(" } else { ", " }).bind(value.clone());
        }
        self.push(")")
    }
}

/// A list of ids whose length is a power of two, so that there are few different statements.
pub(crate) fn padded(ids: &[Uuid]) -> Vec<Value> {
    let last = ids.last().copied().unwrap_or_default();
    ids.iter().copied().chain(std::iter::repeat(last)).take(ids.len().next_power_of_two()).map(Value::Id).collect()
}

/// The key of a text in `terms`.
pub fn text_key(field: &Field, text: &str) -> String {
    if field.format == Format::Profile { profile_key(text) } else { fold(text) }
}

pub(crate) fn text_of(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

/// Visits every test of a condition.
pub fn each_test(cond: &Cond, visit: &mut dyn FnMut(&Test)) {
    match cond {
        Cond::All(conds) | Cond::Any(conds) => conds.iter().for_each(|cond| each_test(cond, visit)),
        Cond::Not(cond) => each_test(cond, visit),
        Cond::Test(test) => visit(test),
        Cond::Find(_) => {}
    }
}
