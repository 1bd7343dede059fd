//! The documentation: links are valid, and docs/api/ covers the operations of openapi.json.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use crate::support::files;
use crate::tidy::root;

/// Folders with Markdown files, searched with everything below them.
const FOLDERS: &[&str] = &["bench", "bin", "crates", "docs", "tests", "web"];
/// Folders with third-party files or build results.
const SKIPPED: &[&str] = &["dist", "node_modules", "target"];
const METHODS: &[&str] = &["GET", "POST", "PUT", "PATCH", "DELETE"];

/// Every Markdown file by its path from the root, with its text.
fn pages() -> BTreeMap<String, String> {
    let root = root();
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut folders: Vec<PathBuf> = FOLDERS.iter().map(|name| root.join(name)).filter(|path| path.is_dir()).collect();
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() && !SKIPPED.contains(&name.as_str()) {
                folders.push(path);
            } else {
                paths.push(path);
            }
        }
    }
    paths.extend(entries(&root));
    let mut pages = BTreeMap::new();
    for path in paths.into_iter().filter(|path| path.is_file() && path.extension().is_some_and(|name| name == "md")) {
        let name = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read {name}: {error}"));
        pages.insert(name, text);
    }
    assert!(pages.len() > 60, "there are only {} Markdown files", pages.len());
    pages
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("cannot read {}: {error}", folder.display()));
    entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect()
}

/// The lines outside code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// The line without its code spans, which may contain anything.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// The targets of the links and images in a page.
fn links(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for line in prose(text).map(without_code) {
        for rest in line.split("](").skip(1) {
            targets.extend(rest.split([')', ' ']).next().map(str::to_owned));
        }
    }
    targets
}

/// The anchors of a page's headings, as GitHub forms them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for line in prose(text).filter(|line| line.starts_with('#')) {
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
        let anchor: String = kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect();
        let mut candidates =
            (0..).map(|number| if number == 0 { anchor.clone() } else { format!("{anchor}-{number}") });
        anchors.extend(candidates.find(|anchor| !anchors.contains(anchor)));
    }
    anchors
}

/// The file that a link in a page points to, by its path from the root.
fn resolve(page: &str, target: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in Path::new(page).parent().unwrap_or(Path::new("")).join(target).components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            Component::CurDir => {}
            part => parts.push(part.as_os_str().to_string_lossy().into_owned()),
        }
    }
    parts.join("/")
}

#[test]
fn every_link_is_valid() {
    let pages = pages();
    let mut broken = Vec::new();
    let mut count = 0;
    for (name, text) in &pages {
        for link in links(text) {
            if ["http://", "https://", "mailto:"].iter().any(|scheme| link.starts_with(scheme)) {
                continue;
            }
            count += 1;
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let file = if file.is_empty() { name.clone() } else { resolve(name, file) };
            let found = match pages.get(&file) {
                Some(text) => heading.is_empty() || anchors(text).contains(heading),
                None => heading.is_empty() && root().join(&file).exists(),
            };
            if !found {
                broken.push(format!("{name}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "broken links: {broken:#?}");
    assert!(count > 100, "only {count} links were found");
}

/// Every page under docs/api/ by its file name, with its text.
fn api_pages() -> BTreeMap<String, String> {
    let folder = root().join("docs/api");
    let text = |path: &Path| fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    files(&folder).iter().map(|path| (name(path), text(path))).collect()
}

/// Every operation of openapi.json, as `GET /contacts`.
fn operations() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("openapi.json")).unwrap_or_default();
    let document: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("openapi.json: {error}"));
    let mut operations = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().into_iter().flatten() {
        for method in methods.as_object().into_iter().flatten().map(|(method, _)| method.to_uppercase()) {
            if METHODS.contains(&method.as_str()) {
                operations.insert(format!("{method} {path}"));
            }
        }
    }
    assert!(operations.len() > 100, "only {} operations were found", operations.len());
    operations
}

#[test]
fn every_operation_is_documented() {
    let pages = api_pages();
    let named = |operation: &String| pages.values().any(|text| text.contains(&format!("`{operation}`")));
    let missing: Vec<String> = operations().into_iter().filter(|operation| !named(operation)).collect();
    assert!(missing.is_empty(), "no page under docs/api/ names {missing:#?}");
}

#[test]
fn every_documented_operation_exists() {
    let operations = operations();
    for (name, text) in api_pages() {
        for line in prose(&text) {
            for code in line.split('`').skip(1).step_by(2) {
                let Some((method, path)) = code.split_once(' ').filter(|(method, _)| METHODS.contains(method)) else {
                    continue;
                };
                let path = path.split('?').next().unwrap_or_default();
                let exists = path == "/api/v1/openapi.json" || operations.contains(&format!("{method} {path}"));
                assert!(exists, "docs/api/{name} names {code}, which does not exist");
            }
        }
    }
}

#[test]
fn the_contents_name_every_page() {
    let pages = api_pages();
    let contents: BTreeSet<String> = links(&pages["README.md"]).into_iter().collect();
    let missing: Vec<&String> = pages.keys().filter(|name| *name != "README.md" && !contents.contains(*name)).collect();
    assert!(missing.is_empty(), "docs/api/README.md has no link to {missing:?}");
}

#[test]
fn the_scanner_reads_links_and_headings() {
    let page =
        "# A `b` & C\n[x](y.md#z) `[a](b)` ![i](i.png \"title\")\n```\n[no](no.md)\n# no\n```\n## Same\n## Same\n";
    assert_eq!(links(page), ["y.md#z", "i.png"]);
    assert_eq!(anchors(page).into_iter().collect::<Vec<_>>(), ["a-b--c", "same", "same-1"]);
    assert_eq!(resolve("docs/api/README.md", "../../openapi.json"), "openapi.json");
    assert_eq!(resolve("README.md", "docs/./api"), "docs/api");
}
