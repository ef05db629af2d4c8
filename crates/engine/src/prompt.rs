//! A prompt that fits: the system turn stays, the oldest turns go first, and the user is told.
//!
//! Turns leave in blocks of about a quarter of the room, and the blocks are counted from the beginning; so
//! a growing conversation keeps one unchanged prefix for many turns, and the model's cache with it.

use nearside_types::{Failure, FailureKind, Notice, Remark, Role, TextModel, Turn};

/// Turns that fit the model.
pub(crate) struct Fitted {
    pub(crate) turns: Vec<Turn>,
    /// How many earlier turns were left out.
    pub(crate) left_out: usize,
}

impl Fitted {
    /// What the user is told when something was left out.
    pub(crate) fn notice(&self) -> Option<Notice> {
        let turns = self.left_out as u64;
        (turns > 0).then(|| Remark::TurnsLeftOut { turns }.into())
    }
}

/// Leaves out the oldest turns after the system turn until prompt and `reserve` tokens of answer fit.
///
/// # Errors
/// `Usage` with code `context_overflow` when even the last question alone does not fit.
pub(crate) fn fit(
    model: &dyn TextModel,
    turns: Vec<Turn>,
    reserve: usize,
) -> Result<Fitted, Failure> {
    let room =
        model.context_length().saturating_sub(reserve.min(model.context_length() / 2)).max(1);
    if model.count_prompt(&turns)? <= room {
        return Ok(Fitted { turns, left_out: 0 });
    }
    let pinned = usize::from(turns.first().is_some_and(|turn| turn.role == Role::System));
    let (head, rest) = turns.split_at(pinned);
    let build = |from: usize| -> Vec<Turn> { head.iter().chain(&rest[from..]).cloned().collect() };
    for from in boundaries(model, rest, room / 4) {
        let kept = build(from);
        if model.count_prompt(&kept)? <= room {
            return Ok(Fitted { turns: kept, left_out: from });
        }
    }
    // The last exchange alone is too long for blocks: keep the question, and what it goes on writing.
    let last_question = rest.iter().rposition(|turn| turn.role == Role::User).unwrap_or(0);
    let kept = build(last_question);
    if model.count_prompt(&kept)? < model.context_length() {
        return Ok(Fitted { turns: kept, left_out: last_question });
    }
    Err(Failure::coded(
        FailureKind::Usage,
        "context_overflow",
        format!(
            "The question is longer than the {} tokens that {} can read; shorten it or choose a model \
             with a longer context.",
            model.context_length(),
            model.name()
        ),
    )
    .with("context", model.context_length()))
}

/// Indexes of user turns at which a block of at least `block` tokens has ended, oldest first.
fn boundaries(model: &dyn TextModel, turns: &[Turn], block: usize) -> Vec<usize> {
    let mut out = Vec::new();
    let mut tokens = 0;
    for (index, turn) in turns.iter().enumerate() {
        if index > 0 && turn.role == Role::User && tokens >= block {
            out.push(index);
            tokens = 0;
        }
        tokens += model.count_tokens(&turn.content);
    }
    out
}

#[cfg(test)]
mod tests {
    use nearside_test_kit::ParrotModel;

    use super::*;

    fn conversation(exchanges: usize) -> Vec<Turn> {
        let turn = |role, content: String| Turn { role, content: content.into() };
        let mut turns = vec![turn(Role::System, "be brief".into())];
        for n in 0..exchanges {
            turns.push(turn(Role::User, format!("question {n} about the matter of the day")));
            turns.push(turn(
                Role::Assistant,
                format!("answer {n} with nine more words for the count"),
            ));
        }
        turns.push(turn(Role::User, "the last question".into()));
        turns
    }

    #[test]
    fn everything_stays_when_it_fits() {
        let fitted = fit(&ParrotModel::new(), conversation(3), 100).unwrap();
        assert_eq!((fitted.turns.len(), fitted.left_out), (8, 0));
        assert!(fitted.notice().is_none());
    }

    #[test]
    fn the_oldest_turns_go_in_blocks_and_the_prefix_is_stable() {
        let model = ParrotModel::new().with_context(300);
        let starts: Vec<(String, usize)> = (8..40)
            .map(|n| {
                let fitted = fit(&model, conversation(n), 60).unwrap();
                assert_eq!(fitted.turns[0].role, Role::System);
                assert_eq!(&*fitted.turns.last().unwrap().content, "the last question");
                assert!(model.count_prompt(&fitted.turns).unwrap() <= 240);
                (fitted.turns[1].content.0.clone(), fitted.left_out)
            })
            .collect();
        let changes = starts.windows(2).filter(|pair| pair[0].0 != pair[1].0).count();
        assert!(
            changes <= starts.len() / 3,
            "the prefix changed {changes} times in {}",
            starts.len()
        );
        assert!(starts.last().unwrap().1 > 0);
    }

    #[test]
    fn a_question_longer_than_the_model_is_refused_with_a_sentence() {
        let long = vec![Turn { role: Role::User, content: "word ".repeat(400).into() }];
        let failure = fit(&ParrotModel::new().with_context(200), long, 50).err().unwrap();
        assert_eq!(failure.code, "context_overflow");
    }
}
