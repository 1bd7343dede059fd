//! Checks the consistency of a workspace: references must exist, and terms, counts and sums must match the rows.
//! Repairs derive everything from the rows.

mod damage;
mod derived;

use crate::api::queue;
use crate::collaboration::note::Note;
use crate::erasure;
use crate::outreach::conversation::Conversation;
use crate::outreach::enrollment::Enrollment;
use crate::outreach::message::Message;
use crate::outreach::sequence::Sequence;
use crate::outreach::suppression::Suppression;
use crate::pipelines::deal::{self, Deal, contacts};
use crate::pipelines::entry::Entry;
use crate::pipelines::project::Project;
use crate::pipelines::sums;
use crate::pipelines::task::Task;
use crate::records::company::Company;
use crate::records::contact::{Contact, Status};
use crate::records::custom_field::CustomField;
use crate::records::merge_log;
use crate::records::tag::{self, Tag};
use crate::sourcing::enrichment::EnrichmentRequest;
use resource::{Changes, Ctx, Error, Resource, custom, find, survivor, update};
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, BTreeSet};
use store::{Row, Tx, Uuid, Value};

/// An inconsistency.
#[derive(Debug)]
pub struct Fault {
    /// The kind of check: `reference`, `term`, `counter` …
    pub check: &'static str,
    /// The location and the problem.
    pub detail: String,
    /// What was written to repair it, if a repair was requested and is possible.
    pub written: Option<String>,
}

/// Most faults of one kind that are reported and repaired at a time.
const MOST: usize = 1000;

/// A column that references a record of another table.
struct Reference {
    table: &'static str,
    /// The column that identifies the row within the workspace.
    key: &'static str,
    column: &'static str,
    target: &'static str,
    /// The column may be empty.
    is_optional: bool,
}

const fn reference(table: &'static str, column: &'static str, target: &'static str, is_optional: bool) -> Reference {
    Reference { table, key: "id", column, target, is_optional }
}

/// References without a foreign key in the database.
const REFERENCES: &[Reference] = &[
    reference("contacts", "company_id", "companies", true),
    reference("deals", "company_id", "companies", true),
    reference("projects", "client_company_id", "companies", true),
    reference("notes", "contact_id", "contacts", true),
    reference("notes", "company_id", "companies", true),
    reference("notes", "deal_id", "deals", true),
    reference("notes", "project_id", "projects", true),
    reference("tasks", "contact_id", "contacts", true),
    reference("tasks", "company_id", "companies", true),
    reference("tasks", "deal_id", "deals", true),
    reference("tasks", "project_id", "projects", true),
    reference("deal_contacts", "contact_id", "contacts", false),
    reference("pipeline_entries", "stage_id", "project_stages", false),
    reference("pipeline_entries", "rejection_reason_id", "reasons", true),
    reference("conversations", "contact_id", "contacts", false),
    reference("messages", "conversation_id", "conversations", false),
    reference("enrollments", "contact_id", "contacts", false),
    reference("enrichment_requests", "contact_id", "contacts", false),
];

/// References that may be the ids of merged contacts, which are resolved when they are used.
const BY_ANY_ID: &[(&str, &str, &str)] =
    &[("messages", "id", "contact_id"), ("sends", "message_id", "contact_id"), ("message_drafts", "id", "contact_id")];

/// Checks a workspace.
pub fn check(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<Fault>, Error> {
    let mut checking = Checking::new(ctx, tx, false)?;
    checking.damaged();
    checking.records(tx)?;
    checking.derivations(tx)?;
    Ok(checking.faults)
}

/// Repairs references between records. This changes counts at the end of the transaction, so `repair_derived` needs a
/// transaction of its own.
pub fn repair_records(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<Fault>, Error> {
    let mut checking = Checking::new(ctx, tx, true)?;
    checking.damaged();
    checking.records(tx)?;
    Ok(checking.faults)
}

/// Repairs data that is derived from records.
pub fn repair_derived(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<Fault>, Error> {
    let mut checking = Checking::new(ctx, tx, true)?;
    checking.derivations(tx)?;
    Ok(checking.faults)
}

struct Checking<'a> {
    ctx: &'a Ctx,
    repair: bool,
    faults: Vec<Fault>,
    /// Stored data that can't be read.
    damage: Vec<Error>,
}

impl Checking<'_> {
    fn new<'a>(ctx: &'a Ctx, tx: &mut dyn Tx, repair: bool) -> Result<Checking<'a>, Error> {
        Ok(Checking { ctx, repair, faults: Vec::new(), damage: damage::find_all(ctx, tx)? })
    }

    /// Whether a row of one of these tables can't be read.
    fn is_damaged(&self, tables: &[&str]) -> bool {
        self.damage.iter().filter_map(Error::corrupt).any(|corrupt| tables.contains(&&*corrupt.table))
    }

    /// Records a fault and its repair.
    fn fault(&mut self, check: &'static str, detail: String, repair: impl Into<String>) {
        let written = self.repair.then(|| repair.into());
        self.faults.push(Fault { check, detail, written });
    }

    fn records(&mut self, tx: &mut dyn Tx) -> Result<(), Error> {
        self.redirects(tx)?;
        self.references(tx)?;
        self.states(tx)?;
        self.deal_contacts(tx)
    }

    fn derivations(&mut self, tx: &mut dyn Tx) -> Result<(), Error> {
        self.derived(tx)?;
        self.leftovers(tx)?;
        self.sums(tx)?;
        self.sequences(tx)?;
        self.storage(tx)
    }

    fn workspace(&self) -> Value {
        self.ctx.workspace.into()
    }

    /// Reports damaged data. Only the operator can repair it, because the original value is unknown.
    fn damaged(&mut self) {
        for error in &self.damage {
            let detail = error.corrupt().map_or_else(|| error.to_string(), ToString::to_string);
            self.faults.push(Fault { check: "damaged", detail, written: None });
        }
    }

    /// The id of a merged record must point directly to an existing record.
    fn redirects(&mut self, tx: &mut dyn Tx) -> Result<(), Error> {
        let sql = format!(
            "SELECT i.old_id, i.new_id FROM merged_ids i WHERE i.workspace_id = $1 \
             AND NOT EXISTS (SELECT 1 FROM contacts c WHERE c.workspace_id = i.workspace_id AND c.id = i.new_id) \
             AND NOT EXISTS (SELECT 1 FROM companies c WHERE c.workspace_id = i.workspace_id AND c.id = i.new_id) \
             AND NOT EXISTS (SELECT 1 FROM tags c WHERE c.workspace_id = i.workspace_id AND c.id = i.new_id) LIMIT {MOST}"
        );
        const POINT: &str = "UPDATE merged_ids SET new_id = $1 WHERE workspace_id = $2 AND old_id = $3";
        const FORGET: &str = "DELETE FROM merged_ids WHERE workspace_id = $1 AND old_id = $2";
        for (old, new) in tx.rows(&sql, &[self.workspace()], |row| Ok((row.id(0)?, row.id(1)?)))? {
            let now = survivor(self.ctx, tx, new)?;
            let repair =
                now.map_or(format!("redirect dropped: {old}"), |now| format!("redirect set: {old} means {now}"));
            self.fault("redirect", format!("the merged id {old} means {new}, which does not exist"), repair);
            if self.repair {
                match now {
                    Some(now) => tx.execute(POINT, &[now.into(), self.workspace(), old.into()])?,
                    None => tx.execute(FORGET, &[self.workspace(), old.into()])?,
                }
            }
        }
        Ok(())
    }

    fn references(&mut self, tx: &mut dyn Tx) -> Result<(), Error> {
        // While a merge is being carried out, rows may still have the ids of merged records.
        const MOVING: &str = "SELECT 1 FROM jobs WHERE workspace_id = $1 AND kind = $2 LIMIT 1";
        // An erasure deletes or empties the rows that reference its record, in steps.
        let erasing = match erasure::unfinished(self.ctx, tx) {
            // `damaged` has reported the job. Which references it removes is not known.
            Err(error) if error.is_corrupt() => return Ok(()),
            ids => ids?,
        };
        let is_moving = tx.one(MOVING, &[self.workspace(), merge_log::MOVE.into()], |_| Ok(()))?.is_some();
        for Reference { table, key, column, target, is_optional } in REFERENCES {
            let sql = format!(
                "SELECT x.{key}, x.{column} FROM {table} x WHERE x.workspace_id = $1 AND x.{column} IS NOT NULL \
                 AND NOT EXISTS (SELECT 1 FROM {target} y WHERE y.workspace_id = x.workspace_id AND y.id = x.{column}) LIMIT {MOST}"
            );
            for (row, named) in tx.rows(&sql, &[self.workspace()], |row| Ok((row.id(0)?, row.id(1)?)))? {
                let now = survivor(self.ctx, tx, named)?;
                if (is_moving && now.is_some()) || erasing.contains(&named) {
                    continue;
                }
                let detail = format!("{table} {row}: {column} {named} does not exist");
                let is_repaired = match self.repair {
                    true => match self.mend(tx, table, column, row, now, *is_optional) {
                        Err(error) if error.is_corrupt() => false,
                        mended => mended?,
                    },
                    false => false,
                };
                let written = is_repaired.then(|| match now {
                    Some(now) => format!("{column} set: {now}"),
                    None => format!("{column} emptied"),
                });
                self.faults.push(Fault { check: "reference", detail, written });
            }
        }
        for (table, key, column) in BY_ANY_ID {
            let sql = format!(
                "SELECT x.{key}, x.{column} FROM {table} x WHERE x.workspace_id = $1 \
                 AND NOT EXISTS (SELECT 1 FROM contacts y WHERE y.workspace_id = x.workspace_id AND y.id = x.{column}) \
                 AND NOT EXISTS (SELECT 1 FROM merged_ids y WHERE y.workspace_id = x.workspace_id AND y.old_id = x.{column}) LIMIT {MOST}"
            );
            for (row, named) in tx.rows(&sql, &[self.workspace()], |row| Ok((row.id(0)?, row.id(1)?)))? {
                if erasing.contains(&named) {
                    continue;
                }
                let detail = format!("{table} {row}: {column} {named} does not exist");
                self.faults.push(Fault { check: "reference", detail, written: None });
            }
        }
        Ok(())
    }

    /// Points a row to the surviving record, or empties the reference; false if neither is possible.
    fn mend(
        &self,
        tx: &mut dyn Tx,
        table: &str,
        column: &str,
        row: Uuid,
        now: Option<Uuid>,
        is_optional: bool,
    ) -> Result<bool, Error> {
        if now.is_none() && !is_optional {
            return Ok(false);
        }
        match table {
            "contacts" => set::<Contact>(self.ctx, tx, row, column, now)?,
            "projects" => set::<Project>(self.ctx, tx, row, column, now)?,
            "tasks" => set::<Task>(self.ctx, tx, row, column, now)?,
            "notes" => set::<Note>(self.ctx, tx, row, column, now)?,
            "pipeline_entries" => set::<Entry>(self.ctx, tx, row, column, now)?,
            "conversations" => set::<Conversation>(self.ctx, tx, row, column, now)?,
            "enrollments" => set::<Enrollment>(self.ctx, tx, row, column, now)?,
            "enrichment_requests" => set::<EnrichmentRequest>(self.ctx, tx, row, column, now)?,
            "deals" => {
                let deal = find::<Deal>(self.ctx, tx, row)?;
                let mut changes = Changes::default();
                changes.set_named(Deal::FIELDS, column, now);
                deal::save(self.ctx, tx, &deal, changes, "updated", Map::new())?;
            }
            "deal_contacts" => {
                const DEAL: &str = "SELECT deal_id FROM deal_contacts WHERE workspace_id = $1 AND id = $2";
                if let Some(deal) = tx.one(DEAL, &[self.workspace(), row.into()], |row| row.id(0))? {
                    let undone = merge_log::unfinished::<Contact>(self.ctx, tx, None)?;
                    contacts::catch_up(self.ctx, tx, deal, &undone)?;
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A contact must be archived if and only if its status is `archived`.
    fn states(&mut self, tx: &mut dyn Tx) -> Result<(), Error> {
        let sql = format!(
            "SELECT id FROM contacts WHERE workspace_id = $1 AND (CASE WHEN global_status = 'archived' THEN 1 ELSE 0 END) \
             <> (CASE WHEN archived_at IS NULL THEN 0 ELSE 1 END) LIMIT {MOST}"
        );
        for id in tx.rows(&sql, &[self.workspace()], |row| row.id(0))? {
            // `damaged` has reported it already.
            let contact = match find::<Contact>(self.ctx, tx, id) {
                Err(error) if error.is_corrupt() => continue,
                found => found?,
            };
            let status = contact.record.global_status;
            let archived =
                contact.record.archived_at.map_or("not archived".to_owned(), |at| format!("archived at {at}"));
            let right = match status {
                Status::Archived => contact.record.earlier_status.unwrap_or(Status::New),
                status => status,
            };
            let repair = format!("global_status set: {}, archived_at emptied", right.word());
            self.fault("state", format!("contact {id} is {}, and {archived}", status.word()), repair);
            if self.repair {
                let mut changes = Changes::default();
                changes.set(Contact::GLOBAL_STATUS, right);
                changes.clear(Contact::ARCHIVED_AT);
                changes.clear(Contact::EARLIER_STATUS);
                update(self.ctx, tx, &contact, &changes)?;
            }
        }
        Ok(())
    }

    /// The rows of `deal_contacts` must match the `contact_ids` of deals.
    fn deal_contacts(&mut self, tx: &mut dyn Tx) -> Result<(), Error> {
        const DEALS: &str =
            "SELECT id, contact_ids FROM deals WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT 1000";
        const LINKS: &str =
            "SELECT deal_id, contact_id FROM deal_contacts WHERE workspace_id = $1 AND deal_id >= $2 AND deal_id <= $3";
        const UNLINK: &str = "DELETE FROM deal_contacts WHERE workspace_id = $1 AND deal_id = $2 AND contact_id = $3";
        const LINK: &str =
            "INSERT INTO deal_contacts (workspace_id, id, deal_id, contact_id, created_at) VALUES ($1, $2, $3, $4, $5)";
        let mut after = Uuid::nil();
        loop {
            let deals = tx.rows(DEALS, &[self.workspace(), after.into()], |row| Ok((row.id(0)?, row.text(1)?)))?;
            let (Some((first, _)), Some((last, _))) = (deals.first(), deals.last()) else { return Ok(()) };
            after = *last;
            let both = |row: &dyn Row| Ok((row.id(0)?, row.id(1)?));
            let linked = tx.rows(LINKS, &[self.workspace(), (*first).into(), (*last).into()], both)?;
            let linked: BTreeSet<(Uuid, Uuid)> = linked.into_iter().collect();
            let (mut named, mut unknown) = (BTreeSet::new(), BTreeSet::new());
            for (deal, ids) in &deals {
                // `damaged` has reported it already, and the right contacts are unknown.
                match serde_json::from_str::<Vec<Uuid>>(ids) {
                    Ok(ids) => named.extend(ids.into_iter().map(|id| (*deal, id))),
                    Err(_) => drop(unknown.insert(*deal)),
                }
            }
            for (deal, contact) in linked.symmetric_difference(&named).filter(|(deal, _)| !unknown.contains(deal)) {
                let is_named = named.contains(&(*deal, *contact));
                let what = if is_named { "names but is not linked to" } else { "is linked to but does not name" };
                let repair = if is_named { "link added" } else { "link dropped" };
                self.fault("link", format!("the deal {deal} {what} the contact {contact}"), repair);
                if self.repair && is_named {
                    let (id, now) = (tx.id(), tx.stamp());
                    tx.execute(LINK, &[self.workspace(), id.into(), (*deal).into(), (*contact).into(), now.into()])?;
                } else if self.repair {
                    tx.execute(UNLINK, &[self.workspace(), (*deal).into(), (*contact).into()])?;
                }
            }
        }
    }

    /// Records must not have deleted tags or values of deleted fields, unless a job is removing them.
    fn leftovers(&mut self, tx: &mut dyn Tx) -> Result<(), Error> {
        const TAGS: &str = "SELECT DISTINCT t.key FROM terms t WHERE t.workspace_id = $1 AND t.field = $2";
        const JOBS: &str = "SELECT payload FROM jobs WHERE workspace_id = $1 AND kind IN ('tag.detach', 'tag.merge', 'custom_field.clear')";
        const KNOWN: &str = "SELECT id FROM tags WHERE workspace_id = $1";
        let jobs = tx.rows(JOBS, &[self.workspace()], |row| row.text(0))?;
        // The payload begins with the deleted id; that of a merge continues with the remaining one.
        let jobs: BTreeSet<&str> = jobs.iter().filter_map(|payload| payload.split(' ').next()).collect();
        let known: BTreeSet<String> =
            tx.rows(KNOWN, &[self.workspace()], |row| Ok(row.id(0)?.to_string()))?.into_iter().collect();
        for field in ["contact.tag", "company.tag"] {
            for tag in tx.rows(TAGS, &[self.workspace(), field.into()], |row| row.text(0))? {
                if !known.contains(&tag) && !jobs.contains(tag.as_str()) {
                    let detail = format!("records have the tag {tag} ({field}), which does not exist");
                    self.fault("leftover", detail, "job enqueued that takes it off the records");
                    if self.repair {
                        queue::enqueue(self.ctx, tx, tag::DETACH, &tag)?;
                    }
                }
            }
        }
        if self.is_damaged(&[CustomField::ABOUT.table]) {
            return Ok(());
        }
        for entity in [Contact::ABOUT.one, Company::ABOUT.one] {
            const FIELDS: &str =
                "SELECT DISTINCT field FROM terms WHERE workspace_id = $1 AND field > $2 AND field < $3";
            let defined = custom::definitions(self.ctx, tx, entity)?;
            let terms: Vec<String> = defined.iter().map(|field| custom::term(entity, &field.key)).collect();
            let from = custom::term(entity, "");
            // The character after the dot that ends the prefix.
            let until = format!("{}/", &from[..from.len() - 1]);
            for field in tx.rows(FIELDS, &[self.workspace(), from.into(), until.into()], |row| row.text(0))? {
                if !terms.contains(&field) && !jobs.contains(field.as_str()) {
                    let detail = format!("records hold values of {field}, which is no field");
                    self.fault("leftover", detail, "job enqueued that removes the values");
                    if self.repair {
                        queue::enqueue(self.ctx, tx, custom::CLEAR, &field)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn sums(&mut self, tx: &mut dyn Tx) -> Result<(), Error> {
        for detail in sums::check(self.ctx, tx, self.repair)? {
            self.fault("sum", detail, "sum written from the deals");
        }
        Ok(())
    }

    /// The numbers of enrollments that a sequence shows must match its enrollments.
    fn sequences(&mut self, tx: &mut dyn Tx) -> Result<(), Error> {
        const SHOWN: &str = "SELECT id, enrollments FROM sequences WHERE workspace_id = $1";
        const THERE: &str = "SELECT sequence_id, status, count(*) FROM enrollments WHERE workspace_id = $1 GROUP BY sequence_id, status";
        const SET: &str = "UPDATE sequences SET enrollments = $1 WHERE workspace_id = $2 AND id = $3";
        let mut there: BTreeMap<(Uuid, String), i64> = BTreeMap::new();
        let read = |row: &dyn Row| Ok((row.id(0)?, row.text(1)?, row.int(2)?));
        for (sequence, status, n) in tx.rows(THERE, &[self.workspace()], read)? {
            *there.entry((sequence, "total".into())).or_default() += n;
            there.insert((sequence, status), n);
        }
        for (id, text) in tx.rows(SHOWN, &[self.workspace()], |row| Ok((row.id(0)?, row.text(1)?)))? {
            // `damaged` has reported it already, and its keys are unknown.
            let Ok(shown) = serde_json::from_str::<Map<String, Json>>(&text) else { continue };
            let right: Map<String, Json> = shown
                .keys()
                .map(|word| (word.clone(), there.get(&(id, word.clone())).copied().unwrap_or(0).into()))
                .collect();
            if right != shown {
                let (right, shown) = (Json::Object(right), Json::Object(shown));
                let detail = format!("sequence {id} shows {shown}, there are {right}");
                self.fault("sequence", detail, format!("enrollments set: {right}"));
                if self.repair {
                    tx.execute(SET, &[right.to_string().into(), self.workspace(), id.into()])?;
                }
            }
        }
        Ok(())
    }

    /// The stored number of bytes must match the files.
    fn storage(&mut self, tx: &mut dyn Tx) -> Result<(), Error> {
        const USED: &str = "SELECT storage_used FROM workspaces WHERE id = $1";
        const FILES: [&str; 3] = [
            // A file and the attachments of messages that were made from it count once.
            "SELECT CAST(coalesce(sum(size), 0) AS BIGINT) FROM (SELECT max(size) AS size FROM (\
             SELECT blob, size FROM files WHERE workspace_id = $1 \
             UNION ALL SELECT blob, size FROM attachments WHERE workspace_id = $1) AS shared GROUP BY blob) AS stored",
            "SELECT CAST(coalesce(sum(size), 0) AS BIGINT) FROM cvs WHERE workspace_id = $1",
            "SELECT CAST(coalesce(sum(size), 0) AS BIGINT) FROM imports WHERE workspace_id = $1 AND blob IS NOT NULL",
        ];
        const SET: &str = "UPDATE workspaces SET storage_used = $1 WHERE id = $2";
        let used = tx.one(USED, &[self.workspace()], |row| row.int(0))?.unwrap_or(0);
        let mut there = 0;
        for sql in FILES {
            there += tx.one(sql, &[self.workspace()], |row| row.int(0))?.unwrap_or(0);
        }
        if used != there {
            let detail = format!("{used} bytes of files kept, {there} there");
            self.fault("storage", detail, format!("storage set: {there} bytes"));
            if self.repair {
                tx.execute(SET, &[there.into(), self.workspace()])?;
            }
        }
        Ok(())
    }
}

/// Collections whose stored totals are compared.
const CHECKED: &[&str] = &[
    Contact::ABOUT.table,
    Company::ABOUT.table,
    Deal::ABOUT.table,
    Project::ABOUT.table,
    Entry::ABOUT.table,
    Task::ABOUT.table,
    Note::ABOUT.table,
    Tag::ABOUT.table,
    Sequence::ABOUT.table,
    Enrollment::ABOUT.table,
    Conversation::ABOUT.table,
    Message::ABOUT.table,
    Suppression::ABOUT.table,
    EnrichmentRequest::ABOUT.table,
];

fn set<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, column: &str, to: Option<Uuid>) -> Result<(), Error> {
    let saved = find::<R>(ctx, tx, id)?;
    let mut changes = Changes::default();
    changes.set_named(R::FIELDS, column, to);
    update(ctx, tx, &saved, &changes).map(drop)
}
