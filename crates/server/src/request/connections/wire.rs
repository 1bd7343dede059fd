//! The bytes between a connection and hyper. Checks the head of every HTTP/1 request before hyper reads it, since hyper
//! accepts a bare LF as a line end and drops Content-Length beside Transfer-Encoding. Adds a body to error answers that hyper
//! makes itself.

use super::{Connection, HEARD, UNBOUNDED, UNKNOWN};
use crate::request::envelope::Failure;
use bytes::{Buf, BytesMut};
use memchr::memchr_iter;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, ready};
use store::Uuid;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// For HTTP/1, hyper gets one head at a time, and the bytes after it only when hyper has reported the length of the body. So
/// this code and hyper agree where each head begins, and hyper reads none unchecked.
pub(crate) struct Wire {
    stream: TcpStream,
    connection: Arc<Connection>,
    expected: Expected,
    /// Bytes that were read and not passed to hyper yet.
    held: BytesMut,
    /// No head was read yet. The first shows whether this is HTTP/2.
    first: bool,
    /// The unwritten rest of an answer that replaces one of hyper's.
    replaced: BytesMut,
}

enum Expected {
    Head(Scan),
    /// hyper has the head and will report the length of the body.
    Framing,
    Body(u64),
    /// HTTP/2, or a body of unknown length.
    Anything,
}

impl AsyncRead for Wire {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if let Expected::Framing = this.expected {
            this.expected = match this.connection.framing.swap(UNKNOWN, Ordering::Relaxed) {
                UNKNOWN => return Poll::Ready(Err(io::ErrorKind::InvalidData.into())),
                UNBOUNDED => Expected::Anything,
                0 => Expected::Head(Scan::default()),
                length => Expected::Body(length),
            };
        }
        let before = buf.filled().len();
        if this.held.is_empty() {
            ready!(Pin::new(&mut this.stream).poll_read(cx, buf))?;
        } else {
            let some = this.held.len().min(buf.remaining());
            buf.put_slice(&this.held[..some]);
            this.held.advance(some);
        }
        let fresh = &buf.filled()[before..];
        if fresh.is_empty() {
            return Poll::Ready(Ok(()));
        }
        let mut taken = fresh.len();
        match &mut this.expected {
            Expected::Head(scan) => {
                if this.connection.phase.load(Ordering::Relaxed) != HEARD {
                    this.connection.enter(HEARD);
                }
                match scan.read(fresh) {
                    Found::Nothing => {}
                    Found::End(at) => {
                        let preface = this.first && scan.is_preface();
                        this.first = false;
                        if preface {
                            this.expected = Expected::Anything;
                        } else {
                            taken = at;
                            let two_lengths = scan.content_length && scan.transfer_encoding;
                            this.connection.two_lengths.store(two_lengths, Ordering::Relaxed);
                            this.expected = Expected::Framing;
                        }
                    }
                    Found::BareLf => {
                        this.connection.bare_lf.store(true, Ordering::Relaxed);
                        this.expected = Expected::Anything;
                    }
                }
            }
            Expected::Body(left) => {
                taken = taken.min(usize::try_from(*left).unwrap_or(usize::MAX));
                *left -= taken as u64;
                if *left == 0 {
                    this.expected = Expected::Head(Scan::default());
                }
            }
            Expected::Framing | Expected::Anything => {}
        }
        if taken < fresh.len() {
            // The bytes held before come after the new ones.
            let rest = std::mem::take(&mut this.held);
            this.held.extend_from_slice(&fresh[taken..]);
            this.held.extend_from_slice(&rest);
            buf.set_filled(before + taken);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_replaced(cx))?;
        if let Some(answer) = with_body(buf) {
            self.replaced.extend_from_slice(&answer);
            return Poll::Ready(Ok(buf.len()));
        }
        let written = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.note(written)
    }
    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_replaced(cx))?;
        if let Some(first) = bufs.first()
            && let Some(answer) = with_body(first)
        {
            self.replaced.extend_from_slice(&answer);
            return Poll::Ready(Ok(first.len()));
        }
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.note(written)
    }
    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_replaced(cx))?;
        Pin::new(&mut self.stream).poll_flush(cx)
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_replaced(cx))?;
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl Wire {
    pub(crate) fn new(stream: TcpStream, connection: Arc<Connection>) -> Wire {
        let expected = Expected::Head(Scan::default());
        Wire { stream, connection, expected, held: BytesMut::new(), first: true, replaced: BytesMut::new() }
    }

    fn poll_replaced(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.replaced.is_empty() {
            let written = Pin::new(&mut self.stream).poll_write(cx, &self.replaced);
            let written = ready!(self.note(written))?;
            self.replaced.advance(written);
        }
        Poll::Ready(Ok(()))
    }

    fn note(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match written {
            Poll::Pending => self.connection.could_not_write(),
            Poll::Ready(_) => self.connection.wrote(),
        }
        written
    }
}

/// hyper answers a head that it can't parse without a body. This is the same answer with a body; `None` for all other
/// answers, which have a request id.
fn with_body(answer: &[u8]) -> Option<Vec<u8>> {
    if !answer.starts_with(b"HTTP/1.") || answer.get(9) != Some(&b'4') {
        return None;
    }
    let head = std::str::from_utf8(answer).ok()?.strip_suffix("\r\n\r\n")?;
    let (before, after) = head.split_once("\r\ncontent-length: 0")?;
    if head.contains("\r\nx-request-id:") || head.contains("\r\n\r\n") {
        return None;
    }
    let failure = match head.get(9..12)? {
        "414" => Failure::new(414, "uri_too_long", "the request's address is too long"),
        "431" => {
            Failure::new(431, "headers_too_large", "the request's head is too large; send fewer or shorter headers")
        }
        _ => Failure::new(400, "malformed_request", "the request's head is not valid HTTP"),
    };
    let (id, body) = (Uuid::new_v4().simple(), failure.body());
    tracing::info!(target: "request", id = %id, operation = "none", status = failure.status);
    let mut whole = format!(
        "{before}{after}\r\nx-request-id: {id}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    whole.extend_from_slice(&body);
    Some(whole)
}

/// The start of an HTTP/2 connection. It has the form of an HTTP/1 head.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\n";

const CONTENT_LENGTH: &[u8] = b"content-length:";
const TRANSFER_ENCODING: &[u8] = b"transfer-encoding:";

/// Finds the end of a head, lines that do not end in CR LF, and the headers with the length of the body. The head may arrive
/// in any pieces.
#[derive(Default)]
struct Scan {
    read: usize,
    /// How many bytes equal the start of the preface.
    alike: usize,
    /// Bytes of the unfinished line.
    line: usize,
    last: u8,
    /// Number of non-empty lines. Empty lines before the first don't end the head.
    lines: usize,
    /// The start of the unfinished line, in lower case.
    name: [u8; TRANSFER_ENCODING.len()],
    content_length: bool,
    transfer_encoding: bool,
}

#[derive(Debug, PartialEq)]
enum Found {
    Nothing,
    /// The position after the empty line.
    End(usize),
    BareLf,
}

impl Scan {
    fn read(&mut self, bytes: &[u8]) -> Found {
        if self.alike == self.read {
            self.alike += PREFACE[self.alike..].iter().zip(bytes).take_while(|(a, b)| a == b).count();
        }
        self.read += bytes.len();
        let mut from = 0;
        for at in memchr_iter(b'\n', bytes) {
            let before = if at == 0 { self.last } else { bytes[at - 1] };
            if before != b'\r' {
                return Found::BareLf;
            }
            self.note_name(&bytes[from..at]);
            let length = self.line + at - from;
            let name = &self.name[..length.min(self.name.len())];
            self.content_length |= name.starts_with(CONTENT_LENGTH);
            self.transfer_encoding |= name.starts_with(TRANSFER_ENCODING);
            (from, self.line) = (at + 1, 0);
            match length {
                1 if self.lines > 0 => return Found::End(at + 1),
                1 => {}
                _ => self.lines += 1,
            }
        }
        self.note_name(&bytes[from..]);
        self.line += bytes.len() - from;
        self.last = bytes.last().copied().unwrap_or(self.last);
        Found::Nothing
    }

    /// Stores the start of the unfinished line, which these bytes continue.
    fn note_name(&mut self, bytes: &[u8]) {
        let from = self.line.min(self.name.len());
        for (kept, byte) in self.name[from..].iter_mut().zip(bytes) {
            *kept = byte.to_ascii_lowercase();
        }
    }

    fn is_preface(&self) -> bool {
        self.alike == PREFACE.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a head whole, cut in two at each position, and byte by byte, and checks that the results are equal.
    fn scanned(head: &[u8]) -> Found {
        let pieces = |pieces: &[&[u8]]| {
            let (mut scan, mut before) = (Scan::default(), 0);
            for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
                match scan.read(piece) {
                    Found::Nothing => before += piece.len(),
                    Found::End(at) => return Found::End(before + at),
                    Found::BareLf => return Found::BareLf,
                }
            }
            Found::Nothing
        };
        let whole = pieces(&[head]);
        for cut in 0..=head.len() {
            assert_eq!(pieces(&[&head[..cut], &head[cut..]]), whole, "cut at {cut}");
        }
        assert_eq!(pieces(&head.chunks(1).collect::<Vec<_>>()), whole, "byte by byte");
        whole
    }

    #[test]
    fn the_end_of_a_head_is_found_and_bare_lf_is_noticed() {
        assert_eq!(scanned(b"GET / HTTP/1.1\r\nHost: x\r\n\r\nbody\n"), Found::End(27));
        assert_eq!(scanned(b"\r\n\r\nGET / HTTP/1.1\r\n\r\n"), Found::End(22));
        assert_eq!(scanned(b"GET / HTTP/1.1\r\nHost: x\r\n"), Found::Nothing);
        for bare in [
            &b"GET / HTTP/1.1\nHost: x\r\n\r\n"[..],
            b"GET / HTTP/1.1\r\nHost: x\n\r\n",
            b"GET / HTTP/1.1\r\nHost: x\r\n\n",
            b"\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET / HTTP/1.1\n\n",
        ] {
            assert_eq!(scanned(bare), Found::BareLf, "{}", String::from_utf8_lossy(bare));
        }
    }

    #[test]
    fn both_headers_of_a_length_are_noticed_in_any_order_and_piece() {
        let both = |head: &str, size: usize| {
            let mut scan = Scan::default();
            for piece in head.as_bytes().chunks(size) {
                scan.read(piece);
            }
            scan.content_length && scan.transfer_encoding
        };
        let two = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nHost: x\r\nContent-LENGTH: 3\r\n\r\n";
        let turned = "POST / HTTP/1.1\r\ncontent-length: 3\r\ntransfer-encoding:chunked\r\n\r\n";
        let one = "POST / HTTP/1.1\r\nContent-Length: 3\r\nX-Transfer-Encoding: chunked\r\nTransfer-Encodin: a\r\n\r\n";
        for size in 1..100 {
            assert!(both(two, size) && both(turned, size) && !both(one, size), "pieces of {size}");
        }
    }

    #[test]
    fn only_answers_that_hyper_made_get_another_body() {
        let refused = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\ndate: x\r\n\r\n";
        let answer = String::from_utf8(with_body(refused).expect("a body")).expect("text");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.contains(&format!("content-length: {}", body.len())) && head.contains("\r\nx-request-id: "));
        assert!(body.contains("\"code\":\"headers_too_large\""), "{body}");
        let ours = b"HTTP/1.1 400 Bad Request\r\nx-request-id: a\r\ncontent-length: 0\r\n\r\n";
        assert!(with_body(ours).is_none());
        assert!(with_body(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").is_none());
    }

    #[test]
    fn the_preface_of_http2_is_recognized() {
        let preface = |bytes: &[u8]| {
            let mut scan = Scan::default();
            for byte in bytes.chunks(1) {
                scan.read(byte);
            }
            scan.is_preface()
        };
        assert!(preface(b"PRI * HTTP/2.0\r\n\r\n"));
        assert!(!preface(b"PRI * HTTP/2.0\r\nHost: x\r\n\r\n") && !preface(b"GET * HTTP/2.0\r\n\r\n"));
    }
}
