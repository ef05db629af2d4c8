//! Answers of a given form: JSON under a schema, a regular expression, or a grammar. Before each token those
//! that would leave the form are taken out of the logits; llguidance knows which.
//!
//! It changes no probability of what is left, forces no token, and knows nothing of models but their vocabulary.

use llguidance::api::TopLevelGrammar;
use llguidance::earley::SlicedBiasComputer;
use llguidance::toktrie::{ApproximateTokEnv, InferenceCapabilities, TokEnv, TokRxInfo, TokTrie};
use llguidance::{Matcher, ParserFactory};
use nearside_types::Constraint;

use crate::tokenizer::{TokenId, TokenKind, Tokenizer};
use crate::{Error, Result};

/// A schema or grammar of more bytes is none that somebody wrote.
const LONGEST: usize = 256 * 1024;

/// A vocabulary made ready for any form. It takes a good hundred milliseconds, once a model.
pub(crate) struct Forms {
    factory: ParserFactory,
}

impl Forms {
    /// # Errors
    /// [`Error::Constraint`] when the vocabulary has no token that ends an answer.
    pub(crate) fn new(tokenizer: &Tokenizer) -> Result<Self> {
        let count = u32::try_from(tokenizer.vocab_size()).map_err(refused)?;
        let words: Vec<Vec<u8>> = (0..count).map(|id| word(tokenizer, id)).collect();
        let ends = tokenizer.end_tokens();
        let [first, ..] = ends else {
            return Err(refused("this model has no token that ends an answer"));
        };
        let trie = TokTrie::from(&TokRxInfo::new(count, *first), &words).with_eos_tokens(ends);
        let environment: TokEnv = std::sync::Arc::new(ApproximateTokEnv::new(trie));
        let slices = SlicedBiasComputer::general_slices();
        let mut factory =
            ParserFactory::new(&environment, InferenceCapabilities::default(), &slices)
                .map_err(refused)?;
        factory.quiet();
        factory.limits_mut().verbose_errors = false;
        Ok(Self { factory })
    }

    /// # Errors
    /// [`Error::Constraint`] when the form is too long, does not parse, or is beyond the parser's bounds.
    pub(crate) fn follow(&self, constraint: &Constraint) -> Result<Form> {
        let parser = self.factory.create_parser(grammar(constraint)?);
        let matcher = Matcher::new(parser);
        match matcher.get_error() {
            Some(why) => Err(refused(why)),
            None => Ok(Form { matcher }),
        }
    }
}

/// The bytes of a token as text; what is never text is marked, so that no form takes it.
fn word(tokenizer: &Tokenizer, id: TokenId) -> Vec<u8> {
    const MARKER: u8 = TokTrie::SPECIAL_TOKEN_MARKER;
    match tokenizer.kind(id) {
        Some(TokenKind::Control | TokenKind::Unknown) => [&[MARKER], tokenizer.piece(id)].concat(),
        // The byte that marks is no text in UTF-8 either.
        Some(TokenKind::Normal | TokenKind::UserDefined | TokenKind::Byte)
            if tokenizer.piece(id).first() != Some(&MARKER) =>
        {
            tokenizer.piece(id).to_vec()
        }
        _ => Vec::new(),
    }
}

fn grammar(constraint: &Constraint) -> Result<TopLevelGrammar> {
    let bounded = |text: &str| {
        let length = text.len();
        (length <= LONGEST).then_some(()).ok_or_else(|| refused(format!("it has {length} bytes")))
    };
    match constraint {
        Constraint::JsonSchema(schema) => {
            bounded(&schema.to_string())?;
            Ok(TopLevelGrammar::from_json_schema(on_one_line(schema)))
        }
        Constraint::Regex(regex) => {
            bounded(regex)?;
            Ok(TopLevelGrammar::from_regex(regex))
        }
        Constraint::Lark(lark) => {
            bounded(lark)?;
            Ok(TopLevelGrammar::from_lark(lark.clone()))
        }
    }
}

/// A small model that may write space between values writes little else; it may if the schema says so.
fn on_one_line(schema: &serde_json::Value) -> serde_json::Value {
    let mut schema = schema.clone();
    if let Some(fields) = schema.as_object_mut() {
        fields.entry("x-guidance").or_insert_with(|| {
            serde_json::json!({
                "whitespace_flexible": false, "item_separator": ", ", "key_separator": ": "
            })
        });
    }
    schema
}

fn refused(why: impl std::fmt::Display) -> Error {
    let why: String =
        why.to_string().lines().next().unwrap_or_default().chars().take(300).collect();
    Error::Constraint(why)
}

/// One text under way.
pub(crate) struct Form {
    matcher: Matcher,
}

impl Form {
    /// Makes every token that would leave the form impossible.
    ///
    /// # Errors
    /// [`Error::Constraint`] when the form needs more work than a token may take.
    pub(crate) fn restrict(&mut self, logits: &mut [f32]) -> Result<()> {
        let mask = self.matcher.compute_mask_or_eos().map_err(refused)?;
        let mut words = mask.as_slice().iter();
        for group in logits.chunks_mut(32) {
            // Rows beyond the vocabulary stand for no token.
            match words.next().copied().unwrap_or(0) {
                u32::MAX => {}
                0 => group.fill(f32::NEG_INFINITY),
                bits => {
                    for (at, logit) in group.iter_mut().enumerate() {
                        if bits >> at & 1 == 0 {
                            *logit = f32::NEG_INFINITY;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Goes on with this token. Whether the text has all of its form.
    ///
    /// # Errors
    /// [`Error::Constraint`] when the token leaves the form.
    pub(crate) fn take(&mut self, token: TokenId) -> Result<bool> {
        self.matcher.consume_token(token).map_err(refused)?;
        Ok(self.matcher.is_stopped())
    }
}

#[cfg(test)]
mod tests {
    use nearside_types::Constraint;
    use serde_json::json;

    use super::Forms;
    use crate::tokenizer::tests::small;

    /// Writes `text` byte by byte; how much of it the form takes, and whether that is all of the form.
    fn taken(constraint: &Constraint, text: &str) -> (String, bool) {
        let tokenizer = small("qwen2");
        let mut form = Forms::new(&tokenizer).unwrap().follow(constraint).unwrap();
        let mut end = 0;
        for byte in text.bytes() {
            let mut logits = vec![0.0; tokenizer.vocab_size() + 5];
            form.restrict(&mut logits).unwrap();
            assert!(logits[tokenizer.vocab_size()..].iter().all(|logit| logit.is_infinite()));
            let token = tokenizer
                .encode(&char::from(byte).to_string(), crate::tokenizer::Specials::Never)[0];
            if logits[token as usize].is_infinite() {
                break;
            }
            end += 1;
            if form.take(token).unwrap() {
                return (text[..end].to_owned(), true);
            }
        }
        let mut logits = vec![0.0; tokenizer.vocab_size()];
        form.restrict(&mut logits).unwrap();
        let may_end = tokenizer.end_tokens().iter().any(|id| logits[*id as usize].is_finite());
        (text[..end].to_owned(), may_end)
    }

    fn check(constraint: Constraint, text: &str, expected: &str, whole: bool) {
        assert_eq!(taken(&constraint, text), (expected.to_owned(), whole), "{text}");
    }

    #[test]
    fn only_what_has_the_form_can_be_written() {
        let person = || {
            Constraint::JsonSchema(json!({
                "type": "object",
                "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
                "required": ["name", "age"],
                "additionalProperties": false,
            }))
        };
        let whole = r#"{"name": "Lan", "age": 41}"#;
        check(person(), whole, whole, true);
        check(person(), r#"{"name": 7"#, r#"{"name": "#, false);
        check(person(), r#"{"name": "Lan", "age": "x"#, r#"{"name": "Lan", "age": "#, false);
        check(person(), "Sure! {", "", false);
        check(Constraint::Regex("[0-9]{3}-[0-9]{2}".to_owned()), "123-45", "123-45", true);
        check(Constraint::Regex("[0-9]{3}".to_owned()), "12a", "12", false);
        let list = "start: item (\",\" item)*\nitem: /[a-z]+/";
        check(Constraint::Lark(list.to_owned()), "ab,c", "ab,c", true);
        check(Constraint::Lark(list.to_owned()), "ab,,c", "ab,", false);
        let tree = json!({
            "$ref": "#/$defs/tree",
            "$defs": {"tree": {"type": "array", "items": {"$ref": "#/$defs/tree"}}},
        });
        check(Constraint::JsonSchema(tree), "[[], [[]]]x", "[[], [[]]]", true);
    }

    #[test]
    fn a_form_that_cannot_be_followed_is_refused_with_a_sentence() {
        let tokenizer = small("qwen2");
        let forms = Forms::new(&tokenizer).unwrap();
        let broken = [
            Constraint::JsonSchema(json!({"type": "octopus"})),
            Constraint::JsonSchema(json!({"$ref": "https://elsewhere.example/schema"})),
            Constraint::Regex("[a".to_owned()),
            Constraint::Regex("a".repeat(300_000)),
            Constraint::Lark("start: nowhere".to_owned()),
            Constraint::Lark("\u{0}\u{1}".to_owned()),
        ];
        for constraint in broken {
            let error = forms.follow(&constraint).err();
            assert!(matches!(error, Some(crate::Error::Constraint(_))), "{constraint:?}");
        }
    }
}
