//! Evaluation of expressions over borrowed values (language §4 and §7).
//!
//! It is total: an expression has a value or one finding. It recurses no deeper than the parser
//! allows expressions to nest.

mod calls;
mod compare;
mod path;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use crate::diag::{Finding, codes};
use crate::functions::{Function, Functions};
use crate::parse::expr::{Expr, ExprKind};
use crate::parse::names::Symbol;
use crate::text::Span;
use crate::value::{Value, settle};

/// Where the names of a document have their meaning while it is rendered.
pub(crate) trait Scope {
    /// What a name is bound to. A declared input that is null counts as not given, unless its
    /// type is `any`, and is bound to nothing; `loop` is bound to the round of the innermost loop
    /// and never to a given value.
    fn lookup(&self, name: Symbol) -> Option<Bound<'_>>;

    /// The function of a name.
    fn function(&self, name: Symbol) -> Option<&Function>;

    /// Whether a name without value is a declared input.
    fn is_declared(&self, name: Symbol) -> bool;

    /// The text of the document that the expressions come from.
    fn source(&self) -> &str;

    /// The names that have a value, for suggestions.
    fn names(&self) -> Vec<&str>;

    /// All functions, for suggestions.
    fn functions(&self) -> &Functions;

    /// Whether suggestions are still sought.
    fn suggests(&self) -> bool;
}

/// What a name is bound to.
#[derive(Clone, Copy)]
pub(crate) enum Bound<'a> {
    Value(&'a Value),
    Round(Round),
}

/// A round of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Round {
    /// Counted from 1.
    pub(crate) index: usize,
    /// How many rounds there are.
    pub(crate) length: usize,
}

/// What an evaluation takes place in.
pub(crate) struct Context<'s, S> {
    pub(crate) scope: &'s S,
    /// The bytes that a function may make.
    pub(crate) bytes: usize,
    /// The reference or directive that the expression stands in: the place of `limit-exceeded`.
    pub(crate) construct: Span,
}

impl<S> Clone for Context<'_, S> {
    fn clone(&self) -> Self {
        Self { scope: self.scope, bytes: self.bytes, construct: self.construct }
    }
}

impl<S> Context<'_, S> {
    /// The context of what is evaluated while this value is kept, so that what an expression
    /// makes never takes more room than the output, however many parts it has.
    #[expect(clippy::ptr_arg, reason = "only an owned value takes room")]
    fn beside(&self, kept: &Cow<'_, Value>) -> Self {
        let made = match kept {
            Cow::Borrowed(_) => 0,
            Cow::Owned(value) => made_bytes(value),
        };
        Self { bytes: self.bytes.saturating_sub(made), ..self.clone() }
    }
}

/// The bytes of a value that nothing else shares: those that the expression has made.
fn made_bytes(value: &Value) -> usize {
    match value {
        Value::Text(text) if Arc::strong_count(text) == 1 => text.len(),
        Value::List(items) if Arc::strong_count(items) == 1 => {
            size_of_val(&**items) + items.iter().map(made_bytes).sum::<usize>()
        }
        _ => 0,
    }
}

/// What stopped an evaluation. Boxed, since it is rare and large.
pub(crate) type Fault = Box<Finding>;

/// The value of an expression. A path, a literal and a default are borrowed.
pub(crate) fn evaluate<'a, S: Scope>(
    expr: &'a Expr,
    context: &Context<'a, S>,
) -> Result<Cow<'a, Value>, Fault> {
    match &expr.kind {
        ExprKind::Literal(value) => Ok(Cow::Borrowed(value)),
        ExprKind::Path(path) => path::evaluate(path, context),
        ExprKind::List(parts) => list(parts, context).map(Cow::Owned),
        ExprKind::Call(call) => calls::call(call, None, context, false),
        ExprKind::Pipe { head, calls } => calls::pipe(head, calls, context, false),
        ExprKind::Not(_) | ExprKind::Compare { .. } | ExprKind::All(_) | ExprKind::Any(_) => {
            Ok(Cow::Owned(Value::Boolean(condition(expr, context)?)))
        }
    }
}

/// Whether a condition holds.
pub(crate) fn condition<'a, S: Scope>(
    expr: &'a Expr,
    context: &Context<'a, S>,
) -> Result<bool, Fault> {
    match &expr.kind {
        ExprKind::All(parts) => {
            for part in parts {
                if !condition(part, context)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        ExprKind::Any(parts) => {
            for part in parts {
                if condition(part, context)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        ExprKind::Not(inner) => Ok(!condition(inner, context)?),
        ExprKind::Compare { op, left, right } => {
            compare::compare(expr.span, *op, left, right, context)
        }
        _ => match &*evaluate(expr, context)? {
            Value::Boolean(value) => Ok(*value),
            Value::Null => Ok(false),
            Value::List(items) => Ok(!items.is_empty()),
            Value::Map(entries) => Ok(!entries.is_empty()),
            value => Err(Box::new(not_a_condition(expr, value, context.scope.source()))),
        },
    }
}

/// What a reference prints; `mid_line` says that a letter stands before it on its line of the
/// output, so that its first line opens no block.
pub(crate) fn print<'a, S: Scope>(
    expr: &'a Expr,
    context: &Context<'a, S>,
    mid_line: bool,
) -> Result<Printed<'a>, Fault> {
    let value = match &expr.kind {
        ExprKind::Pipe { head, calls } => calls::pipe(head, calls, context, mid_line)?,
        _ => evaluate(expr, context)?,
    };
    let printed = match &value {
        Cow::Borrowed(value) => value.printed().map(|text| match text {
            Cow::Borrowed(text) => Printed::Borrowed(text),
            Cow::Owned(text) => Printed::Owned(text),
        }),
        Cow::Owned(Value::Text(text)) => Some(Printed::Shared(Arc::clone(text))),
        Cow::Owned(value) => value.printed().map(|text| Printed::Owned(text.into_owned())),
    };
    printed.ok_or_else(|| Box::new(not_printable(expr, &value, context.scope.source())))
}

/// The text that a reference prints.
#[derive(Clone, Debug)]
pub(crate) enum Printed<'a> {
    Borrowed(&'a str),
    Shared(Arc<str>),
    Owned(String),
}

impl Deref for Printed<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Shared(text) => text,
            Self::Owned(text) => text,
        }
    }
}

/// What a loop runs over. Cheap to clone.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Items {
    /// The items of a list, for a loop with one name.
    List(Arc<[Value]>),
    /// The keys and values of a map, for a loop with two names.
    Map(Arc<BTreeMap<Arc<str>, Value>>),
}

/// What a loop with this number of names runs over.
pub(crate) fn items<'a, S: Scope>(
    expr: &'a Expr,
    names: usize,
    context: &Context<'a, S>,
) -> Result<Items, Fault> {
    let value = evaluate(expr, context)?;
    let (message, help) = match (&*value, names) {
        (Value::List(items), 1) => return Ok(Items::List(Arc::clone(items))),
        (Value::Map(entries), 2) => return Ok(Items::Map(Arc::clone(entries))),
        (Value::Map(_), _) => ("a map is walked with two names", "write `for: key, value in …`"),
        (Value::List(_), _) => ("a list is walked with one name", "write `for: item in …`"),
        _ => ("a loop runs over a list or a map", "give a list, or ask with `if` before"),
    };
    let source = shown(context.scope.source(), expr.span);
    let message = format!("`{source}` is {}, and {message}", value.described());
    Err(Box::new(Finding::new(codes::NOT_ITERABLE, expr.span, message).help(help)))
}

fn list<'a, S: Scope>(parts: &'a [Expr], context: &Context<'a, S>) -> Result<Value, Fault> {
    let mut items = Vec::with_capacity(parts.len());
    let mut context = context.clone();
    for part in parts {
        let item = evaluate(part, &context)?;
        context = context.beside(&item);
        items.push(item.into_owned());
    }
    let holds_more = items.iter().any(|item| matches!(item, Value::List(_) | Value::Map(_)));
    let list = Value::List(items.into());
    if !holds_more {
        return Ok(list);
    }
    settle(list).map_err(|error| {
        Box::new(Finding::new(codes::LIMIT_EXCEEDED, context.construct, error.to_string()))
    })
}

fn not_a_condition(expr: &Expr, value: &Value, source: &str) -> Finding {
    let text = shown(source, expr.span);
    let comparison = if matches!(value, Value::Text(_)) { " != \"\"" } else { " > 0" };
    let message = format!("`{text}` is {}, and a condition is true or false", value.described());
    let end = Span::new(expr.span.end, expr.span.end);
    Finding::new(codes::NOT_A_CONDITION, expr.span, message)
        .help(format!("write `{text}{comparison}`"))
        .edit(end, comparison)
}

fn not_printable(expr: &Expr, value: &Value, source: &str) -> Finding {
    let text = shown(source, expr.span);
    let message = format!("`{text}` is {}, which cannot be printed", value.described());
    let finding = Finding::new(codes::NOT_PRINTABLE, expr.span, message);
    let end = Span::new(expr.span.end, expr.span.end);
    let joins = |items: &[Value]| items.iter().all(|item| item.printed().is_some());
    match value {
        Value::List(items) if joins(items) => finding
            .help(format!("write `{{{{{text}|join(\", \")}}}}` or `{{{{{text}|json}}}}`"))
            .edit(end, "|join(\", \")"),
        Value::List(_) | Value::Map(_) => {
            finding.help(format!("write `{{{{{text}|json}}}}`")).edit(end, "|json")
        }
        _ => finding.help(format!("give a value, or write `{{{{{text}|default(\"…\")}}}}`")),
    }
}

/// The text of a span on one line, for a message.
fn shown(source: &str, span: Span) -> Cow<'_, str> {
    let text = source.get(span.range()).unwrap_or_default();
    if text.contains('\n') {
        Cow::Owned(text.split_whitespace().collect::<Vec<&str>>().join(" "))
    } else {
        Cow::Borrowed(text)
    }
}
