//! `Pool`: a few threads that share the chunks of one job at a time. The caller works too, waits only for
//! threads that really joined, and idle threads park: they spin for some tens of microseconds between the
//! jobs of one token, never while nothing is being computed. It has no queue and no futures.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::KernelError;

/// How often a thread looks for the next job before it parks: about 50 µs. Between two products of one
/// token lie a few µs, and waking a parked thread costs more than the smaller products themselves.
const LOOKS_BEFORE_PARKING: u32 = 1500;

/// A worker that keeps the caller waiting this long has lost its core to another program.
const STALL: Duration = Duration::from_millis(1);
/// Jobs that the caller does alone after a first stall, and at most after many in a row.
const FIRST_PENALTY: u32 = 32;
const LONGEST_PENALTY: u32 = 4096;

type Work<'a> = &'a (dyn Fn(usize) + Sync);

/// A job as the threads see it.
struct Job {
    /// The caller's closure with its lifetime taken off; see `Pool::run`.
    work: Work<'static>,
    chunks: usize,
}

struct Shared {
    /// Number of the open job, 0 while none is open.
    open: AtomicU64,
    /// Threads that are looking at the job, or about to look.
    joined: AtomicUsize,
    /// The next chunk to take.
    next: AtomicUsize,
    job: std::cell::UnsafeCell<Option<Job>>,
    panicked: AtomicBool,
    stop: AtomicBool,
    parked: Vec<AtomicBool>,
}

// SAFETY: every field but `job` is atomic. `job` is written only by the caller that holds `Pool::gate`,
// while `open` is 0 and `joined` is 0; a thread reads it only after it raised `joined` and then saw `open`
// at its number. All these accesses are sequentially consistent: either the thread's raise comes before
// the caller's closing check, and the caller waits for it, or the thread sees 0 and does not read.
unsafe impl Sync for Shared {}

/// Threads that share work. Dropping it ends them.
pub struct Pool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
    /// One job at a time.
    gate: Mutex<Gate>,
}

/// What the caller of a job knows about those before it.
#[derive(Default)]
struct Gate {
    /// Number of the last job that was opened to the workers.
    number: u64,
    /// Jobs still to be done by the caller alone. On a machine whose cores are all taken, a product that
    /// waits for a worker takes a time slice instead of microseconds.
    alone: u32,
    /// How many the next stall costs.
    penalty: u32,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pool({} threads)", self.threads())
    }
}

impl Pool {
    /// A pool of `threads`, the caller's own among them.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub fn new(threads: usize) -> Result<Self, KernelError> {
        let extra = threads.max(1) - 1;
        let shared = Arc::new(Shared {
            open: AtomicU64::new(0),
            joined: AtomicUsize::new(0),
            next: AtomicUsize::new(0),
            job: std::cell::UnsafeCell::new(None),
            panicked: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            parked: (0..extra).map(|_| AtomicBool::new(false)).collect(),
        });
        let mut pool = Self { shared, workers: Vec::new(), gate: Mutex::new(Gate::default()) };
        for index in 0..extra {
            let shared = Arc::clone(&pool.shared);
            let worker = thread::Builder::new()
                .name(format!("nearside-kernel-{index}"))
                .spawn(move || serve(&shared, index))
                .map_err(|error| KernelError::Thread(error.to_string()))?;
            pool.workers.push(worker);
        }
        Ok(pool)
    }

    #[must_use]
    pub fn threads(&self) -> usize {
        self.workers.len() + 1
    }

    /// Calls `work` once for each number below `chunks`, in any order, on any of the threads, and returns
    /// when all calls have returned. A single chunk runs on the caller's thread at once.
    ///
    /// # Panics
    /// When `work` panics, after all threads have let go of it.
    pub fn run(&self, chunks: usize, work: Work<'_>) {
        if chunks <= 1 || self.workers.is_empty() {
            (0..chunks).for_each(work);
            return;
        }
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        if gate.alone > 0 {
            gate.alone -= 1;
            (0..chunks).for_each(work);
            return;
        }
        gate.number += 1;
        let shared = &*self.shared;
        shared.next.store(0, SeqCst);
        // SAFETY: only the lifetime changes. `Closing` below clears the job and waits until no thread is
        // joined before this function returns or unwinds, so nobody calls `work` after its lifetime.
        let work_static = unsafe { std::mem::transmute::<Work<'_>, Work<'static>>(work) };
        // SAFETY: the gate is held, the last job was closed and nobody is joined; see `Sync for Shared`. A
        // thread that raises `joined` now sees `open` at 0 and does not read.
        unsafe { *shared.job.get() = Some(Job { work: work_static, chunks }) };
        let closing = Closing(shared);
        shared.open.store(gate.number, SeqCst);
        for (flag, worker) in shared.parked.iter().zip(&self.workers) {
            if flag.swap(false, SeqCst) {
                worker.thread().unpark();
            }
        }
        let begun = Instant::now();
        take_chunks(shared, chunks, work);
        let done = Instant::now();
        drop(closing);
        // Uneven chunks of a big job make the caller wait too, but not for as long as it worked.
        let (worked, waited) = (done - begun, done.elapsed());
        if waited > STALL && waited > worked {
            gate.penalty = (2 * gate.penalty).clamp(FIRST_PENALTY, LONGEST_PENALTY);
            gate.alone = gate.penalty;
        } else {
            gate.penalty = gate.penalty.saturating_sub(1);
        }
        assert!(!shared.panicked.swap(false, SeqCst), "a kernel thread panicked");
    }

    /// Like `run`, with the numbers below `items` in ranges of at least `grain`: small work stays whole.
    pub fn run_ranges(
        &self,
        items: usize,
        grain: usize,
        work: impl Fn(std::ops::Range<usize>) + Sync,
    ) {
        // A few ranges a thread, so that one thread held up by the system does not hold up the rest.
        let ranges = (items / grain.max(1)).clamp(1, 6 * self.threads());
        let size = items.div_ceil(ranges);
        let ranges = items.div_ceil(size.max(1));
        self.run(ranges, &|range| work(range * size..((range + 1) * size).min(items)));
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.stop.store(true, SeqCst);
        for worker in self.workers.drain(..) {
            worker.thread().unpark();
            // A worker catches panics of the work, so its own end is never a panic worth passing on.
            let _ended = worker.join();
        }
    }
}

/// Closes the job and waits for the threads inside it, also when the caller unwinds.
struct Closing<'a>(&'a Shared);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.open.store(0, SeqCst);
        let mut looks = 0_u32;
        while self.0.joined.load(SeqCst) != 0 {
            looks += 1;
            if looks < LOOKS_BEFORE_PARKING {
                std::hint::spin_loop();
            } else {
                // Another program has the worker's core; let it finish rather than burn ours.
                thread::yield_now();
            }
        }
    }
}

fn take_chunks(shared: &Shared, chunks: usize, work: Work<'_>) {
    loop {
        let chunk = shared.next.fetch_add(1, SeqCst);
        if chunk >= chunks {
            return;
        }
        work(chunk);
    }
}

/// The life of a worker: look for a job it has not seen, share its chunks, park when none comes.
fn serve(shared: &Shared, index: usize) {
    let mut seen = 0;
    let is_new = |seen: u64| {
        let open = shared.open.load(SeqCst);
        open != 0 && open != seen
    };
    while !shared.stop.load(SeqCst) {
        let mut looks = 0_u32;
        while !is_new(seen) && looks < LOOKS_BEFORE_PARKING {
            std::hint::spin_loop();
            looks += 1;
        }
        if !is_new(seen) {
            shared.parked[index].store(true, SeqCst);
            // A job opened before the flag was up would not wake us; one opened after it does, and
            // `park` returns at once when the wake came first.
            if !is_new(seen) && !shared.stop.load(SeqCst) {
                thread::park();
            }
            shared.parked[index].store(false, SeqCst);
            continue;
        }
        shared.joined.fetch_add(1, SeqCst);
        let open = shared.open.load(SeqCst);
        if open != 0 && open != seen {
            seen = open;
            // SAFETY: `joined` was raised before `open` was seen at this job's number, so the caller that
            // wrote the job waits for us before it writes again; see `Sync for Shared`.
            if let Some(job) = unsafe { &*shared.job.get() } {
                let shared_work = AssertUnwindSafe(|| take_chunks(shared, job.chunks, job.work));
                if catch_unwind(shared_work).is_err() {
                    shared.panicked.store(true, SeqCst);
                }
            }
        }
        shared.joined.fetch_sub(1, SeqCst);
    }
}

/// Cores without their second hardware threads: a product gains nothing from two threads on one core.
#[must_use]
pub fn physical_cores() -> usize {
    let available = thread::available_parallelism().map_or(1, usize::from);
    let mut cores = std::collections::BTreeSet::new();
    for processor in 0..4096 {
        let path = format!("/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list");
        match std::fs::read_to_string(path) {
            Ok(siblings) => cores.insert(siblings),
            Err(_) => break,
        };
    }
    if cores.is_empty() { available } else { cores.len().min(available) }
}
