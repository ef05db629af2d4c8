//! What an answer cost, from the prices that the user entered: per million tokens, as decimal text.

use nearside_types::{Cost, Provider, Tokens};

/// The cost, or none where a price is missing or is not a number.
#[must_use]
pub fn cost(provider: &Provider, tokens: Tokens) -> Option<Cost> {
    let price = |text: &Option<String>| {
        text.as_ref()
            .and_then(|text| text.trim().replace(',', ".").parse::<f64>().ok())
            .filter(|price| price.is_finite() && *price >= 0.0)
    };
    let (price_in, price_out) = (price(&provider.price_in)?, price(&provider.price_out)?);
    #[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
    let amount =
        (tokens.prompt as f64 * price_in + tokens.generated as f64 * price_out) / 1_000_000.0;
    let currency = provider.currency.clone().filter(|name| !name.is_empty());
    Some(Cost { currency: currency.unwrap_or_else(|| "USD".to_owned()), amount })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(price_in: Option<&str>, price_out: Option<&str>, expected: Option<f64>) {
        let provider = Provider {
            name: String::new(),
            base_url: String::new(),
            model: String::new(),
            context_length: 0,
            price_in: price_in.map(str::to_owned),
            price_out: price_out.map(str::to_owned),
            currency: Some("CNY".to_owned()),
            has_key: false,
        };
        let tokens = Tokens { prompt: 2_000_000, reused: 0, generated: 500_000 };
        let found = cost(&provider, tokens);
        assert_eq!(found.as_ref().map(|cost| cost.amount), expected, "{price_in:?} {price_out:?}");
        assert!(found.is_none_or(|cost| cost.currency == "CNY"));
    }

    #[test]
    fn prices_are_per_million_tokens() {
        check(Some("0.5"), Some("2"), Some(2.0));
        check(Some(" 0,5 "), Some("2"), Some(2.0));
        check(Some("0"), Some("0"), Some(0.0));
        check(None, Some("2"), None);
        check(Some("free"), Some("2"), None);
        check(Some("-1"), Some("2"), None);
        check(Some("inf"), Some("2"), None);
    }
}
