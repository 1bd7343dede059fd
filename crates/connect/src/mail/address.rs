//! Addresses in headers and envelopes: names with any letters (RFC 2047), domains with any letters (punycode).

use super::Address;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use std::borrow::Cow;

/// The longest line of a header with encoded words.
const LINE: usize = 76;
/// Bytes of text in one encoded word, which may have 75 characters.
const WORD: usize = 42;

/// A header with a text in encoded words, with its line end. A text that looks like encoded words is read as it was written.
pub(super) fn encoded_header(name: &str, text: &str) -> String {
    folded(name, &encoded(text))
}

/// A header with addresses, such as `From`, with its line end.
pub(super) fn header(name: &str, addresses: &[&Address]) -> String {
    let mut words = Vec::new();
    for (at, address) in addresses.iter().enumerate() {
        words.extend(phrase(address.name.as_deref().unwrap_or_default()));
        let comma = if at + 1 < addresses.len() { "," } else { "" };
        words.push(format!("<{}>{comma}", ascii_domain(&address.address)));
    }
    folded(name, &words)
}

fn folded(name: &str, words: &[String]) -> String {
    let mut header = format!("{name}:");
    let mut length = header.len();
    for (at, word) in words.iter().enumerate() {
        let fits = at == 0 || length + 1 + word.len() <= LINE;
        header.push_str(if fits { " " } else { "\r\n\t" });
        length = if fits { length + 1 + word.len() } else { 1 + word.len() };
        header.push_str(word);
    }
    header.push_str("\r\n");
    header
}

/// A name as the words of a header. The caller has refused control characters.
fn phrase(name: &str) -> Vec<String> {
    let is_atom = |letter: char| letter.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~ ".contains(letter);
    if !name.is_ascii() || name.contains("=?") {
        return encoded(name);
    }
    if name.chars().all(is_atom) {
        return name.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
    }
    vec![format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))]
}

/// Encoded words, each with whole characters. Spaces between them are not part of the text.
fn encoded(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for letter in text.chars() {
        match parts.last_mut() {
            Some(part) if part.len() + letter.len_utf8() <= WORD => part.push(letter),
            _ => parts.push(letter.to_string()),
        }
    }
    parts.iter().map(|part| format!("=?utf-8?B?{}?=", BASE64_STANDARD.encode(part))).collect()
}

/// The address with its domain in ASCII (punycode), which every mail server takes. A part before the @ with other letters
/// needs SMTPUTF8, and then the whole address stays as it is.
pub(crate) fn ascii_domain(address: &str) -> Cow<'_, str> {
    let Some((local, domain)) = address.rsplit_once('@') else { return Cow::Borrowed(address) };
    if domain.is_ascii() || !local.is_ascii() {
        return Cow::Borrowed(address);
    }
    match url::Host::parse(domain) {
        Ok(url::Host::Domain(domain)) => Cow::Owned(format!("{local}@{domain}")),
        _ => Cow::Borrowed(address),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header_of(name: &str) -> String {
        header("From", &[&Address { name: Some(name.to_owned()), address: "ann@example.com".to_owned() }])
    }

    #[test]
    fn names_are_written_as_rfc_2047_demands() {
        assert_eq!(header_of("Ann Sender"), "From: Ann Sender <ann@example.com>\r\n");
        assert_eq!(header_of("Sender, Ann \"HR\""), "From: \"Sender, Ann \\\"HR\\\"\" <ann@example.com>\r\n");
        assert_eq!(header_of(""), "From: <ann@example.com>\r\n");
        assert_eq!(header_of("Jürgen Müller"), "From: =?utf-8?B?SsO8cmdlbiBNw7xsbGVy?= <ann@example.com>\r\n");
        assert!(header_of("=?utf-8?B?eA==?=").contains("PT91dGYt"), "a name can't pose as an encoded word");
        let long = header_of(&"Жанна д’Арк 提案 ".repeat(8));
        assert!(long.lines().all(|line| line.len() <= LINE), "{long}");
        assert!(long.matches("=?utf-8?B?").count() > 3 && !long.contains('"'), "{long}");
    }

    #[test]
    fn several_addresses_are_folded() {
        let all: Vec<Address> = (0..9).map(|n| Address::new(format!("person.{n}@example.com"))).collect();
        let header = header("To", &all.iter().collect::<Vec<_>>());
        assert!(header.lines().all(|line| line.len() <= LINE), "{header}");
        assert_eq!(header.matches(',').count(), 8);
    }

    #[test]
    fn domains_become_ascii() {
        assert_eq!(ascii_domain("a@münchen.example"), "a@xn--mnchen-3ya.example");
        assert_eq!(ascii_domain("a@example.com"), "a@example.com");
        assert_eq!(ascii_domain("jörg@münchen.example"), "jörg@münchen.example");
        assert_eq!(ascii_domain("nobody"), "nobody");
    }
}
