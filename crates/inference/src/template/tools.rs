//! Tools for models whose template knows none: said in the system turn, in the form that Qwen and Hermes models
//! were trained on, so that one reader of the answers serves all.

use nearside_types::{Role, Turn, UserText};
use serde_json::Value;

/// The turns with the tools at the end of the system turn, which is made where there is none.
pub(super) fn described(turns: &[Turn], tools: &[Value]) -> Vec<Turn> {
    let mut text =
        String::from("You may call these functions; each line describes one as JSON:\n<tools>\n");
    for tool in tools {
        text.push_str(&tool.to_string());
        text.push('\n');
    }
    text.push_str(
        "</tools>\nTo call one, write nothing but its name and arguments as JSON between the two tags:\n\
         <tool_call>\n{\"name\": \"…\", \"arguments\": {…}}\n</tool_call>",
    );
    let mut turns = turns.to_vec();
    match turns.first_mut().filter(|turn| turn.role == Role::System) {
        Some(system) => {
            system.content = UserText(format!("{}\n\n{text}", &*system.content));
        }
        None => turns.insert(0, Turn { role: Role::System, content: UserText(text) }),
    }
    turns
}
