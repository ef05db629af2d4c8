//! Where things are: the checkout, the cache, the weights, the artefacts.
//!
//! In CI all that is worth keeping lies in a cache folder outside the checkout, so that the next run is
//! short; elsewhere builds go to `target` and weights to the user's cache as the product itself does.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

pub(crate) struct Place {
    pub root: PathBuf,
    /// Build outputs.
    pub target: PathBuf,
    /// Weights, as `NEARSIDE_MODELS_DIR` names them.
    pub models: PathBuf,
    /// Virtual environments and other tools that tests need.
    pub tools: PathBuf,
    /// Screenshots and logs of tests.
    pub artefacts: PathBuf,
    pub ci: bool,
}

impl Place {
    pub(crate) fn find() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .context("xtask does not lie in a workspace")?
            .to_owned();
        let ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
        let folder =
            |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        let cache = folder("NEARSIDE_CACHE_DIR")
            .or_else(|| folder("XDG_CACHE_HOME").map(|cache| cache.join("nearside")))
            .or_else(|| folder("LOCALAPPDATA").map(|cache| cache.join("nearside")))
            .or_else(|| folder("HOME").map(|home| home.join(".cache").join("nearside")))
            .context("neither NEARSIDE_CACHE_DIR nor HOME is set; set one of them")?;
        let target = folder("CARGO_TARGET_DIR").unwrap_or_else(|| {
            if ci { cache.join("ci").join("target") } else { root.join("target") }
        });
        let models = folder("NEARSIDE_MODELS_DIR").unwrap_or_else(|| cache.join("models"));
        let tools = cache.join("tools");
        let artefacts =
            if ci { cache.join("ci").join("artefacts") } else { target.join("artefacts") };
        for needed in [&models, &tools, &artefacts] {
            std::fs::create_dir_all(needed)
                .with_context(|| format!("cannot create {}", needed.display()))?;
        }
        Ok(Self { root, target, models, tools, artefacts, ci })
    }

    /// A binary of ours, as the dev profile builds it.
    pub(crate) fn binary(&self, name: &str) -> PathBuf {
        self.target.join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    pub(crate) fn release_binary(&self, name: &str) -> PathBuf {
        self.target.join("release").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// Builds and lints every binary and test, always with the same selection: another one would pick other
    /// features of the dependencies and compile many of them again.
    pub(crate) fn build_everything(&self) -> Result<()> {
        if !crate::step::has("clippy-driver") {
            bail!("clippy is missing; run `rustup component add clippy`, then run this again");
        }
        crate::step::run(&mut self.linting_cargo(&[
            "build",
            "--workspace",
            "--all-targets",
            "--features",
            "custom-protocol",
        ]))
    }

    /// A cargo command that compiles our own crates with clippy's driver, a warning being an error. Run apart
    /// from the build, clippy first checks every dependency once more, for as long as a third of the build.
    pub(crate) fn linting_cargo(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = self.cargo(arguments);
        command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver").env("CLIPPY_ARGS", "-Dwarnings");
        command
    }

    /// A cargo command with the environment that every step shares.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = crate::step::cargo(&self.root, arguments);
        command.env("CARGO_TARGET_DIR", &self.target).env("NEARSIDE_MODELS_DIR", &self.models);
        if self.ci {
            command.env("CARGO_INCREMENTAL", "0");
        }
        command
    }
}
