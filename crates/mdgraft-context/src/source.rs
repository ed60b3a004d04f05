//! Where a whole context folder comes from: this machine, or a git repository.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::disk::{Disk, Kind, Reading, is_absence};
use crate::error::{ContextError, plain, reason};
use crate::git;
use crate::path::join;
use crate::rules::META;
use crate::sandbox::ContextFolder;
use crate::settings::{Environment, SETTINGS_FILE};
use crate::sync::repositories::{foreign, lost};
use crate::sync::writer::hash;

/// Where a context folder comes from.
///
/// ```no_run
/// use mdgraft_context::{ContextSource, process_environment};
///
/// let source = ContextSource::from_environment(&process_environment)?;
/// let mut context = source.open()?;
/// // Now and then:
/// if source.refresh()? {
///     context = source.open()?;
/// }
/// # Ok::<(), mdgraft_context::ContextError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ContextSource {
    /// A folder that somebody else keeps up to date.
    Local {
        /// The folder.
        folder: PathBuf,
    },
    /// A repository, whose latest commit the folder is a copy of.
    Git {
        /// The folder, which is made if it is not there.
        folder: PathBuf,
        /// Where git finds the repository.
        url: String,
        /// The branch; the main one of the repository if none is given.
        branch: Option<String>,
    },
}

/// What is known of a copy: its commit, and its files with their hashes.
#[derive(Debug, Serialize, Deserialize)]
struct Copy {
    commit: String,
    files: BTreeMap<String, String>,
}

const STATE: &str = "source.json";
const DEEPEST: usize = 128;

impl ContextSource {
    /// The source that the environment names: `MDGRAFT_CONTEXT_SOURCE` is `local` (also if it is
    /// not set) or `git`, `MDGRAFT_CONTEXT` the folder, `MDGRAFT_CONTEXT_GIT_URL` and
    /// `MDGRAFT_CONTEXT_GIT_BRANCH` the repository.
    ///
    /// # Errors
    ///
    /// [`ContextError::Argument`] for another kind of source, or none of what it needs.
    pub fn from_environment(environment: Environment<'_>) -> Result<Self, ContextError> {
        let get = |name| environment(name).filter(|value| !value.is_empty());
        let fault = |message: String| Err(ContextError::Argument(message));
        let folder = PathBuf::from(get("MDGRAFT_CONTEXT").unwrap_or_else(|| ".".to_owned()));
        let kind = get("MDGRAFT_CONTEXT_SOURCE").unwrap_or_else(|| "local".to_owned());
        match kind.to_lowercase().as_str() {
            "local" => Ok(Self::Local { folder }),
            "git" => match get("MDGRAFT_CONTEXT_GIT_URL") {
                Some(url) => {
                    Ok(Self::Git { folder, url, branch: get("MDGRAFT_CONTEXT_GIT_BRANCH") })
                }
                None => fault("the source `git` needs `MDGRAFT_CONTEXT_GIT_URL`".to_owned()),
            },
            _ => fault(format!("the source `{}` must be `local` or `git`", plain(&kind))),
        }
    }

    /// A folder of this machine.
    #[must_use]
    pub fn local(folder: impl Into<PathBuf>) -> Self {
        Self::Local { folder: folder.into() }
    }

    /// A folder that is a copy of a repository.
    #[must_use]
    pub fn git(folder: impl Into<PathBuf>, url: impl Into<String>, branch: Option<String>) -> Self {
        Self::Git { folder: folder.into(), url: url.into(), branch }
    }

    /// Opens the folder; one from git is fetched first if it is not there.
    ///
    /// # Errors
    ///
    /// [`ContextError::Failed`] if the folder is not there, has no settings file, cannot be
    /// fetched, or is in use for something else.
    pub fn open(&self) -> Result<ContextFolder, ContextError> {
        let folder = match self {
            Self::Local { folder } => folder,
            Self::Git { folder, .. } => {
                if state(folder)?.is_none() {
                    self.refresh()?;
                }
                folder
            }
        };
        let disk = Disk::open(folder).map_err(|error| failed(folder, &reason(&error)))?;
        check(&disk, folder)?;
        ContextFolder::open(folder)
    }

    /// Brings the folder up to date; whether it is another one now, which has to be opened again.
    ///
    /// The new copy takes the place of the old one at once, or not at all. A [`ContextFolder`]
    /// that is open keeps reading the old one as long as that is there.
    ///
    /// # Errors
    ///
    /// [`ContextError::Failed`] if the latest commit cannot be fetched or has no settings file, or
    /// the folder holds what was not fetched.
    pub fn refresh(&self) -> Result<bool, ContextError> {
        let Self::Git { folder, url, branch } = self else { return Ok(false) };
        let said = |reason: String| failed(folder, &reason);
        let latest = git::latest(url, branch.as_deref()).map_err(said)?;
        let before = state(folder)?;
        if before.as_ref().is_some_and(|before| before.commit == latest) {
            return Ok(false);
        }
        ours_only(folder, before.as_ref())?;
        let (parent, name) =
            Disk::open_parent(folder).map_err(|error| failed(folder, &reason(&error)))?;
        let fresh = format!(".{name}.mdgraft-new");
        let _ = parent.remove_folder(&fresh);
        let fetched = fetch(url, branch.as_deref(), &folder.with_file_name(&fresh), folder);
        let switched = fetched.and_then(|()| {
            switch(&parent, &fresh, &name).map_err(|error| failed(folder, &reason(&error)))
        });
        // The old copy after a switch, or what was fetched in vain.
        let _ = parent.remove_folder(&fresh);
        switched.map(|()| true)
    }
}

/// Fetches into a folder beside the one that is meant, and makes it a whole copy.
fn fetch(url: &str, branch: Option<&str>, fresh: &Path, folder: &Path) -> Result<(), ContextError> {
    let commit = git::copy(url, branch, fresh).map_err(|reason| failed(folder, &reason))?;
    let io = |error: std::io::Error| failed(folder, &reason(&error));
    let disk = Disk::open(fresh).map_err(io)?;
    disk.remove_folder(".git").map_err(io)?;
    check(&disk, folder)?;
    let copy = Copy { commit, files: files(&disk).map_err(io)? };
    let text = serde_json::to_string(&copy).unwrap_or_default();
    disk.make_folders(META).and_then(|meta| meta.write(STATE, text.as_bytes())).map_err(io)
}

fn switch(parent: &Disk, fresh: &str, name: &str) -> std::io::Result<()> {
    if parent.look(name)?.is_none() {
        return parent.rename_to(fresh, parent, name);
    }
    if parent.exchange(fresh, parent, name)? {
        return Ok(());
    }
    let old = format!("{fresh}-old");
    let _ = parent.remove_folder(&old);
    parent.rename_to(name, parent, &old)?;
    if let Err(error) = parent.rename_to(fresh, parent, name) {
        let _ = parent.rename_to(&old, parent, name);
        return Err(error);
    }
    parent.remove_folder(&old)
}

/// A context folder has a settings file; without one it is some other folder.
fn check(disk: &Disk, folder: &Path) -> Result<(), ContextError> {
    match disk.look(SETTINGS_FILE) {
        Ok(Some(facts)) if facts.kind == Kind::File => Ok(()),
        _ => Err(failed(folder, &format!("there is no {SETTINGS_FILE} in it"))),
    }
}

/// What is known of the copy in a folder; none if it is none.
fn state(folder: &Path) -> Result<Option<Copy>, ContextError> {
    let disk = match Disk::open(folder) {
        Err(error) if is_absence(&error) => return Ok(None),
        opened => opened.map_err(|error| failed(folder, &reason(&error)))?,
    };
    let mut bytes = Vec::new();
    let read = disk.folders(META).and_then(|meta| match meta {
        Some(meta) => meta.read(STATE, u64::MAX, &mut bytes),
        None => Ok(Reading::NoFile),
    });
    match read {
        Ok(Reading::Read(_)) => Ok(serde_json::from_slice(&bytes).ok()),
        _ => Ok(None),
    }
}

/// Fails if the folder holds anything that is not of the copy.
fn ours_only(folder: &Path, copy: Option<&Copy>) -> Result<(), ContextError> {
    let disk = match Disk::open(folder) {
        Err(error) if is_absence(&error) => return Ok(()),
        opened => opened.map_err(|error| failed(folder, &reason(&error)))?,
    };
    let is_ours = |path: &str, hash: &str| {
        copy.and_then(|copy| copy.files.get(path)).is_some_and(|known| known == hash)
    };
    match foreign(&disk, "", is_ours).map_err(|reason| failed(folder, &reason))? {
        Some(path) => Err(failed(folder, &lost(&path))),
        None => Ok(()),
    }
}

/// All files of a fresh copy with their hashes.
fn files(disk: &Disk) -> std::io::Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![(String::new(), 0)];
    while let Some((path, depth)) = folders.pop() {
        let Some(folder) = disk.folders(&path)? else { continue };
        for (name, kind) in folder.names()? {
            let name = name.to_str().ok_or(std::io::ErrorKind::InvalidFilename)?;
            let here = join(&path, name);
            match kind {
                Kind::Folder if depth < DEEPEST => folders.push((here, depth + 1)),
                _ => {
                    let mut bytes = Vec::new();
                    folder.read(name, u64::MAX, &mut bytes)?;
                    files.insert(here, hash(&bytes));
                }
            }
        }
    }
    Ok(files)
}

fn failed(folder: &Path, reason: &str) -> ContextError {
    ContextError::Failed {
        path: plain(&folder.to_string_lossy()),
        what: "used",
        reason: reason.to_owned(),
    }
}
