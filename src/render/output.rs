//! The text being rendered: seams, prefixes of containers, and where each byte comes from
//! (language §9).

use std::ops::Range;

use crate::parse::document::Flags;
use crate::text::Span;

/// Where a run of output comes from: a place of a text, met in an instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct From {
    pub(super) kind: FromKind,
    pub(super) text: u32,
    pub(super) span: Span,
    pub(super) instance: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FromKind {
    /// The source itself, byte for byte.
    Source,
    /// A value; the span is that of the reference.
    Value,
    /// Added by the engine.
    Glue,
}

impl From {
    fn glue(self) -> Self {
        Self { kind: FromKind::Glue, ..self }
    }
}

/// A run of output: it ends where the next one begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) start: usize,
    pub(super) from: From,
}

/// A blank line that stands for those merged at a seam.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlankLine<'s> {
    /// The line as written, without its line end.
    pub(super) line: &'s str,
    pub(super) from: From,
}

/// What is pending at a line's start.
#[derive(Clone, Copy, Debug, Default)]
struct Gap<'s> {
    /// The blank line met so far, with how much of the prefix it takes.
    blank: Option<(BlankLine<'s>, usize)>,
    /// A blank line is due whether one was met or not.
    forced: bool,
    /// No blank line counts any more until text is printed.
    closed: bool,
    /// Where the seam is.
    at: Option<From>,
}

/// Blank lines printed last, which a seam takes back.
#[derive(Clone, Copy, Debug)]
struct Tail<'s> {
    before: usize,
    after: usize,
    blank: BlankLine<'s>,
}

/// The blank for a line end at a value's end.
#[derive(Clone, Copy, Debug)]
struct PendingBlank {
    from: From,
    in_heading: bool,
}

/// The output and its state.
#[derive(Debug)]
pub(super) struct Output<'s> {
    text: String,
    gap: Option<Gap<'s>>,
    tail: Option<Tail<'s>>,
    /// What the last piece leaves open.
    ends: Flags,
    /// What each further line of the containers at hand begins with, and the directive that it
    /// comes from.
    prefix: String,
    prefix_from: Option<From>,
    /// What the next line begins with instead of the prefix behind `first_base`.
    first: Vec<(&'s str, From)>,
    first_base: usize,
    /// The line end that a value left in a line that can have none.
    pending_blank: Option<PendingBlank>,
    /// The blanks that end the prefix of a line which is blank so far: due before any text of it.
    pending_prefix: Option<(String, From)>,
    runs: Option<Vec<Run>>,
    tidy: bool,
    /// Whether blank lines are dropped, since a text begins that is to be stripped.
    strips: bool,
    /// What closes what a file left open, if text follows.
    closer: Option<(String, From)>,
}

/// A state to come back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Saved<'s> {
    length: usize,
    gap: Option<Gap<'s>>,
    tail: Option<Tail<'s>>,
    ends: Flags,
    prefix: usize,
    prefix_from: Option<From>,
    first: usize,
}

impl<'s> Output<'s> {
    pub(super) fn new(capacity: usize, origins: bool, tidy: bool) -> Self {
        Self {
            text: String::with_capacity(capacity),
            gap: Some(Gap::default()),
            tail: None,
            ends: Flags::default(),
            prefix: String::new(),
            prefix_from: None,
            first: Vec::new(),
            first_base: 0,
            pending_blank: None,
            pending_prefix: None,
            runs: origins.then(Vec::new),
            tidy,
            strips: false,
            closer: None,
        }
    }

    /// A file ends with something open: where text follows, the closer is printed on its own line.
    pub(super) fn leave_open(&mut self, closer: &str, at: From) {
        self.seam(at);
        self.closer = Some((format!("{}{closer}", self.prefix), at.glue()));
        self.ends = Flags::default();
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn is_line_start(&self) -> bool {
        self.text.is_empty() || self.text.ends_with('\n')
    }

    pub(super) fn has_prefix(&self) -> bool {
        !self.prefix.is_empty() || !self.first.is_empty()
    }

    /// Whether what comes next is the first in a container.
    pub(super) fn begins_container(&self) -> bool {
        !self.first.is_empty()
    }

    pub(super) fn prefix_len(&self) -> usize {
        self.prefix.len()
    }

    // Seams

    /// A seam: blank lines on both sides are merged.
    pub(super) fn seam(&mut self, at: From) {
        self.pending_prefix = None;
        if let Some(gap) = &mut self.gap {
            gap.at.get_or_insert(at);
            return;
        }
        let mut gap = Gap { at: Some(at), ..Gap::default() };
        if let Some(tail) = self.tail.take()
            && tail.after == self.text.len()
        {
            self.truncate(tail.before);
            gap.blank = Some((tail.blank, self.prefix.len()));
        }
        self.gap = Some(gap);
    }

    /// A seam at which one blank line stands.
    pub(super) fn border(&mut self, at: From) {
        self.seam(at);
        if let Some(gap) = &mut self.gap {
            gap.forced = true;
            gap.at = Some(at);
        }
    }

    /// The end of a text that is stripped: blank lines at its end go, those of values too.
    pub(super) fn end_stripped(&mut self, at: From) {
        let before = self.gap.and_then(|gap| gap.at);
        self.seam(at);
        self.truncate(without_blank_lines_at_end(&self.text));
        if let Some(gap) = &mut self.gap {
            gap.forced = true;
            gap.at = before.or(Some(at));
        }
        self.strips = false;
    }

    /// The start of a text that is stripped: blank lines at its start go.
    pub(super) fn begin_stripped(&mut self, at: From) {
        self.end_stripped(at);
        self.strips = true;
    }

    pub(super) fn in_seam(&self) -> bool {
        self.gap.is_some()
    }

    /// A part of a file begins: the blank lines before it, which belong to what is not taken of the
    /// file, do not count.
    pub(super) fn begin_part(&mut self) {
        if let Some(gap) = &mut self.gap {
            gap.closed = true;
        }
    }

    /// A part of a file ends: the blank lines behind it do not count.
    pub(super) fn end_part(&mut self, at: From) {
        self.seam(at);
        if let Some(gap) = &mut self.gap {
            gap.blank = None;
            gap.closed = false;
        }
    }

    /// A blank line was left out at the seam at hand.
    pub(super) fn note_blank(&mut self, blank: BlankLine<'s>) {
        let prefix = self.prefix.len();
        let Some(gap) = self.gap.as_mut().filter(|gap| !gap.closed) else { return };
        let marks = |line: &str| line.bytes().filter(|&byte| byte == b'>').count();
        let better = gap.blank.is_none_or(|(other, other_prefix)| {
            (prefix, marks(blank.line)) < (other_prefix, marks(other.line))
        });
        if better {
            gap.blank = Some((blank, prefix));
        }
    }

    /// Blank lines of the source: printed, or merged where a seam is.
    pub(super) fn blank_lines(&mut self, lines: &'s str, from: From) {
        let first = lines.split('\n').next().unwrap_or_default();
        let start = from.span.start;
        let span = Span::new(start, start + Span::at(0, first.len()).end);
        let blank = BlankLine { line: first, from: From { span, ..from } };
        if self.gap.is_some() {
            return self.note_blank(blank);
        }
        if self.strips {
            return;
        }
        let before = match self.tail {
            Some(tail) if tail.after == self.text.len() => tail.before,
            _ => self.text.len(),
        };
        self.write(lines, from);
        self.tail = Some(Tail { before, after: self.text.len(), blank });
    }

    /// Closes the seam at hand in front of text.
    fn settle(&mut self, head: Flags, at: From) {
        let Some(gap) = self.gap.take() else { return };
        if self.text.is_empty() {
            return;
        }
        let glue = gap.at.unwrap_or(at).glue();
        if !self.is_line_start() {
            self.write("\n", glue);
        }
        if let Some((closer, from)) = self.closer.take() {
            self.raw(&closer, from);
            self.raw("\n", from);
        }
        let hazard = self.ends.has(Flags::ENDS_PARAGRAPH) && head.has(Flags::HAZARD)
            || self.ends.has(Flags::ENDS_HTML) && !head.has(Flags::IN_HTML);
        match gap.blank {
            Some((blank, prefix)) => {
                let line = self.prefix[..prefix.min(self.prefix.len())]
                    .trim_end_matches([' ', '\t'])
                    .to_owned();
                self.raw(&line, glue);
                self.raw(blank.line, blank.from);
                let end = blank.from.span.end;
                self.raw("\n", From { span: Span::new(end, end + 1), ..blank.from });
            }
            None if gap.forced || hazard => {
                let line = self.prefix.trim_end_matches([' ', '\t']).to_owned();
                self.raw(&line, glue);
                self.raw("\n", glue);
            }
            None => {}
        }
    }

    // Printing

    /// Prints source text, or other text with an origin.
    pub(super) fn push(&mut self, text: &str, from: From, head: Flags, ends: Flags) {
        if self.gap.is_some() {
            self.settle(head, from);
        } else if self.ends.has(Flags::ENDS_COMMENTED) && head.has(Flags::HAZARD) {
            self.write("\n", from.glue());
        }
        let (text, from) = self.strip(text, from);
        self.write(text, from);
        self.ends = ends;
    }

    /// Opens a line for text that may be empty.
    pub(super) fn open(&mut self, from: From, head: Flags) {
        self.push("", from, head, Flags::default());
        if self.has_prefix() && self.is_line_start() && self.pending_prefix.is_none() {
            self.line_prefix(false, from);
        }
    }

    /// Text without the blank lines at its start, where a text begins that is to be stripped.
    fn strip<'t>(&mut self, text: &'t str, mut from: From) -> (&'t str, From) {
        if !self.strips || text.is_empty() {
            return (text, from);
        }
        let start = leading_blank_lines(text);
        self.strips = text[start..].is_empty();
        if from.kind == FromKind::Source {
            from.span.start += Span::at(0, start).end;
        }
        (&text[start..], from)
    }

    fn write(&mut self, text: &str, from: From) {
        if self.prefix.is_empty() && self.first.is_empty() {
            return self.raw(text, from);
        }
        let mut span = from.span;
        for line in text.split_inclusive('\n') {
            let length = Span::at(0, line.len()).end;
            if from.kind == FromKind::Source {
                span.end = span.start + length;
            }
            let blank = line.trim_matches([' ', '\t', '\n']).is_empty();
            if self.is_line_start() && self.pending_prefix.is_none() {
                self.line_prefix(blank, from);
                if blank {
                    self.raw("\n", From { span, ..from });
                    span.start += length;
                    continue;
                }
            }
            self.raw(line, From { span, ..from });
            if from.kind == FromKind::Source {
                span.start += length;
            }
        }
    }

    fn line_prefix(&mut self, blank: bool, from: From) {
        let glue = self.prefix_from.unwrap_or(from).glue();
        if blank {
            let prefix = self.prefix.trim_end_matches([' ', '\t']).to_owned();
            return self.raw(&prefix, glue);
        }
        if self.first.is_empty() {
            let prefix = self.prefix.clone();
            return self.raw(&prefix, glue);
        }
        let base = self.prefix[..self.first_base].to_owned();
        self.raw(&base, glue);
        for (text, from) in std::mem::take(&mut self.first) {
            self.raw(text, from);
        }
    }

    fn raw(&mut self, text: &str, from: From) {
        if text.is_empty() {
            return;
        }
        if let Some((prefix, at)) = self.pending_prefix.take() {
            let line = text.split('\n').next().unwrap_or_default();
            if line.len() == text.len() || !line.trim_matches([' ', '\t']).is_empty() {
                self.raw(&prefix, at);
            }
        }
        if let Some(blank) = self.pending_blank.take()
            && !(blank.in_heading && text.starts_with('\n'))
        {
            self.raw(" ", blank.from);
        }
        if let Some(runs) = &mut self.runs {
            let start = self.text.len();
            let joins = runs.last().is_some_and(|last| {
                let same = (last.from.text, last.from.instance, last.from.kind)
                    == (from.text, from.instance, from.kind);
                let follows = match from.kind {
                    FromKind::Source => {
                        let length = Span::at(0, start - last.start).end;
                        last.from.span.start + length == from.span.start
                    }
                    _ => last.from.span == from.span,
                };
                same && follows
            });
            if !joins {
                runs.push(Run { start, from });
            }
        }
        self.text.push_str(text);
    }

    // Values

    /// Prints a value whose further lines get a prefix.
    pub(super) fn value(&mut self, value: &str, prefix: &str, from: From, head: Flags) {
        self.open(from, head);
        let (value, from) = self.strip(value, from);
        if value.contains('\n') && !(prefix.is_empty() && self.prefix.is_empty()) {
            let mut lines = value.split('\n');
            self.raw(lines.next().unwrap_or_default(), from);
            for line in lines {
                self.raw("\n", from);
                let blank = line.trim_matches([' ', '\t']).is_empty();
                let whole = format!("{}{prefix}", self.prefix);
                let before = if blank { whole.trim_end_matches([' ', '\t']) } else { &whole };
                let own = self.prefix.len().min(before.len());
                let container = before[..own].to_owned();
                self.raw(&container, self.prefix_from.unwrap_or(from).glue());
                self.raw(&before[own..], from.glue());
                if blank {
                    self.pending_prefix = Some((whole[before.len()..].to_owned(), from.glue()));
                } else {
                    self.raw(line, from);
                }
            }
        } else {
            self.raw(value, from);
        }
        self.ends = Flags::default();
    }

    /// Prints a value where no line may end: each run of line ends becomes one blank; one at the
    /// value's end waits for what follows, and goes at the end of a heading.
    pub(super) fn value_in_line(&mut self, value: &str, in_heading: bool, from: From, head: Flags) {
        self.open(from, head);
        let mut rest = value;
        while let Some(at) = rest.find('\n') {
            self.raw(&rest[..at], from);
            rest = rest[at..].trim_start_matches('\n');
            self.pending_blank = Some(PendingBlank { from, in_heading });
        }
        self.raw(rest, from);
        self.ends = Flags::default();
    }

    /// Forgets the blank that a value's last line end left.
    pub(super) fn drop_pending_blank(&mut self) {
        self.pending_blank = None;
    }

    // Containers

    /// Enters a container for a directive: the next line begins with `first`, further ones with
    /// `prefix`.
    pub(super) fn enter(&mut self, directive: From, first: &'s str, from: From, prefix: &str) {
        if self.first.is_empty() {
            self.first_base = self.prefix.len();
        }
        self.first.push((first, from));
        self.prefix.push_str(prefix);
        self.prefix_from = Some(directive);
    }

    /// Enters a container whose first line is printed.
    pub(super) fn enter_again(&mut self, prefix: &str) {
        self.prefix.push_str(prefix);
    }

    /// Leaves a container that was entered at a saved state.
    pub(super) fn leave(&mut self, saved: &Saved<'s>) {
        self.prefix.truncate(saved.prefix);
        self.prefix_from = saved.prefix_from;
        self.first.truncate(saved.first);
    }

    // Going back

    pub(super) fn save(&self) -> Saved<'s> {
        Saved {
            length: self.text.len(),
            gap: self.gap,
            tail: self.tail,
            ends: self.ends,
            prefix: self.prefix.len(),
            prefix_from: self.prefix_from,
            first: self.first.len(),
        }
    }

    /// Takes back all that was printed since, and the seams since.
    pub(super) fn restore(&mut self, saved: &Saved<'s>) {
        self.truncate(saved.length);
        self.restore_seam(saved);
    }

    /// Takes back the seams since, where nothing was printed.
    pub(super) fn restore_seam(&mut self, saved: &Saved<'s>) {
        // A seam that has taken blank lines back since is kept: they must not be lost.
        if saved.length == self.text.len() {
            self.gap = saved.gap;
            self.tail = saved.tail;
            self.ends = saved.ends;
        }
    }

    pub(super) fn printed_since(&self, saved: &Saved<'s>) -> bool {
        self.text.len() > saved.length
    }

    pub(super) fn since(&self, saved: &Saved<'s>) -> &str {
        self.text.get(saved.length..).unwrap_or_default()
    }

    fn truncate(&mut self, length: usize) {
        self.pending_prefix = None;
        self.text.truncate(length);
        if let Some(runs) = &mut self.runs {
            let keep = runs.partition_point(|run| run.start < length);
            runs.truncate(keep);
        }
    }

    /// Puts other text in the place of a range near the end.
    pub(super) fn splice(&mut self, range: Range<usize>, with: &str, from: From) {
        self.text.replace_range(range.clone(), with);
        let Some(runs) = &mut self.runs else { return };
        let shift = |at: usize| at - range.end + range.start + with.len();
        let mut spliced = Vec::with_capacity(runs.len() + 2);
        let mut placed = with.is_empty();
        for (index, run) in runs.iter().enumerate() {
            let end = runs.get(index + 1).map_or(usize::MAX, |next| next.start);
            if run.start < range.start {
                spliced.push(*run);
            }
            if end > range.start && !placed && run.start <= range.start {
                spliced.push(Run { start: range.start, from: from.glue() });
                placed = true;
            }
            if end > range.end {
                let start = run.start.max(range.end);
                let mut rest = *run;
                if rest.from.kind == FromKind::Source {
                    rest.from.span.start += Span::at(0, start - run.start).end;
                }
                rest.start = shift(start);
                if start > run.start || run.start >= range.end {
                    spliced.push(rest);
                }
            }
        }
        if !placed {
            spliced.push(Run { start: range.start, from: from.glue() });
        }
        *runs = spliced;
    }

    // The end

    /// The text: no blank line at its start, one line end at its end.
    pub(super) fn finish(mut self, at: From) -> (String, Option<Vec<Run>>) {
        self.seam(at);
        self.truncate(without_blank_lines_at_end(&self.text));
        if !self.is_line_start() {
            let end = self.end_of_last_run(at);
            self.raw("\n", end.glue());
        }
        let start = leading_blank_lines(&self.text);
        if start > 0 {
            self.splice(0..start, "", at);
        }
        (self.text, self.runs)
    }

    /// The place behind what was printed last.
    fn end_of_last_run(&self, otherwise: From) -> From {
        let Some(run) = self.runs.as_ref().and_then(|runs| runs.last()) else { return otherwise };
        if run.from.kind != FromKind::Source {
            return run.from;
        }
        let end = run.from.span.start + Span::at(0, self.text.len() - run.start).end;
        From { span: Span::new(end, end), ..run.from }
    }

    pub(super) fn tidy(&self) -> bool {
        self.tidy
    }
}

/// The length of a text without the blank lines at its end.
fn without_blank_lines_at_end(text: &str) -> usize {
    let end = text.trim_end_matches([' ', '\t', '\n']).len();
    let kept = text[end..].find('\n').map_or(text.len(), |line_end| end + line_end + 1);
    if end == 0 { 0 } else { kept }
}

fn leading_blank_lines(text: &str) -> usize {
    let content = text.len() - text.trim_start_matches([' ', '\t', '\n']).len();
    text[..content].rfind('\n').map_or(0, |at| at + 1)
}
