//! Compiles the libraries, the command line and the node for Windows and Arm, and runs the command line
//! under wine and qemu where they are. Outside CI's time.

use std::process::Command;

use anyhow::Result;

use crate::place::Place;
use crate::step::{has, run, say};

const TARGETS: &[(&str, &str)] = &[
    ("x86_64-pc-windows-gnu", "x86_64-w64-mingw32-gcc"),
    ("aarch64-unknown-linux-gnu", "aarch64-linux-gnu-gcc"),
];

pub(crate) fn cross() -> Result<()> {
    let place = Place::find()?;
    for (target, linker) in TARGETS {
        if !has(linker) {
            say(&format!(
                "{linker} is missing, so {target} is skipped; install gcc-mingw-w64-x86-64 and gcc-aarch64-linux-gnu"
            ));
            continue;
        }
        run(Command::new("rustup").args(["target", "add", target]))?;
        let variable = format!("CARGO_TARGET_{}_LINKER", target.to_uppercase().replace('-', "_"));
        run(place
            .cargo(&[
                "build",
                "--target",
                target,
                "--package",
                "nearside-cli",
                "--package",
                "nearside-node",
            ])
            .env(variable, linker))?;
    }
    Ok(())
}
