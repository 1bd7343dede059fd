//! Sourcing profiles: people who can be found and hired, in a store that belongs to no workspace. The operator imports
//! them, searches find them by words, and credits pay for them.

pub mod advanced;
pub mod find;
pub mod import;
pub mod segment;
pub mod words;

pub use find::search;

use crate::records::contact::{Email, Phone};
use resource::{Error, Field, Format, Items, Kind, Part, Resource, invalid, record_schema};
use serde_json::{Map, Value as Json, json};

/// Most experiences, and most items of other lists.
const EXPERIENCES: usize = 100;
const FEW: usize = 50;

/// The current job of a person.
#[derive(Resource)]
pub struct CurrentJob {
    #[field(max = 255)]
    pub title: Option<String>,
    #[field(max = 255)]
    pub company_name: Option<String>,
}

/// A current or former job of a person.
#[derive(Resource)]
pub struct Experience {
    #[field(max = 255)]
    pub title: Option<String>,
    #[field(max = 255)]
    pub company_name: Option<String>,
    #[field(max = 253)]
    pub company_domain: Option<String>,
    /// A year, a month or a day, as the source has it.
    #[field(max = 32)]
    pub start_date: Option<String>,
    #[field(max = 32)]
    pub end_date: Option<String>,
    #[field(max = 10_000)]
    pub description: Option<String>,
    pub is_current: bool,
}

#[derive(Resource)]
pub struct Education {
    #[field(max = 255)]
    pub educational_establishment: Option<String>,
    #[field(max = 255)]
    pub diploma: Option<String>,
    #[field(max = 255)]
    pub specialization: Option<String>,
    #[field(max = 32)]
    pub start_date: Option<String>,
    #[field(max = 32)]
    pub end_date: Option<String>,
}

/// A person in the profile database.
#[derive(Resource)]
pub struct SourcingProfile {
    #[field(required, max = 200)]
    pub profile_id: String,
    #[field(required, max = 100)]
    pub first_name: String,
    /// Empty if the person has none.
    #[field(max = 100)]
    pub last_name: String,
    #[field(max = 500)]
    pub headline: Option<String>,
    #[field(max = 2000, format = Format::Url)]
    pub picture_url: Option<String>,
    #[field(max = 255)]
    pub location: Option<String>,
    #[field(max = 500, format = Format::Url)]
    pub network_url: Option<String>,
    #[field(max = 10_000)]
    pub summary: Option<String>,
    pub current_job: Option<Part<CurrentJob>>,
    pub experiences: Items<Experience>,
    pub educations: Items<Education>,
    #[field(max = 100, item_max = 100)]
    pub skills: Vec<String>,
    #[field(least = 0, most = 80)]
    pub total_years_experience: Option<i64>,
    pub open_to_work: Option<bool>,
    /// Null if not revealed.
    pub emails: Option<Items<Email>>,
    /// Null if not revealed.
    pub phones: Option<Items<Phone>>,
    /// Whether its contact is in the requested project.
    #[field(read_only, default = "false")]
    pub already_in_project: bool,
    /// The contact of this person, if there is one.
    #[field(read_only)]
    pub existing_contact_id: Option<store::Uuid>,
}

/// Checks a line of an import and returns it in its stored form, with all members and without unknown ones.
pub fn checked(mut given: Map<String, Json>) -> Result<Map<String, Json>, Error> {
    if given
        .get("last_name")
        .is_some_and(|name| name.is_null() || name.as_str().is_some_and(|text| text.trim().is_empty()))
    {
        given.remove("last_name");
    }
    for (list, member) in [("emails", "email"), ("phones", "phone")] {
        for item in given.get_mut(list).and_then(Json::as_array_mut).into_iter().flatten() {
            // A plain text is accepted as an address.
            if item.is_string() {
                *item = json!({ member: item.take() });
            }
        }
    }
    let mut known = known_only(SourcingProfile::FIELDS, given);
    for (list, most) in [("experiences", EXPERIENCES), ("educations", FEW), ("emails", FEW), ("phones", FEW)] {
        if known.get(list).is_some_and(Json::is_null) {
            known.remove(list);
        }
        if known.get(list).and_then(Json::as_array).is_some_and(|items| items.len() > most) {
            return Err(invalid(list, format!("must have at most {most} items")));
        }
    }
    if known.get("skills").is_some_and(Json::is_null) {
        known.remove("skills");
    }
    let mut profile = resource::checked(SourcingProfile::FIELDS, &known)?;
    if profile["last_name"].is_null() {
        profile.insert("last_name".into(), "".into());
    }
    if profile["current_job"].is_null() {
        let experiences = profile["experiences"].as_array().into_iter().flatten();
        let mut current = experiences.filter(|experience| experience["is_current"] == true);
        if let Some(job) = current.next() {
            let job = json!({ "title": job["title"], "company_name": job["company_name"] });
            profile.insert("current_job".into(), job);
        }
    }
    Ok(profile)
}

/// Removes members that are not declared, at all levels, because files contain many others.
fn known_only(fields: &[Field], given: Map<String, Json>) -> Map<String, Json> {
    let known = |(name, json): (String, Json)| {
        let field = fields.iter().find(|field| field.name == name && !field.read_only)?;
        let json = match (field.kind, json) {
            (Kind::Part(fields), Json::Object(part)) => known_only(fields, part).into(),
            (Kind::Items(fields), Json::Array(items)) => {
                let item = |item| if let Json::Object(item) = item { known_only(fields, item).into() } else { item };
                items.into_iter().map(item).collect()
            }
            (_, json) => json,
        };
        Some((name, json))
    };
    given.into_iter().filter_map(known).collect()
}

/// The schema of `Found`, with additional members.
pub fn found_schema(more: &[(&str, Json)]) -> Json {
    let whole = json!({ "type": "integer" });
    let mut properties = Map::from_iter([
        ("profiles".to_owned(), json!({ "type": "array", "items": profile_schema() })),
        (
            "total_count".to_owned(),
            json!({ "type": "integer", "description": "Exact up to 10000; 10000 if there are more." }),
        ),
        ("filtered_count".to_owned(), whole),
        ("next_page".to_owned(), json!({ "type": ["integer", "null"] })),
        ("has_more".to_owned(), json!({ "type": "boolean" })),
        ("filters_too_strict".to_owned(), json!({ "type": "boolean", "description": "Nothing fits all filters." })),
        (
            "too_strict_filter".to_owned(),
            json!({ "type": ["string", "null"], "description": "The filter without which something would be found." }),
        ),
    ]);
    properties.extend(more.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())));
    let required: Vec<&String> = properties.keys().collect();
    json!({ "type": "object", "required": required, "properties": properties })
}

pub fn profile_schema() -> Json {
    record_schema(SourcingProfile::FIELDS, &[])
}
