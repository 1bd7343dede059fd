//! Checks whether mail from a domain is likely to be accepted: the DNS records SPF, DKIM, DMARC and MX. Queries go to the
//! operator's or the machine's name servers alone.

mod spf;

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use futures_util::future::join_all;
use hickory_resolver::TokioResolver;
use hickory_resolver::config::{NameServerConfig, ResolveHosts, ResolverConfig};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::rr::{Name, RData};

/// The time limit of a whole check. Points without an answer by then are unknown.
const LONGEST: Duration = Duration::from_secs(5);
/// Most records of a name that are considered, and most characters of a record that are shown.
const RECORDS: usize = 100;
const SHOWN: usize = 500;
/// The time limit of the comparison of an SPF record with the addresses of the account's server. Work that waits for a
/// check waits for 3 s.
const COMPARING: Duration = Duration::from_secs(2);

/// Selectors that large providers and mail servers use. There is no way to list those of a domain.
const SELECTORS: &[&str] = &[
    "google",
    "selector1",
    "selector2",
    "default",
    "dkim",
    "mail",
    "k1",
    "k2",
    "k3",
    "s1",
    "s2",
    "fm1",
    "fm2",
    "fm3",
    "protonmail",
    "protonmail2",
    "protonmail3",
    "zoho",
    "mandrill",
    "smtp",
    "key1",
    "sig1",
    "mxvault",
    "pm",
    "dkim1",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Pass,
    Warn,
    Fail,
    /// It could not be found out.
    Unknown,
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Warn => "warn",
            Verdict::Fail => "fail",
            Verdict::Unknown => "unknown",
        }
    }
}

/// The result of one check.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    pub name: &'static str,
    pub verdict: Verdict,
    pub reason: String,
    /// The record that was found.
    pub found: Option<String>,
    /// The record to add or to change.
    pub add: Option<Record>,
}

/// A record as name servers' forms ask for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub name: String,
    pub kind: &'static str,
    pub value: String,
}

fn point(name: &'static str, verdict: Verdict, reason: impl Into<String>) -> Point {
    Point { name, verdict, reason: reason.into(), found: None, add: None }
}

impl Point {
    fn found(self, found: &str) -> Point {
        Point { found: Some(found.chars().take(SHOWN).collect()), ..self }
    }

    fn add(self, name: &str, kind: &'static str, value: impl Into<String>) -> Point {
        Point { add: Some(Record { name: name.to_owned(), kind, value: value.into() }), ..self }
    }
}

/// What is checked.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    pub domain: &'a str,
    /// The host that the account hands its mails to.
    pub smtp_host: Option<&'a str>,
    /// The DKIM selector, if it is known.
    pub selector: Option<&'a str>,
}

/// Why a lookup gave no records.
#[derive(Clone, Debug, PartialEq)]
enum Missing {
    /// The name servers say that there is none.
    None,
    Unanswered(String),
}

type Texts = Result<Vec<String>, Missing>;

/// The domain in the form of DNS; `None` if it is none.
pub fn dns_name(domain: &str) -> Option<String> {
    let ascii = url::Host::parse(domain).ok()?;
    let url::Host::Domain(name) = ascii else { return None };
    let name = name.trim_end_matches('.').to_owned();
    (name.contains('.') && name.len() <= 200).then_some(name)
}

/// Whether it can be the first part of a name in DNS.
pub fn is_selector(text: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    text.len() <= 100 && text.split('.').all(label)
}

/// Looks the records up and judges them. Without servers it asks those of the machine.
pub async fn check(question: &Question<'_>, servers: &[SocketAddr]) -> Vec<Point> {
    let resolver = match resolver(servers) {
        Ok(resolver) => resolver,
        Err(why) => return unknown(&format!("no name server can be asked: {why}")),
    };
    let (resolver, domain) = (&resolver, question.domain);
    let spf = async {
        let texts = texts(resolver, domain).await;
        let record = texts.iter().flatten().find(|text| is_spf(text)).cloned();
        covered(question, resolver, spf(question, texts), record).await
    };
    let points = async {
        let (spf, dkim, dmarc, mx) =
            tokio::join!(spf, dkim(question, resolver), dmarc(domain, resolver), mx(domain, resolver));
        vec![spf, dkim, dmarc, mx]
    };
    match tokio::time::timeout(LONGEST, points).await {
        Ok(points) => points,
        Err(_) => unknown(&format!("the name servers did not answer within {} seconds; try again", LONGEST.as_secs())),
    }
}

fn unknown(reason: &str) -> Vec<Point> {
    ["spf", "dkim", "dmarc", "mx"].map(|name| point(name, Verdict::Unknown, reason)).into()
}

fn resolver(servers: &[SocketAddr]) -> Result<TokioResolver, String> {
    let mut builder = match servers {
        [] => TokioResolver::builder_tokio().map_err(|error| error.to_string())?,
        servers => {
            let server = |address: &SocketAddr| {
                let mut server = NameServerConfig::udp_and_tcp(address.ip());
                server.connections.iter_mut().for_each(|connection| connection.port = address.port());
                server
            };
            let config = ResolverConfig::from_parts(None, Vec::new(), servers.iter().map(server).collect());
            TokioResolver::builder_with_config(config, TokioRuntimeProvider::default())
        }
    };
    let options = builder.options_mut();
    options.timeout = Duration::from_millis(1500);
    options.attempts = 2;
    // Somebody who corrects a record wants to see the result.
    options.cache_size = 0;
    options.use_hosts_file = ResolveHosts::Never;
    builder.build().map_err(|error| error.to_string())
}

fn full(name: &str) -> Result<Name, Missing> {
    // The dot at the end keeps the machine's search domains away.
    Name::from_ascii(format!("{name}.")).map_err(|error| Missing::Unanswered(error.to_string()))
}

fn missing(error: hickory_resolver::net::NetError) -> Missing {
    match error.is_no_records_found() {
        true => Missing::None,
        false => Missing::Unanswered(error.to_string()),
    }
}

/// The text of an untrusted DNS record, without control characters that would act on a terminal.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

async fn texts(resolver: &TokioResolver, name: &str) -> Texts {
    let found = resolver.txt_lookup(full(name)?).await.map_err(missing)?;
    let text = |data: &RData| match data {
        RData::TXT(text) => Some(printable(&String::from_utf8_lossy(&text.txt_data.concat()))),
        _ => None,
    };
    let found: Vec<String> = found.answers().iter().filter_map(|record| text(&record.data)).take(RECORDS).collect();
    if found.is_empty() { Err(Missing::None) } else { Ok(found) }
}

fn unanswered(name: &'static str, why: &str) -> Point {
    point(name, Verdict::Unknown, format!("the name servers did not answer: {why}; try again later"))
}

/// What large providers ask to be put into the SPF record.
fn include_of(host: &str) -> Option<&'static str> {
    let host = host.to_ascii_lowercase();
    let is_of = |domain: &str| host == domain || host.ends_with(&format!(".{domain}"));
    match () {
        () if is_of("gmail.com") || is_of("google.com") => Some("include:_spf.google.com"),
        () if is_of("office365.com") || is_of("outlook.com") => Some("include:spf.protection.outlook.com"),
        () => None,
    }
}

fn spf(question: &Question<'_>, texts: Texts) -> Point {
    let Question { domain, smtp_host, .. } = question;
    let include = smtp_host.and_then(include_of);
    let sender = match (include, smtp_host) {
        (Some(include), _) => include.to_owned(),
        (None, Some(host)) => named(host),
        (None, None) => "mx".to_owned(),
    };
    let wanted = format!("v=spf1 {sender} ~all");
    let records = match texts {
        Ok(texts) => texts,
        Err(Missing::None) => Vec::new(),
        Err(Missing::Unanswered(why)) => return unanswered("spf", &why),
    };
    let records: Vec<&String> = records.iter().filter(|text| is_spf(text)).collect();
    let record = match records[..] {
        [] => {
            let why = "the domain has no SPF record, so that receivers can't tell which servers may send for it";
            return point("spf", Verdict::Fail, why).add(domain, "TXT", wanted);
        }
        [record] => record,
        _ => {
            let why =
                format!("the domain has {} SPF records, and receivers then ignore them all; keep one", records.len());
            return point("spf", Verdict::Fail, why).found(records[0]);
        }
    };
    let terms: Vec<String> = record.split_whitespace().skip(1).map(str::to_ascii_lowercase).collect();
    let is_lookup = |term: &&String| {
        let name = term.trim_start_matches(['+', '-', '~', '?']).split([':', '=', '/']).next().unwrap_or_default();
        ["include", "a", "mx", "ptr", "exists", "redirect"].contains(&name)
    };
    let lookups = terms.iter().filter(is_lookup).count();
    let ends = |end: &str| terms.iter().any(|term| term == end);
    let judged = match () {
        () if ends("+all") || ends("all") => {
            let with: Vec<&str> = record.split_whitespace().filter(|term| !matches!(*term, "+all" | "all")).collect();
            point("spf", Verdict::Fail, "the record permits every server in the world to send (+all); end it with ~all")
                .add(domain, "TXT", format!("{} ~all", with.join(" ")))
        }
        () if lookups > spf::MOST_LOOKUPS => {
            let why = format!(
                "the record needs {lookups} lookups, and receivers give up after {}; remove some",
                spf::MOST_LOOKUPS
            );
            point("spf", Verdict::Fail, why)
        }
        () if include.is_some_and(|include| !terms.iter().any(|term| term.trim_start_matches('+') == include)) => {
            let with = record.replacen("v=spf1", &format!("v=spf1 {sender}"), 1);
            let indirect = terms.iter().any(|term| term.starts_with("include:") || term.starts_with("redirect="));
            let (verdict, why) = match indirect {
                true => (
                    Verdict::Warn,
                    format!(
                        "the record does not name the provider of the account itself; add {sender}, unless another entry covers it"
                    ),
                ),
                false => (Verdict::Fail, format!("the record does not name the provider of the account; add {sender}")),
            };
            return point("spf", verdict, why).found(record).add(domain, "TXT", with);
        }
        () if !ends("~all") && !ends("-all") && !terms.iter().any(|term| term.starts_with("redirect=")) => {
            let why = "the record does not say what to do with other servers; end it with ~all";
            let with = format!("{} ~all", record.trim_end_matches("?all").trim_end());
            return point("spf", Verdict::Warn, why).found(record).add(domain, "TXT", with);
        }
        () if include.is_none() => point("spf", Verdict::Pass, VALID),
        () => point("spf", Verdict::Pass, "the record names the provider of the account"),
    };
    judged.found(record)
}

/// A record that is valid in itself.
const VALID: &str = "there is one valid record";

fn is_spf(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    text == "v=spf1" || text.starts_with("v=spf1 ")
}

/// The term that permits a server.
fn named(host: &str) -> String {
    match host.parse() {
        Ok(IpAddr::V4(address)) => format!("ip4:{address}"),
        Ok(IpAddr::V6(address)) => format!("ip6:{address}"),
        Err(_) => format!("a:{host}"),
    }
}

/// A valid record passes only if it permits the addresses of the account's server. Of providers with a known entry that
/// entry counts instead, since they send from other addresses.
async fn covered(question: &Question<'_>, resolver: &TokioResolver, valid: Point, record: Option<String>) -> Point {
    let (Some(host), Some(record)) = (question.smtp_host, record) else { return valid };
    if valid.verdict != Verdict::Pass || include_of(host).is_some() {
        return valid;
    }
    let coverage = spf::coverage(resolver, question.domain, &record, host);
    let coverage = tokio::time::timeout(COMPARING, coverage).await;
    let late = || spf::Coverage::Unchecked("the name servers took too long".to_owned());
    compared(question.domain, host, &record, coverage.unwrap_or_else(|_| late()))
}

fn compared(domain: &str, host: &str, record: &str, coverage: spf::Coverage) -> Point {
    let judged = match coverage {
        spf::Coverage::Permitted => point("spf", Verdict::Pass, format!("{VALID}, and it permits {host}")),
        spf::Coverage::Not(addresses) => {
            let addresses: Vec<String> = addresses.iter().map(IpAddr::to_string).collect();
            let (addresses, term) = (addresses.join(", "), named(host));
            let why = format!(
                "{VALID}, but it does not permit {host} ({addresses}); add {term}, or what the provider of the account names \
                 if it sends from other addresses"
            );
            let with = record.replacen("v=spf1", &format!("v=spf1 {term}"), 1);
            point("spf", Verdict::Warn, why).add(domain, "TXT", with)
        }
        spf::Coverage::Broken(why) => point("spf", Verdict::Fail, why),
        spf::Coverage::Unchecked(why) => {
            let why = format!("{VALID}; it was not checked whether it permits {host}, since {why}");
            point("spf", Verdict::Warn, why)
        }
    };
    judged.found(record)
}

async fn dkim(question: &Question<'_>, resolver: &TokioResolver) -> Point {
    let name = |selector: &str| format!("{selector}._domainkey.{}", question.domain);
    let given = question.selector.map(|selector| [selector]);
    let selectors: &[&str] = given.as_ref().map_or(SELECTORS, |given| given);
    let lookups = selectors.iter().map(|selector| async { (*selector, texts(resolver, &name(selector)).await) });
    let (mut revoked, mut silent) = (None, None);
    for (selector, found) in join_all(lookups).await {
        match found {
            Ok(texts) => {
                // A key may be in several parts, which `texts` has joined.
                let key = |text: &String| {
                    text.split(';').find_map(|tag| tag.trim().strip_prefix("p=").map(|key| !key.trim().is_empty()))
                };
                match texts.iter().find_map(|text| key(text).map(|valid| (text, valid))) {
                    Some((text, true)) => {
                        return point("dkim", Verdict::Pass, format!("the selector {selector} has a key")).found(text);
                    }
                    Some((text, false)) => revoked = Some((selector, text.clone())),
                    None => {}
                }
            }
            Err(Missing::None) => {}
            Err(Missing::Unanswered(why)) => silent = Some(why),
        }
    }
    let how = "turn DKIM on in the settings of the mail provider, and add the record that it shows";
    if let Some((selector, text)) = revoked {
        let why = format!("the key of the selector {selector} is empty, which means that it was revoked; {how}");
        return point("dkim", Verdict::Fail, why).found(&text);
    }
    if let Some(why) = silent {
        return unanswered("dkim", &why);
    }
    let value = "v=DKIM1; k=rsa; p=(the public key that the mail provider shows)";
    match question.selector {
        Some(selector) => {
            let why = format!("the selector {selector} has no key; {how}");
            point("dkim", Verdict::Fail, why).add(&name(selector), "TXT", value)
        }
        None => {
            let usual = match question.smtp_host.and_then(include_of) {
                Some("include:_spf.google.com") => "google",
                Some(_) => "selector1",
                None => "default",
            };
            let why = format!(
                "no key was found under the usual selectors; if the domain has another one, check it by name, else {how}"
            );
            point("dkim", Verdict::Unknown, why).add(&name(usual), "TXT", value)
        }
    }
}

async fn dmarc(domain: &str, resolver: &TokioResolver) -> Point {
    let name = format!("_dmarc.{domain}");
    let value = format!("v=DMARC1; p=none; rua=mailto:postmaster@{domain}");
    // A domain without a policy has that of its parents.
    let mut at = domain;
    loop {
        let is_dmarc = |text: &String| text.to_ascii_lowercase().replace(' ', "").starts_with("v=dmarc1");
        match texts(resolver, &format!("_dmarc.{at}")).await {
            Err(Missing::Unanswered(why)) => return unanswered("dmarc", &why),
            Ok(found) => {
                let found: Vec<&String> = found.iter().filter(|text| is_dmarc(text)).collect();
                match found[..] {
                    [record] => return policy(record, &name, at != domain),
                    [] => {}
                    _ => {
                        let why = "the domain has several DMARC records, and receivers then ignore them all; keep one";
                        return point("dmarc", Verdict::Fail, why).found(found[0]);
                    }
                }
            }
            Err(Missing::None) => {}
        }
        match at.split_once('.') {
            Some((_, parent)) if parent.contains('.') => at = parent,
            _ => break,
        }
    }
    let why = "the domain has no DMARC record; large providers refuse or junk mail of senders without one";
    point("dmarc", Verdict::Fail, why).add(&name, "TXT", value)
}

fn policy(record: &str, name: &str, inherited: bool) -> Point {
    let tags: Vec<(String, String)> = record
        .split(';')
        .filter_map(|tag| tag.split_once('='))
        .map(|(tag, value)| (tag.trim().to_ascii_lowercase(), value.trim().to_ascii_lowercase()))
        .collect();
    let of = |wanted: &str| tags.iter().find(|(tag, _)| tag == wanted).map(|(_, value)| value.as_str());
    let policy = if inherited { of("sp").or(of("p")) } else { of("p") };
    let judged = match policy {
        Some("reject" | "quarantine") => point("dmarc", Verdict::Pass, "the policy protects the domain"),
        Some("none") => {
            let with = record.replacen("p=none", "p=quarantine", 1);
            let why =
                "the policy only observes (p=none), which is enough to be accepted; tighten it when SPF and DKIM pass";
            point("dmarc", Verdict::Warn, why).add(name, "TXT", with)
        }
        _ => point("dmarc", Verdict::Fail, "the record has no valid policy; it needs p=none, p=quarantine or p=reject")
            .add(name, "TXT", "v=DMARC1; p=none"),
    };
    judged.found(record)
}

async fn mx(domain: &str, resolver: &TokioResolver) -> Point {
    let name = match full(domain) {
        Ok(name) => name,
        Err(_) => return point("mx", Verdict::Unknown, "the domain is no name that can be looked up"),
    };
    let hosts: Vec<(u16, String)> = match resolver.mx_lookup(name).await.map_err(missing) {
        Ok(found) => {
            let host = |data: &RData| match data {
                RData::MX(mx) => Some((mx.preference, mx.exchange.to_ascii())),
                _ => None,
            };
            found.answers().iter().filter_map(|record| host(&record.data)).take(RECORDS).collect()
        }
        Err(Missing::None) => Vec::new(),
        Err(Missing::Unanswered(why)) => return unanswered("mx", &why),
    };
    let example = "10 (the server that receives mail for the domain)";
    match hosts.iter().min() {
        Some((_, host)) if host == "." => {
            let why = "the domain declares that it receives no mail, so that replies and bounces are lost";
            point("mx", Verdict::Fail, why).found("0 .").add(domain, "MX", example)
        }
        Some((preference, host)) => {
            let host = host.trim_end_matches('.');
            point("mx", Verdict::Pass, "the domain receives mail").found(&format!("{preference} {host}"))
        }
        None => {
            let why = "the domain has no MX record, so that replies and bounces may not arrive, and many servers refuse its mail";
            point("mx", Verdict::Fail, why).add(domain, "MX", example)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(records: &[&str], host: Option<&str>) -> (Verdict, Option<String>) {
        let question = Question { domain: "example.com", smtp_host: host, selector: None };
        let point = spf(&question, Ok(records.iter().map(|record| (*record).to_owned()).collect()));
        (point.verdict, point.add.map(|record| record.value))
    }

    #[test]
    fn spf_records_are_judged() {
        let google = Some("smtp.gmail.com");
        assert_eq!(judged(&[], google), (Verdict::Fail, Some("v=spf1 include:_spf.google.com ~all".into())));
        assert_eq!(judged(&["v=spf1 include:_spf.google.com -all"], google), (Verdict::Pass, None));
        assert_eq!(judged(&["v=spf1 mx ~all"], None), (Verdict::Pass, None));
        assert_eq!(judged(&["v=spf1 mx +all"], None).0, Verdict::Fail);
        assert_eq!(judged(&["v=spf1 mx ?all"], None), (Verdict::Warn, Some("v=spf1 mx ~all".into())));
        assert_eq!(judged(&["v=spf1 mx ~all", "v=spf1 a ~all"], None).0, Verdict::Fail);
        let other = judged(&["v=spf1 mx ~all"], Some("smtp.office365.com"));
        assert_eq!(other, (Verdict::Fail, Some("v=spf1 include:spf.protection.outlook.com mx ~all".into())));
        assert_eq!(judged(&["v=spf1 include:spf.example.com ~all"], google).0, Verdict::Warn);
        let many = format!("v=spf1 {} ~all", "include:a.example.com ".repeat(11));
        assert_eq!(judged(&[&many], None).0, Verdict::Fail);
        assert_eq!(judged(&["v=spf10 mx", "other"], None).0, Verdict::Fail);
    }

    #[test]
    fn names_are_checked() {
        assert_eq!(dns_name("Example.COM.").as_deref(), Some("example.com"));
        assert_eq!(dns_name("münchen.example").as_deref(), Some("xn--mnchen-3ya.example"));
        for wrong in ["", "localhost", "127.0.0.1", "[::1]", "a b.example.com", &"a.".repeat(200)] {
            assert_eq!(dns_name(wrong), None, "{wrong}");
        }
        assert!(is_selector("google") && is_selector("a.b-c_d"));
        assert!(!is_selector("") && !is_selector("a b") && !is_selector("a..b") && !is_selector(&"a".repeat(64)));
    }
}
