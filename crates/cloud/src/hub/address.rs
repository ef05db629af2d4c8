//! Addresses of files on a hub. Every part was checked by the catalog; what is not a plain name is
//! refused again here, since an address is where a download could go astray.

use reqwest::Url;

use super::{HubError, HubFile};

/// The hub that is asked when the settings name no other.
pub const DEFAULT_ENDPOINT: &str = "https://huggingface.co";

/// `<endpoint>/<repository>/resolve/<revision>/<file>`.
pub(super) fn resolve(endpoint: &str, file: &HubFile) -> Result<Url, HubError> {
    let endpoint = if endpoint.trim().is_empty() { DEFAULT_ENDPOINT } else { endpoint.trim() };
    let bad = || HubError::Endpoint(endpoint.to_owned());
    let mut url = Url::parse(endpoint).map_err(|_| bad())?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(bad());
    }
    // A name or password in the address would be a credential.
    if !url.username().is_empty() || url.password().is_some() {
        return Err(bad());
    }
    url.set_query(None);
    url.set_fragment(None);
    let parts = file.repository.split('/').chain(["resolve", file.revision.as_str()]);
    let parts: Vec<&str> = parts.chain(file.file.split('/')).collect();
    if parts.iter().any(|part| part.is_empty() || part.starts_with('.')) {
        return Err(HubError::Fault(format!("{} is not a path on a hub", file.file)));
    }
    url.path_segments_mut().map_err(|()| bad())?.pop_if_empty().extend(parts);
    Ok(url)
}

/// The host with its port where one is given, as the ledger writes it.
pub(super) fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// As a person reads it: `huggingface.co/Qwen/…`.
pub(super) fn label(url: &Url, file: &HubFile) -> String {
    format!("{}/{}", host(url), file.repository)
}

/// The next address after a redirect. From https only to https; nothing but http and https.
pub(super) fn redirected(from: &Url, location: &str) -> Result<Url, HubError> {
    let to = from.join(location).map_err(|_| HubError::Redirect(host(from)))?;
    let allowed = to.scheme() == "https" || (to.scheme() == "http" && from.scheme() == "http");
    if allowed { Ok(to) } else { Err(HubError::Redirect(host(from))) }
}
