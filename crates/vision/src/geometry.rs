//! Boxes that may lie askew: the smallest around points, and how they turn with the page.

use crate::raster::Turn;

/// A place; `x` grows to the right, `y` downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f32,
    pub(crate) y: f32,
}

/// A rectangle around text, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TextBox {
    pub(crate) center: Point,
    /// The unit vector along its upper edge: never more than 45 degrees from the page's own.
    pub(crate) along: Point,
    /// Extent along `along`.
    pub(crate) width: f32,
    /// Extent across it.
    pub(crate) height: f32,
}

impl TextBox {
    /// The unit vector down its left edge.
    pub(crate) fn down(&self) -> Point {
        Point { x: -self.along.y, y: self.along.x }
    }

    /// Left, top, width and height of the upright rectangle around it.
    pub(crate) fn bounds(&self) -> (f32, f32, f32, f32) {
        let down = self.down();
        let half_x = (self.along.x * self.width).abs() + (down.x * self.height).abs();
        let half_y = (self.along.y * self.width).abs() + (down.y * self.height).abs();
        (self.center.x - half_x / 2.0, self.center.y - half_y / 2.0, half_x, half_y)
    }

    /// The same box with all lengths multiplied.
    pub(crate) fn scaled(&self, across: f32, down: f32) -> Self {
        // The two differ by a fraction of a percent (sizes are rounded), so the angle stays.
        Self {
            center: Point { x: self.center.x * across, y: self.center.y * down },
            width: self.width * across,
            height: self.height * down,
            ..*self
        }
    }

    /// Wider by the distance at which text of this area and outline ends (Liao et al. 2020, DB: the model is
    /// taught to mark the core of a line only).
    pub(crate) fn unclipped(&self, ratio: f32) -> Self {
        let outline = 2.0 * (self.width + self.height);
        let distance = self.width * self.height * ratio / outline.max(f32::MIN_POSITIVE);
        Self { width: self.width + 2.0 * distance, height: self.height + 2.0 * distance, ..*self }
    }

    /// Where the box lies once the page, of this width and height, is turned.
    pub(crate) fn turned(&self, turn: Turn, width: f32, height: f32) -> Self {
        let Point { x, y } = self.center;
        let (center, swapped) = match turn {
            Turn::None => (Point { x, y }, false),
            Turn::Quarter => (Point { x: height - y, y: x }, true),
            Turn::Half => (Point { x: width - x, y: height - y }, false),
            Turn::ThreeQuarters => (Point { x: y, y: width - x }, true),
        };
        // Turning by a quarter makes the left edge the upper one; as a direction to the right it is the same
        // vector turned back, so the angle to the page's edge stays.
        let (width, height) =
            if swapped { (self.height, self.width) } else { (self.width, self.height) };
        Self { center, along: self.along, width, height }
    }
}

/// The smallest rectangle around points, or none around fewer than three that differ.
pub(crate) fn smallest_box(points: &mut [Point]) -> Option<TextBox> {
    let hull = hull(points);
    if hull.len() < 3 {
        return None;
    }
    let mut best: Option<(f32, TextBox)> = None;
    for (index, from) in hull.iter().enumerate() {
        let to = hull[(index + 1) % hull.len()];
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let length = dx.hypot(dy);
        if length <= f32::EPSILON {
            continue;
        }
        let along = nearest_to_right(Point { x: dx / length, y: dy / length });
        let down = Point { x: -along.y, y: along.x };
        let (left, right) = extent(&hull, along);
        let (top, bottom) = extent(&hull, down);
        let (width, height) = (right - left, bottom - top);
        let area = width * height;
        if best.is_none_or(|(smallest, _)| area < smallest) {
            let (u, v) = (f32::midpoint(left, right), f32::midpoint(top, bottom));
            let center = Point { x: along.x * u + down.x * v, y: along.y * u + down.y * v };
            best = Some((area, TextBox { center, along, width, height }));
        }
    }
    best.map(|(_, found)| found)
}

/// Of a direction and its quarter turns the one that points most to the right.
fn nearest_to_right(direction: Point) -> Point {
    let Point { x, y } = direction;
    if x.abs() >= y.abs() {
        if x >= 0.0 { direction } else { Point { x: -x, y: -y } }
    } else if y >= 0.0 {
        Point { x: y, y: -x }
    } else {
        Point { x: -y, y: x }
    }
}

fn extent(points: &[Point], direction: Point) -> (f32, f32) {
    points.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), point| {
        let at = point.x * direction.x + point.y * direction.y;
        (low.min(at), high.max(at))
    })
}

/// The convex hull (Andrew's monotone chain), without points on its edges.
fn hull(points: &mut [Point]) -> Vec<Point> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut out: Vec<Point> = Vec::new();
    let mut chain = |points: &mut dyn Iterator<Item = &Point>| {
        let start = out.len();
        for &point in points {
            while out.len() >= start + 2 {
                let (a, b) = (out[out.len() - 2], out[out.len() - 1]);
                let turn = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x);
                if turn > 0.0 {
                    break;
                }
                out.pop();
            }
            out.push(point);
        }
        out.pop();
    };
    chain(&mut points.iter());
    chain(&mut points.iter().rev());
    out
}

#[cfg(test)]
mod tests {
    //! Boxes around known points.

    use super::*;

    fn rectangle(angle: f32, width: f32, height: f32) -> Vec<Point> {
        let (sin, cos) = angle.to_radians().sin_cos();
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (0.0, 0.0)]
            .map(|(x, y)| (x * width / 2.0, y * height / 2.0))
            .map(|(x, y)| Point { x: 50.0 + x * cos - y * sin, y: 40.0 + x * sin + y * cos })
            .to_vec()
    }

    #[test]
    fn the_box_around_a_rectangle_is_that_rectangle() {
        let check = |angle: f32, expected_width: f32, expected_angle: f32| {
            let found = smallest_box(&mut rectangle(angle, 30.0, 8.0)).unwrap();
            let turned = found.along.y.atan2(found.along.x).to_degrees();
            assert!((found.center.x - 50.0).abs() < 0.01 && (found.center.y - 40.0).abs() < 0.01);
            assert!((found.width - expected_width).abs() < 0.01, "{angle}: {found:?}");
            assert!((turned - expected_angle).abs() < 0.01, "{angle}: {turned}");
        };
        check(0.0, 30.0, 0.0);
        check(10.0, 30.0, 10.0);
        check(-30.0, 30.0, -30.0);
        check(180.0, 30.0, 0.0);
        check(90.0, 8.0, 0.0);
        check(100.0, 8.0, 10.0);
    }

    #[test]
    fn too_few_points_have_no_box() {
        assert!(smallest_box(&mut []).is_none());
        assert!(smallest_box(&mut [Point { x: 1.0, y: 1.0 }; 9]).is_none());
    }

    proptest::proptest! {
        #[test]
        fn every_point_lies_within(
            places in proptest::collection::vec((0_u16..500, 0_u16..500), 3..60),
        ) {
            let mut points: Vec<Point> = places
                .iter()
                .map(|&(x, y)| Point { x: f32::from(x), y: f32::from(y) })
                .collect();
            if let Some(found) = smallest_box(&mut points) {
                let (left, top, width, height) = found.bounds();
                for point in &points {
                    assert!(point.x > left - 0.5 && point.x < left + width + 0.5);
                    assert!(point.y > top - 0.5 && point.y < top + height + 0.5);
                }
            }
        }

        #[test]
        fn four_quarter_turns_lead_back(x in 0.0_f32..90.0, y in 0.0_f32..60.0) {
            let along = Point { x: 0.995, y: 0.1 };
            let start = TextBox { center: Point { x, y }, along, width: 9.0, height: 3.0 };
            let once = start.turned(Turn::Quarter, 90.0, 60.0);
            let half = once.turned(Turn::Quarter, 60.0, 90.0);
            let direct = start.turned(Turn::Half, 90.0, 60.0);
            assert!((half.center.x - direct.center.x).abs() < 1e-3);
            assert!((half.center.y - direct.center.y).abs() < 1e-3);
            let back = once.turned(Turn::ThreeQuarters, 60.0, 90.0);
            assert!((back.center.x - x).abs() < 1e-3 && (back.center.y - y).abs() < 1e-3);
            assert_eq!((back.width, back.along), (9.0, along));
        }
    }
}
