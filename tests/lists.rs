//! Lists: the filter grammar, tested on contacts.

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
];

/// Six contacts, in the order of their creation: every kind of value, missing values, and special characters.
pub(crate) fn cast(key: &Client) -> Vec<Value> {
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
pub(crate) fn found(key: &Client, filters: &[(&str, &str)]) -> String {
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

pub(crate) const EVERYONE: &str = "Ada Béla Chloé Дмитрий Eve Fritz";

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
pub(crate) const FILTERS: [(&str, &[&str], &str); 20] = [
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
pub(crate) const SORTS: [&str; 8] = [
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
pub(crate) fn walked(key: &Client, parameters: &[(&str, &str)], limit: usize) -> Vec<String> {
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
