//! The largest sequences, in the states that operations require.

use serde_json::{Map, Value, json};

use super::Watch;
use super::bodies::{Flavour, copies, email, fill};
use super::senders::Sender;
use crate::support::*;

/// The number of people who reach a step at the same time.
const DUE: usize = 50;

pub(super) fn many_due_steps_are_brief(world: &World) {
    let sender = Sender::new(world);
    let mut watch = Watch::new(world, &sender.key);
    let flavours: &[Flavour] = if is_long() { Flavour::ALL } else { &[Flavour::Html, Flavour::Template] };
    let mut too_slow = Vec::new();
    for flavour in flavours {
        let began = stopwatch();
        let verdict = watch.verdict(|| sender.run_largest_step(*flavour));
        println!("{flavour:?}: {:?}", began.elapsed());
        too_slow.extend(verdict.map(|slow| format!("{flavour:?}: {slow}")));
    }
    assert!(too_slow.is_empty(), "at most {:?}:\n{}", watch.limit, too_slow.join("\n"));
    watch.end();
}

impl Sender<'_> {
    /// Starts a sequence whose first step is due for many full contacts, and waits until it has been sent to all.
    #[track_caller]
    fn run_largest_step(&self, flavour: Flavour) {
        let people: Vec<String> = (0..DUE).map(|_| self.made_as("/contacts", flavour)).collect();
        let mut body = self.steps(flavour);
        let mut step = body["steps"][0].take();
        step["delay_days"] = json!(0);
        // Conditions that everybody meets.
        let others = |_| (0..950).map(|_| fill(Flavour::Letters, 8)).collect::<Vec<_>>().join(",");
        let unlike = (0..90).map(|_| format!("not.ilike.%{}%", fill(Flavour::Letters, 80)));
        let unlike: Vec<String> = unlike.chain((0..2).map(others).map(|names| format!("not.in.({names})"))).collect();
        step["entry_conditions"] = json!({ "first_name": unlike });
        body["steps"] = json!([step]);
        body["schedule_config"]["days"] = json!(["mon", "tue", "wed", "thu", "fri", "sat", "sun"]);
        body["schedule_config"]["start_time"] = json!("00:00");
        body["schedule_config"]["end_time"] = json!("24:00");
        let sequence = text(&self.key.post("/sequences", body).created()["id"]);
        self.key.post(&format!("/sequences/{sequence}/start"), json!({})).ok();
        let enrolled = self.key.post(&format!("/sequences/{sequence}/enroll"), json!({ "contact_ids": people })).ok();
        assert_eq!(enrolled["enrolled"], DUE, "{enrolled}");
        eventually("the end of the step", std::time::Duration::from_secs(600), || {
            let sequence = self.key.get(&format!("/sequences/{sequence}")).ok();
            assert_eq!(sequence["status"], "active", "{}", sequence["paused_reason"]);
            (sequence["enrollments"]["finished"] == DUE).then_some(())
        });
    }

    /// Fifty steps that never become due.
    pub(super) fn steps(&self, flavour: Flavour) -> Value {
        let step = |n: usize| {
            let conditions: Map<String, Value> = (0..90)
                .map(|n| (format!("custom_data.field_{n}"), format!("ilike.%{}%", fill(Flavour::Letters, 80)).into()))
                .collect();
            json!({
                "type": "email", "name": fill(flavour, 200), "subject": "Hello {{ first_name }}", "delay_days": 365,
                "body": fill(flavour, 20_000), "client_key": format!("step {n}"), "entry_conditions": conditions,
                "content_template": {"text": fill(flavour, 50_000)}, "sender_ids": self.names["account_id"],
                "cc": copies(n * 40..n * 40 + 20), "bcc": copies(n * 40 + 20..n * 40 + 40), "reply_to": email(),
                "attachments": self.names["attachment"],
            })
        };
        let dates: Vec<String> =
            (0..1000).map(|n| format!("{}-{:02}-{:02}", 2030 + n / 336, n / 28 % 12 + 1, n % 28 + 1)).collect();
        let steps: Vec<Value> = (0..50).map(step).collect();
        json!({"name": fill(flavour, 200), "mode": "advanced", "schedule_config": {"skip_dates": dates}, "steps": steps})
    }

    pub(super) fn sequence(&self, flavour: Flavour, started: bool) -> String {
        let mut body = self.steps(flavour);
        // One step is enough for errors that do not depend on the size.
        if let Flavour::Words = flavour {
            body["steps"] = json!([body["steps"][0]]);
        }
        let id = text(&self.key.post("/sequences", body).created()["id"]);
        if started {
            self.key.post(&format!("/sequences/{id}/start"), json!({})).ok();
        }
        id
    }

    /// A running sequence with everybody in it.
    pub(super) fn populated(&self) -> String {
        let sequence = self.sequence(Flavour::Words, true);
        let everybody = json!({"contact_ids": self.names["contact_id"]});
        self.key.post(&format!("/sequences/{sequence}/enroll"), everybody).ok();
        sequence
    }

    /// A running sequence whose enrollments have all failed.
    pub(super) fn failed(&self) -> String {
        let sequence = self.populated();
        self.fail(&sequence);
        sequence
    }

    /// Makes all enrollments of a sequence fail.
    pub(super) fn fail(&self, sequence: &str) {
        let id = if self.world.database_is_shared() {
            format!("'{sequence}'")
        } else {
            format!("x'{}'", sequence.replace('-', ""))
        };
        self.world.change(&format!(
            "UPDATE enrollments SET status = 'failed', planned_step_id = NULL, next_step_at = NULL, due_at = NULL, reason = 'x' WHERE sequence_id = {id}"
        ));
    }

    /// A running sequence whose enrollments follow an earlier version.
    pub(super) fn outdated(&self) -> String {
        let sequence = self.populated();
        let path = format!("/sequences/{sequence}");
        self.key.post(&format!("{path}/pause"), json!({})).ok();
        let mut steps = self.key.get(&path).ok()["steps"].clone();
        steps[0]["name"] = json!("Changed");
        self.key.put(&path, json!({"steps": steps})).ok();
        self.key.post(&format!("{path}/start"), json!({})).ok();
        sequence
    }
}
