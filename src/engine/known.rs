//! What loaders have answered, and when that still holds.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::cache::{Memo, MemoStats};
use crate::link::{Answer, FileKey, FileRead, Listing, LoadError, Question, RootId, listing_hash};
use crate::text::Hash;

/// An answer of a loader, with what it was about.
#[derive(Clone, Debug)]
pub(super) enum Answered {
    Nothing,
    File(FileRead),
    Folder(Arc<Listing>, Hash),
    Failed(LoadError),
}

impl Answered {
    pub(super) fn file(answer: Result<Option<FileRead>, LoadError>) -> Self {
        match answer {
            Ok(Some(read)) => Self::File(read),
            Ok(None) => Self::Nothing,
            Err(error) => Self::Failed(error),
        }
    }

    pub(super) fn folder(answer: Result<Option<Arc<Listing>>, LoadError>) -> Self {
        match answer {
            Ok(Some(listing)) => {
                let hash = listing_hash(&listing);
                Self::Folder(listing, hash)
            }
            Ok(None) => Self::Nothing,
            Err(error) => Self::Failed(error),
        }
    }

    /// Whether it says the same as an answer that was observed before. Of a file its path and its
    /// content count: the facts only serve to see that these are the same.
    pub(super) fn says(&self, observed: &Answer) -> bool {
        match (self, observed) {
            (Self::Nothing, Answer::Nothing) => true,
            (Self::File(read), Answer::File { facts, hash }) => {
                read.source.hash() == *hash && read.facts.path == facts.path
            }
            (Self::Folder(_, hash), Answer::Folder(observed)) => hash == observed,
            (Self::Failed(error), Answer::Failed(observed)) => error == observed,
            _ => false,
        }
    }

    fn bytes(&self) -> usize {
        /// The entry itself, with its paths.
        const ENTRY: usize = 256;
        ENTRY
            + match self {
                Self::File(read) => read.source.text().len(),
                Self::Folder(listing, _) => {
                    listing.entries().map(|(name, _)| name.len() + size_of::<String>()).sum()
                }
                Self::Nothing | Self::Failed(_) => 0,
            }
    }
}

/// The answers that are known, and how often they were told to have changed.
pub(super) struct Known {
    answers: Memo<(Question, FileKey), Answered>,
    generation: AtomicU64,
}

impl Known {
    pub(super) fn new(entries: usize, bytes: usize) -> Self {
        Self { answers: Memo::new(entries, bytes), generation: AtomicU64::new(0) }
    }

    /// A number that is another one after every change that was told.
    pub(super) fn generation(&self) -> u64 {
        self.generation.load(Ordering::SeqCst)
    }

    pub(super) fn get(&self, question: Question, key: &FileKey) -> Option<Answered> {
        self.answers.get(&(question, key.clone()))
    }

    /// Keeps an answer that was asked for after a generation began. If another one has begun since
    /// the answer may be the old one, and is not kept.
    pub(super) fn keep(
        &self,
        question: Question,
        key: &FileKey,
        answer: Answered,
        generation: u64,
    ) {
        let bytes = answer.bytes();
        let may = || self.generation() == generation;
        self.answers.insert_if((question, key.clone()), answer, bytes, may);
    }

    /// Forgets all that a change at a path can have made wrong. Files that are known by their
    /// canonical path change with that path only, or with a folder above. Anything else may hang
    /// on a link that leads there: it is asked again, which costs little.
    pub(super) fn changed(&self, root: RootId, path: &str) {
        self.generation.fetch_add(1, Ordering::SeqCst);
        self.answers.forget(|(_, key), answer| match answer {
            Answered::File(read) if *read.facts.path == *key.path => {
                key.root == root && is_in(&key.path, path)
            }
            _ => true,
        });
    }

    /// Forgets everything.
    pub(super) fn changed_all(&self) {
        self.generation.fetch_add(1, Ordering::SeqCst);
        self.answers.forget(|_, _| true);
    }

    /// All answers, in no useful order.
    pub(super) fn all(&self) -> Vec<((Question, FileKey), Answered)> {
        self.answers.all()
    }

    pub(super) fn stats(&self) -> MemoStats {
        self.answers.stats()
    }
}

/// Whether a path is that of a folder, or lies in it.
fn is_in(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
