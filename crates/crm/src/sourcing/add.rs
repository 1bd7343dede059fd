//! Adds profiles to a project. Empty fields of a known contact are filled; an unknown person becomes a new contact.

use super::found::{Profile, problem, reject_if_any};
use super::known;
use crate::api::call::{Call, Prepared, Reply};
use crate::api::operation::Parts;
use crate::outreach::account;
use crate::pipelines::entry::{self, Entry};
use crate::pipelines::project::{Project, ProjectStatus};
use crate::records::collection::{Collected, NormalizeOptions};
use crate::records::contact::Contact;
use crate::records::erased_address;
use resource::{Changes, Ctx, Error, Field, Kind, Resource, Saved, digits, find, fold, insert, invalid, update};
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;
use store::{Tx, Uuid, Value};

/// The destination of the profiles.
#[derive(Resource)]
pub struct AddToProject {
    #[field(required)]
    pub project_id: Uuid,
    /// The connected account that found them.
    pub account_id: Option<Uuid>,
    /// A stage of the project; defaults to the first one.
    pub stage_id: Option<Uuid>,
}

/// Profiles in the form of search results; unknown members are ignored.
pub const PROFILES: &[Field] = &[Field {
    kind: Kind::Items(&[]),
    doc: "1 to 100 profiles as a search gives them. They may hold anything besides.",
    ..Field::of::<String>("profiles", "").required()
}];

const MOST: usize = 100;
pub const LARGEST: usize = 16 * 1024 * 1024;

pub fn schema() -> Json {
    json!({
        "type": "object",
        "required": ["added", "skipped", "contact_ids"],
        "properties": {
            "added": { "type": "integer", "description": "New candidates." },
            "skipped": { "type": "integer", "description": "Those who were candidates already." },
            "contact_ids": {
                "type": "array",
                "items": { "type": "string", "format": "uuid" },
                "description": "The contact that each profile is, in the order of the profiles.",
            },
        },
    })
}

/// The request, with the profiles as bodies of contacts.
#[derive(Debug)]
pub struct Asked {
    members: Changes,
    profiles: Vec<Profile>,
}

pub const PARTS: Parts = Parts { count, one, reply };

/// Parses the profiles before the transaction, because they may be large.
pub fn prepare(call: &Call) -> Option<Prepared> {
    read(call).ok().map(|asked| Prepared::new(Arc::new(asked)))
}

fn read(call: &Call) -> Result<Asked, Error> {
    let mut members = call.changes::<AddToProject>(PROFILES, true)?;
    let given = call.body.get("profiles").and_then(Json::as_array).map_or(0, Vec::len);
    if !(1..=MOST).contains(&given) {
        return Err(invalid("profiles", format!("must have 1 to {MOST} items; there are {given}")));
    }
    let profiles: Vec<Profile> = members.named_json("profiles")?;
    members.take_named("profiles");
    Ok(Asked { members, profiles: profiles.into_iter().map(tidied).collect() })
}

fn asked(call: &Call) -> Result<Arc<Asked>, Error> {
    match call.prepared::<Arc<Asked>>() {
        Some(asked) => Ok(asked.clone()),
        None => read(call).map(Arc::new),
    }
}

/// Checks the request; each profile is a part.
fn count(call: &Call, tx: &mut dyn Tx) -> Result<usize, Error> {
    let asked = asked(call)?;
    named(&call.ctx, tx, &asked.members)?;
    if let Some(Value::Id(id)) = asked.members.named("account_id") {
        account::network(&call.ctx, tx, *id)?;
    }
    let contacts = known::contacts_of(&call.ctx, tx, &asked.profiles)?;
    let unknown = asked.profiles.iter().enumerate().filter(|(at, _)| contacts[*at].is_none());
    reject_if_any(unknown.filter_map(|(at, profile)| unnamed(at, profile)).collect())?;
    refuse_erased(&call.ctx, tx, &asked.profiles)?;
    Ok(asked.profiles.len())
}

/// Refuses the request before any profile is added, if one of them is of somebody who was erased.
fn refuse_erased(ctx: &Ctx, tx: &mut dyn Tx, profiles: &[Profile]) -> Result<(), Error> {
    let mut problems = Vec::new();
    for (at, profile) in profiles.iter().enumerate() {
        let text = |name: &str| profile.get(name).map(|value| value.as_str().map_or(value.to_string(), str::to_owned));
        let texts: Vec<(&str, String)> =
            ["emails", "phones", "network_profile"].into_iter().filter_map(|name| Some((name, text(name)?))).collect();
        let value = |name: &str| texts.iter().find(|(known, _)| *known == name).map(|(_, text)| text.as_str());
        let addresses = erased_address::addresses(value)?;
        let erased = erased_address::erased(ctx, tx, &addresses.iter().collect::<Vec<_>>())?;
        problems.extend(erased.into_iter().map(|one| problem(format!("profiles.{at}.{}", one.field), one.reason)));
    }
    if problems.is_empty() { Ok(()) } else { Err(Error::Erased(problems)) }
}

/// Adds one profile.
fn one(call: &Call, tx: &mut dyn Tx, at: usize) -> Result<Json, Error> {
    let asked = asked(call)?;
    let profile = &asked.profiles[at];
    let project = named(&call.ctx, tx, &asked.members)?;
    let contact = match known::contacts_of(&call.ctx, tx, std::slice::from_ref(profile))?[0] {
        Some(id) => fill(&call.ctx, tx, id, profile)?,
        None => create(call, tx, profile)?,
    };
    if let Some(profile_id) = profile.get("profile_id").and_then(Json::as_str).filter(|id| *id != contact.to_string()) {
        known::remember(&call.ctx, tx, profile_id, contact)?;
    }
    let mut changes = Changes::default();
    changes.set(Entry::CONTACT_ID, contact);
    if let Some(Value::Id(stage)) = asked.members.named("stage_id") {
        changes.set(Entry::STAGE_ID, *stage);
    }
    let (_, new) = entry::enter(&call.ctx, tx, &project, changes)?;
    Ok(json!({ "contact_id": contact, "added": new }))
}

fn reply(parts: &[Json]) -> Reply {
    let added = parts.iter().filter(|part| part["added"] == true).count();
    let ids: Vec<&Json> = parts.iter().map(|part| &part["contact_id"]).collect();
    Reply::json(&json!({ "added": added, "skipped": parts.len() - added, "contact_ids": ids }))
}

fn named(ctx: &Ctx, tx: &mut dyn Tx, asked: &Changes) -> Result<Saved<Project>, Error> {
    let Some(Value::Id(id)) = asked.named("project_id") else { return Err(invalid("project_id", "is required")) };
    let project = match find::<Project>(ctx, tx, *id) {
        Err(Error::NotFound(_)) => return Err(invalid("project_id", "no project has this id")),
        found => found?,
    };
    if project.record.status == ProjectStatus::Archived {
        return Err(invalid("project_id", "the project is archived and takes no entries; make it active first"));
    }
    Ok(project)
}

/// A profile without any name can't become a contact.
fn unnamed(at: usize, profile: &Profile) -> Option<resource::Problem> {
    let reason = "is required, or last_name: a contact has a name";
    profile.get("first_name").is_none().then(|| problem(format!("profiles.{at}.first_name"), reason))
}

/// Creates a contact.
fn create(call: &Call, tx: &mut dyn Tx, profile: &Profile) -> Result<Uuid, Error> {
    let body: Map<String, Json> = profile
        .iter()
        .filter(|(name, _)| !SEARCHED.contains(&name.as_str()))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    let changes = Contact::checked(&body, true)?;
    // Required custom fields are not enforced, because a profile can't have them; users fill them later.
    let by = NormalizeOptions { scopes: call.key.scopes, defined: Some(&[]), tags: None, dry_run: false };
    let changes = Contact::normalized(&call.ctx, tx, &by, changes, None)?;
    insert::<Contact>(&call.ctx, tx, &changes)
}

/// Fills the empty fields of a contact; returns its id.
fn fill(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, profile: &Profile) -> Result<Uuid, Error> {
    let contact = find::<Contact>(ctx, tx, id)?;
    let empty = |name: &str| match contact.value(name) {
        Ok(Value::Text(text)) => text.is_empty() || text == "[]",
        // `checked` reports names that are no fields.
        Ok(Value::Null) | Err(_) => true,
        Ok(_) => false,
    };
    let lacking = profile.iter().filter(|(name, _)| !SEARCHED.contains(&name.as_str()) && empty(name));
    let body: Map<String, Json> = lacking.map(|(name, value)| (name.clone(), value.clone())).collect();
    let changes = Contact::checked(&body, false)?;
    erased_address::refuse(ctx, tx, &changes, Some(&contact))?;
    update(ctx, tx, &contact, &changes)?;
    Ok(contact.id)
}

/// Members that contacts do not have, but by which they are found.
const SEARCHED: &[&str] = &["profile_id", "network_url"];

/// Converts a profile to the body of a contact, plus the members by which it is found. Values that do not fit are cut
/// or left out.
fn tidied(profile: Profile) -> Profile {
    let mut body = Map::new();
    let job = profile.get("current_job").and_then(Json::as_object);
    let of_job = |name: &str| job.and_then(|job| job.get(name));
    let names = ["first_name", "last_name"].map(|name| cut(profile.get(name), 100));
    let [first, last] = match names {
        [None, last] => [last, None],
        both => both,
    };
    let url = cut(profile.get("network_url"), 500).filter(|url| is_fit("network_profile", url));
    let texts = [
        ("first_name", first),
        ("last_name", last),
        ("title", cut(of_job("title"), 255)),
        ("current_company", cut(of_job("company_name"), 255)),
        ("location", cut(profile.get("location"), 255)),
        ("network_profile", url.clone()),
        ("network_url", url),
        ("summary", cut(profile.get("summary"), 10_000)),
    ];
    body.extend(texts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?.into()))));
    // Numbers are accepted as ids, too.
    let id = profile.get("profile_id").and_then(|id| match id {
        Json::Number(number) => Some(number.to_string()),
        other => cut(Some(other), 255),
    });
    body.extend(id.map(|id| ("profile_id".to_owned(), id.into())));
    let mut skills: Vec<String> = Vec::new();
    for skill in items(&profile, "skills").filter_map(|skill| cut(Some(skill), 100)) {
        if !skills.iter().any(|known| fold(known) == fold(&skill)) && skills.len() < 100 {
            skills.push(skill);
        }
    }
    if !skills.is_empty() {
        body.insert("skills".into(), skills.into());
    }
    let years = profile.get("total_years_experience").and_then(Json::as_f64).map(|years| years.floor() as i64);
    body.extend(
        years.filter(|years| (0..=80).contains(years)).map(|years| ("years_experience".to_owned(), years.into())),
    );
    for (list, one) in [("emails", "email"), ("phones", "phone")] {
        let addresses = addresses(&profile, list, one);
        if !addresses.is_empty() {
            body.insert(list.into(), addresses.into());
        }
    }
    body
}

/// The first five valid emails or phones, each given as a text or as an object.
fn addresses(profile: &Profile, list: &str, one: &str) -> Vec<Json> {
    let (mut found, mut seen) = (Vec::new(), Vec::new());
    for item in items(profile, list) {
        let text = cut(item.get(one).or(Some(item)), 254);
        let Some(text) = text.filter(|text| is_fit(one, text)) else { continue };
        let key = if one == "phone" { digits(&text) } else { fold(&text) };
        if !seen.contains(&key) && found.len() < 5 {
            let mut address = Map::from_iter([(one.to_owned(), Json::from(text))]);
            let kind = item.get("type").filter(|kind| is_kind(list, kind)).cloned();
            address.extend(kind.map(|kind| ("type".to_owned(), kind)));
            found.push(Json::Object(address));
            seen.push(key);
        }
    }
    found
}

fn is_kind(list: &str, kind: &Json) -> bool {
    use crate::records::contact::{EmailType, PhoneType};
    let words = if list == "emails" { EmailType::WORDS } else { PhoneType::WORDS };
    kind.as_str().is_some_and(|kind| words.contains(&kind))
}

/// Whether the value is valid for a contact.
fn is_fit(member: &str, text: &str) -> bool {
    let body = Map::from_iter([(member.to_owned(), Json::from(text))]);
    Contact::checked(&body, false).is_ok()
}

fn items<'a>(profile: &'a Profile, name: &str) -> impl Iterator<Item = &'a Json> {
    profile.get(name).and_then(Json::as_array).into_iter().flatten()
}

/// A trimmed text, cut to the limit.
fn cut(json: Option<&Json>, most: usize) -> Option<String> {
    let text: String = json?.as_str()?.replace('\0', "").trim().chars().take(most).collect();
    let text = text.trim_end();
    (!text.is_empty()).then(|| text.to_owned())
}
