//! whisper.cpp as a child process, for measuring in the same run: a Python with pywhispercpp runs a small script of
//! ours. It is never used to write anything down for anybody.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde::Deserialize;
use serde_json::json;

use crate::{Error, Result};

const PYTHON: &str = include_str!("whisper_cpp.py");

#[derive(Deserialize)]
struct Ready {
    engine: String,
}

#[derive(Deserialize)]
pub(super) struct Written {
    pub(super) text: String,
    pub(super) seconds: f64,
    pub(super) cpu_seconds: f64,
}

/// A running whisper.cpp; it ends when this is dropped.
pub(super) struct WhisperCpp {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    pub(super) engine: String,
}

impl WhisperCpp {
    pub(super) fn start(python: &Path, model: &Path, threads: usize) -> Result<Self> {
        let absent =
            || Error::Failed("the Python that was named has no working pywhispercpp".to_owned());
        let model = std::path::absolute(model).map_err(|_| absent())?;
        let mut child = Command::new(python)
            .args(["-u", "-c", PYTHON])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|_| absent())?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let output = BufReader::new(output.ok_or_else(absent)?);
        let mut this = Self { child, input, output, engine: String::new() };
        let ready: Ready =
            this.ask(&json!({ "model": model, "threads": threads })).map_err(|_| absent())?;
        this.engine = ready.engine;
        Ok(this)
    }

    pub(super) fn write_down(&mut self, file: &Path, language: &str) -> Result<Written> {
        self.ask(&json!({ "file": file, "language": language }))
    }

    fn ask<T: for<'a> Deserialize<'a>>(&mut self, request: &serde_json::Value) -> Result<T> {
        let stopped = || Error::Failed("whisper.cpp stopped while it was measured".to_owned());
        let mut line = request.to_string();
        line.push('\n');
        let input = self.input.as_mut().ok_or_else(stopped)?;
        input.write_all(line.as_bytes()).map_err(|_| stopped())?;
        input.flush().map_err(|_| stopped())?;
        line.clear();
        self.output.read_line(&mut line).map_err(|_| stopped())?;
        serde_json::from_str(&line).map_err(|_| stopped())
    }
}

impl Drop for WhisperCpp {
    fn drop(&mut self) {
        // The end of its input ends the script; a child that hangs is not waited for.
        drop(self.input.take());
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
