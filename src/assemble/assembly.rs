//! The result of assembling: parts, tools and variables, detached from the registry.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use super::error::{AssembleError, PartKind};
use super::options::AssembleOptions;
use super::registry::Meta;
use crate::diag::Diagnostics;
use crate::value::Value;

/// What was assembled for one call of a model.
///
/// It is detached: nothing that is done to it is seen by another assembly. Listeners and callers
/// change it as they like; [`render_prompt`](Self::render_prompt) and the other forms take it as
/// it then is.
#[derive(Clone, Debug, Default)]
pub struct Assembly {
    /// The sections of the prompt, in order.
    pub sections: Vec<Part>,
    /// The parts of the runtime context, in order.
    pub contexts: Vec<Part>,
    /// The tools, in order.
    pub tools: Vec<Tool>,
    /// The variables that the texts may refer to.
    pub variables: Variables,
    pub(super) options: Arc<AssembleOptions>,
    pub(super) warnings: Diagnostics,
}

impl Assembly {
    /// What prompts of the engine warned of when they were rendered for this assembly.
    #[must_use]
    pub fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    /// Checks what a listener can break: names of sections and of contexts are not empty and
    /// differ, names of tools are not empty, and names of variables are well formed.
    ///
    /// [`Assembler::guard`](super::Assembler::guard) does so for every assembly.
    ///
    /// # Errors
    ///
    /// [`AssembleError::Invariant`], for the first rule that is broken.
    pub fn check(&self) -> Result<(), AssembleError> {
        let broken = |what: String| Err(AssembleError::Invariant(what));
        for (kind, parts) in
            [(PartKind::Section, &self.sections), (PartKind::Context, &self.contexts)]
        {
            let mut seen = HashSet::new();
            for part in parts {
                if part.name().is_empty() {
                    return broken(format!("assembled {kind} names must be non-empty"));
                }
                if !seen.insert(part.name()) {
                    return broken(format!(
                        "assembled {kind} name \"{}\" is duplicated",
                        part.name
                    ));
                }
            }
        }
        if self.tools.iter().any(|tool| tool.name.is_empty()) {
            return broken("assembled tool names must be non-empty".to_owned());
        }
        match self.variables.iter().find(|(name, _)| !is_variable_name(name)) {
            Some((name, _)) => broken(format!("assembled variable name \"{name}\" is invalid")),
            None => Ok(()),
        }
    }
}

/// A section or a part of the runtime context.
#[derive(Clone)]
pub struct Part {
    name: Arc<str>,
    text: String,
    verbatim: bool,
    pub(super) edited: bool,
    pub(super) origin: Option<Origin>,
}

/// The registrations that something comes from.
#[derive(Clone)]
pub(super) struct Origin {
    pub(super) meta: Arc<Meta>,
    /// What it took the place of, the farthest layer first.
    pub(super) shadowed: Vec<Arc<Meta>>,
}

impl Part {
    /// A part that no registration made, for listeners.
    #[must_use]
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), verbatim: false, edited: false, origin: None }
    }

    pub(super) fn made(name: Arc<str>, text: String, verbatim: bool, origin: Origin) -> Self {
        Self { name, text, verbatim, edited: false, origin: Some(origin) }
    }

    /// The same part, in which `{{name}}` means nothing.
    #[must_use]
    pub fn verbatim(mut self) -> Self {
        self.verbatim = true;
        self
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text; variables are not put in yet.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether `{{name}}` in the text means nothing, since the engine has rendered it already or
    /// since it was registered so.
    #[must_use]
    pub fn is_verbatim(&self) -> bool {
        self.verbatim
    }

    /// Gives the part another name; its origin stays.
    pub fn rename(&mut self, name: impl Into<Arc<str>>) {
        self.name = name.into();
        self.edited = true;
    }

    /// The text, to be changed.
    pub fn text_mut(&mut self) -> &mut String {
        self.edited = true;
        &mut self.text
    }

    /// Gives the part another text.
    pub fn set_text(&mut self, text: impl Into<String>) {
        *self.text_mut() = text.into();
    }
}

/// Equal names and texts are equal parts, wherever they come from.
impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.text, self.verbatim) == (&other.name, &other.text, other.verbatim)
    }
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part")
            .field("name", &self.name)
            .field("text", &self.text)
            .finish_non_exhaustive()
    }
}

/// The schema of a tool.
#[derive(Clone)]
pub struct Tool {
    /// The name.
    pub name: String,
    /// What the tool is for.
    pub description: String,
    /// The JSON schema of the arguments.
    pub parameters: Value,
    pub(super) origin: Option<Origin>,
}

impl Tool {
    /// A tool.
    ///
    /// ```
    /// use mdgraft::Value;
    /// use mdgraft::assemble::Tool;
    ///
    /// let parameters = Value::from_json(r#"{"type":"object"}"#)?;
    /// assert_eq!(Tool::new("read", "Reads a file.", parameters).name, "read");
    /// # Ok::<(), mdgraft::ValueError>(())
    /// ```
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        parameters: impl Into<Value>,
    ) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            parameters: parameters.into(),
            origin: None,
        }
    }
}

/// Equal schemas are equal tools, wherever they come from.
impl PartialEq for Tool {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.description, &self.parameters)
            == (&other.name, &other.description, &other.parameters)
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool")
            .field("name", &self.name)
            .field("description", &self.description)
            .field("parameters", &self.parameters)
            .finish_non_exhaustive()
    }
}

/// Whether a text can name a variable: `[a-z][a-z0-9_]*`.
pub(super) fn is_variable_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
}

/// The variables of an assembly by name, in the order of their registration. A variable may be
/// there without a value.
///
/// ```
/// use mdgraft::assemble::Variables;
///
/// let mut variables = Variables::default();
/// variables.insert("model", Some("large".to_owned()));
/// variables.insert("cwd", None);
/// assert_eq!(variables.get("model"), Some(Some("large")));
/// assert_eq!(variables.get("cwd"), Some(None));
/// assert_eq!(variables.get("user"), None);
/// ```
#[derive(Clone, Default)]
pub struct Variables {
    entries: Vec<Variable>,
    index: HashMap<Arc<str>, usize>,
}

#[derive(Clone)]
pub(super) struct Variable {
    pub(super) name: Arc<str>,
    pub(super) value: Option<String>,
    pub(super) edited: bool,
    pub(super) origin: Option<Origin>,
}

impl Variables {
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self { entries: Vec::with_capacity(capacity), index: HashMap::with_capacity(capacity) }
    }

    /// Gives a variable a value, or none; one that is there keeps its place in the order.
    pub fn insert(&mut self, name: impl Into<Arc<str>>, value: Option<String>) {
        let name = name.into();
        match self.index.get(&name) {
            Some(&at) => {
                let variable = &mut self.entries[at];
                variable.edited = true;
                variable.value = value;
            }
            None => self.push(Variable { name, value, edited: false, origin: None }),
        }
    }

    /// Stores what a provider gave, over what a farther layer gave.
    pub(super) fn provide(&mut self, meta: &Arc<Meta>, value: Option<String>) {
        let meta = Arc::clone(meta);
        match self.index.get(&meta.name) {
            Some(&at) => {
                let variable = &mut self.entries[at];
                variable.value = value;
                if let Some(origin) = &mut variable.origin {
                    origin.shadowed.push(std::mem::replace(&mut origin.meta, meta));
                }
            }
            None => self.push(Variable {
                name: Arc::clone(&meta.name),
                value,
                edited: false,
                origin: Some(Origin { meta, shadowed: Vec::new() }),
            }),
        }
    }

    fn push(&mut self, variable: Variable) {
        self.index.insert(Arc::clone(&variable.name), self.entries.len());
        self.entries.push(variable);
    }

    /// Takes a variable out; references to it are then unknown. Costs a walk over all.
    pub fn remove(&mut self, name: &str) -> Option<Option<String>> {
        let at = self.index.remove(name)?;
        let removed = self.entries.remove(at);
        for (index, variable) in self.entries.iter().enumerate().skip(at) {
            if let Some(place) = self.index.get_mut(&variable.name) {
                *place = index;
            }
        }
        Some(removed.value)
    }

    /// The value of a variable, `Some(None)` where it has none; `None` where there is no such
    /// variable.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Option<&str>> {
        let at = *self.index.get(name)?;
        Some(self.entries[at].value.as_deref())
    }

    /// The names and values, in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, Option<&str>)> {
        self.entries.iter().map(|variable| (&*variable.name, variable.value.as_deref()))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn entries(&self) -> &[Variable] {
        &self.entries
    }
}

impl PartialEq for Variables {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl fmt::Debug for Variables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
