//! The groups of operations: one for each collection, in the order of the reference.

use serde_json::{Value as Json, json};

const TAGS: &[(&str, &str)] = &[
    ("contacts", "People: candidates, customers and everybody else that you talk to."),
    ("companies", "Organisations that people work for and deals are made with."),
    ("deals", "Sales opportunities on their way through a pipeline."),
    ("deal-pipelines", "The stages of deals."),
    ("projects", "Searches for candidates, each with its own pipeline."),
    ("project-templates", "Stages to begin a project with."),
    ("pipeline-entries", "Candidates of projects, and the stages they are in."),
    ("reasons", "Why candidates are rejected, deals closed or lost, and where candidates come from."),
    ("tasks", "What somebody has to do, and until when."),
    ("notes", "Texts about a contact, a company, a deal or a project."),
    ("tags", "Labels of contacts and companies."),
    ("conversations", "Messages with one person over one connected account."),
    ("messages", "Single messages, received or sent."),
    ("message-drafts", "Messages that are not sent yet, for their author alone."),
    ("message-templates", "Texts that messages are written from, with variables."),
    ("connected-accounts", "Mailboxes and accounts of the network that messages are sent from."),
    ("sequences", "Messages and tasks in steps, sent to many people."),
    ("enrollments", "People on their way through a sequence."),
    ("suppressions", "Addresses and domains that nothing is sent to."),
    ("sourcing", "Searching for people outside."),
    ("enrichment", "Looking up missing addresses and profiles."),
    ("imports", "Bringing in files."),
    ("exports", "Whole collections as a file."),
    ("events", "Every change in its order, as pages or as a stream."),
    ("erased-addresses", "Addresses of erased people, which are not stored again."),
    ("workspace", "The workspace of the key."),
    ("me", "The key itself."),
];

/// Operations of other collections come last, without a description; a test finds them.
pub(super) fn described() -> Json {
    TAGS.iter().map(|(name, description)| json!({ "name": name, "description": description })).collect()
}
