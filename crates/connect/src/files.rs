//! Stored files: a folder on disk, or an S3-compatible bucket. A file is written whole under a unique name, read as a
//! stream, and deleted; `put` returns when the file is durable.

use bytes::Bytes;
use futures_util::stream::{BoxStream, StreamExt, TryStreamExt, try_unfold};
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path as Name;
use object_store::{ClientOptions, ObjectStoreExt, RetryConfig, WriteMultipart};
use std::io::{self, Read, Seek};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncReadExt;

#[derive(Clone)]
pub struct Files(Arc<Place>);

enum Place {
    Folder(PathBuf),
    Bucket { bucket: AmazonS3, prefix: Name },
}

/// The address and credentials of a bucket. Missing settings come from the usual `AWS_…` variables.
#[derive(Clone, Default)]
pub struct Bucket {
    pub name: String,
    /// Prepended to every name.
    pub prefix: String,
    pub endpoint: Option<String>,
    pub region: Option<String>,
    pub access_key: Option<String>,
    pub secret_key: Option<String>,
}

/// Why a storage operation failed.
#[derive(Debug)]
pub struct Error(String);

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the files can't be reached: {}", self.0)
    }
}
impl std::error::Error for Error {}

fn failed(error: impl std::fmt::Display) -> Error {
    Error(error.to_string())
}

/// A file that is being read.
pub struct Content {
    pub size: u64,
    pub chunks: BoxStream<'static, io::Result<Bytes>>,
}

/// How many bytes of a file are read at a time.
const CHUNK: usize = 64 * 1024;
/// The size of the parts in which a large file is uploaded to a bucket.
const PART: usize = 8 * 1024 * 1024;

/// The prefix of folders with hard links to stored files, which a backup makes and removes. The number of its process follows.
pub const BACKUP: &str = ".backup";

/// Removes the links of backups that were killed: they would keep deleted files on disk. Gives those that can't be removed.
pub fn remove_unfinished_backups(folder: &Path) -> Vec<(PathBuf, io::Error)> {
    let mut left = Vec::new();
    // Without /proc it is not known which processes still run.
    if !Path::new("/proc/self").exists() {
        return left;
    }
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let process = name.strip_prefix(BACKUP).and_then(|rest| rest.strip_prefix('-'));
        if process.is_some_and(|process| !Path::new("/proc").join(process).exists())
            && let Err(error) = std::fs::remove_dir_all(entry.path())
        {
            left.push((entry.path(), error));
        }
    }
    left
}

impl Files {
    /// The same, for the folder in which backups of these files put their links: that of the data, if the files are in a
    /// bucket.
    pub fn remove_unfinished_backups(&self, data: &Path) -> Vec<(PathBuf, io::Error)> {
        remove_unfinished_backups(match &*self.0 {
            Place::Folder(folder) => folder,
            Place::Bucket { .. } => data,
        })
    }

    pub fn folder(path: PathBuf) -> Files {
        Files(Arc::new(Place::Folder(path)))
    }

    pub fn bucket(settings: &Bucket) -> Result<Files, Error> {
        // Only one TLS library is compiled in, so an error means that the same provider is installed already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let retry = RetryConfig { max_retries: 3, retry_timeout: Duration::from_secs(30), ..RetryConfig::default() };
        let client = ClientOptions::new()
            .with_timeout(Duration::from_secs(60))
            .with_connect_timeout(Duration::from_secs(5))
            .with_allow_http(settings.endpoint.as_deref().is_some_and(|url| url.starts_with("http://")));
        let mut builder =
            AmazonS3Builder::from_env().with_bucket_name(&settings.name).with_client_options(client).with_retry(retry);
        if let Some(endpoint) = &settings.endpoint {
            builder = builder.with_endpoint(endpoint.trim_end_matches('/'));
        }
        if let Some(region) = &settings.region {
            builder = builder.with_region(region);
        }
        if let (Some(access), Some(secret)) = (&settings.access_key, &settings.secret_key) {
            builder = builder.with_access_key_id(access).with_secret_access_key(secret);
        }
        let bucket = builder.build().map_err(failed)?;
        Ok(Files(Arc::new(Place::Bucket { bucket, prefix: Name::from(settings.prefix.as_str()) })))
    }

    pub async fn put(&self, name: &str, content: Bytes) -> Result<(), Error> {
        match &*self.0 {
            Place::Folder(folder) => {
                let (folder, path) = (folder.clone(), inside(folder, name)?);
                blocking(move || write(&folder, &path, &content)).await
            }
            Place::Bucket { bucket, prefix } => {
                bucket.put(&below(prefix, name)?, content.into()).await.map(drop).map_err(failed)
            }
        }
    }

    /// Stores a file of any size from its beginning, in parts.
    pub async fn put_file(&self, name: &str, mut file: std::fs::File) -> Result<(), Error> {
        file.rewind().map_err(failed)?;
        match &*self.0 {
            Place::Folder(folder) => {
                let (folder, path) = (folder.clone(), inside(folder, name)?);
                blocking(move || write_from(&folder, &path, &mut file)).await
            }
            Place::Bucket { bucket, prefix } => {
                let upload = bucket.put_multipart(&below(prefix, name)?).await.map_err(failed)?;
                let mut upload = WriteMultipart::new_with_chunk_size(upload, PART);
                let mut file = tokio::fs::File::from_std(file);
                loop {
                    let mut part = Vec::with_capacity(PART);
                    let read = (&mut file).take(PART as u64).read_to_end(&mut part).await.map_err(failed)?;
                    if read == 0 {
                        return upload.finish().await.map(drop).map_err(failed);
                    }
                    upload.wait_for_capacity(2).await.map_err(failed)?;
                    upload.put(part.into());
                }
            }
        }
    }

    /// At most `most` bytes of a file from offset `from`; `None` if there is no file of this name.
    pub async fn part(&self, name: &str, from: u64, most: u64) -> Result<Option<Bytes>, Error> {
        match &*self.0 {
            Place::Folder(folder) => {
                let path = inside(folder, name)?;
                blocking(move || {
                    let mut file = match std::fs::File::open(path) {
                        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                        file => file?,
                    };
                    file.seek(io::SeekFrom::Start(from))?;
                    let mut part = Vec::with_capacity(most as usize);
                    file.take(most).read_to_end(&mut part)?;
                    Ok(Some(part.into()))
                })
                .await
            }
            Place::Bucket { bucket, prefix } => {
                match bucket.get_range(&below(prefix, name)?, from..from.saturating_add(most)).await {
                    Ok(part) => Ok(Some(part)),
                    Err(object_store::Error::NotFound { .. }) => Ok(None),
                    Err(error) => Err(failed(error)),
                }
            }
        }
    }

    /// `None` if there is no file of this name.
    pub async fn get(&self, name: &str) -> Result<Option<Content>, Error> {
        match &*self.0 {
            Place::Folder(folder) => {
                let file = match tokio::fs::File::open(inside(folder, name)?).await {
                    Ok(file) => file,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                    Err(error) => return Err(failed(error)),
                };
                let size = file.metadata().await.map_err(failed)?.len();
                let chunks = try_unfold(file, |mut file| async move {
                    let mut chunk = Vec::with_capacity(CHUNK);
                    let read = (&mut file).take(CHUNK as u64).read_to_end(&mut chunk).await?;
                    Ok((read > 0).then(|| (Bytes::from(chunk), file)))
                });
                Ok(Some(Content { size, chunks: chunks.boxed() }))
            }
            Place::Bucket { bucket, prefix } => match bucket.get(&below(prefix, name)?).await {
                Ok(found) => {
                    let size = found.meta.size;
                    Ok(Some(Content { size, chunks: found.into_stream().map_err(io::Error::other).boxed() }))
                }
                Err(object_store::Error::NotFound { .. }) => Ok(None),
                Err(error) => Err(failed(error)),
            },
        }
    }

    /// Deletes a file; a missing file counts as deleted.
    pub async fn delete(&self, name: &str) -> Result<(), Error> {
        match &*self.0 {
            Place::Folder(folder) => {
                let path = inside(folder, name)?;
                let folder = folder.clone();
                blocking(move || remove(&folder, &path)).await
            }
            Place::Bucket { bucket, prefix } => match bucket.delete(&below(prefix, name)?).await {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
                Err(error) => Err(failed(error)),
            },
        }
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> Result<T, Error> {
    tokio::task::spawn_blocking(work).await.map_err(failed)?.map_err(failed)
}

/// Removes the file and then its empty folders, because their names contain the id of the workspace.
fn remove(folder: &Path, path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let above = path.ancestors().skip(1).take_while(|above| above.starts_with(folder) && *above != folder);
    for parent in above {
        // Stop at a folder that still contains files or that another removal has deleted.
        if std::fs::remove_dir(parent).is_err() {
            break;
        }
    }
    Ok(())
}

/// Written directly to the final path. The caller has recorded the name already, so a partial file that a crash leaves
/// is cleaned up.
fn write(folder: &Path, path: &Path, content: &[u8]) -> io::Result<()> {
    write_from(folder, path, &mut &*content)
}

fn write_from(folder: &Path, path: &Path, content: &mut impl Read) -> io::Result<()> {
    let parent = path.parent().unwrap_or(folder);
    let mut file = open_new(parent, path)?;
    io::copy(content, &mut file)?;
    file.sync_all()?;
    // A file name is durable once the folders above it are synced.
    for above in path.ancestors().skip(1).take_while(|above| above.starts_with(folder)) {
        std::fs::File::open(above)?.sync_all()?;
    }
    Ok(())
}

/// Opens the file and creates its folder. The removal of another file may delete the empty folder in between, so this
/// tries again.
fn open_new(parent: &Path, path: &Path) -> io::Result<std::fs::File> {
    let mut tries = 0;
    loop {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(parent)?;
        match std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && tries < 100 => tries += 1,
            opened => return opened,
        }
    }
}

/// The program makes the names itself; one that leads out of the folder is a bug.
fn inside(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    let plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    if plain && !name.is_empty() { Ok(folder.join(name)) } else { Err(failed("a name leads out of the folder")) }
}

fn below(prefix: &Name, name: &str) -> Result<Name, Error> {
    let whole = format!("{}{}{name}", prefix.as_ref(), if prefix.as_ref().is_empty() { "" } else { "/" });
    Name::parse(whole).map_err(failed)
}
