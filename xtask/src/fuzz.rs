//! Fuzzing and soaking: the same programs that CI runs for 20 seconds, for as long as one likes.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::place::Place;
use crate::step::{read, run, say};

fn seconds(arguments: &[String]) -> Result<u64> {
    let text = arguments.first().map_or("20", String::as_str);
    text.parse().with_context(|| format!("`{text}` is not a number of seconds"))
}

/// Every target in turn shares the seconds.
pub(crate) fn fuzz(arguments: &[String]) -> Result<()> {
    let place = Place::find()?;
    place.build_everything()?;
    run(Command::new(place.binary("nearside-fuzz")).args(["all", &seconds(arguments)?.to_string()]))
}

/// Adds, searches, forgets and lists in one data folder, over and over, each call a process of its own. It
/// fails when a call fails, a trace stays behind, or the folder keeps growing.
pub(crate) fn soak(arguments: &[String]) -> Result<()> {
    let place = Place::find()?;
    place.build_everything()?;
    let folder = place.artefacts.join("soak");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let passphrase = folder.join("passphrase");
    std::fs::write(&passphrase, format!("{:?}", std::time::SystemTime::now()))?;
    let samples = place.root.join("assets").join("samples").display().to_string();
    let call = |words: &[&str]| -> Result<String> {
        let mut command = Command::new(place.binary("nearside"));
        command
            .args(words)
            .args(["--json", "--passphrase-fd", "0"])
            .stdin(std::fs::File::open(&passphrase)?);
        command
            .env("NEARSIDE_DATA_DIR", folder.join("data"))
            .env("NEARSIDE_MODELS_DIR", &place.models);
        read(&mut command)
    };
    let end = Instant::now() + Duration::from_secs(seconds(arguments)?);
    let (mut rounds, mut first) = (0_u32, 0_u64);
    while rounds < 2 || Instant::now() < end {
        call(&["index", "add", &samples])?;
        call(&["search", "energy"])?;
        let forgotten: serde_json::Value =
            serde_json::from_str(&call(&["index", "forget", &samples])?)?;
        if forgotten["traces_found"] != 0 {
            bail!("forgetting left traces behind in round {rounds}: {forgotten}");
        }
        let size = size(&folder.join("data"))?;
        rounds += 1;
        if rounds == 1 {
            first = size;
        } else if size > first * 2 {
            bail!("the data folder grew from {first} to {size} bytes in {rounds} rounds");
        }
    }
    say(&format!("{rounds} rounds, nothing left behind, {first} bytes after the first"));
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

fn size(folder: &std::path::Path) -> Result<u64> {
    let mut sum = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let meta = entry.metadata()?;
        sum += if meta.is_dir() { size(&entry.path())? } else { meta.len() };
    }
    Ok(sum)
}
