//! Mails made to break the parser: the server survives, each of them is stored or listed, and the next mail is stored.
//!
//! 200 seeds, 10,000 with `RELATA_LONG=1`: for the readers alone, and through a mailbox. A failure prints its seed, and
//! `RELATA_SEED=n` starts there.

mod maker;

use std::time::Duration;

use serde_json::{Value, json};
use server::mail_pool::{MailPool, Reading};

use crate::support::outside::contact;
use crate::support::*;
use maker::{hostile, misnested, nested_messages};

stories![
    an_ordinary_reply_behind_a_hostile_mail_is_stored,
    hostile_mails_are_stored_or_listed,
    a_hanging_reader_loses_only_its_mail,
    the_lease_is_renewed_while_a_mail_is_parsed,
    a_killed_reader_loses_nothing,
    readers_are_confined_and_end_with_their_server,
    a_mail_that_killed_the_server_often_is_skipped,
    a_mailbox_that_is_behind_says_so,
];

const ANN: &str = "ann@example.com";
const ADA: &str = "ada@example.com";

fn ordinary(id: &str) -> String {
    format!(
        "From: {ADA}\r\nTo: {ANN}\r\nSubject: {id}\r\nMessage-ID: <{id}@elsewhere.example>\r\nDate: Mon, 5 Jan 2026 10:00:00 +0000\r\n\r\nHello Ann.\r\n"
    )
}

fn put(outside: &Outside, mail: &[u8]) -> u32 {
    outside.sandbox.put(ANN, "INBOX", mail).unwrap_or_else(|| panic!("{ANN} has no inbox"))
}

/// Waits until a mail with this subject is stored as a message with its text.
#[track_caller]
fn stored(key: &Client, subject: &str, patience: Duration) {
    let threads = || key.list("/conversations", &[("limit", "100"), ("sort", "-created_at")]).page().rows;
    let thread = eventually(&format!("the mail {subject}"), patience, || {
        threads().into_iter().find(|thread| thread["subject"] == subject)
    });
    let messages = key.get(&format!("/conversations/{}/messages", text(&thread["id"]))).page().rows;
    assert!(text(&messages[0]["content"]).contains("Hello Ann."), "{messages:?}");
}

/// The account once every mail in its folder is stored or listed.
#[track_caller]
fn accounted(key: &Client, account: &str, in_folder: usize, patience: Duration) -> Value {
    eventually(&format!("{in_folder} mails that are accounted for"), patience, || {
        let account = key.get(&format!("/connected-accounts/{account}")).ok();
        let n = |name: &str| account[name].as_u64().unwrap_or(0) as usize;
        let whole = n("mails_in_folder") == in_folder && n("mails_stored") + n("mails_unstored") == in_folder;
        whole.then_some(account)
    })
}

#[track_caller]
fn listed(key: &Client, account: &str) -> Vec<Value> {
    key.get(&format!("/connected-accounts/{account}/unstored?limit=100")).page().rows
}

/// The child processes that read mails for this world's server.
fn readers(world: &World) -> Vec<u32> {
    let server = world.with_server(|server| server.id());
    let entries = std::fs::read_dir("/proc").expect("processes").flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_string_lossy().parse::<u32>().ok());
    ids.filter(|id| {
        let of = |name: &str| std::fs::read_to_string(format!("/proc/{id}/{name}")).unwrap_or_default();
        of("cmdline").contains("read-mail") && of("status").contains(&format!("PPid:\t{server}\n"))
    })
    .collect()
}

/// The targets of the open file handles of a process.
fn handles(process: &str) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(format!("/proc/{process}/fd")).expect("handles").flatten();
    entries.filter_map(|entry| std::fs::read_link(entry.path()).ok()).collect()
}

fn signal(process: u32, signal: &str) {
    let sent = std::process::Command::new("kill").args([signal, &process.to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "cannot signal {process}");
}

/// A mailbox with one contact. One mail has been read, so that a reader process is running.
fn warm(world: &World) -> (Outside, Client, String) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    contact(&key, "Ada", ADA);
    let account = outside.mailbox(world, ANN, &[]);
    put(&outside, ordinary("warm").as_bytes());
    stored(&key, "warm", PATIENCE);
    (outside, key, account)
}

fn an_ordinary_reply_behind_a_hostile_mail_is_stored(world: &World) {
    let (outside, key, account) = warm(world);
    let server = world.with_server(|server| server.id());
    let bomb = format!(
        "From: {ADA}\r\nSubject: bomb\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n{}",
        "--a\r\n\r\nx\r\n".repeat(300_000)
    );
    let hostile = [
        nested_messages("sender@example.net"),
        nested_messages(ADA),
        misnested("sender@example.net"),
        bomb.into_bytes(),
        hostile(1, ADA),
    ];
    for (at, mail) in hostile.iter().enumerate() {
        let began = stopwatch();
        put(&outside, mail);
        put(&outside, ordinary(&format!("reply{at}")).as_bytes());
        stored(&key, &format!("reply{at}"), PATIENCE);
        assert!(!is_long() || began.elapsed() < Duration::from_secs(15), "{:?} for mail {at}", began.elapsed());
    }
    let shown = accounted(&key, &account, 1 + 2 * hostile.len(), PATIENCE);
    assert_eq!(shown["status"], "connected");
    assert_eq!(world.with_server(|server| server.id()), server);
    assert!(world.with_server(|server| server.is_healthy() && server.exited().is_none()));
    // The readable parts of a mail with too many parts are stored, and the list says what is missing.
    let reasons: Vec<String> = listed(&key, &account).iter().map(|mail| text(&mail["reason"])).collect();
    assert!(reasons.iter().any(|reason| reason.contains("100 deep")), "{reasons:?}");
}

fn hostile_mails_are_stored_or_listed(world: &World) {
    let (outside, key, account) = warm(world);
    let (count, batch) = (share(200, 10_000), share(20, 5));
    let unreadable = || world.count("SELECT CAST(count(*) AS text) FROM unstored_mails WHERE reason = 'unreadable'");
    for first in (0..count).step_by(batch) {
        let (began, before) = (stopwatch(), unreadable());
        for at in first..first + batch {
            let from = if at % 2 == 0 { ADA } else { "sender@example.net" };
            put(&outside, &hostile(seed().wrapping_add(at as u64), from));
        }
        put(&outside, ordinary(&format!("reply{first}")).as_bytes());
        stored(&key, &format!("reply{first}"), PATIENCE);
        if is_long() {
            // 10 s for a mail that can't be read, and 2 s for its headers alone.
            let allowed = Duration::from_secs(15 + 12 * (unreadable() - before));
            assert!(began.elapsed() < allowed, "{:?} for the seeds from {first}", began.elapsed());
        }
    }
    let shown = accounted(&key, &account, 1 + count + count / batch, PATIENCE);
    println!("seed {}: {} stored, {} listed", seed(), shown["mails_stored"], shown["mails_unstored"]);
    assert!(world.with_server(|server| server.is_healthy() && server.exited().is_none()));
    world.check_integrity();
}

fn a_hanging_reader_loses_only_its_mail(world: &World) {
    let (outside, key, account) = warm(world);
    for reader in readers(world) {
        signal(reader, "-STOP");
    }
    put(&outside, ordinary("lost").as_bytes());
    put(&outside, ordinary("next").as_bytes());
    // 10 s for the mail, 2 s for its headers alone, and 15 s.
    stored(&key, "next", Duration::from_secs(27));
    accounted(&key, &account, 3, PATIENCE);
    let listed = listed(&key, &account);
    assert_eq!(listed.len(), 1, "{listed:?}");
    let one = &listed[0];
    assert_eq!((&one["reason"], &one["sender"]), (&json!("unreadable"), &json!(ADA)), "{one}");
    // Its headers were readable, so the sender's reply is recorded.
    let threads = key.get("/conversations").page().rows;
    let thread = threads.iter().find(|thread| thread["subject"] == one["subject"]).expect("a thread");
    let message = key.get(&format!("/conversations/{}/messages", text(&thread["id"]))).page().rows.remove(0);
    assert!(text(&message["content"]).contains("open it in the mailbox"), "{message}");
    // No hanging process is left.
    eventually("no hanging reader", PATIENCE, || {
        let state = |id: &u32| std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        readers(world)
            .iter()
            .all(|id| !state(id).contains("State:\tT") && !state(id).contains("State:\tZ"))
            .then_some(())
    });
}

/// The longest parse takes longer than a lease is left alone.
fn the_lease_is_renewed_while_a_mail_is_parsed(world: &World) {
    let (outside, key, account) = warm(world);
    let state = |column: &str| world.count(&format!("SELECT CAST({column} AS text) FROM account_states"));
    // The first look can come after the renewal; then another mail is read.
    for attempt in 0..5 {
        for reader in readers(world) {
            signal(reader, "-STOP");
        }
        let uid = put(&outside, ordinary(&format!("slow{attempt}")).as_bytes());
        eventually("the record of the mail being read", PATIENCE, || {
            (state("reading_from") == u64::from(uid)).then_some(())
        });
        let lease = state("sync_until");
        // Looked at together: the lease is renewed while the reader still has the mail.
        let both = "SELECT CAST(CASE WHEN reading_attempt > 0 THEN sync_until ELSE 1 END AS text) FROM account_states";
        let renewed = eventually("a renewed lease, or the end of reading", PATIENCE, || {
            Some(world.count(both)).filter(|until| *until == 1 || *until > lease)
        });
        accounted(&key, &account, 2 + attempt, PATIENCE);
        if renewed > lease {
            return;
        }
    }
    panic!("no lease was renewed while a mail was parsed");
}

fn a_killed_reader_loses_nothing(world: &World) {
    let (outside, key, account) = warm(world);
    for round in 0..5 {
        for reader in readers(world) {
            signal(reader, "-KILL");
        }
        put(&outside, ordinary(&format!("mail{round}")).as_bytes());
        stored(&key, &format!("mail{round}"), PATIENCE);
    }
    assert_eq!(accounted(&key, &account, 6, PATIENCE)["mails_unstored"], 0);
}

fn readers_are_confined_and_end_with_their_server(world: &World) {
    let (outside, key, account) = warm(world);
    let running = readers(world);
    assert!(!running.is_empty());
    for id in &running {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).expect("a process");
        assert!(status.contains("NoNewPrivs:\t1\n") && status.contains("Seccomp:\t2\n"), "{status}");
        assert!(status.contains("CapEff:\t0000000000000000\n"), "{status}");
        crate::extraction::limited(
            *id,
            &[("Max address space", 768 << 20), ("Max cpu time", 60), ("Max core file size", 0)],
        );
        // Three pipes, and at most the handles that this process itself inherited.
        let own = handles("self");
        let opened: Vec<_> = handles(&id.to_string()).into_iter().filter(|handle| !own.contains(handle)).collect();
        assert!(opened.len() <= 3, "{opened:?}");
    }
    let gone = || running.iter().all(|id| !std::path::Path::new(&format!("/proc/{id}/fd/0")).exists());
    world.kill9();
    eventually("readers that end with a killed server", PATIENCE, || gone().then_some(()));
    // Mails that arrive during the restart are stored, whatever the server was doing when it was killed.
    put(&outside, ordinary("later").as_bytes());
    world.start();
    world.change("UPDATE account_states SET sync_until = 1");
    stored(&key, "later", PATIENCE);
    assert_eq!(accounted(&key, &account, 2, PATIENCE)["mails_unstored"], 0);
    world.stop();
}

fn a_mail_that_killed_the_server_often_is_skipped(world: &World) {
    let (outside, key, account) = warm(world);
    world.stop();
    let marked = |uid: u32, attempt: i64| {
        world.change(&format!("UPDATE account_states SET reading_from = {uid}, reading_to = {uid}, reading_attempt = {attempt}, reading_node = 'dead', sync_until = 1"));
    };
    // One or two crashes may have had another cause.
    marked(put(&outside, ordinary("innocent").as_bytes()), 2);
    world.start();
    stored(&key, "innocent", PATIENCE);
    world.stop();
    marked(put(&outside, ordinary("guilty").as_bytes()), 3);
    put(&outside, ordinary("behind").as_bytes());
    world.start();
    stored(&key, "behind", PATIENCE);
    assert_eq!(accounted(&key, &account, 4, PATIENCE)["mails_stored"], 3);
    assert_eq!(member(&json!(listed(&key, &account)), "reason"), ["unreadable"]);
}

fn a_mailbox_that_is_behind_says_so(world: &World) {
    let (outside, key, account) = warm(world);
    let path = format!("/connected-accounts/{account}");
    let fresh = key.get(&path).ok();
    assert_eq!((&fresh["behind_since"], &fresh["mails_waiting"]), (&json!(null), &json!(0)));
    world.stop();
    put(&outside, ordinary("late").as_bytes());
    world.change("UPDATE account_states SET waiting_since = 86400000, sync_until = 1");
    world.start();
    stored(&key, "late", PATIENCE);
    eventually("the warning", PATIENCE, || world.log().contains("a mailbox is behind").then_some(()));
    accounted(&key, &account, 2, PATIENCE);
    // The account has caught up.
    eventually("an account that is not behind", PATIENCE, || {
        (key.get(&path).ok()["behind_since"].is_null()).then_some(())
    });
    world.stop();
    world.change("UPDATE connected_accounts SET behind_since = 86400000, mails_waiting = 7");
    world.start_by("exec \"$@\" --no-runner");
    let shown = key.get(&path).ok();
    assert_eq!((&shown["behind_since"], &shown["mails_waiting"]), (&json!("1970-01-02T00:00:00.000Z"), &json!(7)));
}

// ---- the readers alone ----

fn pool() -> (tokio::runtime::Runtime, MailPool) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    (runtime.expect("a runtime"), MailPool::new(env!("CARGO_BIN_EXE_relata").into()))
}

#[test]
fn hostile_mails_end_only_their_reader() {
    let (runtime, pool) = pool();
    let (count, first) = (share(200, 10_000), seed());
    let mut unreadable = Vec::new();
    let read = |mail: Vec<u8>| runtime.block_on(pool.read(&mail));
    for at in 0..count as u64 {
        let seed = first.wrapping_add(at);
        match read(hostile(seed, ADA)) {
            Ok(Reading::Read(_)) => {}
            Ok(Reading::Unreadable(_)) => unreadable.push(seed),
            Err(error) => panic!("seed {seed}: {error}"),
        }
        if at % 10 == 0 {
            let next = read(ordinary("next").into_bytes());
            assert!(matches!(next, Ok(Reading::Read(mail)) if mail.text == "Hello Ann."), "after seed {seed}");
        }
    }
    println!("{count} hostile mails from seed {first}, {} of them unreadable: {unreadable:?}", unreadable.len());
    assert!(unreadable.len() * 5 < count, "most of them can be read in part");
}

#[test]
fn the_readable_parts_of_a_mail_over_the_limits_are_read() {
    let (runtime, pool) = pool();
    let read = |mail: &[u8]| match runtime.block_on(pool.read(mail)) {
        Ok(Reading::Read(mail)) => mail,
        other => panic!("{other:?}"),
    };
    let deep = read(&nested_messages(ADA));
    assert_eq!((deep.subject.as_str(), deep.from.map(|from| from.address).as_deref()), ("hi", Some(ADA)));
    assert!(deep.omitted.is_some_and(|why| why.contains("100 deep")));
    let nested = |depth: usize| {
        format!("From: {ADA}\r\n{}Subject: x\r\n\r\nhi", "Content-Type: message/rfc822\r\n\r\n".repeat(depth))
    };
    assert!(read(nested(99).as_bytes()).omitted.is_none());
    assert!(read(nested(101).as_bytes()).omitted.is_some());
    let many = |count: usize| {
        format!(
            "From: {ADA}\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n{}--a--\r\n",
            "--a\r\n\r\nHello.\r\n".repeat(count)
        )
    };
    assert!(read(many(999).as_bytes()).omitted.is_none());
    let over = read(many(1001).as_bytes());
    assert!(over.omitted.is_some_and(|why| why.contains("1000 parts")) && over.text.contains("Hello."));
    // The largest mail that is fetched, filled by an attachment.
    let line = "QUJD".repeat(19) + "\r\n";
    let large = format!(
        "From: {ADA}\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n\r\nHello.\r\n--a\r\nContent-Type: application/pdf; name=x.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n{}\r\n--a--\r\n",
        line.repeat(30_000_000 / line.len())
    );
    let large = read(large.as_bytes());
    assert!(large.omitted.is_none() && large.attachments[0].content.len() > 20_000_000);
    assert!(large.attachments[0].content.starts_with(b"ABCABC"));
}

#[test]
fn a_broken_reader_program_is_not_blamed_on_the_mail() {
    let (runtime, _) = pool();
    // A program that never reports its confinement says nothing about the mail.
    for program in ["/bin/true", "/bin/yes", "/nonexistent"] {
        let pool = MailPool::new(program.into());
        let read = runtime.block_on(pool.read(b"From: a@b\r\n\r\nhi"));
        assert!(read.is_err(), "{program}: {read:?}");
    }
}

/// A program that answers the first request with these bytes, and then runs the last line.
fn liar(folder: &std::path::Path, name: &str, answer: &str, then: &str) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let (path, once) = (folder.join(name), folder.join(format!("{name}.once")));
    let real = env!("CARGO_BIN_EXE_relata");
    let confinement = r#"{"no_new_privs":true,"seccomp":true,"landlock":true}"#;
    let length = confinement.len();
    // The length of a head is four bytes, little-endian; dd waits for the request.
    let script = format!(
        "#!/bin/bash\nif [ -e {once} ]; then exec {real} \"$@\"; fi\n{then}\nprintf '\\x{length:02x}\\0\\0\\0%s' '{confinement}'\ndd bs=1 count=5 of=/dev/null 2>/dev/null\nprintf '{answer}'\ncat >/dev/null\n",
        once = once.display(),
        then = then.replace("ONCE", &once.display().to_string()),
    );
    std::fs::write(&path, script).expect("a file");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).expect("a mode");
    path
}

#[test]
fn a_reader_that_answers_garbage_is_replaced() {
    let (runtime, _) = pool();
    let folder = tempfile::tempdir().expect("a folder");
    let mail = ordinary("garbage");
    let honest = r#"{"mail":{"message_id":null,"in_reply_to":[],"references":[],"from":null,"reply_to":null,"to":[],"cc":[],"subject":"","date":null,"text":"","html":null,"attachments":[],"kind":"Human","omitted":null},"sizes":SIZES,"last":false}"#;
    let headed = |json: &str| format!("\\x{:02x}\\x{:02x}\\0\\0{json}", json.len() % 256, json.len() / 256);
    let garbage = [
        // A huge length, a head that is not JSON, one of another shape, and an end in the middle of a head.
        "\\xff\\xff\\xff\\xff".to_owned(),
        headed("nonsense"),
        headed("{\"mail\":7}"),
        "\\xff\\0\\0\\0half'; exit; '".to_owned(),
        // Missing attachments, and more than were requested.
        headed(&honest.replace("SIZES", "[9999999999]")),
        format!("{}more", headed(&honest.replace("SIZES", "[]"))),
    ];
    for (at, answer) in garbage.iter().enumerate() {
        // If only the first reader answers so, a second reader reads the mail.
        let pool = MailPool::new(liar(folder.path(), &format!("once{at}"), answer, "touch ONCE"));
        let read = runtime.block_on(pool.read(mail.as_bytes()));
        assert!(matches!(&read, Ok(Reading::Read(read)) if read.text == "Hello Ann."), "{answer}: {read:?}");
        // The faulty reader is not used again.
        let read = runtime.block_on(pool.read(mail.as_bytes()));
        assert!(matches!(&read, Ok(Reading::Read(read)) if read.text == "Hello Ann."), "{answer}: {read:?}");
        // If every reader answers so, the mail is unreadable, and the server continues.
        let pool = MailPool::new(liar(folder.path(), &format!("always{at}"), answer, ""));
        let read = runtime.block_on(pool.read(mail.as_bytes()));
        assert!(matches!(&read, Ok(Reading::Unreadable(None))), "{answer}: {read:?}");
    }
}

#[test]
fn a_confined_process_can_do_nothing_but_compute() {
    let mut check = relata();
    check.arg("confinement");
    let ran = Ran::of(check);
    let said = ran.ok();
    println!("{said}");
    assert!(said.contains("no_new_privs: true") && said.contains("seccomp: true"), "{said}");
    assert!(!said.contains("ALLOWED") && said.matches(": denied").count() == 7, "{said}");
}

/// The filter of system calls denies the same and more, so Landlock is tested alone.
#[test]
fn landlock_denies_files_and_connections_where_the_kernel_has_it() {
    use landlock::{ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr};
    let strict = || Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let has_files = strict().handle_access(AccessFs::from_all(ABI::V1)).is_ok();
    let has_network = strict().handle_access(AccessNet::from_all(ABI::V4)).is_ok();
    let confinement = |arguments: &[&str]| {
        let mut check = relata();
        check.arg("confinement").args(arguments);
        Ran::of(check).ok().to_owned()
    };
    let (whole, alone) = (confinement(&[]), confinement(&["--landlock"]));
    println!("the kernel has Landlock: {has_files}, for connections: {has_network}\n{alone}");
    for said in [&whole, &alone] {
        assert!(said.contains(&format!("landlock: {has_files}\n")), "{said}");
    }
    let denied = ["read a file", "write a file", "replace itself"].map(|what| (what, has_files));
    for (what, has) in denied.into_iter().chain([("connect", has_network)]) {
        assert!(!has || alone.contains(&format!("{what}: denied")), "{alone}");
    }
}

/// Compares reading 5,000 ordinary mails in child processes with reading them in this process.
#[test]
fn readers_cost_little_beside_reading_in_the_server() {
    let (runtime, pool) = pool();
    let pool = std::sync::Arc::new(pool);
    let count = share(200, 5_000);
    let mails: Vec<Vec<u8>> = (0..count)
        .map(|at| {
            let quoted = "> On Monday you wrote about the offer, and I have thought about it.\r\n".repeat(20);
            let html = format!("<p>Hello <b>Ann</b>,</p><p>number {at}</p><blockquote>{}</blockquote>", quoted.replace("\r\n", "<br>"));
            format!("From: Ada <{ADA}>\r\nTo: {ANN}\r\nSubject: Re: mail {at}\r\nMessage-ID: <{at}@elsewhere.example>\r\nReferences: <a@b> <c@d>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nHello Ann,\r\n{quoted}\r\n--x\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}\r\n--x--\r\n").into_bytes()
        })
        .collect();
    // The old way: one after another on a thread for blocking work. The current way: two at a time in child processes.
    let here = |at_once: usize| {
        let began = stopwatch();
        runtime.block_on(async {
            for some in mails.chunks(at_once) {
                let reads =
                    some.iter().cloned().map(|mail| tokio::task::spawn_blocking(move || connect::mail::read(&mail)));
                for read in reads.collect::<Vec<_>>() {
                    assert!(read.await.is_ok_and(|read| read.html.is_some()));
                }
            }
        });
        began.elapsed()
    };
    let there = || {
        let began = stopwatch();
        runtime.block_on(async {
            for pair in mails.chunks(2) {
                let reads = pair.iter().cloned().map(|mail| {
                    let pool = pool.clone();
                    tokio::spawn(async move { pool.read(&mail).await })
                });
                for read in reads.collect::<Vec<_>>() {
                    assert!(matches!(read.await, Ok(Ok(Reading::Read(mail))) if mail.html.is_some()));
                }
            }
        });
        began.elapsed()
    };
    // Start the child processes before measuring: they start once, not for each mail.
    there();
    // With as many threads as children the ratio is that of the processor time, too.
    for at_once in [1, 2] {
        let mut ratios: Vec<f64> = (0..3).map(|_| there().as_secs_f64() / here(at_once).as_secs_f64()).collect();
        ratios.sort_by(f64::total_cmp);
        println!(
            "{count} ordinary mails: {:.2} times as long by children as in the server with {at_once} threads ({ratios:.2?})",
            ratios[1]
        );
        if is_long() {
            assert!(ratios[1] <= 1.5, "{at_once} threads: {ratios:?}");
        }
    }
}
