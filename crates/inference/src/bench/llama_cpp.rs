//! llama.cpp as a child process, for measuring in the same run: a Python with xllamacpp or a Node with
//! node-llama-cpp runs a small script of ours. It is never used to answer anybody.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde::Deserialize;
use serde_json::json;

use super::Round;
use crate::tokenizer::TokenId;
use crate::{Error, Result};

const PYTHON: &str = include_str!("llama_cpp.py");
const NODE: &str = include_str!("llama_cpp.mjs");

/// Builds of llama.cpp to measure against; the faster one counts, figure by figure.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rivals {
    /// A Python that has xllamacpp (AVX2).
    pub python: Option<PathBuf>,
    /// A folder whose `node_modules` has node-llama-cpp (AVX-512 and AMX where the processor has them).
    pub node: Option<PathBuf>,
}

impl Rivals {
    /// Starts each that is named.
    pub(super) fn start(
        &self,
        model: &Path,
        threads: usize,
        context: usize,
    ) -> Result<Vec<LlamaCpp>> {
        let mut commands = Vec::new();
        if let Some(python) = &self.python {
            let mut command = Command::new(python);
            command.args(["-u", "-c", PYTHON]);
            commands.push(command);
        }
        if let Some(folder) = &self.node {
            let mut command = Command::new("node");
            command.args(["--input-type=module", "-e", NODE]).current_dir(folder);
            commands.push(command);
        }
        commands
            .into_iter()
            .map(|command| LlamaCpp::start(command, model, threads, context))
            .collect()
    }
}

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
    fn start(mut command: Command, model: &Path, threads: usize, context: usize) -> Result<Self> {
        // A script that runs elsewhere must still find the model.
        let model = std::path::absolute(model).map_err(|_| Error::NoRival)?;
        let mut child = command
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
