//! The name model as the gate sees it: there when its encoder is installed, loaded at its first sentence, kept.
//! Where it is not installed there is none, and the rules work alone. One that is installed and does not load
//! is an error, so that the gate refuses.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use nearside_catalog::{Catalog, path_of};
use nearside_inference::device::compute_from_environment;
use nearside_inference::names::NameTagger;
use nearside_types::{Failure, Name, NameModel};

/// The encoder that the built-in head was trained on.
const ENCODER: &str = "multilingual-e5-small";

/// The model of one folder of weights.
pub(crate) struct Names {
    models_dir: PathBuf,
    catalog: Arc<Catalog>,
    // Written once, at the first use after the encoder is installed.
    model: OnceLock<Arc<Lazy>>,
}

impl Names {
    pub(crate) fn new(catalog: &Arc<Catalog>, models_dir: &Path) -> Self {
        let (catalog, models_dir) = (Arc::clone(catalog), models_dir.to_path_buf());
        Self { models_dir, catalog, model: OnceLock::new() }
    }

    /// The model, where its encoder is installed.
    pub(crate) fn model(&self) -> Option<Arc<dyn NameModel>> {
        if let Some(model) = self.model.get() {
            return Some(Arc::clone(model) as Arc<dyn NameModel>);
        }
        let weights = path_of(&self.catalog, &self.models_dir, ENCODER).ok()?;
        let folder = weights.parent()?.to_path_buf();
        let lazy = || Arc::new(Lazy { folder, tagger: OnceLock::new() });
        Some(Arc::clone(self.model.get_or_init(lazy)) as Arc<dyn NameModel>)
    }
}

/// A tagger that is loaded when it is asked.
struct Lazy {
    folder: PathBuf,
    tagger: OnceLock<Result<NameTagger, Failure>>,
}

impl NameModel for Lazy {
    fn names(&self, sentences: &[&str]) -> Result<Vec<Vec<Name>>, Failure> {
        let load = || Ok(NameTagger::load(&self.folder, compute_from_environment(0)?)?);
        let tagger = self.tagger.get_or_init(load).as_ref().map_err(Clone::clone)?;
        tagger.names(sentences)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(folder: &Path) -> Option<Arc<dyn NameModel>> {
        let catalog = Arc::new(Catalog::load(None).unwrap());
        Names::new(&catalog, folder).model()
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
