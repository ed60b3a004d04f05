//! One load: each question is answered once, from what is known where that still holds.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Freshness;
use super::known::{Answered, Known};
use crate::link::{
    Ask, FileKey, FileRead, Listing, LoadError, Observation, Question, RootId, Roots,
};

/// The questions of one load.
pub(super) struct Session<'s> {
    roots: &'s Roots,
    known: &'s Known,
    freshness: Freshness,
    limit: u64,
    /// A path of the main root whose text is given, and that nothing else is known of.
    given: Option<&'s str>,
    /// How many files were read.
    reads: &'s AtomicU64,
    /// The generation in which it began.
    generation: u64,
    asked: RefCell<HashMap<(Question, FileKey), Answered>>,
}

impl<'s> Session<'s> {
    pub(super) fn new(
        roots: &'s Roots,
        known: &'s Known,
        freshness: Freshness,
        limit: u64,
        given: Option<&'s str>,
        reads: &'s AtomicU64,
    ) -> Self {
        let generation = known.generation();
        let asked = RefCell::default();
        Self { roots, known, freshness, limit, given, reads, generation, asked }
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
        let is_given = key.root == RootId::MAIN && self.given == Some(&*key.path);
        let answer = if is_given {
            self.ask(question, key)
        } else {
            let known = self.known.get(question, key);
            match known.as_ref().filter(|known| self.still_holds(question, key, known)) {
                Some(known) => known.clone(),
                None => {
                    let answer = shared(self.ask(question, key), known);
                    self.known.keep(question, key, answer.clone(), self.generation);
                    answer
                }
            }
        };
        self.asked.borrow_mut().insert(asked, answer.clone());
        answer
    }

    /// Whether an answer that is known can be given again, without reading anything.
    fn still_holds(&self, question: Question, key: &FileKey, known: &Answered) -> bool {
        match self.freshness {
            Freshness::Events | Freshness::Trust => true,
            Freshness::Content => false,
            Freshness::Facts if question == Question::Folder => false,
            Freshness::Facts => {
                let facts = || self.roots.loader(key.root).facts(&key.path);
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

    fn ask(&self, question: Question, key: &FileKey) -> Answered {
        match question {
            Question::File => {
                self.reads.fetch_add(1, Ordering::Relaxed);
                Answered::file(self.roots.file(key, self.limit))
            }
            Question::Folder => Answered::folder(self.roots.folder(key)),
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
