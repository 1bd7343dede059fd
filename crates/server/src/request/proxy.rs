//! The client's address behind proxies. `X-Forwarded-For` counts only if a configured proxy sent it.

use connect::guard::{Network, canonical};
use std::net::IpAddr;

/// The nearest address that is not a trusted proxy.
pub(super) fn client(peer: IpAddr, forwarded: &[&str], trusted: &[Network]) -> IpAddr {
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
    fn trusts_configured_proxies_only() {
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
