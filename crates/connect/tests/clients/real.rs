//! The same clients against real servers: Postfix and Dovecot.

use std::time::Duration;

use connect::fault::{Fault, SendError};
use connect::guard::Guard;
use connect::imap::{self, Content, Wake};
use connect::mail;
use connect::server::{Server, Tls};
use connect::smtp::{self, Session};

use crate::mailserver;
use crate::{mail as made, yes};

#[tokio::test]
async fn mail_is_sent_and_received() {
    let bob = "bob.in@example.com";
    let mut box_of_bob = imap::Session::connect(&mailserver::imap(bob)).await.expect("a mailbox");
    let folder = box_of_bob.examine("INBOX").await.expect("a folder");
    let mut session = Session::connect(&mailserver::smtp("ann@example.com")).await.expect("a session");
    let ids: Vec<String> = (0..20).map(|number| format!("{number}.real@example.com")).collect();
    for id in &ids {
        session.send("ann@example.com", &[bob], &made(id, bob), &yes).await.expect("it is sent");
    }
    session.quit().await;
    let mut uids = Vec::new();
    while uids.len() < ids.len() {
        assert_eq!(box_of_bob.wait(folder.next + uids.len() as u32, Duration::from_secs(20)).await, Ok(Wake::News));
        uids = box_of_bob.uids(folder.next).await.expect("uids");
    }
    let (fetched, _) = box_of_bob.fetch(&uids, 1 << 20).await.expect("mails");
    let mut found: Vec<String> = Vec::new();
    for one in &fetched {
        let Content::Whole(bytes) = &one.content else { panic!("only the headers were fetched") };
        let read = mail::read(bytes);
        assert_eq!(read.text, "Hello,\n.\nthis is a mail.");
        assert!(one.received.is_some());
        found.extend(read.message_id);
    }
    found.sort();
    let mut wanted = ids.clone();
    wanted.sort();
    assert_eq!(found, wanted, "each once");
    assert_eq!(
        box_of_bob.fetch(&uids[..1], 10).await.map(|(mails, _)| mails.len()),
        Ok(1),
        "a mail over the limit is fetched as headers"
    );
    let (tiny, _) = box_of_bob.fetch(&uids[..1], 10).await.expect("mails");
    assert!(matches!(&tiny[0].content, Content::TooLarge { headers } if mail::read(headers).subject == "An offer"));
    assert_eq!(box_of_bob.find("3.real@example.com").await.map(|uid| uid.is_some()), Ok(true));
    assert_eq!(box_of_bob.find("none.real@example.com").await, Ok(None));
    assert_eq!(box_of_bob.wait(uids[19] + 1, Duration::from_millis(300)).await, Ok(Wake::Quiet));
}

#[tokio::test]
async fn refusals_are_classified() {
    let mut session = Session::connect(&mailserver::smtp("ann@example.com")).await.expect("a session");
    let mut refused = async |to: &str| {
        let error =
            session.send("ann@example.com", &[to], &made("refused@example.com", to), &yes).await.expect_err("refused");
        assert!(session.is_open());
        error
    };
    assert!(matches!(refused("unknown@example.com").await, SendError::NotSent(Fault::Recipient(_))));
    assert!(matches!(refused("busy@example.com").await, SendError::NotSent(Fault::Temporary { .. })));
    let large = vec![b'x'; 21 << 20];
    let error = session.send("ann@example.com", &["bob@example.com"], &large, &yes).await.expect_err("it is too large");
    assert!(matches!(error, SendError::NotSent(Fault::Message(_))), "{error:?}");
    // A mail that is refused at its end does not hinder the next one.
    let refused = "mail-554-5_7_1-rejected-as-spam@refused.example.com";
    let error = session.send("ann@example.com", &[refused], b"x", &yes).await.expect_err("refused");
    assert!(matches!(error, SendError::NotSent(Fault::Message(_))), "{error:?}");
    session.send("ann@example.com", &["bob.next@example.com"], b"Subject: x\r\n\r\nx", &yes).await.expect("it is sent");
    let error = session.send("ann@example.com", &["bob@example.com"], b"x", &|| false).await.expect_err("called back");
    assert_eq!(error, SendError::NotSent(Fault::Refused));
    // Without a login the server relays nothing.
    let mut stranger = mailserver::smtp("ann@example.com");
    stranger.login = None;
    let mut session = Session::connect(&stranger).await.expect("a session");
    let error = session
        .send("ann@example.com", &["bob@elsewhere.example"], b"x", &yes)
        .await
        .expect_err("the server must not relay without a login");
    assert!(matches!(error, SendError::NotSent(Fault::Sender(_))), "{error:?}");
}

#[tokio::test]
async fn logins_and_tls_are_checked() {
    let wrong = mailserver::url("smtp", "ann@example.com").replace(":relata@", ":other@");
    assert!(matches!(
        smtp::check(&Server::smtp(&wrong, &Guard::operator()).expect("an address")).await,
        Err(Fault::Sender(_))
    ));
    let wrong = mailserver::url("imap", "ann@example.com").replace(":relata@", ":other@");
    let mut wrong = Server::imap(&wrong, &Guard::operator()).expect("an address");
    // Dovecot delays the answer to a wrong password.
    wrong.timeouts.command = Duration::from_secs(30);
    assert!(matches!(imap::check(&wrong).await, Err(Fault::Sender(text)) if text.contains("refused the login")));
    let (mut send, mut receive) = (mailserver::smtp("ann@example.com"), mailserver::imap("ann@example.com"));
    send.tls = Tls::StartTls;
    receive.tls = Tls::StartTls;
    assert!(
        matches!(smtp::check(&send).await, Err(Fault::Sender(text)) if text.contains("certificate is self-signed"))
    );
    assert!(
        matches!(imap::check(&receive).await, Err(Fault::Sender(text)) if text.contains("certificate is self-signed"))
    );
    send.ca = Some(mailserver::certificate().into());
    receive.ca = Some(mailserver::certificate().into());
    smtp::check(&send).await.expect("trusted");
    imap::check(&receive).await.expect("trusted");
    imap::check(&Server::imap(&mailserver::url("imaps", "ann@example.com"), &Guard::operator()).expect("an address"))
        .await
        .expect("trusted");
}

#[tokio::test]
async fn sent_mail_is_appended_and_found() {
    let mut session = imap::Session::connect(&mailserver::imap("keeper@example.com")).await.expect("a mailbox");
    let sent = session.sent_folder().await.expect("folders").expect("a folder of what was sent");
    session
        .append(&sent, &made("kept.real@example.com", "bob@example.com"), 1_750_000_000_000)
        .await
        .expect("it is kept");
    session.examine(&sent).await.expect("a folder");
    assert_eq!(session.find("kept.real@example.com").await.map(|uid| uid.is_some()), Ok(true));
    assert!(matches!(session.append("Nowhere", b"x", 0).await, Err(Fault::Message(_))));
    assert!(matches!(session.examine("Nowhere").await, Err(Fault::Sender(_)) | Err(Fault::Unreached(_))));
}
