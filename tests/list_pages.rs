//! Sorts, pages, totals and limits of lists.

use serde_json::{Value, json};

use crate::lists::{EVERYONE, SORTS, cast, found, walked};
use crate::support::*;

stories![
    every_sort_walks_all_rows_in_both_directions,
    text_sorts_by_folded_code_point,
    empty_values_sort_last_both_ways,
    the_id_breaks_ties_in_the_direction_of_the_last_field,
    an_unknown_sort_is_refused,
    pages_by_offset_have_exact_totals,
    pages_by_cursor_walk_every_row_once,
    a_walk_by_cursor_is_stable_while_others_write,
    an_invalid_cursor_is_refused,
    the_count_can_be_left_out,
    totals_stay_exact_through_every_change,
    limit_and_offset_have_bounds,
    conditions_have_bounds,
    an_unknown_parameter_is_named_with_the_known_ones,
    undefined_custom_fields_are_unknown,
    sql_is_only_text,
];

fn every_sort_walks_all_rows_in_both_directions(world: &World) {
    let key = world.key("crm");
    cast(&key);
    // Twice, so that every value has a tie.
    cast(&key);
    for sort in SORTS {
        let (up, down) = (sort.to_owned(), format!("-{sort}"));
        for order in [&up, &down] {
            let whole = key.list("/contacts", &[("sort", order)]).page();
            let values: Vec<&Value> =
                whole.rows.iter().map(|row| &row[sort]).filter(|value| !value.is_null()).collect();
            let ordered = values.windows(2).all(|pair| {
                let direction = compared(pair[0], pair[1]);
                if order.starts_with('-') { direction.is_ge() } else { direction.is_le() }
            });
            assert!(ordered, "{order}: {values:?}");
            for limit in [1, 5, 12, 100] {
                assert_eq!(walked(&key, &[("sort", order)], limit), whole.ids(), "{order} by {limit}");
            }
            let mut pages = Vec::new();
            for offset in ["0", "5", "10"] {
                let page = key.list("/contacts", &[("sort", order), ("limit", "5"), ("offset", offset)]).page();
                assert_eq!(page.total(), 12);
                pages.extend(page.ids());
            }
            assert_eq!(pages, whole.ids(), "{order} by offset");
        }
    }
}

/// The documented order of two values of a field.
fn compared(one: &Value, other: &Value) -> std::cmp::Ordering {
    match (one.as_i64(), other.as_i64()) {
        (Some(one), Some(other)) => one.cmp(&other),
        _ => text(one).to_lowercase().cmp(&text(other).to_lowercase()),
    }
}

fn text_sorts_by_folded_code_point(world: &World) {
    let key = world.key("crm");
    for name in [
        "Zoë", "éclair", "apple", "Ärger", "Banana", "zebra", "Élan", "_under", "10", "9", "ωmega", "Яна", "Ωhm",
        "日本", "😀",
    ] {
        key.post("/contacts", json!({"first_name": name})).created();
    }
    let expected = [
        "10", "9", "_under", "apple", "Banana", "zebra", "Zoë", "Ärger", "éclair", "Élan", "Ωhm", "ωmega", "Яна",
        "日本", "😀",
    ];
    assert_eq!(key.list("/contacts", &[("sort", "first_name")]).page().column("first_name"), expected);
    let mut backwards = expected;
    backwards.reverse();
    assert_eq!(key.list("/contacts", &[("sort", "-first_name")]).page().column("first_name"), backwards);
}

fn empty_values_sort_last_both_ways(world: &World) {
    let key = world.key("crm");
    cast(&key);
    let sorted = |sort: &str| found(&key, &[("sort", sort)]);
    assert_eq!(sorted("years_experience"), "Fritz Chloé Ada Béla Дмитрий Eve");
    assert_eq!(sorted("-years_experience"), "Дмитрий Béla Ada Chloé Fritz Eve");
    assert_eq!(sorted("title"), "Ada Béla Chloé Fritz Дмитрий Eve");
    assert_eq!(sorted("-title"), "Дмитрий Fritz Chloé Béla Ada Eve");
    assert_eq!(sorted("last_contacted_at"), EVERYONE);
    assert_eq!(sorted("-last_contacted_at"), "Fritz Eve Дмитрий Chloé Béla Ada");
}

fn the_id_breaks_ties_in_the_direction_of_the_last_field(world: &World) {
    let key = world.key("crm");
    cast(&key);
    let sorted = |sort: &str| found(&key, &[("sort", sort), ("years_experience", "30")]);
    assert_eq!(sorted("years_experience"), "Béla Дмитрий");
    assert_eq!(sorted("-years_experience"), "Дмитрий Béla");
    assert_eq!(sorted("years_experience,first_name"), "Béla Дмитрий");
    assert_eq!(sorted("years_experience,-first_name"), "Дмитрий Béla");
    assert_eq!(sorted("last_contacted_at,-years_experience"), "Дмитрий Béla");
    assert_eq!(sorted("-years_experience,last_contacted_at"), "Béla Дмитрий");
    assert_eq!(
        found(&key, &[("sort", "-years_experience,first_name")]),
        "Béla Дмитрий Ada Chloé Fritz Eve",
        "several fields, each in its direction"
    );
    assert_eq!(
        key.get("/contacts").page().column("first_name").join(" "),
        "Fritz Eve Дмитрий Chloé Béla Ada",
        "newest first"
    );
}

fn an_unknown_sort_is_refused(world: &World) {
    let key = world.key("crm");
    for wrong in [
        "frist_name",
        "location",
        "tags",
        "email",
        "-",
        "--first_name",
        "first_name,,title",
        "first_name desc",
        "+first_name",
    ] {
        key.list("/contacts", &[("sort", wrong)]).invalid("sort");
    }
    key.list("/contacts", &[("sort", "frist_name")]).invalid("sort").says("frist_name").says("first_name");
}

fn pages_by_offset_have_exact_totals(world: &World) {
    let key = world.key("crm");
    for number in 0..23 {
        key.post("/contacts", json!({"first_name": format!("Ada {number}"), "years_experience": number % 2})).created();
    }
    let page = |filter: &[(&str, &str)], limit: &str, offset: &str| {
        key.list("/contacts", &[filter, &[("limit", limit), ("offset", offset)]].concat()).page()
    };
    for (limit, offset, rows, more) in [
        ("10", "0", 10, true),
        ("10", "10", 10, true),
        ("10", "20", 3, false),
        ("23", "0", 23, false),
        ("22", "0", 22, true),
        ("10", "23", 0, false),
        ("10", "1000", 0, false),
    ] {
        let page = page(&[], limit, offset);
        let (limit, offset): (i64, i64) = (limit.parse().unwrap_or(-1), offset.parse().unwrap_or(-1));
        assert_eq!(page.rows.len(), rows, "limit {limit} offset {offset}");
        assert_eq!(page.meta, json!({"total": 23, "limit": limit, "offset": offset, "has_more": more}));
    }
    let odd = page(&[("years_experience", "1")], "10", "0");
    assert_eq!(odd.meta, json!({"total": 11, "limit": 10, "offset": 0, "has_more": true}));
    assert_eq!(key.get("/contacts").page().meta, json!({"total": 23, "limit": 50, "offset": 0, "has_more": false}));
}

fn pages_by_cursor_walk_every_row_once(world: &World) {
    let key = world.key("crm");
    let mut created: Vec<String> = (0..30)
        .map(|number| {
            let years = if number % 3 == 0 { json!(null) } else { json!(number / 4) };
            text(&key.post("/contacts", json!({"first_name": "Ada", "years_experience": years})).created()["id"])
        })
        .collect();
    for sort in ["created_at", "-years_experience", "years_experience,-first_name", "first_name", "-last_contacted_at"]
    {
        let mut seen = walked(&key, &[("sort", sort)], 7);
        seen.sort();
        created.sort();
        assert_eq!(seen, created, "{sort}");
    }
    assert_eq!(walked(&key, &[("years_experience", "is.null"), ("sort", "title")], 3).len(), 10);
    assert_eq!(walked(&key, &[("years_experience", "gt.99")], 3), [] as [String; 0]);
    // A cursor without a limit gives pages of the default length.
    let page = key.list("/contacts", &[("cursor", "")]).page();
    assert_eq!(page.meta, json!({"limit": 50, "has_more": false, "next_cursor": null}));
}

fn a_walk_by_cursor_is_stable_while_others_write(world: &World) {
    let key = world.key("crm");
    let stay: Vec<String> = (0..40)
        .map(|number| text(&key.post("/contacts", json!({"first_name": format!("M {number:02}")})).created()["id"]))
        .collect();
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = key.list("/contacts", &[("sort", "first_name"), ("limit", "5"), ("cursor", &cursor)]).page();
        seen.extend(page.ids());
        // Insert before and after the position, and change a row that was seen.
        for name in ["A new one", "Z new one"] {
            key.post("/contacts", json!({"first_name": name})).created();
        }
        key.put(&format!("/contacts/{}", seen[0]), json!({"title": format!("seen {}", seen.len())})).ok();
        match page.next() {
            Some(next) => cursor = next,
            None => break,
        }
    }
    let of_those: Vec<&String> = seen.iter().filter(|id| stay.contains(id)).collect();
    assert_eq!(of_those, stay.iter().collect::<Vec<_>>(), "a row that was there throughout was skipped or repeated");
    let mut distinct = seen.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), seen.len(), "a row was seen twice");
}

fn an_invalid_cursor_is_refused(world: &World) {
    let key = world.key("crm");
    cast(&key);
    let cursor = key.list("/contacts", &[("cursor", ""), ("limit", "2")]).page().next().unwrap_or_default();
    for wrong in ["x", "AAAA", "null", "eyJhIjoxfQ==", &cursor[1..], &format!("{cursor}x"), "\0", &"A".repeat(5_000)] {
        key.list("/contacts", &[("cursor", wrong), ("limit", "2")]).invalid("cursor");
    }
}

fn the_count_can_be_left_out(world: &World) {
    let key = world.key("crm");
    cast(&key);
    let page = key.list("/contacts", &[("count", "none"), ("limit", "4")]).page();
    assert_eq!(page.meta, json!({"total": null, "limit": 4, "offset": 0, "has_more": true}));
    let page = key.list("/contacts", &[("count", "none"), ("title", "is.null")]).page();
    assert_eq!(page.meta, json!({"total": null, "limit": 50, "offset": 0, "has_more": false}));
    key.list("/contacts", &[("count", "maybe")]).invalid("count").says("none");
}

/// Compares the total of every filter that a tally may answer with the rows themselves.
#[track_caller]
fn check_totals(key: &Client, after: &str) {
    let mut filters: Vec<(&str, &str)> = vec![("limit", "100")];
    filters.extend(["new", "contacted", "replied", "qualified", "archived"].map(|status| ("global_status", status)));
    filters.extend(["candidate", "client"].map(|kind| ("contact_type", kind)));
    filters.extend(["true", "false"].map(|flag| ("do_not_contact", flag)));
    for filter in filters {
        for archived in ["is.null", "is.not_null", "any"] {
            let mut parameters = vec![("limit", "100")];
            if filter.0 != "limit" {
                parameters.push(filter);
            }
            if archived != "any" {
                parameters.push(("archived_at", archived));
            }
            let page = key.list("/contacts", &parameters).page();
            assert_eq!(page.total() as usize, page.rows.len(), "the total of {parameters:?} after {after}");
        }
    }
}

fn totals_stay_exact_through_every_change(world: &World) {
    let key = world.key("crm");
    let people = cast(&key);
    let path = |number: usize| format!("/contacts/{}", text(&people[number]["id"]));
    check_totals(&key, "the creation");
    key.delete(&path(0)).ok();
    key.delete(&path(0)).ok();
    check_totals(&key, "archiving twice");
    key.put(&path(0), json!({"archived_at": null})).ok();
    check_totals(&key, "restoring");
    key.put(&path(1), json!({"global_status": "archived", "contact_type": "candidate"})).ok();
    check_totals(&key, "archiving by status");
    key.put(&path(1), json!({"do_not_contact": true})).ok();
    check_totals(&key, "a change while archived");
    key.put(&path(1), json!({"global_status": "replied", "do_not_contact": false})).ok();
    check_totals(&key, "restoring by status");
    key.put(&path(2), json!({"contact_type": "client", "years_experience": 81})).invalid("years_experience");
    check_totals(&key, "a refused change");
    at_once(8, |number| {
        let contact = key.post("/contacts", json!({"first_name": "Ada", "do_not_contact": number % 2 == 0})).created();
        key.delete(&format!("/contacts/{}", text(&contact["id"]))).ok();
    });
    check_totals(&key, "many at once");
    world.restart();
    check_totals(&key, "a restart");
    assert_eq!(key.get("/contacts").page().total(), 14);
}

fn limit_and_offset_have_bounds(world: &World) {
    let key = world.key("crm");
    cast(&key);
    for limit in ["1", "100"] {
        key.list("/contacts", &[("limit", limit)]).page();
    }
    for wrong in
        ["0", "101", "-1", "1000000000000000000", "99999999999999999999999", "ten", "", "1.5", "1e1", " 1", "0x10"]
    {
        key.list("/contacts", &[("limit", wrong)]).invalid("limit");
    }
    for wrong in ["-1", "99999999999999999999999", "ten", "", "1.5"] {
        key.list("/contacts", &[("offset", wrong)]).invalid("offset");
    }
    // For an offset that is too large both an empty page and a refusal are fine.
    let far = key.list("/contacts", &[("offset", "1000000000000000000")]);
    if far.status == 200 {
        assert_eq!((far.page().rows.len(), far.page().total()), (0, 6));
    } else {
        far.invalid("offset");
    }
}

fn conditions_have_bounds(world: &World) {
    let key = world.key("crm");
    cast(&key);
    let alternatives = |count: usize| {
        let conditions: Vec<String> = (0..count).map(|number| format!("years_experience.eq.{number}")).collect();
        format!("({})", conditions.join(","))
    };
    assert_eq!(found(&key, &[("or", &alternatives(100))]), "Ada Béla Chloé Дмитрий Fritz");
    key.list("/contacts", &[("or", &alternatives(101))]).error(400, "validation_error").says("100");
    let mut filters = vec![("years_experience", "gte.0"); 100];
    assert_eq!(found(&key, &filters), "Ada Béla Chloé Дмитрий Fritz");
    filters.push(("title", "CTO"));
    key.list("/contacts", &filters).error(400, "validation_error").says("100");
    key.list("/contacts", &[("or", &alternatives(60)), ("and", &alternatives(41))])
        .error(400, "validation_error")
        .says("100");

    let items = |count: usize| {
        let items: Vec<String> = (0..count).map(|number| number.to_string()).collect();
        format!("in.({})", items.join(","))
    };
    assert_eq!(found(&key, &[("years_experience", &items(1_000))]), "Ada Béla Chloé Дмитрий Fritz");
    key.list("/contacts", &[("years_experience", &items(1_001))]).invalid("years_experience").says("1000");
    assert_eq!(found(&key, &[("title", &items(1_000))]), "");
    key.list("/contacts", &[("title", &items(1_001))]).invalid("title");
}

fn an_unknown_parameter_is_named_with_the_known_ones(world: &World) {
    let key = world.key("crm");
    cast(&key);
    for (misspelt, meant) in
        [("frist_name", "first_name"), ("offest", "offset"), ("page", "limit"), ("updated_before", "updated_after")]
    {
        key.list("/contacts", &[(misspelt, "1")]).invalid(misspelt).says(meant);
    }
    key.list("/contacts", &[("frist_name", "eq.Ada"), ("titel", "eq.CTO")]).invalid("frist_name").at("titel");
    key.list("/contacts", &[("first_name", "eqq.Ada")]).page();
    key.get("/contacts?=1").error(400, "validation_error");
}

fn undefined_custom_fields_are_unknown(world: &World) {
    let key = world.key("crm");
    key.list("/contacts", &[("custom_data.shoe_size", "eq.43")]).invalid("custom_data.shoe_size");
    key.list("/contacts", &[("sort", "custom_data.shoe_size")]).invalid("sort");
}

fn sql_is_only_text(world: &World) {
    let key = world.key("crm");
    let nasty = "Robert'); DROP TABLE contacts;--";
    let contact = key.post("/contacts", json!({"first_name": nasty, "tags": [nasty], "skills": [nasty]})).created();
    for (field, condition) in [
        ("first_name", format!("eq.\"{nasty}\"")),
        ("first_name", format!("ilike.\"{nasty}\"")),
        ("tags", format!("cs.{{\"{nasty}\"}}")),
        ("skills", format!("ov.{{\"{nasty}\"}}")),
    ] {
        assert_eq!(
            key.list("/contacts", &[(field, &condition)]).page().ids(),
            [text(&contact["id"])],
            "{field}={condition}"
        );
    }
    for (name, value) in [
        ("sort", "first_name;DROP TABLE contacts"),
        ("limit", "1;DROP TABLE contacts"),
        ("first_name; DROP TABLE contacts", "eq.x"),
        ("contacts.first_name", "eq.Ada"),
        ("first_name\" OR 1=1 --", "eq.x"),
    ] {
        key.list("/contacts", &[(name, value)]).error(400, "validation_error");
    }
    assert_eq!(key.list("/contacts", &[("title", "eq.' OR '1'='1")]).page().total(), 0);
    assert_eq!(key.get("/contacts").page().rows, [contact]);
}
