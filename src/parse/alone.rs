//! Lines with directives in them: what is left of such a line may not open a block that the
//! structure of the text does not know (language §6).

use super::document::{BlockMark, BlockMarkKind, ItemKind};
use super::markdown;
use super::place::{is_blank, is_hash_heading, is_underline};
use crate::text::Span;

/// A directive in a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inline {
    pub(super) span: Span,
    pub(super) kind: ItemKind,
}

/// Whether a line, from behind the marks of its containers on, would open a block once its
/// directives are gone, whichever branches are taken.
pub(super) fn opens_block(
    text: &str,
    line: Span,
    directives: &[Inline],
    blocks: &[BlockMark],
) -> bool {
    let mut way = Way::default();
    let mut at = line.start;
    for index in 0..=directives.len() {
        let next = directives.get(index);
        let piece = Span::new(at, next.map_or(line.end, |next| next.span.start));
        let written = &text[piece.range()];
        if !is_blank(written) {
            // What stands before the first directive is known to the structure.
            let own = index > 0 && begins_block(written);
            let joined = || begins_block(&left(text, at, line.end, &directives[index..]));
            let known = index == 0 && begins_block(&text[line.range()]);
            if !way.written && (own || !known && joined()) {
                return true;
            }
            way.written = true;
        }
        if let Some(next) = next {
            way.pass(next.kind, blocks);
            at = next.span.end;
        }
    }
    false
}

/// A line from an offset on, without its directives.
fn left(text: &str, from: u32, end: u32, directives: &[Inline]) -> String {
    let mut left = String::new();
    let mut at = from;
    for directive in directives {
        left.push_str(&text[at as usize..directive.span.range().start]);
        at = directive.span.end;
    }
    left.push_str(&text[at as usize..end as usize]);
    left
}

/// What is known to be printed of a line before a place in it.
#[derive(Default)]
struct Way {
    /// Whether text is, on every way to here.
    written: bool,
    /// The blocks that the line has opened.
    open: Vec<Level>,
}

struct Level {
    /// Whether text is printed before the block.
    before: bool,
    /// Whether each branch so far prints some.
    all: bool,
}

impl Way {
    fn pass(&mut self, kind: ItemKind, blocks: &[BlockMark]) {
        match kind {
            ItemKind::Open(_) => self.open.push(Level { before: self.written, all: true }),
            ItemKind::Branch(..) => {
                let level = self.open.last_mut();
                let before = level.as_ref().is_some_and(|level| level.before);
                if let Some(level) = level {
                    level.all &= self.written;
                }
                self.written = before;
            }
            ItemKind::Close(block) => {
                let all = self.written;
                self.written = self.open.pop().is_some_and(|level| {
                    level.before || level.all && all && is_exhaustive(&blocks[block as usize])
                });
            }
            _ => {}
        }
    }
}

/// Whether one of the branches of a block is taken for certain.
fn is_exhaustive(block: &BlockMark) -> bool {
    match &block.kind {
        BlockMarkKind::If(conditions) => conditions.last().is_some_and(Option::is_none),
        BlockMarkKind::For(_) => false,
    }
}

/// Whether text at a line's start would open a heading, list item, quote, fence or HTML block, or
/// underline the line above.
fn begins_block(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default().trim_start_matches([' ', '\t']);
    if line.is_empty() {
        return false;
    }
    let blank_after = |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t']);
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let ordered = (1..=9).contains(&(line.len() - digits.len()))
        && digits.strip_prefix(['.', ')']).is_some_and(blank_after);
    let bullet = line.strip_prefix(['-', '+', '*']).is_some_and(blank_after);
    let fence = line.starts_with("~~~")
        || line.strip_prefix("```").is_some_and(|info| !info.trim_start_matches('`').contains('`'));
    is_hash_heading(line)
        || is_underline(line)
        || ordered
        || bullet
        || fence
        || line.starts_with('>')
        || markdown::opens_html(line)
}
