//! Headings: their levels, and how underlined ones are written.

use std::ops::Range;

use super::Machine;
use crate::compile::program::Op;
use crate::compile::uses::Printed;
use crate::parse::document::Flags;
use crate::render::outline;
use crate::render::output::From;
use crate::text::Span;

impl Machine<'_> {
    pub(super) fn heading_open(&mut self, heading: u32, span: Span) {
        let section = self.section;
        let entry = self.program.placement.sections.get(section as usize);
        let printed = self.gate.is_none_or(|gate| gate.has_heading(section));
        let (Some(entry), true) = (entry, printed) else { return };
        self.on = true;
        let of = &self.unit.headings[heading as usize];
        let mark = &self.text().document.body.headings[of.mark as usize];
        let contained = self.program.placement.instances[self.instance as usize].contained;
        if self.out.tidy() && !contained {
            self.out.end_stripped(self.glue(mark.span));
        }
        let in_seam = self.out.in_seam();
        let head = Flags::HAZARD.when(mark.setext);
        let level = if contained { of.level } else { entry.level };
        self.out.open(self.source(Span::new(span.start, span.start)), head);
        let mut start = span.start;
        if mark.indent > 0
            && !contained
            && outline::is_swallowed(self.out.text(), mark.indent.into(), in_seam, &self.headings)
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
        if level > mark.level {
            let added = &"######"[..usize::from(level - mark.level)];
            self.out.push(added, self.moved_by(mark.span), head, Flags::default());
        }
        let kept = Span::new(signs_end - u32::from(mark.level.min(level)), span.end);
        self.out.push(self.slice(kept), self.source(kept), head, Flags::default());
    }

    /// What moves the headings of the file at hand: the directive that includes it.
    fn moved_by(&self, heading: Span) -> From {
        self.directive().unwrap_or_else(|| self.glue(heading))
    }

    /// Leaves out the indentation of an underlined heading, which is part of its text.
    pub(super) fn skip_indent(&mut self, from: u32, to: u32) {
        if let Some(Op::Text(span, flags)) = self.unit.ops.get(self.pc).copied()
            && span.start == from
            && span.end >= to
        {
            self.pc += 1;
            let span = Span::new(to, span.end);
            self.out.push(self.slice(span), self.source(span), flags, flags);
        }
    }

    pub(super) fn heading_close(&mut self, heading: u32, span: Span) {
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
                    && (!dynamic || outline::is_underlined(&self.out.text()[start..], written));
                if stays {
                    self.out.push(written, self.source(span), Flags::default(), Flags::default());
                } else {
                    let at = if level == mark.level {
                        self.glue(mark.span)
                    } else {
                        self.moved_by(mark.span)
                    };
                    self.write_with_signs(start, level, at);
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
        if self.out.tidy() && !instance.contained {
            self.out.begin_stripped(self.glue(mark.span));
        }
        if let Some(gate) = self.gate {
            self.turn(gate.is_on(self.section));
        }
        self.check_size(None);
    }

    /// Turns the text of an underlined heading, printed from `start` on, into one with `#` signs.
    pub(super) fn write_with_signs(&mut self, start: usize, level: u8, glue: From) {
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
}
