//! The tags of tokens (BIO, Ramshaw and Marcus 1995) and the best sequence of them under a linear chain
//! (Lafferty et al. 2001), by Viterbi.

use nearside_types::EntityType;

/// The kinds that are tagged.
pub const KINDS: [EntityType; 3] = [EntityType::Person, EntityType::Location, EntityType::Org];
/// Nothing, and for each kind the beginning and the inside of a name.
pub const TAGS: usize = 1 + 2 * KINDS.len();

/// What an impossible step costs.
const NEVER: f32 = -1e4;

/// A token's part in a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    Outside,
    /// Index into `KINDS`.
    Begins(usize),
    Inside(usize),
}

impl Tag {
    #[must_use]
    pub fn number(self) -> usize {
        match self {
            Self::Outside => 0,
            Self::Begins(kind) => 1 + 2 * kind,
            Self::Inside(kind) => 2 + 2 * kind,
        }
    }

    #[must_use]
    pub fn of(number: usize) -> Self {
        match number {
            0 => Self::Outside,
            odd if odd % 2 == 1 => Self::Begins(odd / 2),
            even => Self::Inside(even / 2 - 1),
        }
    }

    /// Whether `next` may follow: an inside follows only its own kind.
    #[must_use]
    pub fn may_precede(self, next: Self) -> bool {
        match next {
            Self::Inside(kind) => self == Self::Begins(kind) || self == Self::Inside(kind),
            _ => true,
        }
    }
}

/// Scores of steps between tags, `[from][to]`; row `TAGS` is the beginning of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Transitions(pub Vec<f32>);

impl Default for Transitions {
    /// All allowed steps alike.
    fn default() -> Self {
        let mut scores = vec![0.0; (TAGS + 1) * TAGS];
        for (from, row) in scores.chunks_exact_mut(TAGS).enumerate() {
            for (to, score) in row.iter_mut().enumerate() {
                // A text begins as if nothing stood before it.
                let before = if from == TAGS { Tag::Outside } else { Tag::of(from) };
                if !before.may_precede(Tag::of(to)) {
                    *score = NEVER;
                }
            }
        }
        Self(scores)
    }
}

impl Transitions {
    /// Whether a step is possible at all.
    #[must_use]
    pub fn allowed(&self, from: usize, to: usize) -> bool {
        self.0[from * TAGS + to] > NEVER / 2.0
    }

    /// The best tags for rows of emissions, `[token][TAGS]`.
    #[must_use]
    pub fn best(&self, emissions: &[f32]) -> Vec<Tag> {
        let tokens = emissions.len() / TAGS;
        let mut came_from: Vec<[usize; TAGS]> = Vec::with_capacity(tokens);
        let mut scores = [0.0_f32; TAGS];
        for (token, row) in emissions.chunks_exact(TAGS).enumerate() {
            let mut next = [f32::NEG_INFINITY; TAGS];
            let mut from = [0; TAGS];
            // A text begins from the row after the tags'.
            let steps = self.0.chunks_exact(TAGS).enumerate();
            let steps = steps.filter(|(before, _)| (*before == TAGS) == (token == 0));
            for (before, steps) in steps {
                let reached = scores.get(before).copied().unwrap_or(0.0);
                for (to, step) in steps.iter().enumerate() {
                    if reached + step > next[to] {
                        (next[to], from[to]) = (reached + step, before);
                    }
                }
            }
            next.iter_mut().zip(row).for_each(|(score, emission)| *score += emission);
            scores = next;
            came_from.push(from);
        }
        let mut at = (0..TAGS).max_by(|a, b| scores[*a].total_cmp(&scores[*b])).unwrap_or(0);
        let mut tags = vec![Tag::Outside; tokens];
        for token in (0..tokens).rev() {
            tags[token] = Tag::of(at);
            at = came_from[token][at].min(TAGS - 1);
        }
        tags
    }

    /// How likely each of `tags` is at its token, all sequences considered (forward and backward sums).
    #[must_use]
    pub fn shares(&self, emissions: &[f32], tags: &[Tag]) -> Vec<f32> {
        let rows: Vec<&[f32]> = emissions.chunks_exact(TAGS).collect();
        let step = |from: usize, to: usize| self.0[from * TAGS + to];
        let mut before: Vec<[f32; TAGS]> = Vec::with_capacity(rows.len());
        for row in &rows {
            let last = before.last().copied();
            before.push(std::array::from_fn(|to| {
                let reached = match last {
                    Some(last) => log_sum(std::array::from_fn(|from| last[from] + step(from, to))),
                    None => step(TAGS, to),
                };
                reached + row[to]
            }));
        }
        let mut after = [0.0; TAGS];
        let mut shares = vec![0.0; rows.len()];
        let total = before.last().map_or(0.0, |last| log_sum(*last));
        for token in (0..rows.len().min(tags.len())).rev() {
            let tag = tags[token].number();
            shares[token] = (before[token][tag] + after[tag] - total).exp().min(1.0);
            let next: [f32; TAGS] = std::array::from_fn(|to| rows[token][to] + after[to]);
            after = std::array::from_fn(|from| {
                log_sum(std::array::from_fn(|to| step(from, to) + next[to]))
            });
        }
        shares
    }
}

fn log_sum(values: [f32; TAGS]) -> f32 {
    let largest = values.into_iter().fold(f32::NEG_INFINITY, f32::max);
    largest + values.into_iter().map(|x| (x - largest).exp()).sum::<f32>().ln()
}
