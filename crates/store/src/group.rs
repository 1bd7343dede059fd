//! Units of work and reads: a closure, and the channel that returns its result to the caller.

use crate::queue::Busy;
use crate::{Error, Tx};
use std::cell::Cell;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::oneshot;
use uuid::Uuid;

thread_local! {
    static OPEN: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread runs the closure of a unit or a read.
pub fn in_transaction() -> bool {
    OPEN.get()
}

/// Marks this thread while it runs a closure, which may panic.
struct Open;

impl Open {
    fn begin() -> Open {
        OPEN.set(true);
        Open
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        OPEN.set(false);
    }
}

/// How a unit's closure ended.
#[derive(Debug, PartialEq)]
pub(crate) enum Fate {
    Keep,
    Undo,
    /// It panicked: roll back and report the panic to the caller.
    Panicked,
}

pub(crate) struct Unit {
    pub workspace: Option<Uuid>,
    /// Where the unit was submitted: its name in the log, unless it names itself (`Tx::name`).
    pub caller: &'static Location<'static>,
    begun: bool,
    run: Run,
    answer: Box<dyn Answer>,
}

type Run = Box<dyn FnMut(&mut dyn Tx) -> Fate + Send>;

trait Answer: Send {
    fn wanted(&self) -> bool;
    fn send(self: Box<Self>, outcome: Result<(), Error>);
}

struct Slot<T, E> {
    result: Arc<Mutex<Option<Result<T, E>>>>,
    sender: oneshot::Sender<Result<T, E>>,
}

impl<T: Send, E: From<Error> + Send> Answer for Slot<T, E> {
    fn wanted(&self) -> bool {
        !self.sender.is_closed()
    }
    fn send(self: Box<Self>, outcome: Result<(), Error>) {
        let result = self.result.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        let answer = match outcome {
            Ok(()) => result.unwrap_or_else(|| Err(Error::Internal("the unit did not run".into()).into())),
            Err(error) => Err(error.into()),
        };
        // The caller may be gone; the commit is durable regardless.
        let _ = self.sender.send(answer);
    }
}

pub(crate) fn unit<T, E>(
    workspace: Option<Uuid>,
    caller: &'static Location<'static>,
    mut work: impl FnMut(&mut dyn Tx) -> Result<T, E> + Send + 'static,
) -> (Unit, oneshot::Receiver<Result<T, E>>)
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let (sender, receiver) = oneshot::channel();
    let result = Arc::new(Mutex::new(None));
    let slot = Slot { result: result.clone(), sender };
    let run = Box::new(move |tx: &mut dyn Tx| {
        let outcome = match catch_unwind(AssertUnwindSafe(|| work(tx))) {
            Ok(outcome) => outcome,
            Err(_) => return Fate::Panicked,
        };
        let fate = if outcome.is_ok() { Fate::Keep } else { Fate::Undo };
        *result.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(outcome);
        fate
    });
    (Unit { workspace, caller, begun: false, run, answer: Box::new(slot) }, receiver)
}

impl Unit {
    /// False once the caller is gone. A unit that has not started is dropped; one that has started runs to its end.
    pub(crate) fn wanted(&self) -> bool {
        self.begun || self.answer.wanted()
    }
    pub(crate) fn run(&mut self, tx: &mut dyn Tx) -> Fate {
        self.begun = true;
        let _open = Open::begin();
        (self.run)(tx)
    }
    /// Sends the closure's own result, after its commit is durable or its rollback is done.
    pub(crate) fn finish(self) {
        self.answer.send(Ok(()));
    }
    pub(crate) fn fail(self, error: Error) {
        self.answer.send(Err(error));
    }
}

/// Answers the units of a finished transaction: with their own results, or with the error that rolled them back.
pub(crate) fn answer(units: Vec<Unit>, mut undone: HashMap<usize, Error>) {
    for (index, unit) in units.into_iter().enumerate() {
        match undone.remove(&index) {
            Some(error) => unit.fail(error),
            None => unit.finish(),
        }
    }
}

/// How a group is protected from a failing unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Care {
    /// The transaction holds one unit.
    Alone,
    /// All or nothing: if a unit that has written is rolled back, all units are.
    Undivided,
    /// A savepoint for each.
    Savepoints,
}

/// After a group was rolled back because of one unit, the next groups use savepoints from the start.
#[derive(Default)]
pub(crate) struct Caution(u32);

impl Caution {
    pub(crate) fn of(&mut self, units: usize) -> Care {
        if units == 1 {
            return Care::Alone;
        }
        let careful = self.0 > 0;
        self.0 = self.0.saturating_sub(1);
        if careful { Care::Savepoints } else { Care::Undivided }
    }
    pub(crate) fn learn(&mut self) {
        self.0 = 16;
    }
}

type Read = Box<dyn FnOnce(Result<(&mut dyn Tx, Busy), Error>) + Send>;

pub(crate) struct Reading(Read);

pub(crate) fn reading<T, E>(
    work: impl FnOnce(&mut dyn Tx) -> Result<T, E> + Send + 'static,
) -> (Reading, oneshot::Receiver<Result<T, E>>)
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let (sender, receiver) = oneshot::channel::<Result<T, E>>();
    let run = Box::new(move |tx: Result<(&mut dyn Tx, Busy), Error>| {
        if sender.is_closed() {
            return;
        }
        let outcome = match tx {
            Ok((tx, busy)) => {
                let outcome = catch_unwind(AssertUnwindSafe(|| work(tx)))
                    .unwrap_or_else(|_| Err(Error::Internal("a reading panicked".into()).into()));
                drop(busy);
                outcome
            }
            Err(error) => Err(error.into()),
        };
        let _ = sender.send(outcome);
    });
    (Reading(run), receiver)
}

impl Reading {
    /// The reader counts as busy until just before the result is sent, so that a caller who has its result never finds a
    /// reader busy with it.
    pub(crate) fn run(self, tx: &mut dyn Tx, busy: Busy) {
        let _open = Open::begin();
        (self.0)(Ok((tx, busy)));
    }
    pub(crate) fn fail(self, error: Error) {
        (self.0)(Err(error));
    }
}

pub(crate) fn full() -> Error {
    Error::Unavailable("too much is waiting already; try again shortly".into())
}

/// Delays a writer until the clock has left the millisecond of its last commit, so that stamps do not run ahead of the
/// clock. Units that arrive during the delay join the group.
pub(crate) struct Pace(u128);

impl Pace {
    pub(crate) fn new() -> Self {
        Pace(0)
    }
    pub(crate) fn wait(&mut self) {
        let micros = micros();
        if micros / 1000 == self.0 {
            std::thread::sleep(Duration::from_micros((1000 - micros % 1000) as u64));
        }
        self.0 = self::micros() / 1000;
    }
}

fn micros() -> u128 {
    #[expect(clippy::disallowed_methods, reason = "paces the writer; no rule sees this clock")]
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros())
}
