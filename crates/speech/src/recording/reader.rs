//! Reads a recording up to its end, or to where it is cut or damaged.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use nearside_types::{Cancel, Seal};

use super::codec::{Content, content};
use super::{MAGIC, MAX_SEALED, RECORD, context};
use crate::decode::Source;
use crate::{Error, Result, SAMPLE_RATE};

/// Records that one `read` gives.
const AT_A_TIME: usize = 5;

/// An opened recording: a `Source` of samples, as the recogniser takes it.
pub struct Recording {
    file: BufReader<File>,
    seal: Arc<dyn Seal>,
    name: String,
    number: u64,
    /// Whole records in the file, by their lengths.
    records: u64,
    /// As the last record says, where it does.
    total: Option<u64>,
    ended: bool,
    damaged: bool,
}

impl Recording {
    /// Opens a file by the name that it was written with.
    ///
    /// # Errors
    /// There is none, it is none, or it is sealed with another key or name.
    pub fn open(path: &Path, name: &str, seal: Arc<dyn Seal>) -> Result<Self> {
        let file = File::open(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Error::NotFound,
            _ => Error::NotOpened(error.to_string()),
        })?;
        let mut this = Self {
            file: BufReader::new(file),
            seal,
            name: name.to_owned(),
            number: 0,
            records: 0,
            total: None,
            ended: false,
            damaged: false,
        };
        let mut magic = [0; MAGIC.len()];
        if this.file.read_exact(&mut magic).is_err() || &magic != MAGIC {
            return Err(Error::NotRecording);
        }
        this.survey()?;
        Ok(this)
    }

    /// It was finished, and nothing of it is missing.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.total.is_some() && !self.damaged
    }

    /// Counts the whole records and looks at the first, for the key, and the last, for the length.
    fn survey(&mut self) -> Result<()> {
        let begin = MAGIC.len() as u64;
        let size = self.file.get_ref().metadata().map_err(unreadable)?.len();
        let (mut at, mut last) = (begin, begin);
        while let Some(length) = self.length()? {
            let next = at + 4 + u64::from(length);
            if next > size {
                break;
            }
            self.file.seek_relative(i64::from(length)).map_err(unreadable)?;
            (last, at) = (at, next);
            self.records += 1;
        }
        if self.records > 0 {
            self.seek(begin)?;
            let sealed = self.sealed()?.ok_or(Error::NotRecording)?;
            let opened = self.seal.open(&context(&self.name, 0), &sealed);
            opened.map_err(|_| Error::RecordingSealed)?;
            self.seek(last)?;
            let number = self.records - 1;
            if let Some(sealed) = self.sealed()?
                && let Ok(plain) = self.seal.open(&context(&self.name, number), &sealed)
                && let Ok(Content::End(total)) = content(&plain)
            {
                self.total = Some(total);
            }
        }
        self.seek(begin)
    }

    /// The length of the next record; none at the end, in a cut, or where there is no such length.
    fn length(&mut self) -> Result<Option<u32>> {
        let mut length = [0; 4];
        match self.file.read_exact(&mut length) {
            Ok(()) => Ok(Some(u32::from_le_bytes(length)).filter(|length| *length <= MAX_SEALED)),
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(unreadable(error)),
        }
    }

    /// The next record as it lies there, if it is whole.
    fn sealed(&mut self) -> Result<Option<Vec<u8>>> {
        let Some(length) = self.length()? else { return Ok(None) };
        let mut sealed = vec![0; length as usize];
        match self.file.read_exact(&mut sealed) {
            Ok(()) => Ok(Some(sealed)),
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(unreadable(error)),
        }
    }

    fn seek(&mut self, at: u64) -> Result<()> {
        self.file.seek(SeekFrom::Start(at)).map(|_| ()).map_err(unreadable)
    }
}

impl Source for Recording {
    fn read(&mut self, into: &mut Vec<f32>, cancel: &Cancel) -> Result<bool> {
        let before = into.len();
        for _ in 0..AT_A_TIME {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            if self.ended {
                break;
            }
            // What was written after the opening belongs to another reading.
            let sealed = if self.number < self.records { self.sealed()? } else { None };
            let Some(sealed) = sealed else {
                self.ended = true;
                break;
            };
            let plain = self.seal.open(&context(&self.name, self.number), &sealed);
            self.number += 1;
            match plain.ok().and_then(|plain| content(&plain).ok()) {
                Some(Content::Sound(samples)) => into.extend(samples),
                Some(Content::End(_)) => self.ended = true,
                None => (self.ended, self.damaged) = (true, true),
            }
        }
        Ok(into.len() > before)
    }

    fn seconds(&self) -> Option<f64> {
        let samples = self.total.unwrap_or(self.records * RECORD as u64);
        Some(samples as f64 / f64::from(SAMPLE_RATE))
    }

    /// A record in its midst does not open; what comes after is not read.
    fn damaged(&self) -> bool {
        self.damaged
    }
}

fn unreadable(error: std::io::Error) -> Error {
    Error::NotOpened(error.to_string())
}
