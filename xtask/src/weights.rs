//! Weights and the other engine, for runs and tests. The product's own command fetches the weights, so
//! that what a user does is what the tests did.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::place::Place;
use crate::step::{read, run, say};

/// What a first run needs: the small default, in English and Chinese.
pub(crate) const DEFAULT: &[&str] = &["qwen2.5-coder-0.5b"];

/// What the tests need besides.
pub(crate) const TESTS: &[&str] = &["smollm2-135m", "qwen2.5-coder-0.5b"];

/// Encoders that tests compare with golden vectors; the name model stands on the first.
pub(crate) const ENCODERS: &[&str] = &["multilingual-e5-small", "minilm-l6"];

/// Speech: what writes recordings down, and what hears that somebody speaks.
pub(crate) const SPEECH: &[&str] = &["whisper-base", "silero-vad"];

/// What reads text in pictures; tests of the library run it in its worker.
pub(crate) const PICTURES: &[&str] = &["pp-ocr"];

/// llama.cpp in a wheel, the real cloud and the rival of the benchmarks, and a client that we serve.
const PACKAGES: &[&str] = &["xllamacpp==2026.10.11549", "openai==3.57.0"];

pub(crate) fn fetch_default() -> Result<()> {
    let place = Place::find()?;
    run(&mut place.cargo(&["build", "--package", "nearside-cli"]))?;
    fetch(&place, &place.binary("nearside"), DEFAULT)
}

/// Fetches what is not installed yet; what is there is not fetched again.
pub(crate) fn fetch(place: &Place, nearside: &Path, names: &[&str]) -> Result<()> {
    for name in names {
        run(Command::new(nearside)
            .args(["models", "fetch", name])
            .env("NEARSIDE_MODELS_DIR", &place.models))?;
    }
    Ok(())
}

/// A folder in which each fetched model lies under its plain name, as a user's own file would, which is what
/// tests that want one file are given; the others are there with their versions.
pub(crate) fn by_name(place: &Place, nearside: &Path, names: &[&str]) -> Result<PathBuf> {
    let listed = read(
        Command::new(nearside)
            .args(["models", "list", "--json"])
            .env("NEARSIDE_MODELS_DIR", &place.models),
    )?;
    let listed: serde_json::Value =
        serde_json::from_str(&listed).context("nearside models list")?;
    let folder = place.tools.join("weights");
    std::fs::create_dir_all(&folder)?;
    for name in names {
        let model =
            listed["items"].as_array().into_iter().flatten().find(|item| item["name"] == *name);
        let file = model.and_then(|model| model["path"].as_str());
        let file = file.with_context(|| format!("{name} is not installed"))?;
        let link = folder.join(format!("{name}.gguf"));
        let _ = std::fs::remove_file(&link);
        #[cfg(unix)]
        std::os::unix::fs::symlink(file, &link)?;
        #[cfg(not(unix))]
        std::fs::hard_link(file, &link)?;
    }
    for name in [ENCODERS, SPEECH, PICTURES].concat() {
        let link = folder.join(name);
        let _ = std::fs::remove_file(&link);
        #[cfg(unix)]
        std::os::unix::fs::symlink(place.models.join(name), &link)?;
        #[cfg(windows)]
        std::os::windows::fs::symlink_dir(place.models.join(name), &link)?;
    }
    Ok(folder)
}

/// A Python with them in it; made once, and anew when they change.
pub(crate) fn python(place: &Place) -> Result<PathBuf> {
    let folder = place.tools.join("python");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let stamp = folder.join("installed.txt");
    let wanted = PACKAGES.join(" ");
    if std::fs::read_to_string(&stamp).is_ok_and(|text| text == wanted) {
        return Ok(python);
    }
    say("making a Python environment with llama.cpp and a client in it");
    let _ = std::fs::remove_dir_all(&folder);
    run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    run(Command::new(&python)
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .args(PACKAGES))?;
    std::fs::write(stamp, wanted)?;
    Ok(python)
}
