//! Notices: what the user should know of an answer, beside the answer.

told! {
    /// Said with an answer: a fallback, earlier turns left out …
    Notice, what: Remark + Eq {
        #[error("A GPU was asked for, but none can be used here; the CPU answered.")]
        NoGpuPath,
        #[error("The GPU {name} could not be used ({why}); the CPU answered.")]
        GpuUnusable { name: String, why: String },
        #[error("The GPU {name} failed ({why}); the CPU went on.")]
        GpuFailed { name: String, why: String },
        #[error("The {turns} earliest turns did not fit the model and were left out.")]
        TurnsLeftOut { turns: u64 },
        #[error("The documents are longer than is read for one question: the {near} nearest of {passages} passages were read.")]
        NearestPassages { near: u64, passages: u64 },
        #[error("The answer holds {count} placeholder(s) that were never sent; they are shown as they came.")]
        UnknownPlaceholders { count: u64 },
        #[error("No model is installed yet: these are sentences of the document, chosen by rule and not written by a model. No page was read by a model.")]
        WithoutModel,
        #[error("{}", left_out(*.count))]
        SentencesLeftOut { count: u64 },
        #[error("The summary was not finished: {read} of {total} pages were read.")]
        SummaryUnfinished { read: u64, total: u64 },
    }
}

fn left_out(count: u64) -> String {
    if count == 1 {
        return "One sentence of the model was left out: it repeated itself or held a number that is not in the document.".to_owned();
    }
    format!(
        "{count} sentences of the model were left out: they repeated themselves or held numbers that are not in the document."
    )
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{Reason, Warning};

    /// What was stored reads, keeps its sentence, and reads again as it was written.
    fn check<T>(stored: &Value, code: &str, text: &str)
    where
        T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
    {
        let told: T = serde_json::from_value(stored.clone()).unwrap();
        let written = serde_json::to_value(&told).unwrap();
        assert_eq!((&written["code"], &written["text"]), (&json!(code), &json!(text)));
        assert_eq!(serde_json::from_value::<T>(written).unwrap(), told);
    }

    #[test]
    fn what_other_versions_stored_keeps_its_sentence() {
        check::<Notice>(
            &json!("Earlier turns were left out."),
            "earlier",
            "Earlier turns were left out.",
        );
        check::<Warning>(&json!("Page 3 needs OCR."), "earlier", "Page 3 needs OCR.");
        let reason = json!({ "code": "local_suffices", "text": "The local model should do." });
        check::<Reason>(&reason, "earlier", "The local model should do.");
        let reason = json!({ "code": "a_later_one", "text": "Because.", "size": 3 });
        check::<Reason>(&reason, "earlier", "Because.");
        let reason = json!({ "code": "no_provider", "text": "No cloud model is set up." });
        check::<Reason>(&reason, "no_provider", "No cloud model is set up.");
        let now = Notice::from(Remark::TurnsLeftOut { turns: 4 });
        check::<Notice>(&serde_json::to_value(&now).unwrap(), "turns_left_out", &now.text);
    }
}
