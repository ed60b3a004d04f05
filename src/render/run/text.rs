//! Text, blank lines, and the size of the output.

use super::{Machine, Met};
use crate::diag::{Finding, codes};
use crate::parse::document::Flags;
use crate::render::output::BlankLine;
use crate::text::Span;

impl Machine<'_> {
    pub(super) fn print(&mut self, span: Span, flags: Flags) {
        if self.on {
            self.out.push(self.slice(span), self.source(span), flags, flags);
            self.check_size(None);
        } else {
            self.note_blank_in(span);
        }
    }

    pub(super) fn blank(&mut self, span: Span) {
        if self.on {
            self.out.blank_lines(self.slice(span), self.source(span));
        } else {
            self.note_blank_in(span);
        }
    }

    /// Notes a blank line of what is left out.
    pub(super) fn note_blank_in(&mut self, span: Span) {
        if self.out.in_seam() {
            let blank = self.text().document.first_blank_line(span);
            self.note_blank(blank);
        }
    }

    pub(super) fn note_blank(&mut self, blank: Option<Span>) {
        if let Some(span) = blank {
            self.out.note_blank(BlankLine { line: self.slice(span), from: self.source(span) });
        }
    }

    pub(super) fn line_end(&mut self, span: Span, flags: Flags) {
        let line = self.line.take();
        if !self.on {
            return;
        }
        let mut ends = flags;
        if let Some((saved, references)) = line {
            let left = self.out.since(&saved).trim_start_matches([' ', '\t', '\n']);
            let blank = left.trim_matches([' ', '\t', '\n', '>']).is_empty();
            if blank && references == self.references {
                self.out.restore(&saved);
                return self.out.seam(self.glue(span));
            }
            if left.starts_with("<!--") {
                ends = Flags::default();
            }
        }
        if ends.has(Flags::ENDS_COMMENTED) {
            ends = ends.with(Flags::ENDS_PARAGRAPH);
        }
        self.out.push(self.slice(span), self.source(span), Flags::default(), ends);
    }

    /// Stops where the output goes over its limit: at a reference, else at the include at hand.
    pub(super) fn check_size(&mut self, reference: Option<Span>) {
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
        match self.directive() {
            Some(at) => {
                let finding = finding(at.span);
                self.ran_findings.push(Met { text: at.text, instance: at.instance, finding });
            }
            None => self.report(finding(Span::default())),
        }
    }
}
