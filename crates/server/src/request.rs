//! The path of a request, from the accepted connection to the answer. `pipeline` runs its stages in order.

pub(crate) mod assets;
pub(crate) mod auth;
pub(crate) mod body;
mod bulk;
pub(crate) mod connections;
mod docs;
mod email_links;
pub(crate) mod envelope;
mod etag;
pub(crate) mod event_stream;
pub(crate) mod idempotency;
pub(crate) mod limit;
mod paid;
pub(crate) mod pipeline;
mod provider_webhook;
mod proxy;
pub(crate) mod record_cache;
mod refused;
pub(crate) mod request_log;
pub(crate) mod sign_in;
pub(crate) mod timing;
