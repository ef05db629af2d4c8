//! Detect, pseudonymise, restore; the gate and the type `Outbound`.
//!
//! Texts go in, places and placeholders come out; nothing here connects, stores or logs. What leaves the
//! machine is an `Outbound`, and only the gate makes one.
//!
//! ```
//! use nearside_privacy::{Policy, PseudonymMap, redact, restore};
//! let mut map = PseudonymMap::new();
//! let out = redact("call 138 0013 8000", &Policy::default(), &mut map).unwrap();
//! assert_eq!(&*out.text, "call [PHONE_1]");
//! assert_eq!(&*restore("I called [phone_1].", &map).text, "I called 138 0013 8000.");
//! ```

mod address_parts;
mod alias;
pub mod bench;
mod checksum;
mod detect;
mod error;
mod fake;
mod first_stage;
mod gate;
mod generalise;
mod known;
mod leak;
mod named;
mod normalise;
mod outbound;
mod overlap;
mod overrides;
mod own_list;
mod placeholder;
mod policy;
mod pseudonym;
mod public_knowledge;
mod recognizer;
mod recognizers;
mod redact;
mod refine;
mod restore;
mod runs;
mod sentence;
mod shape;
mod spelled;
mod views;
mod words;

pub use detect::Detector;
pub use error::{Error, Result};
pub use gate::{Gate, apply_edits};
pub use leak::leaks;
pub use outbound::{Adapter, Draft, Message, Outbound, Params, Proposed, RawRequest};
pub use overlap::Dropped;
pub use overrides::Overrides;
pub use own_list::tidy;
pub use policy::Policy;
pub use pseudonym::PseudonymMap;
pub use redact::{redact, redact_with};
pub use restore::{StreamRestorer, restore};

#[cfg(test)]
mod tests;
