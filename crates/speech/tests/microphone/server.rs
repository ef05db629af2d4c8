//! A PulseAudio of a test's own: its home, its socket, a sink and a microphone that hears the sink.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Only a fault waits so long.
const LONG: Duration = Duration::from_secs(120);

pub(crate) struct Server {
    folder: tempfile::TempDir,
    process: Option<Child>,
}

/// A player that is stopped when it is dropped.
pub(crate) struct Player(Child);

impl Drop for Player {
    fn drop(&mut self) {
        end(&mut self.0);
    }
}

fn end(process: &mut Child) {
    let _ = process.kill();
    let _ = process.wait();
}

impl Server {
    /// None, with a word, where the programs are not there.
    pub(crate) fn start() -> Option<Self> {
        for program in ["pulseaudio", "pactl", "paplay", "sox"] {
            let there = Command::new(program).arg("--version").stdout(Stdio::null()).status();
            if there.is_err() {
                println!("skipped: {program} is not installed");
                return None;
            }
        }
        let folder = tempfile::tempdir().unwrap();
        for name in ["home", "run"] {
            let path = folder.path().join(name);
            std::fs::create_dir(&path).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).unwrap();
        }
        let asound = "pcm.!default { type pulse }\nctl.!default { type pulse }\n";
        std::fs::write(folder.path().join("home/.asoundrc"), asound).unwrap();
        let mut server = Self { folder, process: None };
        server.run();
        Some(server)
    }

    /// A program that sees this sound server and no other.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env("HOME", self.folder.path().join("home"))
            .env("XDG_RUNTIME_DIR", self.folder.path().join("run"))
            .env_remove("PULSE_SERVER")
            .env_remove("PULSE_RUNTIME_PATH")
            .env_remove("PULSE_COOKIE")
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .env_remove("DISPLAY");
        command
    }

    pub(crate) fn run(&mut self) {
        let process = self
            .command("pulseaudio")
            .args(["-n", "--daemonize=no", "--exit-idle-time=-1", "--disallow-exit"])
            .args(["-L", "module-native-protocol-unix"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        self.process = Some(process);
        let until = Instant::now() + LONG;
        while !self.info() {
            assert!(Instant::now() < until, "the sound server never answered");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Whether it answers.
    pub(crate) fn info(&self) -> bool {
        let mut command = self.command("pactl");
        command.arg("info").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().unwrap().success()
    }

    pub(crate) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            end(&mut process);
        }
    }

    fn pactl(&self, arguments: &[&str]) -> String {
        let output = self.command("pactl").args(arguments).output().unwrap();
        assert!(output.status.success(), "pactl {arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// A sink, and a microphone beside it that hears what is played there.
    pub(crate) fn plug_in(&self) {
        self.pactl(&["load-module", "module-null-sink", "sink_name=fake"]);
        self.pactl(&[
            "load-module",
            "module-remap-source",
            "master=fake.monitor",
            "source_name=desk",
        ]);
        self.pactl(&["set-default-source", "desk"]);
    }

    pub(crate) fn pull_out(&self) {
        self.pactl(&["unload-module", "module-null-sink"]);
    }

    /// How many streams record at this moment, the microphone's own apart; waits for the last ones to go.
    pub(crate) fn recordings(&self) -> usize {
        let until = Instant::now() + Duration::from_secs(10);
        loop {
            let list = self.pactl(&["list", "short", "source-outputs"]);
            // Streams of the server's own modules have no client.
            let count = list.lines().filter(|line| line.split('\t').nth(2) != Some("-")).count();
            if count == 0 || Instant::now() > until {
                return count;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// A WAV file with a tone at half of full scale.
    pub(crate) fn tone(&self, hertz: u32, seconds: f32) -> PathBuf {
        let path = self.folder.path().join(format!("{hertz}-{seconds}.wav"));
        let mut sox = Command::new("sox");
        sox.args(["-n", "-r", "44100", "-b", "16", "-c", "1"]).arg(&path);
        sox.args(["synth", &seconds.to_string(), "sine", &hertz.to_string(), "vol", "0.5"]);
        assert!(sox.status().unwrap().success());
        path
    }

    /// Plays a file to its end, or until the player is dropped.
    pub(crate) fn play_beside(&self, file: &Path) -> Player {
        let mut command = self.command("paplay");
        command.arg("--device=fake").arg(file).stderr(Stdio::null());
        Player(command.spawn().unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}
