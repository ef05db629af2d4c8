//! Plain text: from bytes to characters, from characters to tidy lines, from lines to sections.

pub(crate) mod common;
pub(crate) mod decode;
pub(crate) mod judge;
pub(crate) mod markup;
pub(crate) mod script;
pub(crate) mod sections;
pub(crate) mod tidy;
pub(crate) mod unicode16;
