//! Where the parts of an assembly come from.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use super::assembly::{Assembly, Origin};
use super::error::PartKind;
use super::registry::Meta;
use crate::diag::Place;

/// What registered something: a line of Rust, or an entry of a declared form.
#[derive(Clone, Debug)]
pub enum Source {
    /// The call that registered it.
    Code(&'static Location<'static>),
    /// The entry that declares it.
    Declared(Place),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(at) => write!(f, "{}:{}:{}", at.file(), at.line(), at.column()),
            Self::Declared(place) => write!(f, "{}:{}", place.file, place.position()),
        }
    }
}

/// Where a part of an assembly comes from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PartOrigin {
    /// What the part is.
    pub kind: PartKind,
    /// Its name.
    pub name: String,
    /// The registration that made it; `None` where a listener added it.
    pub registered: Option<Registered>,
    /// Whether something changed it since: a listener, or who holds the assembly.
    pub edited: bool,
    /// The registrations of farther layers that it took the place of, the nearest first.
    pub shadowed: Vec<Registered>,
}

/// A registration, as origins name it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Registered {
    /// The name of its scope; `None` for the global layer.
    pub layer: Option<Arc<str>>,
    /// What registered it.
    pub source: Source,
    /// The file of its text or tools, where it has one.
    pub file: Option<Arc<str>>,
}

impl Assembly {
    /// Where every part comes from: sections, contexts, tools and variables, each in their order.
    ///
    /// ```
    /// use mdgraft::assemble::{Assembler, Scope};
    ///
    /// let prompts = Assembler::<()>::bare();
    /// let team = Scope::new("team");
    /// let _kept = [
    ///     prompts.section("rules", 0, "Be brief.")?,
    ///     prompts.within(&team).section("rules", 0, "Be kind.")?,
    /// ];
    /// let origins = prompts.within(&team).assemble(&())?.origins();
    /// let rules = origins[0].registered.as_ref().expect("a registration made it");
    /// assert_eq!(rules.layer.as_deref(), Some("team"));
    /// assert_eq!(origins[0].shadowed.len(), 1);
    /// # Ok::<(), mdgraft::assemble::AssembleError>(())
    /// ```
    #[must_use]
    pub fn origins(&self) -> Vec<PartOrigin> {
        let sections = self
            .sections
            .iter()
            .map(|part| origin(PartKind::Section, part.name(), part.edited, part.origin.as_ref()));
        let contexts = self
            .contexts
            .iter()
            .map(|part| origin(PartKind::Context, part.name(), part.edited, part.origin.as_ref()));
        // The fields of a tool are open, so that nobody sees whether one was changed.
        let tools = self
            .tools
            .iter()
            .map(|tool| origin(PartKind::Tool, &tool.name, false, tool.origin.as_ref()));
        let variables = self.variables.entries().iter().map(|variable| {
            let from = variable.origin.as_ref();
            origin(PartKind::Variable, &variable.name, variable.edited, from)
        });
        sections.chain(contexts).chain(tools).chain(variables).collect()
    }
}

fn origin(kind: PartKind, name: &str, edited: bool, from: Option<&Origin>) -> PartOrigin {
    let shadowed = from.map(|from| from.shadowed.as_slice()).unwrap_or_default();
    PartOrigin {
        kind,
        name: name.to_owned(),
        registered: from.map(|from| registered(&from.meta)),
        edited,
        shadowed: shadowed.iter().rev().map(registered).collect(),
    }
}

fn registered(meta: &Arc<Meta>) -> Registered {
    Registered { layer: meta.layer.clone(), source: meta.source.clone(), file: meta.file.clone() }
}
