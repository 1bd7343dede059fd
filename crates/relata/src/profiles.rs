//! `relata profiles`: the profile database, which can be written with or without a running server.

use crate::config::Config;
use crate::open::{self, Installation};
use crate::progress::Progress;
use crate::runtime::block_on_drivers;
use crate::{Exit, cli};
use crm::sourcing::profile::import::{self, LINE, Reached};
use crm::sourcing::profile::segment::{self, CHUNK, Draft, Numbered, Prepared, TERMS};
use crm::transfer::demo::profiles::Generator;
use rayon::prelude::*;
use resource::Error;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use store::{Lane, Store, Tx, Uuid};

/// The number of profiles of a demonstration.
const DEMONSTRATED: u64 = 300;
/// How many refused lines are printed.
const MOST_PRINTED: u64 = 100;
/// How long a command waits for another one to end, or for the lease of one that died.
const PATIENCE: Duration = Duration::from_secs(10);
/// An interrupted import recognises its file by its size and this many bytes of its beginning.
const KNOWN_BY: u64 = 1024 * 1024;

pub(crate) fn run(config: &Config, command: cli::Profiles) -> Result<(), Exit> {
    match command {
        cli::Profiles::Generate { count, seed } => generate(count, seed),
        cli::Profiles::Import { file, batch } => {
            let installation = open::as_is(config)?;
            let ended = block_on_drivers(import(&installation, &file, batch as usize));
            installation.store.close();
            let reached = ended?;
            println!("imported {}\trefused {}", reached.imported, reached.refused);
            match reached.refused {
                0 => Ok(()),
                refused => Err(Exit::failed(format!("{refused} lines could not be imported"))),
            }
        }
        cli::Profiles::Count => {
            let installation = open::as_is(config)?;
            let count = block_on_drivers(async { Ok(installation.store.read(Lane::Slow, segment::count).await?) });
            installation.store.close();
            println!("{}", count?);
            Ok(())
        }
        cli::Profiles::Remove(asked) => {
            let installation = open::as_is(config)?;
            let removed = block_on_drivers(remove(&installation.store, asked));
            installation.store.close();
            println!("{}", removed?);
            Ok(())
        }
    }
}

fn generate(count: u64, seed: u64) -> Result<(), Exit> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let generator = Generator::new(seed);
    for n in 0..count {
        match writeln!(out, "{}", generator.profile(n)) {
            // The reader has closed the pipe.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(()),
            other => other.map_err(Exit::failed)?,
        }
    }
    out.flush().map_err(Exit::failed)
}

async fn import(installation: &Installation, path: &Path, batch: usize) -> Result<Reached, Exit> {
    let unread = |error: std::io::Error| Exit::wrong(format!("{} can't be read: {error}", path.display()));
    let (mut source, size): (Box<dyn BufRead>, Option<u64>);
    let (mut known, mut reached) = (None, Reached::default());
    if path == Path::new("-") {
        (source, size) = (Box::new(BufReader::with_capacity(1 << 20, std::io::stdin())), None);
    } else {
        let mut file = File::open(path).map_err(unread)?;
        let name = fingerprint(&mut file).map_err(unread)?;
        let before = name.clone();
        if let Some(before) = installation.store.read(Lane::Slow, move |tx| import::reached(tx, &before)).await? {
            eprintln!("continuing after line {} of an interrupted import", before.lines);
            reached = before;
        }
        file.seek(SeekFrom::Start(reached.bytes)).map_err(unread)?;
        size = Some(file.metadata().map_err(unread)?.len());
        known = Some(name);
        source = Box::new(BufReader::with_capacity(1 << 20, file));
    }
    let mut writer = Writer::take(&installation.store).await?;
    let mut progress = Progress::of("importing");
    loop {
        let lines = read_lines(&mut source).map_err(unread)?;
        if lines.is_empty() {
            break;
        }
        let read: Vec<_> = lines.par_iter().map(|line| import::read(&line.text)).collect();
        for (line, profile) in lines.iter().zip(read) {
            reached.bytes += line.bytes;
            reached.lines += 1;
            match profile {
                Ok(None) => {}
                Ok(Some(profile)) => {
                    reached.imported += 1;
                    if writer.add(profile).await? >= batch {
                        writer.publish(known.as_deref().map(|known| (known.to_owned(), reached))).await?;
                    }
                }
                Err(error) => {
                    reached.refused += 1;
                    if reached.refused <= MOST_PRINTED {
                        eprintln!("line {}: {error}", reached.lines);
                    }
                }
            }
        }
        progress.at(reached.bytes, size, &format!("{} profiles, {} refused", reached.imported, reached.refused));
    }
    writer.publish(None).await?;
    drop(progress);
    if reached.refused > MOST_PRINTED {
        eprintln!("… and {} more", reached.refused - MOST_PRINTED);
    }
    writer.end(known).await?;
    Ok(reached)
}

/// Adds profiles for a demonstration, unless there are some already; returns how many were added.
pub(crate) async fn demonstrate(store: &Store, seed: u64) -> Result<u64, Exit> {
    if store.read(Lane::Slow, segment::count).await? > 0 {
        return Ok(0);
    }
    let generator = Generator::new(seed);
    let mut writer = Writer::take(store).await?;
    for n in 0..DEMONSTRATED {
        if let Some(profile) = import::read(generator.profile(n).to_string().as_bytes())? {
            writer.add(profile).await?;
        }
    }
    writer.publish(None).await?;
    writer.end(None).await?;
    Ok(DEMONSTRATED)
}

async fn remove(store: &Store, asked: cli::Remove) -> Result<i64, Exit> {
    let writer = Writer::take(store).await?;
    let mut removed = 0;
    if asked.all {
        removed = writer.write(segment::remove_all).await?;
    }
    for some in asked.ids.chunks(CHUNK) {
        let some = some.to_vec();
        removed += writer.write(move |tx, holder| segment::remove(tx, holder, &some)).await?;
    }
    writer.end(None).await?;
    Ok(removed)
}

struct Line {
    /// Without its line end. Of a line that is too long, one byte more than allowed.
    text: Vec<u8>,
    /// The length in the file.
    bytes: u64,
}

/// The next lines, as many as are written together.
fn read_lines(source: &mut dyn BufRead) -> std::io::Result<Vec<Line>> {
    let mut lines = Vec::with_capacity(CHUNK);
    while lines.len() < CHUNK {
        let mut text = Vec::new();
        let mut bytes = (&mut *source).take(LINE as u64 + 2).read_until(b'\n', &mut text)? as u64;
        if bytes == 0 {
            break;
        }
        let mut whole = text.last() == Some(&b'\n');
        // Skip the rest of a line that is too long.
        while !whole {
            let part = source.fill_buf()?;
            if part.is_empty() {
                break;
            }
            let end = part.iter().position(|byte| *byte == b'\n');
            let length = end.map_or(part.len(), |end| end + 1);
            whole = end.is_some();
            source.consume(length);
            bytes += length as u64;
        }
        lines.push(Line { text, bytes });
    }
    Ok(lines)
}

fn fingerprint(file: &mut File) -> std::io::Result<String> {
    let size = file.metadata()?.len();
    let mut head = Vec::new();
    Read::take(&mut *file, KNOWN_BY).read_to_end(&mut head)?;
    let digest = Sha256::digest(&head);
    Ok(format!("{size}-{}", digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>()))
}

/// The right to write profiles, and the segment that is being written.
struct Writer {
    store: Store,
    holder: Uuid,
    draft: Option<Draft>,
    rows: Vec<Numbered>,
}

impl Writer {
    async fn take(store: &Store) -> Result<Writer, Exit> {
        let holder = Uuid::new_v4();
        let mut waited = Duration::ZERO;
        while !store.bookkeep(move |tx| segment::take(tx, holder)).await? {
            if waited >= PATIENCE {
                return Err(Exit::failed("another process writes profiles now; run this again when it is done"));
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
            waited += Duration::from_millis(200);
        }
        let writer = Writer { store: store.clone(), holder, draft: None, rows: Vec::new() };
        // Remove the remains of an interrupted command.
        writer.sweep().await?;
        Ok(writer)
    }

    async fn write<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&mut dyn Tx, Uuid) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Exit> {
        let holder = self.holder;
        Ok(self.store.bookkeep(move |tx| work(tx, holder)).await?)
    }

    /// Returns the size of the current segment; a full one must be published.
    async fn add(&mut self, profile: Prepared) -> Result<usize, Exit> {
        if self.draft.is_none() {
            self.draft = Some(Draft::new(self.write(segment::begin).await?));
        }
        let Some(draft) = &mut self.draft else { return Ok(0) };
        self.rows.push(draft.add(profile));
        let size = draft.size();
        if self.rows.len() >= CHUNK {
            self.flush().await?;
        }
        Ok(size)
    }

    async fn flush(&mut self) -> Result<(), Exit> {
        let rows = std::mem::take(&mut self.rows);
        self.write(move |tx, holder| segment::write_profiles(tx, holder, &rows)).await
    }

    /// Makes the added profiles searchable, and records how far the import got.
    async fn publish(&mut self, reached: Option<(String, Reached)>) -> Result<(), Exit> {
        self.flush().await?;
        let Some(draft) = self.finish().await? else { return Ok(()) };
        let (mut replaced, mut from) = (Vec::new(), Some(0));
        let number = draft.segment;
        while let Some(place) = from {
            let (some, next) = self.store.read(Lane::Fast, move |tx| segment::replaced(tx, number, place)).await?;
            replaced.extend(some);
            from = next.filter(|next| *next < draft.size());
        }
        self.write(move |tx, holder| {
            segment::publish(tx, holder, &draft, &replaced, &[])?;
            reached.as_ref().map_or(Ok(()), |(source, reached)| import::note(tx, source, reached))
        })
        .await?;
        self.sweep().await
    }

    /// Writes the terms of the current segment; `None` if nothing was added.
    async fn finish(&mut self) -> Result<Option<Arc<Draft>>, Exit> {
        let Some(mut draft) = self.draft.take() else { return Ok(None) };
        let (terms, segment) = (Arc::new(draft.terms()), draft.segment);
        for from in (0..terms.len()).step_by(TERMS) {
            let terms = terms.clone();
            self.write(move |tx, holder| {
                let to = terms.len().min(from + TERMS);
                segment::write_terms(tx, holder, segment, &terms[from..to])
            })
            .await?;
        }
        Ok(Some(Arc::new(draft)))
    }

    async fn sweep(&self) -> Result<(), Exit> {
        while self.write(segment::sweep).await? {}
        Ok(())
    }

    /// Merges small segments if there are many, and gives up the right to write.
    async fn end(mut self, source: Option<String>) -> Result<(), Exit> {
        if let Some(source) = source {
            self.write(move |tx, _| import::done(tx, &source)).await?;
        }
        let small = Arc::new(self.store.read(Lane::Slow, segment::small).await?);
        for segment in small.iter().copied() {
            let mut from = Some(0);
            while let Some(place) = from {
                let (some, next) =
                    self.store.read(Lane::Slow, move |tx| segment::profiles_of(tx, segment, place)).await?;
                for profile in some {
                    self.add(profile).await?;
                }
                from = next;
            }
        }
        self.flush().await?;
        if let Some(draft) = self.finish().await? {
            self.write(move |tx, holder| segment::publish(tx, holder, &draft, &[], &small)).await?;
        }
        self.sweep().await?;
        self.write(segment::give_back).await
    }
}
