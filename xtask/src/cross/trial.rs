//! The command line of another system, tried as a user would: reading, redacting, asking, indexing, from a
//! folder whose name has Chinese characters and spaces. Each answer is checked here.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::emulator::Emulator;
use super::{Target, model_folder};
use crate::place::Place;
use crate::step::say;

pub(crate) const MODEL: &str = "smollm2-135m";
pub(crate) const MODEL_FILE: &str = "smollm2-135m.gguf";

struct Trial<'a> {
    emulator: &'a Emulator,
    folder: PathBuf,
    binary: PathBuf,
    models: PathBuf,
}

pub(crate) fn trial(place: &Place, target: &Target, emulator: &Emulator) -> Result<()> {
    let folder = place.target.join("cross").join(target.name).join("近端 试验 folder");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("资料 documents"))?;
    let binary = folder.join(format!("nearside{}", target.suffix));
    let built = place.target.join(target.triple).join("debug");
    std::fs::copy(built.join(format!("nearside{}", target.suffix)), &binary)?;
    for entry in std::fs::read_dir(place.root.join("assets/samples"))? {
        let entry = entry?;
        std::fs::copy(entry.path(), folder.join("资料 documents").join(entry.file_name()))?;
    }
    let models = folder.join("模型 models");
    std::fs::create_dir(&models)?;
    let weights = std::fs::canonicalize(model_folder(place)?.join(MODEL_FILE))?;
    if std::fs::hard_link(&weights, models.join(MODEL_FILE)).is_err() {
        std::fs::copy(&weights, models.join(MODEL_FILE))?;
    }
    let trial = Trial { emulator, folder, binary, models };
    let tried = trial.all();
    emulator.end();
    tried
}

impl Trial<'_> {
    fn all(&self) -> Result<()> {
        self.version()?;
        self.extract()?;
        self.redact()?;
        self.ask()?;
        self.library()
    }

    /// Runs it in its folder; the status and what it wrote.
    fn run(&self, words: &[&str], input: &str) -> Result<(Option<i32>, String, String)> {
        let mut command = self.emulator.command(&self.binary);
        command
            .args(words)
            .current_dir(&self.folder)
            .env("NEARSIDE_MODELS_DIR", self.emulator.path(&self.models))
            .env_remove("NEARSIDE_DATA_DIR")
            .env_remove("DISPLAY")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().context("the emulator cannot be started")?;
        if let Some(mut pipe) = child.stdin.take() {
            // A program that reads no input may be gone already.
            let _ = pipe.write_all(input.as_bytes());
        }
        let output = child.wait_with_output()?;
        let out = String::from_utf8(output.stdout).context("standard output is not UTF-8")?;
        Ok((output.status.code(), out, String::from_utf8_lossy(&output.stderr).into_owned()))
    }

    fn json(&self, words: &[&str], input: &str) -> Result<Value> {
        let begun = std::time::Instant::now();
        let (status, out, error) = self.run(words, input)?;
        let shown = words.join(" ");
        if status != Some(0) {
            bail!("`nearside {shown}` ended with {status:?}: {error}");
        }
        say(&format!("   {:6.1} s  nearside {shown}", begun.elapsed().as_secs_f64()));
        serde_json::from_str(&out).with_context(|| format!("`nearside {shown}` printed {out}"))
    }

    fn version(&self) -> Result<()> {
        let (status, out, error) = self.run(&["--version"], "")?;
        ensure!(
            status == Some(0) && out.starts_with("nearside "),
            "--version: {status:?} {out} {error}"
        );
        // A missing file is told apart, and its exit status arrives.
        let (status, _, error) = self.run(&["extract", "没有 none.txt"], "")?;
        ensure!(status == Some(3), "a missing file ended with {status:?}: {error}");
        Ok(())
    }

    fn extract(&self) -> Result<()> {
        let text = |value: &Value| -> String {
            let pages = value["pages"].as_array().into_iter().flatten();
            pages.filter_map(|page| page["text"].as_str()).collect::<Vec<_>>().join("\n")
        };
        let document = |name: &str| Path::new("资料 documents").join(name).display().to_string();
        for (name, encoding, pages, words) in [
            ("租赁合同.txt", Some("gb18030"), None, "每月4200元"),
            ("lease-report.pdf", None, Some(12), "SR-7741"),
            ("owners-meeting.docx", None, None, "Pellworm"),
            ("energy-notes.md", Some("utf-8"), None, "1,260"),
        ] {
            let value = self.json(&["extract", &document(name), "--json"], "")?;
            ensure!(value["status"] == "ok", "{name}: {}", value["status"]);
            let found = value["encoding"].as_str().map(str::to_lowercase);
            ensure!(encoding.is_none() || found.as_deref() == encoding, "{name}: {found:?}");
            let count = value["pages"].as_array().map_or(0, Vec::len);
            ensure!(pages.is_none_or(|pages| pages == count), "{name}: {count} pages");
            ensure!(text(&value).contains(words), "{name} lacks {words}: {}", text(&value));
        }
        Ok(())
    }

    /// Placeholders, spans in code points, and the way back; by argument and by standard input.
    fn redact(&self) -> Result<()> {
        let phone = ["138", "0013", "8000"].concat();
        let mail = ["li.wei", "example.com"].join("@");
        let text = format!("请致电 {phone} 找李伟 😀, or write to {mail}.");
        let letters: Vec<char> = text.chars().collect();
        for (words, input) in [
            (vec!["redact", text.as_str(), "--json"], ""),
            (vec!["redact", "-", "--json"], text.as_str()),
        ] {
            let value = self.json(&words, input)?;
            let redacted = value["text"].as_str().unwrap_or_default();
            ensure!(
                !redacted.contains(&phone) && !redacted.contains(&mail),
                "not redacted: {redacted}"
            );
            for (kind, original) in [("PHONE", &phone), ("EMAIL", &mail)] {
                let mut spans = value["spans"].as_array().into_iter().flatten();
                let span = spans.find(|span| span["type"] == kind);
                let span = span.with_context(|| format!("no {kind} in {value}"))?;
                let at = |name: &str| usize::try_from(span[name].as_u64().unwrap_or(0));
                let cut: String =
                    letters.get(at("start")?..at("end")?).unwrap_or_default().iter().collect();
                ensure!(cut == *original, "{kind} is {cut}, not {original}");
            }
            let map = self.folder.join("映射 map.json");
            std::fs::write(&map, value["map"].to_string())?;
            let back = self.json(&["restore", redacted, "--map", "映射 map.json", "--json"], "")?;
            ensure!(back["text"] == text, "restored: {}", back["text"]);
        }
        Ok(())
    }

    fn ask(&self) -> Result<()> {
        let words = [
            "ask",
            "What is the capital of France?",
            "--model",
            MODEL,
            "--route",
            "local",
            "--temperature",
            "0",
            "--max-tokens",
            "16",
            "--json",
        ];
        let value = self.json(&words, "")?;
        let answer = value["answer"].as_str().unwrap_or_default();
        ensure!(answer.contains("Paris"), "the answer is {answer:?}");
        ensure!(value["route"]["chosen"] == "local", "the route is {}", value["route"]);
        say(&format!(
            "            {answer:?}, {} on {}, {} tokens/s",
            value["model"], value["device"], value["timings"]["decode_tokens_per_s"]
        ));
        Ok(())
    }

    /// A sealed index under a passphrase, opened by one process after another, searched, and erased.
    fn library(&self) -> Result<()> {
        let data = self.folder.join("数据 data");
        let there = self.emulator.path(&data);
        let call = |words: &[&str]| {
            let all =
                [words, &["--data-dir", there.as_str(), "--passphrase-fd", "0", "--json"]].concat();
            self.json(&all, "correct horse battery staple\n")
        };
        let added = call(&["index", "add", "资料 documents"])?;
        let states = added["items"].as_array().into_iter().flatten();
        let read = states.filter(|item| item["status"] == "ok").count();
        ensure!(read == 4, "{read} of 4 samples were indexed: {added}");
        let found = call(&["search", "押金"])?;
        let hit = found["hits"][0]["file"].as_str().or(found["items"][0]["file"].as_str());
        ensure!(hit.is_some_and(|file| file.contains("租赁合同")), "found: {found}");
        let verified = call(&["ledger", "verify"])?;
        ensure!(verified["intact"] == true, "the ledger: {verified}");
        let words = ["index", "status", "--data-dir", &there, "--passphrase-fd", "0", "--json"];
        let (status, _, error) = self.run(&words, "another passphrase\n")?;
        ensure!(status != Some(0), "a wrong passphrase opened the data: {error}");
        call(&["data", "erase", "--yes"])?;
        let left = std::fs::read_dir(&data).map_or(0, Iterator::count);
        ensure!(left == 0, "{left} things stayed behind after the data was erased");
        Ok(())
    }
}
