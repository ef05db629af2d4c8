//! `Trie`: the pieces of a vocabulary by their bytes, so that all pieces that begin at a place are found in
//! one walk. Built once, never changed.

/// No piece ends at a node.
const NONE: u32 = u32::MAX;

#[derive(Debug, Default)]
pub(super) struct Trie {
    /// Children of node `n` are `first[n] .. first[n + 1]`, sorted by label.
    first: Vec<u32>,
    labels: Vec<u8>,
    pieces: Vec<u32>,
}

impl Trie {
    /// `pieces` are (text, number); of equal texts the first counts. Empty texts are left out.
    pub(super) fn new(mut pieces: Vec<(&[u8], u32)>) -> Self {
        pieces.retain(|(text, _)| !text.is_empty());
        pieces.sort_by_key(|(text, _)| *text);
        pieces.dedup_by_key(|(text, _)| *text);
        let mut trie = Self { first: Vec::new(), labels: vec![0], pieces: vec![NONE] };
        // Breadth first: a node is the range of pieces that share its path.
        let mut queue = std::collections::VecDeque::from([(0, pieces.len(), 0)]);
        while let Some((mut from, to, depth)) = queue.pop_front() {
            trie.first.push(as_number(trie.labels.len()));
            if from < to && depth > 0 && pieces[from].0.len() == depth {
                let node = trie.first.len() - 1;
                trie.pieces[node] = pieces[from].1;
                from += 1;
            }
            while from < to {
                let label = pieces[from].0[depth];
                let until =
                    from + pieces[from..to].partition_point(|(text, _)| text[depth] == label);
                trie.labels.push(label);
                trie.pieces.push(NONE);
                queue.push_back((from, until, depth + 1));
                from = until;
            }
        }
        trie.first.push(as_number(trie.labels.len()));
        trie
    }

    /// Calls `found` with (bytes, number) of each piece that `text` begins with, shortest first.
    pub(super) fn prefixes(&self, text: &[u8], mut found: impl FnMut(usize, u32)) {
        let mut node = 0;
        for (depth, byte) in text.iter().enumerate() {
            let (from, to) = (self.first[node] as usize, self.first[node + 1] as usize);
            let Ok(child) = self.labels[from..to].binary_search(byte) else { return };
            node = from + child;
            if self.pieces[node] != NONE {
                found(depth + 1, self.pieces[node]);
            }
        }
    }
}

/// Vocabularies are refused long before they have 2^32 bytes.
fn as_number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prefix_is_found_and_nothing_else() {
        let words = ["a", "ab", "abc", "b", "中", "中文", "", "ab"];
        let pieces = words.iter().zip(0..).map(|(word, id)| (word.as_bytes(), id)).collect();
        let trie = Trie::new(pieces);
        let walk = |text: &str| {
            let mut found = Vec::new();
            trie.prefixes(text.as_bytes(), |len, piece| found.push((len, piece)));
            found
        };
        assert_eq!(walk("abcd"), [(1, 0), (2, 1), (3, 2)]);
        assert_eq!(walk("中文字"), [(3, 4), (6, 5)]);
        assert_eq!(walk("x"), []);
        Trie::new(Vec::new()).prefixes(b"a", |_, _| unreachable!());
    }
}
