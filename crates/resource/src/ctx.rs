//! The context that every rule gets besides the transaction: workspace, actor and caches.

use crate::Memory;
use std::sync::Arc;
use uuid::Uuid;

#[derive(Clone)]
pub struct Ctx {
    pub workspace: Uuid,
    pub actor: Actor,
    pub memory: Arc<Memory>,
}

impl Ctx {
    /// The member who asks; nil for the server itself, which has nothing of its own.
    pub fn member(&self) -> Uuid {
        self.actor.user.unwrap_or_default()
    }
}

/// The author of a change, as events show it.
#[derive(Clone, Debug)]
pub struct Actor {
    pub kind: &'static str,
    pub id: Option<Uuid>,
    pub name: Arc<str>,
    /// The member on whose behalf it acts; new records belong to this member by default.
    pub user: Option<Uuid>,
}

impl Actor {
    pub fn system(name: &str) -> Actor {
        Actor { kind: "system", id: None, name: name.into(), user: None }
    }
}
