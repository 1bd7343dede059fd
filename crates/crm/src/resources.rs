//! Every resource with a table of its own. `relata check` reads all rows of them, and tests compare the migrations with
//! their fields and indexes.

use crate::collaboration::note::Note;
use crate::dashboard::views::View;
use crate::outreach::account::ConnectedAccount;
use crate::outreach::conversation::Conversation;
use crate::outreach::enrollment::Enrollment;
use crate::outreach::message::Message;
use crate::outreach::message_template::MessageTemplate;
use crate::outreach::sequence::Sequence;
use crate::outreach::skipped_mail::UnstoredMail;
use crate::outreach::suppression::Suppression;
use crate::pipelines::deal::Deal;
use crate::pipelines::entry::Entry;
use crate::pipelines::pipeline::{DealPipeline, DealStage};
use crate::pipelines::project::{Project, Stage};
use crate::pipelines::reason::Reason;
use crate::pipelines::task::Task;
use crate::pipelines::template::ProjectTemplate;
use crate::records::company::Company;
use crate::records::contact::Contact;
use crate::records::custom_field::CustomField;
use crate::records::tag::Tag;
use crate::sourcing::enrichment::EnrichmentRequest;
use crate::transfer::import::Import;
use resource::{About, Ctx, Error, Field, Resource};
use store::Tx;

/// A resource without its type.
pub struct Stored {
    pub about: &'static About,
    pub fields: &'static [Field],
    pub damaged: Damaged,
}

/// The errors of rows that can't be read, about as many as asked for.
type Damaged = fn(&Ctx, &mut dyn Tx, usize) -> Result<Vec<Error>, Error>;

pub const RESOURCES: &[Stored] = &[
    of::<Contact>(),
    of::<Company>(),
    of::<Deal>(),
    of::<Project>(),
    of::<Stage>(),
    of::<Entry>(),
    of::<Task>(),
    of::<Note>(),
    of::<Tag>(),
    of::<Sequence>(),
    of::<Enrollment>(),
    of::<Conversation>(),
    of::<Message>(),
    of::<MessageTemplate>(),
    of::<Suppression>(),
    of::<EnrichmentRequest>(),
    of::<ConnectedAccount>(),
    of::<CustomField>(),
    of::<Import>(),
    of::<Reason>(),
    of::<DealPipeline>(),
    of::<DealStage>(),
    of::<ProjectTemplate>(),
    of::<View>(),
    of::<UnstoredMail>(),
];

const fn of<R: Resource>() -> Stored {
    Stored { about: &R::ABOUT, fields: R::FIELDS, damaged: resource::damaged::<R> }
}
