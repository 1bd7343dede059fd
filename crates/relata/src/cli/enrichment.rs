//! The arguments of `relata enrichment`.

use clap::{Args, Subcommand};

#[derive(Subcommand)]
pub(crate) enum Enrichment {
    /// Add a provider and print its id; no request is sent to it
    Add(AddProvider),
    /// List providers in the order of use: id, position, kind, name, what it finds, host, requests at a time, seconds,
    /// last error
    List,
    /// Look a person up with a provider and print the result; no credit is charged, but the provider may charge
    Test(TestProvider),
    /// Delete a provider and its secrets; waiting requests go to the next one
    Remove {
        /// The provider's name
        name: String,
    },
}

#[derive(Args)]
pub(crate) struct AddProvider {
    /// The provider's name
    #[arg(long)]
    pub name: String,
    /// json (any service, described by the options below), hunter or apollo
    #[arg(long)]
    pub kind: String,
    /// The service's address. For the kind json a full URL with placeholders: {first_name} {last_name} {full_name}
    /// {company} {domain} {network_profile} {title} {location} {email} [default for the others: the service's own]
    #[arg(long)]
    pub url: Option<String>,
    /// Header of every request, such as a key; may be given several times
    #[arg(long = "header", value_name = "NAME: VALUE")]
    pub headers: Vec<String>,
    /// GET, POST or PUT [default: GET, POST with a body]
    #[arg(long)]
    pub method: Option<String>,
    /// JSON to send, with placeholders as in the address
    #[arg(long, value_name = "JSON")]
    pub body: Option<String>,
    /// Path of email addresses in the answer: names of members and indexes of items, separated by dots; * for all items
    #[arg(long, value_name = "PATH")]
    pub email_path: Option<String>,
    /// Path of telephone numbers
    #[arg(long, value_name = "PATH")]
    pub phone_path: Option<String>,
    /// Path of the confidence of an email address, from 0 to 100
    #[arg(long, value_name = "PATH")]
    pub confidence_path: Option<String>,
    /// Path of the verification state of an email address: true, valid, verified or deliverable
    #[arg(long, value_name = "PATH")]
    pub verified_path: Option<String>,
    /// Path of the person's name: an answer with another last name is ignored
    #[arg(long, value_name = "PATH")]
    pub name_path: Option<String>,
    /// Providers with smaller numbers are used first [default: after all others]
    #[arg(long, value_name = "N")]
    pub position: Option<i64>,
    /// Time limit of a request
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub seconds: u64,
    /// Maximum number of requests in flight, over all nodes
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub hands: i64,
}

#[derive(Args)]
pub(crate) struct TestProvider {
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
