//! Templates in subjects and bodies, as Jinja writes them: names, filters and conditions. They hold no other code, so
//! that what one makes is no larger than what goes into it.

use crate::contact::Contact;
use minijinja::value::{Enumerator, Object, ObjectRepr, Rest};
use minijinja::{AutoEscape, Environment, ErrorKind, State, UndefinedBehavior, Value, filters};
use resource::{Ctx, Error, Kind, Resource, custom};
use serde_json::{Map, Value as Json};
use std::fmt::{self, Write};
use std::sync::Arc;
use store::Tx;

/// What templates may name.
pub struct Names {
    custom: Vec<String>,
    jinja: Environment<'static>,
}

/// Besides the contact's members, `custom_data.<key>` and `custom_variable_1` … `custom_variable_10`.
const OTHERS: &[&str] = &["company.name", "sender.name", "project.name"];
const STATEMENTS: &[&str] = &["if", "elif", "else", "endif"];
const VARIABLES: u32 = 10;

impl Names {
    pub fn of(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Names, Error> {
        let custom = custom::definitions(ctx, tx, Contact::ABOUT.one)?;
        Ok(Names::with(custom.into_iter().map(|field| field.key).collect()))
    }

    fn with(custom: Vec<String>) -> Names {
        Names { custom, jinja: Environment::new() }
    }

    /// Why a text can't be a template.
    pub fn check(&self, text: &str) -> Vec<String> {
        let (filters, statements) = words(text);
        let other = statements.iter().filter(|statement| !STATEMENTS.contains(statement));
        let mut reasons: Vec<String> = other
            .map(|word| format!("does not take {{% {word} %}}: templates hold names, filters and {{% if %}}"))
            .collect();
        if !reasons.is_empty() {
            return reasons;
        }
        let template = match self.jinja.template_from_str(text) {
            Ok(template) => template,
            Err(error) => {
                let line = error.line().map_or(String::new(), |line| format!(" in line {line}"));
                return vec![format!("is not a template{line}: {}", error.detail().unwrap_or("its syntax is wrong"))];
            }
        };
        let mut unknown: Vec<String> = template.undeclared_variables(true).into_iter().collect();
        unknown.retain(|name| !self.has(name));
        unknown.sort();
        reasons.extend(unknown.iter().map(|name| format!("there is no {name} to fill in")));
        for filter in filters {
            let tried = self.jinja.render_str(&format!("{{{{ x|{filter} }}}}"), ());
            if tried.is_err_and(|error| error.kind() == ErrorKind::UnknownFilter) {
                reasons.push(format!("there is no filter {filter}"));
            }
        }
        reasons
    }

    fn has(&self, name: &str) -> bool {
        let root = name.split('.').next().unwrap_or(name);
        let member = Contact::FIELDS.iter().find(|field| field.name == root && !field.hidden);
        let variable = || name.strip_prefix("custom_variable_").and_then(|n| n.parse::<u32>().ok());
        match (name.strip_prefix("custom_data."), member.map(|field| field.kind)) {
            (Some(key), _) => self.custom.iter().any(|known| known == key),
            (None, Some(Kind::Object)) => false,
            // What lists hold has names of its own.
            (None, Some(Kind::Items(_) | Kind::Texts | Kind::Labels)) => true,
            (None, Some(_)) => root == name,
            (None, None) => {
                let numbered =
                    variable().is_some_and(|n| (1..=VARIABLES).contains(&n) && name == format!("custom_variable_{n}"));
                numbered || OTHERS.contains(&name)
            }
        }
    }
}

/// What templates are filled with: one contact, and what goes with it.
pub struct Filling {
    names: Map<String, Json>,
    jinja: Environment<'static>,
}

impl Filling {
    /// What has no value must not be among the names.
    pub fn of(names: Map<String, Json>) -> Filling {
        let mut jinja = Environment::new();
        // A missing value may be asked for and have a fallback, but not be shown.
        jinja.set_undefined_behavior(UndefinedBehavior::SemiStrict);
        jinja.set_auto_escape_callback(|name| if name == HTML { AutoEscape::Html } else { AutoEscape::None });
        for name in ["default", "d"] {
            jinja.add_filter(name, |state: &State, value: Value, args: Rest<Value>| {
                filters::default(state, &if is_missing(&value) { Value::UNDEFINED } else { value }, args)
            });
        }
        jinja.add_test("defined", |value: Value| !is_missing(&value));
        jinja.add_test("undefined", |value: Value| is_missing(&value));
        Filling { names, jinja }
    }

    /// The text with its values, or why it can't be: a value is missing that has no fallback.
    pub fn fill(&self, text: &str, html: bool) -> Result<String, String> {
        let template = self.jinja.template_from_named_str(if html { HTML } else { "text" }, text);
        let template = template.map_err(|error| error.to_string())?;
        let lists = Contact::FIELDS.iter().filter(|field| matches!(field.kind, Kind::Items(_)));
        let lists: Vec<&str> = lists.map(|field| field.name).collect();
        let listed = lists.iter().map(|name| {
            let items = self.names.get(*name).and_then(Json::as_array).into_iter().flatten();
            (*name, Value::from_object(Listed(items.map(value).collect())))
        });
        let others = self.names.iter().filter(|(name, _)| !lists.contains(&name.as_str()));
        let names = Value::from_pairs(others.map(|(name, json)| (name.as_str(), value(json))).chain(listed));
        let lacking = || {
            let mut missing: Vec<String> = template.undeclared_variables(true).into_iter().collect();
            missing.retain(|name| !self.has(name));
            missing.sort();
            let what = if missing.is_empty() { "an item of a list".to_owned() } else { missing.join(", ") };
            format!("no value for {what}, and no fallback such as {{{{ name | default(\"there\") }}}}")
        };
        match template.render(names) {
            Ok(text) if text.contains(NOTHING) => Err(lacking()),
            Ok(text) => Ok(text),
            Err(error) if error.kind() == ErrorKind::UndefinedError => Err(lacking()),
            Err(error) => Err(format!("the template can't be filled in: {error}")),
        }
    }

    fn has(&self, name: &str) -> bool {
        let mut parts = name.split('.');
        let first = parts.next().and_then(|root| self.names.get(root));
        parts.fold(first, |value, part| value.and_then(|value| value.get(part))).is_some()
    }
}

const HTML: &str = "html";

/// Stands in what is made of a value that is not there. No text of ours holds it.
const NOTHING: char = '\0';

/// A list of objects, such as emails. What it lacks may be asked for like what it has, and have a fallback.
#[derive(Debug)]
struct Listed(Vec<Value>);

/// Something that is not there, and of which nothing is.
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

fn is_missing(value: &Value) -> bool {
    let empty = value.downcast_object_ref::<Listed>().is_some_and(|list| list.0.is_empty());
    value.is_undefined() || empty || value.downcast_object_ref::<Missing>().is_some()
}

/// JSON as templates see it. Numbers are shown by their digits.
fn value(json: &Json) -> Value {
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

/// The filters and the statements that a template names.
fn words(text: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut filters, mut statements, mut rest) = (Vec::new(), Vec::new(), text);
    while let Some(at) = rest.find("{{").into_iter().chain(rest.find("{%")).chain(rest.find("{#")).min() {
        let kind = rest.as_bytes()[at + 1];
        rest = &rest[at + 2..];
        let close = match kind {
            b'{' => "}}",
            b'%' => "%}",
            _ => "#}",
        };
        let (mut quote, mut end, mut bars) = (None, rest.len(), Vec::new());
        let mut escaped = false;
        for (at, c) in rest.char_indices() {
            match (quote, c) {
                _ if escaped => escaped = false,
                (Some(_), '\\') => escaped = true,
                (Some(open), c) if open == c => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') if kind != b'#' => quote = Some(c),
                (None, '|') => bars.push(at + 1),
                (None, _) if rest[at..].starts_with(close) => {
                    end = at;
                    break;
                }
                (None, _) => {}
            }
        }
        let inside = &rest[..end];
        if kind == b'%' {
            statements.push(word(inside.trim_start_matches(['-', '+'])));
        }
        if kind != b'#' {
            filters.extend(bars.into_iter().map(|at| word(&inside[at..])).filter(|word| !word.is_empty()));
        }
        rest = &rest[end..];
    }
    filters.sort_unstable();
    filters.dedup();
    (filters, statements)
}

/// The word that a text begins with.
fn word(text: &str) -> &str {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_and_statements_are_found_where_they_stand() {
        let text =
            "a | b {{ x | default(\"y | z\") | upper }}{%- if tags|length %}{# c | d #}{% endif %} {{ '{{' ~ x|trim";
        assert_eq!(words(text), (vec!["default", "length", "trim", "upper"], vec!["if", "endif"]));
    }

    #[test]
    fn what_is_missing_needs_a_fallback() {
        let names = serde_json::json!({"first_name": "Ann <a>", "company": {}, "custom_data": {"level": 3}, "tags": ["x"],
            "phones": [{"phone": "0100", "type": "work"}]});
        let filling = Filling::of(names.as_object().cloned().expect("an object"));
        for (text, html, expected) in [
            ("Hi {{ first_name }}", false, "Hi Ann <a>"),
            ("<p>{{ first_name }}</p>", true, "<p>Ann &lt;a&gt;</p>"),
            ("{{ last_name | default('there') }}", false, "there"),
            ("{{ company.name | default('you') }}", false, "you"),
            ("{{ custom_data.level }}{% if last_name %}x{% else %}y{% endif %}", false, "3y"),
            ("{{ tags | join(',') }}", false, "x"),
            ("{{ emails[0].email | default('you') }}{{ emails | default('-') }}", false, "you-"),
            ("{{ phones[0].phone }} {{ phones[1].phone | d('none') }}", true, "0100 none"),
            ("{% if emails %}x{% elif emails[0].email is defined %}y{% else %}z{% endif %}", false, "z"),
            ("{% if phones[0].phone is defined and phones %}a{% endif %}", false, "a"),
        ] {
            assert_eq!(filling.fill(text, html).as_deref(), Ok(expected), "{text}");
        }
        for (text, why) in [
            ("Hi {{ last_name }}", "no value for last_name"),
            ("Hi {{ last_name | upper }}", "no value for last_name"),
            ("at {{ company.name }}", "no value for company.name"),
            ("{{ custom_data.team }}", "no value for custom_data.team"),
            ("{{ 'Hi ' ~ last_name }}", "no value for last_name"),
            ("{{ emails[0].email }}", "no value for emails"),
            ("{{ emails[0].email | upper }}", "no value for emails"),
            ("{{ 'to ' ~ emails[0].email }}", "no value for emails"),
            ("{{ emails }}", "no value for emails"),
            ("{{ phones[1].phone }}", "no value for an item of a list"),
        ] {
            let failed = filling.fill(text, false);
            assert!(failed.as_ref().is_err_and(|reason| reason.contains(why)), "{text}: {failed:?}");
        }
    }

    #[test]
    fn names_are_those_of_the_contact_and_of_what_goes_with_it() {
        let names = Names::with(vec!["seniority".into()]);
        for good in [
            "Hi {{ first_name | default(\"there\") }}, {{ custom_data.seniority }} {{ company.name }}",
            "{{ emails[0].email }} {{ skills | join(', ') }} {{ custom_variable_1 }} {{ custom_variable_10 }}",
            "{% if last_name %}{{ last_name }}{% else %}x{% endif %} {# note #} {{ sender.name }}{{ project.name }}",
            "no template at all, 100 % {plain}",
        ] {
            assert_eq!(names.check(good), Vec::<String>::new(), "{good}");
        }
        for (bad, why) in [
            ("{{ firstname }}", "there is no firstname"),
            ("{{ custom_data.level }}", "there is no custom_data.level"),
            ("{{ custom_data }}", "there is no custom_data "),
            ("{{ company }}", "there is no company "),
            ("{{ first_name.upper() }}", "there is no first_name.upper"),
            ("{{ custom_variable_11 }}", "there is no custom_variable_11"),
            ("{{ custom_variable_01 }}", "there is no custom_variable_01"),
            ("{{ earlier_status }}", "there is no earlier_status"),
            ("{{ range(3) }}", "there is no range"),
            ("{{ first_name | shout }}", "there is no filter shout"),
            ("{{ first_name", "is not a template in line 1"),
            ("{% for x in tags %}{% endfor %}", "does not take {% for %}"),
            ("{% set x = 1 %}", "does not take {% set %}"),
        ] {
            let reasons = names.check(bad);
            assert!(reasons.iter().any(|reason| reason.contains(why)), "{bad}: {reasons:?}");
        }
    }
}
