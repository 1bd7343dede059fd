//! What requests and jobs have done outside, with no transaction open: files stored, handed out and removed, and the text
//! of strangers' files.

use crate::envelope::Chunks as Sending;
use crate::{App, body, network, password, post, rows};
use connect::files::Content as Chunks;
use crm::attempt;
use crm::dashboard::own::trier;
use crm::operation::{Content, Errand, Outcome, Reply, Sent};
use futures_util::TryStreamExt;
use resource::{Error, invalid};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// How long a file may be read for its text.
const READING: Duration = Duration::from_secs(20);
/// Most bytes of text that are taken from a file.
const TEXT: u64 = 1024 * 1024;

pub async fn run(app: &Arc<App>, errand: &Errand, file: Option<&Sent>) -> Result<Outcome, Error> {
    match errand {
        Errand::Keep { blob, .. } => {
            let Some(file) = file else {
                return Err(store::Error::Internal("there is no file to keep".into()).into());
            };
            let _room = app.room().await?;
            app.files.put(blob, body::content(file).await?).await.map_err(unreached)?;
            Ok(Outcome::Done)
        }
        Errand::KeepText { blob, .. } => {
            let Some(file) = file else {
                return Err(store::Error::Internal("there is no file to keep".into()).into());
            };
            let content = file.content.try_clone().map_err(|error| unready(&error))?;
            rows::keep(&app.files, &app.data, blob, content).await
        }
        Errand::Rows { blob, format, delimiter, from, size } => {
            rows::read(&app.files, blob, *format, *delimiter, *from, *size).await
        }
        Errand::Drop { blob } => {
            app.files.delete(blob).await.map_err(unreached)?;
            Ok(Outcome::Done)
        }
        Errand::Extract { blob, content_type } => match app.files.get(blob).await.map_err(unreached)? {
            Some(file) => Ok(Outcome::Text(extract(app, content_type, file).await?)),
            None => Ok(Outcome::Text(String::new())),
        },
        Errand::Scrub => {
            app.store.scrub().await?;
            Ok(Outcome::Done)
        }
        Errand::Network(asking) => network::ask(app, asking).await,
        Errand::Reach { reach, test, .. } => {
            let guard = &app.guard;
            let wrong = if *test { post::check_account(guard, reach).await } else { post::account_form(guard, reach) };
            for (part, trouble) in wrong.iter().filter(|_| *test) {
                tracing::warn!(part, reason = trouble.words(), "the test of an account failed");
            }
            Ok(Outcome::Reached(wrong))
        }
        Errand::CheckPassword { user, given, hash } => {
            let place = app.passwords.admit(&user.to_string())?;
            Ok(Outcome::Checked(place.fits(&given.0, Some(hash)).await?))
        }
        Errand::ChangePassword { user, session, given, hash, new, about } => {
            let place = app.passwords.admit(&user.to_string())?;
            if !place.fits(&given.0, Some(hash)).await? {
                return Ok(Outcome::Hashed(None));
            }
            if new.0 == given.0 {
                let (secret, trier) = (app.secret.clone(), trier(*user, *session));
                app.store.bookkeep(move |tx| attempt::forgive(tx, &secret, &trier)).await?;
                return Err(invalid("new", "is your current password; choose another one"));
            }
            let new = password::New { field: "new", password: &new.0, about: about.clone() };
            let hashed = place.hash(new).await;
            if hashed.is_err() {
                // The current password was right; that the new one is too weak is no failed guess.
                let (secret, trier) = (app.secret.clone(), trier(*user, *session));
                app.store.bookkeep(move |tx| attempt::forgive(tx, &secret, &trier)).await?;
            }
            Ok(Outcome::Hashed(Some(hashed?)))
        }
    }
}

/// The stored file that a reply hands out; `None` if it is not there.
pub async fn open(app: &Arc<App>, reply: &Reply) -> Result<Option<Sending>, Error> {
    match &reply.data {
        Content::File(stored) => {
            let file = app.files.get(&stored.blob).await.map_err(unreached)?;
            Ok(file.map(|file| file.chunks))
        }
        _ => Ok(None),
    }
}

pub fn unreached(error: connect::files::Error) -> Error {
    Error::Unavailable(error.to_string())
}

/// The file's text, read by a child process that limits itself. One that fails, or takes too long, found none; only one
/// that can't be started is an error.
async fn extract(app: &Arc<App>, content_type: &str, file: Chunks) -> Result<String, Error> {
    let content: Vec<_> = file.chunks.try_collect().await.map_err(|error| unready(&error))?;
    let mut child = tokio::process::Command::new(&app.program)
        // Whatever stands in the settings' file by now, this needs none of it.
        .args(["extract", "--type", content_type, "--config", "/dev/null"])
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| unready(&error))?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let give = async {
        if let Some(mut stdin) = stdin {
            for chunk in content {
                // A child that has seen enough closes its end.
                if stdin.write_all(&chunk).await.is_err() {
                    return;
                }
            }
        }
    };
    let take = async {
        let mut text = Vec::new();
        if let Some(stdout) = stdout {
            let _ = stdout.take(TEXT).read_to_end(&mut text).await;
        }
        text
    };
    let read = async {
        let ((), text) = tokio::join!(give, take);
        let ended = child.wait().await;
        (text, ended.is_ok_and(|status| status.success()))
    };
    match tokio::time::timeout(READING, read).await {
        Ok((text, true)) => Ok(String::from_utf8_lossy(&text).into_owned()),
        Ok((_, false)) => {
            tracing::info!(content_type, "a file could not be read for its text");
            Ok(String::new())
        }
        Err(_) => {
            tracing::info!(content_type, "a file took too long to be read for its text");
            Ok(String::new())
        }
    }
}

fn unready(error: &std::io::Error) -> Error {
    Error::Unavailable(format!("a file can't be read for its text: {error}"))
}
