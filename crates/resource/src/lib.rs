//! Generic resources: a table of fields, and the code that uses it for bodies, filters, sorts, pages, writes and the
//! API document.

extern crate self as resource;

mod about;
mod amount;
mod batch;
mod changes;
mod column;
mod columns;
mod conditions;
mod control;
mod ctx;
pub mod custom;
mod definition;
pub mod derived;
mod error;
mod events;
mod field;
mod field_type;
mod filter;
mod fold;
mod form;
mod found;
mod json_body;
mod json_value;
mod label_filters;
mod labels;
mod list;
mod memory;
mod merge;
mod merged_filters;
mod merged_ids;
mod need;
mod patterns;
mod prefix;
mod query;
mod render;
mod save;
mod schema;
mod search;
mod sql;
mod statements;
mod stored;
mod terms;
mod texts;
mod time;
mod words;

pub use about::{About, Beside, FoundIn, Index, Link, Resource, Sync};
pub use amount::{Amount, digits as amount_digits};
pub use batch::{Batch, among, by_keys, by_many_keys};
pub use changes::{Changes, Input, Shape, checked, is_currency, nearest, tidy, within};
pub use column::{Column, Fits};
pub use columns::columns;
pub use control::Control;
pub use ctx::{Actor, Ctx};
pub use derive::Resource;
pub use derived::damaged;
pub use error::{Error, MAX_PROBLEMS, Problem, invalid, not_found, seconds_of};
pub use events::{api_json, event, event_about};
pub use field::{Choice, Field, FieldType, Format, Kind, Own, Through};
pub use field_type::{Day, Ids, Items, Part};
pub use filter::{Cond, Op, Test};
pub use fold::{digits, fold, like_digits, plain, profile_key};
pub use form::listed;
pub use json_body::object;
pub use json_value::write_value;
pub use labels::{DETACH, LABELS, Labels, MERGE, merged_pair, merging};
pub use list::{Page, Position, list, list_with};
pub use memory::Memory;
pub use merge::{
    Merged, Reverted, carry_out, merge, redirect_back, reinstate, revert, row, snapshot, stored, values_of,
};
pub use merged_ids::{all_of, survivor};
pub use need::Need;
pub use query::{Paging, Query};
pub use render::{Rendered, linked, own_of, record, render, render_with};
pub use save::{
    Saved, create, decoded, delete, erase, find, insert, insert_among, term_keys, update, update_as, updated,
    version_of,
};
pub use schema::{filters_of, input_schema, record_schema, sorts_of};
pub use search::{search, search_fields};
pub use sql::{each_test, text_key};
pub use statements::Statements;
pub use stored::{Place, StoredRow, place};
pub use texts::{Midway, forget_text, index, retext};
pub use time::Time;
pub use words::unspaced;
