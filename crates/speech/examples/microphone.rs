//! Tries the microphones of this machine: `list`, `probe [ID]`, `soak CYCLES [ID]`, `try SECONDS` (starts again
//! and again for so long, as where there is no microphone).

use std::process::ExitCode;
use std::time::{Duration, Instant};

use nearside_speech::capture::{Capture, CaptureOptions, Microphones, capture_soak, probe};
use nearside_types::Cancel;

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a tool for the terminal")]
fn main() -> ExitCode {
    match work() {
        Ok(lines) => {
            println!("{lines}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn work() -> Result<String, Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let microphones = Microphones::new();
    let answer = match words.as_slice() {
        ["list"] => serde_json::json!({ "items": microphones.list()? }),
        ["probe", device @ ..] => serde_json::to_value(probe(
            &microphones,
            device.first().copied(),
            Duration::from_secs(2),
        )?)?,
        ["soak", cycles, device @ ..] => {
            let cycles = cycles.parse()?;
            let device = device.first().copied();
            serde_json::to_value(capture_soak(&microphones, device, cycles, &Cancel::new())?)?
        }
        ["try", seconds] => {
            let until = Instant::now() + Duration::from_secs(seconds.parse()?);
            let (mut tries, mut opened, mut said) = (0, 0, String::new());
            while Instant::now() < until {
                tries += 1;
                match Capture::start(&microphones, None, CaptureOptions::default()) {
                    Ok(capture) => {
                        opened += 1;
                        drop(capture);
                    }
                    Err(error) => said = error.to_string(),
                }
                std::thread::sleep(Duration::from_millis(20));
            }
            let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
            let left: Vec<&str> = status
                .lines()
                .filter(|line| line.starts_with("Threads:") || line.starts_with("VmRSS:"))
                .collect();
            serde_json::json!({ "tries": tries, "opened": opened, "said": said, "left": left })
        }
        _ => {
            return Err("use: microphone list | probe [ID] | soak CYCLES [ID] | try SECONDS".into());
        }
    };
    Ok(serde_json::to_string_pretty(&answer)?)
}
