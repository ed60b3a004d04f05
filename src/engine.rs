//! The engine: loaders, limits, functions, and what is kept between loads.

mod check;
mod disk;
mod escape;
mod freshness;
mod given;
mod graph;
mod known;
mod load;
mod packed;
mod render;
mod session;
mod store;
mod weight;

use std::sync::Arc;

use crate::compile::PromptTree;
use crate::diag::{Diagnostics, Edited};
use crate::functions::Functions;
use crate::link::{Limits, LoadError, Loader, RootId, Roots};
use crate::text::{Hash, Source};
pub use check::CheckOptions;
pub use escape::EscapeError;
pub use freshness::Freshness;
use given::Given;
pub use graph::{FileGraph, GraphFile, GraphWay};
use packed::Packed;
pub use render::PreparedVars;
pub use store::{CacheLimits, Stats};
use store::{Store, TreeKey};

/// How an entry is loaded.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct LoadOptions {
    /// The variant to prefer for every name (`zh`, `b`).
    pub variant: Option<String>,
    /// Strip HTML comments in files that do not say themselves.
    pub strip_comments: bool,
}

/// Loads and compiles prompts.
///
/// Cheap to clone: clones share loaders, functions and all that was loaded. It can be sent to and
/// shared between threads.
///
/// What was loaded before is given again if it is proved that it would be the same: see
/// [`Freshness`]. A prompt is replaced as a whole: whoever renders the old one goes on with it.
///
/// ```
/// use mdgraft::{Engine, MemoryLoader, render, vars};
///
/// let engine = Engine::new(MemoryLoader::from([("main.md", "Hello {{who}}!")]));
/// let tree = engine.load("main.md")?;
/// let prompt = render(&tree, &vars! { who: "team" }, ())?;
/// assert_eq!(prompt.text(), "Hello team!\n");
/// # Ok::<(), mdgraft::Diagnostics>(())
/// ```
#[derive(Clone)]
pub struct Engine {
    roots: Arc<Roots>,
    functions: Functions,
    limits: Limits,
    freshness: Freshness,
    store: Store,
    pack: Option<Arc<Packed>>,
}

impl Engine {
    /// An engine over one root.
    pub fn new(loader: impl Loader + 'static) -> Self {
        Self {
            roots: Arc::new(Roots::new(Arc::new(loader))),
            functions: Functions::builtin(),
            limits: Limits::default(),
            freshness: Freshness::default(),
            store: Store::new(CacheLimits::default()),
            pack: None,
        }
    }

    /// The same engine with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self.store = self.store.renewed();
        self
    }

    /// The same engine with another way to see that files have not changed.
    #[must_use]
    pub fn with_freshness(mut self, freshness: Freshness) -> Self {
        self.freshness = freshness;
        self
    }

    /// The same engine with other bounds of what it keeps, and nothing kept yet.
    #[must_use]
    pub fn with_cache(mut self, limits: CacheLimits) -> Self {
        self.store = Store::new(limits);
        self
    }

    /// The same engine with other functions: the built-in ones and those of the application.
    ///
    /// ```
    /// use mdgraft::{Engine, Functions, MemoryLoader, Value, render, vars};
    ///
    /// let functions = Functions::builtin().with("shout", 1..=1, |args| match args {
    ///     [Value::Text(text)] => Ok(Value::from(format!("{text}!"))),
    ///     _ => Err("takes a text".to_owned()),
    /// })?;
    /// let loader = MemoryLoader::from([("main.md", "{{who|shout}}")]);
    /// let tree = Engine::new(loader).with_functions(functions).load("main.md")?;
    /// assert_eq!(render(&tree, &vars! { who: "Ada" }, ())?.text(), "Ada!\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_functions(mut self, functions: Functions) -> Self {
        self.functions = functions;
        self.store = self.store.renewed();
        self
    }

    /// The same engine with another root, which paths reach as `@name/…`.
    #[must_use]
    pub fn with_root(mut self, name: impl AsRef<str>, loader: impl Loader + 'static) -> Self {
        let mut roots = Roots::clone(&self.roots);
        roots.add(name.as_ref(), Arc::new(loader));
        self.roots = Arc::new(roots);
        self.store = self.store.renewed();
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
        let key = TreeKey { entry: entry.to_owned(), options: options.clone(), given: None };
        self.load_kept(key, &self.roots)
    }

    /// Loads an entry whose text is given, which includes relative to the top of the root.
    ///
    /// # Errors
    ///
    /// As [`Engine::load`].
    pub fn load_source(
        &self,
        name: &str,
        bytes: &[u8],
        options: &LoadOptions,
    ) -> Result<PromptTree, Diagnostics> {
        let given = Given { root: self.roots.main(), path: name.into(), bytes: bytes.to_owned() };
        let roots = self.roots.with_main(Arc::new(given));
        let key = TreeKey {
            entry: name.to_owned(),
            options: options.clone(),
            given: Some(Hash::of(bytes)),
        };
        self.load_kept(key, &roots)
    }

    /// Tells the engine that something changed at a path: a file or a folder of the main root, or
    /// of a named root as `@name/path`; it may be new or gone. The empty path stands for
    /// everything.
    ///
    /// What that can have touched is asked again when it is next loaded. That matters for
    /// [`Freshness::Events`] and [`Freshness::Trust`], which ask nothing of themselves. A file
    /// that lies in several roots changed in each of them.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use mdgraft::{Engine, Freshness, MemoryLoader, render};
    ///
    /// let loader = Arc::new(MemoryLoader::from([("main.md", "Old.\n")]));
    /// let engine = Engine::new(Arc::clone(&loader)).with_freshness(Freshness::Events);
    /// engine.load("main.md")?;
    ///
    /// loader.insert("main.md", "New.\n");
    /// engine.changed("main.md");
    /// let tree = engine.load("main.md")?;
    /// assert_eq!(render(&tree, &Default::default(), ())?.text(), "New.\n");
    /// # Ok::<(), mdgraft::Diagnostics>(())
    /// ```
    pub fn changed(&self, path: &str) {
        let known = &self.store.own().known;
        let named =
            path.strip_prefix('@').map(|named| named.split_once('/').unwrap_or((named, "")));
        match named.map(|(name, path)| (self.roots.id(name), path)) {
            None if path.is_empty() => known.changed_all(),
            Some((Some(root), path)) => known.changed(root, path),
            // A folder of the main root may begin with `@`.
            Some((None, _)) | None => known.changed(RootId::MAIN, path),
        }
    }

    /// The figures of what the engine keeps, and of how often it had to work.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.store.stats()
    }

    /// Checks entries and all that they reach, without values: errors, the warnings of a render,
    /// and those that only a check gives.
    ///
    /// An entry that ends with `/` is a folder: every Markdown file in it that no other file in it
    /// includes. An empty list means the whole root, as such a folder. Each place is told once,
    /// whichever entries reach it; each file is parsed once.
    ///
    /// ```
    /// use mdgraft::{CheckOptions, Engine, MemoryLoader};
    ///
    /// let engine = Engine::new(MemoryLoader::new([
    ///     ("main.md", "# Rules\n\n### Style\n\nBe brief.\n"),
    ///     ("old.md", "Stay calm.\n"),
    /// ]));
    /// let options = CheckOptions { orphans: true, ..CheckOptions::default() };
    /// let found = engine.check(&["main.md"], &options);
    /// let codes: Vec<&str> = found.iter().map(|one| one.code.as_str()).collect();
    /// assert_eq!(codes, ["skipped-level", "orphan-file"]);
    /// ```
    #[must_use]
    pub fn check(&self, entries: &[&str], options: &CheckOptions) -> Diagnostics {
        check::check(self, entries, options)
    }

    /// Escapes what would be read as syntax in a text that was not written for this language, so
    /// that it renders to its body, without values and on its own. Front matter stays as it is.
    ///
    /// A text that was escaped is one of this language: escaping it again would print the escapes.
    ///
    /// ```
    /// use mdgraft::{Engine, MemoryLoader};
    ///
    /// let engine = Engine::new(MemoryLoader::default());
    /// let escaped = engine.escape("a.md", b"Put {{ name }} into `{{slot}}`.\n")?;
    /// assert_eq!(escaped.bytes, b"Put \\{{ name }} into `\\{{slot}}`.\n");
    /// assert_eq!(escaped.applied, 2);
    /// # Ok::<(), mdgraft::EscapeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What no escape mends, above all front matter that says something to this engine.
    pub fn escape(&self, name: &str, bytes: &[u8]) -> Result<Edited, EscapeError> {
        escape::escape(self, name, bytes)
    }

    /// The loader of the main root.
    pub(crate) fn loader(&self) -> Arc<dyn Loader> {
        self.roots.main()
    }

    /// Reads a file of the main root that is no prompt: its canonical path and its text.
    pub(crate) fn read(&self, path: &str) -> Result<Option<(Arc<str>, Source)>, LoadError> {
        let loaded = self.loader().load(path, self.limits.max_file)?;
        Ok(loaded.map(|loaded| (loaded.facts.path, Source::new(&loaded.bytes))))
    }
}
