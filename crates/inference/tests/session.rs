//! `LocalModel` as `TextModel`, on SmolLM2. Skipped where the weights are absent.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test says why it fails or skips")]

use std::path::PathBuf;

use nearside_inference::speculation::Speculation;
use nearside_inference::{LoadOptions, LocalModel};
use nearside_types::{
    Cancel, Constraint, FinishReason, GenerateOptions, Generation, Role, TextModel, Turn,
};
use serde_json::{Value, json};

fn model(context: Option<usize>) -> Option<LocalModel> {
    model_with(LoadOptions { context, ..Default::default() })
}

fn model_with(options: LoadOptions) -> Option<LocalModel> {
    let folder = std::env::var_os("NEARSIDE_MODELS_DIR").map(PathBuf::from);
    let path = folder.map(|folder| folder.join("smollm2-135m.gguf")).filter(|path| path.is_file());
    let Some(path) = path else {
        println!("skipped: smollm2-135m.gguf is not in NEARSIDE_MODELS_DIR");
        return None;
    };
    let options = LoadOptions { name: "smollm2-135m".to_owned(), ..options };
    Some(LocalModel::load(path, options).unwrap())
}

fn turn(role: Role, content: &str) -> Turn {
    Turn { role, content: content.into() }
}

fn options(max_tokens: usize) -> GenerateOptions {
    GenerateOptions { max_tokens, ..Default::default() }
}

fn ask(model: &mut LocalModel, turns: &[Turn], max_tokens: usize) -> (String, Generation) {
    let mut text = String::new();
    let generation = model
        .generate(turns, &options(max_tokens), &Cancel::new(), &mut |_, _| {}, &mut |piece| {
            text.push_str(piece);
        })
        .unwrap();
    (text, generation)
}

#[test]
fn answers_and_reuses_what_it_has_read() {
    let Some(mut model) = model(None) else { return };
    let question = turn(Role::User, "What is gravity?");
    let (first, generation) = ask(&mut model, std::slice::from_ref(&question), 40);
    assert!(first.contains("physics"), "{first}");
    assert_eq!(generation.tokens.reused, 0);
    assert_eq!(
        model.count_prompt(std::slice::from_ref(&question)).unwrap() as u64,
        generation.tokens.prompt
    );
    assert!(generation.timings.decode_tokens_per_s > 0.0);

    let more = turn(Role::User, "And what is light?");
    let turns = [question, turn(Role::Assistant, &first), more];
    let (warm, generation) = ask(&mut model, &turns, 24);
    assert!(generation.tokens.reused > 20, "{:?}", generation.tokens);
    let (again, generation) = ask(&mut model, &turns, 24);
    assert_eq!(generation.tokens.reused, generation.tokens.prompt - 1);
    assert_eq!(warm, again);
}

/// Guesses, right and wrong ones, change neither an answer nor what is kept for the next.
#[test]
fn prompt_lookup_changes_nothing_but_the_time() {
    let check = |options: &GenerateOptions| {
        let answers =
            [Speculation::Off, Speculation::Always, Speculation::Auto].map(|speculation| {
                let mut model = model_with(LoadOptions { speculation, ..Default::default() })?;
                let list = "red apple, green pear, red apple, yellow plum, red apple, green pear";
                let mut turns = vec![turn(Role::User, &format!("Repeat this list twice: {list}"))];
                let mut said = String::new();
                for more in ["And once more.", "Now in reverse."] {
                    let mut text = String::new();
                    let generation = model
                        .generate(&turns, options, &Cancel::new(), &mut |_, _| {}, &mut |piece| {
                            text.push_str(piece);
                        })
                        .unwrap();
                    said += &format!("{text}\n{:?}\n", generation.tokens);
                    turns.extend([turn(Role::Assistant, &text), turn(Role::User, more)]);
                }
                Some(said)
            });
        let [Some(off), Some(always), Some(auto)] = answers else { return };
        assert_eq!(always, off);
        assert_eq!(auto, off);
    };
    check(&options(60));
    check(&GenerateOptions { temperature: 0.9, repetition_penalty: 1.1, seed: 5, ..options(60) });
}

#[test]
fn goes_on_writing_the_assistants_turn() {
    let Some(mut model) = model(None) else { return };
    let turns = [
        turn(Role::User, "Count from one to five in words."),
        turn(Role::Assistant, "One, two, three,"),
    ];
    let (text, _) = ask(&mut model, &turns, 8);
    assert!(text.trim_start().to_lowercase().starts_with("four"), "{text}");
}

#[test]
fn refuses_what_does_not_fit_before_it_computes() {
    let Some(mut model) = model(Some(64)) else { return };
    assert_eq!(model.context_length(), 64);
    let turns = [turn(Role::User, &"word ".repeat(100))];
    let failure = model
        .generate(&turns, &options(5), &Cancel::new(), &mut |_, _| panic!("computed"), &mut |_| {})
        .unwrap_err();
    assert_eq!(failure.code, "context_overflow");
    // What fits ends at the context, with a reason.
    let (_, generation) = ask(&mut model, &[turn(Role::User, "Write a long story.")], 500);
    assert_eq!(generation.finish, FinishReason::Length);
    assert!(generation.tokens.prompt + generation.tokens.generated <= 64);
}

#[test]
fn stops_within_one_token_of_a_cancel() {
    let Some(mut model) = model(None) else { return };
    let turns = [turn(Role::User, "Write a long story about the sea.")];
    let cancel = Cancel::new();
    let mut pieces = 0;
    let generation = model
        .generate(&turns, &options(200), &cancel, &mut |_, _| {}, &mut |_| {
            pieces += 1;
            if pieces == 3 {
                cancel.cancel();
            }
        })
        .unwrap();
    assert_eq!(generation.finish, FinishReason::Cancelled);
    assert!(pieces <= 4 && generation.tokens.generated <= 6, "{pieces}");

    // During the prompt: between two chunks.
    let turns = [turn(Role::User, &"The sea was calm. ".repeat(120))];
    let cancel = Cancel::new();
    let mut seen = 0;
    let generation = model
        .generate(
            &turns,
            &options(5),
            &cancel,
            &mut |done, _| {
                seen = done;
                if done > 50 {
                    cancel.cancel();
                }
            },
            &mut |_| panic!("wrote"),
        )
        .unwrap();
    assert_eq!((generation.finish, generation.tokens.generated), (FinishReason::Cancelled, 0));
    assert!((seen as u64) < generation.tokens.prompt);
}

/// A small model that would not write JSON by itself writes what the schema says, guessed ahead or not.
#[test]
fn an_answer_keeps_its_form() {
    let schema = json!({
        "type": "object",
        "properties": {
            "town": {"type": "string", "maxLength": 20},
            "people": {"type": "integer", "minimum": 0, "maximum": 99_999_999},
            "size": {"enum": ["small", "large"]},
        },
        "required": ["town", "people", "size"],
        "additionalProperties": false,
    });
    for (speculation, temperature) in
        [(Speculation::Off, 0.0), (Speculation::Always, 0.0), (Speculation::Off, 1.5)]
    {
        let Some(mut model) = model_with(LoadOptions { speculation, ..Default::default() }) else {
            return;
        };
        let constraint = Some(Constraint::JsonSchema(schema.clone()));
        let options = GenerateOptions { constraint, temperature, ..options(120) };
        let turns = [turn(Role::User, "Tell me about a town.")];
        let mut text = String::new();
        let generation = model
            .generate(&turns, &options, &Cancel::new(), &mut |_, _| {}, &mut |piece| {
                text.push_str(piece);
            })
            .unwrap();
        assert_eq!(generation.finish, FinishReason::Stop, "{text}");
        let value: Value = serde_json::from_str(&text).unwrap();
        assert!(value["town"].is_string() && value["people"].is_u64(), "{text}");
        assert!(["small", "large"].contains(&value["size"].as_str().unwrap()), "{text}");
    }
}

/// What was written is as likely when it is read: the same logits by two ways.
#[test]
fn a_text_is_as_likely_written_as_read() {
    let Some(mut model) = model(None) else { return };
    let start = "The capital of France is";
    let mut text = String::new();
    let options = GenerateOptions { logprobs: Some(3), ..options(6) };
    let generation =
        model.complete(start, &options, &Cancel::new(), &mut |piece| text.push_str(piece)).unwrap();
    assert!(text.contains("Paris"), "{text}");
    assert_eq!(generation.logprobs.len() as u64, generation.tokens.generated);
    let read = model.score(&format!("{start}{text}"), 3, &Cancel::new()).unwrap();
    assert!(read[0].logprob.is_none() && read[1..].iter().all(|token| token.logprob.is_some()));
    let spelled: Vec<u8> = read.iter().flat_map(|token| token.token.0.clone()).collect();
    assert_eq!(String::from_utf8(spelled).unwrap(), format!("{start}{text}"));
    let tail = &read[read.len() - generation.logprobs.len()..];
    for (written, read) in generation.logprobs.iter().zip(tail) {
        assert_eq!(written, read);
        // Greedy: the chosen token is the likeliest.
        assert_eq!(Some(written.top[0].1), written.logprob);
    }
}
