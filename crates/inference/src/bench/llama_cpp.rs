//! llama.cpp as a child process, for measuring in the same run: a Python with xllamacpp in it runs a small
//! script of ours. It is never used to answer anybody.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde::Deserialize;
use serde_json::json;

use super::Round;
use crate::tokenizer::TokenId;
use crate::{Error, Result};

const SCRIPT: &str = include_str!("llama_cpp.py");

#[derive(Deserialize)]
struct Ready {
    engine: String,
}

#[derive(Deserialize)]
struct Measured {
    prefill_tokens_per_s: f64,
    decode_tokens_per_s: f64,
}

/// A running llama.cpp; it ends when this is dropped.
pub(super) struct LlamaCpp {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    engine: String,
}

impl LlamaCpp {
    pub(super) fn start(
        python: &Path,
        model: &Path,
        threads: usize,
        context: usize,
    ) -> Result<Self> {
        let mut child = Command::new(python)
            .args(["-u", "-c", SCRIPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|_| Error::NoRival)?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let output = BufReader::new(output.ok_or(Error::NoRival)?);
        let mut this = Self { child, input, output, engine: String::new() };
        let context = (context + 64).next_multiple_of(256);
        let ready: Ready = this
            .ask(&json!({ "model": model, "threads": threads, "context": context }))
            .map_err(|_| Error::NoRival)?;
        this.engine = ready.engine;
        Ok(this)
    }

    pub(super) fn engine(&self) -> &str {
        &self.engine
    }

    /// One prefill and decode, with nothing cached from before.
    pub(super) fn measure(&mut self, prompt: &[TokenId], decode: usize) -> Result<Round> {
        let measured: Measured = self.ask(&json!({ "prompt": prompt, "decode": decode }))?;
        Ok(Round { prefill: measured.prefill_tokens_per_s, decode: measured.decode_tokens_per_s })
    }

    fn ask<T: for<'a> Deserialize<'a>>(&mut self, request: &serde_json::Value) -> Result<T> {
        let stopped = || Error::Unsupported("llama.cpp stopped while it was measured".to_owned());
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

impl Drop for LlamaCpp {
    fn drop(&mut self) {
        // The end of its input ends the script; a child that hangs is not waited for.
        drop(self.input.take());
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
