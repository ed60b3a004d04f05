//! The Markdown structure of a text: blocks, containers, code spans and inline comments, in one
//! value. The only file that names `comrak`.

use comrak::arena_tree::NodeEdge;
use comrak::nodes::{AstNode, NodeValue, Sourcepos};
use comrak::{Arena, Options, parse_document};
use unicode_normalization::UnicodeNormalization;

use super::lines::Lines;
use crate::text::Span;

/// What `CommonMark` makes of a text. All offsets are those of the text that was given.
#[derive(Debug, Default)]
pub(crate) struct Structure {
    pub(crate) lines: Lines,
    /// Quotes and list items, parents before children.
    pub(crate) containers: Vec<Container>,
    /// The leaf blocks, in order.
    pub(crate) blocks: Vec<Block>,
    /// The code spans, with their backticks, in order.
    pub(crate) code_spans: Vec<Span>,
    /// Where the inline comments begin, in order.
    pub(crate) inline_comments: Vec<u32>,
}

/// A block quote or a list item.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Container {
    pub(crate) parent: Option<u32>,
    pub(crate) kind: ContainerKind,
    pub(crate) first_line: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ContainerKind {
    Quote,
    /// The columns from the content of the parent to the content of the item.
    Item {
        offset: u32,
    },
}

/// A leaf block.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) kind: BlockKind,
    /// The innermost quote or list item.
    pub(crate) container: Option<u32>,
    /// The first line, counted from 0.
    pub(crate) first_line: u32,
    /// The last line, inclusive.
    pub(crate) last_line: u32,
}

#[derive(Debug)]
pub(crate) enum BlockKind {
    Paragraph,
    Heading(Heading),
    Fence(Fence),
    IndentedCode,
    /// An HTML block of one of the kinds 1 to 7.
    Html {
        kind: u8,
        /// Whether its end condition is met (kinds 6 and 7 end at a blank line or anywhere).
        closed: bool,
    },
    Rule,
}

#[derive(Debug)]
pub(crate) struct Heading {
    pub(crate) level: u8,
    pub(crate) setext: bool,
    /// The text without marks, blanks collapsed, in NFC.
    pub(crate) title: String,
}

#[derive(Clone, Debug)]
pub(crate) struct Fence {
    pub(crate) character: u8,
    pub(crate) length: usize,
    pub(crate) closed: bool,
}

/// The version of the parser, with which its results may change.
pub(crate) fn version() -> &'static str {
    comrak::version()
}

/// Parses a text.
pub(crate) fn parse(text: &str) -> Structure {
    let arena = Arena::new();
    let root = parse_document(&arena, text, &Options::default());
    let mut structure = Structure { lines: Lines::of(text), ..Structure::default() };
    let mut open = Vec::new();
    for edge in root.traverse() {
        match edge {
            NodeEdge::Start(node) => structure.enter(node, text, &mut open),
            NodeEdge::End(node) => {
                if matches!(node.data().value, NodeValue::BlockQuote | NodeValue::Item(_)) {
                    open.pop();
                }
            }
        }
    }
    structure.extend_unclosed(text);
    structure
}

/// The title of a heading, from its source line or lines without marker or underline.
pub(crate) fn title(content: &str) -> String {
    let arena = Arena::new();
    let line = format!("# {}", content.replace('\n', " "));
    let root = parse_document(&arena, &line, &Options::default());
    root.first_child().map_or_else(String::new, title_of)
}

impl Structure {
    fn enter<'a>(&mut self, node: &'a AstNode<'a>, text: &str, open: &mut Vec<u32>) {
        let data = node.data();
        let lines = (line(data.sourcepos.start.line), line(data.sourcepos.end.line));
        let kind = match &data.value {
            NodeValue::BlockQuote => return self.open(ContainerKind::Quote, lines.0, open),
            NodeValue::Item(item) => {
                let offset = Span::at(0, item.marker_offset + item.padding).end;
                return self.open(ContainerKind::Item { offset }, lines.0, open);
            }
            NodeValue::Paragraph => BlockKind::Paragraph,
            NodeValue::Heading(heading) => BlockKind::Heading(Heading {
                level: heading.level,
                setext: heading.setext,
                title: title_of(node),
            }),
            NodeValue::CodeBlock(code) if code.fenced => BlockKind::Fence(Fence {
                character: code.fence_char,
                length: code.fence_length,
                closed: code.closed,
            }),
            NodeValue::CodeBlock(_) => BlockKind::IndentedCode,
            NodeValue::HtmlBlock(html) => BlockKind::Html {
                kind: html.block_type,
                closed: html_is_closed(html.block_type, &html.literal),
            },
            NodeValue::ThematicBreak => BlockKind::Rule,
            NodeValue::Code(_) => {
                let span = self.span(data.sourcepos);
                return self.code_spans.push(span);
            }
            NodeValue::HtmlInline(html) if html.starts_with("<!--") => {
                let start = self.span(data.sourcepos).start;
                debug_assert!(text[start as usize..].starts_with("<!--"));
                return self.inline_comments.push(start);
            }
            _ => return,
        };
        let container = open.last().copied();
        self.blocks.push(Block { kind, container, first_line: lines.0, last_line: lines.1 });
    }

    fn open(&mut self, kind: ContainerKind, first_line: u32, open: &mut Vec<u32>) {
        let parent = open.last().copied();
        open.push(Span::at(0, self.containers.len()).end);
        self.containers.push(Container { parent, kind, first_line });
    }

    fn span(&self, place: Sourcepos) -> Span {
        let offset = |line_number: usize, column: usize| {
            self.lines.start(line(line_number)) as usize + column
        };
        Span::at(
            offset(place.start.line, place.start.column - 1),
            offset(place.end.line, place.end.column),
        )
    }

    /// Lets blocks without an end of their own reach over all their lines: comrak ends an unclosed
    /// fence of a list item, and the item, on the line of its opening.
    fn extend_unclosed(&mut self, text: &str) {
        for index in 0..self.blocks.len() {
            let block = &self.blocks[index];
            let open = match &block.kind {
                BlockKind::Fence(fence) => !fence.closed,
                BlockKind::Html { kind: 1..=5, closed } => !closed,
                _ => false,
            };
            if !open {
                continue;
            }
            let next = self.blocks.get(index + 1);
            let limit = next.map_or(self.lines.count(), |next| next.first_line);
            let mut last = block.last_line;
            for number in block.last_line + 1..limit {
                let line = self.lines.slice(text, number);
                let blank = line.trim_matches([' ', '\t', '\n']).is_empty();
                if blank {
                    continue;
                }
                if self.prefix(text, number, block.container).lazy {
                    break;
                }
                last = number;
            }
            self.blocks[index].last_line = last;
        }
    }

    /// The block that holds a line, if one does.
    pub(crate) fn block_at_line(&self, line: u32) -> Option<&Block> {
        let index = self.blocks.partition_point(|block| block.first_line <= line);
        let block = self.blocks.get(index.checked_sub(1)?)?;
        (block.last_line >= line).then_some(block)
    }

    /// The containers of a block, the outermost first.
    pub(crate) fn chain(&self, container: Option<u32>) -> Vec<Container> {
        let mut chain = Vec::new();
        let mut next = container;
        while let Some(index) = next {
            let container = self.containers[index as usize];
            chain.push(container);
            next = container.parent;
        }
        chain.reverse();
        chain
    }

    /// What stands on a line before the content of its innermost container.
    pub(crate) fn prefix(&self, text: &str, line: u32, container: Option<u32>) -> Prefix {
        Prefix::read(self.lines.slice(text, line), line, &self.chain(container))
    }
}

/// The part of a line that belongs to its containers, and the blanks behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Prefix {
    /// Bytes from the line's start to its first character that is no mark of a container, nor a
    /// blank.
    pub(crate) length: usize,
    /// Bytes from the line's start to where the content of the innermost container begins.
    pub(crate) content: usize,
    /// The prefix as further lines take it: quote marks and blanks kept, list markers as blanks.
    pub(crate) text: String,
    /// Whether a container's mark is missing, so that the line belongs to it only by laziness.
    pub(crate) lazy: bool,
}

impl Prefix {
    fn read(line: &str, number: u32, chain: &[Container]) -> Self {
        let mut cursor = Cursor { line: line.as_bytes(), at: 0, column: 0, text: String::new() };
        let mut content_column = 0;
        let mut content = 0;
        for container in chain {
            let missed = match container.kind {
                ContainerKind::Quote => {
                    cursor.skip_blanks();
                    let missed = !cursor.take(b'>');
                    content_column = cursor.column + u32::from(cursor.next_is_blank());
                    missed
                }
                ContainerKind::Item { offset } => {
                    content_column += offset;
                    cursor.skip_blanks();
                    if number == container.first_line {
                        cursor.skip_marker();
                        false
                    } else {
                        cursor.column < content_column && !cursor.at_end()
                    }
                }
            };
            if missed {
                return Self { length: cursor.at, content, text: cursor.text, lazy: true };
            }
            content = offset_of_column(line, content_column);
        }
        cursor.skip_blanks();
        Self { length: cursor.at, content: content.min(cursor.at), text: cursor.text, lazy: false }
    }
}

struct Cursor<'a> {
    line: &'a [u8],
    at: usize,
    column: u32,
    text: String,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied().filter(|&byte| byte != b'\n')
    }

    fn at_end(&self) -> bool {
        self.peek().is_none()
    }

    fn next_is_blank(&self) -> bool {
        matches!(self.peek(), Some(b' ' | b'\t'))
    }

    fn skip_blanks(&mut self) {
        while let Some(byte @ (b' ' | b'\t')) = self.peek() {
            self.text.push(char::from(byte));
            self.at += 1;
            self.column = if byte == b'\t' { (self.column / 4 + 1) * 4 } else { self.column + 1 };
        }
    }

    fn take(&mut self, mark: u8) -> bool {
        let found = self.peek() == Some(mark);
        if found {
            self.text.push(char::from(mark));
            self.at += 1;
            self.column += 1;
        }
        found
    }

    /// A list marker: one sign, or digits and a sign.
    fn skip_marker(&mut self) {
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.blank();
        }
        if matches!(self.peek(), Some(b'-' | b'+' | b'*' | b'.' | b')')) {
            self.blank();
        }
    }

    fn blank(&mut self) {
        self.text.push(' ');
        self.at += 1;
        self.column += 1;
    }
}

/// The offset at which a column of a line begins.
fn offset_of_column(line: &str, wanted: u32) -> usize {
    let mut column = 0;
    for (offset, byte) in line.bytes().enumerate() {
        if column >= wanted || byte == b'\n' {
            return offset;
        }
        column = if byte == b'\t' { (column / 4 + 1) * 4 } else { column + 1 };
    }
    line.len()
}

fn line(number: usize) -> u32 {
    Span::at(0, number.saturating_sub(1)).end
}

fn html_is_closed(kind: u8, literal: &str) -> bool {
    let has = |end: &str| literal.contains(end);
    match kind {
        1 => {
            let lower = literal.to_ascii_lowercase();
            ["</script>", "</pre>", "</style>", "</textarea>"].iter().any(|end| lower.contains(end))
        }
        2 => has("-->"),
        3 => has("?>"),
        4 => has(">"),
        5 => has("]]>"),
        _ => true,
    }
}

/// The text of a heading node: marks gone, comments gone, blanks collapsed, in NFC.
fn title_of<'a>(heading: &'a AstNode<'a>) -> String {
    let mut text = String::new();
    for node in heading.descendants() {
        match &node.data().value {
            NodeValue::Text(part) => text.push_str(part),
            NodeValue::Code(code) => text.push_str(&code.literal),
            NodeValue::SoftBreak | NodeValue::LineBreak => text.push(' '),
            NodeValue::HtmlInline(html) if !html.starts_with("<!--") => text.push_str(html),
            _ => {}
        }
    }
    clean_title(&text)
}

/// A title in the form in which paths compare it.
pub(crate) fn clean_title(text: &str) -> String {
    let mut title = String::with_capacity(text.len());
    for word in text.split([' ', '\t', '\n']).filter(|word| !word.is_empty()) {
        if !title.is_empty() {
            title.push(' ');
        }
        title.push_str(word);
    }
    if title.is_ascii() {
        return title;
    }
    title.chars().filter(|&character| character != '\u{fe0f}').nfc().collect()
}

/// Whether a line opens an HTML block when nothing is open above it.
pub(crate) fn opens_html(line: &str) -> bool {
    if !line.starts_with('<') {
        return false;
    }
    let arena = Arena::new();
    let root = parse_document(&arena, line, &Options::default());
    root.first_child().is_some_and(|first| matches!(first.data().value, NodeValue::HtmlBlock(_)))
}
