//! Outages: a disk that fills up, a PostgreSQL that crashes or hangs, and many nodes on one database.
//!
//! Requests that can't be served get `unavailable`, all others work, and after the outage everything recovers without a
//! restart.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::json;

use crate::support::*;

// ---- a full disk ----

/// A small disk for the test, if it may mount one.
struct Disk(PathBuf);

impl Disk {
    fn mount(place: &Path, size: &str) -> Option<Disk> {
        std::fs::create_dir_all(place).unwrap_or_else(|error| panic!("cannot make {}: {error}", place.display()));
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={size},mode=700"), "tmpfs"]).arg(place);
        (Ran::of(mount).code == Some(0)).then(|| Disk(place.to_owned()))
    }

    fn grow(&self, size: &str) {
        let mut mount = Command::new("mount");
        mount.args(["-o", &format!("remount,size={size}")]).arg(&self.0);
        Ran::of(mount).ok();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily: the server may still have open files on it.
        let mut unmount = Command::new("umount");
        unmount.arg("--lazy").arg(&self.0);
        Ran::of(unmount);
    }
}

/// Writes until the disk is full; returns how many writes were acknowledged.
fn fill(key: &Client) -> u64 {
    let mut acknowledged = 0;
    loop {
        let summary = "All work and no play. ".repeat(400);
        let answer = key.post("/contacts", json!({"first_name": "Ada", "summary": summary}));
        if answer.status != 201 {
            answer.error(503, "unavailable");
            return acknowledged;
        }
        acknowledged += 1;
        assert!(acknowledged < 20_000, "the disk does not fill up");
    }
}

#[test]
fn a_full_disk_stops_writes_and_nothing_else() {
    let world = World::idle(Engine::Sqlite);
    let Some(disk) = Disk::mount(&world.data(), "6m") else {
        // Without the right to mount, the test below covers a full disk.
        return;
    };
    world.start();
    survive_a_full_disk(&world, || disk.grow("64m"));
    world.stop();
}

/// The same with a file that may not grow, as with a quota.
#[test]
fn a_file_that_may_not_grow_stops_writes_and_nothing_else() {
    let world = World::idle(Engine::Sqlite);
    world.start_by("trap '' XFSZ; ulimit -S -f 4096; exec \"$@\"");
    let pid = world.with_server(|server| server.id().to_string());
    survive_a_full_disk(&world, || {
        let mut raise = Command::new("prlimit");
        raise.args(["--pid", &pid, "--fsize=unlimited:unlimited"]);
        Ran::of(raise).ok();
    });
    world.stop();
}

fn survive_a_full_disk(world: &World, make_room: impl Fn()) {
    let key = world.key("crm");
    world.set(&["--rate-limit", "100000"]);
    let first = text(&key.post("/contacts", json!({"first_name": "First"})).created()["id"]);
    let acknowledged = 1 + fill(&key);
    assert!(acknowledged > 10, "the disk was too small to begin with");

    // As long as it lasts, reads work.
    for _ in 0..40 {
        assert_eq!(key.get(&format!("/contacts/{first}")).ok()["first_name"], "First");
        assert_eq!(key.list("/contacts", &[("limit", "3")]).page().total(), acknowledged);
        assert_eq!(key.list("/contacts", &[("first_name", "ilike.fir%")]).page().total(), 1);
        key.get("/me").ok();
    }
    world.stranger().visit("/healthz").send().is(200);

    make_room();
    eventually("a write after there is room again", PATIENCE, || {
        let answer = key.put(&format!("/contacts/{first}"), json!({"title": "Back"}));
        assert!([200, 503].contains(&answer.status), "{answer}");
        (answer.status == 200).then_some(())
    });
    assert_eq!(key.list("/contacts", &[("limit", "1")]).page().total(), acknowledged);
    assert_eq!(key.list("/contacts", &[("title", "Back")]).page().total(), 1);
    world.check_integrity();
}

/// Reads work beyond the reserved rate-limit quota: counting them must not need the disk.
#[test]
fn a_full_disk_does_not_stop_reads_at_the_next_block_of_the_limit() {
    let world = World::idle(Engine::Sqlite);
    let Some(disk) = Disk::mount(&world.data(), "6m") else { return };
    world.start();
    world.set(&["--rate-limit", "1000"]);
    let key = world.key("crm");
    let acknowledged = fill(&key);
    let mut remaining = i64::MAX;
    for _ in 0..100 {
        let answer = key.list("/contacts", &[("limit", "1")]);
        assert_eq!(answer.page().total(), acknowledged);
        assert!(answer.number("X-RateLimit-Remaining") < remaining, "after {remaining}: {answer}");
        remaining = answer.number("X-RateLimit-Remaining");
    }
    disk.grow("64m");
    eventually("a write after there is room again", PATIENCE, || {
        (key.post("/contacts", json!({"first_name": "Back"})).status == 201).then_some(())
    });
}

// ---- PostgreSQL crashes ----

/// Sends requests of all kinds during the outage; every answer must be `unavailable`.
fn every_request_is_unavailable(key: &Client, id: &str) {
    let asked = [
        key.get(&format!("/contacts/{id}")),
        key.get("/contacts"),
        key.list("/contacts", &[("title", "ilike.%x%")]),
        key.post("/contacts", json!({"first_name": "Lost"})),
        key.put(&format!("/contacts/{id}"), json!({"title": "Lost"})),
        key.get("/me"),
    ];
    for answer in asked {
        answer.error(503, "unavailable");
    }
}

fn everything_works(key: &Client, id: &str, title: &str) {
    eventually("a write after the database came back", PATIENCE, || {
        let answer = key.put(&format!("/contacts/{id}"), json!({"title": title}));
        assert!([200, 503].contains(&answer.status), "{answer}");
        (answer.status == 200).then_some(())
    });
    // Each lost connection is noticed at most once, and none ever causes a 500.
    for path in [format!("/contacts/{id}"), "/contacts?title=ilike.%25a%25".to_owned(), "/contacts".to_owned()] {
        eventually("reads after the database came back", PATIENCE, || {
            let all: Vec<u16> = (0..20).map(|_| key.get(&path).status).collect();
            assert!(all.iter().all(|status| [200, 503].contains(status)), "{path}: {all:?}");
            all.iter().all(|status| *status == 200).then_some(())
        });
    }
    assert_eq!(key.get(&format!("/contacts/{id}")).ok()["title"], title);
}

/// A service on a separate cluster, with a key and a contact.
fn on_a_private_cluster() -> (Cluster, World, Client, String) {
    let cluster = Cluster::new();
    let world = World::at(&cluster.url());
    world.start();
    let key = world.key("full_access");
    let id = text(&key.post("/contacts", json!({"first_name": "Ada"})).created()["id"]);
    (cluster, world, key, id)
}

#[test]
fn the_server_reconnects_after_postgres_crashes() {
    let (cluster, world, key, id) = on_a_private_cluster();
    for round in 0..3 {
        cluster.crash();
        every_request_is_unavailable(&key, &id);
        world.stranger().visit("/healthz").send().is(200);
        world.stranger().visit("/readyz").send().is(503);
        // A key that is not cached can't be looked up, but is not reported as invalid.
        world.holder(&format!("relata_{}", "0".repeat(36))).get("/me").is(401);
        cluster.start();
        everything_works(&key, &id, &format!("Round {round}"));
        world.stranger().visit("/readyz").send().is(200);
    }
    assert_eq!(key.get("/contacts").page().total(), 1, "a refused write was stored");
}

#[test]
fn requests_wait_for_a_short_lock() {
    let (cluster, _world, key, id) = on_a_private_cluster();
    let task = text(&key.post("/tasks", json!({"title": "Call"})).created()["id"]);
    let paths = [format!("/contacts/{id}"), format!("/tasks/{task}"), "/contacts?first_name=Ada".to_owned()];
    let held = "LOCK TABLE contacts, tasks IN ACCESS EXCLUSIVE MODE";
    std::thread::scope(|scope| {
        // As long as an operator's work on a table may take.
        let asked: Vec<_> = cluster.hold(held, || {
            let asked = paths.iter().map(|path| scope.spawn(|| key.get(path))).collect();
            // Longer than the first two attempts of any of them may take. The last one has ten seconds.
            std::thread::sleep(Duration::from_millis(1500));
            asked
        });
        for one in asked {
            one.join().expect("an answer").is(200);
        }
        // A longer lock gives `unavailable`.
        cluster.hold(held, || {
            let asked: Vec<_> = paths[..2].iter().map(|path| scope.spawn(|| key.get(path))).collect();
            for one in asked {
                one.join().expect("an answer").error(503, "unavailable");
            }
        });
    });
    everything_works(&key, &id, "Free");
}

#[test]
fn waiting_for_a_hung_postgres_is_limited() {
    let (cluster, world, key, id) = on_a_private_cluster();
    cluster.freeze();
    let began = stopwatch();
    let answers = at_once(4, |number| match number {
        0 => key.get("/contacts"),
        1 => key.get(&format!("/contacts/{id}")),
        2 => key.post("/contacts", json!({"first_name": "Late"})),
        _ => key.list("/contacts", &[("title", "ilike.%x%")]),
    });
    for answer in answers {
        answer.error(503, "unavailable");
    }
    assert!(began.elapsed() < Duration::from_secs(55), "held up for {:?}", began.elapsed());
    world.stranger().visit("/healthz").send().is(200);
    cluster.thaw();
    everything_works(&key, &id, "Awake");
}

// ---- many nodes ----

#[test]
fn six_nodes_start_at_once_on_an_empty_database() {
    let cluster = Cluster::new();
    // Neither the folder nor the secret exists yet: the first node creates each of them once.
    let world = World::at(&cluster.url());
    let mut nodes: Vec<Server> = (0..6).map(|number| world.launch(&format!("node {number}"))).collect();
    for node in &mut nodes {
        eventually("six healthy nodes", PATIENCE, || {
            assert_eq!(node.exited(), None, "a node ended:\n{}", node.log());
            node.is_healthy().then_some(())
        });
    }
    assert_eq!(world.cli(["workspace", "list"]).ok().lines().count(), 1);
    assert_eq!(world.cli(["members", "list"]).ok().lines().count(), 1);
    // One of them printed the set-up link, and a key works on all six.
    assert_eq!(nodes.iter().filter(|node| node.log().contains("/setup#")).count(), 1);
    let key = world.key("crm");
    for node in &nodes {
        let there = key.at(&node.origin());
        eventually("the key opens every node", PATIENCE, || {
            let answer = there.get("/me");
            // A node may still wait for its connections: six nodes open about a hundred at once.
            (answer.status != 503).then(|| answer.ok())
        });
    }
}

#[test]
fn changes_show_on_other_nodes_within_a_second() {
    let world = World::new(Engine::Postgres);
    let Some(second) = world.another_node() else { panic!("PostgreSQL is shared") };
    let here = world.key("crm");
    let there = here.at(&second.origin());
    let contact = here.post("/contacts", json!({"first_name": "Ada", "tags": ["VIP"]})).created();
    let path = format!("/contacts/{}", text(&contact["id"]));
    // Both nodes have cached the name.
    assert_eq!(
        [here.get(&path).ok()["tags"].clone(), there.get(&path).ok()["tags"].clone()],
        [json!(["VIP"]), json!(["VIP"])]
    );
    let tag = text(&here.get("/tags").page().rows[0]["id"]);
    for name in ["Guest", "Friend", "Family"] {
        here.put(&format!("/tags/{tag}"), json!({"name": name})).ok();
        within_a_second("the new name on the other node", || {
            (there.get(&path).ok()["tags"] == json!([name])).then_some(())
        });
        let found = there.list("/contacts", &[("tags", &format!("cs.{{{name}}}"))]).page().total();
        assert_eq!(found, 1, "the other node finds it by its new name");
    }
    here.delete(&format!("/tags/{tag}")).ok();
    within_a_second("the tag gone on the other node", || (there.get(&path).ok()["tags"] == json!([])).then_some(()));

    let guest = world.key("crm");
    let abroad = guest.at(&second.origin());
    guest.get("/me").ok();
    let id = text(&abroad.get("/me").ok()["key"]["id"]);
    world.cli(["keys", "revoke", &id]).ok();
    within_a_second("a revoked key refused on both nodes", || {
        ([guest.get("/me").status, abroad.get("/me").status] == [401, 401]).then_some(())
    });
}

#[test]
fn a_database_with_a_newer_schema_is_not_changed() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let world = World::new(engine);
        let key = world.key("crm");
        key.post("/contacts", json!({"first_name": "Ada"})).created();
        world.stop();
        world.change("INSERT INTO migrations (version, name) VALUES (1000, 'tomorrow')");
        let mut serve = relata();
        serve.args(["serve", "--listen", &format!("127.0.0.1:{}", free_port())]).args(world.options());
        assert!(Ran::of(serve).refused().contains("newer"));
        assert!(world.cli(["keys", "list"]).refused().contains("newer"));
        assert!(world.cli(["migrate"]).refused().contains("newer"));
        world.change("DELETE FROM migrations WHERE version = 1000");
        world.start();
        assert_eq!(key.get("/contacts").page().total(), 1);
    }
}
