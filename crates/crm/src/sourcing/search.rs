//! One search over three sources: the profile database, the workspace's contacts, and a professional network.

use super::filters::{FilterInput, Filters};
use super::found::{PAGE, Profile, reject_if_any};
use super::{contacts, known, network};
use crate::api::call::{Call, Reply};
use crate::api::effects::{Effect, EffectResult};
use crate::api::operation::EffectSteps;
use crate::outreach::account::{self, Channel, LicenseType};
use crate::pipelines::project;
use crate::sourcing::profile;
use resource::{Changes, Error, Input, Part, Problem, Resource, Shape, fold, invalid};
use serde_json::{Value as Json, json};
use store::{Tx, Uuid, Value};

resource::choices! {
    Source { Database = "database", Contacts = "contacts", Network = "network" }
}

/// Search criteria and the source.
#[derive(Resource)]
pub struct SourcingSearch {
    /// The project that results are compared with.
    pub project_id: Option<Uuid>,
    #[field(required)]
    pub source_type: Source,
    pub filters: Option<Part<FilterInput>>,
    #[field(least = 1, most = 1000)]
    pub page: Option<i64>,
    #[field(least = 1, most = 100)]
    pub page_size: Option<i64>,
    /// For the network: the account to search with; defaults to the key owner's, else the workspace's oldest.
    pub account_id: Option<Uuid>,
    /// For the network: the interface to use; defaults to the best one of the account.
    pub network_api_type: Option<LicenseType>,
}

pub const NETWORK: EffectSteps = EffectSteps { prepare, complete };

/// Whether the search uses the network.
pub fn asks_network(call: &Call) -> bool {
    call.body.get("source_type").and_then(Json::as_str) == Some(Source::Network.word())
}

/// A checked body.
struct Asked {
    members: Changes,
    filters: Filters,
    project: Option<Uuid>,
    page: i64,
    size: i64,
}

fn asked(call: &Call, tx: &mut dyn Tx) -> Result<Asked, Error> {
    const PLACES: &str = "filters.network_filters.location_ids";
    let given = call.body.get("filters").map(|filters| &filters["network_filters"]["location_ids"]);
    let mut problems: Vec<Problem> = network::places(PLACES, given).err().into_iter().collect();
    let shape = Shape { record: &[], extra: SourcingSearch::FIELDS };
    let (members, found) = Changes::sift(&shape, &Input(&call.body), true)?;
    // The earlier problem of this member is more specific.
    problems.extend(found.into_iter().filter(|it| it.field != PLACES));
    reject_if_any(problems)?;
    let filters = Filters::of(members.named_text("filters"))?;
    let project = match members.named("project_id") {
        Some(Value::Id(id)) => Some(*id),
        _ => None,
    };
    if let Some(project) = project {
        project::check(&call.ctx, tx, "project_id", project)?;
    }
    let number = |name: &str, usual: i64| match members.named(name) {
        Some(Value::Int(number)) => *number,
        _ => usual,
    };
    let (page, size) = (number("page", 1), number("page_size", PAGE));
    Ok(Asked { filters, project, page, size, members })
}

/// Searches the database or the contacts.
pub fn seek(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let Asked { members, filters, project, page, size } = asked(call, tx)?;
    let found = match members.named_text("source_type").and_then(Source::from_word) {
        Some(Source::Contacts) => contacts::find(call, tx, &filters, project, page, size)?,
        _ => {
            let mut found = profile::search(&call.ctx, tx, &filters, page, size)?;
            known::mark(&call.ctx, tx, project, &mut found.profiles)?;
            found
        }
    };
    Ok(Reply::json(&found.shown().into()))
}

fn prepare(call: &Call, tx: &mut dyn Tx) -> Result<Effect, Error> {
    let Asked { members, filters, page, size, .. } = asked(call, tx)?;
    if filters.locations.all().next().is_some() {
        let reason = "a network has ids for places: find them with GET /sourcing/network/locations?q=<name>&account_id=<id> and give them as filters.network_filters.location_ids";
        return Err(invalid("filters.locations", reason));
    }
    let id = match members.named("account_id") {
        Some(Value::Id(id)) => *id,
        _ => account::default(&call.ctx, tx, Channel::Network, call.ctx.actor.user)?.ok_or_else(|| {
            invalid("account_id", "no account of a network is connected; connect one with relata accounts add")
        })?,
    };
    let account = account::network(&call.ctx, tx, id)?;
    let api_type = network::api_type(&account, "network_api_type", members.named_text("network_api_type"))?;
    network::prepare_page(call, tx, &account, in_words(&filters, api_type), page, size)
}

fn complete(call: &Call, tx: &mut dyn Tx, effect: &Effect, outcome: &EffectResult) -> Result<Reply, Error> {
    let Asked { filters, project, .. } = asked(call, tx)?;
    let fits = |profile: &Profile| !excluded(&filters, profile);
    let (found, _) = network::found_people(&call.ctx, tx, effect, outcome, project, fits)?;
    Ok(Reply::json(&found.shown().into()))
}

/// The filters in the form of a network; those without a parameter of their own become part of its boolean query.
fn in_words(filters: &Filters, api_type: String) -> Json {
    let Filters { job_titles, companies, network_filters, skills, keywords, years_experience, .. } = filters;
    let quoted = |text: &String| format!("\"{}\"", text.replace('"', " "));
    let mut parts: Vec<String> = keywords.include.iter().map(quoted).collect();
    let having: Vec<String> = skills.include.iter().map(quoted).collect();
    match skills.require_all {
        true => parts.extend(having),
        false if having.len() > 1 => parts.push(format!("({})", having.join(" OR "))),
        false => parts.extend(having),
    }
    let without = job_titles.exclude.iter().chain(&companies.exclude).chain(&keywords.exclude);
    parts.extend(without.map(|text| format!("NOT {}", quoted(text))));
    let query = (!parts.is_empty()).then(|| parts.join(" AND "));
    let places: Vec<&String> = network_filters.location_ids.keys().collect();
    json!({
        "api_type": api_type,
        "job_titles": job_titles.include,
        "companies": companies.include,
        "location_ids": places,
        "years_experience": years_experience,
        "boolean_query": query,
    })
}

/// Whether a profile matches an exclusion. Networks do not apply exclusions exactly.
fn excluded(filters: &Filters, profile: &Profile) -> bool {
    let text = |json: Option<&Json>| json.and_then(Json::as_str).map(fold).unwrap_or_default();
    let job = |member: &str| text(profile.get("current_job").and_then(|job| job.get(member)));
    let title = format!("{} {}", job("title"), text(profile.get("headline")));
    let skills = profile.get("skills").map(|skills| fold(&skills.to_string())).unwrap_or_default();
    let all = format!("{title} {} {} {skills}", job("company_name"), text(profile.get("summary")));
    let holds = |words: &[String], text: &str| words.iter().any(|word| text.contains(&fold(word)));
    holds(&filters.job_titles.exclude, &title)
        || holds(&filters.companies.exclude, &job("company_name"))
        || holds(&filters.keywords.exclude, &all)
}
