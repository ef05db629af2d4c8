//! Reading order: whole columns of prose one after the other, everything else row by row.
//!
//! A strip without text parts columns only where lines of prose fill both sides: the rows of a form or a table
//! stay together.

use crate::geometry::TextBox;

/// A line's upright rectangle once the page's slant is taken out.
#[derive(Debug, Clone, Copy)]
struct Place {
    index: usize,
    left: f32,
    right: f32,
    top: f32,
    bottom: f32,
}

impl Place {
    fn height(&self) -> f32 {
        self.bottom - self.top
    }
    fn middle(&self) -> f32 {
        f32::midpoint(self.top, self.bottom)
    }
}

/// Rows that a column has at least.
const ROWS: usize = 3;
/// How much of a column its lines fill, and how many line heights wide it is, at least.
const FILLED: f32 = 0.6;
const WIDE: f32 = 7.0;
/// Nested columns within columns; a page has no more.
const DEPTH: u32 = 8;
/// Places where a page is cut across.
const MOST_CUTS: usize = 20;

/// The indices of `boxes` in the order in which a person reads them.
pub(crate) fn reading_order(boxes: &[TextBox]) -> Vec<usize> {
    let slant = slant(boxes);
    let (sin, cos) = (-slant).sin_cos();
    let places: Vec<Place> = boxes
        .iter()
        .enumerate()
        .map(|(index, found)| {
            let x = found.center.x * cos - found.center.y * sin;
            let y = found.center.x * sin + found.center.y * cos;
            let (half, tall) = (found.width / 2.0, found.height / 2.0);
            Place { index, left: x - half, right: x + half, top: y - tall, bottom: y + tall }
        })
        .collect();
    let mut out = Vec::with_capacity(boxes.len());
    arrange(places, 0, &mut out);
    out
}

/// The median angle of lines that are long enough to have one.
fn slant(boxes: &[TextBox]) -> f32 {
    let long = boxes.iter().filter(|found| found.width > 4.0 * found.height);
    median(long.map(|found| found.along.y.atan2(found.along.x)).collect()).unwrap_or(0.0)
}

fn median(mut values: Vec<f32>) -> Option<f32> {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied()
}

fn arrange(places: Vec<Place>, depth: u32, out: &mut Vec<usize>) {
    if depth < DEPTH && places.len() >= 2 * ROWS {
        if let Some(gutter) = gutter(&places) {
            let (left, right) = places.into_iter().partition(|place| place.right <= gutter);
            arrange(left, depth + 1, out);
            arrange(right, depth + 1, out);
            return;
        }
        // Columns may begin under a heading and end over a foot: the longest run of bands that has them.
        let bands = bands(&places);
        for length in (1..bands.len()).rev() {
            for start in 0..=bands.len() - length {
                let run = bands[start..start + length].concat();
                if run.len() >= 2 * ROWS && gutter(&run).is_some() {
                    arrange(bands[..start].concat(), depth + 1, out);
                    arrange(run, depth + 1, out);
                    arrange(bands[start + length..].concat(), depth + 1, out);
                    return;
                }
            }
        }
    }
    out.extend(rows(places).iter().flatten().map(|place| place.index));
}

/// The middle of the widest strip from top to bottom that parts two columns of prose.
fn gutter(places: &[Place]) -> Option<f32> {
    let height = median(places.iter().map(Place::height).collect())?;
    let mut sorted: Vec<&Place> = places.iter().collect();
    sorted.sort_by(|a, b| a.left.total_cmp(&b.left));
    let mut reach = f32::NEG_INFINITY;
    let mut widest: Option<(f32, f32)> = None;
    for (at, place) in sorted.iter().enumerate() {
        let gap = place.left - reach;
        if at > 0
            && gap > 0.6 * height
            && widest.is_none_or(|(width, _)| gap > width)
            && is_prose(&sorted[..at], height)
            && is_prose(&sorted[at..], height)
        {
            widest = Some((gap, reach + gap / 2.0));
        }
        reach = reach.max(place.right);
    }
    widest.map(|(_, middle)| middle)
}

/// Whether the lines fill a column of their own.
fn is_prose(places: &[&Place], height: f32) -> bool {
    let left = places.iter().map(|place| place.left).fold(f32::INFINITY, f32::min);
    let right = places.iter().map(|place| place.right).fold(f32::NEG_INFINITY, f32::max);
    let width = right - left;
    if width < WIDE * height {
        return false;
    }
    let rows = rows(places.iter().map(|&&place| place).collect());
    let filled = |row: &Vec<Place>| {
        row.iter().map(|place| place.right - place.left).sum::<f32>() >= FILLED * width
    };
    rows.len() >= ROWS && rows.iter().filter(|row| filled(row)).count() * 3 >= rows.len() * 2
}

/// The page cut where strips across it have no text, at the widest ones.
fn bands(places: &[Place]) -> Vec<Vec<Place>> {
    let mut sorted = places.to_vec();
    sorted.sort_by(|a, b| a.top.total_cmp(&b.top));
    let mut reach = f32::INFINITY;
    let mut gaps = Vec::new();
    for (at, place) in sorted.iter().enumerate() {
        if place.top > reach {
            gaps.push((place.top - reach, at));
        }
        reach = if at == 0 { place.bottom } else { reach.max(place.bottom) };
    }
    gaps.sort_by(|a, b| b.0.total_cmp(&a.0));
    // Each run of bands is looked at, so their number counts by its square.
    let mut cuts: Vec<usize> = gaps.into_iter().take(MOST_CUTS).map(|(_, at)| at).collect();
    cuts.push(0);
    cuts.push(sorted.len());
    cuts.sort_unstable();
    cuts.windows(2).map(|cut| sorted[cut[0]..cut[1]].to_vec()).collect()
}

/// Lines side by side, from top to bottom, each row from left to right.
fn rows(mut places: Vec<Place>) -> Vec<Vec<Place>> {
    places.sort_by(|a, b| a.middle().total_cmp(&b.middle()));
    let mut rows: Vec<Vec<Place>> = Vec::new();
    for place in places {
        let level = rows.last().is_some_and(|row| {
            row.last().is_some_and(|last| {
                let shared = last.bottom.min(place.bottom) - last.top.max(place.top);
                let overlapping = row.iter().any(|other| {
                    other.right.min(place.right) - other.left.max(place.left)
                        > 0.5 * (other.right - other.left).min(place.right - place.left)
                });
                shared > 0.5 * last.height().min(place.height()) && !overlapping
            })
        });
        match rows.last_mut() {
            Some(row) if level => row.push(place),
            _ => rows.push(vec![place]),
        }
    }
    for row in &mut rows {
        row.sort_by(|a, b| a.left.total_cmp(&b.left));
    }
    rows
}

#[cfg(test)]
mod tests {
    //! Layouts as lists of left, top, width; every line is 10 high.

    use super::*;
    use crate::geometry::Point;

    fn boxes(lines: &[(f32, f32, f32)], degrees: f32) -> Vec<TextBox> {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let place = |&(left, top, width): &(f32, f32, f32)| {
            let (x, y) = (left + width / 2.0, top + 5.0);
            TextBox {
                center: Point { x: x * cos - y * sin, y: x * sin + y * cos },
                along: Point { x: cos, y: sin },
                width,
                height: 10.0,
            }
        };
        lines.iter().map(place).collect()
    }

    fn check(what: &str, lines: &[(f32, f32, f32)]) {
        for degrees in [0.0, 3.0, -3.0] {
            let mut mixed = boxes(lines, degrees);
            mixed.reverse();
            let last = lines.len() - 1;
            let order: Vec<usize> =
                reading_order(&mixed).into_iter().map(|index| last - index).collect();
            let expected: Vec<usize> = (0..lines.len()).collect();
            assert_eq!(order, expected, "{what} at {degrees} degrees");
        }
    }

    #[test]
    fn pages_are_read_as_people_read_them() {
        check("one column", &[(0.0, 0.0, 300.0), (0.0, 15.0, 280.0), (0.0, 30.0, 90.0)]);
        check(
            "two columns under a title and over a foot",
            &[
                (100.0, 0.0, 300.0),
                (0.0, 40.0, 200.0),
                (0.0, 55.0, 195.0),
                (0.0, 70.0, 200.0),
                (0.0, 85.0, 80.0),
                (230.0, 40.0, 200.0),
                (230.0, 55.0, 200.0),
                (230.0, 70.0, 190.0),
                (150.0, 140.0, 160.0),
            ],
        );
        check(
            "a form keeps its rows",
            &[
                (0.0, 0.0, 40.0),
                (150.0, 0.0, 120.0),
                (0.0, 15.0, 60.0),
                (150.0, 15.0, 50.0),
                (0.0, 30.0, 55.0),
                (150.0, 30.0, 200.0),
                (0.0, 45.0, 30.0),
                (150.0, 45.0, 40.0),
            ],
        );
    }

    #[test]
    fn no_lines_have_no_order() {
        assert!(reading_order(&[]).is_empty());
    }

    proptest::proptest! {
        #[test]
        fn every_line_comes_once(
            lines in proptest::collection::vec(
                (0.0_f32..900.0, 0.0_f32..900.0, 1.0_f32..400.0), 0..80,
            ),
        ) {
            let mut order = reading_order(&boxes(&lines, 1.0));
            order.sort_unstable();
            assert_eq!(order, (0..lines.len()).collect::<Vec<_>>());
        }
    }
}
