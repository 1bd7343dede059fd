//! Compares the variants of a step: which one gets more replies, and whether that can be chance.

use serde_json::{Value as Json, json};
use store::Uuid;

/// A variant is compared when so many of its messages were sent.
const ENOUGH: i64 = 30;
/// A difference counts as shown if chance alone makes one as large less often than this.
const SIGNIFICANCE: f64 = 0.05;

/// What a variant reached.
#[derive(Clone, Debug)]
pub(super) struct Results {
    pub id: Uuid,
    /// Its name, or its letter.
    pub name: String,
    pub sent: i64,
    pub replied: i64,
}

impl Results {
    /// Replies, at most as many as messages: a message whose outcome is unknown can be answered, too.
    fn replies(&self) -> i64 {
        self.replied.clamp(0, self.sent.max(0))
    }

    fn rate(&self) -> f64 {
        self.replies() as f64 / self.sent.max(1) as f64
    }

    /// The rate in words.
    fn words(&self) -> String {
        format!("{} got replies to {:.1} % ({} of {})", self.name, 100.0 * self.rate(), self.replies(), self.sent)
    }
}

pub(super) fn schema() -> Json {
    let id = |description: &str| json!({ "type": ["string", "null"], "format": "uuid", "description": description });
    json!({
        "type": ["object", "null"],
        "description": "Compares the variants of the newest version that has any; null if the step has none.",
        "required": ["metric", "verdict", "best_variant_id", "next_variant_id", "p_value", "summary"],
        "properties": {
            "metric": { "type": "string", "enum": ["reply_rate"], "description": "`replied` of `sent`." },
            "verdict": {
                "type": "string",
                "enum": ["too_few_sent", "no_difference_shown", "better"],
                "description": "`better` if `p_value` is below 0.05.",
            },
            "best_variant_id": id("The variant with the highest rate; null if too few were sent."),
            "next_variant_id": id("The variant with the next rate; null if too few were sent."),
            "p_value": {
                "type": ["number", "null"],
                "description": "Of Fisher's exact test, two-sided, of the best and the next variant; multiplied by the number of pairs (Bonferroni).",
            },
            "summary": { "type": "string", "description": "The verdict in words." },
        },
    })
}

/// Compares the variant with the highest reply rate with the next one. Variants with too few messages are left out, since
/// their rates say little.
pub(super) fn compare(variants: &[Results]) -> Json {
    let (mut compared, left_out): (Vec<&Results>, Vec<&Results>) =
        variants.iter().partition(|variant| variant.sent >= ENOUGH);
    compared.sort_by(|a, b| b.rate().total_cmp(&a.rate()));
    let waiting = left_out.iter().map(|variant| format!("{} has {}", variant.name, variant.sent.max(0)));
    let waiting = waiting.collect::<Vec<_>>().join(", ");
    let [best, next, ..] = compared[..] else {
        let summary = format!("Too few messages were sent: each variant needs {ENOUGH}, and {waiting}.");
        return verdict("too_few_sent", None, None, summary);
    };
    let pairs = compared.len() * (compared.len() - 1) / 2;
    let p = (fisher(best.replies(), best.sent, next.replies(), next.sent) * pairs as f64).min(1.0);
    let (word, mut summary) = match p < SIGNIFICANCE {
        true => ("better", format!("{} is better: {}, {} ({}).", best.name, best.words(), next.words(), shown(p))),
        false => (
            "no_difference_shown",
            format!(
                "No difference is shown: {}, {} ({}). That does not prove that they are equal.",
                best.words(),
                next.words(),
                shown(p)
            ),
        ),
    };
    if !waiting.is_empty() {
        summary += &format!(" Not compared, with fewer than {ENOUGH} messages sent: {waiting}.");
    }
    verdict(word, Some((best.id, next.id)), Some(p), summary)
}

fn verdict(word: &str, pair: Option<(Uuid, Uuid)>, p: Option<f64>, summary: String) -> Json {
    json!({
        "metric": "reply_rate", "verdict": word, "best_variant_id": pair.map(|(best, _)| best),
        "next_variant_id": pair.map(|(_, next)| next), "p_value": p, "summary": summary,
    })
}

fn shown(p: f64) -> String {
    if p < 0.0001 { "p < 0.0001".into() } else { format!("p = {p:.4}") }
}

/// The two-sided p-value of Fisher's exact test for `a` of `n` and `b` of `m`: the probability of all outcomes with the same
/// totals that are no more likely than this one.
fn fisher(a: i64, n: i64, b: i64, m: i64) -> f64 {
    /// Outcomes of the same probability differ by rounding errors.
    const TOLERANCE: f64 = 1e-7;
    let replies = a + b;
    let total = choices(n + m, replies);
    let probability = |x: i64| (choices(n, x) + choices(m, replies - x) - total).exp();
    let limit = probability(a) * (1.0 + TOLERANCE);
    let all = (replies - m).max(0)..=replies.min(n);
    all.map(probability).filter(|p| *p <= limit).sum::<f64>().min(1.0)
}

/// The logarithm of the number of ways to choose `k` of `n`.
fn choices(n: i64, k: i64) -> f64 {
    ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k)
}

/// The logarithm of n!, for large numbers by Stirling's series.
fn ln_factorial(n: i64) -> f64 {
    if n < 64 {
        return (2..=n).map(|n| (n as f64).ln()).sum();
    }
    let n = n as f64;
    let series = 1.0 / (12.0 * n) - 1.0 / (360.0 * n.powi(3)) + 1.0 / (1260.0 * n.powi(5));
    n * n.ln() - n + 0.5 * (2.0 * std::f64::consts::PI * n).ln() + series
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected values were computed with exact fractions.
    #[test]
    fn p_values_are_those_of_fishers_exact_test() {
        for ([a, n, b, m], expected) in KNOWN {
            let p = fisher(*a, *n, *b, *m);
            assert!((p - expected).abs() <= expected * 1e-9, "{a} of {n}, {b} of {m}: {p} instead of {expected}");
            assert!((fisher(*b, *m, *a, *n) - p).abs() <= p * 1e-9, "the order of the variants does not count");
        }
    }

    fn results(counts: &[(i64, i64)]) -> Vec<Results> {
        let one = |(at, (replied, sent)): (usize, &(i64, i64))| Results {
            id: Uuid::from_u128(at as u128 + 1),
            name: ["A", "B", "C", "D", "E"][at].into(),
            sent: *sent,
            replied: *replied,
        };
        counts.iter().enumerate().map(one).collect()
    }

    #[test]
    fn a_verdict_says_no_more_than_the_counts_show() {
        let of = |counts: &[(i64, i64)]| {
            let found = compare(&results(counts));
            (found["verdict"].as_str().unwrap_or("").to_owned(), found["summary"].as_str().unwrap_or("").to_owned())
        };
        let (verdict, summary) = of(&[(9, 29), (0, 30)]);
        assert_eq!(verdict, "too_few_sent");
        assert_eq!(summary, "Too few messages were sent: each variant needs 30, and A has 29.");
        let (verdict, summary) = of(&[(3, 30), (2, 30)]);
        assert_eq!(verdict, "no_difference_shown");
        assert!(
            summary.contains("A got replies to 10.0 % (3 of 30), B got replies to 6.7 % (2 of 30) (p = 1.0000)"),
            "{summary}"
        );
        let (verdict, summary) = of(&[(5, 100), (20, 100)]);
        assert_eq!(verdict, "better");
        assert!(summary.starts_with("B is better: B got replies to 20.0 % (20 of 100)"), "{summary}");
        assert_eq!(of(&[(0, 50), (0, 50)]).0, "no_difference_shown");
        assert_eq!(of(&[(40, 30), (0, 30)]).0, "better", "more replies than messages");
        // One variant with few messages does not keep the others from being compared.
        let (verdict, summary) = of(&[(5, 100), (20, 100), (2, 2)]);
        assert_eq!(verdict, "better");
        assert!(summary.ends_with("Not compared, with fewer than 30 messages sent: C has 2."), "{summary}");
    }

    #[test]
    fn more_variants_need_a_clearer_difference() {
        let two = compare(&results(&[(15, 100), (5, 100)]));
        let three = compare(&results(&[(15, 100), (5, 100), (4, 100)]));
        let p = |found: &Json| found["p_value"].as_f64().unwrap_or(-1.0);
        assert_eq!(two["verdict"], "better");
        assert_eq!(three["verdict"], "no_difference_shown");
        assert!((p(&three) - 3.0 * p(&two)).abs() < 1e-12);
        assert_eq!(three["best_variant_id"], Uuid::from_u128(1).to_string());
        assert_eq!(three["next_variant_id"], Uuid::from_u128(2).to_string());
    }

    /// Replies and messages of two variants, and the p-value.
    const KNOWN: &[([i64; 4], f64)] = &[
        ([3, 4, 1, 4], 0.4857142857142857),
        ([8, 10, 1, 6], 0.03496503496503497),
        ([1, 10, 11, 14], 0.0027594561852200836),
        ([10, 12, 3, 18], 0.0005367241191434358),
        ([0, 30, 0, 30], 1.0),
        ([15, 100, 5, 100], 0.03172003908631054),
        ([30, 500, 50, 500], 0.026252190176361906),
        ([120, 4000, 180, 4100], 0.0009639162655133145),
        ([700, 10000, 810, 10000], 0.0035187860533437833),
    ];
}
