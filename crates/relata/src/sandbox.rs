//! `relata sandbox`: mail servers, networks and finders on this machine, for tests and trials. `relata demo --sandbox` also
//! connects a workspace to them.

use crate::cli::{AddAccount, LimitArgs, ReachArgs, Sandbox};
use crate::open::Installation;
use crate::{Exit, accounts, enrichment};
use ::sandbox::{Sandbox as World, Script};
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};

/// The script of `relata demo --sandbox`.
const DEMO_SCRIPT: &str = r#"
[[rules]]
match = "*@example.com"
share = 3
action = "bounce"

[[rules]]
match = "*@example.com"
share = 8
after = 20
action = "out_of_office"
days = 3

[[rules]]
share = 30
after = 30
action = "reply"
text = "Thank you for writing. Call me on Tuesday."

[[rules]]
channel = "enrichment"
share = 40
action = "find"

[[rules]]
channel = "network"
share = 60
after = 20
action = "accept_invite"
"#;

/// The demo's address finders: kind, name and path.
const FINDERS: [(&str, &str, &str); 2] = [
    ("hunter", "Demo Hunter", ""),
    ("json", "Demo Index", "/find?first_name={first_name}&last_name={last_name}&company={company}"),
];

pub(crate) fn run(asked: &Sandbox) -> Result<(), Exit> {
    let script = asked.script.as_deref().map_or_else(|| Ok(Script::default()), read)?;
    let runtime = runtime()?;
    let world = start(&runtime, asked.listen, script)?;
    print_addresses(&world, &[]);
    runtime.block_on(ended())
}

/// Starts a sandbox with the demo script, and connects accounts of each kind and address finders to it.
pub(crate) fn start_demo(installation: &Installation, slug: Option<&str>) -> Result<(), Exit> {
    let runtime = runtime()?;
    let script = Script::parse(DEMO_SCRIPT).map_err(Exit::failed)?;
    let world = start(&runtime, IpAddr::V4(Ipv4Addr::LOCALHOST), script)?;
    let login = |url: &str| Some(world.login(url, "demo@example.com"));
    let mail = ReachArgs { smtp: login(&world.smtp), imap: login(&world.imap), ..ReachArgs::default() };
    let by =
        |url: &str| ReachArgs { url: Some(url.to_owned()), token: Some(world.token.clone()), ..ReachArgs::default() };
    let accounts = [
        ("email", "Demo Mailbox", Some("demo@example.com"), mail),
        ("network", "Demo Network", None, by(&world.network)),
        ("chat", "Demo Chat", None, by(&world.chat)),
    ];
    let mut connected = Vec::new();
    for (provider, name, address, reach) in accounts {
        let add = AddAccount {
            provider: provider.into(),
            name: name.into(),
            address: address.map(str::to_owned),
            license_type: None,
            owner: None,
            reach,
            limits: LimitArgs::default(),
            no_test: false,
        };
        connected.push(format!("account {} {name}", accounts::reconnect(installation, slug, add)?));
    }
    for (kind, name, path) in FINDERS {
        let url = format!("{}/demo{path}", world.enrichment);
        let header = format!("X-API-Key: {}", world.token);
        connected.push(format!("provider {} {name}", enrichment::renew(installation, slug, kind, name, &url, header)?));
    }
    print_addresses(&world, &connected);
    runtime.block_on(ended())
}

fn runtime() -> Result<Runtime, Exit> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Exit::failed)
}

fn start(runtime: &Runtime, listen: IpAddr, script: Script) -> Result<World, Exit> {
    let world = runtime.block_on(::sandbox::start(listen, script));
    world.map_err(|error| Exit::failed(format!("can't listen on {listen}: {error}")))
}

fn print_addresses(world: &World, more: &[String]) {
    let mut lines = vec![
        format!("smtp {}", world.smtp),
        format!("imap {}", world.imap),
        format!("network {} {}", world.network, world.token),
        format!("chat {} {}", world.chat, world.token),
        format!("enrichment {} {}", world.enrichment, world.token),
        format!("oauth {}", world.oauth),
        format!("control {}", world.control),
    ];
    lines.extend_from_slice(more);
    lines.push("ready".to_owned());
    // The sandbox runs even if the reader of its output is gone.
    let mut out = std::io::stdout();
    let _ = writeln!(out, "{}", lines.join("\n")).and_then(|()| out.flush());
}

async fn ended() -> Result<(), Exit> {
    let (mut terminate, mut interrupt) = (
        signal(SignalKind::terminate()).map_err(Exit::failed)?,
        signal(SignalKind::interrupt()).map_err(Exit::failed)?,
    );
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}

fn read(file: &Path) -> Result<Script, Exit> {
    let text = std::fs::read_to_string(file).map_err(|error| Exit::wrong(format!("{}: {error}", file.display())))?;
    Script::parse(&text).map_err(|error| Exit::wrong(format!("{}: {error}", file.display())))
}
