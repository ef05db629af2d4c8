//! Small models by formula: the value of element i of the n-th tensor is
//! `((7919 i + 104729 n) mod 2001 - 1000) / 1000`. A script in Python writes the same bytes, and the hashes
//! of what the reference converters made of them are the golden values.

use half::f16;

pub(crate) const WHISPER_TOKENIZER: &str = r#"{"added_tokens":[{"id":50256}],"model":{"vocab":{"a":0,"Ġthe":1,"ä½ł":2,"<|endoftext|>":50256}}}"#;

/// Exactly as numpy computes it: the difference in whole numbers, one division in f32.
fn exact(seed: u64, count: u64) -> Vec<f32> {
    (0..count)
        .map(|index| {
            let number = ((index * 7919 + seed * 104_729) % 2001) as i64 - 1000;
            number as f32 / 1000.0
        })
        .collect()
}

struct Model {
    out: Vec<u8>,
    count: u32,
    seed: u64,
    wide: bool,
}

fn string(text: &str) -> Vec<u8> {
    let mut out = (text.len() as u16 + 1).to_le_bytes().to_vec();
    out.extend_from_slice(text.as_bytes());
    out.push(0);
    out
}

impl Model {
    fn weight(&mut self, name: &str, shape: &[u32]) {
        self.seed += 1;
        self.count += 1;
        let count = shape.iter().map(|dimension| u64::from(*dimension)).product();
        let data: Vec<u8> = exact(self.seed, count)
            .into_iter()
            .flat_map(|value| {
                if self.wide {
                    value.to_le_bytes().to_vec()
                } else {
                    f16::from_f32(value).to_le_bytes().to_vec()
                }
            })
            .collect();
        self.out.extend(string(name));
        self.out.push(shape.len() as u8);
        self.out.extend(shape.iter().flat_map(|dimension| dimension.to_le_bytes()));
        self.out.push(if self.wide { 0 } else { 4 });
        self.out.extend((data.len() as u32).to_le_bytes());
        self.out.extend(data);
    }

    fn norm(&mut self, name: &str) {
        self.weight(&format!("{name}/gamma"), &[8]);
        self.weight(&format!("{name}/beta"), &[8]);
    }

    fn linear(&mut self, name: &str, rows: u32, columns: u32) {
        self.weight(&format!("{name}/weight"), &[rows, columns]);
        self.weight(&format!("{name}/bias"), &[rows]);
    }
}

/// A Whisper of width 8 with one layer on each side.
pub(crate) fn ct2(vocabulary: u32, wide: bool) -> Vec<u8> {
    let mut model = Model { out: Vec::new(), count: 1, seed: 0, wide };
    model.out.extend(string("encoder/num_heads"));
    model.out.extend([0, 2, 2, 0, 0, 0, 2, 0]);
    model.weight("encoder/position_encodings/encodings", &[1500, 8]);
    for (name, inputs) in [("conv1", 80), ("conv2", 8)] {
        model.weight(&format!("encoder/{name}/weight"), &[8, inputs, 3]);
        model.weight(&format!("encoder/{name}/bias"), &[8]);
    }
    model.norm("encoder/layer_norm");
    model.weight("decoder/position_encodings/encodings", &[448, 8]);
    model.weight("decoder/embeddings/weight", &[vocabulary, 8]);
    model.norm("decoder/layer_norm");
    for side in ["encoder", "decoder"] {
        let layer = format!("{side}/layer_0");
        model.norm(&format!("{layer}/self_attention/layer_norm"));
        model.linear(&format!("{layer}/self_attention/linear_0"), 24, 8);
        model.linear(&format!("{layer}/self_attention/linear_1"), 8, 8);
        if side == "decoder" {
            model.norm(&format!("{layer}/attention/layer_norm"));
            model.linear(&format!("{layer}/attention/linear_0"), 8, 8);
            model.linear(&format!("{layer}/attention/linear_1"), 16, 8);
            model.linear(&format!("{layer}/attention/linear_2"), 8, 8);
        }
        model.norm(&format!("{layer}/ffn/layer_norm"));
        model.linear(&format!("{layer}/ffn/linear_0"), 32, 8);
        model.linear(&format!("{layer}/ffn/linear_1"), 8, 32);
    }
    let mut out = 6_u32.to_le_bytes().to_vec();
    out.extend(string("WhisperSpec"));
    out.extend(3_u32.to_le_bytes());
    out.extend(model.count.to_le_bytes());
    out.extend(model.out);
    out.extend(1_u32.to_le_bytes());
    out.extend(string("decoder/projection/weight"));
    out.extend(string("decoder/embeddings/weight"));
    out
}

/// An E5 container of width 32 with one layer and 32 pieces.
pub(crate) fn e5() -> Vec<u8> {
    let mut pieces: Vec<String> =
        ["<s>", "<pad>", "</s>", "<unk>", "▁你好", "▁the"].map(str::to_owned).to_vec();
    pieces.extend(('a'..='z').map(String::from));
    let text: String = pieces.concat();
    let mut head = b"E5S1".to_vec();
    head.extend(1_u32.to_le_bytes());
    head.extend([32_i32, 1, 2, 64, 40, 8, 2].iter().flat_map(|number| number.to_le_bytes()));
    head.extend(1e-12_f32.to_le_bytes());
    head.extend([32_i32, 32, 0, 2, 1, 3].iter().flat_map(|number| number.to_le_bytes()));
    head.extend((text.len() as u64).to_le_bytes());
    let mut offset = 0_u32;
    head.extend(offset.to_le_bytes());
    for piece in &pieces {
        offset += piece.len() as u32;
        head.extend(offset.to_le_bytes());
    }
    head.extend(exact(99, 32).iter().flat_map(|score| (score * 10.0).to_le_bytes()));
    head.extend(text.as_bytes());
    head.extend(3_i32.to_le_bytes());
    head.extend(5_u32.to_le_bytes());
    head.extend(b"table");

    let mut weights = Weights { seed: 200, all: Vec::new() };
    weights.quantised("emb.word", 40 * 32);
    weights.plain("emb.pos", 8 * 32);
    weights.plain("emb.type", 2 * 32);
    weights.plain("emb.ln.w", 32);
    weights.plain("emb.ln.b", 32);
    for (name, rows, columns) in [
        ("q", 32, 32),
        ("k", 32, 32),
        ("v", 32, 32),
        ("ao", 32, 32),
        ("fi", 64, 32),
        ("fo", 32, 64),
    ] {
        weights.quantised(&format!("l0.{name}.w"), rows * columns);
        weights.plain(&format!("l0.{name}.b"), rows);
    }
    for name in ["aln", "oln"] {
        weights.plain(&format!("l0.{name}.w"), 32);
        weights.plain(&format!("l0.{name}.b"), 32);
    }
    let directory: usize = weights.all.iter().map(|(name, ..)| name.len() + 23).sum();
    let mut place = (head.len() + 4 + directory) as u64;
    head.extend((weights.all.len() as i32).to_le_bytes());
    for (name, kind, count, data) in &weights.all {
        head.extend((name.len() as u16).to_le_bytes());
        head.extend(name.as_bytes());
        head.push(*kind);
        head.extend((*count as u32).to_le_bytes());
        head.extend(place.to_le_bytes());
        head.extend((data.len() as u64).to_le_bytes());
        place += data.len() as u64;
    }
    head.extend(weights.all.into_iter().flat_map(|(.., data)| data));
    head
}

struct Weights {
    seed: u64,
    all: Vec<(String, u8, u64, Vec<u8>)>,
}

impl Weights {
    fn quantised(&mut self, name: &str, count: u64) {
        self.seed += 1;
        let mut data = Vec::new();
        for (block, scale) in exact(self.seed, count / 32).into_iter().enumerate() {
            data.extend(f16::from_f32(scale).to_le_bytes());
            let byte = |index: u64| ((block as u64 * 31 + index * 17 + self.seed * 7) % 256) as u8;
            data.extend((0..16).map(byte));
        }
        self.all.push((name.to_owned(), 2, count, data));
    }

    fn plain(&mut self, name: &str, count: u64) {
        self.seed += 1;
        let data = exact(self.seed, count).iter().flat_map(|value| value.to_le_bytes()).collect();
        self.all.push((name.to_owned(), 0, count, data));
    }
}
