//! Writes a recording, a second at a time.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use nearside_types::Seal;

use super::{MAGIC, RECORD, codec, context};
use crate::{Error, Result, SAMPLE_RATE};

/// Samples that wait for a disk that does not take them; the oldest are given up then.
const WAITING: usize = 120 * SAMPLE_RATE as usize;

/// An unfinished recording. Dropped without `finish`, it stays readable and counts as cut.
pub struct RecordingWriter {
    file: File,
    seal: Arc<dyn Seal>,
    name: String,
    number: u64,
    /// The end of the last whole record: after a failed write it goes on from there.
    end: u64,
    waiting: Vec<f32>,
    written: u64,
    given_up: u64,
}

impl RecordingWriter {
    /// Begins a file, which must not exist yet. `name` is any text that is the same on reading; only the user
    /// can read the file's bytes, sealed as they are.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn create(path: &Path, name: &str, seal: Arc<dyn Seal>) -> Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path).map_err(not_written)?;
        file.write_all(MAGIC).and_then(|()| file.sync_all()).map_err(not_written)?;
        Ok(Self {
            file,
            seal,
            name: name.to_owned(),
            number: 0,
            end: MAGIC.len() as u64,
            waiting: Vec::new(),
            written: 0,
            given_up: 0,
        })
    }

    /// Adds samples at 16 kHz. Whole seconds are on the disk when it returns.
    ///
    /// # Errors
    /// The disk takes no more, or the key is gone. The samples are kept and tried again with the next ones, two
    /// minutes of them at most.
    pub fn push(&mut self, samples: &[f32]) -> Result<()> {
        self.waiting.extend_from_slice(samples);
        let mut from = 0;
        let mut worked = Ok(());
        while worked.is_ok() && self.waiting.len() - from >= RECORD {
            let content = codec::sound(&self.waiting[from..from + RECORD]);
            worked = self.record(&content);
            if worked.is_ok() {
                self.written += RECORD as u64;
                from += RECORD;
            }
        }
        let over = (self.waiting.len() - from).saturating_sub(WAITING);
        self.given_up += over as u64;
        self.waiting.drain(..from + over);
        worked
    }

    /// Adds a stretch that was not heard as silence, so that times stay right.
    ///
    /// # Errors
    /// As `push`.
    pub fn push_silence(&mut self, samples: u64) -> Result<()> {
        let mut left = samples;
        while left > 0 {
            let some = left.min(RECORD as u64);
            self.push(&vec![0.0; usize::try_from(some).unwrap_or(RECORD)])?;
            left -= some;
        }
        Ok(())
    }

    /// How long it is by now.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        (self.written + self.waiting.len() as u64) as f64 / f64::from(SAMPLE_RATE)
    }

    /// Samples that are missing because the disk took none for too long.
    #[must_use]
    pub fn given_up(&self) -> u64 {
        self.given_up
    }

    /// Writes what is left and the end; gives the length in seconds.
    ///
    /// # Errors
    /// The disk takes no more; the file then counts as cut.
    pub fn finish(mut self) -> Result<f64> {
        self.push(&[])?;
        if !self.waiting.is_empty() {
            let content = codec::sound(&self.waiting);
            self.record(&content)?;
            self.written += self.waiting.len() as u64;
            self.waiting.clear();
        }
        self.record(&codec::end(self.written))?;
        self.file.sync_all().map_err(not_written)?;
        Ok(self.seconds())
    }

    fn record(&mut self, content: &[u8]) -> Result<()> {
        let sealed = self
            .seal
            .seal(&context(&self.name, self.number), content)
            .map_err(|failure| Error::RecordingNotWritten(failure.message))?;
        let length = u32::try_from(sealed.len())
            .ok()
            .filter(|length| *length <= super::MAX_SEALED)
            .ok_or_else(|| Error::RecordingNotWritten("a record is too long".to_owned()))?;
        let bytes = [&length.to_le_bytes(), sealed.as_slice()].concat();
        let wrote = self.file.write_all(&bytes).and_then(|()| self.file.sync_data());
        if let Err(error) = wrote {
            // Half a record must not stand before the next one.
            let back = self.file.set_len(self.end);
            let _ = back.and_then(|()| self.file.seek(SeekFrom::Start(self.end)));
            return Err(not_written(error));
        }
        self.end += bytes.len() as u64;
        self.number += 1;
        Ok(())
    }
}

fn not_written(error: std::io::Error) -> Error {
    Error::RecordingNotWritten(error.to_string())
}
