//! Expressions and references: from text to syntax tree (language §4 and §7).

mod calls;
mod failure;
mod headers;
mod parser;
mod reference;
#[cfg(test)]
mod tests;
mod whole;

use std::sync::Arc;

pub(crate) use calls::{
    block_call, block_not_alone, check_calls, check_count, defined_without_name, unknown_function,
};
pub(crate) use headers::{BrokenWith, ForHeader, parse_for, parse_with};
pub(crate) use reference::{Reference, Scan, scan_reference};
pub(crate) use whole::parse_expression;

use super::names::Symbol;
use crate::text::Span;
use crate::value::Value;

/// An expression. Its depth is bounded by the nesting limit of the language, so walking it may
/// recurse.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    /// The expression as written, without blanks around it.
    pub(crate) span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ExprKind {
    Literal(Value),
    Path(Path),
    List(Vec<Expr>),
    /// `f(x, …)`.
    Call(Call),
    /// `x|f(…)|g`: each call gets what stands before it as its first argument.
    Pipe {
        head: Box<Expr>,
        calls: Vec<Call>,
    },
    Not(Box<Expr>),
    Compare {
        op: CompareOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// Operands of `and`, two or more.
    All(Vec<Expr>),
    /// Operands of `or`, two or more.
    Any(Vec<Expr>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CompareOp {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    NotIn,
}

/// `name.key.0`
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Path {
    pub(crate) name: Symbol,
    pub(crate) name_span: Span,
    pub(crate) parts: Vec<PathPart>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PathPart {
    pub(crate) key: Arc<str>,
    /// The key as an index, where it is nothing but digits.
    pub(crate) index: Option<usize>,
    pub(crate) span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Call {
    pub(crate) function: Symbol,
    pub(crate) name_span: Span,
    pub(crate) args: Vec<Expr>,
}

impl Expr {
    /// Visits the expression and all that it consists of, from left to right.
    pub(crate) fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        match &self.kind {
            ExprKind::Literal(_) | ExprKind::Path(_) => {}
            ExprKind::List(parts) | ExprKind::All(parts) | ExprKind::Any(parts) => {
                for part in parts {
                    part.walk(visit);
                }
            }
            ExprKind::Call(call) => {
                for part in &call.args {
                    part.walk(visit);
                }
            }
            ExprKind::Pipe { head, calls } => {
                head.walk(visit);
                for part in calls.iter().flat_map(|call| &call.args) {
                    part.walk(visit);
                }
            }
            ExprKind::Not(inner) => inner.walk(visit),
            ExprKind::Compare { left, right, .. } => {
                left.walk(visit);
                right.walk(visit);
            }
        }
    }

    /// Whether the expression has the same value wherever it stands.
    pub(crate) fn is_constant(&self) -> bool {
        let mut constant = true;
        self.walk(&mut |part| constant &= !matches!(part.kind, ExprKind::Path(_)));
        constant
    }
}
