//! The outside world: small clients over real protocols, each knowing nothing of the business.

pub mod fault;
pub mod files;
pub mod finder;
pub mod guard;
pub mod imap;
pub mod mail;
pub mod provider;
pub mod sandbox;
pub mod server;
pub mod smtp;
mod transport;
mod web;
