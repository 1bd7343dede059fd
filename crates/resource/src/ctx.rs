//! Who acts, where: what every rule gets besides the transaction.

use crate::Memory;
use std::sync::Arc;
use uuid::Uuid;

#[derive(Clone)]
pub struct Ctx {
    pub workspace: Uuid,
    pub actor: Actor,
    pub memory: Arc<Memory>,
}

/// Who did it, as events tell it.
#[derive(Clone, Debug)]
pub struct Actor {
    pub kind: &'static str,
    pub id: Option<Uuid>,
    pub name: Arc<str>,
    /// The member behind it, whose records these are by default.
    pub user: Option<Uuid>,
}

impl Actor {
    pub fn system(name: &str) -> Actor {
        Actor { kind: "system", id: None, name: name.into(), user: None }
    }
}
