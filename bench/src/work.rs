//! Typical work: a deal board, a project full of candidates, the change feed, a bulk request of a thousand.

use crate::Fault;
use crate::cases::{Bench, Filled, answer_size};
use crate::load::{get, post, send_one};
use crate::measure::{CONNECTIONS, Rounds, Side, in_turns};
use crate::process::{Install, Server};
use crate::table::{Row, at_least, short};
use serde_json::{Value as Json, json};
use std::time::Duration;

const DEALS: usize = 10_000;
const CANDIDATES: usize = 5_000;
const BULK: usize = 1_000;

impl Bench {
    pub(crate) fn work(&mut self, engine: &str, install: Install) -> Result<(), Fault> {
        let server = install.serve()?;
        let key = install.key(None)?;
        let filled = Filled { size: 0, install, server, key };
        let (stages, project, project_stages) = fill(&filled)?;
        // The limits apply to SQLite; PostgreSQL's figures are only shown.
        let goal = at_least(0.10, 0.15).filter(|_| engine == "SQLite");
        let board: Vec<String> = stages
            .iter()
            .map(|stage| format!("/deals?stage_id={stage}&status=open&archived_at=is.null&sort=-updated_at"))
            .collect();
        let candidates: Vec<String> =
            project_stages.iter().map(|stage| format!("/projects/{project}/entries?stage_id={stage}")).collect();
        let feed = ["/events?limit=100".to_owned()];
        for (name, paths) in [
            (format!("deal board, {} open deals, 50 of a stage + total", short(DEALS as f64)), &board[..]),
            (format!("project of {} candidates, 50 of a stage + total", short(CANDIDATES as f64)), &candidates[..]),
            ("change feed, 100 events".to_owned(), &feed[..]),
        ] {
            let requests: Vec<Vec<u8>> = paths.iter().map(|path| get(&format!("/api/v1{path}"), &filled.key)).collect();
            let size = answer_size(filled.server.address, &requests[0])?;
            let (hello, hellos) = (Server::hello(size)?, [get("/", &filled.key)]);
            let sides = [Side { server: &hello, requests: &hellos }, filled.side(&requests)];
            let turns = in_turns(&sides, CONNECTIONS, self.rounds)?;
            let (hello, relata) = (turns.middle(0).text(), turns.middle(1).text());
            let measure = format!("{engine} {name} ({size} bytes)");
            self.add(Row { measure, hello, relata, figure: turns.ratio(1, 0, |s| s.rate), goal });
        }
        self.in_bulk(engine, &filled)
    }

    /// A thousand records in one request by one client, compared with as many requests by 32 clients.
    fn in_bulk(&mut self, engine: &str, filled: &Filled) -> Result<(), Fault> {
        let person = |n: usize| json!({ "first_name": format!("Ann {n}"), "last_name": "Baker" });
        let items: Vec<Json> = (0..BULK).map(|n| json!({ "op": "create", "data": person(n) })).collect();
        let bulk = [post("/api/v1/contacts/bulk", &filled.key, &json!({ "items": items }).to_string())];
        let single: Vec<Vec<u8>> =
            (0..BULK).map(|n| post("/api/v1/contacts", &filled.key, &person(n).to_string())).collect();
        let rounds = Rounds { count: 3, time: self.rounds.time.max(Duration::from_secs(2)) };
        let singly = in_turns(&[filled.side(&single)], CONNECTIONS, rounds)?.middle(0);
        let bulks = in_turns(&[filled.side(&bulk)], 1, rounds)?.middle(0);
        self.add(Row {
            measure: format!("{engine} bulk of 1,000: records/s, one client / 32 clients one by one"),
            hello: singly.text(),
            relata: format!("{} records/s, p50 {} ms a bulk", short(bulks.rate * BULK as f64), short(bulks.p50)),
            figure: bulks.rate * BULK as f64 / singly.rate,
            goal: None,
        });
        Ok(())
    }
}

/// Deals in every stage and a project full of candidates, made in bulk.
fn fill(filled: &Filled) -> Result<(Vec<String>, String, Vec<String>), Fault> {
    let ids = |list: &Json| -> Vec<String> {
        let items = list.as_array().map_or(&[][..], Vec::as_slice);
        items.iter().filter_map(|item| item["id"].as_str().map(str::to_owned)).collect()
    };
    let stages = ids(&ask(filled, get("/api/v1/deal-pipelines", &filled.key))?[0]["stages"]);
    let project = ask(filled, post("/api/v1/projects", &filled.key, &json!({ "name": "Bench" }).to_string()))?;
    let (id, project_stages) =
        (project["id"].as_str().unwrap_or_default().to_owned(), ids(&project["pipeline"]["stages"]));
    let deal = |n: usize| {
        let amount = format!("{}.{}", 1000 + n, n % 10).parse::<serde_json::Number>().unwrap_or(n.into());
        json!({ "title": format!("Deal {n}"), "stage_id": stages[n % stages.len()], "amount": amount })
    };
    many(filled, "deals", DEALS, deal)?;
    let contacts = many(
        filled,
        "contacts",
        CANDIDATES,
        |n| json!({ "first_name": format!("Ann {n}"), "last_name": "Baker", "title": "Engineer", "email": format!("ann.{n}@mail.example") }),
    )?;
    many(filled, "pipeline-entries", CANDIDATES, |n| {
        let stage = &project_stages[n % project_stages.len()];
        json!({ "project_id": id, "contact_id": contacts[n], "stage_id": stage, "rating": 1 + n % 5 })
    })?;
    Ok((stages, id, project_stages))
}

pub(crate) fn many(
    filled: &Filled,
    of: &str,
    count: usize,
    data: impl Fn(usize) -> Json,
) -> Result<Vec<String>, Fault> {
    let mut made = Vec::with_capacity(count);
    while made.len() < count {
        let some: Vec<Json> =
            (made.len()..count.min(made.len() + BULK)).map(|n| json!({ "op": "create", "data": data(n) })).collect();
        let body = json!({ "items": some }).to_string();
        let results = ask(filled, post(&format!("/api/v1/{of}/bulk"), &filled.key, &body))?;
        for result in results["results"].as_array().map_or(&[][..], Vec::as_slice) {
            let id = result["id"].as_str().ok_or_else(|| format!("{of}: {result}"))?;
            made.push(id.to_owned());
        }
    }
    Ok(made)
}

pub(crate) fn ask(filled: &Filled, request: Vec<u8>) -> Result<Json, Fault> {
    let (status, body) = send_one(filled.server.address, &request)?;
    let mut body: Json = serde_json::from_slice(&body)?;
    if !(200..300).contains(&status) {
        return Err(format!("{status}: {body}").into());
    }
    Ok(body["data"].take())
}
