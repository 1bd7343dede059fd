//! Imports and merges of the same records, undone in any order: an undo never restores values that another undo has
//! removed.

use serde_json::{Value, json};

use crate::enrollments;
use crate::imports;
use crate::merging::{id, merge, person, read, still, undo, unsubscribe};
use crate::outreach::{becomes, enrolled as enroll_by_mail, mails, started as started_by_mail};
use crate::sequences::path;
use crate::support::outside::contact as by_mail;
use crate::support::*;

stories![
    an_opt_out_holds_after_an_import_is_undone,
    no_mail_is_sent_to_an_unsubscribed_contact_after_an_import_is_undone,
    undoing_an_import_restores_nothing_of_an_undone_merge,
    undoing_a_merge_restores_nothing_of_an_undone_import,
    undoing_a_merge_restores_the_status_of_contacts_archived_meanwhile,
];

/// Imports these values for one contact.
#[track_caller]
fn import_into(key: &Client, contact: &Value, mut values: Value) -> Value {
    values["id"] = contact["id"].clone();
    let wanted = json!({"collection": "contacts", "match_on": "id"});
    let import = imports::import(key, wanted, "x.ndjson", format!("{values}\n"));
    assert_eq!(import["updated"], 1, "{import}");
    import
}

#[track_caller]
fn undo_import(key: &Client, import: &Value) -> Value {
    key.post(&format!("/imports/{}/undo", id(import)), json!({})).is(202);
    let undone = imports::ended(key, import);
    assert_eq!(undone["status"], "undone");
    undone
}

fn an_opt_out_holds_after_an_import_is_undone(world: &World) {
    let key = world.key("full_access");
    let made = enrollments::started(&key, json!([{"type": "task", "delay_days": 1}]));
    key.post("/suppressions", json!({"address": "off@example.com"})).created();
    let refuses = |contact: &Value| read(&key, "contacts", contact)["do_not_contact"].clone();
    let yes = || json!({"do_not_contact": true});
    for quiet in [yes(), json!({"email": "off@example.com"})] {
        let (ada, twin) = (person(&key, json!({"email": "ada@example.com"})), person(&key, quiet));
        // The import is undone first.
        let import = import_into(&key, &ada, yes());
        let merged = merge(&key, "contacts", &ada, &[&twin]);
        let undone = undo_import(&key, &import);
        assert_eq!((&undone["kept"], &undone["restored"]), (&json!(1), &json!(0)));
        assert_eq!(refuses(&ada), true);
        let refused = key.post(&format!("{}/enroll", path(&made)), json!({"contact_ids": [ada["id"]]})).ok();
        assert_eq!(refused["skipped_blacklisted"], 1, "{refused}");
        undo(&key, "contacts", &merged);
        assert_eq!((refuses(&ada), refuses(&twin)), (json!(false), twin["do_not_contact"].clone()));
        // The merge is undone first.
        let import = import_into(&key, &ada, yes());
        let merged = merge(&key, "contacts", &ada, &[&twin]);
        undo(&key, "contacts", &merged);
        assert_eq!(refuses(&ada), true);
        assert_eq!(undo_import(&key, &import)["restored"], 1);
        assert_eq!(refuses(&ada), false);
        // Only one of two merges brought the value, and the contact itself was merged since.
        let [bea, zoe] = [(); 2].map(|()| person(&key, json!({})));
        let import = import_into(&key, &ada, yes());
        let merges = [(&ada, &bea), (&ada, &twin), (&zoe, &ada)].map(|(y, v)| merge(&key, "contacts", y, &[v]));
        undo_import(&key, &import);
        assert_eq!(refuses(&zoe), true);
        undo(&key, "contacts", &merges[2]);
        assert_eq!((refuses(&zoe), refuses(&ada)), (json!(false), json!(true)));
        undo(&key, "contacts", &merges[1]);
        assert_eq!(refuses(&ada), false);
        undo(&key, "contacts", &merges[0]);
        assert_eq!((refuses(&ada), refuses(&bea)), (json!(false), json!(false)));
    }
    // Only the import set the opt-out; the address is suppressed after the merge.
    let (ada, twin) = (person(&key, json!({})), person(&key, json!({"email": "late@example.com"})));
    let import = import_into(&key, &ada, yes());
    let merged = merge(&key, "contacts", &ada, &[&twin]);
    assert_eq!(undo_import(&key, &import)["restored"], 1);
    assert_eq!(refuses(&ada), false);
    let import = import_into(&key, &ada, yes());
    key.post("/suppressions", json!({"address": "late@example.com"})).created();
    undo_import(&key, &import);
    assert_eq!(refuses(&ada), true);
    undo(&key, "contacts", &merged);
    assert_eq!(refuses(&ada), false);
}

fn no_mail_is_sent_to_an_unsubscribed_contact_after_an_import_is_undone(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let steps = json!([{"type": "email", "subject": "One", "body": "Hello"}]);
    let [made, another] = [(); 2].map(|()| started_by_mail(&key, steps.clone(), json!({})));
    let (ada, twin) = (by_mail(&key, "Ada", "ada@example.com"), by_mail(&key, "Ada", "twin@example.com"));
    let other = enroll_by_mail(&key, &made, &twin);
    unsubscribe(world, &mails(&outside, "twin@example.com", 1).remove(0));
    becomes(&key, &other, "unsubscribed");
    let import = import_into(&key, &json!({"id": ada}), json!({"do_not_contact": true}));
    let merged = key.post("/contacts/merge", json!({"into": ada, "from": [twin]})).ok();
    undo_import(&key, &import);
    for sequence in [&made, &another] {
        let refused = key.post(&format!("{}/enroll", path(sequence)), json!({"contact_ids": [ada]})).ok();
        assert_eq!(refused["enrolled"], 0, "{refused}");
    }
    assert_eq!(outside.to("ada@example.com").len(), 0);
    undo(&key, "contacts", &merged);
    enroll_by_mail(&key, &another, &ada);
    mails(&outside, "ada@example.com", 1);
}

fn undoing_an_import_restores_nothing_of_an_undone_merge(world: &World) {
    for (name, kind) in [("txt", "text"), ("num", "number")] {
        world.run(&["fields", "create", "--entity", "contact", "--key", name, "--type", kind]).ok();
    }
    let key = world.key("full_access");
    let acme = key.post("/companies", json!({"name": "Acme"})).created();
    let ada = person(&key, json!({"email": "y3@example.com"}));
    let bea = person(
        &key,
        json!({"email": "v3@example.com", "title": "VT", "tags": ["vt"], "skills": ["vs"], "company_id": acme["id"],
            "global_status": "qualified", "custom_data": {"txt": "v", "num": 3}}),
    );
    let all = json!({"emails": [{"email": "y3@example.com"}], "title": "imported", "tags": ["q"], "skills": ["q"],
        "current_company": "Acme Ltd", "global_status": "archived", "custom_data": {"txt": "q"}});
    let more = json!({"skills": ["vs", "q"], "custom_data": {"txt": "v", "num": 4}});
    // One import, and two in a row, undone in either order.
    for imports in [vec![&all], vec![&more, &all], vec![&all, &more]] {
        for is_reversed in [false, true] {
            let merged = merge(&key, "contacts", &ada, &[&bea]);
            let mut made: Vec<Value> =
                imports.iter().map(|values| import_into(&key, &ada, (*values).clone())).collect();
            undo(&key, "contacts", &merged);
            if is_reversed {
                made.reverse();
            }
            made.iter().for_each(|import| drop(undo_import(&key, import)));
            assert_eq!(still(&read(&key, "contacts", &ada)), still(&ada), "{imports:?} {is_reversed}");
            assert_eq!(still(&read(&key, "contacts", &bea)), still(&bea));
        }
    }
}

fn undoing_a_merge_restores_nothing_of_an_undone_import(world: &World) {
    world.run(&["fields", "create", "--entity", "contact", "--key", "txt", "--type", "text"]).ok();
    let key = world.key("full_access");
    let ada = person(&key, json!({"email": "y@example.com", "tags": ["own"]}));
    let bea = person(&key, json!({"email": "v@example.com", "title": "VT", "custom_data": {"txt": "v"}}));
    let brought = json!({"title": "imported", "tags": ["q"], "skills": ["q"], "global_status": "contacted",
        "custom_data": {"txt": "q"}, "do_not_contact": true});
    for whose in [&ada, &bea] {
        let import = import_into(&key, whose, brought.clone());
        let fields = json!({"title": bea["id"], "custom_data": bea["id"]});
        let body = json!({"into": ada["id"], "from": [bea["id"]], "fields": fields});
        let merged = key.post("/contacts/merge", body).ok();
        undo_import(&key, &import);
        undo(&key, "contacts", &merged);
        for contact in [&ada, &bea] {
            assert_eq!(still(&read(&key, "contacts", contact)), still(contact), "{whose}");
        }
    }
}

fn undoing_a_merge_restores_the_status_of_contacts_archived_meanwhile(world: &World) {
    let key = world.key("full_access");
    let status = |contact: &Value| text(&read(&key, "contacts", contact)["global_status"]);
    let archive = |contact: &Value| drop(key.delete(&format!("/contacts/{}", id(contact))).ok());
    let restore =
        |contact: &Value| drop(key.put(&format!("/contacts/{}", id(contact)), json!({"archived_at": null})).ok());
    let ada = person(&key, json!({"global_status": "qualified"}));
    let bea = person(&key, json!({"global_status": "contacted"}));
    // Archived after the merge.
    let merged = merge(&key, "contacts", &bea, &[&ada]);
    archive(&bea);
    undo(&key, "contacts", &merged);
    assert_eq!(status(&bea), "archived");
    restore(&bea);
    assert_eq!((status(&ada), status(&bea)), ("qualified".into(), "contacted".into()));
    // Archived before the merge, and restored after it.
    archive(&bea);
    let body = json!({"into": bea["id"], "from": [ada["id"]], "dry_run": true});
    let shown = key.post("/contacts/merge", body).ok()["record"].take();
    assert_eq!(shown.get("earlier_status"), None, "{shown}");
    let merged = merge(&key, "contacts", &bea, &[&ada]);
    restore(&bea);
    assert_eq!(status(&bea), "qualified");
    undo(&key, "contacts", &merged);
    assert_eq!((status(&ada), status(&bea)), ("qualified".into(), "contacted".into()));
}
