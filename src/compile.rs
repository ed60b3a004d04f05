//! The third stage: a linked entry to a [`PromptTree`].

pub(crate) mod check;
mod inputs;
pub(crate) mod lower;
mod merge;
mod names;
mod place;
pub(crate) mod program;
mod targets;
mod tree;
pub(crate) mod units;
pub(crate) mod uses;
pub(crate) mod walk;

use std::collections::HashSet;
use std::sync::Arc;

pub(crate) use inputs::misfit;
pub use tree::{Input, InputType, PromptTree, Section};

use crate::diag::{Diagnostic, Finding, Severity, codes};
use crate::functions::Functions;
use crate::link::{FileId, Limits, Linked, Target};
use program::{Program, Text};
use units::LowerHook;

/// How linked files are compiled.
#[derive(Clone, Debug)]
pub(crate) struct CompileOptions {
    pub(crate) functions: Functions,
    pub(crate) limits: Limits,
    /// Strip comments in files that do not say themselves.
    pub(crate) strip_comments: bool,
}

/// What compiling gives: the program, if nothing was wrong, and all diagnostics in order, those of
/// linking too.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) program: Option<Program>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Compiles a linked entry. Units are lowered by the hook, which may have lowered them before.
pub(crate) fn compile(
    linked: &Linked,
    options: &CompileOptions,
    lowering: &LowerHook<'_>,
) -> Compiled {
    let mut compiler = Compiler { linked, told: linked.diagnostics.clone() };
    if linked.files.is_empty() {
        return compiler.failed();
    }
    let slots = names::slots(linked);
    let texts: Vec<Text> =
        linked.files.iter().map(|file| names::text(file, &slots, options)).collect();
    compiler.findings(names::check_functions(linked, &options.functions));
    let (inputs, findings) = inputs::merge(linked, &slots);
    compiler.findings(findings);
    compiler.findings(names::check_closed(linked, &inputs));
    compiler.findings(inputs::check_literals(linked, &inputs));
    compiler.findings(merge::stray(linked));
    let strip: Vec<bool> = texts.iter().map(|text| text.strip).collect();
    let (mut units, findings) = units::units(linked, &strip, &options.limits, lowering);
    compiler.findings(findings);
    compiler.findings(targets::resolve(linked, &mut units));
    let broken = compiler.has_errors();
    let (placement, met) = place::place(&texts, &units, 0, &options.limits);
    for met in met {
        if broken && !compiler.is_certain(&met) {
            continue;
        }
        let diagnostic =
            program::diagnostic(&texts, &units, &placement, met.text, met.instance, met.finding);
        compiler.told.push(diagnostic);
    }
    if compiler.has_errors() {
        return compiler.failed();
    }
    let names: Vec<Arc<str>> = slots.names().cloned().collect();
    let mut input_of_slot = vec![None; names.len()];
    for (input, index) in inputs.iter().zip(0..) {
        input_of_slot[input.slot as usize] = Some(index);
    }
    let mut program = Program {
        entry: Arc::clone(&linked.files[0].name),
        loop_slot: slots.get("loop"),
        closed: inputs::is_closed(linked, FileId(0)),
        functions: options.functions.clone(),
        texts,
        units,
        placement,
        slots: names,
        input_of_slot,
        inputs,
        uses: Vec::new(),
        limits: options.limits,
    };
    program.uses = uses::of_all(&program);
    Compiled { diagnostics: compiler.sorted(), program: Some(program) }
}

struct Compiler<'l> {
    linked: &'l Linked,
    told: Vec<Diagnostic>,
}

impl Compiler<'_> {
    fn findings(&mut self, findings: Vec<(FileId, Finding)>) {
        for (file, finding) in findings {
            let of = &self.linked.files[file.index()];
            self.told.push(finding.at(&of.name, &of.document.source, self.linked.chain(file)));
        }
    }

    fn has_errors(&self) -> bool {
        self.told.iter().any(is_error)
    }

    /// Whether a finding about sections holds although something else is wrong: the files that it is
    /// about are whole.
    fn is_certain(&self, met: &place::Met) -> bool {
        if met.finding.code != codes::UNKNOWN_SECTION {
            return false;
        }
        let of = &self.linked.files[met.text as usize];
        let includes = of.document.body.includes.iter().zip(&of.includes);
        let mut next: Vec<FileId> = includes
            .filter(|(include, _)| {
                include.section.as_ref().is_some_and(|(_, span)| *span == met.finding.span)
            })
            .flat_map(|(_, target)| target.files())
            .collect();
        let mut seen = HashSet::new();
        while let Some(file) = next.pop() {
            if !seen.insert(file) {
                continue;
            }
            let of = &self.linked.files[file.index()];
            let failed = of.includes.iter().any(|target| matches!(target, Target::Failed));
            if failed || self.told.iter().any(|one| is_error(one) && one.place.file == of.name) {
                return false;
            }
            next.extend(of.includes.iter().chain([&of.base]).flat_map(Target::files));
        }
        true
    }

    fn sorted(&mut self) -> Vec<Diagnostic> {
        self.linked.in_order(std::mem::take(&mut self.told))
    }

    fn failed(mut self) -> Compiled {
        Compiled { program: None, diagnostics: self.sorted() }
    }
}

fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error
}
