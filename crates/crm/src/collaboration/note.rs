//! Notes that users write about a record. Pinned ones come first.

use crate::api::call::{Call, Content, Reply, list_under, make, show, under};
use crate::api::operation::{Operation, Takes, delete, get, post, put};
use crate::api::scope::{NOTES_READ, NOTES_WRITE};
use crate::pipelines::deal::Deal;
use crate::pipelines::project::Project;
use crate::records::company::Company;
use crate::records::contact::Contact;
use resource::{About, Changes, Error, Index, Query, Resource, Sync, Time, find, update};
use store::{Tx, Uuid};

/// A note that a user wrote about a record.
#[derive(Resource)]
#[resource(table = "notes", one = "note", default_sort = "-is_pinned,-created_at", sync = Sync::Window, indexes = INDEXES)]
pub struct Note {
    #[field(read_only)]
    pub id: Uuid,
    #[field(required, max = 10_000)]
    pub content: String,
    #[field(filter)]
    pub is_pinned: bool,
    /// The member who wrote it.
    #[field(read_only, filter)]
    pub author_id: Option<Uuid>,
    #[field(read_only, filter, subject)]
    pub contact_id: Option<Uuid>,
    #[field(read_only, filter, subject)]
    pub company_id: Option<Uuid>,
    #[field(read_only, filter, subject)]
    pub deal_id: Option<Uuid>,
    #[field(read_only, filter, subject)]
    pub project_id: Option<Uuid>,
    #[field(read_only, filter, sort)]
    pub created_at: Time,
    #[field(read_only, filter, sort)]
    pub updated_at: Time,
}

const INDEXES: &[Index] = &[
    Index { name: "notes_contact_id", fields: &["contact_id"] },
    Index { name: "notes_company_id", fields: &["company_id"] },
    Index { name: "notes_deal_id", fields: &["deal_id"] },
    Index { name: "notes_project_id", fields: &["project_id"] },
    Index { name: "notes_author_id", fields: &["author_id"] },
    Index { name: "notes_updated_at", fields: &["updated_at"] },
];

/// The list of the notes of all records. Pinned notes come first among those of one record only: no index has that
/// order for a whole workspace.
const OF_ALL: About = About { default_sort: "-created_at", ..Note::ABOUT };

pub const OPERATIONS: &[Operation] = &[
    listed("/contacts/{id}/notes", "list_contact_notes", "List a contact's notes").read(list_under::<Contact, Note>),
    written("/contacts/{id}/notes", "create_contact_note", "Add a note to a contact").write(write::<Contact>),
    listed("/companies/{id}/notes", "list_company_notes", "List a company's notes").read(list_under::<Company, Note>),
    written("/companies/{id}/notes", "create_company_note", "Add a note to a company").write(write::<Company>),
    listed("/deals/{id}/notes", "list_deal_notes", "List a deal's notes").read(list_under::<Deal, Note>),
    written("/deals/{id}/notes", "create_deal_note", "Add a note to a deal").write(write::<Deal>),
    listed("/projects/{id}/notes", "list_project_notes", "List a project's notes").read(list_under::<Project, Note>),
    written("/projects/{id}/notes", "create_project_note", "Add a note to a project").write(write::<Project>),
    listed_of_all(),
    get("/notes/{id}", "get_note", "Get a note").scope(NOTES_READ).record::<Note>(),
    put("/notes/{id}", "update_note", "Update a note")
        .scope(NOTES_WRITE)
        .body::<Note>("NoteUpdate", &[], false)
        .write(change)
        .gives::<Note>(&[200]),
    delete("/notes/{id}", "delete_note", "Delete a note").scope(NOTES_WRITE).write(remove),
];

const fn listed(path: &'static str, name: &'static str, summary: &'static str) -> Operation {
    get(path, name, summary).scope(NOTES_READ).list::<Note>()
}

const fn listed_of_all() -> Operation {
    let operation = listed("/notes", "list_notes", "List the notes of all records").read(list);
    Operation { query: Takes::List(&OF_ALL, Note::FIELDS), ..operation }
}

const fn written(path: &'static str, name: &'static str, summary: &'static str) -> Operation {
    post(path, name, summary).scope(NOTES_WRITE).body::<Note>("NoteInput", &[], true).gives::<Note>(&[201])
}

fn list(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let query = Query::parse(&OF_ALL, Note::FIELDS, &[], &call.query)?;
    let page = resource::list::<Note>(&call.ctx, tx, &query, &[])?;
    Ok(Reply::of(Content::Page(page)))
}

fn write<R: Resource>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let mut changes: Changes = call.changes::<Note>(&[], true)?;
    let record = under::<R>(call, tx)?;
    changes.set_named(Note::FIELDS, &format!("{}_id", R::ABOUT.one), record);
    changes.set(Note::AUTHOR_ID, call.ctx.actor.user);
    let (id, reply) = make::<Note>(&call.ctx, tx, &changes)?;
    Ok(reply.created(format!("/notes/{id}")))
}

fn change(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let changes = call.changes::<Note>(&[], false)?;
    let note = find::<Note>(&call.ctx, tx, call.id(0, "note")?)?;
    update(&call.ctx, tx, &note, &changes)?;
    show::<Note>(&call.ctx, tx, note.id)
}

fn remove(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let note = find::<Note>(&call.ctx, tx, call.id(0, "note")?)?;
    resource::delete(&call.ctx, tx, &note)?;
    Ok(Reply::deleted())
}
