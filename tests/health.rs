//! Monitoring: health, metrics, the API reference, and an orderly shutdown.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::support::*;

stories![
    health_needs_no_key,
    metrics_count_requests,
    documented_metrics_exist_from_the_start,
    the_reference_loads_nothing_from_other_hosts,
    the_document_is_the_committed_one,
    a_graceful_stop_finishes_running_requests,
    a_stop_right_after_the_start_is_graceful,
    a_graceful_stop_has_a_time_limit,
    a_stop_under_load_loses_nothing_acknowledged,
];

fn health_needs_no_key(world: &World) {
    for path in ["/healthz", "/readyz"] {
        world.stranger().visit(path).send().is(200);
        world.key("crm").visit(path).send().is(200);
    }
}

fn metrics_count_requests(world: &World) {
    let key = world.key("crm");
    for _ in 0..3 {
        key.get("/contacts").page();
    }
    key.post("/contacts", json!({"first_name": "Ada"})).created();
    key.post("/contacts", json!({})).invalid("first_name");
    let answer = world.stranger().visit("/metrics").send();
    assert!(answer.is(200).header("Content-Type").starts_with("text/plain"), "{answer}");
    let metrics = answer.text();
    for (line, kind) in metrics
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| (line, line.rsplit(' ').next()))
    {
        assert!(kind.is_some_and(|value| value.parse::<f64>().is_ok()), "not a sample of Prometheus: {line}");
    }
    let sample = |words: &[&str]| -> f64 {
        let fitting =
            metrics.lines().filter(|line| !line.starts_with('#') && words.iter().all(|word| line.contains(word)));
        fitting.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).sum()
    };
    let operation = document::of(&world.origin()).operation("GET", "/contacts");
    let name = format!("\"{}\"", text(&operation.description["operationId"]));
    assert_eq!(sample(&["requests_total", "\"200\"", &name]) as u64, 3, "by operation and status:\n{metrics}");
    assert_eq!(sample(&["requests_total", "\"201\""]) as u64, 1, "{metrics}");
    assert_eq!(sample(&["requests_total", "\"400\""]) as u64, 1, "{metrics}");
    assert!(sample(&["_bucket{", "le=\"+Inf\""]) >= 5.0, "histograms of the latency:\n{metrics}");
    for word in ["queue", "group", "pool"] {
        let named = metrics.lines().any(|line| !line.starts_with('#') && line.contains(word));
        assert!(named, "there is no metric of the {word}:\n{metrics}");
    }
    // Ids as labels would make a new series for every record.
    assert!(!metrics.contains("/contacts/0"), "{metrics}");
}

fn documented_metrics_exist_from_the_start(world: &World) {
    let documented = include_str!("../docs/operating.md");
    let names: Vec<&str> =
        documented.lines().filter_map(|line| line.strip_prefix("| `relata_")?.split(['{', '`']).next()).collect();
    assert!(names.len() >= 12, "{names:?}");
    let metrics = world.stranger().visit("/metrics").send().is(200).text();
    for name in names {
        let shown = metrics.lines().any(|line| line.starts_with(&format!("relata_{name}")));
        assert!(shown, "there is no relata_{name}:\n{metrics}");
    }
    for sample in [
        "relata_connections_refused_total 0",
        "relata_connections_closed_total{reason=\"timeout\"} 0",
        "relata_enrichment_requests_total{kind=\"hunter\",outcome=\"found\"} 0",
    ] {
        assert!(metrics.lines().any(|line| line == sample), "there is no {sample}:\n{metrics}");
    }
}

fn the_reference_loads_nothing_from_other_hosts(world: &World) {
    let stranger = world.stranger();
    let mut path = "/docs".to_owned();
    let mut answer = stranger.visit(&path).send();
    while [301, 302, 303, 307, 308].contains(&answer.status) {
        path = answer.header("Location").to_owned();
        assert!(path.starts_with('/'), "the reference redirects to another host: {answer}");
        answer = stranger.visit(&path).send();
    }
    answer.is(200);
    let page = answer.text();
    assert!(page.to_lowercase().contains("<html"), "{page}");
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut seen = BTreeSet::new();
    for attribute in ["src=\"", "href=\"", "src='", "href='"] {
        for rest in page.split(attribute).skip(1) {
            let link = rest.split(['"', '\'']).next().unwrap_or_default();
            assert!(!link.contains("//"), "{link} is not here");
            if !link.is_empty() && !link.starts_with(['#', 'd']) {
                seen.insert(if link.starts_with('/') {
                    link.to_owned()
                } else {
                    format!("{folder}/{}", link.trim_start_matches("./"))
                });
            }
        }
    }
    assert!(!seen.is_empty(), "a page without a script or a style: {page}");
    for link in seen {
        let part = stranger.visit(&link).send();
        assert!(!part.is(200).body.is_empty(), "{link} is empty");
    }
}

fn the_document_is_the_committed_one(world: &World) {
    let served: Value = world.stranger().visit("/api/v1/openapi.json").send().is(200).json.clone();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openapi.json");
    let committed = std::fs::read(&path).unwrap_or_else(|error| panic!("no committed openapi.json: {error}"));
    let committed: Value = serde_json::from_slice(&committed).unwrap_or_else(|error| panic!("openapi.json: {error}"));
    assert!(committed == served, "openapi.json is not what is served: generate it with `relata openapi`");
    let printed = world.cli(["openapi"]);
    let printed: Value = serde_json::from_str(printed.ok()).unwrap_or_else(|error| panic!("relata openapi: {error}"));
    assert!(printed == served, "relata openapi prints another document than is served");
}

fn a_graceful_stop_finishes_running_requests(world: &World) {
    let key = world.key("crm");
    let body = json!({"first_name": "Ada"}).to_string();
    let length = body.len().to_string();
    let mut half =
        Wire::open(&key, "POST", "/contacts", &[("Content-Type", "application/json"), ("Content-Length", &length)]);
    half.send(&body.as_bytes()[..5]);
    // Once later requests are answered, the server has started to handle this one.
    key.get("/contacts").page();
    world.with_server(|server| server.terminate());
    eventually("an end of accepting", PATIENCE, || key.request("GET", "/contacts").try_send().is_err().then_some(()));
    half.send(&body.as_bytes()[5..]);
    half.answer().is(201);
    let status = world.with_server(|server| server.wait(PATIENCE));
    assert!(status.success(), "{status}");
    // It has ended; this only releases the handle.
    world.kill9();
    world.start();
    assert_eq!(key.get("/contacts").page().column("first_name"), ["Ada"]);
}

fn a_stop_right_after_the_start_is_graceful(world: &World) {
    let key = world.key("crm");
    for _ in 0..8 {
        // It must stop as soon as it is healthy.
        world.restart();
    }
    key.get("/contacts").page();
}

fn a_graceful_stop_has_a_time_limit(world: &World) {
    let key = world.key("crm");
    let headers = [("Content-Type", "application/json"), ("Content-Length", "1000")];
    let mut stuck: Vec<Wire> = (0..5).map(|_| Wire::open(&key, "POST", "/contacts", &headers)).collect();
    stuck.iter_mut().for_each(|wire| assert!(wire.send(b"{")));
    key.get("/contacts").page();
    world.with_server(|server| server.terminate());
    let status = world.with_server(|server| server.wait(PATIENCE));
    assert!(status.success(), "{status}");
}

fn a_stop_under_load_loses_nothing_acknowledged(world: &World) {
    world.set(&["--rate-limit", "1000000"]);
    let key = world.key("crm");
    let ending = AtomicBool::new(false);
    let acknowledged: Vec<String> = std::thread::scope(|scope| {
        let writers = scope.spawn(|| {
            at_once(8, |writer| {
                let mut mine = Vec::new();
                loop {
                    let body = json!({"first_name": format!("Writer {writer}")});
                    match key.request("POST", "/contacts").json(&body).try_send() {
                        Ok(answer) if answer.status == 201 => mine.push(text(&answer.created()["id"])),
                        Ok(answer) => {
                            answer.error(503, "unavailable");
                            assert!(ending.load(Ordering::SeqCst), "{answer}");
                            return mine;
                        }
                        Err(refused) => {
                            assert!(ending.load(Ordering::SeqCst), "{refused}");
                            return mine;
                        }
                    }
                }
            })
        });
        eventually("writes", PATIENCE, || (key.get("/contacts").page().total() > 50).then_some(()));
        ending.store(true, Ordering::SeqCst);
        world.stop();
        writers.join().unwrap_or_else(|_| panic!("a writer failed")).concat()
    });
    world.start();
    for id in acknowledged {
        key.get(&format!("/contacts/{id}")).ok();
    }
}
