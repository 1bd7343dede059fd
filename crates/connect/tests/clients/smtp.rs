//! Sending mail: every possible outcome.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use connect::fault::{Fault, SendError};
use connect::guard::Guard;
use connect::server::Server;
use connect::smtp::{self, Session};

use crate::{hasty, listening, mail, world, yes};

async fn session(url: &str) -> Session {
    Session::connect(&hasty(Server::smtp(url, &Guard::operator()).expect("an address"))).await.expect("a session")
}

/// The error of sending a mail to this address.
async fn refused(session: &mut Session, to: &str) -> SendError {
    session.send("ann@example.com", &[to], &mail("one@example.com", to), &yes).await.expect_err("it is refused")
}

#[tokio::test]
async fn a_session_carries_many_mails_as_they_are() {
    let world = world("").await;
    let mut session = session(&world.smtp).await;
    for number in 0..50 {
        let (id, to) = (format!("{number}@example.com"), format!("bob{number}@example.com"));
        session.send("ann@example.com", &[&to], &mail(&id, &to), &yes).await.expect("it is sent");
        assert!(session.is_open() && session.keep_alive().await);
    }
    session.quit().await;
    let received = world.received();
    assert_eq!(received.len(), 50);
    assert_eq!(
        (received[7].from.as_str(), received[7].to.as_slice()),
        ("ann@example.com", ["bob7@example.com".to_owned()].as_slice())
    );
    assert_eq!(received[7].content, mail("7@example.com", "bob7@example.com"), "the mail arrives unchanged");
    assert_eq!((world.count("7@example.com"), world.duplicates()), (1, Vec::new()));
}

#[tokio::test]
async fn every_refusal_says_whose_fault_it_is() {
    let world = world(
        r#"
        rules = [
            {action = "reject", match = "gone@*", code = 550, text = "5.1.1 User unknown"},
            {action = "reject", match = "plain@*", code = 550, text = "No such user here"},
            {action = "reject", match = "policy@*", code = 550, text = "5.7.1 Rejected by policy"},
            {action = "reject", match = "listed@*", code = 554, text = "Your address is listed at a blocklist"},
            {action = "reject", match = "full@*", code = 552, text = "5.2.2 Mailbox full"},
            {action = "reject", match = "*", subject = "An offer", code = 554, text = "5.7.1 Spam", times = 1},
            {action = "defer", match = "busy@*", times = 2},
        ]"#,
    )
    .await;
    let mut session = session(&world.smtp).await;
    let recipient = |error| matches!(error, SendError::NotSent(Fault::Recipient(_)));
    let sender = |error| matches!(error, SendError::NotSent(Fault::Sender(_)));
    let message = |error| matches!(error, SendError::NotSent(Fault::Message(_)));
    let temporary = |error| matches!(error, SendError::NotSent(Fault::Temporary { .. }));
    assert!(recipient(refused(&mut session, "gone@example.com").await));
    assert!(recipient(refused(&mut session, "plain@example.com").await));
    assert!(message(refused(&mut session, "policy@example.com").await));
    assert!(sender(refused(&mut session, "listed@example.com").await));
    assert!(temporary(refused(&mut session, "full@example.com").await));
    assert!(temporary(refused(&mut session, "busy@example.com").await));
    assert!(temporary(refused(&mut session, "busy@example.com").await));
    assert!(message(refused(&mut session, "spam@example.com").await), "a refusal after the body");
    session
        .send("ann@example.com", &["busy@example.com"], &mail("x@y", "busy@example.com"), &yes)
        .await
        .expect_err("spam once");
    session
        .send("ann@example.com", &["busy@example.com"], &mail("x@y", "busy@example.com"), &yes)
        .await
        .expect("the next mail is sent");
    assert_eq!(refused(&mut session, "gone@example.com").await.to_string(), "550 5.1.1 User unknown");
    // If one of two recipients is refused, neither gets the mail.
    let both = ["bob@example.com", "gone@example.com"];
    let error =
        session.send("ann@example.com", &both, &mail("both@y", both[0]), &yes).await.expect_err("one is refused");
    assert_eq!(error, SendError::NotSent(Fault::Message("gone@example.com: 550 5.1.1 User unknown".to_owned())));
    assert_eq!(world.accepted(), 1);
    assert!(session.is_open());
}

#[tokio::test]
async fn nothing_is_sent_when_may_commit_refuses() {
    let world = world("").await;
    let mut session = session(&world.smtp).await;
    let asked = AtomicUsize::new(0);
    let no = || {
        asked.fetch_add(1, Ordering::SeqCst);
        false
    };
    let sent = session.send("ann@example.com", &["bob@example.com"], &mail("a@b", "bob@example.com"), &no).await;
    assert_eq!(sent, Err(SendError::NotSent(Fault::Refused)));
    assert_eq!((asked.load(Ordering::SeqCst), session.is_open()), (1, false));
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(world.accepted(), 0);
    let again = session.send("ann@example.com", &["bob@example.com"], &mail("a@b", "bob@example.com"), &yes).await;
    assert!(matches!(again, Err(SendError::NotSent(Fault::Unreached(_)))), "{again:?}");
}

#[tokio::test]
async fn a_timeout_is_unknown_only_after_the_final_dot() {
    let points =
        [("greeting", true), ("login", true), ("mail", true), ("data", true), ("dot", false), ("answer", false)];
    for (at, not_sent) in points {
        for action in ["time_out", "disconnect"] {
            let world = world(&format!("rules = [{{action = \"{action}\", at = \"{at}\"}}]")).await;
            let server = hasty(Server::smtp(&world.smtp, &Guard::operator()).expect("an address"));
            let error = match Session::connect(&server).await {
                Err(fault) => SendError::NotSent(fault),
                Ok(mut session) => refused(&mut session, "bob@example.com").await,
            };
            let unreached = matches!(error, SendError::NotSent(Fault::Unreached(_)));
            let unknown = matches!(error, SendError::Unknown(_));
            assert_eq!((unreached, unknown), (not_sent, !not_sent), "{action} at {at}: {error:?}");
            assert_eq!(world.accepted(), usize::from(at == "answer"), "{action} at {at}");
        }
    }
}

#[tokio::test]
async fn logins_work_and_fail_clearly() {
    let world = world("rules = [{action = \"wrong_password\", match = \"mallory@*\"}]").await;
    smtp::check(&Server::smtp(&world.smtp, &Guard::operator()).expect("an address")).await.expect("any password");
    let wrong = world.login(&world.smtp, "mallory@example.com");
    for auth in ["password", "xoauth2"] {
        let wrong = Server::smtp(&format!("{wrong}&auth={auth}"), &Guard::operator()).expect("an address");
        let Err(Fault::Sender(text)) = smtp::check(&wrong).await else { panic!("it is let in") };
        assert!(text.contains("refused the login: 535 5.7.8 Wrong user or password"), "{text}");
        assert!(!format!("{wrong} {wrong:?} {text} {:?}", wrong.login).contains(":sandbox"), "a password shows");
    }
    let token =
        Server::smtp(&format!("{}&auth=xoauth2", world.login(&world.smtp, "ann@example.com")), &Guard::operator())
            .expect("an address");
    smtp::check(&token).await.expect("any token");
    let closed = Server::smtp("smtp://a:b@127.0.0.1:9?tls=none", &Guard::operator()).expect("an address");
    assert!(matches!(smtp::check(&closed).await, Err(Fault::Unreached(_))));
}

#[tokio::test]
async fn mail_is_sent_over_tls_to_trusted_servers() {
    let world = world("").await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ca.pem");
    std::fs::write(&file, &world.certificate).expect("a file");
    let starttls = world.smtp.replace("tls=none", "tls=starttls");
    for url in [&starttls, &world.smtp_tls] {
        let strange = Server::smtp(url, &Guard::operator()).expect("an address");
        assert!(
            matches!(smtp::check(&strange).await, Err(Fault::Sender(text)) if text.contains("certificate is self-signed"))
        );
        let mut session = session(&format!("{url}&ca={}", file.display())).await;
        session
            .send("ann@example.com", &["bob@example.com"], &mail("t@b", "bob@example.com"), &yes)
            .await
            .expect("it is sent");
    }
    assert_eq!(world.accepted(), 2);
    let missing = Server::smtp(&format!("{starttls}&ca=/nowhere.pem"), &Guard::operator()).expect("an address");
    assert!(matches!(smtp::check(&missing).await, Err(Fault::Sender(text)) if text.contains("/nowhere.pem")));
}

#[tokio::test]
async fn addresses_that_would_be_commands_are_refused() {
    let world = world("").await;
    let mut session = session(&world.smtp).await;
    for to in ["a@b>\r\nRCPT TO:<c@d", "a b@c", "nobody", "@x", "a@", "", "<a@b>", "a@b\0"] {
        let error = session.send("ann@example.com", &[to], b"x", &yes).await.expect_err(to);
        assert!(matches!(error, SendError::NotSent(Fault::Recipient(_))), "{error:?}");
    }
    assert!(session.send("ann@example.com", &[], b"x", &yes).await.is_err());
    session
        .send("ann@example.com", &["jörg@example.com"], b"x", &yes)
        .await
        .expect("an address with a non-ASCII letter is accepted");
    assert_eq!(world.accepted(), 1);
}

#[tokio::test]
async fn large_mails_are_sent_or_refused_before_their_body() {
    let world = world("").await;
    let mut server = Server::smtp(&world.smtp, &Guard::operator()).expect("an address");
    server.timeouts.body = Duration::from_secs(60);
    let mut session = Session::connect(&server).await.expect("a session");
    let line = [b"x".repeat(70), b"\r\n".to_vec()].concat();
    let mut large = b"Subject: large\r\nMessage-ID: <large@example.com>\r\n\r\n".to_vec();
    large.extend(line.repeat(49 * 1024 * 1024 / line.len()));
    session.send("ann@example.com", &["bob@example.com"], &large, &yes).await.expect("49 MiB");
    assert_eq!(world.received()[0].content.len(), large.len());
    large.extend(line.repeat(2 * 1024 * 1024 / line.len()));
    let error = session.send("ann@example.com", &["bob@example.com"], &large, &yes).await.expect_err("51 MiB");
    assert!(
        matches!(&error, SendError::NotSent(Fault::Message(text)) if text.contains("takes 52428800 at most")),
        "{error:?}"
    );
    assert!(session.is_open());
}

async fn strange(says: &'static [&'static [u8]]) -> Server {
    let address = listening(says).await;
    hasty(Server::smtp(&format!("smtp://{address}?tls=none"), &Guard::operator()).expect("an address"))
}

#[tokio::test]
async fn servers_that_send_nonsense_are_survived() {
    let nonsense: &[&'static [&'static [u8]]] = &[
        &[b"HTTP/1.1 200 OK\r\n"],
        &[b"\xff\xfe\r\n"],
        &[b"220"],
        &[b"999 x\r\n"],
        &[b"220-a\r\n220-b\r\n"],
        &[b"220 ok\r\n", b""],
        &[b"220 ok\r\n", b"250-\xc3\r\n\r\n"],
    ];
    for says in nonsense {
        let Err(fault) = Session::connect(&strange(says).await).await else { panic!("{says:?}") };
        assert!(matches!(fault, Fault::Unreached(_)), "{fault:?}");
    }
    let busy = strange(&[b"421 4.3.2 Too many connections\r\n"]).await;
    assert!(matches!(Session::connect(&busy).await, Err(Fault::Throttled(_))));
    let closed = strange(&[b"554 5.7.1 You are not welcome\r\n"]).await;
    assert!(matches!(Session::connect(&closed).await, Err(Fault::Sender(_))));
    let endless = strange(&[&[b'2'; 100 * 1024]]).await;
    assert!(matches!(Session::connect(&endless).await, Err(Fault::Unreached(_))));
    // A server that knows no EHLO and disconnects in the middle of a pipeline.
    let old = strange(&[b"220 ok\r\n", b"502 what\r\n", b"250 ok\r\n", b"421 4.4.2 Bye\r\n"]).await;
    let mut session = Session::connect(&old).await.expect("a session");
    let error = session.send("ann@example.com", &["bob@example.com"], b"x", &yes).await.expect_err("it went away");
    assert!(matches!(error, SendError::NotSent(Fault::Throttled(_))), "{error:?}");
    assert!(!session.is_open());
}

#[tokio::test]
async fn unencrypted_bytes_after_starttls_are_rejected() {
    let mut server = strange(&[b"220 ok\r\n", b"250-x\r\n250 STARTTLS\r\n", b"220 go\r\n250 injected\r\n"]).await;
    server.tls = connect::server::Tls::StartTls;
    let Err(Fault::Unreached(text)) = Session::connect(&server).await else { panic!("injected bytes are accepted") };
    assert!(text.contains("in the clear"), "{text}");
}

#[test]
fn addresses_of_servers_are_read_strictly() {
    let good =
        Server::smtp("smtp://ann%40example.com:p%40ss%3Aw%25rd@mail.example.com:587?tls=starttls", &Guard::operator())
            .expect("good");
    let login = good.login.as_ref().expect("a login");
    assert_eq!((login.user.as_str(), login.secret.as_str()), ("ann@example.com", "p@ss:w%rd"));
    assert_eq!((good.host.as_str(), good.port), ("mail.example.com", 587));
    assert_eq!(good.to_string(), "smtp://mail.example.com:587", "without the user");
    let six = Server::imap("imap://a:b@[::1]:1143?tls=none", &Guard::operator()).expect("good");
    assert_eq!((six.host.as_str(), six.to_string().as_str()), ("::1", "imap://[::1]:1143"));
    for (url, port) in
        [("smtp://h", 465), ("smtp://h?tls=starttls", 587), ("smtp://h?tls=none", 25), ("smtp://h?tls=tls", 465)]
    {
        assert_eq!(Server::smtp(url, &Guard::operator()).map(|server| server.port), Ok(port), "{url}");
    }
    for (url, reason) in [
        ("imap://a:b@h", "begins with imap://, not with smtp://"),
        ("mail.example.com:25", "does not begin with smtp://"),
        ("nonsense", "does not begin with smtp://"),
        ("smtp://", "names no host"),
        ("smtp://a:b@h?tls=ssl", "tls is ssl, not none, starttls or tls"),
        ("smtp://a:b@h?auth=ntlm", "auth is ntlm"),
        ("smtp://a:b@h?tsl=none", "takes tls, auth and ca, not tsl"),
        ("smtp://a@h", "has a user and no password"),
        ("smtp://:b@h", "has a password and no user"),
        ("smtp://a:b@h/inbox", "has something behind the port"),
        ("smtp://a:b@h:0", "port 0 is none"),
        ("smtp://a:b@h:99999", "invalid port number"),
        ("smtp://a:b%0D%0A@h", "the password holds a control character"),
        ("smtp://h?auth=xoauth2", "auth=xoauth2 needs a user"),
    ] {
        let error = Server::smtp(url, &Guard::operator()).expect_err(url).to_string();
        assert!(error.contains(reason), "{url}: {error}");
        assert!(error.contains("smtp://user:password@host:port"), "{error}");
    }
    let secret = Server::smtp("smtp://a:hidden@h:99999", &Guard::operator()).expect_err("bad").to_string();
    assert!(!secret.contains("hidden"), "{secret}");
}

/// The throughput to a sandbox on this machine. The figure is only printed, since it depends on the load.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_sessions_send_at_once() {
    let world = world("").await;
    let (sessions, each) = (8, 250);
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..sessions {
        let server = Server::smtp(&world.smtp, &Guard::operator()).expect("an address");
        tasks.spawn(async move {
            let mut session = Session::connect(&server).await.expect("a session");
            for mail_number in 0..each {
                let id = format!("{number}.{mail_number}@example.com");
                let mail = mail(&id, "bob@example.com");
                session.send("ann@example.com", &["bob@example.com"], &mail, &yes).await.expect("it is sent");
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.expect("a session");
    }
    assert_eq!((world.accepted(), world.duplicates()), (sessions * each, Vec::new()));
    let received = world.received();
    let took = received.last().zip(received.first()).map(|(last, first)| last.at.duration_since(first.at));
    let seconds = took.map_or(1.0, |took| took.as_secs_f64().max(0.001));
    println!("{:.0} mails a second over {sessions} sessions", (sessions * each) as f64 / seconds);
}
