//! What a second reading of a text says: the outline, straight from comrak's tree.
#![allow(dead_code, reason = "each test uses a part of it")]

use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, Options, parse_document};
use unicode_normalization::UnicodeNormalization as _;

/// A heading at the top level of a text: its level and its title.
pub(crate) type Heading = (u8, String);

/// The headings at the top level of a text, by `CommonMark` alone.
pub(crate) fn outline(text: &str) -> Vec<Heading> {
    let arena = Arena::new();
    let root = parse_document(&arena, text, &Options::default());
    let headings = root.children().filter_map(|node| match &node.data().value {
        NodeValue::Heading(heading) => Some((heading.level, title(node))),
        _ => None,
    });
    headings.collect()
}

/// The text of a heading without marks: comments go, other inline HTML stays as written.
fn title<'a>(heading: &'a AstNode<'a>) -> String {
    let mut text = String::new();
    for node in heading.descendants() {
        match &node.data().value {
            NodeValue::Text(part) => text.push_str(part),
            NodeValue::Code(code) => text.push_str(&code.literal),
            NodeValue::SoftBreak | NodeValue::LineBreak => text.push(' '),
            NodeValue::HtmlInline(html) if !html.starts_with("<!--") => text.push_str(html),
            _ => {}
        }
    }
    clean(&text)
}

/// Blanks collapsed, in NFC, without variation selectors.
pub(crate) fn clean(text: &str) -> String {
    let words: Vec<&str> = text.split([' ', '\t', '\n']).filter(|word| !word.is_empty()).collect();
    words.join(" ").chars().filter(|&sign| sign != '\u{fe0f}').nfc().collect()
}

/// A text as the engine reads its bytes: without byte order mark, with LF as its line end.
pub(crate) fn normalised(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The front matter of a text, with its markers, by the first rule of a reader: it opens on line 1,
/// is closed, and is empty or begins with a key.
pub(crate) fn front_matter(text: &str) -> &str {
    let mut lines = text.split_inclusive('\n');
    let mark = lines.next().unwrap_or_default().trim_end();
    if mark != "---" && mark != "+++" {
        return "";
    }
    let mut length = text.len() - lines.clone().map(str::len).sum::<usize>();
    let mut first = None;
    for line in lines {
        length += line.len();
        if line.trim_end() == mark {
            let is_front = first.is_none_or(begins_with_key);
            return if is_front { &text[..length] } else { "" };
        }
        if !line.trim().is_empty() && !line.starts_with('#') {
            first = first.or(Some(line));
        }
    }
    ""
}

fn begins_with_key(line: &str) -> bool {
    let word = |sign: char| sign.is_alphanumeric() || "_-\"'".contains(sign);
    let rest = line.trim_start_matches(word);
    line.starts_with('[') || rest.len() < line.len() && rest.trim_start().starts_with([':', '='])
}

/// A text as a render prints it where nothing in it is of the language: no blank line at its start,
/// one line end at its end.
pub(crate) fn ends_rule(text: &str) -> String {
    let blanks = [' ', '\t', '\n'];
    let content = text.len() - text.trim_start_matches(blanks).len();
    let start = text[..content].rfind('\n').map_or(0, |at| at + 1);
    let trimmed = text.trim_end_matches(blanks);
    if trimmed.is_empty() {
        return String::new();
    }
    let behind = &text[trimmed.len()..];
    let blanks_behind = behind.split('\n').next().unwrap_or_default();
    format!("{}{blanks_behind}\n", &trimmed[start..])
}
