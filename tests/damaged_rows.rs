//! Unreadable stored data, as left by a broken disk or another version: an error that names its table, column and row,
//! never an empty value. Everything else continues to work.

use serde_json::{Value, json};

use crate::dashboard::owner;
use crate::enrollments::{at, complete, contact, enrolled, started, task};
use crate::support::*;

stories![
    a_record_that_can_not_be_read_is_an_error,
    damaged_internal_values_are_errors_too,
    an_undo_with_damaged_data_undoes_nothing,
    a_damaged_enrollment_does_not_delay_others,
    a_damaged_message_or_account_does_not_delay_others,
    a_damaged_job_fails_with_its_reason_and_others_run,
    a_damaged_record_does_not_hide_others_from_the_search,
];

/// An id as an SQL literal.
pub(crate) fn stored(world: &World, id: &str) -> String {
    match world.database_is_shared() {
        true => format!("'{id}'"),
        false => format!("x'{}'", id.replace('-', "")),
    }
}

/// A damaged value that can be repaired.
pub(crate) struct Damage<'a> {
    world: &'a World,
    table: &'static str,
    column: &'static str,
    id: String,
    /// The condition that selects the row.
    row: String,
    /// The column's value when it is repaired, and the condition that it is damaged.
    repaired: String,
    damaged: String,
}

impl<'a> Damage<'a> {
    /// Damages a column of the record with this id.
    pub(crate) fn new(world: &'a World, table: &'static str, column: &'static str, id: &str) -> Damage<'a> {
        Damage::of(world, table, column, "id", id)
    }

    pub(crate) fn of(world: &'a World, table: &'static str, column: &'static str, key: &str, id: &str) -> Damage<'a> {
        Damage::at(world, table, column, format!("{key} = {}", stored(world, id)), id.to_owned())
    }

    /// Damages a text in the row that fulfils a condition.
    pub(crate) fn at(
        world: &'a World,
        table: &'static str,
        column: &'static str,
        row: String,
        id: String,
    ) -> Damage<'a> {
        let (repaired, damaged) = (format!("substr({column}, 2)"), format!("{column} LIKE '#%'"));
        let damage = Damage { world, table, column, id, row, repaired, damaged };
        damage.set(&format!("'#' || {column}"));
        damage
    }

    /// Makes a time one that no calendar has.
    pub(crate) fn time(world: &'a World, table: &'static str, column: &'static str, id: &str) -> Damage<'a> {
        const FAR: i64 = 4_000_000_000_000_000;
        let row = format!("id = {}", stored(world, id));
        let (repaired, damaged) = (format!("{column} - {FAR}"), format!("{column} > {FAR}"));
        let damage = Damage { world, table, column, id: id.to_owned(), row, repaired, damaged };
        damage.set(&format!("{column} + {FAR}"));
        damage
    }

    /// Replaces a part of the JSON of a record by another.
    pub(crate) fn member(
        world: &'a World,
        table: &'static str,
        column: &'static str,
        id: &str,
        part: (&str, &str),
    ) -> Damage<'a> {
        Damage::member_at(world, table, column, format!("id = {}", stored(world, id)), id.to_owned(), part)
    }

    pub(crate) fn member_at(
        world: &'a World,
        table: &'static str,
        column: &'static str,
        row: String,
        id: String,
        (part, other): (&str, &str),
    ) -> Damage<'a> {
        let replaced = |from: &str, to: &str| format!("replace({column}, '{from}', '{to}')");
        let (repaired, damaged) = (replaced(other, part), format!("{column} LIKE '%{other}%'"));
        let damage = Damage { world, table, column, id, row, repaired, damaged };
        damage.set(&replaced(part, other));
        assert!(damage.is_there(), "{table}.{column} has no {part}");
        damage
    }

    fn set(&self, value: &str) {
        self.world.change(&format!("UPDATE {} SET {} = {value} WHERE {}", self.table, self.column, self.row));
    }

    /// The name of the value in the log and in the check.
    pub(crate) fn name(&self) -> String {
        format!("{}.{} of {}", self.table, self.column, self.id)
    }

    /// Whether the damaged value is unchanged: nothing has overwritten it.
    fn is_there(&self) -> bool {
        let sql = format!("SELECT CAST(count(*) AS text) FROM {} WHERE {} AND {}", self.table, self.row, self.damaged);
        self.world.count(&sql) > 0
    }

    /// The error lines in the log that name the value.
    fn log_lines(&self) -> Vec<String> {
        let named = |line: &&str| line.contains(&self.name()) && line.to_uppercase().contains("ERROR");
        self.world.log().lines().filter(named).map(str::to_owned).collect()
    }

    /// Waits until the log names the value.
    #[track_caller]
    pub(crate) fn is_logged(&self) {
        eventually(&format!("a line about {}", self.name()), PATIENCE, || (!self.log_lines().is_empty()).then_some(()));
    }

    /// The request fails with a message without any of the data, and the log contains the request's id.
    #[track_caller]
    pub(crate) fn fails(&self, ask: impl Fn() -> Answer) {
        // A write of another process shows within 200 ms.
        let answer = eventually(&format!("the failure of {}", self.name()), PATIENCE, || {
            Some(ask()).filter(|answer| answer.status == 500)
        });
        let id = answer.header("X-Request-Id").to_owned();
        answer.error(500, "internal_error").says(&id).hides(self.table).hides("#");
        let named = |line: &str| line.contains(&id) && line.contains(&self.name());
        eventually(&format!("a line about {id}, {}", self.name()), PATIENCE, || {
            self.world.log().lines().any(named).then_some(())
        });
        assert!(self.is_there(), "{} was written over", self.name());
    }

    /// `relata check` names the value, and does not repair it.
    #[track_caller]
    pub(crate) fn is_found(&self) {
        for arguments in [&["check"][..], &["check", "--repair"]] {
            let checked = self.world.run(arguments);
            let is_named =
                |line: &str| line.starts_with("fault\t") && line.contains(&format!("damaged\t{}", self.name()));
            assert!(checked.out.lines().any(is_named), "{}: {checked}", self.name());
            assert_eq!(checked.code, Some(1), "{checked}");
        }
        assert!(self.is_there(), "{} was written over", self.name());
    }

    pub(crate) fn repair(self) {
        self.set(&self.repaired);
    }
}

fn id(record: &Value) -> String {
    text(&record["id"])
}

fn a_record_that_can_not_be_read_is_an_error(world: &World) {
    let key = world.key("full_access");
    let made = |path: &str, body: Value| id(&key.post(path, body).created());
    let contact = |name: &str| {
        made("/contacts", json!({"first_name": name, "email": format!("{name}@example.com"), "tags": ["VIP"]}))
    };
    let (ada, ben) = (contact("ada"), contact("ben"));
    let (acme, other) = (made("/companies", json!({"name": "Acme"})), made("/companies", json!({"name": "Other"})));
    let deal = made("/deals", json!({"title": "Deal", "amount": 10, "contact_ids": [ada]}));
    let project = made("/projects", json!({"name": "Project"}));
    let task = made("/tasks", json!({"title": "Task", "contact_id": ada}));
    let steps = json!([{"type": "call"}]);
    let sequence = made("/sequences", json!({"name": "Sequence", "mode": "advanced", "steps": steps}));
    let kinds: [(&'static str, &'static str, &str, String, Value); 11] = [
        ("contacts", "emails", &ada, format!("/contacts/{ada}"), json!({"title": "CEO"})),
        ("contacts", "tags", &ada, format!("/contacts/{ada}"), json!({"title": "CEO"})),
        ("contacts", "custom_data", &ada, format!("/contacts/{ada}"), json!({"title": "CEO"})),
        ("contacts", "global_status", &ada, format!("/contacts/{ada}"), json!({"title": "CEO"})),
        ("companies", "custom_data", &acme, format!("/companies/{acme}"), json!({"location": "Lyon"})),
        ("deals", "contact_ids", &deal, format!("/deals/{deal}"), json!({"title": "Another"})),
        ("projects", "owner_ids", &project, format!("/projects/{project}"), json!({"name": "Another"})),
        ("tasks", "status", &task, format!("/tasks/{task}"), json!({"title": "Another"})),
        ("sequences", "schedule_config", &sequence, format!("/sequences/{sequence}"), json!({"name": "Another"})),
        ("sequences", "enrollments", &sequence, format!("/sequences/{sequence}"), json!({"name": "Another"})),
        ("sequences", "status", &sequence, format!("/sequences/{sequence}"), json!({"name": "Another"})),
    ];
    for (table, column, record, path, change) in kinds {
        let (before, events) = (key.get(&path).ok(), world.events());
        let damage = Damage::new(world, table, column, record);
        damage.fails(|| key.get(&path));
        damage.fails(|| key.put(&path, change.clone()));
        if table != "sequences" {
            damage.fails(|| key.get(&format!("/{table}")));
        }
        damage.is_found();
        // Other records are not affected.
        assert_eq!(key.get(&format!("/contacts/{ben}")).ok()["id"], *ben);
        assert_eq!(key.put(&format!("/companies/{other}"), json!({"location": column})).ok()["location"], column);
        assert_eq!(key.list("/contacts", &[("first_name", "eq.ben")]).page().ids(), [ben.as_str()]);
        assert_eq!(world.events(), events + 1, "{table}.{column}: only the other company has an event");
        damage.repair();
        let after = eventually("the record", PATIENCE, || Some(key.get(&path)).filter(|answer| answer.status == 200));
        assert_eq!(after.ok(), before, "{table}.{column}");
    }
}

fn damaged_internal_values_are_errors_too(world: &World) {
    let key = world.key("full_access");
    let made = started(&key, json!([{"type": "call"}, {"type": "call"}]));
    let (ada, ben) = (contact(&key, json!({})), contact(&key, json!({"email": "ben@example.com"})));
    let (one, two) = (enrolled(&key, &made, &ada), enrolled(&key, &made, &ben));
    task(&key, &ada);
    // The state of an enrollment, also as an object of another shape.
    let damage = Damage::new(world, "enrollments", "state", &id(&one));
    damage.fails(|| key.post(&format!("{}/pause", at(&one)), json!({})));
    damage.is_found();
    damage.repair();
    key.post(&format!("{}/pause", at(&two)), json!({})).ok();
    // The steps of a version.
    let sequence = id(&made);
    let damage = Damage::of(world, "sequence_versions", "steps", "sequence_id", &sequence);
    damage.fails(|| key.get(&format!("/sequences/{sequence}")));
    damage.fails(|| key.get(&format!("/sequences/{sequence}/stats")));
    damage.is_found();
    damage.repair();
    key.post(&format!("{}/resume", at(&two)), json!({})).ok();
    // Definitions of custom fields.
    let create = ["fields", "create", "--entity", "contact", "--key", "level", "--type", "select"];
    world.run(&[&create[..], &["--options", "high,low"]].concat()).ok();
    let fields = key.get("/contacts/custom-fields").page().rows;
    let (path, level) = (format!("/contacts/{}", id(&ada)), json!({"custom_data": {"level": "high"}}));
    let damage = Damage::new(world, "custom_fields", "options", &id(&fields[0]));
    damage.fails(|| key.get("/contacts/custom-fields"));
    damage.fails(|| key.list("/contacts", &[("custom_data.level", "eq.high")]));
    damage.is_found();
    damage.repair();
    eventually("the field", PATIENCE, || Some(key.put(&path, level.clone())).filter(|answer| answer.status == 200));
    // Views of the dashboard.
    let ann = owner(world);
    let body = json!({"name": "Mine", "collection": "contacts", "state": {"sort": "first_name"}});
    let view = id(&ann.inside("POST", "/views").json(&body).send().created());
    let damage = Damage::new(world, "views", "state", &view);
    damage.fails(|| ann.inside("GET", "/views").send());
    damage.is_found();
    damage.repair();
    assert_eq!(ann.inside("GET", "/views").send().ok().as_array().map(Vec::len), Some(1));
}

fn an_undo_with_damaged_data_undoes_nothing(world: &World) {
    let key = world.key("full_access");
    let made = |body: Value| id(&key.post("/contacts", body).created());
    let (ada, double) = (made(json!({"first_name": "Ada"})), made(json!({"first_name": "Ada", "title": "Countess"})));
    let merge = key.post("/contacts/merge", json!({"into": ada, "from": [double]})).ok();
    let undo = format!("/contacts/merge/{}/undo", id(&merge));
    let (damage, events) = (Damage::new(world, "merges", "kept", &id(&merge)), world.events());
    damage.fails(|| key.post(&undo, json!({})));
    damage.is_found();
    damage.repair();
    // A row that exists and can't be read.
    world.change("UPDATE merges SET kept = replace(kept, '\"version\"', '\"versiom\"')");
    eventually("the failure", PATIENCE, || (key.post(&undo, json!({})).status == 500).then_some(()));
    assert_eq!(world.events(), events, "nothing was undone");
    assert_eq!(key.get(&format!("/contacts/{double}")).ok()["id"], *ada, "the merge is still in effect");
    world.change("UPDATE merges SET kept = replace(kept, '\"versiom\"', '\"version\"')");
    eventually("the undo", PATIENCE, || (key.post(&undo, json!({})).status == 200).then_some(()));
    assert_eq!(key.get(&format!("/contacts/{double}")).ok()["title"], "Countess");
}

/// A time in milliseconds that is long past.
const PAST: &str = "0";

/// Waits until the row is due no sooner than 50 minutes after the newest contact was created.
fn is_deferred(world: &World, due: &str) {
    let sql = format!(
        "SELECT CAST(count(*) AS text) FROM ({due}) r WHERE r.due > (SELECT max(created_at) FROM contacts) + 3000000"
    );
    eventually("a later due time", PATIENCE, || (world.count(&sql) == 1).then_some(()));
}
const AHEAD: &str = "4102444800000";

fn a_damaged_enrollment_does_not_delay_others(world: &World) {
    let key = world.key("full_access");
    let made = started(&key, json!([{"type": "call"}, {"type": "call"}]));
    let contacts: Vec<Value> = (0..3).map(|n| contact(&key, json!({"email": format!("c{n}@example.com")}))).collect();
    let enrollments: Vec<Value> = contacts.iter().map(|contact| enrolled(&key, &made, contact)).collect();
    let tasks: Vec<Value> = contacts.iter().map(|contact| task(&key, contact)).collect();
    // The enrollment that is due first can't be read.
    let (bad, bad_id) = (&enrollments[1], id(&enrollments[1]));
    let damage = Damage::new(world, "enrollments", "state", &bad_id);
    let due = |at: &str| {
        world.change(&format!("UPDATE enrollments SET due_at = {at} WHERE id = {}", stored(world, &bad_id)));
        world.change(&format!("UPDATE sequence_pace SET wake_at = {PAST}"));
    };
    due(PAST);
    damage.is_logged();
    for n in [0, 2] {
        complete(&key, &tasks[n], "done");
        let next = eventually("the next task", PATIENCE, || {
            Some(task(&key, &contacts[n])).filter(|next| next["id"] != tasks[n]["id"])
        });
        assert_eq!(next["status"], "todo");
    }
    assert_eq!(key.get(&at(bad)).ok()["status"], "active", "the damaged enrollment must stay active");
    is_deferred(world, &format!("SELECT due_at AS due FROM enrollments WHERE id = {}", stored(world, &bad_id)));
    let log_lines = damage.log_lines().len();
    assert!(log_lines <= 3, "it must be deferred, not retried at once: {log_lines} lines");
    assert!(damage.is_there());
    damage.is_found();
    // After the repair it continues.
    damage.repair();
    due("NULL");
    complete(&key, &tasks[1], "done");
    eventually("the next task", PATIENCE, || {
        Some(task(&key, &contacts[1])).filter(|next| next["id"] != tasks[1]["id"])
    });
}

fn a_damaged_message_or_account_does_not_delay_others(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let free = |at: &str| world.change(&format!("UPDATE account_states SET free_at = {at}"));
    let person = |name: &str| outside::contact(&key, name, &format!("{name}@example.com"));
    let people = ["ada", "ben", "cyd", "dan"].map(person);
    free(AHEAD);
    let send = |contact: &str| {
        let body = json!({"contact_id": contact, "channel": "email", "subject": "Hi", "content": "Hello."});
        text(&key.post("/messages", body).created()["id"])
    };
    let messages: Vec<String> = people.iter().map(|contact| send(contact)).collect();
    // The first message of the queue can't be read, nor can the recipient of the second one.
    let letter = Damage::of(world, "sends", "letter", "message_id", &messages[0]);
    let emails = Damage::new(world, "contacts", "emails", &people[1]);
    free(PAST);
    letter.is_logged();
    emails.is_logged();
    let status = |message: &String| text(&key.get(&format!("/messages/{message}")).ok()["status"]);
    for message in &messages[2..] {
        eventually("the others' mail", PATIENCE, || (status(message) == "sent").then_some(()));
    }
    assert_eq!([status(&messages[0]), status(&messages[1])], ["queued", "queued"]);
    letter.is_found();
    emails.is_found();
    for message in &messages[..2] {
        is_deferred(world, &format!("SELECT due_at AS due FROM sends WHERE message_id = {}", stored(world, message)));
    }
    assert!(
        letter.log_lines().len() <= 4 && emails.log_lines().len() <= 4,
        "they must be deferred: {:?}",
        letter.log_lines()
    );
    letter.repair();
    emails.repair();
    world.change(&format!("UPDATE sends SET due_at = {PAST}"));
    for message in &messages {
        eventually("all mail", PATIENCE, || (status(message) == "sent").then_some(()));
    }
    assert_eq!(outside.sandbox.accepted(), 4, "each once");
    // An account that can't be read does not stop other accounts from sending.
    let second = outside.mailbox(world, "bob@example.com", &[]);
    let damage = Damage::new(world, "connected_accounts", "status", &second);
    damage.set("substr(status, 2)");
    let damage = Damage::new(world, "connected_accounts", "license_type", &second);
    damage.set("'#none'");
    let body = |account: &str| json!({"contact_id": people[0], "channel": "email", "subject": "Hi", "content": "Hello.", "account_id": account});
    eventually("the failure", PATIENCE, || (key.post("/messages", body(&second)).status == 500).then_some(()));
    let message = text(&key.post("/messages", body(&account)).created()["id"]);
    eventually("its mail", PATIENCE, || (status(&message) == "sent").then_some(()));
    damage.is_logged();
    damage.is_found();
    damage.set("NULL");
}

fn a_damaged_job_fails_with_its_reason_and_others_run(world: &World) {
    let key = world.key("full_access");
    let tagged = json!({"first_name": "Ada", "tags": ["VIP", "Old"]});
    let ada = id(&key.post("/contacts", tagged).created());
    let job = nobody();
    world.change(&format!(
        "INSERT INTO jobs (workspace_id, id, kind, payload, run_at, wait, lease_until, attempts, created_at) \
         SELECT id, {}, 'tag.detach', 'nonsense', 0, 0, 0, 0, 0 FROM workspaces",
        stored(world, &job)
    ));
    let error = "SELECT CAST(count(*) AS text) FROM jobs WHERE attempts = 1 AND error LIKE '%jobs.payload of %'";
    eventually("the reason", PATIENCE, || (world.count(error) == 1).then_some(()));
    let name = format!("jobs.payload of {job}");
    eventually("a line of the log", PATIENCE, || world.log().contains(&name).then_some(()));
    // Owners see it on the system page.
    let system = owner(world).inside("GET", "/system").send().ok();
    let jobs = system["jobs"].as_array().cloned().unwrap_or_default();
    let failed = jobs.iter().find(|job| job["kind"] == "tag.detach");
    assert!(failed.is_some_and(|failed| text(&failed["error"]).contains(&name)), "{system}");
    // Other jobs of its kind run.
    let tags = key.get("/tags").page().rows;
    let old = tags.iter().find(|tag| tag["name"] == "Old").map(id).unwrap_or_default();
    key.delete(&format!("/tags/{old}")).ok();
    let worn = format!("SELECT CAST(count(*) AS text) FROM terms WHERE field = 'contact.tag' AND key = '{old}'");
    eventually("the tag taken off", PATIENCE, || (world.count(&worn) == 0).then_some(()));
    assert_eq!(key.get(&format!("/contacts/{ada}")).ok()["tags"], json!(["VIP"]));
    is_deferred(world, &format!("SELECT run_at AS due FROM jobs WHERE id = {}", stored(world, &job)));
    assert_eq!(world.count(error), 1, "the failed job must be deferred");
    let checked = world.run(&["check"]);
    assert!(checked.out.contains(&format!("damaged\t{name}")), "{checked}");
    world.change(&format!("DELETE FROM jobs WHERE id = {}", stored(world, &job)));
}

fn a_damaged_record_does_not_hide_others_from_the_search(world: &World) {
    let key = world.key("full_access");
    let ada = id(&key.post("/contacts", json!({"first_name": "Ada", "skills": ["Rust"]})).created());
    let found = |word: &str| key.list("/contacts", &[("search", word)]).page().ids();
    eventually("the index", PATIENCE, || (found("ada") == [ada.as_str()]).then_some(()));
    let indexed = "SELECT CAST(count(*) AS text) FROM indexed i JOIN contacts c ON c.workspace_id = i.workspace_id \
         WHERE i.collection = 'contacts' AND i.stamp >= c.updated_at";
    eventually("the text", PATIENCE, || (world.count(indexed) == 1).then_some(()));
    let damage = Damage::new(world, "contacts", "emails", &ada);
    world.change(&format!(
        "INSERT INTO texts_due (workspace_id, collection, record) SELECT workspace_id, 'contacts', id FROM contacts WHERE id = {}",
        stored(world, &ada)
    ));
    let ben = id(&key.post("/contacts", json!({"first_name": "Benjamin"})).created());
    damage.is_logged();
    eventually("the other", PATIENCE, || {
        let answer = key.list("/contacts", &[("search", "benjamin")]);
        (answer.status == 200 && answer.page().ids() == [ben.as_str()]).then_some(())
    });
    damage.repair();
    eventually("the record", PATIENCE, || {
        Some(key.get(&format!("/contacts/{ada}"))).filter(|answer| answer.status == 200)
    });
}
