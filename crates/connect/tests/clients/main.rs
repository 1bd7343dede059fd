//! The clients against the sandbox, over real sockets.

mod imap;
mod mailserver;
mod provider;
mod real;
mod smtp;

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use connect::mail::{Address, Draft, compose};
use connect::sandbox::{self, Sandbox, Script};
use connect::server::{Server, Timeouts};

/// A world with these rules, as TOML.
async fn world(script: &str) -> Sandbox {
    let script = Script::parse(script).expect("a good script");
    sandbox::start(IpAddr::V4(Ipv4Addr::LOCALHOST), script).await.expect("a world")
}

/// Time-outs that a test can wait for.
fn hasty(mut server: Server) -> Server {
    let limit = Duration::from_millis(600);
    server.timeouts = Timeouts { connect: limit, command: limit, body: limit, answer: limit };
    server
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
