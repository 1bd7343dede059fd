//! Messages: connected accounts, conversations, the outbox, received mail, sequences and enrollments.

pub mod account;
pub mod attached;
pub mod compose;
pub mod contact_search;
pub mod conversation;
pub mod delivery;
pub mod enrollment;
pub mod inbound;
pub mod many;
pub mod markup;
pub mod message;
pub mod message_template;
pub mod oauth;
pub mod outbox;
pub mod quote;
pub mod sequence;
pub mod signature;
pub mod skipped_mail;
pub mod suppression;
pub mod template_values;
