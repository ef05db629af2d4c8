//! The store: what is indexed, found, removed and forgotten. Files are read elsewhere.

use super::words::{line, of_question};

fn check(text: &str, expected: &str) {
    assert_eq!(line(text), expected, "{text}");
}

#[test]
fn words_for_the_index() {
    check("用户反馈", "用户 户反 反馈 馈");
    check("重跑gen-itgc后", "重跑 跑 gen itgc 后");
    check("Café Ａ４纸 Straße", "cafe a4 纸 straße");
    check("ガイド が", "ガイ イド ド が");
    check("계약서", "계약 약서 서");
    check("ﬁle №5 x²", "file no5 x2");
    check("", "");
}

#[test]
fn words_of_a_question_know_their_group() {
    let groups: Vec<(String, usize)> =
        of_question("INV-2024 und 用户").into_iter().map(|word| (word.text, word.group)).collect();
    let expected = [("inv", 0), ("2024", 0), ("und", 1), ("用户", 2)];
    assert_eq!(groups, expected.map(|(text, group)| (text.to_owned(), group)));
}
