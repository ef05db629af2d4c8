//! What runs on the small encoder: the name model of the gate, and the vectors of the library. Each is there
//! when the encoder is installed, loaded at its first text, and kept.
//!
//! Where it is not installed the gate works by rules alone and the library by words alone. One that is
//! installed and does not load is an error: the gate refuses, and the library says so.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use nearside_catalog::{Catalog, path_of};
use nearside_inference::device::compute_from_environment;
use nearside_inference::encoder::TextEmbedder;
use nearside_inference::names::NameTagger;
use nearside_library::Script;
use nearside_types::{Embedder, EmbedderRole, Failure, Name, NameModel};

/// The encoder that the built-in head of names was trained on, and that vectors come from.
pub(crate) const ENCODER: &str = "multilingual-e5-small";

type Load<T> = fn(&Path) -> Result<T, Failure>;

/// Something that needs the encoder of one folder of weights.
pub(crate) struct OnEncoder<T> {
    models_dir: PathBuf,
    catalog: Arc<Catalog>,
    load: Load<T>,
    // Written once, at the first use after the encoder is installed.
    model: OnceLock<Arc<Lazy<T>>>,
}

impl<T> OnEncoder<T> {
    fn new(catalog: &Arc<Catalog>, models_dir: &Path, load: Load<T>) -> Self {
        let (catalog, models_dir) = (Arc::clone(catalog), models_dir.to_path_buf());
        Self { models_dir, catalog, load, model: OnceLock::new() }
    }

    /// It, where the encoder is installed.
    pub(crate) fn model(&self) -> Option<Arc<Lazy<T>>> {
        if let Some(model) = self.model.get() {
            return Some(Arc::clone(model));
        }
        let weights = path_of(&self.catalog, &self.models_dir, ENCODER).ok()?;
        let folder = weights.parent()?.to_path_buf();
        let lazy = || Arc::new(Lazy { folder, load: self.load, loaded: OnceLock::new() });
        Some(Arc::clone(self.model.get_or_init(lazy)))
    }
}

/// The model of names.
pub(crate) type Names = OnEncoder<NameTagger>;

impl Names {
    pub(crate) fn of(catalog: &Arc<Catalog>, models_dir: &Path) -> Self {
        Self::new(catalog, models_dir, |folder| {
            Ok(NameTagger::load(folder, compute_from_environment(0)?)?)
        })
    }

    pub(crate) fn tagger(&self) -> Option<Arc<dyn NameModel>> {
        Some(self.model()? as Arc<dyn NameModel>)
    }
}

/// The vectors of texts.
pub(crate) type Meaning = OnEncoder<TextEmbedder>;

impl Meaning {
    pub(crate) fn of(catalog: &Arc<Catalog>, models_dir: &Path) -> Self {
        Self::new(catalog, models_dir, |folder| {
            Ok(TextEmbedder::load(folder, compute_from_environment(0)?, true)?)
        })
    }

    /// For comparing texts of several languages; the vectors as the model has them come from `model`.
    pub(crate) fn embedder(&self) -> Option<Arc<dyn Embedder>> {
        Some(Arc::new(Centred(self.model()?)) as Arc<dyn Embedder>)
    }
}

/// Loaded when it is asked.
pub(crate) struct Lazy<T> {
    folder: PathBuf,
    load: Load<T>,
    loaded: OnceLock<Result<T, Failure>>,
}

impl<T> Lazy<T> {
    fn loaded(&self) -> Result<&T, Failure> {
        self.loaded.get_or_init(|| (self.load)(&self.folder)).as_ref().map_err(Clone::clone)
    }
}

impl NameModel for Lazy<NameTagger> {
    fn names(&self, sentences: &[&str]) -> Result<Vec<Vec<Name>>, Failure> {
        self.loaded()?.names(sentences)
    }
}

impl Lazy<TextEmbedder> {
    /// Tokens that the model reads of the texts.
    pub(crate) fn tokens(&self, texts: &[&str]) -> Result<usize, Failure> {
        let embedder = self.loaded()?;
        let longest = embedder.encoder().settings().longest;
        let count = |text: &&str| embedder.tokenizer().encode(text, longest).ids.len();
        Ok(texts.iter().map(count).sum())
    }
}

/// The mean vectors of passages without and with a script of wide characters, `[script][dimension]` as
/// little-endian floats: of the public retrieval set (English paragraphs of XQuAD; Chinese ones of XQuAD and
/// CMRC 2018), as `/v1/embeddings` gives them.
const MEANS: &[u8] = include_bytes!("../assets/e5-script-means.f32");

/// Vectors less the mean of their text's script. The mean holds most of what a vector says of the language:
/// with it, a text is nearer to any other text of its language than to its own translation.
struct Centred(Arc<Lazy<TextEmbedder>>);

impl Embedder for Centred {
    fn dimensions(&self) -> usize {
        self.0.dimensions()
    }

    fn embed(&self, role: EmbedderRole, texts: &[&str]) -> Result<Vec<Vec<f32>>, Failure> {
        let mut vectors = self.0.embed(role, texts)?;
        for (vector, text) in vectors.iter_mut().zip(texts) {
            let mut means = MEANS.as_chunks::<4>().0.chunks_exact(MEANS.len() / 8);
            let mean = means.nth(Script::of(text) as usize).unwrap_or_default();
            for (x, mean) in vector.iter_mut().zip(mean) {
                *x -= f32::from_le_bytes(*mean);
            }
            let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-6);
            vector.iter_mut().for_each(|x| *x /= length);
        }
        Ok(vectors)
    }
}

impl Embedder for Lazy<TextEmbedder> {
    fn dimensions(&self) -> usize {
        self.loaded().map_or(0, Embedder::dimensions)
    }

    fn embed(&self, role: EmbedderRole, texts: &[&str]) -> Result<Vec<Vec<f32>>, Failure> {
        self.loaded()?.embed(role, texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(folder: &Path) -> Option<Arc<dyn NameModel>> {
        let catalog = Arc::new(Catalog::load(None).unwrap());
        Names::of(&catalog, folder).tagger()
    }

    #[test]
    fn where_no_encoder_is_installed_there_is_no_model() {
        assert!(check(tempfile::tempdir().unwrap().path()).is_none());
    }

    #[test]
    fn an_installed_encoder_finds_names_in_both_languages() {
        let Some(folder) = std::env::var_os("NEARSIDE_MODELS_DIR") else { return };
        let Some(model) = check(Path::new(&folder)) else { return };
        let names =
            model.names(&["Please ask Julcsa Kárpáthy about it.", "请把合同发给欧阳晓梅。"]);
        let names = names.unwrap();
        assert_eq!(names[0].iter().map(|n| (n.start, n.end)).collect::<Vec<_>>(), [(11, 26)]);
        assert_eq!(names[1].iter().map(|n| (n.start, n.end)).collect::<Vec<_>>(), [(6, 10)]);
    }
}
