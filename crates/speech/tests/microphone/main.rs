//! Real sound through a real sound server: each test starts a PulseAudio of its own with a sink that only exists
//! in it, plays into that and hears it by both ways that Linux has, the server's and ALSA's.
//!
//! Needs the packages pulseaudio, pulseaudio-utils, libasound2-plugins and sox; without them it says that it is
//! skipped. Nothing of the user's own sound system is touched. The microphone is opened in a child process, since
//! where it is found is in the environment.

#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a panic is how a test fails; it says what it skips, and its child answers on standard output"
)]

mod child;
mod server;

use std::time::{Duration, Instant};

use child::Child;
use server::Server;

/// The sound server's choice, and ALSA's.
const WAYS: [&str; 2] = ["-", "alsa:default"];

/// Not a test of its own: the process that opens microphones for the others.
#[test]
fn child_that_listens() {
    if child::is_one() {
        child::serve();
    }
}

#[test]
fn a_tone_is_heard_as_high_and_as_long_as_it_was_played() {
    let Some(server) = Server::start() else { return };
    server.plug_in();
    let tone = server.tone(440, 2.0);
    for way in WAYS {
        let mut child = Child::start(&server);
        let started = child.ask(&format!("start {way}"));
        assert!(started["error"].is_null(), "{way}: {started}");
        assert_eq!(started["fell_back"], false);
        let _player = server.play_beside(&tone);
        child.wait_for_level(|loudness| loudness > -12.0);
        child.wait_for_level(|loudness| loudness < -40.0);
        let heard = child.ask("stop");
        let number = |name: &str| heard[name].as_f64().unwrap();
        assert_eq!(heard["ended"], "Stopped", "{way}: {heard}");
        assert!((number("frequency") - 440.0).abs() < 2.0, "{way}: {heard}");
        assert!((number("loud_seconds") - 2.0).abs() < 0.15, "{way}: {heard}");
        assert!((number("peak") - 0.5).abs() < 0.03, "{way}: {heard}");
        assert_eq!(server.recordings(), 0, "{way}: the microphone is still open");
    }
}

#[test]
fn the_list_names_what_the_server_has() {
    let Some(server) = Server::start() else { return };
    let mut child = Child::start(&server);
    assert_eq!(child.ask("list")["items"].as_array().map(Vec::len), Some(0));
    let none = child.ask("start -");
    assert!(none["error"].as_str().unwrap().starts_with("no microphone was found"), "{none}");
    server.plug_in();
    let list = child.ask("list");
    let items = list["items"].as_array().unwrap();
    let ids: Vec<&str> = items.iter().map(|item| item["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["pulseaudio:desk", "pulseaudio:fake.monitor"]);
    assert_eq!((&items[0]["default"], &items[0]["monitor"]), (&true.into(), &false.into()));
    assert_eq!((&items[1]["default"], &items[1]["monitor"]), (&false.into(), &true.into()));
    // By its name, and one that is gone.
    let started = child.ask("start pulseaudio:fake.monitor");
    assert_eq!((&started["id"], &started["fell_back"]), (&ids[1].into(), &false.into()));
    child.ask("stop");
    let started = child.ask("start pulseaudio:sold");
    assert_eq!((&started["id"], &started["fell_back"]), (&ids[0].into(), &true.into()));
    child.ask("stop");
}

#[test]
fn a_device_that_is_pulled_out_is_told_within_a_second_and_works_again_when_plugged_in() {
    let Some(server) = Server::start() else { return };
    let tone = server.tone(440, 60.0);
    for way in WAYS {
        server.plug_in();
        let mut child = Child::start(&server);
        let started = child.ask(&format!("start {way}"));
        assert!(started["error"].is_null(), "{way}: {started}");
        let _player = server.play_beside(&tone);
        child.wait_for_level(|loudness| loudness > -12.0);
        // What the same questions take when nothing is lost, since this machine may be busy.
        let begin = Instant::now();
        server.info();
        child.ask("level");
        let slack = begin.elapsed();
        let begin = Instant::now();
        server.pull_out();
        let told = child.ask("wait");
        let took = begin.elapsed();
        assert_ne!(told["ended"], "Stopped", "{way}: {told}");
        assert!(took < Duration::from_secs(1) + 3 * slack, "{way}: {took:?}, {slack:?}");
        println!(
            "{way}: told after {took:?} ({}); without a loss it takes {slack:?}",
            told["ended"]
        );
        let heard = child.ask("stop");
        assert!(heard["loud_seconds"].as_f64().unwrap() > 0.2, "{way}: {heard}");
        assert!((heard["frequency"].as_f64().unwrap() - 440.0).abs() < 5.0, "{way}: {heard}");
        let none = child.ask(&format!("start {way}"));
        assert!(none["error"].is_string(), "{way}: {none}");
        server.plug_in();
        let started = child.ask(&format!("start {way}"));
        assert!(started["error"].is_null(), "{way}: {started}");
        assert_eq!(child.ask("stop")["ended"], "Stopped");
        server.pull_out();
    }
}

#[test]
fn a_server_that_dies_is_a_loss_and_its_successor_is_found() {
    let Some(mut server) = Server::start() else { return };
    for way in WAYS {
        server.plug_in();
        let mut child = Child::start(&server);
        let started = child.ask(&format!("start {way}"));
        assert!(started["error"].is_null(), "{way}: {started}");
        server.kill();
        assert_ne!(child.ask("wait")["ended"], "Stopped");
        child.ask("stop");
        assert!(child.ask("start -")["error"].is_string());
        server.run();
        server.plug_in();
        let started = child.ask(&format!("start {way}"));
        assert!(started["error"].is_null(), "{way}: {started}");
        assert_eq!(child.ask("stop")["ended"], "Stopped");
    }
}

#[test]
fn starting_and_stopping_leaves_nothing_behind() {
    let Some(server) = Server::start() else { return };
    server.plug_in();
    for way in WAYS {
        let mut child = Child::start(&server);
        let soak = child.ask(&format!("soak 8 {way}"));
        println!("{way}: {soak}");
        let count = |name: &str| soak[name].as_u64().unwrap();
        assert_eq!((count("cycles"), count("empty")), (8, 0), "{way}: {soak}");
        assert!(count("threads_after") <= count("threads_before"), "{way}: {soak}");
        assert!(count("files_after") <= count("files_before"), "{way}: {soak}");
        assert_eq!(server.recordings(), 0, "{way}: a microphone is still open");
    }
}
