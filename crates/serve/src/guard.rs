//! Who may ask: a caller on this machine with the token. A web page is turned away by its Host or Origin,
//! which stops DNS rebinding; a token in constant time.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use nearside_types::{Failure, FailureKind};

use crate::{Shared, error};

/// The secret that a caller sends as `Authorization: Bearer …`. `Debug` does not show it.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// # Errors
    /// When it is shorter than 16 characters or has spaces: it could be guessed or not be sent.
    pub fn new(text: String) -> Result<Self, Failure> {
        if text.len() < 16 || text.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(Failure::usage(
                "A server token needs at least 16 characters without spaces.",
            ));
        }
        Ok(Self(text))
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(***)")
    }
}

pub(crate) struct Guard {
    token: Token,
    hosts: [String; 3],
}

impl Guard {
    pub(crate) fn new(token: Token, port: u16) -> Self {
        Self {
            token,
            hosts: ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{port}")),
        }
    }

    /// Why the caller is turned away, if it is.
    fn complaint(&self, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        if !text(header::HOST).is_some_and(|host| self.hosts.iter().any(|known| known == host)) {
            return Some((
                StatusCode::FORBIDDEN,
                "This server answers only under its own loopback address.",
            ));
        }
        if headers.contains_key(header::ORIGIN) {
            return Some((StatusCode::FORBIDDEN, "This server does not answer web pages."));
        }
        let sent = text(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        if !sent.is_some_and(|sent| same(sent.as_bytes(), self.token.0.as_bytes())) {
            return Some((
                StatusCode::UNAUTHORIZED,
                "Send the token that `nearside serve` printed as a Bearer token.",
            ));
        }
        None
    }
}

/// Compares without telling by its time where the first difference is.
fn same(left: &[u8], right: &[u8]) -> bool {
    left.len() == right.len() && left.iter().zip(right).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

pub(crate) async fn check(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    match shared.guard.complaint(request.headers()) {
        Some((status, sentence)) => {
            error::refuse(status, &Failure::coded(FailureKind::Refused, "turned_away", sentence))
        }
        None => next.run(request).await,
    }
}
