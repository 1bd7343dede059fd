//! The operator's commands, with and without a running server, for people and for scripts.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::dashboard::owner;
use crate::support::*;

stories![
    the_first_start_says_what_to_do_next,
    starting_again_changes_nothing,
    servers_that_start_at_once_make_one_workspace,
    keys_are_made_listed_and_revoked,
    keys_are_refused_with_a_reason,
    commands_work_while_the_server_does_not,
    a_key_made_while_the_server_is_down_works_when_it_is_up,
    workspaces_are_made_listed_and_set,
    settings_are_refused_with_a_reason,
    settings_hold_within_a_second,
    members_are_added_and_listed,
    a_workspace_is_chosen_by_its_slug,
    migrating_again_changes_nothing,
    options_come_from_flags_then_environment_then_a_file,
    links_begin_with_the_public_address,
    a_public_address_that_makes_broken_links_is_refused,
    a_start_that_fails_leaves_the_set_up_link_to_the_next,
    links_use_the_servers_public_url_in_any_workspace,
    an_owner_has_a_name,
    the_secret_is_private,
    another_secret_is_refused,
    a_second_server_shares_the_database_or_is_refused,
    a_port_in_use_is_refused,
    wrong_commands_are_refused_with_a_reason,
    errors_name_the_option_and_a_solution,
    help_shows_examples,
    a_reader_that_closes_the_pipe_early_is_no_error,
    without_a_command_the_environment_counts_too,
];

/// The lines of `keys list`, split into columns.
#[track_caller]
fn key_lines(world: &World) -> Vec<Vec<String>> {
    let listed = world.cli(["keys", "list"]);
    listed.ok().lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

#[track_caller]
fn line_of(world: &World, name: &str) -> Vec<String> {
    let lines = key_lines(world);
    let found = lines.iter().find(|line| line.get(1).is_some_and(|it| it == name)).cloned();
    found.unwrap_or_else(|| panic!("{name} is not listed: {lines:?}"))
}

fn the_first_start_says_what_to_do_next(world: &World) {
    let fresh = world.untouched();
    let server = fresh.launch("first.log");
    let origin = server.origin();
    let begins = |word: &&str| word.starts_with(&origin) && word.len() > origin.len() + 20;
    let said = eventually("the link to set up the dashboard", PATIENCE, || {
        let said = server.log();
        let linked = said.split(['"', ' ', '\n', '<', '>']).any(|word| begins(&word));
        (linked && said.contains("keys create")).then_some(said)
    });
    assert!(said.contains("keys create"), "the command that creates a key is not printed:\n{said}");
    assert_eq!(fresh.cli(["workspace", "list"]).ok().lines().count(), 1);
    assert_eq!(fresh.cli(["members", "list"]).ok().lines().count(), 1);
    assert_eq!(key_lines(&fresh).len(), 0, "a key was created without a command");
}

fn starting_again_changes_nothing(world: &World) {
    let key = world.key("crm");
    let contact = key.post("/contacts", json!({"first_name": "Ada"})).created();
    let lists = || [["workspace", "list"], ["members", "list"]].map(|command| world.cli(command).ok().to_owned());
    let before = lists();
    world.restart();
    assert_eq!(lists(), before);
    assert_eq!(key_lines(world).len(), 1);
    assert_eq!(key.get("/contacts").page().rows, [contact]);
}

fn servers_that_start_at_once_make_one_workspace(world: &World) {
    let fresh = world.untouched();
    let mut servers: Vec<Server> = (0..3).map(|number| fresh.launch(&format!("node {number}"))).collect();
    let running = eventually("every server's start or refusal", PATIENCE, || {
        let settled = |server: &mut Server| server.exited().is_some() || server.is_healthy();
        servers
            .iter_mut()
            .all(settled)
            .then(|| servers.iter_mut().filter_map(|it| it.exited().is_none().then_some(())).count())
    });
    assert_eq!(running, if world.database_is_shared() { 3 } else { 1 });
    assert_eq!(fresh.cli(["workspace", "list"]).ok().lines().count(), 1);
    assert_eq!(fresh.cli(["members", "list"]).ok().lines().count(), 1);
}

fn keys_are_made_listed_and_revoked(world: &World) {
    let made = world.cli(["keys", "create", "--name", "Zapier", "--scopes", "contacts:read,tags:read"]);
    let token = made.ok().to_owned();
    assert_eq!(made.out, format!("{token}\n"), "standard output contains only the key");
    assert_eq!(token.len(), 43);
    let owner = world.holder(&token).get("/me").ok()["user"]["email"].clone();

    let line = line_of(world, "Zapier");
    assert_eq!(line.len(), 9, "{line:?}");
    let [id, name, shown, owned, scopes, created, used, state, expires] = &line[..] else { panic!("{line:?}") };
    assert_eq!(expires, "never", "{line:?}");
    let brief = ["keys", "create", "--name", "Brief", "--bundle", "crm", "--expires", "2099-12-31"];
    world.run(&brief).ok();
    assert!(line_of(world, "Brief")[8].starts_with("2099-12-31T"), "{:?}", line_of(world, "Brief"));
    assert_eq!(uuid::Uuid::parse_str(id).ok().map(|id| id.to_string()), Some(id.clone()));
    assert_eq!(name, "Zapier");
    assert!(shown.starts_with("relata_") && shown.ends_with(&token[token.len() - 4..]), "{shown}");
    assert!(shown.contains('…') && shown.chars().count() < 25, "{shown}");
    assert_eq!(json!(owned), owner);
    assert!(scopes.contains("contacts:read") && scopes.contains("tags:read"), "{scopes}");
    assert!(created.parse::<jiff::Timestamp>().is_ok(), "{created}");
    assert_eq!(state, "active", "{line:?}");
    assert!(!key_lines(world).concat().concat().contains(&token), "the list shows the whole key");

    // The last use is recorded with a short delay.
    eventually(&format!("the key's last use, {used}"), PATIENCE, || {
        line_of(world, "Zapier")[6].parse::<jiff::Timestamp>().ok()
    });

    world.cli(["keys", "revoke", id]).ok();
    assert_eq!(line_of(world, "Zapier")[7], "revoked");
    within_a_second("the refusal", || (world.holder(&token).get("/tags").status == 401).then_some(()));
    // Revoking again has no effect.
    world.cli(["keys", "revoke", id]);
    assert_eq!(line_of(world, "Zapier")[7], "revoked");
}

fn keys_are_refused_with_a_reason(world: &World) {
    let create = |more: &[&str]| world.run(&[&["keys", "create", "--name", "Zapier"], more].concat());
    assert!(create(&[]).refused().contains("--bundle"));
    assert!(
        create(&["--bundle", "everything"]).refused().contains("full_access"),
        "the error does not list the bundles"
    );
    let unknown = create(&["--scopes", "contacts:read,contacts:eat"]);
    assert!(unknown.refused().contains("contacts:eat"), "{unknown}");
    assert!(create(&["--scopes", ""]).refused().len() > 5);
    let unowned = create(&["--bundle", "crm", "--owner", "nobody@example.com"]);
    assert!(unowned.refused().contains("nobody@example.com"), "{unowned}");
    assert!(create(&["--bundle", "crm", "--expires", "soon"]).refused().contains("expires"));
    assert!(create(&["--bundle", "crm", "--expires", "2001-01-01"]).refused().contains("expires"));
    let elsewhere = create(&["--bundle", "crm", "--workspace", "nowhere"]);
    assert!(elsewhere.refused().contains("nowhere"), "{elsewhere}");
    assert!(world.cli(["keys", "create", "--bundle", "crm"]).refused().contains("--name"));
    let unknown = nobody();
    assert!(world.cli(["keys", "revoke", &unknown]).refused().contains("key"));
    world.cli(["keys", "revoke", "Zapier"]).refused();
    assert_eq!(key_lines(world).len(), 0, "a refused command made a key");
}

fn commands_work_while_the_server_does_not(world: &World) {
    world.stop();
    world.cli(["members", "add", "--email", "grace@example.com", "--name", "Grace Hopper"]).ok();
    assert!(world.cli(["members", "list"]).ok().contains("grace@example.com"));
    world.cli(["workspace", "create", "--name", "Second", "--slug", "second", "--owner", "owner@example.com"]).ok();
    assert!(world.cli(["workspace", "list"]).ok().contains("second"));
    world.cli(["workspace", "set", "--rate-limit", "77"]).ok();
    let key = world.key("crm");
    world.cli(["keys", "list"]).ok();
    world.cli(["migrate"]).ok();
    world.cli(["openapi"]).ok();
    world.start();
    assert_eq!(key.get("/contacts").number("X-RateLimit-Limit"), 77);
    assert_eq!(key.get("/workspace/members").page().total(), 2);
}

fn a_key_made_while_the_server_is_down_works_when_it_is_up(world: &World) {
    let gone = world.key("crm");
    let id = text(&gone.get("/me").ok()["key"]["id"]);
    world.stop();
    let made = world.key("crm");
    world.cli(["keys", "revoke", &id]).ok();
    world.start();
    made.get("/contacts").page();
    gone.get("/contacts").error(401, "invalid_api_key");
}

fn workspaces_are_made_listed_and_set(world: &World) {
    let second = world.workspace("second");
    let listed = world.cli(["workspace", "list"]);
    assert_eq!(listed.ok().lines().count(), 2);
    assert!(listed.ok().contains("second"), "{listed}");
    let key = second.key("full_access");
    let me = key.get("/me").ok();
    assert_eq!(me["workspace"]["slug"], "second");
    assert_eq!(me["user"]["email"], "owner@second.example.com");
    assert_eq!(me["user"]["role"], "owner");
    assert_eq!((&me["workspace"]["plan"], &me["workspace"]["subscription"]), (&json!("scale"), &json!("active")));

    second.set(&["--timezone", "Europe/Paris", "--currency", "EUR", "--plan", "growth"]);
    second.set(&["--sourcing-credits", "5", "--enrichment-credits", "0", "--rate-limit", "99"]);
    let me = within_a_second("the settings", || {
        let me = key.get("/me").ok();
        (me["limits"]["requests_per_hour"] == 99).then_some(me)
    });
    let workspace = &me["workspace"];
    assert_eq!((&workspace["timezone"], &workspace["currency"]), (&json!("Europe/Paris"), &json!("EUR")));
    assert_eq!(workspace["plan"], "growth");
    assert_eq!(me["credits"], json!({"sourcing": 5, "enrichment": 0}));
    // The balance is set, not increased.
    second.set(&["--sourcing-credits", "7"]);
    within_a_second("the balance", || (key.get("/me").ok()["credits"]["sourcing"] == 7).then_some(()));
    assert_eq!(
        world.key("crm").get("/me").ok()["credits"]["sourcing"],
        1000,
        "the balance of another workspace changed"
    );
}

fn settings_are_refused_with_a_reason(world: &World) {
    let key = world.key("crm");
    let before = key.get("/me").ok();
    let set = |settings: &[&str]| world.run(&[&["workspace", "set"], settings].concat());
    for (option, wrong) in [
        ("--rate-limit", "many"),
        ("--rate-limit", "-1"),
        ("--sourcing-credits", "-1"),
        ("--enrichment-credits", "x"),
        ("--plan", "platinum"),
        ("--subscription", "maybe"),
        ("--timezone", "Mars/Olympus"),
        ("--currency", "EURO"),
        ("--currency", "eu"),
    ] {
        let refused = set(&[option, wrong]);
        refused.refused();
        // With a valid option beside it: nothing may be changed.
        set(&["--timezone", "Europe/Paris", option, wrong]).refused();
    }
    assert!(set(&["--plan", "platinum"]).refused().contains("starter"), "the error does not list the plans");
    set(&["--rate-limit", "5", "--workspace", "nowhere"]).refused();
    let create = |arguments: &[&str]| world.run(&[&["workspace", "create"], arguments].concat());
    world.workspace("second");
    create(&["--name", "Second", "--slug", "second", "--owner", "owner@example.com"]).refused();
    create(&["--name", "Third", "--slug", "Not a slug", "--owner", "owner@example.com"]).refused();
    create(&["--name", "Third", "--slug", "third", "--owner", "nobody"]).refused();
    create(&["--name", "", "--slug", "third", "--owner", "owner@example.com"]).refused();
    assert_eq!(world.cli(["workspace", "list"]).ok().lines().count(), 2);
    assert_eq!(key.get("/me").ok()["workspace"], before["workspace"]);
}

fn settings_hold_within_a_second(world: &World) {
    let key = world.key("crm");
    for limit in ["500", "600", "700"] {
        key.get("/me").ok();
        world.set(&["--rate-limit", limit]);
        within_a_second("the limit", || (key.get("/tags").header("X-RateLimit-Limit") == limit).then_some(()));
    }
}

fn members_are_added_and_listed(world: &World) {
    let add = |arguments: &[&str]| world.run(&[&["members", "add"], arguments].concat());
    add(&["--email", "grace@example.com", "--name", "Grace Hopper", "--role", "admin"]).ok();
    add(&["--email", "ada@example.com"]).ok();
    let listed = world.cli(["members", "list"]);
    assert_eq!(listed.ok().lines().count(), 3);
    let grace = listed.ok().lines().find(|line| line.contains("grace@example.com")).unwrap_or_default();
    assert!(grace.contains("admin") && grace.contains("Grace"), "{listed}");
    let ada = listed.ok().lines().find(|line| line.contains("ada@example.com")).unwrap_or_default();
    assert!(ada.contains("member"), "{listed}");

    for wrong in [&["--email", "nobody"][..], &["--email", "x@example.com", "--role", "king"], &["--name", "Grace"]] {
        add(wrong).refused();
    }
    add(&["--email", "GRACE@example.com"]).refused();
    assert_eq!(world.cli(["members", "list"]).ok().lines().count(), 3);
}

fn a_workspace_is_chosen_by_its_slug(world: &World) {
    let first = world.key("crm").get("/me").ok()["workspace"]["slug"].clone();
    let second = world.workspace("second");
    assert_eq!(world.key("crm").get("/me").ok()["workspace"]["slug"], first, "the first workspace is the default");
    assert_eq!(second.key("crm").get("/me").ok()["workspace"]["slug"], "second");
    assert_eq!(world.key_with("crm", &["--workspace", &text(&first)]).get("/me").ok()["workspace"]["slug"], first);
    let listed = world.cli(["keys", "list", "--workspace", "second"]);
    assert_eq!(listed.ok().lines().count(), 1);
    let id = listed.ok().split('\t').next().unwrap_or_default().to_owned();
    assert_eq!(world.cli(["members", "list", "--workspace", "second"]).ok().lines().count(), 1);
    world.cli(["keys", "revoke", &id, "--workspace", "second"]).ok();
}

fn migrating_again_changes_nothing(world: &World) {
    let key = world.key("crm");
    let contact = key.post("/contacts", json!({"first_name": "Ada"})).created();
    world.cli(["migrate"]).ok();
    world.cli(["migrate"]).ok();
    assert_eq!(key.get("/contacts").page().rows, std::slice::from_ref(&contact));
    world.stop();
    world.cli(["migrate"]).ok();
    world.start();
    assert_eq!(key.get("/contacts").page().rows, [contact]);
}

fn options_come_from_flags_then_environment_then_a_file(world: &World) {
    let (flags, elsewhere) = (world.options(), world.file("elsewhere"));
    let right = |name: &str| flags.iter().position(|flag| flag == name).map(|at| flags[at + 1].clone());
    let (data, url) = (right("--data").unwrap_or_default(), right("--database-url"));
    let settings = world.file("settings.toml");
    let write = |data: &str| {
        let url = url.as_ref().map_or(String::new(), |url| format!("database_url = {url:?}\n"));
        fs::write(&settings, format!("data = {data:?}\n{url}")).unwrap_or_else(|error| panic!("{error}"));
    };
    let list = |flags: &[String], environment: Option<&str>| {
        let mut command = relata();
        command.args(["workspace", "list", "--config"]).arg(&settings).args(flags);
        if let Some(data) = environment {
            command.env("RELATA_DATA", data);
        }
        Ran::of(command)
    };
    write(&data);
    assert_eq!(list(&[], None).ok().lines().count(), 1, "from the file");
    write(&elsewhere.display().to_string());
    assert_eq!(list(&[], Some(&data)).ok().lines().count(), 1, "the environment wins over the file");
    assert_eq!(list(&flags, Some(&elsewhere.display().to_string())).ok().lines().count(), 1, "a flag wins over both");
    assert!(!elsewhere.exists(), "an overridden setting took effect");

    fs::write(&settings, "dat = \"x\"\n").unwrap_or_else(|error| panic!("{error}"));
    assert!(list(&flags, None).refused().contains("dat"), "an unknown setting is named");
}

fn links_begin_with_the_public_address(world: &World) {
    let fresh = world.untouched();
    let options = [fresh.options(), vec!["--public-url".to_owned(), "https://crm.example.com".to_owned()]].concat();
    let server = Server::launch(free_port(), &options, &fresh.file("public.log"));
    eventually("the link to set up the dashboard", PATIENCE, || {
        server.log().contains("https://crm.example.com/").then_some(())
    });
}

fn a_public_address_that_makes_broken_links_is_refused(world: &World) {
    let fresh = world.untouched();
    let start = |flag: Option<&str>, environment: Option<&str>, file: Option<&str>| {
        let mut command = relata();
        command.arg("serve").args(fresh.options()).args(["--listen", "127.0.0.1:0"]);
        if let Some(url) = flag {
            command.args(["--public-url", url]);
        }
        if let Some(url) = environment {
            command.env("RELATA_PUBLIC_URL", url);
        }
        if let Some(url) = file {
            let settings = fresh.file("settings.toml");
            fs::write(&settings, format!("public_url = {url:?}\n")).unwrap_or_else(|error| panic!("{error}"));
            command.arg("--config").arg(&settings);
        }
        Ran::of(command)
    };
    let refused = |ran: Ran, why: &str| {
        let said = ran.refused();
        assert!(said.contains("--public-url") && said.contains(why), "{ran}");
        assert_eq!(ran.code, Some(2), "{ran}");
    };
    for (url, why) in [
        ("", "does not begin with http:// or https://"),
        ("crm.example.com", "does not begin with http:// or https://"),
        ("ftp://crm.example.com", "does not begin with http:// or https://"),
        ("https:crm.example.com", "does not begin with http:// or https://"),
        ("https://", "names no host"),
        ("https:///crm", "names no host"),
        ("https://:8080", "names no host"),
        ("https://?a", "names no host"),
        ("https://.", "names no host"),
        ("https://a b", "holds a space"),
        ("https://crm.example.com\t", "holds a space"),
        ("https://u:p@crm.example.com", "holds a user or a password"),
        ("https://u@crm.example.com", "holds a user or a password"),
        ("https://crm.example.com/a?b#c", "has a query"),
        ("https://crm.example.com?", "has a query"),
        ("https://crm.example.com/#c", "has a fragment"),
        ("https://crm.example.com/crm", "has a path"),
        ("https://crm.example.com\\crm", "has a path"),
        ("https://crm.example.com:99999", "is not a URL"),
        ("https://crm.example.com:0", "port 0"),
        ("https://crm<>.example.com", "is not a URL"),
    ] {
        refused(start(Some(url), None, None), why);
    }
    refused(start(None, Some("https://a b"), None), "holds a space");
    refused(start(None, None, Some("https://crm.example.com/a?b#c")), "has a query");
    let reset = ["members", "reset-password", "--email", "owner@localhost", "--public-url", "https://u:p@crm"];
    refused(world.run(&reset), "holds a user or a password");
    let options =
        [fresh.options(), vec!["--public-url".to_owned(), "HTTPS://CRM.example.com:8443/".to_owned()]].concat();
    let server = Server::launch(free_port(), &options, &fresh.file("public.log"));
    eventually("the link to set up the dashboard", PATIENCE, || {
        server.log().contains("https://crm.example.com:8443/setup#").then_some(())
    });
}

fn a_start_that_fails_leaves_the_set_up_link_to_the_next(world: &World) {
    let fresh = world.untouched();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap_or_else(|error| panic!("cannot listen: {error}"));
    let port = taken.local_addr().map(|address| address.port()).unwrap_or_default();
    let mut server = Server::launch(port, &fresh.options(), &fresh.file("taken.log"));
    assert_eq!(server.wait(PATIENCE).code(), Some(1));
    let said = server.log();
    assert!(said.contains("another program uses this port") && said.contains("--listen"), "{said}");
    assert!(!said.contains("os error"), "{said}");
    let server = fresh.launch("first.log");
    eventually("the link to set up the dashboard", PATIENCE, || server.log().contains("/setup#").then_some(()));
}

fn links_use_the_servers_public_url_in_any_workspace(world: &World) {
    let link = |options: &[&str]| {
        let reset = ["members", "reset-password", "--email", "eve@example.com"];
        world.run(&[&reset, options].concat()).ok().trim().to_owned()
    };
    let begins = |link: String, with: &str| assert!(link.starts_with(&format!("{with}/invitation#")), "{link}");
    // As long as no user can sign in, a link for an owner sets the installation up.
    owner(world);
    world.workspace("second");
    world.cli(["workspace", "create", "--name", "Third", "--slug", "third", "--owner", "eve@example.com"]).ok();
    begins(link(&[]), &world.origin());
    begins(link(&["--workspace", "third"]), &world.origin());
    let elsewhere = world.cli(["members", "reset-password", "--email", "eve@example.com", "--workspace", "second"]);
    assert!(elsewhere.refused().contains("eve@example.com"), "{elsewhere}");
    let nobody = world.cli(["members", "reset-password", "--email", "nobody@example.com"]);
    assert!(nobody.refused().contains("any workspace"), "{nobody}");
    world.stop();
    begins(link(&[]), &world.origin());
    world.start_by("exec \"$@\" --public-url https://crm.example.com/");
    begins(link(&[]), "https://crm.example.com");
    begins(link(&["--public-url", "https://other.example.com"]), "https://other.example.com");
}

fn an_owner_has_a_name(world: &World) {
    let name_in = |workspace: &str, email: &str| {
        let listed = world.cli(["members", "list", "--workspace", workspace]);
        let lines: Vec<Vec<String>> =
            listed.ok().lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect();
        lines.iter().find(|line| line[1] == email).map(|line| line[2].clone()).unwrap_or_else(|| panic!("{lines:?}"))
    };
    let create = |slug: &str, options: &[&str]| {
        let words = ["workspace", "create", "--name", slug, "--slug", slug, "--owner", "eve@example.com"];
        world.run(&[&words, options].concat()).ok();
    };
    create("second", &["--owner-name", "Eve Moneypenny Adams"]);
    assert_eq!(name_in("second", "eve@example.com"), "Eve Moneypenny Adams");
    create("third", &[]);
    assert_eq!(name_in("third", "eve@example.com"), "Eve Moneypenny Adams");
    world.cli(["members", "add", "--email", "eve@example.com"]).ok();
    assert_eq!(name_in("main", "eve@example.com"), "Eve Moneypenny Adams");
}

/// The file of the server's secret.
#[track_caller]
fn secret_file(data: &Path) -> PathBuf {
    let named = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().contains("secret"));
    files(data).into_iter().find(named).unwrap_or_else(|| panic!("no secret in {}", data.display()))
}

fn the_secret_is_private(world: &World) {
    let path = secret_file(&world.data());
    let mode = fs::metadata(&path).map(|it| it.permissions().mode() & 0o777);
    assert_eq!(mode.ok(), Some(0o600), "{}", path.display());
}

/// A valid secret of another installation.
fn other_secret(world: &World) -> PathBuf {
    let data = world.file("other-installation");
    let options = ["--data".to_owned(), data.display().to_string()];
    drop(Server::start(free_port(), &options, &world.file("other-installation.log")));
    secret_file(&data)
}

fn another_secret_is_refused(world: &World) {
    let key = world.key("crm");
    world.stop();
    let other = other_secret(world);
    let given = ["--secret-file", &other.display().to_string()].map(str::to_owned);

    let command = world.run(&["keys", "list", &given[0], &given[1]]);
    assert!(command.refused().contains("secret"), "{command}");
    let log = world.file("refused.log");
    let mut server = Server::launch(free_port(), &[&world.options()[..], &given].concat(), &log);
    let status = server.wait(PATIENCE);
    assert!(!status.success(), "a server with another secret started");
    assert!(server.log().contains("secret"), "{}", server.log());

    world.start();
    key.get("/contacts").page();
    world.stop();
    // The right secret works from another path.
    let moved = world.file("moved");
    fs::rename(secret_file(&world.data()), &moved).unwrap_or_else(|error| panic!("cannot move the secret: {error}"));
    let moved = moved.display().to_string();
    let options = [world.options(), vec!["--secret-file".to_owned(), moved]].concat();
    let node = Server::start(free_port(), &options, &log);
    key.at(&node.origin()).get("/contacts").page();
}

fn a_second_server_shares_the_database_or_is_refused(world: &World) {
    let key = world.key("crm");
    if let Some(node) = world.another_node() {
        let there = key.at(&node.origin());
        let contact = key.post("/contacts", json!({"first_name": "Ada"})).created();
        assert_eq!(there.get("/contacts").page().rows, std::slice::from_ref(&contact));
        let changed = there.put(&format!("/contacts/{}", text(&contact["id"])), json!({"title": "CTO"})).ok();
        assert_eq!(key.get("/contacts").page().rows, [changed]);
        // A new key works on every node at once; a revoked one stops working on all nodes within a second.
        let new = world.key("crm");
        new.at(&node.origin()).get("/contacts").page();
        let id = text(&new.get("/me").ok()["key"]["id"]);
        world.cli(["keys", "revoke", &id]).ok();
        within_a_second("the refusal on every node", || {
            let statuses = [new.get("/tags").status, new.at(&node.origin()).get("/tags").status];
            (statuses == [401, 401]).then_some(())
        });
    } else {
        let mut second = Server::launch(free_port(), &world.options(), &world.file("second.log"));
        let status = second.wait(PATIENCE);
        assert!(!status.success(), "two servers on one folder");
        assert!(second.log().contains(&world.data().display().to_string()), "{}", second.log());
    }
    key.get("/contacts").page();
}

fn a_port_in_use_is_refused(world: &World) {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap_or_else(|error| panic!("cannot listen: {error}"));
    let port = taken.local_addr().map(|address| address.port()).unwrap_or_default();
    world.stop();
    let mut server = Server::launch(port, &world.options(), &world.file("taken.log"));
    let status = server.wait(PATIENCE);
    assert!(!status.success(), "a server on a port in use");
    assert!(server.log().contains(&port.to_string()), "the address is not named: {}", server.log());
}

fn wrong_commands_are_refused_with_a_reason(world: &World) {
    for wrong in [
        &["sevre"][..],
        &["keys"],
        &["keys", "destroy"],
        &["keys", "list", "--all-of-them"],
        &["workspace", "set", "--rate-limit"],
        &["backup"],
        &["members", "add"],
    ] {
        let ran = world.run(wrong);
        ran.refused();
        assert_eq!(ran.code, Some(2), "the exit code of a wrong command line: {ran}");
    }
    let unreachable = {
        let mut command = relata();
        command.args(["keys", "list", "--data"]).arg(world.data());
        command.args(["--database-url", "postgres://nobody@127.0.0.1:1/none"]);
        Ran::of(command)
    };
    unreachable.refused();
    assert!(
        unreachable.code.is_some_and(|code| code != 2),
        "an unreachable database must not count as a wrong command line: {unreachable}"
    );
    let odd = {
        let mut command = relata();
        command.args(["keys", "list", "--database-url", "mysql://localhost/crm", "--data"]).arg(world.data());
        Ran::of(command)
    };
    assert!(odd.refused().contains("postgres://"), "{odd}");
}

fn errors_name_the_option_and_a_solution(world: &World) {
    for (command, words) in [
        (&["serve", "--listen", "127.0.0.1"][..], &["--listen", "127.0.0.1:8080"][..]),
        (&["serve", "--trusted-proxies", "10.0.0.0/8,proxy"], &["--trusted-proxies", "proxy"]),
        (&["serve", "--workspace-storage", "1.5GB"], &["whole number", "1500MB", "unlimited"]),
        (&["keys", "create", "--name", "A"], &["--bundle", "--scopes"]),
        (&["workspace", "set", "--storage-limit", "10"], &["whole number", "unit", "50GB"]),
        (&["workspace", "set", "--storage-limit", "1.5GB"], &["whole number", "1500MB", "unlimited", "default"]),
        (
            &["keys", "create", "--name", "A", "--scopes", "contacts:reed,foo,tags:read"],
            &["contacts:reed (did you mean contacts:read?), foo are neither a bundle (full_access"],
        ),
    ] {
        let ran = world.run(command);
        let said = ran.refused();
        assert_eq!(ran.code, Some(2), "{ran}");
        assert!(words.iter().all(|word| said.contains(word)), "{words:?} in {said}");
    }
    // Help explains the arguments of a command, its own options before the common ones.
    for (command, words) in [
        (&["--help"][..], "confinement"),
        (&["workspace", "create", "--help"], "Create a workspace"),
        (&["members", "add", "--help"], "Add a member"),
        (&["backup", "--help"], "The backup to write"),
        (&["restore", "--help"], "The backup to read"),
        (&["keys", "revoke", "--help"], "Its id"),
        (&["workspace", "set", "--help"], "balance of credits for sourcing"),
        (&["workspace", "set", "--help"], "balance of credits for enrichment"),
    ] {
        let mut help = relata();
        help.args(command);
        let help = Ran::of(help).ok().to_owned();
        assert!(help.contains(words), "{help}");
        let common = help.find("Common options:").unwrap_or_else(|| panic!("{help}"));
        assert!(help.find("--data ").is_some_and(|data| data > common), "{help}");
    }
}

fn help_shows_examples(_: &World) {
    let plain = |arguments: &[&str]| {
        let mut command = relata();
        command.args(arguments);
        Ran::of(command)
    };
    let version = plain(&["--version"]);
    assert!(version.ok().starts_with("relata "), "{version}");
    let help = plain(&["--help"]);
    for word in
        ["serve", "keys", "workspace", "members", "migrate", "backup", "restore", "openapi", "relata keys create"]
    {
        assert!(help.ok().contains(word), "{word} is not in {help}");
    }
    for command in [&["serve", "--help"][..], &["keys", "create", "--help"], &["workspace", "set", "--help"]] {
        assert!(plain(command).ok().contains("--data"), "{command:?}");
    }
}

fn a_reader_that_closes_the_pipe_early_is_no_error(_: &World) {
    for arguments in [&["openapi"][..], &["openapi", "--dashboard"], &["operations"]] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let done = relata().args(arguments).stdout(writer).output().expect("the program starts");
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success() && said.is_empty(), "{arguments:?}: {}: {said}", done.status);
    }
}

fn without_a_command_the_environment_counts_too(world: &World) {
    let mut command = relata();
    command.args(world.untouched().options()).env("RELATA_FEED_DAYS", "abc");
    let refused = Ran::of(command);
    assert!(refused.refused().contains("abc"), "{refused}");
}
