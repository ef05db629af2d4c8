//! The far side as tasks see it: a way to send what the gate approved, and to hear the answer. The product's
//! is `CloudSide`; tests bring their own.

use std::sync::Arc;
use std::sync::mpsc::channel;

use nearside_cloud::{Connector, Ledger, LocalOnly};
use nearside_privacy::Outbound;
use nearside_types::{
    Cancel, Failure, FailureKind, FinishReason, Provider, ProviderCheck, Settings, Tokens,
};
use nearside_vault::{Secret, Vault};

use crate::error::Error;

/// How a far answer ended.
#[derive(Debug, Clone, Default)]
pub struct FarEnd {
    pub finish: Option<FinishReason>,
    /// As the provider counts them, where it says so.
    pub tokens: Option<Tokens>,
}

/// Sends approved requests. Every byte that it sends is in the ledger first.
pub trait FarSide: Send + Sync {
    /// Sends, and hands on the answer's text as it comes, placeholders included. Text that was handed on
    /// before an error stays valid. Without a `key`, the stored one of the provider is used.
    ///
    /// # Errors
    /// `Refused` in local-only mode, `Network`, `Cancelled`.
    fn send(
        &self,
        provider: &Provider,
        key: Option<&Secret<String>>,
        outbound: &Outbound,
        cancel: &Cancel,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<FarEnd, Failure>;
    /// Whether the provider answers, and with which models. Sends no user content.
    fn check(&self, provider: &Provider, cancel: &Cancel) -> ProviderCheck;
}

/// The cloud crate's connector over one data folder, with a runtime for its connections.
pub(crate) struct CloudSide {
    pub(crate) connector: Arc<Connector>,
    vault: Vault,
    runtime: Arc<tokio::runtime::Runtime>,
}

/// Threads for connections: they wait, and compute nothing.
pub(crate) fn runtime() -> Result<Arc<tokio::runtime::Runtime>, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("connections")
        .enable_all()
        .build()
        .map_err(Error::io("Starting the threads for connections"))?;
    Ok(Arc::new(runtime))
}

impl CloudSide {
    pub(crate) fn new(
        vault: &Vault,
        ledger: &Arc<Ledger>,
        local_only: &LocalOnly,
        settings: &Settings,
        runtime: &Arc<tokio::runtime::Runtime>,
    ) -> Self {
        local_only.set(settings.local_only);
        let connector = Connector::new(local_only.clone(), &settings.proxy, Arc::clone(ledger));
        Self { connector: Arc::new(connector), vault: vault.clone(), runtime: Arc::clone(runtime) }
    }

    fn key(&self, provider: &Provider) -> Option<Secret<String>> {
        self.vault.api_key(&key_name(provider)).ok().flatten()
    }
}

/// The name under which the vault keeps a provider's key: names there are plain, providers' are not.
pub(crate) fn key_name(provider: &Provider) -> String {
    let plain: String = provider
        .name
        .to_lowercase()
        .chars()
        .map(|c| if c.is_ascii_lowercase() || c.is_ascii_digit() { c } else { '-' })
        .take(48)
        .collect();
    format!("provider-{plain}")
}

impl FarSide for CloudSide {
    fn send(
        &self,
        provider: &Provider,
        key: Option<&Secret<String>>,
        outbound: &Outbound,
        cancel: &Cancel,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<FarEnd, Failure> {
        let key = match key {
            Some(key) => Some(Secret::new(key.expose().clone())),
            None => self.key(provider),
        };
        let (connector, provider) = (Arc::clone(&self.connector), provider.clone());
        let (outbound, cancel) = (outbound.clone(), cancel.clone());
        // The caller's sink stays on the caller's thread; pieces travel to it.
        let (say, hear) = channel();
        let task = self.runtime.spawn(async move {
            let mut on_delta = |piece: &str| {
                let _gone_caller_misses_it = say.send(piece.to_owned());
            };
            connector.send(&outbound, &provider, key.as_ref(), &cancel, &mut on_delta).await
        });
        for piece in hear {
            on_text(&piece);
        }
        let reply = self
            .runtime
            .block_on(task)
            .map_err(|_| Failure::new(FailureKind::Internal, "The connection's task ended."))??;
        Ok(FarEnd { finish: Some(reply.finish), tokens: reply.tokens })
    }

    fn check(&self, provider: &Provider, cancel: &Cancel) -> ProviderCheck {
        let key = self.key(provider);
        self.runtime.block_on(self.connector.check(provider, key.as_ref(), cancel))
    }
}
