//! One field of a resource, with everything that storage, the API document and the dashboard need to know about it.

use crate::Error;
use crate::control::Control;
use store::{Dialect, Ref};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Text,
    Int,
    Bool,
    Id,
    Time,
    /// A day, `YYYY-MM-DD`.
    Date,
    /// An amount of money.
    Amount,
    /// Any number. Only custom fields have this kind.
    Number,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A list of text, stored as JSON.
    Texts,
    /// A list of objects with these fields, stored as JSON.
    Items(&'static [Field]),
    /// Labels, stored as a JSON list of ids and shown as names.
    Labels,
    /// A list of ids, stored as JSON.
    Ids,
    /// An object of free members, stored as JSON.
    Object,
    /// An object with these fields, stored as JSON.
    Part(&'static [Field]),
}

/// The required format of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    Any,
    Email,
    Phone,
    Url,
    /// The address of a page about a person, compared by its `profile_key` because people write it in different ways.
    Profile,
    Color,
    /// A host name, lower-cased.
    Host,
    /// An ISO 4217 code, upper-cased.
    Currency,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    pub name: &'static str,
    pub doc: &'static str,
    pub kind: Kind,
    pub nullable: bool,
    pub required: bool,
    pub read_only: bool,
    /// Stored, but not part of the record in the API.
    pub hidden: bool,
    /// Most characters of a text, or most items of a list.
    pub max: usize,
    /// Most characters of an item in a list of text.
    pub item_max: usize,
    pub least: i64,
    pub most: i64,
    pub format: Format,
    /// JSON of the value that a new record gets if the body has none.
    pub default: Option<&'static str>,
    pub filter: bool,
    pub sort: bool,
    /// The filter's name if it differs from the field's: `emails` is filtered as `email`.
    pub filter_as: Option<&'static str>,
    /// The name under which `terms` holds each value, for lookups.
    pub term: Option<&'static str>,
    /// Totals per value are stored, not counted on demand.
    pub counted: bool,
    /// The filter value `all` matches every record.
    pub all: bool,
    /// Part of `search`.
    pub search: bool,
    /// `search` also finds it written together with the field before it.
    pub joined: bool,
    /// Records that are equal in all fields with this flag are possible duplicates.
    pub alike: bool,
    /// Events of this record also belong to the timelines of the records that it references.
    pub subject: bool,
    /// Not a column: the number of unarchived records that reference this one, stored under this name.
    pub count: Option<&'static str>,
    /// The referenced record counts these references under this name.
    pub tallied: Option<&'static str>,
    /// The key of a custom field, whose values are in `custom_data`.
    pub custom: Option<&'static str>,
    /// The name of the column if it differs from the field's.
    pub stored_as: Option<&'static str>,
    /// Not a column: its values are in rows of another table that reference the record.
    pub through: Option<Through>,
    /// Not a column: each member has an own value, in rows of another table.
    pub own: Option<Own>,
    /// Tables of other records that decide whether a record matches a filter by this field. A cached total for such a
    /// filter is valid only until one of them changes.
    pub reads: &'static [&'static str],
    /// How forms and tables show it; see `form.rs`.
    pub label: Option<&'static str>,
    pub after: Option<&'static str>,
    pub control: Option<Control>,
    pub unlisted: bool,
    /// Names of it in files of other programs, separated by spaces.
    pub synonyms: &'static str,
}

/// Rows that reference a record and hold values for it: `FROM pipeline_entries x`, the record in `x.contact_id`, a
/// value in `x.stage_id`. Both columns need an index; the first table has the alias `x`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Through {
    pub from: &'static str,
    pub record: &'static str,
    pub value: &'static str,
}

/// Rows that hold a number for a record and a member; without a row it is 0. The key of the table starts with the
/// workspace, the member and the record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Own {
    pub table: &'static str,
    pub member: &'static str,
    pub record: &'static str,
    pub value: &'static str,
}

impl Field {
    pub const fn of<T: FieldType>(name: &'static str, doc: &'static str) -> Self {
        Field {
            name,
            doc,
            kind: T::KIND,
            nullable: T::NULLABLE,
            required: false,
            read_only: false,
            hidden: false,
            max: usize::MAX,
            item_max: usize::MAX,
            least: i64::MIN,
            most: i64::MAX,
            format: Format::Any,
            default: None,
            filter: false,
            sort: false,
            filter_as: None,
            term: None,
            counted: false,
            all: false,
            search: false,
            joined: false,
            alike: false,
            subject: false,
            count: None,
            tallied: None,
            custom: None,
            stored_as: None,
            through: None,
            own: None,
            reads: &[],
            label: None,
            after: None,
            control: None,
            unlisted: false,
            synonyms: "",
        }
    }
    /// Must be present on creation, and not be empty.
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }
    /// Set by the server only; ignored in bodies.
    pub const fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }
    pub const fn hidden(mut self) -> Self {
        self.hidden = true;
        self.read_only = true;
        self
    }
    pub const fn max(mut self, max: usize) -> Self {
        self.max = max;
        self
    }
    pub const fn item_max(mut self, max: usize) -> Self {
        self.item_max = max;
        self
    }
    pub const fn least(mut self, least: i64) -> Self {
        self.least = least;
        self
    }
    pub const fn most(mut self, most: i64) -> Self {
        self.most = most;
        self
    }
    pub const fn format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }
    /// Copies the limits and the format from the field of the same name in another table, so that they are declared
    /// once.
    pub const fn as_in(mut self, fields: &'static [Field]) -> Self {
        let mut at = 0;
        // If there is no such field, the index is out of bounds and compilation fails.
        while !same(fields[at].name.as_bytes(), self.name.as_bytes()) {
            at += 1;
        }
        let other = &fields[at];
        (self.max, self.item_max, self.format) = (other.max, other.item_max, other.format);
        (self.least, self.most) = (other.least, other.most);
        self
    }
    pub const fn default(mut self, json: &'static str) -> Self {
        self.default = Some(json);
        self
    }
    pub const fn filter(mut self) -> Self {
        self.filter = true;
        self
    }
    pub const fn filter_as(mut self, name: &'static str) -> Self {
        self.filter = true;
        self.filter_as = Some(name);
        self
    }
    pub const fn sort(mut self) -> Self {
        self.sort = true;
        self
    }
    pub const fn term(mut self, term: &'static str) -> Self {
        self.term = Some(term);
        self
    }
    pub const fn counted(mut self) -> Self {
        self.counted = true;
        self
    }
    pub const fn all(mut self) -> Self {
        self.all = true;
        self
    }
    /// Part of `search=`. The resource must have `texts`.
    pub const fn search(mut self) -> Self {
        self.search = true;
        self
    }
    /// In scripts without spaces, `search` also finds it written together with the field before it, as in names.
    pub const fn joined(mut self) -> Self {
        self.joined = true;
        self
    }
    /// Records that are equal in all fields with this attribute are possible duplicates. The resource must have
    /// `texts`.
    pub const fn alike(mut self) -> Self {
        self.alike = true;
        self
    }
    /// Events of this record also belong to the timeline of the record that it references.
    pub const fn subject(mut self) -> Self {
        self.subject = true;
        self
    }

    pub const fn count(mut self, name: &'static str) -> Self {
        self.count = Some(name);
        self.read_only = true;
        self
    }
    pub const fn tallied(mut self, name: &'static str) -> Self {
        self.tallied = Some(name);
        self
    }

    /// Names the column, where the field's own name is already in use.
    pub const fn stored_as(mut self, column: &'static str) -> Self {
        self.stored_as = Some(column);
        self
    }

    /// Reads its values from rows of another table.
    pub const fn through(mut self, through: Through) -> Self {
        self.through = Some(through);
        self
    }

    /// Reads a number that each member has of their own. In the record itself it is 0.
    pub const fn own(mut self, own: Own) -> Self {
        self.own = Some(own);
        self.read_only = true;
        self
    }

    /// Declares the tables of other records that filters by this field depend on.
    pub const fn reads(mut self, tables: &'static [&'static str]) -> Self {
        self.reads = tables;
        self
    }

    /// Whether the table of the record has a column for it.
    pub fn is_column(&self) -> bool {
        self.count.is_none() && self.own.is_none()
    }
    pub fn column(&self) -> &'static str {
        self.stored_as.unwrap_or(self.name)
    }
    /// The name of its filter, if it has one.
    pub fn filter_name(&self) -> Option<&'static str> {
        self.filter.then(|| self.filter_as.unwrap_or(self.name))
    }
    /// Whether a second column holds the folded text, for `ilike`, ranges and sorts.
    pub fn folded(&self) -> bool {
        match self.kind {
            Kind::Text => self.filter || self.sort,
            Kind::Object => self.term.is_some(),
            _ => false,
        }
    }
    /// The column that ranges and sorts use.
    pub fn order_column(&self) -> String {
        if self.folded() { format!("{}_fold", self.column()) } else { self.column().to_owned() }
    }
    /// The value as it was given, in the row `t`.
    pub(crate) fn exact(&self, dialect: Dialect) -> String {
        match self.custom {
            Some(key) => dialect.member("t.custom_data", key),
            None => format!("t.{}", self.column()),
        }
    }
    /// The value as ranges and sorts compare it, in the row `t`.
    pub(crate) fn order(&self, dialect: Dialect) -> String {
        match (self.custom, self.kind) {
            (Some(key), _) => dialect.member("t.custom_data_fold", key),
            // Choices sort in the order of their declaration, not alphabetically.
            (None, Kind::Choice(words)) if self.sort => {
                let places: Vec<String> =
                    words.iter().enumerate().map(|(place, word)| format!("WHEN '{word}' THEN {place}")).collect();
                format!("CAST(CASE t.{} {} END AS BIGINT)", self.column(), places.join(" "))
            }
            (None, _) => format!("t.{}", self.order_column()),
        }
    }
    /// Whether its keys in `terms` are the digits of phone numbers.
    pub(crate) fn by_digits(&self) -> bool {
        matches!(self.kind, Kind::Items([Field { format: Format::Phone, .. }, ..]))
    }
}

/// Compares texts in a const context, where `==` is not available.
const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// A Rust type that a field can have.
pub trait FieldType: Sized {
    const KIND: Kind;
    const NULLABLE: bool = false;
    fn decode(value: Ref<'_>) -> Result<Self, Error>;
}

/// An enum of words, as `choices!` declares.
pub trait Choice: FieldType {
    fn stored(self) -> &'static str;
}
