//! The blocks of a page that mean something. The only file of this crate that names `comrak`.

use comrak::nodes::{Node, NodeValue};
use comrak::{Arena, Options, parse_document};

/// A block at the top level of a page; prose and whatever else stands there is left out.
pub(crate) enum Block {
    Heading {
        level: u8,
        title: String,
        line: usize,
    },
    /// A paragraph that is nothing but a code span and a colon.
    Name {
        name: String,
        line: usize,
    },
    Fence(Fence),
}

/// A fenced code block.
#[derive(Clone, Debug)]
pub(crate) struct Fence {
    /// The line of the opening fence, counted from 1.
    pub(crate) first: usize,
    /// The line of the closing fence.
    pub(crate) last: usize,
    pub(crate) closed: bool,
    /// The character of the fence, and how many of it there are.
    pub(crate) mark: char,
    pub(crate) length: usize,
    pub(crate) info: String,
    /// The content, each line with its line end.
    pub(crate) text: String,
}

/// The blocks of a page, in order. Line ends are LF.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let arena = Arena::new();
    let root = parse_document(&arena, text, &Options::default());
    root.children().filter_map(block).collect()
}

fn block(node: Node<'_>) -> Option<Block> {
    let data = node.data();
    let line = data.sourcepos.start.line;
    match &data.value {
        NodeValue::Heading(heading) => {
            Some(Block::Heading { level: heading.level, title: plain_text(node), line })
        }
        NodeValue::Paragraph => Some(Block::Name { name: name(node)?, line }),
        NodeValue::CodeBlock(code) if code.fenced => Some(Block::Fence(Fence {
            first: line,
            last: data.sourcepos.end.line,
            closed: code.closed,
            mark: char::from(code.fence_char),
            length: code.fence_length,
            info: code.info.clone(),
            text: code.literal.clone(),
        })),
        _ => None,
    }
}

/// The text of a heading, without marks, on one line.
fn plain_text(node: Node<'_>) -> String {
    let mut text = String::new();
    for inner in node.descendants() {
        match &inner.data().value {
            NodeValue::Text(part) => text.push_str(part),
            NodeValue::Code(code) => text.push_str(&code.literal),
            NodeValue::HtmlInline(html) => text.push_str(html),
            NodeValue::SoftBreak | NodeValue::LineBreak => text.push(' '),
            _ => {}
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn name(paragraph: Node<'_>) -> Option<String> {
    let mut parts = paragraph.children();
    let (code, colon, end) = (parts.next()?, parts.next()?, parts.next());
    let colon = matches!(&colon.data().value, NodeValue::Text(text) if text == ":");
    let NodeValue::Code(code) = &code.data().value else { return None };
    (colon && end.is_none()).then(|| code.literal.clone())
}
