//! Where models come from in the product: the catalog names the file, the inference crate loads it.

use std::path::PathBuf;
use std::sync::Arc;

use nearside_catalog::{Catalog, path_of, states};
use nearside_inference::{LoadOptions, LocalModel};
use nearside_types::{
    DeviceChoice, Failure, FailureKind, ModelInfo, ModelPurpose, ModelState, Notice, TextModel,
};

use crate::keeper::ModelSource;

/// Tokens of context that are enough for this program's prompts; more costs memory for keys and values.
const CONTEXT: usize = 16 * 1024;

/// Models of one folder.
pub(crate) struct CatalogSource {
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) models_dir: PathBuf,
}

impl CatalogSource {
    fn installed(&self) -> Vec<ModelInfo> {
        states(&self.catalog, &self.models_dir, None)
            .into_iter()
            .filter(|model| {
                model.purpose == ModelPurpose::Chat && model.state == ModelState::Installed
            })
            .collect()
    }

    /// The recommended model first, else the largest that is installed.
    fn fallback(&self) -> Result<String, Failure> {
        let installed = self.installed();
        let recommended = installed.iter().find(|model| model.recommended);
        let best = recommended.or_else(|| installed.iter().max_by_key(|model| model.size));
        best.map(|model| model.name.clone()).ok_or_else(|| {
            let name = self.catalog.default_for(ModelPurpose::Chat).map_or("NAME", |e| &e.name);
            Failure::coded(
                FailureKind::ModelMissing,
                "model_missing",
                format!("No model is installed; fetch one with `nearside models fetch {name}`."),
            )
        })
    }
}

impl ModelSource for CatalogSource {
    fn resolve(&self, wanted: Option<&str>) -> Result<String, Failure> {
        if let Some(name) = wanted.filter(|name| !name.is_empty()) {
            let entry = self.catalog.find(name);
            if entry.is_some_and(|entry| entry.purpose != ModelPurpose::Chat) {
                return Err(Failure::usage(format!(
                    "{name} does not answer questions; `nearside models list` shows which models chat."
                )));
            }
            path_of(&self.catalog, &self.models_dir, name)?;
            return Ok(name.to_owned());
        }
        self.fallback()
    }

    fn size(&self, name: &str) -> Option<u64> {
        let path = path_of(&self.catalog, &self.models_dir, name).ok()?;
        Some(std::fs::metadata(path).ok()?.len())
    }

    fn load(
        &self,
        name: &str,
        device: DeviceChoice,
    ) -> Result<(Box<dyn TextModel>, Vec<Notice>), Failure> {
        let path = path_of(&self.catalog, &self.models_dir, name)?;
        let options = LoadOptions {
            name: name.to_owned(),
            context: Some(CONTEXT),
            device,
            ..LoadOptions::default()
        };
        let model = LocalModel::load(path, options)?;
        Ok((Box::new(model), Vec::new()))
    }
}
