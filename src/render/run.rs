//! Runs a program: an explicit stack over operations, no recursion (language §4 to §9).

use std::ops::Range;
use std::sync::Arc;

use super::eval;
use super::fence::OpenFence;
use super::gate::Gate;
use super::output::{BlankLine, From, FromKind, Output, Saved};
use super::scope::{Shadowed, Slot, Slots};
use crate::compile::program::{Block, BlockKind, NEVER, Op, Program, Site, TargetKind, Text, Unit};
use crate::compile::uses::Printed;
use crate::diag::{Finding, codes};
use crate::parse::directive::RoleName;
use crate::parse::document::{Contain, Exposure, Flags};
use crate::parse::expr::{Expr, ExprKind, Path};
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
    targets: Range<usize>,
    saved: Saved<'p>,
    contained: bool,
    role: RoleName,
    shadowed: Shadowed<'p>,
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
        text: unit.text,
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
            Op::SetText(text) => self.text = text,
            Op::SetSection(heading) => self.enter_section(self.section_of(heading)),
            Op::Border => {
                if self.on {
                    self.out.border(self.glue(Span::default()));
                }
            }
            Op::Bind(_) | Op::Unbind(_) => {}
        }
    }

    // Places

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

    // Text

    fn print(&mut self, span: Span, flags: Flags) {
        if self.on {
            self.out.push(self.slice(span), self.source(span), flags, flags);
            self.check_size(None);
        } else {
            self.note_blank_in(span);
        }
    }

    fn blank(&mut self, span: Span) {
        if self.on {
            self.out.blank_lines(self.slice(span), self.source(span));
        } else {
            self.note_blank_in(span);
        }
    }

    /// Notes a blank line of what is left out.
    fn note_blank_in(&mut self, span: Span) {
        if self.out.in_seam() {
            let blank = self.text().document.first_blank_line(span);
            self.note_blank(blank);
        }
    }

    fn note_blank(&mut self, blank: Option<Span>) {
        if let Some(span) = blank {
            self.out.note_blank(BlankLine { line: self.slice(span), from: self.source(span) });
        }
    }

    fn line_end(&mut self, span: Span, flags: Flags) {
        let line = self.line.take();
        if !self.on {
            return;
        }
        if let Some((saved, references)) = line {
            let left = self.out.since(&saved).trim_start_matches([' ', '\t', '\n']);
            let blank = left.trim_matches([' ', '\t', '\n', '>']).is_empty();
            if blank && references == self.references {
                self.out.restore(&saved);
                return self.out.seam(self.glue(span));
            }
        }
        self.out.push(self.slice(span), self.source(span), Flags::default(), flags);
    }

    /// Stops where the output goes over its limit: at a reference, else at the include at hand.
    fn check_size(&mut self, reference: Option<Span>) {
        let most = self.program.limits.max_output;
        if self.out.len() <= most {
            return;
        }
        self.stopped = true;
        let message = format!("the output is larger than {most} bytes");
        let help = "render fewer sections, or raise `max_output`";
        let finding = |span| Finding::new(codes::LIMIT_EXCEEDED, span, message).help(help);
        if let Some(span) = reference {
            return self.report(finding(span));
        }
        let placement = &self.program.placement;
        match placement.instances[self.instance as usize].parent {
            Some((parent, site)) => {
                let unit = &self.program.units[placement.instances[parent as usize].unit as usize];
                let site = &unit.sites[site as usize];
                let include = &self.program.texts[site.text as usize].document.body.includes
                    [site.include as usize];
                let finding = finding(include.span);
                self.ran_findings.push(Met { text: site.text, instance: parent, finding });
            }
            None => self.report(finding(Span::default())),
        }
    }

    // Values

    fn reference(&mut self, index: u32, head: Flags) {
        if !self.on {
            return;
        }
        self.references += 1;
        let text = self.text();
        let mark = &text.document.body.references[index as usize];
        let budget = self.program.limits.max_output.saturating_sub(self.out.len());
        let mid_line = matches!(mark.exposure, Exposure::Line { after_letter: true, .. });
        let scope = self.slots.scope(self.program, text);
        let value = match eval::print(&mark.expr, &scope.context(budget, mark.span), mid_line) {
            Ok(value) => value,
            Err(finding) => {
                self.stopped |= finding.code == codes::LIMIT_EXCEEDED;
                return self.report(*finding);
            }
        };
        let from = self.from(FromKind::Value, mark.span);
        if self.out.len() + value.len() > self.program.limits.max_output {
            let message =
                format!("the output is larger than {} bytes", self.program.limits.max_output);
            let finding = Finding::new(codes::LIMIT_EXCEEDED, mark.span, message)
                .help("shorten the value, or raise `max_output`");
            self.stopped = true;
            return self.report(finding);
        }
        self.out.open(from, head);
        let start = self.out.len();
        match &mark.contain {
            Contain::Plain => self.out.value(&value, "", from, head),
            Contain::Prefix(prefix) => self.out.value(&value, prefix, from, head),
            Contain::OneLine => self.out.value_in_line(&value, from, head),
        }
        if let Some(fence) = &mut self.fence {
            fence.value(start..self.out.len());
        }
        if !self.out.has_prefix() && self.is_suspect(&value, mark.exposure, start) {
            let name = name_span(&mark.expr);
            let (text, instance) = (self.text, self.instance);
            self.suspects.push(Suspect { output: start..self.out.len(), text, instance, name });
        }
        self.check_size(Some(mark.span));
    }

    /// Whether a value could have changed the outline, so that the output has to be looked at.
    fn is_suspect(&self, value: &str, exposure: Exposure, start: usize) -> bool {
        let begins_with_letter = |line: &str| line.chars().next().is_some_and(char::is_alphabetic);
        match exposure {
            Exposure::Contained => false,
            Exposure::ItemStart => {
                value.trim_start_matches([' ', '\t']).is_empty() || value.starts_with('\n')
            }
            Exposure::Html => value.contains(['\n', '<', '>']),
            Exposure::Info => value.contains('`'),
            Exposure::Line { after_letter, ends_paragraph } => {
                let line_start = self.out.text()[..start].ends_with('\n') || start == 0;
                let mut lines = value.split('\n');
                let first = lines.next().unwrap_or_default();
                let first_is_safe = after_letter || (line_start && begins_with_letter(first));
                let further = lines
                    .all(|line| begins_with_letter(line) || (line.is_empty() && ends_paragraph));
                !first_is_safe || !further || value.ends_with('\n')
            }
        }
    }

    // Headings

    fn heading_open(&mut self, heading: u32, span: Span) {
        let section = self.section;
        let entry = self.program.placement.sections.get(section as usize);
        let printed = self.gate.is_none_or(|gate| gate.has_heading(section));
        let (Some(entry), true) = (entry, printed) else { return };
        self.on = true;
        let of = &self.unit.headings[heading as usize];
        let mark = &self.text().document.body.headings[of.mark as usize];
        let contained = self.program.placement.instances[self.instance as usize].contained;
        if self.out.tidy() {
            self.out.border(self.glue(mark.span));
        }
        let in_seam = self.out.in_seam();
        let head = Flags::HAZARD.when(mark.setext);
        let level = if contained { of.level } else { entry.level };
        self.out.open(self.source(Span::new(span.start, span.start)), head);
        let mut start = span.start;
        if mark.indent > 0
            && !contained
            && super::outline::is_swallowed(
                self.out.text(),
                mark.indent.into(),
                in_seam,
                &self.headings,
            )
        {
            if !self.out.text().ends_with("\n\n") && !self.out.text().is_empty() {
                self.out.border(self.glue(mark.span));
                self.out.open(self.source(Span::new(span.start, span.start)), head);
            }
            start += u32::from(mark.indent);
        }
        if !contained {
            self.headings.push(self.out.len());
            self.sections.push((self.out.len(), section));
        }
        if mark.setext {
            if start > span.start {
                self.skip_indent(span.start, start);
            }
            self.setext = Some((self.out.len(), self.references));
            return;
        }
        let signs_start = span.start + u32::from(mark.indent);
        let signs_end = signs_start + u32::from(mark.level);
        if level == mark.level {
            let span = Span::new(start, span.end);
            return self.out.push(self.slice(span), self.source(span), head, Flags::default());
        }
        let indent = Span::new(start, signs_start);
        self.out.push(self.slice(indent), self.source(indent), head, Flags::default());
        let signs = "######";
        let common = mark.level.min(level);
        let kept = Span::new(signs_start, signs_start + u32::from(common));
        self.out.push(self.slice(kept), self.source(kept), head, Flags::default());
        if level > common {
            let added = &signs[..usize::from(level - common)];
            self.out.push(added, self.glue(mark.span), head, Flags::default());
        }
        let rest = Span::new(signs_end.min(span.end), span.end);
        self.out.push(self.slice(rest), self.source(rest), head, Flags::default());
    }

    /// Leaves out the indentation of an underlined heading, which is part of its text.
    fn skip_indent(&mut self, from: u32, to: u32) {
        if let Some(Op::Text(span, flags)) = self.unit.ops.get(self.pc).copied() {
            if span.start == from && span.end >= to {
                self.pc += 1;
                let span = Span::new(to, span.end);
                self.out.push(self.slice(span), self.source(span), flags, flags);
            }
        }
    }

    fn heading_close(&mut self, heading: u32, span: Span) {
        if !self.on {
            return;
        }
        self.out.drop_pending_blank();
        let of = &self.unit.headings[heading as usize];
        let mark = &self.text().document.body.headings[of.mark as usize];
        let instance = &self.program.placement.instances[self.instance as usize];
        let entry = &self.program.placement.sections[self.section as usize];
        let level = if instance.contained { of.level } else { entry.level };
        let setext = self.setext.take().filter(|_| mark.setext);
        match setext {
            Some((start, references)) => {
                let written = self.slice(span);
                let dynamic =
                    references != self.references || self.out.text()[start..].contains("<!--");
                let stays = level == mark.level
                    && (!dynamic
                        || super::outline::is_underlined(&self.out.text()[start..], written));
                if stays {
                    self.out.push(written, self.source(span), Flags::default(), Flags::default());
                } else {
                    self.write_with_signs(start, level, mark.span);
                    let line_end = Span::new(span.start, span.start + 1);
                    self.out.push("\n", self.source(line_end), Flags::default(), Flags::default());
                }
            }
            None => self.out.push(
                self.slice(span),
                self.source(span),
                Flags::default(),
                Flags::default(),
            ),
        }
        if self.out.tidy() {
            self.out.border(self.glue(mark.span));
        }
        if let Some(gate) = self.gate {
            self.turn(gate.is_on(self.section));
        }
        self.check_size(None);
    }

    /// Turns the text of an underlined heading, printed from `start` on, into one with `#` signs.
    fn write_with_signs(&mut self, start: usize, level: u8, at: Span) {
        let glue = self.glue(at);
        let content = &self.out.text()[start..];
        let lead = content.len() - content.trim_start_matches([' ', '\t', '\n']).len();
        let mut edits: Vec<(Range<usize>, &str)> = Vec::new();
        let signs = &"######"[..usize::from(level)];
        let trimmed = content.trim_matches([' ', '\t', '\n']);
        edits.push((start..start + lead, signs));
        if !trimmed.is_empty() {
            edits.push((start + lead..start + lead, " "));
        }
        let mut at = lead;
        while let Some(line_end) =
            content[at..lead + trimmed.len()].find('\n').map(|found| at + found)
        {
            let before = content[..line_end].trim_end_matches([' ', '\t']).len();
            let behind = &content[line_end..];
            let next = line_end + behind.len() - behind.trim_start_matches([' ', '\t', '\n']).len();
            edits.push((start + before..start + next, " "));
            at = next;
        }
        let text = trimmed.trim_end_matches('#');
        if text.len() < trimmed.len() && (text.is_empty() || text.ends_with([' ', '\t', '\n'])) {
            let run = start + lead + text.len();
            edits.push((run..run, "\\"));
        }
        let end = start + content.len();
        let kept = start + lead + trimmed.len();
        edits.push((kept..end, ""));
        for (range, text) in edits.into_iter().rev() {
            if !range.is_empty() || !text.is_empty() {
                self.out.splice(range, text, glue);
            }
        }
    }

    // Code blocks

    fn fence_open(&mut self, fence: u32, span: Span) {
        if !self.on {
            return;
        }
        self.out.push(self.slice(span), self.source(span), Flags::default(), Flags::default());
        let mark = &self.text().document.body.fences[fence as usize];
        self.fence = Some(OpenFence::new(mark, self.out.len(), self.out.prefix_len()));
    }

    fn fence_close(&mut self, fence: u32, span: Span) {
        if !self.on {
            self.fence = None;
            return;
        }
        let signs = self.grow_fence(span);
        let written = self.slice(span);
        self.out.push(written, self.source(span), Flags::default(), Flags::default());
        if let Some(more) = signs.filter(|&length| length > written.len()) {
            let mark = &self.text().document.body.fences[fence as usize];
            let added = String::from(char::from(mark.character)).repeat(more - written.len());
            self.out.push(&added, self.glue(span), Flags::default(), Flags::default());
        }
    }

    /// Makes the open fence longer than any line of its text that would close it; gives the length.
    fn grow_fence(&mut self, at: Span) -> Option<usize> {
        let fence = self.fence.take()?;
        let length = fence.needed(self.out.text());
        if length > fence.length {
            let added = String::from(char::from(fence.character)).repeat(length - fence.length);
            let glue = self.glue(at);
            self.out.splice(fence.signs_end..fence.signs_end, &added, glue);
        }
        Some(length)
    }

    fn code_close(&mut self, fence: u32) {
        let Some(saved) = self.code.take() else { return };
        let mark = &self.text().document.body.fences[fence as usize];
        let glue = self.glue(mark.span);
        if mark.tools || mark.example {
            let content =
                super::fence::content(self.out.since(&saved), mark, self.out.prefix_len());
            self.collected.push(Collected {
                text: self.text,
                fence,
                instance: self.instance,
                content,
            });
        }
        if mark.hidden {
            self.out.restore(&saved);
            self.out.seam(glue);
            let span = mark.span;
            self.note_blank_in(span);
        }
    }

    // Roles

    fn set_role(&mut self, role: RoleName) {
        self.role = role;
        self.roles.push((self.out.len(), role));
    }

    fn restore_role(&mut self, role: RoleName) {
        if self.role != role {
            self.set_role(role);
        }
    }

    // Blocks

    fn block(&mut self, index: u32, whole: bool) {
        let block = &self.unit.blocks[index as usize];
        let at = self.glue(block.span);
        if whole {
            self.out.seam(at);
        }
        let layout = block.branches.first().map_or(0, |branch| branch.layout.start)
            ..block.branches.last().map_or(0, |branch| branch.layout.end);
        let own = self.on && block.branches.iter().any(|branch| branch.own_content);
        if self.gate.is_some() && !own && !self.is_live(layout) {
            return self.leave_block(block, None);
        }
        match &block.kind {
            BlockKind::If => self.choose(block),
            BlockKind::For(header) => {
                let text = self.text();
                let scope = self.slots.scope(self.program, text);
                let context = scope.context(self.program.limits.max_output, block.span);
                let items = match eval::items(&header.expr, header.names.len(), &context) {
                    Ok(eval::Items::List(items)) => Items::List(items),
                    Ok(eval::Items::Map(map)) => Items::Map(
                        map.iter().map(|(key, value)| (Arc::clone(key), value.clone())).collect(),
                    ),
                    Err(finding) => {
                        self.report(*finding);
                        return self.leave_block(block, None);
                    }
                };
                let names = header.names.iter().map(|(symbol, _)| text.slots[symbol.0 as usize]);
                let names = names.chain(self.program.loop_slot);
                let shadowed =
                    names.map(|slot| (slot, self.slots.replace(slot, Slot::Nothing))).collect();
                self.frames.push(Frame::Loop(Loop { items, next: 0, role: self.role, shadowed }));
                self.next_round(block);
            }
        }
    }

    /// Goes into the first branch whose condition holds.
    fn choose(&mut self, block: &'p Block) {
        for (at, branch) in block.branches.iter().enumerate() {
            let holds = match &branch.condition {
                None => Ok(true),
                Some(condition) => {
                    let scope = self.slots.scope(self.program, self.text());
                    eval::condition(
                        condition,
                        &scope.context(self.program.limits.max_output, block.span),
                    )
                }
            };
            match holds {
                Ok(true) => {
                    if at > 0 && self.marker_is_whole(branch.ops.start) {
                        self.out.seam(self.glue(block.span));
                    }
                    self.frames.push(Frame::Branch { role: self.role });
                    self.pc = branch.ops.start as usize;
                    return;
                }
                Ok(false) => self.note_blank(branch.blank),
                Err(finding) => {
                    self.report(*finding);
                    return self.leave_block(block, Some(at));
                }
            }
        }
        self.leave_block(block, Some(block.branches.len()));
    }

    /// Whether the marker right before an operation takes its line along.
    fn marker_is_whole(&self, ops: u32) -> bool {
        let before = (ops as usize).checked_sub(1).and_then(|at| self.unit.ops.get(at));
        matches!(before, Some(Op::BlockEnd(_, true)))
    }

    /// Goes behind a block; the branches from an index on are left out.
    fn leave_block(&mut self, block: &'p Block, from: Option<usize>) {
        if block.close_whole {
            self.out.seam(self.glue(block.span));
        }
        if self.out.in_seam() {
            for branch in block.branches.iter().skip(from.unwrap_or(0)) {
                self.note_blank(branch.blank);
            }
        }
        self.pc = block.end as usize;
    }

    fn block_end(&mut self, index: u32, whole: bool) {
        let block = &self.unit.blocks[index as usize];
        if whole {
            self.out.seam(self.glue(block.span));
        }
        match self.frames.last() {
            Some(Frame::Loop(_)) => self.next_round(block),
            Some(Frame::Branch { role }) => {
                let role = *role;
                self.frames.pop();
                self.restore_role(role);
                let at = index_of_branch(block, self.pc);
                self.leave_block(block, Some(at + 1));
            }
            _ => self.pc = block.end as usize,
        }
    }

    fn next_round(&mut self, block: &'p Block) {
        let Some(Frame::Loop(frame)) = self.frames.last_mut() else { return };
        let role = frame.role;
        let at = frame.next;
        frame.next += 1;
        let length = frame.items.len();
        let round = match &frame.items {
            Items::List(items) => items.get(at).map(|item| [Some(item.clone()), None]),
            Items::Map(items) => items
                .get(at)
                .map(|(key, value)| [Some(Value::Text(Arc::clone(key))), Some(value.clone())]),
        };
        let slots: Vec<u32> = frame.shadowed.iter().map(|(slot, _)| *slot).collect();
        self.restore_role(role);
        let Some(round) = round else {
            if let Some(Frame::Loop(frame)) = self.frames.pop() {
                self.slots.give_back(frame.shadowed);
            }
            if length > 0 {
                self.pc = block.end as usize
            } else {
                self.leave_block(block, None)
            }
            return;
        };
        let mut slots = slots.into_iter();
        for value in round.into_iter().flatten() {
            if let Some(slot) = slots.next() {
                self.slots.replace(slot, Slot::Bound(value));
            }
        }
        if let Some(slot) = slots.next() {
            self.slots.replace(slot, Slot::Round(eval::Round { index: at + 1, length }));
        }
        let branch = &block.branches[0];
        self.pc = branch.ops.start as usize;
        // A round begins in the section the block stands in.
        self.enter_section(self.section_of(block.section));
    }

    // Includes

    fn site(&mut self, index: u32) {
        let site = &self.unit.sites[index as usize];
        if self.gate.is_some() && !self.on && !self.is_live(site.layout..site.layout + 1) {
            return;
        }
        let targets = match self.chosen(site) {
            Ok(targets) => targets,
            Err(finding) => return self.report(finding),
        };
        let include = &self.text().document.body.includes[site.include as usize];
        if targets.is_empty() {
            return self.out.seam(self.glue(include.span));
        }
        self.target(index, targets);
    }

    /// The targets of a site that are printed.
    fn chosen(&self, site: &Site) -> Result<Range<usize>, Finding> {
        if site.chosen_by.is_empty() {
            return Ok(0..site.targets.len());
        }
        let text = self.text();
        let scope = self.slots.scope(self.program, text);
        let include = &text.document.body.includes[site.include as usize];
        let context = scope.context(0, include.span);
        let mut choice = Vec::new();
        for symbol in &site.chosen_by {
            let reference = include.path.references.iter().find(|(_, of)| of == &Some(*symbol));
            let Some((span, _)) = reference else { continue };
            let name = Span::new(span.start + 2, span.end.saturating_sub(2));
            let path = Path { name: *symbol, name_span: name, parts: Vec::new() };
            let path = Expr { kind: ExprKind::Path(path), span: name };
            choice.push(eval::evaluate(&path, &context).map_err(|finding| *finding)?.into_owned());
        }
        let found = site.targets.iter().position(|target| target.choice == choice);
        Ok(found.map_or(0..0, |at| at..at + 1))
    }

    /// Prints the first of the targets; the others follow when it has ended.
    fn target(&mut self, index: u32, targets: Range<usize>) {
        let site = &self.unit.sites[index as usize];
        let text = self.text();
        let include = &text.document.body.includes[site.include as usize];
        let mark = &text.document.body.include_marks[site.include as usize];
        let mut rest = targets;
        while let Some(at) = rest.next() {
            self.expansions += 1;
            if self.expansions > self.program.limits.max_expansions {
                let most = self.program.limits.max_expansions;
                let message = format!("more than {most} includes are expanded");
                let finding = Finding::new(codes::LIMIT_EXCEEDED, include.span, message)
                    .help("include fewer files, or raise `max_expansions`");
                self.stopped = true;
                return self.report(finding);
            }
            let glue = self.glue(include.span);
            self.out.seam(glue);
            let saved = self.out.save();
            match &mark.prefix {
                Some(prefix) => {
                    self.out.enter(self.slice(mark.before), self.source(mark.before), prefix);
                }
                None if self.is_contained() => {}
                None => self.out.border(glue),
            }
            match &site.targets[at].kind {
                TargetKind::Unit(unit) => {
                    let placement = &self.program.placement;
                    let sites = placement.instances[self.instance as usize].sites;
                    let children = &placement.sites[(sites + index) as usize];
                    let child = placement.children[children.start as usize + at];
                    if child == NEVER {
                        self.end_include(&saved, mark.prefix.is_some(), glue);
                        continue;
                    }
                    let Some(shadowed) = self.bind(include) else {
                        self.end_include(&saved, mark.prefix.is_some(), glue);
                        continue;
                    };
                    self.call(index, rest, *unit, child, saved, mark.prefix.is_some(), shadowed);
                    return;
                }
                TargetKind::Raw { text, spans } => {
                    if self.on {
                        self.print_raw(*text, spans);
                    }
                }
                TargetKind::Code { text, spans, language, fence } => {
                    if self.on {
                        self.print_code(*text, spans, language, *fence, glue);
                    }
                }
            }
            self.end_include(&saved, mark.prefix.is_some(), glue);
        }
        self.check_size(None);
    }

    fn is_contained(&self) -> bool {
        self.program.placement.instances[self.instance as usize].contained
    }

    #[expect(clippy::too_many_arguments, reason = "each is one fact of the call")]
    fn call(
        &mut self,
        site: u32,
        targets: Range<usize>,
        unit: u32,
        instance: u32,
        saved: Saved<'p>,
        contained: bool,
        shadowed: Shadowed<'p>,
    ) {
        self.frames.push(Frame::Call(Box::new(Call {
            unit: self.unit,
            text: self.text,
            instance: self.instance,
            section: self.section,
            pc: self.pc,
            site,
            targets,
            saved,
            contained,
            role: self.role,
            shadowed,
        })));
        self.unit = &self.program.units[unit as usize];
        self.text = self.unit.text;
        self.instance = instance;
        self.pc = 0;
        let root = self.program.placement.instances[instance as usize].root;
        self.enter_section(root);
    }

    /// Binds the variables of `with`; `None` where one of them cannot be evaluated.
    fn bind(&mut self, include: &crate::parse::include::Include) -> Option<Shadowed<'p>> {
        if include.with.is_empty() {
            return Some(Vec::new());
        }
        let text = self.text();
        let mut values = Vec::new();
        let mut findings = Vec::new();
        {
            let scope = self.slots.scope(self.program, text);
            let context = scope.context(self.program.limits.max_output, include.span);
            for (symbol, _, expr) in &include.with {
                let slot = text.slots[symbol.0 as usize];
                match eval::evaluate(expr, &context) {
                    Ok(value) => {
                        let value = value.into_owned();
                        findings.extend(super::inputs::check_with(
                            self.program,
                            slot,
                            &value,
                            expr.span,
                        ));
                        values.push((slot, value));
                    }
                    Err(finding) => findings.push(*finding),
                }
            }
        }
        if !findings.is_empty() {
            for finding in findings {
                self.report(finding);
            }
            return None;
        }
        let mut shadowed = Vec::with_capacity(values.len());
        for (slot, value) in values {
            shadowed.push((slot, self.slots.replace(slot, Slot::Bound(value))));
        }
        Some(shadowed)
    }

    /// Returns from the file at hand; `false` at the end of the entry.
    fn end_of_unit(&mut self) -> bool {
        self.leave_open();
        let Some(Frame::Call(call)) = self.frames.pop() else { return false };
        self.unit = call.unit;
        self.text = call.text;
        self.instance = call.instance;
        self.pc = call.pc;
        self.slots.give_back(call.shadowed);
        self.restore_role(call.role);
        let site = &self.unit.sites[call.site as usize];
        let include = &self.text().document.body.includes[site.include as usize];
        let glue = self.glue(include.span);
        self.end_include(&call.saved, call.contained, glue);
        self.section = call.section;
        if let Some(gate) = self.gate {
            self.turn(gate.is_on(call.section));
        }
        if !call.targets.is_empty() {
            self.target(call.site, call.targets);
        }
        true
    }

    /// What the file leaves open ends with it, where text follows.
    fn leave_open(&mut self) {
        let document = &self.text().document;
        let Some(open) = document.body.open_end.as_ref().filter(|_| self.on) else {
            self.fence = None;
            return;
        };
        let mut closer = open.closer.to_string();
        let glue = self.glue(open.span);
        if open.fence.is_some() {
            let Some(character) = self.fence.as_ref().map(|fence| char::from(fence.character))
            else {
                return;
            };
            let length = self.grow_fence(open.span).unwrap_or(closer.len());
            closer = String::from(character).repeat(length);
        }
        self.out.leave_open(&format!("{}{closer}", open.prefix), glue);
    }

    fn end_include(&mut self, saved: &Saved<'p>, in_container: bool, glue: From) {
        let printed = self.out.printed_since(saved);
        if in_container {
            self.out.leave(saved);
        }
        if !printed {
            self.out.restore_seam(saved);
        } else if in_container || self.is_contained() {
            self.out.seam(glue);
        } else {
            self.out.border(glue);
        }
    }

    fn print_raw(&mut self, text: u32, spans: &'p [Span]) {
        let document = &self.program.texts[text as usize].document;
        let source = document.source.text();
        let start = self.out.len();
        let open = Flags::ENDS_PARAGRAPH.with(Flags::ENDS_HTML);
        for &span in spans {
            let from = |span| From { kind: FromKind::Source, text, span, instance: self.instance };
            let written = &source[span.range()];
            let core = super::outline::without_blank_lines(written);
            let part = |range: Range<usize>| {
                let start = span.start + Span::at(0, range.start).end;
                Span::new(start, start + Span::at(0, range.len()).end)
            };
            if core.start > 0 {
                let lead = 0..core.start;
                self.out.blank_lines(&written[lead.clone()], from(part(lead)));
            }
            if !core.is_empty() {
                self.out.push(
                    &written[core.clone()],
                    from(part(core.clone())),
                    Flags::HAZARD,
                    open,
                );
            }
            if core.end < written.len() {
                let trail = core.end..written.len();
                self.out.blank_lines(&written[trail.clone()], from(part(trail)));
            }
        }
        self.raw.push(start..self.out.len());
    }

    fn print_code(
        &mut self,
        text: u32,
        spans: &'p [Span],
        language: &str,
        fence: usize,
        glue: From,
    ) {
        let document = &self.program.texts[text as usize].document;
        let signs = "`".repeat(fence);
        self.out.push(&format!("{signs}{language}\n"), glue, Flags::default(), Flags::default());
        for &span in spans {
            let from = From { kind: FromKind::Source, text, span, instance: self.instance };
            self.out.push(
                &document.source.text()[span.range()],
                from,
                Flags::default(),
                Flags::default(),
            );
        }
        if !self.out.is_line_start() {
            self.out.push("\n", glue, Flags::default(), Flags::default());
        }
        self.out.push(&format!("{signs}\n"), glue, Flags::default(), Flags::default());
    }
}

impl Items {
    fn len(&self) -> usize {
        match self {
            Self::List(items) => items.len(),
            Self::Map(items) => items.len(),
        }
    }
}

/// The branch that ends right before an operation.
fn index_of_branch(block: &Block, pc: usize) -> usize {
    block
        .branches
        .iter()
        .position(|branch| branch.ops.end as usize + 1 == pc)
        .unwrap_or(block.branches.len())
}

/// The place of the name that a reference prints.
fn name_span(expr: &Expr) -> Span {
    match &expr.kind {
        ExprKind::Path(path) => path.name_span,
        ExprKind::Pipe { head, .. } => name_span(head),
        _ => expr.span,
    }
}
