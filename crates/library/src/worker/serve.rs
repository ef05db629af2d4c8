//! The worker's side: one request from standard input, answers on standard output, and that is all it does.

use super::message::{Answer, Request};
use crate::error::LibraryError;
use crate::extract::{PictureReader, Source, extract_with_pictures};
use nearside_types::{Cancel, Failure, TextRecognizer};
use std::cell::RefCell;
use std::io::{BufRead, Write};
use std::path::Path;

/// Loads the model that reads pictures from its folder. The binaries supply it: this crate knows no model.
pub type LoadRecognizer<'a> = &'a dyn Fn(&Path) -> Result<Box<dyn TextRecognizer>, Failure>;

/// Serves one request on the process's own pipes. A binary calls this for the hidden sub-command and then
/// exits with 0; it prints nothing else. `load` is called only if a page must be read as a picture.
///
/// # Errors
/// When a pipe is closed; nobody listens then, so the exit status does not matter.
pub fn serve_stdio(load: LoadRecognizer<'_>) -> std::io::Result<()> {
    // A panic's message can quote the file, and nothing but the answer may leave this process.
    std::panic::set_hook(Box::new(|_| {}));
    serve(std::io::stdin().lock(), std::io::stdout().lock(), load)
}

/// The same over any pipes.
///
/// # Errors
/// When reading the request or writing an answer fails.
pub fn serve(
    input: impl BufRead,
    output: impl Write,
    load: LoadRecognizer<'_>,
) -> std::io::Result<()> {
    let mut line = String::new();
    input.take(1 << 20).read_line(&mut line)?;
    let request: Request = serde_json::from_str(&line)?;
    let cancel = Cancel::new();
    let mut said = 0_u32;
    let output = RefCell::new(output);
    // When nobody listens any more, the work stops with the page in hand.
    let tell = |answer: &Answer| {
        if say(&mut *output.borrow_mut(), answer).is_err() {
            cancel.cancel();
        }
    };
    let mut progress = |done: u32, total: u32| {
        // A few hundred lines at most, however many pages there are.
        let step = (total / 200).max(1);
        if done == total || done >= said + step {
            said = done;
            tell(&Answer::Progress { done, total });
        }
    };
    let folder = request.pictures();
    let mut pictures = match &folder {
        Some(folder) => PictureReader::lazy(|| load(folder)).announcing(|| tell(&Answer::Picture)),
        None => PictureReader::none(),
    };
    let path = request.path();
    let outcome = extract_with_pictures(
        Source::Path(&path),
        &request.limits,
        &mut pictures,
        &cancel,
        &mut progress,
    );
    let answer = match outcome {
        Ok(extracted) => Answer::Done { extracted },
        Err(error) => Answer::Failed {
            missing: matches!(error, LibraryError::NotFound),
            sentence: error.to_string(),
        },
    };
    say(&mut *output.borrow_mut(), &answer)
}

fn say(mut output: impl Write, answer: &Answer) -> std::io::Result<()> {
    serde_json::to_writer(&mut output, answer)?;
    output.write_all(b"\n")?;
    output.flush()
}
