//! Serving the local models to other programs: `nearside-serve` listens, the keeper computes. It needs no
//! vault, keeps nothing, and sends nothing on.

use std::net::SocketAddr;
use std::sync::Arc;

use nearside_serve::{Backend, Embedded, ServedModel, Server, Token};
use nearside_types::{
    Cancel, DeviceChoice, Embedder, EmbedderRole, Failure, FailureKind, GenerateOptions,
    Generation, ModelPurpose, ModelState, TokenLogprob, TranscribeOptions, Transcript, Turn,
};

use crate::encoder::{ENCODER, Meaning};
use crate::error::Error;
use crate::headless::Headless;
use crate::keeper::Lease;
use crate::voice::{Recording, Sound};

struct Models {
    headless: Arc<Headless>,
    device: DeviceChoice,
}

impl Models {
    fn lease(&self, model: &str, cancel: &Cancel) -> Result<Lease, Failure> {
        let wanted = Some(model).filter(|name| !name.is_empty());
        self.headless.keeper.borrow_model(wanted, self.device, cancel, &mut || {})
    }
}

impl Backend for Models {
    fn models(&self) -> Vec<ServedModel> {
        let models = self.headless.models().into_iter();
        models
            .filter(|model| model.state == ModelState::Installed)
            .filter(|model| {
                matches!(model.purpose, ModelPurpose::Chat | ModelPurpose::Speech)
                    || model.name == ENCODER
            })
            .map(|model| ServedModel { name: model.name, context_length: None })
            .collect()
    }

    fn chat(
        &self,
        model: &str,
        turns: &[Turn],
        options: &GenerateOptions,
        cancel: &Cancel,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Generation, Failure> {
        let mut lease = self.lease(model, cancel)?;
        lease.model().generate(turns, options, cancel, &mut |_, _| {}, on_text)
    }

    fn complete(
        &self,
        model: &str,
        text: &str,
        options: &GenerateOptions,
        cancel: &Cancel,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Generation, Failure> {
        self.lease(model, cancel)?.model().complete(text, options, cancel, on_text)
    }

    fn score(
        &self,
        model: &str,
        text: &str,
        top: usize,
        cancel: &Cancel,
    ) -> Result<Vec<TokenLogprob>, Failure> {
        self.lease(model, cancel)?.model().score(text, top, cancel)
    }

    fn embed(&self, model: &str, role: EmbedderRole, texts: &[&str]) -> Result<Embedded, Failure> {
        let embedder = Some(&self.headless.meaning)
            .filter(|_| model.is_empty() || model == ENCODER)
            .and_then(Meaning::model)
            .ok_or_else(|| {
                Failure::new(
                    FailureKind::ModelMissing,
                    "This model embeds nothing here; fetch multilingual-e5-small and name it.",
                )
            })?;
        Ok(Embedded { vectors: embedder.embed(role, texts)?, tokens: embedder.tokens(texts)? })
    }

    fn transcribe(
        &self,
        model: &str,
        sound: Vec<u8>,
        options: TranscribeOptions,
        cancel: &Cancel,
    ) -> Result<Transcript, Failure> {
        // Clients that know no other name send OpenAI's.
        let model = Some(model).filter(|name| !name.is_empty() && *name != "whisper-1");
        let recording = Recording { sound: Sound::Bytes(sound), model, options };
        self.headless.transcribe(recording, cancel, &mut |_| {})
    }
}

/// Serves until `cancel`. `ready` gets the address when it listens; port 0 takes any free one.
///
/// # Errors
/// `Usage` for a token that could be guessed; when the port is taken.
pub fn serve(
    headless: &Arc<Headless>,
    address: SocketAddr,
    token: String,
    device: DeviceChoice,
    cancel: &Cancel,
    ready: &mut dyn FnMut(SocketAddr),
) -> Result<(), Failure> {
    let token = Token::new(token)?;
    let backend = Arc::new(Models { headless: Arc::clone(headless), device });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(Error::io("Starting the server's threads"))?;
    runtime.block_on(async {
        let server = Server::bind(address).await.map_err(Failure::from)?;
        ready(server.address());
        let cancel = cancel.clone();
        let stop = async move {
            while !cancel.is_cancelled() {
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
        };
        server.run(backend, token, stop).await.map_err(Failure::from)
    })
}

/// A token that nobody can guess: 160 random bits as letters and digits.
#[must_use]
pub fn fresh_token() -> String {
    // Two ULIDs without their times: 80 random bits each.
    let parts = [(); 2].map(|()| nearside_types::JobId::new().0);
    parts.iter().map(|id| id.get(10..).unwrap_or(id)).collect::<String>().to_lowercase()
}
