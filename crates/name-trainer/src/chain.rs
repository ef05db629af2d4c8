//! The likelihood of a tag sequence under a linear chain (Lafferty et al. 2001) and its gradient, by the
//! forward and backward sums.

use nearside_inference::names::{TAGS, Tag, Transitions};

/// Adds the gradients of `-log p(tags)` to `emission_gradient`, `[token][TAGS]`, and `step_gradient`, shaped
/// as the transitions, each times `weight`; returns the negative log likelihood.
pub(crate) fn loss(
    transitions: &Transitions,
    emissions: &[f32],
    tags: &[Tag],
    weight: f32,
    emission_gradient: &mut [f32],
    step_gradient: &mut [f32],
) -> f64 {
    let tokens = tags.len();
    let step = |from: usize, to: usize| f64::from(transitions.0[from * TAGS + to]);
    let emission = |token: usize, tag: usize| f64::from(emissions[token * TAGS + tag]);
    let mut before = vec![[0.0_f64; TAGS]; tokens];
    let mut after = vec![[0.0_f64; TAGS]; tokens];
    for token in 0..tokens {
        for to in 0..TAGS {
            let reached = if token == 0 {
                step(TAGS, to)
            } else {
                log_sum((0..TAGS).map(|from| before[token - 1][from] + step(from, to)))
            };
            before[token][to] = reached + emission(token, to);
        }
    }
    for token in (0..tokens - 1).rev() {
        for from in 0..TAGS {
            after[token][from] = log_sum(
                (0..TAGS).map(|to| step(from, to) + emission(token + 1, to) + after[token + 1][to]),
            );
        }
    }
    let total = log_sum(before[tokens - 1].iter().copied());
    let mut path = 0.0;
    let mut last = TAGS;
    for (token, tag) in tags.iter().enumerate() {
        let tag = tag.number();
        path += step(last, tag) + emission(token, tag);
        step_gradient[last * TAGS + tag] -= weight;
        emission_gradient[token * TAGS + tag] -= weight;
        last = tag;
    }
    for token in 0..tokens {
        for to in 0..TAGS {
            let share = (before[token][to] + after[token][to] - total).exp() as f32;
            emission_gradient[token * TAGS + to] += weight * share;
            if token == 0 {
                step_gradient[TAGS * TAGS + to] += weight * share;
                continue;
            }
            let here = emission(token, to) + after[token][to] - total;
            for from in 0..TAGS {
                let share = (before[token - 1][from] + step(from, to) + here).exp() as f32;
                step_gradient[from * TAGS + to] += weight * share;
            }
        }
    }
    total - path
}

fn log_sum(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let largest = values.clone().fold(f64::NEG_INFINITY, f64::max);
    largest + values.map(|x| (x - largest).exp()).sum::<f64>().ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_is_the_slope() {
        let wave = |i: usize| ((i * 37 % 101) as f32 / 50.0 - 1.0).sin();
        let mut transitions = Transitions::default();
        for (i, x) in transitions.0.iter_mut().enumerate() {
            *x += wave(i) * f32::from(u8::from(*x > -1.0));
        }
        let tags = [Tag::Outside, Tag::Begins(1), Tag::Inside(1), Tag::Begins(0)];
        let emissions: Vec<f32> = (0..4 * TAGS).map(|i| wave(i + 7)).collect();
        let run = |transitions: &Transitions, emissions: &[f32]| {
            let (mut e, mut s) = (vec![0.0; emissions.len()], vec![0.0; transitions.0.len()]);
            (loss(transitions, emissions, &tags, 1.0, &mut e, &mut s), e, s)
        };
        let (_, by_emission, by_step) = run(&transitions, &emissions);
        let h = 1e-3_f32;
        for i in 0..emissions.len() {
            let moved = |h: f32| {
                let mut emissions = emissions.clone();
                emissions[i] += h;
                run(&transitions, &emissions).0
            };
            let slope = (moved(h) - moved(-h)) / f64::from(2.0 * h);
            assert!((slope - f64::from(by_emission[i])).abs() < 1e-3, "{i}");
        }
        for i in (0..by_step.len()).filter(|i| transitions.0[*i] > -100.0) {
            let moved = |h: f32| {
                let mut transitions = transitions.clone();
                transitions.0[i] += h;
                run(&transitions, &emissions).0
            };
            let slope = (moved(h) - moved(-h)) / f64::from(2.0 * h);
            assert!((slope - f64::from(by_step[i])).abs() < 1e-3, "{i}");
        }
    }
}
