//! The profile database: the speed of an import, and the time of a search by one client, compared with a bare server
//! whose answers have the same size.

use crate::cases::{Bench, Filled, answer_size};
use crate::load::{get, post};
use crate::measure::{Side, in_turns};
use crate::process::{Install, Server};
use crate::table::{Row, at_least, at_most, short};
use crate::{Fault, clock};
use std::fs::File;
use std::process::Command;

/// From a word that a third of the profiles contain to one that few do.
const QUESTIONS: &[(&str, &str)] = &[
    ("a common title", r#"{"job_title": ["engineer"]}"#),
    ("two titles, a country", r#"{"job_title": ["senior data engineer", "recruiter"], "location": ["Deutschland"]}"#),
    ("company, now or before", r#"{"company": ["cobalt labs"], "company_filter": "any"}"#),
    ("three skills, a city", r#"{"skills": ["rust", "go", "kafka"], "location": ["Shanghai"]}"#),
    (
        "all of it",
        r#"{"job_title": ["engineer"], "company": ["northwind"], "location": ["India", "China"], "skills": ["python"], "reveal_info": true}"#,
    ),
    ("page 300", r#"{"job_title": ["engineer"], "page": 300}"#),
    ("nobody", r#"{"job_title": ["engineer"], "skills": ["python", "triage", "kafka", "ifrs", "cad"]}"#),
];

impl Bench {
    pub(crate) fn profiles(&mut self, engine: &str, size: usize, install: Install) -> Result<(), Fault> {
        let file = self.options.data.join(format!("profiles-{size}.ndjson"));
        if !file.exists() {
            let mut made = Command::new(&self.program);
            made.args(["profiles", "generate", &size.to_string()]).stdout(File::create(&file)?);
            if !made.status()?.success() {
                return Err("profiles can't be generated".into());
            }
        }
        let server = install.serve()?;
        let key = install.key(None)?;
        install.operate(&["workspace", "set", "--sourcing-credits", "1000000000000"])?;
        let begun = clock::now();
        install.operate(&["profiles", "import", &file.display().to_string()])?;
        let took = (clock::now() - begun).as_secs_f64();
        self.add(Row {
            measure: format!("{engine} import of {} profiles, profiles/s", short(size as f64)),
            hello: String::new(),
            relata: format!("{} s", short(took)),
            figure: size as f64 / took,
            goal: at_least(3_000.0, 10_000.0),
        });
        let filled = Filled { size, install, server, key };
        for (name, body) in QUESTIONS {
            let search = [post("/api/v1/sourcing/advanced/profiles/search", &filled.key, body)];
            let bytes = answer_size(filled.server.address, &search[0])?;
            let (hello, hellos) = (Server::hello(bytes)?, [get("/", &filled.key)]);
            let turns = in_turns(&[Side { server: &hello, requests: &hellos }, filled.side(&search)], 1, self.rounds)?;
            let text =
                |side| format!("p50 {} ms, p99 {} ms", short(turns.middle(side).p50), short(turns.middle(side).p99));
            self.add(Row {
                measure: format!(
                    "{engine} advanced search, {} profiles, {name} ({bytes} bytes): p99, ms",
                    short(size as f64)
                ),
                hello: text(0),
                relata: text(1),
                figure: turns.middle(1).p99,
                goal: at_most(50.0, 20.0),
            });
        }
        Ok(())
    }
}
