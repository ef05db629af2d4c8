//! What a pattern needs of a text at least, read from the pattern itself: how many digits, and whether letters may
//! stand among them. So that a pattern of nine bare digits never reads a hash.

use regex_syntax::hir::{Class, Hir, HirKind};

/// What every match of a pattern holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// ASCII digits at least.
    pub(crate) digits: usize,
    /// A match may hold an ASCII letter.
    pub(crate) letters: bool,
}

/// The shape of a pattern; nothing is known of one that does not parse.
pub(crate) fn shape(pattern: &str) -> Shape {
    regex_syntax::parse(pattern).map_or(Shape { digits: 0, letters: true }, |hir| of(&hir))
}

fn of(hir: &Hir) -> Shape {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Shape { digits: 0, letters: false },
        HirKind::Literal(literal) => Shape {
            digits: literal.0.iter().filter(|b| b.is_ascii_digit()).count(),
            letters: literal.0.iter().any(u8::is_ascii_alphabetic),
        },
        HirKind::Class(class) => of_class(class),
        HirKind::Repetition(repetition) => {
            let inner = of(&repetition.sub);
            Shape { digits: inner.digits.saturating_mul(repetition.min as usize), ..inner }
        }
        HirKind::Capture(capture) => of(&capture.sub),
        HirKind::Concat(parts) => {
            parts.iter().map(of).fold(Shape { digits: 0, letters: false }, |sum, part| Shape {
                digits: sum.digits + part.digits,
                letters: sum.letters || part.letters,
            })
        }
        HirKind::Alternation(parts) => Shape {
            digits: parts.iter().map(|part| of(part).digits).min().unwrap_or(0),
            letters: parts.iter().any(|part| of(part).letters),
        },
    }
}

fn of_class(class: &Class) -> Shape {
    let ranges: Vec<(u32, u32)> = match class {
        Class::Unicode(class) => {
            class.iter().map(|r| (u32::from(r.start()), u32::from(r.end()))).collect()
        }
        Class::Bytes(class) => {
            class.iter().map(|r| (u32::from(r.start()), u32::from(r.end()))).collect()
        }
    };
    let within = |low: char, high: char| {
        let (low, high) = (u32::from(low), u32::from(high));
        (
            ranges.iter().all(|(start, end)| low <= *start && *end <= high),
            ranges.iter().any(|(start, end)| *start <= high && low <= *end),
        )
    };
    Shape {
        digits: usize::from(!ranges.is_empty() && within('0', '9').0),
        letters: within('a', 'z').1 || within('A', 'Z').1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes() {
        let check = |pattern: &str, digits: usize, letters: bool| {
            assert_eq!(shape(pattern), Shape { digits, letters }, "{pattern}");
        };
        check("[0-9]{9}|[0-9]{5}-[0-9]{4}", 9, false);
        check("(?i)[a-z][0-9]{8}", 8, true);
        check("1[ .-]?[3-9](?:[ .-]{0,2}[0-9]){9}", 11, false);
        check("(?-u:\\b)[0-9]{2}(?: ?ext [0-9]{1,3})?", 2, true);
        check("[0-9A-F]{4}", 0, true);
        check("[^,]{3}", 0, true);
        check("(", 0, true);
    }
}
