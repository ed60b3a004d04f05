//! What sync has written: the one thing that says whether a file may be replaced or removed.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use serde::{Deserialize, Serialize};

use crate::disk::{Disk, Reading};
use crate::error::ContextError;
use crate::rules::META;

const FILE: &str = "sync.json";
const JOURNAL: &str = "sync.journal";
const LARGEST: u64 = 1024 * 1024 * 1024;

/// The files that sync has written, by their paths from the context folder.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Manifest {
    version: u32,
    pub(crate) files: BTreeMap<String, Entry>,
    /// The commits of repositories that come from git.
    #[serde(default)]
    pub(crate) commits: BTreeMap<String, String>,
    /// When profiles were made, in seconds since 1970: bodies hold no times.
    #[serde(default)]
    pub(crate) profiled: BTreeMap<String, u64>,
    /// What a run that was killed has begun to write.
    #[serde(skip)]
    begun: BTreeMap<String, BTreeSet<String>>,
}

/// A file that sync has written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// What it was made from, as in `database:shop`.
    pub(crate) source: String,
    /// The hash of what was written.
    pub(crate) hash: String,
}

impl Manifest {
    /// Reads the manifest, and the journal of a run that was killed.
    pub(crate) fn read(meta: &Disk) -> Result<Self, ContextError> {
        let mut manifest = match text(meta, FILE)? {
            None => Self::default(),
            Some(text) => serde_json::from_str::<Self>(&text)
                .ok()
                .filter(|manifest| manifest.version == 1)
                .ok_or_else(|| {
                    fault("it was not written by this version; remove it to begin anew")
                })?,
        };
        manifest.version = 1;
        // The last line may be cut.
        for line in text(meta, JOURNAL)?.unwrap_or_default().split_inclusive('\n') {
            let Some((hash, path)) = line.strip_suffix('\n').and_then(|line| line.split_once(' '))
            else {
                continue;
            };
            manifest.begun.entry(path.to_owned()).or_default().insert(hash.to_owned());
        }
        Ok(manifest)
    }

    /// Whether sync wrote what has this hash.
    pub(crate) fn wrote(&self, path: &str, hash: &str) -> bool {
        self.files.get(path).is_some_and(|entry| entry.hash == hash)
            || self.begun.get(path).is_some_and(|hashes| hashes.contains(hash))
    }

    /// Whether sync ever wrote a file of this name.
    pub(crate) fn knows(&self, path: &str) -> bool {
        self.files.contains_key(path) || self.begun.contains_key(path)
    }

    /// The files that only a killed run knows of.
    pub(crate) fn begun(&self) -> Vec<String> {
        self.begun.keys().filter(|path| !self.files.contains_key(*path)).cloned().collect()
    }

    /// Writes the manifest, and forgets the journal.
    pub(crate) fn write(&self, meta: &Disk) -> Result<(), ContextError> {
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        let same = self::text(meta, FILE)?.is_some_and(|before| before == text);
        if !same {
            meta.write(FILE, text.as_bytes()).map_err(|error| failed("written", &error))?;
        }
        match meta.remove_file(JOURNAL) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed("removed", &error)),
            _ => Ok(()),
        }
    }

    /// Says what is going to be written, before it is.
    pub(crate) fn announce(meta: &Disk, files: &[(&str, &str)]) -> Result<(), ContextError> {
        let lines: Vec<String> =
            files.iter().map(|(path, hash)| format!("{hash} {path}\n")).collect();
        let lines = lines.concat();
        meta.append(JOURNAL, lines.as_bytes()).map_err(|error| failed("written", &error))
    }
}

fn text(meta: &Disk, name: &str) -> Result<Option<String>, ContextError> {
    let mut bytes = Vec::new();
    match meta.read(name, LARGEST, &mut bytes) {
        Ok(Reading::Read(_)) => {
            String::from_utf8(bytes).map(Some).map_err(|_| fault("it is no UTF-8"))
        }
        Ok(_) => Err(fault("it is no regular file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed("read", &error)),
    }
}

fn fault(reason: &str) -> ContextError {
    ContextError::Failed {
        path: format!("/{META}/{FILE}"),
        what: "read",
        reason: reason.to_owned(),
    }
}

fn failed(what: &'static str, error: &io::Error) -> ContextError {
    ContextError::failed(&format!("/{META}/{FILE}"), what, error)
}
