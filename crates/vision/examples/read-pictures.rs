//! Reads pictures and prints one JSON line for each: what was read and how long it took. The first argument is
//! the model's folder, the others are pictures. `read-pictures.py` compares the lines with another engine's.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example speaks")]

use nearside_types::{Cancel, PageImage};
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("name the model's folder and then pictures")?;
    let started = Instant::now();
    let reader = nearside_vision::PpOcr::load(Path::new(&folder))?;
    eprintln!("loaded in {} ms", started.elapsed().as_millis());
    for path in arguments {
        let picture = image::open(&path)?.into_rgb8();
        let (width, height) = picture.dimensions();
        let page = PageImage { width, height, rgb: picture.into_raw() };
        let started = Instant::now();
        let spent = processor_milliseconds();
        let lines = reader.read(&page, &Cancel::new())?;
        let spent = processor_milliseconds() - spent;
        let milliseconds = started.elapsed().as_millis();
        let lines: Vec<serde_json::Value> = lines
            .iter()
            .map(|line| serde_json::json!({ "text": line.text, "confidence": line.confidence, "left": line.left, "top": line.top, "width": line.width, "height": line.height }))
            .collect();
        println!(
            "{}",
            serde_json::json!({ "file": path, "ms": milliseconds, "cpu_ms": spent, "lines": lines })
        );
    }
    Ok(())
}

/// Processor time of all threads, in ticks of 10 ms; 0 where the system does not say it this way. On a machine
/// that is not quiet it is what remains comparable.
fn processor_milliseconds() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields).split(' ');
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum::<u64>() * 10
}
