//! A sequence with what the engine needs of it again and again, read once per transaction.

use super::addresses;
use super::counts::Counts;
use crate::outreach::account::{Channel, ConnectedAccount};
use crate::outreach::attached::Files;
use crate::outreach::sequence::plan::{self, Delay, ParsedStep};
use crate::outreach::sequence::senders::Connected;
use crate::outreach::sequence::window::Schedule;
use crate::outreach::sequence::{self, Sequence, zone};
use crate::records::contact::Contact;
use crate::tenant::member::{self, Member};
use resource::{Batch, Ctx, Error, Saved, find};
use std::collections::HashMap;
use std::rc::Rc;
use store::{Tx, Uuid};

pub struct SequenceContext {
    pub sequence: Saved<Sequence>,
    pub schedule: Schedule,
    /// Contacts that were read ahead.
    pub contacts: Batch<Contact>,
    /// Changes of counts that are not written yet.
    pub counts: Counts,
    /// Whether the counts of many changes are written together, by `write_counts`.
    pub defers_counts: bool,
    versions: Vec<(i64, Rc<[ParsedStep]>)>,
    accounts: HashMap<Uuid, Rc<Saved<ConnectedAccount>>>,
    /// The workspace's members.
    members: Option<Rc<[Member]>>,
    /// Files that steps attach.
    pub files: Files,
    /// Accounts that can't send any more in this transaction.
    pub(super) busy: HashMap<Uuid, Busy>,
    connected: Connected,
    /// The accounts that may send, by step.
    senders: HashMap<Uuid, Vec<Uuid>>,
}

/// Why no account can send a step now.
#[derive(Clone)]
pub(super) struct Busy {
    /// Until when, as far as is known.
    pub delay: Delay,
    /// When the engine looks again. That is earlier if it can change at any time.
    pub look_at: i64,
}

impl SequenceContext {
    pub fn of(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid) -> Result<SequenceContext, Error> {
        let sequence = find::<Sequence>(ctx, tx, sequence)?;
        let schedule = Schedule::read(&sequence)?;
        Ok(SequenceContext {
            sequence,
            schedule,
            contacts: Batch::default(),
            counts: Counts::default(),
            defers_counts: false,
            versions: Vec::new(),
            accounts: HashMap::new(),
            members: None,
            files: Files::default(),
            busy: HashMap::new(),
            connected: Connected::default(),
            senders: HashMap::new(),
        })
    }

    /// The steps of a version.
    pub fn steps(&mut self, ctx: &Ctx, tx: &mut dyn Tx, version: i64) -> Result<Rc<[ParsedStep]>, Error> {
        if let Some((_, steps)) = self.versions.iter().find(|(known, _)| *known == version) {
            return Ok(steps.clone());
        }
        let steps = sequence::read_steps(&sequence::steps_of(ctx, tx, self.sequence.id, version)?)?;
        let steps = plan::read(&steps).map_err(|error| error.at("steps").in_row("sequence_versions", self.sequence.id));
        let steps: Rc<[ParsedStep]> = steps?.into();
        self.versions.push((version, steps.clone()));
        Ok(steps)
    }

    /// An account.
    pub fn account(&mut self, ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Rc<Saved<ConnectedAccount>>, Error> {
        if let Some(account) = self.accounts.get(&id) {
            return Ok(account.clone());
        }
        let account = Rc::new(find::<ConnectedAccount>(ctx, tx, id)?);
        self.accounts.insert(id, account.clone());
        Ok(account)
    }

    /// The members of the workspace.
    pub fn members(&mut self, ctx: &Ctx, tx: &mut dyn Tx) -> Result<Rc<[Member]>, Error> {
        if let Some(members) = &self.members {
            return Ok(members.clone());
        }
        let members: Rc<[Member]> = member::list(ctx, tx)?.into();
        self.members = Some(members.clone());
        Ok(members)
    }

    /// The accounts that may send a step.
    pub fn senders(
        &mut self,
        ctx: &Ctx,
        tx: &mut dyn Tx,
        step: &ParsedStep,
        channel: Channel,
    ) -> Result<Vec<Uuid>, Error> {
        if let Some(senders) = self.senders.get(&step.id) {
            return Ok(senders.clone());
        }
        let senders = self.connected.senders(ctx, tx, &self.sequence.record.owner_ids.0, step, channel)?;
        self.senders.insert(step.id, senders.clone());
        Ok(senders)
    }

    /// The schedule in the contact's time zone, if the sequence follows that and the zone is known.
    pub fn schedule_for(&self, contact: &Contact) -> Schedule {
        let phones: Vec<String> = addresses(&contact.phones.0, "phone");
        match zone::of(contact.location.as_deref(), &phones).filter(|_| self.schedule.use_contact_timezone) {
            Some(zone) => self.schedule.in_zone(zone),
            None => self.schedule.clone(),
        }
    }

    /// Writes the counts now, unless they are written together later.
    pub fn count(&mut self, ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
        if self.defers_counts { Ok(()) } else { self.write_counts(ctx, tx) }
    }

    /// Writes all changes of counts.
    pub fn write_counts(&mut self, ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
        self.counts.write(ctx, tx, self.sequence.id)
    }
}
