//! Forms of address, jobs and firms by where they stand in the head of a letter or a card (Tier B).

use nearside_types::EntityType;

use super::names::{is_family, is_given};
use crate::recognizer::{Candidate, Edges, Recognizer, Trigger, Verdict};

const TIER_B: Recognizer = Recognizer {
    kind: EntityType::Title,
    edges: Edges::Free,
    score: 52,
    in_context: 52,
    ..Recognizer::BASE
};

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "form_of_address",
        kind: EntityType::Title,
        pattern: r"\b(?:Mr\.|Mrs\.|Ms\.|Miss|Mr|Mrs|Ms|Mx\.|Dr\.|Prof\.)",
        trigger: Trigger::Words(&["mr", "ms", "miss", "mx.", "dr.", "prof."]),
        check: title,
        ..TIER_B
    },
    Recognizer {
        // The line below a name, above the ways to reach somebody.
        name: "job_line",
        pattern: r"(?m)^[ ]?(\p{L}[\p{L}'’,&/\- ]{2,60}\p{L})[ ]?$",
        trigger: Trigger::Words(&["phone", "tel", "mobile", "mail", "@"]),
        reach: Some((180, 2)),
        check: job_line,
        ..TIER_B
    },
    Recognizer {
        // The second line of an envelope: a firm between a name and a street line.
        name: "firm_line",
        kind: EntityType::Org,
        pattern: r"(?m)^[?>*• ]{0,4}\p{Lu}[\p{L}.'’\- ]{2,40}\n[?>*• ]{0,4}(\p{Lu}[\p{L}\d&.,'’\- ]{2,48})\n[?>*• ]{0,4}\d{1,6}[ ]",
        trigger: Trigger::Words(&["apt", "apartment", "suite", "ste", "unit", "flat", "zip"]),
        reach: Some((200, 2)),
        check: |c| {
            Verdict::plausible_if(!c.text().ends_with([',', ':']) && !c.text().contains(". "))
        },
        score: 58,
        in_context: 58,
        ..TIER_B
    },
];

fn title(c: &Candidate<'_>) -> Verdict {
    let next = c.after().trim_start();
    Verdict::plausible_if(c.after().starts_with(' ') && next.starts_with(char::is_uppercase))
}

/// A line that ends in the word for a job, under one that can be a name and has no value.
fn job_line(c: &Candidate<'_>) -> Verdict {
    let above = c.before().trim_end_matches(['\n', ' ']);
    let name = above.rsplit('\n').next().unwrap_or("");
    let words = name.split_whitespace().count();
    let named = (2..=4).contains(&words)
        && name.len() <= 60
        && name
            .chars()
            .all(|ch| ch.is_alphabetic() || matches!(ch, ' ' | '.' | '-' | '\'' | '’' | ','));
    let job = c.text().rsplit([' ', '/', '-']).next().unwrap_or("").trim_end_matches(',');
    let is_name = c.text().split(' ').any(|w| {
        w.starts_with(char::is_uppercase)
            && (is_given(w) || is_family(w))
            && !is_job(&w.to_lowercase())
    });
    Verdict::plausible_if(
        named && !is_name && is_job(&job.to_lowercase()) && !c.after().starts_with(':'),
    )
}

/// Words for jobs by their ending, and those that have none.
fn is_job(word: &str) -> bool {
    const JOBS: &str = " nurse clerk chef pilot attorney aide coach soldier judge guard cook scribe guide president chief \
head dean agent analyst chemist athlete surgeon host hostess steward stewardess model critic diplomat consultant cashier actress waitress \
mechanic paralegal paramedic therapist ";
    const ENDINGS: &[&str] = &[
        "er", "or", "ist", "ian", "ant", "eer", "man", "woman", "person", "smith", "wright",
        "ologist", "ographer", "ive", "ent",
    ];
    const NEITHER: &str = " number letter order paper computer center water summer winter september october november december power \
folder server printer router browser header footer color error mirror floor door newsletter department document event content comment \
client present current recent student parent patient archive live drive ";
    let listed = |list: &str| list.contains(&format!(" {word} "));
    listed(JOBS)
        || (word.chars().count() >= 4
            && ENDINGS.iter().any(|e| word.ends_with(e))
            && !listed(NEITHER))
}
