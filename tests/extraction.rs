//! Text extraction: documents of other programs are read, and hostile documents cost little.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::json;
use unicode_normalization::UnicodeNormalization;

use crate::support::*;

stories![the_text_of_a_cv_is_kept_with_it, hostile_files_do_not_delay_requests];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/files")
}

fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("pdf") => "application/pdf",
        Some("doc") => "application/msword",
        Some("docx") => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        Some("odt") => "application/vnd.oasis.opendocument.text",
        Some("rtf") => "application/rtf",
        Some("txt") => "text/plain",
        other => panic!("what is a {other:?}?"),
    }
}

/// The text that the server's child process extracts from a document, and the time it took.
fn extract(kind: &str, content: &[u8]) -> (Option<String>, Duration) {
    let began = stopwatch();
    let mut command = relata();
    command.args(["extract", "--type", kind]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("cannot start: {error}"));
    let mut stdin = child.stdin.take().expect("standard input is piped");
    let output = std::thread::scope(|scope| {
        // The process may end before it has read everything.
        scope.spawn(move || stdin.write_all(content).is_ok());
        child.wait_with_output().expect("it ends")
    });
    let text = output.status.success().then(|| String::from_utf8(output.stdout).expect("text is UTF-8"));
    (text, began.elapsed())
}

#[test]
fn an_extractor_is_confined_and_limited() {
    let mut child = relata()
        .args(["extract", "--type", "text/plain"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("cannot start: {error}"));
    let about = |what: &str| fs::read_to_string(format!("/proc/{}/{what}", child.id())).unwrap_or_default();
    // It confines itself before it reads its input, which is not complete yet.
    let status = eventually("a confined process", PATIENCE, || {
        Some(about("status")).filter(|status| status.contains("Seccomp:\t2\n"))
    });
    assert!(status.contains("NoNewPrivs:\t1\n") && status.contains("CapEff:\t0000000000000000\n"), "{status}");
    limited(
        child.id(),
        &[
            ("Max address space", 768 << 20),
            ("Max cpu time", 15),
            ("Max file size", 800_000),
            ("Max core file size", 0),
        ],
    );
    child.kill().expect("a process");
    child.wait().expect("an end");
}

/// The soft and hard limits of a process.
#[track_caller]
pub(crate) fn limited(process: u32, expected: &[(&str, u64)]) {
    let limits = fs::read_to_string(format!("/proc/{process}/limits")).expect("a process");
    for (name, limit) in expected {
        let line =
            limits.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{name}: {limits}"));
        let found: Vec<&str> = line.split_whitespace().take(2).collect();
        assert_eq!(found, [limit.to_string(), limit.to_string()], "{name}");
    }
}

#[test]
fn documents_give_their_words() {
    let words = fs::read_to_string(folder().join("words.tsv")).unwrap();
    let (mut counts, mut missing) = (BTreeMap::new(), Vec::new());
    for line in words.lines() {
        let mut cells = line.split('\t');
        let path = folder().join(cells.next().unwrap());
        *counts.entry(kind(&path)).or_insert(0) += 1;
        let (text, _) = extract(kind(&path), &fs::read(&path).unwrap());
        let text: String = text.unwrap_or_default().nfc().collect();
        let lacking: Vec<&str> = cells.filter(|word| !text.contains(&word.nfc().collect::<String>())).collect();
        if !lacking.is_empty() {
            missing.push(format!(
                "{} lacks {lacking:?}; it has {:?}",
                path.display(),
                text.chars().take(200).collect::<String>()
            ));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert_eq!(counts.len(), 6);
    assert!(counts.values().all(|count| *count >= 10), "{counts:?}");
}

/// Documents that are too large for the repository are generated here.
fn made() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let page = "2 0 obj << /Type /Pages /Count 100000 /Kids [".to_owned() + &"3 0 R ".repeat(100_000) + "] >> endobj\n";
    let many_pages = format!(
        "%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n{page}\
         3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >> endobj\ntrailer << /Root 1 0 R /Size 4 >>\n"
    );
    let deep = "%PDF-1.4\n1 0 obj << /Type /Catalog /X ".to_owned() + &"[".repeat(1_000_000) + " >> endobj\n";
    vec![
        ("many pages", "application/pdf", many_pages.into_bytes()),
        ("deep arrays", "application/pdf", deep.into_bytes()),
        (
            "deep dictionaries",
            "application/pdf",
            ("%PDF-1.4\n1 0 obj ".to_owned() + &"<</A ".repeat(1_000_000)).into_bytes(),
        ),
        ("braces", "application/rtf", ("{\\rtf1 x".to_owned() + &"{".repeat(8_000_000)).into_bytes()),
        ("a long word", "application/rtf", ("{\\rtf1 \\".to_owned() + &"a".repeat(8_000_000)).into_bytes()),
        ("a long number", "application/rtf", ("{\\rtf1 \\u".to_owned() + &"9".repeat(8_000_000)).into_bytes()),
        (
            "an empty archive",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            b"PK\x05\x06".repeat(6),
        ),
        ("nothing", "application/msword", Vec::new()),
        ("zeros", "application/msword", vec![0; 10 << 20]),
        ("one line", "text/plain", vec![b'x'; 10 << 20]),
    ]
}

#[test]
fn hostile_files_cost_little() {
    let mut all = made();
    for path in files(&folder().join("hostile")) {
        let name: &'static str = path.display().to_string().leak();
        all.push((name, kind(&path), fs::read(&path).unwrap()));
    }
    for (name, kind, content) in all {
        let (text, took) = extract(kind, &content);
        println!("{name}: {:?} characters in {took:?}", text.as_ref().map(|text| text.chars().count()));
        assert!(took < Duration::from_secs(40), "{name} took {took:?}");
        assert!(text.is_none_or(|text| text.chars().count() <= 200_000), "{name} has too much text");
    }
}

#[track_caller]
fn upload(key: &Client, path: &Path) -> Answer {
    let contact = text(&key.post("/contacts", json!({"first_name": "Ada"})).created()["id"]);
    let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
    key.upload(&format!("/contacts/{contact}/cv"), &name, &fs::read(path).expect("the document is there"))
}

#[track_caller]
fn all_read(world: &World) {
    eventually("every CV is read", PATIENCE, || {
        (world.count("SELECT CAST(count(*) AS text) FROM jobs WHERE kind = 'read_cv'") == 0).then_some(())
    });
}

fn the_text_of_a_cv_is_kept_with_it(world: &World) {
    let key = world.key("crm");
    for (file, word) in [
        ("pdf/libreoffice-ru.pdf", "Ковалевская"),
        ("docx/python-docx-zh.docx", "数据库设计"),
        ("odt/odfpy-pl.odt", "Księgowa"),
        ("rtf/abiword-fr.rtf", "Châtelet"),
        ("doc/word-HeaderFooterUnicode.doc", "Molière"),
        ("txt/iconv-utf16-ru.txt", "Исследования"),
    ] {
        let path = folder().join(file);
        let cv = upload(&key, &path).created();
        assert_eq!(cv["content_type"], kind(&path), "{file}");
        eventually(&format!("the text of {file}"), PATIENCE, || {
            let found = format!("SELECT CAST(count(*) AS text) FROM cvs WHERE text LIKE '%{word}%'");
            (world.count(&found) == 1).then_some(())
        });
    }
    all_read(world);
    // The text of a deleted CV is deleted, too.
    let saying = || world.count("SELECT CAST(count(*) AS text) FROM cvs WHERE text LIKE '%Исследования%'");
    assert_eq!(saying(), 2);
    let contact = text(&key.get("/contacts?limit=1").page().rows[0]["id"]);
    key.upload(&format!("/contacts/{contact}/cv"), "new.txt", "Ковалевская".as_bytes()).ok();
    all_read(world);
    assert_eq!(saying(), 1);
}

fn hostile_files_do_not_delay_requests(world: &World) {
    let key = world.key("crm");
    let mut taken = 0;
    for name in
        ["bomb.docx", "page-tangle.pdf", "stream-bomb.pdf", "pieces-beyond.doc", "encrypted.pdf", "bin.rtf", "deep.odt"]
    {
        taken += u64::from(upload(&key, &folder().join("hostile").join(name)).is(201).status == 201);
    }
    // Other requests are answered meanwhile.
    key.get("/contacts").page();
    key.post("/contacts", json!({"first_name": "Ada"})).created();
    all_read(world);
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM cvs"), taken);
    assert!(world.with_server(|server| server.is_healthy()));
}
