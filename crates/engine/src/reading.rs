//! Reading dropped files: each in a process of its own where there is a program for it, each with one
//! outcome, none silently left out.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nearside_catalog::{Catalog, path_of};
use nearside_library::worker::{Program, extract_in_worker};
use nearside_library::{Limits, PictureReader, Source, extract_with_pictures};
use nearside_types::{
    Cancel, ChatEvent, Extracted, Failure, FailureKind, FileChip, FileStatus, Stage, Trouble,
    UserText,
};

use crate::document::Document;
use crate::routing::tokens_of;

/// The hidden first argument with which this program, or `nearside-app`, reads one file and ends.
pub const EXTRACT_WORKER: &str = nearside_library::worker::SUBCOMMAND;

/// The model that reads text in pictures.
const PICTURES: &str = "pp-ocr";

/// Serves one request as the extract worker: the whole of what such a process does.
#[must_use]
pub fn serve_extract_worker() -> std::process::ExitCode {
    match nearside_library::worker::serve_stdio(&nearside_vision::load) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(_) => std::process::ExitCode::FAILURE,
    }
}

/// Reads files within bounds.
pub(crate) struct Reader {
    /// A program that understands `EXTRACT_WORKER`; without one, files are read in this process.
    pub(crate) worker: Option<PathBuf>,
    pub(crate) limits: Limits,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) models_dir: PathBuf,
}

impl Reader {
    /// The folder of the model that reads pictures, where it is installed now.
    fn pictures(&self) -> Option<PathBuf> {
        let network = path_of(&self.catalog, &self.models_dir, PICTURES).ok()?;
        network.parent().map(Path::to_path_buf)
    }

    /// The worker and what it may use, where there is a program for it.
    pub(crate) fn program(&self) -> Option<Program> {
        let worker = self.worker.as_ref()?;
        Some(Program::ours(worker).with_pictures(self.pictures()))
    }

    /// # Errors
    /// When the path cannot be opened, or it was stopped. A file that cannot be read is a result.
    pub(crate) fn extract(
        &self,
        path: &Path,
        cancel: &Cancel,
        progress: &mut dyn FnMut(u32, u32),
    ) -> Result<Extracted, Failure> {
        let Some(program) = self.program() else {
            let mut pictures = match self.pictures() {
                Some(folder) => PictureReader::lazy(move || nearside_vision::load(&folder)),
                None => PictureReader::none(),
            };
            return Ok(extract_with_pictures(
                Source::Path(path),
                &self.limits,
                &mut pictures,
                cancel,
                progress,
            )?);
        };
        let outcome = extract_in_worker(&program, path, &self.limits, cancel, progress)?;
        Ok(outcome.extracted)
    }

    /// Reads all files in order, with an event for each.
    ///
    /// # Errors
    /// When one of them cannot be opened; the sentence says which by its place.
    pub(crate) fn documents(
        &self,
        paths: &[PathBuf],
        cancel: &Cancel,
        on_event: &mut dyn FnMut(ChatEvent),
    ) -> Result<Vec<Document>, Failure> {
        let mut out = Vec::new();
        for (index, path) in paths.iter().enumerate() {
            let extracted = self
                .extract(path, cancel, &mut |done, total| {
                    on_event(ChatEvent::Progress { stage: Stage::ReadingFile, done, total });
                })
                .map_err(|failure| placed(failure, index, paths.len()))?;
            let document = Document { name: name_of(path), extracted };
            on_event(ChatEvent::File { outcome: document.outcome() });
            out.push(document);
        }
        Ok(out)
    }

    /// What a dropped file is, before anything is asked about it. A path that cannot be opened is a chip
    /// too, with the reason.
    pub(crate) fn chip(&self, path: &str) -> FileChip {
        let file = Path::new(path);
        let bytes = std::fs::metadata(file).map_or(0, |found| found.len());
        let chip = |kind: String, status, pages, tokens, warnings| FileChip {
            path: path.to_owned(),
            name: name_of(file),
            bytes,
            kind,
            status,
            pages,
            tokens,
            warnings,
        };
        match self.extract(file, &Cancel::new(), &mut |_, _| {}) {
            Ok(extracted) => {
                let document = Document { name: name_of(file), extracted };
                let outcome = document.outcome();
                let tokens = tokens_of(&document);
                let kind = document.extracted.kind;
                chip(kind, outcome.status, outcome.pages, tokens, outcome.warnings)
            }
            Err(failure) => {
                let why = failure.message;
                let trouble = match failure.kind {
                    _ if failure.code == "not_a_file" => Trouble::NotAFile,
                    FailureKind::NotFound => Trouble::NotFound,
                    FailureKind::NothingReadable => Trouble::NotOpened { why },
                    _ => Trouble::Failed { why },
                };
                chip(String::new(), FileStatus::Unsupported, 0, 0, vec![trouble.into()])
            }
        }
    }
}

/// The file's own name, without its folder.
pub(crate) fn name_of(path: &Path) -> UserText {
    UserText(path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned())
}

fn placed(mut failure: Failure, index: usize, count: usize) -> Failure {
    if count > 1 && failure.kind != FailureKind::Cancelled {
        failure.message = format!("File {} of {count}: {}", index + 1, failure.message);
    }
    failure
}
