//! Provider keys lie in the keychain, or sealed; never in the clear.

use std::sync::Arc;

use nearside_vault::{KeySource, Keychain, Vault, VaultError};

use crate::{fresh, photograph, secret, with};

fn check_round(vault: &Vault) {
    assert!(!vault.has_api_key("provider").unwrap());
    // Built at run time, so that it looks like no real key in the source.
    let key = ["sk", "0123456789abcdef"].join("-");
    vault.set_api_key("provider", &secret(&key)).unwrap();
    assert_eq!(*vault.api_key("provider").unwrap().unwrap().expose(), key);
    for (name, bytes) in photograph(vault.folder()) {
        let legible = bytes.windows(key.len()).any(|window| window == key.as_bytes());
        assert!(!legible, "the key is legible in {name}");
    }
    for bad in ["", "two words", "line\nbreak", "ключ", &"x".repeat(2001)] {
        let refused = vault.set_api_key("provider", &secret(bad));
        assert!(matches!(refused, Err(VaultError::BadApiKey)));
    }
    assert_eq!(*vault.api_key("provider").unwrap().unwrap().expose(), key);
    vault.set_api_key("second", &secret("another")).unwrap();
    vault.clear_api_key("provider").unwrap();
    vault.clear_api_key("provider").unwrap();
    assert!(!vault.has_api_key("provider").unwrap());
    assert!(vault.has_api_key("second").unwrap());
}

#[test]
fn in_the_keychain() {
    let (_folder, keychain, vault) = fresh();
    check_round(&vault);
    let entries = keychain.accounts();
    assert_eq!(entries.len(), 2, "{entries:?}");
    let key = entries.iter().find(|name| name.ends_with("/api-key/second")).unwrap();
    assert_eq!(keychain.get(key).unwrap().unwrap().expose(), "another");
    let again = Vault::open(vault.folder(), with(&keychain)).unwrap();
    assert!(again.has_api_key("second").unwrap());
}

#[test]
fn sealed_where_there_is_a_passphrase() {
    let folder = tempfile::tempdir().unwrap();
    let open =
        || Vault::open(folder.path(), KeySource::Passphrase(secret("a passphrase"))).unwrap();
    check_round(&open());
    assert!(open().has_api_key("second").unwrap());
}

#[test]
fn two_folders_have_their_own() {
    let (folder, keychain, vault) = fresh();
    let keychain: Arc<_> = keychain;
    let other = Vault::open(&folder.path().join("other"), with(&keychain)).unwrap();
    vault.set_api_key("provider", &secret("one")).unwrap();
    assert!(!other.has_api_key("provider").unwrap());
}
