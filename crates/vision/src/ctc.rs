//! From the recogniser's scores to text: connectionist temporal classification, decoded greedily.

/// What may be read: class 0 is "nothing here", then one class for each.
pub(crate) struct Characters(Vec<Box<str>>);

impl Characters {
    /// One character a line; the last class, a space, is not listed.
    pub(crate) fn parse(list: &str) -> Self {
        let listed = list.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        let mut all: Vec<Box<str>> = listed.map(Into::into).collect();
        if all.last().is_some_and(|last| last.is_empty()) {
            all.pop();
        }
        all.push(" ".into());
        Self(all)
    }

    /// Classes that a network for this list has.
    pub(crate) fn classes(&self) -> usize {
        self.0.len() + 1
    }
}

/// What one line says, and the mean probability of the steps that were kept.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Reading {
    pub(crate) text: String,
    pub(crate) confidence: f32,
}

/// `steps` are rows of probabilities, one class after the other.
pub(crate) fn decode<'a>(
    characters: &Characters,
    steps: impl Iterator<Item = &'a [f32]>,
) -> Reading {
    let mut text = String::new();
    let (mut sum, mut kept, mut before) = (0.0_f32, 0_u32, 0);
    for step in steps {
        let (class, probability) = best(step);
        if class != before
            && class != 0
            && let Some(character) = characters.0.get(class - 1)
        {
            text.push_str(character);
            sum += probability;
            kept += 1;
        }
        before = class;
    }
    let confidence = if kept == 0 { 0.0 } else { (sum / kept as f32).clamp(0.0, 1.0) };
    Reading { text, confidence }
}

fn best(step: &[f32]) -> (usize, f32) {
    step.iter().copied().enumerate().fold((0, f32::NEG_INFINITY), |(best, most), (class, value)| {
        if value > most { (class, value) } else { (best, most) }
    })
}

#[cfg(test)]
mod tests {
    //! Steps that are written by hand: `-` is nothing.

    use super::*;

    fn check(path: &str, expected: &str) {
        let characters = Characters::parse("a\nb\n你\n");
        assert_eq!(characters.classes(), 5);
        let steps: Vec<Vec<f32>> = path
            .chars()
            .map(|c| "-ab你 ".chars().map(|d| if c == d { 0.6 } else { 0.1 }).collect())
            .collect();
        let reading = decode(&characters, steps.iter().map(Vec::as_slice));
        assert_eq!(reading.text, expected, "{path}");
        let sure = if expected.is_empty() { 0.0 } else { 0.6 };
        assert!((reading.confidence - sure).abs() < 1e-6, "{path}");
    }

    #[test]
    fn repeats_are_one_and_gaps_part_them() {
        check("", "");
        check("----", "");
        check("aaa", "a");
        check("aa-a", "aa");
        check("-ab--你你 b", "ab你 b");
    }

    #[test]
    fn an_odd_width_is_no_panic() {
        let characters = Characters::parse("a\r\n");
        let reading = decode(&characters, [&[][..], &[0.1, 0.2, 0.3, 0.9][..]].into_iter());
        assert_eq!(reading.text, "");
    }
}
