//! The enrichment worker: finds providers with due questions, claims as many as each provider allows at a time, asks with no
//! transaction open, and records the answers. A slow provider delays only its own questions.

use crate::{App, clock};
use connect::finder::{self, Asker, Miss, Setup};
use crm::sourcing::enrichment::{self, Ask, Candidate, EnrichmentType, ProviderAnswer, Taken};
use futures_util::StreamExt;
use resource::{Actor, Ctx, Error};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use store::{Lane, Uuid};
use tokio::sync::Notify;
use tokio::sync::watch::Receiver;

/// How often an idle worker looks for due questions.
const SWEEP: Duration = Duration::from_millis(400);
/// Questions of one provider claimed in one transaction.
const TOGETHER: usize = 8;
/// Providers whose questions are claimed at the same time.
const ABREAST: usize = 4;
/// The most questions in flight from this node.
const IN_FLIGHT: usize = 512;
/// Attempts to record an answer, a second apart.
const RECORD_ATTEMPTS: usize = 20;

pub(crate) struct Enricher {
    asker: Asker,
    wake: Notify,
    in_flight: AtomicUsize,
}

impl Enricher {
    pub(crate) fn new() -> Result<Enricher, String> {
        Ok(Enricher { asker: Asker::new()?, wake: Notify::new(), in_flight: AtomicUsize::new(0) })
    }
}

pub(crate) async fn run(app: Arc<App>, mut stopped: Receiver<bool>) {
    // An embedded database has one node, so an earlier process left these leases.
    if !app.store.dialect().is_shared()
        && let Err(error) = app.store.bookkeep(enrichment::release_leases).await
    {
        tracing::warn!(%error, "failed to release the leases of an earlier process; its questions are asked again when the leases expire");
    }
    while !*stopped.borrow() {
        let more = match app.store.read(Lane::Fast, enrichment::due).await {
            Ok(due) => claim_due(&app, due).await,
            Err(error) => {
                log_failure!(error, "failed to find due enrichment; retrying in 0.4 s");
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

/// Waits for the questions in flight. If a question gets no answer in time, a node asks it again after its lease.
pub(crate) async fn finish(app: &Arc<App>, longest: Duration) {
    let done = async {
        while app.enricher.in_flight.load(Ordering::Acquire) > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    if tokio::time::timeout(longest, done).await.is_err() {
        tracing::warn!(
            "stopping while questions to providers are in flight; they are asked again when their leases expire"
        );
    }
}

/// Claims and asks due questions of these providers. Returns whether more could be claimed at once.
async fn claim_due(app: &Arc<App>, due: Vec<(Uuid, Uuid)>) -> bool {
    let each = due.into_iter().map(|(workspace, provider)| async move {
        let room = IN_FLIGHT.saturating_sub(app.enricher.in_flight.load(Ordering::Acquire)).min(TOGETHER);
        if room == 0 {
            return false;
        }
        match claim(app, workspace, provider, room).await {
            Ok(taken) => {
                for error in taken.damaged {
                    tracing::error!(%workspace, %error, "an enrichment is put off for an hour: stored data can't be read");
                }
                taken.asks.into_iter().for_each(|question| ask(app, question));
                taken.more
            }
            Err(error) => {
                tracing::error!(%workspace, %provider, %error, "failed to claim due enrichment; retrying");
                if error.is_corrupt() {
                    let ctx = ctx(app, workspace);
                    let put_off = app.store.write(workspace, move |tx| enrichment::put_off(&ctx, tx, provider)).await;
                    if let Err(error) = put_off {
                        tracing::error!(%workspace, %provider, %error, "failed to postpone a damaged provider; retrying in 0.4 s");
                    }
                }
                false
            }
        }
    });
    futures_util::stream::iter(each).buffer_unordered(ABREAST).fold(false, |any, more| async move { any | more }).await
}

async fn claim(app: &Arc<App>, workspace: Uuid, provider: Uuid, most: usize) -> Result<Taken, Error> {
    let (ctx, secret) = (ctx(app, workspace), app.secret.clone());
    let taken = app.store.write(workspace, move |tx| enrichment::take(&ctx, tx, &secret, provider, most)).await;
    app.wrote(workspace);
    taken
}

/// Asks the provider in a task of its own, and records the answer.
fn ask(app: &Arc<App>, ask: Ask) {
    app.enricher.in_flight.fetch_add(1, Ordering::AcqRel);
    let app = app.clone();
    tokio::spawn(async move {
        let began = clock::instant();
        let setup: Result<Setup, _> = serde_json::from_str(&ask.setup);
        // The metric has no provider name: names belong to workspaces, and metrics show all workspaces together.
        let kind = setup.as_ref().map_or("unknown", |setup| setup.kind.word());
        let answer = match &setup {
            Ok(setup) => ask_provider(&app, &ask, setup).await,
            Err(_) => {
                let error =
                    store::corrupt("enrichment_providers", "sealed", ask.provider_id, "is no setup of a provider");
                tracing::error!(request = %ask.request_id, %error, "failed to ask a provider; the request continues with the next one");
                ProviderAnswer::Failed("the provider's setup can't be read; the server's log says more".into())
            }
        };
        metrics::histogram!("relata_enrichment_seconds", "kind" => kind)
            .record((clock::instant() - began).as_secs_f64());
        metrics::counter!("relata_enrichment_requests_total", "kind" => kind, "outcome" => outcome(&answer))
            .increment(1);
        record(&app, &ask, answer).await;
        app.enricher.in_flight.fetch_sub(1, Ordering::AcqRel);
        app.enricher.wake.notify_one();
    });
}

async fn ask_provider(app: &Arc<App>, ask: &Ask, setup: &Setup) -> ProviderAnswer {
    // The same idempotency key for every attempt, so that a provider charges for a question once.
    let key = ask.request_id.to_string();
    provider_answer(app.enricher.asker.ask(setup, &person(&ask.person), &key).await)
}

/// The values of the metrics' label `outcome`.
pub(crate) const OUTCOMES: &[&str] = &["failed", "found", "later", "nothing", "skipped", "throttled"];

fn outcome(answer: &ProviderAnswer) -> &'static str {
    match answer {
        ProviderAnswer::Answer { emails, phones, .. } if emails.is_empty() && phones.is_empty() => "nothing",
        ProviderAnswer::Answer { .. } => "found",
        ProviderAnswer::Lacks(_) => "skipped",
        ProviderAnswer::Later { throttled: true, .. } => "throttled",
        ProviderAnswer::Later { .. } => "later",
        ProviderAnswer::Failed(_) => "failed",
    }
}

async fn record(app: &Arc<App>, ask: &Ask, answer: ProviderAnswer) {
    for _ in 0..RECORD_ATTEMPTS {
        let (ctx, this, answer) = (ctx(app, ask.workspace), ask.clone(), answer.clone());
        let recorded =
            app.store.write(ask.workspace, move |tx| enrichment::record_outcome(&ctx, tx, &this, &answer)).await;
        app.wrote(ask.workspace);
        match recorded {
            Ok(()) => return,
            Err(error) => {
                tracing::error!(request = %ask.request_id, %error, "failed to record an answer; retrying, or it is asked for again when the lease expires");
                if error.is_corrupt() {
                    return;
                }
            }
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

fn ctx(app: &App, workspace: Uuid) -> Ctx {
    Ctx { workspace, actor: Actor::system("enrichment"), memory: app.memory.clone() }
}

fn person(person: &enrichment::ask::Person) -> finder::Person {
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

fn provider_answer(answer: Result<finder::Answer, Miss>) -> ProviderAnswer {
    let candidate =
        |one: finder::Candidate| Candidate { value: one.value, verified: one.verified, confidence: one.confidence };
    let wait = |after: Option<Duration>| after.map(|after| i64::try_from(after.as_millis()).unwrap_or(i64::MAX / 4));
    match answer {
        Ok(answer) => ProviderAnswer::Answer {
            emails: answer.emails.into_iter().map(candidate).collect(),
            phones: answer.phones.into_iter().map(candidate).collect(),
            name: answer.name,
        },
        Err(Miss::Lacks(text)) => ProviderAnswer::Lacks(text),
        Err(Miss::Throttled { text, retry_after }) => {
            ProviderAnswer::Later { text, wait: wait(retry_after), throttled: true }
        }
        Err(Miss::Broken { text, retry_after }) => {
            ProviderAnswer::Later { text, wait: wait(retry_after), throttled: false }
        }
        Err(Miss::Lost(text) | Miss::Refused(text)) => ProviderAnswer::Failed(text),
    }
}

/// The types that a provider of this setup finds; an error if the setup is malformed.
pub fn finds(setup: &Setup) -> Result<Vec<EnrichmentType>, finder::Invalid> {
    let of = |one: finder::Type| match one {
        finder::Type::Email => EnrichmentType::Email,
        finder::Type::Phone => EnrichmentType::Phone,
    };
    Ok(setup.finds()?.into_iter().map(of).collect())
}
