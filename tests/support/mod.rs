//! The test harness: a world with a server, its database and its clients.

pub(crate) mod bucket;
mod client;
mod cluster;
mod dice;
pub(crate) mod document;
pub(crate) mod fake_imap;
pub(crate) mod imap_relay;
mod listener;
pub(crate) mod mailserver;
pub(crate) mod name_server;
pub(crate) mod outside;
mod own;
mod process;
mod raw;
mod wait;
mod world;

pub(crate) use bucket::Bucket;
pub(crate) use client::{Answer, Client, Failure, Page, Part, Request, UNCOUNTED, encoded, member, strings, text};
pub(crate) use dice::{Dice, is_long, seed, share};
pub(crate) use listener::Listener;
pub(crate) use outside::Outside;
pub(crate) use own::Cluster;
pub(crate) use process::{Ran, Server, free_port, relata};
pub(crate) use raw::Wire;
pub(crate) use wait::{Finish, Lives, PATIENCE, at_once, eventually, now, pause, stopwatch, within_a_second};
pub(crate) use world::{Engine, World, files, nobody};

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
