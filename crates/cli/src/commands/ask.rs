//! `ask`: a question, about files where some are given. Without a conversation, an approval or a passphrase it
//! opens no vault and keeps nothing.

use nearside_engine::attach::{ByHash, CallEvent, Request, Session};
use nearside_engine::{Headless, Said};
use nearside_types::{Cancel, Failure, Role};
use serde_json::Value;

use super::task::{Watch, options, request};
use crate::Outcome;
use crate::arguments::{Ask, Common};
use crate::{batch, input, interrupt, place};

pub(crate) fn run(common: &Common, ask: &Ask) -> Outcome {
    let cancel = interrupt::cancel();
    let headless = place::headless(common)?;
    if ask.jsonl {
        return batch::run(&cancel, &mut |text, _| {
            answer(&headless, ask, text, &cancel, &mut Watch::new(&quiet(common)))
        });
    }
    // The data folder, where it can be opened, knows what its owner always hides: a preview shows that. It is
    // opened before the question is read, because its passphrase may be the first line of standard input.
    let stores =
        ask.conversation.is_some() || ask.run.approve.is_some() || common.passphrase_fd.is_some();
    let session = if stores { Some(place::session(common)?) } else { None };
    let text = input::text(ask.text.as_deref())?;
    if text.trim().is_empty() {
        return Err(Failure::usage(
            "The question is empty; give it as an argument or on standard input.",
        ));
    }
    let mut watch = Watch::new(common);
    let result = match session {
        Some(session) => stored(&session, &headless, ask, &text, &cancel, &mut watch),
        None => answer(&headless, ask, &text, &cancel, &mut watch),
    };
    watch.end(result)
}

/// Answers here, and keeps nothing.
fn answer(
    headless: &Headless,
    ask: &Ask,
    text: &str,
    cancel: &Cancel,
    watch: &mut Watch,
) -> Result<Value, Failure> {
    let options = options(&ask.run, headless);
    let mut on_event = |event| watch.event(event);
    let documents = headless.read(&ask.files, cancel, &mut on_event)?;
    let said = [Said { role: Role::User, content: text.into(), documents }];
    let answer = headless.ask(&said, &options, &mut ByHash(None), cancel, &mut on_event)?;
    super::summarize::value(&answer)
}

/// Answers through the data folder: a conversation, or an approved request that its ledger must hold.
fn stored(
    session: &Session,
    headless: &Headless,
    ask: &Ask,
    text: &str,
    cancel: &Cancel,
    watch: &mut Watch,
) -> Result<Value, Failure> {
    let mut request = request(&ask.run, headless);
    request.text = text.into();
    request.files = ask.files.iter().map(|path| input::absolute(path)).collect::<Result<_, _>>()?;
    request.conversation.clone_from(&ask.conversation);
    session.call(Request::Ask(Box::new(request)), cancel, &mut |event| {
        if let CallEvent::Chat { event } = event {
            watch.event(event);
        }
    })
}

/// A batch prints whole objects only.
fn quiet(common: &Common) -> Common {
    Common {
        json: true,
        data_dir: common.data_dir.clone(),
        passphrase_fd: common.passphrase_fd,
        catalog: common.catalog.clone(),
    }
}
