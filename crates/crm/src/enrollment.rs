//! What the outbox and the inbox ask and tell an enrollment: a message may belong to a step of one.

use resource::{Ctx, Error};
use store::{Tx, Uuid};

/// The step of an enrollment that a message is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    pub enrollment_id: Uuid,
    pub step_id: Uuid,
}

/// Whether a message of an enrollment may be handed over now.
#[derive(Clone, Debug, PartialEq)]
pub enum May {
    Send,
    /// Not before this millisecond.
    Later {
        until: i64,
        why: String,
    },
    /// Not any more; the message fails with this reason.
    Never(String),
}

/// What came of a message of an enrollment.
#[derive(Clone, Debug, PartialEq)]
pub enum Settled {
    Sent,
    /// It was refused for the recipient's sake: as good as a bounce.
    Bounced(String),
    /// It was not sent and will not be.
    Failed(String),
    /// Nobody knows whether it was sent; it is not sent again by itself.
    Unknown(String),
    /// It was not sent, and is tried again at this millisecond: a fault that passes, or one of the sender.
    Later {
        until: i64,
        why: String,
    },
}

/// Something that a contact did, or that happened to a message sent to them.
#[derive(Clone, Debug, PartialEq)]
pub struct Happening {
    pub contact_id: Uuid,
    /// The message of ours that it is about, where that is known, and the step that it was.
    pub message_id: Option<Uuid>,
    pub run: Option<Run>,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A human reply, on any channel.
    Replied,
    AutoReplied,
    /// Until this millisecond, where it says.
    OutOfOffice(Option<i64>),
    Bounced {
        hard: bool,
        why: String,
    },
    Complained,
    Unsubscribed,
    /// The address, or its domain, is suppressed by hand.
    Suppressed,
    InviteAccepted,
}

/// Asked in the transaction that writes `sending`.
pub fn may_send(_: &Ctx, _: &mut dyn Tx, _: &Run) -> Result<May, Error> {
    Ok(May::Send)
}

/// Told in the transaction that records the outcome.
pub fn settled(_: &Ctx, _: &mut dyn Tx, _: &Run, _: Uuid, _: &Settled) -> Result<(), Error> {
    Ok(())
}

/// Told in the transaction that stores what came.
pub fn happened(_: &Ctx, _: &mut dyn Tx, _: &Happening) -> Result<(), Error> {
    Ok(())
}
