//! The arguments of `relata contacts`.

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Contacts {
    /// Erase a person with all notes, tasks, files and messages, and print the id; a running server completes it
    Erase {
        /// The contact's id or email address
        #[arg(value_name = "ID|EMAIL")]
        contact: String,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Allow an erased email address, phone number or profile to be stored again
    Allow {
        /// The address
        address: String,
    },
}
