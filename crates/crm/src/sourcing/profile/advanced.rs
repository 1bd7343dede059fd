//! `POST /sourcing/advanced/profiles/search`: searches the profile database by title, company, place and skills. Each
//! returned profile costs a sourcing credit.

use super::find::{Clause, Needs, find, hide};
use super::words::of;
use crate::api::call::{Call, Reply};
use crate::api::operation::{Charge, Charged, Operation, post};
use crate::api::scope::{Feature, SOURCING_READ};
use crate::sourcing::found::{COUNTED, Found, PAGE};
use crate::sourcing::gazetteer::Sort;
use crate::sourcing::known;
use crate::sourcing::profile::found_schema;
use crate::tenant::credits::{self, Kind};
use resource::{Changes, Error, Resource, invalid};
use serde_json::{Value as Json, json};
use std::sync::Arc;
use store::{Tx, Value};

/// The types of addresses of a profile.
const DATA_TYPES: &[&str] = &["personal_email", "work_email", "phone"];
const LISTS: [&str; 4] = ["job_title", "company", "location", "skills"];

resource::choices! {
    /// The jobs in which `company` is searched.
    CompanyFilter { Current = "current", Past = "past", Any = "any" }
}

/// Search criteria: one value of each given list, and all of `skills`. At least one list is required.
#[derive(Resource)]
pub struct ProfileSearch {
    /// Of the current job.
    #[field(max = 50, item_max = 200)]
    pub job_title: Option<Vec<String>>,
    #[field(max = 50, item_max = 200)]
    pub company: Option<Vec<String>>,
    #[field(max = 50, item_max = 200)]
    pub location: Option<Vec<String>>,
    #[field(max = 50, item_max = 100)]
    pub skills: Option<Vec<String>>,
    #[field(default = "\"any\"")]
    pub company_filter: CompanyFilter,
    /// Only profiles with one of these: personal_email, work_email, phone. With `reveal_info`, these are shown.
    #[field(max = 3, item_max = 20)]
    pub data_types: Option<Vec<String>>,
    /// Show emails and phones.
    #[field(default = "false")]
    pub reveal_info: bool,
    #[field(least = 1, most = COUNTED / PAGE, default = "1")]
    pub page: i64,
}

pub const OPERATIONS: &[Operation] =
    &[post("/sourcing/advanced/profiles/search", "search_profiles", "Search the profile database, for credits")
        .feature(Feature::Sourcing)
        .scope(SOURCING_READ)
        .uncounted()
        .pays()
        .members("ProfileSearch", ProfileSearch::FIELDS)
        .paid(search)
        .gives_object("ProfilesFound", schema)];

fn search(call: &Call, tx: &mut dyn Tx) -> Result<Charge, Error> {
    let asked = call.members(ProfileSearch::FIELDS)?;
    let shown = shown(&asked)?;
    let page = if let Some(Value::Int(page)) = asked.named("page") { *page } else { 1 };
    let mut found = find(tx, &clauses(&asked)?, page, PAGE)?;
    let revealed = asked.named("reveal_info") == Some(&Value::Bool(true));
    found.profiles.iter_mut().for_each(|profile| hide(profile, if revealed { &shown } else { &[] }));
    known::mark(&call.ctx, tx, None, &mut found.profiles)?;
    Ok(Arc::new(move |call, tx| charge(call, tx, found.clone())))
}

/// The requested types; all of them by default.
fn shown(asked: &Changes) -> Result<Vec<&'static str>, Error> {
    let named: Vec<String> = asked.named_json("data_types")?;
    if named.is_empty() {
        return Ok(DATA_TYPES.to_vec());
    }
    let known = |(at, word): (usize, &String)| {
        let fits = DATA_TYPES.iter().copied().find(|known| known == word);
        fits.ok_or_else(|| invalid(format!("data_types.{at}"), format!("must be one of {}", DATA_TYPES.join(", "))))
    };
    named.iter().enumerate().map(known).collect()
}

fn clauses(asked: &Changes) -> Result<Vec<Clause>, Error> {
    let [titles, companies, places, skills] = LISTS.map(|name| asked.named_json::<Vec<String>>(name));
    let (titles, companies, places, skills) = (titles?, companies?, places?, skills?);
    if [&titles, &companies, &places, &skills].iter().all(|list| list.is_empty()) {
        return Err(invalid("body", "needs at least one of job_title, company, location, skills"));
    }
    let filter = asked.named_text("company_filter").and_then(CompanyFilter::from_word).unwrap_or(CompanyFilter::Any);
    let jobs: &[char] = match filter {
        CompanyFilter::Current => &[of::CURRENT_COMPANY],
        CompanyFilter::Past => &[of::PAST_COMPANY],
        CompanyFilter::Any => &[of::CURRENT_COMPANY, of::PAST_COMPANY],
    };
    let company = Clause::of(("company", "company"), Needs::One, jobs, &companies)?;
    let company = match filter {
        CompanyFilter::Any => company.map(|clause| clause.rather(of::CURRENT_COMPANY, &companies)),
        _ => company,
    };
    let sorts = &[Sort::Country, Sort::State, Sort::City];
    let given = [
        Clause::of(("job_title", "job_title"), Needs::One, &[of::CURRENT_TITLE], &titles)?,
        company,
        Clause::places(("location", "location"), sorts, &places)?,
        Clause::of(("skills", "skills"), Needs::Each, &[of::SKILL], &skills)?,
    ];
    let mut clauses: Vec<Clause> = given.into_iter().flatten().collect();
    let types: Vec<String> = asked.named_json("data_types")?;
    if !types.is_empty() {
        let terms = types.iter().map(|word| format!("{} {word}", of::DATA)).collect();
        clauses.push(Clause::terms("data_types", terms));
    }
    Ok(clauses)
}

/// Takes a credit for each profile, and leaves out those that the balance does not cover. If a page is cut, the rest of
/// it remains on the same page.
fn charge(call: &Call, tx: &mut dyn Tx, mut found: Found) -> Result<Charged, Error> {
    let wanted = found.profiles.len() as i64;
    let of = tx.id();
    let spent = credits::spend(&call.ctx, tx, Kind::Sourcing, wanted, "profile search", of)?;
    if spent.balance + spent.taken == 0 {
        return Err(Error::Credits { kind: Kind::Sourcing.word(), available: 0, required: wanted.max(1) });
    }
    let cut = spent.taken < wanted;
    found.profiles.truncate(spent.taken.unsigned_abs() as usize);
    found.has_more |= cut;
    let page = found.page;
    let mut data = found.shown();
    if cut {
        data.insert("next_page".into(), page.into());
    }
    data.insert("credits_consumed".into(), spent.taken.into());
    data.insert("sourcing_credits_remaining".into(), spent.balance.into());
    Ok((Reply::json(&Json::Object(data)), spent.entry))
}

fn schema() -> Json {
    let whole = || json!({ "type": "integer", "minimum": 0 });
    found_schema(&[("credits_consumed", whole()), ("sourcing_credits_remaining", whole())])
}
