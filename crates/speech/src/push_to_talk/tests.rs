//! Rows of events with their times and the effects they have; and that no sequence leaves a microphone open.

use proptest::prelude::*;

use super::Effect::{Cancel, Insert, Keep, Rearm, Show, StartCapture, StopAndTranscribe, Tell};
use super::Event::{
    CaptureEnded, Escape, Failed, KeyDown, KeyUp, Lock, OtherKey, Resume, Sleep, Tick,
    TranscriptReady, Unlock,
};
use super::Overlay::{Hidden, Listening, ListeningOn, Transcribing};
use super::*;

const ONE: Take = Take(1);
const TWO: Take = Take(2);

fn check_with(options: TalkOptions, rows: &[(u64, Event, &[Effect])]) {
    let mut machine = PushToTalk::new(options);
    for (row, (now, event, expected)) in rows.iter().enumerate() {
        assert_eq!(machine.step(*event, *now), *expected, "row {row}: {event:?} at {now}");
    }
}

fn check(rows: &[(u64, Event, &[Effect])]) {
    check_with(TalkOptions::default(), rows);
}

const BEGIN: &[Effect] = &[StartCapture(ONE), Show(Listening)];
const END: &[Effect] = &[StopAndTranscribe(ONE), Show(Transcribing)];
const WORDS: &[Effect] = &[Insert(ONE), Show(Hidden)];

#[test]
fn held_it_hears_until_the_release() {
    check(&[
        (0, KeyDown, BEGIN),
        (2_000, KeyUp, &[]),
        (2_040, Tick, END),
        (2_500, TranscriptReady(ONE), WORDS),
        (3_000, KeyDown, &[StartCapture(TWO), Show(Listening)]),
    ]);
}

#[test]
fn tapped_it_hears_until_the_next_tap() {
    check(&[
        (0, KeyDown, BEGIN),
        (120, KeyUp, &[]),
        (160, Tick, &[Show(ListeningOn)]),
        (9_000, KeyDown, END),
        (9_100, KeyUp, &[]),
        (9_140, Tick, &[]),
        (9_500, TranscriptReady(ONE), WORDS),
    ]);
}

#[test]
fn a_double_tap_is_one_short_dictation() {
    check(&[
        (0, KeyDown, BEGIN),
        (80, KeyUp, &[]),
        (160, KeyDown, END),
        (240, KeyUp, &[]),
        (700, TranscriptReady(ONE), WORDS),
    ]);
}

#[test]
fn a_bouncing_or_repeating_key_is_one_press() {
    // As X11 repeats: release and press in the same millisecond.
    check(&[
        (0, KeyDown, BEGIN),
        (660, KeyUp, &[]),
        (660, KeyDown, &[]),
        (700, KeyUp, &[]),
        (701, KeyDown, &[]),
        (1_500, KeyUp, &[]),
        (1_540, Tick, END),
        // The tap that ends is held down too.
        (2_000, KeyDown, &[StartCapture(TWO), Show(Listening)]),
        (2_100, KeyUp, &[]),
        (2_140, Tick, &[Show(ListeningOn)]),
        (3_000, KeyDown, &[StopAndTranscribe(TWO), Show(Transcribing)]),
        (3_660, KeyUp, &[]),
        (3_660, KeyDown, &[]),
        (3_700, KeyUp, &[]),
        (3_800, Tick, &[]),
    ]);
    // As Windows and macOS repeat: presses only.
    check(&[
        (0, KeyDown, BEGIN),
        (500, KeyDown, &[]),
        (530, KeyDown, &[]),
        (900, KeyUp, &[]),
        (940, Tick, END),
    ]);
}

#[test]
fn a_lost_release_is_made_up_for_by_the_next_press() {
    check(&[
        (0, KeyDown, BEGIN),
        (8_000, KeyDown, END),
        (8_100, KeyUp, &[]),
        (8_200, TranscriptReady(ONE), WORDS),
        (9_000, KeyDown, &[StartCapture(TWO), Show(Listening)]),
        (9_100, Escape, &[Cancel(TWO), Show(Hidden)]),
        // Again lost, after an Escape.
        (20_000, KeyDown, &[StartCapture(Take(3)), Show(Listening)]),
    ]);
}

#[test]
fn escape_forgets_and_the_key_that_is_still_down_begins_nothing() {
    check(&[
        (0, KeyDown, BEGIN),
        (1_000, Escape, &[Cancel(ONE), Show(Hidden)]),
        (1_030, KeyDown, &[]),
        (1_060, KeyDown, &[]),
        (1_500, KeyUp, &[]),
        (1_600, Escape, &[]),
        (2_000, KeyDown, &[StartCapture(TWO), Show(Listening)]),
        (3_000, KeyUp, &[]),
        (3_040, Tick, &[StopAndTranscribe(TWO), Show(Transcribing)]),
        (3_100, Escape, &[Cancel(TWO), Show(Hidden)]),
        (3_200, TranscriptReady(TWO), &[]),
    ]);
}

#[test]
fn the_next_one_can_be_spoken_while_the_last_is_written() {
    check(&[
        (0, KeyDown, BEGIN),
        (1_000, KeyUp, &[]),
        (1_100, KeyDown, &[StopAndTranscribe(ONE), StartCapture(TWO)]),
        (1_500, TranscriptReady(ONE), &[Insert(ONE)]),
        (2_000, KeyUp, &[]),
        (2_040, Tick, &[StopAndTranscribe(TWO), Show(Transcribing)]),
        (2_100, TranscriptReady(ONE), &[]),
        (2_200, TranscriptReady(TWO), &[Insert(TWO), Show(Hidden)]),
    ]);
}

#[test]
fn more_than_can_be_written_is_refused_and_said() {
    let mut machine = PushToTalk::new(TalkOptions::default());
    for n in 0..WRITING as u64 {
        assert!(!machine.step(KeyDown, n * 10_000).is_empty());
        machine.step(KeyUp, n * 10_000 + 1_000);
        machine.step(Tick, n * 10_000 + 2_000);
    }
    assert_eq!(machine.step(KeyDown, 50_000), [Tell(Notice::Busy)]);
    assert_eq!(machine.recording(), None);
}

#[test]
fn lock_and_sleep_close_the_microphone_and_nothing_is_inserted_after() {
    check(&[
        (0, KeyDown, BEGIN),
        (1_000, Lock, END),
        (1_200, TranscriptReady(ONE), &[Keep(ONE), Show(Hidden)]),
        (1_300, KeyDown, &[]),
        (60_000, KeyDown, &[]),
        (61_000, Unlock, &[Rearm]),
        (61_100, KeyDown, &[StartCapture(TWO), Show(Listening)]),
        (62_000, Sleep, &[StopAndTranscribe(TWO), Show(Transcribing)]),
        (62_001, Resume, &[Rearm]),
        (62_500, TranscriptReady(TWO), &[Keep(TWO), Show(Hidden)]),
        (62_600, KeyDown, &[StartCapture(Take(3)), Show(Listening)]),
    ]);
    // Nobody told of the sleep before it.
    check(&[
        (0, KeyDown, BEGIN),
        (100, Resume, &[StopAndTranscribe(ONE), Rearm, Show(Transcribing)]),
    ]);
}

#[test]
fn a_shortcut_with_the_same_modifiers_is_no_speech() {
    let options = TalkOptions { modifiers_only: true, ..TalkOptions::default() };
    check_with(
        options,
        &[
            (0, KeyDown, BEGIN),
            (150, OtherKey, &[Cancel(ONE), Show(Hidden)]),
            (300, KeyUp, &[]),
            (1_000, KeyDown, &[StartCapture(TWO), Show(Listening)]),
            (3_000, OtherKey, &[]),
        ],
    );
    check(&[(0, KeyDown, BEGIN), (150, OtherKey, &[])]);
}

#[test]
fn it_ends_at_the_longest_time_though_the_key_is_down() {
    let options = TalkOptions { longest_ms: 10_000, ..TalkOptions::default() };
    let over: &[Effect] =
        &[StopAndTranscribe(ONE), Tell(Notice::LongestReached), Show(Transcribing)];
    check_with(
        options,
        &[
            (0, KeyDown, BEGIN),
            (2_000, KeyDown, &[]),
            (4_000, KeyDown, &[]),
            (6_000, KeyDown, &[]),
            (8_000, KeyDown, &[]),
            (10_000, Tick, over),
            (10_030, KeyDown, &[]),
        ],
    );
    let mut machine = PushToTalk::new(options);
    machine.step(KeyDown, 0);
    assert_eq!(machine.wake_at(), Some(10_000));
    machine.step(KeyUp, 100);
    assert_eq!(machine.wake_at(), Some(140));
    machine.step(Tick, 140);
    assert_eq!(machine.wake_at(), Some(10_000));
}

#[test]
fn a_lost_microphone_still_gives_what_it_heard() {
    check(&[
        (0, KeyDown, BEGIN),
        (1_000, CaptureEnded(ONE), END),
        (1_030, KeyDown, &[]),
        (1_200, TranscriptReady(ONE), WORDS),
        (1_300, KeyUp, &[]),
        (2_000, KeyDown, &[StartCapture(TWO), Show(Listening)]),
        (2_100, CaptureEnded(ONE), &[]),
    ]);
}

#[test]
fn a_failure_is_shown_until_something_happens() {
    check(&[
        (0, KeyDown, BEGIN),
        (50, Failed(ONE), &[Cancel(ONE), Show(Overlay::Failed)]),
        (100, KeyUp, &[]),
        (5_000, Tick, &[]),
        (6_000, KeyDown, &[StartCapture(TWO), Show(Listening)]),
        (8_000, KeyUp, &[]),
        (8_100, Tick, &[StopAndTranscribe(TWO), Show(Transcribing)]),
        (8_200, Failed(TWO), &[Show(Overlay::Failed)]),
        (8_300, Failed(TWO), &[]),
    ]);
}

#[test]
fn modes() {
    let hold = TalkOptions { mode: TalkMode::Hold, ..TalkOptions::default() };
    check_with(
        hold,
        &[(0, KeyDown, BEGIN), (100, KeyUp, &[]), (140, Tick, &[Cancel(ONE), Show(Hidden)])],
    );
    let tap = TalkOptions { mode: TalkMode::Tap, ..TalkOptions::default() };
    check_with(
        tap,
        &[
            (0, KeyDown, &[StartCapture(ONE), Show(ListeningOn)]),
            (500, KeyDown, &[]),
            (5_000, KeyUp, &[]),
            (6_000, KeyDown, END),
        ],
    );
}

fn event() -> impl Strategy<Value = Event> {
    let take = (1_u64..12).prop_map(Take);
    prop_oneof![
        6 => Just(KeyDown),
        6 => Just(KeyUp),
        1 => Just(OtherKey),
        1 => Just(Escape),
        4 => Just(Tick),
        1 => prop_oneof![Just(Lock), Just(Unlock), Just(Sleep), Just(Resume)],
        1 => take.clone().prop_map(CaptureEnded),
        2 => take.clone().prop_map(TranscriptReady),
        1 => take.prop_map(Failed),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn no_sequence_leaves_the_microphone_open_or_opens_it_twice(
        steps in prop::collection::vec((event(), prop_oneof![0_u64..50, 0_u64..700, 0_u64..20_000]), 1..80),
        mode in prop_oneof![Just(TalkMode::HoldOrTap), Just(TalkMode::Hold), Just(TalkMode::Tap)],
        modifiers_only: bool,
    ) {
        let options = TalkOptions { mode, modifiers_only, longest_ms: 30_000 };
        let mut machine = PushToTalk::new(options);
        let (mut now, mut open, mut last, mut away) = (0, None, 0, false);
        let mut writing = Vec::new();
        let mut opened_at = 0;
        let mut follow = |machine: &mut PushToTalk, event: Event, now: u64| {
            for effect in machine.step(event, now) {
                match effect {
                    StartCapture(take) => {
                        prop_assert!(open.is_none(), "opened twice");
                        prop_assert!(take.0 > last, "a take came again");
                        prop_assert!(!away, "opened while locked or asleep");
                        (open, last, opened_at) = (Some(take), take.0, now);
                    }
                    StopAndTranscribe(take) => {
                        prop_assert_eq!(open.take(), Some(take));
                        writing.push(take);
                    }
                    Cancel(take) => {
                        if open == Some(take) {
                            open = None;
                        } else {
                            prop_assert!(writing.contains(&take), "cancelled what was not there");
                            writing.retain(|other| *other != take);
                        }
                    }
                    Insert(take) | Keep(take) => {
                        prop_assert!(writing.contains(&take), "words came twice or from nowhere");
                        writing.retain(|other| *other != take);
                        prop_assert!(!away || effect == Keep(take), "typed into a locked screen");
                    }
                    Show(_) | Tell(_) | Rearm => {}
                }
            }
            if let Failed(take) = event {
                writing.retain(|other| *other != take);
            }
            match event {
                Lock | Sleep => away = true,
                Unlock | Resume => away = machine.locked || machine.asleep,
                _ => {}
            }
            prop_assert_eq!(machine.recording(), open);
            prop_assert_eq!(machine.is_idle(), open.is_none() && writing.is_empty());
            prop_assert!(open.is_none() || now.saturating_sub(opened_at) < 30_000, "open for too long");
            prop_assert!(open.is_none() || machine.wake_at().is_some(), "open, and nothing will end it");
            Ok(())
        };
        for (event, pause) in steps {
            // Whoever drives it sends the ticks that it asks for.
            let next = now + pause;
            while let Some(at) = machine.wake_at().filter(|at| *at <= next) {
                follow(&mut machine, Tick, at)?;
            }
            now = next;
            follow(&mut machine, event, now)?;
        }
        // Left alone, it closes by itself.
        while let Some(at) = machine.wake_at() {
            follow(&mut machine, Tick, at)?;
        }
        prop_assert_eq!(machine.recording(), None);
    }
}
