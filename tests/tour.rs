//! The documents for newcomers are correct: the commands of the tour, the guides and the README run as printed, and
//! print what the document says.
//!
//! A document is read by these rules:
//!
//! - A block that opens with ` ```sh ` is pasted into bash. The blocks of a document share one shell, so that a variable of
//!   one is there in the next. Every command must succeed, those inside of a pipe too.
//! - ` ```sh start `, in the tour alone, starts the server and makes a key. The guides and the README begin where these
//!   blocks end.
//! - ` ```sh fails ` shows a refusal: its last command must fail.
//! - ` ```sh skip ` is not run, since it needs another machine, another service or minutes.
//! - A ` ```text ` or ` ```json ` block after one of them is all that it prints. `...` matches any text, over lines
//!   too; spaces and tabs count as one space.
//! - `127.0.0.1:8080` to `127.0.0.1:8099` are replaced by free ports of this machine.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::{eventually, free_port, relata};
use crate::tidy::root;

/// Time limit of a document in seconds, on a busy machine.
const LONGEST: u64 = 300;

macro_rules! documents {
    ($($name:ident: $path:literal),+ $(,)?) => {
        const DOCUMENTS: &[&str] = &[$($path),+];
        $(#[test] fn $name() { follow($path); })+
    };
}

documents! {
    readme: "README.md",
    tour: "docs/tour.md",
    guide_back_up_and_restore: "docs/guides/back-up-and-restore.md",
    guide_connect_a_mailbox: "docs/guides/connect-a-mailbox.md",
    guide_first_integration: "docs/guides/first-integration.md",
    guide_mirror_to_a_warehouse: "docs/guides/mirror-to-a-warehouse.md",
    guide_move_from_another_crm: "docs/guides/move-from-another-crm.md",
    guide_run_behind_a_proxy: "docs/guides/run-behind-a-proxy.md",
    guide_upgrade: "docs/guides/upgrade.md",
}

#[test]
fn every_guide_is_tested() {
    let folder = root().join("docs/guides");
    let guides = fs::read_dir(&folder).unwrap_or_else(|error| panic!("cannot list {}: {error}", folder.display()));
    for guide in guides {
        let guide = guide.unwrap_or_else(|error| panic!("cannot list {}: {error}", folder.display()));
        let path = format!("docs/guides/{}", guide.file_name().to_string_lossy());
        assert!(DOCUMENTS.contains(&path.as_str()) || path.ends_with("README.md"), "no test follows {path}");
    }
}

#[test]
fn an_answer_may_be_shortened() {
    for (expected, printed) in [("a ... z", "a b\nc z"), ("{\"id\":\"...\"}", "{\"id\":\"7\"}"), ("a  b", "a\tb\n")] {
        assert!(is_answer(expected, printed), "{expected} matches {printed}");
    }
    for (expected, printed) in [("a", "a b"), ("a ... b ... c", "a c b"), ("ab...bc", "abc"), ("...", "")] {
        assert_eq!(is_answer(expected, printed), expected == "...", "{expected} for {printed}");
    }
}

/// How a shell block of a document is treated.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Use {
    Start,
    Run,
    Fails,
    Skip,
}

struct Block {
    document: String,
    line: usize,
    r#use: Use,
    commands: String,
    answer: Option<String>,
}

/// The shell blocks of a document, each with the answer that is printed after it.
fn blocks(path: &str) -> Vec<Block> {
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("cannot read {path}: {error}"));
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<(usize, &str, String)> = None;
    for (number, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => open = Some((number + 1, info.trim(), String::new())),
            (None, None) => {}
            (Some((start, info, inside)), Some("")) => {
                let r#use = match *info {
                    "sh" => Some(Use::Run),
                    "sh start" => Some(Use::Start),
                    "sh fails" => Some(Use::Fails),
                    "sh skip" => Some(Use::Skip),
                    other => {
                        assert!(!other.starts_with("sh"), "{path}:{start}: no rule for {other}");
                        None
                    }
                };
                let document = path.to_owned();
                if let Some(r#use) = r#use {
                    blocks.push(Block { document, line: *start, r#use, commands: inside.clone(), answer: None });
                } else if matches!(*info, "text" | "json") {
                    let last = blocks.last_mut().filter(|last| last.answer.is_none());
                    let Some(last) = last else { panic!("{path}:{start}: nothing has printed this") };
                    last.answer = Some(inside.clone());
                }
                open = None;
            }
            (Some((_, _, inside)), _) => {
                inside.push_str(line);
                inside.push('\n');
            }
        }
    }
    assert!(open.is_none(), "{path}: the last block has no end");
    blocks
}

/// Runs a document from beginning to end in a temporary folder.
fn follow(path: &str) {
    let mut all = if path == "docs/tour.md" { Vec::new() } else { blocks("docs/tour.md") };
    all.retain(|block| block.r#use == Use::Start);
    all.extend(blocks(path));
    all.retain(|block| block.r#use != Use::Skip);
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("cannot make a temporary folder: {error}"));
    let mut ports = Ports(BTreeMap::new());
    let listen = ports.put_in("127.0.0.1:8080");
    let printed = |number: usize| folder.path().join(format!("printed.{number}"));
    let mut script = "set -eEuo pipefail\n".to_owned();
    for (number, block) in all.iter().enumerate() {
        let commands = ports.put_in(&block.commands);
        let to = printed(number).display().to_string();
        script.push_str(&format!("exec >'{to}' 2>&1\ntrap 'echo \"exit code $? of: $BASH_COMMAND\"' ERR\n"));
        script.push_str(&match block.r#use {
            Use::Fails => {
                format!("trap - ERR\nset +e\n{commands}\nstatus=$?\nset -e\n[ $status != 0 ] || exit 99\n")
            }
            _ => commands,
        });
    }
    script.push_str("exec >/dev/null 2>&1\n");
    let script_file = folder.path().join("script");
    fs::write(&script_file, script).unwrap_or_else(|error| panic!("cannot write the script: {error}"));
    let home = folder.path().join("home");
    fs::create_dir(&home).unwrap_or_else(|error| panic!("cannot make a folder: {error}"));
    let mut shell = Shell::start(&script_file, &home, &listen);
    let status = eventually(path, Duration::from_secs(2 * LONGEST), || {
        shell.0.try_wait().unwrap_or_else(|error| panic!("cannot wait for the shell: {error}"))
    });
    drop(shell);
    let mut wrong = Vec::new();
    let mut last = String::new();
    for (number, block) in all.iter().enumerate() {
        let Ok(bytes) = fs::read(printed(number)) else { break };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        last = format!("{}:{}:\n{}printed:\n{text}", block.document, block.line, block.commands);
        let answer = block.answer.as_ref().map(|answer| ports.put_in(answer));
        if let Some(answer) = answer.filter(|answer| !is_answer(answer, &text)) {
            wrong.push(format!("{last}the document says:\n{answer}"));
        }
    }
    assert!(status.success(), "{path} ended with {status} at {last}");
    assert!(wrong.is_empty(), "{path} shows another answer: {}", wrong.join("\n\n"));
}

/// The free ports that replace those of the documents.
struct Ports(BTreeMap<String, u16>);

impl Ports {
    fn put_in(&mut self, text: &str) -> String {
        const HOST: &str = "127.0.0.1:";
        let mut parts = text.split(HOST);
        let mut put = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            put.push_str(HOST);
            let digits = part.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(part.len());
            let (port, rest) = part.split_at(digits);
            match port.parse() {
                Ok(8080..=8099_u16) => {
                    put.push_str(&self.0.entry(port.to_owned()).or_insert_with(free_port).to_string());
                }
                _ => put.push_str(port),
            }
            put.push_str(rest);
        }
        put
    }
}

/// bash, in a separate process group, so that the servers that a document starts end with it.
struct Shell(Child);

impl Shell {
    fn start(script: &Path, home: &Path, listen: &str) -> Shell {
        use std::os::unix::process::CommandExt;
        let program = relata();
        let folder = Path::new(program.get_program()).parent().unwrap_or(Path::new("/")).to_owned();
        let mut path = folder.into_os_string();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let mut bash = Command::new("timeout");
        bash.arg(LONGEST.to_string()).arg("bash");
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("RELATA_") {
                bash.env_remove(name);
            }
        }
        bash.arg(script).current_dir(home).env("HOME", home).env("PATH", path).env("RELATA_LISTEN", listen);
        bash.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        Shell(bash.spawn().unwrap_or_else(|error| panic!("cannot start bash: {error}")))
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        // The group may have ended already.
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        let _ = self.0.wait();
    }
}

/// Whether a document's answer matches the output.
fn is_answer(expected: &str, printed: &str) -> bool {
    let plain = |text: &str| {
        let lines: Vec<String> =
            text.trim().lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        lines.join("\n")
    };
    let (expected, printed) = (plain(expected), plain(printed));
    let parts: Vec<&str> = expected.split("...").collect();
    let [first, middle @ .., last] = &parts[..] else { return expected == printed };
    let Some(rest) = printed.strip_prefix(first) else { return false };
    let Some(mut rest) = rest.strip_suffix(last) else { return false };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}
