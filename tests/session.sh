#!/bin/sh
# Runs its arguments in the surrounding session bus with a keychain of their own: a private home and run-time
# folder, and gnome-keyring unlocked with a password made up here. Ends the keyring with them.
set -eu
scratch=$(mktemp -d)
export HOME_BEFORE="$HOME"
export CARGO_HOME="${CARGO_HOME:-$HOME/.cargo}" RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}"
export XDG_RUNTIME_DIR="$scratch/run" XDG_DATA_HOME="$scratch/data" XDG_CONFIG_HOME="$scratch/config"
mkdir -m 700 "$XDG_RUNTIME_DIR" "$XDG_DATA_HOME" "$XDG_CONFIG_HOME"
trap 'kill "${keyring:-0}" 2>/dev/null || true; rm -rf "$scratch"' EXIT
od -An -N16 -tx1 /dev/urandom | tr -d ' \n' | gnome-keyring-daemon --unlock --foreground --components=secrets --control-directory="$XDG_RUNTIME_DIR" >/dev/null 2>&1 &
keyring=$!
tries=0
# Asked of the bus itself: a call to the service would start a second, locked keyring before ours is there.
until dbus-send --session --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets 2>/dev/null | grep -q 'boolean true'; do
  tries=$((tries + 1))
  if [ "$tries" -gt 100 ]; then echo "the keychain did not start" >&2; exit 1; fi
  sleep 0.1
done
export NEARSIDE_TEST_KEYCHAIN=1
"$@"
