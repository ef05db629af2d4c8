//! Reads boxes: each is cut out level, brought to the network's height, and read together with others of
//! about its length.

use crate::ctc::{Characters, Reading, decode};
use crate::error::VisionError;
use crate::geometry::TextBox;
use crate::network::Network;
use crate::raster::Raster;
use nearside_types::Cancel;
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

/// Pixels of a line's height, as in training.
const HEIGHT: usize = 48;
/// Shorter lines are filled up with gray.
const NARROWEST: usize = 160;
/// Longer lines are squeezed.
const WIDEST: usize = 3200;
/// Lines that are read at once hold at most so many columns.
const BATCH: usize = 2400;
/// The longest line of a batch is at most this many times as long as the shortest.
const SPREAD: f32 = 1.25;
/// Samples a pixel, each way: a large letter made small must not lose strokes.
const MOST_SAMPLES: f32 = 4.0;

/// How a box is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// From left to right.
    Level,
    /// Upside down.
    Reversed,
    /// The text runs upwards.
    Up,
    /// The text runs downwards, or stands in a column.
    Down,
}

pub(crate) struct Recogniser {
    pub(crate) network: Network,
    pub(crate) characters: Characters,
}

impl Recogniser {
    /// What each box says, in their order. Work ends within one batch of a cancel.
    ///
    /// # Errors
    /// `Cancelled` after a cancel, `Run` and `Characters` when the network fails.
    pub(crate) fn read(
        &self,
        page: &Raster<'_>,
        boxes: &[(TextBox, Way)],
        cancel: &Cancel,
    ) -> Result<Vec<Reading>, VisionError> {
        let widths: Vec<usize> = boxes.iter().map(|(found, way)| columns(found, *way)).collect();
        let mut order: Vec<usize> = (0..boxes.len()).collect();
        order.sort_by_key(|&index| widths[index]);
        let mut readings = vec![Reading::default(); boxes.len()];
        let mut rest = order.as_slice();
        while let Some(&first) = rest.first() {
            if cancel.is_cancelled() {
                return Err(VisionError::Cancelled);
            }
            let longest = widths[first] as f32 * SPREAD;
            let fits = |(count, &index): (usize, &usize)| {
                let width = widths[index].max(NARROWEST);
                count == 0
                    || (width as f32 <= longest.max(NARROWEST as f32)
                        && width * (count + 1) <= BATCH)
            };
            let count =
                rest.iter().enumerate().take_while(|&(at, index)| fits((at, index))).count();
            let (batch, later) = rest.split_at(count.max(1));
            rest = later;
            let width = batch.iter().map(|&index| widths[index]).max().unwrap_or(0).max(NARROWEST);
            let mut input = vec![0.0_f32; batch.len() * 3 * HEIGHT * width];
            for (&index, into) in batch.iter().zip(input.chunks_exact_mut(3 * HEIGHT * width)) {
                let (found, way) = &boxes[index];
                cut(page, found, *way, widths[index], width, into);
            }
            let input = NdTensor::from_data([batch.len(), 3, HEIGHT, width], input);
            let output: NdTensor<f32, 3> = self.network.run(input)?;
            let [lines, steps, classes] = output.shape();
            if classes != self.characters.classes() {
                return Err(VisionError::Characters);
            }
            if lines != batch.len() {
                return Err(VisionError::Run);
            }
            let values = output.to_vec();
            let size = (steps * classes).max(1);
            for (&index, line) in batch.iter().zip(values.chunks_exact(size)) {
                readings[index] = decode(&self.characters, line.chunks_exact(classes));
            }
        }
        Ok(readings)
    }
}

/// The width of a box once it is as high as the network wants.
fn columns(found: &TextBox, way: Way) -> usize {
    let (length, height) = match way {
        Way::Level | Way::Reversed => (found.width, found.height),
        Way::Up | Way::Down => (found.height, found.width),
    };
    let width = (HEIGHT as f32 * length / height.max(1.0)).ceil();
    (width as usize).clamp(8, WIDEST)
}

/// Writes the box as planes of blue, green and red from -1 to 1; what is right of it stays 0.
fn cut(
    page: &Raster<'_>,
    found: &TextBox,
    way: Way,
    columns: usize,
    width: usize,
    out: &mut [f32],
) {
    let (u, v) = (found.along, found.down());
    // The directions in which the line is read and in which it hangs, with the box's extents there.
    let (read, hang, length, height) = match way {
        Way::Level => ((u.x, u.y), (v.x, v.y), found.width, found.height),
        Way::Reversed => ((-u.x, -u.y), (-v.x, -v.y), found.width, found.height),
        Way::Up => ((-v.x, -v.y), (u.x, u.y), found.height, found.width),
        Way::Down => ((v.x, v.y), (-u.x, -u.y), found.height, found.width),
    };
    let (step, drop) = (length / columns as f32, height / HEIGHT as f32);
    let samples = |size: f32| size.round().clamp(1.0, MOST_SAMPLES) as usize;
    let (across, down) = (samples(step), samples(drop));
    let share = 1.0 / (across * down) as f32;
    for row in 0..HEIGHT {
        for column in 0..columns.min(width) {
            let mut sum = [0.0_f32; 3];
            for sample in 0..across * down {
                let part = |index: usize, of: usize| (index as f32 + 0.5) / of as f32;
                let s = (column as f32 + part(sample % across, across)) * step - length / 2.0;
                let t = (row as f32 + part(sample / across, down)) * drop - height / 2.0;
                let x = found.center.x + s * read.0 + t * hang.0 - 0.5;
                let y = found.center.y + s * read.1 + t * hang.1 - 0.5;
                for (total, value) in sum.iter_mut().zip(page.between(x, y)) {
                    *total += value * share;
                }
            }
            for (channel, value) in sum.iter().rev().enumerate() {
                out[(channel * HEIGHT + row) * width + column] = value / 127.5 - 1.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    //! What is cut out of a page of two colours, without a network.

    use super::*;
    use crate::geometry::Point;
    use nearside_types::PageImage;

    /// Dark on the left, bright on the right.
    fn page() -> PageImage {
        let rgb = (0..40 * 20).flat_map(|at| [if at % 40 < 20 { 0 } else { 255 }; 3]).collect();
        PageImage { width: 40, height: 20, rgb }
    }

    #[test]
    fn a_box_is_cut_the_way_it_is_read() {
        let check = |width, height, way, expected: [f32; 3]| {
            let image = page();
            let (center, along) = (Point { x: 20.0, y: 10.0 }, Point { x: 1.0, y: 0.0 });
            let found = TextBox { center, along, width, height };
            let columns = columns(&found, way);
            let mut out = vec![0.5; 3 * HEIGHT * (columns + 1)];
            cut(&Raster::new(&image).unwrap(), &found, way, columns, columns + 1, &mut out);
            // First and last pixel of the first row, first of the last.
            let last = (HEIGHT - 1) * (columns + 1);
            assert_eq!([out[0], out[columns - 1], out[last]], expected, "{way:?}");
            assert_eq!(out[columns], 0.5, "beyond the box");
        };
        check(40.0, 10.0, Way::Level, [-1.0, 1.0, -1.0]);
        check(40.0, 10.0, Way::Reversed, [1.0, -1.0, 1.0]);
        check(10.0, 20.0, Way::Down, [1.0, 1.0, -1.0]);
        check(10.0, 20.0, Way::Up, [-1.0, -1.0, 1.0]);
    }

    #[test]
    fn widths_are_bounded() {
        let check = |width, height, way, expected| {
            let (center, along) = (Point { x: 0.0, y: 0.0 }, Point { x: 1.0, y: 0.0 });
            assert_eq!(columns(&TextBox { center, along, width, height }, way), expected);
        };
        check(96.0, 24.0, Way::Level, 192);
        check(24.0, 96.0, Way::Up, 192);
        check(1.0, 1000.0, Way::Level, 8);
        check(1e9, 1.0, Way::Level, WIDEST);
    }
}
