//! A page from pixels to lines: found, turned upright, read, and put in order.

use crate::ctc::{Characters, Reading};
use crate::detector::detect;
use crate::error::VisionError;
use crate::geometry::TextBox;
use crate::network::{Network, threads};
use crate::order::reading_order;
use crate::raster::{Raster, Turn, scaled, turned};
use crate::recogniser::{Recogniser, Way};
use nearside_types::{Cancel, Failure, PageImage, RecognizedLine, TextRecognizer};
use std::path::Path;

/// The files of a model, by their names in the catalog.
const DETECTOR: &str = "PP-OCRv6_det_small.rten";
const RECOGNISER: &str = "PP-OCRv6_rec_small.rten";
const CHARACTERS: &str = "ppocrv6_dict.txt";

/// A larger picture is made smaller first: no letter needs more pixels than this leaves.
const MOST_PIXELS: f32 = 16e6;
/// A box this many times as long as it is wide has a direction.
const LONG: f32 = 2.0;
/// Lines that are read to tell up from down.
const SAMPLE: usize = 6;
/// So sure is nobody of text that stands on its head.
const UPRIGHT: f32 = 0.9;
/// A line below it may stand on its head, or is none.
const DOUBTFUL: f32 = 0.6;
/// A line below it is a picture, a pattern or a stain.
const NOTHING: f32 = 0.4;

/// How a page lies, and what the lines said by which that was found.
struct Direction {
    turn: Turn,
    read: Vec<(usize, Reading)>,
}

/// PP-OCR: a network that finds lines and one that reads them.
pub struct PpOcr {
    detector: Network,
    recogniser: Recogniser,
}

impl PpOcr {
    /// Loads both networks and the list of characters from a folder of the catalog's.
    ///
    /// # Errors
    /// `Model` when a file is missing or damaged.
    pub fn load(folder: &Path) -> Result<Self, VisionError> {
        let threads = threads();
        let list = std::fs::read_to_string(folder.join(CHARACTERS))
            .map_err(|_| VisionError::Model(CHARACTERS))?;
        Ok(Self {
            detector: Network::load(folder, DETECTOR, &threads)?,
            recogniser: Recogniser {
                network: Network::load(folder, RECOGNISER, &threads)?,
                characters: Characters::parse(&list),
            },
        })
    }

    /// The lines of a page in reading order.
    ///
    /// # Errors
    /// `Size` when the picture is none, `Cancelled` after a cancel, `Run` when a network fails.
    pub fn read(
        &self,
        image: &PageImage,
        cancel: &Cancel,
    ) -> Result<Vec<RecognizedLine>, VisionError> {
        let page = Raster::new(image)?;
        let pixels = page.width as f32 * page.height as f32;
        if pixels <= MOST_PIXELS {
            return self.read_page(&page, cancel);
        }
        let ratio = (MOST_PIXELS / pixels).sqrt();
        let side = |length: usize| ((length as f32 * ratio) as usize).max(1);
        let small = scaled(&page, side(page.width), side(page.height));
        let mut lines = self.read_page(&Raster::new(&small)?, cancel)?;
        for line in &mut lines {
            for length in [&mut line.left, &mut line.top, &mut line.width, &mut line.height] {
                *length /= ratio;
            }
        }
        Ok(lines)
    }

    fn read_page(
        &self,
        page: &Raster<'_>,
        cancel: &Cancel,
    ) -> Result<Vec<RecognizedLine>, VisionError> {
        let stop = || if cancel.is_cancelled() { Err(VisionError::Cancelled) } else { Ok(()) };
        stop()?;
        let boxes = detect(&self.detector, page)?;
        stop()?;
        if boxes.is_empty() {
            return Ok(Vec::new());
        }
        let Direction { turn, read } = self.direction(page, &boxes, cancel)?;
        if turn == Turn::None {
            return self.read_upright(page, &boxes, read, cancel);
        }
        let (width, height) = (page.width as f32, page.height as f32);
        let boxes: Vec<TextBox> =
            boxes.iter().map(|found| found.turned(turn, width, height)).collect();
        let upright = turned(page, turn);
        self.read_upright(&Raster::new(&upright)?, &boxes, read, cancel)
    }

    /// How far the page must be turned: most long boxes lie along its lines, and a line that stands on its
    /// head reads badly.
    fn direction(
        &self,
        page: &Raster<'_>,
        boxes: &[TextBox],
        cancel: &Cancel,
    ) -> Result<Direction, VisionError> {
        let flat = |found: &TextBox| found.width >= LONG * found.height;
        let tall = |found: &TextBox| found.height >= LONG * found.width;
        let weight = |which: &dyn Fn(&TextBox) -> bool| -> f32 {
            boxes
                .iter()
                .filter(|found| which(found))
                .map(|found| found.width.max(found.height))
                .sum()
        };
        let sideways = weight(&tall) > weight(&flat);
        let candidates = if sideways {
            [(Turn::Quarter, Way::Up), (Turn::ThreeQuarters, Way::Down)]
        } else {
            [(Turn::None, Way::Level), (Turn::Half, Way::Reversed)]
        };
        let mut sample: Vec<usize> = (0..boxes.len())
            .filter(|&index| if sideways { tall(&boxes[index]) } else { flat(&boxes[index]) })
            .collect();
        // Lines of middling length: the longest are slow to read, the shortest say little.
        let length = |index: usize| boxes[index].width.max(boxes[index].height);
        sample.sort_by(|&a, &b| length(a).total_cmp(&length(b)));
        let start = (sample.len() / 2).min(sample.len().saturating_sub(SAMPLE));
        let sample: Vec<usize> = sample.into_iter().skip(start).take(SAMPLE).collect();
        let mut best = (f32::NEG_INFINITY, Direction { turn: Turn::None, read: Vec::new() });
        for (turn, way) in candidates {
            let lines: Vec<(TextBox, Way)> =
                sample.iter().map(|&index| (boxes[index], way)).collect();
            let readings = self.recogniser.read(page, &lines, cancel)?;
            let sure = mean(&readings);
            if sure > best.0 {
                let read = sample.iter().copied().zip(readings).collect();
                best = (sure, Direction { turn, read });
            }
            if sure >= UPRIGHT {
                break;
            }
        }
        Ok(best.1)
    }

    fn read_upright(
        &self,
        page: &Raster<'_>,
        boxes: &[TextBox],
        read: Vec<(usize, Reading)>,
        cancel: &Cancel,
    ) -> Result<Vec<RecognizedLine>, VisionError> {
        let first_way = |found: &TextBox| {
            if found.height >= LONG * found.width { Way::Up } else { Way::Level }
        };
        let first: Vec<(TextBox, Way)> =
            boxes.iter().map(|&found| (found, first_way(&found))).collect();
        let unread: Vec<usize> =
            (0..boxes.len()).filter(|index| read.iter().all(|(known, _)| known != index)).collect();
        let waiting: Vec<(TextBox, Way)> = unread.iter().map(|&index| first[index]).collect();
        let mut readings = vec![Reading::default(); boxes.len()];
        let fresh = self.recogniser.read(page, &waiting, cancel)?;
        for (index, reading) in read.into_iter().chain(unread.into_iter().zip(fresh)) {
            readings[index] = reading;
        }
        let doubtful: Vec<usize> =
            (0..readings.len()).filter(|&index| readings[index].confidence < DOUBTFUL).collect();
        let second: Vec<(TextBox, Way)> = doubtful
            .iter()
            .filter_map(|&index| first.get(index))
            .map(|&(found, way)| (found, if way == Way::Up { Way::Down } else { Way::Reversed }))
            .collect();
        for (index, other) in doubtful.into_iter().zip(self.recogniser.read(page, &second, cancel)?)
        {
            if other.confidence > readings[index].confidence {
                readings[index] = other;
            }
        }
        let order = reading_order(boxes);
        let line = |index: usize| {
            let reading = readings.get(index)?;
            let text = reading.text.trim();
            if text.is_empty() || reading.confidence < NOTHING {
                return None;
            }
            let (left, top, width, height) = boxes.get(index)?.bounds();
            let confidence = reading.confidence;
            Some(RecognizedLine { text: text.into(), confidence, left, top, width, height })
        };
        Ok(order.into_iter().filter_map(line).collect())
    }
}

impl TextRecognizer for PpOcr {
    fn recognize(
        &self,
        image: &PageImage,
        cancel: &Cancel,
    ) -> Result<Vec<RecognizedLine>, Failure> {
        Ok(self.read(image, cancel)?)
    }
}

fn mean(readings: &[Reading]) -> f32 {
    let sum: f32 = readings.iter().map(|reading| reading.confidence).sum();
    sum / readings.len().max(1) as f32
}
