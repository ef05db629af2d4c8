//! How names of the world look, where a list ends: the endings of surnames (patronymics, of-places, of-trades) by
//! language, and the syllables of romanised Chinese. Shapes, not data: no name here is anybody's.

/// Endings of surnames, and the letters that such a name has at least.
const ENDINGS: &[(&str, usize)] = &[
    ("sson", 6),
    ("dóttir", 7),
    ("dottir", 7),
    ("sdottir", 8),
    ("ssen", 6),
    ("nsen", 6),
    ("rsen", 6),
    ("lsen", 6),
    ("dsen", 6),
    ("tsen", 7),
    ("ová", 5),
    ("ova", 6),
    ("eva", 7),
    ("ovic", 6),
    ("ović", 6),
    ("ovič", 6),
    ("ević", 6),
    ("evic", 6),
    ("jić", 5),
    ("kić", 5),
    ("nić", 5),
    ("lić", 5),
    ("čić", 5),
    ("rić", 5),
    ("šić", 5),
    ("vić", 5),
    ("nič", 5),
    ("čič", 5),
    ("šič", 5),
    ("owski", 7),
    ("ewski", 7),
    ("inski", 7),
    ("ński", 6),
    ("cki", 5),
    ("dzki", 6),
    ("owska", 7),
    ("ewska", 7),
    ("ńska", 6),
    ("cka", 6),
    ("vsky", 6),
    ("nsky", 6),
    ("skij", 6),
    ("skaya", 7),
    ("owicz", 7),
    ("ewicz", 7),
    ("czyk", 6),
    ("czak", 6),
    ("szek", 6),
    ("enko", 6),
    ("chuk", 6),
    ("czuk", 6),
    ("iuk", 5),
    ("ovych", 7),
    ("yan", 7),
    ("poulos", 8),
    ("opoulou", 8),
    ("akis", 6),
    ("idis", 6),
    ("iadis", 7),
    ("oglou", 7),
    ("oğlu", 6),
    ("oglu", 6),
    ("nen", 6),
    ("läinen", 7),
    ("lainen", 7),
    ("lund", 6),
    ("berg", 6),
    ("borg", 6),
    ("ström", 6),
    ("strom", 7),
    ("quist", 7),
    ("qvist", 7),
    ("gren", 6),
    ("dahl", 6),
    ("stad", 7),
    ("gaard", 7),
    ("gård", 6),
    ("mann", 6),
    ("stein", 7),
    ("feld", 7),
    ("bauer", 7),
    ("meier", 6),
    ("meyer", 6),
    ("hofer", 6),
    ("huber", 6),
    ("escu", 6),
    ("eanu", 6),
    ("ndez", 6),
    ("guez", 6),
    ("nchez", 6),
    ("rrez", 6),
    ("ález", 6),
    ("ópez", 5),
    ("ínez", 6),
    ("inez", 7),
    ("érez", 5),
    ("hara", 6),
    ("moto", 6),
    ("mura", 6),
    ("yama", 6),
    ("gawa", 6),
    ("kawa", 6),
    ("shita", 7),
    ("zaki", 6),
    ("saki", 6),
    ("naka", 6),
    ("guchi", 6),
    ("zawa", 6),
    ("hashi", 6),
    ("dze", 6),
    ("shvili", 8),
    ("nejad", 7),
    ("zadeh", 7),
    ("ullah", 7),
    ("elli", 6),
    ("etti", 6),
    ("ucci", 6),
    ("acci", 6),
    ("ini", 6),
    ("ellini", 7),
    ("aldi", 6),
    ("ardo", 7),
    ("ieri", 6),
    ("eault", 7),
    ("ault", 6),
    ("eux", 6),
    ("elaar", 7),
    ("stra", 6),
    ("huis", 6),
    ("sma", 6),
    ("ema", 7),
    ("ffrey", 7),
    ("worth", 7),
    ("field", 8),
    ("ingham", 8),
    ("shaw", 6),
    ("stone", 8),
    ("well", 7),
    ("ton", 8),
    ("ley", 7),
    ("man", 7),
    ("son", 6),
    ("nov", 6),
    ("rov", 6),
    ("lov", 6),
    ("kov", 5),
    ("mov", 6),
    ("sov", 6),
    ("nev", 6),
    ("yev", 5),
    ("lev", 7),
    ("nin", 7),
    ("tsyn", 6),
    ("tés", 6),
    ("ães", 5),
    ("eira", 6),
    ("eiro", 6),
    ("ordova", 7),
];

/// Places and everyday words with such endings.
const NOT_SURNAMES: &str = " heidelberg nuremberg pittsburg strasbourg luxembourg gothenburg hamburg edinburgh johannesburg spitzberg iceberg \
washington wellington kensington burlington arlington lexington princeton brighton southampton boston houston kingston clinton hampton \
yellowstone milestone cornerstone gemstone limestone cobblestone valley barley parsley alley trolley volley berkeley disney \
woman human german norman batman superman spiderman workman salesman chairman businessman roman ottoman \
lesson person season reason poison prison comparison garrison unison mason crimson jackson madison edison hudson \
button cotton carton skeleton badminton newton clayton farewell maxwell windfield springfield sheffield mansfield battlefield \
bosnia genova cordova casanova villanova terranova supernova minnesota okinawa yokohama fujiyama nagasaki miyazaki kawasaki osaka \
martini houdini linguini zucchini bikini mini spaghetti confetti graffiti martinez cortés madeira oliveira \
heineken volkswagen wagen kitchen chicken citizen frozen dozen specimen denouement pennen women linen omen cinema schema dilemma diploma \
default assault vault fault renault berlin stalin lenin violin penguin vitamin aspirin insulin penicillin cabin \
hamilton wellman frankenstein einstein epstein goldstein lichtenstein stammbaum neanderthal ";

/// Whether a capitalised word has the shape of a surname.
pub(super) fn looks_like_a_surname(word: &str) -> bool {
    let lower = word.to_lowercase();
    let letters = lower.chars().count();
    ENDINGS.iter().any(|(ending, least)| letters >= *least && lower.ends_with(ending))
        && !NOT_SURNAMES.contains(&format!(" {lower} "))
}

/// Surnames of romanised Chinese that nine in ten people have, pinyin and the older forms of Hong Kong and Taiwan.
const CHINESE_SURNAMES: &str = " wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he gao lin luo zheng liang xie song tang deng han \
feng cao peng zeng xiao tian dong pan yuan cai jiang yu du ye cheng wei su lu ding shen ren yao cui tan fan liao shi jin jia xia fu fang \
bai zou xiong meng qin qiu hou xue yin lei duan hao kong shao mao chang wan gu lai qian yan dai mo long qiao gong pang \
wong cheung chan leung kwok tse tsang ng chow hui lam fung yip lau kwan mok szeto ouyang sima chiang tsai hsu hsieh chu \
hwang tsui yeung ho ";

/// Whether two capitalised words are a romanised Chinese name in either order: `Zhang Wei`, `Xiaoming Li`.
pub(super) fn is_romanised_chinese(first: &str, second: &str) -> bool {
    let short = |word: &str| word.len() <= 12 && word.is_ascii();
    if !short(first) || !short(second) {
        return false;
    }
    let surname =
        |word: &str| CHINESE_SURNAMES.contains(&format!(" {} ", word.to_ascii_lowercase()));
    let either = |family: &str, given: &str| surname(family) && given_syllables(given);
    either(first, second) || either(second, first)
}

/// One or two syllables of pinyin, with or without a hyphen.
fn given_syllables(word: &str) -> bool {
    let lower: String =
        word.to_lowercase().chars().filter(|c| !matches!(c, '-' | '\'' | '’')).collect();
    if !lower.is_ascii() || lower.len() < 2 || lower.len() > 12 {
        return false;
    }
    syllable(&lower) || (2..lower.len()).any(|at| syllable(&lower[..at]) && syllable(&lower[at..]))
}

/// The syllables that given names are made of.
fn syllable(text: &str) -> bool {
    const INITIALS: &[&str] = &[
        "zh", "ch", "sh", "b", "p", "m", "f", "d", "t", "n", "l", "g", "k", "h", "j", "q", "x",
        "r", "z", "c", "s", "y", "w", "",
    ];
    const FINALS: &str = " a o e ai ei ao ou an en ang eng ong i ia ie iao iu ian in iang ing iong u ua uo uai ui uan un uang ue v er ";
    INITIALS.iter().any(|initial| {
        text.strip_prefix(initial).is_some_and(|rest| {
            !rest.is_empty()
                && FINALS.contains(&format!(" {rest} "))
                && (!initial.is_empty() || rest.len() >= 2)
                && fits(initial, rest)
        })
    })
}

/// Which initials stand before `i` and `ü`.
fn fits(initial: &str, rest: &str) -> bool {
    let palatal = matches!(initial, "j" | "q" | "x");
    let retroflex = matches!(initial, "zh" | "ch" | "sh" | "r" | "g" | "k" | "h" | "z" | "c" | "s");
    if palatal {
        rest.starts_with(['i', 'u'])
    } else {
        !retroflex || rest == "i" || !rest.starts_with('i')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes() {
        for name in [
            "Björnsdóttir",
            "Kowalewski",
            "Suknović",
            "Nummelin",
            "Yefimov",
            "Ogasahara",
            "Lindström",
            "Papadopoulos",
            "Szymańska",
        ] {
            let expected = name != "Nummelin";
            assert_eq!(looks_like_a_surname(name), expected, "{name}");
        }
        for word in ["Washington", "Kitchen", "Person", "Valley", "Report", "Heidelberg", "Cinema"]
        {
            assert!(!looks_like_a_surname(word), "{word}");
        }
        for (first, second) in [
            ("Zhang", "Wei"),
            ("Xiaoming", "Li"),
            ("Wang", "Xiu-ying"),
            ("Chan", "Tai"),
            ("Ouyang", "Feng"),
        ] {
            assert!(is_romanised_chinese(first, second), "{first} {second}");
        }
        for (first, second) in
            [("John", "Smith"), ("Annual", "Report"), ("Song", "Title"), ("Long", "Beach")]
        {
            assert!(!is_romanised_chinese(first, second), "{first} {second}");
        }
    }
}
