//! Search: by words, where a question becomes words, the words a query, and SQLite's bm25 ranks the passages;
//! and by vectors, where there are any. `fuse` makes one ranking of the two.
//!
//! By words, passages with every word come first; where they are too few, passages with some of them follow.

use super::Library;
use super::fuse::{ByWords, How, fuse};
use super::words::{Word, of_question};
use crate::error::LibraryError;
use crate::text::script::Script;
use nearside_types::{SearchHit, UserText};
use rusqlite::{OptionalExtension, Row, params};
use std::collections::{HashMap, HashSet};

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
/// Passages of either ranking that the joint one is made of.
const POOL: usize = 50;
/// Words of a question that are looked up; the rest of a pasted page adds nothing.
const MAX_WORDS: usize = 64;

impl Library {
    /// The `count` best passages, as snippets around the words found. `vector` is the question's own, from
    /// the encoder that the passages' vectors are from.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn search(
        &self,
        question: &str,
        vector: Option<&[f32]>,
        count: usize,
    ) -> Result<Vec<SearchHit>, LibraryError> {
        let words: Vec<Word> = of_question(question).into_iter().take(MAX_WORDS).collect();
        let hit = |passage: Passage, how: How| SearchHit {
            text: UserText::from(snippet(&passage.text, &words)),
            file: passage.file,
            page: passage.page,
            section: passage.section,
            score: passage.score,
            how: how.word().to_owned(),
        };
        let (pool, own) = (POOL.max(count), Script::of(question));
        let near = match vector {
            Some(vector) => self.nearest(vector, own, pool)?,
            None => Vec::new(),
        };
        if near.is_empty() {
            let found = self.passages(question, count)?;
            return Ok(found.into_iter().map(|passage| hit(passage, How::Keyword)).collect());
        }
        let (by_words, mut known) = self.by_words(&words, pool)?;
        let ideal = self.ideal(&words)?;
        let mut hits = Vec::with_capacity(count);
        for fused in fuse(&by_words, ideal, &near, own) {
            if hits.len() == count {
                break;
            }
            let passage = match known.remove(&fused.id) {
                Some(passage) => Some(passage),
                None => self.passage(fused.id)?,
            };
            hits.extend(
                passage.map(|passage| hit(Passage { score: fused.score, ..passage }, fused.how)),
            );
        }
        Ok(hits)
    }

    /// Passages with some of the words and which of them have all. None that has all is left out, however
    /// many have some of them more often.
    fn by_words(
        &self,
        words: &[Word],
        count: usize,
    ) -> Result<(Vec<ByWords>, HashMap<i64, Passage>), LibraryError> {
        if words.is_empty() {
            return Ok(Default::default());
        }
        let every = self.matching(&every_word(words), count)?;
        let some = self.matching(&some_words(words), count)?;
        // The scores of the two queries do not compare; one beyond the list is no better than its last.
        let last = some.last().map_or(0.0, |passage| passage.score);
        let all: HashSet<i64> = every.iter().map(|passage| passage.id).collect();
        let mut known: HashMap<i64, Passage> = HashMap::new();
        for passage in every {
            known.insert(passage.id, Passage { score: last, ..passage });
        }
        known.extend(some.into_iter().map(|passage| (passage.id, passage)));
        let by_words = known.values().map(|passage| ByWords {
            id: passage.id,
            score: passage.score,
            every: all.contains(&passage.id),
        });
        Ok((by_words.collect(), known))
    }

    /// The bm25 of a passage of usual length with each word once: the sum of the words' weights.
    fn ideal(&self, words: &[Word]) -> Result<f64, LibraryError> {
        let all: f64 =
            self.database.query_row("SELECT count(*) FROM chunks", [], |row| row.get(0))?;
        let mut statement =
            self.database.prepare_cached("SELECT doc FROM vocabulary WHERE term = ?1")?;
        let mut sum = 0.0;
        for word in words.iter().map(|word| word.text.as_str()).collect::<HashSet<_>>() {
            let with: Option<f64> = statement.query_row([word], |row| row.get(0)).optional()?;
            let with = with.unwrap_or(0.0);
            sum += ((all - with + 0.5) / (with + 0.5)).ln().max(1e-6);
        }
        Ok(sum)
    }

    fn passage(&self, id: i64) -> Result<Option<Passage>, LibraryError> {
        let mut statement = self.database.prepare_cached(
            "SELECT c.id, f.path, c.page, c.section, c.text, c.start, c.until, 0.0
             FROM chunks c JOIN files f ON f.id = c.file WHERE c.id = ?1",
        )?;
        Ok(statement.query_row([id], passage_of).optional()?)
    }

    /// The `count` best passages, whole.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn passages(&self, question: &str, count: usize) -> Result<Vec<Passage>, LibraryError> {
        let words: Vec<Word> = of_question(question).into_iter().take(MAX_WORDS).collect();
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
        let rows = statement.query_map(params![query, limit], passage_of)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// A row of id, path, page, section, text, start, end, and SQLite's bm25, which is lower for the better.
fn passage_of(row: &Row<'_>) -> rusqlite::Result<Passage> {
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
