//! The handle: registers in a layer, and assembles what the layer sees.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use super::assembly::{Assembly, is_variable_name};
use super::error::{AssembleError, BoxError, PartKind};
use super::options::{AssembleOptions, BuiltIn};
use super::origins::Source;
use super::provider::{Answer, Text, Tools, guarded};
use super::registry::{Entry, Item, Listener, Meta, Registration, Registry};
use super::run;
use super::scope::Scope;

/// Registers the parts of a prompt, and assembles them anew for every call of a model.
///
/// `C` is what the caller hands to each assembly, and what providers and listeners get: the turn
/// of a conversation, say. A handle stands on the global layer, or with [`within`](Self::within)
/// on that of a scope: what is registered through it goes to that layer, and what it assembles is
/// seen from there. It is cheap to clone and can be shared between threads; clones are handles of
/// one registry.
///
/// ```
/// use mdgraft::assemble::{Assembler, Scope};
///
/// let prompts = Assembler::<()>::bare();
/// prompts.section("role", 0, "You are {{what}}.")?.detach();
/// prompts.section("rules", 10, "Be brief.")?.detach();
/// prompts.variable("what", |_| "an agent")?.detach();
///
/// let scope = Scope::new("reviewer");
/// let reviewer = prompts.within(&scope);
/// reviewer.section("rules", 10, "Be thorough.")?.detach();
///
/// let prompt = |prompts: &Assembler| prompts.assemble(&())?.render_prompt();
/// assert_eq!(prompt(&prompts)?, "You are an agent.\n\nBe brief.");
/// assert_eq!(prompt(&reviewer)?, "You are an agent.\n\nBe thorough.");
/// # Ok::<(), mdgraft::assemble::AssembleError>(())
/// ```
pub struct Assembler<C: 'static = ()> {
    registry: Arc<Registry<C>>,
    scope: Option<Scope>,
    filter: Option<Arc<Filter>>,
}

pub(super) type Filter = dyn Fn(Option<&Scope>) -> bool + Send + Sync;

/// Which assemblies a listener hears, and where among the listeners it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ListenOptions {
    /// Before all that are there, so that it stands outside of them.
    pub prepend: bool,
    /// All assemblies, whatever its scope and whatever a filter says.
    pub global: bool,
}

impl<C: 'static> Assembler<C> {
    /// An assembler with its built-in sections.
    ///
    /// # Errors
    ///
    /// A tool order that lists a name twice or lacks the rest entry, and what
    /// [`section`](Self::section) refuses.
    #[track_caller]
    pub fn new(options: AssembleOptions) -> Result<Self, AssembleError> {
        options.check()?;
        let built_in = [options.identity.clone(), options.persona.clone()];
        let suppressed = !options.runtime_context;
        let prompts =
            Self { registry: Arc::new(Registry::new(options)), scope: None, filter: None };
        for BuiltIn { name, order, text } in built_in.into_iter().flatten() {
            let meta = Meta { built_in: true, ..prompts.meta(PartKind::Section, name, order) };
            prompts.register_text(meta, Text::from(text))?.detach();
        }
        if suppressed {
            let meta = Meta { built_in: true, ..prompts.meta(PartKind::Context, "", 0.0) };
            prompts.register(Item::Suppressor(Entry { meta: meta.into(), provider: () }))?.detach();
        }
        Ok(prompts)
    }

    /// An assembler without built-in sections, with the default options else.
    #[must_use]
    pub fn bare() -> Self {
        let registry = Arc::new(Registry::new(AssembleOptions::bare()));
        Self { registry, scope: None, filter: None }
    }

    /// A handle of the same registry on the layer of a scope.
    #[must_use]
    pub fn within(&self, scope: &Scope) -> Self {
        Self { scope: Some(scope.clone()), ..self.clone() }
    }

    /// A handle whose assemblies are heard only by the listeners that a filter lets through,
    /// which is given the scope that a listener was registered in. Of these, scopes decide as
    /// always.
    #[must_use]
    pub fn with_filter(
        &self,
        filter: impl Fn(Option<&Scope>) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self { filter: Some(Arc::new(filter)), ..self.clone() }
    }

    /// The scope whose layer the handle stands on; `None` for the global layer.
    #[must_use]
    pub fn scope(&self) -> Option<&Scope> {
        self.scope.as_ref()
    }

    /// The options that it was made with.
    #[must_use]
    pub fn options(&self) -> &AssembleOptions {
        &self.registry.options
    }

    /// Registers a section of the prompt. Sections stand in ascending order, and those of equal
    /// order as they were registered.
    ///
    /// A section of a nearer layer takes the place of one with the same name, whose provider is
    /// then not called.
    ///
    /// # Errors
    ///
    /// An order that is not finite, then a name that the layer has already. A change listener that
    /// fails undoes the registration.
    #[track_caller]
    pub fn section(
        &self,
        name: impl Into<Arc<str>>,
        order: impl Into<f64>,
        text: impl Into<Text<C>>,
    ) -> Result<Registration, AssembleError> {
        self.register_text(self.meta(PartKind::Section, name, order), text.into())
    }

    /// Registers a section that is the whole prompt while it is there: all other sections are
    /// left out, contexts and tools stay.
    ///
    /// # Errors
    ///
    /// As [`section`](Self::section). Two complete sections that are seen together are an error
    /// when they are assembled.
    #[track_caller]
    pub fn complete_section(
        &self,
        name: impl Into<Arc<str>>,
        order: impl Into<f64>,
        text: impl Into<Text<C>>,
    ) -> Result<Registration, AssembleError> {
        let meta = Meta { complete: true, ..self.meta(PartKind::Section, name, order) };
        self.register_text(meta, text.into())
    }

    /// Registers a part of the runtime context, by the rules of [`section`](Self::section).
    ///
    /// # Errors
    ///
    /// As [`section`](Self::section).
    #[track_caller]
    pub fn context(
        &self,
        name: impl Into<Arc<str>>,
        order: impl Into<f64>,
        text: impl Into<Text<C>>,
    ) -> Result<Registration, AssembleError> {
        self.register_text(self.meta(PartKind::Context, name, order), text.into())
    }

    /// Leaves the runtime context out of all assemblies that see this layer, until all suppressors
    /// are disposed.
    ///
    /// # Errors
    ///
    /// A change listener that fails undoes the registration.
    #[track_caller]
    pub fn suppress_runtime_context(&self) -> Result<Registration, AssembleError> {
        let meta = Arc::new(self.meta(PartKind::Context, "", 0.0));
        self.register(Item::Suppressor(Entry { meta, provider: () }))
    }

    /// Registers a provider of tools. It returns a list of tools, or [`Tools`], or a `Result` of
    /// these.
    ///
    /// # Errors
    ///
    /// A change listener that fails undoes the registration.
    #[track_caller]
    pub fn tools<A: Answer<Tools>>(
        &self,
        provider: impl Fn(&C) -> A + Send + Sync + 'static,
    ) -> Result<Registration, AssembleError> {
        self.register_tools(self.meta(PartKind::Tool, "", 0.0), provider)
    }

    /// Registers a variable. Its provider returns an `Option<String>`, or a text if there always
    /// is one, or a `Result` of an `Option<String>`.
    ///
    /// Every provider that is seen is called for each assembly, and the nearest counts: also where
    /// it has no value.
    ///
    /// # Errors
    ///
    /// A name that is not `[a-z][a-z0-9_]*`, then one that the layer has already. A change
    /// listener that fails undoes the registration.
    #[track_caller]
    pub fn variable<A: Answer<Option<String>>>(
        &self,
        name: impl Into<Arc<str>>,
        provider: impl Fn(&C) -> A + Send + Sync + 'static,
    ) -> Result<Registration, AssembleError> {
        self.register_variable(self.meta(PartKind::Variable, name, 0.0), provider)
    }

    /// Disposes everything that is registered in this layer, but for what is built in. Listeners
    /// stay.
    ///
    /// # Errors
    ///
    /// [`AssembleError::Listener`] if one who is told of changes fails; everything is disposed all
    /// the same.
    pub fn clear(&self) -> Result<(), AssembleError> {
        self.registry.clear(self.scope.as_ref().map(Scope::id))
    }

    /// Has a listener told after every registration and every disposal, in any layer. One that
    /// fails undoes the registration it is told of.
    pub fn on_change<A: Answer<()>>(
        &self,
        listener: impl Fn() -> A + Send + Sync + 'static,
    ) -> Registration {
        self.registry.listen_to_changes(move || listener().answer())
    }

    /// Has a listener change assemblies last: those of this scope and of the scopes below it; all,
    /// on the global layer.
    ///
    /// It gets the assembly, what the caller handed over, and [`Next`], which runs the listeners
    /// behind it. It may change the assembly before or after it calls [`Next::run`], or return one
    /// without calling it.
    ///
    /// ```
    /// use mdgraft::assemble::Assembler;
    ///
    /// let prompts = Assembler::<()>::bare();
    /// let _kept = prompts.section("rules", 0, "Be brief.")?;
    /// let _shouts = prompts.on_assemble(|mut assembly, _, next| {
    ///     assembly.sections[0].set_text("BE BRIEF.");
    ///     next.run(assembly)
    /// })?;
    /// assert_eq!(prompts.assemble(&())?.render_prompt()?, "BE BRIEF.");
    /// # Ok::<(), mdgraft::assemble::AssembleError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// More than 256 listeners.
    pub fn on_assemble<A: Answer<Assembly>>(
        &self,
        listener: impl Fn(Assembly, &C, Next<'_, C>) -> A + Send + Sync + 'static,
    ) -> Result<Registration, AssembleError> {
        self.on_assemble_with(ListenOptions::default(), listener)
    }

    /// Has a listener change assemblies, with options.
    ///
    /// # Errors
    ///
    /// As [`on_assemble`](Self::on_assemble).
    pub fn on_assemble_with<A: Answer<Assembly>>(
        &self,
        options: ListenOptions,
        listener: impl Fn(Assembly, &C, Next<'_, C>) -> A + Send + Sync + 'static,
    ) -> Result<Registration, AssembleError> {
        let ListenOptions { prepend, global } = options;
        let function = Box::new(move |assembly: Assembly, context: &C, next: Next<'_, C>| {
            listener(assembly, context, next).answer()
        });
        self.registry.listen(self.scope.as_ref(), prepend, global, function)
    }

    /// Checks what listeners return, from now on: [`Assembly::check`] as the outermost listener of
    /// every assembly.
    ///
    /// # Errors
    ///
    /// As [`on_assemble`](Self::on_assemble).
    pub fn guard(&self) -> Result<Registration, AssembleError> {
        let options = ListenOptions { prepend: true, global: true };
        self.on_assemble_with(options, |assembly, _, next| {
            let assembly = next.run(assembly)?;
            assembly.check()?;
            Ok::<_, BoxError>(assembly)
        })
    }

    /// Assembles what this layer sees, for one call of a model.
    ///
    /// Providers see the registry as it was at the beginning. They may register, dispose, and
    /// assemble in turn, up to 8 deep in one thread. No lock is held while they run.
    ///
    /// # Errors
    ///
    /// The first of: a variable or a provider of tools that fails, several complete sections, a
    /// section or context that fails, a tool order that does not fit the tools, a listener that
    /// fails.
    pub fn assemble(&self, context: &C) -> Result<Assembly, AssembleError> {
        run::assemble(&self.registry, self.scope.as_ref(), self.filter.as_deref(), context)
    }

    #[track_caller]
    pub(super) fn meta(
        &self,
        kind: PartKind,
        name: impl Into<Arc<str>>,
        order: impl Into<f64>,
    ) -> Meta {
        Meta {
            kind,
            name: name.into(),
            // Minus zero is the zero that it equals.
            order: order.into() + 0.0,
            complete: false,
            layer: self.scope.as_ref().map(Scope::shared_name),
            source: Source::Code(Location::caller()),
            file: None,
            built_in: false,
        }
    }

    pub(super) fn register_text(
        &self,
        mut meta: Meta,
        text: Text<C>,
    ) -> Result<Registration, AssembleError> {
        if !meta.order.is_finite() {
            return Err(AssembleError::Order { kind: meta.kind, name: meta.name.to_string() });
        }
        meta.file = text.file();
        let is_section = meta.kind == PartKind::Section;
        let entry = Entry { meta: Arc::new(meta), provider: text };
        self.register(if is_section { Item::Section(entry) } else { Item::Context(entry) })
    }

    pub(super) fn register_variable<A: Answer<Option<String>>>(
        &self,
        meta: Meta,
        provider: impl Fn(&C) -> A + Send + Sync + 'static,
    ) -> Result<Registration, AssembleError> {
        if !is_variable_name(&meta.name) {
            return Err(AssembleError::VariableName { name: meta.name.to_string() });
        }
        let provider = Box::new(move |context: &C| provider(context).answer());
        self.register(Item::Variable(Entry { meta: Arc::new(meta), provider }))
    }

    pub(super) fn register_tools<A: Answer<Tools>>(
        &self,
        meta: Meta,
        provider: impl Fn(&C) -> A + Send + Sync + 'static,
    ) -> Result<Registration, AssembleError> {
        let provider = Box::new(move |context: &C| provider(context).answer());
        self.register(Item::Tools(Entry { meta: Arc::new(meta), provider }))
    }

    pub(super) fn register(&self, item: Item<C>) -> Result<Registration, AssembleError> {
        self.registry.register(self.scope.as_ref(), item)
    }
}

impl<C: 'static> Clone for Assembler<C> {
    fn clone(&self) -> Self {
        Self {
            registry: Arc::clone(&self.registry),
            scope: self.scope.clone(),
            filter: self.filter.clone(),
        }
    }
}

impl<C: 'static> fmt::Debug for Assembler<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Assembler").field("scope", &self.scope).finish_non_exhaustive()
    }
}

/// The listeners behind one that is being run.
pub struct Next<'a, C> {
    pub(super) rest: &'a [&'a Listener<C>],
    pub(super) context: &'a C,
}

impl<C> Next<'_, C> {
    /// Runs the other listeners, and returns what they made of an assembly; the assembly itself
    /// where there are none.
    ///
    /// # Errors
    ///
    /// What a listener returns as its error, and a panic.
    pub fn run(self, assembly: Assembly) -> Result<Assembly, BoxError> {
        let Some((first, rest)) = self.rest.split_first() else { return Ok(assembly) };
        let next = Next { rest, context: self.context };
        guarded(|| (first.function)(assembly, self.context, next))
    }
}

impl<C> fmt::Debug for Next<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Next({} listeners)", self.rest.len())
    }
}
