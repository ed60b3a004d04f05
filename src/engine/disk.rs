//! The files of packs. Beside `link/dir.rs` the only file of the library that opens files.
#![expect(clippy::disallowed_methods, reason = "packs are read and written here, and only here")]

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::pack::{Bytes, PackError};

/// A file that is read from in pieces. It stays the same file when another takes its name.
pub(super) struct DiskBytes {
    file: File,
    length: u64,
}

/// Opens a pack.
pub(super) fn open(path: &Path) -> Result<DiskBytes, PackError> {
    let file = File::open(path).map_err(|error| failed(&error))?;
    let metadata = file.metadata().map_err(|error| failed(&error))?;
    if !metadata.is_file() {
        return Err(PackError::Foreign);
    }
    Ok(DiskBytes { file, length: metadata.len() })
}

impl Bytes for DiskBytes {
    fn read(&self, offset: u64, length: usize) -> Result<Cow<'_, [u8]>, PackError> {
        let end = offset.checked_add(length as u64).ok_or(PackError::Damaged)?;
        if end > self.length {
            return Err(PackError::Damaged);
        }
        let mut bytes = vec![0; length];
        match read_at(&self.file, &mut bytes, offset) {
            Ok(()) => Ok(bytes.into()),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Err(PackError::Damaged),
            Err(error) => Err(failed(&error)),
        }
    }

    fn length(&self) -> u64 {
        self.length
    }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, offset)? {
            0 => return Err(ErrorKind::UnexpectedEof.into()),
            count => {
                bytes = &mut bytes[count..];
                offset += count as u64;
            }
        }
    }
    Ok(())
}

/// Writes a file at once: whoever opens it finds the old bytes or all of the new ones, whenever
/// this process ends. Its folders are made if they are not there.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), PackError> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let written = fs::create_dir_all(folder).and_then(|()| {
        let (draft, mut file) = draft(path)?;
        let done = file
            .set_len(0)
            .and_then(|()| file.write_all(bytes))
            .and_then(|()| file.sync_data())
            .and_then(|()| fs::rename(&draft, path));
        if done.is_err() {
            // The lock is still held, so that it is nobody else's.
            let _ = fs::remove_file(&draft);
        }
        done
    });
    written.map_err(|error| failed(&error))
}

/// A file of this process beside the one that is written. A lock tells those that others are
/// writing from those that a process which was killed left behind, which are used again.
fn draft(path: &Path) -> io::Result<(PathBuf, File)> {
    /// More processes than this do not write one pack at once.
    const MOST: usize = 100;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for number in 0..MOST {
        let draft = path.with_file_name(format!(".{name}.{number}"));
        let mut options = File::options();
        let file = options.write(true).create(true).truncate(false).open(&draft)?;
        if file.try_lock().is_ok() && is_at(&file, &draft) {
            return Ok((draft, file));
        }
    }
    Err(io::Error::new(ErrorKind::ResourceBusy, "too many write it at once"))
}

/// Whether a file still has its name: another process may have given it that of the pack between
/// the opening and the lock.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(open), Ok(named)) = (file.metadata(), fs::symlink_metadata(path)) else {
        return false;
    };
    (open.dev(), open.ino()) == (named.dev(), named.ino())
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

fn failed(error: &io::Error) -> PackError {
    PackError::Io { reason: error.to_string() }
}
