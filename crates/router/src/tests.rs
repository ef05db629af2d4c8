//! Decisions as snapshots, and what holds for any facts.

use nearside_types::{EntityCount, EntityType, Reason, Route, RouteChoice};
use proptest::prelude::*;

use crate::*;

fn device() -> DeviceFacts {
    DeviceFacts {
        model: Some(LocalModel {
            name: "small".into(),
            context_length: 4096,
            parameters_millions: 500,
        }),
        online: true,
        battery: None,
    }
}

fn policy() -> PolicyFacts {
    PolicyFacts {
        cloud: Some(CloudModel { name: "far".into(), context_length: 128_000 }),
        never: vec![EntityType::NationalId, EntityType::Secret],
        ..PolicyFacts::default()
    }
}

fn request(text: &str) -> Request {
    Request {
        prompt_tokens: 40,
        answer_tokens: 256,
        features: Features::of(text),
        ..Request::default()
    }
}

/// The stable word of a reason, as it is on the wire.
fn code(reason: &Reason) -> String {
    serde_json::to_value(reason).unwrap()["code"].as_str().unwrap().to_owned()
}

fn check(name: &str, request: &Request, device: &DeviceFacts, policy: &PolicyFacts) {
    let decision = decide(request, device, policy);
    let line = |code: &str, text: &str| format!("  {code}: {text}\n");
    let mut shown = format!("{:?} at {:.3}\n", decision.chosen, decision.score);
    for reason in &decision.reasons {
        shown.push_str(&line(&code(reason), &reason.text));
    }
    for discarded in &decision.discarded {
        shown.push_str(&format!("not {:?}\n", discarded.route));
        shown.push_str(&line(&code(&discarded.reason), &discarded.reason.text));
    }
    insta::assert_snapshot!(name, shown);
}

#[test]
fn decisions() {
    let easy = request("What is the capital of France?");
    let hard = request(
        "Compare both designs step by step, prove which is faster, and calculate the cost: ```fn f() {}```",
    );
    check("an_easy_question", &easy, &device(), &policy());
    check("a_hard_question", &hard, &device(), &policy());
    let joint = PolicyFacts { joint: vec![TaskKind::Chat], ..policy() };
    check("a_hard_question_divided", &hard, &device(), &joint);
    check("local_only", &hard, &device(), &PolicyFacts { local_only: true, ..policy() });
    check("no_provider", &hard, &device(), &PolicyFacts { cloud: None, ..policy() });
    check("offline", &hard, &DeviceFacts { online: false, ..device() }, &policy());
    let id = EntityCount { kind: EntityType::NationalId, count: 1 };
    let sensitive = Request { entities: vec![id], ..hard.clone() };
    check("sensitive", &sensitive, &device(), &policy());
    let phone = EntityCount { kind: EntityType::Phone, count: 2 };
    check("masked_phone", &Request { entities: vec![phone], ..hard.clone() }, &device(), &policy());
    let long = Request { prompt_tokens: 20_000, ..easy.clone() };
    check("too_long_for_local", &long, &device(), &policy());
    check(
        "summaries_split",
        &Request { task: TaskKind::Summarize, ..long.clone() },
        &device(),
        &policy(),
    );
    let huge = Request { prompt_tokens: 2_000_000, ..easy.clone() };
    check("too_long_for_both", &huge, &device(), &policy());
    check("no_local_model", &easy, &DeviceFacts { model: None, ..device() }, &policy());
    let cloud = Request { choice: RouteChoice::Cloud, ..easy.clone() };
    check("user_chose_cloud", &cloud, &device(), &policy());
    check(
        "user_chose_cloud_in_local_only",
        &cloud,
        &device(),
        &PolicyFacts { local_only: true, ..policy() },
    );
    let local = Request { choice: RouteChoice::Local, ..hard };
    check("user_chose_local", &local, &device(), &policy());
    check(
        "user_chose_local_too_long",
        &Request { prompt_tokens: 20_000, ..local },
        &device(),
        &policy(),
    );
    let speech = Request { task: TaskKind::Transcribe, ..easy };
    check("speech_stays", &speech, &DeviceFacts { model: None, ..device() }, &policy());
}

#[test]
fn features() {
    let check = |text: &str, expected: Features| assert_eq!(Features::of(text), expected, "{text}");
    check("你好！", Features { words: 1, small_talk: true, ..Features::default() });
    check("Hello there", Features { words: 2, small_talk: true, ..Features::default() });
    check(
        "为什么这个函数报错？",
        Features { words: 4, demands: 1, code: true, reasoning: true, ..Features::default() },
    );
    check("say it shorter", Features { words: 3, ..Features::default() });
}

fn facts() -> impl Strategy<Value = (Request, DeviceFacts, PolicyFacts)> {
    let choice =
        prop_oneof![Just(RouteChoice::Auto), Just(RouteChoice::Local), Just(RouteChoice::Cloud)];
    let task = prop_oneof![
        Just(TaskKind::Chat),
        Just(TaskKind::AskFiles),
        Just(TaskKind::Summarize),
        Just(TaskKind::Code),
        Just(TaskKind::Transcribe)
    ];
    let kind = (0..EntityType::ALL.len()).prop_map(|i| EntityType::ALL[i]);
    let entities = proptest::collection::vec((kind, 0_usize..3), 0..4);
    let model = proptest::option::of((1_u64..200_000, 0_u64..80_000));
    let flags = any::<[bool; 6]>();
    (choice, task, 0_u64..400_000, 0_u64..5000, entities, model, flags).prop_map(
        |(choice, task, prompt_tokens, answer_tokens, entities, model, flags)| {
            let [online, local_only, provider, hard, joint, veto] = flags;
            let request = Request {
                choice,
                task,
                prompt_tokens,
                answer_tokens,
                entities: entities
                    .into_iter()
                    .map(|(kind, count)| EntityCount { kind, count })
                    .collect(),
                features: Features {
                    reasoning: hard,
                    code: hard,
                    mathematics: hard,
                    ..Features::default()
                },
            };
            let model = model.map(|(context_length, parameters_millions)| LocalModel {
                name: "m".into(),
                context_length,
                parameters_millions,
            });
            let policy = PolicyFacts {
                local_only,
                cloud: provider.then(|| CloudModel { name: "far".into(), context_length: 128_000 }),
                never: if veto { vec![EntityType::Secret] } else { vec![] },
                joint: if joint { vec![TaskKind::Chat, TaskKind::AskFiles] } else { vec![] },
            };
            (request, DeviceFacts { model, online, battery: None }, policy)
        },
    )
}

proptest! {
    #[test]
    fn any_facts((request, device, policy) in facts()) {
        let decision = decide(&request, &device, &policy);
        prop_assert!((0.0..=1.0).contains(&decision.score));
        prop_assert!(!decision.reasons.is_empty());
        let leaves = matches!(decision.chosen, Some(Route::Cloud | Route::Joint));
        let secret = request.entities.iter().any(|e| e.count > 0 && policy.never.contains(&e.kind));
        prop_assert!(!(leaves && (policy.local_only || policy.cloud.is_none() || !device.online || secret)));
        prop_assert!(!(leaves && request.choice == RouteChoice::Local));
        prop_assert!(!(decision.chosen == Some(Route::Local) && request.choice == RouteChoice::Cloud));
        // Each route is either chosen or discarded with a reason, and never both.
        for route in [Route::Local, Route::Joint, Route::Cloud] {
            let discarded = decision.discarded.iter().filter(|d| d.route == route).count();
            prop_assert_eq!(discarded, usize::from(decision.chosen != Some(route)));
        }
        prop_assert!(decision.discarded.iter().all(|d| !d.reason.text.is_empty()));
        prop_assert_eq!(decision, decide(&request, &device, &policy));
    }
}
