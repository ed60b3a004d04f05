//! What an edit changes, line by line, as it is shown.

use super::Edit;
use super::escape::escape;
use super::excerpt::{Excerpt, excerpt};
use crate::text::Source;

/// A line of a shown edit.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct DiffLine {
    /// The number that the line has before the edit where it is removed, else after it.
    pub(super) number: usize,
    pub(super) change: Change,
    pub(super) text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    Same,
    Removed,
    Added,
}

/// How many lines an edit may remove or add to be shown.
const MOST_LINES: usize = 6;

/// The lines that an edit removes and adds, clipped to `width` columns; where it does only one of
/// both, with the lines beside them. `None` where there are none, or too many to be looked at.
pub(super) fn diff(edit: &Edit, width: usize) -> Option<Vec<DiffLine>> {
    let source = &edit.place.source;
    if edit.place.end().line - edit.place.position().line >= MOST_LINES {
        return None;
    }
    let Excerpt { text, first_line, spans } = excerpt(source, &[edit.place.span], width);
    let span = spans.into_iter().next()?;
    let inserted = edit.text.split('\n').map(escape).collect::<Vec<_>>().join("\n");
    let changed = format!("{}{inserted}{}", &text[..span.start], &text[span.end..]);
    let (old, new): (Vec<_>, Vec<_>) = (text.split('\n').collect(), changed.split('\n').collect());
    if new.len() > MOST_LINES {
        return None;
    }

    let same = |(one, other): &(&&str, &&str)| one == other;
    let before = old.iter().zip(&new).take_while(same).count();
    let (old_rest, new_rest) = (&old[before..], &new[before..]);
    let behind = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
    let removed = &old_rest[..old_rest.len() - behind];
    let added = &new_rest[..new_rest.len() - behind];

    if removed.is_empty() && added.is_empty() {
        return None;
    }

    let at = first_line + before;
    let line = |change, number, text: &str| DiffLine { number, change, text: text.to_owned() };
    let mut lines = Vec::new();
    let one_sided = removed.is_empty() || added.is_empty();
    if one_sided && at > 1 {
        lines.push(line(Change::Same, at - 1, &line_of(source, at - 1, width)));
    }
    lines.extend((at..).zip(removed).map(|(at, text)| line(Change::Removed, at, text)));
    lines.extend((at..).zip(added).map(|(at, text)| line(Change::Added, at, text)));
    if one_sided {
        let next = line_of(source, at + removed.len(), width);
        lines.push(line(Change::Same, at + added.len(), &next));
    }
    // A blank line beside the others says nothing, nor does one that others take the place of.
    let says_nothing = |line: &DiffLine| match line.change {
        Change::Same => true,
        Change::Removed => !added.is_empty(),
        Change::Added => false,
    };
    lines.retain(|line| !line.text.trim().is_empty() || !says_nothing(line));
    Some(lines)
}

fn line_of(source: &Source, number: usize, width: usize) -> String {
    excerpt(source, &[source.line(number)], width).text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::sample::place;

    /// The diff of an edit, one line each.
    fn shown(text: &str, from: u32, to: u32, with: &str) -> String {
        let edit = Edit { place: place("a.md", text, from, to), text: with.into() };
        let Some(lines) = diff(&edit, 40) else { return "not shown".into() };
        let lines = lines.iter().map(|DiffLine { number, change, text }| {
            let sign = match change {
                Change::Same => ' ',
                Change::Removed => '-',
                Change::Added => '+',
            };
            format!("{number}{sign}{text}")
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn an_edit_is_shown_as_lines_removed_and_added() {
        let text = "<rules>\n## Rules\nx\n</rules>\n";
        for (from, to, with, lines) in [
            (11, 16, "Rule", "2-## Rules\n2+## Rule"),
            (16, 16, "!", "2-## Rules\n2+## Rules!"),
            (10, 11, "", "2-## Rules\n2+##Rules"),
            // What only adds or removes lines is shown between its neighbours.
            (8, 8, "\n", "1 <rules>\n2+\n3 ## Rules"),
            (7, 7, "\n", "1 <rules>\n2+\n3 ## Rules"),
            (8, 17, "", "1 <rules>\n2-## Rules\n2 x"),
            (0, 8, "", "1-<rules>\n1 ## Rules"),
            (28, 28, "<!-- endif -->\n", "4 </rules>\n5+<!-- endif -->"),
            (28, 28, "end", "5+end"),
            // Lines joined and parted.
            (7, 8, " ", "1-<rules>\n2-## Rules\n1+<rules> ## Rules"),
            (10, 11, "\n", "2-## Rules\n2+##\n3+Rules"),
            (0, 0, "\n\n\n\n\n\n", "not shown"),
            (8, 10, "##", "not shown"),
        ] {
            assert_eq!(shown(text, from, to, with), lines, "{from}..{to} {with:?}");
        }
        assert_eq!(shown(&"a\n".repeat(9), 0, 18, ""), "not shown");
        assert_eq!(shown("", 0, 0, "a\u{1b}"), "1+a\\u{1b}");
        let long = "0123456789".repeat(100_000);
        assert_eq!(
            shown(&long, 500_000, 500_001, "x"),
            "1-…12345678901234567890123456789012345678…\n1+…1234567890123456789x123456789012345678…"
        );
    }
}
