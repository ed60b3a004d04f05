//! One assembly, step by step. The order of the steps is part of the interface: it decides which
//! providers are called, and which error is told.

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::assembler::{Filter, Next};
use super::assembly::{Assembly, Origin, Part, Tool, Variables};
use super::error::{AssembleError, BoxError, PartKind};
use super::prompt;
use super::provider::{Text, TextSource, Tools, guarded};
use super::registry::{Layer, Listener, Meta, Registry, Snapshot, Table, TextEntry};
use super::scope::Scope;
use super::tools;
use crate::diag::{Diagnostic, Diagnostics};
use crate::value::settle;

/// How deep assemblies may stand in the providers of others, in one thread.
const DEEPEST: usize = 8;

pub(super) fn assemble<C: 'static>(
    registry: &Registry<C>,
    scope: Option<&Scope>,
    filter: Option<&Filter>,
    context: &C,
) -> Result<Assembly, AssembleError> {
    let _nested = Nested::enter()?;
    let snapshot = registry.snapshot(scope);
    let layers = snapshot.layers.as_slice();
    let suppressed = layers.iter().any(|layer| layer.suppressors.iter().next().is_some());
    let variables = variables(layers, context)?;
    let mut sections = merge(layers, |layer| &layer.sections);
    let mut contexts = merge(layers, |layer| &layer.contexts);
    let (found, known) = collect_tools(layers, context)?;
    sort(&mut sections);
    let complete = complete(&sections)?;
    let mut warnings = Vec::new();
    let sections = evaluate(sections, &variables, context, &mut warnings)?;
    let complete = complete.map(|at| sections[at].clone());
    if suppressed {
        contexts.clear();
    }
    sort(&mut contexts);
    let contexts = evaluate(contexts, &variables, context, &mut warnings)?;
    let tools = tools::order(found, &known, &registry.options)?;
    let options = Arc::clone(&registry.options);
    let warnings = Diagnostics::from_sorted(warnings);
    let assembly = Assembly { sections, contexts, tools, variables, options, warnings };

    let (options, warnings) = (Arc::clone(&assembly.options), assembly.warnings.clone());
    let mut assembly = listen(&snapshot, filter, context, assembly)?;
    if let Some(complete) = complete {
        assembly.sections = vec![complete];
    }
    if suppressed {
        assembly.contexts.clear();
    }
    // A listener may have returned an assembly of its own.
    (assembly.options, assembly.warnings) = (options, warnings);
    Ok(assembly)
}

/// Calls every provider; a nearer layer counts, also where it has no value.
fn variables<C>(layers: &[Arc<Layer<C>>], context: &C) -> Result<Variables, AssembleError> {
    let count = layers.iter().map(|layer| layer.variables.iter().len()).sum();
    let mut variables = Variables::with_capacity(count);
    for entry in layers.iter().flat_map(|layer| layer.variables.iter()) {
        let value = guarded(|| (entry.provider)(context))
            .map_err(|source| failed(PartKind::Variable, &entry.meta, source))?;
        variables.provide(&entry.meta, value);
    }
    Ok(variables)
}

/// An entry that is seen, and what it took the place of.
struct Seen<'a, C> {
    entry: &'a TextEntry<C>,
    shadowed: Vec<Arc<Meta>>,
}

/// The entries by name: that of the nearest layer, at the place of the first.
fn merge<'a, C>(
    layers: &'a [Arc<Layer<C>>],
    table: impl Fn(&Layer<C>) -> &Table<TextEntry<C>>,
) -> Vec<Seen<'a, C>> {
    let count = layers.iter().map(|layer| table(layer).iter().len()).sum();
    let mut merged: Vec<Seen<'a, C>> = Vec::with_capacity(count);
    let mut index: HashMap<&str, usize> = HashMap::new();
    for (number, layer) in layers.iter().enumerate() {
        let table = table(layer);
        if table.iter().len() == 0 {
            continue;
        }
        // Names differ within a layer, so the first one that has any needs no look-up.
        if merged.is_empty() {
            merged.extend(table.iter().map(|entry| Seen { entry, shadowed: Vec::new() }));
            if number + 1 < layers.len() {
                index.extend(merged.iter().map(|seen| &*seen.entry.meta.name).zip(0..));
            }
            continue;
        }
        for entry in table.iter() {
            if let Some(&at) = index.get(&*entry.meta.name) {
                let seen = &mut merged[at];
                seen.shadowed.push(Arc::clone(&seen.entry.meta));
                seen.entry = entry;
            } else {
                index.insert(&entry.meta.name, merged.len());
                merged.push(Seen { entry, shadowed: Vec::new() });
            }
        }
    }
    merged
}

/// By order; stable, so that registration decides ties.
fn sort<C>(seen: &mut [Seen<'_, C>]) {
    let order = |seen: &Seen<'_, C>| seen.entry.meta.order;
    seen.sort_by(|one, other| order(one).partial_cmp(&order(other)).unwrap_or(Ordering::Equal));
}

/// The section that is the whole prompt.
fn complete<C>(sections: &[Seen<'_, C>]) -> Result<Option<usize>, AssembleError> {
    let is_complete = |at: &usize| sections[*at].entry.meta.complete;
    let complete: Vec<usize> = (0..sections.len()).filter(is_complete).collect();
    match complete.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(*one)),
        several => {
            let name = |at: &usize| sections[*at].entry.meta.name.to_string();
            Err(AssembleError::SeveralComplete { names: several.iter().map(name).collect() })
        }
    }
}

fn evaluate<C>(
    seen: Vec<Seen<'_, C>>,
    variables: &Variables,
    context: &C,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Vec<Part>, AssembleError> {
    let mut parts = Vec::with_capacity(seen.len());
    for Seen { entry, shadowed } in seen {
        let meta = &entry.meta;
        let Text { source, verbatim } = &entry.provider;
        let text = match source {
            TextSource::Literal(text) => text.to_string(),
            TextSource::Function(function) => {
                guarded(|| function(context)).map_err(|source| failed(meta.kind, meta, source))?
            }
            TextSource::Prompt(text) => prompt::render(text, variables, meta, warnings)?,
        };
        let origin = Origin { meta: Arc::clone(meta), shadowed };
        parts.push(Part::made(Arc::clone(&meta.name), text, *verbatim, origin));
    }
    Ok(parts)
}

/// The tools of all providers, and the names that a tool order may list.
fn collect_tools<C>(
    layers: &[Arc<Layer<C>>],
    context: &C,
) -> Result<(Vec<Tool>, BTreeSet<String>), AssembleError> {
    let mut found = Vec::new();
    let mut names = BTreeSet::new();
    for entry in layers.iter().flat_map(|layer| layer.tools.iter()) {
        let tools = guarded(|| settled((entry.provider)(context)?))
            .map_err(|source| failed(PartKind::Tool, &entry.meta, source))?;
        match tools.known {
            Some(known) => names.extend(known),
            None => names.extend(tools.schemas.iter().map(|tool| tool.name.clone())),
        }
        found.extend(tools.schemas.into_iter().map(|tool| Tool {
            origin: Some(Origin { meta: Arc::clone(&entry.meta), shadowed: Vec::new() }),
            ..tool
        }));
    }
    Ok((found, names))
}

/// Refuses parameters that no value can be, such as endless nesting.
fn settled(mut tools: Tools) -> Result<Tools, BoxError> {
    for tool in &mut tools.schemas {
        let parameters = settle(std::mem::take(&mut tool.parameters));
        tool.parameters =
            parameters.map_err(|error| format!("the parameters of `{}`: {error}", tool.name))?;
    }
    Ok(tools)
}

fn failed(kind: PartKind, meta: &Meta, source: BoxError) -> AssembleError {
    AssembleError::Provider { kind, name: meta.name.to_string(), source }
}

/// Runs the listeners that hear this assembly.
fn listen<C: 'static>(
    snapshot: &Snapshot<C>,
    filter: Option<&Filter>,
    context: &C,
    assembly: Assembly,
) -> Result<Assembly, AssembleError> {
    let mut rest: Vec<&Listener<C>> = Vec::new();
    for listener in snapshot.listeners.iter() {
        let hears = guarded(|| Ok(hears(listener, snapshot, filter)));
        if hears.map_err(AssembleError::Listener)? {
            rest.push(listener);
        }
    }
    let next = Next { rest: &rest, context };
    next.run(assembly).map_err(|error| match error.downcast::<AssembleError>() {
        // What a listener passes on of ours keeps its kind.
        Ok(error) => *error,
        Err(error) => AssembleError::Listener(error),
    })
}

fn hears<C>(listener: &Listener<C>, snapshot: &Snapshot<C>, filter: Option<&Filter>) -> bool {
    if listener.global {
        return true;
    }
    let Some((id, scope)) = &listener.scope else {
        return filter.is_none_or(|filter| filter(None));
    };
    let lets_through = |filter: &Filter| scope.upgrade().is_some_and(|scope| filter(Some(&scope)));
    filter.is_none_or(lets_through) && snapshot.ids.contains(id)
}

/// One more assembly within another of this thread.
struct Nested;

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

impl Nested {
    fn enter() -> Result<Self, AssembleError> {
        let depth = DEPTH.get();
        if depth >= DEEPEST {
            return Err(AssembleError::Nested { limit: DEEPEST });
        }
        DEPTH.set(depth + 1);
        Ok(Self)
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get().saturating_sub(1));
    }
}
