//! What every source file keeps to: it opens by saying what it does, it is not too long, and it names no
//! place that only one machine has. Only files that git knows or would take are looked at.

use std::path::Path;

use anyhow::{Context, Result};

use crate::step::read;

/// Lines of a source file without its tests.
const LONGEST: usize = 500;

/// Spelled in halves, so that this file does not contain what it forbids.
fn forbidden_words() -> [(String, &'static str); 6] {
    let registry = "names a package registry's host";
    let machine = "names a path of one machine";
    [
        (format!("{}.{}", "crates", "io"), registry),
        (format!("pypi.{}", "org"), registry),
        (format!("registry.{}", "npmjs"), registry),
        (format!("files.pythonhosted.{}", "org"), registry),
        (format!("/{}/", "root"), machine),
        (format!("\"/{}/", "work"), machine),
    ]
}

pub(super) fn complaints(root: &Path) -> Result<Vec<String>> {
    let listed = read(std::process::Command::new("git").current_dir(root).args([
        "ls-files",
        "--cached",
        "--others",
        "--exclude-standard",
    ]))?;
    let mut complaints = Vec::new();
    for file in
        listed.lines().filter(|file| !file.ends_with(".lock") && !file.ends_with("-lock.json"))
    {
        let Ok(bytes) = std::fs::read(root.join(file)) else { continue };
        let Ok(text) = String::from_utf8(bytes) else { continue };
        complaints.extend(check(file, &text));
    }
    complaints.extend(translations(root)?);
    Ok(complaints)
}

fn check(file: &str, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    let source = [".rs", ".ts", ".svelte"].iter().any(|end| file.ends_with(end));
    if file.ends_with(".rs") && !text.starts_with("//!") {
        complaints
            .push(format!("{file} does not open with //!: what it does and what it does not"));
    }
    if source && !is_test(file) && !file.ends_with("bindings.ts") {
        let lines = text.lines().take_while(|line| line.trim() != "mod tests {").count();
        if lines > LONGEST {
            complaints.push(format!(
                "{file} has {lines} lines without its tests; {LONGEST} is the limit"
            ));
        }
    }
    for (word, why) in forbidden_words() {
        if text.contains(&word) {
            complaints.push(format!("{file} {why}: {word}"));
        }
    }
    complaints
}

fn is_test(file: &str) -> bool {
    file.contains("/tests/")
        || file.starts_with("tests/")
        || file.ends_with("tests.rs")
        || file.contains(".test.")
}

/// Both languages have the same keys.
fn translations(root: &Path) -> Result<Vec<String>> {
    let folder = root.join("ui/src/i18n");
    let keys = |name: &str| -> Result<Vec<String>> {
        let Ok(text) = std::fs::read_to_string(folder.join(name)) else { return Ok(Vec::new()) };
        let value = serde_json::from_str(&text).with_context(|| format!("ui/src/i18n/{name}"))?;
        let mut keys = Vec::new();
        collect("", &value, &mut keys);
        Ok(keys)
    };
    let (english, chinese) = (keys("en.json")?, keys("zh-CN.json")?);
    let missing = |here: &[String], there: &[String], name: &str| {
        here.iter()
            .filter(|key| !there.contains(key))
            .map(|key| format!("ui/src/i18n/{name} lacks {key}"))
            .collect::<Vec<_>>()
    };
    let mut complaints = missing(&english, &chinese, "zh-CN.json");
    complaints.extend(missing(&chinese, &english, "en.json"));
    Ok(complaints)
}

fn collect(prefix: &str, value: &serde_json::Value, keys: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(fields) => {
            for (name, value) in fields {
                let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
                collect(&key, value, keys);
            }
        }
        _ => keys.push(prefix.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn a_headless_file_and_a_long_one_are_found() {
        assert_eq!(check("crates/a/src/lib.rs", "fn a() {}").len(), 1);
        assert_eq!(
            check("crates/a/src/lib.rs", &format!("//! Says.\n{}", "\n".repeat(501))).len(),
            1
        );
        assert!(check("crates/a/src/lib.rs", "//! Says.\n").is_empty());
        assert!(
            check("crates/a/tests/main.rs", &format!("//! Says.\n{}", "\n".repeat(900))).is_empty()
        );
    }

    #[test]
    fn a_machine_path_is_found() {
        let text = format!("//! Says.\nconst A: &str = \"/{}/x\";\n", "root");
        assert_eq!(check("crates/a/src/lib.rs", &text).len(), 1);
    }
}
