//! Draws a page of a PDF as a picture, for pages whose text must be read from it.
//!
//! hayro draws; it is not ours, so the caller keeps a panic to the page, and the worker's clock and memory
//! bound what a hostile page can take.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::Pdf;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use nearside_types::PageImage;
use std::sync::Arc;

/// Dots an inch: letters of 10 points get some 24 pixels.
const RESOLUTION: f32 = 170.0;
/// A page of stamps' size is drawn larger, a poster smaller: the longer side in pixels.
const SIDES: std::ops::RangeInclusive<f32> = 1400.0..=2800.0;

/// The file, parsed a second time when the first page must be drawn.
pub(super) enum Renderer<'a> {
    Waiting(&'a [u8]),
    Ready(Box<Pdf>),
    Failed,
}

impl<'a> Renderer<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self::Waiting(bytes)
    }

    /// The page as it is shown, on white, or none when it cannot be drawn.
    pub(super) fn draw(&mut self, index: usize) -> Option<PageImage> {
        if let Self::Waiting(bytes) = *self {
            // A panic while parsing must not be met again on each page.
            *self = Self::Failed;
            if let Ok(pdf) = Pdf::new(Arc::new(bytes.to_vec())) {
                *self = Self::Ready(Box::new(pdf));
            }
        }
        let Self::Ready(pdf) = self else { return None };
        let page = pdf.pages().get(index)?;
        let (width, height) = page.render_dimensions();
        let longest = width.max(height);
        if !longest.is_finite() || longest <= 0.0 || width.min(height) <= 0.0 {
            return None;
        }
        let side = (longest * RESOLUTION / 72.0).clamp(*SIDES.start(), *SIDES.end());
        let scale = side / longest;
        let settings = PixmapSettings { x_scale: scale, y_scale: scale, bg_color: WHITE };
        let pixmap = hayro::render(
            page,
            &RenderCache::new(),
            &InterpreterSettings::default(),
            &RenderSettings::default(),
            &settings,
        );
        let (width, height) = (u32::from(pixmap.width()), u32::from(pixmap.height()));
        // On white nothing shines through, so the colours are what they are.
        let rgb: Vec<u8> =
            pixmap.data().iter().flat_map(|pixel| [pixel.r, pixel.g, pixel.b]).collect();
        (width > 0 && height > 0).then_some(PageImage { width, height, rgb })
    }
}
