//! Crypto-currency addresses: Bitcoin and its relatives by base58check or bech32(m), Ethereum by shape.

use nearside_types::EntityType;
use sha2::{Digest, Sha256};

use crate::recognizer::{Recognizer, Trigger, Verdict};

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "base58_address",
        kind: EntityType::Crypto,
        pattern: r"[13LMDmnT29X][1-9A-HJ-NP-Za-km-z]{25,34}",
        trigger: Trigger::Run,
        check: |c| Verdict::sure_if(base58check(c.text()), "base58check"),
        when_sure: 98,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "bech32_address",
        kind: EntityType::Crypto,
        pattern: r"(?:bc1|tb1|ltc1|BC1|TB1)[02-9ac-hj-np-zAC-HJ-NP-Z]{6,87}",
        trigger: Trigger::Words(&["bc1", "tb1", "ltc1"]),
        reach: Some((2, 100)),
        check: |c| Verdict::sure_if(bech32(c.text()), "bech32 checksum"),
        when_sure: 98,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "ethereum_address",
        kind: EntityType::Crypto,
        pattern: r"0x[0-9a-fA-F]{40}",
        trigger: Trigger::Words(&["0x"]),
        reach: Some((2, 64)),
        score: 92,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "monero_address",
        kind: EntityType::Crypto,
        pattern: r"[48][0-9AB][1-9A-HJ-NP-Za-km-z]{93}",
        trigger: Trigger::Run,
        score: 88,
        ..Recognizer::BASE
    },
];

fn base58check(text: &str) -> bool {
    const SIGNS: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    let mut bytes = [0_u8; 25];
    for sign in text.bytes() {
        let Some(value) = SIGNS.iter().position(|s| *s == sign) else { return false };
        let mut carry = u32::try_from(value).unwrap_or(0);
        for byte in bytes.iter_mut().rev() {
            carry += u32::from(*byte) * 58;
            *byte = (carry & 0xff) as u8;
            carry >>= 8;
        }
        if carry != 0 {
            return false;
        }
    }
    let (body, sum) = bytes.split_at(21);
    Sha256::digest(Sha256::digest(body))[..4] == *sum
}

/// BIP 173 and BIP 350.
fn bech32(text: &str) -> bool {
    const SIGNS: &str = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    const GENERATOR: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];
    let mixed = text.bytes().any(|b| b.is_ascii_lowercase())
        && text.bytes().any(|b| b.is_ascii_uppercase());
    let lower = text.to_ascii_lowercase();
    let Some((prefix, data)) = lower.split_once('1') else { return false };
    if mixed || data.len() < 7 {
        return false;
    }
    let high = prefix.bytes().map(|b| u32::from(b >> 5));
    let low = prefix.bytes().map(|b| u32::from(b & 31));
    let mut check = 1_u32;
    let mut feed = |value: u32| {
        let top = check >> 25;
        check = (check & 0x1ff_ffff) << 5 ^ value;
        for (i, g) in GENERATOR.iter().enumerate() {
            if top >> i & 1 == 1 {
                check ^= g;
            }
        }
    };
    high.chain([0]).chain(low).for_each(&mut feed);
    for sign in data.chars() {
        let Some(value) = SIGNS.find(sign) else { return false };
        feed(u32::try_from(value).unwrap_or(0));
    }
    matches!(check, 1 | 0x2bc8_30a3)
}
