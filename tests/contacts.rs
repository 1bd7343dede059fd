//! Contacts: their members, invalid values, changes and archiving.

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
    a_change_touches_only_what_is_sent,
    null_clears_optional_members,
    a_record_can_be_read_changed_and_sent_back,
    a_change_that_changes_nothing_leaves_no_trace,
    a_refused_change_changes_nothing,
    deleting_archives,
    archiving_again_changes_nothing,
    restoring_gives_back_the_earlier_status,
    any_other_status_restores_too,
    archived_at_accepts_null_or_its_current_value,
    archiving_by_status_needs_the_scope_to_delete,
    a_contact_can_be_created_archived,
    a_missing_contact_is_not_found,
    unknown_tags_are_created,
    tags_given_in_a_change_replace_the_set,
    a_tag_is_attached_once,
    a_tag_is_attached_by_name_in_any_case,
    a_tag_that_cannot_be_attached_is_refused,
    a_tag_is_removed_by_id_or_by_name,
    removing_a_tag_must_say_which,
    a_contact_has_at_most_a_hundred_tags,
    changes_at_once_are_all_kept,
    later_writes_have_later_stamps,
];

/// A contact with a value in every member that a client may set.
fn ada() -> Value {
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
fn someone(key: &Client, first_name: &str) -> Value {
    key.post("/contacts", json!({"first_name": first_name})).created()
}

fn path(contact: &Value) -> String {
    format!("/contacts/{}", text(&contact["id"]))
}

/// Sends a body with a first name and this one member.
#[track_caller]
fn try_member(key: &Client, name: &str, value: &Value) -> Answer {
    let mut body = json!({"first_name": "Ada"});
    body[name] = value.clone();
    key.post("/contacts", body)
}

fn letters(count: usize) -> String {
    // Two bytes each: lengths are in characters.
    "é".repeat(count)
}

fn many<T: Into<Value>>(count: usize, make: impl FnMut(usize) -> T) -> Value {
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
fn is_time(value: &Value) -> bool {
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

fn a_change_touches_only_what_is_sent(world: &World) {
    let key = world.key("crm");
    let before = key.post("/contacts", ada()).created();

    let after = key.put(&path(&before), json!({"title": "Countess", "years_experience": 13})).ok();
    let mut expected = before.clone();
    expected["title"] = json!("Countess");
    expected["years_experience"] = json!(13);
    expected["updated_at"] = after["updated_at"].clone();
    assert_eq!(after, expected);
    assert!(text(&after["updated_at"]) > text(&before["updated_at"]), "updated_at did not move");
    assert_eq!(key.get(&path(&before)).ok(), after);

    let patched = key.patch(&path(&before), json!({"first_name": "Augusta", "emails": []})).ok();
    expected["first_name"] = json!("Augusta");
    expected["emails"] = json!([]);
    expected["updated_at"] = patched["updated_at"].clone();
    assert_eq!(patched, expected);
    assert!(text(&patched["updated_at"]) > text(&after["updated_at"]), "updated_at did not move");

    for status in ["replied", "new", "contacted", "qualified"] {
        assert_eq!(key.put(&path(&before), json!({"global_status": status})).ok()["global_status"], status);
    }
}

fn null_clears_optional_members(world: &World) {
    let key = world.key("crm");
    let contact = key.post("/contacts", ada()).created();
    for name in ["last_name", "title", "current_company", "location", "network_profile", "summary", "years_experience"]
    {
        assert_eq!(key.put(&path(&contact), json!({name: null})).ok()[name], json!(null), "{name}");
        assert_eq!(key.get(&path(&contact)).ok()[name], json!(null), "{name}");
    }
    for name in ["first_name", "global_status", "contact_type", "do_not_contact"] {
        key.put(&path(&contact), json!({name: null})).invalid(name);
    }
    for name in ["emails", "phones", "skills", "languages", "tags"] {
        assert_eq!(key.put(&path(&contact), json!({name: []})).ok()[name], json!([]), "{name}");
    }
}

fn a_record_can_be_read_changed_and_sent_back(world: &World) {
    let key = world.key("crm");
    let mut record = key.post("/contacts", ada()).created();
    let mine = record.clone();
    record["title"] = json!("Countess");
    let after = key.put(&path(&mine), record).ok();
    assert_eq!(after["title"], "Countess");

    // Members that only the service sets are ignored.
    let forged = json!({
        "id": nobody(),
        "created_at": "2001-01-01T00:00:00.000Z",
        "updated_at": "2001-01-01T00:00:00.000Z",
        "last_contacted_at": "2001-01-01T00:00:00.000Z",
    });
    assert_eq!(key.put(&path(&mine), forged.clone()).ok(), after);

    let mut copy = forged;
    copy["first_name"] = json!("Ada");
    let created = key.post("/contacts", copy.clone()).created();
    assert_ne!(created["id"], copy["id"]);
    assert_ne!(created["created_at"], copy["created_at"]);
    assert_eq!(created["last_contacted_at"], json!(null));
}

fn a_change_that_changes_nothing_leaves_no_trace(world: &World) {
    let key = world.key("crm");
    let contact = key.post("/contacts", ada()).created();
    let events = world.events();
    for same in [
        json!({}),
        json!({"first_name": "Ada"}),
        json!({"first_name": "  Ada "}),
        json!({"tags": contact["tags"], "emails": contact["emails"], "summary": contact["summary"]}),
        json!({"archived_at": null}),
        contact.clone(),
    ] {
        assert_eq!(key.put(&path(&contact), same.clone()).ok(), contact, "{same}");
        assert_eq!(key.patch(&path(&contact), same.clone()).ok(), contact, "{same}");
    }
    assert_eq!(world.events(), events, "an event was written for a change that changed nothing");
    key.put(&path(&contact), json!({"title": "Countess"})).ok();
    assert_eq!(world.events(), events + 1, "a change makes one event");
}

fn a_refused_change_changes_nothing(world: &World) {
    let key = world.key("crm");
    let contact = key.post("/contacts", ada()).created();
    key.put(&path(&contact), json!({"title": "Countess", "tags": ["Brand new"], "years_experience": 81}))
        .invalid("years_experience");
    key.put(&path(&contact), json!({"title": "Countess", "emails": [{"email": "ada"}]})).invalid("emails.0.email");
    assert_eq!(key.get(&path(&contact)).ok(), contact);
    assert_eq!(key.list("/tags", &[("name", "Brand new")]).page().total(), 0, "a tag was made by a refused change");
}

fn deleting_archives(world: &World) {
    let key = world.key("crm");
    let before = key.post("/contacts", ada()).created();
    let archived = key.delete(&path(&before)).ok();

    let mut expected = before.clone();
    expected["global_status"] = json!("archived");
    expected["archived_at"] = archived["archived_at"].clone();
    expected["updated_at"] = archived["updated_at"].clone();
    assert_eq!(archived, expected);
    assert!(is_time(&archived["archived_at"]), "{archived}");
    assert!(text(&archived["updated_at"]) > text(&before["updated_at"]), "updated_at did not move");

    assert_eq!(key.get(&path(&before)).ok(), archived);
    assert_eq!(key.get("/contacts").page().rows, [archived]);
    assert_eq!(key.list("/contacts", &[("archived_at", "is.null")]).page().rows, [] as [Value; 0]);
}

fn archiving_again_changes_nothing(world: &World) {
    let key = world.key("crm");
    let contact = someone(&key, "Ada");
    let archived = key.delete(&path(&contact)).ok();
    assert_eq!(key.delete(&path(&contact)).ok(), archived);
    assert_eq!(key.put(&path(&contact), json!({"global_status": "archived"})).ok(), archived);
}

fn restoring_gives_back_the_earlier_status(world: &World) {
    let key = world.key("crm");
    for status in ["new", "contacted", "replied", "qualified"] {
        let contact = try_member(&key, "global_status", &json!(status)).created();
        let archived = key.delete(&path(&contact)).ok();
        // A change while it is archived does not lose the earlier status.
        key.put(&path(&contact), json!({"title": "Countess"})).ok();
        let restored = key.put(&path(&contact), json!({"archived_at": null})).ok();
        assert_eq!(restored["global_status"], status);
        assert_eq!(restored["archived_at"], json!(null));
        assert!(text(&restored["updated_at"]) > text(&archived["updated_at"]), "updated_at did not move");
    }
    let contact = try_member(&key, "global_status", &json!("replied")).created();
    key.put(&path(&contact), json!({"global_status": "archived"})).ok();
    assert_eq!(key.put(&path(&contact), json!({"archived_at": null})).ok()["global_status"], "replied");
}

fn any_other_status_restores_too(world: &World) {
    let key = world.key("crm");
    let contact = someone(&key, "Ada");
    key.delete(&path(&contact)).ok();
    let restored = key.put(&path(&contact), json!({"global_status": "contacted"})).ok();
    assert_eq!(restored["global_status"], "contacted");
    assert_eq!(restored["archived_at"], json!(null));
}

fn archived_at_accepts_null_or_its_current_value(world: &World) {
    let key = world.key("crm");
    let contact = someone(&key, "Ada");
    key.put(&path(&contact), json!({"archived_at": "2026-01-15T10:30:00.000Z"})).invalid("archived_at");
    assert_eq!(key.put(&path(&contact), json!({"archived_at": null})).ok(), contact);

    let archived = key.delete(&path(&contact)).ok();
    key.put(&path(&contact), json!({"archived_at": "2026-01-15T10:30:00.000Z"})).invalid("archived_at");
    key.put(&path(&contact), json!({"archived_at": "yesterday"})).invalid("archived_at");
    assert_eq!(key.put(&path(&contact), json!({"archived_at": archived["archived_at"]})).ok(), archived);
}

fn archiving_by_status_needs_the_scope_to_delete(world: &World) {
    let writer = world.key("contacts:read,contacts:write");
    let contact = someone(&writer, "Ada");
    let refused = writer.put(&path(&contact), json!({"global_status": "archived"}));
    refused.error(403, "insufficient_scope").says("contacts:delete");
    try_member(&writer, "global_status", &json!("archived")).error(403, "insufficient_scope").says("contacts:delete");
    writer.delete(&path(&contact)).error(403, "insufficient_scope").says("contacts:delete");
    assert_eq!(writer.get("/contacts").page().rows, [contact]);
}

fn a_contact_can_be_created_archived(world: &World) {
    let key = world.key("crm");
    let contact = try_member(&key, "global_status", &json!("archived")).created();
    assert_eq!(contact["archived_at"], contact["created_at"]);
    let restored = key.put(&path(&contact), json!({"archived_at": null})).ok();
    assert_eq!(restored["archived_at"], json!(null));
    assert_ne!(restored["global_status"], "archived");
}

fn a_missing_contact_is_not_found(world: &World) {
    let key = world.key("crm");
    let unknown = nobody();
    for id in [unknown.as_str(), "ada", "00000000", "1", "%27%20OR%201=1", "%00", "%FF"] {
        let path = format!("/contacts/{id}");
        key.get(&path).not_found();
        key.put(&path, json!({"title": "Countess"})).not_found();
        key.patch(&path, json!({"title": "Countess"})).not_found();
        key.delete(&path).not_found();
        key.post(&format!("{path}/tags"), json!({"name": "VIP"})).not_found();
        key.delete(&format!("{path}/tags?name=VIP")).not_found();
    }
    assert_eq!(key.get("/tags").page().total(), 0, "a tag was made for a contact that is not there");
}

fn unknown_tags_are_created(world: &World) {
    let key = world.key("crm");
    let vip = key.post("/tags", json!({"name": "VIP", "color": "#ff0000"})).created();

    let contact = try_member(&key, "tags", &json!(["vip", "Élite", "ÉLITE", " élite "])).created();
    assert_eq!(contact["tags"], json!(["VIP", "Élite"]), "names match in any case and are shown in the tag's spelling");

    let tags = key.list("/tags", &[("sort", "name")]).page();
    assert_eq!(tags.column("name"), ["VIP", "Élite"]);
    assert_eq!(tags.rows[0], vip);
    assert_eq!((&tags.rows[1]["scope"], &tags.rows[1]["color"]), (&json!("global"), &json!("#6b7280")));
    try_member(&key, "tags", &json!(["fine", " "])).invalid("tags.1");
}

fn tags_given_in_a_change_replace_the_set(world: &World) {
    let key = world.key("crm");
    let contact = try_member(&key, "tags", &json!(["One", "Two"])).created();
    let after = key.put(&path(&contact), json!({"tags": ["two", "Three"]})).ok();
    assert_eq!(after["tags"], json!(["Two", "Three"]));
    assert!(text(&after["updated_at"]) > text(&contact["updated_at"]), "updated_at did not move");
    assert_eq!(key.list("/contacts", &[("tags", "cs.{One}")]).page().total(), 0);
    assert_eq!(key.list("/contacts", &[("tags", "cs.{Two,Three}")]).page().total(), 1);
    assert_eq!(key.get("/tags").page().total(), 3, "a tag that was removed from a contact still exists");
}

fn a_tag_is_attached_once(world: &World) {
    let key = world.key("crm");
    let contact = someone(&key, "Ada");
    let tag = key.post("/tags", json!({"name": "VIP"})).created();
    let tags = format!("{}/tags", path(&contact));

    key.post(&tags, json!({"tag_id": tag["id"]})).created();
    let tagged = key.get(&path(&contact)).ok();
    assert_eq!(tagged["tags"], json!(["VIP"]));
    assert!(text(&tagged["updated_at"]) > text(&contact["updated_at"]), "updated_at did not move");

    key.post(&tags, json!({"tag_id": tag["id"]})).ok();
    key.post(&tags, json!({"name": "vip"})).ok();
    assert_eq!(key.get(&path(&contact)).ok(), tagged, "attaching again changed something");
}

fn a_tag_is_attached_by_name_in_any_case(world: &World) {
    let key = world.key("crm");
    let contact = someone(&key, "Ada");
    let tags = format!("{}/tags", path(&contact));
    key.post("/tags", json!({"name": "Straße"})).created();
    key.post(&tags, json!({"name": " STRAßE "})).created();
    // As in a contact's `tags`, a tag that does not exist is created.
    key.post(&tags, json!({"name": "Brand new"})).created();
    assert_eq!(key.get(&path(&contact)).ok()["tags"], json!(["Straße", "Brand new"]));
    assert_eq!(key.list("/tags", &[("sort", "name")]).page().column("name"), ["Brand new", "Straße"]);
}

fn a_tag_that_cannot_be_attached_is_refused(world: &World) {
    let key = world.key("crm");
    let contact = someone(&key, "Ada");
    let tags = format!("{}/tags", path(&contact));
    let unknown = nobody();
    key.post(&tags, json!({"tag_id": unknown})).invalid("tag_id");
    key.post(&tags, json!({"tag_id": "vip"})).invalid("tag_id");
    key.post(&tags, json!({"tag_id": null})).error(400, "validation_error");
    key.post(&tags, json!({"name": ""})).invalid("name");
    key.post(&tags, json!({"name": letters(101)})).invalid("name").says("100");
    key.post(&tags, json!({"label": "VIP"})).invalid("label");
    key.post(&tags, json!({})).error(400, "validation_error").says("tag_id").says("name");

    for scope in ["company", "deal", "project"] {
        let tag = key.post("/tags", json!({"name": format!("Of a {scope}"), "scope": scope})).created();
        key.post(&tags, json!({"tag_id": tag["id"]})).invalid("tag_id").says(scope);
        key.post(&tags, json!({"name": tag["name"]})).invalid("name").says(scope);
        try_member(&key, "tags", &json!([tag["name"]])).error(400, "validation_error").says("tags").says(scope);
    }
    let own = key.post("/tags", json!({"name": "Of a contact", "scope": "contact"})).created();
    key.post(&tags, json!({"tag_id": own["id"]})).created();
    assert_eq!(key.get(&path(&contact)).ok()["tags"], json!(["Of a contact"]));
}

fn a_tag_is_removed_by_id_or_by_name(world: &World) {
    let key = world.key("crm");
    let contact = try_member(&key, "tags", &json!(["One", "Two", "Drei", "Vier"])).created();
    let tags = format!("{}/tags", path(&contact));
    let one = key.list("/tags", &[("name", "eq.One")]).page().ids().concat();
    let four = key.list("/tags", &[("name", "eq.Vier")]).page().ids().concat();

    assert_eq!(key.delete(&format!("{tags}?tag_id={one}")).ok(), json!({"deleted": true}));
    let after = key.get(&path(&contact)).ok();
    assert_eq!(after["tags"], json!(["Two", "Drei", "Vier"]));
    assert!(text(&after["updated_at"]) > text(&contact["updated_at"]), "updated_at did not move");

    assert_eq!(key.delete(&format!("{tags}?name=tWO")).ok(), json!({"deleted": true}));
    assert_eq!(key.request("DELETE", &tags).json(&json!({"name": "Drei"})).send().ok(), json!({"deleted": true}));
    assert_eq!(key.request("DELETE", &tags).json(&json!({"tag_id": four})).send().ok(), json!({"deleted": true}));
    assert_eq!(key.get(&path(&contact)).ok()["tags"], json!([]));
    assert_eq!(key.get("/tags").page().total(), 4, "removing a tag from a contact deleted the tag");
    assert_eq!(key.list("/contacts", &[("tags", "ov.{One,Two,Drei,Vier}")]).page().total(), 0);
}

fn removing_a_tag_must_say_which(world: &World) {
    let key = world.key("crm");
    let contact = try_member(&key, "tags", &json!(["VIP"])).created();
    key.post("/tags", json!({"name": "Unused"})).created();
    let unused = key.list("/tags", &[("name", "Unused")]).page().ids().concat();
    let tags = format!("{}/tags", path(&contact));

    key.delete(&tags).error(400, "validation_error").says("tag_id").says("name");
    key.request("DELETE", &tags).json(&json!({})).send().error(400, "validation_error");
    key.delete(&format!("{tags}?tag_id=vip")).invalid("tag_id");
    key.delete(&format!("{tags}?nmae=VIP")).invalid("nmae").says("name");
    key.delete(&format!("{tags}?name=Unused")).not_found();
    key.delete(&format!("{tags}?name=Unknown")).not_found();
    key.delete(&format!("{tags}?tag_id={unused}")).not_found();
    key.delete(&format!("{tags}?tag_id={}", nobody())).not_found();
    assert_eq!(key.get(&path(&contact)).ok(), contact);
}

fn a_contact_has_at_most_a_hundred_tags(world: &World) {
    let key = world.key("crm");
    let contact = try_member(&key, "tags", &many(100, |number| format!("Tag {number}"))).created();
    let tags = format!("{}/tags", path(&contact));
    key.post(&tags, json!({"name": "One too many"})).error(400, "validation_error").says("100");
    key.post(&tags, json!({"name": "tag 7"})).ok();
    assert_eq!(key.get(&path(&contact)).ok(), contact);
    key.delete(&format!("{tags}?name=Tag%207")).ok();
    key.post(&tags, json!({"name": "One too many"})).created();
}

fn changes_at_once_are_all_kept(world: &World) {
    let key = world.key("crm");
    let contact = someone(&key, "Ada");
    let members = ["last_name", "title", "current_company", "location", "summary"];
    at_once(members.len(), |number| {
        for round in 0..10 {
            key.put(&path(&contact), json!({members[number]: format!("Round {round}")})).ok();
            let tags = format!("{}/tags", path(&contact));
            key.post(&tags, json!({"name": format!("Tag {number} {round}")})).created();
        }
    });
    let after = key.get(&path(&contact)).ok();
    for name in members {
        assert_eq!(after[name], "Round 9", "{name}");
    }
    assert_eq!(after["tags"].as_array().map(Vec::len), Some(50), "a tag was lost: {after}");
}

fn later_writes_have_later_stamps(world: &World) {
    let key = world.key("crm");
    let stamped = |contact: Value| (text(&contact["created_at"]), text(&contact["id"]));
    let writers: Vec<Vec<(String, String)>> = at_once(8, |_| (0..10).map(|_| stamped(someone(&key, "Ada"))).collect());
    for writer in &writers {
        // Each writer waited for an answer before its next write.
        assert!(
            writer.is_sorted_by(|earlier, later| earlier.0 < later.0),
            "a later commit without a later stamp: {writer:?}"
        );
    }
    let mut all = writers.concat();
    all.sort();
    assert!(all.is_sorted_by_key(|(_, id)| id.clone()), "ids are not in the order of created_at: {all:?}");
}
