//! The origins of an output as lines, as `origins` blocks hold them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use mdgraft::{Hash, OriginKind, Rendered};

use crate::diff::plain;

/// A line for each run of output: `line:col-line:col` of the output with an exclusive end, then
/// `path:line:col`, with `var NAME` or `glue` before it where it is not text of a file.
///
/// Empty unless the origins were asked for.
#[must_use]
pub fn origin_lines(rendered: &Rendered) -> String {
    let output = Lines::new(rendered.text());
    let mut sources: BTreeMap<Hash, Lines> = BTreeMap::new();
    let mut shown = String::new();
    for origin in rendered.origins() {
        let place = &origin.place;
        let source = &place.source;
        let lines = sources.entry(source.hash()).or_insert_with(|| Lines::new(source.text()));
        let kind = match &origin.kind {
            OriginKind::Text => String::new(),
            OriginKind::Variable(name) => format!("var {name} "),
            OriginKind::Glue => "glue ".to_owned(),
        };
        let _ = writeln!(
            shown,
            "{}-{} {kind}{}:{}",
            output.position(origin.output.start),
            output.position(origin.output.end),
            plain(&place.file),
            lines.position(place.span.start as usize),
        );
    }
    shown
}

/// Where the lines of a text begin, for many positions of one text.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let starts = text.match_indices('\n').map(|(at, _)| at + 1);
        Self { text, starts: std::iter::once(0).chain(starts).collect() }
    }

    fn position(&self, offset: usize) -> String {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line - 1];
        let before = self.text.get(start..offset).unwrap_or_default();
        format!("{line}:{}", before.chars().count() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters() {
        let lines = Lines::new("é\n\nab");
        let positions = [0, 2, 3, 4, 5, 6].map(|offset| lines.position(offset));
        assert_eq!(positions, ["1:1", "1:2", "2:1", "3:1", "3:2", "3:3"]);
    }
}
