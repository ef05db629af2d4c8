//! `transcribe MODEL VOICE_ACTIVITY FILE…`: prints a transcript as one JSON line for each file.

#![expect(clippy::print_stdout, reason = "a tool that prints what it wrote down")]
#![expect(clippy::unwrap_used, reason = "a tool for developers stops at a wrong argument")]

use std::path::Path;

use nearside_speech::Recognizer;
use nearside_types::{Cancel, TranscribeOptions};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut recognizer = Recognizer::load(Path::new(&words[0]), Path::new(&words[1]), 1).unwrap();
    for file in &words[2..] {
        let options = TranscribeOptions::default();
        match recognizer.transcribe_file(Path::new(file), &options, &mut |_| {}, &Cancel::new()) {
            Ok(written) => println!("{}", serde_json::to_string(&written).unwrap()),
            Err(error) => println!("{file}: {error}"),
        }
    }
}
