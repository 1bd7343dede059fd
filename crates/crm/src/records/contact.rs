//! Contacts: people. `new → contacted → replied → qualified`, and any to any manually; `archived` and back.

use crate::api::call::{Call, Reply, show};
use crate::api::operation::{Operation, delete, get, post, put};
use crate::api::reaction::Reacts;
use crate::api::scope::{CONTACTS_DELETE, CONTACTS_READ, CONTACTS_WRITE};
use crate::records::collection::{Collected, DeleteQuery, NormalizeOptions, change, create, erase, erasure_schema};
use crate::records::tag::{self, TAG_CHOICE, Tag, TagScope, Tagged};
use crate::records::{archive, company_name, custom_field};
use resource::{
    Beside, Changes, Control, Ctx, Error, Field, Format, Index, Items, Problem, Resource, Saved, Sync, Time, digits,
    find, fold, place, update, updated,
};
use serde_json::{Map, Value as Json};
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

/// An email address and its type.
#[derive(Resource)]
pub struct Email {
    #[field(required, format = Format::Email, max = 254)]
    pub email: String,
    #[field(default = "\"work\"")]
    pub r#type: EmailType,
}

/// A phone number as given, and its type.
#[derive(Resource)]
pub struct Phone {
    #[field(required, format = Format::Phone, max = 32)]
    pub phone: String,
    #[field(default = "\"personal\"")]
    pub r#type: PhoneType,
}

/// Members of a body that add to a list.
#[derive(Resource)]
pub struct Shortcuts {
    /// Inserted as the first of `emails`.
    #[field(format = Format::Email, max = 254, synonyms = "email emailaddress emailaddresses emailadresse mail workemail primaryemail emailwork emailhome emailother personalemail secondaryemail homeemail courriel adresseemail adressemail correo correoelectronico postaelettronica indirizzoemail mailadres emailadres enderecodeemail")]
    pub email: Option<String>,
    /// Inserted as the first of `phones`.
    #[field(format = Format::Phone, max = 32, synonyms = "phone phonenumber phonenumbers telephone tel telefon telefonnummer mobile mobilephone mobilephonenumber mobilenumber mobil handy workphone homephone businessphone otherphone phonework phonehome phonemobile phoneother cellphone portable telefono movil cellulare telefoon telefoonnummer mobiel telefone telemovel celular")]
    pub phone: Option<String>,
}

/// A person: candidate, client, prospect.
#[derive(Resource)]
#[resource(table = "contacts", one = "contact", archives, texts, beside = CV_TEXT, custom, created_bounds, sync = Sync::From, indexes = INDEXES)]
pub struct Contact {
    #[field(read_only)]
    pub id: Uuid,
    #[field(
        required,
        max = 100,
        filter,
        sort,
        search,
        alike,
        synonyms = "firstname givenname forename first vorname prenom nombre nome voornaam"
    )]
    pub first_name: String,
    #[field(
        max = 100,
        filter,
        sort,
        search,
        joined,
        alike,
        synonyms = "lastname surname familyname last nachname familienname nom nomdefamille apellido apellidos cognome achternaam sobrenome apelido"
    )]
    pub last_name: Option<String>,
    #[field(
        max = 255,
        filter,
        sort,
        search,
        synonyms = "jobtitle position role headline occupation currenttitle organizationtitle fonction poste funktion stelle cargo puesto posizione ruolo functie"
    )]
    pub title: Option<String>,
    #[field(
        max = 255,
        filter,
        sort,
        search,
        alike,
        label = "Company",
        synonyms = "company companyname currentcompany currentcompanyname organization organisation organizationname accountname account associatedcompany employer firma unternehmen societe entreprise empresa azienda bedrijf"
    )]
    pub current_company: Option<String>,
    #[field(
        max = 255,
        filter,
        term = "contact.location",
        synonyms = "city place address ort stadt wohnort mailingcity businesscity homecity addresscity addresses ville ciudad citta plaats woonplaats cidade"
    )]
    pub location: Option<String>,
    /// URL of the profile on a professional network.
    #[field(max = 500, format = Format::Profile, filter, term = "contact.profile", after = "years_experience", synonyms = "networkprofile profile profileurl networkurl url linkedin linkedinurl linkedinprofile linkedinprofileurl linkedinbio socialmedia")]
    pub network_profile: Option<String>,
    #[field(max = 5, filter_as = "email", term = "contact.email", search, label = "Email", after = "company_id")]
    pub emails: Items<Email>,
    #[field(max = 5, filter_as = "phone", term = "contact.phone", search, label = "Phone", after = "emails")]
    pub phones: Items<Phone>,
    /// Names of tags; missing ones are created.
    #[field(
        max = 100,
        item_max = 100,
        filter,
        term = "contact.tag",
        search,
        after = "contact_type",
        synonyms = "tag labels label categories groupmembership schlagworte kategorien etiquettes etiquetas etichette"
    )]
    pub tags: Vec<Uuid>,
    #[field(default = "\"new\"", filter, counted, all, label = "Status")]
    pub global_status: Status,
    #[field(hidden)]
    pub earlier_status: Option<Status>,
    #[field(default = "\"candidate\"", filter, counted, label = "Type")]
    pub contact_type: ContactType,
    #[field(filter, term = "contact.company", tallied = "contacts", label = "Linked company", after = "current_company", control = Control::Company)]
    pub company_id: Option<Uuid>,
    #[field(max = 10_000, search, after = "do_not_contact", synonyms = "about bio pitch profilesummary")]
    pub summary: Option<String>,
    #[field(
        max = 100,
        item_max = 100,
        filter,
        term = "contact.skill",
        search,
        synonyms = "skill primaryskills kenntnisse competences habilidades competenze vaardigheden"
    )]
    pub skills: Vec<String>,
    #[field(
        max = 100,
        item_max = 100,
        filter,
        term = "contact.language",
        synonyms = "language sprache sprachen langues langue idiomas idioma lingue talen"
    )]
    pub languages: Vec<String>,
    #[field(
        least = 0,
        most = 80,
        filter,
        sort,
        label = "Years of experience",
        synonyms = "yearsofexperience experience"
    )]
    pub years_experience: Option<i64>,
    /// Values of the workspace's custom fields, by key.
    #[field(term = "contact.custom")]
    pub custom_data: Map<String, Json>,
    /// No messages are sent to this contact.
    #[field(
        filter,
        counted,
        synonyms = "donotcontact donotemail optout optedout emailoptout hasoptedoutofemail unsubscribe unsubscribed unsubscribedfromallemail massmailoptout abgemeldet desinscrit"
    )]
    pub do_not_contact: bool,
    #[field(read_only, filter, sort, label = "Added")]
    pub created_at: Time,
    #[field(read_only, filter, sort, label = "Changed")]
    pub updated_at: Time,
    #[field(read_only, filter, sort, after = "summary")]
    pub last_contacted_at: Option<Time>,
    /// Accepts null, which restores, or the current value.
    #[field(filter, unlisted)]
    pub archived_at: Option<Time>,
}

/// The members of a contact that other records show.
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

const SHORTCUTS: &[Field] = Shortcuts::FIELDS;

/// The first operations of contacts; `outreach/contact_search.rs` has the next one.
pub const COLLECTION: &[Operation] = &[
    get("/contacts", "list_contacts", "List contacts").scope(CONTACTS_READ).list::<Contact>(),
    post("/contacts", "create_contact", "Create a contact")
        .scope(CONTACTS_WRITE)
        .body::<Contact>("ContactInput", SHORTCUTS, true)
        .write(create::<Contact>)
        .gives::<Contact>(&[201]),
];

pub const OPERATIONS: &[Operation] = &[
    get("/contacts/{id}", "get_contact", "Get a contact").scope(CONTACTS_READ).record::<Contact>().cacheable(),
    put("/contacts/{id}", "update_contact", "Update a contact")
        .scope(CONTACTS_WRITE)
        .body::<Contact>("ContactUpdate", SHORTCUTS, false)
        .write(change::<Contact>)
        .gives::<Contact>(&[200]),
    delete("/contacts/{id}", "archive_contact", "Archive a contact, or erase it")
        .scope(CONTACTS_DELETE)
        .query(DeleteQuery::FIELDS)
        .write(archive)
        .gives::<Contact>(&[200])
        .accepts("Erasure", erasure_schema),
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
    get("/contacts/{id}/timeline", "contact_timeline", "List the events of a contact and of its related records")
        .scope(CONTACTS_READ)
        .timeline::<Contact>(),
];

fn archive(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    if let Some(reply) = erase::<Contact>(call, tx)? {
        return Ok(reply);
    }
    let contact = find::<Contact>(&call.ctx, tx, call.id(0, "contact")?)?;
    let mut changes = Changes::default();
    set_status(tx, &mut changes, Some(&contact), Status::Archived);
    update(&call.ctx, tx, &contact, &changes)?;
    Contact::changed(&call.ctx, tx, &contact, &changes)?;
    show::<Contact>(&call.ctx, tx, contact.id)
}

impl Tagged for Contact {
    const TAGS: TagScope = TagScope::Contact;
}

impl Collected for Contact {
    const SHORTCUTS: &'static [Field] = SHORTCUTS;
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

    /// An archived contact has its status in `earlier_status`. A change that archives or restores stays as it is.
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

    fn normalize_fields(
        ctx: &Ctx,
        tx: &mut dyn Tx,
        by: &NormalizeOptions,
        changes: &mut Changes,
        saved: Option<&Saved<Contact>>,
    ) -> Result<(), Error> {
        normalize(ctx, tx, by, changes, saved)
    }
}

/// Validates and completes addresses, custom fields, the company and the status.
fn normalize(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    by: &NormalizeOptions,
    changes: &mut Changes,
    saved: Option<&Saved<Contact>>,
) -> Result<(), Error> {
    let mut problems = Vec::new();
    for (list, one, default) in [("emails", "email", "work"), ("phones", "phone", "personal")] {
        problems.extend(merge_addresses(changes, saved, list, one, default)?);
    }
    problems.extend(custom_field::normalize(ctx, tx, changes, saved, by.defined)?);
    problems.extend(normalize_company(ctx, tx, changes, saved)?);
    let restore = archive::restores(changes, saved)?.unwrap_or_else(|problem| {
        problems.push(problem);
        false
    });
    if !problems.is_empty() {
        return Err(Error::Invalid(problems));
    }
    let sent = changes.text(Contact::GLOBAL_STATUS).and_then(Status::from_word);
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

/// Sets `current_company` to the name of the company, unless the body has it or the company is unchanged.
fn normalize_company(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    changes: &mut Changes,
    saved: Option<&Saved<Contact>>,
) -> Result<Option<Problem>, Error> {
    let Some(Value::Id(id)) = changes.get(Contact::COMPANY_ID) else { return Ok(None) };
    let Some(company) = company_name::named(ctx, tx, *id)? else {
        return Ok(Some(Problem { field: "company_id".into(), reason: "no company has this id".into() }));
    };
    changes.set(Contact::COMPANY_ID, company.id);
    if changes.get(Contact::CURRENT_COMPANY).is_none()
        && saved.is_none_or(|saved| saved.record.company_id != Some(company.id))
    {
        let name: String = company.record.name.chars().take(255).collect();
        changes.set(Contact::CURRENT_COMPANY, name);
    }
    Ok(None)
}

/// `archived_at` follows the status, and `earlier_status` stores the previous status for a restore.
fn set_status(tx: &dyn Tx, changes: &mut Changes, saved: Option<&Saved<Contact>>, status: Status) {
    let archived = saved.is_some_and(|saved| saved.record.archived_at.is_some());
    changes.set(Contact::GLOBAL_STATUS, status);
    if status == Status::Archived && !archived {
        changes.set(Contact::ARCHIVED_AT, tx.stamp());
        changes.set(Contact::EARLIER_STATUS, saved.map(|saved| saved.record.global_status));
    }
    if status != Status::Archived && archived {
        changes.clear(Contact::ARCHIVED_AT);
        changes.clear(Contact::EARLIER_STATUS);
    }
}

/// Why no messages may be sent to a contact.
pub fn forbids(archived: bool, do_not_contact: bool) -> Option<&'static str> {
    match (archived, do_not_contact) {
        (_, true) => Some("the contact must not be contacted (do_not_contact)"),
        (true, _) => Some("the contact is archived"),
        _ => None,
    }
}

/// Records that a message was sent: the time, and that the contact is no longer new.
pub fn contacted(ctx: &Ctx, tx: &mut dyn Tx, contact: Saved<Contact>) -> Result<Saved<Contact>, Error> {
    let mut changes = Changes::default();
    changes.set(Contact::LAST_CONTACTED_AT, tx.stamp());
    if contact.record.global_status == Status::New {
        set_status(tx, &mut changes, Some(&contact), Status::Contacted);
    }
    Ok(updated(ctx, tx, &contact, &changes, "updated", &Map::new())?.unwrap_or(contact))
}

/// Records that the contact has replied.
pub fn replied(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    let contact = find::<Contact>(ctx, tx, id)?;
    let mut changes = Changes::default();
    if matches!(contact.record.global_status, Status::New | Status::Contacted) {
        set_status(tx, &mut changes, Some(&contact), Status::Replied);
    }
    update(ctx, tx, &contact, &changes).map(drop)
}

/// Records that the contact wants no more messages.
pub fn do_not_contact(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    let contact = find::<Contact>(ctx, tx, id)?;
    let mut changes = Changes::default();
    changes.set(Contact::DO_NOT_CONTACT, true);
    update(ctx, tx, &contact, &changes).map(drop)
}

/// Puts `email` in front of `emails` (sent or stored); duplicates count once.
fn merge_addresses(
    changes: &mut Changes,
    saved: Option<&Saved<Contact>>,
    list: &str,
    one: &str,
    default: &str,
) -> Result<Option<Problem>, Error> {
    let (front, sent) = (changes.take_named(one), changes.take_named(list));
    let front = match front {
        Some(Value::Text(text)) => Some(text),
        _ => None,
    };
    if front.is_none() && sent.is_none() {
        return Ok(None);
    }
    let stored = saved.map(|saved| saved.value(list)).transpose()?.cloned();
    let id = saved.map_or(Uuid::nil(), |saved| saved.id);
    let place = place(Contact::ABOUT.table, list.to_owned(), &id);
    // Sent items were checked before, so only stored ones can be damaged.
    let rest: Vec<Map<String, Json>> = match sent.or(stored) {
        Some(Value::Text(items)) => place.json(&items)?,
        _ => Vec::new(),
    };
    let same = |text: &str| if one == "phone" { digits(text) } else { fold(text) };
    let rest = rest.into_iter().map(|item| Ok((same(place.member(&item, one)?), item)));
    let mut rest: Vec<(String, Map<String, Json>)> = rest.collect::<Result<_, Error>>()?;
    if let Some(text) = front {
        // An existing address keeps its type and moves to the front.
        let key = same(&text);
        let first = match rest.iter().position(|(known, _)| *known == key) {
            Some(at) => rest.remove(at),
            None => (key, Map::from_iter([(one.to_owned(), text.into()), ("type".to_owned(), default.into())])),
        };
        rest.insert(0, first);
    }
    let mut keys: Vec<String> = Vec::new();
    let mut items: Vec<Map<String, Json>> = Vec::new();
    for (key, item) in rest {
        if !keys.contains(&key) {
            keys.push(key);
            items.push(item);
        }
        if items.len() > 5 {
            return Ok(Some(Problem { field: list.into(), reason: "must have at most 5 items".into() }));
        }
    }
    changes.set_named(Contact::FIELDS, list, Json::from(items).to_string());
    Ok(None)
}
