//! The engine: loaders, limits, functions, and what is kept between loads.

mod check;
mod escape;
mod given;

use std::sync::Arc;

pub use check::CheckOptions;
pub use escape::EscapeError;

use crate::compile::{CompileOptions, Compiled, PromptTree, compile};
use crate::diag::{Diagnostics, Edited};
use crate::functions::Functions;
use crate::link::{Limits, LinkOptions, Linked, LoadError, Loader, ParseHook, Roots, link};
use crate::parse::{Mode, parse};
use crate::text::Source;
use given::Given;

/// How an entry is loaded.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoadOptions {
    /// The variant to prefer for every name (`zh`, `b`).
    pub variant: Option<String>,
    /// Strip HTML comments in files that do not say themselves.
    pub strip_comments: bool,
}

/// Loads and compiles prompts.
///
/// Cheap to clone: clones share loaders and functions. It can be sent to and shared between
/// threads.
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
}

impl Engine {
    /// An engine over one root.
    pub fn new(loader: impl Loader + 'static) -> Self {
        Self {
            roots: Arc::new(Roots::new(Arc::new(loader))),
            functions: Functions::builtin(),
            limits: Limits::default(),
        }
    }

    /// The same engine with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
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
        self
    }

    /// The same engine with another root, which paths reach as `@name/…`.
    #[must_use]
    pub fn with_root(mut self, name: impl AsRef<str>, loader: impl Loader + 'static) -> Self {
        let mut roots = Roots::clone(&self.roots);
        roots.add(name.as_ref(), Arc::new(loader));
        self.roots = Arc::new(roots);
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
        let compiled = self.compile(&self.link(entry, options), options);
        let diagnostics = Diagnostics::from_sorted(compiled.diagnostics);
        match compiled.program {
            Some(program) if !diagnostics.has_errors() => Ok(PromptTree::new(program, diagnostics)),
            _ => Err(diagnostics),
        }
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
        let engine =
            Self { roots: Arc::new(self.roots.with_main(Arc::new(given))), ..self.clone() };
        engine.load_with(name, options)
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

    fn link(&self, entry: &str, options: &LoadOptions) -> Linked {
        let parse = |source: &Source, mode: Mode| Arc::new(parse(source.clone(), mode));
        self.link_with(entry, options, &parse)
    }

    fn link_with(&self, entry: &str, options: &LoadOptions, parse: &ParseHook<'_>) -> Linked {
        let link_options = LinkOptions {
            variant: options.variant.clone(),
            max_depth: self.limits.max_depth,
            max_file: self.limits.max_file,
        };
        link(entry, &link_options, &self.roots, parse)
    }

    fn compile(&self, linked: &Linked, options: &LoadOptions) -> Compiled {
        compile(
            linked,
            &CompileOptions {
                functions: self.functions.clone(),
                limits: self.limits,
                strip_comments: options.strip_comments,
            },
        )
    }
}
