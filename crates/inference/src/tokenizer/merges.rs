//! Byte pair merging: the pair with the lowest rank is joined first, the leftmost where ranks are equal,
//! until no pair of neighbours has a rank (Sennrich et al. 2016, in GPT-2's byte-level form).
//!
//! Short words are scanned, long ones use a heap over a linked list, so that a run of a million equal
//! characters takes n log n and not n².

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::TokenId;

/// No token: a byte that the vocabulary lacks, or a pair that has no rank.
pub(super) const NONE: u32 = u32::MAX;

/// Above this many bytes the heap is quicker than scanning.
const LONGEST_SCANNED: usize = 96;

/// A pair's rank and what it becomes. Lower ranks merge first.
#[derive(Clone, Copy)]
struct Merge {
    rank: u32,
    becomes: TokenId,
}

const NO_MERGE: Merge = Merge { rank: NONE, becomes: NONE };

/// The merge rules. Keyed with the standard library's hasher, so that a crafted file cannot make it slow.
#[derive(Default)]
pub(super) struct Merges {
    pairs: HashMap<(TokenId, TokenId), Merge>,
}

impl Merges {
    pub(super) fn with_capacity(rules: usize) -> Self {
        Self { pairs: HashMap::with_capacity(rules) }
    }

    /// Adds a rule; where a pair is named twice the first rule stands.
    pub(super) fn add(&mut self, pair: (TokenId, TokenId), rank: u32, becomes: TokenId) {
        self.pairs.entry(pair).or_insert(Merge { rank, becomes });
    }

    fn get(&self, left: TokenId, right: TokenId) -> Merge {
        self.pairs.get(&(left, right)).copied().unwrap_or(NO_MERGE)
    }

    /// Merges the tokens of a word's bytes and appends what is left to `into`, without those that are
    /// `NONE`.
    pub(super) fn merge(&self, scratch: &mut Scratch, into: &mut Vec<TokenId>) {
        match scratch.tokens.len() {
            0 | 1 => {}
            2..=LONGEST_SCANNED => self.scan(scratch),
            _ => self.drain_heap(scratch),
        }
        into.extend(scratch.tokens.iter().filter(|token| **token != NONE));
    }

    fn scan(&self, scratch: &mut Scratch) {
        let Scratch { tokens, merges, .. } = scratch;
        merges.clear();
        merges.extend(tokens.windows(2).map(|pair| self.get(pair[0], pair[1])));
        while let Some((at, best)) = merges.iter().enumerate().min_by_key(|(_, merge)| merge.rank) {
            if best.rank == NONE {
                break;
            }
            tokens[at] = best.becomes;
            tokens.remove(at + 1);
            merges.remove(at);
            if at > 0 {
                merges[at - 1] = self.get(tokens[at - 1], tokens[at]);
            }
            if at < merges.len() {
                merges[at] = self.get(tokens[at], tokens[at + 1]);
            }
        }
    }

    fn drain_heap(&self, scratch: &mut Scratch) {
        let Scratch { tokens, links, heap, .. } = scratch;
        links.clear();
        links.extend((0..tokens.len()).map(|at| (at.wrapping_sub(1), at + 1)));
        let end = tokens.len();
        let candidate = |tokens: &[TokenId], at: usize, next: usize| {
            let (left, right) = (tokens[at], tokens[next]);
            let Merge { rank, becomes } = self.get(left, right);
            (rank != NONE).then_some(Reverse(Candidate { rank, at, left, right, becomes }))
        };
        let mut first = std::mem::take(heap).into_vec();
        first.clear();
        first.extend((1..end).filter_map(|next| candidate(tokens, next - 1, next)));
        *heap = BinaryHeap::from(first);

        while let Some(Reverse(found)) = heap.pop() {
            let (before, next) = links[found.at];
            // Candidates whose tokens were merged with others meanwhile are stale. A token that was
            // swallowed is NONE, which no rule names.
            if next == end || tokens[found.at] != found.left || tokens[next] != found.right {
                continue;
            }
            tokens[found.at] = found.becomes;
            tokens[next] = NONE;
            let after = links[next].1;
            links[found.at].1 = after;
            if after < end {
                links[after].0 = found.at;
                heap.extend(candidate(tokens, found.at, after));
            }
            if before < end {
                heap.extend(candidate(tokens, before, found.at));
            }
        }
    }
}

/// A possible merge. Ordered by rank and then by place; the rest only has to be consistent.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    rank: u32,
    at: usize,
    left: TokenId,
    right: TokenId,
    becomes: TokenId,
}

/// Buffers that words share, so that a word costs no allocation. `tokens` holds the word.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) tokens: Vec<TokenId>,
    merges: Vec<Merge>,
    links: Vec<(usize, usize)>,
    heap: BinaryHeap<Reverse<Candidate>>,
}
