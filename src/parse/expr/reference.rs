//! References: `{{path|call|…}}` (language §4).

use super::failure::{self, Failure, Kind};
use super::parser::{Lines, MAX_LENGTH, Parser};
use super::{Expr, ExprKind};
use crate::diag::Finding;
use crate::parse::names::Names;
use crate::text::Span;
use crate::value::is_reserved;

/// A reference: what is printed, and where.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Reference {
    /// The whole construct, with its braces.
    pub(crate) span: Span,
    /// The first name of the path, which is the place of what is wrong with the value.
    pub(crate) name_span: Span,
    /// A path, or a pipe whose head is a path.
    pub(crate) expr: Expr,
}

/// What begins with two braces.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Scan {
    Reference(Reference),
    /// It would be a reference, if its name were not the word at this place, which is no name.
    Reserved(Span),
    /// It is a reference over a limit: `limit-exceeded`.
    Over(Box<Finding>),
    /// The grammar does not match.
    Nothing,
}

/// Reads the reference that begins at an offset of the text, where `{{` stands.
///
/// Only a reference leaves its names in `names`. Reading stops at the first byte that does not
/// fit, at the latest at the end of the line.
pub(crate) fn scan_reference(text: &str, at: usize, names: &mut Names) -> Scan {
    let mark = names.mark();
    let mut parser = Parser::new(text, 0, Lines::End, names);
    if !text.get(at..).is_some_and(|rest| rest.starts_with("{{")) {
        return Scan::Nothing;
    }
    parser.at = at + 2;
    let scan = match read(&mut parser, at) {
        Ok(scan) => scan,
        Err(Failure { at: deep, kind: Kind::TooDeep }) => too_deep(text, at, deep),
        Err(_) => Scan::Nothing,
    };
    if !matches!(scan, Scan::Reference(_)) {
        names.rewind(mark);
    }
    scan
}

fn read(parser: &mut Parser<'_, '_>, at: usize) -> Result<Scan, Failure> {
    let start = parser.at;
    let word = parser.peek_name().ok_or_else(|| parser.expected("a name"))?;
    let path = parser.path(word)?;
    let name_span = path.name_span;
    let mut expr = Expr { kind: ExprKind::Path(path), span: parser.span(start, parser.at) };
    let mut calls = Vec::new();
    while parser.eat("|") {
        calls.push(parser.call()?);
    }
    let end = parser.at;
    if !parser.eat("}}") {
        return Err(parser.expected("`|` or `}}`"));
    }
    let inner = parser.span(start, end);
    if is_reserved(word) && word != "loop" {
        return Ok(Scan::Reserved(name_span));
    }
    if end - start > MAX_LENGTH {
        return Ok(Scan::Over(Box::new(failure::too_long(inner))));
    }
    if !calls.is_empty() {
        expr = Expr { kind: ExprKind::Pipe { head: Box::new(expr), calls }, span: inner };
    }
    Ok(Scan::Reference(Reference { span: parser.span(at, parser.at), name_span, expr }))
}

/// What nests too deep is not read to its end; it is taken for a reference if it could end on its
/// line. The search is bounded, since a line may hold many of these.
fn too_deep(text: &str, at: usize, deep: usize) -> Scan {
    let rest = &text.as_bytes()[deep..];
    let near = &rest[..rest.len().min(MAX_LENGTH)];
    let line = near.split(|&byte| byte == b'\n').next().unwrap_or_default();
    match line.windows(2).position(|pair| pair == b"}}") {
        Some(end) => {
            let whole = Span::at(at + 2, deep + end);
            let failure = Failure { at: deep, kind: Kind::TooDeep };
            Scan::Over(Box::new(failure.finding(text, 0, whole)))
        }
        None => Scan::Nothing,
    }
}
