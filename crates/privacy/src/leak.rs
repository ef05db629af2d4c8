//! An independent second look after redaction: what is kept may still point at one person when it comes together,
//! as a role, an employer and a town do (Sweeney 2000: three such facts single out most people). It warns, it
//! changes nothing, and it says only what kinds came together and where.

use nearside_types::{Action, EntityType, Fact, Leak, PreviewBlock, Span};

/// Code points within which facts speak of the same person.
const NEAR: usize = 240;
/// Different kinds of facts that are too many.
const TOO_MANY: usize = 3;

/// What comes together in the messages as they would leave.
#[must_use]
pub fn leaks(blocks: &[PreviewBlock]) -> Vec<Leak> {
    blocks.iter().enumerate().filter_map(|(index, block)| look(index, block)).collect()
}

fn look(index: usize, block: &PreviewBlock) -> Option<Leak> {
    let mut facts: Vec<(usize, usize, Fact)> = block
        .spans
        .iter()
        .filter(|s| s.action == Action::Keep || s.action == Action::Generalise)
        .filter_map(|span| Some((span.start, span.end, fact(span)?)))
        .collect();
    facts.extend(roles(&block.original).into_iter().map(|(start, end)| (start, end, Fact::Role)));
    facts.sort_unstable();
    for (at, (start, _, _)) in facts.iter().enumerate() {
        let near: Vec<_> = facts[at..].iter().take_while(|f| f.0 <= start + NEAR).collect();
        let mut kinds: Vec<Fact> = near.iter().map(|f| f.2).collect();
        kinds.sort_unstable();
        kinds.dedup();
        // Without a role, an age or a group it may be any firm in any town on any day.
        let personal = kinds.iter().any(|k| matches!(k, Fact::Role | Fact::Age | Fact::Group));
        if kinds.len() >= TOO_MANY && personal {
            let end = near.iter().map(|f| f.1).max().unwrap_or(*start);
            return Some(Leak { block: index, start: *start, end, facts: kinds });
        }
    }
    None
}

fn fact(span: &Span) -> Option<Fact> {
    Some(match span.kind {
        EntityType::Org => Fact::Employer,
        EntityType::Location | EntityType::Postcode | EntityType::Address => Fact::Place,
        EntityType::Age => Fact::Age,
        EntityType::DateTime | EntityType::DateOfBirth => Fact::Day,
        EntityType::Nrp => Fact::Group,
        _ => return None,
    })
}

/// Roles that few people of a place or a firm have.
const ROLES: &[&str] = &[
    "mayor",
    "head teacher",
    "headmaster",
    "principal",
    "dean",
    "chief executive",
    "ceo",
    "cto",
    "cfo",
    "founder",
    "chairman",
    "chairwoman",
    "chief of staff",
    "surgeon",
    "professor",
    "judge",
    "priest",
    "pastor",
    "ambassador",
    "director of",
    "head of",
    "vice president",
    "sheriff",
    "postmaster",
    "only female",
    "only male",
    "youngest",
    "first woman",
    "校长",
    "院长",
    "局长",
    "处长",
    "科长",
    "镇长",
    "村长",
    "县长",
    "市长",
    "书记",
    "董事长",
    "总裁",
    "总经理",
    "创始人",
    "首席",
    "主任医师",
    "教授",
    "法官",
    "检察长",
    "大使",
    "所长",
    "馆长",
    "行长",
    "唯一的女",
    "唯一一名",
    "最年轻的",
];

fn roles(text: &str) -> Vec<(usize, usize)> {
    let lower: String = text.chars().map(|c| c.to_ascii_lowercase()).collect();
    let mut found = Vec::new();
    for role in ROLES {
        for (at, _) in lower.match_indices(role) {
            let word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphabetic());
            let inside = role.is_ascii()
                && (word(lower[..at].chars().next_back())
                    || word(lower[at + role.len()..].chars().next()));
            if !inside {
                let start = lower[..at].chars().count();
                found.push((start, start + role.chars().count()));
            }
        }
    }
    found
}
