//! The records that steps refer to: suppressed addresses, files and accounts. Those of all steps are read together, because
//! a sequence can have thousands.

use super::{MOST_SENDERS, StepType, text};
use crate::outreach::account::Channel;
use crate::outreach::attached::{self, Files, MOST_COPIES};
use crate::outreach::sequence::template::Names;
use crate::outreach::suppression::Checked;
use resource::{Ctx, Error, Problem, StoredRow, by_many_keys};
use serde_json::{Map, Value as Json};
use std::collections::HashMap;
use store::{Tx, Uuid};

pub struct Referenced {
    /// The names that templates can use.
    pub(super) names: Names,
    suppressed: Checked,
    files: Files,
    accounts: Accounts,
}

impl Referenced {
    pub fn read(ctx: &Ctx, tx: &mut dyn Tx, steps: &[Map<String, Json>]) -> Result<Referenced, Error> {
        let copies = steps.iter().flat_map(|step| [copies(step, "cc"), copies(step, "bcc")]).flatten();
        Ok(Referenced {
            names: Names::of(ctx, tx)?,
            suppressed: Checked::read(ctx, tx, copies)?,
            files: Files::read(ctx, tx, steps.iter().flat_map(attached::ids))?,
            accounts: Accounts::read(ctx, tx, steps.iter().flat_map(senders).map(|(_, id)| id))?,
        })
    }

    /// What is wrong with the addresses in copy, the attachments and the accounts of a step that was read before.
    pub(super) fn problems(
        &self,
        ctx: &Ctx,
        tx: &mut dyn Tx,
        path: &str,
        step: &Map<String, Json>,
    ) -> Result<Vec<Problem>, Error> {
        let mut problems = Vec::new();
        for member in ["cc", "bcc"] {
            problems.extend(self.suppressed.problems(ctx, tx, &format!("{path}.{member}"), &copies(step, member))?);
        }
        let files = self.files.pick(&format!("{path}.attachments"), &attached::ids(step));
        super::collect(files.map(drop), &mut problems)?;
        let Some(kind) = text(step, "type").and_then(StepType::from_word) else { return Ok(problems) };
        for (at, id) in senders(step) {
            let field = format!("{path}.sender_ids.{at}");
            problems.extend(self.accounts.problem(kind, id).map(|reason| Problem { field, reason }));
        }
        Ok(problems)
    }
}

/// The addresses in a member of a step, no more than it may have: longer lists are refused.
fn copies(step: &Map<String, Json>, member: &str) -> Vec<String> {
    let items = step.get(member).and_then(Json::as_array).into_iter().flatten().take(MOST_COPIES);
    items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

/// The accounts that a step names, each with its index, no more than it may have.
fn senders(step: &Map<String, Json>) -> Vec<(usize, Uuid)> {
    let items = step.get("sender_ids").and_then(Json::as_array).into_iter().flatten().take(MOST_SENDERS);
    items.enumerate().filter_map(|(at, id)| Some((at, Uuid::try_parse(id.as_str()?).ok()?))).collect()
}

/// The channels of accounts, and whether they were removed.
struct Accounts(HashMap<Uuid, (Channel, bool)>);

impl Accounts {
    fn read(ctx: &Ctx, tx: &mut dyn Tx, ids: impl IntoIterator<Item = Uuid>) -> Result<Accounts, Error> {
        let mut accounts = HashMap::new();
        for (list, params) in by_many_keys(ctx, ids) {
            let sql = format!(
                "SELECT id, provider, CASE WHEN removed_at IS NULL THEN 0 ELSE 1 END FROM connected_accounts \
                 WHERE workspace_id = $1 AND id IN {list}"
            );
            let account = |row: &dyn store::Row| Ok((row.id(0)?, (row.word(1, Channel::from_word)?, row.int(2)? == 1)));
            accounts.extend(tx.rows(&sql, &params, account)?);
        }
        Ok(Accounts(accounts))
    }

    /// Why an account can't send a step of this type.
    fn problem(&self, kind: StepType, id: Uuid) -> Option<String> {
        let Some((provider, is_removed)) = self.0.get(&id) else {
            return Some("no connected account has this id".into());
        };
        match kind.channel() {
            _ if *is_removed => Some("the connected account was removed".into()),
            Some(channel) if channel == *provider => None,
            Some(channel) => {
                Some(format!("is an account for {}, and the step goes by {}", provider.word(), channel.word()))
            }
            None => Some(format!("a {} is a task, which no account sends", kind.word())),
        }
    }
}

/// Why an account can't send a step of this type.
pub fn check_sender(ctx: &Ctx, tx: &mut dyn Tx, kind: StepType, id: Uuid) -> Result<Option<String>, Error> {
    Ok(Accounts::read(ctx, tx, [id])?.problem(kind, id))
}
