//! Changes that mend YAML which does not parse.

use std::ops::Range;

use super::yaml;

/// A change that makes the YAML parse.
pub(super) struct Mend {
    pub(super) range: Range<usize>,
    pub(super) text: String,
    pub(super) help: &'static str,
}

/// The change that makes the YAML parse, where one of the usual slips keeps it from parsing at byte
/// `at`: a value that needs quotes (`description: one: two`, `globs: *.md`), or a missing blank
/// behind the colon of a key.
///
/// A change is tried before it is given; that costs one more parse.
pub(super) fn mend(text: &str, at: usize) -> Option<Mend> {
    let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let end = text.get(at..)?.find('\n').map_or(text.len(), |end| at + end);
    let line = text.get(start..end)?;
    let mend = spaced_colon(line).or_else(|| quoted_value(line))?;
    let range = start + mend.range.start..start + mend.range.end;
    let mended = [&text[..range.start], &mend.text, &text[range.end..]].concat();
    yaml::parse(&mended, 0).is_ok().then_some(Mend { range, ..mend })
}

/// `key:value` with a blank behind the colon.
fn spaced_colon(line: &str) -> Option<Mend> {
    let colon = line.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'))?;
    let value = line[colon..].strip_prefix(':')?;
    let apart = value.is_empty() || value.starts_with([' ', '\t']);
    let help = "put a blank behind the colon";
    let range = colon + 1..colon + 1;
    (colon > 0 && !apart).then(|| Mend { range, text: " ".to_owned(), help })
}

/// The value of `key: value` or `- value` in quotes.
fn quoted_value(line: &str) -> Option<Mend> {
    let mut start = line.len() - line.trim_start_matches(' ').len();
    while line[start..].starts_with("- ") {
        start = line.len() - line[start + 2..].trim_start_matches(' ').len();
    }
    if let Some(colon) = line[start..].find(": ") {
        if line[start..start + colon].trim_matches(['"', '\'']) == "vars" {
            // It must be a map, which no quotes make of it.
            return None;
        }
        start = line.len() - line[start + colon + 2..].trim_start_matches(' ').len();
    }
    let value = line[start..].split(" #").next().unwrap_or_default().trim_end();
    let unclosed = |open, close| value.starts_with(open) && !value.contains(close);
    let other = value.is_empty() || value.starts_with(['"', '\'', '|', '>']);
    if other || unclosed('[', ']') || unclosed('{', '}') {
        return None;
    }
    let text = if value.contains(['"', '\\']) {
        format!("'{}'", value.replace('\'', "''"))
    } else {
        format!("\"{value}\"")
    };
    Some(Mend { range: start..start + value.len(), text, help: "put the value in quotes" })
}
