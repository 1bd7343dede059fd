//! Contacts: their members, and invalid values.

use serde_json::{Value, json};

use crate::support::*;

stories![
    a_bare_contact_has_every_member,
    a_full_contact_is_returned_as_sent,
    a_contact_needs_a_first_name,
    text_has_a_maximum_length,
    lists_have_a_maximum_length,
    numbers_keep_to_their_range,
    every_member_keeps_to_its_type,
    errors_of_enumerated_members_list_the_allowed_words,
    a_profile_is_a_web_address,
    all_problems_are_reported_at_once,
    an_unknown_member_is_named_with_a_suggestion,
    text_is_trimmed_and_composed,
    invalid_text_is_refused,
    a_single_email_goes_in_front,
    a_single_phone_goes_in_front,
    addresses_have_types,
    addresses_are_checked_one_by_one,
    duplicates_are_created_all_the_same,
    custom_data_accepts_only_defined_keys,
    a_company_must_exist,
];

/// A contact with a value in every member that a client may set.
pub(crate) fn ada() -> Value {
    json!({
        "first_name": "Ada",
        "last_name": "Lovelace",
        "title": "Analyst",
        "current_company": "Analytical Engines",
        "location": "London, United Kingdom",
        "network_profile": "https://network.example.com/in/ada",
        "emails": [
            {"email": "ada@example.com", "type": "work"},
            {"email": "ada@home.example.com", "type": "personal"},
        ],
        "phones": [
            {"phone": "+44 20 7946 0958", "type": "work"},
            {"phone": "020 7946 0001", "type": "mobile"},
        ],
        "tags": ["Mathematics", "VIP"],
        "global_status": "qualified",
        "summary": "Wrote the first program.\nKeeps notes.",
        "skills": ["Bernoulli numbers", "C, and its children"],
        "languages": ["English", "Français"],
        "years_experience": 12,
        "custom_data": {},
        "do_not_contact": true,
        "contact_type": "client",
    })
}

/// Creates a contact with this name.
#[track_caller]
pub(crate) fn someone(key: &Client, first_name: &str) -> Value {
    key.post("/contacts", json!({"first_name": first_name})).created()
}

pub(crate) fn path(contact: &Value) -> String {
    format!("/contacts/{}", text(&contact["id"]))
}

/// Sends a body with a first name and this one member.
#[track_caller]
pub(crate) fn try_member(key: &Client, name: &str, value: &Value) -> Answer {
    let mut body = json!({"first_name": "Ada"});
    body[name] = value.clone();
    key.post("/contacts", body)
}

pub(crate) fn letters(count: usize) -> String {
    // Two bytes each: lengths are in characters.
    "é".repeat(count)
}

pub(crate) fn many<T: Into<Value>>(count: usize, make: impl FnMut(usize) -> T) -> Value {
    (0..count).map(make).map(Into::into).collect::<Vec<Value>>().into()
}

fn a_bare_contact_has_every_member(world: &World) {
    let key = world.key("crm");
    let answer = key.post("/contacts", json!({"first_name": "Ada"}));
    let contact = answer.created();
    let id = text(&contact["id"]);

    assert_eq!(answer.header("Location"), format!("/api/v1/contacts/{id}"));
    let version = uuid::Uuid::parse_str(&id).map(|id| id.get_version_num());
    assert_eq!(version.ok(), Some(7), "{id} is not a UUID of version 7");
    assert!(is_time(&contact["created_at"]), "{}", contact["created_at"]);
    assert_eq!(
        contact,
        json!({
            "id": id,
            "first_name": "Ada",
            "last_name": null,
            "title": null,
            "current_company": null,
            "location": null,
            "network_profile": null,
            "emails": [],
            "phones": [],
            "tags": [],
            "global_status": "new",
            "summary": null,
            "skills": [],
            "languages": [],
            "years_experience": null,
            "custom_data": {},
            "do_not_contact": false,
            "contact_type": "candidate",
            "company_id": null,
            "created_at": contact["created_at"],
            "updated_at": contact["created_at"],
            "last_contacted_at": null,
            "archived_at": null,
        })
    );
    assert_eq!(key.get(&path(&contact)).ok(), contact);
}

/// UTC with milliseconds, as the interface writes times.
pub(crate) fn is_time(value: &Value) -> bool {
    let Some(time) = value.as_str() else {
        return false;
    };
    let shape: String = time.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect();
    shape == "0000-00-00T00:00:00.000Z"
}

fn a_full_contact_is_returned_as_sent(world: &World) {
    let key = world.key("crm");
    let contact = key.post("/contacts", ada()).created();
    for (name, sent) in ada().as_object().into_iter().flatten() {
        assert_eq!(&contact[name], sent, "{name}");
    }
    assert_eq!(key.get(&path(&contact)).ok(), contact);
    assert_eq!(key.get("/contacts").page().rows, [contact]);
}

fn a_contact_needs_a_first_name(world: &World) {
    let key = world.key("crm");
    for body in [
        json!({}),
        json!({"first_name": null}),
        json!({"first_name": ""}),
        json!({"first_name": " \t\n "}),
        json!({"last_name": "Lovelace"}),
    ] {
        key.post("/contacts", body).invalid("first_name");
    }
    assert_eq!(key.get("/contacts").page().total(), 0);
}

fn text_has_a_maximum_length(world: &World) {
    let key = world.key("crm");
    for (name, longest) in [
        ("first_name", 100),
        ("last_name", 100),
        ("title", 255),
        ("current_company", 255),
        ("location", 255),
        ("summary", 10_000),
    ] {
        let longest_text = json!(letters(longest));
        assert_eq!(try_member(&key, name, &longest_text).created()[name], longest_text, "{name}");
        try_member(&key, name, &json!(letters(longest + 1))).invalid(name).says(&longest.to_string());
    }

    let address = |length: usize| format!("https://example.com/{}", "a".repeat(length - 20));
    assert_eq!(try_member(&key, "network_profile", &json!(address(500))).created()["network_profile"], address(500));
    try_member(&key, "network_profile", &json!(address(501))).invalid("network_profile").says("500");

    let phone = |length: usize| json!([{"phone": "1".repeat(length)}]);
    try_member(&key, "phones", &phone(32)).created();
    try_member(&key, "phones", &phone(33)).invalid("phones.0.phone").says("32");
}

fn lists_have_a_maximum_length(world: &World) {
    let key = world.key("crm");
    for name in ["skills", "languages", "tags"] {
        let hundred = many(100, |n| format!("{name} {n}"));
        assert_eq!(try_member(&key, name, &hundred).created()[name].as_array().map(Vec::len), Some(100), "{name}");
        try_member(&key, name, &many(101, |n| format!("{name} {n}"))).invalid(name).says("100");

        try_member(&key, name, &json!(["short", letters(100)])).created();
        try_member(&key, name, &json!(["short", letters(101)])).invalid(&format!("{name}.1")).says("100");
    }
    for (name, member, address) in [("emails", "email", "@example.com"), ("phones", "phone", "000")] {
        let addresses = |count| many(count, |n| json!({member: format!("{n}{address}")}));
        assert_eq!(try_member(&key, name, &addresses(5)).created()[name].as_array().map(Vec::len), Some(5));
        try_member(&key, name, &addresses(6)).invalid(name).says("5");
    }
}

fn numbers_keep_to_their_range(world: &World) {
    let key = world.key("crm");
    for years in [0, 1, 80] {
        assert_eq!(try_member(&key, "years_experience", &json!(years)).created()["years_experience"], years);
    }
    for wrong in [json!(-1), json!(81), json!(1.5), json!("12"), json!(1e300), json!(10_000_000_000_000_000_000_u64)] {
        try_member(&key, "years_experience", &wrong).invalid("years_experience");
    }
}

fn every_member_keeps_to_its_type(world: &World) {
    let key = world.key("crm");
    for name in ["first_name", "last_name", "title", "current_company", "location", "network_profile", "summary"] {
        for wrong in [json!(7), json!(true), json!(["Ada"]), json!({"name": "Ada"})] {
            try_member(&key, name, &wrong).invalid(name);
        }
    }
    for name in ["emails", "phones", "tags", "skills", "languages"] {
        for wrong in [json!("one"), json!(7), json!({"0": "one"})] {
            try_member(&key, name, &wrong).invalid(name);
        }
        try_member(&key, name, &json!([7])).invalid(&format!("{name}.0"));
    }
    for name in ["email", "phone"] {
        for wrong in [json!(7), json!(["ada@example.com"])] {
            try_member(&key, name, &wrong).invalid(name);
        }
    }
    for wrong in [json!("true"), json!(1), json!(null)] {
        try_member(&key, "do_not_contact", &wrong).invalid("do_not_contact");
    }
    for wrong in [json!("x"), json!([]), json!(7), json!(null)] {
        try_member(&key, "custom_data", &wrong).invalid("custom_data");
    }
    assert_eq!(key.get("/contacts").page().total(), 0);
}

fn errors_of_enumerated_members_list_the_allowed_words(world: &World) {
    let key = world.key("crm");
    for status in ["new", "contacted", "replied", "qualified", "archived"] {
        assert_eq!(try_member(&key, "global_status", &json!(status)).created()["global_status"], status);
    }
    for wrong in [json!("hired"), json!("NEW"), json!(""), json!(1), json!(null)] {
        try_member(&key, "global_status", &wrong).invalid("global_status");
    }
    try_member(&key, "global_status", &json!("hired")).invalid("global_status").says("contacted").says("qualified");

    for kind in ["candidate", "client", "prospect", "other"] {
        assert_eq!(try_member(&key, "contact_type", &json!(kind)).created()["contact_type"], kind);
    }
    try_member(&key, "contact_type", &json!("friend")).invalid("contact_type").says("prospect");
}

fn a_profile_is_a_web_address(world: &World) {
    let key = world.key("crm");
    for right in ["https://network.example.com/in/ada", "http://example.com", "https://example.com/a?b=c#d"] {
        assert_eq!(try_member(&key, "network_profile", &json!(right)).created()["network_profile"], right);
    }
    for wrong in
        ["network.example.com/in/ada", "ftp://example.com/ada", "javascript:alert(1)", "https://", "https:// a"]
    {
        try_member(&key, "network_profile", &json!(wrong)).invalid("network_profile");
    }
}

fn all_problems_are_reported_at_once(world: &World) {
    let key = world.key("crm");
    let answer = key.post(
        "/contacts",
        json!({
            "first_name": letters(101),
            "years_experience": 81,
            "emails": [{"email": "ada@example.com"}, {"email": "nobody"}],
            "frist_name": "Ada",
        }),
    );
    let failure = answer.invalid("first_name").at("years_experience").at("emails.1.email").at("frist_name");
    assert_eq!(failure.details().len(), 4, "{answer}");
    assert_eq!(failure.message().matches("; ").count(), 3, "{answer}");
}

fn an_unknown_member_is_named_with_a_suggestion(world: &World) {
    let key = world.key("crm");
    let contact = someone(&key, "Ada");
    for (misspelt, meant) in [("frist_name", "first_name"), ("skill", "skills"), ("globalStatus", "global_status")] {
        try_member(&key, misspelt, &json!("x")).invalid(misspelt).says(meant);
        key.put(&path(&contact), json!({misspelt: "x"})).invalid(misspelt).says(meant);
    }
    try_member(&key, "favourite_dinosaur", &json!("x")).invalid("favourite_dinosaur");
    try_member(&key, "workspace_id", &json!("x")).invalid("workspace_id");
    // Names of members are case-sensitive.
    try_member(&key, "First_Name", &json!("x")).invalid("First_Name").says("first_name");
    try_member(&key, "", &json!("x")).error(400, "validation_error");
}

fn text_is_trimmed_and_composed(world: &World) {
    let key = world.key("crm");
    let contact = key
        .post(
            "/contacts",
            json!({"first_name": "  Zoe\u{308} \n", "skills": [" Cafe\u{301} "], "title": "\u{a0}CTO\u{3000}"}),
        )
        .created();
    assert_eq!(contact["first_name"], "Zoë");
    assert_eq!(contact["skills"], json!(["Café"]));
    assert_eq!(contact["title"], "CTO");
    // The length is measured after trimming and composing.
    let padded = format!("  {}  ", "e\u{301}".repeat(100));
    assert_eq!(try_member(&key, "last_name", &json!(padded)).created()["last_name"], letters(100));
}

fn invalid_text_is_refused(world: &World) {
    let key = world.key("crm");
    try_member(&key, "first_name", &json!("A\0da")).invalid("first_name");
    try_member(&key, "skills", &json!(["fine", "not\0fine"])).invalid("skills.1");
    for lone in [r#"{"first_name": "A\ud800da"}"#, r#"{"first_name": "\udc00"}"#, r#"{"first_name": "\ud83d \ude00"}"#]
    {
        key.request("POST", "/contacts").body(lone).send().error(400, "validation_error");
    }
    let pair = key.request("POST", "/contacts").body(r#"{"first_name": "\ud83d\ude00"}"#).send().created();
    assert_eq!(pair["first_name"], "😀");
    assert_eq!(key.get("/contacts").page().total(), 1);
}

fn a_single_email_goes_in_front(world: &World) {
    let key = world.key("crm");
    let emails = |count| many(count, |n| json!({"email": format!("ada{n}@example.com")}));

    let contact = try_member(&key, "email", &json!("ada@example.com")).created();
    assert_eq!(contact["emails"], json!([{"email": "ada@example.com", "type": "work"}]));
    assert_eq!(contact.get("email"), None, "the shortcut is not a member of the record");

    let both = json!({"first_name": "Ada", "email": "ada@example.com", "emails": emails(2)});
    let contact = key.post("/contacts", both).created();
    assert_eq!(member(&contact["emails"], "email"), ["ada@example.com", "ada0@example.com", "ada1@example.com"]);

    // The single email is one of the others in another case: it counts once.
    let same = json!({"first_name": "Ada", "email": "ADA4@example.com", "emails": emails(5)});
    let contact = key.post("/contacts", same).created();
    assert_eq!(contact["emails"].as_array().map(Vec::len), Some(5));
    assert_eq!(text(&contact["emails"][0]["email"]).to_lowercase(), "ada4@example.com");

    let sixth = json!({"first_name": "Ada", "email": "ada@example.com", "emails": emails(5)});
    key.post("/contacts", sixth).invalid("emails").says("5");

    let twice = json!([{"email": "ada@example.com"}, {"email": "Ada@Example.com"}, {"email": "zoe@example.com"}]);
    let contact = try_member(&key, "emails", &twice).created();
    assert_eq!(contact["emails"].as_array().map(Vec::len), Some(2), "{contact}");
}

fn a_single_phone_goes_in_front(world: &World) {
    let key = world.key("crm");
    let phones = |count| many(count, |n| json!({"phone": format!("+44 20 0000 000{n}")}));

    let contact = try_member(&key, "phone", &json!("(020) 7946-0958")).created();
    assert_eq!(contact["phones"], json!([{"phone": "(020) 7946-0958", "type": "personal"}]));
    assert_eq!(contact.get("phone"), None, "the shortcut is not a member of the record");

    let both = json!({"first_name": "Ada", "phone": "1", "phones": phones(2)});
    let contact = key.post("/contacts", both).created();
    assert_eq!(member(&contact["phones"], "phone"), ["1", "+44 20 0000 0000", "+44 20 0000 0001"]);

    // Phones are compared by their digits, so these are the same.
    let same = json!({"first_name": "Ada", "phone": "+442000000004", "phones": phones(5)});
    let contact = key.post("/contacts", same).created();
    assert_eq!(contact["phones"].as_array().map(Vec::len), Some(5));
    let digits: String = text(&contact["phones"][0]["phone"]).chars().filter(char::is_ascii_digit).collect();
    assert_eq!(digits, "442000000004");

    let sixth = json!({"first_name": "Ada", "phone": "1", "phones": phones(5)});
    key.post("/contacts", sixth).invalid("phones").says("5");
}

fn addresses_have_types(world: &World) {
    let key = world.key("crm");
    for kind in ["work", "personal", "other"] {
        let emails = json!([{"email": "ada@example.com", "type": kind}]);
        assert_eq!(try_member(&key, "emails", &emails).created()["emails"], emails);
    }
    for kind in ["personal", "work", "mobile", "home", "other"] {
        let phones = json!([{"phone": "+44 20 7946 0958", "type": kind}]);
        assert_eq!(try_member(&key, "phones", &phones).created()["phones"], phones);
    }
    let contact = key
        .post(
            "/contacts",
            json!({"first_name": "Ada", "emails": [{"email": "ada@example.com"}], "phones": [{"phone": "1"}]}),
        )
        .created();
    assert_eq!(contact["emails"][0]["type"], "work");
    assert_eq!(contact["phones"][0]["type"], "personal");

    try_member(&key, "emails", &json!([{"email": "ada@example.com", "type": "home"}]))
        .invalid("emails.0.type")
        .says("personal");
    try_member(&key, "phones", &json!([{"phone": "1", "type": "fax"}])).invalid("phones.0.type").says("mobile");
}

fn addresses_are_checked_one_by_one(world: &World) {
    let key = world.key("crm");
    let good = json!({"email": "ada@example.com"});
    for wrong in ["ada", "ada@", "@example.com", "ada example@example.com", "ada@exa mple.com", "a@b@example.com"] {
        try_member(&key, "emails", &json!([good, {"email": wrong}])).invalid("emails.1.email");
        try_member(&key, "email", &json!(wrong)).invalid("email");
    }
    let failure = try_member(&key, "emails", &json!([{"email": "ada"}])).invalid("emails.0.email");
    assert_eq!(failure.message(), "emails.0.email: is not an email address");

    try_member(&key, "emails", &json!([{"type": "work"}])).invalid("emails.0.email");
    try_member(&key, "emails", &json!([{"email": null}])).invalid("emails.0.email");
    try_member(&key, "emails", &json!([{"email": ""}])).invalid("emails.0.email");
    try_member(&key, "emails", &json!(["ada@example.com"])).invalid("emails.0");
    try_member(&key, "emails", &json!([{"email": "ada@example.com", "kind": "work"}])).invalid("emails.0.kind");
    try_member(&key, "phones", &json!([{"type": "work"}])).invalid("phones.0.phone");
    try_member(&key, "phones", &json!([{"phone": "  "}])).invalid("phones.0.phone");
}

fn duplicates_are_created_all_the_same(world: &World) {
    let key = world.key("crm");
    let first = key.post("/contacts", ada()).created();
    let second = key.post("/contacts", ada()).created();
    assert_ne!(first["id"], second["id"]);
    assert_eq!(key.get("/contacts").page().total(), 2);
}

fn custom_data_accepts_only_defined_keys(world: &World) {
    let key = world.key("crm");
    try_member(&key, "custom_data", &json!({"shoe_size": 43})).invalid("custom_data.shoe_size");
    let contact = try_member(&key, "custom_data", &json!({})).created();
    key.put(&path(&contact), json!({"custom_data": {"shoe_size": 43}})).invalid("custom_data.shoe_size");
    key.put(&path(&contact), json!({"custom_data": null})).invalid("custom_data");
}

fn a_company_must_exist(world: &World) {
    let key = world.key("crm");
    let nowhere = nobody();
    try_member(&key, "company_id", &json!(nowhere)).invalid("company_id");
    try_member(&key, "company_id", &json!("acme")).invalid("company_id");
    assert_eq!(try_member(&key, "company_id", &json!(null)).created()["company_id"], json!(null));
}
