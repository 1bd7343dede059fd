//! Logs: readable on a terminal, JSON otherwise, to standard error.

use std::fmt::{self, Debug};
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

/// A buffer of lines. A separate thread writes it about twenty times a second, so that no request waits for a terminal
/// or a pipe.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

/// The largest buffer in bytes. If standard error is blocked, further lines are dropped: the service matters more than its log.
const MOST: usize = 16 << 20;
const PAUSE: Duration = Duration::from_millis(50);

/// Writes the buffered lines when it is dropped.
pub(crate) struct Logging(Lines);

/// The HTML parser warns about each odd tag, so one request could fill the log. The certificate verifier logs each
/// refused certificate as an error, although the caller reports it.
const FILTER: &str = "info,html5ever=off,rustls_platform_verifier=off";

pub(crate) fn start() -> Logging {
    let lines = Lines::default();
    let filter = EnvFilter::try_from_env("RELATA_LOG").unwrap_or_else(|_| EnvFilter::new(FILTER));
    let sink = lines.clone();
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(move || sink.clone());
    if std::io::stderr().is_terminal() {
        builder.init();
    } else {
        builder.event_format(Json).init();
    }
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        // The message may quote a request.
        let cause: String = panic.payload_as_str().unwrap_or_default().chars().take(200).collect();
        tracing::error!(place, cause, "panicked");
    }));
    let gathered = lines.clone();
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(PAUSE);
            gathered.write_out();
        }
    });
    Logging(lines)
}

/// Writes an event as a line of JSON. Every request logs one, so it is written directly; the library's formatter uses a
/// map and a serializer and takes a tenth of a request's time.
struct Json;

impl<S, N> FormatEvent<S, N> for Json
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, _: &FmtContext<'_, S, N>, mut line: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        line.write_str("{\"timestamp\":\"")?;
        SystemTime.format_time(&mut line)?;
        write!(line, "\",\"level\":\"{}\"", event.metadata().level())?;
        let mut members = Members { line, outcome: Ok(()) };
        event.record(&mut members);
        members.text("target", event.metadata().target());
        members.outcome?;
        members.line.write_str("}\n")
    }
}

/// Writes members one after the other, until one fails.
struct Members<'a> {
    line: Writer<'a>,
    outcome: fmt::Result,
}

/// Source paths of the machine that built a library which logs through the `log` crate.
const PLACES: &[&str] = &["log.module_path", "log.file", "log.line"];

impl Members<'_> {
    fn member(&mut self, name: &str, value: fmt::Arguments<'_>) {
        if PLACES.contains(&name) {
            return;
        }
        let written = write!(self.line, ",\"{name}\":{value}");
        self.outcome = self.outcome.and(written);
    }
    fn text(&mut self, name: &str, text: &str) {
        if PLACES.contains(&name) {
            return;
        }
        match text.bytes().all(|b| matches!(b, b' '..=b'~') && b != b'"' && b != b'\\') {
            true => {
                let parts = [",\"", name, "\":\"", text, "\""];
                let written = parts.into_iter().try_for_each(|part| self.line.write_str(part));
                self.outcome = self.outcome.and(written);
            }
            false => self.member(name, format_args!("{}", serde_json::Value::from(text))),
        }
    }
}

impl Visit for Members<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.text(field.name(), value);
    }
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.member(field.name(), format_args!("{value}"));
    }
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.member(field.name(), format_args!("{value}"));
    }
    fn record_bool(&mut self, field: &Field, value: bool) {
        self.member(field.name(), format_args!("{value}"));
    }
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.text(field.name(), &format!("{value:?}"));
    }
}

impl Lines {
    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn write_out(&self) {
        let gathered = std::mem::take(&mut *self.lock());
        if !gathered.is_empty() {
            // If standard error fails there is nowhere to report it.
            let _ = std::io::stderr().write_all(&gathered);
        }
    }
}

impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> std::io::Result<usize> {
        let mut lines = self.lock();
        if lines.len() < MOST {
            lines.extend_from_slice(line);
        }
        Ok(line.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Drop for Logging {
    fn drop(&mut self) {
        self.0.write_out();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_json_whatever_is_said() {
        let lines = Lines::default();
        let sink = lines.clone();
        let subscriber = tracing_subscriber::fmt().event_format(Json).with_writer(move || sink.clone()).finish();
        tracing::subscriber::with_default(subscriber, || {
            let odd = "a \"quote\", a \\, a\nline and é";
            tracing::warn!(target: "request", odd, count = 3_u64, below = -1_i64, yes = true, shown = %odd, none = Option::<u64>::None, "said: {odd}");
        });
        let written = String::from_utf8(lines.lock().clone()).unwrap();
        assert_eq!(written.matches('\n').count(), 1, "{written}");
        let mut line: serde_json::Value = serde_json::from_str(&written).unwrap();
        let time = line["timestamp"].take();
        assert!(time.as_str().is_some_and(|time| time.ends_with('Z') && time.contains('T')), "{written}");
        let odd = "a \"quote\", a \\, a\nline and é";
        let expected = serde_json::json!({
            "timestamp": null, "level": "WARN", "message": format!("said: {odd}"), "odd": odd, "count": 3, "below": -1,
            "yes": true, "shown": odd, "target": "request",
        });
        assert_eq!(line, expected);
    }
}
