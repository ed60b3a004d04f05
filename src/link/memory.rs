//! A root in memory.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use super::follow::{Followed, Step, follow};
use super::loader::{EntryKind, Facts, Listing, LoadError, Loaded, Loader};
use crate::text::paths;

/// A root in memory: a map from paths to texts, for prompts inside a program and for tests.
///
/// Folders are there as soon as a file is in them. Files may change while an engine uses the
/// loader; share it as `Arc<MemoryLoader>` to keep a hand on it.
///
/// ```
/// use mdgraft::{LoadError, Loader, MemoryLoader};
///
/// let loader = MemoryLoader::new([("agent.md", "# Agent\n"), ("rules/style.md", "Be brief.\n")]);
/// loader.insert("rules/tone.md", "Be kind.\n");
/// loader.remove("agent.md");
///
/// assert!(loader.load("rules/tone.md", 100)?.is_some());
/// assert!(loader.load("agent.md", 100)?.is_none());
/// # Ok::<(), LoadError>(())
/// ```
#[derive(Debug, Default)]
pub struct MemoryLoader {
    state: RwLock<State>,
}

#[derive(Debug, Default)]
struct State {
    entries: BTreeMap<String, Entry>,
    revision: i128,
}

#[derive(Debug)]
enum Entry {
    File { bytes: Vec<u8>, revision: i128 },
    Link(String),
}

impl<P: AsRef<str>, B: Into<Vec<u8>>, const N: usize> From<[(P, B); N]> for MemoryLoader {
    fn from(files: [(P, B); N]) -> Self {
        Self::new(files)
    }
}

impl MemoryLoader {
    /// A root with these files.
    pub fn new<P: AsRef<str>, B: Into<Vec<u8>>>(files: impl IntoIterator<Item = (P, B)>) -> Self {
        let loader = Self::default();
        for (path, bytes) in files {
            loader.insert(path.as_ref(), bytes);
        }
        loader
    }

    /// Adds a file or replaces what has its path.
    ///
    /// A path is root-relative with `/`; other spellings (`./a.md`, `/a.md`) are folded, and a
    /// path that no include could spell is never found.
    pub fn insert(&self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.change(path, |revision| Some(Entry::File { bytes: bytes.into(), revision }));
    }

    /// Adds a symbolic link or replaces what has its path. The target is a file or a folder, seen
    /// from the folder of the link.
    pub fn link(&self, path: &str, target: impl Into<String>) {
        self.change(path, |_| Some(Entry::Link(target.into())));
    }

    /// Removes a file or a link; nothing happens where there is none.
    pub fn remove(&self, path: &str) {
        self.change(path, |_| None);
    }

    fn change(&self, path: &str, entry: impl FnOnce(i128) -> Option<Entry>) {
        // `./` keeps a folder called `@x` from being read as another root.
        let key = paths::read(&format!("./{path}")).and_then(|path| path.fold(""));
        let key = key.unwrap_or_else(|_| path.to_owned());
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        state.revision += 1;
        match entry(state.revision) {
            Some(entry) => state.entries.insert(key, entry),
            None => state.entries.remove(&key),
        };
    }

    fn read<T>(&self, ask: impl FnOnce(&State) -> T) -> T {
        ask(&self.state.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Loader for MemoryLoader {
    fn load(&self, path: &str, limit: u64) -> Result<Option<Loaded>, LoadError> {
        self.read(|state| {
            let Some((facts, bytes)) = state.file(path)? else { return Ok(None) };
            if facts.size > limit {
                return Err(LoadError::TooLarge { path: path.to_owned(), limit });
            }
            Ok(Some(Loaded { bytes: bytes.to_owned(), facts }))
        })
    }

    fn facts(&self, path: &str) -> Result<Option<Facts>, LoadError> {
        self.read(|state| Ok(state.file(path)?.map(|(facts, _)| facts)))
    }

    fn list(&self, folder: &str) -> Result<Option<Listing>, LoadError> {
        self.read(|state| {
            let Followed::Folder(real) = state.follow(folder)? else { return Ok(None) };
            let mut names: Vec<&str> = state
                .below(&real)
                .map(|rest| rest.split_once('/').map_or(rest, |(name, _)| name))
                .collect();
            names.dedup();
            let entries = names
                .into_iter()
                .map(|name| (name.to_owned(), state.kind(&paths::join(&real, name))));
            Ok(Some(Listing::new(real.as_str(), entries)))
        })
    }
}

impl State {
    fn file(&self, path: &str) -> Result<Option<(Facts, &[u8])>, LoadError> {
        let Followed::File(real, (bytes, revision)) = self.follow(path)? else { return Ok(None) };
        let facts = Facts { changed: Some(revision), ..Facts::new(real, bytes.len() as u64) };
        Ok(Some((facts, bytes)))
    }

    fn kind(&self, path: &str) -> EntryKind {
        match self.follow(path) {
            Ok(Followed::File(..)) => EntryKind::File,
            Ok(Followed::Folder(_)) => EntryKind::Folder,
            Err(LoadError::OutsideRoot { .. }) => EntryKind::Outside,
            Ok(Followed::Other | Followed::Missing) | Err(_) => EntryKind::Other,
        }
    }

    fn follow(&self, path: &str) -> Result<Followed<(&[u8], i128)>, LoadError> {
        follow(path, |real| {
            Ok(match self.entries.get(real) {
                Some(Entry::File { bytes, revision }) => Step::File((bytes.as_slice(), *revision)),
                Some(Entry::Link(target)) => Step::Link(target.clone()),
                None if self.below(real).next().is_some() => Step::Folder,
                None => Step::Missing,
            })
        })
    }

    /// What follows the folder in the paths below it.
    fn below(&self, folder: &str) -> impl Iterator<Item = &str> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        self.entries
            .range(prefix.clone()..)
            .map_while(move |(path, _)| path.strip_prefix(prefix.as_str()))
    }
}
