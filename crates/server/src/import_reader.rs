//! Tables of imports in storage: converted to UTF-8 when they are stored, and read some rows at a time, so that a large file
//! needs little memory.

use connect::files::Files;
use crm::api::effects::{EffectResult, Format, Rows};
use crm::transfer::import::CHUNK;
use crm::transfer::import::encoding::{Utf8Reader, detect, whole_characters};
use crm::transfer::tabular::{self, HEAD, LONGEST};
use encoding_rs::UTF_8;
use resource::Error;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

/// How many bytes are read for the next rows, at first. The number doubles while a row does not fit.
const BLOCK: u64 = 256 * 1024;

/// Stores a text file as UTF-8.
pub async fn keep(files: &Files, folder: &Path, blob: &str, file: File) -> Result<EffectResult, Error> {
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
    Ok(EffectResult::Stored { head: whole_characters(&head).to_owned(), size })
}

fn no_room(error: impl std::fmt::Display) -> Error {
    Error::Unavailable(format!("a file can't be kept in the data folder: {error}"))
}

/// The same text as UTF-8: the file itself, or an unnamed temporary file.
fn as_utf8(mut file: File, folder: &Path) -> io::Result<File> {
    let encoding = detect(&mut file)?;
    if encoding == UTF_8 {
        return Ok(file);
    }
    let mut out = tempfile::tempfile_in(folder)?;
    io::copy(&mut Utf8Reader::new(file, encoding)?, &mut out)?;
    Ok(out)
}

/// The next rows of a stored table.
pub async fn read(
    files: &Files,
    blob: &str,
    format: Format,
    delimiter: u8,
    from: u64,
    size: u64,
) -> Result<EffectResult, Error> {
    let mut block = BLOCK;
    loop {
        let most = block.min(size.saturating_sub(from));
        let part =
            if most == 0 { Some(Default::default()) } else { files.part(blob, from, most).await.map_err(unreached)? };
        let Some(part) = part else { return Ok(EffectResult::Unread("the file is not in storage any more".into())) };
        let last = from + part.len() as u64 >= size;
        let taken = tokio::task::spawn_blocking(move || tabular::take(format, delimiter, &part, last, CHUNK));
        let taken = match taken.await.map_err(|error| Error::Unavailable(error.to_string()))? {
            Ok(taken) => taken,
            Err(error) => return Ok(EffectResult::Unread(error.message())),
        };
        if taken.rows.is_empty() && !last && taken.used == 0 {
            if block >= LONGEST as u64 {
                let why = format!("a row is longer than {LONGEST} bytes: a quote may be left open");
                return Ok(EffectResult::Unread(why));
            }
            block *= 2;
            continue;
        }
        let to = from + taken.used as u64;
        let ends = taken.ends.iter().map(|end| from + *end as u64).collect();
        return Ok(EffectResult::Rows(Rows { from, to, rows: taken.rows, ends, end: to >= size }));
    }
}

/// The error for storage that does not answer.
pub fn unreached(error: connect::files::Error) -> Error {
    Error::Unavailable(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};
    use std::io::Write;

    fn detected(bytes: &[u8]) -> (&'static Encoding, String) {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        let found = detect(&mut file).unwrap();
        let mut read = as_utf8(file, &std::env::temp_dir()).unwrap();
        let mut text = String::new();
        read.rewind().unwrap();
        read.read_to_string(&mut text).unwrap();
        (found, text.trim_start_matches('\u{feff}').to_owned())
    }

    #[test]
    fn texts_are_read_in_their_encoding() {
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
            assert_eq!(detected(&bytes), (encoding, text.to_owned()));
        }
        let long = "é".repeat(100_000);
        assert_eq!(detected(long.as_bytes()), (UTF_8, long));
    }
}
