//! `plain`: a text of which no line opens or underlines a block.

use super::html;
use crate::value::{Full, Sink};

/// Writes the text with a backslash before what would open a block at the start of a line, and
/// with at most three blanks there, so that nothing is indented code.
///
/// Each line is judged as if it stood alone, since what stands around it is not known here: `===`
/// underlines what the author may have written above. Behind other text of a line (`mid_line`)
/// the first line of the text opens nothing and stays as it is.
pub(super) fn plain(text: &str, mid_line: bool, out: &mut Sink) -> Result<(), Full> {
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push("\n")?;
        } else if mid_line {
            out.push(line)?;
            continue;
        }
        let content = line.trim_start_matches(is_blank);
        let indentation = &line[..line.len() - content.len()];
        let kept = indentation.bytes().take_while(|&byte| byte == b' ').count().min(3);
        out.push(&indentation[..kept])?;
        let at = opener(content).unwrap_or(content.len());
        out.push(&content[..at])?;
        if at < content.len() {
            out.push("\\")?;
        }
        out.push(&content[at..])?;
    }
    Ok(())
}

/// Where a backslash has to stand in a line that would open or underline a block.
fn opener(content: &str) -> Option<usize> {
    let opens = match content.bytes().next()? {
        b'#' => is_heading(content),
        b'>' => true,
        b'-' => is_bullet(content) || is_rule(content) || is_underline(content) || is_row(content),
        b'+' => is_bullet(content),
        b'*' => is_bullet(content) || is_rule(content),
        b'_' => is_rule(content),
        b'=' => is_underline(content),
        b'|' | b':' => is_row(content),
        b'`' => is_fence(content) && !content.trim_start_matches('`').contains('`'),
        b'~' => is_fence(content),
        b'<' => html::opens_block(content),
        b'0'..=b'9' => return number_delimiter(content),
        _ => false,
    };
    opens.then_some(0)
}

/// One to six `#`, and then a blank or the end.
fn is_heading(content: &str) -> bool {
    let text = content.trim_start_matches('#');
    content.len() - text.len() <= 6 && is_marker_end(text)
}

/// A bullet, and then a blank or the end.
fn is_bullet(content: &str) -> bool {
    is_marker_end(&content[1..])
}

/// The offset of `.` or `)` behind one to nine digits, if a blank or the end follows.
fn number_delimiter(content: &str) -> Option<usize> {
    let digits = content.bytes().take_while(u8::is_ascii_digit).count();
    let rest = content[digits..].strip_prefix(['.', ')'])?;
    (digits <= 9 && is_marker_end(rest)).then_some(digits)
}

fn is_marker_end(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(is_space)
}

/// Three or more of the same sign, with blanks between them at will.
fn is_rule(content: &str) -> bool {
    let sign = content.as_bytes()[0];
    let signs = content.bytes().filter(|&byte| byte == sign).count();
    signs >= 3 && content.bytes().all(|byte| byte == sign || matches!(byte, b' ' | b'\t'))
}

/// A run of `=` or `-`, and nothing behind it.
fn is_underline(content: &str) -> bool {
    let sign = char::from(content.as_bytes()[0]);
    content.trim_start_matches(sign).trim_matches(is_blank).is_empty()
}

/// The delimiter row of a table: `|---|:-:|`.
fn is_row(content: &str) -> bool {
    let row = content.trim_matches(is_space);
    let row = row.strip_prefix('|').unwrap_or(row);
    let row = row.strip_suffix('|').unwrap_or(row);
    row.split('|').all(|cell| {
        let cell = cell.trim_matches(is_space);
        let cell = cell.strip_prefix(':').unwrap_or(cell);
        let cell = cell.strip_suffix(':').unwrap_or(cell);
        !cell.is_empty() && cell.bytes().all(|byte| byte == b'-')
    })
}

fn is_fence(content: &str) -> bool {
    let sign = content.as_bytes()[0];
    content.bytes().take_while(|&byte| byte == sign).count() >= 3
}

fn is_blank(letter: char) -> bool {
    matches!(letter, ' ' | '\t')
}

/// Blanks, and what some readers of Markdown take for one.
fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\u{b}' | '\u{c}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rustfmt::skip]
    const OPENING: &[&str] = &[
        "# a", "#", "######\ta", "> a", ">a", "- a", "-", "+", "+ a", "* a", "*\ta", "***",
        "* * *", "- - -", "_ _ _", "___", "--", "---", "=", "=== ", "```", "``` rust", "~~~ `a`",
        "|---|---|", "--- | ---", ":--", "-:", "|-", "| :-: |", "<div", "<DIV class=a>", "</x>",
        "</div", "<!-- a", "<!doctype", "<?php", "<![CDATA[x", "<pre>", "<script", "<b>",
        "<x-y a=1 b='>' c=\"d\" e/>", "<h1>", "<hr/>", "<p/>x",
    ];

    #[rustfmt::skip]
    const TEXT: &[&str] = &[
        "#a", "####### a", "-a", "--a", "+a", "*a*", "**", "**a**", "__", "_a_", "== =", "=a",
        "``", "``` a`b", "~~", "|", "| a |", "||", ":", ":a", "a", "é", "1", "1.a", "1a.", "",
        "1234567890. a", "<a@b.c>", "<https://a.b>", "<b>x", "<b", "<b c", "< div>", "<1>", "</",
        "<", "<!", "<!1", "<b a=>", "<b a='x>", "\\# a", "&#35; a", "\u{a0}# a",
    ];

    fn held(text: &str, mid_line: bool) -> String {
        let mut sink = Sink::new(usize::MAX);
        assert_eq!(plain(text, mid_line, &mut sink), Ok(()));
        sink.into_text()
    }

    #[test]
    fn a_backslash_stands_only_where_a_block_would_open() {
        for line in OPENING {
            assert_eq!(held(line, false), format!("\\{line}"));
            assert_eq!(held(&format!("x\n  {line}"), false), format!("x\n  \\{line}"));
        }
        for line in TEXT {
            assert_eq!(held(line, false), *line);
        }
        for (line, expected) in [
            ("1. a", "1\\. a"),
            ("2)", "2\\)"),
            ("123456789.\ta", "123456789\\.\ta"),
            ("    a", "   a"),
            ("\ta", "a"),
            ("  \t# a", "  \\# a"),
            ("      ", "   "),
            ("a\n===\n\n1. b\n", "a\n\\===\n\n1\\. b\n"),
        ] {
            assert_eq!(held(line, false), expected);
        }
        assert_eq!(held("     # a\n# b", true), "     # a\n\\# b");
    }
}
