//! The map between values and placeholders, one for a whole conversation: a value has the same placeholder in
//! every turn and file. It is content: `Debug` tells only its size, and whoever stores it seals it.

use std::collections::{BTreeMap, HashMap};

use nearside_types::{EntityType, UserText};
use unicode_normalization::UnicodeNormalization;

use crate::fake::invented;
use crate::placeholder::{Label, Placeholder, Step, parse, variant};

/// Between a placeholder and its invented value in the keys of a stored map.
const INVENTED: char = '=';

/// Values and their placeholders. Serialised as `{placeholder: original}`.
#[derive(Clone, Default)]
pub struct PseudonymMap {
    forms: BTreeMap<Placeholder, UserText>,
    /// The number of a value, by label and canonical form.
    numbers: HashMap<(Label, String), u32>,
    /// How many written forms a number has.
    written: HashMap<(Label, u32), usize>,
    exact: HashMap<(Label, String), Placeholder>,
    last: BTreeMap<Label, u32>,
    /// Invented values that stand in the place of placeholders.
    fakes: BTreeMap<String, Placeholder>,
}

impl std::fmt::Debug for PseudonymMap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PseudonymMap({} placeholders)", self.forms.len())
    }
}

impl PseudonymMap {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A map as `redact` printed it, or as it was stored. Keys that are no placeholders are left out.
    #[must_use]
    pub fn from_entries(entries: BTreeMap<String, UserText>) -> Self {
        let mut map = Self::default();
        let mut read: Vec<(Placeholder, UserText)> = Vec::new();
        for (key, value) in entries {
            let Step::Found { end, placeholder, .. } = parse(&key, 0, None, true) else { continue };
            match key[end..].strip_prefix(INVENTED) {
                Some(fake) if !fake.is_empty() => {
                    map.fakes.insert(fake.to_owned(), placeholder.clone());
                }
                _ if end < key.len() => continue,
                _ => {}
            }
            read.push((placeholder, value));
        }
        // First forms come first, so that each number belongs to the value that has it.
        read.sort_by(|a, b| a.0.cmp(&b.0));
        for (placeholder, value) in read {
            let key = (placeholder.label, canonical(placeholder.label, &value));
            map.numbers.entry(key).or_insert(placeholder.number);
            *map.written.entry((placeholder.label, placeholder.number)).or_insert(0) += 1;
            let last = map.last.entry(placeholder.label).or_insert(0);
            *last = (*last).max(placeholder.number);
            map.exact.insert((placeholder.label, value.0.clone()), placeholder.clone());
            map.forms.insert(placeholder, value);
        }
        map
    }

    #[must_use]
    pub fn entries(&self) -> BTreeMap<String, UserText> {
        self.forms.iter().map(|(p, v)| (self.key(p), v.clone())).collect()
    }

    /// The key of a placeholder in a stored map: `[PHONE_1]`, and with an invented value in its place
    /// `[PHONE_1]=+1 202-555-0100`, so that everybody sees it is invented.
    pub(crate) fn key(&self, placeholder: &Placeholder) -> String {
        match self.fakes.iter().find(|(_, p)| *p == placeholder) {
            Some((fake, _)) => format!("{placeholder}{INVENTED}{fake}"),
            None => placeholder.to_string(),
        }
    }

    /// The invented value of a placeholder, made at its first sight. `is_free` says that a value stands in no
    /// text of the request, where the way back would mistake it.
    pub(crate) fn fake(
        &mut self,
        placeholder: &Placeholder,
        kind: EntityType,
        is_free: impl Fn(&str) -> bool,
    ) -> Option<String> {
        if let Some((fake, _)) = self.fakes.iter().find(|(_, p)| *p == placeholder) {
            return Some(fake.clone());
        }
        let original = self.forms.get(placeholder)?.0.clone();
        let taken = |fake: &String| {
            self.fakes.contains_key(fake)
                || self.forms.values().any(|v| v.0.contains(fake.as_str()))
        };
        let fake = (0..1000)
            .map_while(|index| invented(kind, &original, index))
            .find(|fake| !taken(fake) && is_free(fake))?;
        self.fakes.insert(fake.clone(), placeholder.clone());
        Some(fake)
    }

    /// The invented values in use, with what they stand for.
    pub(crate) fn fakes(&self) -> impl Iterator<Item = (&str, &UserText)> {
        self.fakes.iter().filter_map(|(fake, p)| Some((fake.as_str(), self.forms.get(p)?)))
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    pub(crate) fn get(&self, placeholder: &Placeholder) -> Option<&UserText> {
        self.forms.get(placeholder)
    }

    /// The values of entities, for finding them again where no rule would.
    pub(crate) fn values(&self) -> impl Iterator<Item = (EntityType, &str)> {
        self.forms.iter().filter_map(|(p, v)| match p.label {
            Label::Entity(kind) => Some((kind, v.0.as_str())),
            Label::Text => None,
        })
    }

    /// Says that two values are one entity's, so that they share a number. A value that has a number keeps it.
    pub(crate) fn link(&mut self, label: Label, one: &str, other: &str) {
        let keys = [(label, canonical(label, one)), (label, canonical(label, other))];
        let known = keys.iter().find_map(|key| self.numbers.get(key).copied());
        let number = known.unwrap_or_else(|| self.next(label));
        for key in keys {
            self.numbers.entry(key).or_insert(number);
        }
    }

    fn next(&mut self, label: Label) -> u32 {
        let last = self.last.entry(label).or_insert(0);
        *last += 1;
        *last
    }

    /// The placeholder of a value, made at its first sight.
    pub(crate) fn placeholder(&mut self, label: Label, value: &str) -> Placeholder {
        if let Some(known) = self.exact.get(&(label, value.to_owned())) {
            return known.clone();
        }
        let key = (label, canonical(label, value));
        let number = self.numbers.get(&key).copied();
        let form = number.map(|n| self.written.get(&(label, n)).copied().unwrap_or(0));
        let mut placeholder = match number.zip(form.and_then(variant)) {
            Some((number, variant)) => Placeholder { label, number, variant },
            None => Placeholder { label, number: self.next(label), variant: String::new() },
        };
        // A stored map may lack a form in the middle: never give out one that is taken.
        while self.forms.contains_key(&placeholder) {
            placeholder = Placeholder { label, number: self.next(label), variant: String::new() };
        }
        self.numbers.insert(key, placeholder.number);
        *self.written.entry((label, placeholder.number)).or_insert(0) += 1;
        self.exact.insert((label, value.to_owned()), placeholder.clone());
        self.forms.insert(placeholder.clone(), UserText::from(value));
        placeholder
    }
}

impl serde::Serialize for PseudonymMap {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.entries().serialize(serializer)
    }
}

impl<'de> serde::Deserialize<'de> for PseudonymMap {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BTreeMap::<String, UserText>::deserialize(deserializer).map(Self::from_entries)
    }
}

/// What makes two writings the same value.
pub(crate) fn canonical(label: Label, value: &str) -> String {
    use EntityType as T;
    let Label::Entity(kind) = label else { return value.to_owned() };
    let plain = || value.nfkc().filter(|c| c.is_alphanumeric()).flat_map(char::to_uppercase);
    match kind {
        T::Secret | T::Crypto => value.to_owned(),
        T::Phone => {
            let digits: String = plain().filter(char::is_ascii_digit).collect();
            let local = digits.strip_prefix("0086").or_else(|| digits.strip_prefix("86"));
            local
                .filter(|l| l.len() == 11 && l.starts_with('1'))
                .map_or(digits.clone(), str::to_owned)
        }
        T::Url | T::Email => {
            value.nfkc().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
        }
        T::Ip | T::Mac => value.nfkc().flat_map(char::to_lowercase).collect(),
        T::Person | T::Org | T::Location | T::Title | T::Nrp | T::DateTime | T::DateOfBirth => {
            let lower: String = value.nfkc().flat_map(char::to_lowercase).collect();
            lower.split_whitespace().collect::<Vec<_>>().join(" ")
        }
        _ => plain().collect(),
    }
}
