//! The contract of the command line, on the built program: fields, exit statuses, batches, closed pipes.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test says what broke by breaking"
)]

mod clients;
mod cloud;
mod common;
mod contract;
mod data;
mod real_model;
mod voice;
