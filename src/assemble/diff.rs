//! What differs between two assemblies, part by part.

use std::collections::HashMap;
use std::fmt;

use super::assembly::{Assembly, Part};
use super::error::PartKind;
use super::json;

/// What differs between two assemblies. Made by [`diff`]; it prints a line for each change.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diff {
    /// The changes: those of sections, contexts, tools and variables; of each first what was
    /// removed, then the others in the order of the second assembly.
    pub changes: Vec<Change>,
}

/// How one part differs.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Change {
    /// What the part is.
    pub kind: PartKind,
    /// Its name.
    pub name: String,
    /// What happened to it. A part that moved and has another text has two changes.
    pub what: ChangeKind,
}

/// What happened to a part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChangeKind {
    /// Only the first assembly has it.
    Removed,
    /// Only the second assembly has it.
    Added,
    /// Its text, schema or value is another one.
    Changed,
    /// It stands elsewhere among the parts that both have. Variables do not move.
    Moved,
}

impl ChangeKind {
    /// The change as JSON writes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Removed => "removed",
            Self::Added => "added",
            Self::Changed => "changed",
            Self::Moved => "moved",
        }
    }
}

impl Diff {
    /// Whether nothing differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Change { kind, name, what } in &self.changes {
            writeln!(f, "{} {kind} {}", what.as_str(), crate::diag::escape::escape(name))?;
        }
        Ok(())
    }
}

/// What differs between two assemblies: parts of one name are one part. Texts are compared as they
/// are before variables are put in, so that a variable that changes is one change.
///
/// Costs a walk over both, and the logarithm of their number more for the moves.
///
/// ```
/// use mdgraft::assemble::{Assembler, Scope, diff};
///
/// let prompts = Assembler::<()>::bare();
/// let scope = Scope::new("reviewer");
/// let reviewer = prompts.within(&scope);
/// let _kept = [
///     prompts.section("role", 0, "You are an agent.")?,
///     prompts.section("rules", 1, "Be brief.")?,
///     reviewer.section("rules", -1, "Be thorough.")?,
///     reviewer.section("task", 5, "Review.")?,
/// ];
/// let changes = diff(&prompts.assemble(&())?, &reviewer.assemble(&())?);
/// assert_eq!(changes.to_string(), "changed section rules\nmoved section rules\nadded section task\n");
/// # Ok::<(), mdgraft::assemble::AssembleError>(())
/// ```
#[must_use]
pub fn diff(first: &Assembly, second: &Assembly) -> Diff {
    let mut changes = Vec::new();
    compare(PartKind::Section, &texts(&first.sections), &texts(&second.sections), &mut changes);
    compare(PartKind::Context, &texts(&first.contexts), &texts(&second.contexts), &mut changes);
    compare(PartKind::Tool, &tools(first), &tools(second), &mut changes);
    let mut variables = Vec::new();
    compare(PartKind::Variable, &values(first), &values(second), &mut variables);
    changes.extend(variables.into_iter().filter(|change| change.what != ChangeKind::Moved));
    Diff { changes }
}

fn texts(parts: &[Part]) -> Vec<(&str, (&str, bool))> {
    parts.iter().map(|part| (part.name(), (part.text(), part.is_verbatim()))).collect()
}

fn tools(assembly: &Assembly) -> Vec<(&str, String)> {
    assembly.tools.iter().map(|tool| (tool.name.as_str(), json::tool(tool))).collect()
}

fn values(assembly: &Assembly) -> Vec<(&str, Option<&str>)> {
    assembly.variables.iter().collect()
}

fn compare<T: PartialEq>(
    kind: PartKind,
    first: &[(&str, T)],
    second: &[(&str, T)],
    changes: &mut Vec<Change>,
) {
    let change = |name: &str, what| Change { kind, name: name.to_owned(), what };
    let places: HashMap<(&str, usize), usize> = numbered(first).zip(0..).collect();
    let met: Vec<Option<usize>> = numbered(second).map(|key| places.get(&key).copied()).collect();
    let mut is_met = vec![false; first.len()];
    for &at in met.iter().flatten() {
        is_met[at] = true;
    }
    let removed = first.iter().zip(&is_met).filter(|(_, is_met)| !**is_met);
    changes.extend(removed.map(|((name, _), _)| change(name, ChangeKind::Removed)));
    let stays = staying(&met);
    for (index, (name, content)) in second.iter().enumerate() {
        let Some(at) = met[index] else {
            changes.push(change(name, ChangeKind::Added));
            continue;
        };
        if first[at].1 != *content {
            changes.push(change(name, ChangeKind::Changed));
        }
        if !stays[index] {
            changes.push(change(name, ChangeKind::Moved));
        }
    }
}

/// Names with their numbers among equal ones, which listeners can make.
fn numbered<'a, T>(parts: &[(&'a str, T)]) -> impl Iterator<Item = (&'a str, usize)> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    parts.iter().map(move |(name, _)| {
        let count = counts.entry(name).or_insert(0);
        *count += 1;
        (*name, *count)
    })
}

/// Which parts stay: as many as can keep their order, so that few are told to have moved.
fn staying(met: &[Option<usize>]) -> Vec<bool> {
    // The ends of the best ascending runs of each length, and what stands before each part.
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; met.len()];
    for (index, at) in met.iter().enumerate() {
        let Some(at) = *at else { continue };
        let length = ends.partition_point(|(end, _)| *end < at);
        before[index] = length.checked_sub(1).map(|shorter| ends[shorter].1);
        match ends.get_mut(length) {
            Some(end) => *end = (at, index),
            None => ends.push((at, index)),
        }
    }
    let mut stays = vec![false; met.len()];
    let mut last = ends.last().map(|(_, index)| *index);
    while let Some(index) = last {
        stays[index] = true;
        last = before[index];
    }
    stays
}
