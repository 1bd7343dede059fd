//! Waiting for asynchronous work from a command.

use crate::Exit;
use std::pin::{Pin, pin};
use tokio::runtime::{Builder, Runtime};

/// The store's own threads do the work; this thread only waits.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    wait(Builder::new_current_thread().build().expect("a runtime without drivers needs nothing"), work)
}

/// The same with timers and sockets.
pub(crate) fn block_on_drivers<T>(work: impl Future<Output = Result<T, Exit>>) -> Result<T, Exit> {
    wait(Builder::new_current_thread().enable_all().build().map_err(Exit::failed)?, work)
}

/// Boxes the future, so that the runtime is compiled once for all commands.
fn wait<T>(runtime: Runtime, work: impl Future<Output = T>) -> T {
    fn run(runtime: &Runtime, work: Pin<&mut dyn Future<Output = ()>>) {
        runtime.block_on(work);
    }
    let mut done = None;
    run(&runtime, pin!(async { done = Some(work.await) }));
    done.expect("`block_on` returns after the future has completed")
}
