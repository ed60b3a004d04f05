//! Code blocks that are marked as JSON.

use serde::de::IgnoredAny;

use super::fences;
use crate::diag::{Finding, codes};
use crate::parse::document::{FenceMark, ItemKind};
use crate::parse::{Document, info_words};
use crate::text::Span;

/// Blocks marked `json` that do not hold any, at the character where reading stops. Blocks of
/// `tools` are left to whoever collects them.
pub(super) fn broken(document: &Document) -> Vec<Finding> {
    let fences = document.body.fences.iter();
    fences
        .filter(|fence| is_json(document, fence))
        .filter_map(|fence| check(document, fence))
        .collect()
}

fn is_json(document: &Document, fence: &FenceMark) -> bool {
    let opening = document.source.slice(fence.span).lines().next().unwrap_or_default();
    let language = info_words(opening).next();
    !fence.tools && language.is_some_and(|word| word.eq_ignore_ascii_case("json"))
}

fn check(document: &Document, fence: &FenceMark) -> Option<Finding> {
    let content = Content::of(document, fence);
    let text = content.text.trim_end();
    let error = serde_json::from_str::<IgnoredAny>(text).err()?;
    let at = if error.is_eof() { text.len() } else { offset(text, &error) };
    if content.is_open(at) {
        return None;
    }
    let at = content.place(at);
    let letter = document.source.text()[at as usize..].chars().next().filter(|&one| one != '\n');
    let width = letter.map_or(0, char::len_utf8);
    let reason = error.to_string();
    let reason = reason.rsplit_once(" at line ").map_or(&*reason, |(reason, _)| reason);
    let message = format!("this block is marked as JSON and holds none: {reason}");
    Some(
        Finding::new(codes::INVALID_JSON, Span::at(at as usize, at as usize + width), message)
            .help("mend it, or mark the block as something else"),
    )
}

/// The offset of an error; a column counts bytes.
fn offset(text: &str, error: &serde_json::Error) -> usize {
    let before = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    let start: usize = before.map(str::len).sum();
    let mut at = (start + error.column().saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// What a code block prints, as far as that is known without values.
#[derive(Debug)]
pub(crate) struct Content {
    /// The text without marks of containers. A reference in a JSON text prints nothing, and any
    /// other the digit `0`, which is a value.
    pub(crate) text: String,
    /// Whether there are references in it.
    pub(crate) has_references: bool,
    /// The first reference that stands for more than the inside of a JSON text.
    first_open: Option<usize>,
    /// Where stretches of the text begin, here and in the source.
    origins: Vec<(usize, u32)>,
}

impl Content {
    pub(crate) fn of(document: &Document, fence: &FenceMark) -> Self {
        let mut content = Self {
            text: String::new(),
            has_references: false,
            first_open: None,
            origins: vec![(0, fence.content.start)],
        };
        let source = document.source.text();
        let items = &document.body.items;
        let first = items.partition_point(|item| item.span.start < fence.content.start);
        let mut special = items[first..]
            .iter()
            .take_while(|item| item.span.start < fence.content.end)
            .filter(|item| matches!(item.kind, ItemKind::Skip | ItemKind::Reference(_)))
            .peekable();
        let mut is_text = false;
        let mut line_start = fence.content.start;
        for line in source[fence.content.range()].split_inclusive('\n') {
            let end = line_start + Span::at(0, line.len()).end;
            let mut at = end - Span::at(0, fences::content(line, fence).len()).end;
            while let Some(item) = special.next_if(|item| item.span.start < end) {
                content.push(
                    at,
                    &source[at as usize..item.span.start.max(at) as usize],
                    &mut is_text,
                );
                if matches!(item.kind, ItemKind::Reference(_)) {
                    content.reference(item.span, is_text);
                }
                at = item.span.end.max(at);
            }
            content.push(at, &source[at as usize..end.max(at) as usize], &mut is_text);
            line_start = end;
        }
        content
    }

    fn push(&mut self, from: u32, text: &str, is_text: &mut bool) {
        self.origins.push((self.text.len(), from));
        self.text.push_str(text);
        let mut escaped = false;
        for byte in text.bytes() {
            match byte {
                b'"' if !escaped => *is_text = !*is_text,
                // No JSON text goes over a line's end.
                b'\n' => *is_text = false,
                _ => {}
            }
            escaped = byte == b'\\' && !escaped;
        }
    }

    fn reference(&mut self, span: Span, is_text: bool) {
        self.has_references = true;
        if !is_text {
            self.first_open.get_or_insert(self.text.len());
            self.origins.push((self.text.len(), span.start));
            self.text.push('0');
        }
    }

    /// Whether what stands at an offset may depend on a value before it.
    fn is_open(&self, at: usize) -> bool {
        self.first_open.is_some_and(|first| first <= at)
    }

    /// The offset in the source of an offset of the text.
    fn place(&self, at: usize) -> u32 {
        let next = self.origins.partition_point(|&(start, _)| start <= at);
        let (start, from) = self.origins[next.saturating_sub(1)];
        from + Span::at(0, at - start).end
    }
}
