//! Puts a document together: the marks of the scanner and of the Markdown structure, in order,
//! with the text between them.

use std::sync::Arc;

use super::alone::{self, Inline};
use super::blocks::{self, Paired, Placed};
use super::directive::Directive;
use super::document::{
    Body, Contain, FenceMark, Flags, HeadingMark, IncludeMark, Item, ItemKind, OpenEnd,
    ReferenceMark,
};
use super::expr::{Expr, ExprKind};
use super::markdown::{Block, BlockKind, Heading, Structure};
use super::place::{Places, is_blank, is_blank_in, is_hash_heading};
use super::scan::{Scanned, TokenKind};
use super::{info_words, markdown};
use crate::diag::{Finding, codes};
use crate::text::Span;

/// Puts the body of a document together.
pub(super) fn assemble(text: &str, from: u32, structure: &Structure, scanned: Scanned) -> Body {
    let mut assembler = Assembler {
        text,
        structure,
        places: Places::new(text, structure),
        marks: Vec::new(),
        body: Body { includes: Vec::new(), ..Body::default() },
    };
    assembler.tokens(scanned);
    assembler.blocks();
    let Assembler { mut marks, mut body, places, .. } = assembler;
    marks.sort_by_key(|mark| (mark.span.start, mark.rank()));
    Weaver { text, places, body: &mut body }.weave(from, &marks);
    nest_headings(&mut body);
    body.blank_lines = blank_lines(text, from, structure);
    body
}

/// Where the blank lines begin; a line of quote marks alone counts, since it is one in its quote.
fn blank_lines(text: &str, from: u32, structure: &Structure) -> Vec<u32> {
    let first = structure.lines.at(from);
    let blank = |&number: &u32| is_blank_in(structure.lines.slice(text, number), usize::MAX);
    let lines = (first..structure.lines.count()).filter(blank);
    lines.map(|number| structure.lines.start(number)).filter(|&start| start >= from).collect()
}

/// A piece that is not text, before the pieces are put in order.
#[derive(Clone, Copy, Debug)]
struct Mark {
    span: Span,
    kind: ItemKind,
    /// Whether blank lines beside it may have to be merged.
    seam: bool,
    whole_line: bool,
}

impl Mark {
    /// The order of marks at one offset.
    fn rank(&self) -> u8 {
        match self.kind {
            ItemKind::CodeClose(_) => 0,
            ItemKind::CodeOpen(_) => 1,
            ItemKind::LineOpen => 2,
            ItemKind::HeadingOpen(_) => 3,
            ItemKind::HeadingClose(_) | ItemKind::LineEnd => 5,
            _ => 4,
        }
    }
}

struct Assembler<'s> {
    text: &'s str,
    structure: &'s Structure,
    places: Places<'s>,
    marks: Vec<Mark>,
    body: Body,
}

impl Assembler<'_> {
    fn mark(&mut self, span: Span, kind: ItemKind, seam: bool) {
        self.marks.push(Mark { span, kind, seam, whole_line: false });
    }

    fn line_of(&self, offset: u32) -> u32 {
        self.structure.lines.at(offset)
    }

    // What the scanner found

    fn tokens(&mut self, scanned: Scanned) {
        self.body.findings = scanned.findings;
        self.body.includes = scanned.includes;
        let mut references = scanned.references.into_iter();
        let mut placed = Vec::new();
        let mut directive_marks = Vec::new();
        let mut inline: Vec<usize> = Vec::new();
        let mut directives = scanned.directives.into_iter();
        for token in scanned.tokens {
            match token.kind {
                TokenKind::Escape => self.mark(token.span, ItemKind::Skip, false),
                TokenKind::Reference(index) => {
                    let Some(reference) = references.next() else { continue };
                    self.reference(reference.span, reference.expr);
                    self.mark(token.span, ItemKind::Reference(index), false);
                }
                TokenKind::Include(index) => self.include(token.span, index),
                TokenKind::Directive(_) => {
                    let Some(directive) = directives.next() else { continue };
                    placed.push(self.place(directive, token.span));
                    directive_marks.push(self.marks.len());
                    self.comment(token.span, ItemKind::Marker, &mut inline);
                }
                TokenKind::Comment => self.comment(token.span, ItemKind::Comment, &mut inline),
            }
        }
        let Paired { kinds, blocks, findings } = blocks::pair(placed);
        for (&at, kind) in directive_marks.iter().zip(kinds) {
            self.marks[at].kind = kind;
        }
        self.body.blocks = blocks;
        self.body.findings.extend(findings);
        let inline: Vec<Inline> = inline
            .into_iter()
            .map(|at| Inline { span: self.marks[at].span, kind: self.marks[at].kind })
            .collect();
        self.lines_with_directives(&inline);
    }

    fn reference(&mut self, span: Span, expr: Expr) {
        let (contain, exposure) = self.places.of_reference(span);
        let piped = matches!(expr.kind, ExprKind::Pipe { .. });
        let alone = piped
            && !matches!(contain, Contain::OneLine | Contain::Heading)
            && self.places.is_alone(span);
        self.body.references.push(ReferenceMark { span, expr, contain, exposure, alone });
    }

    fn include(&mut self, span: Span, index: Option<u32>) {
        let number = self.line_of(span.start);
        let line = Span::new(self.structure.lines.start(number), self.structure.lines.end(number));
        if index.is_some() {
            let block = self.structure.block_at_line(number);
            let container = block.and_then(|block| block.container);
            let in_html = block.is_some_and(|block| {
                matches!(block.kind, BlockKind::Html { kind: 1..=5, .. })
                    && block.first_line < number
            });
            let prefix = self.structure.prefix(self.text, number, container).text;
            let prefix = (container.is_some() || in_html).then(|| Arc::from(prefix));
            let before = Span::new(line.start, span.start);
            self.body.include_marks.push(IncludeMark { before, prefix });
        }
        // One that is not alone on its line cannot be used.
        let whole = index.is_some() && self.line_around(span).is_some();
        let span = if whole { line } else { span };
        self.marks.push(Mark {
            span,
            kind: ItemKind::Include(index),
            seam: whole,
            whole_line: whole,
        });
    }

    /// The whole line of an include: only marks of containers before it, only blanks behind.
    fn line_around(&self, span: Span) -> Option<()> {
        let number = self.line_of(span.start);
        let after = &self.text[span.end as usize..self.structure.lines.end(number) as usize];
        is_blank(after).then_some(())
    }

    fn place(&self, directive: Directive, span: Span) -> Placed {
        let line = self.line_of(span.start);
        let block = self.structure.block_at_line(line);
        // A directive alone on its line is an HTML block of its own, as every comment.
        let html = block.and_then(|block| match block.kind {
            BlockKind::Html { kind, .. } if kind != 2 => Some((block.first_line, kind)),
            _ => None,
        });
        Placed { directive, span, line, container: block.and_then(|block| block.container), html }
    }

    /// A directive or an ordinary comment: its whole line, if it is alone there.
    fn comment(&mut self, span: Span, kind: ItemKind, inline: &mut Vec<usize>) {
        let first = self.line_of(span.start);
        let last = self.line_of(span.end.saturating_sub(1));
        let lines = &self.structure.lines;
        let line = Span::new(lines.start(first), lines.end(last));
        let before = &self.text[line.start as usize..span.start as usize];
        let after = &self.text[span.end as usize..line.end as usize];
        let alone = before.trim_matches([' ', '\t', '>']).is_empty() && is_blank(after);
        if alone {
            self.marks.push(Mark { span: line, kind, seam: true, whole_line: true });
        } else {
            inline.push(self.marks.len());
            self.mark(span, kind, false);
        }
    }

    /// Brackets the lines with directives or comments in them, which go if nothing is left.
    fn lines_with_directives(&mut self, inline: &[Inline]) {
        let mut group: Option<(u32, u32)> = None;
        let mut groups = Vec::new();
        for Inline { span, .. } in inline {
            let (first, last) =
                (self.line_of(span.start), self.line_of(span.end.saturating_sub(1)));
            match &mut group {
                Some((_, until)) if first <= *until => *until = last.max(*until),
                _ => groups.extend(group.replace((first, last))),
            }
        }
        groups.extend(group);
        let mut tokens = inline.iter().copied().peekable();
        for (first, last) in groups {
            let end = self.structure.lines.end(last);
            let mut directives = Vec::new();
            while let Some(token) = tokens.next_if(|token| token.span.start < end) {
                directives.extend((token.kind != ItemKind::Comment).then_some(token));
            }
            self.check_alone(first, last, &directives);
            let block = self.structure.block_at_line(first);
            if block.is_some_and(|block| matches!(block.kind, BlockKind::Heading(_))) {
                continue;
            }
            let start = self.structure.lines.start(first);
            self.mark(Span::new(start, start), ItemKind::LineOpen, true);
            let line_end = if self.text[..end as usize].ends_with('\n') { end - 1 } else { end };
            self.mark(Span::new(line_end, end), ItemKind::LineEnd, true);
        }
    }

    /// What is left of a line without its directives must not open a block.
    fn check_alone(&mut self, first: u32, last: u32, directives: &[Inline]) {
        let Some(directive) = directives.first() else { return };
        let block = self.structure.block_at_line(first);
        let is_known = block.is_some_and(|block| match &block.kind {
            BlockKind::Heading(_) => true,
            BlockKind::Html { .. } => block.first_line < first,
            _ => false,
        });
        if is_known {
            return;
        }
        let prefix =
            self.structure.prefix(self.text, first, block.and_then(|block| block.container));
        let begins = self.structure.lines.start(first) + Span::at(0, prefix.length).end;
        let line = Span::new(begins, self.structure.lines.end(last));
        if alone::opens_block(self.text, line, directives, &self.body.blocks) {
            let message = "the text behind this directive would open a block";
            let help = "give the directive a line of its own";
            let finding = Finding::new(codes::DIRECTIVE_NOT_ALONE, directive.span, message);
            self.body.findings.push(finding.help(help));
        }
    }

    // What the structure says

    fn blocks(&mut self) {
        for index in 0..self.structure.blocks.len() {
            let block = &self.structure.blocks[index];
            match &block.kind {
                BlockKind::Heading(heading) if block.container.is_none() => {
                    self.heading(block, heading);
                }
                BlockKind::Fence(_) => self.fence(block),
                BlockKind::Html { kind: 6 | 7, .. } if block.container.is_none() => {
                    self.hidden_headings(block);
                }
                _ => {}
            }
        }
        if let Some(block) = self.structure.blocks.last() {
            self.open_end(block);
        }
    }

    fn heading(&mut self, block: &Block, heading: &Heading) {
        let lines = &self.structure.lines;
        let start = lines.start(block.first_line);
        let end = lines.end(block.last_line);
        let trimmed = |end: u32| {
            start
                + Span::at(0, self.text[start as usize..end as usize].trim_end_matches('\n').len())
                    .end
        };
        let first_line = lines.slice(self.text, block.first_line);
        let indent = first_line.len() - first_line.trim_start_matches(' ').len();
        let content = if heading.setext {
            start
        } else {
            let signs = first_line.trim_start_matches(' ').trim_start_matches('#');
            let text = signs.trim_start_matches([' ', '\t']);
            start + Span::at(0, first_line.len() - text.len()).end
        };
        let content_end =
            if heading.setext { trimmed(lines.end(block.last_line - 1)) } else { trimmed(end) };
        let content = content.min(content_end);
        let index = Span::at(0, self.body.headings.len()).end;
        let title = self.title(heading, Span::new(content, content_end));
        self.body.headings.push(HeadingMark {
            level: heading.level,
            setext: heading.setext,
            title: title.into(),
            span: Span::new(start + Span::at(0, indent).end, trimmed(end)),
            indent: u8::try_from(indent).unwrap_or_default(),
            block: None,
            parent: None,
        });
        self.mark(Span::new(start, content), ItemKind::HeadingOpen(index), true);
        self.mark(Span::new(content_end, end), ItemKind::HeadingClose(index), true);
    }

    /// The title of a heading; references in it are taken out before marks are read.
    fn title(&self, heading: &Heading, content: Span) -> String {
        let references = &self.body.references;
        let first = references.partition_point(|reference| reference.span.start < content.start);
        let inside =
            references[first..].iter().take_while(|reference| reference.span.end <= content.end);
        let spans: Vec<Span> = inside.map(|reference| reference.span).collect();
        if spans.is_empty() {
            return heading.title.clone();
        }
        // While marks are read a private letter stands for a reference, one that is not there.
        let text = &self.text[content.range()];
        let stand_in = ('\u{e000}'..='\u{f8ff}').find(|letter| !text.contains(*letter));
        let Some(stand_in) = stand_in else { return heading.title.clone() };
        let mut masked = String::new();
        let mut at = content.start as usize;
        for span in &spans {
            masked.push_str(&self.text[at..span.range().start]);
            masked.push(stand_in);
            at = span.range().end;
        }
        masked.push_str(&self.text[at..content.end as usize]);
        let masked_title = markdown::title(&masked);
        let mut written = spans.iter().map(|span| &self.text[span.range()]);
        let mut title = String::with_capacity(masked_title.len());
        for letter in masked_title.chars() {
            if letter == stand_in {
                title.push_str(written.next().unwrap_or_default());
            } else {
                title.push(letter);
            }
        }
        title
    }

    fn fence(&mut self, block: &Block) {
        let BlockKind::Fence(fence) = &block.kind else { return };
        let lines = &self.structure.lines;
        let first = lines.slice(self.text, block.first_line);
        let prefix = self.structure.prefix(self.text, block.first_line, block.container);
        let has = |word: &str| info_words(first).any(|found| found == word);
        let (tools, example, hidden) = (has("tools"), has("example"), has("hidden"));
        let start = lines.start(block.first_line);
        let run = start + Span::at(0, prefix.length).end;
        let length = Span::at(0, fence.length).end;
        let end = lines.end(block.last_line);
        let content_end = if fence.closed { lines.start(block.last_line) } else { end };
        let index = Span::at(0, self.body.fences.len()).end;
        self.body.fences.push(FenceMark {
            character: fence.character,
            length,
            span: Span::new(run, end),
            prefix: Span::at(0, prefix.content).end,
            tools,
            example,
            hidden,
            content: Span::new(lines.end(block.first_line).min(content_end), content_end),
        });
        let special = tools || example || hidden;
        if special {
            self.mark(Span::new(start, start), ItemKind::CodeOpen(index), hidden);
        }
        self.mark(Span::new(run, run + length), ItemKind::FenceOpen(index), false);
        if fence.closed {
            let prefix = self.structure.prefix(self.text, block.last_line, block.container);
            let close = content_end + Span::at(0, prefix.length).end;
            let signs = &self.text[close as usize..end as usize];
            let signs = signs.len() - signs.trim_start_matches(char::from(fence.character)).len();
            self.mark(
                Span::new(close, close + Span::at(0, signs).end),
                ItemKind::FenceClose(index),
                false,
            );
        }
        if special {
            self.mark(Span::new(end, end), ItemKind::CodeClose(index), hidden);
        }
    }

    fn hidden_headings(&mut self, block: &Block) {
        for number in block.first_line + 1..=block.last_line {
            let line = self.structure.lines.slice(self.text, number);
            if !is_hash_heading(line) {
                continue;
            }
            let start = self.structure.lines.start(number);
            let at = start + Span::at(0, line.len() - line.trim_start_matches(' ').len()).end;
            let span = Span::new(at, start + Span::at(0, line.trim_end_matches('\n').len()).end);
            let message = "this is no heading: the HTML block above it has not ended";
            let finding = Finding::new(codes::HIDDEN_HEADING, span, message);
            self.body.findings.push(
                finding.help("put a blank line before it").edit(Span::new(start, start), "\n"),
            );
        }
    }

    /// What the last block leaves open at the end of the text.
    fn open_end(&mut self, block: &Block) {
        let rest = &self.text[self.structure.lines.end(block.last_line) as usize..];
        if !is_blank(rest) {
            return;
        }
        let prefix = self.structure.prefix(self.text, block.first_line, block.container);
        let opening = self.structure.lines.slice(self.text, block.first_line);
        let start = self.structure.lines.start(block.first_line) + Span::at(0, prefix.length).end;
        let span = Span::new(start, self.structure.lines.end(block.first_line));
        let open = match &block.kind {
            BlockKind::Fence(fence) if !fence.closed => {
                let message = "this fence has no end";
                let finding = Finding::new(codes::UNCLOSED_FENCE, span, message);
                let closer = String::from(char::from(fence.character)).repeat(fence.length);
                self.body.findings.push(finding.help(format!("close it with `{closer}`")));
                let fence = Span::at(1, self.body.fences.len()).end.checked_sub(1);
                (closer, fence)
            }
            BlockKind::Html { kind, closed: false } => {
                let closer = html_closer(*kind, &opening[prefix.length..]);
                let message = format!("this has no `{closer}`, so all text below belongs to it");
                let finding = Finding::new(codes::UNCLOSED_HTML, span, message);
                self.body.findings.push(finding.help(format!("close it with `{closer}`")));
                (closer.to_owned(), None)
            }
            _ => return,
        };
        let (closer, fence) = open;
        self.body.open_end =
            Some(OpenEnd { closer: closer.into(), prefix: prefix.text.into(), fence, span });
    }
}

fn html_closer(kind: u8, opening: &str) -> &'static str {
    let lower = opening.to_ascii_lowercase();
    match kind {
        1 if lower.starts_with("<script") => "</script>",
        1 if lower.starts_with("<style") => "</style>",
        1 if lower.starts_with("<textarea") => "</textarea>",
        1 => "</pre>",
        2 => "-->",
        3 => "?>",
        5 => "]]>",
        _ => ">",
    }
}

/// Lays text between the marks, with blank lines beside seams as pieces of their own.
struct Weaver<'s, 'b> {
    text: &'s str,
    places: Places<'s>,
    body: &'b mut Body,
}

impl Weaver<'_, '_> {
    fn weave(mut self, from: u32, marks: &[Mark]) {
        let mut at = from;
        let mut behind_seam = Some(0);
        for mark in marks {
            let start = mark.span.start.max(at);
            let quotes = mark.seam.then(|| self.quotes(mark));
            self.text(Span::new(at, start), behind_seam, quotes);
            let span = Span::new(start, mark.span.end.max(start));
            let flags = self.flags(mark, span);
            self.body.items.push(Item { span, kind: mark.kind, flags });
            at = span.end;
            // A mark in a line, or one that covers nothing, leaves the seam before it in force.
            behind_seam = match quotes {
                Some(quotes) if self.is_line_start(at) => Some(quotes),
                _ if span.is_empty() => behind_seam.filter(|_| self.is_line_start(at)),
                _ => None,
            };
        }
        let end = Span::at(0, self.text.len()).end;
        self.text(Span::new(at, end.max(at)), behind_seam, Some(0));
    }

    fn is_line_start(&self, at: u32) -> bool {
        at == 0 || self.text.as_bytes()[at as usize - 1] == b'\n'
    }

    fn quotes(&self, mark: &Mark) -> usize {
        if matches!(mark.kind, ItemKind::HeadingOpen(_) | ItemKind::HeadingClose(_)) {
            return 0;
        }
        let at = match mark.kind {
            // It stands behind the block that it closes.
            ItemKind::CodeClose(_) => mark.span.start.saturating_sub(1),
            _ => mark.span.start,
        };
        self.places.quotes(self.places.container(at))
    }

    fn flags(&self, mark: &Mark, span: Span) -> Flags {
        let whole = Flags::WHOLE_LINE.when(mark.whole_line);
        match mark.kind {
            ItemKind::HeadingOpen(index) => {
                Flags::HAZARD.when(self.body.headings[index as usize].setext)
            }
            ItemKind::Reference(_) if self.is_line_start(span.start) => self.places.head(span),
            ItemKind::LineEnd => self.places.line_tail(span.end),
            _ => whole,
        }
    }

    /// A stretch of text; where a seam is beside it, its blank lines there are pieces of their own.
    fn text(&mut self, span: Span, behind: Option<usize>, before: Option<usize>) {
        if span.is_empty() {
            return;
        }
        let mut core = span;
        if let Some(quotes) = behind {
            core.start = self.skip_blank_lines(span, quotes);
            self.push(Span::new(span.start, core.start), ItemKind::Blank, Flags::default());
        }
        if let Some(quotes) = before.filter(|_| core.start < core.end) {
            core.end = self.skip_blank_lines_back(core, quotes);
        }
        if core.start < core.end {
            let head = if self.is_line_start(core.start) {
                self.places.head(core)
            } else {
                Flags::default()
            };
            let tail = if before.is_some() || core.end < span.end {
                self.places.tail(core.end)
            } else {
                Flags::default()
            };
            self.push(core, ItemKind::Text, head.with(tail));
        }
        self.push(Span::new(core.end, span.end), ItemKind::Blank, Flags::default());
    }

    fn push(&mut self, span: Span, kind: ItemKind, flags: Flags) {
        if !span.is_empty() {
            self.body.items.push(Item { span, kind, flags });
        }
    }

    /// The end of the blank lines at the start of a span.
    fn skip_blank_lines(&self, span: Span, quotes: usize) -> u32 {
        let mut end = span.start;
        for line in self.text[span.range()].split_inclusive('\n') {
            if !is_blank_in(line, quotes)
                || !line.ends_with('\n') && span.range().end < self.text.len()
            {
                break;
            }
            end += Span::at(0, line.len()).end;
        }
        end
    }

    /// The start of the blank lines at the end of a span.
    fn skip_blank_lines_back(&self, span: Span, quotes: usize) -> u32 {
        let text = &self.text[span.range()];
        if !text.ends_with('\n') && span.range().end < self.text.len() {
            return span.end;
        }
        let mut end = text.len();
        while end > 0 {
            let body = text[..end].strip_suffix('\n').unwrap_or(&text[..end]);
            let start = body.rfind('\n').map_or(0, |at| at + 1);
            let at_line_start = start > 0 || self.is_line_start(span.start);
            if !at_line_start || !is_blank_in(&text[start..end], quotes) {
                break;
            }
            end = start;
        }
        span.start + Span::at(0, end).end
    }
}

/// Finds for each heading the block it stands in and the heading above it: a heading in a block
/// ends with it, and what follows goes on from the heading before the block.
fn nest_headings(body: &mut Body) {
    let mut current: Option<u32> = None;
    let mut open: Vec<(u32, u32, Option<u32>)> = Vec::new();
    for item in &body.items {
        match item.kind {
            ItemKind::Open(block) => open.push((block, 0, current)),
            ItemKind::Branch(_, branch) => {
                if let Some((_, at, before)) = open.last_mut() {
                    *at = branch;
                    current = *before;
                }
            }
            ItemKind::Close(_) => {
                if let Some((_, _, before)) = open.pop() {
                    current = before;
                }
            }
            ItemKind::HeadingOpen(index) => {
                let level = body.headings[index as usize].level;
                let mut parent = current;
                while let Some(above) = parent {
                    if body.headings[above as usize].level < level {
                        break;
                    }
                    parent = body.headings[above as usize].parent;
                }
                let heading = &mut body.headings[index as usize];
                heading.parent = parent;
                heading.block = open.last().map(|&(block, branch, _)| (block, branch));
                current = Some(index);
            }
            _ => {}
        }
    }
}
