//! Batches: texts that run together, as many as the caches hold well. It orders nothing and pads nothing.

/// Tokens that run together: enough to reuse each weight, few enough that activations stay in the cache.
const TOKENS: usize = 512;

/// Cuts `items` into runs of about 512 tokens; one that is longer runs alone.
pub fn batches<T>(mut items: &[T], tokens: impl Fn(&T) -> usize) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let mut sum = 0;
        let fits = items.iter().take_while(|item| {
            sum += tokens(item);
            sum <= TOKENS
        });
        let count = fits.count().max(1);
        let (batch, rest) = items.split_at_checked(count)?;
        items = rest;
        Some(batch)
    })
}

#[cfg(test)]
mod tests {
    use super::batches;

    #[test]
    fn batches_hold_all_in_order_and_none_is_too_long_but_alone() {
        let check = |lengths: &[usize], expected: &[&[usize]]| {
            assert_eq!(batches(lengths, |length| *length).collect::<Vec<_>>(), expected);
        };
        check(&[], &[]);
        check(&[300, 200, 20, 500], &[&[300, 200], &[20], &[500]]);
        check(&[900, 1, 511, 1], &[&[900], &[1, 511], &[1]]);
        check(&[0, 0], &[&[0, 0]]);
    }
}
