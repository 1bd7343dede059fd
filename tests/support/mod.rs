//! The test harness: a world with a server, its database and its clients.

pub mod bucket;
mod client;
mod cluster;
mod dice;
pub mod document;
pub mod fake_imap;
mod listener;
pub mod mailserver;
pub mod outside;
mod own;
mod process;
mod raw;
mod wait;
mod world;

pub use bucket::Bucket;
pub use client::{Answer, Client, Failure, Page, Part, Request, UNCOUNTED, encoded, member, strings, text};
pub use dice::{Dice, seed, share};
pub use listener::Listener;
pub use outside::Outside;
pub use own::Cluster;
pub use process::{Ran, Server, free_port, relata};
pub use raw::Wire;
pub use wait::{Finish, Lives, PATIENCE, at_once, eventually, now, pause, stopwatch, within_a_second};
pub use world::{Engine, World, files, nobody};

/// Lists the tests of a module and runs each on both engines. It is at the top of the module and reads like a table of
/// contents; a function missing from it is dead code, which the lints refuse.
macro_rules! stories {
    ($($story:ident),+ $(,)?) => {
        mod sqlite {
            $(#[test] fn $story() { $crate::support::World::new($crate::support::Engine::Sqlite).play(super::$story); })+
        }
        mod postgres {
            $(#[test] fn $story() { $crate::support::World::new($crate::support::Engine::Postgres).play(super::$story); })+
        }
    };
}
