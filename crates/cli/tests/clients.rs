//! `nearside serve` with OpenAI's own clients, in Python and JavaScript, on real weights. Each is skipped, and
//! says so, where its client or the weights are not there.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::common::Place;

const MODEL: &str = "qwen2.5-coder-0.5b";
const TOKEN: &str = "a-token-made-for-these-tests";

/// A server that ends with the test.
struct Served {
    child: Child,
    base: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve(place: &Place, models: &Path) -> Served {
    let mut command = place.command(&["serve", "--listen", "127.0.0.1:0", "--json"]);
    command
        .env("NEARSIDE_MODELS_DIR", models)
        .env("NEARSIDE_SERVE_TOKEN", TOKEN)
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let said: Value = serde_json::from_str(&line).unwrap();
    assert!(said["token"].is_null(), "a token that was given is not printed");
    Served { child, base: said["base_url"].as_str().unwrap().to_owned() }
}

/// Runs the script of `name` by `program`, if `probe` succeeds with it.
fn check(name: &str, program: Option<PathBuf>, probe: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let models = std::env::var_os("NEARSIDE_MODELS_DIR").map(PathBuf::from);
    let models = models.filter(|folder| folder.join(format!("{MODEL}.gguf")).is_file());
    let (Some(models), Some(program)) = (models, program) else {
        eprintln!("{name} is skipped: the weights or the interpreter are not there.");
        return;
    };
    let quiet = || {
        let mut command = Command::new(&program);
        command.current_dir(&root).stdin(Stdio::null());
        command
    };
    let probed = quiet().args(probe).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !probed.is_ok_and(|status| status.success()) {
        eprintln!("{name} is skipped: its client is not installed.");
        return;
    }
    let place = Place::new();
    let served = serve(&place, &models);
    let script = root.join("tests/clients").join(name);
    let ran = quiet().arg(script).args([&served.base, TOKEN, MODEL]).output().unwrap();
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(ran.status.success(), "{}{}", said(&ran.stdout), said(&ran.stderr));
}

#[test]
fn the_python_client_is_served() {
    let python = std::env::var_os("NEARSIDE_TEST_PYTHON").map(PathBuf::from);
    check("openai_client.py", python, &["-c", "import openai, pydantic"]);
}

#[test]
fn the_javascript_client_is_served() {
    let probe = ["--input-type=module", "-e", "import 'openai'"];
    check("openai_client.mjs", Some(PathBuf::from("node")), &probe);
}
