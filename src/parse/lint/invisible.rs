//! Characters that cannot be seen, where they change what a line means.

use std::ops::Range;

use crate::diag::{Finding, codes};
use crate::parse::directive::{self, Comment};
use crate::parse::document::{FenceMark, ItemKind};
use crate::parse::expr::{self, Scan};
use crate::parse::front_matter::Interpolate;
use crate::parse::names::Names;
use crate::parse::place::is_hash_heading;
use crate::parse::{Document, info_words};
use crate::text::Span;

/// Characters without width in signs of the language, and blanks behind `#` that are none.
pub(super) fn invisible(document: &Document) -> Vec<Finding> {
    let text = document.source.text();
    let mut start = document.front.body as usize;
    if text[start..].is_ascii() {
        return Vec::new();
    }
    let mut found = Found { document, findings: Vec::new() };
    for text in text[start..].split_inclusive('\n') {
        if text.contains(is_hidden) {
            let fence = fence_around(document, start);
            Line { text, start, fence }.look(&mut found);
        }
        start += text.len();
    }
    in_paths(&mut found);
    in_titles(&mut found);
    found.findings
}

/// Whether a character cannot be seen, or looks like an ordinary blank.
pub(super) fn is_hidden(letter: char) -> bool {
    has_no_width(letter) || is_other_blank(letter)
}

fn has_no_width(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{206f}'
            | '\u{feff}'
    )
}

/// A blank that Markdown does not take for one.
fn is_other_blank(letter: char) -> bool {
    !letter.is_ascii() && letter.is_whitespace()
}

struct Found<'d> {
    document: &'d Document,
    findings: Vec<Finding>,
}

impl Found<'_> {
    /// Reports each run of hidden characters in a range of the text; `blank` stands for other
    /// blanks where they are mended.
    fn runs(&mut self, range: Range<usize>, blank: &str, what: &str) {
        let text = &self.document.source.text()[range.clone()];
        let mut from = 0;
        while let Some(at) = text[from..].find(is_hidden).map(|at| from + at) {
            let length = text[at..].find(|letter| !is_hidden(letter)).unwrap_or(text.len() - at);
            let mended = if text[at..at + length].contains(is_other_blank) { blank } else { "" };
            self.report(range.start + at..range.start + at + length, mended, what);
            from = at + length;
        }
    }

    fn report(&mut self, run: Range<usize>, mended: &str, what: &str) {
        let Some(letter) = self.document.source.text()[run.clone()].chars().next() else { return };
        let point = u32::from(letter);
        let name = match letter {
            '\u{a0}' => "a no-break space".to_owned(),
            _ if is_other_blank(letter) => format!("a blank of another kind (U+{point:04X})"),
            _ => format!("a character without width (U+{point:04X})"),
        };
        let help = if mended.is_empty() { "remove it" } else { "write an ordinary blank" };
        let span = Span::at(run.start, run.end);
        let finding = Finding::new(codes::INVISIBLE_CHARACTER, span, format!("{name} {what}"));
        self.findings.push(finding.help(help).edit(span, mended));
    }
}

/// The code block whose text holds an offset.
fn fence_around(document: &Document, at: usize) -> Option<&FenceMark> {
    let fences = &document.body.fences;
    let next = fences.partition_point(|fence| fence.content.range().end <= at);
    fences.get(next).filter(|fence| fence.content.range().start <= at)
}

/// A line of the body with hidden characters in it.
struct Line<'d> {
    text: &'d str,
    start: usize,
    fence: Option<&'d FenceMark>,
}

/// A line without its hidden characters, and where each byte stands in the line.
struct Seen {
    text: String,
    origins: Vec<usize>,
}

impl Seen {
    /// The line; other blanks become `blank`.
    fn new(line: &str, blank: Option<char>) -> Self {
        let mut seen = Self { text: String::with_capacity(line.len()), origins: Vec::new() };
        for (at, letter) in line.char_indices() {
            let shown = match is_hidden(letter) {
                false => Some(letter),
                true => blank.filter(|_| is_other_blank(letter)),
            };
            if let Some(shown) = shown {
                seen.text.push(shown);
                seen.origins.extend((0..shown.len_utf8()).map(|byte| at + byte));
            }
        }
        seen.origins.push(line.len());
        seen
    }

    fn origin(&self, at: usize) -> usize {
        self.origins[at.min(self.text.len())]
    }
}

impl Line<'_> {
    fn look(&self, found: &mut Found<'_>) {
        // As the line looks, and without anything hidden.
        let looks = Seen::new(self.text, Some(' '));
        let bare = Seen::new(self.text, None);
        match self.fence {
            Some(fence) => self.closing_fence(fence, &looks, found),
            None => self.line_start(&looks, found),
        }
        self.references(&bare, found);
        if self.fence.is_none() && found.document.front.settings.directives {
            self.include(&bare, found);
            self.directives(&looks, found);
        }
    }

    /// The first run before an offset.
    fn first(&self, before: usize) -> Option<Range<usize>> {
        let text = &self.text[..before];
        let at = text.find(is_hidden)?;
        let length = text[at..].find(|letter| !is_hidden(letter)).unwrap_or(text.len() - at);
        Some(self.start + at..self.start + at + length)
    }

    fn line_start(&self, looks: &Seen, found: &mut Found<'_>) {
        let opens_front = |line: &str| matches!(line.trim_end(), "---" | "+++");
        if self.start == 0 && opens_front(&looks.text) && !opens_front(self.text) {
            let run = self.first(self.text.len());
            run.into_iter()
                .for_each(|run| found.report(run, "", "keeps this from being front matter"));
        }
        let indent = looks.text.len() - looks.text.trim_start_matches(' ').len();
        let signs = &looks.text[indent..];
        if is_hash_heading(&looks.text) && !is_hash_heading(self.text) {
            let length = signs.len() - signs.trim_start_matches('#').len();
            let Some(run) = self.first(looks.origin(indent + length + 1)) else { return };
            let behind = self.text[run.end - self.start..].chars().next().unwrap_or('\n');
            let parts = run.start > self.start && !matches!(behind, ' ' | '\t' | '\n' | '#');
            let mended = if parts { " " } else { "" };
            found.report(run, mended, "keeps this from being a heading");
        } else if opens_fence(&looks.text) && !opens_fence(self.text) {
            let run = self.first(looks.origin(indent + 3));
            run.into_iter().for_each(|run| found.report(run, "", "keeps this from being a fence"));
        }
    }

    fn closing_fence(&self, fence: &FenceMark, looks: &Seen, found: &mut Found<'_>) {
        let closes = |line: &str| {
            let signs = super::fences::content(line, fence).trim();
            signs.len() >= fence.length as usize
                && signs.bytes().all(|sign| sign == fence.character)
        };
        if closes(&looks.text) && !closes(self.text) {
            let run = self.first(self.text.len());
            run.into_iter()
                .for_each(|run| found.report(run, "", "keeps this from closing the block"));
        }
    }

    /// What would be a reference.
    fn references(&self, bare: &Seen, found: &mut Found<'_>) {
        if !self.reads_references(found.document) {
            return;
        }
        let mut at = 0;
        while let Some(open) = bare.text[at..].find("{{").map(|open| at + open) {
            at = open + 2;
            let escaped =
                bare.text[..open].bytes().rev().take_while(|&sign| sign == b'\\').count() % 2 == 1;
            let scan = expr::scan_reference(&bare.text, open, &mut Names::default());
            let Scan::Reference(reference) = scan else { continue };
            at = reference.span.range().end;
            let range = self.start + bare.origin(open)..self.start + bare.origin(at - 1) + 1;
            if !escaped && !is_reference(found.document, range.start) {
                found.runs(range, "", "keeps this from being a reference");
            }
        }
    }

    fn reads_references(&self, document: &Document) -> bool {
        match (document.front.settings.interpolate, self.fence) {
            (Interpolate::None, _) | (Interpolate::Prose, Some(_)) => false,
            (Interpolate::All, Some(fence)) => {
                let opening = document.source.slice(fence.span).lines().next().unwrap_or_default();
                !info_words(opening).any(|word| word == "raw")
            }
            (_, None) => true,
        }
    }

    /// A line that would be an include.
    fn include(&self, bare: &Seen, found: &mut Found<'_>) {
        let text = bare.text.trim_start_matches([' ', '\t', '>', '-', '*', '+']);
        let open = bare.text.len() - text.len();
        if text.starts_with("<<>") && text.contains(">>") {
            let range = self.start + bare.origin(open)..self.start + bare.origin(open + 2) + 1;
            found.runs(range, "", "keeps this from being an include");
        }
    }

    /// Comments that would be directives, or directives that would parse.
    fn directives(&self, looks: &Seen, found: &mut Found<'_>) {
        let mut at = 0;
        while let Some(open) = looks.text[at..].find("<!--").map(|open| at + open) {
            let Some(end) = looks.text[open..].find("-->").map(|end| open + end + 3) else {
                return;
            };
            at = end;
            let range = looks.origin(open)..looks.origin(end - 1) + 1;
            if is_directive(&looks.text[open..end]) && !is_directive(&self.text[range.clone()]) {
                let range = self.start + range.start..self.start + range.end;
                found.runs(range, " ", "keeps this from being a directive");
            }
        }
    }
}

fn opens_fence(line: &str) -> bool {
    let signs = line.trim_start_matches(' ');
    line.len() - signs.len() <= 3 && (signs.starts_with("```") || signs.starts_with("~~~"))
}

fn is_directive(comment: &str) -> bool {
    let content = comment.strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->"));
    content.is_some_and(|content| {
        let mut findings = Vec::new();
        let read = directive::classify(content, 0, &mut Names::default(), &mut findings);
        matches!(read, Comment::Directive(_)) && findings.is_empty()
    })
}

fn is_reference(document: &Document, at: usize) -> bool {
    let items = &document.body.items;
    let next = items.partition_point(|item| item.span.range().end <= at);
    items.get(next).is_some_and(|item| matches!(item.kind, ItemKind::Reference(_)))
}

/// Paths of includes: a name may hold such characters, but hardly on purpose. Between letters
/// that are not ASCII a joiner is a part of the writing.
fn in_paths(found: &mut Found<'_>) {
    for include in &found.document.body.includes {
        let spans = [Some(include.path.span), include.section.as_ref().map(|(_, span)| *span)];
        for span in spans.into_iter().flatten() {
            let ascii_around = |at: usize, letter: char| {
                let text = found.document.source.text();
                let before = text[..at].chars().next_back().is_none_or(|one| one.is_ascii());
                let behind = text[at + letter.len_utf8()..].chars().next();
                before && behind.is_none_or(|one| one.is_ascii())
            };
            let written = found.document.source.slice(span);
            let joins = written.char_indices().any(|(at, letter)| {
                has_no_width(letter) && !ascii_around(span.start as usize + at, letter)
            });
            if !joins && written.contains(has_no_width) {
                found.runs(span.range(), " ", "stands in the path");
            }
        }
    }
}

/// Titles, which filters name. Joiners and marks of direction are a part of the writing.
fn in_titles(found: &mut Found<'_>) {
    let is_stray = |letter| matches!(letter, '\u{200b}' | '\u{2060}' | '\u{feff}');
    for heading in &found.document.body.headings {
        let written = found.document.source.slice(heading.span);
        for (at, letter) in written.char_indices().filter(|&(_, letter)| is_stray(letter)) {
            let start = heading.span.start as usize + at;
            found.report(
                start..start + letter.len_utf8(),
                "",
                "stands in the title, where no filter sees it",
            );
        }
    }
}
