//! Paths: a name, and the keys and indices behind it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Bound, Context, Fault, Round, Scope};
use crate::diag::{Finding, codes, near};
use crate::parse::expr::{Path, PathPart};
use crate::text::Span;
use crate::value::Value;

/// What of a path has no value.
pub(super) enum Missing<'a> {
    /// The name.
    Name,
    /// The part of this index, which the value before it does not have.
    Part(usize, Cow<'a, Value>),
}

pub(super) fn evaluate<'a, S: Scope>(
    path: &'a Path,
    context: &Context<'a, S>,
) -> Result<Cow<'a, Value>, Fault> {
    resolve(path, context.scope).map_err(|missing| Box::new(finding(path, &missing, context)))
}

/// The value of a path. Does not allocate.
pub(super) fn resolve<'a, S: Scope>(
    path: &Path,
    scope: &'a S,
) -> Result<Cow<'a, Value>, Missing<'a>> {
    match scope.lookup(path.name) {
        Some(Bound::Value(value)) => follow(value, &path.parts),
        Some(Bound::Round(round)) => in_round(round, &path.parts),
        None => Err(Missing::Name),
    }
}

fn follow<'a>(mut value: &'a Value, parts: &[PathPart]) -> Result<Cow<'a, Value>, Missing<'a>> {
    for (at, part) in parts.iter().enumerate() {
        let inner = match value {
            Value::Map(entries) => entries.get(&part.key),
            Value::List(items) => part.index.and_then(|index| items.get(index)),
            _ => None,
        };
        value = inner.ok_or(Missing::Part(at, Cow::Borrowed(value)))?;
    }
    Ok(Cow::Borrowed(value))
}

fn in_round<'a>(round: Round, parts: &[PathPart]) -> Result<Cow<'a, Value>, Missing<'a>> {
    let value = match parts.first().map(|part| &*part.key) {
        None => return Ok(Cow::Owned(round.as_map())),
        Some("index") => round.index.into(),
        Some("first") => (round.index == 1).into(),
        Some("last") => (round.index == round.length).into(),
        Some("length") => round.length.into(),
        Some(_) => return Err(Missing::Part(0, Cow::Owned(round.as_map()))),
    };
    if parts.len() > 1 { Err(Missing::Part(1, Cow::Owned(value))) } else { Ok(Cow::Owned(value)) }
}

impl Round {
    fn as_map(self) -> Value {
        let entries: [(&str, Value); 4] = [
            ("first", (self.index == 1).into()),
            ("index", self.index.into()),
            ("last", (self.index == self.length).into()),
            ("length", self.length.into()),
        ];
        Value::from(BTreeMap::from(entries))
    }
}

/// The finding of a path without value, at the first part that is missing.
fn finding<S: Scope>(path: &Path, missing: &Missing<'_>, context: &Context<'_, S>) -> Finding {
    match missing {
        Missing::Name => missing_name(path, context.scope),
        Missing::Part(at, value) => missing_part(path, *at, value, context.scope),
    }
}

fn missing_name<S: Scope>(path: &Path, scope: &S) -> Finding {
    let name = super::shown(scope.source(), path.name_span);
    if scope.is_declared(path.name) {
        let message = format!("the input `{name}` has no value");
        return Finding::new(codes::MISSING_VARIABLE, path.name_span, message)
            .help("give it a value, or a default where it is declared");
    }
    if name == "loop" {
        let message = "`loop` has a value only between `for` and `endfor`";
        return Finding::new(codes::UNKNOWN_VARIABLE, path.name_span, message);
    }
    let message = format!("unknown variable `{name}`");
    let finding = Finding::new(codes::UNKNOWN_VARIABLE, path.name_span, message);
    suggest(finding, &name, path.name_span, scope, || scope.names())
        .unwrap_or_else(|finding| finding.help("give it a value, or stand in with `default`"))
}

fn missing_part<S: Scope>(path: &Path, at: usize, value: &Value, scope: &S) -> Finding {
    let part = &path.parts[at];
    let before = at.checked_sub(1).map_or(path.name_span, |index| path.parts[index].span);
    let holder = super::shown(scope.source(), Span::new(path.name_span.start, before.end));
    let key = &*part.key;
    let unknown = |message: String| Finding::new(codes::UNKNOWN_VARIABLE, part.span, message);
    match value {
        Value::Map(entries) => {
            let finding = unknown(format!("`{holder}` has no key `{key}`"));
            suggest(finding, key, part.span, scope, || keys(entries)).unwrap_or_else(|finding| {
                match entries.len() {
                    0 => finding.help("the map is empty"),
                    _ => finding.help("stand in for it with `default`, or ask with `defined`"),
                }
            })
        }
        Value::List(items) if part.index.is_some() => {
            let count = items.len();
            unknown(format!("`{holder}` has no item {key}, since it has {count}"))
                .help("items are counted from 0")
        }
        other => unknown(format!("`{holder}` is {} and has no key `{key}`", other.described())),
    }
}

fn keys(entries: &BTreeMap<Arc<str>, Value>) -> Vec<&str> {
    entries.keys().map(|key| &**key).collect()
}

/// The finding with the nearest candidate as a suggestion, or as it was if there is none.
fn suggest<'a, S: Scope>(
    finding: Finding,
    name: &str,
    span: Span,
    scope: &S,
    candidates: impl FnOnce() -> Vec<&'a str>,
) -> Result<Finding, Finding> {
    let near = if scope.suggests() { near::nearest(name, candidates()) } else { None };
    match near {
        Some(near) => Ok(finding.help(format!("did you mean `{near}`?")).edit(span, near)),
        None => Err(finding),
    }
}
