//! Tables in storage: kept as UTF-8, whatever they came in, and read some rows at a time, so that memory stays flat.

use crate::outside::unreached;
use connect::files::Files;
use crm::import::{CHUNK, Rows};
use crm::operation::Outcome;
use crm::sheet::{self, Format, HEAD, LONGEST};
use encoding_rs::{CoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use resource::Error;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// How much of a file is looked at for its next rows, at first.
const BLOCK: u64 = 256 * 1024;

/// Stores a text file as UTF-8.
pub async fn keep(files: &Files, folder: &Path, blob: &str, file: File) -> Result<Outcome, Error> {
    let folder = PathBuf::from(folder);
    let ready = tokio::task::spawn_blocking(move || {
        let mut file = as_utf8(file, &folder)?;
        let size = file.metadata()?.len();
        file.rewind()?;
        let mut head = Vec::with_capacity(HEAD);
        (&mut file).take(HEAD as u64).read_to_end(&mut head)?;
        Ok::<_, io::Error>((file, size, head))
    });
    let (file, size, head) = ready.await.map_err(no_room)?.map_err(no_room)?;
    files.put_file(blob, file).await.map_err(unreached)?;
    // The last letter may be cut.
    let whole = std::str::from_utf8(&head).map_or_else(|error| error.valid_up_to(), str::len);
    let head = String::from_utf8_lossy(&head[..whole]).into_owned();
    Ok(Outcome::Kept { head, size })
}

fn no_room(error: impl std::fmt::Display) -> Error {
    Error::Unavailable(format!("a file can't be kept in the data folder: {error}"))
}

/// The same text as UTF-8: the file itself, or another without a name.
fn as_utf8(mut file: File, folder: &Path) -> io::Result<File> {
    let encoding = encoding(&mut file)?;
    if encoding == UTF_8 {
        return Ok(file);
    }
    file.rewind()?;
    let mut out = io::BufWriter::new(tempfile::tempfile_in(folder)?);
    let (mut decoder, mut input, mut text) =
        (encoding.new_decoder(), vec![0; 64 * 1024], String::with_capacity(256 * 1024));
    loop {
        let read = file.read(&mut input)?;
        let mut rest = &input[..read];
        loop {
            let (result, used, _) = decoder.decode_to_string(rest, &mut text, read == 0);
            out.write_all(text.as_bytes())?;
            text.clear();
            rest = &rest[used..];
            if result == CoderResult::InputEmpty {
                break;
            }
        }
        if read == 0 {
            return out.into_inner().map_err(io::IntoInnerError::into_error);
        }
    }
}

/// By the mark at its beginning, or the zeros of UTF-16; else UTF-8 if all of it is, else what old spreadsheets write.
fn encoding(file: &mut File) -> io::Result<&'static Encoding> {
    file.rewind()?;
    let (mut block, mut carried, mut first) = (vec![0; 64 * 1024], 0, true);
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

/// The next rows of a stored table.
pub async fn read(
    files: &Files,
    blob: &str,
    format: Format,
    delimiter: u8,
    from: u64,
    size: u64,
) -> Result<Outcome, Error> {
    let mut block = BLOCK;
    loop {
        let most = block.min(size.saturating_sub(from));
        let part =
            if most == 0 { Some(Default::default()) } else { files.part(blob, from, most).await.map_err(unreached)? };
        let Some(part) = part else { return Ok(Outcome::Unread("the file is not in storage any more".into())) };
        let last = from + part.len() as u64 >= size;
        let taken = tokio::task::spawn_blocking(move || sheet::take(format, delimiter, &part, last, CHUNK));
        let taken = match taken.await.map_err(|error| Error::Unavailable(error.to_string()))? {
            Ok(taken) => taken,
            Err(error) => return Ok(Outcome::Unread(error.message())),
        };
        if taken.rows.is_empty() && !last && taken.used == 0 {
            if block >= LONGEST as u64 {
                let why = format!("a row is longer than {LONGEST} bytes: a quote may be left open");
                return Ok(Outcome::Unread(why));
            }
            block *= 2;
            continue;
        }
        let to = from + taken.used as u64;
        let ends = taken.ends.iter().map(|end| from + *end as u64).collect();
        return Ok(Outcome::Rows(Rows { from, to, rows: taken.rows, ends, end: to >= size }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(bytes: &[u8]) -> (&'static Encoding, String) {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        let found = encoding(&mut file).unwrap();
        let mut read = as_utf8(file, &std::env::temp_dir()).unwrap();
        let mut text = String::new();
        read.rewind().unwrap();
        read.read_to_string(&mut text).unwrap();
        (found, text.trim_start_matches('\u{feff}').to_owned())
    }

    #[test]
    fn a_text_is_read_in_whatever_it_was_written() {
        let text = "Name;Größe\nÉmile;1\n";
        let wide = |f: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(f).collect::<Vec<u8>>();
        let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
        let marked = |mark: &[u8], rest: Vec<u8>| [mark, &rest].concat();
        for (bytes, encoding) in [
            (text.as_bytes().to_vec(), UTF_8),
            (marked(b"\xef\xbb\xbf", text.as_bytes().to_vec()), UTF_8),
            (marked(b"\xff\xfe", wide(u16::to_le_bytes)), UTF_16LE),
            (marked(b"\xfe\xff", wide(u16::to_be_bytes)), UTF_16BE),
            (wide(u16::to_le_bytes), UTF_16LE),
            (latin, WINDOWS_1252),
        ] {
            assert_eq!(told(&bytes), (encoding, text.to_owned()));
        }
        let long = "é".repeat(100_000);
        assert_eq!(told(long.as_bytes()), (UTF_8, long));
    }
}
