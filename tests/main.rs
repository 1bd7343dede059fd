//! Stories over HTTP: what a client, an operator or an attacker does, and what the service answers.
//!
//! The server under test is the real binary. Every story runs on both engines on a database of its own and never
//! names one; every answer is also read against the OpenAPI document that the server gives out. `bin/test` runs them
//! all with a PostgreSQL cluster of their own, `bin/test NAME` those whose name holds NAME.

#[macro_use]
mod support;

mod accounts;
mod bucket;
mod bulk;
mod candidates;
mod cli;
mod companies;
mod connections;
mod contacts;
mod crash;
mod credits;
mod custom_fields;
mod cv;
mod dashboard;
mod deal_links;
mod deals;
mod default_sequences;
mod demo;
mod depth;
mod duplicates;
mod enrichment;
mod enrichment_kills;
mod enrollments;
mod entries;
mod etag;
mod exports;
mod extraction;
mod feed;
mod files;
mod finders;
mod forms;
mod fuzz;
mod grammar;
mod health;
mod idempotency;
mod imports;
mod input;
mod kept;
mod keys;
mod kills;
mod limits;
mod lists;
mod messages;
mod moments;
mod network;
mod notes;
mod one_search;
mod operations;
mod outbox;
mod outreach;
mod patterns;
mod pipelines;
mod plans;
mod previews;
mod profile_credits;
mod profiles;
mod projects;
mod real_mail;
mod reasons;
mod receiving;
mod sandbox;
mod schedules;
mod search;
mod sequences;
mod settings;
mod shell;
mod simulation;
mod sourcing;
mod steadiness;
mod stream;
mod suppressions;
mod sync;
mod tags;
mod tasks;
mod templates;
mod tidy;
mod timeline;
mod untrusted;
mod weather;
mod workspaces;
