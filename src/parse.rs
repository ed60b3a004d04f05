//! The first stage: one text to a [`Document`]. It never fails, and knows no path, no other file
//! and no values.

mod alone;
mod assemble;
mod blocks;
pub(crate) mod directive;
pub(crate) mod document;
pub(crate) mod expr;
pub(crate) mod front_matter;
pub(crate) mod include;
mod lines;
pub(crate) mod lint;
pub(crate) mod markdown;
pub(crate) mod names;
mod place;
mod scan;
#[cfg(test)]
mod tests;

pub(crate) use document::{Document, Mode};

use crate::diag::{Finding, codes};
use crate::text::{Fault, Source, Span};
use front_matter::FrontMatter;
use markdown::{BlockKind, Structure};
use names::Names;
use scan::{Candidates, IncludeLine, Mask, Scanned, TokenKind};

/// Parses a text.
pub(crate) fn parse(source: Source, mode: Mode) -> Document {
    let mut names = Names::default();
    let front = match mode {
        Mode::Template => front_matter::read(&source, &mut names),
        Mode::Raw | Mode::Code => {
            // It is printed, but its lines are no headings of the file.
            let body = front_matter::read(&source, &mut Names::default()).body;
            FrontMatter { body, ..FrontMatter::default() }
        }
    };
    let text = source.text();
    let settings = match mode {
        Mode::Template => front.settings,
        Mode::Raw | Mode::Code => document::RAW_SETTINGS,
    };
    let mut candidates = scan::candidates(text, front.body, settings);
    let (structure, scanned) = settle(text, front.body, settings, &mut candidates, &mut names);
    let mut body = assemble::assemble(text, front.body, &structure, scanned);
    match mode {
        Mode::Template => {}
        Mode::Raw => body
            .findings
            .retain(|finding| matches!(finding.code, codes::UNCLOSED_FENCE | codes::UNCLOSED_HTML)),
        Mode::Code => body.findings.clear(),
    }
    body.findings.extend(front.findings.iter().cloned());
    body.findings.extend(faults(&source));
    body.findings.sort_by_key(|finding| (finding.span.start, finding.code.as_str()));
    Document { source, front, names, body }
}

/// Parses the Markdown and scans it, until both agree on what is an include and what is not.
fn settle(
    text: &str,
    from: u32,
    settings: front_matter::Settings,
    candidates: &mut Candidates,
    names: &mut Names,
) -> (Structure, Scanned) {
    /// Each round takes a mask one step further (declaration, shifted or blank, off).
    const ROUNDS: usize = 4;
    let mut round = 0;
    loop {
        round += 1;
        let structure = match masked(text, from, candidates) {
            Some(masked) => markdown::parse(&masked),
            None => markdown::parse(text),
        };
        let settled = round == ROUNDS || !adjust_to_blocks(text, &structure, candidates);
        if !settled {
            continue;
        }
        let scanned = scan::scan(text, from, settings, &structure, candidates, names);
        if round >= ROUNDS || !adjust_to_raw(&scanned, candidates) {
            return (structure, scanned);
        }
    }
}

/// The text as the Markdown parser sees it; `None` where it is the text itself. Front matter
/// becomes blank lines, so that all offsets are those of the text.
fn masked(text: &str, from: u32, candidates: &Candidates) -> Option<String> {
    if from == 0 && candidates.references.is_empty() && candidates.includes.is_empty() {
        return None;
    }
    let mut text = text.as_bytes().to_vec();
    for byte in &mut text[..from as usize] {
        *byte = if *byte == b'\n' { b'\n' } else { b' ' };
    }
    for span in &candidates.references {
        text[span.range()].fill(b'x');
    }
    for line in &candidates.includes {
        let range = line.span.range();
        let declaration = match line.mask {
            Mask::Declaration => range,
            Mask::DeclarationFrom(start) => start as usize..range.end,
            Mask::Blank => {
                text[range].fill(b' ');
                continue;
            }
            Mask::Off => continue,
        };
        let end = declaration.end - 1;
        let start = declaration.start;
        text[start..end].fill(b'A');
        text[start] = b'<';
        text[start + 1] = b'!';
        text[end] = b'>';
    }
    String::from_utf8(text).ok()
}

/// Moves the masks that the structure does not take as blocks of their own; whether any moved.
fn adjust_to_blocks(text: &str, structure: &Structure, candidates: &mut Candidates) -> bool {
    let mut moved = false;
    for line in &mut candidates.includes {
        let number = structure.lines.at(line.span.start);
        let Some(block) = structure.block_at_line(number) else { continue };
        let mask = match (&block.kind, line.mask) {
            (BlockKind::Paragraph | BlockKind::Heading(_), Mask::Declaration) => {
                let prefix = structure.prefix(text, number, block.container);
                let content = if prefix.lazy { 0 } else { prefix.content };
                Mask::DeclarationFrom(structure.lines.start(number) + Span::at(0, content).end)
            }
            (BlockKind::Html { kind: 6 | 7, .. }, Mask::Declaration | Mask::DeclarationFrom(_))
                if block.first_line < number =>
            {
                Mask::Blank
            }
            _ => continue,
        };
        line.mask = mask;
        moved = true;
    }
    moved
}

/// Takes the masks off what turned out to be raw text; whether there was any.
fn adjust_to_raw(scanned: &Scanned, candidates: &mut Candidates) -> bool {
    let mut raw = Vec::new();
    let mut open = None;
    for token in &scanned.tokens {
        let TokenKind::Directive(index) = token.kind else { continue };
        match scanned.directives[index as usize] {
            directive::Directive::Raw => open = Some(token.span.end),
            directive::Directive::Endraw => {
                raw.extend(open.take().map(|start| Span::new(start, token.span.start)));
            }
            _ => {}
        }
    }
    raw.extend(open.map(|start| Span::new(start, u32::MAX)));
    let is_raw = |span: Span| {
        let next = raw.partition_point(|region| region.end <= span.start);
        raw.get(next).is_some_and(|region| region.start <= span.start)
    };
    let before = candidates.references.len();
    candidates.references.retain(|&span| !is_raw(span));
    let mut changed = candidates.references.len() < before;
    for IncludeLine { span, mask } in &mut candidates.includes {
        if *mask != Mask::Off && is_raw(*span) {
            *mask = Mask::Off;
            changed = true;
        }
    }
    changed
}

/// What makes the bytes unreadable.
fn faults(source: &Source) -> Vec<Finding> {
    let text = source.text();
    let mut findings = Vec::new();
    if let Some(Fault::InvalidUtf8 { byte }) = source.fault() {
        let message = format!("this is not UTF-8: byte {byte} cannot be read");
        let span = Span::at(text.len(), text.len());
        let finding = Finding::new(codes::INVALID_UTF8, span, message);
        findings.push(finding.help("save the file as UTF-8"));
    }
    for (at, _) in text.match_indices('\0') {
        let finding =
            Finding::new(codes::NUL_BYTE, Span::at(at, at + 1), "a prompt holds no NUL byte");
        findings.push(finding.help("remove it; is this a text file?"));
    }
    findings
}

/// The words of the info string of a fence's opening line.
pub(crate) fn info_words(line: &str) -> impl Iterator<Item = &str> {
    let run = line.find("```").or_else(|| line.find("~~~"));
    let run = match (run, line.find("~~~")) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (found, _) => found,
    };
    let rest = run.map_or("", |at| &line[at..]);
    let sign = rest.chars().next().unwrap_or('`');
    rest.trim_start_matches(sign).split_whitespace()
}
