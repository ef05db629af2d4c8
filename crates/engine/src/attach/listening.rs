//! The holder's side: who may call, and one thread for each call.
//!
//! How bytes travel is the transport's business: a socket on Unix, a named pipe on Windows.

use std::io::{BufReader, Read};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use nearside_types::{Cancel, Failure};

use super::address::{Address, path_in};
use super::frame::{Call, Reply, broken, read, write};
use super::transport::{Listener, Stream, close, connect};
use crate::engine::Engine;
use crate::error::Error;
use crate::lock::{RUN, make_private};

/// Callers at one time; a script that forks wildly waits its turn.
const MOST_CALLS: usize = 32;
/// A caller that has not said what it wants by then is let go.
const PATIENCE: Duration = Duration::from_secs(10);
/// After a failed accept, such as for want of descriptors, others get time to free some.
const PAUSE: Duration = Duration::from_millis(20);

/// The open socket; dropping it closes it and removes its address.
pub struct Listening {
    address_path: PathBuf,
    socket: PathBuf,
    closing: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Engine {
    /// Lets other processes of this user attach, until the value is dropped.
    ///
    /// # Errors
    /// When the socket cannot be made.
    pub fn listen(self: &Arc<Self>) -> Result<Listening, Failure> {
        let run = self.data_dir().join(RUN);
        make_private(&run)?;
        let listener = Listener::bind(&run)?;
        let socket = listener.address().to_owned();
        let token = random_name()?;
        let address_path = path_in(self.data_dir());
        Address { socket: socket.clone(), token: token.clone() }.write(&address_path)?;
        let closing = Arc::new(AtomicBool::new(false));
        let accept = {
            let (engine, closing) = (Arc::downgrade(self), Arc::clone(&closing));
            move || accept(listener, &engine, &token, &closing)
        };
        let thread = std::thread::Builder::new()
            .name("attach".to_owned())
            .spawn(accept)
            .map_err(Error::io("Starting the local socket's thread"))?;
        Ok(Listening { address_path, socket, closing, thread: Some(thread) })
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.closing.store(true, Ordering::Relaxed);
        let _ = std::fs::remove_file(&self.address_path);
        // Wakes the thread that waits for a caller; it takes the socket with it.
        let _ = connect(&self.socket);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn accept(mut listener: Listener, engine: &Weak<Engine>, token: &str, closing: &AtomicBool) {
    let calls = Arc::new(AtomicUsize::new(0));
    loop {
        let accepted = listener.accept();
        if closing.load(Ordering::Relaxed) {
            return;
        }
        let Ok(stream) = accepted else {
            std::thread::sleep(PAUSE);
            continue;
        };
        let Some(engine) = engine.upgrade() else { return };
        if calls.fetch_add(1, Ordering::Relaxed) >= MOST_CALLS {
            calls.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let (token, calls) = (token.to_owned(), Arc::clone(&calls));
        let serve = move || {
            let _ = answer(&engine, stream, &token);
            calls.fetch_sub(1, Ordering::Relaxed);
        };
        let _ = std::thread::Builder::new().name("attach-call".to_owned()).spawn(serve);
    }
}

/// 256 random bits from the system, in hexadecimal.
pub(super) fn random_name() -> Result<String, Error> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| Error::Io {
        doing: "Making the local socket's token",
        source: std::io::Error::other(error),
    })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Compares without telling by the time taken how much was right.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |diff, (a, b)| diff | (a ^ b)) == 0
}

fn answer(engine: &Engine, stream: Stream, token: &str) -> Result<(), Failure> {
    let lost = |_| broken();
    stream.set_read_timeout(Some(PATIENCE)).map_err(lost)?;
    let mut writing = stream.try_clone().map_err(lost)?;
    let mut lines = BufReader::new(stream.try_clone().map_err(lost)?);
    let Some(call) = read::<Call>(&mut lines)? else { return Ok(()) };
    if !same(&call.token, token) {
        return write(&mut writing, &Reply::Failed(Failure::refused("This token is not valid.")));
    }
    stream.set_read_timeout(None).map_err(lost)?;
    let cancel = Cancel::new();
    let gone = {
        let cancel = cancel.clone();
        // A caller says nothing more; the end of its side means that it wants to stop.
        let watch = move || {
            let _ = lines.read(&mut [0; 1]);
            cancel.cancel();
        };
        std::thread::Builder::new().name("attach-watch".to_owned()).spawn(watch).map_err(lost)?
    };
    let result = engine.handle(call.request, &cancel, &mut |event| {
        if write(&mut writing, &Reply::Event(event)).is_err() {
            cancel.cancel();
        }
    });
    let reply = match result {
        Ok(value) => Reply::Done(value),
        Err(failure) => Reply::Failed(failure),
    };
    let sent = write(&mut writing, &reply);
    close(&stream);
    let _ = gone.join();
    sent
}
