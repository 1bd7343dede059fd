//! Who is asking, behind proxies: `X-Forwarded-For` is believed only from configured addresses.

use std::net::IpAddr;

/// An address, or a network in CIDR form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network {
    address: IpAddr,
    bits: u8,
}

impl std::str::FromStr for Network {
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

fn canonical(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(v6) => v6.to_ipv4_mapped().map_or(address, IpAddr::V4),
        v4 => v4,
    }
}

/// The nearest address that is not a trusted proxy.
pub fn client(peer: IpAddr, forwarded: &[&str], trusted: &[Network]) -> IpAddr {
    let mut client = canonical(peer);
    let hops = forwarded.iter().flat_map(|header| header.split(',')).map(str::trim);
    for hop in hops.collect::<Vec<_>>().into_iter().rev() {
        if !trusted.iter().any(|network| network.holds(client)) {
            break;
        }
        match hop.parse::<IpAddr>() {
            Ok(address) => client = canonical(address),
            Err(_) => break,
        }
    }
    client
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn believes_configured_proxies_only() {
        let ip = |text: &str| text.parse::<IpAddr>().expect("an address");
        let trusted: Vec<Network> =
            ["127.0.0.1", "10.0.0.0/8", "::1"].iter().map(|t| t.parse().expect("a network")).collect();
        let header = ["203.0.113.9, 198.51.100.7, 10.1.2.3"];
        assert_eq!(client(ip("127.0.0.1"), &header, &trusted), ip("198.51.100.7"));
        assert_eq!(client(ip("::ffff:127.0.0.1"), &header, &trusted), ip("198.51.100.7"));
        assert_eq!(client(ip("192.0.2.1"), &header, &trusted), ip("192.0.2.1"));
        assert_eq!(client(ip("127.0.0.1"), &["nonsense"], &trusted), ip("127.0.0.1"));
        assert_eq!(client(ip("127.0.0.1"), &header, &[]), ip("127.0.0.1"));
        assert!("10.0.0.0/33".parse::<Network>().is_err() && "ten".parse::<Network>().is_err());
    }
}
