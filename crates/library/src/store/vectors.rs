//! Vectors of passages, by which they are found where question and passage share no word. They are kept as
//! 8-bit codes in the sealed database and searched exactly in memory. This module runs no model: vectors
//! come from outside.
//!
//! The nearest passages are ranked apart for each script. An encoder places texts of one language nearer to
//! each other than to their translations, so in one ranking of a mixed folder the other language never
//! comes up (measured: right in first place for under 3 of 100 questions). Vectors are expected centred on
//! the usual mean of their language, which takes most of the language out of them (Libovický et al. 2020);
//! where there are enough passages, they and the question are centred again on those of this library.

use super::Library;
use crate::error::LibraryError;
use crate::text::script::Script;
use nearside_types::UserText;
use rusqlite::{Connection, OptionalExtension, params};

/// A passage that has no vector yet.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingPassage {
    pub id: i64,
    /// With its heading in front where it does not begin with it.
    pub text: UserText,
}

/// A passage near a question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Near {
    pub id: i64,
    /// How far above the usual passage of its script it is, in standard deviations.
    pub score: f32,
    pub script: Script,
}

impl Library {
    /// Passages without a vector of `model`, oldest first, and how many there are in all. Vectors of another
    /// model are dropped first.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub fn without_vectors(
        &mut self,
        model: &str,
        count: usize,
    ) -> Result<(Vec<PendingPassage>, u32), LibraryError> {
        let known: Option<String> =
            self.database.query_row("SELECT name FROM encoder", [], |row| row.get(0)).optional()?;
        if known.as_deref() != Some(model) {
            let transaction = self.database.transaction()?;
            transaction.execute_batch("DELETE FROM vectors; DELETE FROM encoder;")?;
            transaction.execute("INSERT INTO encoder (name) VALUES (?1)", [model])?;
            transaction.commit()?;
        }
        let missing =
            "FROM chunks c WHERE NOT EXISTS (SELECT 1 FROM vectors v WHERE v.chunk = c.id)";
        let all: u32 =
            self.database.query_row(&format!("SELECT count(*) {missing}"), [], |row| row.get(0))?;
        let mut statement = self.database.prepare_cached(&format!(
            "SELECT c.id, c.section, c.text {missing} ORDER BY c.id LIMIT ?1"
        ))?;
        let rows = statement.query_map([i64::try_from(count).unwrap_or(i64::MAX)], |row| {
            let (section, text): (Option<String>, String) = (row.get(1)?, row.get(2)?);
            let text = super::index::with_heading(section.as_deref(), &text);
            Ok(PendingPassage { id: row.get(0)?, text: UserText::from(text) })
        })?;
        Ok((rows.collect::<Result<_, _>>()?, all))
    }

    /// Keeps the vectors of passages. One that has changed or gone meanwhile gets none.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn put_vectors(
        &mut self,
        passages: &[PendingPassage],
        vectors: &[Vec<f32>],
    ) -> Result<(), LibraryError> {
        let transaction = self.database.transaction()?;
        {
            let mut find =
                transaction.prepare_cached("SELECT section, text FROM chunks WHERE id = ?1")?;
            let mut insert = transaction.prepare_cached(
                "INSERT OR REPLACE INTO vectors (chunk, script, scale, codes) VALUES (?1, ?2, ?3, ?4)",
            )?;
            for (passage, vector) in passages.iter().zip(vectors) {
                let now = find.query_row([passage.id], |row| {
                    let (section, text): (Option<String>, String) = (row.get(0)?, row.get(1)?);
                    Ok(super::index::with_heading(section.as_deref(), &text))
                });
                if now.optional()?.as_deref() != Some(&*passage.text) {
                    continue;
                }
                let (scale, codes) = quantised(vector);
                let script = i64::from(Script::of(&passage.text) == Script::Wide);
                insert.execute(params![passage.id, script, f64::from(scale), codes])?;
            }
        }
        transaction.commit()?;
        Ok(())
    }

    /// Lets go of the vectors in memory; the next search reads them again.
    pub fn drop_vectors_in_memory(&self) {
        self.vectors.replace(None);
    }

    /// The passages nearest to the vector of a question in `own` script, `count` of each script, best first.
    pub(super) fn nearest(
        &self,
        question: &[f32],
        own: Script,
        count: usize,
    ) -> Result<Vec<Near>, LibraryError> {
        let mut kept = self.vectors.borrow_mut();
        let stamp = stamp(&self.database)?;
        if kept.as_ref().is_none_or(|table| table.stamp != stamp) {
            *kept = Some(Table::read(&self.database, stamp)?);
        }
        Ok(kept.as_ref().map(|table| table.nearest(question, own, count)).unwrap_or_default())
    }
}

/// Changes whenever this or another connection has written.
fn stamp(connection: &Connection) -> Result<(i64, u64), LibraryError> {
    let theirs = connection.query_row("PRAGMA data_version", [], |row| row.get(0))?;
    Ok((theirs, connection.total_changes()))
}

/// 8-bit codes around zero, and what one step is worth.
fn quantised(vector: &[f32]) -> (f32, Vec<u8>) {
    let largest = vector.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
    let step = if largest > 0.0 { largest / 127.0 } else { 1.0 };
    #[expect(clippy::cast_possible_truncation, reason = "within ±127 by the choice of the step")]
    let code = |x: &f32| ((x / step).round() as i8).cast_unsigned();
    (step, vector.iter().map(code).collect())
}

/// All vectors as the search reads them.
#[derive(Debug)]
pub(super) struct Table {
    stamp: (i64, u64),
    parts: [Part; 2],
}

/// The vectors of one script.
#[derive(Debug)]
struct Part {
    script: Script,
    ids: Vec<i64>,
    /// `[passage][dimension]`
    codes: Vec<i8>,
    /// What one step of a passage's codes is worth.
    steps: Vec<f32>,
    centre: Option<Centre>,
}

/// The mean of a script's vectors, and for each passage one over its distance from there.
#[derive(Debug)]
struct Centre {
    mean: Vec<f32>,
    inverse_lengths: Vec<f32>,
}

/// Passages of a script from which its mean and spread can be told.
const ENOUGH: usize = 64;

/// The mean and the standard deviation of how near passages are to a question, by the script of the question
/// and of the passage: of multilingual-e5-small on the public retrieval set (XQuAD and CMRC 2018). For
/// libraries too small to tell by themselves.
const USUAL: [[(f32, f32); 2]; 2] = [[(0.0, 0.084), (0.0, 0.067)], [(0.0, 0.072), (0.0, 0.077)]];

impl Table {
    fn read(connection: &Connection, stamp: (i64, u64)) -> Result<Self, LibraryError> {
        let mut parts = Script::ALL.map(Part::new);
        let mut statement =
            connection.prepare_cached("SELECT chunk, script, scale, codes FROM vectors")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let part = &mut parts[usize::from(row.get::<_, bool>(1)?)];
            let codes = row.get_ref(3)?.as_blob().unwrap_or_default();
            if codes.is_empty() || !part.ids.is_empty() && codes.len() != part.width() {
                continue;
            }
            part.ids.push(row.get(0)?);
            #[expect(
                clippy::cast_possible_truncation,
                reason = "it was an f32 before it was stored"
            )]
            part.steps.push(row.get::<_, f64>(2)? as f32);
            part.codes.extend(codes.iter().map(|code| code.cast_signed()));
        }
        parts.iter_mut().filter(|part| part.ids.len() >= ENOUGH).for_each(Part::find_centre);
        Ok(Self { stamp, parts })
    }

    fn nearest(&self, question: &[f32], own: Script, count: usize) -> Vec<Near> {
        let home = &self.parts[own as usize];
        let centred = match &home.centre {
            Some(centre) if centre.mean.len() == question.len() => {
                unit(question.iter().zip(&centre.mean).map(|(x, mean)| x - mean).collect())
            }
            _ => question.to_vec(),
        };
        self.parts.iter().flat_map(|part| part.nearest(question, &centred, own, count)).collect()
    }
}

impl Part {
    fn new(script: Script) -> Self {
        let (ids, codes, steps) = Default::default();
        Self { script, ids, codes, steps, centre: None }
    }

    fn width(&self) -> usize {
        self.codes.len().checked_div(self.ids.len()).unwrap_or(0)
    }

    fn find_centre(&mut self) {
        let width = self.width();
        let mut sums = vec![0.0_f64; width];
        for (codes, step) in self.codes.chunks_exact(width).zip(&self.steps) {
            for (sum, code) in sums.iter_mut().zip(codes) {
                *sum += f64::from(*code) * f64::from(*step);
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "a count of passages")]
        let count = self.ids.len() as f64;
        #[expect(clippy::cast_possible_truncation, reason = "a mean of values within ±1")]
        let mean: Vec<f32> = sums.iter().map(|sum| (sum / count) as f32).collect();
        let inverse_length = |(codes, step): (&[i8], &f32)| {
            let away = |(code, mean): (&i8, &f32)| (f32::from(*code) * step - mean).powi(2);
            codes.iter().zip(&mean).map(away).sum::<f32>().sqrt().max(1e-6).recip()
        };
        let inverse_lengths =
            self.codes.chunks_exact(width).zip(&self.steps).map(inverse_length).collect();
        self.centre = Some(Centre { mean, inverse_lengths });
    }

    /// How far each passage stands out among its script, the best `count` of them.
    fn nearest(&self, question: &[f32], centred: &[f32], own: Script, count: usize) -> Vec<Near> {
        let width = self.width();
        if width == 0 || width != question.len() || count == 0 {
            return Vec::new();
        }
        let rows = self.codes.chunks_exact(width).zip(&self.steps);
        let (scores, (mean, deviation)): (Vec<f32>, _) = match &self.centre {
            Some(centre) => {
                let with_mean: f32 = centred.iter().zip(&centre.mean).map(|(a, b)| a * b).sum();
                let scores: Vec<f32> = rows
                    .zip(&centre.inverse_lengths)
                    .map(|((codes, step), inverse)| {
                        (product(codes, centred) * step - with_mean) * inverse
                    })
                    .collect();
                let spread = spread(&scores);
                (scores, spread)
            }
            None => {
                let scores = rows.map(|(codes, step)| product(codes, question) * step).collect();
                (scores, USUAL[own as usize][self.script as usize])
            }
        };
        let better = |a: &usize, b: &usize| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b));
        let mut order: Vec<usize> = (0..scores.len()).collect();
        if order.len() > count {
            order.select_nth_unstable_by(count - 1, better);
            order.truncate(count);
        }
        order.sort_unstable_by(better);
        let near = |at: usize| Near {
            id: self.ids[at],
            score: (scores[at] - mean) / deviation,
            script: self.script,
        };
        order.into_iter().map(near).collect()
    }
}

fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-6);
    vector.iter_mut().for_each(|x| *x /= length);
    vector
}

/// `codes · question`, in eight sums so that the additions do not wait for each other.
fn product(codes: &[i8], question: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 8];
    let (eights, rest) = codes.as_chunks::<8>();
    let (question_eights, question_rest) = question.as_chunks::<8>();
    for (codes, question) in eights.iter().zip(question_eights) {
        for ((sum, code), x) in sums.iter_mut().zip(codes).zip(question) {
            *sum += f32::from(*code) * x;
        }
    }
    let tail: f32 = rest.iter().zip(question_rest).map(|(code, x)| f32::from(*code) * x).sum();
    sums.iter().sum::<f32>() + tail
}

/// Mean and standard deviation.
fn spread(scores: &[f32]) -> (f32, f32) {
    #[expect(clippy::cast_precision_loss, reason = "a count of passages")]
    let count = scores.len().max(1) as f32;
    let mean = scores.iter().sum::<f32>() / count;
    let square = scores.iter().map(|score| (score - mean).powi(2)).sum::<f32>() / count;
    (mean, square.sqrt().max(1e-6))
}
