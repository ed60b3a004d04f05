//! Writing into a context folder: only what changed, at once, and never over what is not ours.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use mdgraft::Hash;

use super::manifest::{Entry, Manifest};
use crate::disk::{Disk, Lock, Reading, TEMPORARY};
use crate::error::{ContextError, plain, reason};
use crate::rules::META;

/// The writer of one run. There is one at a time for a folder.
#[derive(Debug)]
pub(crate) struct Writer {
    root: Disk,
    meta: Disk,
    pub(crate) manifest: Manifest,
    /// The files of this run, which are not stale.
    current: BTreeSet<String>,
    pub(crate) counts: Counts,
    _lock: Lock,
}

/// What a run did to files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Files that are new or have another content.
    pub written: usize,
    /// Files that were not touched, since nothing changed.
    pub unchanged: usize,
    /// Files of former runs that are not made any more.
    pub removed: usize,
}

impl Counts {
    pub(crate) fn since(self, before: Self) -> Self {
        Self {
            written: self.written - before.written,
            unchanged: self.unchanged - before.unchanged,
            removed: self.removed - before.removed,
        }
    }
}

/// A file to write: its path from the context folder, and its bytes.
pub(crate) type NewFile = (String, Vec<u8>);

/// Why a file was not written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kept {
    /// It was changed by hand after sync wrote it.
    Edited(String),
    /// It is somebody else's, or could not be written.
    Failed(String, String),
}

impl Writer {
    pub(crate) fn open(root: Disk) -> Result<Self, ContextError> {
        let failed = |error| ContextError::failed(&format!("/{META}"), "written", &error);
        let meta = root.make_folders(META).map_err(failed)?;
        let lock = meta.lock("sync.lock").map_err(failed)?.ok_or_else(|| ContextError::Failed {
            path: format!("/{META}/sync.lock"),
            what: "locked",
            reason: "another sync is at work".to_owned(),
        })?;
        let manifest = Manifest::read(&meta)?;
        let current = BTreeSet::new();
        Ok(Self { root, meta, manifest, current, counts: Counts::default(), _lock: lock })
    }

    pub(crate) fn root(&self) -> &Disk {
        &self.root
    }

    /// Writes files of a source where they differ; what was kept instead.
    pub(crate) fn put(
        &mut self,
        source: &str,
        files: Vec<NewFile>,
    ) -> Result<Vec<Kept>, ContextError> {
        let mut kept = Vec::new();
        let mut todo = Vec::new();
        for (path, bytes) in files {
            let hash = hash(&bytes);
            self.current.insert(path.clone());
            match self.state(&path, &bytes) {
                State::Same => {
                    self.counts.unchanged += 1;
                    self.note(source, &path, hash);
                }
                State::Ours => todo.push((path, bytes, hash)),
                State::Edited => kept.push(Kept::Edited(path)),
                State::Foreign(reason) => kept.push(Kept::Failed(path, reason)),
            }
        }
        if !todo.is_empty() {
            let names: Vec<(&str, &str)> =
                todo.iter().map(|(path, _, hash)| (path.as_str(), hash.as_str())).collect();
            Manifest::announce(&self.meta, &names)?;
        }
        for (path, bytes, hash) in todo {
            match self.write(&path, &bytes) {
                Ok(()) => {
                    self.counts.written += 1;
                    self.note(source, &path, hash);
                }
                Err(error) => kept.push(Kept::Failed(path, reason(&error))),
            }
        }
        Ok(kept)
    }

    /// Says that a file of a former run still holds, though it was not made again.
    pub(crate) fn keep(&mut self, path: &str) {
        self.current.insert(path.to_owned());
    }

    /// Says so of all files below a folder.
    pub(crate) fn keep_below(&mut self, folder: &str) {
        let prefix = format!("{folder}/");
        let below = self.manifest.files.range(prefix.clone()..);
        let below = below.take_while(|(path, _)| path.starts_with(&prefix));
        self.current.extend(below.map(|(path, _)| path.clone()));
    }

    /// Removes the files of these sources that this run has neither made nor kept. One that was
    /// changed by hand stays, and is told.
    pub(crate) fn sweep(&mut self, of: impl Fn(&str) -> bool) -> Vec<Kept> {
        let mut kept = Vec::new();
        let stale: Vec<String> = self
            .manifest
            .files
            .iter()
            .filter(|(path, entry)| of(&entry.source) && !self.current.contains(*path))
            .map(|(path, _)| path.clone())
            .collect();
        for path in stale {
            match self.remove(&path) {
                Ok(true) => self.counts.removed += 1,
                // It is not there any more, or is the user's from now on.
                Ok(false) => {}
                Err(error) => {
                    kept.push(Kept::Failed(path, reason(&error)));
                    continue;
                }
            }
            self.manifest.files.remove(&path);
            self.manifest.profiled.remove(&path);
        }
        kept
    }

    /// Takes what only a killed run knew of into the manifest, so that it can be swept.
    pub(crate) fn adopt_begun(&mut self, source_of: impl Fn(&str) -> Option<String>) {
        for path in self.manifest.begun() {
            let Some(source) = source_of(&path) else { continue };
            let Ok(Some(bytes)) = self.read(&path) else { continue };
            let hash = hash(&bytes);
            if self.manifest.wrote(&path, &hash) {
                self.manifest.files.insert(path, Entry { source, hash });
            }
        }
    }

    pub(crate) fn finish(self) -> Result<Counts, ContextError> {
        self.manifest.write(&self.meta)?;
        Ok(self.counts)
    }

    fn note(&mut self, source: &str, path: &str, hash: String) {
        let entry = Entry { source: source.to_owned(), hash };
        self.manifest.files.insert(path.to_owned(), entry);
    }

    fn state(&self, path: &str, bytes: &[u8]) -> State {
        match self.read(path) {
            Ok(None) => State::Ours,
            Ok(Some(found)) if found == bytes => State::Same,
            Ok(Some(found)) if self.manifest.wrote(path, &hash(&found)) => State::Ours,
            Ok(Some(_)) if self.manifest.knows(path) => State::Edited,
            Ok(Some(_)) => State::Foreign("a file that sync did not write is there".to_owned()),
            Err(error) => State::Foreign(reason(&error)),
        }
    }

    fn read(&self, path: &str) -> io::Result<Option<Vec<u8>>> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let Some(folder) = self.root.folders(folder)? else { return Ok(None) };
        let mut bytes = Vec::new();
        match folder.read(name, u64::MAX, &mut bytes) {
            Ok(Reading::Read(_)) => Ok(Some(bytes)),
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        self.root.make_folders(folder)?.write(name, bytes)
    }

    /// Removes a file if it is ours, and the folders that it leaves empty; whether it was.
    fn remove(&self, path: &str) -> io::Result<bool> {
        let Some(bytes) = self.read(path)? else { return Ok(false) };
        if !self.manifest.wrote(path, &hash(&bytes)) {
            return Ok(false);
        }
        let (mut above, name) = path.rsplit_once('/').unwrap_or(("", path));
        let Some(folder) = self.root.folders(above)? else { return Ok(false) };
        folder.remove_file(name)?;
        // The first folders (`databases`, `repos`) stay.
        while let Some((upper, name)) = above.rsplit_once('/') {
            let Some(upper_disk) = self.root.folders(upper)? else { break };
            if let Some(folder) = self.root.folders(above)? {
                let _ = folder.remove_file(TEMPORARY);
            }
            // It fails where something of somebody else is left, and that is meant.
            if upper_disk.remove_empty_folder(name).is_err() {
                break;
            }
            above = upper;
        }
        Ok(true)
    }
}

enum State {
    Same,
    /// Not there, or written by us: it may be replaced.
    Ours,
    Edited,
    Foreign(String),
}

pub(crate) fn hash(bytes: &[u8]) -> String {
    Hash::of(bytes).to_string()
}

/// What was kept, as a report says it.
pub(crate) fn in_words(kept: &Kept) -> (String, String) {
    match kept {
        Kept::Edited(path) => {
            (format!("/{}", plain(path)), "it was changed by hand and is kept".to_owned())
        }
        Kept::Failed(path, reason) => (format!("/{}", plain(path)), reason.clone()),
    }
}

/// The manifest's files of one source.
pub(crate) fn files_of<'a>(
    files: &'a BTreeMap<String, Entry>,
    source: &'a str,
) -> impl Iterator<Item = &'a String> {
    files.iter().filter(move |(_, entry)| entry.source == source).map(|(path, _)| path)
}
