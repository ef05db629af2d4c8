//! A long sealed stream: AES-256-GCM over chunks in the STREAM construction (Hoang, Reyhanitabar,
//! Rogaway and Vizár, "Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance", 2015).
//!
//! Each chunk's nonce is a random prefix, the chunk's number and whether it is the last, so chunks can
//! be neither moved, dropped, repeated nor cut off at the end without notice. Memory stays at two chunks.

use std::io::{self, Read, Write};

use crate::derive::Key;
use crate::gcm;

const CHUNK: usize = 256 * 1024;
const TAG: usize = 16;
pub(crate) const PREFIX: usize = 7;

fn nonce(prefix: [u8; PREFIX], number: u32, last: bool) -> [u8; 12] {
    let mut nonce = [0; 12];
    nonce[..PREFIX].copy_from_slice(&prefix);
    nonce[PREFIX..11].copy_from_slice(&number.to_be_bytes());
    nonce[11] = u8::from(last);
    nonce
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a chunk does not open")
}

fn next(number: u32) -> io::Result<u32> {
    number.checked_add(1).ok_or_else(|| io::Error::other("more than 1 PiB in one backup"))
}

/// Seals what is written to it. `finish` writes the last chunk; without it the stream is cut.
pub(crate) struct Sealer<W: Write> {
    inner: W,
    key: Key,
    prefix: [u8; PREFIX],
    context: Vec<u8>,
    buffer: Vec<u8>,
    number: u32,
}

impl<W: Write> Sealer<W> {
    pub(crate) fn new(inner: W, key: Key, prefix: [u8; PREFIX], context: Vec<u8>) -> Self {
        Self { inner, key, prefix, context, buffer: Vec::with_capacity(CHUNK), number: 0 }
    }

    fn chunk(&mut self, last: bool) -> io::Result<()> {
        let nonce = nonce(self.prefix, self.number, last);
        let sealed = gcm::seal_at(self.key.expose(), &nonce, &self.context, &self.buffer)
            .map_err(|_| damaged())?;
        self.inner.write_all(&sealed)?;
        self.buffer.clear();
        self.number = next(self.number)?;
        Ok(())
    }

    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.chunk(true)?;
        self.inner.flush()?;
        Ok(self.inner)
    }
}

impl<W: Write> Write for Sealer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A full buffer waits until more comes: it may be the last one.
        if self.buffer.len() == CHUNK {
            self.chunk(false)?;
        }
        let taken = bytes.len().min(CHUNK - self.buffer.len());
        self.buffer.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Opens a sealed stream. Answers the end only after the last chunk was authentic and nothing follows.
pub(crate) struct Opener<R: Read> {
    inner: R,
    key: Key,
    prefix: [u8; PREFIX],
    context: Vec<u8>,
    /// The next sealed chunk, read ahead so that the last is known as the last.
    ahead: Vec<u8>,
    plain: Vec<u8>,
    position: usize,
    number: u32,
    ended: bool,
}

impl<R: Read> Opener<R> {
    pub(crate) fn new(
        mut inner: R,
        key: Key,
        prefix: [u8; PREFIX],
        context: Vec<u8>,
    ) -> io::Result<Self> {
        let ahead = read_chunk(&mut inner)?;
        let plain = Vec::new();
        Ok(Self { inner, key, prefix, context, ahead, plain, position: 0, number: 0, ended: false })
    }

    fn refill(&mut self) -> io::Result<()> {
        let following = read_chunk(&mut self.inner)?;
        let last = following.is_empty();
        let nonce = nonce(self.prefix, self.number, last);
        self.plain = gcm::open_at(self.key.expose(), &nonce, &self.context, &self.ahead)
            .map_err(|_| damaged())?;
        self.position = 0;
        self.ahead = following;
        self.number = next(self.number)?;
        self.ended = last;
        Ok(())
    }
}

impl<R: Read> Read for Opener<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.position == self.plain.len() && !self.ended {
            self.refill()?;
        }
        let taken = into.len().min(self.plain.len() - self.position);
        into[..taken].copy_from_slice(&self.plain[self.position..self.position + taken]);
        self.position += taken;
        Ok(taken)
    }
}

fn read_chunk(inner: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut chunk = Vec::new();
    inner.take((CHUNK + TAG) as u64).read_to_end(&mut chunk)?;
    Ok(chunk)
}
