//! Files of requests, in temporary files until their operation stores them.

use crate::request::received::{TIMEOUT, size, too_many};
use crate::request::refused::Refused;
use crate::shares::Share;
use crate::{App, effects};
use bytes::Bytes;
use crm::api::call::Sent;
use crm::api::operation::Upload;
use resource::{Error, invalid};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::sync::Arc;
use store::Uuid;

/// An unnamed temporary file in the data folder. The system removes it even after a crash.
pub(crate) struct Spool {
    file: File,
    pub(crate) size: u64,
    most: u64,
    share: Share,
}

impl Spool {
    pub(crate) async fn new(app: &Arc<App>, workspace: Uuid, most: u64) -> Result<Spool, Refused> {
        let share = tokio::time::timeout(TIMEOUT, app.uploads.take(workspace)).await.ok().flatten();
        let share =
            share.ok_or_else(|| too_many("too many files are being uploaded; try again when some are complete"))?;
        let folder = app.data.clone();
        let file = blocking(move || tempfile::tempfile_in(folder)).await?;
        Ok(Spool { file, size: 0, most, share })
    }

    pub(crate) async fn add(&mut self, field: &str, bytes: Bytes) -> Result<(), Error> {
        self.size += bytes.len() as u64;
        if self.size > self.most {
            return Err(invalid(field, format!("is larger than {}", size(self.most))));
        }
        let mut file = self.file.try_clone().map_err(no_room)?;
        blocking(move || file.write_all(&bytes)).await
    }

    pub(crate) async fn sent(
        self,
        field: &str,
        upload: &Upload,
        filename: Option<String>,
        content_type: Option<String>,
    ) -> Result<(Sent, Share), Refused> {
        if self.size == 0 {
            return Err(invalid(field, "must not be empty").into());
        }
        let mut sent = Sent { filename, content_type, sniffed: None, size: self.size, content: self.file };
        if let Some(only) = upload.only {
            sent.sniffed = (only.sniff)(&effects::whole(&sent).await?);
            if sent.sniffed.is_none() {
                return Err(invalid(field, format!("is none of these: {}", only.names)).into());
            }
        }
        Ok((sent, self.share))
    }
}

/// A hash of the bytes of a file that came with a request.
pub(super) async fn hash(sent: &Sent) -> Result<Vec<u8>, Error> {
    let mut file = sent.content.try_clone().map_err(no_room)?;
    blocking(move || {
        file.rewind()?;
        let (mut hash, mut chunk) = (Sha256::new(), vec![0; 64 * 1024]);
        loop {
            match file.read(&mut chunk)? {
                0 => return Ok(hash.finalize().to_vec()),
                length => hash.update(&chunk[..length]),
            }
        }
    })
    .await
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> std::io::Result<T> + Send + 'static) -> Result<T, Error> {
    tokio::task::spawn_blocking(work).await.map_err(no_room)?.map_err(no_room)
}

fn no_room(error: impl std::fmt::Display) -> Error {
    Error::Unavailable(format!("an upload can't be kept in the data folder: {error}"))
}
