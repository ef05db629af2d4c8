//! Chinese in one set of characters, whichever the model happened to write.

use ferrous_opencc::OpenCC;
use ferrous_opencc::config::BuiltinConfig;
use nearside_types::ChineseScript;

use crate::{Error, Result};

/// Converts to one of the two scripts; the dictionaries are inside the program.
pub struct Script {
    to_simplified: OpenCC,
    to_traditional: OpenCC,
}

impl Script {
    /// # Errors
    /// A fault of the embedded dictionaries.
    pub fn load() -> Result<Self> {
        let load =
            |config| OpenCC::from_config(config).map_err(|error| Error::Failed(error.to_string()));
        Ok(Self {
            to_simplified: load(BuiltinConfig::T2s)?,
            to_traditional: load(BuiltinConfig::S2t)?,
        })
    }

    /// The same text in `script`.
    #[must_use]
    pub fn convert(&self, text: &str, script: ChineseScript) -> String {
        match script {
            ChineseScript::Simplified => self.to_simplified.convert(text),
            ChineseScript::Traditional => self.to_traditional.convert(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways() {
        let script = Script::load().unwrap();
        for (simplified, traditional) in [
            ("而改送压岁书", "而改送壓歲書"),
            ("头发发展", "頭髮發展"),
            ("plain English, 123", "plain English, 123"),
            ("", ""),
        ] {
            assert_eq!(script.convert(traditional, ChineseScript::Simplified), simplified);
            assert_eq!(script.convert(simplified, ChineseScript::Traditional), traditional);
            assert_eq!(script.convert(simplified, ChineseScript::Simplified), simplified);
        }
    }
}
