//! Less exact values: an address to its city or district, a day to its year, an age to its decade. Pure; what
//! cannot be made coarser safely is masked instead.

use nearside_types::EntityType;

/// The coarser value, or nothing where there is none that hides enough.
pub(crate) fn generalise(kind: EntityType, text: &str) -> Option<String> {
    match kind {
        EntityType::Address => chinese_place(text).or_else(|| western_place(text)),
        EntityType::DateOfBirth | EntityType::DateTime => year(text),
        EntityType::Age => decade(text),
        EntityType::Ip => network(text),
        EntityType::Email => text.rsplit_once('@').map(|(_, host)| format!("…@{host}")),
        _ => None,
    }
}

/// Up to the district: 北京市朝阳区建国路8号 is 北京市朝阳区.
fn chinese_place(text: &str) -> Option<String> {
    let mut end = 0;
    let mut since = 0;
    for (at, character) in text.char_indices() {
        since += 1;
        let unit = matches!(character, '省' | '市' | '区' | '县' | '旗' | '州' | '區' | '縣');
        // 小区 and 社区 are estates; a unit needs a name of two characters before it.
        let estate = text[..at].ends_with(['小', '社', '园', '院']);
        if unit && !estate && since > 2 {
            end = at + character.len_utf8();
            since = 0;
        } else if character.is_ascii_digit()
            || matches!(character, '路' | '街' | '道' | '镇' | '乡')
        {
            break;
        }
    }
    (end > 0).then(|| text[..end].to_owned())
}

/// What follows the street: `147 Ridgewood Drive, Suite 3, Tucson, AZ 85701` is `Tucson, AZ`.
fn western_place(text: &str) -> Option<String> {
    let parts: Vec<&str> =
        text.split([',', '\n']).map(str::trim).filter(|p| !p.is_empty()).collect();
    let words = |part: &str| {
        part.split_whitespace()
            .filter(|w| !w.bytes().any(|b| b.is_ascii_digit()))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let unit = |part: &str| {
        ["Suite", "Apt", "Unit", "Flat", "Floor", "Room", "#"].iter().any(|u| part.starts_with(u))
    };
    let place: Vec<String> = parts
        .iter()
        .skip(1)
        .filter(|p| !unit(p))
        .map(|p| words(p))
        .filter(|p| p.chars().count() > 1)
        .collect();
    (!place.is_empty()).then(|| place.join(", "))
}

fn year(text: &str) -> Option<String> {
    let mut run = String::new();
    for character in text.chars().chain([' ']) {
        if character.is_ascii_digit() {
            run.push(character);
            continue;
        }
        if run.len() == 4 && (run.starts_with("19") || run.starts_with("20")) {
            return Some(run);
        }
        run.clear();
    }
    None
}

fn decade(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let age: u32 = digits.parse().ok()?;
    (age < 130).then(|| format!("{}s", age / 10 * 10))
}

/// The first half of an IPv4 address.
fn network(text: &str) -> Option<String> {
    let mut parts = text.split('.');
    let (first, second) = (parts.next()?, parts.next()?);
    (parts.count() == 2).then(|| format!("{first}.{second}.x.x"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coarser() {
        let check = |kind, text: &str, coarse: Option<&str>| {
            assert_eq!(generalise(kind, text).as_deref(), coarse, "{text}");
        };
        check(EntityType::Address, "北京市朝阳区建国路8号", Some("北京市朝阳区"));
        check(
            EntityType::Address,
            "江苏省南京市鼓楼区中山北路632号17号楼",
            Some("江苏省南京市鼓楼区"),
        );
        check(
            EntityType::Address,
            "147 Ridgewood Drive, Suite 3, Tucson, AZ 85701",
            Some("Tucson, AZ"),
        );
        check(EntityType::Address, "10 Juniper Close", None);
        check(EntityType::DateOfBirth, "1995/8/18", Some("1995"));
        check(EntityType::Age, "83", Some("80s"));
        check(EntityType::Ip, "198.51.100.7", Some("198.51.x.x"));
        check(EntityType::Phone, "13800138000", None);
    }
}
