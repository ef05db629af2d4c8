//! Labelled sentences, and the reader of IOB2 files in the form of Universal NER (Mayhew et al. 2024).

use std::path::Path;

use anyhow::{Context, Result};

/// Indices into `nearside_inference::names::KINDS`.
pub(crate) const PERSON: usize = 0;
pub(crate) const LOCATION: usize = 1;
pub(crate) const ORGANISATION: usize = 2;

/// A name in a text, in code points, `end` exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Labelled {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sentence {
    pub(crate) text: String,
    pub(crate) names: Vec<Labelled>,
}

/// The sentences of a file. One whose words cannot be found again in its text is left out.
pub(crate) fn read(path: &Path) -> Result<Vec<Sentence>> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("{} cannot be read; unpack the set first", path.display()))?;
    Ok(text.split("\n\n").filter_map(parse).collect())
}

fn parse(block: &str) -> Option<Sentence> {
    let text = block.lines().find_map(|line| line.strip_prefix("# text = "))?.to_owned();
    let mut names: Vec<Labelled> = Vec::new();
    let mut at = 0;
    for line in block.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t').skip(1);
        let (word, tag) = (fields.next()?, fields.next()?);
        let start = at + text[at..].find(word)?;
        at = start + word.len();
        let (start, end) = (text[..start].chars().count(), text[..at].chars().count());
        let kind = match tag.get(2..) {
            Some("PER") => PERSON,
            Some("LOC") => LOCATION,
            Some("ORG") => ORGANISATION,
            _ => continue,
        };
        match names.last_mut() {
            Some(name) if tag.starts_with('I') && name.kind == kind => name.end = end,
            _ => names.push(Labelled { start, end, kind }),
        }
    }
    Some(Sentence { text, names })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_again_in_their_text() {
        let block = "# sent_id = 1\n# text = Ann Lee's in Rome.\n1\tAnn\tB-PER\t-\n2\tLee\tI-PER\t-\n3\t's\tO\t-\n\
                     4\tin\tO\t-\n5\tRome\tB-LOC\t-\n6\t.\tO\t-";
        let names = parse(block).unwrap().names;
        let expected = [
            Labelled { start: 0, end: 7, kind: PERSON },
            Labelled { start: 13, end: 17, kind: LOCATION },
        ];
        assert_eq!(names, expected);
        assert!(parse("# text = a\n1\tb\tO\t-").is_none());
    }
}
