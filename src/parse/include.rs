//! Include directives: `<<> path | options with a=x>>` and `{{> path}}` (language §5).

use std::sync::Arc;

use super::expr::Expr;
use super::names::{self, Names, Symbol};
use crate::text::Span;

/// One include directive as written.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Include {
    /// The whole construct, from `<<>` or `{{>` to its end mark.
    pub(crate) span: Span,
    pub(crate) path: IncludePath,
    /// `#Section`: the filter entry without the `#`, and its place.
    pub(crate) section: Option<(Arc<str>, Span)>,
    pub(crate) optional: bool,
    pub(crate) keep: bool,
    pub(crate) reading: Reading,
    /// `with` variables: name, its place, expression.
    pub(crate) with: Vec<(Symbol, Span, Expr)>,
}

/// How the included file is read.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Reading {
    Template,
    Raw,
    /// `code` or `code(language)`.
    Code(Option<Arc<str>>),
}

/// The path of an include directive or of `extends`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct IncludePath {
    /// As written, without quotes.
    pub(crate) text: Arc<str>,
    /// Its place, behind the quote of a quoted path.
    pub(crate) span: Span,
    /// In double quotes, so that no glob sign is special.
    pub(crate) quoted: bool,
    /// The references `{{name}}` in it: span of the whole reference, and the name; `None` where
    /// what stands between the braces is more than a plain name.
    pub(crate) references: Vec<(Span, Option<Symbol>)>,
}

/// The path at a span of a text, with the references in it.
pub(crate) fn path(text: &str, span: Span, quoted: bool, names: &mut Names) -> IncludePath {
    let written = &text[span.range()];
    let mut references = Vec::new();
    let mut from = 0;
    while let Some(open) = written[from..].find("{{").map(|at| from + at) {
        let Some(close) = written[open..].find("}}").map(|at| open + at + 2) else { break };
        let inner = &written[open + 2..close - 2];
        let symbol = names::is_name(inner).then(|| names.intern(inner));
        let start = span.start as usize;
        references.push((Span::at(start + open, start + close), symbol));
        from = close;
    }
    IncludePath { text: written.into(), span, quoted, references }
}
