//! Looks at a template before it may run: refuses those that could make a value contain itself.
//!
//! minijinja bounds a template's work and memory, but prints, compares and drops nested values by recursion
//! without a bound, and a namespace put into itself (`{% set ns.x = ns %}`) overflows the stack, which no
//! one can catch. Namespaces are the only values that change, so it is enough that none is ever used as a
//! value; templates of real models only read and set what is in them. Values that are merely deep are
//! provided for by the stack that rendering gets.

use minijinja::machinery::{Token, tokenize};
use minijinja::syntax::SyntaxConfig;

/// Says what is wrong.
pub(super) fn vet(source: &str, syntax: &SyntaxConfig) -> Result<(), String> {
    let tokens = tokenize(source, false, syntax.clone());
    let tokens: Vec<Token<'_>> = tokens
        .map(|token| token.map(|(token, _)| token))
        .collect::<Result<_, _>>()
        .map_err(|error| format!("it does not parse ({})", error.kind()))?;

    let is =
        |at: usize, word: &str| matches!(tokens.get(at), Some(Token::Ident(name)) if *name == word);
    // `set NAME = namespace (`, by the place of NAME.
    let binds = |at: usize| {
        at > 0
            && is(at - 1, "set")
            && matches!(tokens.get(at + 1), Some(Token::Assign))
            && is(at + 2, "namespace")
            && matches!(tokens.get(at + 3), Some(Token::ParenOpen))
    };
    let names: Vec<&str> = tokens
        .iter()
        .enumerate()
        .filter_map(|(at, token)| match token {
            Token::Ident(name) if binds(at) => Some(*name),
            _ => None,
        })
        .collect();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Ident(name) = token else { continue };
        let is_attribute = at > 0 && matches!(tokens[at - 1], Token::Dot);
        let is_looked_into = matches!(tokens.get(at + 1), Some(Token::Dot | Token::BracketOpen));
        let is_bound_here = binds(at);
        let makes_one = *name == "namespace" && at >= 2 && binds(at - 2);
        if is_attribute || is_bound_here || makes_one {
            continue;
        }
        if *name == "namespace" || (names.contains(name) && !is_looked_into) {
            return Err("it uses a namespace as a value".to_owned());
        }
    }
    Ok(())
}
