//! Texts with placeholders for a person's values: `https://finder.example.com/?name={full_name}`.

use super::Person;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The names of the placeholders. They also appear in the error if a contact has no such value.
pub const PLACEHOLDERS: &[&str] =
    &["first_name", "last_name", "full_name", "company", "domain", "network_profile", "title", "location", "email"];

const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A piece of a template: literal text, or the name of a placeholder.
enum Piece<'a> {
    Text(&'a str),
    Placeholder(&'a str),
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while let Some(open) = rest.find('{') {
        let name = rest[open + 1..].find('}').map(|close| &rest[open + 1..open + 1 + close]);
        let is_name = |name: &&str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        match name.filter(is_name) {
            Some(name) => {
                pieces.extend([Piece::Text(&rest[..open]), Piece::Placeholder(name)]);
                rest = &rest[open + name.len() + 2..];
            }
            None => {
                pieces.push(Piece::Text(&rest[..=open]));
                rest = &rest[open + 1..];
            }
        }
    }
    pieces.push(Piece::Text(rest));
    pieces
}

/// Whether every placeholder is known.
pub(super) fn check(text: &str) -> Result<(), String> {
    for piece in pieces(text) {
        if let Piece::Placeholder(name) = piece
            && !PLACEHOLDERS.contains(&name)
        {
            let known: Vec<String> = PLACEHOLDERS.iter().map(|name| format!("{{{name}}}")).collect();
            return Err(format!("{{{name}}} is none of {}", known.join(" ")));
        }
    }
    Ok(())
}

/// A URL for this person; each value is percent-encoded.
pub(super) fn url(text: &str, person: &Person) -> Result<String, String> {
    filled(text, person, |value| utf8_percent_encode(value, ENCODED).to_string())
}

/// A JSON text for this person; each value is escaped as in a JSON string.
pub(super) fn body(text: &str, person: &Person) -> Result<String, String> {
    filled(text, person, |value| {
        let quoted = serde_json::Value::from(value).to_string();
        quoted[1..quoted.len() - 1].to_owned()
    })
}

fn filled(text: &str, person: &Person, encoded: impl Fn(&str) -> String) -> Result<String, String> {
    let mut filled = String::new();
    for piece in pieces(text) {
        match piece {
            Piece::Text(text) => filled.push_str(text),
            Piece::Placeholder(name) => {
                let value = value(person, name).ok_or_else(|| format!("the contact has no {name}"))?;
                filled.push_str(&encoded(&value));
            }
        }
    }
    Ok(filled)
}

fn value(person: &Person, name: &str) -> Option<String> {
    match name {
        "first_name" => person.first_name.clone(),
        "last_name" => person.last_name.clone(),
        "full_name" => {
            let names = [person.first_name.as_deref(), person.last_name.as_deref()];
            let name = names.into_iter().flatten().collect::<Vec<_>>().join(" ");
            (!name.is_empty()).then_some(name)
        }
        "company" => person.company.clone(),
        "domain" => person.domain.clone(),
        "network_profile" => person.network_profile.clone(),
        "title" => person.title.clone(),
        "location" => person.location.clone(),
        "email" => person.email.clone(),
        _ => None,
    }
}

/// A person with all values, to check whether a template can be filled.
pub(super) fn example() -> Person {
    let some = |text: &str| Some(text.to_owned());
    Person {
        first_name: some("Ada"),
        last_name: some("Martin"),
        company: some("Aster Labs"),
        domain: some("aster-labs.example.com"),
        network_profile: some("https://network.example.com/in/ada-martin"),
        title: some("Engineer"),
        location: some("Berlin"),
        email: some("ada@example.com"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_encoded_and_never_read_as_templates() {
        let odd = Person { first_name: Some("A&b/{domain}\"\n".into()), domain: Some("x.example".into()), ..example() };
        assert_eq!(
            url("http://h/?a={first_name}&b={domain}", &odd).as_deref(),
            Ok("http://h/?a=A%26b%2F%7Bdomain%7D%22%0A&b=x.example")
        );
        assert_eq!(body("{\"a\": \"{first_name}\"}", &odd).as_deref(), Ok("{\"a\": \"A&b/{domain}\\\"\\n\"}"));
        let nobody = Person { domain: None, ..example() };
        assert_eq!(url("http://h/{domain}", &nobody), Err("the contact has no domain".to_owned()));
        assert!(check("{shoe_size}").is_err_and(|error| error.starts_with("{shoe_size} is none of {first_name}")));
        assert_eq!(check("{\"a\": {}}"), Ok(()));
    }
}
