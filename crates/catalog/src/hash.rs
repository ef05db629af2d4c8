//! sha256 of files, streamed, with progress and cancel.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use nearside_types::Cancel;
use sha2::{Digest, Sha256};

use crate::CatalogError;

/// The sha256 of a file in lower-case hex and its size. `on_bytes` gets the bytes read so far, once a
/// megabyte.
///
/// # Errors
/// When the file cannot be read, or `Cancelled`.
pub fn sha256_file(
    path: &Path,
    cancel: &Cancel,
    on_bytes: &mut dyn FnMut(u64),
) -> Result<(String, u64), CatalogError> {
    let failed = |error| CatalogError::io("Reading", path, error);
    let mut file = File::open(path).map_err(failed)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0_u8; 1 << 20];
    let mut total = 0;
    loop {
        if cancel.is_cancelled() {
            return Err(CatalogError::Cancelled);
        }
        let count = file.read(&mut buffer).map_err(failed)?;
        if count == 0 {
            break;
        }
        hasher.update(buffer.get(..count).unwrap_or_default());
        total += count as u64;
        on_bytes(total);
    }
    Ok((hex(&hasher.finalize()), total))
}

/// Lower-case hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(*DIGITS.get(usize::from(digit)).unwrap_or(&b'?')))
        .collect()
}
