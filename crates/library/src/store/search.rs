//! Keyword search: a question becomes words, the words a query, SQLite's bm25 ranks the passages.
//!
//! Passages with every word come first; where they are too few, passages with some of them follow. There are
//! no vectors here yet.

use super::Library;
use super::words::{Word, of_question};
use crate::error::LibraryError;
use nearside_types::{SearchHit, UserText};
use rusqlite::params;
use std::collections::HashSet;

/// A whole passage that answers a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    pub id: i64,
    /// The path.
    pub file: UserText,
    pub page: u32,
    pub section: Option<UserText>,
    pub text: UserText,
    /// Code points into the page's text.
    pub start: usize,
    pub end: usize,
    /// Higher is better; comparable within one search only.
    pub score: f64,
}

/// Code points of a hit's text.
const SNIPPET: usize = 240;
/// Words of a question that are looked up; the rest of a pasted page adds nothing.
const MAX_WORDS: usize = 64;

impl Library {
    /// The `count` best passages, as snippets around the words found.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn search(&self, question: &str, count: usize) -> Result<Vec<SearchHit>, LibraryError> {
        let words = of_question(question);
        let passages = self.passages(question, count)?;
        let hit = |passage: Passage| SearchHit {
            text: UserText::from(snippet(&passage.text, &words)),
            file: passage.file,
            page: passage.page,
            section: passage.section,
            score: passage.score,
            how: "keyword".to_owned(),
        };
        Ok(passages.into_iter().map(hit).collect())
    }

    /// The `count` best passages, whole.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn passages(&self, question: &str, count: usize) -> Result<Vec<Passage>, LibraryError> {
        let mut words = of_question(question);
        words.truncate(MAX_WORDS);
        if words.is_empty() || count == 0 {
            return Ok(Vec::new());
        }
        let mut found = self.matching(&every_word(&words), count)?;
        if found.len() < count && words.len() > 1 {
            let seen: HashSet<i64> = found.iter().map(|passage| passage.id).collect();
            let best = found.last().map(|passage| passage.score);
            for mut passage in self.matching(&some_words(&words), count + seen.len())? {
                if found.len() == count {
                    break;
                }
                if !seen.contains(&passage.id) {
                    // They stand below those with every word, and their scores say so.
                    passage.score = best.map_or(passage.score, |best| passage.score.min(best));
                    found.push(passage);
                }
            }
        }
        Ok(found)
    }

    fn matching(&self, query: &str, count: usize) -> Result<Vec<Passage>, LibraryError> {
        let mut statement = self.database.prepare_cached(
            "SELECT c.id, f.path, c.page, c.section, c.text, c.start, c.until, hits.score
             FROM (SELECT rowid AS id, bm25(words) AS score FROM words
                   WHERE words MATCH ?1 ORDER BY rank LIMIT ?2) AS hits
             JOIN chunks c ON c.id = hits.id JOIN files f ON f.id = c.file
             ORDER BY hits.score, c.id",
        )?;
        let limit = i64::try_from(count).unwrap_or(i64::MAX);
        let rows = statement.query_map(params![query, limit], |row| {
            Ok(Passage {
                id: row.get(0)?,
                file: UserText::from(row.get::<_, String>(1)?),
                page: row.get(2)?,
                section: row.get::<_, Option<String>>(3)?.map(UserText::from),
                text: UserText::from(row.get::<_, String>(4)?),
                start: row.get::<_, u32>(5)? as usize,
                end: row.get::<_, u32>(6)? as usize,
                score: -row.get::<_, f64>(7)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// All words, parts of one identifier side by side, and the last word as a beginning.
fn every_word(words: &[Word]) -> String {
    let mut terms: Vec<String> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let mut end = at + 1;
        // `INV-2024-0071` is three words in a row, not three words somewhere.
        while end < words.len()
            && words[end].group == words[at].group
            && words[end].wide == words[at].wide
        {
            end += 1;
        }
        let phrase = &words[at..end];
        let last = end == words.len();
        terms.push(term(phrase, last));
        at = end;
    }
    terms.join(" AND ")
}

fn some_words(words: &[Word]) -> String {
    let last = words.len() - 1;
    let terms = words.iter().enumerate().map(|(at, _)| term(&words[at..=at], at == last));
    terms.collect::<Vec<_>>().join(" OR ")
}

/// A phrase. One Han character is the beginning of a pair; a last word of letters may go on.
fn term(phrase: &[Word], last: bool) -> String {
    let text = phrase.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let end = phrase.last().map(|word| (word.wide, word.text.chars().count()));
    let open = match end {
        Some((true, length)) => length == 1,
        Some((false, length)) => last && length >= 2,
        None => false,
    };
    // The words hold letters and digits only, so nothing in them can be taken for the query's syntax.
    format!("\"{text}\"{}", if open { "*" } else { "" })
}

/// The stretch around the first word that is found, cut at blanks where there are any.
fn snippet(text: &str, words: &[Word]) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= SNIPPET {
        return text.to_owned();
    }
    let small: Vec<char> =
        characters.iter().map(|c| c.to_lowercase().next().unwrap_or(*c)).collect();
    let found = words
        .iter()
        .filter_map(|word| {
            let word: Vec<char> = word.text.chars().collect();
            small.windows(word.len()).position(|window| window == word)
        })
        .min()
        .unwrap_or(0);
    let mut start = found.saturating_sub(SNIPPET / 3).min(characters.len() - SNIPPET);
    if start > 0
        && let Some(blank) =
            characters[start..found.max(start)].iter().position(|c| c.is_whitespace())
    {
        start += blank + 1;
    }
    let end = (start + SNIPPET).min(characters.len());
    let middle: String = characters[start..end].iter().collect();
    let (head, tail) =
        (if start > 0 { "…" } else { "" }, if end < characters.len() { "…" } else { "" });
    format!("{head}{}{tail}", middle.trim())
}
