//! Patterns of `like` and `ilike`, which the text index helps to find.

use crate::fold::plain;
use crate::sql::text_of;
use crate::texts::patterned;
use crate::words::LITERAL;
use crate::{Op, Test};

/// The longest literal of a pattern in the form of the index; `None` if it is too short for a lookup.
pub(crate) fn literal(test: &Test) -> Option<String> {
    if !matches!(test.op, Op::Like | Op::Ilike) || !patterned(test.field) {
        return None;
    }
    let (mut literals, mut escaped) = (vec![String::new()], false);
    for c in text_of(test.values.first()?)?.chars() {
        match c {
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            '%' | '_' if !escaped => literals.push(String::new()),
            other => literals.last_mut()?.push(other),
        }
        escaped = false;
    }
    let longest = literals.into_iter().map(|literal| plain(&literal)).max_by_key(|literal| literal.chars().count())?;
    (longest.chars().count() >= LITERAL).then_some(longest)
}
