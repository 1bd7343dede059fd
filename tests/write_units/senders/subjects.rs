//! The records that the paths of operations refer to, in the state that each operation requires.

use crm::api::operation::Operation;
use serde_json::{Value, json};

use super::Sender;
use crate::support::*;
use crate::write_units::bodies::{Flavour, fill, mend};
use crate::{dashboard, imports};

impl Sender<'_> {
    /// A new record of a collection.
    #[track_caller]
    pub(in crate::write_units) fn made(&self, collection: &str) -> String {
        let name = format!("Made {}", fill(Flavour::Letters, 20));
        let body = match collection {
            "/contacts" => json!({"first_name": name, "tags": [name]}),
            "/deals" | "/tasks" => json!({"title": name}),
            _ => json!({"name": name}),
        };
        text(&self.key.post(collection, body).created()["id"])
    }

    /// A new contact or company with the largest body.
    #[track_caller]
    pub(in crate::write_units) fn made_as(&self, collection: &str, flavour: Flavour) -> String {
        let mut body =
            self.generic_of(if collection == "/contacts" { "create_contact" } else { "create_company" }, flavour);
        for round in 0..8 {
            let answer = self.key.post(collection, body.clone());
            if answer.status == 201 {
                return text(&answer.created()["id"]);
            }
            mend(&mut body, &answer, round);
        }
        panic!("no {collection} is made of {body}");
    }

    /// The operation's path, with new records for its parameters.
    #[track_caller]
    pub(in crate::write_units) fn path(&self, operation: &Operation, flavour: Flavour) -> String {
        let mut path = String::new();
        for segment in operation.path.split('/').skip(1) {
            path.push('/');
            match segment.starts_with('{') {
                true => path.push_str(&self.subject(operation, path.trim_end_matches('/'), flavour)),
                false => path.push_str(segment),
            }
        }
        match operation.name {
            "dashboard_new_field" => {
                self.make_room("/custom-fields?object=contacts", "/custom-fields");
                path + "?object=contacts"
            }
            "dashboard_new_pipeline" | "dashboard_new_template" => {
                self.make_room(&path, &path);
                path
            }
            "find_network_locations" => format!("{path}?q=berlin&account_id={}", self.names["network"][0]),
            "untag_contact" | "untag_company" => {
                let tag = json!({"tag_id": self.names["tag_id"][0]});
                self.key.post(&path, tag).created();
                path
            }
            "delete_contact_cv" => {
                self.key.upload(&path, "cv.rtf", b"{\\rtf1\\ansi Ada}").created();
                path
            }
            "remove_default_sequence" => {
                self.key.put(&path, json!({"sequence_id": self.names["sequence_id"][0]})).ok();
                path
            }
            _ => path,
        }
    }

    /// A record in the state that the operation requires: the one whose id follows `below`.
    #[track_caller]
    fn subject(&self, operation: &Operation, below: &str, flavour: Flavour) -> String {
        let inside = |path: &str, body: Value| {
            let made = self.owner.inside("POST", path).json(&body).send();
            made.is(201).json["data"].clone()
        };
        let name = || format!("Made {}", fill(Flavour::Letters, 20));
        let id = |record: &Value| text(&record["id"]);
        match below {
            "/contacts" | "/companies" if operation.method == "PUT" => self.made_as(below, flavour),
            "/contacts" => {
                let contact = json!({"first_name": "Ada", "email": format!("ada.{}@example.com", nobody())});
                id(&self.key.post("/contacts", contact).created())
            }
            "/deals" if operation.name == "reopen_deal" => {
                let deal = self.made("/deals");
                self.key.post(&format!("/deals/{deal}/close"), json!({"status": "won"})).ok();
                deal
            }
            "/companies" | "/deals" | "/projects" | "/tags" | "/tasks" => self.made(below),
            "/notes" => {
                let path = format!("/contacts/{}/notes", self.names["contact_id"][0]);
                id(&self.key.post(&path, json!({"content": "Called."})).created())
            }
            "/contacts/merge" | "/companies/merge" => {
                let collection = below.trim_end_matches("/merge").trim_start_matches('/');
                text(&self.key.post(below, self.merging(collection, flavour)).ok()["id"])
            }
            "/sequences" if operation.name == "test_step" => {
                let step = json!({"type": "email", "subject": "Hello", "body": "Hello"});
                id(&self.key.post("/sequences", json!({"name": name(), "steps": [step]})).created())
            }
            "/message-drafts" => {
                let draft = json!({"contact_id": self.made("/contacts"), "content": "Hello"});
                id(&self.key.post("/message-drafts", draft).created())
            }
            "/message-templates" => {
                let template = json!({"name": name(), "content": "Hello"});
                id(&self.key.post("/message-templates", template).created())
            }
            "/messages" => {
                let contact = outside::contact(&self.key, "Ada", &format!("ada.{}@example.com", nobody()));
                let later = (now() + std::time::Duration::from_secs(86_400)).to_string();
                let message = json!({"contact_id": contact, "channel": "email", "content": "Hello", "send_at": later});
                id(&self.key.post("/messages", message).created())
            }
            "/sequences" => match operation.name {
                "start_sequence" => self.sequence(flavour, false),
                "pause_sequence" | "enroll_contacts" => self.sequence(flavour, true),
                "retry_enrollments" => self.failed(),
                "upgrade_enrollments" => self.outdated(),
                "unenroll_contacts" | "archive_sequence" => self.populated(),
                _ => self.sequence(Flavour::Words, false),
            },
            "/enrollments" => {
                let (sequence, contact) = (self.sequence(Flavour::Words, true), self.made("/contacts"));
                let path = format!("/sequences/{sequence}/enroll");
                let done = self.key.post(&path, json!({"contact_ids": [contact]})).ok();
                let enrollment = text(&done["results"][0]["enrollment_id"]);
                match operation.name {
                    "resume_enrollment" => {
                        drop(self.key.post(&format!("/enrollments/{enrollment}/pause"), json!({})).ok())
                    }
                    "retry_enrollment" => self.fail(&sequence),
                    _ => {}
                }
                enrollment
            }
            "/conversations" => {
                let contact = outside::contact(&self.key, "Ada", &format!("ada.{}@example.com", nobody()));
                let message =
                    json!({"contact_id": contact, "channel": "email", "subject": "Hello", "content": "Hello"});
                text(&self.key.post("/messages", message).created()["conversation_id"])
            }
            "/imports" => {
                let people = "first_name\nAda\nGrace\n";
                text(&imports::import(&self.key, json!({"collection": "contacts"}), "people.csv", people)["id"])
            }
            "/pipeline-entries" => {
                let project = self.made("/projects");
                id(&self.entry(&project))
            }
            "/keys" => id(&inside("/keys", json!({"name": name(), "scopes": ["tags:read"]}))),
            "/sessions" => {
                let body = json!({"email": "ada@example.com", "password": dashboard::PASSWORD});
                self.owner.inside("POST", "/sign-in").json(&body).send().ok();
                let sessions = self.owner.inside("GET", "/sessions").send().ok();
                let other = sessions.as_array().into_iter().flatten().find(|session| session["current"] != true);
                id(other.unwrap_or_else(|| panic!("no other session in {sessions}")))
            }
            "/members" => {
                let email = format!("{}@example.com", fill(Flavour::Letters, 20));
                self.world.cli(["members", "add", "--email", &email, "--role", "member"]).ok();
                let members = self.owner.inside("GET", "/members").send().ok();
                let member = members.as_array().into_iter().flatten().find(|member| member["email"] == email.as_str());
                text(&member.unwrap_or_else(|| panic!("{email} is not in {members}"))["user_id"])
            }
            "/invitations" => {
                let invitation =
                    json!({"email": format!("{}@example.com", fill(Flavour::Letters, 20)), "role": "member"});
                id(&inside("/invitations", invitation))
            }
            "/custom-fields" => {
                self.make_room("/custom-fields?object=companies", "/custom-fields");
                let key = format!("f{}", fill(Flavour::Letters, 20));
                let field = json!({"key": key, "type": "multi_select", "options": [{"value": "A", "label": "A"}]});
                id(&inside("/custom-fields?object=companies", field))
            }
            "/reasons" => id(&inside("/reasons", json!({"kind": "loss", "name": name()}))),
            "/deal-pipelines" => {
                self.make_room("/deal-pipelines", "/deal-pipelines");
                let stages: Vec<Value> = (0..49).map(|n| json!({"name": format!("Stage {n}")})).collect();
                id(&inside("/deal-pipelines", json!({"name": name(), "stages": stages})))
            }
            "/deal-stages" => {
                self.make_room("/deal-pipelines", "/deal-pipelines");
                let pipeline =
                    inside("/deal-pipelines", json!({"name": name(), "stages": [{"name": "A"}, {"name": "B"}]}));
                id(&pipeline["stages"][0])
            }
            "/project-templates" | "/template-stages" => {
                let stages: Vec<Value> = (0..49).map(|n| json!({"name": format!("Stage {n}")})).collect();
                let template = inside("/project-templates", json!({"name": name(), "stages": stages}));
                if below == "/project-templates" { id(&template) } else { id(&template["stages"][0]) }
            }
            "/accounts" | "/connected-accounts" => {
                let address = format!("{}@example.com", fill(Flavour::Letters, 20));
                self.outside.mailbox(self.world, &address, &[])
            }
            "/views" => id(&inside("/views", json!({"name": name(), "collection": "contacts", "state": {}}))),
            _ => {
                let parent = below.rsplit_once('/').map_or(below, |(parent, _)| parent);
                if below.ends_with("/steps") {
                    return id(&self.key.get(parent).ok()["steps"][0]);
                }
                if below.ends_with("/files") {
                    return id(&self.key.upload(below, "a.txt", b"Ada").created());
                }
                if below.ends_with("/entries") {
                    return id(&self.entry(parent.trim_start_matches("/projects/")));
                }
                if below.ends_with("/contacts") {
                    let contact = self.made("/contacts");
                    self.key.post(below, json!({"contact_id": contact})).created();
                    return contact;
                }
                panic!("{} {}: say here how a record below {below} is made", operation.method, operation.path)
            }
        }
    }

    #[track_caller]
    fn entry(&self, project: &str) -> Value {
        let contact = self.made("/contacts");
        self.key.post(&format!("/projects/{project}/entries"), json!({"contact_id": contact})).created()
    }

    /// Removes the last item of a dashboard collection that has a limit.
    fn make_room(&self, list: &str, each: &str) {
        let all = self.owner.inside("GET", list).send();
        if let Some(last) = all.json["data"].as_array().and_then(|all| all.last()) {
            self.owner.inside("DELETE", &format!("{each}/{}", text(&last["id"]))).send();
        }
    }
}
