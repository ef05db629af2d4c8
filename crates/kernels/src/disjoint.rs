//! `Disjoint`: one output slice that the threads of a job write in parts that never overlap. It checks
//! bounds; that the parts do not overlap is what each caller proves.

use std::marker::PhantomData;

/// A mutable slice that can be handed to several threads at once.
pub(crate) struct Disjoint<'a, T> {
    start: *mut T,
    len: usize,
    owner: PhantomData<&'a mut [T]>,
}

// SAFETY: it is a `&mut [T]` that is given out in parts; sending those to other threads needs `T: Send`,
// and `part`'s contract keeps two threads off the same element.
unsafe impl<T: Send> Sync for Disjoint<'_, T> {}

impl<'a, T> Disjoint<'a, T> {
    pub(crate) fn new(slice: &'a mut [T]) -> Self {
        Self { start: slice.as_mut_ptr(), len: slice.len(), owner: PhantomData }
    }

    /// The elements `from .. from + len`.
    ///
    /// # Safety
    /// No other part that is alive holds one of these elements.
    #[expect(clippy::mut_from_ref, reason = "the point of the type: callers prove disjointness")]
    pub(crate) unsafe fn part(&self, from: usize, len: usize) -> &mut [T] {
        assert!(from <= self.len && len <= self.len - from, "a part beyond the slice");
        // SAFETY: within the slice by the check above, alive for 'a, and not aliased by contract.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(from), len) }
    }
}
