//! UTF-16 and UTF-32: by byte order mark, and without one by what the units look like.

/// Which half of a unit comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Little,
    Big,
}

/// Decodes UTF-16; the count is of units that stood alone.
#[must_use]
pub(crate) fn decode16(bytes: &[u8], order: Order) -> (String, usize) {
    let units = bytes.chunks_exact(2).map(|pair| match order {
        Order::Little => u16::from_le_bytes([pair[0], pair[1]]),
        Order::Big => u16::from_be_bytes([pair[0], pair[1]]),
    });
    let mut broken = bytes.len() % 2;
    let text = char::decode_utf16(units)
        .map(|unit| {
            unit.unwrap_or_else(|_| {
                broken += 1;
                char::REPLACEMENT_CHARACTER
            })
        })
        .collect();
    (text, broken)
}

/// Decodes UTF-32 little or big endian.
#[must_use]
pub(crate) fn decode32(bytes: &[u8], order: Order) -> (String, usize) {
    let mut broken = bytes.len() % 4;
    let text = bytes
        .chunks_exact(4)
        .map(|unit| {
            let unit = [unit[0], unit[1], unit[2], unit[3]];
            let code = match order {
                Order::Little => u32::from_le_bytes(unit),
                Order::Big => u32::from_be_bytes(unit),
            };
            char::from_u32(code).unwrap_or_else(|| {
                broken += 1;
                char::REPLACEMENT_CHARACTER
            })
        })
        .collect();
    (text, broken)
}

/// The byte order of UTF-16 without a mark, where the bytes are convincing. Latin letters, digits, blanks
/// and line ends have a zero half; Chinese text without any of those is believed only when the commonest
/// characters of the language appear, because any bytes can be read as rare ones.
#[must_use]
pub(crate) fn guess_order(bytes: &[u8]) -> Option<Order> {
    if bytes.len() < 8 || !bytes.len().is_multiple_of(2) {
        return None;
    }
    let sample = &bytes[..bytes.len().min(1 << 16) & !1];
    let mut best: Option<(f64, Order)> = None;
    for order in [Order::Little, Order::Big] {
        let Some(score) = plausibility(sample, order) else { continue };
        if best.is_none_or(|(other, _)| score > other) {
            best = Some((score, order));
        }
    }
    best.map(|(_, order)| order)
}

fn plausibility(sample: &[u8], order: Order) -> Option<f64> {
    let (text, _) = decode16(sample, order);
    let (mut all, mut usual, mut narrow, mut common) = (0_u32, 0_u32, 0_u32, 0_u32);
    for c in text.chars() {
        all += 1;
        match c {
            '\t' | '\n' | '\r' | ' '..='~' => {
                narrow += 1;
                usual += 1;
            }
            '\u{A0}'..='\u{24F}' | '\u{370}'..='\u{6FF}' | '\u{2010}'..='\u{2027}' => usual += 1,
            '\u{3000}'..='\u{30FF}'
            | '\u{4E00}'..='\u{9FFF}'
            | '\u{AC00}'..='\u{D7A3}'
            | '\u{FF00}'..='\u{FFEF}' => {
                usual += 1;
                common += u32::from("，。、的一是不了在有人我他这中大来上国".contains(c));
            }
            _ => {}
        }
    }
    let share = |count: u32| f64::from(count) / f64::from(all.max(1));
    let convincing = share(narrow) >= 0.02 || share(common) >= 0.08;
    (share(usual) >= 0.95 && convincing).then(|| share(usual) + share(narrow) + share(common))
}
