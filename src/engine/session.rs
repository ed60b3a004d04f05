//! One load: each question is answered once, from what is known where that still holds.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Freshness;
use super::known::{Answered, Known};
use super::packed::Packed;
use crate::link::{
    Ask, FileKey, FileRead, Listing, LoadError, Observation, Question, RootId, Roots,
};

/// What a load goes by.
#[derive(Clone, Copy)]
pub(super) struct Settings<'s> {
    pub(super) roots: &'s Roots,
    pub(super) known: &'s Known,
    pub(super) packed: Option<&'s Packed>,
    pub(super) freshness: Freshness,
    /// The bytes that a file may have.
    pub(super) limit: u64,
    /// A path of the main root whose text is given, and that nothing else is known of.
    pub(super) given: Option<&'s str>,
    /// How many files were read.
    pub(super) reads: &'s AtomicU64,
}

/// The questions of one load.
pub(super) struct Session<'s> {
    settings: Settings<'s>,
    /// The generation in which it began.
    generation: u64,
    asked: RefCell<HashMap<(Question, FileKey), Answered>>,
}

impl<'s> Session<'s> {
    pub(super) fn new(settings: Settings<'s>) -> Self {
        let generation = settings.known.generation();
        Self { settings, generation, asked: RefCell::default() }
    }

    pub(super) fn generation(&self) -> u64 {
        self.generation
    }

    /// Whether all questions still have the answers that were observed before.
    pub(super) fn proves(&self, observations: &[Observation]) -> bool {
        observations.iter().all(|observation| {
            self.answer(observation.question, &observation.key).says(&observation.answer)
        })
    }

    fn answer(&self, question: Question, key: &FileKey) -> Answered {
        let asked = (question, key.clone());
        if let Some(answer) = self.asked.borrow().get(&asked) {
            return answer.clone();
        }
        let Settings { known, given, .. } = self.settings;
        let is_given = key.root == RootId::MAIN && given == Some(&*key.path);
        let answer = if is_given {
            self.ask(question, key)
        } else {
            let before = known.get(question, key);
            let holds = before.as_ref().filter(|before| self.still_holds(question, key, before));
            let holds = holds.cloned();
            holds.unwrap_or_else(|| {
                let packed = if before.is_none() { self.packed(question, key) } else { None };
                let answer = packed.unwrap_or_else(|| shared(self.ask(question, key), before));
                known.keep(question, key, answer.clone(), self.generation);
                answer
            })
        };
        self.asked.borrow_mut().insert(asked, answer.clone());
        answer
    }

    /// Whether an answer that is known can be given again, without reading anything.
    fn still_holds(&self, question: Question, key: &FileKey, known: &Answered) -> bool {
        let Settings { roots, freshness, .. } = self.settings;
        match freshness {
            Freshness::Events | Freshness::Trust => true,
            Freshness::Content => false,
            Freshness::Facts if question == Question::Folder => false,
            Freshness::Facts => {
                let facts = || roots.loader(key.root).facts(&key.path);
                match known {
                    Answered::File(read) if read.facts.are_conclusive() => {
                        matches!(facts(), Ok(Some(later)) if read.facts.prove(&later))
                    }
                    Answered::Nothing => matches!(facts(), Ok(None)),
                    Answered::File(_) | Answered::Folder(..) | Answered::Failed(_) => false,
                }
            }
        }
    }

    /// What the pack knows, where it may be believed.
    fn packed(&self, question: Question, key: &FileKey) -> Option<Answered> {
        let Settings { roots, packed, freshness, limit, .. } = self.settings;
        let packed = packed?;
        let answer = match freshness {
            // What was told to have changed is younger than the pack.
            Freshness::Trust if self.generation > 0 && !packed.is_sealed() => None,
            Freshness::Trust => packed.answer(roots, question, key),
            Freshness::Facts | Freshness::Events if question == Question::File => {
                packed.remembered(roots, key).map(Answered::File)
            }
            _ => None,
        };
        // The pack may have been made under another limit.
        answer.filter(|answer| match answer {
            Answered::File(read) => read.source.text().len() as u64 <= limit,
            Answered::Failed(LoadError::TooLarge { limit: other, .. }) => *other == limit,
            _ => true,
        })
    }

    fn ask(&self, question: Question, key: &FileKey) -> Answered {
        let Settings { roots, limit, reads, .. } = self.settings;
        match question {
            Question::File => {
                reads.fetch_add(1, Ordering::Relaxed);
                Answered::file(roots.file(key, limit))
            }
            Question::Folder => Answered::folder(roots.folder(key)),
        }
    }
}

impl Ask for Session<'_> {
    fn file(&self, asked: &FileKey, _limit: u64) -> Result<Option<FileRead>, LoadError> {
        match self.answer(Question::File, asked) {
            Answered::File(read) => Ok(Some(read)),
            Answered::Failed(error) => Err(error),
            Answered::Nothing | Answered::Folder(..) => Ok(None),
        }
    }

    fn folder(&self, asked: &FileKey) -> Result<Option<Arc<Listing>>, LoadError> {
        match self.answer(Question::Folder, asked) {
            Answered::Folder(listing, _) => Ok(Some(listing)),
            Answered::Failed(error) => Err(error),
            Answered::Nothing | Answered::File(_) => Ok(None),
        }
    }
}

/// An answer that shares its text with the one before, where that is the same.
fn shared(answer: Answered, before: Option<Answered>) -> Answered {
    match (answer, before) {
        (Answered::File(now), Some(Answered::File(before))) if now.source == before.source => {
            Answered::File(FileRead { facts: now.facts, source: before.source })
        }
        (answer, _) => answer,
    }
}
