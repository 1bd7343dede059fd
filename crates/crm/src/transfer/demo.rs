//! Demo data: people, companies and other records, written through the same rules as any. The same seed gives the same
//! data. All addresses are at example.com, so that no message can reach anybody. Each kind of record is one step of a
//! list.

pub mod profiles;
mod words;

use crate::api::scope::Scopes;
use crate::collaboration::note::Note;
use crate::outreach::sequence;
use crate::pipelines::deal::{self, Deal};
use crate::pipelines::entry::{self, Entry};
use crate::pipelines::pipeline;
use crate::pipelines::project::{self, Project};
use crate::pipelines::reason::{self, ReasonKind};
use crate::pipelines::task::{self, Task};
use crate::pipelines::template::Category;
use crate::records::collection::{Collected, NormalizeOptions};
use crate::records::company::Company;
use crate::records::contact::Contact;
use crate::records::custom_field::{self, Entity, Given};
use crate::tenant::member;
use resource::custom::CustomType;
use resource::{Changes, Ctx, Error, Input, Resource, Shape, Time, find, insert};
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;
use std::sync::Arc;
use store::{Tx, Uuid};
use words::*;

#[derive(Clone)]
pub struct Plan {
    pub contacts: usize,
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Plan { contacts: 2000, seed: 1 }
    }
}

/// The ids that earlier steps have created, by the name of the step.
pub type Made = HashMap<&'static str, Arc<Vec<Uuid>>>;

/// Creates the n-th record of a step.
type Make = fn(&Ctx, &mut dyn Tx, &Plan, &Made, usize) -> Result<Uuid, Error>;

/// One kind of record. A record depends only on the plan and its number, so that a retried transaction creates the same
/// one.
pub struct Step {
    pub name: &'static str,
    pub count: fn(&Plan) -> usize,
    pub make: Make,
}

pub const STEPS: &[Step] = &[
    Step { name: "custom fields", count: |_| FIELDS.len(), make: custom_field },
    Step { name: "companies", count: |plan| plan.contacts / 10, make: company },
    Step { name: "contacts", count: |plan| plan.contacts, make: contact },
    Step { name: "deals", count: |plan| plan.contacts / 10, make: deal },
    Step { name: "projects", count: |plan| PROJECTS.len().min(plan.contacts / 10), make: project },
    Step {
        name: "candidates",
        count: |plan| if plan.contacts < 10 { 0 } else { 60.min(plan.contacts) },
        make: candidate,
    },
    Step { name: "notes", count: |plan| plan.contacts / 4, make: note },
    Step { name: "tasks", count: |plan| plan.contacts / 4, make: task },
    Step { name: "sequences", count: |_| SEQUENCES.len(), make: sequence },
];

/// Whether the workspace is empty, so that demo data can't be mistaken for real data.
pub fn is_empty(ctx: &Ctx, tx: &mut dyn Tx) -> Result<bool, Error> {
    const ANY: &str = "SELECT 1 FROM contacts WHERE workspace_id = $1 UNION ALL SELECT 1 FROM companies WHERE workspace_id = $1 LIMIT 1";
    Ok(tx.one(ANY, &[ctx.workspace.into()], |_| Ok(()))?.is_none())
}

/// A repeatable random generator: splitmix64, which does not change with the version of a library.
pub(crate) struct Dice(u64);

impl Dice {
    /// A separate generator for each record.
    pub(crate) fn of(plan: &Plan, step: &str, n: usize) -> Dice {
        let salt = step.bytes().fold(0u64, |salt, byte| salt.wrapping_mul(31).wrapping_add(byte.into()));
        let mut dice = Dice(plan.seed ^ salt.rotate_left(32) ^ (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        dice.next();
        dice
    }
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub(crate) fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }
    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
    /// True in `percent` of a hundred cases.
    pub(crate) fn often(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    /// From one to `most` different items.
    pub(crate) fn some<'a>(&mut self, from: &[&'a str], most: usize) -> Vec<&'a str> {
        let mut picked = Vec::new();
        for _ in 0..=self.below(most) {
            let one = *self.pick(from);
            if !picked.contains(&one) {
                picked.push(one);
            }
        }
        picked
    }
}

fn custom_field(ctx: &Ctx, tx: &mut dyn Tx, _: &Plan, _: &Made, n: usize) -> Result<Uuid, Error> {
    let (entity, key, label, kind, options) = FIELDS[n];
    // An existing field of the same key is used as it is.
    if let Some(known) = custom_field::list(ctx, tx, entity)?.iter().find(|field| field.key == key) {
        return Ok(known.id);
    }
    let options = (!options.is_empty()).then(|| options.iter().map(|text| custom_field::option(text)).collect());
    let given = Given { label: Some(label.into()), options, ..Given::default() };
    custom_field::create(ctx, tx, entity, key, kind, &given)
}

const FIELDS: &[(Entity, &str, &str, CustomType, &[&str])] = &[
    (Entity::Contact, "seniority", "Seniority", CustomType::Select, SENIORITIES),
    (Entity::Contact, "salary_expectation", "Salary expectation", CustomType::Number, &[]),
    (Entity::Contact, "available_from", "Available from", CustomType::Date, &[]),
    (Entity::Contact, "open_to_relocate", "Open to relocate", CustomType::Boolean, &[]),
    (Entity::Company, "account_tier", "Account tier", CustomType::Select, TIERS),
    (Entity::Company, "hires_in", "Hires in", CustomType::MultiSelect, AREAS),
];

fn write<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx, body: Json) -> Result<Uuid, Error> {
    let Json::Object(mut body) = body else { return Err(resource::invalid("body", "must be an object")) };
    known_only::<R>(ctx, tx, &mut body)?;
    let by = NormalizeOptions { scopes: Scopes::parse("full_access")?, defined: None, tags: None, dry_run: false };
    let changes = R::normalized(ctx, tx, &by, R::checked(&body, true)?, None)?;
    insert::<R>(ctx, tx, &changes)
}

/// Leaves out values of fields whose key exists in the workspace with another type.
fn known_only<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx, body: &mut Map<String, Json>) -> Result<(), Error> {
    let Some(Json::Object(values)) = body.get_mut("custom_data") else { return Ok(()) };
    let defined = resource::custom::definitions(ctx, tx, R::ABOUT.one)?;
    let kind = |key: &str| FIELDS.iter().find(|(_, known, ..)| *known == key).map(|(_, _, _, kind, _)| *kind);
    values.retain(|key, _| defined.iter().any(|field| field.key == *key && Some(field.r#type) == kind(key)));
    Ok(())
}

/// The name of a company, and the prefix of its addresses.
fn company_name(plan: &Plan, n: usize) -> (String, String) {
    let mut dice = Dice::of(plan, "company name", n);
    let (first, second) = (dice.pick(COMPANY_FIRST), dice.pick(COMPANY_SECOND));
    // The number makes the address unique; two companies may have the same name.
    (format!("{first} {second}"), format!("{}-{}-{}", first.to_lowercase(), second.to_lowercase(), n + 1))
}

fn company(ctx: &Ctx, tx: &mut dyn Tx, plan: &Plan, _: &Made, n: usize) -> Result<Uuid, Error> {
    let mut dice = Dice::of(plan, "companies", n);
    let ((name, slug), culture) = (company_name(plan, n), dice.pick(CULTURES));
    let (size, employees) = *dice.pick(SIZES);
    let domain = format!("{slug}.example.com");
    let mut body = json!({
        "name": name,
        "domain": domain,
        "website": format!("https://{domain}"),
        "industry": dice.pick(INDUSTRIES),
        "employee_count": employees + dice.below(employees / 2 + 1),
        "size_range": size,
        "location": dice.pick(culture.cities),
        "description": format!("{name} works in {} and grows in {}.", dice.pick(INDUSTRIES).to_lowercase(), dice.pick(culture.cities)),
        "email": format!("info@{domain}"),
        "custom_data": { "account_tier": dice.pick(TIERS), "hires_in": dice.some(AREAS, 3) },
    });
    if dice.often(40) {
        body["tags"] = json!(dice.some(COMPANY_TAGS, 2));
    }
    write::<Company>(ctx, tx, body)
}

fn contact(ctx: &Ctx, tx: &mut dyn Tx, plan: &Plan, made: &Made, n: usize) -> Result<Uuid, Error> {
    let mut dice = Dice::of(plan, "contacts", n);
    let culture = dice.pick(CULTURES);
    let ((first, plain), (last, plain_last)) = (*dice.pick(culture.given), *dice.pick(culture.family));
    let role = dice.pick(ROLES);
    let years = dice.below(30);
    let level = SENIORITIES[(years / 6).min(SENIORITIES.len() - 1)];
    let (skills, home) = (dice.some(role.skills, 5), dice.pick(culture.cities));
    let mut body = json!({
        "first_name": first,
        "last_name": last,
        "title": if years > 8 { format!("Senior {}", role.title) } else { role.title.to_owned() },
        "location": home,
        "email": format!("{plain}.{plain_last}.{}@example.com", n + 1),
        "network_profile": format!("https://network.example.com/in/{plain}-{plain_last}-{}", n + 1),
        "global_status": dice.pick(STATUSES),
        "contact_type": dice.pick(TYPES),
        "skills": skills,
        "languages": culture.languages,
        "years_experience": years,
        "custom_data": {
            "seniority": level,
            "salary_expectation": (40 + years * 3 + dice.below(20)) * 1000,
            "open_to_relocate": dice.often(35),
        },
    });
    if dice.often(70) {
        body["phone"] = format!("{} {:03} {:04}", culture.phone, dice.below(1000), dice.below(10_000)).into();
    }
    if dice.often(60) {
        body["tags"] = json!(dice.some(CONTACT_TAGS, 3));
    }
    if dice.often(50) {
        let skills = skills.join(", ");
        body["summary"] = format!("{years} years as {} in {home}. Works with {skills}.", role.title).into();
    }
    if dice.often(25) {
        body["custom_data"]["available_from"] =
            format!("2027-{:02}-{:02}", 1 + dice.below(12), 1 + dice.below(28)).into();
    }
    if dice.often(3) {
        body["do_not_contact"] = true.into();
    }
    match made.get("companies").filter(|companies| !companies.is_empty()) {
        Some(companies) if dice.often(75) => body["company_id"] = dice.pick(companies).to_string().into(),
        _ => body["current_company"] = company_name(plan, plan.contacts + dice.below(500)).0.into(),
    }
    write::<Contact>(ctx, tx, body)
}

fn deal(ctx: &Ctx, tx: &mut dyn Tx, plan: &Plan, made: &Made, n: usize) -> Result<Uuid, Error> {
    let mut dice = Dice::of(plan, "deals", n);
    let some = |name| made.get(name).filter(|ids: &&Arc<Vec<Uuid>>| !ids.is_empty());
    let amount = (1 + dice.below(400)) * 250;
    let mut body = json!({
        "title": dice.pick(OFFERS),
        "amount": amount,
        "expected_amount": amount - amount / 10 * dice.below(4),
        "currency": dice.pick(CURRENCIES),
        "expected_close_date": format!("2027-{:02}-{:02}", 1 + dice.below(12), 1 + dice.below(28)),
        "owner_id": member::called(ctx, tx, None)?.user_id,
        "primary_source_id": reason(ctx, tx, ReasonKind::Source, &mut dice)?,
    });
    if let Some(companies) = some("companies") {
        let at = dice.below(companies.len());
        body["company_id"] = json!(companies[at]);
        body["title"] = format!("{} for {}", dice.pick(OFFERS), company_name(plan, at).0).into();
    }
    if let Some(contacts) = some("contacts") {
        body["contact_ids"] = (0..=dice.below(3)).map(|_| json!(dice.pick(contacts))).collect();
    }
    if let Some(way) = pipeline::list(ctx, tx)?.first().filter(|way| !way.stages.is_empty()) {
        body["stage_id"] = json!(dice.pick(&way.stages).id);
    }
    let Json::Object(body) = body else { return Err(resource::invalid("body", "must be an object")) };
    let changes = deal::normalized(ctx, tx, deal::checked(&body, true)?, None)?;
    let (id, _) = deal::add(ctx, tx, &changes)?;
    if dice.often(40) {
        let end = *dice.pick(&["won", "won", "lost", "disqualified"]);
        let mut body = json!({
            "status": end,
            "actual_close_date": format!("2026-{:02}-{:02}", 1 + dice.below(9), 1 + dice.below(28)),
            "close_reason_id": reason(ctx, tx, ReasonKind::Close, &mut dice)?,
        });
        match end {
            "won" => body["signed_amount"] = (amount - amount / 20 * dice.below(3)).into(),
            _ => body["loss_reason_id"] = json!(reason(ctx, tx, ReasonKind::Loss, &mut dice)?),
        }
        let body = body.as_object().cloned().unwrap_or_default();
        let asked = Changes::check(&Shape { record: &[], extra: deal::CLOSE }, &Input(&body), true)?;
        let made = find::<Deal>(ctx, tx, id)?;
        deal::end(ctx, tx, &made, &asked)?;
    }
    Ok(id)
}

/// A random reason of the workspace, if it has any.
fn reason(ctx: &Ctx, tx: &mut dyn Tx, kind: ReasonKind, dice: &mut Dice) -> Result<Option<Uuid>, Error> {
    let known = reason::list(ctx, tx, Some(kind))?;
    Ok(if known.is_empty() { None } else { Some(dice.pick(&known).id) })
}

fn project(ctx: &Ctx, tx: &mut dyn Tx, plan: &Plan, made: &Made, n: usize) -> Result<Uuid, Error> {
    let mut dice = Dice::of(plan, "projects", n);
    let ((name, description), culture) = (PROJECTS[n], dice.pick(CULTURES));
    let mut body = json!({
        "name": name,
        "location": dice.pick(culture.cities),
        "description": description,
        "owner_ids": [member::called(ctx, tx, None)?.user_id],
    });
    if let Some(companies) = made.get("companies").filter(|companies| !companies.is_empty()) {
        let client = dice.below(companies.len());
        body["client_company_id"] = companies[client].to_string().into();
        body["client_name"] = company_name(plan, client).0.into();
    }
    project::begin(ctx, tx, checked::<Project>(&body)?)
}

/// Each candidate starts in the first stage, so that it has a history.
fn candidate(ctx: &Ctx, tx: &mut dyn Tx, plan: &Plan, made: &Made, n: usize) -> Result<Uuid, Error> {
    let mut dice = Dice::of(plan, "candidates", n);
    let (Some(projects), Some(contacts)) = (made.get("projects"), made.get("contacts")) else {
        return Err(resource::not_found("a project for candidates"));
    };
    let project = find::<Project>(ctx, tx, projects[n % projects.len()])?;
    let contact = contacts[n * (contacts.len() / 60.min(contacts.len()))];
    let mut body = json!({ "contact_id": contact });
    if dice.often(60) {
        body["rating"] = (1 + dice.below(5)).into();
    }
    if dice.often(30) {
        body["notes"] = (*dice.pick(NOTES)).into();
    }
    let (id, _) = entry::enter(ctx, tx, &project, checked::<Entry>(&body)?)?;
    let stages = project::stages(ctx, tx, project.id)?;
    let (stage, category) = stages[*dice.pick(&[0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 5, 6, 6]) % stages.len()];
    let mut changes = Changes::default();
    changes.set(Entry::STAGE_ID, stage);
    let reasons = reason::list(ctx, tx, Some(ReasonKind::Rejection))?;
    if category == Category::Rejected && !reasons.is_empty() {
        changes.set(Entry::REJECTION_REASON_ID, dice.pick(&reasons).id);
    }
    let entry = find::<Entry>(ctx, tx, id)?;
    entry::alter(ctx, tx, &entry, changes)?;
    Ok(id)
}

fn checked<R: Resource>(body: &Json) -> Result<Changes, Error> {
    let body = body.as_object().cloned().unwrap_or_default();
    Changes::check(&Shape { record: R::FIELDS, extra: &[] }, &Input(&body), true)
}

const PROJECTS: &[(&str, &str)] = &[
    ("Head of Data", "Builds the data team and reports to the board."),
    ("Senior Backend Engineers", "Four people for the platform, two of them remote."),
    ("Sales Director DACH", "Opens the market with a team of five."),
    ("Product Designer", "First designer of a small product team."),
    ("Finance Lead", "Closes the month and prepares the next round."),
];

fn note(ctx: &Ctx, tx: &mut dyn Tx, plan: &Plan, made: &Made, n: usize) -> Result<Uuid, Error> {
    let mut dice = Dice::of(plan, "notes", n);
    let mut changes = Changes::default();
    let some = |step: &str| made.get(step).is_some_and(|records| !records.is_empty());
    let (step, column) = match n {
        n if n.is_multiple_of(20) && some("projects") => ("projects", Note::PROJECT_ID),
        n if n % 7 == 3 && some("deals") => ("deals", Note::DEAL_ID),
        n if n.is_multiple_of(5) && some("companies") => ("companies", Note::COMPANY_ID),
        _ => ("contacts", Note::CONTACT_ID),
    };
    let Some(records) = made.get(step) else { return Err(resource::not_found("a record to write on")) };
    changes.set(column, *dice.pick(records));
    changes.set(Note::CONTENT, format!("{} {}", dice.pick(NOTES), dice.pick(NEXT_STEPS)));
    changes.set(Note::IS_PINNED, dice.often(10));
    changes.set(Note::AUTHOR_ID, member::called(ctx, tx, None)?.user_id);
    insert::<Note>(ctx, tx, &changes)
}

/// Some overdue, some due today, some later, some completed.
fn task(ctx: &Ctx, tx: &mut dyn Tx, plan: &Plan, made: &Made, n: usize) -> Result<Uuid, Error> {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let mut dice = Dice::of(plan, "tasks", n);
    let (kind, title) = *dice.pick(TASKS);
    let status = if dice.often(50) { "todo" } else { *dice.pick(&["done", "done", "done", "skipped"]) };
    let days = match n % 4 {
        0 => -1 - dice.below(14) as i64,
        1 => 0,
        _ => 1 + dice.below(30) as i64,
    };
    let day = Time(tx.stamp() + days * DAY).to_string();
    let mut body = json!({
        "title": title,
        "type": kind,
        "status": status,
        "priority": dice.pick(&["low", "medium", "medium", "high"]),
        "assigned_to": member::called(ctx, tx, None)?.user_id,
    });
    if dice.often(85) {
        body["due_date"] = day.get(..10).into();
    }
    for (step, member, percent) in [("contacts", "contact_id", 90), ("companies", "company_id", 20)] {
        if let Some(records) = made.get(step).filter(|records| !records.is_empty() && dice.often(percent)) {
            body[member] = dice.pick(records).to_string().into();
        }
    }
    let Json::Object(body) = body else { return Err(resource::invalid("body", "must be an object")) };
    let mut changes = Changes::check(&Shape { record: Task::FIELDS, extra: &[] }, &Input(&body), true)?;
    task::normalize(ctx, tx, &mut changes, None)?;
    insert::<Task>(ctx, tx, &changes)
}

fn sequence(ctx: &Ctx, tx: &mut dyn Tx, _: &Plan, _: &Made, n: usize) -> Result<Uuid, Error> {
    let mut body: Map<String, Json> = serde_json::from_str(SEQUENCES[n])
        .map_err(|error| resource::invalid("sequence", format!("is not JSON: {error}")))?;
    body.insert("owner_ids".into(), json!([member::called(ctx, tx, None)?.user_id]));
    Ok(sequence::begin(ctx, tx, body)?.0)
}
