//! `Connector`: everything that a connection needs and the one way to get one. It holds the local-only
//! switch, the network settings and the ledger, and each of its calls asks all three.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use nearside_types::{Cancel, LedgerOutcome};
use nearside_vault::VaultError;

use crate::client::{Client, Way, client};
use crate::endpoint::Endpoint;
use crate::ledger::{Departure, Entry, Ledger};
use crate::retry::Retry;
use crate::{CloudError, LocalOnly};

/// How long to wait, and how much to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub connect: Duration,
    /// From the request to the first byte of the answer: a far model may think first.
    pub first_byte: Duration,
    /// Between two pieces of the answer.
    pub idle: Duration,
    /// Bytes of text in one answer.
    pub answer: usize,
    pub retry: Retry,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(120),
            idle: Duration::from_secs(60),
            answer: 8 << 20,
            retry: Retry::default(),
        }
    }
}

/// Connects, under the policy and with the ledger. Made anew when the proxy setting changes.
#[derive(Debug)]
pub struct Connector {
    pub(crate) local_only: LocalOnly,
    proxy: String,
    pub(crate) limits: Limits,
    ledger: Arc<Ledger>,
    // Made at the first use: reading the system's certificates takes a while.
    out: OnceLock<Client>,
    loopback: OnceLock<Client>,
}

/// Why waiting ended before the work did.
pub(crate) enum Interrupted {
    Cancelled,
    LocalOnly,
    /// Nothing came for as long as may be.
    Silent,
}

impl Connector {
    /// `proxy` as in the settings: empty follows the system.
    #[must_use]
    pub fn new(local_only: LocalOnly, proxy: &str, ledger: Arc<Ledger>) -> Self {
        Self::with_limits(local_only, proxy, ledger, Limits::default())
    }

    #[must_use]
    pub fn with_limits(
        local_only: LocalOnly,
        proxy: &str,
        ledger: Arc<Ledger>,
        limits: Limits,
    ) -> Self {
        let (out, loopback) = (OnceLock::new(), OnceLock::new());
        Self { local_only, proxy: proxy.to_owned(), limits, ledger, out, loopback }
    }

    #[must_use]
    pub fn ledger(&self) -> &Arc<Ledger> {
        &self.ledger
    }

    #[must_use]
    pub fn local_only(&self) -> &LocalOnly {
        &self.local_only
    }

    /// The client for model downloads, which carry no user content. In local-only mode only for a
    /// download that the user asked for by itself.
    ///
    /// # Errors
    /// `LocalOnly`, or `BadProxy` where the settings name none.
    pub fn download_client(&self, asked_by_user: bool) -> Result<Client, CloudError> {
        if !asked_by_user {
            self.local_only.permit()?;
        }
        self.outward()
    }

    fn outward(&self) -> Result<Client, CloudError> {
        made(&self.out, || client(Way::Out { proxy: &self.proxy }, self.limits.connect))
    }

    pub(crate) fn client_for(&self, endpoint: &Endpoint) -> Result<Client, CloudError> {
        self.local_only.permit()?;
        if endpoint.loopback {
            made(&self.loopback, || client(Way::Loopback, self.limits.connect))
        } else {
            self.outward()
        }
    }

    /// Waits for `work`; looks at the stop button and the policy every few milliseconds. Dropping the
    /// work drops its connection.
    pub(crate) async fn watch<T>(
        &self,
        limit: Duration,
        cancel: &Cancel,
        work: impl Future<Output = T>,
    ) -> Result<T, Interrupted> {
        const LOOK: Duration = Duration::from_millis(20);
        let mut work = std::pin::pin!(work);
        let mut silence = std::pin::pin!(tokio::time::sleep(limit));
        loop {
            if cancel.is_cancelled() {
                return Err(Interrupted::Cancelled);
            }
            if self.local_only.is_on() {
                return Err(Interrupted::LocalOnly);
            }
            tokio::select! {
                biased;
                done = &mut work => return Ok(done),
                () = &mut silence => return Err(Interrupted::Silent),
                () = tokio::time::sleep(LOOK) => {}
            }
        }
    }

    /// Opens a ledger entry, off the asynchronous threads: it waits for the disk.
    pub(crate) async fn begin(&self, departure: Departure) -> Result<Entry, CloudError> {
        self.noted(move |ledger| ledger.begin(&departure)).await
    }

    pub(crate) async fn finish(
        &self,
        entry: Entry,
        outcome: LedgerOutcome,
    ) -> Result<(), CloudError> {
        self.noted(move |ledger| ledger.finish(entry, outcome)).await
    }

    pub(crate) async fn refuse(&self, departure: Departure) -> Result<(), CloudError> {
        self.noted(move |ledger| ledger.refuse(&departure)).await
    }

    async fn noted<T: Send + 'static>(
        &self,
        note: impl FnOnce(&Ledger) -> Result<T, CloudError> + Send + 'static,
    ) -> Result<T, CloudError> {
        let ledger = self.ledger.clone();
        tokio::task::spawn_blocking(move || note(&ledger)).await.unwrap_or_else(|_| {
            Err(CloudError::Ledger(VaultError::Sql("no answer from its thread".to_owned())))
        })
    }
}

fn made(
    place: &OnceLock<Client>,
    make: impl FnOnce() -> Result<Client, CloudError>,
) -> Result<Client, CloudError> {
    if let Some(client) = place.get() {
        return Ok(client.clone());
    }
    let client = make()?;
    Ok(place.get_or_init(|| client).clone())
}
