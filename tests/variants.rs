//! Variants of a step: texts that are compared with each other. Each contact gets one, and its results are counted.

use serde_json::{Value, json};
use std::collections::BTreeMap;

use crate::dashboard::owner;
use crate::erase::erase;
use crate::outreach::{becomes, enrolled, mails, started, unfolded};
use crate::sequences::{path, sequence};
use crate::support::outside::contact;
use crate::support::*;

stories![
    invalid_variants_are_refused_by_name,
    variants_keep_their_ids,
    contacts_are_split_by_weight_and_results_are_counted,
    bounces_and_unsubscriptions_count_for_their_variant,
    a_choice_is_repeated_after_a_failure_a_pause_and_a_restart,
    an_answer_has_the_subject_of_the_variant_that_was_sent,
    variants_are_previewed_and_tested,
    a_change_of_the_variants_keeps_what_was_recorded,
    warnings_and_fields_in_use_name_the_variant,
    variants_of_messages_in_the_network_are_sent,
    a_damaged_variant_is_an_error,
];

/// An email with two variants.
fn split() -> Value {
    json!([{"type": "email", "variants": [
        {"name": "Short", "subject": "Short, {{ first_name }}", "body": "Hello {{ first_name }}"},
        {"subject": "Long, {{ first_name }}", "body": "A long hello to {{ first_name }}", "weight": 3},
    ]}])
}

#[track_caller]
fn stats(key: &Client, sequence: &Value) -> Vec<Value> {
    key.get(&format!("{}/stats", path(sequence))).page().rows
}

/// The ids of the variants of a step.
fn ids(sequence: &Value, step: usize) -> Vec<String> {
    member(&sequence["steps"][step]["variants"], "id")
}

/// All sent messages.
#[track_caller]
fn messages(key: &Client) -> Vec<Value> {
    let (mut all, mut offset) = (Vec::new(), 0);
    loop {
        let more = offset.to_string();
        let page = key.list("/messages", &[("direction", "outbound"), ("limit", "100"), ("offset", &more)]).page();
        offset += page.rows.len();
        let is_last = !page.has_more();
        all.extend(page.rows);
        if is_last {
            return all;
        }
    }
}

fn invalid_variants_are_refused_by_name(world: &World) {
    let key = world.key("full_access");
    let text = |more: Value| {
        let mut variant = json!({"subject": "Hi", "body": "Hello"});
        variant.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        variant
    };
    let (plain, of) = (text(json!({})), |variants: Value| json!({"type": "email", "variants": variants}));
    let with = |second: Value| of(json!([plain, text(second)]));
    let beside = |more: Value| {
        let mut step = of(json!([plain, plain]));
        step.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        step
    };
    let cases = [
        (of(json!([plain])), "variants", "must have from 2 to 5 items, or none"),
        (of(vec![plain.clone(); 6].into()), "variants", "must have from 2 to 5 items, or none"),
        (of(Value::Null), "variants", "must not be null"),
        (of(json!("A")), "variants", "must be an array of objects"),
        (of(json!([plain, "B"])), "variants.1", "must be an object"),
        (with(json!({"weight": 0})), "variants.1.weight", "must be from 1 to 100"),
        (
            of(json!([text(json!({"weight": 0})), text(json!({"weight": 0}))])),
            "variants.0.weight",
            "must be from 1 to 100",
        ),
        (with(json!({"weight": 101})), "variants.1.weight", "must be from 1 to 100"),
        (with(json!({"weight": 1.5})), "variants.1.weight", "must be a whole number"),
        (with(json!({"wieght": 5})), "variants.1.wieght", "did you mean weight?"),
        (with(json!({"subject": null})), "variants.1.subject", "is needed by an email that starts a thread"),
        (with(json!({"subject": "x".repeat(256)})), "variants.1.subject", "must be at most 255 characters"),
        (with(json!({"subject": "two\nlines"})), "variants.1.subject", "must be one line"),
        (with(json!({"body": "{{ firstname }}"})), "variants.1.body", "did you mean first_name?"),
        (with(json!({"body": "{% for a in b %}"})), "variants.1.body", "does not take {% for %}"),
        (with(json!({"body": "x".repeat(20_001)})), "variants.1.body", "must be at most 20000 characters"),
        (with(json!({"body": "{{ first_name * 9 }}"})), "variants.1.body", ""),
        (beside(json!({"subject": "Own"})), "subject", "must be empty in a step with variants"),
        (beside(json!({"body": "Own"})), "body", "must be empty in a step with variants"),
        (beside(json!({"execution_mode": "manual"})), "variants", "is for a message that is sent automatically"),
        (beside(json!({"type": "call"})), "variants", "is for a message that is sent automatically"),
        (beside(json!({"type": "task"})), "variants", "is for a message that is sent automatically"),
        (beside(json!({"type": "network_visit"})), "variants", "is for a message that is sent automatically"),
        (
            json!({"type": "chat", "variants": [{"body": "Hi"}, {"body": "Hi {{ unsubscribe_url }}"}]}),
            "variants.1.body",
            "unsubscribe_url is for an email that is sent automatically",
        ),
    ];
    let draft = sequence(&key, json!({"name": "Draft", "steps": split()}));
    for (step, member, reason) in &cases {
        let body = json!({"name": "Refused", "steps": [{"type": "call"}, step]});
        let field = format!("steps.1.{member}");
        key.post("/sequences", body.clone()).error(400, "validation_error").at(&field).says(reason);
        key.put(&path(&draft), body.clone()).error(400, "validation_error").at(&field).says(reason);
        key.patch(&path(&draft), body).error(400, "validation_error").at(&field).says(reason);
    }
    let many: Vec<Value> = vec![of(vec![plain.clone(); 5].into()); 11];
    let refused = key.post("/sequences", json!({"name": "Refused", "steps": many})).invalid("steps");
    refused.says("have 55 variants; all steps together may have 50");
    assert_eq!(key.get("/sequences").page().total(), 1, "nothing was created");
    assert_eq!(key.get(&path(&draft)).ok(), draft, "nothing was changed");
    // All problems are reported at once.
    let both = of(json!([{"subject": "", "body": "{{ nobody }}"}, {"subject": "Hi", "weight": 0}]));
    let fields: Vec<String> = key
        .post("/sequences", json!({"name": "Refused", "steps": [both]}))
        .error(400, "validation_error")
        .details()
        .into_iter()
        .map(|(field, _)| field)
        .collect();
    for field in ["steps.0.variants.0.subject", "steps.0.variants.0.body", "steps.0.variants.1.weight"] {
        assert!(fields.iter().any(|one| one == field), "{field} is not in {fields:?}");
    }
    // A message needs a text when the sequence is started.
    let chat = json!([{"type": "chat", "variants": [{"body": "Hi"}, {"name": "Empty"}]}]);
    let chat = sequence(&key, json!({"name": "Chat", "steps": chat}));
    key.post(&format!("{}/start", path(&chat)), json!({}))
        .error(400, "validation_error")
        .at("steps.0.variants.1.body")
        .says("is needed by a message");
}

fn variants_keep_their_ids(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let draft = sequence(&key, json!({"name": "Draft", "steps": split()}));
    let first = ids(&draft, 0);
    assert!(first.len() == 2 && first[0] != first[1], "{draft}");
    let shown = &draft["steps"][0]["variants"];
    let expected = json!({"id": first[0], "name": "Short", "weight": 1, "subject": "Short, {{ first_name }}", "body": "Hello {{ first_name }}"});
    assert_eq!(shown[0], expected);
    assert_eq!((&shown[1]["name"], &shown[1]["weight"]), (&Value::Null, &json!(3)));
    assert_eq!((&draft["steps"][0]["subject"], &draft["steps"][0]["body"]), (&Value::Null, &Value::Null));
    let now = || key.get(&path(&draft)).ok();
    // Sent back as they are, nothing changes, in whatever state the sequence is.
    for word in ["", "start", "pause"] {
        if !word.is_empty() {
            key.post(&format!("{}/{word}", path(&draft)), json!({})).ok();
        }
        for put in [true, false] {
            let steps = json!({"steps": now()["steps"]});
            let saved = if put { key.put(&path(&draft), steps) } else { key.patch(&path(&draft), steps) }.ok();
            assert_eq!(saved["version"], 1, "{word}");
            assert_eq!(ids(&now(), 0), first, "{word}");
        }
    }
    // A changed variant stays the same one, and one without an id is new.
    let mut steps = now()["steps"].clone();
    steps[0]["variants"][0]["body"] = "Changed".into();
    steps[0]["variants"][1]["weight"] = 7.into();
    steps[0]["variants"].as_array_mut().expect("a list").push(json!({"subject": "Third", "body": "Third"}));
    assert_eq!(key.patch(&path(&draft), json!({"steps": steps})).ok()["version"], 2);
    let second = ids(&now(), 0);
    assert_eq!(second[..2], first[..]);
    assert!(second.len() == 3 && !first.contains(&second[2]), "{second:?}");
    assert_eq!(now()["steps"][0]["variants"][1]["weight"], 7);
    // Ids of others are refused.
    let tried = |change: &dyn Fn(&mut Value)| {
        let mut steps = now()["steps"].clone();
        change(&mut steps);
        key.put(&path(&draft), json!({"steps": steps}))
    };
    let foreign = "no variant of this step has this id; leave it out of a new variant";
    tried(&|steps| steps[0]["variants"][1]["id"] = nobody().into()).invalid("steps.0.variants.1.id").says(foreign);
    tried(&|steps| steps[0]["variants"][1]["id"] = first[0].clone().into())
        .invalid("steps.0.variants.1.id")
        .says("another variant has it already");
    tried(&|steps| steps[0]["variants"][1]["id"] = "no id".into())
        .invalid("steps.0.variants.1.id")
        .says("must be a uuid");
    // A new step has no variants of another one.
    tried(&|steps| drop(steps[0].as_object_mut().expect("an object").remove("id")))
        .error(400, "validation_error")
        .at("steps.0.variants.0.id")
        .says(foreign);
    // A copy has ids of its own.
    let copy = key.post("/sequences", json!({"name": "Copy", "steps": now()["steps"]})).created();
    assert!(ids(&copy, 0).len() == 3 && ids(&copy, 0).iter().all(|id| !second.contains(id)), "{copy}");
    // The list can be emptied, and the step has a text of its own again.
    tried(&|steps| (steps[0]["variants"], steps[0]["subject"]) = (json!([]), "Own".into())).ok();
    assert_eq!(now()["steps"][0]["variants"], json!([]));
}

const PEOPLE: usize = 240;

fn contacts_are_split_by_weight_and_results_are_counted(world: &World) {
    let script = "[[rules]]\naction = \"reply\"\nmatch = \"yes*\"\ntext = \"Gladly!\"\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let made = started(&key, split(), json!({}));
    let variants = ids(&made, 0);
    let before = &stats(&key, &made)[0];
    assert_eq!(before["comparison"]["verdict"], "too_few_sent");
    assert_eq!(
        before["comparison"]["summary"],
        "Too few messages were sent: each variant needs 30, and Short has 0, B has 0."
    );
    let people = at_once(4, |part| {
        let mine = (0..PEOPLE).filter(|n| n % 4 == part);
        let address =
            |n: usize| if n.is_multiple_of(5) { format!("yes{n}@example.com") } else { format!("no{n}@example.com") };
        mine.map(|n| contact(&key, "Ada", &address(n))).collect::<Vec<_>>()
    });
    let people: Vec<String> = people.into_iter().flatten().collect();
    let done = key.post(&format!("{}/enroll", path(&made)), json!({"contact_ids": people})).ok();
    assert_eq!(done["enrolled"], PEOPLE);
    eventually("all mails and replies", PATIENCE * 4, || {
        let step = &stats(&key, &made)[0];
        (step["sent"] == PEOPLE && step["replied"] == PEOPLE / 5).then_some(())
    });
    // The counts are those of the messages, and of the enrollments that ended by a reply.
    let (mut sent, mut replied) = (BTreeMap::<String, u64>::new(), BTreeMap::<String, u64>::new());
    let mut by_enrollment = BTreeMap::new();
    for message in messages(&key) {
        let (variant, subject) = (text(&message["variant_id"]), text(&message["subject"]));
        let at = variants.iter().position(|id| *id == variant).unwrap_or_else(|| panic!("{message}"));
        assert_eq!(subject, ["Short, Ada", "Long, Ada"][at], "{message}");
        *sent.entry(variant.clone()).or_default() += 1;
        by_enrollment.insert(text(&message["enrollment_id"]), variant);
    }
    assert_eq!(by_enrollment.len(), PEOPLE);
    let answered =
        key.list(&format!("{}/enrollments", path(&made)), &[("status", "eq.replied"), ("limit", "100")]).page();
    for id in answered.ids() {
        *replied.entry(by_enrollment[&id].clone()).or_default() += 1;
    }
    let step = stats(&key, &made).remove(0);
    let listed = step["variants"].as_array().expect("a list");
    assert_eq!(member(&step["variants"], "variant_id"), variants);
    for variant in listed {
        let id = text(&variant["variant_id"]);
        assert_eq!(variant["sent"], json!(sent[&id]), "{step}");
        assert_eq!(variant["replied"], json!(replied.get(&id).copied().unwrap_or(0)), "{step}");
        for other in ["failed", "bounced", "unsubscribed"] {
            assert_eq!(variant[other], 0, "{step}");
        }
    }
    // Expected are 60 of 240; five standard deviations are 34.
    let short = sent[&variants[0]];
    assert!((26..=94).contains(&short), "{short} of {PEOPLE} instead of about a quarter");
    let comparison = &step["comparison"];
    assert_eq!(comparison["metric"], "reply_rate");
    let rate = |at: usize| replied.get(&variants[at]).copied().unwrap_or(0) as f64 / sent[&variants[at]] as f64;
    if sent.values().all(|sent| *sent >= 30) && rate(0) != rate(1) {
        let best = usize::from(rate(1) > rate(0));
        assert_eq!(comparison["best_variant_id"], json!(variants[best]), "{step}");
        assert_eq!(comparison["next_variant_id"], json!(variants[1 - best]), "{step}");
        let p = comparison["p_value"].as_f64().expect("a number");
        assert_eq!(comparison["verdict"], if p < 0.05 { "better" } else { "no_difference_shown" }, "{step}");
    }
    // Erasing and merging people leaves the counts as they are, as those of steps.
    erase(&key, &people[0]);
    key.post("/contacts/merge", json!({"into": people[1], "from": [people[2]]})).ok();
    let after = stats(&key, &made).remove(0);
    assert_eq!((&after["sent"], &after["variants"]), (&step["sent"], &step["variants"]));
    // And so does archiving the sequence.
    key.delete(&path(&made)).ok();
    assert_eq!(stats(&key, &made)[0]["variants"], step["variants"]);
}

fn bounces_and_unsubscriptions_count_for_their_variant(world: &World) {
    let script = "[[rules]]\naction = \"reject\"\nmatch = \"gone*\"\ncode = 550\ntext = \"5.1.1 no such user\"\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let made = started(&key, split(), json!({}));
    let (gone, bea) = (contact(&key, "Gone", "gone@example.com"), contact(&key, "Bea", "bea@example.com"));
    becomes(&key, &enrolled(&key, &made, &gone), "bounced");
    becomes(&key, &enrolled(&key, &made, &bea), "finished");
    let mail = mails(&outside, "bea@example.com", 1).remove(0);
    let link = unfolded(&mail, "List-Unsubscribe").expect("a link");
    let link = link.trim_matches(['<', '>']).strip_prefix(&world.origin()).expect("a link to here").to_owned();
    let form = "application/x-www-form-urlencoded";
    world
        .stranger()
        .visit(&link)
        .method("POST")
        .header("Content-Type", form)
        .body("List-Unsubscribe=One-Click")
        .send()
        .is(200);
    let of = |contact: &str| {
        let message = messages(&key).into_iter().find(|message| message["contact_id"] == *contact);
        text(&message.unwrap_or_else(|| panic!("no message to {contact}"))["variant_id"])
    };
    let step = stats(&key, &made).remove(0);
    for variant in step["variants"].as_array().expect("a list") {
        let id = text(&variant["variant_id"]);
        let counts = [u64::from(of(&gone) == id), u64::from(of(&bea) == id)];
        assert_eq!(variant["bounced"], json!(counts[0]), "{step}");
        assert_eq!(variant["unsubscribed"], json!(counts[1]), "{step}");
        assert_eq!(
            variant["sent"],
            json!(counts[0] + counts[1]),
            "a bounced mail counts as sent, as in the step: {step}"
        );
    }
    assert_eq!((&step["sent"], &step["bounced"], &step["unsubscribed"]), (&json!(2), &json!(1), &json!(1)));
}

fn a_choice_is_repeated_after_a_failure_a_pause_and_a_restart(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let steps = json!([{"type": "email", "variants": [
        {"subject": "One", "body": "As {{ title }}"}, {"subject": "Two", "body": "To the {{ title }}"}, {"subject": "Three", "body": "{{ title }}!"},
    ]}]);
    let made = started(&key, steps, json!({}));
    let variants = ids(&made, 0);
    let people: Vec<String> = (0..12).map(|n| contact(&key, "Ada", &format!("ada{n}@example.com"))).collect();
    let enrollments: Vec<String> = people.iter().map(|person| enrolled(&key, &made, person)).collect();
    // The reason names the variant whose text lacks a value.
    let failed: Vec<usize> = enrollments
        .iter()
        .map(|enrollment| {
            let reason = text(&becomes(&key, enrollment, "failed")["reason"]);
            let at = (0..3).find(|at| reason.contains(&format!("variants.{at}.body: ")));
            at.unwrap_or_else(|| panic!("{reason}"))
        })
        .collect();
    assert!(failed.iter().any(|at| *at != failed[0]), "not all get the same variant: {failed:?}");
    let failures = |at: usize| json!(failed.iter().filter(|one| **one == at).count());
    for at in 0..3 {
        assert_eq!(stats(&key, &made)[0]["variants"][at]["failed"], failures(at));
    }
    for person in &people {
        key.put(&format!("/contacts/{person}"), json!({"title": "CTO"})).ok();
    }
    // Messages wait in the outbox, are cancelled by a pause, and are made anew after a restart.
    outside.play("[[rules]]\naction = \"reject\"\nmatch = \"*\"\ncode = 451\ntext = \"4.3.2 later\"\n");
    assert_eq!(key.post(&format!("{}/retry", path(&made)), json!({})).ok()["retried"], 12);
    let of = |enrollment: &str, all: &[Value]| -> Vec<String> {
        let id = enrollment.trim_start_matches("/enrollments/");
        all.iter()
            .filter(|message| message["enrollment_id"] == id)
            .map(|message| text(&message["variant_id"]))
            .collect()
    };
    eventually("messages of all", PATIENCE, || {
        let all = messages(&key);
        enrollments.iter().all(|enrollment| !of(enrollment, &all).is_empty()).then_some(())
    });
    for enrollment in &enrollments {
        key.post(&format!("{enrollment}/pause"), json!({})).ok();
    }
    world.stop();
    outside.play("");
    world.restart();
    for enrollment in &enrollments {
        key.post(&format!("{enrollment}/resume"), json!({})).ok();
    }
    for enrollment in &enrollments {
        becomes(&key, enrollment, "finished");
    }
    let all = messages(&key);
    for (enrollment, failed) in enrollments.iter().zip(&failed) {
        let used = of(enrollment, &all);
        assert!(!used.is_empty() && used.iter().all(|id| *id == variants[*failed]), "{used:?} instead of {failed}");
    }
    let step = stats(&key, &made).remove(0);
    for at in 0..3 {
        assert_eq!(step["variants"][at]["sent"], failures(at), "{step}");
        assert_eq!(step["variants"][at]["failed"], 0, "a retried failure counts no more: {step}");
    }
}

fn an_answer_has_the_subject_of_the_variant_that_was_sent(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let mut steps = split();
    let list = steps.as_array_mut().expect("a list");
    list.push(json!({"type": "email", "variants": [{"body": "Once more"}, {"body": "And again"}]}));
    let made = started(&key, steps.clone(), json!({}));
    // The first step is skipped, so that the second one starts the thread.
    steps[0]["entry_conditions"] = json!({"title": "eq.Nobody"});
    let skipping = started(&key, steps, json!({}));
    for n in 0..6 {
        let address = format!("ada{n}@example.com");
        let ada = contact(&key, "Ada", &address);
        becomes(&key, &enrolled(&key, &made, &ada), "finished");
        let both = mails(&outside, &address, 2);
        let subject = unfolded(&both[0], "Subject").expect("a subject");
        assert!(["Short, Ada", "Long, Ada"].contains(&subject.as_str()), "{subject}");
        assert_eq!(unfolded(&both[1], "Subject"), Some(format!("Re: {subject}")));
        assert!(both[1].contains("Once more") || both[1].contains("And again"), "{}", both[1]);

        let address = format!("bea{n}@example.com");
        let bea = contact(&key, "Bea", &address);
        becomes(&key, &enrolled(&key, &skipping, &bea), "finished");
        let only = mails(&outside, &address, 1);
        let subject = unfolded(&only[0], "Subject").expect("a subject");
        assert!(only.len() == 1 && ["Short, Bea", "Long, Bea"].contains(&subject.as_str()), "{subject}");
    }
    let step = stats(&key, &skipping).remove(0);
    assert_eq!(step["skipped"], 6);
    assert!(step["variants"].as_array().expect("a list").iter().all(|variant| variant["sent"] == 0), "{step}");
}

fn variants_are_previewed_and_tested(world: &World) {
    let (ada, outside) = (owner(world), Outside::new(""));
    let key = world.key("full_access");
    outside.mailbox(world, "ada@mail.example.org", &[]);
    let made = sequence(&key, json!({"name": "Outreach", "steps": split()}));
    let ann = contact(&key, "Ann", "ann@example.com");
    let preview = |more: Value| {
        let mut body = json!({"contact_id": ann, "step": 0});
        body.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        ada.inside("POST", &format!("{}/preview", path(&made))).json(&body).send()
    };
    assert_eq!(preview(json!({})).ok()["subject"], "Short, Ann", "the first unless another is asked for");
    assert_eq!(preview(json!({"variant": 1})).ok()["subject"], "Long, Ann");
    assert_eq!(preview(json!({"variant": 1})).ok()["text"], "A long hello to Ann");
    preview(json!({"variant": 2})).invalid("variant").says("has no variant at this place");
    preview(json!({"variant": 5})).invalid("variant");
    let unsaved = json!([{"type": "email", "variants": [{"subject": "A", "body": "{{ title }}"}, {"subject": "B", "body": "{{ typo }}"}]}]);
    let fields = |at: usize| member(&preview(json!({"steps": unsaved, "variant": at})).ok()["problems"], "field");
    assert_eq!(fields(0), ["variants.0.body"]);
    assert_eq!(fields(1), ["variants.1.body"]);
    // Steps that can't be saved are previewed, too, with their problems.
    let alone = json!([{"type": "email", "body": "Own", "variants": [{"subject": "A", "body": "Alone"}]}]);
    let alone = preview(json!({"steps": alone})).ok();
    assert_eq!(
        (&alone["text"], member(&alone["problems"], "field")),
        (&json!("Alone"), vec!["variants".to_owned(), "body".to_owned()])
    );
    let plain = json!([{"type": "email", "subject": "A", "body": "A"}]);
    preview(json!({"steps": plain, "variant": 0})).invalid("variant");
    let checked = ada.inside("POST", &format!("{}/check", path(&made))).json(&json!({"steps": unsaved})).send().ok();
    assert_eq!(member(&checked["problems"], "field"), ["steps.0.variants.1.body"]);

    let test = |body: Value| key.post(&format!("{}/steps/{}/test", path(&made), text(&made["steps"][0]["id"])), body);
    assert_eq!(test(json!({"contact_id": ann})).ok()["subject"], "Short, Ann");
    assert_eq!(test(json!({"contact_id": ann, "variant_id": ids(&made, 0)[1]})).ok()["subject"], "Long, Ann");
    test(json!({"contact_id": ann, "variant_id": nobody()}))
        .invalid("variant_id")
        .says("no variant of the step has this id");
    assert_eq!(stats(&key, &made)[0]["variants"][1]["sent"], 0, "a test does not count");
    let lacking = json!([{"type": "email", "variants": [{"subject": "A", "body": "{{ title }}"}, {"subject": "B"}]}]);
    key.put(&path(&made), json!({"steps": lacking})).ok();
    let changed = key.get(&path(&made)).ok();
    let step = text(&changed["steps"][0]["id"]);
    key.post(&format!("{}/steps/{step}/test", path(&made)), json!({"contact_id": ann}))
        .invalid("variants.0.body")
        .says("no value for title");
}

fn a_change_of_the_variants_keeps_what_was_recorded(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let made = started(&key, split(), json!({}));
    let old = ids(&made, 0);
    for n in 0..8 {
        becomes(&key, &enrolled(&key, &made, &contact(&key, "Ada", &format!("a{n}@example.com"))), "finished");
    }
    let (before, sent) = (stats(&key, &made).remove(0), messages(&key));
    key.post(&format!("{}/pause", path(&made)), json!({})).ok();
    let mut steps = made["steps"].clone();
    steps[0]["variants"][0] = json!({"subject": "New", "body": "New"});
    key.put(&path(&made), json!({"steps": steps})).ok();
    let changed = key.get(&path(&made)).ok();
    let new = ids(&changed, 0);
    assert_eq!((&changed["version"], &new[1]), (&json!(2), &old[1]));
    key.post(&format!("{}/start", path(&made)), json!({})).ok();
    assert_eq!(messages(&key), sent, "what was sent stays as it was recorded");
    // The variant that was removed keeps its results, behind those of the newest version.
    let after = stats(&key, &made).remove(0);
    let rows = after["variants"].as_array().expect("a list");
    assert_eq!(member(&after["variants"], "variant_id"), [new[0].clone(), old[1].clone(), old[0].clone()]);
    assert_eq!((&rows[0]["sent"], &rows[0]["version"]), (&json!(0), &json!(2)));
    assert_eq!((&rows[1]["sent"], &rows[1]["version"]), (&before["variants"][1]["sent"], &json!(2)));
    assert_eq!((&rows[2]["sent"], &rows[2]["version"]), (&before["variants"][0]["sent"], &json!(1)));
    let summary = text(&after["comparison"]["summary"]);
    assert!(summary.contains("A has 0, B has "), "only present variants are compared: {summary}");
    for n in 0..8 {
        becomes(&key, &enrolled(&key, &made, &contact(&key, "Bea", &format!("b{n}@example.com"))), "finished");
    }
    let later: Vec<Value> = messages(&key).into_iter().filter(|message| !sent.contains(message)).collect();
    assert_eq!(later.len(), 8);
    assert!(later.iter().all(|message| new.contains(&text(&message["variant_id"]))), "{later:?}");
    // Without variants, the results of the earlier ones are still shown.
    key.post(&format!("{}/pause", path(&made)), json!({})).ok();
    (steps[0]["variants"], steps[0]["subject"]) = (json!([]), "Own".into());
    key.put(&path(&made), json!({"steps": steps})).ok();
    let last = stats(&key, &made).remove(0);
    assert_eq!(last["variants"].as_array().map(Vec::len), Some(3));
    let total: u64 =
        last["variants"].as_array().expect("a list").iter().filter_map(|variant| variant["sent"].as_u64()).sum();
    assert_eq!((json!(total), &last["sent"]), (json!(16), &json!(16)));
}

fn warnings_and_fields_in_use_name_the_variant(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    world.cli(["fields", "create", "--entity", "contact", "--key", "level", "--label", "Level", "--type", "text"]).ok();
    let steps = json!([{"type": "email", "delay_days": 1, "variants": [
        {"subject": "A", "body": "{{ unsubscribe_url }} {{ title }}"},
        {"subject": "B", "body": "{{ custom_data.level | default('x') }}"},
    ]}]);
    let made = started(&key, steps, json!({}));
    let refused = world.cli(["fields", "delete", "--entity", "contact", "--key", "level"]).refused().to_owned();
    assert!(refused.contains("steps.0.variants.1.body names custom_data.level"), "{refused}");
    for n in 0..PEOPLE / 8 {
        enrolled(&key, &made, &contact(&key, "Ada", &format!("a{n}@example.com")));
    }
    key.post(&format!("{}/pause", path(&made)), json!({})).ok();
    let warned = key.post(&format!("{}/start", path(&made)), json!({})).ok()["warnings"].clone();
    let message = |code: &str| {
        let found = warned.as_array().into_iter().flatten().find(|one| one["code"] == code);
        text(&found.unwrap_or_else(|| panic!("no {code} in {warned}"))["message"])
    };
    assert_eq!(message("no_unsubscribe_link"), "no unsubscribe link is in the text of steps.0.variants.1");
    // Only people who get the first variant lack a value.
    let lacking = message("missing_values");
    let count: usize = lacking.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("{lacking}"));
    assert!(count > 0 && count < PEOPLE / 8 && lacking.contains("title"), "{lacking}");
}

fn variants_of_messages_in_the_network_are_sent(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.provider(world, "chat");
    let steps =
        json!([{"type": "chat", "variants": [{"body": "Hi {{ first_name }}"}, {"body": "Hello {{ first_name }}"}]}]);
    let made = started(&key, steps, json!({}));
    let variants = ids(&made, 0);
    for n in 0..6 {
        let person =
            key.post("/contacts", json!({"first_name": "Ada", "phone": format!("+33 1 23 45 6{n}")})).created();
        becomes(&key, &enrolled(&key, &made, &text(&person["id"])), "finished");
    }
    for message in messages(&key) {
        let expected = if message["content"] == "Hi Ada" { &variants[0] } else { &variants[1] };
        assert_eq!(message["variant_id"], json!(expected), "{message}");
    }
    let step = stats(&key, &made).remove(0);
    let total: u64 =
        step["variants"].as_array().expect("a list").iter().filter_map(|variant| variant["sent"].as_u64()).sum();
    assert_eq!(total, 6, "{step}");
}

fn a_damaged_variant_is_an_error(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let made = started(&key, split(), json!({}));
    let ada = contact(&key, "Ada", "ada@example.com");
    let (id, table) = (text(&made["id"]), "sequence_versions.steps");
    for (whole, damaged) in
        [("\"weight\":3", "\"weight\":0"), ("\"weight\":3", "\"weight\":null"), ("\"variants\":[", "\"variants\":[1,")]
    {
        let swap = |from: &str, to: &str| {
            world.change(&format!("UPDATE sequence_versions SET steps = replace(steps, '{from}', '{to}')"))
        };
        swap(whole, damaged);
        let lines = || world.log().lines().filter(|line| line.contains(&format!("{table} of {id}"))).count();
        let before = lines();
        eventually("the failure", PATIENCE, || {
            (key.get(&format!("{}/stats", path(&made))).status == 500).then_some(())
        });
        eventually("a line in the log", PATIENCE, || (lines() > before).then_some(()));
        swap(damaged, whole);
        eventually("the repair", PATIENCE, || (key.get(&format!("{}/stats", path(&made))).status == 200).then_some(()));
    }
    // Nothing is sent from a damaged step, and the enrollment stays.
    world.change("UPDATE sequence_versions SET steps = replace(steps, '\"weight\":3', '\"weight\":0')");
    let failing = || key.post(&format!("{}/enroll", path(&made)), json!({"contact_ids": [ada]})).status == 500;
    eventually("the failure", PATIENCE, || failing().then_some(()));
    assert_eq!(outside.sandbox.accepted(), 0);
    world.change("UPDATE sequence_versions SET steps = replace(steps, '\"weight\":0', '\"weight\":3')");
    eventually("the repair", PATIENCE, || (key.get(&format!("{}/stats", path(&made))).status == 200).then_some(()));
    becomes(&key, &enrolled(&key, &made, &ada), "finished");
}
