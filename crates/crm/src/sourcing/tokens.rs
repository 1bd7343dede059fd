//! Splits texts into words, so that profiles, places and queries can be compared. Case and accents are folded; in
//! scripts without spaces every letter is a word.

use resource::{plain, unspaced};

/// Longer words are cut.
const LONGEST: usize = 64;

/// The words of a text, folded. `c++` and `c#` keep their signs; other punctuation separates words.
pub fn words(text: &str) -> Vec<String> {
    let (mut words, mut word): (Vec<String>, String) = (Vec::new(), String::new());
    for c in plain(text).chars() {
        if c.is_alphanumeric() && !unspaced(c) {
            // A sign ends its word.
            if word.ends_with(['+', '#']) {
                words.push(std::mem::take(&mut word));
            }
            if word.len() < LONGEST {
                word.push(c);
            }
        } else if matches!(c, '+' | '#') && !word.is_empty() {
            word.push(c);
        } else {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            if c.is_alphanumeric() {
                words.push(c.to_string());
            }
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}
