//! Whether a TIFF (6.0) has more than one page; the first one is what is read.

/// Follows the first directory's link, and no further.
#[must_use]
pub(super) fn has_more_pages(bytes: &[u8]) -> bool {
    second_directory(bytes).is_some_and(|offset| offset != 0)
}

fn second_directory(bytes: &[u8]) -> Option<u32> {
    let little = bytes.starts_with(b"II");
    let number = |at: usize, length: usize| {
        let field = bytes.get(at..at.checked_add(length)?)?;
        let add = |sum: u32, digit: &u8| (sum << 8) | u32::from(*digit);
        Some(if little { field.iter().rev().fold(0, add) } else { field.iter().fold(0, add) })
    };
    let directory = number(4, 4)? as usize;
    let entries = number(directory, 2)? as usize;
    number(directory.checked_add(2 + 12 * entries)?, 4)
}

#[cfg(test)]
mod tests {
    //! Directories that are written by hand.

    use super::*;

    #[test]
    fn the_link_to_a_second_page_is_seen() {
        let check = |bytes: &[u8], expected: bool| assert_eq!(has_more_pages(bytes), expected);
        check(b"II*\0\x08\0\0\0\0\0\0\0\0\0", false);
        check(b"II*\0\x08\0\0\0\0\0\x40\0\0\0", true);
        check(b"MM\0*\0\0\0\x08\0\0\0\0\0\x40", true);
        check(b"II*\0\x08\0\0\0\x01\0............\x40\0\0\0", true);
        check(b"II*\0\x08\0\0\0\xFF\xFF\0", false);
        check(b"II*\0\xFF\xFF\xFF\xFF", false);
        check(b"II", false);
    }
}
