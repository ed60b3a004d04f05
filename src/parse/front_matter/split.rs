//! Where front matter lies in a text, and what its lines look like before they are parsed.

use std::ops::Range;

/// The keys that mean something to the engine itself.
const OWN_KEYS: [&str; 5] = ["vars", "extends", "interpolate", "directives", "comments"];
/// The keys that the engine shares with other tools.
const SHARED_KEYS: [&str; 2] = ["name", "description"];

/// The format of front matter, which its marker tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    /// `---`
    Yaml,
    /// `+++`
    Toml,
}

impl Format {
    pub(super) fn marker(self) -> &'static str {
        match self {
            Self::Yaml => "---",
            Self::Toml => "+++",
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Yaml => "YAML",
            Self::Toml => "TOML",
        }
    }
}

/// What stands between two markers.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Block {
    pub(super) inner: Range<usize>,
    /// Behind the line end of the closing marker.
    pub(super) end: usize,
}

/// The format of the front matter that the first line of a text opens, if it is a marker. Costs
/// nothing for other texts.
pub(super) fn opening(text: &str) -> Option<Format> {
    let format = match text.get(..3)? {
        "---" => Format::Yaml,
        "+++" => Format::Toml,
        _ => return None,
    };
    is_blank(first_line(&text[3..])).then_some(format)
}

/// The block between the marker on the first line and the next one that stands at the left edge;
/// `None` where it is never closed.
pub(super) fn block(text: &str, format: Format) -> Option<Block> {
    let start = next_line(text, 0)?;
    let mut line = start;
    loop {
        let content = first_line(&text[line..]);
        if content.strip_prefix(format.marker()).is_some_and(is_blank) {
            let end = next_line(text, line).unwrap_or(text.len());
            return Some(Block { inner: start..line, end });
        }
        line = next_line(text, line)?;
    }
}

/// Whether the first line that is neither blank nor a comment has the form of a key.
pub(super) fn begins_with_key(inner: &str, format: Format) -> bool {
    let Some(line) = content_lines(inner).next() else { return false };
    match format {
        Format::Yaml => yaml_key(line).is_some(),
        Format::Toml => line.trim_start().starts_with('[') || toml_key(line).is_some(),
    }
}

/// Whether a line at the outer level begins with a key of the engine itself.
pub(super) fn has_own_key(inner: &str, format: Format) -> bool {
    let own = |key: Option<&str>| key.is_some_and(|key| OWN_KEYS.contains(&key));
    match format {
        Format::Yaml => {
            let Some(first) = content_lines(inner).next() else { return false };
            let level = indentation(first);
            content_lines(inner).any(|line| indentation(line) == level && own(yaml_key(line)))
        }
        Format::Toml => {
            // Below a header keys belong to its table.
            let mut outside = true;
            content_lines(inner).any(|line| match line.trim_start().strip_prefix('[') {
                Some(header) => {
                    outside = false;
                    own(first_word(header.trim_start_matches('[').trim_start()).map(|(key, _)| key))
                }
                None => outside && own(toml_key(line)),
            })
        }
    }
}

/// The key that a line of YAML begins with: `word:` before a blank or the line's end. Behind a key
/// that the engine knows the blank may be missing: that is a slip, and not some other text.
fn yaml_key(line: &str) -> Option<&str> {
    let (key, rest) = first_word(line.trim_start_matches(' '))?;
    let value = rest.trim_start_matches(is_space).strip_prefix(':')?;
    let known = OWN_KEYS.contains(&key) || SHARED_KEYS.contains(&key);
    (known || value.is_empty() || value.starts_with(is_space)).then_some(key)
}

/// The first part of the key that a line of TOML begins with: `word =`, `word.word =`.
fn toml_key(line: &str) -> Option<&str> {
    let (key, mut rest) = first_word(line.trim_start_matches(is_space))?;
    rest = rest.trim_start_matches(is_space);
    while let Some(part) = rest.strip_prefix('.') {
        (_, rest) = first_word(part.trim_start_matches(is_space))?;
        rest = rest.trim_start_matches(is_space);
    }
    rest.starts_with('=').then_some(key)
}

/// A word, in quotes or not, and what stands behind it.
fn first_word(text: &str) -> Option<(&str, &str)> {
    if let Some(quote) = text.chars().next().filter(|&first| first == '"' || first == '\'') {
        return text[1..].split_once(quote);
    }
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'));
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    let begins = word.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    begins.then_some((word, rest))
}

/// The lines that are neither blank nor nothing but a comment.
fn content_lines(inner: &str) -> impl Iterator<Item = &str> {
    inner.split('\n').filter(|line| {
        let content = line.trim_start_matches(is_space);
        !content.is_empty() && !content.starts_with('#')
    })
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn first_line(text: &str) -> &str {
    text.split_once('\n').map_or(text, |(line, _)| line)
}

fn next_line(text: &str, from: usize) -> Option<usize> {
    text[from..].find('\n').map(|at| from + at + 1)
}

fn is_blank(text: &str) -> bool {
    text.trim_start_matches(is_space).is_empty()
}

fn is_space(c: char) -> bool {
    c == ' ' || c == '\t'
}
