//! PostgreSQL refuses the end of a transaction, as it does when a time limit passes during COMMIT: the transaction stays
//! open.

use crate::support::{Base, HOME, Oops, names, tag};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use store::{Error, Lane, Place, Tx};

/// Passes on connections to PostgreSQL, and replaces one command by another that the server does not understand.
struct Proxy {
    port: u16,
    spoiled: Arc<Mutex<Option<&'static str>>>,
}

impl Proxy {
    fn start(server: String) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let proxy = Proxy { port: listener.local_addr().unwrap().port(), spoiled: Arc::default() };
        let spoiled = proxy.spoiled.clone();
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let server = TcpStream::connect(&server).unwrap();
                let (mut from, mut to) = (server.try_clone().unwrap(), client.try_clone().unwrap());
                thread::spawn(move || std::io::copy(&mut from, &mut to));
                let spoiled = spoiled.clone();
                thread::spawn(move || pass_on(client, server, &spoiled));
            }
        });
        proxy
    }

    /// Replaces the next command of this text.
    fn spoil(&self, command: &'static str) {
        *self.spoiled.lock().unwrap() = Some(command);
    }

    fn has_spoiled(&self) -> bool {
        self.spoiled.lock().unwrap().is_none()
    }
}

fn pass_on(mut client: TcpStream, mut server: TcpStream, spoiled: &Mutex<Option<&'static str>>) -> std::io::Result<()> {
    // Before the start of the session, messages have no type: the request for TLS and the one that starts it.
    let mut is_typed = false;
    loop {
        let mut head = vec![0; if is_typed { 5 } else { 4 }];
        client.read_exact(&mut head)?;
        let length = u32::from_be_bytes(head[head.len() - 4..].try_into().unwrap()) as usize;
        let mut body = vec![0; length - 4];
        client.read_exact(&mut body)?;
        // A request for TLS has the code 80877103.
        is_typed |= body[..] != 80_877_103_u32.to_be_bytes();
        let mut spoiled = spoiled.lock().unwrap();
        if let Some(command) = spoiled.filter(|command| head[0] == b'Q' && body == format!("{command}\0").as_bytes()) {
            body[..command.len()].fill(b'X');
            *spoiled = None;
        }
        drop(spoiled);
        server.write_all(&[head, body].concat())?;
    }
}

fn behind_proxy() -> (Base, Proxy) {
    let mut base = Base::postgres();
    let Place::Postgres(url) = &base.place else { panic!("the engine is another one") };
    let (user, rest) = url.split_once('@').expect("a URL with a user");
    let (server, database) = rest.split_once('/').unwrap();
    let proxy = Proxy::start(server.to_owned());
    base.place = Place::Postgres(format!("{user}@127.0.0.1:{}/{database}", proxy.port));
    (base, proxy)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_follows_a_refused_commit_works() {
    let (base, proxy) = behind_proxy();
    let store = base.open().await;
    store.write(HOME, |tx| tag(tx, HOME, "first")).await.unwrap();
    for lane in [Lane::Fast, Lane::Slow] {
        proxy.spoil("COMMIT");
        for round in 0..20 {
            let one = store.read(lane, |tx| tx.one("SELECT 1", &[], |row| row.int(0))).await;
            assert_eq!(one, Ok(Some(1)), "round {round}");
        }
        assert!(proxy.has_spoiled());
    }
    // The transaction of a refused unit stays open.
    proxy.spoil("ROLLBACK");
    let refused = |tx: &mut dyn Tx| {
        tag(tx, HOME, "refused").map_err(Oops::Store)?;
        Err::<(), _>(Oops::Refused)
    };
    assert_eq!(store.write(HOME, refused).await, Err(Oops::Refused));
    assert!(proxy.has_spoiled());
    for name in ["second", "third"] {
        let keep = "INSERT INTO meta (name, value) VALUES ($1, '')";
        store.bookkeep(move |tx| tx.execute(keep, &[name.into()])).await.unwrap();
        store.write(HOME, move |tx| tag(tx, HOME, name)).await.unwrap();
    }
    assert_eq!(names(&store, HOME).await, ["first", "second", "third"]);
}

/// Otherwise each statement of the unit would be a transaction of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_unit_whose_begin_is_refused_changes_nothing() {
    let (base, proxy) = behind_proxy();
    let store = base.open().await;
    let keep = "INSERT INTO meta (name, value) VALUES ($1, '')";
    let both = move |tx: &mut dyn Tx| {
        tx.execute(keep, &["one".into()])?;
        tx.execute(keep, &["one".into()])
    };
    store.bookkeep(|tx| tx.one("SELECT 1", &[], |row| row.int(0))).await.unwrap();
    proxy.spoil("BEGIN");
    assert!(matches!(store.bookkeep(both).await, Err(Error::Conflict(_))));
    assert!(proxy.has_spoiled());
    let kept = store.point("SELECT value FROM meta WHERE name = 'one'", &[], |row| row.text(0)).await;
    assert_eq!(kept, Ok(None));
}
