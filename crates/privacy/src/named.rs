//! The name model's part in detection: it reads the sentences that the first stage picks, and its names become
//! findings of the text. A model that fails or answers what it was not asked is an error, so that the gate refuses.

use nearside_types::{EntityType, Ground, NameModel};

use crate::error::{Error, Result};
use crate::first_stage::may_name;
use crate::overlap::Finding;
use crate::recognizer::THRESHOLD;
use crate::recognizers::{is_common_word, is_word_too};
use crate::sentence::split;

/// A full score, so that a checksum outweighs the model and the model outweighs a rule's guess at a name.
const FULL: f32 = 90.0;

/// The names of a text, in its code points.
///
/// # Errors
/// When the model fails, or names a place outside its sentence.
pub(crate) fn named(model: &dyn NameModel, text: &str) -> Result<Vec<Finding>> {
    let picked: Vec<_> =
        split(text).into_iter().filter(|s| may_name(&text[s.bytes.clone()])).collect();
    if picked.is_empty() {
        return Ok(Vec::new());
    }
    let sentences: Vec<&str> = picked.iter().map(|s| &text[s.bytes.clone()]).collect();
    let names = model.names(&sentences).map_err(|_| failed("it stopped"))?;
    if names.len() != sentences.len() {
        return Err(failed("it left sentences out"));
    }
    let mut findings = Vec::new();
    for ((sentence, part), names) in picked.iter().zip(sentences).zip(names) {
        let length = part.chars().count();
        for name in names {
            if name.start >= name.end || name.end > length {
                return Err(failed("it named what is not there"));
            }
            let score = (name.score.clamp(0.0, 1.0) * FULL) as u8;
            // A word that is a plant, a tool or a verb as well is left to the rules, which weigh what is around it.
            let word: String = part.chars().take(name.end).skip(name.start).collect();
            let doubtful = name.kind == EntityType::Person
                && (word.chars().count() < 2 && word.is_ascii()
                    || is_word_too(&word)
                    || is_common_word(&word));
            if score >= THRESHOLD && !doubtful {
                findings.push(Finding {
                    range: sentence.first + name.start..sentence.first + name.end,
                    kind: name.kind,
                    score,
                    ground: Ground::NameModel,
                    why: format!("name_model: score {score}"),
                });
            }
        }
    }
    Ok(findings)
}

fn failed(how: &str) -> Error {
    Error::Detection(format!("the name model: {how}"))
}
