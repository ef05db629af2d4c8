//! The library and the ledger of an opened data folder, as calls of the engine.

use std::path::Path;
use std::sync::PoisonError;

use nearside_library::{ChunkOptions, IndexOptions, Library, Limits, Reader, estimated_tokens};
use nearside_types::{
    Cancel, EmbedderRole, Failure, FailureKind, FileOutcome, Forgotten, IndexProgress, IndexedFile,
    LedgerItem, LedgerVerdict, Provider, ProviderCheck, SearchHit,
};
use nearside_vault::Secret;

use crate::encoder::ENCODER;
use crate::engine::Engine;
use crate::far::key_name;

/// Entries that a list shows; `export` has all.
const SHOWN: usize = 10_000;

/// Passages between two looks at whether to stop: a second or two of work.
const EMBEDDED_AT_ONCE: usize = 16;

impl Engine {
    fn library(&self) -> std::sync::MutexGuard<'_, Library> {
        // One transaction a file: a panic in between leaves the database whole.
        self.library.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn library_reading(&self) -> std::sync::MutexGuard<'_, Library> {
        self.library_reading.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a file or all files below a folder, each with its outcome. A stop keeps what was done.
    ///
    /// # Errors
    /// `NotFound`, or when the database cannot be written.
    pub fn library_add(
        &self,
        path: &Path,
        cancel: &Cancel,
        progress: &mut dyn FnMut(IndexProgress),
    ) -> Result<Vec<FileOutcome>, Failure> {
        let reader = self.headless.reader.program().map_or(Reader::InProcess, Reader::Worker);
        let options = IndexOptions {
            recursive: true,
            reader,
            limits: Limits::default(),
            chunks: ChunkOptions::default(),
            count_tokens: &estimated_tokens,
        };
        let mut last = IndexProgress::default();
        let report = self.library().index_add(path, &options, cancel, &mut |now| {
            last = now;
            progress(now);
        })?;
        let whole = !report.cancelled
            && self.embed_pending(cancel, &mut |vectors_done, vectors_total| {
                progress(IndexProgress { vectors_done, vectors_total, ..last });
            })?;
        if !whole {
            return Err(Failure::new(FailureKind::Cancelled, "Stopped; what was indexed is kept."));
        }
        Ok(report.files)
    }

    /// Works out the vectors of passages that have none, where the encoder is installed. False when it was
    /// stopped; what was done is kept, and the next call goes on from there. The library is free for others
    /// while the encoder works.
    fn embed_pending(
        &self,
        cancel: &Cancel,
        progress: &mut dyn FnMut(u32, u32),
    ) -> Result<bool, Failure> {
        let Some(embedder) = self.headless.meaning.embedder() else { return Ok(true) };
        let mut most = 0;
        loop {
            if cancel.is_cancelled() {
                return Ok(false);
            }
            let (passages, left) = self.library().without_vectors(ENCODER, EMBEDDED_AT_ONCE)?;
            most = most.max(left);
            progress(most - left, most);
            if passages.is_empty() {
                return Ok(true);
            }
            let texts: Vec<&str> = passages.iter().map(|passage| &*passage.text).collect();
            let vectors = embedder.embed(EmbedderRole::Passage, &texts)?;
            self.library().put_vectors(&passages, &vectors)?;
        }
    }

    /// All files with their states.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn library_status(&self) -> Result<Vec<IndexedFile>, Failure> {
        Ok(self.library_reading().status()?.items)
    }

    /// Takes a file, or all below a folder, out of the library.
    ///
    /// # Errors
    /// `NotFound` when it is not in it.
    pub fn library_remove(&self, path: &Path) -> Result<(), Failure> {
        match self.library().remove(path)? {
            0 => Err(Failure::coded(
                nearside_types::FailureKind::NotFound,
                "not_indexed",
                "This file is not in the library.",
            )),
            _ => Ok(()),
        }
    }

    /// Removes every trace of a file, and looks for what is left.
    ///
    /// # Errors
    /// `NotFound` when it is not in the library.
    pub fn library_forget(&self, path: &Path) -> Result<Forgotten, Failure> {
        let forgotten = self.library().forget(path)?;
        self.library_reading().drop_vectors_in_memory();
        Ok(forgotten)
    }

    /// The `count` best passages for a query.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn library_search(&self, query: &str, count: usize) -> Result<Vec<SearchHit>, Failure> {
        let vector = self.vector_of(query)?;
        Ok(self.library_reading().search(query, vector.as_deref(), count)?)
    }

    /// What a question means, where there is something to compare it with. An encoder that fails leaves the
    /// words to search by; `library_add` tells of it.
    fn vector_of(&self, question: &str) -> Result<Option<Vec<f32>>, Failure> {
        if question.trim().is_empty() || !self.library_reading().has_vectors()? {
            return Ok(None);
        }
        let Some(embedder) = self.headless.meaning.embedder() else { return Ok(None) };
        let vectors = embedder.embed(EmbedderRole::Query, &[question]);
        Ok(vectors.ok().and_then(|vectors| vectors.into_iter().next()))
    }

    /// What left this machine, latest first.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn ledger(&self) -> Result<Vec<LedgerItem>, Failure> {
        Ok(self.ledger.list(SHOWN)?)
    }

    /// Whether the ledger is whole.
    ///
    /// # Errors
    /// When it cannot be read at all.
    pub fn verify_ledger(&self) -> Result<LedgerVerdict, Failure> {
        Ok(self.ledger.verify()?)
    }

    /// Writes all entries to a file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn export_ledger(&self, path: &Path) -> Result<(), Failure> {
        self.ledger.export(path)?;
        Ok(())
    }

    fn provider(&self) -> Result<Provider, Failure> {
        self.settings().provider.ok_or_else(|| {
            Failure::coded(FailureKind::Refused, "no_provider", "No cloud model is set up yet.")
        })
    }

    /// Keeps the key of the provider in the settings.
    ///
    /// # Errors
    /// When no provider is set up, or the keychain refuses.
    pub fn set_cloud_key(&self, key: String) -> Result<(), Failure> {
        let provider = self.provider()?;
        self.vault.set_api_key(&key_name(&provider), &Secret::new(key))?;
        self.mark_key(provider, true)
    }

    /// Forgets it.
    ///
    /// # Errors
    /// As `set_cloud_key`.
    pub fn clear_cloud_key(&self) -> Result<(), Failure> {
        let provider = self.provider()?;
        self.vault.clear_api_key(&key_name(&provider))?;
        self.mark_key(provider, false)
    }

    fn mark_key(&self, provider: Provider, has_key: bool) -> Result<(), Failure> {
        let provider = Some(Provider { has_key, ..provider });
        let patch = nearside_types::SettingsPatch { provider, ..Default::default() };
        self.update_settings(patch).map(|_| ())
    }

    /// "Test connection".
    ///
    /// # Errors
    /// When no provider is set up.
    pub fn check_cloud(&self) -> Result<ProviderCheck, Failure> {
        let provider = self.provider()?;
        let far = self.headless.far().ok_or_else(|| Failure::internal("No way out is set."))?;
        Ok(far.check(&provider, &Cancel::new()))
    }
}
