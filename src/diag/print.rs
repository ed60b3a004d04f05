//! Diagnostics with the lines they are about. The only file that names `annotate-snippets`.

use std::fmt::{self, Write};

use annotate_snippets::renderer::{
    DEFAULT_ADDITION_STYLE, DEFAULT_HELP_STYLE, DEFAULT_LINE_NUM_STYLE, DEFAULT_REMOVAL_STYLE,
    Renderer, Style,
};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Padding, Snippet};

use super::diff::{Change, DiffLine, diff};
use super::escape::escape;
use super::excerpt::{Excerpt, excerpt, pointed_at};
use super::short::shown_path;
use super::{Diagnostic, Diagnostics, Edit, Place, Severity};
use crate::text::Span;

/// Diagnostics as people read them: each with an excerpt of its file, the includes that led there,
/// help and the suggested edit. Made by [`Diagnostics::human`] and [`Diagnostic::human`].
///
/// It is printed by its [`Display`](fmt::Display), without a line end at its end. Whatever files
/// and values hold, no control character of theirs is printed as it is.
#[derive(Clone, Copy, Debug)]
pub struct Human<'a> {
    list: &'a [Diagnostic],
    more: usize,
    color: bool,
    width: usize,
    folder: &'a str,
}

impl Diagnostics {
    /// The diagnostics for people, with excerpts.
    ///
    /// ```
    /// # let diagnostics = mdgraft::Diagnostics::default();
    /// eprintln!("{}", diagnostics.human().color(true).folder("prompts"));
    /// ```
    #[must_use]
    pub fn human(&self) -> Human<'_> {
        Human::new(&self.list, self.more)
    }
}

impl Diagnostic {
    /// The diagnostic for people, with an excerpt.
    #[must_use]
    pub fn human(&self) -> Human<'_> {
        Human::new(std::slice::from_ref(self), 0)
    }
}

impl<'a> Human<'a> {
    fn new(list: &'a [Diagnostic], more: usize) -> Self {
        Self { list, more, color: false, width: 100, folder: "" }
    }

    /// Whether to use the colours of a terminal. Off by default.
    #[must_use]
    pub fn color(mut self, color: bool) -> Self {
        self.color = color;
        self
    }

    /// The columns that an excerpt may take, 100 by default. Of a longer line the part around the
    /// place is shown.
    #[must_use]
    pub fn width(mut self, width: usize) -> Self {
        self.width = width;
        self
    }

    /// The folder of the root, put before the paths of its files, so that a terminal or an editor
    /// can open them. Files of a named root (`@name/path`) stay as they are.
    #[must_use]
    pub fn folder(mut self, folder: &'a str) -> Self {
        self.folder = folder;
        self
    }
}

impl fmt::Display for Human<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.list.iter().enumerate() {
            let separator = if index > 0 { "\n\n" } else { "" };
            write!(f, "{separator}{}", self.report(diagnostic)?)?;
        }
        match self.more {
            0 => Ok(()),
            more => write!(f, "\n\n… and {more} more"),
        }
    }
}

impl Human<'_> {
    fn report(&self, diagnostic: &Diagnostic) -> Result<String, fmt::Error> {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level.primary_title(escape(&diagnostic.message)).id(diagnostic.code.as_str());
        let change = diagnostic.edit.as_ref().and_then(|edit| Some((edit, self.diff(edit)?)));
        let help = diagnostic.help.as_deref().map(escape);
        let mut notes = Vec::new();
        if !diagnostic.chain.is_empty() {
            notes.push(Level::NOTE.message(self.chain(&diagnostic.chain)));
        }
        if change.is_none() {
            notes.extend(help.clone().map(|help| Level::HELP.message(help)));
        }
        let closed = !notes.is_empty();
        let group = self.excerpts(Group::with_title(title), diagnostic, closed).elements(notes);
        let mut report = self.render(group, has_excerpt(diagnostic));
        if let Some((edit, lines)) = change {
            let gutter = gutter(diagnostic, &lines);
            if !closed {
                write!(report, "\n{:gutter$} {}", "", self.frame("|"))?;
            }
            let help = help.unwrap_or_else(|| instruction(edit).into());
            write!(report, "\n{}: {help}", self.paint("help", DEFAULT_HELP_STYLE))?;
            let elsewhere = edit.place.file != diagnostic.place.file;
            self.push_diff(&mut report, &lines, gutter, elsewhere.then_some(&edit.place))?;
        }
        Ok(report)
    }

    /// Adds the excerpt that the diagnostic is about, and those of the places that go with it.
    fn excerpts<'a>(&self, group: Group<'a>, diagnostic: &'a Diagnostic, more: bool) -> Group<'a> {
        let place = &diagnostic.place;
        let (near, far): (Vec<_>, Vec<_>) =
            diagnostic.related.iter().partition(|(related, _)| are_near(related, place));
        let group = if is_whole_file(place) {
            // There is nothing to point at in a file as a whole, nor in an empty one.
            let group = group.element(Origin::path(self.located(place)));
            if more { group.element(Padding) } else { group }
        } else {
            let near = near.iter().map(|(place, label)| (place, label.as_str()));
            let near: Vec<_> = near.collect();
            group.element(self.snippet(place, AnnotationKind::Primary, "", &near))
        };
        far.into_iter().fold(group, |group, (place, label)| {
            group.element(self.snippet(place, AnnotationKind::Context, label, &[]))
        })
    }

    fn snippet<'a>(
        &self,
        place: &Place,
        kind: AnnotationKind,
        label: &'a str,
        near: &[(&Place, &'a str)],
    ) -> Snippet<'a, Annotation<'a>> {
        let mut labels = vec![(kind, label)];
        labels.extend(near.iter().map(|&(_, label)| (AnnotationKind::Context, label)));
        let places = std::iter::once(place).chain(near.iter().map(|&(place, _)| place));
        let spans: Vec<_> = places.map(|place| pointed_at(&place.source, place.span)).collect();
        let Excerpt { mut text, first_line, spans } =
            excerpt(&place.source, &spans, self.room(place, &spans));
        if text.ends_with('\n') {
            // The renderer does not count an empty last line, which could not be pointed at.
            text.push(' ');
        }
        let annotations = spans.into_iter().zip(labels).map(|(span, (kind, label))| {
            kind.span(span).label((!label.is_empty()).then(|| escape(label)))
        });
        Snippet::source(text)
            .line_start(first_line)
            .path(self.located(place) + CUT)
            .annotations(annotations)
    }

    /// The directives that led to the file, the innermost first; of a long chain its two ends.
    fn chain(&self, chain: &[Place]) -> String {
        let places = chain.iter().rev().map(|place| self.located(place));
        let mut lines: Vec<_> = places.map(|place| format!("included from {place}")).collect();
        if lines.len() > 6 {
            let left_out = format!("… {} more …", lines.len() - 5);
            lines.splice(3..lines.len() - 2, [left_out]);
        }
        lines.join("\n")
    }

    /// The place as terminals and editors know it: `path:line:column`.
    fn located(&self, place: &Place) -> String {
        format!("{}:{}", shown_path(self.folder, &place.file), place.position())
    }

    /// The columns for text beside the line numbers.
    fn room(&self, place: &Place, spans: &[Span]) -> usize {
        const LEAST: usize = 20;
        let last = spans.iter().map(|span| span.end).max().unwrap_or(0);
        let gutter = digits(place.source.position(last).line) + " | ".len();
        self.width.saturating_sub(gutter).max(LEAST)
    }

    /// The group as the renderer prints it. Where it has no line numbers, it is moved to where it
    /// stands beside others.
    fn render(&self, group: Group<'_>, numbered: bool) -> String {
        let renderer = if self.color { Renderer::styled() } else { Renderer::plain() };
        // Excerpts are clipped already, so there is nothing left to cut.
        let text = renderer.term_width(usize::MAX / 4).render(&[group]);
        let line_break = if numbered { "\n" } else { "\n " };
        let lines = text.split('\n').map(|line| line.split(CUT).next().unwrap_or(line));
        lines.map(str::trim_end).collect::<Vec<_>>().join(line_break)
    }

    fn diff(&self, edit: &Edit) -> Option<Vec<DiffLine>> {
        diff(edit, self.room(&edit.place, &[edit.place.span]))
    }

    /// Adds the lines of an edit in the manner of the excerpts.
    fn push_diff(
        &self,
        report: &mut String,
        lines: &[DiffLine],
        gutter: usize,
        elsewhere: Option<&Place>,
    ) -> fmt::Result {
        if let Some(place) = elsewhere {
            write!(report, "\n{:gutter$}{} {}", "", self.frame("-->"), self.located(place))?;
        }
        write!(report, "\n{:gutter$} {}", "", self.frame("|"))?;
        for DiffLine { number, change, text } in lines {
            let number = self.frame(format_args!("{number:gutter$}"));
            let sign = match change {
                Change::Same => self.frame("|"),
                Change::Removed => self.paint("-", DEFAULT_REMOVAL_STYLE),
                Change::Added => self.paint("+", DEFAULT_ADDITION_STYLE),
            };
            let line = format!("{number} {sign} {}", text.replace('\t', "    "));
            write!(report, "\n{}", line.trim_end())?;
        }
        Ok(())
    }

    fn frame(&self, text: impl fmt::Display) -> String {
        self.paint(text, DEFAULT_LINE_NUM_STYLE)
    }

    fn paint(&self, text: impl fmt::Display, style: Style) -> String {
        if self.color { format!("{style}{text}{style:#}") } else { text.to_string() }
    }
}

/// The renderer counts columns in the excerpt, which is escaped and clipped. So a place is given
/// as a part of the path, and what the renderer adds behind this mark is cut. No text holds the
/// mark, since control characters are escaped.
const CUT: &str = "\u{1}";

/// Whether two places can share an excerpt.
fn are_near(one: &Place, other: &Place) -> bool {
    const LINES: usize = 10;
    one.file == other.file
        && one.source.hash() == other.source.hash()
        && !is_whole_file(other)
        && one.position().line.abs_diff(other.position().line) <= LINES
}

/// Whether a place stands for its file: what has no place of its own is at 1:1.
fn is_whole_file(place: &Place) -> bool {
    place.span.start == 0 && place.span.is_empty()
}

/// What an edit without a help of its own asks for.
fn instruction(edit: &Edit) -> &'static str {
    match (edit.place.span.is_empty(), edit.text.is_empty()) {
        (true, _) => "add this",
        (false, true) => "remove this",
        (false, false) => "write this instead",
    }
}

/// Whether lines of a file are shown for a diagnostic, the edit aside.
fn has_excerpt(diagnostic: &Diagnostic) -> bool {
    !is_whole_file(&diagnostic.place) || !diagnostic.related.is_empty()
}

/// The columns for the numbers of all lines that are shown.
fn gutter(diagnostic: &Diagnostic, lines: &[DiffLine]) -> usize {
    let related = diagnostic.related.iter().map(|(place, _)| place);
    let places = related.chain([&diagnostic.place]).map(|place| place.end().line);
    places.chain(lines.iter().map(|line| line.number)).max().map_or(1, digits)
}

fn digits(number: usize) -> usize {
    number.to_string().len()
}

#[cfg(test)]
mod tests;
