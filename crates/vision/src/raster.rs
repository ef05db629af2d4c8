//! Pixels: a picture that is scaled and turned by quarters. No file formats.

use crate::error::VisionError;
use nearside_types::PageImage;

/// How far a page is turned clockwise to stand upright, in quarters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    None,
    Quarter,
    Half,
    ThreeQuarters,
}

/// A picture whose bytes are as many as its size says.
#[derive(Clone, Copy)]
pub(crate) struct Raster<'a> {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) rgb: &'a [u8],
}

impl<'a> Raster<'a> {
    /// # Errors
    /// `Size` when the bytes are too few or too many.
    pub(crate) fn new(image: &'a PageImage) -> Result<Self, VisionError> {
        let (width, height) = (image.width as usize, image.height as usize);
        let wanted = width.checked_mul(height).and_then(|pixels| pixels.checked_mul(3));
        if width == 0 || height == 0 || wanted != Some(image.rgb.len()) {
            return Err(VisionError::Size);
        }
        Ok(Self { width, height, rgb: &image.rgb })
    }

    /// The pixel nearest to a place that may lie outside.
    pub(crate) fn at(&self, x: isize, y: isize) -> [f32; 3] {
        let x = x.clamp(0, self.width as isize - 1) as usize;
        let y = y.clamp(0, self.height as isize - 1) as usize;
        let start = (y * self.width + x) * 3;
        match self.rgb.get(start..start + 3) {
            Some(&[r, g, b]) => [f32::from(r), f32::from(g), f32::from(b)],
            _ => [255.0; 3],
        }
    }

    /// Between four pixels; (0, 0) is the middle of the first one.
    pub(crate) fn between(&self, x: f32, y: f32) -> [f32; 3] {
        let (left, top) = (x.floor(), y.floor());
        let (right, down) = (x - left, y - top);
        let (column, row) = (left as isize, top as isize);
        let corners = [
            (self.at(column, row), (1.0 - right) * (1.0 - down)),
            (self.at(column + 1, row), right * (1.0 - down)),
            (self.at(column, row + 1), (1.0 - right) * down),
            (self.at(column + 1, row + 1), right * down),
        ];
        let mut out = [0.0; 3];
        for (pixel, weight) in corners {
            for (sum, value) in out.iter_mut().zip(pixel) {
                *sum += value * weight;
            }
        }
        out
    }
}

/// The same picture at another size; each new pixel is the mean of what it covers, or lies between pixels
/// where the picture grows.
pub(crate) fn scaled(image: &Raster<'_>, width: usize, height: usize) -> PageImage {
    let columns = shares(image.width, width);
    let rows = shares(image.height, height);
    // Across first, then down: each pass adds up only what it covers.
    let mut narrow = vec![0.0_f32; image.height * width * 3];
    for (from, to) in
        image.rgb.chunks_exact(image.width * 3).zip(narrow.chunks_exact_mut(width * 3))
    {
        for ((first, weights), pixel) in columns.iter().zip(to.chunks_exact_mut(3)) {
            for (weight, source) in weights.iter().zip(from[first * 3..].chunks_exact(3)) {
                for (sum, value) in pixel.iter_mut().zip(source) {
                    *sum += f32::from(*value) * weight;
                }
            }
        }
    }
    let mut rgb = Vec::with_capacity(width * height * 3);
    let mut sums = vec![0.0_f32; width * 3];
    for (first, weights) in &rows {
        sums.fill(0.0);
        for (weight, source) in
            weights.iter().zip(narrow[first * width * 3..].chunks_exact(width * 3))
        {
            for (sum, value) in sums.iter_mut().zip(source) {
                *sum += value * weight;
            }
        }
        rgb.extend(sums.iter().map(|sum| (sum + 0.5) as u8));
    }
    PageImage { width: width as u32, height: height as u32, rgb }
}

/// For each new pixel the first old one that it draws on, and the shares of that and the next ones.
fn shares(old: usize, new: usize) -> Vec<(usize, Vec<f32>)> {
    let ratio = old as f32 / new as f32;
    (0..new)
        .map(|index| {
            if ratio <= 1.0 {
                let place = ((index as f32 + 0.5) * ratio - 0.5).clamp(0.0, (old - 1) as f32);
                let first = (place as usize).min(old.saturating_sub(2));
                let share = (place - first as f32).clamp(0.0, 1.0);
                return if old == 1 { (0, vec![1.0]) } else { (first, vec![1.0 - share, share]) };
            }
            let (start, end) = (index as f32 * ratio, (index + 1) as f32 * ratio);
            let first = (start as usize).min(old - 1);
            let last = (end.ceil() as usize).clamp(first + 1, old);
            let weights: Vec<f32> = (first..last)
                .map(|at| ((at + 1) as f32).min(end) - (at as f32).max(start))
                .map(|covered| covered.max(0.0))
                .collect();
            let all: f32 = weights.iter().sum::<f32>().max(f32::MIN_POSITIVE);
            (first, weights.iter().map(|weight| weight / all).collect())
        })
        .collect()
}

/// The same picture turned clockwise.
pub(crate) fn turned(image: &Raster<'_>, turn: Turn) -> PageImage {
    let (width, height) = (image.width, image.height);
    let pixel = |x: usize, y: usize| {
        let start = (y * width + x) * 3;
        &image.rgb[start..start + 3]
    };
    let (new_width, new_height) = match turn {
        Turn::None | Turn::Half => (width, height),
        Turn::Quarter | Turn::ThreeQuarters => (height, width),
    };
    let mut rgb = Vec::with_capacity(image.rgb.len());
    for y in 0..new_height {
        for x in 0..new_width {
            rgb.extend_from_slice(match turn {
                Turn::None => pixel(x, y),
                Turn::Quarter => pixel(y, height - 1 - x),
                Turn::Half => pixel(width - 1 - x, height - 1 - y),
                Turn::ThreeQuarters => pixel(width - 1 - y, x),
            });
        }
    }
    PageImage { width: new_width as u32, height: new_height as u32, rgb }
}

#[cfg(test)]
mod tests {
    //! Sizes, means and turns on pictures of a few pixels.

    use super::*;

    fn gray(width: u32, height: u32, values: &[u8]) -> PageImage {
        PageImage { width, height, rgb: values.iter().flat_map(|&value| [value; 3]).collect() }
    }

    fn values(image: &PageImage) -> Vec<u8> {
        image.rgb.iter().step_by(3).copied().collect()
    }

    #[test]
    fn a_wrong_size_is_refused() {
        let check = |image: &PageImage, fine: bool| {
            assert_eq!(Raster::new(image).is_ok(), fine, "{image:?}");
        };
        check(&gray(2, 1, &[1, 2]), true);
        check(&gray(2, 2, &[1, 2]), false);
        check(&gray(0, 0, &[]), false);
        check(&PageImage { width: u32::MAX, height: u32::MAX, rgb: vec![0; 3] }, false);
    }

    #[test]
    fn turning_moves_the_first_pixel() {
        let check = |turn, width, expected: &[u8]| {
            let image = gray(3, 2, &[1, 2, 3, 4, 5, 6]);
            let out = turned(&Raster::new(&image).unwrap(), turn);
            assert_eq!((out.width, values(&out).as_slice()), (width, expected), "{turn:?}");
        };
        check(Turn::None, 3, &[1, 2, 3, 4, 5, 6]);
        check(Turn::Quarter, 2, &[4, 1, 5, 2, 6, 3]);
        check(Turn::Half, 3, &[6, 5, 4, 3, 2, 1]);
        check(Turn::ThreeQuarters, 2, &[3, 6, 2, 5, 1, 4]);
    }

    #[test]
    fn scaling_keeps_what_is_even_and_takes_means() {
        let check = |from: &PageImage, width: usize, height: usize, expected: &[u8]| {
            let out = scaled(&Raster::new(from).unwrap(), width, height);
            assert_eq!(values(&out), expected);
        };
        check(&gray(4, 1, &[10, 20, 30, 40]), 2, 1, &[15, 35]);
        check(&gray(2, 2, &[10, 20, 30, 40]), 1, 1, &[25]);
        check(&gray(1, 1, &[9]), 2, 2, &[9, 9, 9, 9]);
        check(&gray(2, 1, &[0, 100]), 4, 1, &[0, 25, 75, 100]);
    }

    proptest::proptest! {
        #[test]
        fn any_size_gives_the_size_asked_for(
            (width, height) in (1_u32..40, 1_u32..40), new in (1_usize..90, 1_usize..90),
        ) {
            let image = gray(width, height, &vec![77; (width * height) as usize]);
            let out = scaled(&Raster::new(&image).unwrap(), new.0, new.1);
            assert!(values(&out).iter().all(|&value| value == 77));
            assert_eq!(out.rgb.len(), new.0 * new.1 * 3);
        }
    }
}
