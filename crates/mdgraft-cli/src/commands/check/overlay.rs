//! A root as it would be, with files that are not written yet.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use mdgraft::{Facts, Listing, LoadError, Loaded, Loader};

/// A loader over another one: some of its files hold other bytes. Clones share them.
#[derive(Clone)]
pub(super) struct Overlay {
    below: Arc<dyn Loader>,
    files: Arc<RwLock<Files>>,
}

/// The files that hold other bytes, by canonical path.
pub(super) type Files = BTreeMap<String, Changed>;

/// A file that holds other bytes.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Changed {
    /// What it held below.
    pub(super) original: Vec<u8>,
    pub(super) bytes: Vec<u8>,
    /// How often it changed.
    pub(super) revision: i128,
}

impl Overlay {
    pub(super) fn new(below: impl Loader + 'static) -> Self {
        Self { below: Arc::new(below), files: Arc::default() }
    }

    /// The files that hold other bytes.
    pub(super) fn files(&self) -> Files {
        self.files.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts other files over those below.
    pub(super) fn set(&self, files: Files) {
        *self.files.write().unwrap_or_else(PoisonError::into_inner) = files;
    }

    /// The bytes of a file that was loaded before.
    pub(super) fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        Some(self.load(path, u64::MAX).ok()??.bytes)
    }

    /// The facts of a file that holds other bytes.
    fn changed(&self, facts: &Facts) -> Option<(Vec<u8>, Facts)> {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        let changed = files.get(&*facts.path)?;
        let size = changed.bytes.len() as u64;
        let revision = Some(changed.revision);
        let facts = Facts { size, modified: None, changed: revision, ..facts.clone() };
        Some((changed.bytes.clone(), facts))
    }
}

impl Loader for Overlay {
    fn load(&self, path: &str, limit: u64) -> Result<Option<Loaded>, LoadError> {
        let Some(loaded) = self.below.load(path, limit)? else { return Ok(None) };
        Ok(Some(match self.changed(&loaded.facts) {
            Some((bytes, facts)) => Loaded { bytes, facts },
            None => loaded,
        }))
    }

    fn facts(&self, path: &str) -> Result<Option<Facts>, LoadError> {
        let facts = self.below.facts(path)?;
        Ok(facts.map(|facts| match self.changed(&facts) {
            Some((_, changed)) => changed,
            None => facts,
        }))
    }

    fn list(&self, folder: &str) -> Result<Option<Listing>, LoadError> {
        self.below.list(folder)
    }
}
