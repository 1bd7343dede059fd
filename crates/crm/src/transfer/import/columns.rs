//! The members of the columns of a file: by the given mapping, else by their names.

use super::Options;
use crate::api::effects::Format;
use crate::records::collection::{Collected, Collection};
use crate::records::company::Company;
use crate::records::contact::Contact;
use crate::transfer::tabular::{Layout, Target, Targets};
use resource::{Ctx, Error, Field, Kind, Problem, custom, plain};
use serde_json::Value as Json;
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
        let fields = shown.chain(R::SHORTCUTS).chain(own().map(|(_, field)| field)).collect();
        let labels = own().map(|(definition, field)| (squeezed(&definition.label), field.name)).collect();
        Ok(Members { fields, labels })
    }

    /// The members that an import stores; other read-only ones are ignored, as in a body.
    pub fn stored(&self) -> impl Iterator<Item = &'static str> {
        let is_stored = |field: &&&'static Field| !field.read_only || field.name == "id" || TIMES.contains(&field.name);
        self.fields.iter().filter(is_stored).map(|field| field.name)
    }

    /// The member of a column with this name.
    pub fn by_name(&self, column: &str) -> Option<&'static str> {
        let (lower, plain) = (column.to_lowercase(), squeezed(column));
        let is_named = |field: &&&'static Field| {
            field.name == lower
                || squeezed(field.name) == plain
                || field.custom.is_some_and(|key| squeezed(key) == plain)
        };
        if let Some(field) = self.fields.iter().find(is_named) {
            return Some(field.name);
        }
        let is_synonym = |field: &&&'static Field| field.synonyms.split(' ').any(|word| word == plain);
        let member = self.fields.iter().find(is_synonym).filter(|_| !plain.is_empty());
        let labelled = || self.labels.iter().find(|(label, _)| *label == plain && !plain.is_empty());
        member.map(|field| field.name).or_else(|| labelled().map(|(_, member)| *member))
    }
}

/// The members of the columns of a file, and the problems for which an import is rejected.
pub(super) fn targets(members: &Members, options: &Options, layout: &Layout) -> (Targets, Vec<Problem>) {
    let (mut targets, mut problems) = (Vec::new(), Vec::new());
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
            let mut unknown = Vec::new();
            for column in &layout.header {
                let member = match options.mapping.get(column) {
                    Some(member) => mapped(column, member),
                    None => members.by_name(column).or_else(|| {
                        // A column without a name, such as line numbers, is ignored.
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
            let names = shortened(layout.header.join(", "));
            for column in options.mapping.keys().filter(|column| !layout.header.contains(column)) {
                let reason = format!("the file has no such column; it has {names}");
                problems.push(Problem { field: format!("mapping.{column}"), reason });
            }
            problems.extend(doubled(&members.fields, &targets));
        }
    }
    (targets, problems)
}

fn shortened(names: String) -> String {
    match names.char_indices().nth(LISTED) {
        Some((end, _)) => format!("{} …", &names[..end]),
        None => names,
    }
}

/// Only lists may have several columns.
fn doubled(fields: &[&'static Field], targets: &Targets) -> Vec<Problem> {
    let list = |member: &str| {
        let field = fields.iter().find(|field| field.name == member);
        field.is_some_and(|field| matches!(field.kind, Kind::Texts | Kind::Labels | Kind::Items(_)))
    };
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
