//! What the columns of a file stand for: by the mapping that came with it, else by their names.

use super::Options;
use crate::collection::{Collected, Collection};
use crate::sheet::{Format, Layout, Target, Targets};
use resource::{Ctx, Error, Field, Kind, Problem, custom};
use serde_json::Value as Json;
use store::Tx;

/// The members by which a row can find the record that it changes.
pub fn matches(collection: Collection) -> &'static [&'static str] {
    match collection {
        Collection::Contacts => &["id", "email", "network_profile"],
        Collection::Companies => &["id", "domain", "name"],
    }
}

/// Names that other programs give a member, without case and signs.
const SYNONYMS: &[(&str, &str, &str)] = &[
    ("contacts", "first_name", "firstname givenname forename first"),
    ("contacts", "last_name", "lastname surname familyname last"),
    ("contacts", "title", "jobtitle position role headline"),
    ("contacts", "current_company", "company companyname currentcompany organization organisation employer"),
    ("contacts", "location", "city place"),
    ("contacts", "network_profile", "networkprofile profile profileurl networkurl"),
    ("contacts", "email", "email emailaddress mail workemail"),
    ("contacts", "phone", "phone phonenumber telephone mobile mobilephone"),
    ("contacts", "global_status", "status contactstatus"),
    ("contacts", "contact_type", "type"),
    ("contacts", "summary", "about bio"),
    ("contacts", "years_experience", "yearsofexperience experience"),
    ("contacts", "do_not_contact", "donotcontact optout optedout unsubscribed"),
    ("companies", "name", "companyname company organization organisation accountname"),
    ("companies", "domain", "companydomain domainname companydomainname"),
    ("companies", "website", "websiteurl url web homepage"),
    ("companies", "network_profile", "networkprofile profile profileurl networkurl"),
    ("companies", "industry", "sector branch"),
    ("companies", "employee_count", "employees headcount numberofemployees"),
    ("companies", "size_range", "size companysize"),
    ("companies", "location", "city place"),
    ("companies", "description", "about"),
    ("companies", "email", "emailaddress mail"),
    ("companies", "phone", "phonenumber telephone"),
    ("", "tags", "tag labels"),
    ("", "skills", "skill"),
    ("", "languages", "language"),
];

/// All that a column may stand for: the record's members, those that only a body has, and the workspace's own fields.
pub fn fields<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<&'static Field>, Error> {
    let shown = R::FIELDS.iter().filter(|field| !field.hidden);
    Ok(shown.chain(R::SHORTCUTS).chain(custom::fields::<R>(ctx, tx)?).collect())
}

pub fn targets<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx, options: &Options, layout: &Layout) -> Result<Targets, Error> {
    let fields = fields::<R>(ctx, tx)?;
    let (mut targets, mut problems) = (Vec::new(), Vec::new());
    let mut mapped = |column: &str, member: &Json| {
        let known = member.as_str().and_then(|name| fields.iter().find(|field| field.name == name));
        if known.is_none() && !member.is_null() {
            let taken: Vec<&str> = fields.iter().map(|field| field.name).collect();
            let reason = format!("must be null or one of {}", taken.join(", "));
            problems.push(Problem { field: format!("mapping.{column}"), reason });
        }
        known.map(|field| field.name)
    };
    match layout.format {
        Format::Ndjson => {
            for (column, member) in &options.mapping {
                let member = mapped(column, member).unwrap_or_default();
                targets.push(Some(Target { column: column.clone(), member: member.into() }));
            }
        }
        Format::Csv => {
            let mut unknown = Vec::new();
            for column in &layout.header {
                let member = match options.mapping.get(column) {
                    Some(member) => mapped(column, member),
                    None => by_name(options.collection, &fields, column).or_else(|| {
                        // A column without a name, such as one of line numbers, says nothing.
                        unknown.extend((!column.is_empty()).then_some(column));
                        None
                    }),
                };
                targets.push(member.map(|member| Target { column: column.clone(), member: member.into() }));
            }
            for column in unknown {
                let reason = format!(
                    "the column {column} stands for no member of {}; map it to one, or to null",
                    options.collection.word()
                );
                problems.push(Problem { field: format!("mapping.{column}"), reason });
            }
            for column in options.mapping.keys().filter(|column| !layout.header.contains(column)) {
                let reason = format!("the file has no such column; it has {}", layout.header.join(", "));
                problems.push(Problem { field: format!("mapping.{column}"), reason });
            }
            problems.extend(doubled(&fields, &targets));
        }
    }
    if problems.is_empty() { Ok(targets) } else { Err(Error::Invalid(problems)) }
}

/// Only lists may come from several columns.
fn doubled(fields: &[&'static Field], targets: &Targets) -> Vec<Problem> {
    let list = |member: &str| {
        let field = fields.iter().find(|field| field.name == member);
        field.is_some_and(|field| matches!(field.kind, Kind::Texts | Kind::Labels | Kind::Items(_)))
    };
    let mut problems = Vec::new();
    for (at, target) in targets.iter().enumerate() {
        let Some(target) = target.as_ref().filter(|target| !list(&target.member)) else { continue };
        if targets[..at].iter().flatten().any(|earlier| earlier.member == target.member) {
            let reason = format!("a column before it stands for {} already; map one of them to null", target.member);
            problems.push(Problem { field: format!("mapping.{}", target.column), reason });
        }
    }
    problems
}

fn by_name(collection: Collection, fields: &[&'static Field], column: &str) -> Option<&'static str> {
    let plain = squeezed(column);
    let named = |field: &&&'static Field| {
        field.name == column.to_lowercase()
            || squeezed(field.name) == plain
            || field.custom.is_some_and(|key| squeezed(key) == plain)
    };
    if let Some(field) = fields.iter().find(named) {
        return Some(field.name);
    }
    let known = SYNONYMS.iter().filter(|(of, ..)| of.is_empty() || *of == collection.word());
    let member = known.into_iter().find(|(_, _, words)| words.split(' ').any(|word| word == plain))?.1;
    fields.iter().map(|field| field.name).find(|name| *name == member)
}

/// Letters and digits alone, in lower case.
fn squeezed(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
