//! Which mails are fetched together, and how often a mail is tried.

use crm::outreach::account;
use crm::outreach::inbound::{Interrupted, Progress};

/// Mails fetched and stored together.
const TOGETHER: usize = 8;
/// A mail is skipped after so many attempts in which this server crashed or the mail server did not deliver the mail.
pub(super) const ATTEMPTS: i64 = 3;
/// The same for a mail that the mail server refuses to deliver, which takes ten minutes: the server may recover.
const REFUSED_ATTEMPTS: i64 = 8;

/// How often a mail is tried that this node or the mail server failed to read before.
pub(super) fn attempts(by: &str) -> i64 {
    if by == account::REFUSED { REFUSED_ATTEMPTS } else { ATTEMPTS }
}

/// Mails that are fetched and read together.
pub(super) struct Batch<'a> {
    pub(super) uids: &'a [u32],
    /// The number of this attempt.
    pub(super) attempt: i64,
    /// The node that was reading them before, or [`account::UNDELIVERED`].
    pub(super) by: &'a str,
}

/// Mails that a node was reading when it crashed, or that the mail server failed to deliver, are read one at a time, so that
/// the next failure identifies the mail. A node that finds its own mark has not crashed, so the attempt does not count.
pub(super) fn batches<'a>(uids: &'a [u32], interrupted: Option<&'a Interrupted>, node: &str) -> Vec<Batch<'a>> {
    let suspect = |uid: u32| interrupted.filter(|mark| (mark.from..=mark.to).contains(&uid.into()));
    let mut batches = Vec::new();
    for group in uids.chunk_by(|one, next| suspect(*one).is_some() == suspect(*next).is_some()) {
        match suspect(group[0]) {
            Some(mark) => {
                let attempt = mark.attempt + i64::from(mark.node != node);
                batches.extend(group.chunks(1).map(|uids| Batch { uids, attempt, by: &mark.node }));
            }
            None => batches.extend(group.chunks(TOGETHER).map(|uids| Batch { uids, attempt: 1, by: "" })),
        }
    }
    batches
}

/// Records that these mails were read.
pub(super) fn pass(progress: &mut Progress, uids: &[u32]) {
    progress.next = progress.next.max(uids.last().map_or(0, |uid| i64::from(*uid) + 1));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mails_that_crashed_a_node_are_read_alone() {
        let uids: Vec<u32> = (1..=20).collect();
        assert_eq!(batches(&uids, None, "me").iter().map(|some| some.uids.len()).collect::<Vec<_>>(), [8, 8, 4]);
        let mark = |node: &str| Interrupted { from: 9, to: 11, attempt: 1, node: node.to_owned() };
        let dead = mark("dead");
        let batches_of = |mark| batches(&uids, Some(mark), "me");
        let shape: Vec<(u32, usize, i64)> =
            batches_of(&dead).iter().map(|some| (some.uids[0], some.uids.len(), some.attempt)).collect();
        assert_eq!(shape, [(1, 8, 1), (9, 1, 2), (10, 1, 2), (11, 1, 2), (12, 8, 1), (20, 1, 1)]);
        let own = mark("me");
        assert!(batches_of(&own).iter().all(|some| some.attempt == 1), "an error is not a crash");
    }
}
