//! `Headless`: everything that needs no vault and keeps nothing: extract, redact, restore, route, devices,
//! ask and summarise. `Engine` is this plus what is stored.
//!
//! Calls block; give each its own thread. They may run side by side: the model is lent to one at a time.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use nearside_catalog::Catalog;
use nearside_library::Limits;
use nearside_privacy::{Detector, Gate, Policy, PseudonymMap};
use nearside_speech::capture::Microphones;
use nearside_types::{
    Adapter, Answer, Cancel, ChatEvent, Cost, Decision, DeviceChoice, Extracted, Failure, FileChip,
    FileOutcome, OutboundSummary, OwnList, Redaction, Restored, Settings, Summary, UserText,
};

use crate::document::Document;
use crate::encoder::{Meaning, Names};
use crate::far::FarSide;
use crate::keeper::{Keeper, ModelSource};
use crate::reading::Reader;
use crate::run::Job;
use crate::source::CatalogSource;
use crate::task::{Approver, Said, TaskOptions};
use crate::voice::WarmRecognizer;

/// How to start.
pub struct HeadlessOptions {
    /// Where weights lie; none takes `NEARSIDE_MODELS_DIR` or the user's cache folder.
    pub models_dir: Option<PathBuf>,
    pub settings: Settings,
    /// A program that reads one file when its first argument is `EXTRACT_WORKER`.
    pub worker: Option<PathBuf>,
    /// Another catalog than the built-in one.
    pub catalog: Option<PathBuf>,
    /// A loaded model is let go after so long without use.
    pub idle: Duration,
    /// Models from elsewhere, for tests.
    pub source: Option<Arc<dyn ModelSource>>,
}

impl Default for HeadlessOptions {
    fn default() -> Self {
        Self {
            models_dir: None,
            settings: Settings::default(),
            worker: None,
            catalog: None,
            idle: Duration::from_secs(600),
            source: None,
        }
    }
}

/// The rooms that need no vault.
pub struct Headless {
    pub(crate) keeper: Keeper,
    pub(crate) source: Arc<dyn ModelSource>,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) models_dir: PathBuf,
    pub(crate) reader: Reader,
    pub(crate) names: Names,
    pub(crate) meaning: Meaning,
    pub(crate) recognizer: WarmRecognizer,
    // Made at the first use: asking the sound system is not for every command.
    pub(crate) microphones: OnceLock<Microphones>,
    // Set when a data folder is opened, and anew when its network settings change.
    far: RwLock<Option<Arc<dyn FarSide>>>,
    // Written by the settings page, read at the start of each task; never held over work.
    settings: RwLock<Settings>,
    // The data folder's, from its opening on; nothing can leave before that.
    own_list: RwLock<OwnList>,
    // Set once, by a program that has a window to dictate into.
    dictate: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

/// What a task ended with, beside its text.
pub(crate) struct Done {
    pub(crate) written: crate::task::Written,
    pub(crate) decision: Decision,
    pub(crate) files: Vec<FileOutcome>,
    pub(crate) outbound: Option<OutboundSummary>,
    pub(crate) cost: Option<Cost>,
}

impl Headless {
    /// # Errors
    /// When the catalog cannot be read or there is no place for models.
    pub fn new(options: HeadlessOptions) -> Result<Self, Failure> {
        let catalog = Arc::new(Catalog::load(options.catalog.as_deref())?);
        let models_dir = match options.models_dir {
            Some(folder) => folder,
            None => nearside_catalog::models_dir(&|name| std::env::var_os(name))?,
        };
        let source = options.source.unwrap_or_else(|| {
            Arc::new(CatalogSource {
                catalog: Arc::clone(&catalog),
                models_dir: models_dir.clone(),
            })
        });
        Ok(Self {
            keeper: Keeper::start(Arc::clone(&source), options.idle)?,
            source,
            names: Names::of(&catalog, &models_dir),
            meaning: Meaning::of(&catalog, &models_dir),
            recognizer: WarmRecognizer::new(options.idle),
            microphones: OnceLock::new(),
            reader: Reader {
                worker: options.worker,
                limits: Limits::default(),
                catalog: Arc::clone(&catalog),
                models_dir: models_dir.clone(),
            },
            catalog,
            models_dir,
            far: RwLock::new(None),
            settings: RwLock::new(options.settings),
            own_list: RwLock::default(),
            dictate: OnceLock::new(),
        })
    }

    #[must_use]
    pub fn models_dir(&self) -> &Path {
        &self.models_dir
    }

    /// What starts and stops dictation in this program's window; the first one given stays.
    pub fn on_dictate(&self, toggle: Box<dyn Fn() + Send + Sync>) {
        drop(self.dictate.set(toggle));
    }

    /// Starts or stops dictation in this program's window.
    ///
    /// # Errors
    /// `NotFound` in a program without one.
    pub fn toggle_dictation(&self) -> Result<(), Failure> {
        let toggle = self.dictate.get().ok_or_else(no_window)?;
        toggle();
        Ok(())
    }

    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes other settings for the tasks that begin from now on.
    pub fn set_settings(&self, settings: Settings) {
        *self.settings.write().unwrap_or_else(PoisonError::into_inner) = settings;
    }

    /// Takes another list for the requests that begin from now on.
    pub(crate) fn set_own_list(&self, list: OwnList) {
        *self.own_list.write().unwrap_or_else(PoisonError::into_inner) = list;
    }

    /// Takes the way out: the engine's, or a test's.
    pub fn set_far(&self, far: Arc<dyn FarSide>) {
        *self.far.write().unwrap_or_else(PoisonError::into_inner) = Some(far);
    }

    pub(crate) fn far(&self) -> Option<Arc<dyn FarSide>> {
        self.far.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads one file.
    ///
    /// # Errors
    /// When it cannot be opened, or it was stopped. A file that cannot be read is a result.
    pub fn extract(
        &self,
        path: &Path,
        cancel: &Cancel,
        progress: &mut dyn FnMut(u32, u32),
    ) -> Result<Extracted, Failure> {
        self.reader.extract(path, cancel, progress)
    }

    /// What dropped files are.
    #[must_use]
    pub fn inspect(&self, paths: &[String]) -> Vec<FileChip> {
        paths.iter().map(|path| self.reader.chip(path)).collect()
    }

    /// The devices of this machine.
    #[must_use]
    pub fn devices(&self, choice: DeviceChoice) -> Vec<Adapter> {
        nearside_inference::device::devices(choice)
    }

    /// Where `text` would run, without running it.
    ///
    /// # Errors
    /// When the text could not be looked at.
    pub fn route(&self, text: &str, options: &TaskOptions) -> Result<Decision, Failure> {
        self.decide(&[Said::user(text)], options)
    }

    /// Reads files for a task.
    ///
    /// # Errors
    /// When one of them cannot be opened.
    pub fn read(
        &self,
        paths: &[PathBuf],
        cancel: &Cancel,
        on_event: &mut dyn FnMut(ChatEvent),
    ) -> Result<Vec<Document>, Failure> {
        self.reader.documents(paths, cancel, on_event)
    }

    /// Answers a question, about files where there are some. Keeps nothing.
    ///
    /// # Errors
    /// With what was written lost only if nothing was.
    pub fn ask(
        &self,
        said: &[Said],
        options: &TaskOptions,
        approver: &mut dyn Approver,
        cancel: &Cancel,
        on_event: &mut dyn FnMut(ChatEvent),
    ) -> Result<Answer, Failure> {
        let job = Job { said, options, summary: false, without_model: false };
        let done = self.run(&job, &mut PseudonymMap::new(), approver, cancel, on_event)?;
        stopped_early(&done)?;
        let written = done.written;
        Ok(Answer {
            answer: written.text.into(),
            route: done.decision,
            model: written.model,
            device: written.device,
            tokens: written.tokens,
            timings: written.timings,
            citations: written.citations,
            coverage: written.coverage,
            files: done.files,
            outbound: done.outbound,
            cost: done.cost,
            notices: written.notices,
        })
    }

    /// Summarises files. Keeps nothing.
    ///
    /// # Errors
    /// `NothingReadable` when no file has text; otherwise as `ask`.
    pub fn summarize(
        &self,
        documents: Vec<Document>,
        options: &TaskOptions,
        approver: &mut dyn Approver,
        cancel: &Cancel,
        on_event: &mut dyn FnMut(ChatEvent),
    ) -> Result<Summary, Failure> {
        let said =
            [Said { role: nearside_types::Role::User, content: UserText::default(), documents }];
        let job = Job { said: &said, options, summary: true, without_model: false };
        let done = self.run(&job, &mut PseudonymMap::new(), approver, cancel, on_event)?;
        stopped_early(&done)?;
        let written = done.written;
        Ok(Summary {
            summary: written.text.into(),
            coverage: written.coverage.unwrap_or_default(),
            files: done.files,
            model: written.model,
            device: written.device,
            route: done.decision,
            tokens: written.tokens,
            timings: written.timings,
            outbound: done.outbound,
            cost: done.cost,
            notices: written.notices,
        })
    }

    /// The gate under the settings' policy, with the user's own list.
    pub(crate) fn gate(&self) -> Gate {
        let list = self.own_list.read().unwrap_or_else(PoisonError::into_inner);
        let settings = self.settings();
        let policy = settings
            .actions
            .iter()
            .fold(Policy::preset(settings.privacy), |policy, (kind, action)| {
                policy.with(*kind, *action)
            });
        Gate::new(policy, self.names.tagger()).with_list(&list)
    }

    /// Redacts a text under a policy's name, `balanced` or `strict`, going on with `map`.
    ///
    /// # Errors
    /// `Usage` for an unknown policy; what the gate refuses.
    pub fn redact(
        &self,
        text: &str,
        policy: &str,
        map: &mut PseudonymMap,
    ) -> Result<Redaction, Failure> {
        let policy = Policy::named(policy).ok_or_else(|| {
            Failure::usage("This is not a policy; use `balanced` or `strict`, if need be with types after it, as in `balanced,PHONE=fake,SECRET=refuse`.")
        })?;
        let detector = Detector::new(self.names.tagger())?;
        Ok(nearside_privacy::redact_with(&detector, text, &policy, map)?)
    }
}

/// Nobody's window can be dictated into.
#[must_use]
pub fn no_window() -> Failure {
    Failure::not_found("Nearside's window is not open; start it, then toggle dictation.")
}

/// An answer that keeps nothing fails when it was stopped or broke off: its text has been streamed.
fn stopped_early(done: &Done) -> Result<(), Failure> {
    if let Some(failure) = &done.written.failure {
        return Err(failure.clone());
    }
    if done.written.finish == Some(nearside_types::FinishReason::Cancelled) {
        return Err(Failure::new(nearside_types::FailureKind::Cancelled, "Stopped."));
    }
    Ok(())
}

/// Puts originals back into a text.
#[must_use]
pub fn restore(text: &str, map: &PseudonymMap) -> Restored {
    nearside_privacy::restore(text, map)
}
