//! Sending an approved request and reading its answer as it streams.
//!
//! The body is the approved one, byte for byte, at each try. A try is repeated only while nothing of an
//! answer was delivered, and each try is a ledger entry of its own, since each sends the bytes again.
//! What has been delivered stays delivered: an error after that carries the partial text.

use std::time::{Duration, Instant};

use nearside_privacy::Outbound;
use nearside_types::{
    Cancel, Cost, FinishReason, LedgerKind, LedgerOutcome, Provider, Tokens, UserText,
};
use nearside_vault::Secret;
use reqwest::header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER};
use time::OffsetDateTime;

use crate::client::Client;
use crate::connector::{Connector, Interrupted};
use crate::cost::cost;
use crate::endpoint::Endpoint;
use crate::ledger::Departure;
use crate::openai::{ErrorObject, Piece, read_error_body, read_piece};
use crate::sse::{SseLimits, SseParser};
use crate::status::{explain, transport};
use crate::{CloudError, retry};

const ERROR_BODY: usize = 64 << 10;

/// A whole answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// With the placeholders that the model wrote; restoring them is the caller's.
    pub text: UserText,
    pub finish: FinishReason,
    /// As the provider counted, where it did.
    pub tokens: Option<Tokens>,
    pub cost: Option<Cost>,
    /// The model as the provider names it.
    pub model: Option<String>,
    /// Tries that it took, each one a ledger entry.
    pub tries: u32,
    /// The ledger entry of the try that was answered.
    pub sequence: u64,
    pub first_token: Duration,
    pub total: Duration,
}

/// A try that failed.
pub(crate) struct Failed {
    pub(crate) error: CloudError,
    /// Whether the same request may succeed later.
    pub(crate) passing: bool,
    /// The pause that the server asked for.
    pub(crate) wish: Option<Duration>,
    /// Whether the body may have left this machine.
    pub(crate) left: bool,
}

impl Failed {
    pub(crate) fn for_good(error: CloudError) -> Self {
        Self { error, passing: false, wish: None, left: true }
    }
}

struct Answer {
    text: String,
    finish: Option<FinishReason>,
    tokens: Option<Tokens>,
    model: Option<String>,
    first_token: Option<Instant>,
    /// The stream said that it is complete.
    done: bool,
}

impl Connector {
    /// Sends `outbound` to `provider` and hands on each piece of the answer's text.
    ///
    /// # Errors
    /// See [`CloudError`]; those after the first piece carry the partial text. Nothing is sent in
    /// local-only mode, to another destination than was approved, or when the ledger cannot note it.
    pub async fn send(
        &self,
        outbound: &Outbound,
        provider: &Provider,
        key: Option<&Secret<String>>,
        cancel: &Cancel,
        on_delta: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Reply, CloudError> {
        let endpoint = Endpoint::parse(&provider.base_url)?;
        let departure = Departure {
            kind: LedgerKind::Request,
            destination: endpoint.destination.clone(),
            bytes: outbound.body().len() as u64,
            sha256: outbound.sha256().to_owned(),
            entities: outbound.entities().to_vec(),
        };
        if let Err(error) = self.local_only.permit() {
            // The refusal stands also where it cannot be noted.
            let _unnoted = self.refuse(departure).await;
            return Err(error);
        }
        if outbound.destination() != endpoint.destination {
            return Err(CloudError::OtherDestination {
                approved: outbound.destination().to_owned(),
                asked: endpoint.destination,
            });
        }
        endpoint.permit_secrets()?;
        let client = self.client_for(&endpoint)?;
        let started = Instant::now();
        let mut tries = 0;
        loop {
            tries += 1;
            let entry = self.begin(departure.clone()).await?;
            let sequence = entry.sequence();
            let result =
                self.attempt(&client, &endpoint, outbound, key, cancel, &mut *on_delta).await;
            let left = result.as_ref().map_or_else(|failed| failed.left, |_| true);
            let outcome = if left { LedgerOutcome::Sent } else { LedgerOutcome::Failed };
            // An entry that cannot be closed stays pending, which says no less.
            let _stays_pending = self.finish(entry, outcome).await;
            let failed = match result {
                Ok(answer) => {
                    let first = answer.first_token.unwrap_or_else(Instant::now);
                    return Ok(Reply {
                        text: answer.text.into(),
                        finish: answer.finish.unwrap_or(FinishReason::Stop),
                        cost: answer.tokens.and_then(|tokens| cost(provider, tokens)),
                        tokens: answer.tokens,
                        model: answer.model,
                        tries,
                        sequence,
                        first_token: first - started,
                        total: started.elapsed(),
                    });
                }
                Err(failed) => failed,
            };
            let pause = failed
                .passing
                .then(|| self.limits.retry.pause(tries, failed.wish, retry::random()))
                .flatten();
            let Some(pause) = pause else {
                return Err(failed.error);
            };
            let wait = self.watch(pause, cancel, std::future::pending::<()>()).await;
            if let Err(Interrupted::Cancelled) = wait {
                return Err(CloudError::Cancelled { partial: UserText::default() });
            }
            self.local_only.permit()?;
        }
    }

    async fn attempt(
        &self,
        client: &Client,
        endpoint: &Endpoint,
        outbound: &Outbound,
        key: Option<&Secret<String>>,
        cancel: &Cancel,
        on_delta: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Answer, Failed> {
        let host = &endpoint.destination;
        let mut request = client
            .post(endpoint.call(&["chat", "completions"]))
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream, application/json")
            .body(outbound.body().to_vec());
        if let Some(key) = key {
            request = request.bearer_auth(key.expose());
        }
        let deadline = Instant::now() + self.limits.first_byte;
        let mut response = self
            .watch(self.limits.first_byte, cancel, request.send())
            .await
            .map_err(|why| self.interrupted(why, host, "", self.limits.first_byte))?
            .map_err(|error| transport(host, &error))?;
        let status = response.status();
        let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
        if !status.is_success() {
            let now = OffsetDateTime::now_utc();
            let wish = header(RETRY_AFTER).and_then(|value| retry::retry_after(value, now));
            let body = self.error_body(&mut response, cancel).await;
            return Err(explain(host, status.as_u16(), &read_error_body(&body), wish));
        }
        let whole = header(CONTENT_TYPE).is_some_and(|kind| kind.starts_with("application/json"));
        let mut answer = Answer {
            text: String::new(),
            finish: None,
            tokens: None,
            model: None,
            first_token: None,
            done: false,
        };
        let mut parser = SseParser::new(SseLimits::default());
        let mut json = Vec::new();
        loop {
            let limit = match answer.first_token {
                Some(_) => self.limits.idle,
                None => deadline.saturating_duration_since(Instant::now()).max(self.limits.idle),
            };
            let chunk = self
                .watch(limit, cancel, response.chunk())
                .await
                .map_err(|why| self.interrupted(why, host, &answer.text, limit))?;
            let Ok(chunk) = chunk else {
                return Err(cut(host, answer.text));
            };
            let Some(chunk) = chunk else {
                break;
            };
            if whole {
                if json.len() + chunk.len() > self.limits.answer {
                    return Err(too_much(host, answer.text));
                }
                json.extend_from_slice(&chunk);
                continue;
            }
            let events = parser.push(&chunk).map_err(|_| too_much(host, answer.text.clone()))?;
            for event in events {
                self.take(host, &event, &mut answer, on_delta)?;
            }
            if answer.done {
                return Ok(answer);
            }
        }
        if whole {
            let piece = String::from_utf8(json).unwrap_or_default();
            self.take(host, &piece, &mut answer, on_delta)?;
            answer.done = true;
        } else if let Ok(Some(event)) = parser.finish() {
            self.take(host, &event, &mut answer, on_delta)?;
        }
        if answer.done || answer.finish.is_some() {
            Ok(answer)
        } else if answer.first_token.is_none() && answer.model.is_none() {
            Err(Failed::for_good(CloudError::Garbled { host: host.clone() }))
        } else {
            Err(cut(host, answer.text))
        }
    }

    /// One event's data into the answer.
    fn take(
        &self,
        host: &str,
        data: &str,
        answer: &mut Answer,
        on_delta: &mut (dyn FnMut(&str) + Send),
    ) -> Result<(), Failed> {
        if data.trim() == "[DONE]" {
            answer.done = true;
            return Ok(());
        }
        let partial = || answer.text.clone();
        let Piece { text, finish, usage, model } = match read_piece(data.as_bytes()) {
            Some(Ok(piece)) => piece,
            Some(Err(ErrorObject { code, status })) if answer.text.is_empty() => {
                return Err(explain(
                    host,
                    status.unwrap_or(500),
                    &ErrorObject { code, status },
                    None,
                ));
            }
            None if answer.text.is_empty() => {
                return Err(Failed::for_good(CloudError::Garbled { host: host.to_owned() }));
            }
            Some(Err(_)) | None => return Err(cut(host, partial())),
        };
        answer.finish = finish.or(answer.finish);
        answer.tokens = usage.or(answer.tokens);
        answer.model = model.or(answer.model.take());
        if text.is_empty() {
            return Ok(());
        }
        if answer.text.len() + text.len() > self.limits.answer {
            return Err(too_much(host, answer.text.clone()));
        }
        answer.first_token.get_or_insert_with(Instant::now);
        answer.text.push_str(&text);
        on_delta(&text);
        Ok(())
    }

    /// What an error answer says, at most 64 KiB and a few seconds of it.
    async fn error_body(&self, response: &mut reqwest::Response, cancel: &Cancel) -> Vec<u8> {
        let mut body = Vec::new();
        let limit = self.limits.idle.min(Duration::from_secs(5));
        while body.len() < ERROR_BODY
            && let Ok(Ok(Some(chunk))) = self.watch(limit, cancel, response.chunk()).await
        {
            body.extend_from_slice(&chunk[..chunk.len().min(ERROR_BODY - body.len())]);
        }
        body
    }

    fn interrupted(&self, why: Interrupted, host: &str, text: &str, limit: Duration) -> Failed {
        let partial = || UserText::from(text);
        Failed::for_good(match why {
            Interrupted::Cancelled => CloudError::Cancelled { partial: partial() },
            Interrupted::LocalOnly => CloudError::LocalOnly,
            Interrupted::Silent if text.is_empty() => {
                CloudError::Slow { host: host.to_owned(), seconds: limit.as_secs() }
            }
            Interrupted::Silent => return cut(host, text.to_owned()),
        })
    }
}

fn cut(host: &str, text: String) -> Failed {
    Failed {
        // Before the first token nothing is lost by another try.
        passing: text.is_empty(),
        error: CloudError::CutMidway { host: host.to_owned(), partial: text.into() },
        wish: None,
        left: true,
    }
}

fn too_much(host: &str, text: String) -> Failed {
    Failed::for_good(CloudError::TooMuch { host: host.to_owned(), partial: text.into() })
}
