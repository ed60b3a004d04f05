//! Calls of functions.

use std::borrow::Cow;

use super::path::resolve;
use super::{Context, Fault, Scope, evaluate};
use crate::diag::{Finding, codes};
use crate::functions::{Body, Failure, Function, Room};
use crate::parse::expr::{
    Call, Expr, ExprKind, check_count, defined_without_name, unknown_function,
};
use crate::value::Value;

/// What a call has before its bar.
pub(super) enum Subject<'a> {
    Expr(&'a Expr),
    Made(Cow<'a, Value>),
}

/// `x|f|g`: what the last call makes. `mid_line` is meant for the last one only.
pub(super) fn pipe<'a, S: Scope>(
    head: &'a Expr,
    calls: &'a [Call],
    context: &Context<'a, S>,
    mid_line: bool,
) -> Result<Cow<'a, Value>, Fault> {
    let Some((last, calls)) = calls.split_last() else { return evaluate(head, context) };
    let mut subject = Subject::Expr(head);
    for inner in calls {
        subject = Subject::Made(call(inner, Some(subject), context, false)?);
    }
    call(last, Some(subject), context, mid_line)
}

/// What a function makes of its subject, if it has one, and its arguments.
pub(super) fn call<'a, S: Scope>(
    call: &'a Call,
    subject: Option<Subject<'a>>,
    context: &Context<'a, S>,
    mid_line: bool,
) -> Result<Cow<'a, Value>, Fault> {
    let scope = context.scope;
    let Some(function) = scope.function(call.function) else {
        let name = super::shown(scope.source(), call.name_span);
        return Err(Box::new(unknown_function(&name, call.name_span, scope.functions())));
    };
    if let Some(finding) = check_count(call, function, subject.is_some()) {
        return Err(Box::new(finding));
    }
    match function.body {
        Body::Default => default(call, subject, context),
        Body::Defined => defined(call, subject, context),
        Body::Plain(_) | Body::Host(_) => {
            let room = Room { bytes: context.bytes, mid_line };
            apply(call, function, subject, context, room).map(Cow::Owned)
        }
    }
}

fn default<'a, S: Scope>(
    call: &'a Call,
    subject: Option<Subject<'a>>,
    context: &Context<'a, S>,
) -> Result<Cow<'a, Value>, Fault> {
    let (subject, fallback) = match (subject, &*call.args) {
        (Some(subject), [fallback]) => (subject, fallback),
        (None, [subject, fallback]) => (Subject::Expr(subject), fallback),
        _ => return Ok(Cow::Owned(Value::Null)),
    };
    let value = match subject {
        Subject::Made(value) => Some(value),
        Subject::Expr(Expr { kind: ExprKind::Path(path), .. }) => resolve(path, context.scope).ok(),
        Subject::Expr(expr) => Some(evaluate(expr, context)?),
    };
    match value {
        Some(value) if *value != Value::Null => Ok(value),
        _ => evaluate(fallback, context),
    }
}

fn defined<'a, S: Scope>(
    call: &'a Call,
    subject: Option<Subject<'a>>,
    context: &Context<'a, S>,
) -> Result<Cow<'a, Value>, Fault> {
    let asked = match (subject, &*call.args) {
        (Some(Subject::Expr(expr)), []) | (None, [expr]) => &expr.kind,
        _ => return Err(Box::new(defined_without_name(call))),
    };
    let ExprKind::Path(path) = asked else {
        return Err(Box::new(defined_without_name(call)));
    };
    let found = resolve(path, context.scope).is_ok_and(|value| *value != Value::Null);
    Ok(Cow::Owned(Value::Boolean(found)))
}

fn apply<'a, S: Scope>(
    call: &'a Call,
    function: &Function,
    subject: Option<Subject<'a>>,
    context: &Context<'a, S>,
    room: Room,
) -> Result<Value, Fault> {
    let subject = match subject {
        Some(Subject::Expr(expr)) => Some(evaluate(expr, context)?),
        Some(Subject::Made(value)) => Some(value),
        None => None,
    };
    let made = match (subject, &*call.args) {
        // The usual `x|f` does without a list of arguments.
        (Some(subject), []) => function.call(&[subject], room),
        (subject, args) => {
            let mut values = Vec::with_capacity(args.len() + 1);
            values.extend(subject);
            let mut context = values.first().map_or(context.clone(), |kept| context.beside(kept));
            for arg in args {
                let value = evaluate(arg, &context)?;
                context = context.beside(&value);
                values.push(value);
            }
            function.call(&values, room)
        }
    };
    made.map_err(|failure| {
        let name = &function.name;
        Box::new(match failure {
            Failure::Wrong(reason) => {
                let message = format!("`{name}` {reason}");
                Finding::new(codes::WRONG_ARGUMENT, call.name_span, message)
            }
            Failure::Full => {
                let message = format!("`{name}` makes more than the output may hold");
                Finding::new(codes::LIMIT_EXCEEDED, context.construct, message)
            }
        })
    })
}
