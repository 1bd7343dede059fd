//! Random histories of people and companies: created, edited, enrolled, imported, archived; people reply, unsubscribe,
//! opt out and are erased. Merges are nested up to four levels and undone again. After each undo everything is as before its
//! merge, and nothing is ever sent to a person if any merged part has opted out. On PostgreSQL two nodes answer in
//! turn; servers are killed during merges and undos. `RELATA_SEED` repeats a history; `bin/test --long merge_model`
//! runs thousands.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

use crate::enrollments::always;
use crate::erase;
use crate::imports;
use crate::outreach::{mails, unfolded};
use crate::sequences::{path, sequence};
use crate::support::*;

stories![histories_are_undone_exactly];

const LEVELS: usize = 4;

fn histories_are_undone_exactly(world: &World) {
    world.set(&["--rate-limit", "100000000"]);
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    for (name, kind) in [("nick", "text"), ("score", "number")] {
        world.run(&["fields", "create", "--entity", "contact", "--key", name, "--type", kind]).ok();
    }
    let mut stage = Stage::new(world, &outside, vec![key.clone()]);
    let (first, count) = (seed(), share(3, 1500) as u64);
    let mut second = None;
    for number in 0..count {
        // The second node can't read the file of an import that was sent to the first, so there are no imports from
        // then on.
        if number == count / 2 {
            second = world.another_node();
            stage.keys.extend(second.iter().map(|node: &Server| key.at(&node.origin())));
        }
        println!("history {}: RELATA_SEED={}", number, first.wrapping_add(number));
        History::new(&stage, first.wrapping_add(number)).play();
        if number % 50 == 49 {
            world.check_agreement();
        }
    }
    drop(second);
}

/// Shared by all histories.
struct Stage<'a> {
    world: &'a World,
    outside: &'a Outside,
    /// The same key for each node.
    keys: Vec<Client>,
    /// The first waits for a task and then sends a mail; the others wait for a day.
    sequences: Vec<Value>,
    projects: Vec<Value>,
}

impl Stage<'_> {
    fn new<'a>(world: &'a World, outside: &'a Outside, keys: Vec<Client>) -> Stage<'a> {
        let key = &keys[0];
        let mail = json!([{"type": "task"}, {"type": "email", "subject": "Hello", "body": "Hello"}, {"type": "task", "delay_days": 1}]);
        let steps = [mail, json!([{"type": "task", "delay_days": 1}]), json!([{"type": "call", "delay_days": 2}])];
        let sequences = steps.map(|steps| {
            let body = json!({"name": "Outreach", "mode": "advanced", "schedule_config": always(), "steps": steps});
            let made = sequence(key, body);
            key.post(&format!("{}/start", path(&made)), json!({})).ok();
            key.get(&path(&made)).ok()
        });
        let projects = ["CTO", "CFO"].map(|name| key.post("/projects", json!({"name": name})).created());
        let projects = projects.map(|project| key.get(&format!("/projects/{}", text(&project["id"]))).ok());
        Stage { world, outside, sequences: sequences.into(), projects: projects.into(), keys }
    }
}

/// A merge that has not been undone.
struct Merged {
    kind: &'static str,
    id: String,
    into: String,
    from: Vec<String>,
    before: Snapshot,
    /// Nothing has been changed since.
    is_pure: bool,
    /// The person has opted out or replied since.
    was_refused: bool,
}

/// All visible data of the records of a history, by path.
type Snapshot = BTreeMap<String, Value>;

struct History<'a> {
    stage: &'a Stage<'a>,
    dice: Dice,
    number: u64,
    /// The node that receives the requests.
    node: usize,
    people: Vec<String>,
    companies: Vec<String>,
    deals: Vec<String>,
    merges: Vec<Merged>,
    /// People who opted out, by their original ids.
    refused: Vec<String>,
    /// People who were erased, by their original ids.
    erased: Vec<String>,
    made: usize,
}

impl<'a> History<'a> {
    fn new(stage: &'a Stage, number: u64) -> History<'a> {
        let none = Vec::new;
        History {
            stage,
            dice: Dice::new(number),
            number,
            node: 0,
            people: none(),
            companies: none(),
            deals: none(),
            merges: Vec::new(),
            refused: none(),
            erased: none(),
            made: 0,
        }
    }

    fn key(&self) -> &'a Client {
        &self.stage.keys[self.node]
    }

    fn switch_node(&mut self) {
        self.node = self.dice.below(self.stage.keys.len());
    }

    /// Sends a request; sometimes the server is killed meanwhile, and the request is repeated.
    fn post_once(&mut self, path: &str, body: &Value) -> Value {
        self.switch_node();
        if !self.dice.one_in(8) {
            return self.key().post(path, body.clone()).ok();
        }
        self.node = 0;
        let (key, once) = (self.key(), nobody());
        let request = || key.request("POST", path).json(body).header("Idempotency-Key", &once);
        let wait = Duration::from_micros(self.dice.below(30_000) as u64);
        std::thread::scope(|scope| {
            // The first request may or may not have been answered.
            let sent = scope.spawn(|| request().try_send().is_ok());
            std::thread::sleep(wait);
            self.stage.world.kill9();
            sent.join().expect("the sending thread ends");
        });
        self.stage.world.start();
        request().send().ok()
    }

    fn play(mut self) {
        for n in 0..3 {
            let made =
                self.key().post("/companies", json!({"name": format!("C{n}"), "tags": [format!("c{n}")]})).created();
            self.companies.push(text(&made["id"]));
        }
        for _ in 0..5 {
            self.make();
        }
        for _ in 0..14 {
            self.change();
        }
        if self.stage.keys.len() == 1 {
            self.imported();
        }
        for _ in 0..2 {
            self.nest();
            for _ in 0..3 {
                self.change();
            }
        }
        self.erase_some();
    }

    fn address(&self, nth: usize) -> String {
        format!("p{nth}.{}@h{}.example.com", nth, self.number)
    }

    fn make(&mut self) {
        let nth = self.made;
        self.made += 1;
        let mut body = json!({"first_name": format!("P{nth}"), "email": self.address(nth), "phone": format!("+33 {} {nth}", self.number % 1_000_000_000)});
        if self.dice.one_in(2) {
            body["company_id"] = json!(self.dice.pick(&self.companies));
        }
        if self.dice.one_in(3) {
            body["current_company"] = json!("Else");
        }
        let more = self.values();
        body.as_object_mut().expect("an object").extend(more);
        let made = self.key().post("/contacts", body).created();
        self.people.push(text(&made["id"]));
    }

    fn values(&mut self) -> Map<String, Value> {
        let mut body = Map::new();
        let word = |dice: &mut Dice, front: &str| format!("{front}{}", dice.below(4));
        for member in ["title", "location", "summary"] {
            if self.dice.one_in(2) {
                body.insert(member.into(), word(&mut self.dice, member).into());
            }
        }
        for member in ["tags", "skills", "languages"] {
            let count = self.dice.below(3);
            let mut words: Vec<String> = (0..count).map(|_| word(&mut self.dice, member)).collect();
            words.sort();
            words.dedup();
            body.insert(member.into(), words.into());
        }
        let mut custom = Map::new();
        if self.dice.one_in(2) {
            custom.insert("nick".into(), word(&mut self.dice, "n").into());
        }
        if self.dice.one_in(2) {
            custom.insert("score".into(), self.dice.below(9).into());
        }
        body.insert("custom_data".into(), custom.into());
        body
    }

    /// The ids of people who still exist.
    fn living(&self) -> Vec<String> {
        let gone = |id: &String| self.erased.contains(id) || self.merges.iter().any(|merge| merge.from.contains(id));
        self.people.iter().filter(|id| !gone(id)).cloned().collect()
    }

    fn someone(&mut self) -> String {
        let living = self.living();
        self.dice.pick(&living).clone()
    }

    /// A random action.
    fn change(&mut self) {
        self.switch_node();
        let id = self.someone();
        let own = format!("/contacts/{id}");
        match self.dice.below(12) {
            0 => {
                let body = self.values();
                self.key().put(&own, body.into()).ok();
            }
            1 => drop(self.key().post(&format!("{own}/notes"), json!({"content": "x"})).created()),
            2 => drop(self.key().post("/tasks", json!({"title": "t", "contact_id": id})).created()),
            3 => {
                let mut ids = vec![id];
                ids.extend((0..self.dice.below(3)).map(|_| self.someone()));
                let mut body = json!({"title": "Deal", "amount": 10, "contact_ids": ids});
                if self.dice.one_in(2) {
                    body["company_id"] = json!(self.dice.pick(&self.companies));
                }
                let made = self.key().post("/deals", body).created();
                self.deals.push(text(&made["id"]));
            }
            4 | 5 => self.enter(&id),
            6..=8 => self.enroll(&id),
            9 => self.work(&id),
            10 => self.say_no(&id),
            _ => {
                let now = self.key().get(&own).ok();
                match now["archived_at"].is_null() {
                    true => drop(self.key().delete(&own).ok()),
                    false => drop(self.key().put(&own, json!({"archived_at": null})).ok()),
                }
            }
        }
    }

    fn enter(&mut self, id: &str) {
        let project = self.dice.pick(&self.stage.projects).clone();
        let stages = project["pipeline"]["stages"].as_array().cloned().expect("stages");
        let mut body = json!({"contact_id": id, "stage_id": self.dice.pick(&stages)["id"]});
        if self.dice.one_in(2) {
            body["rating"] = json!(1 + self.dice.below(5));
        }
        if self.dice.one_in(2) {
            body["notes"] = json!(format!("Notes {}", self.dice.below(99)));
        }
        let answer = self.key().post(&format!("/projects/{}/entries", text(&project["id"])), body);
        assert!(answer.status == 201 || answer.status == 200, "{answer}");
    }

    fn enroll(&mut self, id: &str) {
        let sequence = self.dice.pick(&self.stage.sequences).clone();
        let result = self.key().post(&format!("{}/enroll", path(&sequence)), json!({"contact_ids": [id]})).ok();
        if result["enrolled"] == 1 {
            assert!(!self.has_refused(id), "a contact who opted out is enrolled: {id}");
            let enrollment = format!("/enrollments/{}", text(&result["results"][0]["enrollment_id"]));
            self.when_idle(&enrollment);
            if self.dice.one_in(4) {
                self.key().post(&format!("{enrollment}/pause"), json!({})).ok();
            }
        }
    }

    /// Waits until no step of an enrollment is in flight: the next one is due in a day. A step that is blocked for a moment
    /// is tried again in seconds.
    fn when_idle(&self, enrollment: &str) -> Value {
        eventually("the enrollment waits", PATIENCE, || {
            let now = self.key().get(enrollment).ok();
            let reason = now["reason"].as_str().unwrap_or_default();
            let due = now["next_step_at"].as_str().is_some_and(|at| at > later().as_str());
            let waits = now["status"] != "active" || reason.starts_with("waits for its task") || due;
            waits.then_some(now)
        })
    }

    /// Completes an open task of a sequence: the mail that follows it is sent.
    fn work(&mut self, id: &str) {
        let enrollments = self.key().get(&format!("/contacts/{id}/enrollments")).page().rows;
        let Some(open) = enrollments.iter().find(|row| row["status"] == "active" && row["reason"].is_string()) else {
            return;
        };
        let tasks =
            self.key().list(&format!("/contacts/{id}/tasks"), &[("status", "todo"), ("limit", "100")]).page().rows;
        let Some(task) = tasks.iter().find(|task| text(&task["title"]).starts_with("See to")) else { return };
        let sent = self.sent();
        self.key().put(&format!("/tasks/{}", text(&task["id"])), json!({"status": "done"})).ok();
        self.when_idle(&format!("/enrollments/{}", text(&open["id"])));
        if self.has_refused(id) {
            assert_eq!(self.sent(), sent, "a mail went to a contact who opted out");
        }
    }

    fn sent(&self) -> usize {
        (0..self.made).map(|nth| self.stage.outside.to(&self.address(nth)).len()).sum()
    }

    /// Whether any of the people merged into this one opted out.
    fn has_refused(&self, id: &str) -> bool {
        self.refused.iter().any(|refused| self.now(refused) == id)
    }

    /// The surviving record of a person.
    fn now(&self, id: &str) -> String {
        let into = |id: &str| self.merges.iter().find(|merge| merge.from.iter().any(|from| from == id));
        match into(id) {
            Some(merge) => self.now(&merge.into),
            None => id.to_owned(),
        }
    }

    fn say_no(&mut self, id: &str) {
        let nth = self.people.iter().position(|one| one == id).expect("one of them");
        let address = self.address(nth);
        match self.dice.below(4) {
            // A contact that has it already, perhaps by a merge, does not opt out again.
            0 if self.key().get(&format!("/contacts/{id}")).ok()["do_not_contact"] == true => {}
            0 => {
                self.key().put(&format!("/contacts/{id}"), json!({"do_not_contact": true})).ok();
                // All people merged into this one.
                let parts: Vec<String> = self.people.iter().filter(|part| self.now(part) == id).cloned().collect();
                self.refused.extend(parts);
            }
            1 => {
                let answer = self.key().post("/suppressions", json!({"address": address}));
                assert!(answer.status == 201 || answer.status == 200, "{answer}");
                self.refused.push(id.to_owned());
            }
            // By the link in the newest mail, if one was sent to them.
            2 => {
                let mail = mails(self.stage.outside, &address, 0).pop();
                let Some(link) = mail.and_then(|mail| unfolded(&mail, "List-Unsubscribe")) else { return };
                let path = link.trim_matches(['<', '>']).split_once("/unsubscribe/").expect("a link to here").1;
                let stranger = self.stage.world.stranger();
                let visit = stranger.visit(&format!("/unsubscribe/{path}")).method("POST");
                let form = visit.header("Content-Type", "application/x-www-form-urlencoded");
                form.body("List-Unsubscribe=One-Click").send().is(200);
                self.refused.push(id.to_owned());
            }
            // A reply ends their enrollments.
            _ if self.key().get(&format!("/contacts/{id}")).ok()["archived_at"].is_null() => {
                let is_rare = self.dice.one_in(8);
                let has_replied = |status: &Value| status == "replied" || status == "qualified";
                let status = || self.key().get(&format!("/contacts/{id}")).ok()["global_status"].clone();
                // It takes up to a minute after a kill until a second reply is known to be read.
                let is_second = has_replied(&status());
                if is_second && !is_rare {
                    return;
                }
                let mark = nobody();
                let mail = format!(
                    "From: {address}\nTo: ann@example.com\nSubject: Hello\nMessage-ID: <{mark}@elsewhere.example>\n\nHere I am: {mark}\n"
                );
                self.stage.outside.deliver("ann@example.com", &mail);
                let stored = format!("SELECT CAST(count(*) AS text) FROM messages WHERE content LIKE '%{mark}%'");
                eventually("the reply is read", PATIENCE, || {
                    match is_second {
                        true => self.stage.world.count(&stored) > 0,
                        false => has_replied(&status()),
                    }
                    .then_some(())
                });
            }
            _ => {}
        }
    }

    /// An import that updates some contacts and creates one, then undone.
    fn imported(&mut self) {
        let before = self.snapshot();
        let rows: String = (0..self.made)
            .map(|nth| format!("{},,imported{},{}\n", self.address(nth), self.dice.below(3), self.dice.below(9)))
            .collect();
        let file =
            format!("email,first_name,title,custom_data.score\n{rows}new.{}@example.com,New,made,1\n", self.number);
        let import = imports::import(self.key(), json!({"collection": "contacts", "match_on": "email"}), "x.csv", file);
        assert_eq!((&import["failed"], &import["created"]), (&json!(0), &json!(1)), "{import}");
        if self.dice.one_in(2) {
            self.merge_some();
            self.undo_last();
        }
        self.key().post(&format!("/imports/{}/undo", text(&import["id"])), json!({})).is(202);
        assert_eq!(imports::ended(self.key(), &import)["status"], "undone");
        self.same(&before, &self.snapshot(), "an import was undone");
    }

    /// Merges up to four levels deep, then undoes all of them.
    fn nest(&mut self) {
        let levels = 1 + self.dice.below(LEVELS);
        for _ in 0..levels {
            self.merge_some();
            if self.dice.one_in(3) {
                self.merges.iter_mut().for_each(|merge| merge.is_pure = false);
                let id = self.someone();
                let body = self.values();
                self.key().put(&format!("/contacts/{id}"), body.into()).ok();
                self.key().post(&format!("/contacts/{id}/notes"), json!({"content": "later"})).created();
            }
            if self.dice.one_in(4) {
                self.merges.iter_mut().for_each(|merge| merge.was_refused = true);
                let id = self.someone();
                self.say_no(&id);
            }
        }
        while !self.merges.is_empty() {
            self.undo_last();
        }
    }

    fn merge_some(&mut self) {
        let before = self.snapshot();
        let is_company = self.dice.one_in(4);
        let gone = |id: &String| self.merges.iter().any(|merge| merge.from.contains(id));
        let (kind, mut there): (&'static str, Vec<String>) = match is_company {
            true => ("companies", self.companies.iter().filter(|id| !gone(id)).cloned().collect()),
            false => ("contacts", self.living()),
        };
        if there.len() < 2 {
            return;
        }
        let into = there.swap_remove(self.dice.below(there.len()));
        let count = 1 + self.dice.below(there.len().min(2));
        let from: Vec<String> = (0..count).map(|_| there.swap_remove(self.dice.below(there.len()))).collect();
        let mut body = json!({"into": into, "from": from, "dry_run": true});
        let dry = self.key().post(&format!("/{kind}/merge"), body.clone()).ok();
        self.same(&before, &self.snapshot(), "a dry run");
        body["dry_run"] = false.into();
        let merged = self.post_once(&format!("/{kind}/merge"), &body);
        for member in ["ends", "moved", "left_out"] {
            assert_eq!(dry[member], merged[member], "{member} of a dry run");
        }
        self.merges.push(Merged {
            kind,
            id: text(&merged["id"]),
            into: into.clone(),
            from: from.clone(),
            before,
            is_pure: true,
            was_refused: false,
        });
        for id in &from {
            assert_eq!(
                self.key().get(&format!("/{kind}/{id}")).ok()["id"],
                json!(into),
                "an old id means the survivor"
            );
        }
        if kind == "contacts" {
            self.holds(&into);
        }
    }

    /// Invariants of a person after a merge.
    fn holds(&self, id: &str) {
        let rows = self.key().get(&format!("/contacts/{id}/enrollments")).page().rows;
        let open: Vec<&Value> =
            rows.iter().filter(|row| row["status"] == "active" || row["status"] == "paused").collect();
        assert!(open.len() <= 1, "active in more than one sequence: {rows:?}");
        self.is_in_no_sequence(id);
        if self.has_refused(id) {
            assert_eq!(self.key().get(&format!("/contacts/{id}")).ok()["do_not_contact"], true, "{id} said no");
            for sequence in &self.stage.sequences {
                let result = self.key().post(&format!("{}/enroll", path(sequence)), json!({"contact_ids": [id]})).ok();
                assert_eq!(result["enrolled"], 0, "{id} said no: {result}");
            }
        }
    }

    /// A contact who opted out is in no sequence.
    fn is_in_no_sequence(&self, id: &str) {
        if self.has_refused(id) {
            let rows = self.key().get(&format!("/contacts/{id}/enrollments")).page().rows;
            let open = rows.iter().find(|row| row["status"] == "active" || row["status"] == "paused");
            assert!(open.is_none(), "{id} said no: {rows:?}; RELATA_SEED={}", self.number);
        }
    }

    fn undo_last(&mut self) {
        let merge = self.merges.pop().expect("a merge");
        self.post_once(&format!("/{}/merge/{}/undo", merge.kind, merge.id), &json!({}));
        let now = self.snapshot();
        for id in std::iter::once(&merge.into).chain(&merge.from).filter(|_| merge.kind == "contacts") {
            self.is_in_no_sequence(id);
        }
        if merge.was_refused {
            return;
        }
        if merge.is_pure {
            self.same(&merge.before, &now, "a merge was undone");
            return;
        }
        // The survivor has been changed since; the merged records come back unchanged.
        for id in &merge.from {
            let own = |path: &str| path.contains(id.as_str()) && !path.ends_with("/contacts?limit=100");
            for (path, before) in merge.before.iter().filter(|(path, _)| own(path)) {
                assert_eq!(now.get(path), Some(before), "{path} after the undo");
            }
        }
    }

    /// Erases a person who may have been merged. Nothing names any part of the person afterwards, and everything else
    /// stays as it is.
    fn erase_some(&mut self) {
        for _ in 0..self.dice.below(3) {
            self.merge_some();
        }
        let (before, id) = (self.snapshot(), self.someone());
        let parts: Vec<String> = self.people.iter().filter(|part| self.now(part) == id).cloned().collect();
        let nth = |part: &String| self.people.iter().position(|one| one == part).expect("one of them");
        let addresses: Vec<String> = parts.iter().map(|part| self.address(nth(part))).collect();
        let sent = |outside: &Outside| addresses.iter().map(|address| outside.to(address).len()).sum::<usize>();
        let already = sent(self.stage.outside);
        let called = self.dice.pick(&parts).clone();
        self.key().delete(&format!("/contacts/{called}?erase=true")).is(202);
        if self.dice.one_in(3) {
            std::thread::sleep(Duration::from_micros(self.dice.below(30_000) as u64));
            self.stage.world.kill9();
            self.stage.world.start();
        }
        for part in &parts {
            self.key().get(&format!("/contacts/{part}")).not_found();
        }
        let (of_person, others): (Vec<Merged>, Vec<Merged>) =
            std::mem::take(&mut self.merges).into_iter().partition(|merge| parts.contains(&merge.into));
        self.merges = others;
        for merge in of_person {
            self.key().post(&format!("/contacts/merge/{}/undo", merge.id), json!({})).invalid("id").says("erased");
        }
        self.erased.extend(parts.iter().cloned());
        let now = self.snapshot();
        for (path, then) in before.iter().filter(|(path, _)| !parts.iter().any(|part| path.contains(part.as_str()))) {
            let left = without(then, &parts, &addresses);
            eventually("the other records are as before", PATIENCE, || {
                let now = now.get(path).filter(|now| without(now, &parts, &addresses) == left);
                let now = now.cloned().or_else(|| self.snapshot().remove(path));
                now.filter(|now| without(now, &parts, &addresses) == left)
            });
        }
        erase::finished(self.stage.world);
        for address in &addresses {
            assert!(!self.stage.world.stores(address), "{address} is stored; RELATA_SEED={}", self.number);
            let again = json!({"first_name": "Again", "email": address});
            self.key().post("/contacts", again).error(409, "erased_address");
        }
        self.merges.iter_mut().for_each(|merge| merge.was_refused = true);
        if !self.living().is_empty() {
            for _ in 0..3 {
                self.change();
            }
        }
        while !self.merges.is_empty() {
            self.undo_last();
        }
        assert_eq!(sent(self.stage.outside), already, "a mail went to an erased person; RELATA_SEED={}", self.number);
    }

    #[track_caller]
    fn same(&self, before: &Snapshot, after: &Snapshot, what: &str) {
        for (path, then) in before {
            assert_eq!(after.get(path), Some(then), "{path} after {what}; RELATA_SEED={}", self.number);
        }
        assert_eq!(before.len(), after.len(), "after {what}; RELATA_SEED={}", self.number);
    }

    fn snapshot(&self) -> Snapshot {
        let mut all = Snapshot::new();
        let mut take = |path: String| {
            let answer = self.key().get(&path);
            let mut data = answer.ok();
            still(&mut data);
            if let Value::Array(rows) = &mut data {
                rows.sort_by_key(|row| text(&row["id"]));
            }
            all.insert(path, data);
        };
        for id in self.people.iter().filter(|id| !self.erased.contains(id)) {
            take(format!("/contacts/{id}"));
            for list in ["notes", "tasks", "entries", "enrollments"] {
                take(format!("/contacts/{id}/{list}?limit=100"));
            }
        }
        for id in &self.companies {
            take(format!("/companies/{id}"));
            take(format!("/companies/{id}/contacts?limit=100"));
        }
        for id in &self.deals {
            take(format!("/deals/{id}"));
        }
        for sequence in &self.stage.sequences {
            take(path(sequence));
        }
        all
    }
}

/// A record or a list without erased people, without their addresses, and without the counts that they are part of.
fn without(data: &Value, people: &[String], addresses: &[String]) -> Value {
    let is_erased = |value: &Value| value.as_str().is_some_and(|id| people.iter().any(|person| person == id));
    match data {
        Value::Array(rows) => {
            let stay = rows.iter().filter(|row| !is_erased(row) && !is_erased(&row["id"]));
            stay.map(|row| without(row, people, addresses)).collect()
        }
        Value::Object(members) => {
            let counts = ["contacts_count", "enrollments", "entries_count"];
            let stay = members.iter().filter(|(name, _)| !counts.contains(&name.as_str()));
            stay.map(|(name, value)| (name.clone(), without(value, people, addresses))).collect::<Map<_, _>>().into()
        }
        Value::String(text) => addresses.iter().fold(text.clone(), |text, one| text.replace(one, "[erased]")).into(),
        other => other.clone(),
    }
}

/// Removes the values that change with every update.
fn still(data: &mut Value) {
    match data {
        Value::Array(rows) => rows.iter_mut().for_each(still),
        Value::Object(members) => {
            members.remove("updated_at");
            members.values_mut().for_each(still);
        }
        _ => {}
    }
}

/// An hour from now.
fn later() -> String {
    (now() + Duration::from_secs(3600)).to_string()
}
