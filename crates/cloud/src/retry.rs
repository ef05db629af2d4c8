//! When to try again and how long to wait: exponential backoff with jitter, and the server's own wish.
//! Pure but for the caller's random number.

use std::time::Duration;

use time::OffsetDateTime;
use time::format_description::well_known::Rfc2822;

/// How often and how patiently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retry {
    /// Tries in all.
    pub tries: u32,
    /// Before the second try, doubling with each further one.
    pub first: Duration,
    pub longest: Duration,
    /// A server that wants a longer pause than this gets no further try.
    pub patience: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            tries: 4,
            first: Duration::from_millis(500),
            longest: Duration::from_secs(20),
            patience: Duration::from_secs(60),
        }
    }
}

impl Retry {
    /// The pause after the try `number` (from 1) failed, or none when it was the last. `random` is a
    /// number between 0 and 1; half of the pause is fixed and half is jitter.
    #[must_use]
    pub fn pause(&self, number: u32, wish: Option<Duration>, random: f64) -> Option<Duration> {
        if number >= self.tries || wish.is_some_and(|wish| wish > self.patience) {
            return None;
        }
        let doubled = self.first.saturating_mul(1 << (number - 1).min(16)).min(self.longest);
        let jittered = doubled.mul_f64(0.5 + 0.5 * random.clamp(0.0, 1.0));
        // Never sooner than the server asked for.
        Some(wish.map_or(jittered, |wish| wish.max(jittered)))
    }
}

/// The statuses after which the same request may succeed.
pub(crate) fn is_passing(status: u16) -> bool {
    matches!(status, 408 | 429 | 500 | 502 | 503 | 504 | 529)
}

/// Retry-After (RFC 9110 §10.2.3): seconds, or a date.
pub(crate) fn retry_after(value: &str, now: OffsetDateTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Duration::from_secs(seconds.min(u64::from(u32::MAX))));
    }
    // HTTP's date is RFC 2822's but for the zone's name.
    let date = value.strip_suffix("GMT").map(|date| format!("{date}+0000"))?;
    let until = OffsetDateTime::parse(&date, &Rfc2822).ok()?;
    Some((until - now).try_into().unwrap_or(Duration::ZERO))
}

/// A number between 0 and 1 from the operating system; the middle where it has none.
pub(crate) fn random() -> f64 {
    getrandom::u32().map_or(0.5, |number| f64::from(number) / f64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn pauses_double_with_jitter_up_to_a_limit() {
        let retry = Retry { tries: 9, ..Retry::default() };
        let milliseconds =
            |number, random| retry.pause(number, None, random).map(|pause| pause.as_millis());
        assert_eq!([1, 2, 3, 4].map(|n| milliseconds(n, 1.0).unwrap()), [500, 1000, 2000, 4000]);
        assert_eq!([1, 2, 3, 4].map(|n| milliseconds(n, 0.0).unwrap()), [250, 500, 1000, 2000]);
        assert_eq!(milliseconds(8, 1.0), Some(20_000));
        assert_eq!(milliseconds(9, 1.0), None);
        let wish = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(retry.pause(1, wish(7), 0.5), wish(7));
        assert_eq!(retry.pause(1, wish(0), 1.0), Some(Duration::from_millis(500)));
        assert_eq!(retry.pause(1, wish(61), 0.5), None);
    }

    /// The two forms of RFC 9110 §10.2.3, with its own example.
    #[test]
    fn both_forms_of_the_wish() {
        let now = datetime!(1999-12-31 23:59:29 UTC);
        for (value, seconds) in [
            ("120", Some(120)),
            (" 0 ", Some(0)),
            ("Fri, 31 Dec 1999 23:59:59 GMT", Some(30)),
            ("Fri, 31 Dec 1999 23:00:00 GMT", Some(0)),
            ("99999999999999999999", None),
            ("soon", None),
            ("-5", None),
        ] {
            let found = retry_after(value, now);
            assert_eq!(found, seconds.map(Duration::from_secs), "{value}");
        }
    }
}
