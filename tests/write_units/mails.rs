//! The largest messages, and drafts of them.

use serde_json::{Value, json};

use super::bodies::{Flavour, copies, email, fill};
use super::senders::Sender;
use crate::dashboard;
use crate::support::*;

impl Sender<'_> {
    /// Messages of a text and of a template, to different people.
    #[track_caller]
    pub(super) fn messages(&self, flavour: Flavour) -> Vec<Option<Value>> {
        let message = |text: Value| {
            let mut message = self.message(flavour, text);
            message["contact_id"] = self.person().into();
            message["channel"] = "email".into();
            message["account_id"] = self.signed(flavour).into();
            Some(message)
        };
        vec![message(json!({"content": fill(flavour, 100_000)})), message(self.template(flavour))]
    }

    /// The same as answers.
    #[track_caller]
    pub(super) fn replies(&self, flavour: Flavour) -> Vec<Option<Value>> {
        self.signed(flavour);
        let content = json!({"content": fill(flavour, 100_000)});
        vec![Some(self.message(flavour, content)), Some(self.message(flavour, self.template(flavour)))]
    }

    /// A new draft, and one in a conversation.
    #[track_caller]
    pub(super) fn drafts(&self, flavour: Flavour) -> Vec<Option<Value>> {
        let draft = |contact: String| {
            let mut draft = self.message(flavour, json!({"content": fill(flavour, 100_000)}));
            draft.as_object_mut().expect("an object").remove("draft_id");
            draft["contact_id"] = contact.into();
            draft["account_id"] = self.names["account_id"][0].as_str().into();
            draft
        };
        let person = self.person();
        let message = json!({"contact_id": person, "channel": "email", "content": "Hello", "send_at": tomorrow()});
        let mut in_conversation = draft(person);
        in_conversation["conversation_id"] = self.key.post("/messages", message).created()["conversation_id"].take();
        vec![Some(draft(self.person())), Some(in_conversation)]
    }

    /// What messages and answers have in common, with a draft to delete.
    #[track_caller]
    fn message(&self, flavour: Flavour, mut message: Value) -> Value {
        let draft = json!({"contact_id": self.person(), "content": "Hello"});
        let draft = self.key.post("/message-drafts", draft).created();
        let others = json!({
            "subject": fill(flavour, 255), "cc": copies(0..20), "bcc": copies(20..40), "reply_to": email(),
            "attachments": self.names["attachment"], "signature": true, "send_at": tomorrow(), "draft_id": draft["id"],
        });
        for (name, value) in others.as_object().into_iter().flatten() {
            message[name] = value.clone();
        }
        message
    }

    /// A contact with long names.
    #[track_caller]
    fn person(&self) -> String {
        let address = format!("ada.{}@example.com", nobody());
        let person = json!({"first_name": fill(Flavour::Letters, 60), "last_name": "Byron", "email": address});
        text(&self.key.post("/contacts", person).created()["id"])
    }

    /// The largest template, which makes a text of nearly the maximum length.
    #[track_caller]
    fn template(&self, flavour: Flavour) -> Value {
        let content = fill(flavour, 10_000) + &" {{ first_name }}".repeat(588);
        let template = json!({"name": format!("Template {}", nobody()), "subject": "Hello", "content": content});
        json!({"template_id": self.key.post("/message-templates", template).created()["id"]})
    }

    /// The account that sends by default, with the largest signature.
    #[track_caller]
    fn signed(&self, flavour: Flavour) -> String {
        let account = &self.names["account_id"][0];
        // The long run takes longer than a password lasts.
        let again = json!({"password": dashboard::PASSWORD});
        self.owner.inside("POST", "/session/reauthenticate").json(&again).send().ok();
        let change = json!({"signature": fill(flavour, 10_000), "test": false});
        let changed = self.owner.inside("PUT", &format!("/accounts/{account}")).json(&change).send();
        changed.ok();
        account.clone()
    }
}

/// Nothing is sent while the test runs.
fn tomorrow() -> String {
    (now() + std::time::Duration::from_secs(86_400)).to_string()
}
