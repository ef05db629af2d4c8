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
