//! What Windows is told so that a named pipe is open to its owner alone: a security descriptor with one entry.
//!
//! The default would let every user of the machine look in. Nothing else is decided here.

#![expect(unsafe_code, reason = "security descriptors are made and freed by system calls")]

use std::io;
use std::path::Path;
use std::ptr;

use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use tokio::net::windows::named_pipe::{NamedPipeServer, ServerOptions};
use windows_sys::Win32::Foundation::{HLOCAL, LocalFree};
use windows_sys::Win32::Security::Authorization::{
    ConvertSidToStringSidW, ConvertStringSecurityDescriptorToSecurityDescriptorW, SDDL_REVISION_1,
};
use windows_sys::Win32::Security::{
    GetTokenInformation, SECURITY_ATTRIBUTES, TOKEN_QUERY, TOKEN_USER, TokenUser,
};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

/// Memory that the system allocated and wants back by `LocalFree`.
struct Local(HLOCAL);

impl Drop for Local {
    fn drop(&mut self) {
        // SAFETY: the pointer came from a call that documents `LocalFree` for its result, only this value
        // holds it, and it is freed once.
        unsafe { LocalFree(self.0) };
    }
}

/// "Full access for this user; nobody else, and nothing inherited."
pub(super) struct OwnerOnly(Local);

// SAFETY: a security descriptor is plain memory that nobody changes after it was made, and `LocalFree` may be
// called on any thread.
unsafe impl Send for OwnerOnly {}

impl OwnerOnly {
    /// # Errors
    /// When the system does not say who runs this process.
    pub(super) fn new() -> io::Result<Self> {
        let rule: Vec<u16> =
            format!("D:P(A;;GA;;;{})", user()?).encode_utf16().chain([0]).collect();
        let mut descriptor = ptr::null_mut();
        // SAFETY: `rule` is UTF-16 that ends with 0 and outlives the call; `descriptor` is a valid place for
        // one pointer; the size is not asked for, which null allows.
        let made = unsafe {
            ConvertStringSecurityDescriptorToSecurityDescriptorW(
                rule.as_ptr(),
                SDDL_REVISION_1,
                &raw mut descriptor,
                ptr::null_mut(),
            )
        };
        if made == 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Self(Local(descriptor)))
    }

    /// One instance of a pipe. Called inside a tokio runtime.
    pub(super) fn pipe(&self, address: &Path, first: bool) -> io::Result<NamedPipeServer> {
        let length = u32::try_from(size_of::<SECURITY_ATTRIBUTES>()).map_err(io::Error::other)?;
        let mut attributes = SECURITY_ATTRIBUTES {
            nLength: length,
            lpSecurityDescriptor: self.0.0,
            bInheritHandle: 0,
        };
        let mut options = ServerOptions::new();
        options.first_pipe_instance(first).reject_remote_clients(true);
        // SAFETY: `attributes` is a whole SECURITY_ATTRIBUTES that lives until the call returns, and its
        // descriptor lives as long as `self`; the system copies both.
        unsafe {
            options.create_with_security_attributes_raw(address, (&raw mut attributes).cast())
        }
    }
}

/// The user of this process, as the text of a security identifier.
fn user() -> io::Result<String> {
    let mut token = ptr::null_mut();
    // SAFETY: the pseudo-handle of this process needs no closing, and `token` is a valid place for a handle.
    if unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &raw mut token) } == 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call above gave us this handle; nobody else owns it.
    let token = unsafe { OwnedHandle::from_raw_handle(token) };
    // A TOKEN_USER and the longest identifier behind it take 96 bytes; u64 aligns them.
    let mut buffer = [0_u64; 32];
    let mut written = 0;
    let size = u32::try_from(size_of_val(&buffer)).map_err(io::Error::other)?;
    // SAFETY: `buffer` is writable for `size` bytes and aligned for a TOKEN_USER; `written` is a valid place.
    let told = unsafe {
        GetTokenInformation(
            token.as_raw_handle(),
            TokenUser,
            buffer.as_mut_ptr().cast(),
            size,
            &raw mut written,
        )
    };
    if told == 0 {
        return Err(io::Error::last_os_error());
    }
    let mut text = ptr::null_mut();
    // SAFETY: the call above wrote a TOKEN_USER at the start of `buffer`, whose identifier points into
    // `buffer`; both live on. `text` is a valid place for one pointer.
    let made = unsafe {
        let user = &*buffer.as_ptr().cast::<TOKEN_USER>();
        ConvertSidToStringSidW(user.User.Sid, &raw mut text)
    };
    if made == 0 {
        return Err(io::Error::last_os_error());
    }
    let _freed_at_the_end = Local(text.cast());
    let mut length = 0;
    // SAFETY: `text` is UTF-16 that ends with 0, so every place up to and with the 0 can be read, and the
    // slice before it is initialised and lives until `_freed_at_the_end` is dropped, after its last use.
    let units = unsafe {
        while *text.add(length) != 0 {
            length += 1;
        }
        std::slice::from_raw_parts(text, length)
    };
    String::from_utf16(units).map_err(io::Error::other)
}
