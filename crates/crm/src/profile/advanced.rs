//! `POST /sourcing/advanced/profiles/search`: the profile database by title, company, place and skills. Each profile that
//! is returned costs a sourcing credit.

use super::find::{Clause, Needs, find, hide};
use super::words::of;
use crate::credits::{self, Kind};
use crate::gazetteer::Sort;
use crate::operation::{Bought, Call, Operation, Reply, Sold, post};
use crate::scope::SOURCING_READ;
use crate::sourcing::{COUNTED, Found, PAGE, found_schema, known};
use crate::workspace::Feature;
use resource::{Changes, Error, Resource, invalid};
use serde_json::{Value as Json, json};
use store::{Tx, Value};

/// Addresses that a profile may have.
const DATA_TYPES: &[&str] = &["personal_email", "work_email", "phone"];
const LISTS: [&str; 4] = ["job_title", "company", "location", "skills"];

resource::choices! {
    /// Which jobs `company` is looked for in.
    CompanyFilter { Current = "current", Past = "past", Any = "any" }
}

/// What is looked for: one value of each list that is given, and all of `skills`. One list at least.
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
    /// Only profiles that have one of these: personal_email, work_email, phone. With `reveal_info`, these are shown.
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
        .sold(Sold { find: look, sell })
        .gives_object("ProfilesFound", schema)];

fn look(call: &Call, tx: &mut dyn Tx) -> Result<Found, Error> {
    let asked = call.members(ProfileSearch::FIELDS)?;
    let shown = shown(&asked)?;
    let page = if let Some(Value::Int(page)) = asked.get("page") { *page } else { 1 };
    let mut found = find(tx, &clauses(&asked)?, page, PAGE)?;
    let revealed = asked.get("reveal_info") == Some(&Value::Bool(true));
    found.profiles.iter_mut().for_each(|profile| hide(profile, if revealed { &shown } else { &[] }));
    known::mark(&call.ctx, tx, None, &mut found.profiles)?;
    Ok(found)
}

/// The types that are asked for; all of them unless some are named.
fn shown(asked: &Changes) -> Result<Vec<&'static str>, Error> {
    let named = list(asked, "data_types");
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
    let [titles, companies, places, skills] = LISTS.map(|name| list(asked, name));
    if [&titles, &companies, &places, &skills].iter().all(|list| list.is_empty()) {
        return Err(invalid("body", "needs at least one of job_title, company, location, skills"));
    }
    let filter = asked.text("company_filter").and_then(CompanyFilter::from_word).unwrap_or(CompanyFilter::Any);
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
    let types = list(asked, "data_types");
    if !types.is_empty() {
        let terms = types.iter().map(|word| format!("{} {word}", of::DATA)).collect();
        clauses.push(Clause::terms("data_types", terms));
    }
    Ok(clauses)
}

fn list(asked: &Changes, name: &str) -> Vec<String> {
    asked.text(name).and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
}

/// Takes a credit for each profile, and leaves out those that are not covered. The rest of a page that was cut is on that
/// page still.
fn sell(call: &Call, tx: &mut dyn Tx, mut found: Found) -> Result<Bought, Error> {
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
