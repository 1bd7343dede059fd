//! The path of a request, from the accepted connection to the answer. `pipeline` runs its stages in order.

pub(crate) mod assets;
pub(crate) mod auth;
pub(crate) mod body;
mod bulk;
pub(crate) mod connections;
pub(crate) mod cors;
mod docs;
mod email_links;
pub(crate) mod envelope;
mod etag;
pub(crate) mod event_stream;
mod form;
pub(crate) mod idempotency;
pub(crate) mod limit;
mod paid;
pub(crate) mod pipeline;
mod provider_webhook;
mod proxy;
mod received;
pub(crate) mod record_cache;
mod refused;
pub(crate) mod request_log;
mod run;
pub(crate) mod sign_in;
mod spool;
pub(crate) mod timing;
pub(crate) mod turns;
