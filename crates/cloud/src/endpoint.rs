//! A provider's address: what is accepted, what it is called in previews and in the ledger, and where
//! its calls are.

use std::net::IpAddr;

use nearside_types::Provider;
use reqwest::Url;

use crate::CloudError;

#[derive(Debug, Clone)]
pub(crate) struct Endpoint {
    base: Url,
    /// The host, with the port where it is not the scheme's own.
    pub(crate) destination: String,
    /// This very machine.
    pub(crate) loopback: bool,
    private: bool,
}

impl Endpoint {
    pub(crate) fn parse(base_url: &str) -> Result<Self, CloudError> {
        let bad = || CloudError::BadAddress(base_url.trim().chars().take(200).collect());
        let base = Url::parse(base_url.trim()).map_err(|_| bad())?;
        let host = base.host_str().ok_or_else(bad)?.to_owned();
        // A name, password or query in the address would be a credential in the settings.
        let plain = matches!(base.scheme(), "http" | "https")
            && base.username().is_empty()
            && base.password().is_none()
            && base.query().is_none()
            && base.fragment().is_none();
        if !plain {
            return Err(bad());
        }
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().ok();
        let loopback = host == "localhost" || address.is_some_and(|ip| ip.is_loopback());
        let private = loopback
            || match address {
                Some(IpAddr::V4(ip)) => ip.is_private() || ip.is_link_local(),
                Some(IpAddr::V6(ip)) => ip.is_unique_local() || ip.is_unicast_link_local(),
                None => host.ends_with(".local") || host.ends_with(".lan"),
            };
        let destination = base.port().map_or_else(|| host.clone(), |port| format!("{host}:{port}"));
        Ok(Self { base, destination, loopback, private })
    }

    /// Plain http is for this machine and the own network: elsewhere the key and the text could be read
    /// on the way.
    pub(crate) fn permit_secrets(&self) -> Result<(), CloudError> {
        if self.base.scheme() == "https" || self.private {
            Ok(())
        } else {
            Err(CloudError::Unencrypted(self.destination.clone()))
        }
    }

    pub(crate) fn call(&self, path: &[&str]) -> Url {
        let mut url = self.base.clone();
        // http and https addresses always have segments, so there is nothing to report.
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path);
        }
        url
    }
}

/// What a request to this provider names as its destination: in the preview, in the approval, in the
/// ledger. A request that was approved for another destination is not sent.
///
/// # Errors
/// `BadAddress` when the base address is not one.
pub fn destination(provider: &Provider) -> Result<String, CloudError> {
    Endpoint::parse(&provider.base_url).map(|endpoint| endpoint.destination)
}
