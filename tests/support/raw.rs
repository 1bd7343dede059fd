//! Malformed requests, written to the socket directly.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use ureq::http::{HeaderMap, HeaderName, HeaderValue};

use super::client::{Answer, Client, PREFIX};

/// A connection that can send anything.
pub(crate) struct Wire {
    stream: TcpStream,
    asked: String,
    path: String,
    method: String,
}

impl Wire {
    /// Opens a connection and sends the head of a request, with the client's key.
    pub(crate) fn open(client: &Client, method: &str, path: &str, headers: &[(&str, &str)]) -> Wire {
        let address = client.origin().trim_start_matches("http://").to_owned();
        let stream =
            TcpStream::connect(&address).unwrap_or_else(|error| panic!("cannot connect to {address}: {error}"));
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap_or_else(|error| panic!("cannot set a time-out: {error}"));
        let path = format!("{PREFIX}{path}");
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
        head.push_str(&format!("Authorization: Bearer {}\r\n", client.token()));
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        let shown: String = path.chars().take(200).collect();
        let mut wire = Wire { stream, asked: format!("{method} {shown}"), path, method: method.to_owned() };
        wire.send(head.as_bytes());
        wire
    }

    /// Sends bytes; returns whether the server still accepted them.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).and_then(|()| self.stream.flush()).is_ok()
    }

    /// Ends sending, and returns what the server still sends before it closes the connection.
    pub(crate) fn leave(mut self) -> String {
        let mut said = Vec::new();
        let left = self.stream.shutdown(Shutdown::Write).and_then(|()| self.stream.read_to_end(&mut said));
        left.unwrap_or_else(|error| panic!("{} is not closed: {error}", self.asked));
        String::from_utf8_lossy(&said).into_owned()
    }

    /// Reads the answer to its end.
    #[track_caller]
    pub(crate) fn answer(mut self) -> Answer {
        let mut bytes = Vec::new();
        match self.stream.read_to_end(&mut bytes) {
            Ok(_) => {}
            // A complete answer before the reset counts.
            Err(error) if error.kind() == ErrorKind::ConnectionReset && !bytes.is_empty() => {}
            Err(error) => panic!("no answer to {}: {error}", self.asked),
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) =
            text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer to {}: {text:?}", self.asked));
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|status| status.parse().ok());
        let status = status.unwrap_or_else(|| panic!("not an answer of HTTP: {text:?}"));
        let mut headers = HeaderMap::new();
        for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
            if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::from_str(value)) {
                headers.insert(name, value);
            }
        }
        Answer::new(self.asked, self.method, self.path, status, headers, body.as_bytes().to_vec())
    }
}
