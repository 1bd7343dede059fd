//! Searches a professional network through a connected account: places, people and jobs. The account is queried while
//! no transaction is open, and its answers are validated and limited in size. A cursor contains the whole search that
//! it belongs to, so that all pages come from the same search.

use super::filters::{YearFilter, Years};
use super::found::{COUNTED, Found, PAGE, Profile, problem, reject_if_any};
use super::known;
use crate::api::call::{Call, Reply};
use crate::api::effects::{Effect, EffectResult, NetworkAnswer, NetworkPage, NetworkQuery, NetworkRequest};
use crate::api::operation::EffectSteps;
use crate::api::scope::Role;
use crate::outreach::account::{self, ConnectedAccount, LicenseType};
use crate::pipelines::project;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use resource::{Changes, Ctx, Error, Field, Format, Part, Problem, Resource, Saved, Time, invalid, not_found};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};
use sha2::{Digest, Sha256};
use store::{Tx, Uuid, Value};

/// A search for a place.
#[derive(Resource)]
pub struct LocationQuery {
    /// The name of a place, or its beginning.
    #[field(required, max = 100)]
    pub q: String,
    /// The connected account.
    #[field(required)]
    pub account_id: Uuid,
    /// The interface of the network to use; defaults to the best one of the account.
    pub api_type: Option<LicenseType>,
}

/// Search criteria for people.
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
    /// Geo ids, each with its name, as `GET /sourcing/network/locations` returns them.
    pub location_ids: Option<Map<String, Json>>,
    pub years_experience: Option<Part<YearFilter>>,
    /// Words with AND, OR, NOT, quotes and parentheses.
    #[field(max = 2000)]
    pub boolean_query: Option<String>,
    /// The interface of the network to use; defaults to the best one of the account.
    pub api_type: Option<LicenseType>,
    #[field(least = 1, most = MOST_PAGES)]
    pub page: Option<i64>,
    #[field(least = 1, most = 100)]
    pub page_size: Option<i64>,
    /// The cursor of the previous page.
    #[field(max = 20_000)]
    pub cursor: Option<String>,
}

/// Search criteria for jobs: keywords, the address of a search, or the cursor of one.
#[derive(Resource)]
pub struct JobSearch {
    /// The connected account that searches.
    #[field(required)]
    pub account_id: Uuid,
    #[field(max = 500)]
    pub keywords: Option<String>,
    /// Geo ids, each with its name, as `GET /sourcing/network/locations` returns them.
    pub location_ids: Option<Map<String, Json>>,
    /// The address of a job search in the network, instead of keywords.
    #[field(max = 2000, format = Format::Url)]
    pub url: Option<String>,
    /// The cursor of the previous page.
    #[field(max = 20_000)]
    pub cursor: Option<String>,
    #[field(least = 1, most = 25)]
    pub page_size: Option<i64>,
}

pub const LOCATIONS: EffectSteps = EffectSteps { prepare: prepare_locations, complete: complete_locations };
pub const PEOPLE: EffectSteps = EffectSteps { prepare: prepare_people, complete: complete_people };
pub const JOBS: EffectSteps = EffectSteps { prepare: prepare_jobs, complete: complete_jobs };

/// Most pages of a search.
const MOST_PAGES: i64 = 1000;
/// Most pages that are read to reach a page that is requested by its number.
const MOST_STEPS: i64 = 10;
/// How long the cursors of pages are stored, in milliseconds.
const LIFETIME: i64 = 60 * 60 * 1000;
/// Most characters of a text, and most items of a list, that are accepted from a network.
const LONGEST: usize = 10_000;
const MOST_ITEMS: usize = 100;

// ---- places ----

fn prepare_locations(call: &Call, tx: &mut dyn Tx) -> Result<Effect, Error> {
    let asked = call.asked(LocationQuery::FIELDS)?;
    let account = match named(&call.ctx, tx, &asked) {
        Err(Error::Invalid(problems)) if problems.iter().any(|it| it.reason == account::UNKNOWN) => {
            return Err(not_found("connected account"));
        }
        found => found?,
    };
    let api_type = api_type(&account, "api_type", asked.named_text("api_type"))?;
    let q = asked.named_text("q").unwrap_or_default().to_owned();
    request(call, tx, &account, NetworkQuery::Locations { q, api_type })
}

fn complete_locations(_: &Call, _: &mut dyn Tx, _: &Effect, outcome: &EffectResult) -> Result<Reply, Error> {
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

fn prepare_people(call: &Call, tx: &mut dyn Tx) -> Result<Effect, Error> {
    let mut problems = Vec::new();
    let places = places("location_ids", call.body.get("location_ids")).unwrap_or_else(|problem| {
        problems.push(problem);
        Vec::new()
    });
    let asked = sifted(call, PeopleSearch::FIELDS, problems)?;
    if let Some(Value::Id(project)) = asked.named("project_id") {
        project::check(&call.ctx, tx, "project_id", *project)?;
    }
    let account = named(&call.ctx, tx, &asked)?;
    let years = years(&asked)?;
    let titles: Vec<String> = asked.named_json("job_titles")?;
    let page = number(&asked, "page");
    let size = number(&asked, "page_size");
    if let Some(cursor) = asked.named_text("cursor") {
        let place = NetworkPage::read(&call.ctx, account.id, "people", cursor)?;
        let given = [
            ("job_titles", call.body.contains_key("job_titles").then(|| json!(titles))),
            ("location_ids", call.body.contains_key("location_ids").then(|| json!(places))),
            ("years_experience", call.body.contains_key("years_experience").then(|| json!(years))),
            ("boolean_query", asked.named_text("boolean_query").map(Json::from)),
            ("api_type", asked.named_text("api_type").map(Json::from)),
        ];
        place.holds(&given)?;
        if page.is_some_and(|page| page != place.page) {
            return Err(invalid("page", "is not that of the cursor; leave it out"));
        }
        let size = size.unwrap_or(place.size);
        return request(call, tx, &account, NetworkQuery::People(NetworkPage { size, ..place }));
    }
    let search = json!({
        "api_type": api_type(&account, "api_type", asked.named_text("api_type"))?,
        "job_titles": titles,
        "location_ids": places,
        "years_experience": years,
        "boolean_query": asked.named_text("boolean_query"),
    });
    prepare_page(call, tx, &account, search, page.unwrap_or(1), size.unwrap_or(PAGE))
}

/// Requests a page by its number, starting at its stored cursor or at the nearest page before it.
pub fn prepare_page(
    call: &Call,
    tx: &mut dyn Tx,
    account: &Saved<ConnectedAccount>,
    search: Json,
    page: i64,
    size: i64,
) -> Result<Effect, Error> {
    const NEAREST: &str = "SELECT page, cursor FROM network_pages WHERE workspace_id = $1 AND account_id = $2 AND search = $3 \
         AND page <= $4 AND created_at > $5 ORDER BY page DESC LIMIT 1";
    let since = tx.stamp() - LIFETIME;
    let params = [call.ctx.workspace.into(), account.id.into(), hash(&search, size).into(), page.into(), since.into()];
    let (known, cursor) = tx.one(NEAREST, &params, |row| Ok((row.int(0)?, Some(row.text(1)?))))?.unwrap_or((1, None));
    let steps = page - known;
    if steps > MOST_STEPS {
        let reason = format!("is {steps} pages beyond those that were read; go on from one to the next");
        return Err(invalid("page", reason));
    }
    let place = NetworkPage { search, size, page, start: (page - 1) * size, cursor, steps };
    request(call, tx, account, NetworkQuery::People(place))
}

fn complete_people(call: &Call, tx: &mut dyn Tx, effect: &Effect, outcome: &EffectResult) -> Result<Reply, Error> {
    let project = match call.members(PeopleSearch::FIELDS)?.get(PeopleSearch::PROJECT_ID) {
        Some(Value::Id(project)) => Some(*project),
        _ => None,
    };
    let (found, next) = found_people(&call.ctx, tx, effect, outcome, project, |_| true)?;
    let mut shown = found.shown();
    shown.insert("cursor".into(), next.into());
    Ok(Reply::json(&shown.into()))
}

/// The people of a page that match `fits`, and the cursor of the next page.
pub fn found_people(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    effect: &Effect,
    outcome: &EffectResult,
    project: Option<Uuid>,
    fits: impl Fn(&Profile) -> bool,
) -> Result<(Found, Option<String>), Error> {
    let (Effect::Network(NetworkRequest { account, what: NetworkQuery::People(place), .. }), answered) =
        (effect, answered(outcome)?)
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
    // The filter was validated when the cursor was made; a search without it has none.
    let (count, years) = (all.len() as i64, Years::deserialize(&place.search["years_experience"]));
    let years = years.unwrap_or_default();
    let mut profiles: Vec<Profile> = all.into_iter().filter(|it| within(years, it) && fits(it)).collect();
    let left_out = count - profiles.len() as i64;
    known::mark(ctx, tx, project, &mut profiles)?;
    let next = next(place, &answered.answer, count).filter(|_| !answered.over);
    pages.extend(next.iter().map(|cursor| (place.page + 1, cursor.clone())));
    store_cursors(ctx, tx, *account, place, &pages)?;
    let total = answered.answer["total_count"].as_i64().unwrap_or(0);
    let total_count = total.max(if answered.over { 0 } else { place.start + count }).min(COUNTED);
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

/// The cursor of the next page. An empty page is the last one, and so is a page whose cursor leads to itself.
fn next(place: &NetworkPage, answer: &Json, count: i64) -> Option<String> {
    let cursor = answer["cursor"].as_str().filter(|cursor| cursor.len() <= LONGEST);
    cursor.filter(|_| count > 0 && place.page < MOST_PAGES && place.cursor.as_deref() != cursor).map(str::to_owned)
}

/// Stores the cursors of pages, and deletes expired ones.
fn store_cursors(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account: Uuid,
    place: &NetworkPage,
    pages: &[(i64, String)],
) -> Result<(), Error> {
    const EXPIRE: &str = "DELETE FROM network_pages WHERE workspace_id = $1 AND account_id = $2 AND created_at <= $3";
    const STORE: &str = "INSERT INTO network_pages (workspace_id, account_id, search, page, cursor, created_at) VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT (workspace_id, account_id, search, page) DO UPDATE SET cursor = excluded.cursor, created_at = excluded.created_at";
    let now = tx.stamp();
    tx.execute(EXPIRE, &[ctx.workspace.into(), account.into(), (now - LIFETIME).into()])?;
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
        tx.execute(STORE, &params)?;
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

/// A profile for the response: known members, limited in size. A profile without an id is left out.
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

fn prepare_jobs(call: &Call, tx: &mut dyn Tx) -> Result<Effect, Error> {
    let mut problems = Vec::new();
    let places = places("location_ids", call.body.get("location_ids")).unwrap_or_else(|problem| {
        problems.push(problem);
        Vec::new()
    });
    let asked = sifted(call, JobSearch::FIELDS, problems)?;
    let account = named(&call.ctx, tx, &asked)?;
    let size = number(&asked, "page_size");
    let (keywords, url) = (asked.named_text("keywords"), asked.named_text("url"));
    if let Some(cursor) = asked.named_text("cursor") {
        let place = NetworkPage::read(&call.ctx, account.id, "jobs", cursor)?;
        let given = [
            ("keywords", keywords.map(Json::from)),
            ("url", url.map(Json::from)),
            ("location_ids", call.body.contains_key("location_ids").then(|| json!(places))),
        ];
        place.holds(&given)?;
        let size = size.unwrap_or(place.size).min(PAGE);
        return request(call, tx, &account, NetworkQuery::Jobs(NetworkPage { size, ..place }));
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
    let place = NetworkPage { search, size, page: 1, start: 0, cursor: None, steps: 0 };
    request(call, tx, &account, NetworkQuery::Jobs(place))
}

fn complete_jobs(call: &Call, _: &mut dyn Tx, effect: &Effect, outcome: &EffectResult) -> Result<Reply, Error> {
    let (Effect::Network(NetworkRequest { account, what: NetworkQuery::Jobs(place), .. }), answered) =
        (effect, answered(outcome)?)
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

impl NetworkPage {
    /// The cursor of the page after this one.
    fn after(&self, ctx: &Ctx, account: Uuid, kind: &str, cursor: String, count: i64) -> String {
        let next = NetworkPage {
            page: self.page + 1,
            start: self.start + count,
            cursor: Some(cursor),
            steps: 0,
            search: self.search.clone(),
            size: self.size,
        };
        BASE64_URL_SAFE_NO_PAD.encode(json!([kind, ctx.workspace, account, next]).to_string())
    }

    fn read(ctx: &Ctx, account: Uuid, kind: &str, text: &str) -> Result<NetworkPage, Error> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok();
        let read = bytes.and_then(|bytes| serde_json::from_slice::<(String, Uuid, Uuid, NetworkPage)>(&bytes).ok());
        let sound = |place: &NetworkPage| {
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

    /// Filters that are sent together with a cursor must be those that it was made with.
    fn holds(&self, given: &[(&str, Option<Json>)]) -> Result<(), Error> {
        let other =
            given.iter().filter(|(name, value)| value.as_ref().is_some_and(|value| self.search[*name] != *value));
        let reason =
            "is not that of the search that the cursor belongs to; leave it out, or begin again without the cursor";
        let problems: Vec<Problem> = other.map(|(name, _)| problem(*name, reason)).collect();
        reject_if_any(problems)
    }
}

// ---- accounts ----

fn request(
    call: &Call,
    tx: &mut dyn Tx,
    account: &Saved<ConnectedAccount>,
    what: NetworkQuery,
) -> Result<Effect, Error> {
    account::begin_search(&call.ctx, tx, account)?;
    let (name, by_admin) = (account.record.name.clone(), call.key.role.is_some_and(|role| role.is(Role::Admin)));
    Ok(Effect::Network(NetworkRequest { workspace: call.ctx.workspace, account: account.id, name, by_admin, what }))
}

fn named(ctx: &Ctx, tx: &mut dyn Tx, asked: &Changes) -> Result<Saved<ConnectedAccount>, Error> {
    match asked.named("account_id") {
        Some(Value::Id(id)) => account::network(ctx, tx, *id),
        _ => Err(invalid("account_id", "is required")),
    }
}

/// The interface to use, which the account must have access to.
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

/// The geo ids in a body.
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
        // Geo ids have a digit and no spaces; most names of places do not.
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

/// Checks the members of a body, and adds the problems that were found before.
fn sifted(call: &Call, fields: &'static [Field], mut problems: Vec<Problem>) -> Result<Changes, Error> {
    let shape = resource::Shape { record: &[], extra: fields };
    let (asked, found) = Changes::sift(&shape, &resource::Input(&call.body), true)?;
    let named: Vec<String> = problems.iter().map(|it| it.field.clone()).collect();
    // The earlier problems of a member are more specific.
    problems.extend(found.into_iter().filter(|it| !named.contains(&it.field)));
    reject_if_any(problems)?;
    Ok(asked)
}

fn years(asked: &Changes) -> Result<Years, Error> {
    let years: Years = asked.named_json("years_experience")?;
    reject_if_any(years.problems("years_experience"))?;
    Ok(years)
}

fn number(asked: &Changes, name: &str) -> Option<i64> {
    match asked.named(name) {
        Some(Value::Int(number)) => Some(*number),
        _ => None,
    }
}

fn answered(outcome: &EffectResult) -> Result<&NetworkAnswer, Error> {
    match outcome {
        EffectResult::Network(answered) => Ok(answered),
        _ => Err(store::Error::Internal("the network was not asked".into()).into()),
    }
}

fn members<'a>(json: &'a Json, name: &str) -> impl Iterator<Item = &'a Json> {
    json.get(name).and_then(Json::as_array).into_iter().flatten()
}

/// A text that is not empty, cut to a limit.
fn clipped(json: Option<&Json>) -> Option<String> {
    let text: String = json?.as_str()?.replace('\0', "").trim().chars().take(LONGEST).collect();
    (!text.is_empty()).then_some(text)
}

/// An id, which must not be cut: a longer one is rejected.
fn short(json: Option<&Json>) -> Option<String> {
    clipped(json).filter(|text| text.len() <= 500)
}
