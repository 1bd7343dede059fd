//! Sends operations their largest bodies, after creating the records that their paths and bodies refer to.

mod subjects;

use crm::api::operation::{BODY, Operation};
use serde_json::{Map, Value, json};

use super::bodies::{
    CUSTOM_FIELDS, Flavour, Names, conditions, excessive, fill, largest, long_lists, mend, options, together,
    with_variants,
};
use crate::support::*;
use crate::{dashboard, oauth};

/// The number of contacts and companies that bodies can refer to.
const PEOPLE: usize = 500;
/// The most accounts of a step, and the most attachments of a mail.
const ACCOUNTS: usize = 50;
const FILES: usize = 20;

/// Members with the id of a record that bodies are sent without: the beginning of the operations' names, the member, and
/// why.
const LEFT_OUT: &[(&str, &str, &str)] = &[
    ("add_project_entry", "stage_id", "it is a stage of the project in the path"),
    ("update_entry", "stage_id", "it is a stage of the entry's project"),
    ("update_project_entry", "stage_id", "it is a stage of the project in the path"),
];

/// The client: with a key for the API, and signed in to the dashboard.
pub(super) struct Sender<'a> {
    pub(super) world: &'a World,
    pub key: Client,
    pub(super) owner: Client,
    outside: Outside,
    pub(super) names: Names,
}

impl<'a> Sender<'a> {
    /// Creates accounts, and the maximum number of custom fields of contacts and companies.
    pub(super) fn new(world: &'a World) -> Sender<'a> {
        world.set(&["--rate-limit", "1000000000", "--plan", "scale"]);
        let (key, owner) = (world.key("full_access"), dashboard::owner(world));
        let outside = Outside::new("people = 10\n");
        for object in ["contacts", "companies"] {
            for n in 0..CUSTOM_FIELDS {
                let field = json!({"key": format!("field_{n}"), "type": "text"});
                let made = owner.inside("POST", &format!("/custom-fields?object={object}")).json(&field).send();
                assert!(made.status < 300, "{made}");
            }
        }
        let items: Vec<Value> =
            (0..PEOPLE).map(|n| json!({"op": "create", "data": {"first_name": format!("P {n}")}})).collect();
        let made = key.post("/contacts/bulk", json!({"items": items})).ok();
        let contacts = member(&made["results"], "id");
        let company = key.post("/companies", json!({"name": "Aster"})).created();
        let one = |id: String| vec![id];
        let mut names = Names::default();
        names.insert("contact_id", contacts);
        for member in ["company_id", "client_company_id"] {
            names.insert(member, one(text(&company["id"])));
        }
        let members = member(&owner.inside("GET", "/members").send().ok(), "user_id");
        for member in ["owner_id", "assigned_to"] {
            names.insert(member, members.clone());
        }
        names.insert("workspace_id", one(text(&key.get("/me").ok()["workspace"]["id"])));
        names.insert("sequence_id", Vec::new());
        let mut sender = Sender { world, key, owner, outside, names };
        let (accounts, files) = (sender.accounts(), sender.files());
        sender.names.insert("account_id", accounts);
        sender.names.insert("attachment", files);
        for (member, kind) in [
            ("close_reason_id", "close"),
            ("loss_reason_id", "loss"),
            ("rejection_reason_id", "rejection"),
            ("primary_source_id", "source"),
        ] {
            let reason = json!({"kind": kind, "name": format!("Reason {}", fill(Flavour::Letters, 20))});
            let reason = sender.inside("/reasons", &reason);
            sender.names.insert(member, one(reason));
        }
        let pipeline = sender.key.get("/deal-pipelines").page().rows[0].clone();
        sender.names.insert("pipeline_id", one(text(&pipeline["id"])));
        sender.names.insert("stage_id", one(text(&pipeline["stages"][0]["id"])));
        let template = json!({"name": "Interviews", "stages": [{"name": "First"}, {"name": "Second"}]});
        let template = sender.inside("/project-templates", &template);
        sender.names.insert("template_id", one(template));
        sender.erase_somebody();
        let network = sender.outside.provider(world, "network");
        sender.names.insert("network", one(network));
        sender.outside.finder(world, "finder", &[]);
        for (member, path) in [("project_id", "/projects"), ("deal_id", "/deals"), ("tag_id", "/tags")] {
            let made = sender.made(path);
            sender.names.insert(member, one(made));
        }
        let sequence = sender.sequence(Flavour::Words, false);
        sender.names.insert("sequence_id", one(sequence));
        sender
    }

    /// Creates a record in the dashboard; returns its id.
    #[track_caller]
    fn inside(&self, path: &str, body: &Value) -> String {
        text(&self.owner.inside("POST", path).json(body).send().is(201).json["data"]["id"])
    }

    /// As many mailboxes as a step may name. Only the first one receives.
    #[track_caller]
    fn accounts(&self) -> Vec<String> {
        let mut accounts = vec![self.outside.mailbox(self.world, "ann@example.com", &[])];
        for n in 1..ACCOUNTS {
            let address = format!("ann.{n}@example.com");
            let smtp = self.outside.smtp(&address);
            let account = json!({"provider": "email", "name": "Ann", "address": address, "smtp": smtp, "test": false});
            accounts.push(self.inside("/accounts", &account));
        }
        accounts
    }

    /// As many files as a mail may have.
    #[track_caller]
    fn files(&self) -> Vec<String> {
        let path = format!("/contacts/{}/files", self.names["contact_id"][0]);
        let name = |n| format!("{n} {}.txt", fill(Flavour::Letters, 180));
        (0..FILES).map(|n| text(&self.key.upload(&path, &name(n), b"content").created()["id"])).collect()
    }

    /// Addresses are compared with those of erased people only if there are any.
    #[track_caller]
    fn erase_somebody(&self) {
        let contact = outside::contact(&self.key, "Eve", &format!("eve.{}@example.com", nobody()));
        self.key.delete(&format!("/contacts/{contact}?erase=true")).is(202);
        crate::erase::finished(self.world);
    }

    fn request(&self, operation: &Operation, path: &str, body: Option<&Value>) -> Answer {
        let request = match operation.role {
            Some(_) => self.owner.inside(operation.method, path),
            None => self.key.request(operation.method, path),
        };
        match body {
            Some(body) => request.json(body).send(),
            None => request.send(),
        }
    }

    /// Sends an operation its largest bodies, one of each flavour if it has text.
    #[track_caller]
    pub(super) fn send_largest(&self, operation: &Operation, flavours: &[Flavour]) {
        let takes_text = operation.body.is_some() || operation.upload.is_some();
        let mut largest: Option<(f64, usize)> = None;
        for flavour in &flavours[..if takes_text { flavours.len() } else { 1 }] {
            if operation.upload.is_some() {
                self.upload(operation, *flavour);
                continue;
            }
            for body in self.bodies(operation, *flavour) {
                let sizes = self.send_mended(operation, *flavour, body);
                largest = largest.into_iter().chain(sizes).max_by(|one, other| one.0.total_cmp(&other.0));
            }
        }
        // A body that is refused again and again could lose what makes it large.
        if let Some((kept, bytes)) = largest {
            println!("  {}: {bytes} bytes, {:.0} % of the largest body", operation.name, 100.0 * kept);
            assert!(kept >= 0.5 || bytes < 1000, "{}: only {kept:.2} of the body is accepted", operation.name);
        }
    }

    /// Sends a body; if it is refused, it is corrected until it is valid. Returns the part of it that was accepted, and its
    /// size before.
    #[track_caller]
    fn send_mended(&self, operation: &Operation, flavour: Flavour, mut body: Option<Value>) -> Option<(f64, usize)> {
        let path = self.path(operation, flavour);
        let size = |body: &Option<Value>| body.as_ref().map(|body| body.to_string().len());
        let whole = size(&body);
        let mut refusals = Vec::new();
        for round in 0..8 {
            let answer = self.request(operation, &path, body.as_ref());
            match (answer.status, &mut body) {
                (..400, _) => {
                    // Items of a bulk request are accepted or refused one by one.
                    let first = &answer.json["data"]["results"][0];
                    assert!(first["status"].as_u64().is_none_or(|status| status < 400), "{first}");
                    return whole.zip(size(&body)).map(|(whole, kept)| (kept as f64 / whole as f64, whole));
                }
                (400, Some(body)) => mend(body, &answer, round),
                _ => panic!("{} {path} needs a case of its own: {answer}", operation.method),
            }
            refusals.push(answer.text());
        }
        panic!("{} {path} takes no body: {}", operation.method, refusals.join("\n"));
    }

    /// Bodies that are refused for their size or content. None may cause a 5xx.
    #[track_caller]
    pub(super) fn send_excessive(&self, operation: &Operation) {
        let Some(body) = &operation.body else { return };
        let schema = resource::input_schema(body.shape.record, body.shape.extra, body.creating);
        let path = self.path(operation, Flavour::Words);
        if operation.name.ends_with("_sequence") {
            let mut unknown = json!({"type": "task"});
            (0..20_000).for_each(|n| unknown[format!("unknown_{n}")] = json!(1));
            let long = json!({"name": fill(Flavour::Marks, 5_000_000)});
            // A body above the general limit is refused before it is read.
            let others = [conditions(50, 99, 1000), json!({"name": "x", "steps": vec![unknown; 40]}), long];
            for refused in long_lists().into_iter().chain(others) {
                let status = if refused.to_string().len() <= body.most { 400 } else { 413 };
                let answer = self.request(operation, &path, Some(&refused));
                assert_eq!(answer.status, status, "{answer}");
            }
        }
        for excess in excessive(&schema, body.most.min(4 * BODY)) {
            // Valid members beside it, so that only the excess is refused.
            let mut whole = body_of(operation, Flavour::Words, &self.names).unwrap_or_else(|| json!({}));
            for (name, value) in excess.as_object().into_iter().flatten() {
                whole[name] = value.clone();
            }
            // A body above the general limit is refused before it is read.
            let most = operation.body.as_ref().map_or(BODY, |body| body.most);
            for body in [excess, whole].into_iter().filter(|body| body.to_string().len() <= most) {
                let answer = self.request(operation, &path, Some(&body));
                assert!(answer.status < 500, "{answer}");
            }
        }
    }

    /// The largest body that the table of fields allows. Fails if a member lacks a record to refer to.
    #[track_caller]
    fn generic(&self, operation: &Operation, flavour: Flavour) -> Option<Value> {
        let left_out = LEFT_OUT.iter().filter(|(name, ..)| operation.name.starts_with(name));
        let left_out: Vec<&str> = left_out.map(|(_, member, _)| *member).collect();
        let mut names = self.names.clone();
        left_out.iter().for_each(|member| names.remove(member));
        let body = body_of(operation, flavour, &names);
        let mut missing = names.missing();
        missing.retain(|member| !left_out.contains(&member.as_str()));
        let name = operation.name;
        assert!(missing.is_empty(), "{name}: `Sender::new` needs a record for {missing:?}, or LEFT_OUT a reason");
        body
    }

    /// The largest body of an operation by its name.
    #[track_caller]
    pub(super) fn generic_of(&self, name: &str, flavour: Flavour) -> Value {
        let operation = crm::operations::all().find(|operation| operation.name == name);
        self.generic(operation.unwrap_or_else(|| panic!("no {name}")), flavour).unwrap_or_else(|| json!({}))
    }

    /// The bodies of an operation: rules that the table of fields does not contain are here.
    fn bodies(&self, operation: &Operation, flavour: Flavour) -> Vec<Option<Value>> {
        let text = |length| fill(flavour, length);
        let names = |name: &str, most: usize| self.names[name].iter().take(most).cloned().collect::<Vec<_>>();
        let whole = |body: Value| vec![Some(body)];
        match operation.name {
            "bulk_contacts" => self.bulk("create_contact", flavour),
            "bulk_companies" => self.bulk("create_company", flavour),
            "bulk_deals" => self.bulk("create_deal", flavour),
            "bulk_tasks" => self.bulk("create_task", flavour),
            "bulk_entries" => {
                let project = self.made("/projects");
                let item = |contact: &String| {
                    let data = json!({"project_id": project, "contact_id": contact, "notes": text(10_000)});
                    json!({"op": "create", "data": data})
                };
                let items: Vec<Value> = names("contact_id", PEOPLE).iter().map(item).collect();
                vec![
                    Some(json!({"items": items[..250]})),
                    Some(json!({"items": together(&items[250..]), "atomic": true})),
                ]
            }
            "merge_contacts" => whole(self.merging("contacts", flavour)),
            "merge_companies" => whole(self.merging("companies", flavour)),
            "merge_tags" => {
                let tag = || {
                    let name = format!("{} {}", nobody(), fill(Flavour::Letters, 60));
                    crate::support::text(&self.key.post("/tags", json!({ "name": name })).created()["id"])
                };
                whole(json!({"into": tag(), "from": (0..20).map(|_| tag()).collect::<Vec<_>>()}))
            }
            "create_sequence" | "update_sequence" => {
                [self.steps(flavour), with_variants(self.steps(flavour)), conditions(5, 2, 1000)].map(Some).into()
            }
            "enroll_contacts" => {
                let mut variables = Map::new();
                (1..=10).for_each(|n| drop(variables.insert(format!("custom_variable_{n}"), text(1000).into())));
                // As many as fit into a body.
                let contacts = names("contact_id", 100);
                let with: Vec<Value> =
                    contacts.iter().map(|id| json!({"contact_id": id, "custom_variables": variables})).collect();
                vec![Some(json!({"contacts": with[..25]})), Some(json!({"contact_ids": names("contact_id", 500)}))]
            }
            "unenroll_contacts" => whole(json!({"contact_ids": names("contact_id", 500)})),
            "retry_enrollments" | "upgrade_enrollments" => {
                vec![Some(json!({"contact_ids": names("contact_id", 500)})), Some(json!({}))]
            }
            "resolve_messages" => whole(json!({"sent": false, "message_ids": names("contact_id", 500)})),
            "add_profiles_to_project" => {
                let profile = |_| {
                    json!({
                        "profile_id": text(200), "first_name": text(100), "last_name": text(100), "location": text(255),
                        "network_url": format!("https://example.com/{}", fill(Flavour::Letters, 400)), "summary": text(10_000),
                        "skills": (0..100).map(|_| text(100)).collect::<Vec<_>>(), "anything": text(20_000),
                        "current_job": {"title": text(255), "company_name": text(255)},
                        "emails": (0..1000).map(|n| format!("a{n}@example.com")).collect::<Vec<_>>(),
                        "phones": ["+1 555 0100"],
                    })
                };
                whole(
                    json!({"project_id": self.made("/projects"), "profiles": (0..100).map(profile).collect::<Vec<_>>()}),
                )
            }
            "enrich_contact" => whole(json!({"types": ["email", "phone"]})),
            "enrich_contacts" => whole(json!({"types": ["email", "phone"], "contact_ids": names("contact_id", 100)})),
            "send_message" => self.messages(flavour),
            "reply_in_conversation" => self.replies(flavour),
            "save_message_draft" => self.drafts(flavour),
            "test_step" => whole(json!({"contact_id": self.names["contact_id"][0]})),
            "search_network_people" | "search_network_jobs" => {
                whole(json!({"account_id": self.names["network"][0], "keywords": fill(Flavour::Words, 100)}))
            }
            "search_people" => whole(
                json!({"source_type": "network", "account_id": self.names["network"][0], "keywords": fill(Flavour::Words, 100)}),
            ),
            "search_profiles" => {
                let words = |_| fill(Flavour::Letters, 100);
                whole(
                    json!({"job_title": (0..50).map(words).collect::<Vec<_>>(), "skills": (0..50).map(words).collect::<Vec<_>>()}),
                )
            }
            "set_default_sequence" => whole(json!({"sequence_id": self.names["sequence_id"][0]})),
            "close_deal" => {
                let won = json!({
                    "status": "won", "signed_amount": 1_000_000, "actual_close_date": "2026-01-15T10:30:00.000Z",
                    "close_reason_id": self.names["close_reason_id"][0],
                });
                vec![Some(won), Some(json!({"status": "lost", "loss_reason_id": self.names["loss_reason_id"][0]}))]
            }
            "move_deal" => {
                let stages = &self.key.get("/deal-pipelines").page().rows[0]["stages"];
                whole(json!({"stage_id": stages[1]["id"]}))
            }
            "untag_contact" | "untag_company" => whole(json!({"tag_id": self.names["tag_id"][0]})),
            "tag_contact" | "tag_company" => whole(json!({"name": text(100)})),
            "create_suppression" => {
                vec![Some(json!({"address": format!("{}@example.com", fill(Flavour::Letters, 60))}))]
            }
            "allow_erased_address" => {
                let address = format!("{}@example.com", nobody());
                let contact = outside::contact(&self.key, "Ada", &address);
                self.key.delete(&format!("/contacts/{contact}?erase=true")).is(202);
                whole(json!({"address": address}))
            }
            "delete_suppression" => {
                let domain = format!("{}.example.com", fill(Flavour::Letters, 60));
                self.key.post("/suppressions", json!({"domain": domain})).created();
                whole(json!({"domain": domain}))
            }
            "dashboard_reauthenticate" => whole(json!({"password": dashboard::PASSWORD})),
            "dashboard_password" => {
                let (now, then) = (dashboard::PASSWORD, "correct staple horse battery 9");
                vec![Some(json!({"current": now, "new": then})), Some(json!({"current": then, "new": now}))]
            }
            "dashboard_plan" => whole(json!({"plan": "scale"})),
            "dashboard_new_account" => {
                let address = format!("{}@example.com", fill(Flavour::Letters, 40));
                let smtp = self.outside.smtp(&address);
                let account =
                    json!({"provider": "email", "name": text(100), "address": address, "smtp": smtp, "test": false});
                whole(account)
            }
            "dashboard_oauth_start" => whole(oauth::start_body(self.world, &self.outside, &text(100))),
            "dashboard_oauth_callback" => whole(oauth::callback_body(self.world, &self.outside, &self.owner)),
            "dashboard_change_account" => {
                whole(json!({"name": text(100), "signature": text(10_000), "visibility": "owner", "test": false}))
            }
            "dashboard_role" => whole(json!({"role": "admin"})),
            "dashboard_new_key" => whole(json!({"name": text(100), "scopes": ["full_access"]})),
            "dashboard_new_field" => {
                let key = format!("f{}", fill(Flavour::Letters, 40));
                whole(json!({"key": key, "type": "multi_select", "label": text(100), "options": options(&text)}))
            }
            "dashboard_change_field" => whole(json!({"label": text(100), "options": options(&text)})),
            // Each stage has a unique name.
            "dashboard_new_pipeline" => {
                let stage = |n| json!({"name": format!("{n} {}", text(90)), "probability": 50, "color": "#a1b2c3"});
                whole(
                    json!({"name": format!("Made {}", fill(Flavour::Letters, 20)), "stages": (0..50).map(stage).collect::<Vec<_>>()}),
                )
            }
            "dashboard_new_template" => {
                let stage = |n| json!({"name": format!("{n} {}", text(90)), "color": "#a1b2c3"});
                whole(
                    json!({"name": format!("Made {}", fill(Flavour::Letters, 20)), "stages": (0..50).map(stage).collect::<Vec<_>>()}),
                )
            }
            _ => vec![self.generic(operation, flavour)],
        }
    }

    /// The maximum number of items of maximum size within the largest body: separately, and all or nothing.
    fn bulk(&self, create: &str, flavour: Flavour) -> Vec<Option<Value>> {
        let item = |_| {
            let mut data = self.generic_of(create, flavour);
            if let Some(members) = data.as_object_mut() {
                // These refer to stages and templates of another record, and do not make a body large.
                members.retain(|name, value| !(name.ends_with("_id") && value.is_string()));
                // A sixth address, and an invalid domain.
                members.retain(|name, _| !["email", "phone", "domain"].contains(&name.as_str()));
            }
            json!({"op": "create", "data": data})
        };
        let first = item(0);
        let most = (15 * 1024 * 1024 / first.to_string().len()).clamp(1, 1000);
        let some: Vec<Value> = std::iter::once(first).chain((1..most.min(100)).map(item)).collect();
        // Each operation accepts one of the names.
        let name = match create {
            "create_contact" => "first_name",
            "create_company" => "name",
            _ => "title",
        };
        let small = |_| json!({"op": "create", "data": {name: "Ada"}});
        let tags =
            |n: usize| (0..100).map(|tag| format!("{} {n} {tag}", fill(Flavour::Letters, 8))).collect::<Vec<_>>();
        let smallest: Vec<Value> = (0..1000).map(small).collect();
        let bulk = |items: &[Value], atomic: bool| Some(json!({"items": items, "atomic": atomic}));
        let together = together(&some);
        let listing = |n: usize| json!({"op": "create", "data": {name: "Ada", "tags": tags(n)}});
        let listing: Vec<Value> = (0..20).map(listing).collect();
        let mut bulks =
            vec![bulk(&some, false), bulk(&together, true), bulk(&smallest, false), bulk(&smallest[..100], true)];
        if ["create_contact", "create_company"].contains(&create) {
            bulks.push(bulk(&listing, true));
        }
        bulks
    }

    /// Twenty-one full records with many linked ones.
    fn merging(&self, collection: &str, flavour: Flavour) -> Value {
        let (into, from) = (
            self.made_as(&format!("/{collection}"), flavour),
            (0..20).map(|_| self.made_as(&format!("/{collection}"), flavour)),
        );
        let from: Vec<String> = from.collect();
        for id in &from {
            for _ in 0..3 {
                let note = json!({"content": fill(flavour, 10_000)});
                self.key.post(&format!("/{collection}/{id}/notes"), note).created();
            }
        }
        let mut body = json!({"into": into, "from": from, "dry_run": true});
        // As many as are merged at once.
        while self.key.post(&format!("/{collection}/merge"), body.clone()).status == 400 {
            let from = body["from"].as_array_mut().expect("ids");
            assert!(from.len() > 2, "two can be merged");
            from.pop();
        }
        body.as_object_mut().expect("a body").remove("dry_run");
        body
    }
}

fn body_of(operation: &Operation, flavour: Flavour, names: &Names) -> Option<Value> {
    let body = operation.body.as_ref()?;
    let schema = resource::input_schema(body.shape.record, body.shape.extra, body.creating);
    largest(&schema, "", flavour, names)
}
