//! The roots of an engine: the main one, and those that paths reach as `@name/…`.

use std::fmt;
use std::sync::Arc;

use super::loader::Loader;

/// One of the roots: 0 is the main one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub(crate) struct RootId(u32);

impl RootId {
    pub(crate) const MAIN: Self = Self(0);
}

/// A file: a root, and a canonical path in it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct FileKey {
    pub(crate) root: RootId,
    pub(crate) path: Arc<str>,
}

impl FileKey {
    pub(crate) fn new(root: RootId, path: impl Into<Arc<str>>) -> Self {
        Self { root, path: path.into() }
    }
}

/// The roots that names are looked up in. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Roots {
    main: Arc<dyn Loader>,
    named: Vec<(Arc<str>, Arc<dyn Loader>)>,
}

impl Roots {
    pub(crate) fn new(main: Arc<dyn Loader>) -> Self {
        Self { main, named: Vec::new() }
    }

    /// The main root.
    pub(crate) fn main(&self) -> Arc<dyn Loader> {
        Arc::clone(&self.main)
    }

    /// The same roots with another main one.
    pub(crate) fn with_main(&self, main: Arc<dyn Loader>) -> Self {
        Self { main, named: self.named.clone() }
    }

    /// Adds a root, or replaces the one of that name.
    pub(crate) fn add(&mut self, name: &str, loader: Arc<dyn Loader>) {
        match self.named.iter_mut().find(|(known, _)| **known == *name) {
            Some((_, known)) => *known = loader,
            None => self.named.push((name.into(), loader)),
        }
    }

    pub(crate) fn id(&self, name: &str) -> Option<RootId> {
        let at = self.named.iter().position(|(known, _)| **known == *name)?;
        Some(RootId(u32::try_from(at + 1).ok()?))
    }

    pub(crate) fn loader(&self, id: RootId) -> &dyn Loader {
        match self.named(id) {
            Some((_, loader)) => &**loader,
            None => &*self.main,
        }
    }

    /// The name of a root; that of the main one is empty.
    pub(crate) fn name(&self, id: RootId) -> &str {
        self.named(id).map_or("", |(name, _)| name)
    }

    /// The names of the named roots.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.named.iter().map(|(name, _)| &**name)
    }

    /// What a file is called: its path, or `@name/path` in a named root.
    pub(crate) fn display(&self, root: RootId, path: &str) -> Arc<str> {
        match self.named(root) {
            Some((name, _)) => format!("@{name}/{path}").into(),
            None => path.into(),
        }
    }

    fn named(&self, id: RootId) -> Option<&(Arc<str>, Arc<dyn Loader>)> {
        self.named.get((id.0 as usize).checked_sub(1)?)
    }
}

impl fmt::Debug for Roots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
