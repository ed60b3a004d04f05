//! One text: its bytes read as UTF-8 with line ends of LF, and where each place was.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::Hash;
use super::lines::Lines;

/// A range of bytes in the text of a [`Source`], with an exclusive end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// A span from its two ends.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// A span from two byte offsets of a text, which is never longer than `u32` can count.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "a source is at most u32::MAX bytes long")]
    pub(crate) const fn at(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// The range as indices.
    #[must_use]
    pub const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether the span covers nothing.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }
}

/// A line and a column, both counted from 1; a column is one character.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Position {
    /// The line, counted from 1; front matter counts.
    pub line: usize,
    /// The column, counted from 1 in characters.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// What makes bytes unreadable as a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// Not UTF-8 from this byte of the original on; the text holds what stands before it.
    InvalidUtf8 {
        /// The offset in the original bytes.
        byte: usize,
    },
}

/// A text as it was read: a byte order mark dropped, CRLF and lone CR turned into LF.
///
/// Cheap to clone: clones share the text.
#[derive(Clone)]
pub struct Source(Arc<Inner>);

struct Inner {
    text: Box<str>,
    hash: Hash,
    /// For texts that differ from their bytes: (offset in the text, bytes of the original that
    /// were dropped before it), in ascending order.
    dropped: Box<[(u32, u32)]>,
    fault: Option<Fault>,
    /// Made when the first position is asked for; a text without a diagnostic never needs it.
    lines: OnceLock<Lines>,
}

impl Source {
    /// Reads bytes; never fails. Bytes that are no UTF-8 end the text and are remembered as a
    /// fault.
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let hash = Hash::of(bytes);
        let (valid, fault) = match std::str::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let byte = error.valid_up_to();
                let valid = std::str::from_utf8(&bytes[..byte]).unwrap_or_default();
                (valid, Some(Fault::InvalidUtf8 { byte }))
            }
        };
        let body = valid.strip_prefix('\u{feff}').unwrap_or(valid);
        let mark = valid.len() - body.len();
        let mut dropped = Vec::new();
        if mark > 0 {
            dropped.push((0, 3));
        }
        let text = if body.as_bytes().contains(&b'\r') {
            normalise(body, Span::at(0, mark).end, &mut dropped)
        } else {
            body.to_owned()
        };
        let (text, dropped, lines) = (text.into(), dropped.into(), OnceLock::new());
        Self(Arc::new(Inner { text, hash, dropped, fault, lines }))
    }

    /// A text that was read before, with what was lost on the way from its bytes: see
    /// [`losses`](Self::losses).
    pub(crate) fn restored(
        text: String,
        hash: Hash,
        dropped: Vec<(u32, u32)>,
        invalid_at: Option<usize>,
    ) -> Self {
        let fault = invalid_at.map(|byte| Fault::InvalidUtf8 { byte });
        let (text, dropped, lines) = (text.into(), dropped.into(), OnceLock::new());
        Self(Arc::new(Inner { text, hash, dropped, fault, lines }))
    }

    /// The bytes that were dropped before each offset, and where the original is no UTF-8.
    pub(crate) fn losses(&self) -> (&[(u32, u32)], Option<usize>) {
        let invalid_at = self.0.fault.map(|Fault::InvalidUtf8 { byte }| byte);
        (&self.0.dropped, invalid_at)
    }

    /// The text, with LF as its only line end.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The hash of the original bytes.
    #[must_use]
    pub fn hash(&self) -> Hash {
        self.0.hash
    }

    pub(crate) fn fault(&self) -> Option<Fault> {
        self.0.fault
    }

    /// The text of a span.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        &self.0.text[span.range()]
    }

    /// The line and column of an offset of the text; behind its end they are those of the end.
    ///
    /// The first call for a text costs a walk over it, any other a search.
    #[must_use]
    pub fn position(&self, offset: u32) -> Position {
        self.lines().position(self.text(), offset)
    }

    /// The span of a line, counted from 1, without its line end.
    pub(crate) fn line(&self, line: usize) -> Span {
        self.lines().line(self.text(), line)
    }

    fn lines(&self) -> &Lines {
        self.0.lines.get_or_init(|| Lines::of(self.text()))
    }

    /// The offset in the original bytes of an offset of the text.
    #[must_use]
    pub fn original_offset(&self, offset: u32) -> usize {
        let index = self.0.dropped.partition_point(|&(at, _)| at <= offset);
        let dropped = index.checked_sub(1).map_or(0, |last| self.0.dropped[last].1);
        offset as usize + dropped as usize
    }
}

/// Equal bytes are equal sources.
impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.hash() == other.hash()
    }
}

impl Eq for Source {}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({} bytes, {})", self.0.text.len(), self.0.hash)
    }
}

/// Turns CRLF and CR into LF and notes after which line ends a byte went away.
fn normalise(body: &str, mut lost: u32, dropped: &mut Vec<(u32, u32)>) -> String {
    let mut text = String::with_capacity(body.len());
    let mut rest = body;
    while let Some(at) = rest.find('\r') {
        text.push_str(&rest[..at]);
        text.push('\n');
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('\n') {
            rest = after;
            lost += 1;
            dropped.push((Span::at(0, text.len()).end, lost));
        }
    }
    text.push_str(rest);
    text
}
