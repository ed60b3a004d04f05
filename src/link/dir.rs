//! A root that is a folder on disk. The only file that names `cap_std` and `rustix`, and with
//! `engine/disk.rs` the only one of the library that opens files.
//!
//! Every path is opened below one folder handle, so that the system itself refuses what leads
//! out of the root; no comparison of path texts decides about that.

use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::path::{Component, Path};
use std::time::{Duration, SystemTime};

use cap_std::fs::{Dir, File, Metadata, OpenOptions};

use super::follow::{Followed, Step, follow};
use super::loader::{EntryKind, Facts, Listing, LoadError, Loaded, Loader};
use crate::text::paths;

/// The names that a folder may hold to be listed.
const MOST_NAMES: usize = 100_000;
/// The coarsest times that file systems in use keep.
const MOMENT: Duration = Duration::from_secs(2);

/// A root that is a folder on disk.
///
/// Nothing outside of the folder is read: `..`, absolute paths and links that lead out are
/// refused by the system when a file is opened. Links within the folder are followed; an absolute
/// link counts as leading out, wherever it points. Only regular files are read: a pipe or a
/// device is never waited for. Names that are not UTF-8 do not exist.
///
/// ```no_run
/// use mdgraft::{DirLoader, Engine};
///
/// let engine = Engine::new(DirLoader::open("prompts")?);
/// # Ok::<(), mdgraft::LoadError>(())
/// ```
pub struct DirLoader {
    dir: Dir,
}

impl DirLoader {
    /// Opens a folder, which may be given relative to the working directory or be a link.
    ///
    /// The folder itself is held open: when it is moved, the loader goes along.
    ///
    /// # Errors
    ///
    /// [`LoadError::Unreadable`] if it is no folder or cannot be opened.
    #[expect(clippy::disallowed_methods, reason = "the one door from the program to the disk")]
    pub fn open(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        match Dir::open_ambient_dir(path, cap_std::ambient_authority()) {
            Ok(dir) => Ok(Self { dir }),
            Err(error) => Err(LoadError::unreadable(&path.to_string_lossy(), error.kind())),
        }
    }

    fn follow(&self, path: &str) -> Result<Followed<Metadata>, LoadError> {
        follow(path, |real| {
            if cfg!(windows) && real.contains(['\\', ':']) {
                return Ok(Step::Missing);
            }
            let metadata = match self.dir.symlink_metadata(real) {
                Ok(metadata) => metadata,
                Err(error) if is_absence(&error) => return Ok(Step::Missing),
                Err(error) => return Err(refusal(path, &error)),
            };
            if metadata.is_symlink() {
                let target = self.dir.read_link_contents(real);
                return link_target(path, &target.map_err(|error| refusal(path, &error))?);
            }
            Ok(match metadata.file_type() {
                kind if kind.is_file() => Step::File(metadata),
                kind if kind.is_dir() => Step::Folder,
                _ => Step::Other,
            })
        })
    }

    fn kind(&self, path: &str) -> EntryKind {
        match self.follow(path) {
            Ok(Followed::File(..)) => EntryKind::File,
            Ok(Followed::Folder(_)) => EntryKind::Folder,
            Err(LoadError::OutsideRoot { .. }) => EntryKind::Outside,
            Ok(Followed::Other | Followed::Missing) | Err(_) => EntryKind::Other,
        }
    }
}

impl Loader for DirLoader {
    fn load(&self, path: &str, limit: u64) -> Result<Option<Loaded>, LoadError> {
        let too_large = || LoadError::TooLarge { path: path.to_owned(), limit };
        let Followed::File(real, metadata) = self.follow(path)? else { return Ok(None) };
        if metadata.len() > limit {
            return Err(too_large());
        }
        let file = match self.dir.open_with(&real, &regular_files_only()) {
            Ok(file) => file,
            Err(error) if is_absence(&error) => return Ok(None),
            Err(error) => return Err(refusal(path, &error)),
        };
        let now = now();
        // The name may stand for something else by now, so the open file is asked once more.
        let metadata = file.metadata().map_err(|error| refusal(path, &error))?;
        if !metadata.is_file() {
            return Ok(None);
        }
        if metadata.len() > limit {
            return Err(too_large());
        }
        let bytes = read(&file, metadata.len(), limit).map_err(|error| refusal(path, &error))?;
        if bytes.len() as u64 > limit {
            return Err(too_large());
        }
        Ok(Some(Loaded { bytes, facts: facts(real, &metadata, now) }))
    }

    fn facts(&self, path: &str) -> Result<Option<Facts>, LoadError> {
        let now = now();
        let Followed::File(real, metadata) = self.follow(path)? else { return Ok(None) };
        Ok(Some(facts(real, &metadata, now)))
    }

    fn list(&self, folder: &str) -> Result<Option<Listing>, LoadError> {
        let Followed::Folder(real) = self.follow(folder)? else { return Ok(None) };
        let opened = if real.is_empty() { self.dir.entries() } else { self.dir.read_dir(&real) };
        let found = match opened {
            Ok(found) => found,
            Err(error) if is_absence(&error) => return Ok(None),
            Err(error) => return Err(refusal(folder, &error)),
        };
        let mut entries = Vec::new();
        for entry in found {
            let entry = entry.map_err(|error| refusal(folder, &error))?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if entries.len() == MOST_NAMES {
                return Err(LoadError::TooMany { path: folder.to_owned(), limit: MOST_NAMES });
            }
            let kind = match entry.file_type() {
                Ok(kind) if kind.is_file() => EntryKind::File,
                Ok(kind) if kind.is_dir() => EntryKind::Folder,
                // A link, or a file system that does not tell: look at what it leads to.
                _ => self.kind(&paths::join(&real, &name)),
            };
            entries.push((name, kind));
        }
        Ok(Some(Listing::new(real, entries)))
    }
}

impl fmt::Debug for DirLoader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DirLoader").finish_non_exhaustive()
    }
}

/// Opening never waits for a pipe or takes a terminal, should a name change what it stands for
/// between the look and the opening; and it follows no link at the end of the path.
fn regular_files_only() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt;
        use rustix::fs::OFlags;
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW;
        options.custom_flags(flags.bits().cast_signed());
    }
    options
}

/// Reads a file to its end, but never more than one byte past the limit.
fn read(file: &File, size: u64, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The time at which facts are asked for, by which they are settled or not.
#[expect(clippy::disallowed_methods, reason = "what changed just now may change again unseen")]
fn now() -> SystemTime {
    SystemTime::now()
}

fn facts(path: String, metadata: &Metadata, now: SystemTime) -> Facts {
    let mut facts = Facts::new(path, metadata.len());
    facts.modified = metadata.modified().ok().map(cap_std::time::SystemTime::into_std);
    #[cfg(unix)]
    {
        use cap_std::fs::MetadataExt;
        let seconds = i128::from(metadata.ctime());
        facts.changed = Some(seconds * 1_000_000_000 + i128::from(metadata.ctime_nsec()));
        facts.identity = Some((metadata.dev(), metadata.ino()));
    }
    facts.settled = is_settled(&facts, now);
    facts
}

/// Whether a file was left alone for longer than a file system may take for one moment. One that
/// seems to come from the future may be changed again at that very time.
fn is_settled(facts: &Facts, now: SystemTime) -> bool {
    let Ok(now) = now.duration_since(SystemTime::UNIX_EPOCH) else { return false };
    let Some(quiet) = now.checked_sub(MOMENT) else { return false };
    let modified = facts.modified.and_then(|time| {
        let since = time.duration_since(SystemTime::UNIX_EPOCH);
        // What is older than the epoch is old.
        i128::try_from(since.unwrap_or_default().as_nanos()).ok()
    });
    let Ok(quiet) = i128::try_from(quiet.as_nanos()) else { return false };
    [modified, facts.changed].into_iter().flatten().all(|time| time < quiet)
}

/// The target of a link with `/`, which stands in front of it if it is absolute.
fn link_target(path: &str, target: &Path) -> Result<Step<Metadata>, LoadError> {
    let mut text = String::new();
    for component in target.components() {
        let name = match component {
            Component::Prefix(_) | Component::RootDir => return Err(LoadError::outside(path)),
            Component::CurDir => ".",
            Component::ParentDir => "..",
            Component::Normal(name) => match name.to_str() {
                Some(name) => name,
                None => return Ok(Step::Missing),
            },
        };
        text = paths::join(&text, name);
    }
    Ok(Step::Link(text))
}

/// Whether an error says that nothing has this name, or could have it.
fn is_absence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::NotFound
            | ErrorKind::NotADirectory
            | ErrorKind::InvalidFilename
            | ErrorKind::InvalidInput
    )
}

/// What any other error means. An attempt to escape is an error that the system did not make.
fn refusal(path: &str, error: &io::Error) -> LoadError {
    if error.kind() == ErrorKind::PermissionDenied && error.raw_os_error().is_none() {
        return LoadError::outside(path);
    }
    LoadError::unreadable(path, error.kind())
}
