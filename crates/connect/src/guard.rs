//! Which addresses a connection may go to when a member or an API key chose the target: SMTP, IMAP and provider URLs.
//!
//! A name is resolved once, all of its addresses are checked, and the connection goes to an address that was checked, so
//! that a second answer of the name server can't lead elsewhere. Targets that the operator set on the command line are
//! not restricted. Decision 034 says why the lists are as they are.

use std::fmt;
use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::str::FromStr;
use std::sync::Arc;

use url::Host;

/// The protocol, which decides the allowed ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    Smtp,
    Imap,
    Http,
}

impl Protocol {
    /// The ports that a public server may have.
    pub fn ports(self) -> &'static [u16] {
        match self {
            Protocol::Smtp => &[25, 465, 587, 2525],
            Protocol::Imap => &[143, 993],
            Protocol::Http => &[80, 443, 8080, 8443],
        }
    }
}

/// Why a target is not allowed. Addresses and ports are named. A name that does not resolve and one that resolves to a
/// private address give the same error, so that it does not reveal which private names exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forbidden {
    /// The host is written as an address that is not public.
    Address(IpAddr),
    /// No public server may have this port. The host is a name.
    Port(Protocol, u16),
    /// The same for a host that is written as a public address: allowing private networks would not help.
    PublicPort(Protocol, u16),
    Name(Protocol),
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ports = |protocol: &Protocol| {
            let ports: Vec<String> = protocol.ports().iter().map(u16::to_string).collect();
            ports.join(", ")
        };
        match self {
            Forbidden::Address(address) => {
                write!(f, "Relata does not connect to {address}: it is not a public address")?;
            }
            Forbidden::Port(protocol, port) => {
                write!(f, "Relata does not connect to port {port}: it must be one of {}", ports(protocol))?;
            }
            Forbidden::PublicPort(protocol, port) => {
                return write!(
                    f,
                    "Relata does not connect to port {port}: it must be one of {}; the operator can set an address \
                     with any port with `relata accounts`",
                    ports(protocol)
                );
            }
            Forbidden::Name(protocol) => write!(
                f,
                "Relata does not connect to this server: its name must resolve, to public addresses alone, and its port \
                 must be one of {}",
                ports(protocol)
            )?,
        }
        f.write_str(
            "; the operator can allow private networks with --allow-private-hosts, or set the address with `relata accounts`",
        )
    }
}

impl std::error::Error for Forbidden {}

/// Why a target has no addresses to connect to.
#[derive(Debug)]
pub enum Denied {
    Forbidden(Forbidden),
    /// The name does not resolve, at least at the moment.
    Unresolved(Forbidden, std::io::Error),
}

impl fmt::Display for Denied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Denied::Forbidden(forbidden) => forbidden.fmt(f),
            Denied::Unresolved(_, error) => write!(f, "the name can't be resolved: {error}"),
        }
    }
}

impl std::error::Error for Denied {}

/// An address, or a network in CIDR form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network {
    address: IpAddr,
    bits: u8,
}

impl FromStr for Network {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let unfit = || format!("{text} is neither an address nor a network such as 10.0.0.0/8");
        let (address, bits) = text.trim().split_once('/').map_or((text.trim(), None), |(a, b)| (a, Some(b)));
        let address: IpAddr = address.parse().map_err(|_| unfit())?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(most), |bits| bits.parse().map_err(|_| unfit()))?;
        if bits > most { Err(unfit()) } else { Ok(Network { address, bits }) }
    }
}

impl Network {
    const fn v4(a: u8, b: u8, c: u8, d: u8, bits: u8) -> Network {
        Network { address: IpAddr::V4(Ipv4Addr::new(a, b, c, d)), bits }
    }

    const fn v6(a: u16, b: u16, bits: u8) -> Network {
        Network { address: IpAddr::V6(Ipv6Addr::new(a, b, 0, 0, 0, 0, 0, 0)), bits }
    }

    pub fn holds(&self, address: IpAddr) -> bool {
        match (self.address, canonical(address)) {
            (IpAddr::V4(net), IpAddr::V4(it)) => same(net.to_bits().into(), it.to_bits().into(), self.bits, 32),
            (IpAddr::V6(net), IpAddr::V6(it)) => same(net.to_bits(), it.to_bits(), self.bits, 128),
            _ => false,
        }
    }
}

fn same(a: u128, b: u128, bits: u8, width: u8) -> bool {
    bits == 0 || (a ^ b) >> (width - bits) == 0
}

/// An IPv4 address that is written as IPv6 (`::ffff:a.b.c.d`), as IPv4.
pub fn canonical(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(v6) => v6.to_ipv4_mapped().map_or(address, IpAddr::V4),
        v4 => v4,
    }
}

/// IPv4 networks that are not public, by the IANA special-purpose registry; and Azure's metadata service, whose address
/// is public by its number alone.
const NOT_PUBLIC_V4: &[Network] = &[
    Network::v4(0, 0, 0, 0, 8),
    Network::v4(10, 0, 0, 0, 8),
    Network::v4(100, 64, 0, 0, 10),
    Network::v4(127, 0, 0, 0, 8),
    Network::v4(168, 63, 129, 16, 32),
    Network::v4(169, 254, 0, 0, 16),
    Network::v4(172, 16, 0, 0, 12),
    Network::v4(192, 0, 0, 0, 24),
    Network::v4(192, 0, 2, 0, 24),
    Network::v4(192, 88, 99, 0, 24),
    Network::v4(192, 168, 0, 0, 16),
    Network::v4(198, 18, 0, 0, 15),
    Network::v4(198, 51, 100, 0, 24),
    Network::v4(203, 0, 113, 0, 24),
    Network::v4(224, 0, 0, 0, 4),
    Network::v4(240, 0, 0, 0, 4),
];

/// Public IPv6 is global unicast without protocol assignments (Teredo, benchmarking, ORCHID) and documentation.
const GLOBAL_V6: Network = Network::v6(0x2000, 0, 3);
const NOT_PUBLIC_V6: &[Network] =
    &[Network::v6(0x2001, 0, 23), Network::v6(0x2001, 0x0db8, 32), Network::v6(0x3fff, 0, 20)];

/// The address that a packet would reach: that within IPv4-mapped, NAT64 and 6to4 addresses.
fn effective(address: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = canonical(address) else { return canonical(address) };
    let v4 = |high: u16, low: u16| IpAddr::V4(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)));
    match v6.segments() {
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => v4(high, low),
        [0x2002, high, low, ..] => v4(high, low),
        _ => address,
    }
}

fn is_public(address: IpAddr) -> bool {
    let within = |networks: &[Network]| networks.iter().any(|network| network.holds(address));
    match address {
        IpAddr::V4(_) => !within(NOT_PUBLIC_V4),
        IpAddr::V6(_) => GLOBAL_V6.holds(address) && !within(NOT_PUBLIC_V6),
    }
}

/// Resolves names. Tests replace it.
trait Lookup: Send + Sync {
    fn lookup(&self, name: &str, port: u16) -> Pin<Box<dyn Future<Output = std::io::Result<Vec<SocketAddr>>> + Send>>;
}

struct System;

impl Lookup for System {
    fn lookup(&self, name: &str, port: u16) -> Pin<Box<dyn Future<Output = std::io::Result<Vec<SocketAddr>>> + Send>> {
        let name = name.to_owned();
        Box::pin(async move { Ok(tokio::net::lookup_host((name, port)).await?.collect()) })
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Allowed {
    /// Everything that the operator's command line names, and files of certificates.
    Operator,
    Everything,
    /// Public addresses, and these networks.
    Networks(Vec<Network>),
}

/// Decides where connections may go. By default only to public addresses.
#[derive(Clone)]
pub struct Guard {
    allowed: Arc<Allowed>,
    names: Arc<dyn Lookup>,
}

impl Default for Guard {
    fn default() -> Guard {
        Guard::new(Allowed::Networks(Vec::new()))
    }
}

impl PartialEq for Guard {
    fn eq(&self, other: &Guard) -> bool {
        self.allowed == other.allowed
    }
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.allowed.fmt(f)
    }
}

/// `--allow-private-hosts`: networks and addresses with commas between them, or `all`.
impl FromStr for Guard {
    type Err = String;
    fn from_str(text: &str) -> Result<Guard, String> {
        let parts = || text.split(',').map(str::trim).filter(|part| !part.is_empty());
        if parts().any(|part| part == "all") {
            return Ok(Guard::new(Allowed::Everything));
        }
        Ok(Guard::new(Allowed::Networks(parts().map(Network::from_str).collect::<Result<_, _>>()?)))
    }
}

impl Guard {
    fn new(allowed: Allowed) -> Guard {
        Guard { allowed: Arc::new(allowed), names: Arc::new(System) }
    }

    /// For targets that the operator set on the command line: refuses nothing.
    pub fn operator() -> Guard {
        Guard::new(Allowed::Operator)
    }

    /// For targets in untrusted content, such as the images of a mail. The networks in `--allow-private-hosts` are for
    /// members, so that only `all` applies.
    pub fn for_untrusted(&self) -> Guard {
        match *self.allowed {
            Allowed::Everything => self.clone(),
            _ => Guard { allowed: Arc::new(Allowed::Networks(Vec::new())), names: self.names.clone() },
        }
    }

    pub fn is_operator(&self) -> bool {
        *self.allowed == Allowed::Operator
    }

    /// Whether it refuses nothing.
    pub fn is_open(&self) -> bool {
        matches!(*self.allowed, Allowed::Operator | Allowed::Everything)
    }

    /// Refuses what needs no resolving to be refused: an address that is written out, in any spelling, and a port that
    /// no allowed address could have.
    pub fn check(&self, protocol: Protocol, host: &str, port: u16) -> Result<(), Forbidden> {
        let Allowed::Networks(networks) = &*self.allowed else { return Ok(()) };
        match self.parse(protocol, host)? {
            Target::Address(address) => match self.refused(protocol, &[SocketAddr::new(address, port)]) {
                Some(address) if is_public(effective(address.ip())) => Err(Forbidden::PublicPort(protocol, port)),
                Some(address) => Err(Forbidden::Address(canonical(address.ip()))),
                None => Ok(()),
            },
            // A name like any other, and refused in the words of the others.
            Target::Localhost if self.refused(protocol, &loopback(port)).is_some() => Err(Forbidden::Name(protocol)),
            Target::Localhost => Ok(()),
            Target::Name(_) if networks.is_empty() && !protocol.ports().contains(&port) => {
                Err(Forbidden::Port(protocol, port))
            }
            Target::Name(_) => Ok(()),
        }
    }

    /// The addresses to connect to, all of them allowed.
    pub async fn resolve(&self, protocol: Protocol, host: &str, port: u16) -> Result<Vec<SocketAddr>, Denied> {
        let unresolved = |error| Denied::Unresolved(Forbidden::Name(protocol), error);
        if self.is_open() {
            return self.names.lookup(host, port).await.map_err(unresolved);
        }
        self.check(protocol, host, port).map_err(Denied::Forbidden)?;
        let addresses = match self.parse(protocol, host).map_err(Denied::Forbidden)? {
            Target::Address(address) => vec![SocketAddr::new(address, port)],
            Target::Localhost => loopback(port).to_vec(),
            Target::Name(name) => self.names.lookup(&name, port).await.map_err(unresolved)?,
        };
        match addresses.is_empty() || self.refused(protocol, &addresses).is_some() {
            true => Err(Denied::Forbidden(Forbidden::Name(protocol))),
            false => Ok(addresses),
        }
    }

    /// The first of these addresses that is not allowed. One among several refuses them all.
    fn refused(&self, protocol: Protocol, addresses: &[SocketAddr]) -> Option<SocketAddr> {
        let Allowed::Networks(networks) = &*self.allowed else { return None };
        let permitted = |address: &SocketAddr| {
            let effective = effective(address.ip());
            networks.iter().any(|network| network.holds(address.ip()) || network.holds(effective))
                || is_public(effective) && protocol.ports().contains(&address.port())
        };
        addresses.iter().find(|address| !permitted(address)).copied()
    }

    /// A host as browsers read it: numbers in all their notations are addresses, letters and digits of other scripts
    /// become their plain forms.
    fn parse(&self, protocol: Protocol, host: &str) -> Result<Target, Forbidden> {
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        if let Ok(address) = bare.parse::<IpAddr>() {
            return Ok(Target::Address(address));
        }
        match Host::parse(host).map_err(|_| Forbidden::Name(protocol))? {
            Host::Ipv4(address) => Ok(Target::Address(address.into())),
            Host::Ipv6(address) => Ok(Target::Address(address.into())),
            Host::Domain(name) => {
                let plain = name.trim_end_matches('.');
                if plain == "localhost" || plain.ends_with(".localhost") {
                    return Ok(Target::Localhost);
                }
                if plain.is_empty() { Err(Forbidden::Name(protocol)) } else { Ok(Target::Name(name)) }
            }
        }
    }
}

enum Target {
    Address(IpAddr),
    Localhost,
    Name(String),
}

fn loopback(port: u16) -> [SocketAddr; 2] {
    [(Ipv4Addr::LOCALHOST, port).into(), (Ipv6Addr::LOCALHOST, port).into()]
}

/// Resolves names for an HTTP client that talks to one port.
pub struct Resolver {
    pub guard: Guard,
    pub port: u16,
}

impl reqwest::dns::Resolve for Resolver {
    fn resolve(&self, name: reqwest::dns::Name) -> reqwest::dns::Resolving {
        let (guard, port) = (self.guard.clone(), self.port);
        Box::pin(async move {
            let addresses = guard.resolve(Protocol::Http, name.as_str(), port).await?;
            Ok(Box::new(addresses.into_iter()) as reqwest::dns::Addrs)
        })
    }
}

#[cfg(test)]
mod tests;
