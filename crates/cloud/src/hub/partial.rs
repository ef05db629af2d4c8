//! A download under way on disk: the bytes so far, and beside them a small JSON that says what they are
//! part of. The JSON is written before the first byte, so that after a kill bytes are never taken for
//! those of another file.

use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use nearside_types::Cancel;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tokio::fs::{self, File};
use tokio::io::{AsyncSeekExt as _, AsyncWriteExt as _};

use super::{HubError, HubFile};

/// What the bytes are part of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct About {
    /// Of the whole file: the content's own name, whichever mirror it comes from.
    sha256: String,
    size: u64,
    /// Where the bytes came from.
    source: String,
    /// The server's strong ETag, if it gave one.
    etag: Option<String>,
}

/// An opened partial file, positioned at its end.
#[derive(Debug)]
pub(super) struct Partial {
    path: PathBuf,
    file: File,
    length: u64,
    about: About,
}

impl Partial {
    /// Opens what is there if it is part of `file`; else begins at nothing.
    pub(super) async fn open(file: &HubFile) -> Result<Self, HubError> {
        let about = read_about(&file.partial)
            .await
            .filter(|about| about.sha256 == file.sha256 && about.size == file.size);
        let Some(about) = about else { return Self::empty(file).await };
        let failed = |error| HubError::io("Opening", &file.partial, error);
        let mut opened = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&file.partial)
            .await
            .map_err(failed)?;
        let length = opened.seek(std::io::SeekFrom::End(0)).await.map_err(failed)?;
        if length > file.size {
            return Self::empty(file).await;
        }
        Ok(Self { path: file.partial.clone(), file: opened, length, about })
    }

    /// Throws away what is there.
    pub(super) async fn empty(file: &HubFile) -> Result<Self, HubError> {
        let failed = |error| HubError::io("Writing", &file.partial, error);
        if let Some(folder) = file.partial.parent() {
            fs::create_dir_all(folder).await.map_err(failed)?;
        }
        let opened = File::create(&file.partial).await.map_err(failed)?;
        let about = About {
            sha256: file.sha256.clone(),
            size: file.size,
            source: format!("{}@{}/{}", file.repository, file.revision, file.file),
            etag: None,
        };
        let partial = Self { path: file.partial.clone(), file: opened, length: 0, about };
        partial.write_about().await?;
        Ok(partial)
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    pub(super) fn etag(&self) -> Option<&str> {
        self.about.etag.as_deref()
    }

    /// Cuts to nothing and remembers the ETag of what comes now.
    pub(super) async fn start_over(&mut self, etag: Option<String>) -> Result<(), HubError> {
        let failed = |error| HubError::io("Cutting", &self.path, error);
        self.file.set_len(0).await.map_err(failed)?;
        self.file.rewind().await.map_err(failed)?;
        self.length = 0;
        self.about.etag = etag;
        self.write_about().await
    }

    pub(super) async fn append(&mut self, bytes: &[u8]) -> Result<(), HubError> {
        self.file
            .write_all(bytes)
            .await
            .map_err(|error| HubError::io("Writing", &self.path, error))?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Makes what has arrived last. A write that the disk refused late comes out here.
    pub(super) async fn keep(&mut self) -> Result<(), HubError> {
        let failed = |error| HubError::io("Writing", &self.path, error);
        self.file.flush().await.map_err(failed)?;
        self.file.sync_data().await.map_err(failed)
    }

    async fn write_about(&self) -> Result<(), HubError> {
        let path = about_path(&self.path);
        let fresh = path.with_extension("json.new");
        let text =
            serde_json::to_vec(&self.about).map_err(|error| HubError::Fault(error.to_string()))?;
        let failed = |error| HubError::io("Writing", &path, error);
        fs::write(&fresh, text).await.map_err(failed)?;
        fs::rename(&fresh, &path).await.map_err(failed)
    }
}

/// Removes the partial file and its JSON, whichever are there.
pub(super) async fn remove(file: &HubFile) -> Result<(), HubError> {
    let about = about_path(&file.partial);
    for path in [&file.partial, &about, &about.with_extension("json.new")] {
        match fs::remove_file(path).await {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(HubError::io("Removing", path, error));
            }
            _ => {}
        }
    }
    Ok(())
}

fn about_path(partial: &Path) -> PathBuf {
    let mut name = partial.as_os_str().to_owned();
    name.push(".json");
    PathBuf::from(name)
}

async fn read_about(partial: &Path) -> Option<About> {
    let path = about_path(partial);
    let small = fs::metadata(&path).await.is_ok_and(|metadata| metadata.len() < 64 << 10);
    if !small {
        return None;
    }
    serde_json::from_slice(&fs::read(&path).await.ok()?).ok()
}

/// sha256 in lower-case hex, with a look at `cancel` each megabyte. Blocks.
pub(super) fn sha256(path: &Path, cancel: &Cancel) -> Result<String, HubError> {
    let failed = |error| HubError::io("Reading", path, error);
    let mut file = std::fs::File::open(path).map_err(failed)?;
    let mut hasher = Sha256::new();
    let mut block = vec![0; 1 << 20];
    loop {
        if cancel.is_cancelled() {
            return Err(HubError::Cancelled);
        }
        let count = file.read(&mut block).map_err(failed)?;
        if count == 0 {
            break;
        }
        hasher.update(block.get(..count).unwrap_or_default());
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
