//! The values of references, held in their containers.

use super::{Machine, Suspect};
use crate::diag::{Finding, codes};
use crate::parse::document::{Contain, Exposure, Flags};
use crate::parse::expr::{Expr, ExprKind};
use crate::render::eval;
use crate::render::output::FromKind;
use crate::text::Span;

impl Machine<'_> {
    pub(super) fn reference(&mut self, index: u32, head: Flags) {
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
        let begins_container = self.out.begins_container();
        self.out.open(from, head);
        let start = self.out.len();
        match &mark.contain {
            Contain::Plain => self.out.value(&value, "", from, head),
            Contain::Prefix(prefix) => self.out.value(&value, prefix, from, head),
            Contain::OneLine => self.out.value_in_line(&value, false, from, head),
            Contain::Heading => self.out.value_in_line(&value, true, from, head),
        }
        if let Some(fence) = &mut self.fence {
            fence.value(start..self.out.len(), mark.span);
        }
        let exposure = match mark.exposure {
            _ if begins_container => Exposure::ItemStart,
            _ if self.out.has_prefix() => Exposure::Contained,
            exposure => exposure,
        };
        if self.is_suspect(&value, exposure, start) {
            let name = name_span(&mark.expr);
            let (text, instance) = (self.text, self.instance);
            self.suspects.push(Suspect { output: start..self.out.len(), text, instance, name });
        }
        self.check_size(Some(mark.span));
    }

    /// Whether a value could have changed the outline, so that the output has to be looked at.
    pub(super) fn is_suspect(&self, value: &str, exposure: Exposure, start: usize) -> bool {
        let is_blank = |value: &str| value.trim_start_matches([' ', '\t']).is_empty();
        let begins_with_letter = |line: &str| line.chars().next().is_some_and(char::is_alphabetic);
        match exposure {
            Exposure::Contained => false,
            Exposure::ItemStart => is_blank(value) || value.starts_with('\n'),
            Exposure::Html => is_blank(value) || value.contains(['\n', '<', '>']),
            Exposure::Info => value.contains(['`', '~']),
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
}

/// The place of the name that a reference prints.
fn name_span(expr: &Expr) -> Span {
    match &expr.kind {
        ExprKind::Path(path) => path.name_span,
        ExprKind::Pipe { head, .. } => name_span(head),
        _ => expr.span,
    }
}
