//! Measuring two servers in turns.

use crate::Fault;
use crate::load::{self, Load, Until};
use crate::process::Server;
use crate::table::short;
use std::time::Duration;

pub(crate) const CONNECTIONS: usize = 32;

/// The number and length of the rounds.
#[derive(Clone, Copy)]
pub(crate) struct Rounds {
    pub count: usize,
    pub time: Duration,
}

/// The figures of a server under load.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    pub rate: f64,
    pub p50: f64,
    pub p99: f64,
    /// Microseconds of the server's CPU per request.
    pub cpu: f64,
}

impl Sample {
    pub(crate) fn text(&self) -> String {
        format!("{}/s, p99 {} ms, {} µs", short(self.rate), short(self.p99), short(self.cpu))
    }
}

pub(crate) fn sample(
    server: &Server,
    requests: &[Vec<u8>],
    connections: usize,
    time: Duration,
) -> Result<Sample, Fault> {
    let before = server.cpu()?;
    let load = Load { address: server.address, requests, connections, until: Until::Time(time) };
    let seen = load::run(&load)?;
    let cpu = (server.cpu()? - before) * 1e6 / seen.requests as f64;
    Ok(Sample { rate: seen.rate(), p50: seen.p50, p99: seen.p99, cpu })
}

/// A server and its requests.
pub(crate) struct Side<'a> {
    pub server: &'a Server,
    pub requests: &'a [Vec<u8>],
}

/// The samples of several sides, round by round. The first side is the limit.
pub(crate) struct Turns(Vec<Vec<Sample>>);

/// The sides take turns, so that noise on the machine affects all of them.
pub(crate) fn in_turns(sides: &[Side<'_>], connections: usize, rounds: Rounds) -> Result<Turns, Fault> {
    for side in sides {
        sample(side.server, side.requests, connections, Duration::from_millis(300))?;
    }
    let mut turns = vec![Vec::new(); sides.len()];
    for _ in 0..rounds.count {
        for (side, samples) in sides.iter().zip(&mut turns) {
            samples.push(sample(side.server, side.requests, connections, rounds.time)?);
        }
    }
    Ok(Turns(turns))
}

impl Turns {
    pub(crate) fn middle(&self, side: usize) -> Sample {
        middle(&self.0[side])
    }
    /// The median of the ratios of each round.
    pub(crate) fn ratio(&self, side: usize, to: usize, figure: fn(&Sample) -> f64) -> f64 {
        median(self.0[side].iter().zip(&self.0[to]).map(|(one, other)| figure(one) / figure(other)).collect())
    }
}

pub(crate) fn middle(samples: &[Sample]) -> Sample {
    let of = |figure: fn(&Sample) -> f64| median(samples.iter().map(figure).collect());
    Sample { rate: of(|s| s.rate), p50: of(|s| s.p50), p99: of(|s| s.p99), cpu: of(|s| s.cpu) }
}

pub(crate) fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}
