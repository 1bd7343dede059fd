//! The variants of a parsed step, and which of them a contact gets.

use super::{Member, ParsedStep};
use crate::outreach::sequence::step::variants::{LEAST_WEIGHT, MOST_WEIGHT};
use resource::Error;
use serde_json::{Map, Value as Json};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use store::Uuid;

/// One of the texts of a step that are compared.
#[derive(Clone, Debug)]
pub struct ParsedVariant {
    pub id: Uuid,
    pub name: Option<String>,
    pub subject: Option<String>,
    pub body: String,
    pub weight: u64,
}

impl ParsedVariant {
    /// Its name, or the letter of its index.
    pub fn label(&self, at: usize) -> String {
        let letter = || char::from_u32('A' as u32 + at as u32).map_or_else(|| (at + 1).to_string(), String::from);
        self.name.clone().unwrap_or_else(letter)
    }
}

/// A text that a step can send.
pub struct StepText<'a> {
    /// Its path below the step: empty, or such as `variants.1.`.
    pub path: String,
    pub subject: Option<&'a str>,
    pub body: &'a str,
}

/// Parses the variants of a step. Steps that are previewed may have too few or too many.
pub(super) fn read(step: &Member<'_>) -> Result<Vec<ParsedVariant>, Error> {
    let stored: Vec<Map<String, Json>> = step.get("variants")?.unwrap_or_default();
    let one = |(at, variant): (usize, &Map<String, Json>)| {
        let unreadable = |member: &str| step.unreadable(&format!("variants.{at}.{member}"));
        let variant = Member(variant, step.1);
        let weight = variant.get::<i64>("weight").map_err(|_| unreadable("weight"))?;
        let weight = weight.filter(|weight| (LEAST_WEIGHT..=MOST_WEIGHT).contains(weight));
        Ok(ParsedVariant {
            id: variant.get("id").ok().flatten().ok_or_else(|| unreadable("id"))?,
            name: variant.text("name").map_err(|_| unreadable("name"))?,
            subject: variant.text("subject").map_err(|_| unreadable("subject"))?,
            body: variant.text("body").map_err(|_| unreadable("body"))?.unwrap_or_default(),
            weight: weight.ok_or_else(|| unreadable("weight"))?.unsigned_abs(),
        })
    };
    stored.iter().enumerate().map(one).collect()
}

impl ParsedStep {
    /// The step with the text that an enrollment gets: of the variant that is chosen for it, if there are variants.
    pub fn for_enrollment(&self, enrollment: Uuid) -> Cow<'_, ParsedStep> {
        if self.variants.is_empty() {
            return Cow::Borrowed(self);
        }
        let weights: Vec<u64> = self.variants.iter().map(|variant| variant.weight).collect();
        Cow::Owned(self.with_variant(choose(&weights, enrollment, self.id)))
    }

    /// The step with the text of its first variant, if it has variants.
    pub fn with_first_variant(&self) -> ParsedStep {
        self.with_variant(0)
    }

    /// The step with the text of one of its variants; as it is if it has none at this index.
    pub fn with_variant(&self, at: usize) -> ParsedStep {
        let mut step = self.clone();
        if let Some(variant) = self.variants.get(at) {
            (step.subject, step.body) = (variant.subject.clone(), variant.body.clone());
            step.variant = Some(at);
        }
        step
    }

    /// The variant that its text is from.
    pub fn variant_id(&self) -> Option<Uuid> {
        Some(self.variants.get(self.variant?)?.id)
    }

    /// The path of its text below the step: empty, or such as `variants.1.`.
    pub fn text_path(&self) -> String {
        self.variant.map_or(String::new(), |at| format!("variants.{at}."))
    }

    /// All texts that it can send.
    pub fn texts<'a>(&'a self) -> Vec<StepText<'a>> {
        if self.variants.is_empty() {
            return vec![StepText { path: String::new(), subject: self.subject.as_deref(), body: &self.body }];
        }
        let text = |(at, variant): (usize, &'a ParsedVariant)| StepText {
            path: format!("variants.{at}."),
            subject: variant.subject.as_deref(),
            body: &variant.body,
        };
        self.variants.iter().enumerate().map(text).collect()
    }
}

/// Chooses by weight. The choice depends on nothing but the ids and the weights, so that a retry and a restart repeat it.
/// The step's id makes the choices of two steps independent.
fn choose(weights: &[u64], enrollment: Uuid, step: Uuid) -> usize {
    let hash = Sha256::new().chain_update(enrollment.as_bytes()).chain_update(step.as_bytes()).finalize();
    let number = hash.iter().take(8).fold(0, |number: u64, byte| number << 8 | u64::from(*byte));
    let mut rest = number % weights.iter().sum::<u64>().max(1);
    let is_in = |weight: &u64| {
        let is_in = rest < *weight;
        rest = rest.saturating_sub(*weight);
        is_in
    };
    weights.iter().position(is_in).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_follows_the_weights_and_never_changes() {
        let (weights, step) = ([1, 3, 6], Uuid::from_u128(7));
        let mut counts = [0; 3];
        for n in 0..10_000 {
            let at = choose(&weights, Uuid::from_u128(n), step);
            assert_eq!(at, choose(&weights, Uuid::from_u128(n), step));
            counts[at] += 1;
        }
        // Expected are 1000, 3000 and 6000; four standard deviations are at most 200.
        for (count, expected) in counts.into_iter().zip([1000_i32, 3000, 6000]) {
            assert!((count - expected).abs() < 200, "{counts:?}");
        }
        // Stored choices must be repeated by later versions of the program.
        let first: Vec<usize> = (0..12).map(|n| choose(&[1, 1], Uuid::from_u128(n), step)).collect();
        assert_eq!(first, FIRST);
    }

    #[test]
    fn two_steps_choose_independently() {
        let same = (0..1000).filter(|n| {
            let at = |step| choose(&[1, 1], Uuid::from_u128(*n), Uuid::from_u128(step));
            at(1) == at(2)
        });
        assert!((430..570).contains(&same.count()));
    }

    const FIRST: [usize; 12] = [0, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1];
}
