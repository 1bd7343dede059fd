//! A request body, checked against the table of fields: values ready to write.

use crate::error::MAX_PROBLEMS;
use crate::fold::{digits, fold, nfc};
use crate::json_value::write_value;
use crate::statements::default;
use crate::{Amount, Column, Error, Field, FieldType, Fits, Format, Kind, Problem, Time, invalid};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};
use store::Value;
use uuid::Uuid;

/// Most objects in a list; the rule of the member may allow fewer.
const MOST_ITEMS: usize = 1000;
/// Only the first unknown names get a suggestion.
pub(crate) const GUESSED: usize = 20;
/// Most characters of an unknown name that an error repeats.
pub(crate) const LONGEST_NAME: usize = 100;

/// The members that a body may have: fields of the record, and members that exist only in requests.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub record: &'static [Field],
    pub extra: &'static [Field],
}

/// A body before it is checked.
pub struct Input<'a>(pub &'a Map<String, Json>);

/// The checked members of a body. An absent member has no entry; a null one has `Value::Null`.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    set: Vec<(&'static Field, Value)>,
    /// A name that was passed to `set_named` and belongs to no field.
    unknown: Option<String>,
}

impl Changes {
    /// Checks all members and reports every problem found.
    pub fn check(shape: &Shape, input: &Input<'_>, creating: bool) -> Result<Changes, Error> {
        let (changes, problems) = Changes::sift(shape, input, creating)?;
        if problems.is_empty() { Ok(changes) } else { Err(Error::Invalid(problems)) }
    }

    /// Like `check`, for callers with further checks: returns the valid members, and the problems of the others.
    pub fn sift(shape: &Shape, input: &Input<'_>, creating: bool) -> Result<(Changes, Vec<Problem>), Error> {
        let (mut changes, mut problems) = (Vec::new(), Vec::new());
        let fields = || shape.record.iter().chain(shape.extra);
        for name in input.0.keys() {
            if problems.len() >= MAX_PROBLEMS {
                break;
            }
            if !fields().any(|field| field.name == name && !(field.hidden && field.read_only)) {
                // Finding the nearest name is slow, and a client that sends many unknown names has not mistyped them.
                let names: Vec<&str> = match problems.len() {
                    ..GUESSED => fields().filter(|f| !f.read_only).map(|f| f.name).collect(),
                    _ => Vec::new(),
                };
                let field = name.chars().take(LONGEST_NAME).collect();
                problems.push(Problem { field, reason: unknown(name, &names) });
            }
        }
        for field in fields().filter(|field| !field.read_only) {
            match input.0.get(field.name) {
                None if creating && field.required => {
                    problems.push(Problem { field: field.name.into(), reason: "is required".into() });
                }
                None => {}
                Some(json) => match field.check(field.name, json) {
                    Ok(value) => changes.push((field, value)),
                    Err(Error::Invalid(mut found)) => problems.append(&mut found),
                    Err(other) => return Err(other),
                },
            }
        }
        Ok((Changes { set: changes, unknown: None }, problems))
    }

    pub fn get<T: FieldType>(&self, column: Column<T>) -> Option<&Value> {
        self.named(column.name())
    }
    pub fn take<T: FieldType>(&mut self, column: Column<T>) -> Option<Value> {
        self.take_named(column.name())
    }
    /// Sets a column, including read-only ones, which clients can't set.
    pub fn set<T: FieldType>(&mut self, column: Column<T>, value: impl Fits<T>) {
        self.set_field(column.field, value.into_value());
    }
    /// Sets a column to null.
    pub fn clear<T: FieldType>(&mut self, column: Column<Option<T>>) {
        self.set_field(column.field, Value::Null);
    }
    pub fn text<T: FieldType>(&self, column: Column<T>) -> Option<&str> {
        self.named_text(column.name())
    }
    /// A column that is stored as JSON, or the default if it is absent or null. `check` has verified its shape.
    pub fn json<T: FieldType, J: DeserializeOwned + Default>(&self, column: Column<T>) -> Result<J, Error> {
        self.named_json(column.name())
    }

    /// For generic rules, which learn of the field at run time.
    pub fn set_field(&mut self, field: &'static Field, value: impl Into<Value>) {
        self.take_named(field.name);
        self.set.push((field, value.into()));
    }
    /// The member of a request, or the field that a generic rule learned of at run time.
    pub fn named(&self, name: &str) -> Option<&Value> {
        self.set.iter().find(|(field, _)| field.name == name).map(|(_, value)| value)
    }
    pub fn take_named(&mut self, name: &str) -> Option<Value> {
        let at = self.set.iter().position(|(field, _)| field.name == name)?;
        Some(self.set.remove(at).1)
    }
    /// Sets a field of `fields` for a generic rule. A name without a field makes the write fail later.
    pub fn set_named(&mut self, fields: &'static [Field], name: &str, value: impl Into<Value>) {
        match fields.iter().find(|field| field.name == name) {
            Some(field) => self.set_field(field, value),
            None => {
                debug_assert!(false, "there is no field {name}");
                self.unknown = Some(name.to_owned());
            }
        }
    }
    /// Whether all fields that were set exist.
    pub(crate) fn check_known(&self) -> Result<(), Error> {
        match &self.unknown {
            Some(name) => Err(store::Error::Internal(format!("there is no field {name}")).into()),
            None => Ok(()),
        }
    }
    pub fn named_text(&self, name: &str) -> Option<&str> {
        match self.named(name) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }
    /// A member that is stored as JSON, or the default if it is absent or null. `check` has verified its shape.
    pub fn named_json<T: DeserializeOwned + Default>(&self, name: &str) -> Result<T, Error> {
        let Some(text) = self.named_text(name) else { return Ok(T::default()) };
        let unfit = |_| store::Error::Internal(format!("{name} is not of the shape that was checked"));
        Ok(serde_json::from_str(text).map_err(unfit)?)
    }
    pub fn iter(&self) -> impl Iterator<Item = (&'static Field, &Value)> {
        self.set.iter().map(|(field, value)| (*field, value))
    }
}

/// Contains no semicolon, because semicolons separate problems in a message.
fn unknown(name: &str, names: &[&str]) -> String {
    match nearest(name, names) {
        Some(near) => format!("is not a member of this body (did you mean {near}?)"),
        None => "is not a member of this body".into(),
    }
}

/// The known name that is most similar to a misspelt one, if any is similar enough.
pub fn nearest<'a>(name: &str, names: &[&'a str]) -> Option<&'a str> {
    if name.len() > 100 {
        return None;
    }
    let near = names.iter().map(|known| (strsim::damerau_levenshtein(name, known), *known)).min()?;
    (near.0 <= 1 + name.chars().count() / 4).then_some(near.1)
}

/// Text as it is stored: trimmed and in NFC.
pub fn tidy(path: &str, text: &str) -> Result<String, Error> {
    if text.contains('\0') {
        return Err(invalid(path, "must not hold the character NUL"));
    }
    Ok(nfc(text.trim()).into_owned())
}

impl Field {
    /// The value of this member as it is stored.
    pub(crate) fn check(&self, path: &str, json: &Json) -> Result<Value, Error> {
        match (self.kind, json) {
            (_, Json::Null) if self.nullable => Ok(Value::Null),
            (_, Json::Null) => Err(invalid(path, "must not be null")),
            (Kind::Text, Json::String(text)) => self.check_text(path, text),
            (Kind::Text, _) => Err(invalid(path, "must be a string")),
            (Kind::Choice(words), Json::String(word)) if words.contains(&word.as_str()) => Ok(word.as_str().into()),
            (Kind::Choice(words), _) => Err(invalid(path, format!("must be one of {}", words.join(", ")))),
            (Kind::Int, Json::Number(number)) => {
                let whole = number
                    .as_i64()
                    .or_else(|| number.as_f64().filter(|n| n.fract() == 0.0 && n.abs() < 9e15).map(|n| n as i64));
                let whole = whole.ok_or_else(|| invalid(path, "must be a whole number"))?;
                if whole < self.least || whole > self.most {
                    return Err(invalid(path, format!("must be from {} to {}", self.least, self.most)));
                }
                Ok(whole.into())
            }
            (Kind::Int, _) => Err(invalid(path, "must be a whole number")),
            (Kind::Bool, Json::Bool(b)) => Ok((*b).into()),
            (Kind::Bool, _) => Err(invalid(path, "must be true or false")),
            (Kind::Id, Json::String(id)) => match parse_id(id) {
                Some(id) => Ok(id.into()),
                None => Err(invalid(path, "must be a uuid")),
            },
            (Kind::Id, _) => Err(invalid(path, "must be a uuid")),
            (Kind::Time, Json::String(text)) => match Time::parse(text) {
                Some(time) => Ok(time.0.into()),
                None => Err(invalid(path, "must be an RFC 3339 time or a date")),
            },
            (Kind::Time, _) => Err(invalid(path, "must be an RFC 3339 time or a date")),
            (Kind::Date, Json::String(text)) if is_date(text) => Ok(text.as_str().into()),
            (Kind::Date, _) => Err(invalid(path, "must be a date of the form YYYY-MM-DD")),
            (Kind::Amount, Json::Number(number)) => match Amount::parse(&number.to_string()) {
                Ok(amount) => Ok(amount.into()),
                Err(reason) => Err(invalid(path, reason)),
            },
            (Kind::Amount, _) => Err(invalid(path, "must be a number")),
            // Custom fields are checked as JSON, in `custom`, so that numbers keep their form.
            (Kind::Number, _) => Err(invalid(path, "must be a number")),
            (Kind::Texts | Kind::Labels, Json::Array(items)) => self.check_texts(path, items),
            (Kind::Texts | Kind::Labels, _) => Err(invalid(path, "must be an array of strings")),
            (Kind::Ids, Json::Array(items)) => self.check_ids(path, items),
            (Kind::Ids, _) => Err(invalid(path, "must be an array of uuids")),
            (Kind::Items(fields), Json::Array(items)) => check_items(fields, path, items),
            (Kind::Items(_), _) => Err(invalid(path, "must be an array of objects")),
            (Kind::Object, Json::Object(object)) => Ok(Json::Object(object.clone()).to_string().into()),
            (Kind::Part(fields), Json::Object(object)) => match checked(fields, object) {
                Ok(whole) => Ok(Json::Object(whole).to_string().into()),
                Err(error) => Err(within(path, error)),
            },
            (Kind::Object | Kind::Part(_), _) => Err(invalid(path, "must be an object")),
        }
    }

    fn check_text(&self, path: &str, text: &str) -> Result<Value, Error> {
        let text = tidy(path, text)?;
        if text.is_empty() && self.nullable {
            return Ok(Value::Null);
        }
        if text.is_empty() {
            return Err(invalid(path, "must not be empty"));
        }
        if text.chars().count() > self.max {
            return Err(invalid(path, format!("must be at most {} characters", self.max)));
        }
        match self.format {
            Format::Email if !is_email(&text) => Err(invalid(path, "is not an email address")),
            Format::Phone if digits(&text).is_empty() => Err(invalid(path, "is not a phone number")),
            Format::Url | Format::Profile if !is_url(&text) => Err(invalid(path, NO_URL)),
            Format::Color if !is_color(&text) => Err(invalid(path, "must be a colour of the form #RRGGBB")),
            Format::Host if !is_host(&text) => Err(invalid(path, "must be a host name, such as example.com")),
            Format::Host => Ok(text.to_lowercase().into()),
            Format::Currency if !is_currency(&text) => Err(invalid(path, "must be an ISO 4217 code such as EUR")),
            Format::Currency => Ok(text.to_uppercase().into()),
            _ => Ok(text.into()),
        }
    }

    /// Duplicates count once.
    fn check_ids(&self, path: &str, items: &[Json]) -> Result<Value, Error> {
        let (mut ids, mut problems) = (Vec::new(), Vec::new());
        for (index, item) in items.iter().enumerate() {
            match item.as_str().and_then(parse_id) {
                Some(id) if ids.contains(&id) => {}
                Some(id) => ids.push(id),
                None => problems.push(Problem { field: format!("{path}.{index}"), reason: "must be a uuid".into() }),
            }
            if ids.len() > self.max || problems.len() >= MAX_PROBLEMS {
                problems.push(Problem { field: path.into(), reason: format!("must have at most {} items", self.max) });
                break;
            }
        }
        if !problems.is_empty() {
            return Err(Error::Invalid(problems));
        }
        Ok(Json::from(ids.iter().map(Uuid::to_string).collect::<Vec<_>>()).to_string().into())
    }

    /// Duplicates, ignoring case, count once.
    fn check_texts(&self, path: &str, items: &[Json]) -> Result<Value, Error> {
        let (mut texts, mut seen, mut problems) = (Vec::new(), Vec::new(), Vec::new());
        for (index, item) in items.iter().enumerate() {
            let path = format!("{path}.{index}");
            let text = match item {
                Json::String(text) => tidy(&path, text)?,
                _ => {
                    problems.push(Problem { field: path, reason: "must be a string".into() });
                    continue;
                }
            };
            if text.is_empty() {
                problems.push(Problem { field: path, reason: "must not be empty".into() });
            } else if text.chars().count() > self.item_max {
                problems.push(Problem { field: path, reason: format!("must be at most {} characters", self.item_max) });
            } else if self.format == Format::Email && !is_email(&text) {
                problems.push(Problem { field: path, reason: "is not an email address".into() });
            } else if !seen.contains(&fold(&text)) {
                seen.push(fold(&text));
                texts.push(text);
            }
            if problems.len() >= MAX_PROBLEMS {
                break;
            }
            if seen.len() > self.max {
                problems
                    .push(Problem { field: self.name.into(), reason: format!("must have at most {} items", self.max) });
                break;
            }
        }
        if !problems.is_empty() {
            return Err(Error::Invalid(problems));
        }
        Ok(Json::from(texts).to_string().into())
    }
}

/// Checks each object like a body of its own. The rule of the member limits how many there are, because it may add
/// items in front.
fn check_items(fields: &'static [Field], path: &str, items: &[Json]) -> Result<Value, Error> {
    let (mut whole, mut problems) = (Vec::new(), Vec::new());
    if items.len() > MOST_ITEMS {
        return Err(invalid(path, format!("must have at most {MOST_ITEMS} items")));
    }
    for (index, item) in items.iter().enumerate() {
        let Json::Object(object) = item else {
            problems.push(Problem { field: format!("{path}.{index}"), reason: "must be an object".into() });
            continue;
        };
        // Objects without declared fields may contain anything.
        if fields.is_empty() {
            whole.push(item.clone());
            continue;
        }
        match checked(fields, object).map_err(|error| within(&format!("{path}.{index}"), error)) {
            Ok(item) => whole.push(Json::Object(item)),
            Err(Error::Invalid(mut found)) => problems.append(&mut found),
            Err(other) => return Err(other),
        }
    }
    if !problems.is_empty() {
        return Err(Error::Invalid(problems));
    }
    Ok(Json::Array(whole).to_string().into())
}

/// Checks an object and returns it with all of these fields: a missing one has its default, or null.
pub fn checked(fields: &'static [Field], object: &Map<String, Json>) -> Result<Map<String, Json>, Error> {
    let changes = Changes::check(&Shape { record: fields, extra: &[] }, &Input(object), true)?;
    let mut whole = Map::new();
    for field in fields {
        let json = match changes.named(field.name) {
            Some(value) => shown(field, value)?,
            None => default(field).map_or(Ok(Json::Null), |value| shown(field, &value))?,
        };
        whole.insert(field.name.into(), json);
    }
    Ok(whole)
}

fn shown(field: &Field, value: &Value) -> Result<Json, Error> {
    if let (Kind::Text | Kind::Choice(_), Value::Text(text)) = (field.kind, value) {
        return Ok(text.as_str().into());
    }
    let mut json = Vec::new();
    write_value(&mut json, field.kind, value.as_ref())?;
    let unfit = |_| store::Error::Internal(format!("the value of {} is not JSON", field.name));
    Ok(serde_json::from_slice(&json).map_err(unfit)?)
}

/// Prefixes the fields of an error's problems with `path`.
pub fn within(path: &str, error: Error) -> Error {
    let inside = |problem: Problem| Problem { field: format!("{path}.{}", problem.field), reason: problem.reason };
    match error {
        Error::Invalid(problems) => Error::Invalid(problems.into_iter().map(inside).collect()),
        other => other,
    }
}

/// Accepts hyphenated or plain hex, but none of the other forms that the library accepts.
pub(crate) fn parse_id(text: &str) -> Option<Uuid> {
    matches!(text.len(), 32 | 36).then(|| Uuid::try_parse(text).ok())?
}

pub(crate) fn is_date(text: &str) -> bool {
    text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok_and(|date| date.year() > 0)
}

/// ISO 4217 codes, including some that were withdrawn recently.
const CURRENCIES: &str = "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD \
     CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS \
     GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD \
     KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR \
     NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN \
     SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XAG \
     XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX YER ZAR ZMW ZWG ZWL";

/// Ignores case.
pub fn is_currency(text: &str) -> bool {
    text.len() == 3 && CURRENCIES.split(' ').any(|code| code.eq_ignore_ascii_case(text))
}

fn is_host(text: &str) -> bool {
    text.len() <= 253 && text.contains('.') && text.split('.').all(is_label)
}

fn is_label(label: &str) -> bool {
    !label.is_empty()
        && label.len() <= 63
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.chars().all(|c| c.is_alphanumeric() || c == '-')
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let odd = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '<' | '>' | '(' | ')' | ',' | ';' | ':' | '"' | '@' | '\\' | '[' | ']')
    };
    text.len() <= 254
        && !local.is_empty()
        && local.len() <= 64
        && !local.contains(odd)
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..")
        && domain.contains('.')
        && domain.split('.').all(is_label)
}

/// Some programs write these characters although no URL may contain them, so the message says how to fix it.
pub(crate) const NO_URL: &str = "must be an http or https URL; percent-encode spaces and any of < > \" { } | \\ ^ `";

pub(crate) fn is_url(text: &str) -> bool {
    let scheme = text.get(..8).unwrap_or(text).to_ascii_lowercase();
    (scheme.starts_with("http://") || scheme.starts_with("https://"))
        && !text.contains(|c: char| c.is_whitespace() || c.is_control() || r#"<>"{}|\^`"#.contains(c))
        && url::Url::parse(text).is_ok_and(|url| url.has_host())
}

fn is_color(text: &str) -> bool {
    text.len() == 7 && text.starts_with('#') && text[1..].bytes().all(|b| b.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_urls() {
        for good in [
            "https://example.com",
            "HTTP://example.com/in/жан?a=b#c",
            "https://example.com/a%7Bb%7D",
            "http://[::1]:80/",
        ] {
            assert!(is_url(good), "{good}");
        }
        for bad in [
            "example.com",
            "ftp://example.com",
            "https://",
            "https://exam ple.com",
            "https://examp{le.com/in/ada",
            "https://example.com/a|b",
            "https://example.com/\"x\"",
        ] {
            assert!(!is_url(bad), "{bad}");
        }
    }

    #[test]
    fn recognizes_email_addresses() {
        for good in ["a@example.com", "ann.lee+crm@mail.example.com", "josé@exämple.com"] {
            assert!(is_email(good), "{good}");
        }
        for bad in [
            "",
            "a",
            "a@",
            "@example.com",
            "a@b",
            "a b@example.com",
            "a@exa mple.com",
            "a@-x.com",
            "a@x..com",
            "a..b@example.com",
            "a@b@example.com",
            "<a@example.com>",
        ] {
            assert!(!is_email(bad), "{bad}");
        }
    }

    #[test]
    fn suggests_the_nearest_member() {
        assert_eq!(nearest("first_nam", &["last_name", "first_name", "title"]), Some("first_name"));
        assert_eq!(nearest("titel", &["last_name", "first_name", "title"]), Some("title"));
        assert_eq!(nearest("shoe_size", &["last_name", "first_name", "title"]), None);
    }
}
