//! Where texts, values and tools come from: literals, closures, prompts of the engine.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::assembly::Tool;
use super::error::{BoxError, Panicked};
use crate::compile::PromptTree;
use crate::render::RenderOptions;
use crate::section::Include;
use crate::value::Vars;

/// What a provider may return: the thing itself, or a `Result` of it.
///
/// A text may also be returned as `&str`, a variable as `&str` or `String` where it always has a
/// value, and tools as a list.
pub trait Answer<T> {
    /// The thing, or why there is none.
    ///
    /// # Errors
    ///
    /// What the provider returned as its error.
    fn answer(self) -> Result<T, BoxError>;
}

impl<T> Answer<T> for T {
    fn answer(self) -> Result<T, BoxError> {
        Ok(self)
    }
}

impl<T, E: Into<BoxError>> Answer<T> for Result<T, E> {
    fn answer(self) -> Result<T, BoxError> {
        self.map_err(Into::into)
    }
}

impl Answer<String> for &str {
    fn answer(self) -> Result<String, BoxError> {
        Ok(self.to_owned())
    }
}

impl Answer<Option<String>> for &str {
    fn answer(self) -> Result<Option<String>, BoxError> {
        Ok(Some(self.to_owned()))
    }
}

impl Answer<Option<String>> for String {
    fn answer(self) -> Result<Option<String>, BoxError> {
        Ok(Some(self))
    }
}

impl Answer<Tools> for Vec<Tool> {
    fn answer(self) -> Result<Tools, BoxError> {
        Ok(Tools { schemas: self, known: None })
    }
}

/// What a provider of tools returns.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tools {
    /// The tools that are offered this time.
    pub schemas: Vec<Tool>,
    /// The names of all tools there are, hidden ones too, which a tool order may list; the names
    /// of `schemas` where it is `None`.
    pub known: Option<Vec<String>>,
}

/// The text of a section or context: a literal, a closure over the caller's context, or a prompt
/// of the engine.
///
/// Literals and what closures return may hold `{{name}}` for a variable of the assembly, which is
/// put in when the assembly is rendered. A prompt is rendered by the engine, with the variables of
/// the assembly, and what comes out is not read again.
///
/// ```
/// use mdgraft::assemble::{Assembler, Text};
/// use mdgraft::{Engine, MemoryLoader};
///
/// struct Turn {
///     count: u32,
/// }
///
/// let engine = Engine::new(MemoryLoader::from([("rules.md", "# Rules\n\nBe {{tone}}.\n")]));
/// let prompts = Assembler::<Turn>::bare();
/// let _kept = [
///     prompts.section("intro", 0, "You are {{tone}}.")?,
///     prompts.section("count", 1, Text::from_fn(|turn: &Turn| format!("Turn {}.", turn.count)))?,
///     prompts.section("rules", 2, engine.load("rules.md")?)?,
///     prompts.variable("tone", |_| "kind")?,
/// ];
/// let prompt = prompts.assemble(&Turn { count: 3 })?.render_prompt()?;
/// assert_eq!(prompt, "You are kind.\n\nTurn 3.\n\n# Rules\n\nBe kind.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Text<C> {
    pub(super) source: TextSource<C>,
    pub(super) verbatim: bool,
}

pub(super) enum TextSource<C> {
    Literal(Arc<str>),
    Function(Arc<TextFunction<C>>),
    Prompt(Arc<PromptText>),
}

pub(super) type TextFunction<C> = dyn Fn(&C) -> Result<String, BoxError> + Send + Sync;
pub(super) type VariableFunction<C> = dyn Fn(&C) -> Result<Option<String>, BoxError> + Send + Sync;
pub(super) type ToolsFunction<C> = dyn Fn(&C) -> Result<Tools, BoxError> + Send + Sync;

/// A prompt of the engine, and how it is rendered.
pub(super) struct PromptText {
    pub(super) tree: PromptTree,
    pub(super) options: RenderOptions,
    pub(super) vars: Vars,
}

impl<C> Text<C> {
    /// A text that is made for each assembly. The closure returns a `String`, a `&str` or a
    /// `Result` of a `String`.
    pub fn from_fn<A: Answer<String>>(function: impl Fn(&C) -> A + Send + Sync + 'static) -> Self {
        let function = move |context: &C| function(context).answer();
        Self::of(TextSource::Function(Arc::new(function)), false)
    }

    /// The sections of a prompt that a filter selects, as for [`render`](crate::render).
    pub fn prompt(tree: PromptTree, include: impl Into<Include>) -> Self {
        let options = RenderOptions { include: include.into(), ..RenderOptions::default() };
        Self::prompt_with(tree, options, Vars::new())
    }

    /// A prompt with all options, and with values of its own beside the variables of the
    /// assembly: these win.
    #[must_use]
    pub fn prompt_with(tree: PromptTree, options: RenderOptions, vars: Vars) -> Self {
        Self::of(TextSource::Prompt(Arc::new(PromptText { tree, options, vars })), true)
    }

    /// The same text, in which `{{name}}` means nothing.
    #[must_use]
    pub fn verbatim(mut self) -> Self {
        self.verbatim = true;
        self
    }

    fn of(source: TextSource<C>, verbatim: bool) -> Self {
        Self { source, verbatim }
    }

    /// The entry of the prompt that it is rendered from.
    pub(super) fn file(&self) -> Option<Arc<str>> {
        match &self.source {
            TextSource::Prompt(prompt) => Some(prompt.tree.entry().into()),
            _ => None,
        }
    }
}

impl<C> From<&str> for Text<C> {
    fn from(text: &str) -> Self {
        Self::of(TextSource::Literal(text.into()), false)
    }
}

impl<C> From<String> for Text<C> {
    fn from(text: String) -> Self {
        Self::of(TextSource::Literal(text.into()), false)
    }
}

impl<C> From<PromptTree> for Text<C> {
    fn from(tree: PromptTree) -> Self {
        Self::prompt(tree, ())
    }
}

impl<C> fmt::Debug for Text<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            TextSource::Literal(text) => f.debug_tuple("Text").field(text).finish(),
            TextSource::Function(_) => f.write_str("Text(from_fn)"),
            TextSource::Prompt(prompt) => f.debug_tuple("Text").field(&prompt.tree).finish(),
        }
    }
}

/// Calls what is not ours: a panic in it becomes an error.
pub(super) fn guarded<T>(call: impl FnOnce() -> Result<T, BoxError>) -> Result<T, BoxError> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(answer) => answer,
        Err(panic) => Err(Box::new(Panicked(said(&*panic)))),
    }
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".to_owned())
}
