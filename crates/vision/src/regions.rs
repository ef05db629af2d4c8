//! From the detector's map of probabilities to boxes (Liao et al. 2020, "Real-time scene text detection with
//! differentiable binarization"): threshold, connected regions, the smallest box around each, and its growth.

use crate::geometry::{Point, TextBox, smallest_box};

/// A pixel above it belongs to text.
const PIXEL: f32 = 0.3;
/// A region whose mean is below it is none.
const REGION: f32 = 0.5;
/// How far a box grows.
const GROWTH: f32 = 1.6;
/// Narrower regions, in pixels of the map, are specks.
const NARROWEST: f32 = 3.0;
/// More boxes than this are no page of text; the largest stay.
const MOST: usize = 2000;

/// Boxes in pixels of the map, which has `width` columns.
pub(crate) fn boxes(map: &[f32], width: usize) -> Vec<TextBox> {
    let mut seen = vec![false; map.len()];
    let mut found = Vec::new();
    let mut region = Region::default();
    for start in 0..map.len() {
        if seen[start] || map[start] <= PIXEL {
            continue;
        }
        region.flood(map, width, start, &mut seen);
        if region.sum / region.count as f32 >= REGION
            && let Some(core) = smallest_box(&mut region.outline())
            && core.width.min(core.height) >= NARROWEST
        {
            found.push(core.unclipped(GROWTH));
        }
    }
    if found.len() > MOST {
        found.sort_by(|a, b| (b.width * b.height).total_cmp(&(a.width * a.height)));
        found.truncate(MOST);
    }
    found
}

/// Pixels that touch, also at corners.
#[derive(Default)]
struct Region {
    top: usize,
    /// First and last column of each row from `top` on.
    rows: Vec<(usize, usize)>,
    sum: f32,
    count: usize,
    waiting: Vec<usize>,
}

impl Region {
    /// Becomes the region around `start`, which is its topmost pixel.
    fn flood(&mut self, map: &[f32], width: usize, start: usize, seen: &mut [bool]) {
        self.top = start / width;
        self.rows.clear();
        (self.sum, self.count) = (0.0, 0);
        seen[start] = true;
        self.waiting.push(start);
        while let Some(at) = self.waiting.pop() {
            let (row, column) = (at / width, at % width);
            self.sum += map[at];
            self.count += 1;
            let index = row - self.top;
            if self.rows.len() <= index {
                self.rows.resize(index + 1, (usize::MAX, 0));
            }
            let (first, last) = &mut self.rows[index];
            (*first, *last) = ((*first).min(column), (*last).max(column));
            for near_row in row.saturating_sub(1)..=row + 1 {
                for near in column.saturating_sub(1)..=(column + 1).min(width - 1) {
                    let next = near_row * width + near;
                    if next < map.len() && !seen[next] && map[next] > PIXEL {
                        seen[next] = true;
                        self.waiting.push(next);
                    }
                }
            }
        }
    }

    /// The corners of the first and last pixel of each row, which hold the whole hull.
    fn outline(&self) -> Vec<Point> {
        let mut points = Vec::with_capacity(self.rows.len() * 4);
        for (index, &(first, last)) in self.rows.iter().enumerate() {
            let y = (self.top + index) as f32;
            for (x, y) in [
                (first as f32, y),
                (last as f32 + 1.0, y),
                (first as f32, y + 1.0),
                (last as f32 + 1.0, y + 1.0),
            ] {
                points.push(Point { x, y });
            }
        }
        points
    }
}

#[cfg(test)]
mod tests {
    //! Maps that are drawn by hand.

    use super::*;

    fn map(rows: &[&str]) -> (Vec<f32>, usize) {
        let values = rows.iter().flat_map(|row| row.bytes()).map(|byte| match byte {
            b'#' => 0.9,
            b'+' => 0.4,
            _ => 0.0,
        });
        (values.collect(), rows[0].len())
    }

    fn check(rows: &[&str], centers: &[(f32, f32)]) {
        let (map, width) = map(rows);
        let found: Vec<(f32, f32)> =
            boxes(&map, width).iter().map(|found| (found.center.x, found.center.y)).collect();
        assert_eq!(found, centers, "{rows:?}");
    }

    #[test]
    fn regions_become_boxes() {
        check(&["........", ".######.", ".######.", ".######.", "........"], &[(4.0, 2.5)]);
        // Corners touch.
        check(&["###....", "###....", "###....", "...###.", "...###.", "...###."], &[(3.0, 3.0)]);
        // A speck, and a region that is never sure.
        check(&["#......", "....+++", "....+++", "....+++"], &[]);
        check(&[""], &[]);
    }

    #[test]
    fn a_box_grows_around_its_core() {
        let (map, width) = map(&["..........", ".########.", ".########.", ".########."]);
        let found = boxes(&map, width)[0];
        let distance = 8.0 * 3.0 * GROWTH / 22.0;
        assert!((found.width - 8.0 - 2.0 * distance).abs() < 1e-3, "{found:?}");
        assert!((found.height - 3.0 - 2.0 * distance).abs() < 1e-3, "{found:?}");
    }

    proptest::proptest! {
        #[test]
        fn any_map_gives_finite_boxes(
            values in proptest::collection::vec(0.0_f32..1.0, 1..400), width in 1_usize..40,
        ) {
            let rows = values.len() / width;
            for found in boxes(&values[..rows * width], width) {
                assert!(found.width.is_finite() && found.height > 0.0);
                assert!(found.center.x.is_finite() && found.center.y.is_finite());
            }
        }
    }
}
