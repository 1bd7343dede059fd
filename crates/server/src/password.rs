//! Passwords: argon2id, off the threads that answer requests, a few at a time.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use resource::Error;
use std::sync::OnceLock;
use std::time::Duration;
use tokio::sync::Semaphore;

/// As many at a time: each takes 19 MiB and a core for some hundredths of a second.
const AT_ONCE: usize = 2;
/// How long one may wait for a turn.
const PATIENCE: Duration = Duration::from_secs(10);

pub struct Passwords(Semaphore);

impl Default for Passwords {
    fn default() -> Self {
        Passwords(Semaphore::new(AT_ONCE))
    }
}

impl Passwords {
    pub async fn hash(&self, password: &str) -> Result<String, Error> {
        let password = password.to_owned();
        self.aside(move || hashed(&password)).await?
    }

    /// Whether the password has this hash. Where there is none, it takes as long to find out.
    pub async fn fits(&self, password: &str, hash: Option<&str>) -> Result<bool, Error> {
        /// What no password of anybody fits.
        static NOBODY: OnceLock<Result<String, Error>> = OnceLock::new();
        let (password, hash) = (password.to_owned(), hash.map(str::to_owned));
        self.aside(move || {
            let nobody = NOBODY.get_or_init(|| hashed(&crm::key::token())).clone()?;
            let against = hash.as_deref().filter(|hash| !hash.is_empty()).unwrap_or(&nobody);
            let against = PasswordHash::new(against)
                .map_err(|error| store::Error::Corrupt(format!("users.password_hash: {error}")))?;
            let fits = Argon2::default().verify_password(password.as_bytes(), &against).is_ok();
            Ok(fits && hash.is_some_and(|hash| !hash.is_empty()))
        })
        .await?
    }

    async fn aside<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
        let busy = || Error::Unavailable("too many passwords are being looked at".into());
        let turn = tokio::time::timeout(PATIENCE, self.0.acquire()).await;
        let _turn = turn.map_err(|_| busy())?.map_err(|_| busy())?;
        tokio::task::spawn_blocking(work).await.map_err(|error| Error::Unavailable(error.to_string()))
    }
}

fn hashed(password: &str) -> Result<String, Error> {
    let hash = Argon2::default().hash_password(password.as_bytes());
    let hash: PasswordHash = hash.map_err(|error| store::Error::Internal(format!("argon2: {error}")))?;
    Ok(hash.to_string())
}
