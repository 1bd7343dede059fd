//! Outreach at full speed: a sequence sends a mail to all contacts at once, to the sandbox's server, while a client
//! uses the API.

use crate::Fault;
use crate::cases::{Bench, Filled};
use crate::clock;
use crate::load::{get, post, send_one};
use crate::process::{Install, Sandbox};
use crate::table::{Row, at_least, at_most, short};
use crate::work::{ask, many};
use serde_json::{Value as Json, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The interval between two requests of the client.
const PACE: Duration = Duration::from_millis(5);
/// A limit that is never reached in a working system.
const PATIENCE: Duration = Duration::from_secs(300);

impl Bench {
    pub(crate) fn outreach(&mut self, engine: &str, install: Install) -> Result<(), Fault> {
        let count = if self.options.quick { 5_000 } else { 20_000 };
        let world = Sandbox::start(&self.program, &install.data)?;
        let server = install.serve()?;
        let key = install.key(None)?;
        let smtp = world.smtp.replacen("sandbox", "ann%40example.com", 1);
        let account = ["accounts", "add", "--provider", "email", "--name", "Ann", "--address", "ann@example.com"];
        install.operate(&[&account[..], &["--smtp", &smtp]].concat())?;
        let filled = Filled { size: count, install, server, key };
        let sequence = enrolled(&filled, count)?;
        let contacts = ask(&filled, get("/api/v1/contacts?limit=100", &filled.key))?;
        let ids = contacts.as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(|one| one["id"].as_str());
        let reads: Vec<Vec<u8>> = ids.map(|id| get(&format!("/api/v1/contacts/{id}"), &filled.key)).collect();

        let idle = paced(&filled, &reads, &AtomicBool::new(false), Duration::from_secs(3))?;
        let (begun, done) = (clock::now(), AtomicBool::new(false));
        let (busy, took) = std::thread::scope(|scope| {
            let working = scope.spawn(|| paced(&filled, &reads, &done, PATIENCE));
            let sent = (|| {
                ask(&filled, post(&format!("/api/v1/sequences/{sequence}/start"), &filled.key, "{}"))?;
                while world.mails()? < count as u64 {
                    if clock::now() - begun > PATIENCE {
                        return Err(format!("only {} of {count} mails arrived", world.mails()?).into());
                    }
                    std::thread::sleep(Duration::from_millis(50));
                }
                Ok::<_, Fault>((clock::now() - begun).as_secs_f64())
            })();
            done.store(true, Ordering::SeqCst);
            let busy = working.join().map_err(|_| "the reading client failed")?;
            Ok::<_, Fault>((busy?, sent?))
        })?;
        let (rate, limit) = (count as f64 / took, crate::mails::limit(&smtp, count)?);
        self.add(Row {
            measure: format!("{engine} sequence to {} contacts: planned and sent, mails/s", short(count as f64)),
            hello: format!("{} mails/s", short(limit)),
            relata: format!("{} s, {} of the limit", short(took), short(rate / limit)),
            figure: rate,
            goal: at_least(500.0, 1000.0),
        });
        self.add(Row {
            measure: format!("{engine} read one while it sends / before: p50"),
            hello: format!("p50 {} ms, p99 {} ms", short(idle.0), short(idle.1)),
            relata: format!("p50 {} ms, p99 {} ms", short(busy.0), short(busy.1)),
            figure: busy.0 / idle.0,
            goal: at_most(2.0, 1.5),
        });
        Ok(())
    }
}

/// A sequence that is not started yet, with all contacts enrolled.
fn enrolled(filled: &Filled, count: usize) -> Result<String, Fault> {
    let person = |n: usize| json!({ "first_name": "Ada", "last_name": format!("Reader {n}"), "email": format!("ada{n}@example.com") });
    let contacts = many(filled, "contacts", count, person)?;
    let always = json!({ "days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "start_time": "00:00", "end_time": "24:00" });
    let steps = json!([{ "type": "email", "subject": "Hello {{ first_name }}", "body": "Hello {{ first_name }} {{ last_name }}, do you have a moment on Tuesday?" }]);
    let body = json!({ "name": "Bench", "schedule_config": always, "steps": steps });
    let sequence = ask(filled, post("/api/v1/sequences", &filled.key, &body.to_string()))?;
    let id = sequence["id"].as_str().unwrap_or_default().to_owned();
    for move_to in ["start", "pause"] {
        ask(filled, post(&format!("/api/v1/sequences/{id}/{move_to}"), &filled.key, "{}"))?;
    }
    for some in contacts.chunks(500) {
        let body = json!({ "contact_ids": some }).to_string();
        let made: Json = ask(filled, post(&format!("/api/v1/sequences/{id}/enroll"), &filled.key, &body))?;
        if made["enrolled"] != some.len() {
            return Err(format!("not all were enrolled: {made}").into());
        }
    }
    Ok(id)
}

/// Reads at a steady pace until `done`, but at most for `most`: p50 and p99 in milliseconds.
fn paced(filled: &Filled, reads: &[Vec<u8>], done: &AtomicBool, most: Duration) -> Result<(f64, f64), Fault> {
    let (begun, mut times) = (clock::now(), Vec::new());
    for read in reads.iter().cycle() {
        if done.load(Ordering::SeqCst) || clock::now() - begun > most {
            break;
        }
        let asked = clock::now();
        send_one(filled.server.address, read)?;
        let took = clock::now() - asked;
        times.push(took.as_secs_f64() * 1e3);
        std::thread::sleep(PACE.saturating_sub(took));
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or(f64::NAN);
    Ok((at(0.5), at(0.99)))
}
