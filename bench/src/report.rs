//! `RESULTS.md`: the table, the command and the machine.

use crate::table::{Row, markdown};
use crate::{Fault, Options, clock};
use std::fs;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/RESULTS.md");

pub(crate) fn write(options: &Options, rows: &[Row]) -> Result<(), Fault> {
    let table = markdown(rows);
    println!("\n{table}");
    // A run of only some cases is not a result.
    if options.only.is_some() {
        return Ok(());
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    let command = format!("cargo run --profile dist -p bench {}", words.join(" "));
    let text = format!(
        "# Results\n\nMade by `{}` on {}.\nMachine: {}.\n\n{EXPLAINED}\n\n{table}",
        command.trim_end(),
        clock::today(),
        machine()
    );
    Ok(fs::write(FILE, text)?)
}

const EXPLAINED: &str = "\
Only the ratios count: the product and its limit run in turns, three rounds, medians. \"hello\" is a bare hyper server
that gives an answer of the same size (for a create: parses the body and serialises the answer); where something else is
compared, its column says what. Figures are requests per second, the 99th percentile, and the server's CPU per request.
Load: one thread, 32 connections, loopback. Logs are written to a file, limits and keys are in force.";

/// Cores, memory and kernel; nothing that identifies the machine.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(0, |cores| cores.get());
    let first = |path: &str, start: &str| {
        let text = fs::read_to_string(path).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with(start)).unwrap_or_default().to_owned();
        line.split_once(':').map_or(String::new(), |(_, value)| value.trim().to_owned())
    };
    let model = first("/proc/cpuinfo", "model name");
    let memory = first("/proc/meminfo", "MemTotal");
    let gigabytes = memory.split(' ').next().and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0 / 1024.0;
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("{cores} cores ({model}), {gigabytes:.0} GB, Linux {}", kernel.trim())
}
