//! Comparisons. Nothing is converted: different types are a mistake, and not unequal.

use std::cmp::Ordering;

use super::{Context, Fault, Scope, evaluate};
use crate::diag::{Finding, codes};
use crate::parse::expr::{CompareOp, Expr, ExprKind};
use crate::text::Span;
use crate::value::{Value, compare_numbers, equal};

pub(super) fn compare<'a, S: Scope>(
    span: Span,
    op: CompareOp,
    left: &'a Expr,
    right: &'a Expr,
    context: &Context<'a, S>,
) -> Result<bool, Fault> {
    let first = evaluate(left, context)?;
    let second = evaluate(right, &context.beside(&first))?;
    let holds = match op {
        CompareOp::Equal => is_equal(&first, &second),
        CompareOp::NotEqual => is_equal(&first, &second).map(|same| !same),
        CompareOp::Less => order(&first, &second).map(Ordering::is_lt),
        CompareOp::LessOrEqual => order(&first, &second).map(Ordering::is_le),
        CompareOp::Greater => order(&first, &second).map(Ordering::is_gt),
        CompareOp::GreaterOrEqual => order(&first, &second).map(Ordering::is_ge),
        CompareOp::In => is_in(&first, &second),
        CompareOp::NotIn => is_in(&first, &second).map(|found| !found),
    };
    holds.map_err(|reason| {
        let source = super::shown(context.scope.source(), span);
        let message = format!("`{source}`: {reason}");
        let finding = Finding::new(codes::TYPE_MISMATCH, span, message);
        Box::new(match other_literal((left, &first), (right, &second)) {
            Some((place, literal)) => {
                finding.help(format!("did you mean `{literal}`?")).edit(place, literal)
            }
            None => finding,
        })
    })
}

fn is_equal(left: &Value, right: &Value) -> Result<bool, String> {
    use Value::{Boolean, Float, Integer, List, Map, Null, Text};
    match (left, right) {
        (Null, _) | (_, Null) => Ok(matches!((left, right), (Null, Null))),
        (Boolean(_), Boolean(_)) | (Text(_), Text(_)) | (List(_), List(_)) | (Map(_), Map(_)) => {
            Ok(equal(left, right))
        }
        (Integer(_) | Float(_), Integer(_) | Float(_)) => Ok(equal(left, right)),
        _ => Err(format!("{} is compared with {}", left.described(), right.described())),
    }
}

fn order(left: &Value, right: &Value) -> Result<Ordering, String> {
    if let (Value::Text(left), Value::Text(right)) = (left, right) {
        // The order of UTF-8 bytes is that of code points.
        return Ok(left.cmp(right));
    }
    compare_numbers(left, right).ok_or_else(|| {
        let (left, right) = (left.described(), right.described());
        format!("two numbers or two strings have an order, and here are {left} and {right}")
    })
}

fn is_in(item: &Value, holder: &Value) -> Result<bool, String> {
    match (item, holder) {
        (_, Value::List(items)) => Ok(items.iter().any(|other| equal(item, other))),
        (Value::Text(part), Value::Text(whole)) => Ok(whole.contains(&**part)),
        (Value::Text(key), Value::Map(entries)) => Ok(entries.contains_key(key)),
        (_, Value::Text(_)) => {
            Err(format!("a string holds strings, and this is {}", item.described()))
        }
        (_, Value::Map(_)) => {
            Err(format!("the keys of a map are strings, and this is {}", item.described()))
        }
        _ => {
            Err(format!("`in` asks a list, a string or a map, and this is {}", holder.described()))
        }
    }
}

/// A literal that would be of the type of the other side, if its quotes were dropped or added:
/// its place, and what to write.
fn other_literal(
    (left, first): (&Expr, &Value),
    (right, second): (&Expr, &Value),
) -> Option<(Span, String)> {
    let requoted = |literal: &Expr, other: &Value| {
        let ExprKind::Literal(value) = &literal.kind else { return None };
        let better = match (value, other) {
            (Value::Text(text), Value::Integer(_) | Value::Float(_)) => {
                text.parse::<i64>().ok()?.to_string()
            }
            (Value::Text(text), Value::Boolean(_)) if matches!(&**text, "true" | "false") => {
                text.to_string()
            }
            (Value::Integer(_) | Value::Float(_) | Value::Boolean(_), Value::Text(_)) => {
                format!("\"{}\"", value.printed()?)
            }
            _ => return None,
        };
        Some((literal.span, better))
    };
    requoted(right, first).or_else(|| requoted(left, second))
}
