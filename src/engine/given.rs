//! An entry whose text is given, laid over the files of a root.

use std::sync::Arc;

use crate::link::{Facts, Listing, LoadError, Loaded, Loader};

/// A root with one file more, or another text for one.
pub(super) struct Given {
    pub(super) root: Arc<dyn Loader>,
    pub(super) path: Arc<str>,
    pub(super) bytes: Vec<u8>,
}

impl Loader for Given {
    fn load(&self, path: &str, limit: u64) -> Result<Option<Loaded>, LoadError> {
        if path != &*self.path {
            return self.root.load(path, limit);
        }
        if self.bytes.len() as u64 > limit {
            return Err(LoadError::TooLarge { path: path.to_owned(), limit });
        }
        Ok(Some(Loaded { bytes: self.bytes.clone(), facts: self.own_facts() }))
    }

    fn facts(&self, path: &str) -> Result<Option<Facts>, LoadError> {
        if path == &*self.path { Ok(Some(self.own_facts())) } else { self.root.facts(path) }
    }

    fn list(&self, folder: &str) -> Result<Option<Listing>, LoadError> {
        self.root.list(folder)
    }
}

impl Given {
    fn own_facts(&self) -> Facts {
        // It never changes: another text is another root.
        let facts = Facts::new(Arc::clone(&self.path), self.bytes.len() as u64);
        Facts { changed: Some(0), ..facts }
    }
}
