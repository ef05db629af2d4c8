//! Output: JSON or words on standard output, the rest on standard error. A reader that closes its pipe ends
//! the program quietly.

use std::io::{ErrorKind, Write};

use nearside_types::Failure;
use serde::Serialize;

/// What a shell reports for a program that a closed pipe ended.
const PIPE_CLOSED: i32 = 141;

/// Writes to standard output at once, so that streamed text is seen.
pub(crate) fn text(text: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        if error.kind() == ErrorKind::BrokenPipe {
            std::process::exit(PIPE_CLOSED);
        }
        // A full disk behind a redirection is a fault that a script must see.
        self::error(&format!("Standard output cannot be written: {error}."));
        std::process::exit(1);
    }
}

pub(crate) fn line(line: &str) {
    text(&format!("{line}\n"));
}

/// One JSON object on one line.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    let encoded = serde_json::to_string(value)
        .map_err(|error| Failure::internal(format!("The result could not be written: {error}.")))?;
    line(&encoded);
    Ok(())
}

/// A sentence on standard error; a closed standard error is nobody's business.
pub(crate) fn error(sentence: &str) {
    let mut out = std::io::stderr().lock();
    let _ = writeln!(out, "{sentence}");
}

/// A remark beside the result, such as the route.
pub(crate) fn note(remark: &str) {
    error(remark);
}
