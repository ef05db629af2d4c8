//! Detection: normalise, find candidates, check them, weigh their context, resolve overlaps.
//!
//! Rules find structure; a `NameModel` may add names. Nothing is changed here and nothing is kept: the
//! result is a list of places in the original. A panic inside becomes an error, so that the caller refuses.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, LazyLock, OnceLock};

use nearside_types::{EntityType, Ground, NameModel, OwnList};
use regex::Regex;

use crate::address_parts::{into_parts, outside_addresses};
use crate::error::{Error, Result};
use crate::named::named;
use crate::normalise::Normal;
use crate::overlap::{Dropped, Finding, join_addresses, resolve};
use crate::own_list::OwnWords;
use crate::recognizer::{Candidate, Edges, Recognizer, THRESHOLD, Trigger, Verdict};
use crate::recognizers;
use crate::refine::refine;
use crate::runs::Runs;
use crate::shape::{Shape, shape};
use crate::views;
use crate::words::{Hits, Vocabulary};

/// What ends the reach of a word that speaks against a candidate.
const CLAUSE: [char; 5] = [',', ';', '\n', '。', '、'];

/// The user's own word outweighs every rule.
const CERTAIN: u8 = 250;

/// A word speaks against a number from this many bytes before it.
const AGAINST: usize = 36;

/// Bytes before and after a word of context in which a candidate of `Trigger::Context` is looked for: the reach
/// of context itself and the length of a number.
const NEAR_CONTEXT: (usize, usize) = (96, 160);

/// Longer texts are refused by the gate; the offsets' maps would not pay for themselves.
pub(crate) const LONGEST: usize = 64 << 20;

/// Finds personal data in texts. Cheap to clone; the compiled tables are shared.
#[derive(Clone)]
pub struct Detector {
    rules: Arc<Rules>,
    names: Option<Arc<dyn NameModel>>,
    own: Option<Arc<OwnWords>>,
}

impl std::fmt::Debug for Detector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Detector({} rules, name model: {})",
            self.rules.rules.len(),
            self.names.is_some()
        )
    }
}

/// What was found in one text, in order, without overlaps.
pub(crate) struct Found {
    pub(crate) findings: Vec<Finding>,
    pub(crate) dropped: Vec<Dropped>,
}

impl Detector {
    /// A detector with the built-in rules and, where there is one, a model for names.
    ///
    /// # Errors
    /// When the tables do not compile, which the tests exclude.
    pub fn new(names: Option<Arc<dyn NameModel>>) -> Result<Self> {
        // Immutable once made: compiled tables, shared so that each detector does not pay for them again.
        static BUILT_IN: LazyLock<Result<Arc<Rules>>> =
            LazyLock::new(|| Rules::new(recognizers::all()).map(Arc::new));
        Ok(Self { rules: BUILT_IN.clone()?, names, own: None })
    }

    /// The same detector, with the words that the user always hides.
    ///
    /// # Errors
    /// When the list is too large to search.
    pub fn with_list(mut self, list: &OwnList) -> Result<Self> {
        self.own = Some(Arc::new(OwnWords::new(list)?));
        Ok(self)
    }

    /// Whether a model for names looks at each text.
    #[must_use]
    pub fn has_name_model(&self) -> bool {
        self.names.is_some()
    }

    #[cfg(test)]
    pub(crate) fn of(recognizers: Vec<&'static Recognizer>) -> Result<Self> {
        Ok(Self { rules: Arc::new(Rules::new(recognizers)?), names: None, own: None })
    }

    /// # Errors
    /// When the name model fails or anything panics.
    pub(crate) fn find(&self, text: &str) -> Result<Found> {
        if text.len() > LONGEST {
            return Err(Error::Detection("the text is longer than 64 MB".to_owned()));
        }
        catch_unwind(AssertUnwindSafe(|| self.find_unguarded(text)))
            .unwrap_or_else(|_| Err(Error::Detection("a recognizer stopped".to_owned())))
    }

    /// What the rules for the wanted kinds find in a text that was looked at in full already: no names by model,
    /// no other readings.
    ///
    /// # Errors
    /// When anything panics.
    pub(crate) fn find_again(
        &self,
        text: &str,
        wanted: impl Fn(EntityType) -> bool,
    ) -> Result<Vec<Finding>> {
        let rules = || Ok(resolve(self.rules.find(&Normal::new(text), wanted)?).0);
        catch_unwind(AssertUnwindSafe(rules))
            .unwrap_or_else(|_| Err(Error::Detection("a recognizer stopped".to_owned())))
    }

    fn find_unguarded(&self, text: &str) -> Result<Found> {
        let normal = Normal::new(text);
        let mut findings = self.rules.find(&normal, |_| true)?;
        self.find_disguised(&normal, &mut findings)?;
        if let Some(own) = &self.own {
            findings.extend(own.find(&normal.text).into_iter().map(|(range, kind)| Finding {
                range: normal.original(range),
                kind,
                score: CERTAIN,
                ground: Ground::OwnList,
                why: "own_list: always hidden".to_owned(),
            }));
        }
        if let Some(model) = &self.names {
            findings.extend(named(model.as_ref(), text)?);
        }
        let findings = outside_addresses(refine(text, findings));
        let (findings, dropped) = resolve(findings);
        let findings = into_parts(text, join_addresses(text, findings));
        Ok(Found { findings, dropped })
    }

    /// What the other readings of a text show: look-alikes, escapes, unusual groups, encodings.
    fn find_disguised(&self, normal: &Normal<'_>, findings: &mut Vec<Finding>) -> Result<()> {
        let runs = Runs::new(&normal.text);
        for (view, how) in [
            (views::unmasked(normal), "look-alike signs"),
            (views::unescaped(normal), "escaped signs"),
            (views::regrouped(normal), "unusual groups"),
            (views::decoded(normal, runs.long()), "an encoding"),
        ] {
            let Some(view) = view else { continue };
            for mut finding in self.rules.find(&view, is_structure)? {
                finding.why = format!("{}, in {how}", finding.why);
                findings.push(finding);
            }
        }
        Ok(())
    }

    /// What gave way to what in a text, for tests and for tuning.
    ///
    /// # Errors
    /// As `redact`.
    pub fn dropped(&self, text: &str) -> Result<Vec<Dropped>> {
        Ok(self.find(text)?.dropped)
    }
}

/// Kinds that a disguise does not turn into something else by chance: structure, not names.
fn is_structure(kind: EntityType) -> bool {
    kind.is_tier_a() && !matches!(kind, EntityType::Person | EntityType::Address)
}

struct Rules {
    rules: Vec<Rule>,
    vocabulary: Vocabulary,
}

struct Rule {
    recognizer: &'static Recognizer,
    /// Compiled at first use: a text with no `@` never pays for the e-mail pattern.
    pattern: OnceLock<std::result::Result<Regex, String>>,
    shape: OnceLock<Shape>,
    context: Vec<usize>,
    against: Vec<usize>,
    trigger: Vec<usize>,
}

impl Rules {
    fn new(recognizers: Vec<&'static Recognizer>) -> Result<Self> {
        let words = recognizers.iter().flat_map(|r| {
            let trigger: &'static [&'static str] =
                if let Trigger::Words(words) = r.trigger { words } else { &[] };
            r.context.iter().chain(r.against).chain(trigger).copied()
        });
        let vocabulary = Vocabulary::new(words)?;
        let ids = |words: &[&str]| words.iter().filter_map(|w| vocabulary.id(w)).collect();
        let rules = recognizers
            .iter()
            .map(|r| Rule {
                recognizer: r,
                pattern: OnceLock::new(),
                shape: OnceLock::new(),
                context: ids(r.context),
                against: ids(r.against),
                trigger: if let Trigger::Words(words) = r.trigger { ids(words) } else { vec![] },
            })
            .collect();
        Ok(Self { rules, vocabulary })
    }

    /// What the rules for the wanted kinds find.
    fn find(
        &self,
        normal: &Normal<'_>,
        wanted: impl Fn(EntityType) -> bool,
    ) -> Result<Vec<Finding>> {
        let text: &str = &normal.text;
        let hits = self.vocabulary.find(text);
        let runs = Runs::new(text);
        let mut findings = Vec::new();
        for rule in self.rules.iter().filter(|rule| wanted(rule.recognizer.kind)) {
            rule.find(text, &hits, &runs, normal, &mut findings)?;
        }
        Ok(findings)
    }
}

impl Rule {
    fn pattern(&self) -> Result<&Regex> {
        self.pattern
            .get_or_init(|| {
                regex::RegexBuilder::new(&plain_classes(self.recognizer.pattern))
                    .size_limit(32 << 20)
                    .dfa_size_limit(4 << 20)
                    .build()
                    .map_err(|e| e.to_string())
            })
            .as_ref()
            .map_err(|_| Error::Detection(format!("pattern {}", self.recognizer.name)))
    }

    fn find(
        &self,
        text: &str,
        hits: &Hits,
        runs: &Runs,
        normal: &Normal<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<()> {
        if self.recognizer.pattern.is_empty() {
            let mut until = 0;
            for range in hits.places(&self.trigger) {
                if range.start >= until
                    && self.take(text, range.clone(), hits, normal, findings).is_some()
                {
                    until = range.end;
                }
            }
            return Ok(());
        }
        let (before, after) = self.recognizer.reach.unwrap_or(NEAR_CONTEXT);
        match self.recognizer.trigger {
            Trigger::Always => self.search(text, 0..text.len(), hits, normal, findings),
            Trigger::Digits(least) => {
                let shape =
                    self.shape.get_or_init(|| shape(&plain_classes(self.recognizer.pattern)));
                let windows = runs.digits(least.max(shape.digits), shape.letters);
                self.search_in(windows, text, hits, normal, findings)
            }
            Trigger::Run => self.search_in(runs.long(), text, hits, normal, findings),
            Trigger::Words(_) if self.recognizer.reach.is_none() => {
                if self.trigger.iter().any(|id| hits.has(*id)) {
                    self.search(text, 0..text.len(), hits, normal, findings)?;
                }
                Ok(())
            }
            Trigger::Words(_) => {
                let windows = hits.windows(&self.trigger, text, (before, after));
                self.search_in(&windows, text, hits, normal, findings)
            }
            Trigger::Context => {
                let windows = hits.windows(&self.context, text, (before, after));
                self.search_in(&windows, text, hits, normal, findings)
            }
        }
    }

    fn search_in(
        &self,
        windows: &[Range<usize>],
        text: &str,
        hits: &Hits,
        normal: &Normal<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<()> {
        windows
            .iter()
            .try_for_each(|window| self.search(text, window.clone(), hits, normal, findings))
    }

    /// Looks for the pattern in a part of the text.
    fn search(
        &self,
        text: &str,
        window: Range<usize>,
        hits: &Hits,
        normal: &Normal<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<()> {
        let pattern = self.pattern()?;
        let grouped = pattern.captures_len() > 1;
        let part = &text[..window.end];
        let mut at = window.start;
        while let Some(whole) = pattern.find_at(part, at) {
            let mut range = whole.range();
            if grouped
                && let Some(captures) = pattern.captures_at(part, at)
                && let Some(group) = captures.iter().skip(1).flatten().next()
            {
                range = group.range();
            }
            if let Some(end) = self.take(text, range.clone(), hits, normal, findings) {
                at = end.max(whole.start() + 1);
            } else {
                // Go on behind the first run of letters and digits: nothing inside it can begin a
                // candidate, and a long run costs one step.
                let start = if grouped { whole.start() } else { range.start };
                at = end_of_run(text, start);
            }
            while !text.is_char_boundary(at) {
                at += 1;
            }
            if at >= window.end {
                break;
            }
        }
        Ok(())
    }

    /// Notes a candidate that holds, and says where it ends.
    fn take(
        &self,
        text: &str,
        range: Range<usize>,
        hits: &Hits,
        normal: &Normal<'_>,
        findings: &mut Vec<Finding>,
    ) -> Option<usize> {
        if range.is_empty() || !self.edges_hold(text, &range) {
            return None;
        }
        let (range, score, ground, why) = self.judge(text, range, hits)?;
        let end = range.end;
        findings.push(Finding {
            range: normal.original(range),
            kind: self.recognizer.kind,
            score,
            ground,
            why: format!("{}: {why}", self.recognizer.name),
        });
        Some(end)
    }

    fn edges_hold(&self, text: &str, range: &Range<usize>) -> bool {
        let bytes = text.as_bytes();
        let at = |i: Option<usize>| i.and_then(|i| bytes.get(i)).copied().unwrap_or(b' ');
        let (before, earlier) = (at(range.start.checked_sub(1)), at(range.start.checked_sub(2)));
        let (after, later) = (at(Some(range.end)), at(Some(range.end + 1)));
        let point = |sign: u8, beyond: u8| matches!(sign, b'.' | b',') && beyond.is_ascii_digit();
        let word = u8::is_ascii_alphanumeric;
        match self.recognizer.edges {
            Edges::Free => true,
            Edges::Word => {
                let decimal = point(before, earlier) && bytes[range.start].is_ascii_digit();
                let goes_on = after == b'.' && later.is_ascii_digit();
                // `scan_13800138000.pdf` holds a number, `max_retries` no name.
                let first = bytes.get(range.start).is_some_and(u8::is_ascii_alphabetic);
                let last = bytes.get(range.end - 1).is_some_and(u8::is_ascii_alphabetic);
                let joined = (before == b'_' && first) || (after == b'_' && last);
                !(word(&before) || word(&after) || joined || decimal || goes_on)
            }
            Edges::Digit => {
                let touching = before.is_ascii_digit() || after.is_ascii_digit();
                let goes_on = after == b'.' && later.is_ascii_digit();
                !(touching || point(before, earlier) || goes_on)
            }
        }
    }

    /// The accepted range, its score, what it rests on, and why.
    fn judge(
        &self,
        text: &str,
        range: Range<usize>,
        hits: &Hits,
    ) -> Option<(Range<usize>, u8, Ground, String)> {
        let r = self.recognizer;
        let candidate = Candidate { whole: text, range: range.clone() };
        let (range, sure, why) = match (r.check)(&candidate) {
            Verdict::No => return None,
            Verdict::Plausible => (range, false, "shape"),
            Verdict::Sure(why) => (range, true, why),
            Verdict::Part { range, sure, why } => (range, sure, why),
        };
        let speaks = hits.nearest_before(&self.context, &range);
        let objects = hits.nearest_before(&self.against, &range);
        let after = hits.near_after(&self.context, &range);
        let alone = is_all_there_is(text, &range);
        // A word of the clause before speaks of another number.
        let objects = objects.filter(|gap| {
            *gap <= AGAINST && !text[range.start - gap..range.start].contains(CLAUSE)
        });
        let objected = match (objects, speaks) {
            (Some(o), Some(s)) => o < s,
            (Some(_), None) => true,
            _ => false,
        };
        let backed = (speaks.is_some() || after || alone) && !objected;
        let base = if sure { r.when_sure } else { r.score };
        let score = if backed {
            base.max(r.in_context)
        } else if objected {
            base.saturating_sub(40)
        } else {
            base
        };
        let mut reason = why.to_owned();
        if backed {
            reason.push_str(if alone && speaks.is_none() && !after {
                ", nothing else in the text"
            } else {
                ", named by the words around it"
            });
        }
        let ground = match (sure, backed) {
            (true, _) => Ground::Settled,
            (false, true) => Ground::Named,
            (false, false) => Ground::Shape,
        };
        (score >= THRESHOLD).then_some((range, score, ground, reason))
    }
}

/// A pattern with ASCII digits, spaces, signs of words and boundaries: the normalised text has no other digits and
/// spaces, a Unicode boundary beside Chinese is none, and the Unicode classes are slow.
fn plain_classes(pattern: &str) -> String {
    let mut plain = String::with_capacity(pattern.len() * 2);
    let mut signs = pattern.chars();
    while let Some(sign) = signs.next() {
        match (sign, if sign == '\\' { signs.next() } else { None }) {
            ('\\', Some('d')) => plain.push_str("[0-9]"),
            ('\\', Some('s')) => plain.push_str(r"[\t-\r ]"),
            ('\\', Some('w')) => plain.push_str("[0-9A-Za-z_]"),
            ('\\', Some('b')) => plain.push_str(r"(?-u:\b)"),
            (sign, escaped) => {
                plain.push(sign);
                plain.extend(escaped);
            }
        }
    }
    plain
}

/// A message that is nothing but one number is taken for what it looks like.
fn is_all_there_is(text: &str, range: &Range<usize>) -> bool {
    let rest = |part: &str| part.chars().take(64).all(|c| !c.is_alphanumeric());
    text.len() <= range.len() + 64 && rest(&text[..range.start]) && rest(&text[range.end..])
}

fn end_of_run(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = start;
    while bytes.get(end).is_some_and(u8::is_ascii_alphanumeric) {
        end += 1;
    }
    if end == start { start + text[start..].chars().next().map_or(1, char::len_utf8) } else { end }
}
