//! The cases, and their limits from `performance.md`.

use crate::load::{self, get, post};
use crate::measure::{CONNECTIONS, Rounds, Sample, Side, Turns, in_turns, median, middle, sample};
use crate::people::People;
use crate::postgres::{Cluster, Postgres};
use crate::process::{Install, Server, copy_folder, program};
use crate::seed::Database;
use crate::table::{Goal, Row, at_least, at_most, short};
use crate::{Case, Engines, Fault, Options, report, seed, single};
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) const LIST: &str = "/api/v1/contacts?global_status=eq.qualified&sort=-updated_at";
/// How many requests are prepared; a load repeats them.
pub(crate) const REQUESTS: usize = 8192;
/// More records than the server's cache holds.
const FAR: usize = 200_000;
/// The number of contacts before the creates start.
const CREATE_ROWS: usize = 100_000;

pub(crate) fn run(options: &Options) -> Result<(), Fault> {
    let mut bench = Bench::new(options)?;
    if options.engine != Engines::Postgres {
        bench.sqlite()?;
    }
    if options.engine != Engines::Sqlite {
        bench.postgres()?;
    }
    report::write(options, &bench.rows)
}

pub(crate) struct Bench {
    pub options: Options,
    pub program: PathBuf,
    pub sizes: Vec<usize>,
    pub rounds: Rounds,
    rows: Vec<Row>,
}

/// A running installation with contacts in it.
pub(crate) struct Filled {
    pub size: usize,
    pub install: Install,
    pub server: Server,
    pub key: String,
}

impl Filled {
    pub(crate) fn serve(size: usize, install: Install) -> Result<Filled, Fault> {
        let key = seed::key(&install.data)?;
        Ok(Filled { size, server: install.serve()?, install, key })
    }

    pub(crate) fn side<'a>(&'a self, requests: &'a [Vec<u8>]) -> Side<'a> {
        Side { server: &self.server, requests }
    }
}

/// A create with its limits.
struct Create {
    name: &'static str,
    goal: Option<Goal>,
    slowest: Option<Goal>,
}

impl Bench {
    fn new(options: &Options) -> Result<Bench, Fault> {
        let data = std::path::absolute(&options.data)?;
        if options.fresh && data.exists() {
            fs::remove_dir_all(&data)?;
        }
        fs::create_dir_all(&data)?;
        let sizes = match (&options.rows[..], options.quick) {
            ([], true) => vec![10_000, 100_000],
            ([], false) => vec![10_000, 100_000, 1_000_000],
            (rows, _) => rows.to_vec(),
        };
        if sizes.iter().any(|size| size % seed::BASE != 0 || *size == 0) {
            return Err("--rows takes multiples of 10,000".into());
        }
        let rounds = Rounds { count: 3, time: Duration::from_millis(if options.quick { 1500 } else { 4000 }) };
        let options = Options { data, ..options.clone() };
        Ok(Bench { options, program: program()?, sizes, rounds, rows: Vec::new() })
    }

    pub(crate) fn wants(&self, case: Case) -> bool {
        self.options.only.is_none_or(|only| only == case)
    }

    fn wants_any(&self, cases: &[Case]) -> bool {
        cases.iter().any(|case| self.wants(*case))
    }

    pub(crate) fn add(&mut self, row: Row) {
        println!("{}", row.line());
        self.rows.push(row);
    }

    fn add_ratio(&mut self, measure: String, turns: &Turns, figure: fn(&Sample) -> f64, goal: Option<Goal>) {
        let (hello, relata) = (turns.middle(0).text(), turns.middle(1).text());
        self.add(Row { measure, hello, relata, figure: turns.ratio(1, 0, figure), goal });
    }

    // ---- SQLite ----

    fn sqlite(&mut self) -> Result<(), Fault> {
        use Case::{Deep, List, Move, Outreach, Process, Read, Scale, Slow, Update, Work};
        if self.wants(Process) {
            self.process()?;
        }
        if self.wants_any(&[Read, List, Slow, Deep, Process, Scale, Update, Move]) {
            let seeded = self.sizes.iter().map(|size| self.seeded(*size)).collect::<Result<Vec<_>, _>>()?;
            let filled = self.sizes.iter().zip(seeded).map(|(size, install)| Filled::serve(*size, install));
            let filled = filled.collect::<Result<Vec<_>, _>>()?;
            self.reading("SQLite", &filled)?;
            if let Some(largest) = filled.last().filter(|_| self.wants(Move)) {
                let empty = self.emptied("imported")?;
                self.moved("SQLite", largest, &empty)?;
            }
        }
        if self.wants(Work) {
            let install = self.emptied("work")?;
            self.work("SQLite", install)?;
        }
        if self.wants(Outreach) {
            let install = self.emptied("outreach")?;
            self.outreach("SQLite", install)?;
        }
        if self.wants(Case::Profiles) {
            for size in self.sizes.clone() {
                let install = self.emptied("profiles")?;
                self.profiles("SQLite", size, install)?;
            }
        }
        self.writing()
    }

    /// The folder with `size` contacts, from an earlier run or created now.
    fn seeded(&self, size: usize) -> Result<Install, Fault> {
        let install = self.folder(&format!("sqlite-people-{size}"));
        let done = install.data.join("seeded");
        if done.exists() {
            return Ok(install);
        }
        println!("seeding {size} contacts");
        if install.data.exists() {
            fs::remove_dir_all(&install.data)?;
        }
        if size == seed::BASE {
            seed::base(&install)?;
            let file = install.database();
            seed::indexed(&install, || Ok(Box::new(seed::Sqlite::open(&file)?)))?;
        } else {
            copy_folder(&self.seeded(seed::BASE)?.data, &install.data)?;
            let _ = fs::remove_file(&done);
            seed::multiply(&mut seed::Sqlite::open(&install.database())?, size / seed::BASE)?;
        }
        fs::write(done, "")?;
        Ok(install)
    }

    /// A folder of this name without anything of an earlier run.
    fn emptied(&self, name: &str) -> Result<Install, Fault> {
        let install = self.folder(name);
        if install.data.exists() {
            fs::remove_dir_all(&install.data)?;
        }
        Ok(install)
    }

    pub(crate) fn folder(&self, name: &str) -> Install {
        Install { program: self.program.clone(), data: self.options.data.join(name), url: None }
    }

    fn reading(&mut self, engine: &str, filled: &[Filled]) -> Result<(), Fault> {
        let Some(largest) = filled.last() else { return Ok(()) };
        let reads = read_requests(&largest.key, &self.ids(largest, REQUESTS)?);
        if self.wants(Case::Read) {
            let far = read_requests(&largest.key, &self.ids(largest, FAR)?);
            let turns = self.read_one(engine, "read one", largest, &reads, at_least(0.40, 0.80))?;
            let measure = format!("{engine} read one, {} rows: server CPU per request", short(largest.size as f64));
            self.add_ratio(measure, &turns, |s| s.cpu, at_most(3.5, 2.0));
            // More records than the cache holds: each is read from the file.
            self.read_one(engine, "read one of 200,000 in turn", largest, &far, None)?;
        }
        if self.wants(Case::List) {
            self.lists(engine, filled)?;
        }
        if self.wants(Case::Slow) {
            self.beside_slow(largest, &reads)?;
        }
        if self.wants(Case::Deep) {
            self.deep(largest)?;
        }
        if self.wants_any(&[Case::Scale, Case::Update]) {
            self.scale(engine, filled)?;
        }
        if self.wants(Case::Process) {
            self.memory_under_load(largest, &reads)?;
        }
        Ok(())
    }

    pub(crate) fn read_one(
        &mut self,
        engine: &str,
        which: &str,
        filled: &Filled,
        reads: &[Vec<u8>],
        goal: Option<Goal>,
    ) -> Result<Turns, Fault> {
        let size = answer_size(filled.server.address, &reads[0])?;
        let hello = Server::hello(size)?;
        let hellos = [get("/", &filled.key)];
        let sides = [Side { server: &hello, requests: &hellos }, filled.side(reads)];
        let turns = in_turns(&sides, CONNECTIONS, self.rounds)?;
        let measure = format!("{engine} {which}, {} rows ({size} bytes)", short(filled.size as f64));
        self.add_ratio(measure, &turns, |s| s.rate, goal);
        Ok(turns)
    }

    /// All sizes take turns, so that the growth is a ratio inside one run too.
    pub(crate) fn lists(&mut self, engine: &str, filled: &[Filled]) -> Result<(), Fault> {
        let Some(largest) = filled.last() else { return Ok(()) };
        let requests: Vec<Vec<Vec<u8>>> = filled.iter().map(|filled| vec![get(LIST, &filled.key)]).collect();
        let size = answer_size(largest.server.address, &get(LIST, &largest.key))?;
        let hello = Server::hello(size)?;
        let hellos = [get("/", &largest.key)];
        let mut sides = vec![Side { server: &hello, requests: &hellos }];
        sides.extend(filled.iter().zip(&requests).map(|(filled, requests)| filled.side(requests)));
        let turns = in_turns(&sides, CONNECTIONS, self.rounds)?;
        // The limits apply to SQLite; PostgreSQL's figures are only shown.
        let sqlite = engine == "SQLite";
        for (side, filled) in (1..).zip(filled) {
            let measure = format!("{engine} list of 50 + total, {} rows ({size} bytes)", short(filled.size as f64));
            let (hello, relata) = (turns.middle(0).text(), turns.middle(side).text());
            let goal = at_least(0.10, 0.15).filter(|_| sqlite);
            self.add(Row { measure, hello, relata, figure: turns.ratio(side, 0, |s| s.rate), goal });
        }
        if filled.len() > 1 {
            let (smallest, last) = (short(filled[0].size as f64), short(largest.size as f64));
            let rate = |side| format!("{}/s", short(turns.middle(side).rate));
            self.add(Row {
                measure: format!("{engine} list: {last} rows / {smallest} rows"),
                hello: format!("{} ({smallest} rows)", rate(1)),
                relata: rate(filled.len()),
                figure: turns.ratio(filled.len(), 1, |s| s.rate),
                goal: at_least(0.80, 0.95).filter(|_| sqlite),
            });
        }
        Ok(())
    }

    /// Reads alone, and while four clients repeat a list that takes 20 ms or more.
    fn beside_slow(&mut self, filled: &Filled, reads: &[Vec<u8>]) -> Result<(), Fault> {
        const READERS: usize = 16;
        let Some((slow, took)) = slow_list(filled)? else { return Err("no list takes 20 ms".into()) };
        let (mut alone, mut beside, mut lists) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..self.rounds.count {
            alone.push(sample(&filled.server, reads, READERS, self.rounds.time)?);
            let (read, list) = std::thread::scope(|scope| {
                let list =
                    scope.spawn(|| sample(&filled.server, &slow, 4, self.rounds.time + Duration::from_millis(200)));
                std::thread::sleep(Duration::from_millis(100));
                let read = sample(&filled.server, reads, READERS, self.rounds.time);
                (read, list.join().map_err(|_| Fault::from("the slow clients panicked")))
            });
            beside.push(read?);
            lists.push(list??);
        }
        let ratio = median(alone.iter().zip(&beside).map(|(alone, beside)| beside.rate / alone.rate).collect());
        let (alone, beside, lists) = (middle(&alone), middle(&beside), middle(&lists));
        let text = |sample: &Sample| format!("{}/s, p99 {} ms", short(sample.rate), short(sample.p99));
        let row = |measure: String, figure, goal| Row {
            measure,
            hello: format!("{} (alone)", text(&alone)),
            relata: text(&beside),
            figure,
            goal,
        };
        let measure =
            format!("SQLite reads beside 4 clients of a {} ms list ({} of it/s)", short(took), short(lists.rate));
        self.add(row(measure, ratio, at_least(0.40, 0.55)));
        self.add(row("the same: p99 in ms".into(), beside.p99, at_most(15.0, 7.7)));
        Ok(())
    }

    /// Pages by cursor: the first, and one after nine tenths of the rows.
    fn deep(&mut self, filled: &Filled) -> Result<(), Fault> {
        const PAGES: &str = "/api/v1/contacts?sort=-updated_at&limit=50&cursor=";
        let depth = filled.size * 9 / 10;
        let cursor = cursor_at(filled, depth)?;
        let (first, deep) = ([get(PAGES, &filled.key)], [get(&format!("{PAGES}{cursor}"), &filled.key)]);
        let turns = in_turns(&[filled.side(&first), filled.side(&deep)], 4, self.rounds)?;
        let rate = |side| format!("{}/s, p50 {} ms", short(turns.middle(side).rate), short(turns.middle(side).p50));
        self.add(Row {
            measure: format!("SQLite keyset page at depth {} / first page, time", short(depth as f64)),
            hello: format!("{} (first page)", rate(0)),
            relata: rate(1),
            figure: turns.ratio(1, 0, |s| 1.0 / s.rate),
            goal: at_most(2.0, 1.2),
        });
        Ok(())
    }

    fn writing(&mut self) -> Result<(), Fault> {
        let bare = Create { name: "bare", goal: at_least(0.25, 0.35), slowest: at_most(8.0, 4.0) };
        let full = Create { name: "full", goal: at_least(0.08, 0.15), slowest: None };
        for (create, case) in [(bare, Case::Create), (full, Case::Full)] {
            if self.wants(case) {
                let filled = self.copied("creates")?;
                self.creates("SQLite", &filled, create)?;
            }
        }
        if self.wants(Case::Group) {
            self.grouped()?;
        }
        Ok(())
    }

    /// A copy that creates may enlarge.
    fn copied(&self, name: &str) -> Result<Filled, Fault> {
        let size = CREATE_ROWS.min(self.sizes.last().copied().unwrap_or(CREATE_ROWS));
        let install = self.folder(name);
        copy_folder(&self.seeded(size)?.data, &install.data)?;
        Filled::serve(size, install)
    }

    fn creates(&mut self, engine: &str, filled: &Filled, create: Create) -> Result<(), Fault> {
        let requests = create_requests(create.name, "/api/v1/contacts", std::slice::from_ref(&filled.key));
        let hellos = create_requests(create.name, "/", std::slice::from_ref(&filled.key));
        let hello = Server::hello(0)?;
        let turns =
            in_turns(&[Side { server: &hello, requests: &hellos }, filled.side(&requests)], CONNECTIONS, self.rounds)?;
        let measure = format!("{engine} create, {} contact", create.name);
        self.add_ratio(measure, &turns, |s| s.rate, create.goal);
        if create.slowest.is_some() {
            self.add_ratio(format!("{engine} create, {} contact: p99", create.name), &turns, |s| s.p99, create.slowest);
        }
        Ok(())
    }

    fn grouped(&mut self) -> Result<(), Fault> {
        /// About as many creates share a commit when 32 clients write.
        const GROUP: usize = 16;
        let filled = self.copied("grouped")?;
        let (alone, best) = (self.copied("single")?.install, self.copied("best")?.install);
        let requests = create_requests("bare", "/api/v1/contacts", std::slice::from_ref(&filled.key));
        let (mut grouped, mut single, mut bare) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..self.rounds.count {
            single.push(single::rate(&alone.database(), CONNECTIONS, 1, self.rounds.time)?);
            bare.push(single::rate(&best.database(), 1, GROUP, self.rounds.time)?);
            grouped.push(sample(&filled.server, &requests, CONNECTIONS, self.rounds.time)?);
        }
        let ratio = |to: &[f64]| median(grouped.iter().zip(to).map(|(grouped, to)| grouped.rate / to).collect());
        let rows = [
            ("one transaction per request (without HTTP)", "single", &single, at_least(4.0, 5.0)),
            ("the same statements, 16 to a commit (without HTTP and rules)", "statements alone", &bare, None),
        ];
        for (to, short_name, rates, goal) in rows {
            self.add(Row {
                measure: format!("SQLite create / {to}"),
                hello: format!("{}/s ({short_name})", short(median(rates.clone()))),
                relata: middle(&grouped).text(),
                figure: ratio(rates),
                goal,
            });
        }
        Ok(())
    }

    // ---- the process ----

    fn process(&mut self) -> Result<(), Fault> {
        let size = fs::metadata(&self.program)?.len() as f64 / 1e6;
        let row = |measure: &str, unit: &str, figure: f64, goal| Row {
            measure: measure.into(),
            hello: String::new(),
            relata: format!("{} {unit}", short(figure)),
            figure,
            goal,
        };
        self.add(row("binary with dashboard, MB", "MB", size, at_most(30.0, 20.0)));
        let install = self.seeded(self.sizes.last().copied().unwrap_or(seed::BASE))?;
        let (mut times, mut idle) = (Vec::new(), 0.0);
        for _ in 0..5 {
            let server = install.serve()?;
            times.push(server.started_in.as_secs_f64() * 1000.0);
            std::thread::sleep(Duration::from_secs(1));
            idle = server.memory("VmRSS")?;
        }
        self.add(row("start to listening, ms", "ms", median(times), at_most(100.0, 30.0)));
        self.add(row("idle memory (VmRSS), MB", "MB", idle, at_most(32.0, 15.0)));
        Ok(())
    }

    /// After reads, lists and creates have run on the largest table.
    fn memory_under_load(&mut self, filled: &Filled, reads: &[Vec<u8>]) -> Result<(), Fault> {
        let lists = [get(LIST, &filled.key)];
        let mut most: f64 = 0.0;
        for requests in [reads, &lists[..], reads] {
            sample(&filled.server, requests, CONNECTIONS, self.rounds.time)?;
            most = most.max(filled.server.memory("RssAnon")?);
        }
        self.add(Row {
            measure: format!("memory under load, {} rows (RssAnon), MB", short(filled.size as f64)),
            hello: String::new(),
            relata: format!("{} MB ({} with mapped files)", short(most), short(filled.server.memory("VmRSS")?)),
            figure: most,
            goal: at_most(256.0, 160.0),
        });
        Ok(())
    }

    // ---- PostgreSQL ----

    fn postgres(&mut self) -> Result<(), Fault> {
        let cluster = match &self.options.database_url {
            Some(url) => Cluster::at(url),
            // Databases without the secret and key that they were made with can't be used.
            None => Cluster::private(
                Path::new("/var/tmp/relata-bench-postgres"),
                !self.folder("postgres").data.join("key").exists(),
            )?,
        };
        let mut sizes = self.sizes.clone();
        if !self.wants_any(&[Case::List, Case::Scale, Case::Update]) {
            sizes.drain(..sizes.len() - 1);
        }
        if self.wants_any(&[Case::Read, Case::List, Case::Scale, Case::Update, Case::Move]) {
            // All copies are made before the first is served: a database in use can't be copied.
            let seeded =
                sizes.iter().map(|size| self.seeded_postgres(&cluster, *size)).collect::<Result<Vec<_>, _>>()?;
            let filled = sizes.into_iter().zip(seeded).map(|(size, install)| Filled::serve(size, install));
            let filled = filled.collect::<Result<Vec<_>, _>>()?;
            self.reading_postgres(&filled)?;
            if let Some(largest) = filled.last().filter(|_| self.wants(Case::Move)) {
                cluster.make("imported", None)?;
                self.moved("PostgreSQL", largest, &self.on_postgres(&cluster, "imported"))?;
            }
        }
        let creates = [("bare", Case::Create, at_least(0.05, 0.08)), ("full", Case::Full, None)];
        for (name, case, goal) in creates {
            if self.wants(case) {
                let filled = self.copied_postgres(&cluster)?;
                self.creates("PostgreSQL", &filled, Create { name, goal, slowest: None })?;
            }
        }
        if self.wants(Case::Work) {
            cluster.make("work", None)?;
            self.work("PostgreSQL", self.on_postgres(&cluster, "work"))?;
        }
        if self.wants(Case::Outreach) {
            cluster.make("outreach", None)?;
            self.outreach("PostgreSQL", self.on_postgres(&cluster, "outreach"))?;
        }
        if self.wants(Case::Profiles) {
            for size in self.sizes.clone() {
                let name = format!("profiles_{size}");
                cluster.make(&name, None)?;
                self.profiles("PostgreSQL", size, self.on_postgres(&cluster, &name))?;
            }
        }
        if self.wants(Case::Spread) {
            self.spread(&cluster)?;
        }
        Ok(())
    }

    /// One folder for all databases, so that they share its secret.
    fn on_postgres(&self, cluster: &Cluster, name: &str) -> Install {
        Install { url: Some(cluster.database(name)), ..self.folder("postgres") }
    }

    fn seeded_postgres(&self, cluster: &Cluster, size: usize) -> Result<Install, Fault> {
        let (name, making) = (format!("people_{size}"), format!("making_{size}"));
        if cluster.has(&name)? {
            return Ok(self.on_postgres(cluster, &name));
        }
        println!("seeding {size} contacts on PostgreSQL");
        if size == seed::BASE {
            cluster.make(&making, None)?;
            let install = self.on_postgres(cluster, &making);
            seed::base(&install)?;
            let url = cluster.database(&making);
            seed::indexed(&install, || Ok(Box::new(Postgres::open(&url)?)))?;
        } else {
            self.seeded_postgres(cluster, seed::BASE)?;
            cluster.make(&making, Some(&format!("people_{}", seed::BASE)))?;
            seed::multiply(&mut Postgres::open(&cluster.database(&making))?, size / seed::BASE)?;
        }
        // Renamed at the end, so that a database with the final name is complete.
        Postgres::open(&cluster.database("postgres"))?.run(&format!("ALTER DATABASE {making} RENAME TO {name}"))?;
        Ok(self.on_postgres(cluster, &name))
    }

    fn copied_postgres(&self, cluster: &Cluster) -> Result<Filled, Fault> {
        let size = CREATE_ROWS.min(self.sizes.last().copied().unwrap_or(CREATE_ROWS));
        self.seeded_postgres(cluster, size)?;
        cluster.make("creates", Some(&format!("people_{size}")))?;
        Filled::serve(size, self.on_postgres(cluster, "creates"))
    }

    fn reading_postgres(&mut self, filled: &[Filled]) -> Result<(), Fault> {
        let Some(largest) = filled.last() else { return Ok(()) };
        if self.wants(Case::Read) {
            let reads = read_requests(&largest.key, &self.ids(largest, REQUESTS)?);
            self.read_one("PostgreSQL", "read one", largest, &reads, at_least(0.17, 0.27))?;
        }
        if self.wants(Case::List) {
            self.lists("PostgreSQL", filled)?;
        }
        if self.wants_any(&[Case::Scale, Case::Update]) {
            self.scale("PostgreSQL", filled)?;
        }
        Ok(())
    }

    /// Ids of contacts of all ages.
    pub(crate) fn ids(&self, filled: &Filled, count: usize) -> Result<Vec<String>, Fault> {
        match filled.install.url.as_deref() {
            Some(url) => Postgres::open(url)?.ids(filled.size, count),
            None => seed::Sqlite::ids(&filled.install.database(), count),
        }
    }

    /// Writers of different workspaces do not wait for each other.
    fn spread(&mut self, cluster: &Cluster) -> Result<(), Fault> {
        let filled = self.copied_postgres(cluster)?;
        let mut keys = Vec::new();
        for number in 0..100 {
            let (slug, owner) = (format!("space-{number}"), format!("owner-{number}@mail.example"));
            filled.install.operate(&["workspace", "create", "--name", &slug, "--slug", &slug, "--owner", &owner])?;
            keys.push(filled.install.key(Some(&slug))?);
        }
        let requests = create_requests("bare", "/api/v1/contacts", &keys);
        let hellos = create_requests("bare", "/", &keys);
        let hello = Server::hello(0)?;
        let sides = [Side { server: &hello, requests: &hellos }, filled.side(&requests)];
        let turns = in_turns(&sides, CONNECTIONS, self.rounds)?;
        let measure = "PostgreSQL create, bare contact, spread over 100 workspaces".into();
        self.add_ratio(measure, &turns, |s| s.rate, at_least(0.08, 0.13));
        Ok(())
    }
}

pub(crate) fn read_requests(key: &str, ids: &[String]) -> Vec<Vec<u8>> {
    // An order without locality: a stride through ids that are sorted by age.
    let stride = 4099;
    (0..ids.len()).map(|n| get(&format!("/api/v1/contacts/{}", ids[n * stride % ids.len()]), key)).collect()
}

fn create_requests(kind: &str, path: &str, keys: &[String]) -> Vec<Vec<u8>> {
    let mut people = People::new(2);
    let request = |number: usize| {
        let number = 1_000_000 + number;
        let person = if kind == "bare" { people.bare(number) } else { people.full(number) };
        post(path, &keys[number % keys.len()], &person.to_string())
    };
    (0..REQUESTS).map(request).collect()
}

pub(crate) fn answer_size(address: SocketAddr, request: &[u8]) -> Result<usize, Fault> {
    match load::send_one(address, request)? {
        (200, body) => Ok(body.len()),
        (status, body) => Err(format!("an answer was {status}: {}", String::from_utf8_lossy(&body)).into()),
    }
}

/// The requests and their duration in milliseconds.
type SlowList = (Vec<Vec<u8>>, f64);

/// A list that takes 20 ms or more, and its duration. It asks for no total: totals are cached, and the second request
/// would be fast.
fn slow_list(filled: &Filled) -> Result<Option<SlowList>, Fault> {
    let offset = filled.size * 8 / 10;
    let paths = [
        format!("/api/v1/contacts?sort=-updated_at&count=none&offset={offset}"),
        // Two letters are too few for trigrams, so every record is read.
        "/api/v1/contacts?sort=-updated_at&count=none&title=ilike.%25qz%25".to_owned(),
    ];
    for path in paths {
        let requests = vec![get(&path, &filled.key)];
        let seen = sample(&filled.server, &requests, 1, Duration::from_millis(500))?;
        if seen.p50 >= 20.0 {
            return Ok(Some((requests, seen.p50)));
        }
    }
    Ok(None)
}

/// The cursor after `depth` rows, found as a client finds it: page by page.
fn cursor_at(filled: &Filled, depth: usize) -> Result<String, Fault> {
    let mut cursor = String::new();
    for _ in 0..depth / 100 {
        let path = format!("/api/v1/contacts?sort=-updated_at&limit=100&cursor={cursor}");
        let (_, body) = load::send_one(filled.server.address, &get(&path, &filled.key))?;
        let page: serde_json::Value = serde_json::from_slice(&body)?;
        cursor = page["meta"]["next_cursor"].as_str().ok_or("a page has no next one")?.to_owned();
    }
    Ok(cursor)
}
