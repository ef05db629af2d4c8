//! Getting one file whole: requests, answers that are not what was asked for, waiting and trying again.

use std::time::Duration;

use reqwest::header::{
    ACCEPT_ENCODING, CONTENT_RANGE, ETAG, HeaderMap, IF_RANGE, LOCATION, RANGE, RETRY_AFTER,
};
use reqwest::{Response, StatusCode, Url};
use tokio::time::Instant;

use super::address::{host, redirected};
use super::partial::{self, Partial};
use super::stop::Stop;
use super::{HubError, HubFile, OnHousekeeping, Patience};

const REDIRECTS: usize = 10;
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// How late a cancel is seen.
const LOOK: Duration = Duration::from_millis(100);

/// Whether the whole file came in one go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Fresh,
    /// Joined from more than one answer.
    Resumed,
}

pub(super) struct Transfer<'a> {
    pub(super) client: &'a reqwest::Client,
    pub(super) patience: Patience,
    pub(super) file: &'a HubFile,
    pub(super) stop: Stop<'a>,
    pub(super) on_housekeeping: OnHousekeeping<'a>,
    /// Hosts already noted in the ledger for this file.
    pub(super) noted: Vec<String>,
}

/// What one try came to, short of an error that ends the download.
enum Try {
    Whole,
    /// Worth another try, after a pause that the server may have named.
    Again {
        reason: String,
        pause: Option<Duration>,
    },
}

impl Try {
    fn again(reason: impl Into<String>) -> Self {
        Self::Again { reason: reason.into(), pause: None }
    }
}

impl Transfer<'_> {
    /// Tries until the file has its full length. `on_bytes` gets the bytes that are here.
    pub(super) async fn complete(
        &mut self,
        url: &Url,
        mut partial: Partial,
        on_bytes: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Outcome, HubError> {
        let mut tries = 0;
        let mut outcome = if partial.length() > 0 { Outcome::Resumed } else { Outcome::Fresh };
        while partial.length() < self.file.size {
            let before = partial.length();
            let tried = self.once(url, &mut partial, on_bytes).await;
            // What has arrived outlives this process, however the try ended.
            let kept = partial.keep().await;
            let tried = match tried.and_then(|tried| kept.map(|()| tried)) {
                Err(error @ (HubError::DiskFull { .. } | HubError::WrongLength { .. })) => {
                    drop(partial);
                    partial::remove(self.file).await?;
                    return Err(error);
                }
                other => other?,
            };
            let Try::Again { reason, pause } = tried else { break };
            outcome = Outcome::Resumed;
            tries = if partial.length() > before { 1 } else { tries + 1 };
            if tries >= self.patience.tries {
                return Err(HubError::Unreachable { host: host(url), reason });
            }
            let doubled = self.patience.pause.saturating_mul(1 << (tries - 1).min(16));
            wait(pause.unwrap_or(doubled).min(LONGEST_PAUSE), self.stop).await?;
        }
        Ok(outcome)
    }

    /// One request with its redirects, and the body of its answer.
    async fn once(
        &mut self,
        url: &Url,
        partial: &mut Partial,
        on_bytes: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Try, HubError> {
        let mut url = url.clone();
        let mut response = None;
        for _ in 0..=REDIRECTS {
            let answer = match self.ask(&url, partial).await? {
                Ok(answer) => answer,
                Err(reason) => return Ok(Try::again(reason)),
            };
            let location = answer.headers().get(LOCATION).and_then(|value| value.to_str().ok());
            match location {
                Some(location) if answer.status().is_redirection() => {
                    url = redirected(&url, location)?;
                }
                _ => {
                    response = Some(answer);
                    break;
                }
            }
        }
        let Some(response) = response else { return Err(HubError::Redirect(host(&url))) };
        let status = response.status();
        match status {
            StatusCode::PARTIAL_CONTENT => {
                if let Some(reason) = self.wrong_range(&response, partial) {
                    partial.start_over(None).await?;
                    return Ok(Try::again(reason));
                }
                if partial.etag().is_none() && partial.length() == 0 {
                    partial.start_over(strong_etag(response.headers())).await?;
                }
            }
            StatusCode::OK => {
                // Also the answer to a Range that the server does not know or whose file has changed.
                self.check_length(&url, response.content_length())?;
                partial.start_over(strong_etag(response.headers())).await?;
                on_bytes(0);
            }
            StatusCode::RANGE_NOT_SATISFIABLE => {
                // The server's file ends before ours does: what is here is not part of it.
                partial.start_over(None).await?;
                return Ok(Try::again("it has no such range"));
            }
            _ if status.is_server_error()
                || matches!(
                    status,
                    StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT
                ) =>
            {
                let pause = retry_after(response.headers());
                return Ok(Try::Again {
                    reason: format!("it answered {}", status.as_u16()),
                    pause,
                });
            }
            _ => {
                return Err(HubError::Status {
                    host: host(&url),
                    status: status.as_u16(),
                    file: self.file.file.clone(),
                });
            }
        }
        self.receive(&url, response, partial, on_bytes).await
    }

    /// Sends one request. The inner error is a reason to try again.
    async fn ask(
        &mut self,
        url: &Url,
        partial: &Partial,
    ) -> Result<Result<Response, String>, HubError> {
        let name = host(url);
        if !self.noted.contains(&name) {
            let bytes = self.file.size - partial.length();
            (self.on_housekeeping)(&name, bytes, &self.file.sha256).map_err(HubError::Ledger)?;
            self.noted.push(name);
        }
        // A compressed answer would have other lengths than the file.
        let mut request = self.client.get(url.clone()).header(ACCEPT_ENCODING, "identity");
        if partial.length() > 0 {
            request = request.header(RANGE, format!("bytes={}-", partial.length()));
            if let Some(etag) = partial.etag() {
                request = request.header(IF_RANGE, etag);
            }
        }
        match patiently(self.patience.idle, self.stop, request.send()).await? {
            Some(Ok(response)) => Ok(Ok(response)),
            Some(Err(error)) => Ok(Err(reason(&error))),
            None => Ok(Err("it did not answer in time".to_owned())),
        }
    }

    async fn receive(
        &mut self,
        url: &Url,
        mut response: Response,
        partial: &mut Partial,
        on_bytes: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Try, HubError> {
        loop {
            match patiently(self.patience.idle, self.stop, response.chunk()).await? {
                None => return Ok(Try::again("it stopped sending")),
                Some(Err(error)) => return Ok(Try::again(reason(&error))),
                Some(Ok(None)) if partial.length() == self.file.size => return Ok(Try::Whole),
                Some(Ok(None)) => return Ok(Try::again("it ended too early")),
                Some(Ok(Some(bytes))) => {
                    let after = partial.length() + bytes.len() as u64;
                    if after > self.file.size {
                        return Err(self.wrong_length(url, "more".to_owned()));
                    }
                    partial.append(&bytes).await?;
                    on_bytes(after);
                    self.stop.check()?;
                }
            }
        }
    }

    /// The length that an answer with the whole file claims.
    fn check_length(&self, url: &Url, claimed: Option<u64>) -> Result<(), HubError> {
        match claimed {
            Some(claimed) if claimed != self.file.size => {
                Err(self.wrong_length(url, claimed.to_string()))
            }
            _ => Ok(()),
        }
    }

    fn wrong_length(&self, url: &Url, found: String) -> HubError {
        HubError::WrongLength {
            host: host(url),
            file: self.file.file.clone(),
            expected: self.file.size,
            found,
        }
    }

    /// Why an answer with a part of the file is not the part that was asked for.
    fn wrong_range(&self, response: &Response, partial: &Partial) -> Option<String> {
        let range = response.headers().get(CONTENT_RANGE).and_then(|value| value.to_str().ok());
        let parsed = range.and_then(|range| {
            let (part, whole) = range.trim().strip_prefix("bytes ")?.split_once('/')?;
            let (first, _last) = part.split_once('-')?;
            Some((first.trim().parse::<u64>().ok()?, whole.trim().to_owned()))
        });
        let Some((first, whole)) = parsed else {
            return Some("it does not say which part it sends".to_owned());
        };
        let whole_fits = whole == "*" || whole == self.file.size.to_string();
        if first != partial.length() || !whole_fits {
            return Some("it sends another part than was asked for".to_owned());
        }
        match (partial.etag(), strong_etag(response.headers())) {
            (Some(ours), Some(theirs)) if ours != theirs => Some("its file has changed".to_owned()),
            _ => None,
        }
    }
}

/// Waits for `work`, at most as long as a silence may last; none when it lasted longer.
async fn patiently<T>(
    idle: Duration,
    stop: Stop<'_>,
    work: impl Future<Output = T>,
) -> Result<Option<T>, HubError> {
    let mut work = std::pin::pin!(work);
    let mut silence = std::pin::pin!(tokio::time::sleep(idle));
    loop {
        tokio::select! {
            biased;
            done = &mut work => return Ok(Some(done)),
            () = &mut silence => return Ok(None),
            () = tokio::time::sleep(LOOK) => stop.check()?,
        }
    }
}

/// Waits before the next try, and ends early by a cancel.
async fn wait(pause: Duration, stop: Stop<'_>) -> Result<(), HubError> {
    let end = Instant::now() + pause;
    while Instant::now() < end {
        stop.check()?;
        tokio::time::sleep_until(end.min(Instant::now() + LOOK)).await;
    }
    stop.check()
}

/// An ETag that If-Range may carry; a weak one promises too little.
fn strong_etag(headers: &HeaderMap) -> Option<String> {
    let etag = headers.get(ETAG)?.to_str().ok()?;
    (etag.starts_with('"') && etag.len() < 1024).then(|| etag.to_owned())
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// A network error without its address, which can be long and tells nobody anything.
fn reason(error: &reqwest::Error) -> String {
    let kind = if error.is_connect() {
        "no connection"
    } else if error.is_timeout() {
        "it did not answer in time"
    } else {
        "the connection broke"
    };
    kind.to_owned()
}
