//! From a provider's status or a broken connection to an error that says what to do. Pure.

use std::error::Error;
use std::time::Duration;

use crate::CloudError;
use crate::openai::ErrorObject;
use crate::retry::is_passing;
use crate::send::Failed;

/// The error for an answer that is not a success.
pub(crate) fn explain(
    host: &str,
    status: u16,
    said: &ErrorObject,
    wish: Option<Duration>,
) -> Failed {
    let host = host.to_owned();
    let code = if said.code.is_empty() { String::new() } else { format!(", {}", said.code) };
    let in_brackets =
        if said.code.is_empty() { String::new() } else { format!(" ({})", said.code) };
    let error = match status {
        300..=399 => CloudError::Redirected { host },
        _ if said.code == "context_length_exceeded" => CloudError::TooLong { host },
        413 => CloudError::TooLong { host },
        401 => CloudError::KeyRejected { host },
        402 | 403 => CloudError::Forbidden { host, code: in_brackets },
        404 => CloudError::UnknownModel { host, code: in_brackets },
        429 => {
            let wait = wish.map(|wish| format!(" and wants {} seconds of pause", wish.as_secs()));
            CloudError::RateLimited { host, wait: wait.unwrap_or_default() }
        }
        500.. => CloudError::Server { host, status, code },
        _ => CloudError::BadRequest { host, status, code },
    };
    // An empty account answers 429 as well, and no pause fills it.
    let passing = is_passing(status) && said.code != "insufficient_quota";
    Failed { error, passing, wish, left: true }
}

/// The error for a request that got no answer.
pub(crate) fn transport(host: &str, error: &reqwest::Error) -> Failed {
    let host = host.to_owned();
    if !error.is_connect() {
        // The connection broke before the answer began.
        return Failed {
            error: CloudError::Unreachable { host },
            passing: true,
            wish: None,
            left: true,
        };
    }
    if error.source().is_some_and(is_certificate) {
        let error = CloudError::Untrusted { host };
        return Failed { error, passing: false, wish: None, left: false };
    }
    Failed { error: CloudError::Unreachable { host }, passing: true, wish: None, left: false }
}

/// Whether the other end was there and its certificate was not good.
fn is_certificate(cause: &(dyn Error + 'static)) -> bool {
    if let Some(tls) = cause.downcast_ref::<rustls::Error>() {
        return matches!(
            tls,
            rustls::Error::InvalidCertificate(_) | rustls::Error::NoCertificatesPresented
        );
    }
    // An io::Error hides its inner error: its source is the inner error's source. hyper-rustls and
    // tokio-rustls each wrap one around the other.
    if let Some(inner) = cause.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
        return is_certificate(inner);
    }
    cause.source().is_some_and(is_certificate)
}
