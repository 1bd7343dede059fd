//! The outside world: small clients over real protocols, each knowing nothing of the business.

pub mod files;
