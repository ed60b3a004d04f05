//! The outline of the output: whether a value changed it, and whether a heading would be lost.

use std::ops::Range;

use super::run::Suspect;
use crate::parse::markdown::{self, BlockKind};

/// The suspects that changed the outline: a heading that is not of the tree, one that is missing,
/// or a fence or HTML block that a value opens and does not close. The output is parsed once.
pub(super) fn offenders<'s>(
    output: &str,
    headings: &[usize],
    suspects: &'s [Suspect],
    raw: &[Range<usize>],
) -> Vec<&'s Suspect> {
    let structure = markdown::parse(output);
    let lines = &structure.lines;
    let line_of = |offset: usize| lines.at(u32::try_from(offset).unwrap_or(u32::MAX));
    let mut blamed = vec![false; suspects.len()];
    let is_raw =
        |range: &Range<usize>| raw.iter().any(|raw| raw.start < range.end && range.start < raw.end);
    let mut expected: Vec<u32> = headings.iter().map(|&at| line_of(at)).collect();
    expected.sort_unstable();
    let mut present = Vec::new();
    for block in structure.blocks.iter().filter(|block| block.container.is_none()) {
        let range = lines.start(block.first_line) as usize..lines.end(block.last_line) as usize;
        match &block.kind {
            BlockKind::Heading(_) => {
                present.push(block.first_line);
                if expected.binary_search(&block.first_line).is_err() && !is_raw(&range) {
                    blame(suspects, &range, &mut blamed);
                }
            }
            BlockKind::Fence(_) | BlockKind::Html { .. } => {
                let opened = suspects.iter().position(|suspect| {
                    let first = line_of(suspect.output.start);
                    let last =
                        line_of(suspect.output.end.saturating_sub(1).max(suspect.output.start));
                    let open = matches!(&block.kind, BlockKind::Fence(fence) if !fence.closed);
                    (first..=last).contains(&block.first_line) && (open || block.last_line > last)
                });
                if let Some(index) = opened {
                    blamed[index] = true;
                }
            }
            _ => {}
        }
    }
    for &line in &expected {
        if present.binary_search(&line).is_err() {
            let start = lines.start(line) as usize;
            blame(suspects, &(start..start + 1), &mut blamed);
        }
    }
    suspects.iter().zip(blamed).filter(|(_, blamed)| *blamed).map(|(suspect, _)| suspect).collect()
}

/// Blames the last value that is printed in a range, else the last one before it.
fn blame(suspects: &[Suspect], range: &Range<usize>, blamed: &mut [bool]) {
    let before = suspects.partition_point(|suspect| suspect.output.start < range.end);
    let index = before.checked_sub(1).or((!suspects.is_empty()).then_some(0));
    if let Some(index) = index {
        blamed[index] = true;
    }
}

/// Whether text with a line below it is one heading underlined by that line.
pub(super) fn is_underlined(content: &str, underline: &str) -> bool {
    if content.trim_matches([' ', '\t', '\n']).is_empty() {
        return false;
    }
    let plain = |line: &str| line.chars().next().is_some_and(char::is_alphabetic);
    if content.split('\n').all(plain) {
        return true;
    }
    let text = format!("{content}{underline}");
    let structure = markdown::parse(&text);
    let mut blocks = structure.blocks.iter();
    let heading = blocks.next().is_some_and(|block| {
        matches!(&block.kind, BlockKind::Heading(heading) if heading.setext)
            && block.container.is_none()
    });
    heading && blocks.next().is_none() && !content.starts_with('\n')
}

/// Whether a list at the end of a printed text would take in a heading with so many blanks before
/// it.
pub(super) fn is_swallowed(printed: &str, indent: usize, setext: bool) -> bool {
    if !printed.lines().any(begins_item) {
        return false;
    }
    let heading = if setext { "x\n=" } else { "# x" };
    let end = if printed.ends_with('\n') { "" } else { "\n" };
    let structure = markdown::parse(&format!("{printed}{end}{:indent$}{heading}\n", ""));
    let last = structure.blocks.last();
    !last.is_some_and(|block| {
        matches!(block.kind, BlockKind::Heading(_)) && block.container.is_none()
    })
}

/// Whether a line may begin a list item at the top level.
fn begins_item(line: &str) -> bool {
    let text = line.trim_start_matches(' ');
    let rest = text.trim_start_matches(|sign: char| sign.is_ascii_digit());
    text.starts_with(['-', '+', '*']) || rest.len() < text.len() && rest.starts_with(['.', ')'])
}

/// The part of a text without the blank lines at its start and end.
pub(super) fn without_blank_lines(text: &str) -> Range<usize> {
    let blanks = [' ', '\t', '\n'];
    let content = text.len() - text.trim_start_matches(blanks).len();
    let start = text[..content].rfind('\n').map_or(0, |at| at + 1);
    let trimmed = text.trim_end_matches(blanks).len();
    let end = text[trimmed..].find('\n').map_or(text.len(), |at| trimmed + at + 1);
    if trimmed <= start { text.len()..text.len() } else { start..end }
}
