//! Passages cover the text, fit, and know where they stand.

use crate::support::count_tokens;
use nearside_library::{ChunkOptions, chunk};
use nearside_types::{Page, UserText};
use proptest::prelude::*;

fn page(number: u32, text: &str) -> Page {
    Page { page: number, section: Some(UserText::from("S")), text: UserText::from(text) }
}

fn check(text: &str, options: ChunkOptions) {
    let pages = [page(1, text), page(2, "  \n "), page(3, text)];
    let chunks = chunk(&pages, options, &count_tokens);
    let characters: Vec<char> = text.chars().collect();
    for number in [1, 3] {
        let mut covered = vec![false; characters.len()];
        for found in chunks.iter().filter(|chunk| chunk.page == number) {
            let slice: String = characters[found.start..found.end].iter().collect();
            assert_eq!(slice, *found.text, "offsets");
            let fits =
                count_tokens(&found.text) <= options.max_tokens.max(1) + slice.lines().count();
            assert!(
                fits || found.text.chars().count() == 1,
                "{} tokens",
                count_tokens(&found.text)
            );
            covered[found.start..found.end].fill(true);
        }
        let lost =
            characters.iter().zip(&covered).any(|(c, covered)| !covered && !c.is_whitespace());
        assert!(!lost, "something is in no passage");
    }
    assert!(chunks.iter().all(|chunk| chunk.page != 2));
}

#[test]
fn paragraphs_stay_together_and_overlap() {
    let text = "First paragraph here.\n\nSecond paragraph here.\n\nThird paragraph here.";
    let options = ChunkOptions { max_tokens: 12, overlap_tokens: 6 };
    let found: Vec<String> = chunk(&[page(1, text)], options, &count_tokens)
        .iter()
        .map(|c| c.text.to_string())
        .collect();
    assert_eq!(
        found,
        [
            "First paragraph here.\n\nSecond paragraph here.",
            "Second paragraph here.\n\nThird paragraph here."
        ]
    );
}

proptest! {
    #[test]
    fn nothing_is_lost(
        text in "([a-z]{1,12}[ .\n]{1,2}|[一-龥]{1,9}[，。\n]?){0,80}",
        max_tokens in 1_usize..60,
        overlap_tokens in 0_usize..20,
    ) {
        check(&text, ChunkOptions { max_tokens, overlap_tokens });
    }

    #[test]
    fn endless_words_are_cut(text in "[a-z一-龥]{0,600}", max_tokens in 1_usize..40) {
        check(&text, ChunkOptions { max_tokens, overlap_tokens: 4 });
    }
}
