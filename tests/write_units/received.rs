//! The largest mails that are received, and folders that lose very many mails at once.

use std::fmt::Write;

use super::Watch;
use crate::support::outside::contact;
use crate::support::*;

const ANN: &str = "ann@example.com";
const ADA: &str = "ada@example.com";
/// The most Message-IDs that are searched for, and the most attachments that are stored.
const MOST: usize = 100;

pub(super) fn received_mails_are_brief(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let mut watch = Watch::new(world, &key);
    contact(&key, "Ada", ADA);
    let account = outside.mailbox(world, ANN, &[]);
    // Nobody knows this sender, so the mail is listed.
    outside.deliver(ANN, "From: who@example.net\nSubject: Hi\nMessage-ID: <who@example.net>\n\nHi\n");
    let mails = if is_long() { 40 } else { 8 };
    let mut verdicts = Vec::new();
    let verdict = watch.verdict_of_one(&mut || {
        for n in 0..mails {
            outside.deliver(ANN, &largest(n));
        }
        read(&key, &account, mails + 1);
    });
    verdicts.push(("the largest mails", verdict));
    let attachments = world.count("SELECT CAST(count(*) AS text) FROM attachments");
    assert_eq!(attachments, (mails * MOST) as u64, "every attachment is stored");
    let gone = if is_long() { 100_000 } else { 5_000 };
    for (at, what) in ["a folder that was emptied", "a folder with new UIDs"].into_iter().enumerate() {
        let verdict = watch.verdict_of_one(&mut || {
            add_to_ledger(world, gone);
            if at == 1 {
                assert!(outside.sandbox.renumber(ANN, "INBOX"));
            }
            outside.deliver(ANN, &format!("From: {ADA}\nSubject: Hi\nMessage-ID: <{at}@example.com>\n\nHi\n"));
            read(&key, &account, mails + 2 + at);
        });
        verdicts.push((what, verdict));
        assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM mailbox"), (mails + 2 + at) as u64);
        assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM unstored_mails"), 1);
    }
    let limit = watch.limit;
    verdicts.retain(|(_, slow)| slow.is_some());
    assert!(verdicts.is_empty(), "at most {limit:?}: {verdicts:?}");
    watch.end();
}

/// A mail of a contact with as much of everything as is stored.
fn largest(n: usize) -> String {
    let mut mail =
        format!("From: {ADA}\nTo: {ANN}\nSubject: {}\nMessage-ID: <large{n}@example.com>\n", "s".repeat(900));
    mail.push_str("References:");
    (0..MOST).for_each(|at| write!(mail, "\n <{at}.{n}@elsewhere.example>").expect("text"));
    mail.push_str(
        "\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n",
    );
    // One line that is searched for the end of the text, and many words.
    mail.push_str(&"x".repeat(90_000));
    (0..40_000).for_each(|at| write!(mail, "\nword{at} {n}").expect("text"));
    for at in 0..MOST {
        write!(mail, "\n--b\nContent-Type: text/plain; name=f{at}.txt\nContent-Disposition: attachment; filename=f{at}.txt\n\nfile {at}")
            .expect("text");
    }
    mail.push_str("\n--b--\n");
    mail
}

/// Waits until the folder has been read, and the ledger lists its mails and no others.
#[track_caller]
fn read(key: &Client, account: &str, mails: usize) {
    eventually("a folder that was read", PATIENCE, || {
        let account = key.get(&format!("/connected-accounts/{account}")).ok();
        let n = |name: &str| account[name].as_u64().unwrap_or(0) as usize;
        let listed = n("mails_stored") + n("mails_unstored");
        (n("mails_in_folder") == mails && listed == mails && account["status"] == "connected").then_some(())
    });
}

/// Adds mails to the ledger that the folder does not hold, as if it had lost them. Half of them were not stored.
fn add_to_ledger(world: &World, count: usize) {
    let numbers = format!("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})");
    let random = if world.database_is_shared() { "gen_random_uuid()" } else { "randomblob(16)" };
    let half = count / 2;
    for sql in [
        format!(
            "INSERT INTO mailbox (workspace_id, account_id, uid, message_id) {numbers} \
             SELECT workspace_id, id, 1000000 + i, CASE WHEN i % 2 = 0 THEN id END FROM connected_accounts, n"
        ),
        format!(
            "INSERT INTO unstored_mails (workspace_id, id, version, account_id, uid, reason, created_at, updated_at) {numbers} \
             SELECT workspace_id, {random}, 1, id, 1000000 + i, 'x', 1, 1 FROM connected_accounts, n WHERE i % 2 = 1"
        ),
        format!(
            "UPDATE connected_accounts SET mails_stored = mails_stored + {half}, mails_unstored = mails_unstored + {half}"
        ),
        format!("UPDATE counters SET n = n + {half} WHERE collection = 'unstored_mails' AND field = ''"),
    ] {
        world.change(&sql);
    }
}
