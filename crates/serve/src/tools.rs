//! The tools of a request: which may be called, which must be, and the form that a forced call has.

use nearside_types::{Constraint, Failure};
use serde_json::{Map, Value, json};

/// More would not fit a small model's context.
const MOST_TOOLS: usize = 128;

/// What a request says of tools.
#[derive(Debug, Default)]
pub(crate) struct Tools {
    /// As they came; each is a function with a name.
    offered: Vec<Value>,
    /// The model must call one of these.
    forced: Vec<String>,
}

fn name(tool: &Value) -> Option<&str> {
    let name = tool["function"]["name"].as_str()?;
    (tool["type"] == "function" && !name.is_empty() && name.len() <= 64).then_some(name)
}

impl Tools {
    /// # Errors
    /// `Usage` for a tool that is no function, and a choice that names none of them.
    pub(crate) fn of(tools: &Value, choice: &Value) -> Result<Self, Failure> {
        let offered = match tools {
            Value::Null => Vec::new(),
            Value::Array(tools) if tools.len() <= MOST_TOOLS => tools.clone(),
            _ => return Err(Failure::usage("`tools` must be a list of at most 128 functions.")),
        };
        let names: Option<Vec<&str>> = offered.iter().map(name).collect();
        let names = names.ok_or_else(|| {
            Failure::usage(
                "Each of `tools` must be {\"type\": \"function\", \"function\": {\"name\": …}}.",
            )
        })?;
        let wrong = || {
            Failure::usage(
                "`tool_choice` must be none, auto, required or the name of one of `tools`.",
            )
        };
        let forced: Vec<String> = match choice {
            Value::Null => Vec::new(),
            Value::String(word) if word == "auto" => Vec::new(),
            Value::String(word) if word == "none" => return Ok(Self::default()),
            Value::String(word) if word == "required" && !names.is_empty() => {
                names.iter().map(|name| (*name).to_owned()).collect()
            }
            one => match one["function"]["name"].as_str() {
                Some(wanted) if names.contains(&wanted) => vec![wanted.to_owned()],
                _ => return Err(wrong()),
            },
        };
        Ok(Self { offered, forced })
    }

    pub(crate) fn offered(&self) -> &[Value] {
        &self.offered
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.offered.iter().filter_map(name).map(str::to_owned).collect()
    }

    /// The form of the answer where a call is forced: one call, valid under the schema of its function.
    ///
    /// # Errors
    /// `Usage` when two functions define the same name in `$defs` in two ways.
    pub(crate) fn constraint(&self) -> Result<Option<Constraint>, Failure> {
        if self.forced.is_empty() {
            return Ok(None);
        }
        let mut definitions = Map::new();
        let mut calls = Vec::new();
        for tool in &self.offered {
            let Some(name) = name(tool).filter(|name| self.forced.iter().any(|f| f == name)) else {
                continue;
            };
            let mut parameters = match &tool["function"]["parameters"] {
                Value::Object(fields) => fields.clone(),
                _ => Map::from_iter([("type".to_owned(), json!("object"))]),
            };
            // References are from the root, which is now around this schema.
            if let Some(Value::Object(own)) = parameters.remove("$defs") {
                for (key, value) in own {
                    if definitions.get(&key).is_some_and(|known| *known != value) {
                        return Err(Failure::usage(
                            "Two of `tools` define the same name in `$defs` differently; rename one.",
                        ));
                    }
                    definitions.insert(key, value);
                }
            }
            calls.push(json!({
                "type": "object",
                "properties": {"name": {"const": name}, "arguments": parameters},
                "required": ["name", "arguments"],
                "additionalProperties": false,
            }));
        }
        let schema = json!({
            "anyOf": calls,
            "$defs": definitions,
            "x-guidance": {"whitespace_flexible": false, "item_separator": ", ", "key_separator": ": "},
        });
        Ok(Some(Constraint::Lark(format!(
            "start: \"<tool_call>\\n\" call \"\\n</tool_call>\"\ncall: %json {schema}\n"
        ))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str) -> Value {
        json!({"type": "function", "function": {"name": name, "parameters": {"type": "object"}}})
    }

    fn check(tools: &Value, choice: &Value, expected: Result<(usize, bool), ()>) {
        let found = Tools::of(tools, choice)
            .and_then(|tools| Ok((tools.offered().len(), tools.constraint()?.is_some())));
        assert_eq!(found.map_err(|_| ()), expected, "{tools} {choice}");
    }

    #[test]
    fn a_choice_must_fit_the_tools() {
        let two = json!([tool("add"), tool("now")]);
        check(&Value::Null, &Value::Null, Ok((0, false)));
        check(&two, &json!("auto"), Ok((2, false)));
        check(&two, &json!("none"), Ok((0, false)));
        check(&two, &json!("required"), Ok((2, true)));
        check(&two, &json!({"type": "function", "function": {"name": "now"}}), Ok((2, true)));
        check(&two, &json!({"type": "function", "function": {"name": "rm"}}), Err(()));
        check(&json!([]), &json!("required"), Err(()));
        check(&json!([{}]), &Value::Null, Err(()));
        check(&json!("add"), &Value::Null, Err(()));
    }

    #[test]
    fn definitions_move_to_the_root() {
        let tool = |name: &str, definition: Value| {
            json!({"type": "function", "function": {"name": name, "parameters": {
                "properties": {"x": {"$ref": "#/$defs/X"}}, "$defs": {"X": definition},
            }}})
        };
        let of = |a, b| Tools::of(&json!([tool("a", a), tool("b", b)]), &json!("required"));
        let same = of(json!({"type": "string"}), json!({"type": "string"})).unwrap();
        let Ok(Some(Constraint::Lark(lark))) = same.constraint() else { panic!() };
        assert!(lark.contains(r#""$defs":{"X":{"type":"string"}}"#), "{lark}");
        assert!(
            of(json!({"type": "string"}), json!({"type": "null"})).unwrap().constraint().is_err()
        );
    }
}
