//! What is registered: layers of named tables, and who listens.
//!
//! Everything stands behind one lock, which is held for as long as a table takes to change and
//! never while code of a user runs or is dropped. An assembly takes the layers that it sees as a
//! snapshot; a layer is copied when it changes while a snapshot of it lives.

use std::any::Any;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak};

use super::assembler::Next;
use super::assembly::Assembly;
use super::error::{AssembleError, BoxError, PartKind};
use super::options::AssembleOptions;
use super::origins::Source;
use super::provider::{Text, ToolsFunction, VariableFunction, guarded};
use super::scope::{Scope, ScopeId, WeakScope};

/// How many listeners may stand around one assembly, since each calls the next.
pub(super) const MOST_LISTENERS: usize = 256;

/// What is known of a registration apart from its provider.
#[derive(Debug)]
pub(super) struct Meta {
    pub(super) kind: PartKind,
    /// Empty for providers of tools.
    pub(super) name: Arc<str>,
    pub(super) order: f64,
    pub(super) complete: bool,
    /// The name of the scope; `None` in the global layer.
    pub(super) layer: Option<Arc<str>>,
    pub(super) source: Source,
    /// The entry of the prompt that it renders, or the file of its tools.
    pub(super) file: Option<Arc<str>>,
    pub(super) built_in: bool,
}

/// A registered provider.
pub(super) struct Entry<P: ?Sized> {
    pub(super) meta: Arc<Meta>,
    pub(super) provider: P,
}

pub(super) type TextEntry<C> = Entry<Text<C>>;
pub(super) type VariableEntry<C> = Entry<Box<VariableFunction<C>>>;
pub(super) type ToolsEntry<C> = Entry<Box<ToolsFunction<C>>>;

/// The number of a registration, by which it is found again; they grow.
type Id = u64;

/// Named entries in the order of their registration.
pub(super) struct Table<E> {
    entries: BTreeMap<Id, Arc<E>>,
    names: HashMap<Arc<str>, Id>,
}

impl<E> Table<E> {
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &Arc<E>> {
        self.entries.values()
    }

    fn has(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    fn insert(&mut self, id: Id, name: Arc<str>, entry: Arc<E>) {
        self.names.insert(name, id);
        self.entries.insert(id, entry);
    }

    fn remove(&mut self, id: Id, name: &str) -> Option<Arc<E>> {
        let entry = self.entries.remove(&id)?;
        self.names.remove(name);
        Some(entry)
    }
}

// A derive would ask for `E: Default` and `E: Clone`.
impl<E> Default for Table<E> {
    fn default() -> Self {
        Self { entries: BTreeMap::new(), names: HashMap::new() }
    }
}

impl<E> Clone for Table<E> {
    fn clone(&self) -> Self {
        Self { entries: self.entries.clone(), names: self.names.clone() }
    }
}

/// What is registered in one layer.
pub(super) struct Layer<C> {
    pub(super) sections: Table<TextEntry<C>>,
    pub(super) contexts: Table<TextEntry<C>>,
    pub(super) variables: Table<VariableEntry<C>>,
    pub(super) tools: Table<ToolsEntry<C>>,
    pub(super) suppressors: Table<Entry<()>>,
}

impl<C> Default for Layer<C> {
    fn default() -> Self {
        Self {
            sections: Table::default(),
            contexts: Table::default(),
            variables: Table::default(),
            tools: Table::default(),
            suppressors: Table::default(),
        }
    }
}

impl<C> Clone for Layer<C> {
    fn clone(&self) -> Self {
        Self {
            sections: self.sections.clone(),
            contexts: self.contexts.clone(),
            variables: self.variables.clone(),
            tools: self.tools.clone(),
            suppressors: self.suppressors.clone(),
        }
    }
}

impl<C> Layer<C> {
    fn is_empty(&self) -> bool {
        self.sections.entries.is_empty()
            && self.contexts.entries.is_empty()
            && self.variables.entries.is_empty()
            && self.tools.entries.is_empty()
            && self.suppressors.entries.is_empty()
    }

    /// The numbers, names and tables of all that is registered and not built in, in order.
    fn tickets(&self) -> Vec<(Id, Slot, Arc<str>)> {
        fn of<P>(
            table: &Table<Entry<P>>,
            slot: Slot,
        ) -> impl Iterator<Item = (Id, Slot, Arc<str>)> {
            let own = table.entries.iter().filter(|(_, entry)| !entry.meta.built_in);
            own.map(move |(id, entry)| (*id, slot, Arc::clone(&entry.meta.name)))
        }
        let mut all: Vec<_> = of(&self.sections, Slot::Section)
            .chain(of(&self.contexts, Slot::Context))
            .chain(of(&self.variables, Slot::Variable))
            .chain(of(&self.tools, Slot::Tools))
            .chain(of(&self.suppressors, Slot::Suppressor))
            .collect();
        all.sort_unstable_by_key(|(id, ..)| *id);
        all
    }
}

/// Something to be registered.
pub(super) enum Item<C> {
    Section(TextEntry<C>),
    Context(TextEntry<C>),
    Variable(VariableEntry<C>),
    Tools(ToolsEntry<C>),
    Suppressor(Entry<()>),
}

/// Which table a registration stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slot {
    Section,
    Context,
    Variable,
    Tools,
    Suppressor,
    Change,
    Listener,
}

type ChangeFunction = dyn Fn() -> Result<(), BoxError> + Send + Sync;
type ListenerFunction<C> =
    dyn Fn(Assembly, &C, Next<'_, C>) -> Result<Assembly, BoxError> + Send + Sync;

pub(super) struct Listener<C> {
    id: Id,
    /// The scope whose assemblies, and those below, it hears; `None` hears all.
    pub(super) scope: Option<(ScopeId, WeakScope)>,
    /// Whether it hears all in spite of its scope and of filters.
    pub(super) global: bool,
    pub(super) function: Box<ListenerFunction<C>>,
}

/// Everything that is registered.
pub(super) struct Registry<C> {
    pub(super) options: Arc<AssembleOptions>,
    state: RwLock<State<C>>,
}

struct State<C> {
    next: Id,
    global: Arc<Layer<C>>,
    /// A layer is there from the first registration in it to the last disposal.
    scoped: HashMap<ScopeId, Arc<Layer<C>>>,
    /// The scopes that will tell when they are gone.
    watched: HashSet<ScopeId>,
    changes: Vec<(Id, Arc<ChangeFunction>)>,
    listeners: Arc<Vec<Arc<Listener<C>>>>,
}

/// The layers that an assembly sees, the global one first and then the farthest, and who listens.
pub(super) struct Snapshot<C> {
    pub(super) layers: Vec<Arc<Layer<C>>>,
    pub(super) listeners: Arc<Vec<Arc<Listener<C>>>>,
    /// The scopes of the chain.
    pub(super) ids: Vec<ScopeId>,
}

impl<C: 'static> Registry<C> {
    pub(super) fn new(options: AssembleOptions) -> Self {
        let state = State {
            next: 0,
            global: Arc::default(),
            scoped: HashMap::new(),
            watched: HashSet::new(),
            changes: Vec::new(),
            listeners: Arc::default(),
        };
        Self { options: Arc::new(options), state: RwLock::new(state) }
    }

    /// Registers something in the layer of a scope, or in the global one.
    pub(super) fn register(
        self: &Arc<Self>,
        scope: Option<&Scope>,
        item: Item<C>,
    ) -> Result<Registration, AssembleError> {
        let registration = self.insert(scope, item)?;
        if let Err(error) = self.changed() {
            // The second event tells of the undoing; who fails now has failed before.
            let _ = registration.dispose();
            return Err(AssembleError::Listener(error));
        }
        Ok(registration)
    }

    fn insert(
        self: &Arc<Self>,
        scope: Option<&Scope>,
        item: Item<C>,
    ) -> Result<Registration, AssembleError> {
        let mut state = self.write();
        let id = state.number();
        let layer = match scope {
            None => Some(&state.global),
            Some(scope) => state.scoped.get(&scope.id()),
        };
        if let Some((kind, name)) = layer.and_then(|layer| layer.taken(&item)) {
            let (name, scoped) = (name.to_string(), scope.is_some());
            // What was to be registered is dropped behind the lock.
            drop(state);
            return Err(AssembleError::Duplicate { kind, name, scoped });
        }
        let watch = scope.is_some_and(|scope| state.watched.insert(scope.id()));
        let layer = match scope {
            None => &mut state.global,
            Some(scope) => state.scoped.entry(scope.id()).or_default(),
        };
        let (slot, name) = Arc::make_mut(layer).add(id, item);
        drop(state);
        if let Some(scope) = scope.filter(|_| watch) {
            self.watch(scope);
        }
        Ok(self.registration(Ticket { id, slot, scope: scope.map(Scope::id), name }))
    }

    /// Registers who is told of changes.
    pub(super) fn listen_to_changes(
        self: &Arc<Self>,
        function: impl Fn() -> Result<(), BoxError> + Send + Sync + 'static,
    ) -> Registration {
        let mut state = self.write();
        let id = state.number();
        state.changes.push((id, Arc::new(function)));
        drop(state);
        self.registration(Ticket { id, slot: Slot::Change, scope: None, name: Arc::default() })
    }

    /// Registers who stands around assemblies.
    pub(super) fn listen(
        self: &Arc<Self>,
        scope: Option<&Scope>,
        prepend: bool,
        global: bool,
        function: Box<ListenerFunction<C>>,
    ) -> Result<Registration, AssembleError> {
        let mut state = self.write();
        if state.listeners.len() >= MOST_LISTENERS {
            drop(state);
            return Err(AssembleError::TooManyListeners { limit: MOST_LISTENERS });
        }
        let id = state.number();
        let tag = scope.map(|scope| (scope.id(), scope.downgrade()));
        let listener = Arc::new(Listener { id, scope: tag, global, function });
        let listeners = Arc::make_mut(&mut state.listeners);
        let at = if prepend { 0 } else { listeners.len() };
        listeners.insert(at, listener);
        let watch = scope.is_some_and(|scope| state.watched.insert(scope.id()));
        drop(state);
        if let Some(scope) = scope.filter(|_| watch) {
            self.watch(scope);
        }
        let ticket =
            Ticket { id, slot: Slot::Listener, scope: scope.map(Scope::id), name: Arc::default() };
        Ok(self.registration(ticket))
    }

    /// What an assembly of a scope sees.
    pub(super) fn snapshot(&self, scope: Option<&Scope>) -> Snapshot<C> {
        let ids = scope.map(Scope::ids).unwrap_or_default();
        let state = self.read();
        let scoped = ids.iter().filter_map(|id| state.scoped.get(id));
        let layers = std::iter::once(&state.global).chain(scoped).cloned().collect();
        Snapshot { layers, listeners: Arc::clone(&state.listeners), ids }
    }

    /// Disposes everything in a layer that is not built in.
    pub(super) fn clear(&self, scope: Option<ScopeId>) -> Result<(), AssembleError> {
        let tickets = {
            let state = self.read();
            let layer = match scope {
                None => Some(&state.global),
                Some(scope) => state.scoped.get(&scope),
            };
            layer.map(|layer| layer.tickets()).unwrap_or_default()
        };
        let mut result = Ok(());
        for (id, slot, name) in tickets {
            let disposed = self.dispose(&Ticket { id, slot, scope, name });
            result = result.and(disposed);
        }
        result
    }

    /// Forgets a scope when its last handle is gone.
    fn watch(self: &Arc<Self>, scope: &Scope) {
        let (registry, id) = (Arc::downgrade(self), scope.id());
        scope.when_gone(move || {
            if let Some(registry) = registry.upgrade() {
                registry.forget(id);
            }
        });
    }

    /// A scope is gone, and with it what was registered in it.
    fn forget(&self, scope: ScopeId) {
        // There is nobody left to tell of a listener that fails.
        let _ = self.clear(Some(scope));
        let mut state = self.write();
        state.watched.remove(&scope);
        let of_scope =
            |listener: &Listener<C>| listener.scope.as_ref().is_some_and(|(id, _)| *id == scope);
        let gone: Vec<Arc<Listener<C>>> =
            state.listeners.iter().filter(|listener| of_scope(listener)).cloned().collect();
        if !gone.is_empty() {
            Arc::make_mut(&mut state.listeners).retain(|listener| !of_scope(listener));
        }
        drop(state);
        drop(gone);
    }

    /// Tells of a change; the first who fails ends it.
    fn changed(&self) -> Result<(), BoxError> {
        for listener in self.change_listeners() {
            guarded(|| listener())?;
        }
        Ok(())
    }

    fn change_listeners(&self) -> Vec<Arc<ChangeFunction>> {
        self.read().changes.iter().map(|(_, function)| Arc::clone(function)).collect()
    }

    fn registration(self: &Arc<Self>, ticket: Ticket) -> Registration {
        let registry: Weak<Self> = Arc::downgrade(self);
        Registration { registry, ticket, live: AtomicBool::new(true) }
    }

    fn read(&self) -> RwLockReadGuard<'_, State<C>> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State<C>> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C> State<C> {
    fn number(&mut self) -> Id {
        self.next += 1;
        self.next
    }

    /// Takes a registration out; what it held is returned, to be dropped behind the lock.
    fn remove(&mut self, ticket: &Ticket) -> Option<Arc<dyn Any + Send + Sync>>
    where
        C: 'static,
    {
        let Ticket { id, slot, scope, name } = ticket;
        match slot {
            Slot::Change => {
                let at = self.changes.iter().position(|(own, _)| own == id)?;
                let (_, function) = self.changes.remove(at);
                Some(Arc::new(function))
            }
            Slot::Listener => {
                let at = self.listeners.iter().position(|listener| listener.id == *id)?;
                Some(Arc::new(Arc::make_mut(&mut self.listeners).remove(at)))
            }
            _ => {
                let layer = match scope {
                    None => &mut self.global,
                    Some(scope) => self.scoped.get_mut(scope)?,
                };
                let layer = Arc::make_mut(layer);
                let removed = layer.remove(*id, *slot, name);
                let is_empty = layer.is_empty();
                if let Some(scope) = scope.filter(|_| is_empty) {
                    self.scoped.remove(&scope);
                }
                removed
            }
        }
    }
}

impl<C: 'static> Layer<C> {
    /// The name of something to be registered, where the layer has it already.
    fn taken<'a>(&self, item: &'a Item<C>) -> Option<(PartKind, &'a str)> {
        let (meta, taken) = match item {
            Item::Section(entry) => (&entry.meta, self.sections.has(&entry.meta.name)),
            Item::Context(entry) => (&entry.meta, self.contexts.has(&entry.meta.name)),
            Item::Variable(entry) => (&entry.meta, self.variables.has(&entry.meta.name)),
            Item::Tools(_) | Item::Suppressor(_) => return None,
        };
        taken.then_some((meta.kind, &*meta.name))
    }

    fn add(&mut self, id: Id, item: Item<C>) -> (Slot, Arc<str>) {
        fn put<P>(table: &mut Table<Entry<P>>, id: Id, entry: Entry<P>) -> Arc<str> {
            let name = Arc::clone(&entry.meta.name);
            table.insert(id, Arc::clone(&name), Arc::new(entry));
            name
        }
        match item {
            Item::Section(entry) => (Slot::Section, put(&mut self.sections, id, entry)),
            Item::Context(entry) => (Slot::Context, put(&mut self.contexts, id, entry)),
            Item::Variable(entry) => (Slot::Variable, put(&mut self.variables, id, entry)),
            Item::Tools(entry) => (Slot::Tools, put(&mut self.tools, id, entry)),
            Item::Suppressor(entry) => (Slot::Suppressor, put(&mut self.suppressors, id, entry)),
        }
    }

    fn remove(&mut self, id: Id, slot: Slot, name: &str) -> Option<Arc<dyn Any + Send + Sync>> {
        Some(match slot {
            Slot::Section => self.sections.remove(id, name)?,
            Slot::Context => self.contexts.remove(id, name)?,
            Slot::Variable => self.variables.remove(id, name)?,
            Slot::Tools => self.tools.remove(id, name)?,
            Slot::Suppressor => self.suppressors.remove(id, name)?,
            Slot::Change | Slot::Listener => return None,
        })
    }
}

/// Where a registration stands.
#[derive(Debug)]
struct Ticket {
    id: Id,
    slot: Slot,
    scope: Option<ScopeId>,
    name: Arc<str>,
}

trait Dispose: Send + Sync {
    fn dispose(&self, ticket: &Ticket) -> Result<(), AssembleError>;
}

impl<C: 'static> Dispose for Registry<C> {
    fn dispose(&self, ticket: &Ticket) -> Result<(), AssembleError> {
        let removed = self.write().remove(ticket);
        if removed.is_none() || matches!(ticket.slot, Slot::Change | Slot::Listener) {
            return Ok(());
        }
        drop(removed);
        let mut result = Ok(());
        for listener in self.change_listeners() {
            result = result.and(guarded(|| listener()).map_err(AssembleError::Listener));
        }
        result
    }
}

/// Something that is registered, for as long as this lives.
///
/// A list of these owns what a plugin registered: dropping it disposes all of it.
///
/// ```
/// use mdgraft::assemble::Assembler;
///
/// let prompts = Assembler::<()>::bare();
/// let rules = prompts.section("rules", 10, "Be brief.")?;
/// assert_eq!(prompts.assemble(&())?.render_prompt()?, "Be brief.");
/// drop(rules);
/// assert_eq!(prompts.assemble(&())?.render_prompt()?, "");
///
/// prompts.section("rules", 10, "Be kind.")?.detach();
/// assert_eq!(prompts.assemble(&())?.render_prompt()?, "Be kind.");
/// # Ok::<(), mdgraft::assemble::AssembleError>(())
/// ```
#[must_use = "dropping it disposes what was registered; `detach` keeps it"]
pub struct Registration {
    registry: Weak<dyn Dispose>,
    ticket: Ticket,
    live: AtomicBool,
}

impl Registration {
    /// Takes the registration back. A second time nothing happens.
    ///
    /// # Errors
    ///
    /// [`AssembleError::Listener`] if one who is told of changes fails. The registration is gone
    /// all the same, and all others were told.
    pub fn dispose(&self) -> Result<(), AssembleError> {
        if !self.live.swap(false, Ordering::AcqRel) {
            return Ok(());
        }
        match self.registry.upgrade() {
            Some(registry) => registry.dispose(&self.ticket),
            None => Ok(()),
        }
    }

    /// Lets the registration live as long as its owner: the scope that it was made in, or the
    /// assembler.
    pub fn detach(self) {
        self.live.store(false, Ordering::Release);
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        // There is nobody to tell of a listener that fails.
        let _ = self.dispose();
    }
}

impl std::fmt::Debug for Registration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Registration({:?} {:?})", self.ticket.slot, self.ticket.name)
    }
}
