//! Speech: sound files and microphones in, transcripts out, all on this machine.
//!
//! It opens no socket, fetches no model and stores nothing: models are named by path.

mod activity;
mod agreement;
pub mod bench;
mod buffer;
#[cfg(feature = "capture")]
pub mod capture;
mod decode;
mod error;
mod level;
mod live;
mod plan;
pub mod push_to_talk;
mod recognizer;
mod recording;
mod resample;
mod script;
mod trust;
mod whisper;

pub use decode::{MAX_HOURS, Samples, SoundFile, Source};
pub use error::{Error, Result};
pub use level::{FLOOR_DBFS, Level, Meter};
pub use live::Live;
pub use recognizer::Recognizer;
pub use recording::{Recording, RecordingWriter};
pub use resample::Resampler;
pub use script::Script;
pub use whisper::Search;

/// Samples a second, one channel, as every part of this crate takes them.
pub const SAMPLE_RATE: u32 = 16_000;
