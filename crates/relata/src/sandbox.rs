//! `relata sandbox`: an outside world on this machine.

use std::io::Write;
use std::path::Path;

use connect::sandbox::{self, Script};
use tokio::signal::unix::{SignalKind, signal};

use crate::Exit;
use crate::cli::Sandbox;

pub fn run(asked: &Sandbox) -> Result<(), Exit> {
    let script = asked.script.as_deref().map_or_else(|| Ok(Script::default()), read)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Exit::failed)?;
    runtime.block_on(async {
        let (mut terminate, mut interrupt) = (
            signal(SignalKind::terminate()).map_err(Exit::failed)?,
            signal(SignalKind::interrupt()).map_err(Exit::failed)?,
        );
        let world = sandbox::start(asked.listen, script)
            .await
            .map_err(|error| Exit::failed(format!("can't listen on {}: {error}", asked.listen)))?;
        let lines = [
            format!("smtp {}", world.smtp),
            format!("imap {}", world.imap),
            format!("network {} {}", world.network, world.token),
            format!("chat {} {}", world.chat, world.token),
            format!("control {}", world.control),
            "ready".to_owned(),
        ];
        // Whoever started it may not listen any more; that is no reason not to run.
        let mut out = std::io::stdout();
        let _ = writeln!(out, "{}", lines.join("\n")).and_then(|()| out.flush());
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        Ok(())
    })
}

fn read(file: &Path) -> Result<Script, Exit> {
    let text = std::fs::read_to_string(file).map_err(|error| Exit::wrong(format!("{}: {error}", file.display())))?;
    Script::parse(&text).map_err(|error| Exit::wrong(format!("{}: {error}", file.display())))
}
