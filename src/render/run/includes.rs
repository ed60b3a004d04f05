//! Included files: calls of units, raw text and code.

use std::ops::Range;

use super::{Call, Frame, Machine, Targets};
use crate::compile::program::{Local, NEVER, TargetKind};
use crate::compile::uses::Printed;
use crate::diag::{Finding, codes};
use crate::parse::document::Flags;
use crate::parse::expr::{Expr, ExprKind, Path};
use crate::parse::include::Include;
use crate::render::output::{From, FromKind, Saved};
use crate::render::scope::{Shadowed, Slot};
use crate::render::{eval, inputs, outline};
use crate::text::Span;
use crate::value::equal;

impl<'p> Machine<'p> {
    pub(super) fn site(&mut self, index: u32) {
        let site = &self.unit.sites[index as usize];
        if self.gate.is_some() && !self.on && !self.is_live(site.layout..site.layout + 1) {
            return;
        }
        let targets = match self.chosen(index) {
            Ok(targets) => targets,
            Err(finding) => return self.report(finding),
        };
        let include = &self.text().document.body.includes[site.include as usize];
        if targets.is_empty() {
            return self.out.seam(self.glue(include.span));
        }
        self.target(index, Targets { rest: targets, begun: false });
    }

    /// The targets of a site that are printed.
    pub(super) fn chosen(&self, index: u32) -> Result<Range<usize>, Finding> {
        let targets = &self.unit.targets[index as usize];
        if targets.chosen_by.is_empty() {
            return Ok(0..targets.list.len());
        }
        let site = &self.unit.sites[index as usize];
        let text = self.text();
        let scope = self.slots.scope(self.program, text);
        let include = &text.document.body.includes[site.include as usize];
        let context = scope.context(0, include.span);
        let mut choice = Vec::new();
        for symbol in &targets.chosen_by {
            let reference = include.path.references.iter().find(|(_, of)| of == &Some(*symbol));
            let Some((span, _)) = reference else { continue };
            let name = Span::new(span.start + 2, span.end.saturating_sub(2));
            let path = Path { name: *symbol, name_span: name, parts: Vec::new() };
            let path = Expr { kind: ExprKind::Path(path), span: name };
            choice.push(eval::evaluate(&path, &context).map_err(|finding| *finding)?.into_owned());
        }
        let list = &targets.list;
        let is_chosen = |at: &usize| {
            let case = &list[*at].choice;
            case.len() == choice.len()
                && case.iter().zip(&choice).all(|(one, other)| equal(one, other))
        };
        let first = (0..list.len()).find(is_chosen).unwrap_or(list.len());
        Ok(first..first + (first..list.len()).take_while(is_chosen).count())
    }

    /// Prints the first of the targets; the others follow when it has ended.
    fn target(&mut self, index: u32, mut targets: Targets) {
        let site = &self.unit.sites[index as usize];
        let text = self.text();
        let include = &text.document.body.includes[site.include as usize];
        let mark = &text.document.body.include_marks[site.include as usize];
        while let Some(at) = targets.rest.next() {
            if !self.expand(include) {
                return;
            }
            let glue = self.glue(include.span);
            self.out.seam(glue);
            let saved = self.out.save();
            match &mark.prefix {
                Some(prefix) if targets.begun => self.out.enter_again(prefix),
                Some(prefix) => {
                    let before = mark.before;
                    self.out.enter(glue, self.slice(before), self.source(before), prefix);
                }
                None if self.is_contained() => {}
                None => self.out.border(glue),
            }
            if include.section.is_some() {
                self.out.begin_part();
            }
            match &self.unit.targets[index as usize].list[at].kind {
                TargetKind::Unit(unit) => {
                    let placement = &self.program.placement;
                    let sites = placement.instances[self.instance as usize].sites;
                    let children = &placement.sites[(sites + index) as usize];
                    let child = placement.children[children.start as usize + at];
                    if child == NEVER {
                        self.end_include(&saved, include, mark.prefix.is_some(), glue);
                        continue;
                    }
                    let Some(shadowed) = self.bind(include) else {
                        self.end_include(&saved, include, mark.prefix.is_some(), glue);
                        continue;
                    };
                    self.call(index, targets, *unit, child, saved, mark.prefix.is_some(), shadowed);
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
            targets.begun |= self.end_include(&saved, include, mark.prefix.is_some(), glue);
        }
        self.check_size(None);
    }

    pub(super) fn is_contained(&self) -> bool {
        self.program.placement.instances[self.instance as usize].contained
    }

    #[expect(clippy::too_many_arguments, reason = "each is one fact of the call")]
    pub(super) fn call(
        &mut self,
        site: u32,
        targets: Targets,
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
        self.text = self.unit.text(Local::FIRST);
        self.instance = instance;
        self.pc = 0;
        let root = self.program.placement.instances[instance as usize].root;
        self.enter_section(root);
    }

    /// Binds the variables of `with`; `None` where one of them cannot be evaluated.
    pub(super) fn bind(&mut self, include: &Include) -> Option<Shadowed<'p>> {
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
                let value = eval::evaluate(expr, &context).map_err(|finding| *finding);
                let met = value.and_then(|value| {
                    inputs::meet(self.program, slot, value.into_owned(), expr.span)
                });
                match met {
                    Ok(value) => values.push((slot, value)),
                    Err(finding) => findings.push(finding),
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

    /// Begins a file that was merged into the one at hand.
    pub(super) fn part_open(&mut self, index: u32) {
        let part = &self.unit.parts[index as usize];
        let own = self.on && part.own_content;
        if self.gate.is_some() && !own && !self.is_live(part.layout.clone()) {
            self.pc = part.end as usize + 1;
            return;
        }
        let include = &self.text().document.body.includes[part.include as usize];
        let glue = self.glue(include.span);
        if part.bordered {
            if !self.expand(include) {
                return;
            }
            self.out.seam(glue);
        }
        let saved = self.out.save();
        let Some(shadowed) = self.bind(include) else {
            self.pc = part.end as usize + 1;
            return;
        };
        if part.bordered {
            self.out.border(glue);
        }
        self.frames.push(Frame::Part { saved, role: self.role, shadowed });
    }

    pub(super) fn part_close(&mut self, index: u32) {
        let part = &self.unit.parts[index as usize];
        let Some(Frame::Part { saved, role, shadowed }) = self.frames.pop() else { return };
        self.slots.give_back(shadowed);
        self.restore_role(role);
        if part.bordered {
            let text = self.unit.text(part.text);
            let include =
                &self.program.texts[text as usize].document.body.includes[part.include as usize];
            let glue = From { text, ..self.glue(include.span) };
            self.end_include(&saved, include, false, glue);
        }
    }

    /// Counts an include that is expanded; `false` where it is one too many.
    fn expand(&mut self, include: &Include) -> bool {
        self.expansions += 1;
        let most = self.program.limits.max_expansions;
        if self.expansions <= most {
            return true;
        }
        let message = format!("more than {most} includes are expanded");
        let finding = Finding::new(codes::LIMIT_EXCEEDED, include.span, message)
            .help("include fewer files, or raise `max_expansions`");
        self.stopped = true;
        self.report(finding);
        false
    }

    /// Returns from the file at hand; `false` at the end of the entry.
    pub(super) fn end_of_unit(&mut self) -> bool {
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
        let printed = self.end_include(&call.saved, include, call.contained, glue);
        self.section = call.section;
        if let Some(gate) = self.gate {
            self.turn(gate.is_on(call.section));
        }
        if !call.targets.rest.is_empty() {
            let begun = call.targets.begun || printed;
            self.target(call.site, Targets { begun, ..call.targets });
        }
        true
    }

    /// What the file leaves open ends with it, where text follows.
    pub(super) fn leave_open(&mut self) {
        let document = &self.text().document;
        let Some(open) = document.body.open_end.as_ref().filter(|_| self.on) else {
            self.fence = None;
            return;
        };
        let mut closer = open.closer.to_string();
        let glue = self.directive().unwrap_or_else(|| self.glue(open.span));
        if let Some(fence) = open.fence {
            if document.body.fences[fence as usize].hidden {
                self.fence = None;
                return;
            }
            let Some(character) = self.fence.as_ref().map(|fence| char::from(fence.character))
            else {
                return;
            };
            let length = self.grow_fence().map_or(closer.len(), |(length, _)| length);
            closer = String::from(character).repeat(length);
        }
        self.out.leave_open(&format!("{}{closer}", open.prefix), glue);
    }

    /// Leaves the place of an include; whether it printed anything.
    pub(super) fn end_include(
        &mut self,
        saved: &Saved<'p>,
        include: &Include,
        in_container: bool,
        glue: From,
    ) -> bool {
        let printed = self.out.printed_since(saved);
        if printed && include.section.is_some() {
            self.out.end_part(glue);
        }
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
        printed
    }

    pub(super) fn print_raw(&mut self, text: u32, spans: &'p [Span]) {
        let document = &self.program.texts[text as usize].document;
        let source = document.source.text();
        let start = self.out.len();
        for &span in spans {
            let from = |span| From { kind: FromKind::Source, text, span, instance: self.instance };
            let written = &source[span.range()];
            let core = outline::without_blank_lines(written);
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
                    Flags::default(),
                    Flags::default(),
                );
            }
            if core.end < written.len() {
                let trail = core.end..written.len();
                self.out.blank_lines(&written[trail.clone()], from(part(trail)));
            }
        }
        self.raw.push(start..self.out.len());
    }

    pub(super) fn print_code(
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
