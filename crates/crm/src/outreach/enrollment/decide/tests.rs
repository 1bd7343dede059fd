use super::*;
use serde_json::{Value as Json, json};

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
/// Monday, 5 January 1970, 10:00 UTC.
const MONDAY: i64 = 4 * DAY + 10 * HOUR;
const STEP: Uuid = Uuid::from_u128(1);

/// Monday to Friday from 09:00 to 18:00, changed by these members.
fn schedule(members: Json) -> Schedule {
    let mut config = json!({"timezone": "UTC", "days": ["mon", "tue", "wed", "thu", "fri"]});
    for (name, value) in members.as_object().expect("an object") {
        config[name] = value.clone();
    }
    Schedule::of(config.as_object().expect("an object")).expect("a schedule")
}

fn weekdays() -> Schedule {
    schedule(json!({}))
}

/// A schedule without any sending day.
fn never() -> Schedule {
    schedule(json!({"days": []}))
}

/// Two steps; the second one is a branch that follows a reply.
fn steps() -> Vec<ParsedStep> {
    let steps = [
        json!({"id": STEP, "type": "email", "client_key": "a"}),
        json!({
            "id": Uuid::from_u128(2), "type": "email", "parent_step_id": "a",
            "branch_condition": {"type": "replied", "after_days": 3},
        }),
    ];
    plan::read(&steps.map(|step| step.as_object().cloned().expect("an object"))).expect("steps")
}

fn next_step(at: usize) -> Next {
    Next::Step { at, due: MONDAY, delays: Vec::new() }
}

/// An email that can be sent now.
fn email() -> StepFacts {
    StepFacts {
        kind: StepType::Email,
        is_manual: false,
        conditions: Conditions::Met,
        has_recipient: true,
        has_phone: false,
        suppressed: None,
        limit: None,
    }
}

fn delay(at: i64) -> Delay {
    Delay { rule: "sender", reason: "busy".into(), at }
}

fn pace(day: &str, day_count: i64, last_at: i64) -> Pace {
    Pace { day: day.into(), day_count, last_at }
}

fn skip(reason: &str) -> StepAction {
    StepAction::Skip(reason.into())
}

// ---- a due enrollment ----

#[test]
fn a_due_enrollment_on_hold_resumes() {
    assert_eq!(start(Kind::OutOfOffice), Start::Resume);
}

#[test]
fn a_due_enrollment_that_ended_is_not_due_any_more() {
    assert_eq!(start(Kind::Replied), Start::ClearDueTime);
    assert_eq!(start(Kind::EndedByMerge), Start::ClearDueTime);
}

#[test]
fn a_due_active_enrollment_continues() {
    for kind in [Kind::Deciding, Kind::Scheduled, Kind::Started] {
        assert_eq!(start(kind), Start::Continue, "{kind:?}");
    }
}

#[test]
fn a_step_runs_from_its_due_time_on() {
    let scheduled = State::Scheduled { step: STEP, due_at: MONDAY };
    assert_eq!(step_due(&scheduled, MONDAY - 1), None);
    assert_eq!(step_due(&scheduled, MONDAY), Some(STEP));
    assert_eq!(step_due(&scheduled, MONDAY + DAY), Some(STEP));
}

#[test]
fn a_started_step_does_not_run_again() {
    assert_eq!(step_due(&State::Started { step: STEP }, MONDAY), None);
}

#[test]
fn an_undecided_enrollment_has_no_step_to_run() {
    assert_eq!(step_due(&State::Deciding { due_at: Some(MONDAY) }, MONDAY), None);
}

#[test]
fn the_next_step_is_planned_at_its_time() {
    let planned = continue_with(&next_step(0), &steps(), &Facts::default());
    assert_eq!(planned, Cause::StepPlanned { step: STEP, due_at: MONDAY, used_reply: None });
}

#[test]
fn a_branch_that_follows_a_reply_uses_it_up() {
    let replied = Facts { replied: Some(MONDAY - HOUR), ..Facts::default() };
    let Cause::StepPlanned { used_reply, .. } = continue_with(&next_step(1), &steps(), &replied) else {
        panic!("a planned step");
    };
    assert_eq!(used_reply, Some(MONDAY - HOUR));
}

#[test]
fn another_step_leaves_the_reply_to_a_later_branch() {
    let replied = Facts { replied: Some(MONDAY - HOUR), ..Facts::default() };
    let planned = continue_with(&next_step(0), &steps(), &replied);
    assert_eq!(planned, Cause::StepPlanned { step: STEP, due_at: MONDAY, used_reply: None });
}

#[test]
fn an_undecided_branch_is_decided_again_at_its_deadline() {
    let next = Next::Undecided { until: MONDAY, delays: Vec::new() };
    assert_eq!(continue_with(&next, &steps(), &Facts::default()), Cause::BranchUndecided { until: MONDAY });
}

#[test]
fn an_enrollment_without_a_next_step_is_finished() {
    assert_eq!(continue_with(&Next::End, &steps(), &Facts::default()), Cause::NoStepLeft { skipped: None });
}

#[test]
fn an_enrollment_whose_schedule_never_sends_fails() {
    let failed = continue_with(&Next::Never, &steps(), &Facts::default());
    assert_eq!(failed, Cause::StepFailed { why: "the schedule has no day left to send on".into() });
}

#[test]
fn a_planned_step_moves_with_its_schedule() {
    let moved = reschedule(STEP, &next_step(0), &steps());
    assert_eq!(moved, Some(Cause::Rescheduled { to: Kind::Scheduled, due_at: MONDAY }));
}

#[test]
fn a_planned_step_is_not_replaced_by_another() {
    assert_eq!(reschedule(STEP, &next_step(1), &steps()), None);
    assert_eq!(reschedule(STEP, &Next::End, &steps()), None);
}

// ---- resuming ----

#[test]
fn a_resumed_enrollment_still_waits_for_its_task() {
    let activity = resume(Some(Activity::WaitsForTask), true, Some(MONDAY), &weekdays(), MONDAY);
    assert_eq!(activity, Activity::WaitsForTask);
}

#[test]
fn a_resumed_step_runs_at_its_old_time_if_that_is_ahead() {
    let activity = resume(None, true, Some(MONDAY + HOUR), &weekdays(), MONDAY);
    assert_eq!(activity, Activity::Scheduled { due_at: MONDAY + HOUR });
}

#[test]
fn a_resumed_step_whose_time_has_passed_runs_now() {
    let activity = resume(None, true, Some(MONDAY - DAY), &weekdays(), MONDAY);
    assert_eq!(activity, Activity::Scheduled { due_at: MONDAY });
}

#[test]
fn a_resumed_step_waits_for_the_window() {
    let sunday = MONDAY - DAY;
    let activity = resume(None, true, None, &weekdays(), sunday);
    assert_eq!(activity, Activity::Scheduled { due_at: MONDAY - HOUR }, "Monday at 09:00");
}

#[test]
fn a_resumed_step_without_a_window_is_not_due() {
    assert_eq!(resume(None, true, None, &never(), MONDAY), Activity::NoDayLeft);
}

#[test]
fn a_resumed_enrollment_without_a_plan_decides_now() {
    assert_eq!(resume(None, false, Some(MONDAY + DAY), &never(), MONDAY), Activity::Deciding { due_at: MONDAY });
}

// ---- a due step ----

#[test]
fn an_open_window_does_not_delay() {
    assert_eq!(window(&weekdays(), MONDAY), None);
}

#[test]
fn a_step_outside_the_window_is_postponed_with_the_reason() {
    let expected = Delay { rule: "schedule", reason: "it is after end_time".into(), at: MONDAY + 23 * HOUR };
    assert_eq!(window(&weekdays(), MONDAY + 8 * HOUR), Some(StepAction::Postpone(expected)));
}

#[test]
fn a_step_fails_if_no_window_opens_again() {
    assert_eq!(window(&never(), MONDAY), Some(StepAction::Fail(NO_DAY_LEFT.into())));
}

#[test]
fn a_message_is_sent_if_nothing_is_in_the_way() {
    assert_eq!(step(email()), StepAction::Send);
}

#[test]
fn unmet_entry_conditions_skip_a_step() {
    let facts = StepFacts { conditions: Conditions::Unmet, ..email() };
    assert_eq!(step(facts), skip("its entry_conditions don't hold for the contact"));
}

#[test]
fn too_many_entry_conditions_are_refused_first() {
    let facts = StepFacts { conditions: Conditions::TooMany("has 101".into()), has_recipient: false, ..email() };
    assert_eq!(step(facts), StepAction::RefuseConditions("has 101".into()));
}

#[test]
fn a_contact_without_an_address_on_the_channel_is_skipped() {
    for (kind, reason) in [
        (StepType::Email, "the contact has no email address"),
        (StepType::NetworkConnect, "the contact has no network_profile"),
        (StepType::Chat, "the contact has no phone number"),
    ] {
        assert_eq!(step(StepFacts { kind, has_recipient: false, ..email() }), skip(reason));
    }
}

#[test]
fn a_call_needs_a_phone_number() {
    let call = StepFacts { kind: StepType::Call, has_recipient: false, ..email() };
    assert_eq!(step(call.clone()), skip("the contact has no phone number"));
    assert_eq!(step(StepFacts { has_phone: true, ..call }), StepAction::CreateTask);
}

#[test]
fn a_task_needs_no_address() {
    let task = StepFacts { kind: StepType::Task, has_recipient: false, ..email() };
    assert_eq!(step(task), StepAction::CreateTask);
}

#[test]
fn a_manual_message_becomes_a_task() {
    assert_eq!(step(StepFacts { is_manual: true, ..email() }), StepAction::CreateTask);
}

#[test]
fn a_manual_message_counts_against_no_limit() {
    let facts = StepFacts { is_manual: true, limit: Some(delay(MONDAY)), ..email() };
    assert_eq!(step(facts), StepAction::CreateTask);
}

#[test]
fn a_suppressed_address_ends_the_enrollment_even_of_a_manual_step() {
    let facts = StepFacts { suppressed: Some("suppressed".into()), is_manual: true, ..email() };
    assert_eq!(step(facts), StepAction::ExcludeContact("suppressed".into()));
}

#[test]
fn a_limit_of_the_sequence_holds_all_of_it() {
    let facts = StepFacts { limit: Some(delay(MONDAY)), ..email() };
    assert_eq!(step(facts), StepAction::HoldSequence(delay(MONDAY)));
}

// ---- limits ----

#[test]
fn a_sequence_without_limits_is_never_full() {
    assert_eq!(pace("1970-01-05", 1_000_000, MONDAY).limit(&weekdays(), MONDAY), None);
}

#[test]
fn a_full_day_waits_for_the_next_sending_day() {
    let limited = schedule(json!({"daily_limit": 3}));
    let full = pace("1970-01-05", 3, 0).limit(&limited, MONDAY).expect("a limit");
    assert_eq!((full.rule, full.at), ("daily_limit", MONDAY + 23 * HOUR));
    assert_eq!(full.reason, "the sequence has sent the 3 messages that it may in a day");
}

#[test]
fn one_message_below_the_daily_limit_is_sent() {
    assert_eq!(pace("1970-01-05", 2, 0).limit(&schedule(json!({"daily_limit": 3})), MONDAY), None);
}

#[test]
fn messages_of_another_day_do_not_count() {
    assert_eq!(pace("1970-01-02", 3, 0).limit(&schedule(json!({"daily_limit": 3})), MONDAY), None);
}

#[test]
fn a_full_friday_waits_for_monday() {
    let (friday, limited) = (MONDAY + 4 * DAY, schedule(json!({"daily_limit": 1})));
    let full = pace("1970-01-09", 1, 0).limit(&limited, friday).expect("a limit");
    assert_eq!(full.at, MONDAY + 7 * DAY - HOUR);
}

#[test]
fn a_gap_lasts_from_the_last_message() {
    let spaced = schedule(json!({"min_gap_minutes": 10}));
    let gap = pace("", 0, MONDAY - 4 * MINUTE).limit(&spaced, MONDAY).expect("a gap");
    assert_eq!((gap.rule, gap.at), ("min_gap_minutes", MONDAY + 6 * MINUTE));
}

#[test]
fn a_gap_is_over_at_its_last_millisecond() {
    let spaced = schedule(json!({"min_gap_minutes": 10}));
    assert_eq!(pace("", 0, MONDAY - 10 * MINUTE).limit(&spaced, MONDAY), None);
}

#[test]
fn the_count_of_a_day_begins_with_its_first_message() {
    let mut sent = pace("1970-01-02", 9, 0);
    sent.count(&weekdays(), MONDAY);
    assert_eq!(sent, pace("1970-01-05", 1, MONDAY));
    sent.count(&weekdays(), MONDAY + HOUR);
    assert_eq!(sent, pace("1970-01-05", 2, MONDAY + HOUR));
}

#[test]
fn the_first_enrollment_that_waits_for_an_account_waits_no_longer_than_the_account() {
    assert_eq!(spread(MONDAY + HOUR, 0, MONDAY), MONDAY + HOUR);
}

#[test]
fn enrollments_that_wait_for_an_account_come_a_minute_apart() {
    assert_eq!(spread(MONDAY + HOUR, 3, MONDAY), MONDAY + HOUR + 3 * MINUTE);
}

#[test]
fn enrollments_that_wait_for_an_account_come_at_least_a_second_apart() {
    assert_eq!(spread(MONDAY + 1, 3, MONDAY), MONDAY + 1 + 3000);
}

// ---- the message of a step ----

#[test]
fn the_planned_step_of_an_active_enrollment_may_be_sent() {
    assert_eq!(enrollment_forbids(EnrollmentStatus::Active, true), None);
}

#[test]
fn a_message_whose_step_is_not_planned_any_more_fails() {
    let never = MaySend::Never("the enrollment is active".into());
    assert_eq!(enrollment_forbids(EnrollmentStatus::Active, false), Some(never));
}

#[test]
fn a_message_of_an_ended_enrollment_fails_with_its_status() {
    let never = MaySend::Never("the enrollment is replied".into());
    assert_eq!(enrollment_forbids(EnrollmentStatus::Replied, true), Some(never));
}

#[test]
fn a_message_of_a_paused_sequence_waits_a_minute() {
    let later = MaySend::Later { until: MONDAY + MINUTE, why: "the sequence is paused".into() };
    assert_eq!(sequence_forbids(SequenceStatus::Paused, MONDAY), Some(later));
    assert_eq!(sequence_forbids(SequenceStatus::Active, MONDAY), None);
}

#[test]
fn a_message_of_an_archived_sequence_fails() {
    let never = MaySend::Never("the sequence is archived".into());
    assert_eq!(sequence_forbids(SequenceStatus::Archived, MONDAY), Some(never));
}

#[test]
fn a_message_is_sent_while_the_window_is_open() {
    assert_eq!(schedule_allows(&weekdays(), MONDAY), MaySend::Yes);
}

#[test]
fn a_message_whose_window_closed_in_the_outbox_waits_for_the_next() {
    let later = MaySend::Later { until: MONDAY + 23 * HOUR, why: "it is after end_time".into() };
    assert_eq!(schedule_allows(&weekdays(), MONDAY + 8 * HOUR), later);
}

#[test]
fn a_message_whose_window_never_opens_again_fails() {
    assert_eq!(schedule_allows(&never(), MONDAY), MaySend::Never("the day is not one of days".into()));
}

#[test]
fn a_message_that_the_server_refuses_fails_its_enrollment() {
    assert_eq!(failed(false, "550 no"), Cause::StepFailed { why: "550 no".into() });
}

#[test]
fn a_message_to_an_excluded_contact_ends_the_enrollment_without_a_failure() {
    assert_eq!(failed(true, "archived"), Cause::ContactExcluded { why: "archived".into() });
}

#[test]
fn a_message_to_a_suppressed_address_ends_the_enrollment_without_a_failure() {
    let why = "the address ann@example.com is suppressed";
    assert_eq!(failed(false, why), Cause::ContactExcluded { why: why.into() });
}

// ---- the contact ----

#[test]
fn an_absence_lasts_until_the_date_that_the_contact_names() {
    assert_eq!(absence_end(Some(MONDAY + DAY), MONDAY), MONDAY + DAY);
}

#[test]
fn an_absence_without_a_date_lasts_a_week() {
    assert_eq!(absence_end(None, MONDAY), MONDAY + 7 * DAY);
}

#[test]
fn an_absence_that_has_passed_lasts_a_week() {
    assert_eq!(absence_end(Some(MONDAY), MONDAY), MONDAY + 7 * DAY);
}

#[test]
fn an_absence_pauses_what_waits() {
    for kind in [Kind::Deciding, Kind::Scheduled, Kind::OutOfOffice] {
        assert!(absence_pauses(kind, false), "{kind:?}");
    }
}

#[test]
fn an_absence_does_not_pause_a_started_step() {
    assert!(!absence_pauses(Kind::Started, true));
}

#[test]
fn an_absence_does_not_replace_another_pause() {
    assert!(!absence_pauses(Kind::Paused, false));
    assert!(!absence_pauses(Kind::OutcomeUnknown, false));
}

#[test]
fn an_absence_does_not_reopen_what_has_ended() {
    assert!(!absence_pauses(Kind::Finished, false));
}

#[test]
fn an_account_is_judged_by_its_last_hundred_messages() {
    assert!(!bounces_too_often(99, 99), "too few to judge");
    assert!(!bounces_too_often(100, 3));
    assert!(bounces_too_often(100, 4));
}
