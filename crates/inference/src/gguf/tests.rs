//! Tests of the GGUF reader on files made by `GgufWriter`.
