//! Years of sequences in seconds: the real planner, store and mail client, a manual clock, and random faults.
//! Everything random depends on a seed: `RELATA_SEED=n` repeats one month, `RELATA_LONG=1` runs all of them.
//!
//! The clock is the stamp of the workspace's head row: changing it moves the time of every rule.

use crm::api::effects::Reach;
use crm::api::meta::Secret;
use crm::outreach::delivery::{self, Lease, Outcome};
use crm::outreach::enrollment::links::Links;
use crm::outreach::enrollment::rendered::{RenderedMessages, render_all};
use crm::outreach::enrollment::{self, ContactEvent, ContactEventKind, tick};
use crm::outreach::outbox::{Handover, Run};
use crm::outreach::{account, sequence};
use crm::records::contact::Contact;
use jiff::{Timestamp, tz::TimeZone};
use resource::{Actor, Changes, Ctx, Error, insert};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use store::{Lane, Mode, Place, Store, Uuid};

use connect::guard::Guard;
use connect::mail::{Address, Draft};
use connect::server::Server;
use connect::smtp::Session;
use sandbox::{Sandbox, Script};

use crate::support::*;

const DAY: i64 = 86_400_000;
const ZONE: &str = "Europe/Paris";
const CAP: i64 = 40;
const GAP: i64 = 2;

#[test]
fn a_year_of_many_enrollments_keeps_every_rule() {
    let began = stopwatch();
    let people = share(60, 1000);
    let played = play(1, people, 370, &Conditions { faults: false, caps: false });
    let took = began.elapsed();
    assert!(played.open == 0, "after a year some enrollments still wait: {played:?}");
    eprintln!("a year of {people}: {} mails, {} ends, in {took:?}", played.mails, people);
    if people == 1000 {
        assert!(took < Duration::from_secs(60), "a year of a thousand took {took:?}");
    }
}

#[test]
fn months_with_faults_keep_every_rule() {
    let only = std::env::var("RELATA_SEED").ok().and_then(|seed| seed.parse::<u64>().ok());
    let seeds = only.map_or(1..=share(4, 1000) as u64, |seed| seed..=seed);
    let (began, count) = (stopwatch(), seeds.clone().count());
    let (left, total) = (Mutex::new(seeds), Mutex::new(Played::default()));
    // A month waits for its servers more than it computes.
    std::thread::scope(|scope| {
        for _ in 0..8.min(count) {
            scope.spawn(|| {
                loop {
                    let next = hold(&left).next();
                    let Some(seed) = next else { break };
                    let conditions = Conditions { faults: true, caps: seed % 2 == 0 };
                    let played = std::panic::catch_unwind(|| play(seed, 50, 31, &conditions));
                    let played = played.unwrap_or_else(|_| panic!("play it again with RELATA_SEED={seed}"));
                    let mut total = hold(&total);
                    total.mails += played.mails;
                    total.unknown += played.unknown;
                }
            });
        }
    });
    let Played { mails, unknown, .. } = *hold(&total);
    eprintln!("{count} months of fifty: {mails} mails, {unknown} unknown outcomes, in {:?}", began.elapsed());
}

/// Ignores poisoning: a panic of another thread does not invalidate the value.
fn hold<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Conditions {
    faults: bool,
    caps: bool,
}

#[derive(Debug, Default)]
struct Played {
    mails: usize,
    unknown: usize,
    open: u64,
}

/// Simulates `days` days of `people` people.
fn play(seed: u64, people: usize, days: i64, conditions: &Conditions) -> Played {
    let world = World::idle(Engine::Sqlite);
    world.cli(["migrate"]).ok();
    let secret = std::fs::read_to_string(world.data().join("secret")).ok();
    let secret = secret.and_then(|text| Secret::parse(&text)).expect("a secret");
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let store = Store::open(&Place::Sqlite(world.data().join("relata.db")), Mode::Expect, &mut |_| Ok(()))
            .expect("a store");
        let sandbox = sandbox::start(IpAddr::V4(Ipv4Addr::LOCALHOST), Script::default()).await.expect("a sandbox");
        let mut stage = Stage::set(store.clone(), secret, &sandbox, seed, people, conditions).await;
        stage.run(days).await;
        let played = stage.verify(&sandbox).await;
        store.close();
        played
    })
}

struct Stage<'a> {
    store: Store,
    ctx: Ctx,
    links: Links,
    sequence: Uuid,
    account: Uuid,
    session: Session,
    seed: u64,
    conditions: &'a Conditions,
    now: i64,
    /// Scheduled events by time.
    to_come: BTreeMap<(i64, usize), Coming>,
    /// Mails that arrived, by enrollment and step.
    arrived: HashMap<(Uuid, Uuid), u32>,
    /// Contacts that must not get more messages, and since when.
    stopped: HashMap<Uuid, i64>,
    handed: Vec<i64>,
    rolls: u64,
    /// The number of events scheduled so far.
    planned: usize,
    played: Played,
}

/// An event of the outside world.
#[derive(Clone, Debug)]
enum Coming {
    Happens(ContactEvent),
    Forbid(Uuid),
    Pause(Uuid),
    /// A user checks whether the message arrived, and reports it.
    Resume(Uuid, Option<(Uuid, Uuid)>),
    /// The lease of a dead node expires.
    Expire(Uuid),
    /// The account works again.
    Mend,
}

impl<'a> Stage<'a> {
    async fn set(
        store: Store,
        secret: Secret,
        sandbox: &Sandbox,
        seed: u64,
        people: usize,
        conditions: &'a Conditions,
    ) -> Stage<'a> {
        const FIRST: &str = "SELECT workspace_id FROM heads ORDER BY workspace_id LIMIT 1";
        let workspace = store.read(Lane::Fast, |tx| tx.one(FIRST, &[], |row| row.id(0)));
        let workspace = workspace.await.expect("a reading").expect("a workspace");
        let ctx = Ctx { workspace, actor: Actor::system("simulation"), memory: Default::default() };
        let links = Links { public_url: "http://localhost".into(), secret: secret.clone() };
        // A Monday; each seed uses another week of the year.
        let monday = "2031-01-06T05:00:00Z".parse::<Timestamp>().expect("a time").as_millisecond();
        let now = monday + (seed % 52) as i64 * 7 * DAY;
        let session = Session::connect(&Server::smtp(&sandbox.smtp, &Guard::operator()).expect("a server"))
            .await
            .expect("a session");
        let mut stage = Stage {
            store,
            ctx,
            links,
            sequence: Uuid::nil(),
            account: Uuid::nil(),
            session,
            seed,
            conditions,
            now,
            to_come: BTreeMap::new(),
            arrived: HashMap::new(),
            stopped: HashMap::new(),
            handed: Vec::new(),
            rolls: 0,
            planned: 0,
            played: Played::default(),
        };
        stage.turn(now).await;
        let reach = Reach { smtp: Some(sandbox.smtp.clone()), ..Reach::default() };
        let mut members = json!({"name": "Ann", "provider": "email", "address": "ann@example.com"});
        if conditions.caps {
            members["daily_limit"] = CAP.into();
            members["min_gap_minutes"] = GAP.into();
        }
        let ctx = stage.ctx.clone();
        stage.account = stage
            .write(move |tx| account::add(&ctx, tx, &secret, members.as_object().expect("an object"), None, &reach))
            .await;
        let (ctx, body) = (stage.ctx.clone(), sequence_body(seed));
        stage.sequence = stage
            .write(move |tx| {
                let owners =
                    crm::tenant::member::list(&ctx, tx)?.into_iter().map(|member| member.user_id).collect::<Vec<_>>();
                let mut body = body.as_object().cloned().expect("an object");
                body.insert("owner_ids".into(), json!(owners));
                let (id, _) = sequence::begin(&ctx, tx, body)?;
                sequence::start::begin(&ctx, tx, id)?;
                Ok(id)
            })
            .await;
        for number in 0..people {
            let (ctx, sequence) = (stage.ctx.clone(), stage.sequence);
            stage
                .write(move |tx| {
                    let mut changes = Changes::default();
                    changes.set(Contact::FIRST_NAME, format!("Person {number}"));
                    let email = json!([{"email": format!("p{number}@example.com"), "type": "work"}]);
                    changes.set(Contact::EMAILS, email);
                    let contact = insert::<Contact>(&ctx, tx, &changes)?;
                    assert!(enrollment::enroll_one(&ctx, tx, sequence, contact)?.is_some());
                    Ok(())
                })
                .await;
        }
        stage
    }

    async fn write<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut dyn store::Tx) -> Result<T, Error> + Send + 'static,
    ) -> T {
        self.store.write(self.ctx.workspace, work).await.expect("a write")
    }

    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn store::Tx) -> Result<T, Error> + Send + 'static,
    ) -> T {
        self.store.read(Lane::Slow, work).await.expect("a reading")
    }

    /// Advances the clock.
    async fn turn(&mut self, to: i64) {
        const TURN: &str = "UPDATE heads SET stamp = $1 WHERE stamp < $1";
        self.now = self.now.max(to);
        let now = self.now;
        self.store.bookkeep(move |tx| tx.execute(TURN, &[now.into()])).await.expect("a clock");
    }

    async fn run(&mut self, days: i64) {
        let (end, mut rounds) = (self.now + days * DAY, 0);
        while let Some(next) = self.next().await.filter(|next| *next < end) {
            rounds += 1;
            assert!(rounds < 20_000, "time does not go on: {next}, {:?}", self.why().await);
            self.turn(next).await;
            self.happen().await;
            self.carry_out().await;
            self.hand_over().await;
        }
    }

    /// The next time at which there is work.
    async fn next(&mut self) -> Option<i64> {
        const NEXT: &str = "SELECT min(at) FROM (SELECT wake_at AS at FROM sequence_pace WHERE active = true \
             UNION ALL SELECT CASE WHEN s.due_at > a.free_at THEN s.due_at ELSE a.free_at END FROM sends s CROSS JOIN account_states a \
             CROSS JOIN connected_accounts c WHERE s.state = 'queued' AND a.workspace_id = s.workspace_id AND a.account_id = s.account_id \
             AND c.workspace_id = s.workspace_id AND c.id = s.account_id AND c.status = 'connected') n";
        let work = self.read(|tx| Ok(tx.one(NEXT, &[], |row| row.maybe_int(0))?.flatten())).await;
        let coming = self.to_come.keys().next().map(|(at, _)| *at);
        let next = work.into_iter().chain(coming).min().filter(|at| *at < i64::MAX)?;
        Some(next.max(self.now + 1))
    }

    /// Runs the events that are due.
    async fn happen(&mut self) {
        while let Some(entry) = self.to_come.first_entry().filter(|entry| entry.key().0 <= self.now) {
            let (coming, ctx) = (entry.remove(), self.ctx.clone());
            match coming {
                Coming::Happens(happening) => {
                    let stops = matches!(
                        happening.kind,
                        ContactEventKind::Replied
                            | ContactEventKind::Bounced { hard: true, .. }
                            | ContactEventKind::Complained
                            | ContactEventKind::Unsubscribed
                    );
                    // An operator reviews an account with bounces, and tests it again if it was stopped.
                    if matches!(happening.kind, ContactEventKind::Bounced { hard: true, .. }) {
                        self.coming(self.now + DAY, Coming::Mend);
                    }
                    let contact = happening.contact_id;
                    let at = self
                        .write(move |tx| enrollment::contact_event(&ctx, tx, &happening).map(|()| tx.stamp()))
                        .await;
                    if stops {
                        self.stopped.entry(contact).or_insert(at);
                    }
                }
                Coming::Forbid(contact) => {
                    let at = self
                        .write(move |tx| {
                            let saved = resource::find::<Contact>(&ctx, tx, contact)?;
                            let mut changes = Changes::default();
                            changes.set(Contact::DO_NOT_CONTACT, true);
                            resource::update(&ctx, tx, &saved, &changes)?;
                            enrollment::contact_changed(&ctx, tx, contact).map(|()| tx.stamp())
                        })
                        .await;
                    self.stopped.entry(contact).or_insert(at);
                }
                Coming::Pause(enrollment) => {
                    let paused = self
                        .write(move |tx| {
                            enrollment::pause_by_user(&ctx, tx, enrollment).map(|()| true).or_else(refused)
                        })
                        .await;
                    if paused {
                        self.coming(self.now + 2 * DAY, Coming::Resume(enrollment, None));
                    }
                }
                Coming::Resume(enrollment, about) => {
                    // The true answer, as if a user had checked.
                    let sent = about.map(|key| self.arrived.contains_key(&key));
                    self.write(move |tx| {
                        enrollment::resume_by_user(&ctx, tx, enrollment, sent).map(|()| true).or_else(refused)
                    })
                    .await;
                }
                Coming::Mend => {
                    let account = self.account;
                    self.write(move |tx| account::note_health(&ctx, tx, account, None)).await;
                }
                Coming::Expire(message) => self.write(move |tx| delivery::expire(&ctx, tx, message, true)).await,
            }
        }
    }

    fn coming(&mut self, at: i64, what: Coming) {
        self.planned += 1;
        self.to_come.insert((at, self.planned), what);
    }

    /// The pending work, to explain why it never ends.
    async fn why(&self) -> Vec<String> {
        const PACE: &str = "SELECT 'pace ' || wake_at || ' ' || coalesce(held, '') FROM sequence_pace";
        const SENDS: &str = "SELECT 'send ' || s.state || ' ' || s.due_at || ' ' || a.free_at || ' ' || c.status || ' ' || coalesce(c.status_reason, '') \
             FROM sends s CROSS JOIN account_states a CROSS JOIN connected_accounts c WHERE a.account_id = s.account_id AND c.id = s.account_id";
        const DUE: &str = "SELECT 'enrollment ' || status || ' ' || due_at || ' ' || coalesce(reason, '') FROM enrollments WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 5";
        self.read(|tx| {
            let mut reported = vec![];
            for sql in [PACE, SENDS, DUE] {
                reported.extend(tx.rows(sql, &[], |row| row.text(0))?);
            }
            Ok(reported)
        })
        .await
    }

    async fn carry_out(&mut self) {
        let mut messages = RenderedMessages::default();
        for round in 0.. {
            assert!(round < 1000, "the same work is due repeatedly: {:?}", self.why().await);
            let (ctx, sequence, links) = (self.ctx.clone(), self.sequence, self.links.clone());
            let rendered = std::mem::take(&mut messages);
            let passed = self.write(move |tx| tick::tick(&ctx, tx, sequence, &links, &rendered, 50)).await;
            messages = render_all(passed.drafts, &self.links);
            if !passed.more && messages.is_empty() {
                return;
            }
        }
    }

    /// Claims due messages, sends them with the real client, and records the outcomes.
    async fn hand_over(&mut self) {
        for round in 0.. {
            assert!(round < 1000, "the same messages are claimed repeatedly: {:?}", self.why().await);
            let (ctx, account) = (self.ctx.clone(), self.account);
            let lease = Lease { node: "simulation".into(), time: 60_000, since: 0 };
            let (at, taken) =
                self.write(move |tx| Ok((tx.stamp(), delivery::take_due(&ctx, tx, account, 50, &lease)?))).await;
            if taken.is_empty() {
                return;
            }
            let mut settled: Vec<(Handover, Outcome)> = Vec::new();
            for handover in taken {
                self.check(at, &handover);
                let outcome = self.fate(&handover).await;
                // A message that was certainly not sent does not count against the cap.
                if !matches!(
                    outcome,
                    Some(
                        Outcome::Temporary(_)
                            | Outcome::Sender(_)
                            | Outcome::Throttled(_)
                            | Outcome::Refused(_)
                            | Outcome::NotBegun
                    )
                ) {
                    self.handed.push(at);
                }
                if let Some(outcome) = outcome {
                    settled.push((handover, outcome));
                }
            }
            let ctx = self.ctx.clone();
            self.write(move |tx| delivery::record_outcomes(&ctx, tx, &settled)).await;
        }
    }

    /// The rules for every message that is sent.
    fn check(&mut self, at: i64, handover: &Handover) {
        let local = Timestamp::from_millisecond(at).expect("a time").to_zoned(TimeZone::get(ZONE).expect("a zone"));
        let weekday = local.weekday().to_monday_zero_offset();
        assert!(weekday < 5 && (9..18).contains(&local.hour()), "{local} is outside of the window");
        assert!(local.date().to_string() != skipped(self.seed), "{local} is a skipped day");
        if let Some(since) = self.stopped.get(&handover.contact_id) {
            assert!(*since > at, "{} got a message at {at}, and must not since {since}", handover.recipient);
        }
        if self.conditions.caps {
            let last_day = self.handed.iter().filter(|then| **then > at - DAY).count() as i64;
            assert!(last_day < CAP, "more than {CAP} messages in a day");
            assert!(self.handed.last().is_none_or(|then| at - then >= GAP * 60_000), "less than the gap");
        }
    }

    /// The outcome of one message: it is sent over a real socket, unless a random fault happens.
    async fn fate(&mut self, handover: &Handover) -> Option<Outcome> {
        let run = handover.run.expect("a message of a sequence");
        let mut dice = self.dice(&handover.recipient);
        let luck = if self.conditions.faults { dice.below(100) } else { 99 };
        let outcome = match luck {
            0..=5 => Some(Outcome::Temporary("451 try later".into())),
            6..=7 => Some(Outcome::Recipient("550 no such user".into())),
            8 => Some(Outcome::Sender("535 wrong password".into())),
            9 => Some(Outcome::NotBegun),
            10..=11 => Some(Outcome::Unknown("the line was cut before it".into())),
            12 => {
                // The node dies before it sends.
                self.coming(self.now + 60_000, Coming::Expire(handover.message_id));
                None
            }
            _ => {
                self.send(handover, run).await;
                match luck {
                    13..=14 => Some(Outcome::Unknown("the line was cut after it".into())),
                    15 => {
                        self.coming(self.now + 60_000, Coming::Expire(handover.message_id));
                        None
                    }
                    _ => Some(Outcome::Sent),
                }
            }
        };
        if matches!(outcome, None | Some(Outcome::Unknown(_))) {
            self.played.unknown += 1;
            let about = (run.enrollment_id, run.step_id);
            self.coming(self.now + DAY, Coming::Resume(run.enrollment_id, Some(about)));
        }
        if luck > 15 {
            self.answer(handover, run, &mut dice);
        }
        // An operator corrects the password.
        if (6..=8).contains(&luck) {
            self.coming(self.now + if luck == 8 { 30_000 } else { DAY / 24 }, Coming::Mend);
        }
        outcome
    }

    async fn send(&mut self, handover: &Handover, run: Run) {
        let content = &handover.content;
        let draft = Draft {
            message_id: handover.reference.trim_matches(['<', '>']),
            date: self.now,
            from: Address { name: None, address: "ann@example.com".into() },
            to: vec![Address { name: None, address: handover.recipient.clone() }],
            subject: content.subject.as_deref().unwrap_or_default(),
            text: &content.text,
            ..Draft::default()
        };
        let mail = connect::mail::compose(&draft).expect("a mail");
        let sent = self.session.send("ann@example.com", &[&handover.recipient], &mail, &|| true).await;
        assert!(sent.is_ok(), "{:?}", sent.err());
        self.played.mails += 1;
        *self.arrived.entry((run.enrollment_id, run.step_id)).or_default() += 1;
    }

    /// The recipient's reaction.
    fn answer(&mut self, handover: &Handover, run: Run, dice: &mut Dice) {
        let mut happens = |stage: &mut Stage, kind: ContactEventKind, days: i64| {
            let at = stage.now + dice.below(days as usize * 86_400) as i64 * 1000;
            let happening = ContactEvent {
                contact_id: handover.contact_id,
                message_id: Some(handover.message_id),
                run: Some(run),
                kind,
                at: None,
            };
            stage.coming(at, Coming::Happens(happening));
        };
        let until = self.now + 5 * DAY;
        match (self.seed as usize * 31 + self.arrived.len() * 17) % 40 {
            0..=3 => happens(self, ContactEventKind::Replied, 4),
            4 => happens(self, ContactEventKind::Unsubscribed, 2),
            5 => happens(self, ContactEventKind::OutOfOffice(Some(until)), 1),
            6 => happens(self, ContactEventKind::AutoReplied, 1),
            7 => happens(self, ContactEventKind::Bounced { hard: true, why: "no such user".into() }, 1),
            8 => self.coming(self.now + DAY, Coming::Forbid(handover.contact_id)),
            9 => self.coming(self.now + DAY / 2, Coming::Pause(run.enrollment_id)),
            _ => {}
        }
    }

    /// Random numbers for the next message.
    fn dice(&mut self, who: &str) -> Dice {
        self.rolls += 1;
        let mut seed = self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(self.rolls);
        who.bytes().for_each(|byte| seed = seed.wrapping_mul(31).wrapping_add(u64::from(byte)));
        Dice::new(seed)
    }

    /// The invariants at the end.
    async fn verify(mut self, sandbox: &Sandbox) -> Played {
        assert_eq!(sandbox.duplicates(), Vec::<String>::new(), "no Message-ID twice");
        let twice: Vec<_> = self.arrived.iter().filter(|(_, count)| **count > 1).collect();
        assert_eq!(twice, Vec::<(&(Uuid, Uuid), &u32)>::new(), "no step twice");
        const OPEN: &str = "SELECT count(*) FROM enrollments WHERE status IN ('active', 'paused')";
        const STUCK: &str = "SELECT count(*) FROM enrollments WHERE status = 'active' AND due_at IS NULL \
             AND NOT EXISTS (SELECT 1 FROM sends s WHERE s.enrollment_id = enrollments.id)";
        const COUNTS: &str = "SELECT count(*) FROM sequences q WHERE json_extract(enrollments, '$.active') <> \
             (SELECT count(*) FROM enrollments e WHERE e.sequence_id = q.id AND e.status = 'active') \
             OR json_extract(enrollments, '$.finished') <> (SELECT count(*) FROM enrollments e WHERE e.sequence_id = q.id AND e.status = 'finished') \
             OR json_extract(enrollments, '$.replied') <> (SELECT count(*) FROM enrollments e WHERE e.sequence_id = q.id AND e.status = 'replied')";
        const STATS: &str = "SELECT count(*) FROM record_counts k WHERE k.name = 'step.sent' AND k.n <> \
             (SELECT count(*) FROM step_runs r WHERE r.step_id = k.record AND r.state = 'sent')";
        const PLANNED: &str = "SELECT count(*) FROM record_counts k WHERE k.name = 'step.planned' AND k.n <> \
             (SELECT count(*) FROM enrollments e WHERE e.planned_step_id = k.record AND e.status IN ('active', 'paused'))";
        let all = [OPEN, STUCK, COUNTS, STATS, PLANNED];
        let found = self
            .read(move |tx| {
                all.iter()
                    .map(|sql| Ok(tx.one(sql, &[], |row| row.int(0))?.unwrap_or(-1)))
                    .collect::<Result<Vec<_>, Error>>()
            })
            .await;
        assert_eq!(found[1..], [0, 0, 0, 0], "nobody is stuck, and what is shown is what is counted");
        self.played.open = found[0].unsigned_abs();
        self.played
    }
}

/// A refused action is not a failure here.
fn refused(error: Error) -> Result<bool, Error> {
    match error {
        Error::Invalid(_) => Ok(false),
        other => Err(other),
    }
}

/// A day in the second week that depends on the seed.
fn skipped(seed: u64) -> String {
    let monday = "2031-01-06T05:00:00Z".parse::<Timestamp>().expect("a time");
    let day = monday.as_millisecond() + ((seed % 52) as i64 * 7 + 8) * DAY;
    Timestamp::from_millisecond(day).expect("a time").to_zoned(TimeZone::UTC).date().to_string()
}

fn sequence_body(seed: u64) -> Value {
    let mail = |key: &str, days: i64, more: Value| {
        let mut step = json!({"type": "email", "client_key": key, "subject": format!("About {key}"), "body": "Hi {{ first_name }}", "delay_days": days});
        step.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        step
    };
    let branch =
        |kind: &str, days: i64| json!({"parent_step_id": "b", "branch_condition": {"type": kind, "after_days": days}});
    let long = seed == 1;
    let days = |short: i64, year: i64| if long { year } else { short };
    json!({
        "name": "Simulated", "mode": "advanced",
        "schedule_config": {"timezone": ZONE, "skip_dates": [skipped(seed)], "stop_on_reply": true},
        "steps": [
            mail("a", 0, json!({})),
            mail("b", days(2, 40), json!({})),
            mail("c", days(1, 30), branch("has_phone", 0)),
            mail("d", days(3, 50), branch("not_replied", days(2, 30))),
            {"type": "email", "client_key": "e", "body": "Once more, {{ first_name }}", "delay_days": days(2, 60), "parent_step_id": "d"},
        ],
    })
}
