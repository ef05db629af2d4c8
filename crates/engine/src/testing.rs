//! What the engine's tests share: an engine in a folder of its own, on a parrot, with a far side that only
//! listens. Nothing here exists outside tests.

use std::path::Path;
use std::sync::{Arc, Mutex};

use nearside_privacy::Outbound;
use nearside_test_kit::{FakeClock, ParrotModel};
use nearside_types::{
    Cancel, ChatEvent, ConversationId, DeviceChoice, Failure, FailureKind, FinishReason, Message,
    Notice, Preview, Provider, ProviderCheck, RouteChoice, SendRequest, SettingsPatch, TextModel,
    Tokens,
};
use nearside_vault::{KeySource, MemoryKeychain, Secret};

use crate::engine::{Engine, EngineOptions};
use crate::far::{FarEnd, FarSide};
use crate::headless::{Headless, HeadlessOptions};
use crate::keeper::ModelSource;
use crate::task::{Approver, Verdict};

/// One parrot, or no model at all.
pub(crate) struct Cage(pub(crate) Option<ParrotModel>);

impl ModelSource for Cage {
    fn resolve(&self, wanted: Option<&str>) -> Result<String, Failure> {
        match &self.0 {
            Some(parrot) => Ok(wanted.unwrap_or(parrot.name()).to_owned()),
            None => Err(Failure::new(
                FailureKind::ModelMissing,
                "No model is installed; fetch one with `nearside models fetch parrot`.",
            )),
        }
    }

    fn load(&self, _: &str, _: DeviceChoice) -> Result<(Box<dyn TextModel>, Vec<Notice>), Failure> {
        let parrot = self.0.clone().ok_or_else(|| Failure::internal("There is no parrot."))?;
        Ok((Box::new(parrot), Vec::new()))
    }
}

pub(crate) struct Fixture {
    pub(crate) engine: Arc<Engine>,
    pub(crate) folder: tempfile::TempDir,
    keychain: Arc<MemoryKeychain>,
}

pub(crate) fn headless(parrot: Option<ParrotModel>, models: &Path) -> Arc<Headless> {
    let options = HeadlessOptions {
        models_dir: Some(models.to_owned()),
        source: Some(Arc::new(Cage(parrot))),
        ..HeadlessOptions::default()
    };
    Arc::new(Headless::new(options).unwrap())
}

impl Fixture {
    pub(crate) fn new(parrot: Option<ParrotModel>) -> Self {
        let folder = tempfile::Builder::new().prefix("数据 folder ").tempdir().unwrap();
        let keychain = Arc::new(MemoryKeychain::new());
        let engine = Arc::new(open(folder.path(), &keychain, parrot).unwrap());
        Self { engine, folder, keychain }
    }

    /// Closes the folder and opens it again, as after a restart.
    pub(crate) fn reopened(self, parrot: Option<ParrotModel>) -> Self {
        let Self { engine, folder, keychain } = self;
        drop(engine);
        let engine = Arc::new(open(folder.path(), &keychain, parrot).unwrap());
        Self { engine, folder, keychain }
    }

    pub(crate) fn options(&self) -> EngineOptions {
        options(self.folder.path(), &self.keychain)
    }

    pub(crate) fn conversation(&self) -> ConversationId {
        self.engine.new_conversation().unwrap().summary.id
    }

    /// Sets a cloud model up, and a fake in its place.
    pub(crate) fn with_far(&self, far: &Arc<FakeFar>) {
        let provider = Some(Provider {
            name: "Example".into(),
            base_url: "https://api.example.com/v1".into(),
            model: "far-model".into(),
            context_length: 32_000,
            price_in: Some("1".into()),
            price_out: Some("2".into()),
            currency: Some("EUR".into()),
            has_key: false,
        });
        self.engine.update_settings(SettingsPatch { provider, ..Default::default() }).unwrap();
        self.engine.headless().set_far(Arc::clone(far) as Arc<dyn FarSide>);
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }
}

fn options(folder: &Path, keychain: &Arc<MemoryKeychain>) -> EngineOptions {
    EngineOptions {
        data_dir: folder.join("data"),
        key_source: KeySource::Keychain { keychain: Arc::clone(keychain) as _, ask: None },
        clock: Arc::new(FakeClock::default()),
    }
}

fn open(
    folder: &Path,
    keychain: &Arc<MemoryKeychain>,
    parrot: Option<ParrotModel>,
) -> Result<Engine, Failure> {
    Engine::open(options(folder, keychain), headless(parrot, &folder.join("models")))
}

pub(crate) fn asking(conversation: &ConversationId, text: &str) -> SendRequest {
    SendRequest {
        conversation: conversation.clone(),
        text: text.into(),
        files: Vec::new(),
        route: RouteChoice::Auto,
        model: None,
        replaces: None,
        regenerates: None,
        continues: None,
    }
}

/// Sends, refusing every cloud; returns the stored answer.
pub(crate) fn sent(engine: &Engine, request: SendRequest) -> Message {
    let mut last = None;
    engine
        .send(request, &Cancel::new(), &mut Always(None), &mut |event| {
            if let ChatEvent::Finished { message } = event {
                last = Some(message);
            }
        })
        .unwrap();
    last.unwrap()
}

/// Says the same to each preview; sends the right hash when told to send.
pub(crate) struct Always(pub(crate) Option<fn(&Preview) -> Verdict>);

impl Approver for Always {
    fn ask(&mut self, preview: &Preview) -> std::sync::mpsc::Receiver<Verdict> {
        let (say, hear) = std::sync::mpsc::channel();
        let verdict = self.0.map_or(Verdict::Cancel, |verdict| verdict(preview));
        say.send(verdict).unwrap();
        hear
    }
}

pub(crate) fn send_it(preview: &Preview) -> Verdict {
    Verdict::Send { sha256: preview.sha256.clone() }
}

/// A far side that records bodies and answers in pieces; after the pieces it fails if told so.
#[derive(Default)]
pub(crate) struct FakeFar {
    pub(crate) bodies: Mutex<Vec<Vec<u8>>>,
    pub(crate) pieces: Vec<&'static str>,
    pub(crate) fails: Option<FailureKind>,
}

impl FarSide for FakeFar {
    fn send(
        &self,
        _: &Provider,
        _: Option<&Secret<String>>,
        outbound: &Outbound,
        cancel: &Cancel,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<FarEnd, Failure> {
        self.bodies.lock().unwrap().push(outbound.body().to_vec());
        for piece in &self.pieces {
            if cancel.is_cancelled() {
                return Err(Failure::new(FailureKind::Cancelled, "Stopped."));
            }
            on_text(piece);
        }
        if let Some(kind) = self.fails {
            return Err(Failure::new(kind, "The far side broke off."));
        }
        let tokens = Some(Tokens { prompt: 10, reused: 0, generated: 5 });
        Ok(FarEnd { finish: Some(FinishReason::Stop), tokens })
    }

    fn check(&self, _: &Provider, _: &Cancel) -> ProviderCheck {
        ProviderCheck { reachable: true, models: Vec::new(), message: String::new(), failure: None }
    }
}
