//! Running the built `nearside` in folders of its own: Chinese characters and a space in every path.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

pub struct Place {
    folder: tempfile::TempDir,
}

pub struct Ran {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Standard output as one JSON object.
    pub fn json(&self) -> Value {
        assert_eq!(self.status, 0, "{}", self.err);
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e} in {}", self.out))
    }

    /// Standard output as one JSON object a line.
    pub fn lines(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The contract of errors: this status, and one sentence on standard error.
    #[track_caller]
    pub fn fails(&self, status: i32) -> &str {
        assert_eq!(self.status, status, "out: {} err: {}", self.out, self.err);
        let sentences: Vec<&str> = self.err.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(sentences.len(), 1, "{}", self.err);
        sentences[0]
    }
}

impl Place {
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("近端 test ").tempdir().unwrap();
        std::fs::create_dir(folder.path().join("models")).unwrap();
        Self { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nearside"));
        command
            .args(arguments)
            .env("NEARSIDE_DATA_DIR", self.path("数据 data"))
            .env("NEARSIDE_MODELS_DIR", self.path("models"))
            // No keychain: the session bus is not there.
            .env("DBUS_SESSION_BUS_ADDRESS", "disabled:")
            .env_remove("NEARSIDE_API_KEY")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, "")
    }

    pub fn run_with(&self, arguments: &[&str], input: &str) -> Ran {
        ran(self.command(arguments), input)
    }

    /// With the data folder's passphrase on standard input.
    pub fn opened(&self, arguments: &[&str]) -> Ran {
        let all: Vec<&str> = ["--passphrase-fd", "0"].iter().chain(arguments).copied().collect();
        self.run_with(&all, "correct horse battery\n")
    }
}

pub fn ran(mut command: Command, input: &str) -> Ran {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writing = std::thread::spawn(move || {
        // A program that needs no input may have ended.
        let _ = stdin.write_all(input.as_bytes());
    });
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    writing.join().unwrap();
    Ran {
        status: status.code().unwrap_or(-1),
        out: String::from_utf8(stdout).unwrap(),
        err: String::from_utf8(stderr).unwrap(),
    }
}
