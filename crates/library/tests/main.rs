//! The library against real files: the public set of tricky documents, broken and hostile input, workers that
//! die, and a sealed database.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "helpers of tests: a failure is a failed test, and a skipped test says so"
)]

mod documents;
mod encodings;
mod hostile;
mod library;
mod manifest;
mod passages;
mod pictures;
mod samples;
mod support;
mod vectors;
mod workers;
