//! What a resource declares about itself besides its fields: its table, its indexes, and the records that it shows.

use crate::columns::shown;
use crate::found::Found;
use crate::{Ctx, Error, Field, Need, Statements};
use store::{Row, Tx};

/// A part of a referenced record that a record shows, such as the name of a company next to its id.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// The member that contains the linked record.
    pub name: &'static str,
    /// The field with the id, or with a list of ids, of the linked record.
    pub by: &'static str,
    pub(crate) table: &'static str,
    /// The fields to show; the first one is the id.
    pub fields: &'static [Field],
}

impl Link {
    /// `R` may be a part of a resource: a struct of some of its fields, over the same table.
    pub const fn to<R: Resource>(name: &'static str, by: &'static str) -> Link {
        Link { name, by, table: R::ABOUT.table, fields: R::FIELDS }
    }

    /// The position of the referencing field among the shown fields.
    pub(crate) fn place(&self, fields: &'static [Field]) -> Option<(usize, &'static Field)> {
        shown(fields).enumerate().find(|(_, field)| field.name == self.by)
    }
}

/// A b-tree over the workspace, these fields (text folded) and the id, in this order. `archived_at` may follow, so that
/// a scan can skip archived records without reading them; an index without fields exists for that alone.
#[derive(Clone, Copy, Debug)]
pub struct Index {
    pub name: &'static str,
    pub fields: &'static [&'static str],
}

/// The bounds on `updated_at` that a list accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sync {
    None,
    /// Only `updated_after`, inclusive: a client sees each change at least once.
    From,
    /// `updated_after` strict, `updated_before` inclusive.
    Window,
}

/// A table with at most one row per record whose text `search` covers, too.
#[derive(Clone, Copy, Debug)]
pub struct Beside {
    pub table: &'static str,
    /// The column with the id of the record.
    pub record: &'static str,
    /// The column with the text; it may be null.
    pub text: &'static str,
}

/// Records that are found by the text of others that reference them.
#[derive(Clone, Copy)]
pub struct FoundIn {
    /// The column of the others with the id of the record.
    pub(crate) record: &'static str,
    /// Resolves a search in the text of the others.
    pub(crate) resolve: fn(&Ctx, &mut dyn Tx, &Need) -> Result<Found, Error>,
}

#[derive(Clone, Copy)]
pub struct About {
    pub name: &'static str,
    pub doc: &'static str,
    pub table: &'static str,
    /// `contact` in `contact.updated`.
    pub one: &'static str,
    pub indexes: &'static [Index],
    pub sync: Sync,
    pub created_bounds: bool,
    pub default_sort: &'static str,
    pub archives: bool,
    pub texts: bool,
    /// The table with its text index.
    pub texts_table: &'static str,
    pub found_in: Option<FoundIn>,
    pub beside: Option<Beside>,
    pub custom: bool,
    pub links: &'static [Link],
}

impl About {
    pub const fn new(name: &'static str, doc: &'static str) -> Self {
        About {
            name,
            doc,
            table: "",
            one: "",
            indexes: &[],
            sync: Sync::None,
            created_bounds: false,
            default_sort: "-created_at",
            archives: false,
            texts: false,
            texts_table: "texts",
            found_in: None,
            beside: None,
            custom: false,
            links: &[],
        }
    }
    pub const fn table(mut self, table: &'static str) -> Self {
        self.table = table;
        self
    }
    pub const fn one(mut self, one: &'static str) -> Self {
        self.one = one;
        self
    }
    pub const fn indexes(mut self, indexes: &'static [Index]) -> Self {
        self.indexes = indexes;
        self
    }
    pub const fn sync(mut self, sync: Sync) -> Self {
        self.sync = sync;
        self
    }
    /// Takes `created_after` (inclusive) and `created_before` (exclusive).
    pub const fn created_bounds(mut self) -> Self {
        self.created_bounds = true;
        self
    }
    pub const fn default_sort(mut self, sort: &'static str) -> Self {
        self.default_sort = sort;
        self
    }
    /// Its text has a trigram index, for patterns and for `search`.
    pub const fn texts(mut self) -> Self {
        self.texts = true;
        self
    }
    /// Its text has an index of its own in this table, apart from the others, because it is much longer than theirs.
    pub const fn texts_in(mut self, table: &'static str) -> Self {
        self.texts = true;
        self.texts_table = table;
        self
    }
    /// `search` finds it by the text of other records.
    pub const fn found_in(mut self, found_in: FoundIn) -> Self {
        self.found_in = Some(found_in);
        self
    }
    /// Whether its list takes `search`.
    pub fn searches(&self, fields: &[Field]) -> bool {
        self.found_in.is_some() || fields.iter().any(|field| field.search)
    }
    /// Adds searchable text from another table. Code that writes there must call `retext`.
    pub const fn beside(mut self, beside: Beside) -> Self {
        self.beside = Some(beside);
        self
    }
    /// Workspaces can define fields for it, stored in `custom_data`.
    pub const fn custom(mut self) -> Self {
        self.custom = true;
        self
    }
    /// Every response includes these linked records.
    pub const fn links(mut self, links: &'static [Link]) -> Self {
        self.links = links;
        self
    }
    /// Has `archived_at`; its stored totals are split by it.
    pub const fn archives(mut self) -> Self {
        self.archives = true;
        self
    }
}

pub trait Resource: Sized + Send + 'static {
    const ABOUT: About;
    const FIELDS: &'static [Field];
    fn decode(row: &dyn Row) -> Result<Self, Error>;
    /// Its SQL statements, built once.
    fn statements() -> &'static Statements;
}
