//! docs/security.md has a verdict for each requirement and names the test that proves it. These tests keep the two in
//! agreement, and check its statements on the dashboard's sources and dependencies. No server runs here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::support::files;
use crate::tidy::{root, sources};

/// OWASP ASVS 5.0, levels 1 and 2: chapter, requirements.
const CHAPTERS: &[(u32, usize)] = &[
    (1, 27),
    (2, 11),
    (3, 19),
    (4, 10),
    (5, 9),
    (6, 35),
    (7, 18),
    (8, 7),
    (9, 7),
    (10, 29),
    (11, 14),
    (12, 9),
    (13, 13),
    (14, 9),
    (15, 13),
    (16, 16),
    (17, 7),
];
/// The numbers of requirements of level 1 and of level 2.
const LEVELS: [usize; 2] = [70, 183];
const VERDICTS: &[&str] = &["met", "met (document)", "met by design", "not met", "not applicable"];

fn document() -> String {
    fs::read_to_string(root().join("docs/security.md")).unwrap_or_else(|error| panic!("cannot read: {error}"))
}

/// A row of the tables of requirements.
#[derive(Debug)]
struct Requirement {
    number: Vec<u32>,
    level: usize,
    verdict: String,
    evidence: String,
}

fn requirements(document: &str) -> Vec<Requirement> {
    let mut rows = Vec::new();
    for line in document.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let number: Option<Vec<u32>> = cells[0].split('.').map(|part| part.parse().ok()).collect();
        let Some(number) = number.filter(|number| number.len() == 3) else { continue };
        let [_, level, what, verdict, evidence] = cells[..] else { panic!("not five cells: {line}") };
        assert!(!what.is_empty() && !evidence.is_empty(), "an empty cell: {line}");
        let level = level.parse().unwrap_or_else(|_| panic!("not a level: {line}"));
        rows.push(Requirement { number, level, verdict: verdict.to_owned(), evidence: evidence.to_owned() });
    }
    rows
}

/// The texts between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The tests in a source file: functions with an attribute, and stories.
fn tests_in(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for list in text.split("stories![").skip(1) {
        let list = list.split(']').next().unwrap_or_default();
        names.extend(list.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()));
    }
    let mut attribute = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("#[") {
            attribute |= line == "#[test]" || line.starts_with("#[tokio::test");
        } else if let Some((_, rest)) = line.split_once("fn ").filter(|_| attribute) {
            names.extend(rest.split(['(', '<']).next().map(str::to_owned));
            attribute = false;
        }
    }
    names
}

#[test]
fn every_requirement_has_a_verdict() {
    let rows = requirements(&document());
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for row in &rows {
        *counts.entry(row.number[0]).or_default() += 1;
        assert!(VERDICTS.contains(&row.verdict.as_str()), "{row:?}: the verdict is none of {VERDICTS:?}");
    }
    assert_eq!(counts.into_iter().collect::<Vec<_>>(), CHAPTERS);
    for pair in rows.windows(2) {
        assert!(pair[0].number < pair[1].number, "out of order or twice: {:?}, {:?}", pair[0].number, pair[1].number);
    }
    for (level, count) in [1, 2].into_iter().zip(LEVELS) {
        assert_eq!(rows.iter().filter(|row| row.level == level).count(), count, "requirements of level {level}");
    }
}

#[test]
fn the_summary_counts_the_verdicts() {
    let document = document();
    let rows = requirements(&document);
    for verdict in VERDICTS {
        let count = rows.iter().filter(|row| row.verdict == *verdict).count();
        let line = format!("| {verdict} | {count} |");
        assert!(document.lines().any(|other| other == line), "the summary should say {line}");
    }
}

#[test]
fn every_named_test_exists() {
    let (document, sources) = (document(), sources());
    let pending: Vec<&str> = document.split("PENDING(").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(pending.is_empty(), "no test is named for: {pending:#?}");
    let mut missing = Vec::new();
    let mut named = 0;
    for reference in quoted(&document) {
        let Some((path, name)) = reference.split_once("::").filter(|(path, _)| path.contains('/')) else { continue };
        named += 1;
        let there = match path.ends_with(".mjs") {
            true => fs::read_to_string(root().join(path)).is_ok_and(|text| text.contains(&format!("test('{name}'"))),
            false => sources.get(path).is_some_and(|text| tests_in(text).contains(name)),
        };
        if !there {
            missing.push(reference);
        }
    }
    assert!(missing.is_empty(), "no such test: {missing:#?}");
    assert!(named > 100, "only {named} tests are named");
}

#[test]
fn every_verdict_has_evidence() {
    for row in requirements(&document()) {
        let tests = quoted(&row.evidence).filter(|word| word.contains("::")).count();
        let files = quoted(&row.evidence).filter(|word| root().join(word).exists()).count();
        match row.verdict.as_str() {
            "met" => assert!(tests > 0 || row.evidence.contains("PENDING("), "{row:?} names no test"),
            "met (document)" => {
                let is_document = |word: &&str| word.ends_with(".md") && root().join(word).exists();
                assert!(quoted(&row.evidence).any(|word| is_document(&word)), "{row:?} names no document");
            }
            "met by design" => assert!(files > 0, "{row:?} names no file"),
            _ => assert!(row.evidence.split_whitespace().count() > 2, "{row:?} gives no reason"),
        }
    }
}

#[test]
fn every_named_file_exists() {
    for word in quoted(&document()) {
        let path = word.split("::").next().unwrap_or_default();
        let ours = ["crates/", "tests/", "docs/", "web/", "bin/"].iter().any(|folder| path.starts_with(folder));
        assert!(!ours || root().join(path).exists(), "there is no {path}");
    }
}

#[test]
fn the_scanner_finds_tests() {
    let text = "stories![a, b,\n    c];\n#[test]\nfn d() {}\n    #[tokio::test(flavor = \"x\")]\n    async fn e() {}\nfn f() {}";
    assert_eq!(tests_in(text).into_iter().collect::<String>(), "abcde");
    assert_eq!(quoted("x `a/b.rs::c` y `d`").collect::<Vec<_>>(), ["a/b.rs::c", "d"]);
}

/// Code that could turn data into markup or code in the dashboard, or change the prototype of objects.
const FORBIDDEN: &[&str] = &[
    "dangerouslySetInnerHTML",
    "innerHTML",
    "outerHTML",
    "insertAdjacentHTML",
    "document.write",
    "eval(",
    "new Function",
    "postMessage",
    "__proto__",
    "Object.assign",
    "sessionStorage",
    "indexedDB",
    "document.cookie",
];
/// Files that store data in the browser: names of columns, and ids of records that are not duplicates.
const STORING: &[&str] = &["web/src/data/Duplicates.tsx", "web/src/data/ImportPage.tsx", "web/src/shell/density.ts"];

#[test]
fn the_dashboard_makes_no_markup_of_data() {
    let mut seen = 0;
    for path in files(&root().join("web/src")) {
        if !path.extension().is_some_and(|extension| extension == "ts" || extension == "tsx") {
            continue;
        }
        let name = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read {name}: {error}"));
        seen += 1;
        for word in FORBIDDEN {
            assert!(!text.contains(word), "{name} holds {word}");
        }
        assert!(!text.contains("localStorage") || STORING.contains(&name.as_str()), "{name} stores something");
    }
    assert!(seen > 50, "there are only {seen} files");
}

#[test]
fn every_package_of_the_dashboard_is_pinned_by_its_hash() {
    let lock = fs::read_to_string(root().join("web/package-lock.json")).unwrap_or_default();
    let lock: Value = serde_json::from_str(&lock).unwrap_or_else(|error| panic!("the lock is not JSON: {error}"));
    let packages = lock["packages"].as_object().map(|all| all.iter().collect::<Vec<_>>()).unwrap_or_default();
    assert!(packages.len() > 50, "there are only {} packages", packages.len());
    for (name, package) in packages.into_iter().filter(|(name, _)| !name.is_empty()) {
        let hash = package["integrity"].as_str();
        assert!(hash.is_some_and(|hash| hash.starts_with("sha512-")), "{name} has no hash");
        let from = package["resolved"].as_str().unwrap_or("https://");
        assert!(from.starts_with("https://"), "{name} does not come from a registry");
    }
}
