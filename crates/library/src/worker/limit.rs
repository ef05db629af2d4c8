//! The bounds that Unix itself keeps a worker within: address space, core dumps, processor time, file size.
//!
//! The clock and the size of what the worker says are the caller's business.

use crate::limits::Limits;
use std::io;
use std::process::{Child, Command};

/// Set before the worker runs.
#[expect(unsafe_code, reason = "getrlimit and pre_exec are unsafe; the proofs stand at the calls")]
pub(super) fn apply(command: &mut Command, limits: &Limits) {
    use std::os::unix::process::CommandExt;
    let memory = libc::rlim_t::try_from(limits.worker_memory_bytes).unwrap_or(libc::RLIM_INFINITY);
    let seconds = libc::rlim_t::try_from(limits.worker_seconds).unwrap_or(libc::RLIM_INFINITY);
    let wanted = [
        (libc::RLIMIT_AS, memory),
        // A core dump would be an unsealed copy of the file's content.
        (libc::RLIMIT_CORE, 0),
        // The worker writes no file at all.
        (libc::RLIMIT_FSIZE, 0),
        // The caller's clock stops it first; this one remains if the caller dies.
        (libc::RLIMIT_CPU, seconds.saturating_mul(2).max(1)),
    ];
    let bounds = wanted.map(|(resource, bound)| {
        let mut held = libc::rlimit { rlim_cur: bound, rlim_max: bound };
        // SAFETY: `held` is a valid, exclusively borrowed rlimit for the length of the call, which writes
        // nothing else. If the call fails it stays as initialised.
        unsafe { libc::getrlimit(resource, &raw mut held) };
        // Asking for more than the session allows would fail; the smaller bound is kept.
        (resource, bound.min(held.rlim_max))
    });
    // SAFETY: the closure runs in the forked child before exec, where nothing may allocate, lock or unwind.
    // It makes plain setrlimit system calls on an rlimit of its own stack and reads `bounds`, which was
    // copied into it; `last_os_error` reads errno and allocates nothing.
    unsafe {
        command.pre_exec(move || {
            for (resource, bound) in bounds {
                let value = libc::rlimit { rlim_cur: bound, rlim_max: bound };
                if libc::setrlimit(resource, &raw const value) != 0 {
                    return Err(std::io::Error::last_os_error());
                }
            }
            Ok(())
        });
    }
}

/// Nothing is left to hold once the worker runs.
pub(super) struct Held;

pub(super) fn hold(_: &Child, _: &Limits) -> io::Result<Held> {
    Ok(Held)
}
