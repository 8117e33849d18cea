//! How much memory can be had, and how large tables lie in it so that looking into them is fast.
//!
//! An allocation alone does not tell whether there is memory: Linux promises more than it has, and
//! ends the program that takes it at its word.

use std::collections::TryReserveError;
use std::fs;
use std::mem::MaybeUninit;

use crate::position::NoMemory;

/// Whether so much can be had, as far as the system tells.
pub(crate) fn check(mebibytes: usize) -> Result<(), NoMemory> {
    let bytes = (mebibytes as u64).saturating_mul(1 << 20);
    match available() {
        Some(available) if available < bytes => Err(NoMemory { mebibytes }),
        _ => Ok(()),
    }
}

/// The bytes that the program may still take; `None` where the system does not tell.
pub(crate) fn available() -> Option<u64> {
    let read = |path| fs::read_to_string(path).ok();
    let free = read("/proc/meminfo").and_then(|text| kibibytes(&text, "MemAvailable:"));
    let used = read("/proc/self/status").and_then(|text| kibibytes(&text, "VmRSS:")).unwrap_or(0);
    // Of a container, by the two versions of control groups; without a limit it is no number, or
    // one that is larger than any memory.
    let limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let limits = limits.into_iter().filter_map(|path| read(path)?.trim().parse().ok());
    limits.map(|limit: u64| limit.saturating_sub(used)).chain(free).min()
}

/// The bytes that stand as kibibytes behind `name` in a file of the proc filesystem.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    value.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

/// A table of so many default values.
///
/// A look into a large table at random costs a search for its page as well, unless the pages are
/// large: so the system is asked for large ones.
///
/// # Errors
/// If the allocation is refused; [`check`] asks whether it can be trusted.
pub(crate) fn table<T: Default>(len: usize) -> Result<Vec<T>, TryReserveError> {
    let mut table = Vec::new();
    table.try_reserve_exact(len)?;
    ask_for_large_pages(table.spare_capacity_mut());
    table.resize_with(len, T::default);
    Ok(table)
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the system's own interface")]
fn ask_for_large_pages<T>(memory: &mut [MaybeUninit<T>]) {
    /// The large pages of all processors that this is worth while on are no smaller.
    const LARGE_PAGE: usize = 2 << 20;
    let bytes = size_of_val(memory);
    let start = memory.as_mut_ptr().cast::<u8>();
    // Whole large pages within the memory: what it shares with other values stays as it is.
    let skipped = start.align_offset(LARGE_PAGE);
    let len = bytes.saturating_sub(skipped) / LARGE_PAGE * LARGE_PAGE;
    if len > 0 {
        // SAFETY: the range lies within `memory`, and this advice changes neither what memory holds
        // nor who may use it. A refusal changes nothing at all, so it need not be looked at.
        unsafe { libc::madvise(start.wrapping_add(skipped).cast(), len, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_large_pages<T>(_: &mut [MaybeUninit<T>]) {}

/// Begins to fetch `place` into the fastest memory, for a look at it soon.
#[inline(always)]
#[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "an instruction of the processor"))]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction is part of every such processor, reads nothing into the program,
        // and does not fault, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_as_long_as_it_is_to_be_and_holds_defaults() {
        // Less than a large page, a page and a half, and some with ends that lie anywhere.
        for len in [0, 1, 1000, 400_000, 1_000_003] {
            let table = table::<u64>(len).expect("some MiB");
            assert_eq!((table.len(), table.iter().find(|&&word| word != 0)), (len, None));
        }
        assert!(table::<u64>(usize::MAX / 8).is_err());
    }

    #[test]
    fn neighbours_of_a_table_keep_what_they_hold() {
        let mut tables: Vec<Vec<u8>> = Vec::new();
        for seed in 0..8 {
            let mut table = table((3 << 20) + 4097 * usize::from(seed)).expect("some MiB");
            table.fill(seed);
            tables.push(table);
        }
        for (seed, table) in (0..).zip(&tables) {
            prefetch(&table[table.len() / 2]);
            assert!(table.iter().all(|&byte| byte == seed), "{seed}");
        }
    }

    #[test]
    fn a_line_of_the_proc_filesystem_is_read() {
        let text = "MemTotal:       24683520 kB\nMemAvailable:   2 kB\nHugePages_Total:       0\n";
        assert_eq!(kibibytes(text, "MemAvailable:"), Some(2048));
        assert_eq!(kibibytes(text, "HugePages_Total:"), None);
        assert_eq!(kibibytes(text, "SwapFree:"), None);
        assert_eq!(kibibytes("MemAvailable: 99999999999999999 kB", "MemAvailable:"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_tells_how_much_there_is() {
        let bytes = available().expect("there is a proc filesystem");
        assert!((1 << 20..1 << 50).contains(&bytes), "{bytes} bytes");
    }
}
