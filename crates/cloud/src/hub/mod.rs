//! Downloads from a model hub (Hugging Face or a mirror of it): resumed across restarts by Range and ETag,
//! checked by length and sha256, into partial files that `nearside-catalog` then installs.
//!
//! No credential is ever sent, redirects to a content network are followed, and every host that is asked
//! is noted in the ledger before its first byte. It installs and converts nothing, and it does not choose
//! between a hub and packages: the caller goes through the catalog's sources in order.

#![expect(clippy::disallowed_types, reason = "cloud is the crate that connects; this is its hub")]

mod address;
mod download;
mod error;
mod partial;
mod rate;
mod stop;
mod transfer;

use std::path::{Path, PathBuf};
use std::time::Duration;

use nearside_types::{Cancel, DownloadEvent, Failure};

pub use address::DEFAULT_ENDPOINT;
pub use download::{download, download_without_ledger, fetch_first};
pub use error::HubError;

use self::partial::Partial;
use self::rate::Rate;
use self::stop::Stop;
use self::transfer::{Outcome, Transfer};

/// One file of a hub, and where its download grows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubFile {
    /// `owner/repository`.
    pub repository: String,
    pub revision: String,
    /// The path in the repository.
    pub file: String,
    /// Bytes of the whole file.
    pub size: u64,
    /// Of the whole file, lower-case hex.
    pub sha256: String,
    /// The partial file; `<partial>.json` beside it says what it is part of.
    pub partial: PathBuf,
}

/// How long to wait, and how often to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// A connection that brings no byte for so long is given up and tried again.
    pub idle: Duration,
    /// Tries in a row that bring nothing new; a try that brings bytes starts the count again.
    pub tries: u32,
    /// Before the second try; doubles with each further one, to a minute at most.
    pub pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { idle: Duration::from_secs(30), tries: 6, pause: Duration::from_secs(1) }
    }
}

/// All files of one model from one hub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubFetch {
    /// The model's name, for events and sentences.
    pub name: String,
    /// `https://…` of a hub or mirror; empty is [`DEFAULT_ENDPOINT`].
    pub endpoint: String,
    pub files: Vec<HubFile>,
    /// At the start; [`download`] also looks at the connector's switch all the time.
    pub local_only: bool,
    /// The user asked for this very download, which local-only mode allows.
    pub asked_by_user: bool,
    pub patience: Patience,
}

/// Hears `Started`, `Progress` and `Verifying`. The last event (`Done`, `Paused`, `Failed`) is the
/// caller's, who knows whether another source follows.
pub type OnEvent<'a> = &'a mut (dyn FnMut(DownloadEvent) + Send);

/// Told before the first byte to each host for each file: host, bytes about to be fetched, sha256 of the
/// whole file. An error refuses the download.
pub type OnHousekeeping<'a> = &'a mut (dyn FnMut(&str, u64, &str) -> Result<(), Failure> + Send);

/// Downloads every file of `request` that is not whole yet, and verifies all. What is already in the
/// partial files is kept, also by an error, unless the bytes are wrong or the disk is full.
///
/// # Errors
/// See [`HubError`]. `Cancelled` within a tenth of a second of a cancel.
pub async fn fetch(
    client: &reqwest::Client,
    request: &HubFetch,
    cancel: &Cancel,
    on_event: OnEvent<'_>,
    on_housekeeping: OnHousekeeping<'_>,
) -> Result<(), HubError> {
    if request.local_only && !request.asked_by_user {
        return Err(HubError::LocalOnly(request.name.clone()));
    }
    let stop = Stop::new(cancel, None, &request.name);
    fetch_until(client, request, stop, on_event, on_housekeeping).await
}

async fn fetch_until(
    client: &reqwest::Client,
    request: &HubFetch,
    stop: Stop<'_>,
    on_event: OnEvent<'_>,
    on_housekeeping: OnHousekeeping<'_>,
) -> Result<(), HubError> {
    stop.check()?;
    let total = request.files.iter().map(|file| file.size).sum();
    let mut before = 0;
    let mut started = false;
    let mut rate = Rate::new();
    for file in &request.files {
        let url = address::resolve(&request.endpoint, file)?;
        let partial = Partial::open(file).await?;
        if !started {
            started = true;
            on_event(DownloadEvent::Started {
                name: request.name.clone(),
                source: address::label(&url, file),
                done: partial.length(),
                total,
            });
        }
        let mut transfer = Transfer {
            client,
            patience: request.patience,
            file,
            stop,
            on_housekeeping,
            noted: Vec::new(),
        };
        let mut on_bytes = |here: u64| {
            if let Some(bytes_per_s) = rate.seen(before + here) {
                let name = request.name.clone();
                on_event(DownloadEvent::Progress { name, done: before + here, total, bytes_per_s });
            }
        };
        let outcome = transfer.complete(&url, partial, &mut on_bytes).await?;
        on_event(DownloadEvent::Verifying { name: request.name.clone() });
        let mut found = hash(&file.partial, stop.cancel()).await?;
        if found != file.sha256 && outcome == Outcome::Resumed {
            // Two different files may have been joined: the second try begins at nothing.
            let fresh = Partial::empty(file).await?;
            let mut silent = |_| {};
            transfer.complete(&url, fresh, &mut silent).await?;
            found = hash(&file.partial, stop.cancel()).await?;
        }
        if found != file.sha256 {
            partial::remove(file).await?;
            return Err(HubError::wrong_hash(file, &found));
        }
        before += file.size;
    }
    Ok(())
}

/// sha256 of a file, off the asynchronous threads.
async fn hash(path: &Path, cancel: &Cancel) -> Result<String, HubError> {
    let (path, cancel) = (path.to_owned(), cancel.clone());
    tokio::task::spawn_blocking(move || partial::sha256(&path, &cancel))
        .await
        .map_err(|error| HubError::Fault(error.to_string()))?
}
