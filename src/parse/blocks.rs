//! Pairs the markers of blocks (language §6).

use super::directive::Directive;
use super::document::{BlockMark, BlockMarkKind, ItemKind};
use super::expr::Expr;
use crate::diag::{Finding, codes};
use crate::text::Span;

/// A directive and where it stands.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) directive: Directive,
    pub(super) span: Span,
    pub(super) line: u32,
    /// The innermost list item or quote.
    pub(super) container: Option<u32>,
    /// The HTML block that it stands in: its first line, and its kind.
    pub(super) html: Option<(u32, u8)>,
}

/// What the markers are, in their order, and the blocks they make.
#[derive(Debug, Default)]
pub(super) struct Paired {
    pub(super) kinds: Vec<ItemKind>,
    pub(super) blocks: Vec<BlockMark>,
    pub(super) findings: Vec<Finding>,
}

/// Pairs the markers of a file.
pub(super) fn pair(placed: Vec<Placed>) -> Paired {
    let mut pairing = Pairing::default();
    for mark in placed {
        let kind = pairing.mark(&mark);
        pairing.paired.kinds.push(kind);
    }
    for open in pairing.open {
        let block = &pairing.paired.blocks[open.block as usize];
        pairing.paired.findings.push(unclosed(block));
    }
    pairing.paired
}

#[derive(Default)]
struct Pairing {
    paired: Paired,
    open: Vec<Open>,
    /// How many of the open blocks are loops.
    loops: usize,
}

struct Open {
    block: u32,
    branch: u32,
    line: u32,
    container: Option<u32>,
    seen_else: bool,
    /// The first line of an HTML block that was told of.
    told_html: Option<(u32, u8)>,
}

/// The marker of a further branch.
enum Branch {
    /// With its condition, if that parses.
    Elif(Option<Expr>),
    Else,
}

impl Pairing {
    fn mark(&mut self, mark: &Placed) -> ItemKind {
        match &mark.directive {
            Directive::Raw | Directive::Endraw => ItemKind::Marker,
            Directive::Role(role) => ItemKind::Role(*role),
            Directive::Merge(merge) => ItemKind::Merge(*merge),
            Directive::If(condition) => {
                let kind = BlockMarkKind::If(vec![condition.clone()]);
                self.open(kind, mark)
            }
            Directive::For(header) => {
                let kind = BlockMarkKind::For(header.clone());
                self.open(kind, mark)
            }
            Directive::Elif(condition) => self.branch(Branch::Elif(condition.clone()), mark),
            Directive::Else => self.branch(Branch::Else, mark),
            Directive::Endif => self.close(false, mark),
            Directive::Endfor => self.close(true, mark),
        }
    }

    fn open(&mut self, kind: BlockMarkKind, mark: &Placed) -> ItemKind {
        let block = Span::at(0, self.paired.blocks.len()).end;
        self.loops += usize::from(matches!(kind, BlockMarkKind::For(_)));
        let parent = self.open.last().map(|open| (open.block, open.branch));
        self.paired.blocks.push(BlockMark { kind, span: mark.span, parent, closed: false });
        self.open.push(Open {
            block,
            branch: 0,
            line: mark.line,
            container: mark.container,
            seen_else: false,
            told_html: None,
        });
        ItemKind::Open(block)
    }

    fn branch(&mut self, branch: Branch, mark: &Placed) -> ItemKind {
        let word = if matches!(branch, Branch::Else) { "else" } else { "elif" };
        if !self.unwind_to(false) {
            self.stray(mark.span, format!("this `{word}` belongs to no `if`"));
            return ItemKind::Marker;
        }
        let Some(open) = self.open.last_mut() else { return ItemKind::Marker };
        if open.seen_else {
            self.stray(mark.span, format!("this `{word}` comes after the `else` of its block"));
            return ItemKind::Marker;
        }
        open.seen_else = matches!(branch, Branch::Else);
        open.branch += 1;
        let kind = ItemKind::Branch(open.block, open.branch);
        let block = open.block as usize;
        if let BlockMarkKind::If(conditions) = &mut self.paired.blocks[block].kind {
            conditions.push(match branch {
                Branch::Elif(condition) => condition,
                Branch::Else => None,
            });
        }
        self.check_place(mark, word);
        kind
    }

    fn close(&mut self, is_for: bool, mark: &Placed) -> ItemKind {
        let (word, opener) = if is_for { ("endfor", "for") } else { ("endif", "if") };
        if !self.unwind_to(is_for) {
            self.stray(mark.span, format!("this `{word}` closes no `{opener}`"));
            return ItemKind::Marker;
        }
        self.check_place(mark, word);
        let Some(open) = self.open.pop() else { return ItemKind::Marker };
        self.loops -= usize::from(is_for);
        self.paired.blocks[open.block as usize].closed = true;
        ItemKind::Close(open.block)
    }

    /// Leaves blocks that were not closed, so that the innermost is of the kind asked for; nothing
    /// happens where none is.
    fn unwind_to(&mut self, is_for: bool) -> bool {
        let there = if is_for { self.loops } else { self.open.len() - self.loops };
        if there == 0 {
            return false;
        }
        while let Some(open) = self.open.last() {
            let block = &self.paired.blocks[open.block as usize];
            if block.is_for() == is_for {
                break;
            }
            self.loops -= usize::from(block.is_for());
            self.paired.findings.push(unclosed(block));
            self.open.pop();
        }
        true
    }

    fn check_place(&mut self, mark: &Placed, word: &str) {
        let Some(open) = self.open.last_mut() else { return };
        let message = if open.container != mark.container {
            format!("this `{word}` stands in another list item or quote than the opening marker")
        } else if mark.html.is_some_and(|(line, _)| line > open.line) && mark.html != open.told_html
        {
            open.told_html = mark.html;
            format!("this `{word}` stands in an HTML block that the block opened")
        } else {
            return;
        };
        let help = match mark.html {
            _ if open.container != mark.container => "put the markers of a block at the same depth",
            Some((_, 6 | 7)) => "put a blank line before it, so that the HTML block ends",
            _ => "close the HTML block before it",
        };
        self.paired
            .findings
            .push(Finding::new(codes::UNBALANCED_DIRECTIVE, mark.span, message).help(help));
    }

    fn stray(&mut self, span: Span, message: String) {
        let finding = Finding::new(codes::UNBALANCED_DIRECTIVE, span, message);
        self.paired.findings.push(finding.help("drop it, or add the marker that opens the block"));
    }
}

fn unclosed(block: &BlockMark) -> Finding {
    let (word, closer) = if block.is_for() { ("for", "endfor") } else { ("if", "endif") };
    let message = format!("this `{word}` has no `{closer}`");
    let help = format!("close it with `<!-- {closer} -->` in the same file");
    Finding::new(codes::UNBALANCED_DIRECTIVE, block.span, message).help(help)
}
