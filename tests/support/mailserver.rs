//! The real mail servers that `bin/mailserver start FOLDER` runs, found by RELATA_TEST_MAIL=FOLDER.

/// The URL of one of its services (smtp, imap, imaps) for this user.
pub(crate) fn url(service: &str, user: &str) -> String {
    let urls = std::fs::read_to_string(format!("{}/urls", folder())).expect("running servers");
    let line = urls.lines().find_map(|line| line.strip_prefix(&format!("{service} "))).expect("a service");
    line.replacen("ann%40example.com", &user.replace('@', "%40"), 1)
}

/// Every mail to an address of this domain: the address and the mail.
pub(crate) fn mails_of(domain: &str) -> Vec<(String, String)> {
    let mut mails = Vec::new();
    let boxes = std::fs::read_dir(format!("{}/mail", folder())).expect("mailboxes").flatten();
    for mailbox in boxes {
        let address = mailbox.file_name().to_string_lossy().into_owned();
        if address.split_once('@').is_none_or(|(_, of)| of != domain) {
            continue;
        }
        mails.extend(mails_to(&address).into_iter().map(|mail| (address.clone(), mail)));
    }
    mails
}

/// Every mail to this address.
pub(crate) fn mails_to(address: &str) -> Vec<String> {
    let mut mails = Vec::new();
    for place in ["new", "cur"] {
        let mailbox = format!("{}/mail/{address}/{place}", folder());
        for mail in std::fs::read_dir(mailbox).into_iter().flatten().flatten() {
            let mail = std::fs::read(mail.path()).expect("a mail");
            mails.push(String::from_utf8_lossy(&mail).into_owned());
        }
    }
    mails
}

fn folder() -> String {
    std::env::var("RELATA_TEST_MAIL").unwrap_or_else(|_| {
        panic!("RELATA_TEST_MAIL is not set: these tests need real mail servers. Run bin/test, or bin/mailserver start FOLDER and set it to FOLDER.")
    })
}
