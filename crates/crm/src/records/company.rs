//! Companies: employers of contacts, clients and prospects. `DELETE` archives, `archived_at: null` restores.

use crate::api::call::{Call, Reply, list_under, show};
use crate::api::operation::{Operation, delete, get, post, put};
use crate::api::scope::{COMPANIES_DELETE, COMPANIES_READ, COMPANIES_WRITE, CONTACTS_READ};
use crate::api::search::{self, Asks, Direction};
use crate::records::collection::{Collected, DeleteQuery, NormalizeOptions, change, create, erase, erasure_schema};
use crate::records::contact::Contact;
use crate::records::tag::{self, TAG_CHOICE, Tag, TagScope, Tagged};
use crate::records::{archive, custom_field, references};
use resource::{Changes, Control, Ctx, Error, Field, Format, Index, Resource, Saved, Sync, Time, find, update};
use serde_json::{Map, Value as Json};
use store::{Tx, Uuid};

resource::choices! {
    /// The number of employees.
    SizeRange {
        To10 = "1-10", To50 = "11-50", To200 = "51-200", To500 = "201-500", To1000 = "501-1000",
        To5000 = "1001-5000", To10000 = "5001-10000", Beyond = "10001+",
    }
}

/// A company: employer, client, prospect.
#[derive(Resource)]
#[resource(table = "companies", one = "company", archives, texts, custom, sync = Sync::Window, indexes = INDEXES)]
pub struct Company {
    #[field(read_only)]
    pub id: Uuid,
    #[field(
        required,
        max = 200,
        filter,
        sort,
        search,
        alike,
        synonyms = "companyname company organization organizationname organisation accountname account firma unternehmen firmenname societe entreprise nom empresa nombre azienda nome bedrijf bedrijfsnaam"
    )]
    pub name: String,
    /// A host name, lower-cased.
    #[field(max = 253, format = Format::Host, filter, term = "company.domain", search, synonyms = "companydomain domainname companydomainname websitedomain")]
    pub domain: Option<String>,
    #[field(max = 500, format = Format::Url, filter, term = "company.website", search, synonyms = "websiteurl companywebsite url web webpage homepage webseite internet siteweb sitioweb sitoweb site")]
    pub website: Option<String>,
    /// URL of the page on a professional network.
    #[field(max = 500, format = Format::Url, after = "email", synonyms = "networkprofile profile profileurl networkurl linkedin linkedinurl linkedincompanypage linkedincompanyurl")]
    pub network_profile: Option<String>,
    #[field(
        max = 255,
        filter,
        term = "company.industry",
        search,
        synonyms = "sector branch branche secteur settore setor"
    )]
    pub industry: Option<String>,
    #[field(
        least = 0,
        most = 100_000_000,
        filter,
        sort,
        label = "Employees",
        after = "size_range",
        synonyms = "employees headcount numberofemployees noofemployees mitarbeiter mitarbeiterzahl effectif empleados dipendenti medewerkers"
    )]
    pub employee_count: Option<i64>,
    #[field(filter, counted, label = "Size", after = "location", synonyms = "size companysize")]
    pub size_range: Option<SizeRange>,
    #[field(
        max = 255,
        filter,
        term = "company.location",
        after = "industry",
        synonyms = "city place address billingcity headquarters ort stadt ville ciudad citta plaats cidade"
    )]
    pub location: Option<String>,
    #[field(max = 10_000, search, after = "network_profile", synonyms = "about beschreibung descripcion descrizione")]
    pub description: Option<String>,
    #[field(max = 32, format = Format::Phone, search, after = "tags", synonyms = "phonenumber companyphone mainphone telephone tel telefon telefono telefoon telefone")]
    pub phone: Option<String>,
    #[field(max = 254, format = Format::Email, search, after = "phone", synonyms = "emailaddress companyemail mail courriel correo")]
    pub email: Option<String>,
    #[field(max = 2000, format = Format::Url, unlisted)]
    pub logo_url: Option<String>,
    /// The responsible member.
    #[field(filter, term = "company.owner", control = Control::Member)]
    pub owner_id: Option<Uuid>,
    /// Names of tags; missing ones are created.
    #[field(
        max = 100,
        item_max = 100,
        filter,
        term = "company.tag",
        search,
        synonyms = "tag labels label etiquettes etiquetas"
    )]
    pub tags: Vec<Uuid>,
    /// Values of the workspace's custom fields, by key.
    #[field(term = "company.custom")]
    pub custom_data: Map<String, Json>,
    /// Contacts of this company that are not archived.
    #[field(count = "contacts", label = "People", after = "employee_count")]
    pub contacts_count: i64,
    /// Deals with this company that are not archived.
    #[field(count = "deals", label = "Deals", after = "contacts_count")]
    pub deals_count: i64,
    #[field(read_only, filter, sort, label = "Added")]
    pub created_at: Time,
    #[field(read_only, filter, sort, label = "Changed")]
    pub updated_at: Time,
    /// Accepts null, which restores, or the current value.
    #[field(filter, unlisted)]
    pub archived_at: Option<Time>,
}

const INDEXES: &[Index] = &[
    Index { name: "companies_updated_at", fields: &["updated_at"] },
    Index { name: "companies_name", fields: &["name"] },
    Index { name: "companies_employee_count", fields: &["employee_count"] },
];

/// Search criteria for companies: all optional, all must match.
#[derive(Resource)]
pub struct CompanySearch {
    /// Words as in `search=`.
    #[field(max = 500)]
    pub query: Option<String>,
    /// Words in the name.
    #[field(max = 500)]
    pub name: Option<String>,
    /// Words in the domain.
    #[field(max = 500)]
    pub domain: Option<String>,
    /// Words in the industry.
    #[field(max = 500)]
    pub industry: Option<String>,
    /// Words in the location.
    #[field(max = 500)]
    pub location: Option<String>,
    /// All of these, by name.
    #[field(max = 100, item_max = 100)]
    pub tags: Option<Vec<String>>,
    /// Inclusive.
    pub created_after: Option<Time>,
    /// Exclusive.
    pub created_before: Option<Time>,
    /// As in `sort=`, one field.
    #[field(max = 200)]
    pub sort_by: Option<String>,
    pub sort_direction: Option<Direction>,
    /// The size of a page; 50 if not given.
    #[field(least = 1, most = 100)]
    pub limit: Option<i64>,
    #[field(least = 0)]
    pub offset: Option<i64>,
}

const COMPANY_SEARCH: &[Field] = CompanySearch::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    get("/companies", "list_companies", "List companies").scope(COMPANIES_READ).list::<Company>(),
    post("/companies", "create_company", "Create a company")
        .scope(COMPANIES_WRITE)
        .body::<Company>("CompanyInput", &[], true)
        .write(create::<Company>)
        .gives::<Company>(&[201]),
    post("/companies/search", "search_companies", "Search companies")
        .scope(COMPANIES_READ)
        .members("CompanySearch", COMPANY_SEARCH)
        .read(seek)
        .gives_list::<Company>(),
    get("/companies/{id}", "get_company", "Get a company").scope(COMPANIES_READ).record::<Company>().cacheable(),
    put("/companies/{id}", "update_company", "Update a company")
        .scope(COMPANIES_WRITE)
        .body::<Company>("CompanyUpdate", &[], false)
        .write(change::<Company>)
        .gives::<Company>(&[200]),
    delete("/companies/{id}", "archive_company", "Archive a company, or erase it")
        .scope(COMPANIES_DELETE)
        .query(DeleteQuery::FIELDS)
        .write(archive)
        .gives::<Company>(&[200])
        .accepts("Erasure", erasure_schema),
    post("/companies/{id}/tags", "tag_company", "Attach a tag to a company")
        .scope(COMPANIES_WRITE)
        .members("TagChoice", TAG_CHOICE)
        .write(tag::attach_to::<Company>)
        .gives::<Tag>(&[201, 200]),
    delete("/companies/{id}/tags", "untag_company", "Remove a tag from a company")
        .scope(COMPANIES_WRITE)
        .query(TAG_CHOICE)
        .members("TagChoice", TAG_CHOICE)
        .write(tag::detach_from::<Company>),
    get("/companies/{id}/contacts", "list_company_contacts", "List a company's contacts")
        .scope(CONTACTS_READ)
        .list::<Contact>()
        .read(list_under::<Company, Contact>),
    get("/companies/{id}/timeline", "company_timeline", "List the events of a company and of its related records")
        .scope(COMPANIES_READ)
        .timeline::<Company>(),
];

fn seek(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const ASKS: &[(&str, Asks)] = &[
        ("query", Asks::Parameter("search")),
        ("name", Asks::Text("name", "name")),
        ("domain", Asks::Text("domain", "domain")),
        ("industry", Asks::Text("industry", "industry")),
        ("location", Asks::Text("location", "location")),
        ("tags", Asks::Filter("tags", "cs")),
        ("created_after", Asks::Filter("created_at", "gte")),
        ("created_before", Asks::Filter("created_at", "lt")),
    ];
    search::run::<Company>(call, tx, &call.members(COMPANY_SEARCH)?, ASKS, &[])
}

fn archive(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    if let Some(reply) = erase::<Company>(call, tx)? {
        return Ok(reply);
    }
    let company = find::<Company>(&call.ctx, tx, call.id(0, "company")?)?;
    if company.record.archived_at.is_none() {
        let mut changes = Changes::default();
        changes.set(Company::ARCHIVED_AT, tx.stamp());
        update(&call.ctx, tx, &company, &changes)?;
    }
    show::<Company>(&call.ctx, tx, company.id)
}

impl Tagged for Company {
    const TAGS: TagScope = TagScope::Company;
}

impl Collected for Company {
    const SHORTCUTS: &'static [Field] = &[];
    const LINKS: &'static [&'static str] = &["notes", "contacts", "tasks", "projects", "deals"];
    const TOGETHER: &'static [&'static [&'static str]] = &[];

    fn normalize_fields(
        ctx: &Ctx,
        tx: &mut dyn Tx,
        by: &NormalizeOptions,
        changes: &mut Changes,
        saved: Option<&Saved<Company>>,
    ) -> Result<(), Error> {
        normalize(ctx, tx, by, changes, saved)
    }
}

/// Validates custom fields, the owner and archiving.
fn normalize(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    by: &NormalizeOptions,
    changes: &mut Changes,
    saved: Option<&Saved<Company>>,
) -> Result<(), Error> {
    let mut problems = custom_field::normalize(ctx, tx, changes, saved, by.defined)?;
    problems.extend(references::member(ctx, tx, changes, Company::OWNER_ID)?);
    match archive::restores(changes, saved)? {
        Ok(true) => changes.clear(Company::ARCHIVED_AT),
        Ok(false) => {}
        Err(problem) => problems.push(problem),
    }
    if !problems.is_empty() {
        return Err(Error::Invalid(problems));
    }
    Ok(())
}

/// The company with this id, if it exists.
pub fn named(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Option<Saved<Company>>, Error> {
    match find::<Company>(ctx, tx, id) {
        Err(Error::NotFound(_)) => Ok(None),
        found => found.map(Some),
    }
}
