//! What holds for the pieces of every text: they follow each other without gap, and every place
//! lies in the text, between characters.
#![expect(clippy::disallowed_methods, reason = "the texts of the fixtures are read")]

use std::fs;
use std::path::PathBuf;

use super::{Document, Mode, parse};
use crate::text::{Source, Span};

/// Pieces of texts that mean something together, or nearly do.
const PIECES: [&str; 64] = [
    "a",
    "é",
    "漢",
    " ",
    "  ",
    "    ",
    "\t",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\\",
    "\\\\",
    "#",
    "# A",
    "===",
    "---",
    "- ",
    "1. ",
    "> ",
    ">",
    "```",
    "~~~",
    "``` x raw\n",
    "`",
    "``",
    "<div>",
    "</div>",
    "<pre>",
    "<!--",
    "-->",
    "<!-- x -->",
    "<!-- if: x -->",
    "<!-- if: ",
    "<!-- else -->",
    "<!-- elif: \"-->\" -->",
    "<!-- endif -->",
    "<!-- for: x in y -->",
    "<!-- for: k, v in [1] -->",
    "<!-- endfor -->",
    "<!-- raw -->",
    "<!-- endraw -->",
    "<!-- role: user -->",
    "<!-- endfi -->",
    "<!-- merge: append -->",
    "{{",
    "}}",
    "{{x}}",
    "{{x.é}}",
    "{{x|default(\"}}\")}}",
    "{{ x }}",
    "{{x|f(",
    "\\{\\{",
    "\\}\\}",
    "<<>",
    ">>",
    "<<> a.md>>",
    "<<> \"a#\" | raw with x=\">>\">>",
    "{{> a}}",
    "${{x}}",
    "---\nvars:\n  x: string\n---\n",
    "+++\nname = 'x'\n+++\n",
    "\0",
];

#[test]
fn pieces_of_odd_texts_follow_each_other() {
    let mut state = 7_u32;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % bound
    };
    for _ in 0..1_500 {
        let count = 1 + below(14);
        let text: String = (0..count).map(|_| PIECES[below(PIECES.len())]).collect();
        check_prefixes(&text, 1);
    }
}

#[test]
fn pieces_of_every_fixture_follow_each_other() {
    let pages = pages();
    assert!(!pages.is_empty(), "no fixtures are found");
    for text in pages {
        check_prefixes(&text, 1 + text.len() / 8);
    }
}

/// The texts of all pages, and of the blocks in them.
fn pages() -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from("fixtures"), PathBuf::from("../shared/cases")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
                continue;
            }
            let Ok(text) = fs::read_to_string(entry.path()) else { continue };
            let blocks = text.split("\n```").skip(1).step_by(2);
            found.extend(blocks.filter_map(|block| Some(block.split_once('\n')?.1.to_owned())));
            found.push(text);
        }
    }
    found
}

/// Checks a text and its prefixes, so many bytes apart.
fn check_prefixes(text: &str, step: usize) {
    for end in (0..text.len()).step_by(step).filter(|&end| text.is_char_boundary(end)) {
        check(&text[..end]);
    }
    check(text);
}

fn check(text: &str) {
    for mode in [Mode::Template, Mode::Raw, Mode::Code] {
        let document = parse(Source::new(text.as_bytes()), mode);
        let mut at = document.front.body;
        for item in &document.body.items {
            assert_eq!(item.span.start, at, "{:?} of {text:?} begins elsewhere", item.kind);
            at = item.span.end;
        }
        assert_eq!(at as usize, document.source.text().len(), "the end of {text:?} is missing");
        for span in places(&document) {
            let there = document.source.text().get(span.range());
            assert!(there.is_some(), "{span:?} is no place of {text:?}");
        }
    }
}

fn places(document: &Document) -> Vec<Span> {
    let body = &document.body;
    let mut spans: Vec<Span> = body.items.iter().map(|item| item.span).collect();
    for reference in &body.references {
        spans.extend([reference.span, reference.expr.span]);
    }
    for include in &body.includes {
        spans.extend([include.span, include.path.span]);
        spans.extend(include.section.iter().map(|(_, span)| *span));
        spans.extend(include.with.iter().flat_map(|(_, name, expr)| [*name, expr.span]));
    }
    spans.extend(body.include_marks.iter().map(|mark| mark.before));
    spans.extend(body.headings.iter().map(|heading| heading.span));
    spans.extend(body.fences.iter().flat_map(|fence| [fence.span, fence.content]));
    spans.extend(body.blocks.iter().map(|block| block.span));
    spans.extend(body.open_end.iter().map(|open| open.span));
    for finding in &body.findings {
        spans.push(finding.span);
        spans.extend(finding.edit.iter().map(|(span, _)| *span));
    }
    spans
}
