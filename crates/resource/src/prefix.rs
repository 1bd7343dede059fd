//! Prefixes of patterns, which an ordered index can find.

use crate::sql::{Sql, text_of};
use crate::{Kind, Op, Test};

/// The literal start of an `ilike` pattern, if it has one. The rest of the pattern is checked for each row.
pub(crate) fn prefix(test: &Test) -> Option<String> {
    let pattern = match (test.op, test.field.kind) {
        (Op::Ilike, _) | (Op::Like, Kind::Items(_)) => text_of(test.values.first()?)?,
        _ => return None,
    };
    let start: String = pattern.chars().take_while(|c| !matches!(c, '%' | '_' | '\\')).collect();
    (!start.is_empty()).then_some(start)
}

/// `column` begins with `start`: a range that an index can scan.
pub(crate) fn write_prefix(sql: &mut Sql, column: &str, start: &str) {
    sql.push(&format!("{column} >= ")).bind(start);
    if let Some(end) = beyond(start) {
        sql.push(&format!(" AND {column} < ")).bind(end);
    }
}

/// The first text after all texts with this prefix; `None` if there is none.
fn beyond(start: &str) -> Option<String> {
    let mut letters: Vec<char> = start.chars().collect();
    while let Some(last) = letters.pop() {
        if let Some(next) = (last..=char::MAX).nth(1) {
            letters.push(next);
            return Some(letters.into_iter().collect());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_prefix_is_after_all_texts_with_it() {
        let ends = [
            ("a", Some("b")),
            ("aé", Some("aê")),
            ("\u{d7ff}", Some("\u{e000}")),
            ("a\u{10ffff}", Some("b")),
            ("\u{10ffff}", None),
        ];
        for (start, end) in ends {
            assert_eq!(beyond(start).as_deref(), end, "{start:?}");
        }
    }
}
