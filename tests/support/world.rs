//! The world of one test: a database, a server on it and operator commands.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::time::Duration;

use tempfile::TempDir;

use super::client::Client;
use super::cluster::{self, Database};
use super::process::{Ran, Server, free_port, relata};
use super::wait::{PATIENCE, stopwatch};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Sqlite,
    Postgres,
}

pub(crate) struct World {
    // The order of dropping: the server first, then its database.
    server: Mutex<Option<Server>>,
    database: Option<Database>,
    folder: TempDir,
    port: u16,
}

impl World {
    /// A world with a running server on a private database.
    pub(crate) fn new(engine: Engine) -> World {
        let world = World::idle(engine);
        world.start();
        world
    }

    /// Runs a test, and checks at its end that the database is consistent.
    pub(crate) fn play(self, story: impl FnOnce(&World)) {
        let began = stopwatch();
        story(&self);
        self.check_agreement();
        note_time(began.elapsed());
    }

    /// Whether references, terms, counts and sums agree with the records. If a test broke the installation on purpose
    /// there is nothing to check.
    #[track_caller]
    pub(crate) fn check_agreement(&self) {
        let checked = self.run(&["check"]);
        let is_done = checked.out.contains("Checked ");
        assert!(
            !checked.out.contains("fault\t") && checked.code != Some(101),
            "the database is inconsistent: {checked}"
        );
        assert!(is_done || !checked.err.contains("internal"), "{checked}");
    }

    /// A world whose server was never started.
    pub(crate) fn idle(engine: Engine) -> World {
        let database = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(Database::migrated()),
        };
        let is_embedded = database.is_none();
        let world = World::on(database);
        if is_embedded {
            copy_folder(migrated_folder(), &world.data());
        }
        world
    }

    /// Another world of this kind with an unused database.
    pub(crate) fn untouched(&self) -> World {
        World::on(self.database.is_some().then(Database::empty))
    }

    /// A world whose server was never started, on a database that the test manages itself.
    pub(crate) fn at(url: &str) -> World {
        World::bare(Some(Database::at(url)))
    }

    fn on(database: Option<Database>) -> World {
        let world = World::bare(database);
        if world.database.is_some() {
            copy_folder(cluster::template_data(), &world.data());
        }
        world
    }

    fn bare(database: Option<Database>) -> World {
        print_failures_at_once();
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("cannot make a temporary folder: {error}"));
        World { server: Mutex::new(None), database, folder, port: free_port() }
    }

    /// The data folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// A path for a test's own files.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Whether the database is a server that several nodes can share, with its own backups.
    pub(crate) fn database_is_shared(&self) -> bool {
        self.database.is_some()
    }

    /// The options that make a command use this world.
    pub(crate) fn options(&self) -> Vec<String> {
        let mut options = vec!["--data".to_owned(), self.data().display().to_string()];
        if let Some(database) = &self.database {
            options.extend(["--database-url".to_owned(), database.url.clone()]);
        }
        options
    }

    /// The number of events in the database, to check that a change without effect writes none.
    pub(crate) fn events(&self) -> u64 {
        self.count("SELECT CAST(count(*) AS text) FROM events")
    }

    /// A number from a query, as text.
    pub(crate) fn count(&self, sql: &str) -> u64 {
        let count = match &self.database {
            Some(database) => database.ask(sql).concat(),
            None => self.ask_file(sql),
        };
        count.parse().unwrap_or_else(|_| panic!("not a count: {count}"))
    }

    /// Changes the database directly, as another program would.
    pub(crate) fn change(&self, sql: &str) {
        match &self.database {
            Some(database) => drop(database.ask(sql)),
            None => {
                let path = self.data().join("relata.db");
                let file = rusqlite::Connection::open(&path);
                let changed = file.and_then(|file| file.execute_batch(sql));
                changed.unwrap_or_else(|error| panic!("{sql}: {error}"));
            }
        }
    }

    /// Runs something while no write can proceed, as with a slow disk or a long transaction.
    pub(crate) fn hold<T>(&self, meanwhile: impl FnOnce() -> T) -> T {
        match &self.database {
            Some(database) => database.hold("UPDATE heads SET stamp = stamp", meanwhile),
            None => {
                let path = self.data().join("relata.db");
                let held = rusqlite::Connection::open(&path).and_then(|file| {
                    file.execute_batch("BEGIN IMMEDIATE")?;
                    let done = meanwhile();
                    file.execute_batch("ROLLBACK")?;
                    Ok(done)
                });
                held.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
            }
        }
    }

    /// Whether any stored data of the service contains a text.
    pub(crate) fn stores(&self, text: &str) -> bool {
        let holds = |bytes: Vec<u8>| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        let in_files = files(&self.data()).iter().any(|path| fs::read(path).is_ok_and(holds));
        in_files || self.database.as_ref().is_some_and(|database| database.stores(text))
    }

    /// Checks the integrity of the database with the engine's own means.
    pub(crate) fn check_integrity(&self) {
        if self.database.is_none() {
            assert_eq!(self.ask_file("PRAGMA integrity_check"), "ok");
            assert_eq!(self.ask_file("SELECT CAST(count(*) AS text) FROM pragma_foreign_key_check"), "0");
        }
    }

    fn ask_file(&self, sql: &str) -> String {
        let path = self.data().join("relata.db");
        let file = rusqlite::Connection::open_with_flags(&path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)
            .unwrap_or_else(|error| panic!("cannot open {}: {error}", path.display()));
        file.query_one(sql, [], |row| row.get(0)).unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// A copy of the database of a stopped server, as an operator makes it without this program.
    pub(crate) fn database_copy(&self) -> DatabaseCopy {
        match &self.database {
            Some(database) => DatabaseCopy(Copied::Database(database.copy())),
            None => {
                let folder = self.file("copy");
                copy_folder_if(&self.data(), &folder, is_database);
                DatabaseCopy(Copied::Folder(folder))
            }
        }
    }

    /// Replaces the database of a stopped server by an earlier copy. All other files stay.
    pub(crate) fn replace_database(&self, copy: &DatabaseCopy) {
        match (&self.database, &copy.0) {
            (Some(database), Copied::Database(copy)) => database.replace_by(copy),
            (None, Copied::Folder(folder)) => {
                for path in files(&self.data()).into_iter().filter(|path| is_database(path)) {
                    fs::remove_file(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                }
                copy_folder_if(folder, &self.data(), is_database);
            }
            _ => panic!("the copy is of another engine"),
        }
    }

    // Starting and stopping the server.

    pub(crate) fn start(&self) {
        let mut server = self.server();
        assert!(server.is_none(), "the server runs already");
        *server = Some(Server::start(self.port, &self.options(), &self.log_file()));
    }

    /// Starts the server by a shell command that gets its program and arguments.
    pub(crate) fn start_by(&self, shell: &str) {
        *self.server() = Some(Server::start_by(Some(shell), self.port, &self.options(), &self.log_file()));
    }

    /// Stops the server as a service manager does, and waits for it.
    pub(crate) fn stop(&self) {
        if let Some(mut server) = self.server().take() {
            server.terminate();
            let status = server.wait(PATIENCE);
            assert!(status.success(), "the server ended with {status}:\n{}", server.log());
        }
    }

    pub(crate) fn restart(&self) {
        self.stop();
        self.start();
    }

    /// Kills the server like a power cut.
    pub(crate) fn kill9(&self) {
        if let Some(mut server) = self.server().take() {
            server.kill9();
        }
    }

    /// Runs something with the running server's process.
    pub(crate) fn with_server<T>(&self, act: impl FnOnce(&mut Server) -> T) -> T {
        act(self.server().as_mut().unwrap_or_else(|| panic!("the server does not run")))
    }

    /// The log of this world's servers.
    pub(crate) fn log(&self) -> String {
        String::from_utf8_lossy(&fs::read(self.log_file()).unwrap_or_default()).into_owned()
    }

    /// Starts another server with the same options without waiting for it.
    pub(crate) fn launch(&self, name: &str) -> Server {
        Server::launch(free_port(), &self.options(), &self.file(name))
    }

    /// Another server beside the first, if the database can be shared.
    pub(crate) fn another_node(&self) -> Option<Server> {
        let database = self.database.as_ref()?;
        let data = self.file("second");
        copy_folder(&self.data(), &data);
        let options =
            ["--data".to_owned(), data.display().to_string(), "--database-url".to_owned(), database.url.clone()];
        Some(Server::start(free_port(), &options, &self.file("second.log")))
    }

    fn server(&self) -> MutexGuard<'_, Option<Server>> {
        // A test that panics while it holds the lock leaves nothing half done.
        self.server.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn log_file(&self) -> PathBuf {
        self.file("server.log")
    }

    // Operator commands.

    /// Runs a command on this world.
    pub(crate) fn cli<const N: usize>(&self, arguments: [&str; N]) -> Ran {
        self.run(&arguments)
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = relata();
        command.args(arguments).args(self.options());
        Ran::of(command)
    }

    /// Changes settings of the first workspace.
    #[track_caller]
    pub(crate) fn set(&self, settings: &[&str]) {
        self.run(&[&["workspace", "set"], settings].concat()).ok();
    }

    // Clients.

    /// A client with a new key of the first workspace's owner, for a bundle (`crm`) or for scopes
    /// (`tags:read,tags:write`).
    #[track_caller]
    pub(crate) fn key(&self, grants: &str) -> Client {
        self.key_with(grants, &[])
    }

    /// The same with more options of `keys create`.
    #[track_caller]
    pub(crate) fn key_with(&self, grants: &str, options: &[&str]) -> Client {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let name = format!("Key {}", NEXT.fetch_add(1, Ordering::Relaxed));
        let kind = if grants.contains(':') { "--scopes" } else { "--bundle" };
        let created = self.run(&[&["keys", "create", "--name", &name, kind, grants], options].concat());
        self.holder(created.ok())
    }

    /// A client with this text as its key.
    pub(crate) fn holder(&self, token: &str) -> Client {
        Client::new(self.origin(), Some(token.to_owned()))
    }

    /// A client without a key.
    pub(crate) fn stranger(&self) -> Client {
        Client::new(self.origin(), None)
    }

    /// Another workspace with its own owner.
    #[track_caller]
    pub(crate) fn workspace(&self, slug: &str) -> Workspace<'_> {
        let owner = format!("owner@{slug}.example.com");
        self.cli(["workspace", "create", "--name", slug, "--slug", slug, "--owner", &owner]).ok();
        Workspace { world: self, slug: slug.to_owned() }
    }
}

/// Adds how long this test took to the file that RELATA_TEST_TIMES names.
fn note_time(took: Duration) {
    let Ok(path) = std::env::var("RELATA_TEST_TIMES") else { return };
    let story = std::thread::current().name().unwrap_or("a story").to_owned();
    let file = fs::File::options().create(true).append(true).open(path);
    // One call, so that lines of other tests do not come in between.
    let line = format!("{:.1} {story}\n", took.as_secs_f64());
    file.and_then(|mut file| file.write_all(line.as_bytes())).unwrap_or_else(|error| panic!("no times: {error}"));
}

/// Prints why a test failed at once, not only at the end of a long run.
fn print_failures_at_once() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            before(panic);
            let story = std::thread::current().name().unwrap_or("a thread of a story").to_owned();
            // Not with `eprintln!`, whose output is captured until the end.
            let _ = writeln!(std::io::stderr(), "{story}: {panic}");
        }));
    });
}

/// A workspace that is not the first.
pub(crate) struct Workspace<'a> {
    world: &'a World,
    pub slug: String,
}

impl Workspace<'_> {
    /// A client with a new key of this workspace's owner.
    #[track_caller]
    pub(crate) fn key(&self, grants: &str) -> Client {
        self.world.key_with(grants, &["--workspace", &self.slug])
    }

    #[track_caller]
    pub(crate) fn set(&self, settings: &[&str]) {
        self.world.set(&[settings, &["--workspace", &self.slug]].concat());
    }
}

/// Every file in a folder and below it.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("cannot read {}: {error}", folder.display()));
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// A copy of a world's database.
pub(crate) struct DatabaseCopy(Copied);

enum Copied {
    Folder(PathBuf),
    Database(Database),
}

fn is_database(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("relata.db"))
}

/// A data folder with a migrated database, made once a run, so that no story spends its time on creating tables.
fn migrated_folder() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("cannot make a temporary folder: {error}"));
        let mut migrate = relata();
        migrate.arg("migrate").arg("--data").arg(folder.path());
        Ran::of(migrate).ok();
        folder
    });
    folder.path()
}

/// Copies the files of a folder, with their permissions.
fn copy_folder(from: &Path, to: &Path) {
    copy_folder_if(from, to, |_| true);
}

fn copy_folder_if(from: &Path, to: &Path, is_wanted: impl Fn(&Path) -> bool) {
    let failed = |error: std::io::Error| panic!("cannot copy {} to {}: {error}", from.display(), to.display());
    fs::create_dir_all(to).unwrap_or_else(failed);
    for path in files(from).into_iter().filter(|path| is_wanted(path)) {
        if let Some(name) = path.file_name() {
            fs::copy(&path, to.join(name)).map(|_| ()).unwrap_or_else(failed);
        }
    }
}

/// An id that no record has.
pub(crate) fn nobody() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    format!("01890000-0000-7000-8000-{:012x}", NEXT.fetch_add(1, Ordering::Relaxed))
}
