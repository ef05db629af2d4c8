//! Vectors in the sealed library: kept for the passages that they were made of, found by nearness, forgotten
//! with their file. The vectors are made up here, one direction for each topic.

use crate::library::add;
use crate::support::Home;
use nearside_library::PendingPassage;

const TOPICS: [&str; 4] = ["roof", "rent", "房租", "屋顶"];
const MODEL: &str = "topics-1";

/// A direction of 32 dimensions for each topic that a text names.
fn vector(text: &str) -> Vec<f32> {
    let mut vector = [0.01_f32; 32];
    for (at, topic) in TOPICS.iter().enumerate().filter(|(_, topic)| text.contains(*topic)) {
        vector[(at % 2) * 8] += 1.0 + f32::from(topic.is_ascii()) * 0.1;
    }
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.iter().map(|x| x / length).collect()
}

fn embed(home: &mut Home, model: &str) -> usize {
    let (passages, all) = home.library.without_vectors(model, 100).expect("passages");
    assert_eq!(passages.len(), all as usize);
    let vectors: Vec<_> = passages.iter().map(|passage| vector(&passage.text)).collect();
    home.library.put_vectors(&passages, &vectors).expect("vectors are kept");
    passages.len()
}

#[track_caller]
fn check(home: &Home, question: &str, like: &str, expected: &[(&str, &str)]) {
    let hits = home.library.search(question, Some(&vector(like)), expected.len()).expect("hits");
    let found: Vec<(&str, &str)> = hits
        .iter()
        .map(|hit| (hit.file.rsplit('/').next().unwrap_or_default(), hit.how.as_str()))
        .collect();
    assert_eq!(found, expected, "{question}");
}

#[test]
fn passages_are_found_by_nearness_and_go_with_their_file() {
    let mut home = Home::new();
    home.write("roof.txt", "A new roof before the storms.");
    let rent = home.write("rent.txt", "The rent is due in May.");
    home.write("zh.txt", "房租五月到期。");
    add(&mut home);
    assert!(!home.library.has_vectors().expect("an answer"));
    assert_eq!((embed(&mut home, MODEL), embed(&mut home, MODEL)), (3, 0));
    check(&home, "money for the landlord", "rent", &[("rent.txt", "both"), ("zh.txt", "vector")]);
    check(&home, "payment", "rent", &[("rent.txt", "vector"), ("zh.txt", "vector")]);
    check(&home, "new roof", "roof", &[("roof.txt", "both")]);

    assert!(home.library.traces_of(&rent).expect("a search") > 0);
    assert_eq!(home.library.forget(&rent).expect("forgotten").traces_found, 0);
    check(&home, "payment", "rent", &[("zh.txt", "vector"), ("roof.txt", "vector")]);
}

#[test]
fn an_identifier_is_found_first_however_often_others_name_its_parts() {
    let mut home = Home::new();
    for number in 0..60 {
        home.write(&format!("{number}.txt"), "INV 0071 2024 INV 2024 INV 0071. The rent.");
    }
    home.write("exact.txt", format!("{} See INV-2024-0071.", "About other things. ".repeat(30)));
    add(&mut home);
    embed(&mut home, MODEL);
    check(&home, "INV-2024-0071", "rent", &[("exact.txt", "keyword")]);
}

#[test]
fn a_vector_is_kept_only_for_the_text_it_was_made_of() {
    let mut home = Home::new();
    let path = home.write("a.txt", "About the roof.");
    add(&mut home);
    let (before, _) = home.library.without_vectors(MODEL, 10).expect("passages");
    // The file is replaced while the encoder works; the new passage may have the old one's number.
    std::fs::write(&path, "About the rent, and a longer text than before.").expect("a file");
    add(&mut home);
    home.library.put_vectors(&before, &[vector("roof")]).expect("nothing to keep");
    assert!(!home.library.has_vectors().expect("an answer"));
    let gone = [PendingPassage { id: 9999, text: "x".into() }];
    home.library.put_vectors(&gone, &[vector("roof")]).expect("nothing to keep");
    assert_eq!(embed(&mut home, MODEL), 1);
    // Another encoder's vectors cannot be compared with these.
    assert_eq!((embed(&mut home, "topics-2"), embed(&mut home, "topics-2")), (1, 0));
}
