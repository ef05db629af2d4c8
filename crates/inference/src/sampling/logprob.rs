//! How likely the model finds tokens: the logarithm of the softmax of its logits, as they came.

use crate::tokenizer::TokenId;

/// The natural logarithm of each token's probability is its logit less this.
pub(crate) fn log_total(logits: &[f32]) -> f64 {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = logits.iter().map(|logit| f64::from((logit - highest).exp())).sum();
    f64::from(highest) + sum.ln()
}

/// The `count` likeliest tokens with their logits, likeliest first, lower ids first among equals.
pub(crate) fn likeliest(logits: &[f32], count: usize) -> Vec<(TokenId, f32)> {
    if count == 0 {
        return Vec::new();
    }
    let kept = super::top_k(logits, count);
    kept.iter().map(|candidate| (candidate.token, candidate.logit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_those_of_the_softmax() {
        let logits = [2.0, 1.0, 0.0];
        let total = log_total(&logits);
        let sum: f64 = logits.iter().map(|logit| (f64::from(*logit) - total).exp()).sum();
        assert!((sum - 1.0).abs() < 1e-6);
        assert!((total - 2.407_605_96).abs() < 1e-6);
        assert_eq!(likeliest(&logits, 2), [(0, 2.0), (1, 1.0)]);
        assert!(likeliest(&logits, 0).is_empty());
        // An impossible token takes no share.
        assert!((log_total(&[0.0, f32::NEG_INFINITY]) - 0.0).abs() < 1e-9);
    }
}
