//! The report: each measurement with its limits.

use std::fmt::Write;

/// The limits of `performance.md` for a measurement.
#[derive(Clone, Copy)]
pub(crate) struct Goal {
    pub hold: f64,
    pub aim: f64,
    pub better: Better,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Better {
    Higher,
    Lower,
}

pub(crate) const fn at_least(hold: f64, aim: f64) -> Option<Goal> {
    Some(Goal { hold, aim, better: Better::Higher })
}

pub(crate) const fn at_most(hold: f64, aim: f64) -> Option<Goal> {
    Some(Goal { hold, aim, better: Better::Lower })
}

pub(crate) struct Row {
    pub measure: String,
    /// The limit as it was measured in the same run.
    pub hello: String,
    pub relata: String,
    /// The compared figure: usually the ratio of the two.
    pub figure: f64,
    pub goal: Option<Goal>,
}

impl Row {
    fn verdict(&self) -> &'static str {
        let Some(goal) = self.goal else { return "" };
        let reaches = |bound: f64| match goal.better {
            Better::Higher => self.figure >= bound,
            Better::Lower => self.figure <= bound,
        };
        match (reaches(goal.aim), reaches(goal.hold)) {
            (true, _) => "aim",
            (false, true) => "hold",
            (false, false) => "**missed**",
        }
    }

    fn cells(&self) -> [String; 7] {
        let sign = |goal: Goal| if goal.better == Better::Higher { "≥" } else { "≤" };
        let bound =
            |pick: fn(Goal) -> f64| self.goal.map_or("".into(), |goal| format!("{} {}", sign(goal), short(pick(goal))));
        let (hold, aim) = (bound(|goal| goal.hold), bound(|goal| goal.aim));
        let verdict = self.verdict().to_owned();
        [self.measure.clone(), self.hello.clone(), self.relata.clone(), short(self.figure), hold, aim, verdict]
    }

    /// For the terminal, during the run.
    pub(crate) fn line(&self) -> String {
        let [measure, hello, relata, figure, hold, aim, verdict] = self.cells();
        format!("{measure:<58} {hello:>34} {relata:>34} {figure:>8} {hold:>8} {aim:>8} {verdict}")
    }
}

pub(crate) fn markdown(rows: &[Row]) -> String {
    let mut text =
        String::from("| measure | hello | relata | ratio | hold | aim | verdict |\n|---|---|---|---|---|---|---|\n");
    for row in rows {
        // Writing to a string can't fail.
        let _ = writeln!(text, "| {} |", row.cells().join(" | "));
    }
    text
}

/// Three significant digits.
pub(crate) fn short(number: f64) -> String {
    match number.abs() {
        n if n >= 1000.0 => thousands(number),
        n if n >= 100.0 => format!("{number:.0}"),
        n if n >= 10.0 => trimmed(format!("{number:.1}")),
        n if n >= 1.0 => trimmed(format!("{number:.2}")),
        _ => format!("{number:.3}"),
    }
}

fn trimmed(text: String) -> String {
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
