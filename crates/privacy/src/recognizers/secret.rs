//! Secrets without a form of their own: values assigned to a telling name, credentials in URLs, in command
//! lines and headers. A value must look like a secret; references to one (`os.environ`, `${…}`) are none.

use nearside_types::EntityType;

use crate::recognizer::{Candidate, Edges, Recognizer, Trigger, Verdict};

const NAMES: &[&str] = &[
    "key",
    "secret",
    "token",
    "passw",
    "pwd",
    "credential",
    "auth",
    "bearer",
    "pass",
    "pw",
    "cookie",
];

const SECRET: Recognizer = Recognizer {
    kind: EntityType::Secret,
    edges: Edges::Free,
    score: 88,
    in_context: 90,
    when_sure: 93,
    ..Recognizer::BASE
};

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "assigned_secret",
        pattern: r#"(?i)(?:(?:api|access|auth\w{0,14}|private|secret|client|account|encryption|signing|master|shared|app|service|storage|activation|product|serial|licen[cs]e|aes|ssh|pkey|deploy|[a-z0-9]{1,16}_)[ _.\-]{0,2}(?:key|token|secret|id_secret)[\w.\-]{0,20}|(?:secret|token|credential|cred|bearer|passphrase)s?(?:[ _.\-]\w{0,12}(?:key|value|text|id)?)?\w{0,10}|pkey)\s{0,4}["'`\]]{0,3}\s{0,4}(?:=>|:=|->|=|:|\|\|:|,)\s{0,4}(?:\w{1,8}\()?(?:["'`]([A-Za-z0-9+/]{24,}\s{1,16}(?:[A-Za-z0-9+/=]{8,}\s{0,16}){1,60})["'`]|["'`]{0,3}([^\s"'`<>;,(){}]{8,}))"#,
        trigger: Trigger::Words(NAMES),
        reach: Some((24, 480)),
        check: assigned,
        ..SECRET
    },
    Recognizer {
        name: "key_in_url",
        pattern: r#"(?i)[?&](?:[\w\-]{0,20}(?:key|token|secret|signature|sig|password|passwd|auth|code))=([^&\s"'<>#]{12,})"#,
        trigger: Trigger::Words(&["="]),
        reach: Some((48, 240)),
        check: assigned,
        ..SECRET
    },
    Recognizer {
        name: "url_password",
        pattern: r#"(?i)[a-z][a-z0-9+.\-]{1,20}://[^\s:/@"'<>]{0,64}:([^\s/"'<>]{2,})@[\w.\-\[]"#,
        trigger: Trigger::Words(&["://"]),
        reach: Some((24, 400)),
        check: |c| {
            // Up to the last @, because a password may hold one.
            let text = c.text();
            Verdict::sure_if(
                !is_reference(text) && !is_masked(text) && !is_word_for_password(text),
                "password in a URL",
            )
        },
        ..SECRET
    },
    Recognizer {
        name: "connection_string",
        pattern: r#"(?i)(?:password|pwd|sharedaccesskey|accountkey)\s?=\s?([^;\s"'<>]{3,})\s?;"#,
        trigger: Trigger::Words(&["password", "pwd", "sharedaccesskey", "accountkey"]),
        reach: Some((2, 200)),
        check: |c| {
            let text = c.text();
            Verdict::sure_if(
                !is_reference(text) && !is_masked(text),
                "password in a connection string",
            )
        },
        ..SECRET
    },
    Recognizer {
        name: "authorization_header",
        pattern: r#"(?i)(?:authorization["']?\s{0,2}[:=]\s{0,2}["']?)?(?:bearer|basic|api-token|apikey|token)\s{1,2}([A-Za-z0-9_\-.~+/=]{8,})"#,
        trigger: Trigger::Words(&["authorization", "bearer", "basic "]),
        reach: Some((4, 400)),
        check: |c| {
            let text = c.text();
            let digits = text.bytes().filter(u8::is_ascii_digit).count();
            Verdict::sure_if(
                is_real(text) && (digits > 0 || text.len() >= 24) && entropy(text) > 2.8,
                "credentials of a request",
            )
        },
        ..SECRET
    },
    Recognizer {
        name: "authorization_value",
        pattern: r#"(?i)authorization["']?\s{0,2}:\s{0,3}["']?([^\s"'<>]{12,})"#,
        trigger: Trigger::Words(&["authorization"]),
        reach: Some((2, 400)),
        check: |c| {
            let text = c.text();
            Verdict::sure_if(
                is_real(text) && varied(text) && entropy(text) > 2.8,
                "credentials of a request",
            )
        },
        ..SECRET
    },
    Recognizer {
        name: "header_key",
        pattern: r#"(?i)["'](?:x-)?(?:[a-z\-]{0,20}(?:token|api-?key|auth-key|secret))\s?:\s{0,2}([^\s"']{8,})["']"#,
        trigger: Trigger::Words(&["token", "key", "secret"]),
        reach: Some((32, 400)),
        check: |c| {
            Verdict::sure_if(is_real(c.text()) && varied(c.text()), "credentials of a request")
        },
        ..SECRET
    },
    Recognizer {
        name: "command_password",
        pattern: r#"(?im)(?:^|\s)--?(?:[a-z0-9]{1,20}[_\-]){0,3}(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|oauth2-bearer|api-?key|access-?key)(?:[_\-][a-z0-9]{1,20}){0,2}(?:=|\s{1,3})["']?([^\s"'<>]{4,})"#,
        trigger: Trigger::Words(&[
            "pass",
            "pwd",
            "secret",
            "token",
            "bearer",
            "api-key",
            "apikey",
            "access-key",
            "accesskey",
        ]),
        reach: Some((64, 200)),
        check: |c| {
            Verdict::sure_if(is_real(c.text()) && varied(c.text()), "value of a password option")
        },
        ..SECRET
    },
    Recognizer {
        name: "mysql_password",
        pattern: r#"\bmysql(?:dump|admin)?\b[^\n]{0,}?\s-p['"]?([^\s'"]{3,})"#,
        trigger: Trigger::Words(&["mysql"]),
        check: |c| {
            Verdict::sure_if(is_real(c.text()) && varied(c.text()), "value of a password option")
        },
        ..SECRET
    },
    Recognizer {
        name: "curl_user",
        pattern: r#"\bcurl\b(?:[^\n]|\\\n|\n\s){0,}?\s(?:-u|--user)[ =]{1,3}("[^"\s]{0,80}:[^"\s]{3,}"|"[^"\s]{8,80}:"|'[^'\s]{0,80}:[^'\s]{3,}'|"[^"\s]{3,80}":"[^"\s]{3,}"|[^\s"']{0,80}:(?:'[^'\s]{3,}'|"[^"\s]{3,}"|[^\s"']{3,}))"#,
        trigger: Trigger::Words(&["curl"]),
        check: |c| {
            let text = c.text().trim_matches(['"', '\'']);
            let password = match text.split_once(':') {
                Some((user, "")) => user,
                Some((_, password)) => password,
                None => "",
            };
            let quoted = text.contains("\":\"");
            let fits =
                is_real(password) && (quoted || !is_reference(text)) && !text.contains(['[', '<']);
            Verdict::sure_if(fits && varied(password), "user and password of a request")
        },
        when_sure: 99,
        ..SECRET
    },
    Recognizer {
        name: "sql_password",
        pattern: r#"(?i)(?:identified\s(?:with\s\w{1,40}\s)?by|password|set\spassword\s(?:for\s\S{1,60}\s)?=|password\()\s{0,3}(?:=\s?|\(\s?)?(?:password\()?\\?["']?([^\s"'\\;()]{4,})"#,
        trigger: Trigger::Words(&[
            "identified",
            "create user",
            "alter user",
            "create role",
            "alter role",
            "grant ",
            "set password",
        ]),
        reach: Some((160, 200)),
        check: |c| {
            Verdict::sure_if(is_real(c.text()) && varied(c.text()), "password in a statement")
        },
        ..SECRET
    },
    Recognizer {
        name: "byte_array_key",
        pattern: r"(?i)(?:key|iv|secret)\w{0,12}\s?(?:\[\d{0,3}\])?\s?=?\s?\{\s?((?:(?:0x[0-9a-f]{1,2}|\d{1,3}),[\s\\]{0,8}){7,64}(?:0x[0-9a-f]{1,2}|\d{1,3})?)",
        trigger: Trigger::Words(&["key", "secret"]),
        check: |_| Verdict::Sure("bytes of a key"),
        ..SECRET
    },
    Recognizer {
        name: "pem_in_base64",
        pattern: r"LS0tLS1CRUdJTi[A-Za-z0-9+/]{40,}={0,2}",
        trigger: Trigger::Words(&["ls0tls1crudjti"]),
        check: |_| Verdict::Sure("a key block in base64"),
        ..SECRET
    },
];

fn assigned(c: &Candidate<'_>) -> Verdict {
    let raw = c.text();
    // In prose a value ends with the sentence.
    let text = raw.trim_end_matches(['.', ',', ')', ']', ':', '!', '\\', '\n', ' ']);
    let named_key = is_key_by_underscore(c);
    let shaped = is_licence_key(text);
    if text.len() < 6
        || !is_real(text)
        || !(varied(text) || shaped)
        || (is_identifier(text) && !shaped)
        || is_hash_of(c, text)
        || (named_key && !is_random(text))
    {
        return Verdict::No;
    }
    let range = c.range.start..c.range.start + text.len();
    Verdict::Part { range, sure: entropy(text) >= 3.0, why: "assigned to the name of a secret" }
}

/// Groups of capitals and digits, as licences are printed: `ZAQWS-XCDER-VBGTR-…`.
fn is_licence_key(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    let length = groups[0].len();
    groups.len() >= 4
        && (4..=8).contains(&length)
        && groups.iter().all(|g| {
            g.len() == length && g.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
        })
}

/// `sort_key=…`: any name may end in "key"; only a value that no name is counts there.
fn is_key_by_underscore(c: &Candidate<'_>) -> bool {
    let name = c.before().trim_end_matches(|ch: char| !ch.is_ascii_alphanumeric());
    let name =
        name.rsplit(|ch: char| !(ch.is_ascii_alphanumeric() || ch == '_')).next().unwrap_or("");
    let name = name.to_ascii_lowercase();
    let telling = [
        "api", "access", "auth", "secret", "private", "client", "encrypt", "sign", "master",
        "token", "ssh", "aes", "licen", "pass",
    ];
    name.ends_with("_key") && !telling.iter().any(|t| name.contains(t))
}

/// Both cases and digits mixed, as generators do and names do not.
fn is_random(text: &str) -> bool {
    text.len() >= 12
        && text.bytes().any(|b| b.is_ascii_lowercase())
        && text.bytes().any(|b| b.is_ascii_uppercase())
        && text.bytes().any(|b| b.is_ascii_digit())
        && entropy(text) >= 3.0
}

/// A value that nobody wrote in place of one.
pub(super) fn is_real(text: &str) -> bool {
    !is_masked(text) && !is_reference(text) && !is_example(text)
}

fn is_masked(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let run = |sign: &str| lower.contains(&sign.repeat(6));
    let distinct: std::collections::BTreeSet<char> =
        lower.chars().filter(|c| c.is_alphanumeric()).collect();
    text.contains("***")
        || text.contains("...")
        || text.contains('…')
        || run("x")
        || run("•")
        || (distinct.len() <= 2 && text.len() < 200)
        || (distinct.len() <= 4 && text.len() >= 20)
        || repeats(&lower)
}

/// The last twelve signs are one, two or three over and over: 123123123123.
fn repeats(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some(tail) = bytes.len().checked_sub(12).and_then(|from| bytes.get(from..)) else {
        return false;
    };
    let mixed = tail.iter().collect::<std::collections::BTreeSet<_>>().len() > 1;
    mixed && (2..=3).any(|period| tail.windows(period + 1).all(|w| w[0] == w[period]))
}

fn is_reference(text: &str) -> bool {
    text.starts_with(['$', '<', '%', '{', '@'])
        || text.contains("${")
        || text.contains("{{")
        || text.contains("$(")
        || text.contains("process.env")
        || text.contains("os.environ")
        || text.contains("getenv")
        || text.contains("()")
        || text.starts_with("[MASK")
        || text.starts_with("[REDACTED")
}

fn is_example(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let telling = [
        "your-",
        "your_",
        "my-",
        "my_",
        "-here",
        "_here",
        "placeholder",
        "changeme",
        "insert",
        "dummy",
        "redacted",
        "tokenhere",
        "stringhere",
        "put_your",
    ];
    (lower.ends_with("example") && lower.starts_with("akia"))
        || telling.iter().any(|t| lower.contains(t))
}

fn is_word_for_password(text: &str) -> bool {
    matches!(
        text.to_ascii_lowercase().as_str(),
        "password" | "pass" | "passwd" | "pwd" | "secret" | "token"
    )
}

/// Letters alone are a word, unless both cases are mixed as no word does it.
pub(super) fn varied(text: &str) -> bool {
    let digits = text.bytes().any(|b| b.is_ascii_digit());
    let signs =
        text.bytes().any(|b| b.is_ascii_punctuation() && !matches!(b, b'_' | b'-' | b'.' | b'/'));
    let letters = text.bytes().any(|b| b.is_ascii_alphabetic());
    let inner_case = text.len() >= 16
        && text
            .as_bytes()
            .windows(2)
            .filter(|w| w[0].is_ascii_lowercase() && w[1].is_ascii_uppercase())
            .count()
            >= 3;
    (letters && (digits || signs)) || inner_case || (digits && signs)
}

/// Dotted or slashed names, versions, paths, hosts: things that a program names.
fn is_identifier(text: &str) -> bool {
    let parts: Vec<&str> = text.split(['.', '/', ':', '-', '_']).collect();
    let plain = |p: &&str| {
        p.is_empty()
            || p.bytes().all(|b| b.is_ascii_lowercase())
            || p.bytes().all(|b| b.is_ascii_uppercase())
            || p.bytes().all(|b| b.is_ascii_digit())
            || (p.len() <= 12 && p.bytes().all(|b| b.is_ascii_alphabetic()))
            || (p.len() <= 6 && p.bytes().all(|b| b.is_ascii_alphanumeric()))
    };
    let url = text.starts_with("http") && text.contains("://");
    let uuid = text.len() == 36 && text.bytes().filter(|b| *b == b'-').count() == 4;
    let mail = text.contains('@') && text.rsplit('@').next().is_some_and(|h| h.contains('.'));
    url || uuid || mail || text.contains('[') || (parts.len() >= 2 && parts.iter().all(plain))
}

/// Hashes and revisions are public, and are named so.
fn is_hash_of(c: &Candidate<'_>, text: &str) -> bool {
    let hex = text.len() >= 32 && text.bytes().all(|b| b.is_ascii_hexdigit());
    let before = c.before();
    let mut from = before.len().saturating_sub(24);
    while !before.is_char_boundary(from) {
        from += 1;
    }
    let name = before[from..].to_ascii_lowercase();
    hex && ["sha", "md5", "rev", "commit", "checksum", "digest", "trace", "request"]
        .iter()
        .any(|w| name.contains(w))
}

/// Shannon's, in bits a byte.
pub(super) fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text.bytes() {
        counts[byte as usize] += 1;
    }
    let length = text.len() as f64;
    counts
        .iter()
        .filter(|c| **c > 0)
        .map(|c| {
            let share = f64::from(*c) / length;
            -share * share.log2()
        })
        .sum()
}
