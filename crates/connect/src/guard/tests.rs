//! The guard against every spelling of forbidden addresses, and against names whose answers change.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;
use crate::fault::Fault;
use crate::provider::Provider;
use crate::server::Server;

const FORBIDDEN: &str = include_str!("forbidden_hosts.txt");

fn forbidden() -> impl Iterator<Item = &'static str> {
    FORBIDDEN.lines().filter(|line| !line.starts_with('#'))
}

/// Returns one answer after another, and the last one from then on.
struct Answers(Mutex<Vec<Vec<&'static str>>>, AtomicUsize);

impl Lookup for Answers {
    fn lookup(&self, _: &str, port: u16) -> Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send>> {
        self.1.fetch_add(1, Ordering::SeqCst);
        let mut answers = self.0.lock().unwrap();
        let answer = if answers.len() > 1 { answers.remove(0) } else { answers[0].clone() };
        let addresses = answer.into_iter().map(|ip| SocketAddr::new(ip.parse().unwrap(), port)).collect();
        Box::pin(async move { Ok(addresses) })
    }
}

fn answering(allowed: &str, answers: &[&[&'static str]]) -> (Guard, Arc<Answers>) {
    let names = Arc::new(Answers(Mutex::new(answers.iter().map(|one| one.to_vec()).collect()), AtomicUsize::new(0)));
    let guard: Guard = allowed.parse().unwrap();
    (Guard { names: names.clone(), ..guard }, names)
}

/// A local server that counts connections and answers HTTP with a redirect to itself.
async fn counting() -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, count) = (listener.local_addr().unwrap(), Arc::new(AtomicUsize::new(0)));
    let counted = count.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(async move {
                let mut head = [0; 4096];
                let _ = stream.read(&mut head).await;
                let answer = format!(
                    "HTTP/1.1 302 Found\r\nLocation: http://{address}/elsewhere\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                );
                let _ = stream.write_all(answer.as_bytes()).await;
            });
        }
    });
    (address, count)
}

#[tokio::test]
async fn every_spelling_of_a_forbidden_address_is_refused_before_anything_is_resolved() {
    assert!(forbidden().count() >= 60);
    for host in forbidden() {
        for (protocol, port) in [(Protocol::Smtp, 587), (Protocol::Imap, 993), (Protocol::Http, 443)] {
            // `localhost` is refused whatever a name server answers.
            let (guard, names) = answering("", &[&["93.184.215.14"]]);
            let refused = guard.check(protocol, host, port).unwrap_err();
            assert!(matches!(refused, Forbidden::Address(_) | Forbidden::Name(_)), "{host}: {refused:?}");
            let denied = guard.resolve(protocol, host, port).await;
            assert!(matches!(denied, Err(Denied::Forbidden(_))), "{host}: {denied:?}");
            assert_eq!(names.1.load(Ordering::SeqCst), 0, "{host} was resolved");
        }
    }
}

#[tokio::test]
async fn the_whole_clients_refuse_every_spelling_the_same_way() {
    let guard = Guard::default();
    for host in forbidden() {
        // A host that no URL can contain is refused before the guard is called.
        if let Ok(server) = Server::smtp(&format!("smtp://{host}:587?tls=none"), &guard) {
            let refused = crate::smtp::check(&server).await.unwrap_err();
            assert!(matches!(refused, Fault::Forbidden { may_pass: false, .. }), "{host}: {refused}");
        }
        if let Ok(server) = Server::imap(&format!("imap://a:b@{host}:993?tls=none"), &guard) {
            let refused = crate::imap::check(&server).await.unwrap_err();
            assert!(matches!(refused, Fault::Forbidden { may_pass: false, .. }), "{host}: {refused}");
        }
        if let Ok(provider) = Provider::new(&format!("http://{host}"), "t", &guard) {
            let refused = provider.account().await.unwrap_err();
            assert!(matches!(refused, Fault::Forbidden { may_pass: false, .. }), "{host}: {refused}");
        }
    }
}

#[tokio::test]
async fn errors_name_written_addresses_but_not_resolved_ones() {
    let (guard, _) = answering("", &[&["10.1.2.3"]]);
    let said = |host: &str, port: u16| guard.check(Protocol::Smtp, host, port).unwrap_err().to_string();
    for host in ["127.0.0.1", "0x7f.1", "[::ffff:127.0.0.1]"] {
        let said = said(host, 587);
        assert!(said.starts_with("Relata does not connect to 127.0.0.1: it is not a public address;"), "{said}");
    }
    for host in ["93.184.215.14", "mail.example.com"] {
        let said = said(host, 22);
        assert!(
            said.starts_with("Relata does not connect to port 22: it must be one of 25, 465, 587, 2525;"),
            "{said}"
        );
    }
    // Private networks can be allowed; that does not open another port of a public address.
    assert!(said("mail.example.com", 22).contains("--allow-private-hosts"));
    assert!(!said("93.184.215.14", 22).contains("--allow-private-hosts"), "{}", said("93.184.215.14", 22));
    for host in ["localhost", "LOCALHOST.", "mail.localhost"] {
        for port in [587, 22] {
            assert_eq!(said(host, port), Forbidden::Name(Protocol::Smtp).to_string(), "{host}");
        }
    }
    let private = guard.resolve(Protocol::Smtp, "mail.example.com", 587).await.unwrap_err();
    let Denied::Forbidden(private) = private else { panic!("{private:?}") };
    assert_eq!(private, Forbidden::Name(Protocol::Smtp));
}

#[tokio::test]
async fn every_address_of_a_name_is_checked() {
    let refused: &[&[&'static str]] = &[
        &["127.0.0.1"],
        &["10.1.2.3"],
        &["::1"],
        &["fd00::5"],
        &["169.254.169.254"],
        &["::ffff:192.168.1.1"],
        &["64:ff9b::a00:1"],
        &["2002:7f00:1::"],
        // One private address among public ones.
        &["93.184.215.14", "127.0.0.1"],
        &["2606:4700::1111", "fe80::1"],
        &["93.184.215.14", "2606:4700::1111", "100.64.0.9"],
        &[],
    ];
    for answer in refused {
        let (guard, _) = answering("", &[answer]);
        let denied = guard.resolve(Protocol::Smtp, "mail.example.com", 587).await;
        assert!(matches!(denied, Err(Denied::Forbidden(_))), "{answer:?}: {denied:?}");
    }
    let (guard, _) = answering("", &[&["93.184.215.14", "2606:4700::1111", "64:ff9b::5db8:d70e", "2002:5db8:d70e::1"]]);
    assert_eq!(guard.resolve(Protocol::Smtp, "mail.example.com", 587).await.unwrap().len(), 4);
}

#[tokio::test]
async fn a_name_that_changes_its_answer_leads_nowhere() {
    let (address, count) = counting().await;
    // First public, then private: each connection resolves the name once and checks the addresses that it uses.
    let (guard, names) = answering("", &[&["93.184.215.14"], &["127.0.0.1"]]);
    let checked = guard.resolve(Protocol::Http, "rebind.example.com", 80).await.unwrap();
    assert_eq!(checked, [SocketAddr::new("93.184.215.14".parse().unwrap(), 80)]);
    assert_eq!(names.1.load(Ordering::SeqCst), 1);
    let provider = Provider::new("http://rebind.example.com:8080", "t", &guard).unwrap();
    assert!(matches!(provider.account().await, Err(Fault::Forbidden { may_pass: false, .. })));
    let server = Server::smtp("smtp://rebind.example.com:587?tls=none", &guard).unwrap();
    assert!(matches!(crate::smtp::check(&server).await, Err(Fault::Forbidden { may_pass: false, .. })));
    // The port is allowed only in an allowed network.
    let provider = Provider::new(&format!("http://rebind.example.com:{}", address.port()), "t", &guard).unwrap();
    assert!(matches!(provider.account().await, Err(Fault::Forbidden { .. })));
    assert_eq!(count.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn allowed_networks_are_reached_on_any_port_and_redirects_are_not_followed() {
    let (address, count) = counting().await;
    let (guard, names) = answering("10.0.0.0/8, 127.0.0.1", &[&["127.0.0.1"], &["127.0.0.1"], &["127.0.0.2"]]);
    for (host, connections) in [("inside.example.com", 1), ("127.0.0.1", 2), ("0x7f.1", 3)] {
        let provider = Provider::new(&format!("http://{host}:{}", address.port()), "t", &guard).unwrap();
        let answer = provider.account().await;
        assert!(matches!(&answer, Err(Fault::Sender(text)) if text.starts_with("302")), "{answer:?}");
        assert_eq!(count.load(Ordering::SeqCst), connections, "{host}");
    }
    assert_eq!(names.1.load(Ordering::SeqCst), 1);
    assert!(guard.resolve(Protocol::Http, "inside.example.com", 9).await.is_ok());
    assert!(guard.resolve(Protocol::Http, "inside.example.com", 9).await.is_err(), "127.0.0.2 is not listed");
    assert!(guard.check(Protocol::Smtp, "[::1]", 25).is_err() && guard.check(Protocol::Smtp, "localhost", 25).is_err());
    let all: Guard = "10.0.0.0/8,all".parse().unwrap();
    assert!(all.is_open() && !all.is_operator() && all.check(Protocol::Imap, "127.0.0.1", 9).is_ok());
    assert!("10.0.0.0/33".parse::<Guard>().is_err() && "private".parse::<Guard>().is_err());
}

#[test]
fn public_servers_have_expected_ports() {
    let guard = Guard::default();
    for (protocol, good, bad) in [
        (Protocol::Smtp, &[25, 465, 587, 2525][..], &[22, 80, 143, 6379][..]),
        (Protocol::Imap, &[143, 993], &[25, 80, 110, 9200]),
        (Protocol::Http, &[80, 443, 8080, 8443], &[22, 25, 5432, 9090]),
    ] {
        for host in ["mail.example.com", "93.184.215.14", "[2606:4700::1111]"] {
            assert!(good.iter().all(|port| guard.check(protocol, host, *port).is_ok()), "{host}");
            assert!(bad.iter().all(|port| guard.check(protocol, host, *port).is_err()), "{host}");
        }
    }
    for host in ["", ".", "a b", "[::1", "::1]", "fe80::1%eth0", "[fe80::1%25eth0]", "1.2.3.4.5", "256.1.1.1", "0x"] {
        assert!(guard.check(Protocol::Smtp, host, 25).is_err(), "{host}");
    }
}

#[test]
fn a_file_of_certificates_is_the_operators_alone() {
    let url = "smtp://a:b@mail.example.com:465?tls=tls&ca=/etc/shadow";
    let refused = Server::smtp(url, &"all".parse().unwrap()).unwrap_err();
    assert!(refused.to_string().contains("command line alone"), "{refused}");
    assert!(Server::smtp(url, &Guard::operator()).is_ok());
}
