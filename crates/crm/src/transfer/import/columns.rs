//! The members of the columns of a file: by the given mapping, else by their names.

use super::{FileMembers, Options};
use crate::api::effects::Format;
use crate::records::collection::{Collected, Collection};
use crate::records::company::Company;
use crate::records::contact::Contact;
use crate::transfer::tabular::{Layout, Target, Targets};
use resource::{Ctx, Error, Field, Kind, Problem, Resource, custom, plain};
use serde_json::{Map, Value as Json};
use store::Tx;

/// The members by which a row can find the record to change.
pub(super) fn matches(collection: Collection) -> &'static [&'static str] {
    match collection {
        Collection::Contacts => &["id", "email", "network_profile"],
        Collection::Companies => &["id", "domain", "name"],
    }
}

/// Times that only an import can set on a new record, so that an export can be imported without loss.
pub(super) const TIMES: [&str; 2] = ["archived_at", "last_contacted_at"];

/// Most characters of a list of column names in one reason.
const LISTED: usize = 1000;

/// Words before the name of a member in files of other systems, such as `Person - Email`.
const PREFIXES: &[&str] =
    &["person", "contact", "candidate", "lead", "organization", "organisation", "company", "account"];

/// All possible members of a column: the record's members, those that only a body has, and custom fields.
pub struct Members {
    pub fields: Vec<&'static Field>,
    /// The labels of custom fields, in the form of `squeezed`, and their members.
    labels: Vec<(String, &'static str)>,
}

impl Members {
    pub fn of(ctx: &Ctx, tx: &mut dyn Tx, collection: Collection) -> Result<Members, Error> {
        match collection {
            Collection::Contacts => Members::of_records::<Contact>(ctx, tx),
            Collection::Companies => Members::of_records::<Company>(ctx, tx),
        }
    }

    fn of_records<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Members, Error> {
        let defined = custom::definitions(ctx, tx, R::ABOUT.one)?;
        let own = || defined.iter().map(|definition| (definition, definition.field(R::ABOUT.one)));
        let shown = R::FIELDS.iter().filter(|field| !field.hidden);
        let of_files = if R::ABOUT.one == Contact::ABOUT.one { FileMembers::FIELDS } else { &[] };
        let fields = shown.chain(R::SHORTCUTS).chain(of_files).chain(own().map(|(_, field)| field)).collect();
        let labels = own().map(|(definition, field)| (squeezed(&definition.label), field.name)).collect();
        Ok(Members { fields, labels })
    }

    /// The members that an import stores; other read-only ones are ignored, as in a body.
    pub fn stored(&self) -> impl Iterator<Item = &'static str> {
        let is_stored = |field: &&&'static Field| !field.read_only || field.name == "id" || TIMES.contains(&field.name);
        self.fields.iter().filter(is_stored).map(|field| field.name)
    }

    /// The member of a column with this name. If none is known by it, a word before it (`Person - Email`), a number
    /// (`Email 2`) and `Value` at its end (`E-mail 1 - Value`) are left out.
    pub fn by_name(&self, column: &str) -> Option<&'static str> {
        let plain = squeezed(column);
        if let Some(member) = self.by_exact_name(column, &plain) {
            return Some(member);
        }
        let unnumbered: String = plain.chars().filter(|c| !c.is_ascii_digit()).collect();
        let short = unnumbered.strip_suffix("value").unwrap_or(&unnumbered);
        let without_prefix = PREFIXES.iter().find_map(|prefix| short.strip_prefix(prefix));
        let known = |name: &str| (!name.is_empty()).then(|| self.by_exact_name(name, name)).flatten();
        // Another system's id is not one of ours.
        known(short).or_else(|| without_prefix.and_then(known)).filter(|member| *member != "id")
    }

    fn by_exact_name(&self, column: &str, plain: &str) -> Option<&'static str> {
        let lower = column.to_lowercase();
        let is_named = |field: &&&'static Field| {
            field.name == lower
                || squeezed(field.name) == plain
                || field.custom.is_some_and(|key| squeezed(key) == plain)
        };
        if let Some(field) = self.fields.iter().find(is_named) {
            return Some(field.name);
        }
        let is_synonym = |field: &&&'static Field| field.synonyms.split_whitespace().any(|word| word == plain);
        let member = self.fields.iter().find(is_synonym).filter(|_| !plain.is_empty());
        let labelled = || self.labels.iter().find(|(label, _)| label == plain && !plain.is_empty());
        member.map(|field| field.name).or_else(|| labelled().map(|(_, member)| *member))
    }

    fn is_list(&self, member: &str) -> bool {
        let field = self.fields.iter().find(|field| field.name == member);
        field.is_some_and(|field| matches!(field.kind, Kind::Texts | Kind::Labels | Kind::Items(_)))
    }

    /// The members of columns that the mapping does not name, by their names and by the other columns: `None` if a column
    /// is not recognised. A second address goes to the list of addresses.
    fn proposed(&self, header: &[String], mapping: &Map<String, Json>) -> Vec<Option<&'static str>> {
        let named: Vec<Option<&'static str>> = header
            .iter()
            .map(|column| if mapping.contains_key(column) { None } else { self.by_name(column) })
            .collect();
        let mut taken: Vec<&str> = mapping.values().filter_map(Json::as_str).collect();
        let has = |member: &str| taken.contains(&member) || named.contains(&Some(member));
        // `First name, Name`: the name is the last name.
        let is_last_name = has("first_name") && !has("last_name");
        // `Title, Job title`: the title is `Dr.`.
        let is_job = |column: &String| self.by_name(column) == Some("title") && squeezed(column) != "title";
        let has_job = header.iter().any(is_job);
        let mut proposed = Vec::new();
        for (column, member) in header.iter().zip(named) {
            let plain = squeezed(column);
            let member = match member {
                Some("full_name") if plain == "name" && is_last_name => Some("last_name"),
                Some("title") if plain == "title" && has_job => None,
                other => other,
            };
            let many =
                |member: &str| self.fields.iter().map(|field| field.name).find(|name| *name == format!("{member}s"));
            let member = member.and_then(|member| match taken.contains(&member) && !self.is_list(member) {
                true => many(member).filter(|many| self.is_list(many)),
                false => Some(member),
            });
            taken.extend(member);
            proposed.push(member);
        }
        proposed
    }
}

/// The members of the columns of a file.
pub(super) struct Assigned {
    pub targets: Targets,
    /// Columns that are not recognised.
    pub ignored: Vec<String>,
    /// Why an import is rejected.
    pub problems: Vec<Problem>,
}

pub(super) fn targets(members: &Members, options: &Options, layout: &Layout) -> Assigned {
    let (mut targets, mut ignored, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    let mut mapped = |column: &str, member: &Json| {
        let known = member.as_str().and_then(|name| members.fields.iter().find(|field| field.name == name));
        if known.is_none() && !member.is_null() {
            let taken: Vec<&str> = members.fields.iter().map(|field| field.name).collect();
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
            let proposed = members.proposed(&layout.header, &options.mapping);
            for (column, proposed) in layout.header.iter().zip(proposed) {
                let member = match options.mapping.get(column) {
                    Some(member) => mapped(column, member),
                    None => proposed.or_else(|| {
                        // A column without a name, such as line numbers, holds nothing that anybody misses.
                        ignored.extend((!column.is_empty()).then(|| column.clone()));
                        None
                    }),
                };
                targets.push(member.map(|member| Target { column: column.clone(), member: member.into() }));
            }
            for column in ignored.iter().filter(|_| options.strict) {
                let reason = format!(
                    "the column {column} stands for no member of {}; map it to one, or to null",
                    options.collection.word()
                );
                problems.push(Problem { field: format!("mapping.{column}"), reason });
            }
            let names = shortened(layout.header.join(", "));
            for column in options.mapping.keys().filter(|column| !layout.header.contains(column)) {
                let reason = format!("the file has no such column; it has {names}");
                problems.push(Problem { field: format!("mapping.{column}"), reason });
            }
            problems.extend(doubled(members, &targets));
        }
    }
    Assigned { targets, ignored, problems }
}

fn shortened(names: String) -> String {
    match names.char_indices().nth(LISTED) {
        Some((end, _)) => format!("{} …", &names[..end]),
        None => names,
    }
}

/// Only lists may have several columns.
fn doubled(members: &Members, targets: &Targets) -> Vec<Problem> {
    let list = |member: &str| members.is_list(member);
    let mut problems = Vec::new();
    for (at, target) in targets.iter().enumerate() {
        let Some(target) = target.as_ref().filter(|target| !list(&target.member)) else { continue };
        if targets[..at].iter().flatten().any(|earlier| earlier.member == target.member) {
            let (member, many) = (&target.member, format!("{}s", target.member));
            let way_out = if list(&many) { format!("{many}, which takes several, or to null") } else { "null".into() };
            let reason = format!("a column before it stands for {member} already; map one of them to {way_out}");
            problems.push(Problem { field: format!("mapping.{}", target.column), reason });
        }
    }
    problems
}

/// Only letters and digits, in lower case and without accents.
fn squeezed(name: &str) -> String {
    plain(name).chars().filter(|c| c.is_alphanumeric()).collect()
}
