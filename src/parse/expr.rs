//! Expressions and references: from text to syntax tree (language §4 and §7).

use std::sync::Arc;

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
