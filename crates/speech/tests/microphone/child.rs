//! The process with the microphone: a line in, a line of JSON out.

use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use nearside_speech::SAMPLE_RATE;
use nearside_speech::capture::{Capture, CaptureOptions, Captured, Microphones, capture_soak};
use nearside_types::Cancel;
use serde_json::{Value, json};

use crate::server::Server;

const CHILD: &str = "NEARSIDE_MICROPHONE_CHILD";

/// Only a fault waits so long.
const LONG: Duration = Duration::from_secs(60);

pub(crate) fn is_one() -> bool {
    std::env::var_os(CHILD).is_some()
}

/// The other end: does what it is asked until nobody asks any more.
pub(crate) fn serve() {
    let microphones = Microphones::new();
    let mut capture: Option<Capture> = None;
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        let device = |n: usize| words.get(n).copied().filter(|name| *name != "-");
        let answer = match words[0] {
            "list" => match microphones.list() {
                Ok(items) => json!({ "items": items }),
                Err(error) => json!({ "error": error.to_string() }),
            },
            "start" => match Capture::start(&microphones, device(1), CaptureOptions::default()) {
                Ok(started) => {
                    let id = started.microphone().id.clone();
                    let answer = json!({ "id": id, "fell_back": started.fell_back() });
                    capture = Some(started);
                    answer
                }
                Err(error) => json!({ "error": error.to_string() }),
            },
            "level" => json!(capture.as_ref().unwrap().level()),
            "wait" => {
                let ended = capture.as_ref().unwrap().wait_ended(LONG);
                json!({ "ended": ended.map(|ended| format!("{ended:?}")) })
            }
            "stop" => describe(&capture.take().unwrap().stop()),
            "soak" => {
                let cycles = words[1].parse().unwrap();
                match capture_soak(&microphones, device(2), cycles, &Cancel::new()) {
                    Ok(soak) => json!(soak),
                    Err(error) => json!({ "error": error.to_string() }),
                }
            }
            other => json!({ "error": format!("{other} is not understood") }),
        };
        println!("\nanswer {answer}");
        std::io::stdout().flush().unwrap();
    }
}

/// What was heard, in figures: how long it was loud, and how high by its crossings of zero.
fn describe(captured: &Captured) -> Value {
    let samples = &captured.samples;
    let loud = |sample: &f32| sample.abs() > 0.1;
    let first = samples.iter().position(loud).unwrap_or(0);
    let last = samples.iter().rposition(loud).map_or(first, |last| last + 1);
    let part = &samples[first..last];
    let crossings = part.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count();
    let seconds = part.len() as f64 / f64::from(SAMPLE_RATE);
    json!({
        "seconds": captured.seconds(),
        "loud_seconds": seconds,
        "frequency": crossings as f64 / seconds.max(0.001),
        "peak": samples.iter().fold(0.0_f32, |peak, sample| peak.max(sample.abs())),
        "gaps": captured.gaps,
        "lost": captured.lost,
        "ended": format!("{:?}", captured.ended),
    })
}

/// The asking end.
pub(crate) struct Child {
    process: std::process::Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Child {
    pub(crate) fn start(server: &Server) -> Self {
        let mut process = server
            .command(std::env::current_exe().unwrap())
            .args(["--exact", "child_that_listens", "--nocapture"])
            .env(CHILD, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        Self { process, input, output: BufReader::new(output) }
    }

    pub(crate) fn ask(&mut self, question: &str) -> Value {
        writeln!(self.input, "{question}").unwrap();
        let mut line = String::new();
        while self.output.read_line(&mut line).unwrap() > 0 {
            if let Some(answer) = line.strip_prefix("answer ") {
                return serde_json::from_str(answer).unwrap();
            }
            line.clear();
        }
        panic!("the child ended at `{question}`");
    }

    /// Waits until it is so loud, or so quiet.
    pub(crate) fn wait_for_level(&mut self, enough: impl Fn(f64) -> bool) {
        let until = Instant::now() + LONG;
        while !enough(self.ask("level")["loudness"].as_f64().unwrap()) {
            assert!(Instant::now() < until, "it never became so loud");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
