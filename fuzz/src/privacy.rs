//! Redaction: the way back is exact for any text, and a stream restores like the whole, however it is cut.

use nearside_privacy::{Policy, PseudonymMap, StreamRestorer, redact, restore};
use nearside_types::PrivacyPreset;

/// Any text comes back, nothing panics, and spans lie in the text. A refusal is an answer too.
pub(crate) fn redact_restore(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    for preset in [PrivacyPreset::Strict, PrivacyPreset::Balanced] {
        let mut map = PseudonymMap::new();
        let Ok(redaction) = redact(&text, &Policy::preset(preset), &mut map) else { continue };
        assert!(restore(&redaction.text, &map).text.0 == text, "the text did not come back");
        let count = text.chars().count();
        let mut at = 0;
        for span in &redaction.spans {
            assert!(at <= span.start && span.start < span.end && span.end <= count, "a span");
            at = span.end;
        }
    }
}

/// The first byte says how the rest is cut.
pub(crate) fn stream_restore(input: &[u8]) {
    let Some((step, rest)) = input.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    let mut map = PseudonymMap::new();
    let known = ["mail a", "b.example.com and c", "d.example.com"].join("@");
    if redact(&known, &Policy::default(), &mut map).is_err() {
        return;
    }
    let whole = restore(&text, &map);
    let mut stream = StreamRestorer::new(map);
    let mut out = String::new();
    let characters: Vec<char> = text.chars().collect();
    for chunk in characters.chunks(usize::from(*step % 16) + 1) {
        out.push_str(&stream.push(&chunk.iter().collect::<String>()));
    }
    let end = stream.finish();
    out.push_str(&end.text);
    assert!(out == whole.text.0, "the stream and the whole differ");
    assert!(end.unknown == whole.unknown, "other unknown placeholders");
}

pub(crate) fn texts() -> Vec<Vec<u8>> {
    let mail = ["write to ann", "example.com or call +1 415 555 0132, thanks"].join("@");
    let card = "card 4111 1111 1111 1111, 我的手机是138 0013 8000，住北京市朝阳区建国路8号";
    let looks = "[PERSON_1] \\[EMAIL\\_1\\] 【PHONE_2】 PERSON_1 %5BTEXT_1%5D [EMAIL_";
    vec![mail.into_bytes(), card.as_bytes().to_vec(), looks.as_bytes().to_vec()]
}

pub(crate) fn answers() -> Vec<Vec<u8>> {
    let answer =
        "\u{3}Dear [EMAIL_1], **[email_2]** and [EMAIL_\n1] [EMAIL_9] \\[EMAIL\\_1\\] EMAIL_2.";
    vec![answer.as_bytes().to_vec()]
}
