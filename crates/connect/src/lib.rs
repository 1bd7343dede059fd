//! Clients of external services over real protocols. They know nothing of the business rules.

pub mod fault;
pub mod files;
pub mod finder;
pub mod guard;
pub mod images;
pub mod imap;
pub mod mail;
pub mod oauth;
pub mod provider;
pub mod sending_domain;
pub mod server;
pub mod smtp;
pub mod transport;
mod web;
