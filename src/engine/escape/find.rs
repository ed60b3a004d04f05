//! The constructs of a text that are not meant as such.

use std::collections::HashSet;

use super::draft::{Draft, Origins};
use crate::diag::codes;
use crate::parse::document::{FenceMark, Flags, Item, ItemKind};
use crate::parse::front_matter::Interpolate;
use crate::parse::lint::Content;
use crate::parse::{Document, info_words};
use crate::render::read_tools;
use crate::text::Span;

/// How directives are kept from being read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Comments {
    /// Between lines of `raw`, where they stand alone on their line and blank lines allow it.
    Lines,
    /// Split by what prints nothing.
    Splits,
}

/// A construct, by offsets of the original.
pub(super) enum Construct {
    /// Braces or an include, behind so many backslashes.
    Opener { at: u32, backslashes: usize },
    /// The place in `\{` and `\{`, or in `<!` and `--`, that is parted.
    Split(u32),
    /// Whole lines of directives.
    Lines { from: u32, to: u32, ends: bool },
    /// A word of ours in an info string.
    Word { span: Span, word: &'static str },
}

const NOTHING: &str = "<!-- raw --><!-- endraw -->";

impl Construct {
    pub(super) fn escape(&self, draft: &mut Draft) {
        draft.place();
        match *self {
            Self::Opener { at, backslashes } => draft.insert(at, &"\\".repeat(backslashes + 1)),
            Self::Split(at) => draft.insert(at, NOTHING),
            Self::Lines { from, to, ends } => {
                draft.insert(from, "<!-- raw -->\n");
                draft.insert(to, if ends { "<!-- endraw -->\n" } else { "\n<!-- endraw -->\n" });
            }
            Self::Word { span, word } => {
                draft.insert(span.start, &format!("{{{{{word}|default(\""));
                draft.insert(span.end, "\")}}");
            }
        }
    }
}

/// Finds constructs; what was escaped is not found again.
pub(super) struct Find {
    comments: Comments,
    settled: HashSet<u32>,
}

impl Find {
    pub(super) fn new(comments: Comments) -> Self {
        Self { comments, settled: HashSet::new() }
    }

    /// The constructs of a draft that was parsed.
    pub(super) fn constructs(&mut self, document: &Document, draft: &Draft) -> Vec<Construct> {
        let mut search = Search {
            document,
            text: document.source.text(),
            origins: draft.origins(),
            find: self,
            found: Vec::new(),
        };
        search.items();
        search.findings();
        search.words();
        search.found
    }
}

struct Search<'s> {
    document: &'s Document,
    text: &'s str,
    origins: Origins,
    find: &'s mut Find,
    found: Vec<Construct>,
}

impl Search<'_> {
    fn items(&mut self) {
        let mut behind_pair = 0;
        let items = &self.document.body.items;
        let mut index = 0;
        while let Some(item) = items.get(index) {
            index += 1;
            match item.kind {
                ItemKind::Skip if item.span.start < behind_pair => {}
                ItemKind::Skip => {
                    if let Some(end) = self.escape(item.span.start) {
                        behind_pair = end;
                    }
                }
                ItemKind::Reference(_) => self.opener(item.span.start),
                ItemKind::Include(_) => {
                    let written = self.document.source.slice(item.span);
                    let openers = [written.find("<<>"), written.find("{{>")];
                    let at = openers.into_iter().flatten().min().unwrap_or(0);
                    self.opener(item.span.start + Span::at(0, at).end);
                }
                kind if is_directive(kind) => index += self.directives(&items[index - 1..]) - 1,
                _ => {}
            }
        }
    }

    /// An escape, whose backslashes would go: one of an opener, or one of braces each, of which
    /// the end is given.
    fn escape(&mut self, start: u32) -> Option<u32> {
        let run = self.text[start as usize..].bytes().take_while(|&byte| byte == b'\\').count();
        let opener = start as usize + run;
        let rest = &self.text[opener..];
        if !rest.starts_with("{\\{") {
            self.opener(Span::at(0, opener).end);
            return None;
        }
        self.split(Span::at(0, opener + 1).end);
        let line = rest.lines().next().unwrap_or_default();
        line.find("\\}\\}").map(|at| Span::at(0, opener + at + 4).end)
    }

    /// What begins here is to be literal.
    fn opener(&mut self, at: u32) {
        let backslashes =
            self.text[..at as usize].bytes().rev().take_while(|&byte| byte == b'\\').count();
        if let Some(at) = self.new_place(at) {
            self.found.push(Construct::Opener { at, backslashes });
        }
    }

    fn split(&mut self, at: u32) {
        if let Some(at) = self.new_place(at) {
            self.found.push(Construct::Split(at));
        }
    }

    /// The place in the original, if it was not met before and is not of what was added.
    fn new_place(&mut self, at: u32) -> Option<u32> {
        let at = self.origins.of(at)?;
        self.find.settled.insert(at).then_some(at)
    }

    /// Directives from the first of these pieces on; gives how many pieces they are.
    fn directives(&mut self, items: &[Item]) -> usize {
        let mut lines = items[0].span;
        let together = items.iter().skip(1).take_while(|item| {
            let follows = item.span.start == lines.end && is_directive(item.kind) && is_alone(item);
            lines.end = if follows { item.span.end } else { lines.end };
            follows
        });
        let count = if is_alone(&items[0]) { 1 + together.count() } else { 1 };
        let written = self.document.source.slice(lines);
        let in_lines = self.find.comments == Comments::Lines
            && is_alone(&items[0])
            && written.starts_with("<!--")
            && !written.contains("endraw")
            && self.has_few_blank_lines(lines);
        if in_lines {
            let (from, to) = (self.origins.of(lines.start), self.origins.of(lines.end));
            if let (Some(from), Some(to)) = (from, to) {
                if self.find.settled.insert(from) {
                    self.found.push(Construct::Lines { from, to, ends: written.ends_with('\n') });
                }
            }
            return count;
        }
        for item in &items[..count] {
            let written = self.document.source.slice(item.span);
            let open = item.span.start + Span::at(0, written.find("<!--").unwrap_or(0)).end;
            self.split(open + 2);
        }
        count
    }

    /// Whether lines around can be removed without taking blank lines along.
    fn has_few_blank_lines(&self, lines: Span) -> bool {
        let is_blank = |line: &str| line.trim_matches([' ', '\t']).is_empty();
        let before = self.text[..lines.start as usize].lines().rev();
        let behind = self.text[lines.end as usize..].lines();
        before.take(2).filter(|line| is_blank(line)).count() < 2
            && behind.take(2).filter(|line| is_blank(line)).count() < 2
    }

    /// What is wrong has a place, but is no piece of its own.
    fn findings(&mut self) {
        for finding in &self.document.body.findings {
            let start = finding.span.start;
            match finding.code {
                codes::MALFORMED_REFERENCE => self.opener(start),
                codes::LIMIT_EXCEEDED if self.text[..start as usize].ends_with("{{") => {
                    self.opener(start - 2);
                }
                _ => {}
            }
        }
    }

    /// Words of info strings that take a block out, or want something else in it. Where references
    /// are read, one that prints the word stands for it.
    fn words(&mut self) {
        let front = &self.document.front;
        if front.settings.interpolate != Interpolate::All || front.closed {
            return;
        }
        for fence in &self.document.body.fences {
            if fence.hidden {
                self.word(fence, "hidden");
            }
            let content = Content::of(self.document, fence).text;
            if fence.tools && read_tools(self.text, fence.content, &content).is_err() {
                self.word(fence, "tools");
            }
        }
    }

    fn word(&mut self, fence: &FenceMark, word: &'static str) {
        let opening = self.document.source.slice(fence.span).lines().next().unwrap_or_default();
        for found in info_words(opening).filter(|found| *found == word) {
            let offset = found.as_ptr() as usize - opening.as_ptr() as usize;
            let start = fence.span.start + Span::at(0, offset).end;
            let Some(start) = self.new_place(start) else { continue };
            let span = Span::new(start, start + Span::at(0, word.len()).end);
            self.found.push(Construct::Word { span, word });
        }
    }
}

fn is_directive(kind: ItemKind) -> bool {
    matches!(
        kind,
        ItemKind::Open(_)
            | ItemKind::Branch(..)
            | ItemKind::Close(_)
            | ItemKind::Marker
            | ItemKind::Role(_)
            | ItemKind::Merge(_)
    )
}

fn is_alone(item: &Item) -> bool {
    item.flags.has(Flags::WHOLE_LINE)
}
