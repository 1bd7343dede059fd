//! Merges together with other features: sequences, entries, imports, later merges. An opt-out of one merged contact
//! holds for the person, and an undo restores exactly the earlier state.

use serde_json::{Value, json};

use crate::enrollments::{self, at, complete, task};
use crate::imports;
use crate::outreach::{becomes, enrolled as enroll_by_mail, mails, started as started_by_mail, unfolded};
use crate::receiving::complaint_report;
use crate::sequences::path;
use crate::support::outside::contact as by_mail;
use crate::support::*;

stories![
    an_unsubscribed_contact_stops_the_merged_person,
    a_reply_stops_the_merged_person_and_the_furthest_status_wins,
    suppressions_and_opt_outs_hold_for_the_merged_person,
    a_person_is_active_in_one_sequence_at_most,
    a_dry_run_lists_enrollments_that_will_end,
    an_undo_restores_the_task_that_a_step_waits_for,
    an_undo_keeps_paused_enrollments_paused,
    an_undo_restores_enrollments_that_an_opt_out_ended,
    an_opt_out_while_merged_holds_after_the_undo,
    a_contact_unenrolled_while_merged_stays_unenrolled,
    an_unsubscribed_contact_is_not_enrolled_at_another_address,
    an_old_id_means_its_own_record_after_an_undo,
    an_undo_removes_single_items,
    deleted_values_are_not_restored,
    an_undo_refers_to_the_surviving_company,
    undoing_an_import_keeps_records_that_a_merged_contact_refers_to,
    undoing_an_import_archives_no_restored_contact,
    imports_are_undone_in_any_order,
    undoing_an_import_removes_single_items,
    a_merge_keeps_company_id_and_company_name_together,
    a_rejected_entry_never_wins,
    rows_follow_successive_merges,
    deals_keep_the_order_of_their_contacts,
];

#[track_caller]
pub(crate) fn person(key: &Client, body: Value) -> Value {
    enrollments::contact(key, body)
}

pub(crate) fn id(record: &Value) -> String {
    text(&record["id"])
}

#[track_caller]
pub(crate) fn merge(key: &Client, kind: &str, into: &Value, from: &[&Value]) -> Value {
    let from: Vec<&Value> = from.iter().map(|record| &record["id"]).collect();
    key.post(&format!("/{kind}/merge"), json!({"into": into["id"], "from": from})).ok()
}

#[track_caller]
pub(crate) fn undo(key: &Client, kind: &str, merge: &Value) -> Value {
    key.post(&format!("/{kind}/merge/{}/undo", id(merge)), json!({})).ok()
}

#[track_caller]
pub(crate) fn read(key: &Client, kind: &str, record: &Value) -> Value {
    key.get(&format!("/{kind}/{}", id(record))).ok()
}

/// A record without the values that change with every update.
pub(crate) fn still(record: &Value) -> Value {
    let mut record = record.clone();
    record["updated_at"] = Value::Null;
    record
}

/// Follows the unsubscribe link of a mail.
pub(crate) fn unsubscribe(world: &World, mail: &str) {
    let head = mail.replace("\n ", " ").replace("\n\t", " ");
    let link = head.lines().find_map(|line| line.strip_prefix("List-Unsubscribe: ")).expect("a link");
    let link = link.trim_matches(['<', '>']).strip_prefix(&world.origin()).expect("a link to here").to_owned();
    let form = "application/x-www-form-urlencoded";
    let stranger = world.stranger();
    let done = stranger.visit(&link).method("POST").header("Content-Type", form).body("List-Unsubscribe=One-Click");
    assert_eq!(done.send().status, 200);
}

fn an_unsubscribed_contact_stops_the_merged_person(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let steps = json!([
        {"type": "email", "subject": "One", "body": "Hello"},
        {"type": "task"},
        {"type": "email", "subject": "Two", "body": "Again"},
    ]);
    let made = started_by_mail(&key, steps.clone(), json!({}));
    let (ada, twin) = (by_mail(&key, "Ada", "ada@example.com"), by_mail(&key, "Ada", "twin@example.com"));
    let (own, other) = (enroll_by_mail(&key, &made, &ada), enroll_by_mail(&key, &made, &twin));
    mails(&outside, "ada@example.com", 1);
    let mail = mails(&outside, "twin@example.com", 1).remove(0);
    unsubscribe(world, &mail);
    becomes(&key, &other, "unsubscribed");
    let open = task(&key, &json!({"id": ada}));

    let before = key.get(&own).ok();
    let merged = key.post("/contacts/merge", json!({"into": ada, "from": [twin]})).ok();
    assert_eq!(merged["record"]["do_not_contact"], true, "{merged}");
    let ended = key.get(&own).ok();
    assert_eq!((&ended["status"], &ended["contact_id"]), (&json!("unsubscribed"), &json!(ada)));
    assert_eq!(key.get(&format!("/tasks/{}", id(&open))).ok()["status"], "skipped");
    let another = started_by_mail(&key, steps, json!({}));
    let refused = key.post(&format!("{}/enroll", path(&another)), json!({"contact_ids": [ada]})).ok();
    assert_eq!(refused["skipped_blacklisted"], 1, "{refused}");

    undo(&key, "contacts", &merged);
    assert_eq!(still(&key.get(&own).ok()), still(&before));
    assert_eq!(key.get(&other).ok()["status"], "unsubscribed");
    assert_eq!(key.get(&format!("/contacts/{ada}")).ok()["do_not_contact"], false);
    complete(&key, &open, "done");
    becomes(&key, &own, "finished");
    assert_eq!(mails(&outside, "ada@example.com", 2).len(), 2);
    assert_eq!(outside.to("twin@example.com").len(), 1);
}

fn a_reply_stops_the_merged_person_and_the_furthest_status_wins(world: &World) {
    let rule = "[[rules]]\naction = \"reply\"\nmatch = \"twin@example.com\"\ntext = \"Gladly!\"\n";
    let (outside, key) = (Outside::new(rule), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let steps = json!([{"type": "email", "subject": "One", "body": "Hello"}, {"type": "email", "body": "Two", "delay_hours": 1}]);
    let made = started_by_mail(&key, steps.clone(), json!({}));
    let elsewhere = started_by_mail(&key, steps.clone(), json!({}));
    let onward = started_by_mail(&key, steps, json!({"stop_on_reply": false}));
    let twin = by_mail(&key, "Ada", "twin@example.com");
    let replied = enroll_by_mail(&key, &made, &twin);
    becomes(&key, &replied, "replied");
    for (sequence, status) in [(&made, "replied"), (&elsewhere, "replied"), (&onward, "active")] {
        let ada = by_mail(&key, "Ada", "ada@example.com");
        let own = enroll_by_mail(&key, sequence, &ada);
        let stands = || key.get(&format!("/contacts/{ada}")).ok()["global_status"].clone();
        eventually("the first mail", PATIENCE, || (stands() == "contacted").then_some(()));
        let before = key.get(&own).ok();
        // In either direction.
        for (into, from) in [(&ada, &twin), (&twin, &ada)] {
            let merged = key.post("/contacts/merge", json!({"into": into, "from": [from]})).ok();
            assert_eq!(merged["record"]["global_status"], "replied");
            assert_eq!(key.get(&own).ok()["status"], status, "{merged}");
            undo(&key, "contacts", &merged);
            eventually("it is as it was", PATIENCE, || (still(&key.get(&own).ok()) == still(&before)).then_some(()));
            assert_eq!(key.get(&format!("/contacts/{ada}")).ok()["global_status"], "contacted");
        }
        key.delete(&format!("/contacts/{ada}")).ok();
    }
    assert_eq!(outside.to("twin@example.com").len(), 1);
}

fn suppressions_and_opt_outs_hold_for_the_merged_person(world: &World) {
    let key = world.key("full_access");
    let made = enrollments::started(&key, json!([{"type": "task", "delay_days": 1}]));
    key.post("/suppressions", json!({"address": "off@example.com"})).created();
    let quiet = [json!({"email": "off@example.com"}), json!({"do_not_contact": true})];
    for body in quiet {
        let (ada, twin) = (person(&key, json!({"email": "ada@example.com"})), person(&key, body));
        let own = enrollments::enrolled(&key, &made, &ada);
        // Whichever addresses the person keeps.
        let fields = json!({"emails": ada["id"]});
        let merged =
            key.post("/contacts/merge", json!({"into": ada["id"], "from": [twin["id"]], "fields": fields})).ok();
        assert_eq!(merged["record"]["do_not_contact"], true, "{merged}");
        assert_eq!(key.get(&at(&own)).ok()["status"], "unenrolled");
        undo(&key, "contacts", &merged);
        assert_eq!(read(&key, "contacts", &ada)["do_not_contact"], false);
        assert_eq!(key.get(&at(&own)).ok()["status"], "active");
        let fields = json!({"do_not_contact": ada["id"]});
        let body = json!({"into": ada["id"], "from": [twin["id"]], "fields": fields});
        key.post("/contacts/merge", body).invalid("fields.do_not_contact").says("any of the records");
    }
}

fn a_person_is_active_in_one_sequence_at_most(world: &World) {
    let key = world.key("full_access");
    let [one, two] = [(); 2].map(|()| enrollments::started(&key, json!([{"type": "task", "delay_days": 1}])));
    let [ada, bea, cyd] = [(); 3].map(|()| person(&key, json!({})));
    let own = enrollments::enrolled(&key, &two, &bea);
    let other = enrollments::enrolled(&key, &one, &cyd);
    let merged = merge(&key, "contacts", &ada, &[&bea, &cyd]);
    let status = |enrollment: &Value| text(&key.get(&at(enrollment)).ok()["status"]);
    assert_eq!((status(&own), status(&other)), ("active".into(), "unenrolled".into()));
    let reason = text(&key.get(&at(&other)).ok()["reason"]);
    assert!(reason.contains("merged with one that is in another sequence"), "{reason}");
    // One more merge, undone: nothing has changed.
    let dan = person(&key, json!({}));
    let last = enrollments::enrolled(&key, &one, &dan);
    let again = merge(&key, "contacts", &dan, &[&ada]);
    assert_eq!(
        (status(&own), status(&other), status(&last)),
        ("unenrolled".into(), "unenrolled".into(), "active".into())
    );
    undo(&key, "contacts", &again);
    assert_eq!((status(&own), status(&other), status(&last)), ("active".into(), "unenrolled".into(), "active".into()));
    undo(&key, "contacts", &merged);
    for (enrollment, before) in [(&own, &own), (&other, &other)] {
        assert_eq!(still(&key.get(&at(enrollment)).ok()), still(before));
    }
    // Unenrolled by hand from a sequence.
    key.post(&format!("{}/unenroll", path(&one)), json!({"contact_ids": [cyd["id"]]})).ok();
    let merged = merge(&key, "contacts", &dan, &[&cyd]);
    assert_eq!(status(&last), "unenrolled", "{merged}");
    assert_eq!(read(&key, "sequences", &one)["enrollments"]["active"], 0);
}

fn a_dry_run_lists_enrollments_that_will_end(world: &World) {
    let key = world.key("full_access");
    let [one, two] = [(); 2].map(|()| enrollments::started(&key, json!([{"type": "task", "delay_days": 1}])));
    let [ada, bea] = [(); 2].map(|()| person(&key, json!({})));
    let own = enrollments::enrolled(&key, &one, &ada);
    let other = enrollments::enrolled(&key, &two, &bea);
    let mut body = json!({"into": ada["id"], "from": [bea["id"]], "dry_run": true});
    let dry = key.post("/contacts/merge", body.clone()).ok();
    let ends = dry["ends"].as_array().expect("a list");
    assert_eq!(ends.len(), 1, "{dry}");
    assert_eq!(
        (&ends[0]["enrollment_id"], &ends[0]["sequence_id"], &ends[0]["contact_id"], &ends[0]["status"]),
        (&other["id"], &two["id"], &bea["id"], &json!("unenrolled"))
    );
    for enrollment in [&own, &other] {
        assert_eq!(key.get(&at(enrollment)).ok(), *enrollment);
    }
    body["dry_run"] = false.into();
    assert_eq!(key.post("/contacts/merge", body).ok()["ends"], dry["ends"]);
}

fn an_undo_restores_the_task_that_a_step_waits_for(world: &World) {
    let key = world.key("full_access");
    let made = enrollments::started(&key, json!([{"type": "task"}, {"type": "task", "delay_days": 1}]));
    let [ada, bea] = [(); 2].map(|()| person(&key, json!({})));
    let [own, other] = [&ada, &bea].map(|contact| enrollments::enrolled(&key, &made, contact));
    let tasks = [&ada, &bea].map(|contact| task(&key, contact));
    let before = [&own, &other].map(|enrollment| key.get(&at(enrollment)).ok());
    let merged = merge(&key, "contacts", &ada, &[&bea]);
    assert_eq!(read(&key, "tasks", &tasks[1])["status"], "skipped");
    undo(&key, "contacts", &merged);
    for (enrollment, before) in [&own, &other].into_iter().zip(&before) {
        assert_eq!(still(&key.get(&at(enrollment)).ok()), still(before));
    }
    for one in &tasks {
        assert_eq!(still(&read(&key, "tasks", one)), still(one));
    }
    assert_eq!(read(&key, "sequences", &made)["enrollments"]["active"], 2);
    complete(&key, &tasks[1], "done");
    eventually("the next step is planned", PATIENCE, || {
        key.get(&at(&other)).ok()["next_step_at"].is_string().then_some(())
    });
    assert_eq!(key.get(&format!("/contacts/{}/tasks", id(&bea))).page().total(), 1);
}

fn an_undo_keeps_paused_enrollments_paused(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let made = started_by_mail(
        &key,
        json!([{"type": "email", "subject": "One", "body": "Hello", "delay_hours": 1}]),
        json!({}),
    );
    let (ada, twin) = (by_mail(&key, "Ada", "ada@example.com"), by_mail(&key, "Ada", "twin@example.com"));
    let both = [&ada, &twin].map(|contact| enroll_by_mail(&key, &made, contact));
    for one in &both {
        key.post(&format!("{one}/pause"), json!({})).ok();
    }
    let before = both.clone().map(|one| key.get(&one).ok());
    let merged = key.post("/contacts/merge", json!({"into": ada, "from": [twin]})).ok();
    undo(&key, "contacts", &merged);
    for (one, before) in both.iter().zip(&before) {
        assert_eq!(still(&key.get(one).ok()), still(before));
    }
    assert_eq!(read(&key, "sequences", &made)["enrollments"]["paused"], 2);
}

fn an_undo_restores_enrollments_that_an_opt_out_ended(world: &World) {
    let key = world.key("full_access");
    let made = enrollments::started(&key, json!([{"type": "task", "delay_days": 1}]));
    for (body, archived) in [(json!({"do_not_contact": true}), false), (json!({}), true)] {
        let (ada, bea) = (person(&key, body), person(&key, json!({})));
        if archived {
            key.delete(&format!("/contacts/{}", id(&ada))).ok();
        }
        let other = enrollments::enrolled(&key, &made, &bea);
        let merged = merge(&key, "contacts", &ada, &[&bea]);
        assert_eq!(key.get(&at(&other)).ok()["status"], "unenrolled");
        undo(&key, "contacts", &merged);
        assert_eq!(still(&key.get(&at(&other)).ok()), still(&other));
    }
}

/// The ways in which a person can opt out while two records are merged.
const SAYINGS: &[&str] = &["reply", "new mail", "unsubscribe", "complaint", "do_not_contact", "archived"];

fn an_opt_out_while_merged_holds_after_the_undo(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let steps = json!([
        {"type": "email", "subject": "One", "body": "Hello"},
        {"type": "task"},
        {"type": "email", "subject": "Two", "body": "Again"},
    ]);
    let sequences = [(); 2].map(|()| started_by_mail(&key, steps.clone(), json!({})));
    for (nth, saying) in SAYINGS.iter().enumerate() {
        let [at_ada, at_twin] = ["ada", "twin"].map(|name| format!("{name}{nth}@example.com"));
        let (ada, twin) = (by_mail(&key, "Ada", &at_ada), by_mail(&key, "Ada", &at_twin));
        let own = enroll_by_mail(&key, &sequences[0], &ada);
        let other = enroll_by_mail(&key, &sequences[1], &twin);
        mails(&outside, &at_ada, 1);
        let mail = mails(&outside, &at_twin, 1).remove(0);
        let tasks = [&ada, &twin].map(|contact| task(&key, &json!({"id": contact})));
        let merged = key.post("/contacts/merge", json!({"into": ada, "from": [twin]})).ok();
        let mut ends = "unenrolled";
        match *saying {
            "reply" | "new mail" => {
                ends = "replied";
                let about = unfolded(&mail, "Message-ID").filter(|_| *saying == "reply");
                let about = about.map_or(String::new(), |id| format!("In-Reply-To: {id}\n"));
                let head = format!("From: {at_twin}\nTo: ann@example.com\nSubject: Re: One\n{about}");
                let reply = format!("{head}Message-ID: <{}@elsewhere.example>\n\nNo, thanks.\n", nobody());
                outside.deliver("ann@example.com", &reply);
            }
            "unsubscribe" => {
                ends = "unsubscribed";
                unsubscribe(world, &mail);
                // Mail would go to the other address now.
                assert_eq!(key.get(&format!("/contacts/{ada}")).ok()["do_not_contact"], true);
            }
            "complaint" => {
                ends = "unsubscribed";
                let id = unfolded(&mail, "Message-ID").expect("an id");
                outside.deliver(
                    "ann@example.com",
                    &complaint_report(&nobody(), &at_twin, &format!("Message-ID: {id}\nTo: {at_twin}\n")),
                );
            }
            "do_not_contact" => drop(key.put(&format!("/contacts/{twin}"), json!({"do_not_contact": true})).ok()),
            _ => drop(key.delete(&format!("/contacts/{ada}")).ok()),
        }
        becomes(&key, &own, ends);
        undo(&key, "contacts", &merged);
        let ended = key.get(&other).ok();
        assert_eq!((&ended["status"], &ended["contact_id"]), (&json!(ends), &json!(twin)), "{saying}: {ended}");
        let person = key.get(&format!("/contacts/{twin}")).ok();
        let refused = ["unsubscribe", "complaint", "do_not_contact"].contains(saying);
        assert_eq!(person["do_not_contact"], json!(refused), "{saying}");
        let status = if ends == "replied" { "replied" } else { "contacted" };
        assert_eq!(person["global_status"], status, "{saying}");
        for open in tasks {
            complete(&key, &open, "done");
        }
        let result = key.post(&format!("{}/enroll", path(&sequences[0])), json!({"contact_ids": [twin]})).ok();
        assert_eq!(result["skipped_blacklisted"], json!(u8::from(refused)), "{saying}: {result}");
        if !refused {
            key.post(&format!("{}/unenroll", path(&sequences[0])), json!({"contact_ids": [twin]})).ok();
        }
    }
    // A contact who did not opt out gets the later mails.
    let last = by_mail(&key, "Last", "last@example.com");
    enroll_by_mail(&key, &sequences[1], &last);
    mails(&outside, "last@example.com", 1);
    for (nth, saying) in SAYINGS.iter().enumerate() {
        let mails = mails(&outside, &format!("twin{nth}@example.com"), 1);
        assert!(!mails.iter().any(|mail| mail.contains("Again")), "{saying}: {mails:?}");
    }
}

fn a_contact_unenrolled_while_merged_stays_unenrolled(world: &World) {
    let key = world.key("full_access");
    let made = enrollments::started(&key, json!([{"type": "task", "delay_days": 1}]));
    let [ada, bea] = [(); 2].map(|()| person(&key, json!({})));
    let [own, other] = [&ada, &bea].map(|contact| enrollments::enrolled(&key, &made, contact));
    let merged = merge(&key, "contacts", &ada, &[&bea]);
    key.post(&format!("{}/unenroll", path(&made)), json!({"contact_ids": [ada["id"]]})).ok();
    undo(&key, "contacts", &merged);
    for enrollment in [&own, &other] {
        let ended = key.get(&at(enrollment)).ok();
        assert_eq!((&ended["status"], &ended["reason"]), (&json!("unenrolled"), &json!("taken out by hand")));
    }
}

fn an_unsubscribed_contact_is_not_enrolled_at_another_address(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let steps = json!([{"type": "email", "subject": "One", "body": "Hello"}, {"type": "task", "delay_days": 1}]);
    let [one, two] = [(); 2].map(|()| started_by_mail(&key, steps.clone(), json!({})));
    let ada = by_mail(&key, "Ada", "ada@example.com");
    enroll_by_mail(&key, &one, &ada);
    unsubscribe(world, &mails(&outside, "ada@example.com", 1)[0]);
    key.put(&format!("/contacts/{ada}"), json!({"emails": [{"email": "new@example.com"}]})).ok();
    let emails = json!([{"email": "bea@example.com"}, {"email": "ADA@example.com"}]);
    let bea = text(&key.post("/contacts", json!({"first_name": "Bea", "emails": emails})).created()["id"]);
    let enroll = |sequence: &Value, contact: &str| {
        key.post(&format!("{}/enroll", path(sequence)), json!({"contact_ids": [contact]})).ok()
    };
    for contact in [&ada, &bea] {
        let result = enroll(&two, contact);
        assert_eq!(result["skipped_blacklisted"], 1, "{result}");
        let reason = text(&result["results"][0]["reason"]);
        assert!(reason.contains("unsubscribed at ada@example.com"), "{reason}");
    }
    // The contact changed their mind.
    key.delete("/suppressions?address=ada@example.com").ok();
    assert_eq!(enroll(&two, &bea)["enrolled"], 1);
    // The address for mail becomes one that is suppressed.
    key.post("/suppressions", json!({"address": "off@example.com"})).created();
    key.put(&format!("/contacts/{bea}"), json!({"emails": [{"email": "off@example.com"}]})).ok();
    let ended = key.get(&format!("/contacts/{bea}/enrollments")).page().rows.remove(0);
    assert_eq!(ended["status"], "unenrolled", "{ended}");
    assert!(text(&ended["reason"]).contains("off@example.com is suppressed"), "{ended}");
}

fn an_old_id_means_its_own_record_after_an_undo(world: &World) {
    let key = world.key("full_access");
    for (kind, body) in [("contacts", json!({"first_name": "Ada"})), ("companies", json!({"name": "Acme"}))] {
        let [a, b, c] = [(); 3].map(|()| key.post(&format!("/{kind}"), body.clone()).created());
        merge(&key, kind, &a, &[&b]);
        let second = merge(&key, kind, &c, &[&a]);
        assert_eq!(read(&key, kind, &b)["id"], c["id"]);
        undo(&key, kind, &second);
        assert_eq!(read(&key, kind, &b)["id"], a["id"], "{kind}");
        let note = key.post(&format!("/{kind}/{}/notes", id(&b)), json!({"content": "x"})).created();
        let member = if kind == "contacts" { "contact_id" } else { "company_id" };
        assert_eq!(note[member], a["id"]);
        let task = key.post("/tasks", json!({"title": "x", member: b["id"]})).created();
        assert_eq!(key.list("/tasks", &[(member, &id(&b))]).page().ids(), [id(&task)]);
        key.delete(&format!("/{kind}/{}", id(&b))).ok();
        assert_eq!(read(&key, kind, &c)["archived_at"], Value::Null, "{kind}");
        assert_ne!(read(&key, kind, &a)["archived_at"], Value::Null, "{kind}");
    }
}

fn an_undo_removes_single_items(world: &World) {
    for (name, kind) in [("txt", "text"), ("num", "number"), ("flag", "boolean")] {
        world.run(&["fields", "create", "--entity", "contact", "--key", name, "--type", kind]).ok();
    }
    let key = world.key("full_access");
    let ada = person(
        &key,
        json!({"email": "a@example.com", "tags": ["own"], "skills": ["Rust"], "custom_data": {"txt": "a"}}),
    );
    let bea =
        person(&key, json!({"email": "b@example.com", "tags": ["hers"], "skills": ["Go"], "custom_data": {"num": 7}}));
    let merged = merge(&key, "contacts", &ada, &[&bea]);
    let body = json!({"emails": [{"email": "a@example.com"}, {"email": "b@example.com", "type": "other"}, {"email": "c@example.com"}],
        "tags": ["own", "hers", "later"], "skills": ["Rust", "Go", "C"], "custom_data": {"flag": true}});
    key.put(&format!("/contacts/{}", id(&ada)), body).ok();
    let back = undo(&key, "contacts", &merged);
    assert_eq!(member(&back["emails"], "email"), ["a@example.com", "c@example.com"]);
    assert_eq!(
        (strings(&back["tags"]), strings(&back["skills"])),
        (vec!["own".into(), "later".into()], vec!["Rust".into(), "C".into()])
    );
    assert_eq!(back["custom_data"], json!({"txt": "a", "flag": true}));
    assert_eq!(still(&read(&key, "contacts", &bea)), still(&bea));
    assert_eq!(key.list("/contacts", &[("email", "b@example.com")]).page().ids(), [id(&bea)]);
}

fn deleted_values_are_not_restored(world: &World) {
    let field = |kind: &str| {
        world.run(&["fields", "create", "--entity", "contact", "--key", "num", "--type", kind]).ok();
    };
    field("number");
    let key = world.key("full_access");
    let ada = person(&key, json!({}));
    let bea = person(&key, json!({"tags": ["stays", "goes"], "custom_data": {"num": 7}}));
    let merged = merge(&key, "contacts", &ada, &[&bea]);
    let tags = key.get("/tags").page().rows;
    let goes = tags.iter().find(|tag| tag["name"] == "goes").expect("a tag");
    key.delete(&format!("/tags/{}", id(goes))).is(200);
    world.run(&["fields", "delete", "--entity", "contact", "--key", "num"]).ok();
    eventually("the value is gone", PATIENCE, || {
        (read(&key, "contacts", &ada)["custom_data"] == json!({})).then_some(())
    });
    // The same name and type, but another field.
    field("number");
    undo(&key, "contacts", &merged);
    let back = read(&key, "contacts", &bea);
    assert_eq!((strings(&back["tags"]), &back["custom_data"]), (vec!["stays".to_owned()], &json!({})));
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM terms WHERE field = 'contact.custom.num'"), 0);
}

fn an_undo_refers_to_the_surviving_company(world: &World) {
    let key = world.key("full_access");
    let [acme, globex] = ["Acme", "Globex"].map(|name| key.post("/companies", json!({"name": name})).created());
    let ada = person(&key, json!({"current_company": "Else"}));
    let bea = person(&key, json!({"company_id": globex["id"]}));
    let merged = merge(&key, "contacts", &ada, &[&bea]);
    merge(&key, "companies", &acme, &[&globex]);
    undo(&key, "contacts", &merged);
    assert_eq!(read(&key, "contacts", &bea)["company_id"], acme["id"]);
    assert_eq!(read(&key, "companies", &acme)["contacts_count"], 1);
    assert_eq!(key.get(&format!("/companies/{}/contacts", id(&acme))).page().ids(), [id(&bea)]);
}

fn undoing_an_import_keeps_records_that_a_merged_contact_refers_to(world: &World) {
    let key = world.key("full_access");
    let import = imports::import(&key, json!({"collection": "companies"}), "x.csv", "name\nAcme\n");
    let acme = key.get("/companies").page().rows.remove(0);
    let ada = person(&key, json!({"current_company": "Own"}));
    let bea = person(&key, json!({"company_id": acme["id"]}));
    let merged = merge(&key, "contacts", &ada, &[&bea]);
    key.post(&format!("/imports/{}/undo", id(&import)), json!({})).is(202);
    let undone = imports::ended(&key, &import);
    assert_eq!((&undone["removed"], &undone["kept"]), (&json!(0), &json!(1)));
    undo(&key, "contacts", &merged);
    assert_eq!(still(&read(&key, "contacts", &bea)), still(&bea));
    assert_eq!(read(&key, "companies", &acme)["contacts_count"], 1);
}

fn undoing_an_import_archives_no_restored_contact(world: &World) {
    let key = world.key("full_access");
    let ada = person(&key, json!({"email": "ada@example.com"}));
    let own = format!("/contacts/{}", id(&ada));
    key.delete(&own).ok();
    let wanted = json!({"collection": "contacts", "match_on": "email"});
    let import = imports::import(&key, wanted, "x.csv", "email,global_status\nada@example.com,new\n");
    key.put(&own, json!({"global_status": "contacted"})).ok();
    key.post(&format!("/imports/{}/undo", id(&import)), json!({})).is(202);
    assert_eq!(imports::ended(&key, &import)["kept"], 1);
    let now = key.get(&own).ok();
    assert_eq!((&now["global_status"], &now["archived_at"]), (&json!("contacted"), &Value::Null));
}

fn imports_are_undone_in_any_order(world: &World) {
    let key = world.key("full_access");
    let ada = person(&key, json!({"email": "ada@example.com", "title": "t0", "skills": ["s0"]}));
    let wanted = json!({"collection": "contacts", "match_on": "email"});
    let both: Vec<Value> = (1..=2)
        .map(|n| {
            imports::import(&key, wanted.clone(), "x.csv", format!("email,title,skills\nada@example.com,t{n},s{n}\n"))
        })
        .collect();
    for import in &both {
        key.post(&format!("/imports/{}/undo", id(import)), json!({})).is(202);
        assert_eq!(imports::ended(&key, import)["status"], "undone");
    }
    let now = read(&key, "contacts", &ada);
    assert_eq!((&now["title"], &now["skills"]), (&json!("t0"), &json!(["s0"])));
}

fn undoing_an_import_removes_single_items(world: &World) {
    let key = world.key("full_access");
    let ada = person(&key, json!({"email": "ada@example.com", "tags": ["own"]}));
    let wanted = json!({"collection": "contacts", "match_on": "email"});
    let import = imports::import(&key, wanted, "x.csv", "email,tags\nada@example.com,own;brought\n");
    key.post(&format!("/contacts/{}/tags", id(&ada)), json!({"name": "later"}));
    key.post(&format!("/imports/{}/undo", id(&import)), json!({})).is(202);
    assert_eq!(imports::ended(&key, &import)["restored"], 1);
    assert_eq!(strings(&read(&key, "contacts", &ada)["tags"]), ["own", "later"]);
}

fn a_merge_keeps_company_id_and_company_name_together(world: &World) {
    let key = world.key("full_access");
    let [acme, globex] = ["Acme", "Globex"].map(|name| key.post("/companies", json!({"name": name})).created());
    let merged = |own: Value, other: Value, fields: Value| {
        let (ada, bea) = (person(&key, own), person(&key, other));
        let fields = match fields.as_str() {
            Some(member) => json!({member: bea["id"]}),
            None => json!({}),
        };
        let body = json!({"into": ada["id"], "from": [bea["id"]], "fields": fields});
        let record = key.post("/contacts/merge", body).ok()["record"].clone();
        (record["company_id"].clone(), record["current_company"].clone())
    };
    let by_name = |name: &str| json!({"current_company": name});
    let of = |company: &Value| json!({"company_id": company["id"]});
    assert_eq!(merged(by_name("Old"), of(&acme), json!(null)), (json!(null), json!("Old")));
    assert_eq!(merged(json!({}), of(&acme), json!(null)), (acme["id"].clone(), json!("Acme")));
    assert_eq!(merged(by_name("ACME"), of(&acme), json!(null)), (acme["id"].clone(), json!("ACME")));
    assert_eq!(merged(of(&globex), of(&acme), json!(null)), (globex["id"].clone(), json!("Globex")));
    assert_eq!(merged(of(&globex), of(&acme), json!("company_id")), (acme["id"].clone(), json!("Acme")));
    assert_eq!(merged(of(&globex), by_name("Old"), json!("current_company")), (json!(null), json!("Old")));
}

fn a_rejected_entry_never_wins(world: &World) {
    let key = world.key("full_access");
    let project = key.post("/projects", json!({"name": "CTO"})).created();
    let own = format!("/projects/{}", id(&project));
    let stages = key.get(&own).ok()["pipeline"]["stages"].as_array().cloned().expect("stages");
    let stage = |category: &str| {
        stages.iter().find(|stage| stage["system_category"] == category).expect(category)["id"].clone()
    };
    let enter = |contact: &Value, category: &str, more: Value| {
        let mut body = json!({"contact_id": contact["id"], "stage_id": stage(category)});
        body.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        key.post(&format!("{own}/entries"), body).created()
    };
    for (left, right, wins) in
        [("hired", "rejected", "hired"), ("rejected", "sourced", "sourced"), ("interview", "hired", "hired")]
    {
        let [ada, bea] = [(); 2].map(|()| person(&key, json!({})));
        let entries = [
            enter(&ada, left, json!({"rating": 4, "notes": "Strong."})),
            enter(&bea, right, json!({"rating": 2, "notes": "Late."})),
        ];
        let merged = merge(&key, "contacts", &ada, &[&bea]);
        let entry = key.get(&format!("/contacts/{}/entries", id(&ada))).page().rows.remove(0);
        assert_eq!(entry["stage_id"], stage(wins), "{left} and {right}");
        let (rating, notes) = if wins == left {
            (4, ["Strong.", "merged entry: 2", "Late."])
        } else {
            (2, ["Late.", "merged entry: 4", "Strong."])
        };
        assert_eq!(entry["rating"], rating);
        let said = text(&entry["notes"]);
        assert!(notes.iter().all(|part| said.contains(part)), "{said}");
        undo(&key, "contacts", &merged);
        for before in &entries {
            let now = key.get(&format!("/pipeline-entries/{}", id(before))).ok();
            for member in ["contact_id", "stage_id", "rating", "notes"] {
                assert_eq!(now[member], before[member], "{member}");
            }
        }
    }
    // Notes beyond an entry's limit become a note of the contact.
    let [ada, bea] = [(); 2].map(|()| person(&key, json!({})));
    enter(&ada, "sourced", json!({"notes": "a".repeat(6000)}));
    enter(&bea, "sourced", json!({"notes": "b".repeat(6000)}));
    let merged = merge(&key, "contacts", &ada, &[&bea]);
    let notes = key.get(&format!("/contacts/{}/notes", id(&ada))).page().column("content");
    assert_eq!(notes, ["b".repeat(6000)]);
    undo(&key, "contacts", &merged);
    assert_eq!(key.get(&format!("/contacts/{}/notes", id(&ada))).page().total(), 0);
}

fn rows_follow_successive_merges(world: &World) {
    let key = world.key("full_access");
    let [a, b, d] = ["A", "B", "D"].map(|name| key.post("/companies", json!({"name": name})).created());
    const MANY: usize = 700;
    for some in (0..MANY).collect::<Vec<_>>().chunks(100) {
        let items: Vec<Value> = some
            .iter()
            .map(|n| json!({"op": "create", "data": {"first_name": format!("P{n}"), "company_id": b["id"]}}))
            .collect();
        key.post("/contacts/bulk", json!({"items": items})).ok();
    }
    let first = merge(&key, "companies", &a, &[&b]);
    let second = merge(&key, "companies", &d, &[&a]);
    assert_eq!(second["moved"]["contacts"], MANY, "including rows that a job still has to move");
    let at = |company: &Value| {
        let sql = format!(
            "SELECT CAST(count(*) AS text) FROM terms WHERE field = 'contact.company' AND key = '{}'",
            id(company)
        );
        world.count(&sql)
    };
    let settled = |company: &Value| {
        eventually("all of them are there", PATIENCE, || (at(company) == MANY as u64).then_some(()));
        eventually("the count is right", PATIENCE, || {
            (read(&key, "companies", company)["contacts_count"] == MANY).then_some(())
        });
        let listed = key.list("/contacts", &[("company_id", &id(company)), ("limit", "100")]).page();
        assert!(
            listed.rows.iter().all(|row| row["company_id"] == company["id"]),
            "a contact refers to a deleted company"
        );
    };
    settled(&d);
    undo(&key, "companies", &second);
    settled(&a);
    undo(&key, "companies", &first);
    settled(&b);
    // Undone while the jobs are still moving rows.
    let first = merge(&key, "companies", &a, &[&b]);
    let second = merge(&key, "companies", &d, &[&a]);
    undo(&key, "companies", &second);
    let third = merge(&key, "companies", &d, &[&a]);
    undo(&key, "companies", &third);
    undo(&key, "companies", &first);
    settled(&b);
}

fn deals_keep_the_order_of_their_contacts(world: &World) {
    let key = world.key("full_access");
    let [a, b, c, d] = [(); 4].map(|()| person(&key, json!({})));
    let deals = [vec![&b, &c, &a], vec![&c, &b], vec![&d, &c], vec![&b, &d, &c]].map(|contacts| {
        let ids: Vec<&Value> = contacts.iter().map(|contact| &contact["id"]).collect();
        key.post("/deals", json!({"title": "Deal", "contact_ids": ids})).created()
    });
    let first = merge(&key, "contacts", &a, &[&b, &c]);
    let second = merge(&key, "contacts", &d, &[&a]);
    for deal in &deals {
        assert_eq!(strings(&read(&key, "deals", deal)["contact_ids"]), [id(&d)]);
    }
    undo(&key, "contacts", &second);
    undo(&key, "contacts", &first);
    for deal in &deals {
        assert_eq!(read(&key, "deals", deal)["contact_ids"], deal["contact_ids"]);
    }
}
