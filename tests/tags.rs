//! Tags: named labels of a workspace on its records.

use serde_json::{Value, json};

use crate::support::*;

stories![
    a_bare_tag_has_every_member,
    a_full_tag_is_returned_as_sent,
    a_tag_name_is_required_and_has_a_maximum_length,
    a_color_is_six_digits_of_hexadecimal,
    a_scope_is_one_of_five,
    names_are_unique_in_any_case,
    concurrent_tags_of_one_name_are_created_once,
    renaming_a_tag_shows_at_once_and_changes_no_contact,
    renaming_keeps_names_unique,
    a_change_touches_only_what_is_sent,
    deleting_a_tag_removes_it_from_every_record_at_once,
    a_deleted_name_can_be_given_again,
    tags_are_listed_filtered_and_sorted,
    a_missing_tag_is_not_found,
    a_create_answers_with_the_stored_record,
    a_newly_filled_table_is_listed_at_once,
    merged_tags_show_as_one_at_once,
    a_record_changes_while_its_tags_are_merged,
    tags_are_merged_one_after_another,
    a_merge_of_tags_continues_after_a_kill,
    invalid_tag_merges_are_refused,
];

#[track_caller]
fn tag(key: &Client, name: &str) -> Value {
    key.post("/tags", json!({"name": name})).created()
}

fn path(tag: &Value) -> String {
    format!("/tags/{}", text(&tag["id"]))
}

#[track_caller]
fn tagged(key: &Client, names: &[&str]) -> Value {
    key.post("/contacts", json!({"first_name": "Ada", "tags": names})).created()
}

#[track_caller]
fn reread(key: &Client, contact: &Value) -> Value {
    key.get(&format!("/contacts/{}", text(&contact["id"]))).ok()
}

fn a_bare_tag_has_every_member(world: &World) {
    let key = world.key("crm");
    let answer = key.post("/tags", json!({"name": "VIP"}));
    let tag = answer.created();
    assert_eq!(answer.header("Location"), format!("/api/v1/tags/{}", text(&tag["id"])));
    assert_eq!(key.get(&path(&tag)).ok(), tag, "the Location opens");
    let expected = json!({
        "id": tag["id"],
        "name": "VIP",
        "color": "#6b7280",
        "scope": "global",
        "created_at": tag["created_at"],
    });
    assert_eq!(tag, expected);
    assert_eq!(key.get("/tags").page().rows, [tag]);
}

fn a_full_tag_is_returned_as_sent(world: &World) {
    let key = world.key("crm");
    let tag = key.post("/tags", json!({"name": "  Élite ", "color": "#ff8800", "scope": "contact"})).created();
    assert_eq!((&tag["name"], &tag["color"], &tag["scope"]), (&json!("Élite"), &json!("#ff8800"), &json!("contact")));
    let copy = key.post("/tags", json!({"id": tag["id"], "created_at": "2001-01-01T00:00:00.000Z", "name": "Copy"}));
    assert_ne!(copy.created()["id"], tag["id"], "read-only members are ignored");
}

fn a_tag_name_is_required_and_has_a_maximum_length(world: &World) {
    let key = world.key("crm");
    for body in [json!({}), json!({"name": null}), json!({"name": ""}), json!({"name": "  "}), json!({"name": 7})] {
        key.post("/tags", body).invalid("name");
    }
    tag(&key, &"é".repeat(100));
    key.post("/tags", json!({"name": "é".repeat(101)})).invalid("name").says("100");
    key.post("/tags", json!({"nam": "VIP"})).invalid("nam").at("name");
}

fn a_color_is_six_digits_of_hexadecimal(world: &World) {
    let key = world.key("crm");
    for (number, color) in ["#000000", "#a1b2c3", "#FFFFFF"].iter().enumerate() {
        let made = key.post("/tags", json!({"name": format!("Tag {number}"), "color": color})).created();
        assert_eq!(text(&made["color"]).to_lowercase(), color.to_lowercase());
    }
    for wrong in ["red", "#fff", "#12345", "#1234567", "123456", "#12345g", "#12 456", ""] {
        key.post("/tags", json!({"name": "VIP", "color": wrong})).invalid("color");
    }
    key.post("/tags", json!({"name": "VIP", "color": 7})).invalid("color");
    let vip = tag(&key, "VIP");
    key.put(&path(&vip), json!({"color": "red"})).invalid("color");
}

fn a_scope_is_one_of_five(world: &World) {
    let key = world.key("crm");
    for scope in ["global", "contact", "company", "deal", "project"] {
        assert_eq!(key.post("/tags", json!({"name": scope, "scope": scope})).created()["scope"], scope);
    }
    key.post("/tags", json!({"name": "VIP", "scope": "task"})).invalid("scope").says("project");
    key.post("/tags", json!({"name": "VIP", "scope": null})).invalid("scope");
}

fn names_are_unique_in_any_case(world: &World) {
    let key = world.key("crm");
    for (name, same) in
        [("VIP", "vip"), ("Élite", "éLITE"), ("Ωmega", "ωMEGA"), ("Дмитрий", "дМИТРИЙ"), ("Zoë", "Zoe\u{308}")]
    {
        tag(&key, name);
        key.post("/tags", json!({"name": same})).invalid("name");
        key.post("/tags", json!({"name": format!(" {name}\t")})).invalid("name");
    }
    // Regardless of its scope.
    key.post("/tags", json!({"name": "vip", "scope": "deal"})).invalid("name");
    // A different accent makes another name.
    tag(&key, "Elite");
    assert_eq!(key.get("/tags").page().total(), 6);
}

fn concurrent_tags_of_one_name_are_created_once(world: &World) {
    let key = world.key("crm");
    let answers = at_once(8, |number| {
        if number % 2 == 0 {
            key.post("/tags", json!({"name": "VIP"})).status
        } else {
            key.post("/contacts", json!({"first_name": "Ada", "tags": ["vip"]})).status
        }
    });
    assert!(answers.iter().all(|status| [201, 400].contains(status)), "{answers:?}");
    assert_eq!(key.get("/tags").page().total(), 1);
    assert_eq!(key.list("/contacts", &[("tags", "cs.{VIP}")]).page().total(), 4);
}

fn renaming_a_tag_shows_at_once_and_changes_no_contact(world: &World) {
    let key = world.key("crm");
    let mut contact = tagged(&key, &["VIP", "Other"]);
    let vip = key.list("/tags", &[("name", "VIP")]).page().rows.remove(0);

    let renamed = key.put(&path(&vip), json!({"name": "Guest of honour"})).ok();
    assert_eq!((&renamed["name"], &renamed["id"]), (&json!("Guest of honour"), &vip["id"]));
    contact["tags"] = json!(["Guest of honour", "Other"]);
    assert_eq!(reread(&key, &contact), contact, "updated_at does not move with the renaming of a tag");
    assert_eq!(key.list("/contacts", &[("tags", "cs.{guest of honour}")]).page().rows, [contact]);
    assert_eq!(key.list("/contacts", &[("tags", "cs.{VIP}")]).page().total(), 0);
    tag(&key, "VIP");
}

fn renaming_keeps_names_unique(world: &World) {
    let key = world.key("crm");
    let vip = tag(&key, "VIP");
    tag(&key, "Élite");
    key.put(&path(&vip), json!({"name": "éLITE"})).invalid("name");
    key.put(&path(&vip), json!({"name": ""})).invalid("name");
    key.put(&path(&vip), json!({"name": null})).invalid("name");
    assert_eq!(key.put(&path(&vip), json!({"name": "vip"})).ok()["name"], "vip", "its own name in other letters");
}

fn a_change_touches_only_what_is_sent(world: &World) {
    let key = world.key("crm");
    let mut vip = tag(&key, "VIP");
    vip["color"] = json!("#ff0000");
    assert_eq!(key.put(&path(&vip), json!({"color": "#ff0000"})).ok(), vip);
    vip["scope"] = json!("contact");
    assert_eq!(key.patch(&path(&vip), json!({"scope": "contact"})).ok(), vip);
    assert_eq!(key.put(&path(&vip), vip.clone()).ok(), vip);
    assert_eq!(key.put(&path(&vip), json!({})).ok(), vip);
    key.put(&path(&vip), json!({"colour": "#00ff00"})).invalid("colour").says("color");
    assert_eq!(key.get("/tags").page().rows, [vip]);
}

fn deleting_a_tag_removes_it_from_every_record_at_once(world: &World) {
    let key = world.key("crm");
    let contacts: Vec<Value> = (0..20).map(|_| tagged(&key, &["VIP", "Other"])).collect();
    let untouched = tagged(&key, &["Other"]);
    let vip = key.list("/tags", &[("name", "VIP")]).page().rows.remove(0);

    assert_eq!(key.delete(&path(&vip)).ok(), json!({"deleted": true}));
    assert_eq!(key.list("/contacts", &[("tags", "cs.{VIP}")]).page().total(), 0);
    assert_eq!(key.list("/contacts", &[("tags", "ov.{vip,other}")]).page().total(), 21);
    for contact in &contacts {
        assert_eq!(reread(&key, contact)["tags"], json!(["Other"]));
    }
    for contact in key.list("/contacts", &[("limit", "100")]).page().rows {
        assert_eq!(contact["tags"], json!(["Other"]));
    }
    assert_eq!(key.get("/tags").page().column("name"), ["Other"]);
    key.delete(&path(&vip)).not_found();
    key.put(&path(&vip), json!({"color": "#ff0000"})).not_found();

    // The records' `updated_at` changes in the background, and only theirs.
    eventually("updated_at of the contacts that lost their tag", PATIENCE, || {
        let moved = |contact: &Value| text(&reread(&key, contact)["updated_at"]) > text(&contact["updated_at"]);
        contacts.iter().all(moved).then_some(())
    });
    assert_eq!(reread(&key, &untouched), untouched);
}

fn a_deleted_name_can_be_given_again(world: &World) {
    let key = world.key("crm");
    let contact = tagged(&key, &["VIP"]);
    let old = key.get("/tags").page().rows.remove(0);
    key.delete(&path(&old)).ok();
    let new = tag(&key, "VIP");
    assert_ne!(new["id"], old["id"]);
    assert_eq!(reread(&key, &contact)["tags"], json!([]), "a new tag of the old name is on no record");
    assert_eq!(key.list("/contacts", &[("tags", "cs.{VIP}")]).page().total(), 0);
}

fn tags_are_listed_filtered_and_sorted(world: &World) {
    let key = world.key("crm");
    for (name, color, scope) in [
        ("apple", "#000001", "global"),
        ("Banana", "#000002", "contact"),
        ("cherry", "#000001", "deal"),
        ("Éclair", "#000003", "contact"),
    ] {
        key.post("/tags", json!({"name": name, "color": color, "scope": scope})).created();
    }
    let names = |parameters: &[(&str, &str)]| key.list("/tags", parameters).page().column("name");
    assert_eq!(names(&[]), ["Éclair", "cherry", "Banana", "apple"], "newest first");
    assert_eq!(names(&[("sort", "name")]), ["apple", "Banana", "cherry", "Éclair"]);
    assert_eq!(names(&[("sort", "-name")]), ["Éclair", "cherry", "Banana", "apple"]);
    assert_eq!(names(&[("sort", "created_at")]), ["apple", "Banana", "cherry", "Éclair"]);
    assert_eq!(names(&[("name", "eq.Banana")]), ["Banana"]);
    assert_eq!(names(&[("name", "ilike.%AN%")]), ["Banana"]);
    assert_eq!(names(&[("name", "ilike.é%")]), ["Éclair"]);
    assert_eq!(names(&[("color", "#000001"), ("sort", "name")]), ["apple", "cherry"]);
    assert_eq!(names(&[("scope", "in.(deal,global)"), ("sort", "name")]), ["apple", "cherry"]);
    assert_eq!(names(&[("scope", "neq.contact"), ("sort", "name")]), ["apple", "cherry"]);
    assert_eq!(names(&[("created_at", "gte.2001-01-01"), ("limit", "1")]), ["Éclair"]);
    key.list("/tags", &[("colour", "eq.#000001")]).invalid("colour").says("color");
    key.list("/tags", &[("sort", "color")]).invalid("sort").says("color");
}

fn a_missing_tag_is_not_found(world: &World) {
    let key = world.key("crm");
    for id in [nobody().as_str(), "vip", "1"] {
        key.put(&format!("/tags/{id}"), json!({"name": "VIP"})).not_found();
        key.patch(&format!("/tags/{id}"), json!({"name": "VIP"})).not_found();
        key.delete(&format!("/tags/{id}")).not_found();
    }
}

/// The answer to a create is made from the body, all others from the stored record.
fn a_create_answers_with_the_stored_record(world: &World) {
    let key = world.key("crm");
    key.post("/tags", json!({"name": "known"})).created();
    let bodies = [
        json!({"first_name": "Bare"}),
        json!({"first_name": "Ada", "last_name": "Lovelace", "emails": [{"email": "ada@example.com"}], "company_id": null,
            "network_profile": "https://network.example.com/in/ada", "languages": ["Français"], "custom_data": {}}),
        json!({"first_name": "  Zoë \"Quote\" \\ 😀 ", "summary": "a\tb\nc\u{1}", "title": "", "email": "ZOE@example.com"}),
        json!({"first_name": "Away", "global_status": "archived", "do_not_contact": true, "years_experience": 0}),
        json!({"first_name": "Tagged", "tags": ["KNOWN", "new", "New"], "skills": ["Été", "été"], "phone": "+1 (2) 3"}),
    ];
    for body in bodies {
        let made = key.post("/contacts", body).created();
        assert_eq!(key.get(&format!("/contacts/{}", text(&made["id"]))).ok(), made);
    }
    let tag = key.post("/tags", json!({"name": "Étage", "color": "#00ff00", "scope": "deal"})).created();
    assert!(key.get("/tags").page().rows.contains(&tag), "{tag}");
}

/// Missing statistics of a new table must not make the engine slow.
fn a_newly_filled_table_is_listed_at_once(world: &World) {
    let key = world.key("crm");
    let item = |number: usize| {
        let tags = ["VIP".to_owned(), format!("Tag {}", number % 5)];
        let skills = ["Rust".to_owned(), format!("Skill {}", number % 7)];
        json!({"op": "create", "data": {"first_name": format!("Ada {number}"), "tags": tags, "skills": skills}})
    };
    let items: Vec<Value> = (0..990).map(item).collect();
    for some in items.chunks(330) {
        key.post("/contacts/bulk", json!({"items": some})).ok();
    }
    for (filters, total) in [
        (&[("tags", "cs.{VIP,Tag 3}")][..], 198),
        (&[("tags", "cs.{VIP}"), ("skills", "cs.{Rust,Skill 0}")], 142),
        (&[("tags", "ov.{VIP,Tag 1}"), ("skills", "ov.{Skill 1,Skill 2}")], 284),
    ] {
        assert_eq!(key.list("/contacts", filters).page().total(), total, "{filters:?}");
    }
}

/// Many contacts and some companies in thirds: with one tag, with the other, with both.
#[track_caller]
fn many_tagged(key: &Client, one: &str, other: &str, many: usize) {
    let tags = |number: usize| [json!([one]), json!([other]), json!([other, one])][number % 3].clone();
    for hundred in 0..many / 100 {
        let item =
            |number: usize| json!({"op": "create", "data": {"first_name": "Ada", "tags": tags(hundred + number)}});
        let items: Vec<Value> = (0..100).map(item).collect();
        key.post("/contacts/bulk", json!({ "items": items })).ok();
    }
    for number in 0..6 {
        key.post("/companies", json!({"name": format!("Company {number}"), "tags": tags(number)})).created();
    }
}

#[track_caller]
fn merge(key: &Client, into: &Value, from: &[&Value]) -> Answer {
    let from: Vec<&Value> = from.iter().map(|tag| &tag["id"]).collect();
    key.post("/tags/merge", json!({"into": into["id"], "from": from}))
}

#[track_caller]
fn until_moved(world: &World) {
    let jobs = "SELECT CAST(count(*) AS text) FROM jobs WHERE kind = 'tag.merge'";
    eventually("records have the tag that stays", PATIENCE, || (world.count(jobs) == 0).then_some(()));
}

fn merged_tags_show_as_one_at_once(world: &World) {
    world.set(&["--rate-limit", "1000000"]);
    let key = world.key("crm");
    let (vip, important) = (tag(&key, "VIP"), tag(&key, "Important"));
    many_tagged(&key, "VIP", "Important", 900);
    let other = key.post("/contacts", json!({"first_name": "Bob", "tags": ["Later"]})).created();
    let answer = merge(&key, &vip, &[&important]).ok();
    assert_eq!((&answer["into"], &answer["from"], &answer["tag"]), (&vip["id"], &json!([important["id"]]), &vip));
    assert_eq!(answer["in_progress"], true, "{answer}");
    // Correct at once, and after all records have been changed.
    for done in [false, true] {
        let totals = |query: &str| key.get(&format!("/contacts?limit=100&{query}")).page();
        assert_eq!(totals("tags=cs.{VIP}").total(), 900, "{done}");
        assert_eq!(totals("tags=ov.{vip,later}").total(), 901, "{done}");
        assert_eq!(totals("tags=cs.{VIP,Later}").total(), 0, "{done}");
        assert_eq!(totals("tags=not.cs.{VIP}").total(), 1, "{done}");
        assert_eq!(totals("tags=cs.{Important}").total(), 0, "{done}");
        assert_eq!(totals("search=vip").total(), 900, "{done}");
        assert_eq!(totals("search=important").total(), 0, "{done}");
        for row in totals("tags=cs.{VIP}").rows {
            assert_eq!(row["tags"], json!(["VIP"]), "{done}: {row}");
        }
        assert_eq!(key.get("/companies?tags=cs.{VIP}").page().total(), 6, "{done}");
        assert_eq!(key.get("/tags?sort=name").page().column("name"), ["Later", "VIP"]);
        until_moved(world);
    }
    assert_eq!(reread(&key, &other)["tags"], json!(["Later"]), "another record changed");
    let worn = format!("SELECT CAST(count(*) AS text) FROM terms WHERE key = '{}'", text(&important["id"]));
    assert_eq!(world.count(&worn), 0);
    key.get("/events?types=tag&limit=100")
        .page()
        .column("type")
        .iter()
        .find(|kind| *kind == "tag.merged")
        .expect("an event");
    let changes = key.get("/events?types=contact.updated&limit=100").page();
    assert!(!changes.rows.is_empty(), "changed records must show in a synchronization");
    // The name is free again.
    tag(&key, "Important");
    assert_eq!(merge(&key, &vip, &[&tag(&key, "Unused")]).ok()["in_progress"], false);
}

fn a_record_changes_while_its_tags_are_merged(world: &World) {
    world.set(&["--rate-limit", "1000000"]);
    let key = world.key("crm");
    many_tagged(&key, "one", "two", 600);
    let named = |name: &str| key.get(&format!("/tags?name={name}")).page().rows.remove(0);
    let (one, two) = (named("one"), named("two"));
    let worn = key.get("/contacts?tags=cs.{two}&limit=100&sort=-created_at").page().ids();
    merge(&key, &one, &[&two]).ok();
    let path = |at: usize| format!("/contacts/{}", worn[at]);
    key.delete(&format!("{}/tags?name=one", path(0))).ok();
    key.post(&format!("{}/tags", path(1)), json!({"name": "one"})).is(200);
    key.post(&format!("{}/tags", path(2)), json!({"name": "new"})).created();
    key.put(&path(3), json!({"tags": ["one"], "title": "Engineer"})).ok();
    key.put(&path(4), json!({"tags": []})).ok();
    for _ in 0..2 {
        let tags = |at: usize| key.get(&path(at)).ok()["tags"].clone();
        assert_eq!([tags(0), tags(1), tags(2)], [json!([]), json!(["one"]), json!(["one", "new"])]);
        assert_eq!([tags(3), tags(4)], [json!(["one"]), json!([])]);
        until_moved(world);
    }
    assert_eq!(key.get("/contacts?tags=cs.{one}&limit=1").page().total(), 598);
}

fn tags_are_merged_one_after_another(world: &World) {
    world.set(&["--rate-limit", "1000000"]);
    let key = world.key("crm");
    many_tagged(&key, "a", "b", 600);
    let (third, fourth) = (tag(&key, "c"), tag(&key, "d"));
    let named = |name: &str| key.get(&format!("/tags?name={name}")).page().rows.remove(0);
    let (first, second) = (named("a"), named("b"));
    merge(&key, &second, &[&first]).ok();
    assert_eq!(merge(&key, &third, &[&second]).ok()["in_progress"], true);
    assert_eq!(key.get("/contacts?tags=cs.{c}&limit=1").page().total(), 600);
    until_moved(world);
    assert_eq!(key.get("/contacts?tags=cs.{c}&limit=1").page().total(), 600);
    // A tag that is deleted while others are merged into it takes them along.
    merge(&key, &fourth, &[&third]).ok();
    key.delete(&path(&fourth)).ok();
    assert_eq!(key.get("/contacts?tags=is.null&limit=1").page().total(), 600);
    let worn = "SELECT CAST(count(*) AS text) FROM terms WHERE field = 'contact.tag'";
    eventually("nobody has a tag", PATIENCE, || (world.count(worn) == 0).then_some(()));
}

fn a_merge_of_tags_continues_after_a_kill(world: &World) {
    world.set(&["--rate-limit", "1000000"]);
    let key = world.key("crm");
    many_tagged(&key, "keep", "drop", 900);
    let named = |name: &str| key.get(&format!("/tags?name={name}")).page().rows.remove(0);
    let (keep, drop) = (named("keep"), named("drop"));
    let total = |tag: &str| key.get(&format!("/contacts?tags=cs.{{{tag}}}&limit=1")).page().total();
    merge(&key, &keep, &[&drop]).ok();
    for _ in 0..4 {
        world.kill9();
        world.start();
        assert_eq!((total("keep"), total("drop")), (900, 0));
    }
    until_moved(world);
    assert_eq!((total("keep"), total("drop")), (900, 0));
    assert_eq!(named("keep"), keep, "the surviving tag is unchanged");
}

fn invalid_tag_merges_are_refused(world: &World) {
    let key = world.key("crm");
    let (vip, other) = (tag(&key, "VIP"), tag(&key, "Other"));
    merge(&key, &vip, &[]).invalid("from");
    merge(&key, &vip, &[&vip]).invalid("from.0");
    merge(&key, &vip, &[&other, &json!({"id": nobody()})]).invalid("from.1");
    merge(&key, &json!({"id": nobody()}), &[&other]).invalid("into");
    key.post("/tags/merge", json!({"into": "VIP", "from": [other["id"]]})).invalid("into");
    let narrow = key.post("/tags", json!({"name": "People", "scope": "contact"})).created();
    key.post("/companies", json!({"name": "Acme", "tags": ["Other"]})).created();
    merge(&key, &narrow, &[&other]).invalid("from.0").says("company");
    assert_eq!(key.get("/tags").page().total(), 3, "nothing has changed");
    key.put(&path(&other), json!({"name": "vip"})).invalid("name").says("/tags/merge");
    world
        .key("tags:read")
        .post("/tags/merge", json!({"into": vip["id"], "from": [other["id"]]}))
        .error(403, "insufficient_scope");
    let theirs = world.workspace("theirs").key("crm");
    theirs.post("/tags/merge", json!({"into": vip["id"], "from": [other["id"]]})).invalid("into");
}
