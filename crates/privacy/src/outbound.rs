//! `Outbound`: the only form in which user content leaves this machine, and the steps that lead to it.
//!
//! A `RawRequest` goes into the gate and comes out as a `Draft`: redacted, with its preview. A provider's
//! adapter, a plain function pointer that can capture nothing, renders the draft's `Proposed` content to
//! bytes. The user sees those bytes; approving names their sha256; and only then there is an `Outbound`, which
//! holds exactly these bytes. A retry sends them again.
//!
//! Why it cannot be forged: `Outbound`, `Draft` and `Proposed` have private fields and no constructor outside
//! this crate; the one place that makes a `Draft` is `Gate::prepare`, and the one that makes an `Outbound` is
//! `Draft::approve`, which consumes the draft. They are not `Deserialize`, not `Default`, and nothing gives a
//! mutable reference to their content. This does not compile:
//!
//! ```compile_fail
//! let forged = nearside_privacy::Outbound { body: b"raw".to_vec().into() };
//! ```
//!
//! Nor does this:
//!
//! ```compile_fail
//! fn change(outbound: &mut nearside_privacy::Outbound) {
//!     outbound.body = std::sync::Arc::from(&b"other"[..]);
//! }
//! ```

use std::sync::Arc;

use nearside_types::{Action, EntityCount, EntityType, Leak, PreviewBlock, Role, Turn};
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::leak::leaks;

/// What a caller wants to ask a far model, not yet looked at. It cannot be sent.
#[derive(Debug, Clone)]
pub struct RawRequest {
    pub turns: Vec<Turn>,
    pub model: String,
    pub params: Params,
    /// The host of the endpoint, as the preview and the ledger name it.
    pub destination: String,
}

/// How to sample: numbers only, nothing that could carry content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Params {
    pub max_tokens: Option<u32>,
    /// Thousandths: 700 is 0.7.
    pub temperature_milli: Option<u32>,
    pub top_p_milli: Option<u32>,
    pub seed: Option<u64>,
    pub stream: bool,
}

/// One redacted message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    role: Role,
    text: String,
}

impl Message {
    #[must_use]
    pub fn role(&self) -> Role {
        self.role
    }
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Redacted content that waits for approval. An adapter can read it; nobody can send it.
#[derive(Clone, PartialEq, Eq)]
pub struct Proposed {
    messages: Vec<Message>,
    model: String,
    params: Params,
    destination: String,
}

impl std::fmt::Debug for Proposed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Proposed({} messages for {})", self.messages.len(), self.destination)
    }
}

impl Proposed {
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }
    #[must_use]
    pub fn params(&self) -> Params {
        self.params
    }
    #[must_use]
    pub fn destination(&self) -> &str {
        &self.destination
    }
}

/// Renders content to the exact body of a request. Pure: a function pointer, so that it captures nothing.
pub type Adapter = fn(&Proposed) -> Vec<u8>;

/// A redacted request with its preview.
pub struct Draft {
    proposed: Proposed,
    blocks: Vec<PreviewBlock>,
    entities: Vec<EntityCount>,
}

impl std::fmt::Debug for Draft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Draft({} messages)", self.blocks.len())
    }
}

impl Draft {
    pub(crate) fn new(request: RawRequest, blocks: Vec<PreviewBlock>) -> Self {
        let messages = blocks
            .iter()
            .map(|block| Message { role: block.role, text: block.outgoing.0.clone() })
            .collect();
        let entities = count(&blocks);
        let RawRequest { model, params, destination, .. } = request;
        Self { proposed: Proposed { messages, model, params, destination }, blocks, entities }
    }

    /// The content as it would leave.
    #[must_use]
    pub fn proposed(&self) -> &Proposed {
        &self.proposed
    }

    /// Originals and outgoing texts side by side, for the preview.
    #[must_use]
    pub fn blocks(&self) -> &[PreviewBlock] {
        &self.blocks
    }

    /// What is kept and together may still point at one person: a warning for the preview.
    #[must_use]
    pub fn leaks(&self) -> Vec<Leak> {
        leaks(&self.blocks)
    }

    /// What was hidden, by type: all that the ledger keeps.
    #[must_use]
    pub fn entities(&self) -> &[EntityCount] {
        &self.entities
    }

    /// The exact body, and its sha256 in hexadecimal, for the preview.
    #[must_use]
    pub fn render(&self, adapter: Adapter) -> (Vec<u8>, String) {
        let body = adapter(&self.proposed);
        let sha256 = hex(&body);
        (body, sha256)
    }

    /// Turns the draft into what may be sent, if `sha256` names its exact body.
    ///
    /// # Errors
    /// `NotApproved` when the hash is another's, also where the adapter renders other bytes than before.
    pub fn approve(self, sha256: &str, adapter: Adapter) -> Result<Outbound> {
        let (body, actual) = self.render(adapter);
        if !actual.eq_ignore_ascii_case(sha256.trim()) {
            return Err(Error::NotApproved);
        }
        Ok(Outbound {
            body: Arc::from(body),
            sha256: actual,
            entities: self.entities,
            proposed: self.proposed,
        })
    }
}

/// An approved request: immutable, and complete. `cloud` sends its `body` and nothing else.
#[derive(Clone)]
pub struct Outbound {
    body: Arc<[u8]>,
    sha256: String,
    entities: Vec<EntityCount>,
    proposed: Proposed,
}

impl std::fmt::Debug for Outbound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Outbound({} bytes, sha256 {})", self.body.len(), self.sha256)
    }
}

impl Outbound {
    /// The exact bytes that were approved.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.body
    }
    /// Of `body`, in hexadecimal.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.sha256
    }
    #[must_use]
    pub fn destination(&self) -> &str {
        &self.proposed.destination
    }
    #[must_use]
    pub fn model(&self) -> &str {
        &self.proposed.model
    }
    #[must_use]
    pub fn is_stream(&self) -> bool {
        self.proposed.params.stream
    }
    #[must_use]
    pub fn entities(&self) -> &[EntityCount] {
        &self.entities
    }
}

/// Distinct hidden values by type.
fn count(blocks: &[PreviewBlock]) -> Vec<EntityCount> {
    let mut values: std::collections::BTreeSet<(EntityType, &str)> =
        std::collections::BTreeSet::new();
    for span in blocks.iter().flat_map(|b| &b.spans) {
        if span.action != Action::Keep {
            values.insert((span.kind, &span.text));
        }
    }
    let mut counts: Vec<EntityCount> = Vec::new();
    for (kind, _) in values {
        match counts.last_mut().filter(|c| c.kind == kind) {
            Some(last) => last.count += 1,
            None => counts.push(EntityCount { kind, count: 1 }),
        }
    }
    counts
}

fn hex(body: &[u8]) -> String {
    Sha256::digest(body).iter().map(|b| format!("{b:02x}")).collect()
}
