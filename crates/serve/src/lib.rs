//! Listens: an OpenAI-compatible HTTP API on loopback, behind a token.
//!
//! It holds no model and decides no route: whoever serves gives a [`Backend`]. It answers `/v1/models`,
//! `/v1/chat/completions` and `/v1/completions`, streamed or whole, `/v1/embeddings`, and transcriptions of sound.

mod audio;
mod backend;
mod calls;
mod chat;
mod completions;
mod embeddings;
mod error;
mod format;
mod guard;
mod sampling;
mod stops;
mod tools;
mod wire;
mod work;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{MethodRouter, any, get, post};

pub use backend::{Backend, Embedded, ServedModel};
pub use error::ServeError;
pub use guard::Token;

/// A prompt of two million characters is more than any model here can read.
const LARGEST_BODY: usize = 8 * 1024 * 1024;

#[derive(Clone)]
struct Shared {
    backend: Arc<dyn Backend>,
    guard: Arc<guard::Guard>,
    /// A place for each request that computes or waits to.
    slots: Arc<tokio::sync::Semaphore>,
}

impl Shared {
    fn new(backend: Arc<dyn Backend>, token: Token, port: u16) -> Self {
        let guard = Arc::new(guard::Guard::new(token, port));
        Self { backend, guard, slots: Arc::new(tokio::sync::Semaphore::new(work::MOST_AT_ONCE)) }
    }
}

/// A server that holds its port and does not answer yet.
pub struct Server {
    #[expect(clippy::disallowed_types, reason = "this is the crate that listens")]
    listener: tokio::net::TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Takes the address. Port 0 takes any free one.
    ///
    /// # Errors
    /// `NotLoopback` for any address that other machines could reach; `Bind` when the port is taken.
    #[expect(clippy::disallowed_types, reason = "this is the crate that listens")]
    pub async fn bind(address: SocketAddr) -> Result<Self, ServeError> {
        if !address.ip().is_loopback() {
            return Err(ServeError::NotLoopback(address));
        }
        let bind = |source| ServeError::Bind { address, source };
        let listener = tokio::net::TcpListener::bind(address).await.map_err(bind)?;
        let address = listener.local_addr().map_err(bind)?;
        Ok(Self { listener, address })
    }

    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `stop` resolves.
    ///
    /// # Errors
    /// When the listener breaks.
    pub async fn run(
        self,
        backend: Arc<dyn Backend>,
        token: Token,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ServeError> {
        let application = application(Shared::new(backend, token, self.address.port()));
        axum::serve(self.listener, application)
            .with_graceful_shutdown(stop)
            .await
            .map_err(ServeError::Listen)
    }
}

/// Sound is larger than text.
fn sound(route: MethodRouter<Shared>) -> MethodRouter<Shared> {
    route.layer(DefaultBodyLimit::max(audio::LARGEST_SOUND))
}

fn application(shared: Shared) -> Router {
    Router::new()
        .route("/v1/models", get(chat::models))
        .route("/v1/chat/completions", post(chat::completions))
        .route("/v1/embeddings", post(embeddings::embeddings))
        .route("/v1/completions", post(completions::completions))
        .route("/v1/audio/transcriptions", sound(post(audio::transcriptions)))
        .route("/v1/audio/translations", sound(post(audio::translations)))
        .route("/v1/audio/{*other}", any(error::not_served))
        .fallback(error::not_found)
        .method_not_allowed_fallback(error::wrong_method)
        .layer(axum::middleware::from_fn_with_state(shared.clone(), guard::check))
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .with_state(shared)
}

#[cfg(test)]
mod tests;
