//! `relata sandbox`: local test services as a command.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use connect::guard::Guard;
use connect::server::Server;
use serde_json::Value;

use crate::support::{PATIENCE, Ran, eventually, relata};

/// A running sandbox, by the lines it prints; stopped when dropped.
pub(crate) struct Running {
    child: Child,
    pub lines: Vec<String>,
}

impl Running {
    fn start(options: &[&str]) -> Running {
        Running::by(&[&["sandbox"], options].concat())
    }

    /// Started by another command.
    pub(crate) fn by(words: &[&str]) -> Running {
        let mut command = relata();
        let mut child = command.args(words).stdout(Stdio::piped()).spawn().expect("the program");
        let out = child.stdout.take().expect("its output");
        let lines: Vec<String> =
            BufReader::new(out).lines().map_while(Result::ok).take_while(|line| line != "ready").collect();
        Running { child, lines }
    }

    /// The words after a word at the beginning of a line.
    fn line(&self, word: &str) -> Vec<&str> {
        let found = self.lines.iter().find_map(|line| line.strip_prefix(&format!("{word} ")));
        found.unwrap_or_else(|| panic!("no {word} in {:?}", self.lines)).split(' ').collect()
    }

    fn get(&self, path: &str) -> Value {
        let url = format!("{}{path}", self.line("control")[0]);
        let text = ureq::get(url).call().expect("an answer").body_mut().read_to_string().expect("text");
        serde_json::from_str(&text).expect("JSON")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

const MAIL: &[u8] = b"From: Ann <ann@example.com>\r\nTo: bob@example.com\r\nSubject: An offer\r\nMessage-ID: <one@example.com>\r\n\r\nHello\r\n";

#[test]
fn a_sandbox_runs_until_stopped_and_its_printed_addresses_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("replies.toml");
    std::fs::write(&script, "[[rules]]\nmatch = \"bob@*\"\naction = \"reply\"\ntext = \"Gladly\"\n").expect("a file");
    let world = Running::start(&["--script", &script.display().to_string()]);
    let services: Vec<&str> = world.lines.iter().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(services, ["smtp", "imap", "network", "chat", "enrichment", "oauth", "control"]);
    runtime().block_on(async {
        let smtp = Server::smtp(world.line("smtp")[0], &Guard::operator()).expect("an address");
        let mut session = connect::smtp::Session::connect(&smtp).await.expect("a session");
        session.send("ann@example.com", &["bob@example.com"], MAIL, &|| true).await.expect("it is sent");
        let imap = Server::imap(world.line("imap")[0], &Guard::operator()).expect("an address");
        let mut mailbox = connect::imap::Session::connect(&imap).await.expect("a mailbox");
        let folder = mailbox.examine("INBOX").await.expect("a folder");
        assert_eq!(folder.count, 1, "the answer goes to the user who logged in to send");
        for service in ["network", "chat"] {
            let [url, token] = world.line(service)[..] else { panic!("not a URL and a token: {:?}", world.lines) };
            let provider = connect::provider::Provider::new(url, token, &Guard::operator()).expect("a provider");
            provider.account().await.expect("an account");
        }
    });
    let counts = world.get("/counts");
    assert_eq!((&counts["accepted"], &counts["duplicates"]), (&Value::from(1), &Value::from(0)), "{counts}");
    let mails = world.get("/mails?to=bob@example.com");
    assert_eq!(mails["mails"][0]["headers"]["Subject"][0], "An offer", "{mails}");
    assert_eq!(mails["mails"][0]["count"], 1);
    let mut world = world;
    let reported = std::process::Command::new("kill").args(["-TERM", &world.child.id().to_string()]).status();
    assert!(reported.is_ok_and(|status| status.success()));
    let status = eventually("the end", PATIENCE, || world.child.try_wait().expect("a status"));
    assert!(status.success(), "{status}");
}

#[test]
fn errors_of_a_script_or_an_address_are_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("wrong.toml");
    std::fs::write(&script, "[[rules]]\naction = \"reply\"\n[[rules]]\naction = \"reject\"\ncode = 250\n")
        .expect("a file");
    let ran = |options: &[&str]| {
        let mut command = relata();
        command.arg("sandbox").args(options);
        Ran::of(command)
    };
    let wrong = ran(&["--script", &script.display().to_string()]);
    assert!(
        wrong.refused().ends_with("wrong.toml: rules.1.code: is not between 400 and 599") && wrong.code == Some(2),
        "{wrong}"
    );
    let missing = ran(&["--script", "/nowhere.toml"]);
    assert!(missing.refused().contains("/nowhere.toml: No such file") && missing.code == Some(2), "{missing}");
    let strange = ran(&["--listen", "example.com"]);
    assert!(strange.refused().contains("--listen") && strange.code == Some(2), "{strange}");
    let foreign = ran(&["--listen", "192.0.2.1"]);
    assert!(foreign.refused().contains("can't listen on 192.0.2.1") && foreign.code == Some(1), "{foreign}");
}
