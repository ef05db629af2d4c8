//! Passwords, PINs and codes that people write in sentences: "the wifi password is …", 密码是…, an answer to
//! "what is the password?". A value must look like one; talk about passwords ("password is required") is none.

use nearside_types::EntityType;

use super::secret::{is_real, varied};
use crate::recognizer::{Candidate, Edges, Recognizer, Trigger, Verdict};

const WORDS: &[&str] = &[
    "passw",
    "passcode",
    "pwd",
    "pin",
    "passphrase",
    "pw",
    "login",
    "code",
    "pass",
    "비밀번호",
    "비번",
    "пароль",
    "contraseña",
    "mot de passe",
];
const WORDS_ZH: &[&str] =
    &["密码", "密碼", "口令", "密钥", "暗号", "验证码", "开机码", "门禁码", "pin"];

const PASSWORD: Recognizer = Recognizer {
    kind: EntityType::Secret,
    edges: Edges::Free,
    score: 87,
    in_context: 88,
    when_sure: 90,
    ..Recognizer::BASE
};

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "password",
        pattern: r#"(?i)(?:\b|_|[a-z])(?:pass(?:word|code|phrase|wd)|passwd|pwd|pw|userpwd|비밀번호|비번|пароль|passwort|contraseña|mot de passe)s?["'`]{0,2}(?:\s(?:for|at|to|of|on|in|the|my|our|his|her|wifi|account|is|was|will|be|now|has|been|changed|set|reset|still|new|old|[a-z]{2,12}){1,2}){0,6}?\s{0,3}(?:is|was|are|be|to|=>|:=|->|=|:|,|\|)\s{0,3}\\?["'`“]?([^\s"'`“”<>]{4,})"#,
        trigger: Trigger::Words(WORDS),
        reach: Some((4, 260)),
        check: value,
        ..PASSWORD
    },
    Recognizer {
        // `pass` alone is also a verb and a ticket: only with a sign behind it.
        name: "pass_assigned",
        pattern: r#"(?i)(?:\b|_)pass["'`]{0,2}\s{0,2}(?:=|:)\s{0,2}["'`]?([^\s"'`<>]{6,})"#,
        trigger: Trigger::Words(&["pass"]),
        reach: Some((2, 120)),
        check: value,
        ..PASSWORD
    },
    Recognizer {
        name: "password_answered",
        pattern: r"(?i)(?:pass(?:word|code|phrase)|wifi code|door code)[^\n?]{0,30}\?\s{0,3}\n[^\n:]{1,50}:\s?(\S{6,64})",
        trigger: Trigger::Words(&["pass", "code"]),
        reach: Some((4, 240)),
        check: value,
        ..PASSWORD
    },
    Recognizer {
        name: "pin",
        pattern: r"(?i)\b(?:pin|pin code|pin number|cvv|cvc|security code|door code|gate code|alarm code|access code|unlock code|verification code|otp|one-time code|passcode)(?:\s(?:for|to|of|on|at|the|my|our|code|number|is|was|[a-z]{2,12}){1,2}){0,4}?\s?(?:is|was|:|=|#)?\s?(\d{3,8})\b",
        trigger: Trigger::Words(&["pin", "cvv", "cvc", "code", "otp"]),
        reach: Some((4, 120)),
        check: |c| Verdict::plausible_if(!c.after().starts_with([':', '/', '%']) && !year(c)),
        ..PASSWORD
    },
    Recognizer {
        name: "login_pair",
        pattern: r"(?i)\b(?:login|log in|credentials?|sign in)(?:\s(?:is|are|with|as|using|:))?[\s:]{1,2}\S{2,60}\s?(?:/|,|and|\|)\s?(?:pass(?:word)?[: ]\s?)?(\S{6,64})",
        trigger: Trigger::Words(&["login", "log in", "credential", "sign in"]),
        reach: Some((2, 220)),
        check: |c| {
            let text = c.text().trim_end_matches(['.', ',', ';', ')']);
            let digits = text.bytes().any(|b| b.is_ascii_digit());
            let signs = text
                .bytes()
                .any(|b| matches!(b, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*'));
            let part = c.range.start..c.range.start + text.len();
            if digits && signs && is_real(text) && !text.contains('/') {
                Verdict::Part { range: part, sure: false, why: "follows a login name" }
            } else {
                Verdict::No
            }
        },
        ..PASSWORD
    },
    Recognizer {
        name: "password_zh",
        pattern: r#"(?i)(?:密码|密碼|口令|密钥|暗号|验证码|开机码|门禁码|门锁码|解锁码|pin码)(?:[\p{Han}]{0,6}?(?:是|为|改成了?|改为|换成了?|设成了?|设为|重置为|叫|用|:|=|“|"|'|\s)|:|=|\s|“|"|'){0,4}([!-~]{4,64})"#,
        trigger: Trigger::Words(WORDS_ZH),
        reach: Some((2, 160)),
        check: |c| {
            let digits = c.text().bytes().filter(u8::is_ascii_digit).count();
            let rule = c.after().starts_with('位') || c.after().starts_with('个');
            if rule {
                Verdict::No
            } else if digits == c.text().len() {
                Verdict::plausible_if(digits >= 4)
            } else {
                value(c)
            }
        },
        ..PASSWORD
    },
];

fn year(c: &Candidate<'_>) -> bool {
    let text = c.text();
    let near = c.before().get(c.before().len().saturating_sub(6)..).unwrap_or("");
    text.len() == 4 && (text.starts_with("19") || text.starts_with("20")) && near.contains("in ")
}

fn value(c: &Candidate<'_>) -> Verdict {
    let raw = c.text();
    let mut text = raw.trim_end_matches([',', ';', ')', ']', '}', ':', '\\', '"', '\'']);
    // A full stop or a mark at the end belongs to the sentence, except where the value has others.
    if text.ends_with(['.', '?']) {
        text = &text[..text.len() - 1];
    }
    if let Some(cut) = text.find("\\n").filter(|i| *i >= 4) {
        text = &text[..cut];
    }
    // `PW:…,password:…`: a second pair begins behind the comma.
    let pair = |rest: &str| {
        let name = rest.trim_start_matches(|ch: char| ch.is_alphanumeric() || ch == '_');
        name.len() < rest.len() && name.starts_with([':', '='])
    };
    if let Some(cut) = text
        .match_indices([',', ';', '&'])
        .map(|(i, _)| i)
        .find(|i| *i >= 4 && pair(&text[i + 1..]))
    {
        text = &text[..cut];
    }
    let call = text.contains('(') && !text.contains(['!', '@', '#', '$', '%']);
    let lower = text.to_ascii_lowercase();
    let code = lower.starts_with("os.") || lower.starts_with("config") || lower.starts_with("env.");
    if text.len() < 4 || !is_real(text) || !varied(text) || call || code || text.starts_with("http")
    {
        return Verdict::No;
    }
    Verdict::Part {
        range: c.range.start..c.range.start + text.len(),
        sure: false,
        why: "called a password",
    }
}
