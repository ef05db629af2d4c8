//! Nearside's window. It wires Tauri to the engine and owns nothing else: no model, file or key is touched here.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod commands;
mod folder;
mod jobs;
mod login;
mod notify;
mod shell;
mod shortcut;
mod tray;
mod window;
mod words;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        // The engine starts this same program to read one file out of process.
        Some(nearside_engine::EXTRACT_WORKER) => nearside_engine::serve_extract_worker(),
        Some("--version") => version(),
        _ => run(arguments.iter().any(|word| word == login::HIDDEN)),
    }
}

#[expect(clippy::print_stdout, reason = "a program answers --version on standard output")]
fn version() -> ExitCode {
    println!("nearside-app {}", env!("CARGO_PKG_VERSION"));
    ExitCode::SUCCESS
}

fn run(hidden: bool) -> ExitCode {
    let builder = tauri::Builder::default()
        // First, so that a second start ends before it opens anything.
        .plugin(tauri_plugin_single_instance::init(|app, _, _| window::show(app)))
        .plugin(
            tauri_plugin_window_state::Builder::default()
                .with_state_flags(window::kept_state())
                .build(),
        )
        .plugin(tauri_plugin_global_shortcut::Builder::new().build())
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_notification::init())
        .plugin(tauri_plugin_opener::init());
    #[cfg(not(target_os = "linux"))]
    let builder = builder.plugin(tauri_plugin_autostart::init(
        tauri_plugin_autostart::MacosLauncher::LaunchAgent,
        Some(vec![login::HIDDEN]),
    ));
    let app = builder
        .invoke_handler(commands::handler())
        .setup(move |app| {
            let tray = shell::start(app.handle())?;
            // Without an icon in a tray nobody could bring a hidden window.
            window::build(app.handle(), hidden && tray)?;
            Ok(())
        })
        .on_window_event(window::on_event)
        .build(tauri::generate_context!());
    match app {
        Ok(app) => {
            app.run(|app, event| {
                if let tauri::RunEvent::Exit = event {
                    shell::stop(app);
                }
            });
            ExitCode::SUCCESS
        }
        Err(error) => cannot_start(&error),
    }
}

#[expect(clippy::print_stderr, reason = "there is no window to say it in")]
fn cannot_start(error: &tauri::Error) -> ExitCode {
    eprintln!("Nearside cannot open its window: {error}");
    ExitCode::FAILURE
}
