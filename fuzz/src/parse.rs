//! Target `parse`: any bytes.

use mdgraft::fuzzing::{self, Parsed};
use mdgraft::{Engine, LoadOptions, MemoryLoader, Span, Vars, render};

/// The pieces of the body follow each other without gap and make it up; all spans are in bounds
/// and on character boundaries; findings are in order; a prefix parses; a text without anything
/// of the language renders to itself.
pub fn check(data: &[u8]) {
    for raw in [false, true] {
        structure(&fuzzing::parse(data, raw));
    }
    // Where the cut stands is as arbitrary as the bytes are.
    let cut =
        data.iter().fold(0, |sum: usize, &byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    structure(&fuzzing::parse(&data[..cut % (data.len() + 1)], false));
    faithful(data);
}

fn structure(parsed: &Parsed) {
    let text = parsed.source.text();
    let mut at = parsed.body;
    for piece in &parsed.pieces {
        assert_eq!(piece.start, at, "gap between pieces: {:?} of {text:?}", parsed.pieces);
        assert!(piece.end >= piece.start, "piece ends before it begins: {piece:?} of {text:?}");
        at = piece.end;
    }
    assert_eq!(at as usize, text.len(), "the pieces end early: {:?} of {text:?}", parsed.pieces);
    for span in parsed.pieces.iter().chain(&parsed.spans) {
        in_bounds(text, *span);
    }
    assert!(
        parsed.findings.is_sorted(),
        "findings out of order: {:?} of {text:?}",
        parsed.findings
    );
}

/// Panics where a span does not stand inside a text.
pub fn in_bounds(text: &str, span: Span) {
    let range = span.range();
    assert!(text.get(range.clone()).is_some(), "span {range:?} is not in {text:?}");
}

fn faithful(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let ours = ["{{", "<<", "<!--", "\0", "\\{"];
    if ours.iter().any(|sign| text.contains(sign)) {
        return;
    }
    let engine = Engine::new(MemoryLoader::default());
    let plain =
        text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    if plain.starts_with("---") || plain.starts_with("+++") {
        return;
    }
    let tree = match engine.load_source("main.md", data, &LoadOptions::default()) {
        Ok(tree) => tree,
        Err(told) => panic!("plain text does not load: {told}\n{text:?}"),
    };
    let rendered = match render(&tree, &Vars::new(), ()) {
        Ok(rendered) => rendered,
        Err(told) if told.iter().all(|one| one.code.as_str() == "invalid-json") => return,
        Err(told) => panic!("plain text does not render: {told}\n{text:?}"),
    };
    if plain.contains("hidden") {
        return;
    }
    assert_eq!(rendered.text(), trimmed(&plain), "plain text changes: {text:?}");
}

/// A text without the blank lines at its start and end, with one line end.
fn trimmed(text: &str) -> String {
    let blank = |line: &&str| line.trim_matches([' ', '\t']).is_empty();
    let mut lines: Vec<&str> = text.split('\n').skip_while(blank).collect();
    while lines.last().is_some_and(blank) {
        lines.pop();
    }
    let mut text = lines.join("\n");
    if !text.is_empty() {
        text.push('\n');
    }
    text
}
