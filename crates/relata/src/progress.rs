//! A progress line on standard error, shown only on a terminal.

use std::io::{IsTerminal, Write};

/// The width of the bar in characters.
const WIDTH: usize = 30;

pub(crate) struct Progress {
    what: &'static str,
    shown: bool,
    last: Option<(u64, u64)>,
}

impl Progress {
    pub(crate) fn of(what: &'static str) -> Progress {
        Progress { what, shown: std::io::stderr().is_terminal(), last: None }
    }

    /// Shows that `done` of `most` are done; without `most`, only the number.
    pub(crate) fn at(&mut self, done: u64, most: Option<u64>, note: &str) {
        let percent = most.map_or(0, |most| (done * 100).checked_div(most).unwrap_or(100).min(100));
        if !self.shown || self.last == Some((percent, done)) {
            return;
        }
        self.last = Some((percent, done));
        let bar = match most {
            Some(_) => {
                let full = percent as usize * WIDTH / 100;
                format!("[{}{}] {percent:3} % ", "#".repeat(full), " ".repeat(WIDTH - full))
            }
            None => String::new(),
        };
        // A closed terminal is not an error.
        let _ = write!(std::io::stderr(), "\r{} {bar}{note}\u{1b}[K", self.what);
        let _ = std::io::stderr().flush();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.last.is_some() {
            let _ = writeln!(std::io::stderr());
        }
    }
}
