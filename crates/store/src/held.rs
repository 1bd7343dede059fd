//! How long each unit of work held the writer: a histogram, and a line in the log for each unit that held it too long.

use crate::group::Unit;
use crate::queue::instant;
use rustix::time::{ClockId, clock_gettime};
use std::panic::Location;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// A unit that holds the writer for longer is logged: everybody who writes waits for it.
const LONGEST: Duration = Duration::from_millis(250);

/// After so long a job ends its step. What it does last may take longer than all before it.
pub(crate) const STEP: Duration = Duration::from_millis(50);

/// The beginning of a unit, by the wall clock and by the CPU time of the writer's thread. The CPU time tells a unit that
/// has too much to do from one that waited for a busy disk or machine.
pub(crate) struct Begun {
    at: Instant,
    cpu: Duration,
}

impl Begun {
    pub fn now() -> Begun {
        Begun { at: instant(), cpu: cpu_time() }
    }
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

struct Unshared {
    name: Option<&'static str>,
    caller: &'static Location<'static>,
    wall: Duration,
    cpu: Duration,
    /// Its part of the end of the transaction: rows and statements that were put off until then.
    later: usize,
}

/// The units of one transaction. Recorded when it is dropped, so that a transaction that is lost is recorded, too.
#[derive(Default)]
pub(crate) struct Held(Vec<Unshared>);

impl Held {
    /// A unit that has just run.
    pub fn unit(&mut self, unit: &Unit, name: Option<&'static str>, begun: &Begun, later: usize) {
        let (wall, cpu) = (instant() - begun.at, cpu_time().saturating_sub(begun.cpu));
        self.0.push(Unshared { name, caller: unit.caller, wall, cpu, later });
    }

    /// Divides the end of the transaction among its units, by how much of it they have caused.
    pub fn share(&mut self, closing: &Begun) {
        let (wall, cpu) = (instant() - closing.at, cpu_time().saturating_sub(closing.cpu));
        let all: usize = self.0.iter().map(|unit| unit.later + 1).sum();
        for unit in &mut self.0 {
            let part = (unit.later + 1) as f64 / all as f64;
            unit.wall += wall.mul_f64(part);
            unit.cpu += cpu.mul_f64(part);
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        static SECONDS: LazyLock<metrics::Histogram> =
            LazyLock::new(|| metrics::histogram!("relata_write_unit_seconds"));
        for unit in &self.0 {
            SECONDS.record(unit.wall.as_secs_f64());
            if unit.wall > LONGEST {
                let name = unit.name.map_or_else(|| unit.caller.to_string(), str::to_owned);
                tracing::warn!(
                    unit = name,
                    millis = unit.wall.as_millis() as u64,
                    cpu_millis = unit.cpu.as_millis() as u64,
                    "a unit of work held the writer for too long; other writes waited for it"
                );
            }
        }
    }
}
