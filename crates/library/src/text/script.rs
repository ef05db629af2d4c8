//! What a text is written in, as far as searching has to know. It tells no languages apart.

/// What most of a text is written in: with blanks between words, or without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    Spaced,
    Wide,
}

impl Script {
    pub(crate) const ALL: [Self; 2] = [Self::Spaced, Self::Wide];

    /// A Han character says about as much as two letters and a half.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let (wide, letters) = count(text);
        if wide * 5 > letters * 2 { Self::Wide } else { Self::Spaced }
    }
}

/// Tokens of a text, about as a multilingual encoder counts them, for where its tokenizer is not at hand: it
/// has pieces of a character and a half for scripts without blanks, and of three letters or more for others.
#[must_use]
pub fn estimated_tokens(text: &str) -> usize {
    let all = text.chars().count();
    let wide = text.chars().filter(|c| is_wide(*c)).count();
    (2 * wide + (all - wide)).div_ceil(3)
}

/// Wide characters, and other letters.
fn count(text: &str) -> (usize, usize) {
    text.chars().filter(|c| c.is_alphabetic()).fold((0, 0), |(wide, letters), c| {
        if is_wide(c) { (wide + 1, letters) } else { (wide, letters + 1) }
    })
}

/// Han, kana, bopomofo and hangul, decomposed hangul and voicing marks included.
pub(crate) fn is_wide(c: char) -> bool {
    matches!(c,
        '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{30FF}' | '\u{3105}'..='\u{312F}'
        | '\u{31A0}'..='\u{31BF}' | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{1100}'..='\u{11FF}' | '\u{AC00}'..='\u{D7A3}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_of_the_script_that_says_most_of_it() {
        let check = |text: &str, script| assert_eq!(Script::of(text), script, "{text}");
        check("", Script::Spaced);
        check("1984-06-04", Script::Spaced);
        check("The lease ends in May.", Script::Spaced);
        check("租约五月到期。", Script::Wide);
        check("重跑gen-itgc后要看日志", Script::Wide);
        check("see 附件 for the floor plan of the building", Script::Spaced);
    }

    #[test]
    fn tokens_are_counted_by_script() {
        let check = |text: &str, tokens| assert_eq!(estimated_tokens(text), tokens, "{text}");
        check("", 0);
        check("租约五月到期", 4);
        check("The lease.", 4);
    }
}
