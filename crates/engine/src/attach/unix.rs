//! The transport on Unix: a socket in the data folder that only its owner can open.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use crate::error::Error;

/// The longest path of a socket that every Unix takes.
const LONGEST_PATH: usize = 100;

pub(super) type Stream = UnixStream;

pub(super) fn connect(address: &Path) -> io::Result<Stream> {
    UnixStream::connect(address)
}

/// Ends both directions; what was written still arrives.
pub(super) fn close(stream: &Stream) {
    let _ = stream.shutdown(std::net::Shutdown::Both);
}

/// Dropping it removes the socket.
pub(super) struct Listener {
    listener: UnixListener,
    address: PathBuf,
    // Holds the folder of the socket where the data folder's own path is too long.
    _folder: Option<tempfile::TempDir>,
}

impl Listener {
    /// # Errors
    /// When the socket cannot be made or closed to others.
    pub(super) fn bind(run: &Path) -> Result<Self, Error> {
        let (address, folder) = place(run)?;
        let _ = std::fs::remove_file(&address);
        let listener =
            UnixListener::bind(&address).map_err(Error::io("Opening the local socket"))?;
        std::fs::set_permissions(&address, std::fs::Permissions::from_mode(0o600))
            .map_err(Error::io("Closing the local socket to others"))?;
        Ok(Self { listener, address, _folder: folder })
    }

    pub(super) fn address(&self) -> &Path {
        &self.address
    }

    pub(super) fn accept(&mut self) -> io::Result<Stream> {
        self.listener.accept().map(|(stream, _)| stream)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.address);
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
