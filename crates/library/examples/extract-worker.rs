//! A worker for tests: serves like our binaries do, or misbehaves in the one way its argument names.

use nearside_library::worker;
use std::io::{Read, Write};

fn main() -> std::io::Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("crash") => std::process::abort(),
        Some("hang") => loop {
            std::thread::park();
        },
        // Says too much, and nothing that is an answer.
        Some("flood") => {
            let mut output = std::io::stdout().lock();
            while output.write_all(&[b'x'; 4096]).is_ok() {}
            Ok(())
        }
        // Takes memory until the operating system refuses.
        Some("hungry") => {
            let mut held: Vec<Vec<u8>> = Vec::new();
            loop {
                held.push(vec![1; 16 << 20]);
            }
        }
        // Dies on files whose name says so, and serves the others.
        Some("crash-on-poison") => {
            let mut request = String::new();
            std::io::stdin().read_to_string(&mut request)?;
            if request.contains("poison") {
                std::process::abort();
            }
            worker::serve(request.as_bytes(), std::io::stdout().lock(), &nearside_vision::load)
        }
        _ => worker::serve_stdio(&nearside_vision::load),
    }
}
