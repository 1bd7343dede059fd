//! Names in the plain text of a template that were probably meant to be filled in: `{ first_name }`, `first_name }}`.

use super::{Names, examine};
use minijinja::machinery::{Token, tokenize};

/// The names with a brace too few, in their order, once each. Empty for a text that can't be a template.
pub fn half_written(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    // What is in `{% raw %}` is meant as it is written.
    if text.contains("endraw") || !examine(text).reasons.is_empty() {
        return found;
    }
    let known = Names::with(Vec::new());
    let is_known = |name: &str| known.has(name) || name.starts_with("custom_data.");
    for token in tokenize(text, false, Default::default()) {
        let Ok((Token::TemplateData(plain), _)) = token else { continue };
        // Each piece before a `}` ends with the name, if there is one.
        let mut pieces = plain.split('}');
        pieces.next_back();
        for piece in pieces {
            let piece = piece.trim_end();
            let is_part = |one: char| one.is_ascii_alphanumeric() || one == '_' || one == '.';
            let name = &piece[piece.trim_end_matches(is_part).len()..];
            if is_known(name) && !found.iter().any(|one| one == name) {
                found.push(name.to_owned());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_a_brace_too_few_are_found() {
        for (text, expected) in [
            ("Hello { first_name }, {last_name}}!", &["first_name", "last_name"][..]),
            ("Hello first_name }}", &["first_name"]),
            (
                "{custom_data.level} {company.name} {sender.first_name} {unsubscribe_url}",
                &["custom_data.level", "company.name", "sender.first_name", "unsubscribe_url"],
            ),
            ("{ title } and { title }", &["title"]),
            ("{{ first_name }} {% if title %}{{ title }}{% endif %} {{ '{title}' }}", &[]),
            ("p{color:red} {} } { a b } title: {x} {{ first_name }}}", &[]),
            ("{{ first_name", &[]),
            ("{% raw %}{{ first_name }}{% endraw %}", &[]),
        ] {
            assert_eq!(half_written(text), expected, "{text}");
        }
    }
}
