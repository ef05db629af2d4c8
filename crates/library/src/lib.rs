//! Extract (in a worker process), chunk, store, search, forget.
