//! One master key, many keys: HKDF-Expand (RFC 5869 §2.3) with HMAC-SHA256, one block.
//!
//! The extract step is left out: RFC 5869 §3.3 allows it where the input is already a uniformly random
//! key, which the master key is. Passphrases never come here; they go through Argon2id first.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::Zeroize;

use crate::Secret;

pub(crate) type Key = Secret<[u8; 32]>;

/// The key for one purpose: HMAC(master, info || 0x01).
pub(crate) fn expand(master: &[u8; 32], info: &[u8]) -> Key {
    Secret::new(mac(master, &[info, &[1]]))
}

/// HMAC-SHA256 over the parts, one after the other.
fn mac(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    // HMAC pads a short key with zeros to SHA-256's block of 64 bytes (RFC 2104 §2). A whole block is
    // the one length whose constructor cannot fail.
    let mut block = [0; 64];
    block[..32].copy_from_slice(key);
    let mut state = <Hmac<Sha256> as KeyInit>::new((&block).into());
    block.zeroize();
    for part in parts {
        state.update(part);
    }
    state.finalize().into_bytes().into()
}

/// A key that can only compute message authentication codes, handed to an owner of a chain.
#[derive(Debug, Clone)]
pub struct MacKey(pub(crate) Key);

impl MacKey {
    /// HMAC-SHA256 (RFC 2104) over the parts, each preceded by its length as eight bytes, so that no
    /// two lists of parts have the same code.
    #[must_use]
    pub fn code(&self, parts: &[&[u8]]) -> [u8; 32] {
        let lengths: Vec<[u8; 8]> =
            parts.iter().map(|part| (part.len() as u64).to_le_bytes()).collect();
        let mut all: Vec<&[u8]> = Vec::with_capacity(parts.len() * 2);
        for (part, length) in parts.iter().zip(&lengths) {
            all.push(length);
            all.push(part);
        }
        mac(self.0.expose(), &all)
    }
}

/// Fresh random bytes from the operating system.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], crate::VaultError> {
    let mut bytes = [0; N];
    if let Err(error) = getrandom::fill(&mut bytes) {
        bytes.zeroize();
        return Err(crate::VaultError::Random(error.to_string()));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(text: &str) -> Vec<u8> {
        (0..text.len() / 2)
            .map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap())
            .collect()
    }

    /// RFC 5869 A.1 and A.3: PRK, info and the first block of OKM.
    #[test]
    fn the_first_block_of_rfc_5869() {
        for (prk, info, okm) in [
            (
                "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
                "f0f1f2f3f4f5f6f7f8f9",
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf",
            ),
            (
                "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
                "",
                "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d",
            ),
        ] {
            let key: [u8; 32] = hex(prk).try_into().unwrap();
            assert_eq!(expand(&key, &hex(info)).expose().to_vec(), hex(okm));
        }
    }

    #[test]
    fn parts_cannot_be_shifted() {
        let key = MacKey(Secret::new([7; 32]));
        assert_ne!(key.code(&[b"ab", b"c"]), key.code(&[b"a", b"bc"]));
        assert_ne!(key.code(&[b"ab"]), key.code(&[b"ab", b""]));
    }
}
