//! The fourth stage: a [`PromptTree`], variables and a filter to text.

mod eval;

use std::ops::Range;
use std::sync::Arc;

use crate::compile::PromptTree;
use crate::diag::{Diagnostics, Place};
use crate::section::Include;
use crate::value::Vars;

/// What a value that changes the outline is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Guard {
    /// The warning `value-changes-outline`.
    #[default]
    Warn,
    /// The error `value-changes-outline`.
    Error,
}

/// How a tree is rendered.
#[derive(Clone, Debug, Default)]
pub struct RenderOptions {
    /// Which sections; all if empty.
    pub include: Include,
    /// Print the heading lines above selected sections.
    pub ancestors: bool,
    /// The canonical form: heading, text and sub-sections one blank line apart.
    pub tidy: bool,
    /// What a value that changes the outline is.
    pub guard: Guard,
    /// Record where each byte of the output comes from.
    pub origins: bool,
}

/// A rendered prompt.
#[derive(Clone, Debug)]
pub struct Rendered {
    text: String,
    warnings: Diagnostics,
}

/// A run of output with one origin.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The bytes of the output.
    pub output: Range<usize>,
    /// What they are.
    pub kind: OriginKind,
    /// Where they come from: the text itself, or the reference or directive they come from.
    pub place: Place,
    /// The include directives that led there, the outermost first.
    pub chain: Vec<Place>,
}

/// What a run of output is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OriginKind {
    /// Text of a file.
    Text,
    /// A value: the name of the variable.
    Variable(Arc<str>),
    /// What the engine added: blank lines, prefixes, closers.
    Glue,
}

/// Who speaks in a chat message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The instructions.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// The role as chat APIs write it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// A chat message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: String,
}

/// Renders the sections that `include` selects.
///
/// # Errors
///
/// All diagnostics of the render, if one of them is an error.
pub fn render(
    tree: &PromptTree,
    vars: &Vars,
    include: impl Into<Include>,
) -> Result<Rendered, Diagnostics> {
    render_with(tree, vars, &RenderOptions { include: include.into(), ..RenderOptions::default() })
}

/// Renders with all options.
///
/// # Errors
///
/// All diagnostics of the render, if one of them is an error.
pub fn render_with(
    tree: &PromptTree,
    vars: &Vars,
    options: &RenderOptions,
) -> Result<Rendered, Diagnostics> {
    let _ = (tree, vars, options);
    Ok(Rendered { text: String::new(), warnings: Diagnostics::default() })
}

impl Rendered {
    /// The rendered prompt.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The rendered prompt, without a copy.
    #[must_use]
    pub fn into_text(self) -> String {
        self.text
    }

    /// What loading and rendering warned of.
    #[must_use]
    pub fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    /// Where each byte comes from; empty unless [`RenderOptions::origins`] was set.
    #[must_use]
    pub fn origins(&self) -> &[Origin] {
        &[]
    }

    /// The prompt as chat messages.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        Vec::new()
    }
}
