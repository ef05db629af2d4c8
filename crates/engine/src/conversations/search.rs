//! Search across conversations: every word of the query must stand in one message or in the title.
//!
//! It compares substrings, because a trigram index misses Chinese words of two characters and a word index
//! misses all of them; a person's conversations are small enough to be read through.

use std::collections::BTreeMap;

use nearside_types::{ConversationSummary, UserText};

use super::Conversations;
use crate::error::Error;

/// Characters shown on each side of a hit.
const AROUND: usize = 40;

impl Conversations {
    /// Conversations that hold `query`, pinned and latest first, each with the words around one hit. An
    /// empty query finds everything.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn search(&self, query: &str) -> Result<Vec<ConversationSummary>, Error> {
        let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
        let all = self.list()?;
        if words.is_empty() {
            return Ok(all);
        }
        let mut snippets: BTreeMap<String, UserText> = BTreeMap::new();
        {
            let connection = self.lock();
            let mut statement = connection.prepare_cached(
                "SELECT conversation, content FROM message ORDER BY created_ms DESC, id DESC",
            )?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let conversation: String = row.get(0)?;
                if snippets.contains_key(&conversation) {
                    continue;
                }
                let content: String = row.get(1)?;
                if let Some(snippet) = snippet(&content, &words) {
                    snippets.insert(conversation, snippet);
                }
            }
        }
        Ok(all
            .into_iter()
            .filter_map(|mut summary| {
                let in_title = snippet(&summary.title, &words).is_some();
                summary.snippet = snippets.remove(&summary.id.0);
                (in_title || summary.snippet.is_some()).then_some(summary)
            })
            .collect())
    }
}

fn snippet(text: &str, words: &[String]) -> Option<UserText> {
    let lower = text.to_lowercase();
    if !words.iter().all(|word| lower.contains(word.as_str())) {
        return None;
    }
    let at = lower.find(words[0].as_str())?;
    // Lowercasing keeps the count of characters for nearly all scripts; a shift of one or two is harmless.
    let hit = lower[..at].chars().count();
    let from = hit.saturating_sub(AROUND);
    let length = words[0].chars().count() + 2 * AROUND;
    let mut out = String::new();
    if from > 0 {
        out.push('…');
    }
    out.extend(text.chars().skip(from).take(length).map(|c| if c == '\n' { ' ' } else { c }));
    if text.chars().count() > from + length {
        out.push('…');
    }
    Some(UserText(out))
}
