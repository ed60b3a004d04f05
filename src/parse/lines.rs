//! The lines of a text.

use crate::text::Span;

/// Where each line of a text begins.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    starts: Vec<u32>,
    end: u32,
}

impl Lines {
    pub(crate) fn of(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| Span::at(0, at + 1).end));
        let end = Span::at(0, text.len()).end;
        Self { starts: starts.collect(), end }
    }

    /// How many lines there are; a text that ends with a line end has an empty last one.
    pub(crate) fn count(&self) -> u32 {
        Span::at(0, self.starts.len()).end
    }

    /// The offset of a line's first byte; that of the text's end for lines past it.
    pub(crate) fn start(&self, line: u32) -> u32 {
        self.starts.get(line as usize).copied().unwrap_or(self.end)
    }

    /// The offset behind a line's line end.
    pub(crate) fn end(&self, line: u32) -> u32 {
        self.start(line + 1)
    }

    /// The line that holds an offset.
    pub(crate) fn at(&self, offset: u32) -> u32 {
        Span::at(0, self.starts.partition_point(|&start| start <= offset)).end.saturating_sub(1)
    }

    /// The text of a line, with its line end.
    pub(crate) fn slice<'t>(&self, text: &'t str, line: u32) -> &'t str {
        &text[self.start(line) as usize..self.end(line) as usize]
    }
}
