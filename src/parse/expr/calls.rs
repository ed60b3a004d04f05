//! What can be said about calls without any value.

use super::{Call, Expr, ExprKind};
use crate::diag::{Finding, codes, near};
use crate::functions::{Body, Function, Functions};
use crate::text::Span;

/// All unknown functions and wrong numbers of arguments in an expression of a document with this
/// text.
pub(crate) fn check_calls(expr: &Expr, text: &str, functions: &Functions) -> Vec<Finding> {
    let mut findings = Vec::new();
    expr.walk(&mut |part| match &part.kind {
        ExprKind::Call(call) => findings.extend(check(call, Subject::None, text, functions)),
        ExprKind::Pipe { head, calls } => {
            let mut subject = Subject::Expr(head);
            for call in calls {
                findings.extend(check(call, subject, text, functions));
                subject = Subject::Made;
            }
        }
        _ => {}
    });
    findings
}

/// The first function of a reference that makes a block, which must stand alone on its line.
pub(crate) fn block_call<'a>(
    expr: &'a Expr,
    text: &str,
    functions: &Functions,
) -> Option<&'a Call> {
    let ExprKind::Pipe { calls, .. } = &expr.kind else { return None };
    let makes_a_block = |call: &&Call| {
        let name = &text[call.name_span.range()];
        functions.get(name).is_some_and(Function::makes_a_block)
    };
    calls.iter().find(makes_a_block)
}

/// The finding of a block in the middle of a line.
pub(crate) fn block_not_alone(call: &Call, text: &str) -> Finding {
    let name = &text[call.name_span.range()];
    let message = format!("`{name}` makes a block, and other text stands on the line");
    Finding::new(codes::WRONG_ARGUMENT, call.name_span, message)
        .help("put the reference on a line of its own")
}

/// What stands before the bar of `x|f`.
#[derive(Clone, Copy)]
enum Subject<'a> {
    /// There is no bar.
    None,
    Expr(&'a Expr),
    /// What another call makes.
    Made,
}

fn check(call: &Call, subject: Subject<'_>, text: &str, functions: &Functions) -> Option<Finding> {
    let name = &text[call.name_span.range()];
    let Some(function) = functions.get(name) else {
        return Some(unknown_function(name, call.name_span, functions));
    };
    let finding = check_count(call, function, !matches!(subject, Subject::None));
    if finding.is_some() || !matches!(function.body, Body::Defined) {
        return finding;
    }
    let asked = match subject {
        Subject::None => call.args.first(),
        Subject::Expr(expr) => Some(expr),
        Subject::Made => None,
    };
    (!asked.is_some_and(is_path)).then(|| defined_without_name(call))
}

/// The finding of a call of what is no function.
pub(crate) fn unknown_function(name: &str, span: Span, functions: &Functions) -> Finding {
    let finding = Finding::new(codes::UNKNOWN_FUNCTION, span, format!("unknown function `{name}`"));
    if let Some(near) = near::nearest(name, functions.names()) {
        return finding.help(format!("did you mean `{near}`?")).edit(span, near);
    }
    let names: Vec<&str> = functions.names().collect();
    finding.help(format!("the functions are {}", names.join(", ")))
}

/// The finding of a wrong number of arguments, if it is wrong.
pub(crate) fn check_count(call: &Call, function: &Function, piped: bool) -> Option<Finding> {
    let subject = usize::from(piped);
    if function.arity.contains(&(call.args.len() + subject)) {
        return None;
    }
    let least = function.arity.start().saturating_sub(subject);
    let most = function.arity.end().saturating_sub(subject);
    let takes = match (least, most) {
        (0, 0) => "no argument".to_owned(),
        (1, 1) => "1 argument".to_owned(),
        _ if least == most => format!("{least} arguments"),
        _ => format!("{least} to {most} arguments"),
    };
    let given = call.args.len();
    let message = format!("`{}` takes {takes} in brackets, and here are {given}", function.name);
    let finding = Finding::new(codes::WRONG_ARGUMENT, call.name_span, message);
    Some(match function.usage {
        Some(usage) => finding.help(format!("write it like `{usage}`")),
        None => finding,
    })
}

/// The finding of `defined` on what is no name.
pub(crate) fn defined_without_name(call: &Call) -> Finding {
    let message = "`defined` takes a name, with or without keys, and nothing else";
    Finding::new(codes::WRONG_ARGUMENT, call.name_span, message)
        .help("write it like `defined(user.name)`")
}

fn is_path(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Path(_))
}
