//! Where speech is and where it may be cut: from probabilities to stretches that a recogniser takes whole.
//!
//! Pure. Everything is counted in frames of 32 ms. A stretch is one piece of the recording, pauses included, so
//! that times in it are times in the recording less its start.

use std::ops::Range;

/// What counts as speech, and how long a stretch may be. All in frames but the two thresholds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rules {
    /// Speech begins at this probability and ends below the other.
    pub(crate) begin: f32,
    pub(crate) end: f32,
    /// Speech is over after so many quiet frames.
    pub(crate) pause: usize,
    /// Less loud frames than this is a knock and no word.
    pub(crate) shortest: usize,
    /// What is kept before and after, since words begin and end softly.
    pub(crate) pad_before: usize,
    pub(crate) pad_after: usize,
    /// Pauses up to this stay inside a stretch.
    pub(crate) join: usize,
    /// A stretch is cut before it is longer, at the likeliest pause after `cut_from`.
    pub(crate) longest: usize,
    pub(crate) cut_from: usize,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            begin: 0.5,
            end: 0.3,
            pause: 10,
            shortest: 4,
            pad_before: 8,
            pad_after: 10,
            join: 40,
            longest: 870,
            cut_from: 400,
        }
    }
}

/// What to do with the frames so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Plan {
    /// Too early to tell.
    More,
    /// Nobody speaks in so many frames; they can go.
    Quiet(usize),
    /// Write these down; the frames up to the second are done with.
    Speech(Range<usize>, usize),
}

/// Stretches in which somebody speaks, without padding. One that reaches the end may go on there.
pub(crate) fn regions(probabilities: &[f32], rules: &Rules) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(usize, usize, usize)> = None;
    for (frame, &probability) in probabilities.iter().enumerate() {
        open = match open {
            None if probability >= rules.begin => Some((frame, frame + 1, 1)),
            None => None,
            Some((start, _, loud)) if probability >= rules.end => {
                Some((start, frame + 1, loud + usize::from(probability >= rules.begin)))
            }
            Some((start, end, loud)) if frame - end >= rules.pause => {
                if loud >= rules.shortest {
                    found.push(start..end);
                }
                None
            }
            pausing => pausing,
        };
    }
    if let Some((start, end, loud)) = open
        && loud >= rules.shortest
    {
        found.push(start..end);
    }
    found
}

/// The next step, for the frames that are not done with; `ended` when no more will come.
pub(crate) fn plan(probabilities: &[f32], ended: bool, rules: &Rules) -> Plan {
    let len = probabilities.len();
    let found = regions(probabilities, rules);
    let Some(first) = found.first().cloned() else {
        // A word may just begin; it needs its padding too.
        let keep = if ended { 0 } else { rules.pad_before + rules.shortest + rules.pause };
        return if len > keep { Plan::Quiet(len - keep) } else { Plan::More };
    };
    let start = first.start.saturating_sub(rules.pad_before);
    if first.end - start > rules.longest {
        return cut(probabilities, start, rules);
    }
    let (mut end, mut following) = (first.end, len);
    for region in &found[1..] {
        if region.start - end > rules.join || region.end - start > rules.longest {
            following = region.start;
            break;
        }
        end = region.end;
    }
    if following == len && !ended && len - end <= rules.join {
        return if len - start > rules.longest {
            cut(probabilities, start, rules)
        } else {
            Plan::More
        };
    }
    let done = (end + rules.pad_after).min(following).min(len);
    Plan::Speech(start..done, done)
}

/// Speech without a pause: cut where speech is least likely, over three frames.
fn cut(probabilities: &[f32], start: usize, rules: &Rules) -> Plan {
    let last = (start + rules.longest).min(probabilities.len());
    let around = |at: usize| -> f32 {
        probabilities[at.saturating_sub(1)..(at + 2).min(probabilities.len())].iter().sum()
    };
    let at = (start + rules.cut_from..last)
        .min_by(|a, b| around(*a).total_cmp(&around(*b)))
        .unwrap_or(last);
    Plan::Speech(start..at, at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `quiet(n)` and `loud(n)` as one line of frames.
    fn frames(parts: &[(usize, f32)]) -> Vec<f32> {
        parts.iter().flat_map(|&(count, p)| std::iter::repeat_n(p, count)).collect()
    }

    fn check(parts: &[(usize, f32)], ended: bool, expected: Plan) {
        assert_eq!(plan(&frames(parts), ended, &Rules::default()), expected, "{parts:?}");
    }

    #[test]
    fn quiet_is_dropped_and_the_last_of_it_kept() {
        check(&[(100, 0.0)], false, Plan::Quiet(78));
        check(&[(100, 0.0)], true, Plan::Quiet(100));
        check(&[], true, Plan::More);
    }

    #[test]
    fn a_knock_is_no_word() {
        check(&[(1, 0.9), (99, 0.0)], true, Plan::Quiet(100));
        check(&[(50, 0.0), (3, 0.9), (47, 0.0)], true, Plan::Quiet(100));
    }

    #[test]
    fn speech_is_padded() {
        check(&[(50, 0.0), (20, 0.9), (50, 0.0)], true, Plan::Speech(42..80, 80));
        check(&[(2, 0.0), (20, 0.9), (3, 0.0)], true, Plan::Speech(0..25, 25));
    }

    #[test]
    fn speech_that_may_go_on_is_waited_for() {
        check(&[(50, 0.0), (20, 0.9)], false, Plan::More);
        check(&[(50, 0.0), (20, 0.9), (40, 0.0)], false, Plan::More);
        check(&[(50, 0.0), (20, 0.9), (41, 0.0)], false, Plan::Speech(42..80, 80));
    }

    #[test]
    fn short_pauses_stay_inside_and_long_ones_part() {
        let talk = [(10, 0.0), (50, 0.9), (30, 0.0), (50, 0.9), (60, 0.0), (50, 0.9), (60, 0.0)];
        check(&talk, true, Plan::Speech(2..150, 150));
    }

    #[test]
    fn what_does_not_fit_begins_the_next_stretch() {
        let talk = [(10, 0.0), (500, 0.9), (30, 0.0), (500, 0.9), (60, 0.0)];
        check(&talk, true, Plan::Speech(2..520, 520));
    }

    #[test]
    fn endless_speech_is_cut_at_its_weakest_place() {
        let talk = [(10, 0.0), (600, 0.9), (3, 0.4), (600, 0.9)];
        check(&talk, false, Plan::Speech(2..611, 611));
    }

    proptest! {
        /// Whatever comes: every step goes on, no stretch is too long, and every loud run is in a stretch.
        #[test]
        fn nothing_is_lost(parts in prop::collection::vec((1_usize..300, 0_u8..2), 1..12)) {
            let rules = Rules::default();
            let parts: Vec<(usize, f32)> =
                parts.into_iter().map(|(count, loud)| (count, f32::from(loud) * 0.9)).collect();
            let all = frames(&parts);
            let (mut at, mut written) = (0, vec![false; all.len()]);
            while at < all.len() {
                let step = match plan(&all[at..], true, &rules) {
                    Plan::More => break,
                    Plan::Quiet(frames) => frames,
                    Plan::Speech(range, done) => {
                        prop_assert!(range.len() <= rules.longest + rules.pad_after);
                        prop_assert!(range.end <= done);
                        for frame in range {
                            written[at + frame] = true;
                        }
                        done
                    }
                };
                prop_assert!(step > 0);
                at += step;
            }
            for region in regions(&all, &rules) {
                for frame in region {
                    prop_assert!(all[frame] < 0.5 || written[frame]);
                }
            }
        }
    }
}
