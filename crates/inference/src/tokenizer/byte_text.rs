//! The printable alphabet in which byte-level vocabularies spell their bytes (GPT-2's `bytes_to_unicode`).
//!
//! Bytes that are visible in Latin-1 stand for themselves; the other 68 are, in order, U+0100 onwards. So
//! the space is `Ġ` (U+0120) and the line feed `Ċ` (U+010A).

/// Whether the byte is spelled by the character of the same number.
fn is_plain(byte: u8) -> bool {
    matches!(byte, 0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF)
}

/// The alphabet in both directions.
pub(super) struct ByteText {
    letters: [char; 256],
    /// By code point; the highest letter is U+0143.
    bytes: [Option<u8>; 0x144],
}

impl ByteText {
    pub(super) fn new() -> Self {
        let mut letters = ['\0'; 256];
        let mut bytes = [None; 0x144];
        let mut moved = 0x100_u32;
        for byte in 0..=u8::MAX {
            let mut code = u32::from(byte);
            if !is_plain(byte) {
                code = moved;
                moved += 1;
            }
            letters[usize::from(byte)] = char::from_u32(code).unwrap_or('\0');
            bytes[code as usize] = Some(byte);
        }
        Self { letters, bytes }
    }

    pub(super) fn letter(&self, byte: u8) -> char {
        self.letters[usize::from(byte)]
    }

    /// Appends the bytes that a token's text spells. A character outside the alphabet, which a sound
    /// vocabulary does not have, stands for its own UTF-8.
    pub(super) fn spell_out(&self, text: &str, into: &mut Vec<u8>) {
        for letter in text.chars() {
            match self.bytes.get(letter as usize) {
                Some(Some(byte)) => into.push(*byte),
                _ => into.extend(letter.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
    }
}
