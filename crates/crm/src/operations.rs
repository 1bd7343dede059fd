//! The list of all operations of the API, in reading order.

use crate::api::call::Call;
use crate::api::feed;
use crate::api::operation::{Data, Operation};
use crate::collaboration::{duplicate, file, merge, note};
use crate::erasure;
use crate::outreach::conversation::Conversation;
use crate::outreach::message::{self, Message};
use crate::outreach::message_template::MessageTemplate;
use crate::outreach::{
    account, compose, contact_search, conversation, enrollment, message_template, sequence, suppression,
};
use crate::pipelines::deal::{self, Deal};
use crate::pipelines::project::{self, Project};
use crate::pipelines::task::{self, Task};
use crate::pipelines::{entry, pipeline, reason, sync, template};
use crate::records::company::{self, Company};
use crate::records::contact::{self, Contact};
use crate::records::{custom_field, cv, tag};
use crate::sourcing::{enrichment, people, profile};
use crate::tenant::{me, member, workspace};
use crate::transfer::{bulk, export, import};
use resource::{About, Ctx, Error, Midway, Resource};
use store::{Tx, Uuid, Value};

/// Every operation below `/api/v1` that requires a key.
pub fn all() -> impl Iterator<Item = &'static Operation> {
    let areas: [&[Operation]; 41] = [
        contact::COLLECTION,
        contact_search::OPERATIONS,
        contact::OPERATIONS,
        cv::OPERATIONS,
        file::OPERATIONS,
        company::OPERATIONS,
        deal::OPERATIONS,
        pipeline::OPERATIONS,
        duplicate::OPERATIONS,
        merge::OPERATIONS,
        erasure::OPERATIONS,
        project::OPERATIONS,
        template::OPERATIONS,
        entry::OPERATIONS,
        sync::OPERATIONS,
        note::OPERATIONS,
        task::OPERATIONS,
        sequence::OPERATIONS,
        sequence::default::OPERATIONS,
        enrollment::step_test::OPERATIONS,
        enrollment::OPERATIONS,
        enrichment::OPERATIONS,
        account::OPERATIONS,
        conversation::OPERATIONS,
        message::OPERATIONS,
        compose::OPERATIONS,
        compose::draft::OPERATIONS,
        compose::preview::OPERATIONS,
        message_template::OPERATIONS,
        suppression::OPERATIONS,
        people::OPERATIONS,
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

/// The record that a path addresses: the innermost one with an address of its own, and the index of its id in the path;
/// `None` if there is none, or if it has no versions.
pub fn addressed(path: &str) -> Option<(&'static About, usize)> {
    let ends = path.match_indices('}').map(|(end, _)| end + 1).collect::<Vec<_>>();
    for (place, end) in ends.into_iter().enumerate().rev() {
        let here = |method| all().find(|operation| operation.path == &path[..end] && operation.method == method);
        if let Some(operation) = here("GET").or_else(|| here("PUT")) {
            return match operation.answer.data {
                Data::Record(about, _) | Data::Detail(about, ..) if !about.table.is_empty() => Some((about, place)),
                _ => None,
            };
        }
    }
    None
}

/// Whether a record is hidden from the caller, who must not learn that it exists.
pub fn is_hidden(call: &Call, tx: &mut dyn Tx, about: &About, id: Uuid) -> Result<bool, Error> {
    let table = about.table;
    let found = if table == Conversation::ABOUT.table {
        conversation::find_visible(&call.ctx, tx, id).map(drop)
    } else if table == Message::ABOUT.table {
        message::find_visible(&call.ctx, tx, id).map(drop)
    } else if table == MessageTemplate::ABOUT.table {
        message_template::seen(call, tx, id).map(drop)
    } else {
        return Ok(false);
    };
    match found {
        Err(Error::NotFound(_)) => Ok(true),
        found => found.map(|()| false),
    }
}

/// Indexes at most `most` changed records of every collection with a text index; true if there is more to do. Damaged
/// records are skipped and reported in `damaged`. Nothing is indexed in a workspace that was removed: its rows are
/// being erased, and nobody would erase a row that is added after that.
pub fn index_texts(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    most: i64,
    midway: &mut Midway,
    damaged: &mut Vec<Error>,
) -> Result<bool, Error> {
    type Index = fn(&Ctx, &mut dyn Tx, i64, &mut Midway, &mut Vec<Error>) -> Result<bool, Error>;
    const COLLECTIONS: &[Index] = &[
        resource::index::<Contact>,
        resource::index::<Company>,
        resource::index::<Deal>,
        resource::index::<Project>,
        resource::index::<Task>,
        resource::index::<Message>,
    ];
    if workspace::is_removed(tx, ctx.workspace)? {
        return Ok(false);
    }
    let mut more = false;
    for index in COLLECTIONS {
        if !tx.has_time() {
            return Ok(true);
        }
        more |= index(ctx, tx, most, midway, damaged)?;
    }
    Ok(more)
}

/// Workspaces with changes that are not in the text index yet.
pub fn behind(tx: &mut dyn Tx) -> Result<Vec<Uuid>, Error> {
    const BEHIND: &str = "SELECT DISTINCT c.workspace_id FROM counters c \
         LEFT JOIN indexed i ON i.workspace_id = c.workspace_id AND i.collection = c.collection \
         WHERE c.collection IN ($1, $2, $3, $4, $5, $6) AND c.field = '' AND c.stamp > coalesce(i.stamp, 0) \
         UNION SELECT workspace_id FROM texts_due";
    let tables = [
        Contact::ABOUT.table,
        Company::ABOUT.table,
        Deal::ABOUT.table,
        Project::ABOUT.table,
        Task::ABOUT.table,
        Message::ABOUT.table,
    ];
    Ok(tx.rows(BEHIND, &tables.map(Value::from), |row| row.id(0))?)
}
