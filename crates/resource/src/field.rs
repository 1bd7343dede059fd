//! One field of one resource: everything the machine, the API document and the dashboard know of it.

use crate::{Error, Link, Statements, Time};
use store::{Dialect, Ref, Row};
use uuid::Uuid;

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

/// What a text must look like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    Any,
    Email,
    Phone,
    Url,
    /// The address of a page about a person. It is compared without what people write in different ways (`profile_key`).
    Profile,
    Color,
    /// The name of a machine on the internet, lower-cased.
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
    /// Kept, but not part of the record as others see it.
    pub hidden: bool,
    /// Longest text, or most items of a list.
    pub max: usize,
    /// Longest item of a list of text.
    pub item_max: usize,
    pub least: i64,
    pub most: i64,
    pub format: Format,
    /// JSON of the value that a new record has if none is given.
    pub default: Option<&'static str>,
    pub filter: bool,
    pub sort: bool,
    /// The filter's name where it is not the field's: `emails` is filtered as `email`.
    pub filter_as: Option<&'static str>,
    /// Each value stands in `terms` under this name, and is found there.
    pub term: Option<&'static str>,
    /// Totals per value are kept, not counted.
    pub counted: bool,
    /// The word `all` filters nothing.
    pub all: bool,
    /// `search` looks at it.
    pub search: bool,
    /// Found written together with the field before it, too.
    pub joined: bool,
    /// Records that are equal in all these are alike: they may be one.
    pub alike: bool,
    /// Events of this record also belong to the timeline of the one it names, or of each.
    pub subject: bool,
    /// Not a column: how many records that are not archived name this one, under this name.
    pub count: Option<&'static str>,
    /// The record that this id names shows how many do, under this name.
    pub tallied: Option<&'static str>,
    /// The key of a workspace's own field, which stands in `custom_data`.
    pub custom: Option<&'static str>,
    /// Its column, where that has another name.
    pub stored_as: Option<&'static str>,
    /// No column: its values stand in rows of another table that name the record.
    pub through: Option<Through>,
    /// Tables of other records that decide whether a record passes a test of this field. A remembered total of such a
    /// test holds only until one of them changes.
    pub reads: &'static [&'static str],
}

/// Rows that name a record and hold values for it: `FROM pipeline_entries x`, the record in `x.contact_id`, a value in
/// `x.stage_id`. Both must be led to by an index; the first table is called `x`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Through {
    pub from: &'static str,
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
            reads: &[],
        }
    }
    /// Must be given on creation, and not be empty.
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }
    /// Ours to set; ignored in bodies.
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
    /// The limits and the format that the field of this name has there: they are spelled once.
    pub const fn as_in(mut self, fields: &'static [Field]) -> Self {
        let mut at = 0;
        // A field that is not there ends the compilation.
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
    /// `search=` looks at it. The resource must have `texts`.
    pub const fn search(mut self) -> Self {
        self.search = true;
        self
    }
    /// In scripts without spaces it is also found written together with the field before it, as names are.
    pub const fn joined(mut self) -> Self {
        self.joined = true;
        self
    }
    /// Records that are equal in all fields with this word may be one. The resource must have `texts`.
    pub const fn alike(mut self) -> Self {
        self.alike = true;
        self
    }
    /// What happens to this record is told in the timeline of the one it names, too.
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

    /// Its column has this name: its own is taken.
    pub const fn stored_as(mut self, column: &'static str) -> Self {
        self.stored_as = Some(column);
        self
    }

    /// Its values stand elsewhere.
    pub const fn through(mut self, through: Through) -> Self {
        self.through = Some(through);
        self
    }

    /// Tests of it depend on records of these tables, besides the record's own.
    pub const fn reads(mut self, tables: &'static [&'static str]) -> Self {
        self.reads = tables;
        self
    }

    pub fn column(&self) -> &'static str {
        self.stored_as.unwrap_or(self.name)
    }
    /// The name it is filtered by, if it is.
    pub fn filter_name(&self) -> Option<&'static str> {
        self.filter.then(|| self.filter_as.unwrap_or(self.name))
    }
    /// Has a second column with the folded text, for `ilike`, ranges and sorts.
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
            // Words stand in the order of their meaning.
            (None, Kind::Choice(words)) if self.sort => {
                let places: Vec<String> =
                    words.iter().enumerate().map(|(place, word)| format!("WHEN '{word}' THEN {place}")).collect();
                format!("CAST(CASE t.{} {} END AS BIGINT)", self.column(), places.join(" "))
            }
            (None, _) => format!("t.{}", self.order_column()),
        }
    }
    /// Values in `terms`: the text of an item by its first field, a list's members, or the text itself.
    pub(crate) fn by_digits(&self) -> bool {
        matches!(self.kind, Kind::Items([Field { format: Format::Phone, .. }, ..]))
    }
}

/// Equality of texts where a table is made: a const may not call the usual one.
const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// A b-tree over the workspace, these fields (text folded) and the id, in this order. `archived_at` may follow, so that
/// archived records are passed over without being read; without fields it is made for that alone.
#[derive(Clone, Copy, Debug)]
pub struct Index {
    pub name: &'static str,
    pub fields: &'static [&'static str],
}

/// Which bounds on `updated_at` a collection takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sync {
    None,
    /// `updated_after` alone, inclusive: at least once.
    From,
    /// `updated_after` strict, `updated_before` inclusive.
    Window,
}

/// A table with at most one row per record whose text `search` looks at, too.
#[derive(Clone, Copy, Debug)]
pub struct Beside {
    pub table: &'static str,
    /// The column that names the record.
    pub record: &'static str,
    /// The column with the text; it may be null.
    pub text: &'static str,
}

#[derive(Clone, Copy, Debug)]
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
    /// Its text is indexed by trigrams, for patterns and for `search`.
    pub const fn texts(mut self) -> Self {
        self.texts = true;
        self
    }
    /// More text to search stands in another table; whoever writes there calls `retext`.
    pub const fn beside(mut self, beside: Beside) -> Self {
        self.beside = Some(beside);
        self
    }
    /// Workspaces give it fields of their own, in `custom_data`.
    pub const fn custom(mut self) -> Self {
        self.custom = true;
        self
    }
    /// Always shows these of the records that it names.
    pub const fn links(mut self, links: &'static [Link]) -> Self {
        self.links = links;
        self
    }
    /// Has `archived_at`, and its kept counts are split by it.
    pub const fn archives(mut self) -> Self {
        self.archives = true;
        self
    }
}

pub trait Resource: Sized + Send + 'static {
    const ABOUT: About;
    const FIELDS: &'static [Field];
    fn decode(row: &dyn Row) -> Result<Self, Error>;
    /// Its statements, written down once.
    fn statements() -> &'static Statements;
}

/// A Rust type that a field can have.
pub trait FieldType: Sized {
    const KIND: Kind;
    const NULLABLE: bool = false;
    fn decode(value: Ref<'_>) -> Result<Self, Error>;
}

macro_rules! field_types {
    ($($type:ty, $kind:expr, $decode:expr;)*) => {$(
        impl FieldType for $type {
            const KIND: Kind = $kind;
            fn decode(value: Ref<'_>) -> Result<Self, Error> {
                let decode: fn(Ref<'_>) -> Result<Self, store::Error> = $decode;
                decode(value).map_err(Error::Store)
            }
        }
    )*};
}
field_types! {
    String, Kind::Text, |value| Ok(value.text()?.to_owned());
    i64, Kind::Int, |value| value.int();
    bool, Kind::Bool, |value| value.bool();
    Uuid, Kind::Id, |value| value.id();
    Time, Kind::Time, |value| value.int().map(Time);
    Vec<String>, Kind::Texts, |value| json(value);
    Vec<Uuid>, Kind::Labels, |value| json(value);
    Ids, Kind::Ids, |value| json(value).map(Ids);
    Day, Kind::Date, |value| Ok(Day(value.text()?.to_owned()));
    serde_json::Map<String, serde_json::Value>, Kind::Object, |value| json(value);
}

pub(crate) fn json<T: serde::de::DeserializeOwned>(value: Ref<'_>) -> Result<T, store::Error> {
    serde_json::from_str(value.text()?).map_err(|e| store::Error::Corrupt(e.to_string()))
}

/// A list of ids.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ids(pub Vec<Uuid>);

/// A day, `YYYY-MM-DD`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(pub String);

/// A list of objects shaped like `T`.
pub struct Items<T>(pub Vec<serde_json::Map<String, serde_json::Value>>, std::marker::PhantomData<T>);

impl<T: Resource> FieldType for Items<T> {
    const KIND: Kind = Kind::Items(T::FIELDS);
    fn decode(value: Ref<'_>) -> Result<Self, Error> {
        Ok(Items(json(value)?, std::marker::PhantomData))
    }
}

impl<T: FieldType> FieldType for Option<T> {
    const KIND: Kind = T::KIND;
    const NULLABLE: bool = true;
    fn decode(value: Ref<'_>) -> Result<Self, Error> {
        if value.is_null() { Ok(None) } else { T::decode(value).map(Some) }
    }
}

/// An object shaped like `T`.
pub struct Part<T>(pub serde_json::Map<String, serde_json::Value>, std::marker::PhantomData<T>);

impl<T: Resource> FieldType for Part<T> {
    const KIND: Kind = Kind::Part(T::FIELDS);
    fn decode(value: Ref<'_>) -> Result<Self, Error> {
        Ok(Part(json(value)?, std::marker::PhantomData))
    }
}

/// An enum whose variants are words, which sort in this order: `choices! { Status { New = "new", Old = "old" } }`.
#[macro_export]
macro_rules! choices {
    ($(#[$meta:meta])* $name:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($variant),* }

        impl $name {
            pub const WORDS: &'static [&'static str] = &[$($word),*];
            pub fn word(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some($name::$variant),)* _ => None }
            }
        }

        impl $crate::FieldType for $name {
            const KIND: $crate::Kind = $crate::Kind::Choice(Self::WORDS);
            fn decode(value: ::store::Ref<'_>) -> Result<Self, $crate::Error> {
                let word = value.text()?;
                Self::from_word(word).ok_or_else(|| ::store::Error::Corrupt(format!("{word} is no {}", stringify!($name))).into())
            }
        }
    };
}
