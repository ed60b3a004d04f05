//! Folders and files on disk, by handle. The only file that names `cap_std`, and with `git.rs` and
//! `database/sqlite.rs` the only one that reaches the disk at all.
//!
//! Everything is opened one name at a time below a handle, and no link is followed on the way. So
//! a path that is looked up here is the path that was walked: nothing that is renamed or replaced
//! by a link in between can lead anywhere else. Who wants to follow a link reads its target and
//! walks that, as `sandbox.rs` does.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt};
use cap_std::fs::{Dir, FileType, Metadata, OpenOptions};

/// An open folder.
#[derive(Debug)]
pub(crate) struct Disk {
    dir: Dir,
}

/// What a name stands for; a link is a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    File,
    Folder,
    Link,
    Other,
}

/// What is known of a name without reading it. Two equal answers mean that nothing changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Facts {
    pub(crate) kind: Kind,
    pub(crate) size: u64,
    pub(crate) modified: Option<SystemTime>,
    /// The `ctime` in nanoseconds, where there is one.
    pub(crate) changed: Option<i128>,
    /// Device and inode, where there are such.
    pub(crate) identity: Option<(u64, u64)>,
}

impl Disk {
    /// Opens a folder by its path: the one step from the program to the disk.
    #[expect(clippy::disallowed_methods, reason = "the one door to the context folder")]
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let dir = Dir::open_ambient_dir(path, cap_std::ambient_authority())?;
        Ok(Self { dir })
    }

    /// Opens a folder by its path, which is made if it is not there; whether it was.
    #[expect(clippy::disallowed_methods, reason = "the one door to the context folder")]
    pub(crate) fn open_or_make(path: &Path) -> io::Result<(Self, bool)> {
        let made = match Dir::open_ambient_dir(path, cap_std::ambient_authority()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Dir::create_ambient_dir_all(path, cap_std::ambient_authority())?;
                true
            }
            Err(error) => return Err(error),
            Ok(dir) => return Ok((Self { dir }, false)),
        };
        Ok((Self::open(path)?, made))
    }

    /// Removes an empty folder by its path.
    #[expect(clippy::disallowed_methods, reason = "a folder that this run made is taken back")]
    pub(crate) fn unmake(path: &Path) -> io::Result<()> {
        std::fs::remove_dir(path)
    }

    /// Another handle to the same folder.
    pub(crate) fn again(&self) -> io::Result<Self> {
        Ok(Self { dir: self.dir.try_clone()? })
    }

    /// Opens a folder in this one. A link is refused, even one to a folder.
    pub(crate) fn folder(&self, name: &str) -> io::Result<Self> {
        Ok(Self { dir: self.dir.open_dir_nofollow(name)? })
    }

    /// Opens a folder below this one, and makes what is missing on the way.
    pub(crate) fn make_folders(&self, path: &str) -> io::Result<Self> {
        let mut here = self.again()?;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            here = match here.folder(name) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    match here.dir.create_dir(name) {
                        // Somebody else made it just now.
                        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                            return Err(error);
                        }
                        _ => here.folder(name)?,
                    }
                }
                found => found?,
            };
        }
        Ok(here)
    }

    /// Opens a folder below this one, link by no link; none if it is not there.
    pub(crate) fn folders(&self, path: &str) -> io::Result<Option<Self>> {
        let mut here = self.again()?;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            here = match here.folder(name) {
                Err(error) if is_absence(&error) => return Ok(None),
                found => found?,
            };
        }
        Ok(Some(here))
    }

    /// Looks at a name, and follows no link.
    pub(crate) fn look(&self, name: &str) -> io::Result<Option<Facts>> {
        match self.dir.symlink_metadata(name) {
            Ok(metadata) => Ok(Some(facts(&metadata))),
            Err(error) if is_absence(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Looks at this folder itself.
    pub(crate) fn own_facts(&self) -> io::Result<Facts> {
        self.dir.dir_metadata().map(|metadata| facts(&metadata))
    }

    /// Where a link leads to, as it is written.
    pub(crate) fn link_target(&self, name: &str) -> io::Result<PathBuf> {
        self.dir.read_link_contents(name)
    }

    /// Reads a regular file of at most `limit` bytes into a buffer. Nothing else is ever opened
    /// for longer than it takes to see what it is: a pipe or a device is not waited for.
    pub(crate) fn read(&self, name: &str, limit: u64, bytes: &mut Vec<u8>) -> io::Result<Reading> {
        bytes.clear();
        let file = self.dir.open_with(name, &regular_files_only())?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Ok(Reading::NoFile);
        }
        let found = facts(&metadata);
        if found.size > limit {
            return Ok(Reading::TooLarge(found.size));
        }
        bytes.reserve(usize::try_from(found.size).unwrap_or_default() + 1);
        file.take(limit.saturating_add(1)).read_to_end(bytes)?;
        let size = bytes.len() as u64;
        Ok(if size > limit { Reading::TooLarge(size) } else { Reading::Read(found) })
    }

    /// The names in this folder with what they are, in the order of the system.
    pub(crate) fn names(&self) -> io::Result<Vec<(OsString, Kind)>> {
        let mut names = Vec::new();
        for entry in self.dir.entries()? {
            let entry = entry?;
            let kind = match kind(entry.file_type()?) {
                // Some file systems do not tell.
                Kind::Other => kind(entry.metadata()?.file_type()),
                kind => kind,
            };
            names.push((entry.file_name(), kind));
        }
        Ok(names)
    }

    /// Writes a file at once: whoever reads it finds the old bytes or all of the new ones.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let (new, mut file) = self.new_file()?;
        let written = file.write_all(bytes).and_then(|()| file.flush());
        drop(file);
        let placed = written.and_then(|()| self.dir.rename(new, &self.dir, name));
        if placed.is_err() {
            let _ = self.dir.remove_file(new);
        }
        placed
    }

    /// Writes a file that is not there yet; one that is there is an error.
    pub(crate) fn write_new(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let mut file = self.dir.open_with(name, &options)?;
        file.write_all(bytes)
    }

    /// A file to write to before it gets its name. One writer at a time is in a folder, so what is
    /// there under that name is what a killed run left.
    fn new_file(&self) -> io::Result<(&'static str, cap_std::fs::File)> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let file = match self.dir.open_with(TEMPORARY, &options) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.dir.remove_file(TEMPORARY)?;
                self.dir.open_with(TEMPORARY, &options)?
            }
            opened => opened?,
        };
        Ok((TEMPORARY, file))
    }

    /// Adds bytes to the end of a file, which is made if it is not there.
    pub(crate) fn append(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.append(true).create(true).follow(FollowSymlinks::No);
        self.dir.open_with(name, &options)?.write_all(bytes)
    }

    /// Takes a file as a lock, which is held until it is dropped; none if somebody else holds it.
    pub(crate) fn lock(&self, name: &str) -> io::Result<Option<Lock>> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).follow(FollowSymlinks::No);
        let file = self.dir.open_with(name, &options)?.into_std();
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock { _file: file })),
            Err(std::fs::TryLockError::WouldBlock) => Ok(None),
            Err(std::fs::TryLockError::Error(error)) => Err(error),
        }
    }

    /// Removes a file, or a link itself.
    pub(crate) fn remove_file(&self, name: &str) -> io::Result<()> {
        self.dir.remove_file(name)
    }

    /// Removes a folder that is empty.
    pub(crate) fn remove_empty_folder(&self, name: &str) -> io::Result<()> {
        self.dir.remove_dir(name)
    }

    /// Removes a folder with all that is in it; links in it are removed, not followed.
    pub(crate) fn remove_folder(&self, name: &str) -> io::Result<()> {
        self.dir.remove_dir_all(name)
    }

    /// Moves a file or folder to another folder.
    pub(crate) fn rename_to(&self, from: &str, folder: &Self, to: &str) -> io::Result<()> {
        self.dir.rename(from, &folder.dir, to)
    }

    /// Exchanges two folders at once; false where the system cannot.
    pub(crate) fn exchange(&self, one: &str, folder: &Self, other: &str) -> io::Result<bool> {
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        {
            use rustix::fs::{RenameFlags, renameat_with};
            use rustix::io::Errno;
            let flags = RenameFlags::EXCHANGE;
            match renameat_with(&self.dir, one, &folder.dir, other, flags) {
                Ok(()) => Ok(true),
                Err(Errno::NOSYS | Errno::INVAL | Errno::NOTSUP) => Ok(false),
                Err(error) => Err(error.into()),
            }
        }
        #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
        {
            let _ = (one, folder, other);
            Ok(false)
        }
    }

    /// The way from a folder to another one inside of it, with `/`; none if it is not inside.
    #[expect(clippy::disallowed_methods, reason = "two folders of the user are compared")]
    pub(crate) fn way(from: &Path, to: &Path) -> io::Result<Option<String>> {
        let (from, to) = (std::fs::canonicalize(from)?, std::fs::canonicalize(to)?);
        let inside = to.strip_prefix(&from).ok();
        Ok(inside.map(|inside| {
            let names: Vec<_> = inside.iter().map(|name| name.to_string_lossy()).collect();
            names.join("/")
        }))
    }
}

/// The name of a file that has none of its own yet.
pub(crate) const TEMPORARY: &str = ".mdgraft-new";

/// A lock that is held.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: std::fs::File,
}

/// What came of reading a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    Read(Facts),
    /// With its size, or what was seen of it.
    TooLarge(u64),
    NoFile,
}

/// Whether an error says that nothing has this name, or could have it.
pub(crate) fn is_absence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::InvalidFilename
            | io::ErrorKind::InvalidInput
    )
}

/// Opening never waits for a pipe or takes a terminal, and follows no link.
fn regular_files_only() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No);
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt;
        use rustix::fs::OFlags;
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    options
}

fn kind(kind: FileType) -> Kind {
    match kind {
        kind if kind.is_file() => Kind::File,
        kind if kind.is_dir() => Kind::Folder,
        kind if kind.is_symlink() => Kind::Link,
        _ => Kind::Other,
    }
}

fn facts(metadata: &Metadata) -> Facts {
    let mut facts = Facts {
        kind: kind(metadata.file_type()),
        size: metadata.len(),
        modified: metadata.modified().ok().map(cap_std::time::SystemTime::into_std),
        changed: None,
        identity: None,
    };
    #[cfg(unix)]
    {
        use cap_std::fs::MetadataExt;
        let seconds = i128::from(metadata.ctime());
        facts.changed = Some(seconds * 1_000_000_000 + i128::from(metadata.ctime_nsec()));
        facts.identity = Some((metadata.dev(), metadata.ino()));
    }
    facts
}
