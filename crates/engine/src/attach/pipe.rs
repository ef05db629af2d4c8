//! The transport on Windows: a named pipe that only its owner can open, and no other machine.
//!
//! Blocking reads and writes over tokio's overlapped ones: on a plain pipe handle a read that waits would hold
//! up every write. No protocol is known here.

use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::net::windows::named_pipe::{ClientOptions, NamedPipeClient, NamedPipeServer};
use tokio::runtime::Runtime;
use tokio::sync::watch;
use windows_sys::Win32::Foundation::ERROR_PIPE_BUSY;

use super::listening::random_name;
use super::owner::OwnerOnly;
use crate::error::Error;

/// Between two callers the holder has no free instance for a moment.
const BUSY: Duration = Duration::from_secs(2);

enum End {
    Holder(NamedPipeServer),
    Caller(NamedPipeClient),
}

/// What the clones of a stream share. The pipe closes with the last of them.
struct Shared {
    end: End,
    // Closes before the runtime that it is registered with.
    runtime: Arc<Driver>,
    closed: watch::Sender<bool>,
    read_timeout: Mutex<Option<Duration>>,
}

/// A runtime that can be dropped anywhere, also on a thread of another one.
struct Driver(Option<Runtime>);

impl Driver {
    fn start() -> io::Result<Arc<Self>> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("attach-pipe")
            .enable_all()
            .build()?;
        Ok(Arc::new(Self(Some(runtime))))
    }

    fn runtime(&self) -> io::Result<&Runtime> {
        self.0.as_ref().ok_or_else(|| io::Error::from(ErrorKind::NotConnected))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

pub(super) struct Stream(Arc<Shared>);

impl Stream {
    fn new(end: End, runtime: Arc<Driver>) -> Self {
        let (closed, _) = watch::channel(false);
        Self(Arc::new(Shared { end, runtime, closed, read_timeout: Mutex::new(None) }))
    }

    pub(super) fn try_clone(&self) -> io::Result<Self> {
        Ok(Self(Arc::clone(&self.0)))
    }

    pub(super) fn set_read_timeout(&self, timeout: Option<Duration>) -> io::Result<()> {
        *self.0.read_timeout.lock().unwrap_or_else(PoisonError::into_inner) = timeout;
        Ok(())
    }

    /// Waits until the pipe is ready in one direction, the stream is closed here, or time is out.
    fn wait(&self, writing: bool, timeout: Option<Duration>) -> io::Result<()> {
        let shared = &*self.0;
        let ready = async {
            match (&shared.end, writing) {
                (End::Holder(pipe), false) => pipe.readable().await,
                (End::Holder(pipe), true) => pipe.writable().await,
                (End::Caller(pipe), false) => pipe.readable().await,
                (End::Caller(pipe), true) => pipe.writable().await,
            }
        };
        let late = async {
            match timeout {
                Some(timeout) => tokio::time::sleep(timeout).await,
                None => std::future::pending().await,
            }
        };
        let mut closed = shared.closed.subscribe();
        shared.runtime.runtime()?.block_on(async {
            tokio::select! {
                biased;
                _ = closed.wait_for(|closed| *closed) => Err(ErrorKind::NotConnected.into()),
                ready = ready => ready,
                () = late => Err(ErrorKind::TimedOut.into()),
            }
        })
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let timeout = *self.0.read_timeout.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match self.wait(false, timeout) {
                Err(error) if error.kind() == ErrorKind::NotConnected => return Ok(0),
                other => other?,
            }
            let read = match &self.0.end {
                End::Holder(pipe) => pipe.try_read(buffer),
                End::Caller(pipe) => pipe.try_read(buffer),
            };
            match read {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                // The other side closed its end: what a socket calls the end of the stream.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(0),
                other => return other,
            }
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            self.wait(true, None)?;
            let written = match &self.0.end {
                End::Holder(pipe) => pipe.try_write(bytes),
                End::Caller(pipe) => pipe.try_write(bytes),
            };
            match written {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                other => return other,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Opens a pipe, waiting a moment where all its instances are taken.
pub(super) fn connect(address: &Path) -> io::Result<Stream> {
    let driver = Driver::start()?;
    let begun = Instant::now();
    let busy = i32::try_from(ERROR_PIPE_BUSY).ok();
    loop {
        let opened = {
            let _inside = driver.runtime()?.enter();
            ClientOptions::new().open(address)
        };
        match opened {
            Ok(pipe) => return Ok(Stream::new(End::Caller(pipe), driver)),
            Err(error) if error.raw_os_error() == busy && begun.elapsed() < BUSY => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(error) => return Err(error),
        }
    }
}

/// Wakes whoever reads or writes here. The other side notices when the last clone is gone.
pub(super) fn close(stream: &Stream) {
    stream.0.closed.send_replace(true);
}

pub(super) struct Listener {
    /// The instance that the next caller gets.
    next: NamedPipeServer,
    address: PathBuf,
    owner: OwnerOnly,
    runtime: Arc<Driver>,
}

impl Listener {
    /// # Errors
    /// When the pipe cannot be made, or not for its owner alone.
    pub(super) fn bind(_: &Path) -> Result<Self, Error> {
        let opening = Error::io("Opening the local socket");
        let address = PathBuf::from(format!(r"\\.\pipe\nearside-{}", random_name()?));
        let made = (|| {
            let owner = OwnerOnly::new()?;
            let runtime = Driver::start()?;
            let next = {
                let _inside = runtime.runtime()?.enter();
                owner.pipe(&address, true)?
            };
            Ok((next, owner, runtime))
        })();
        let (next, owner, runtime) = made.map_err(opening)?;
        Ok(Self { next, address, owner, runtime })
    }

    pub(super) fn address(&self) -> &Path {
        &self.address
    }

    pub(super) fn accept(&mut self) -> io::Result<Stream> {
        let runtime = self.runtime.runtime()?;
        if let Err(error) = runtime.block_on(self.next.connect()) {
            // A caller that came and went; the instance is free again.
            let _ = self.next.disconnect();
            return Err(error);
        }
        let next = {
            let _inside = runtime.enter();
            self.owner.pipe(&self.address, false)?
        };
        let connected = std::mem::replace(&mut self.next, next);
        Ok(Stream::new(End::Holder(connected), Arc::clone(&self.runtime)))
    }
}
