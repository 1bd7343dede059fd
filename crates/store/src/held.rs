//! How long each unit of work held the writer: a histogram, and a line in the log for each unit that held it too long.

use crate::group::Unit;
use crate::instant::instant;
use rustix::time::{ClockId, clock_gettime};
use std::panic::Location;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// A unit that holds the writer for longer is logged, because all other writes wait for it.
const LONGEST: Duration = Duration::from_millis(250);

/// The name of units that block no other write; they are not measured.
pub(crate) const MAINTENANCE: &str = "maintenance";

/// A job ends its step after this time. Its last piece of work may take longer than all before it.
pub(crate) const STEP: Duration = Duration::from_millis(50);

/// The start of a unit, by the wall clock and by the CPU time of the writer's thread. CPU time distinguishes a unit
/// with too much work from one that waited for a busy disk or machine.
pub(crate) struct Begun {
    at: Instant,
    cpu: Duration,
}

impl Begun {
    pub(crate) fn now() -> Begun {
        Begun { at: instant(), cpu: cpu_time() }
    }

    /// Wall and CPU time since then.
    fn spent(&self) -> (Duration, Duration) {
        (instant() - self.at, cpu_time().saturating_sub(self.cpu))
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
    /// Rows and statements that the unit deferred to the end of the transaction.
    later: usize,
}

/// The units of one transaction. Recorded on drop, so that a failed transaction is recorded, too.
#[derive(Default)]
pub(crate) struct Held(Vec<Unshared>);

impl Held {
    /// Adds a unit that has just run.
    pub(crate) fn unit(&mut self, unit: &Unit, name: Option<&'static str>, begun: &Begun, later: usize) {
        if name == Some(MAINTENANCE) {
            return;
        }
        let (wall, cpu) = begun.spent();
        self.0.push(Unshared { name, caller: unit.caller, wall, cpu, later });
    }

    /// Adds work of the writer that no unit asked for.
    #[track_caller]
    pub(crate) fn own(&mut self, name: &'static str, begun: &Begun) {
        let (wall, cpu) = begun.spent();
        self.0.push(Unshared { name: Some(name), caller: Location::caller(), wall, cpu, later: 0 });
    }

    /// Divides the duration of the transaction's end among its units, by the work that each deferred.
    pub(crate) fn share(&mut self, closing: &Begun) {
        let (wall, cpu) = closing.spent();
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
