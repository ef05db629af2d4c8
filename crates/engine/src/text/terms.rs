//! Terms: the units that are compared between a question, a passage and an answer.
//!
//! A Latin word or number is one term, lowercased, without a plural `s`; Chinese, Japanese and Korean
//! characters give overlapping pairs, because they are written without spaces (the bigram index of
//! classical Chinese retrieval). Nothing is stemmed further: a wrong stem costs more than a missed one.

/// Whether `c` belongs to a script that is written without spaces.
#[must_use]
pub(crate) fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2fa1f}')
}

/// Whether more than a third of the letters are Chinese: such a text is answered in Chinese.
#[must_use]
pub(crate) fn is_mostly_chinese(text: &str) -> bool {
    let (mut cjk, mut latin) = (0_usize, 0_usize);
    for c in text.chars().take(4000) {
        if is_cjk(c) {
            cjk += 1;
        } else if c.is_alphabetic() {
            latin += 1;
        }
    }
    // A Chinese character carries about as much as two Latin letters.
    cjk * 2 > latin && cjk > 0
}

/// The terms of a text in order, repeats included.
#[must_use]
pub(crate) fn terms(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut word = String::new();
    let mut run: Vec<char> = Vec::new();
    for c in text.chars() {
        if is_cjk(c) {
            end_word(&mut word, &mut out);
            run.push(c);
            continue;
        }
        end_run(&mut run, &mut out);
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        } else if word.is_empty() || !matches!(c, '\'' | '’') {
            end_word(&mut word, &mut out);
        }
    }
    end_word(&mut word, &mut out);
    end_run(&mut run, &mut out);
    out
}

fn end_word(word: &mut String, out: &mut Vec<String>) {
    if word.is_empty() {
        return;
    }
    let plural = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
    if plural && word.chars().all(char::is_alphabetic) {
        word.pop();
    }
    out.push(std::mem::take(word));
}

fn end_run(run: &mut Vec<char>, out: &mut Vec<String>) {
    match run.as_slice() {
        [] => {}
        [one] => out.push(one.to_string()),
        many => out.extend(many.windows(2).map(|pair| pair.iter().collect::<String>())),
    }
    run.clear();
}

/// Words that say nothing about what a text is about.
#[must_use]
pub(crate) fn is_stop_word(term: &str) -> bool {
    const ENGLISH: &[&str] = &[
        "a", "about", "above", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be",
        "because", "been", "before", "being", "between", "both", "but", "by", "can", "could",
        "did", "do", "doe", "does", "document", "during", "each", "file", "for", "from", "further",
        "had", "has", "have", "he", "her", "here", "him", "his", "how", "i", "if", "in", "into",
        "is", "it", "its", "just", "me", "more", "most", "my", "no", "nor", "not", "of", "on",
        "once", "one", "only", "or", "other", "our", "out", "over", "own", "page", "please",
        "same", "say", "she", "should", "so", "some", "such", "tell", "than", "that", "the",
        "their", "them", "then", "there", "these", "they", "thi", "this", "those", "through", "to",
        "too", "under", "until", "up", "very", "was", "wa", "we", "were", "what", "when", "where",
        "which", "while", "who", "whom", "why", "will", "with", "would", "you", "your",
    ];
    const CHINESE: &[&str] = &[
        "的", "了", "是", "在", "和", "与", "有", "我", "你", "他", "她", "它", "这", "那", "吗",
        "呢", "什么", "么是", "是什", "多少", "怎么", "如何", "哪个", "哪些", "请问", "一个",
        "这个", "那个", "文件", "文档", "我们", "你们", "他们", "以及", "因为", "所以", "但是",
        "可以",
    ];
    ENGLISH.binary_search(&term).is_ok() || CHINESE.contains(&term)
}
