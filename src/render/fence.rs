//! Fences of the output: long enough for what values put into them (language §4).

use std::ops::Range;

use crate::parse::document::FenceMark;
use crate::text::Span;

/// A fence whose opening is printed.
#[derive(Debug)]
pub(super) struct OpenFence {
    pub(super) character: u8,
    /// The length of the opening as written.
    pub(super) length: usize,
    /// Where the signs of the opening end in the output.
    pub(super) signs_end: usize,
    /// Bytes of a line that belong to containers.
    prefix: usize,
    /// The lines that values were printed in.
    values: Vec<(Range<usize>, Span)>,
}

impl OpenFence {
    pub(super) fn new(mark: &FenceMark, signs_end: usize, prefix: usize) -> Self {
        Self {
            character: mark.character,
            length: mark.length as usize,
            signs_end,
            prefix: prefix + mark.prefix as usize,
            values: Vec::new(),
        }
    }

    /// A value was printed inside.
    pub(super) fn value(&mut self, output: Range<usize>, reference: Span) {
        self.values.push((output, reference));
    }

    /// The length that the fence needs, so that no line made with a value closes it, and the
    /// reference of the value that asks for it.
    pub(super) fn needed(&self, output: &str) -> (usize, Span) {
        let mut needed = (self.length, Span::default());
        let opening = output[self.signs_end..].find('\n');
        let body = opening.map_or(output.len(), |line_end| self.signs_end + line_end);
        let mut seen = 0;
        for (value, reference) in self.values.iter().filter(|(value, _)| value.start > body) {
            let start = output[..value.start].rfind('\n').map_or(0, |at| at + 1).max(seen);
            let end = output[value.end..].find('\n').map_or(output.len(), |at| value.end + at);
            if start >= end {
                continue;
            }
            seen = end;
            for line in output[start..end].split('\n') {
                if let Some(run) = self.closes(line)
                    && run >= needed.0
                {
                    needed = (run + 1, *reference);
                }
            }
        }
        needed
    }

    /// The length of the run of signs of a line that would close the fence.
    fn closes(&self, line: &str) -> Option<usize> {
        let line = behind_prefix(line, self.prefix);
        let signs = line.trim_start_matches(' ');
        if line.len() - signs.len() > 3 {
            return None;
        }
        let rest = signs.trim_start_matches(char::from(self.character));
        let run = signs.len() - rest.len();
        (run >= self.length && rest.trim_matches([' ', '\t']).is_empty()).then_some(run)
    }
}

/// The text of a printed block: what stands between its first and its last line, without the
/// prefix of its containers.
pub(super) fn content(printed: &str, mark: &FenceMark, prefix: usize) -> String {
    let printed = printed.trim_start_matches('\n');
    let body = printed.split_once('\n').map_or("", |(_, body)| body);
    let prefix = prefix + mark.prefix as usize;
    let mut lines: Vec<&str> = body.split_inclusive('\n').collect();
    let closes = |line: &&str| {
        let signs = behind_prefix(line, prefix).trim_matches([' ', '\t', '\n']);
        signs.len() >= mark.length as usize && signs.bytes().all(|byte| byte == mark.character)
    };
    if lines.last().is_some_and(closes) {
        lines.pop();
    }
    lines
        .into_iter()
        .map(|line| {
            let text = behind_prefix(line, prefix);
            if text.is_empty() { "\n" } else { text }
        })
        .collect()
}

/// A line behind the marks of its containers: a mark may stand without the blank behind it.
fn behind_prefix(line: &str, prefix: usize) -> &str {
    let marks = line.bytes().take(prefix);
    &line[marks.take_while(|byte| matches!(byte, b' ' | b'\t' | b'>')).count()..]
}
