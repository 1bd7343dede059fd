//! The images of a mail, loaded by the server when a reader asks for them. The browser loads none itself, so the sender
//! learns nothing about it, and the content policy of the dashboard needs no exception.

use crate::api::call::{Call, Reply};
use crate::api::effects::{Effect, EffectResult};
use crate::api::operation::{EffectSteps, Operation, post};
use crate::api::scope::{Feature, Role};
use crate::outreach::message;
use resource::{Error, Items, Resource};
use serde_json::{Value as Json, json};
use store::Tx;

#[derive(Resource)]
pub struct MailImage {
    /// As in the `data-src` of the message's HTML.
    pub address: String,
    /// A `data:` URL; `null` if the image can't be loaded.
    pub content: Option<String>,
}

#[derive(Resource)]
pub struct MailImages {
    pub images: Items<MailImage>,
}

pub const OPERATIONS: &[Operation] =
    &[post("/messages/{id}/images", "dashboard_load_images", "Load the images of a mail")
        .gives::<MailImages>(&[200])
        .role(Role::Member)
        .feature(Feature::Outreach)
        .read_effect(EffectSteps { prepare, complete })];

fn prepare(call: &Call, tx: &mut dyn Tx) -> Result<Effect, Error> {
    let html = message::seen(call, tx)?.record.html.unwrap_or_default();
    Ok(Effect::LoadImages { workspace: call.ctx.workspace, html })
}

fn complete(_: &Call, _: &mut dyn Tx, _: &Effect, result: &EffectResult) -> Result<Reply, Error> {
    let EffectResult::Images(images) = result else {
        return Err(store::Error::Internal("there are no images".into()).into());
    };
    let shown = images.iter().map(|(address, content)| json!({ "address": address, "content": content }));
    Ok(Reply::json(&json!({ "images": shown.collect::<Vec<Json>>() })))
}
