//! Rules for the source: forbidden code, and parts that must agree with each other. No server runs here.

mod imports;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crm::api::operation::{Data, Operation};
use crm::pipelines::deal::Deal;
use crm::pipelines::entry::Entry;
use crm::pipelines::project::Project;
use crm::pipelines::task::Task;
use crm::records::company::Company;
use crm::records::contact::Contact;
use crm::resources::RESOURCES;
use resource::{About, Field, Kind, Resource};
use store::{Engine, migrations};

use crate::support::{Ran, files, relata};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every source file, by its path from the root, with its text.
pub(crate) fn sources() -> BTreeMap<String, String> {
    let root = root();
    let mut sources = BTreeMap::new();
    for folder in ["crates", "tests", "bench"] {
        for path in files(&root.join(folder)) {
            if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().into_owned();
                let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read {name}: {error}"));
                sources.insert(name, text);
            }
        }
    }
    assert!(sources.len() > 50, "there are only {} source files", sources.len());
    sources
}

/// A source file split into its code without comments and strings, and its strings.
struct Parts {
    code: String,
    strings: Vec<String>,
}

fn parts(text: &str) -> Parts {
    let (mut code, mut strings) = (String::new(), Vec::new());
    let letters: Vec<char> = text.chars().collect();
    let starts = |at: usize, word: &str| letters[at..].iter().copied().take(word.len()).eq(word.chars());
    let mut at = 0;
    while at < letters.len() {
        let raw = letters[at] == 'r' && {
            let after = letters[at + 1..].iter().take_while(|letter| **letter == '#').count();
            letters.get(at + 1 + after) == Some(&'"')
                && !(at > 0 && (letters[at - 1].is_alphanumeric() || letters[at - 1] == '_'))
        };
        if starts(at, "//") {
            while at < letters.len() && letters[at] != '\n' {
                at += 1;
            }
        } else if starts(at, "/*") {
            while at < letters.len() && !starts(at, "*/") {
                at += 1;
            }
            at += 2;
        } else if raw {
            let hashes = letters[at + 1..].iter().take_while(|letter| **letter == '#').count();
            let end = format!("\"{}", "#".repeat(hashes));
            at += hashes + 2;
            let start = at;
            while at < letters.len() && !starts(at, &end) {
                at += 1;
            }
            strings.push(letters[start..at.min(letters.len())].iter().collect());
            at += end.len();
        } else if letters[at] == '"' {
            at += 1;
            let start = at;
            while at < letters.len() && letters[at] != '"' {
                at += if letters[at] == '\\' { 2 } else { 1 };
            }
            strings.push(letters[start..at.min(letters.len())].iter().collect());
            at += 1;
        } else if letters[at] == '\'' && (letters.get(at + 1) == Some(&'\\') || letters.get(at + 2) == Some(&'\'')) {
            // A character, not a lifetime.
            at += 2;
            while at < letters.len() && letters[at] != '\'' {
                at += 1;
            }
            at += 1;
        } else {
            code.push(letters[at]);
            at += 1;
        }
    }
    Parts { code, strings }
}

#[test]
fn the_scanner_separates_code_and_strings() {
    let parts = parts(
        "a(\"SELECT \\\" 1\", r#\"UPDATE \"x\" SET\"#, '\"', b'\\'', 'x'); // dbg!(1)\n/* todo!() */ fn f<'a>() {}",
    );
    assert_eq!(parts.strings, ["SELECT \\\" 1", "UPDATE \"x\" SET"]);
    assert!(!parts.code.contains("dbg!") && !parts.code.contains("todo!") && parts.code.contains("fn f<'a>() {}"));
}

#[test]
fn nothing_is_left_undone() {
    for (name, text) in sources() {
        let code = parts(&text).code;
        for word in ["todo!", "unimplemented!", "dbg!"] {
            assert!(!code.contains(word), "{name} holds {word}");
        }
    }
}

/// Files that may read a clock: the server's clock, the sandbox's, the pacing of the store's writers and readers, and
/// code that measures from outside.
const CLOCK_PATHS: &[&str] = &[
    "crates/sandbox/src/clock.rs",
    "crates/server/src/clock.rs",
    "crates/store/src/group.rs",
    "crates/store/src/instant.rs",
    "crates/store/tests/",
    "tests/support/wait.rs",
    "bench/",
];

#[test]
fn only_listed_files_read_clocks() {
    for (name, text) in sources() {
        let code = parts(&text).code;
        for word in ["SystemTime::now", "Instant::now", "Timestamp::now", "Zoned::now", "now_v7", "UtcDateTime::now"] {
            let allowed = CLOCK_PATHS.iter().any(|path| name.starts_with(path));
            assert!(allowed || !code.contains(word), "{name} reads {word}; only {CLOCK_PATHS:?} may");
        }
    }
}

/// Files that may contain SQL: the store, the resource crate, the business rules, the limiter's own row, the copying of
/// a database file, and tests that look into the database.
const SQL_PATHS: &[&str] = &[
    "crates/store/",
    "crates/resource/",
    "crates/crm/",
    "crates/server/src/request/limit.rs",
    "crates/relata/src/backup.rs",
    "crates/relata/src/restore.rs",
    "tests/",
    "bench/",
];

#[test]
fn only_listed_files_contain_sql() {
    let is_sql = |string: &str| {
        let words: Vec<&str> = string.split_whitespace().collect();
        let verb = |word: &str| ["SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "ALTER", "DROP"].contains(&word);
        words.windows(2).any(|pair| {
            verb(pair[0]) && pair[1].chars().all(|letter| letter.is_alphanumeric() || "_*(),.$".contains(letter))
        })
    };
    assert!(is_sql("SELECT count(*) FROM x") && !is_sql("the operation may UPDATE"));
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for (name, text) in sources() {
        let path = SQL_PATHS.iter().find(|path| name.starts_with(**path));
        for string in parts(&text).strings.iter().filter(|string| is_sql(string)) {
            assert!(path.is_some(), "{name} contains SQL: {string}");
            used.extend(path);
        }
    }
    for path in &SQL_PATHS[..5] {
        assert!(used.contains(path), "{path} contains no SQL any more");
    }
}

/// Files that may name an engine: what differs between them, its name for other crates, and the scripts of migrations.
const ENGINE_PATHS: [&str; 3] =
    ["crates/store/src/dialect.rs", "crates/store/src/lib.rs", "crates/store/src/migrate.rs"];

#[test]
fn only_listed_files_name_an_engine() {
    let names_one = |code: &str| {
        let mut words = code.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        words.any(|word| word == "Engine")
    };
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for (name, text) in sources().into_iter().filter(|(name, _)| name.starts_with("crates/")) {
        // A trait of the base64 crate has the same name.
        let code = parts(&text).code.replace("base64::Engine", "");
        if names_one(&code) {
            let path = ENGINE_PATHS.iter().find(|path| name == **path);
            assert!(path.is_some(), "{name} names an engine; what differs between engines is in dialect.rs");
            used.extend(path);
        }
    }
    assert_eq!(used.len(), ENGINE_PATHS.len(), "only {used:?} name an engine");
}

/// One crate parses HTML within limits, and in the business rules one module calls it, which checks that no transaction is
/// open.
#[test]
fn only_listed_files_convert_html() {
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for (name, text) in sources() {
        let code = parts(&text).code;
        for parser in ["ammonia", "html2text", "html5ever"] {
            assert!(!code.contains(parser) || name.starts_with("crates/html/"), "{name} names {parser}");
        }
        // What HTML begins with needs no parser.
        if name.starts_with("crates/crm/") && code.replace("untrusted_html::is_html", "").contains("untrusted_html") {
            assert_eq!(name, "crates/crm/src/outreach/markup.rs", "it converts HTML");
            used.insert("crm");
        }
    }
    assert!(used.contains("crm"), "the business rules convert no HTML any more");
    for (name, text) in manifests() {
        let names_one =
            ["ammonia.", "html2text.", "html5ever."].iter().any(|parser| text.contains(&format!("\n{parser}")));
        assert!(!names_one || name == "crates/html/Cargo.toml", "{name} depends on a parser of HTML");
    }
}

/// The manifest of every crate, by its path from the root.
fn manifests() -> BTreeMap<String, String> {
    let folders = fs::read_dir(root().join("crates")).expect("a folder").flatten().map(|entry| entry.path());
    let manifests = folders.filter_map(|folder| {
        let name = format!("crates/{}/Cargo.toml", folder.file_name()?.to_string_lossy());
        Some((name, fs::read_to_string(folder.join("Cargo.toml")).ok()?))
    });
    let manifests: BTreeMap<String, String> = manifests.collect();
    assert!(manifests.len() > 8, "there are only {} crates", manifests.len());
    manifests
}

/// Programs are started with a list of arguments, never through a shell, and only by these files.
const STARTING: &[&str] =
    &["crates/relata/src/confine.rs", "crates/server/src/effects.rs", "crates/server/src/mail_pool.rs"];

#[test]
fn only_listed_files_start_programs() {
    for (name, text) in sources().into_iter().filter(|(name, _)| name.starts_with("crates/") && name.contains("/src/"))
    {
        let starts = parts(&text).code.contains("Command::new(");
        assert!(!starts || STARTING.contains(&name.as_str()), "{name} starts a program; only {STARTING:?} may");
    }
}

/// Only the program prints, and only what a command answers: everything else goes through the log.
#[test]
fn only_commands_print() {
    for (name, text) in sources().into_iter().filter(|(name, _)| name.starts_with("crates/") && name.contains("/src/"))
    {
        // Tests print what they measured.
        let is_program = name.starts_with("crates/relata/") || name.ends_with("/fuzz.rs");
        for word in ["print!(", "println!(", "eprint!(", "eprintln!("] {
            assert!(is_program || !parts(&text).code.contains(word), "{name} prints");
        }
    }
}

/// Memory safety, for the whole workspace.
#[test]
fn unsafe_code_is_forbidden_in_every_crate() {
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap_or_default();
    assert!(workspace.lines().any(|line| line == "unsafe_code = \"forbid\""), "unsafe code is not forbidden");
    for (name, text) in manifests() {
        assert!(text.contains("\n[lints]\nworkspace = true\n"), "{name} does not take the lints of the workspace");
    }
}

#[test]
fn every_file_is_in_a_module_tree() {
    let sources = sources();
    let mut roots: Vec<String> = vec!["tests/main.rs".to_owned(), "bench/src/main.rs".to_owned()];
    for name in sources.keys() {
        let parts: Vec<&str> = name.split('/').collect();
        match parts[..] {
            ["crates", _, "build.rs"] | ["crates", _, "src", "lib.rs" | "main.rs"] => roots.push(name.clone()),
            ["crates", _, "tests", _] => roots.push(name.clone()),
            ["crates", _, "tests", _, "main.rs"] => roots.push(name.clone()),
            _ => {}
        }
    }
    let mut reached: BTreeSet<String> = BTreeSet::new();
    while let Some(name) = roots.pop() {
        let Some(text) = sources.get(&name) else { panic!("{name} is declared and does not exist") };
        let folder = match name.rsplit_once('/') {
            Some((folder, "main.rs" | "lib.rs" | "mod.rs")) => folder.to_owned(),
            _ => name.trim_end_matches(".rs").to_owned(),
        };
        let code = parts(text).code;
        for line in code.lines() {
            let line = line.trim().trim_start_matches("pub(crate) ").trim_start_matches("pub ");
            if let Some(module) = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) {
                let (flat, deep) = (format!("{folder}/{module}.rs"), format!("{folder}/{module}/mod.rs"));
                roots.push(if sources.contains_key(&flat) { flat } else { deep });
            }
        }
        reached.insert(name);
    }
    let dead: Vec<&String> = sources.keys().filter(|name| !reached.contains(*name)).collect();
    assert!(dead.is_empty(), "no `mod` leads to {dead:?}");
}

const LONGEST: usize = 700;

#[test]
fn no_file_is_too_long() {
    for (name, text) in sources() {
        let lines = text.lines().count();
        assert!(lines <= LONGEST, "{name} has {lines} lines; split it where a reader would look for two things");
    }
}

/// Unreadable stored data is an error (`resource::place`, `StoredRow`): an empty value would be written back. A
/// validated body is read by `Changes::json`.
#[test]
fn parse_errors_are_not_replaced_by_defaults() {
    const PARSES: [&str; 3] = ["from_str(", "from_value(", "from_slice("];
    const DEFAULTS: [&str; 2] = [".unwrap_or_default()", ".unwrap_or("];
    let rules = |name: &String| name.starts_with("crates/crm/src/") || name.starts_with("crates/resource/src/");
    for (name, text) in sources().into_iter().filter(|(name, _)| rules(name)) {
        // `from_str::<T>(` becomes `from_str(` here.
        let code: String = parts(&text).code.split_whitespace().collect();
        for statement in code.split([';', '{', '}']) {
            let plain = without_types(statement);
            let parsed = PARSES.iter().filter_map(|parse| plain.find(parse)).min();
            let rest = parsed.map_or("", |at| &plain[at..]);
            assert!(!DEFAULTS.iter().any(|default| rest.contains(default)), "{name}: {statement}");
        }
    }
}

/// Files that replace members of other JSON by defaults, not of stored data: bodies, cursors and uploaded rows, the
/// answers and profiles of other systems, JSON Schema, and records that this program has just rendered.
const NOT_STORED: &[&str] = &[
    "crates/crm/src/api/call.rs",
    "crates/crm/src/collaboration/merge.rs",
    "crates/crm/src/dashboard/answers.rs",
    "crates/crm/src/dashboard/fields.rs",
    "crates/crm/src/outreach/enrollment/comparison.rs",
    "crates/crm/src/outreach/sequence/schedule.rs",
    "crates/crm/src/outreach/sequence/step.rs",
    "crates/crm/src/outreach/sequence/step/conditions.rs",
    "crates/crm/src/pipelines/sync.rs",
    "crates/crm/src/sourcing/contacts.rs",
    "crates/crm/src/sourcing/network.rs",
    "crates/crm/src/sourcing/profile/segment.rs",
    "crates/crm/src/sourcing/profile/words.rs",
    "crates/crm/src/sourcing/search.rs",
    "crates/crm/src/transfer/demo/profiles.rs",
    "crates/crm/src/transfer/import/errors.rs",
    "crates/crm/src/transfer/import/preview.rs",
    "crates/crm/src/transfer/tabular.rs",
    "crates/resource/src/custom.rs",
    "crates/resource/src/query.rs",
    "crates/resource/src/statements.rs",
];

/// A member of a stored item is read by `Place::member`, which reports another kind. A stored text that can't be parsed
/// must not be left out of a list either.
#[test]
fn unreadable_members_are_not_replaced_by_defaults() {
    const MEMBERS: [&str; 5] = ["as_str", "as_i64", "as_f64", "as_bool", "as_array"];
    let replaces = |statement: &str| {
        let plain = without_types(statement);
        let read = MEMBERS.iter().filter_map(|member| plain.find(member)).min();
        let is_replaced = read.is_some_and(|at| plain[at..].contains(".unwrap_or"));
        let parsed = plain.find("serde_json::from_");
        is_replaced || parsed.is_some_and(|at| plain[at..].contains(".ok()"))
    };
    assert!(replaces("item.get(name).and_then(Json::as_str).unwrap_or_default()"));
    assert!(replaces("rows.filter_map(|row|serde_json::from_str::<Job>(row).ok())"));
    assert!(!replaces("place.member::<&str>(item,name)?"));
    let rules = |name: &String| name.starts_with("crates/crm/src/") || name.starts_with("crates/resource/src/");
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for (name, text) in sources().into_iter().filter(|(name, _)| rules(name)) {
        let code: String = parts(&text).code.split_whitespace().collect();
        if let Some(statement) = code.split([';', '{', '}']).find(|statement| replaces(statement)) {
            let path = NOT_STORED.iter().find(|path| name == **path);
            assert!(path.is_some(), "{name}: {statement}: read stored members by Place::member");
            used.extend(path);
        }
    }
    assert_eq!(used.len(), NOT_STORED.len(), "only {used:?} replace members");
}

/// A misspelt name would only be found at run time. Members of a request are named by strings; the fields of a record by
/// the columns of its type.
#[test]
fn rules_name_fields_by_columns() {
    // Rules for all records with this field.
    const GENERIC: [&str; 4] = ["records/archive.rs", "records/custom_field.rs", "records/tag.rs", "merge/mend.rs"];
    const BY_STRING: [&str; 4] = ["named(", "named_text(", "named_json(", "take_named("];
    let by_string = |line: &str| {
        let of_record = BY_STRING.iter().any(|call| line.contains(&format!("changes.{call}\"")));
        of_record
            || line.contains(".set_named(") && line.split(".set_named(").skip(1).any(|rest| rest.contains("FIELDS, \""))
    };
    let rules = sources().into_iter().filter(|(name, _)| name.starts_with("crates/crm/src/"));
    for (name, text) in rules.filter(|(name, _)| !GENERIC.iter().any(|generic| name.ends_with(generic))) {
        for (at, line) in text.lines().enumerate() {
            assert!(!by_string(line), "{name}:{}: name the field by its column, as in Contact::EMAILS", at + 1);
        }
    }
}

/// A statement without the text between `::<` and `>`.
fn without_types(statement: &str) -> String {
    let (mut plain, mut rest) = (String::new(), statement);
    while let Some((before, after)) = rest.split_once("::<") {
        plain.push_str(before);
        let mut depth = 1;
        let end = after.find(|c| {
            depth += i32::from(c == '<') - i32::from(c == '>');
            depth == 0
        });
        rest = end.map_or("", |end| &after[end + 1..]);
    }
    plain + rest
}

#[test]
fn the_documents_are_what_the_program_prints() {
    for (arguments, file) in
        [(&["openapi"][..], "openapi.json"), (&["openapi", "--dashboard"], "openapi-dashboard.json")]
    {
        let mut print = relata();
        print.args(arguments);
        let printed = Ran::of(print);
        let committed = fs::read_to_string(root().join(file)).unwrap_or_default();
        let way = format!("{file} is out of date: relata {} > {file}", arguments.join(" "));
        assert!(printed.ok() == committed.trim_end(), "{way}");
    }
}

/// A field with `after` is shown only if the other field exists.
#[test]
fn every_field_is_placed_after_an_existing_one() {
    let tables = [Contact::FIELDS, Company::FIELDS, Deal::FIELDS, Project::FIELDS, Task::FIELDS, Entry::FIELDS];
    for fields in tables {
        for field in fields {
            let exists = |name| fields.iter().any(|other| other.name == name);
            assert!(field.after.is_none_or(exists), "{} is placed after {:?}", field.name, field.after);
        }
    }
}

#[test]
fn the_list_of_operations_is_what_the_program_prints() {
    let mut print = relata();
    print.arg("operations");
    let printed = Ran::of(print);
    let committed = fs::read_to_string(root().join("docs/operations.md")).unwrap_or_default();
    let way = "docs/operations.md is out of date: relata operations > docs/operations.md";
    assert!(printed.ok() == committed.trim_end(), "{way}");
}

/// A name in the document refers to one schema; a second one would replace the first.
#[test]
fn every_schema_has_a_unique_name() {
    schemas_have_unique_names(crm::operations::all());
    schemas_have_unique_names(crm::dashboard::open::OPERATIONS.iter().chain(crm::dashboard::all()));
}

fn schemas_have_unique_names(all: impl Iterator<Item = &'static Operation>) {
    let mut named: BTreeMap<&str, String> = BTreeMap::new();
    let mut name = |name: &'static str, what: String| {
        let before = named.entry(name).or_insert_with(|| what.clone());
        assert_eq!(*before, what, "two schemas are called {name}");
    };
    let fields = |fields: &[Field]| fields.iter().map(|field| format!("{field:?}")).collect::<Vec<_>>().join("\n");
    for shared in ["Error", "OffsetMeta", "CursorMeta", "SyncMeta", "FeedMeta", "Deleted"] {
        name(shared, "of the envelope".to_owned());
    }
    let mut operations = BTreeSet::new();
    for operation in all {
        assert!(operations.insert(operation.name), "two operations are called {}", operation.name);
        if let Some(upload) = &operation.upload {
            name(upload.name, format!("{}\n{}", upload.most, fields(upload.members)));
        }
        if let Some(body) = &operation.body {
            name(body.name, format!("{}\n{}\n{}", fields(body.shape.record), fields(body.shape.extra), body.creating));
        }
        match operation.answer.data {
            Data::Record(about, of) | Data::List(about, of) | Data::Whole(about, of) => {
                let (called, links) = operation.answer.shows.unwrap_or((about.name, about.links));
                name(called, format!("{}\n{links:?}", fields(of)));
            }
            Data::Items(called, schema)
            | Data::Synced(called, schema)
            | Data::Feed(called, schema)
            | Data::Live(called, schema)
            | Data::Detail(_, called, schema)
            | Data::Object(called, schema)
            | Data::Objects(called, schema) => name(called, schema().to_string()),
            Data::Deleted | Data::File => {}
        }
    }
}

// ---- migrations ----

/// A column of a migration: the first word of its type, and whether it may be null.
#[derive(Debug, PartialEq)]
struct Column {
    kind: String,
    nullable: bool,
}

/// The result of an engine's migrations for one table.
struct Table {
    columns: BTreeMap<String, Column>,
    /// Its columns in order, whether it is unique, and the rest of its line.
    indexes: BTreeMap<String, (Vec<String>, bool, String)>,
}

fn table(engine: Engine, table: &str) -> Table {
    let whole: String = migrations().iter().map(|migration| migration.text(engine)).collect::<Vec<_>>().join("\n");
    let lines: Vec<&str> = whole.lines().filter(|line| !line.trim_start().starts_with("--")).collect();
    let (whole, mut columns, mut indexes) = (lines.join("\n"), BTreeMap::new(), BTreeMap::new());
    let mut column = |line: &str| {
        let (name, rest) = line.trim().split_once(' ').unwrap_or_else(|| panic!("not a column: {line}"));
        let kind = rest.split(' ').next().unwrap_or_default().to_owned();
        columns.insert(name.to_owned(), Column { kind, nullable: !rest.contains("NOT NULL") });
    };
    for statement in whole.split(';').map(str::trim) {
        if let Some(body) = statement.strip_prefix(&format!("CREATE TABLE {table} (\n")) {
            let body = body.rsplit_once("\n)").unwrap_or_else(|| panic!("{table} has no end")).0;
            for line in body.lines().map(|line| line.trim_end_matches(',')) {
                if !["PRIMARY KEY", "FOREIGN KEY", "UNIQUE", "CHECK"].iter().any(|word| line.trim().starts_with(word)) {
                    column(line);
                }
            }
        } else if let Some(added) = statement.strip_prefix(&format!("ALTER TABLE {table} ADD COLUMN ")) {
            column(added);
        } else if let Some(dropped) = statement.strip_prefix("DROP INDEX ") {
            indexes.remove(dropped);
        } else if statement.starts_with("CREATE INDEX") || statement.starts_with("CREATE UNIQUE INDEX") {
            let unique = statement.starts_with("CREATE UNIQUE");
            let rest = statement.split_once("INDEX ").map_or("", |(_, rest)| rest);
            let Some((name, rest)) = rest.split_once(" ON ") else { panic!("not an index: {statement}") };
            let Some((of, rest)) = rest.split_once(" (") else { panic!("not an index: {statement}") };
            let Some((over, rest)) = rest.split_once(')') else { panic!("not an index: {statement}") };
            if of == table {
                let over = over.split(", ").map(str::to_owned).collect();
                indexes.insert(name.to_owned(), (over, unique, rest.trim().to_owned()));
            }
        }
    }
    assert!(!columns.is_empty(), "no migration makes {table}");
    Table { columns, indexes }
}

fn kind(engine: Engine, field: &Field) -> &'static str {
    let (sqlite, postgres) = match field.kind {
        Kind::Id => ("BLOB", "UUID"),
        Kind::Int | Kind::Amount | Kind::Time => ("INTEGER", "BIGINT"),
        Kind::Bool => ("INTEGER", "BOOLEAN"),
        _ => ("TEXT", "TEXT"),
    };
    if engine == Engine::Sqlite { sqlite } else { postgres }
}

/// Columns and indexes that only statements written by hand use, by table.
const BY_HAND: &[(&str, &[&str], &[&str])] = &[
    ("custom_fields", &[], &["custom_fields_key"]),
    ("deal_stages", &[], &["deal_stages_pipeline_id"]),
    ("enrollments", &[], &["enrollments_due"]),
    ("project_stages", &["project_id", "created_at"], &["project_stages_project"]),
];

#[test]
fn both_migration_trees_match_the_fields() {
    fn check(about: &About, fields: &[Field]) {
        for engine in [Engine::Sqlite, Engine::Postgres] {
            let (id, whole) = if engine == Engine::Sqlite { ("BLOB", "INTEGER") } else { ("UUID", "BIGINT") };
            let mut expected = BTreeMap::new();
            let mut put =
                |name: String, kind: &str, nullable| expected.insert(name, Column { kind: kind.to_owned(), nullable });
            put("workspace_id".to_owned(), id, false);
            put("version".to_owned(), whole, false);
            put("updated_at".to_owned(), whole, false);
            for field in fields.iter().filter(|field| field.is_column()) {
                put(field.column().to_owned(), kind(engine, field), field.nullable);
                if field.folded() {
                    put(field.order_column(), "TEXT", field.nullable);
                }
            }
            let mut columns = table(engine, about.table).columns;
            for name in BY_HAND.iter().filter(|(table, ..)| *table == about.table).flat_map(|(_, columns, _)| *columns)
            {
                assert!(columns.remove(*name).is_some(), "{} has no column {name}", about.table);
            }
            assert_eq!(columns, expected, "{} on {engine:?}", about.table);
        }
    }
    RESOURCES.iter().for_each(|resource| check(resource.about, resource.fields));
}

#[test]
fn migrations_are_added_at_the_end() {
    // A step's position is its version, and these are in existing databases.
    const RELEASED: [&str; 1] = ["0001_initial"];
    let names: Vec<&str> = migrations().iter().map(|migration| migration.name).collect();
    assert_eq!(names[..RELEASED.len()], RELEASED);
    let numbers: Vec<usize> = names.iter().map(|name| name[..4].parse().expect("a number")).collect();
    assert_eq!(numbers, (1..=names.len()).collect::<Vec<_>>());
}

#[test]
fn every_index_exists_and_is_used() {
    fn check(about: &About, fields: &[Field]) {
        for engine in [Engine::Sqlite, Engine::Postgres] {
            let mut made = table(engine, about.table).indexes;
            for index in about.indexes {
                let Some((over, unique, rest)) = made.remove(index.name) else {
                    panic!("{} is not made on {engine:?}", index.name);
                };
                let field = |name: &str| {
                    fields.iter().find(|field| field.name == name).unwrap_or_else(|| panic!("no field {name}"))
                };
                let mut wanted = vec!["workspace_id".to_owned()];
                wanted.extend(index.fields.iter().map(|name| field(name).order_column()));
                // An index that is unique without the id needs no id in its order.
                if !unique {
                    wanted.push("id".to_owned());
                }
                if over.last().is_some_and(|last| last == "archived_at") && over.len() > wanted.len() {
                    wanted.push("archived_at".to_owned());
                }
                assert_eq!(over, wanted, "{} on {engine:?}", index.name);
                // Rows without a value are listed by their ids, so a partial index may only leave out those.
                let nullable = index.fields.first().map(|name| field(name)).filter(|first| first.nullable);
                let partial = nullable.map(|first| format!("WHERE {} IS NOT NULL", first.order_column()));
                assert_eq!(rest, partial.unwrap_or_default(), "{} on {engine:?}", index.name);
            }
            for name in BY_HAND.iter().filter(|(table, ..)| *table == about.table).flat_map(|(.., indexes)| *indexes) {
                assert!(made.remove(*name).is_some(), "{} has no index {name}", about.table);
            }
            assert!(made.is_empty(), "nothing uses {:?} of {} on {engine:?}", made.keys(), about.table);
        }
    }
    RESOURCES.iter().for_each(|resource| check(resource.about, resource.fields));
}
