//! Where files come from.

use std::sync::Arc;
use std::time::SystemTime;

/// A place that prompt files are loaded from.
///
/// Paths are canonical and root-relative with `/` (`rules/style.md`), without `.`, `..` or an
/// empty segment. A loader never reads outside of its root.
pub trait Loader: Send + Sync {
    /// Reads one regular file, of at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// Any [`LoadError`] but for a file that is not there, which is [`Lookup::NotFound`].
    fn load(&self, path: &str, limit: u64) -> Result<Lookup<Loaded>, LoadError>;

    /// What can be known of a file without reading it; the same answers as [`Loader::load`].
    ///
    /// # Errors
    ///
    /// As [`Loader::load`].
    fn facts(&self, path: &str) -> Result<Lookup<Facts>, LoadError>;

    /// The names in a folder (`""` is the root) in byte order; folders end with `/`.
    ///
    /// # Errors
    ///
    /// As [`Loader::load`].
    fn list(&self, folder: &str) -> Result<Lookup<Vec<String>>, LoadError>;
}

/// The answer to a question about a name: what is there, or that nothing is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lookup<T> {
    /// It is there.
    Found(T),
    /// No regular file (no folder, for a listing) has that name.
    NotFound,
}

/// A file that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loaded {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its facts when it was read.
    pub facts: Facts,
}

/// What can be known of a file without reading it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// The canonical path: that of a link's target, where the name is a link.
    pub path: Arc<str>,
    /// The size in bytes.
    pub size: u64,
    /// When the content last changed, where that is known.
    pub modified: Option<SystemTime>,
    /// When anything about the file last changed (`ctime`), in nanoseconds, where that is known.
    pub changed: Option<i128>,
    /// The identity of the file in its file system, where it has one: device and inode.
    pub identity: Option<(u64, u64)>,
}

/// Why a file could not be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The name, or what it links to, lies outside the root.
    #[error("`{path}` is outside the root")]
    OutsideRoot {
        /// The path asked for.
        path: String,
    },
    /// The file is larger than allowed.
    #[error("`{path}` is larger than {limit} bytes")]
    TooLarge {
        /// The path asked for.
        path: String,
        /// The bytes that were allowed.
        limit: u64,
    },
    /// The file is there and cannot be read.
    #[error("`{path}` cannot be read: {reason}")]
    Unreadable {
        /// The path asked for.
        path: String,
        /// What the system said.
        reason: String,
    },
}
