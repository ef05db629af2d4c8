//! `/v1/audio/transcriptions` and `/v1/audio/translations`: a sound file to text. The file stays in memory.

use axum::Json;
use axum::extract::multipart::{Field, MultipartError, MultipartRejection};
use axum::extract::{Multipart, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use nearside_types::{Cancel, Failure, TranscribeOptions, Transcript, TranscriptFormat, UserText};
use serde_json::{Value, json};

use crate::{Shared, error, work};

/// An hour of MP3 at 192 kbit/s.
pub(crate) const LARGEST_SOUND: usize = 96 * 1024 * 1024;

/// The form of the answer.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Json,
    Verbose,
    Text(TranscriptFormat),
}

struct Order {
    sound: Vec<u8>,
    model: String,
    form: Form,
    options: TranscribeOptions,
}

pub(crate) async fn transcriptions(
    State(shared): State<Shared>,
    form: Result<Multipart, MultipartRejection>,
) -> Response {
    answer(shared, form, false).await
}

pub(crate) async fn translations(
    State(shared): State<Shared>,
    form: Result<Multipart, MultipartRejection>,
) -> Response {
    answer(shared, form, true).await
}

async fn answer(
    shared: Shared,
    form: Result<Multipart, MultipartRejection>,
    translate: bool,
) -> Response {
    let form = match form {
        Ok(form) => form,
        Err(_) => {
            return error::from_failure(&Failure::usage(
                "The body is not a form: multipart/form-data with `file` and `model`.",
            ));
        }
    };
    let mut order = match read(form).await {
        Ok(order) => order,
        Err(response) => return response,
    };
    order.options.translate = translate;
    let place = match work::place(&shared.slots) {
        Ok(place) => place,
        Err(response) => return response,
    };
    let cancel = Cancel::new();
    // A client that hangs up drops this future, and the work with it.
    let _hang_up = work::HangUp::of(&cancel);
    let (form, backend) = (order.form, shared.backend.clone());
    let done = tokio::task::spawn_blocking(move || {
        let _place = place;
        backend.transcribe(&order.model, order.sound, order.options, &cancel)
    });
    let heard = done.await.unwrap_or_else(|_| Err(Failure::internal("The transcript broke off.")));
    match heard.and_then(|transcript| shown(&transcript, form, translate)) {
        Ok(response) => response,
        Err(failure) => error::from_failure(&failure),
    }
}

async fn read(mut form: Multipart) -> Result<Order, Response> {
    let wrong = |error: MultipartError| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            error::refuse(error.status(), &Failure::usage("The sound is larger than 96 MiB."))
        }
        _ => error::from_failure(&Failure::usage("The form in the body is broken; send it again.")),
    };
    let (mut sound, mut model, mut shape) = (None, String::new(), Form::Json);
    let mut options = TranscribeOptions::default();
    while let Some(field) = form.next_field().await.map_err(wrong)? {
        let name = field.name().unwrap_or_default().to_owned();
        match name.as_str() {
            "file" => sound = Some(field.bytes().await.map_err(wrong)?.to_vec()),
            "model" => model = text(field).await.map_err(wrong)?,
            "language" => {
                let language = text(field).await.map_err(wrong)?;
                options.language = Some(language).filter(|code| !code.is_empty());
            }
            // What OpenAI takes as the text before, and users fill with names and terms.
            "prompt" => {
                let prompt = text(field).await.map_err(wrong)?;
                let terms = prompt.split([',', ';', '\n', '，', '、']).map(str::trim);
                options.vocabulary =
                    terms.filter(|term| !term.is_empty()).map(UserText::from).collect();
            }
            "response_format" => {
                let name = text(field).await.map_err(wrong)?;
                shape = named(&name).map_err(|failure| error::from_failure(&failure))?;
            }
            _ => {}
        }
    }
    let sound = sound.ok_or_else(|| {
        error::from_failure(&Failure::usage("The form has no `file`; put the sound there."))
    })?;
    Ok(Order { sound, model, form: shape, options })
}

async fn text(field: Field<'_>) -> Result<String, MultipartError> {
    field.text().await
}

fn named(form: &str) -> Result<Form, Failure> {
    Ok(match form {
        "json" => Form::Json,
        "verbose_json" => Form::Verbose,
        "text" => Form::Text(TranscriptFormat::Txt),
        "srt" => Form::Text(TranscriptFormat::Srt),
        "vtt" => Form::Text(TranscriptFormat::Vtt),
        _ => {
            return Err(Failure::usage(
                "`response_format` must be json, text, srt, verbose_json or vtt.",
            ));
        }
    })
}

fn shown(transcript: &Transcript, form: Form, translated: bool) -> Result<Response, Failure> {
    Ok(match form {
        Form::Json => Json(json!({"text": &*transcript.text})).into_response(),
        Form::Verbose => {
            let segments = transcript.segments.iter().enumerate().map(|(id, segment)| {
                json!({
                    "id": id, "start": segment.start, "end": segment.end,
                    "text": &*segment.text, "speaker": segment.speaker,
                })
            });
            Json(json!({
                "task": if translated { "translate" } else { "transcribe" },
                "language": transcript.language,
                "duration": transcript.seconds,
                "text": &*transcript.text,
                "no_speech": transcript.no_speech,
                "segments": segments.collect::<Value>(),
            }))
            .into_response()
        }
        Form::Text(format) => {
            let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
            (kind, transcript.written(format)?).into_response()
        }
    })
}
