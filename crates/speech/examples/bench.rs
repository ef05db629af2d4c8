//! `bench FOLDER MODEL VOICE_ACTIVITY [--python PATH] [--threads N] [--auto] [--beams N] [--long] [--step F]`: measures, and prints one JSON row a line.

#![expect(clippy::print_stdout, reason = "a tool that prints its measures")]
#![expect(clippy::unwrap_used, reason = "a tool for developers stops at a wrong argument")]

use nearside_speech::Search;
use nearside_speech::bench::{Row, Settings, bench_speech};
use nearside_types::Cancel;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut settings = Settings {
        folder: words[0].clone().into(),
        model: words[1].clone().into(),
        voice_activity: words[2].clone().into(),
        threads: 2,
        tell_language: true,
        python: None,
        search: Search::default(),
    };
    let mut rest = words[3..].iter();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "--python" => settings.python = rest.next().map(Into::into),
            "--threads" => settings.threads = rest.next().unwrap().parse().unwrap(),
            "--auto" => settings.tell_language = false,
            "--beams" => settings.search.beams = rest.next().unwrap().parse().unwrap(),
            "--long" => settings.search.short_context = false,
            "--step" => settings.search.temperature_step = rest.next().unwrap().parse().unwrap(),
            other => println!("{other} is not an option"),
        }
    }
    let print = |row: &Row| println!("{}", serde_json::to_string(row).unwrap());
    let rows = bench_speech(&settings, &mut |row| print(row), &Cancel::new()).unwrap();
    rows.rows.iter().filter(|row| row.clip == "all").for_each(print);
}
