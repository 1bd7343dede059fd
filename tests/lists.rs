//! Lists: the filter grammar, sorting, paging and exact totals, tested on contacts.

use serde_json::{Value, json};

use crate::support::*;

stories![
    text_is_compared,
    text_is_matched_by_pattern,
    values_are_quoted_where_they_must_be,
    numbers_are_compared,
    times_are_compared,
    enumerations_and_booleans_are_compared,
    lists_of_text_are_searched_in_any_case,
    emails_are_matched_in_any_case,
    phones_are_matched_by_their_digits,
    null_is_matched_only_by_is,
    several_filters_must_all_hold,
    alternatives_nest,
    malformed_alternatives_are_refused,
    created_after_and_created_before_filter,
    archived_contacts_are_listed_unless_filtered,
    every_field_accepts_exactly_the_operators_of_its_type,
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

/// Six contacts, in the order of their creation: every kind of value, missing values, and special characters.
fn cast(key: &Client) -> Vec<Value> {
    let people = [
        json!({
            "first_name": "Ada", "last_name": "Lovelace", "title": "Analyst", "current_company": "Analytical Engines",
            "location": "London", "years_experience": 12, "skills": ["Rust", "SQL"], "languages": ["English"],
            "tags": ["VIP"], "email": "ada@example.com", "phone": "+44 20 7946 0958",
            "network_profile": "https://network.example.com/in/ada",
        }),
        json!({
            "first_name": "Béla", "last_name": "Bartók", "title": "composer",
            "current_company": "Opera House, Budapest (HU)", "location": "Budapest", "years_experience": 30,
            "skills": ["SQL", "C, C++"], "languages": ["Magyar", "english"], "tags": ["Music"],
            "email": "bela@example.org", "phone": "(361) 555-0100", "global_status": "contacted",
            "contact_type": "client",
        }),
        json!({
            "first_name": "Chloé", "last_name": "Dubois", "title": "CTO", "current_company": "50% Off",
            "location": "Paris", "years_experience": 5, "skills": ["rust"], "tags": ["vip", "Music"],
            "emails": [{"email": "chloe@example.com"}, {"email": "Chloe@Home.Example.org"}],
            "global_status": "replied", "do_not_contact": true,
        }),
        json!({
            "first_name": "Дмитрий", "last_name": "Менделеев", "title": "Химик", "current_company": "100_percent",
            "years_experience": 30, "languages": ["Русский"], "email": "dmitri@example.net",
            "global_status": "qualified", "contact_type": "prospect",
        }),
        json!({"first_name": "Eve"}),
        json!({
            "first_name": "Fritz", "last_name": "Haber", "title": "Sr. Engineer",
            "current_company": "Back\\slash \"Quoted\" {braced}", "years_experience": 0, "global_status": "archived",
            "contact_type": "other",
        }),
    ];
    people.into_iter().map(|person| key.post("/contacts", person).created()).collect()
}

/// First names of the contacts found, in the order of their creation unless another order is given.
#[track_caller]
fn found(key: &Client, filters: &[(&str, &str)]) -> String {
    let mut parameters = filters.to_vec();
    if !filters.iter().any(|(name, _)| *name == "sort") {
        parameters.push(("sort", "created_at"));
    }
    let page = key.list("/contacts", &parameters).page();
    assert_eq!(page.total() as usize, page.rows.len(), "the total of {filters:?}");
    page.column("first_name").join(" ")
}

/// Compares the result of each filter in a table.
#[track_caller]
fn find_all(key: &Client, table: &[(&str, &str, &str)]) {
    for (field, condition, expected) in table {
        assert_eq!(found(key, &[(field, condition)]), *expected, "{field}={condition}");
    }
}

const EVERYONE: &str = "Ada Béla Chloé Дмитрий Eve Fritz";

fn text_is_compared(world: &World) {
    let key = world.key("crm");
    cast(&key);
    find_all(
        &key,
        &[
            ("title", "eq.CTO", "Chloé"),
            ("title", "eq.cto", ""),
            ("title", "CTO", "Chloé"),
            ("title", "neq.CTO", "Ada Béla Дмитрий Fritz"),
            ("title", "not.eq.CTO", "Ada Béla Дмитрий Fritz"),
            ("title", "not.neq.CTO", "Chloé"),
            ("title", "in.(CTO,Analyst,nobody)", "Ada Chloé"),
            ("title", "not.in.(CTO,Analyst)", "Béla Дмитрий Fritz"),
            // Text that merely begins with a word and a dot is a value.
            ("title", "Sr. Engineer", "Fritz"),
            ("title", "eq.Sr. Engineer", "Fritz"),
            ("title", "neq", ""),
            ("first_name", "gt.Chloé", "Дмитрий Eve Fritz"),
            ("first_name", "gte.Chloé", "Chloé Дмитрий Eve Fritz"),
            ("first_name", "lt.Chloé", "Ada Béla"),
            ("first_name", "lte.Chloé", "Ada Béla Chloé"),
            ("first_name", "not.lte.Chloé", "Дмитрий Eve Fritz"),
            ("first_name", "eq.Дмитрий", "Дмитрий"),
            // Composed or decomposed, it is the same text.
            ("first_name", "eq.Chloe\u{301}", "Chloé"),
            ("location", "eq.London", "Ada"),
            ("current_company", "eq.100_percent", "Дмитрий"),
            ("network_profile", "eq.https://network.example.com/in/ada", "Ada"),
            ("last_name", "eq.Bartók", "Béla"),
        ],
    );
}

fn text_is_matched_by_pattern(world: &World) {
    let key = world.key("crm");
    cast(&key);
    find_all(
        &key,
        &[
            ("title", "like.%ngine%", "Fritz"),
            ("title", "like.%NGINE%", ""),
            ("title", "ilike.%NGINE%", "Fritz"),
            ("title", "like.C%", "Chloé"),
            ("title", "ilike.C%", "Béla Chloé"),
            ("title", "like.CT", ""),
            ("title", "like.CTO", "Chloé"),
            ("title", "like._TO", "Chloé"),
            ("title", "like.%", "Ada Béla Chloé Дмитрий Fritz"),
            ("title", "not.like.C%", "Ada Béla Дмитрий Fritz"),
            ("title", "ilike.хИМ%", "Дмитрий"),
            ("first_name", "ilike.CHLOÉ", "Chloé"),
            ("first_name", "ilike.chlo_", "Chloé"),
            ("first_name", "ilike.дмитр__", "Дмитрий"),
            ("last_name", "ilike.%ÓK", "Béla"),
            ("current_company", r"like.50\%%", "Chloé"),
            ("current_company", r"like.\%%", ""),
            ("current_company", r"like.100\_%", "Дмитрий"),
            ("current_company", r"like.5\_%", ""),
            ("current_company", r"like.%\\%", "Fritz"),
            ("current_company", r"ilike.%K\\S%", "Fritz"),
            ("current_company", "like.%[a-z]%", ""),
            ("current_company", "like.*", ""),
        ],
    );
    for pattern in [r"like.abc\", r"ilike.abc\", r"not.like.\", r"like.\\\"] {
        key.list("/contacts", &[("title", pattern)]).invalid("title");
    }
}

fn values_are_quoted_where_they_must_be(world: &World) {
    let key = world.key("crm");
    cast(&key);
    find_all(
        &key,
        &[
            ("current_company", r#"eq."Opera House, Budapest (HU)""#, "Béla"),
            ("current_company", r#"in.("Opera House, Budapest (HU)",50% Off)"#, "Béla Chloé"),
            ("current_company", r#"in.("50% Off","nothing")"#, "Chloé"),
            ("current_company", r#"like."Opera House, %""#, "Béla"),
            ("current_company", r#"eq."Back\\slash \"Quoted\" {braced}""#, "Fritz"),
            ("current_company", r#"in.("Back\\slash \"Quoted\" {braced}")"#, "Fritz"),
            ("skills", r#"cs.{"C, C++"}"#, "Béla"),
            ("skills", r#"ov.{"c, c++",Rust}"#, "Ada Béla Chloé"),
            ("or", r#"(current_company.eq."Opera House, Budapest (HU)",first_name.eq.Eve)"#, "Béla Eve"),
            (
                "or",
                r#"(current_company.in.("Opera House, Budapest (HU)","50% Off"),first_name.in.(Eve,Ada))"#,
                "Ada Béla Chloé Eve",
            ),
            ("or", r#"(skills.cs.{"C, C++",sql},first_name.eq.Eve)"#, "Béla Eve"),
        ],
    );
    for broken in [r#"in.("Opera)"#, "in.(Ada", "in.Ada", "in.()"] {
        key.list("/contacts", &[("current_company", broken)]).invalid("current_company");
    }
    for broken in ["cs.{rust", "cs.rust", r#"cs.{"rust}"#] {
        key.list("/contacts", &[("skills", broken)]).invalid("skills");
    }
}

fn numbers_are_compared(world: &World) {
    let key = world.key("crm");
    cast(&key);
    find_all(
        &key,
        &[
            ("years_experience", "eq.30", "Béla Дмитрий"),
            ("years_experience", "30", "Béla Дмитрий"),
            ("years_experience", "eq.0", "Fritz"),
            ("years_experience", "neq.30", "Ada Chloé Fritz"),
            ("years_experience", "gt.12", "Béla Дмитрий"),
            ("years_experience", "gte.12", "Ada Béla Дмитрий"),
            ("years_experience", "lt.5", "Fritz"),
            ("years_experience", "lte.5", "Chloé Fritz"),
            ("years_experience", "not.gt.5", "Chloé Fritz"),
            ("years_experience", "in.(0,5,99)", "Chloé Fritz"),
            ("years_experience", "gt.-1", "Ada Béla Chloé Дмитрий Fritz"),
        ],
    );
    for wrong in ["eq.twelve", "eq.", "gt.1,2", "in.(1,two)", "eq.NaN", "eq.0x10", "like.1%", "cs.{1}"] {
        key.list("/contacts", &[("years_experience", wrong)]).invalid("years_experience");
    }
}

fn times_are_compared(world: &World) {
    let key = world.key("crm");
    let people = cast(&key);
    let chloe = text(&people[2]["created_at"]);
    let two_hours_east = {
        let time: jiff::Timestamp = chloe.parse().unwrap_or_else(|error| panic!("{chloe}: {error}"));
        let offset = jiff::tz::TimeZone::fixed(jiff::tz::offset(2));
        time.to_zoned(offset).strftime("%Y-%m-%dT%H:%M:%S%.3f%:z").to_string()
    };
    for time in [&chloe, &two_hours_east] {
        for (operator, expected) in [
            ("eq", "Chloé"),
            ("neq", "Ada Béla Дмитрий Eve Fritz"),
            ("gt", "Дмитрий Eve Fritz"),
            ("gte", "Chloé Дмитрий Eve Fritz"),
            ("lt", "Ada Béla"),
            ("lte", "Ada Béla Chloé"),
            ("not.lte", "Дмитрий Eve Fritz"),
        ] {
            assert_eq!(found(&key, &[("created_at", &format!("{operator}.{time}"))]), expected, "{operator} {time}");
        }
    }
    assert_eq!(found(&key, &[("created_at", &chloe)]), "Chloé");
    let both = format!("in.({chloe},{})", text(&people[4]["created_at"]));
    assert_eq!(found(&key, &[("created_at", &both)]), "Chloé Eve");
    assert_eq!(found(&key, &[("created_at", "gt.2001-01-01")]), EVERYONE, "a bare date is midnight UTC");
    assert_eq!(found(&key, &[("updated_at", "lt.2001-01-01")]), "");
    for field in ["created_at", "updated_at", "last_contacted_at", "archived_at"] {
        for wrong in
            ["gt.yesterday", "eq.", "gt.2026-13-01", "gt.2026-02-30", "gt.12:00", "gt.1763000000", "like.2026%"]
        {
            key.list("/contacts", &[(field, wrong)]).invalid(field);
        }
    }
}

fn enumerations_and_booleans_are_compared(world: &World) {
    let key = world.key("crm");
    cast(&key);
    find_all(
        &key,
        &[
            ("global_status", "eq.new", "Ada Eve"),
            ("global_status", "new", "Ada Eve"),
            ("global_status", "all", EVERYONE),
            ("global_status", "neq.new", "Béla Chloé Дмитрий Fritz"),
            ("global_status", "in.(replied,archived)", "Chloé Fritz"),
            ("global_status", "not.in.(replied,archived)", "Ada Béla Дмитрий Eve"),
            ("global_status", "is.null", ""),
            ("contact_type", "client", "Béla"),
            ("contact_type", "neq.candidate", "Béla Дмитрий Fritz"),
            ("do_not_contact", "eq.true", "Chloé"),
            ("do_not_contact", "true", "Chloé"),
            ("do_not_contact", "false", "Ada Béla Дмитрий Eve Fritz"),
            ("do_not_contact", "neq.true", "Ada Béla Дмитрий Eve Fritz"),
            ("do_not_contact", "not.eq.false", "Chloé"),
            ("do_not_contact", "in.(true,false)", EVERYONE),
        ],
    );
    key.list("/contacts", &[("global_status", "eq.hired")]).invalid("global_status").says("qualified");
    key.list("/contacts", &[("global_status", "in.(new,hired)")]).invalid("global_status");
    key.list("/contacts", &[("contact_type", "friend")]).invalid("contact_type").says("prospect");
    key.list("/contacts", &[("do_not_contact", "eq.maybe")]).invalid("do_not_contact");
}

fn lists_of_text_are_searched_in_any_case(world: &World) {
    let key = world.key("crm");
    cast(&key);
    find_all(
        &key,
        &[
            ("skills", "cs.{rust}", "Ada Chloé"),
            ("skills", "cs.{RUST,sql}", "Ada"),
            ("skills", "cs.{rust,cobol}", ""),
            ("skills", "ov.{rust,sql}", "Ada Béla Chloé"),
            ("skills", "ov.{cobol}", ""),
            ("skills", "is.null", "Дмитрий Eve Fritz"),
            ("skills", "is.not_null", "Ada Béla Chloé"),
            ("languages", "ov.{ENGLISH}", "Ada Béla"),
            ("languages", "cs.{рУССКИЙ}", "Дмитрий"),
            ("tags", "cs.{vip}", "Ada Chloé"),
            ("tags", "cs.{VIP,music}", "Chloé"),
            ("tags", "ov.{vip,music}", "Ada Béla Chloé"),
            ("tags", "ov.{unheard of}", ""),
            ("tags", "is.null", "Дмитрий Eve Fritz"),
        ],
    );
    let without = found(&key, &[("skills", "not.cs.{rust}")]);
    assert!(without.contains("Béla") && !without.contains("Ada"), "{without}");
    for field in ["skills", "languages", "tags"] {
        for wrong in ["eq.rust", "rust", "like.%rust%", "in.(rust)", "gt.rust", "neq.rust"] {
            key.list("/contacts", &[(field, wrong)]).invalid(field).says("cs").says("ov");
        }
    }
}

fn emails_are_matched_in_any_case(world: &World) {
    let key = world.key("crm");
    cast(&key);
    find_all(
        &key,
        &[
            ("email", "eq.ADA@example.com", "Ada"),
            ("email", "ada@example.com", "Ada"),
            ("email", "chloe@home.example.org", "Chloé"),
            ("email", "in.(ADA@EXAMPLE.COM,dmitri@example.net)", "Ada Дмитрий"),
            ("email", "like.%@example.org", "Béla"),
            ("email", "ilike.%EXAMPLE.ORG", "Béla Chloé"),
            ("email", "like.%@EXAMPLE.com", "Ada Chloé"),
            // Both of her addresses match, and she is found once.
            ("email", "like.chloe%", "Chloé"),
            ("email", "is.null", "Eve Fritz"),
            ("email", "is.not_null", "Ada Béla Chloé Дмитрий"),
            ("email", "nobody@example.com", ""),
        ],
    );
    let people = cast(&key);
    // A removed value is not found any more.
    let ada = format!("/contacts/{}", text(&people[0]["id"]));
    key.put(&ada, json!({"emails": [{"email": "countess@example.com"}]})).ok();
    assert_eq!(key.list("/contacts", &[("email", "countess@example.com")]).page().ids(), [text(&people[0]["id"])]);
    assert_eq!(key.list("/contacts", &[("email", "ada@example.com")]).page().total(), 1);
}

fn phones_are_matched_by_their_digits(world: &World) {
    let key = world.key("crm");
    cast(&key);
    find_all(
        &key,
        &[
            ("phone", "eq.+44 20 7946 0958", "Ada"),
            ("phone", "eq.442079460958", "Ada"),
            ("phone", "+44-20-79460958", "Ada"),
            ("phone", "3615550100", "Béla"),
            ("phone", r#"in.(3615550100,"+44 (20) 7946 0958")"#, "Ada Béla"),
            ("phone", "like.%7946%", "Ada"),
            ("phone", "like.44%", "Ada"),
            ("phone", "ilike.%555-01%", "Béla"),
            ("phone", "is.null", "Chloé Дмитрий Eve Fritz"),
            ("phone", "eq.79460958", ""),
        ],
    );
}

fn null_is_matched_only_by_is(world: &World) {
    let key = world.key("crm");
    cast(&key);
    find_all(
        &key,
        &[
            ("title", "is.null", "Eve"),
            ("title", "is.not_null", "Ada Béla Chloé Дмитрий Fritz"),
            ("title", "not.is.null", "Ada Béla Chloé Дмитрий Fritz"),
            ("title", "not.is.not_null", "Eve"),
            ("years_experience", "is.null", "Eve"),
            ("years_experience", "neq.99", "Ada Béla Chloé Дмитрий Fritz"),
            ("years_experience", "not.in.(99)", "Ada Béla Chloé Дмитрий Fritz"),
            ("title", "not.ilike.zzz", "Ada Béla Chloé Дмитрий Fritz"),
            ("last_contacted_at", "is.null", EVERYONE),
            ("first_name", "is.null", ""),
            // To every other operator the word is an ordinary value.
            ("title", "eq.null", ""),
        ],
    );
    for wrong in ["is.nothing", "is.", "is.NULL x"] {
        key.list("/contacts", &[("title", wrong)]).invalid("title").says("not_null");
    }
}

fn several_filters_must_all_hold(world: &World) {
    let key = world.key("crm");
    cast(&key);
    assert_eq!(found(&key, &[("years_experience", "gte.5"), ("years_experience", "lt.30")]), "Ada Chloé");
    assert_eq!(found(&key, &[("years_experience", "30"), ("contact_type", "client")]), "Béla");
    assert_eq!(found(&key, &[("tags", "cs.{vip}"), ("tags", "cs.{music}"), ("do_not_contact", "true")]), "Chloé");
    assert_eq!(found(&key, &[("title", "eq.CTO"), ("title", "eq.Analyst")]), "");
}

fn alternatives_nest(world: &World) {
    let key = world.key("crm");
    cast(&key);
    find_all(
        &key,
        &[
            ("or", "(first_name.eq.Ada,first_name.eq.Eve)", "Ada Eve"),
            ("or", "(first_name.eq.Ada)", "Ada"),
            ("or", "(title.is.null,years_experience.gt.20)", "Béla Дмитрий Eve"),
            ("or", "(and(years_experience.eq.30,title.eq.composer),title.is.null)", "Béla Eve"),
            ("and", "(years_experience.gte.5,or(title.eq.CTO,title.eq.Analyst))", "Ada Chloé"),
            ("and", "(years_experience.gte.5,title.neq.CTO)", "Ada Béla Дмитрий"),
            ("or", "(not.and(years_experience.gte.0,title.is.not_null),first_name.eq.Ada)", "Ada Eve"),
            ("or", "(title.not.eq.CTO,first_name.eq.Eve)", "Ada Béla Дмитрий Eve Fritz"),
            ("or", "(tags.cs.{vip,music},email.eq.BELA@example.org)", "Béla Chloé"),
            ("or", "(and(or(first_name.eq.Ada,first_name.eq.Eve),title.is.null),do_not_contact.eq.true)", "Chloé Eve"),
            ("or", "(title.like.C%,title.ilike.%ENGINEER)", "Chloé Fritz"),
            ("not.or", "(first_name.eq.Ada,first_name.eq.Eve)", "Béla Chloé Дмитрий Fritz"),
            ("not.and", "(do_not_contact.eq.true,contact_type.eq.candidate)", "Ada Béla Дмитрий Eve Fritz"),
        ],
    );
    let both = [("or", "(first_name.eq.Ada,first_name.eq.Eve)"), ("or", "(title.is.null,years_experience.gt.20)")];
    assert_eq!(found(&key, &both), "Eve", "both filters must hold");
    assert_eq!(found(&key, &[("or", "(first_name.eq.Ada,first_name.eq.Eve)"), ("title", "is.null")]), "Eve");
}

fn malformed_alternatives_are_refused(world: &World) {
    let key = world.key("crm");
    cast(&key);
    for wrong in [
        "first_name.eq.Ada",
        "()",
        "(",
        "(first_name.eq.Ada",
        "first_name.eq.Ada)",
        "(first_name.eq.Ada))",
        "(first_name)",
        "(first_name.eq.Ada,)",
        "(,first_name.eq.Ada)",
        "(first_name.eq.Ada)x",
        "(and(first_name.eq.Ada)",
        "(first_name.like.abc\\)",
        r#"(title.eq."CTO)"#,
        "(title.eq.CTO(x)",
    ] {
        key.list("/contacts", &[("or", wrong)]).error(400, "validation_error");
    }
    key.list("/contacts", &[("or", "(frist_name.eq.Ada)")])
        .error(400, "validation_error")
        .says("frist_name")
        .says("first_name");
    key.list("/contacts", &[("or", "(years_experience.like.1)")])
        .error(400, "validation_error")
        .says("years_experience");
    let deep = format!("{}first_name.eq.Ada{}", "(or".repeat(500), ")".repeat(500));
    key.list("/contacts", &[("or", &format!("({deep})"))]).error(400, "validation_error");
}

fn created_after_and_created_before_filter(world: &World) {
    let key = world.key("crm");
    let people = cast(&key);
    let chloe = text(&people[2]["created_at"]);
    find_all(
        &key,
        &[
            ("created_after", &chloe, "Chloé Дмитрий Eve Fritz"),
            ("created_before", &chloe, "Ada Béla"),
            ("created_after", "2001-01-01", EVERYONE),
            ("created_before", "2001-01-01", ""),
            ("created_after", "2001-01-01T00:00:00+02:00", EVERYONE),
        ],
    );
    let eve = text(&people[4]["created_at"]);
    assert_eq!(found(&key, &[("created_after", &chloe), ("created_before", &eve)]), "Chloé Дмитрий");
    for name in ["created_after", "created_before"] {
        for wrong in ["yesterday", "", "2026-02-30", "gt.2026-01-01"] {
            key.list("/contacts", &[(name, wrong)]).invalid(name);
        }
    }
}

fn archived_contacts_are_listed_unless_filtered(world: &World) {
    let key = world.key("crm");
    let people = cast(&key);
    key.delete(&format!("/contacts/{}", text(&people[0]["id"]))).ok();
    find_all(
        &key,
        &[
            ("archived_at", "is.null", "Béla Chloé Дмитрий Eve"),
            ("archived_at", "is.not_null", "Ada Fritz"),
            ("archived_at", "gt.2001-01-01", "Ada Fritz"),
            ("global_status", "archived", "Ada Fritz"),
        ],
    );
    assert_eq!(found(&key, &[]), EVERYONE);
}

const OF_TEXT: &[&str] = &["eq", "neq", "gt", "gte", "lt", "lte", "like", "ilike", "in", "is"];
const OF_NUMBERS: &[&str] = &["eq", "neq", "gt", "gte", "lt", "lte", "in", "is"];
const OF_CHOICES: &[&str] = &["eq", "neq", "in", "is"];
const OF_LISTS: &[&str] = &["cs", "ov", "is"];

/// Every field that contacts can be filtered by, with its operators and a matching value.
pub const FILTERS: [(&str, &[&str], &str); 20] = [
    ("first_name", OF_TEXT, "abc"),
    ("last_name", OF_TEXT, "abc"),
    ("title", OF_TEXT, "abc"),
    ("current_company", OF_TEXT, "abc"),
    ("location", OF_TEXT, "abc"),
    ("network_profile", OF_TEXT, "abc"),
    ("email", OF_TEXT, "abc"),
    ("phone", OF_TEXT, "123"),
    ("years_experience", OF_NUMBERS, "7"),
    ("created_at", OF_NUMBERS, "2026-01-15T10:30:00Z"),
    ("updated_at", OF_NUMBERS, "2026-01-15T10:30:00Z"),
    ("last_contacted_at", OF_NUMBERS, "2026-01-15T10:30:00Z"),
    ("archived_at", OF_NUMBERS, "2026-01-15T10:30:00Z"),
    ("global_status", OF_CHOICES, "new"),
    ("contact_type", OF_CHOICES, "client"),
    ("do_not_contact", OF_CHOICES, "true"),
    ("company_id", OF_CHOICES, "01234567-89ab-7def-8123-456789abcdef"),
    ("tags", OF_LISTS, "abc"),
    ("skills", OF_LISTS, "abc"),
    ("languages", OF_LISTS, "abc"),
];

fn every_field_accepts_exactly_the_operators_of_its_type(world: &World) {
    world.set(&["--rate-limit", "100000"]);
    let key = world.key("crm");
    for (field, operators, value) in FILTERS {
        for operator in ["eq", "neq", "gt", "gte", "lt", "lte", "like", "ilike", "in", "is", "cs", "ov"] {
            let operand = match operator {
                "in" => format!("({value},{value})"),
                "is" => "null".to_owned(),
                "cs" | "ov" => format!("{{{value}}}"),
                _ => value.to_owned(),
            };
            let (plain, negated) = (format!("{operator}.{operand}"), format!("not.{operator}.{operand}"));
            let nested = format!("({field}.{operator}.{operand})");
            if operators.contains(&operator) {
                for parameters in [(field, &plain), (field, &negated), ("or", &nested)] {
                    key.list("/contacts", &[(parameters.0, parameters.1)]).page();
                }
            } else {
                key.list("/contacts", &[(field, &plain)]).invalid(field).says(operator).says(operators[0]);
                key.list("/contacts", &[(field, &negated)]).invalid(field).says(operator);
                key.list("/contacts", &[("or", &nested)]).error(400, "validation_error").says(field).says(operator);
            }
        }
    }
}

/// What contacts can be sorted by.
pub const SORTS: [&str; 8] = [
    "created_at",
    "updated_at",
    "first_name",
    "last_name",
    "title",
    "current_company",
    "years_experience",
    "last_contacted_at",
];

/// The ids of a whole list, read by cursor.
#[track_caller]
pub fn walked(key: &Client, parameters: &[(&str, &str)], limit: usize) -> Vec<String> {
    let limit_text = limit.to_string();
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = key.list("/contacts", &[parameters, &[("limit", &limit_text), ("cursor", &cursor)]].concat()).page();
        let mut names: Vec<&str> = page.meta.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["has_more", "limit", "next_cursor"], "the members of a cursor's meta");
        assert_eq!(page.meta["limit"], limit);
        assert_eq!(page.next().is_some(), page.has_more(), "next_cursor exists exactly if there is more");
        if page.has_more() {
            assert_eq!(page.rows.len(), limit, "a page in the middle is full");
        }
        seen.extend(page.ids());
        match page.next() {
            Some(next) => cursor = next,
            None => return seen,
        }
    }
}

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
