//! A sealed database: SQLite in SQLCipher's format, one raw key per name, migrated by its owner's steps.
//!
//! A new database is made beside its place with all its steps applied and then moved there, so an empty
//! or half-made file under the final name is damage and never taken for a fresh start. An existing file
//! is read before anything may write to it: under a wrong key it stays as it is, byte for byte.

use std::fs;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, TransactionBehavior};
use zeroize::Zeroizing;

use crate::derive::Key;
use crate::{VaultError, file};

/// How long a writer waits for another process's write.
const BUSY: Duration = Duration::from_secs(5);

/// SQLCipher's page size.
const PAGE: u64 = 4096;

/// Prepares each new connection, before the schema is touched: loads an extension, adds a function.
pub(crate) type Prepare<'a> = &'a dyn Fn(&Connection) -> rusqlite::Result<()>;

/// A connection to a sealed database. `Send` but not `Sync`: each thread opens its own, or one thread
/// owns it.
#[derive(Debug)]
pub struct Database {
    connection: Connection,
    path: PathBuf,
}

/// The result of a full check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// What SQLite and SQLCipher found wrong; empty when all is well.
    pub problems: Vec<String>,
}

impl Health {
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }
}

impl Deref for Database {
    type Target = Connection;
    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl DerefMut for Database {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

impl Database {
    pub(crate) fn open(
        path: &Path,
        key: &Key,
        migrations: &[&str],
        prepare: Prepare<'_>,
    ) -> Result<Self, VaultError> {
        // Without the database, its log would be replayed into an empty one.
        let log_alone = !path.exists() && with_suffix(path, "-wal").exists();
        if log_alone {
            return Err(VaultError::Damaged(file::name_of(path)));
        }
        if !path.exists() {
            create(path, key, migrations, prepare)?;
        }
        let mut database = Self::open_existing(path, key, prepare)?;
        database.migrate(migrations)?;
        Ok(database)
    }

    /// Opens without migrating; for backup and for checks.
    pub(crate) fn open_existing(
        path: &Path,
        key: &Key,
        prepare: Prepare<'_>,
    ) -> Result<Self, VaultError> {
        let damaged = || VaultError::Damaged(file::name_of(path));
        let length =
            fs::metadata(path).map_err(|error| VaultError::io("Opening a database", error))?.len();
        // Half a page can be there while the log still has the whole one; otherwise the file was cut.
        let log = fs::metadata(with_suffix(path, "-wal")).map_or(0, |log| log.len());
        if length == 0 || (log == 0 && length % PAGE != 0) {
            return Err(damaged());
        }
        let connection = connect(path, key)?;
        // Until the first page has opened under the key, closing must not move pages from the log.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        match connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())) {
            Ok(()) => {}
            Err(error)
                if matches!(
                    error.sqlite_error_code(),
                    Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt)
                ) =>
            {
                return Err(damaged());
            }
            Err(error) => return Err(error.into()),
        }
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
        prepare(&connection)?;
        Ok(Self { connection, path: path.to_owned() })
    }

    fn migrate(&mut self, migrations: &[&str]) -> Result<(), VaultError> {
        let name = file::name_of(&self.path);
        let known = u32::try_from(migrations.len()).unwrap_or(u32::MAX);
        let found = version(&self.connection)?;
        if found > known {
            return Err(VaultError::NewerSchema { name, found, known });
        }
        configure(&self.connection)?;
        apply(&mut self.connection, &name, migrations)
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Moves everything from the log into the database and empties the log, so that deleted rows are
    /// in neither.
    ///
    /// # Errors
    /// When another connection keeps reading, or the disk is full.
    pub fn checkpoint(&self) -> Result<(), VaultError> {
        let busy: i64 =
            self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
        if busy == 0 { Ok(()) } else { Err(VaultError::Busy) }
    }

    /// Reads the whole database: every page's code, every index, every foreign key.
    ///
    /// # Errors
    /// When it cannot be read at all.
    pub fn check(&self) -> Result<Health, VaultError> {
        let mut problems = Vec::new();
        for pragma in ["cipher_integrity_check", "integrity_check"] {
            let mut statement = self.connection.prepare(&format!("PRAGMA {pragma}"))?;
            let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
            for line in lines {
                match line {
                    Ok(line) if line == "ok" => {}
                    Ok(line) => problems.push(line),
                    Err(error) => problems.push(VaultError::from(error).to_string()),
                }
            }
        }
        Ok(Health { problems })
    }

    /// A consistent copy under the same key, defragmented, while others read and write.
    pub(crate) fn copy_to(&self, target: &Path) -> Result<(), VaultError> {
        let target = target
            .to_str()
            .ok_or_else(|| VaultError::Sql("a folder name that is not Unicode".to_owned()))?;
        self.connection.execute("VACUUM INTO ?1", [target])?;
        Ok(())
    }
}

/// Lets one thread finish what SQLite and SQLCipher set up once in a process. SQLite calls itself ready
/// before it runs SQLCipher's part, so a second thread that opened meanwhile was refused its key.
fn set_up() {
    static DONE: Once = Once::new();
    // What keeps this connection from opening keeps the real one as well, which then reports it.
    DONE.call_once(|| drop(Connection::open_in_memory()));
}

fn connect(path: &Path, key: &Key) -> Result<Connection, VaultError> {
    set_up();
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    // SQLCipher would write its errors to standard error; they come back as results as well.
    connection.query_row("PRAGMA cipher_log_level = NONE", [], |_| Ok(())).optional()?;
    // A raw key: SQLCipher takes it as it is, without its own passphrase derivation.
    let mut pragma = Zeroizing::new(String::with_capacity(96));
    pragma.push_str("PRAGMA key = \"x'");
    for byte in key.expose() {
        for nibble in [byte >> 4, byte & 15] {
            pragma.push(char::from_digit(u32::from(nibble), 16).unwrap_or('0'));
        }
    }
    pragma.push_str("'\"");
    connection.execute_batch(&pragma)?;
    Ok(connection)
}

/// What holds on each of our connections. Temporary tables stay in memory: on disk they would not be
/// sealed.
fn configure(connection: &Connection) -> Result<(), VaultError> {
    connection.execute_batch(
        "PRAGMA temp_store = MEMORY;
         PRAGMA foreign_keys = ON;
         PRAGMA secure_delete = ON;
         PRAGMA synchronous = FULL;",
    )?;
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(VaultError::Sql("no write-ahead log on this disk".to_owned()));
    }
    connection.query_row("PRAGMA journal_size_limit = 67108864", [], |_| Ok(()))?;
    Ok(())
}

fn version(connection: &Connection) -> Result<u32, VaultError> {
    Ok(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// Applies the steps that are missing, each in a transaction of its own.
fn apply(connection: &mut Connection, name: &str, migrations: &[&str]) -> Result<(), VaultError> {
    for (step, sql) in (1u32..).zip(migrations) {
        if version(connection)? >= step {
            continue;
        }
        let failed = |error: rusqlite::Error| VaultError::Migration {
            name: name.to_owned(),
            step,
            code: error
                .sqlite_error_code()
                .map_or_else(|| "unknown".to_owned(), |code| format!("{code:?}")),
        };
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another process may have taken this step while we waited for the lock.
        if version(&transaction)? >= step {
            continue;
        }
        transaction.execute_batch(sql).map_err(failed)?;
        transaction.pragma_update(None, "user_version", step).map_err(failed)?;
        transaction.commit().map_err(failed)?;
    }
    Ok(())
}

fn create(
    path: &Path,
    key: &Key,
    migrations: &[&str],
    prepare: Prepare<'_>,
) -> Result<(), VaultError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let place = tempfile::Builder::new()
        .prefix(".nearside-")
        .suffix(".part")
        .tempfile_in(folder)
        .map_err(|error| VaultError::io("Making a database", error))?
        .into_temp_path();
    let made = (|| {
        let mut connection = connect(&place, key)?;
        prepare(&connection)?;
        configure(&connection)?;
        apply(&mut connection, &file::name_of(path), migrations)?;
        if migrations.is_empty() {
            // Something must be written, or the file stays empty.
            connection.execute_batch("CREATE TABLE t (x); DROP TABLE t;")?;
        }
        connection.close().map_err(|(_, error)| VaultError::from(error))
    })();
    for suffix in ["-wal", "-shm", "-journal"] {
        file::remove_if_there(&with_suffix(&place, suffix))?;
    }
    made?;
    match place.persist_noclobber(path) {
        Ok(()) => {}
        // Another process was quicker; its file is as good.
        Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(VaultError::io("Making a database", error.error)),
    }
    file::sync_folder(path);
    Ok(())
}

pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
