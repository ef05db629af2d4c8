//! `Vault`: a data folder with its master key, from which owners of data get databases, sealed files
//! and keys.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nearside_types::{Failure, Seal};

use crate::database::Prepare;
use crate::derive::{Key, expand, random};
use crate::record::{KeyPlace, Record, fresh_id, key_from_text, key_to_text};
use crate::{
    Database, Keychain, KeychainError, MacKey, OsKeychain, Secret, VaultError, api_key, backup,
    file, gcm, passphrase,
};

/// Why a passphrase is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassphrasePurpose {
    /// There is no keychain, and a new folder needs one to be chosen.
    Choose,
    /// The folder has one.
    Enter,
}

/// Asks a person for a passphrase; none when there is nobody to ask.
pub type AskPassphrase = Box<dyn FnMut(PassphrasePurpose) -> Option<Secret<String>> + Send>;

/// Where the master key comes from.
pub enum KeySource {
    /// The keychain; where there is none, or where the folder has a passphrase, `ask` is called.
    Keychain { keychain: Arc<dyn Keychain>, ask: Option<AskPassphrase> },
    /// A passphrase that was given beforehand, as by `--passphrase-fd`. The keychain is not touched.
    Passphrase(Secret<String>),
}

impl KeySource {
    /// The operating system's keychain, and nobody to ask where there is none.
    #[must_use]
    pub fn os() -> Self {
        Self::Keychain { keychain: Arc::new(OsKeychain::new()), ask: None }
    }

    /// The operating system's keychain, and a person to ask where there is none.
    #[must_use]
    pub fn os_or_ask(ask: AskPassphrase) -> Self {
        Self::Keychain { keychain: Arc::new(OsKeychain::new()), ask: Some(ask) }
    }
}

impl std::fmt::Debug for KeySource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Keychain { .. } => "KeySource::Keychain",
            Self::Passphrase(_) => "KeySource::Passphrase(***)",
        })
    }
}

/// An opened data folder. Cheap to clone; every clone holds the same key.
#[derive(Clone)]
pub struct Vault {
    pub(crate) folder: PathBuf,
    pub(crate) record: Record,
    pub(crate) master: Key,
    /// Present where the master key lies in it: provider keys go there too.
    pub(crate) keychain: Option<Arc<dyn Keychain>>,
}

impl std::fmt::Debug for Vault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Vault(***)")
    }
}

impl Vault {
    /// Opens the data folder, or makes it.
    ///
    /// # Errors
    /// `Locked` where no key can be had, `KeyLost` where the data is there and its key is not,
    /// `WrongPassphrase`. None of them creates or changes anything.
    pub fn open(data_dir: &Path, source: KeySource) -> Result<Self, VaultError> {
        backup::undo_half_restore(data_dir)?;
        match Record::read(data_dir)? {
            Some(record) => Self::open_recorded(data_dir, record, source),
            None if has_sealed_files(data_dir) => Err(VaultError::RecordLost),
            None => {
                let key = Secret::new(random::<32>()?);
                Self::establish(data_dir, key, source)
            }
        }
    }

    fn open_recorded(
        data_dir: &Path,
        record: Record,
        source: KeySource,
    ) -> Result<Self, VaultError> {
        let (master, keychain) = match (&record.key, source) {
            (KeyPlace::Keychain, KeySource::Keychain { keychain, .. }) => {
                let text = keychain.get(&record.account()).map_err(locked)?;
                let text = text.ok_or_else(|| VaultError::KeyLost { account: record.account() })?;
                (key_from_text(&text)?, Some(keychain))
            }
            (KeyPlace::Keychain, KeySource::Passphrase(_)) => {
                return Err(VaultError::NotByPassphrase);
            }
            (KeyPlace::Passphrase { .. }, KeySource::Passphrase(given)) => {
                (record.unwrap_key(&given)?, None)
            }
            (KeyPlace::Passphrase { .. }, KeySource::Keychain { ask, .. }) => {
                let given = ask
                    .and_then(|mut ask| ask(PassphrasePurpose::Enter))
                    .ok_or_else(|| VaultError::Locked(NEEDS_PASSPHRASE.to_owned()))?;
                (record.unwrap_key(&given)?, None)
            }
        };
        record.check(&master)?;
        Ok(Self { folder: data_dir.to_owned(), record, master, keychain })
    }

    /// Puts a master key into a folder that has none yet.
    pub(crate) fn establish(
        data_dir: &Path,
        master: Key,
        source: KeySource,
    ) -> Result<Self, VaultError> {
        let id = fresh_id()?;
        let (record, keychain) = match source {
            KeySource::Passphrase(given) => {
                passphrase::check_new(&given)?;
                (Record::by_passphrase(id, &master, &given)?, None)
            }
            KeySource::Keychain { keychain, ask } => {
                let record = Record::by_keychain(id.clone(), &master);
                match keychain.set(&record.account(), &key_to_text(&master)) {
                    Ok(()) => (record, Some(keychain)),
                    Err(error) => {
                        let given = ask
                            .and_then(|mut ask| ask(PassphrasePurpose::Choose))
                            .ok_or_else(|| locked(error))?;
                        passphrase::check_new(&given)?;
                        (Record::by_passphrase(id, &master, &given)?, None)
                    }
                }
            }
        };
        file::make_private_folder(data_dir)?;
        if file::write_new(&Record::path(data_dir), &record.to_bytes()?)? {
            return Ok(Self { folder: data_dir.to_owned(), record, master, keychain });
        }
        // Another process set the folder up in the meantime. Ours was never used.
        if let Some(keychain) = &keychain {
            let _an_unused_entry_is_harmless = keychain.remove(&record.account());
        }
        let record = Record::read(data_dir)?.ok_or(VaultError::RecordLost)?;
        match (&record.key, keychain) {
            (KeyPlace::Keychain, Some(keychain)) => {
                Self::open_recorded(data_dir, record, KeySource::Keychain { keychain, ask: None })
            }
            _ => Err(VaultError::Locked(NEEDS_PASSPHRASE.to_owned())),
        }
    }

    /// The data folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether a passphrase opens this folder, and not the keychain.
    #[must_use]
    pub fn has_passphrase(&self) -> bool {
        matches!(self.record.key, KeyPlace::Passphrase { .. })
    }

    /// Opens the database `name`, or makes it, and applies the migrations that it lacks: the position
    /// in `migrations` is the schema's version, so a step that was released is never edited.
    ///
    /// # Errors
    /// `Damaged`, `NewerSchema` or `Migration`; the file is then as it was.
    pub fn database(&self, name: &str, migrations: &[&str]) -> Result<Database, VaultError> {
        self.database_with(name, migrations, &|_| Ok(()))
    }

    /// Like `database`; `prepare` is called on the new connection before the schema is used, to load an
    /// extension or to add functions.
    ///
    /// # Errors
    /// As `database`, and when `prepare` fails.
    pub fn database_with(
        &self,
        name: &str,
        migrations: &[&str],
        prepare: Prepare<'_>,
    ) -> Result<Database, VaultError> {
        check_name(name)?;
        let path = self.folder.join(format!("{name}.db"));
        Database::open(&path, &self.database_key(name), migrations, prepare)
    }

    pub(crate) fn database_key(&self, name: &str) -> Key {
        self.key_for(&format!("database {name}"))
    }

    /// A key for message authentication codes, one per purpose.
    #[must_use]
    pub fn mac_key(&self, purpose: &str) -> MacKey {
        MacKey(self.key_for(&format!("mac {purpose}")))
    }

    pub(crate) fn key_for(&self, purpose: &str) -> Key {
        expand(self.master.expose(), format!("nearside {purpose}").as_bytes())
    }

    /// Seals `plain` into the file `name`.sealed, whole or not at all.
    ///
    /// # Errors
    /// When the disk is full or the folder cannot be written.
    pub fn write_sealed(&self, name: &str, plain: &[u8]) -> Result<(), VaultError> {
        let path = self.sealed_path(name)?;
        file::write_atomic(&path, &self.seal_bytes(&format!("file {name}"), plain)?)
    }

    /// What `write_sealed` wrote, or none where there is no such file.
    ///
    /// # Errors
    /// `Damaged` when it does not open under this key.
    pub fn read_sealed(&self, name: &str) -> Result<Option<Vec<u8>>, VaultError> {
        let path = self.sealed_path(name)?;
        let Some(sealed) = file::read_bounded(&path, SEALED_LIMIT)? else {
            return Ok(None);
        };
        self.open_bytes(&format!("file {name}"), &sealed)
            .map(Some)
            .map_err(|_| VaultError::Damaged(file::name_of(&path)))
    }

    /// # Errors
    /// When the file is there and cannot be removed.
    pub fn remove_sealed(&self, name: &str) -> Result<(), VaultError> {
        file::remove_if_there(&self.sealed_path(name)?)
    }

    fn sealed_path(&self, name: &str) -> Result<PathBuf, VaultError> {
        check_name(name)?;
        Ok(self.folder.join(format!("{name}.sealed")))
    }

    fn seal_bytes(&self, context: &str, plain: &[u8]) -> Result<Vec<u8>, VaultError> {
        let mut sealed = SEALED_MAGIC.to_vec();
        sealed.extend(gcm::seal(self.key_for("seal").expose(), context.as_bytes(), plain)?);
        Ok(sealed)
    }

    fn open_bytes(&self, context: &str, sealed: &[u8]) -> Result<Vec<u8>, VaultError> {
        let body = sealed.strip_prefix(SEALED_MAGIC).ok_or(VaultError::NotSealed)?;
        gcm::open(self.key_for("seal").expose(), context.as_bytes(), body)
    }

    /// Wraps the same master key under another passphrase; nothing is sealed anew.
    ///
    /// # Errors
    /// `WrongPassphrase` when `old` is not the current one; the old one then stays.
    pub fn change_passphrase(
        &mut self,
        old: &Secret<String>,
        new: &Secret<String>,
    ) -> Result<(), VaultError> {
        self.record.unwrap_key(old)?;
        passphrase::check_new(new)?;
        let record = Record::by_passphrase(self.record.id.clone(), &self.master, new)?;
        file::write_atomic(&Record::path(&self.folder), &record.to_bytes()?)?;
        self.record = record;
        Ok(())
    }
}

impl Seal for Vault {
    fn seal(&self, context: &str, plain: &[u8]) -> Result<Vec<u8>, Failure> {
        Ok(self.seal_bytes(&format!("value {context}"), plain)?)
    }

    fn open(&self, context: &str, sealed: &[u8]) -> Result<Vec<u8>, Failure> {
        Ok(self.open_bytes(&format!("value {context}"), sealed)?)
    }
}

/// `NSS` and the version of the format.
const SEALED_MAGIC: &[u8] = b"NSS\x01";
const SEALED_LIMIT: u64 = 64 * 1024 * 1024;
const NEEDS_PASSPHRASE: &str =
    "this data folder needs its passphrase, which `--passphrase-fd` can give";

fn locked(error: KeychainError) -> VaultError {
    VaultError::Locked(format!(
        "{error}; start or unlock it, or give a passphrase with `--passphrase-fd`"
    ))
}

/// Whether the folder has been set up, without opening it.
#[must_use]
pub fn is_set_up(data_dir: &Path) -> bool {
    Record::path(data_dir).is_file()
}

pub(crate) fn check_name(name: &str) -> Result<(), VaultError> {
    let fits = (1..=64).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_".contains(&b));
    if fits { Ok(()) } else { Err(VaultError::BadName(name.chars().take(64).collect())) }
}

fn is_sealed_file(name: &str) -> bool {
    [".db", ".db-wal", ".db-shm", ".db-journal", ".sealed"].iter().any(|end| name.ends_with(end))
        && !name.starts_with('.')
}

pub(crate) fn sealed_files(data_dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(data_dir) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(is_sealed_file))
        .map(|entry| entry.path())
        .collect();
    files.sort();
    files
}

fn has_sealed_files(data_dir: &Path) -> bool {
    !sealed_files(data_dir).is_empty()
}

/// Erases what the vault owns in the folder: first the key, so that what remains of the files can no
/// longer be read, then databases, sealed files and `vault.json`. `others` are further files of the
/// folder's owners, such as settings; the folder itself goes if it is then empty. Works without the key.
///
/// # Errors
/// When a file cannot be removed; calling it again goes on.
pub fn erase(data_dir: &Path, keychain: &dyn Keychain, others: &[&Path]) -> Result<(), VaultError> {
    if let Ok(Some(record)) = Record::read(data_dir)
        && record.key == KeyPlace::Keychain
    {
        for account in api_key::accounts(data_dir, &record, keychain) {
            keychain.remove(&account).map_err(|e| VaultError::Keychain(e.to_string()))?;
        }
        keychain
            .remove(&record.account())
            .map_err(|error| VaultError::Keychain(error.to_string()))?;
    }
    for path in sealed_files(data_dir) {
        file::remove_if_there(&path)?;
    }
    for other in others.iter().filter(|other| other.is_relative()) {
        file::remove_if_there(&data_dir.join(other))?;
    }
    file::remove_if_there(&Record::path(data_dir))?;
    let _a_folder_with_other_files_stays = std::fs::remove_dir(data_dir);
    Ok(())
}
