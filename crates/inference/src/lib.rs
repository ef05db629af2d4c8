//! GGUF, tokenizer, chat template, decoder models on burn, KV cache and sampling.
