//! Which paragraph styles are headings (ECMA-376 part 1 §17.7).

use super::super::xml::{Node, walk};
use std::collections::HashMap;

/// Style id to whether it heads a section. Built-in names are English in every language's file.
#[derive(Default)]
pub(super) struct Headings {
    ids: HashMap<String, bool>,
}

impl Headings {
    pub(super) fn contains(&self, style: &str) -> bool {
        match self.ids.get(style) {
            Some(&known) => known,
            // A file without a style sheet still names its styles.
            None => style.to_ascii_lowercase().starts_with("heading"),
        }
    }
}

pub(super) fn read(part: &[u8], max_depth: usize) -> Headings {
    let mut headings = Headings::default();
    let mut parents: HashMap<String, String> = HashMap::new();
    let mut style = String::new();
    let _ = walk(part, max_depth, &mut |node| {
        let Node::Start(name, attributes) = node else { return };
        let value = attributes.get("val").unwrap_or_default();
        match name {
            "style" => {
                style = attributes.get("styleId").unwrap_or_default();
                headings.ids.insert(style.clone(), false);
            }
            "name" => {
                let name = value.to_ascii_lowercase();
                if name == "title" || name.starts_with("heading ") {
                    headings.ids.insert(style.clone(), true);
                }
            }
            "outlineLvl" if value.parse::<u8>().is_ok_and(|level| level < 9) => {
                headings.ids.insert(style.clone(), true);
            }
            "basedOn" => {
                parents.insert(style.clone(), value);
            }
            _ => {}
        }
    });
    // A style based on a heading is one; chains are short, and a circle ends after as many steps.
    for id in parents.keys() {
        let mut at = id;
        for _ in 0..16 {
            let Some(parent) = parents.get(at) else { break };
            if headings.ids.get(parent) == Some(&true) {
                headings.ids.insert(id.clone(), true);
                break;
            }
            at = parent;
        }
    }
    headings
}
