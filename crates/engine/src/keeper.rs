//! The keeper: one thread that owns the loaded model, lends it to one answer at a time, and lets it go when
//! it was idle for a while.
//!
//! It loads through `ModelSource` and computes nothing itself: the borrower computes on its own thread and
//! gives the model back when its lease ends. A borrower that panics does not give it back; the next one
//! loads afresh.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use nearside_types::{Cancel, DeviceChoice, Failure, FailureKind, Notice, TextModel};

/// Where models come from: the catalog and the inference crate, or a fake.
pub trait ModelSource: Send + Sync {
    /// The model that `wanted` means, or the one to use when nothing is wanted.
    ///
    /// # Errors
    /// `ModelMissing` with a sentence that names the command which fetches it.
    fn resolve(&self, wanted: Option<&str>) -> Result<String, Failure>;
    /// Bytes of its file, where known: what the router guesses its ability from.
    fn size(&self, _name: &str) -> Option<u64> {
        None
    }
    /// Loads it. The strings are for the user, such as a fallback to the CPU.
    ///
    /// # Errors
    /// When its file is gone or broken.
    fn load(
        &self,
        name: &str,
        device: DeviceChoice,
    ) -> Result<(Box<dyn TextModel>, Vec<Notice>), Failure>;
}

type Key = (String, DeviceChoice);

struct Ready {
    model: Box<dyn TextModel>,
    load_ms: f64,
    notices: Vec<Notice>,
}

enum Reply {
    Loading,
    Ready(Result<Ready, Failure>),
}

enum Ask {
    Borrow { key: Key, cancel: Cancel, reply: Sender<Reply> },
    GiveBack { key: Key, model: Option<Box<dyn TextModel>> },
    Unload,
    Quit,
}

/// The handle to the keeper's thread.
pub struct Keeper {
    asks: Sender<Ask>,
    thread: Option<std::thread::JoinHandle<()>>,
    source: Arc<dyn ModelSource>,
}

/// A model on loan; dropping it gives the model back.
pub struct Lease {
    model: Option<Box<dyn TextModel>>,
    key: Key,
    back: Sender<Ask>,
    /// Milliseconds of loading; 0 when the model was already there.
    pub load_ms: f64,
    /// Said to the user about the loading.
    pub notices: Vec<Notice>,
}

impl Keeper {
    /// Starts the thread. The model is let go after `idle` without a borrower.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(source: Arc<dyn ModelSource>, idle: Duration) -> Result<Self, Failure> {
        let (asks, inbox) = channel();
        let held = Arc::clone(&source);
        let thread = std::thread::Builder::new()
            .name("model-keeper".to_owned())
            .spawn(move || keep(&inbox, held.as_ref(), idle))
            .map_err(|e| {
                Failure::internal(format!("No thread for the model could be started: {e}."))
            })?;
        Ok(Self { asks, thread: Some(thread), source })
    }

    /// Waits for its turn and for the model. `on_loading` is called once if it has to be loaded.
    ///
    /// # Errors
    /// `ModelMissing`, `Cancelled`, or what loading failed with.
    pub fn borrow_model(
        &self,
        wanted: Option<&str>,
        device: DeviceChoice,
        cancel: &Cancel,
        on_loading: &mut dyn FnMut(),
    ) -> Result<Lease, Failure> {
        let key = (self.source.resolve(wanted)?, device);
        let (reply, answer) = channel();
        let gone = || Failure::internal("The model's thread has ended; start Nearside again.");
        self.asks
            .send(Ask::Borrow { key: key.clone(), cancel: cancel.clone(), reply })
            .map_err(|_| gone())?;
        loop {
            match answer.recv_timeout(Duration::from_millis(20)) {
                Ok(Reply::Loading) => on_loading(),
                Ok(Reply::Ready(ready)) => {
                    let Ready { model, load_ms, notices } = ready?;
                    let back = self.asks.clone();
                    return Ok(Lease { model: Some(model), key, back, load_ms, notices });
                }
                Err(_) if cancel.is_cancelled() => {
                    return Err(Failure::new(FailureKind::Cancelled, "Stopped."));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
            }
        }
    }

    /// Lets the model go as soon as nobody has it: before it is removed or replaced on disk.
    pub fn unload(&self) {
        // A keeper that has ended holds nothing.
        let _ = self.asks.send(Ask::Unload);
    }

    /// The name of the model that would answer.
    ///
    /// # Errors
    /// `ModelMissing` as `ModelSource::resolve`.
    pub fn resolve(&self, wanted: Option<&str>) -> Result<String, Failure> {
        self.source.resolve(wanted)
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        let _ = self.asks.send(Ask::Quit);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Lease {
    /// The model.
    ///
    /// # Panics
    /// Never: the model leaves only when the lease is dropped.
    pub fn model(&mut self) -> &mut dyn TextModel {
        #[expect(clippy::expect_used, reason = "the model is taken only in drop")]
        self.model.as_deref_mut().expect("held until drop")
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        // After a panic its cache may be half written, so it is not handed on.
        let model = if std::thread::panicking() { None } else { self.model.take() };
        let _ = self.back.send(Ask::GiveBack { key: self.key.clone(), model });
    }
}

struct Shelf {
    held: Option<(Key, Box<dyn TextModel>)>,
    lent: bool,
    unload_on_return: bool,
    waiting: VecDeque<(Key, Cancel, Sender<Reply>)>,
}

fn keep(inbox: &Receiver<Ask>, source: &dyn ModelSource, idle: Duration) {
    let mut shelf =
        Shelf { held: None, lent: false, unload_on_return: false, waiting: VecDeque::new() };
    let mut last_used = Instant::now();
    loop {
        let wait = idle.saturating_sub(last_used.elapsed()).max(Duration::from_millis(1));
        match inbox.recv_timeout(if shelf.held.is_some() {
            wait
        } else {
            Duration::from_secs(3600)
        }) {
            Ok(Ask::Borrow { key, cancel, reply }) => shelf.waiting.push_back((key, cancel, reply)),
            Ok(Ask::GiveBack { key, model }) => {
                shelf.lent = false;
                shelf.held = if shelf.unload_on_return { None } else { model.map(|m| (key, m)) };
                shelf.unload_on_return = false;
                last_used = Instant::now();
            }
            Ok(Ask::Unload) => {
                shelf.held = None;
                shelf.unload_on_return = shelf.lent;
            }
            Err(RecvTimeoutError::Timeout) => {
                if last_used.elapsed() >= idle {
                    shelf.held = None;
                }
            }
            Ok(Ask::Quit) | Err(RecvTimeoutError::Disconnected) => return,
        }
        while !shelf.lent {
            let Some((key, cancel, reply)) = shelf.waiting.pop_front() else { break };
            if cancel.is_cancelled() {
                continue;
            }
            lend(&mut shelf, source, key, &reply);
            last_used = Instant::now();
        }
    }
}

fn lend(shelf: &mut Shelf, source: &dyn ModelSource, key: Key, reply: &Sender<Reply>) {
    let ready = match shelf.held.take() {
        Some((held, model)) if held == key => {
            Ok(Ready { model, load_ms: 0.0, notices: Vec::new() })
        }
        other => {
            // The old one leaves memory before the new one comes.
            drop(other);
            let _ = reply.send(Reply::Loading);
            let begun = Instant::now();
            source.load(&key.0, key.1).map(|(model, notices)| Ready {
                model,
                load_ms: begun.elapsed().as_secs_f64() * 1000.0,
                notices,
            })
        }
    };
    let loaded = ready.is_ok();
    match reply.send(Reply::Ready(ready)) {
        Ok(()) => shelf.lent = loaded,
        // The borrower stopped waiting: the model stays for the next one.
        Err(unsent) => {
            if let Reply::Ready(Ok(ready)) = unsent.0 {
                shelf.held = Some((key, ready.model));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use nearside_test_kit::ParrotModel;
    use nearside_types::Remark;

    use super::*;

    #[derive(Default)]
    struct Counting(Mutex<Vec<String>>);

    impl ModelSource for Counting {
        fn resolve(&self, wanted: Option<&str>) -> Result<String, Failure> {
            match wanted {
                Some("missing") => Err(Failure::new(FailureKind::ModelMissing, "Fetch it.")),
                other => Ok(other.unwrap_or("first").to_owned()),
            }
        }

        fn load(
            &self,
            name: &str,
            _: DeviceChoice,
        ) -> Result<(Box<dyn TextModel>, Vec<Notice>), Failure> {
            self.0.lock().unwrap().push(name.to_owned());
            Ok((Box::new(ParrotModel::new().with_name(name)), vec![Remark::NoGpuPath.into()]))
        }
    }

    fn borrow(keeper: &Keeper, name: Option<&str>) -> Result<Lease, Failure> {
        keeper.borrow_model(name, DeviceChoice::Auto, &Cancel::new(), &mut || {})
    }

    #[test]
    fn a_model_is_loaded_once_kept_and_replaced() {
        let source = Arc::new(Counting::default());
        let keeper = Keeper::start(source.clone(), Duration::from_secs(60)).unwrap();
        let first = borrow(&keeper, None).unwrap();
        assert_eq!(first.notices, [Remark::NoGpuPath.into()]);
        drop(first);
        assert!(borrow(&keeper, Some("first")).unwrap().notices.is_empty());
        assert_eq!(borrow(&keeper, Some("second")).unwrap().model().name(), "second");
        keeper.unload();
        drop(borrow(&keeper, Some("second")).unwrap());
        assert_eq!(*source.0.lock().unwrap(), ["first", "second", "second"]);
        assert_eq!(borrow(&keeper, Some("missing")).err().unwrap().kind, FailureKind::ModelMissing);
    }

    #[test]
    fn one_borrower_at_a_time_and_a_waiting_one_can_stop() {
        let source = Arc::new(Counting::default());
        let keeper = Arc::new(Keeper::start(source, Duration::from_secs(60)).unwrap());
        let held = borrow(&keeper, None).unwrap();
        let cancel = Cancel::new();
        let waiting = {
            let (keeper, cancel) = (Arc::clone(&keeper), cancel.clone());
            std::thread::spawn(move || {
                keeper.borrow_model(None, DeviceChoice::Auto, &cancel, &mut || {}).err()
            })
        };
        cancel.cancel();
        assert_eq!(waiting.join().unwrap().unwrap().kind, FailureKind::Cancelled);
        drop(held);
        assert!(borrow(&keeper, None).is_ok());
    }

    #[test]
    fn an_idle_model_is_let_go_and_a_panicking_borrower_keeps_nothing() {
        let source = Arc::new(Counting::default());
        let keeper = Arc::new(Keeper::start(source.clone(), Duration::ZERO).unwrap());
        drop(borrow(&keeper, None).unwrap());
        while borrow(&keeper, None).unwrap().notices.is_empty() {}
        let taken = Arc::clone(&keeper);
        let panicked = std::thread::spawn(move || {
            let _lease = borrow(&taken, None).unwrap();
            panic!("a borrower fails");
        });
        assert!(panicked.join().is_err());
        assert!(borrow(&keeper, None).is_ok());
    }
}
