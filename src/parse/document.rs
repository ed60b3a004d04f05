//! What parsing gives: the pieces of a text in order, and what they mean.

use std::sync::Arc;

use super::directive::{Merge, RoleName};
use super::expr::{Expr, ForHeader};
use super::front_matter::{FrontMatter, Interpolate, Settings};
use super::include::Include;
use super::names::Names;
use crate::diag::Finding;
use crate::text::{Source, Span};

/// How a text is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Mode {
    /// As Markdown with the syntax of the language.
    Template,
    /// As it is: only its headings and blocks are known.
    Raw,
    /// As the text of a code block: what it leaves open does not matter.
    Code,
}

pub(crate) const RAW_SETTINGS: Settings =
    Settings { interpolate: Interpolate::None, directives: false, strip_comments: Some(false) };

/// One text, parsed. It knows no path, no other file and no values, so equal bytes share it.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) source: Source,
    pub(crate) front: FrontMatter,
    pub(crate) names: Names,
    pub(crate) body: Body,
}

/// What stands behind the front matter.
#[derive(Debug, Default)]
pub(crate) struct Body {
    pub(crate) includes: Vec<Include>,
    /// The pieces of the body in order; their spans follow each other without gap.
    pub(crate) items: Vec<Item>,
    pub(crate) references: Vec<ReferenceMark>,
    pub(crate) include_marks: Vec<IncludeMark>,
    pub(crate) headings: Vec<HeadingMark>,
    pub(crate) fences: Vec<FenceMark>,
    pub(crate) blocks: Vec<BlockMark>,
    /// Where the blank lines of the body begin.
    pub(crate) blank_lines: Vec<u32>,
    /// What is left open at the end.
    pub(crate) open_end: Option<OpenEnd>,
    /// What is wrong with the file, front matter included, by position and code.
    pub(crate) findings: Vec<Finding>,
}

impl Document {
    /// The first blank line inside a span, without its line end.
    pub(crate) fn first_blank_line(&self, span: Span) -> Option<Span> {
        let lines = &self.body.blank_lines;
        let start = *lines.get(lines.partition_point(|&line| line < span.start))?;
        let text = &self.source.text()[start as usize..];
        let end = start + Span::at(0, text.find('\n')?).end;
        (end < span.end).then_some(Span::new(start, end))
    }
}

/// A piece of the body. Spans are those of the source.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Item {
    pub(crate) span: Span,
    pub(crate) kind: ItemKind,
    pub(crate) flags: Flags,
}

/// What a piece is. Indices point into the lists of the document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ItemKind {
    Text,
    /// Blank lines beside a place where a seam may be.
    Blank,
    /// Signs that are not printed: backslashes of escapes.
    Skip,
    Reference(u32),
    /// A whole line; index into includes and include marks, `None` for one that cannot be used.
    Include(Option<u32>),
    /// The opening marker of a block.
    Open(u32),
    /// `elif` or `else`: the block and the branch that begins.
    Branch(u32, u32),
    /// The closing marker of a block.
    Close(u32),
    /// A marker that stands for nothing: `raw`, `endraw`, and whatever did not pair.
    Marker,
    Role(RoleName),
    Merge(Merge),
    Comment,
    /// A heading begins: indentation, signs and blanks of `#` headings, nothing of underlined ones.
    HeadingOpen(u32),
    /// A heading ends: its line end; for underlined ones the underline too.
    HeadingClose(u32),
    /// The signs of an opening fence.
    FenceOpen(u32),
    /// The signs of a closing fence.
    FenceClose(u32),
    /// A fence with words of ours begins (before its first line) or ends (behind its last).
    CodeOpen(u32),
    CodeClose(u32),
    /// A line with directives in it begins.
    LineOpen,
    /// Its line end.
    LineEnd,
}

/// What the place of a piece means for seams beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Flags(u16);

impl Flags {
    /// A directive or comment that takes its whole line along.
    pub(crate) const WHOLE_LINE: Self = Self(1);
    /// Right below a paragraph at the top level it would make, change or hide a heading.
    pub(crate) const HAZARD: Self = Self(1 << 1);
    /// The same below a paragraph in a list item or quote, which it would go on lazily.
    pub(crate) const LAZY_HAZARD: Self = Self(1 << 2);
    /// Right below a paragraph, all of it to the next seam would be text of that paragraph.
    pub(crate) const JOINS: Self = Self(1 << 3);
    /// It begins inside an HTML block that began before.
    pub(crate) const IN_HTML: Self = Self(1 << 4);
    /// It ends in an open paragraph at the top level.
    pub(crate) const ENDS_PARAGRAPH: Self = Self(1 << 5);
    /// It ends in an open paragraph of a list item or quote.
    pub(crate) const ENDS_LAZY: Self = Self(1 << 6);
    /// It ends in an HTML block at the top level that a blank line would end.
    pub(crate) const ENDS_HTML: Self = Self(1 << 7);
    /// It ends a line that is HTML for the structure, since a comment begins it, and a line of a
    /// paragraph once the comment is gone.
    pub(crate) const ENDS_COMMENTED: Self = Self(1 << 8);

    /// All flags as a number.
    pub(crate) const fn bits(self) -> u16 {
        self.0
    }

    /// The flags of a number.
    pub(crate) const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    pub(crate) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn only(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) const fn when(self, condition: bool) -> Self {
        if condition { self } else { Self(0) }
    }
}

/// A reference and how its value is held in.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ReferenceMark {
    pub(crate) span: Span,
    pub(crate) expr: Expr,
    pub(crate) contain: Contain,
    pub(crate) exposure: Exposure,
    /// Whether nothing but marks of containers stands beside it on its line.
    pub(crate) alone: bool,
}

/// What keeps a value in its container.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Contain {
    /// Nothing has to.
    Plain,
    /// Further lines get this prefix.
    Prefix(Arc<str>),
    /// The value is written on one line: table rows, info strings.
    OneLine,
    /// The value is written on one line, and no blank stands for a line end at its end.
    Heading,
}

/// Which values could change the outline at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exposure {
    /// None.
    Contained,
    /// The start of a list item: one that is empty, or begins with a line end.
    ItemStart,
    /// A line at the top level. Where text that begins with a letter stands before the reference a
    /// value without line end is safe; where the paragraph ends on the line, blank lines are.
    Line { after_letter: bool, ends_paragraph: bool },
    /// Inside an HTML block.
    Html,
    /// The info string of a fence.
    Info,
}

/// How an include stands in its file.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct IncludeMark {
    /// The line without the directive: what stands before it, printed before the first line.
    pub(crate) before: Span,
    /// In a list item or quote: the prefix of further lines.
    pub(crate) prefix: Option<Arc<str>>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct HeadingMark {
    /// Level as written, 1 to 6.
    pub(crate) level: u8,
    pub(crate) setext: bool,
    pub(crate) title: Arc<str>,
    /// From the first sign to the end of the heading's last line, without line end.
    pub(crate) span: Span,
    /// The blanks before an ATX heading's signs, or before the text of an underlined one.
    pub(crate) indent: u8,
    /// The blocks around it, the innermost; and the branch.
    pub(crate) block: Option<(u32, u32)>,
    /// The heading above it in the tree of this file.
    pub(crate) parent: Option<u32>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct FenceMark {
    pub(crate) character: u8,
    pub(crate) length: u32,
    pub(crate) span: Span,
    /// Bytes of a line's container prefix, for finding lines that would close the fence.
    pub(crate) prefix: u32,
    pub(crate) tools: bool,
    pub(crate) example: bool,
    pub(crate) hidden: bool,
    /// Between the line ends of the opening and the closing line.
    pub(crate) content: Span,
}

/// A block of directives: `if` or `for`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct BlockMark {
    pub(crate) kind: BlockMarkKind,
    /// The opening marker.
    pub(crate) span: Span,
    /// The enclosing block and branch.
    pub(crate) parent: Option<(u32, u32)>,
    /// Whether it ends; one that does not has a finding.
    pub(crate) closed: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum BlockMarkKind {
    /// The conditions of the branches, `None` for `else` and for those that do not parse.
    If(Vec<Option<Expr>>),
    /// The header, `None` where it does not parse.
    For(Option<ForHeader>),
}

impl BlockMark {
    pub(crate) fn is_for(&self) -> bool {
        matches!(self.kind, BlockMarkKind::For(_))
    }
}

/// What a file leaves open at its end, and what closes it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct OpenEnd {
    /// The closer, without prefix: the signs of a fence, or the end of an HTML block.
    pub(crate) closer: Arc<str>,
    /// The prefix of its container.
    pub(crate) prefix: Arc<str>,
    /// The fence, where it is one.
    pub(crate) fence: Option<u32>,
    /// Where it was opened.
    pub(crate) span: Span,
}
