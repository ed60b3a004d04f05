//! Scopes: identities with at most one parent each, by which registrations are layered.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak};

/// Held for writing while a parent is set, so that no two threads close a cycle between them, and
/// for reading while a chain is walked, so that a chain is of one moment.
static LINKS: RwLock<()> = RwLock::new(());

static NEXT: AtomicU64 = AtomicU64::new(0);

/// A scope: an opaque identity with a layer of registrations of its own, such as an agent or a
/// session.
///
/// Clones are the same scope; two scopes of one name are two. A scope sees what the scopes above
/// it registered, and listeners of a scope hear the assemblies of the scopes below it. What is
/// registered in a scope and detached goes when the last handle of the scope is dropped; a scope
/// keeps the scopes above it.
///
/// ```
/// use mdgraft::assemble::Scope;
///
/// let team = Scope::new("team");
/// let agent = team.child("agent");
/// assert_eq!(agent.chain(), [agent.clone(), team.clone()]);
/// assert_ne!(Scope::new("team"), team);
/// assert!(team.bind(&agent).is_err(), "a cycle");
/// ```
#[derive(Clone)]
pub struct Scope(Arc<Inner>);

struct Inner {
    id: ScopeId,
    name: Arc<str>,
    parent: Mutex<Option<Scope>>,
    /// What is run when the scope is gone.
    hooks: Mutex<Vec<Hook>>,
}

type Hook = Box<dyn FnOnce() + Send>;

/// The identity of a scope, which does not keep it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct ScopeId(u64);

/// A scope that is not kept.
#[derive(Clone)]
pub(super) struct WeakScope(Weak<Inner>);

impl WeakScope {
    pub(super) fn upgrade(&self) -> Option<Scope> {
        self.0.upgrade().map(Scope)
    }
}

/// The right to give a bound scope another parent.
#[derive(Clone, Debug)]
pub struct Binding(Scope);

/// Why a scope cannot have that parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScopeError {
    /// The scope has a parent already.
    #[error(
        "dsh-scope: scope key is already bound to a parent; re-linking requires the binding \
         returned by the original bind"
    )]
    Bound,
    /// The parent is the scope itself, or below it.
    #[error("dsh-scope: scope parent link would form a cycle")]
    Cycle,
}

impl Scope {
    /// A new scope without a parent. The name is for people: it stands in origins.
    #[must_use]
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self::made(name.into(), None)
    }

    /// A new scope below this one. It cannot be bound elsewhere later.
    #[must_use]
    pub fn child(&self, name: impl Into<Arc<str>>) -> Self {
        Self::made(name.into(), Some(self.clone()))
    }

    fn made(name: Arc<str>, parent: Option<Self>) -> Self {
        let id = ScopeId(NEXT.fetch_add(1, Ordering::Relaxed));
        Self(Arc::new(Inner { id, name, parent: Mutex::new(parent), hooks: Mutex::default() }))
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Puts the scope below another one, once.
    ///
    /// # Errors
    ///
    /// [`ScopeError::Bound`] where it has a parent, and [`ScopeError::Cycle`].
    pub fn bind(&self, parent: &Scope) -> Result<Binding, ScopeError> {
        let _links = LINKS.write().unwrap_or_else(PoisonError::into_inner);
        if self.parent().is_some() {
            return Err(ScopeError::Bound);
        }
        self.refuse_cycle(parent)?;
        *self.slot() = Some(parent.clone());
        Ok(Binding(self.clone()))
    }

    /// This scope, its parent, the parent of that, and so on.
    #[must_use]
    pub fn chain(&self) -> Vec<Scope> {
        let _links = LINKS.read().unwrap_or_else(PoisonError::into_inner);
        self.walk().collect()
    }

    /// The identities of the chain, the farthest first.
    pub(super) fn ids(&self) -> Vec<ScopeId> {
        let _links = LINKS.read().unwrap_or_else(PoisonError::into_inner);
        let mut ids: Vec<ScopeId> = self.walk().map(|scope| scope.0.id).collect();
        ids.reverse();
        ids
    }

    pub(super) fn id(&self) -> ScopeId {
        self.0.id
    }

    pub(super) fn downgrade(&self) -> WeakScope {
        WeakScope(Arc::downgrade(&self.0))
    }

    pub(super) fn shared_name(&self) -> Arc<str> {
        Arc::clone(&self.0.name)
    }

    /// Runs something when the last handle is gone.
    pub(super) fn when_gone(&self, hook: impl FnOnce() + Send + 'static) {
        self.0.hooks.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(hook));
    }

    fn refuse_cycle(&self, parent: &Scope) -> Result<(), ScopeError> {
        if parent.walk().any(|above| above == *self) { Err(ScopeError::Cycle) } else { Ok(()) }
    }

    fn walk(&self) -> impl Iterator<Item = Scope> {
        std::iter::successors(Some(self.clone()), Scope::parent)
    }

    fn parent(&self) -> Option<Scope> {
        self.slot().clone()
    }

    fn slot(&self) -> MutexGuard<'_, Option<Scope>> {
        self.0.parent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Binding {
    /// Puts the scope below another parent.
    ///
    /// # Errors
    ///
    /// [`ScopeError::Cycle`]; the scope then stays where it is.
    pub fn rebind(&self, parent: &Scope) -> Result<(), ScopeError> {
        let before = {
            let _links = LINKS.write().unwrap_or_else(PoisonError::into_inner);
            self.0.refuse_cycle(parent)?;
            self.0.slot().replace(parent.clone())
        };
        // A scope that goes runs hooks, which may ask for links.
        drop(before);
        Ok(())
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // A long chain must not go by a recursion of that depth.
        let mut above = take(&mut self.parent);
        run(&mut self.hooks);
        while let Some(mut inner) = above.and_then(|scope| Arc::into_inner(scope.0)) {
            above = take(&mut inner.parent);
        }
    }
}

fn take(parent: &mut Mutex<Option<Scope>>) -> Option<Scope> {
    parent.get_mut().unwrap_or_else(PoisonError::into_inner).take()
}

fn run(hooks: &mut Mutex<Vec<Hook>>) {
    for hook in std::mem::take(hooks.get_mut().unwrap_or_else(PoisonError::into_inner)) {
        hook();
    }
}

/// The same scope, not one like it.
impl PartialEq for Scope {
    fn eq(&self, other: &Self) -> bool {
        self.0.id == other.0.id
    }
}

impl Eq for Scope {}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scope({:?})", self.name())
    }
}
