//! Text from an argument, or from standard input where there is none or it is `-`.

use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

use nearside_types::Failure;

/// More than any model reads, and small enough to hold.
const LONGEST: u64 = 64 << 20;
/// More than any passphrase or key.
const LONGEST_LINE: u64 = 64 << 10;

/// # Errors
/// `Usage` when standard input is no UTF-8 text or far too long.
pub(crate) fn text(argument: Option<&str>) -> Result<String, Failure> {
    match argument {
        Some("-") | None => standard(),
        Some(text) => Ok(text.to_owned()),
    }
}

/// All of standard input.
///
/// # Errors
/// As `text`.
pub(crate) fn standard() -> Result<String, Failure> {
    let mut text = String::new();
    let read = std::io::stdin().lock().take(LONGEST + 1).read_to_string(&mut text);
    read.map_err(|_| Failure::usage("Standard input is not UTF-8 text; convert it first."))?;
    if text.len() as u64 > LONGEST {
        return Err(Failure::usage("Standard input is longer than 64 MB; split it."));
    }
    Ok(text)
}

/// The next line of standard input, without its end; what follows is left for the next reader.
///
/// # Errors
/// As `text`.
pub(crate) fn standard_line() -> Result<String, Failure> {
    let mut line = String::new();
    let read = std::io::stdin().lock().take(LONGEST_LINE).read_line(&mut line);
    read.map_err(|_| Failure::usage("Standard input is not UTF-8 text; convert it first."))?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// Absolute paths, since a process that we attach to has another working folder.
///
/// # Errors
/// `Usage` for an empty path.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path)
        .map_err(|_| Failure::usage("The path is empty; name a file or folder."))
}
