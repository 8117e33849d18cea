//! How much memory can be had. An allocation alone does not tell: Linux promises more than it has,
//! and ends the program that takes it at its word.

use std::fs;

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

#[cfg(test)]
mod tests {
    use super::*;

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
