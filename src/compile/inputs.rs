//! The declared inputs of a prompt: those of all its files, merged (language §3).

use std::collections::{HashMap, HashSet, VecDeque};

use super::names::SlotNames;
use super::program::InputEntry;
use crate::diag::{Finding, codes};
use crate::link::{FileId, Linked};
use crate::parse::Mode;
use crate::parse::expr::ExprKind;
use crate::parse::front_matter::{Input, InputKind};
use crate::text::Span;
use crate::value::{Value, equal};

/// A file and the files that it extends, the child first. Links have no cycles, and their depth
/// is bounded.
fn lineage(linked: &Linked, file: FileId) -> Vec<FileId> {
    let mut lineage = vec![file];
    let mut at = file;
    while let Some(base) = linked.files[at.index()].base.files().next() {
        lineage.push(base);
        at = base;
    }
    lineage
}

/// Whether a file, one it extends, or the entry declares its inputs.
pub(super) fn is_closed(linked: &Linked, file: FileId) -> bool {
    let declares = |file: FileId| linked.files[file.index()].document.front.closed;
    lineage(linked, FileId(0)).into_iter().chain(lineage(linked, file)).any(declares)
}

/// How many includes and bases lie between the entry and each file, at the least.
fn depths(linked: &Linked) -> Vec<usize> {
    let mut depths = vec![usize::MAX; linked.files.len()];
    let mut next = VecDeque::from([(FileId(0), 0)]);
    while let Some((file, depth)) = next.pop_front() {
        if depths[file.index()] <= depth {
            continue;
        }
        depths[file.index()] = depth;
        let of = &linked.files[file.index()];
        let targets =
            of.includes.iter().chain([&of.base]).flat_map(super::super::link::Target::files);
        next.extend(targets.map(|to| (to, depth + 1)));
    }
    depths
}

/// The declarations that count: those of the entry and of every included file, and those of their
/// bases that they do not declare anew.
fn declarations(linked: &Linked) -> Vec<(FileId, &Input)> {
    let included = linked
        .files
        .iter()
        .flat_map(|file| file.includes.iter().flat_map(super::super::link::Target::files));
    let mut heads: Vec<FileId> = std::iter::once(FileId(0)).chain(included).collect();
    heads.sort_unstable();
    heads.dedup();
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for head in heads {
        if linked.files[head.index()].mode != Mode::Template {
            continue;
        }
        let mut names = HashSet::new();
        for file in lineage(linked, head) {
            for input in &linked.files[file.index()].document.front.inputs {
                if names.insert(&*input.name) && seen.insert((file, &*input.name)) {
                    found.push((file, input));
                }
            }
        }
    }
    found.sort_by_key(|(file, input)| (*file, input.span.start));
    found
}

/// Merges the declarations of all files; two that contradict each other are an error at the later.
pub(super) fn merge(
    linked: &Linked,
    slots: &SlotNames,
) -> (Vec<InputEntry>, Vec<(FileId, Finding)>) {
    let depths = depths(linked);
    let mut merged: Vec<(FileId, Input)> = Vec::new();
    let mut index: HashMap<&str, usize> = HashMap::new();
    let mut findings = Vec::new();
    for (file, input) in declarations(linked) {
        let Some(&at) = index.get(&*input.name) else {
            index.insert(&input.name, merged.len());
            merged.push((file, input.clone()));
            continue;
        };
        let (first_file, first) = &mut merged[at];
        if let Some(what) = contradiction(first, input) {
            findings.push((file, conflict(linked, *first_file, first, input, what)));
        } else if depths[file.index()] < depths[first_file.index()] {
            // The nearer declaration decides whether there is a default.
            (*first_file, *first) = (file, input.clone());
        }
    }
    let entries = merged.into_iter().filter_map(|(file, declaration)| {
        let slot = slots.get(&declaration.name)?;
        Some(InputEntry { slot, text: file.0, declaration })
    });
    (entries.collect(), findings)
}

fn contradiction(first: &Input, other: &Input) -> Option<&'static str> {
    if first.faulty || other.faulty {
        return None;
    }
    if first.kind != other.kind {
        return Some("type");
    }
    if first.choices != other.choices {
        return Some("enum");
    }
    match (&first.default, &other.default) {
        (Some(one), Some(two)) if one != two => Some("default"),
        _ => None,
    }
}

fn conflict(
    linked: &Linked,
    first_file: FileId,
    first: &Input,
    input: &Input,
    what: &str,
) -> Finding {
    let place = linked.place(first_file, first.span);
    let name = &input.name;
    let at = format!("{}:{}", place.file, place.position());
    let message = format!("`{name}` is declared with another {what} at {at}");
    Finding::new(codes::CONFLICTING_DECLARATION, input.span, message)
        .help("let both files say the same, or rename one of the inputs")
        .related(place, "declared here first")
}

/// Values of `with` that are written out and do not fit the input that they meet.
pub(super) fn check_literals(linked: &Linked, inputs: &[InputEntry]) -> Vec<(FileId, Finding)> {
    let mut findings = Vec::new();
    for (file, id) in linked.files.iter().zip(0..) {
        let names = &file.document.names;
        for include in &file.document.body.includes {
            for (symbol, _, expr) in &include.with {
                let ExprKind::Literal(value) = &expr.kind else { continue };
                let name = names.name(*symbol);
                if *value == Value::Null {
                    // It counts as not given, so a default may stand in for it.
                    continue;
                }
                let input = inputs.iter().find(|input| input.declaration.name == *name);
                let finding = input.and_then(|input| misfit(&input.declaration, value, expr.span));
                findings.extend(finding.map(|finding| (FileId(id), finding)));
            }
        }
    }
    findings
}

/// What is wrong with a value that is given to an input: its type, or that it is not listed.
pub(crate) fn misfit(input: &Input, value: &Value, span: Span) -> Option<Finding> {
    let name = &input.name;
    if input.faulty {
        return None;
    }
    if !input.kind.accepts(value) {
        let message =
            format!("`{name}` takes {}, and this is {}", input.kind.described(), value.described());
        let finding = Finding::new(codes::WRONG_TYPE, span, message);
        return Some(match (input.kind, value) {
            (InputKind::String, _) => finding.help("give it as a text, in quotes"),
            (_, Value::Text(_)) => finding.help("give it without quotes"),
            _ => finding,
        });
    }
    let choices = input.choices.as_ref()?;
    if choices.iter().any(|choice| equal(choice, value)) {
        return None;
    }
    let printed = |value: &Value| value.to_json(None);
    let list: Vec<String> = choices.iter().map(printed).collect();
    let message = format!("{} is not a value of `{name}`", printed(value));
    Some(
        Finding::new(codes::NOT_IN_ENUM, span, message)
            .help(format!("give one of {}", list.join(", "))),
    )
}
