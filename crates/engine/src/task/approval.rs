//! Approval: the question that is put to the user before anything leaves, and what the user can say.
//! Nothing here has a timer; a request waits until it is answered or stopped.

use std::sync::mpsc::{Receiver, Sender};

use nearside_types::{EntityEdit, Failure, OwnEntry, Preview};

/// What the user says to a preview.
#[derive(Debug)]
pub enum Verdict {
    /// Send the body with this hash, and no other.
    Send { sha256: String },
    /// Do not send; the task ends.
    Cancel,
    /// Do not send; answer on this machine.
    KeepLocal,
    /// Change entities and show the new preview through the sender.
    /// `more` is what is to be hidden besides.
    Edit { edits: Vec<EntityEdit>, more: Vec<OwnEntry>, shown: Sender<Result<Preview, Failure>> },
}

/// Puts a preview to the user. Verdicts arrive on the receiver, edits first, one last word at the end.
pub trait Approver {
    fn ask(&mut self, preview: &Preview) -> Receiver<Verdict>;
}
