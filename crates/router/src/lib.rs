//! Pure: decide where a request runs, and say what was ruled out.
//!
//! Facts go in (the request, the device, the policy), a `Decision` comes out: the route, why, and each other
//! route with the reason against it. Nothing here runs a task, opens a file, asks the network, or keeps a state;
//! the same facts always give the same decision. Estimating answer quality from learned data is not done here:
//! the score is a documented heuristic.

mod facts;
mod features;
mod rules;
mod score;

pub use facts::{CloudModel, DeviceFacts, LocalModel, PolicyFacts, Request, TaskKind};
pub use features::Features;
pub use rules::decide;
pub use score::{THRESHOLD, score};

#[cfg(test)]
mod tests;
