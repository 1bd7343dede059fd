//! Resources in general, knowing none by name: a table of fields, and the machine that walks it
//! for bodies, filters, sorts, pages, saves and the API document.

extern crate self as resource;

mod amount;
mod changes;
mod ctx;
pub mod custom;
pub mod derived;
mod error;
mod field;
mod filter;
mod fold;
mod kept;
mod labels;
mod link;
mod list;
mod memory;
mod merge;
mod prefix;
mod query;
mod render;
mod save;
mod schema;
mod search;
mod sql;
mod statements;
mod texts;
mod time;

pub use amount::{Amount, digits as amount_digits};
pub use changes::{Changes, Input, Shape, checked, is_currency, nearest, object, tidy, within};
pub use ctx::{Actor, Ctx};
pub use derive::Resource;
pub use error::{Error, Problem, TOLD, invalid, not_found, seconds_of};
pub use field::{About, Beside, Day, Field, FieldType, Format, Ids, Index, Items, Kind, Part, Resource, Sync, Through};
pub use filter::{Cond, Op, Test};
pub use fold::{digits, fold, like_digits, plain, profile_key};
pub use kept::{Kept, among, by_keys};
pub use labels::{DETACH, LABELS, Labels, MERGE, merged_pair, merging};
pub use link::{Link, linked};
pub use list::{Page, Position, list, list_with};
pub use memory::Memory;
pub use merge::{
    Merged, Reverted, all_of, carry_out, kept, merge, redirect_back, reinstate, revert, row, stored, survivor,
    values_of,
};
pub use query::{Paging, Query};
pub use render::{Rendered, columns, record, render, render_with, write_value};
pub use save::{
    Saved, create, delete, event, event_about, find, insert, insert_among, term_keys, told, update, update_as, updated,
    version_of,
};
pub use schema::{filters_of, input_schema, record_schema, sorts_of};
pub use search::{Need, search, search_fields, unspaced};
pub use sql::{look, text_key};
pub use statements::Statements;
pub use texts::{Midway, index, retext};
pub use time::Time;
