//! The clients of the network and the chat.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use connect::fault::{Fault, SendError};
use connect::guard::Guard;
use connect::provider::webhook::{self, Signed};
use connect::provider::{
    InvitationState, Invite, JobSearch, MessageKind, Outgoing, PeopleSearch, Provider, To, Visit, Webhook, What, Years,
};
use http_body_util::BodyExt;
use sandbox::Sandbox;

use crate::{listening, world, yes};

/// Id, time, signature and body.
type Delivery = (String, String, String, Vec<u8>);

fn network(world: &Sandbox) -> Provider {
    Provider::within(&world.network, &world.token, &Guard::operator(), Duration::from_millis(800)).expect("a provider")
}

fn chat(world: &Sandbox) -> Provider {
    Provider::within(&world.chat, &world.token, &Guard::operator(), Duration::from_millis(800)).expect("a provider")
}

fn message(id: &str, to: To) -> Outgoing {
    Outgoing { id: id.to_owned(), to, kind: MessageKind::Message, subject: None, text: "Hello".to_owned() }
}

fn url(name: &str) -> To {
    To::Url(format!("https://network.example.com/in/{name}"))
}

#[tokio::test]
async fn people_places_and_jobs_are_found_page_by_page() {
    let world = world("").await;
    let network = network(&world);
    let account = network.account().await.expect("an account");
    assert_eq!(account.api_types, ["classic", "sales_navigator", "recruiter"]);
    let berlin = &network.locations("Berlin", Some("classic")).await.expect("places")[0];
    let mut search = PeopleSearch {
        job_titles: vec!["Engineer".to_owned()],
        location_ids: vec![berlin.id.clone()],
        years_experience: Years { min: Some(3), max: None },
        page_size: 5,
        ..PeopleSearch::default()
    };
    let mut seen = Vec::new();
    loop {
        let page = network.search_people(&search).await.expect("people");
        seen.extend(page.profiles.iter().map(|profile| profile.profile_id.clone()));
        for profile in &page.profiles {
            assert_eq!(profile.location.as_deref(), Some("Berlin, Germany"));
            assert!(profile.total_years_experience >= Some(3) && !profile.experiences.is_empty());
        }
        let Some(cursor) = page.cursor else {
            assert_eq!(seen.len() as u64, page.total_count);
            break;
        };
        search.cursor = Some(cursor);
    }
    assert!(seen.len() > 5);
    let one = network.person(&To::ProfileId(seen[0].clone())).await.expect("a person");
    let same = network.person(&To::Url(one.network_url.clone().expect("an address"))).await.expect("a person");
    assert_eq!(one, same);
    assert!(matches!(network.person(&To::ProfileId("nobody".to_owned())).await, Err(Fault::Recipient(_))));
    let search_jobs = JobSearch { keywords: Some("engineer".to_owned()), page_size: 10, ..JobSearch::default() };
    let jobs = network.search_jobs(&search_jobs).await.expect("jobs");
    assert_eq!(jobs.jobs.len(), 10);
    assert!(jobs.cursor.is_some() && jobs.jobs[0].posted_at.is_some());
    search.cursor = Some("nonsense".to_owned());
    assert!(matches!(network.search_people(&search).await, Err(Fault::Message(_))));
}

#[tokio::test]
async fn invitations_are_accepted_declined_and_ignored() {
    let world = world(
        r#"
        messages_need_connection = true
        rules = [
            {action = "accept_invite", match = "*/in/anna*"},
            {action = "decline_invite", match = "*/in/dora*"},
            {action = "ignore_invite", match = "*/in/ines*"},
            {action = "reply", channel = "network", match = "*/in/anna*", text = "Tell me more"},
        ]"#,
    )
    .await;
    let network = network(&world);
    let stranger = network.message(&message("m0", url("anna-1")), &yes).await;
    assert!(matches!(stranger, Err(SendError::NotSent(Fault::Recipient(text))) if text.contains("connected")));
    network.visit(&Visit { id: "v1".to_owned(), to: url("anna-1") }, &yes).await.expect("a visit");
    let inmail =
        Outgoing { kind: MessageKind::Inmail, subject: Some("An offer".to_owned()), ..message("i1", url("dora-1")) };
    network.message(&inmail, &yes).await.expect("an inmail");
    for (id, who, state) in [
        ("a", "anna-1", InvitationState::Accepted),
        ("d", "dora-1", InvitationState::Declined),
        ("i", "ines-1", InvitationState::Pending),
    ] {
        let invite = Invite { id: id.to_owned(), to: url(who), message: Some("Let us connect".to_owned()) };
        network.invite(&invite, &yes).await.expect("an invitation");
        assert_eq!(network.invitation(id).await.map(|invitation| invitation.state), Ok(state));
    }
    let again = network.invite(&Invite { id: "b".to_owned(), to: url("anna-1"), message: None }, &yes).await;
    assert_eq!(again.map(|invitation| invitation.state), Ok(InvitationState::Connected));
    network.message(&message("m1", url("anna-1")), &yes).await.expect("a message");
    let first = network.events(None, 2).await.expect("events");
    assert!(first.has_more);
    assert_eq!(first.events[0].what, What::Accepted { invitation_id: "a".to_owned() });
    assert_eq!(first.events[1].what, What::Declined { invitation_id: "d".to_owned() });
    let rest = network.events(Some(&first.cursor), 100).await.expect("events");
    assert!(!rest.has_more && rest.events.len() == 1);
    assert!(matches!(&rest.events[0].what, What::Message { text, .. } if text == "Tell me more"));
    assert_eq!(rest.events[0].from.network_url.as_deref(), Some("https://network.example.com/in/anna-1"));
    assert_eq!(network.events(Some(&rest.cursor), 100).await.expect("events").events, []);
}

#[tokio::test]
async fn the_same_id_is_the_same_send() {
    let world =
        world("rules = [{action = \"disconnect\", at = \"answer\", times = 1}, {action = \"reply\", text = \"Hi\"}]")
            .await;
    let chat = chat(&world);
    let send = message("one", To::Phone("+15550001".to_owned()));
    let lost = chat.message(&send, &yes).await;
    assert!(matches!(lost, Err(SendError::Unknown(_))), "{lost:?}");
    let known = chat.sent("one").await.expect("an answer").expect("it was sent");
    assert_eq!(chat.message(&send, &yes).await.expect("the same"), known);
    assert_eq!(world.sends().len(), 1);
    assert_eq!(chat.events(None, 100).await.expect("events").events.len(), 1, "one answer to one message");
    assert_eq!(chat.sent("two").await, Ok(None));
}

#[tokio::test]
async fn every_failure_says_whose_fault_it_is() {
    let world = world(
        r#"
        rules = [
            {action = "error", match = "*/in/gone", status = 404, text = "No such member"},
            {action = "error", match = "*/in/busy", status = 429, text = "Slow down"},
            {action = "error", match = "*/in/closed", status = 403, text = "The licence has ended"},
            {action = "error", match = "*/in/broken", status = 500},
            {action = "time_out", match = "*/in/slow", at = "dot"},
            {action = "disconnect", match = "*/in/lost", at = "dot"},
        ]"#,
    )
    .await;
    let network = network(&world);
    let ended = async |name: &str| network.message(&message(name, url(name)), &yes).await.expect_err("it fails");
    assert_eq!(ended("gone").await, SendError::NotSent(Fault::Recipient("404: No such member".to_owned())));
    assert!(matches!(ended("busy").await, SendError::NotSent(Fault::Temporary { .. })));
    assert_eq!(ended("closed").await, SendError::NotSent(Fault::Sender("403: The licence has ended".to_owned())));
    for name in ["broken", "slow", "lost"] {
        assert!(matches!(ended(name).await, SendError::Unknown(_)), "{name}");
        assert_eq!(network.sent(name).await, Ok(None));
    }
    let no = network.message(&message("no", url("no")), &|| false).await;
    assert_eq!(no, Err(SendError::NotSent(Fault::Refused)));
    assert_eq!(world.sends().len(), 0);
    let wrong = Provider::new(&world.network, "another", &Guard::operator()).expect("a provider");
    assert!(matches!(wrong.account().await, Err(Fault::Sender(_))));
    let nobody = Provider::new("http://127.0.0.1:9", "t", &Guard::operator()).expect("a provider");
    let unreached = nobody.message(&message("x", url("x")), &yes).await;
    assert!(matches!(unreached, Err(SendError::NotSent(Fault::Unreached(_)))), "{unreached:?}");
    for (base, token) in
        [("ftp://x", "t"), ("nonsense", "t"), ("http://x", ""), ("http://x", "a b"), ("http://x?y=1", "t")]
    {
        assert!(Provider::new(base, token, &Guard::operator()).is_err(), "{base} {token}");
    }
}

#[tokio::test]
async fn webhook_events_are_accepted_if_signed() {
    let world = world("rules = [{action = \"reply\", text = \"By myself\"}]").await;
    let chat = chat(&world);
    let heard: Arc<Mutex<Vec<Delivery>>> = Arc::default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let hears = heard.clone();
    let receive = move |request: hyper::Request<hyper::body::Incoming>| {
        let hears = hears.clone();
        async move {
            assert_eq!(request.uri().path(), "/hook");
            let (head, body) = request.into_parts();
            let body = body.collect().await.expect("a body").to_bytes();
            let get = |name: &str| {
                head.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
            };
            let delivery = (get("webhook-id"), get("webhook-timestamp"), get("webhook-signature"), body.to_vec());
            hears.lock().expect("a lock").push(delivery);
            Ok::<_, std::convert::Infallible>(hyper::Response::new(http_body_util::Empty::<bytes::Bytes>::new()))
        }
    };
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let builder = hyper::server::conn::http1::Builder::new();
            let service = hyper::service::service_fn(receive.clone());
            tokio::spawn(builder.serve_connection(hyper_util::rt::TokioIo::new(socket), service));
        }
    });
    let secret = "whsec_c2VjcmV0IG9mIHRoZSBzYW5kYm94";
    let hook = Webhook { url: format!("http://127.0.0.1:{port}/hook"), secret: secret.to_owned() };
    chat.notify(Some(&hook)).await.expect("the webhook is set");
    let no_secret = Webhook { secret: "plain".to_owned(), ..hook.clone() };
    assert!(matches!(chat.notify(Some(&no_secret)).await, Err(Fault::Message(_))));
    chat.message(&message("one", To::Phone("+15550001".to_owned())), &yes).await.expect("a message");
    for _ in 0..100 {
        if !heard.lock().expect("a lock").is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let (id, timestamp, signature, body) = heard.lock().expect("a lock").pop().expect("a delivery");
    let signed = Signed { id: &id, timestamp: &timestamp, signature: &signature };
    let now: i64 = timestamp.parse().expect("seconds");
    let events = webhook::events(secret, signed, &body, now).expect("believed");
    assert_eq!(events, chat.events(None, 10).await.expect("events").events, "polled and delivered events are equal");
    assert_eq!(events[0].from.phone.as_deref(), Some("+15550001"));
    let rotated = format!("v1,AAAA {signature}");
    assert!(webhook::events(secret, Signed { signature: &rotated, ..signed }, &body, now).is_ok());
    let other = "whsec_b3RoZXI=";
    assert!(webhook::events(other, signed, &body, now).is_err());
    assert!(webhook::events(secret, signed, b"{\"events\": []}", now).is_err());
    assert!(webhook::events(secret, Signed { id: "another", ..signed }, &body, now).is_err());
    assert!(webhook::events(secret, signed, &body, now + 301).is_err());
    assert!(webhook::events(secret, Signed { timestamp: "soon", ..signed }, &body, now).is_err());
    chat.notify(None).await.expect("it ends");
}

#[tokio::test]
async fn providers_that_send_nonsense_are_survived() {
    let nonsense: &[&'static [&'static [u8]]] = &[
        &[b"", b"220 smtp.example.com ESMTP\r\n"],
        &[b"", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"],
        &[b"", b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"],
        &[b"", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"],
        &[b"", b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n"],
        &[b"", b""],
    ];
    for says in nonsense {
        let provider = async || {
            let base = format!("http://{}", listening(says).await);
            Provider::within(&base, "token", &Guard::operator(), Duration::from_millis(500)).expect("a provider")
        };
        let sent = provider().await.message(&message("x", url("x")), &yes).await;
        assert!(matches!(sent, Err(SendError::Unknown(_))), "{sent:?}");
        let asked = provider().await.account().await;
        assert!(matches!(asked, Err(Fault::Unreached(_))), "{asked:?}");
    }
    // A page instead of JSON is an error, and a redirect is not followed.
    let moved: &'static [&'static [u8]] =
        &[b"", b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n"];
    let base = format!("http://{}", listening(moved).await);
    let provider =
        Provider::within(&base, "token", &Guard::operator(), Duration::from_millis(500)).expect("a provider");
    assert!(matches!(provider.account().await, Err(Fault::Sender(text)) if text.starts_with("302")));
}
