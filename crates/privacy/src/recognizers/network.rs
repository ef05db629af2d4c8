//! E-mail, IP and MAC addresses, and URLs. Loopback, wildcard, netmask, null and broadcast addresses name
//! nobody and are left alone.

use nearside_types::EntityType;

use crate::recognizer::{Candidate, Edges, Recognizer, Trigger, Verdict};

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "email",
        kind: EntityType::Email,
        pattern: r"(?i)[\p{L}0-9][\p{L}0-9._%+'\-]*@(?:[\p{L}0-9][\p{L}0-9\-]*\.)+(?:xn--[a-z0-9\-]{2,20}|[\p{L}]{2,24})",
        trigger: Trigger::Words(&["@"]),
        reach: Some((200, 300)),
        edges: Edges::Free,
        check: email,
        score: 90,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "email_spelled",
        kind: EntityType::Email,
        pattern: r"(?i)[a-z0-9][a-z0-9._%+\-]{0,63}(?:\s?(?:\(dot\)|\[dot\]|\{dot\}| dot )\s?[a-z0-9_%+\-]{1,24}){0,3}\s?(?:\(at\)|\[at\]|\{at\}| at )\s?[a-z0-9\-]{1,40}(?:\s?(?:\(dot\)|\[dot\]|\{dot\}| dot )\s?[a-z0-9\-]{1,24}){1,4}",
        trigger: Trigger::Words(&["dot"]),
        reach: Some((140, 120)),
        check: |_| Verdict::Sure("address with spelled-out signs"),
        ..Recognizer::BASE
    },
    Recognizer {
        // Only the sign is spelled out, in brackets.
        name: "email_at_spelled",
        kind: EntityType::Email,
        pattern: r"(?i)[a-z0-9][a-z0-9._%+\-]{0,63}\s?(?:\(at\)|\[at\]|\{at\})\s?(?:[a-z0-9][a-z0-9\-]{0,40}\.){1,4}[a-z]{2,24}\b",
        trigger: Trigger::Words(&["(at)", "[at]", "{at}"]),
        reach: Some((140, 120)),
        check: |_| Verdict::Sure("address with spelled-out signs"),
        ..Recognizer::BASE
    },
    Recognizer {
        name: "ipv4",
        kind: EntityType::Ip,
        pattern: r"(?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2})?",
        trigger: Trigger::Digits(4),
        edges: Edges::Word,
        check: ipv4,
        context: &["ip", "ip address", "host", "server", "地址"],
        against: &[
            "version",
            "v",
            "section",
            "oid",
            "snmp",
            "firmware",
            "build",
            "upgrade",
            "release",
            "framework",
            "版本",
            "章节",
            "第",
            "旧版",
            "rev",
            "release",
            "chapter",
            "clause",
            "§",
            "升级",
            "upgraded",
            "downgrade",
        ],
        score: 70,
        when_sure: 88,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "ipv6",
        kind: EntityType::Ip,
        pattern: r"(?i)(?:[0-9a-f]{0,4}:){2,7}(?:(?:\d{1,3}\.){3}\d{1,3}|[0-9a-f]{0,4})(?:%[0-9a-z]{1,12})?(?:/\d{1,3})?",
        trigger: Trigger::Words(&[":"]),
        reach: Some((48, 64)),
        edges: Edges::Free,
        check: ipv6,
        score: 85,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "mac",
        kind: EntityType::Mac,
        pattern: r"(?i)(?:[0-9a-f]{2}(?::[0-9a-f]{2}){5}|[0-9a-f]{2}(?:-[0-9a-f]{2}){5}|[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})",
        trigger: Trigger::Run,
        edges: Edges::Free,
        check: mac,
        score: 95,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "url",
        kind: EntityType::Url,
        pattern: r#"(?i)(?:(?:https?|ftp|wss?)://|www\.)[^\s<>"'`，。、；！？）】》|\\^{}\[\]\p{Han}]{3,}"#,
        trigger: Trigger::Words(&["://", "www."]),
        reach: Some((8, 400)),
        edges: Edges::Free,
        check: trim_url,
        score: 60,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "domain",
        kind: EntityType::Url,
        pattern: r"(?i)(?:[a-z0-9](?:[a-z0-9\-]{0,40}[a-z0-9])?\.){1,4}(?:com|org|net|edu|gov|io|co\.uk|com\.cn|de|cn|fr|it|nl|ru|eu|info|biz)(?:/[^\s<>\x22'，。]{0,})?",
        trigger: Trigger::Words(&[
            ".com", ".org", ".net", ".edu", ".gov", ".io", ".co.uk", ".cn", ".de", ".fr", ".it",
            ".nl", ".ru", ".eu", ".info", ".biz",
        ]),
        reach: Some((200, 120)),
        edges: Edges::Word,
        check: domain,
        score: 55,
        ..Recognizer::BASE
    },
];

fn email(c: &Candidate<'_>) -> Verdict {
    let text = c.text();
    let Some((local, host)) = text.split_once('@') else { return Verdict::No };
    // RFC 5321: 64 and 255 octets.
    if local.len() > 200 || host.len() > 255 {
        return Verdict::No;
    }
    let top = host.rsplit('.').next().unwrap_or("");
    // `git@host:path` is a public remote, and a file or a version is no host.
    let remote = local == "git" && c.after().starts_with([':', '/']);
    let file = matches!(top, "js" | "ts" | "py" | "git" | "md" | "txt" | "png" | "json" | "rs");
    let before = c.before().chars().next_back();
    if remote || file || before.is_some_and(|b| b == '/' || b == '@') || !is_top_level(top) {
        return Verdict::No;
    }
    // `scheme://user:password@host` is a URL with a password.
    let token = c.before().rsplit([' ', '\n', '"', '\'', '(', '<']).next().unwrap_or("");
    if token.split_once("://").is_some_and(|(_, rest)| !rest.contains('/')) {
        return Verdict::No;
    }
    // A local part cannot hold Chinese in front of Latin: the Chinese is the sentence around it.
    let start = local
        .char_indices()
        .rev()
        .find(|(_, ch)| is_han(*ch))
        .filter(|(i, ch)| local[i + ch.len_utf8()..].chars().any(|c| c.is_ascii_alphanumeric()))
        .map_or(0, |(i, ch)| i + ch.len_utf8());
    let end = top
        .char_indices()
        .find(|(i, ch)| *i >= 2 && is_han(*ch) && top.is_char_boundary(*i) && top[..*i].is_ascii())
        .map_or(text.len(), |(i, _)| text.len() - top.len() + i);
    Verdict::Part {
        range: c.range.start + start..c.range.start + end,
        sure: true,
        why: "address with a top-level domain",
    }
}

/// Letters only, and not a word that no registry knows: the list of registries grows, their shape does not.
fn is_top_level(top: &str) -> bool {
    let latin = top.trim_end_matches(is_han);
    if latin.is_empty() { top.chars().count() <= 4 } else { latin.len() >= 2 && latin.len() <= 18 }
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}')
}

fn ipv4(c: &Candidate<'_>) -> Verdict {
    let (host, prefix) = c.text().split_once('/').unwrap_or((c.text(), "0"));
    let Ok(address) = host.parse::<std::net::Ipv4Addr>() else { return Verdict::No };
    let [a, b, x, d] = address.octets();
    let nobody = a == 127 || a == 0 || (a == 255 && b == 255) || (a == 255 && x == 0 && d == 0);
    // 4.2.3.1 is a section; 31.0.15.3623 a version (and no address).
    let glued = c.before().ends_with(['.', '/', '-', 'v', '=', '第'])
        && !c.before().ends_with("//")
        && !c.before().ends_with("ip=")
        && !c.before().ends_with("host=");
    // What documents reserve for examples is nobody's, where the text says so.
    let documented = matches!((a, b, x), (192, 0, 2) | (198, 51, 100) | (203, 0, 113)) && {
        let near: String = c.after().chars().take(60).collect::<String>().to_lowercase();
        near.contains("documentation")
            || near.contains("rfc 5737")
            || near.contains("rfc5737")
            || near.contains("文档")
    };
    let section =
        documented || c.after().starts_with(['节', '章', '-']) || c.after().starts_with("-v");
    if nobody || section || prefix.parse::<u8>().is_ok_and(|p| p > 32) {
        return Verdict::No;
    }
    let small = a < 10 && b < 30 && x < 30 && d < 30;
    if glued || (small && address != std::net::Ipv4Addr::new(1, 1, 1, 1)) {
        return Verdict::Part { range: c.range.clone(), sure: false, why: "four octets" };
    }
    Verdict::Sure("four octets")
}

fn ipv6(c: &Candidate<'_>) -> Verdict {
    let text = c.text();
    let word = |ch: Option<char>| {
        ch.is_some_and(|ch| ch.is_ascii_alphanumeric() || ch == ':' || ch == '_')
    };
    if word(c.before().chars().next_back()) || word(c.after().chars().next()) {
        return Verdict::No;
    }
    let host = text.split(['%', '/']).next().unwrap_or("");
    let Ok(address) = host.parse::<std::net::Ipv6Addr>() else { return Verdict::No };
    let digits = host.bytes().filter(u8::is_ascii_digit).count();
    // `fe::be` and `a::b` are paths of a language; an address of a machine has digits or many groups.
    let groups = host.split(':').filter(|g| !g.is_empty()).count();
    let prefix_fits =
        text.split_once('/').is_none_or(|(_, p)| p.parse::<u8>().is_ok_and(|p| p <= 128));
    let nobody = address.is_loopback() || address.is_unspecified();
    Verdict::sure_if(
        !nobody && prefix_fits && groups >= 2 && (digits > 0 || groups >= 5),
        "groups of hexadecimal digits",
    )
}

fn mac(c: &Candidate<'_>) -> Verdict {
    let touching = |ch: Option<char>| {
        ch.is_some_and(|ch| ch.is_ascii_alphanumeric() || ch == ':' || ch == '-')
    };
    if touching(c.before().chars().next_back()) || touching(c.after().chars().next()) {
        return Verdict::No;
    }
    let compact = c.compact();
    let dotted = c.text().contains('.');
    let trivial = compact.bytes().all(|b| b == b'0') || compact.bytes().all(|b| b == b'F');
    // 1234.5678.9012 with no letter is rather a number.
    let number = dotted && compact.bytes().all(|b| b.is_ascii_digit());
    Verdict::sure_if(!trivial && !number, "six octets")
}

fn trim_url(c: &Candidate<'_>) -> Verdict {
    let mut text = c.text().trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_']);
    while text.ends_with(')') && text.matches(')').count() > text.matches('(').count() {
        text = &text[..text.len() - 1];
    }
    Verdict::Part {
        range: c.range.start..c.range.start + text.len(),
        sure: false,
        why: "address of a page",
    }
}

fn domain(c: &Candidate<'_>) -> Verdict {
    let touched =
        c.before().ends_with(['@', '/', '.', '-']) || c.after().starts_with(['(', '@', ':']);
    if touched { Verdict::No } else { trim_url(c) }
}
