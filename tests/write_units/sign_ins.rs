//! The operations of the dashboard that need no session. The server runs them itself, with the work on passwords between
//! its transactions.

use crm::dashboard::open;
use serde_json::{Value, json};

use super::Watch;
use super::bodies::{Flavour, email, fill};
use crate::dashboard;
use crate::support::*;

pub(super) fn operations_without_a_session_are_brief(world: &World) {
    let key = world.key("full_access");
    let mut watch = Watch::new(world, &key);
    let mut too_slow = Vec::new();
    let user = User { world, email: email(), password: fill(Flavour::Letters, 200) };
    for operation in open::OPERATIONS.iter().filter(|operation| operation.method != "GET") {
        let mut act: Box<dyn FnMut()> = match operation.name {
            "dashboard_setup" => Box::new(|| user.set_up()),
            "dashboard_sign_in" => Box::new(|| drop(user.signed_in())),
            "dashboard_sign_out" => Box::new(|| drop(user.signed_in().inside("POST", "/sign-out").send().ok())),
            "dashboard_accept" => Box::new(|| user.accept()),
            name => panic!("say here how {name} is called"),
        };
        let slow = watch.verdict_of_one(&mut act);
        too_slow.extend(slow.map(|slow| format!("{}: {slow}", operation.name)));
    }
    assert!(too_slow.is_empty(), "at most {:?}:\n{}", watch.limit, too_slow.join("\n"));
    watch.end();
}

struct User<'a> {
    world: &'a World,
    email: String,
    password: String,
}

impl User<'_> {
    /// With the demonstration, which is large, only if there is time for it.
    #[track_caller]
    fn set_up(&self) {
        let link = dashboard::reset_link(self.world, "owner@localhost");
        let name = fill(Flavour::Letters, 100);
        self.post(
            "/setup",
            json!({
                "token": dashboard::token(&link), "email": self.email, "password": self.password, "first_name": name,
                "last_name": name, "workspace_name": name, "timezone": "Europe/London", "currency": "GBP",
                "demo_data": is_long(),
            }),
        );
    }

    #[track_caller]
    fn signed_in(&self) -> Client {
        let answer = self.post("/sign-in", json!({"email": self.email, "password": self.password}));
        self.world.stranger().signed_in(&answer)
    }

    #[track_caller]
    fn accept(&self) {
        let (email, name) = (email(), fill(Flavour::Letters, 100));
        self.world.cli(["members", "add", "--email", &email, "--role", "member"]).ok();
        let token = dashboard::token(&dashboard::reset_link(self.world, &email));
        self.post(
            "/invitation",
            json!({"token": token, "password": self.password, "first_name": name, "last_name": name}),
        );
    }

    #[track_caller]
    fn post(&self, path: &str, body: Value) -> Answer {
        let answer = self.world.stranger().inside("POST", path).json(&body).send();
        answer.ok();
        answer
    }
}
