//! Connections: idle ones make room for others, slow request heads are closed, and invalid heads are refused.

use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, TcpListener, TcpStream, UdpSocket};
use std::process::Command;
use std::time::Duration;

use serde_json::json;

use crate::support::*;

stories![
    silent_connections_do_not_stop_the_service,
    the_limit_of_file_handles_is_raised,
    unfinished_bodies_do_not_stop_the_service,
    unfinished_uploads_of_one_workspace_leave_files_to_others,
    event_streams_of_one_workspace_leave_connections_to_others,
    bodies_with_many_values_are_refused_and_hold_up_nobody,
    idle_and_stalled_connections_are_closed,
    silent_connections_and_unfinished_heads_are_closed,
    heads_with_a_bare_line_feed_are_refused,
    a_request_needs_one_host,
    valid_requests_are_answered,
];

/// More than the server has file handles for.
const SILENT: usize = 1100;

fn connect(world: &World) -> TcpStream {
    let stream = TcpStream::connect(world.origin().trim_start_matches("http://"));
    let stream = stream.unwrap_or_else(|error| panic!("cannot connect: {error}"));
    stream.set_read_timeout(Some(PATIENCE)).unwrap_or_else(|error| panic!("cannot set a time-out: {error}"));
    stream
}

/// Sends bytes and returns everything until the server closes the connection.
fn exchange(world: &World, bytes: &[u8]) -> String {
    let mut stream = connect(world);
    let _ = stream.write_all(bytes);
    rest(&mut stream)
}

fn rest(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    match stream.read_to_end(&mut answer) {
        Ok(_) => {}
        // The server closed the connection while unread bytes were left.
        Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
        Err(error) => panic!("the connection stays open: {error}; so far {:?}", String::from_utf8_lossy(&answer)),
    }
    String::from_utf8_lossy(&answer).into_owned()
}

/// Whether the server answers before it would close a silent connection, which makes room, too.
fn answers_soon(world: &World) -> bool {
    let asked = ureq::get(format!("{}/healthz", world.origin()));
    let asked = asked.config().timeout_global(Some(Duration::from_secs(5))).build().call();
    asked.is_ok_and(|answer| answer.status() == 200)
}

fn silent_connections_do_not_stop_the_service(world: &World) {
    let key = world.key("crm");
    world.stop();
    world.start_by("ulimit -Sn 1024; ulimit -Hn 1024; exec \"$@\"");
    let used = json!({"first_name": "Ada"});
    key.post("/contacts", used.clone()).created();
    let mut silent: Vec<TcpStream> = Vec::new();
    for _ in 0..SILENT {
        silent.push(connect(world));
    }
    for _ in 0..5 {
        within_a_second("/healthz beside silent connections", || answers_soon(world).then_some(()));
    }
    eventually("a new contact", PATIENCE, || (key.post("/contacts", used.clone()).status == 201).then_some(()));
    let metrics = ureq::get(format!("{}/metrics", world.origin())).call();
    let metrics = metrics.and_then(|mut answer| answer.body_mut().read_to_string());
    let metrics = metrics.unwrap_or_else(|error| panic!("no metrics: {error}"));
    let open = metrics.lines().find_map(|line| line.strip_prefix("relata_connections "));
    let open: usize = open.and_then(|open| open.parse().ok()).unwrap_or_else(|| panic!("not counted: {metrics}"));
    assert!((1..SILENT).contains(&open), "{open} are open");
}

fn the_limit_of_file_handles_is_raised(world: &World) {
    world.stop();
    world.start_by("ulimit -Sn 512; ulimit -Hn 2048; exec \"$@\"");
    let server = world.with_server(|server| server.id());
    crate::extraction::limited(server, &[("Max open files", 2048)]);
}

/// Each connection may stay open as long as a body of 16 MiB may take.
fn unfinished_bodies_do_not_stop_the_service(world: &World) {
    let key = world.key("full_access");
    world.stop();
    world.start_by("ulimit -Sn 1024; ulimit -Hn 1024; exec \"$@\"");
    let listener = Listener::open(&key, "/events/stream", None);
    let head = format!(
        "POST /api/v1/sequences HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{",
        key.token()
    );
    let mut unfinished: Vec<TcpStream> = Vec::new();
    for _ in 0..SILENT {
        let mut stream = connect(world);
        // The server closes connections that it has no room for.
        let _ = stream.write_all(head.as_bytes());
        unfinished.push(stream);
    }
    for _ in 0..5 {
        within_a_second("/healthz beside unfinished bodies", || answers_soon(world).then_some(()));
    }
    let made = eventually("a new contact", PATIENCE, || {
        let answer = key.request("POST", "/contacts").json(&json!({"first_name": "Ada"})).try_send();
        answer.ok().filter(|answer| answer.status == 201)
    });
    // An event stream does not count as an unfinished request.
    assert!(listener.event().data.to_string().contains(&text(&made.created()["id"])));
}

const FEW_FILES: &str = "ulimit -Sn 1024; ulimit -Hn 1024; exec \"$@\"";

/// Each has a connection and may have a temporary file; together they are more than the server has file handles for.
fn unfinished_uploads_of_one_workspace_leave_files_to_others(world: &World) {
    let (key, other) = (world.key("full_access"), world.workspace("other").key("full_access"));
    world.stop();
    world.start_by(FEW_FILES);
    let head = format!(
        "POST /api/v1/imports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: multipart/form-data; boundary=b\r\n\
         Content-Length: 100000\r\n\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\nfirst_name\r\nAda\r\n",
        key.token()
    );
    let mut unfinished: Vec<TcpStream> = Vec::new();
    for _ in 0..480 {
        let mut stream = connect(world);
        let _ = stream.write_all(head.as_bytes());
        unfinished.push(stream);
    }
    let contact = text(&other.post("/contacts", json!({"first_name": "Grace"})).created()["id"]);
    for number in 0..5 {
        let part = Part::file("a.txt", format!("file {number}").as_bytes());
        let stored = other.request("POST", &format!("/contacts/{contact}/files")).form(&[part]).send().created();
        assert_eq!(stored["size"], 6);
    }
    key.post("/contacts", json!({"first_name": "Ada"})).created();
}

fn event_streams_of_one_workspace_leave_connections_to_others(world: &World) {
    let (key, other) = (world.key("full_access"), world.workspace("other").key("full_access"));
    world.stop();
    world.start_by(FEW_FILES);
    let open = |key: &Client| {
        let mut stream = connect(world);
        let head = "GET /api/v1/events/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ";
        send(&mut stream, &format!("{head}{}\r\n\r\n", key.token()));
        let status = until(&mut stream, "\r\n");
        (stream, status)
    };
    // 512 connections, an eighth of them for the streams of a workspace.
    let mut streams: Vec<TcpStream> = Vec::new();
    for _ in 0..64 {
        let (stream, status) = open(&key);
        assert!(status.contains(" 200 "), "{status}");
        streams.push(stream);
    }
    let refused = key.get("/events/stream");
    refused.error(429, "rate_limit_exceeded").says("event streams");
    assert_eq!(refused.header("Retry-After"), "1");
    assert!(open(&other).1.contains(" 200 "));
    streams.pop();
    eventually("a stream in place of a closed one", PATIENCE, || open(&key).1.contains(" 200 ").then_some(()));
}

/// All within the limits of size. They are parsed one after another, beside the threads that serve connections.
fn bodies_with_many_values_are_refused_and_hold_up_nobody(world: &World) {
    let (key, other) = (world.key("full_access"), world.workspace("other").key("full_access"));
    let body = format!("{{\"first_name\": [{}0]}}", "{\"\":0},".repeat(130_000));
    let bulk = format!("{{\"items\": [{}0]}}", "{\"\":0},".repeat(260_000));
    let answers = at_once(8, |number| {
        if number == 7 {
            return other.post("/contacts", json!({"first_name": "Grace"})).status;
        }
        let (path, body) = if number % 2 == 0 { ("/contacts", &body) } else { ("/contacts/bulk", &bulk) };
        key.request("POST", path).header("Content-Type", "application/json").body(body.as_bytes()).send().status
    });
    assert_eq!(answers, [400, 400, 400, 400, 400, 400, 400, 201]);
}

// ---- connections per address ----

/// Whether this process is the one inside a network of its own.
const INSIDE: &str = "RELATA_TEST_OWN_NETWORK";
/// Adds addresses to the loopback device of a new network. Nothing of it reaches a wire.
const ADDRESSES: &str = "set -e; ip link set lo up; for address in 203.0.113.1 203.0.113.2 203.0.113.9; do ip address add $address/32 dev lo; done
for address in 2001:db8::1 2001:db8::ffff 2001:db8:0:1::1; do ip address add $address/128 dev lo nodad || true; done; exec \"$@\"";
/// A quarter of the 512 connections that 1,024 file handles allow.
const OF_ADDRESS: usize = 128;

/// Loopback addresses do not count, so that the clients need others: those of a network of their own, or, where none can
/// be made, the address of this machine.
#[test]
fn one_address_leaves_connections_to_others() {
    if std::env::var_os(INSIDE).is_some() {
        return connections_are_limited_by_address(true);
    }
    let name = "connections::one_address_leaves_connections_to_others";
    let program = std::env::current_exe().unwrap_or_else(|error| panic!("no name: {error}"));
    for flags in ["--net", "--map-root-user"] {
        let mut inside = Command::new("unshare");
        inside.args([flags, "--net", "bash", "-c", ADDRESSES, "bash"]);
        let mut possible = Command::new("unshare");
        possible.args([flags, "--net", "bash", "-c", ADDRESSES, "bash", "true"]);
        if possible.output().is_ok_and(|tried| tried.status.success()) {
            let ran = Ran::of({
                inside.arg(program).args([name, "--exact", "--nocapture"]).env(INSIDE, "1");
                inside
            });
            println!("{ran}");
            return assert!(ran.ok().contains("1 passed"), "it did not run");
        }
    }
    println!("no network of its own could be made");
    connections_are_limited_by_address(false);
}

/// The address of this machine that other machines see.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    // Connecting a datagram socket chooses an address and sends nothing.
    socket.connect("192.0.2.1:9").ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|address| !address.is_loopback())
}

/// Opens connections one after another that had an answered request each. A connection to an address of this machine
/// comes from the same address.
fn used(world: &World, address: IpAddr, count: usize) -> Vec<TcpStream> {
    let port = world.origin().rsplit(':').next().and_then(|port| port.parse().ok());
    let open = |_| {
        let mut stream = TcpStream::connect((address, port.unwrap_or(0))).unwrap_or_else(|error| panic!("{error}"));
        stream.set_read_timeout(Some(PATIENCE)).unwrap_or_else(|error| panic!("cannot set a time-out: {error}"));
        assert_eq!(stream.local_addr().map(|own| own.ip()).ok(), Some(address));
        send(&mut stream, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
        assert!(until(&mut stream, "{\"status\":\"ok\"}").starts_with("HTTP/1.1 200 "));
        stream
    };
    (0..count).map(open).collect()
}

/// How many of these connections the server has not closed.
fn open(streams: &[TcpStream]) -> usize {
    let is_open = |stream: &&TcpStream| {
        stream.set_nonblocking(true).unwrap_or_else(|error| panic!("{error}"));
        stream.peek(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
    };
    streams.iter().filter(is_open).count()
}

fn connections_are_limited_by_address(has_network: bool) {
    let world = World::idle(Engine::Sqlite);
    let ip = |text: &str| text.parse::<IpAddr>().unwrap_or_else(|error| panic!("{text}: {error}"));
    let has_v6 = has_network && TcpListener::bind("[2001:db8::1]:0").is_ok();
    let listen = if has_v6 { "[::]:" } else { "0.0.0.0:" };
    world.start_by(&format!(
        "ulimit -Sn 1024; ulimit -Hn 1024; exec \"${{@/127.0.0.1:/{listen}}}\" --trusted-proxies 203.0.113.9"
    ));
    let settled = |what: &str, streams: &[TcpStream], expected: usize| {
        eventually(what, PATIENCE, || (open(streams) == expected).then_some(()));
    };
    // This machine has no limit of its own.
    let local = used(&world, ip("127.0.0.1"), OF_ADDRESS + 20);
    let first = if has_network { Some(ip("203.0.113.1")) } else { own_address() };
    let Some(first) = first else {
        return println!("this machine has no address but loopback: the limit per address was NOT tested");
    };
    let crowd = used(&world, first, OF_ADDRESS + 72);
    settled("the limit of one address", &crowd, OF_ADDRESS);
    assert_eq!(open(&crowd[..72]), 0, "the oldest are closed");
    assert_eq!(open(&local), OF_ADDRESS + 20, "those of other addresses stay");
    if has_network {
        let other = used(&world, ip("203.0.113.2"), 20);
        // The server sees the addresses that it trusts in place of those of its clients.
        drop(local);
        let proxy = used(&world, ip("203.0.113.9"), OF_ADDRESS + 20);
        assert_eq!((open(&other), open(&crowd), open(&proxy)), (20, OF_ADDRESS, OF_ADDRESS + 20));
    }
    if has_v6 {
        // An IPv6 client has a whole /64.
        let mut network = used(&world, ip("2001:db8::1"), 100);
        network.extend(used(&world, ip("2001:db8::ffff"), 60));
        settled("the limit of one network", &network, OF_ADDRESS);
        let beside = used(&world, ip("2001:db8:0:1::1"), 20);
        assert_eq!((open(&beside), open(&network)), (20, OF_ADDRESS));
    } else {
        println!("IPv6 was NOT tested");
    }
    assert!(world.with_server(|server| server.is_healthy()));
    world.stop();
}

// ---- time limits ----

/// Metrics by name, with their labels.
pub(crate) fn metric(world: &World, name: &str) -> usize {
    let metrics = ureq::get(format!("{}/metrics", world.origin())).call();
    let metrics = metrics.and_then(|mut answer| answer.body_mut().read_to_string());
    let metrics = metrics.unwrap_or_else(|error| panic!("no metrics: {error}"));
    let value = metrics.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    value.unwrap_or(0)
}

/// Only with `RELATA_LONG=1`, since these limits are minutes.
fn idle_and_stalled_connections_are_closed(world: &World) {
    if !is_long() {
        return;
    }
    let key = world.key("full_access");
    let contact = text(&key.post("/contacts", json!({"first_name": "Ada"})).created()["id"]);
    // More than the buffers of a connection hold.
    let part = Part::file("a.bin", &vec![b'x'; 9_000_000]);
    let file = key.request("POST", &format!("/contacts/{contact}/files")).form(&[part]).send().created();
    let get = |path: &str| {
        let mut stream = connect(world);
        let token = key.token();
        send(&mut stream, &format!("GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n"));
        stream
    };
    let mut idle = get("/healthz");
    assert!(until(&mut idle, "{\"status\":\"ok\"}").starts_with("HTTP/1.1 200 "));
    let mut stalled = get(&format!("/api/v1/contacts/{contact}/files/{}/content", text(&file["id"])));
    let listener = Listener::open(&key, "/events/stream", None);
    let began = stopwatch();
    let closed = "relata_connections_closed_total{reason=\"timeout\"}";
    eventually("an end of the answer that nobody reads", 5 * PATIENCE, || (metric(world, closed) == 1).then_some(()));
    assert_eq!(open(std::slice::from_ref(&idle)), 1, "it may be idle for longer");
    eventually("an end of the idle connection", 5 * PATIENCE, || {
        (open(std::slice::from_ref(&idle)) == 0).then_some(())
    });
    assert!(began.elapsed() > Duration::from_secs(150), "reverse proxies keep their connections for longer");
    let mut received = Vec::new();
    let _ = stalled.read_to_end(&mut received);
    assert!(received.starts_with(b"HTTP/1.1 200 ") && received.len() < 9_000_000, "{} bytes", received.len());
    // An event stream has no limit.
    let made = key.post("/contacts", json!({"first_name": "Grace"})).created();
    assert!(listener.event().data.to_string().contains(&text(&made["id"])));
}

fn silent_connections_and_unfinished_heads_are_closed(world: &World) {
    let key = world.key("full_access");
    let listener = Listener::open(&key, "/events/stream", None);
    // The last three may still become HTTP/2.
    let beginnings: [&[u8]; 7] = [
        b"",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET",
        b"\r\n\r\n\r\n",
        b"P",
        b"PRI * HTTP/2.0\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r",
    ];
    let answers = at_once(beginnings.len(), |number| exchange(world, beginnings[number]));
    for (beginning, answer) in beginnings.iter().zip(answers) {
        let complete = beginning.windows(4).any(|four| four == b"\r\n\r\n") && beginning.starts_with(b"GET");
        assert_eq!(answer.starts_with("HTTP/1.1 200 "), complete, "{answer}");
    }
    // An event stream does not count as an idle connection.
    let made = key.post("/contacts", json!({"first_name": "Ada"})).created();
    assert!(listener.event().data.to_string().contains(&text(&made["id"])));
}

fn heads_with_a_bare_line_feed_are_refused(world: &World) {
    let (key, refused) = (world.key("crm"), "HTTP/1.1 400 ");
    let body = json!({"first_name": "Ada"}).to_string();
    let post = format!(
        "POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n",
        key.token()
    );
    for head in [
        "GET /healthz HTTP/1.1\nHost: x\n\n",
        "GET /healthz HTTP/1.1\r\nHost: x\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\n\n",
        "GET /healthz HTTP/1.1\nHost: x\r\n\r\n",
        "\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
    ] {
        let answer = exchange(world, head.as_bytes());
        assert!(answer.starts_with(refused), "{head:?}: {answer}");
        assert!(answer.contains("malformed_request") && answer.contains("CR LF"), "{head:?}: {answer}");
    }
    // Sent byte by byte as well.
    let mut stream = connect(world);
    for byte in b"GET /healthz HTTP/1.1\r\nHost: x\n\r\n" {
        if stream.write_all(&[*byte]).and_then(|()| stream.flush()).is_err() {
            break;
        }
    }
    assert!(rest(&mut stream).starts_with(refused));
    // After requests that are answered, with and without a body.
    let bare = "GET /healthz HTTP/1.1\nHost: x\n\n";
    let length = format!("{post}Content-Length: {}\r\n\r\n{body}", body.len());
    for first in ["GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", &length] {
        let answer = exchange(world, format!("{first}{bare}").as_bytes());
        assert!(answer.starts_with("HTTP/1.1 20"), "{answer}");
        assert_eq!(answer.matches(refused).count(), 1, "{answer}");
    }
    // The end of a chunked body is not known in advance, so no other request is read after it.
    let chunked = format!("{post}Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let answer = exchange(world, format!("{chunked}{bare}").as_bytes());
    assert!(answer.starts_with("HTTP/1.1 201 ") && answer.to_lowercase().contains("\r\nconnection: close"), "{answer}");
    assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{answer}");
    // Line feeds in a body are allowed.
    let lines = "{\n\"first_name\":\n\"Ada\"\n}";
    let answer = exchange(
        world,
        format!("{post}Connection: close\r\nContent-Length: {}\r\n\r\n{lines}", lines.len()).as_bytes(),
    );
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
    assert_eq!(key.get("/contacts").page().total(), 3);
}

fn a_request_needs_one_host(world: &World) {
    for head in ["GET /healthz HTTP/1.1\r\n\r\n", "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"] {
        let answer = exchange(world, head.as_bytes());
        assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("Host"), "{head:?}: {answer}");
    }
    let answer = exchange(world, b"GET /healthz HTTP/1.0\r\n\r\n");
    assert!(answer.contains(" 200 OK"), "{answer}");
}

fn valid_requests_are_answered(world: &World) {
    let key = world.key("crm");
    // Several requests on one connection, the last with a body in pieces.
    let mut stream = connect(world);
    let mut answers = String::new();
    for number in 0..3 {
        send(&mut stream, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
        answers += &until(&mut stream, "{\"status\":\"ok\"}");
        let body = json!({"first_name": format!("Ada {number}")}).to_string();
        let post = format!(
            "POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            key.token(),
            body.len()
        );
        let (front, back) = body.split_at(5);
        for piece in [&*post, front, back] {
            send(&mut stream, piece);
            pause();
        }
        answers += &until(&mut stream, "}}");
    }
    assert_eq!((answers.matches(" 200 OK").count(), answers.matches(" 201 Created").count()), (3, 3), "{answers}");
    // The client waits for "100 Continue" before it sends its body.
    let body = json!({"first_name": "Béla"}).to_string();
    let post = |more: &str| {
        format!(
            "POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             {more}\r\n",
            key.token()
        )
    };
    send(&mut stream, &post(&format!("Expect: 100-continue\r\nContent-Length: {}\r\n", body.len())));
    assert!(until(&mut stream, "\r\n\r\n").starts_with("HTTP/1.1 100 "));
    send(&mut stream, &body);
    assert!(until(&mut stream, "}}").starts_with("HTTP/1.1 201 "));
    // Chunks in pieces; then the connection is closed.
    send(&mut stream, &post("Transfer-Encoding: chunked\r\n"));
    for piece in [format!("{:x}\r\n", body.len()), body, "\r\n0\r\n".into(), "\r\n".into()] {
        send(&mut stream, &piece);
        pause();
    }
    assert!(rest(&mut stream).starts_with("HTTP/1.1 201 "));
    assert_eq!(key.get("/contacts").page().total(), 5);
    http2(world);
}

fn send(stream: &mut TcpStream, text: &str) {
    stream.write_all(text.as_bytes()).unwrap_or_else(|error| panic!("cannot send: {error}"));
}

/// Reads until this text arrives.
fn until(stream: &mut TcpStream, end: &str) -> String {
    let (mut read, mut byte) = (Vec::new(), [0]);
    while !read.ends_with(end.as_bytes()) {
        let some = stream.read(&mut byte).unwrap_or_else(|error| panic!("cannot read: {error}"));
        assert!(some > 0, "the connection ended: {:?}", String::from_utf8_lossy(&read));
        read.push(byte[0]);
    }
    String::from_utf8_lossy(&read).into_owned()
}

/// Requests /healthz by HTTP/2 with prior knowledge, twice on one connection.
fn http2(world: &World) {
    let mut stream = connect(world);
    let frame = |kind: u8, flags: u8, number: u8, content: &[u8]| {
        let mut frame = vec![0, 0, content.len() as u8, kind, flags, 0, 0, 0, number];
        frame.extend_from_slice(content);
        frame
    };
    let mut head = vec![0x82, 0x86, 0x01, 1, b'x', 0x04, 8];
    head.extend_from_slice(b"/healthz");
    let mut sent = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    sent.extend(frame(4, 0, 0, &[]));
    sent.extend(frame(1, 5, 1, &head));
    let (first, second) = sent.split_at(20);
    for piece in [first, second, &frame(1, 5, 3, &head)] {
        stream.write_all(piece).unwrap_or_else(|error| panic!("cannot send: {error}"));
        std::thread::sleep(Duration::from_millis(20));
    }
    let mut answered = 0;
    while answered < 2 {
        let mut start = [0; 9];
        stream.read_exact(&mut start).unwrap_or_else(|error| panic!("no frame: {error}"));
        let length = usize::from(start[0]) << 16 | usize::from(start[1]) << 8 | usize::from(start[2]);
        let mut content = vec![0; length];
        stream.read_exact(&mut content).unwrap_or_else(|error| panic!("no frame: {error}"));
        assert_ne!(start[3], 7, "the server sent GOAWAY");
        if start[3] == 1 {
            assert_eq!(content.first().map(|byte| byte & 0x80), Some(0x80), "the status is an indexed header");
            assert!(content.contains(&0x88), "not 200: {content:?}");
            answered += 1;
        }
    }
}
