//! The enrollments that a request is about: those of named contacts, or all that a query finds, in pages.

use super::Enrollment;
use crate::outreach::many::{self, Asked, Done, MOST};
use resource::{Ctx, Error, Saved, find};
use std::collections::BTreeSet;
use store::{Tx, Uuid, Value};

pub(super) struct Chosen<'a> {
    pub sequence: Uuid,
    /// Finds the enrollment of a contact ($2) in the sequence ($3).
    pub of_contact: &'static str,
    /// Why a contact without such an enrollment is refused.
    pub absent: &'static str,
    /// Finds ids and contacts of enrollments of the sequence ($2), in order. Its last parameters are the id to begin after, and
    /// how many.
    pub page: &'static str,
    /// The parameters between them.
    pub filter: &'a [Value],
}

impl Chosen<'_> {
    /// Changes each enrollment. `act` gives the reason if it refuses one.
    pub(super) fn each(
        &self,
        ctx: &Ctx,
        tx: &mut dyn Tx,
        asked: &Asked,
        mut act: impl FnMut(&mut dyn Tx, &Saved<Enrollment>) -> Result<Option<String>, Error>,
    ) -> Result<Done, Error> {
        let (mut enrollments, mut absent) = (Vec::new(), Vec::new());
        match asked {
            Asked::All { after } => {
                let of: [Value; 2] = [ctx.workspace.into(), self.sequence.into()];
                let params = [&of[..], self.filter, &[(*after).into(), MOST.into()]].concat();
                enrollments = tx.rows(self.page, &params, |row| Ok((row.id(0)?, row.id(1)?)))?;
            }
            Asked::Named(contacts) => {
                let mut seen = BTreeSet::new();
                for contact in contacts {
                    let contact = resource::survivor(ctx, tx, *contact)?.unwrap_or(*contact);
                    if !seen.insert(contact) {
                        continue;
                    }
                    let params = [ctx.workspace.into(), contact.into(), self.sequence.into()];
                    match tx.one(self.of_contact, &params, |row| row.id(0))? {
                        Some(id) => enrollments.push((id, contact)),
                        None => absent.push((contact, self.absent.to_owned())),
                    }
                }
            }
        }
        let mut done = many::each(tx, asked, &enrollments, |tx, id| {
            let saved = find::<Enrollment>(ctx, tx, id)?;
            act(tx, &saved)
        })?;
        done.refused.splice(0..0, absent);
        Ok(done)
    }
}
