//! The lines around a place as they are shown: escaped, and clipped to what fits.

use std::ops::Range;

use super::escape::{is_unsafe, push_escaped};
use crate::text::{Source, Span};

/// Lines of a source, ready to be printed, and where the spans asked for are in them.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Excerpt {
    pub(super) text: String,
    pub(super) first_line: usize,
    /// For each span asked for, its range in `text`.
    pub(super) spans: Vec<Range<usize>>,
}

/// The part of a span that is pointed at: without a line end behind it, and of many lines only
/// the first.
pub(super) fn pointed_at(source: &Source, span: Span) -> Span {
    const MOST_LINES: usize = 6;
    let start = floor(source.text(), span.start);
    let end = floor(source.text(), span.end).max(start);
    let (from, to) = (source.position(start), source.position(end));
    let last = if to.column == 1 && to.line > from.line { to.line - 1 } else { to.line };
    let last = if last - from.line < MOST_LINES { last } else { from.line };
    Span::new(start, end.min(source.line(last).end).max(start))
}

/// Takes the lines that the spans stand on, and those between them, each clipped to `width`
/// columns around the first span on it. Costs no more than what is shown, however long a line is.
pub(super) fn excerpt(source: &Source, spans: &[Span], width: usize) -> Excerpt {
    let floor = |offset| floor(source.text(), offset);
    let spans: Vec<Span> =
        spans.iter().map(|span| Span::new(floor(span.start), floor(span.end))).collect();
    let first = spans.iter().map(|span| span.start).min().unwrap_or(0);
    let last = spans.iter().map(|span| span.end).max().unwrap_or(first);
    let (first_line, last_line) = (source.position(first).line, source.position(last).line);

    let mut text = String::new();
    let mut shown = vec![0..0; spans.len()];
    for number in first_line..=last_line {
        if number > first_line {
            text.push('\n');
        }
        let line = source.line(number);
        let touches = |span: &&Span| span.start <= line.end && line.start <= span.end;
        let focus = spans.iter().find(touches).map_or(line.start, |span| span.start);
        let clip = clip(source, line, focus.max(line.start), width);
        let places = push_clipped(&mut text, source, line, clip);
        for (span, shown) in spans.iter().zip(&mut shown) {
            if (line.start..=line.end).contains(&span.start) {
                shown.start = place(&places, span.start);
            }
            if (line.start..=line.end).contains(&span.end) {
                shown.end = place(&places, span.end);
            }
        }
    }
    Excerpt { text, first_line, spans: shown }
}

/// The beginning of the character that an offset is in; the end of the text for what is behind it.
fn floor(text: &str, offset: u32) -> u32 {
    let mut offset = (offset as usize).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    Span::at(offset, offset).start
}

/// Which part of a line is shown: at most `width` columns, those around `focus`.
fn clip(source: &Source, line: Span, focus: u32, width: usize) -> Span {
    let before = source.slice(Span::new(line.start, focus));
    let behind = source.slice(Span::new(focus, line.end));
    let left = fitting(before.chars().rev(), width);
    let right = fitting(behind.chars(), width);
    // The two columns kept free are for the marks of what was cut.
    let room = width.saturating_sub(2);
    let (left, right) = if left.columns + right.columns <= width {
        (width, width)
    } else if right.columns <= room / 2 {
        (room - right.columns, right.columns)
    } else if left.columns <= room / 2 {
        (left.columns, room - left.columns)
    } else {
        (room / 2, room / 2)
    };
    let start = focus - fitting(before.chars().rev(), left).bytes;
    let end = focus + fitting(behind.chars(), right).bytes;
    Span::new(start, end)
}

/// The first characters of a text: how many columns and bytes they take.
struct Fitting {
    columns: usize,
    bytes: u32,
}

/// As many characters as fit into a width. Where there are more, the columns are one too many.
fn fitting(characters: impl Iterator<Item = char>, width: usize) -> Fitting {
    let mut fitting = Fitting { columns: 0, bytes: 0 };
    for character in characters {
        let columns = fitting.columns + columns(character);
        if columns > width {
            return Fitting { columns: width + 1, ..fitting };
        }
        fitting =
            Fitting { columns, bytes: fitting.bytes + Span::at(character.len_utf8(), 0).start };
    }
    fitting
}

/// At least as many columns as a character takes, and at least one: no line is longer than it
/// should be, and none costs more than its width.
fn columns(character: char) -> usize {
    match character {
        '\t' => 4,
        _ if is_unsafe(character) => r"\u{10ffff}".len(),
        _ if character < '\u{1100}' => 1,
        _ => 2,
    }
}

/// Adds a part of a line with marks for what was cut; returns where each character went, in
/// ascending order.
fn push_clipped(text: &mut String, source: &Source, line: Span, clip: Span) -> Vec<(u32, usize)> {
    let mut places = Vec::new();
    if clip.start > line.start {
        places.push((line.start, text.len()));
        text.push('…');
    }
    for (at, character) in source.slice(clip).char_indices() {
        places.push((clip.start + Span::at(at, 0).start, text.len()));
        match character {
            '\t' => text.push('\t'),
            _ => push_escaped(text, character),
        }
    }
    places.push((clip.end, text.len()));
    if clip.end < line.end {
        text.push('…');
        places.push((clip.end + 1, text.len()));
    }
    places
}

/// Where an offset of the source went; what was cut went to the mark of the cut.
fn place(places: &[(u32, usize)], offset: u32) -> usize {
    let behind = places.partition_point(|&(at, _)| at <= offset);
    behind.checked_sub(1).and_then(|last| places.get(last)).map_or(0, |&(_, at)| at)
}
