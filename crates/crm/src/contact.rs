//! Contacts: people. `new → contacted → replied → qualified`, any to any by hand; `archived` and back.

use crate::collection::{Collected, Settling, change, create};
use crate::enrollment::{self, course, stop};
use crate::operation::{Call, Operation, Reply, delete, get, post, put, show};
use crate::scope::{CONTACTS_DELETE, CONTACTS_READ, CONTACTS_WRITE};
use crate::search::{self, Asks, Direction};
use crate::suppression::{self, SuppressionReason};
use crate::tag::{self, TAG_CHOICE, Tag, TagScope};
use crate::{archive, company, custom_field, entry, project, sequence};
use resource::{
    Beside, Changes, Ctx, Error, Field, Format, Index, Items, Problem, Resource, Saved, Sync, Time, digits, find, fold,
    kept, update, updated,
};
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;
use store::{Tx, Uuid, Value};

resource::choices! {
    Status { New = "new", Contacted = "contacted", Replied = "replied", Qualified = "qualified", Archived = "archived" }
}
resource::choices! {
    ContactType { Candidate = "candidate", Client = "client", Prospect = "prospect", Other = "other" }
}
resource::choices! {
    EmailType { Work = "work", Personal = "personal", Other = "other" }
}
resource::choices! {
    PhoneType { Personal = "personal", Work = "work", Mobile = "mobile", Home = "home", Other = "other" }
}

/// An email address and what it is for.
#[derive(Resource)]
pub struct Email {
    #[field(required, format = Format::Email, max = 254)]
    pub email: String,
    #[field(default = "\"work\"")]
    pub r#type: EmailType,
}

/// A phone number as it was given, and what it is for.
#[derive(Resource)]
pub struct Phone {
    #[field(required, format = Format::Phone, max = 32)]
    pub phone: String,
    #[field(default = "\"personal\"")]
    pub r#type: PhoneType,
}

/// Members of a body that stand for a list of one.
#[derive(Resource)]
pub struct Shortcuts {
    /// Put in front of `emails`.
    #[field(format = Format::Email, max = 254)]
    pub email: Option<String>,
    /// Put in front of `phones`.
    #[field(format = Format::Phone, max = 32)]
    pub phone: Option<String>,
}

/// A person: candidate, client, prospect.
#[derive(Resource)]
#[resource(table = "contacts", one = "contact", archives, texts, beside = CV_TEXT, custom, created_bounds, sync = Sync::From, indexes = INDEXES)]
pub struct Contact {
    #[field(read_only)]
    pub id: Uuid,
    #[field(required, max = 100, filter, sort, search, alike)]
    pub first_name: String,
    #[field(max = 100, filter, sort, search, joined, alike)]
    pub last_name: Option<String>,
    #[field(max = 255, filter, sort, search)]
    pub title: Option<String>,
    #[field(max = 255, filter, sort, search, alike)]
    pub current_company: Option<String>,
    #[field(max = 255, filter, term = "contact.location")]
    pub location: Option<String>,
    /// URL of the profile on a professional network.
    #[field(max = 500, format = Format::Profile, filter, term = "contact.profile")]
    pub network_profile: Option<String>,
    #[field(max = 5, filter_as = "email", term = "contact.email", search)]
    pub emails: Items<Email>,
    #[field(max = 5, filter_as = "phone", term = "contact.phone", search)]
    pub phones: Items<Phone>,
    /// Names of tags; one that does not exist is made.
    #[field(max = 100, item_max = 100, filter, term = "contact.tag", search)]
    pub tags: Vec<Uuid>,
    #[field(default = "\"new\"", filter, counted, all)]
    pub global_status: Status,
    #[field(hidden)]
    pub earlier_status: Option<Status>,
    #[field(default = "\"candidate\"", filter, counted)]
    pub contact_type: ContactType,
    #[field(filter, term = "contact.company", tallied = "contacts")]
    pub company_id: Option<Uuid>,
    #[field(max = 10_000, search)]
    pub summary: Option<String>,
    #[field(max = 100, item_max = 100, filter, term = "contact.skill", search)]
    pub skills: Vec<String>,
    #[field(max = 100, item_max = 100, filter, term = "contact.language")]
    pub languages: Vec<String>,
    #[field(least = 0, most = 80, filter, sort)]
    pub years_experience: Option<i64>,
    /// Values of the workspace's custom fields, by key.
    #[field(term = "contact.custom")]
    pub custom_data: Map<String, Json>,
    /// Nothing is sent to this person, whoever asks.
    #[field(filter, counted)]
    pub do_not_contact: bool,
    #[field(read_only, filter, sort)]
    pub created_at: Time,
    #[field(read_only, filter, sort)]
    pub updated_at: Time,
    #[field(read_only, filter, sort)]
    pub last_contacted_at: Option<Time>,
    /// Takes null, which restores, or what it is.
    #[field(filter)]
    pub archived_at: Option<Time>,
}

/// What others show of a contact.
#[derive(Resource)]
#[resource(table = "contacts", one = "contact")]
pub struct ContactName {
    pub id: Uuid,
    pub first_name: String,
    pub last_name: Option<String>,
    pub title: Option<String>,
}

const CV_TEXT: Beside = Beside { table: "cvs", record: "contact_id", text: "text" };

const INDEXES: &[Index] = &[
    Index { name: "contacts_id", fields: &[] },
    Index { name: "contacts_updated_at", fields: &["updated_at"] },
    Index { name: "contacts_global_status", fields: &["global_status"] },
    Index { name: "contacts_global_status_updated_at", fields: &["global_status", "updated_at"] },
    Index { name: "contacts_first_name", fields: &["first_name"] },
    Index { name: "contacts_last_name", fields: &["last_name"] },
    Index { name: "contacts_title", fields: &["title"] },
    Index { name: "contacts_current_company", fields: &["current_company"] },
    Index { name: "contacts_years_experience", fields: &["years_experience"] },
    Index { name: "contacts_last_contacted_at", fields: &["last_contacted_at"] },
    Index { name: "contacts_archived_at", fields: &["archived_at"] },
];

/// What contacts are searched by: all optional, all must hold.
#[derive(Resource)]
pub struct ContactSearch {
    /// Words as in `search=`.
    #[field(max = 500)]
    pub query: Option<String>,
    /// Words in the first or last name.
    #[field(max = 500)]
    pub name: Option<String>,
    /// Words in the title.
    #[field(max = 500)]
    pub title: Option<String>,
    /// Words in `current_company`.
    #[field(max = 500)]
    pub company: Option<String>,
    /// Words in the location.
    #[field(max = 500)]
    pub location: Option<String>,
    /// One of these.
    #[field(max = 100, item_max = 100)]
    pub contact_types: Option<Vec<String>>,
    /// All of these, by name.
    #[field(max = 100, item_max = 100)]
    pub tags: Option<Vec<String>>,
    /// Inclusive.
    pub created_after: Option<Time>,
    /// Exclusive.
    pub created_before: Option<Time>,
    /// Inclusive.
    pub last_contacted_after: Option<Time>,
    /// Exclusive.
    pub last_contacted_before: Option<Time>,
    /// Candidates in this project.
    pub project_id: Option<Uuid>,
    /// Those who are or were enrolled in this sequence.
    pub sequence_id: Option<Uuid>,
    /// As in `sort=`, one field.
    #[field(max = 200)]
    pub sort_by: Option<String>,
    pub sort_direction: Option<Direction>,
    #[field(least = 1, most = 100)]
    pub limit: Option<i64>,
    #[field(least = 0)]
    pub offset: Option<i64>,
}

const CONTACT_SEARCH: &[Field] = ContactSearch::FIELDS;
const SHORTCUTS: &[Field] = Shortcuts::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    get("/contacts", "list_contacts", "List contacts").scope(CONTACTS_READ).list::<Contact>(),
    post("/contacts", "create_contact", "Create a contact")
        .scope(CONTACTS_WRITE)
        .body::<Contact>("ContactInput", SHORTCUTS, true)
        .write(create::<Contact>)
        .gives::<Contact>(&[201]),
    post("/contacts/search", "search_contacts", "Search contacts")
        .scope(CONTACTS_READ)
        .members("ContactSearch", CONTACT_SEARCH)
        .read(seek)
        .gives_list::<Contact>(),
    get("/contacts/{id}", "get_contact", "Get a contact").scope(CONTACTS_READ).record::<Contact>().kept(),
    put("/contacts/{id}", "update_contact", "Update a contact")
        .scope(CONTACTS_WRITE)
        .body::<Contact>("ContactUpdate", SHORTCUTS, false)
        .write(change::<Contact>)
        .gives::<Contact>(&[200]),
    delete("/contacts/{id}", "archive_contact", "Archive a contact")
        .scope(CONTACTS_DELETE)
        .write(archive)
        .gives::<Contact>(&[200]),
    post("/contacts/{id}/tags", "tag_contact", "Attach a tag to a contact")
        .scope(CONTACTS_WRITE)
        .members("TagChoice", TAG_CHOICE)
        .write(tag::attach_to::<Contact>)
        .gives::<Tag>(&[201, 200]),
    delete("/contacts/{id}/tags", "untag_contact", "Remove a tag from a contact")
        .scope(CONTACTS_WRITE)
        .query(TAG_CHOICE)
        .members("TagChoice", TAG_CHOICE)
        .write(tag::detach_from::<Contact>),
    get("/contacts/{id}/timeline", "contact_timeline", "What happened to a contact and what hangs on it")
        .scope(CONTACTS_READ)
        .timeline::<Contact>(),
];

fn seek(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const ASKS: &[(&str, Asks)] = &[
        ("query", Asks::Parameter("search")),
        ("name", Asks::Text("first_name", "last_name")),
        ("title", Asks::Text("title", "title")),
        ("company", Asks::Text("current_company", "current_company")),
        ("location", Asks::Text("location", "location")),
        ("contact_types", Asks::Filter("contact_type", "in")),
        ("tags", Asks::Filter("tags", "cs")),
        ("created_after", Asks::Parameter("created_after")),
        ("created_before", Asks::Parameter("created_before")),
        ("last_contacted_after", Asks::Filter("last_contacted_at", "gte")),
        ("last_contacted_before", Asks::Filter("last_contacted_at", "lt")),
    ];
    let members = call.members(CONTACT_SEARCH)?;
    let mut base = Vec::new();
    if let Some(Value::Id(project)) = members.get("project_id") {
        project::check(&call.ctx, tx, "project_id", *project)?;
        base.push(entry::candidates(*project));
    }
    if let Some(Value::Id(sequence)) = members.get("sequence_id") {
        sequence::check(&call.ctx, tx, "sequence_id", *sequence)?;
        base.push(enrollment::enrolled(*sequence));
    }
    search::run::<Contact>(call, tx, &members, ASKS, &base)
}

fn archive(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let contact = find::<Contact>(&call.ctx, tx, call.id(0, "contact")?)?;
    let mut changes = Changes::default();
    set_status(tx, &mut changes, Some(&contact), Status::Archived);
    update(&call.ctx, tx, &contact, &changes)?;
    changed(&call.ctx, tx, contact.id, &changes)?;
    show::<Contact>(&call.ctx, tx, contact.id)
}

impl Collected for Contact {
    const SHORTCUTS: &'static [Field] = SHORTCUTS;
    const TAGS: TagScope = TagScope::Contact;
    const LINKS: &'static [&'static str] = &[
        "notes",
        "files",
        "tasks",
        "pipeline_entries",
        "deal_contacts",
        "conversations",
        "enrollments",
        "contact_profiles",
        "enrichment_requests",
    ];
    const TOGETHER: &'static [&'static [&'static str]] =
        &[&["global_status", "earlier_status", "archived_at"], &["company_id", "current_company"]];

    /// The status of an archived contact is its earlier one. A change that archives or restores stays as it is.
    fn align(values: &Map<String, Json>, before: &mut Map<String, Json>, after: &mut Map<String, Json>) {
        if after.contains_key("archived_at") {
            return;
        }
        let is_archived = match values.get("global_status") {
            Some(status) => status == Status::Archived.word(),
            None => values.contains_key("earlier_status"),
        };
        let mut both = ["global_status", "earlier_status"];
        if !is_archived {
            both.reverse();
        }
        for change in [before, after] {
            if let Some(status) = change.remove(both[0]) {
                let status = if status.is_null() { Status::New.word().into() } else { status };
                change.insert(both[1].into(), status);
            }
        }
    }

    fn merged(
        ctx: &Ctx,
        tx: &mut dyn Tx,
        into: &Saved<Contact>,
        from: &[Saved<Contact>],
        chosen: &HashMap<&'static str, Uuid>,
        changes: &mut Changes,
    ) -> Result<(), Error> {
        merge_status(into, from, chosen, changes);
        merge_company(into, from, chosen, changes);
        let mut refuses = false;
        for contact in std::iter::once(into).chain(from) {
            refuses = refuses
                || contact.record.do_not_contact
                || said_no(ctx, tx, contact.id, &kept(contact.value("emails")))?;
        }
        if refuses {
            changes.set(Contact::FIELDS, "do_not_contact", true);
        }
        Ok(())
    }

    fn settle(
        ctx: &Ctx,
        tx: &mut dyn Tx,
        by: &Settling,
        changes: &mut Changes,
        saved: Option<&Saved<Contact>>,
    ) -> Result<(), Error> {
        settle(ctx, tx, by, changes, saved)
    }

    fn changed(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, changes: &Changes) -> Result<(), Error> {
        changed(ctx, tx, id, changes)
    }

    fn parted(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, since: i64) -> Result<(), Error> {
        parted(ctx, tx, id, since)
    }
}

/// The status that says most of any of them. One that is archived stays so, and has it when it is restored.
fn merge_status(
    into: &Saved<Contact>,
    from: &[Saved<Contact>],
    chosen: &HashMap<&'static str, Uuid>,
    changes: &mut Changes,
) {
    if chosen.contains_key("global_status") {
        return;
    }
    let place = |status: Status| {
        [Status::New, Status::Contacted, Status::Replied, Status::Qualified].iter().position(|one| *one == status)
    };
    let of = |contact: &Saved<Contact>| match contact.record.global_status {
        Status::Archived => contact.record.earlier_status.unwrap_or(Status::New),
        status => status,
    };
    let furthest = from.iter().map(of).fold(of(into), |best, one| if place(one) > place(best) { one } else { best });
    let member = if into.record.global_status == Status::Archived { "earlier_status" } else { "global_status" };
    if furthest != of(into) {
        changes.set(Contact::FIELDS, member, furthest.word());
    }
}

/// The company and its name come from one record: the chosen one, else the first that has either. What that one lacks of
/// the two is taken from another which means the same company.
fn merge_company(
    into: &Saved<Contact>,
    from: &[Saved<Contact>],
    chosen: &HashMap<&'static str, Uuid>,
    changes: &mut Changes,
) {
    const BOTH: [&str; 2] = ["company_id", "current_company"];
    if BOTH.iter().all(|member| chosen.contains_key(member)) {
        return;
    }
    let all = || std::iter::once(into).chain(from);
    let named = |contact: &Saved<Contact>| BOTH.iter().any(|member| *contact.value(member) != Value::Null);
    let choice = BOTH.iter().find_map(|member| chosen.get(member));
    let source = match choice {
        Some(id) => all().find(|contact| contact.id == *id),
        None => all().find(|contact| named(contact)),
    };
    let Some(source) = source else { return };
    let record = &source.record;
    let name = |contact: &Saved<Contact>| contact.record.current_company.as_deref().map(fold);
    let (mut company, mut current) = (record.company_id, record.current_company.clone());
    if company.is_none() && current.is_some() {
        company = all().filter(|other| name(other) == name(source)).find_map(|other| other.record.company_id);
    }
    if current.is_none() && company.is_some() {
        current = all()
            .filter(|other| other.record.company_id == company)
            .find_map(|other| other.record.current_company.clone());
    }
    changes.take("company_id");
    changes.take("current_company");
    if company != into.record.company_id {
        changes.set(Contact::FIELDS, "company_id", company);
    }
    if current != into.record.current_company {
        changes.set(Contact::FIELDS, "current_company", current);
    }
}

/// Whoever replied or complained while merged, by a message of their own, has done so after the undo, too.
fn parted(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, since: i64) -> Result<(), Error> {
    if enrollment::replied_since(ctx, tx, id, since)? {
        replied(ctx, tx, id)?;
    }
    let contact = find::<Contact>(ctx, tx, id)?;
    let emails = contact.record.emails.0.iter().filter_map(|email| email.get("email")?.as_str().map(str::to_owned));
    let emails: Vec<String> = emails.collect();
    match suppression::complained_since(ctx, tx, &emails, since)? {
        true => do_not_contact(ctx, tx, id),
        false => Ok(()),
    }
}

/// Whether this person wants no messages: by unsubscribing, by a complaint, or since their first address was suppressed by
/// hand. An address that only bounced is no such wish.
pub fn said_no(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid, emails: &Json) -> Result<bool, Error> {
    if enrollment::unsubscribed(ctx, tx, contact)? {
        return Ok(true);
    }
    let emails: Vec<Json> = serde_json::from_str(emails.as_str().unwrap_or("[]"))
        .map_err(|error| store::Error::Corrupt(format!("the addresses of the contact {contact}: {error}")))?;
    for (nth, email) in emails.iter().enumerate() {
        let Some(address) = email.get("email").and_then(Json::as_str) else { continue };
        match suppression::reason_against(ctx, tx, address)? {
            Some(SuppressionReason::Unsubscribed | SuppressionReason::Complained) => return Ok(true),
            Some(SuppressionReason::Manual) if nth == 0 => return Ok(true),
            Some(SuppressionReason::Manual | SuppressionReason::Bounced) | None => {}
        }
    }
    Ok(false)
}

/// Whom nothing may be sent to any more leaves every sequence at once; what branches and schedules go by is looked at again.
fn changed(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, changes: &Changes) -> Result<(), Error> {
    let archived = changes.get("archived_at").is_some_and(|at| *at != Value::Null);
    let forbidden = changes.get("do_not_contact") == Some(&Value::Bool(true));
    if archived || forbidden {
        stop::contact_changed(ctx, tx, id)?;
    }
    if changes.get("emails").is_some() {
        stop::addresses_changed(ctx, tx, id)?;
    }
    match ["emails", "phones", "network_profile", "location"].iter().any(|name| changes.get(name).is_some()) {
        true => course::contact_changed(ctx, tx, id),
        false => Ok(()),
    }
}

/// What a body can't settle alone: addresses, custom fields, the company and the status.
fn settle(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    by: &Settling,
    changes: &mut Changes,
    saved: Option<&Saved<Contact>>,
) -> Result<(), Error> {
    let mut problems = Vec::new();
    for (list, one, default) in [("emails", "email", "work"), ("phones", "phone", "personal")] {
        let stored = saved.map(|saved| saved.value(list).clone());
        if let Err(problem) = merge_addresses(changes, list, one, default, stored) {
            problems.push(problem);
        }
    }
    problems.extend(custom_field::settle(ctx, tx, changes, saved, by.defined)?);
    problems.extend(settle_company(ctx, tx, changes, saved)?);
    let restore = archive::restores(changes, saved).unwrap_or_else(|problem| {
        problems.push(problem);
        false
    });
    if !problems.is_empty() {
        return Err(Error::Invalid(problems));
    }
    let sent = changes.text("global_status").and_then(Status::from_word);
    let sent = sent.filter(|status| saved.is_none_or(|saved| saved.record.global_status != *status));
    match (sent, saved) {
        (Some(Status::Archived), _) => {
            by.scopes.require(CONTACTS_DELETE)?;
            set_status(tx, changes, saved, Status::Archived);
        }
        (Some(status), _) => set_status(tx, changes, saved, status),
        (None, Some(saved)) if restore => {
            set_status(tx, changes, Some(saved), saved.record.earlier_status.unwrap_or(Status::New))
        }
        (None, _) => {}
    }
    Ok(())
}

/// A company that is named alone gives its name, too.
fn settle_company(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    changes: &mut Changes,
    saved: Option<&Saved<Contact>>,
) -> Result<Option<Problem>, Error> {
    let Some(Value::Id(id)) = changes.get("company_id") else { return Ok(None) };
    let Some(company) = company::named(ctx, tx, *id)? else {
        return Ok(Some(Problem { field: "company_id".into(), reason: "no company has this id".into() }));
    };
    changes.set(Contact::FIELDS, "company_id", company.id);
    if changes.get("current_company").is_none() && saved.is_none_or(|saved| saved.record.company_id != Some(company.id))
    {
        let name: String = company.record.name.chars().take(255).collect();
        changes.set(Contact::FIELDS, "current_company", name);
    }
    Ok(None)
}

/// `archived_at` follows the status, and the status before is kept for the way back.
fn set_status(tx: &dyn Tx, changes: &mut Changes, saved: Option<&Saved<Contact>>, status: Status) {
    let archived = saved.is_some_and(|saved| saved.record.archived_at.is_some());
    changes.set(Contact::FIELDS, "global_status", status.word());
    if status == Status::Archived && !archived {
        changes.set(Contact::FIELDS, "archived_at", tx.stamp());
        changes.set(Contact::FIELDS, "earlier_status", saved.map(|saved| saved.record.global_status.word()));
    }
    if status != Status::Archived && archived {
        changes.set(Contact::FIELDS, "archived_at", Value::Null);
        changes.set(Contact::FIELDS, "earlier_status", Value::Null);
    }
}

/// Why nothing may be sent to a contact who is so.
pub fn forbids(archived: bool, do_not_contact: bool) -> Option<&'static str> {
    match (archived, do_not_contact) {
        (_, true) => Some("the contact must not be contacted (do_not_contact)"),
        (true, _) => Some("the contact is archived"),
        _ => None,
    }
}

/// A message went out: when, and that they are not new any more.
pub fn contacted(ctx: &Ctx, tx: &mut dyn Tx, contact: Saved<Contact>) -> Result<Saved<Contact>, Error> {
    let mut changes = Changes::default();
    changes.set(Contact::FIELDS, "last_contacted_at", tx.stamp());
    if contact.record.global_status == Status::New {
        set_status(tx, &mut changes, Some(&contact), Status::Contacted);
    }
    Ok(updated(ctx, tx, &contact, &changes, "updated", &Map::new())?.unwrap_or(contact))
}

/// A message came in: they have replied.
pub fn replied(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    let contact = find::<Contact>(ctx, tx, id)?;
    let mut changes = Changes::default();
    if matches!(contact.record.global_status, Status::New | Status::Contacted) {
        set_status(tx, &mut changes, Some(&contact), Status::Replied);
    }
    update(ctx, tx, &contact, &changes).map(drop)
}

/// Nothing more is sent to them, by their own wish.
pub fn do_not_contact(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    let contact = find::<Contact>(ctx, tx, id)?;
    let mut changes = Changes::default();
    changes.set(Contact::FIELDS, "do_not_contact", true);
    update(ctx, tx, &contact, &changes).map(drop)
}

/// `email` goes in front of `emails` (sent, or stored already); equal ones count once.
fn merge_addresses(
    changes: &mut Changes,
    list: &str,
    one: &str,
    default: &str,
    stored: Option<Value>,
) -> Result<(), Problem> {
    let (front, sent) = (changes.take(one), changes.take(list));
    let front = match front {
        Some(Value::Text(text)) => Some(text),
        _ => None,
    };
    if front.is_none() && sent.is_none() {
        return Ok(());
    }
    let rest: Vec<Map<String, Json>> = match sent.or(stored) {
        Some(Value::Text(items)) => serde_json::from_str(&items).unwrap_or_default(),
        _ => Vec::new(),
    };
    let text_of = |item: &Map<String, Json>| item.get(one).and_then(Json::as_str).unwrap_or_default().to_owned();
    let same = |text: &str| if one == "phone" { digits(text) } else { fold(text) };
    let mut items: Vec<Map<String, Json>> = Vec::new();
    if let Some(text) = front {
        // One that is there already keeps its type and comes to the front.
        let known = rest.iter().find(|item| same(&text_of(item)) == same(&text)).cloned();
        let fresh = || json!({ one: text, "type": default }).as_object().cloned().unwrap_or_default();
        items.push(known.unwrap_or_else(fresh));
    }
    for item in rest {
        if !items.iter().any(|seen| same(&text_of(seen)) == same(&text_of(&item))) {
            items.push(item);
        }
        if items.len() > 5 {
            return Err(Problem { field: list.into(), reason: "must have at most 5 items".into() });
        }
    }
    changes.set(Contact::FIELDS, list, Json::from(items).to_string());
    Ok(())
}
