//! Asking the loaders, each question once, and keeping what they answered.
//!
//! The answers are all that linking can observe: while they stay the same, so does its result.

use std::collections::HashMap;
use std::sync::Arc;

use super::loader::{EntryKind, Facts, Listing, LoadError};
use super::roots::{FileKey, Roots};
use crate::text::{Hash, Source};

/// A question to a loader and its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Observation {
    pub(crate) question: Question,
    /// What was asked for, as the name was looked up: links are not followed yet.
    pub(crate) key: FileKey,
    pub(crate) answer: Answer,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Question {
    /// Which file is it, and what does it hold?
    File,
    /// Which names are in the folder?
    Folder,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// No regular file, or no folder, has that name.
    Nothing,
    File {
        facts: Facts,
        hash: Hash,
    },
    /// A hash over the names, their kinds and the canonical path: [`listing_hash`].
    Folder(Hash),
    Failed(LoadError),
}

/// The hash by which a listing is observed.
pub(crate) fn listing_hash(listing: &Listing) -> Hash {
    let mut text = listing.path.as_bytes().to_owned();
    for (name, kind) in listing.entries() {
        text.push(match kind {
            EntryKind::File => 1,
            EntryKind::Folder => 2,
            EntryKind::Outside => 3,
            EntryKind::Other => 4,
        });
        // No name holds a NUL byte, so that two lists never give one text.
        text.extend_from_slice(name.as_bytes());
        text.push(0);
    }
    Hash::of(&text)
}

/// A file that was read.
#[derive(Clone, Debug)]
pub(crate) struct FileRead {
    pub(crate) facts: Facts,
    pub(crate) source: Source,
}

/// Who answers the questions of a run: the loaders themselves, or whoever knows what they would
/// say.
pub(crate) trait Ask {
    /// What a loader says of a file of at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// Those of the loader.
    fn file(&self, asked: &FileKey, limit: u64) -> Result<Option<FileRead>, LoadError>;

    /// What a loader says of a folder.
    ///
    /// # Errors
    ///
    /// Those of the loader.
    fn folder(&self, asked: &FileKey) -> Result<Option<Arc<Listing>>, LoadError>;
}

impl Ask for Roots {
    fn file(&self, asked: &FileKey, limit: u64) -> Result<Option<FileRead>, LoadError> {
        // A place in a source is counted in 32 bits.
        let limit = limit.min(u64::from(u32::MAX - 1));
        let Some(loaded) = self.loader(asked.root).load(&asked.path, limit)? else {
            return Ok(None);
        };
        if loaded.bytes.len() as u64 > limit {
            return Err(LoadError::TooLarge { path: asked.path.to_string(), limit });
        }
        Ok(Some(FileRead { source: Source::new(&loaded.bytes), facts: loaded.facts }))
    }

    fn folder(&self, asked: &FileKey) -> Result<Option<Arc<Listing>>, LoadError> {
        Ok(self.loader(asked.root).list(&asked.path)?.map(Arc::new))
    }
}

/// The questions of one run, with all that was answered.
pub(super) struct Reader<'a> {
    pub(super) roots: &'a Roots,
    ask: &'a dyn Ask,
    limit: u64,
    files: HashMap<FileKey, Result<Option<FileKey>, LoadError>>,
    folders: HashMap<FileKey, Result<Option<Arc<Listing>>, LoadError>>,
    sources: HashMap<FileKey, Source>,
    pub(super) observations: Vec<Observation>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(roots: &'a Roots, ask: &'a dyn Ask, limit: u64) -> Self {
        Self {
            roots,
            ask,
            limit,
            files: HashMap::new(),
            folders: HashMap::new(),
            sources: HashMap::new(),
            observations: Vec::new(),
        }
    }

    /// The file that a name stands for, read if it was not yet; `None` if no regular file has
    /// that name.
    pub(super) fn file(&mut self, asked: &FileKey) -> Result<Option<FileKey>, LoadError> {
        if let Some(known) = self.files.get(asked) {
            return known.clone();
        }
        let (result, answer) = match self.ask.file(asked, self.limit) {
            Ok(Some(FileRead { facts, source })) => {
                let key = FileKey::new(asked.root, Arc::clone(&facts.path));
                // A second name of a file that was read gives the text of the first reading.
                let source = self.sources.entry(key.clone()).or_insert(source);
                (Ok(Some(key)), Answer::File { facts, hash: source.hash() })
            }
            Ok(None) => (Ok(None), Answer::Nothing),
            Err(error) => (Err(error.clone()), Answer::Failed(error)),
        };
        self.observe(Question::File, asked, answer);
        self.files.insert(asked.clone(), result.clone());
        result
    }

    /// The names in a folder; `None` if there is no such folder.
    pub(super) fn folder(&mut self, asked: &FileKey) -> Result<Option<Arc<Listing>>, LoadError> {
        if let Some(known) = self.folders.get(asked) {
            return known.clone();
        }
        let result = self.ask.folder(asked);
        let answer = match &result {
            Ok(Some(listing)) => Answer::Folder(listing_hash(listing)),
            Ok(None) => Answer::Nothing,
            Err(error) => Answer::Failed(error.clone()),
        };
        self.observe(Question::Folder, asked, answer);
        self.folders.insert(asked.clone(), result.clone());
        result
    }

    /// The text of a file that [`Reader::file`] found.
    pub(super) fn source(&self, file: &FileKey) -> Source {
        match self.sources.get(file) {
            Some(source) => source.clone(),
            None => Source::new(b""),
        }
    }

    fn observe(&mut self, question: Question, key: &FileKey, answer: Answer) {
        self.observations.push(Observation { question, key: key.clone(), answer });
    }
}
