//! Searches in professional networks, with no transaction open. Each account has a few hands and each search its time, so
//! that one that is slow holds up nobody but those who ask it.

use crate::{App, post};
use connect::fault::Fault;
use connect::guard::Guard;
use connect::provider::{JobSearch, PeopleSearch, Provider};
use crm::account::{self, Reach};
use crm::operation::Outcome;
use crm::sourcing::network::{Answered, Asking, Place, What};
use resource::{Error, invalid, seconds_of};
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use store::Uuid;
use tokio::sync::Semaphore;

/// As many searches of one account are on their way at a time.
const HANDS: usize = 4;
/// A network that asks for patience and does not say for how long, and the longest that it may ask for.
const PATIENCE: Duration = Duration::from_secs(30);
const LONGEST_PATIENCE: Duration = Duration::from_secs(60 * 60);

/// The accounts that search from this node.
pub struct Networks {
    time: Duration,
    accounts: Mutex<HashMap<Uuid, Arc<Line>>>,
}

/// How an account is reached.
struct Line {
    reach: Reach,
    provider: Provider,
    hands: Semaphore,
}

impl Networks {
    pub fn new(time: Duration) -> Networks {
        Networks { time, accounts: Mutex::default() }
    }

    /// The account's line; a new one if it was never used, or if the account is reached in another way now.
    fn line(&self, guard: &Guard, account: Uuid, reach: Reach) -> Result<Arc<Line>, String> {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        // Lines that nobody uses are kept for those who come back, but not for ever.
        if accounts.len() > 1000 {
            accounts.retain(|_, line| Arc::strong_count(line) > 1);
        }
        if let Some(line) = accounts.get(&account).filter(|line| line.reach == reach) {
            return Ok(line.clone());
        }
        let provider = post::provider(guard, &reach).ok_or("it has no address")?;
        let provider = provider.map_err(|wrong| wrong.to_string())?;
        let line = Arc::new(Line { reach, provider, hands: Semaphore::new(HANDS) });
        accounts.insert(account, line.clone());
        Ok(line)
    }
}

pub async fn ask(app: &Arc<App>, asking: &Asking) -> Result<Outcome, Error> {
    let reach = post::reach(app, asking.workspace, asking.account).await?;
    let reach = reach.ok_or_else(|| invalid("account_id", format!("the account {} was removed", asking.name)))?;
    let unusable = |why: String| invalid("account_id", format!("the account {} can't be used: {why}", asking.name));
    let line = app.networks.line(&app.guard, asking.account, reach).map_err(unusable)?;
    let seconds = app.networks.time.as_secs();
    let late = || Error::Outside {
        why: format!(
            "the account {} did not answer within {}; try again later",
            asking.name,
            seconds_of(seconds as i64)
        ),
        retry_after: None,
    };
    let search = async {
        // The semaphore is never closed.
        let _hand = line.hands.acquire().await;
        answer(&line.provider, &asking.what).await
    };
    match tokio::time::timeout(app.networks.time, search).await.map_err(|_| late())? {
        Ok(answered) => Ok(Outcome::Network(answered)),
        Err(fault) => Err(refused(app, asking, fault, line.reach.by_operator.url || asking.by_admin).await),
    }
}

async fn answer(provider: &Provider, what: &What) -> Result<Answered, Fault> {
    let whole = |answer: Json| Answered { answer, passed: Vec::new(), over: false };
    match what {
        What::Locations { q, api_type } => {
            let found = provider.locations(q, Some(api_type)).await?;
            Ok(whole(json!({ "locations": found })))
        }
        What::Jobs(place) => {
            let search: JobSearch = asked(place, place.cursor.as_deref())?;
            shown(&provider.search_jobs(&search).await?).map(whole)
        }
        What::People(place) => {
            let (mut cursor, mut passed) = (place.cursor.clone(), Vec::new());
            loop {
                let search: PeopleSearch = asked(place, cursor.as_deref())?;
                let people = provider.search_people(&search).await?;
                let arrived = passed.len() as i64 == place.steps;
                // A page that is empty or leads to itself is the last, whatever it says.
                let leads = |next: &String| !people.profiles.is_empty() && cursor.as_ref() != Some(next);
                match people.cursor.clone().filter(leads) {
                    Some(next) if !arrived => {
                        passed.push(next.clone());
                        cursor = Some(next);
                    }
                    _ => return Ok(Answered { answer: shown(&people)?, passed, over: !arrived }),
                }
            }
        }
    }
}

/// The search as the provider takes it, from this cursor on.
fn asked<T: serde::de::DeserializeOwned>(place: &Place, cursor: Option<&str>) -> Result<T, Fault> {
    let mut search = place.search.clone();
    search["page_size"] = place.size.into();
    search["cursor"] = cursor.into();
    serde_json::from_value(search).map_err(|error| Fault::Recipient(format!("400: {error}")))
}

fn shown(answer: &impl serde::Serialize) -> Result<Json, Fault> {
    serde_json::to_value(answer).map_err(|error| Fault::Unreached(error.to_string()))
}

/// What went wrong, in words: which account it was, and what can be done. `quoted` says whether the caller may read the
/// network's own words.
async fn refused(app: &Arc<App>, asking: &Asking, fault: Fault, quoted: bool) -> Error {
    let name = &asking.name;
    let told = if quoted { fault.to_string() } else { fault.general() };
    let of_request = match &asking.what {
        What::Locations { .. } => "q",
        What::People(place) | What::Jobs(place) if place.cursor.is_some() => "cursor",
        What::People(_) | What::Jobs(_) => "search",
    };
    match fault {
        Fault::Temporary { retry_after, .. } => {
            let time = retry_after.unwrap_or(PATIENCE).min(LONGEST_PATIENCE);
            let (workspace, account, seconds) = (asking.workspace, asking.account, time.as_secs().max(1));
            let wait =
                move |tx: &mut dyn store::Tx| account::be_patient(tx, workspace, account, time.as_millis() as i64);
            if let Err(error) = app.store.write(workspace, wait).await {
                tracing::warn!(%error, "that an account has to wait could not be noted");
            }
            let asks = format!("the account {name} was asked by its network for patience ({told})");
            Error::Outside {
                why: format!("{asks}; try again in {}", seconds_of(seconds as i64)),
                retry_after: Some(seconds as i64),
            }
        }
        Fault::Recipient(_) => {
            invalid(of_request, format!("the account {name}: its network refuses the search ({told})"))
        }
        // It was not understood, which is no fault of the account.
        Fault::Sender(text) if text.starts_with("400") => {
            invalid(of_request, format!("the account {name}: its network does not understand the search ({told})"))
        }
        Fault::Sender(_) => {
            let id = asking.account;
            let how = format!(
                "look at it with relata accounts test {id}, and give it a new token with relata accounts set {id}"
            );
            invalid("account_id", format!("the account {name} is refused by its network ({told}), {how}"))
        }
        Fault::Refused | Fault::Unreached(_) | Fault::Forbidden { .. } => {
            let why = format!("the account {name} could not be asked: {told}; try again later");
            Error::Outside { why, retry_after: None }
        }
    }
}
