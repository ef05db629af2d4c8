//! The crate graph: which crate may depend on which. Dev-dependencies may also use test-kit.

use std::collections::BTreeSet;

use anyhow::{Context, Result};

/// Who may import whom. `types` is everybody's; everything that is not here is forbidden.
const ALLOWED: &[(&str, &[&str])] = &[
    ("types", &[]),
    ("kernels", &[]),
    ("inference", &["kernels"]),
    ("name-trainer", &["inference"]),
    ("catalog", &[]),
    ("speech", &[]),
    ("vision", &[]),
    ("vault", &[]),
    ("privacy", &[]),
    ("router", &[]),
    ("library", &["vault"]),
    ("link", &[]),
    ("cloud", &["vault", "privacy", "link"]),
    ("serve", &[]),
    (
        "engine",
        &[
            "kernels",
            "inference",
            "catalog",
            "speech",
            "vision",
            "vault",
            "privacy",
            "router",
            "library",
            "link",
            "cloud",
            "serve",
        ],
    ),
    ("node", &["inference", "catalog", "link", "serve", "vault"]),
    ("cli", &["engine"]),
    ("app", &["engine"]),
    ("test-kit", &[]),
    (
        "fuzz",
        &[
            "inference",
            "catalog",
            "library",
            "privacy",
            "speech",
            "cloud",
            "vault",
            "link",
            "engine",
            "kernels",
        ],
    ),
];

/// What only tests may import: the library's worker is tried with the recogniser that it runs with.
const IN_TESTS: &[(&str, &str)] = &[("library", "vision")];

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) dev: bool,
}

/// The edges between our own crates, from `cargo metadata`.
pub(super) fn edges(metadata: &str) -> Result<BTreeSet<Edge>> {
    let metadata: serde_json::Value = serde_json::from_str(metadata).context("cargo metadata")?;
    let mut edges = BTreeSet::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let Some(from) = package["name"].as_str().and_then(|name| name.strip_prefix("nearside-"))
        else {
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            if let Some(to) =
                dependency["name"].as_str().and_then(|name| name.strip_prefix("nearside-"))
            {
                edges.insert(Edge {
                    from: from.to_owned(),
                    to: to.to_owned(),
                    dev: dependency["kind"] == "dev",
                });
            }
        }
    }
    Ok(edges)
}

/// One sentence for each edge that the design does not have.
pub(super) fn complaints(edges: &BTreeSet<Edge>) -> Vec<String> {
    edges
        .iter()
        .filter(|edge| {
            let allowed = ALLOWED.iter().find(|(name, _)| *name == edge.from).map(|(_, to)| *to);
            let fine = edge.to == "types"
                || (edge.dev && edge.to == "test-kit")
                || (edge.dev && IN_TESTS.contains(&(edge.from.as_str(), edge.to.as_str())))
                || allowed.is_some_and(|to| to.contains(&edge.to.as_str()));
            !fine
        })
        .map(|edge| {
            format!(
                "nearside-{} must not depend on nearside-{}: they meet through the traits in types",
                edge.from, edge.to
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(from: &str, to: &str, kind: &str, allowed: bool) {
        let metadata = format!(
            r#"{{"packages": [{{"name": "nearside-{from}", "dependencies": [{{"name": "nearside-{to}", "kind": {kind}}}, {{"name": "serde", "kind": null}}]}}]}}"#
        );
        let found = complaints(&edges(&metadata).unwrap());
        assert_eq!(found.is_empty(), allowed, "{from} -> {to}: {found:?}");
    }

    #[test]
    fn a_forbidden_edge_is_found() {
        check("library", "privacy", "null", false);
        check("privacy", "vault", "null", false);
        check("types", "vault", "null", false);
        check("library", "test-kit", "null", false);
        check("unheard-of", "vault", "null", false);
        check("cli", "cloud", "\"build\"", false);
    }

    #[test]
    fn the_designed_edges_pass() {
        check("cloud", "privacy", "null", true);
        check("kernels", "types", "null", true);
        check("library", "test-kit", "\"dev\"", true);
        check("library", "vision", "\"dev\"", true);
        check("library", "vision", "null", false);
        check("engine", "cloud", "null", true);
    }
}
