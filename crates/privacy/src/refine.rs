//! Names before overlaps are settled: ends are cut to the name itself, what a word beside it makes another kind becomes
//! that kind, and what only looks like a name is left out. It works on what rules and the model found, and knows no
//! person or firm. Pure.

use std::ops::Range;

use nearside_types::{EntityType, Ground};

use crate::overlap::Finding;
use crate::recognizers::{is_everyday_chinese, is_given, is_nationality, is_titled_brand, surname};

/// A legal form behind a name makes it an organisation's, in whatever language.
const FORMS: &[&str] = &[
    "Inc",
    "Inc.",
    "LLC",
    "LLC.",
    "L.L.C.",
    "Ltd",
    "Ltd.",
    "Corp",
    "Corp.",
    "Corporation",
    "Incorporated",
    "GmbH",
    "PLC",
    "plc",
    "LLP",
    "KG",
    "Oy",
    "B.V.",
    "BV",
    "N.V.",
    "S.A.",
    "SpA",
    "S.p.A.",
    "S.r.l.",
    "Pty",
];
/// What a capitalised word behind a name, or its last word, makes an organisation.
const BODIES: &[&str] = &[
    "Group",
    "Holdings",
    "Technologies",
    "Partners",
    "Consulting",
    "Associates",
    "Industries",
    "Foundation",
    "University",
    "Hospital",
    "Bank",
    "Institute",
    "College",
    "Airlines",
    "Airways",
    "Motors",
    "Pharmaceuticals",
    "Laboratories",
    "Software",
    "Systems",
    "Solutions",
    "Capital",
    "Ventures",
    "Logistics",
    "Enterprises",
    "Insurance",
    "Lines",
];
/// Bodies that are called after what they are of.
const BODIES_OF: &[&str] = &[
    "University",
    "Bank",
    "Ministry",
    "Department",
    "Institute",
    "Council",
    "Board",
    "Bureau",
    "Association",
    "Federation",
    "Academy",
    "College",
    "Museum",
    "Court",
    "Government",
    "Chamber",
    "Church",
];
const REALMS: &[&str] = &[
    "Kingdom of ",
    "Republic of ",
    "Empire of ",
    "Principality of ",
    "Duchy of ",
    "Gulf of ",
    "Bay of ",
    "Isle of ",
    "Strait of ",
];
const TITLES: &[&str] = &["Mr", "Mrs", "Ms", "Miss", "Mx", "Dr", "Prof"];
const STORMS: &[&str] = &["Storm", "Hurricane", "Typhoon", "Cyclone"];
/// What is called after a person and is none.
const EPONYMS: &[&str] = &[
    "theorem",
    "algorithm",
    "equation",
    "equations",
    "distribution",
    "transform",
    "conjecture",
    "inequality",
    "syndrome",
    "disease",
    "cipher",
    "effect",
    "test",
    "formula",
    "constant",
    "matrix",
    "filter",
];
const EPONYMS_ZH: &[&str] = &[
    "消元",
    "分布",
    "定理",
    "方程",
    "迭代",
    "公式",
    "变换",
    "滤波",
    "不等式",
    "定律",
    "曲线",
    "效应",
    "算法",
    "猜想",
    "级数",
    "积分",
    "矩阵",
    "综合征",
];
const RANKS_ZH: &[&str] = &[
    "公主", "王子", "亲王", "国王", "女王", "上校", "将军", "元帅", "爵士", "先生", "女士", "小姐",
    "教授", "医生",
];
/// Words behind which a place stands, and nobody.
const ORIGINS: &[&str] = &[
    "originally from",
    "moved here from",
    "moved from",
    "relocated to",
    "born and raised in",
    "flew to",
    "trip to",
];
/// A list of people, told by the word in front of the colon.
const PEOPLE: &[&str] = &[
    "founders:",
    "members:",
    "authors:",
    "speakers:",
    "attendees:",
    "participants:",
    "winners:",
    "employees:",
    "students:",
];

/// The findings, with names set right.
pub(crate) fn refine(text: &str, findings: Vec<Finding>) -> Vec<Finding> {
    if !findings.iter().any(|f| is_name(f.kind)) {
        return findings;
    }
    let around = Around { signs: text.chars().collect(), mixed: text.contains(char::is_uppercase) };
    let mut refined = Vec::with_capacity(findings.len());
    for finding in findings {
        if is_name(finding.kind)
            && !finding.range.is_empty()
            && finding.range.end <= around.signs.len()
        {
            around.refine(finding, &mut refined);
        } else {
            refined.push(finding);
        }
    }
    refined
}

fn is_name(kind: EntityType) -> bool {
    matches!(kind, EntityType::Person | EntityType::Org | EntityType::Location)
}

/// A text by its signs, with what stands around a place in it.
struct Around {
    signs: Vec<char>,
    /// It has capitals, so that a small letter says something.
    mixed: bool,
}

impl Around {
    fn of(&self, range: &Range<usize>) -> String {
        self.signs.get(range.clone()).map(|s| s.iter().collect()).unwrap_or_default()
    }

    fn before(&self, at: usize, most: usize) -> String {
        self.of(&(at.saturating_sub(most)..at))
    }

    fn after(&self, at: usize, most: usize) -> String {
        self.of(&(at..(at + most).min(self.signs.len())))
    }

    fn refine(&self, mut finding: Finding, refined: &mut Vec<Finding>) {
        let guess = finding.ground == Ground::NameModel;
        if guess && finding.kind == EntityType::Person && self.is_nobody(&finding) {
            return;
        }
        if guess {
            self.trim(&mut finding);
        }
        if finding.kind == EntityType::Org && self.is_list_of_people(&finding) {
            refined.extend(self.people(&finding));
            return;
        }
        self.retype(&mut finding, guess);
        refined.push(finding);
    }

    /// A storm, a theorem, a brand or a saying.
    fn is_nobody(&self, finding: &Finding) -> bool {
        let name = self.of(&finding.range);
        let before = self.before(finding.range.start, 12);
        let previous = before.trim_end().rsplit([' ', '\n']).next().unwrap_or("");
        let after = self.after(finding.range.end, 14);
        let next = after.trim_start().split([' ', '.', ',', '\n', ';', ')']).next().unwrap_or("");
        if STORMS.contains(&previous) {
            return true;
        }
        if TITLES.contains(&previous.trim_end_matches('.')) && is_titled_brand(&name) {
            return true;
        }
        let single = !name.contains(' ');
        if single && after.starts_with(' ') && EPONYMS.contains(&next) && !is_given(&name) {
            return true;
        }
        let length = name.chars().count();
        if !name.chars().all(is_han) {
            return false;
        }
        EPONYMS_ZH.iter().any(|e| after.starts_with(e))
            || is_everyday_chinese(&name)
            || (length >= 6 && surname(&name).is_some())
    }

    fn trim(&self, finding: &mut Finding) {
        let range = &mut finding.range;
        let mut words = self.words(range);
        match finding.kind {
            EntityType::Person => {
                // "ex-Zombie Lundberg": what a hyphen joins to the word before is no first name.
                let joined =
                    range.start.checked_sub(1).and_then(|i| self.signs.get(i)) == Some(&'-');
                while words.len() > 1
                    && (joined && words[0].start == range.start
                        || TITLES.contains(&self.of(&words[0]).trim_end_matches('.')))
                {
                    words.remove(0);
                }
                range.start = words.first().map_or(range.start, |w| w.start).max(range.start);
            }
            _ => {
                let small = |w: &Range<usize>| self.signs[w.start].is_lowercase();
                let capital = words.iter().any(|w| self.signs[w.start].is_uppercase());
                while self.mixed && capital && words.len() > 1 && small(&words[0]) {
                    words.remove(0);
                }
                range.start = words.first().map_or(range.start, |w| w.start);
            }
        }
        let name = self.of(range);
        if name.ends_with("'s") || name.ends_with("’s") {
            range.end -= 2;
        }
        if name.chars().all(is_han) {
            self.trim_chinese(finding, &name);
        }
    }

    fn trim_chinese(&self, finding: &mut Finding, name: &str) {
        let length = name.chars().count();
        match finding.kind {
            EntityType::Person => {
                if let Some(rank) = RANKS_ZH.iter().find(|r| name.ends_with(**r)) {
                    let rank = rank.chars().count();
                    if length >= rank + 2 {
                        finding.range.end -= rank;
                    }
                }
            }
            EntityType::Location if length >= 3 && name.starts_with(['在', '到', '往']) => {
                finding.range.start += 1
            }
            EntityType::Org if length >= 3 && name.starts_with('原') => finding.range.start += 1,
            _ => {}
        }
    }

    fn retype(&self, finding: &mut Finding, guess: bool) {
        let name = self.of(&finding.range);
        if finding.kind != EntityType::Person && is_nationality(&name) {
            finding.kind = EntityType::Nrp;
            return;
        }
        let after = self.after(finding.range.end, 24);
        let gap = after.len() - after.trim_start_matches([',', ' ']).len();
        let rest = after.get(gap..).unwrap_or("");
        let next = rest.split([' ', ',', '\n', ';', ')', '"', '’']).next().unwrap_or("");
        let bare = next.trim_end_matches("'s");
        let led = (1..=2).contains(&gap) && !after.starts_with("  ");
        if guess && led && FORMS.contains(&bare) {
            // The full stop of a sentence is none of "LLC".
            let form = if matches!(bare, "LLC.") { "LLC" } else { bare };
            finding.range.end += gap + form.chars().count();
            finding.kind = EntityType::Org;
            return;
        }
        let space = gap == 1 && after.starts_with(' ');
        let word = bare.trim_end_matches('.');
        if guess && space && finding.kind != EntityType::Org && BODIES.contains(&word) {
            finding.range.end += 1 + word.chars().count();
            finding.kind = EntityType::Org;
            return;
        }
        let last = name.rsplit(' ').next().unwrap_or("");
        if guess
            && finding.kind == EntityType::Person
            && name.contains(' ')
            && BODIES.contains(&last)
        {
            finding.kind = EntityType::Org;
        }
        if guess
            && finding.kind == EntityType::Org
            && BODIES_OF.contains(&last)
            && rest.starts_with("of ")
            && space
        {
            finding.range.end += self.of_what(finding.range.end + 4);
        }
        let before = self.before(finding.range.start, 24);
        if finding.kind == EntityType::Location
            && let Some(realm) = REALMS.iter().find(|r| before.ends_with(**r))
        {
            finding.range.start -= realm.chars().count();
        }
        if finding.kind == EntityType::Person
            && ORIGINS.iter().any(|o| before.trim_end().ends_with(o))
        {
            finding.kind = EntityType::Location;
        }
    }

    /// The length of " of Ontario", from the name's end, where capitalised words follow at `at`.
    fn of_what(&self, at: usize) -> usize {
        let rest = self.after(at, 48);
        let mut length = 0;
        for word in rest.split(' ') {
            let plain = word.trim_end_matches([',', '.', ';', ')', '(']);
            if !plain.starts_with(char::is_uppercase)
                || !plain.chars().all(|c| c.is_alphabetic() || c == '-')
            {
                break;
            }
            length += plain.chars().count() + usize::from(length > 0);
            if plain.len() < word.len() {
                break;
            }
        }
        if length == 0 { 0 } else { 4 + length }
    }

    fn is_list_of_people(&self, finding: &Finding) -> bool {
        let name = self.of(&finding.range);
        let before = self.before(finding.range.start, 16).to_lowercase();
        let before = before.trim_end();
        (name.contains(", ") || name.contains(" and "))
            && PEOPLE.iter().any(|p| before.ends_with(p))
    }

    /// The names of a list that was taken for one name, and the last one behind "and".
    fn people(&self, finding: &Finding) -> Vec<Finding> {
        let mut range = finding.range.clone();
        if let Some(rest) = self.after(range.end, 48).strip_prefix(" and ") {
            let name: String = rest
                .chars()
                .take_while(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '\''))
                .collect();
            let capital = name.starts_with(char::is_uppercase);
            let last: usize = name
                .split(' ')
                .take_while(|w| w.starts_with(char::is_uppercase))
                .map(|w| w.chars().count() + 1)
                .sum();
            range.end += if capital { 4 + last } else { 0 };
        }
        let text = self.of(&range);
        let mut found = Vec::new();
        let mut at = range.start;
        for part in text.split(", ").flat_map(|p| p.split(" and ")) {
            let length = part.chars().count();
            if part.starts_with(char::is_uppercase) {
                found.push(Finding {
                    range: at..at + length,
                    kind: EntityType::Person,
                    ..finding.clone()
                });
            }
            at += length;
            // The separator: a comma and a space, or " and ".
            at += if self.after(at, 2) == ", " { 2 } else { 5 };
        }
        found
    }

    fn words(&self, range: &Range<usize>) -> Vec<Range<usize>> {
        let mut words: Vec<Range<usize>> = Vec::new();
        let mut open = false;
        for at in range.clone() {
            match (self.signs[at].is_whitespace(), open) {
                (true, _) => open = false,
                (false, true) => words.last_mut().into_iter().for_each(|w| w.end = at + 1),
                (false, false) => {
                    words.push(at..at + 1);
                    open = true;
                }
            }
        }
        words
    }
}

fn is_han(sign: char) -> bool {
    matches!(sign, '\u{3400}'..='\u{9fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of a text after `refine`, where the model said `kind` of `name`.
    fn check(text: &str, kind: EntityType, name: &str, expected: &[(EntityType, &str)]) {
        let start = text[..text.find(name).unwrap()].chars().count();
        let range = start..start + name.chars().count();
        let guess = Finding {
            range,
            kind,
            score: 89,
            ground: Ground::NameModel,
            why: "name_model: score 89".to_owned(),
        };
        let found: Vec<(EntityType, String)> = refine(text, vec![guess])
            .into_iter()
            .map(|f| (f.kind, text.chars().skip(f.range.start).take(f.range.len()).collect()))
            .collect();
        let found: Vec<(EntityType, &str)> = found.iter().map(|(k, n)| (*k, n.as_str())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn names() {
        use EntityType as T;
        let person = |name| [(T::Person, name)];
        check("a song by ex-Zombie Kastner", T::Person, "Zombie Kastner", &person("Kastner"));
        check("Ask Mr. Quarshie.", T::Person, "Mr. Quarshie", &person("Quarshie"));
        check("It is Zeb Quarshie's.", T::Person, "Zeb Quarshie's", &person("Zeb Quarshie"));
        check("Write to Zeb Quarshie, please.", T::Person, "Zeb Quarshie", &person("Zeb Quarshie"));
        check("Brim Stock LLC called.", T::Person, "Brim Stock", &[(T::Org, "Brim Stock LLC")]);
        check("At Brim Motors we", T::Person, "Brim", &[(T::Org, "Brim Motors")]);
        check(
            "the Farm Council of Ontario said",
            T::Org,
            "Farm Council",
            &[(T::Org, "Farm Council of Ontario")],
        );
        check(
            "in northwestern Europe",
            T::Location,
            "northwestern Europe",
            &[(T::Location, "Europe")],
        );
        check(
            "the Kingdom of France",
            T::Location,
            "France",
            &[(T::Location, "Kingdom of France")],
        );
        check("a European idea", T::Location, "European", &[(T::Nrp, "European")]);
        check(
            "He is originally from Dolores, I think.",
            T::Person,
            "Dolores",
            &[(T::Location, "Dolores")],
        );
        check(
            "our 3 founders: Brim, Stock and Lee.",
            T::Org,
            "Brim, Stock and Lee",
            &[(T::Person, "Brim"), (T::Person, "Stock"), (T::Person, "Lee")],
        );
        check(
            "our 3 founders: Brim, Stock and Lee.",
            T::Org,
            "Brim, Stock",
            &[(T::Person, "Brim"), (T::Person, "Stock"), (T::Person, "Lee")],
        );
        check("Storm Ciaran arrives.", T::Person, "Ciaran", &[]);
        check("It fails the Luhn test.", T::Person, "Luhn", &[]);
        check("Mr. Clean is a mascot.", T::Person, "Clean", &[]);
        check("高斯消元很快", T::Person, "高斯", &[]);
        check("杨梅都熟了", T::Person, "杨梅都", &[]);
        check("高山流水觅知音", T::Person, "高山流水觅知音", &[]);
        check("请找杨梅花", T::Person, "杨梅花", &person("杨梅花"));
        check("玛丽娜公主来了", T::Person, "玛丽娜公主", &person("玛丽娜"));
        check("他在美国", T::Location, "在美国", &[(T::Location, "美国")]);
    }
}
