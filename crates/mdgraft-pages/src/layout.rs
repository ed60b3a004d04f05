//! The folder of a test: a root with its files, and whatever lies beside it.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::stages::{Change, Stage};

/// A temporary folder with the root in it; removed when dropped.
pub(crate) struct Layout {
    folder: tempfile::TempDir,
    root: PathBuf,
}

impl Layout {
    pub(crate) fn new() -> Result<Self, String> {
        let make = || {
            let folder = tempfile::tempdir()?;
            let root = folder.path().join("root");
            fs::create_dir(&root)?;
            Ok(Self { folder, root })
        };
        make().map_err(|error: io::Error| format!("no folder can be made for the test: {error}"))
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A path beside the root, that no test lays anything at.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(".kept").join(name)
    }

    /// Makes the files what they are in a stage. Links come last, so that what lies behind a link
    /// is there before it.
    pub(crate) fn apply(&self, stage: &Stage) -> Result<(), String> {
        for (path, text) in &stage.config.outside {
            self.outside(path)
                .and_then(|place| write(self.folder.path(), &place, text.as_bytes()))
                .map_err(|error| format!("`{path}` cannot be laid beside the root: {error}"))?;
        }
        let (links, files): (Vec<_>, Vec<_>) =
            stage.changes.iter().partition(|(_, change)| matches!(change, Change::Link(_)));
        for (path, change) in files.into_iter().chain(links) {
            let place = self.root.join(path);
            let done = match change {
                Change::File(bytes) => write(&self.root, &place, bytes),
                Change::Link(target) => link(&self.root, &place, target),
                Change::Removed => remove(&self.root, &place),
            };
            done.map_err(|error| format!("`{path}` cannot be laid: {error}"))?;
        }
        Ok(())
    }

    /// The folder of a named root, which may lie beside the root.
    pub(crate) fn folder(&self, path: &str) -> Result<PathBuf, String> {
        let inside = |path: &Path| path.starts_with(self.folder.path());
        match fold(&self.root.join(path)) {
            Some(folder) if inside(&folder) => Ok(folder),
            _ => Err(format!("the root `{path}` lies outside of the folder of the test")),
        }
    }

    fn outside(&self, path: &str) -> io::Result<PathBuf> {
        let place = self.folder.path().join(path);
        let laid = fold(&place).is_some_and(|folded| folded == place && folded != self.root)
            && !Path::new(path).is_absolute()
            && !place.starts_with(&self.root);
        if laid {
            Ok(place)
        } else {
            Err(io::Error::other("it leads into the root or away from it"))
        }
    }
}

/// Folds `.` and `..` in the text of an absolute path; nothing if it leads above the top.
fn fold(path: &Path) -> Option<PathBuf> {
    let mut folded = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if !folded.pop() {
                    return None;
                }
            }
            other => folded.push(other),
        }
    }
    Some(folded)
}

fn write(top: &Path, place: &Path, bytes: &[u8]) -> io::Result<()> {
    folders(top, place)?;
    if place.is_symlink() {
        // Writing would follow it.
        fs::remove_file(place)?;
    }
    fs::write(place, bytes)
}

fn link(top: &Path, place: &Path, target: &str) -> io::Result<()> {
    folders(top, place)?;
    if place.is_symlink() || place.exists() {
        remove(top, place)?;
    }
    symlink(target, place)
}

#[cfg(unix)]
fn symlink(target: &str, place: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, place)
}

#[cfg(not(unix))]
fn symlink(_: &str, _: &Path) -> io::Result<()> {
    Err(io::Error::other("this system has no symbolic links as the tests need them"))
}

fn remove(top: &Path, place: &Path) -> io::Result<()> {
    no_link_above(top, place)?;
    if place.is_dir() && !place.is_symlink() {
        fs::remove_dir_all(place)
    } else {
        fs::remove_file(place)
    }
}

fn folders(top: &Path, place: &Path) -> io::Result<()> {
    no_link_above(top, place)?;
    place.parent().map_or(Ok(()), fs::create_dir_all)
}

/// A page may make links to anywhere, but nothing is ever written through them.
fn no_link_above(top: &Path, place: &Path) -> io::Result<()> {
    let mut above = place.ancestors().skip(1).take_while(|folder| *folder != top);
    match above.find(|folder| folder.is_symlink()) {
        Some(_) => Err(io::Error::other("it lies behind a link")),
        None => Ok(()),
    }
}
