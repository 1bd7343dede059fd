//! Merges and undos that start before the jobs of earlier ones have moved all their rows. The jobs are blocked, so that
//! the overlap is certain.

use serde_json::{Value, json};
use std::collections::BTreeMap;

use crate::merging::{id, merge, person, undo};
use crate::support::*;

stories![
    a_merge_repeated_during_its_undo_is_undone_completely,
    nested_merges_are_undone_completely_in_any_order_of_their_jobs,
    other_merges_during_an_undo_are_undone_completely,
    changes_of_a_deal_during_a_merge_and_its_undo_are_kept,
];

/// More rows than a merge or an undo moves in its own transaction.
const REST: usize = 230;

/// Blocks the jobs that move the remaining rows of a merge.
fn hold_moves(world: &World) {
    const LATER: &str = "run_at = run_at + 3600000, wait = 3600000";
    if world.database_is_shared() {
        world.change(
            "CREATE FUNCTION hold_moves() RETURNS trigger LANGUAGE plpgsql AS \
             'BEGIN NEW.run_at := NEW.run_at + 3600000; NEW.wait := 3600000; RETURN NEW; END'",
        );
        world.change(
            "CREATE TRIGGER hold_moves BEFORE INSERT ON jobs FOR EACH ROW WHEN (NEW.kind = 'merge.move') \
             EXECUTE FUNCTION hold_moves()",
        );
    } else {
        world.change(&format!(
            "CREATE TRIGGER hold_moves AFTER INSERT ON jobs WHEN NEW.kind = 'merge.move' BEGIN \
             UPDATE jobs SET {LATER} WHERE workspace_id = NEW.workspace_id AND id = NEW.id; END"
        ));
    }
}

/// Releases the jobs of one merge, or of all, and waits for their end.
#[track_caller]
fn let_go(world: &World, merge: Option<&Value>) {
    let which = format!("kind = 'merge.move' AND payload LIKE '{}%'", merge.map(id).unwrap_or_default());
    let left = format!("SELECT CAST(count(*) AS text) FROM jobs WHERE {which}");
    assert_ne!(world.count(&left), 0, "no job is blocked");
    world.change(&format!("UPDATE jobs SET run_at = 1, wait = 0 WHERE {which}"));
    eventually("the rest has moved", 5 * PATIENCE, || (world.count(&left) == 0).then_some(()));
}

/// Deals with these contacts in turn.
fn many_deals(key: &Client, contacts: &[&[&Value]]) {
    let deals: Vec<Value> = (0..REST * contacts.len())
        .map(|n| {
            let ids: Vec<&Value> = contacts[n % contacts.len()].iter().map(|contact| &contact["id"]).collect();
            json!({"op": "create", "data": {"title": format!("Deal {n}"), "contact_ids": ids}})
        })
        .collect();
    for some in deals.chunks(100) {
        key.post("/deals/bulk", json!({"items": some})).ok();
    }
}

/// A member of all records, by id.
fn members(key: &Client, kind: &str, member: &str) -> BTreeMap<String, Value> {
    let (mut members, mut cursor) = (BTreeMap::new(), Some(String::new()));
    while let Some(place) = cursor {
        let page = key.list(&format!("/{kind}"), &[("limit", "100"), ("cursor", &place)]).page();
        members.extend(page.rows.iter().map(|row| (id(row), row[member].clone())));
        cursor = page.next();
    }
    members
}

#[track_caller]
fn same(before: &BTreeMap<String, Value>, after: &BTreeMap<String, Value>) {
    let wrong: Vec<_> = before.iter().filter(|(id, value)| after.get(*id) != Some(*value)).collect();
    assert!(
        wrong.is_empty() && before.len() == after.len(),
        "{} of {} differ, such as {:?}, which is {:?}",
        wrong.len(),
        before.len(),
        wrong.first(),
        wrong.first().and_then(|(id, _)| after.get(*id))
    );
}

fn a_merge_repeated_during_its_undo_is_undone_completely(world: &World) {
    let key = world.key("full_access");
    let [x, y] = [(); 2].map(|()| person(&key, json!({})));
    many_deals(&key, &[&[&x], &[&x, &y]]);
    let before = members(&key, "deals", "contact_ids");
    hold_moves(world);

    let first = merge(&key, "contacts", &y, &[&x]);
    let_go(world, None);
    undo(&key, "contacts", &first);
    let again = merge(&key, "contacts", &y, &[&x]);
    // Rows that the first undo has not moved back yet are moved by the second merge.
    let_go(world, Some(&first));
    undo(&key, "contacts", &again);
    let_go(world, None);
    same(&before, &members(&key, "deals", "contact_ids"));

    // The same with all jobs blocked until the end.
    let first = merge(&key, "contacts", &y, &[&x]);
    let_go(world, None);
    undo(&key, "contacts", &first);
    let again = merge(&key, "contacts", &y, &[&x]);
    undo(&key, "contacts", &again);
    let_go(world, None);
    same(&before, &members(&key, "deals", "contact_ids"));
}

fn nested_merges_are_undone_completely_in_any_order_of_their_jobs(world: &World) {
    let key = world.key("full_access");
    let [x, y, z] = [(); 3].map(|()| person(&key, json!({})));
    many_deals(&key, &[&[&x], &[&x, &y], &[&y, &x], &[&y, &z], &[&x, &z]]);
    for n in 0..REST {
        key.post("/tasks", json!({"title": format!("Task {n}"), "contact_id": x["id"]})).created();
    }
    let deals = members(&key, "deals", "contact_ids");
    let tasks = members(&key, "tasks", "contact_id");
    hold_moves(world);
    for is_moved in [true, false] {
        let first = merge(&key, "contacts", &y, &[&x]);
        if is_moved {
            let_go(world, None);
        }
        let second = merge(&key, "contacts", &z, &[&y]);
        let_go(world, Some(&second));
        undo(&key, "contacts", &second);
        undo(&key, "contacts", &first);
        let_go(world, Some(&first));
        let_go(world, None);
        same(&deals, &members(&key, "deals", "contact_ids"));
        same(&tasks, &members(&key, "tasks", "contact_id"));
    }
}

fn other_merges_during_an_undo_are_undone_completely(world: &World) {
    let key = world.key("full_access");
    let [x, y, z] = [(); 3].map(|()| person(&key, json!({})));
    many_deals(&key, &[&[&x], &[&x, &y], &[&z, &x]]);
    for n in 0..REST {
        key.post("/tasks", json!({"title": format!("Task {n}"), "contact_id": x["id"]})).created();
    }
    let deals = members(&key, "deals", "contact_ids");
    let tasks = members(&key, "tasks", "contact_id");
    hold_moves(world);
    let first = merge(&key, "contacts", &y, &[&x]);
    let_go(world, None);
    undo(&key, "contacts", &first);
    // Rows that still refer to y belong to x.
    let survivor = merge(&key, "contacts", &z, &[&y]);
    let_go(world, Some(&survivor));
    let other = merge(&key, "contacts", &z, &[&x]);
    let_go(world, Some(&first));
    undo(&key, "contacts", &other);
    undo(&key, "contacts", &survivor);
    if world.count("SELECT CAST(count(*) AS text) FROM jobs WHERE kind = 'merge.move'") > 0 {
        let_go(world, None);
    }
    same(&deals, &members(&key, "deals", "contact_ids"));
    same(&tasks, &members(&key, "tasks", "contact_id"));
}

fn changes_of_a_deal_during_a_merge_and_its_undo_are_kept(world: &World) {
    let key = world.key("full_access");
    let [x, y, w] = [(); 3].map(|()| person(&key, json!({})));
    many_deals(&key, &[&[&x]]);
    let (all, only) = (members(&key, "deals", "contact_ids"), |contact: &Value| json!([contact["id"]]));
    let both = |one: &Value, other: &Value| json!([one["id"], other["id"]]);
    hold_moves(world);
    let of = |contacts: Value| -> Vec<String> {
        let now = members(&key, "deals", "contact_ids");
        now.into_iter().filter(|(_, ids)| *ids == contacts).map(|(id, _)| id).collect()
    };

    // While the merge is still moving rows.
    let merged = merge(&key, "contacts", &y, &[&x]);
    let waiting = of(only(&x));
    let [same_again, more, without, linked, unlinked] = [0, 1, 2, 3, 4].map(|n| format!("/deals/{}", waiting[n]));
    key.put(&same_again, json!({"contact_ids": only(&y)})).ok();
    key.put(&more, json!({"contact_ids": both(&y, &w)})).ok();
    key.put(&without, json!({"contact_ids": only(&w)})).ok();
    key.post(&format!("{linked}/contacts"), json!({"contact_id": y["id"]})).created();
    key.delete(&format!("{unlinked}/contacts/{}", id(&x))).ok();
    let_go(world, None);
    undo(&key, "contacts", &merged);
    let_go(world, None);
    let contacts = |path: &str| key.get(path).ok()["contact_ids"].clone();
    assert_eq!(contacts(&same_again), only(&x));
    assert_eq!(contacts(&more), both(&x, &w));
    assert_eq!(contacts(&without), only(&w));
    assert_eq!(contacts(&linked), only(&x));
    assert_eq!(contacts(&unlinked), json!([]));
    for path in [&more, &without, &unlinked] {
        key.put(path, json!({"contact_ids": only(&x)})).ok();
    }
    same(&all, &members(&key, "deals", "contact_ids"));

    // While the undo is still moving rows back.
    let merged = merge(&key, "contacts", &y, &[&x]);
    let_go(world, None);
    undo(&key, "contacts", &merged);
    let waiting = of(only(&y));
    let [more, without, named, linked, unlinked] = [0, 1, 2, 3, 4].map(|n| format!("/deals/{}", waiting[n]));
    key.put(&more, json!({"contact_ids": both(&y, &w)})).ok();
    key.put(&without, json!({"contact_ids": only(&w)})).ok();
    key.put(&named, json!({"contact_ids": both(&x, &y)})).ok();
    key.post(&format!("{linked}/contacts"), json!({"contact_id": y["id"]})).created();
    key.delete(&format!("{unlinked}/contacts/{}", id(&x))).ok();
    let_go(world, None);
    assert_eq!(contacts(&more), both(&x, &w));
    assert_eq!(contacts(&without), only(&w));
    assert_eq!(contacts(&named), both(&x, &y));
    assert_eq!(contacts(&linked), both(&x, &y));
    assert_eq!(contacts(&unlinked), json!([]));
    assert_eq!(of(only(&x)).len(), REST - 5);
}
