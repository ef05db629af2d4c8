//! Tags and the head's file on small numbers of our own.

use nearside_kernels::{Compute, Isa};

use super::*;

#[test]
fn tags_have_numbers_and_insides_follow_their_own() {
    for number in 0..TAGS {
        assert_eq!(Tag::of(number).number(), number);
    }
    assert!(Tag::Begins(1).may_precede(Tag::Inside(1)));
    assert!(!Tag::Begins(0).may_precede(Tag::Inside(1)));
    assert!(!Tag::Outside.may_precede(Tag::Inside(0)));
    assert!(Tag::Inside(2).may_precede(Tag::Begins(2)));
}

#[test]
fn the_best_sequence_is_possible_even_where_single_tokens_are_not() {
    let mut emissions = vec![0.0; 3 * TAGS];
    emissions[Tag::Inside(0).number()] = 5.0;
    emissions[Tag::Begins(0).number()] = 4.0;
    emissions[TAGS + Tag::Inside(0).number()] = 5.0;
    emissions[2 * TAGS + Tag::Inside(1).number()] = 1.0;
    let tags = Transitions::default().best(&emissions);
    assert_eq!(tags[..2], [Tag::Begins(0), Tag::Inside(0)]);
    assert_ne!(tags[2], Tag::Inside(1));
    assert!(Transitions::default().best(&[]).is_empty());
}

/// Against the sum over every sequence of three tokens.
#[test]
fn shares_are_those_of_all_sequences() {
    let transitions = Transitions::default();
    let emissions: Vec<f32> = (0..21_u8).map(|i| (f32::from(i) * 0.9).sin() * 2.0).collect();
    let tags = [Tag::Begins(1), Tag::Inside(1), Tag::Outside];
    let (mut total, mut with) = (0.0_f64, [0.0_f64; 3]);
    for code in 0..TAGS * TAGS * TAGS {
        let sequence = [code % TAGS, code / TAGS % TAGS, code / TAGS / TAGS];
        let mut score = 0.0;
        let mut last = TAGS;
        for (token, tag) in sequence.into_iter().enumerate() {
            score += transitions.0[last * TAGS + tag] + emissions[token * TAGS + tag];
            last = tag;
        }
        let weight = f64::from(score).exp();
        total += weight;
        for token in 0..3 {
            with[token] += weight * f64::from(u8::from(sequence[token] == tags[token].number()));
        }
    }
    for (share, with) in transitions.shares(&emissions, &tags).into_iter().zip(with) {
        assert!((f64::from(share) - with / total).abs() < 1e-4);
    }
}

#[test]
fn a_head_comes_back_from_its_file_and_texts_do_not_see_each_other() {
    let wave = |count: usize, step: f32| -> Vec<f32> {
        (0..u16::try_from(count).unwrap()).map(|i| (f32::from(i) * step).sin() / 4.0).collect()
    };
    let (features, hidden) = (32, 16);
    let weights = HeadWeights {
        features,
        hidden,
        input: (wave(features * hidden, 0.7), wave(hidden, 0.3)),
        convolutions: vec![(wave(KERNEL * hidden * hidden, 0.9), wave(hidden, 1.1))],
        output: (wave(hidden * TAGS, 1.3), wave(TAGS, 0.2)),
        transitions: Transitions::default().0,
    };
    let compute = Compute::new(Isa::best(), 1).unwrap();
    let head = NameHead::from_bytes(&weights.to_bytes().unwrap(), compute.clone()).unwrap();
    assert_eq!(head.features(), features);
    let x = wave(5 * features, 0.13);
    let both = head.emissions(x.clone(), &[2, 3]).unwrap();
    let second = head.emissions(x[2 * features..].to_vec(), &[3]).unwrap();
    for (a, b) in both[2 * TAGS..].iter().zip(&second) {
        assert!((a - b).abs() < 1e-4, "{a} {b}");
    }
    assert!(head.emissions(x, &[4]).is_err());
    assert!(NameHead::from_bytes(b"nothing", compute).is_err());
}
