//! What the tests share: reading bytes, the page text as one string, folders, a vault in memory.

use nearside_library::{
    ChunkOptions, IndexOptions, Library, Limits, Reader, Source, extract, worker::Program,
};
use nearside_types::{Cancel, Extracted};
use nearside_vault::{KeySource, MemoryKeychain, Vault};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) fn read(name: &str, bytes: &[u8]) -> Extracted {
    read_within(name, bytes, &Limits::default())
}

pub(crate) fn read_within(name: &str, bytes: &[u8], limits: &Limits) -> Extracted {
    extract(Source::Bytes { name, bytes }, limits, &Cancel::new(), &mut |_, _| {})
        .expect("a result")
}

pub(crate) fn text_of(extracted: &Extracted) -> String {
    let pages: Vec<&str> = extracted.pages.iter().map(|page| &*page.text).collect();
    pages.join("\n")
}

/// The folder of shared data, or none with a printed sentence.
pub(crate) fn shared(what: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let root = std::env::var_os("NEARSIDE_SHARED_DIR").map_or(beside, PathBuf::from);
    let folder = root.join(what);
    if folder.exists() {
        return Some(folder);
    }
    println!("skipped: {what} is not there; set NEARSIDE_SHARED_DIR to the folder that holds it");
    None
}

/// The worker that cargo builds beside this test.
pub(crate) fn worker(arguments: &[&str]) -> Program {
    let test = std::env::current_exe().expect("the test's own path");
    let folder = test.parent().and_then(Path::parent).expect("the build folder");
    let path =
        folder.join("examples").join(format!("extract-worker{}", std::env::consts::EXE_SUFFIX));
    assert!(
        path.exists(),
        "run the tests with `cargo test -p nearside-library`, which builds the worker"
    );
    Program { path, arguments: arguments.iter().map(Into::into).collect(), pictures: None }
}

/// A library in a folder of its own, and a folder for documents.
pub(crate) struct Home {
    pub(crate) library: Library,
    pub(crate) documents: PathBuf,
    pub(crate) folder: tempfile::TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let source = KeySource::Keychain { keychain: Arc::new(MemoryKeychain::new()), ask: None };
        let vault = Vault::open(&folder.path().join("data"), source).expect("a vault");
        let library = Library::open(&vault).expect("a library");
        let documents = folder.path().join("文档 与 \u{201C}quotes\u{201D}");
        std::fs::create_dir(&documents).expect("a folder for documents");
        Self { library, documents, folder }
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.documents.join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(&path, bytes).expect("a document");
        path
    }
}

/// About four characters of Latin or one of Han make a token.
pub(crate) fn count_tokens(text: &str) -> usize {
    text.chars().map(|c| if c.is_ascii() { 1 } else { 4 }).sum::<usize>().div_ceil(4)
}

pub(crate) fn options(reader: Reader) -> IndexOptions<'static> {
    IndexOptions {
        recursive: true,
        reader,
        limits: Limits::default(),
        chunks: ChunkOptions { max_tokens: 64, overlap_tokens: 8 },
        count_tokens: &count_tokens,
    }
}
