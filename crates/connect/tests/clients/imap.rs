//! The IMAP client: reading mailboxes.

use std::time::Duration;

use connect::fault::Fault;
use connect::guard::Guard;
use connect::imap::{self, Content, Session, Wake};
use connect::mail::{self, Kind};
use connect::server::Server;
use sandbox::Sandbox;

use crate::{hasty, listening, mail, world, yes};

fn ann(world: &Sandbox) -> Server {
    Server::imap(&world.login(&world.imap, "ann@example.com"), &Guard::operator()).expect("an address")
}

async fn send(world: &Sandbox, id: &str, to: &str) {
    let server = Server::smtp(&world.login(&world.smtp, "ann@example.com"), &Guard::operator()).expect("an address");
    let mut session = connect::smtp::Session::connect(&server).await.expect("a session");
    session.send("ann@example.com", &[to], &mail(id, to), &yes).await.expect("it is sent");
}

#[tokio::test]
async fn a_mailbox_is_read_in_pieces() {
    let world = world("").await;
    for number in 0..1200 {
        world.put("ann@example.com", "INBOX", &mail(&format!("{number}@example.com"), "ann@example.com"));
    }
    let mut session = Session::connect(&ann(&world)).await.expect("a session");
    let folder = session.examine("INBOX").await.expect("a folder");
    assert_eq!((folder.count, folder.next, folder.validity), (1200, 1201, 1));
    let uids = session.uids(1).await.expect("uids");
    assert_eq!((uids.len(), uids[0], uids[1199]), (1200, 1, 1200));
    assert_eq!(session.uids(1201).await.expect("uids"), Vec::<u32>::new(), "UIDs below the first one are left out");
    let (mails, _) = session.fetch(&uids, 1 << 20).await.expect("mails");
    assert_eq!(mails.len(), 1200);
    assert_eq!(mails[8].content, Content::Whole(mail("8@example.com", "ann@example.com")));
    assert!(mails[8].received.is_some());
    // Mails that were deleted meanwhile are left out.
    assert!(world.remove("ann@example.com", "INBOX", 5));
    let (some, _) = session.fetch(&[4, 5, 6], 1 << 20).await.expect("mails");
    assert_eq!(some.iter().map(|mail| mail.uid).collect::<Vec<_>>(), [4, 6]);
    assert!(world.renumber("ann@example.com", "INBOX"));
    let after = session.examine("INBOX").await.expect("a folder");
    assert_eq!((after.validity, after.count, after.next), (2, 1199, 1200));
    session.log_out().await;
}

/// One answer with all UIDs would exceed the limit.
#[tokio::test]
async fn a_large_folder_is_searched_in_parts() {
    // The last part holds three mails.
    const MAILS: u32 = 40_003;
    let world = world("").await;
    for _ in 0..MAILS {
        world.put("ann@example.com", "INBOX", b"Subject: x\r\n\r\n");
    }
    let mut session = Session::connect(&ann(&world)).await.expect("a session");
    assert_eq!(session.examine("INBOX").await.expect("a folder").count, MAILS);
    assert_eq!(session.uids(1).await.expect("uids"), (1..=MAILS).collect::<Vec<_>>());
    assert_eq!(session.uids(34_999).await.expect("uids"), (34_999..=MAILS).collect::<Vec<_>>());
    assert_eq!(session.uids(MAILS + 1).await.expect("uids"), Vec::<u32>::new());
    // A mail that arrived and one that was deleted since the folder was opened.
    world.put("ann@example.com", "INBOX", b"Subject: x\r\n\r\n");
    assert!(world.remove("ann@example.com", "INBOX", 7));
    let uids = session.uids(1).await.expect("uids");
    assert!(uids.len() as u32 >= MAILS - 1 && uids.windows(2).all(|two| two[0] < two[1]));
}

#[tokio::test]
async fn a_mail_that_is_too_large_is_fetched_as_headers() {
    let world = world("rules = [{action = \"reply\", match = \"big@*\", attachment = 20971520}]").await;
    send(&world, "ask@example.com", "big@example.com").await;
    world.put("ann@example.com", "INBOX", &mail("small@example.com", "ann@example.com"));
    let mut session = Session::connect(&ann(&world)).await.expect("a session");
    session.examine("INBOX").await.expect("a folder");
    let (mails, _) = session.fetch(&[1, 2], 10 << 20).await.expect("mails");
    let Content::TooLarge { headers } = &mails[0].content else { panic!("the mail is not cut to its headers") };
    assert!(mails[0].size > 20 << 20 && headers.len() < 4096);
    let read = mail::read(headers);
    assert_eq!((read.in_reply_to, read.subject.as_str()), (vec!["ask@example.com".to_owned()], "Re: An offer"));
    assert!(matches!(mails[1].content, Content::Whole(_)));
    let (whole, _) = session.fetch(&[1], 30 << 20).await.expect("mails");
    let Content::Whole(bytes) = &whole[0].content else { panic!("only the headers were fetched") };
    assert_eq!(mail::read(bytes).attachments[0].content.len(), 20 << 20);
}

#[tokio::test]
async fn as_many_mails_are_returned_as_fit_into_memory() {
    let world = world("").await;
    let large = [&b"Subject: x\r\n\r\n"[..], &b"0123456789abcd\r\n".repeat(750_000)].concat();
    for _ in 0..4 {
        world.put("ann@example.com", "INBOX", &large);
    }
    assert!(world.remove("ann@example.com", "INBOX", 1));
    let mut session = Session::connect(&ann(&world)).await.expect("a session");
    session.examine("INBOX").await.expect("a folder");
    let (mails, covered) = session.fetch(&[1, 2, 3, 4], 30 << 20).await.expect("mails");
    assert_eq!((mails.iter().map(|mail| mail.uid).collect::<Vec<_>>(), covered), (vec![2, 3], 3));
    let (mails, covered) = session.fetch(&[4], 30 << 20).await.expect("mails");
    assert!(mails[0].content == Content::Whole(large) && covered == 1);
    // Only their headers count.
    let (mails, covered) = session.fetch(&[2, 3, 4], 10 << 20).await.expect("mails");
    assert_eq!((mails.len(), covered), (3, 3));
}

#[tokio::test]
async fn new_mail_ends_a_wait() {
    let world = world("rules = [{action = \"reply\", match = \"bob@*\", after = 0.3, text = \"Yes, gladly\"}]").await;
    let mut session = Session::connect(&ann(&world)).await.expect("a session");
    let folder = session.examine("INBOX").await.expect("a folder");
    assert_eq!(session.wait(folder.next, Duration::from_millis(200)).await, Ok(Wake::Quiet));
    send(&world, "ask@example.com", "bob@example.com").await;
    assert_eq!(session.wait(folder.next, Duration::from_secs(10)).await, Ok(Wake::News));
    let uids = session.uids(folder.next).await.expect("uids");
    let (mails, _) = session.fetch(&uids, 1 << 20).await.expect("mails");
    let Content::Whole(bytes) = &mails[0].content else { panic!("only the headers were fetched") };
    let reply = mail::read(bytes);
    assert_eq!((reply.text.as_str(), reply.kind), ("Yes, gladly", Kind::Human));
    assert_eq!(reply.from.map(|from| from.address), Some("bob@example.com".to_owned()));
    // Mail that arrived before the wait is news at once, even on a session that has not heard of it.
    assert_eq!(session.wait(folder.next, Duration::from_secs(10)).await, Ok(Wake::News));
    world.put("ann@example.com", "INBOX", b"Subject: x\r\n\r\ny");
    assert_eq!(session.wait(folder.next + 1, Duration::from_secs(10)).await, Ok(Wake::News));
}

#[tokio::test]
async fn deleted_mail_ends_a_wait() {
    let world = world("").await;
    for id in ["1@example.com", "2@example.com", "3@example.com"] {
        world.put("ann@example.com", "INBOX", &mail(id, "ann@example.com"));
    }
    let mut session = Session::connect(&ann(&world)).await.expect("a session");
    let long = Duration::from_secs(20);
    // Before the wait, announced beside another answer.
    let folder = session.examine("INBOX").await.expect("a folder");
    world.remove("ann@example.com", "INBOX", 1);
    session.uids(1).await.expect("uids");
    assert_eq!(session.wait(folder.next, long).await, Ok(Wake::News));
    // Before the wait, not announced yet.
    session.examine("INBOX").await.expect("a folder");
    world.remove("ann@example.com", "INBOX", 2);
    assert_eq!(session.wait(folder.next, long).await, Ok(Wake::News));
    // During the wait.
    session.examine("INBOX").await.expect("a folder");
    let (woken, ()) = tokio::join!(session.wait(folder.next, long), async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        world.remove("ann@example.com", "INBOX", 3);
    });
    assert_eq!(woken, Ok(Wake::News));
    let empty = session.examine("INBOX").await.expect("a folder");
    assert_eq!(empty.count, 0);
    assert_eq!(
        session.wait(folder.next, Duration::from_millis(200)).await,
        Ok(Wake::Quiet),
        "an event is reported once"
    );
}

#[tokio::test]
async fn sent_mail_is_found_again() {
    let world = world("").await;
    send(&world, "sent.once@example.com", "bob@example.com").await;
    let mut session = Session::connect(&ann(&world)).await.expect("a session");
    let sent = session.sent_folder().await.expect("folders").expect("a folder");
    session.examine(&sent).await.expect("a folder");
    assert_eq!(session.find("sent.once@example.com").await, Ok(Some(1)));
    assert_eq!(session.find("never@example.com").await, Ok(None));
    assert_eq!(session.find("a\" OR ALL \"\r\nx").await, Ok(None), "a Message-ID can't inject a command");
    session.append(&sent, &mail("kept@example.com", "bob@example.com"), 1_750_000_000_000).await.expect("it is kept");
    assert_eq!(session.find("kept@example.com").await, Ok(Some(2)));
    assert!(matches!(session.append("Nowhere", b"x", 0).await, Err(Fault::Message(_))));
}

#[tokio::test]
async fn mailboxes_are_opened_by_their_owners_and_over_tls() {
    let world = world("rules = [{action = \"wrong_password\", match = \"mallory@*\"}]").await;
    let wrong = world.login(&world.imap, "mallory@example.com");
    for auth in ["password", "xoauth2"] {
        let Err(Fault::Sender(text)) =
            imap::check(&Server::imap(&format!("{wrong}&auth={auth}"), &Guard::operator()).expect("an address")).await
        else {
            panic!("it is let in")
        };
        assert!(text.contains("refused the login") && text.contains("Wrong user or password"), "{text}");
        assert!(
            !text.contains("Some(") && !text.contains("mallory"),
            "words of the server, and nobody's address: {text}"
        );
    }
    let token =
        Server::imap(&format!("{}&auth=xoauth2", world.login(&world.imap, "ann@example.com")), &Guard::operator())
            .expect("an address");
    imap::check(&token).await.expect("any token");
    let nobody = Server::imap(&world.imap.replace("sandbox:sandbox@", ""), &Guard::operator()).expect("an address");
    assert!(matches!(imap::check(&nobody).await, Err(Fault::Sender(text)) if text.contains("needs a user")));
    let mut session = Session::connect(&ann(&world)).await.expect("a session");
    assert!(matches!(session.examine("Nowhere").await, Err(Fault::Sender(text)) if text.contains("no folder Nowhere")));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ca.pem");
    std::fs::write(&file, &world.certificate).expect("a file");
    for url in [world.imap.replace("tls=none", "tls=starttls"), world.imap_tls.clone()] {
        imap::check(&Server::imap(&format!("{url}&ca={}", file.display()), &Guard::operator()).expect("an address"))
            .await
            .expect("trusted");
        assert!(matches!(
            imap::check(&Server::imap(&url, &Guard::operator()).expect("an address")).await,
            Err(Fault::Sender(_))
        ));
    }
}

#[tokio::test]
async fn servers_that_hang_are_given_up() {
    for (action, at) in
        [("time_out", "greeting"), ("time_out", "login"), ("disconnect", "greeting"), ("disconnect", "login")]
    {
        let world = world(&format!("rules = [{{action = \"{action}\", at = \"{at}\"}}]")).await;
        let error = imap::check(&hasty(ann(&world))).await.expect_err("nobody answers");
        assert!(matches!(error, Fault::Unreached(_)), "{action} {at}: {error:?}");
    }
}

#[tokio::test]
async fn broken_and_repeated_mail_is_read_all_the_same() {
    let world = world(
        "rules = [{action = \"reply\", match = \"broken@*\", broken = true, html = \"<p>x</p>\"}, {action = \"reply\", match = \"twice@*\", copies = 2}]",
    )
    .await;
    send(&world, "one@example.com", "broken@example.com").await;
    send(&world, "two@example.com", "twice@example.com").await;
    let mut session = Session::connect(&ann(&world)).await.expect("a session");
    assert_eq!(session.examine("INBOX").await.expect("a folder").count, 3);
    let (mails, _) = session.fetch(&[1, 2, 3], 1 << 20).await.expect("mails");
    let read: Vec<mail::Mail> = mails
        .iter()
        .map(|mail| match &mail.content {
            Content::Whole(bytes) => mail::read(bytes),
            Content::TooLarge { .. } => panic!("it is not whole"),
        })
        .collect();
    assert_eq!(read[0].in_reply_to, ["one@example.com"]);
    assert_eq!((&read[1].message_id, &read[1].text), (&read[2].message_id, &read[2].text));
}

async fn strange(says: &'static [&'static [u8]]) -> Server {
    let address = listening(says).await;
    hasty(Server::imap(&format!("imap://a:b@{address}?tls=none"), &Guard::operator()).expect("an address"))
}

#[tokio::test]
async fn servers_that_send_nonsense_are_survived() {
    let nonsense: &[&'static [&'static [u8]]] = &[
        &[b"HTTP/1.1 400 Bad Request\r\n\r\n"],
        &[b"\xff\xfe\r\n"],
        &[b"* OK"],
        &[b"* OK x\r\n", b"A0001 what\r\n"],
        &[b"* OK x\r\n", b"* {99999999999}\r\n"],
        &[b"* OK x\r\n", b"A0001 BAD\r\n"],
        &[b"* OK x\r\n", b""],
        &[b"* OK x\r\n", b"A0001 OK in\r\n", b"A0002 BAD\r\n"],
        &[
            b"* OK x\r\n",
            b"A0001 OK in\r\n",
            b"* CAPABILITY IMAP4rev1\r\nA0002 OK x\r\n",
            b"* FLAGS ()\r\nA0003 OK x\r\n",
        ],
    ];
    for says in nonsense {
        let fault = imap::check(&strange(says).await).await.expect_err("it is nonsense");
        assert!(matches!(fault, Fault::Unreached(_) | Fault::Sender(_)), "{fault:?}");
        assert!(fault.to_string().len() < 400, "{fault}");
    }
    let busy = strange(&[b"* OK x\r\n", b"A0001 NO [UNAVAILABLE] Come back later\r\n"]).await;
    assert!(matches!(imap::check(&busy).await, Err(Fault::Temporary { .. })));
}
