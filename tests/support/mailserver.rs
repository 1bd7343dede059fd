//! The real mail servers that `bin/mailserver start FOLDER` runs, Postfix and Dovecot. Those that all tests share are found
//! by RELATA_TEST_MAIL=FOLDER; a test that restarts them or changes their settings starts its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use super::wait::{PATIENCE, eventually};

/// The servers of one folder.
pub(crate) struct Servers {
    folder: PathBuf,
    /// Set if they were started by this test, which stops them.
    own: Option<TempDir>,
}

impl Servers {
    /// The servers that all tests share.
    pub(crate) fn shared() -> Servers {
        Servers { folder: folder(), own: None }
    }

    /// Servers of this test alone.
    pub(crate) fn own() -> Servers {
        let own = tempfile::tempdir().unwrap_or_else(|error| panic!("cannot make a temporary folder: {error}"));
        let folder = own.path().join("servers");
        let servers = Servers { folder, own: Some(own) };
        servers.run("start");
        servers
    }

    /// The URL of one of the services (smtp, imap, imaps, …) for this user.
    pub(crate) fn url(&self, service: &str, user: &str) -> String {
        let urls = std::fs::read_to_string(self.folder.join("urls")).expect("running servers");
        let line = urls.lines().find_map(|line| line.strip_prefix(&format!("{service} "))).expect("a service");
        line.replacen("ann%40example.com", &user.replace('@', "%40"), 1)
    }

    /// Every mail in the mailbox, or in a folder of it such as `ann@example.com/.Sent`.
    pub(crate) fn mails_to(&self, address: &str) -> Vec<String> {
        let mut mails = Vec::new();
        for place in ["new", "cur"] {
            let mailbox = self.folder.join("mail").join(address).join(place);
            for mail in std::fs::read_dir(mailbox).into_iter().flatten().flatten() {
                // The mail server renames a mail when it lists it, and a test may delete it.
                let Ok(mail) = std::fs::read(mail.path()) else { continue };
                mails.push(String::from_utf8_lossy(&mail).into_owned());
            }
        }
        mails
    }

    /// Whether the SMTP server has refused this address once, as the first mail to it.
    pub(crate) fn has_greylisted(&self, address: &str) -> bool {
        self.folder.join("seen").join(address).exists()
    }

    /// Gives a user whose name begins with `own.` a password and fields of a passwd-file of Dovecot.
    pub(crate) fn set_user(&self, address: &str, password: &str, fields: &str) {
        let path = self.folder.join("users").join(address);
        // Dovecot reads a file again if its size has changed, or its time in seconds.
        let versions = std::fs::read_to_string(&path).map_or(0, |text| text.lines().count());
        let text = format!("{}{address}:{{PLAIN}}{password}::::::{fields}\n", "#\n".repeat(versions));
        let new = path.with_extension("new");
        std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, &path)).expect("a folder of users");
        // It looks at the file at most once a second.
        eventually("a login with the new password", PATIENCE, || {
            self.try_doveadm(&["auth", "test", address, password]).status.success().then_some(())
        });
    }

    /// Runs a command of the IMAP server's administrator.
    #[track_caller]
    pub(crate) fn doveadm(&self, arguments: &[&str]) {
        let ran = self.try_doveadm(arguments);
        assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
    }

    /// Ends the IMAP connections of a user, if there are any.
    pub(crate) fn kick(&self, address: &str) {
        self.try_doveadm(&["kick", address]);
    }

    fn try_doveadm(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("doveadm");
        command.arg("-c").arg(self.folder.join("dovecot.conf")).args(arguments).output().expect("doveadm")
    }

    /// Replaces a line of the IMAP server's settings, and restarts it.
    #[track_caller]
    pub(crate) fn change_imap(&self, line: &str, by: &str) {
        assert!(self.own.is_some(), "other tests use these servers");
        let path = self.folder.join("dovecot.conf");
        let settings = std::fs::read_to_string(&path).expect("settings");
        assert!(settings.contains(line), "there is no {line}");
        std::fs::write(&path, settings.replacen(line, by, 1)).expect("a folder");
        self.restart_imap();
    }

    pub(crate) fn restart_imap(&self) {
        assert!(self.own.is_some(), "other tests use these servers");
        self.run("restart");
    }

    #[track_caller]
    fn run(&self, what: &str) {
        let ran = self.try_run(what).unwrap_or_else(|error| panic!("bin/mailserver {what}: {error}"));
        let told = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "bin/mailserver {what}: {}: {told}", ran.status);
    }

    fn try_run(&self, what: &str) -> std::io::Result<Output> {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bin/mailserver");
        Command::new(program).arg(what).arg(&self.folder).stdin(Stdio::null()).output()
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        // A panic here would hide that of the test.
        if self.own.is_some() {
            drop(self.try_run("stop"));
        }
    }
}

/// The URL of one of the shared services for this user.
pub(crate) fn url(service: &str, user: &str) -> String {
    Servers::shared().url(service, user)
}

/// Every mail to an address of this domain: the address and the mail.
pub(crate) fn mails_of(domain: &str) -> Vec<(String, String)> {
    let mut mails = Vec::new();
    let boxes = std::fs::read_dir(folder().join("mail")).expect("mailboxes").flatten();
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
    Servers::shared().mails_to(address)
}

/// Makes the SMTP server accept mails to this domain that it refuses by the words in their addresses.
pub(crate) fn calm(domain: &str) {
    std::fs::write(folder().join("calm").join(domain), "").expect("a folder");
}

fn folder() -> PathBuf {
    std::env::var("RELATA_TEST_MAIL").map(PathBuf::from).unwrap_or_else(|_| {
        panic!("RELATA_TEST_MAIL is not set: these tests need real mail servers. Run bin/test, or bin/mailserver start FOLDER and set it to FOLDER.")
    })
}
