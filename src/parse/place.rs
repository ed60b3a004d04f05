//! What the place of a piece means: how a value is held in there, and what may happen at a seam.

use std::sync::Arc;

use super::document::{Contain, Exposure, Flags};
use super::markdown::{self, Block, BlockKind, Container, ContainerKind, Heading, Structure};
use crate::text::Span;

/// Answers questions about places of one text.
pub(super) struct Places<'s> {
    text: &'s str,
    structure: &'s Structure,
    /// The last paragraph asked about, by its first line: whether it is a table, and its prefix.
    table: Option<(u32, bool)>,
    lazy: Option<(u32, Contain)>,
}

impl<'s> Places<'s> {
    pub(super) fn new(text: &'s str, structure: &'s Structure) -> Self {
        Self { text, structure, table: None, lazy: None }
    }

    fn line(&self, number: u32) -> &'s str {
        self.structure.lines.slice(self.text, number)
    }

    /// How the value of a reference is held in, and what it could do all the same.
    pub(super) fn of_reference(&mut self, span: Span) -> (Contain, Exposure) {
        let number = self.structure.lines.at(span.start);
        let Some(block) = self.structure.block_at_line(number) else {
            return (self.prefix(number, None), self.exposed(span, number, None));
        };
        match &block.kind {
            BlockKind::Heading(_) => (Contain::Heading, Exposure::Contained),
            BlockKind::Fence(_) if number == block.first_line => (Contain::OneLine, Exposure::Info),
            BlockKind::Fence(_) | BlockKind::IndentedCode => {
                (self.prefix(number, block.container), Exposure::Contained)
            }
            BlockKind::Html { .. } => {
                let exposure = if block.container.is_some() {
                    Exposure::Contained
                } else if ends_comment(block, number) {
                    Exposure::Line { after_letter: false, ends_paragraph: false }
                } else {
                    Exposure::Html
                };
                (self.prefix(number, block.container), exposure)
            }
            BlockKind::Paragraph | BlockKind::Definitions | BlockKind::Rule => {
                self.of_paragraph(span, number, block)
            }
        }
    }

    fn of_paragraph(&mut self, span: Span, number: u32, block: &Block) -> (Contain, Exposure) {
        let prefix = self.structure.prefix(self.text, number, block.container);
        let row = self.line(number)[prefix.length..].starts_with('|') || self.is_table(block);
        let exposure = if block.container.is_none() || prefix.lazy {
            self.exposed(span, number, Some(block))
        } else if self.starts_item(span, number, block, prefix.length) {
            Exposure::ItemStart
        } else {
            Exposure::Contained
        };
        if row {
            return (Contain::OneLine, exposure);
        }
        if prefix.lazy {
            let contain = match &self.lazy {
                Some((first, contain)) if *first == block.first_line => contain.clone(),
                _ => self.prefix(block.first_line, block.container),
            };
            self.lazy = Some((block.first_line, contain.clone()));
            return (contain, exposure);
        }
        (contain_in(&prefix.text), exposure)
    }

    fn prefix(&self, number: u32, container: Option<u32>) -> Contain {
        contain_in(&self.structure.prefix(self.text, number, container).text)
    }

    fn is_table(&mut self, block: &Block) -> bool {
        if let Some((first, table)) = self.table
            && first == block.first_line
        {
            return table;
        }
        let table = (block.first_line + 1..=block.last_line).any(|number| {
            let line = self.line(number);
            is_delimiter_row(
                &line[self.structure.prefix(self.text, number, block.container).length..],
            )
        });
        self.table = Some((block.first_line, table));
        table
    }

    fn starts_item(&self, span: Span, number: u32, block: &Block, length: usize) -> bool {
        let Some(container) = block.container else { return false };
        let container = self.structure.containers[container as usize];
        matches!(container.kind, ContainerKind::Item { .. })
            && container.first_line == number
            && self.structure.lines.start(number) + Span::at(0, length).end == span.start
    }

    fn exposed(&self, span: Span, number: u32, block: Option<&Block>) -> Exposure {
        let before = &self.text[self.structure.lines.start(number) as usize..span.start as usize];
        let after_letter = before
            .trim_start_matches([' ', '\t'])
            .chars()
            .next()
            .is_some_and(|first| first.is_alphabetic() && !before.contains("<!--"));
        let ends_paragraph = block.is_some_and(|block| block.last_line == number);
        Exposure::Line { after_letter, ends_paragraph }
    }

    /// Whether a reference is alone on its line, apart from marks of its containers.
    pub(super) fn is_alone(&self, span: Span) -> bool {
        let number = self.structure.lines.at(span.start);
        let container = self.structure.block_at_line(number).and_then(|block| block.container);
        let prefix = self.structure.prefix(self.text, number, container);
        let start = self.structure.lines.start(number) + Span::at(0, prefix.length).end;
        let after = &self.text[span.end as usize..self.structure.lines.end(number) as usize];
        start == span.start && after.trim_matches([' ', '\t', '\n']).is_empty()
    }

    /// The innermost container of the block on the line of an offset.
    pub(super) fn container(&self, offset: u32) -> Option<u32> {
        self.structure
            .block_at_line(self.structure.lines.at(offset))
            .and_then(|block| block.container)
    }

    /// How many quotes are open at a container.
    pub(super) fn quotes(&self, container: Option<u32>) -> usize {
        let mut quotes = 0;
        let mut next = container;
        while let Some(index) = next {
            let container = self.structure.containers[index as usize];
            quotes += usize::from(container.kind == ContainerKind::Quote);
            next = container.parent;
        }
        quotes
    }

    /// The flags of a text that begins at a line's start, behind a seam, and goes on to the next
    /// seam.
    pub(super) fn head(&self, region: Span) -> Flags {
        let number = self.structure.lines.at(region.start);
        let text = &self.text[region.range()];
        match self.structure.block_at_line(number) {
            Some(block) if block.first_line < number => {
                return Flags::IN_HTML.when(matches!(block.kind, BlockKind::Html { .. }));
            }
            Some(block) if self.interrupts(block, number) => return Flags::default(),
            Some(Block { kind: BlockKind::Paragraph, container: None, last_line, .. }) => {
                let last = self.structure.lines.at(region.end.saturating_sub(1));
                let joins = Flags::JOINS.when(*last_line >= last);
                return joins.with(Flags::HAZARD.when(is_underline(self.line(number))));
            }
            // A list item may begin with an empty line.
            None if is_blank_in(self.line(number), usize::MAX) => return Flags::default(),
            Some(_) | None => {}
        }
        let (below, lazily) = (markdown::below("x", text), markdown::below("> x", text));
        Flags::HAZARD
            .when(below.changes_outline)
            .with(Flags::LAZY_HAZARD.when(lazily.changes_outline))
            .with(Flags::JOINS.when(below.joins))
    }

    /// Whether a block that begins on a line is the same right below a paragraph.
    fn interrupts(&self, block: &Block, number: u32) -> bool {
        let Some(container) = self.outermost(block.container) else {
            return match block.kind {
                BlockKind::Rule => !is_underline(self.line(number)),
                BlockKind::Fence(_) | BlockKind::Html { kind: 1..=6, .. } => true,
                BlockKind::Heading(Heading { setext, .. }) => !setext,
                _ => false,
            };
        };
        // A container that goes on is the same on both sides of the seam.
        container.first_line < number
            || container.kind == ContainerKind::Quote
            || opens_list(self.line(number))
    }

    fn outermost(&self, container: Option<u32>) -> Option<&Container> {
        let mut index = container?;
        while let Some(parent) = self.structure.containers[index as usize].parent {
            index = parent;
        }
        Some(&self.structure.containers[index as usize])
    }

    /// The flags of the end of a line with directives in it.
    pub(super) fn line_tail(&self, end: u32) -> Flags {
        let number = self.structure.lines.at(end.saturating_sub(1));
        let block = self.structure.block_at_line(number);
        self.tail(end).with(
            Flags::ENDS_COMMENTED.when(block.is_some_and(|block| ends_comment(block, number))),
        )
    }

    /// The flags of a text that ends with a line end, before a seam.
    pub(super) fn tail(&self, end: u32) -> Flags {
        let number = self.structure.lines.at(end.saturating_sub(1));
        let Some(block) = self.structure.block_at_line(number) else { return Flags::default() };
        match (&block.kind, block.container) {
            (BlockKind::Paragraph | BlockKind::Definitions, None) => Flags::ENDS_PARAGRAPH,
            (BlockKind::Paragraph | BlockKind::Definitions, Some(_)) => Flags::ENDS_LAZY,
            (BlockKind::Html { kind: 6 | 7, .. }, None) => Flags::ENDS_HTML,
            _ => Flags::default(),
        }
    }
}

fn contain_in(prefix: &str) -> Contain {
    if prefix.is_empty() { Contain::Plain } else { Contain::Prefix(Arc::from(prefix)) }
}

pub(super) fn is_blank(line: &str) -> bool {
    line.trim_matches([' ', '\t', '\n']).is_empty()
}

/// Whether a line is blank in a container with so many quotes: nothing but blanks and that many
/// quote marks at the most.
pub(super) fn is_blank_in(line: &str, quotes: usize) -> bool {
    let marks = line.bytes().filter(|&byte| byte == b'>').count();
    marks <= quotes && line.trim_matches([' ', '\t', '\n', '>']).is_empty()
}

/// Whether a line below a paragraph would underline it.
pub(super) fn is_underline(line: &str) -> bool {
    let text = line.trim_end_matches([' ', '\t', '\n']);
    let signs = text.trim_start_matches(' ');
    text.len() - signs.len() <= 3
        && !signs.is_empty()
        && (signs.bytes().all(|byte| byte == b'=') || signs.bytes().all(|byte| byte == b'-'))
}

/// Whether a line begins a list wherever it stands: with a sign, or the number 1, and text.
fn opens_list(line: &str) -> bool {
    let text = line.trim_start_matches(' ');
    let rest = text
        .strip_prefix(['-', '+', '*'])
        .or_else(|| text.strip_prefix('1')?.strip_prefix(['.', ')']))
        .unwrap_or_default();
    rest.starts_with([' ', '\t']) && !is_blank(rest)
}

/// Whether a line would be a heading with `#` signs.
pub(super) fn is_hash_heading(line: &str) -> bool {
    let text = line.trim_start_matches(' ');
    let rest = text.trim_start_matches('#');
    let signs = text.len() - rest.len();
    line.len() - text.len() <= 3
        && (1..=6).contains(&signs)
        && (rest.is_empty() || rest.starts_with([' ', '\t', '\n']))
}

/// Whether a line is the last of a comment at the top level, so that text may stand behind it.
fn ends_comment(block: &Block, number: u32) -> bool {
    matches!(block.kind, BlockKind::Html { kind: 2, .. })
        && block.container.is_none()
        && block.last_line == number
}

fn is_delimiter_row(line: &str) -> bool {
    let row = line.trim_matches([' ', '\t', '\n']);
    row.contains('-')
        && row.contains(['|', ':'])
        && row.split('|').map(|cell| cell.trim_matches([' ', '\t'])).all(|cell| {
            let dashes = cell.strip_prefix(':').unwrap_or(cell);
            dashes.strip_suffix(':').unwrap_or(dashes).bytes().all(|byte| byte == b'-')
        })
}
