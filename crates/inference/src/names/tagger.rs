//! `NameTagger`: sentences to names. Sentences run together in one tensor; one that is longer than the
//! encoder reads is cut into windows that overlap.

use std::path::Path;

use nearside_kernels::Compute;
use nearside_types::{Failure, Name, NameModel};

use super::head::{FEATURE_LAYERS, NameHead};
use super::tags::{KINDS, TAGS, Tag};
use crate::encoder::{EncodedText, Encoder, EncoderTokenizer, batches};
use crate::{Error, Result};

/// Tokens that two windows of a long sentence share.
const OVERLAP: usize = 64;

/// The head that `nearside-name-trainer` made; see the README beside it.
const HEAD: &[u8] = include_bytes!("../../assets/names.safetensors");

/// An encoder's first layers with a head for names.
#[derive(Debug)]
pub struct NameTagger {
    encoder: Encoder,
    tokenizer: EncoderTokenizer,
    head: NameHead,
}

impl NameTagger {
    /// Loads the encoder's folder; the head is built in.
    ///
    /// # Errors
    /// When a file is missing, or the encoder is not the one that the head was trained on.
    pub fn load(folder: &Path, compute: Compute) -> Result<Self> {
        let head = NameHead::from_bytes(HEAD, compute.clone())?;
        let last = FEATURE_LAYERS.into_iter().max().unwrap_or(0);
        let encoder = Encoder::load(folder, compute, Some(last))?;
        let tokenizer = EncoderTokenizer::open(&folder.join("tokenizer.json"))?;
        let width = encoder.settings().width * FEATURE_LAYERS.len();
        if encoder.settings().layers != last || head.features() != width {
            return Err(Error::Unsupported("the name model was made for another encoder".into()));
        }
        if encoder.vocabulary() < tokenizer.vocab_size()
            || encoder.settings().longest <= 2 * OVERLAP
        {
            return Err(Error::Metadata("the encoder's sizes contradict its tokenizer".into()));
        }
        Ok(Self { encoder, tokenizer, head })
    }

    /// # Errors
    /// When the model computes no numbers.
    pub fn tag(&self, sentences: &[&str]) -> Result<Vec<Vec<Name>>> {
        let encoded: Vec<EncodedText> =
            sentences.iter().map(|text| self.tokenizer.encode(text, usize::MAX)).collect();
        let windows: Vec<Window> = encoded
            .iter()
            .enumerate()
            .flat_map(|(text, encoded)| windows(text, encoded, self.encoder.settings().longest))
            .collect();
        let mut emissions: Vec<Vec<f32>> =
            encoded.iter().map(|text| vec![0.0; (text.ids.len() - 2) * TAGS]).collect();
        for batch in batches(&windows, |window| window.ids.len()) {
            self.run(batch, &mut emissions)?;
        }
        let names =
            |(encoded, emissions): (&EncodedText, Vec<f32>)| self.names(encoded, &emissions);
        Ok(encoded.iter().zip(emissions).map(names).collect())
    }

    /// Computes windows together and writes what they are the best judges of.
    fn run(&self, windows: &[Window], emissions: &mut [Vec<f32>]) -> Result<()> {
        let texts: Vec<&[u32]> = windows.iter().map(|window| &*window.ids).collect();
        let lengths: Vec<usize> = texts.iter().map(|text| text.len()).collect();
        let features = self.encoder.features(&texts, &FEATURE_LAYERS)?;
        let scores = self.head.emissions(features, &lengths)?;
        let mut row = 0;
        for window in windows {
            let place = &mut emissions[window.text];
            for (token, keep) in (window.first..).zip(&window.keeps) {
                row += 1;
                if *keep {
                    // Rows are counted from 1 here, since the window's first row is its beginning.
                    place[token * TAGS..][..TAGS].copy_from_slice(&scores[row * TAGS..][..TAGS]);
                }
            }
            row += 2;
        }
        Ok(())
    }

    fn names(&self, encoded: &EncodedText, emissions: &[f32]) -> Vec<Name> {
        let mut names: Vec<Name> = Vec::new();
        let mut count = 0.0;
        let mut begun = None;
        let places = &encoded.places[1..encoded.places.len() - 1];
        let tags = self.head.transitions.best(emissions);
        let shares = self.head.transitions.shares(emissions, &tags);
        for ((tag, share), (start, end)) in tags.iter().zip(shares).zip(places) {
            let (start, end) = (*start as usize, *end as usize);
            // A space that is a token of its own may begin a name whose first letter comes after it.
            let begins = match *tag {
                Tag::Begins(kind) => Some(kind),
                Tag::Inside(_) => begun.take(),
                Tag::Outside => None,
            };
            begun = begins.filter(|_| start == end);
            match (*tag, begins, names.last_mut()) {
                (_, Some(kind), _) if start < end => {
                    count = 1.0;
                    names.push(Name { start, end, kind: KINDS[kind], score: share });
                }
                (Tag::Inside(_), None, Some(name)) if start < end && start <= name.end + 1 => {
                    name.end = end.max(name.end);
                    name.score = (name.score * count + share) / (count + 1.0);
                    count += 1.0;
                }
                _ => {}
            }
        }
        names
    }
}

/// A stretch of a text with its control tokens.
struct Window {
    text: usize,
    /// The text's token that the window begins with, control tokens not counted.
    first: usize,
    ids: Vec<u32>,
    /// For each token but the control ones, whether this window judges it.
    keeps: Vec<bool>,
}

fn windows(text: usize, encoded: &EncodedText, longest: usize) -> Vec<Window> {
    let inner = &encoded.ids[1..encoded.ids.len() - 1];
    let (begin, end) = (encoded.ids[0], encoded.ids[encoded.ids.len() - 1]);
    let room = longest - 2;
    let mut all = Vec::new();
    let mut first = 0;
    while first < inner.len() {
        let until = inner.len().min(first + room);
        let keeps = (first..until).map(|token| {
            let late = first == 0 || token >= first + OVERLAP / 2;
            late && (until == inner.len() || token < until - OVERLAP / 2)
        });
        let keeps = keeps.collect();
        let ids = [&[begin], &inner[first..until], &[end]].concat();
        all.push(Window { text, first, ids, keeps });
        if until == inner.len() {
            break;
        }
        first = until - OVERLAP;
    }
    all
}

impl NameModel for NameTagger {
    fn names(&self, sentences: &[&str]) -> Result<Vec<Vec<Name>>, Failure> {
        Ok(self.tag(sentences)?)
    }
}
