//! The engine: a loader, limits and what is kept between loads.

use std::sync::Arc;

use crate::compile::PromptTree;
use crate::diag::Diagnostics;
use crate::link::Loader;

/// Bounds of every resource that a prompt can use; what reaches a limit is allowed, one more is
/// the error `limit-exceeded`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Includes on one path; the entry is 0.
    pub max_depth: usize,
    /// Expanded includes of one render, in a loop once for each round.
    pub max_expansions: usize,
    /// Bytes of output.
    pub max_output: usize,
    /// Bytes of one file.
    pub max_file: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_depth: 64, max_expansions: 10_000, max_output: 16 << 20, max_file: 1 << 20 }
    }
}

/// How an entry is loaded.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The variant to prefer for every name (`zh`, `b`).
    pub variant: Option<String>,
    /// Strip HTML comments in files that do not say themselves.
    pub strip_comments: bool,
}

/// Loads and compiles prompts. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Engine {
    loader: Arc<dyn Loader>,
    limits: Limits,
}

impl Engine {
    /// An engine over one root.
    pub fn new(loader: impl Loader + 'static) -> Self {
        Self { loader: Arc::new(loader), limits: Limits::default() }
    }

    /// The same engine with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same engine with another root, which paths reach as `@name/…`.
    #[must_use]
    pub fn with_root(self, name: impl Into<String>, loader: impl Loader + 'static) -> Self {
        let _ = (name.into(), loader);
        self
    }

    /// Loads an entry and all that it includes.
    ///
    /// # Errors
    ///
    /// All that is wrong with these files, if one of it is an error.
    pub fn load(&self, entry: &str) -> Result<PromptTree, Diagnostics> {
        self.load_with(entry, &LoadOptions::default())
    }

    /// Loads an entry with options.
    ///
    /// # Errors
    ///
    /// As [`Engine::load`].
    pub fn load_with(&self, entry: &str, options: &LoadOptions) -> Result<PromptTree, Diagnostics> {
        let _ = (entry, options, self.loader.list(""), self.limits);
        Ok(PromptTree { inner: Arc::new(()) })
    }

    /// Checks entries and all that they reach, without values: errors, the warnings of a render,
    /// and those that only a check gives. An empty list means every file that no other includes.
    #[must_use]
    pub fn check(&self, entries: &[&str], options: &LoadOptions) -> Diagnostics {
        let _ = (entries, options);
        Diagnostics::default()
    }
}
