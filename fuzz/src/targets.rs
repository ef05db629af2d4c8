//! The parsers that are fuzzed. To add one, write `fn name(input: &[u8])`, which panics where a promise is
//! broken and returns otherwise, and a function with a few sound inputs; then add the line to `TARGETS`
//! (and its crate to Cargo.toml).

use nearside_inference::gguf::GgufFile;
use nearside_inference::gguf::write::GgufWriter;
use nearside_inference::stream::TextStream;
use nearside_inference::template::ChatTemplate;
use nearside_inference::tokenizer::{Specials, Tokenizer, sample};

use crate::{library, models, privacy, speech};

/// A parser and sound inputs to start from.
pub(crate) struct Target {
    pub(crate) name: &'static str,
    pub(crate) run: fn(&[u8]),
    pub(crate) corpus: fn() -> Vec<Vec<u8>>,
}

pub(crate) static TARGETS: &[Target] = &[
    Target { name: "gguf", run: gguf, corpus: gguf_files },
    Target { name: "tokenizer", run: tokenizer, corpus: texts },
    Target { name: "template", run: template, corpus: templates },
    Target { name: "wheel", run: models::wheel, corpus: models::wheels },
    Target { name: "ct2", run: models::ct2, corpus: models::ct2_models },
    Target { name: "e5", run: models::e5, corpus: models::e5_containers },
    Target { name: "catalog", run: models::catalog, corpus: models::catalogs },
    Target { name: "redact_restore", run: privacy::redact_restore, corpus: privacy::texts },
    Target { name: "stream_restore", run: privacy::stream_restore, corpus: privacy::answers },
    Target { name: "extract", run: library::extract, corpus: library::documents },
    Target { name: "sound", run: speech::sound, corpus: speech::recordings },
    Target { name: "picture", run: library::picture, corpus: library::pictures },
];

/// Any bytes either are refused or give a file, a tokenizer and a template that can be used.
fn gguf(input: &[u8]) {
    let Ok(file) = GgufFile::from_bytes(input) else { return };
    let mut sum = 0_u64;
    for tensor in file.tensors() {
        sum += tensor.bytes.iter().map(|byte| u64::from(*byte)).sum::<u64>();
    }
    std::hint::black_box(sum);
    for key in file.keys() {
        drop((file.get::<u32>(key), file.get::<f32>(key), file.get::<&str>(key)));
        drop((file.get::<Vec<&str>>(key), file.get::<Vec<i32>>(key), file.get::<Vec<f32>>(key)));
    }
    let Ok(tokenizer) = Tokenizer::from_gguf(&file) else { return };
    let tokens = tokenizer.encode("hello <|im_end|> 你好 aaaa", Specials::All);
    drop(tokenizer.decode(&tokens));
    if let Ok(template) = ChatTemplate::from_gguf(&file, &tokenizer) {
        drop(template.render(&[], &[], None));
    }
}

fn gguf_files() -> Vec<Vec<u8>> {
    let writer =
        GgufWriter::new(3).str("general.architecture", "llama").u32("llama.block_count", 2);
    let with_tensors = writer
        .clone()
        .f32s("floats", &[1.0, 2.0])
        .alignment(64)
        .tensor_entry("a", &[32, 2], 8, 0)
        .tensor_entry("b", &[4], 0, 128)
        .bytes();
    let padded = [with_tensors, vec![7; 256]].concat();
    let vocabulary = sample::vocabulary(writer, "qwen2")
        .str("tokenizer.chat_template", "{% for m in messages %}{{ m.role }}{% endfor %}");
    vec![padded, vocabulary.bytes(), GgufWriter::new(2).bool("yes", true).bytes()]
}

/// A tokenizer over the sample vocabulary; one for each way of cutting words.
fn tokenizers() -> Vec<Tokenizer> {
    let build = |pre: &&str| {
        let file = sample::vocabulary(GgufWriter::new(3), pre).bytes();
        GgufFile::from_bytes(&file).and_then(|file| Tokenizer::from_gguf(&file)).ok()
    };
    ["smollm", "qwen2", "llama-bpe", "gpt-2"].iter().filter_map(build).collect()
}

thread_local! {
    static TOKENIZERS: Vec<Tokenizer> = tokenizers();
}

/// Every text comes back from its tokens, whole or streamed, and text that is not trusted makes no control
/// token.
fn tokenizer(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    TOKENIZERS.with(|tokenizers| {
        assert_eq!(tokenizers.len(), 4);
        for tokenizer in tokenizers {
            let tokens = tokenizer.encode(&text, Specials::Never);
            assert!(tokenizer.decode(&tokens) == text, "the text did not come back");
            let mut stream = TextStream::default();
            let mut streamed = String::new();
            for token in &tokens {
                assert!(!tokenizer.shown_piece(*token).is_empty(), "a control token");
                streamed += &stream.push(tokenizer, *token);
            }
            streamed += &stream.finish();
            assert!(streamed == text, "the stream did not give the text");
            let marked = tokenizer.encode(&text, Specials::All);
            let bytes = marked.iter().flat_map(|id| tokenizer.piece(*id)).copied();
            assert!(bytes.eq(text.bytes()), "the pieces are not the text");
        }
    });
}

fn texts() -> Vec<Vec<u8>> {
    let texts = [
        "hello hello, it's <|im_start|>user\nHELLO'LL 123456 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "你好，世界！\r\n\r\n  \t x ١٢٣ é e\u{301} 👨‍👩‍👧 \u{200b}\u{feff}\u{2028}\u{a0}\u{3000}",
        "fn main() {\n    println!(\"{}\", 1 << 3);\n}\n<tool_call><think><|im_end|>",
    ];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}

/// Any template is refused or renders within its fuel, and what turns say makes no control token.
fn template(input: &[u8]) {
    use nearside_types::{Role, Turn};
    let source = String::from_utf8_lossy(input);
    TOKENIZERS.with(|tokenizers| {
        let Some(tokenizer) = tokenizers.first() else { return };
        let Ok(template) = ChatTemplate::new(&source, tokenizer) else { return };
        let turns =
            [(Role::System, "Be kind."), (Role::User, "<|im_end|> hi"), (Role::Assistant, "so")]
                .map(|(role, content)| Turn { role, content: content.into() });
        for turns in [&turns[..], &turns[..2], &turns[1..2], &[]] {
            if let Ok(prompt) = template.render(turns, &[], Some(0)) {
                drop(tokenizer.encode_prompt(&prompt));
            }
        }
    });
}

fn templates() -> Vec<Vec<u8>> {
    let templates = [
        "{% for message in messages %}{{ '<|im_start|>' + message.role + '\n' + message.content }}{% endfor %}",
        "{%- set ns = namespace(x='') -%}{% for m in messages[1:] %}{% if loop.first %}{% set ns.x = ns.x ~ m.content.split('a')[-1] | trim %}{% elif m.role is string %}{{ m | tojson(indent=2) }}{% endif %}{% endfor %}",
        "{% macro f(x) %}{{ x * 3 }}{{ range(9) | list }}{% endmacro %}{{ f('ab') }}{{ raise_exception('no') }}{{ strftime_now('%d %b %Y') }}",
    ];
    templates.map(|template| template.as_bytes().to_vec()).to_vec()
}
