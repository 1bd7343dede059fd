//! Searches the workspace's own contacts for candidates and returns them as profiles. Archived contacts are left out.

use super::filters::{Filters, Years};
use super::found::{COUNTED, Found, PAGE, Profile, problem, reject_if_any};
use super::known;
use crate::api::call::{Call, Reply};
use crate::api::scope::CONTACTS_READ;
use crate::outreach::{enrollment, sequence};
use crate::pipelines::template::Category;
use crate::pipelines::{entry, project};
use crate::records::contact::{Contact, ContactType};
use resource::{
    Changes, Cond, Ctx, Error, Ids, Need, Op, Page, Paging, Position, Query, Resource, Test, Time, fold, list,
    search as words, search_fields,
};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid, Value};

/// Search criteria for contacts: all given ones must match.
#[derive(Resource)]
pub struct CandidateSearch {
    /// The project that results are compared with.
    pub project_id: Option<Uuid>,
    /// The title contains the words of one of these.
    #[field(max = 50, item_max = 200)]
    pub job_titles: Option<Vec<String>>,
    /// `current_company` contains the words of one of these.
    #[field(max = 50, item_max = 200)]
    pub companies: Option<Vec<String>>,
    /// The location contains the words of one of these.
    #[field(max = 50, item_max = 200)]
    pub locations: Option<Vec<String>>,
    /// All of these occur, as in `search=`.
    #[field(max = 20, item_max = 200)]
    pub keywords: Option<Vec<String>>,
    /// All of these.
    #[field(max = 50, item_max = 100)]
    pub skills: Option<Vec<String>>,
    #[field(max = 100)]
    pub first_name: Option<String>,
    #[field(max = 100)]
    pub last_name: Option<String>,
    /// Words in the first or last name.
    #[field(max = 200)]
    pub full_name: Option<String>,
    /// One of these.
    #[field(max = 10, item_max = 20)]
    pub contact_types: Option<Vec<String>>,
    /// All of these, by name.
    #[field(max = 100, item_max = 100)]
    pub tags: Option<Vec<String>>,
    /// Candidates in one of these projects.
    #[field(max = 100)]
    pub project_ids: Option<Ids>,
    /// Contacts who are or were enrolled in one of these sequences.
    #[field(max = 100)]
    pub sequence_ids: Option<Ids>,
    /// Candidates in one of these stages.
    #[field(max = 100)]
    pub stage_ids: Option<Ids>,
    /// Candidates in a stage of one of these categories.
    #[field(max = 10, item_max = 20)]
    pub stage_categories: Option<Vec<String>>,
    /// Inclusive.
    pub created_after: Option<Time>,
    /// Exclusive.
    pub created_before: Option<Time>,
    #[field(least = 1, most = 100_000)]
    pub page: Option<i64>,
    #[field(least = 1, most = 100)]
    pub page_size: Option<i64>,
}

pub fn seek(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let asked = call.members(CandidateSearch::FIELDS)?;
    let project = id(&asked, "project_id");
    if let Some(project) = project {
        project::check(&call.ctx, tx, "project_id", project)?;
    }
    let mut seeking = Seeking::default();
    for (member, first, last) in [
        ("job_titles", "title", "title"),
        ("companies", "current_company", "current_company"),
        ("locations", "location", "location"),
    ] {
        seeking.any_words(member, &texts(&asked, member)?, first, last)?;
    }
    seeking.keywords("keywords", &texts(&asked, "keywords")?, &[])?;
    seeking.skills("skills", &texts(&asked, "skills")?, true);
    for (member, first, last) in [
        ("first_name", "first_name", "first_name"),
        ("last_name", "last_name", "last_name"),
        ("full_name", "first_name", "last_name"),
    ] {
        let given: Vec<String> = asked.named_text(member).into_iter().map(str::to_owned).collect();
        seeking.any_words(member, &given, first, last)?;
    }
    seeking.contact_types("contact_types", &texts(&asked, "contact_types")?)?;
    seeking.test("tags", "tags", Op::Cs, texts(&asked, "tags")?.iter().map(|name| fold(name).into()).collect());
    for (member, op) in [("created_after", Op::Gte), ("created_before", Op::Lt)] {
        let bound = asked.named(member).filter(|bound| **bound != Value::Null).cloned();
        seeking.test(member, "created_at", op, bound.into_iter().collect());
    }
    for sequence in ids(&asked, "sequence_ids")? {
        sequence::check(&call.ctx, tx, "sequence_ids", sequence)?;
    }
    seeking.ids("sequence_ids", enrollment::enrolled_in(ids(&asked, "sequence_ids")?));
    seeking.stages(&call.ctx, tx, &asked)?;
    let size = number(&asked, "page_size").unwrap_or(PAGE);
    let found = seeking.run(call, tx, project, number(&asked, "page").unwrap_or(1), size)?;
    Ok(Reply::json(&found.shown().into()))
}

/// Like `seek`, with the filters that all sources share.
pub fn find(
    call: &Call,
    tx: &mut dyn Tx,
    filters: &Filters,
    project: Option<Uuid>,
    page: i64,
    size: i64,
) -> Result<Found, Error> {
    let mut seeking = Seeking::default();
    let Filters { job_titles, companies, locations, skills, keywords, years_experience, contacts_filters, .. } =
        filters;
    seeking.words("job_titles", &job_titles.include, &job_titles.exclude, "title")?;
    seeking.words("companies", &companies.include, &companies.exclude, "current_company")?;
    let places: Vec<String> = locations.all().cloned().collect();
    seeking.any_words("locations", &places, "location", "location")?;
    seeking.skills("skills", &skills.include, skills.require_all);
    seeking.keywords("keywords", &keywords.include, &keywords.exclude)?;
    seeking.years("years_experience", *years_experience);
    seeking.contact_types("filters.contacts_filters.contact_types", &contacts_filters.contact_types)?;
    seeking.run(call, tx, project, page, size)
}

/// The conditions of a search, by the name of the member in the body.
#[derive(Default)]
struct Seeking {
    conds: Vec<(String, Cond)>,
}

impl Seeking {
    fn add(&mut self, member: &str, cond: Cond) {
        self.conds.push((member.to_owned(), cond));
    }

    fn test(&mut self, member: &str, name: &str, op: Op, values: Vec<Value>) {
        if let (Some(field), false) = (Contact::FIELDS.iter().find(|field| field.name == name), values.is_empty()) {
            self.add(member, Cond::Test(Test { field, op, values }));
        }
    }

    fn ids(&mut self, member: &str, cond: Option<Cond>) {
        if let Some(cond) = cond {
            self.add(member, cond);
        }
    }

    /// The fields from `first` to `last` contain the words of one of these.
    fn any_words(&mut self, member: &str, given: &[String], first: &str, last: &str) -> Result<(), Error> {
        if let Some(any) = any(member, given, first, last)? {
            self.add(member, Cond::Find(any));
        }
        Ok(())
    }

    /// The field contains the words of one of `include` and of none of `exclude`.
    fn words(&mut self, member: &str, include: &[String], exclude: &[String], field: &str) -> Result<(), Error> {
        self.any_words(member, include, field, field)?;
        if let Some(none) = any(member, exclude, field, field)? {
            self.add(member, Cond::Find(Need::Not(Box::new(none))));
        }
        Ok(())
    }

    fn keywords(&mut self, member: &str, include: &[String], exclude: &[String]) -> Result<(), Error> {
        for text in include {
            if let Some(need) = words(member, text)? {
                self.add(member, Cond::Find(need));
            }
        }
        for text in exclude {
            if let Some(need) = words(member, text)? {
                self.add(member, Cond::Find(Need::Not(Box::new(need))));
            }
        }
        Ok(())
    }

    fn skills(&mut self, member: &str, given: &[String], all: bool) {
        let op = if all { Op::Cs } else { Op::Ov };
        self.test(member, "skills", op, given.iter().map(|skill| fold(skill).into()).collect());
    }

    fn years(&mut self, member: &str, years: Years) {
        self.test(member, "years_experience", Op::Gte, years.min.map(Value::from).into_iter().collect());
        self.test(member, "years_experience", Op::Lte, years.max.map(Value::from).into_iter().collect());
    }

    fn contact_types(&mut self, member: &str, given: &[String]) -> Result<(), Error> {
        check_words(member, given, ContactType::WORDS)?;
        let name = member.rsplit('.').next().unwrap_or(member);
        self.test(name, "contact_type", Op::In, given.iter().map(|word| word.as_str().into()).collect());
        Ok(())
    }

    /// Filters by project, stage and category, which must all match the same entry.
    fn stages(&mut self, ctx: &Ctx, tx: &mut dyn Tx, asked: &Changes) -> Result<(), Error> {
        const OF_PROJECT: &str =
            "SELECT id, system_category FROM project_stages WHERE workspace_id = $1 AND project_id = $2";
        const STAGE: &str =
            "SELECT project_id, system_category FROM project_stages WHERE workspace_id = $1 AND id = $2";
        let (projects, stages, categories) =
            (ids(asked, "project_ids")?, ids(asked, "stage_ids")?, texts(asked, "stage_categories")?);
        check_words("stage_categories", &categories, Category::WORDS)?;
        for project in &projects {
            project::check(ctx, tx, "project_ids", *project)?;
        }
        let fits = |category: &String| categories.is_empty() || categories.contains(category);
        let mut problems = Vec::new();
        let mut left: Vec<Uuid> = Vec::new();
        for (at, stage) in stages.iter().enumerate() {
            let found =
                tx.one(STAGE, &[ctx.workspace.into(), (*stage).into()], |row| Ok((row.id(0)?, row.text(1)?)))?;
            match found {
                None => problems.push(problem(format!("stage_ids.{at}"), "no stage has this id")),
                Some((project, category)) => {
                    let inside = projects.is_empty() || projects.contains(&project);
                    left.extend((inside && fits(&category)).then_some(*stage));
                }
            }
        }
        reject_if_any(problems)?;
        match (projects.is_empty(), stages.is_empty(), categories.is_empty()) {
            (_, false, _) => self.add("stage_ids", entry::in_stages(left)),
            (false, true, false) => {
                for project in &projects {
                    let of = tx.rows(OF_PROJECT, &[ctx.workspace.into(), (*project).into()], |row| {
                        Ok((row.id(0)?, row.text(1)?))
                    })?;
                    left.extend(of.into_iter().filter(|(_, category)| fits(category)).map(|(stage, _)| stage));
                }
                self.add("stage_categories", entry::in_stages(left));
            }
            (false, true, true) => self.add("project_ids", entry::candidates_of(projects)),
            (true, true, false) => self.add("stage_categories", entry::in_categories(&categories)),
            (true, true, true) => {}
        }
        Ok(())
    }

    fn run(self, call: &Call, tx: &mut dyn Tx, project: Option<Uuid>, page: i64, size: i64) -> Result<Found, Error> {
        let offset = (page - 1) * size;
        let whole = self.query(None, size, offset, true);
        let Page { json, has_more, position, .. } = list::<Contact>(&call.ctx, tx, &whole, &[])?;
        let total = match position {
            Position::Offset { total: Some(total), .. } => total.min(COUNTED),
            _ => 0,
        };
        let text = [b"[", &json[..], b"]"].concat();
        let contacts: Vec<Map<String, Json>> = serde_json::from_slice(&text)
            .map_err(|error| store::Error::Internal(format!("contacts are no JSON: {error}")))?;
        let shows_addresses = call.key.scopes.has(CONTACTS_READ);
        let mut profiles: Vec<Profile> = contacts.iter().map(|contact| profile(contact, shows_addresses)).collect();
        let ids: Vec<Uuid> = profiles.iter().filter_map(|it| known::text(it, "profile_id")?.parse().ok()).collect();
        let inside = match project {
            Some(project) => known::candidates(&call.ctx, tx, project, &ids)?,
            None => Default::default(),
        };
        for (profile, id) in profiles.iter_mut().zip(&ids) {
            profile.insert("already_in_project".into(), inside.contains(id).into());
            profile.insert("existing_contact_id".into(), id.to_string().into());
        }
        let too_strict = if total == 0 { self.too_strict(&call.ctx, tx)? } else { None };
        Ok(Found { profiles, total_count: total, filtered_count: total, page, has_more, too_strict })
    }

    /// The first filter without which there would be a result.
    fn too_strict(&self, ctx: &Ctx, tx: &mut dyn Tx) -> Result<Option<String>, Error> {
        let mut tried: Vec<&str> = Vec::new();
        for (member, _) in &self.conds {
            if tried.contains(&member.as_str()) {
                continue;
            }
            tried.push(member);
            let page = list::<Contact>(ctx, tx, &self.query(Some(member), 1, 0, false), &[])?;
            if !page.json.is_empty() {
                return Ok(Some(member.clone()));
            }
        }
        Ok(None)
    }

    /// The query without this filter, newest first.
    fn query(&self, without: Option<&str>, limit: i64, offset: i64, count: bool) -> Query {
        let field = |name: &str| Contact::FIELDS.iter().find(|field| field.name == name);
        let left = self.conds.iter().filter(|(member, _)| Some(member.as_str()) != without);
        let mut conds: Vec<Cond> = left.map(|(_, cond)| cond.clone()).collect();
        let active = field("archived_at").map(|field| Cond::Test(Test { field, op: Op::Null, values: vec![] }));
        conds.extend(active);
        let sort = field("created_at").map(|field| (field, true)).into_iter().collect();
        Query { conds, sort, limit, paging: Paging::Offset(offset), count, count_to: Some(COUNTED) }
    }
}

fn any(member: &str, given: &[String], first: &str, last: &str) -> Result<Option<Need>, Error> {
    let needs = given
        .iter()
        .map(|text| search_fields(Contact::FIELDS, first, last, text).map_err(|error| renamed(error, member)));
    let needs: Vec<Need> = needs.collect::<Result<_, _>>()?;
    Ok((!needs.is_empty()).then_some(Need::Any(needs)))
}

/// Renames the field in problems to the member of the body.
fn renamed(error: Error, member: &str) -> Error {
    match error {
        Error::Invalid(problems) => Error::Invalid(problems.into_iter().map(|it| problem(member, it.reason)).collect()),
        other => other,
    }
}

fn check_words(member: &str, given: &[String], words: &[&str]) -> Result<(), Error> {
    let wrong = given.iter().enumerate().filter(|(_, word)| !words.contains(&word.as_str()));
    reject_if_any(
        wrong
            .map(|(at, _)| problem(format!("{member}.{at}"), format!("must be one of {}", words.join(", "))))
            .collect(),
    )
}

/// A contact as a profile.
fn profile(contact: &Map<String, Json>, shows_addresses: bool) -> Profile {
    let get = |name: &str| contact.get(name).cloned().unwrap_or(Json::Null);
    let job = (!get("title").is_null() || !get("current_company").is_null())
        .then(|| json!({ "title": get("title"), "company_name": get("current_company") }));
    let addresses = |list: &str| if shows_addresses { get(list) } else { Json::Null };
    let profile = json!({
        "profile_id": get("id"),
        "first_name": get("first_name"),
        "last_name": contact.get("last_name").and_then(Json::as_str).unwrap_or_default(),
        "headline": get("title"),
        "picture_url": null,
        "location": get("location"),
        "network_url": get("network_profile"),
        "summary": get("summary"),
        "current_job": job,
        "experiences": [],
        "educations": [],
        "skills": get("skills"),
        "total_years_experience": get("years_experience"),
        "open_to_work": null,
        "emails": addresses("emails"),
        "phones": addresses("phones"),
    });
    profile.as_object().cloned().unwrap_or_default()
}

fn texts(asked: &Changes, name: &str) -> Result<Vec<String>, Error> {
    asked.named_json(name)
}

fn ids(asked: &Changes, name: &str) -> Result<Vec<Uuid>, Error> {
    asked.named_json(name)
}

fn id(asked: &Changes, name: &str) -> Option<Uuid> {
    match asked.named(name) {
        Some(Value::Id(id)) => Some(*id),
        _ => None,
    }
}

fn number(asked: &Changes, name: &str) -> Option<i64> {
    match asked.named(name) {
        Some(Value::Int(number)) => Some(*number),
        _ => None,
    }
}
