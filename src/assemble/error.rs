//! Why something cannot be registered, assembled or rendered.

use std::fmt;

use crate::diag::Diagnostics;

/// An error of any kind, as providers and listeners return it.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// What a part of an assembly is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum PartKind {
    /// A section of the prompt.
    Section,
    /// A part of the runtime context.
    Context,
    /// The schema of a tool.
    Tool,
    /// A variable.
    Variable,
}

impl PartKind {
    /// The kind as messages and JSON write it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Section => "section",
            Self::Context => "context",
            Self::Tool => "tool",
            Self::Variable => "variable",
        }
    }
}

impl fmt::Display for PartKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why something cannot be registered, assembled or rendered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AssembleError {
    /// The order of a section or context is infinite or no number.
    #[error("prompt {kind} \"{name}\" order must be a finite number")]
    Order {
        /// Section or context.
        kind: PartKind,
        /// Its name.
        name: String,
    },
    /// A name that no variable can have.
    #[error("invalid prompt variable name \"{name}\" (must match /^[a-z][a-z0-9_]*$/)")]
    VariableName {
        /// The name.
        name: String,
    },
    /// The layer has a part of that kind and name.
    #[error("prompt {kind} \"{name}\" is already registered{}", duplicate(*kind, *scoped))]
    Duplicate {
        /// What it is.
        kind: PartKind,
        /// Its name.
        name: String,
        /// Whether the layer is that of a scope.
        scoped: bool,
    },
    /// A tool order names a tool, or the rest entry, more than once.
    #[error("toolOrder lists \"{name}\" more than once")]
    RepeatedTool {
        /// The name.
        name: String,
    },
    /// A tool order does not say where the other tools stand.
    #[error(
        "toolOrder must contain the \"{rest_entry}\" rest entry (where unlisted tools are \
         inserted)"
    )]
    NoRestEntry {
        /// The entry.
        rest_entry: String,
    },
    /// A tool is called as the rest entry is.
    #[error(
        "tool provider returned reserved tool name \"{name}\" (reserved for toolOrder's rest entry)"
    )]
    ReservedTool {
        /// The name.
        name: String,
    },
    /// A tool order names tools that no provider knows.
    #[error("toolOrder lists unregistered {}; known tools: {}", tools(names), list(known))]
    UnknownTools {
        /// The names, in the order of the tool order.
        names: Vec<String>,
        /// The names that are known, sorted.
        known: Vec<String>,
    },
    /// Several sections say that they are all of the prompt.
    #[error("multiple complete prompt sections are active: {}", quoted(names))]
    SeveralComplete {
        /// Their names, in the order of the prompt.
        names: Vec<String>,
    },
    /// A provider returned an error or panicked; tool providers have no name.
    #[error("{} failed: {source}", provider(*kind, name))]
    Provider {
        /// What it was to provide.
        kind: PartKind,
        /// The name of the part.
        name: String,
        /// What it said.
        source: BoxError,
    },
    /// A section or context is a prompt that does not render.
    #[error("prompt {kind} \"{name}\" does not render:\n{diagnostics}")]
    Prompt {
        /// Section or context.
        kind: PartKind,
        /// Its name.
        name: String,
        /// What is wrong, with its places.
        diagnostics: Diagnostics,
    },
    /// A listener returned an error or panicked.
    #[error("a prompt listener failed: {0}")]
    Listener(BoxError),
    /// There are more listeners than may stand around one assembly.
    #[error("more than {limit} assembly listeners are registered")]
    TooManyListeners {
        /// How many there may be.
        limit: usize,
    },
    /// Providers assemble inside of providers without an end.
    #[error("assemblies nest more than {limit} deep: does a provider assemble its own prompt?")]
    Nested {
        /// How deep they may nest.
        limit: usize,
    },
    /// An assembly breaks a rule that [`Assembly::check`](super::Assembly::check) checks.
    #[error("{0}")]
    Invariant(String),
    /// Braces that open no reference but look like one.
    #[error(
        "malformed prompt variable reference at \"{excerpt}…\" in {kind} \"{name}\" (references \
         are complete simple {{{{name}}}} groups)"
    )]
    MalformedReference {
        /// Section or context.
        kind: PartKind,
        /// Its name.
        name: String,
        /// The beginning of the reference.
        excerpt: String,
    },
    /// A reference to what cannot be the name of a variable.
    #[error(
        "malformed prompt variable reference \"{{{{{written}}}}}\" in {kind} \"{name}\" (variable \
         names match /^[a-z][a-z0-9_]*$/)"
    )]
    MalformedName {
        /// Section or context.
        kind: PartKind,
        /// Its name.
        name: String,
        /// What stands between the braces.
        written: String,
    },
    /// A reference to a variable that is not registered.
    #[error(
        "unknown prompt variable \"{{{{{variable}}}}}\" in {kind} \"{name}\"; registered \
         variables: {}{}", list(known), meant(near.as_ref())
    )]
    UnknownVariable {
        /// Section or context.
        kind: PartKind,
        /// Its name.
        name: String,
        /// The variable.
        variable: String,
        /// The variables of the assembly, in the order of their registration.
        known: Vec<String>,
        /// The one that is nearest.
        near: Option<String>,
    },
    /// A reference to a variable that has no value this time.
    #[error(
        "prompt variable \"{{{{{variable}}}}}\" has no value for this assembly ({kind} \"{name}\")"
    )]
    NoValue {
        /// Section or context.
        kind: PartKind,
        /// Its name.
        name: String,
        /// The variable.
        variable: String,
    },
}

/// What a panic said.
#[derive(Debug, thiserror::Error)]
#[error("panicked: {0}")]
pub(super) struct Panicked(pub(super) String);

fn duplicate(kind: PartKind, scoped: bool) -> &'static str {
    match (scoped, kind) {
        (true, _) => " in this scope",
        (false, PartKind::Variable) => {
            " (for a per-agent value, register through that agent's `agent.ctx` instead)"
        }
        (false, _) => {
            " (for a per-agent override, register through that agent's `agent.ctx` instead)"
        }
    }
}

fn provider(kind: PartKind, name: &str) -> String {
    match kind {
        PartKind::Tool => "tool provider".to_owned(),
        kind => format!("prompt {kind} \"{name}\""),
    }
}

fn tools(names: &[String]) -> String {
    let plural = if names.len() == 1 { "tool" } else { "tools" };
    format!("{plural} {}", quoted(names))
}

/// Names as JSON texts, so that a quote in one cannot end it.
fn quoted(names: &[String]) -> String {
    let quoted: Vec<String> =
        names.iter().map(|name| crate::value::Value::from(name).to_json(None)).collect();
    quoted.join(", ")
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "(none)".to_owned() } else { names.join(", ") }
}

fn meant(near: Option<&String>) -> String {
    near.map(|near| format!(" (did you mean \"{{{{{near}}}}}\"?)")).unwrap_or_default()
}
