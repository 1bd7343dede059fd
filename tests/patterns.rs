//! Patterns: results are exact at once, although the text index is written after the records.

use serde_json::json;

use crate::support::*;

stories![a_pattern_finds_new_records_at_once];

fn a_pattern_finds_new_records_at_once(world: &World) {
    let key = world.key("crm");
    let total = |field: &str, pattern: &str| key.list("/contacts", &[(field, pattern)]).page().total();
    for number in 0..150 {
        let company = format!("Company {number:03} Limited");
        let email = format!("person{number:03}@example.com");
        let body = json!({"first_name": "Ada", "current_company": company, "email": email, "phone": format!("555 0{number:03}")});
        let contact = key.post("/contacts", body).created();
        // Only `search` may be delayed; a filter never is.
        assert_eq!(total("current_company", "ilike.%limited"), number + 1, "after contact {number}");
        assert_eq!(total("email", &format!("like.%{number:03}@example%")), 1, "after contact {number}");
        assert_eq!(total("phone", &format!("like.%550{number:03}")), 1, "after contact {number}");
        if number % 10 == 0 {
            let path = format!("/contacts/{}", text(&contact["id"]));
            key.put(&path, json!({"current_company": format!("{company} (renamed)")})).ok();
            assert_eq!(total("current_company", &format!("ilike.%{number:03} limited")), 0, "after contact {number}");
            assert_eq!(
                total("current_company", &format!("ilike.%{number:03} limited (ren%")),
                1,
                "after contact {number}"
            );
            key.put(&path, json!({"current_company": company})).ok();
        }
    }
}
