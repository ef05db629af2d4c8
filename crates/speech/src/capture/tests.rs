//! The owner's thread, with microphones that do as told: no sound card, no waiting for one.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::owner::{Opened, Opener};
use super::queue::{Queue, Trouble};
use super::*;

/// Long enough for any machine; only a fault waits for it.
const LONG: Duration = Duration::from_secs(60);

/// A test's microphones: how many are open, and whose driver has delivered all that it will.
#[derive(Clone, Default)]
struct Open {
    count: Arc<AtomicI32>,
    delivered: Arc<AtomicBool>,
}

impl Open {
    fn count(&self) -> i32 {
        self.count.load(Ordering::SeqCst)
    }

    fn wait_delivered(&self) {
        wait_for(|| self.delivered.load(Ordering::SeqCst));
    }

    fn wait_closed(&self) {
        wait_for(|| self.count() == 0);
    }
}

/// Counts itself open until it is dropped.
struct Stream(Open, Option<JoinHandle<()>>);

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(thread) = self.1.take() {
            thread.join().unwrap();
        }
        self.0.count.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A microphone whose driver runs `driver` on a thread of its own.
fn fake(open: &Open, rate: u32, driver: impl FnOnce(&Queue) + Send + 'static) -> Opener {
    let open = open.clone();
    Box::new(move |queue: &Arc<Queue>| {
        open.count.fetch_add(1, Ordering::SeqCst);
        let queue = queue.clone();
        let delivered = open.delivered.clone();
        let thread = std::thread::spawn(move || {
            driver(&queue);
            delivered.store(true, Ordering::SeqCst);
        });
        let stream: Box<dyn Any> = Box::new(Stream(open, Some(thread)));
        Ok(Opened { microphone: microphone(), fell_back: false, rate, stream })
    })
}

fn microphone() -> Microphone {
    Microphone { id: "fake:one".into(), name: "Fake".into(), default: true, monitor: false }
}

fn tone(rate: u32, seconds: f32) -> Vec<f32> {
    let count = (rate as f32 * seconds) as usize;
    let step = 440.0 * std::f32::consts::TAU / rate as f32;
    (0..count).map(|n| 0.5 * (n as f32 * step).sin()).collect()
}

fn deliver(queue: &Queue, sound: &[f32]) {
    for block in sound.chunks(500) {
        queue.push(|into| into.extend_from_slice(block));
    }
}

fn wait_for(what: impl Fn() -> bool) {
    let until = Instant::now() + LONG;
    while !what() {
        assert!(Instant::now() < until, "it never came");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Delivers until it is asked to stop.
fn deliver_until_asked(queue: &Queue) {
    while !queue.stop_asked() {
        queue.push(|into| into.extend([0.25; 480]));
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_capture_gives_what_was_said_at_16_kilohertz_and_closes() {
    for rate in [8_000, 16_000, 44_100, 48_000, 96_000] {
        let open = Open::default();
        let sound = tone(rate, 1.5);
        let opener = fake(&open, rate, move |queue| deliver(queue, &sound));
        let (sink, blocks) = sync_channel(1_000);
        let options = CaptureOptions { sink: Some(sink), ..CaptureOptions::default() };
        let capture = Capture::begin(opener, options).unwrap();
        assert_eq!(capture.microphone(), &microphone());
        open.wait_delivered();
        let captured = capture.stop();
        assert_eq!(open.count(), 0);
        assert_eq!(captured.ended, Ended::Stopped);
        assert!((captured.seconds() - 1.5).abs() < 0.01, "{rate}: {captured:?}");
        assert_eq!((captured.dropped, captured.lost, captured.gaps), (0, 0, 0));
        let live: Vec<f32> = blocks.iter().flat_map(|block| block.samples).collect();
        assert_eq!(live, captured.samples);
    }
}

#[test]
fn only_the_newest_seconds_are_kept() {
    let open = Open::default();
    let opener = fake(&open, 16_000, |queue| deliver(queue, &tone(16_000, 5.0)));
    let options = CaptureOptions { keep_seconds: 2, ..CaptureOptions::default() };
    let capture = Capture::begin(opener, options).unwrap();
    open.wait_delivered();
    let captured = capture.stop();
    assert_eq!((captured.samples.len(), captured.dropped), (32_000, 48_000));
}

#[test]
fn a_loss_is_told_at_once_and_what_was_heard_is_there() {
    let rows = [
        (Trouble::Lost, Ended::Lost, Error::MicrophoneLost),
        (Trouble::Denied, Ended::Denied, Error::MicrophoneDenied),
        (
            Trouble::Failed("E".to_owned()),
            Ended::Failed("E".to_owned()),
            Error::Microphone("E".to_owned()),
        ),
    ];
    for (trouble, ended, error) in rows {
        let open = Open::default();
        let opener = fake(&open, 48_000, move |queue| {
            deliver(queue, &tone(48_000, 0.7));
            queue.fail(trouble);
        });
        let (tell, told) = sync_channel(1);
        let options = CaptureOptions {
            on_end: Some(Box::new(move |ended| tell.send(ended.clone()).unwrap())),
            ..CaptureOptions::default()
        };
        let capture = Capture::begin(opener, options).unwrap();
        assert_eq!(capture.wait_ended(LONG), Some(ended.clone()));
        assert_eq!(told.recv_timeout(LONG), Ok(ended.clone()));
        // The microphone is closed without anybody asking for it.
        open.wait_closed();
        let captured = capture.stop();
        assert_eq!(captured.ended.error(), Some(error));
        assert!((captured.seconds() - 0.7).abs() < 0.01, "{captured:?}");
    }
}

#[test]
fn a_microphone_that_falls_silent_is_a_loss_within_a_second() {
    let open = Open::default();
    let opener = fake(&open, 16_000, |queue| deliver(queue, &tone(16_000, 0.5)));
    let capture = Capture::begin(opener, CaptureOptions::default()).unwrap();
    let begin = Instant::now();
    assert_eq!(capture.wait_ended(LONG), Some(Ended::Silent));
    let took = begin.elapsed();
    assert!(took > Duration::from_millis(700), "{took:?}");
    assert!((capture.stop().seconds() - 0.5).abs() < 0.01);
}

#[test]
fn a_capture_that_is_dropped_or_cancelled_closes_its_microphone() {
    let open = Open::default();
    let begin = || {
        let opener = fake(&open, 48_000, deliver_until_asked);
        Capture::begin(opener, CaptureOptions::default()).unwrap()
    };
    drop(begin());
    assert_eq!(open.count(), 0);
    begin().cancel();
    assert_eq!(open.count(), 0);
    assert_eq!(begin().stop().ended, Ended::Stopped);
    assert_eq!(open.count(), 0);
}

#[test]
fn what_does_not_open_is_an_error_and_a_driver_that_panics_too() {
    let refuse: Opener = Box::new(|_| Err(Error::MicrophoneBusy));
    let error = Capture::begin(refuse, CaptureOptions::default()).err();
    assert_eq!(error, Some(Error::MicrophoneBusy));
    let panic: Opener = Box::new(|_| panic!("a driver's own fault"));
    let error = Capture::begin(panic, CaptureOptions::default()).err();
    assert_eq!(error, Some(Error::NoSoundSystem));
    let open = Open::default();
    let odd = fake(&open, 0, |_| {});
    assert_eq!(Capture::begin(odd, CaptureOptions::default()).err(), Some(Error::Rate(0)));
    assert_eq!(open.count(), 0);
}

#[test]
fn a_driver_that_hangs_in_closing_keeps_nobody_waiting() {
    let (release, released) = sync_channel::<()>(0);
    let open = Open::default();
    let delivered = open.delivered.clone();
    let opener = fake(&open, 16_000, move |queue| {
        deliver(queue, &tone(16_000, 0.5));
        delivered.store(true, Ordering::SeqCst);
        let _ = released.recv();
    });
    let capture = Capture::begin(opener, CaptureOptions::default()).unwrap();
    open.wait_delivered();
    let captured = capture.stop();
    assert!((captured.seconds() - 0.5).abs() < 0.01);
    assert_eq!(open.count(), 1);
    drop(release);
    open.wait_closed();
}

#[test]
fn a_system_that_opens_too_late_gets_its_microphone_closed_at_once() {
    let open = Open::default();
    let (release, released) = sync_channel::<()>(0);
    let inner = fake(&open, 16_000, deliver_until_asked);
    let late: Opener = Box::new(move |queue| {
        let _ = released.recv();
        let opened = inner(queue);
        // Nobody asks it to stop; the fake's thread is let go by hand.
        queue.ask_stop();
        opened
    });
    let error = Capture::begin(late, CaptureOptions::default()).err();
    assert_eq!(error, Some(Error::NoSoundSystem));
    drop(release);
    open.wait_closed();
}
