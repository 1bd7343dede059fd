//! The order of imports. The areas of `crates/crm` import only areas below them, and sibling modules never import each
//! other in a circle. A file and the folder of its name are one module; its parts are siblings in turn.

use std::collections::{BTreeMap, BTreeSet};

use super::{parts, sources};

/// The areas of `crates/crm/src`, from the lowest. Modules outside of the areas are above all of them.
const AREAS: &[&str] =
    &["api", "tenant", "records", "pipelines", "outreach", "collaboration", "sourcing", "transfer", "dashboard"];

/// A path in the source, without its crate's root.
type Path = Vec<String>;

/// The modules of a crate by path, and the imports of each.
struct Modules {
    files: BTreeMap<Path, String>,
    imports: BTreeMap<Path, BTreeSet<Path>>,
}

/// The imports that a module contains.
struct Written {
    /// Imports by `use`, with their local names and whether they are re-exported.
    uses: Vec<(Path, String, bool)>,
    /// Paths elsewhere in the code.
    paths: Vec<Path>,
}

fn modules(folder: &str) -> Modules {
    let (mut files, mut codes) = (BTreeMap::new(), BTreeMap::new());
    for (name, text) in sources() {
        let Some(path) = name.strip_prefix(folder).and_then(|rest| rest.strip_suffix(".rs")) else { continue };
        let path: Path = match path.trim_start_matches('/') {
            "lib" | "main" => Vec::new(),
            path => path.split('/').map(str::to_owned).collect(),
        };
        let code = parts(&text).code;
        codes.insert(path.clone(), code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned());
        files.insert(path, name);
    }
    // Tests may import anything.
    let tests: Vec<Path> = codes.iter().flat_map(|(path, code)| test_modules(path, code)).collect();
    files.retain(|path, _| !tests.contains(path));
    codes.retain(|path, _| !tests.contains(path));
    let written: BTreeMap<&Path, Written> =
        codes.iter().map(|(path, code)| (path, written(path, code, &files))).collect();
    let mut imports = BTreeMap::new();
    for (path, here) in &written {
        let mut found = BTreeSet::new();
        for (to, is_shared) in
            here.uses.iter().map(|(to, _, is_shared)| (to, *is_shared)).chain(here.paths.iter().map(|to| (to, false)))
        {
            let origin = origin(to, &written, 0);
            // A module may re-export items of its own parts.
            if origin != **path && !(is_shared && origin.starts_with(path)) {
                found.insert(origin);
            }
        }
        imports.insert((*path).clone(), found);
    }
    Modules { files, imports }
}

fn test_modules(path: &Path, code: &str) -> Vec<Path> {
    let marked = code.split("#[cfg(test)]\nmod ").skip(1);
    let names = marked.filter_map(|rest| rest.split_once(';')).map(|(name, _)| name);
    let names = names.filter(|name| name.chars().all(|letter| letter.is_alphanumeric() || letter == '_'));
    names.map(|name| path.iter().cloned().chain([name.to_owned()]).collect()).collect()
}

fn written(path: &Path, code: &str, files: &BTreeMap<Path, String>) -> Written {
    let (mut uses, mut paths, mut rest) = (Vec::new(), Vec::new(), String::new());
    for (nth, statement) in code.split_inclusive(';').enumerate() {
        let at = statement.rfind("use ").filter(|at| {
            let before = statement[..*at].trim_end();
            let last = before.chars().next_back();
            let is_first = last.is_none_or(|last| ";{}]".contains(last)) && (nth > 0 || !before.ends_with(';'));
            is_first || before.ends_with("pub") || (before.ends_with(')') && before.contains("pub("))
        });
        let Some(at) = at else {
            rest.push_str(statement);
            continue;
        };
        let before = statement[..at].trim_end();
        let is_shared = before.ends_with("pub") || before.ends_with(')');
        rest.push_str(&statement[..at]);
        for tree in expand(statement[at + "use ".len()..].trim_end_matches(';')) {
            let (tree, alias) =
                tree.split_once(" as ").map_or((tree.as_str(), None), |(tree, alias)| (tree, Some(alias)));
            let segments: Vec<&str> = tree.split("::").map(str::trim).collect();
            if let Some(to) = resolve(path, &segments, files) {
                let name = alias.or(to.last().map(String::as_str)).unwrap_or_default().trim().to_owned();
                uses.push((to, name, is_shared));
            }
        }
    }
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut letters = rest.char_indices().peekable();
    let mut before = ' ';
    while let Some((at, letter)) = letters.next() {
        if is_word(letter) && !is_word(before) {
            let word = |letter: char| is_word(letter) || letter == ':';
            let end = rest[at..].find(|letter| !word(letter)).map_or(rest.len(), |length| at + length);
            while letters.next_if(|(next, _)| *next < end).is_some() {}
            let segments: Vec<&str> = rest[at..end].trim_end_matches(':').split("::").collect();
            let is_path = segments.len() > 1 && before != ':' && before != '.';
            if is_path && let Some(to) = resolve(path, &segments, files) {
                paths.push(to);
            }
            before = 'x';
        } else {
            before = letter;
        }
    }
    Written { uses, paths }
}

/// The paths of a `use` tree.
fn expand(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((before, rest)) = tree.split_once('{') else { return vec![tree.to_owned()] };
    let (before, inside) = (before.trim(), rest.rsplit_once('}').map_or(rest, |(inside, _)| inside));
    let (mut paths, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, letter) in inside.char_indices().chain([(inside.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                for path in expand(&inside[start..at]).into_iter().filter(|path| !path.is_empty()) {
                    paths.push(match path.strip_prefix("self") {
                        Some(rest) => format!("{}{rest}", before.trim_end_matches(':')),
                        None => format!("{before}{path}"),
                    });
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    paths
}

/// The absolute path of an import, if it is in the same crate.
fn resolve(from: &Path, segments: &[&str], files: &BTreeMap<Path, String>) -> Option<Path> {
    let mut base: Path = from.clone();
    let mut rest = segments;
    match segments.first()? {
        &"crate" => {
            base.clear();
            rest = &segments[1..];
        }
        &"self" => rest = &segments[1..],
        &"super" => {
            while let Some((&"super", after)) = rest.split_first() {
                base.pop();
                rest = after;
            }
        }
        name => {
            base.push((*name).to_owned());
            files.contains_key(&base).then_some(())?;
            base.pop();
        }
    }
    base.extend(rest.iter().map(|segment| (*segment).to_owned()));
    Some(base)
}

/// The module that defines an item, following re-exports.
fn origin(path: &[String], written: &BTreeMap<&Path, Written>, depth: usize) -> Path {
    for length in (0..=path.len()).rev() {
        let Some(module) = written.get(&path[..length].to_vec()) else { continue };
        let shown = path.get(length).and_then(|name| {
            module.uses.iter().find(|(_, called, is_shared)| *is_shared && called == name).map(|(to, ..)| to)
        });
        return match shown {
            Some(to) if depth < 5 => {
                let whole: Path = to.iter().chain(&path[length + 1..]).cloned().collect();
                origin(&whole, written, depth + 1)
            }
            _ => path[..length].to_vec(),
        };
    }
    Vec::new()
}

#[test]
fn the_import_scanner_finds_imports() {
    let path = |text: &str| text.split("::").map(str::to_owned).collect::<Path>();
    let names =
        ["", "a", "a::b", "c"].map(|name| (if name.is_empty() { Vec::new() } else { path(name) }, String::new()));
    let code =
        "pub use self::b::{X, y as z};\nuse crate::{c, a::b::{self, W}};\nfn f() { super::c::g(b::h(), std::i()); }";
    let found = written(&path("a"), code, &names.into_iter().collect());
    let used: Vec<(String, &str, bool)> =
        found.uses.iter().map(|(to, name, shown)| (to.join("::"), &**name, *shown)).collect();
    let expected = [
        ("a::b::X", "X", true),
        ("a::b::y", "z", true),
        ("c", "c", false),
        ("a::b", "b", false),
        ("a::b::W", "W", false),
    ];
    assert_eq!(used, expected.map(|(to, name, shown)| (to.to_owned(), name, shown)));
    let paths: Vec<String> = found.paths.iter().map(|path| path.join("::")).collect();
    assert_eq!(paths, ["c::g", "a::b::h"]);
}

#[test]
fn areas_import_only_areas_below_them() {
    let crm = modules("crates/crm/src");
    let height = |path: &Path| {
        let area = path.first().and_then(|first| AREAS.iter().position(|area| area == first));
        area.unwrap_or(AREAS.len())
    };
    for area in AREAS {
        assert!(
            crm.files.keys().any(|path| path.first().is_some_and(|first| first == area)),
            "there is no area {area}"
        );
    }
    let mut above = Vec::new();
    for (path, imports) in &crm.imports {
        for import in imports.iter().filter(|import| !import.is_empty() && height(import) > height(path)) {
            above.push(format!("{} imports {}", crm.files[path], import.join("::")));
        }
    }
    // The root of the crate only lists its modules.
    above.retain(|line| !line.starts_with("crates/crm/src/lib.rs"));
    assert!(above.is_empty(), "an area imports one above it; see the order in ARCHITECTURE.md:\n{}", above.join("\n"));
}

#[test]
fn modules_do_not_import_each_other_in_a_circle() {
    let crates: BTreeSet<String> = sources()
        .keys()
        .filter_map(|name| name.strip_prefix("crates/")?.split_once("/src/"))
        .map(|(name, _)| name.to_owned())
        .collect();
    for name in crates {
        let modules = modules(&format!("crates/{name}/src"));
        let mut folders: BTreeSet<Path> = BTreeSet::new();
        for path in modules.files.keys() {
            folders.extend((0..path.len()).map(|length| path[..length].to_vec()));
        }
        for folder in folders {
            let place = [std::slice::from_ref(&name), &folder[..]].concat().join("/");
            let graph = siblings(&modules, &folder);
            for (from, all) in &graph {
                for (to, line) in all {
                    let way = way(&graph, to, from);
                    assert!(way.is_none(), "crates/{place}: {line}, and {}", way.unwrap_or_default().join(", and "));
                }
            }
        }
    }
}

/// The imports between the modules of a folder, each with an example.
type Graph = BTreeMap<String, BTreeMap<String, String>>;

fn siblings(modules: &Modules, folder: &Path) -> Graph {
    let mut graph = Graph::new();
    let part = |path: &Path| path.strip_prefix(&folder[..]).and_then(|rest| rest.first()).cloned();
    for (path, imports) in &modules.imports {
        let Some(from) = part(path) else { continue };
        let all = graph.entry(from.clone()).or_default();
        for import in imports {
            if let Some(to) = part(import).filter(|to| *to != from) {
                let line = format!("{} imports {}", modules.files[path], import.join("::"));
                all.entry(to).or_insert(line);
            }
        }
    }
    graph
}

/// A chain of imports from one module to another, if there is one.
fn way(graph: &Graph, from: &str, to: &str) -> Option<Vec<String>> {
    let mut seen: BTreeSet<&str> = BTreeSet::from([from]);
    let mut open: Vec<(&str, Vec<String>)> = vec![(from, Vec::new())];
    while let Some((at, lines)) = open.pop() {
        if at == to {
            return Some(lines);
        }
        for (next, line) in graph.get(at).into_iter().flatten() {
            if seen.insert(next) {
                open.push((next, [&lines[..], std::slice::from_ref(line)].concat()));
            }
        }
    }
    None
}
