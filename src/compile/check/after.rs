//! Text behind sections that ended before it: it belongs to the section before, and reads as a
//! part of the one that was opened last.

use std::collections::HashMap;
use std::ops::Range;

use crate::compile::program::{BlockKind, Local, NEVER, Op, Program, Target, TargetKind, Unit};
use crate::diag::{Diagnostic, Finding, codes};
use crate::parse::Document;
use crate::text::Span;

/// Text behind a block or an include that opened a section, at the text. An include whose own
/// text comes there is such text, at the directive.
pub(super) fn text_after_sections(program: &Program) -> Vec<Diagnostic> {
    let mut placed: HashMap<u32, u32> = HashMap::new();
    for (instance, number) in program.placement.instances.iter().zip(0..) {
        if !instance.contained {
            placed.entry(instance.unit).or_insert(number);
        }
    }
    let mut kinds = vec![Kind::default(); program.units.len()];
    let mut told = Vec::new();
    for unit in parts_first(program) {
        let (kind, found) = Walk::new(program, unit, &kinds).run();
        kinds[unit as usize] = kind;
        let Some(&instance) = placed.get(&unit) else { continue };
        told.extend(found.into_iter().map(|(text, span)| {
            let message =
                "this text belongs to the section before, and reads as a part of the last one";
            let finding = Finding::new(codes::TEXT_AFTER_SECTION, span, message)
                .help("move it up, or give it a heading");
            program.diagnostic(text, instance, finding)
        }));
    }
    told
}

/// What a file is for the text around its include.
#[derive(Clone, Copy, Default)]
struct Kind {
    /// It opens sections.
    opens: bool,
    /// Before any section it prints text.
    speaks: bool,
}

/// The units, each behind those that it includes, which are never around it.
fn parts_first(program: &Program) -> Vec<u32> {
    let mut order = Vec::with_capacity(program.units.len());
    let mut seen = vec![false; program.units.len()];
    for first in 0..crate::compile::lower::index(program.units.len()) {
        let mut open = vec![(first, targets(&program.units[first as usize]))];
        if std::mem::replace(&mut seen[first as usize], true) {
            continue;
        }
        while let Some((unit, parts)) = open.last_mut() {
            let Some(part) = parts.next() else {
                order.push(*unit);
                open.pop();
                continue;
            };
            if !std::mem::replace(&mut seen[part as usize], true) {
                open.push((part, targets(&program.units[part as usize])));
            }
        }
    }
    order
}

fn targets(unit: &Unit) -> impl Iterator<Item = u32> {
    let targets = unit.targets.iter().flat_map(|targets| &targets.list);
    targets.filter_map(|target| match target.kind {
        TargetKind::Unit(unit) => Some(unit),
        _ => None,
    })
}

struct Walk<'p> {
    program: &'p Program,
    unit: &'p Unit,
    kinds: &'p [Kind],
    text: u32,
    /// The heading at hand; [`NEVER`] before the first.
    heading: u32,
    state: State,
    open: Vec<Open>,
    /// Inside a code block that is not printed.
    hidden: bool,
    kind: Kind,
    found: Vec<(u32, Span)>,
}

/// What came before on the way to a place.
#[derive(Clone, Copy, Default)]
struct State {
    /// A section has ended, and neither text nor a heading came since.
    ended: bool,
    /// A section was opened, in the file or in the block at hand.
    opened: bool,
    opened_here: bool,
}

/// A block or a part that is open.
struct Open {
    entry: State,
    /// Whether a branch opened a section, and whether all leave behind what ended before.
    opened: bool,
    ended: bool,
    /// The first text of the block, where no section of the block comes before.
    lead: Option<(u32, Span)>,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program, unit: u32, kinds: &'p [Kind]) -> Self {
        let unit = &program.units[unit as usize];
        Self {
            program,
            unit,
            kinds,
            text: unit.text(Local::FIRST),
            heading: NEVER,
            state: State::default(),
            open: Vec::new(),
            hidden: false,
            kind: Kind::default(),
            found: Vec::new(),
        }
    }

    fn run(mut self) -> (Kind, Vec<(u32, Span)>) {
        for (at, op) in self.unit.ops.iter().enumerate() {
            self.step(at, *op);
        }
        (self.kind, self.found)
    }

    fn document(&self) -> &'p Document {
        &self.program.texts[self.text as usize].document
    }

    fn step(&mut self, at: usize, op: Op) {
        match op {
            Op::SetText(text) => self.text = self.unit.text(text),
            Op::SetSection(heading) => self.heading = heading,
            Op::HeadingOpen(..) => self.section(),
            Op::Text(span, _) => {
                if let Some(text) = first_text(self.document().source.slice(span)) {
                    let at = |offset| span.start + Span::at(0, offset).end;
                    self.content(Span::new(at(text.start), at(text.end)));
                }
            }
            Op::Reference(index, _) => {
                self.content(self.document().body.references[index as usize].span);
            }
            Op::FenceOpen(_, span) => self.content(span),
            Op::CodeOpen(fence) => self.hidden = self.document().body.fences[fence as usize].hidden,
            Op::CodeClose(_) => self.hidden = false,
            Op::Site(site) => self.site(site),
            Op::Block(..) | Op::PartOpen(_) => self.enter(),
            Op::BlockEnd(block, _) => self.end_branch(at, block),
            Op::PartClose(_) => {
                self.leave_branch();
                self.leave();
            }
            _ => {}
        }
    }

    /// A section begins.
    fn section(&mut self) {
        self.kind.opens = true;
        self.state = State { ended: false, opened: true, opened_here: true };
    }

    /// Something is printed that belongs to the section at hand.
    fn content(&mut self, span: Span) {
        if self.hidden {
            return;
        }
        if std::mem::take(&mut self.state.ended) {
            self.found.push((self.text, span));
        }
        if self.heading == NEVER && !self.state.opened {
            self.kind.speaks = true;
        }
        if let Some(open) = self.open.last_mut().filter(|_| !self.state.opened_here) {
            open.lead.get_or_insert((self.text, span));
        }
    }

    fn site(&mut self, index: u32) {
        let site = &self.unit.sites[index as usize];
        let body = &self.document().body;
        let include = &body.includes[site.include as usize];
        let contained = body.include_marks[site.include as usize].prefix.is_some();
        let kind = |target: &Target| match target.kind {
            TargetKind::Unit(unit) => self.kinds[unit as usize],
            _ => Kind { opens: false, speaks: true },
        };
        let targets = &self.unit.targets[index as usize].list;
        let some = |of: fn(Kind) -> bool| targets.iter().any(|target| of(kind(target)));
        let opens = !contained && some(|kind| kind.opens);
        if contained || include.section.is_none() && some(|kind| kind.speaks) {
            self.content(include.span);
        }
        if opens {
            self.kind.opens = true;
            self.state = State { ended: true, opened: true, opened_here: true };
        }
    }

    fn enter(&mut self) {
        let entry = self.state;
        self.open.push(Open { entry, opened: false, ended: entry.ended, lead: None });
        self.state.opened_here = false;
    }

    fn end_branch(&mut self, at: usize, block: u32) {
        let block = &self.unit.blocks[block as usize];
        self.leave_branch();
        if block.branches.last().is_none_or(|last| last.ops.end as usize == at) {
            let lead = self.leave();
            if let (BlockKind::For(_), Some(lead)) = (&block.kind, lead) {
                // In the next round it comes behind the section of this one.
                self.found.push(lead);
            }
        }
    }

    /// A branch ends, and with it its sections.
    fn leave_branch(&mut self) {
        let Some(open) = self.open.last_mut() else { return };
        open.opened |= self.state.opened_here;
        open.ended &= self.state.ended;
        self.state = State { opened_here: false, ..open.entry };
    }

    /// A block ends; gives its first text, if a section was opened in it.
    fn leave(&mut self) -> Option<(u32, Span)> {
        let open = self.open.pop()?;
        self.state = State {
            ended: open.opened || open.ended,
            opened: open.entry.opened || open.opened,
            opened_here: open.entry.opened_here || open.opened,
        };
        if let Some(above) = self.open.last_mut().filter(|_| !open.entry.opened_here) {
            above.lead = above.lead.or(open.lead);
        }
        open.lead.filter(|_| open.opened)
    }
}

/// The first line that a reader sees as text: comments and tags that only close are none.
fn first_text(text: &str) -> Option<Range<usize>> {
    if text.trim_start().starts_with("<!--") {
        return None;
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let words = line.trim_start_matches([' ', '\t']);
        if !words.trim().is_empty() && !only_closes(words.trim()) {
            let begin = start + line.len() - words.len();
            return Some(begin..begin + words.trim_end().len());
        }
        start += line.len();
    }
    None
}

/// Whether a line is nothing but closing tags.
fn only_closes(line: &str) -> bool {
    let mut rest = line;
    while let Some(tag) = rest.strip_prefix("</") {
        let Some((name, behind)) = tag.split_once('>') else { return false };
        if name.is_empty() || name.contains(['<', '/']) {
            return false;
        }
        rest = behind.trim_start();
    }
    rest.is_empty()
}
