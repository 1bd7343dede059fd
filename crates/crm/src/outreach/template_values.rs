//! The values that templates can name, of one contact and one sender.

use crate::outreach::account::ConnectedAccount;
use crate::records::company;
use crate::records::contact::Contact;
use crate::tenant::member::Member;
use resource::{Ctx, Error, Resource, Saved, place};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid};

/// Who a message is from.
#[derive(Clone, Copy)]
pub enum Sender<'a> {
    Account(&'a Saved<ConnectedAccount>),
    /// A person sends it by other means.
    Member(Uuid),
    Nobody,
}

/// The members of the contact, `custom_data`, `company` and `sender`. Null and empty values are left out, so that the
/// template's fallback is used. `members` are those of the workspace, who are also the owners of accounts.
pub fn of(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    contact: &Saved<Contact>,
    sender: Sender,
    members: &[Member],
) -> Result<Map<String, Json>, Error> {
    let shown = contact.shown(ctx, tx)?.json;
    let mut names: Map<String, Json> = place(Contact::ABOUT.table, "", &contact.id).bytes(&shown)?;
    names.retain(|_, value| !is_empty(value));
    let mut custom = contact.record.custom_data.clone();
    custom.retain(|_, value| !is_empty(value));
    names.insert("custom_data".into(), custom.into());
    let company = match contact.record.company_id {
        Some(id) => company::named(ctx, tx, id)?.map(|company| company.record.name),
        None => contact.record.current_company.clone(),
    };
    names.insert("company".into(), named(company));
    names.insert("sender".into(), sent_by(sender, members));
    Ok(names)
}

/// An object with a name, if there is one.
pub fn named(name: Option<String>) -> Json {
    name.filter(|name| !name.trim().is_empty()).map_or(json!({}), |name| json!({ "name": name }))
}

/// The name, first name and address of the sender.
fn sent_by(sender: Sender, members: &[Member]) -> Json {
    let member = |id: Uuid| members.iter().find(|member| member.user_id == id);
    let [name, first_name, email] = match sender {
        Sender::Account(account) => {
            let record = &account.record;
            let first =
                member(record.owner_id).map(|member| member.first_name.clone()).filter(|name| !name.trim().is_empty());
            let first = first.or_else(|| record.name.split_whitespace().next().map(str::to_owned));
            [Some(record.name.clone()), first, record.address.clone()]
        }
        Sender::Member(id) => match member(id) {
            Some(member) => {
                let name = format!("{} {}", member.first_name, member.last_name).trim().to_owned();
                [Some(name), Some(member.first_name.clone()), Some(member.email.clone())]
            }
            None => [None, None, None],
        },
        Sender::Nobody => [None, None, None],
    };
    let mut sender = Map::new();
    for (member, value) in [("name", name), ("first_name", first_name), ("email", email)] {
        if let Some(value) = value.filter(|value| !value.trim().is_empty()) {
            sender.insert(member.into(), value.into());
        }
    }
    sender.into()
}

pub fn is_empty(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::String(text) => text.trim().is_empty(),
        Json::Array(items) => items.is_empty(),
        Json::Object(members) => members.is_empty(),
        _ => false,
    }
}
