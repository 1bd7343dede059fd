//! Contacts: what they hold, what they refuse, how they change.
use serde_json::json;

use crate::support::*;

stories![a_contact_needs_a_first_name];

fn a_contact_needs_a_first_name(world: &World) {
    let key = world.key("crm");
    key.post("/contacts", json!({})).invalid("first_name");
}
