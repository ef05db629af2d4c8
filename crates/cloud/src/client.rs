//! The one place where HTTP clients are made: TLS by rustls with ring, named here and installed nowhere
//! globally; no redirect is followed by itself, so no key travels to another host.

use std::sync::Arc;
use std::time::Duration;

use reqwest::{Proxy, redirect};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::CloudError;

/// How a connection is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way<'a> {
    /// Through the proxy of the settings; empty follows the system.
    Out { proxy: &'a str },
    /// To this machine: a proxy would only lead away from it.
    Loopback,
}

#[expect(
    clippy::disallowed_types,
    reason = "cloud is the crate that connects, and this its client"
)]
pub(crate) type Client = reqwest::Client;

#[expect(clippy::disallowed_types, reason = "the one constructor of clients")]
pub(crate) fn client(way: Way<'_>, connect: Duration) -> Result<Client, CloudError> {
    let fault = |error: &dyn std::fmt::Display| CloudError::Fault(format!("No TLS here: {error}"));
    let ring = Arc::new(rustls::crypto::ring::default_provider());
    let builder = rustls::ClientConfig::builder_with_provider(ring)
        .with_safe_default_protocol_versions()
        .map_err(|error| fault(&error))?;
    // A system without certificates trusts nobody; http to this machine works there all the same.
    let mut tls = match builder.clone().with_platform_verifier() {
        Ok(builder) => builder.with_no_client_auth(),
        Err(_) => {
            builder.with_root_certificates(rustls::RootCertStore::empty()).with_no_client_auth()
        }
    };
    tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let builder = reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .redirect(redirect::Policy::none())
        .referer(false)
        // Retries are ours: they are counted, noted in the ledger, and end with the first token.
        .retry(reqwest::retry::never())
        .connect_timeout(connect)
        .tcp_nodelay(true)
        .user_agent(concat!("nearside/", env!("CARGO_PKG_VERSION")));
    let builder = match way {
        Way::Loopback => builder.no_proxy(),
        Way::Out { proxy } if proxy.trim().is_empty() => builder,
        Way::Out { proxy } => builder.proxy(parse_proxy(proxy)?),
    };
    builder.build().map_err(|error| fault(&error.without_url()))
}

fn parse_proxy(proxy: &str) -> Result<Proxy, CloudError> {
    let url = reqwest::Url::parse(proxy.trim()).map_err(|_| CloudError::BadProxy)?;
    let known = matches!(url.scheme(), "http" | "https" | "socks5" | "socks5h");
    if !known || url.host_str().is_none() {
        return Err(CloudError::BadProxy);
    }
    Proxy::all(url).map_err(|_| CloudError::BadProxy)
}
