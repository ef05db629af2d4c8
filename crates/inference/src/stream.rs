//! Text as it is generated: bytes of tokens in, whole characters out.
//!
//! A token may end in the middle of a character, in Chinese and in emoji often. Such bytes are held back
//! until the character is whole; bytes that can never become one are U+FFFD at once.

use crate::tokenizer::{TokenId, Tokenizer};

/// Joins pieces of UTF-8. Holds at most three bytes back.
#[derive(Debug, Clone, Default)]
pub struct Utf8Stream {
    held: Vec<u8>,
}

impl Utf8Stream {
    /// Appends to `text` the characters that are whole with these bytes.
    pub fn push(&mut self, bytes: &[u8], text: &mut String) {
        if self.held.is_empty() {
            let rest = Self::take_whole(bytes, text);
            self.held.extend(rest);
        } else {
            self.held.extend(bytes);
            let held = std::mem::take(&mut self.held);
            let rest = Self::take_whole(&held, text);
            self.held.extend(rest);
        }
    }

    /// The end: what is still held back can no longer become a character, and is one U+FFFD.
    pub fn finish(&mut self, text: &mut String) {
        if !self.held.is_empty() {
            self.held.clear();
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }

    /// Appends all but an unfinished character at the end, which is returned.
    fn take_whole<'b>(bytes: &'b [u8], text: &mut String) -> &'b [u8] {
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            text.push_str(chunk.valid());
            let invalid = chunk.invalid();
            if invalid.is_empty() {
                continue;
            }
            let at_end = chunks.peek().is_none();
            let unfinished = std::str::from_utf8(invalid).is_err_and(|e| e.error_len().is_none());
            if at_end && unfinished {
                return invalid;
            }
            text.push(char::REPLACEMENT_CHARACTER);
        }
        &[]
    }
}

/// Turns generated tokens into text as they come.
#[derive(Debug, Clone, Default)]
pub struct TextStream {
    utf8: Utf8Stream,
}

impl TextStream {
    /// The characters that this token completes; often none.
    pub fn push(&mut self, tokenizer: &Tokenizer, token: TokenId) -> String {
        let mut text = String::new();
        self.utf8.push(tokenizer.shown_piece(token), &mut text);
        text
    }

    /// The rest, at the end of the generation.
    pub fn finish(&mut self) -> String {
        let mut text = String::new();
        self.utf8.finish(&mut text);
        text
    }
}
