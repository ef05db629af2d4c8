//! Tests of sampling: what each option leaves, against definitions written the slow way.

use nearside_types::GenerateOptions;
use proptest::prelude::*;

use super::number::{Random, exp};
use super::{Candidate, Sampler, candidates, greedy, order};

fn options(top_k: usize, top_p: f32, min_p: f32, temperature: f32) -> GenerateOptions {
    GenerateOptions { top_k, top_p, min_p, temperature, ..GenerateOptions::default() }
}

/// Sorts everything and follows the definitions.
fn slowly(logits: &[f32], options: &GenerateOptions) -> Vec<(u32, f64)> {
    let mut all: Vec<Candidate> = (0..)
        .zip(logits)
        .filter(|(_, logit)| logit.is_finite())
        .map(|(token, logit)| Candidate { token, logit: *logit, probability: 0.0 })
        .collect();
    all.sort_by(order);
    if options.top_k > 0 {
        all.truncate(options.top_k);
    }
    let Some(highest) = all.first().map(|first| f64::from(first.logit)) else { return Vec::new() };
    let weight = |candidate: &Candidate| (f64::from(candidate.logit) - highest).exp();
    let total: f64 = all.iter().map(weight).sum();
    if options.top_p < 1.0 {
        let mut reached = 0.0;
        let within = all.iter().take_while(|candidate| {
            let before = reached;
            reached += weight(candidate) / total;
            before < f64::from(options.top_p)
        });
        let within = within.count().max(1);
        all.truncate(within);
    }
    all.retain(|candidate| options.min_p <= 0.0 || weight(candidate) >= f64::from(options.min_p));
    let heat = f64::from(options.temperature);
    let hot = |candidate: &Candidate| ((f64::from(candidate.logit) - highest) / heat).exp();
    let total: f64 = all.iter().map(hot).sum();
    all.iter().map(|candidate| (candidate.token, hot(candidate) / total)).collect()
}

#[test]
fn exponential_and_generator_have_known_values() {
    for x in [0.0, -1e-9, -0.1, -0.5, -1.0, -2.5, -10.0, -87.3, -300.0, -699.0] {
        let close = (exp(x) / f64::exp(x) - 1.0).abs() < 4e-15;
        assert!(close, "{x}: {} {}", exp(x), f64::exp(x));
    }
    assert_eq!((exp(-701.0), exp(f64::NEG_INFINITY), exp(f64::NAN)), (0.0, 0.0, 0.0));
    let mean = |seed| {
        let mut random = Random::seeded(seed);
        (0..10_000)
            .map(|_| random.unit())
            .inspect(|unit| assert!((0.0..1.0).contains(unit)))
            .sum::<f64>()
            / 1e4
    };
    assert!((mean(0) - 0.5).abs() < 0.01 && (mean(1) - 0.5).abs() < 0.01);
    assert_ne!(mean(0), mean(1));
}

#[test]
fn greedy_takes_the_first_highest_and_no_nonsense() {
    assert_eq!(greedy(&[1.0, 3.0, 3.0]), Some(1));
    assert_eq!(greedy(&[f32::NAN, f32::NEG_INFINITY, -5.0]), Some(2));
    assert_eq!(greedy(&[f32::NAN, f32::NEG_INFINITY]), None);
    assert_eq!(greedy(&[]), None);
    let mut sampler = Sampler::new(&options(40, 0.9, 0.0, 0.8));
    assert_eq!(sampler.next(&[f32::NAN; 3], &[]), None);
    assert_eq!(Sampler::new(&options(40, 0.9, 0.0, f32::NAN)).next(&[1.0, 2.0], &[]), Some(1));
}

#[test]
fn repetition_is_penalised_within_the_window() {
    let penalised = GenerateOptions { repetition_penalty: 2.0, ..GenerateOptions::default() };
    let mut sampler = Sampler::new(&penalised);
    assert_eq!(sampler.next(&[3.0, 2.0, -1.0], &[]), Some(0));
    assert_eq!(sampler.next(&[3.0, 2.0, -1.0], &[0, 0]), Some(1));
    assert_eq!(sampler.next(&[-1.0, -1.5], &[0]), Some(1));
    assert_eq!(sampler.next(&[3.0, 2.0], &[9999]), Some(0));
    let mut long = vec![0];
    long.extend([1; 64]);
    assert_eq!(sampler.next(&[3.0, 2.9], &long), Some(0));
}

#[test]
fn draws_follow_the_probabilities_and_the_seed() {
    let logits = [0.0, f32::ln(2.0), f32::ln(5.0), -100.0];
    let draws = |seed: u64| -> Vec<u32> {
        let options = GenerateOptions { seed, ..options(0, 1.0, 0.0, 1.0) };
        let mut sampler = Sampler::new(&options);
        (0..8000).map(|_| sampler.next(&logits, &[]).unwrap()).collect()
    };
    let counts = [0, 1, 2, 3].map(|token| draws(7).iter().filter(|drawn| **drawn == token).count());
    for (count, share) in counts.into_iter().zip([1000, 2000, 5000, 0]) {
        assert!(count.abs_diff(share) < 150, "{counts:?}");
    }
    assert_eq!(draws(7), draws(7));
    assert_ne!(draws(7), draws(8));
}

fn some_logits() -> impl Strategy<Value = Vec<f32>> {
    let one = prop_oneof![
        8 => -20.0_f32..20.0,
        2 => (-3_i8..3).prop_map(f32::from),
        1 => prop::sample::select(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30][..]),
    ];
    prop::collection::vec(one, 1..600)
}

proptest! {
    #[test]
    fn options_leave_what_they_are_defined_to(
        logits in some_logits(),
        top_k in prop_oneof![Just(0_usize), 1..700_usize],
        top_p in prop_oneof![Just(1.0_f32), 0.0..1.0_f32],
        min_p in prop_oneof![Just(0.0_f32), 0.0..1.0_f32],
        temperature in 0.1_f32..3.0,
    ) {
        let logits: Vec<f32> = logits.into_iter().filter(|logit| *logit != f32::INFINITY).collect();
        let options = options(top_k, top_p, min_p, temperature);
        let mut ours = candidates(&logits, &options);
        ours.sort_by(order);
        let expected = slowly(&logits, &options);
        // Sums in another order may differ by a rounding, and so may a share that is just reached.
        prop_assert!(ours.len().abs_diff(expected.len()) <= 1);
        for (ours, expected) in ours.iter().zip(&expected) {
            prop_assert_eq!(ours.token, expected.0);
            prop_assert!((ours.probability - expected.1).abs() < 1e-3);
        }
    }

    #[test]
    fn any_logits_and_options_give_a_token_that_has_a_logit(
        logits in some_logits(),
        top_k in any::<usize>(),
        [top_p, min_p, temperature, repetition_penalty] in any::<[f32; 4]>(),
        seed in any::<u64>(),
        recent in prop::collection::vec(0_u32..700, 0..80),
    ) {
        let options = GenerateOptions { repetition_penalty, seed, ..options(top_k, top_p, min_p, temperature) };
        let token = Sampler::new(&options).next(&logits, &recent);
        let chosen = token.map(|token| logits[token as usize]);
        prop_assert!(chosen.is_none_or(f32::is_finite), "{chosen:?}");
    }
}

/// A whole vocabulary of Qwen's size, for each way of choosing.
#[test]
fn a_big_vocabulary_is_quick() {
    let mut random = Random::seeded(3);
    let logits: Vec<f32> = (0..151_936).map(|_| (random.unit() * 20.0) as f32).collect();
    for (name, options) in [
        ("greedy", options(40, 0.95, 0.05, 0.0)),
        ("defaults", options(40, 0.95, 0.05, 0.8)),
        ("top-p alone", options(0, 0.95, 0.0, 0.8)),
        ("min-p alone", options(0, 1.0, 0.05, 0.8)),
        ("everything", options(0, 1.0, 0.0, 0.8)),
    ] {
        let mut sampler = Sampler::new(&options);
        let started = std::time::Instant::now();
        for _ in 0..20 {
            sampler.next(&logits, &[]).unwrap();
        }
        let each = started.elapsed() / 20;
        println!("{name}: {each:?}");
        assert!(each.as_millis() < 200, "{name} takes {each:?}");
    }
}
