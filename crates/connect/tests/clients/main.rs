//! The clients against the sandbox, over real sockets.

mod imap;
mod mailserver;
mod provider;
mod real;
mod smtp;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use connect::mail::{Address, Draft, compose};
use connect::server::{Server, Timeouts};
use sandbox::{Sandbox, Script};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// A sandbox with these rules, as TOML.
async fn world(script: &str) -> Sandbox {
    let script = Script::parse(script).expect("a good script");
    sandbox::start(IpAddr::V4(Ipv4Addr::LOCALHOST), script).await.expect("a world")
}

/// Short time-outs, so that tests can wait for them.
fn hasty(mut server: Server) -> Server {
    let limit = Duration::from_millis(600);
    server.timeouts = Timeouts { connect: limit, command: limit, body: limit, answer: limit };
    server
}

/// Starts a server for one client: it sends the first text at once and each other one after it receives something.
async fn listening(says: &'static [&'static [u8]]) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.expect("a client");
        for words in says {
            let _ = socket.write_all(words).await;
            let _ = socket.read(&mut [0; 4096]).await;
        }
    });
    address
}

fn yes() -> bool {
    true
}

fn mail(id: &str, to: &str) -> Vec<u8> {
    let draft = Draft {
        message_id: id,
        date: 1_767_225_600_000,
        from: Address { name: Some("Ann Sender".to_owned()), address: "ann@example.com".to_owned() },
        to: vec![Address::new(to)],
        subject: "An offer",
        text: "Hello,\n.\nthis is a mail.\n",
        ..Draft::default()
    };
    compose(&draft).expect("a mail")
}
