//! Whether an SPF record permits the addresses of a server (RFC 7208).

use super::{Missing, full, missing, texts};
use crate::guard::Network;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use hickory_resolver::TokioResolver;
use hickory_resolver::proto::rr::RData;
use std::net::IpAddr;

/// Most terms that need a lookup, those of included records too (RFC 7208, section 4.6.4).
pub(super) const MOST_LOOKUPS: usize = 10;
/// Most hosts of an MX record whose addresses are compared (the same section).
const MOST_HOSTS: usize = 10;
/// Most addresses of one name that are compared.
const MOST_ADDRESSES: usize = 100;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Coverage {
    Permitted,
    /// These addresses of the server are not permitted.
    Not(Vec<IpAddr>),
    /// Receivers give up, or ignore the record.
    Broken(String),
    Unchecked(String),
}

/// A mechanism or modifier of a record, with its result for the addresses that it matches.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Term {
    qualifier: char,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    All,
    Network(Network),
    /// Addresses of a name, or of the domain itself, and the prefix lengths that are compared.
    Addresses(Option<String>, (u8, u8)),
    MailServers(Option<String>, (u8, u8)),
    Include(String),
    Redirect(String),
    /// It depends on the sender of a mail (macros, `exists`, `ptr`), or is unknown.
    Other(String),
}

impl Term {
    pub(super) fn parse(word: &str) -> Term {
        let qualifier = word.chars().next().filter(|first| "+-~?".contains(*first));
        let rest = qualifier.map_or(word, |_| &word[1..]);
        let at = rest.find([':', '=', '/']).unwrap_or(rest.len());
        let (name, value) = (rest[..at].to_ascii_lowercase(), &rest[at..]);
        let named = value.strip_prefix([':', '=']);
        let other = || Kind::Other(word.to_owned());
        let kind = match (name.as_str(), named) {
            ("all", None) => Kind::All,
            ("ip4" | "ip6", Some(network)) => network.parse().map_or_else(|_| other(), Kind::Network),
            ("a", _) => spec(value).map_or_else(other, |(name, bits)| Kind::Addresses(name, bits)),
            ("mx", _) => spec(value).map_or_else(other, |(name, bits)| Kind::MailServers(name, bits)),
            ("include", Some(name)) if !name.contains('%') => Kind::Include(plain(name)),
            ("redirect", Some(name)) if !name.contains('%') => Kind::Redirect(plain(name)),
            _ => other(),
        };
        Term { qualifier: qualifier.unwrap_or('+'), kind }
    }

    /// Whether its evaluation asks a name server.
    fn is_lookup(&self) -> bool {
        match &self.kind {
            Kind::All | Kind::Network(_) => false,
            Kind::Addresses(..) | Kind::MailServers(..) | Kind::Include(_) | Kind::Redirect(_) => true,
            Kind::Other(word) => {
                let word = word.trim_start_matches(['+', '-', '~', '?']).to_ascii_lowercase();
                ["include", "exists", "ptr", "redirect", "a:", "mx:"].iter().any(|name| word.starts_with(name))
            }
        }
    }
}

/// `:name/24//64`, each part optional.
fn spec(value: &str) -> Option<(Option<String>, (u8, u8))> {
    let (name, bits) = value.split_once('/').map_or((value, ""), |(name, bits)| (name, bits));
    let (v4, v6) = match bits.strip_prefix('/') {
        Some(v6) => ("", v6),
        None => bits.split_once("//").unwrap_or((bits, "")),
    };
    let length =
        |bits: &str, most: u8| if bits.is_empty() { Some(most) } else { bits.parse().ok().filter(|n| *n <= most) };
    let name = match name.strip_prefix(':') {
        Some(name) if name.contains('%') || name.is_empty() => return None,
        Some(name) => Some(plain(name)),
        None => None,
    };
    Some((name, (length(v4, 32)?, length(v6, 128)?)))
}

fn plain(name: &str) -> String {
    name.trim_end_matches('.').to_ascii_lowercase()
}

/// Why an evaluation ended early.
enum Stop {
    Broken(String),
    Unchecked(String),
}

impl From<Missing> for Stop {
    fn from(missing: Missing) -> Stop {
        match missing {
            Missing::Unanswered(why) => Stop::Unchecked(format!("the name servers did not answer: {why}")),
            Missing::None => Stop::Unchecked("a name has no records".to_owned()),
        }
    }
}

struct Evaluation<'a> {
    resolver: &'a TokioResolver,
    addresses: Vec<IpAddr>,
    lookups: usize,
    /// A term that could not be evaluated.
    skipped: Option<String>,
}

/// Whether the record of a domain permits all addresses of this host.
pub(super) async fn coverage(resolver: &TokioResolver, domain: &str, record: &str, host: &str) -> Coverage {
    let addresses = match host.parse::<IpAddr>() {
        Ok(address) => vec![address],
        Err(_) => match addresses(resolver, host).await {
            Ok(found) if found.is_empty() => return Coverage::Unchecked(format!("{host} has no address")),
            Ok(found) => found,
            Err(Stop::Broken(why) | Stop::Unchecked(why)) => return Coverage::Unchecked(why),
        },
    };
    let mut evaluation = Evaluation { resolver, addresses, lookups: 0, skipped: None };
    let results = match evaluation.results(domain.to_owned(), record.to_owned()).await {
        Ok(results) => results,
        Err(Stop::Broken(why)) => return Coverage::Broken(why),
        Err(Stop::Unchecked(why)) => return Coverage::Unchecked(why),
    };
    let denied = evaluation.addresses.iter().zip(results).filter(|(_, result)| *result != Some('+'));
    let denied: Vec<IpAddr> = denied.map(|(address, _)| *address).collect();
    match evaluation.skipped {
        _ if denied.is_empty() => Coverage::Permitted,
        Some(term) => Coverage::Unchecked(format!("{term} depends on the mail")),
        None => Coverage::Not(denied),
    }
}

impl Evaluation<'_> {
    /// The qualifier that each address gets from a record; `None` if nothing matches it.
    fn results(&mut self, domain: String, record: String) -> BoxFuture<'_, Result<Vec<Option<char>>, Stop>> {
        async move {
            let mut results: Vec<Option<char>> = vec![None; self.addresses.len()];
            let terms: Vec<Term> = record.split_whitespace().skip(1).map(Term::parse).collect();
            // A redirect counts after all mechanisms, and not beside `all`.
            let is_last = |term: &&Term| matches!(term.kind, Kind::Redirect(_));
            let ordered: Vec<&Term> = terms.iter().filter(|term| !is_last(term)).chain(terms.iter().filter(is_last)).collect();
            for term in ordered {
                if results.iter().all(Option::is_some) {
                    break;
                }
                let Term { qualifier, kind } = term;
                if term.is_lookup() {
                    self.lookups += 1;
                    if self.lookups > MOST_LOOKUPS {
                        let why = format!("with the records that it includes, the record needs more than {MOST_LOOKUPS} lookups, and receivers give up");
                        return Err(Stop::Broken(why));
                    }
                }
                let matches: Vec<Option<char>> = match kind {
                    Kind::All => vec![Some(*qualifier); results.len()],
                    Kind::Network(network) => self.within(*qualifier, |address| network.holds(address)),
                    Kind::Addresses(name, bits) => {
                        let found = addresses(self.resolver, name.as_ref().unwrap_or(&domain)).await?;
                        self.within(*qualifier, |address| found.iter().any(|other| is_near(*other, address, *bits)))
                    }
                    Kind::MailServers(name, bits) => {
                        let mut found = Vec::new();
                        for host in mail_servers(self.resolver, name.as_ref().unwrap_or(&domain)).await? {
                            found.extend(addresses(self.resolver, &host).await?);
                        }
                        self.within(*qualifier, |address| found.iter().any(|other| is_near(*other, address, *bits)))
                    }
                    Kind::Include(name) => {
                        let record = self.record(name).await?;
                        let inside = self.results(name.clone(), record).await?;
                        inside.into_iter().map(|result| (result == Some('+')).then_some(*qualifier)).collect()
                    }
                    Kind::Redirect(name) => {
                        let record = self.record(name).await?;
                        self.results(name.clone(), record).await?
                    }
                    Kind::Other(word) => {
                        // A modifier such as `exp=` matches nothing.
                        if term.is_lookup() {
                            self.skipped.get_or_insert_with(|| word.clone());
                        }
                        continue;
                    }
                };
                for (result, matched) in results.iter_mut().zip(matches) {
                    *result = result.or(matched);
                }
            }
            Ok(results)
        }
        .boxed()
    }

    fn within(&self, qualifier: char, is_match: impl Fn(IpAddr) -> bool) -> Vec<Option<char>> {
        self.addresses.iter().map(|address| is_match(*address).then_some(qualifier)).collect()
    }

    /// The one SPF record of a name that another record refers to.
    async fn record(&self, name: &str) -> Result<String, Stop> {
        let found = match texts(self.resolver, name).await {
            Ok(found) => found,
            Err(Missing::None) => Vec::new(),
            Err(unanswered) => return Err(unanswered.into()),
        };
        let mut records = found.into_iter().filter(|text| super::is_spf(text));
        match (records.next(), records.next()) {
            (Some(record), None) => Ok(record),
            (None, _) => Err(Stop::Broken(format!("the record refers to {name}, which has no SPF record"))),
            _ => Err(Stop::Broken(format!("the record refers to {name}, which has several SPF records"))),
        }
    }
}

/// Whether two addresses are equal in their first bits.
fn is_near(one: IpAddr, other: IpAddr, (v4, v6): (u8, u8)) -> bool {
    let bits = if one.is_ipv4() { v4 } else { v6 };
    format!("{one}/{bits}").parse::<Network>().is_ok_and(|network| network.holds(other))
}

async fn addresses(resolver: &TokioResolver, name: &str) -> Result<Vec<IpAddr>, Stop> {
    let name = full(name)?;
    let (v4, v6) = tokio::join!(resolver.ipv4_lookup(name.clone()), resolver.ipv6_lookup(name));
    let mut found = Vec::new();
    for answer in [v4, v6] {
        match answer.map_err(missing) {
            Ok(answer) => {
                let address = |data: &RData| match data {
                    RData::A(address) => Some(IpAddr::V4(address.0)),
                    RData::AAAA(address) => Some(IpAddr::V6(address.0)),
                    _ => None,
                };
                found.extend(answer.answers().iter().filter_map(|record| address(&record.data)).take(MOST_ADDRESSES));
            }
            Err(Missing::None) => {}
            Err(unanswered) => return Err(unanswered.into()),
        }
    }
    Ok(found)
}

async fn mail_servers(resolver: &TokioResolver, name: &str) -> Result<Vec<String>, Stop> {
    let found = match resolver.mx_lookup(full(name)?).await.map_err(missing) {
        Ok(found) => found,
        Err(Missing::None) => return Ok(Vec::new()),
        Err(unanswered) => return Err(unanswered.into()),
    };
    let host = |data: &RData| match data {
        RData::MX(mx) => Some(plain(&mx.exchange.to_ascii())).filter(|host| !host.is_empty()),
        _ => None,
    };
    Ok(found.answers().iter().filter_map(|record| host(&record.data)).take(MOST_HOSTS).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_read() {
        let kind = |word: &str| Term::parse(word).kind;
        assert_eq!(Term::parse("-ALL"), Term { qualifier: '-', kind: Kind::All });
        assert_eq!(kind("ip4:192.0.2.0/24"), Kind::Network("192.0.2.0/24".parse().expect("a network")));
        assert_eq!(kind("a"), Kind::Addresses(None, (32, 128)));
        assert_eq!(kind("a:Mail.Example.com./24//64"), Kind::Addresses(Some("mail.example.com".into()), (24, 64)));
        assert_eq!(kind("mx//48"), Kind::MailServers(None, (32, 48)));
        assert_eq!(kind("include:_spf.example.com"), Kind::Include("_spf.example.com".into()));
        assert_eq!(kind("redirect=example.net"), Kind::Redirect("example.net".into()));
        for (other, is_lookup) in [
            ("include:%{i}.example.com", true),
            ("exists:%{i}.x", true),
            ("ptr", true),
            ("exp=why.example.com", false),
            ("ip4:nonsense", false),
        ] {
            let term = Term::parse(other);
            assert_eq!((&term.kind, term.is_lookup()), (&Kind::Other(other.into()), is_lookup), "{other}");
        }
        assert!(is_near("192.0.2.7".parse().expect("one"), "192.0.2.200".parse().expect("two"), (24, 128)));
        assert!(!is_near("192.0.2.7".parse().expect("one"), "2001:db8::1".parse().expect("two"), (0, 0)));
    }
}
