//! Normalization of text for comparisons: NFC and simple case folding, the same on both engines.

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

pub(crate) fn nfc(text: &str) -> std::borrow::Cow<'_, str> {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => text.into(),
        _ => text.nfc().collect::<String>().into(),
    }
}

/// Folds the case of every script, one character to one character, so that `_` in a pattern still matches one.
pub fn fold(text: &str) -> String {
    if let Some(address) = with_readable_domain(text) {
        return fold_plainly(&address);
    }
    fold_plainly(text)
}

fn fold_plainly(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let folded: String = text.chars().map(fold_char).collect();
    nfc(&folded).into_owned()
}

/// An email address or a domain with the domain's own letters, if it is written in another way: `jo@xn--mnchen-3ya.example`
/// and `jo@ｍünchen.example` are `jo@münchen.example`.
fn with_readable_domain(text: &str) -> Option<String> {
    let (local, domain) = match text.rsplit_once('@') {
        Some((local, domain)) => (Some(local), domain),
        None => (None, text),
    };
    let is_encoded = domain.as_bytes().windows(4).any(|some| some.eq_ignore_ascii_case(b"xn--"));
    let is_foreign = local.is_some() && !domain.is_ascii();
    if !(is_encoded || is_foreign) || domain.chars().any(|c| c.is_whitespace() || "%_*".contains(c)) {
        return None;
    }
    let (readable, Ok(())) = idna::domain_to_unicode(domain) else { return None };
    Some(match local {
        Some(local) => format!("{local}@{readable}"),
        None => readable,
    })
}

fn fold_char(c: char) -> char {
    unicode_case_mapping::case_folded(c).and_then(|folded| char::from_u32(folded.get())).unwrap_or(c)
}

/// Folded and without accents, for searches. Works character by character: if one text contains another after `fold`,
/// it contains it after `plain`, too.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    if text.is_ascii() {
        plain.extend(text.chars().map(|c| if c.is_ascii_control() { ' ' } else { c.to_ascii_lowercase() }));
        return plain;
    }
    // Accents have a combining class above 0. The vowel signs of other scripts have class 0 and are kept.
    for c in fold(text).nfd().filter(|c| canonical_combining_class(*c) == 0) {
        match c {
            // Control characters separate the parts of an indexed text.
            c if c.is_control() => plain.push(' '),
            'ß' => plain.push_str("ss"),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            'þ' => plain.push_str("th"),
            'ø' => plain.push('o'),
            'ł' => plain.push('l'),
            'đ' | 'ð' => plain.push('d'),
            'ħ' => plain.push('h'),
            'ı' => plain.push('i'),
            '‘' | '’' | 'ʼ' | '＇' => plain.push('\''),
            '‐'..='―' | '−' => plain.push('-'),
            // Full-width ASCII, which East Asian keyboards produce.
            '！'..='～' => plain.extend(char::from_u32(u32::from(c) - 0xfee0).map(fold_char)),
            // A capital that was not folded because of its accent.
            c => plain.push(fold_char(c)),
        }
    }
    plain
}

/// The key by which profile addresses are compared: without scheme, `www.`, query, fragment and trailing slash.
pub fn profile_key(url: &str) -> String {
    let folded = fold(url.trim());
    let bare = folded.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    let host = bare.strip_prefix("https://").or_else(|| bare.strip_prefix("http://")).unwrap_or(bare);
    host.strip_prefix("www.").unwrap_or(host).to_owned()
}

/// The key by which phone numbers are compared.
pub fn digits(phone: &str) -> String {
    phone.chars().filter(char::is_ascii_digit).collect()
}

/// A pattern for phone numbers: digits and wildcards.
pub fn like_digits(pattern: &str) -> String {
    pattern.chars().filter(|c| c.is_ascii_digit() || matches!(c, '%' | '_')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_profile_address_have_one_key() {
        let plain = profile_key("https://network.example.com/in/ada");
        for written in [
            "http://network.example.com/in/ada",
            "https://www.network.example.com/in/ada/",
            "https://Network.example.com/in/Ada?from=search#top",
        ] {
            assert_eq!(profile_key(written), plain);
        }
        assert_ne!(profile_key("https://network.example.com/in/adam"), plain);
        assert_eq!(profile_key("ada"), "ada");
    }

    #[test]
    fn folds_every_script() {
        for (a, b) in
            [("ANDRÉ", "andré"), ("ΣΊΣΥΦΟΣ", "σίσυφοσ"), ("ЖУК", "жук"), ("İ", "İ"), ("ẞ", "ß"), ("É", "e\u{301}")]
        {
            assert_eq!(fold(&nfc(a)), fold(&nfc(b)), "{a} {b}");
        }
        assert_eq!(digits("+33 (0)6-12"), "330612");
    }
    #[test]
    fn plain_text_has_neither_case_nor_accents() {
        for (text, plain_text) in [
            ("ÉMILE", "emile"),
            ("İpek ıpek", "ipek ipek"),
            ("Łódź Søren Đorđe", "lodz soren dorde"),
            ("Straße Æsir", "strasse aesir"),
            ("Фёдор Й", "федор и"),
            ("Ελλάδα", "ελλαδα"),
            ("مُحَمَّد أحمد", "محمد احمد"),
            ("हिन्दी", "हिनदी"),
            ("ＡＢＣ１", "abc1"),
            ("O’Neil—x", "o'neil-x"),
            ("a\u{2}b\tc", "a b c"),
        ] {
            assert_eq!(plain(text), plain_text);
        }
    }
}
