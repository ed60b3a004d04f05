//! Tells an [`Engine`] of changes to its files as they happen.
//!
//! An engine with [`Freshness::Events`](mdgraft::Freshness::Events) asks nothing about files until
//! it is told. A [`Watch`] tells it, for as long as it lives:
//!
//! ```no_run
//! use std::time::Duration;
//! use mdgraft::{DirLoader, Engine, Freshness};
//! use mdgraft_watch::Watch;
//!
//! let engine = Engine::new(DirLoader::open("prompts")?).with_freshness(Freshness::Events);
//! let mut watch = Watch::new(&engine)?;
//! watch.add("", "prompts")?;
//! loop {
//!     let tree = engine.load("agent.md");
//!     // … and when something has changed:
//!     let changed = watch.wait(Duration::MAX);
//! }
//! # #[allow(unreachable_code)]
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Watch before you load, so that no change falls in between. The folder itself must stay: one
//! that is moved or made anew has to be watched anew.

mod events;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use events::Changes;
use mdgraft::Engine;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

/// Why a folder cannot be watched.
#[derive(Debug, thiserror::Error)]
#[error("`{path}` cannot be watched: {reason}")]
pub struct WatchError {
    path: String,
    reason: String,
}

/// Watches folders, and tells an engine what changes in them.
pub struct Watch {
    watcher: RecommendedWatcher,
    roots: Arc<Mutex<Vec<Root>>>,
    changes: Receiver<Changes>,
}

/// A folder of an engine.
pub(crate) struct Root {
    /// Empty for the main root.
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
}

impl Watch {
    /// A watch that tells this engine, and all clones of it. It watches nothing yet.
    ///
    /// # Errors
    ///
    /// If the system has no way to watch, or no more of it.
    pub fn new(engine: &Engine) -> Result<Self, WatchError> {
        let (sender, changes) = channel();
        let roots = Arc::default();
        let watcher = watcher(engine.clone(), Arc::clone(&roots), sender);
        let watcher = watcher.map_err(|error| WatchError::new(Path::new(""), &error))?;
        Ok(Self { watcher, roots, changes })
    }

    /// Watches the folder of a root, and all below it: `name` is empty for the main root.
    ///
    /// # Errors
    ///
    /// If the folder is not there or cannot be watched.
    pub fn add(&mut self, name: &str, folder: impl AsRef<Path>) -> Result<(), WatchError> {
        let folder = folder.as_ref();
        let failed = |error: &dyn std::fmt::Display| WatchError::new(folder, error);
        let canonical = folder.canonicalize().map_err(|error| failed(&error))?;
        let root = Root { name: name.to_owned(), folder: canonical.clone() };
        self.roots.lock().unwrap_or_else(PoisonError::into_inner).push(root);
        self.watcher.watch(&canonical, RecursiveMode::Recursive).map_err(|error| failed(&error))
    }

    /// Waits until something has changed and it has been quiet for a moment, since editors save
    /// in several steps; gives the paths, as [`Engine::changed`] takes them. Empty if nothing has
    /// changed within the time.
    pub fn wait(&mut self, longest: Duration) -> BTreeSet<String> {
        const QUIET: Duration = Duration::from_millis(30);
        /// Something that never rests is shown all the same.
        const LONGEST_UNREST: Duration = Duration::from_secs(1);
        let mut changed = BTreeSet::new();
        match self.changes.recv_timeout(longest) {
            Ok(told) => changed.extend(told.paths),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return changed,
        }
        let begin = Instant::now();
        while begin.elapsed() < LONGEST_UNREST {
            match self.changes.recv_timeout(QUIET) {
                Ok(told) => changed.extend(told.paths),
                Err(_) => break,
            }
        }
        changed
    }
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").finish_non_exhaustive()
    }
}

impl WatchError {
    fn new(path: &Path, reason: &dyn std::fmt::Display) -> Self {
        Self { path: path.to_string_lossy().into_owned(), reason: reason.to_string() }
    }
}

fn watcher(
    engine: Engine,
    roots: Arc<Mutex<Vec<Root>>>,
    sender: Sender<Changes>,
) -> notify::Result<RecommendedWatcher> {
    notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let roots = roots.lock().unwrap_or_else(PoisonError::into_inner);
        let changes = Changes::of(event, &roots);
        changes.paths.iter().for_each(|path| engine.changed(path));
        if !changes.paths.is_empty() {
            // Nobody may be waiting any more.
            let _ = sender.send(changes);
        }
    })
}
