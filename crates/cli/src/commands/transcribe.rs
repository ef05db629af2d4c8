//! `transcribe`: what is said in a sound file. Opens no data folder and keeps nothing.

use nearside_engine::{Recording, Sound, transcribe_options};
use nearside_types::{TranscribeProgress, TranscriptFormat};

use crate::Outcome;
use crate::arguments::{Common, FormatArg, Transcribe};
use crate::{interrupt, output, place};

pub(crate) fn run(common: &Common, transcribe: &Transcribe) -> Outcome {
    let cancel = interrupt::cancel();
    let headless = place::headless(common)?;
    let mut options = transcribe_options(&headless.settings().voice);
    if let Some(language) = &transcribe.language {
        options.language = Some(language.clone()).filter(|code| code != "auto");
    }
    if transcribe.traditional {
        options.script = nearside_types::ChineseScript::Traditional;
    }
    options.vocabulary.extend(transcribe.vocabulary.iter().map(|term| term.as_str().into()));
    options.translate = transcribe.translate;
    let recording = Recording {
        sound: Sound::Path(&transcribe.file),
        model: transcribe.model.as_deref(),
        options,
    };
    let mut told = 0.0;
    let transcript = headless.transcribe(recording, &cancel, &mut |progress| {
        // A line for each half minute of sound is enough to see that it goes on.
        if progress.done >= told + 30.0 {
            told = progress.done;
            output::note(&line(progress));
        }
    })?;
    for warning in &transcript.warnings {
        output::note(&format!("— {warning}"));
    }
    if common.json {
        return output::json(&transcript);
    }
    if transcript.no_speech {
        output::note("Nobody speaks in this recording.");
        return Ok(());
    }
    let text =
        transcript.written(transcribe.format.map_or(TranscriptFormat::Txt, FormatArg::into))?;
    output::line(text.trim_end());
    Ok(())
}

fn line(progress: TranscribeProgress) -> String {
    match progress.total {
        Some(total) => format!("— {:.0} of {total:.0} seconds", progress.done),
        None => format!("— {:.0} seconds", progress.done),
    }
}
