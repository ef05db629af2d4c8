//! AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce in front: `nonce || ciphertext || tag`.
//!
//! A random nonce is safe for some 2^32 messages under one key; the sealed values here are few.

use aes_gcm::aead::{Aead, Payload};
use aes_gcm::{Aes256Gcm, KeyInit};

use crate::VaultError;
use crate::derive::random;

const NONCE: usize = 12;
/// Bytes that sealing adds.
pub(crate) const OVERHEAD: usize = NONCE + 16;

pub(crate) fn seal(key: &[u8; 32], context: &[u8], plain: &[u8]) -> Result<Vec<u8>, VaultError> {
    let nonce = random::<NONCE>()?;
    let mut sealed = Vec::with_capacity(plain.len() + OVERHEAD);
    sealed.extend_from_slice(&nonce);
    sealed.extend(seal_at(key, &nonce, context, plain)?);
    Ok(sealed)
}

pub(crate) fn open(key: &[u8; 32], context: &[u8], sealed: &[u8]) -> Result<Vec<u8>, VaultError> {
    let (nonce, body) = sealed.split_first_chunk::<NONCE>().ok_or(VaultError::NotSealed)?;
    open_at(key, nonce, context, body)
}

/// Seals under a nonce that the caller never uses twice with this key.
pub(crate) fn seal_at(
    key: &[u8; 32],
    nonce: &[u8; NONCE],
    context: &[u8],
    plain: &[u8],
) -> Result<Vec<u8>, VaultError> {
    Aes256Gcm::new(key.into())
        .encrypt(nonce.into(), Payload { msg: plain, aad: context })
        .map_err(|_| VaultError::NotSealed)
}

pub(crate) fn open_at(
    key: &[u8; 32],
    nonce: &[u8; NONCE],
    context: &[u8],
    body: &[u8],
) -> Result<Vec<u8>, VaultError> {
    Aes256Gcm::new(key.into())
        .decrypt(nonce.into(), Payload { msg: body, aad: context })
        .map_err(|_| VaultError::NotSealed)
}
