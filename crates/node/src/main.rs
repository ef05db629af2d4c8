//! `nearside-node`: serves one model of this machine over the OpenAI-compatible API, behind a token.
//!
//! It keeps nothing: no conversation, no log of what was asked. It listens on loopback only; a reverse proxy
//! with TLS stands before it where others are to reach it.

mod single;

use std::io::{BufRead as _, IsTerminal as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use clap::Parser;
use nearside_inference::session::{LoadOptions, LocalModel};
use nearside_serve::{Server, Token};

/// Serves one model over an OpenAI-compatible API on this machine.
#[derive(Parser)]
#[command(name = "nearside-node", version)]
struct Arguments {
    /// The catalog's name of an installed model, or the path of a GGUF file.
    #[arg(long)]
    model: String,
    /// Loopback address and port; port 0 takes a free one.
    #[arg(long, default_value = "127.0.0.1:8377")]
    listen: SocketAddr,
    /// A file whose first line is the token that callers send; `-` reads it from standard input.
    #[arg(long)]
    token_file: PathBuf,
    /// Tokens that prompt and answer may take together.
    #[arg(long)]
    context: Option<usize>,
    /// Threads; 0 takes one for each physical core.
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("{error:#}"));
            let status =
                error.downcast_ref::<nearside_types::Failure>().map_or(1, |f| f.kind.exit_status());
            ExitCode::from(status)
        }
    }
}

#[tokio::main]
async fn run(arguments: Arguments) -> Result<()> {
    let token = Token::new(token(&arguments.token_file)?)?;
    let (name, path) = find(&arguments.model)?;
    let options = LoadOptions {
        name: name.clone(),
        context: arguments.context,
        threads: arguments.threads,
        ..LoadOptions::default()
    };
    let model = LocalModel::load(path, options).map_err(nearside_types::Failure::from)?;
    let server = Server::bind(arguments.listen).await.map_err(nearside_types::Failure::from)?;
    say(&format!("{name} is served at http://{}/v1", server.address()));
    let backend = Arc::new(single::Single::new(Box::new(model)));
    let stop = async {
        // Without a handler for Ctrl+C the process just ends, which loses nothing here.
        let _ = tokio::signal::ctrl_c().await;
    };
    server.run(backend, token, stop).await.map_err(nearside_types::Failure::from)?;
    Ok(())
}

/// The token's first line; a token in the arguments could be read by every program on the machine.
fn token(file: &std::path::Path) -> Result<String> {
    let mut line = String::new();
    if file.as_os_str() == "-" {
        if std::io::stdin().is_terminal() {
            complain("type the token and press Enter");
        }
        std::io::stdin().lock().read_line(&mut line).context("the token cannot be read")?;
    } else {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("the token file {} cannot be read", file.display()))?;
        line.push_str(text.lines().next().unwrap_or_default());
    }
    Ok(line.trim().to_owned())
}

/// The model's name and file: a path that exists, else the catalog's name.
fn find(model: &str) -> Result<(String, PathBuf)> {
    let path = PathBuf::from(model);
    if path.is_file() {
        let name = path
            .file_stem()
            .map_or_else(|| model.to_owned(), |stem| stem.to_string_lossy().into_owned());
        return Ok((name, path));
    }
    let folder = nearside_catalog::models_dir(&|name| std::env::var_os(name))
        .map_err(nearside_types::Failure::from)?;
    let catalog = nearside_catalog::Catalog::load(None).map_err(nearside_types::Failure::from)?;
    let path = nearside_catalog::path_of(&catalog, &folder, model)
        .map_err(nearside_types::Failure::from)?;
    Ok((model.to_owned(), path))
}

#[expect(clippy::print_stdout, reason = "a program says where it can be reached")]
fn say(text: &str) {
    println!("{text}");
}

#[expect(clippy::print_stderr, reason = "errors go to standard error")]
fn complain(text: &str) {
    eprintln!("nearside-node: {text}");
}
