//! Finds where lines of text stand on a page.

use crate::error::VisionError;
use crate::geometry::TextBox;
use crate::network::Network;
use crate::raster::{Raster, scaled};
use crate::regions::boxes;
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

/// The network halves its input five times.
const STEP: usize = 32;
/// Smaller pictures are enlarged until their shorter side has this many pixels, as in training.
const SHORTEST: f32 = 640.0;
/// Larger pages are made smaller: on a page of A4 of this height letters of 10 points have some 15 pixels, which
/// is enough to find lines; they are read from the page itself.
const LONGEST: f32 = 1280.0;

/// The boxes around lines, in pixels of `page`.
///
/// # Errors
/// `Run` when the network fails.
pub(crate) fn detect(network: &Network, page: &Raster<'_>) -> Result<Vec<TextBox>, VisionError> {
    let (width, height) = input_size(page.width, page.height);
    let small = scaled(page, width, height);
    let output: NdTensor<f32, 4> = network.run(normalised(&small.rgb, width, height))?;
    if output.shape() != [1, 1, height, width] {
        return Err(VisionError::Run);
    }
    let map = output.to_vec();
    let across = page.width as f32 / width as f32;
    let down = page.height as f32 / height as f32;
    Ok(boxes(&map, width).iter().map(|found| found.scaled(across, down)).collect())
}

/// Width and height of what the network is given.
fn input_size(width: usize, height: usize) -> (usize, usize) {
    let (width, height) = (width as f32, height as f32);
    let growth = (SHORTEST / width.min(height)).max(1.0);
    let ratio = growth.min(LONGEST / width.max(height));
    let side = |length: f32| ((length * ratio / STEP as f32).round() as usize).max(1) * STEP;
    (side(width), side(height))
}

/// Blue, green and red planes, each from -1 to 1.
fn normalised(rgb: &[u8], width: usize, height: usize) -> NdTensor<f32, 4> {
    let plane = width * height;
    let mut values = vec![0.0_f32; plane * 3];
    for (index, pixel) in rgb.chunks_exact(3).enumerate() {
        for (channel, value) in pixel.iter().rev().enumerate() {
            values[channel * plane + index] = f32::from(*value) / 127.5 - 1.0;
        }
    }
    NdTensor::from_data([1, 3, height, width], values)
}

#[cfg(test)]
mod tests {
    //! Sizes only; what is found is seen in tests/reading.rs.

    use super::*;

    #[test]
    fn sizes_are_steps_within_bounds() {
        let check = |width, height, expected| {
            assert_eq!(input_size(width, height), expected, "{width} x {height}");
        };
        check(1240, 1754, (896, 1280));
        check(600, 200, (1280, 416));
        check(100, 100, (640, 640));
        check(1, 60_000, (32, 1280));
        check(1000, 1000, (992, 992));
    }
}
