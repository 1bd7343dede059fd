//! Changing, archiving, restoring and tagging contacts.

use serde_json::{Value, json};

use crate::contacts::{ada, is_time, letters, many, path, someone, try_member};
use crate::support::*;

stories![
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
