//! The whole API on one screen, in reading order.

use crate::company::Company;
use crate::contact::Contact;
use crate::deal::Deal;
use crate::operation::{Data, Operation};
use crate::project::Project;
use crate::task::Task;
use crate::{
    account, bulk, company, contact, conversation, custom_field, cv, deal, duplicate, enrichment, enrollment, entry,
    export, feed, file, import, me, member, merge, message, note, pipeline, profile, project, reason, sequence,
    sourcing, suppression, sync, tag, task, template,
};
use resource::{About, Ctx, Error, Midway, Resource};
use store::{Tx, Uuid, Value};

/// Every operation below `/api/v1` that takes a key.
pub fn all() -> impl Iterator<Item = &'static Operation> {
    let areas: [&[Operation]; 33] = [
        contact::OPERATIONS,
        cv::OPERATIONS,
        file::OPERATIONS,
        company::OPERATIONS,
        deal::OPERATIONS,
        pipeline::OPERATIONS,
        duplicate::OPERATIONS,
        merge::OPERATIONS,
        project::OPERATIONS,
        template::OPERATIONS,
        entry::OPERATIONS,
        sync::OPERATIONS,
        note::OPERATIONS,
        task::OPERATIONS,
        sequence::OPERATIONS,
        sequence::default::OPERATIONS,
        enrollment::OPERATIONS,
        enrichment::OPERATIONS,
        account::OPERATIONS,
        conversation::OPERATIONS,
        message::OPERATIONS,
        suppression::OPERATIONS,
        sourcing::OPERATIONS,
        profile::advanced::OPERATIONS,
        tag::OPERATIONS,
        custom_field::OPERATIONS,
        bulk::OPERATIONS,
        import::OPERATIONS,
        export::OPERATIONS,
        reason::OPERATIONS,
        feed::OPERATIONS,
        member::OPERATIONS,
        me::OPERATIONS,
    ];
    areas.into_iter().flatten()
}

/// The record that a path names: the innermost one in it that has an address of its own, and its place among the path's
/// ids; `None` if there is none, or if it has no versions.
pub fn addressed(path: &str) -> Option<(&'static About, usize)> {
    let ends = path.match_indices('}').map(|(end, _)| end + 1).collect::<Vec<_>>();
    for (place, end) in ends.into_iter().enumerate().rev() {
        let here = |method| all().find(|operation| operation.path == &path[..end] && operation.method == method);
        if let Some(operation) = here("GET").or_else(|| here("PUT")) {
            return match operation.answer.data {
                Data::Record(about, _) | Data::Detail(about, ..) => Some((about, place)),
                _ => None,
            };
        }
    }
    None
}

/// Brings the texts of every collection that has some up to date by at most so many records each; true if there is more
/// to do.
pub fn index_texts(ctx: &Ctx, tx: &mut dyn Tx, most: i64, midway: &mut Midway) -> Result<bool, Error> {
    type Index = fn(&Ctx, &mut dyn Tx, i64, &mut Midway) -> Result<bool, Error>;
    const COLLECTIONS: &[Index] = &[
        resource::index::<Contact>,
        resource::index::<Company>,
        resource::index::<Deal>,
        resource::index::<Project>,
        resource::index::<Task>,
    ];
    let mut more = false;
    for index in COLLECTIONS {
        if !tx.has_time() {
            return Ok(true);
        }
        more |= index(ctx, tx, most, midway)?;
    }
    Ok(more)
}

/// Workspaces in which something was written after its texts were indexed.
pub fn behind(tx: &mut dyn Tx) -> Result<Vec<Uuid>, Error> {
    const BEHIND: &str = "SELECT DISTINCT c.workspace_id FROM counters c \
         LEFT JOIN indexed i ON i.workspace_id = c.workspace_id AND i.collection = c.collection \
         WHERE c.collection IN ($1, $2, $3, $4, $5) AND c.field = '' AND c.stamp > coalesce(i.stamp, 0) \
         UNION SELECT workspace_id FROM texts_due";
    let tables =
        [Contact::ABOUT.table, Company::ABOUT.table, Deal::ABOUT.table, Project::ABOUT.table, Task::ABOUT.table];
    Ok(tx.rows(BEHIND, &tables.map(Value::from), |row| row.id(0))?)
}
