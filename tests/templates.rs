//! Project templates: the stages of new projects.

use serde_json::{Value, json};

use crate::support::*;

stories![
    every_workspace_starts_with_the_default_template,
    any_key_reads_templates,
    an_operator_makes_renames_and_deletes_templates,
    an_operator_reorders_the_stages,
    wrong_template_commands_are_refused,
    a_project_keeps_the_stages_it_was_made_with,
];

#[track_caller]
fn templates(key: &Client) -> Vec<Value> {
    key.get("/project-templates").page().rows
}

#[track_caller]
fn template(key: &Client, name: &str) -> Value {
    let found = templates(key).into_iter().find(|template| template["name"] == name);
    found.unwrap_or_else(|| panic!("there is no template {name}"))
}

const CATEGORIES: [&str; 7] = ["sourced", "contacted", "replied", "interview", "offer", "hired", "rejected"];

fn every_workspace_starts_with_the_default_template(world: &World) {
    for key in [world.key("sourcing"), world.workspace("second").key("sourcing")] {
        let page = key.get("/project-templates").page();
        assert_eq!(page.meta, json!({"total": 1, "limit": 1, "offset": 0, "has_more": false}));
        let [template] = &page.rows[..] else { panic!("not one template: {:?}", page.rows) };
        assert_eq!(template["is_default"], true);
        assert_eq!(member(&template["stages"], "system_category"), CATEGORIES);
        assert_eq!(member(&template["stages"], "name")[..2], ["Sourced", "Contacted"]);
        let positions: Vec<&Value> =
            template["stages"].as_array().expect("a list").iter().map(|stage| &stage["position"]).collect();
        assert_eq!(positions, [0, 1, 2, 3, 4, 5, 6]);
        for color in member(&template["stages"], "color") {
            assert!(color.len() == 7 && color.starts_with('#'), "{color}");
        }
    }
}

fn any_key_reads_templates(world: &World) {
    assert_eq!(templates(&world.key("messages:write")).len(), 1);
    world.key("messages:write").get("/project-templates?limit=1").invalid("limit").says("it takes fields");
}

fn an_operator_makes_renames_and_deletes_templates(world: &World) {
    let key = world.key("sourcing");
    let id =
        world.cli(["templates", "create", "--name", "Board", "--stages", "Long list:sourced,Meet,Hired,No:rejected"]);
    let made = template(&key, "Board");
    assert_eq!(made["id"], id.ok());
    assert_eq!(made["is_default"], false);
    assert_eq!(member(&made["stages"], "name"), ["Long list", "Meet", "Hired", "No"]);
    assert_eq!(member(&made["stages"], "system_category"), ["sourced", "other", "hired", "rejected"]);
    // Without stages it copies those of the default template, with new ids.
    world.cli(["templates", "create", "--name", "Copy"]).ok();
    let (copy, default) = (template(&key, "Copy"), template(&key, "Recruiting"));
    assert_eq!(member(&copy["stages"], "system_category"), CATEGORIES);
    assert_ne!(member(&copy["stages"], "id"), member(&default["stages"], "id"));

    world.cli(["templates", "rename", "--template", "board", "--name", "Executive search"]).ok();
    world.cli(["templates", "default", "--template", "Executive search"]).ok();
    let all = templates(&key);
    assert_eq!(all.iter().filter(|template| template["is_default"] == true).count(), 1);
    assert_eq!(all[0]["name"], "Executive search", "the default one comes first");
    let project = key.post("/projects", json!({"name": "CFO"})).created();
    assert_eq!(project["template_id"], id.ok());
    assert_eq!(member(&project["pipeline"]["stages"], "name"), ["Long list", "Meet", "Hired", "No"]);

    let refused = world.cli(["templates", "delete", "--template", "Executive search"]);
    assert!(refused.refused().contains("default"), "{refused}");
    world.cli(["templates", "default", "--template", &text(&default["id"])]).ok();
    world.cli(["templates", "delete", "--template", "Executive search"]).ok();
    world.cli(["templates", "delete", "--template", "Copy"]).ok();
    assert_eq!(templates(&key).len(), 1);
    // Projects made from it do not change.
    assert_eq!(key.get(&format!("/projects/{}", text(&project["id"]))).ok(), project);
    let listed = world.cli(["templates", "list"]);
    assert!(listed.ok().contains("\tRecruiting\tdefault\tSourced:sourced,Contacted:contacted"), "{listed}");
}

fn an_operator_reorders_the_stages(world: &World) {
    let key = world.key("sourcing");
    let (of, stages) = (["--template", "Recruiting"], || template(&key, "Recruiting")["stages"].clone());
    let before = stages();
    world
        .run(
            &[
                &["templates", "add-stage", "--name", "Test task", "--category", "interview", "--position", "3"],
                &of[..],
            ]
            .concat(),
        )
        .ok();
    world.run(&[&["templates", "add-stage", "--name", "Later"], &of[..]].concat()).ok();
    let names = ["Sourced", "Contacted", "Replied", "Test task", "Interview", "Offer", "Hired", "Rejected", "Later"];
    assert_eq!(member(&stages(), "name"), names);
    assert_eq!(stages()[8]["system_category"], "other");
    world.run(&[&["templates", "move-stage", "--stage", "later", "--position", "0"], &of[..]].concat()).ok();
    world
        .run(
            &[
                &[
                    "templates",
                    "change-stage",
                    "--stage",
                    "Later",
                    "--name",
                    "Ideas",
                    "--category",
                    "sourced",
                    "--color",
                    "#112233",
                ],
                &of[..],
            ]
            .concat(),
        )
        .ok();
    world.run(&[&["templates", "remove-stage", "--stage", "Test task"], &of[..]].concat()).ok();
    let after = stages();
    assert_eq!(member(&after, "name")[..3], ["Ideas", "Sourced", "Contacted"]);
    assert_eq!((&after[0]["system_category"], &after[0]["color"]), (&json!("sourced"), &json!("#112233")));
    assert_eq!(after[1]["id"], before[0]["id"], "a moved stage keeps its id");
    let positions: Vec<&Value> = after.as_array().expect("a list").iter().map(|stage| &stage["position"]).collect();
    assert_eq!(positions, [0, 1, 2, 3, 4, 5, 6, 7]);
}

fn wrong_template_commands_are_refused(world: &World) {
    let key = world.key("sourcing");
    let before = templates(&key);
    let refused = |arguments: &[&str], why: &str| {
        let ran = world.run(&[&["templates"], arguments].concat());
        assert!(ran.refused().contains(why), "{ran}");
    };
    refused(&["create", "--name", ""], "name");
    refused(&["create", "--name", &"x".repeat(101)], "100");
    refused(&["create", "--name", "RECRUITING"], "already");
    refused(&["create", "--name", "X", "--stages", "A:nonsense"], "rejected");
    refused(&["create", "--name", "X", "--stages", "A,a"], "already");
    refused(&["create", "--name", "X", "--stages", "A, "], "stages.1.name: must not be empty");
    refused(&["create", "--name", "X", "--stages", &"x".repeat(101)], "stages.0.name: must be at most 100 characters");
    let many: Vec<String> = (0..51).map(|number| format!("Stage {number}")).collect();
    refused(&["create", "--name", "X", "--stages", &many.join(",")], "50");
    refused(&["rename", "--template", "Nowhere", "--name", "X"], "Nowhere");
    refused(&["add-stage", "--template", "Recruiting", "--name", "sourced"], "already");
    refused(&["add-stage", "--template", "Recruiting", "--name", "X", "--color", "red"], "#RRGGBB");
    refused(&["change-stage", "--template", "Recruiting", "--stage", "Offer", "--name", "Hired"], "already");
    refused(&["move-stage", "--template", "Recruiting", "--stage", "Nowhere", "--position", "1"], "Nowhere");
    refused(&["remove-stage", "--template", "Recruiting", "--stage", "Nowhere"], "Nowhere");
    for stage in &CATEGORIES[..6] {
        world.cli(["templates", "remove-stage", "--template", "Recruiting", "--stage", stage]).ok();
    }
    refused(&["remove-stage", "--template", "Recruiting", "--stage", "Rejected"], "from 1 to 50");
    assert_eq!(templates(&key).len(), before.len());
}

fn a_project_keeps_the_stages_it_was_made_with(world: &World) {
    let key = world.key("sourcing");
    let project = key.post("/projects", json!({"name": "CTO"})).created();
    let path = format!("/projects/{}", text(&project["id"]));
    world.cli(["templates", "add-stage", "--template", "Recruiting", "--name", "Checks", "--position", "0"]).ok();
    world.cli(["templates", "remove-stage", "--template", "Recruiting", "--stage", "Sourced"]).ok();
    assert_eq!(key.get(&path).ok(), project);
    let later = key.post("/projects", json!({"name": "CFO"})).created();
    assert_eq!(member(&later["pipeline"]["stages"], "name")[..2], ["Checks", "Contacted"]);
    let ids = member(&later["pipeline"]["stages"], "id");
    assert!(member(&project["pipeline"]["stages"], "id").iter().all(|id| !ids.contains(id)), "stages are shared");
}
