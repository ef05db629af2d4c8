//! Ctrl+C and a polite kill stop the work within a token; what was printed stays. A second Ctrl+C ends at
//! once.

use nearside_types::Cancel;

/// A `Cancel` that the signals of this process set.
pub(crate) fn cancel() -> Cancel {
    let cancel = Cancel::new();
    let seen = cancel.clone();
    // Without a thread there is no gentle stop, and the signals end the process as usual.
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(move || watch(&seen));
    cancel
}

fn watch(cancel: &Cancel) {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
        return;
    };
    runtime.block_on(async {
        wait().await;
        cancel.cancel();
        wait().await;
        std::process::exit(130);
    });
}

#[cfg(unix)]
async fn wait() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
}

#[cfg(not(unix))]
async fn wait() {
    let _ = tokio::signal::ctrl_c().await;
}
