//! Downloads with the house's own clients: under the connector, where each is in the ledger, and for the
//! command line, which opens no vault and so has no ledger to write to.

use std::net::IpAddr;
use std::time::Duration;

use nearside_types::{Cancel, Failure, LedgerKind, LedgerOutcome};
use reqwest::Url;

use super::stop::Stop;
use super::{DEFAULT_ENDPOINT, HubError, HubFetch, OnEvent, OnHousekeeping, fetch, fetch_until};
use crate::client::{Client, Way, client};
use crate::{CloudError, Connector, Departure, Entry};

const CONNECT: Duration = Duration::from_secs(10);

/// Downloads from the first of `fetches` that works. Local-only mode, turned on in the middle, ends what
/// the user did not ask for by itself. Each host that is asked has a ledger entry of kind
/// housekeeping, open before the first byte, with the bytes and the sha256 of what is fetched.
///
/// # Errors
/// As [`super::fetch`]; `Ledger` when nothing could be noted, and then nothing was fetched.
pub async fn download(
    connector: &Connector,
    fetches: &[HubFetch],
    cancel: &Cancel,
    on_event: OnEvent<'_>,
) -> Result<(), HubError> {
    let asked = fetches.iter().all(|request| request.asked_by_user);
    let client = match fetches.first() {
        None => return Err(HubError::NoSource),
        Some(first) if is_loopback(&first.endpoint) => client(Way::Loopback, CONNECT),
        Some(_) => connector.download_client(asked),
    };
    let client = client.map_err(|error| match (error, fetches.first()) {
        (CloudError::LocalOnly, Some(first)) => HubError::LocalOnly(first.name.clone()),
        (error, _) => HubError::Fault(error.to_string()),
    })?;
    let ledger = connector.ledger();
    let mut open: Vec<Entry> = Vec::new();
    let mut on_housekeeping = |host: &str, bytes: u64, sha256: &str| {
        let departure = Departure {
            kind: LedgerKind::Housekeeping,
            destination: host.to_owned(),
            bytes,
            sha256: sha256.to_owned(),
            entities: Vec::new(),
        };
        open.push(ledger.begin(&departure).map_err(Failure::from)?);
        Ok(())
    };
    let mut done = Err(HubError::NoSource);
    for request in fetches {
        let switch = (!request.asked_by_user).then(|| connector.local_only());
        let stop = Stop::new(cancel, switch, &request.name);
        done = fetch_until(&client, request, stop, on_event, &mut on_housekeeping).await;
        if done.as_ref().err().is_none_or(HubError::is_final) {
            break;
        }
    }
    let outcome = if done.is_ok() { LedgerOutcome::Sent } else { LedgerOutcome::Failed };
    for entry in open {
        ledger.finish(entry, outcome).map_err(|error| HubError::Ledger(error.into()))?;
    }
    done
}

/// As [`download`], for commands that open no vault. `proxy` is as in the settings; empty follows the
/// system.
///
/// # Errors
/// As [`super::fetch`].
pub async fn download_without_ledger(
    proxy: &str,
    fetches: &[HubFetch],
    cancel: &Cancel,
    on_event: OnEvent<'_>,
) -> Result<(), HubError> {
    let endpoint = fetches.first().map(|first| first.endpoint.as_str()).unwrap_or_default();
    let way = if is_loopback(endpoint) { Way::Loopback } else { Way::Out { proxy } };
    let client: Client =
        client(way, CONNECT).map_err(|error| HubError::Fault(error.to_string()))?;
    fetch_first(&client, fetches, cancel, on_event, &mut |_, _, _| Ok(())).await
}

/// Downloads with any client the files of the first source that works; `fetches` are tried in order. A
/// stop by the user or by the policy ends it at once.
///
/// # Errors
/// The last source's, when none works.
pub async fn fetch_first(
    client: &Client,
    fetches: &[HubFetch],
    cancel: &Cancel,
    on_event: OnEvent<'_>,
    on_housekeeping: OnHousekeeping<'_>,
) -> Result<(), HubError> {
    let mut done = Err(HubError::NoSource);
    for request in fetches {
        done = fetch(client, request, cancel, on_event, on_housekeeping).await;
        if done.as_ref().err().is_none_or(HubError::is_final) {
            break;
        }
    }
    done
}

/// A hub on this machine: a proxy would only lead away from it.
fn is_loopback(endpoint: &str) -> bool {
    let endpoint = if endpoint.trim().is_empty() { DEFAULT_ENDPOINT } else { endpoint };
    let url = Url::parse(endpoint.trim()).ok();
    let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}
