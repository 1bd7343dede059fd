//! Stops during sending: a contact opts out or replies while mails to them are being sent. A message that was not in
//! flight when the stop was committed is never sent, and one that was is reported in the timeline. With the sandbox's
//! mail server and a real one; 48 people each, 1,200 with `RELATA_LONG=1`. A failure prints its seed.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use base64::Engine as _;
use serde_json::{Value, json};

use crate::sequences::{path, sequence};
use crate::support::outside::{contact, lines};
use crate::support::*;

stories![nothing_is_sent_after_a_stop, nothing_is_sent_after_a_stop_by_a_real_server];

/// Received mails of an address, and a way to answer them.
struct Post<'a> {
    sender: String,
    domain: String,
    to: &'a (dyn Fn(&str) -> Vec<String> + Sync),
    answer: &'a (dyn Fn(&str, &str) + Sync),
}

fn nothing_is_sent_after_a_stop(world: &World) {
    let outside = Outside::new("");
    outside.mailbox(world, "ann@example.com", &[]);
    let post = Post {
        sender: "ann@example.com".into(),
        domain: "example.com".into(),
        to: &|address| outside.to(address).iter().map(lines).collect(),
        answer: &|_, mail| _ = outside.deliver("ann@example.com", mail),
    };
    stop_all(world, &post);
    assert!(outside.sandbox.duplicates().is_empty(), "twice: {:?}", outside.sandbox.duplicates());
}

fn nothing_is_sent_after_a_stop_by_a_real_server(world: &World) {
    // Mailboxes outlive a test, so each test uses addresses of its own.
    let engine = if world.database_is_shared() { "shared" } else { "embedded" };
    let domain = format!("{engine}-stop-races-{}.example.com", std::process::id());
    let sender = format!("ann@{domain}");
    let (smtp, imap) = (mailserver::url("smtp", &sender), mailserver::url("imap", &sender));
    let add = ["accounts", "add", "--provider", "email", "--name", "Ann", "--address", &sender];
    world.run(&[&add[..], &["--smtp", &smtp, "--imap", &imap]].concat()).ok();
    let post = Post {
        to: &|address| mailserver::mails_to(address),
        answer: &|from, mail| hand_in(&smtp, from, &sender, mail),
        sender: sender.clone(),
        domain,
    };
    stop_all(world, &post);
}

fn stop_all(world: &World, post: &Post) {
    world.set(&["--rate-limit", "1000000000"]);
    let (key, seed, count) = (world.key("full_access"), seed(), share(48, 1_200));
    let always =
        json!({"days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "start_time": "00:00", "end_time": "24:00"});
    let step = |number: usize| json!({"type": "email", "subject": "Hi", "body": format!("Step {number}")});
    // Enough of them that a busy machine, too, stops most people before the last one.
    let steps: Vec<Value> = (0..12).map(step).collect();
    let made = sequence(&key, json!({"name": "Outreach", "schedule_config": always, "steps": steps}));
    key.post(&format!("{}/start", path(&made)), json!({})).ok();

    let stopped: Vec<Stopped> = at_once(6, |thread| {
        let mut dice = Dice::new(seed.wrapping_add(thread as u64));
        (thread..count).step_by(6).map(|number| stop(world, &key, post, &made, number, &mut dice)).collect::<Vec<_>>()
    })
    .into_iter()
    .flatten()
    .collect();
    eventually("the end of messages in flight", PATIENCE, || {
        (world.count("SELECT CAST(count(*) AS text) FROM sends WHERE state IN ('queued', 'sending')") == 0)
            .then_some(())
    });
    let (mut in_time, mut in_flight) = (0, 0);
    for stopped in &stopped {
        let Some(seen) = check(world, &key, post, stopped) else { continue };
        in_time += 1;
        in_flight += usize::from(seen);
    }
    assert!(in_time > count / 4, "{in_time} of {count} were stopped before the end, seed {seed}");
    println!(
        "{count} stops: {in_time} before the last step, {in_flight} while a message was in flight, none sent later"
    );
}

struct Stopped {
    contact: String,
    address: String,
    /// Whether the answer reported a message in flight, if the answer has that information.
    reported: Option<bool>,
}

/// Enrolls a contact, waits for the first mail, and stops at a random time while the others are being sent.
fn stop(world: &World, key: &Client, post: &Post, made: &Value, number: usize, dice: &mut Dice) -> Stopped {
    let address = format!("p{number}@{}", post.domain);
    let contact = contact(key, "P", &address);
    let result = key.post(&format!("{}/enroll", path(made)), json!({"contact_ids": [contact]})).ok();
    let enrollment = format!("/enrollments/{}", text(&result["results"][0]["enrollment_id"]));
    let first = eventually("the first mail", PATIENCE, || (post.to)(&address).into_iter().next());
    std::thread::sleep(Duration::from_micros(dice.roll() % 60_000));
    let mut reported = None;
    match number % 6 {
        0 => drop(key.put(&format!("/contacts/{contact}"), json!({"do_not_contact": true})).ok()),
        1 => drop(key.delete(&format!("/contacts/{contact}")).ok()),
        2 => {
            let answer = key.post(&format!("{}/unenroll", path(made)), json!({"contact_ids": [contact]})).ok();
            reported = (answer["unenrolled"] == 1).then(|| answer["sending"] == json!([contact]));
        }
        3 => {
            let answer = key.post(&format!("{enrollment}/pause"), json!({}));
            let said = || text(&answer.json["data"]["reason"]).contains("while its message was being handed over");
            reported = (answer.status == 200).then(said);
        }
        4 => {
            let link = unfolded(&first, "List-Unsubscribe");
            let link = link.trim_matches(['<', '>']).strip_prefix(&world.origin()).expect("a link to here");
            let form = "application/x-www-form-urlencoded";
            let click = world
                .stranger()
                .visit(link)
                .method("POST")
                .header("Content-Type", form)
                .body("List-Unsubscribe=One-Click")
                .send();
            assert_eq!(click.status, 200, "{click}");
        }
        _ => {
            let about = unfolded(&first, "Message-ID");
            let mail = format!(
                "From: {address}\nTo: {}\nSubject: Re: Hi\nMessage-ID: <r{number}.{}@{}>\nIn-Reply-To: {about}\n\nNo, thanks.\n",
                post.sender,
                dice.roll(),
                post.domain
            );
            (post.answer)(&address, &mail);
        }
    }
    Stopped { contact, address, reported }
}

/// Whether a message was in flight at the stop; `None` if all steps had ended before.
fn check(world: &World, key: &Client, post: &Post, stopped: &Stopped) -> Option<bool> {
    let Stopped { contact, address, reported } = stopped;
    // A reply takes effect when it has been fetched.
    let stop = eventually("the stop or the end", PATIENCE, || {
        let path = format!("/contacts/{contact}/timeline?types=enrollment&limit=100");
        let events = key.get(&path).page().rows;
        let ends = |event: &&Value| event["changes"]["status"][1].as_str().is_some_and(|status| status != "active");
        events.iter().rev().find(ends).cloned()
    });
    if stop["changes"]["status"][1] == "finished" {
        return None;
    }
    let at = text(&stop["at"]).parse::<jiff::Timestamp>().expect("a time").as_millisecond();
    let messages = |which: &str| {
        world.count(&format!(
            "SELECT CAST(count(*) AS text) FROM messages WHERE address = '{address}' AND direction = 'outbound' AND {which}"
        ))
    };
    let late = messages(&format!("handed_at > {at}"));
    assert_eq!(late, 0, "{address} was written to after the stop of {}, seed {}", stop["at"], seed());
    let handed = messages("handed_at IS NOT NULL");
    eventually("all sent mails", PATIENCE, || ((post.to)(address).len() as u64 >= handed).then_some(()));
    assert_eq!((post.to)(address).len() as u64, handed, "more came to {address} than left, seed {}", seed());

    // The outcome of a message is recorded in a separate commit, or in that of the stop, before or after it.
    let (surely, perhaps) = (messages(&format!("sent_at > {at}")), messages(&format!("sent_at >= {at}")));
    let in_flight = !stop["changes"]["sending"].is_null();
    assert!(
        (surely..=perhaps).contains(&u64::from(in_flight)),
        "the message in flight to {address} is reported wrongly, seed {}: {stop}",
        seed()
    );
    if let Some(reported) = reported {
        assert_eq!(*reported, in_flight, "the answer and the timeline differ for {address}, seed {}", seed());
    }
    Some(in_flight)
}

/// A header that may continue over several lines.
fn unfolded(mail: &str, name: &str) -> String {
    let head =
        mail.replace("\r\n", "\n").split("\n\n").next().unwrap_or_default().replace("\n ", " ").replace("\n\t", " ");
    let line = head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ").map(str::to_owned));
    line.unwrap_or_else(|| panic!("no {name} in {mail}"))
}

/// Submits a mail to a real server, as another program would.
fn hand_in(smtp: &str, from: &str, to: &str, mail: &str) {
    let rest = smtp.rsplit_once('@').map_or(smtp, |(_, rest)| rest);
    let server = rest.split('?').next().unwrap_or_default().trim_end_matches('/');
    let stream = TcpStream::connect(server).expect("a mail server");
    let mut answers = BufReader::new(stream.try_clone().expect("a stream")).lines();
    let mut heard = || loop {
        let line = answers.next().expect("an answer").expect("a line");
        if line.as_bytes().get(3) != Some(&b'-') {
            assert!(line.starts_with(['2', '3']), "{line}");
            return;
        }
    };
    let login = base64::engine::general_purpose::STANDARD.encode(format!("\0{from}\0relata"));
    heard();
    let commands = [
        "EHLO there".to_owned(),
        format!("AUTH PLAIN {login}"),
        format!("MAIL FROM:<{from}>"),
        format!("RCPT TO:<{to}>"),
        "DATA".into(),
    ];
    let content = format!("{}\r\n.", mail.replace('\n', "\r\n"));
    for command in commands.iter().chain([&content]) {
        (&stream).write_all(format!("{command}\r\n").as_bytes()).expect("a listening server");
        heard();
    }
}
