use super::*;

const DAY: i64 = 86_400_000;

fn all_day() -> Schedule {
    let days = super::super::schedule::DAYS;
    let config = json!({"timezone": "UTC", "days": days, "start_time": "00:00", "end_time": "24:00"});
    Schedule::of(config.as_object().expect("an object")).expect("a schedule")
}

fn steps(list: &[Json]) -> Vec<ParsedStep> {
    let step = |(at, step): (usize, &Json)| {
        let mut step = step.as_object().expect("an object").clone();
        step.insert("id".into(), Uuid::from_u128(at as u128 + 1).to_string().into());
        step.entry("type").or_insert("email".into());
        step
    };
    read(&list.iter().enumerate().map(step).collect::<Vec<_>>()).expect("steps")
}

/// `child(key of the parent, condition, after_days)`
fn child(parent: &str, kind: &str, days: i64) -> Json {
    json!({"parent_step_id": parent, "branch_condition": {"type": kind, "after_days": days}})
}

fn shown(next: Next) -> String {
    match next {
        Next::Step { at, due, .. } => format!("step {at} at {}", due / DAY),
        Next::Undecided { until, .. } => format!("undecided until {}", until / DAY),
        Next::End => "end".into(),
        Next::Never => "never".into(),
    }
}

#[test]
fn the_stem_is_walked_in_its_order() {
    let steps = steps(&[json!({}), json!({"delay_days": 2}), json!({"delay_days": 1, "delay_hours": 12})]);
    let walk = |after, base| shown(next(&steps, &all_day(), after, base, &Facts::default(), base));
    assert_eq!(walk(None, 5 * DAY), "step 0 at 5");
    assert_eq!(walk(Some(0), 5 * DAY), "step 1 at 7");
    assert_eq!(walk(Some(1), 7 * DAY), "step 2 at 8");
    assert_eq!(walk(Some(2), 8 * DAY), "end");
    assert_eq!(shown(next(&[], &all_day(), None, 0, &Facts::default(), 0)), "end");
}

#[test]
fn branches_are_taken_by_what_holds_and_when() {
    let a = json!({"client_key": "a"});
    let within = [a.clone(), child("a", "replied", 3), child("a", "not_replied", 3)];
    let turns = [a.clone(), child("a", "replied", 3), child("a", "has_phone", 0), child("a", "otherwise", 0)];
    let invited = [a.clone(), child("a", "invite_not_accepted", 7), child("a", "invite_accepted", 7)];
    let stem = [a.clone(), child("a", "opened", 2), json!({})];
    let late = [a.clone(), child("a", "otherwise", 4)];
    let plain = [a, json!({"parent_step_id": "a"})];
    let replied = |at: i64| Facts { replied: Some(at * DAY), ..Facts::default() };
    let phone = Facts { has_phone: true, ..Facts::default() };
    let accepted = Facts { accepted: Some(2 * DAY), ..Facts::default() };
    let none = Facts::default();
    let cases = [
        (&within[..], &none, 1, "undecided until 3"),
        (&within, &none, 3, "step 2 at 3"),
        (&within, &replied(2), 2, "step 1 at 2"),
        (&within, &replied(2), 9, "step 1 at 2"),
        (&within, &replied(4), 4, "step 2 at 3"),
        (&turns, &phone, 0, "undecided until 3"),
        (&turns, &phone, 3, "step 2 at 3"),
        (&turns, &none, 3, "step 3 at 3"),
        (&turns, &replied(1), 1, "step 1 at 1"),
        (&invited, &none, 2, "undecided until 7"),
        (&invited, &accepted, 2, "step 2 at 2"),
        (&invited, &none, 7, "step 1 at 7"),
        (&stem, &none, 1, "undecided until 2"),
        (&stem, &none, 2, "step 2 at 2"),
        (&stem, &Facts { opened: Some(DAY), ..Facts::default() }, 1, "step 1 at 1"),
        (&late, &none, 1, "undecided until 4"),
        (&late, &none, 5, "step 1 at 4"),
        (&plain, &none, 0, "step 1 at 0"),
    ];
    for (list, facts, now, expected) in cases {
        let steps = steps(list);
        assert_eq!(shown(next(&steps, &all_day(), Some(0), 0, facts, now * DAY)), expected, "{list:?} {facts:?} {now}");
    }
    // A branch is followed to its end, and does not come back to the stem.
    assert_eq!(shown(next(&steps(&stem), &all_day(), Some(1), 0, &none, 0)), "end");
}

#[test]
fn a_step_is_foreseen_along_its_way() {
    let a = json!({"client_key": "a"});
    let list =
        [a, child("a", "replied", 3), child("a", "has_phone", 1), json!({"delay_days": 2}), json!({"delay_days": 1})];
    let steps = steps(&list);
    let toward = |at, known: &Facts| shown(toward(&steps, &all_day(), at, DAY, known));
    let phone = Facts { has_phone: true, ..Facts::default() };
    assert_eq!(toward(0, &phone), "step 0 at 1");
    assert_eq!(toward(1, &phone), "step 1 at 1", "as soon as there is a reply");
    assert_eq!(toward(2, &phone), "step 2 at 4", "when no reply has come");
    assert_eq!(toward(2, &Facts::default()), "end", "without a phone the stem goes on");
    assert_eq!(toward(3, &Facts::default()), "step 3 at 6");
    assert_eq!(toward(4, &Facts::default()), "step 4 at 7");
    assert_eq!(toward(4, &phone), "end", "a contact with a phone takes the branch");
}

#[test]
fn every_rule_that_moves_a_step_is_told() {
    let config = json!({"timezone": "UTC", "days": ["mon"], "start_time": "09:00", "end_time": "10:00"});
    let schedule = Schedule::of(config.as_object().expect("an object")).expect("a schedule");
    let steps = steps(&[json!({"delay_hours": 3})]);
    // Thursday, 1 January 1970
    let Next::Step { due, delays, .. } = next(&steps, &schedule, None, 0, &Facts::default(), 0) else {
        panic!("there is a step");
    };
    assert_eq!(due, 4 * DAY + 9 * 3_600_000);
    let rules: Vec<_> = delays.iter().map(|delay| (delay.rule, delay.reason.as_str())).collect();
    assert_eq!(
        rules,
        [("delay", "0 days and 3 hours after the step before"), ("schedule", "the day is not one of days")]
    );
}

fn first() -> Json {
    json!({"client_key": "a"})
}

fn facts_at(day: i64) -> Facts {
    let at = Some(day * DAY);
    Facts { replied: at, opened: at, clicked: at, accepted: at, ..Facts::default() }
}

/// What follows the first step, which was over at the beginning of day 0.
fn after_first(list: &[Json], facts: &Facts, day: i64) -> String {
    shown(next(&steps(list), &all_day(), Some(0), 0, facts, day * DAY))
}

#[test]
fn a_branch_for_an_event_does_not_wait_for_the_branches_before_it() {
    let list = [first(), child("a", "opened", 5), child("a", "replied", 5)];
    let replied = Facts { replied: Some(DAY), ..Facts::default() };
    assert_eq!(after_first(&list, &replied, 1), "step 2 at 1");
}

#[test]
fn a_branch_for_a_property_waits_for_the_branches_before_it() {
    let list = [first(), child("a", "replied", 5), child("a", "has_email", 0)];
    let reachable = Facts { has_email: true, ..Facts::default() };
    assert_eq!(after_first(&list, &reachable, 1), "undecided until 5");
    assert_eq!(after_first(&list, &reachable, 5), "step 2 at 5");
}

#[test]
fn of_two_properties_the_first_decides() {
    let list = [first(), child("a", "has_email", 0), child("a", "has_phone", 0)];
    let both = Facts { has_email: true, has_phone: true, ..Facts::default() };
    assert_eq!(after_first(&list, &both, 0), "step 1 at 0");
}

#[test]
fn a_property_can_appear_until_its_deadline() {
    let list = [first(), child("a", "has_network_profile", 2)];
    assert_eq!(after_first(&list, &Facts::default(), 1), "undecided until 2");
    assert_eq!(after_first(&list, &Facts { has_profile: true, ..Facts::default() }, 1), "step 1 at 0");
    assert_eq!(after_first(&list, &Facts::default(), 2), "end");
}

#[test]
fn an_event_after_the_deadline_does_not_count() {
    for kind in ["replied", "opened", "clicked", "invite_accepted"] {
        let list = [first(), child("a", kind, 2)];
        assert_eq!(after_first(&list, &facts_at(3), 3), "end", "{kind}");
    }
}

#[test]
fn an_event_at_the_deadline_counts() {
    for kind in ["replied", "opened", "clicked", "invite_accepted"] {
        let list = [first(), child("a", kind, 2)];
        assert_eq!(after_first(&list, &facts_at(2), 2), "step 1 at 2", "{kind}");
    }
}

#[test]
fn an_event_before_the_step_was_over_counts_from_then_on() {
    let steps = steps(&[first(), child("a", "opened", 2)]);
    let next = next(&steps, &all_day(), Some(0), 5 * DAY, &facts_at(4), 5 * DAY);
    assert_eq!(shown(next), "step 1 at 5");
}

#[test]
fn silence_is_known_only_at_the_deadline() {
    let list = [first(), child("a", "not_replied", 3)];
    assert_eq!(after_first(&list, &Facts::default(), 2), "undecided until 3");
    assert_eq!(after_first(&list, &Facts::default(), 3), "step 1 at 3");
}

#[test]
fn a_reply_rules_out_silence_at_once() {
    let list = [first(), child("a", "not_replied", 3), json!({})];
    assert_eq!(after_first(&list, &facts_at(1), 1), "step 2 at 1", "the trunk goes on from the reply");
}

#[test]
fn only_the_first_otherwise_counts() {
    let list = [first(), child("a", "otherwise", 1), child("a", "otherwise", 0)];
    assert_eq!(after_first(&list, &Facts::default(), 0), "undecided until 1");
    assert_eq!(after_first(&list, &Facts::default(), 1), "step 1 at 1");
}

#[test]
fn otherwise_waits_for_all_other_branches() {
    let list = [first(), child("a", "otherwise", 0), child("a", "replied", 4)];
    assert_eq!(after_first(&list, &Facts::default(), 2), "undecided until 4");
    assert_eq!(after_first(&list, &Facts::default(), 4), "step 1 at 4");
}

#[test]
fn the_earliest_deadline_is_looked_at_first() {
    let list = [first(), child("a", "opened", 6), child("a", "replied", 2)];
    assert_eq!(after_first(&list, &Facts::default(), 1), "undecided until 2");
    assert_eq!(after_first(&list, &Facts::default(), 2), "undecided until 6");
}

#[test]
fn a_delay_counts_from_the_decision_for_the_branch() {
    let mut branch = child("a", "replied", 9);
    branch["delay_days"] = 2.into();
    assert_eq!(after_first(&[first(), branch], &facts_at(3), 3), "step 1 at 5");
}

#[test]
fn a_branch_can_have_branches() {
    let mut inner = child("a", "otherwise", 0);
    inner["client_key"] = "b".into();
    let steps = steps(&[first(), inner, child("b", "otherwise", 0), json!({})]);
    let after = |at| shown(next(&steps, &all_day(), Some(at), 0, &Facts::default(), 0));
    assert_eq!(after(1), "step 2 at 0");
    assert_eq!(after(2), "end", "a branch does not return to the trunk");
}

#[test]
fn a_schedule_without_a_sending_day_has_no_next_step() {
    let config = json!({"timezone": "UTC", "days": []});
    let never = Schedule::of(config.as_object().expect("an object")).expect("a schedule");
    assert_eq!(next(&steps(&[first()]), &never, None, 0, &Facts::default(), 0), Next::Never);
}

#[test]
fn waiting_for_a_branch_is_listed_as_a_delay() {
    let Next::Step { delays, .. } =
        next(&steps(&[first(), child("a", "replied", 9)]), &all_day(), Some(0), 0, &facts_at(3), 3 * DAY)
    else {
        panic!("there is a step");
    };
    let reason = "the branch was decided: replied".to_owned();
    assert_eq!(delays, [Delay { rule: "branch_condition", reason, at: 3 * DAY }]);
}

#[test]
fn branches_say_what_they_follow() {
    let list = [first(), child("a", "clicked", 1), child("a", "replied", 1), child("a", "has_email", 1)];
    let follows: Vec<_> = steps(&list).iter().map(|step| (step.follows_a_look(), step.follows_a_reply())).collect();
    assert_eq!(follows, [(false, false), (true, false), (false, true), (false, false)]);
}

#[test]
fn a_stored_step_that_cannot_be_read_is_an_error_that_names_it() {
    let id = Uuid::from_u128(1).to_string();
    for (step, member) in [
        (json!({"id": id, "type": "fax"}), "type"),
        (json!({"id": id}), "type"),
        (json!({"type": "email"}), "id"),
        (json!({"id": id, "type": "email", "delay_days": "two"}), "delay_days"),
        (json!({"id": id, "type": "email", "parent_step_id": "nobody"}), "parent_step_id"),
        (json!({"id": id, "type": "email", "branch_condition": {"type": "maybe"}}), "type"),
    ] {
        let error = read(&[step.as_object().cloned().expect("an object")]).expect_err("it can't be read");
        assert!(error.to_string().contains(&format!("step 0: {member} can't be read")), "{step}: {error}");
    }
}

#[test]
fn a_blank_subject_is_none() {
    let read = steps(&[json!({"subject": "  ", "execution_mode": "manual"}), json!({"subject": "Hello"})]);
    assert_eq!(read[0].subject, None);
    assert_eq!(read[1].subject.as_deref(), Some("Hello"));
    assert_eq!((read[0].manual, read[1].manual), (true, false));
}
