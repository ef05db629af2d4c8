//! Pure: decide where a request runs, and say what was ruled out.
