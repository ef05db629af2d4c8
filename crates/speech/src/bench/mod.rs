//! Measures: how well and how quickly clips are written down, beside whisper.cpp on the same clips in the same run.
//!
//! It reads a folder with `manifest.jsonl` and prints nothing.

use std::path::{Path, PathBuf};
use std::time::Instant;

use nearside_types::{Cancel, TranscribeOptions};
use serde::{Deserialize, Serialize};

pub mod score;
mod whisper_cpp;

use crate::{Error, Recognizer, Result, Samples, Script, Search, SoundFile, Source};
use score::{Errors, errors, units};
use whisper_cpp::WhisperCpp;

/// What is measured.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Holds `manifest.jsonl` and the clips that it names.
    pub folder: PathBuf,
    /// A whisper model in ggml form.
    pub model: PathBuf,
    pub voice_activity: PathBuf,
    pub threads: usize,
    /// Tell both engines the language instead of letting them find it.
    pub tell_language: bool,
    /// A Python that has pywhispercpp.
    pub python: Option<PathBuf>,
    pub search: Search,
}

/// One engine on one clip, or on all of a kind.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Side {
    pub errors: usize,
    /// Words written where nobody speaks.
    pub invented: usize,
    /// Computing time by the length of the sound.
    pub real_time_factor: f64,
    /// Computing time of all threads by the length of the sound, which a busy machine changes less; none where
    /// the system does not tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_factor: Option<f64>,
    /// The WER or CER; none where there is no reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A clip, or a sum of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The clip, or `all`.
    pub clip: String,
    /// `speech` or `non_speech`; clips of several speakers have no reference and are in neither sum.
    pub kind: String,
    pub condition: String,
    pub language: String,
    /// `WER`, `CER`, or `invented` where nobody speaks.
    pub metric: String,
    pub units: usize,
    pub seconds: f64,
    pub ours: Side,
    pub theirs: Option<Side>,
    /// Their time by ours: above 1 when we are faster.
    pub speed_ratio: Option<f64>,
    pub engine: Option<String>,
    pub model: String,
    pub threads: usize,
    pub told_language: bool,
}

/// All clips, then their sums.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Rows {
    pub rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Clip {
    file: String,
    id: String,
    kind: String,
    #[serde(default)]
    condition: Option<String>,
    lang: Option<String>,
    text: Option<String>,
}

/// Measures every clip.
///
/// # Errors
/// A folder or model that cannot be read, or that it was stopped.
pub fn bench_speech(
    settings: &Settings,
    progress: &mut dyn FnMut(&Row),
    cancel: &Cancel,
) -> Result<Rows> {
    let clips = clips(&settings.folder)?;
    let script = Script::load()?;
    let mut ours = Recognizer::load_with(
        &settings.model,
        &settings.voice_activity,
        settings.threads,
        settings.search,
    )?;
    let mut theirs = match &settings.python {
        Some(python) => Some(WhisperCpp::start(python, &settings.model, settings.threads)?),
        None => None,
    };
    let mut rows = Vec::new();
    for clip in &clips {
        let row = measure(clip, settings, &mut ours, theirs.as_mut(), &script, cancel)?;
        progress(&row);
        rows.push(row);
    }
    let sums = sums(&rows);
    rows.extend(sums);
    Ok(Rows { rows })
}

fn clips(folder: &Path) -> Result<Vec<Clip>> {
    let absent = |why: String| Error::Failed(format!("manifest.jsonl cannot be read: {why}"));
    let text = std::fs::read_to_string(folder.join("manifest.jsonl"))
        .map_err(|error| absent(error.to_string()))?;
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).map_err(|error| absent(error.to_string())))
        .collect()
}

/// Adds a clip to the mean of clips that are `so_far` seconds long together.
fn mix(sum: &mut Side, one: &Side, so_far: f64, seconds: f64) {
    sum.errors += one.errors;
    sum.invented += one.invented;
    let mean = |before: f64, one: f64| (before * so_far + one * seconds) / (so_far + seconds);
    sum.real_time_factor = mean(sum.real_time_factor, one.real_time_factor);
    let before = if so_far == 0.0 { Some(0.0) } else { sum.cpu_factor };
    sum.cpu_factor = before.zip(one.cpu_factor).map(|(sum, one)| mean(sum, one));
}

/// Seconds that all threads of this process have computed, to a hundredth.
fn computing() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // After the name in brackets, which may hold anything.
    let mut words = stat.rsplit(") ").next()?.split(' ').skip(11);
    let (user, system): (f64, f64) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    Some((user + system) / 100.0)
}

/// The samples of a file, for clips that fit in memory.
fn read(path: &Path, cancel: &Cancel) -> Result<Vec<f32>> {
    let (mut file, mut samples) = (SoundFile::open(path)?, Vec::new());
    while file.read(&mut samples, cancel)? {}
    Ok(samples)
}

fn measure(
    clip: &Clip,
    settings: &Settings,
    ours: &mut Recognizer,
    theirs: Option<&mut WhisperCpp>,
    script: &Script,
    cancel: &Cancel,
) -> Result<Row> {
    let path = settings.folder.join(&clip.file);
    let samples = read(&path, cancel)?;
    let seconds = samples.len() as f64 / f64::from(crate::SAMPLE_RATE);
    let language = clip.lang.clone().filter(|_| settings.tell_language);
    let options = TranscribeOptions { language: language.clone(), ..Default::default() };
    let (began, busy) = (Instant::now(), computing());
    let written = ours.transcribe(&mut Samples::new(&samples), &options, &mut |_| {}, cancel)?;
    let took = began.elapsed().as_secs_f64();
    let busy = busy.zip(computing()).map(|(before, after)| after - before);
    let spoken = clip.lang.clone().unwrap_or_default();
    let judge = |text: &str, took: f64, busy: Option<f64>| {
        let found = match &clip.text {
            Some(said) if clip.kind == "speech" => errors(said, text, &spoken, script),
            _ => Errors::default(),
        };
        let invented = if clip.kind == "non_speech" { units(text, "en", script).len() } else { 0 };
        Side {
            errors: found.errors,
            invented,
            real_time_factor: took / seconds,
            cpu_factor: busy.map(|busy| busy / seconds),
            rate: (found.units > 0).then(|| found.errors as f64 / found.units as f64),
            text: Some(text.to_owned()),
        }
    };
    let (mut other, mut engine) = (None, None);
    if let Some(theirs) = theirs {
        let written = theirs.write_down(&path, language.as_deref().unwrap_or("auto"))?;
        other = Some(judge(&written.text, written.seconds, Some(written.cpu_seconds)));
        engine = Some(theirs.engine.clone());
    }
    let side = judge(&written.text, took, busy);
    let units = match &clip.text {
        Some(said) if clip.kind == "speech" => units(said, &spoken, script).len(),
        _ => 0,
    };
    let metric = match (clip.kind.as_str(), spoken.as_str()) {
        ("non_speech", _) => "invented",
        (_, "zh") => "CER",
        _ => "WER",
    };
    Ok(Row {
        clip: clip.id.clone(),
        kind: clip.kind.clone(),
        condition: clip.condition.clone().unwrap_or_default(),
        language: spoken,
        metric: metric.to_owned(),
        units,
        seconds,
        speed_ratio: other
            .as_ref()
            .map(|other: &Side| other.real_time_factor / side.real_time_factor),
        ours: side,
        theirs: other,
        engine,
        model: settings.model.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        threads: settings.threads,
        told_language: settings.tell_language,
    })
}

/// One row for each kind, condition and language, and one for all speech.
fn sums(rows: &[Row]) -> Vec<Row> {
    let mut groups: Vec<Row> = Vec::new();
    let mut add = |row: &Row, condition: &str, metric: &str| {
        let same = |group: &&mut Row| {
            group.kind == row.kind && group.condition == condition && group.metric == metric
        };
        let group = match groups.iter_mut().find(same) {
            Some(group) => group,
            None => {
                let empty = |_: &Side| Side::default();
                groups.push(Row {
                    clip: "all".to_owned(),
                    condition: condition.to_owned(),
                    metric: metric.to_owned(),
                    units: 0,
                    seconds: 0.0,
                    ours: Side::default(),
                    theirs: row.theirs.as_ref().map(empty),
                    speed_ratio: None,
                    ..row.clone()
                });
                let last = groups.len() - 1;
                &mut groups[last]
            }
        };
        let (so_far, seconds) = (group.seconds, row.seconds);
        mix(&mut group.ours, &row.ours, so_far, seconds);
        if let (Some(sum), Some(one)) = (&mut group.theirs, &row.theirs) {
            mix(sum, one, so_far, seconds);
        }
        group.seconds += seconds;
        group.units += row.units;
    };
    for row in rows {
        add(row, &row.condition, &row.metric);
        if row.kind == "speech" {
            add(row, "any", &row.metric);
        }
    }
    for group in &mut groups {
        let units = group.units;
        let rate = |side: &mut Side| {
            side.rate = (units > 0).then(|| side.errors as f64 / units as f64);
        };
        rate(&mut group.ours);
        if let Some(theirs) = &mut group.theirs {
            rate(theirs);
            group.speed_ratio = Some(theirs.real_time_factor / group.ours.real_time_factor);
        }
    }
    groups
}
