//! Images of received mails: nothing is loaded until a member asks, and then by the server, from public addresses alone.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use serde_json::{Value, json};

use crate::dashboard::owner;
use crate::support::outside::contact;
use crate::support::*;

stories![images_are_loaded_when_a_member_asks, images_are_not_loaded_from_private_addresses];

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nany content";
const FORBIDDEN: &str = include_str!("../crates/connect/src/guard/forbidden_hosts.txt");

/// A web server of a sender, which records the paths that were requested.
struct Web {
    port: u16,
    requested: Arc<Mutex<Vec<String>>>,
}

impl Web {
    fn new() -> Web {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let requested = Arc::new(Mutex::new(Vec::new()));
        let record = requested.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let record = record.clone();
                std::thread::spawn(move || Web::answer(stream, &record));
            }
        });
        Web { port, requested }
    }

    fn answer(mut stream: std::net::TcpStream, record: &Mutex<Vec<String>>) {
        let mut request = [0; 8192];
        let read = stream.read(&mut request).unwrap_or(0);
        let request = String::from_utf8_lossy(&request[..read]).into_owned();
        let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
        record.lock().expect("a lock").push(path.clone());
        let (status, content) = match path.split('?').next().unwrap_or_default() {
            "/logo.png" => ("200 OK", PNG.to_vec()),
            "/photo.jpg" => ("200 OK", b"\xff\xd8\xff\xe0 a photo".to_vec()),
            "/page.png" => ("200 OK", b"<html>no image</html>".to_vec()),
            "/drawing.svg" => ("200 OK", b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec()),
            "/huge.png" => ("200 OK", [PNG, &vec![0; 4 << 20][..]].concat()),
            "/moved.png" => ("302 Found\r\nLocation: /logo.png", Vec::new()),
            "/slow.png" => {
                std::thread::sleep(std::time::Duration::from_secs(60));
                return;
            }
            _ => ("404 Not Found", Vec::new()),
        };
        let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", content.len());
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(&content);
    }

    fn requested(&self) -> Vec<String> {
        let mut paths = self.requested.lock().expect("a lock").clone();
        paths.sort();
        paths
    }
}

/// The message that a mail with this HTML becomes.
#[track_caller]
fn received(outside: &Outside, key: &Client, number: usize, html: &str) -> Value {
    let subject = format!("Mail {number}");
    outside.deliver(
        "ann@example.com",
        &format!(
            "From: ada@example.com\nTo: ann@example.com\nSubject: {subject}\nMessage-ID: <i{number}@elsewhere.example>\n\
             MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n{html}\n"
        ),
    );
    eventually("the mail", PATIENCE, || {
        let messages = key.get("/messages?direction=inbound&limit=100").page().rows;
        messages.into_iter().find(|message| message["subject"] == subject.as_str())
    })
}

/// The images of a message: each address, and the image or null.
#[track_caller]
fn load(member: &Client, message: &Value) -> Vec<(String, Value)> {
    let path = format!("/messages/{}/images", text(&message["id"]));
    let answer = member.inside("POST", &path).json(&json!({})).send().ok();
    let images = answer["images"].as_array().expect("images").iter();
    images.map(|image| (text(&image["address"]), image["content"].clone())).collect()
}

fn images_are_loaded_when_a_member_asks(world: &World) {
    let (outside, key, ann, web) = (Outside::new(""), world.key("full_access"), owner(world), Web::new());
    outside.mailbox(world, "ann@example.com", &[]);
    contact(&key, "Ada", "ada@example.com");
    world.stop();
    world.start_by("exec \"$@\" --allow-private-hosts all");
    let at = |path: &str| format!("http://127.0.0.1:{}{path}", web.port);
    let html = format!(
        "<p>Hello</p><img src=\"{logo}\" alt=\"Our logo\" onerror=\"x()\"><IMG SRC='{photo}' data-src='file:///etc/passwd'>\
         <img src=\"{logo}\"><img src=\"{pixel}\" width=1 height=\"1\"><img src=\"{pixel}\" style=\"border:0; Width: 1PX\">\
         <img src=\"{pixel}\" style='display:none'><img src=\"cid:part1\"><img src=\"javascript:x()\">\
         <img src=\"{page}\"><img src=\"{drawing}\"><img src=\"{huge}\"><img src=\"{moved}\"><img src=\"{slow}\">\
         <img src=\"{missing}\"><img srcset=\"{set} 2x\"><picture><source srcset=\"{set}\"></picture>",
        logo = at("/logo.png?a=1&amp;b=2"),
        photo = at("/photo.jpg"),
        pixel = at("/pixel.png"),
        page = at("/page.png"),
        drawing = at("/drawing.svg"),
        huge = at("/huge.png"),
        moved = at("/moved.png"),
        slow = at("/slow.png"),
        missing = at("/missing.png"),
        set = at("/set.png"),
    );
    let message = received(&outside, &key, 1, &html);
    let shown = text(&message["html"]);
    for unsafe_part in [" src=", "srcset", "onerror", "javascript", "passwd", "pixel"] {
        assert!(!shown.contains(unsafe_part), "{unsafe_part}: {shown}");
    }
    assert!(shown.contains("alt=\"Our logo\""), "{shown}");
    assert!(shown.contains("<img data-src=\"cid:part1\">"), "it came with the mail, and is not loaded: {shown}");
    assert!(web.requested().is_empty(), "loaded without being asked: {:?}", web.requested());

    let data = |kind: &str, content: &[u8]| {
        Value::from(format!("data:{kind};base64,{}", base64::engine::general_purpose::STANDARD.encode(content)))
    };
    let expected = [
        (at("/logo.png?a=1&b=2"), data("image/png", PNG)),
        (at("/photo.jpg"), data("image/jpeg", b"\xff\xd8\xff\xe0 a photo")),
        (at("/page.png"), Value::Null),
        (at("/drawing.svg"), Value::Null),
        (at("/huge.png"), Value::Null),
        (at("/moved.png"), Value::Null),
        (at("/slow.png"), Value::Null),
        (at("/missing.png"), Value::Null),
    ];
    assert_eq!(load(&ann, &message), expected);
    let paths: Vec<String> =
        expected.iter().map(|(url, _)| url.split(&web.port.to_string()).last().unwrap_or("").into()).collect();
    let mut requested = paths.clone();
    requested.sort();
    assert_eq!(web.requested(), requested, "each once, and nothing else");

    // A message without images, and one that does not exist.
    let plain = received(&outside, &key, 2, "<p>Only words</p>");
    assert_eq!(load(&ann, &plain), []);
    ann.inside("POST", &format!("/messages/{}/images", nobody())).json(&json!({})).send().not_found();
}

fn images_are_not_loaded_from_private_addresses(world: &World) {
    let (outside, key, ann, web) = (Outside::new(""), world.key("full_access"), owner(world), Web::new());
    outside.mailbox(world, "ann@example.com", &[]);
    contact(&key, "Ada", "ada@example.com");
    // Allowed networks are for the accounts of members.
    world.stop();
    world.start_by("exec \"$@\" --allow-private-hosts 127.0.0.0/8,10.0.0.0/8");
    let hosts: Vec<&str> = FORBIDDEN.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).collect();
    assert!(hosts.len() >= 60);
    for (number, hosts) in hosts.chunks(25).enumerate() {
        let image = |host: &&str| {
            format!("<img src=\"http://{host}:{}/a.png\"><img src=\"http://{host}/latest/meta-data\">", web.port)
        };
        let message = received(&outside, &key, number, &hosts.iter().map(image).collect::<String>());
        let loaded = load(&ann, &message);
        assert!(!loaded.is_empty());
        assert!(loaded.iter().all(|(_, content)| content.is_null()), "{loaded:?}");
    }
    assert!(web.requested().is_empty(), "{:?}", web.requested());
}
