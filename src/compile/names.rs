//! The names of a prompt: slots of variables, functions, and names that nothing can give.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::CompileOptions;
use super::inputs::is_closed;
use super::program::{InputEntry, Text};
use super::walk::{Stop, paths, stops};
use crate::diag::{Finding, codes, near};
use crate::functions::Functions;
use crate::link::{File, FileId, Linked};
use crate::parse::expr::{block_call, block_not_alone, check_calls};
use crate::parse::names::Symbol;
use crate::parse::{Document, Mode};

/// The slots of the variables of a prompt, in the order of their names.
#[derive(Debug)]
pub(crate) struct SlotNames(BTreeMap<Arc<str>, u32>);

impl SlotNames {
    pub(crate) fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.0.keys()
    }

    pub(crate) fn get(&self, name: &str) -> Option<u32> {
        self.0.get(name).copied()
    }
}

/// Gives every name of the files, and of their declared inputs, a slot.
pub(super) fn slots(linked: &Linked) -> SlotNames {
    let mut names: BTreeMap<Arc<str>, u32> = BTreeMap::new();
    for file in linked.files.iter().filter(|file| file.mode == Mode::Template) {
        let declared = file.document.front.inputs.iter().map(|input| &input.name);
        names.extend(file.document.names.iter().chain(declared).map(|name| (Arc::clone(name), 0)));
    }
    for (slot, number) in names.values_mut().zip(0..) {
        *slot = number;
    }
    SlotNames(names)
}

/// A file with its names resolved.
pub(super) fn text(file: &File, slots: &SlotNames, options: &CompileOptions) -> Text {
    let names = &file.document.names;
    let strip = file.document.front.settings.strip_comments.unwrap_or(options.strip_comments);
    Text {
        path: Arc::clone(&file.name),
        document: Arc::clone(&file.document),
        slots: names.iter().map(|name| slots.get(name).unwrap_or(u32::MAX)).collect(),
        functions: names.iter().map(|name| options.functions.get(name).cloned()).collect(),
        strip: strip && file.mode == Mode::Template,
    }
}

/// Unknown functions, and calls with too few or too many arguments.
pub(super) fn check_functions(linked: &Linked, functions: &Functions) -> Vec<(FileId, Finding)> {
    let mut findings = Vec::new();
    for (file, id) in linked.files.iter().zip(0..) {
        stops(&file.document, &mut |stop| {
            if let Stop::Expr(expr) = stop {
                let found = check_calls(expr, file.document.source.text(), functions);
                findings.extend(found.into_iter().map(|finding| (FileId(id), finding)));
            }
        });
        let source = file.document.source.text();
        for reference in file.document.body.references.iter().filter(|reference| !reference.alone) {
            if let Some(call) = block_call(&reference.expr, source, functions) {
                findings.push((FileId(id), block_not_alone(call, source)));
            }
        }
    }
    findings
}

/// Names in closed files that no declaration, loop or include gives.
pub(super) fn check_closed(linked: &Linked, inputs: &[InputEntry]) -> Vec<(FileId, Finding)> {
    let declared: HashSet<&str> = inputs.iter().map(|input| &*input.declaration.name).collect();
    let mut bound: Vec<HashSet<Arc<str>>> = vec![HashSet::new(); linked.files.len()];
    for (of, file) in bound.iter_mut().zip(&linked.files) {
        // Text of a child may stand in a loop of its base.
        let mut base = file.base.files().next();
        while let Some(file) = base.map(|id| &linked.files[id.index()]) {
            of.extend(loop_names(&file.document));
            base = file.base.files().next();
        }
    }
    let mut findings = Vec::new();
    for file_id in linked.graph.topological() {
        let file = &linked.files[file_id.index()];
        let names = &file.document.names;
        let closed = is_closed(linked, file_id);
        let given = bound[file_id.index()].clone();
        let mut loops: Vec<Vec<Symbol>> = Vec::new();
        for to in file.base.files() {
            bound[to.index()].extend(given.iter().cloned());
        }
        stops(&file.document, &mut |stop| match stop {
            Stop::Bind(symbols) => loops.push(symbols),
            Stop::Unbind => {
                loops.pop();
            }
            Stop::Include(index) => {
                let with = &file.document.body.includes[index as usize].with;
                let symbols = with.iter().map(|(symbol, ..)| symbol).chain(loops.iter().flatten());
                let mut here: Vec<Arc<str>> =
                    symbols.map(|&symbol| Arc::clone(names.name(symbol))).collect();
                here.extend((!loops.is_empty()).then(|| Arc::from("loop")));
                for to in file.includes[index as usize].files() {
                    bound[to.index()].extend(given.iter().chain(&here).cloned());
                }
            }
            Stop::Expr(expr) if closed => paths(expr, &mut |path| {
                let name = names.name(path.name);
                let in_loop = |symbol| loops.iter().flatten().any(|&bound| bound == symbol);
                let known = declared.contains(&**name)
                    || given.contains(name)
                    || in_loop(path.name)
                    || (&**name == "loop" && (!loops.is_empty() || given.contains("loop")));
                if known {
                    return;
                }
                let loop_names = loops.iter().flatten().map(|&symbol| &**names.name(symbol));
                let mut candidates: Vec<&str> = declared
                    .iter()
                    .copied()
                    .chain(given.iter().map(|name| &**name))
                    .chain(loop_names)
                    .collect();
                candidates.sort_unstable();
                let message = format!("`{name}` is not declared");
                let finding = Finding::new(codes::UNKNOWN_VARIABLE, path.name_span, message);
                findings.push((
                    file_id,
                    match near::nearest(name, candidates) {
                        Some(near) => finding
                            .help(format!("did you mean `{near}`?"))
                            .edit(path.name_span, near),
                        None => finding.help(format!("declare it under `vars`: `{name}: string`")),
                    },
                ));
            }),
            Stop::Expr(_) => {}
        });
    }
    findings
}

/// The names that the loops of a document bind.
fn loop_names(document: &Document) -> Vec<Arc<str>> {
    let mut names = Vec::new();
    stops(document, &mut |stop| {
        if let Stop::Bind(symbols) = stop {
            names.extend(symbols.iter().map(|&symbol| Arc::clone(document.names.name(symbol))));
            names.push("loop".into());
        }
    });
    names
}
