//! The real mail servers that `bin/mailserver start FOLDER` runs, found by RELATA_TEST_MAIL=FOLDER.

use connect::guard::Guard;
use connect::server::Server;

/// The URL of one of its services (smtp, imap, imaps) for this user.
pub(crate) fn url(service: &str, user: &str) -> String {
    let folder = std::env::var("RELATA_TEST_MAIL").unwrap_or_else(|_| {
        panic!("RELATA_TEST_MAIL is not set: these tests need real mail servers. Run bin/test, or bin/mailserver start FOLDER and set it to FOLDER.")
    });
    let urls = std::fs::read_to_string(format!("{folder}/urls")).expect("running servers");
    let line = urls.lines().find_map(|line| line.strip_prefix(&format!("{service} "))).expect("a service");
    line.replacen("ann%40example.com", &user.replace('@', "%40"), 1)
}

pub(crate) fn smtp(user: &str) -> Server {
    Server::smtp(&url("smtp", user), &Guard::operator()).expect("an address")
}

pub(crate) fn imap(user: &str) -> Server {
    Server::imap(&url("imap", user), &Guard::operator()).expect("an address")
}

/// The certificate that TLS clients must trust.
pub(crate) fn certificate() -> String {
    format!("{}/ca.pem", std::env::var("RELATA_TEST_MAIL").unwrap_or_default())
}
