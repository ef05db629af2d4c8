//! Conversions of downloaded files into the forms that are loaded here. Readers of foreign bytes check
//! every length against the file before they trust it, take bounded memory and never panic.

pub mod bytes;
pub mod ct2;
pub mod e5;
mod e5_tokenizer;
mod mel;
mod safetensors_file;
mod whisper;
mod whisper_vocabulary;

use std::fs::File;
use std::io::{BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use nearside_types::Cancel;

pub use e5::e5_to_folder;
pub use whisper::ct2_to_ggml;

use crate::{CatalogError, Conversion};

/// Converts `inputs` (name and path) into files of the names `outputs` in `folder`.
///
/// # Errors
/// `Format` when an input is not what its name says; `DiskFull`, `Cancelled`.
pub fn run(
    conversion: Conversion,
    inputs: &[(String, PathBuf)],
    outputs: &[&str],
    folder: &Path,
    cancel: &Cancel,
) -> Result<(), CatalogError> {
    let input = |name: &str| {
        let found = inputs.iter().find(|(input, _)| input == name).map(|(_, path)| path.as_path());
        found.ok_or_else(|| CatalogError::Catalog(format!("the conversion needs {name}")))
    };
    let none =
        || CatalogError::Catalog("the conversion makes a file that is not listed".to_owned());
    match conversion {
        Conversion::Ctranslate2Whisper => {
            let output = folder.join(outputs.first().ok_or_else(none)?);
            ct2_to_ggml(input("model.bin")?, input("tokenizer.json")?, &output, cancel)
        }
        Conversion::E5Container => {
            let container = inputs.first().map(|(_, path)| path.as_path()).ok_or_else(none)?;
            e5_to_folder(container, folder, cancel)
        }
    }
}

fn open(path: &Path) -> Result<(BufReader<File>, u64), CatalogError> {
    let failed = |error| CatalogError::io("Reading", path, error);
    let file = File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    Ok((BufReader::with_capacity(1 << 18, file), length))
}

/// Creates `path`, lets `write` fill it, and makes it last.
fn create(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), CatalogError>,
) -> Result<(), CatalogError> {
    let failed = |error| CatalogError::io("Writing", path, error);
    let mut out = BufWriter::with_capacity(1 << 18, File::create(path).map_err(failed)?);
    write(&mut out)?;
    out.flush().map_err(failed)?;
    out.get_ref().sync_all().map_err(failed)
}
