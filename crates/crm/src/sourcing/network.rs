//! Searching a professional network through a connected account: places, people and jobs. The account is asked with no
//! transaction open; what it answers is believed as far as it makes sense. A cursor holds the whole search that it
//! belongs to, so that the pages of one search are of one search.

use super::filters::{YearFilter, Years};
use super::{COUNTED, Found, PAGE, Profile, known, problem};
use crate::account::{self, ConnectedAccount, LicenseType};
use crate::member::Role;
use crate::operation::{Call, Errand, Outcome, Outside, Reply};
use crate::project;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use resource::{Changes, Ctx, Error, Field, Format, Part, Problem, Resource, Saved, Time, invalid, not_found};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};
use sha2::{Digest, Sha256};
use store::{Tx, Uuid, Value};

/// Which place is meant.
#[derive(Resource)]
pub struct LocationQuery {
    /// The name of a place, or its beginning.
    #[field(required, max = 100)]
    pub q: String,
    /// The connected account.
    #[field(required)]
    pub account_id: Uuid,
    /// Which of the network's interfaces is asked; the account's best if none is given.
    pub api_type: Option<LicenseType>,
}

/// Which people are looked for.
#[derive(Resource)]
pub struct PeopleSearch {
    /// The project that results are compared with.
    pub project_id: Option<Uuid>,
    /// The connected account that searches.
    #[field(required)]
    pub account_id: Uuid,
    /// One of these.
    #[field(max = 50, item_max = 200)]
    pub job_titles: Option<Vec<String>>,
    /// Geo ids, each with its name, as `GET /sourcing/network/locations` gives them.
    pub location_ids: Option<Map<String, Json>>,
    pub years_experience: Option<Part<YearFilter>>,
    /// Words with AND, OR, NOT, quotes and parentheses.
    #[field(max = 2000)]
    pub boolean_query: Option<String>,
    /// Which of the network's interfaces is asked; the account's best if none is given.
    pub api_type: Option<LicenseType>,
    #[field(least = 1, most = MOST_PAGES)]
    pub page: Option<i64>,
    #[field(least = 1, most = 100)]
    pub page_size: Option<i64>,
    /// Of the page before.
    #[field(max = 20_000)]
    pub cursor: Option<String>,
}

/// Which jobs are looked for: keywords, the address of a search, or the cursor of one.
#[derive(Resource)]
pub struct JobSearch {
    /// The connected account that searches.
    #[field(required)]
    pub account_id: Uuid,
    #[field(max = 500)]
    pub keywords: Option<String>,
    /// Geo ids, each with its name, as `GET /sourcing/network/locations` gives them.
    pub location_ids: Option<Map<String, Json>>,
    /// The address of a search of jobs in the network, instead of keywords.
    #[field(max = 2000, format = Format::Url)]
    pub url: Option<String>,
    /// Of the page before.
    #[field(max = 20_000)]
    pub cursor: Option<String>,
    #[field(least = 1, most = 25)]
    pub page_size: Option<i64>,
}

pub const LOCATIONS: Outside = Outside { ask: ask_locations, tell: tell_locations };
pub const PEOPLE: Outside = Outside { ask: ask_people, tell: tell_people };
pub const JOBS: Outside = Outside { ask: ask_jobs, tell: tell_jobs };

/// No search has more pages than this.
const MOST_PAGES: i64 = 1000;
/// As many pages are read to come to one that is asked for by its number.
const MOST_STEPS: i64 = 10;
/// So long is it remembered where a page begins.
const REMEMBERED: i64 = 60 * 60 * 1000;
/// Longest text, and longest list, that is believed.
const LONGEST: usize = 10_000;
const MOST_ITEMS: usize = 100;

/// What is asked of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Asking {
    pub workspace: Uuid,
    pub account: Uuid,
    /// The account's name, for people.
    pub name: String,
    /// Whether an admin asks, who may read the network's own words when it refuses.
    pub by_admin: bool,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq)]
pub enum What {
    Locations { q: String, api_type: String },
    People(Place),
    Jobs(Place),
}

/// A page of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// As the provider takes it, but for where it begins.
    pub search: Json,
    pub size: i64,
    /// The page, from 1, and how many came before it.
    pub page: i64,
    pub start: i64,
    /// Where it begins, as the provider says; the first page has none.
    pub cursor: Option<String>,
    /// As many pages are to be read before it.
    pub steps: i64,
}

/// What the network answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    pub answer: Json,
    /// Where the pages begin that were read on the way.
    pub passed: Vec<String>,
    /// The pages ended before the one that was asked for.
    pub over: bool,
}

// ---- places ----

fn ask_locations(call: &Call, tx: &mut dyn Tx) -> Result<Errand, Error> {
    let asked = call.asked(LocationQuery::FIELDS)?;
    let account = match named(&call.ctx, tx, &asked) {
        Err(Error::Invalid(problems)) if problems.iter().any(|it| it.reason == account::UNKNOWN) => {
            return Err(not_found("connected account"));
        }
        found => found?,
    };
    let api_type = api_type(&account, "api_type", asked.text("api_type"))?;
    let q = asked.text("q").unwrap_or_default().to_owned();
    errand(call, tx, &account, What::Locations { q, api_type })
}

fn tell_locations(_: &Call, _: &mut dyn Tx, _: &Errand, outcome: &Outcome) -> Result<Reply, Error> {
    let answered = answered(outcome)?;
    let places = members(&answered.answer, "locations").take(MOST_ITEMS).filter_map(|place| {
        let (id, title) = (short(place.get("id"))?, short(place.get("title"))?);
        Some(json!({ "id": id, "title": title }))
    });
    Ok(Reply::whole(places.collect()))
}

pub fn location_schema() -> Json {
    json!({
        "type": "object",
        "description": "A place, as a network knows it.",
        "required": ["id", "title"],
        "properties": {
            "id": { "type": "string", "description": "The geo id, which searches take." },
            "title": { "type": "string" },
        },
    })
}

// ---- people ----

fn ask_people(call: &Call, tx: &mut dyn Tx) -> Result<Errand, Error> {
    let mut problems = Vec::new();
    let places = places("location_ids", call.body.get("location_ids")).unwrap_or_else(|problem| {
        problems.push(problem);
        Vec::new()
    });
    let asked = sifted(call, PeopleSearch::FIELDS, problems)?;
    if let Some(Value::Id(project)) = asked.get("project_id") {
        project::check(&call.ctx, tx, "project_id", *project)?;
    }
    let account = named(&call.ctx, tx, &asked)?;
    let years = years(&asked)?;
    let titles: Vec<String> = texts(&asked, "job_titles");
    let page = number(&asked, "page");
    let size = number(&asked, "page_size");
    if let Some(cursor) = asked.text("cursor") {
        let place = Place::read(&call.ctx, account.id, "people", cursor)?;
        let given = [
            ("job_titles", call.body.contains_key("job_titles").then(|| json!(titles))),
            ("location_ids", call.body.contains_key("location_ids").then(|| json!(places))),
            ("years_experience", call.body.contains_key("years_experience").then(|| json!(years))),
            ("boolean_query", asked.text("boolean_query").map(Json::from)),
            ("api_type", asked.text("api_type").map(Json::from)),
        ];
        place.holds(&given)?;
        if page.is_some_and(|page| page != place.page) {
            return Err(invalid("page", "is not that of the cursor; leave it out"));
        }
        let size = size.unwrap_or(place.size);
        return errand(call, tx, &account, What::People(Place { size, ..place }));
    }
    let search = json!({
        "api_type": api_type(&account, "api_type", asked.text("api_type"))?,
        "job_titles": titles,
        "location_ids": places,
        "years_experience": years,
        "boolean_query": asked.text("boolean_query"),
    });
    ask_page(call, tx, &account, search, page.unwrap_or(1), size.unwrap_or(PAGE))
}

/// A page by its number: from where it is known to begin, or from the nearest page before it.
pub fn ask_page(
    call: &Call,
    tx: &mut dyn Tx,
    account: &Saved<ConnectedAccount>,
    search: Json,
    page: i64,
    size: i64,
) -> Result<Errand, Error> {
    const NEAREST: &str = "SELECT page, cursor FROM network_pages WHERE workspace_id = $1 AND account_id = $2 AND search = $3 \
         AND page <= $4 AND created_at > $5 ORDER BY page DESC LIMIT 1";
    let since = tx.stamp() - REMEMBERED;
    let params = [call.ctx.workspace.into(), account.id.into(), hash(&search, size).into(), page.into(), since.into()];
    let (known, cursor) = tx.one(NEAREST, &params, |row| Ok((row.int(0)?, Some(row.text(1)?))))?.unwrap_or((1, None));
    let steps = page - known;
    if steps > MOST_STEPS {
        let reason = format!("is {steps} pages beyond those that were read; go on from one to the next");
        return Err(invalid("page", reason));
    }
    let place = Place { search, size, page, start: (page - 1) * size, cursor, steps };
    errand(call, tx, account, What::People(place))
}

fn tell_people(call: &Call, tx: &mut dyn Tx, errand: &Errand, outcome: &Outcome) -> Result<Reply, Error> {
    let project = match call.members(PeopleSearch::FIELDS)?.get("project_id") {
        Some(Value::Id(project)) => Some(*project),
        _ => None,
    };
    let (found, next) = found_people(&call.ctx, tx, errand, outcome, project, |_| true)?;
    let mut shown = found.shown();
    shown.insert("cursor".into(), next.into());
    Ok(Reply::json(&shown.into()))
}

/// The people of a page, and the cursor of the next: those of them that `fits` leaves.
pub fn found_people(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    errand: &Errand,
    outcome: &Outcome,
    project: Option<Uuid>,
    fits: impl Fn(&Profile) -> bool,
) -> Result<(Found, Option<String>), Error> {
    let (Errand::Network(Asking { account, what: What::People(place), .. }), answered) = (errand, answered(outcome)?)
    else {
        return Err(store::Error::Internal("no people were asked for".into()).into());
    };
    if !answered.passed.is_empty() {
        account::note_searches(ctx, tx, *account, answered.passed.len() as i64)?;
    }
    let mut pages: Vec<(i64, String)> = Vec::new();
    let first = place.page - place.steps;
    pages.extend(answered.passed.iter().enumerate().map(|(at, cursor)| (first + 1 + at as i64, cursor.clone())));
    let all: Vec<Profile> = if answered.over {
        Vec::new()
    } else {
        members(&answered.answer, "profiles").take(place.size as usize).filter_map(profile).collect()
    };
    let (count, years) = (all.len() as i64, serde_json::from_value(place.search["years_experience"].clone()));
    let years: Years = years.unwrap_or_default();
    let mut profiles: Vec<Profile> = all.into_iter().filter(|it| within(years, it) && fits(it)).collect();
    let left_out = count - profiles.len() as i64;
    known::mark(ctx, tx, project, &mut profiles)?;
    let next = next(place, &answered.answer, count).filter(|_| !answered.over);
    pages.extend(next.iter().map(|cursor| (place.page + 1, cursor.clone())));
    remember(ctx, tx, *account, place, &pages)?;
    let told = answered.answer["total_count"].as_i64().unwrap_or(0);
    let total_count = told.max(if answered.over { 0 } else { place.start + count }).min(COUNTED);
    let found = Found {
        profiles,
        total_count,
        filtered_count: total_count - left_out,
        page: place.page,
        has_more: next.is_some(),
        too_strict: None,
    };
    let next = next.map(|cursor| place.after(ctx, *account, "people", cursor, count));
    Ok((found, next))
}

/// Where the next page begins. One that is empty is the last, and so is one that leads to itself, whatever it says.
fn next(place: &Place, answer: &Json, count: i64) -> Option<String> {
    let cursor = answer["cursor"].as_str().filter(|cursor| cursor.len() <= LONGEST);
    cursor.filter(|_| count > 0 && place.page < MOST_PAGES && place.cursor.as_deref() != cursor).map(str::to_owned)
}

/// Keeps where pages begin, and forgets what is old.
fn remember(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid, place: &Place, pages: &[(i64, String)]) -> Result<(), Error> {
    const FORGET: &str = "DELETE FROM network_pages WHERE workspace_id = $1 AND account_id = $2 AND created_at <= $3";
    const KEEP: &str = "INSERT INTO network_pages (workspace_id, account_id, search, page, cursor, created_at) VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT (workspace_id, account_id, search, page) DO UPDATE SET cursor = excluded.cursor, created_at = excluded.created_at";
    let now = tx.stamp();
    tx.execute(FORGET, &[ctx.workspace.into(), account.into(), (now - REMEMBERED).into()])?;
    let search = hash(&place.search, place.size);
    for (page, cursor) in pages {
        let params = [
            ctx.workspace.into(),
            account.into(),
            search.clone().into(),
            (*page).into(),
            cursor.as_str().into(),
            now.into(),
        ];
        tx.execute(KEEP, &params)?;
    }
    Ok(())
}

fn hash(search: &Json, size: i64) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(format!("{size} {search}")))
}

fn within(years: Years, profile: &Profile) -> bool {
    let has = profile.get("total_years_experience").and_then(Json::as_i64);
    has.is_none_or(|has| years.min.is_none_or(|min| has >= min) && years.max.is_none_or(|max| has <= max))
}

/// A profile as it is shown: members that we know, of a believable size. One that nobody can be told by is left out.
fn profile(given: &Json) -> Option<Profile> {
    let id = short(given.get("profile_id")).or_else(|| short(given.get("network_url")))?;
    let maybe = |name: &str| Json::from(clipped(given.get(name)));
    let list = |name: &str, each: fn(&Json) -> Option<Json>| -> Json {
        members(given, name).filter_map(each).take(MOST_ITEMS).collect::<Vec<_>>().into()
    };
    let addresses = |name: &str, one: &str| -> Json {
        let each = |it| Some(json!({ one: clipped(Some(it))?, "type": "other" }));
        if given[name].is_array() { members(given, name).filter_map(each).take(5).collect() } else { Json::Null }
    };
    let job = given
        .get("current_job")
        .filter(|job| job.is_object())
        .map(|job| json!({ "title": clipped(job.get("title")), "company_name": clipped(job.get("company_name")) }));
    let profile = json!({
        "profile_id": id,
        "first_name": clipped(given.get("first_name")).unwrap_or_default(),
        "last_name": clipped(given.get("last_name")).unwrap_or_default(),
        "headline": maybe("headline"),
        "picture_url": maybe("picture_url"),
        "location": maybe("location"),
        "network_url": maybe("network_url"),
        "summary": maybe("summary"),
        "current_job": job,
        "experiences": list("experiences", |it| Some(json!({
            "title": clipped(it.get("title")), "company_name": clipped(it.get("company_name")),
            "company_domain": clipped(it.get("company_domain")), "start_date": clipped(it.get("start_date")),
            "end_date": clipped(it.get("end_date")), "description": clipped(it.get("description")),
            "is_current": it["is_current"] == true,
        }))),
        "educations": list("educations", |it| Some(json!({
            "educational_establishment": clipped(it.get("educational_establishment")), "diploma": clipped(it.get("diploma")),
            "specialization": clipped(it.get("specialization")), "start_date": clipped(it.get("start_date")),
            "end_date": clipped(it.get("end_date")),
        }))),
        "skills": list("skills", |it| clipped(Some(it)).map(Json::from)),
        "total_years_experience": given["total_years_experience"].as_i64(),
        "open_to_work": given["open_to_work"].as_bool(),
        "emails": addresses("emails", "email"),
        "phones": addresses("phones", "phone"),
    });
    profile.as_object().cloned()
}

// ---- jobs ----

fn ask_jobs(call: &Call, tx: &mut dyn Tx) -> Result<Errand, Error> {
    let mut problems = Vec::new();
    let places = places("location_ids", call.body.get("location_ids")).unwrap_or_else(|problem| {
        problems.push(problem);
        Vec::new()
    });
    let asked = sifted(call, JobSearch::FIELDS, problems)?;
    let account = named(&call.ctx, tx, &asked)?;
    let size = number(&asked, "page_size");
    let (keywords, url) = (asked.text("keywords"), asked.text("url"));
    if let Some(cursor) = asked.text("cursor") {
        let place = Place::read(&call.ctx, account.id, "jobs", cursor)?;
        let given = [
            ("keywords", keywords.map(Json::from)),
            ("url", url.map(Json::from)),
            ("location_ids", call.body.contains_key("location_ids").then(|| json!(places))),
        ];
        place.holds(&given)?;
        let size = size.unwrap_or(place.size).min(PAGE);
        return errand(call, tx, &account, What::Jobs(Place { size, ..place }));
    }
    match (keywords, url) {
        (None, None) => return Err(invalid("keywords", "is required, or url, or the cursor of a page before")),
        (Some(_), Some(_)) => return Err(invalid("url", "stands for the whole search; leave keywords out")),
        (None, Some(_)) if !places.is_empty() => {
            return Err(invalid("url", "stands for the whole search; leave location_ids out"));
        }
        _ => {}
    }
    let search = json!({ "keywords": keywords, "url": url, "location_ids": places });
    let size = size.unwrap_or(PAGE);
    let place = Place { search, size, page: 1, start: 0, cursor: None, steps: 0 };
    errand(call, tx, &account, What::Jobs(place))
}

fn tell_jobs(call: &Call, _: &mut dyn Tx, errand: &Errand, outcome: &Outcome) -> Result<Reply, Error> {
    let (Errand::Network(Asking { account, what: What::Jobs(place), .. }), answered) = (errand, answered(outcome)?)
    else {
        return Err(store::Error::Internal("no jobs were asked for".into()).into());
    };
    let items: Vec<Json> = members(&answered.answer, "jobs").take(place.size as usize).map(job).collect();
    let count = items.len() as i64;
    let next = next(place, &answered.answer, count);
    let total = answered.answer["total_count"].as_i64().unwrap_or(0).max(place.start + count);
    Ok(Reply::json(&json!({
        "items": items,
        "paging": { "start": place.start, "page_count": count, "total_count": total },
        "has_more": next.is_some(),
        "cursor": next.map(|cursor| place.after(&call.ctx, *account, "jobs", cursor, count)),
    })))
}

fn job(given: &Json) -> Json {
    let company = &given["company"];
    let posted = given["posted_at"].as_str().and_then(Time::parse).map(|time| time.to_string());
    let workplace = given["workplace_type"].as_str().filter(|it| ["on_site", "hybrid", "remote"].contains(it));
    json!({
        "id": clipped(given.get("id")).unwrap_or_default(),
        "title": clipped(given.get("title")).unwrap_or_default(),
        "company": {
            "id": clipped(company.get("id")).unwrap_or_default(),
            "name": clipped(company.get("name")).unwrap_or_default(),
            "profile_url": clipped(company.get("profile_url")),
        },
        "location": clipped(given.get("location")),
        "url": clipped(given.get("url")).unwrap_or_default(),
        "posted_at": posted,
        "reposted": given["reposted"] == true,
        "workplace_type": workplace,
        "easy_apply": given["easy_apply"] == true,
    })
}

pub fn jobs_schema() -> Json {
    let (text, maybe) = (json!({ "type": "string" }), json!({ "type": ["string", "null"] }));
    let properties = json!({
        "id": text,
        "title": text,
        "company": {
            "type": "object",
            "required": ["id", "name", "profile_url"],
            "properties": { "id": text, "name": text, "profile_url": maybe },
        },
        "location": maybe,
        "url": text,
        "posted_at": { "type": ["string", "null"], "format": "date-time" },
        "reposted": { "type": "boolean" },
        "workplace_type": { "type": ["string", "null"], "enum": ["on_site", "hybrid", "remote", null] },
        "easy_apply": { "type": "boolean" },
    });
    let required: Vec<&String> = properties.as_object().into_iter().flatten().map(|(name, _)| name).collect();
    let item = json!({ "type": "object", "required": required, "properties": properties });
    let whole = json!({ "type": "integer" });
    json!({
        "type": "object",
        "description": "A page of jobs.",
        "required": ["items", "paging", "cursor", "has_more"],
        "properties": {
            "items": { "type": "array", "items": item },
            "paging": {
                "type": "object",
                "description": "How many came before this page, how many stand on it, and how many there are.",
                "required": ["start", "page_count", "total_count"],
                "properties": { "start": whole, "page_count": whole, "total_count": whole },
            },
            "cursor": { "type": ["string", "null"], "description": "Of the next page; null exactly on the last." },
            "has_more": { "type": "boolean" },
        },
    })
}

// ---- pages ----

impl Place {
    /// The cursor of the page after this one.
    fn after(&self, ctx: &Ctx, account: Uuid, kind: &str, cursor: String, count: i64) -> String {
        let next = Place {
            page: self.page + 1,
            start: self.start + count,
            cursor: Some(cursor),
            steps: 0,
            search: self.search.clone(),
            size: self.size,
        };
        BASE64_URL_SAFE_NO_PAD.encode(json!([kind, ctx.workspace, account, next]).to_string())
    }

    fn read(ctx: &Ctx, account: Uuid, kind: &str, text: &str) -> Result<Place, Error> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok();
        let read = bytes.and_then(|bytes| serde_json::from_slice::<(String, Uuid, Uuid, Place)>(&bytes).ok());
        let sound = |place: &Place| {
            (1..=100).contains(&place.size)
                && (2..=MOST_PAGES).contains(&place.page)
                && (0..=100 * MOST_PAGES).contains(&place.start)
                && place.steps == 0
                && place.search.is_object()
        };
        let found = read.filter(|(of, workspace, _, place)| of == kind && *workspace == ctx.workspace && sound(place));
        let Some((_, _, owner, place)) = found else {
            return Err(invalid("cursor", "is not a cursor of this search; begin again without it"));
        };
        if owner != account {
            return Err(invalid("cursor", "is of another account; go on with the account that the search began with"));
        }
        Ok(place)
    }

    /// Filters that stand beside a cursor are those that it was made with.
    fn holds(&self, given: &[(&str, Option<Json>)]) -> Result<(), Error> {
        let other =
            given.iter().filter(|(name, value)| value.as_ref().is_some_and(|value| self.search[*name] != *value));
        let reason =
            "is not that of the search that the cursor belongs to; leave it out, or begin again without the cursor";
        let problems: Vec<Problem> = other.map(|(name, _)| problem(*name, reason)).collect();
        super::settled(problems)
    }
}

// ---- accounts ----

fn errand(call: &Call, tx: &mut dyn Tx, account: &Saved<ConnectedAccount>, what: What) -> Result<Errand, Error> {
    account::begin_search(&call.ctx, tx, account)?;
    let (name, by_admin) = (account.record.name.clone(), call.key.role.is_some_and(|role| role.is(Role::Admin)));
    Ok(Errand::Network(Asking { workspace: call.ctx.workspace, account: account.id, name, by_admin, what }))
}

fn named(ctx: &Ctx, tx: &mut dyn Tx, asked: &Changes) -> Result<Saved<ConnectedAccount>, Error> {
    match asked.get("account_id") {
        Some(Value::Id(id)) => account::network(ctx, tx, *id),
        _ => Err(invalid("account_id", "is required")),
    }
}

/// The interface that is asked: one that the account may use.
pub fn api_type(account: &Saved<ConnectedAccount>, member: &str, asked: Option<&str>) -> Result<String, Error> {
    let record = &account.record;
    let active = |word: &str| record.api_status.0.get(word).and_then(Json::as_str) == Some("active");
    let best = record.license_type.map_or("classic", LicenseType::word);
    let word = asked.unwrap_or(if active(best) { best } else { "classic" });
    if active(word) {
        return Ok(word.to_owned());
    }
    let has: Vec<&str> = LicenseType::WORDS.iter().copied().filter(|word| active(word)).collect();
    let reason = format!("the account {} may not use {word}; it has {}", record.name, has.join(", "));
    Err(invalid(member, reason))
}

/// Geo ids of the places that a body names.
pub fn places(path: &str, given: Option<&Json>) -> Result<Vec<String>, Problem> {
    const MOST: usize = 50;
    const HOW: &str = "find ids with GET /sourcing/network/locations?q=<name>&account_id=<id>";
    let members = match given {
        None | Some(Json::Null) => return Ok(Vec::new()),
        Some(Json::Object(members)) => members,
        Some(_) => {
            let reason = format!("must be an object of geo ids and names, such as {{\"101\": \"Berlin\"}}; {HOW}");
            return Err(problem(path, reason.replace("; ", ", ")));
        }
    };
    if members.len() > MOST {
        return Err(problem(path, format!("must have at most {MOST} places")));
    }
    for (id, name) in members {
        let shown: String = id.chars().take(50).collect();
        // An id has a digit and no spaces, the name of a place seldom either.
        let is_id = id.len() <= 100 && id.contains(|c: char| c.is_ascii_digit()) && !id.contains(char::is_whitespace);
        if !is_id {
            return Err(problem(
                format!("{path}.{shown}"),
                format!("is the name of a place and not its geo id, {HOW}"),
            ));
        }
        if !name.is_string() {
            return Err(problem(format!("{path}.{shown}"), "must be the name of the place, a string"));
        }
    }
    Ok(members.keys().cloned().collect())
}

/// The members of a body, with the problems that were found before.
fn sifted(call: &Call, fields: &'static [Field], mut problems: Vec<Problem>) -> Result<Changes, Error> {
    let shape = resource::Shape { record: &[], extra: fields };
    let (asked, found) = Changes::sift(&shape, &resource::Input(&call.body), true)?;
    let named: Vec<String> = problems.iter().map(|it| it.field.clone()).collect();
    // What was told in more words already is not told again.
    problems.extend(found.into_iter().filter(|it| !named.contains(&it.field)));
    super::settled(problems)?;
    Ok(asked)
}

fn years(asked: &Changes) -> Result<Years, Error> {
    let given: Json = asked.text("years_experience").map_or(Ok(Json::Null), serde_json::from_str).unwrap_or_default();
    let years: Years = serde_json::from_value(given).unwrap_or_default();
    super::settled(years.problems("years_experience"))?;
    Ok(years)
}

fn texts(asked: &Changes, name: &str) -> Vec<String> {
    asked.text(name).map(|texts| serde_json::from_str(texts).unwrap_or_default()).unwrap_or_default()
}

fn number(asked: &Changes, name: &str) -> Option<i64> {
    match asked.get(name) {
        Some(Value::Int(number)) => Some(*number),
        _ => None,
    }
}

fn answered(outcome: &Outcome) -> Result<&Answered, Error> {
    match outcome {
        Outcome::Network(answered) => Ok(answered),
        _ => Err(store::Error::Internal("the network was not asked".into()).into()),
    }
}

fn members<'a>(json: &'a Json, name: &str) -> impl Iterator<Item = &'a Json> {
    json.get(name).and_then(Json::as_array).into_iter().flatten()
}

/// A text that is neither empty nor endless.
fn clipped(json: Option<&Json>) -> Option<String> {
    let text: String = json?.as_str()?.replace('\0', "").trim().chars().take(LONGEST).collect();
    (!text.is_empty()).then_some(text)
}

/// What tells somebody or something from others is not cut.
fn short(json: Option<&Json>) -> Option<String> {
    clipped(json).filter(|text| text.len() <= 500)
}
