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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{TextStream, Utf8Stream};
    use crate::tokenizer::tests::small;

    fn streamed(pieces: &[&[u8]]) -> Vec<String> {
        let mut stream = Utf8Stream::default();
        let mut texts: Vec<String> = Vec::new();
        for piece in pieces {
            let mut text = String::new();
            stream.push(piece, &mut text);
            texts.push(text);
        }
        let mut rest = String::new();
        stream.finish(&mut rest);
        texts.push(rest);
        texts
    }

    #[test]
    fn characters_come_whole() {
        let you = "你".as_bytes();
        assert_eq!(streamed(&[b"a", you]), ["a", "你", ""]);
        assert_eq!(streamed(&[&you[..1], &you[1..2], &you[2..]]), ["", "", "你", ""]);
        assert_eq!(streamed(&[&[b'a', 0xE4], &[0xBD], &[0xA0, b'b']]), ["a", "", "你b", ""]);
        assert_eq!(streamed(&[&you[..2]]), ["", "\u{FFFD}"]);
        assert_eq!(streamed(&[&you[..2], b"a"]), ["", "\u{FFFD}a", ""]);
        assert_eq!(streamed(&[&[0xFF], &[0x80]]), ["\u{FFFD}", "\u{FFFD}", ""]);
        assert_eq!(streamed(&["😀".as_bytes()]), ["😀", ""]);
    }

    #[test]
    fn control_tokens_are_not_shown() {
        let tokenizer = small("qwen2");
        let mut stream = TextStream::default();
        let end = tokenizer.special("<|im_end|>").unwrap();
        let tokens = [u32::from(b'a'), 0xE4, 0xBD, 0xA0, end, 0xE4];
        let texts: Vec<String> = tokens.iter().map(|id| stream.push(&tokenizer, *id)).collect();
        assert_eq!(texts, ["a", "", "", "你", "", ""]);
        assert_eq!(stream.finish(), "\u{FFFD}");
    }

    proptest! {
        #[test]
        fn pieces_join_to_what_the_standard_library_reads(
            bytes in prop_oneof![
                prop::collection::vec(any::<u8>(), 0..40),
                any::<String>().prop_map(String::into_bytes),
            ],
            cuts in prop::collection::vec(1_usize..5, 0..40),
        ) {
            let mut rest = &bytes[..];
            let mut pieces = Vec::new();
            for cut in cuts {
                let (piece, after) = rest.split_at(cut.min(rest.len()));
                pieces.push(piece);
                rest = after;
            }
            pieces.push(rest);
            prop_assert_eq!(streamed(&pieces).concat(), String::from_utf8_lossy(&bytes));
        }
    }
}
