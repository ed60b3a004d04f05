//! What the fuzz targets look at, and nobody else: the stages below the public API. No part of
//! the API; it may change in any release.

use crate::diag::Finding;
use crate::parse::expr::{Expr, Scan, parse_expression, scan_reference};
use crate::parse::markdown::{self, BlockKind};
use crate::parse::names::Names;
use crate::parse::{self, Mode};
use crate::text::{Source, Span};

/// A parsed text.
#[derive(Debug)]
pub struct Parsed {
    /// The text.
    pub source: Source,
    /// Where the body begins.
    pub body: u32,
    /// The pieces of the body, in order.
    pub pieces: Vec<Span>,
    /// All other spans: those of findings and their edits, of expressions, headings, fences and
    /// blocks.
    pub spans: Vec<Span>,
    /// Where the findings stand, and their codes, in order.
    pub findings: Vec<(u32, &'static str)>,
}

/// Parses bytes as a template, or, if `raw`, as a text that is printed as it is.
#[must_use]
pub fn parse(bytes: &[u8], raw: bool) -> Parsed {
    let mode = if raw { Mode::Raw } else { Mode::Template };
    let document = parse::parse(Source::new(bytes), mode);
    let body = &document.body;
    let mut spans = Vec::new();
    spans.extend(body.findings.iter().flat_map(spans_of_finding));
    for mark in &body.references {
        spans.push(mark.span);
        spans.extend(spans_of(&mark.expr));
    }
    spans.extend(body.include_marks.iter().map(|mark| mark.before));
    spans.extend(body.headings.iter().map(|mark| mark.span));
    spans.extend(body.fences.iter().flat_map(|mark| [mark.span, mark.content]));
    spans.extend(body.blocks.iter().map(|mark| mark.span));
    spans.extend(body.open_end.iter().map(|open| open.span));
    Parsed {
        body: document.front.body,
        pieces: body.items.iter().map(|item| item.span).collect(),
        findings: body.findings.iter().map(|it| (it.span.start, it.code.as_str())).collect(),
        spans,
        source: document.source,
    }
}

/// What reading an expression or a reference gives: all of its spans, or those of what was wrong;
/// the code of that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    /// The spans, those of parts behind the whole's.
    pub spans: Vec<Span>,
    /// Why it does not read.
    pub code: Option<&'static str>,
}

/// Reads a text that is one expression.
#[must_use]
pub fn expression(text: &str) -> Read {
    match parse_expression(text, 0, &mut Names::default()) {
        Ok(expr) => Read { spans: spans_of(&expr), code: None },
        Err(finding) => of_finding(&finding),
    }
}

/// Reads the reference that a text begins with; `None` where it begins with none.
#[must_use]
pub fn reference(text: &str) -> Option<Read> {
    match scan_reference(text, 0, &mut Names::default()) {
        Scan::Reference(reference) => {
            let mut spans = vec![reference.span, reference.name_span];
            spans.extend(spans_of(&reference.expr));
            Some(Read { spans, code: None })
        }
        Scan::Over(finding) => Some(of_finding(&finding)),
        Scan::Reserved(_) | Scan::Nothing => None,
    }
}

/// A heading of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// The offset of its first line.
    pub start: usize,
    /// The text without marks.
    pub title: String,
}

/// The outline of a text: its headings outside of containers, as `CommonMark` has them.
#[must_use]
pub fn outline(text: &str) -> Vec<Heading> {
    let structure = markdown::parse(text);
    let top = structure.blocks.iter().filter(|block| block.container.is_none());
    top.filter_map(|block| match &block.kind {
        BlockKind::Heading(heading) => Some(Heading {
            level: heading.level,
            start: structure.lines.start(block.first_line) as usize,
            title: heading.title.clone(),
        }),
        _ => None,
    })
    .collect()
}

fn of_finding(finding: &Finding) -> Read {
    Read { spans: spans_of_finding(finding).collect(), code: Some(finding.code.as_str()) }
}

fn spans_of_finding(finding: &Finding) -> impl Iterator<Item = Span> {
    std::iter::once(finding.span).chain(finding.edit.as_ref().map(|(span, _)| *span))
}

fn spans_of(expr: &Expr) -> Vec<Span> {
    let mut spans = Vec::new();
    expr.walk(&mut |part| spans.push(part.span));
    spans
}
