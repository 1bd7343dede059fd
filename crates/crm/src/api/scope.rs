//! Permissions: the 27 scopes of a key and 5 bundles of them, the features of a plan, the roles of members.

use resource::{Error, invalid, nearest};

/// A set of scopes, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Scopes(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope(u32);

macro_rules! scopes {
    ($($constant:ident = $name:literal, $grants:literal;)*) => {
        /// In the order of the specification; the index of a scope is its bit.
        pub const NAMES: &[&str] = &[$($name),*];
        /// What each scope permits.
        pub const GRANTS: &[&str] = &[$($grants),*];
        scopes!(@ 0; $($constant)*);
    };
    (@ $at:expr; $constant:ident $($rest:ident)*) => {
        pub const $constant: Scope = Scope($at);
        scopes!(@ $at + 1; $($rest)*);
    };
    (@ $at:expr;) => {};
}
scopes! {
    CONTACTS_READ = "contacts:read", "list and view contacts";
    CONTACTS_WRITE = "contacts:write", "create and update contacts";
    CONTACTS_DELETE = "contacts:delete", "archive contacts, and erase them for good";
    COMPANIES_READ = "companies:read", "list and view companies";
    COMPANIES_WRITE = "companies:write", "create and update companies";
    COMPANIES_DELETE = "companies:delete", "archive companies, and erase them for good";
    DEALS_READ = "deals:read", "list and view deals and pipelines";
    DEALS_WRITE = "deals:write", "create, update, close and reopen deals";
    DEALS_DELETE = "deals:delete", "archive deals";
    NOTES_READ = "notes:read", "list and view notes";
    NOTES_WRITE = "notes:write", "create and update notes";
    TAGS_READ = "tags:read", "list tags";
    TAGS_WRITE = "tags:write", "create and manage tags";
    TASKS_READ = "tasks:read", "list and view tasks";
    TASKS_WRITE = "tasks:write", "create, update and delete tasks";
    ENRICHMENT_READ = "enrichment:read", "view enrichment request status";
    ENRICHMENT_WRITE = "enrichment:write", "trigger contact enrichment";
    MESSAGES_READ = "messages:read", "list conversations and messages";
    MESSAGES_WRITE = "messages:write", "send messages";
    PROJECTS_READ = "projects:read", "list and view projects";
    PROJECTS_WRITE = "projects:write", "create and update projects";
    PIPELINE_READ = "pipeline:read", "view pipeline entries";
    PIPELINE_WRITE = "pipeline:write", "add and move candidates in pipelines";
    SEQUENCES_READ = "sequences:read", "list sequences and enrollments";
    SEQUENCES_WRITE = "sequences:write", "create, change, start and pause sequences; enroll and unenroll contacts";
    SOURCING_READ = "sourcing:read", "search for candidates";
    SOURCING_WRITE = "sourcing:write", "add profiles to projects";
}

/// Bundles: name, description, and the areas whose scopes a bundle contains.
pub const BUNDLES: &[(&str, &str, &[&str])] = &[
    ("full_access", "everything", &[""]),
    ("read_only", "read everything, change nothing", &[":read"]),
    ("crm", "companies, deals, contacts, notes and tags", &["companies:", "deals:", "contacts:", "notes:", "tags:"]),
    (
        "automation",
        "sequences, contacts, pipelines, enrichment and tasks",
        &["sequences:", "contacts:", "pipeline:", "enrichment:", "tasks:"],
    ),
    ("sourcing", "contacts, projects, pipelines and sourcing", &["contacts:", "projects:", "pipeline:", "sourcing:"]),
];

impl Scope {
    pub fn name(self) -> &'static str {
        NAMES[self.0 as usize]
    }
}

impl Scopes {
    pub fn has(self, scope: Scope) -> bool {
        self.0 & (1 << scope.0) != 0
    }

    pub fn require(self, scope: Scope) -> Result<(), Error> {
        if self.has(scope) { Ok(()) } else { Err(Error::Scope(scope.name())) }
    }

    /// Requires at least one `*:read` scope.
    pub fn require_any_read(self) -> Result<(), Error> {
        let any = self.names().iter().any(|name| name.ends_with(":read"));
        if any { Ok(()) } else { Err(Error::Scope("contacts:read, or any other :read scope")) }
    }

    /// Parses names of scopes and bundles, separated by commas, in any combination.
    pub fn parse(words: &str) -> Result<Scopes, Error> {
        let (mut set, mut unknown) = (0, Vec::new());
        for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let bundle = BUNDLES.iter().find(|(name, ..)| *name == word).map(|(.., areas)| *areas);
            let before = set;
            for (bit, name) in NAMES.iter().enumerate() {
                let held =
                    bundle.is_some_and(|areas| areas.iter().any(|area| name.starts_with(area) || name.ends_with(area)));
                if *name == word || held {
                    set |= 1 << bit;
                }
            }
            if bundle.is_none() && !NAMES.contains(&word) {
                unknown.push(word);
            }
            debug_assert!(set != 0 || before == 0);
        }
        if !unknown.is_empty() {
            return Err(invalid("scopes", unknown_words(&unknown)));
        }
        if set == 0 { Err(invalid("scopes", "must name at least one scope or bundle")) } else { Ok(Scopes(set)) }
    }

    pub fn names(self) -> Vec<&'static str> {
        NAMES.iter().enumerate().filter(|(bit, _)| self.0 & (1 << bit) != 0).map(|(_, name)| *name).collect()
    }
}

fn unknown_words(words: &[&str]) -> String {
    let bundles: Vec<&str> = BUNDLES.iter().map(|(name, ..)| *name).collect();
    let known = [&bundles[..], NAMES].concat();
    let shown = words.iter().take(20).map(|word| match nearest(word, &known) {
        Some(near) => format!("{word} (did you mean {near}?)"),
        None => (*word).to_owned(),
    });
    let (shown, are) = (shown.collect::<Vec<_>>().join(", "), if words.len() == 1 { "is" } else { "are" });
    format!("{shown} {are} neither a bundle ({}) nor a scope ({})", bundles.join(", "), NAMES.join(", "))
}

/// From the smallest to the largest.
pub const PLANS: &[&str] = &["starter", "growth", "scale"];

/// Features by the first plan that includes them; each plan includes those of the plans before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    Records,
    Outreach,
    Sourcing,
}

impl Feature {
    pub fn in_plan(self, plan: &str) -> bool {
        PLANS.iter().position(|known| *known == plan).is_some_and(|at| at >= self as usize)
    }
    pub fn plan(self) -> &'static str {
        PLANS[self as usize]
    }
}

resource::choices! {
    /// From the most to the least privileged.
    Role { Owner = "owner", Admin = "admin", Member = "member" }
}

impl Role {
    /// Whether it is at least as privileged as `least`.
    pub fn is(self, least: Role) -> bool {
        self as u8 <= least as u8
    }

    /// Whether it may grant or revoke this role: only owners manage owners.
    pub fn manages(self, role: Role) -> bool {
        self.is(if role == Role::Owner { Role::Owner } else { Role::Admin })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bundles_have_the_scopes_of_the_specification() {
        let count = |words: &str| Scopes::parse(words).expect("known words").names().len();
        assert_eq!(NAMES.len(), 27);
        assert_eq!(count("full_access"), 27);
        assert_eq!(count("read_only"), 12);
        assert_eq!(count("crm"), 13);
        assert_eq!(count("automation"), 11);
        assert_eq!(count("sourcing"), 9);
        let crm = Scopes::parse("crm").expect("known");
        assert!(crm.has(DEALS_DELETE) && crm.has(TAGS_WRITE) && !crm.has(TASKS_READ));
        assert!(!Scopes::parse("contacts:write").expect("known").has(CONTACTS_READ));
        assert_eq!(count("read_only, contacts:write"), 13);
        assert!(Scopes::parse("contacts:admin").is_err());
        assert!(Scopes::parse("").is_err());
    }
}
