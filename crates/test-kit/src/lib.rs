//! Fixtures and fakes of the traits in types; a dev-dependency only.
//!
//! Nothing here is meant to be good, only predictable: no weights, no keys, no clock of its own.

mod clock;

mod parrot;
mod power;
mod recognizer;
mod seal;

pub use clock::FakeClock;
pub use parrot::{Heard, Pace, ParrotModel, Script, tokens};
pub use power::FakePower;
pub use recognizer::FakeRecognizer;
pub use seal::FakeSeal;

pub mod documents;
