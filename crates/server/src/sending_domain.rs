//! Checks of sending domains, a few at a time.

use connect::guard::Guard;
use connect::sending_domain::{Question, check, dns_name, is_selector};
use connect::server::Server;
use crm::api::effects::{DomainPoint, SendingDomain};
use futures_util::future::join_all;
use resource::{Error, invalid};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::sync::Semaphore;

/// Most checks at a time. Each takes a few seconds at most.
const AT_ONCE: usize = 8;
/// How long a check waits for its turn.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a check may take that other work waits for.
const SOON: Duration = Duration::from_secs(3);

pub struct NameServers {
    servers: Vec<SocketAddr>,
    permits: Semaphore,
}

impl NameServers {
    /// Without servers those of the machine are asked.
    pub fn new(servers: Vec<SocketAddr>) -> NameServers {
        NameServers { servers, permits: Semaphore::new(AT_ONCE) }
    }

    /// `smtp` is the address of the account's server.
    pub async fn check(
        &self,
        domain: &str,
        selector: Option<&str>,
        smtp: Option<&str>,
    ) -> Result<Vec<DomainPoint>, Error> {
        if selector.is_some_and(|selector| !is_selector(selector)) {
            return Err(invalid("selector", "must be letters, digits, hyphens and dots, such as google or selector1"));
        }
        let Some(domain) = dns_name(domain) else {
            return Err(invalid("id", format!("the address of the account has no domain that DNS knows: {domain}")));
        };
        let host = smtp.and_then(|smtp| Server::smtp(smtp, &Guard::operator()).ok()).map(|server| server.host);
        let busy = || Error::Unavailable("too many domains are being checked".into());
        let waited = tokio::time::timeout(PATIENCE, self.permits.acquire()).await;
        let _permit = waited.map_err(|_| busy())?.map_err(|_| busy())?;
        let question = Question { domain: &domain, smtp_host: host.as_deref(), selector };
        let points = check(&question, &self.servers).await;
        Ok(points
            .into_iter()
            .map(|point| DomainPoint {
                check: point.name,
                verdict: point.verdict.word(),
                reason: point.reason,
                found: point.found,
                record: point.add.map(|record| (record.name, record.kind, record.value)),
            })
            .collect())
    }

    /// The points of each domain; none of a domain whose check fails or takes too long.
    pub async fn check_soon(&self, domains: &[SendingDomain]) -> Vec<(String, Vec<DomainPoint>)> {
        let checks = domains.iter().map(|SendingDomain { domain, smtp }| async move {
            let smtp = smtp.as_ref().map(|smtp| smtp.0.as_str());
            let checked = tokio::time::timeout(SOON, self.check(domain, None, smtp)).await;
            (domain.clone(), checked.ok().and_then(Result::ok).unwrap_or_default())
        });
        join_all(checks).await
    }
}
