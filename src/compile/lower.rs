//! Lowers the pieces of documents to a unit: operations, blocks, include sites and headings.

use std::ops::Range;

use super::program::{Block, BlockKind, Branch, Code, Heading, Layout, Local, Op, Part, Site};
use crate::parse::Document;
use crate::parse::document::{BlockMark, BlockMarkKind, Flags, Item, ItemKind};
use crate::text::Span;

/// Stands for "no heading" in operations.
pub(crate) const NO_HEADING: u32 = u32::MAX;

/// Lowers a whole document.
pub(crate) fn lower(document: &Document, strip: bool) -> Code {
    let mut lowerer = Lowerer::new();
    lowerer.pieces(Local::FIRST, document, strip, 0..document.body.items.len());
    lowerer.push(Op::FileEnd);
    lowerer.finish()
}

/// Builds code from pieces of one or more documents.
#[derive(Debug)]
pub(crate) struct Lowerer {
    unit: Code,
    /// The current text.
    text: Local,
    heading: Option<u32>,
    open: Vec<OpenBlock>,
    /// The parts that are open, the innermost last.
    parts: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct OpenBlock {
    block: u32,
    branch: u32,
    heading_before: Option<u32>,
    /// The operations, layout and source of the branch begin here.
    ops: u32,
    layout: u32,
    start: u32,
}

impl Lowerer {
    pub(crate) fn new() -> Self {
        Self {
            unit: Code::default(),
            text: Local::FIRST,
            heading: None,
            open: Vec::new(),
            parts: Vec::new(),
        }
    }

    pub(crate) fn finish(self) -> Code {
        self.unit
    }

    /// Lowers pieces of a document.
    pub(crate) fn pieces(
        &mut self,
        text: Local,
        document: &Document,
        strip: bool,
        items: Range<usize>,
    ) {
        self.set_text(text);
        for item in &document.body.items[items] {
            self.piece(document, strip, item);
        }
    }

    /// Makes a text the current one.
    pub(crate) fn set_text(&mut self, text: Local) {
        if self.text != text {
            self.text = text;
            self.push(Op::SetText(text));
        }
    }

    pub(crate) fn push(&mut self, op: Op) {
        self.unit.ops.push(op);
    }

    fn at(&self) -> u32 {
        index(self.unit.ops.len())
    }

    fn piece(&mut self, document: &Document, strip: bool, item: &Item) {
        let span = item.span;
        let whole = item.flags.has(Flags::WHOLE_LINE);
        match item.kind {
            ItemKind::Text => {
                let text = document.source.slice(span);
                if !text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n')) {
                    self.content();
                }
                self.push(Op::Text(span, item.flags));
            }
            ItemKind::Blank => self.push(Op::Blank(span)),
            ItemKind::Skip => {}
            ItemKind::Reference(index) => {
                self.content();
                self.push(Op::Reference(index, item.flags));
            }
            ItemKind::Include(Some(include)) => self.site(include),
            ItemKind::Include(None) | ItemKind::Marker | ItemKind::Merge(_) => {
                self.seam(whole, span);
            }
            ItemKind::Open(block) => self.open(document, block, span, whole),
            ItemKind::Branch(..) => self.branch(document, span, whole),
            ItemKind::Close(_) => self.close(document, span, whole),
            ItemKind::Role(role) => {
                self.seam(whole, span);
                self.push(Op::Role(role));
            }
            ItemKind::Comment if strip => self.seam(whole, span),
            ItemKind::Comment => {
                self.content();
                self.push(Op::Text(span, item.flags));
            }
            ItemKind::HeadingOpen(mark) => {
                let level = document.body.headings[mark as usize].level;
                let heading = self.open_heading(mark, level);
                self.push(Op::HeadingOpen(heading, span));
            }
            ItemKind::HeadingClose(_) => {
                let heading = self.heading.unwrap_or(NO_HEADING);
                self.push(Op::HeadingClose(heading, span));
            }
            ItemKind::FenceOpen(fence) => {
                self.content();
                self.push(Op::FenceOpen(fence, span));
            }
            ItemKind::FenceClose(fence) => self.push(Op::FenceClose(fence, span)),
            ItemKind::CodeOpen(fence) => self.push(Op::CodeOpen(fence)),
            ItemKind::CodeClose(fence) => self.push(Op::CodeClose(fence)),
            ItemKind::LineOpen => self.push(Op::LineOpen),
            ItemKind::LineEnd => self.push(Op::LineEnd(span, item.flags)),
        }
    }

    fn seam(&mut self, whole: bool, span: Span) {
        if whole {
            self.push(Op::Seam(span));
        }
    }

    /// Begins a heading: what follows belongs to it.
    fn open_heading(&mut self, mark: u32, level: u8) -> u32 {
        let mut parent = self.heading;
        while let Some(above) = parent {
            let above = &self.unit.headings[above as usize];
            if above.level < level {
                break;
            }
            parent = above.parent;
        }
        self.open_heading_below(mark, level, parent, None)
    }

    /// Begins a heading below another one, whatever their levels; `met` is the heading of a base
    /// that it replaced.
    pub(crate) fn open_heading_below(
        &mut self,
        mark: u32,
        level: u8,
        parent: Option<u32>,
        met: Option<(Local, u32)>,
    ) -> u32 {
        let heading = index(self.unit.headings.len());
        let layout = index(self.unit.layout.len());
        let block = self.open.last().map(|open| (open.block, open.branch));
        self.unit.headings.push(Heading {
            text: self.text,
            mark,
            level,
            parent,
            block,
            layout,
            met,
        });
        self.unit.layout.push(Layout::Heading(heading));
        self.set_heading(Some(heading));
        heading
    }

    pub(crate) fn set_heading(&mut self, heading: Option<u32>) {
        if self.heading != heading {
            self.heading = heading;
            self.push(Op::SetSection(heading.unwrap_or(NO_HEADING)));
        }
    }

    /// Notes that something is printed here.
    fn content(&mut self) {
        for &part in &self.parts {
            let part = &mut self.unit.parts[part as usize];
            part.own_content |= part.section == self.heading.unwrap_or(NO_HEADING);
        }
        if let Some(open) = self.open.last() {
            let block = &mut self.unit.blocks[open.block as usize];
            if block.section == self.heading.unwrap_or(NO_HEADING)
                && let Some(branch) = block.branches.get_mut(open.branch as usize)
            {
                branch.own_content = true;
            }
        }
    }

    fn site(&mut self, include: u32) {
        self.content();
        let site = index(self.unit.sites.len());
        self.unit.sites.push(Site {
            text: self.text,
            include,
            parent: self.heading,
            layout: index(self.unit.layout.len()),
            block: self.open.last().map(|open| (open.block, open.branch)),
        });
        self.unit.layout.push(Layout::Site(site));
        self.push(Op::Site(site));
    }

    /// Begins an included file that was merged.
    pub(crate) fn open_part(&mut self, text: Local, include: u32, bordered: bool) {
        self.set_text(text);
        let part = index(self.unit.parts.len());
        let layout = index(self.unit.layout.len());
        let section = self.heading.unwrap_or(NO_HEADING);
        self.unit.parts.push(Part {
            text,
            include,
            bordered,
            end: 0,
            layout: layout..layout,
            own_content: false,
            section,
        });
        self.parts.push(part);
        self.push(Op::PartOpen(part));
    }

    pub(crate) fn close_part(&mut self) {
        let Some(part) = self.parts.pop() else { return };
        let end = self.at();
        let layout = index(self.unit.layout.len());
        let of = &mut self.unit.parts[part as usize];
        of.end = end;
        of.layout.end = layout;
        let (text, section) = (of.text, of.section);
        self.push(Op::PartClose(part));
        self.text = text;
        self.push(Op::SetText(text));
        self.heading = (section != NO_HEADING).then_some(section);
        self.push(Op::SetSection(section));
    }

    fn open(&mut self, document: &Document, mark: u32, span: Span, whole: bool) {
        let mark = &document.body.blocks[mark as usize];
        let block = index(self.unit.blocks.len());
        let kind = match &mark.kind {
            BlockMarkKind::For(Some(header)) => BlockKind::For(header.clone()),
            _ => BlockKind::If,
        };
        self.unit.blocks.push(Block {
            kind,
            branches: branches(mark),
            end: 0,
            span: mark.span,
            section: self.heading.unwrap_or(NO_HEADING),
            text: self.text,
            parent: self.open.last().map(|open| (open.block, open.branch)),
            close_whole: false,
        });
        self.push(Op::Block(block, whole));
        self.open.push(OpenBlock {
            block,
            branch: 0,
            heading_before: self.heading,
            ops: self.at(),
            layout: index(self.unit.layout.len()),
            start: span.end,
        });
    }

    /// Ends the branch that is open, at a marker.
    fn end_branch(&mut self, document: &Document, span: Span, whole: bool) {
        let Some(&open) = self.open.last() else { return };
        let at = self.at();
        self.push(Op::BlockEnd(open.block, whole));
        let layout = open.layout..index(self.unit.layout.len());
        let blank = document.first_blank_line(Span::new(open.start.min(span.start), span.start));
        let branches = &mut self.unit.blocks[open.block as usize].branches;
        if let Some(branch) = branches.get_mut(open.branch as usize) {
            branch.ops = open.ops..at;
            branch.layout = layout;
            branch.blank = blank;
        }
        self.heading = open.heading_before;
    }

    fn branch(&mut self, document: &Document, span: Span, whole: bool) {
        self.end_branch(document, span, whole);
        let ops = self.at();
        let layout = index(self.unit.layout.len());
        if let Some(open) = self.open.last_mut() {
            open.branch += 1;
            open.ops = ops;
            open.layout = layout;
            open.start = span.end;
        }
    }

    fn close(&mut self, document: &Document, span: Span, whole: bool) {
        self.end_branch(document, span, whole);
        let end = self.at();
        let Some(open) = self.open.pop() else { return };
        let block = &mut self.unit.blocks[open.block as usize];
        block.end = end;
        block.close_whole = whole;
        let own = block.branches.iter().any(|branch| branch.own_content);
        let section = block.section;
        self.heading = open.heading_before;
        self.push(Op::SetSection(self.heading.unwrap_or(NO_HEADING)));
        if own && section == self.heading.unwrap_or(NO_HEADING) {
            self.content();
        }
    }
}

fn branches(mark: &BlockMark) -> Vec<Branch> {
    let branch =
        |condition| Branch { condition, ops: 0..0, blank: None, layout: 0..0, own_content: false };
    match &mark.kind {
        BlockMarkKind::If(conditions) => conditions.iter().cloned().map(branch).collect(),
        BlockMarkKind::For(_) => vec![branch(None)],
    }
}

/// The length of a list as an index of operations; lists are bounded by the size of sources.
pub(crate) fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
