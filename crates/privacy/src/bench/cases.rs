//! The cases of the public sets, one JSON object a line in a gzip file, and the split into halves.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use nearside_types::{EntityType, UserText};
use serde::Deserialize;

use crate::error::{Error, Result};

/// No public set is larger; a file that unpacks to more is not one.
const LONGEST: u64 = 256 << 20;

/// One labelled text.
#[derive(Debug, Clone, Deserialize)]
pub struct Case {
    pub id: String,
    pub lang: String,
    pub text: UserText,
    pub spans: Vec<Label>,
    pub group: String,
    pub scope: Vec<String>,
    #[serde(default)]
    pub source: String,
    #[serde(default)]
    pub weak: bool,
    #[serde(default)]
    pub recall_only: bool,
}

/// One labelled place, in code points.
#[derive(Debug, Clone, Deserialize)]
pub struct Label {
    pub start: usize,
    pub end: usize,
    #[serde(rename = "type")]
    pub kind: EntityType,
    #[serde(default)]
    pub subtype: Option<String>,
}

/// A text that looks personal and is not.
#[derive(Debug, Clone, Deserialize)]
pub struct HardNegative {
    #[serde(default)]
    pub lang: String,
    pub text: UserText,
    pub expect: String,
}

/// The half of the data a case belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Half {
    Tuning,
    Test,
}

impl Case {
    /// By an FNV-1a hash of the template group, so that near-twins fall together.
    #[must_use]
    pub fn half(&self) -> Half {
        let hash = self.group.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
            (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)
        });
        // FNV's high bits hardly see the last byte: mix once more.
        let mixed = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        if (mixed >> 40) & 1 == 0 { Half::Tuning } else { Half::Test }
    }

    /// Whether labels of this type are complete here, so that an extra prediction is an error.
    #[must_use]
    pub fn covers(&self, kind: EntityType) -> bool {
        self.scope.iter().any(|s| match s.as_str() {
            "*" => kind.is_tier_a(),
            other => other.split(':').next() == Some(kind.name()),
        })
    }
}

/// Reads the lines of a gzip file.
///
/// # Errors
/// When the file is absent, too large, or a line is no case.
pub(super) fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Vec<T>> {
    let problem = |what: &str, e: &dyn std::fmt::Display| {
        Error::Data(format!(
            "{what} {}: {e}; give the path of a gzip file of JSON lines",
            path.display()
        ))
    };
    let file = std::fs::File::open(path).map_err(|e| problem("cannot open", &e))?;
    let reader = BufReader::new(flate2::read::GzDecoder::new(file).take(LONGEST));
    reader
        .lines()
        .map(|line| {
            let line = line.map_err(|e| problem("cannot read", &e))?;
            serde_json::from_str(&line).map_err(|e| problem("cannot understand a line of", &e))
        })
        .collect()
}
