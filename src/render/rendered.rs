//! The rendered prompt: text, warnings, origins, messages and collected blocks.

use std::ops::Range;
use std::sync::Arc;

use super::messages::{self, Message};
use super::output::{FromKind, Run};
use crate::compile::program::Program;
use crate::diag::{Diagnostics, Place};
use crate::parse::directive::RoleName;
use crate::parse::expr::{Expr, ExprKind};
use crate::parse::names::Symbol;
use crate::value::Value;

/// A rendered prompt. It shares nothing with the tree that it was rendered from.
#[derive(Clone, Debug)]
pub struct Rendered {
    text: String,
    warnings: Diagnostics,
    origins: Vec<Origin>,
    roles: Vec<(usize, RoleName)>,
    sections: Vec<RenderedSection>,
    tools: Vec<Value>,
    examples: Vec<String>,
}

/// A run of output with one origin.
#[derive(Clone, Debug)]
#[non_exhaustive]
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
    /// Text of a file, byte for byte.
    Text,
    /// A value: the name of the variable.
    Variable(Arc<str>),
    /// What the engine added: blank lines, prefixes, closers.
    Glue,
}

/// A section of the output.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RenderedSection {
    /// The titles from the top down, as written; empty for the text before the first heading.
    pub path: Vec<String>,
    /// The level of the heading, 0 for the text before the first.
    pub level: u8,
    /// The bytes of the output, from the heading to the next one.
    pub output: Range<usize>,
}

/// What a run of the program gives.
pub(super) struct Parts {
    pub(super) text: String,
    pub(super) runs: Option<Vec<Run>>,
    pub(super) roles: Vec<(usize, RoleName)>,
    pub(super) sections: Vec<(usize, u32)>,
    pub(super) tools: Vec<Value>,
    pub(super) examples: Vec<String>,
}

impl Rendered {
    pub(super) fn new(program: &Program, parts: Parts, warnings: Diagnostics) -> Self {
        let length = parts.text.len();
        let sections = sections(program, &parts.sections, length);
        let origins = parts.runs.map(|runs| origins(program, &runs, length)).unwrap_or_default();
        Self {
            text: parts.text,
            warnings,
            origins,
            roles: parts.roles,
            sections,
            tools: parts.tools,
            examples: parts.examples,
        }
    }

    /// The rendered prompt: it starts with no blank line and ends with one line end, unless it is
    /// empty.
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

    /// Where each byte comes from, in the order of the output and without gaps; empty unless
    /// [`RenderOptions::origins`](crate::RenderOptions::origins) was set.
    #[must_use]
    pub fn origins(&self) -> &[Origin] {
        &self.origins
    }

    /// The text split by section, in order and without gaps.
    #[must_use]
    pub fn sections(&self) -> &[RenderedSection] {
        &self.sections
    }

    /// The prompt as chat messages: one of the system where no directive names a role.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        messages::messages(&self.text, &self.roles)
    }

    /// The function schemas that `tools` blocks declare, one value each.
    #[must_use]
    pub fn tools(&self) -> &[Value] {
        &self.tools
    }

    /// The texts of the `example` blocks, in order.
    #[must_use]
    pub fn examples(&self) -> &[String] {
        &self.examples
    }
}

fn origins(program: &Program, runs: &[Run], length: usize) -> Vec<Origin> {
    let mut origins = Vec::with_capacity(runs.len());
    for (at, run) in runs.iter().enumerate() {
        let end = runs.get(at + 1).map_or(length, |next| next.start);
        if run.start >= end {
            continue;
        }
        let text = &program.texts[run.from.text as usize];
        let mut span = run.from.span;
        let kind = match run.from.kind {
            FromKind::Source => {
                let length = u32::try_from(end - run.start).unwrap_or(u32::MAX);
                span.end = span.start.saturating_add(length);
                OriginKind::Text
            }
            FromKind::Value => OriginKind::Variable(variable(text, span.start)),
            FromKind::Glue => OriginKind::Glue,
        };
        let place = program.place(run.from.text, span);
        let chain = program.chain(run.from.instance);
        origins.push(Origin { output: run.start..end, kind, place, chain });
    }
    origins
}

/// The name of the variable of the reference at an offset.
fn variable(text: &crate::compile::program::Text, at: u32) -> Arc<str> {
    let references = &text.document.body.references;
    let found = references.binary_search_by_key(&at, |reference| reference.span.start);
    let name = found.ok().and_then(|index| subject(&references[index].expr));
    name.map_or_else(|| Arc::from(""), |symbol| Arc::clone(text.document.names.name(symbol)))
}

fn subject(expr: &Expr) -> Option<Symbol> {
    match &expr.kind {
        ExprKind::Path(path) => Some(path.name),
        ExprKind::Pipe { head, .. } => subject(head),
        _ => None,
    }
}

fn sections(program: &Program, starts: &[(usize, u32)], length: usize) -> Vec<RenderedSection> {
    let first = starts.first().map_or(length, |&(start, _)| start.min(length));
    let mut sections = Vec::with_capacity(starts.len() + 1);
    if first > 0 {
        sections.push(RenderedSection { path: Vec::new(), level: 0, output: 0..first });
    }
    for (at, &(start, id)) in starts.iter().enumerate() {
        let end = starts.get(at + 1).map_or(length, |&(next, _)| next.min(length));
        let section = &program.placement.sections[id as usize];
        let mut path = Vec::new();
        let mut above = Some(section);
        while let Some(section) = above {
            path.push(program.title(section).to_owned());
            above = section.parent.map(|parent| &program.placement.sections[parent as usize]);
        }
        path.reverse();
        sections.push(RenderedSection { path, level: section.level, output: start.min(end)..end });
    }
    sections
}
