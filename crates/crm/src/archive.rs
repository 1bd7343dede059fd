//! Archiving, for the records that are never deleted: `archived_at` takes null, which restores, or what it is.

use resource::{Changes, Problem, Resource, Saved};
use store::Value;

/// Takes `archived_at` out of a body and tells whether it restores an archived record.
pub fn restores<R: Resource>(changes: &mut Changes, saved: Option<&Saved<R>>) -> Result<bool, Problem> {
    let stored = saved.map_or(&Value::Null, |saved| saved.value("archived_at"));
    match changes.take("archived_at") {
        None => Ok(false),
        Some(Value::Null) => Ok(*stored != Value::Null),
        Some(sent) if sent == *stored => Ok(false),
        Some(_) => {
            let reason = "takes null, which restores, or what it is".into();
            Err(Problem { field: "archived_at".into(), reason })
        }
    }
}
