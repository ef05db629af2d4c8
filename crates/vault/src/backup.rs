//! Backup: the whole data folder in one file, sealed under a passphrase of its own; and the way back.
//!
//! The archive carries the master key, since a backup that needs the old machine's keychain is none.
//! Provider keys that lie in the keychain are not in it. Databases are copied by SQLite itself, each as
//! one moment of it; the small sealed files are taken from before and compared after, so that a ledger
//! and its head belong together. Restoring unpacks beside the folder, verifies everything, and only then
//! changes places.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::derive::random;
use crate::passphrase::{Kdf, check_new};
use crate::record::{KeyPlace, RECORD, Record};
use crate::stream::{Opener, PREFIX, Sealer};
use crate::vault::sealed_files;
use crate::{Database, KeySource, Secret, Vault, VaultError, api_key, file};

const MAGIC: &[u8] = b"NEARSIDE BACKUP 1\n";
const HEAD_LIMIT: usize = 4096;
/// Tries to catch the sealed files at rest.
const TRIES: usize = 10;

/// What a backup holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackupReport {
    pub files: u32,
    /// Of the archive.
    pub bytes: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    kdf: Kdf,
    prefix: [u8; PREFIX],
}

const END: u8 = 0;
const FILE: u8 = 1;
const MASTER: u8 = 2;

impl Vault {
    /// Writes the whole folder to `archive`, while the program goes on working.
    ///
    /// # Errors
    /// When a database is damaged or the disk is full; an older archive of that name is then untouched.
    pub fn backup(
        &self,
        archive: &Path,
        passphrase: &Secret<String>,
    ) -> Result<BackupReport, VaultError> {
        check_new(passphrase)?;
        let scratch = tempfile::Builder::new()
            .prefix(".nearside-")
            .suffix(".part")
            .tempdir_in(&self.folder)
            .map_err(|error| VaultError::io("Making a backup", error))?;
        let copies = self.copy_databases(scratch.path())?;
        let out_folder =
            archive.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let out = tempfile::Builder::new()
            .prefix(".nearside-")
            .suffix(".part")
            .tempfile_in(out_folder)
            .map_err(|error| VaultError::io("Making a backup", error))?;
        let files = self
            .write_archive(out.as_file(), passphrase, copies, archive)
            .map_err(|error| VaultError::io("Making a backup", error))?;
        out.as_file().sync_all().map_err(|error| VaultError::io("Making a backup", error))?;
        let bytes = out
            .as_file()
            .metadata()
            .map_err(|error| VaultError::io("Making a backup", error))?
            .len();
        out.persist(archive).map_err(|error| VaultError::io("Making a backup", error.error))?;
        file::sync_folder(archive);
        Ok(BackupReport { files, bytes })
    }

    /// Copies each database; answers (name in the archive, file) and the small files' bytes.
    fn copy_databases(&self, scratch: &Path) -> Result<Vec<(String, Content)>, VaultError> {
        let mut before = self.small_sealed()?;
        for attempt in 0..TRIES {
            let mut contents = Vec::new();
            for path in sealed_files(&self.folder) {
                let name = file::name_of(&path);
                let Some(database) = name.strip_suffix(".db") else {
                    continue;
                };
                let copy = scratch.join(format!("{attempt}-{name}"));
                Database::open_existing(&path, &self.database_key(database), &|_| Ok(()))?
                    .copy_to(&copy)?;
                contents.push((name, Content::Path(copy)));
            }
            let after = self.small_sealed()?;
            if before == after {
                contents.extend(after.into_iter().map(|(name, b)| (name, Content::Bytes(b))));
                return Ok(contents);
            }
            before = after;
        }
        Err(VaultError::Busy)
    }

    fn small_sealed(&self) -> Result<Vec<(String, Vec<u8>)>, VaultError> {
        let mut files = Vec::new();
        for path in sealed_files(&self.folder) {
            let name = file::name_of(&path);
            if name.ends_with(".sealed")
                && let Some(bytes) = file::read_bounded(&path, 64 * 1024 * 1024)?
            {
                files.push((name, bytes));
            }
        }
        Ok(files)
    }

    fn write_archive(
        &self,
        mut out: &File,
        passphrase: &Secret<String>,
        mut contents: Vec<(String, Content)>,
        archive: &Path,
    ) -> std::io::Result<u32> {
        let fault = |error: VaultError| std::io::Error::other(error.to_string());
        let head = Head { kdf: Kdf::fresh().map_err(fault)?, prefix: random().map_err(fault)? };
        let key = head.kdf.derive(passphrase).ok_or(std::io::ErrorKind::InvalidInput)?;
        let head_bytes = serde_json::to_vec(&head)?;
        out.write_all(MAGIC)?;
        out.write_all(&u32::try_from(head_bytes.len()).unwrap_or(u32::MAX).to_be_bytes())?;
        out.write_all(&head_bytes)?;
        let mut sealer = Sealer::new(BufWriter::new(out), key, head.prefix, head_bytes);
        sealer.write_all(&[MASTER])?;
        sealer.write_all(self.master.expose())?;
        let mut others = Vec::new();
        plain_files(&self.folder, &self.folder, archive, &mut others)?;
        contents.extend(others);
        let count = u32::try_from(contents.len()).unwrap_or(u32::MAX);
        for (name, content) in contents {
            sealer.write_all(&[FILE])?;
            let name_length =
                u16::try_from(name.len()).map_err(|_| std::io::ErrorKind::InvalidFilename)?;
            sealer.write_all(&name_length.to_be_bytes())?;
            sealer.write_all(name.as_bytes())?;
            match content {
                Content::Bytes(bytes) => {
                    sealer.write_all(&(bytes.len() as u64).to_be_bytes())?;
                    sealer.write_all(&bytes)?;
                }
                Content::Path(path) => {
                    let source = File::open(path)?;
                    let length = source.metadata()?.len();
                    sealer.write_all(&length.to_be_bytes())?;
                    // A file that grew meanwhile is taken as long as it was.
                    if std::io::copy(&mut source.take(length), &mut sealer)? != length {
                        return Err(std::io::Error::other("a file became shorter meanwhile"));
                    }
                }
            }
        }
        sealer.write_all(&[END])?;
        sealer.finish()?.flush()?;
        Ok(count)
    }
}

enum Content {
    Path(PathBuf),
    Bytes(Vec<u8>),
}

/// Everything in the folder that is neither sealed by us nor temporary: settings and the like.
fn plain_files(
    root: &Path,
    folder: &Path,
    archive: &Path,
    found: &mut Vec<(String, Content)>,
) -> std::io::Result<()> {
    let ours = sealed_files(root);
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
            continue;
        };
        let passing = name.starts_with(".nearside-")
            || [".sock", ".lock", ".part"].iter().any(|end| name.ends_with(end));
        if passing || ours.contains(&path) || path == archive || path == Record::path(root) {
            continue;
        }
        if kind.is_dir() {
            plain_files(root, &path, archive, found)?;
        } else if kind.is_file()
            && let Ok(relative) = path.strip_prefix(root)
            && let Some(relative) = relative.to_str()
        {
            found.push((relative.replace('\\', "/"), Content::Path(path.clone())));
        }
    }
    Ok(())
}

/// Puts a backup in the place of the data folder, which nobody may have open, and opens it. What was
/// there before is removed once the restored folder stands.
///
/// # Errors
/// `WrongPassphrase` or `BackupDamaged`, before anything is replaced.
pub fn restore(
    archive: &Path,
    passphrase: &Secret<String>,
    data_dir: &Path,
    source: KeySource,
) -> Result<Vault, VaultError> {
    let parent = data_dir.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(|error| VaultError::io("Restoring", error))?;
    let fresh = tempfile::Builder::new()
        .prefix(".nearside-")
        .suffix(".part")
        .tempdir_in(parent)
        .map_err(|error| VaultError::io("Restoring", error))?;
    let master = unpack(archive, passphrase, fresh.path())?;
    let previous = Record::read(data_dir).ok().flatten();
    let old_keychain = match (&source, &previous) {
        (KeySource::Keychain { keychain, .. }, Some(record))
            if record.key == KeyPlace::Keychain =>
        {
            // The provider keys too: the restored folder has entries of its own, and these would stay for ever.
            let mut accounts = api_key::accounts(data_dir, record, &**keychain);
            accounts.push(record.account());
            Some((keychain.clone(), accounts))
        }
        _ => None,
    };
    let mut vault = Vault::establish(fresh.path(), master, source)?;
    verify(&vault)?;

    let aside = aside(data_dir);
    if aside.exists() {
        return Err(VaultError::io("Restoring", std::io::ErrorKind::AlreadyExists.into()));
    }
    if data_dir.exists() {
        fs::rename(data_dir, &aside).map_err(|error| VaultError::io("Restoring", error))?;
    }
    if let Err(error) = fs::rename(fresh.path(), data_dir) {
        undo_half_restore(data_dir)?;
        return Err(VaultError::io("Restoring", error));
    }
    let _it_has_moved = fresh.keep();
    file::sync_folder(data_dir);
    if let Some((keychain, accounts)) = old_keychain {
        for account in accounts {
            let _an_unused_entry_is_harmless = keychain.remove(&account);
        }
    }
    if aside.exists() {
        fs::remove_dir_all(&aside)
            .map_err(|error| VaultError::io("Removing the old data", error))?;
    }
    vault.folder = data_dir.to_owned();
    Ok(vault)
}

/// Where the old folder waits while the restored one takes its place.
fn aside(data_dir: &Path) -> PathBuf {
    let name = format!(".{}.before-restore", file::name_of(data_dir));
    data_dir.with_file_name(name)
}

/// After a crash between the two renames of `restore`, the old folder returns to its place.
pub(crate) fn undo_half_restore(data_dir: &Path) -> Result<(), VaultError> {
    let aside = aside(data_dir);
    if !data_dir.exists() && aside.is_dir() {
        fs::rename(&aside, data_dir).map_err(|error| VaultError::io("Restoring", error))?;
    }
    Ok(())
}

fn verify(vault: &Vault) -> Result<(), VaultError> {
    for path in sealed_files(&vault.folder) {
        let name = file::name_of(&path);
        let sound = match (name.strip_suffix(".db"), name.strip_suffix(".sealed")) {
            (Some(database), _) => {
                Database::open_existing(&path, &vault.database_key(database), &|_| Ok(()))
                    .and_then(|database| database.check())
                    .is_ok_and(|health| health.is_sound())
            }
            (_, Some(sealed)) => vault.read_sealed(sealed).is_ok(),
            _ => false,
        };
        if !sound {
            return Err(VaultError::BackupDamaged("a database in it does not open"));
        }
    }
    Ok(())
}

/// Unpacks into an empty folder and answers the master key.
fn unpack(
    archive: &Path,
    passphrase: &Secret<String>,
    target: &Path,
) -> Result<Secret<[u8; 32]>, VaultError> {
    let mut input = BufReader::new(
        File::open(archive).map_err(|error| VaultError::io("Opening the backup", error))?,
    );
    let head_bytes = read_head(&mut input)?;
    let head: Head = serde_json::from_slice(&head_bytes)
        .map_err(|_| VaultError::BackupDamaged("its head cannot be read"))?;
    let key = head
        .kdf
        .derive(passphrase)
        .ok_or(VaultError::BackupDamaged("its parameters are out of bounds"))?;
    let mut opener = Opener::new(input, key, head.prefix, head_bytes).map_err(|_| cut())?;
    // The first chunk opens under the right passphrase only.
    if one(&mut opener).map_err(|_| VaultError::WrongPassphrase)? != MASTER {
        return Err(cut());
    }
    let mut master = [0; 32];
    opener.read_exact(&mut master).map_err(|_| cut())?;
    let master = Secret::new(master);
    loop {
        match one(&mut opener).map_err(|_| cut())? {
            END => break,
            FILE => unpack_file(&mut opener, target)?,
            _ => return Err(cut()),
        }
    }
    if opener.read(&mut [0]).map_err(|_| cut())? != 0 {
        return Err(cut());
    }
    Ok(master)
}

fn read_head(input: &mut impl Read) -> Result<Vec<u8>, VaultError> {
    let foreign = || VaultError::BackupDamaged("it does not begin like one");
    let mut magic = [0; MAGIC.len()];
    let mut length = [0; 4];
    input.read_exact(&mut magic).map_err(|_| foreign())?;
    input.read_exact(&mut length).map_err(|_| foreign())?;
    let length = u32::from_be_bytes(length) as usize;
    if magic != *MAGIC || length > HEAD_LIMIT {
        return Err(foreign());
    }
    let mut head = vec![0; length];
    input.read_exact(&mut head).map_err(|_| cut())?;
    Ok(head)
}

fn unpack_file(opener: &mut impl Read, target: &Path) -> Result<(), VaultError> {
    let mut length = [0; 2];
    opener.read_exact(&mut length).map_err(|_| cut())?;
    let mut name = vec![0; usize::from(u16::from_be_bytes(length))];
    opener.read_exact(&mut name).map_err(|_| cut())?;
    let mut length = [0; 8];
    opener.read_exact(&mut length).map_err(|_| cut())?;
    let length = u64::from_be_bytes(length);
    let name = String::from_utf8(name).map_err(|_| cut())?;
    let inside = Path::new(&name).components().all(|part| matches!(part, Component::Normal(_)));
    if name.is_empty() || name == RECORD || name.contains(['\\', ':']) || !inside {
        return Err(VaultError::BackupDamaged("it names a file outside the folder"));
    }
    let path = target.join(name);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| VaultError::io("Restoring", error))?;
    }
    let mut out = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&path)
        .map_err(|error| VaultError::io("Restoring", error))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        out.set_permissions(fs::Permissions::from_mode(0o600))
            .map_err(|error| VaultError::io("Restoring", error))?;
    }
    let copied =
        std::io::copy(&mut opener.take(length), &mut out).map_err(|error| match error.kind() {
            std::io::ErrorKind::InvalidData => cut(),
            _ => VaultError::io("Restoring", error),
        })?;
    if copied != length {
        return Err(cut());
    }
    out.sync_all().map_err(|error| VaultError::io("Restoring", error))
}

fn one(input: &mut impl Read) -> std::io::Result<u8> {
    let mut byte = [0];
    input.read_exact(&mut byte)?;
    Ok(byte[0])
}

fn cut() -> VaultError {
    VaultError::BackupDamaged("it was cut or changed")
}
