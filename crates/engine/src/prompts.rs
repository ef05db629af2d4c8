//! The words that models are given. English and Chinese, short, because small models read short orders best.
//!
//! No time, date or counter stands in them: an unchanged beginning keeps its keys and values in the cache.

/// The system turn of a conversation.
pub(crate) const ASSISTANT: &str = "You are Nearside, a helpful assistant that runs on the user's own \
computer. Answer clearly and briefly, in the language of the question.";

/// The system turn when files were given.
pub(crate) const READER: &str = "You are Nearside, a helpful assistant that reads the user's documents. \
Answer from the passages, in the language of the question. Repeat names and numbers exactly. \
If the passages do not hold the answer, say that the document does not say.";

/// Tells a far model to go on with its unfinished turn.
pub(crate) const CONTINUE: &str = "Go on exactly where you stopped, without repeating anything.";

/// Asks a far model for a summary of everything at once.
pub(crate) fn summarise_all(chinese: bool) -> &'static str {
    if chinese {
        "请概括全部文档内容，保留人名、数字和日期。"
    } else {
        "Summarise all the documents. Keep names, numbers and dates."
    }
}

/// Opens the documents in a user turn.
pub(crate) fn documents_head(chinese: bool) -> &'static str {
    if chinese { "文档内容：" } else { "The document:" }
}

/// Opens the excerpts that stand next to the question.
pub(crate) fn excerpts_head(chinese: bool) -> &'static str {
    if chinese { "与问题最相关的段落：" } else { "The passages nearest to the question:" }
}

/// Puts the question behind the passages.
pub(crate) fn question(chinese: bool, question: &str) -> String {
    if chinese { format!("问题：{question}") } else { format!("Question: {question}") }
}

/// Asks for a summary of one part of a document.
pub(crate) fn summarise_part(chinese: bool, part: &str, facts: &str) -> String {
    if chinese {
        let facts =
            if facts.is_empty() { String::new() } else { format!("\n\n要点：\n{facts}") };
        format!("{part}{facts}\n\n请用几句话概括以上内容，保留人名、数字和日期。")
    } else {
        let facts =
            if facts.is_empty() { String::new() } else { format!("\n\nKey facts:\n{facts}") };
        format!(
            "{part}{facts}\n\nSummarise the text above in a few sentences. Keep names, numbers and dates."
        )
    }
}

/// Asks to join the summaries of parts.
pub(crate) fn merge(chinese: bool, parts: &str) -> String {
    if chinese {
        format!(
            "以下是同一文档各部分的摘要：\n\n{parts}\n\n请合并成一段通顺的总体摘要，不要添加新内容。"
        )
    } else {
        format!(
            "These are summaries of the parts of one document:\n\n{parts}\n\n\
             Join them into one overall summary of a single paragraph. Add nothing new."
        )
    }
}

/// Heads the list of key sentences in a summary.
pub(crate) fn key_points(chinese: bool) -> &'static str {
    if chinese { "要点" } else { "Key points" }
}

/// Names a page behind a key sentence.
pub(crate) fn page_mark(chinese: bool, file: Option<&str>, page: u32) -> String {
    match (chinese, file) {
        (true, None) => format!("（第{page}页）"),
        (true, Some(file)) => format!("（{file} 第{page}页）"),
        (false, None) => format!("(p. {page})"),
        (false, Some(file)) => format!("({file}, p. {page})"),
    }
}
