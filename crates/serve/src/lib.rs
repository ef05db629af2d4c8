//! Listens: the OpenAI-compatible HTTP API.
