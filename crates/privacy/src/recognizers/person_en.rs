//! People in Latin writing, by rule: titles, introductions, labels and keys, lists of names. Without a model
//! this finds the names that something points at; bare foreign names in prose it misses, and the figures
//! of `bench redact` say how many.

use nearside_types::EntityType;

use super::names::{is_common_word, is_family, is_given, is_word_too};
use super::names_world::{is_romanised_chinese, looks_like_a_surname};
use super::person_en_words::{INTRODUCTIONS, is_firm, is_titled_brand};
use crate::recognizer::{Candidate, Edges, Recognizer, Trigger, Verdict};

/// One to four capitalised parts with initials and particles between.
macro_rules! name {
    () => {
        r"\p{Lu}[\p{Latin}\p{Greek}\p{Cyrillic}\p{M}'’\-]*\.?(?:[ ](?:(?:de|da|do|dos|van|von|der|den|bin|ibn|al|la|le|del|della|di|du|ter|ten|de la|van der)[ ])?\p{Lu}[\p{Latin}\p{Greek}\p{Cyrillic}\p{M}'’\-]*\.?){0,3}"
    };
}

const PERSON: Recognizer = Recognizer {
    kind: EntityType::Person,
    edges: Edges::Free,
    score: 80,
    in_context: 84,
    when_sure: 82,
    ..Recognizer::BASE
};

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "titled_person",
        pattern: concat!(
            r"\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Madam|Lady|Lord|Judge|Sgt|Officer|Rev|Nurse|Herr|Frau|Señor|Señora|Monsieur|Madame|Senator|Representative)\.?[ ](",
            name!(),
            ")"
        ),
        trigger: Trigger::Words(&[
            "mr",
            "ms",
            "miss",
            "mx",
            "dr",
            "prof",
            "sir",
            "lady",
            "lord",
            "judge",
            "sgt",
            "officer",
            "rev",
            "nurse",
            "herr",
            "frau",
            "señor",
            "monsieur",
            "madam",
            "senator",
            "representative",
        ]),
        reach: Some((2, 120)),
        check: |c| person(c, Need::OnePart),
        ..PERSON
    },
    Recognizer {
        name: "introduced_person",
        pattern: concat!(
            r"(?:\b(?i:my name is|name is|name's|i am|i'm|i’m|this is|call me|called|named|signed by|signed|issued to|belongs to|registered owner|account holder|cardholder|card holder|payee|beneficiary|tenant|landlord|patient|customer|client|employee|applicant|candidate|complaint from|agreement between|contact|attn|attention|dear|hi|hello|hey|regards|sincerely|yours truly|cheers|thank you|thanks|best wishes|written by|directed by|produced by|performed by|author|composer|speaker|interviewee|witness|spouse|husband|wife|brother|sister|son|daughter|father|mother|partner|colleague|friend|boss|neighbo[u]?r|kid|child|uncle|aunt|cousin|nephew|niece|grandfather|grandmother|girlfriend|boyfriend|roommate|met with|meet with|spoke (?:with|to)|talk(?:ed)? to|email from|letter from|message from|last name(?: is)?|first name(?: is)?|surname|address of|for the attention of|owner|passenger|guest|driver|doctor|lawyer|teacher|account|login|change it to))[,:?.!]?\s{1,3}(?:it is |is |to )?(?:Mr\.?|Mrs\.?|Ms\.?|Miss|Dr\.?)?[ ]?(",
            name!(),
            ")"
        ),
        trigger: Trigger::Words(INTRODUCTIONS),
        reach: Some((4, 160)),
        check: |c| person(c, Need::Likely),
        ..PERSON
    },
    Recognizer {
        name: "labelled_person",
        pattern: concat!(
            r#"(?i:["'\[]?\b(?:full[_ ]?name|first[_ ]?name|last[_ ]?name|family[_ ]?name|given[_ ]?name|customer[_ ]?name|user[_ ]?name|patient[_ ]?name|contact[_ ]?name|holder|name|owner|recipient|sender|author|assignee|reporter|attendees?|from|to|cc|user|employee|customer|patient|contact|tenant|buyer|seller|payee|client)["'\]]?\s{0,2}[:=]\s{0,2}["']?)("#,
            name!(),
            ")"
        ),
        trigger: Trigger::Words(&[":", "="]),
        reach: Some((40, 120)),
        check: |c| person(c, Need::Likely),
        ..PERSON
    },
    Recognizer {
        name: "listed_full_name",
        pattern: concat!(r"\b", name!()),
        trigger: Trigger::Always,
        check: |c| person(c, Need::KnownNames),
        score: 72,
        when_sure: 78,
        ..PERSON
    },
    Recognizer {
        name: "chat_speaker",
        pattern: r"(?m)^(?:\[[\d:\-/ ]{4,20}\]\s?)?(\p{Lu}[\p{L}'’\-]+(?:[ ]\p{Lu}\.)?[ ]\p{Lu}[\p{L}'’\-]+):\s",
        trigger: Trigger::Words(&[":"]),
        reach: Some((120, 2)),
        check: |c| {
            // "Mission Statement:" stands like a speaker: one part must be a name.
            let known =
                c.text().split(' ').any(|w| is_given(w) || is_family(w) || looks_like_a_surname(w));
            if known { person(c, Need::Likely) } else { Verdict::No }
        },
        score: 66,
        ..PERSON
    },
    Recognizer {
        name: "saying_person",
        pattern: concat!(
            r"\b(",
            name!(),
            r")[ ,]{1,2}(?:said|says|told|asked|replied|wrote|writes|lives at|lives in|lives on|was born|is from|works (?:at|for)|joined|resigned|is my|hereby)\b"
        ),
        trigger: Trigger::Words(&[
            "said", "says", "told", "asked", "replied", "wrote", "writes", "lives", "born", "from",
            "works", "joined", "resigned", "is", "hereby",
        ]),
        reach: Some((120, 24)),
        check: |c| person(c, Need::Likely),
        score: 70,
        ..PERSON
    },
    Recognizer {
        name: "lower_case_introduction",
        pattern: r"(?i:\bmy name(?: is|'s)|\bi am called|\bcall me)\s(\p{Ll}[\p{L}'’\-]+(?:\s(?:\p{Ll}\.?\s)?\p{Ll}[\p{L}'’\-]+)?)",
        trigger: Trigger::Words(&["my name", "i am called", "call me"]),
        reach: Some((4, 80)),
        check: |c| {
            let mut words = c.text().split(' ');
            let known =
                words.next().is_some_and(is_given) || words.next_back().is_some_and(is_family);
            Verdict::plausible_if(known)
        },
        score: 74,
        ..PERSON
    },
    Recognizer {
        name: "quoted_person",
        pattern: concat!(
            r#"[,"”?!]\s?["”]?\s(?:says|said|replied|asked|wrote|added|explained|mocked|told us)\s("#,
            name!(),
            r")"
        ),
        trigger: Trigger::Words(&[
            "says",
            "said",
            "replied",
            "asked",
            "wrote",
            "added",
            "explained",
            "mocked",
        ]),
        reach: Some((8, 100)),
        check: |c| person(c, Need::OnePart),
        score: 66,
        ..PERSON
    },
    Recognizer {
        name: "declaring_person",
        pattern: concat!(
            r"\b(?:I,|undersigned,?|authori[sz]e|appoint|nominate|represented by|accompanied by)\s(?:Mr\.?\s|Ms\.?\s|Mrs\.?\s|Dr\.?\s)?(",
            name!(),
            r")"
        ),
        trigger: Trigger::Words(&[
            "i,",
            "undersigned",
            "authori",
            "appoint",
            "nominate",
            "represented by",
            "accompanied by",
        ]),
        reach: Some((4, 120)),
        check: |c| person(c, Need::Likely),
        score: 72,
        ..PERSON
    },
    Recognizer {
        // A line of its own above an address, a telephone number or a mail address: the head of a letter.
        name: "contact_line",
        pattern: concat!(r"(?m)^[?>*•\-]{0,3}[ ]?(", name!(), r")[ ]{0,2}$"),
        trigger: Trigger::Words(&["\n"]),
        reach: Some((100, 2)),
        check: |c| {
            let parts = c.text().split(' ').filter(|p| !p.is_empty()).count();
            let below: String = c.after().chars().take(160).collect();
            let digits = below.bytes().filter(u8::is_ascii_digit).count();
            let contact = below.contains('@') || digits >= 5;
            let words: Vec<&str> = c.text().split(' ').collect();
            let everyday = words.iter().any(|w| is_common_word(w.trim_end_matches('.')));
            let first = c.before().trim_matches(['?', '>', '*', '-', ' ', '•']).is_empty();
            if (2..=4).contains(&parts) && contact && first && !everyday {
                person(c, Need::OnePart)
            } else {
                Verdict::No
            }
        },
        score: 62,
        ..PERSON
    },
    Recognizer {
        name: "quoted_sql_name",
        pattern: concat!(r"(?i:values\s{0,2}\(\s{0,2})(?:\d{1,12},\s?)?'(", name!(), ")'"),
        trigger: Trigger::Words(&["values"]),
        check: |c| person(c, Need::Likely),
        ..PERSON
    },
];

#[derive(Clone, Copy, PartialEq)]
enum Need {
    /// Any capitalised word that is no common one.
    OnePart,
    /// Two parts, or one that a list knows.
    Likely,
    /// A given name of a list, with a second part, or a family name of a list behind a first part.
    KnownNames,
}

fn person(c: &Candidate<'_>, need: Need) -> Verdict {
    let text = c.text();
    // A code goes on behind its letters, a name does not.
    if c.after().starts_with(|ch: char| ch.is_ascii_digit() || ch == '_') {
        return Verdict::No;
    }
    let mut parts: Vec<(usize, &str)> = Vec::new();
    let mut offset = 0;
    for part in text.split(' ') {
        parts.push((offset, part));
        offset += part.len() + 1;
    }
    let bare = |p: &str| {
        p.trim_end_matches(['.', ',']).trim_end_matches("'s").trim_end_matches("’s").to_owned()
    };
    // What precedes the name in a sentence has a capital too: leave it out.
    let mut first = 0;
    if need == Need::KnownNames {
        // "ex-Zombie Lundberg", "Bridgewater's Parker": the name begins behind.
        first += usize::from(c.before().ends_with('-'));
        let owner = |p: &&(usize, &str)| p.1.ends_with("'s") || p.1.ends_with("’s");
        if let Some(at) = parts.iter().take(parts.len().saturating_sub(1)).position(|p| owner(&p)) {
            first = first.max(at + 1);
        }
        while first < parts.len() && !is_given(&bare(parts[first].1)) {
            let word = bare(parts[first].1);
            let next = parts.get(first + 1).map(|p| bare(p.1)).unwrap_or_default();
            let fits = word.chars().count() > 1
                && (word.chars().count() <= 3 || word.chars().any(char::is_lowercase))
                && !next.is_empty()
                && !is_common_word(&word)
                && !is_word_too(&word);
            if fits
                && (is_family(&next)
                    || looks_like_a_surname(&next)
                    || is_romanised_chinese(&word, &next))
            {
                break;
            }
            first += 1;
        }
    }
    let mut last = first;
    while last < parts.len() {
        let word = bare(parts[last].1);
        let capital = word.starts_with(char::is_uppercase);
        if capital && word.chars().count() > 1 && is_common_word(&word) {
            break;
        }
        last += 1;
        // A full stop ends the name, unless it belongs to an initial or to "Jr."
        if parts[last - 1].1.ends_with('.') && word.chars().count() > 2 {
            break;
        }
    }
    // Particles and initials do not end a name.
    while last > first + 1 {
        let end = parts[last - 1].1;
        if end.starts_with(char::is_lowercase) { last -= 1 } else { break }
    }
    let Some(chosen) = parts.get(first..last).filter(|p| !p.is_empty()) else { return Verdict::No };
    let words: Vec<String> = chosen.iter().map(|p| bare(p.1)).collect();
    let long = words.iter().filter(|w| w.chars().count() > 1).count();
    let known = words.iter().any(|w| is_given(w) || is_family(w));
    let head = &words[0];
    let shouted = words.iter().all(|w| w.chars().count() > 3 && !w.chars().any(char::is_lowercase));
    let fits = match need {
        Need::OnePart => long >= 1,
        Need::Likely => {
            (long >= 2 && !is_common_word(head))
                || (long == 1
                    && words.len() == 1
                    && ((known && !is_word_too(head)) || lone(c, head)))
        }
        Need::KnownNames => {
            let family = words.len() > 1
                && (words[1..].iter().any(|w| is_family(w) || looks_like_a_surname(w))
                    || is_romanised_chinese(&words[0], &words[1]));
            let given = is_given(head) && long >= 2;
            let sure = family || (given && !is_word_too(head));
            let single =
                words.len() == 1 && is_given(head) && !is_word_too(head) && parts.len() <= 2;
            // "San Jose" is a place, and the second half of a longer name is no name of its own.
            let earlier = match first.checked_sub(1) {
                Some(index) => parts[index].1,
                None => c.before().trim_end_matches(' ').rsplit([' ', '\n']).next().unwrap_or(""),
            };
            let place = matches!(
                earlier,
                "San"
                    | "Saint"
                    | "St."
                    | "Santa"
                    | "Los"
                    | "Las"
                    | "New"
                    | "Fort"
                    | "Mount"
                    | "Port"
                    | "Lake"
            );
            let half = (first > 0 || c.before().ends_with(' '))
                && earlier.starts_with(char::is_uppercase)
                && !earlier.ends_with(['.', ',', ':', '!', '?'])
                && !is_common_word(earlier);
            !place && (sure && long >= 2 || single && !half)
        }
    };
    let last_part = chosen[chosen.len() - 1];
    let end = last_part.0 + text[last_part.0..].len().min(trimmed(last_part.1));
    let start = chosen[0].0;
    let organisation =
        c.after().trim_start().split([' ', ',', '.', '\n']).next().is_some_and(|w| {
            matches!(
                w,
                "Inc"
                    | "LLC"
                    | "Ltd"
                    | "Corp"
                    | "Co"
                    | "Group"
                    | "University"
                    | "Street"
                    | "Bridge"
                    | "disease"
                    | "method"
                    | "Center"
            )
        });
    let brand = c.before().ends_with(". ") && words.len() == 1 && is_titled_brand(head);
    let brand = brand || (words.len() == 2 && is_firm(&words[0], &words[1]));
    if !fits || brand || shouted || organisation || end <= start || head.chars().count() < 2 {
        return Verdict::No;
    }
    Verdict::Part {
        range: c.range.start + start..c.range.start + end,
        sure: known && long >= 2,
        why: "a name where one is expected",
    }
}

/// Length without a possessive or a full stop of the sentence.
fn trimmed(part: &str) -> usize {
    let text = part.trim_end_matches(',');
    let initial =
        text.chars().filter(|c| c.is_alphabetic()).count() == 1 || matches!(text, "Jr." | "Sr.");
    let text = if initial { text } else { text.trim_end_matches('.') };
    text.trim_end_matches("'s").trim_end_matches("’s").trim_end_matches(['\'', '’', '-']).len()
}

/// A single unknown word counts after a word of introduction, when it does not look like prose.
fn lone(c: &Candidate<'_>, word: &str) -> bool {
    let before = c.before().trim_end();
    let kin = [
        "son",
        "daughter",
        "kid",
        "child",
        "brother",
        "sister",
        "wife",
        "husband",
        "friend",
        "colleague",
        "boss",
        "uncle",
        "aunt",
        "cousin",
        "nephew",
        "niece",
        "neighbour",
        "neighbor",
        "partner",
        "boyfriend",
        "girlfriend",
    ];
    let strong = [
        "name is",
        "last name?",
        "first name?",
        "call me",
        "Dear",
        "named",
        "Hi",
        "Hello",
        "name:",
        "I'm",
    ];
    word.chars().count() > 2
        && !is_common_word(word)
        && !is_word_too(word)
        && word.chars().skip(1).all(|ch| ch.is_lowercase() || matches!(ch, '\'' | '’' | '-'))
        && (strong.iter().any(|s| before.ends_with(s))
            || before.rsplit(' ').next().is_some_and(|last| kin.contains(&last)))
}
