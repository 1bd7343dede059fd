//! A local S3-compatible server for a test, which stores its objects as files in a folder.

use std::path::{Path, PathBuf};

use hyper_util::rt::{TokioExecutor, TokioIo};
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;

use super::world::files;

pub(crate) const ACCESS_KEY: &str = "access";
pub(crate) const SECRET_KEY: &str = "a-secret-that-no-log-may-show";

/// A running server; it stops when dropped.
pub(crate) struct Bucket {
    pub endpoint: String,
    folder: PathBuf,
    // Stops its tasks when dropped.
    _runtime: tokio::runtime::Runtime,
}

impl Bucket {
    /// A server with one bucket, called `relata`.
    pub(crate) fn start(folder: &Path) -> Bucket {
        std::fs::create_dir_all(folder.join("relata")).unwrap_or_else(|error| panic!("cannot make a bucket: {error}"));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.unwrap_or_else(|error| panic!("cannot start a runtime: {error}"));
        let mut service = S3ServiceBuilder::new(FileSystem::new(folder).unwrap_or_else(|error| panic!("{error:?}")));
        service.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
        let service = service.build();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0"));
        let listener = listener.unwrap_or_else(|error| panic!("cannot listen: {error}"));
        let address = listener.local_addr().unwrap_or_else(|error| panic!("cannot listen: {error}"));
        runtime.spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let service = service.clone();
                tokio::spawn(async move {
                    let builder = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
                    // A client that disconnects is not an error.
                    let _ = builder.serve_connection(TokioIo::new(socket), service).await;
                });
            }
        });
        Bucket { endpoint: format!("http://{address}"), folder: folder.to_owned(), _runtime: runtime }
    }

    /// The names of its objects.
    pub(crate) fn objects(&self) -> Vec<String> {
        let root = self.folder.join("relata");
        let names =
            files(&root).into_iter().filter_map(|path| Some(path.strip_prefix(&root).ok()?.display().to_string()));
        names.filter(|name| !name.starts_with('.')).collect()
    }
}
