//! Text as it is compared: NFC, simple case folding, the same on both engines.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

pub fn nfc(text: &str) -> std::borrow::Cow<'_, str> {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => text.into(),
        _ => text.nfc().collect::<String>().into(),
    }
}

/// Case folded for every script, one character for one, so that `_` still means one.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let folded: String = text.chars().map(fold_char).collect();
    nfc(&folded).into_owned()
}

fn fold_char(c: char) -> char {
    unicode_case_mapping::case_folded(c).and_then(|folded| char::from_u32(folded.get())).unwrap_or(c)
}

/// Folded and without its accents: what texts are looked up by.
pub fn plain(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Folded first: what holds another text folded then holds it plain, too.
    fold(text).nfd().filter(|c| !unicode_normalization::char::is_combining_mark(*c)).collect()
}

/// A phone number as it is matched.
pub fn digits(phone: &str) -> String {
    phone.chars().filter(char::is_ascii_digit).collect()
}

/// A pattern over a phone number: digits and wildcards.
pub fn like_digits(pattern: &str) -> String {
    pattern.chars().filter(|c| c.is_ascii_digit() || matches!(c, '%' | '_')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_every_script() {
        for (a, b) in
            [("ANDRÉ", "andré"), ("ΣΊΣΥΦΟΣ", "σίσυφοσ"), ("ЖУК", "жук"), ("İ", "İ"), ("ẞ", "ß"), ("É", "e\u{301}")]
        {
            assert_eq!(fold(&nfc(a)), fold(&nfc(b)), "{a} {b}");
        }
        assert_eq!(digits("+33 (0)6-12"), "330612");
    }
}
