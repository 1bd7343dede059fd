//! Settings in the dashboard: permissions of each role, and the effects of changes.

use serde_json::{Value, json};

use crate::dashboard::{PASSWORD, member, owner, token};
use crate::support::outside::contact;
use crate::support::{Answer, Client, Outside, PATIENCE, World, eventually, nobody, text, within_a_second};

stories![
    every_operation_requires_a_role,
    a_key_is_made_shown_once_and_revoked,
    the_request_log_has_requests_with_keys,
    old_entries_of_the_request_log_are_deleted,
    a_member_is_invited_and_leaves,
    the_mailboxes_of_a_member_who_leaves_are_disconnected,
    only_owners_can_change_owners,
    the_workspace_is_changed_and_removed,
    a_removed_workspace_is_erased,
    the_data_model_is_changed,
    pipelines_are_changed,
    templates_are_changed,
    members_manage_their_own_accounts,
    views_are_saved,
    the_system_page_shows_the_installation,
    settings_never_affect_another_workspace,
];

/// The table of roles: method, path, minimum role. `every_operation_requires_a_role` fails for an operation that is
/// missing here.
const ROLES: &[(&str, &str, &str)] = &[
    ("GET", "/session", "member"),
    ("PUT", "/session", "member"),
    ("POST", "/session/reauthenticate", "member"),
    ("GET", "/sessions", "member"),
    ("DELETE", "/sessions/{id}", "member"),
    ("PUT", "/profile", "member"),
    ("POST", "/password", "member"),
    ("GET", "/scopes", "member"),
    ("GET", "/keys", "member"),
    ("POST", "/keys", "member"),
    ("DELETE", "/keys/{id}", "member"),
    ("GET", "/usage", "member"),
    ("GET", "/requests", "member"),
    ("GET", "/requests/{request_id}", "member"),
    ("GET", "/members", "admin"),
    ("PUT", "/members/{user_id}", "admin"),
    ("DELETE", "/members/{user_id}", "admin"),
    ("GET", "/invitations", "admin"),
    ("POST", "/invitations", "admin"),
    ("DELETE", "/invitations/{id}", "admin"),
    ("GET", "/workspace", "member"),
    ("PUT", "/workspace", "admin"),
    ("DELETE", "/workspace", "owner"),
    ("PUT", "/plan", "owner"),
    ("GET", "/credits", "admin"),
    ("GET", "/custom-fields", "admin"),
    ("POST", "/custom-fields", "admin"),
    ("PUT", "/custom-fields/{id}", "admin"),
    ("DELETE", "/custom-fields/{id}", "admin"),
    ("POST", "/reasons", "admin"),
    ("PUT", "/reasons/{id}", "admin"),
    ("DELETE", "/reasons/{id}", "admin"),
    ("POST", "/deal-pipelines", "admin"),
    ("PUT", "/deal-pipelines/{id}", "admin"),
    ("DELETE", "/deal-pipelines/{id}", "admin"),
    ("POST", "/deal-pipelines/{id}/stages", "admin"),
    ("PUT", "/deal-stages/{id}", "admin"),
    ("DELETE", "/deal-stages/{id}", "admin"),
    ("POST", "/project-templates", "admin"),
    ("PUT", "/project-templates/{id}", "admin"),
    ("DELETE", "/project-templates/{id}", "admin"),
    ("POST", "/project-templates/{id}/stages", "admin"),
    ("PUT", "/template-stages/{id}", "admin"),
    ("DELETE", "/template-stages/{id}", "admin"),
    ("POST", "/accounts", "member"),
    ("GET", "/accounts/{id}", "member"),
    ("PUT", "/accounts/{id}", "member"),
    ("DELETE", "/accounts/{id}", "member"),
    ("POST", "/accounts/{id}/test", "member"),
    ("GET", "/oauth/providers", "member"),
    ("POST", "/oauth/start", "member"),
    ("POST", "/oauth/callback", "member"),
    ("GET", "/views", "member"),
    ("POST", "/views", "member"),
    ("PUT", "/views/{id}", "member"),
    ("DELETE", "/views/{id}", "member"),
    ("POST", "/sequences/{id}/preview", "member"),
    ("POST", "/sequences/{id}/check", "member"),
    ("POST", "/messages/{id}/images", "member"),
    ("GET", "/merges/{id}", "member"),
    ("GET", "/contacts/{id}/cv", "member"),
    ("GET", "/system", "admin"),
];

fn path_of(path: &str) -> String {
    let id = nobody();
    path.split('/').map(|part| if part.starts_with('{') { id.as_str() } else { part }).collect::<Vec<_>>().join("/")
}

fn every_operation_requires_a_role(world: &World) {
    for operation in crm::dashboard::all() {
        let known = ROLES.iter().find(|(method, path, _)| *method == operation.method && *path == operation.path);
        let least = operation.role.map(|role| role.word());
        assert_eq!(least, known.map(|(.., least)| *least), "{} {}", operation.method, operation.path);
    }
    assert_eq!(crm::dashboard::all().count(), ROLES.len());
    owner(world);
    let people = [
        ("member", member(world, "m@example.com", "member")),
        ("admin", member(world, "a@example.com", "admin")),
        ("owner", member(world, "o@example.com", "owner")),
    ];
    let stranger = world.stranger();
    let key = world.key("full_access");
    let rank = |role: &str| people.iter().position(|(known, _)| *known == role);
    for (method, path, least) in ROLES {
        let path = path_of(path);
        // Requests without a session, or with a key, are refused.
        for outsider in [&stranger, &key] {
            let answer = outsider.inside(method, &path).body("{}").send();
            answer.error(401, "not_signed_in");
        }
        for (role, person) in &people {
            // The role is checked before the empty body is refused.
            if (*method, path.as_str()) == ("DELETE", "/workspace") && *role == "owner" {
                continue;
            }
            let answer = person.inside(method, &path).body("{}").send();
            if rank(role) < rank(least) {
                answer.error(403, "insufficient_role").says(least).says(role);
            } else {
                assert!([200, 201, 400, 404].contains(&answer.status), "{role}: {answer}");
            }
        }
    }
    // An unknown path, and an unknown method.
    let (_, owner) = &people[2];
    owner.inside("GET", "/nothing").send().not_found();
    owner.inside("DELETE", "/keys").send().error(405, "method_not_allowed");
}

fn a_key_is_made_shown_once_and_revoked(world: &World) {
    let ada = owner(world);
    let scopes = ada.inside("GET", "/scopes").send().ok();
    assert_eq!(scopes["areas"][0]["name"], "contacts");
    assert_eq!(
        scopes["areas"][0]["scopes"][0],
        json!({"scope": "contacts:read", "description": "list and view contacts"})
    );
    assert_eq!(scopes["bundles"].as_array().map(Vec::len), Some(5));
    let make = |body: Value| ada.inside("POST", "/keys").json(&body).send();
    make(json!({"name": "CI"})).invalid("scopes");
    make(json!({"name": "CI", "scopes": []})).invalid("scopes");
    make(json!({"name": "CI", "scopes": ["contacts:all"]})).invalid("scopes");
    make(json!({"name": " ", "scopes": ["crm"]})).invalid("name");
    make(json!({"name": "CI", "scopes": ["crm"], "expires_at": "2020-01-01"})).invalid("expires_at");
    let made = make(json!({"name": "CI", "scopes": ["tags:read", "tags:write"], "expires_at": "2100-01-01"})).created();
    let key = text(&made["key"]);
    assert_eq!(made["last4"], key[key.len() - 4..]);
    assert_eq!(made["expires_at"], "2100-01-01T00:00:00.000Z");
    assert_eq!(made["owner"]["email"], "ada@example.com");
    assert!(!world.stores(&key), "a key is stored");
    let named = json!({"name": "Twice", "scopes": ["tags:read"]});
    let twice = || ada.inside("POST", "/keys").header("Idempotency-Key", "k").json(&named).send();
    assert_ne!(twice().created()["key"], twice().created()["key"], "an answer with a key was stored for replay");
    for key in ada.inside("GET", "/keys").send().page().rows.iter().filter(|key| key["name"] == "Twice") {
        ada.inside("DELETE", &format!("/keys/{}", text(&key["id"]))).send().ok();
    }
    // The key works at once, within its scopes.
    let program = world.holder(&key);
    program.post("/tags", json!({"name": "By key"})).created();
    program.get("/contacts").error(403, "insufficient_scope");
    let listed = ada.inside("GET", "/keys").send();
    assert!(!listed.text().contains(&key), "shown twice");
    let first = || {
        let rows = ada.inside("GET", "/keys").send().page().rows;
        rows.into_iter().find(|key| key["name"] == "CI").unwrap_or_default()
    };
    assert_eq!(first()["state"], "active");
    eventually("its last use", PATIENCE, || first()["last_used_at"].is_string().then_some(()));
    // Members see and revoke only their own keys.
    let bob = member(world, "bob@example.com", "member");
    assert!(bob.inside("GET", "/keys").send().page().rows.is_empty());
    let path = format!("/keys/{}", text(&made["id"]));
    bob.inside("DELETE", &path).send().not_found();
    let bobs = bob.inside("POST", "/keys").json(&json!({"name": "Bob's", "scopes": ["read_only"]})).send().created();
    assert_eq!(bob.inside("GET", "/keys").send().page().rows.len(), 1);
    assert_eq!(ada.inside("GET", "/keys").send().page().rows.len(), 4);
    ada.inside("DELETE", &format!("/keys/{}", text(&bobs["id"]))).send().ok();
    ada.inside("DELETE", &path).send().ok();
    within_a_second("it opens nothing", || (program.get("/tags").status == 401).then_some(()));
    ada.inside("DELETE", &format!("/keys/{}", nobody())).send().not_found();
}

fn the_request_log_has_requests_with_keys(world: &World) {
    let ada = owner(world);
    let key = ada.inside("POST", "/keys").json(&json!({"name": "CI", "scopes": ["tags:read"]})).send().created();
    let program = world.holder(&text(&key["key"]));
    program.request("GET", "/tags?limit=7").header("X-Request-Id", "the-first").send().ok();
    program.get("/contacts").error(403, "insufficient_scope");
    program.get("/nothing").not_found();
    // Requests of the dashboard are not logged.
    ada.get("/tags").page();
    let log = |query: &str| ada.inside("GET", &format!("/requests{query}")).send().page();
    let all = eventually("the log", PATIENCE, || {
        let rows = log("").rows;
        (rows.len() == 3).then_some(rows)
    });
    let first = &all[2];
    assert_eq!(first["id"], "the-first");
    assert_eq!(
        (&first["method"], &first["path"], &first["query"]),
        (&json!("GET"), &json!("/api/v1/tags"), &json!("limit=7"))
    );
    assert_eq!((&first["operation"], &first["status"]), (&json!("list_tags"), &json!(200)));
    assert_eq!(first["key"]["id"], key["id"]);
    assert_eq!(first["user"]["email"], "ada@example.com");
    assert!(first["time_ms"].as_f64().is_some_and(|ms| ms > 0.0) && first["size"].as_i64() > Some(0), "{first}");
    assert_eq!(ada.inside("GET", "/requests/the-first").send().ok(), *first);
    ada.inside("GET", "/requests/another").send().not_found();
    assert_eq!(log("?status=4xx").rows.len(), 2);
    assert_eq!(log("?status=403").rows.len(), 1);
    assert_eq!(log("?operation=list_tags").rows.len(), 1);
    assert_eq!(log("?method=post").rows.len(), 0);
    assert_eq!(log(&format!("?key_id={}", text(&key["id"]))).rows.len(), 3);
    assert_eq!(log(&format!("?key_id={}", nobody())).rows.len(), 0);
    ada.inside("GET", "/requests?status=abc").send().invalid("status");
    ada.inside("GET", "/requests?cursor=abc").send().invalid("cursor");
    let page = log("?limit=2");
    assert!(page.has_more());
    let rest = log(&format!("?limit=2&cursor={}", page.next().unwrap_or_default()));
    assert_eq!((rest.rows.as_slice(), rest.has_more(), rest.next()), (&all[2..], false, None));
    // Usage compared with the limit.
    let usage = ada.inside("GET", "/usage?hours=3").send().ok();
    assert_eq!((&usage["limit"], &usage["remaining"]), (&json!(2000), &json!(1997)));
    let points = usage["points"].as_array().cloned().unwrap_or_default();
    let sum = |name: &str| points.iter().filter_map(|point| point[name].as_i64()).sum::<i64>();
    assert_eq!((points.len(), sum("requests"), sum("errors")), (3, 3, 2));
    // Members see their own requests.
    let bob = member(world, "bob@example.com", "member");
    assert!(bob.inside("GET", "/requests").send().page().rows.is_empty());
    bob.inside("GET", "/requests/the-first").send().not_found();
    bob.inside("GET", "/usage?all=true").send().error(403, "insufficient_role");
    bob.inside("GET", &format!("/usage?key_id={}", text(&key["id"]))).send().invalid("key_id");
    assert_eq!(bob.inside("GET", "/usage").send().ok()["remaining"], 2000);
    // A kill loses at most a second of the log.
    world.kill9();
    world.start();
    assert_eq!(log("").rows.len(), 3);
}

fn old_entries_of_the_request_log_are_deleted(world: &World) {
    let ada = owner(world);
    let key = world.key("full_access");
    let log = || ada.inside("GET", "/requests").send().page().column("id");
    key.request("GET", "/tags").header("X-Request-Id", "the-old-one").send().page();
    eventually("the log", PATIENCE, || (log() == ["the-old-one"]).then_some(()));
    // As if the request was years old. It may be deleted before the next one is written.
    let id = "01700000000070008000000000000001";
    let old = if world.database_is_shared() { format!("'{id}'") } else { format!("x'{id}'") };
    world.change(&format!("UPDATE requests SET id = {old}; UPDATE request_hours SET hour = 3600000"));
    key.request("GET", "/tags").header("X-Request-Id", "the-new-one").send().page();
    eventually("the log", PATIENCE, || log().contains(&"the-new-one".into()).then_some(()));
    world.restart();
    eventually("the end of the old one", PATIENCE, || (log() == ["the-new-one"]).then_some(()));
    let hours = "SELECT CAST(count(*) AS text) FROM request_hours WHERE hour = 3600000";
    eventually("the end of old counts", PATIENCE, || (world.count(hours) == 0).then_some(()));
}

fn a_member_is_invited_and_leaves(world: &World) {
    let ada = owner(world);
    let invite = |email: &str, role: &str| {
        ada.inside("POST", "/invitations").json(&json!({"email": email, "role": role})).send()
    };
    invite("bob", "member").invalid("email");
    invite("bob@example.com", "king").invalid("role");
    invite("ada@example.com", "member").invalid("email").says("already");
    let old = invite("bob@example.com", "member").created();
    let invitation = invite("bob@example.com", "member").created();
    let listed = ada.inside("GET", "/invitations").send().page().rows;
    assert_eq!(listed.len(), 1);
    assert!(listed[0].get("link").is_none());
    let stranger = world.stranger();
    let ask = |link: &Value| stranger.inside("GET", &format!("/invitation?token={}", token(&text(link)))).send();
    ask(&old["link"]).invalid("token");
    let guest = ask(&invitation["link"]).ok();
    assert_eq!((&guest["email"], &guest["kind"]), (&json!("bob@example.com"), &json!("invitation")));
    let body = json!({
        "token": token(&text(&invitation["link"])), "password": PASSWORD, "first_name": "Bob", "last_name": "Kahn",
    });
    let mut short = body.clone();
    short["password"] = json!("short");
    stranger.inside("POST", "/invitation").json(&short).send().invalid("password");
    let entered = stranger.inside("POST", "/invitation").json(&body).send();
    assert_eq!(entered.ok()["role"], "member");
    let bob = stranger.signed_in(&entered);
    stranger.inside("POST", "/invitation").json(&body).send().invalid("token");
    let members = ada.inside("GET", "/members").send().page().rows;
    let him = members.iter().find(|member| member["email"] == "bob@example.com").cloned().unwrap_or_default();
    assert_eq!((&him["first_name"], &him["has_password"]), (&json!("Bob"), &json!(true)));
    // A new role, and a removal, take effect at once.
    let path = format!("/members/{}", text(&him["user_id"]));
    bob.inside("GET", "/members").send().error(403, "insufficient_role");
    ada.inside("PUT", &path).json(&json!({"role": "admin"})).send().ok();
    within_a_second("the new role", || (bob.inside("GET", "/members").send().status == 200).then_some(()));
    let key = bob.inside("POST", "/keys").json(&json!({"name": "K", "scopes": ["tags:read"]})).send().created();
    ada.inside("DELETE", &path).send().ok();
    within_a_second("the end", || (bob.inside("GET", "/session").send().status == 401).then_some(()));
    within_a_second("the key's end", || (world.holder(&text(&key["key"])).get("/tags").status == 401).then_some(()));
    ada.inside("DELETE", &path).send().not_found();
    let signing = json!({"email": "bob@example.com", "password": PASSWORD});
    assert_eq!(stranger.inside("POST", "/sign-in").json(&signing).send().status, 401);
    // A user with a password elsewhere must give it to return.
    let again = invite("bob@example.com", "member").created();
    assert_eq!(ask(&again["link"]).ok().get("has_password"), None);
    let mut back = body.clone();
    back["token"] = token(&text(&again["link"])).into();
    let mut guessed = back.clone();
    guessed["password"] = json!("not his password");
    stranger.inside("POST", "/invitation").json(&guessed).send().invalid("password");
    stranger.inside("POST", "/invitation").json(&back).send().ok();
    // A revoked invitation is invalid.
    let other = invite("eve@example.com", "member").created();
    ada.inside("DELETE", &format!("/invitations/{}", text(&other["id"]))).send().ok();
    ask(&other["link"]).invalid("token");
    ada.inside("DELETE", &format!("/invitations/{}", text(&other["id"]))).send().not_found();
}

fn user_of(person: &Client) -> String {
    text(&person.inside("GET", "/session").send().ok()["user"]["user_id"])
}

fn the_mailboxes_of_a_member_who_leaves_are_disconnected(world: &World) {
    let (outside, owner, key) = (Outside::new(""), owner(world), world.key("full_access"));
    let leaver = member(world, "leaver@example.com", "member");
    let of_leaver = ["--owner", "leaver@example.com"];
    let shared = outside.mailbox(world, "leaver@example.com", &of_leaver);
    let private = outside.mailbox(world, "own@example.com", &[&of_leaver[..], &["--visibility", "owner"]].concat());
    let kept = outside.mailbox(world, "ann@example.com", &[]);
    // A private account is shown to its owner alone.
    let disconnected = |address: &str| {
        const COUNT: &str = "SELECT CAST(count(*) AS text) FROM connected_accounts WHERE status = 'disconnected'";
        world.count(&format!("{COUNT} AND address = '{address}'"))
    };
    owner.inside("DELETE", &format!("/members/{}", user_of(&leaver))).send().ok();
    assert_eq!(key.get(&format!("/connected-accounts/{shared}")).ok()["status"], "disconnected");
    assert_eq!((disconnected("own@example.com"), disconnected("ann@example.com")), (1, 0));
    let ada = contact(&key, "Ada", "ada@example.com");
    let send = |account: &str| {
        let body =
            json!({"contact_id": ada, "channel": "email", "subject": "Hi", "content": "Hello.", "account_id": account});
        key.post("/messages", body)
    };
    send(&shared).invalid("account_id");
    send(&private).invalid("account_id");
    send(&kept).created();
    // Another member can connect the address.
    outside.mailbox(world, "leaver@example.com", &[]);
}

fn only_owners_can_change_owners(world: &World) {
    let ada = owner(world);
    let admin = member(world, "a@example.com", "admin");
    let (ada_id, admin_id) = (user_of(&ada), user_of(&admin));
    let set = |by: &Client, whom: &str, role: &str| {
        by.inside("PUT", &format!("/members/{whom}")).json(&json!({"role": role})).send()
    };
    set(&admin, &ada_id, "member").error(403, "insufficient_role");
    set(&admin, &admin_id, "owner").error(403, "insufficient_role");
    admin.inside("DELETE", &format!("/members/{ada_id}")).send().error(403, "insufficient_role");
    let owner = json!({"email": "eve@example.com", "role": "owner"});
    admin.inside("POST", "/invitations").json(&owner).send().error(403, "insufficient_role");
    // A workspace always has an owner.
    set(&ada, &ada_id, "member").invalid("role").says("only owner");
    ada.inside("DELETE", &format!("/members/{ada_id}")).send().invalid("user_id");
    set(&ada, &admin_id, "owner").ok();
    set(&ada, &ada_id, "member").ok();
    within_a_second("the new role", || (ada.inside("GET", "/members").send().status == 403).then_some(()));
}

fn the_workspace_is_changed_and_removed(world: &World) {
    let ada = owner(world);
    let put = |path: &str, body: Value| ada.inside("PUT", path).json(&body).send();
    put("/workspace", json!({"timezone": "Nowhere"})).invalid("timezone");
    put("/workspace", json!({"name": ""})).invalid("name");
    let changed = put("/workspace", json!({"name": "Looms", "currency": "EUR"})).ok();
    assert_eq!((&changed["name"], &changed["currency"]), (&json!("Looms"), &json!("EUR")));
    assert_eq!((&changed["requests_per_hour"], &changed["credits"]["sourcing"]), (&json!(2000), &json!(1000)));
    put("/plan", json!({"plan": "platinum"})).invalid("plan");
    put("/plan", json!({"plan": "starter"})).ok();
    within_a_second("the plan", || (ada.get("/sequences").status == 403).then_some(()));
    assert_eq!(ada.inside("GET", "/session").send().ok()["features"], json!(["records"]));
    // Without a subscription the API is closed, but not the dashboard.
    world.set(&["--subscription", "none"]);
    within_a_second("the end", || (ada.get("/tags").status == 403).then_some(()));
    ada.inside("GET", "/workspace").send().ok();
    world.set(&["--subscription", "active", "--sourcing-credits", "7"]);
    let ledger = ada.inside("GET", "/credits?kind=sourcing").send().page();
    assert_eq!((&ledger.rows[0]["balance"], &ledger.rows[0]["amount"]), (&json!(7), &json!(-993)));
    let page = ada.inside("GET", "/credits?kind=sourcing&limit=1").send().page();
    let next = page.next().unwrap_or_default();
    assert_eq!(
        ada.inside("GET", &format!("/credits?kind=sourcing&cursor={next}")).send().page().rows,
        &ledger.rows[1..]
    );
    ada.inside("GET", "/credits?kind=love").send().invalid("kind");
    // A workspace is removed if its name is given, unless it is the last one.
    let remove = |name: &str| ada.inside("DELETE", "/workspace").json(&json!({"name": name})).send();
    remove("Engines").invalid("name");
    remove("Looms").invalid("workspace").says("only one");
    let key = world.key("full_access");
    world.cli(["workspace", "create", "--name", "Other", "--slug", "other", "--owner", "ada@example.com"]).ok();
    remove("Looms").ok();
    within_a_second("the keys' end", || (key.get("/tags").status == 401).then_some(()));
    within_a_second("the sessions' end", || (ada.inside("GET", "/session").send().status == 401).then_some(()));
    let listed = world.cli(["workspace", "list"]);
    assert!(listed.ok().starts_with("other\t") && listed.ok().lines().count() == 1, "{listed}");
    // A user who is a member of another workspace signs in there.
    let body = json!({"email": "ada@example.com", "password": PASSWORD});
    let session = world.stranger().inside("POST", "/sign-in").json(&body).send().ok();
    assert_eq!(session["workspace"]["name"], "Other");
}

fn a_removed_workspace_is_erased(world: &World) {
    let ada = owner(world);
    world.cli(["demo", "--contacts", "400"]).ok();
    let ann = ada.post("/contacts", json!({"first_name": "Ann", "email": "ann@example.com"})).created();
    ada.upload(&format!("/contacts/{}/files", text(&ann["id"])), "words.txt", b"the words of a file").created();
    ada.inside("POST", "/views").json(&json!({"name": "V", "collection": "deals", "state": {}})).send().created();
    let theirs = world.workspace("theirs").key("full_access");
    let kept = theirs.post("/contacts", json!({"first_name": "Eve"})).created();
    let kept = format!("/contacts/{}", text(&kept["id"]));
    assert!(world.stores("the words of a file"));
    // The indexer is still at work when the workspace is removed, and adds nothing after that.
    let many: Vec<Value> =
        (0..900).map(|n| json!({"op": "create", "data": {"first_name": format!("Ann {n}")}})).collect();
    ada.post("/contacts/bulk", json!({"items": many})).ok();
    ada.inside("DELETE", "/workspace").json(&json!({"name": "Engines"})).send().ok();
    for table in crm::tenant::workspace::erase::tables() {
        let rows = format!(
            "SELECT CAST(count(*) AS text) FROM {table} WHERE workspace_id IN (SELECT id FROM workspaces WHERE removed_at IS NOT NULL)"
        );
        eventually(table, PATIENCE, || (world.count(&rows) == 0).then_some(()));
    }
    eventually("the file's end", PATIENCE, || (!world.stores("the words of a file")).then_some(()));
    theirs.get(&kept).ok();
    world.check_integrity();
}

fn the_data_model_is_changed(world: &World) {
    let ada = owner(world);
    let send = |method: &str, path: &str, body: Value| ada.inside(method, path).json(&body).send();
    let seniority = json!({
        "key": "seniority", "type": "select", "label": "Seniority",
        "options": [{"value": "jr:1", "label": "Junior"}, {"value": "sr", "label": "Senior"}],
    });
    send("POST", "/custom-fields", seniority.clone()).invalid("object");
    send("POST", "/custom-fields?object=deals", seniority.clone()).invalid("object");
    let field = send("POST", "/custom-fields?object=contacts", seniority.clone()).created();
    assert_eq!(field["options"], seniority["options"]);
    send("POST", "/custom-fields?object=contacts", seniority).invalid("key").says("already");
    send("POST", "/custom-fields?object=contacts", json!({"key": "level", "type": "select"})).invalid("options");
    send("POST", "/custom-fields?object=contacts", json!({"key": "Level", "type": "text"})).invalid("key");
    within_a_second("the field", || {
        let body = json!({"first_name": "Bob", "custom_data": {"seniority": "jr:1"}});
        (ada.post("/contacts", body).status == 201).then_some(())
    });
    let path = format!("/custom-fields/{}", text(&field["id"]));
    let mut again = field.clone();
    again["label"] = json!("Level");
    assert_eq!(send("PUT", &path, again.clone()).ok(), again);
    assert_eq!(ada.inside("GET", "/custom-fields?object=contacts").send().page().rows, [again]);
    assert!(ada.inside("GET", "/custom-fields?object=companies").send().page().rows.is_empty());
    ada.inside("DELETE", &path).send().ok();
    ada.inside("DELETE", &path).send().not_found();

    let reason = send("POST", "/reasons", json!({"kind": "loss", "name": "Too late"})).created();
    send("POST", "/reasons", json!({"kind": "loss", "name": "too late"})).invalid("name");
    send("POST", "/reasons", json!({"kind": "mood", "name": "Bad"})).invalid("kind");
    let path = format!("/reasons/{}", text(&reason["id"]));
    let moved = send("PUT", &path, json!({"name": "Much too late", "position": 0})).ok();
    assert_eq!((&moved["name"], &moved["position"]), (&json!("Much too late"), &json!(0)));
    assert_eq!(ada.get("/reasons?kind=loss").page().rows[0], moved);
    ada.inside("DELETE", &path).send().ok();
    ada.inside("DELETE", &path).send().not_found();
}

fn names(stages: &Value) -> Vec<String> {
    stages.as_array().into_iter().flatten().map(|stage| text(&stage["name"])).collect()
}

fn pipelines_are_changed(world: &World) {
    let ada = owner(world);
    let send = |method: &str, path: &str, body: Value| ada.inside(method, path).json(&body).send();
    send("POST", "/deal-pipelines", json!({"name": ""})).invalid("name");
    let stages = json!([{"name": "New", "probability": 5, "color": "#112233"}, {"name": "Done", "probability": 90}]);
    let made = send("POST", "/deal-pipelines", json!({"name": "Renewals", "stages": stages})).created();
    assert_eq!(
        (names(&made["stages"]), &made["stages"][0]["color"]),
        (vec!["New".into(), "Done".into()], &json!("#112233"))
    );
    let path = format!("/deal-pipelines/{}", text(&made["id"]));
    assert_eq!(ada.get(&path).ok(), made);
    let grown = send("POST", &format!("{path}/stages"), json!({"name": "Talk", "position": 1})).created();
    assert_eq!(names(&grown["stages"]), ["New", "Talk", "Done"]);
    let talk = format!("/deal-stages/{}", text(&grown["stages"][1]["id"]));
    let moved = send("PUT", &talk, json!({"name": "Talks", "probability": 40, "position": 0})).ok();
    assert_eq!(
        (names(&moved["stages"]), &moved["stages"][0]["probability"]),
        (vec!["Talks".into(), "New".into(), "Done".into()], &json!(40))
    );
    send("PUT", &talk, json!({"name": "done"})).invalid("name");
    // A null value is removed, and a value that is not sent stays.
    let new = format!("/deal-stages/{}", text(&made["stages"][0]["id"]));
    let cleared = send("PUT", &new, json!({"probability": null})).ok()["stages"][1].clone();
    assert_eq!((&cleared["probability"], &cleared["color"]), (&Value::Null, &json!("#112233")));
    assert_eq!(send("PUT", &new, json!({"color": null})).ok()["stages"][1]["color"], Value::Null);
    // A stage with deals can be deleted if a target is given.
    let deal = json!({"title": "Big", "pipeline_id": made["id"], "stage_id": moved["stages"][0]["id"]});
    let deal = ada.post("/deals", deal).created();
    ada.inside("DELETE", &talk).send().invalid("move_to");
    let to = text(&moved["stages"][1]["id"]);
    ada.inside("DELETE", &format!("{talk}?move_to={to}")).send().ok();
    assert_eq!(ada.get(&format!("/deals/{}", text(&deal["id"]))).ok()["stage_id"], to);
    assert_eq!(names(&ada.get(&path).ok()["stages"]), ["New", "Done"]);
    ada.inside("DELETE", &talk).send().not_found();
    // A pipeline likewise, unless it is the default.
    send("PUT", &path, json!({"is_default": false})).invalid("is_default");
    let default = send("PUT", &path, json!({"is_default": true, "name": "First"})).ok();
    assert_eq!((&default["is_default"], &default["name"]), (&json!(true), &json!("First")));
    ada.inside("DELETE", &path).send().invalid("pipeline");
    let other = ada.get("/deal-pipelines").page().rows[1].clone();
    send("PUT", &format!("/deal-pipelines/{}", text(&other["id"])), json!({"is_default": true})).ok();
    ada.inside("DELETE", &path).send().invalid("move_to");
    ada.inside("DELETE", &format!("{path}?move_to={}", text(&other["id"]))).send().ok();
    assert_eq!(ada.get(&format!("/deals/{}", text(&deal["id"]))).ok()["pipeline_id"], other["id"]);
    ada.get(&path).not_found();
}

fn templates_are_changed(world: &World) {
    let ada = owner(world);
    let send = |method: &str, path: &str, body: Value| ada.inside(method, path).json(&body).send();
    let stages =
        json!([{"name": "Found", "system_category": "sourced"}, {"name": "Hired", "system_category": "hired"}]);
    let made = send("POST", "/project-templates", json!({"name": "Short", "stages": stages})).created();
    assert_eq!(names(&made["stages"]), ["Found", "Hired"]);
    send("POST", "/project-templates", json!({"name": "short"})).invalid("name");
    let path = format!("/project-templates/{}", text(&made["id"]));
    let grown =
        send("POST", &format!("{path}/stages"), json!({"name": "Met", "system_category": "interview", "position": 1}));
    let grown = grown.created();
    assert_eq!(names(&grown["stages"]), ["Found", "Met", "Hired"]);
    let met = format!("/template-stages/{}", text(&grown["stages"][1]["id"]));
    let moved = send("PUT", &met, json!({"name": "Interviewed", "position": 2})).ok();
    assert_eq!(names(&moved["stages"]), ["Found", "Hired", "Interviewed"]);
    send("PUT", &met, json!({"system_category": "lost"})).invalid("system_category");
    // Without its own colour it has that of its category.
    let color = |body: Value| text(&send("PUT", &met, body).ok()["stages"][2]["color"]);
    assert_eq!(color(json!({"color": "#112233"})), "#112233");
    assert_eq!(color(json!({"color": null})), text(&grown["stages"][1]["color"]));
    ada.inside("DELETE", &met).send().ok();
    ada.inside("DELETE", &met).send().not_found();
    let named = send("PUT", &path, json!({"name": "Quick", "is_default": true})).ok();
    assert_eq!((&named["name"], &named["is_default"]), (&json!("Quick"), &json!(true)));
    ada.inside("DELETE", &path).send().invalid("template");
    let project = ada.post("/projects", json!({"name": "Engineer"})).created();
    assert_eq!(names(&project["pipeline"]["stages"]), ["Found", "Hired"]);
}

fn members_manage_their_own_accounts(world: &World) {
    let ada = owner(world);
    let bob = member(world, "bob@example.com", "member");
    let add = |by: &Client, body: Value| by.inside("POST", "/accounts").json(&body).send();
    let secret = "smtp://bob:hush-hush@127.0.0.1:9?tls=none";
    let account =
        json!({"provider": "email", "name": "Bob", "address": "bob@example.com", "smtp": secret, "daily_limit": 20});
    // An unreachable account is refused, unless the test is skipped.
    add(&bob, account.clone()).invalid("smtp");
    add(&bob, json!({"provider": "email", "name": "Bob", "smtp": secret})).invalid("address");
    add(&bob, json!({"provider": "email", "name": "Bob", "address": "bob@example.com"})).invalid("smtp");
    add(&bob, json!({"provider": "network", "name": "Bob"})).invalid("url");
    let mut untested = account.clone();
    untested["test"] = json!(false);
    untested["smtp"] = json!("nonsense");
    add(&bob, untested.clone()).invalid("smtp");
    untested["smtp"] = json!(secret);
    let added = add(&bob, untested);
    assert!(!added.text().contains("hush-hush"), "{added}");
    let added = added.created();
    assert_eq!((&added["smtp"], &added["cap_today"]), (&json!("smtp://127.0.0.1:9?tls=none"), &json!(20)));
    assert_eq!((&added["sent_last_24_hours"], &added["owner_id"]), (&json!(0), &json!(user_of(&bob))));
    let path = format!("/accounts/{}", text(&added["id"]));
    let tested = bob.inside("POST", &format!("{path}/test")).send().ok();
    assert_eq!(tested["status"], "error");
    assert!(tested["status_reason"].is_string(), "{tested}");
    let changed = bob.inside("PUT", &path).json(&json!({"name": "Bobby", "daily_limit": 5})).send().ok();
    assert_eq!((&changed["name"], &changed["daily_limit"]), (&json!("Bobby"), &json!(5)));
    bob.inside("PUT", &path).json(&json!({"smtp": "smtp://127.0.0.1:9?tls=none&x=1"})).send().invalid("smtp");
    let two_lines = json!({"name": "Bob\r\nBcc: all@example.com"});
    bob.inside("PUT", &path).json(&two_lines).send().invalid("name").says("one line");
    assert_eq!(bob.inside("GET", &path).send().ok()["name"], "Bobby");
    // Other members do not see it; admins do.
    let eve = member(world, "eve@example.com", "member");
    for method in ["GET", "DELETE"] {
        eve.inside(method, &path).send().not_found();
    }
    ada.inside("GET", &path).send().ok();
    ada.inside("DELETE", &path).send().ok();
    bob.inside("GET", &path).send().not_found();
}

fn views_are_saved(world: &World) {
    let ada = owner(world);
    let bob = member(world, "bob@example.com", "member");
    let save = |by: &Client, body: Value| by.inside("POST", "/views").json(&body).send();
    let state = json!({"filter": "global_status=new", "columns": ["name", "tags"], "widths": {"name": 200}});
    save(&bob, json!({"name": "New ones", "state": state})).invalid("collection");
    save(&bob, json!({"name": "New ones", "collection": "planets", "state": state})).invalid("collection");
    save(&bob, json!({"name": "New ones", "collection": "contacts", "state": "x"})).invalid("state");
    let long = json!({"x": "x".repeat(70_000)});
    save(&bob, json!({"name": "Long", "collection": "contacts", "state": long})).invalid("state");
    let own = save(&bob, json!({"name": "New ones", "collection": "contacts", "state": state})).created();
    assert_eq!((&own["state"], &own["shared"]), (&state, &json!(false)));
    let listed = |by: &Client, query: &str| by.inside("GET", &format!("/views{query}")).send().page().rows;
    assert_eq!(listed(&bob, "?collection=contacts"), std::slice::from_ref(&own));
    assert!(listed(&bob, "?collection=deals").is_empty());
    assert!(listed(&ada, "").is_empty());
    let path = format!("/views/{}", text(&own["id"]));
    ada.inside("PUT", &path).json(&json!({"name": "Mine"})).send().not_found();
    let shared = bob.inside("PUT", &path).json(&json!({"shared": true, "name": "Ours"})).send().ok();
    assert_eq!(listed(&ada, ""), [shared]);
    // A shared view belongs to its author and to admins.
    let eve = member(world, "eve@example.com", "member");
    eve.inside("DELETE", &path).send().error(403, "insufficient_role");
    ada.inside("DELETE", &path).send().ok();
    assert!(listed(&bob, "").is_empty());
    bob.inside("DELETE", &path).send().not_found();
}

fn the_system_page_shows_the_installation(world: &World) {
    let ada = owner(world);
    let system = eventually("this node", PATIENCE, || {
        let system = ada.inside("GET", "/system").send().ok();
        (system["nodes"].as_array().map(Vec::len) == Some(1)).then_some(system)
    });
    assert!(system["storage"]["database_bytes"].as_i64() > Some(10_000), "{system}");
    assert!(["sqlite", "postgresql"].contains(&text(&system["engine"]).as_str()), "{system}");
    assert!(system["jobs"].is_array() && system["lag_ms"].is_i64(), "{system}");
    assert_eq!(system["version"], system["nodes"][0]["version"]);
}

fn settings_never_affect_another_workspace(world: &World) {
    let ada = owner(world);
    world.cli(["workspace", "create", "--name", "Theirs", "--slug", "theirs", "--owner", "eve@example.com"]).ok();
    let link = world.cli(["members", "reset-password", "--email", "eve@example.com", "--workspace", "theirs"]);
    let stranger = world.stranger();
    let body = json!({"token": token(link.ok()), "password": PASSWORD});
    let entered: Answer = stranger.inside("POST", "/invitation").json(&body).send();
    entered.ok();
    let eve = stranger.signed_in(&entered);
    let make = |path: &str, body: Value| text(&ada.inside("POST", path).json(&body).send().created()["id"]);
    let ours = [
        format!("/keys/{}", make("/keys", json!({"name": "K", "scopes": ["crm"]}))),
        format!("/views/{}", make("/views", json!({"name": "V", "collection": "deals", "shared": true, "state": {}}))),
        format!("/reasons/{}", make("/reasons", json!({"kind": "loss", "name": "R"}))),
        format!("/deal-pipelines/{}", make("/deal-pipelines", json!({"name": "P"}))),
        format!("/project-templates/{}", make("/project-templates", json!({"name": "T"}))),
        format!("/custom-fields/{}", make("/custom-fields?object=companies", json!({"key": "k", "type": "text"}))),
        format!("/invitations/{}", make("/invitations", json!({"email": "x@example.com", "role": "member"}))),
        format!("/members/{}", user_of(&ada)),
        format!("/sessions/{}", text(&ada.inside("GET", "/sessions").send().page().rows[0]["id"])),
    ];
    for path in ours {
        eve.inside("DELETE", &path).send().not_found();
    }
    assert!(eve.inside("GET", "/keys").send().page().rows.is_empty());
    assert!(eve.inside("GET", "/views").send().page().rows.is_empty());
    assert!(eve.inside("GET", "/invitations").send().page().rows.is_empty());
    assert_eq!(eve.inside("GET", "/members").send().page().rows.len(), 1);
}
