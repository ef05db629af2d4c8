//! Sealed values and files: they open as they were, in their place, or not at all.

use nearside_types::Seal;
use nearside_vault::VaultError;
use proptest::prelude::*;

use crate::fresh;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_was_sealed_opens(plain: Vec<u8>, context: String, flip: prop::sample::Index) {
        let (_folder, _keychain, vault) = fresh();
        let sealed = vault.seal(&context, &plain).unwrap();
        prop_assert_eq!(vault.open(&context, &sealed).unwrap(), plain);
        let mut changed = sealed.clone();
        let at = flip.index(changed.len());
        changed[at] ^= 1;
        prop_assert!(vault.open(&context, &changed).is_err());
        prop_assert!(vault.open(&context, &sealed[..sealed.len() - 1]).is_err());
        let another = format!("{context}x");
        prop_assert!(vault.open(&another, &sealed).is_err());
        prop_assert_ne!(vault.seal(&context, &[]).unwrap(), vault.seal(&context, &[]).unwrap());
    }

    #[test]
    fn foreign_bytes_never_open(bytes: Vec<u8>) {
        let (_folder, _keychain, vault) = fresh();
        prop_assert!(vault.open("", &bytes).is_err());
    }
}

#[test]
fn a_sealed_file_stays_in_its_place() {
    let (_folder, _keychain, vault) = fresh();
    assert!(vault.read_sealed("head").unwrap().is_none());
    vault.write_sealed("head", b"one").unwrap();
    vault.write_sealed("head", b"two").unwrap();
    assert_eq!(vault.read_sealed("head").unwrap().unwrap(), b"two");
    let path = vault.folder().join("head.sealed");
    std::fs::copy(&path, vault.folder().join("other.sealed")).unwrap();
    assert!(matches!(vault.read_sealed("other"), Err(VaultError::Damaged(_))));
    vault.remove_sealed("head").unwrap();
    vault.remove_sealed("head").unwrap();
    assert!(!path.exists());
}

#[test]
fn a_full_or_closed_folder_keeps_the_old_file() {
    let (_folder, _keychain, vault) = fresh();
    vault.write_sealed("head", b"one").unwrap();
    let path = vault.folder().join("head.sealed");
    // A folder of that name cannot be replaced by a file: the write fails as a whole.
    let taken = vault.folder().join("taken.sealed");
    std::fs::create_dir_all(taken.join("x")).unwrap();
    assert!(vault.write_sealed("taken", b"two").is_err());
    let left: Vec<_> = std::fs::read_dir(vault.folder())
        .unwrap()
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().ends_with(".part"))
        .collect();
    assert!(left.is_empty() && path.exists());
}
