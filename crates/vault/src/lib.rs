//! Keys in the keychain, sealed databases and blobs, Secret<T>.
