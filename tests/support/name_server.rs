//! A name server on loopback for tests: it answers from a list of records over UDP.

use std::collections::HashMap;
use std::net::{Ipv4Addr, UdpSocket};
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) struct NameServer {
    pub address: String,
    zone: Arc<Mutex<Zone>>,
}

#[derive(Default)]
struct Zone {
    /// By name and type: the data of each record.
    records: HashMap<(String, u16), Vec<Vec<u8>>>,
    silent: bool,
}

const A: u16 = 1;
const MX: u16 = 15;
const TXT: u16 = 16;

impl NameServer {
    pub(crate) fn new() -> NameServer {
        let socket = UdpSocket::bind(("127.0.0.1", 0)).expect("a free port");
        let address = socket.local_addr().expect("its address").to_string();
        let zone: Arc<Mutex<Zone>> = Arc::default();
        let shared = zone.clone();
        std::thread::spawn(move || {
            let mut query = [0; 2048];
            while let Ok((size, from)) = socket.recv_from(&mut query) {
                if let Some(answer) = answer(&shared.lock().unwrap_or_else(PoisonError::into_inner), &query[..size]) {
                    let _ = socket.send_to(&answer, from);
                }
            }
        });
        NameServer { address, zone }
    }

    fn zone(&self) -> std::sync::MutexGuard<'_, Zone> {
        self.zone.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces the TXT records of a name.
    pub(crate) fn text(&self, name: &str, texts: &[&str]) {
        let parts = |text: &&str| {
            let part = |part: &[u8]| [&[part.len() as u8], part].concat();
            text.as_bytes().chunks(255).flat_map(part).collect::<Vec<u8>>()
        };
        self.zone().records.insert((name.to_owned(), TXT), texts.iter().map(parts).collect());
    }

    /// Sets the MX record of a name.
    pub(crate) fn mail(&self, name: &str, preference: u16, host: &str) {
        let data = [&preference.to_be_bytes()[..], &encoded(host)].concat();
        self.zone().records.insert((name.to_owned(), MX), vec![data]);
    }

    /// Sets the address of a name.
    pub(crate) fn host(&self, name: &str, address: Ipv4Addr) {
        self.zone().records.insert((name.to_owned(), A), vec![address.octets().to_vec()]);
    }

    /// Whether it gives no answers.
    pub(crate) fn silence(&self, silent: bool) {
        self.zone().silent = silent;
    }
}

fn encoded(name: &str) -> Vec<u8> {
    let label = |label: &str| [&[label.len() as u8], label.as_bytes()].concat();
    let labels = name.split('.').filter(|label| !label.is_empty()).flat_map(label);
    labels.chain([0]).collect()
}

fn answer(zone: &Zone, query: &[u8]) -> Option<Vec<u8>> {
    if zone.silent || query.len() < 17 {
        return None;
    }
    let (mut at, mut labels) = (12, Vec::new());
    while query.get(at).is_some_and(|size| *size > 0) {
        let end = at + 1 + usize::from(query[at]);
        labels.push(String::from_utf8_lossy(query.get(at + 1..end)?).to_lowercase());
        at = end;
    }
    let question = query.get(12..at + 5)?;
    let kind = u16::from_be_bytes([query[at + 1], query[at + 2]]);
    let name = labels.join(".");
    let records = zone.records.get(&(name.clone(), kind)).map(Vec::as_slice).unwrap_or_default();
    let exists = zone.records.keys().any(|(known, _)| *known == name);
    let mut answer = query[..2].to_vec();
    // A response with recursion; NXDOMAIN if no record has the name.
    answer.extend([0x85, if exists { 0x80 } else { 0x83 }]);
    answer.extend([0, 1]);
    answer.extend((records.len() as u16).to_be_bytes());
    answer.extend([0, 0, 0, 0]);
    answer.extend(question);
    for record in records {
        // The name of the question, its type, the class IN, and a TTL of 60 s.
        answer.extend([0xc0, 12]);
        answer.extend(kind.to_be_bytes());
        answer.extend([0, 1, 0, 0, 0, 60]);
        answer.extend((record.len() as u16).to_be_bytes());
        answer.extend(record);
    }
    Some(answer)
}
