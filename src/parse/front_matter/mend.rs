//! Edits that mend YAML which does not parse.

use std::ops::Range;

use super::yaml;

/// The edit that makes the YAML parse, where one of the usual slips keeps it from parsing at byte
/// `at`: a value that needs quotes (`description: one: two`, `globs: *.md`), or a missing blank
/// behind the colon of a key.
///
/// An edit is tried before it is given; that costs one more parse.
pub(super) fn edit(text: &str, at: usize) -> Option<(Range<usize>, String)> {
    let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let end = text.get(at..)?.find('\n').map_or(text.len(), |end| at + end);
    let line = text.get(start..end)?;
    let (range, new) = spaced_colon(line).or_else(|| quoted_value(line))?;
    let range = start + range.start..start + range.end;
    let mended = [&text[..range.start], &new, &text[range.end..]].concat();
    yaml::parse(&mended, 0).is_ok().then_some((range, new))
}

/// `key:value` with a blank behind the colon.
fn spaced_colon(line: &str) -> Option<(Range<usize>, String)> {
    let colon = line.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'))?;
    let value = line[colon..].strip_prefix(':')?;
    let apart = value.is_empty() || value.starts_with([' ', '\t']);
    (colon > 0 && !apart).then(|| (colon + 1..colon + 1, " ".to_owned()))
}

/// The value of `key: value` or `- value` in quotes.
fn quoted_value(line: &str) -> Option<(Range<usize>, String)> {
    let mut start = line.len() - line.trim_start_matches(' ').len();
    while line[start..].starts_with("- ") {
        let rest = line[start + 2..].trim_start_matches(' ');
        start = line.len() - rest.len();
    }
    if let Some(colon) = line[start..].find(": ") {
        let rest = line[start + colon + 2..].trim_start_matches(' ');
        start = line.len() - rest.len();
    }
    let value = line[start..].split(" #").next().unwrap_or_default().trim_end();
    if value.is_empty() || value.starts_with(['"', '\'', '|', '>']) {
        return None;
    }
    let quoted = if value.contains(['"', '\\']) {
        format!("'{}'", value.replace('\'', "''"))
    } else {
        format!("\"{value}\"")
    };
    Some((start..start + value.len(), quoted))
}
