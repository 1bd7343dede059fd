//! Deal pipelines: stages, the deals in them, and the operator's commands.

use std::collections::BTreeMap;
use std::thread;

use serde_json::{Value, json};

use crate::support::*;

stories![
    every_workspace_starts_with_a_pipeline,
    a_stage_shows_its_deals,
    sums_can_exceed_64_bits,
    sums_stay_exact_under_sixteen_writers,
    the_operator_makes_and_arranges_pipelines,
    the_operator_arranges_stages,
    deleting_a_stage_moves_its_deals,
    deleting_a_pipeline_moves_its_deals,
    wrong_pipeline_commands_change_nothing,
];

#[track_caller]
fn pipelines(key: &Client) -> Vec<Value> {
    key.get("/deal-pipelines").page().rows
}

/// The stages of the default pipeline.
#[track_caller]
fn stages(key: &Client) -> Vec<Value> {
    pipelines(key)[0]["stages"].as_array().cloned().unwrap_or_default()
}

#[track_caller]
fn names(key: &Client) -> Vec<String> {
    member(&pipelines(key)[0]["stages"], "name")
}

#[track_caller]
fn deal(key: &Client, stage: &Value, amount: &str, currency: &str) -> String {
    let body =
        format!(r#"{{"title": "x", "stage_id": {}, "amount": {amount}, "currency": "{currency}"}}"#, stage["id"]);
    format!("/deals/{}", text(&key.request("POST", "/deals").body(body).send().created()["id"]))
}

fn every_workspace_starts_with_a_pipeline(world: &World) {
    let key = world.key("deals:read");
    let other = world.workspace("beta").key("deals:read");
    for key in [&key, &other] {
        let answer = key.get("/deal-pipelines");
        let page = answer.page();
        assert_eq!(page.meta, json!({"total": 1, "limit": 1, "offset": 0, "has_more": false}));
        let pipeline = &page.rows[0];
        let stages: Vec<Value> = [("Lead", 10), ("Qualified", 25), ("Proposal", 50), ("Negotiation", 75)]
            .iter()
            .enumerate()
            .map(|(position, (name, probability))| {
                json!({
                    "id": pipeline["stages"][position]["id"], "name": name, "position": position,
                    "probability": probability, "color": null, "deals_count": 0, "deals_amount": [],
                })
            })
            .collect();
        let expected = json!({
            "id": pipeline["id"], "name": "Sales", "is_default": true, "position": 0, "stages": stages,
            "created_at": pipeline["created_at"], "updated_at": pipeline["updated_at"],
        });
        assert_eq!(*pipeline, expected);
        assert_eq!(key.get(&format!("/deal-pipelines/{}", text(&pipeline["id"]))).ok(), expected);
    }
    key.get(&format!("/deal-pipelines/{}", text(&pipelines(&other)[0]["id"]))).not_found();
    key.get(&format!("/deal-pipelines/{}", nobody())).not_found();
    key.get("/deal-pipelines?limit=1").invalid("limit");
    world.key("contacts:read").get("/deal-pipelines").error(403, "insufficient_scope").says("deals:read");
}

fn a_stage_shows_its_deals(world: &World) {
    let key = world.key("crm");
    let stages = stages(&key);
    let reported = |at: usize| {
        let stage = self::stages(&key).remove(at);
        (stage["deals_count"].as_i64().unwrap_or(-1), stage["deals_amount"].clone())
    };
    let sum = |currency: &str, amount: Value, expected: Value| json!({"currency": currency, "amount": amount, "expected_amount": expected});
    let first = deal(&key, &stages[0], "100.1", "EUR");
    deal(&key, &stages[0], "0.2", "EUR");
    let dollars = deal(&key, &stages[0], "7", "USD");
    let empty = key.post("/deals", json!({"title": "x"})).created();
    assert_eq!(reported(0), (4, json!([sum("EUR", json!(100.3), json!(100.3)), sum("USD", json!(7), json!(7))])));
    let pipeline = pipelines(&key).remove(0);
    assert_eq!(key.get(&format!("/deal-pipelines/{}", text(&pipeline["id"]))).ok(), pipeline);

    key.put(&dollars, json!({"currency": "EUR", "expected_amount": 3})).ok();
    assert_eq!(reported(0), (4, json!([sum("EUR", json!(107.3), json!(103.3))])));
    key.put(&first, json!({"amount": null})).ok();
    assert_eq!(reported(0), (4, json!([sum("EUR", json!(7.2), json!(103.3))])));
    key.put(&format!("{first}/stage"), json!({"stage_id": stages[2]["id"]})).ok();
    assert_eq!(reported(0), (3, json!([sum("EUR", json!(7.2), json!(3.2))])));
    assert_eq!(reported(2), (1, json!([sum("EUR", json!(0), json!(100.1))])));
    key.post(&format!("{first}/close"), json!({"status": "won", "signed_amount": 100})).ok();
    assert_eq!(reported(2), (0, json!([])), "closed deals are not counted");
    key.put(&first, json!({"amount": 55})).ok();
    assert_eq!(reported(2), (0, json!([])));
    key.post(&format!("{first}/reopen"), json!({})).ok();
    assert_eq!(reported(2), (1, json!([sum("EUR", json!(55), json!(100.1))])));
    key.delete(&first).ok();
    assert_eq!(reported(2), (0, json!([])), "archived deals are not counted");
    key.put(&first, json!({"archived_at": null})).ok();
    assert_eq!(reported(2), (1, json!([sum("EUR", json!(55), json!(100.1))])));
    key.put(&format!("/deals/{}", text(&empty["id"])), json!({"title": "y"})).ok();
    key.post("/deals", json!({"title": ""})).invalid("title");
    assert_eq!(reported(0).0, 3, "refused requests add nothing");
}

fn sums_can_exceed_64_bits(world: &World) {
    let key = world.key("crm");
    let stages = stages(&key);
    for _ in 0..12 {
        deal(&key, &stages[1], "999999999999999.9999", "EUR");
    }
    deal(&key, &stages[1], "0.1", "EUR");
    let answer = key.get("/deal-pipelines");
    let sum = r#""amount":12000000000000000.0988,"#;
    assert!(answer.text().contains(sum), "{answer}");
    assert_eq!(self::stages(&key)[1]["deals_count"], json!(13));
    // 12 × 10^19 ten-thousandths exceed 64 bits.
    world.cli(["pipelines", "stage", "merge", "--stage", "Qualified", "--into", "Lead"]).ok();
    let answer = key.get("/deal-pipelines");
    assert!(answer.text().contains(sum), "{answer}");
}

fn sums_stay_exact_under_sixteen_writers(world: &World) {
    let key = world.key("crm");
    world.set(&["--rate-limit", "100000"]);
    let stages: Vec<String> = stages(&key).iter().map(|stage| text(&stage["id"])).collect();
    let deals: Vec<String> = (0..8)
        .map(|n| {
            let body = json!({"title": "x", "amount": n * 10 + 1, "currency": if n % 2 == 0 { "EUR" } else { "USD" }});
            format!("/deals/{}", text(&key.post("/deals", body).created()["id"]))
        })
        .collect();
    thread::scope(|scope| {
        for mover in 0..16_usize {
            let (key, stages, deals) = (key.clone(), &stages, &deals);
            scope.spawn(move || {
                let mut dice = Dice::new(seed() ^ mover as u64);
                for _ in 0..20 {
                    let deal = &deals[dice.below(deals.len())];
                    let answer = match dice.below(10) {
                        0 => key.post(&format!("{deal}/close"), json!({"status": "lost"})),
                        1 | 2 => key.post(&format!("{deal}/reopen"), json!({})),
                        3 => key.put(deal, json!({"amount": dice.below(1000)})),
                        4 => key.delete(deal),
                        5 => key.put(deal, json!({"archived_at": null})),
                        _ => {
                            let stage = &stages[dice.below(stages.len())];
                            key.put(&format!("{deal}/stage"), json!({"stage_id": stage}))
                        }
                    };
                    // The move of a closed or archived deal may be refused.
                    assert!([200, 400].contains(&answer.status), "{answer}");
                }
            });
        }
    });
    let mut sums: BTreeMap<(String, String), (i64, i64, i64)> = BTreeMap::new();
    for row in key.list("/deals", &[("status", "open"), ("archived_at", "is.null")]).page().rows {
        let sum = sums.entry((text(&row["stage_id"]), text(&row["currency"]))).or_default();
        let whole = |name: &str| row[name].as_i64().unwrap_or_default();
        *sum = (sum.0 + 1, sum.1 + whole("amount"), sum.2 + whole("expected_amount"));
    }
    let mut kept: BTreeMap<(String, String), (i64, i64, i64)> = BTreeMap::new();
    for stage in self::stages(&key) {
        let mut count = 0;
        for amount in stage["deals_amount"].as_array().into_iter().flatten() {
            let at = (text(&stage["id"]), text(&amount["currency"]));
            let whole = |name: &str| amount[name].as_i64().unwrap_or_default();
            let deals = sums.get(&at).map_or(0, |sum| sum.0);
            count += deals;
            kept.insert(at, (deals, whole("amount"), whole("expected_amount")));
        }
        assert_eq!(stage["deals_count"], json!(count));
    }
    assert_eq!(kept, sums, "the stored sums equal the sums of the deals");
}

fn the_operator_makes_and_arranges_pipelines(world: &World) {
    let key = world.key("crm");
    let stages = "First contact:5, Demo:40,Contract";
    let made = world.cli(["pipelines", "create", "--name", " Partners ", "--stages", stages]);
    let id = made.ok().trim().to_owned();
    world.cli(["pipelines", "create", "--name", "Renewals"]).ok();
    let all = pipelines(&key);
    assert_eq!(all.iter().map(|it| text(&it["name"])).collect::<Vec<_>>(), ["Sales", "Partners", "Renewals"]);
    assert_eq!((text(&all[1]["id"]), &all[1]["is_default"], &all[1]["position"]), (id, &json!(false), &json!(1)));
    assert_eq!(member(&all[1]["stages"], "name"), ["First contact", "Demo", "Contract"]);
    let probabilities: Vec<&Value> =
        all[1]["stages"].as_array().into_iter().flatten().map(|it| &it["probability"]).collect();
    assert_eq!(probabilities, [&json!(5), &json!(40), &json!(null)]);
    assert_eq!(member(&all[2]["stages"], "name"), ["Lead", "Qualified", "Proposal", "Negotiation"]);
    world.cli(["pipelines", "rename", "--pipeline", "PARTNERS", "--name", "Channel"]).ok();
    world.cli(["pipelines", "default", "--pipeline", "channel"]).ok();
    let all = pipelines(&key);
    assert_eq!(
        all.iter().map(|it| text(&it["name"])).collect::<Vec<_>>(),
        ["Channel", "Sales", "Renewals"],
        "the default pipeline comes first"
    );
    assert_eq!(all.iter().filter(|it| it["is_default"] == true).count(), 1);
    let fresh = key.post("/deals", json!({"title": "x"})).created();
    assert_eq!((&fresh["pipeline_id"], &fresh["probability"]), (&all[0]["id"], &json!(5)));
    let listed = world.cli(["pipelines", "list"]);
    let lines: Vec<Vec<&str>> = listed.ok().lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines.len(), 11);
    assert_eq!(lines[0][..2], ["Channel", "default"]);
    assert_eq!(lines[0][3..8], ["0", "First contact", "5", "", "1"]);
    assert_eq!(lines[3][..2], ["Sales", ""]);
    world.cli(["pipelines", "move", "--pipeline", "Renewals", "--position", "0"]).ok();
    let all = pipelines(&key);
    assert_eq!(all.iter().map(|it| text(&it["name"])).collect::<Vec<_>>(), ["Channel", "Renewals", "Sales"]);
    assert_eq!(all.iter().map(|it| it["position"].clone()).collect::<Vec<_>>(), [json!(2), json!(0), json!(1)]);
    world.cli(["pipelines", "move", "--pipeline", "Nobody", "--position", "0"]).refused();
}

fn the_operator_arranges_stages(world: &World) {
    let key = world.key("crm");
    let before = pipelines(&key).remove(0);
    let run = |words: &[&str]| world.run(&[&["pipelines", "stage"], words].concat()).ok().trim().to_owned();
    let demo = run(&["add", "--name", "Demo", "--probability", "40", "--color", "#00ff00", "--position", "2"]);
    assert_eq!(names(&key), ["Lead", "Qualified", "Demo", "Proposal", "Negotiation"]);
    let now = pipelines(&key).remove(0);
    assert_eq!(now["stages"][2]["id"], json!(demo));
    assert_eq!((&now["stages"][2]["probability"], &now["stages"][2]["color"]), (&json!(40), &json!("#00ff00")));
    assert_ne!(now["updated_at"], before["updated_at"], "a change of its stages changes the pipeline");
    run(&["update", "--stage", "demo", "--name", "Showcase", "--probability", "45"]);
    run(&["rename", "--stage", &demo, "--color", "#0000ff"]);
    let stage = stages(&key).remove(2);
    assert_eq!(
        (&stage["name"], &stage["probability"], &stage["color"]),
        (&json!("Showcase"), &json!(45), &json!("#0000ff"))
    );
    run(&["move", "--stage", "Showcase", "--position", "0"]);
    assert_eq!(names(&key), ["Showcase", "Lead", "Qualified", "Proposal", "Negotiation"]);
    run(&["move", "--stage", "Showcase", "--position", "99"]);
    assert_eq!(names(&key), ["Lead", "Qualified", "Proposal", "Negotiation", "Showcase"]);
    let positions: Vec<Value> = stages(&key).iter().map(|stage| stage["position"].clone()).collect();
    assert_eq!(positions, [0, 1, 2, 3, 4].map(Value::from));
    run(&["delete", "--stage", "Showcase"]);
    assert_eq!(names(&key), ["Lead", "Qualified", "Proposal", "Negotiation"], "an empty stage needs no target");
    world.cli(["pipelines", "create", "--name", "Partners", "--stages", "A,B"]).ok();
    run(&["add", "--pipeline", "Partners", "--name", "C"]);
    assert_eq!(member(&pipelines(&key)[1]["stages"], "name"), ["A", "B", "C"]);
}

fn deleting_a_stage_moves_its_deals(world: &World) {
    let key = world.key("crm");
    world.set(&["--rate-limit", "100000"]);
    let stages = stages(&key);
    let open = deal(&key, &stages[1], "10", "EUR");
    let closed = deal(&key, &stages[1], "20", "EUR");
    key.post(&format!("{closed}/close"), json!({"status": "won"})).ok();
    let archived = deal(&key, &stages[1], "30", "EUR");
    key.delete(&archived).ok();
    let many: Vec<String> = (0..205).map(|_| deal(&key, &stages[1], "1", "USD")).collect();
    let refused = world.cli(["pipelines", "stage", "delete", "--stage", "Qualified"]);
    assert!(refused.refused().contains("say which stage takes them"), "{refused}");
    assert_eq!(names(&key).len(), 4);
    world.cli(["pipelines", "stage", "delete", "--stage", "Qualified", "--to", "proposal"]).ok();
    assert_eq!(names(&key), ["Lead", "Proposal", "Negotiation"]);
    let stage = self::stages(&key).remove(1);
    assert_eq!((&stage["deals_count"], &stage["position"]), (&json!(206), &json!(1)));
    assert_eq!(stage["deals_amount"][1], json!({"currency": "USD", "amount": 205, "expected_amount": 205}));
    for deal in [&open, &closed, &archived, &many[204]] {
        assert_eq!(key.get(deal).ok()["stage"], json!({"id": stage["id"], "name": "Proposal", "position": 1}));
    }
    assert_eq!(key.get(&closed).ok()["status"], "won");
    let reported = key.get(&format!("{open}/timeline")).page();
    assert_eq!(reported.column("type"), ["deal.moved", "deal.created"]);
    assert_eq!(reported.rows[0]["actor"]["kind"], "system");
    assert_eq!(reported.rows[0]["changes"]["stage_id"], json!([stages[1]["id"], stage["id"]]));
    key.put(&format!("{open}/stage"), json!({"stage_id": stages[1]["id"]})).not_found();
    assert_eq!(key.list("/deals", &[("stage_id", &text(&stages[1]["id"]))]).page().total(), 0);
}

fn deleting_a_pipeline_moves_its_deals(world: &World) {
    let key = world.key("crm");
    world.cli(["pipelines", "create", "--name", "Partners", "--stages", "Intro,Proposal"]).ok();
    world.cli(["pipelines", "create", "--name", "Empty"]).ok();
    let partners = pipelines(&key).remove(1);
    let [intro, proposal] = [0, 1].map(|at| {
        let body =
            json!({"title": "x", "amount": 4, "pipeline_id": partners["id"], "stage_id": partners["stages"][at]["id"]});
        format!("/deals/{}", text(&key.post("/deals", body).created()["id"]))
    });
    let refused = world.cli(["pipelines", "delete", "--pipeline", "Partners"]);
    assert!(refused.refused().contains("say which pipeline takes them"), "{refused}");
    world.cli(["pipelines", "delete", "--pipeline", "Partners", "--to", "Sales"]).ok();
    world.cli(["pipelines", "delete", "--pipeline", "Empty"]).ok();
    let all = pipelines(&key);
    assert_eq!(all.len(), 1);
    let (first, second) = (key.get(&intro).ok(), key.get(&proposal).ok());
    assert_eq!((&first["pipeline_id"], &first["stage"]["name"]), (&all[0]["id"], &json!("Lead")), "the first, or");
    assert_eq!(
        (&second["pipeline_id"], &second["stage"]["name"]),
        (&all[0]["id"], &json!("Proposal")),
        "the stage of the same name"
    );
    assert_eq!((&all[0]["stages"][0]["deals_count"], &all[0]["stages"][2]["deals_count"]), (&json!(1), &json!(1)));
    key.get(&format!("/deal-pipelines/{}", text(&partners["id"]))).not_found();
}

fn wrong_pipeline_commands_change_nothing(world: &World) {
    let key = world.key("crm");
    world.cli(["pipelines", "create", "--name", "Partners", "--stages", "Only"]).ok();
    let before = pipelines(&key);
    for (words, why) in [
        (&["create", "--name", " sales "][..], "exists already"),
        (&["create", "--name", ""], "name"),
        (&["create", "--name", &"x".repeat(101)], "100"),
        (&["create", "--name", "New", "--stages", "A:often"], "percent"),
        (&["create", "--name", "New", "--stages", "A:101"], "probability"),
        (&["create", "--name", "New", "--stages", "A,a"], "already"),
        (&["rename", "--pipeline", "Nope", "--name", "X"], "Sales, Partners"),
        (&["rename", "--name", "Partners"], "exists already"),
        (&["default", "--pipeline", "Nope"], "Nope"),
        (&["delete", "--pipeline", "Sales"], "default"),
        (&["delete", "--pipeline", "Partners", "--to", "Partners"], "another"),
        (&["stage", "add", "--name", "lead"], "already"),
        (&["stage", "add", "--name", "New", "--probability", "101"], "probability"),
        (&["stage", "add", "--name", "New", "--color", "green"], "color"),
        (&["stage", "update", "--stage", "Nope", "--name", "X"], "Lead, Qualified"),
        (&["stage", "update", "--stage", "Lead", "--name", "Proposal"], "already"),
        (&["stage", "merge", "--stage", "Lead", "--into", "Lead"], "another"),
        (&["stage", "merge", "--stage", "Lead", "--into", "Only"], "Only"),
        (&["stage", "delete", "--pipeline", "Partners", "--stage", "Only"], "at least one"),
    ] {
        let refused = world.run(&[&["pipelines"], words].concat());
        assert!(refused.refused().contains(why), "{words:?}: {refused}");
        assert_eq!(refused.code, Some(2), "{words:?}: {refused}");
    }
    assert_eq!(pipelines(&key), before);
}
