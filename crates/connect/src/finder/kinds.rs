//! How each kind of finder is called, and where its answers contain the values.

use super::{Answer, Candidate, Kind, Miss, Person, Question, Setup, template};
use reqwest::Method;
use serde_json::{Value, json};

pub(super) fn question(setup: &Setup, person: &Person) -> Result<Question, Miss> {
    match setup.kind {
        Kind::Json => described(setup, person),
        Kind::Hunter => hunter(&setup.url, person),
        Kind::Apollo => apollo(&setup.url, person),
    }
}

pub(super) fn answer(setup: &Setup, json: &Value) -> Answer {
    match setup.kind {
        Kind::Json => by_paths(setup, json),
        Kind::Hunter => of_hunter(json),
        Kind::Apollo => of_apollo(json),
    }
}

fn described(setup: &Setup, person: &Person) -> Result<Question, Miss> {
    let url = template::url(&setup.url, person).map_err(Miss::Lacks)?;
    let body = setup.body.as_deref().map(|body| template::body(body, person)).transpose().map_err(Miss::Lacks)?;
    let method = match (setup.method.as_deref(), &body) {
        (Some("PUT"), _) => Method::PUT,
        (Some("POST"), _) | (None, Some(_)) => Method::POST,
        _ => Method::GET,
    };
    Ok(Question { method, url, body })
}

fn by_paths(setup: &Setup, json: &Value) -> Answer {
    let texts = |path: &Option<String>| {
        let found = path.as_deref().map(|path| at(json, path)).unwrap_or_default();
        found.into_iter().filter_map(text).collect::<Vec<_>>()
    };
    let all = |path: &Option<String>| path.as_deref().map(|path| at(json, path)).unwrap_or_default();
    let (confidences, verified) = (all(&setup.confidence_path), all(&setup.verified_path));
    let emails = texts(&setup.email_path);
    // One value for each address, or one for all.
    let nth = |values: &[&Value], nth: usize| match values {
        [only] => Some((*only).clone()),
        values if values.len() == emails.len() => values.get(nth).map(|value| (*value).clone()),
        _ => None,
    };
    let email = |(place, value): (usize, &String)| Candidate {
        value: value.clone(),
        verified: nth(&verified, place).is_some_and(|word| is_verified(&word)),
        confidence: nth(&confidences, place).and_then(|number| percent(&number)),
    };
    Answer {
        emails: emails.iter().enumerate().map(email).collect(),
        phones: texts(&setup.phone_path).into_iter().map(plain).collect(),
        name: texts(&setup.name_path).into_iter().next(),
    }
}

fn plain(value: String) -> Candidate {
    Candidate { value, verified: false, confidence: None }
}

/// The values at a dotted path: members by name, items by number, all items by `*`.
fn at<'a>(json: &'a Value, path: &str) -> Vec<&'a Value> {
    let mut found = vec![json];
    for step in path.split('.').filter(|step| !step.is_empty() && *step != "$") {
        found = found
            .into_iter()
            .flat_map(|value| match (value, step) {
                (Value::Array(items), "*") => items.iter().collect::<Vec<_>>(),
                (Value::Object(members), "*") => members.values().collect(),
                (Value::Array(items), step) => {
                    step.parse().ok().and_then(|n: usize| items.get(n)).into_iter().collect()
                }
                (value, step) => value.get(step).into_iter().collect(),
            })
            .collect();
    }
    // A path may also end at the list itself.
    found
        .into_iter()
        .flat_map(|value| match value {
            Value::Array(items) => items.iter().collect::<Vec<_>>(),
            value => vec![value],
        })
        .collect()
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn is_verified(value: &Value) -> bool {
    match value {
        Value::Bool(verified) => *verified,
        Value::String(word) => {
            ["valid", "verified", "deliverable", "true", "ok"].iter().any(|good| word.eq_ignore_ascii_case(good))
        }
        _ => false,
    }
}

/// A confidence as a fraction of 1 or as a percentage.
fn percent(value: &Value) -> Option<i64> {
    let number = value.as_f64().or_else(|| value.as_str()?.parse().ok())?;
    let share = if value.as_f64().is_some_and(|n| n.fract() != 0.0 && n < 1.0) { number * 100.0 } else { number };
    (0.0..=100.0).contains(&share).then(|| share.round() as i64)
}

fn address(base: &str, path: &str) -> String {
    format!("{}{path}", base.trim_end_matches('/'))
}

/// A company by its domain or name, which both services require.
fn company(person: &Person) -> Result<(&'static str, &str), Miss> {
    let of = person.domain.as_deref().map(|domain| ("domain", domain));
    let of = of.or_else(|| person.company.as_deref().map(|company| ("company", company)));
    of.ok_or_else(|| Miss::Lacks("the contact has no domain and no company".to_owned()))
}

fn names(person: &Person) -> Result<(&str, &str), Miss> {
    let lacks = |name: &str| Miss::Lacks(format!("the contact has no {name}"));
    let first = person.first_name.as_deref().ok_or_else(|| lacks("first_name"))?;
    Ok((first, person.last_name.as_deref().ok_or_else(|| lacks("last_name"))?))
}

fn hunter(base: &str, person: &Person) -> Result<Question, Miss> {
    let ((first, last), company) = (names(person)?, company(person)?);
    let mut url = url::Url::parse(&address(base, "/v2/email-finder")).map_err(|e| Miss::Refused(e.to_string()))?;
    url.query_pairs_mut().extend_pairs([company, ("first_name", first), ("last_name", last)]);
    Ok(Question { method: Method::GET, url: url.into(), body: None })
}

fn of_hunter(json: &Value) -> Answer {
    let data = &json["data"];
    let email = |value: String| Candidate {
        value,
        verified: is_verified(&data["verification"]["status"]),
        confidence: percent(&data["score"]),
    };
    Answer { emails: text(&data["email"]).map(email).into_iter().collect(), phones: Vec::new(), name: name_in(data) }
}

fn apollo(base: &str, person: &Person) -> Result<Question, Miss> {
    let ((first, last), (member, of)) = (names(person)?, company(person)?);
    let member = if member == "company" { "organization_name" } else { member };
    let mut body = json!({ "first_name": first, "last_name": last, "reveal_personal_emails": true });
    body[member] = of.into();
    if let Some(email) = &person.email {
        body["email"] = email.as_str().into();
    }
    let url = address(base, "/api/v1/people/match");
    Ok(Question { method: Method::POST, url, body: Some(body.to_string()) })
}

fn of_apollo(json: &Value) -> Answer {
    let person = &json["person"];
    let work = text(&person["email"]).map(|value| Candidate {
        value,
        verified: is_verified(&person["email_status"]),
        confidence: None,
    });
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let personal = list(&person["personal_emails"]).iter().filter_map(text).map(plain).collect::<Vec<_>>();
    let numbers = [list(&person["phone_numbers"]), list(&person["contact"]["phone_numbers"])].concat();
    let number = |number: &Value| text(&number["sanitized_number"]).or_else(|| text(&number["raw_number"]));
    Answer {
        emails: work.into_iter().chain(personal).collect(),
        phones: numbers.iter().filter_map(number).map(plain).collect(),
        name: name_in(person),
    }
}

fn name_in(person: &Value) -> Option<String> {
    let names: Vec<String> = [&person["first_name"], &person["last_name"]].into_iter().filter_map(text).collect();
    (!names.is_empty()).then(|| names.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_values() {
        let json = json!({"data": {"emails": [{"value": "a@x.com"}, {"value": "b@x.com"}], "list": ["c@x.com"], "one": "d@x.com"}});
        let found = |path: &str| at(&json, path).into_iter().filter_map(text).collect::<Vec<_>>();
        assert_eq!(found("data.emails.*.value"), ["a@x.com", "b@x.com"]);
        assert_eq!(found("data.emails.1.value"), ["b@x.com"]);
        assert_eq!(found("$.data.list"), ["c@x.com"]);
        assert_eq!(found("data.one"), ["d@x.com"]);
        assert!(found("data.none.of.this").is_empty());
    }

    #[test]
    fn sureness_is_a_share_of_a_hundred() {
        for (given, meant) in [
            (json!(97), Some(97)),
            (json!(0.5), Some(50)),
            (json!("88"), Some(88)),
            (json!(1), Some(1)),
            (json!(300), None),
            (json!(null), None),
        ] {
            assert_eq!(percent(&given), meant, "{given}");
        }
    }
}
