//! Entry conditions are limited, since they are evaluated whenever their step is due; the number of problems in an
//! answer is limited, too.

use serde_json::{Value, json};

use crate::enrollments::{contact, enrolled, started};
use crate::sequences::{path, sequence};
use crate::support::*;

stories![
    entry_conditions_are_bounded,
    entry_conditions_of_an_earlier_version_stop_a_sequence_with_a_reason,
    an_answer_lists_at_most_a_thousand_problems,
];

fn with(steps: &[Value]) -> Value {
    json!({"name": "Outreach", "steps": steps})
}

/// A filter with this many values.
fn values(count: usize) -> String {
    format!("in.({})", vec!["a"; count].join(","))
}

/// Steps with these conditions on the title.
fn conditional(count: usize, filters: &[String]) -> Vec<Value> {
    vec![json!({"type": "task", "body": "x", "entry_conditions": {"title": filters}}); count]
}

fn entry_conditions_are_bounded(world: &World) {
    let key = world.key("full_access");
    let made = sequence(&key, with(&conditional(5, &[values(1000), values(1000)])));
    key.post(&format!("{}/start", path(&made)), json!({})).ok();
    let cases = [
        (conditional(2, &vec![values(1000); 99]), "steps.1.entry_conditions", "has 99000 values; a step may have 2000"),
        (
            conditional(1, &vec!["eq.a".into(); 101]),
            "steps.0.entry_conditions",
            "has 101 conditions; a step may have 100",
        ),
        (conditional(11, &[values(1000)]), "steps", "have 11000 values"),
        (conditional(1, &["a".repeat(100_000)]), "steps.0.entry_conditions", "a step may have 100000"),
    ];
    for (steps, field, reason) in cases {
        for answer in [
            key.post("/sequences", with(&steps)),
            key.put(&path(&sequence(&key, with(&conditional(1, &["eq.a".into()])))), json!({"steps": steps})),
        ] {
            assert_eq!(answer.status, 400, "{answer}");
            let details = answer.error(400, "validation_error").details();
            let reported = details.iter().any(|(at, why)| at == field && why.contains(reason));
            assert!(reported, "no {field}: {reason} in {details:?}");
        }
    }
}

/// Stored by a version without these limits.
fn entry_conditions_of_an_earlier_version_stop_a_sequence_with_a_reason(world: &World) {
    let key = world.key("full_access");
    let enlarge = || {
        let many = vec![values(1000); 3].join("\",\"");
        world.change(&format!("UPDATE sequence_versions SET steps = replace(steps, 'eq.MARK', '{many}')"));
    };
    let marked = conditional(1, &["eq.MARK".into()]);
    let draft = sequence(&key, with(&marked));
    let running = started(&key, json!(marked));
    enlarge();
    let ann = contact(&key, json!({"title": "a"}));
    enrolled(&key, &running, &ann);
    let paused = eventually("a pause", PATIENCE, || {
        Some(key.get(&path(&running)).ok()).filter(|sequence| sequence["status"] == "paused")
    });
    let reason = text(&paused["paused_reason"]);
    assert!(reason.contains("steps.0.entry_conditions: has 3000 values; a step may have 2000"), "{reason}");
    // It can be read, and says why it can't be started.
    for one in [&draft, &running] {
        let shown = key.get(&path(one)).ok();
        assert_eq!(shown["steps"][0]["entry_conditions"]["title"].as_array().map(Vec::len), Some(3));
        let refused = key.post(&format!("{}/start", path(one)), json!({})).invalid("steps.0.entry_conditions");
        refused.says("has 3000 values; a step may have 2000");
    }
    key.put(&path(&running), json!({"steps": conditional(1, &["eq.a".into()])})).ok();
    key.post(&format!("{}/start", path(&running)), json!({})).ok();
}

fn an_answer_lists_at_most_a_thousand_problems(world: &World) {
    let key = world.key("full_access");
    let mut step = json!({"type": "task", "body": "x"});
    (0..600).for_each(|n| step[format!("unknown_{n}")] = json!(1));
    let failure = key.post("/sequences", with(&vec![step; 50])).error(400, "validation_error");
    assert_eq!(failure.details().len(), 1000);
    assert!(failure.message().ends_with("steps: has more problems than are listed; correct these first"));
    // A name that is far too long is not repeated.
    let answer = key.post("/sequences", json!({"name": "x", "a".repeat(1_000_000): 1}));
    assert!(answer.status == 400 && answer.text().len() < 10_000, "{} bytes", answer.text().len());
}
