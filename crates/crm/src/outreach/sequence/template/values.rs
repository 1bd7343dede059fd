//! Values of templates, among them values that are missing.

use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectRepr};
use serde_json::Value as Json;
use std::fmt::{self, Write};
use std::sync::Arc;

/// The name of templates whose values are escaped for HTML.
pub(super) const HTML: &str = "html";

/// Marks the place of a missing value in the rendered text. Stored texts don't contain it.
pub(super) const NOTHING: char = '\0';

/// A list of objects, such as emails. Items that are not there can be named and have a fallback.
#[derive(Debug)]
pub(super) struct Listed(pub Vec<Value>);

/// A missing value, all of whose members are missing.
#[derive(Debug)]
struct Missing;

impl Object for Listed {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let item = key.as_usize().and_then(|at| self.0.get(at)).cloned();
        Some(item.unwrap_or_else(|| Value::from_object(Missing)))
    }
    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Seq(self.0.len())
    }
    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_char(NOTHING) } else { f.debug_list().entries(&self.0).finish() }
    }
}

impl Object for Missing {
    fn get_value(self: &Arc<Self>, _: &Value) -> Option<Value> {
        Some(Value::from_object(Missing))
    }
    fn is_true(self: &Arc<Self>) -> bool {
        false
    }
    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(NOTHING)
    }
}

pub(super) fn is_missing(value: &Value) -> bool {
    let empty = value.downcast_object_ref::<Listed>().is_some_and(|list| list.0.is_empty());
    value.is_undefined() || empty || value.downcast_object_ref::<Missing>().is_some()
}

/// JSON as a value of the template engine.
pub(super) fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::UNDEFINED,
        Json::Bool(is) => (*is).into(),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => whole.into(),
            (None, Some(float)) => float.into(),
            (None, None) => number.to_string().into(),
        },
        Json::String(text) => text.as_str().into(),
        Json::Array(items) => items.iter().map(value).collect(),
        Json::Object(members) => Value::from_pairs(members.iter().map(|(name, json)| (name.as_str(), value(json)))),
    }
}

/// The sender as a value of an HTML template: the signature is HTML already, so that it is not escaped.
pub(super) fn sender(json: &Json) -> Value {
    let members = json.as_object().into_iter().flatten().map(|(name, json)| match (name.as_str(), json) {
        ("signature", Json::String(html)) => ("signature", Value::from_safe_string(html.clone())),
        (name, json) => (name, value(json)),
    });
    Value::from_pairs(members)
}
