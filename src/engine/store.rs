//! What an engine keeps, and how much of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::LoadOptions;
use super::known::Known;
use super::packed::Packed;
use super::render::Renders;
use super::weight;
use crate::cache::{Memo, MemoStats};
use crate::compile::PromptTree;
use crate::compile::units::{Lowered, UnitKey};
use crate::diag::Diagnostics;
use crate::link::Observation;
use crate::parse::{Document, Mode, parse};
use crate::text::{Hash, Source};

/// How much an engine keeps in memory, of each kind of thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CacheLimits {
    /// The most things of a kind: files, compiled units, prompts.
    pub entries: usize,
    /// About the most bytes that the things of a kind may take.
    pub bytes: usize,
    /// The most rendered prompts; none by default, see [`Engine::render`](crate::Engine::render).
    pub rendered: usize,
}

impl Default for CacheLimits {
    fn default() -> Self {
        Self { entries: 100_000, bytes: 512 << 20, rendered: 0 }
    }
}

/// The figures of an engine since it was made; clones of an engine share them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Stats {
    /// Prompts. A hit is one that was proved to be as it would be loaded anew.
    pub trees: MemoStats,
    /// Files that were parsed.
    pub documents: MemoStats,
    /// Files that were lowered to code, alone or merged with their bases.
    pub units: MemoStats,
    /// What is known of files and folders.
    pub answers: MemoStats,
    /// Rendered prompts.
    pub rendered: MemoStats,
    /// How often a file was read.
    pub reads: u64,
    /// How often a text was parsed.
    pub parses: u64,
    /// How often a unit was lowered.
    pub lowers: u64,
}

/// All that clones of an engine share.
#[derive(Clone)]
pub(super) struct Store {
    limits: CacheLimits,
    shared: Arc<Shared>,
    own: Arc<Own>,
}

/// What depends on nothing but content, so that engines with other settings share it.
struct Shared {
    documents: Memo<(Hash, Mode), Arc<Document>>,
    units: Memo<UnitKey, Arc<Lowered>>,
    reads: AtomicU64,
    parses: AtomicU64,
    lowers: AtomicU64,
}

/// What depends on the roots, limits and functions of an engine.
pub(super) struct Own {
    pub(super) known: Known,
    pub(super) trees: Memo<TreeKey, Arc<Tree>>,
    pub(super) renders: Renders,
}

/// What is loaded, by an engine.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct TreeKey {
    pub(super) entry: String,
    pub(super) options: LoadOptions,
    /// The content of the entry, where that was given.
    pub(super) given: Option<Hash>,
}

/// What came of a load, with all that it observed: while that stays the same, so does what came.
pub(super) struct Tree {
    pub(super) observations: Vec<Observation>,
    pub(super) loaded: Result<PromptTree, Diagnostics>,
    /// The generation in which it was last known to be right.
    pub(super) right_in: AtomicU64,
}

impl Store {
    pub(super) fn new(limits: CacheLimits) -> Self {
        let CacheLimits { entries, bytes, .. } = limits;
        let shared = Shared {
            documents: Memo::new(entries, bytes),
            units: Memo::new(entries, bytes),
            reads: AtomicU64::new(0),
            parses: AtomicU64::new(0),
            lowers: AtomicU64::new(0),
        };
        Self { limits, shared: Arc::new(shared), own: Arc::new(Own::new(limits)) }
    }

    /// A store for an engine with other settings.
    pub(super) fn renewed(&self) -> Self {
        Self { own: Arc::new(Own::new(self.limits)), ..self.clone() }
    }

    pub(super) fn own(&self) -> &Own {
        &self.own
    }

    /// Whether rendered prompts are kept.
    pub(super) fn keeps_renders(&self) -> bool {
        self.limits.rendered > 0
    }

    pub(super) fn reads(&self) -> &AtomicU64 {
        &self.shared.reads
    }

    /// The document of a text: one of the same text in the same mode, if there is one.
    pub(super) fn document(
        &self,
        source: &Source,
        mode: Mode,
        packed: Option<&Packed>,
    ) -> Arc<Document> {
        let key = (source.hash(), mode);
        if let Some(document) = self.shared.documents.get(&key) {
            return document;
        }
        let packed = packed.and_then(|packed| packed.document(source, mode));
        let document = Arc::new(packed.unwrap_or_else(|| {
            self.shared.parses.fetch_add(1, Ordering::Relaxed);
            parse(source.clone(), mode)
        }));
        let bytes = weight::of_document(&document);
        self.shared.documents.insert(key, Arc::clone(&document), bytes);
        document
    }

    /// All documents, in no useful order.
    pub(super) fn documents(&self) -> impl Iterator<Item = (Mode, Arc<Document>)> {
        self.shared.documents.all().into_iter().map(|((_, mode), document)| (mode, document))
    }

    /// How units are lowered: not again, if one of the same key is there.
    pub(super) fn lowering(&self) -> impl Fn(UnitKey, &dyn Fn() -> Lowered) -> Arc<Lowered> {
        |key, lower: &dyn Fn() -> Lowered| {
            if let Some(lowered) = self.shared.units.get(&key) {
                return lowered;
            }
            self.shared.lowers.fetch_add(1, Ordering::Relaxed);
            let lowered = Arc::new(lower());
            self.shared.units.insert(key, Arc::clone(&lowered), weight::of_unit(&lowered));
            lowered
        }
    }

    pub(super) fn stats(&self) -> Stats {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Stats {
            trees: self.own.trees.stats(),
            documents: self.shared.documents.stats(),
            units: self.shared.units.stats(),
            answers: self.own.known.stats(),
            rendered: self.own.renders.stats(),
            reads: count(&self.shared.reads),
            parses: count(&self.shared.parses),
            lowers: count(&self.shared.lowers),
        }
    }
}

impl Own {
    fn new(limits: CacheLimits) -> Self {
        let CacheLimits { entries, bytes, rendered } = limits;
        Self {
            known: Known::new(entries, bytes),
            trees: Memo::new(entries, bytes),
            renders: Memo::new(rendered, bytes),
        }
    }
}
