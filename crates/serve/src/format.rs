//! `response_format`: the form that an answer must have. Beside OpenAI's kinds there are `regex` and `grammar`
//! (llguidance's form of Lark).

use nearside_types::{Constraint, Failure};
use serde_json::{Value, json};

/// # Errors
/// `Usage` for a kind that is none of these, or one without its form.
pub(crate) fn constraint(format: &Value) -> Result<Option<Constraint>, Failure> {
    let text = |field: &str| format[field].as_str().filter(|text| !text.is_empty());
    let found = match format["type"].as_str() {
        None if format.is_null() => return Ok(None),
        Some("text") => return Ok(None),
        Some("json_object") => Some(Constraint::JsonSchema(json!({"type": "object"}))),
        Some("json_schema") => Some(&format["json_schema"]["schema"])
            .filter(|schema| schema.is_object())
            .map(|schema| Constraint::JsonSchema(schema.clone())),
        Some("regex") => text("regex").map(|regex| Constraint::Regex(regex.to_owned())),
        Some("grammar") => text("grammar").map(|lark| Constraint::Lark(lark.to_owned())),
        _ => None,
    };
    found.map(Some).ok_or_else(|| {
        Failure::usage(
            "`response_format` must be text, json_object, json_schema with \
             `json_schema.schema`, regex with `regex`, or grammar with `grammar`.",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_form() {
        let check = |format: Value, expected: Result<Option<Constraint>, ()>| {
            assert_eq!(constraint(&format).map_err(|_| ()), expected, "{format}");
        };
        let schema = json!({"type": "array"});
        check(Value::Null, Ok(None));
        check(json!({"type": "text"}), Ok(None));
        check(
            json!({"type": "json_object"}),
            Ok(Some(Constraint::JsonSchema(json!({"type": "object"})))),
        );
        check(
            json!({"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}),
            Ok(Some(Constraint::JsonSchema(schema))),
        );
        check(
            json!({"type": "regex", "regex": "a+"}),
            Ok(Some(Constraint::Regex("a+".to_owned()))),
        );
        check(
            json!({"type": "grammar", "grammar": "start: \"a\""}),
            Ok(Some(Constraint::Lark("start: \"a\"".to_owned()))),
        );
        for wrong in [
            json!({"type": "json_schema"}),
            json!({"type": "regex"}),
            json!({"type": "xml"}),
            json!({}),
            json!("json"),
        ] {
            check(wrong, Err(()));
        }
    }
}
