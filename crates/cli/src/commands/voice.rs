//! `voice`: the microphone from a terminal. Nothing of it opens a data folder but `toggle`, which only knocks.

use std::path::Path;
use std::time::{Duration, Instant};

use nearside_engine::attach::{CallEvent, Request, Session};
use nearside_types::{Cancel, VoiceEvent};
use serde_json::json;

use crate::Outcome;
use crate::arguments::{Common, Voice};
use crate::{interrupt, output, place};

pub(crate) fn run(common: &Common, command: Voice) -> Outcome {
    match command {
        Voice::Devices => devices(common),
        Voice::Record { file, seconds, device } => {
            record(common, &file, seconds, device.as_deref())
        }
        Voice::Dictate { seconds } => dictate(common, seconds),
        Voice::Toggle => toggle(common),
    }
}

fn devices(common: &Common) -> Outcome {
    let items = place::headless(common)?.microphones()?;
    let value = json!({ "items": items });
    super::show(common, &value, |_| {
        let row = |m: &nearside_types::Microphone| {
            let kind = if m.is_monitor { "what is played" } else { "microphone" };
            let chosen = if m.is_default { "default" } else { "" };
            vec![m.id.clone(), m.name.clone(), kind.to_owned(), chosen.to_owned()]
        };
        let header = ["id", "name", "kind", ""].map(str::to_owned).to_vec();
        let rows: Vec<Vec<String>> = std::iter::once(header).chain(items.iter().map(row)).collect();
        super::table(&rows)
    })
}

/// Raised by Ctrl+C, or after some seconds.
fn enough(seconds: Option<u32>) -> Cancel {
    let enough = interrupt::cancel();
    if let Some(seconds) = seconds {
        let seen = enough.clone();
        let until = Instant::now() + Duration::from_secs(seconds.into());
        // Without a thread it goes on until Ctrl+C.
        let _ = std::thread::Builder::new().name("clock".to_owned()).spawn(move || {
            std::thread::sleep(until.saturating_duration_since(Instant::now()));
            seen.cancel();
        });
    }
    enough
}

fn record(common: &Common, file: &Path, seconds: Option<u32>, device: Option<&str>) -> Outcome {
    let headless = place::headless(common)?;
    let mut told = false;
    let recorded = headless.record(file, device, &enough(seconds), &mut |event| {
        if let (VoiceEvent::Listening { device }, false) = (event, told) {
            told = true;
            output::note(&format!("Recording {device}; Ctrl+C stops."));
        }
    })?;
    if recorded.lost {
        output::note("The microphone went away; what it heard until then is in the file.");
    }
    let value = json!({
        "file": file, "seconds": recorded.seconds, "lost": recorded.lost,
    });
    super::show(common, &value, |_| {
        format!("{:.1} seconds in {}.", recorded.seconds, file.display())
    })
}

fn dictate(common: &Common, seconds: Option<u32>) -> Outcome {
    let headless = place::headless(common)?;
    let transcript = headless.hear(&enough(seconds), &Cancel::new(), &mut |event| match event {
        VoiceEvent::Listening { device } => {
            output::note(&format!("Listening to {device}; Ctrl+C ends it."));
        }
        VoiceEvent::Lost { kept_seconds } => output::note(&format!(
            "The microphone went away; {kept_seconds:.1} seconds were heard."
        )),
        _ => {}
    })?;
    if common.json {
        return output::json(&transcript);
    }
    if transcript.no_speech {
        output::note("Nobody spoke.");
    } else {
        output::line(transcript.text.trim());
    }
    Ok(())
}

fn toggle(common: &Common) -> Outcome {
    let session =
        Session::attach(&place::data_dir(common)?).ok_or_else(nearside_engine::no_window)?;
    session.call(Request::ToggleDictation, &Cancel::new(), &mut |_: CallEvent| {})?;
    super::show(common, &json!({}), |_| String::new())
}
