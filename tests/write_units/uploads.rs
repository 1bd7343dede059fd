//! The largest files, and imports of the widest rows.

use base64::Engine as _;
use crm::api::operation::Operation;
use serde_json::json;

use super::bodies::{Flavour, fill};
use super::senders::Sender;
use crate::imports;
use crate::support::*;

impl Sender<'_> {
    /// Files of the maximum size that are hard to parse.
    pub(super) fn upload(&self, operation: &Operation, flavour: Flavour) {
        if !matches!(flavour, Flavour::Words | Flavour::Letters | Flavour::Marks) {
            return;
        }
        match operation.name {
            "create_import" => self.import(flavour),
            "upload_contact_cv" => {
                let text: String = fill(flavour, 300_000).chars().map(|c| format!("\\u{}?", c as u32 as i16)).collect();
                let cv = format!("{{\\rtf1\\ansi {text}}}");
                let path = self.path(operation, flavour);
                self.key.upload(&path, "cv.rtf", cv.as_bytes()).created();
            }
            _ => {
                let path = self.path(operation, flavour);
                self.key.upload(&path, &fill(Flavour::Letters, 200), &vec![7; 10 * 1024 * 1024]).created();
                let bytes = base64::engine::general_purpose::STANDARD.encode(vec![7; 9 * 1024 * 1024]);
                self.key.post(&path, json!({"filename": fill(Flavour::Letters, 200), "file_base64": bytes})).created();
            }
        }
    }

    /// Rows of the maximum width, in both formats and of both collections, then undone.
    fn import(&self, flavour: Flavour) {
        for (collection, create) in [("contacts", "create_contact"), ("companies", "create_company")] {
            let mut lines = String::new();
            for _ in 0..120 {
                let mut row = self.generic_of(create, flavour);
                if let Some(row) = row.as_object_mut() {
                    row.retain(|member, _| !["company_id", "email", "phone", "domain"].contains(&member.as_str()));
                }
                lines.push_str(&format!("{row}\n"));
            }
            let done = imports::import(&self.key, json!({ "collection": collection }), "rows.ndjson", &lines);
            assert!(done["created"].as_i64() > Some(100), "{done}");
            self.key.post(&format!("/imports/{}/undo", text(&done["id"])), json!({})).is(202);
            imports::ended(&self.key, &done);
        }
        // A thousand columns of one list, and many short rows.
        let header: Vec<&str> = (0..1000).map(|n| if n == 0 { "first_name" } else { "skills" }).collect();
        let mut table = format!("{}\n", header.join(","));
        for n in 0..500 {
            table.push_str(&format!("Ada {n}{}\n", ",".repeat(999)));
        }
        imports::import(&self.key, json!({"collection": "contacts"}), "people.csv", &table);
    }
}
