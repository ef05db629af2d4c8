//! Image files to pixels: bounded, upright as the camera says, on white paper.

use crate::limits::Limits;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader};
use nearside_types::PageImage;
use std::io::Cursor;

/// Why a picture was not decoded.
pub(super) enum Refusal {
    TooLarge { pixels: u64, limit: u64 },
    Damaged,
}

/// The formats of `kind` that are decoded.
const FORMATS: [(&str, ImageFormat); 6] = [
    ("png", ImageFormat::Png),
    ("jpeg", ImageFormat::Jpeg),
    ("webp", ImageFormat::WebP),
    ("bmp", ImageFormat::Bmp),
    ("tiff", ImageFormat::Tiff),
    ("gif", ImageFormat::Gif),
];

pub(super) fn is_read(format: &str) -> bool {
    FORMATS.iter().any(|(name, _)| *name == format)
}

/// The first frame.
pub(super) fn decode(bytes: &[u8], format: &str, limits: &Limits) -> Result<PageImage, Refusal> {
    let known = FORMATS.iter().find(|(name, _)| *name == format);
    let (_, format) = known.ok_or(Refusal::Damaged)?;
    let mut reader = ImageReader::with_format(Cursor::new(bytes), *format);
    let mut bounds = image::Limits::default();
    bounds.max_alloc = Some(limits.max_picture_bytes);
    reader.limits(bounds);
    let mut decoder = reader.into_decoder().map_err(|_| Refusal::Damaged)?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels > limits.max_picture_pixels || decoder.total_bytes() > limits.max_picture_bytes {
        return Err(Refusal::TooLarge { pixels, limit: limits.max_picture_pixels });
    }
    // A camera that lay on its side says so; a broken remark is no reason to refuse the picture.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut image = DynamicImage::from_decoder(decoder).map_err(|_| Refusal::Damaged)?;
    image.apply_orientation(orientation);
    let rgb = if image.color().has_alpha() { on_white(&image) } else { image.into_rgb8() };
    let (width, height) = rgb.dimensions();
    Ok(PageImage { width, height, rgb: rgb.into_raw() })
}

/// What shines through is paper: screenshots with black letters on nothing are common.
fn on_white(image: &DynamicImage) -> image::RgbImage {
    let source = image.to_rgba8();
    let mut out = image::RgbImage::new(source.width(), source.height());
    for (from, to) in source.pixels().zip(out.pixels_mut()) {
        let alpha = u32::from(from[3]);
        for channel in 0..3 {
            let mixed = u32::from(from[channel]) * alpha + 255 * (255 - alpha);
            to[channel] = u8::try_from(mixed / 255).unwrap_or(u8::MAX);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    //! Pictures of a few pixels in every format that is read, and broken ones.

    use super::*;
    use image::{Rgba, RgbaImage};

    fn encoded(format: ImageFormat) -> Vec<u8> {
        let mut image = RgbaImage::from_pixel(12, 8, Rgba([0, 0, 0, 255]));
        image.put_pixel(0, 0, Rgba([9, 9, 9, 0]));
        let image = DynamicImage::ImageRgba8(image);
        let image = match format {
            ImageFormat::Jpeg | ImageFormat::Bmp => DynamicImage::ImageRgb8(image.to_rgb8()),
            _ => image,
        };
        let mut out = Cursor::new(Vec::new());
        image.write_to(&mut out, format).unwrap();
        out.into_inner()
    }

    #[test]
    fn every_format_is_decoded_or_refused() {
        for (name, format) in FORMATS {
            let bytes = encoded(format);
            let image = decode(&bytes, name, &Limits::default()).ok().unwrap();
            assert_eq!((image.width, image.height, image.rgb.len()), (12, 8, 288), "{name}");
            let half = decode(&bytes[..bytes.len() / 3], name, &Limits::default());
            assert!(matches!(half, Err(Refusal::Damaged)), "{name}");
            let narrow = Limits { max_picture_pixels: 95, ..Limits::default() };
            let refused = decode(&bytes, name, &narrow);
            assert!(matches!(refused, Err(Refusal::TooLarge { pixels: 96, .. })), "{name}");
        }
    }

    #[test]
    fn nothing_is_white() {
        let image = decode(&encoded(ImageFormat::Png), "png", &Limits::default()).ok().unwrap();
        assert_eq!((&image.rgb[..3], &image.rgb[3..6]), (&[255; 3][..], &[0; 3][..]));
    }
}
