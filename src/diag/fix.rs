//! Applying the edits that diagnostics suggest.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Edit;
use crate::text::Hash;

/// A file after [`apply_edits`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edited {
    /// The bytes of the file, with a byte order mark and line ends as they were.
    pub bytes: Vec<u8>,
    /// How many edits were applied.
    pub applied: usize,
}

/// Applies edits to the bytes of the file that they were suggested for.
///
/// Of edits that overlap, or where one adds text at the border of another, the first in the list
/// is applied; check again for what is left. An edit that was suggested for other bytes, since the
/// file has changed or was edited already, is not applied, so that applying edits twice does no
/// harm. Line ends in the text of an edit become those of the file.
#[must_use]
pub fn apply_edits<'a>(bytes: &[u8], edits: impl IntoIterator<Item = &'a Edit>) -> Edited {
    let hash = Hash::of(bytes);
    let mut chosen = BTreeMap::new();
    for edit in edits {
        let range = original_range(edit);
        let known = edit.place.source.hash() == hash && range.end <= bytes.len();
        if known && is_free(&chosen, &range) {
            chosen.insert(range.start, (range.end, edit.text.as_str()));
        }
    }

    let line_end = line_end(bytes);
    let mut edited = Vec::with_capacity(bytes.len());
    let mut copied = 0;
    for (&start, &(end, text)) in &chosen {
        edited.extend_from_slice(&bytes[copied..start]);
        edited.extend_from_slice(text.replace('\n', line_end).as_bytes());
        copied = end;
    }
    edited.extend_from_slice(&bytes[copied..]);
    Edited { bytes: edited, applied: chosen.len() }
}

fn original_range(edit: &Edit) -> Range<usize> {
    let (source, span) = (&edit.place.source, edit.place.span);
    let start = source.original_offset(span.start);
    start..source.original_offset(span.end).max(start)
}

/// Whether no chosen edit overlaps a range. Two that replace text may touch; where one only adds
/// text, touching would leave their order open.
fn is_free(chosen: &BTreeMap<usize, (usize, &str)>, range: &Range<usize>) -> bool {
    let clear = |start: usize, end: usize| {
        let touching_is_fine = !range.is_empty() && start < end;
        let (before, behind) = (end.cmp(&range.start), range.end.cmp(&start));
        before.is_lt() || behind.is_lt() || touching_is_fine && (before.is_eq() || behind.is_eq())
    };
    let before = chosen.range(..=range.start).next_back();
    let behind = chosen.range(range.start..).next();
    before.into_iter().chain(behind).all(|(&start, &(end, _))| clear(start, end))
}

/// The line end that a file uses first.
fn line_end(bytes: &[u8]) -> &'static str {
    let first = bytes.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
    match first.map(|at| &bytes[at..]) {
        Some([b'\r', b'\n', ..]) => "\r\n",
        Some([b'\r', ..]) => "\r",
        _ => "\n",
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::diag::Place;
    use crate::text::{Source, Span};

    fn edit(bytes: &[u8], from: u32, to: u32, text: &str) -> Edit {
        let (file, source, span) = (Arc::from("a.md"), Source::new(bytes), Span::new(from, to));
        Edit { place: Place { file, source, span }, text: text.into() }
    }

    #[test]
    fn edits_that_do_not_overlap_are_applied_and_of_others_the_first() {
        type Case<'a> = (&'a str, &'a [(u32, u32, &'a str)], &'a str, usize);
        let cases: &[Case] = &[
            ("abc", &[], "abc", 0),
            ("", &[(0, 0, "x")], "x", 1),
            ("abc", &[(1, 2, "x")], "axc", 1),
            ("abc", &[(3, 3, "x"), (0, 0, "y")], "yabcx", 2),
            ("abcd", &[(2, 3, ""), (0, 1, "xyz")], "xyzbd", 2),
            ("abcd", &[(0, 2, "x"), (2, 4, "y")], "xy", 2),
            ("abcd", &[(1, 3, "x"), (2, 4, "y"), (0, 2, "z")], "axd", 1),
            ("abcd", &[(1, 2, "x"), (0, 4, "y")], "axcd", 1),
            ("abcd", &[(0, 4, "y"), (1, 2, "x")], "y", 1),
            ("abcd", &[(1, 2, "x"), (1, 2, "x")], "axcd", 1),
            ("abcd", &[(1, 1, "x"), (1, 1, "x")], "axbcd", 1),
            ("abcd", &[(1, 1, "x"), (1, 2, "y")], "axbcd", 1),
            ("abcd", &[(1, 2, "y"), (2, 2, "x")], "aycd", 1),
            ("abcd", &[(1, 2, "y"), (3, 3, "x")], "aycxd", 2),
            ("éa日", &[(2, 3, "b")], "éb日", 1),
            // The mark and the line ends of the original stay.
            ("\u{feff}ab\r\nc", &[(0, 1, "x"), (3, 4, "y")], "\u{feff}xb\r\ny", 2),
            ("\u{feff}a", &[(0, 0, "x")], "\u{feff}xa", 1),
            ("a\r\nb\r\n", &[(1, 1, "\nx"), (2, 2, "\n")], "a\r\nx\r\n\r\nb\r\n", 2),
            ("a\r\nb\r\n", &[(1, 2, "")], "ab\r\n", 1),
            ("a\rb", &[(1, 1, "\nx")], "a\rx\rb", 1),
            // No offset is out of bounds.
            ("ab", &[(1, 9, "x"), (9, 9, "y"), (0, 1, "z")], "zb", 1),
        ];
        for &(before, edits, after, applied) in cases {
            let bytes = before.as_bytes();
            let edits: Vec<_> =
                edits.iter().map(|&(from, to, text)| edit(bytes, from, to, text)).collect();
            let edited = apply_edits(bytes, &edits);
            assert_eq!(String::from_utf8_lossy(&edited.bytes), after, "{edits:?}");
            assert_eq!(edited.applied, applied, "{edits:?}");
        }
    }

    #[test]
    fn edits_of_other_bytes_are_left_out() {
        let edit = edit(b"ab", 0, 1, "x");
        let once = apply_edits(b"ab", [&edit]);
        assert_eq!(once, Edited { bytes: b"xb".to_vec(), applied: 1 });
        let twice = apply_edits(&once.bytes, [&edit]);
        assert_eq!(twice, Edited { bytes: once.bytes, applied: 0 });
    }
}
