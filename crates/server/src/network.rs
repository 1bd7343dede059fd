//! Searches in professional networks, with no transaction open. The number of searches per account and the time of each are
//! limited, so that a slow network delays only its own searches.

use crate::{App, accounts};
use connect::fault::Fault;
use connect::guard::Guard;
use connect::provider::{JobSearch, PeopleSearch, Provider};
use crm::api::effects::{EffectResult, NetworkAnswer, NetworkPage, NetworkQuery, NetworkRequest, Reach};
use crm::outreach::account;
use resource::{Error, invalid, seconds_of};
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use store::Uuid;
use tokio::sync::Semaphore;

/// The most searches of one account in flight.
const IN_FLIGHT: usize = 4;
/// How long to wait if a throttling network does not say how long.
const THROTTLE_WAIT: Duration = Duration::from_secs(30);
/// The longest wait that a network may ask for.
const LONGEST_THROTTLE_WAIT: Duration = Duration::from_secs(60 * 60);

/// The accounts that search from this node.
pub(crate) struct Networks {
    time: Duration,
    accounts: Mutex<HashMap<Uuid, Arc<Client>>>,
}

/// How an account is reached.
struct Client {
    reach: Reach,
    provider: Provider,
    in_flight: Semaphore,
}

impl Networks {
    pub(crate) fn new(time: Duration) -> Networks {
        Networks { time, accounts: Mutex::default() }
    }

    /// The account's client; a new one if it was never used, or if the account's address or token has changed.
    fn client(&self, guard: &Guard, account: Uuid, reach: Reach) -> Result<Arc<Client>, String> {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        // Unused clients are kept for the next search, but not without limit.
        if accounts.len() > 1000 {
            accounts.retain(|_, client| Arc::strong_count(client) > 1);
        }
        if let Some(client) = accounts.get(&account).filter(|client| client.reach == reach) {
            return Ok(client.clone());
        }
        let provider = accounts::provider(guard, &reach).ok_or("it has no address")?;
        let provider = provider.map_err(|wrong| wrong.to_string())?;
        let client = Arc::new(Client { reach, provider, in_flight: Semaphore::new(IN_FLIGHT) });
        accounts.insert(account, client.clone());
        Ok(client)
    }
}

pub(crate) async fn ask(app: &Arc<App>, asking: &NetworkRequest) -> Result<EffectResult, Error> {
    let reach = accounts::reach(app, asking.workspace, asking.account).await?;
    let reach = reach.ok_or_else(|| invalid("account_id", format!("the account {} was removed", asking.name)))?;
    let unusable = |why: String| invalid("account_id", format!("the account {} can't be used: {why}", asking.name));
    let client = app.networks.client(&app.guard, asking.account, reach).map_err(unusable)?;
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
        let _permit = client.in_flight.acquire().await;
        answer(&client.provider, &asking.what).await
    };
    match tokio::time::timeout(app.networks.time, search).await.map_err(|_| late())? {
        Ok(answered) => Ok(EffectResult::Network(answered)),
        Err(fault) => Err(refused(app, asking, fault, client.reach.by_operator.url || asking.by_admin).await),
    }
}

async fn answer(provider: &Provider, what: &NetworkQuery) -> Result<NetworkAnswer, Fault> {
    let whole = |answer: Json| NetworkAnswer { answer, passed: Vec::new(), over: false };
    match what {
        NetworkQuery::Locations { q, api_type } => {
            let found = provider.locations(q, Some(api_type)).await?;
            Ok(whole(json!({ "locations": found })))
        }
        NetworkQuery::Jobs(place) => {
            let search: JobSearch = asked(place, place.cursor.as_deref())?;
            shown(&provider.search_jobs(&search).await?).map(whole)
        }
        NetworkQuery::People(place) => {
            let (mut cursor, mut passed) = (place.cursor.clone(), Vec::new());
            loop {
                let search: PeopleSearch = asked(place, cursor.as_deref())?;
                let people = provider.search_people(&search).await?;
                let arrived = passed.len() as i64 == place.steps;
                // An empty page, or one whose cursor leads to itself, is treated as the last.
                let leads = |next: &String| !people.profiles.is_empty() && cursor.as_ref() != Some(next);
                match people.cursor.clone().filter(leads) {
                    Some(next) if !arrived => {
                        passed.push(next.clone());
                        cursor = Some(next);
                    }
                    _ => return Ok(NetworkAnswer { answer: shown(&people)?, passed, over: !arrived }),
                }
            }
        }
    }
}

/// The search as the provider expects it, from this cursor on.
fn asked<T: serde::de::DeserializeOwned>(place: &NetworkPage, cursor: Option<&str>) -> Result<T, Fault> {
    let mut search = place.search.clone();
    search["page_size"] = place.size.into();
    search["cursor"] = cursor.into();
    serde_json::from_value(search).map_err(|error| Fault::Recipient(format!("400: {error}")))
}

fn shown(answer: &impl serde::Serialize) -> Result<Json, Fault> {
    serde_json::to_value(answer).map_err(|error| Fault::Unreached(error.to_string()))
}

/// The error for the client: which account failed, and what to do. `quoted` says whether the caller may read the network's
/// own error text.
async fn refused(app: &Arc<App>, asking: &NetworkRequest, fault: Fault, quoted: bool) -> Error {
    let name = &asking.name;
    let reason = if quoted { fault.to_string() } else { fault.general() };
    let of_request = match &asking.what {
        NetworkQuery::Locations { .. } => "q",
        NetworkQuery::People(place) | NetworkQuery::Jobs(place) if place.cursor.is_some() => "cursor",
        NetworkQuery::People(_) | NetworkQuery::Jobs(_) => "search",
    };
    match fault {
        Fault::Temporary { retry_after, .. } => {
            let time = retry_after.unwrap_or(THROTTLE_WAIT).min(LONGEST_THROTTLE_WAIT);
            let (workspace, account, seconds) = (asking.workspace, asking.account, time.as_secs().max(1));
            let wait =
                move |tx: &mut dyn store::Tx| account::be_patient(tx, workspace, account, time.as_millis() as i64);
            if let Err(error) = app.store.write(workspace, wait).await {
                tracing::warn!(%error, %account, "failed to record that a network throttles an account; the next search asks it again");
            }
            let asks = format!("the account {name} was asked by its network for patience ({reason})");
            Error::Outside {
                why: format!("{asks}; try again in {}", seconds_of(seconds as i64)),
                retry_after: Some(seconds as i64),
            }
        }
        Fault::Recipient(_) => {
            invalid(of_request, format!("the account {name}: its network refuses the search ({reason})"))
        }
        Fault::Message(_) => {
            invalid(of_request, format!("the account {name}: its network does not understand the search ({reason})"))
        }
        Fault::Sender(_) | Fault::Token { .. } => {
            let id = asking.account;
            let how = format!(
                "look at it with relata accounts test {id}, and give it a new token with relata accounts set {id}"
            );
            invalid("account_id", format!("the account {name} is refused by its network ({reason}), {how}"))
        }
        Fault::Refused | Fault::Throttled(_) | Fault::Unreached(_) | Fault::Forbidden { .. } => {
            let why = format!("the account {name} could not be asked: {reason}; try again later");
            Error::Outside { why, retry_after: None }
        }
    }
}
