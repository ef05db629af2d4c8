//! Reading order where pdf_oxide gets it wrong: turned pages, and two columns read right before left.
//!
//! Everywhere else its own order is kept; this makes no attempt at layout analysis.

use pdf_oxide::PdfDocument;

/// A run of text in the frame of the reader: `y` grows upwards.
#[derive(Debug, Clone)]
struct Piece {
    text: String,
    x: f32,
    y: f32,
    width: f32,
    size: f32,
    sideways: bool,
}

/// More pieces than this are no simple page, and its own order is kept.
const MAX_PIECES: usize = 600;

/// The page's text in a better order, or none when `text`, pdf_oxide's own, is good.
#[must_use]
pub(super) fn in_order(document: &PdfDocument, index: usize, text: &str) -> Option<String> {
    let turned = document.get_page_rotation(index).is_ok_and(|angle| angle % 180 != 0);
    let spans = document.extract_spans(index).ok()?;
    let pieces: Vec<Piece> = spans
        .into_iter()
        .filter(|span| !span.text.trim().is_empty())
        .map(|span| {
            // On a turned page pdf_oxide moves sideways runs into the reader's frame by their corner and
            // leaves their box standing: its height is the run's length, its top the line.
            let sideways = turned && (span.rotation_degrees.abs() - 90.0).abs() < 1.0;
            let (y, width) = if sideways {
                (span.bbox.y + span.bbox.height, span.bbox.height)
            } else {
                (span.bbox.y, span.bbox.width)
            };
            let size = if span.font_size.is_finite() { span.font_size.max(1.0) } else { 1.0 };
            Piece { x: span.bbox.x, y, width, size, sideways, text: span.text }
        })
        .filter(|piece| piece.x.is_finite() && piece.y.is_finite() && piece.width.is_finite())
        .collect();
    if pieces.is_empty() || pieces.len() > MAX_PIECES {
        return None;
    }
    if pieces.iter().all(|piece| piece.sideways) {
        return Some(lines(pieces));
    }
    let gutter = gutter(&pieces)?;
    let (left, right): (Vec<Piece>, Vec<Piece>) =
        pieces.into_iter().partition(|piece| piece.x < gutter);
    let place = |piece: &Piece| text.find(piece.text.trim());
    let first_left = left.iter().filter_map(place).min()?;
    let last_right = right.iter().filter_map(place).max()?;
    (last_right < first_left).then(|| format!("{}\n\n{}", lines(left), lines(right)))
}

/// The middle of the widest strip without text between two columns of at least two runs each.
fn gutter(pieces: &[Piece]) -> Option<f32> {
    let mut sorted: Vec<&Piece> = pieces.iter().collect();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut reach = f32::NEG_INFINITY;
    let mut widest: Option<(f32, f32)> = None;
    for (index, piece) in sorted.iter().enumerate() {
        let gap = piece.x - reach;
        let columns = index >= 2 && sorted.len() - index >= 2;
        if columns && gap > 1.5 * piece.size && widest.is_none_or(|(width, _)| gap > width) {
            widest = Some((gap, piece.x - gap / 2.0));
        }
        reach = reach.max(piece.x + piece.width);
    }
    widest.map(|(_, middle)| middle)
}

/// Runs as lines from top to bottom.
fn lines(mut pieces: Vec<Piece>) -> String {
    pieces.sort_by(|a, b| b.y.total_cmp(&a.y));
    let mut rows: Vec<Vec<Piece>> = Vec::new();
    for piece in pieces {
        match rows.last_mut() {
            Some(row) if (row[0].y - piece.y).abs() < 0.5 * row[0].size => row.push(piece),
            _ => rows.push(vec![piece]),
        }
    }
    let mut text = String::new();
    let mut above: Option<f32> = None;
    for mut row in rows {
        if let Some(above) = above {
            text.push_str(if above - row[0].y > 1.9 * row[0].size { "\n\n" } else { "\n" });
        }
        above = Some(row[0].y);
        row.sort_by(|a, b| a.x.total_cmp(&b.x));
        let mut reach = f32::INFINITY;
        for piece in row {
            if piece.x - reach > 0.2 * piece.size && !text.ends_with(' ') {
                text.push(' ');
            }
            reach = piece.x + piece.width;
            text.push_str(piece.text.split_whitespace().collect::<Vec<_>>().join(" ").as_str());
            if piece.text.ends_with(' ') {
                text.push(' ');
            }
        }
    }
    text
}
