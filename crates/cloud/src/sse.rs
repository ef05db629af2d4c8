//! Server-sent events (WHATWG HTML, "Interpreting an event stream"): bytes in, the `data` of events out.
//!
//! It reads nothing by itself, and its memory is bounded: a line, an event and the whole stream have
//! limits. Event names, ids and retry times are not used by this API and are dropped.

/// The stream does not keep to a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a line, an event or the stream is too long")]
pub struct TooLong;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SseLimits {
    pub line: usize,
    pub event: usize,
    pub total: u64,
}

impl Default for SseLimits {
    fn default() -> Self {
        Self { line: 1 << 20, event: 1 << 21, total: 1 << 28 }
    }
}

/// The state between two pieces of the stream, which may be cut anywhere, also inside a character.
#[derive(Debug, Default)]
pub struct SseParser {
    limits: SseLimits,
    line: Vec<u8>,
    data: String,
    has_data: bool,
    /// A carriage return ended the last line, so a line feed now ends none.
    after_return: bool,
    begun: bool,
    total: u64,
}

impl SseParser {
    #[must_use]
    pub fn new(limits: SseLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Takes the next bytes and answers the events that they complete.
    ///
    /// # Errors
    /// `TooLong` when a limit is passed; the parser is of no use afterwards.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<String>, TooLong> {
        self.total += bytes.len() as u64;
        if self.total > self.limits.total {
            return Err(TooLong);
        }
        let mut events = Vec::new();
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            if std::mem::take(&mut self.after_return) && first == b'\n' {
                rest = &rest[1..];
                continue;
            }
            let end = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
            let (part, ended) = end.map_or((rest, false), |end| (&rest[..end], true));
            if self.line.len() + part.len() > self.limits.line {
                return Err(TooLong);
            }
            self.line.extend_from_slice(part);
            rest = &rest[part.len()..];
            if ended {
                self.after_return = rest[0] == b'\r';
                rest = &rest[1..];
                self.end_of_line(&mut events)?;
            }
        }
        Ok(events)
    }

    /// At the end of the stream: an event without its closing empty line, which some servers forget.
    ///
    /// # Errors
    /// `TooLong` as in `push`.
    pub fn finish(mut self) -> Result<Option<String>, TooLong> {
        let mut events = Vec::new();
        if !self.line.is_empty() {
            self.end_of_line(&mut events)?;
        }
        self.line.clear();
        self.end_of_line(&mut events)?;
        Ok(events.pop())
    }

    fn end_of_line(&mut self, events: &mut Vec<String>) -> Result<(), TooLong> {
        let line = std::mem::take(&mut self.line);
        let mut line = line.as_slice();
        if !std::mem::replace(&mut self.begun, true) {
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        if line.is_empty() {
            if std::mem::take(&mut self.has_data) {
                events.push(std::mem::take(&mut self.data));
            }
            return Ok(());
        }
        let Some(value) = line.strip_prefix(b"data") else {
            return Ok(());
        };
        let value = match value.strip_prefix(b":") {
            Some(value) => value.strip_prefix(b" ").unwrap_or(value),
            None if value.is_empty() => value,
            None => return Ok(()),
        };
        if self.data.len() + value.len() > self.limits.event {
            return Err(TooLong);
        }
        if self.has_data {
            self.data.push('\n');
        }
        self.has_data = true;
        self.data.push_str(&String::from_utf8_lossy(value));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(parser: SseParser, pieces: &[&[u8]]) -> Result<Vec<String>, TooLong> {
        let mut parser = parser;
        let mut events = Vec::new();
        for piece in pieces {
            events.extend(parser.push(piece)?);
        }
        events.extend(parser.finish()?);
        Ok(events)
    }

    fn check(stream: &str, expected: &[&str]) {
        let events = read(SseParser::default(), &[stream.as_bytes()]).unwrap();
        assert_eq!(events, expected, "{stream:?}");
    }

    /// The examples of the WHATWG's chapter on server-sent events, and its rules one by one.
    #[test]
    fn the_examples_of_the_standard() {
        check("data: YHOO\ndata: +2\ndata: 10\n\n", &["YHOO\n+2\n10"]);
        check(
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            &["first event", "second event", " third event"],
        );
        check("data\n\ndata\ndata\n\ndata:\n\n", &["", "\n", ""]);
        check("data:test\n\ndata: test\n\n", &["test", "test"]);
        check("\u{feff}data: x\r\rdata: y\r\n\r\n", &["x", "y"]);
        check("database: x\nevent: y\n\n", &[]);
        check("data: without an end", &["without an end"]);
        check("", &[]);
    }

    #[test]
    fn limits_hold() {
        let limits = SseLimits { line: 10, event: 12, total: 40 };
        let parser = || SseParser::new(limits);
        assert_eq!(read(parser(), &[b"data: 0123", b"4"]), Err(TooLong));
        assert_eq!(
            read(parser(), &[b"data: 0123\n", b"data: 0123\n", b"data: 01234\n"]),
            Err(TooLong)
        );
        assert_eq!(
            read(parser(), &[b"data: 01\ndata: 01\ndata: 01\ndata: 01\ndata: 01\n"]),
            Err(TooLong)
        );
        assert_eq!(read(parser(), &[b":\n\n\n\n\n\n\n\n", &[b'\n'; 40]]), Err(TooLong));
    }

    proptest! {
        /// However the bytes are cut, the events are the same; and no bytes make it panic.
        #[test]
        fn cuts_change_nothing(
            lines in proptest::collection::vec("(data: ?[a-z你🌍]{0,6}|:[a-z]{0,3}|)(\n|\r\n|\r)", 0..12),
            cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..8),
        ) {
            let bytes = lines.concat().into_bytes();
            let whole = read(SseParser::default(), &[&bytes]).unwrap();
            let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            places.push(bytes.len());
            places.sort_unstable();
            let mut pieces = Vec::new();
            let mut start = 0;
            for place in places {
                pieces.push(&bytes[start..place]);
                start = place;
            }
            prop_assert_eq!(read(SseParser::default(), &pieces).unwrap(), whole);
        }

        #[test]
        fn any_bytes_are_survived(bytes: Vec<u8>) {
            let _events_or_not = read(SseParser::default(), &[&bytes]);
        }
    }
}
