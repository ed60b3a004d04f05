//! Where files come from: the trait that an application may implement for its own store.

use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

/// A place that prompt files are loaded from: one root.
///
/// Paths are root-relative with `/` (`rules/style.md`), never begin with `/`, and hold no `.`,
/// `..` or empty segment: these are folded before a loader is asked. `""` is the root itself. A
/// loader answers for its own root only, and says [`LoadError::OutsideRoot`] for a name that
/// leads out of it, whether or not anything is there.
///
/// [`DirLoader`](super::DirLoader) reads a folder and [`MemoryLoader`](super::MemoryLoader) a
/// map. A loader of your own needs [`load`](Loader::load) and [`list`](Loader::list):
///
/// ```
/// use std::collections::BTreeMap;
/// use mdgraft::{EntryKind, Facts, Listing, LoadError, Loaded, Loader};
///
/// /// Prompts that a program keeps in a table.
/// struct Table(BTreeMap<String, String>);
///
/// impl Loader for Table {
///     fn load(&self, path: &str, limit: u64) -> Result<Option<Loaded>, LoadError> {
///         let Some(text) = self.0.get(path) else { return Ok(None) };
///         let facts = Facts::new(path, text.len() as u64);
///         if facts.size > limit {
///             return Err(LoadError::TooLarge { path: path.to_owned(), limit });
///         }
///         Ok(Some(Loaded { bytes: text.clone().into_bytes(), facts }))
///     }
///
///     fn list(&self, folder: &str) -> Result<Option<Listing>, LoadError> {
///         // This table has no folders.
///         if !folder.is_empty() {
///             return Ok(None);
///         }
///         let names = self.0.keys().map(|name| (name.clone(), EntryKind::File));
///         Ok(Some(Listing::new("", names)))
///     }
/// }
///
/// let table = Table(BTreeMap::from([("hello.md".to_owned(), "Hello.\n".to_owned())]));
/// assert_eq!(table.load("hello.md", 100)?.map(|file| file.bytes), Some(b"Hello.\n".to_vec()));
/// assert!(table.load("bye.md", 100)?.is_none());
/// # Ok::<(), LoadError>(())
/// ```
pub trait Loader: Send + Sync {
    /// Reads one regular file of at most `limit` bytes; `None` if no regular file has that name.
    ///
    /// A folder, a pipe or a device is no regular file. A symbolic link is its target.
    ///
    /// # Errors
    ///
    /// Any [`LoadError`].
    fn load(&self, path: &str, limit: u64) -> Result<Option<Loaded>, LoadError>;

    /// What can be known of a file without reading it, by which a cache sees that it changed.
    ///
    /// It answers as [`load`](Loader::load) does, which is also what it does unless a loader
    /// knows better.
    ///
    /// # Errors
    ///
    /// As [`load`](Loader::load), but for [`LoadError::TooLarge`].
    fn facts(&self, path: &str) -> Result<Option<Facts>, LoadError> {
        Ok(self.load(path, u64::MAX)?.map(|loaded| loaded.facts))
    }

    /// The names in a folder (`""` is the root), for patterns such as `rules/*.md` and for
    /// suggestions; `None` if no folder has that name.
    ///
    /// # Errors
    ///
    /// Any [`LoadError`].
    fn list(&self, folder: &str) -> Result<Option<Listing>, LoadError>;
}

/// A file that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loaded {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its facts when it was opened.
    pub facts: Facts,
}

/// What can be known of a file without reading it.
///
/// Two equal answers mean that the file did not change, if the first was [settled](Self::settled)
/// and knows a time. Where that is not so, the file is read again to see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// The canonical path: that of a link's target, where the name is a link.
    pub path: Arc<str>,
    /// The size in bytes.
    pub size: u64,
    /// When the content last changed, where that is known.
    pub modified: Option<SystemTime>,
    /// A number that is another one after every change, where there is one: the `ctime` in
    /// nanoseconds of a file, or the revision of a row.
    pub changed: Option<i128>,
    /// The identity of the file in its file system, where it has one: device and inode.
    pub identity: Option<(u64, u64)>,
    /// Whether every later change is sure to give other facts. It is not where the file changed
    /// so short ago that a second change may get the same time.
    pub settled: bool,
}

impl Facts {
    /// The facts of a file of which only its path and size are known.
    #[must_use]
    pub fn new(path: impl Into<Arc<str>>, size: u64) -> Self {
        Self {
            path: path.into(),
            size,
            modified: None,
            changed: None,
            identity: None,
            settled: true,
        }
    }

    /// Whether facts of a later time prove that the file did not change since these.
    pub(crate) fn prove(&self, later: &Self) -> bool {
        self.are_conclusive() && Self { settled: true, ..later.clone() } == *self
    }

    /// Whether equal facts of a later time would prove anything.
    pub(crate) fn are_conclusive(&self) -> bool {
        self.settled && (self.modified.is_some() || self.changed.is_some())
    }
}

/// The names in a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing {
    /// The canonical path of the folder: that of a link's target, where the name is a link.
    pub path: Arc<str>,
    entries: Vec<(String, EntryKind)>,
}

impl Listing {
    /// A listing from names without `/` and what they are, in any order.
    #[must_use]
    pub fn new(
        path: impl Into<Arc<str>>,
        entries: impl IntoIterator<Item = (String, EntryKind)>,
    ) -> Self {
        let mut entries: Vec<_> = entries.into_iter().collect();
        entries.sort_unstable();
        entries.dedup();
        Self { path: path.into(), entries }
    }

    /// The names in byte order, with what they are.
    #[must_use]
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (&str, EntryKind)> {
        self.entries.iter().map(|(name, kind)| (name.as_str(), *kind))
    }
}

/// What a name in a folder is; a link is what it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link that leads out of the root, whether or not anything is there.
    Outside,
    /// Anything else: a pipe, a device, a link to nothing.
    Other,
}

/// Why a file could not be loaded.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
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
    /// The folder holds more names than can be listed.
    #[error("`{path}` holds more than {limit} names")]
    TooMany {
        /// The path asked for.
        path: String,
        /// The names that were allowed.
        limit: usize,
    },
    /// The file or folder is there and cannot be read.
    #[error("`{path}` cannot be read: {reason}")]
    Unreadable {
        /// The path asked for.
        path: String,
        /// What the system said.
        reason: String,
    },
}

impl LoadError {
    pub(super) fn outside(path: &str) -> Self {
        Self::OutsideRoot { path: path.to_owned() }
    }

    pub(super) fn unreadable(path: &str, reason: impl fmt::Display) -> Self {
        Self::Unreadable { path: path.to_owned(), reason: format!("{reason}") }
    }
}

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<L: Loader + ?Sized> Loader for $pointer {
            fn load(&self, path: &str, limit: u64) -> Result<Option<Loaded>, LoadError> {
                (**self).load(path, limit)
            }

            fn facts(&self, path: &str) -> Result<Option<Facts>, LoadError> {
                (**self).facts(path)
            }

            fn list(&self, folder: &str) -> Result<Option<Listing>, LoadError> {
                (**self).list(folder)
            }
        }
    )*};
}

forward!(Arc<L>, Box<L>, &L);
