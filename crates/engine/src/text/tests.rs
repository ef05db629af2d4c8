//! Sentences, passages and citations, without a model.

use nearside_types::UserText;

use super::*;

#[test]
fn terms_are_words_and_pairs_of_characters() {
    let check = |text: &str, wanted: &[&str]| assert_eq!(terms(text), wanted, "{text}");
    check("The turbines' 4,718 kWh", &["the", "turbine", "4", "718", "kwh"]);
    check("don’t use 用户手册", &["dont", "use", "用户", "户手", "手册"]);
    check("版本X9发布", &["版本", "x9", "发布"]);
    check("", &[]);
}

#[test]
fn stop_words_are_found() {
    for word in ["a", "the", "your", "page", "with", "的"] {
        assert!(is_stop_word(word), "{word}");
    }
    assert!(!is_stop_word("turbine"));
}

#[test]
fn sentences_end_where_a_reader_ends_them() {
    let check = |text: &str, wanted: &[&str]| assert_eq!(sentences(text), wanted, "{text}");
    check(
        "Dr. J. Smith paid 3.5 euros. Then he left!",
        &["Dr. J. Smith paid 3.5 euros.", "Then he left!"],
    );
    check("第一句。第二句！还有吗？", &["第一句。", "第二句！", "还有吗？"]);
    check("one line\nbroken by a PDF.", &["one line\nbroken by a PDF."]);
    check(
        "# Title\nBody text.\n- item one\n- item two",
        &["# Title", "Body text.", "- item one", "- item two"],
    );
    check("He said \"go.\" She went.", &["He said \"go.\" She went."]);
    check("...\n\n---", &[]);
}

fn filler(pages: usize) -> Vec<String> {
    (1..=pages)
        .map(|n| {
            format!(
                "Section {n} describes how the committee reviews its ordinary work. \
                 The members meet often and discuss the usual matters of the season. \
                 Nothing unusual was decided about the general plan of the committee. \
                 The plan is reviewed again when the members meet."
            )
        })
        .collect()
}

#[test]
fn a_planted_fact_ranks_first_and_is_cited_to_its_page() {
    let mut pages = filler(12);
    pages[8]
        .push_str(" The Orlan turbine in Vesterby produced 4,718 kilowatt hours on its first day.");
    let given: Vec<Passage> =
        pages.iter().zip(1..).flat_map(|(text, page)| passages(0, page, None, text, 400)).collect();
    let question = "How much did the Orlan turbine produce?";
    assert_eq!(given[rank(question, &given)[0]].page, 9);
    let names = [UserText::from("report.pdf")];
    for answer in ["It produced 4,718 kilowatt hours.", "The Orlan turbine produced 4,718 kWh."] {
        let found = cite(answer, question, &given, &names);
        assert_eq!(found.iter().map(|c| c.page).collect::<Vec<_>>(), [9], "{answer}");
        assert!(found[0].quote.contains("4,718"));
    }
    for answer in ["I do not know.", "", "The Orlan turbine did produce."] {
        assert!(cite(answer, question, &given, &names).is_empty(), "{answer}");
    }
}

#[test]
fn chinese_facts_are_found_and_cited() {
    let texts = ["委员会每月召开例会讨论日常事务。", "奥兰风机首日发电四千七百度，位于维斯特港。"];
    let given: Vec<Passage> =
        texts.iter().zip(1..).flat_map(|(t, p)| passages(0, p, None, t, 400)).collect();
    let question = "奥兰风机首日发电多少？";
    assert_eq!(given[rank(question, &given)[0]].page, 2);
    let found = cite("首日发电四千七百度。", question, &given, &[UserText::from("报告.docx")]);
    assert_eq!(found[0].page, 2);
}

#[test]
fn a_named_page_is_lifted() {
    let given: Vec<Passage> =
        filler(4).iter().zip(1..).flat_map(|(t, p)| passages(0, p, None, t, 4000)).collect();
    assert_eq!(given[rank("What is on page 3?", &given)[0]].page, 3);
    assert_eq!(given[rank("第2页说了什么", &given)[0]].page, 2);
}

#[test]
fn key_sentences_keep_planted_facts_of_every_page() {
    let mut pages = filler(10);
    for (n, page) in pages.iter_mut().enumerate() {
        page.push_str(&format!(
            " Station Kel{n} in Port Ama{n} recorded {} tonnes in 19{n}0.",
            137 * (n + 1)
        ));
        page.push_str(&format!(" Inspector Nadia Brook{n} signed contract QX-{}.", 400 + n));
    }
    let views: Vec<&str> = pages.iter().map(String::as_str).collect();
    let kept = key_sentences(&views, 20);
    let text: String = kept.iter().map(|k| k.text.clone() + "\n").collect();
    let found = (0..10).filter(|n| text.contains(&format!("Port Ama{n} "))).count()
        + (0..10).filter(|n| text.contains(&format!("QX-{}.", 400 + n))).count();
    assert!(found >= 18, "kept {found} of 20");
    assert!(kept.windows(2).all(|pair| pair[0].page <= pair[1].page), "reading order");
    assert_eq!(
        key_sentences(&views, 10).iter().map(|k| k.page).collect::<Vec<_>>(),
        (0..10).collect::<Vec<_>>()
    );
    assert!(key_sentences(&[], 5).is_empty());
}
