//! What binds names to expressions: `with a=x, b=y` of an include, and the header of a loop.

use super::Expr;
use super::failure::{self, Failure, found};
use super::parser::{Lines, MAX_LENGTH, Parser};
use crate::diag::{Finding, codes};
use crate::parse::names::{Names, Symbol};
use crate::text::Span;
use crate::value::is_reserved;

/// The variables of `with`: name, its place, expression.
pub(crate) type With = Vec<(Symbol, Span, Expr)>;

/// Why a text is no list of `with` variables.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum BrokenWith {
    /// No `name=`, at this place: what was wrong. The construct is malformed.
    Shape(Span, String),
    /// An expression does not parse, or is over a limit.
    Expression(Box<Finding>),
}

/// Reads `a=x, b=y` from an offset of the text to the end mark of the construct that it stands
/// in (`>>` or `}}`), on one line; gives the offset of the end mark. End marks in quoted texts
/// belong to the expression.
pub(crate) fn parse_with(
    text: &str,
    at: usize,
    end_mark: &'static str,
    names: &mut Names,
) -> Result<(With, usize), BrokenWith> {
    let mark = names.mark();
    let mut parser = Parser::new(text, 0, Lines::End, names);
    parser.at = at;
    let read = bindings(&mut parser, text, end_mark);
    let end = parser.at;
    match read {
        Ok(with) => Ok((with, end)),
        Err(broken) => {
            names.rewind(mark);
            Err(broken)
        }
    }
}

fn bindings(
    parser: &mut Parser<'_, '_>,
    text: &str,
    end_mark: &'static str,
) -> Result<With, BrokenWith> {
    let mut with = With::new();
    loop {
        let (symbol, span) = binding(parser, text)?;
        if with.iter().any(|&(earlier, ..)| earlier == symbol) {
            let message = format!("`{}` is given twice", &text[span.range()]);
            return Err(BrokenWith::Shape(span, message));
        }
        parser.blanks();
        let start = parser.at;
        let broken = |failure: Failure| {
            let whole = Span::at(start, failure.at.max(start));
            BrokenWith::Expression(Box::new(failure.finding(text, 0, whole)))
        };
        let expr = parser.expression().map_err(broken)?;
        let end = parser.end();
        if end - start > MAX_LENGTH {
            let finding = failure::too_long(Span::at(start, end));
            return Err(BrokenWith::Expression(Box::new(finding)));
        }
        with.push((symbol, span, expr));
        parser.blanks();
        if parser.rest().starts_with(end_mark) {
            return Ok(with);
        }
        if !parser.eat(",") {
            let expected = if end_mark == ">>" {
                "an operator, `,` or `>>`"
            } else {
                "an operator, `,` or `}}`"
            };
            return Err(broken(parser.expected(expected)));
        }
    }
}

/// Reads `name=`.
fn binding(parser: &mut Parser<'_, '_>, text: &str) -> Result<(Symbol, Span), BrokenWith> {
    parser.blanks();
    let start = parser.at;
    let shape = |at: usize, message: String| BrokenWith::Shape(Span::at(at, at), message);
    let Some(name) = parser.peek_name() else {
        let message = format!("expected `name=` behind `with`, found {}", found(text, start));
        return Err(shape(start, message));
    };
    let span = Span::at(start, start + name.len());
    if is_reserved(name) {
        return Err(BrokenWith::Shape(span, format!("`{name}` is no name of a variable")));
    }
    parser.advance(name.len());
    parser.blanks();
    if parser.rest().starts_with("==") || !parser.eat("=") {
        let message = format!("expected `=` behind `{name}`, found {}", found(text, parser.at));
        return Err(shape(parser.at, message));
    }
    Ok((parser.intern(name), span))
}

/// `x in expr` or `k, v in expr`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ForHeader {
    /// One name for the items of a list, two for the keys and values of a map.
    pub(crate) names: Vec<(Symbol, Span)>,
    pub(crate) expr: Expr,
}

/// Reads the header of a loop, which is the whole text; `base` is its offset in the document.
///
/// The error is `invalid-expression` at the beginning of the header, or of its expression where that
/// does not parse, or `limit-exceeded` there; it leaves the names as they were.
pub(crate) fn parse_for(
    text: &str,
    base: u32,
    names: &mut Names,
) -> Result<ForHeader, Box<Finding>> {
    let mark = names.mark();
    let mut parser = Parser::new(text, base, Lines::Blank, names);
    parser.blanks();
    let end = text.trim_end_matches([' ', '\t', '\n']).len().max(parser.at);
    let header = header(&mut parser, text, base as usize, end);
    if header.is_err() {
        names.rewind(mark);
    }
    header.map_err(Box::new)
}

fn header(
    parser: &mut Parser<'_, '_>,
    text: &str,
    base: usize,
    end: usize,
) -> Result<ForHeader, Finding> {
    let whole = parser.span(parser.at, end);
    let invalid = |message: String| {
        Finding::new(codes::INVALID_EXPRESSION, whole, message)
            .help("write `for: x in list` or `for: key, value in map`")
    };
    let mut names = Vec::new();
    loop {
        parser.blanks();
        let start = parser.at;
        let Some(name) = parser.peek_name().filter(|name| !is_reserved(name)) else {
            return Err(invalid(format!("expected a name, found {}", found(text, start))));
        };
        parser.advance(name.len());
        let symbol = parser.intern(name);
        if names.iter().any(|&(earlier, _)| earlier == symbol) {
            return Err(invalid(format!("the name `{name}` stands twice")));
        }
        names.push((symbol, parser.span(start, parser.at)));
        parser.blanks();
        if names.len() == 2 || !parser.eat(",") {
            break;
        }
    }
    if !parser.eat_word("in") {
        return Err(invalid(format!("expected `in`, found {}", found(text, parser.at))));
    }
    parser.blanks();
    let start = parser.at;
    if end.saturating_sub(start) > MAX_LENGTH {
        return Err(failure::too_long(parser.span(start, end)));
    }
    let list = parser.span(start, end.max(start));
    let expr = parser.expression().map_err(|failure| failure.finding(text, base, list))?;
    parser.blanks();
    if !parser.is_at_end() {
        return Err(parser.expected("an operator or the end").finding(text, base, list));
    }
    Ok(ForHeader { names, expr })
}
