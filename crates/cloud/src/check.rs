//! "Test connection": asks a provider for its models, which proves address, key and network without
//! sending anything of the user's.

use nearside_types::{Cancel, LedgerKind, LedgerOutcome, Provider, ProviderCheck};
use nearside_vault::Secret;

use crate::CloudError;
use crate::connector::{Connector, Interrupted};
use crate::endpoint::Endpoint;
use crate::ledger::Departure;
use crate::openai::{read_error_body, read_models};
use crate::status::{explain, transport};

const BODY: usize = 4 << 20;
/// Of no bytes: the request has no body.
const EMPTY_SHA256: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

impl Connector {
    /// Whether the provider answers, with its models and a sentence for the settings page.
    pub async fn check(
        &self,
        provider: &Provider,
        key: Option<&Secret<String>>,
        cancel: &Cancel,
    ) -> ProviderCheck {
        match self.models(provider, key, cancel).await {
            Ok((host, models)) => {
                let known = provider.model.is_empty() || models.contains(&provider.model);
                let message = if known {
                    format!("{host} answers and offers {} models.", models.len())
                } else {
                    format!("{host} answers, but its list does not name `{}`.", provider.model)
                };
                ProviderCheck { reachable: true, models, message, failure: None }
            }
            Err(error) => {
                let (message, failure) = (error.to_string(), Some(error.into()));
                ProviderCheck { reachable: false, models: Vec::new(), message, failure }
            }
        }
    }

    async fn models(
        &self,
        provider: &Provider,
        key: Option<&Secret<String>>,
        cancel: &Cancel,
    ) -> Result<(String, Vec<String>), CloudError> {
        let endpoint = Endpoint::parse(&provider.base_url)?;
        endpoint.permit_secrets()?;
        let client = self.client_for(&endpoint)?;
        let departure = Departure {
            kind: LedgerKind::Housekeeping,
            destination: endpoint.destination.clone(),
            bytes: 0,
            sha256: EMPTY_SHA256.to_owned(),
            entities: Vec::new(),
        };
        let entry = self.begin(departure).await?;
        let mut left = true;
        let result = async {
            let host = || endpoint.destination.clone();
            let wait = self.limits.first_byte.min(self.limits.idle);
            let stopped = |why| match why {
                Interrupted::Cancelled => CloudError::Cancelled { partial: String::new().into() },
                Interrupted::LocalOnly => CloudError::LocalOnly,
                Interrupted::Silent => CloudError::Slow { host: host(), seconds: wait.as_secs() },
            };
            let mut request = client.get(endpoint.call(&["models"]));
            if let Some(key) = key {
                request = request.bearer_auth(key.expose());
            }
            let sent = self.watch(wait, cancel, request.send()).await.map_err(stopped)?;
            let mut response = sent.map_err(|error| {
                let failed = transport(&host(), &error);
                left = failed.left;
                failed.error
            })?;
            let mut body = Vec::new();
            loop {
                let chunk = self.watch(wait, cancel, response.chunk()).await.map_err(stopped)?;
                match chunk {
                    Ok(Some(chunk)) if body.len() + chunk.len() <= BODY => {
                        body.extend_from_slice(&chunk);
                    }
                    Ok(None) => break,
                    _ => return Err(CloudError::Garbled { host: host() }),
                }
            }
            let status = response.status();
            if !status.is_success() {
                return Err(explain(&host(), status.as_u16(), &read_error_body(&body), None).error);
            }
            read_models(&body).ok_or_else(|| CloudError::Garbled { host: host() })
        }
        .await;
        let outcome = if left { LedgerOutcome::Sent } else { LedgerOutcome::Failed };
        let _stays_pending = self.finish(entry, outcome).await;
        result.map(|models| (endpoint.destination.clone(), models))
    }
}
