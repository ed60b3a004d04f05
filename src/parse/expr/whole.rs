//! An expression that is the whole of a text.

use super::Expr;
use super::failure::{self, Failure};
use super::parser::{Lines, MAX_LENGTH, Parser};
use crate::diag::Finding;
use crate::parse::names::Names;
use crate::text::Span;

/// Reads a text that is one expression, with blanks and line ends around it; `base` is the offset
/// of the text in its document.
///
/// The error is `invalid-expression` or `limit-exceeded`, at the beginning of the expression, and
/// leaves the names as they were.
pub(crate) fn parse_expression(text: &str, base: u32, names: &mut Names) -> Result<Expr, Finding> {
    let mark = names.mark();
    let mut parser = Parser::new(text, base, Lines::Blank, names);
    parser.blanks();
    let start = parser.at;
    let length = text[start..].trim_end_matches([' ', '\t', '\n']).len();
    if length > MAX_LENGTH {
        return Err(failure::too_long(parser.span(start, start + length)));
    }
    to_the_end(&mut parser).map_err(|failure| {
        names.rewind(mark);
        let offset = base as usize;
        failure.finding(text, offset, Span::at(offset + start, offset + start + length))
    })
}

fn to_the_end(parser: &mut Parser<'_, '_>) -> Result<Expr, Failure> {
    let expr = parser.expression()?;
    parser.blanks();
    if parser.is_at_end() { Ok(expr) } else { Err(parser.expected("an operator or the end")) }
}
