//! The terms of profiles, and of queries for them. Case and accents are folded; in scripts without spaces every letter
//! is a word.

use crate::sourcing::gazetteer;
use crate::sourcing::tokens::words;
use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;

/// Pairs are indexed for the first words of a value only.
const PAIRED: usize = 16;
/// The highest level of completeness.
pub const FULLEST: usize = 7;

/// The field of a term: its first letter.
pub mod of {
    pub const CURRENT_TITLE: char = 't';
    pub const ANY_TITLE: char = 'T';
    pub const CURRENT_COMPANY: char = 'c';
    pub const PAST_COMPANY: char = 'p';
    pub const LOCATION: char = 'l';
    pub const PLACE: char = 'g';
    pub const SKILL: char = 's';
    pub const KEYWORD: char = 'k';
    pub const YEARS: char = 'y';
    pub const FULLNESS: char = 'q';
    pub const DATA: char = 'd';
}

/// The term of a value that equals the query as a whole.
pub fn whole(of: char, words: &[String]) -> String {
    format!("{of}={}", words.join(" "))
}

/// The terms of a value that contains all of these words. One word is a term; several words are matched by their pairs,
/// so that they occur in the same value.
pub fn holding(of: char, words: &[String]) -> Vec<String> {
    let distinct: BTreeSet<&String> = words.iter().collect();
    match distinct.len() {
        1 => distinct.into_iter().map(|word| format!("{of} {word}")).collect(),
        ..=4 => pairs(of, &distinct),
        // With many words, each paired with the next one is enough.
        _ => distinct.iter().zip(distinct.iter().skip(1)).map(|(a, b)| format!("{of} {a} {b}")).collect(),
    }
}

fn pairs(of: char, words: &BTreeSet<&String>) -> Vec<String> {
    let words: Vec<&&String> = words.iter().collect();
    let pair = |at: usize| words[at + 1..].iter().map(move |other| (at, other));
    (0..words.len()).flat_map(pair).map(|(at, other)| format!("{of} {} {other}", words[at])).collect()
}

/// All terms of a profile.
pub fn terms(profile: &Map<String, Json>) -> BTreeSet<String> {
    let mut terms = BTreeSet::new();
    let text = |json: &Json, member: &str| words(json[member].as_str().unwrap_or_default());
    let items = |member: &str| profile[member].as_array().into_iter().flatten();
    let job = &profile["current_job"];
    let mut keywords: Vec<Vec<String>> = Vec::new();

    let (title, company) = (text(job, "title"), text(job, "company_name"));
    add(&mut terms, &[of::CURRENT_TITLE, of::ANY_TITLE], &title);
    add(&mut terms, &[of::CURRENT_COMPANY], &company);
    keywords.extend([title, company]);
    for experience in items("experiences") {
        let (title, company) = (text(experience, "title"), text(experience, "company_name"));
        let current = experience["is_current"] == true;
        let titles: &[char] = if current { &[of::CURRENT_TITLE, of::ANY_TITLE] } else { &[of::ANY_TITLE] };
        add(&mut terms, titles, &title);
        add(&mut terms, &[if current { of::CURRENT_COMPANY } else { of::PAST_COMPANY }], &company);
        keywords.extend([title, company, text(experience, "description")]);
    }
    for education in items("educations") {
        let members = ["educational_establishment", "diploma", "specialization"];
        keywords.extend(members.map(|member| text(education, member)));
    }
    for skill in items("skills") {
        let skill = words(skill.as_str().unwrap_or_default());
        add(&mut terms, &[of::SKILL], &skill);
        keywords.push(skill);
    }
    keywords.extend(["headline", "summary"].map(|member| words(profile[member].as_str().unwrap_or_default())));
    terms.extend(keywords.iter().flatten().map(|word| format!("{} {word}", of::KEYWORD)));

    let location = profile["location"].as_str().unwrap_or_default();
    add(&mut terms, &[of::LOCATION], &words(location));
    terms.extend(gazetteer::located(location).into_iter().map(|id| format!("{} {id}", of::PLACE)));
    terms.extend(profile["total_years_experience"].as_i64().map(|years| format!("{} {years}", of::YEARS)));
    for address in items("emails") {
        let word = if address["type"] == "personal" { "personal_email" } else { "work_email" };
        terms.insert(format!("{} {word}", of::DATA));
    }
    terms.extend(items("phones").next().map(|_| format!("{} phone", of::DATA)));
    terms.insert(format!("{} {}", of::FULLNESS, fullness(profile)));
    terms
}

/// Adds the words of a value, their pairs and the value as a whole.
fn add(terms: &mut BTreeSet<String>, of: &[char], words: &[String]) {
    if words.is_empty() {
        return;
    }
    let distinct: BTreeSet<&String> = words.iter().take(PAIRED).collect();
    for of in of {
        terms.extend(words.iter().map(|word| format!("{of} {word}")));
        terms.extend(pairs(*of, &distinct));
        terms.insert(whole(*of, words));
    }
}

/// The completeness of a profile, from 0 to `FULLEST`: of two equal matches, the more complete one comes first.
fn fullness(profile: &Map<String, Json>) -> usize {
    let long = |member: &str, least: usize| profile[member].as_array().is_some_and(|items| items.len() >= least);
    let filled = [
        profile["headline"].is_string(),
        profile["summary"].is_string(),
        profile["picture_url"].is_string(),
        profile["network_url"].is_string(),
        long("experiences", 2),
        long("educations", 1),
        long("skills", 3),
    ];
    filled.into_iter().filter(|filled| *filled).count().min(FULLEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_normalized() {
        for (text, expected) in [
            ("Senior Software Engineer (C++/C#)", vec!["senior", "software", "engineer", "c++", "c#"]),
            ("Développeuse, Node.js & .NET", vec!["developpeuse", "node", "js", "net"]),
            ("東京都", vec!["東", "京", "都"]),
            ("  -- ", vec![]),
            ("R&D", vec!["r", "d"]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }
}
