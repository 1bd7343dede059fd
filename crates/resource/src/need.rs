//! Conditions on the text of a record.

use crate::words::{BEGINNING, END, LITERAL};
use uuid::Uuid;

/// A condition on the text of a record.
#[derive(Clone, Debug)]
pub enum Need {
    Word(Word),
    All(Vec<Need>),
    Any(Vec<Need>),
    Not(Box<Need>),
}

#[derive(Clone, Debug)]
pub struct Word {
    /// The word in the form of the text index.
    pub(crate) literal: String,
    /// The marks between which the word must occur; `None` is the beginning of the text.
    pub(crate) from: Option<String>,
    pub(crate) to: String,
    /// The labels that also count as a match.
    pub(crate) labels: Labelled,
}

#[derive(Clone, Debug)]
pub(crate) enum Labelled {
    /// Labels do not count.
    Never,
    /// Labels that contain this word count.
    Holding,
    By(Vec<Uuid>),
}

impl Word {
    pub(crate) fn anywhere(word: &str) -> Word {
        let short = word.chars().count() < LITERAL;
        let literal = if short { format!("{BEGINNING}{word}") } else { word.to_owned() };
        Word { literal, from: None, to: END.to_string(), labels: Labelled::Holding }
    }

    /// A LIKE pattern that matches texts with this word.
    pub(crate) fn pattern(&self) -> String {
        let literal = self.literal.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        let from = self.from.as_ref().map_or(String::new(), |from| format!("%{from}"));
        format!("{from}%{literal}%{}%", self.to)
    }

    /// Whether the trigram index can find it.
    pub(crate) fn indexed(&self) -> bool {
        self.literal.chars().count() >= LITERAL
    }

    pub(crate) fn found_in(&self, text: &str) -> bool {
        let start = self.from.as_ref().map_or(Some(0), |from| text.find(from.as_str()));
        let part = start.and_then(|start| Some(&text[start..start + text[start..].find(self.to.as_str())?]));
        part.is_some_and(|part| part.contains(&self.literal))
    }

    pub(crate) fn labels(&self) -> &[Uuid] {
        match &self.labels {
            Labelled::By(ids) => ids,
            _ => &[],
        }
    }
}
