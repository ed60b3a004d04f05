//! Texts in another shape: indented, quoted, fenced, escaped.

use crate::value::{Full, Sink};

/// Indents all lines but the first; blank lines stay as they are.
pub(super) fn indent(text: &str, blanks: usize, out: &mut Sink) -> Result<(), Full> {
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push("\n")?;
            if !is_blank(line) {
                out.repeat(" ", blanks)?;
            }
        }
        out.push(line)?;
    }
    Ok(())
}

/// A block quote.
pub(super) fn quote(text: &str, out: &mut Sink) -> Result<(), Full> {
    for (index, line) in lines(text).enumerate() {
        if index > 0 {
            out.push("\n")?;
        }
        if is_blank(line) {
            out.push(">")?;
        } else {
            out.push("> ")?;
            out.push(line)?;
        }
    }
    Ok(())
}

/// A code block, whose fence is longer than any run of backticks inside.
pub(super) fn fence(text: &str, language: &str, out: &mut Sink) -> Result<(), Full> {
    let ticks = longest_run(text).saturating_add(1).max(3);
    out.repeat("`", ticks)?;
    out.push(language)?;
    out.push("\n")?;
    if !text.is_empty() {
        out.push(text.strip_suffix('\n').unwrap_or(text))?;
        out.push("\n")?;
    }
    out.repeat("`", ticks)
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.as_bytes()
        .chunk_by(|left, right| left == right)
        .fold(0, |longest, run| if run[0] == b'`' { longest.max(run.len()) } else { longest })
}

/// Escapes what is markup in XML.
pub(super) fn xml(text: &str, out: &mut Sink) -> Result<(), Full> {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
        out.push(&rest[..at])?;
        out.push(match rest.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => "&apos;",
        })?;
        rest = &rest[at + 1..];
    }
    out.push(rest)
}

/// The lines of a text; a line end at its end begins no further line.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.strip_suffix('\n').unwrap_or(text).split('\n')
}

fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
}
