//! The bounds of what a prompt can use.

/// Bounds of every resource that a prompt can use; what reaches a limit is allowed, one more is
/// the error `limit-exceeded`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Includes on one path; the entry is 0.
    pub max_depth: usize,
    /// Expanded includes of one render, in a loop once for each round.
    pub max_expansions: usize,
    /// Bytes of output.
    pub max_output: usize,
    /// Bytes of one file.
    pub max_file: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_depth: 64, max_expansions: 10_000, max_output: 16 << 20, max_file: 1 << 20 }
    }
}
