//! Pages far down a long list, where ids are skipped before records are read, and lists with few matches, which are
//! looked up one by one: both give the same order as paging by cursor.

use serde_json::{Value, json};

use crate::lists::{SORTS, walked};
use crate::support::*;

stories![deep_pages_leave_out_archived_contacts, few_matches_come_in_the_order_of_creation];

const PEOPLE: usize = 1_500;

fn deep_pages_leave_out_archived_contacts(world: &World) {
    world.set(&["--rate-limit", "100000"]);
    let key = world.key("crm");
    // Some contacts share a name, some have none.
    let person = |n: usize| {
        let last = (!n.is_multiple_of(5)).then(|| format!("Name {}", n % 90));
        json!({"op": "create", "data": {"first_name": format!("Ada {}", n % 400), "last_name": last, "years_experience": n % 40}})
    };
    let people: Vec<Value> = (0..PEOPLE).map(person).collect();
    let mut ids = Vec::new();
    for some in people.chunks(1_000) {
        ids.extend(member(&key.post("/contacts/bulk", json!({ "items": some })).ok()["results"], "id"));
    }
    let archived: Vec<&String> = ids.iter().step_by(13).collect();
    for id in &archived {
        key.delete(&format!("/contacts/{id}")).ok();
    }
    let here = PEOPLE - archived.len();
    for sort in SORTS {
        for order in [sort.to_owned(), format!("-{sort}")] {
            let asked = [("archived_at", "is.null"), ("sort", order.as_str())];
            let whole = walked(&key, &asked, 100);
            assert_eq!(whole.len(), here, "{order}");
            assert!(archived.iter().all(|id| !whole.contains(id)), "{order} contains an archived contact");
            for offset in [1_000, here - 60, here] {
                let at = offset.to_string();
                let page = key.list("/contacts", &[&asked[..], &[("limit", "50"), ("offset", &at)]].concat()).page();
                assert_eq!(page.total(), here as u64, "{order} from {offset}");
                let rest: Vec<String> = whole.iter().skip(offset).take(50).cloned().collect();
                assert_eq!(page.ids(), rest, "{order} from {offset}");
            }
        }
    }
}

/// A few pages of many contacts have the tag; some of them are archived.
fn few_matches_come_in_the_order_of_creation(world: &World) {
    let key = world.key("crm");
    let person = |n: usize| json!({"op": "create", "data": {"first_name": format!("Ada {n}"), "tags": if n.is_multiple_of(4) { vec!["few"] } else { vec![] }}});
    let people: Vec<Value> = (0..300).map(person).collect();
    let made = member(&key.post("/contacts/bulk", json!({ "items": people })).ok()["results"], "id");
    let tagged: Vec<&String> = made.iter().step_by(4).collect();
    for id in tagged.iter().step_by(9) {
        key.delete(&format!("/contacts/{id}")).ok();
    }
    let mut here: Vec<String> =
        tagged.iter().enumerate().filter(|(n, _)| !n.is_multiple_of(9)).map(|(_, id)| (*id).clone()).collect();
    // Ids begin with the time of creation, and break its ties.
    here.sort();
    assert!(here.len() > 50, "more than two pages");
    for (order, expected) in [("created_at", here.clone()), ("-created_at", here.iter().rev().cloned().collect())] {
        let asked = [("tags", "cs.{few}"), ("archived_at", "is.null"), ("sort", order)];
        assert_eq!(walked(&key, &asked, 7), expected, "{order} by cursor");
        for offset in [0, 1, 30, expected.len() - 1, expected.len()] {
            let at = offset.to_string();
            let page = key.list("/contacts", &[&asked[..], &[("limit", "20"), ("offset", &at)]].concat()).page();
            assert_eq!(page.total(), expected.len() as u64, "{order} from {offset}");
            let rest: Vec<String> = expected.iter().skip(offset).take(20).cloned().collect();
            assert_eq!(page.ids(), rest, "{order} from {offset}");
        }
    }
}
