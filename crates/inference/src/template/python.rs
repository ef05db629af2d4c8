//! What chat templates expect of Python beyond Jinja: `raise_exception`, `strftime_now` and a `tojson` that
//! does not escape for HTML. String methods come from minijinja-contrib.

use minijinja::value::Kwargs;
use minijinja::{Error, ErrorKind, Value};
use time::OffsetDateTime;

pub(super) fn raise_exception(message: String) -> Result<Value, Error> {
    Err(Error::new(ErrorKind::InvalidOperation, message))
}

/// Python's `json.dumps` with `ensure_ascii=False`: minijinja's own, with its four HTML escapes undone.
pub(super) fn to_json(value: &Value, indent: Option<Value>, rest: Kwargs) -> Result<String, Error> {
    // Hugging Face's filter knows these two, and both are how we write anyway.
    let _: Option<Value> = rest.get("ensure_ascii")?;
    let indent = match indent {
        Some(indent) => Some(indent),
        None => rest.get("indent")?,
    };
    let indent = indent.filter(|indent| !indent.is_none());
    let escaped =
        minijinja::filters::tojson(value, indent, Kwargs::from_iter([] as [(&str, Value); 0]))?;
    let escaped = escaped.as_str().unwrap_or_default();
    let mut json = String::with_capacity(escaped.len());
    let mut rest = escaped;
    while let Some(at) = rest.find('\\') {
        json.push_str(&rest[..at]);
        let plain = [("\\u003c", '<'), ("\\u003e", '>'), ("\\u0026", '&'), ("\\u0027", '\'')];
        match plain.iter().find(|(escape, _)| rest[at..].starts_with(escape)) {
            Some((escape, letter)) => {
                json.push(*letter);
                rest = &rest[at + escape.len()..];
            }
            None => {
                // A backslash and what it escapes, which is ASCII.
                let end = (at + 2).min(rest.len());
                json.push_str(&rest[at..end]);
                rest = &rest[end..];
            }
        }
    }
    json.push_str(rest);
    Ok(json)
}

/// `strftime_now(format)` for a fixed time in UTC, with the directives that templates use.
pub(super) fn strftime(now_ms: i64) -> impl Fn(&str) -> Result<String, Error> {
    move |format| {
        let nanoseconds = i128::from(now_ms) * 1_000_000;
        let now = OffsetDateTime::from_unix_timestamp_nanos(nanoseconds)
            .map_err(|_| Error::new(ErrorKind::InvalidOperation, "the date is out of range"))?;
        let mut text = String::new();
        let mut letters = format.chars();
        while let Some(letter) = letters.next() {
            if letter != '%' {
                text.push(letter);
                continue;
            }
            match letters.next() {
                Some('Y') => text += &now.year().to_string(),
                Some('y') => text += &format!("{:02}", now.year().rem_euclid(100)),
                Some('m') => text += &format!("{:02}", u8::from(now.month())),
                Some('d') => text += &format!("{:02}", now.day()),
                Some('j') => text += &format!("{:03}", now.ordinal()),
                Some('H') => text += &format!("{:02}", now.hour()),
                Some('I') => text += &format!("{:02}", (now.hour() + 11) % 12 + 1),
                Some('M') => text += &format!("{:02}", now.minute()),
                Some('S') => text += &format!("{:02}", now.second()),
                Some('p') => text += if now.hour() < 12 { "AM" } else { "PM" },
                Some('B') => text += &now.month().to_string(),
                Some('b') => text.extend(now.month().to_string().chars().take(3)),
                Some('A') => text += &now.weekday().to_string(),
                Some('a') => text.extend(now.weekday().to_string().chars().take(3)),
                Some('%') => text.push('%'),
                _ => {
                    let message = "strftime_now knows %Y %y %m %d %j %H %I %M %S %p %B %b %A %a";
                    return Err(Error::new(ErrorKind::InvalidOperation, message));
                }
            }
        }
        Ok(text)
    }
}
