//! What `relata enrichment` takes.

use clap::{Args, Subcommand};

#[derive(Subcommand)]
pub enum Enrichment {
    /// Add a provider and print its id; nobody is asked
    Add(AddProvider),
    /// A line each, in the order in which they are asked: id, position, kind, name, what it finds, host, hands, seconds, trouble
    List,
    /// Ask a provider about somebody and print what it finds; no credit is taken, but the provider may charge
    Test(TestProvider),
    /// Forget a provider and its secrets; what waits for it goes on to the next
    Remove {
        /// What it is called in requests
        name: String,
    },
}

#[derive(Args)]
pub struct AddProvider {
    /// What it is called in requests
    #[arg(long)]
    pub name: String,
    /// json (any service, described by the options below), hunter or apollo
    #[arg(long)]
    pub kind: String,
    /// Its address. Of the kind json the whole one, with placeholders: {first_name} {last_name} {full_name} {company} {domain}
    /// {network_profile} {title} {location} {email} [default of the others: the service's own]
    #[arg(long)]
    pub url: Option<String>,
    /// Sent with every question, such as a key; may be given several times
    #[arg(long = "header", value_name = "NAME: VALUE")]
    pub headers: Vec<String>,
    /// GET, POST or PUT [default: GET, POST with a body]
    #[arg(long)]
    pub method: Option<String>,
    /// JSON to send, with placeholders as in the address
    #[arg(long, value_name = "JSON")]
    pub body: Option<String>,
    /// Where email addresses stand in its answers: members and numbers of items, separated by dots; * for all items
    #[arg(long, value_name = "PATH")]
    pub email_path: Option<String>,
    /// Where telephone numbers stand
    #[arg(long, value_name = "PATH")]
    pub phone_path: Option<String>,
    /// Where it says how sure it is of an email address, from 0 to 100
    #[arg(long, value_name = "PATH")]
    pub confidence_path: Option<String>,
    /// Where it says that an email address was verified: true, valid, verified or deliverable
    #[arg(long, value_name = "PATH")]
    pub verified_path: Option<String>,
    /// Where the person's name stands: an answer about somebody of another last name is not taken
    #[arg(long, value_name = "PATH")]
    pub name_path: Option<String>,
    /// Those with smaller numbers are asked first [default: after all others]
    #[arg(long, value_name = "N")]
    pub position: Option<i64>,
    /// How long a question may take
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub seconds: u64,
    /// As many questions are with it at a time, from all nodes
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub hands: i64,
}

#[derive(Args)]
pub struct TestProvider {
    /// Its name or id
    pub name: String,
    #[arg(long, default_value = "Ada")]
    pub first_name: String,
    #[arg(long, default_value = "Martin")]
    pub last_name: String,
    #[arg(long)]
    pub company: Option<String>,
    #[arg(long)]
    pub domain: Option<String>,
    #[arg(long, value_name = "URL")]
    pub network_profile: Option<String>,
    #[arg(long)]
    pub title: Option<String>,
    #[arg(long)]
    pub location: Option<String>,
    #[arg(long)]
    pub email: Option<String>,
}
