//! Two texts side by side, with blanks to be seen. The only file that names `similar`.

use std::fmt::Write as _;
use std::time::Duration;

use similar::{ChangeTag, TextDiff};

/// How many equal lines are shown around those that differ.
const CONTEXT: usize = 3;

/// How many lines of a difference are shown.
const MOST: usize = 200;

/// The lines that differ, `-` where they were expected and `+` where they came; blanks, tabs and
/// line ends of these lines are drawn.
pub(crate) fn diff(expected: &str, actual: &str) -> String {
    let diff = TextDiff::configure().timeout(Duration::from_secs(2)).diff_lines(expected, actual);
    let mut shown = String::new();
    let mut count = 0;
    for (index, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if index > 0 {
            shown.push_str("  …\n");
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            count += 1;
            if count > MOST {
                shown.push_str("  … and more\n");
                return shown;
            }
            let _ = match change.tag() {
                ChangeTag::Equal => writeln!(shown, "  {}", plain(change.value())),
                ChangeTag::Delete => writeln!(shown, "- {}", drawn(change.value())),
                ChangeTag::Insert => writeln!(shown, "+ {}", drawn(change.value())),
            };
        }
    }
    shown
}

/// A line whose control characters (but for tabs) are escaped, so that no file steers a terminal.
pub(crate) fn plain(line: &str) -> String {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.chars()
        .map(|letter| if letter == '\t' { letter.into() } else { escaped(letter) })
        .collect()
}

/// A line with its blanks, tabs and line end to be seen.
fn drawn(line: &str) -> String {
    line.chars()
        .map(|letter| match letter {
            ' ' => "·".to_owned(),
            '\t' => "⇥".to_owned(),
            '\r' => "␍".to_owned(),
            '\n' => "⏎".to_owned(),
            other => escaped(other),
        })
        .collect()
}

fn escaped(letter: char) -> String {
    let hidden = letter.is_control()
        || (letter.is_whitespace() && letter != ' ')
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
    if hidden { letter.escape_unicode().to_string() } else { letter.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_of_changed_lines_are_drawn() {
        assert_eq!(
            diff("same line\nold \tone\nlast", "same line\nnew\u{1b}[31m\nlast\n"),
            "  same line\n- old·⇥one⏎\n- last\n+ new\\u{1b}[31m⏎\n+ last⏎\n"
        );
    }

    #[test]
    fn far_apart_changes_are_two_groups() {
        let lines = |first: &str, last: &str| format!("{first}\n{}{last}\n", "x\n".repeat(20));
        let shown = diff(&lines("a", "b"), &lines("c", "d"));
        assert_eq!(shown.matches("  …\n").count(), 1);
        assert_eq!(shown.matches("  x\n").count(), 2 * CONTEXT);
    }
}
