//! Writes the window's TypeScript types from `nearside-types`, and proves that the committed file is fresh.
//!
//! Types that the listed roots do not reach are not written: the window does not see them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Result, bail};
use nearside_types as types;
use ts_rs::{Config, TS, TypeVisitor};

use crate::place::Place;
use crate::step::say;

const FILE: &str = "ui/src/ipc/bindings.ts";

/// Every declaration that is reachable from a root, by name.
struct Declarations<'a> {
    config: &'a Config,
    found: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if T::output_path().is_none() {
            return;
        }
        let name = T::ident(self.config);
        if self.found.contains_key(&name) {
            return;
        }
        let comment = T::docs().unwrap_or_default();
        self.found.insert(name, format!("{comment}export {}\n", T::decl(self.config)));
        T::visit_dependencies(self);
    }
}

pub(crate) fn bindings(check: bool) -> Result<()> {
    let file = Place::find()?.root.join(FILE);
    let fresh = generate();
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    if committed == fresh {
        say("bindings are fresh");
        return Ok(());
    }
    if check {
        bail!(
            "{FILE} is not what crates/types generates; run `cargo xtask bindings` and commit it"
        );
    }
    std::fs::write(&file, fresh)?;
    say(&format!("wrote {FILE}"));
    Ok(())
}

fn generate() -> String {
    let config = Config::new().with_large_int("number");
    let mut all = Declarations { config: &config, found: BTreeMap::new() };
    macro_rules! roots {
        ($($root:ident),* $(,)?) => {$( all.visit::<types::$root>(); )*};
    }
    roots!(
        Adapter,
        Answer,
        AppEvent,
        AppInfo,
        ChatEvent,
        Conversation,
        ConversationSummary,
        DownloadEvent,
        EntityEdit,
        Failure,
        FileChip,
        Forgotten,
        IndexProgress,
        IndexedFile,
        LedgerItem,
        LedgerVerdict,
        Microphone,
        ModelInfo,
        OwnList,
        Preview,
        ProviderCheck,
        SearchHit,
        SendRequest,
        Settings,
        SettingsPatch,
        Summary,
        Transcript,
        TranscriptFormat,
        VaultState,
        VoiceEvent,
    );
    let mut text = String::from(
        "// Written by `cargo xtask bindings` from crates/types. Do not edit: change the Rust types.\n",
    );
    for declaration in all.found.values() {
        let _ = write!(text, "\n{declaration}");
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_declarations_reach_nested_types() {
        let text = super::generate();
        for name in ["export type Span =", "export type Footer =", "export type UserText = string"]
        {
            assert!(text.contains(name), "{name} is missing");
        }
    }
}
