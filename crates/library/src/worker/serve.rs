//! The worker's side: one request from standard input, answers on standard output, and that is all it does.

use super::message::{Answer, Request};
use crate::error::LibraryError;
use crate::extract::{Source, extract};
use nearside_types::Cancel;
use std::io::{BufRead, Write};

/// Serves one request on the process's own pipes. A binary calls this for the hidden sub-command and then
/// exits with 0; it prints nothing else.
///
/// # Errors
/// When a pipe is closed; nobody listens then, so the exit status does not matter.
pub fn serve_stdio() -> std::io::Result<()> {
    // A panic's message can quote the file, and nothing but the answer may leave this process.
    std::panic::set_hook(Box::new(|_| {}));
    serve(std::io::stdin().lock(), std::io::stdout().lock())
}

/// The same over any pipes.
///
/// # Errors
/// When reading the request or writing an answer fails.
pub fn serve(input: impl BufRead, mut output: impl Write) -> std::io::Result<()> {
    let mut line = String::new();
    input.take(1 << 20).read_line(&mut line)?;
    let request: Request = serde_json::from_str(&line)?;
    let cancel = Cancel::new();
    let mut said = 0_u32;
    let outcome = {
        let mut progress = |done: u32, total: u32| {
            // A few hundred lines at most, however many pages there are.
            let step = (total / 200).max(1);
            if done == total || done >= said + step {
                said = done;
                let _ = say(&mut output, &Answer::Progress { done, total });
            }
        };
        extract(Source::Path(&request.path()), &request.limits, &cancel, &mut progress)
    };
    let answer = match outcome {
        Ok(extracted) => Answer::Done { extracted },
        Err(error) => Answer::Failed {
            missing: matches!(error, LibraryError::NotFound),
            sentence: error.to_string(),
        },
    };
    say(&mut output, &answer)
}

fn say(output: &mut impl Write, answer: &Answer) -> std::io::Result<()> {
    serde_json::to_writer(&mut *output, answer)?;
    output.write_all(b"\n")?;
    output.flush()
}
