//! The state of the window's process: the engine, once the vault is open, and what it is opened with.
//!
//! One owner: Tauri's managed state. Locks are held to look something up, never over work.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock, Weak};

use nearside_engine::attach::Listening;
use nearside_engine::{
    DataPlace, Engine, EngineOptions, Headless, HeadlessOptions, KeySource, Secret, is_set_up,
    read_settings,
};
use nearside_types::{
    AppEvent, AppInfo, DownloadEvent, Failure, FileChip, IndexProgress, ModelInfo, Settings,
    SettingsPatch, VaultCondition, VaultState,
};
use tauri::{AppHandle, Emitter, Manager, Runtime};

use crate::commands::download;
use crate::jobs::Jobs;
use crate::words::{system_locale, words};
use crate::{login, shortcut, tray};

/// The event under which the window hears of changes.
const APP_EVENT: &str = "app";

pub(crate) struct Shell {
    headless: Arc<Headless>,
    data_dir: PathBuf,
    open: RwLock<Option<Open>>,
    vault: Mutex<Option<VaultState>>,
    vault_known: Condvar,
    pub(crate) jobs: Jobs,
    tray: AtomicBool,
    indexing_paused: AtomicBool,
    notices: Mutex<Vec<String>>,
}

struct Open {
    engine: Arc<Engine>,
    // Open as long as the engine: other processes attach through it.
    _listening: Option<Listening>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puts the state into the app, the icon into the tray, and opens the vault on a thread of its own: the
/// window does not wait for the keychain. Tells whether the icon is there.
pub(crate) fn start(app: &AppHandle) -> Result<bool, Failure> {
    let data_dir = DataPlace::from_environment().data_dir()?;
    let settings = read_settings(&data_dir);
    let headless = Headless::new(HeadlessOptions {
        settings: settings.clone(),
        worker: std::env::current_exe().ok(),
        ..HeadlessOptions::default()
    })?;
    let (headless, handle) = (Arc::new(headless), app.clone());
    headless.on_dictate(Box::new(move || shortcut::dictate(&handle)));
    app.manage(Shell {
        headless,
        data_dir,
        open: RwLock::new(None),
        vault: Mutex::new(None),
        vault_known: Condvar::new(),
        jobs: Jobs::default(),
        tray: AtomicBool::new(false),
        indexing_paused: AtomicBool::new(false),
        notices: Mutex::new(Vec::new()),
    });
    let shell = app.state::<Shell>();
    let tray = shell.find_tray(app, &settings);
    let words = words(settings.language, &system_locale());
    if !shortcut::exchange(app, "", &settings.global_shortcut, shortcut::show) {
        lock(&shell.notices).push(words.shortcut_taken.to_owned());
    }
    if !shortcut::exchange(app, "", &settings.voice.shortcut, shortcut::dictate) {
        lock(&shell.notices).push(words.dictation_taken.to_owned());
    }
    let handle = app.clone();
    std::thread::spawn(move || {
        // What went wrong is in `vault_state`, which the window asks for.
        let _ = open_vault(&handle, None);
    });
    Ok(tray)
}

/// Opens the data folder with the keychain, or with the passphrase that the user typed.
pub(crate) fn open_vault(app: &AppHandle, passphrase: Option<String>) -> Result<(), Failure> {
    let shell = app.state::<Shell>();
    let source =
        passphrase.map_or_else(KeySource::os, |text| KeySource::Passphrase(Secret::new(text)));
    let opened = Engine::open(
        EngineOptions::new(shell.data_dir.clone(), source),
        Arc::clone(&shell.headless),
    );
    let (state, result) = match opened {
        Ok(engine) => {
            shell.take_up(Arc::new(engine));
            (VaultState { state: VaultCondition::Open, failure: None }, Ok(()))
        }
        Err(failure) => {
            let state = match (failure.code.as_str(), is_set_up(&shell.data_dir)) {
                ("vault_locked", true) => VaultCondition::NeedsPassphrase,
                ("vault_locked", false) => VaultCondition::New,
                _ => VaultCondition::Failed,
            };
            (VaultState { state, failure: Some(failure.clone()) }, Err(failure))
        }
    };
    *lock(&shell.vault) = Some(state);
    shell.vault_known.notify_all();
    result
}

/// Stops what runs and lets the engine go, so that nothing is cut off in the middle of a write.
pub(crate) fn stop(app: &AppHandle) {
    if let Some(shell) = app.try_state::<Shell>() {
        shell.jobs.stop_all();
        shell.close();
    }
}

/// Tells every window.
pub(crate) fn emit<R: Runtime>(app: &AppHandle<R>, event: &AppEvent) {
    // A window that is being closed has nobody to tell.
    let _ = app.emit(APP_EVENT, event);
}

impl Shell {
    /// # Errors
    /// `Refused` with code `vault_locked` until the vault is open.
    pub(crate) fn engine(&self) -> Result<Arc<Engine>, Failure> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        open.as_ref().map(|open| Arc::clone(&open.engine)).ok_or_else(|| {
            Failure::coded(
                nearside_types::FailureKind::Refused,
                "vault_locked",
                "Unlock Nearside first.",
            )
        })
    }

    /// Works with this engine from now on, and lets other processes attach to it.
    pub(crate) fn take_up(&self, engine: Arc<Engine>) {
        let listening = engine.listen().ok();
        *self.open.write().unwrap_or_else(PoisonError::into_inner) =
            Some(Open { engine, _listening: listening });
    }

    /// Lets the engine go. The folder is free once nobody holds what is returned.
    pub(crate) fn close(&self) -> Option<Weak<Engine>> {
        let open = self.open.write().unwrap_or_else(PoisonError::into_inner).take();
        open.map(|open| Arc::downgrade(&open.engine))
    }

    pub(crate) fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// Waits for the first attempt to open the vault.
    pub(crate) fn vault_state(&self) -> VaultState {
        let mut state = lock(&self.vault);
        loop {
            if let Some(known) = &*state {
                return known.clone();
            }
            state = self.vault_known.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(crate) fn info(&self) -> AppInfo {
        AppInfo {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            platform: std::env::consts::OS.to_owned(),
            locale: system_locale(),
            data_dir: self.data_dir.display().to_string(),
            models_dir: self.headless.models_dir().display().to_string(),
            tray: self.has_tray(),
            context: nearside_engine::CONTEXT,
            notices: lock(&self.notices).clone(),
        }
    }

    pub(crate) fn has_tray(&self) -> bool {
        self.tray.load(Ordering::Relaxed)
    }

    /// Looks again whether the desktop shows icons, on the window's own thread: a panel may have started
    /// after us, or have gone. Tells whether ours is there now.
    pub(crate) fn find_tray(&self, app: &AppHandle, settings: &Settings) -> bool {
        let there = tray::find(app, settings);
        self.tray.store(there, Ordering::Relaxed);
        there
    }

    pub(crate) fn indexing_paused(&self) -> bool {
        self.indexing_paused.load(Ordering::Relaxed)
    }

    /// Pausing stops the indexing run; what it did is kept, and adding the folder again goes on.
    pub(crate) fn pause_indexing(&self, paused: bool) {
        self.indexing_paused.store(paused, Ordering::Relaxed);
        if paused {
            self.jobs.stop(INDEXING);
        }
    }

    pub(crate) fn settings(&self) -> Settings {
        self.headless.settings()
    }

    /// Changes settings and makes them hold in the tray, the shortcut and the login items.
    pub(crate) fn update_settings(
        &self,
        app: &AppHandle,
        patch: SettingsPatch,
    ) -> Result<Settings, Failure> {
        let before = self.settings();
        let voice = patch.voice.as_ref().and_then(|voice| voice.shortcut.as_ref());
        let words = words(before.language, &system_locale());
        for (keys, held, run, sentence) in [
            (
                patch.global_shortcut.as_ref(),
                &before.global_shortcut,
                shortcut::show as fn(&AppHandle),
                words.shortcut_taken,
            ),
            (
                voice,
                &before.voice.shortcut,
                shortcut::dictate as fn(&AppHandle),
                words.dictation_taken,
            ),
        ] {
            if let Some(keys) = keys
                && keys != held
                && !shortcut::exchange(app, held, keys, run)
            {
                shortcut::exchange(app, "", held, run);
                return Err(Failure::coded(
                    nearside_types::FailureKind::Usage,
                    "shortcut_taken",
                    sentence,
                ));
            }
        }
        let next = self.engine()?.update_settings(patch)?;
        if next.autostart != before.autostart {
            login::start_with_system(app, next.autostart)?;
        }
        tray::refresh(app, &next);
        emit(app, &AppEvent::SettingsChanged);
        Ok(next)
    }

    pub(crate) fn inspect(&self, paths: &[String]) -> Vec<FileChip> {
        self.headless.inspect(paths)
    }

    pub(crate) fn headless(&self) -> &Headless {
        &self.headless
    }

    /// Fetches through the ledger when the vault is open, without one on a first run.
    pub(crate) fn fetch(
        &self,
        name: &str,
        on_event: &mut (dyn FnMut(DownloadEvent) + Send),
    ) -> Result<(), Failure> {
        let running = self.jobs.begin(&download(name))?;
        let fetched: Result<ModelInfo, Failure> = match self.engine() {
            Ok(engine) => engine.fetch_model(name, true, &running.cancel, on_event),
            Err(_) => self.headless.fetch_model(name, &running.cancel, on_event),
        };
        match fetched {
            // The last event said already that it was paused.
            Err(failure) if failure.kind == nearside_types::FailureKind::Cancelled => Ok(()),
            other => other.map(|_| ()),
        }
    }

    pub(crate) fn index(
        &self,
        path: &Path,
        on_progress: &mut dyn FnMut(IndexProgress),
    ) -> Result<(), Failure> {
        if self.indexing_paused() {
            return Err(Failure::coded(
                nearside_types::FailureKind::Refused,
                "indexing_paused",
                "Indexing is paused; resume it in the tray's menu.",
            ));
        }
        let running = self.jobs.begin(INDEXING)?;
        self.engine()?.library_add(path, &running.cancel, on_progress).map(|_| ())
    }
}

/// The name of the indexing run among the jobs.
pub(crate) const INDEXING: &str = "indexing";
