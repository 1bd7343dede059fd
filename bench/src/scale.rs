//! Growth with the size of the table: the same queries to the smallest and the largest, in turns.

use crate::cases::{Bench, Filled, REQUESTS};
use crate::load::{get, put};
use crate::measure::{Rounds, Side, in_turns};
use crate::process::Install;
use crate::table::{Row, at_least, at_most, short};
use crate::{Case, Fault, clock, seed};
use std::fs;
use std::time::{Duration, Instant};

/// How many clients send requests at once.
const CLIENTS: usize = 4;

/// Queries that a team sends all day. For all but the last few the total is cached after the first request.
const QUESTIONS: &[(&str, &str)] = &[
    ("newest first", "/contacts"),
    ("by status, newest change first", "/contacts?global_status=qualified&sort=-updated_at"),
    ("by type", "/contacts?contact_type=client"),
    ("by tag", "/contacts?tags=cs.{tag%207}"),
    ("by skill", "/contacts?skills=cs.{skill%207}"),
    ("by email", "/contacts?email=person.4321@mail.example"),
    ("by phone", "/contacts?phone=%2B1%20555%200004321"),
    ("by last name", "/contacts?last_name=Walsh-321"),
    ("last name begins so", "/contacts?last_name=ilike.walsh-32%25"),
    ("company holds a part", "/contacts?current_company=ilike.%25alsh%20labs%2021%25"),
    ("sorted by last name", "/contacts?sort=last_name"),
    ("sorted by experience", "/contacts?sort=-years_experience"),
    ("by custom number", "/contacts?custom_data.score=4321"),
    ("by custom range", "/contacts?custom_data.score=gte.9990"),
    ("by custom choice", "/contacts?custom_data.level=senior"),
    ("sorted by custom number", "/contacts?sort=-custom_data.score"),
    ("search, a rare word", "/contacts?search=person.4321"),
    ("search, two words", "/contacts?search=walsh%20architect"),
    ("search, a common word", "/contacts?search=engineer"),
    ("search, no match", "/contacts?search=zzqqzz"),
    ("offset 9,000", "/contacts?offset=9000"),
    ("not archived, nine tenths down", "/contacts?archived_at=is.null&count=none&offset={deep}"),
    (
        "not archived, by last name, nine tenths down",
        "/contacts?archived_at=is.null&sort=last_name&count=none&offset={deep}",
    ),
    ("two filters, no total", "/contacts?global_status=new&location=Oslo,%20Norway&count=none"),
];

impl Bench {
    /// Time on the largest table divided by time on the smallest. If the number of matches to sort grows with the
    /// table, the time may grow as well; the goal applies to the other queries.
    pub(crate) fn scale(&mut self, engine: &str, filled: &[Filled]) -> Result<(), Fault> {
        let [smallest, .., largest] = filled else { return Ok(()) };
        let rounds = Rounds { count: 3, time: Duration::from_millis(if self.options.quick { 300 } else { 800 }) };
        for (name, path) in QUESTIONS {
            let asked = |filled: &Filled| {
                let path = path.replace("{deep}", &(filled.size / 10 * 9).to_string());
                [get(&whole(&path), &filled.key)]
            };
            let (few, many) = (asked(smallest), asked(largest));
            let turns = in_turns(&[smallest.side(&few), largest.side(&many)], CLIENTS, rounds)?;
            let text =
                |side| format!("p50 {} ms, p99 {} ms", short(turns.middle(side).p50), short(turns.middle(side).p99));
            self.add(Row {
                measure: format!(
                    "{engine} contacts {name}: time at {} rows / at {}",
                    short(largest.size as f64),
                    short(smallest.size as f64)
                ),
                hello: text(0),
                relata: text(1),
                figure: turns.ratio(1, 0, |s| s.p50),
                goal: None,
            });
        }
        self.against_a_scan(engine, largest, rounds)?;
        if self.wants(Case::Update) {
            self.updates(engine, smallest, largest)?;
        }
        Ok(())
    }

    /// A word that no record contains, searched by trigrams and by reading every record.
    fn against_a_scan(&mut self, engine: &str, filled: &Filled, rounds: Rounds) -> Result<(), Fault> {
        let scan = [get(&whole("/contacts?title=ilike.%25qz%25&count=none&sort=-updated_at"), &filled.key)];
        let search = [get(&whole("/contacts?search=zzqqzz&count=none&sort=-updated_at"), &filled.key)];
        let turns = in_turns(&[filled.side(&scan), filled.side(&search)], 1, rounds)?;
        let text = |side| format!("p50 {} ms", short(turns.middle(side).p50));
        self.add(Row {
            measure: format!(
                "{engine} search without a match, {} rows: times faster than a scan",
                short(filled.size as f64)
            ),
            hello: format!("{} (scan)", text(0)),
            relata: text(1),
            figure: turns.ratio(0, 1, |s| s.p50),
            goal: at_least(15.0, 50.0),
        });
        Ok(())
    }

    /// Updates of records all over the table.
    fn updates(&mut self, engine: &str, smallest: &Filled, largest: &Filled) -> Result<(), Fault> {
        let requests = |filled: &Filled| -> Result<Vec<Vec<u8>>, Fault> {
            let ids = self.ids(filled, REQUESTS)?;
            let body = |n: usize| format!("{{\"title\":\"Chief of {n}\",\"years_experience\":{}}}", n % 40);
            // The numbers differ from request to request, so that every update changes something.
            Ok((0..ids.len() * 3)
                .map(|n| put(&whole(&format!("/contacts/{}", ids[n % ids.len()])), &filled.key, &body(n)))
                .collect())
        };
        let (few, many) = (requests(smallest)?, requests(largest)?);
        let rounds = Rounds { count: 3, time: Duration::from_millis(1000) };
        let sides =
            [Side { server: &smallest.server, requests: &few }, Side { server: &largest.server, requests: &many }];
        let turns = in_turns(&sides, crate::measure::CONNECTIONS, rounds)?;
        self.add(Row {
            measure: format!(
                "{engine} update: time at {} rows / at {}",
                short(largest.size as f64),
                short(smallest.size as f64)
            ),
            hello: turns.middle(0).text(),
            relata: turns.middle(1).text(),
            figure: turns.ratio(1, 0, |s| 1.0 / s.rate),
            goal: at_most(2.0, 1.2),
        });
        Ok(())
    }
}

impl Bench {
    /// Exports the whole table as CSV and imports it into an empty installation.
    pub(crate) fn moved(&mut self, engine: &str, filled: &Filled, empty: &Install) -> Result<(), Fault> {
        let file = self.options.data.join("export.csv");
        let name = file.to_string_lossy().into_owned();
        let begun = clock::now();
        filled.install.operate(&["export", "contacts", "--format", "csv", "--output", &name])?;
        self.pace(
            format!("{engine} export of {} contacts as CSV", short(filled.size as f64)),
            filled.size,
            begun,
            None,
        );

        let server = empty.serve()?;
        seed::define(empty)?;
        let begun = clock::now();
        empty.operate(&["import", &name, "--collection", "contacts"])?;
        let memory = server.memory("RssAnon")?;
        self.pace(
            format!("{engine} import of {} contacts", short(filled.size as f64)),
            filled.size,
            begun,
            Some(memory),
        );
        Ok(fs::remove_file(file)?)
    }

    fn pace(&mut self, measure: String, rows: usize, begun: Instant, memory: Option<f64>) {
        let seconds = (clock::now() - begun).as_secs_f64();
        let memory = memory.map_or(String::new(), |memory| format!(", server at {} MB afterwards", short(memory)));
        self.add(Row {
            measure: format!("{measure}, rows/s"),
            hello: String::new(),
            relata: format!("{} s{memory}", short(seconds)),
            figure: rows as f64 / seconds,
            goal: None,
        });
    }
}

fn whole(path: &str) -> String {
    format!("/api/v1{path}")
}
