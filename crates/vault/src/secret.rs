//! `Secret`: keys, passphrases and tokens, which are shown to nobody and wiped when they go.
//!
//! It does not lock memory pages: a swap file or a core dump may still hold a copy.

use std::fmt;

use zeroize::Zeroize;

/// A value that `Debug` shows as `***` and that is zeroed when dropped.
///
/// ```
/// let key = nearside_vault::Secret::new("tell nobody".to_owned());
/// assert_eq!(format!("{key:?}"), "***");
/// assert_eq!(key.expose().len(), 11);
/// ```
#[derive(Clone)]
pub struct Secret<T: Zeroize>(T);

impl<T: Zeroize> Secret<T> {
    #[must_use]
    pub fn new(value: T) -> Self {
        Self(value)
    }

    /// The value itself. The name is there to be searched for.
    #[must_use]
    pub fn expose(&self) -> &T {
        &self.0
    }
}

impl<T: Zeroize> Drop for Secret<T> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl<T: Zeroize> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl From<String> for Secret<String> {
    fn from(value: String) -> Self {
        Self(value)
    }
}
