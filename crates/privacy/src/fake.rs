//! Invented values of the same kind, for `Action::Fake`: valid in form, and never somebody's. They come from what
//! registries and authors reserve for this: RFC 2606 (host names), RFC 5737 and 3849 (IP), RFC 7042 (MAC), the
//! 555-01xx numbers of North America, Ofcom's numbers for drama, payment providers' published test cards, the
//! example accounts of SWIFT's registry, SSN 987-65-432x, the examples of GB 11643, and the names that law and
//! textbooks use for nobody (John Doe, 张三). A kind without such a reserve has no invented values: it is masked.
//!
//! Pure. Values of one kind are no prefix of each other, so that the way back cannot mistake one for another.

use nearside_types::EntityType;

/// The `index`-th invented value of a kind, in the writing of `original`; nothing when there is none, or no more.
pub(crate) fn invented(kind: EntityType, original: &str, index: usize) -> Option<String> {
    use EntityType as T;
    let chinese = original.chars().any(|c| matches!(c, '\u{3400}'..='\u{9fff}'));
    let digits = original.bytes().filter(u8::is_ascii_digit).count();
    match kind {
        T::Person if chinese => pick(PEOPLE_ZH, index),
        T::Person => pick(PEOPLE, index),
        T::Phone if original.starts_with("+44") || original.starts_with("07") => {
            (index < 1000).then(|| format!("+44 7700 900{index:03}"))
        }
        T::Phone => (index < 100).then(|| format!("+1 202-555-01{index:02}")),
        T::Email => numbered(index, |n| format!("person{n:03}@example.com")),
        T::Url => numbered(index, |n| format!("https://example.com/page{n:03}")),
        T::Ip if original.contains(':') => {
            numbered(index, |n| format!("2001:db8::{:x}", n + 0x1000))
        }
        T::Ip => network(index),
        T::Mac => (index < 240).then(|| format!("00:00:5E:00:53:{:02X}", index + 16)),
        T::BankCard => pick(CARDS, index),
        T::BankAccount => pick(ACCOUNTS, index),
        T::NationalId if chinese || digits >= 15 => pick(CHINESE_IDS, index),
        T::NationalId if digits == 9 => (index < 9).then(|| format!("987-65-43{}", 21 + index)),
        T::Address if chinese => numbered(index, |n| format!("示例市样本区虚构路{n:03}号")),
        T::Address => numbered(index, |n| format!("{n:03} Example Street, Anytown")),
        T::Location if chinese => numbered(index, |n| format!("示例市{n:03}")),
        T::Location => numbered(index, |n| format!("Anytown{n:03}")),
        T::Org if chinese => numbered(index, |n| format!("示例公司{n:03}")),
        T::Org => numbered(index, |n| format!("Example Company {n:03}")),
        T::Account => numbered(index, |n| format!("example_user_{n:03}")),
        T::EmployeeOrStudentId => numbered(index, |n| format!("EXAMPLE-{n:03}")),
        T::VehicleId => (index == 0).then(|| "1".repeat(17)),
        _ => None,
    }
}

fn pick(values: &[&str], index: usize) -> Option<String> {
    values.get(index).map(|value| (*value).to_owned())
}

fn numbered(index: usize, value: impl Fn(usize) -> String) -> Option<String> {
    (index < 999).then(|| value(index + 1))
}

/// The three networks of RFC 5737, three digits at the end so that none begins another.
fn network(index: usize) -> Option<String> {
    let host = 100 + index % 150;
    let nets = ["192.0.2", "198.51.100", "203.0.113"];
    nets.get(index / 150).map(|net| format!("{net}.{host}"))
}

const PEOPLE: &[&str] = &[
    "John Doe",
    "Jane Roe",
    "Richard Miles",
    "Mary Major",
    "John Stiles",
    "Jane Stiles",
    "Richard Roe",
    "Joe Bloggs",
    "Fred Bloggs",
    "John Noakes",
    "Jane Citizen",
    "Joe Public",
    "John Smallberries",
    "Mary Noakes",
    "Alan Smithee",
];
const PEOPLE_ZH: &[&str] = &[
    "张三", "李四", "王五", "赵六", "孙七", "周八", "吴九", "郑十", "某甲", "某乙", "某丙", "某丁",
];
/// Published by payment providers for their sandboxes; no bank issues them.
const CARDS: &[&str] = &[
    "4242 4242 4242 4242",
    "5555 5555 5555 4444",
    "6011 1111 1111 1117",
    "4000 0566 5566 5556",
    "2223 0031 2200 3222",
    "3566 0020 2036 0505",
    "6200 0000 0000 0005",
    "5105 1051 0510 5100",
    "4012 8888 8888 1881",
    "6011 0009 9013 9424",
];
/// The examples of SWIFT's IBAN registry.
const ACCOUNTS: &[&str] = &[
    "DE89370400440532013000",
    "GB29NWBK60161331926819",
    "FR1420041010050500013M02606",
    "NL91ABNA0417164300",
    "AT611904300234573201",
    "BE68539007547034",
    "CH9300762011623852957",
    "ES9121000418450200051332",
];
/// The standard's own examples.
const CHINESE_IDS: &[&str] = &["11010519491231002X", "440524188001010014"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_begins_another() {
        for kind in EntityType::ALL {
            for original in ["Ann", "安", "::1", "123456789", "07700"] {
                let all: Vec<String> =
                    (0..1000).map_while(|i| invented(kind, original, i)).collect();
                for (i, one) in all.iter().enumerate().take(40) {
                    for other in all.iter().take(40).skip(i + 1) {
                        assert!(
                            !one.starts_with(other.as_str()) && !other.starts_with(one.as_str()),
                            "{one} {other}"
                        );
                    }
                }
            }
        }
        assert_eq!(invented(EntityType::Secret, "x", 0), None);
    }
}
