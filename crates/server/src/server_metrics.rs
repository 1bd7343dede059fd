//! The metrics of the server, and their values before the first event.

use crate::workers::enricher;
use metrics_exporter_prometheus::PrometheusHandle;

/// Histogram buckets of request times, in seconds.
const BUCKETS: &[f64] = &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];
const GROUPS: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

/// Called once, before the store opens, so that its figures are counted from the start.
pub fn install_metrics() -> Result<PrometheusHandle, String> {
    use metrics_exporter_prometheus::{Matcher, PrometheusBuilder};
    let builder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("seconds".into()), BUCKETS)
        .and_then(|builder| builder.set_buckets_for_metric(Matcher::Full("relata_commit_group_size".into()), GROUPS));
    let handle = builder.and_then(PrometheusBuilder::install_recorder).map_err(|e| e.to_string())?;
    metrics::describe_counter!("relata_requests_total", "Requests by operation and status");
    metrics::describe_histogram!("relata_request_seconds", "Time to answer, by operation");
    metrics::describe_counter!("relata_enrichment_requests_total", "Questions to providers, by their kind and outcome");
    metrics::describe_histogram!("relata_enrichment_seconds", "Time that a provider took, by its kind");
    metrics::describe_gauge!("relata_writer_queue", "Units of work waiting for a writer");
    metrics::describe_gauge!("relata_reader_queue", "Readings waiting for a thread, by lane");
    metrics::describe_gauge!("relata_pool_busy", "Threads at work, by pool");
    metrics::describe_gauge!("relata_connections", "Open connections");
    metrics::describe_counter!(
        "relata_connections_closed_total",
        "Connections that were closed, by reason: timeout, full"
    );
    metrics::describe_counter!(
        "relata_connections_refused_total",
        "Connections that were refused because too many are open"
    );
    metrics::describe_histogram!("relata_commit_group_size", "Units of work that shared a commit");
    metrics::describe_histogram!("relata_write_unit_seconds", "Time that a unit of work held the writer");
    register_metrics();
    Ok(handle)
}

/// Makes every metric show at 0 before its first event, so that a rate or an alert has something to begin with.
fn register_metrics() {
    metrics::gauge!("relata_writer_queue").set(0.0);
    metrics::gauge!("relata_connections").set(0.0);
    for lane in ["fast", "slow"] {
        metrics::gauge!("relata_reader_queue", "lane" => lane).set(0.0);
    }
    for pool in ["fast", "slow", "writer"] {
        metrics::gauge!("relata_pool_busy", "pool" => pool).set(0.0);
    }
    for reason in ["full", "timeout"] {
        metrics::counter!("relata_connections_closed_total", "reason" => reason).absolute(0);
    }
    metrics::counter!("relata_connections_refused_total").absolute(0);
    metrics::counter!("relata_requests_total", "operation" => "open", "status" => "200").absolute(0);
    drop(metrics::histogram!("relata_request_seconds", "operation" => "open"));
    drop(metrics::histogram!("relata_commit_group_size"));
    drop(metrics::histogram!("relata_write_unit_seconds"));
    for (kind, _) in connect::finder::KINDS {
        for outcome in enricher::OUTCOMES {
            metrics::counter!("relata_enrichment_requests_total", "kind" => *kind, "outcome" => *outcome).absolute(0);
        }
        drop(metrics::histogram!("relata_enrichment_seconds", "kind" => *kind));
    }
}
