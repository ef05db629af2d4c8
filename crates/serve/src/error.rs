//! Errors of the server, and how a failure looks to an OpenAI client.

use std::net::SocketAddr;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use nearside_types::{Failure, FailureKind};

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("{0} can be reached from other machines; serve on 127.0.0.1 or [::1]")]
    NotLoopback(SocketAddr),
    #[error("{address} cannot be listened on ({source}); choose another port")]
    Bind { address: SocketAddr, source: std::io::Error },
    #[error("the server stopped listening: {0}")]
    Listen(std::io::Error),
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Self {
        match error {
            ServeError::NotLoopback(_) => Self::usage(error.to_string()),
            ServeError::Bind { .. } | ServeError::Listen(_) => Self::internal(error.to_string()),
        }
    }
}

/// The error body that OpenAI clients parse.
pub(crate) fn body(failure: &Failure) -> serde_json::Value {
    let kind = match failure.kind {
        FailureKind::Usage
        | FailureKind::NothingReadable
        | FailureKind::NotFound
        | FailureKind::ModelMissing => "invalid_request_error",
        FailureKind::Refused => "permission_error",
        FailureKind::Network | FailureKind::Cancelled | FailureKind::Internal => "server_error",
    };
    serde_json::json!({"error": {"message": failure.message, "type": kind, "code": failure.code, "param": null}})
}

pub(crate) fn refuse(status: StatusCode, failure: &Failure) -> Response {
    (status, Json(body(failure))).into_response()
}

pub(crate) fn from_failure(failure: &Failure) -> Response {
    let status = match failure.kind {
        FailureKind::Usage | FailureKind::NothingReadable => StatusCode::BAD_REQUEST,
        FailureKind::NotFound | FailureKind::ModelMissing => StatusCode::NOT_FOUND,
        FailureKind::Refused => StatusCode::FORBIDDEN,
        FailureKind::Network => StatusCode::BAD_GATEWAY,
        FailureKind::Cancelled | FailureKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    };
    refuse(status, failure)
}

/// The body of a request, or the answer to one that is none.
#[expect(clippy::result_large_err, reason = "the error is the answer itself, made once a request")]
pub(crate) fn parsed<T>(
    request: Result<Json<T>, JsonRejection>,
    not_one: &str,
) -> Result<T, Response> {
    match request {
        Ok(Json(request)) => Ok(request),
        Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            Err(refuse(rejection.status(), &Failure::usage("The request is larger than 8 MiB.")))
        }
        Err(_) => Err(from_failure(&Failure::usage(not_one))),
    }
}

/// An endpoint of the API that is not served in this version.
pub(crate) async fn not_served() -> Response {
    let failure = Failure::coded(
        FailureKind::NotFound,
        "not_served",
        "This endpoint is not served; transcriptions and translations are.",
    );
    refuse(StatusCode::NOT_IMPLEMENTED, &failure)
}

pub(crate) async fn wrong_method() -> Response {
    let failure = Failure::usage("This endpoint does not take this method.");
    refuse(StatusCode::METHOD_NOT_ALLOWED, &failure)
}

pub(crate) async fn not_found() -> Response {
    from_failure(&Failure::not_found("There is nothing here; the API begins at /v1."))
}
