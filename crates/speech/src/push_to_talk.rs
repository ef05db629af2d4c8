//! Dictation by a key: hold it to talk, tap it to begin and tap it again to end, Escape to forget it.
//!
//! A pure machine: events and the time in, effects out. It opens no microphone, reads no key and draws nothing;
//! whoever drives it does each effect in order and reports what comes of it. Times are milliseconds of any
//! clock that does not go back.

use std::mem::replace;

/// One dictation, from its key to its text. Results carry it, so that those of an earlier one change nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Take(pub u64);

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The hotkey; again and again where the system repeats keys.
    KeyDown,
    KeyUp,
    /// Another key while the hotkey is down.
    OtherKey,
    Escape,
    /// Time went by: to be sent at `wake_at`.
    Tick,
    Lock,
    Unlock,
    Sleep,
    Resume,
    /// The microphone closed itself: it was lost, or its capture is full.
    CaptureEnded(Take),
    /// Its words are there, perhaps none.
    TranscriptReady(Take),
    /// It could not be begun, or not be written down.
    Failed(Take),
}

/// What is to be done, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    StartCapture(Take),
    /// Close the microphone and write down what it heard.
    StopAndTranscribe(Take),
    /// Close the microphone, or stop the transcription, and forget it.
    Cancel(Take),
    /// Put the words where the user writes.
    Insert(Take),
    /// Put the words into the history only: there was a lock or sleep, and nobody knows what has the keyboard.
    Keep(Take),
    Show(Overlay),
    /// Tell the user why: the longest time is over, or so many are being written down already.
    Tell(Notice),
    /// Register the hotkey anew: some systems forget half of it while locked or asleep.
    Rearm,
}

/// What the small window shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlay {
    Hidden,
    /// As long as the key is down.
    Listening,
    /// Until the next tap.
    ListeningOn,
    Transcribing,
    /// For as long as the window likes; the failure itself is known to whoever reported it.
    Failed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    LongestReached,
    Busy,
}

/// What the hotkey does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TalkMode {
    #[default]
    HoldOrTap,
    Hold,
    Tap,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TalkOptions {
    pub mode: TalkMode,
    /// The hotkey is modifiers only, so that another key soon after means a shortcut and not speech.
    pub modifiers_only: bool,
    /// The longest dictation, in milliseconds.
    pub longest_ms: u64,
}

impl Default for TalkOptions {
    fn default() -> Self {
        Self { mode: TalkMode::HoldOrTap, modifiers_only: false, longest_ms: 5 * 60_000 }
    }
}

/// A release that is followed by a press within this time was none: contacts bounce, and X11 repeats a held key
/// as releases and presses.
const BOUNCE: u64 = 40;

/// Shorter is a tap.
const TAP: u64 = 300;

/// Another key within this time of the press makes it a shortcut.
const CHORD: u64 = 500;

/// A press so long after the last one is a new one, since no system waits longer before it repeats a key:
/// the release was lost.
const REPEAT: u64 = 2_500;

/// Dictations that may be in writing while the next one is spoken.
const WRITING: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    /// The key is down and the microphone open.
    Held {
        take: Take,
        since: u64,
        last_down: u64,
    },
    /// The microphone is open until the next tap.
    On {
        take: Take,
        since: u64,
        key: Key,
    },
    /// Nothing is heard until the key is let go.
    Blocked {
        last_down: u64,
    },
}

/// The key while the microphone is on without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Up,
    /// Still down from the press that began it.
    Down {
        last_down: u64,
    },
}

#[derive(Debug, Clone, Copy)]
struct Writing {
    take: Take,
    keep: bool,
}

/// The machine.
#[derive(Debug, Clone)]
pub struct PushToTalk {
    options: TalkOptions,
    state: State,
    writing: Vec<Writing>,
    next: u64,
    /// A release that may still turn out to be none.
    released: Option<u64>,
    locked: bool,
    asleep: bool,
    shown: Overlay,
}

impl PushToTalk {
    #[must_use]
    pub fn new(options: TalkOptions) -> Self {
        Self {
            options,
            state: State::Idle,
            writing: Vec::new(),
            next: 1,
            released: None,
            locked: false,
            asleep: false,
            shown: Overlay::Hidden,
        }
    }

    /// From the next dictation on.
    pub fn set_options(&mut self, options: TalkOptions) {
        self.options = options;
    }

    /// The dictation that the microphone is open for.
    #[must_use]
    pub fn recording(&self) -> Option<Take> {
        match self.state {
            State::Held { take, .. } | State::On { take, .. } => Some(take),
            State::Idle | State::Blocked { .. } => None,
        }
    }

    /// No microphone is open and nothing is being written down.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.recording().is_none() && self.writing.is_empty()
    }

    /// When a `Tick` is wanted.
    #[must_use]
    pub fn wake_at(&self) -> Option<u64> {
        let longest = match self.state {
            State::Held { since, .. } | State::On { since, .. } => {
                Some(since + self.options.longest_ms)
            }
            State::Idle | State::Blocked { .. } => None,
        };
        let release = self.released.map(|at| at + BOUNCE);
        release.into_iter().chain(longest).min()
    }

    /// One event at a time, in the order in which they happened.
    pub fn step(&mut self, event: Event, now: u64) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.catch_up(now, &mut effects);
        let mut failed = false;
        match event {
            Event::KeyDown => {
                // What was due is done: a release that is still waiting was none.
                self.released = None;
                self.key_down(now, &mut effects);
            }
            Event::KeyUp => {
                self.released.get_or_insert(now);
            }
            Event::OtherKey => self.other_key(now, &mut effects),
            Event::Escape => self.escape(&mut effects),
            Event::Tick => {}
            Event::Lock | Event::Sleep => {
                self.leave(&mut effects);
                self.locked |= event == Event::Lock;
                self.asleep |= event == Event::Sleep;
            }
            Event::Unlock | Event::Resume => {
                // An end without its beginning still means that the keys may be in disorder.
                self.leave(&mut effects);
                self.state = State::Idle;
                self.locked &= event != Event::Unlock;
                self.asleep &= event != Event::Resume;
                effects.push(Effect::Rearm);
            }
            Event::CaptureEnded(take) => {
                if self.recording() == Some(take) {
                    self.finish(false, &mut effects);
                }
            }
            Event::TranscriptReady(take) => {
                if let Some(done) = self.written(take) {
                    let away = done.keep || self.locked || self.asleep;
                    effects.push(if away { Effect::Keep(take) } else { Effect::Insert(take) });
                }
            }
            Event::Failed(take) => {
                if self.recording() == Some(take) {
                    self.let_go();
                    effects.push(Effect::Cancel(take));
                    failed = true;
                } else {
                    failed = self.written(take).is_some();
                }
            }
        }
        self.show(failed, &mut effects);
        effects
    }

    /// What was due before this moment: a release that was real, the longest time.
    fn catch_up(&mut self, now: u64, effects: &mut Vec<Effect>) {
        if let Some(at) = self.released.filter(|at| now.saturating_sub(*at) >= BOUNCE) {
            self.released = None;
            self.key_up(at, effects);
        }
        if let State::Held { since, .. } | State::On { since, .. } = self.state
            && now.saturating_sub(since) >= self.options.longest_ms
        {
            self.finish(false, effects);
            effects.push(Effect::Tell(Notice::LongestReached));
        }
    }

    fn key_down(&mut self, now: u64, effects: &mut Vec<Effect>) {
        match &mut self.state {
            State::Idle => self.begin(now, effects),
            State::Held { last_down, .. } => {
                if now.saturating_sub(replace(last_down, now)) >= REPEAT {
                    // Nobody presses a key that is down: this ends what the lost release should have ended.
                    self.finish(false, effects);
                }
            }
            State::On { key: Key::Down { last_down }, .. }
                if now.saturating_sub(*last_down) < REPEAT =>
            {
                *last_down = now;
            }
            State::On { .. } => {
                self.finish(false, effects);
                self.state = State::Blocked { last_down: now };
            }
            State::Blocked { last_down } => {
                if now.saturating_sub(replace(last_down, now)) >= REPEAT {
                    self.begin(now, effects);
                }
            }
        }
    }

    fn begin(&mut self, now: u64, effects: &mut Vec<Effect>) {
        if self.locked || self.asleep {
            self.state = State::Blocked { last_down: now };
            return;
        }
        if self.writing.len() >= WRITING {
            self.state = State::Blocked { last_down: now };
            effects.push(Effect::Tell(Notice::Busy));
            return;
        }
        let take = Take(self.next);
        self.next += 1;
        self.state = match self.options.mode {
            TalkMode::Tap => State::On { take, since: now, key: Key::Down { last_down: now } },
            _ => State::Held { take, since: now, last_down: now },
        };
        effects.push(Effect::StartCapture(take));
    }

    fn key_up(&mut self, at: u64, effects: &mut Vec<Effect>) {
        match self.state {
            State::Held { take, since, .. } => {
                match (at.saturating_sub(since) < TAP, self.options.mode) {
                    (true, TalkMode::HoldOrTap) => {
                        self.state = State::On { take, since, key: Key::Up };
                        return;
                    }
                    // Too short to have said anything.
                    (true, TalkMode::Hold) => {
                        self.let_go();
                        effects.push(Effect::Cancel(take));
                    }
                    _ => self.finish(false, effects),
                }
                self.state = State::Idle;
            }
            State::On { take, since, .. } => {
                self.state = State::On { take, since, key: Key::Up };
            }
            State::Blocked { .. } => self.state = State::Idle,
            State::Idle => {}
        }
    }

    fn other_key(&mut self, now: u64, effects: &mut Vec<Effect>) {
        if let State::Held { take, since, .. } | State::On { take, since, key: Key::Down { .. } } =
            self.state
            && self.options.modifiers_only
            && now.saturating_sub(since) < CHORD
        {
            self.let_go();
            effects.push(Effect::Cancel(take));
        }
    }

    fn escape(&mut self, effects: &mut Vec<Effect>) {
        if let Some(take) = self.recording() {
            self.let_go();
            effects.push(Effect::Cancel(take));
        } else {
            effects.extend(self.writing.drain(..).map(|writing| Effect::Cancel(writing.take)));
        }
    }

    /// Lock or sleep: the microphone closes, and nothing that was said before is inserted after.
    fn leave(&mut self, effects: &mut Vec<Effect>) {
        self.released = None;
        self.finish(true, effects);
        for writing in &mut self.writing {
            writing.keep = true;
        }
    }

    /// Ends the recording; what it heard is written down.
    fn finish(&mut self, keep: bool, effects: &mut Vec<Effect>) {
        if let Some(take) = self.recording() {
            self.let_go();
            self.writing.push(Writing { take, keep });
            effects.push(Effect::StopAndTranscribe(take));
        }
    }

    /// To where nothing is heard; a key that is still down begins nothing new.
    fn let_go(&mut self) {
        self.state = match self.state {
            State::Held { last_down, .. }
            | State::On { key: Key::Down { last_down }, .. }
            | State::Blocked { last_down } => State::Blocked { last_down },
            State::On { .. } | State::Idle => State::Idle,
        };
    }

    fn written(&mut self, take: Take) -> Option<Writing> {
        let place = self.writing.iter().position(|writing| writing.take == take)?;
        Some(self.writing.remove(place))
    }

    fn show(&mut self, failed: bool, effects: &mut Vec<Effect>) {
        let overlay = match self.state {
            State::Held { .. } => Overlay::Listening,
            State::On { .. } => Overlay::ListeningOn,
            _ if failed => Overlay::Failed,
            _ if !self.writing.is_empty() => Overlay::Transcribing,
            // A failure stays until something else happens.
            _ if self.shown == Overlay::Failed && effects.is_empty() => Overlay::Failed,
            _ => Overlay::Hidden,
        };
        if replace(&mut self.shown, overlay) != overlay {
            effects.push(Effect::Show(overlay));
        }
    }
}

#[cfg(test)]
#[path = "push_to_talk/tests.rs"]
mod tests;
