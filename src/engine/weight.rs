//! About how many bytes things take, for the bounds of caches.

use crate::compile::program::{Block, Branch, Heading, Layout, Op, Part, Program, Site, Text};
use crate::compile::units::Lowered;
use crate::diag::{Diagnostic, Diagnostics};
use crate::link::Observation;
use crate::parse::Document;
use crate::parse::document::{BlockMark, FenceMark, HeadingMark, IncludeMark, Item, ReferenceMark};
use crate::parse::include::Include;
use crate::render::Rendered;

/// What a thing takes beside its lists: counts, locks, short texts.
const BASE: usize = 256;

/// A document with its text.
pub(super) fn of_document(document: &Document) -> usize {
    let body = &document.body;
    BASE + document.source.text().len()
        + of::<Item>(body.items.len())
        + of::<ReferenceMark>(body.references.len())
        + of::<Include>(body.includes.len())
        + of::<IncludeMark>(body.include_marks.len())
        + of::<HeadingMark>(body.headings.len())
        + of::<FenceMark>(body.fences.len())
        + of::<BlockMark>(body.blocks.len())
        + of::<u32>(body.blank_lines.len())
        // A finding is mostly its texts.
        + BASE * body.findings.len()
        + document.front.body as usize
}

/// A unit; expressions of conditions are counted with their blocks.
pub(super) fn of_unit(lowered: &Lowered) -> usize {
    let code = &lowered.code;
    BASE + of::<Op>(code.ops.len())
        + of::<Block>(code.blocks.len())
        + code.blocks.iter().map(|block| of::<Branch>(block.branches.len())).sum::<usize>()
        + of::<Site>(code.sites.len())
        + of::<Heading>(code.headings.len())
        + of::<Layout>(code.layout.len())
        + of::<Part>(code.parts.len())
        + of::<u32>(lowered.texts.len())
        + BASE * lowered.findings.len()
}

/// What a prompt takes beside its documents and units, which other prompts share.
pub(super) fn of_program(program: &Program) -> usize {
    let placement = &program.placement;
    BASE + of::<Text>(program.texts.len())
        + program.texts.iter().map(|text| of::<(u32, [usize; 8])>(text.slots.len())).sum::<usize>()
        + of::<[usize; 8]>(program.units.len() + placement.instances.len())
        + of::<u32>(placement.marks.len() + placement.children.len())
        + of::<[usize; 2]>(placement.sites.len())
        + of::<[usize; 4]>(placement.sections.len())
        + BASE * (program.inputs.len() + program.slots.len())
}

pub(super) fn of_observations(observations: &[Observation]) -> usize {
    of::<Observation>(observations.len())
}

/// Diagnostics; the texts of files that they point into are shared.
pub(super) fn of_diagnostics(diagnostics: &Diagnostics) -> usize {
    BASE + (BASE + size_of::<Diagnostic>()) * diagnostics.iter().len()
}

/// A rendered prompt.
pub(super) fn of_rendered(rendered: &Rendered) -> usize {
    BASE + rendered.text().len()
        + BASE * (rendered.sections().len() + rendered.origins().len() + rendered.tools().len())
        + rendered.examples().iter().map(String::len).sum::<usize>()
        + of_diagnostics(rendered.warnings())
}

fn of<T>(count: usize) -> usize {
    count * size_of::<T>()
}
