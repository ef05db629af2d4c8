//! Handing a file or a link to its own program. Only web and mail links; a file must exist.

use nearside_types::{Failure, FailureKind};
use tauri::AppHandle;
use tauri_plugin_opener::OpenerExt;

use super::Answer;

/// PDF viewers and browsers understand a page in the fragment; other programs ignore the page.
#[tauri::command]
pub(crate) async fn open_path(app: AppHandle, path: String, page: Option<u32>) -> Answer<()> {
    let file = std::path::Path::new(&path);
    if !file.exists() {
        return Err(Failure::coded(
            FailureKind::NotFound,
            "file_gone",
            "This file is not there any more; it was moved or deleted.",
        ));
    }
    let is_pdf = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pdf"));
    let address = match (page, tauri::Url::from_file_path(file)) {
        (Some(page), Ok(url)) if is_pdf && page > 1 => Some(format!("{url}#page={page}")),
        _ => None,
    };
    let opened = match address {
        Some(url) => app.opener().open_url(url, None::<&str>),
        None => app.opener().open_path(path, None::<&str>),
    };
    opened.map_err(|_| no_program())
}

#[tauri::command]
pub(crate) async fn open_link(app: AppHandle, url: String) -> Answer<()> {
    let known = tauri::Url::parse(&url)
        .is_ok_and(|url| matches!(url.scheme(), "http" | "https" | "mailto"));
    if !known {
        return Err(Failure::coded(
            FailureKind::Usage,
            "link_refused",
            "Only web and mail links are opened.",
        ));
    }
    app.opener().open_url(url, None::<&str>).map_err(|_| no_program())
}

fn no_program() -> Failure {
    let sentence = "No program on this computer opens this.";
    Failure::coded(FailureKind::Internal, "no_program", sentence)
}
