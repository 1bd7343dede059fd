//! No unit of work holds the writer for more than 250 ms, whatever body the API accepts, because all other writes wait
//! for it.
//!
//! Every operation that writes, of the API and of the dashboard, gets its largest valid bodies: made from its table of
//! fields and filled with the texts that are hardest to process. It also gets bodies that are refused for their size. A
//! new operation is covered without another line here, or the test fails and says what is missing. `bin/test` only
//! sends those of messages; `bin/test --long write_units` sends all of them.
//!
//! The server logs each unit over 250 ms with its wall time and the CPU time of the writer's thread. With
//! `RELATA_LONG=1`, on an optimised build, the wall time must stay below 250 ms, without the time in which the host of a
//! virtual machine ran other machines. Otherwise the CPU time must stay below 250 ms times the factor by which ordinary writes are slower, in this build on this machine, than on the optimised
//! build that the limit applies to. So neither a busy machine nor a build without optimisation fails the test.

mod bodies;
mod dependants;
mod host;
mod mails;
mod received;
mod senders;
mod sequences;
mod sign_ins;
mod uploads;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use crm::api::operation::{Operation, Run};
use serde_json::{Value, json};

use crate::support::*;
use bodies::Flavour;
use dependants::changes_to_records_with_many_references_are_brief;
use host::Host;
use received::received_mails_are_brief;
use senders::Sender;
use sequences::many_due_steps_are_brief;
use sign_ins::operations_without_a_session_are_brief;

stories![
    every_write_operation_is_brief,
    refused_bodies_are_brief,
    changes_to_records_with_many_references_are_brief,
    many_due_steps_are_brief,
    received_mails_are_brief,
    operations_without_a_session_are_brief,
];

/// The longest time that a unit may hold the writer.
const LIMIT: Duration = Duration::from_millis(250);
/// The mean time in seconds of an ordinary unit, a contact of a bulk, on the optimised build that the limit applies to.
const ORDINARY: f64 = 0.000_05;
/// A case that had a slow unit is tried again, since other programs may have used the machine: of so many tries only the
/// first may have one.
const TRIES: usize = 3;

/// The operations tested without `RELATA_LONG`: their bodies once held the writer for seconds. All operations take many
/// minutes.
const SAMPLE: &[&str] = &[
    "add_profiles_to_project",
    "create_sequence",
    "reply_in_conversation",
    "save_message_draft",
    "send_message",
    "start_sequence",
    "update_sequence",
];
/// The same for refused bodies.
const REFUSED_SAMPLE: &[&str] = &["create_sequence", "reply_in_conversation", "send_message"];
const SAMPLE_FLAVOURS: &[Flavour] = &[Flavour::Html, Flavour::Words];

/// Afterwards there is no workspace for other operations. The changes to records with many references end with it.
const REMOVES_ALL: &str = "dashboard_remove_workspace";

/// Every operation that may write, including those that only read for some bodies. `RELATA_OPERATIONS`, comma-separated
/// names, selects some.
fn writing(sample: &'static [&'static str]) -> impl Iterator<Item = &'static Operation> {
    let all = crm::operations::all().chain(crm::dashboard::all());
    let picked = std::env::var("RELATA_OPERATIONS").ok();
    let is_picked = move |name| match &picked {
        Some(names) => names.split(',').any(|picked| picked == name),
        None => is_long() || sample.contains(&name),
    };
    all.filter(|operation| operation.writes() || matches!(operation.run, Run::Either(_)))
        .filter(move |operation| is_picked(operation.name))
}

fn every_write_operation_is_brief(world: &World) {
    let sender = Sender::new(world);
    let mut watch = Watch::new(world, &sender.key);
    let mut too_slow = Vec::new();
    let flavours = if is_long() { Flavour::ALL } else { SAMPLE_FLAVOURS };
    for operation in writing(SAMPLE).filter(|operation| operation.name != REMOVES_ALL) {
        let began = stopwatch();
        let verdict = catch_unwind(AssertUnwindSafe(|| watch.verdict(|| sender.send_largest(operation, flavours))));
        println!("{}: {:?}", operation.name, began.elapsed());
        // Continue after a failure, so that all errors are reported.
        let verdict = verdict.unwrap_or_else(|_| Some("failed; see above".to_owned()));
        too_slow.extend(verdict.map(|slow| format!("{}: {slow}", operation.name)));
    }
    assert!(too_slow.is_empty(), "at most {:?}:\n{}", watch.limit, too_slow.join("\n"));
    watch.end();
}

fn refused_bodies_are_brief(world: &World) {
    let sender = Sender::new(world);
    let mut watch = Watch::new(world, &sender.key);
    let mut too_slow = Vec::new();
    for operation in writing(REFUSED_SAMPLE).filter(|operation| operation.body.is_some()) {
        let verdict = watch.verdict(|| sender.send_excessive(operation));
        too_slow.extend(verdict.map(|slow| format!("{}: {slow}", operation.name)));
    }
    assert!(too_slow.is_empty(), "at most {:?}:\n{}", watch.limit, too_slow.join("\n"));
    watch.end();
}

/// Measures the units of a world.
pub(crate) struct Watch<'a> {
    world: &'a World,
    /// The maximum wall time or CPU time of a unit.
    limit: Duration,
    /// What the host of this machine takes from it, if the wall time counts.
    host: Option<Host>,
    /// How much of the log has been read, and how many slow units it contained.
    read: usize,
    logged: u64,
}

/// A logged unit over 250 ms.
struct Slow {
    unit: String,
    wall: Duration,
    cpu: Duration,
    /// What the host took from all processors meanwhile.
    taken: Duration,
}

impl<'a> Watch<'a> {
    /// Measures ordinary writes first.
    pub(crate) fn new(world: &'a World, key: &Client) -> Watch<'a> {
        let mut watch = Watch { world, limit: LIMIT, host: is_long().then(Host::watch), read: 0, logged: 0 };
        let ordinary = (0..5).map(|_| watch.ordinary(key)).fold(f64::MAX, f64::min);
        if watch.host.is_none() {
            watch.limit = LIMIT.mul_f64((ordinary / ORDINARY).max(1.0));
        }
        println!("an ordinary unit takes {:.3} ms; no unit may take more than {:?}", ordinary * 1000.0, watch.limit);
        watch
    }

    /// The mean time of ordinary units, in seconds.
    fn ordinary(&self, key: &Client) -> f64 {
        let item = |_| {
            let email = format!("ada.{}@example.com", nobody());
            json!({"op": "create", "data": {"first_name": "Ada", "last_name": "Lovelace", "email": email, "title": "Analyst"}})
        };
        let items: Vec<Value> = (0..50).map(item).collect();
        let (units, seconds) = self.units();
        key.post("/contacts/bulk", json!({"items": items})).ok();
        let (units_now, seconds_now) = self.units();
        (seconds_now - seconds) / (units_now - units)
    }

    /// The number of units, and the seconds that they held the writer.
    fn units(&self) -> (f64, f64) {
        let metrics = self.metrics();
        (number(&metrics, "relata_write_unit_seconds_count"), number(&metrics, "relata_write_unit_seconds_sum"))
    }

    fn metrics(&self) -> String {
        self.world.stranger().visit("/metrics").send().text()
    }

    /// Runs `act` and waits for the work that follows, again after a slow unit. Returns the slowest unit of the second
    /// try that had one.
    fn verdict(&mut self, mut act: impl FnMut()) -> Option<String> {
        self.verdict_of_one(&mut act)?;
        for _ in 1..TRIES {
            let slowest = self.verdict_of_one(&mut act);
            if slowest.is_some() {
                return slowest;
            }
        }
        None
    }

    /// The same for actions that can be done only once.
    pub(crate) fn verdict_of_one(&mut self, act: &mut dyn FnMut()) -> Option<String> {
        act();
        self.quiet();
        let (limit, by_wall) = (self.limit, self.host.is_some());
        let time = |slow: &Slow| if by_wall { slow.wall.saturating_sub(slow.taken).max(slow.cpu) } else { slow.cpu };
        let slowest = self.slow().into_iter().filter(|slow| time(slow) > limit).max_by_key(time);
        slowest.map(|slow| slow.to_string())
    }

    /// Waits until jobs are done and texts are indexed.
    fn quiet(&self) {
        const JOBS: &str = "SELECT CAST(count(*) AS text) FROM jobs WHERE run_at < created_at + 10000";
        const BEHIND: &str = "SELECT CAST(count(*) AS text) FROM counters c \
             LEFT JOIN indexed i ON i.workspace_id = c.workspace_id AND i.collection = c.collection \
             WHERE c.collection IN ('contacts', 'companies', 'deals', 'projects', 'tasks', 'messages') AND c.field = '' \
             AND c.stamp > coalesce(i.stamp, 0)";
        let patience = Duration::from_secs(600);
        eventually("the end of jobs", patience, || (self.world.count(JOBS) == 0).then_some(()));
        // A collection in which only counts have changed is not indexed again.
        let (mut looks, mut left) = (0, u64::MAX);
        eventually("the index", patience, || {
            let now = self.world.count(BEHIND);
            looks = if now == left { looks + 1 } else { 0 };
            left = now;
            (left == 0 || looks > 25 && !self.is_indexing()).then_some(())
        });
    }

    /// Whether the index has grown since the last check.
    fn is_indexing(&self) -> bool {
        const TEXTS: &str = "SELECT CAST((SELECT count(*) FROM texts) + (SELECT count(*) FROM message_texts) AS text)";
        let before = self.world.count(TEXTS);
        std::thread::sleep(Duration::from_millis(500));
        self.world.count(TEXTS) != before
    }

    /// The units over 250 ms that were logged since the last check.
    fn slow(&mut self) -> Vec<Slow> {
        let log = self.world.log();
        // The last line may be incomplete.
        let end = log.rfind('\n').map_or(0, |at| at + 1);
        let slow: Vec<Slow> = log[self.read..end].lines().filter_map(|line| self.slow_unit(line)).collect();
        self.read = end;
        self.logged += slow.len() as u64;
        slow.iter().for_each(|slow| println!("  {slow}"));
        slow
    }

    fn slow_unit(&self, line: &str) -> Option<Slow> {
        let line: Value = line.contains("held the writer").then(|| serde_json::from_str(line).ok())??;
        let millis = |name: &str| line[name].as_u64().map(Duration::from_millis);
        let (wall, end) = (millis("millis")?, text(&line["timestamp"]).parse::<jiff::Timestamp>().ok()?);
        let taken = self.host.as_ref().map_or(Duration::ZERO, |host| host.took(end.as_millisecond(), wall));
        Some(Slow { unit: text(&line["unit"]), wall, cpu: millis("cpu_millis")?, taken })
    }

    /// Checks that the histogram agrees with the log.
    #[track_caller]
    pub(crate) fn end(mut self) {
        let metrics = self.metrics();
        let all = number(&metrics, "relata_write_unit_seconds_count");
        let brief = number(&metrics, "relata_write_unit_seconds_bucket{le=\"0.25\"}");
        self.slow();
        assert!(all > 0.0, "{metrics}");
        assert!((all - brief) as u64 <= self.logged, "{} in the histogram, {} in the log", all - brief, self.logged);
    }
}

#[track_caller]
fn number(metrics: &str, name: &str) -> f64 {
    let line = metrics.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("no {name} in {metrics}"));
    line.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{line}"))
}

impl fmt::Display for Slow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Slow { unit, wall, cpu, taken } = self;
        write!(f, "{unit} held the writer for {wall:?}, {cpu:?} of CPU time, {taken:?} taken by the machine's host")
    }
}
