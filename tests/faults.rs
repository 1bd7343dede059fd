//! Faults: kills, lost connections, and what must be there afterwards.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;

use crate::support::*;

stories![nothing_acknowledged_is_lost_by_a_kill, lost_connections_are_made_anew];

/// How often the server is killed: a fixed share, and the full figure in the long run.
fn rounds() -> usize {
    if std::env::var_os("RELATA_LONG").is_some() { 1_000 } else { 20 }
}

/// What a writer was told is written: the contact, and the last title that it was told of.
struct Written {
    id: String,
    titles: Vec<String>,
    /// A title that was sent and never answered: it may be there, or not.
    unknown: Option<String>,
}

fn nothing_acknowledged_is_lost_by_a_kill(world: &World) {
    const WRITERS: usize = 16;
    world.set(&["--rate-limit", "100000000"]);
    let key = world.key("crm");
    let mut written: Vec<Written> = Vec::new();
    for round in 0..rounds() {
        let (killed, answered) = (AtomicBool::new(false), AtomicUsize::new(0));
        let of_round: Vec<Vec<Written>> = std::thread::scope(|scope| {
            let writers = scope.spawn(|| at_once(WRITERS, |_| write_until_killed(&key, &killed, &answered)));
            eventually("writes", Duration::from_secs(20), || (answered.load(Ordering::SeqCst) > 20).then_some(()));
            // At a point that differs from round to round, so that no phase of a commit is spared.
            std::thread::sleep(Duration::from_millis((round as u64 * 37) % 140));
            killed.store(true, Ordering::SeqCst);
            world.kill9();
            writers.join().unwrap_or_else(|_| panic!("a writer failed"))
        });
        world.start();
        let of_round: Vec<Written> = of_round.into_iter().flatten().collect();
        assert!(!of_round.is_empty(), "nothing was written in round {round}");
        for contact in &of_round {
            check(&key, contact, round);
        }
        written.extend(of_round);
        world.check_integrity();
    }
    // And what early rounds wrote outlived the late ones.
    let last = rounds();
    for contact in written.iter().step_by(1 + written.len() / 500) {
        check(&key, contact, last);
    }
    let page = key.list("/contacts", &[("limit", "1")]).page();
    let walked = count_by_cursor(&key);
    assert_eq!(page.total(), walked, "the kept total is not what is there");
    assert!(walked >= written.len() as u64, "{} were acknowledged and {walked} are there", written.len());
}

/// Creates contacts and changes them until there is no answer any more.
fn write_until_killed(key: &Client, killed: &AtomicBool, answered: &AtomicUsize) -> Vec<Written> {
    let mut written: Vec<Written> = Vec::new();
    let gone = |lost: String| assert!(killed.load(Ordering::SeqCst), "no answer before the kill: {lost}");
    loop {
        let body = json!({"first_name": "Ada", "email": "ada@example.com", "tags": ["VIP"]});
        let id = match key.request("POST", "/contacts").json(&body).try_send() {
            Ok(answer) => text(&answer.created()["id"]),
            Err(lost) => {
                gone(lost);
                return written;
            }
        };
        let mut contact = Written { id, titles: Vec::new(), unknown: None };
        for change in 0..3 {
            let title = format!("Change {change}");
            let path = format!("/contacts/{}", contact.id);
            match key.request("PUT", &path).json(&json!({"title": title})).try_send() {
                Ok(answer) => {
                    answer.ok();
                    contact.titles.push(title);
                    answered.fetch_add(1, Ordering::SeqCst);
                }
                Err(lost) => {
                    gone(lost);
                    contact.unknown = Some(title);
                    written.push(contact);
                    return written;
                }
            }
        }
        written.push(contact);
    }
}

#[track_caller]
fn check(key: &Client, contact: &Written, round: usize) {
    let found = key.get(&format!("/contacts/{}", contact.id)).ok();
    let title = found["title"].as_str().map(str::to_owned);
    let acknowledged = contact.titles.last().cloned();
    let possible = title == acknowledged || (title.is_some() && title == contact.unknown);
    assert!(possible, "round {round}: the title is {title:?}, and {acknowledged:?} was acknowledged");
    assert_eq!(found["tags"], json!(["VIP"]), "round {round}: half a contact");
    assert_eq!(found["emails"][0]["email"], "ada@example.com", "round {round}: half a contact");
}

#[track_caller]
fn count_by_cursor(key: &Client) -> u64 {
    let mut count = 0;
    let mut cursor = String::new();
    loop {
        let page = key.list("/contacts", &[("limit", "100"), ("cursor", &cursor)]).page();
        count += page.rows.len() as u64;
        match page.next() {
            Some(next) => cursor = next,
            None => return count,
        }
    }
}

fn lost_connections_are_made_anew(world: &World) {
    let key = world.key("crm");
    let contact = key.post("/contacts", json!({"first_name": "Ada"})).created();
    for round in 0..3 {
        world.break_connections();
        let title = format!("Round {round}");
        // What was lost with the connection is told as such, and soon all is well again, without a restart.
        eventually("a write after the connections were lost", Duration::from_secs(10), || {
            let path = format!("/contacts/{}", text(&contact["id"]));
            let answer = key.put(&path, json!({"title": title}));
            assert!([200, 503].contains(&answer.status), "{answer}");
            (answer.status == 200).then_some(())
        });
        eventually("a list after the connections were lost", Duration::from_secs(10), || {
            let answer = key.get("/contacts");
            assert!([200, 503].contains(&answer.status), "{answer}");
            (answer.status == 200).then_some(())
        });
        assert_eq!(key.get("/contacts").page().column("title"), [title]);
    }
    world.stranger().visit("/readyz").send().is(200);
}
