//! `FakeSeal`: keeps the contract of `Seal` (context is authenticated, changed bytes are refused) without
//! any cryptography. It protects nothing and must never leave a test.

use nearside_types::{Failure, Seal};

/// A seal that checks, and hides nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct FakeSeal;

fn checksum(context: &str, plain: &[u8]) -> u64 {
    context
        .bytes()
        .chain([0xff])
        .chain(plain.iter().copied())
        .fold(0xcbf2_9ce4_8422_2325, |hash, b| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

impl Seal for FakeSeal {
    fn seal(&self, context: &str, plain: &[u8]) -> Result<Vec<u8>, Failure> {
        let mut sealed = checksum(context, plain).to_le_bytes().to_vec();
        sealed.extend(plain.iter().map(|b| b ^ 0x5a));
        Ok(sealed)
    }

    fn open(&self, context: &str, sealed: &[u8]) -> Result<Vec<u8>, Failure> {
        let refused = || Failure::refused("The sealed value does not open with this key.");
        let (head, body) = sealed.split_first_chunk::<8>().ok_or_else(refused)?;
        let plain: Vec<u8> = body.iter().map(|b| b ^ 0x5a).collect();
        if u64::from_le_bytes(*head) == checksum(context, &plain) {
            Ok(plain)
        } else {
            Err(refused())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_context_or_changed_byte_is_refused() {
        let mut sealed = FakeSeal.seal("map", b"value").unwrap();
        assert_eq!(FakeSeal.open("map", &sealed).unwrap(), b"value");
        assert!(FakeSeal.open("head", &sealed).is_err());
        sealed[9] ^= 1;
        assert!(FakeSeal.open("map", &sealed).is_err());
    }
}
