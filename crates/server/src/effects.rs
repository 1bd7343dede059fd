//! Effects of requests and jobs, run with no transaction open: storing, reading and removing files, extracting their text,
//! asking networks, testing accounts and hashing passwords.

use crate::accounts::Access;
use crate::import_reader::unreached;
use crate::{App, accounts, import_reader, mail_images, network, oauth, outgoing_mail, passwords};
use bytes::Bytes;
use connect::files::Content as FileContent;
use crm::api::call::{Content, Reply, Sent};
use crm::api::effects::{Effect, EffectResult};
use crm::dashboard::own::trier;
use crm::tenant::attempt;
use futures_util::TryStreamExt;
use futures_util::stream::BoxStream;
use resource::{Error, invalid};
use std::io::{Read, Seek};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// The chunks of a body that has no JSON envelope, such as a file.
pub(crate) type Chunks = BoxStream<'static, std::io::Result<Bytes>>;

/// The time limit of text extraction.
const READING: Duration = Duration::from_secs(20);
/// Most bytes of text that are extracted from a file.
const TEXT: u64 = 1024 * 1024;

pub(crate) async fn run(app: &Arc<App>, effect: &Effect, file: Option<&Sent>) -> Result<EffectResult, Error> {
    match effect {
        Effect::Keep { blob, .. } => {
            let Some(file) = file else {
                return Err(store::Error::Internal("there is no file to keep".into()).into());
            };
            let _room = app.room().await?;
            app.files.put(blob, whole(file).await?).await.map_err(unreached)?;
            Ok(EffectResult::Done)
        }
        Effect::KeepText { blob, .. } => {
            let Some(file) = file else {
                return Err(store::Error::Internal("there is no file to keep".into()).into());
            };
            let content = file.content.try_clone().map_err(|error| unready(&error))?;
            import_reader::keep(&app.files, &app.data, blob, content).await
        }
        Effect::Rows { blob, format, delimiter, from, size } => {
            import_reader::read(&app.files, blob, *format, *delimiter, *from, *size).await
        }
        Effect::Drop { blob } => {
            app.files.delete(blob).await.map_err(unreached)?;
            Ok(EffectResult::Done)
        }
        Effect::Extract { blob, content_type } => match app.files.get(blob).await.map_err(unreached)? {
            Some(file) => Ok(EffectResult::Text(extract(app, content_type, file).await?)),
            None => Ok(EffectResult::Text(String::new())),
        },
        Effect::Scrub => {
            let (files, data) = (app.files.clone(), app.data.clone());
            let left = tokio::task::spawn_blocking(move || files.remove_unfinished_backups(&data)).await;
            if let Some((folder, error)) = left.map_err(|error| unready(&error.into()))?.first() {
                return Err(Error::Unavailable(format!(
                    "the remains of a backup in {} can't be removed: {error}",
                    folder.display()
                )));
            }
            app.store.scrub().await?;
            Ok(EffectResult::Done)
        }
        Effect::Network(asking) => network::ask(app, asking).await,
        Effect::Reach { account, reach, test, .. } => {
            let access = match account {
                Some((workspace, account)) => Access::of(app, *workspace, *account),
                None => app.guard.clone().into(),
            };
            if let (true, Some((workspace, account))) = (test, account) {
                app.tokens.retry(*workspace, *account).await;
            }
            let wrong = match test {
                true => accounts::check_account(&access, reach).await,
                false => accounts::account_form(&access, reach),
            };
            for (part, trouble) in wrong.iter().filter(|_| *test) {
                tracing::warn!(part, reason = trouble.words(), "the test of an account failed");
            }
            Ok(EffectResult::Reached(wrong))
        }
        Effect::CheckDomain { domain, selector, smtp } => {
            let smtp = smtp.as_ref().map(|smtp| smtp.0.as_str());
            app.name_servers.check(domain, selector.as_deref(), smtp).await.map(EffectResult::Domain)
        }
        Effect::CheckDomains(domains) => Ok(EffectResult::Domains(app.name_servers.check_soon(domains).await)),
        Effect::OauthPage { provider, redirect, address } => oauth::page(provider, redirect, address.as_deref()),
        Effect::OauthCode(code) => oauth::mailbox(app, code).await.map(EffectResult::OauthMailbox),
        Effect::SendTest(test) => Ok(EffectResult::Tested(outgoing_mail::send_test(app, test).await?)),
        Effect::LoadImages { workspace, html } => {
            Ok(EffectResult::Images(mail_images::load(app, *workspace, html).await?))
        }
        Effect::CheckPassword { user, given, hash } => {
            let place = app.passwords.admit(&user.to_string())?;
            Ok(EffectResult::Checked(place.fits(&given.0, Some(hash)).await?))
        }
        Effect::ChangePassword { user, session, given, hash, new, about } => {
            let place = app.passwords.admit(&user.to_string())?;
            if !place.fits(&given.0, Some(hash)).await? {
                return Ok(EffectResult::Hashed(None));
            }
            if new.0 == given.0 {
                let (secret, trier) = (app.secret.clone(), trier(*user, *session));
                app.store.bookkeep(move |tx| attempt::forgive(tx, &secret, &trier)).await?;
                return Err(invalid("new", "is your current password; choose another one"));
            }
            let new = passwords::New { field: "new", password: &new.0, about: about.clone() };
            let hashed = place.hash(new).await;
            if hashed.is_err() {
                // The current password was right, so a weak new one does not count as a failed attempt.
                let (secret, trier) = (app.secret.clone(), trier(*user, *session));
                app.store.bookkeep(move |tx| attempt::forgive(tx, &secret, &trier)).await?;
            }
            Ok(EffectResult::Hashed(Some(hashed?)))
        }
    }
}

/// The bytes of a file that came with a request.
pub(crate) async fn whole(sent: &Sent) -> Result<Bytes, Error> {
    let mut file = sent.content.try_clone().map_err(|error| unready(&error))?;
    let size = sent.size as usize;
    let read = tokio::task::spawn_blocking(move || {
        let mut content = Vec::with_capacity(size);
        file.rewind()?;
        file.read_to_end(&mut content)?;
        Ok::<_, std::io::Error>(content.into())
    });
    read.await.map_err(|error| unready(&error.into()))?.map_err(|error| unready(&error))
}

/// The stored file that a reply refers to; `None` if it is not in storage.
pub(crate) async fn open(app: &Arc<App>, reply: &Reply) -> Result<Option<Chunks>, Error> {
    match &reply.data {
        Content::File(stored) => {
            let file = app.files.get(&stored.blob).await.map_err(unreached)?;
            Ok(file.map(|file| file.chunks))
        }
        _ => Ok(None),
    }
}

/// The file's text, extracted by a confined child process. If the child fails or takes too long, the text is empty; only a
/// child that can't be started is an error.
async fn extract(app: &Arc<App>, content_type: &str, file: FileContent) -> Result<String, Error> {
    let content: Vec<_> = file.chunks.try_collect().await.map_err(|error| unready(&error))?;
    let mut child = tokio::process::Command::new(&app.program)
        // The child needs no settings, so a broken settings file must not stop it.
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
                // The child closes the pipe when it has read enough.
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
            tracing::info!(content_type, "failed to extract the text of a file; it is stored without text");
            Ok(String::new())
        }
        Err(_) => {
            tracing::info!(content_type, "extracting the text of a file took too long; it is stored without text");
            Ok(String::new())
        }
    }
}

fn unready(error: &std::io::Error) -> Error {
    Error::Unavailable(format!("a file can't be read: {error}"))
}
