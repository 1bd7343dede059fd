use super::*;
use crate::outreach::enrollment::stored_state::Hold;
use resource::Time;
use serde_json::json;
use std::collections::BTreeSet;

const STEP: Uuid = Uuid::from_u128(7);
const DOCUMENT: &str = include_str!("../../../../../../docs/sequence-engine.md");

/// An active enrollment without a planned step.
fn enrollment() -> Enrollment {
    Enrollment {
        id: Uuid::from_u128(1),
        sequence_id: Uuid::from_u128(2),
        contact_id: Uuid::from_u128(3),
        status: EnrollmentStatus::Active,
        current_step_id: None,
        custom_variables: Map::new(),
        next_step_at: None,
        reason: None,
        enrolled_at: Time(0),
        finished_at: None,
        sequence_version: 1,
        done_step_id: None,
        base_at: Time(0),
        planned_step_id: None,
        due_at: None,
        fresh: true,
        state: Map::new(),
        created_at: Time(0),
        updated_at: Time(0),
    }
}

fn with_status(status: EnrollmentStatus, reason: &str) -> Enrollment {
    Enrollment { status, reason: Some(reason.into()), ..enrollment() }
}

fn absent(until: Json) -> Enrollment {
    let state = json!({ "paused_until": until });
    Enrollment {
        state: state.as_object().cloned().expect("an object"),
        ..with_status(EnrollmentStatus::Paused, "out_of_office: goes on at 1970-01-01T00:00:05Z")
    }
}

fn read(enrollment: &Enrollment) -> State {
    State::read(enrollment.id, enrollment).expect("a state")
}

/// One cause of each name. The match fails to compile when a cause is added that is not here.
fn causes() -> Vec<Cause> {
    let why = || "why".to_owned();
    let hold = Hold { rule: "sender".into(), reason: "busy".into(), until: 5 };
    let all = vec![
        Cause::Enrolled,
        Cause::StepPlanned { step: STEP, due_at: 5, used_reply: None },
        Cause::BranchUndecided { until: 5 },
        Cause::Rescheduled { to: Scheduled, due_at: 5 },
        Cause::Postponed(hold),
        Cause::MessageQueued,
        Cause::TaskCreated,
        Cause::StepOver(StepEnd::Sent),
        Cause::NoStepLeft { skipped: None },
        Cause::StepFailed { why: why() },
        Cause::Retried { due_at: 5 },
        Cause::Upgraded { to: Deciding, due_at: Some(5) },
        Cause::PausedByUser { is_sending: false },
        Cause::Resumed(Activity::WaitsForTask),
        Cause::AbsenceOver(Activity::Scheduled { due_at: 5 }),
        Cause::OutOfOffice { until: 5 },
        Cause::OutcomeUnknown,
        Cause::FoundSent,
        Cause::Replied,
        Cause::ColleagueReplied,
        Cause::Bounced { why: why() },
        Cause::Unsubscribed,
        Cause::Complained,
        Cause::RemovedByUser,
        Cause::ContactExcluded { why: why() },
        Cause::SequenceArchived,
        Cause::Merged { status: EnrollmentStatus::Replied, why: format!("{BY_MERGE}who replied") },
        Cause::MergeUndone { to: Paused },
    ];
    for cause in &all {
        match cause {
            Cause::Enrolled
            | Cause::StepPlanned { .. }
            | Cause::BranchUndecided { .. }
            | Cause::Rescheduled { .. }
            | Cause::Postponed(_)
            | Cause::MessageQueued
            | Cause::TaskCreated
            | Cause::StepOver(_)
            | Cause::NoStepLeft { .. }
            | Cause::StepFailed { .. }
            | Cause::Retried { .. }
            | Cause::Upgraded { .. }
            | Cause::PausedByUser { .. }
            | Cause::Resumed(_)
            | Cause::AbsenceOver(_)
            | Cause::OutOfOffice { .. }
            | Cause::OutcomeUnknown
            | Cause::FoundSent
            | Cause::Replied
            | Cause::ColleagueReplied
            | Cause::Bounced { .. }
            | Cause::Unsubscribed
            | Cause::Complained
            | Cause::RemovedByUser
            | Cause::ContactExcluded { .. }
            | Cause::SequenceArchived
            | Cause::Merged { .. }
            | Cause::MergeUndone { .. } => {}
        }
    }
    all
}

/// The names of the causes that an enrollment in this state allows.
fn allowed(from: Kind) -> BTreeSet<&'static str> {
    TRANSITIONS.iter().filter(|(states, ..)| states.contains(&from)).map(|(_, name, _)| *name).collect()
}

fn kinds() -> impl Iterator<Item = Kind> {
    Kind::WORDS.iter().filter_map(|word| Kind::from_word(word))
}

// ---- the drawing ----

/// The state before, the cause and the state after.
type Arrow = (String, String, String);

/// The arrows of the document's diagrams. `state x {` and `state "x: a, b" as x` are groups: an arrow from or to a group stands
/// for all states in it.
fn drawn() -> Vec<Arrow> {
    let mut groups: Vec<(&str, Vec<&str>)> = vec![("[*]", vec![New.word()])];
    let mut lines: Vec<[&str; 3]> = Vec::new();
    let diagrams = DOCUMENT.split("```mermaid\n").skip(1).filter_map(|rest| rest.split("```").next());
    for diagram in diagrams {
        let mut is_inside = false;
        for line in diagram.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(name) = line.strip_prefix("state ").and_then(|rest| rest.strip_suffix(" {")) {
                groups.push((name, Vec::new()));
                is_inside = true;
            } else if let Some((label, name)) = line.strip_prefix("state \"").and_then(|rest| rest.split_once("\" as "))
            {
                let (_, members) = label.split_once(": ").expect("a list of states");
                groups.push((name, members.split(", ").collect()));
            } else if line == "}" {
                is_inside = false;
            } else if let Some((from, rest)) = line.split_once(" --> ") {
                let (to, cause) = rest.split_once(": ").unwrap_or_else(|| panic!("no cause: {line}"));
                lines.push([from, cause, to]);
                let (_, members) = groups.last_mut().expect("a group");
                if is_inside {
                    members.extend([from, to]);
                    members.sort_unstable();
                    members.dedup();
                }
            } else {
                assert_eq!(line, "stateDiagram-v2", "not understood");
            }
        }
    }
    let members = |name: &str| match groups.iter().find(|(group, _)| *group == name) {
        Some((_, members)) => members.iter().map(|member| (*member).to_owned()).collect(),
        None => vec![name.to_owned()],
    };
    let mut arrows = Vec::new();
    for [from, causes, to] in &lines {
        for from in members(from) {
            for cause in causes.split(", ") {
                arrows.extend(members(to).into_iter().map(|to| (from.clone(), cause.to_owned(), to)));
            }
        }
    }
    arrows
}

fn coded() -> BTreeSet<Arrow> {
    let mut arrows = BTreeSet::new();
    for (states, name, targets) in TRANSITIONS {
        for (from, to) in states.iter().flat_map(|from| targets.iter().map(move |to| (from, to))) {
            arrows.insert((from.word().to_owned(), (*name).to_owned(), to.word().to_owned()));
        }
    }
    arrows
}

#[test]
fn the_diagrams_show_every_transition_and_no_other() {
    let (drawn, coded): (BTreeSet<Arrow>, BTreeSet<Arrow>) = (drawn().into_iter().collect(), coded());
    let only_coded: Vec<_> = coded.difference(&drawn).collect();
    let only_drawn: Vec<_> = drawn.difference(&coded).collect();
    assert!(only_coded.is_empty(), "docs/sequence-engine.md does not show {only_coded:?}");
    assert!(only_drawn.is_empty(), "docs/sequence-engine.md shows, but the code does not have {only_drawn:?}");
}

#[test]
fn the_diagrams_show_no_transition_twice() {
    let mut seen = BTreeSet::new();
    for arrow in drawn() {
        assert!(seen.insert(arrow.clone()), "twice: {arrow:?}");
    }
}

#[test]
fn the_document_explains_every_cause() {
    for cause in causes() {
        assert!(DOCUMENT.contains(&format!("| `{}` |", cause.name())), "no row for {}", cause.name());
    }
}

#[test]
fn every_state_can_be_reached() {
    for kind in kinds().filter(|kind| *kind != New) {
        assert!(TRANSITIONS.iter().any(|(.., to)| to.contains(&kind)), "nothing leads to {}", kind.word());
    }
}

// ---- the table ----

#[test]
fn every_cause_has_a_transition() {
    for cause in causes() {
        assert!(TRANSITIONS.iter().any(|(_, name, _)| *name == cause.name()), "{}", cause.name());
    }
}

#[test]
fn every_transition_has_a_cause() {
    let names: BTreeSet<&str> = causes().iter().map(Cause::name).collect();
    for (_, name, _) in TRANSITIONS {
        assert!(names.contains(name), "{name}");
    }
}

#[test]
fn a_cause_without_a_target_leads_to_one_state() {
    for cause in causes().iter().filter(|cause| cause.target().is_none()) {
        for from in kinds() {
            let rows = TRANSITIONS.iter().filter(|(states, name, _)| *name == cause.name() && states.contains(&from));
            let targets: usize = rows.map(|(.., to)| to.len()).sum();
            assert!(targets <= 1, "{} leads from {} to {targets} states", cause.name(), from.word());
        }
    }
}

#[test]
fn what_is_not_in_the_table_is_an_error_that_names_both() {
    let error = transition(Finished, &Cause::Resumed(Activity::WaitsForTask)).expect_err("no transition");
    assert_eq!(error.to_string(), "an enrollment that is finished can't change by resumed");
}

#[test]
fn a_new_enrollment_decides_on_its_first_step() {
    assert_eq!(transition(New, &Cause::Enrolled).ok(), Some(Deciding));
    assert_eq!(allowed(New), BTreeSet::from(["enrolled"]));
}

#[test]
fn a_step_is_planned_started_and_over_in_this_order() {
    let planned = Cause::StepPlanned { step: STEP, due_at: 5, used_reply: None };
    let mut kind = Deciding;
    for (cause, expected) in
        [(planned, Scheduled), (Cause::MessageQueued, Started), (Cause::StepOver(StepEnd::Sent), Deciding)]
    {
        kind = transition(kind, &cause).expect("a transition");
        assert_eq!(kind, expected, "{}", cause.name());
    }
}

#[test]
fn a_started_step_is_not_started_again() {
    assert!(transition(Started, &Cause::MessageQueued).is_err());
    assert!(transition(Started, &Cause::TaskCreated).is_err());
}

#[test]
fn a_step_is_not_started_before_it_is_planned() {
    assert!(transition(Deciding, &Cause::MessageQueued).is_err());
    assert!(transition(Deciding, &Cause::StepOver(StepEnd::Skipped)).is_err());
}

#[test]
fn a_planned_step_can_be_skipped() {
    assert_eq!(transition(Scheduled, &Cause::StepOver(StepEnd::Skipped)).ok(), Some(Deciding));
}

#[test]
fn an_enrollment_finishes_only_when_no_step_is_planned() {
    let from: Vec<Kind> =
        kinds().filter(|from| transition(*from, &Cause::NoStepLeft { skipped: None }).is_ok()).collect();
    assert_eq!(from, [Deciding]);
}

#[test]
fn only_active_enrollments_can_be_paused() {
    for from in kinds() {
        let paused = transition(from, &Cause::PausedByUser { is_sending: false });
        assert_eq!(paused.is_ok(), from.is_active(), "{}", from.word());
    }
}

#[test]
fn only_paused_enrollments_can_be_resumed() {
    for from in kinds() {
        let resumed = transition(from, &Cause::Resumed(Activity::Deciding { due_at: 5 }));
        assert_eq!(resumed.is_ok(), from.is_on_hold(), "{}", from.word());
    }
}

#[test]
fn a_resumed_enrollment_does_what_it_did_before() {
    for (activity, expected) in [
        (Activity::Deciding { due_at: 5 }, Deciding),
        (Activity::Scheduled { due_at: 5 }, Scheduled),
        (Activity::WaitsForTask, Started),
        (Activity::WaitsForDelivery, Started),
        (Activity::NoDayLeft, Started),
    ] {
        assert_eq!(transition(Paused, &Cause::Resumed(activity)).ok(), Some(expected), "{activity:?}");
    }
}

#[test]
fn only_an_absence_ends_by_itself() {
    let over = Cause::AbsenceOver(Activity::Deciding { due_at: 5 });
    let from: Vec<Kind> = kinds().filter(|from| transition(*from, &over).is_ok()).collect();
    assert_eq!(from, [OutOfOffice]);
}

#[test]
fn an_absence_replaces_an_absence_but_not_a_users_pause() {
    let away = Cause::OutOfOffice { until: 5 };
    assert_eq!(transition(OutOfOffice, &away).ok(), Some(OutOfOffice));
    assert!(transition(Paused, &away).is_err());
    assert!(transition(OutcomeUnknown, &away).is_err());
}

#[test]
fn a_step_can_be_over_while_its_enrollment_is_paused() {
    assert_eq!(transition(Paused, &Cause::StepOver(StepEnd::Sent)).ok(), Some(Paused));
}

#[test]
fn only_a_started_step_has_an_unknown_outcome() {
    let from: Vec<Kind> = kinds().filter(|from| transition(*from, &Cause::OutcomeUnknown).is_ok()).collect();
    assert_eq!(from, [Started, Paused], "a paused one whose message was in flight, too");
}

#[test]
fn a_message_that_was_found_continues_the_step() {
    assert_eq!(transition(OutcomeUnknown, &Cause::FoundSent).ok(), Some(Started));
    assert!(transition(Paused, &Cause::FoundSent).is_err());
}

#[test]
fn every_open_enrollment_can_end() {
    let ends = [
        (Cause::StepFailed { why: String::new() }, Failed),
        (Cause::Replied, Replied),
        (Cause::ColleagueReplied, Replied),
        (Cause::Bounced { why: String::new() }, Bounced),
        (Cause::Unsubscribed, Unsubscribed),
        (Cause::Complained, Unsubscribed),
        (Cause::RemovedByUser, Unenrolled),
        (Cause::ContactExcluded { why: String::new() }, Unenrolled),
        (Cause::SequenceArchived, Unenrolled),
    ];
    for from in kinds().filter(|kind| kind.is_open()) {
        for (cause, to) in &ends {
            assert_eq!(transition(from, cause).ok(), Some(*to), "{} {}", from.word(), cause.name());
        }
    }
}

#[test]
fn a_finished_enrollment_can_still_be_answered_bounce_or_be_unsubscribed() {
    assert_eq!(allowed(Finished), BTreeSet::from(["replied", "bounced", "unsubscribed"]));
}

#[test]
fn other_ended_enrollments_stay_as_they_are() {
    for kind in [Replied, Bounced, Unsubscribed, Unenrolled] {
        assert_eq!(allowed(kind), BTreeSet::new(), "{}", kind.word());
    }
    assert_eq!(allowed(Failed), BTreeSet::from(["retried"]));
}

#[test]
fn the_undo_of_a_merge_reopens_in_the_state_before() {
    for to in kinds() {
        let undone = transition(EndedByMerge, &Cause::MergeUndone { to });
        assert_eq!(undone.ok(), Some(to).filter(|to| to.is_open()), "{}", to.word());
    }
}

#[test]
fn the_undo_of_a_merge_reopens_nothing_else() {
    for from in kinds().filter(|from| *from != EndedByMerge) {
        assert!(transition(from, &Cause::MergeUndone { to: Paused }).is_err(), "{}", from.word());
    }
}

#[test]
fn what_happens_after_a_merge_replaces_its_end() {
    assert_eq!(transition(EndedByMerge, &Cause::Replied).ok(), Some(Replied));
    assert_eq!(transition(EndedByMerge, &Cause::Complained).ok(), Some(Unsubscribed));
    assert_eq!(transition(EndedByMerge, &Cause::RemovedByUser).ok(), Some(Unenrolled));
    assert!(transition(EndedByMerge, &Cause::SequenceArchived).is_err(), "its sequence ends only what is open");
}

#[test]
fn a_reschedule_keeps_the_plan() {
    assert_eq!(transition(Scheduled, &Cause::Rescheduled { to: Scheduled, due_at: 5 }).ok(), Some(Scheduled));
    assert!(transition(Scheduled, &Cause::Rescheduled { to: Deciding, due_at: 5 }).is_err());
    assert!(transition(Started, &Cause::Rescheduled { to: Scheduled, due_at: 5 }).is_err());
}

// ---- stored states ----

#[test]
fn an_active_enrollment_without_a_planned_step_is_deciding() {
    assert_eq!(read(&enrollment()), State::Deciding { due_at: None });
    assert_eq!(read(&Enrollment { due_at: Some(Time(5)), ..enrollment() }), State::Deciding { due_at: Some(5) });
}

#[test]
fn an_active_enrollment_with_a_due_step_is_scheduled() {
    let scheduled = Enrollment { planned_step_id: Some(STEP), due_at: Some(Time(5)), ..enrollment() };
    assert_eq!(read(&scheduled), State::Scheduled { step: STEP, due_at: 5 });
}

#[test]
fn an_active_enrollment_whose_step_is_not_due_is_started() {
    let started = Enrollment { planned_step_id: Some(STEP), next_step_at: Some(Time(5)), ..enrollment() };
    assert_eq!(read(&started), State::Started { step: STEP });
}

#[test]
fn a_paused_enrollment_keeps_its_reason() {
    let paused = with_status(EnrollmentStatus::Paused, "paused by hand");
    assert_eq!(read(&paused), State::Paused { reason: Some("paused by hand".into()) });
    assert_eq!(read(&Enrollment { reason: None, ..paused }), State::Paused { reason: None });
}

#[test]
fn an_absence_is_read_from_the_stored_state() {
    assert_eq!(read(&absent(5000.into())), State::OutOfOffice { until: 5000 });
    assert_eq!(Kind::of(&absent(Json::Null)), Paused, "null is no absence");
}

#[test]
fn an_unknown_outcome_is_read_from_the_reason() {
    let unknown = with_status(EnrollmentStatus::Paused, "outcome_unknown");
    assert_eq!(read(&unknown), State::OutcomeUnknown);
    let both = Enrollment { reason: unknown.reason, ..absent(5000.into()) };
    assert_eq!(read(&both), State::OutcomeUnknown, "it must be resolved, whatever else is stored");
}

#[test]
fn ended_enrollments_keep_their_reason() {
    let reason = || "why".to_owned();
    for (status, expected) in [
        (EnrollmentStatus::Finished, State::Finished),
        (EnrollmentStatus::Replied, State::Replied { reason: reason() }),
        (EnrollmentStatus::Bounced, State::Bounced { reason: reason() }),
        (EnrollmentStatus::Unsubscribed, State::Unsubscribed { reason: reason() }),
        (EnrollmentStatus::Unenrolled, State::Unenrolled { reason: reason() }),
        (EnrollmentStatus::Failed, State::Failed { reason: reason() }),
    ] {
        assert_eq!(read(&with_status(status, "why")), expected);
    }
}

#[test]
fn an_end_by_a_merge_is_read_from_the_reason() {
    let reason = format!("{BY_MERGE}who replied");
    let ended = with_status(EnrollmentStatus::Replied, &reason);
    assert_eq!(read(&ended), State::EndedByMerge { status: EnrollmentStatus::Replied, reason });
    assert_eq!(Kind::of(&with_status(EnrollmentStatus::Paused, BY_MERGE)), Paused, "only what has ended");
}

#[test]
fn a_damaged_absence_is_an_error_that_names_its_place() {
    let damaged = absent("soon".into());
    let error = State::read(damaged.id, &damaged).expect_err("it can't be read");
    let corrupt = error.corrupt().expect("it is corrupt");
    assert_eq!((&*corrupt.table, &*corrupt.column), ("enrollments", "state"));
    assert_eq!(corrupt.id, damaged.id.to_string());
}

#[test]
fn a_damaged_absence_can_still_end() {
    assert_eq!(transition(Kind::of(&absent("soon".into())), &Cause::Unsubscribed).ok(), Some(Unsubscribed));
}

#[test]
fn a_hold_is_stored_as_a_list_of_three() {
    let hold = Hold { rule: "sender".into(), reason: "busy".into(), until: 5 };
    let stored = StoredState { held: Some(hold.clone()), ..StoredState::default() };
    let json = json!(stored);
    assert_eq!(json["held"], json!(["sender", "busy", 5]));
    let read = StoredState::read(STEP, json.as_object().expect("an object")).expect("a stored state");
    assert_eq!(read.held, Some(hold));
}

#[test]
fn members_that_are_not_stored_are_empty() {
    let read = StoredState::read(STEP, &Map::new()).expect("a stored state");
    assert!(read.threads.is_empty() && read.held.is_none() && read.paused_until.is_none());
}

// ---- what is shown ----

#[test]
fn a_status_is_stored_for_every_target() {
    for (to, expected) in [
        (Deciding, "active"),
        (Started, "active"),
        (OutOfOffice, "paused"),
        (OutcomeUnknown, "paused"),
        (Finished, "finished"),
        (Unenrolled, "unenrolled"),
    ] {
        assert_eq!(Cause::Replied.status(to).word(), expected);
    }
    let merged = Cause::Merged { status: EnrollmentStatus::Bounced, why: String::new() };
    assert_eq!(merged.status(EndedByMerge), EnrollmentStatus::Bounced, "a merge says which");
}

#[test]
fn events_have_the_verb_of_their_cause() {
    for (cause, to, verb) in [
        (Cause::StepOver(StepEnd::Done), Deciding, "step_done"),
        (Cause::TaskCreated, Started, "waiting"),
        (Cause::MessageQueued, Started, "updated"),
        (Cause::OutOfOffice { until: 5 }, OutOfOffice, "paused"),
        (Cause::FoundSent, Started, "resumed"),
        (Cause::OutcomeUnknown, OutcomeUnknown, "outcome_unknown"),
        (Cause::Complained, Unsubscribed, "unsubscribed"),
        (Cause::NoStepLeft { skipped: None }, Finished, "finished"),
    ] {
        assert_eq!(cause.verb(to), verb, "{}", cause.name());
    }
}

#[test]
fn reasons_say_what_users_can_act_on() {
    let hold = |rule: &str| Hold { rule: rule.into(), reason: "busy".into(), until: 5 };
    for (cause, reason) in [
        (Cause::Postponed(hold("sender")), Some("blocked: busy")),
        (Cause::Postponed(hold("schedule")), None),
        (Cause::PausedByUser { is_sending: true }, Some("paused by hand, while its message was being handed over")),
        (Cause::OutOfOffice { until: 0 }, Some("out_of_office: goes on at 1970-01-01T00:00:00.000Z")),
        (Cause::Resumed(Activity::Deciding { due_at: 5 }), None),
        (Cause::Resumed(Activity::WaitsForTask), Some("waits for its task to be completed")),
        (Cause::NoStepLeft { skipped: None }, None),
        (
            Cause::NoStepLeft { skipped: Some("the contact has no email address".into()) },
            Some("the last step was skipped: the contact has no email address"),
        ),
        (Cause::StepFailed { why: String::new() }, None),
    ] {
        assert_eq!(cause.reason().as_deref(), reason, "{}", cause.name());
    }
}

/// Every writer of a status must ask `transition` first.
#[test]
fn only_record_and_enroll_write_a_status() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/outreach/enrollment");
    let mut writers = BTreeSet::new();
    for entry in std::fs::read_dir(folder).expect("the folder").flatten().filter(|entry| entry.path().is_file()) {
        let text = std::fs::read_to_string(entry.path()).expect("a source file");
        let code: String = text.split_whitespace().collect();
        if code.contains(".set(Enrollment::STATUS,") || code.contains("enrollmentsSETstatus") {
            writers.insert(entry.file_name().to_string_lossy().into_owned());
        }
    }
    assert_eq!(writers, BTreeSet::from(["enroll.rs".to_owned(), "record.rs".to_owned()]));
}
