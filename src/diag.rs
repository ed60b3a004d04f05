//! Diagnostics: what was wrong, where, and how to mend it.

pub(crate) mod codes;
mod diff;
pub(crate) mod escape;
mod excerpt;
mod fix;
mod json;
pub(crate) mod near;
mod pages;
mod print;
#[cfg(test)]
mod sample;
mod short;

use std::fmt;
use std::sync::Arc;

pub use codes::Code;
pub use fix::{Edited, apply_edits};
pub(crate) use json::escape_json;
pub use pages::explain;
pub use print::Human;
pub use short::Github;

use crate::text::{Position, Source, Span};

/// How bad a diagnostic is: an error stops rendering, a warning travels with the result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// There is no output.
    Error,
    /// There is an output, which may not be what was meant.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

/// A place in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The path of the file from its root, with `/`; a file of a named root is `@name/path`.
    pub file: Arc<str>,
    /// The text of the file.
    pub source: Source,
    /// The part of the text that is meant; may be empty.
    pub span: Span,
}

impl Place {
    /// The line and column of the first character.
    #[must_use]
    pub fn position(&self) -> Position {
        self.source.position(self.span.start)
    }

    /// The line and column behind the last character.
    #[must_use]
    pub fn end(&self) -> Position {
        self.source.position(self.span.end)
    }
}

/// An edit that mends a diagnostic: the text of `place` becomes `text`.
#[derive(Clone, Debug)]
pub struct Edit {
    /// What is replaced.
    pub place: Place,
    /// What it becomes.
    pub text: String,
}

/// One thing that was wrong.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The permanent name of what was wrong.
    pub code: Code,
    /// Error or warning.
    pub severity: Severity,
    /// One line that can be acted on: lower case, no full stop, names in backticks.
    pub message: String,
    /// Where.
    pub place: Place,
    /// Other places that matter, each with a word on why.
    pub related: Vec<(Place, String)>,
    /// The include directives that led to the file, the outermost first.
    pub chain: Vec<Place>,
    /// An instruction or a question.
    pub help: Option<String>,
    /// The edit that mends it, where it can be applied mechanically.
    pub edit: Option<Edit>,
}

impl Diagnostic {
    fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// What a stage that knows one text only found wrong; [`Finding::at`] gives it a file.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Finding {
    pub(crate) code: Code,
    pub(crate) severity: Severity,
    pub(crate) span: Span,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    /// The span to replace, and with what.
    pub(crate) edit: Option<(Span, String)>,
    /// A place in another file that matters, with a word on why.
    pub(crate) related: Option<Box<(Place, &'static str)>>,
}

impl Finding {
    /// A finding with the usual severity of its code.
    pub(crate) fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        let severity = code.severity();
        Self {
            code,
            severity,
            span,
            message: message.into(),
            help: None,
            edit: None,
            related: None,
        }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn edit(mut self, span: Span, text: impl Into<String>) -> Self {
        self.edit = Some((span, text.into()));
        self
    }

    pub(crate) fn related(mut self, place: Place, why: &'static str) -> Self {
        self.related = Some(Box::new((place, why)));
        self
    }

    pub(crate) fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// The diagnostic of this finding in a file.
    pub(crate) fn at(self, file: &Arc<str>, source: &Source, chain: Vec<Place>) -> Diagnostic {
        let place = |span| Place { file: Arc::clone(file), source: source.clone(), span };
        Diagnostic {
            code: self.code,
            severity: self.severity,
            message: self.message,
            place: place(self.span),
            related: self
                .related
                .map(|related| (related.0, related.1.to_owned()))
                .into_iter()
                .collect(),
            chain,
            help: self.help,
            edit: self.edit.map(|(span, text)| Edit { place: place(span), text }),
        }
    }
}

/// All that was found wrong, in defined order: files as they are first reached, then position,
/// then code. At most 1,000 are kept, and the rest is counted.
///
/// It is an error that can be returned and printed like any other. Its forms:
///
/// - [`Display`](fmt::Display), and `Debug`, with which a program that fails shows it: one line
///   for each, `path:line:column: severity[code]: message`;
/// - [`human`](Self::human): with excerpts, for people at a terminal;
/// - [`json`](Self::json): for programs;
/// - [`github`](Self::github): for the workflows of GitHub.
#[derive(Clone, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    more: usize,
    /// Whether one of those that are only counted is an error.
    more_errors: bool,
}

impl Diagnostics {
    /// How many are kept.
    pub(crate) const MOST: usize = 1_000;

    /// Keeps diagnostics that are already in order; those past the thousandth are counted only.
    pub(crate) fn from_sorted(mut list: Vec<Diagnostic>) -> Self {
        let rest = list.get(Self::MOST..).unwrap_or_default();
        let (more, more_errors) = (rest.len(), rest.iter().any(Diagnostic::is_error));
        list.truncate(Self::MOST);
        Self { list, more, more_errors }
    }

    /// Counts some that were not kept.
    pub(crate) fn and_more(mut self, more: usize, errors: bool) -> Self {
        self.more += more;
        self.more_errors |= errors;
        self
    }

    /// The diagnostics, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// How many were found, those that are only counted too.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len() + self.more
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many were found past the first thousand, which are counted only.
    #[must_use]
    pub fn more(&self) -> usize {
        self.more
    }

    /// Whether one of them is an error, also of those that are only counted.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.more_errors || self.list.iter().any(Diagnostic::is_error)
    }
}

impl std::error::Error for Diagnostics {}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
