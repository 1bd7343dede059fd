//! `relata contacts`: erases people, and allows their addresses again.

use crate::commands::{read, write};
use crate::config::Config;
use crate::{Exit, cli, open};
use crm::api::reaction::Erases;
use crm::erasure;
use crm::records::contact::Contact;
use std::io::Write;

pub(crate) fn run(config: &Config, slug: Option<&str>, command: cli::Contacts) -> Result<(), Exit> {
    let installation = open::as_is(config)?;
    match command {
        cli::Contacts::Erase { contact, yes } => {
            let called = contact.clone();
            let (id, name) = read(&installation, slug, move |ctx, tx| {
                let found = erasure::called(ctx, tx, &called)?;
                let names = [Some(found.record.first_name), found.record.last_name];
                Ok((found.id, names.into_iter().flatten().collect::<Vec<_>>().join(" ")))
            })?;
            if !yes && !confirmed(&name)? {
                return Err(Exit::failed("nothing was erased; give --yes to erase without being asked"));
            }
            write(&installation, slug, move |ctx, tx| {
                let found = erasure::called(ctx, tx, &id.to_string())?;
                Contact::erase(ctx, tx, &found)
            })?;
            println!("{id}");
            eprintln!("{name} is gone. A running server removes everything else about them in a moment.");
        }
        cli::Contacts::Allow { address } => {
            let allowed = address.clone();
            write(&installation, slug, move |ctx, tx| erasure::allow(ctx, tx, &allowed))?;
            eprintln!("{address} can be stored again.");
        }
    }
    installation.store.close();
    Ok(())
}

/// Asks on the terminal. The answer to a script, which can't answer, is no.
fn confirmed(name: &str) -> Result<bool, Exit> {
    eprint!("Erase {name} and everything about them? It can't be undone. [y/N] ");
    std::io::stderr().flush().map_err(Exit::failed)?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).map_err(Exit::failed)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
