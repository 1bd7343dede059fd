//! Work that no request waits for: jobs, deliveries, incoming mail, sequences, enrichment, OAuth tokens and search indexes.

pub(crate) mod enricher;
pub(crate) mod indexer;
pub(crate) mod jobs;
pub(crate) mod outbox;
pub(crate) mod receive;
pub(crate) mod sequencer;
pub(crate) mod tokens;
