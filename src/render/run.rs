//! Runs a program: an explicit stack over operations, no recursion (language §4 to §9).

mod blocks;
mod code;
mod headings;
mod includes;
mod text;
mod values;

use std::ops::Range;
use std::sync::Arc;

use super::fence::OpenFence;
use super::gate::Gate;
use super::output::{From, FromKind, Output, Saved};
use super::scope::{Shadowed, Slots};
use crate::compile::program::{Local, Op, Program, Text, Unit};
use crate::compile::uses::Printed;
use crate::diag::Finding;
use crate::parse::directive::RoleName;
use crate::text::Span;
use crate::value::Value;

/// What a run gives.
#[derive(Debug)]
pub(super) struct Ran<'p> {
    pub(super) output: Output<'p>,
    pub(super) findings: Vec<Met>,
    pub(super) roles: Vec<(usize, RoleName)>,
    /// Where the headings of the tree begin in the output.
    pub(super) headings: Vec<usize>,
    /// Values that may have changed the outline.
    pub(super) suspects: Vec<Suspect>,
    /// What raw includes printed.
    pub(super) raw: Vec<Range<usize>>,
    pub(super) collected: Vec<Collected>,
    /// Where the headings of sections begin, for the text split by section.
    pub(super) sections: Vec<(usize, u32)>,
}

/// A finding in a text, met in an instance.
#[derive(Debug)]
pub(super) struct Met {
    pub(super) text: u32,
    pub(super) instance: u32,
    pub(super) finding: Finding,
}

/// A value that may have changed the outline: what it printed, and the place of its name.
#[derive(Clone, Debug)]
pub(super) struct Suspect {
    pub(super) output: Range<usize>,
    pub(super) text: u32,
    pub(super) instance: u32,
    pub(super) name: Span,
}

/// A code block with words of ours in its info string.
#[derive(Clone, Debug)]
pub(super) struct Collected {
    pub(super) text: u32,
    pub(super) fence: u32,
    pub(super) instance: u32,
    pub(super) content: String,
}

enum Frame<'p> {
    /// A branch of an `if`.
    Branch {
        role: RoleName,
    },
    Loop(Loop<'p>),
    Call(Box<Call<'p>>),
    /// A file that was merged into the one at hand.
    Part {
        saved: Saved<'p>,
        role: RoleName,
        shadowed: Shadowed<'p>,
    },
}

struct Loop<'p> {
    items: Items,
    next: usize,
    role: RoleName,
    /// What the names of the loop meant before.
    shadowed: Shadowed<'p>,
}

enum Items {
    List(Arc<[Value]>),
    Map(Vec<(Arc<str>, Value)>),
}

/// A file that is being printed: where to go on, and with which of the site's targets.
struct Call<'p> {
    unit: &'p Unit,
    text: u32,
    instance: u32,
    section: u32,
    pc: usize,
    site: u32,
    targets: Targets,
    saved: Saved<'p>,
    contained: bool,
    role: RoleName,
    shadowed: Shadowed<'p>,
}

/// The targets of a site that are still to be printed.
struct Targets {
    rest: Range<usize>,
    /// Whether one before has printed something, so that a list marker is used up.
    begun: bool,
}

pub(super) struct Machine<'p> {
    program: &'p Program,
    gate: Option<&'p Gate>,
    slots: Slots<'p>,
    out: Output<'p>,
    frames: Vec<Frame<'p>>,
    unit: &'p Unit,
    text: u32,
    instance: u32,
    /// The section at hand, and whether it is printed.
    section: u32,
    on: bool,
    pc: usize,
    role: RoleName,
    expansions: usize,
    references: usize,
    line: Option<(Saved<'p>, usize)>,
    setext: Option<(usize, usize)>,
    fence: Option<OpenFence>,
    code: Option<Saved<'p>>,
    stopped: bool,
    ran_findings: Vec<Met>,
    roles: Vec<(usize, RoleName)>,
    headings: Vec<usize>,
    suspects: Vec<Suspect>,
    raw: Vec<Range<usize>>,
    collected: Vec<Collected>,
    sections: Vec<(usize, u32)>,
}

/// Runs a program from its entry.
pub(super) fn run<'p>(
    program: &'p Program,
    gate: Option<&'p Gate>,
    slots: Slots<'p>,
    output: Output<'p>,
) -> Ran<'p> {
    let unit = &program.units[program.placement.instances[0].unit as usize];
    let mut machine = Machine {
        program,
        gate,
        slots,
        out: output,
        frames: Vec::new(),
        unit,
        text: unit.text(Local::FIRST),
        instance: 0,
        section: 0,
        on: gate.is_none_or(|gate| gate.is_on(0)),
        pc: 0,
        role: RoleName::System,
        expansions: 0,
        references: 0,
        line: None,
        setext: None,
        fence: None,
        code: None,
        stopped: false,
        ran_findings: Vec::new(),
        roles: Vec::new(),
        headings: Vec::new(),
        suspects: Vec::new(),
        raw: Vec::new(),
        collected: Vec::new(),
        sections: Vec::new(),
    };
    machine.run();
    Ran {
        output: machine.out,
        findings: machine.ran_findings,
        roles: machine.roles,
        headings: machine.headings,
        suspects: machine.suspects,
        raw: machine.raw,
        collected: machine.collected,
        sections: machine.sections,
    }
}

impl<'p> Machine<'p> {
    fn run(&mut self) {
        while !self.stopped {
            match self.unit.ops.get(self.pc) {
                Some(&op) => {
                    self.pc += 1;
                    self.step(op);
                }
                None => {
                    if !self.end_of_unit() {
                        return;
                    }
                }
            }
        }
    }

    fn step(&mut self, op: Op) {
        match op {
            Op::Text(span, flags) => self.print(span, flags),
            Op::Blank(span) => self.blank(span),
            Op::Seam(span) => self.out.seam(self.glue(span)),
            Op::Reference(index, flags) => self.reference(index, flags),
            Op::Site(site) => self.site(site),
            Op::Block(block, whole) => self.block(block, whole),
            Op::BlockEnd(block, whole) => self.block_end(block, whole),
            Op::Role(role) => self.set_role(role),
            Op::HeadingOpen(heading, span) => self.heading_open(heading, span),
            Op::HeadingClose(heading, span) => self.heading_close(heading, span),
            Op::FenceOpen(fence, span) => self.fence_open(fence, span),
            Op::FenceClose(fence, span) => self.fence_close(fence, span),
            Op::CodeOpen(_) => self.code = self.on.then(|| self.out.save()),
            Op::CodeClose(fence) => self.code_close(fence),
            Op::LineOpen => {
                self.line = (self.on && self.out.is_line_start())
                    .then(|| (self.out.save(), self.references));
            }
            Op::LineEnd(span, flags) => self.line_end(span, flags),
            Op::SetText(text) => self.text = self.unit.text(text),
            Op::SetSection(heading) => self.enter_section(self.section_of(heading)),
            Op::Border => {
                if self.on {
                    self.out.border(self.glue(Span::default()));
                }
            }
            Op::PartOpen(part) => self.part_open(part),
            Op::PartClose(part) => self.part_close(part),
            Op::FileEnd => self.leave_open(),
        }
    }

    fn text(&self) -> &'p Text {
        &self.program.texts[self.text as usize]
    }

    fn slice(&self, span: Span) -> &'p str {
        &self.text().document.source.text()[span.range()]
    }

    fn from(&self, kind: FromKind, span: Span) -> From {
        From { kind, text: self.text, span, instance: self.instance }
    }

    fn source(&self, span: Span) -> From {
        self.from(FromKind::Source, span)
    }

    fn glue(&self, span: Span) -> From {
        self.from(FromKind::Glue, span)
    }

    /// The include directive of the file at hand, as what the engine adds comes from it; none in
    /// the entry.
    fn directive(&self) -> Option<From> {
        let placement = &self.program.placement;
        let (parent, site) = placement.instances[self.instance as usize].parent?;
        let unit = &self.program.units[placement.instances[parent as usize].unit as usize];
        let site = &unit.sites[site as usize];
        let text = unit.text(site.text);
        let include =
            &self.program.texts[text as usize].document.body.includes[site.include as usize];
        Some(From { kind: FromKind::Glue, text, span: include.span, instance: parent })
    }

    fn report(&mut self, finding: Finding) {
        /// Suggestions are sought for so many findings.
        const SUGGESTED: usize = 100;
        self.ran_findings.push(Met { text: self.text, instance: self.instance, finding });
        self.slots.suggests = self.ran_findings.len() < SUGGESTED;
    }

    /// The section of a heading of the unit at hand.
    fn section_of(&self, heading: u32) -> u32 {
        let instance = &self.program.placement.instances[self.instance as usize];
        match self.unit.headings.get(heading as usize) {
            Some(heading) => {
                self.program.placement.marks[(instance.marks + heading.layout) as usize]
            }
            None => instance.root,
        }
    }

    fn enter_section(&mut self, section: u32) {
        if self.out.tidy() && section != self.section && !self.is_contained() {
            self.out.begin_stripped(self.glue(Span::default()));
        }
        self.section = section;
        if let Some(gate) = self.gate {
            self.turn(gate.is_on(section));
        }
    }

    /// Switches printing on or off; what is left out leaves a seam.
    fn turn(&mut self, on: bool) {
        if self.on && !on {
            self.out.seam(self.glue(Span::default()));
        }
        self.on = on;
    }

    /// Whether a part of the unit's layout can print anything.
    fn is_live(&self, layout: Range<u32>) -> bool {
        let Some(gate) = self.gate else { return true };
        let marks = self.program.placement.instances[self.instance as usize].marks;
        let at = |index: u32| self.program.placement.marks[(marks + index) as usize];
        gate.any(at(layout.start), at(layout.end))
    }
}
