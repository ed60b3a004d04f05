//! The Markdown structure of a text: blocks, containers, code spans and inline comments, in one
//! value. The only file that names `comrak`.

use comrak::arena_tree::NodeEdge;
use comrak::nodes::{AstNode, NodeCode, NodeValue, Sourcepos};
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
    /// Inclusive; the line of its opening where what it holds is not closed.
    last_line: u32,
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
    /// Definitions of links, which no other block takes.
    Definitions,
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
    let mut reader = Reader {
        text,
        structure: Structure { lines: Lines::of(text), ..Structure::default() },
        open: Vec::new(),
        inline_from: 0,
    };
    for edge in root.traverse() {
        match edge {
            NodeEdge::Start(node) => reader.enter(node),
            NodeEdge::End(node) => {
                if matches!(node.data().value, NodeValue::BlockQuote | NodeValue::Item(_)) {
                    reader.open.pop();
                }
            }
        }
    }
    let mut structure = reader.structure;
    structure.extend_unclosed(text);
    structure.add_definitions(text);
    structure
}

/// What a text becomes right below a line of a paragraph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Below {
    /// Headings are made at the top level, or a block is left open that would hide some.
    pub(crate) changes_outline: bool,
    /// All of it is text of that paragraph.
    pub(crate) joins: bool,
}

/// Puts a text that holds no headings right below a line of a paragraph.
pub(crate) fn below(line: &str, text: &str) -> Below {
    let structure = parse(&format!("{line}\n{text}"));
    let changes = |block: &Block| match &block.kind {
        BlockKind::Heading(_) => block.container.is_none(),
        BlockKind::Fence(fence) => !fence.closed,
        BlockKind::Html { closed, .. } => !closed,
        _ => false,
    };
    let paragraph =
        matches!(structure.blocks.first(), Some(Block { kind: BlockKind::Paragraph, .. }));
    Below {
        changes_outline: structure.blocks.iter().any(changes),
        joins: paragraph && structure.blocks.len() == 1,
    }
}

/// The title of a heading, from its source line or lines without marker or underline.
pub(crate) fn title(content: &str) -> String {
    let arena = Arena::new();
    let line = format!("# {}", content.replace('\n', " "));
    let root = parse_document(&arena, &line, &Options::default());
    root.first_child().map_or_else(String::new, title_of)
}

/// Reads comrak's tree.
struct Reader<'t> {
    text: &'t str,
    structure: Structure,
    /// The containers that are open.
    open: Vec<u32>,
    /// Where the next code span or comment of the block at hand may begin.
    inline_from: usize,
}

impl Reader<'_> {
    fn enter<'a>(&mut self, node: &'a AstNode<'a>) {
        let data = node.data();
        let (mut first_line, last_line) =
            (line(data.sourcepos.start.line), line(data.sourcepos.end.line));
        let kind = match &data.value {
            NodeValue::BlockQuote => {
                return self.open(ContainerKind::Quote, first_line, last_line);
            }
            NodeValue::Item(item) => {
                let offset = Span::at(0, item.marker_offset + item.padding).end;
                return self.open(ContainerKind::Item { offset }, first_line, last_line);
            }
            NodeValue::Paragraph => {
                first_line += self.definition_lines(node, first_line, last_line);
                BlockKind::Paragraph
            }
            NodeValue::Heading(heading) => {
                if heading.setext {
                    first_line += self.definition_lines(node, first_line, last_line - 1);
                }
                BlockKind::Heading(Heading {
                    level: heading.level,
                    setext: heading.setext,
                    title: title_of(node),
                })
            }
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
            NodeValue::Code(code) => return self.code_span(data.sourcepos, code),
            NodeValue::HtmlInline(html) if html.starts_with("<!--") => {
                return self.inline_comment(data.sourcepos, html);
            }
            _ => return,
        };
        self.inline_from = self.structure.lines.start(first_line) as usize;
        let container = self.open.last().copied();
        self.structure.blocks.push(Block { kind, container, first_line, last_line });
    }

    fn open(&mut self, kind: ContainerKind, first_line: u32, last_line: u32) {
        let parent = self.open.last().copied();
        self.open.push(Span::at(0, self.structure.containers.len()).end);
        self.structure.containers.push(Container { parent, kind, first_line, last_line });
    }

    /// How many lines at the start of a paragraph are link definitions, which comrak takes out of
    /// it and counts as its lines all the same.
    fn definition_lines<'a>(&self, node: &'a AstNode<'a>, first: u32, last: u32) -> u32 {
        let container = self.open.last().copied();
        let content = |number: u32| {
            let line = self.structure.lines.slice(self.text, number);
            &line[self.structure.prefix(self.text, number, container).length..]
        };
        if !content(first).starts_with('[') {
            return 0;
        }
        let end = node.last_child().map_or(last, |child| line(child.data().sourcepos.end.line));
        let mut count = last.saturating_sub(end);
        while count > 0 {
            let lines: String = (first..first + count).map(content).collect();
            if parse_document(&Arena::new(), &lines, &Options::default()).first_child().is_none() {
                break;
            }
            count -= 1;
        }
        count
    }

    fn code_span(&mut self, place: Sourcepos, code: &NodeCode) {
        let ticks = "`".repeat(code.num_backticks);
        let end_of = |at: usize| {
            let inside = self.text[at..].strip_prefix(&*ticks)?;
            let end = end_of_code(inside, &ticks)?;
            let content = &inside[..end - ticks.len()];
            is_written_as(content, &code.literal).then_some(at + ticks.len() + end)
        };
        if let Some(span) = self.locate(place, &ticks, end_of) {
            self.structure.code_spans.push(span);
        }
    }

    fn inline_comment(&mut self, place: Sourcepos, html: &str) {
        let end_of = |at: usize| {
            let comment = &self.text[at..];
            let end = comment.find("-->")? + 3;
            (comment.starts_with("<!--") && is_written_as(&comment[..end], html)
                || html.len() < end && comment.starts_with(html))
            .then_some(at + html.len().min(end))
        };
        if let Some(span) = self.locate(place, "<!--", end_of) {
            self.structure.inline_comments.push(span.start);
        }
    }

    /// The place of an inline that begins with a sign, given where it ends if it begins at an
    /// offset. comrak's own place is off behind link definitions, and behind labels of links that
    /// go over a line's end; the inline is then the next one that reads alike.
    fn locate(
        &mut self,
        place: Sourcepos,
        sign: &str,
        end_of: impl Fn(usize) -> Option<usize>,
    ) -> Option<Span> {
        let lines = &self.structure.lines;
        let given = lines.start(line(place.start.line)) as usize + place.start.column - 1;
        let limit = lines.end(self.structure.blocks.last()?.last_line) as usize;
        let begins = |at: usize| {
            self.text.is_char_boundary(at)
                && self.text[at..].starts_with(sign)
                && !(sign.starts_with('`') && self.text[..at].ends_with('`'))
        };
        let there = Some(given).filter(|&at| at >= self.inline_from && begins(at));
        let there = there.and_then(|at| Some((at, end_of(at)?)));
        let (start, end) = there.or_else(|| {
            let text = self.text.get(self.inline_from..limit)?;
            let mut starts = text.match_indices(sign).map(|(at, _)| self.inline_from + at);
            starts.find_map(|at| Some((at, begins(at).then(|| end_of(at)).flatten()?)))
        })?;
        self.inline_from = end;
        Some(Span::at(start, end))
    }
}

/// Where code ends that a run of backticks of the same length closes, behind that run.
fn end_of_code(inside: &str, ticks: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += inside[at..].find('`')?;
        let run = inside[at..].bytes().take_while(|&byte| byte == b'`').count();
        at += run;
        if run == ticks.len() {
            return Some(at);
        }
    }
}

/// Whether source text, which may hold marks of containers, reads as what the parser made of it.
fn is_written_as(written: &str, read: &str) -> bool {
    let sign = |sign: &char| !matches!(sign, ' ' | '\t' | '\n' | '>');
    written.chars().filter(sign).eq(read.chars().filter(sign))
}

impl Structure {
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

    /// Lays blocks over the lines that comrak gives to none: definitions of links.
    fn add_definitions(&mut self, text: &str) {
        let mut found: Vec<Block> = Vec::new();
        let mut next = 0;
        let mut number = 0;
        while number < self.lines.count() {
            if let Some(block) = self.blocks.get(next).filter(|block| block.first_line <= number) {
                number = number.max(block.last_line + 1);
                next += 1;
                continue;
            }
            if let Some(container) = self.undefined(text, number) {
                match found.last_mut() {
                    Some(block)
                        if block.last_line + 1 == number && block.container == container =>
                    {
                        block.last_line = number;
                    }
                    _ => found.push(Block {
                        kind: BlockKind::Definitions,
                        container,
                        first_line: number,
                        last_line: number,
                    }),
                }
            }
            number += 1;
        }
        if !found.is_empty() {
            self.blocks.append(&mut found);
            self.blocks.sort_by_key(|block| block.first_line);
        }
    }

    /// The container of a line that is in no block, if anything but marks of containers stands on
    /// it.
    #[expect(clippy::option_option, reason = "there may be no container, or no such line")]
    fn undefined(&self, text: &str, number: u32) -> Option<Option<u32>> {
        let line = self.lines.slice(text, number);
        if line.trim_matches([' ', '\t', '\n', '>']).is_empty() {
            return None;
        }
        let container = self.container_at_line(number);
        let content = &line[self.prefix(text, number, container).length..];
        (!content.trim_end_matches('\n').is_empty()).then_some(container)
    }

    /// The innermost container that reaches over a line.
    fn container_at_line(&self, line: u32) -> Option<u32> {
        let before = self.containers.partition_point(|container| container.first_line <= line);
        let mut next = before.checked_sub(1).map(|last| Span::at(0, last).end);
        while let Some(index) = next {
            let container = &self.containers[index as usize];
            if container.last_line >= line {
                break;
            }
            next = container.parent;
        }
        next
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
