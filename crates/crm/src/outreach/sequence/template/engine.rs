//! The template engine with the filters and tests that templates can use.

use super::values::{HTML, is_missing};
use minijinja::value::Rest;
use minijinja::{AutoEscape, Environment, State, UndefinedBehavior, Value, filters, tests as jinja_tests};
use std::sync::LazyLock;

/// Most instructions. A template within the limits of its source has far fewer.
pub(super) const FUEL: u64 = 200_000;

pub const FILTERS: &[&str] = &[
    "abs",
    "capitalize",
    "count",
    "d",
    "default",
    "first",
    "float",
    "int",
    "join",
    "last",
    "length",
    "lower",
    "round",
    "title",
    "trim",
    "upper",
];
/// Filters of Jinja that are refused; some make large texts from small ones.
pub(super) const REFUSED: &[&str] = &[
    "attr",
    "batch",
    "bool",
    "chain",
    "dictsort",
    "e",
    "escape",
    "format",
    "groupby",
    "indent",
    "items",
    "lines",
    "list",
    "map",
    "max",
    "min",
    "pprint",
    "reject",
    "rejectattr",
    "replace",
    "reverse",
    "safe",
    "select",
    "selectattr",
    "slice",
    "sort",
    "split",
    "string",
    "sum",
    "tojson",
    "truncate",
    "unique",
    "urlencode",
    "wordwrap",
    "zip",
    "center",
];
pub const TESTS: &[&str] = &[
    "boolean",
    "defined",
    "endingwith",
    "eq",
    "even",
    "false",
    "ge",
    "gt",
    "in",
    "integer",
    "le",
    "lt",
    "ne",
    "none",
    "number",
    "odd",
    "startingwith",
    "string",
    "true",
    "undefined",
];

pub(super) static JINJA: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut jinja = Environment::empty();
    // A missing value can be tested and have a fallback, but can't be rendered.
    jinja.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    jinja.set_auto_escape_callback(|name| if name == HTML { AutoEscape::Html } else { AutoEscape::None });
    jinja.set_formatter(minijinja::escape_formatter);
    jinja.set_fuel(Some(FUEL));
    for name in ["default", "d"] {
        jinja.add_filter(name, |state: &State, value: Value, args: Rest<Value>| {
            filters::default(state, &if is_missing(&value) { Value::UNDEFINED } else { value }, args)
        });
    }
    jinja.add_filter("abs", filters::abs);
    jinja.add_filter("capitalize", filters::capitalize);
    jinja.add_filter("count", filters::length);
    jinja.add_filter("first", filters::first);
    jinja.add_filter("float", filters::float);
    jinja.add_filter("int", filters::int);
    jinja.add_filter("join", filters::join);
    jinja.add_filter("last", filters::last);
    jinja.add_filter("length", filters::length);
    jinja.add_filter("lower", filters::lower);
    jinja.add_filter("round", filters::round);
    jinja.add_filter("title", filters::title);
    jinja.add_filter("trim", filters::trim);
    jinja.add_filter("upper", filters::upper);
    jinja.add_test("boolean", jinja_tests::is_boolean);
    jinja.add_test("defined", |value: Value| !is_missing(&value));
    jinja.add_test("undefined", |value: Value| is_missing(&value));
    jinja.add_test("endingwith", jinja_tests::is_endingwith);
    jinja.add_test("eq", jinja_tests::is_eq);
    jinja.add_test("even", jinja_tests::is_even);
    jinja.add_test("false", jinja_tests::is_false);
    jinja.add_test("ge", jinja_tests::is_ge);
    jinja.add_test("gt", jinja_tests::is_gt);
    jinja.add_test("in", jinja_tests::is_in);
    jinja.add_test("integer", jinja_tests::is_integer);
    jinja.add_test("le", jinja_tests::is_le);
    jinja.add_test("lt", jinja_tests::is_lt);
    jinja.add_test("ne", jinja_tests::is_ne);
    jinja.add_test("none", jinja_tests::is_none);
    jinja.add_test("number", jinja_tests::is_number);
    jinja.add_test("odd", jinja_tests::is_odd);
    jinja.add_test("startingwith", jinja_tests::is_startingwith);
    jinja.add_test("string", jinja_tests::is_string);
    jinja.add_test("true", jinja_tests::is_true);
    jinja
});
