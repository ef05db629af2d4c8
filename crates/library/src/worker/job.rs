//! The bounds that Windows itself keeps a worker within: a Job object with memory, processor time and no
//! children, which ends the worker when the caller ends, however that happens.
//!
//! The clock and the size of what the worker says are the caller's business.

use crate::limits::Limits;
use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::process::{Child, Command};
use std::ptr;
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_ACTIVE_PROCESS,
    JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOB_OBJECT_LIMIT_PROCESS_MEMORY, JOB_OBJECT_LIMIT_PROCESS_TIME,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject,
};
use windows_sys::Win32::System::Threading::CREATE_NO_WINDOW;

/// The unit of processor time in a Job object is 100 ns.
const TICKS_PER_SECOND: i64 = 10_000_000;

/// Set before the worker runs: a console program started from a window would open a console of its own.
pub(super) fn apply(command: &mut Command, _: &Limits) {
    command.creation_flags(CREATE_NO_WINDOW);
}

/// Ends the worker when it is dropped, and the system drops it with this process.
pub(super) struct Held {
    _job: OwnedHandle,
}

/// Puts a worker that was just started under its bounds. It has done nothing yet: it waits for its request on
/// standard input, which the caller sends afterwards.
///
/// # Errors
/// When the system refuses the job; the worker must not be asked anything then.
#[expect(unsafe_code, reason = "Job objects are made by system calls; the proofs stand at them")]
pub(super) fn hold(child: &Child, limits: &Limits) -> io::Result<Held> {
    // SAFETY: both arguments may be null: default security, which no child inherits, and no name.
    let job = unsafe { CreateJobObjectW(ptr::null(), ptr::null()) };
    if job.is_null() {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call above gave us this handle; nobody else owns it.
    let job = unsafe { OwnedHandle::from_raw_handle(job) };
    let bounds = bounds(limits);
    let size = u32::try_from(size_of_val(&bounds)).map_err(io::Error::other)?;
    // SAFETY: the handle is open; `bounds` is the structure that this class of information wants, is whole, has
    // the size that is told, and is only read.
    let set = unsafe {
        SetInformationJobObject(
            job.as_raw_handle(),
            JobObjectExtendedLimitInformation,
            (&raw const bounds).cast(),
            size,
        )
    };
    if set == 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: both handles are open for the length of the call: one is ours, the other is the child's, which is
    // borrowed.
    if unsafe { AssignProcessToJobObject(job.as_raw_handle(), child.as_raw_handle()) } == 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(Held { _job: job })
}

fn bounds(limits: &Limits) -> JOBOBJECT_EXTENDED_LIMIT_INFORMATION {
    let seconds = i64::try_from(limits.worker_seconds).unwrap_or(i64::MAX);
    let mut bounds = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    let basic = &mut bounds.BasicLimitInformation;
    basic.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
        // No dialogue and no dump, which would be an unsealed copy of the file's content.
        | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
        | JOB_OBJECT_LIMIT_PROCESS_MEMORY
        | JOB_OBJECT_LIMIT_PROCESS_TIME
        | JOB_OBJECT_LIMIT_ACTIVE_PROCESS;
    basic.ActiveProcessLimit = 1;
    // The caller's clock stops it first.
    basic.PerProcessUserTimeLimit =
        seconds.saturating_mul(2).max(1).saturating_mul(TICKS_PER_SECOND);
    bounds.ProcessMemoryLimit = usize::try_from(limits.worker_memory_bytes).unwrap_or(usize::MAX);
    bounds
}

#[cfg(test)]
mod tests {
    //! The job itself, on processes that do nothing but wait. Its memory bound is seen in tests/workers.rs.

    use super::*;
    use std::process::Stdio;

    #[test]
    fn a_worker_ends_with_its_job() {
        // Waits for a key on a standard input that stays open.
        let mut command = Command::new("cmd.exe");
        command.args(["/c", "pause"]).stdin(Stdio::piped()).stdout(Stdio::null());
        apply(&mut command, &Limits::default());
        let mut child = command.spawn().unwrap();
        let held = hold(&child, &Limits::default()).unwrap();
        assert!(child.try_wait().unwrap().is_none());
        drop(held);
        // Returns only because the process has ended: its standard input is still open.
        let input = child.stdin.take();
        child.wait().unwrap();
        drop(input);
    }
}
