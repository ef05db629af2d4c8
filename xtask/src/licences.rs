//! The licences of other people's code that is inside our binaries, as one text for the packages.
//!
//! Cargo says what is linked, npm's lock what is embedded; the texts are those that came with the sources. It
//! does not judge whether a licence is acceptable.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::place::Place;
use crate::step::read;

/// Longer than any licence.
const LONGEST: u64 = 256 << 10;

/// One package: its name with the version, its licence as it names it, and the folder of its source.
struct Part {
    name: String,
    licence: String,
    folder: PathBuf,
}

pub(crate) fn write(place: &Place, to: &Path) -> Result<()> {
    let mut parts = linked(place)?;
    parts.extend(embedded(place)?);
    let mut texts: BTreeMap<String, (String, BTreeSet<&str>)> = BTreeMap::new();
    let mut out = "Nearside contains the work of others, under these licences.\n\n".to_owned();
    for part in &parts {
        writeln!(out, "{}: {}", part.name, part.licence)?;
        for file in licence_files(&part.folder) {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            // The same text is often wrapped differently.
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            texts.entry(words).or_insert_with(|| (text, BTreeSet::new())).1.insert(&part.name);
        }
    }
    for (text, names) in texts.values() {
        let names = names.iter().copied().collect::<Vec<_>>().join(", ");
        write!(out, "\n{}\n{names}\n\n{}\n", "─".repeat(72), text.trim())?;
    }
    std::fs::write(to, out).with_context(|| format!("cannot write {}", to.display()))
}

/// What cargo links into the binaries of this system, ours left out.
fn linked(place: &Place) -> Result<Vec<Part>> {
    let version = read(std::process::Command::new("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("rustc does not say what it compiles for")?;
    let told = read(&mut place.cargo(&[
        "metadata",
        "--format-version=1",
        "--locked",
        "--features=custom-protocol",
        "--filter-platform",
        host,
    ]))?;
    let told: Value = serde_json::from_str(&told)?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let nodes: BTreeMap<String, Value> =
        list(&told["resolve"]["nodes"]).into_iter().map(|node| (text(&node["id"]), node)).collect();
    let mut seen = BTreeSet::new();
    let mut open: Vec<String> = list(&told["workspace_default_members"]).iter().map(text).collect();
    while let Some(id) = open.pop() {
        if !seen.insert(id.clone()) {
            continue;
        }
        for dependency in nodes.get(&id).map(|node| list(&node["deps"])).unwrap_or_default() {
            let kinds = list(&dependency["dep_kinds"]);
            // Build scripts and tests are not in the binaries.
            if kinds.iter().any(|kind| kind["kind"].is_null()) {
                open.push(text(&dependency["pkg"]));
            }
        }
    }
    let mut parts: Vec<Part> = list(&told["packages"])
        .iter()
        .filter(|package| seen.contains(&text(&package["id"])) && !package["source"].is_null())
        .map(|package| Part {
            name: format!("{} {}", text(&package["name"]), text(&package["version"])),
            licence: package["license"].as_str().unwrap_or("see its text").to_owned(),
            folder: Path::new(&text(&package["manifest_path"])).with_file_name(""),
        })
        .collect();
    // SQLCipher's binding carries its library in its own folder; OpenSSL's source is a build dependency.
    let openssl =
        list(&told["packages"]).into_iter().find(|package| package["name"] == "openssl-src");
    parts.extend(openssl.map(|package| Part {
        name: format!("OpenSSL ({} {})", text(&package["name"]), text(&package["version"])),
        licence: "Apache-2.0".to_owned(),
        folder: Path::new(&text(&package["manifest_path"])).with_file_name("openssl"),
    }));
    parts.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(parts)
}

/// What the window's interface embeds.
fn embedded(place: &Place) -> Result<Vec<Part>> {
    let wanted = std::fs::read_to_string(place.root.join("package.json"))?;
    let wanted: Value = serde_json::from_str(&wanted)?;
    let names =
        wanted["dependencies"].as_object().into_iter().flatten().map(|(name, _)| name.as_str());
    // Svelte is a compiler with a part that runs in the page.
    let mut parts = Vec::new();
    for name in names.chain(["svelte"]) {
        let folder = place.root.join("node_modules").join(name);
        let about = std::fs::read_to_string(folder.join("package.json"))
            .with_context(|| format!("{name} is not installed; run `cargo xtask ui`"))?;
        let about: Value = serde_json::from_str(&about)?;
        parts.push(Part {
            name: format!("{name} {}", about["version"].as_str().unwrap_or_default()),
            licence: about["license"].as_str().unwrap_or("see its text").to_owned(),
            folder,
        });
    }
    Ok(parts)
}

/// The licence texts in a package's folder, or one level below.
fn licence_files(folder: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let list = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = list.map(|entry| entry.path()).collect();
        paths.sort();
        paths
    };
    let is_one = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().to_uppercase());
        let named = name.is_some_and(|name| {
            ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"]
                .iter()
                .any(|start| name.starts_with(start))
        });
        named && path.metadata().is_ok_and(|meta| meta.is_file() && meta.len() <= LONGEST)
    };
    let here = entries(folder);
    let below = here.iter().filter(|path| path.is_dir()).flat_map(|path| entries(path));
    here.iter().cloned().chain(below).filter(is_one).collect()
}
