//! The socket on Unix: where it is, who may use it, and one thread for each call.

use std::io::{BufReader, Read};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use nearside_types::{Cancel, Failure, FailureKind};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::frame::{Call, Reply, broken, read, write};
use super::request::{CallEvent, Request};
use crate::engine::Engine;
use crate::error::Error;
use crate::lock::{RUN, make_private};

/// The longest path of a socket that every Unix takes.
const LONGEST_PATH: usize = 100;
/// Callers at one time; a script that forks wildly waits its turn.
const MOST_CALLS: usize = 32;
/// A caller that has not said what it wants by then is let go.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where the holder listens, and the token it wants. Lies in the data folder, readable by its owner only.
#[derive(Clone, Serialize, Deserialize)]
pub struct Address {
    socket: PathBuf,
    token: String,
}

fn address_path(data_dir: &Path) -> PathBuf {
    data_dir.join(RUN).join("attach.json")
}

impl Address {
    /// The address that the holder of the folder wrote, if it did.
    pub(crate) fn read(data_dir: &Path) -> Option<Self> {
        let file = std::fs::File::open(address_path(data_dir)).ok()?;
        let mut text = String::new();
        file.take(64 << 10).read_to_string(&mut text).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Whether somebody listens there.
    pub(crate) fn answers(&self) -> bool {
        UnixStream::connect(&self.socket).is_ok()
    }

    /// Makes one call on the holder.
    pub(crate) fn call(
        &self,
        request: Request,
        cancel: &Cancel,
        on_event: &mut dyn FnMut(CallEvent),
    ) -> Result<Value, Failure> {
        let stream = UnixStream::connect(&self.socket).map_err(|_| unreachable())?;
        let mut writing = stream.try_clone().map_err(|_| unreachable())?;
        write(&mut writing, &Call { token: self.token.clone(), request })?;
        let over = Arc::new(AtomicBool::new(false));
        let watcher = watch_cancel(stream.try_clone().map_err(|_| unreachable())?, cancel, &over);
        let mut lines = BufReader::new(stream);
        let end = loop {
            match read::<Reply>(&mut lines) {
                Ok(Some(Reply::Event(event))) => on_event(event),
                Ok(Some(Reply::Done(value))) => break Ok(value),
                Ok(Some(Reply::Failed(failure))) => break Err(failure),
                Ok(None) | Err(_) if cancel.is_cancelled() => {
                    break Err(Failure::new(FailureKind::Cancelled, "Stopped."));
                }
                Ok(None) => break Err(broken()),
                Err(failure) => break Err(failure),
            }
        };
        over.store(true, Ordering::Relaxed);
        let _ = watcher.map(std::thread::JoinHandle::join);
        end
    }
}

/// Closes the connection when the caller wants to stop, which the holder notices.
fn watch_cancel(
    stream: UnixStream,
    cancel: &Cancel,
    over: &Arc<AtomicBool>,
) -> Option<std::thread::JoinHandle<()>> {
    let (cancel, over) = (cancel.clone(), Arc::clone(over));
    let watch = move || {
        while !over.load(Ordering::Relaxed) {
            if cancel.is_cancelled() {
                let _ = stream.shutdown(std::net::Shutdown::Both);
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    std::thread::Builder::new().name("attach-cancel".to_owned()).spawn(watch).ok()
}

/// The open socket; dropping it closes it and removes its address.
pub struct Listening {
    address_path: PathBuf,
    socket: PathBuf,
    closing: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
    // Holds the folder of the socket where the data folder's own path is too long.
    _folder: Option<tempfile::TempDir>,
}

impl Engine {
    /// Lets other processes of this user attach, until the value is dropped.
    ///
    /// # Errors
    /// When the socket cannot be made.
    pub fn listen(self: &Arc<Self>) -> Result<Listening, Failure> {
        let run = self.data_dir().join(RUN);
        make_private(&run)?;
        let (socket, folder) = place(&run)?;
        let _ = std::fs::remove_file(&socket);
        let listener =
            UnixListener::bind(&socket).map_err(Error::io("Opening the local socket"))?;
        std::fs::set_permissions(&socket, std::fs::Permissions::from_mode(0o600))
            .map_err(Error::io("Closing the local socket to others"))?;
        let token = token()?;
        let path = address_path(self.data_dir());
        write_address(&path, &Address { socket: socket.clone(), token: token.clone() })?;
        let closing = Arc::new(AtomicBool::new(false));
        let accept = {
            let (engine, closing) = (Arc::downgrade(self), Arc::clone(&closing));
            let calls = Arc::new(AtomicUsize::new(0));
            move || {
                for stream in listener.incoming().flatten() {
                    if closing.load(Ordering::Relaxed) {
                        return;
                    }
                    let Some(engine) = engine.upgrade() else { return };
                    if calls.fetch_add(1, Ordering::Relaxed) >= MOST_CALLS {
                        calls.fetch_sub(1, Ordering::Relaxed);
                        continue;
                    }
                    let (token, calls) = (token.clone(), Arc::clone(&calls));
                    let serve = move || {
                        let _ = answer(&engine, stream, &token);
                        calls.fetch_sub(1, Ordering::Relaxed);
                    };
                    let _ = std::thread::Builder::new().name("attach-call".to_owned()).spawn(serve);
                }
            }
        };
        let thread = std::thread::Builder::new()
            .name("attach".to_owned())
            .spawn(accept)
            .map_err(Error::io("Starting the local socket's thread"))?;
        Ok(Listening { address_path: path, socket, closing, thread: Some(thread), _folder: folder })
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.closing.store(true, Ordering::Relaxed);
        let _ = std::fs::remove_file(&self.address_path);
        // Wakes the thread that waits for a caller.
        let _ = UnixStream::connect(&self.socket);
        let _ = std::fs::remove_file(&self.socket);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// In the data folder, unless its path is too long for a socket.
fn place(run: &Path) -> Result<(PathBuf, Option<tempfile::TempDir>), Error> {
    let here = run.join("nearside.sock");
    if here.as_os_str().len() <= LONGEST_PATH {
        return Ok((here, None));
    }
    let folder = tempfile::Builder::new()
        .prefix("nearside-")
        .permissions(std::fs::Permissions::from_mode(0o700))
        .tempdir()
        .map_err(Error::io("Making a folder for the local socket"))?;
    Ok((folder.path().join("s"), Some(folder)))
}

fn write_address(path: &Path, address: &Address) -> Result<(), Failure> {
    let _ = std::fs::remove_file(path);
    let file = std::fs::File::options().create_new(true).write(true).mode(0o600).open(path);
    let file = file.map_err(Error::io("Writing the local socket's address"))?;
    Ok(serde_json::to_writer(file, address).map_err(Error::from)?)
}

/// 256 random bits from the system.
fn token() -> Result<String, Error> {
    let mut bytes = [0_u8; 32];
    std::fs::File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(&mut bytes))
        .map_err(Error::io("Making the local socket's token"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Compares without telling by the time taken how much was right.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |diff, (a, b)| diff | (a ^ b)) == 0
}

fn answer(engine: &Engine, stream: UnixStream, token: &str) -> Result<(), Failure> {
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
    let _ = stream.shutdown(std::net::Shutdown::Both);
    let _ = gone.join();
    sent
}

fn unreachable() -> Failure {
    Failure::coded(
        FailureKind::Refused,
        crate::lock::HELD,
        "Nearside is running with this data folder, but does not answer; close it and try again.",
    )
}
