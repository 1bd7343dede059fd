//! Carries out enrichment: finds providers that have something due, takes as many questions as each has hands, asks with
//! no transaction open, and records what came of each. Questions wait for their own provider alone.

use crate::{App, clock};
use connect::finder::{self, Asker, Miss, Setup};
use crm::enrichment::{self, Ask, Candidate, EnrichmentType, Told};
use futures_util::StreamExt;
use resource::{Actor, Ctx, Error};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use store::{Engine, Lane, Uuid};
use tokio::sync::Notify;
use tokio::sync::watch::Receiver;

/// How often an idle enricher looks for questions that nobody told it of.
const SWEEP: Duration = Duration::from_millis(400);
/// As many questions of one provider are taken at a time.
const TOGETHER: usize = 8;
/// As many providers are looked after side by side.
const ABREAST: usize = 4;
/// As many questions are on their way from this node.
const IN_HAND: usize = 512;
/// How often an outcome is tried to be recorded, a second apart.
const RECORDING: usize = 20;

pub struct Enricher {
    asker: Asker,
    wake: Notify,
    in_hand: AtomicUsize,
}

impl Enricher {
    pub fn new() -> Result<Enricher, String> {
        Ok(Enricher { asker: Asker::new()?, wake: Notify::new(), in_hand: AtomicUsize::new(0) })
    }
}

pub async fn run(app: Arc<App>, mut stopped: Receiver<bool>) {
    // On an embedded database there is no other node: what is taken was so by one that is gone.
    if app.store.engine() == Engine::Sqlite
        && let Err(error) = app.store.bookkeep(enrichment::let_go).await
    {
        tracing::warn!(%error, "what was being asked is asked again when its time is over");
    }
    while !*stopped.borrow() {
        let more = match app.store.read(Lane::Fast, enrichment::due).await {
            Ok(due) => look(&app, due).await,
            Err(error) => {
                tracing::warn!(%error, "due enrichment can't be found");
                false
            }
        };
        if !more {
            tokio::select! {
                () = tokio::time::sleep(SWEEP) => {}
                () = app.enricher.wake.notified() => {}
                _ = stopped.changed() => {}
            }
        }
    }
}

/// Waits for what was asked already; what is not answered by then is asked again by whoever comes next.
pub async fn finish(app: &Arc<App>, patience: Duration) {
    let done = async {
        while app.enricher.in_hand.load(Ordering::Acquire) > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    if tokio::time::timeout(patience, done).await.is_err() {
        tracing::warn!("some questions to providers were not answered in time");
    }
}

/// Takes what is due of these providers; true if something is left that could be taken at once.
async fn look(app: &Arc<App>, due: Vec<(Uuid, Uuid)>) -> bool {
    let each = due.into_iter().map(|(workspace, provider)| async move {
        let room = IN_HAND.saturating_sub(app.enricher.in_hand.load(Ordering::Acquire)).min(TOGETHER);
        if room == 0 {
            return false;
        }
        match take(app, workspace, provider, room).await {
            Ok((asks, more)) => {
                asks.into_iter().for_each(|ask| put(app, ask));
                more
            }
            Err(error) => {
                tracing::error!(%workspace, %provider, %error, "due enrichment can't be taken");
                false
            }
        }
    });
    futures_util::stream::iter(each).buffer_unordered(ABREAST).fold(false, |any, more| async move { any | more }).await
}

async fn take(app: &Arc<App>, workspace: Uuid, provider: Uuid, most: usize) -> Result<(Vec<Ask>, bool), Error> {
    let (ctx, secret) = (ctx(app, workspace), app.secret.clone());
    let taken = app.store.write(workspace, move |tx| enrichment::take(&ctx, tx, &secret, provider, most)).await;
    app.wrote(workspace);
    taken
}

/// Puts a question to its provider, and records what came of it.
fn put(app: &Arc<App>, ask: Ask) {
    app.enricher.in_hand.fetch_add(1, Ordering::AcqRel);
    let app = app.clone();
    tokio::spawn(async move {
        let began = clock::instant();
        let setup: Result<Setup, _> = serde_json::from_str(&ask.setup);
        // The kind alone: the name is the workspace's, and metrics show all workspaces at once.
        let kind = setup.as_ref().map_or("unknown", |setup| setup.kind.word());
        let told = match &setup {
            Ok(setup) => asked(&app, &ask, setup).await,
            Err(error) => Told::Failed(format!("the provider's setup can't be read: {error}")),
        };
        metrics::histogram!("relata_enrichment_seconds", "kind" => kind)
            .record((clock::instant() - began).as_secs_f64());
        metrics::counter!("relata_enrichment_requests_total", "kind" => kind, "outcome" => outcome(&told)).increment(1);
        record(&app, &ask, told).await;
        app.enricher.in_hand.fetch_sub(1, Ordering::AcqRel);
        app.enricher.wake.notify_one();
    });
}

async fn asked(app: &Arc<App>, ask: &Ask, setup: &Setup) -> Told {
    // The request's own name: asked again, it is the same question.
    let key = ask.request_id.to_string();
    told(app.enricher.asker.ask(setup, &person(&ask.person), &key).await)
}

/// What came of a question, in a word.
/// What `outcome` gives.
pub const OUTCOMES: &[&str] = &["failed", "found", "later", "nothing", "skipped", "throttled"];

fn outcome(told: &Told) -> &'static str {
    match told {
        Told::Answer { emails, phones, .. } if emails.is_empty() && phones.is_empty() => "nothing",
        Told::Answer { .. } => "found",
        Told::Lacks(_) => "skipped",
        Told::Later { throttled: true, .. } => "throttled",
        Told::Later { .. } => "later",
        Told::Failed(_) => "failed",
    }
}

async fn record(app: &Arc<App>, ask: &Ask, told: Told) {
    for _ in 0..RECORDING {
        let (ctx, this, told) = (ctx(app, ask.workspace), ask.clone(), told.clone());
        let settled = app.store.write(ask.workspace, move |tx| enrichment::settle(&ctx, tx, &this, &told)).await;
        app.wrote(ask.workspace);
        match settled {
            Ok(()) => return,
            Err(error) => tracing::error!(request = %ask.request_id, %error, "an answer can't be recorded now"),
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

fn ctx(app: &App, workspace: Uuid) -> Ctx {
    Ctx { workspace, actor: Actor::system("enrichment"), memory: app.memory.clone() }
}

fn person(person: &enrichment::take::Person) -> finder::Person {
    let person = person.clone();
    finder::Person {
        first_name: person.first_name,
        last_name: person.last_name,
        company: person.company,
        domain: person.domain,
        network_profile: person.network_profile,
        title: person.title,
        location: person.location,
        email: person.email,
    }
}

fn told(answer: Result<finder::Answer, Miss>) -> Told {
    let candidate =
        |one: finder::Candidate| Candidate { value: one.value, verified: one.verified, confidence: one.confidence };
    let wait = |after: Option<Duration>| after.map(|after| i64::try_from(after.as_millis()).unwrap_or(i64::MAX / 4));
    match answer {
        Ok(answer) => Told::Answer {
            emails: answer.emails.into_iter().map(candidate).collect(),
            phones: answer.phones.into_iter().map(candidate).collect(),
            name: answer.name,
        },
        Err(Miss::Lacks(text)) => Told::Lacks(text),
        Err(Miss::Throttled { text, retry_after }) => Told::Later { text, wait: wait(retry_after), throttled: true },
        Err(Miss::Broken { text, retry_after }) => Told::Later { text, wait: wait(retry_after), throttled: false },
        Err(Miss::Lost(text) | Miss::Refused(text)) => Told::Failed(text),
    }
}

/// What a provider of this setup finds, if it is well formed; else the member that is wrong, and why.
pub fn finds(setup: &Setup) -> Result<Vec<EnrichmentType>, finder::Invalid> {
    let of = |one: finder::Type| match one {
        finder::Type::Email => EnrichmentType::Email,
        finder::Type::Phone => EnrichmentType::Phone,
    };
    Ok(setup.finds()?.into_iter().map(of).collect())
}
