//! Where words begin and end, and how the text index marks it.

/// Patterns with a shorter literal can't use trigrams.
pub(crate) const LITERAL: usize = 3;
/// The end of the part that `search` uses.
pub(crate) const END: char = '\u{3}';
/// Marks each beginning of a word in an indexed text.
pub(crate) const BEGINNING: char = '\u{2}';

/// Separates words: neither a letter nor punctuation that occurs inside words, as in `c++`, `node.js` and
/// `ann@example.com`.
pub(crate) fn parts_words(c: char) -> bool {
    !c.is_alphanumeric()
        && (!c.is_ascii_punctuation()
            || matches!(c, ',' | ';' | '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | '"' | '!' | '?' | '`'))
}

/// Whether a word begins with `c` after the character `before`.
pub(crate) fn begins(before: char, c: char) -> bool {
    c.is_alphanumeric() && (!before.is_alphanumeric() || unspaced(before) || unspaced(c))
}

/// Scripts that write no spaces between words: Han, Kana, Thai, Lao, Burmese, Khmer.
pub fn unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{2fdf}'
        | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}
