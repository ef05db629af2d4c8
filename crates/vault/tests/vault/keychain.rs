//! The real keychain: gnome-keyring in a private session bus, where both are installed; and a bus that
//! never answers.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use nearside_types::Failure;
use nearside_vault::{KeySource, Keychain, OsKeychain, Vault, erase};

use crate::secret;

const FOLDER: &str = "NEARSIDE_TEST_KEYCHAIN_FOLDER";
const LIMIT: Duration = Duration::from_secs(2);

fn source() -> KeySource {
    KeySource::Keychain { keychain: Arc::new(OsKeychain::with_limits(LIMIT, LIMIT)), ask: None }
}

/// Within the private session: sets up, opens again, keeps a provider's key, erases.
#[test]
fn child_uses_the_session_keychain() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return; // Only of use to the tests below.
    };
    let data = Path::new(&folder).join("data");
    let vault = match Vault::open(&data, source()) {
        Ok(vault) => vault,
        Err(error) => {
            let failure = Failure::from(error);
            println!("\nREFUSED {} {}", failure.code, failure.message);
            return;
        }
    };
    assert!(!vault.has_passphrase());
    vault.write_sealed("note", b"here").unwrap();
    vault.set_api_key("provider", &secret("a-key")).unwrap();
    let again = Vault::open(&data, source()).unwrap();
    assert_eq!(again.read_sealed("note").unwrap().unwrap(), b"here");
    assert_eq!(again.api_key("provider").unwrap().unwrap().expose(), "a-key");

    // Another program sees the entries, so they are in the keychain and not elsewhere.
    let found =
        Command::new("secret-tool").args(["search", "--all", "service", "Nearside"]).output();
    let found = found.unwrap();
    let listed = [found.stdout, found.stderr].concat();
    let listed = String::from_utf8_lossy(&listed);
    assert!(listed.contains("/master-key") && listed.contains("/api-key/provider"), "{listed}");

    let keychain = OsKeychain::with_limits(LIMIT, LIMIT);
    erase(&data, &keychain, &[]).unwrap();
    let found =
        Command::new("secret-tool").args(["search", "--all", "service", "Nearside"]).output();
    assert!(found.unwrap().stdout.is_empty(), "the keys outlived the erasure");
    assert!(keychain.get("nobody/master-key").unwrap().is_none());
    println!("\nKEYCHAIN USED");
}

/// Runs the child above with its own home; answers what it printed and how long it took.
fn child(wrapper: &[&str], folder: &Path, bus: Option<&str>) -> (String, Duration) {
    let this = std::env::current_exe().unwrap();
    let this = this.to_str().unwrap();
    let test = [this, "--exact", "keychain::child_uses_the_session_keychain", "--nocapture"];
    let all: Vec<&str> = wrapper.iter().copied().chain(test).collect();
    let runtime = folder.join("runtime");
    std::fs::create_dir_all(&runtime).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&runtime, std::fs::Permissions::from_mode(0o700)).unwrap();
    }
    let mut command = Command::new(all[0]);
    command
        .args(&all[1..])
        .env(FOLDER, folder)
        .env("HOME", folder)
        .env("XDG_RUNTIME_DIR", &runtime)
        .env("XDG_DATA_HOME", folder.join("share"))
        .env_remove("DBUS_SESSION_BUS_ADDRESS")
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY");
    if let Some(bus) = bus {
        command.env("DBUS_SESSION_BUS_ADDRESS", bus);
    }
    let started = Instant::now();
    let output = command.output().unwrap();
    let took = started.elapsed();
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{text}");
    (text, took)
}

#[cfg(target_os = "linux")]
#[test]
fn gnome_keyring_keeps_the_key() {
    let has = |program: &str| {
        std::env::var_os("PATH")
            .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(program).is_file()))
    };
    for program in ["dbus-run-session", "gnome-keyring-daemon", "secret-tool"] {
        if !has(program) {
            println!("skipped: {program} is not installed");
            return;
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let script = "printf test | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec \"$@\"";
    let wrapper = ["dbus-run-session", "--", "sh", "-c", script, "sh"];
    let (text, took) = child(&wrapper, folder.path(), None);
    assert!(text.contains("KEYCHAIN USED"), "{text}");
    println!("the session's keychain answered all in {took:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_bus_that_never_answers_does_not_hang_us() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("bus");
    // Accepts into its backlog and never reads.
    let _silent = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let bus = format!("unix:path={}", socket.display());
    let (text, took) = child(&[], folder.path(), Some(&bus));
    assert!(text.contains("REFUSED vault_locked"), "{text}");
    assert!(took < LIMIT * 4, "took {took:?}");
    assert!(!folder.path().join("data").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_bus_it_is_locked_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (text, took) = child(&[], folder.path(), Some("unix:path=/nonexistent/bus"));
    assert!(text.contains("REFUSED vault_locked"), "{text}");
    assert!(took < LIMIT, "took {took:?}");
    assert!(!folder.path().join("data").exists());
}
