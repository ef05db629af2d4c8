//! Properties of any text: the way back is exact, a stream restores like the whole, spans lie in the text.

use super::*;
use proptest::prelude::*;

/// Texts with what breaks redactors: entities, look-alikes, brackets, scripts, controls.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "\\PC{0,12}",
        2 => "[\\[\\]\\\\%_ 【】*`0-9a-zA-Z]{0,12}",
        1 => Just(mobile()),
        1 => Just(resident_id()),
        1 => Just("[PHONE_1]".to_owned()),
        1 => Just("PERSON_".to_owned()),
        1 => Just("张伟先生".to_owned()),
        1 => Just("Dr. Ann Lee".to_owned()),
        1 => Just("\u{200b}".to_owned()),
        1 => Just("4111 1111 1111 1111".to_owned()),
        1 => Just("\n密码是Abc123!x，".to_owned()),
        1 => Just("%5BTEXT_1%5D".to_owned()),
        1 => Just("+1 202-555-0100".to_owned()),
        1 => Just("John Doe 张三".to_owned()),
        1 => Just("person001@example.com".to_owned()),
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// Policies that keep, mask or invent, by type.
fn policies_that_return() -> impl Strategy<Value = Policy> {
    let action = prop_oneof![Just(Action::Keep), Just(Action::Mask), Just(Action::Fake)];
    let changes = proptest::collection::vec((0..EntityType::ALL.len(), action), 0..12);
    (changes, any::<bool>()).prop_map(|(changes, strict)| {
        let preset = if strict { PrivacyPreset::Strict } else { PrivacyPreset::Balanced };
        changes.into_iter().fold(Policy::preset(preset), |policy, (kind, action)| {
            policy.with(EntityType::ALL[kind], action)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn restore_undoes_redact(parts in proptest::collection::vec(texts(), 1..3), policy in policies_that_return()) {
        prop_assert!(policy.is_reversible());
        let mut map = PseudonymMap::new();
        for text in &parts {
            match redact(text, &policy, &mut map) {
                Ok(redaction) => {
                    let back = restore(&redaction.text, &map);
                    prop_assert_eq!(&back.text.0, text);
                    prop_assert!(back.unknown.is_empty());
                }
                Err(error) => prop_assert!(matches!(error, Error::Remains(_)), "{}", error),
            }
        }
    }

    #[test]
    fn a_stream_restores_like_the_whole(text in texts(), cuts in proptest::collection::vec(0_usize..40, 0..12)) {
        let (_, map) = once(&format!("{} {} [TEXT_9]", mobile(), resident_id()));
        let text = format!("{text}[PHONE_1]{text}[national_id\\_1] PHONE_1");
        let whole = restore(&text, &map);
        let mut stream = StreamRestorer::new(map);
        let mut out = String::new();
        let mut characters = text.chars();
        for cut in cuts {
            let chunk: String = characters.by_ref().take(cut).collect();
            out.push_str(&stream.push(&chunk));
        }
        out.push_str(&stream.push(&characters.collect::<String>()));
        let rest = stream.finish();
        out.push_str(&rest.text);
        prop_assert_eq!(out, whole.text.0);
        prop_assert_eq!(rest.unknown, whole.unknown);
    }

    #[test]
    fn a_stream_holds_back_little(text in texts()) {
        let mut stream = StreamRestorer::new(PseudonymMap::new());
        let mut shown = 0;
        let mut given = 0;
        for character in text.chars() {
            given += character.len_utf8();
            shown += stream.push(&character.to_string()).0.len();
            prop_assert!(given - shown <= 80, "{} bytes held", given - shown);
        }
    }

    #[test]
    fn spans_lie_in_the_text_and_apart(text in texts()) {
        let (redaction, _) = once(&text);
        let count = text.chars().count();
        let mut at = 0;
        for span in &redaction.spans {
            prop_assert!(span.start >= at && span.end > span.start && span.end <= count);
            let slice: String = text.chars().skip(span.start).take(span.end - span.start).collect();
            prop_assert_eq!(&span.text.0, &slice);
            at = span.end;
        }
    }
}
