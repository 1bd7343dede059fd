//! The operations of the dashboard that need no session. The server runs them (`request/sign_in.rs`), because they set
//! the cookie and hash passwords between transactions; here are their addresses, bodies and answers.

use super::answers::{DashboardState, Guest, SetupState, SignedOut, session_schema};
use crate::api::operation::{Operation, get, post};
use crate::tenant::sign_in::{Accept, SetUp, SignIn, Token};
use resource::Resource;

pub const OPERATIONS: &[Operation] = &[
    get("/state", "dashboard_state", "Whether the installation must be set up").gives::<DashboardState>(&[200]),
    get("/setup", "dashboard_setup_state", "Whether a set-up link is valid")
        .query(Token::FIELDS)
        .gives::<SetupState>(&[200]),
    post("/setup", "dashboard_setup", "Set up the installation and sign in")
        .members("SetUp", SetUp::FIELDS)
        .gives_object("Session", session_schema),
    post("/sign-in", "dashboard_sign_in", "Sign in")
        .members("SignIn", SignIn::FIELDS)
        .gives_object("Session", session_schema),
    post("/sign-out", "dashboard_sign_out", "Sign out").gives::<SignedOut>(&[200]),
    get("/invitation", "dashboard_guest", "The invitation of a link").query(Token::FIELDS).gives::<Guest>(&[200]),
    post("/invitation", "dashboard_accept", "Accept an invitation and sign in")
        .members("Accept", Accept::FIELDS)
        .gives_object("Session", session_schema),
];
