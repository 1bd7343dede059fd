//! The encodings in which spreadsheets write text files, and a reader that turns each of them into UTF-8.

use encoding_rs::{Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::fs::File;
use std::io::{self, Read, Seek};

const BLOCK: usize = 64 * 1024;

/// The encoding of a text file: by its byte order mark or the zero bytes of UTF-16, else UTF-8 if the whole file is
/// valid UTF-8, else Windows-1252.
pub fn detect(file: &mut File) -> io::Result<&'static Encoding> {
    file.rewind()?;
    let (mut block, mut carried, mut first) = (vec![0; BLOCK], 0, true);
    loop {
        let read = file.read(&mut block[carried..])?;
        let seen = &block[..carried + read];
        if first {
            match seen {
                [0xff, 0xfe, ..] => return Ok(UTF_16LE),
                [0xfe, 0xff, ..] => return Ok(UTF_16BE),
                [a, 0, b, 0, ..] if *a > 0 && *b > 0 => return Ok(UTF_16LE),
                [0, a, 0, b, ..] if *a > 0 && *b > 0 => return Ok(UTF_16BE),
                _ => first = false,
            }
        }
        let valid = match std::str::from_utf8(seen) {
            Ok(text) => text.len(),
            Err(error) if error.error_len().is_none() && read > 0 => error.valid_up_to(),
            Err(_) => return Ok(WINDOWS_1252),
        };
        if read == 0 {
            return Ok(UTF_8);
        }
        carried = seen.len() - valid;
        block.copy_within(valid..valid + carried, 0);
    }
}

/// Reads a file of a known encoding as UTF-8, without its byte order mark. Undefined characters are replaced.
pub struct Utf8Reader {
    file: File,
    decoder: Decoder,
    input: Vec<u8>,
    text: String,
    /// The number of bytes of `text` that were returned.
    given: usize,
    /// The number of bytes of the file that were read.
    consumed: u64,
    ended: bool,
}

impl Utf8Reader {
    pub fn new(mut file: File, encoding: &'static Encoding) -> io::Result<Utf8Reader> {
        file.rewind()?;
        let (decoder, input) = (encoding.new_decoder(), vec![0; BLOCK]);
        Ok(Utf8Reader { file, decoder, input, text: String::new(), given: 0, consumed: 0, ended: false })
    }

    /// The name of the encoding in lower case; a byte order mark overrides the encoding that was passed to `new`.
    pub fn encoding(&self) -> String {
        self.decoder.encoding().name().to_ascii_lowercase()
    }

    pub fn consumed(&self) -> u64 {
        self.consumed
    }
}

impl Read for Utf8Reader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() && !self.ended {
            let read = self.file.read(&mut self.input)?;
            self.consumed += read as u64;
            self.ended = read == 0;
            self.text.clear();
            self.given = 0;
            // Enough for any result, so that the whole block is decoded at once.
            self.text.reserve(self.decoder.max_utf8_buffer_length(read).unwrap_or(4 * BLOCK));
            let _ = self.decoder.decode_to_string(&self.input[..read], &mut self.text, self.ended);
        }
        let rest = &self.text.as_bytes()[self.given..];
        let length = rest.len().min(out.len());
        out[..length].copy_from_slice(&rest[..length]);
        self.given += length;
        Ok(length)
    }
}

/// The beginning of UTF-8 bytes up to the last whole character.
pub fn whole_characters(bytes: &[u8]) -> &str {
    let whole = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    std::str::from_utf8(&bytes[..whole]).unwrap_or_default()
}
