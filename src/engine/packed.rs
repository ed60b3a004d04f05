//! Engines that begin with what a pack knows.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::known::Answered;
use super::{Engine, Freshness, disk};
use crate::link::{FileKey, FileRead, MemoryLoader, Question, Roots};
use crate::pack::{Builder, Pack, PackError, Remembered, Stored};
use crate::parse::{Document, Mode};
use crate::text::Source;

/// The pack of an engine, with what is remembered of the files of this machine.
pub(super) struct Packed {
    pack: Option<Pack>,
    /// The facts of files, which are those of one machine.
    facts: Option<Pack>,
    /// Whether there is nothing behind it.
    sealed: bool,
    /// Why the pack was not opened.
    refused: Option<PackError>,
    /// Whether something in it turned out to be damaged.
    damaged: AtomicBool,
}

impl Packed {
    /// Whether nothing stands behind it: what it does not hold is not there.
    pub(super) fn is_sealed(&self) -> bool {
        self.sealed
    }

    /// A document of the pack.
    pub(super) fn document(&self, source: &Source, mode: Mode) -> Option<Document> {
        self.found(self.pack.as_ref()?.document(source, mode))
    }

    /// What the pack says that a loader would answer.
    pub(super) fn answer(
        &self,
        roots: &Roots,
        question: Question,
        key: &FileKey,
    ) -> Option<Answered> {
        let pack = self.pack.as_ref()?;
        let stored = pack.answer(roots.name(key.root), question, &key.path);
        let answer =
            stored.and_then(|stored| stored.map(|stored| answered(pack, stored)).transpose());
        match answer {
            // Nobody else could be asked.
            Err(error) if self.sealed => {
                let (path, reason) = (key.path.to_string(), error.to_string());
                Some(Answered::Failed(crate::link::LoadError::Unreadable { path, reason }))
            }
            answer => self.found(answer),
        }
    }

    /// The text of a file whose facts are still those that were remembered of it.
    pub(super) fn remembered(&self, roots: &Roots, key: &FileKey) -> Option<FileRead> {
        let (pack, facts) = (self.pack.as_ref()?, self.facts.as_ref()?);
        let Remembered { facts, hash } =
            self.found(facts.remembered(roots.name(key.root), &key.path))?;
        let later = roots.loader(key.root).facts(&key.path).ok()??;
        if !facts.prove(&later) {
            return None;
        }
        let source = self.found(pack.source(hash))?;
        Some(FileRead { facts, source })
    }

    fn found<T>(&self, found: Result<Option<T>, PackError>) -> Option<T> {
        found.unwrap_or_else(|_| {
            self.damaged.store(true, Ordering::Relaxed);
            None
        })
    }
}

fn answered(pack: &Pack, stored: Stored) -> Result<Answered, PackError> {
    Ok(match stored {
        Stored::Nothing => Answered::Nothing,
        Stored::Failed(error) => Answered::Failed(error),
        Stored::Folder(listing) => Answered::folder(Ok(Some(Arc::new(listing)))),
        Stored::File(path, hash) => {
            let source = pack.source(hash)?.ok_or(PackError::Damaged)?;
            let facts = crate::link::Facts::new(path, source.text().len() as u64);
            Answered::File(FileRead { facts, source })
        }
    })
}

impl Engine {
    /// The same engine, beginning with the pack of a file, as [`save_pack`](Self::save_pack) or
    /// `mdgraft warm` has written it.
    ///
    /// Opening it costs the reading of its header; what a prompt needs is read when the prompt is
    /// loaded. By [facts](Freshness::Facts) files are read that are not as they were when the pack
    /// was written, and no other; by [content](Freshness::Content) all are read and those are
    /// parsed that are not in the pack; in [trust](Freshness::Trust) no file is looked at whose
    /// answer is in the pack.
    ///
    /// A pack that is not there, of another version or damaged is not used, and is no error: see
    /// [`pack_problem`](Self::pack_problem).
    #[must_use]
    pub fn with_pack(mut self, path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        let open = |path: &Path| Pack::open(Box::new(disk::open(path)?));
        let (pack, refused) = match open(path) {
            Ok(pack) => (Some(pack), None),
            Err(error) => (None, Some(error)),
        };
        let facts = open(&facts_path(path)).ok();
        let damaged = AtomicBool::new(false);
        self.pack = Some(Arc::new(Packed { pack, facts, sealed: false, refused, damaged }));
        self.store = self.store.renewed();
        self
    }

    /// An engine over a pack alone, which looks at no file: `include_bytes!` puts one into a
    /// program. What the pack does not hold is not there. The freshness is
    /// [`Trust`](Freshness::Trust).
    ///
    /// ```
    /// use mdgraft::{Engine, MemoryLoader, render, vars};
    ///
    /// // At build time:
    /// let engine = Engine::new(MemoryLoader::from([("main.md", "Hello {{who}}.\n")]));
    /// engine.load("main.md")?;
    /// let bytes: &'static [u8] = engine.pack_bytes().leak();
    ///
    /// // At run time:
    /// let engine = Engine::from_pack_bytes(bytes)?;
    /// let tree = engine.load("main.md")?;
    /// assert_eq!(render(&tree, &vars! { who: "you" }, ())?.text(), "Hello you.\n");
    /// assert_eq!(engine.stats().parses, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If this is no pack of this version, or its header is damaged. Damage further in is met
    /// when a prompt is loaded that needs it, which is an error of that load.
    pub fn from_pack_bytes(bytes: &'static [u8]) -> Result<Self, PackError> {
        let pack = Pack::open(Box::new(bytes))?;
        let mut engine = Self::new(MemoryLoader::default()).with_freshness(Freshness::Trust);
        for name in pack.roots()? {
            engine = engine.with_root(name, MemoryLoader::default());
        }
        engine.pack = Some(Arc::new(Packed {
            pack: Some(pack),
            facts: None,
            sealed: true,
            refused: None,
            damaged: AtomicBool::new(false),
        }));
        Ok(engine)
    }

    /// Why the pack of [`with_pack`](Self::with_pack) is not used, or not all of it; `None` if
    /// all is well. An application may tell that as a warning and write the pack anew.
    #[must_use]
    pub fn pack_problem(&self) -> Option<PackError> {
        let pack = self.pack.as_ref()?;
        let damaged = || pack.damaged.load(Ordering::Relaxed).then_some(PackError::Damaged);
        pack.refused.clone().or_else(damaged)
    }

    /// Reads and checks the whole pack of a file; gives the number of its entries.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn verify_pack(path: impl AsRef<Path>) -> Result<u64, PackError> {
        Pack::open(Box::new(disk::open(path.as_ref())?))?.verify()
    }

    /// Everything that this engine knows of files, as the bytes of a pack. Equal files that were
    /// loaded alike give equal bytes, on any machine.
    ///
    /// What was loaded by [`load_source`](Self::load_source) is not in it, but for what it
    /// included.
    #[must_use]
    pub fn pack_bytes(&self) -> Vec<u8> {
        let mut builder = Builder::default();
        builder.roots(&self.roots.names().map(str::to_owned).collect::<Vec<_>>());
        let mut hashes = std::collections::HashSet::new();
        for ((question, key), answer) in self.store.own().known.all() {
            let stored = match answer {
                Answered::Nothing => Stored::Nothing,
                Answered::Failed(error) => Stored::Failed(error),
                Answered::Folder(listing, _) => Stored::Folder(listing.as_ref().clone()),
                Answered::File(read) => {
                    hashes.insert(read.source.hash());
                    builder.source(&read.source);
                    Stored::File(read.facts.path, read.source.hash())
                }
            };
            builder.answer(self.roots.name(key.root), question, &key.path, &stored);
        }
        for (mode, document) in self.store.documents() {
            if hashes.contains(&document.source.hash()) {
                builder.document(&document, mode);
            }
        }
        builder.finish()
    }

    /// Writes everything that this engine knows of files to a pack, and beside it the facts of the
    /// files, in `PATH.facts`.
    ///
    /// Whoever opens the pack meanwhile finds the old one or the new one.
    ///
    /// # Errors
    ///
    /// If a file cannot be written; the old pack is still there then.
    pub fn save_pack(&self, path: impl AsRef<Path>) -> Result<(), PackError> {
        let path = path.as_ref();
        let mut facts = Builder::default();
        for ((_, key), answer) in self.store.own().known.all() {
            if let Answered::File(read) = answer
                && read.facts.are_conclusive()
            {
                let hash = read.source.hash();
                let remembered = Remembered { facts: read.facts, hash };
                facts.remember(self.roots.name(key.root), &key.path, &remembered);
            }
        }
        disk::write(path, &self.pack_bytes())?;
        disk::write(&facts_path(path), &facts.finish())
    }
}

/// Where the facts of the files of a pack are.
fn facts_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".facts");
    name.into()
}
