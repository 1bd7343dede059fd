//! Deals: title, amount, pipeline stage, closing and archiving.

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::*;

stories![
    a_bare_deal_has_every_member,
    a_full_deal_is_returned_as_sent,
    amounts_keep_every_digit,
    invalid_members_are_refused_by_name,
    a_change_touches_only_what_is_sent,
    another_pipeline_needs_one_of_its_stages,
    an_open_deal_moves_along_its_pipeline,
    a_deal_is_closed_and_opened_again,
    an_archived_deal_can_not_move_until_it_is_restored,
    deals_are_listed_filtered_and_sorted,
    deals_are_searched_and_synchronized,
    many_deals_come_in_one_request,
    deals_of_other_workspaces_are_hidden,
];

#[track_caller]
pub(crate) fn deal(key: &Client, body: Value) -> Value {
    let mut whole = json!({"title": "Licences"});
    body.as_object().into_iter().flatten().for_each(|(member, value)| whole[member] = value.clone());
    key.post("/deals", whole).created()
}

pub(crate) fn path(deal: &Value) -> String {
    format!("/deals/{}", text(&deal["id"]))
}

#[track_caller]
fn pipeline(key: &Client) -> Value {
    key.get("/deal-pipelines").page().rows.remove(0)
}

/// The ids of the default pipeline's stages, in their order.
#[track_caller]
pub(crate) fn stages(key: &Client) -> Vec<String> {
    member(&pipeline(key)["stages"], "id")
}

#[track_caller]
pub(crate) fn person(key: &Client, name: &str) -> Value {
    key.post("/contacts", json!({"first_name": name})).created()
}

#[track_caller]
pub(crate) fn company(key: &Client, name: &str) -> Value {
    key.post("/companies", json!({"name": name})).created()
}

/// The newest events of a record, as their types.
#[track_caller]
pub(crate) fn event_types(key: &Client, of: &str) -> Vec<String> {
    key.get(&format!("{of}/timeline")).page().column("type")
}

fn a_bare_deal_has_every_member(world: &World) {
    let key = world.key("crm");
    let answer = key.post("/deals", json!({"title": " Licences "}));
    let made = answer.created();
    assert_eq!(answer.header("Location"), format!("/api/v1{}", path(&made)));
    let pipeline = pipeline(&key);
    let expected = json!({
        "id": made["id"], "title": "Licences", "status": "open", "amount": null, "signed_amount": null,
        "currency": "EUR", "expected_amount": null, "expected_close_date": null, "probability": 10,
        "pipeline_id": pipeline["id"], "stage_id": pipeline["stages"][0]["id"], "company_id": null,
        "owner_id": key.get("/me").ok()["user"]["user_id"], "primary_source_id": null, "contact_ids": [],
        "close_reason_id": null, "loss_reason_id": null, "closed_at": null, "created_at": made["created_at"],
        "updated_at": made["created_at"], "archived_at": null,
    });
    assert_eq!(made, expected);
    assert_eq!(key.get("/deals").page().rows, std::slice::from_ref(&made));
    let mut whole = expected;
    whole["company"] = json!(null);
    whole["stage"] = json!({"id": made["stage_id"], "name": "Lead", "position": 0});
    whole["contacts"] = json!([]);
    assert_eq!(key.get(&path(&made)).ok(), whole, "a single read includes linked records");
    world.set(&["--currency", "CHF"]);
    eventually("the workspace has another currency", PATIENCE, || {
        (deal(&key, json!({}))["currency"] == "CHF").then_some(())
    });
}

fn a_full_deal_is_returned_as_sent(world: &World) {
    let key = world.key("crm");
    world.cli(["members", "add", "--email", "bea@example.com", "--name", "Bea Roth"]).ok();
    let bea = key.get("/workspace/members").page().rows.remove(1)["user_id"].clone();
    let (acme, ada) = (
        company(&key, "Acme"),
        key.post("/contacts", json!({"first_name": "Ada", "last_name": "Byron", "title": "CTO"})).created(),
    );
    let source = key.get("/reasons?kind=source").page().rows.remove(0)["id"].clone();
    let pipeline = pipeline(&key);
    let sent = json!({
        "title": "Renewal", "amount": 1200.5, "currency": "USD", "expected_amount": 900,
        "expected_close_date": "2027-03-01T00:00:00.000Z", "probability": 0, "pipeline_id": pipeline["id"],
        "stage_id": pipeline["stages"][2]["id"], "company_id": acme["id"], "owner_id": bea,
        "primary_source_id": source, "contact_ids": [ada["id"]],
    });
    let made = key.post("/deals", sent.clone()).created();
    for (member, value) in sent.as_object().into_iter().flatten() {
        assert_eq!(made[member], *value, "{member}");
    }
    let whole = key.get(&path(&made)).ok();
    assert_eq!(whole["company"], json!({"id": acme["id"], "name": "Acme"}));
    assert_eq!(whole["stage"], json!({"id": made["stage_id"], "name": "Proposal", "position": 2}));
    let shown = json!([{"id": ada["id"], "first_name": "Ada", "last_name": "Byron", "title": "CTO"}]);
    assert_eq!(whole["contacts"], shown);
    let events = world.events();
    assert_eq!(key.put(&path(&made), whole.clone()).ok(), made, "sent back as it is, nothing changes");
    assert_eq!(world.events(), events);
    assert_ne!(key.post("/deals", whole).created()["id"], made["id"], "a record can be sent back as a new one");
    let plain = json!({"title": "Plain", "amount": 5, "expected_amount": null, "owner_id": null, "probability": null});
    let plain = key.post("/deals", plain).created();
    assert_eq!(plain["expected_amount"], json!(null), "null stays null");
    assert_eq!((&plain["owner_id"], &plain["probability"]), (&json!(null), &json!(null)));
    assert_eq!(deal(&key, json!({"amount": 5}))["expected_amount"], json!(5), "the default is the amount");
    assert_eq!(deal(&key, json!({"currency": "gbp"}))["currency"], "GBP");
}

fn amounts_keep_every_digit(world: &World) {
    let key = world.key("crm");
    let send =
        |amount: &str| key.request("POST", "/deals").body(format!(r#"{{"title": "x", "amount": {amount}}}"#)).send();
    for (sent, shown) in [
        ("0", "0"),
        ("0.1", "0.1"),
        ("0.10", "0.1"),
        ("12.5000", "12.5"),
        ("1.5e3", "1500"),
        ("0.0001", "0.0001"),
        ("900719925474099.3", "900719925474099.3"),
        ("123456789012345.6789", "123456789012345.6789"),
        ("999999999999999.9999", "999999999999999.9999"),
    ] {
        let answer = send(sent);
        assert_eq!(answer.created()["amount"].to_string(), shown, "{sent}");
        let here = key.get(&path(&answer.created()));
        assert!(here.text().contains(&format!(r#""amount":{shown},"#)), "{here}");
        assert!(here.text().contains(&format!(r#""expected_amount":{shown},"#)), "{here}");
        let found = key.list("/deals", &[("amount", &format!("eq.{sent}"))]).page().ids();
        assert!(found.contains(&text(&answer.created()["id"])), "{sent} is not found");
    }
    for (sent, why) in [
        ("-1", "negative"),
        ("-0.0001", "negative"),
        ("1000000000000000", "below"),
        ("1e400", "below"),
        ("0.00001", "4 decimal places"),
        ("1e-9", "4 decimal places"),
        (r#""12""#, "number"),
        ("true", "number"),
        ("[1]", "number"),
    ] {
        send(sent).invalid("amount").says(why);
    }
    let column = |sort: &str| {
        let rows = key.list("/deals", &[("sort", sort), ("limit", "3")]).page().rows;
        rows.iter().map(|row| row["amount"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(column("-amount")[..2], ["999999999999999.9999", "900719925474099.3"]);
    assert_eq!(column("amount"), ["0", "0.0001", "0.1"]);
    let counted = |filter: &str| key.list("/deals", &[("amount", filter)]).page().total();
    assert_eq!(
        (counted("gt.900719925474099.3"), counted("lt.0.1"), counted("gte.-1"), counted("lte.1e20")),
        (1, 2, 9, 9)
    );
    assert_eq!((counted("in.(0.1,12.5)"), counted("neq.0.1")), (3, 7));
    key.list("/deals", &[("amount", "gt.much")]).invalid("amount");
    key.list("/deals", &[("amount", "like.1%")]).invalid("amount");
}

fn invalid_members_are_refused_by_name(world: &World) {
    let key = world.key("crm");
    let loss = key.get("/reasons?kind=loss").page().rows.remove(0)["id"].clone();
    let contact = person(&key, "Ada");
    for (member, value) in [
        ("title", json!("")),
        ("title", json!("x".repeat(256))),
        ("title", json!(null)),
        ("currency", json!("EURO")),
        ("currency", json!("ZZZ")),
        ("currency", json!(null)),
        ("probability", json!(101)),
        ("probability", json!(-1)),
        ("probability", json!(12.5)),
        ("expected_amount", json!(-1)),
        ("expected_close_date", json!("soon")),
        ("pipeline_id", json!(nobody())),
        ("pipeline_id", json!(null)),
        ("stage_id", json!(nobody())),
        ("stage_id", json!("Lead")),
        ("stage_id", json!(null)),
        ("company_id", json!(nobody())),
        ("company_id", contact["id"].clone()),
        ("owner_id", json!(nobody())),
        ("primary_source_id", json!(nobody())),
        ("primary_source_id", loss),
        ("contact_ids", json!("Ada")),
        ("archived_at", json!("2026-01-01T00:00:00.000Z")),
        ("tags", json!(["VIP"])),
        ("titel", json!("x")),
    ] {
        let mut body = json!({"title": "Licences"});
        body[member] = value;
        key.post("/deals", body).invalid(member);
    }
    let body = json!({"title": "x", "contact_ids": [contact["id"], nobody(), "me"]});
    key.post("/deals", body).invalid("contact_ids.2");
    let body = json!({"title": "x", "contact_ids": [contact["id"], nobody()]});
    key.post("/deals", body).invalid("contact_ids.1").says("no contact has this id");
    key.post("/deals", json!({})).invalid("title").says("required");
    key.post("/deals", json!({"title": "x", "titel": "y"})).invalid("titel").says("did you mean title?");
    let all =
        key.post("/deals", json!({"title": "x", "company_id": nobody(), "owner_id": nobody(), "stage_id": nobody()}));
    assert_eq!(all.error(400, "validation_error").details().len(), 3, "all problems are reported at once");
    assert_eq!(key.get("/deals").page().total(), 0);
    let made =
        deal(&key, json!({"title": "x".repeat(255), "status": "won", "signed_amount": 5, "closed_at": "2026-01-01"}));
    assert_eq!(
        (&made["status"], &made["signed_amount"], &made["closed_at"]),
        (&json!("open"), &json!(null), &json!(null))
    );
}

fn a_change_touches_only_what_is_sent(world: &World) {
    let key = world.key("crm");
    let made = deal(&key, json!({"amount": 100, "currency": "USD", "expected_close_date": "2027-01-01"}));
    let changed = key.put(&path(&made), json!({"amount": 250.25, "expected_close_date": null})).ok();
    assert_eq!(
        (
            changed["amount"].to_string(),
            &changed["expected_amount"],
            &changed["currency"],
            &changed["expected_close_date"]
        ),
        ("250.25".to_owned(), &json!(100), &json!("USD"), &json!(null)),
        "a member that is not sent changed"
    );
    assert_ne!(changed["updated_at"], made["updated_at"]);
    let same = key.patch(&path(&made), json!({"amount": 250.250, "status": "won", "closed_at": "2026-01-01"})).ok();
    assert_eq!(same, changed, "the same amount and read-only members change nothing");
    key.put(&path(&made), json!({"title": ""})).invalid("title");
    key.put(&path(&made), json!({"currency": "eu"})).invalid("currency");
    key.put(&path(&made), json!({"company_id": nobody()})).invalid("company_id");
    key.put(&path(&made), json!({"stage_id": nobody()})).invalid("stage_id");
    key.put(&path(&made), json!({"archived_at": "2026-01-01"})).invalid("archived_at");
    key.put(&format!("/deals/{}", nobody()), json!({"title": "X"})).not_found();
    assert_eq!(event_types(&key, &path(&made)), ["deal.updated", "deal.created"]);
    world
        .key("deals:read")
        .put(&path(&made), json!({"title": "X"}))
        .error(403, "insufficient_scope")
        .says("deals:write");
}

fn another_pipeline_needs_one_of_its_stages(world: &World) {
    let key = world.key("crm");
    world.cli(["pipelines", "create", "--name", "Partners", "--stages", "First:5,Second"]).ok();
    let partners = key.get("/deal-pipelines").page().rows.remove(1);
    let (own, other) = (stages(&key), member(&partners["stages"], "id"));
    key.post("/deals", json!({"title": "x", "stage_id": other[0]})).invalid("stage_id").says("Partners");
    let made = deal(&key, json!({"pipeline_id": partners["id"]}));
    assert_eq!((text(&made["stage_id"]), &made["probability"]), (other[0].clone(), &json!(5)));
    let second = deal(&key, json!({"pipeline_id": partners["id"], "stage_id": other[1]}));
    assert_eq!((text(&second["stage_id"]), &second["probability"]), (other[1].clone(), &json!(null)));
    let made = deal(&key, json!({}));
    let put = |body: Value| key.put(&path(&made), body);
    put(json!({"pipeline_id": partners["id"]})).invalid("pipeline_id").says("stage_id");
    put(json!({"stage_id": other[0]})).invalid("stage_id").says("Partners");
    put(json!({"pipeline_id": partners["id"], "stage_id": own[1]})).invalid("stage_id");
    put(json!({"pipeline_id": nobody(), "stage_id": own[1]})).invalid("pipeline_id");
    let moved = put(json!({"pipeline_id": partners["id"], "stage_id": other[1], "title": "Moved"})).ok();
    assert_eq!((&moved["pipeline_id"], text(&moved["stage_id"])), (&partners["id"], other[1].clone()));
    assert_eq!(moved["probability"], json!(null), "the stage's probability follows the stage");
    assert_eq!(event_types(&key, &path(&made))[0], "deal.moved");
    assert_eq!(put(json!({"pipeline_id": partners["id"]})).ok(), moved, "its own pipeline needs no stage");
}

fn an_open_deal_moves_along_its_pipeline(world: &World) {
    let key = world.key("crm");
    let (stages, made) = (stages(&key), deal(&key, json!({"amount": 10})));
    let to = |stage: &str| key.put(&format!("{}/stage", path(&made)), json!({"stage_id": stage}));
    thread::sleep(Duration::from_millis(1200));
    let moved = to(&stages[3]).ok();
    let mut expected = made.clone();
    (expected["stage_id"], expected["updated_at"]) = (json!(stages[3]), moved["updated_at"].clone());
    expected["probability"] = pipeline(&key)["stages"][3]["probability"].clone();
    assert_eq!(moved, expected, "the stage and its probability, nothing else");
    let event = key.get(&format!("{}/timeline?types=deal.moved", path(&made))).page().rows.remove(0);
    assert_eq!(event["changes"]["stage_id"], json!([stages[0], stages[3]]));
    let seconds = event["changes"]["time_in_stage"][0].as_i64().unwrap_or_default();
    assert!((1..60).contains(&seconds), "{event}");
    let events = world.events();
    assert_eq!(to(&stages[3]).ok(), moved, "moving to the current stage changes nothing");
    assert_eq!(world.events(), events);
    let backwards = key.patch(&format!("{}/stage", path(&made)), json!({"stage_id": stages[1]})).ok();
    assert_eq!(text(&backwards["stage_id"]), stages[1]);
    to(&nobody()).not_found();
    to("Lead").invalid("stage_id");
    key.put(&format!("{}/stage", path(&made)), json!({})).invalid("stage_id").says("required");
    key.put(&format!("{}/stage", path(&made)), json!({"stage_id": stages[0], "title": "x"})).invalid("title");
    key.put(&format!("/deals/{}/stage", nobody()), json!({"stage_id": stages[0]})).not_found();
    world.cli(["pipelines", "create", "--name", "Partners"]).ok();
    let other = text(&key.get("/deal-pipelines").page().rows[1]["stages"][0]["id"]);
    to(&other).invalid("stage_id").says("Partners");
    let theirs = world.workspace("beta").key("crm");
    key.put(&format!("{}/stage", path(&made)), json!({"stage_id": pipeline(&theirs)["stages"][0]["id"]})).not_found();
    world
        .key("deals:read,deals:delete")
        .put(&format!("{}/stage", path(&made)), json!({"stage_id": stages[0]}))
        .error(403, "insufficient_scope");
}

fn a_deal_is_closed_and_opened_again(world: &World) {
    let key = world.key("crm");
    let stages = stages(&key);
    let reason = |kind: &str| key.get(&format!("/reasons?kind={kind}")).page().rows.remove(0)["id"].clone();
    let (close_reason, loss_reason) = (reason("close"), reason("loss"));
    let made = deal(&key, json!({"amount": 100}));
    let close = |deal: &Value, body: Value| key.post(&format!("{}/close", path(deal)), body);
    for (field, body) in [
        ("status", json!({})),
        ("status", json!({"status": "open"})),
        ("status", json!({"status": "gone"})),
        ("signed_amount", json!({"status": "won", "signed_amount": -1})),
        ("actual_close_date", json!({"status": "won", "actual_close_date": "yesterday"})),
        ("close_reason_id", json!({"status": "won", "close_reason_id": nobody()})),
        ("close_reason_id", json!({"status": "won", "close_reason_id": loss_reason})),
        ("loss_reason_id", json!({"status": "lost", "loss_reason_id": close_reason})),
        ("reason", json!({"status": "lost", "reason": "x"})),
    ] {
        close(&made, body).invalid(field);
    }
    assert_eq!(key.get(&path(&made)).ok()["status"], "open");
    let body = json!({"status": "won", "signed_amount": 95.5, "actual_close_date": "2026-02-03", "close_reason_id": close_reason});
    let won = close(&made, body).ok();
    assert_eq!(
        (&won["status"], won["signed_amount"].to_string(), &won["closed_at"], &won["close_reason_id"]),
        (&json!("won"), "95.5".to_owned(), &json!("2026-02-03T00:00:00.000Z"), &close_reason)
    );
    assert_eq!(won["stage_id"], made["stage_id"]);
    close(&made, json!({"status": "lost"})).invalid("status").says("won");
    key.put(&format!("{}/stage", path(&made)), json!({"stage_id": stages[1]})).invalid("status").says("won");
    key.put(&path(&made), json!({"stage_id": stages[1]})).invalid("status").says("won");
    assert_eq!(key.put(&path(&made), json!({"title": "Renamed"})).ok()["title"], "Renamed", "the rest can be changed");
    let events: Vec<String> = event_types(&key, &path(&made));
    assert_eq!(events, ["deal.updated", "deal.closed", "deal.created"]);

    let opened = key.post(&format!("{}/reopen", path(&made)), json!({})).ok();
    for member in ["signed_amount", "closed_at", "close_reason_id", "loss_reason_id"] {
        assert_eq!(opened[member], json!(null), "{member}");
    }
    assert_eq!(opened["status"], "open");
    key.request("POST", &format!("{}/reopen", path(&made))).send().invalid("status").says("open");
    assert_eq!(event_types(&key, &path(&made))[0], "deal.reopened");
    let body = json!({"status": "lost", "signed_amount": 5, "loss_reason_id": loss_reason});
    let lost = close(&made, body).ok();
    assert_eq!(
        (&lost["status"], &lost["signed_amount"], &lost["loss_reason_id"]),
        (&json!("lost"), &json!(null), &loss_reason)
    );
    assert_eq!(lost["closed_at"], lost["updated_at"], "the default is now");
    let other = deal(&key, json!({}));
    assert_eq!(close(&other, json!({"status": "disqualified"})).ok()["status"], "disqualified");
    let event = key.get(&format!("{}/timeline?types=deal.closed", path(&other))).page().rows.remove(0);
    assert_eq!(event["changes"]["status"], json!(["open", "disqualified"]));
    assert_eq!(event["changes"]["time_in_stage"], json!([0, null]));
    for action in ["close", "reopen"] {
        let body = if action == "close" { json!({"status": "won"}) } else { json!({}) };
        key.post(&format!("/deals/{}/{action}", nobody()), body.clone()).not_found();
        world
            .key("deals:read")
            .post(&format!("{}/{action}", path(&made)), body)
            .error(403, "insufficient_scope")
            .says("deals:write");
    }
}

fn an_archived_deal_can_not_move_until_it_is_restored(world: &World) {
    let key = world.key("crm");
    let (stages, acme) = (stages(&key), company(&key, "Acme"));
    let made = deal(&key, json!({"company_id": acme["id"]}));
    let count = || key.get(&format!("/companies/{}", text(&acme["id"]))).ok()["deals_count"].clone();
    assert_eq!(count(), 1);
    let archived = key.delete(&path(&made)).ok();
    assert!(archived["archived_at"].is_string());
    assert_eq!(key.delete(&path(&made)).ok(), archived, "archiving again changed something");
    assert_eq!(count(), 0, "archived deals are counted");
    key.put(&format!("{}/stage", path(&made)), json!({"stage_id": stages[1]})).invalid("archived_at").says("archived");
    key.put(&path(&made), json!({"stage_id": stages[1]})).invalid("archived_at");
    key.post(&format!("{}/close", path(&made)), json!({"status": "won"})).invalid("archived_at").says("restore");
    key.post(&format!("{}/reopen", path(&made)), json!({})).invalid("archived_at");
    assert_eq!(key.list("/deals", &[("archived_at", "is.not_null")]).page().ids(), [text(&made["id"])]);
    assert_eq!(key.list("/deals", &[("archived_at", "is.null")]).page().total(), 0);
    assert_eq!(key.get("/deals").page().total(), 1, "archived ones are listed");
    assert_eq!(key.put(&path(&made), archived.clone()).ok(), archived, "sending it back unchanged changed something");
    let restored = key.put(&path(&made), json!({"archived_at": null, "stage_id": stages[1]})).ok();
    assert_eq!((&restored["archived_at"], text(&restored["stage_id"])), (&json!(null), stages[1].clone()));
    assert_eq!(count(), 1);
    world.key("deals:write").delete(&path(&made)).error(403, "insufficient_scope").says("deals:delete");
    key.delete(&format!("/deals/{}", nobody())).not_found();
}

fn deals_are_listed_filtered_and_sorted(world: &World) {
    let key = world.key("crm");
    let (stages, acme) = (stages(&key), company(&key, "Acme"));
    let me = text(&key.get("/me").ok()["user"]["user_id"]);
    let source = key.get("/reasons?kind=source").page().rows.remove(0)["id"].clone();
    for body in [
        json!({"title": "beta", "amount": 20, "stage_id": stages[1], "expected_close_date": "2027-01-01", "currency": "USD"}),
        json!({"title": "Alpha", "amount": 3, "stage_id": stages[1], "expected_amount": 1, "company_id": acme["id"]}),
        json!({"title": "Ümlaut", "stage_id": stages[2], "owner_id": null, "primary_source_id": source, "expected_close_date": "2026-12-01"}),
        json!({"title": "delta", "amount": 3, "probability": 90}),
    ] {
        let made = key.post("/deals", body).created();
        if made["title"] == "delta" {
            let body = json!({"status": "won", "signed_amount": 4, "actual_close_date": "2026-03-04"});
            key.post(&format!("{}/close", path(&made)), body).ok();
        }
    }
    let titles = |parameters: &[(&str, &str)]| key.list("/deals", parameters).page().column("title");
    assert_eq!(titles(&[]), ["delta", "Ümlaut", "Alpha", "beta"]);
    assert_eq!(titles(&[("sort", "title")]), ["Alpha", "beta", "delta", "Ümlaut"]);
    assert_eq!(titles(&[("sort", "-amount")]), ["beta", "delta", "Alpha", "Ümlaut"], "nulls last, ties by id");
    assert_eq!(titles(&[("sort", "amount")]), ["Alpha", "delta", "beta", "Ümlaut"]);
    assert_eq!(titles(&[("sort", "expected_close_date,title")]), ["Ümlaut", "beta", "Alpha", "delta"]);
    assert_eq!(titles(&[("sort", "-probability,title")]), ["delta", "Ümlaut", "Alpha", "beta"]);
    assert_eq!(titles(&[("sort", "closed_at"), ("limit", "1")]), ["delta"]);
    assert_eq!(titles(&[("sort", "-updated_at"), ("limit", "1")]), ["delta"]);
    for (parameter, value, found) in [
        ("title", "ilike.%LPH%", 1),
        ("status", "eq.won", 1),
        ("status", "neq.won", 3),
        ("status", "in.(open,lost)", 3),
        ("amount", "gte.3", 3),
        ("signed_amount", "eq.4", 1),
        ("expected_amount", "lt.3", 1),
        ("currency", "USD", 1),
        ("currency", "ilike.eu%", 3),
        ("probability", "gt.25", 2),
        ("expected_close_date", "lte.2026-12-31", 1),
        ("pipeline_id", text(&pipeline(&key)["id"]).as_str(), 4),
        ("pipeline_id", nobody().as_str(), 0),
        ("stage_id", stages[1].as_str(), 2),
        ("stage_id", format!("in.({},{})", stages[0], stages[2]).as_str(), 2),
        ("stage_id", format!("not.eq.{}", stages[1]).as_str(), 2),
        ("company_id", text(&acme["id"]).as_str(), 1),
        ("company_id", "is.null", 3),
        ("owner_id", me.as_str(), 3),
        ("primary_source_id", text(&source).as_str(), 1),
        ("closed_at", "gt.2026-03-01", 1),
        ("closed_at", "is.null", 3),
        ("created_at", "gt.2026-01-01", 4),
        ("updated_at", "lt.2026-01-01", 0),
        ("archived_at", "is.null", 4),
        ("or", "(title.eq.beta,status.eq.won)", 2),
    ] {
        assert_eq!(key.list("/deals", &[(parameter, value)]).page().total(), found, "{parameter}={value}");
    }
    // A board: open deals of a stage, in any order.
    let open = [("stage_id", stages[1].as_str()), ("status", "open"), ("archived_at", "is.null")];
    for (sort, expected) in
        [("title", ["Alpha", "beta"]), ("-created_at", ["Alpha", "beta"]), ("-amount", ["beta", "Alpha"])]
    {
        let page = key.list("/deals", &[&open[..], &[("sort", sort)]].concat()).page();
        assert_eq!((page.column("title"), page.total()), (expected.map(str::to_owned).to_vec(), 2), "{sort}");
    }
    let first = key.list("/deals", &[("cursor", ""), ("limit", "3"), ("sort", "-amount")]).page();
    assert_eq!(first.column("title"), ["beta", "delta", "Alpha"]);
    let next = first.next().unwrap_or_default();
    assert_eq!(titles(&[("cursor", &next), ("limit", "3"), ("sort", "-amount")]), ["Ümlaut"]);
    for (parameter, value) in [
        ("status", "closed"),
        ("stage_id", "Lead"),
        ("title", "cs.{a}"),
        ("sort", "status"),
        ("sort", "expected_amount"),
        ("contact_ids", "x"),
        ("stage", "Lead"),
        ("created_after", "2026-01-01"),
    ] {
        key.list("/deals", &[(parameter, value)]).invalid(parameter);
    }
}

fn deals_are_searched_and_synchronized(world: &World) {
    let key = world.key("crm");
    let (licences, support) =
        (deal(&key, json!({"title": "Élan licences"})), deal(&key, json!({"title": "Support 2027"})));
    let found = |words: &str| key.list("/deals", &[("search", words)]).page().ids();
    let indexed = || world.count("SELECT CAST(count(*) AS text) FROM texts WHERE collection = 'deals'") == 2;
    for _ in 0..2 {
        assert_eq!(found("elan LICEN"), [text(&licences["id"])]);
        assert_eq!(found("2027"), [text(&support["id"])]);
        assert_eq!(found("elan 2027"), Vec::<String>::new());
        assert_eq!(key.list("/deals", &[("title", "ilike.%CENCES")]).page().ids(), [text(&licences["id"])]);
        // Once immediately, and once from the index.
        eventually("the index", PATIENCE, || indexed().then_some(()));
    }
    key.put(&path(&support), json!({"title": "Maintenance"})).ok();
    assert_eq!((found("2027").len(), found("maint")), (0, vec![text(&support["id"])]));

    let (first, second) = (key.get(&path(&licences)).ok(), key.get(&path(&support)).ok());
    let after = text(&first["updated_at"]);
    let synced = |parameters: &[(&str, &str)]| key.list("/deals", parameters).page().ids();
    assert_eq!(synced(&[("updated_after", &after)]), [text(&support["id"])], "strictly after");
    assert_eq!(synced(&[("updated_before", &after)]), [text(&licences["id"])], "`updated_before` is inclusive");
    key.put(&format!("{}/stage", path(&licences)), json!({"stage_id": stages(&key)[1]})).ok();
    let since = text(&second["updated_at"]);
    assert_eq!(synced(&[("updated_after", &since)]), [text(&licences["id"])], "a move is a change");
    assert_eq!(
        synced(&[("updated_after", "2026-01-01T00:00:00Z")]),
        [text(&support["id"]), text(&licences["id"])],
        "in the order of change"
    );
    key.list("/deals", &[("updated_after", "yesterday")]).invalid("updated_after");
}

fn deals_of_other_workspaces_are_hidden(world: &World) {
    let (ours, theirs) = (world.key("full_access"), world.workspace("theirs").key("full_access"));
    let made = deal(&theirs, json!({"contact_ids": [person(&theirs, "Eve")["id"]]}));
    let (acme, eve) = (company(&theirs, "Acme"), person(&theirs, "Eve"));
    let (get, stage) = (path(&made), json!({"stage_id": stages(&ours)[0]}));
    ours.get(&get).not_found();
    ours.put(&get, json!({"title": "mine"})).not_found();
    ours.delete(&get).not_found();
    ours.put(&format!("{get}/stage"), stage).not_found();
    ours.post(&format!("{get}/close"), json!({"status": "won"})).not_found();
    ours.post(&format!("{get}/reopen"), json!({})).not_found();
    ours.post(&format!("{get}/contacts"), json!({"contact_id": person(&ours, "Ada")["id"]})).not_found();
    ours.get(&format!("{get}/timeline")).not_found();
    assert_eq!(ours.get("/deals").page().total(), 0);
    ours.post("/deals", json!({"title": "x", "company_id": acme["id"]})).invalid("company_id");
    ours.post("/deals", json!({"title": "x", "contact_ids": [eve["id"]]})).invalid("contact_ids.0");
    ours.post("/deals", json!({"title": "x", "stage_id": made["stage_id"]})).invalid("stage_id");
    ours.post("/deals", json!({"title": "x", "pipeline_id": made["pipeline_id"]})).invalid("pipeline_id");
    let own = deal(&ours, json!({}));
    ours.post(&format!("{}/contacts", path(&own)), json!({"contact_id": eve["id"]})).not_found();
    assert_eq!(theirs.get("/deals").page().rows, [made]);
}

fn many_deals_come_in_one_request(world: &World) {
    let key = world.key("crm");
    let made = deal(&key, json!({"amount": 1}));
    let items = json!([
        {"op": "create", "data": {"title": "First", "amount": 0.1}},
        {"op": "update", "id": made["id"], "data": {"stage_id": stages(&key)[1]}},
        {"op": "create", "data": {"title": ""}},
        {"op": "upsert", "data": {"title": "x"}},
    ]);
    let answer = key.post("/deals/bulk", json!({"items": items})).ok();
    let statuses: Vec<Option<i64>> =
        answer["results"].as_array().into_iter().flatten().map(|result| result["status"].as_i64()).collect();
    assert_eq!(statuses, [Some(201), Some(200), Some(400), Some(400)]);
    let board = pipeline(&key);
    assert_eq!((&board["stages"][0]["deals_count"], &board["stages"][1]["deals_count"]), (&json!(1), &json!(1)));
    assert_eq!(board["stages"][0]["deals_amount"][0]["amount"].to_string(), "0.1");
    key.post("/deals/bulk", json!({"items": items, "atomic": true})).invalid("items.2.data.title");
    assert_eq!(pipeline(&key), board, "all or nothing");
}
