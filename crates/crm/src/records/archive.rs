//! Archiving, for records that are never deleted: `archived_at` accepts null, which restores, or the current value.

use resource::{Changes, Error, Problem, Resource, Saved};
use store::Value;

/// Removes `archived_at` from a body and returns whether it restores an archived record.
pub fn restores<R: Resource>(changes: &mut Changes, saved: Option<&Saved<R>>) -> Result<Result<bool, Problem>, Error> {
    let stored = saved.map_or(Ok(&Value::Null), |saved| saved.value("archived_at"))?;
    Ok(match changes.take_named("archived_at") {
        None => Ok(false),
        Some(Value::Null) => Ok(*stored != Value::Null),
        Some(sent) if sent == *stored => Ok(false),
        Some(_) => {
            let reason = "takes null, which restores, or what it is".into();
            Err(Problem { field: "archived_at".into(), reason })
        }
    })
}
